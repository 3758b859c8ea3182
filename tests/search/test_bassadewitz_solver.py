"""The last tricks of Bassadewitz are solved as trying everything by the rules does, with all options and seats."""

from __future__ import annotations

from typing import Any

import pytest
from tests.search.endings import COMPILED, by_card, ending, solve

from meja import Rng
from meja.errors import MejaError
from meja.games.bassadewitz import Bassadewitz, BassadewitzRules
from meja.search.bassadewitz_solver import BassadewitzSolver
from meja.search.tricks import position

Scores = tuple[int, ...]


def sign(deal: Any) -> int:
    """Chips are wanted, penalties are not."""
    return 1 if deal.rules.classic_pool else -1


def last(seed: int, seats: int, left: int) -> Any:
    """A deal of the standard rules with ``left`` tricks to go, after random cards."""
    rng = Rng(seed)
    deal = Bassadewitz.shuffle(BassadewitzRules.make(seats), rng.below(seats), rng)
    while len(list(deal.plays())) < seats * (deal.hand_size(deal.rules) - left):
        legal = deal.legal_actions()
        deal.advance(legal[rng.below(len(legal))])
    return deal


def rounds(long: bool) -> int:
    return (4000 if COMPILED else 800) if long else 240


def left_for(seats: int, number: int, rng: Rng) -> int:
    """So many cards that trying everything does not take long."""
    if number % 30 == 0:
        return 4 if seats == 3 else 3
    return 1 + rng.below(3 if seats < 5 else 2)


def one_sided_ending(rng: Rng, number: int) -> Any:
    seats = 3 + number % 3
    while True:
        deal = ending("bassadewitz", rng, left_for(seats, number, rng))
        if deal.rules.seats == seats:
            return deal


def test_what_the_hero_can_be_sure_of_is_that_of_trying_everything(long: bool) -> None:
    rng = Rng(71)
    solver = BassadewitzSolver(8)
    seen, special = set(), set()
    for number in range(rounds(long)):
        deal = one_sided_ending(rng, number)
        hero, side = rng.below(deal.rules.seats), sign(deal)

        def pick(seat: int, values: list[int], hero: int = hero) -> int:
            return max(values) if seat == hero else min(values)

        def end(state: Any, hero: int = hero, side: int = side) -> int:
            special.add((state.sweeper() is not None, state.hundred() is not None, state.void))
            return side * int(state.score()[hero])

        solver.take(position(deal), hero)
        assert solver.value() == side * solve(deal, end, pick)
        cards = {card: side * value for card, value in by_card(deal, end, pick).items()}
        assert solver.values() == cards
        assert solver.playable() == deal.legal_actions()
        assert solver.value(deal.legal_actions()[0]) == cards[deal.legal_actions()[0]]
        rules = deal.rules
        seen |= {(rules.seats, name, getattr(rules, name)) for name in ("ace5", "trick_points", "natural_rank")}
        seen.add((rules.seats, rules.classic_pool, rules.sweep_takes_pool))
    assert len(seen) == 3 * 6 + 5
    assert {(True, False, False), (False, True, False), (False, False, False)} <= special


def likes(deal: Any, seat: int, scores: Scores) -> tuple[int, ...]:
    """What a seat goes by when everybody plays for himself, as the module says."""
    side, seats = sign(deal), len(scores)
    worths = [side * score for score in scores]
    return (worths[seat], -sum(worths), *(-worths[(seat + place) % seats] for place in range(1, seats)))


def test_everybody_for_himself_is_that_of_trying_everything(long: bool) -> None:
    rng = Rng(72)
    solver = BassadewitzSolver(8)
    for number in range(rounds(long)):
        deal = one_sided_ending(rng, number)

        def pick(seat: int, values: list[Scores], deal: Any = deal) -> Scores:
            return max(values, key=lambda scores: likes(deal, seat, scores))

        def end(state: Any) -> Scores:
            return tuple(state.score())

        solver.take(position(deal))
        assert solver.scores() == solve(deal, end, pick)
        cards = by_card(deal, end, pick)
        assert solver.card_scores() == cards
        assert solver.scores(deal.legal_actions()[0]) == cards[deal.legal_actions()[0]]


def test_the_window_agrees_with_the_value(long: bool) -> None:
    rng = Rng(73)
    solver, other = BassadewitzSolver(10), BassadewitzSolver(10)
    for number in range(400 if long else 90):
        deal = one_sided_ending(rng, number)
        hero, side = rng.below(deal.rules.seats), sign(deal)
        solver.take(position(deal), hero)
        value, values = solver.value(), solver.values()
        assert value is not None
        assert values is not None
        other.take(position(deal), hero)
        score = rng.below(40) - 20
        assert other.reaches(score) == (side * value >= side * score)
        assert [solver.reaches(score) for score in range(-20, 30)] == [
            side * value >= side * score for score in range(-20, 30)
        ]
        for card, found in values.items():
            assert [other.reaches(score, card) for score in range(-5, 6)] == [
                side * found >= side * score for score in range(-5, 6)
            ]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_card_is_worth_what_it_leads_to(seats: int, long: bool) -> None:
    left = 5 if COMPILED else 3
    for seed in range(12 if long else 3):
        deal = last(seed, seats, left)
        hero = seed % seats
        values = BassadewitzSolver.from_deal(deal, hero).values()
        scores = BassadewitzSolver.from_deal(deal).card_scores()
        assert values is not None
        assert scores is not None
        for card in deal.legal_actions():
            twin = deal.clone()
            twin.advance(card)
            assert BassadewitzSolver.from_deal(twin, hero).value() == values[card]
            assert BassadewitzSolver.from_deal(twin).scores() == scores[card]


#: By seats: the hero's score, the card and the nodes; everybody's scores and the nodes; alike in both modes.
FOUND: dict[int, list[tuple[Any, ...]]] = {
    3: [
        (0, 49, 22),
        ((0, 3, 5), 49, 154),
        (5, 18, 3),
        ((3, 5, 0), 18, 130),
        (3, 46, 22),
        ((0, 5, 3), 37, 579),
    ],
    4: [
        (3, 44, 248),
        ((-4, 0, -4, -4), 44, 3165),
        (5, 38, 58),
        ((5, 4, 3, 0), 38, 398),
        (4, 18, 91),
        ((-4, 0, -4, -4), 18, 1674),
    ],
    5: [
        (6, 46, 2),
        ((6, 3, 4, 0, 5), 46, 22),
        (6, 33, 5),
        ((3, 6, 5, 0, 4), 33, 24),
        (6, 47, 18),
        ((5, 3, 6, 0, 4), 47, 22),
    ],
}


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_both_modes_search_the_same_nodes(seats: int) -> None:
    found: list[tuple[Any, ...]] = []
    for seed in range(3):
        deal = last(seed, seats, 4 if seats < 5 else 3)
        solver = BassadewitzSolver.from_deal(deal, seed)
        found.append((solver.value(), solver.choice, solver.nodes))
        solver.take(position(deal))
        found.append((solver.scores(), solver.choice, solver.nodes))
    assert found == FOUND[seats]


def test_a_solver_that_was_used_finds_the_same() -> None:
    used = BassadewitzSolver(10)
    rng = Rng(74)
    for number in range(60):
        deal = one_sided_ending(rng, number)
        used.take(position(deal), 0)
        fresh = BassadewitzSolver.from_deal(deal, 0, table_bits=10)
        assert (used.value(), used.nodes) == (fresh.value(), fresh.nodes)


def test_a_limit_of_nodes_or_time_gives_no_answer() -> None:
    deal = last(1, 4, 6)
    solver = BassadewitzSolver.from_deal(deal, 0)
    solver.limit = 10
    assert solver.value() is None
    assert solver.values() is None
    assert solver.reaches(0) is None
    solver.take(position(deal))
    assert solver.scores() is None
    assert solver.card_scores() is None
    solver.limit = 0
    solver.stopped = 1
    assert solver.scores() is None


def test_a_finished_deal_has_its_score() -> None:
    rng = Rng(75)
    for number in range(40):
        deal = one_sided_ending(rng, number + 1)
        while deal.to_act is not None:
            deal.advance(deal.legal_actions()[0])
        assert BassadewitzSolver.from_deal(deal, 1).value() == deal.score()[1]
        assert BassadewitzSolver.from_deal(deal).scores() == tuple(deal.score())
        assert BassadewitzSolver.from_deal(deal).card_scores() == {}


def test_what_cannot_be_solved_is_refused() -> None:
    with pytest.raises(MejaError, match="not a position of bassadewitz"):
        BassadewitzSolver.from_deal(ending("smear", Rng(1), 2))
    deal = last(1, 4, 2)
    with pytest.raises(MejaError, match="there is no seat 4"):
        BassadewitzSolver.from_deal(deal, 4)
    with pytest.raises(MejaError, match="table_bits must be from 2 to 26, not 1"):
        BassadewitzSolver(1)
    with pytest.raises(MejaError, match="needs a hero"):
        BassadewitzSolver.from_deal(deal).value()
    with pytest.raises(MejaError, match="do not play for themselves"):
        BassadewitzSolver.from_deal(deal, 0).scores()
    with pytest.raises(MejaError, match="that card cannot be played here"):
        BassadewitzSolver.from_deal(deal, 0).value(next(card for card in range(52) if card not in deal.legal_actions()))
