"""No match is lost: full disks, screens that fail, two tables with one file."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from meja.games import make_rules
from meja.language import Language
from meja.narration.screens import SCREENS
from meja.record import load, save
from meja.terminal import saving
from meja.terminal.console import Console
from meja.terminal.loop import Loop
from meja.terminal.table import Table


class Script(io.StringIO):
    """An input of some lines, each of which may be an error; more than these are asked of ``then``."""

    def __init__(self, lines: Iterable[str | BaseException], then: str = "") -> None:
        super().__init__()
        self._lines: Iterator[str | BaseException] = iter(lines)
        self._then = then

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        line = next(self._lines, self._then)
        if isinstance(line, BaseException):
            raise line
        return line


class Broken(io.StringIO):
    """A screen that can be written to until it fails."""

    failing: BaseException | None = None

    def write(self, text: str, /) -> int:
        if self.failing is not None:
            raise self.failing
        return super().write(text)


def _table(seed: int = 3, **options: Any) -> Table:
    rules = make_rules("bassadewitz", **options)
    return Table(rules, ["rules-of-thumb"] * (rules.seats - 1), seed, "Ana")


def _loop(
    table: Table,
    lines: Iterable[str | BaseException],
    place: Path,
    *,
    then: str = "",
    target: io.StringIO | None = None,
    record: Path | None = None,
) -> tuple[Loop, io.StringIO]:
    target = target or io.StringIO()
    console = Console(Script(lines, then), target)
    return Loop(console, Language("en"), table, SCREENS, place=place, record=record), target


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "saved" / "x.meja"


def _full(only: Callable[[Path], bool]) -> Callable[[Any, Any], None]:
    def refuse(path: Any, record: Any) -> None:
        if only(Path(path)):
            raise OSError(errno.ENOSPC, "No space left on device")
        save(path, record)

    return refuse


class Chooser(Script):
    """Somebody who always plays the first legal card."""

    def __init__(self, table: Table) -> None:
        super().__init__([])
        self._table = table

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        deal = self._table.deal
        return str(deal.text(deal.legal_actions()[0])) + "\n"


def _whole(table: Table, place: Path, record: Path | None, target: io.StringIO | None = None) -> tuple[Loop, Any]:
    target = target or io.StringIO()
    console = Console(Chooser(table), target)
    return Loop(console, Language("en"), table, SCREENS, place=place, record=record), target


def test_a_finished_match_whose_record_cannot_be_written_is_kept(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "record.meja"
    monkeypatch.setattr(saving, "save", _full(lambda path: path == record))
    table = _table(deals=4)
    loop, target = _whole(table, place, record)
    assert loop.run() == 1
    assert "No space left on device" in target.getvalue()
    assert f'The finished match is in "{place}"; that file is its record.' in target.getvalue()
    assert load(place).totals == table.match.totals


def test_a_finished_match_that_nothing_can_hold_is_called_lost(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "save", _full(lambda _: True))
    loop, target = _whole(_table(deals=4), place, tmp_path / "record.meja")
    assert loop.run() == 1
    assert "The match could not be kept. It is lost." in target.getvalue()


def test_a_finished_match_is_forgotten_once_its_record_is_written(tmp_path: Path, place: Path) -> None:
    loop, _ = _whole(_table(deals=4), place, tmp_path / "record.meja")
    assert loop.run() == 0
    assert load(tmp_path / "record.meja").winners is not None
    assert not place.exists()


def test_a_screen_that_fails_at_the_end_takes_no_record_with_it(tmp_path: Path, place: Path) -> None:
    target = Broken()
    table = _table(deals=4)
    loop, _ = _whole(table, place, tmp_path / "record.meja", target)
    real = loop._write_record

    def then_break() -> Any:
        target.failing = OSError(errno.ENOSPC, "No space left on device")
        return real()

    loop._write_record = then_break  # type: ignore[method-assign]
    with pytest.raises(OSError, match="No space left"):
        loop.run()
    assert load(tmp_path / "record.meja").totals == table.match.totals


def test_a_finished_match_from_elsewhere_stays_in_its_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.meja"
    loop, target = _whole(_table(deals=4), path, None)
    assert loop.run() == 0
    assert load(path).winners is not None
    assert f'The finished match is in "{path}"' in target.getvalue()


def test_leaving_a_match_from_elsewhere_names_its_file(tmp_path: Path) -> None:
    path = tmp_path / "my match.meja"
    loop, target = _loop(_table(), ["q\n"], path)
    assert loop.run() == 0
    assert f"--resume '{path}'" in target.getvalue()
    assert path.exists()


def test_leaving_with_a_full_disk_says_that_the_match_is_lost(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saving, "save", _full(lambda _: True))
    loop, target = _loop(_table(), ["1\n", "q\n"], place)
    assert loop.run() == 1
    assert target.getvalue().count("No space left on device") == 1
    assert target.getvalue().rstrip().endswith("The match could not be kept. It is lost.")


def test_leaving_with_a_full_disk_tells_what_an_older_file_still_holds(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = _table()
    _loop(table, ["1\n"], place)[0].run()
    monkeypatch.setattr(saving, "save", _full(lambda _: True))
    loop, target = _loop(table, ["1\n", "q\n"], place)
    assert loop.run() == 1
    assert f'"{place}" holds it as it was before.' in target.getvalue()


def test_a_match_that_is_only_in_its_record_is_not_called_lost(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "save", _full(lambda path: path == place))
    loop, target = _loop(_table(), ["q\n"], place, record=tmp_path / "record.meja")
    assert loop.run() == 1
    assert "The match could not be kept.\nRecord written to" in target.getvalue()
    assert "lost" not in target.getvalue()


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), BrokenPipeError()])
def test_a_screen_that_fails_leaves_the_match_and_its_record(tmp_path: Path, place: Path, error: OSError) -> None:
    target = Broken()
    table = _table()

    def lines() -> Iterator[str]:
        yield "1\n"
        target.failing = error
        yield "1\n"

    loop, _ = _loop(table, lines(), place, target=target, record=tmp_path / "record.meja")
    with pytest.raises(OSError):
        loop.run()
    for path in (place, tmp_path / "record.meja"):
        again, _ = Table.resumed(load(path))
        assert again.view().to_json() == table.view().to_json()


def test_a_screen_that_fails_while_leaving_comes_after_keeping(place: Path) -> None:
    target = Broken()

    def lines() -> Iterator[str]:
        place.unlink()
        target.failing = OSError(errno.EIO, "Input/output error")
        yield "q\n"

    loop, _ = _loop(_table(), lines(), place, target=target)
    with pytest.raises(OSError, match="Input/output"):
        loop.run()
    assert place.exists()


def test_ctrl_c_keeps_the_match_and_writes_the_record(tmp_path: Path, place: Path) -> None:
    loop, target = _loop(_table(), ["1\n", KeyboardInterrupt()], place, record=tmp_path / "record.meja")
    with pytest.raises(KeyboardInterrupt):
        loop.run()
    assert load(tmp_path / "record.meja").deals == load(place).deals
    assert "The match is kept" in target.getvalue()


def test_a_match_is_kept_before_the_first_decision(place: Path) -> None:
    def lines() -> Iterator[str]:
        assert len(load(place).deals) == 1
        yield ""

    _loop(_table(), lines(), place)[0].run()


def test_a_match_is_kept_between_two_deals(place: Path) -> None:
    table = _table(deals=4)
    loop, _ = _whole(table, place, None)
    loop.wait_between_deals = True
    seen = []

    def between() -> None:
        seen.append(load(place).deals[-1].score)

    loop._between_deals = between  # type: ignore[method-assign]
    loop.run()
    assert len(seen) == 3
    assert None not in seen


def test_two_tables_with_one_file_do_not_overwrite_each_other(place: Path) -> None:
    _loop(_table(), [], place)[0].run()
    one, _ = Table.resumed(load(place))
    two, _ = Table.resumed(load(place))
    first, _ = _loop(one, ["1\n"], place)
    second, target = _loop(two, ["2\n"], place)
    first.run()
    kept = place.read_bytes()
    assert second.run() == 0
    assert place.read_bytes() == kept
    [other] = [path for path in saving.saved_games() if path != place]
    assert f'From here on it is kept in "{other}".' in target.getvalue()
    assert target.getvalue().count("also gone on with elsewhere") == 1
    assert Table.resumed(load(other))[0].view().to_json() == two.view().to_json()


def test_a_finished_match_removes_no_file_that_somebody_else_wrote(tmp_path: Path, place: Path) -> None:
    table = _table(deals=4)
    loop, _ = _whole(table, place, tmp_path / "record.meja")
    real = loop._write_record

    def and_somebody_else() -> Any:
        saving.keep(place, _table(4).record())
        os.utime(place, (1, 1))
        return real()

    loop._write_record = and_somebody_else  # type: ignore[method-assign]
    loop.run()
    assert place.exists()


def test_a_record_whose_name_is_no_text_is_written_but_not_remembered(tmp_path: Path, place: Path) -> None:
    record = tmp_path / os.fsdecode(b"\xff.meja")
    loop, _ = _loop(_table(), ["q\n"], place, record=record)
    assert loop.run() == 0
    assert record.exists()
    meta = load(place).meta
    assert meta is not None
    assert "record" not in meta["table"]
