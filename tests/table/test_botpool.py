"""Bots that hang, crash or talk nonsense: the table goes on by the rules of thumb, and the pool is made anew."""

from __future__ import annotations

import asyncio
import importlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.table.hall import Hall, by_chance, by_thumb, short

from meja.bots import RULES_OF_THUMB, Advice
from meja.cards import Rng
from meja.games import game, games, make_rules
from meja.table import botpool, log
from meja.table.botpool import BotPool, by_rule_of_thumb, choose
from meja.view import View

pytestmark = pytest.mark.anyio

#: What runs in the processes instead of the bots: the level says how it misbehaves.
_BAD = """
import os, time
from meja.table import botpool
_choose = botpool.choose

def ready():
    time.sleep(1.5)
    return True

def choose(level, view, seed):
    if level == "hangs":
        time.sleep(60)
    if level == "crashes":
        os._exit(3)
    if level == "raises":
        raise RuntimeError("a fault in a bot")
    if level == "says it hangs":
        raise TimeoutError
    if level == "wants to end":
        raise SystemExit(3)
    if level == "slow":
        time.sleep(0.3)
        level = "rules-of-thumb"
    if level == "pid":
        return os.getpid()
    return _choose(level, view, seed)
"""


def view_of(name: str = "smear") -> View[Any]:
    """A view with a choice in it."""
    deal = game(name).deal.shuffle(make_rules(name), 0, Rng(3))
    return deal.view(deal.to_act)


@pytest.fixture
def pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[BotPool]:
    """A pool of one real process, with little patience."""
    (tmp_path / "misbehaving_bots.py").write_text(_BAD)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(botpool, "choose", importlib.import_module("misbehaving_bots").choose)
    made = BotPool(1, patience=30.0)
    try:
        yield made
    finally:
        made.close()
        sys.modules.pop("misbehaving_bots")


async def test_a_pool_survives_bots_that_hang_crash_and_fail(pool: BotPool) -> None:
    view = view_of()
    expected = choose(RULES_OF_THUMB, view, 7)
    # The process starts; from here on nothing may take long.
    first = await pool.act("pid", view, 7)
    assert first != os.getpid()
    pool.patience = 0.5
    before = time.monotonic()
    assert await pool.act("hangs", view, 7) == expected
    assert time.monotonic() - before < 5
    assert pool.failures == 1
    failures = pool.failures
    pool.patience = 30.0
    # The pool was made anew, in another process; the one that hung is gone.
    second = await pool.act("pid", view, 7)
    assert second != first
    assert not Path(f"/proc/{first}").exists() or "Z" in Path(f"/proc/{first}/stat").read_text().split()[2]
    assert await pool.act("crashes", view, 7) == expected
    assert pool.failures > failures
    third = await pool.act("pid", view, 7)
    assert third not in (first, second)
    # A bot that raises costs no process, whatever it raises.
    for fault in ("raises", "says it hangs", "wants to end"):
        failures = pool.failures
        assert await pool.act(fault, view, 7) == expected
        assert pool.failures == failures + 1
        assert await pool.act("pid", view, 7) == third


async def test_a_ghost_advises_from_a_process_too(pool: BotPool, monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_of()
    assert await pool.advise(RULES_OF_THUMB, view, 7) == Advice(choose(RULES_OF_THUMB, view, 7))
    assert await pool.act("pid", view, 7) != os.getpid()
    # One that fails is replaced as at the table.
    with monkeypatch.context() as patch:
        patch.setattr(botpool, "advise", importlib.import_module("misbehaving_bots").choose)
        failures = pool.failures
        assert await pool.advise("raises", view, 7) == Advice(by_rule_of_thumb(view, 7))
        assert pool.failures == failures + 1
    here = BotPool(0)
    assert (await here.advise("strong", view, 7)).action in view.legal
    assert await here.advise("no such level", view, 7) == Advice(by_rule_of_thumb(view, 7))


async def test_waiting_for_a_process_is_no_fault(pool: BotPool) -> None:
    """Ten bots think for 0.3 s each, and there is one process: the last one waits for longer than the patience."""
    view = view_of()
    process = await pool.act("pid", view, 7)
    pool.patience = 2.0
    order: list[int] = []

    async def ask(number: int) -> Any:
        chosen = await pool.act("slow", view, number)
        order.append(number)
        return chosen

    before = time.monotonic()
    tasks = []
    for number in range(10):
        tasks.append(asyncio.create_task(ask(number)))
        await asyncio.sleep(0)
    # One whose table is gone meanwhile takes nobody's place.
    tasks[5].cancel()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(found.pop(5), asyncio.CancelledError)
    assert time.monotonic() - before > pool.patience
    assert order == [0, 1, 2, 3, 4, 6, 7, 8, 9]
    assert pool.failures == 0
    assert found == [choose(RULES_OF_THUMB, view, number) for number in order]
    assert await pool.act("pid", view, 7) == process


async def test_one_process_that_hangs_costs_the_others_nothing(pool: BotPool) -> None:
    view = view_of()
    two = BotPool(2, patience=30.0)
    try:
        pids = set(await asyncio.gather(two.act("pid", view, 7), two.act("pid", view, 7)))
        assert len(pids) == 2
        two.patience = 2.0
        hanging = asyncio.create_task(two.act("hangs", view, 7))
        await asyncio.sleep(0)
        # While it hangs, and after it was killed, the other one thinks on.
        healthy = [await two.act("slow", view, number) for number in range(3)]
        assert not hanging.done()
        assert healthy == [choose(RULES_OF_THUMB, view, number) for number in range(3)]
        at_work = asyncio.gather(*(two.act("slow", view, number) for number in range(12)))
        assert await hanging == choose(RULES_OF_THUMB, view, 7)
        assert await at_work == [choose(RULES_OF_THUMB, view, number) for number in range(12)]
        assert two.failures == 1
        two.patience = 30.0
        after = set(await asyncio.gather(*(two.act("pid", view, 7) for _ in range(6))))
        assert len(after & pids) == 1
    finally:
        two.close()


async def test_a_process_is_not_asked_while_it_is_busy_for_nobody(pool: BotPool) -> None:
    """Who went away leaves a bot thinking: what comes next begins when it has done, with the whole patience."""
    view = view_of()
    process = await pool.act("pid", view, 7)
    pool.patience = 2.0
    gone = asyncio.create_task(pool.act("slow", view, 7))
    await asyncio.sleep(0.05)
    gone.cancel()
    with pytest.raises(asyncio.CancelledError):
        await gone
    before = time.monotonic()
    assert await pool.act("pid", view, 7) == process
    assert time.monotonic() - before > 0.1
    assert pool.failures == 0


async def test_a_process_that_starts_slowly_does_not_hang(pool: BotPool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer that has much to do starts a process in more than the patience; the bot has not begun yet."""
    monkeypatch.setattr(botpool, "_ready", sys.modules["misbehaving_bots"].ready)
    pool.patience = 1.0
    before = time.monotonic()
    await pool.act("pid", view_of(), 7)
    assert time.monotonic() - before > pool.patience
    assert pool.failures == 0


async def test_without_processes_a_bot_that_fails_is_replaced_too() -> None:
    pool = BotPool(0)
    view = view_of()
    assert await pool.act("no such level", view, 7) == choose(RULES_OF_THUMB, view, 7)
    assert pool.failures == 1


@pytest.mark.parametrize("name", games())
def test_the_replacement_is_legal_even_where_the_rules_of_thumb_fail(
    name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rng = Rng(4, len(name))
    deal = game(name).deal.shuffle(make_rules(name), 0, rng)
    real = botpool.choose

    def failing(level: str, view: View[Any], seed: int) -> Any:
        if level == RULES_OF_THUMB:
            if seed % 2:
                raise ZeroDivisionError
            return "nonsense"
        return real(level, view, seed)

    monkeypatch.setattr(botpool, "choose", failing)
    pick = by_chance(rng)
    for seed in range(20):
        if deal.to_act is None:
            break
        assert deal.is_legal(by_rule_of_thumb(deal.view(deal.to_act), seed))
        deal.apply(pick(deal))
    assert "the rules of thumb failed" in caplog.text


NONSENSE: tuple[Any, ...] = (None, "play As", -1, 10**9, 3.5, [], (), object(), True)


class Talking(BotPool):
    """A bot that says anything."""

    def __init__(self) -> None:
        super().__init__(0)
        self.said = 0

    async def act(self, level: str, view: View[Any], seed: int) -> Any:
        self.said += 1
        return NONSENSE[self.said % len(NONSENSE)]


@pytest.mark.parametrize("name", games())
async def test_nonsense_of_a_bot_does_not_stop_the_table(name: str, hall: Hall) -> None:
    hall.service.bots = pool = Talking()
    at = await hall.table(short(name, 3), "pbr")
    await at.follow(0)
    for _ in range(25):
        if at.table.over:
            break
        await at.step(by_thumb(Rng(1)))
    assert pool.said > 10
    assert pool.failures == pool.said
    acts = [row.entry for row in await hall.rows(at.id) if isinstance(row.entry, log.Acted)]
    assert sum(entry.by == "bot" for entry in acts) == pool.said


class Listening(BotPool):
    """Keeps what bots are given."""

    def __init__(self) -> None:
        super().__init__(0)
        self.given: list[tuple[str, View[Any], int]] = []

    async def act(self, level: str, view: View[Any], seed: int) -> Any:
        self.given.append((level, view, seed))
        return await super().act(level, view, seed)


@pytest.mark.parametrize("name", games())
async def test_a_bot_gets_the_view_of_its_seat_and_nothing_else(name: str, hall: Hall) -> None:
    hall.service.bots = pool = Listening()
    at = await hall.table(short(name, 3), "pbr")
    await at.follow(0)
    while len(pool.given) < 12:
        before = len(pool.given)
        deal = at.table.deal if at.table.status == "playing" else None
        await at.step(by_thumb(Rng(1)))
        for level, view, _ in pool.given[before:]:
            assert isinstance(view, View)
            seat = view.seat
            assert seat is not None
            assert level == at.table.seats[seat].level
            if deal is not None and deal is at.table.deal:
                # The cards of the others are not in it, in whatever corner.
                assert set(view.hand).isdisjoint(_others(deal, seat)) or name == "kaluki"
    assert {level for level, _, _ in pool.given} == {"rules-of-thumb", "random"}


def _others(deal: Any, seat: int) -> set[int]:
    return {
        card
        for place, cards in deal.zones().items()
        if place[:4] == "hand" and place != f"hand {seat}"
        for card in cards
    }
