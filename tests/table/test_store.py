"""The store: what is acknowledged is kept, a fault hurts nobody else, and its schema is that of the migrations."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine
from tests.table.hall import Hall, by_chance, short

from meja.cards import Rng
from meja.language import LANGUAGES, Language
from meja.table import log, store
from meja.table.commands import Act, Chat
from meja.table.schema import metadata
from meja.table.store import REVISION, KeyDone, SeqTaken, StorageFault, Store

pytestmark = pytest.mark.anyio

Connection = sqlite3.Connection


@pytest.fixture
async def kept(data: Path) -> AsyncIterator[Store]:
    """An open store with a table of numbers in it."""
    made = Store.open(data)
    await made.write(lambda connection: connection.execute("CREATE TABLE numbers (n INTEGER PRIMARY KEY, t TEXT)"))
    try:
        yield made
    finally:
        made.close()


def add(number: int, text: str = "") -> Callable[[Connection], int]:
    """The change that adds a number."""

    def change(connection: Connection) -> int:
        connection.execute("INSERT INTO numbers VALUES (?, ?)", (number, text))
        return number

    return change


async def numbers(made: Store) -> list[int]:
    """The numbers that are stored."""
    rows = await made.read(lambda connection: connection.execute("SELECT n FROM numbers ORDER BY n").fetchall())
    return [row[0] for row in rows]


class Gate:
    """Holds the writer back, so that many changes come together into one commit."""

    def __init__(self, made: Store) -> None:
        self._open = threading.Event()
        self._store = made
        self._waiting: asyncio.Future[Any] | None = None

    async def __aenter__(self) -> None:
        self._waiting = asyncio.ensure_future(self._store.write(lambda _: self._open.wait(5)))
        await asyncio.sleep(0.02)

    async def __aexit__(self, *_: object) -> None:
        self._open.set()
        assert self._waiting is not None
        await self._waiting


async def together(made: Store, *changes: Callable[[Connection], Any]) -> list[Any]:
    """The outcome of changes that are committed at once."""
    async with Gate(made):
        waiting = [asyncio.ensure_future(made.write(change)) for change in changes]
        await asyncio.sleep(0)
    return await asyncio.gather(*waiting, return_exceptions=True)


# -- group commit -------------------------------------------------------------------


async def test_many_changes_at_once_are_few_commits(kept: Store) -> None:
    before = kept.commits
    assert await together(kept, *(add(number) for number in range(400))) == list(range(400))
    assert kept.commits - before <= 3
    assert await numbers(kept) == list(range(400))


async def test_what_is_acknowledged_can_be_read_by_others_at_once(kept: Store, data: Path) -> None:
    await kept.write(add(1))
    with sqlite3.connect(data) as other:
        assert other.execute("SELECT n FROM numbers").fetchall() == [(1,)]
    other.close()


async def test_a_change_that_fails_fails_alone_and_leaves_nothing(kept: Store) -> None:
    def half(connection: Connection) -> None:
        add(50)(connection)
        raise ZeroDivisionError

    def doubled(connection: Connection) -> None:
        add(51)(connection)
        add(1)(connection)

    def nonsense(connection: Connection) -> None:
        add(52)(connection)
        connection.execute("SELECT * FROM nowhere")

    found = await together(kept, add(1), half, add(2), doubled, add(3), nonsense, add(4))
    assert [one for one in found if isinstance(one, int)] == [1, 2, 3, 4]
    assert isinstance(found[1], ZeroDivisionError)
    assert isinstance(found[3], sqlite3.IntegrityError)
    assert isinstance(found[5], StorageFault)
    assert await numbers(kept) == [1, 2, 3, 4]


@settings(max_examples=15)
@given(st.lists(st.tuples(st.integers(0, 30), st.booleans()), max_size=25))
async def test_outcomes_and_contents_agree(jobs: list[tuple[int, bool]]) -> None:
    """Any mix of changes that work, fail, and collide: acknowledged is stored, and nothing else is."""
    made = Store.open(Path(shutil.copy(_BLANK[0], _BLANK[1] / "mixed.db")))
    try:
        await made.write(lambda connection: connection.execute("CREATE TABLE numbers (n INTEGER PRIMARY KEY, t TEXT)"))

        def job(number: int, fails: bool) -> Callable[[Connection], int]:
            def change(connection: Connection) -> int:
                add(number)(connection)
                if fails:
                    raise ValueError
                return number

            return change

        found = await together(made, *(job(*one) for one in jobs))
        stored = [one for one in found if isinstance(one, int)]
        assert len(stored) == len(set(stored))
        assert await numbers(made) == sorted(stored)
        assert set(stored) == {number for number, fails in jobs if not fails}
    finally:
        made.close()


_BLANK: list[Path] = []


@pytest.fixture(autouse=True)
def _blank(blank: Path, tmp_path: Path) -> None:
    _BLANK[:] = [blank, tmp_path]


async def test_a_change_is_made_though_nobody_waits_for_it_any_more(kept: Store) -> None:
    async with Gate(kept):
        waiting = asyncio.ensure_future(kept.write(add(7)))
        await asyncio.sleep(0)
        waiting.cancel()
    await kept.write(add(8))
    assert await numbers(kept) == [7, 8]


async def test_closing_finishes_what_is_queued(data: Path) -> None:
    made = Store.open(data)
    await made.write(lambda connection: connection.execute("CREATE TABLE numbers (n INTEGER PRIMARY KEY, t TEXT)"))
    waiting = [asyncio.ensure_future(made.write(add(number))) for number in range(50)]
    await asyncio.sleep(0)
    made.close()
    assert await asyncio.gather(*waiting) == list(range(50))


async def test_readers_cannot_write(kept: Store) -> None:
    with pytest.raises(StorageFault):
        await kept.read(add(1))
    assert await numbers(kept) == []


async def test_commits_are_on_the_disk(kept: Store) -> None:
    def pragmas(connection: Connection) -> list[Any]:
        return [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]

    async with Gate(kept):
        pass
    # FULL: the log of changes is on the disk before a change is acknowledged.
    assert await kept.read(pragmas) == ["wal", 2]
    assert await kept.write(pragmas) == ["wal", 2]


# -- a full disk, a store that may not be written -----------------------------------


def _full(connection: Connection) -> None:
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages}")


def _room(connection: Connection) -> None:
    connection.execute("PRAGMA max_page_count = 1000000")


BIG = "x" * 50_000


async def test_on_a_full_disk_what_does_not_fit_is_refused_and_the_rest_is_kept(kept: Store) -> None:
    await kept.write(_full)
    found = await together(kept, add(1), add(2, BIG), add(3), add(4, BIG), add(5))
    assert [one for one in found if isinstance(one, int)] == [1, 3, 5]
    assert isinstance(found[1], StorageFault)
    assert isinstance(found[3], StorageFault)
    assert await numbers(kept) == [1, 3, 5]
    for code in LANGUAGES:
        assert "full" in Language(code).sentence(found[1].text)
    # As soon as there is room again, everything works as before.
    await kept.write(_room)
    assert await together(kept, add(2, BIG), add(4, BIG)) == [2, 4]
    assert await numbers(kept) == [1, 2, 3, 4, 5]


async def test_a_store_that_may_not_be_written_says_so_and_can_still_be_read(kept: Store) -> None:
    await kept.write(add(1))
    writer = await kept.write(lambda connection: connection)
    writer.execute("PRAGMA query_only=ON")
    for found in await asyncio.gather(kept.write(add(2)), kept.write(add(3)), return_exceptions=True):
        assert isinstance(found, StorageFault)
        assert "readonly" in str(found)
    assert await numbers(kept) == [1]
    writer.execute("PRAGMA query_only=OFF")
    assert await kept.write(add(2)) == 2


async def test_a_file_that_is_read_only_says_so(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect

    def read_only(path: Path, **options: Any) -> Any:
        return connect(f"file:{path}?mode=ro", uri=True, **options)

    with monkeypatch.context() as patch:
        patch.setattr("meja.table.store.sqlite3.connect", read_only)
        made = Store.open(data)
    try:
        with pytest.raises(StorageFault):
            await made.write(store.append("k3jx", [log.Row(1, log.Started(0), "x", "key-1", 0)], []))
        assert await made.read(store.read_log("k3jx")) == []
    finally:
        made.close()


async def test_a_store_that_another_process_holds_is_refused_at_once_for_all(
    kept: Store, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await kept.write(lambda connection: connection.execute("SELECT 1"))
    kept.close()
    monkeypatch.setattr("meja.table.store._WAIT", 0.3)
    held = Store.open(data)
    other = sqlite3.connect(data, isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        before = asyncio.get_running_loop().time()
        found = await asyncio.gather(*(held.write(add(number)) for number in range(40)), return_exceptions=True)
        assert all(isinstance(one, StorageFault) for one in found)
        assert asyncio.get_running_loop().time() - before < 5
        other.execute("ROLLBACK")
        assert await held.write(add(1)) == 1
        assert await numbers(held) == [1]
    finally:
        other.close()
        held.close()


async def test_a_table_on_a_full_disk_loses_nothing_and_doubles_nothing(hall: Hall) -> None:
    """Play until the disk is full; what was refused did not happen, what was acknowledged is there after a restart."""
    at = await hall.table(short("bassadewitz", 3), "ppp")
    await at.follow(0, 1, 2)
    await at.ready()
    acknowledged = at.table.head
    refused = 0
    await hall.store.write(_full)
    for number in range(60):
        before = [await at.bytes(reader) for reader in (0, None)]
        try:
            acknowledged, new = await at.do(number % 3, Chat(f"{number} {'x' * 190}"), key=f"key-full-{number}")
            assert new
        except StorageFault:
            refused += 1
            assert at.table.head == acknowledged
            assert [await at.bytes(reader) for reader in (0, None)] == before
        if refused > 5:
            break
    assert refused > 5
    seat = at.table.to_act
    assert seat is not None
    action = Act(at.deal.text(next(iter(at.deal.legal_actions()))))
    head = at.table.head
    try:
        await at.do(seat, action, key="key-full-act", expect=head)
    except StorageFault:
        assert at.table.to_act == seat
    rows = await hall.rows(at.id)
    assert len(rows) == at.table.head
    again = await hall.again()
    try:
        after = await again.at(at.id)
        assert await again.rows(at.id) == rows
        assert after.table.head == at.table.head >= acknowledged
        # The same command once more, now that there is room: done now, or known as done.
        await after.follow(0, 1, 2)
        done = await after.do(seat, action, key="key-full-act", expect=head)
        acts = [row for row in await again.rows(at.id) if isinstance(row.entry, log.Acted)]
        assert len(acts) == 1
        assert done[0] == acts[0].seq
    finally:
        await again.close()


async def test_a_reopened_store_has_everything_that_was_acknowledged(hall: Hall) -> None:
    rng = Rng(4)
    tables = [await hall.table(short(name, 3), "ppr") for name in ("bassadewitz", "smear", "kaluki")]
    for at in tables:
        await at.follow(0, 1)
    known = {}
    for _ in range(30):
        at = rng.choice(tables)
        await at.step(by_chance(rng))
        known[at.id] = await hall.rows(at.id)
    again = await hall.again()
    try:
        for table, rows in known.items():
            found = await again.rows(table)
            assert found[: len(rows)] == rows
            assert [row.seq for row in found] == list(range(1, len(found) + 1))
    finally:
        await again.close()


# -- the log ------------------------------------------------------------------------


def _rows(first: int, *keys: str, actor: str = "ana") -> list[log.Row]:
    return [log.Row(first + index, log.Phrased(0, "nice"), actor, key, 5) for index, key in enumerate(keys)]


def _created(key: str = "key-0") -> list[log.Row]:
    setup = log.Created("smear", {}, 1, [log.SeatSetup("person", "Ana", "ana")], "ana", "off", True, False, True)
    return [log.Row(1, setup, "ana", key, 5)]


async def test_the_log_has_no_gap_and_no_double(kept: Store) -> None:
    await kept.write(store.append("k3jx", _created(), ["ana"]))
    await kept.write(store.append("k3jx", _rows(2, "a", "b"), []))
    for wrong in (_rows(2, "c"), _rows(3, "c"), _rows(5, "c"), _rows(1, "c")):
        with pytest.raises(SeqTaken):
            await kept.write(store.append("k3jx", wrong, []))
    for wrong in (_rows(4, "a"), _rows(4, "c", "b"), _rows(4, "c", "c")):
        with pytest.raises(KeyDone):
            await kept.write(store.append("k3jx", wrong, []))
    with pytest.raises(SeqTaken):
        await kept.write(store.append("k3jx", _created("key-9"), []))
    with pytest.raises(SeqTaken):
        await kept.write(store.append("none", _rows(2, "a"), []))
    # Nothing of what was refused is there, and the next one fits.
    await kept.write(store.append("k3jx", _rows(4, "c"), []))
    rows = await kept.read(store.read_log("k3jx"))
    assert [(row.seq, row.key) for row in rows] == [(1, "key-0"), (2, "a"), (3, "b"), (4, "c")]
    assert await kept.read(store.read_log("k3jx", 2)) == rows[2:]
    assert await kept.read(store.find_key("k3jx", "ana", "b")) == 3
    assert await kept.read(store.find_key("k3jx", "ana", "d")) is None
    assert await kept.read(store.find_key("k3jx", "budi", "b")) is None


async def test_of_many_who_write_the_same_seq_one_wins(kept: Store) -> None:
    await kept.write(store.append("k3jx", _created(), []))
    found = await together(kept, *(store.append("k3jx", _rows(2, f"move-{number}"), []) for number in range(20)))
    assert sum(one is None for one in found) == 1
    assert sum(isinstance(one, SeqTaken) for one in found) == 19


# -- opening and the schema ---------------------------------------------------------


def _schema(path: Path) -> dict[str, Any]:
    """What SQLite knows of the tables and indexes of a file."""
    with sqlite3.connect(path) as connection:
        found: dict[str, Any] = {}
        for kind, name in connection.execute("SELECT type, name FROM sqlite_master").fetchall():
            if name.startswith("sqlite_") or name == "alembic_version":
                continue
            if kind == "table":
                found[name] = {
                    "columns": connection.execute(f"PRAGMA table_info('{name}')").fetchall(),
                    "keys": sorted(row[2:] for row in connection.execute(f"PRAGMA foreign_key_list('{name}')")),
                    "unique": sorted(
                        tuple(one[2] for one in connection.execute(f"PRAGMA index_info('{row[1]}')"))
                        for row in connection.execute(f"PRAGMA index_list('{name}')")
                        if row[2]
                    ),
                    "rowid": connection.execute("SELECT wr FROM pragma_table_list WHERE name = ?", (name,)).fetchone(),
                }
            else:
                found[name] = [row[2] for row in connection.execute(f"PRAGMA index_info('{name}')")]
    connection.close()
    return found


def test_the_migrations_make_the_schema_of_the_code(tmp_path: Path) -> None:
    Store.open(tmp_path / "migrated.db").close()
    engine = create_engine(f"sqlite:///{tmp_path / 'made.db'}")
    metadata.create_all(engine)
    engine.dispose()
    migrated, made = _schema(tmp_path / "migrated.db"), _schema(tmp_path / "made.db")
    assert migrated == made
    assert {"tables", "events", "members", "people", "sessions", "records"} <= set(migrated)


def test_alembic_finds_nothing_to_add(tmp_path: Path) -> None:
    Store.open(tmp_path / "migrated.db").close()
    engine = create_engine(f"sqlite:///{tmp_path / 'migrated.db'}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()
    heads = ScriptDirectory(str(Path(store.__file__).parent / "migrations")).get_heads()
    assert heads == [REVISION]


def test_a_migrated_store_opens_without_alembic(data: Path) -> None:
    """The half second that its import takes is paid by the first start only."""
    code = (
        "import sys; from pathlib import Path; from meja.table.store import Store\n"
        "Store.open(Path(sys.argv[1])).close()\n"
        "print([name for name in ('alembic', 'sqlalchemy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code, str(data)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_opening_makes_the_folder_and_is_done_again_without_harm(tmp_path: Path) -> None:
    path = tmp_path / "new" / "deep" / "meja.db"
    Store.open(path).close()
    before = _schema(path)
    Store.open(path).close()
    assert _schema(path) == before


@pytest.mark.parametrize("what", ["another file", "a folder", "no folder", "newer", "half a file"])
def test_what_cannot_be_opened_is_told_in_clear_words(what: str, data: Path, tmp_path: Path) -> None:
    path = data
    match what:
        case "another file":
            path.write_bytes(b"This is a letter to my aunt. " * 200)
        case "a folder":
            path = tmp_path
        case "no folder":
            path = data / "meja.db"
        case "newer":
            with sqlite3.connect(path) as connection:
                connection.execute("UPDATE alembic_version SET version_num = '9999'")
            connection.close()
        case "half a file":
            path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(StorageFault) as caught:
        Store.open(path)
    for code in LANGUAGES:
        assert str(path) in Language(code).sentence(caught.value.text)
    assert ("newer" in str(caught.value)) == (what == "newer")


async def test_people_who_had_a_seat_are_kept_with_their_table(kept: Store) -> None:
    await kept.write(store.append("k3jx", _created(), ["ana", "budi"]))
    await kept.write(store.append("k3jx", _rows(2, "a"), ["budi"]))
    count = await kept.read(lambda connection: connection.execute("SELECT count(*) FROM members").fetchone()[0])
    assert count == 2
    await kept.write(store.expire(0, 10, ["k3jx"]))
    count = await kept.read(lambda connection: connection.execute("SELECT count(*) FROM members").fetchone()[0])
    assert count == 0
