"""What stands in the folder of the kept matches, and what may be overwritten or removed there."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from meja.errors import MejaError
from meja.games import make_rules
from meja.record import Record
from meja.terminal import saving
from meja.terminal.table import Table


def _record(seed: int = 1) -> Record:
    table = Table(make_rules("smear"), ["random", "random"], seed, "Ana")
    table.start_deal()
    return table.record()


def test_a_user_without_a_home_folder_is_asked_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(MejaError, match="set MEJA_HOME to a folder"):
        saving.home({})
    monkeypatch.delenv("MEJA_HOME")
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    assert not saving.is_kept(Path("x.meja"))


def test_only_ordinary_files_are_kept_matches(tmp_path: Path) -> None:
    good = tmp_path / "saved" / "good.meja"
    saving.keep(good, _record())
    (good.parent / "folder.meja").mkdir()
    (good.parent / "broken.meja").symlink_to("nowhere")
    os.mkfifo(good.parent / "pipe.meja")
    assert saving.saved_games() == [good]


def test_half_written_files_go_after_an_hour(tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    folder.mkdir()
    old, new, other = folder / ".a.meja.x1", folder / ".b.meja.x2", folder / ".mine"
    for path in (old, new, other):
        path.write_text("{")
    long_ago = time.time() - saving.STALE - 60
    for path in (old, other):
        os.utime(path, (long_ago, long_ago))
    saving.keep(folder / "c.meja", _record())
    assert not old.exists()
    assert new.exists()
    assert other.exists()


def test_only_files_kept_here_are_removed(tmp_path: Path) -> None:
    inside, outside = tmp_path / "saved" / "x.meja", tmp_path / "x.meja"
    for path in (inside, outside):
        saving.keep(path, _record())
        saving.forget(path)
    assert not inside.exists()
    assert outside.exists()


def test_a_new_match_never_takes_the_name_of_another(tmp_path: Path) -> None:
    names = set()
    for _ in range(3):
        place = saving.new_place("smear")
        names.add(place)
        saving.keep(place, _record())
    assert len(names) == 3


@pytest.mark.parametrize("name", ["x" * 300, "é" * 125, "a\0b", "loop"])
def test_names_that_cannot_be_written_are_refused_before_the_match(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(MejaError, match=r"[Cc]annot"):
        saving.check_writable(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["loop"]


def test_looking_whether_a_file_can_be_written_leaves_it_alone(tmp_path: Path) -> None:
    path = tmp_path / "x.meja"
    path.write_text("something")
    saving.check_writable(path)
    saving.check_writable(Path(os.devnull))
    assert path.read_text() == "something"
    assert [item.name for item in tmp_path.iterdir()] == ["x.meja"]


def test_only_a_record_of_the_same_match_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "x.meja"
    saving.check_stays_this_match(path, _record())
    saving.write_record(path, _record())
    saving.check_stays_this_match(path, _record())
    with pytest.raises(MejaError, match="holds something else"):
        saving.check_stays_this_match(path, _record(2))
    path.write_text("precious")
    with pytest.raises(MejaError, match="holds something else"):
        saving.check_stays_this_match(path, _record())
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(MejaError, match="holds something else"):
        saving.check_stays_this_match(tmp_path / "pipe", _record())
