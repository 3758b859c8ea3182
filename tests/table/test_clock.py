"""The computer's clock is set back or forward, or the computer sleeps, while people play."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.table.hall import Hall, by_chance, person, short

from meja.cards import Rng
from meja.table import service as service_module
from meja.table.clock import Clock
from meja.table.live import GRACE, LATENCY, MAY_COVER
from meja.table.people import DECISION
from meja.table.service import STANDSTILL

MS = 1_000_000
HOUR = 3_600_000
START = 1_800_000_000_000


class Computer:
    """A computer: a clock that can be set, and one that cannot. In milliseconds."""

    def __init__(self) -> None:
        self.wall = START
        self.steady = 5_000

    def clock(self) -> Clock:
        return Clock(lambda: self.wall * MS, lambda: self.steady * MS)

    def passes(self, milliseconds: int) -> None:
        self.wall += milliseconds
        self.steady += milliseconds


def test_a_clock_that_is_right_is_followed() -> None:
    computer = Computer()
    clock = computer.clock()
    for _ in range(10):
        computer.passes(777)
        assert clock() == computer.wall


def test_a_clock_set_back_does_not_take_the_time_back_nor_stop_it() -> None:
    computer = Computer()
    clock = computer.clock()
    computer.wall -= HOUR
    assert clock() == START
    computer.passes(100_000)
    # Time goes on, a little slower, and the hour is made good in the end.
    assert START + 90_000 <= clock() <= START + 100_000
    hours = 0
    while clock() != computer.wall:
        computer.passes(HOUR)
        hours += 1
        assert hours < 30


def test_a_clock_set_forward_is_followed_at_once() -> None:
    computer = Computer()
    clock = computer.clock()
    computer.wall += HOUR
    assert clock() == computer.wall
    # It was wrong, and is set right.
    computer.wall -= HOUR
    computer.passes(1000)
    assert clock() >= START + HOUR


@given(st.lists(st.tuples(st.integers(0, 10_000_000), st.integers(-10_000_000, 10_000_000)), max_size=30))
def test_the_time_never_goes_back_and_never_stands(steps: list[tuple[int, int]]) -> None:
    computer = Computer()
    clock = computer.clock()
    for passed, set_by in steps:
        before = clock()
        computer.passes(passed)
        computer.wall += set_by
        assert clock() >= max(before + passed * 9 // 10, computer.wall)


@pytest.mark.anyio
async def test_a_match_goes_on_in_its_time_when_the_clock_is_set_back(hall: Hall) -> None:
    """An hour back: the one to act keeps the same time, and who goes away is missed as soon as ever."""
    computer = Computer()
    clock = computer.clock()
    hall.service.now = clock
    at = await hall.table(short("bassadewitz", 3), "ppr", clock="quick")
    streams = await at.follow(0, 1)
    await at.ready()
    while at.table.to_act != 0:
        await at.play(by_chance(Rng(1)))
    limit = DECISION["quick"]
    assert limit is not None
    await streams[1].leave()
    computer.passes(1_000)
    computer.wall -= HOUR
    computer.passes(1_000)
    told = await at.look(0)
    left = told["state"]["clock"]["deadline"] - told["now"]
    assert (limit - 3) * 1000 <= left <= (limit - 1) * 1000
    computer.passes(max(GRACE, MAY_COVER) * 11 // 10)
    hall.service.tick()
    await hall.settle()
    assert not (await at.look(0))["state"]["seats"][1]["here"]
    assert (await at.look(0))["state"]["can"]["cover"] == [1]
    head = at.table.head
    computer.passes((limit * 1000 + LATENCY) * 11 // 10)
    hall.service.tick()
    await hall.settle()
    assert at.table.head > head
    times = [row.at for row in await hall.rows(at.id)]
    assert times == sorted(times)


@pytest.mark.anyio
async def test_a_log_from_the_future_holds_nobody_up(hall: Hall) -> None:
    """The clock was an hour ahead when the service stopped, and is right when it starts again."""
    at = await hall.table(short("bassadewitz", 3), "ppr", clock="quick")
    await at.follow(0, 1)
    await at.ready()
    while at.table.to_act != 0:
        await at.play(by_chance(Rng(1)))
    hall.clock.now -= HOUR
    again = await hall.again()
    try:
        at = await again.at(at.id)
        await at.follow(0, 1)
        limit = DECISION["quick"]
        assert limit is not None
        told = await at.look(0)
        assert told["state"]["clock"]["deadline"] == again.clock.now + limit * 1000
        head = at.table.head
        await again.passes(limit + LATENCY / 1000 + 1)
        assert at.table.head > head
    finally:
        await again.close()


@pytest.mark.anyio
async def test_a_computer_that_slept_takes_nobodys_time(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """It slept for an hour at somebody's turn: nobody is late, and nobody was away."""
    at = await hall.table(short("bassadewitz", 3), "ppr", clock="quick")
    streams = await at.follow(0, 1)
    await at.ready()
    while at.table.to_act != 0:
        await at.play(by_chance(Rng(1)))
    await streams[1].leave()
    head = at.table.head
    monkeypatch.setattr(service_module, "TICK", 0.01)
    await hall.service.start()
    await asyncio.sleep(0.05)
    hall.clock.now += HOUR
    await asyncio.sleep(0.05)
    limit = DECISION["quick"]
    told = await at.look(0)
    assert limit is not None
    assert told["state"]["clock"]["deadline"] == hall.clock.now + limit * 1000
    assert told["state"]["seats"][1]["here"]
    assert at.table.head == head
    # A little later it is as ever.
    hall.clock.now += GRACE - 100 - STANDSTILL
    await asyncio.sleep(0.05)
    hall.clock.now += STANDSTILL
    await asyncio.sleep(0.05)
    assert (await at.look(0))["state"]["seats"][1]["here"]
    hall.clock.now += 200
    await asyncio.sleep(0.05)
    assert not (await at.look(0))["state"]["seats"][1]["here"]
    assert at.table.seat_of(person(1)) == 1
