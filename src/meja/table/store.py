"""The store: SQLite with one writer thread that commits many changes at once.

A change is durable when its future is done (WAL, ``synchronous=FULL``); one that fails leaves
nothing behind and fails alone. Readers have connections of their own.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

import msgspec

from meja.errors import MejaError
from meja.messages import msg
from meja.table import log

T = TypeVar("T")

#: The newest migration; a store that stands there is opened without loading Alembic.
REVISION: Final = "0001"
_BATCH: Final = 512
_WAIT: Final = 5.0
_READERS: Final = 2

_Job = tuple[Callable[[sqlite3.Connection], Any], asyncio.AbstractEventLoop, "asyncio.Future[Any]"]


class StorageFault(MejaError):
    """Something could not be stored or read; nothing was changed."""


class Damaged(StorageFault):
    """A log that cannot be read: damaged, or written by a newer version. Trying again does not help."""


class KeyDone(Exception):
    """An entry with this actor and key is in the log already."""


class SeqTaken(Exception):
    """Somebody else wrote this seq first."""


class Store:
    """The store of one service, in the file ``path``. Make it with :meth:`open`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._writer: threading.Thread | None = None
        self._readers: ThreadPoolExecutor | None = None
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        #: How many commits and changes there were; for the metrics.
        self.commits = 0
        self.changes = 0

    # -- opening and closing ------------------------------------------------------

    @classmethod
    def open(cls, path: Path) -> Store:
        """Open the store, make or migrate it where needed, and start its threads; raises :class:`StorageFault`."""
        store = cls(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = store._connect()
            try:
                found = store._revision(connection)
                if found is None and _begin(connection):
                    found = REVISION
            except (sqlite3.Error, OSError):
                connection.close()
                raise
            if found != REVISION:
                connection.close()
                _migrate(path)
                connection = store._connect()
        except (sqlite3.Error, OSError) as error:
            raise _unopened(path, error) from None
        store._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="meja-read")
        store._writer = threading.Thread(target=store._write_all, args=(connection,), name="meja-write", daemon=True)
        store._writer.start()
        return store

    def close(self) -> None:
        """Finish what is queued and close the file."""
        if self._writer is not None:
            self._jobs.put(None)
            self._writer.join()
            self._writer = None
        if self._readers is not None:
            self._readers.shutdown()
            self._readers = None
        for connection in self._connections:
            connection.close()
        self._connections.clear()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=_WAIT, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA foreign_keys=ON")
        return connection

    @staticmethod
    def _revision(connection: sqlite3.Connection) -> str | None:
        found = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
        if found is None:
            return None
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        return None if row is None else str(row[0])

    # -- writing ------------------------------------------------------------------

    async def write(self, change: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``change`` in the writer thread, whole or not at all; done means durable.

        What ``change`` raises is raised here; a fault of the disk is a :class:`StorageFault`.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put((change, loop, future))
        # A person who goes away while this waits must not undo it.
        return await asyncio.shield(future)

    def _write_all(self, connection: sqlite3.Connection) -> None:
        try:
            while True:
                job = self._jobs.get()
                if job is None:
                    return
                jobs, last = [job], False
                while len(jobs) < _BATCH:
                    try:
                        more = self._jobs.get_nowait()
                    except Empty:
                        break
                    if more is None:
                        last = True
                        break
                    jobs.append(more)
                self._commit(connection, jobs)
                if last:
                    return
        finally:
            connection.close()

    def _commit(self, connection: sqlite3.Connection, jobs: Sequence[_Job]) -> None:
        results: list[tuple[_Job, Any, BaseException | None]] = []
        begun = False
        try:
            connection.execute("BEGIN IMMEDIATE")
            begun = True
            for job in jobs:
                connection.execute("SAVEPOINT job")
                try:
                    results.append((job, job[0](connection), None))
                    connection.execute("RELEASE job")
                except Exception as error:
                    if not connection.in_transaction:
                        # A full disk ends the whole transaction.
                        raise
                    connection.execute("ROLLBACK TO job")
                    connection.execute("RELEASE job")
                    results.append((job, None, _as_fault(error)))
            connection.execute("COMMIT")
            self.commits += 1
            self.changes += len(jobs)
        except Exception as error:
            if connection.in_transaction:
                with contextlib.suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
            if begun and len(jobs) > 1:
                # Nothing of this is stored. Each gets a chance of its own.
                for job in jobs:
                    self._commit(connection, [job])
                return
            fault = _as_fault(error)
            results = [(job, None, fault) for job in jobs]
        for (_, loop, future), result, failed in results:
            try:
                loop.call_soon_threadsafe(_settle, future, result, failed)
            except RuntimeError:
                # The loop is closed: nobody waits any more.
                continue

    # -- reading ------------------------------------------------------------------

    async def read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``query`` on a connection that only reads."""
        assert self._readers is not None
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._readers, self._read, query)
        except sqlite3.Error as error:
            raise StorageFault(msg("the data could not be read: {error}", error=str(error))) from None

    def _read(self, query: Callable[[sqlite3.Connection], T]) -> T:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._connect()
            connection.execute("PRAGMA query_only=ON")
            self._local.connection = connection
            self._connections.append(connection)
        return query(connection)


def _settle(future: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


def _as_fault(error: BaseException) -> BaseException:
    if isinstance(error, sqlite3.Error) and not isinstance(error, sqlite3.IntegrityError):
        return StorageFault(msg("the change could not be stored: {error}", error=str(error)))
    return error


def _unopened(path: Path, error: Exception) -> StorageFault:
    return StorageFault(msg("the data in {path} cannot be opened: {error}", path=str(path), error=str(error)))


def _begin(connection: sqlite3.Connection) -> bool:
    """Give new data the newest schema, as the migrations would; ``False`` where there is something already."""
    if connection.execute("SELECT 1 FROM sqlite_master").fetchone() is not None:
        return False
    schema = (Path(__file__).parent / "migrations" / "head.sql").read_text(encoding="utf-8")
    connection.executescript(f"BEGIN IMMEDIATE;\n{schema}\nINSERT INTO alembic_version VALUES ('{REVISION}');\nCOMMIT;")
    return True


def _migrate(path: Path) -> None:
    """Bring older data to the newest schema; loads Alembic only now."""
    from alembic import command  # noqa: PLC0415 - half a second that only a start after an upgrade pays
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415
    from sqlalchemy import create_engine  # noqa: PLC0415
    from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415
    from sqlalchemy.pool import NullPool  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", "meja.table:migrations")
    engine = create_engine(f"sqlite:///{path}", poolclass=NullPool)
    try:
        with engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except CommandError:
        raise StorageFault(
            msg("the data in {path} was made by a newer version of this program", path=str(path))
        ) from None
    except SQLAlchemyError as error:
        raise _unopened(path, getattr(error, "orig", None) or error) from None


# -- the log ------------------------------------------------------------------------


class Summary(msgspec.Struct, frozen=True):
    """What lists show of a table."""

    title: str
    status: str
    listed: bool
    seats: list[dict[str, Any]]
    rules: dict[str, Any]
    clock: str
    watch: bool
    deal: int
    totals: list[int]
    host: str


def append(
    table: str,
    rows: Sequence[log.Row],
    members: Sequence[str],
    shown: Summary | None = None,
    record: bytes | None = None,
) -> Callable[[sqlite3.Connection], None]:
    """The change that adds ``rows`` to a table's log.

    ``members`` are people who got a seat by them, ``shown`` is what lists show from now on, if that
    is something else than before, and ``record`` the record of a match that is over by them.
    """

    def change(connection: sqlite3.Connection) -> None:
        first, last = rows[0], rows[-1]
        if isinstance(first.entry, log.Created):
            try:
                connection.execute(
                    "INSERT INTO tables (id, game, status, head, listed, summary, created, changed)"
                    " VALUES (?, ?, 'open', ?, 0, '', ?, ?)",
                    (table, first.entry.game, last.seq, first.at, last.at),
                )
            except sqlite3.IntegrityError as error:
                raise SeqTaken from error
        else:
            found = connection.execute(
                "UPDATE tables SET head = ?, changed = ? WHERE id = ? AND head = ?",
                (last.seq, last.at, table, first.seq - 1),
            )
            if found.rowcount != 1:
                raise SeqTaken
        try:
            connection.executemany(
                "INSERT INTO events (table_id, seq, actor, key, body, at) VALUES (?, ?, ?, ?, ?, ?)",
                [(table, row.seq, row.actor, row.key, log.encode(row.entry), row.at) for row in rows],
            )
        except sqlite3.IntegrityError as error:
            raise KeyDone from error
        if members:
            connection.executemany(
                "INSERT OR IGNORE INTO members (person, table_id) VALUES (?, ?)", [(who, table) for who in members]
            )
        _show(connection, table, shown, record, last.at)

    return change


def mend(table: str, head: int, shown: Summary, record: bytes | None, at: int) -> Callable[[sqlite3.Connection], None]:
    """The change that makes what lists show agree with the log up to ``head``, unless it has grown since."""

    def change(connection: sqlite3.Connection) -> None:
        if connection.execute("SELECT 1 FROM tables WHERE id = ? AND head = ?", (table, head)).fetchone() is not None:
            _show(connection, table, shown, record, at)

    return change


def _show(connection: sqlite3.Connection, table: str, shown: Summary | None, record: bytes | None, at: int) -> None:
    if shown is not None:
        connection.execute(
            "UPDATE tables SET status = ?, listed = ?, summary = ? WHERE id = ?",
            (shown.status, shown.listed, msgspec.json.encode(shown).decode(), table),
        )
    if record is not None:
        connection.execute(
            "INSERT OR REPLACE INTO records (table_id, game, body, at) SELECT id, game, ?, ? FROM tables WHERE id = ?",
            (zlib.compress(record, 9), at, table),
        )


def read_shown(table: str) -> Callable[[sqlite3.Connection], tuple[Summary | None, bool]]:
    """The query for what lists show of a table, if that can be read, and whether its record is kept."""

    def query(connection: sqlite3.Connection) -> tuple[Summary | None, bool]:
        row = connection.execute(
            "SELECT t.summary, t.status, t.listed, r.table_id FROM tables t LEFT JOIN records r ON r.table_id = t.id"
            " WHERE t.id = ?",
            (table,),
        ).fetchone()
        if row is None:
            return None, False
        summary, status, listed, record = row
        shown = _summary(summary)
        if shown is not None and (shown.status, shown.listed) != (status, bool(listed)):
            shown = None
        return shown, record is not None

    return query


def read_record(table: str) -> Callable[[sqlite3.Connection], bytes | None]:
    """The query for a kept record."""

    def query(connection: sqlite3.Connection) -> bytes | None:
        row = connection.execute("SELECT body FROM records WHERE table_id = ?", (table,)).fetchone()
        return None if row is None else zlib.decompress(row[0])

    return query


def read_log(table: str, after: int = 0) -> Callable[[sqlite3.Connection], list[log.Row]]:
    """The query for the rows of a table's log after seq ``after``."""

    def query(connection: sqlite3.Connection) -> list[log.Row]:
        found = connection.execute(
            "SELECT seq, body, actor, key, at FROM events WHERE table_id = ? AND seq > ? ORDER BY seq", (table, after)
        )
        return [log.Row(seq, _entry(table, seq, body), actor, key, at) for seq, body, actor, key, at in found]

    return query


def _entry(table: str, seq: int, body: bytes) -> log.AnyEntry:
    try:
        return log.decode(body)
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        raise damaged(table, seq, error) from error


def damaged(table: str, seq: int, error: Exception) -> Damaged:
    """The fault of a log that cannot be read on from entry ``seq``."""
    return Damaged(
        msg("the log of table {table} is damaged at entry {seq}: {error}", table=table, seq=seq, error=str(error))
    )


def find_key(table: str, actor: str, key: str) -> Callable[[sqlite3.Connection], int | None]:
    """The query for the seq at which a command was done."""

    def query(connection: sqlite3.Connection) -> int | None:
        row = connection.execute(
            "SELECT seq FROM events WHERE table_id = ? AND actor = ? AND key = ?", (table, actor, key)
        ).fetchone()
        return None if row is None else int(row[0])

    return query


# -- lists --------------------------------------------------------------------------


class Listed(msgspec.Struct, frozen=True):
    """A table as lists know it."""

    table: str
    game: str
    status: str
    summary: Summary
    created: int
    changed: int


_LISTED: Final = "SELECT id, game, status, summary, created, changed FROM tables "


def _listed(rows: Iterable[Any]) -> list[Listed]:
    return [
        Listed(table, game, status, shown, created, changed)
        for table, game, status, summary, created, changed in rows
        if (shown := _summary(summary)) is not None
    ]


def _summary(text: str) -> Summary | None:
    """What is stored for lists; ``None`` where another version of the program wrote it, or nobody."""
    try:
        return msgspec.json.decode(text, type=Summary)
    except msgspec.MsgspecError:
        return None


def open_tables(most: int) -> Callable[[sqlite3.Connection], list[Listed]]:
    """The query for listed tables that go on or wait for people: waiting ones first, then the newest."""

    def query(connection: sqlite3.Connection) -> list[Listed]:
        return _listed(
            connection.execute(_LISTED + "WHERE listed = 1 ORDER BY status != 'open', changed DESC LIMIT ?", (most,))
        )

    return query


def tables_of(person: str, most: int) -> Callable[[sqlite3.Connection], list[Listed]]:
    """The query for the tables where a person has a seat, the newest first."""

    def query(connection: sqlite3.Connection) -> list[Listed]:
        return _listed(
            connection.execute(
                _LISTED + "WHERE id IN (SELECT table_id FROM members WHERE person = ?) ORDER BY changed DESC LIMIT ?",
                (person, most),
            )
        )

    return query


def may_read(person: str | None, table: str) -> Callable[[sqlite3.Connection], bool]:
    """The query whether a person may look at what is kept of a table: all may, or those who had a seat there."""

    def query(connection: sqlite3.Connection) -> bool:
        member = connection.execute("SELECT 1 FROM members WHERE person = ? AND table_id = ?", (person, table))
        if member.fetchone() is not None:
            return True
        listed = _listed(connection.execute(_LISTED + "WHERE id = ?", (table,)))
        return bool(listed) and listed[0].summary.watch

    return query


# -- retention ----------------------------------------------------------------------


_IDLE: Final = "SELECT id FROM tables WHERE changed < ? AND id NOT IN (SELECT table_id FROM records)"


def idle(before: int) -> Callable[[sqlite3.Connection], list[str]]:
    """The query for the tables without a record that nobody touched since ``before``."""

    def query(connection: sqlite3.Connection) -> list[str]:
        return [row[0] for row in connection.execute(_IDLE, (before,))]

    return query


def expire(
    finished_before: int, idle_before: int, known: Sequence[str]
) -> Callable[[sqlite3.Connection], tuple[int, int]]:
    """The change that drops what is old; returns of how many tables it dropped the log, and how many it dropped.

    The log goes where a match ended before ``finished_before`` and its record is kept. A table without
    a record that nobody touched since ``idle_before`` goes as a whole, if it is one of ``known``: those
    whose log was read, and no match ended in it.
    """
    finished = (
        "SELECT t.id FROM tables t JOIN records r ON r.table_id = t.id"
        " WHERE t.status IN ('finished', 'closed') AND t.changed < ?"
    )

    def change(connection: sqlite3.Connection) -> tuple[int, int]:
        logs = connection.execute(
            f"SELECT count(DISTINCT table_id) FROM events WHERE table_id IN ({finished})", (finished_before,)
        ).fetchone()[0]
        connection.execute(f"DELETE FROM events WHERE table_id IN ({finished})", (finished_before,))
        dropped = 0
        for table in known:
            # Somebody may have come since it was read.
            found = connection.execute(f"DELETE FROM tables WHERE id IN ({_IDLE} AND id = ?)", (idle_before, table))
            if found.rowcount:
                connection.execute("DELETE FROM events WHERE table_id = ?", (table,))
                dropped += 1
        return logs, dropped

    return change
