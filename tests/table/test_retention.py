"""What is kept and for how long: the record for ever, the log for a while, an idle table a good while."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from tests.table.hall import Hall, by_thumb, short

from meja.cards import Rng
from meja.errors import MejaError
from meja.games import games, make_rules
from meja.record import loads
from meja.table import log, store
from meja.table.botpool import BotPool
from meja.table.commands import Act, Close, Ready
from meja.table.service import Archived, NotFound, Service, fold, projection
from meja.table.store import Store, Summary

DAY = 86_400_000
ANA = "a" * 32


def setup_of(*others: log.SeatSetup) -> log.Created:
    rules = make_rules("smear", 3)
    return log.Created(
        "smear",
        rules.to_dict(),
        rules.version,
        [log.SeatSetup("person", "Ana", ANA), *others],
        ANA,
        "off",
        True,
        True,
        True,
    )


BOTS = (log.SeatSetup("bot", "Budi", level="random"), log.SeatSetup("bot", "Sari", level="random"))


async def broken_off(service: Service) -> str:
    """A table whose match was ended by its host after the first deal was dealt."""
    table, _ = await service.create(ANA, "key-of-a-finished-one", setup_of(*BOTS), start=True)
    live = await service.find(table)
    while live.table.status != "playing":
        await service.poll(table, ANA, "en", live.table.head, 0.05)
        if live.table.pending is not None and not live.table.seats[0].ready:
            await service.command(table, ANA, "Ana", "ready-key", None, Ready("0" * 64))
    await service.command(table, ANA, "Ana", "close-key", None, Close())
    return table


def run(tmp_path: Path, work: object) -> None:
    async def inside() -> None:
        storage = Store.open(tmp_path / "meja.db")
        service = Service(storage, BotPool(0), pace=0)
        try:
            await work(service)  # type: ignore[operator]
        finally:
            await service.stop()
            storage.close()

    asyncio.run(inside())


def test_an_old_finished_match_keeps_its_record_and_says_so(tmp_path: Path) -> None:
    async def work(service: Service) -> None:
        table = await broken_off(service)
        await asyncio.sleep(0.1)
        now = service.now()
        assert await service.expire(now - DAY, now - DAY) == (0, 0)
        assert await service.expire(now + DAY, now - DAY) == (1, 0)
        service.forget(table)
        with pytest.raises(Archived):
            await service.find(table)
        kept = await service.store.read(store.read_record(table))
        assert kept is not None
        assert loads(kept).meta is not None

    run(tmp_path, work)


def test_an_idle_table_goes_as_a_whole_and_no_other(tmp_path: Path) -> None:
    async def work(service: Service) -> None:
        finished = await broken_off(service)
        idle, _ = await service.create(ANA, "key-of-an-idle-one", setup_of(log.SeatSetup("open"), BOTS[0]), start=False)
        await asyncio.sleep(0.1)
        now = service.now()
        assert await service.expire(now - DAY, now + DAY) == (0, 1)
        service.forget(idle)
        with pytest.raises(NotFound) as refused:
            await service.find(idle)
        assert not isinstance(refused.value, Archived)
        mine = await service.store.read(store.tables_of(ANA, 10))
        assert [table.table for table in mine] == [finished]

    run(tmp_path, work)


def test_nobody_goes_on_at_a_table_that_was_dropped(tmp_path: Path) -> None:
    async def work(service: Service) -> None:
        idle, _ = await service.create(ANA, "key-of-an-idle-one", setup_of(log.SeatSetup("open"), BOTS[0]), start=False)
        await asyncio.sleep(0.1)
        await service.expire(0, service.now() + DAY)
        with pytest.raises(MejaError):
            await service.command(idle, ANA, "Ana", "act-key", 1, Act("pass"))

    run(tmp_path, work)


# -- what lists show, and the log ---------------------------------------------------


def shown(path: Path, table: str) -> tuple[Summary | None, bool]:
    """What lists show of a table now, and whether its record is kept."""
    with closing(sqlite3.connect(path)) as connection:
        return store.read_shown(table)(connection)


def let_lag(path: Path, table: str, summary: str, status: str = "playing") -> None:
    """As an older version could leave a match: it ended, but lists were not told, and no record was kept."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE tables SET status = ?, listed = 1, summary = ? WHERE id = ?", (status, summary, table)
        )
        connection.execute("DELETE FROM records WHERE table_id = ?", (table,))


@pytest.mark.anyio
@pytest.mark.parametrize("name", games())
async def test_a_power_cut_after_any_commit_leaves_lists_and_log_in_step(name: str, hall: Hall) -> None:
    """Whatever was stored last: what lists show and the record are those of the log, as nothing comes after."""
    commit = hall.store._commit
    statuses = []

    def checked(connection: sqlite3.Connection, jobs: object) -> None:
        commit(connection, jobs)  # type: ignore[arg-type]
        for (table,) in connection.execute("SELECT id FROM tables").fetchall():
            folded = fold(table, store.read_log(table)(connection))
            row = connection.execute("SELECT status, listed FROM tables WHERE id = ?", (table,)).fetchone()
            found = (*store.read_shown(table)(connection), *row)
            ended = folded.over and folded.match is not None
            wanted = projection(folded)
            statuses.append((found, (wanted, ended, wanted.status, int(wanted.listed))))

    hall.store._commit = checked  # type: ignore[method-assign]
    at = await hall.table(short(name, 3), "pbb", listed=True)
    await at.follow(0)
    await at.finish(by_thumb(Rng(4)))
    assert at.table.status == "finished"
    # The last look is over when the next change is done.
    await hall.store.write(lambda _: None)
    for found, wanted in statuses:
        assert found == wanted
    assert {found[2] for found, _ in statuses} >= {"between", "playing", "finished"}
    kept = await hall.store.read(store.read_record(at.id))
    assert kept == hall.service.record(at.table)


@pytest.mark.anyio
@pytest.mark.parametrize("readable", [True, False], ids=["an older row", "a row of another version"])
async def test_a_row_that_lags_is_mended_when_its_table_is_opened(readable: bool, hall: Hall) -> None:
    at = await hall.table(short("smear", 2), "pb", listed=True)
    await at.follow(0)
    await at.ready()
    before, _ = shown(hall.path, at.id)
    assert before is not None
    await at.finish(by_thumb(Rng(4)))
    await hall.close()
    wanted = shown(hall.path, at.id)
    let_lag(hall.path, at.id, "{}" if not readable else msgspec.json.encode(before).decode())
    assert shown(hall.path, at.id) != wanted
    again = Hall(hall.path, clock=hall.clock)
    try:
        await again.at(at.id)
        await again.settle()
        assert shown(hall.path, at.id) == wanted
        assert (wanted[1], await again.store.read(store.open_tables(10))) == (True, [])
        # What is in step is not written again.
        again.service.forget(at.id)
        changes = again.store.changes
        await again.at(at.id)
        await again.settle()
        assert again.store.changes == changes
    finally:
        await again.close()


@pytest.mark.anyio
async def test_nothing_is_dropped_before_its_log_was_read(hall: Hall) -> None:
    """A match that ended without its row knowing keeps its record; what cannot be read stays as it is."""
    ended = await hall.table(short("smear", 2), "pb")
    await ended.follow(0)
    await ended.finish(by_thumb(Rng(4)))
    record = hall.service.record(ended.table)
    idle = await hall.table(short("smear", 2), "pb")
    broken = await hall.table(short("smear", 2), "pb")
    await hall.close()
    let_lag(hall.path, ended.id, "{}")
    with closing(sqlite3.connect(hall.path)) as connection, connection:
        connection.execute("UPDATE events SET body = ? WHERE table_id = ? AND seq = 2", (b"{rubbish", broken.id))
    again = Hall(hall.path, clock=hall.clock)
    try:
        later = again.clock.now + 120 * DAY
        assert await again.service.expire(later - 30 * DAY, later - DAY) == (1, 1)
        assert await again.store.read(store.read_record(ended.id)) == record
        with pytest.raises(Archived):
            await again.at(ended.id)
        with pytest.raises(NotFound):
            await again.at(idle.id)
        with pytest.raises(MejaError):
            await again.at(broken.id)
        assert await again.rows(idle.id) == []
        found = await again.store.read(lambda one: one.execute("SELECT count(*) FROM events").fetchone()[0])
        assert found == broken.table.head
        assert again.service.tables == 0
    finally:
        await again.close()


@pytest.mark.anyio
async def test_who_comes_while_it_is_read_keeps_the_table(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    at = await hall.table(short("smear", 2), "pb")
    await at.follow(0)
    made = store.expire
    hall.clock.now += 120 * DAY

    def slowly(*given: object) -> Callable[[sqlite3.Connection], tuple[int, int]]:
        change = made(*given)  # type: ignore[arg-type]

        def later(connection: sqlite3.Connection) -> tuple[int, int]:
            connection.execute("UPDATE tables SET changed = ?", (hall.clock.now,))
            return change(connection)

        return later

    monkeypatch.setattr(store, "expire", slowly)
    assert await hall.service.expire(0, hall.clock.now - DAY) == (0, 0)
    assert len(await hall.rows(at.id)) == at.table.head


@pytest.mark.anyio
async def test_what_the_table_cannot_take_is_not_written(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    at = await hall.table(short("smear", 2), "pb")
    await at.follow(0)
    rows, seen = await hall.rows(at.id), await at.bytes(0)
    monkeypatch.setattr("meja.table.service.decide", lambda *_: [log.Dealt(7, "meja-shuffle/1", "As", {})])
    with pytest.raises(Exception):  # noqa: B017 - whatever a fault of the program is
        await at.do(0, Close())
    assert await hall.rows(at.id) == rows
    assert await at.bytes(0) == seen
