"""The rules of thumb for Bassadewitz: one position, one sentence."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean
from time import perf_counter
from typing import Any

import pytest

from meja.bots import Budget, RandomBot, make_bot
from meja.bots.bassadewitz import BassadewitzThumb, Table, can_run, danger, sure_winners
from meja.bots.bot import Bot
from meja.cards import Rng, card_text, parse_cards
from meja.games.bassadewitz import Bassadewitz, BassadewitzRules

ME = 0


def seen(
    hand: str,
    trick: str = "",
    *,
    gone: str = "",
    taken: tuple[int, ...] | None = None,
    takers: tuple[int, ...] = (),
    void: dict[int, str] | None = None,
    seats: int = 4,
    **options: Any,
) -> Any:
    """The view of seat 0 with this hand; ``trick`` was played by the seats before it.

    ``gone``: cards of earlier tricks. ``takers``: who took those tricks. ``void``: suits shown to be missing.
    """
    made = BassadewitzRules.make(seats, **options)
    cards = parse_cards(trick)
    leader = (ME - len(cards)) % seats
    table = tuple(((leader + place) % seats, card) for place, card in enumerate(cards))
    own = parse_cards(hand)
    legal = [card for card in own if cards and card // 13 == cards[0] // 13] or own
    base = Bassadewitz.shuffle(made, (leader - 1) % seats, Rng(1)).view(leader)
    voids = [0] * seats
    for seat, suits in (void or {}).items():
        voids[seat] = sum(1 << "shdc".index(suit) for suit in suits)
    return replace(
        base,
        seat=ME,
        to_act=ME,
        hand=tuple(own),
        legal=tuple(sorted(legal)),
        leader=leader,
        trick=table,
        log=(*((ME, card) for card in parse_cards(gone)), *table),
        tricks=tuple(((), taker) for taker in takers),
        taken=taken or (0,) * seats,
        voids=tuple(voids),
    )


def choice(*args: Any, **known: Any) -> str:
    view = seen(*args, **known)
    chosen = BassadewitzThumb().act(view, Budget())
    assert chosen in view.legal
    return card_text(chosen)


def test_it_ducks_with_the_highest_card_that_still_loses() -> None:
    assert choice("As Ks 9s 7s 8h", "Ts") == "Ks"
    assert choice("As Ks 9s 7s 8h", "Js 8s Qs") == "9s"


def test_it_gives_the_ten_under_the_ace() -> None:
    assert choice("Ts 8s 7s 8h", "As") == "Ts"


def test_under_natural_rank_it_gives_the_ten_under_the_jack() -> None:
    assert choice("Ts 9s 7s 8h", "Js", natural_rank=True) == "Ts"
    assert choice("Ts 9s 7s 8h", "Js 8s") == "9s"


def test_the_last_player_takes_an_unavoidable_trick_with_the_highest_card() -> None:
    assert choice("Ks Qs Jh 8h", "7s 8s 9s") == "Ks"


def test_the_last_player_does_not_waste_an_ace_on_a_trick_of_blanks() -> None:
    assert choice("As Ks 7h 8h", "7s 8s 9s") == "Ks"


def test_out_of_the_suit_it_throws_the_bare_ten_on_somebody_elses_trick() -> None:
    assert choice("Th 9d 8d 7d Kc 7c", "Qs As 9s") == "Th"


def test_a_bare_ace_goes_before_an_ace_with_small_cards_beside_it() -> None:
    assert choice("Ah Ad 9d 8d 7d", "Qs As 9s") == "Ah"


def test_a_bare_ace_is_more_dangerous_than_a_guarded_one() -> None:
    table = Table(seen("Ah Ad 9d 8d 7d"))
    bare, guarded = parse_cards("Ah Ad")
    assert danger(table, bare) > danger(table, guarded)


def test_a_lowest_card_is_in_no_danger() -> None:
    table = Table(seen("7h Ad"))
    assert danger(table, parse_cards("7h")[0]) == 0


def test_on_lead_late_it_gets_off_lead_with_a_low_card() -> None:
    gone = "Ks Qs Js 9s Kh Qh Jh 7h Td Qd Jd 9d 7d Ac Tc Kc Qc 9c 8c 7c"
    assert choice("7s 9h Kd", gone=gone, takers=(1, 2, 3, 0, 0)) == "7s"


def test_it_does_not_lead_a_suit_that_the_others_have_run_out_of() -> None:
    assert choice("9h Kd 8d", void={1: "h", 2: "h", 3: "h"}, takers=(0, 1, 2, 0, 1)) != "9h"


def test_it_does_not_lead_an_ace_without_need() -> None:
    assert choice("As 8s Qh 9h 8h Jd 9d 7c") not in {"As"}


def test_it_leads_from_a_short_suit_to_run_out_of_it() -> None:
    assert choice("9h Ks Qs 9s 8s Ad Td 8d") == "9h"


def test_it_breaks_a_sweep_with_a_card_that_takes_the_trick() -> None:
    assert choice("As 7s 8h", "Qs 9s 8s", takers=(1,) * 5, taken=(0, 60, 0, 0)) == "As"
    assert choice("As 7s 8h", "Qs 9s 8s", takers=(1, 2, 1, 1, 1), taken=(0, 60, 0, 0)) == "7s"


def test_it_leaves_a_sweep_alone_that_somebody_else_has_just_broken() -> None:
    assert choice("As 7s 8h", "9s 8s Qs", takers=(1,) * 5, taken=(0, 60, 0, 0)) == "7s"


def test_against_a_sweep_it_keeps_the_card_that_may_break_it() -> None:
    assert choice("Ah 7d 8d", "Ks Qs 9s", takers=(1,) * 5, taken=(0, 60, 0, 0)) in {"7d", "8d"}
    assert choice("Ah 7d 8d", "Ks Qs 9s", takers=(1, 2, 1, 1, 1), taken=(0, 40, 20, 0)) == "Ah"


def test_it_feeds_a_player_close_to_a_hundred_when_it_has_to_pay_anyway() -> None:
    assert choice("Ah 7d 8d", "As Qs 9s", taken=(20, 75, 0, 0), takers=(1, 1, 1, 0, 1)) == "Ah"


def test_it_starves_a_player_close_to_a_hundred_when_it_is_lowest_itself() -> None:
    known = {"taken": (0, 75, 10, 5), "takers": (1, 1, 2, 3, 1)}
    assert choice("Ah 7d 8d", "As Qs 9s", **known) in {"7d", "8d"}
    assert choice("Ts 8s 7d", "As Qs 9s", **known) == "8s"


def test_with_the_pool_it_always_feeds_a_player_close_to_a_hundred() -> None:
    known: dict[str, Any] = {"taken": (0, 75, 10, 5), "takers": (1, 1, 2, 3, 1), "classic_pool": True}
    assert choice("Ah 7d 8d", "As Qs 9s", **known) == "Ah"


def test_it_runs_all_tricks_when_they_are_sure() -> None:
    view = seen("As Ts Ks Qs Js 9s 8s 7s")
    assert can_run(Table(view))
    assert choice("As Ts Ks Qs Js 9s 8s 7s") == "As"
    assert not can_run(Table(seen("As Ts Ks Qs Js 9s 8s 7h")))
    assert not can_run(Table(seen("As Ts", takers=(0, 0, 1, 0, 0, 0))))


@pytest.mark.parametrize(
    ("hand", "gone", "sure"),
    [
        ("As Ts Ks", "", 3),
        ("As Ks", "", 1),
        ("As Ks", "Ts", 2),
        ("Ts 9s", "", 0),
        ("As Ts Ks Qs 7s", "", 5),
        ("As Ts Ks 7s", "", 3),
        ("7s", "As Ts Ks Qs Js 9s 8s", 1),
    ],
)
def test_sure_winners_are_counted_against_the_worst_lie_of_the_cards(hand: str, gone: str, sure: int) -> None:
    assert sure_winners(Table(seen(hand, gone=gone)), 0) == sure


def test_a_single_legal_card_is_played() -> None:
    assert choice("As 7h 8h", "Ks Qs 9s") == "As"


def duel(one: Bot, others: Bot, deals: int, seats: int = 4, **options: Any) -> float:
    """The mean score of ``one`` less that of the others, on the same deals in every seat."""
    made = BassadewitzRules.make(seats, **options)
    rng = Rng(77, seats)
    differences = []
    for number in range(deals):
        dealt = Bassadewitz.shuffle(made, number % seats, rng)
        for seat in range(seats):
            deal = dealt.clone()
            while deal.to_act is not None:
                bot = one if deal.to_act == seat else others
                deal.advance(bot.act(deal.view(deal.to_act), Budget(seed=number)))
            score = deal.score()
            differences.append(score[seat] - (sum(score) - score[seat]) / (seats - 1))
    return mean(differences)


@pytest.mark.parametrize(
    ("seats", "options", "margin"),
    [
        (4, {}, 1.0), (3, {}, 1.0), (5, {}, 0.5), (4, {"ace5": True}, 1.0), (4, {"natural_rank": True}, 1.0),
        (4, {"trick_points": True}, 1.0),
    ],
)  # fmt: skip
def test_it_pays_clearly_less_than_random_players(seats: int, options: dict[str, Any], margin: float) -> None:
    assert duel(BassadewitzThumb(), RandomBot(), 100, seats, **options) < -margin


def test_it_wins_clearly_more_chips_than_random_players() -> None:
    assert duel(BassadewitzThumb(), RandomBot(), 100, classic_pool=True) > 0.8


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_it_always_plays_a_legal_card_and_the_same_one_again(seats: int) -> None:
    rng = Rng(5, seats)
    bot = make_bot("rules-of-thumb", "bassadewitz")
    for _ in range(15):
        deal = Bassadewitz.shuffle(BassadewitzRules.make(seats), 0, rng)
        while deal.to_act is not None:
            view = deal.view(deal.to_act)
            action = bot.act(view, Budget())
            assert action in view.legal
            hidden_moved = deal.determinize(deal.to_act, rng).view(deal.to_act)
            assert bot.act(hidden_moved, Budget(seed=9)) == action
            deal.apply(action)


def test_a_decision_takes_well_under_a_millisecond() -> None:
    rng = Rng(6)
    bot = BassadewitzThumb()
    times = []
    for _ in range(10):
        deal = Bassadewitz.shuffle(BassadewitzRules.make(4), 0, rng)
        while deal.to_act is not None:
            view = deal.view(deal.to_act)
            started = perf_counter()
            action = bot.act(view, Budget())
            times.append(perf_counter() - started)
            deal.advance(action)
    times.sort()
    assert times[len(times) // 2] < 0.001
