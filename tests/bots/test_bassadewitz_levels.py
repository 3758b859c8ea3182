"""The levels of Bassadewitz: what they play follows from the rules."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

import meja
from meja import Rng
from meja.bots import Budget, make_bot
from meja.bots.bassadewitz_levels import Beginner, may_sweep
from meja.bots.leveled import COMPILED, card_scores, seen
from meja.bots.match_sense import margin, places_utility, scores_of_a_deal
from meja.cards import card_text, parse_card, parse_cards
from meja.deal import Context, Layout
from meja.games.bassadewitz import Bassadewitz
from meja.search.tricks import Tricks
from meja.search.weights import NET, learned_policy

WORLDS = 60 if COMPILED else 6
#: The levels that never make such a mistake.
GOOD = ("strong", "master")


def position(
    hands: list[str],
    plays: str = "",
    dealer: int = 3,
    totals: tuple[int, ...] = (0, 0, 0, 0),
    counted: int = 0,
    **options: Any,
) -> Any:
    """A deal with these hands (forehand is seat 0), after these cards."""
    rules = meja.make_rules("bassadewitz", len(hands), **options)
    layout = Layout(tuple(tuple(parse_cards(hand)) for hand in hands))
    context = Context(totals, counted, counted)
    deal: Any = Bassadewitz.from_layout(rules, dealer, layout, context)
    for word in plays.split():
        deal.apply(parse_card(word))
    return deal


def chosen(level: str, deal: Any, seed: int = 1) -> str:
    return card_text(make_bot(level, "bassadewitz").act(deal.view(deal.to_act), Budget(seed=seed, iterations=WORLDS)))


HANDS = ["As Qs 9s 7s Kh Qd Jd 9c", "Ks 8h Td 9d 8d 7d Kc Qc", "Js 8s Th Qh Jh Kd Tc 8c", "Ts Ah 9h 7h Ad Ac Jc 7c"]


@pytest.mark.parametrize("level", GOOD)
def test_the_last_player_ducks_under_a_trick_full_of_points(level: str) -> None:
    deal = position(
        ["Ah 7s 8s 9s 7d 8d 9d 7c", "Th Js Qs Ks Jd Qd Kd 8c", "Kh Ts As Jc Qc Kc Td 9c", "Qh 7h 8h 9h Jh Tc Ac Ad"],
        "Ah Th Kh",
    )
    assert chosen(level, deal) in ("Qh", "Jh", "9h")


@pytest.mark.parametrize("level", GOOD)
def test_out_of_the_suit_an_ace_or_ten_goes_on_the_trick_of_another(level: str) -> None:
    deal = position(
        ["Kh 7s 8s 9s 7d 8d 9d Jd", "Qh Js Qs Ks Jh Qd Kd 8c", "9h Ts As Jc Qc Kc Td 9c", "Th 7h 8h Ah 7c Tc Ac Ad"],
        "7s Js",
    )
    # Seat 2 follows; seat 3 has no spades: any of its dear cards is right, no blank.
    deal.apply(parse_card("Ts"))
    assert chosen(level, deal) in ("Ac", "Tc", "Ad", "Th", "Ah")


@pytest.mark.skipif(not COMPILED, reason="takes hundreds of worlds")
def test_the_master_takes_the_last_tricks_of_a_sweep() -> None:
    # Seat 0 has every trick and only the highest cards left; leading anything but a winner would be 26 points for all.
    deal = position(
        ["As Ts Ks Qs Js 9s 8s Ah", "7s 7h 8h 9h 7d 8d 9d Jd", "Qh Jh Kh Jc Qc Kc Td 9c", "Th Ad Qd Kd 7c Tc Ac 8c"],
        "As 7s Qh Th Ts 7d Jc 7c Ks 8d 9c 8c Qs 9d Qc Qd Js Jd Kc Kd 9s 7h Jh Tc",
    )
    assert deal.tricks[0] == 6
    assert may_sweep(deal.view(0))
    assert chosen("master", deal) in ("8s", "Ah")


def test_a_beginner_never_plays_much_worse_than_the_judge_allows() -> None:
    rng, judge = Rng(3), None
    rules = meja.make_rules("bassadewitz", 4)
    judge = learned_policy(rules, NET)
    worst, varied = 0.0, 0
    for number in range(80 if COMPILED else 10):
        deal: Any = meja.new_match(rules, dealer=0).next_deal(rng.fork())
        while deal.to_act is not None:
            view = deal.view(deal.to_act)
            action = make_bot("beginner", "bassadewitz").act(view, Budget(seed=number))
            if len(view.legal) > 1:
                scores = card_scores(seen(view), judge)
                worst = max(worst, max(scores.values()) - scores[action])
                varied += action != max(scores, key=lambda card: scores[card])
            deal.advance(action)
    assert 0.2 < worst <= Beginner.cap + 1e-9
    assert varied


# -- what a score is worth -----------------------------------------------------------------


def value(utility: Any, score: tuple[int, ...], seat: int) -> float:
    game = Tricks()
    game.seats = len(score)
    game.points = [*score, *([0] * (5 - len(score)))]
    return float(utility.value(game, seat))


def test_the_margin_is_how_far_a_seat_is_ahead_of_the_others() -> None:
    rules = meja.make_rules("bassadewitz", 4)
    assert value(margin(rules), (0, 3, 4, 5), 0) == pytest.approx(4)
    assert value(margin(rules), (-4, 0, -4, -4), 1) == pytest.approx(-4)
    pool = meja.make_rules("bassadewitz", 4, classic_pool=True)
    assert value(margin(pool), (12, -4, -4, -4), 0) == pytest.approx(16)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_score_of_played_deals_is_in_the_list(seats: int) -> None:
    rules: Any = meja.make_rules("bassadewitz", seats)
    rng = Rng(5, seats)
    listed = set(scores_of_a_deal(rules, 0))
    assert {score for score in listed if 0 in score} >= set(permutations(Bassadewitz.place_table(rules)))
    for _ in range(150):
        deal: Any = meja.new_match(rules, dealer=0).next_deal(rng.fork())
        while deal.to_act is not None:
            legal = deal.legal_actions()
            deal.advance(legal[rng.below(len(legal))])
        assert tuple(deal.score()) in listed


@pytest.mark.parametrize("options", [{"classic_pool": True}, {"classic_pool": True, "sweep_takes_pool": True}])
def test_every_score_with_the_pool_is_in_the_list(options: dict[str, Any]) -> None:
    rules = meja.make_rules("bassadewitz", 4, **options)
    rng, listed = Rng(5), set(scores_of_a_deal(rules, 2))
    for _ in range(150):
        deal: Any = meja.new_match(rules, dealer=2).next_deal(rng.fork())
        while deal.to_act is not None:
            legal = deal.legal_actions()
            deal.advance(legal[rng.below(len(legal))])
        assert tuple(deal.score()) in listed


def test_in_the_last_deal_only_winning_the_match_counts() -> None:
    # Seat 0 has 20; the leader has 18, the others are far behind: a place between 0 and 3 decides, 4 or 5 is the same.
    deal = position(HANDS, totals=(20, 18, 40, 40), counted=7)
    utility = places_utility(deal.view(0))
    ahead, behind = value(utility, (0, 3, 4, 5), 0), value(utility, (3, 0, 4, 5), 0)
    assert ahead > behind + 5
    # A hundred saves everybody but its runner: the leader's hundred wins the match for seat 0.
    assert value(utility, (-4, 0, -4, -4), 0) > behind + 5
    # Shared: 20 + 3 is 18 + 5.
    assert behind < value(utility, (3, 5, 4, 0), 0) < ahead
    assert abs(value(utility, (4, 0, 3, 5), 0) - value(utility, (5, 0, 3, 4), 0)) < 0.1


def test_far_from_the_end_the_margin_counts() -> None:
    deal = position(HANDS, totals=(20, 18, 40, 40), counted=2)
    assert value(places_utility(deal.view(0)), (0, 3, 4, 5), 0) == pytest.approx(4)
