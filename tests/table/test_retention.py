"""What is kept and for how long: the record for ever, the log for a while, an idle table a good while."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from meja.errors import MejaError
from meja.games import make_rules
from meja.record import loads
from meja.table import log, store
from meja.table.botpool import BotPool
from meja.table.commands import Act, Close, Ready
from meja.table.service import Archived, NotFound, Service
from meja.table.store import Store

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
        assert await service.store.write(store.expire(now - DAY, now - DAY)) == (0, 0)
        assert await service.store.write(store.expire(now + DAY, now - DAY)) == (1, 0)
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
        assert await service.store.write(store.expire(now - DAY, now + DAY)) == (0, 1)
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
        await service.store.write(store.expire(0, service.now() + DAY))
        with pytest.raises(MejaError):
            await service.command(idle, ANA, "Ana", "act-key", 1, Act("pass"))

    run(tmp_path, work)
