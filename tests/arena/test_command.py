"""``meja arena`` as a person or a script uses it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from meja.arena import Journal, Plan, play, report
from meja.bots import RULES_OF_THUMB
from meja.cli import main
from meja.games import make_rules
from meja.record import load_all

Capture = pytest.CaptureFixture[str]
ARENA = ["arena", "smear", RULES_OF_THUMB, "random", "--jobs", "1"]


def test_it_plays_and_tells_means_and_intervals(capsys: Capture) -> None:
    assert main([*ARENA, "--deals", "12", "--seed", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    plan = Plan(make_rules("smear", 3), (RULES_OF_THUMB, "random"), seed=3)
    shown = report(plan, play(plan, range(12)))
    assert found == json.loads(json.dumps(shown.to_dict()))
    assert main([*ARENA, "--deals", "12", "--seed", "3"]) == 0
    text = capsys.readouterr().out
    first = shown.standings[0]
    assert f"{first.ahead.mean:+.3f} ± {first.ahead.half:.3f}" in text
    assert "12 deals, each with 3 seatings, seed 3" in text


def test_in_indonesian_every_line_is_indonesian(capsys: Capture) -> None:
    assert main([*ARENA, "--deals", "3", "--lang", "id", "--sprt", "0,0.5"]) == 3
    text = capsys.readouterr().out
    for english in ("deals", "seatings", "points", "ahead", "interval", "Ratings", "Sequential"):
        assert english not in text
    assert "0," in text


def test_a_stopped_arena_is_gone_on_with_to_the_same_end(tmp_path: Path, capsys: Capture) -> None:
    whole, part = tmp_path / "whole", tmp_path / "part"
    records, again = tmp_path / "whole.mejal", tmp_path / "part.mejal"
    assert main([*ARENA, "--deals", "10", "--out", str(whole), "--records", str(records)]) == 0
    expected = capsys.readouterr().out
    command = [*ARENA, "--out", str(part), "--records", str(again)]
    assert main([*command, "--deals", "4"]) == 0
    part.write_bytes(part.read_bytes()[:-5])
    capsys.readouterr()
    assert main([*command, "--deals", "10", "--resume"]) == 0
    output = capsys.readouterr()
    assert output.out == expected
    assert "torn" in output.err
    assert part.read_bytes() == whole.read_bytes()
    assert again.read_bytes() == records.read_bytes()
    assert len(list(load_all(records))) == 30
    # Nothing is left to play: the result is told again.
    assert main([*command, "--deals", "10", "--resume"]) == 0
    assert capsys.readouterr().out == expected


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_keeps_what_was_played(tmp_path: Path, jobs: str) -> None:
    out = tmp_path / "out"
    process = subprocess.Popen(
        [sys.executable, "-m", "meja.cli", *ARENA[:-1], jobs, "--deals", "1000000", "--out", str(out)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    until = time.monotonic() + 100
    while time.monotonic() < until and not (out.exists() and out.read_bytes().count(b"\n") > 20):
        time.sleep(0.05)
    # As a terminal does: to the whole group.
    os.killpg(process.pid, signal.SIGINT)
    shown, told = process.communicate(timeout=100)
    assert process.returncode == 130
    assert "Traceback" not in told
    assert "go on with --resume" in told
    assert "rules-of-thumb" in shown
    plan = Plan(make_rules("smear", 3), (RULES_OF_THUMB, "random"))
    with Journal(out, plan, resume=True) as journal:
        assert len(journal.results) >= 20
        assert journal.notes == []


def test_a_sequential_test_stops_early_and_says_so_by_its_exit_code(capsys: Capture, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = ["arena", "smear", "--deals", "5000", "--jobs", "1"]
    assert main([*command, RULES_OF_THUMB, "random", "--sprt", "0,0.2sd", "--out", str(out)]) == 0
    assert "the upper bound is accepted for rules-of-thumb" in capsys.readouterr().out
    played = out.read_bytes().count(b"\n") - 1
    assert 50 <= played < 250
    assert main([*command, "random", RULES_OF_THUMB, "--sprt", "0,0.2sd", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["sprt"]["verdict"] == "lower"
    assert main(["arena", "smear", "random", RULES_OF_THUMB, "--deals", "20", "--jobs", "1", "--sprt", "0,0.2sd"]) == 3
    assert "still open" in capsys.readouterr().out
    # With its file there is nothing left to play.
    assert main([*command, RULES_OF_THUMB, "random", "--sprt", "0,0.2sd", "--out", str(out), "--resume"]) == 0
    assert out.read_bytes().count(b"\n") - 1 == played


def test_the_verdict_does_not_depend_on_who_was_quicker(capsys: Capture) -> None:
    command = ["arena", "smear", RULES_OF_THUMB, "random", "--deals", "300", "--sprt", "1.5,2.5", "--json"]
    codes, texts = [], []
    for jobs in ("1", "2"):
        codes.append(main([*command, "--jobs", jobs]))
        texts.append(json.loads(capsys.readouterr().out)["sprt"])
    assert codes[0] == codes[1]
    assert texts[0] == texts[1]


def test_a_bot_outside_that_fails_is_named(program: Callable[..., str], capsys: Capture) -> None:
    command = program('say(type="action", id=question["id"], action="play 2s")')
    assert (
        main(["arena", "smear", "mine", "random", "--bot-command", f"mine={command}", "--deals", "1", "--jobs", "1"])
        == 0
    )
    assert "The bot mine lost" in capsys.readouterr().out


def test_matches_are_told_by_shares_of_the_win(capsys: Capture) -> None:
    assert main([*ARENA, "--seats", "2", "--match", "--deals", "3", "--option", "target=7"]) == 0
    text = capsys.readouterr().out
    assert "3 matches, each with 2 seatings" in text
    assert "matches won" in text
    assert "%" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["poker", "random", RULES_OF_THUMB], 'no game "poker"'),
        (["smear", "random"], "two different bots"),
        (["smear", "random", "nonsuch"], 'no bot "nonsuch"'),
        (["smear", "random", "mine", "--bot-command", "mine=/nonsuch"], "cannot be started"),
        (["smear", "random", RULES_OF_THUMB, "--bot-command", "mine=x"], "not named to play"),
        (["smear", "random", RULES_OF_THUMB, "--deals", "0"], "--deals"),
        (["smear", "random", RULES_OF_THUMB, "--jobs", "0"], "--jobs"),
        (["smear", "random", RULES_OF_THUMB, "--seconds", "0"], "--seconds"),
        (["smear", "random", RULES_OF_THUMB, "--iterations", "0"], "--iterations"),
        (["smear", "random", RULES_OF_THUMB, "--resume"], "--out"),
        (["smear", "random", RULES_OF_THUMB, "--sprt", "1"], "LOWER,UPPER"),
        (["smear", "random", RULES_OF_THUMB, "--jobs", "2", "--executor", "dask://a:1"], "--executor"),
        (["smear", "random", RULES_OF_THUMB, "--out", "x", "--records", "./x"], "two files"),
        (["smear", "random", RULES_OF_THUMB, "--out", "/nonsuch/folder/x"], "No such file"),
    ],
)
def test_bad_input_is_a_sentence_and_exit_code_2(
    words: list[str], message: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["arena", *words]) == 2
    output = capsys.readouterr()
    assert message in output.err
    assert "Traceback" not in output.err
    assert output.out == ""
    assert list(tmp_path.iterdir()) == []
