"""Duplicate play: the same cards for everybody, the same results everywhere."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from meja.arena import Game, Plan, Result, play, play_number, report
from meja.arena.duplicate import MATCH
from meja.arena.spread import Workers
from meja.bots import RULES_OF_THUMB, Bot, Budget, RandomBot
from meja.errors import MejaError
from meja.games import games, make_rules
from meja.record import dumps, examine
from meja.view import View


class First(Bot):
    """Does the first legal thing."""

    def act(self, view: View[Any], budget: Budget) -> Any:
        return view.legal[0]


class Failing(Bot):
    """Fails."""

    def act(self, view: View[Any], budget: Budget) -> Any:
        raise KeyError("lost")


def _plan(**changes: Any) -> Plan:
    return Plan(**{"rules": make_rules("smear", 3), "named": (RULES_OF_THUMB, "random"), "seed": 7, **changes})


@pytest.mark.parametrize("name", games())
def test_all_seatings_of_a_deal_have_the_same_cards_and_dealer(name: str) -> None:
    plan = _plan(rules=make_rules(name))
    result = play_number(plan, 3, records=True)
    assert [game.seating for game in result.games] == list(plan.seatings)
    assert len({(record.deals[0].layout, record.deals[0].dealer) for record in result.records}) == 1
    other = play_number(plan, 4, records=True)
    assert other.records[0].deals[0].layout != result.records[0].deals[0].layout
    for record, game in zip(result.records, result.games, strict=True):
        assert examine(dumps(record))[1] == []
        assert record.players == tuple(f"bot:{plan.bots[bot]}" for bot in game.seating)
        assert game.void or record.deals[0].score == game.scores


def test_equal_bots_are_equal_to_the_last_point() -> None:
    # Two names for one bot: whatever the cards, nobody can be ahead when all seatings are played.
    plan = _plan(named=("one", "two"), makers={"one": RandomBot, "two": RandomBot})
    shown = report(plan, play(plan, range(20)))
    for one in shown.standings:
        assert one.ahead.mean == pytest.approx(0, abs=1e-12)
        assert one.ahead.half == pytest.approx(0, abs=1e-12)


def test_a_match_has_the_same_cards_in_each_of_its_deals() -> None:
    plan = _plan(rules=make_rules("bassadewitz", 3, deals=3), unit=MATCH)
    result = play_number(plan, 0, records=True)
    assert len({tuple(deal.layout for deal in record.deals) for record in result.records}) == 1
    for game, record in zip(result.games, result.records, strict=True):
        assert (game.winners, game.scores, game.deals) == (record.winners, record.totals, 3)


def test_results_do_not_depend_on_the_number_of_jobs_or_the_executor() -> None:
    plan = _plan()
    alone = list(play(plan, range(30)))
    assert [result.number for result in alone] == list(range(30))
    processes = sorted(play(plan, range(30), jobs=2), key=lambda result: result.number)
    with ThreadPoolExecutor(3) as pool:
        threads = sorted(play(plan, range(30), executor=pool), key=lambda result: result.number)
    assert alone == processes == threads
    assert play_number(plan, 17) == alone[17]
    assert alone != list(play(_plan(seed=8), range(30)))


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_process_killed_in_the_middle_loses_nothing() -> None:
    plan = _plan()
    found = []
    for result in play(plan, range(200), jobs=2):
        found.append(result.number)
        if len(found) == 30:
            _kill_a_child()
    assert sorted(found) == list(range(200))


def _kill_a_child() -> None:
    from multiprocessing import active_children  # noqa: PLC0415

    pid = active_children()[0].pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)


def test_workers_that_are_gone_for_good_end_it_with_an_error() -> None:
    class Gone(Workers):
        def look(self) -> None:
            raise MejaError(_words())

    def _words() -> Any:
        from meja.messages import msg  # noqa: PLC0415

        return msg("all gone")

    with ThreadPoolExecutor(1) as pool, pytest.raises(MejaError, match="all gone"):
        list(play(_plan(), range(1000), executor=Gone(pool)))


def test_a_bot_that_fails_is_named_with_the_deal() -> None:
    plan = _plan(named=("mine", "random"), makers={"mine": Failing})
    with pytest.raises(MejaError, match='the bot "mine" failed in number 5: KeyError'):
        play_number(plan, 5)


def test_a_bot_of_one_s_own_plays_in_other_processes_too() -> None:
    plan = _plan(named=("mine", "random"), makers={"mine": First})
    assert sorted(play(plan, range(6), jobs=2), key=lambda one: one.number) == list(play(plan, range(6)))


@pytest.mark.parametrize("named", [("random",), ("random", "random", "random")])
def test_one_bot_alone_is_refused(named: tuple[str, ...]) -> None:
    with pytest.raises(MejaError, match="two different bots"):
        _plan(named=named)


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(MejaError, match='no bot "rnadom"'):
        _plan(named=("rnadom", "random"))


# -- the report -------------------------------------------------------------------


def _results(*deals: list[tuple[tuple[int, ...], tuple[int, ...]]]) -> list[Result]:
    return [
        Result(number, tuple(Game(seating, scores) for seating, scores in games)) for number, games in enumerate(deals)
    ]


def test_a_report_by_hand() -> None:
    plan = _plan(rules=make_rules("smear", 2))
    # Bot 0 has 3 and 1 where bot 1 has 1 and 2; then 0 and 2 against 0 and 0.
    results = _results([((0, 1), (3, 1)), ((1, 0), (2, 1))], [((0, 1), (0, 0)), ((1, 0), (0, 2))])
    shown = report(plan, results)
    first, second = shown.standings
    assert (first.score.mean, second.score.mean) == (1.5, 0.75)
    assert (first.ahead.mean, second.ahead.mean) == (0.75, -0.75)
    # Deals' means of the lead: 0.5 and 1; error 0.25, t(1) = 12.7062.
    assert first.ahead.half == pytest.approx(12.7062 * 0.25, rel=1e-4)
    assert shown.against[0][1] == first.ahead
    assert shown.against[0][0] is None


def test_where_few_points_are_good_ahead_is_having_fewer() -> None:
    plan = _plan(rules=make_rules("bassadewitz", 3))
    seatings = plan.seatings
    shown = report(plan, _results([(seating, tuple(1 if bot == 0 else 4 for bot in seating)) for seating in seatings]))
    first, second = shown.standings
    assert (first.score.mean, second.score.mean) == (1, 4)
    # The others' seats of bot 1 hold 1 and 4: it is behind by 1.5.
    assert (first.ahead.mean, second.ahead.mean) == (3, -1.5)


def test_matches_count_shares_of_the_win() -> None:
    plan = _plan(rules=make_rules("smear", 2), unit=MATCH)
    games = (Game((0, 1), (11, 3), winners=(0,)), Game((1, 0), (11, 11), winners=(0, 1)))
    shown = report(plan, [Result(0, games)])
    assert [one.wins.mean for one in shown.standings if one.wins] == [0.75, 0.25]
    assert shown.standings[0].ahead.mean == 0.5


def test_in_a_pool_each_bot_meets_each_other() -> None:
    plan = _plan(named=("random", RULES_OF_THUMB, "first", "second"), makers={"first": First, "second": First})
    shown = report(plan, play(plan, range(6)))
    assert [one.games for one in shown.standings] == [6 * 18] * 4
    for one in range(4):
        for two in range(4):
            cell, back = shown.against[one][two], shown.against[two][one]
            assert (cell is None) == (one == two)
            if cell is not None and back is not None:
                assert cell.mean == pytest.approx(-back.mean)
    equal = shown.against[2][3]
    assert equal is not None
    assert equal.mean == pytest.approx(0)


def test_ratings_follow_the_strength() -> None:
    pytest.importorskip("openskill")
    plan = _plan()
    shown = report(plan, play(plan, range(25)))
    ratings = [one.rating for one in shown.standings]
    assert ratings[0] is not None
    assert ratings[1] is not None
    assert ratings[0].skill > ratings[1].skill
