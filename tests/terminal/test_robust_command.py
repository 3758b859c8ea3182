"""What a person, an environment or somebody else's file can do to ``meja play`` and ``meja simulate``."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from meja.cli import main
from meja.record import load

_MEJA = [sys.executable, "-m", "meja.cli"]


def _process(
    folder: Path, lines: str, *arguments: str | bytes, stdout: Any = subprocess.PIPE, **more: str | None
) -> subprocess.CompletedProcess[str]:
    environment = {"MEJA_HOME": str(folder / "home"), "PYTHONUTF8": "1", **more}
    kept = {name: value for name, value in os.environ.items() if name not in ("MEJA_LANG", "MEJA_COMMAND")}
    done = subprocess.run(
        [*_MEJA, *arguments],
        input=lines.encode(),
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={name: value for name, value in {**kept, **environment}.items() if value is not None},
        cwd=folder,
        timeout=30,
        check=False,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return subprocess.CompletedProcess(
        done.args, done.returncode, (done.stdout or b"").decode(), done.stderr.decode(errors="replace")
    )


class Command:
    """The command in this process, for whatever needs no process of its own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, lines: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        self._monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        code = main(arguments)
        answer = self._capsys.readouterr()
        return subprocess.CompletedProcess(arguments, code, answer.out, answer.err)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEJA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MEJA_LANG", raising=False)
    monkeypatch.delenv("MEJA_COMMAND", raising=False)
    return Command(monkeypatch, capsys)


def _kept(folder: Path) -> list[Path]:
    return sorted((folder / "home" / "saved").iterdir(), key=lambda path: path.lstat().st_mtime_ns)


@pytest.fixture
def kept(tmp_path: Path, run: Command) -> Path:
    """A match that was left after one card; its record was to go to ``out.meja``."""
    done = run("1\n", "play", "bassadewitz", "--seed", "3", "--record", "out.meja")
    assert done.returncode == 0
    [path] = _kept(tmp_path)
    return path


def _changed(path: Path, **values: Any) -> str:
    document = json.loads(path.read_text())
    document["meta"]["table"].update(values)
    return json.dumps(document)


# -- seeds and names --------------------------------------------------------------


@pytest.mark.parametrize("seed", [str(2**63), "-1", "1" * 5000, "x", "", "1.5", "\u0663"])
@pytest.mark.parametrize("command", [["play", "smear"], ["simulate", "smear"]])
def test_a_seed_out_of_range_is_refused(tmp_path: Path, run: Command, command: list[str], seed: str) -> None:
    done = run("", *command, f"--seed={seed}")
    assert done.returncode == 2
    assert "--seed must be a whole number from 0 to 9223372036854775807, not " in done.stderr
    assert len(done.stderr) < 200
    assert not (tmp_path / "home").exists()


def test_the_largest_seed_is_taken_and_goes_on(tmp_path: Path, run: Command) -> None:
    assert run("q\n", "play", "smear", "--seed", str(2**63 - 1)).returncode == 0
    assert run("q\n", "play", "--resume").returncode == 0
    assert run("", "simulate", "smear", "--seed", str(2**63 - 1)).returncode == 0


@pytest.mark.parametrize("given", [("--seed", "0"), ("--name", ""), ("--bots", "")])
def test_nothing_given_hides_behind_being_empty_when_going_on(
    kept: Path, tmp_path: Path, given: tuple[str, str], run: Command
) -> None:
    assert kept.exists()
    done = run("", "play", "--resume", *given)
    assert done.returncode == 2
    assert f"{given[0]} cannot be chosen with --resume" in done.stderr


@pytest.mark.parametrize("name", [b"\xff", b"a\nb", b"\x1b[2J"])
def test_a_name_that_cannot_be_printed_is_refused(tmp_path: Path, name: bytes) -> None:
    done = _process(tmp_path, "q\n", "play", "smear", "--name", name)
    assert done.returncode == 2
    assert "--name must be a text that can be printed" in done.stderr


@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C", "PYTHONUTF8": None}, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]
)
def test_a_name_is_kept_in_any_locale(tmp_path: Path, locale: dict[str, str | None]) -> None:
    done = _process(tmp_path, "q\n", "play", "smear", "--name", "Zoë".encode(), **locale)
    assert done.returncode == 0
    [path] = _kept(tmp_path)
    assert load(path).players[0] == "Zoë"


def test_an_odd_name_of_the_account_is_not_used(tmp_path: Path) -> None:
    done = _process(tmp_path, "q\n", "play", "smear", LOGNAME=os.fsdecode(b"\xff"))
    assert done.returncode == 0
    [path] = _kept(tmp_path)
    assert load(path).players[0] == "player"


def test_a_record_whose_name_is_no_text_is_written(tmp_path: Path) -> None:
    done = _process(tmp_path, "1\n", "play", "smear", "--record", b"\xff.meja")
    assert done.returncode == 0
    assert load(tmp_path / os.fsdecode(b"\xff.meja")).deals
    assert _process(tmp_path, "1\n", "play", "--resume").returncode == 0


def test_a_record_with_too_long_a_name_is_refused_at_once(tmp_path: Path, run: Command) -> None:
    done = run("", "play", "smear", "--record", "x" * 300)
    assert done.returncode == 2
    assert "File name too long" in done.stderr
    assert done.stdout == ""


# -- files from elsewhere ---------------------------------------------------------


def test_a_file_from_elsewhere_does_not_say_what_is_overwritten(kept: Path, tmp_path: Path, run: Command) -> None:
    target = tmp_path / "precious.txt"
    target.write_text("precious")
    gift = tmp_path / "gift.meja"
    gift.write_text(_changed(kept, record=str(target)))
    done = run("1\n", "play", "--resume", "gift.meja")
    assert done.returncode == 0
    assert target.read_text() == "precious"
    assert f'No record will be written to "{target}": this match was not kept here.' in done.stdout.replace("\n", " ")
    assert "--resume gift.meja" in done.stdout
    # What is asked for here is written.
    done = run("1\n", "play", "--resume", "gift.meja", "--record", "mine.meja")
    assert done.returncode == 0
    assert "No record" not in done.stdout
    assert load(tmp_path / "mine.meja").deals


def test_a_kept_match_writes_only_over_its_own_record(kept: Path, tmp_path: Path, run: Command) -> None:
    out = tmp_path / "out.meja"
    before = out.read_bytes()
    assert run("1\n", "play", "--resume").returncode == 0
    assert out.read_bytes() != before
    out.write_text("precious")
    done = run("1\n", "play", "--resume")
    assert done.returncode == 0
    assert out.read_text() == "precious"
    assert "holds something else" in done.stdout
    assert kept.exists()


@pytest.mark.parametrize("record", ["\0", "/", "/nowhere/x.meja", "x" * 300, 7, None])
def test_any_record_path_in_a_kept_match_is_survived(kept: Path, tmp_path: Path, record: Any, run: Command) -> None:
    kept.write_text(_changed(kept, record=record))
    done = run("1\n", "play", "--resume")
    assert done.returncode == 0
    assert ("No record will be written" in done.stdout) == isinstance(record, str)


def test_a_record_cannot_be_the_file_of_the_match(kept: Path, tmp_path: Path, run: Command) -> None:
    done = run("1\n", "play", "--resume", "--record", str(kept))
    assert done.returncode == 2
    assert "its record needs another file" in done.stderr


def test_a_pipe_is_not_waited_for(tmp_path: Path, run: Command) -> None:
    os.mkfifo(tmp_path / "pipe")
    done = run("", "play", "--resume", "pipe")
    assert done.returncode == 2
    assert "pipe: not an ordinary file" in done.stderr


def test_junk_among_the_kept_matches_does_not_hide_the_good_one(kept: Path, tmp_path: Path, run: Command) -> None:
    (kept.parent / "folder.meja").mkdir()
    (kept.parent / "broken.meja").symlink_to("nowhere")
    os.mkfifo(kept.parent / "pipe.meja")
    (kept.parent / "junk.meja").write_text("junk")
    done = run("1\n", "play", "--resume")
    assert done.returncode == 0
    assert "Skipped: " in done.stdout
    assert "junk.meja" in done.stdout
    assert done.stdout.count("Skipped: ") == 1
    assert "The match is kept" in done.stdout
    done = run("5\n1\n", "play")
    assert done.returncode == 0
    assert "The match is kept" in done.stdout


def test_without_a_home_folder_a_setting_is_asked_for(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.delenv("MEJA_HOME")
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    for arguments in (["play"], ["play", "smear"], ["play", "--resume"]):
        done = run("q\n", *arguments)
        assert done.returncode == 2
        assert done.stderr == "meja: there is no home folder to keep matches in; set MEJA_HOME to a folder\n"


def test_an_output_that_fails_loses_no_match(tmp_path: Path) -> None:
    unwritable = tmp_path / "unwritable"
    unwritable.touch()
    with unwritable.open("rb") as stream:
        done = _process(tmp_path, "1\n", "play", "bassadewitz", "--seed", "3", stdout=stream)
    assert done.returncode == 2
    assert "Bad file descriptor" in done.stderr
    [path] = _kept(tmp_path)
    assert load(path).rules.game == "bassadewitz"
