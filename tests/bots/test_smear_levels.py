"""The levels of Smear: bids and cards that follow from the rules."""

from __future__ import annotations

from typing import Any

import pytest

import meja
from meja import Rng
from meja.bots import Budget, make_bot
from meja.bots.leveled import COMPILED
from meja.bots.match_sense import Race, standing
from meja.bots.smear_bids import Auction, side_features, sure_points, table_for, trump_features
from meja.cards import card_text, mask_of, parse_card, parse_cards
from meja.deal import Context, Layout
from meja.games.smear import BID, PASS, Smear
from meja.search.tricks import Tricks
from meja.search.weights import NET, learned_policy

WORLDS = 80 if COMPILED else 16
GOOD = ("strong", "master")

PLAIN = ["7h 4d 8c 3h 9d 6c", "Th 5d 9c 6h Jd 2c", "8h 3d 7c 9h 2d Kc"]


def opening(hand: str, seats: int = 3, me: int = 0, calls: str = "", totals: tuple[int, ...] = (0, 0, 0),
            **options: Any) -> Any:  # fmt: skip
    """A deal in its auction in which seat ``me`` holds ``hand``; forehand is seat 0. ``calls``: 0 is a pass."""
    rules = meja.make_rules("smear", seats, **options)
    mine = parse_cards(hand)
    rest = [card for card in range(52) if card not in mine]
    Rng(3).shuffle(rest)
    hands = [tuple(rest[6 * seat : 6 * seat + 6]) for seat in range(seats)]
    hands[me] = tuple(mine)
    deal: Any = Smear.from_layout(rules, seats - 1, Layout(tuple(hands)), Context(totals[:seats]))
    for number in calls.split():
        deal.apply(BID | int(number) if number != "0" else PASS)
    return deal


def called(level: str, deal: Any, seed: int = 1) -> int:
    action = make_bot(level, "smear").act(deal.view(deal.to_act), Budget(seed=seed, iterations=WORLDS))
    return 0 if action == PASS else action - BID


@pytest.mark.parametrize("level", [*GOOD, "casual"])
@pytest.mark.parametrize("hand", ["9h 4d 8c 3h 9d 6c", "9s 8h 7d 6c 8s 9d", "Qh Qd 6c 7c 8d 5s"])
def test_a_hand_without_high_cards_is_passed(level: str, hand: str) -> None:
    assert called(level, opening(hand)) == 0


@pytest.mark.parametrize("level", GOOD)
def test_ace_king_jack_and_low_of_one_suit_are_worth_a_bid(level: str) -> None:
    assert called(level, opening("As Ks Js 2s Ts Ah")) >= 2
    assert called(level, opening("As Ks Js 2s Ts Ah", me=1, calls="2")) >= 3


@pytest.mark.parametrize("level", GOOD)
def test_as_the_last_caller_no_more_is_bid_than_needed(level: str) -> None:
    assert called(level, opening("As Ks Js 2s Ts Ah", me=2, calls="0 0")) == 2
    assert called(level, opening("As Ks Js 2s Ts Ah", me=2, calls="0 2")) == 3


@pytest.mark.parametrize("level", GOOD)
def test_a_dealer_who_may_steal_matches_the_bid_and_does_not_raise_it(level: str) -> None:
    assert called(level, opening("As Ks Js 2s Ts Ah", me=2, calls="0 3", dealer_steal=True)) == 3


@pytest.mark.parametrize("level", GOOD)
def test_four_is_not_bid_without_the_jack(level: str) -> None:
    assert called(level, opening("As Ks Qs 2s Th Ah")) in (2, 3)


@pytest.mark.parametrize("level", ["beginner", "casual", *GOOD])
def test_a_dealer_who_has_to_bid_bids_the_least_with_a_bad_hand(level: str) -> None:
    assert called(level, opening("9h 4d 8c 3h 9d 6c", me=2, calls="0 0", all_pass="dealer_two")) == 2


@pytest.mark.parametrize("level", GOOD)
def test_a_dealer_who_would_pay_two_bids_two_with_a_fair_hand(level: str) -> None:
    hand = "Kh 4h Td 8c 9d Ac"
    assert called(level, opening(hand, me=2, calls="0 0", all_pass="dealer_minus_two")) == 2


# -- the table -----------------------------------------------------------------------------


def test_more_top_trumps_are_worth_more() -> None:
    table = table_for(meja.make_rules("smear", 3))
    order = ["9h 4d 8c 3h 9d 6c", "Ks 4d 8c 3s 9d 6c", "As Ks 8c 3s 9d 6c", "As Ks Js 3s 9d 6c", "As Ks Js 2s Td 6c"]
    worth = [table.worth(mask_of(parse_cards(hand)))[1] for hand in order]
    assert worth == sorted(worth)
    assert worth[0] < 0 < worth[-1]


def test_a_higher_bid_is_worth_less() -> None:
    table = table_for(meja.make_rules("smear", 3))
    rng, pack = Rng(1), list(range(52))
    lower = 0
    for _ in range(200):
        rng.shuffle(pack)
        two, three, four = table.worth(mask_of(pack[:6]))[1:]
        lower += (two >= three) + (three >= four)
    assert lower > 380


def test_suits_are_alike() -> None:
    table = table_for(meja.make_rules("smear", 3))
    hands = ["As Ks 8c 3s 9d 6c", "Ah Kh 8s 3h 9c 6s", "Ac Kc 8d 3c 9h 6d"]
    first, *others = [table.worth(mask_of(parse_cards(hand))) for hand in hands]
    assert all(other == pytest.approx(first) for other in others)


def test_the_chances_in_the_table_are_those_of_the_cards() -> None:
    ace, king, deuce = 1 << 12, 1 << 11, 1 << 0
    assert trump_features(ace, 3, False)[10] == 1.0
    # One card of 46 not among 12.
    assert trump_features(king, 3, False)[10] == pytest.approx(34 / 46)
    assert trump_features(king, 3, True)[10] == 0.0
    assert trump_features(deuce, 2, False)[11] == 1.0
    assert side_features(0) == (0.0,) * 7


# -- the auction ---------------------------------------------------------------------------


def auction(deal: Any, worlds: int) -> Auction:
    view = deal.view(deal.to_act)
    made = Auction(view, learned_policy(view.rules, NET), Race(view))
    made.run(worlds, 5)
    return made


def test_worlds_of_the_auction_are_possible_and_batches_add_up() -> None:
    deal = opening("As Ks 8c 3s 9d 6c", me=1, calls="2")
    made = auction(deal, 0)
    rng = Rng(4)
    for _ in range(50):
        hands = made.draw(rng)
        assert [hand.bit_count() for hand in hands] == [6, 6, 6]
        assert sum(hands).bit_count() == 18
        assert hands[1] == mask_of(parse_cards("As Ks 8c 3s 9d 6c"))
    whole, parts = auction(deal, 12), auction(deal, 5)
    parts.run(7, 5)
    assert whole.values() == parts.values()


def test_everything_of_a_lone_bidder_counts_as_the_rules_say() -> None:
    # The best hand there is: High, Low, Jack and Game for sure, with nobody left to call.
    deal = opening("As Ks Qs Js 2s Ts", me=2, calls="0 0")
    values = auction(deal, 20).values()
    assert values[2] == values[3] == values[4] == pytest.approx(4.0)
    assert values[0] == 0.0
    pays = opening("As Ks Qs Js 2s Ts", me=2, calls="0 0", all_pass="dealer_minus_two")
    assert auction(pays, 20).values()[0] == -2.0


# -- play ----------------------------------------------------------------------------------


def playing(hands: list[str], bidder: int, bid: int, plays: str = "", **options: Any) -> Any:
    """A deal in play; forehand is seat 0."""
    rules = meja.make_rules("smear", len(hands), **options)
    layout = Layout(tuple(tuple(parse_cards(hand)) for hand in hands))
    deal: Any = Smear.from_layout(rules, len(hands) - 1, layout, Context((0,) * len(hands)))
    for seat in range(len(hands)):
        if deal.phase == "bid":
            deal.apply(BID | bid if seat == bidder else PASS)
    for word in plays.split():
        deal.apply(parse_card(word))
    return deal


def card(level: str, deal: Any, seed: int = 1) -> str:
    return card_text(make_bot(level, "smear").act(deal.view(deal.to_act), Budget(seed=seed, iterations=WORLDS)))


@pytest.mark.parametrize("level", GOOD)
def test_the_last_player_takes_a_ten_with_a_card_that_costs_nothing(level: str) -> None:
    deal = playing(["As 7s 6h 5d 4c 3c", "Th 9d 8d 7c 6c 5c", "Kh 9h 7d 4d 3d 2c"], 0, 2, "As 9d 2c 6h Th")
    assert card(level, deal) == "Kh"


@pytest.mark.parametrize("level", GOOD)
def test_the_jack_of_trumps_that_can_be_caught_for_sure_is_caught(level: str) -> None:
    deal = playing(["Js 7h 6h 5d 4c 3c", "9h 9d 8d 7c 6c 5c", "Qs 2s 7d 4d 3d 2c"], 0, 2, "Js 9d")
    assert card(level, deal) == "Qs"


@pytest.mark.parametrize("level", GOOD)
def test_low_is_brought_home_by_its_taker_as_the_last_to_play(level: str) -> None:
    # Low goes to the taker: the deuce of trumps wins this trick of plain cards for sure.
    deal = playing(["As 7h 6h 5d 4c 3c", "9h 9d 8d 7c 6c 5c", "Qs 2s 7d 4d 3d Kc"], 0, 2, "As 9d Qs 7h 9h", low="taker")
    deal2 = deal.clone()
    assert deal2.to_act == 2
    assert card(level, deal) == "2s"


# -- the race ------------------------------------------------------------------------------


def race(totals: tuple[int, ...], me: int = 0, **options: Any) -> Race:
    return Race(opening("As Ks 8c 3s 9d 6c", me=0, totals=totals, **options).view(me))


def worth(made: Race, score: tuple[int, ...], bidder: int) -> float:
    game = Tricks()
    game.seats = len(score)
    game.points = [*score, *([0] * (5 - len(score)))]
    return float(made.utility(bidder).value(game, made.me))


def test_far_from_the_target_the_margin_counts() -> None:
    assert worth(race((2, 6, 0)), (3, 1, 0), 0) == pytest.approx(2.5)


def test_a_made_bid_at_the_target_wins_and_nothing_else_does() -> None:
    made = race((9, 10, 3))
    # Seat 0 bids 2 and makes it: 11.
    assert worth(made, (2, 1, 1), 0) > 9.9
    # The other bidder reaches 12.
    assert worth(made, (1, 2, 1), 1) < 0.1
    # At 12 without a bid of one's own nothing is won yet, nor lost.
    assert 2 < worth(made, (3, -2, 1), 1) < 9
    # Set back with a rival at 10: less than before.
    assert worth(made, (-2, 1, 1), 0) < worth(made, (2, -2, 1), 1)
    strict = race((9, 10, 3), win="strict_next_deal")
    assert 2 < worth(strict, (2, 1, 1), 0) < 9


def test_all_four_points_win_at_once_with_the_smudge() -> None:
    assert worth(race((7, 0, 0), smudge="win_game"), (4, 0, 0), 1) > 9.9
    assert worth(race((7, 0, 0)), (4, 0, 0), 1) < 9.5


def test_who_needs_less_stands_better() -> None:
    for seats in (2, 3):
        for win in ("bid_out", "strict_next_deal", "bidder_first", "count_order"):
            rules = meja.make_rules("smear", seats, win=win)
            stands = [standing(rules, total) for total in range(-12, 12)]
            assert stands == sorted(stands)
            assert stands[-1] > 2 * stands[12]


def test_passed_out_with_a_dealer_who_pays_costs_the_dealer() -> None:
    assert race((9, 10, 3), me=2, all_pass="dealer_minus_two").passed_out(2) < race((9, 10, 3), me=2).passed_out(2)


# -- what is sure --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "seats", "options", "points"),
    [
        ("9h 8h 7d 6d 5c 4c", 3, {}, 0),
        ("Ks Kh Kd Kc Jc 2c", 3, {}, 0),
        ("As Ah Ad Ac 7s 6h", 3, {}, 1),
        ("As 2s 9h 8d 7c 6c", 3, {}, 2),
        ("As 2s 9h 8d 7c 6c", 3, {"low": "taker"}, 1),
        ("As Ks Js 2s Th 3d", 3, {}, 2),
        ("As Ks Qs Js 2s 9h", 3, {}, 3),
        ("As Ks Qs Js Ts 2s", 3, {}, 4),
        ("As Ks Qs Js Ts 2s", 3, {"low": "taker"}, 3),
        ("As Ks Qs Js Ts 9s", 3, {}, 3),
        ("As Ks Qs Js Ts 9s", 3, {"low": "taker"}, 4),
        # The last trick may hold three tens among three players, but one among two.
        ("As Ks Qs Js Ts 9h", 3, {}, 2),
        ("As Ks Qs Js Ts 9h", 2, {}, 3),
    ],
)
def test_what_a_hand_is_sure_of(hand: str, seats: int, options: dict[str, Any], points: int) -> None:
    rules: Any = meja.make_rules("smear", seats, **options)
    assert sure_points(rules, mask_of(parse_cards(hand))) == points


@pytest.mark.parametrize("level", ["strong", "master"])
def test_sure_points_are_never_passed_and_four_end_the_auction(level: str) -> None:
    assert called(level, opening("As 2s 9h 8d 7c 6c")) >= 2
    assert called(level, opening("As Ks Qs Js Ts 2s")) == 4
    # Seat 0 has 12 points: the sure point of the ace wins the match, and as the first to call it says no more.
    assert called(level, opening("As 9s 8h 7h 6d 5c", totals=(12, 3, 4), min_bid=1)) == 1
