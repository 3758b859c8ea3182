"""Solving every card in drawn worlds: what the solvers say of each world, counted up, and nothing of hidden cards."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from tests.search.endings import COMPILED, by_card, ending
from tests.search.test_calabresella_solver import best_for, thirds, whole

from meja import Rng
from meja.errors import MejaError
from meja.search.bassadewitz_solver import BassadewitzSolver
from meja.search.calabresella_solver import CalabresellaSolver
from meja.search.dice import Dice
from meja.search.smear_solver import MARGIN, POINTS, SCORE, SmearSolver
from meja.search.solving import GOALS, Solving, think
from meja.search.tricks import Tricks, position
from meja.search.worlds import Dealer

EVERY = [(game, goal) for game, goals in GOALS.items() for goal in goals]


def of_a_world(game: str, goal: str, world: Tricks, me: int) -> list[int]:
    """What the solver of the game says of every card, such that more is better for the seat."""
    if game == "bassadewitz":
        sign = 1 if world.pool else -1
        solver = BassadewitzSolver()
        solver.take(world, me if goal == "sure" else None)
        if goal == "sure":
            return [sign * value for value in (solver.values() or {}).values()]
        return [sign * scores[me] for scores in (solver.card_scores() or {}).values()]
    if game == "smear":
        smear = SmearSolver()
        smear.take(world, me, {"score": SCORE, "points": POINTS, "margin": MARGIN}[goal])
        return list((smear.values() or {}).values())
    solver_of = CalabresellaSolver(12)
    solver_of.take(world)
    solo = world.bidder == me
    if goal == "win":
        return [int(solver_of.wins(card) == solo) for card in world.cards()]
    if goal == "thirds":
        return [value if solo else -value for value in (solver_of.values() or {}).values()]
    return [value if solo else -value // 2 for value in (solver_of.card_chips() or {}).values()]


def with_a_choice(game: str, rng: Rng, left: int) -> Any:
    while True:
        deal = ending(game, rng, left)
        if len(deal.legal_actions()) > 1:
            return deal


@pytest.mark.parametrize(("game", "goal"), EVERY)
def test_rows_are_the_solutions_of_the_worlds(game: str, goal: str) -> None:
    rng = Rng(81, EVERY.index((game, goal)))
    for _ in range(12 if COMPILED else 4):
        deal = with_a_choice(game, rng, 2 + rng.below(2))
        dealer, me = Dealer(deal.view(deal.to_act)), deal.to_act
        search = Solving(dealer, goal)
        search.run(3, 5)
        search.run(2, 5)
        assert search.drawn == len(search.rows) == 5
        again = Dealer(deal.view(deal.to_act))
        for number, row in enumerate(search.rows):
            world = Tricks()
            world.copy(again.seen)
            dice = Dice()
            dice.seed(5, number)
            again.deal(world, dice)
            assert list(row) == of_a_world(game, goal, world, me)
        found = {made.card: made for made in search.solutions()}
        assert sorted(found) == deal.legal_actions()
        for place, card in enumerate(search.cards):
            column = [row[place] for row in search.rows]
            mean = sum(column) / 5
            assert found[card].mean == pytest.approx(mean)
            assert found[card].error == pytest.approx((sum((v - mean) ** 2 for v in column) / 5 / 4) ** 0.5)
            assert found[card].worlds == 5
        means = [(-made.mean, made.card) for made in search.solutions()]
        assert means == sorted(means)


@pytest.mark.parametrize(("game", "goal"), EVERY)
def test_hidden_cards_change_nothing_and_the_seed_decides(game: str, goal: str) -> None:
    rng = Rng(82, EVERY.index((game, goal)))
    exchanged = 0
    for _ in range(8):
        deal = with_a_choice(game, rng, 3)
        other = deal.determinize(deal.to_act, rng)
        exchanged += other.hands != deal.hands
        one, two = deal.view(deal.to_act), other.view(deal.to_act)
        assert think(one, goal, worlds=4, seed=3) == think(two, goal, worlds=4, seed=3)
    assert exchanged


def test_with_nothing_hidden_it_is_the_best_play() -> None:
    # The last card of the seat's opponents is known where two cards are hidden from nobody.
    rng = Rng(83)
    checked = 0
    while checked < 10:
        deal = with_a_choice("calabresella", rng, 2)
        view = deal.view(deal.to_act)
        if sum(view.hand_sizes) - view.hand_sizes[deal.to_act] > 2:
            continue
        values = by_card(deal, thirds, best_for(deal.bidder))
        sign = 1 if deal.to_act == deal.bidder else -1
        search = Solving(Dealer(view), "thirds")
        search.run(40, checked)
        # Among the worlds drawn is the one that is so.
        assert tuple(sign * values[card] for card in search.cards) in search.rows
        checked += 1


def test_worlds_that_take_too_long_are_left_out() -> None:
    deal = whole(False, 1, 9)
    search = Solving(Dealer(deal.view(deal.to_act)), "thirds", limit=30)
    search.run(12, 1)
    assert search.drawn == 12
    assert len(search.rows) < 12
    none = Solving(Dealer(deal.view(deal.to_act)), "thirds", limit=1)
    none.run(3, 1)
    assert none.rows == []
    assert none.solutions() == []
    began = time.monotonic()
    think(deal.view(deal.to_act), "thirds", worlds=10**7, seconds=0.1)
    assert time.monotonic() - began < 10


def test_both_modes_find_the_same() -> None:
    found = []
    for game, goal in EVERY:
        deal = with_a_choice(game, Rng(84, EVERY.index((game, goal))), 4 if game != "bassadewitz" else 3)
        made = think(deal.view(deal.to_act), goal, worlds=4, seed=2)
        found.append([(solution.card, round(4 * solution.mean)) for solution in made])
    assert found == FOUND


#: Per game and goal the cards, the best first, and the sums over four worlds.
FOUND: list[list[tuple[int, int]]] = [
    [(48, -15), (49, -15), (24, -16)],
    [(8, 8), (50, 8), (7, 2)],
    [(16, 4), (29, 4), (30, 4), (43, 4)],
    [(37, 57), (10, 43), (11, 43), (51, 32)],
    [(0, -16), (2, -16), (31, -16), (41, -16)],
    [(11, 1), (27, 1), (28, 1), (47, 1)],
    [(26, 8), (30, 8), (44, 8), (48, 7)],
    [(5, -31), (16, -31), (20, -31), (29, -31)],
]


def test_other_threads_go_on_while_worlds_are_solved() -> None:
    if not COMPILED:
        pytest.skip("plain Python shares the interpreter by itself")
    deal = whole(False, 2)
    search = Solving(Dealer(deal.view(deal.to_act)), "thirds")
    thread = threading.Thread(target=search.run, args=(1, 1))
    thread.start()
    counted = 0
    for _ in range(20):
        counted += thread.is_alive()
        time.sleep(0.001)
    search.solver.stopped = 1
    thread.join()
    assert counted == 20
    assert search.rows == []


def test_what_cannot_be_searched_is_refused() -> None:
    deal = whole(True, 1, 4)
    with pytest.raises(MejaError, match="calabresella has no goal score; choose from win, thirds, chips"):
        Solving(Dealer(deal.view(deal.to_act)), "score")
    waiting = next(seat for seat in range(3) if seat != deal.to_act)
    with pytest.raises(MejaError, match="only the seat to act"):
        Solving(Dealer(deal.view(waiting)))
    with pytest.raises(MejaError, match="only the seat to act"):
        Solving(Dealer(deal.view(None)))
    assert position(deal).turn == deal.to_act
