"""Calabresella is solved as trying everything by the rules does, in both settings and with every option."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from tests.search.endings import COMPILED, by_card, ending, solve

import meja
from meja import Rng
from meja.errors import MejaError
from meja.games.calabresella import BID, BIDS, Calabresella, CalabresellaRules
from meja.games.tricks import VERB
from meja.search.calabresella_solver import CalabresellaSolver
from meja.search.deadline import deadline
from meja.search.tricks import position


def best_for(bidder: int) -> Callable[[int, list[int]], int]:
    """Everybody plays for or against the bidder."""
    return lambda seat, values: max(values) if seat == bidder else min(values)


def thirds(deal: Any) -> int:
    return int(deal.thirds()[0])


def chips(deal: Any) -> int:
    return int(deal.score()[deal.bidder])


def whole(follow: bool, seed: int, left: int = 12) -> Any:
    """A Solissimo deal with random cards; the tricks before the last ``left`` are random."""
    rng = Rng(seed)
    deal = Calabresella.shuffle(CalabresellaRules.make(3, follow_suit=follow), rng.below(3), rng)
    deal.advance(BID << VERB | BIDS.index("solissimo"))
    deal.advance(deal.legal_actions()[0])
    while len(list(deal.plays())) < 3 * (12 - left):
        legal = deal.legal_actions()
        deal.advance(legal[rng.below(len(legal))])
    return deal


def rounds(long: bool) -> int:
    return (4000 if COMPILED else 800) if long else 300


def test_thirds_and_cards_are_those_of_trying_everything(long: bool) -> None:
    rng = Rng(51)
    solver = CalabresellaSolver(12)
    seen = set()
    for number in range(rounds(long)):
        deal = ending("calabresella", rng, 4 if number % 50 == 0 else 1 + rng.below(3))
        pick = best_for(deal.bidder)
        solver.take(position(deal))
        value = solve(deal, thirds, pick)
        assert solver.value() == value
        cards = by_card(deal, thirds, pick)
        assert solver.values() == cards
        assert solver.playable() == deal.legal_actions()
        card = deal.legal_actions()[0]
        assert solver.value(card) == cards[card]
        seen.add((deal.rules.follow_suit, deal.rules.seats, deal.to_act == deal.bidder, len(deal.trick)))
    assert len(seen) == 2 * 2 * 2 * 3


def test_the_window_agrees_with_the_value(long: bool) -> None:
    rng = Rng(52)
    solver, other = CalabresellaSolver(12), CalabresellaSolver(12)
    for _ in range(rounds(long)):
        deal = ending("calabresella", rng, 1 + rng.below(5))
        solver.take(position(deal))
        value = solver.value()
        values = solver.values()
        assert value is not None
        assert values is not None
        # One question to a solver that has found nothing yet, and all of them to one that has.
        need = rng.below(37)
        other.take(position(deal))
        assert other.at_least(need) == (value >= need)
        assert [solver.at_least(need) for need in range(37)] == [value >= need for need in range(37)]
        assert solver.wins() == (value >= 18)
        for card, found in values.items():
            assert [other.at_least(need, card) for need in (1, 9, 18, 30, 35)] == [
                found >= need for need in (1, 9, 18, 30, 35)
            ]
            assert other.wins(card) == (found >= 18)


def test_chips_are_those_of_trying_everything(long: bool) -> None:
    rng = Rng(53)
    solver = CalabresellaSolver(12)
    factors = set()
    for _ in range(2 * rounds(long)):
        deal = ending("calabresella", rng, 1 + rng.below(3))
        pick = best_for(deal.bidder)
        solver.take(position(deal))
        value = solve(deal, chips, pick)
        assert solver.chips() == value
        assert solver.card_chips() == by_card(deal, chips, pick)
        factors.add((deal.rules.slams, value // (2 * deal.base())))
    assert {("standard", factor) for factor in (-3, -2, -1, 1, 2, 3)} <= factors
    assert {("tressette", factor) for factor in (-4, -3, -1, 1, 3, 4)} <= factors
    assert {factor for slams, factor in factors if slams == "off"} == {-1, 1}


@pytest.mark.parametrize("follow", [False, True])
def test_one_third_more_for_every_third_that_is_left_in_the_middle_of_a_deal(follow: bool, long: bool) -> None:
    # Too large for trying everything: a card's value is the value of what it leads to.
    left = (8 if follow else 7) if COMPILED else 5
    for seed in range(20 if long else 4):
        deal = whole(follow, seed, left)
        values = CalabresellaSolver.from_deal(deal).values()
        assert values is not None
        for card, value in values.items():
            twin = deal.clone()
            twin.advance(card)
            assert CalabresellaSolver.from_deal(twin).value() == value


#: (follow, tricks left): value, nodes and card of three deals; whether 4 thirds can be had, and the nodes for that.
FOUND: dict[tuple[bool, int], list[tuple[int, int, int, bool, int]]] = {
    (False, 4): [
        (8, 101, 39, True, 27),
        (3, 34, 12, False, 24),
        (0, 4, 51, False, 4),
    ],
    (False, 5): [
        (7, 793, 39, True, 337),
        (3, 45, 12, False, 35),
        (0, 76, 27, False, 88),
    ],
    (False, 6): [
        (1, 425, 26, False, 655),
        (9, 640, 13, True, 0),
        (2, 2594, 10, False, 1511),
    ],
    (False, 8): [
        (1, 9896, 26, False, 20932),
        (3, 32, 13, False, 26),
        (2, 12550, 27, False, 9517),
    ],
    (True, 4): [
        (11, 4, 28, True, 0),
        (3, 7, 27, False, 7),
        (5, 3, 40, True, 0),
    ],
    (True, 5): [
        (6, 7, 10, True, 0),
        (3, 13, 38, False, 13),
        (0, 1, 27, False, 1),
    ],
    (True, 6): [
        (8, 146, 24, True, 0),
        (3, 16, 38, False, 16),
        (0, 24, 27, False, 28),
    ],
    (True, 8): [
        (8, 711, 27, True, 0),
        (3, 204, 13, False, 204),
        (3, 7184, 24, False, 442),
    ],
}


@pytest.mark.parametrize("follow", [False, True])
@pytest.mark.parametrize("left", [4, 5, 6, 8])
def test_both_modes_search_the_same_nodes(follow: bool, left: int, long: bool) -> None:
    if left == 8 and not (COMPILED or long):
        pytest.skip("takes long uncompiled: --long")
    solver = CalabresellaSolver(14)
    found = []
    for seed in range(3):
        solver.take(position(whole(follow, seed, left)))
        value = solver.value()
        nodes, card = solver.nodes, solver.choice
        solver.take(position(whole(follow, seed, left)))
        enough = solver.at_least(4)
        found.append((value, nodes, card, enough, solver.nodes))
    assert found == FOUND[follow, left]


def test_a_solver_that_was_used_finds_the_same() -> None:
    used = CalabresellaSolver(12)
    for number in range(80):
        deal = whole(number % 2 == 0, number, 4)
        used.take(position(deal))
        fresh = CalabresellaSolver.from_deal(deal)
        assert (used.value(), used.nodes) == (fresh.value(), fresh.nodes)


def test_a_limit_of_nodes_or_time_gives_no_answer() -> None:
    deal = whole(False, 1, 9)
    solver = CalabresellaSolver.from_deal(deal)
    solver.limit = 20
    assert solver.value() is None
    assert solver.values() is None
    assert solver.chips() is None
    assert solver.at_least(18) is None
    assert solver.nodes < 200
    solver.limit = 0
    began = time.monotonic()
    with deadline(solver, 0.05):
        solver.take(position(whole(False, 0)))
        assert solver.value() is None
        # The time is over: whatever needs a search is not answered.
        assert solver.value() is None
    assert time.monotonic() - began < 5
    # The solver is as good as before.
    small = whole(False, 1, 3)
    solver.take(position(small))
    with deadline(solver, 60):
        value = solver.value()
    assert value == solve(small, thirds, best_for(small.bidder))
    with deadline(solver, None):
        assert solver.value() == value


def test_other_threads_go_on_while_it_searches() -> None:
    if not COMPILED:
        pytest.skip("plain Python shares the interpreter by itself")
    solver = CalabresellaSolver.from_deal(whole(False, 0))
    answers: list[int | None] = []
    thread = threading.Thread(target=lambda: answers.append(solver.value()))
    thread.start()
    counted = 0
    for _ in range(20):
        counted += 1
        time.sleep(0.001)
    solver.stopped = 1
    thread.join()
    assert counted == 20
    assert answers == [None]


def test_a_finished_deal_has_its_score() -> None:
    rng = Rng(54)
    for _ in range(40):
        deal = ending("calabresella", rng, 1)
        while deal.to_act is not None:
            deal.advance(deal.legal_actions()[0])
        solver = CalabresellaSolver.from_deal(deal)
        assert solver.value() == thirds(deal)
        assert solver.chips() == chips(deal)
        assert solver.wins() == (chips(deal) > 0)
        assert solver.values() == solver.card_chips() == {}


def test_what_cannot_be_solved_is_refused() -> None:
    with pytest.raises(MejaError, match="not a position of calabresella"):
        CalabresellaSolver.from_deal(ending("smear", Rng(1), 2))
    with pytest.raises(MejaError, match="phase auction"):
        CalabresellaSolver.from_deal(meja.new_match("calabresella").next_deal(Rng(1)))
    with pytest.raises(MejaError, match="table_bits must be from 12 to 26, not 8"):
        CalabresellaSolver(8)
    passed: Any = meja.new_match("calabresella").next_deal(Rng(1))
    while passed.to_act is not None:
        passed.advance(passed.legal_actions()[0])
    with pytest.raises(MejaError, match="nothing was played"):
        CalabresellaSolver.from_deal(passed)
    deal = whole(True, 1, 4)
    solver = CalabresellaSolver.from_deal(deal)
    for card in (-1, 99, next(card for card in range(52) if card not in deal.legal_actions())):
        with pytest.raises(MejaError, match="that card cannot be played here"):
            solver.value(card)
