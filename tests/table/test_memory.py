"""Tables that are done leave nothing behind in memory."""

from __future__ import annotations

import gc
import weakref
from collections import Counter

import pytest
from tests.table.hall import Hall, by_thumb, short

from meja.cards import Rng
from meja.table.commands import Close
from meja.table.live import Live
from meja.table.service import TOLD, UNUSED
from meja.table.state import Table

pytestmark = pytest.mark.anyio


def _counts() -> Counter[type]:
    gc.collect()
    counts = Counter(type(thing) for thing in gc.get_objects())
    # Python clears its own sets of weak references when it likes.
    del counts[weakref.ReferenceType]
    return counts


async def test_finished_matches_leave_memory(hall: Hall, long: bool) -> None:
    """Object counts are flat over very many finished matches."""
    pick = by_thumb(Rng(1))
    matches = 300 if long else 90
    counted: list[Counter[type]] = []
    for number in range(matches):
        at = await hall.table(short("smear", 2), "pb")
        stream, watcher = await at.follow(0, None)
        if number % 10:
            # Most are broken off: that is as much of an end.
            for _ in range(8):
                await at.step(pick)
            await at.do(0, Close())
        else:
            await at.finish(pick)
        await stream.next()
        await stream.leave()
        await watcher.leave()
        del at, stream, watcher
        if (number + 1) % (matches // 3) == 0:
            assert hall.service.tables > 10
            await hall.passes(UNUSED + 30, 30)
            assert hall.service.tables == 0
            assert hall.service.followers == 0
            counted.append(_counts())
    first, last = counted[1], counted[-1]
    assert last[Live] == last[Table] == 0
    grown = {name: (first[name], last[name]) for name in last if last[name] > first[name] * 1.02 + 40}
    assert grown == {}
    assert sum(last.values()) < sum(first.values()) * 1.01 + 500
    assert not hall.service._tasks
    assert not hall.service._commands
    assert not hall.service._loading


async def test_a_table_that_somebody_follows_is_not_forgotten(hall: Hall) -> None:
    at = await hall.table(short("smear", 2), "pb")
    (stream,) = await at.follow(0)
    await hall.passes(UNUSED * 2, 30)
    assert hall.service.tables == 1
    await stream.leave()
    await hall.passes(UNUSED + 30, 30)
    assert hall.service.tables == 0


async def test_asking_for_a_table_that_is_not_there_leaves_nothing(hall: Hall) -> None:
    for number in range(50):
        with pytest.raises(ValueError):
            await hall.at(f"nothing{number}")
    await hall.settle()
    assert hall.service.tables == 0
    assert not hall.service._loading


async def test_what_is_kept_of_a_table_does_not_grow_with_the_match(hall: Hall) -> None:
    """Steps of old deals, keys and messages: the last ones are at hand, the others are in the store."""
    at = await hall.table(short("bassadewitz", 3, deals=12), "prr")
    await at.follow(0)
    pick = by_thumb(Rng(2))
    most = 0
    while not at.table.over:
        await at.step(pick)
        most = max(most, len(at.table.steps))
        assert len(at.live.told) < 20
    assert at.table.head > 300
    # Two deals of 30 cards, and what lies between them.
    assert most < 100


async def test_whoever_asks_for_everything_in_every_way_fills_no_memory(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3, deals=12), "prr")
    await at.follow(0)
    pick = by_thumb(Rng(2))
    while at.table.head < 150:
        await at.step(pick)
    first = at.table.steps[0].seq - 1
    assert at.table.head - first > TOLD // 4
    for after in range(first, at.table.head + 1):
        for reader in (0, None):
            for language in ("en", "id"):
                await at.bytes(reader, after=after, language=language)
    assert len(at.live.told) <= TOLD
