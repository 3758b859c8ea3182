"""Where unfinished matches are kept."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from meja.errors import MejaError
from meja.games import make_rules
from meja.record import load
from meja.terminal import saving
from meja.terminal.table import Table


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEJA_HOME", str(tmp_path))
    return tmp_path


def _table(seed: int = 1) -> Table:
    table = Table(make_rules("smear"), ["random", "random"], seed, "Ana")
    table.start_deal()
    return table


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"MEJA_HOME": "/a", "XDG_STATE_HOME": "/b"}, Path("/a")),
        ({"XDG_STATE_HOME": "/b"}, Path("/b/meja")),
        ({}, Path.home() / ".local" / "state" / "meja"),
    ],
)
def test_the_folder_is_the_user_s_choice_or_the_system_s(environment: dict[str, str], expected: Path) -> None:
    assert saving.home(environment) == expected


def test_the_match_kept_last_comes_first(home: Path) -> None:
    assert saving.saved_games() == []
    for number in range(3):
        path = home / "saved" / f"{number}.meja"
        saving.keep(path, _table(number).record())
        os.utime(path, (100 - number, 100 - number))
    assert [path.stem for path in saving.saved_games()] == ["0", "1", "2"]


def test_only_the_latest_matches_are_kept(home: Path) -> None:
    for number in range(saving.KEPT + 3):
        path = home / "saved" / f"{number}.meja"
        saving.keep(path, _table().record())
        os.utime(path, (1000 + number, 1000 + number))
    assert len(saving.saved_games()) == saving.KEPT
    assert not (home / "saved" / "0.meja").exists()


def test_a_failed_write_leaves_the_old_file_and_nothing_else(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = home / "saved" / "x.meja"
    saving.keep(path, _table(1).record())
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(MejaError, match="No space left on device"):
        saving.keep(path, _table(2).record())
    assert path.read_bytes() == before
    assert [item.name for item in path.parent.iterdir()] == ["x.meja"]


def test_forgetting_a_match_that_is_gone_is_no_fault(home: Path) -> None:
    saving.forget(home / "saved" / "nothing.meja")


def test_a_seat_is_kept_with_the_match(home: Path) -> None:
    table = Table(make_rules("smear"), ["random", "rules-of-thumb"], 5, "Ana", person=1)
    table.start_deal()
    saving.keep(home / "saved" / "x.meja", table.record())
    again, _ = Table.resumed(load(home / "saved" / "x.meja"))
    assert again.person == 1
    assert again.bot_names == ("random", "rules-of-thumb")
    assert again.players == ["bot:random", "Ana", "bot:rules-of-thumb"]
