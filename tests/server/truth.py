"""What is really in the store, read beside the server."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from tests.server.people import Person

from meja.table import log
from meja.table.service import fold, projection
from meja.table.state import Table
from meja.table.store import read_log, read_shown
from meja.table.update import Presence, Teller


def rows(database: Path, table: str) -> list[log.Row]:
    """The log of a table."""
    with closing(sqlite3.connect(database, timeout=10)) as connection:
        return read_log(table)(connection)


def check_promises(database: Path, people: Iterable[Person]) -> int:
    """Every command that was acknowledged is there once, where it was said to be; none that was refused is.

    Returns how many there were.
    """
    count = 0
    with closing(sqlite3.connect(database, timeout=10)) as connection:
        for person in people:
            for (table, key), seq in person.done.items():
                found = connection.execute("SELECT table_id, seq FROM events WHERE key = ?", (key,)).fetchall()
                assert found == [(table, seq)], f"{person.name}: {key} is in the log as {found}, promised {seq}"
                count += 1
            for table, key in person.refused:
                found = connection.execute("SELECT table_id, seq FROM events WHERE key = ?", (key,)).fetchall()
                assert found == [], f"{person.name}: {key} at {table} was refused, but is in the log: {found}"
        gaps = connection.execute(
            "SELECT table_id FROM events GROUP BY table_id HAVING count(*) != max(seq) OR min(seq) != 1"
        ).fetchall()
        assert gaps == []
        heads = connection.execute(
            "SELECT t.id, t.head, max(e.seq) FROM tables t JOIN events e ON e.table_id = t.id"
            " GROUP BY t.id HAVING t.head != max(e.seq)"
        ).fetchall()
        assert heads == []
    return count


def check_lists(database: Path) -> None:
    """What lists show of each table and the records that are kept are those of the logs, also after a power cut."""
    with closing(sqlite3.connect(database, timeout=10)) as connection:
        for table, status in connection.execute("SELECT id, status FROM tables").fetchall():
            folded = fold(table, read_log(table)(connection))
            ended = folded.over and folded.match is not None
            assert (status, *read_shown(table)(connection)) == (folded.status, projection(folded), ended)


def told(table: Table, seat: int | None, language: str) -> Any:
    """What a reader must be told of a table as its log tells it, but for who is here at the moment."""
    made = Teller(table, seat, language).update(Presence(), after=None, now=0, build="", known=True)
    return timeless(msgspec.json.decode(msgspec.json.encode(made)))


def timeless(update: Any) -> Any:
    """An update without what depends on the moment and on who is here."""
    state = update["state"]
    for name in ("now", "build"):
        del update[name]
    for name in ("clock", "next_at", "me"):
        del state[name]
    del state["can"]["cover"]
    for seat in state["seats"]:
        del seat["here"], seat["cover_at"]
    return update


async def check_fold(database: Path, table: str, readers: Iterable[tuple[Person, int | None]]) -> None:
    """What the server tells of a table is what the log tells. The table must be at rest."""
    for person, seat in readers:
        update = await person.update(table, lang=person.language)
        folded = fold(table, rows(database, table))
        assert update["head"] == folded.head
        assert timeless(update) == told(folded, seat, person.language)


def dice(seed: int) -> random.Random:
    """Chance for a test: the same in every run."""
    return random.Random(seed)
