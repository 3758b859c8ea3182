"""Copies of a store: made while it is served, checked, and put back.

A copy appears under its name only when it is whole, checked and on the disk.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from meja.errors import MejaError, system_words
from meja.messages import Message, msg
from meja.table import migrations
from meja.table.hold import Hold
from meja.table.store import REVISION, Store

_TABLES: Final = frozenset({"tables", "events", "members", "people", "sessions", "records"})
_HEAD: Final = b"SQLite format 3\x00"
#: Seconds to wait for a store that is being written.
_WAIT: Final = 30.0
#: What SQLite keeps beside its file.
_BESIDE: Final = ("-wal", "-shm", "-journal")


class BackupFault(MejaError):
    """A copy could not be made or put back; what was there before is untouched."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a store holds."""

    revision: str
    tables: int
    records: int
    people: int
    size: int


def revisions() -> list[str]:
    """The revisions of the schema that this version can bring up to date, in order."""
    folder = Path(migrations.__file__).parent / "versions"
    return sorted(path.name[:4] for path in folder.glob("[0-9][0-9][0-9][0-9]_*.py"))


def back_up(source: Path, target: Path, *, replace: bool = False) -> Contents:
    """Copy the store ``source`` to ``target``, whether it is being served or not; raises :class:`BackupFault`."""
    if not source.is_file():
        raise BackupFault(msg("there is no data in {path}", path=str(source.parent)))
    target = Path(os.path.realpath(target))
    _check_free(target, replace)
    with _file_words(target), tempfile.TemporaryDirectory(prefix=".meja-", dir=target.parent) as folder:
        copy = Path(folder) / "copy.db"
        _copy(source, copy)
        contents = examine(copy, source)
        _keep(copy)
        if replace:
            os.replace(copy, target)
        else:
            _place(copy, target)
        _sync_folder(target.parent)
    return contents


def examine(path: Path, name: Path | None = None) -> Contents:
    """Check a store that nobody uses: its kind, every page of it, its revision; raises :class:`BackupFault`.

    ``name`` is what the words call it.
    """
    shown = str(name or path)
    with open(path, "rb") as file:
        if file.read(len(_HEAD)) != _HEAD:
            raise BackupFault(msg("{path} is not the data of a table", path=shown))
    try:
        with closing(_connect(path)) as connection:
            faults = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(5)")]
            if faults != ["ok"]:
                raise BackupFault(msg("{path} is damaged: {fault}", path=shown, fault=faults[0]))
            found = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not found >= _TABLES | {"alembic_version"}:
                raise BackupFault(msg("{path} is not the data of a table", path=shown))
            if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
                raise BackupFault(
                    msg("{path} is damaged: {fault}", path=shown, fault=msg("rows without what they belong to"))
                )
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
            revision = "" if row is None else str(row[0])
            tables, records, people = (
                connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
                for name in ("tables", "records", "people")
            )
    except sqlite3.Error as error:
        raise BackupFault(msg("{path} is damaged: {fault}", path=shown, fault=str(error))) from None
    trouble = revision_trouble(revision, shown)
    if trouble is not None:
        raise BackupFault(trouble)
    return Contents(revision, tables, records, people, path.stat().st_size)


def revision_trouble(revision: str, shown: str) -> Message | None:
    """Why this version cannot use a store of a revision; ``None`` where it can."""
    if revision in revisions():
        return None
    if revision.isdigit() and revision > REVISION:
        return msg(
            "{path} was written by a newer Meja (schema {found}; this one knows {known}): upgrade Meja first",
            path=shown,
            found=revision,
            known=REVISION,
        )
    return msg(
        "{path} has an unknown schema ({found}; this version of Meja knows {known})",
        path=shown,
        found=revision or "-",
        known=REVISION,
    )


def restore(copy: Path, store: Path, *, replace: bool = False) -> tuple[Contents, Path | None]:
    """Make ``copy`` the data that is served from ``store``; returns what it holds, and where the old data is kept.

    Raises :class:`BackupFault`, or :class:`~meja.table.hold.InUse` while a server uses the data.
    """
    if not copy.is_file():
        raise BackupFault(msg("there is no file {path}", path=str(copy)))
    with _file_words(store), held(store.parent):
        if store.exists() and not replace:
            raise BackupFault(
                msg("there is data in {path}; with --force it is kept aside and replaced", path=str(store.parent))
            )
        with tempfile.TemporaryDirectory(prefix=".meja-", dir=store.parent) as folder:
            fresh = Path(folder) / "copy.db"
            _duplicate(copy, fresh)
            contents = examine(fresh, copy)
            # An old schema is brought up to date before anything is replaced.
            Store.open(fresh).close()
            _keep(fresh)
            aside = _put_aside(store)
            os.replace(fresh, store)
            _sync_folder(store.parent)
    return contents, aside


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """While this lasts, nobody serves the data in ``folder``."""
    hold = Hold(folder)
    try:
        yield
    finally:
        hold.release()


# -- files --------------------------------------------------------------------------


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=_WAIT, isolation_level=None)


def _copy(source: Path, copy: Path) -> None:
    """One reader's view of the store, written anew: it holds what is committed, and nothing of the free pages."""
    try:
        with closing(_connect(source)) as connection:
            connection.execute("VACUUM INTO ?", (str(copy),))
    except sqlite3.Error as error:
        raise BackupFault(msg("{path} could not be copied: {error}", path=str(source), error=str(error))) from None


def _duplicate(copy: Path, fresh: Path) -> None:
    with open(copy, "rb") as source, open(fresh, "wb") as target:
        while chunk := source.read(1 << 20):
            target.write(chunk)


def _keep(path: Path) -> None:
    """The file is its owner's alone (it holds cards and sessions), and on the disk."""
    os.chmod(path, 0o600)
    with open(path, "rb+") as file:
        os.fsync(file.fileno())


def _check_free(target: Path, replace: bool) -> None:
    if target.exists() and not replace:
        raise BackupFault(msg("{path} is there already; --force overwrites it", path=str(target)))
    if target.exists() and not target.is_file():
        raise BackupFault(msg("{path} is not a file", path=str(target)))


def _place(copy: Path, target: Path) -> None:
    """Give the copy its name, unless somebody else took it meanwhile."""
    try:
        os.link(copy, target)
    except FileExistsError:
        raise BackupFault(msg("{path} is there already; --force overwrites it", path=str(target))) from None
    except OSError:
        # A file system without links.
        _check_free(target, False)
        os.replace(copy, target)


def _put_aside(store: Path) -> Path | None:
    """Keep the old data under a dated name; returns it."""
    if not store.exists():
        return None
    with contextlib.suppress(sqlite3.Error), closing(_connect(store)) as connection:
        # What is still in the log beside the file belongs into it.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    aside = _dated(store)
    # The log first: a new file beside the log of an old one would be read together with it.
    for ending in _BESIDE:
        with contextlib.suppress(FileNotFoundError):
            os.replace(f"{store}{ending}", f"{aside}{ending}")
    try:
        os.link(store, aside)
    except OSError:
        os.replace(store, aside)
    return aside


def _dated(store: Path) -> Path:
    stem = f"{store.stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    number, aside = 1, store.with_name(f"{stem}{store.suffix}")
    while aside.exists():
        number += 1
        aside = store.with_name(f"{stem}-{number}{store.suffix}")
    return aside


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _file_words(path: Path) -> Iterator[None]:
    """What the system says of files, as a fault of the copy."""
    try:
        yield
    except OSError as error:
        where = os.fsdecode(error.filename) if error.filename else ""
        if not where or ".meja-" in where:
            # Nobody knows the file that is only there meanwhile.
            where = str(path)
        raise BackupFault(msg("{path}: {why}", path=where, why=system_words(error))) from None
