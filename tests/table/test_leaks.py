"""No leaks: what a seat is told depends on nothing that it cannot know, to the byte.

Two full states that agree on a reader's knowledge are told to the reader in the same bytes:
after every step, in every game, with many options, for every seat and for spectators.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.table.hall import START, At, Hall, by_chance, encoded
from tests.table.twin import Twin, twin

from meja.bots import RULES_OF_THUMB
from meja.cards import Rng
from meja.errors import MejaError
from meja.games import games, make_rules
from meja.language import LANGUAGES, Language
from meja.rules import Rules
from meja.table import log
from meja.table.botpool import choose
from meja.table.claims import claimable
from meja.table.commands import Act, AnyCommand, Chat, Claim, Leave, Phrase, Ready, Retake, Undo, decide, undo_point
from meja.table.live import Live
from meja.table.service import projection
from meja.table.state import Table
from meja.table.update import Teller
from meja.testing.mixes import random_rules

pytestmark = pytest.mark.anyio

#: Refused at all times, each in another way.
NONSENSE = ("play Zz", "xyzzy", "bid 9", "open As", "discard Jk", "draw", "take", "pass", "call 3s", "swap 4h m7")


def told(table: Table, seat: int | None, rng: Rng) -> list[bytes]:
    """Everything that a reader can be told of a table at this moment, in one language or the other."""
    teller = Teller(table, seat, rng.choice(LANGUAGES))
    presence = Live(table, START).presence(START)
    first = table.steps[0].seq - 1
    afters = [None, table.head - 1]
    if rng.below(4) == 0:
        afters += [first, first + rng.below(table.head - first)]
    return [encoded(teller.update(presence, after=after, now=START, build="test", known=True)) for after in afters]


def refused(table: Table, seat: int, pool: list[str]) -> list[Any]:
    """What comes of everything that a person might try now."""
    who = table.seats[seat].person
    found: list[Any] = []
    tried: list[AnyCommand] = [*(Act(text) for text in (*NONSENSE, *pool)), Undo(), Claim(), Ready("ab" * 32), Retake()]
    for command in tried:
        try:
            found.append([log.kind(entry) for entry in decide(table, who, "Ana", command)])
        except MejaError as error:
            reason: Any = getattr(error, "reason", error)
            words = Language("id").sentence(error.text)
            found.append((type(error).__name__, getattr(reason, "code", ""), getattr(reason, "rule", ""), words))
    return found


def thinking(at: At, table: Table, seed: int) -> float:
    """How long a bot would seem to think."""
    service = at.hall.service
    service.pace = 1.0
    seconds = service._thinking(table, seed)
    service.pace = 0.0
    return seconds


class Compared:
    """How much was compared, so that no test passes by comparing nothing."""

    def __init__(self) -> None:
        self.tables = 0
        self.hidden = 0
        self.deals: set[int] = set()
        self.thought = 0


def same(at: At, other: Twin, seat: int | None, rng: Rng, pool: list[str], count: Compared) -> None:
    """The reader is told the same of both tables."""
    table = at.table
    place = rng.next32()
    what = f"{table.rules}, seat {seat}, head {table.head}"
    for one, two in zip(told(table, seat, Rng(place)), told(other, seat, Rng(place)), strict=True):
        assert one == two, what
    assert projection(table) == projection(other), what
    if seat is not None:
        assert refused(table, seat, pool) == refused(other, seat, pool), what
    assert table.deal is not None
    assert other.deal is not None
    if table.to_act is not None:
        # A bot at the seat to act would seem to think as long in both.
        count.thought += table.to_act != seat
        assert thinking(at, table, place) == thinking(at, other, place) > 0, what
    if table.to_act is not None and table.to_act == seat and rng.below(8) == 0:
        # A bot that sits here does the same in both.
        bots = ("random",) if table.game == "kaluki" else ("random", RULES_OF_THUMB)
        for level in bots:
            assert choose(level, table.deal.view(seat), place) == choose(level, other.deal.view(seat), place), what
    count.tables += 1
    count.deals.add(table.deal_number)
    count.hidden += table.deal.zones() != other.deal.zones()


async def compare(hall: Hall, rules: Rules, rng: Rng, steps: int, every: int) -> Compared:
    """Play at random for so many steps; at each ``every``-th one compare for two readers."""
    seats = "".join(rng.choice("ppr") for _ in range(rules.seats - 1))
    places = rng.below(rules.seats)
    seats = f"{seats[:places]}p{seats[places:]}"
    at = await hall.table(rules, seats)
    await at.follow(*at.table.people)
    count = Compared()
    rows: list[log.Row] = []
    pool: list[str] = []
    pick = by_chance(rng)
    for _ in range(steps):
        table = at.table
        if table.over:
            break
        await odd(at, rng)
        if table.status == "playing":
            pool.append(at.deal.text(pick(at.deal)))
            del pool[:-6]
        if not table.over:
            await at.step(pick)
        if table.deal is None or rng.below(every):
            continue
        rows += await hall.rows(at.id, len(rows))
        assert len(rows) == table.head
        for seat in {rng.below(rules.seats), rng.choice([None, *range(rules.seats)])}:
            other = twin(table, rows, seat, rng)
            if other is not None:
                same(at, other, seat, rng, pool, count)
    return count


async def odd(at: At, rng: Rng) -> None:
    """Now and then people do something beside the game."""
    table = at.table
    seat = rng.choice(table.people)
    match rng.below(24):
        case 0:
            await at.do(seat, Phrase("nice"))
        case 1:
            await at.do(seat, Chat("well, well"))
        case 2 if table.status == "playing" and not table.seats[seat].covered:
            await at.do(seat, Leave())
        case 3 | 4 | 5 if table.seats[seat].covered:
            await at.do(seat, Retake())
        case 6 | 7 if undo_point(table, seat) is not None:
            await at.do(seat, Undo())
        case 8 | 9 | 10 if table.to_act == seat and table.seats[seat].plays and claimable(at.deal, seat):
            await at.do(seat, Claim())
    if not table.over and not any(table.seats[seat].plays for seat in table.people):
        await at.do(table.people[0], Retake())


def mixes(name: str, count: int) -> list[Rules]:
    """The standard rules and drawn ones."""
    return [make_rules(name), *(random_rules(name, Rng(7, number)) for number in range(count - 1))]


@pytest.mark.parametrize("name", games())
async def test_a_reader_cannot_tell_two_truths_apart(name: str, hall: Hall, long: bool) -> None:
    rng = Rng(11, len(name))
    steps, every = (220, 12) if name == "kaluki" else (110, 6)
    total = Compared()
    for rules in mixes(name, 60 if long else 4):
        found = await compare(hall, rules, rng, steps, every)
        total.tables += found.tables
        total.hidden += found.hidden
        total.thought += found.thought
        total.deals |= found.deals
    # The comparison was one: cards did lie elsewhere, in several deals.
    assert total.tables > 60
    assert total.hidden > 40
    assert total.thought > 30
    assert len(total.deals) > 1
