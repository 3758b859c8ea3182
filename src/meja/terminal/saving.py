"""Where unfinished matches are kept between two evenings."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from meja.cards import quoted
from meja.errors import MejaError
from meja.messages import msg
from meja.record import Record, save

#: More unfinished matches than this are not kept; the oldest go.
KEPT: Final = 20


def home(environment: Mapping[str, str] | None = None) -> Path:
    """The folder of what this user has left on the table: ``MEJA_HOME`` or the state folder of the system."""
    values = os.environ if environment is None else environment
    if values.get("MEJA_HOME"):
        return Path(values["MEJA_HOME"])
    if values.get("XDG_STATE_HOME"):
        return Path(values["XDG_STATE_HOME"]) / "meja"
    return Path.home() / ".local" / "state" / "meja"


def new_place(game: str) -> Path:
    """A name for the file of a match that begins now."""
    return home() / "saved" / f"{time.strftime('%Y%m%d-%H%M%S')}-{game}-{os.getpid()}.meja"


def saved_games() -> list[Path]:
    """The files of unfinished matches, the latest first."""
    try:
        found = [(path.stat().st_mtime_ns, path) for path in (home() / "saved").glob("*.meja")]
    except OSError:
        return []
    return [path for _, path in sorted(found, reverse=True)]


def keep(path: Path, record: Record) -> None:
    """Save an unfinished match, whole or not at all; raises :class:`~meja.errors.MejaError`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save(path, record)
        for old in saved_games()[KEPT:]:
            if old != path:
                old.unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from None


def forget(path: Path) -> None:
    """The match is over: its file goes."""
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
    folder = path.parent
    if path.is_dir():
        raise MejaError(msg("{path} is a folder; expected the name of a file", path=quoted(path, 200)))
    if not folder.is_dir():
        raise MejaError(msg("there is no folder {path} to write the record to", path=quoted(folder, 200)))
    if not os.access(folder, os.W_OK):
        raise MejaError(msg("the folder {path} may not be written to", path=quoted(folder, 200)))


def cannot_write(path: Path, error: OSError) -> MejaError:
    """The error for a file that the system will not write."""
    return MejaError(msg("cannot write {path}: {why}", path=quoted(path, 200), why=error.strerror or str(error)))


def cannot_read(path: Path, error: OSError) -> MejaError:
    """The error for a file that the system will not read."""
    return MejaError(msg("cannot read {path}: {why}", path=quoted(path, 200), why=error.strerror or str(error)))
