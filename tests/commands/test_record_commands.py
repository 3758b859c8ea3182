"""``meja check``, ``meja simulate`` and ``meja replay`` as a person or a script uses them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from meja import make_rules, new_match
from meja.arena import play_match, simulate
from meja.cli import main
from meja.games import games
from meja.record import Record, dumps, load_all, save, save_all

THUMBS = "rules-of-thumb"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A good record, a good collection, and bad ones."""
    path = tmp_path_factory.mktemp("records")
    record = play_match(make_rules("smear", 2, target=7), ["random"] * 2, seed=1)
    save(path / "good.meja", record)
    save_all(path / "good.mejal", [record, record])
    text = dumps(record)
    (path / "cut.meja").write_text(text[:400], encoding="utf-8")
    (path / "doubled.meja").write_text(text + text, encoding="utf-8")
    (path / "bytes.meja").write_bytes(b"\xff\xfe" + text.encode())
    (path / "empty.meja").write_bytes(b"")
    document = json.loads(text)
    scored = next(deal for deal in document["deals"] if "score" in deal)
    scored["score"][1] += 1
    (path / "score.meja").write_text(json.dumps(document), encoding="utf-8")
    document["rules_version"] = 9
    (path / "later.meja").write_text(json.dumps(document), encoding="utf-8")
    (path / "mixed.mejal").write_text(f"{text}\nnonsense\n\n{text}\n", encoding="utf-8")
    loose = json.loads(text)
    loose["rules"]["min_bid"] = 2
    loose["deals"][0]["actions"][0] = loose["deals"][0]["actions"][0].upper()
    (path / "loose.meja").write_text(json.dumps(loose), encoding="utf-8")
    return path


# -- check ------------------------------------------------------------------------


def test_good_records_pass_with_code_0_and_nothing_on_standard_output(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(folder / "good.meja"), str(folder / "good.mejal")]) == 0
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "3 records read, no faults" in shown.err


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cut.meja", "cut off"),
        ("doubled.meja", "something follows the end"),
        ("bytes.meja", "not UTF-8: byte 0xff at offset 0"),
        ("empty.meja", "empty"),
        ("score.meja", "by the rules, recorded is"),
        ("later.meja", "version 9 of the rules of smear"),
        ("missing.meja", "cannot be read: No such file"),
        ("mixed.mejal", ":2: line 1, column 1: not JSON"),
        (".", "cannot be read: Is a directory"),
    ],
)
def test_each_fault_is_one_line_with_the_file_and_code_1(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, words: str
) -> None:
    assert main(["check", str(folder / name)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(str(folder / name))
    assert words in lines[0]


def test_check_strict_reports_what_only_a_tolerant_reader_takes(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(folder / "loose.meja")]) == 0
    assert main(["check", "--strict", str(folder / "good.meja")]) == 0
    capsys.readouterr()
    assert main(["check", "--strict", str(folder / "loose.meja")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert "rules.min_bid: is the preset's value" in lines[0]
    assert "deals[0].actions[0]: the strict form is" in lines[1]


def test_faults_are_told_in_indonesian(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--lang", "id", "check", str(folder / "score.meja")])
    assert "by the rules" not in capsys.readouterr().out


# -- simulate ---------------------------------------------------------------------


@pytest.mark.parametrize("name", games())
def test_simulated_matches_are_right_records(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    out = tmp_path / "out.mejal"
    assert main(["simulate", name, "--matches", "2", "--seed", "4", "--out", str(out)]) == 0
    assert "2 matches" in capsys.readouterr().out
    assert main(["check", "--strict", str(out)]) == 0
    records = list(load_all(out))
    assert len(records) == 2
    assert all(record.winners for record in records)
    assert records[0].players == (f"bot:{THUMBS}",) * records[0].rules.seats


def test_the_same_seed_gives_the_same_matches_in_any_number_of_processes() -> None:
    rules = make_rules("smear", 3, target=7)
    alone = [dumps(record) for record in simulate(rules, [THUMBS] * 3, 18, seed=9)]
    together = [dumps(record) for record in simulate(rules, [THUMBS] * 3, 18, seed=9, jobs=2)]
    other = [dumps(record) for record in simulate(rules, [THUMBS] * 3, 18, seed=10)]
    assert alone == together
    assert alone != other


def test_options_presets_seats_and_bots_are_taken(tmp_path: Path) -> None:
    out = tmp_path / "o.mejal"
    command = ["simulate", "smear", "--seats", "2", "--option", "target=7", "--option", "dealer_steal=true"]
    assert main([*command, "--bots", f"random,{THUMBS}", "--out", str(out)]) == 0
    record = next(load_all(out))
    assert record.rules.to_dict() == {"preset": "standard", "dealer_steal": True, "target": 7}
    assert record.players == ("bot:random", f"bot:{THUMBS}")


def test_a_match_without_end_is_broken_off_and_says_so() -> None:
    rules = make_rules("calabresella", 3, target=51)
    record = play_match(rules, ["random"] * 3, seed=1, most_deals=3)
    assert record.winners is None
    assert record.meta is not None
    assert record.meta["ended"] == "broken off after 3 deals"


BAD_USE = [
    (["simulate", "poker"], 'no game "poker"'),
    (["simulate", "smear", "--seats", "4"], "2 or 3 players"),
    (["simulate", "smear", "--preset", "hard"], 'no preset "hard"'),
    (["simulate", "smear", "--option", "dice=1"], 'no option "dice"'),
    (["simulate", "smear", "--option", "target=12"], "expected one of: 11, 7, 15, 21"),
    (["simulate", "smear", "--option", "target"], "expected NAME=VALUE"),
    (["simulate", "smear", "--option", "target=7", "--option", "target=11"], "given twice"),
    (["simulate", "smear", "--bots", "genius"], 'no bot "genius"'),
    (["simulate", "smear", "--bots", "random,random"], "2 bots for 3 seats"),
    (["simulate", "smear", "--matches", "0"], "at least 1"),
    (["simulate", "smear", "--jobs", "0"], "at least 1"),
    (["simulate", "smear", "--out", "/no/such/folder/x.mejal"], "no folder"),
    (["simulate", "bassadewitz", "--option", "sweep_takes_pool=true"], "needs classic_pool"),
    (["replay", "/no/such/file.meja"], "No such file"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD_USE, ids=[" ".join(row[0]) for row in BAD_USE])
def test_wrong_use_is_one_clear_line_and_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert len(shown.err.splitlines()) == 1
    assert shown.err.startswith("meja: ")
    assert words in shown.err


def test_a_closed_pipe_ends_quietly(folder: Path) -> None:
    command = f"{sys.executable} -m meja.cli replay {folder / 'good.meja'} | head -n 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 1


def test_a_summary_writes_its_numbers_as_the_language_does(capsys: pytest.CaptureFixture[str]) -> None:
    for code, decimals in (("en", "."), ("id", ",")):
        assert main(["--lang", code, "simulate", "smear", "--matches", "3", "--seed", "1"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert all(re.search(rf" [+-][0-9]+\{decimals}[0-9][0-9] ", line) for line in lines[1:])


# -- replay -----------------------------------------------------------------------


@pytest.mark.parametrize("name", games())
def test_replay_tells_the_whole_match_to_a_pipe(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    record = play_match(make_rules(name), [THUMBS] * make_rules(name).seats, seed=2)
    save(tmp_path / "m.meja", record)
    assert main(["replay", str(tmp_path / "m.meja")]) == 0
    shown = capsys.readouterr().out
    assert shown.count("Dealer:") == len(record.deals)
    assert shown.count("Score of deal") == len(record.deals)
    assert "match" in shown.splitlines()[-1]


def test_replay_shows_a_record_with_a_fault_as_a_fault(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(folder / "score.meja")]) == 1
    assert "recorded is" in capsys.readouterr().out


def test_replay_picks_a_match_of_a_collection(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(folder / "good.mejal"), "--match", "2"]) == 0
    assert main(["replay", str(folder / "good.mejal"), "--match", "3"]) == 2
    assert "has 2 matches" in capsys.readouterr().err


def test_control_characters_in_names_do_not_reach_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.meja"
    save(path, play_match(make_rules("smear", 2, target=7), ["random"] * 2, seed=1))
    path.write_text(path.read_text(encoding="utf-8").replace("bot:random", "\\u001b[31mAna\\u0007"), encoding="utf-8")
    assert main(["replay", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "Ana" in shown


def test_a_person_steps_forward_back_and_on(folder: Path) -> None:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "meja.cli", "--lang", "en", "replay", "--plain", str(folder / "good.meja")],
        encoding="utf-8",
        timeout=20,
        dimensions=(40, 100),
        env={**os.environ, "TERM": "dumb"},
    )
    child.expect("Deal 1, action 0 of")
    child.sendline("")
    child.expect("Deal 1, action 1 of")
    child.sendline("")
    child.expect("Deal 1, action 2 of")
    child.sendline("b")
    child.expect("Deal 1, action 1 of")
    child.sendline("what")
    child.expect("type one of")
    child.sendline("d")
    child.expect("Deal 2, action 0 of")
    child.sendline("b")
    child.expect(r"Deal 1, action (\d+) of (\d+)")
    assert child.match.group(1) == child.match.group(2)
    child.sendline("s")
    child.expect("Totals")
    child.sendline("a")
    child.expect("The end of the record")
    child.sendline("q")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


# -- odd surroundings -------------------------------------------------------------


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command.replace("meja ", f"{sys.executable} -m meja.cli ", 1)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("command", ["meja rules smear >/dev/full", "meja check /no/file >/dev/full"])
def test_a_full_disk_under_the_output_is_one_clear_line(command: str) -> None:
    done = shell(command)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "meja: No space left on device"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_do_not_matter(closed: str) -> None:
    done = shell(f"meja rules smear {closed}")
    assert done.returncode == 0
    assert done.stderr == ""


def test_words_that_the_output_cannot_write_are_escaped(tmp_path: Path) -> None:
    done = shell(f"meja check '{tmp_path}/é.meja'", PYTHONIOENCODING="ascii")
    assert done.returncode == 1
    assert "\\xe9.meja: cannot be read" in done.stdout
    assert "Traceback" not in done.stderr


def test_an_order_to_end_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "out.mejal"
    out.write_text("old\n", encoding="utf-8")
    child = subprocess.Popen(
        [sys.executable, "-m", "meja.cli", "simulate", "bassadewitz", "--matches", "100000", "--out", str(out)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not list(tmp_path.glob(".out.mejal.*")) and child.poll() is None:
        os.sched_yield()
    child.terminate()
    _, errors = child.communicate(timeout=30)
    assert child.returncode == 130
    assert "Traceback" not in errors
    assert [path.name for path in tmp_path.iterdir()] == ["out.mejal"]
    assert out.read_text(encoding="utf-8") == "old\n"


def test_a_match_without_deals_can_be_gone_through(tmp_path: Path) -> None:
    save(tmp_path / "m.meja", Record.of_match(new_match("smear", 2)))
    child = pexpect.spawn(
        sys.executable,
        ["-m", "meja.cli", "--lang", "en", "replay", "--plain", str(tmp_path / "m.meja")],
        encoding="utf-8",
        timeout=20,
        env={**os.environ, "TERM": "dumb"},
    )
    for key in ("d", "b", "", "s", "h", "a"):
        child.expect("Deal 0, action 0 of 0")
        child.sendline(key)
    child.expect("Deal 0, action 0 of 0")
    child.sendline("q")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
