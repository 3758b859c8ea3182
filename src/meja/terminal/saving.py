"""Where unfinished matches are kept between two evenings."""

from __future__ import annotations

import os
import stat
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

from meja.cards import quoted
from meja.errors import MejaError, system_words
from meja.messages import msg
from meja.record import Record, load, save

#: More unfinished matches than this are not kept; the oldest go.
KEPT: Final = 20
#: A half-written file older than this (in seconds) was left by a process that is gone.
STALE: Final = 3600

#: Tells whether a file is still the one that was read or written.
Stamp: TypeAlias = tuple[int, int, int]


def command() -> str:
    """How the person starts a match: ``script/play`` where that was used, it says so in ``MEJA_COMMAND``."""
    return os.environ.get("MEJA_COMMAND") or "meja play"


def home(environment: Mapping[str, str] | None = None) -> Path:
    """The folder of what this user has left on the table: ``MEJA_HOME`` or the state folder of the system.

    Raises :class:`~meja.errors.MejaError` for a user without a home folder.
    """
    values = os.environ if environment is None else environment
    if values.get("MEJA_HOME"):
        return Path(values["MEJA_HOME"])
    if values.get("XDG_STATE_HOME"):
        return Path(values["XDG_STATE_HOME"]) / "meja"
    try:
        return Path.home() / ".local" / "state" / "meja"
    except RuntimeError:
        raise MejaError(
            msg("there is no home folder to keep matches in; set {variable} to a folder", variable="MEJA_HOME")
        ) from None


def folder() -> Path:
    """Where the files of unfinished matches are."""
    return home() / "saved"


def new_place(game: str) -> Path:
    """A name for the file of a match that begins now."""
    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{game}-{os.getpid()}"
    place = folder() / f"{name}.meja"
    number = 2
    while os.path.lexists(place):
        place = folder() / f"{name}-{number}.meja"
        number += 1
    return place


def is_kept(path: Path) -> bool:
    """Whether a file is one of those that are kept here; any other file belongs to somebody else."""
    try:
        return os.path.realpath(path.parent) == os.path.realpath(folder())
    except MejaError:
        # Without a home folder nothing is kept.
        return False


def saved_games() -> list[Path]:
    """The files of unfinished matches, the latest first."""
    return [path for _, path in sorted(_files("*.meja"), reverse=True)]


def _files(pattern: str) -> list[tuple[int, Path]]:
    """(time of the last change, path) of the ordinary files among those kept."""
    found = []
    try:
        paths = list(folder().glob(pattern))
    except OSError:
        return []
    for path in paths:
        # One file at a time: what is wrong with one must not hide the others. A pipe would block the reader.
        try:
            state = path.lstat()
        except OSError:
            continue
        if stat.S_ISREG(state.st_mode):
            found.append((state.st_mtime_ns, path))
    return found


def stamp(path: Path) -> Stamp | None:
    """The stamp of a file as it is now; ``None`` if there is none."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_ino, state.st_mtime_ns, state.st_size


def keep(path: Path, record: Record) -> None:
    """Save an unfinished match, whole or not at all; raises :class:`~meja.errors.MejaError`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save(path, record)
    except OSError as error:
        raise cannot_write(path, error) from None
    if is_kept(path):
        _tidy(path)


def _tidy(path: Path) -> None:
    for old in saved_games()[KEPT:]:
        if old != path:
            _remove(old)
    before = time.time_ns() - STALE * 1_000_000_000
    for changed, half in _files(".*.meja.*"):
        if changed < before:
            _remove(half)


def forget(path: Path) -> None:
    """The match is over: its file goes, if it is one of those kept here."""
    if is_kept(path):
        _remove(path)


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return


def write_record(path: Path, record: Record) -> None:
    """Write the record that was asked for; raises :class:`~meja.errors.MejaError`."""
    try:
        save(path, record)
    except OSError as error:
        raise cannot_write(path, error) from None


def check_writable(path: Path) -> None:
    """Refuse a file that could not be written at the end, before the match begins."""
    if not _is_file_name(path):
        raise MejaError(msg("{path} cannot be the name of a file", path=quoted(path, 200)))
    if os.path.isdir(path):
        raise MejaError(msg("{path} is a folder; expected the name of a file", path=quoted(path, 200)))
    target = Path(os.path.realpath(path))
    if not os.path.isdir(target.parent):
        raise MejaError(msg("there is no folder {path} to write the record to", path=quoted(path.parent, 200)))
    if os.path.exists(target) and not os.path.isfile(target):
        # A pipe or a device is written to as it is.
        return
    if not os.access(target.parent, os.W_OK):
        raise MejaError(msg("the folder {path} may not be written to", path=quoted(path.parent, 200)))
    try:
        os.stat(target)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise cannot_write(path, error) from None
    try:
        # The record is first written beside its target; only an attempt shows all that can be wrong with that.
        with tempfile.NamedTemporaryFile(prefix=f".{target.name[:200]}.", dir=target.parent):
            pass
    except OSError as error:
        raise cannot_write(path, error) from None


def _is_file_name(path: Path) -> bool:
    try:
        return b"\0" not in os.fsencode(path)
    except UnicodeError:
        return False


def check_stays_this_match(path: Path, record: Record) -> None:
    """Refuse a file that holds anything but this match: it would be overwritten.

    Raises :class:`~meja.errors.MejaError`, as :func:`check_writable` does, which is asked first.
    """
    check_writable(path)
    if not os.path.lexists(path):
        return
    if os.path.isfile(path):
        try:
            there = load(path)
        except OSError as error:
            raise cannot_read(path, error) from None
        except MejaError:
            there = None
        if there is not None and _table(there) is not None and _table(there) == _table(record):
            return
    raise MejaError(msg("{path} holds something else", path=quoted(path, 200)))


def _table(record: Record) -> object:
    """What stays the same from the first to the last record of a match; ``None`` for one of another origin."""
    saved = (record.meta or {}).get("table")
    if not isinstance(saved, dict):
        return None
    return record.rules, record.players, saved.get("seed"), saved.get("person")


def cannot_write(path: Path, error: OSError) -> MejaError:
    """The error for a file that the system will not write."""
    return MejaError(msg("cannot write {path}: {why}", path=quoted(path, 200), why=system_words(error)))


def cannot_read(path: Path, error: OSError) -> MejaError:
    """The error for a file that the system will not read."""
    return MejaError(msg("cannot read {path}: {why}", path=quoted(path, 200), why=system_words(error)))
