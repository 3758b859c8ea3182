"""The real command at a real terminal, and from a script."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from meja.record import load

_MEJA = [sys.executable, "-m", "meja.cli"]
_PROMPT = r"Your turn \(\? for help\): "


def _environment(folder: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "MEJA_LANG", "MEJA_HOME")}
    # Without a setting of its own a child of a test runner has the C locale.
    return {**kept, "MEJA_HOME": str(folder / "home"), "TERM": "xterm", "PYTHONUTF8": "1", **more}


def _terminal(folder: Path, *arguments: str, **more: str) -> pexpect.spawn:
    return pexpect.spawn(
        _MEJA[0],
        [*_MEJA[1:], "play", *arguments],
        env=_environment(folder, **more),
        cwd=folder,
        encoding="utf-8",
        timeout=20,
        dimensions=(24, 80),
    )


def _script(folder: Path, text: str | bytes, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    raw = text if isinstance(text, bytes) else text.encode()
    done = subprocess.run(
        [*_MEJA, *arguments],
        input=raw,
        capture_output=True,
        env=_environment(folder, **more),
        cwd=folder,
        timeout=30,
        check=False,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def _end(child: pexpect.spawn) -> int:
    child.expect(pexpect.EOF)
    child.close()
    assert isinstance(child.exitstatus, int)
    return child.exitstatus


def test_a_person_plays_leaves_and_goes_on(tmp_path: Path) -> None:
    child = _terminal(tmp_path, "bassadewitz", "--seed", "3", "--no-pause")
    child.expect(_PROMPT)
    assert "Q\x1b" not in child.before
    assert "\x1b[31mQ♥\x1b[0m" in child.before
    for bad, answer in [
        ("Zz", "nothing to do here"),
        ("99", "There is no number"),
        ("As", r"Not allowed: You do not hold A♠\. \(rule B3\.1\)"),
        ("7♥♥", "nothing to do here"),
    ]:
        child.sendline(bad)
        child.expect(answer)
        child.expect(_PROMPT)
    child.sendline("10c")
    child.expect("You play 10♣")
    child.expect(_PROMPT)
    child.sendline("u")
    child.expect("Back to before your last decision")
    child.expect(_PROMPT)
    child.sendline("10c")
    child.expect("You play 10♣")
    child.expect(_PROMPT)
    child.sendline("q")
    child.expect("meja play --resume")
    assert _end(child) == 0
    again = _terminal(tmp_path, "--resume", "--no-pause")
    again.expect(_PROMPT)
    assert "Trick 2" in again.before
    again.sendcontrol("c")
    assert _end(again) == 130
    third = _terminal(tmp_path, "--resume", "--no-pause")
    third.expect(_PROMPT)
    assert "Trick 2" in third.before
    third.sendeof()
    third.expect("The match is kept")
    assert _end(third) == 0


def test_without_a_game_there_is_a_choice_that_offers_the_kept_match(tmp_path: Path) -> None:
    child = _terminal(tmp_path)
    child.expect(r"Number or name \(q to leave\): ")
    child.sendline("whist")
    child.expect('"whist" is none of these games')
    child.sendline("smear")
    child.expect(_PROMPT)
    child.sendline("q")
    assert _end(child) == 0
    child = _terminal(tmp_path)
    child.expect(r"5\) Go on with the match kept last")
    child.sendline("5")
    child.expect("Cutthroat Canadian Smear. At the table")
    child.expect(_PROMPT)
    child.sendline("q")
    assert _end(child) == 0
    child = _terminal(tmp_path)
    child.expect("Number or name")
    child.sendcontrol("c")
    assert _end(child) == 130


def test_after_a_deal_enter_goes_on_and_undo_goes_back(tmp_path: Path) -> None:
    child = _terminal(tmp_path, "bassadewitz", "--seed", "3", "--speed", "fast", "--plain")
    while child.expect([_PROMPT, r"Enter for the next deal \(\? for help\): "]) == 0:
        assert "\x1b[31m" not in child.before
        child.sendline("1")
        if child.expect(["You play", "Not allowed"]) == 1:
            pytest.fail("the first number was refused")
    assert "Score of deal 1" in child.before
    child.sendline("play As")
    child.expect("Between two deals there is nothing to play")
    child.sendline("s")
    child.expect("Deal 1:")
    child.sendline("u")
    child.expect("Back to before your last decision")
    child.expect(_PROMPT)
    child.sendline("q")
    assert _end(child) == 0


@pytest.mark.parametrize("more", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colour_can_be_switched_off(tmp_path: Path, more: dict[str, str]) -> None:
    child = _terminal(tmp_path, "bassadewitz", "--seed", "3", "--no-pause", **more)
    child.expect(_PROMPT)
    assert "Q♥" in child.before
    assert "\x1b[31m" not in child.before
    assert "\x1b[1m" not in child.before
    child.sendline("q")
    assert _end(child) == 0


def test_a_script_gets_plain_lines_and_the_end_of_input_keeps_the_match(tmp_path: Path) -> None:
    done = _script(tmp_path, "1\n", "play", "bassadewitz", "--seed", "3", "--record", "out.meja")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    assert "You play Qh." in done.stdout
    assert done.stdout.rstrip().endswith('Record written to "out.meja".')
    assert len(load(tmp_path / "out.meja").deals) == 1
    kept = list((tmp_path / "home" / "saved").iterdir())
    assert [path.suffix for path in kept] == [".meja"]
    # What is gone on with writes the record that was asked for at the start.
    (tmp_path / "out.meja").unlink()
    done = _script(tmp_path, "", "play", "--resume")
    assert done.returncode == 0
    assert (tmp_path / "out.meja").exists()
    done = _script(tmp_path, "1\n", "play", "--resume", str(kept[0]))
    assert done.returncode == 0


def test_the_same_seed_gives_the_same_match_from_a_script(tmp_path: Path) -> None:
    lines = "1\n" * 400
    one = _script(tmp_path, lines, "play", "smear", "--seed", "8", "--option", "win=bidder_first")
    two = _script(tmp_path, lines, "play", "smear", "--seed", "8", "--option", "win=bidder_first")
    assert one.stdout == two.stdout


def test_bytes_that_are_no_text_are_refused_like_any_word(tmp_path: Path) -> None:
    done = _script(tmp_path, b"\xff\xfe\x00\n\x1b[A\n" + b"x" * 100_000 + b"\n", "play", "bassadewitz", "--seed", "3")
    assert done.returncode == 0
    assert done.stdout.count("nothing to do here") == 3
    assert max(map(len, done.stdout.splitlines())) < 300


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play", "whist"], 'there is no game "whist"'),
        (["play", "smear", "--seats", "5"], "2 or 3 players"),
        (["play", "smear", "--option", "colour=red"], 'has no option "colour"'),
        (["play", "smear", "--option", "target"], "expected NAME=VALUE"),
        (["play", "smear", "--option", "target=12"], "option target cannot be"),
        (["play", "smear", "--preset", "hard"], "has no preset"),
        (["play", "smear", "--bots", "stockfish"], "there is no bot"),
        (["play", "smear", "--bots", "random,random,random"], "3 bots are named, but 2 other seats"),
        (["play", "smear", "--record", "no/such/folder/x.meja"], "there is no folder"),
        (["play", "smear", "--record", "."], "is a folder"),
        (["play", "smear", "--resume"], "cannot be chosen with --resume"),
        (["play", "--resume", "--preset", "hard"], "--preset cannot be chosen with --resume"),
        (["play", "--resume"], "no match is kept"),
        (["play", "--resume", "missing.meja"], 'cannot read "missing.meja"'),
        (["play", "--resume", "broken.meja"], "broken.meja: "),
        (["play", "--lang", "de"], "there is no language"),
        (["play", "--seed", "x"], "--seed must be a whole number"),
        (["rules"], "required: GAME"),
        (["rules", "whist"], 'there is no game "whist"'),
        (["juggle"], "invalid choice"),
        (["serve", "--port", "99999"], "a port is a number"),
        (["serve", "--bot-pace", "-1"], "--bot-pace is a number"),
        (["serve", "--public-url", "table.example"], "begins with http"),
    ],
)
def test_wrong_use_is_one_clear_line_and_exit_code_2(tmp_path: Path, arguments: list[str], words: str) -> None:
    (tmp_path / "broken.meja").write_bytes(b'{"format": "meja/1", \xff')
    done = _script(tmp_path, "", *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not done.stdout or done.stdout.startswith("usage")


def test_four_players_of_calabresella_need_no_option(tmp_path: Path) -> None:
    done = _script(tmp_path, "", "play", "calabresella", "--seats", "4")
    assert "House rules: dealer_sits_out=true (r shows the rules)" in done.stdout
    refused = _script(tmp_path, "", "play", "calabresella", "--seats", "4", "--option", "dealer_sits_out=false")
    assert refused.returncode == 2
    assert "need dealer_sits_out" in refused.stderr


def test_help_and_faults_speak_indonesian(tmp_path: Path) -> None:
    done = _script(tmp_path, "", "--lang", "id", "play", "--help")
    assert done.returncode == 0
    assert "cara pakai: meja play" in done.stdout
    assert "tampilkan bantuan ini dan selesai" in done.stdout
    assert "show" not in done.stdout
    done = _script(tmp_path, "", "play", "--help", MEJA_LANG="id")
    assert "tampilkan bantuan ini dan selesai" in done.stdout
    done = _script(tmp_path, "", "play", "catur", "--lang=id")
    assert done.returncode == 2
    assert "tidak ada" in done.stderr
    done = _script(tmp_path, "", "play", "smear", "--lang", "id")
    assert "Giliran Anda" in done.stdout


def test_the_rules_are_printed_with_the_options_and_their_warnings(tmp_path: Path) -> None:
    done = _script(tmp_path, "", "rules", "bassadewitz", "--option", "ace5=true")
    assert done.returncode == 0
    assert done.stdout.startswith("> Note: With ace5")
    assert "B3.2" in done.stdout
    assert "**" not in done.stdout
    indonesian = _script(tmp_path, "", "rules", "bassadewitz", "--lang", "id").stdout
    assert "B3.2" in indonesian
    assert "Note" not in indonesian


def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -m meja.cli rules kaluki | head -1",
        shell=True,
        check=False,
        capture_output=True,
        env=_environment(tmp_path),
        timeout=30,
    )
    assert done.stderr == b""


def test_a_folder_that_cannot_be_written_is_told_and_play_goes_on(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file, not a folder")
    done = _script(tmp_path, "1\n", "play", "bassadewitz", "--seed", "3")
    assert done.returncode == 1
    assert done.stdout.count("Cannot write") == 1
    assert done.stdout.rstrip().endswith("The match could not be kept. It is lost.")
    assert "You play Qh." in done.stdout
    assert "Traceback" not in done.stderr


def test_the_version_is_told(tmp_path: Path) -> None:
    done = _script(tmp_path, "", "--version")
    assert done.stdout.startswith("meja ")
    assert done.returncode == 0


def test_a_kept_match_is_a_record_like_any_other(tmp_path: Path) -> None:
    _script(tmp_path, "1\n1\n", "play", "kaluki", "--seed", "3", "--name", "Citra")
    [kept] = (tmp_path / "home" / "saved").iterdir()
    document = json.loads(kept.read_text())
    assert document["format"] == "meja/1"
    assert document["players"][0] == "Citra"
    assert document["meta"]["table"]["seed"] == 3
