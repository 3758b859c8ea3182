"""Smear is solved as trying everything by the rules does, for both numbers of players and with every option."""

from __future__ import annotations

from typing import Any

import pytest
from tests.search.endings import COMPILED, by_card, ending, solve

import meja
from meja import Rng
from meja.errors import MejaError
from meja.games.smear import Smear, SmearRules
from meja.search.deadline import deadline
from meja.search.smear_solver import MARGIN, POINTS, SCORE, SmearSolver
from meja.search.tricks import position


def worth(deal: Any, hero: int, goal: int) -> int:
    """What a finished deal is worth to the hero."""
    if goal == POINTS:
        return int(deal.won(hero))
    scores = deal.score()
    return int(scores[hero] if goal == SCORE else len(scores) * scores[hero] - sum(scores))


def whole(seats: int, seed: int, **options: Any) -> Any:
    """A deal before its first card, after random calls."""
    rng = Rng(seed)
    while True:
        deal = Smear.shuffle(SmearRules.make(seats, **options), rng.below(seats), rng)
        while deal.to_act is not None and deal.phase != "play":
            legal = deal.legal_actions()
            deal.advance(legal[rng.below(len(legal))])
        if deal.to_act is not None:
            return deal


def test_values_and_cards_are_those_of_trying_everything(long: bool) -> None:
    rng = Rng(61)
    solver = SmearSolver(8)
    seen = set()
    for number in range((4000 if COMPILED else 800) if long else 200):
        rules = SmearRules.make(
            2 + number % 2,
            high=rng.choice(("highest_in_play", "ace_only")),
            low=rng.choice(("holder", "taker")),
            trump_anytime=rng.below(2) == 0,
        )
        deal = ending("smear", rng, 4 if number % 50 == 0 else 1 + rng.below(3), rules)
        hero, goal = rng.below(deal.rules.seats), rng.below(3)

        def pick(seat: int, values: list[int], hero: int = hero) -> int:
            return max(values) if seat == hero else min(values)

        def end(state: Any, hero: int = hero, goal: int = goal) -> int:
            return worth(state, hero, goal)

        solver.take(position(deal), hero, goal)
        assert solver.value() == solve(deal, end, pick)
        cards = by_card(deal, end, pick)
        assert solver.values() == cards
        assert solver.playable() == deal.legal_actions()
        card = deal.legal_actions()[0]
        assert solver.value(card) == cards[card]
        seen.add((rules.seats, rules.high, rules.low, rules.trump_anytime))
    assert len(seen) == 16


def test_the_first_lead_makes_trump(long: bool) -> None:
    # Too large for trying everything: a card's value is the value of what it leads to.
    count = 6 if COMPILED or long else 2
    for seats in (2, 3):
        for low in ("holder", "taker"):
            for seed in range(count):
                deal = whole(seats, seed, low=low)
                hero = deal.to_act
                values = SmearSolver.from_deal(deal, hero).values()
                assert values is not None
                # Asked card by card in another order, and after the card was played.
                solver = SmearSolver.from_deal(deal, hero)
                for card in reversed(deal.legal_actions()):
                    assert solver.value(card) == values[card]
                assert solver.value() == max(values.values())
                for card, value in values.items():
                    twin = deal.clone()
                    twin.advance(card)
                    assert SmearSolver.from_deal(twin, hero).value() == value


def test_the_window_agrees_with_the_value(long: bool) -> None:
    rng = Rng(62)
    solver, other = SmearSolver(10), SmearSolver(10)
    for _ in range(400 if long else 80):
        deal = ending("smear", rng, 1 + rng.below(4))
        hero, goal = rng.below(deal.rules.seats), rng.below(3)
        solver.take(position(deal), hero, goal)
        value = solver.value()
        values = solver.values()
        assert value is not None
        assert values is not None
        need = rng.below(25) - 12
        other.take(position(deal), hero, goal)
        assert other.at_least(need) == (value >= need)
        assert [solver.at_least(need) for need in range(-12, 13)] == [value >= need for need in range(-12, 13)]
        for card, found in values.items():
            assert [other.at_least(need, card) for need in range(-4, 5)] == [found >= need for need in range(-4, 5)]


#: Values, cards and nodes of whole deals, alike in both modes.
FOUND: dict[int, list[tuple[int, int, int]]] = {
    2: [
        (2, 50, 106),
        (-4, 48, 3),
        (-3, 8, 19),
        (0, 25, 4),
        (0, 8, 0),
        (-4, 10, 42),
    ],
    3: [
        (0, 50, 42),
        (-4, 38, 82),
        (0, 41, 16),
        (3, 25, 384),
        (-3, 8, 0),
        (-10, 46, 62),
    ],
}


@pytest.mark.parametrize("seats", [2, 3])
def test_both_modes_search_the_same_nodes(seats: int) -> None:
    found = []
    for seed in range(6):
        deal = whole(seats, seed, low="taker" if seed % 2 else "holder")
        solver = SmearSolver.from_deal(deal, seed % seats, seed % 3)
        found.append((solver.value(), solver.choice, solver.nodes))
    assert found == FOUND[seats]


def test_a_solver_that_was_used_finds_the_same() -> None:
    used = SmearSolver(10)
    rng = Rng(63)
    for _ in range(80):
        deal = ending("smear", rng, 3)
        hero = rng.below(deal.rules.seats)
        used.take(position(deal), hero)
        fresh = SmearSolver.from_deal(deal, hero, table_bits=10)
        assert (used.value(), used.nodes) == (fresh.value(), fresh.nodes)


def test_a_limit_of_nodes_or_time_gives_no_answer() -> None:
    deal = whole(3, 5)
    solver = SmearSolver.from_deal(deal, 0)
    solver.limit = 3
    assert solver.value() is None
    assert solver.values() is None
    assert solver.at_least(1) is None
    solver.limit = 0
    solver.stopped = 1
    assert solver.value() is None
    with deadline(solver, 60):
        solver.stopped = 0
        assert solver.value() is not None
    assert solver.stopped == 0


def test_a_finished_deal_has_its_score() -> None:
    rng = Rng(64)
    for _ in range(40):
        deal = ending("smear", rng, 1)
        while deal.to_act is not None:
            deal.advance(deal.legal_actions()[0])
        for goal in (POINTS, SCORE, MARGIN):
            solver = SmearSolver.from_deal(deal, 1, goal)
            assert solver.value() == worth(deal, 1, goal)
            assert solver.values() == {}


def test_what_cannot_be_solved_is_refused() -> None:
    with pytest.raises(MejaError, match="not a position of smear"):
        SmearSolver.from_deal(ending("bassadewitz", Rng(1), 2), 0)
    with pytest.raises(MejaError, match="phase bid"):
        SmearSolver.from_deal(meja.new_match("smear").next_deal(Rng(1)), 0)
    with pytest.raises(MejaError, match="table_bits must be from 2 to 26, not 99"):
        SmearSolver(99)
    deal = whole(2, 1)
    with pytest.raises(MejaError, match="there is no seat 2"):
        SmearSolver.from_deal(deal, 2)
    with pytest.raises(MejaError, match="there is no goal 3"):
        SmearSolver.from_deal(deal, 0, 3)
    passed: Any = Smear.shuffle(SmearRules.make(3), 0, Rng(1))
    while passed.to_act is not None:
        passed.advance(passed.legal_actions()[0])
    with pytest.raises(MejaError, match="nothing was played"):
        SmearSolver.from_deal(passed, 0)
    with pytest.raises(MejaError, match="that card cannot be played here"):
        SmearSolver.from_deal(deal, 0).value(next(card for card in range(52) if card not in deal.legal_actions()))
