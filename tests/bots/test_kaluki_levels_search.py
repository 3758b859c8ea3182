"""What the searching levels of Kaluki stand on: lines in the same worlds, the match."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from meja.bots.bot import Budget
from meja.bots.kaluki import KalukiThumb
from meja.bots.kaluki_levels import KalukiMaster
from meja.bots.kaluki_match import worth_by_winner
from meja.cards import Rng
from meja.deal import Context
from meja.games.kaluki import Kaluki, KalukiRules, KalukiView
from meja.search.dice import Dice
from meja.search.kaluki import KEEN, KEEN_WEIGHTS, KalukiTable
from meja.search.kaluki_trial import KalukiTrial
from meja.search.kaluki_worlds import KalukiWorlds


def midway(rules: KalukiRules, seed: int, actions: int) -> Kaluki:
    deal = Kaluki.shuffle(rules, 0, Rng(seed))
    bot = KalukiThumb()
    for _ in range(actions):
        if deal.to_act is None:
            break
        deal.advance(bot.act(deal.view(deal.to_act), Budget()))
    return deal


def view_of(deal: Kaluki) -> KalukiView:
    view = deal.view(deal.to_act)
    assert isinstance(view, KalukiView)
    return view


# -- trials ---------------------------------------------------------------------------


def trial_of(view: KalukiView, seed: int = 1) -> KalukiTrial:
    assert view.seat is not None
    worlds = KalukiWorlds(view, KalukiTable(view.rules), settled=True)
    trial = KalukiTrial(worlds, KalukiTable(view.rules), view.seat, seed)
    rows, trial.void = worth_by_winner(view)
    for winner, row in enumerate(rows):
        trial.set_worth(winner, row)
    return trial


def test_a_line_is_never_ahead_of_itself() -> None:
    """The same worlds and the same dice: the second line, which is the first, brings the same each time."""
    view = view_of(midway(KalukiRules.make(2), 1, 12))
    trial = trial_of(view)
    base = KalukiTable(view.rules)
    base.load(view._blank)
    for number in range(20):
        trial.draw(number)
        trial.play(0, base, 0)
        trial.play(1, base, 0)
    assert trial.sums[1] == 0.0
    assert trial.squares[1] == 0.0
    assert trial.total != 0.0


def test_a_world_is_told_by_its_number() -> None:
    view = view_of(midway(KalukiRules.make(3), 2, 20))
    base = KalukiTable(view.rules)
    base.load(view._blank)

    def total(numbers: list[int]) -> float:
        trial = trial_of(view)
        for number in numbers:
            trial.draw(number)
            trial.play(0, base, 0)
        return trial.total

    assert total([0, 1, 2, 3]) == total([3, 2, 1, 0]) == total([0, 1]) + total([2, 3])


def test_a_table_does_not_throw_the_card_that_is_barred() -> None:
    table = KalukiTable(KalukiRules.make(2))
    table.deal(0, Dice(5))
    table.turn = 0
    table.opened = 1
    table.playing = 1
    first = table.least_use()
    table.barred = first
    second = table.least_use()
    assert second != first
    table.barred = -1
    assert table.least_use() == first


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_weights_are_those_of_the_keen_player_at_first(seats: int) -> None:
    """Rows of weights belong to seats: with the same row for all, a deal goes as with none."""
    plain, weighed = KalukiTable(KalukiRules.make(seats)), KalukiTable(KalukiRules.make(seats))
    for seat in range(seats):
        weighed.set_weights(seat, KEEN_WEIGHTS)
    for table in (plain, weighed):
        table.deal(0, Dice(7))
        table.playout(Dice(8), KEEN)
    assert plain.points() == weighed.points()


# -- the match ------------------------------------------------------------------------


def in_match(totals: tuple[int, ...], rules: KalukiRules) -> KalukiView:
    deal = Kaluki.shuffle(rules, len(totals) - 1, Rng(9), Context(totals, 3, 3))
    view = deal.view(0)
    assert isinstance(view, KalukiView)
    return view


def test_far_from_the_end_points_count() -> None:
    rows, void = worth_by_winner(in_match((0, 0, 0), KalukiRules.make(3)))
    assert rows[0][60] == 60.0
    assert rows[1][60] == rows[2][60] == -30.0
    assert void == 0.0


def test_who_reaches_the_target_has_won() -> None:
    rows, void = worth_by_winner(in_match((200, 180), KalukiRules.make(2)))
    assert rows[0][50] == rows[0][300] == 1.0
    assert rows[1][70] == rows[1][300] == 0.0
    assert rows[0][49] < 1.0
    assert rows[1][69] > 0.0
    assert 0.5 < void < 1.0


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_at_even_scores_all_have_the_same_chance(seats: int) -> None:
    _, void = worth_by_winner(in_match((200,) * seats, KalukiRules.make(seats)))
    assert math.isclose(void, 1 / seats, abs_tol=1e-9)


def test_more_points_are_never_worth_less() -> None:
    rows, _ = worth_by_winner(in_match((140, 200, 60), KalukiRules.make(3)))
    assert all(after >= before - 1e-12 for before, after in pairwise(rows[0]))
    for row in rows[1:]:
        assert all(after <= before + 1e-12 for before, after in pairwise(row))


# -- the search -----------------------------------------------------------------------


def test_finds_the_same_compiled_and_not() -> None:
    """A number made of all that the search finds, from the compiled kernels and from plain Python alike."""
    total = 0.0
    bot = KalukiMaster()
    for seed, actions, seats in ((21, 9, 2), (22, 16, 3), (23, 31, 2)):
        view = view_of(midway(KalukiRules.make(seats), seed, actions))
        found = bot.search(view, KalukiThumb().act(view, Budget()), seed, 60, math.inf)
        total += sum((place + 1) * line.ahead + line.error + line.worlds for place, line in enumerate(found))
    assert round(total, 6) == CHECKSUM


CHECKSUM = 341.382017
