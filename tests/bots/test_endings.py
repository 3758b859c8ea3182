"""Endings: all worlds are looked at, and what is better in one of them decides."""

from __future__ import annotations

from math import comb
from typing import Any

import pytest
from tests.bots.positions import positions
from tests.bots.proofs import worlds

import meja
from meja import Rng
from meja.bots.bot import Budget
from meja.bots.endings import Ending, spreads
from meja.bots.leveled import ENDING, ending_values, sober
from meja.search.pimc import Utility
from meja.search.weights import LINEAR, learned_policy

LATE = [p for p in positions() if p.game in ("bassadewitz", "smear") and p.proof == "every" and len(p.view.hand) <= 2]
BASSADEWITZ = [p for p in LATE if p.game == "bassadewitz"]


def utility(view: Any) -> Utility:
    """The own points."""
    return Utility(-1.0 if view.rules.low_wins else 1.0)


def test_all_ways_to_spread_are_found_once() -> None:
    # Cards 0 and 1 may lie in places 0 and 2, the others anywhere.
    found = list(spreads([(0b101, [0, 1]), (0b111, [2, 3, 4, 5])], [2, 2, 2]))
    assert len(found) == len(set(found))
    # Place 1 takes two of the four free cards; the four that are left go two and two.
    assert len(found) == comb(4, 2) * comb(4, 2)
    for one, two, three in found:
        assert one | two | three == 0b111111
        assert one.bit_count() == two.bit_count() == three.bit_count() == 2
        assert not two & 0b11


def test_where_no_world_fits_none_is_found() -> None:
    assert not list(spreads([(0b01, [0, 1]), (0b11, [2])], [1, 2]))


@pytest.mark.parametrize("position", BASSADEWITZ, ids=str)
def test_an_ending_looks_at_every_world_that_agrees_with_the_view(position: Any) -> None:
    view = position.view
    ending = Ending(view, utility(view), 2000, 5)
    assert ending.complete
    hands = {tuple(deal.hands[seat] for seat in ending.seats) for deal in worlds(view)}
    assert {tuple(world[: len(ending.seats)]) for world in ending.worlds} == hands
    for world in ending.worlds[:20]:
        game = ending.put(world)
        assert game.hands[view.seat] == ending.dealer.seen.hands[view.seat]
        assert sum(hand.bit_count() for hand in game.hands) == sum(view.hand_sizes)


@pytest.mark.parametrize("position", [p for p in BASSADEWITZ if p.goal == "deal"], ids=str)
def test_what_is_at_least_as_good_in_every_world_is_never_behind(position: Any) -> None:
    view = position.view
    policy = learned_policy(view.rules, LINEAR)
    for seed in range(3):
        values = Ending(view, utility(view), 2000, seed).values(policy)
        assert values is not None
        right = max(value for card, value in values.items() if position.is_right(view.text(card)))
        wrong = max(value for card, value in values.items() if not position.is_right(view.text(card)))
        assert right > wrong


def test_few_worlds_are_a_fair_share_of_many() -> None:
    view = max(BASSADEWITZ, key=lambda p: sum(1 for _ in worlds(p.view))).view
    every = set(Ending(view, utility(view), 2000, 1).worlds)
    some = Ending(view, utility(view), 20, 1)
    assert not some.complete
    assert len(set(some.worlds)) == 20
    assert set(some.worlds) < every
    # The same seed and number: the same worlds; another seed: others.
    assert Ending(view, utility(view), 20, 1).worlds == some.worlds
    assert Ending(view, utility(view), 20, 2).worlds != some.worlds


def test_too_many_worlds_are_drawn_by_chance() -> None:
    view = next(p for p in LATE if p.game == "smear" and len(p.view.hand_sizes) == 3).view
    ending = Ending(view, utility(view), 50, 3, limit=100)
    assert not ending.complete
    assert len(ending.worlds) == 50
    sizes = [view.hand_sizes[seat] for seat in ending.seats]
    for world in ending.worlds:
        assert [mask.bit_count() for mask in world[: len(sizes)]] == sizes
        assert ending.put(world).rest == world[len(sizes)]


def test_without_time_nothing_is_said() -> None:
    view = LATE[0].view
    assert Ending(view, utility(view), 200, 1).values(learned_policy(view.rules, LINEAR), until=0.0) is None
    assert ending_values(view, utility(view), 200, Budget(seconds=0.0), 0.2, 1) is None
    cards = list(view.legal)
    assert sober(view, cards, Budget(seconds=0.0), 1) == cards


def test_before_the_last_tricks_nothing_is_tried() -> None:
    deal: Any = meja.new_match(meja.make_rules("bassadewitz", 4), dealer=0).next_deal(Rng(1))
    view = deal.view(deal.to_act)
    assert ending_values(view, utility(view), 20, Budget(), 0.2, 1) is None
    while len(view.hand) > ENDING or len(view.legal) == 1:
        deal.advance(view.legal[0])
        view = deal.view(deal.to_act)
    assert set(ending_values(view, utility(view), 20, Budget(), 0.2, 1) or {}) == set(view.legal)
