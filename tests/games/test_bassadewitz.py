"""Bassadewitz: dealing, playing, counting and scoring one deal, by the rule book."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from meja import rulebook
from meja.cards import Rng, cards_text, parse_card, parse_cards
from meja.deal import Layout
from meja.errors import ActionTextError, GameOver, IllegalAction, MejaError, RulesError
from meja.games import make_rules, new_match
from meja.games.bassadewitz import Bassadewitz, BassadewitzRules

RECORDS = sorted((Path(__file__).parents[1] / "records" / "bassadewitz").glob("*.meja"))

GOLDEN_HANDS = (
    "As Qs 9s 7s Kh Qd Jd 9c",
    "Ks 8h Td 9d 8d 7d Kc Qc",
    "Js 8s Th Qh Jh Kd Tc 8c",
    "Ts Ah 9h 7h Ad Ac Jc 7c",
)
GOLDEN_TRICKS = (
    ("0 7s", "1 Ks", "2 Js", "3 Ts", 3, 16),
    ("3 7h", "0 Kh", "1 8h", "2 Qh", 0, 7),
    ("0 9s", "1 Td", "2 8s", "3 Ah", 0, 21),
    ("0 9c", "1 Qc", "2 8c", "3 Jc", 1, 5),
    ("1 7d", "2 Kd", "3 Ad", "0 Qd", 3, 18),
    ("3 7c", "0 As", "1 Kc", "2 Tc", 2, 25),
    ("2 Jh", "3 9h", "0 Qs", "1 9d", 2, 5),
    ("2 Th", "3 Ac", "0 Jd", "1 8d", 2, 23),
)


def rules(seats: int = 4, **options: Any) -> BassadewitzRules:
    return BassadewitzRules.make(seats, **options)


def dealt(*hands: str, dealer: int = 3, **options: Any) -> Bassadewitz:
    layout = Layout(tuple(tuple(parse_cards(hand)) for hand in hands))
    return Bassadewitz.from_layout(rules(len(hands), **options), dealer, layout)


def golden(**options: Any) -> Bassadewitz:
    return dealt(*GOLDEN_HANDS, **options)


def play(deal: Bassadewitz, cards: str) -> Bassadewitz:
    for card in parse_cards(cards):
        deal.apply(card)
    return deal


def middle_of_a_trick(hands: Sequence[str], trick: str, leader: int = 0, **options: Any) -> Bassadewitz:
    """A position with short hands and some cards on the table, set up without playing up to it."""
    deal = Bassadewitz.shuffle(rules(len(hands), **options), (leader - 1) % len(hands), Rng(1))
    deal.hands = [sum(1 << card for card in parse_cards(hand)) for hand in hands]
    for card in parse_cards(trick):
        assert deal.to_act is not None
        deal.hands[deal.to_act] |= 1 << card
        deal.advance(card)
    return deal


def finished_with_counts(points: Sequence[int], tricks: Sequence[int], dealer: int = 3, **options: Any) -> Bassadewitz:
    """A finished deal whose card points and tricks are set directly, where an example tells only these."""
    deal = Bassadewitz.shuffle(rules(len(points), **options), dealer, Rng(1))
    deal.taken = list(points)
    deal.tricks = list(tricks)
    deal.to_act = None
    return deal


def legal_text(deal: Bassadewitz) -> set[str]:
    return {deal.text(action).removeprefix("play ") for action in deal.legal_actions()}


# -- cards and the deal -----------------------------------------------------------------


@pytest.mark.rule("B1.3", "B1.4")
@pytest.mark.parametrize(
    ("options", "total"),
    [({}, 120), ({"ace5": True}, 96)],
)
def test_the_pack_has_32_cards_and_holds_the_known_total(options: dict[str, Any], total: int) -> None:
    made = rules(**options)
    pack = Bassadewitz.pack(made)
    assert len(set(pack)) == 32
    values = Bassadewitz.values(made)
    assert sum(values[card] for card in pack) == total
    for suit in "shdc":
        assert sum(values[parse_card(rank + suit)] for rank in "ATKQJ987") == total // 4


@pytest.mark.rule("B1.4")
@pytest.mark.parametrize(
    ("rank", "points"), [("A", 11), ("T", 10), ("K", 4), ("Q", 3), ("J", 2), ("9", 0), ("8", 0), ("7", 0)]
)
def test_a_card_counts_its_points(rank: str, points: int) -> None:
    assert {Bassadewitz.values(rules())[parse_card(rank + suit)] for suit in "shdc"} == {points}


@pytest.mark.rule("B4.1", "B7.3")
def test_with_ace5_and_trick_points_all_players_together_have_104() -> None:
    deal = golden(ace5=True, trick_points=True)
    play(deal, "7s Ks Js Ts 7h Kh 8h Qh 9s Td 8s Ah 9c Qc 8c Jc 7d Kd Ad Qd 7c As Kc Tc Jh 9h Qs 9d Th Ac Jd 8d")
    assert sum(deal.taken) == 104


@pytest.mark.rule("B1.2", "B2.1", "B2.2")
@pytest.mark.parametrize(("seats", "size", "left_over"), [(3, 10, 2), (4, 8, 0), (5, 6, 2)])
def test_every_player_is_dealt_the_same_number_one_card_at_a_time_from_forehand(
    seats: int, size: int, left_over: int
) -> None:
    pack = Bassadewitz.pack(rules(seats))
    deal = Bassadewitz.start(rules(seats), 1, pack)
    assert deal.to_act == 2 % seats
    assert [hand.bit_count() for hand in deal.hands] == [size] * seats
    for place in range(seats):
        seat = (2 + place) % seats
        expected = {pack[place + round_ * seats] for round_ in range(size)}
        assert deal.hands[seat] == sum(1 << card for card in expected)
    assert cards_text(deal.zones()["out of play"]) == cards_text(pack[32 - left_over :])


@pytest.mark.rule("B2.3")
def test_the_first_decision_is_a_card_to_play() -> None:
    deal = golden()
    assert deal.phase == "play"
    assert all(deal.text(action).startswith("play ") for action in deal.legal_actions())


@pytest.mark.parametrize(
    ("hands", "what"),
    [
        (GOLDEN_HANDS[:3], "hands"),
        ((*GOLDEN_HANDS[:3], "Ts Ah 9h 7h Ad Ac Jc"), "7 cards"),
        ((*GOLDEN_HANDS[:3], "Ts Ah 9h 7h Ad Ac Jc 8c"), "twice"),
        ((*GOLDEN_HANDS[:3], "Ts Ah 9h 7h Ad Ac Jc 6c"), "not in the pack"),
        ((*GOLDEN_HANDS[:3], "Ts Ah 9h 7h Ad Ac Jc Jk"), "not in the pack"),
    ],
)
def test_a_wrong_layout_is_refused(hands: Sequence[str], what: str) -> None:
    layout = Layout(tuple(tuple(parse_cards(hand)) for hand in hands))
    with pytest.raises(MejaError, match=what):
        Bassadewitz.from_layout(rules(4), 3, layout)


@pytest.mark.parametrize("stranger", [-1, 57, 63, 64, 99, 10**30])
def test_a_layout_with_a_number_that_is_no_card_is_refused(stranger: int) -> None:
    hands = [tuple(parse_cards(hand)) for hand in GOLDEN_HANDS]
    hands[0] = (*hands[0][:7], stranger)
    with pytest.raises(MejaError, match="not in the pack"):
        Bassadewitz.from_layout(rules(4), 3, Layout(tuple(hands)))


def test_a_layout_with_cards_of_another_game_is_refused() -> None:
    hands = tuple(tuple(parse_cards(hand)) for hand in GOLDEN_HANDS)
    for layout in (Layout(hands, monte=(5,)), Layout(hands, upcard=5), Layout(hands, stock=(5,))):
        with pytest.raises(MejaError):
            Bassadewitz.from_layout(rules(4), 3, layout)


def test_only_the_whole_pack_can_be_dealt() -> None:
    with pytest.raises(MejaError, match="pack"):
        Bassadewitz.start(rules(4), 3, Bassadewitz.pack(rules(4))[:-1])


# -- playing ----------------------------------------------------------------------------


@pytest.mark.rule("B3.1")
def test_a_leader_may_lead_any_card() -> None:
    deal = golden()
    assert legal_text(deal) == set(GOLDEN_HANDS[0].split())
    for card in parse_cards("7s Ks Js Ts"):
        deal.apply(card)
    assert deal.to_act == 3
    assert legal_text(deal) == {"Ah", "9h", "7h", "Ad", "Ac", "Jc", "7c"}


@pytest.mark.rule("B3.2")
def test_whoever_holds_the_suit_led_must_follow_with_either_card() -> None:
    deal = middle_of_a_trick(["7c", "7s Ks Ah", "7h", "8h"], "8s")
    assert legal_text(deal) == {"7s", "Ks"}


@pytest.mark.rule("B3.2")
def test_whoever_is_void_may_play_anything() -> None:
    deal = middle_of_a_trick(["7c", "Ah Td 8c", "7h", "8h"], "8s")
    assert legal_text(deal) == {"Ah", "Td", "8c"}


@pytest.mark.rule("B3.2")
def test_nobody_has_to_beat_the_cards_on_the_table() -> None:
    deal = middle_of_a_trick(["7c", "7s As", "7h", "8h"], "8s")
    assert deal.is_legal(parse_card("7s"))


@pytest.mark.rule("B3.3", "B3.4")
@pytest.mark.parametrize(
    ("trick", "taker", "points"),
    [
        ("7h Ah As Jh", 1, 24),
        ("Kd Td Qd 9d", 1, 17),
        ("Tc Ah Jc Ac", 3, 34),
        ("9h As Ad Tc", 0, 32),
        ("7s 8s 9s Js", 3, 2),
        ("Th Ah 7h 8h", 1, 21),
        ("Ks Ts As Qs", 2, 28),
    ],
)
def test_the_strongest_card_of_the_suit_led_takes_the_trick_and_its_taker_leads(
    trick: str, taker: int, points: int
) -> None:
    deal = middle_of_a_trick(["7d", "8d", "9c", "8c"], trick)
    assert deal.to_act == deal.leader == taker
    assert deal.taken == [points if seat == taker else 0 for seat in range(4)]
    assert deal.tricks == [1 if seat == taker else 0 for seat in range(4)]
    assert deal.trick == []


@pytest.mark.rule("B1.3", "B3.3")
def test_the_order_of_rank_is_ace_ten_king_queen_jack_nine_eight_seven() -> None:
    power = Bassadewitz.strengths(rules())
    for suit in "shdc":
        cards = [parse_card(rank + suit) for rank in "ATKQJ987"]
        assert cards == sorted(cards, key=lambda card: -power[card])


@pytest.mark.rule("B7.4")
def test_natural_rank_puts_the_ten_below_the_jack_but_it_still_counts_ten() -> None:
    deal = middle_of_a_trick(["7h", "8h", "9h", "8c"], "Ts Js Qs 9s", natural_rank=True)
    assert deal.leader == 2
    assert deal.taken[2] == 15
    deal = middle_of_a_trick(["7h", "8h", "9h", "8c"], "Ts Js 9s 8s", natural_rank=True)
    assert deal.leader == 1
    deal = middle_of_a_trick(["7h", "8h", "9h", "8c"], "Ts Js 9s 8s")
    assert deal.leader == 0


@pytest.mark.rule("B7.4")
def test_natural_rank_sorts_hands_in_its_own_order() -> None:
    order = "As Ks Qs Js Ts 9s 8s 7s"
    deal = Bassadewitz.start(rules(natural_rank=True), 3, Bassadewitz.pack(rules()))
    assert cards_text(deal.sorted_hand(sum(1 << card for card in parse_cards(order)))) == order
    assert cards_text(golden().sorted_hand(sum(1 << card for card in parse_cards(order)))) == "As Ts Ks Qs Js 9s 8s 7s"


@pytest.mark.rule("B2.4")
def test_nothing_can_be_played_after_the_last_card() -> None:
    deal = finished_golden()
    assert deal.over
    assert deal.phase == "over"
    assert deal.legal_actions() == []
    reason = deal.why_illegal(parse_card("As"))
    assert reason is not None
    assert (reason.code, reason.rule) == ("over", "B2.4")
    with pytest.raises(GameOver):
        deal.apply("play As")


def finished_golden(**options: Any) -> Bassadewitz:
    deal = golden(**options)
    for *plays, _, _ in GOLDEN_TRICKS:
        for text in plays:
            deal.apply("play " + str(text).split()[1])
    return deal


@pytest.mark.rule("B3.1", "B3.2", "B3.3", "B3.4", "B4.1", "B5.5")
def test_the_golden_deal() -> None:
    deal = golden()
    for *plays, taker, points in GOLDEN_TRICKS:
        before = deal.taken[int(taker)]
        for text in plays:
            seat, card = str(text).split()
            assert deal.to_act == int(seat)
            deal.apply("play " + card)
        assert deal.leader == taker
        assert deal.taken[int(taker)] - before == points
    assert deal.taken == [28, 5, 53, 34]
    assert deal.tricks == [2, 1, 3, 2]
    assert deal.score() == (3, 0, 5, 4)
    assert not deal.void


# -- illegal actions --------------------------------------------------------------------

GARBAGE: list[Any] = [
    -1, -(10**30), 52, 53, 60, 63, 64, 64 + 12, 1 << 20, 10**30, True, False, None, 3.0, 12.0, float("nan"),
    (12,), [12], {}, "", " ", "play", "play ??", "play 1s", "play Jk", "play As As", "pass", "bid 2", "discard As",
    "PLAY", "As", "play\x00As", object(), b"play As",
]  # fmt: skip


def state_of(deal: Bassadewitz) -> Any:
    return (
        deal.hands[:], deal.log[:], deal.trick[:], deal.taken[:], deal.tricks[:], deal.to_act, deal.leader, deal.led,
        deal.best, deal.winner, deal.rest, deal.dealer, deal.players,
    )  # fmt: skip


@pytest.mark.rule("B3.1")
@pytest.mark.parametrize(
    "garbage", GARBAGE, ids=lambda garbage: f"{type(garbage).__name__} {str(garbage)[:20]!a}".partition(" at 0x")[0]
)
def test_garbage_is_refused_and_changes_nothing(garbage: Any) -> None:
    for cards in ("", "7s Ks"):
        deal = play(golden(), cards)
        before = state_of(deal)
        if not isinstance(garbage, str):
            reason = deal.why_illegal(garbage)
            assert reason is not None
            assert reason.rule == "B3.1"
            assert not deal.is_legal(garbage)
        with pytest.raises((IllegalAction, ActionTextError)):
            deal.apply(garbage)
        assert state_of(deal) == before


@pytest.mark.rule("B3.1")
def test_a_card_of_somebody_else_is_refused_by_name() -> None:
    deal = golden()
    with pytest.raises(IllegalAction, match="You do not hold Ks") as caught:
        deal.apply("play Ks")
    assert (caught.value.code, caught.value.rule, caught.value.action) == ("not-held", "B3.1", "play Ks")


@pytest.mark.rule("B3.1")
def test_a_card_already_played_is_refused() -> None:
    deal = play(golden(), "7s Ks Js Ts 7h")
    with pytest.raises(IllegalAction) as caught:
        deal.apply("play 7s")
    assert caught.value.code == "not-held"


@pytest.mark.rule("B3.2")
def test_a_revoke_is_refused_and_changes_nothing() -> None:
    deal = play(golden(), "7s")
    before = state_of(deal)
    with pytest.raises(IllegalAction, match="You hold spades and must follow suit") as caught:
        deal.apply("play Td")
    assert (caught.value.code, caught.value.rule) == ("must-follow", "B3.2")
    assert state_of(deal) == before


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_legal_actions_are_sorted_unique_and_exactly_what_is_accepted(seats: int) -> None:
    rng = Rng(3, seats)
    for _ in range(10):
        deal = Bassadewitz.shuffle(rules(seats), rng.below(seats), rng)
        while deal.to_act is not None:
            legal = deal.legal_actions()
            assert legal == sorted(set(legal))
            assert legal
            assert legal == [action for action in range(-2, 140) if deal.is_legal(action)]
            deal.apply(rng.choice(legal))


def test_actions_are_read_tolerantly_and_written_strictly() -> None:
    for text in ("play Td", "PLAY 10d", " play  td ", "play T♦", "play 10D"):
        assert Bassadewitz.text(Bassadewitz.parse(text)) == "play Td"


@pytest.mark.parametrize("action", [53, 62, 64, -1])
def test_what_is_no_action_has_no_text(action: int) -> None:
    with pytest.raises((TypeError, ValueError, KeyError)):
        Bassadewitz.text(action)
    assert Bassadewitz.describe(action) == repr(action)


# -- the score --------------------------------------------------------------------------

FOUR_SEATS = [
    pytest.param((51, 33, 26, 10), (3, 2, 2, 1), 3, (5, 4, 3, 0), id="ordinary"),
    pytest.param((40, 40, 25, 15), (3, 2, 2, 1), 3, (4, 5, 3, 0), id="tie for most, elder cheaper"),
    pytest.param((40, 40, 25, 15), (3, 2, 2, 1), 0, (5, 4, 3, 0), id="the dealer is youngest"),
    pytest.param((15, 40, 25, 40), (1, 2, 2, 3), 3, (0, 4, 3, 5), id="tie of seats 1 and 3"),
    pytest.param((0, 0, 70, 50), (1, 0, 4, 3), 3, (3, 0, 5, 4), id="no trick beats no points"),
    pytest.param((0, 70, 0, 50), (0, 4, 0, 4), 3, (0, 5, 3, 4), id="both without trick, elder"),
    pytest.param((35, 35, 35, 15), (2, 2, 2, 2), 3, (3, 4, 5, 0), id="triple tie"),
    pytest.param((60, 60, 0, 0), (4, 4, 0, 0), 3, (4, 5, 0, 3), id="two ties"),
    pytest.param((60, 60, 0, 0), (4, 3, 1, 0), 3, (4, 5, 3, 0), id="two ties, seat 3 without trick"),
    pytest.param((120, 0, 0, 0), (8, 0, 0, 0), 3, (0, 4, 4, 4), id="sweep"),
    pytest.param((100, 20, 0, 0), (7, 1, 0, 0), 3, (0, -4, -4, -4), id="exactly a hundred"),
    pytest.param((99, 21, 0, 0), (7, 1, 0, 0), 3, (5, 4, 0, 3), id="99 is ordinary"),
    pytest.param((120, 0, 0, 0), (7, 1, 0, 0), 3, (0, -4, -4, -4), id="120 but a trick of blanks lost"),
    pytest.param((0, 20, 0, 100), (0, 1, 0, 7), 3, (-4, -4, -4, 0), id="hundred by the dealer"),
]


@pytest.mark.rule("B5.1", "B5.2", "B5.3", "B5.5", "B5.6", "B5.7")
@pytest.mark.parametrize(("points", "tricks", "dealer", "score"), FOUR_SEATS)
def test_a_deal_of_four_scores(
    points: tuple[int, ...], tricks: tuple[int, ...], dealer: int, score: tuple[int, ...]
) -> None:
    deal = finished_with_counts(points, tricks, dealer)
    assert deal.score() == score
    assert not deal.void


@pytest.mark.rule("B5.4")
def test_thirty_each_is_void() -> None:
    deal = finished_with_counts((30, 30, 30, 30), (2, 2, 2, 2))
    assert deal.void
    assert deal.score_sheet() == []
    assert deal.score() == (0, 0, 0, 0)


@pytest.mark.rule("B5.4", "B7.2", "B7.3")
@pytest.mark.parametrize(
    ("options", "each"),
    [
        ({"ace5": True}, 24),
        ({"trick_points": True}, 32),
        ({"ace5": True, "trick_points": True}, 26),
    ],
)
def test_all_equal_is_void_with_every_way_of_counting(options: dict[str, bool], each: int) -> None:
    suits = ("s", "h", "d", "c")
    # Seat s takes both tricks of suit s: ace and ten beat king and nine, queen and eight, jack and seven.
    hands = [
        " ".join(rank + suits[(seat + step) % 4] for step, pair in enumerate(("AT", "J7", "Q8", "K9")) for rank in pair)
        for seat in range(4)
    ]
    deal = dealt(*hands, **options)
    for suit in range(4):
        for rank_of_leader in ("A", "T"):
            leader = deal.to_act
            assert leader is not None
            lead = rank_of_leader + suits[suit] if leader == suit else None
            for _ in range(4):
                seat = deal.to_act
                legal = legal_text(deal)
                if lead is not None:
                    card, lead = lead, None
                elif not deal.trick:
                    card = ("J" if rank_of_leader == "A" else "7") + suits[suit]
                else:
                    of_suit = [card for card in legal if card[1] == suits[suit]]
                    card = next(card for card in (r + suits[suit] for r in "AKQJT987") if card in of_suit)
                assert card in legal, (seat, card)
                deal.apply("play " + card)
    assert deal.taken == [each] * 4
    assert deal.void


@pytest.mark.rule("B5.5")
@pytest.mark.parametrize(
    ("points", "tricks", "score"),
    [
        ((60, 40, 20), (5, 3, 2), (5, 3, 0)),
        ((20, 60, 40), (2, 5, 3), (0, 5, 3)),
        ((40, 40, 30), (4, 4, 2), (3, 5, 0)),
        ((110, 0, 0), (10, 0, 0), (0, 4, 4)),
        ((100, 9, 0), (8, 1, 1), (0, -4, -4)),
        ((50, 40, 20, 10, 0), (2, 1, 1, 1, 1), (6, 5, 4, 3, 0)),
        ((0, 20, 50, 10, 40), (1, 1, 2, 1, 1), (0, 4, 6, 3, 5)),
        ((30, 30, 20, 20, 10), (2, 1, 1, 1, 1), (5, 6, 3, 4, 0)),
        ((0, 0, 120, 0, 0), (0, 0, 6, 0, 0), (4, 4, 0, 4, 4)),
        ((0, 0, 105, 5, 0), (0, 0, 5, 1, 0), (-4, -4, 0, -4, -4)),
    ],
)
def test_a_deal_of_three_or_five_scores(
    points: tuple[int, ...], tricks: tuple[int, ...], score: tuple[int, ...]
) -> None:
    assert finished_with_counts(points, tricks, dealer=len(points) - 1).score() == score


@pytest.mark.rule("B5.2", "B5.3", "B5.5", "B5.6", "B5.7", "B7.5", "B7.6")
@pytest.mark.parametrize(
    ("points", "tricks", "options", "cited"),
    [
        ((51, 33, 26, 10), (3, 2, 2, 1), {}, ["B5.5", "B5.5", "B5.5", "B5.5"]),
        ((40, 40, 25, 15), (3, 2, 2, 1), {}, ["B5.7", "B5.7", "B5.5", "B5.5"]),
        ((0, 0, 70, 50), (1, 0, 4, 3), {}, ["B5.6", "B5.6", "B5.5", "B5.5"]),
        ((120, 0, 0, 0), (8, 0, 0, 0), {}, ["B5.2", "B5.2", "B5.2"]),
        ((100, 20, 0, 0), (7, 1, 0, 0), {}, ["B5.3", "B5.3", "B5.3"]),
        ((51, 33, 26, 10), (3, 2, 2, 1), {"classic_pool": True}, ["B7.5"] * 5),
        (
            (120, 0, 0, 0),
            (8, 0, 0, 0),
            {"classic_pool": True, "sweep_takes_pool": True},
            ["B7.5", "B7.6", "B5.2", "B5.2", "B5.2", "B7.5"],
        ),
    ],
)
def test_every_line_of_a_score_sheet_cites_its_rule(
    points: tuple[int, ...], tricks: tuple[int, ...], options: dict[str, bool], cited: list[str]
) -> None:
    sheet = finished_with_counts(points, tricks, **options).score_sheet()
    assert [line.rule for line in sheet] == cited
    assert [line.seat for line in sheet] == sorted(line.seat for line in sheet)
    assert set(cited) <= set(rulebook.numbers("bassadewitz"))


def test_there_is_no_score_before_the_end() -> None:
    deal = play(golden(), "7s Ks Js Ts")
    assert deal.score_sheet() == []
    assert deal.score() == (0, 0, 0, 0)
    assert not deal.void


# -- options that change the counting ---------------------------------------------------


@pytest.mark.rule("B7.2")
def test_ace5_changes_the_points_of_the_golden_deal() -> None:
    deal = finished_golden(ace5=True)
    # Seat 0 took one ace, seat 2 two, seat 3 one: six points less for each.
    assert deal.taken == [22, 5, 41, 28]
    assert deal.score() == (3, 0, 5, 4)


@pytest.mark.rule("B7.3")
def test_trick_points_add_one_for_each_trick() -> None:
    deal = finished_golden(trick_points=True)
    assert deal.taken == [30, 6, 56, 36]


@pytest.mark.rule("B7.3", "B5.3")
def test_trick_points_count_towards_a_hundred() -> None:
    hands = (
        "As Ts Ks Qs Js 9s 8s 7h",
        "Ad Kd Qd Jd Ac Kc Qc Ah",
        "7s Td 9d 8d Tc Jc 9c Th",
        "Kh Qh Jh 9h 7d 8c 7c 8h",
    )
    for options, points, score in (
        ({}, 99, (5, 4, 0, 3)),
        ({"trick_points": True}, 106, (0, -4, -4, -4)),
    ):
        deal = play_in_order(dealt(*hands, **options), hands)
        assert deal.taken[0] == points
        assert deal.score() == score


def play_in_order(deal: Bassadewitz, orders: Sequence[str]) -> Bassadewitz:
    """Every seat plays its first legal card in the order given."""
    left = [parse_cards(order) for order in orders]
    while deal.to_act is not None:
        cards = left[deal.to_act]
        legal = deal.legal_actions()
        card = next(card for card in cards if card in legal)
        cards.remove(card)
        deal.apply(card)
    return deal


@pytest.mark.rule("B7.5")
@pytest.mark.parametrize(
    ("points", "tricks", "score"),
    [
        ((28, 5, 53, 34), (2, 1, 3, 2), (4, 5, 0, -9)),
        ((120, 0, 0, 0), (8, 0, 0, 0), (12, -4, -4, -4)),
        ((100, 20, 0, 0), (7, 1, 0, 0), (-12, 4, 4, 4)),
        ((0, 0, 0, 120), (0, 0, 0, 8), (-4, -4, -4, 12)),
        ((40, 40, 25, 15), (3, 2, 2, 1), (3, 0, 4, -7)),
        ((0, 0, 70, 50), (1, 0, 4, 3), (4, 5, 0, -9)),
    ],
)
def test_a_deal_with_the_pool_scores_the_net_change_of_chips(
    points: tuple[int, ...], tricks: tuple[int, ...], score: tuple[int, ...]
) -> None:
    assert finished_with_counts(points, tricks, classic_pool=True).score() == score
    assert sum(score) == 0


@pytest.mark.rule("B7.5", "B5.4")
def test_with_the_pool_all_equal_pays_nothing() -> None:
    deal = finished_with_counts((30, 30, 30, 30), (2, 2, 2, 2), classic_pool=True)
    assert deal.void
    assert deal.score() == (0, 0, 0, 0)


@pytest.mark.rule("B7.6")
@pytest.mark.parametrize(("sweeper", "score"), [(0, (24, -4, -4, -16)), (2, (-4, -4, 24, -16)), (3, (-4, -4, -4, 12))])
def test_a_sweep_that_takes_the_pool_costs_the_dealer_his_twelve(sweeper: int, score: tuple[int, ...]) -> None:
    points = [120 if seat == sweeper else 0 for seat in range(4)]
    tricks = [8 if seat == sweeper else 0 for seat in range(4)]
    deal = finished_with_counts(points, tricks, classic_pool=True, sweep_takes_pool=True)
    assert deal.score() == score


# -- whole deals, recounted from the rules ----------------------------------------------


def recount(document: dict[str, Any], deal: dict[str, Any]) -> tuple[list[int], list[int], list[int] | None]:
    """Card points, tricks and score of a recorded deal, worked out from its text alone (None: void)."""
    options = document["rules"]
    seats = len(document["players"])
    order = "789TJQKA" if options.get("natural_rank") else "789JQKTA"
    value = {"A": 5 if options.get("ace5") else 11, "T": 10, "K": 4, "Q": 3, "J": 2}
    plays = [(int(seat), card) for seat, _, card in (action.split() for action in deal["actions"])]
    points, tricks = [0] * seats, [0] * seats
    hands = [set(hand.split()) for hand in deal["hands"]]
    leader = (deal["dealer"] + 1) % seats
    for start in range(0, len(plays), seats):
        trick = plays[start : start + seats]
        assert [seat for seat, _ in trick] == [(leader + turn) % seats for turn in range(seats)]
        led = trick[0][1][1]
        for seat, card in trick:
            assert card[1] == led or all(other[1] != led for other in hands[seat])
            hands[seat].remove(card)
        leader = max((play for play in trick if play[1][1] == led), key=lambda play: order.index(play[1][0]))[0]
        points[leader] += sum(value.get(card[0], 0) for _, card in trick) + bool(options.get("trick_points"))
        tricks[leader] += 1
    assert not any(hands)
    return points, tricks, _score_by_hand(points, tricks, deal["dealer"], options)


def _score_by_hand(points: list[int], tricks: list[int], dealer: int, options: dict[str, Any]) -> list[int] | None:
    seats = len(points)
    pool = bool(options.get("classic_pool"))
    for taker in range(seats):
        alone = tricks[taker] == sum(tricks)
        if alone or points[taker] >= 100:
            gain = (4 if alone else -4) * (-1 if pool else 1)
            score = [gain] * seats
            score[taker] = -3 * gain if pool else 0
            if alone and options.get("sweep_takes_pool"):
                score[taker] += 12
                score[dealer] -= 12
            return score
    if min(points) == max(points):
        return None
    age = [(dealer + 1 + turn) % seats for turn in range(seats)]
    ranked = sorted(age, key=lambda seat: (points[seat], 1 if tricks[seat] else 0))
    table = [5, 4, 3, 0] if pool else [0, 3, 4, 5, 6][:seats] if seats > 3 else [0, 3, 5]
    score = [0] * seats
    for prize, seat in zip(table, ranked, strict=True):
        score[seat] = prize
    if pool:
        score[dealer] -= 12
    return score


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_recorded_match_replays_and_its_scores_are_those_counted_by_hand(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    seats = len(document["players"])
    made = BassadewitzRules.from_dict(seats, document["rules"])
    assert made.to_dict() == document["rules"]
    match = new_match(made, dealer=document["deals"][0]["dealer"], players=document["players"])
    for recorded in document["deals"]:
        assert match.dealer == recorded["dealer"]
        deal = match.next_deal(Layout(tuple(tuple(parse_cards(hand)) for hand in recorded["hands"])))
        assert [cards_text(hand) for hand in deal.layout().hands] == recorded["hands"]
        for action in recorded["actions"]:
            seat, text = action.split(" ", 1)
            match.apply(text, int(seat))
        if not deal.over:
            assert recorded is document["deals"][-1]
            assert not {"score", "void"} & set(recorded)
            continue
        assert isinstance(deal, Bassadewitz)
        points, tricks, score = recount(document, recorded)
        assert (deal.taken, deal.tricks) == (points, tricks)
        assert recorded.get("score") == score
        assert recorded.get("void", False) == (score is None) == deal.void
        assert score is None or list(deal.score()) == score
        assert [f"{seat} {deal.text(action)}" for seat, action in deal.actions()] == recorded["actions"]
    if match.over:
        assert match.winners is not None
        assert (list(match.totals), list(match.winners)) == (document["totals"], document["winners"])
    else:
        assert not {"totals", "winners"} & set(document)


def test_the_recorded_deals_cover_what_they_are_there_for() -> None:
    assert {path.stem for path in RECORDS} >= {
        "golden_deal", "sweep", "hundred_exactly", "ninety_nine", "all_points_but_seven_tricks", "all_equal",
        "hundred_by_the_dealer", "tie_for_most", "tie_dealer_is_youngest", "tie_no_trick_before_no_points",
        "tie_both_without_trick", "tie_of_three", "two_ties", "three_players", "five_players", "pool_ordinary",
        "pool_sweep_and_hundred", "sweep_takes_pool", "match_of_four", "pool_match", "every_counting_option",
    }  # fmt: skip


OPTION_SETS: list[tuple[int, dict[str, Any]]] = [
    (3, {}), (4, {}), (5, {}), (3, {"trick_points": True}), (4, {"ace5": True}), (4, {"natural_rank": True}),
    (5, {"ace5": True, "trick_points": True, "natural_rank": True}), (4, {"classic_pool": True}),
    (4, {"classic_pool": True, "sweep_takes_pool": True, "trick_points": True}),
]  # fmt: skip


@pytest.mark.parametrize(("seats", "options"), OPTION_SETS)
def test_random_deals_score_as_counted_by_hand_and_lose_no_card(seats: int, options: dict[str, Any]) -> None:
    rng = Rng(8, seats, len(options))
    for _ in range(25):
        dealer = rng.below(seats)
        deal = Bassadewitz.shuffle(rules(seats, **options), dealer, rng)
        pack = sorted(Bassadewitz.pack(deal.rules))
        while deal.to_act is not None:
            assert sorted(card for cards in deal.zones().values() for card in cards) == pack
            deal.apply(rng.choice(deal.legal_actions()))
        assert sorted(card for cards in deal.zones().values() for card in cards) == pack
        document = {"rules": options, "players": [""] * seats}
        recorded = {
            "dealer": dealer,
            "hands": [cards_text(hand) for hand in deal.layout().hands],
            "actions": [f"{seat} {deal.text(action)}" for seat, action in deal.actions()],
        }
        points, tricks, score = recount(document, recorded)
        assert (deal.taken, deal.tricks) == (points, tricks)
        assert deal.void == (score is None)
        assert list(deal.score()) == (score or [0] * seats)


# -- clones -----------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_clone_shares_nothing_that_changes(seats: int) -> None:
    rng = Rng(5, seats)
    deal = Bassadewitz.shuffle(rules(seats, trick_points=True), 0, rng)
    while deal.to_act is not None:
        before = state_of(deal)
        twin = deal.clone()
        assert state_of(twin) == before
        while twin.to_act is not None:
            twin.advance(rng.choice(twin.legal_actions()))
        assert state_of(deal) == before
        frozen = state_of(twin)
        deal.advance(rng.choice(deal.legal_actions()))
        assert state_of(twin) == frozen


def test_advance_does_what_apply_does() -> None:
    rng = Rng(6)
    deal = Bassadewitz.shuffle(rules(5), 2, rng)
    twin = deal.clone()
    while deal.to_act is not None:
        action = rng.choice(deal.legal_actions())
        deal.apply(action)
        twin.advance(action)
        assert state_of(deal) == state_of(twin)


# -- the options ------------------------------------------------------------------------


@pytest.mark.rule("B7.1")
@pytest.mark.parametrize(("seats", "default", "longest"), [(3, 6, 39), (4, 8, 40), (5, 10, 40)])
def test_a_match_is_a_multiple_of_the_players_long(seats: int, default: int, longest: int) -> None:
    assert rules(seats).deals == default
    assert list(rules(seats).choices("deals")) == list(range(seats, longest + 1, seats))
    assert rules(seats, deals=longest).deals == longest


@pytest.mark.rule("B7.1", "B7.2", "B7.3", "B7.4", "B7.5", "B7.6")
@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (4, {"deals": 6}), (4, {"deals": 0}), (4, {"deals": -4}), (4, {"deals": 44}), (4, {"deals": "8"}),
        (4, {"deals": 8.0}), (4, {"deals": None}), (4, {"deals": True}), (4, {"deals": [8]}), (3, {"deals": 8}),
        (5, {"deals": 8}), (4, {"ace5": 1}), (4, {"ace5": 0}), (4, {"ace5": "true"}), (4, {"ace5": None}),
        (4, {"trick_points": 1}), (4, {"natural_rank": "yes"}), (4, {"classic_pool": 1}),
        (4, {"sweep_takes_pool": True}), (3, {"classic_pool": True}), (5, {"classic_pool": True}),
        (4, {"classic_pool": True, "sweep_takes_pool": 1}), (4, {"target": 11}), (4, {"Deals": 8}), (4, {"": 8}),
    ],
)  # fmt: skip
def test_a_bad_option_is_refused_never_ignored(seats: int, options: dict[str, Any]) -> None:
    with pytest.raises(RulesError):
        rules(seats, **options)
    with pytest.raises(RulesError):
        BassadewitzRules.from_dict(seats, options)


@pytest.mark.parametrize("seats", [2, 6, 0, -1, True, 4.0, "4"])
def test_a_wrong_number_of_players_is_refused(seats: Any) -> None:
    with pytest.raises(RulesError):
        BassadewitzRules.make(seats)


@pytest.mark.parametrize("preset", ["seed", "Standard", "", None, 1, ["standard"]])
def test_an_unknown_preset_is_refused(preset: Any) -> None:
    with pytest.raises(RulesError):
        BassadewitzRules.make(4, preset)
    with pytest.raises(RulesError):
        BassadewitzRules.from_dict(4, {"preset": preset})


@pytest.mark.parametrize("key", ["seats", "cls", "game", "version"])
def test_a_key_of_the_code_is_no_option(key: str) -> None:
    with pytest.raises(RulesError):
        BassadewitzRules.from_dict(4, {key: 4})


@pytest.mark.parametrize(("seats", "options"), [*OPTION_SETS, (4, {"deals": 12}), (3, {"deals": 3})])
def test_rules_survive_their_text_form(seats: int, options: dict[str, Any]) -> None:
    made = rules(seats, **options)
    assert made.to_dict() == {"preset": "standard", **options}
    assert BassadewitzRules.from_dict(seats, made.to_dict()) == made
    assert BassadewitzRules.from_dict(seats, options) == made
    assert hash(BassadewitzRules.from_dict(seats, options)) == hash(made)


def test_a_value_that_is_the_default_is_read_but_not_written() -> None:
    assert BassadewitzRules.from_dict(4, {"deals": 8, "ace5": False}).to_dict() == {"preset": "standard"}


def test_rules_print_what_differs_from_the_preset() -> None:
    assert str(rules()) == "bassadewitz(4)"
    assert str(rules(5, deals=15, ace5=True)) == "bassadewitz(5, deals=15, ace5=True)"


def test_the_standard_preset_is_what_the_record_format_says() -> None:
    assert {name: option.default for name, option in BassadewitzRules.options().items()} == {
        "deals": 8,
        "ace5": False,
        "trick_points": False,
        "natural_rank": False,
        "classic_pool": False,
        "sweep_takes_pool": False,
    }
    assert list(BassadewitzRules.presets) == ["standard"]


def test_rules_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        rules().deals = 12  # type: ignore[misc]


@pytest.mark.rule("B7.2")
@pytest.mark.parametrize(
    ("seats", "options", "word"),
    [
        (4, {"ace5": True}, "96"),
        (3, {"ace5": True, "trick_points": True}, "106"),
        (4, {"ace5": True, "trick_points": True}, "104"),
        (5, {"ace5": True, "trick_points": True}, "102"),
    ],
)
def test_cheap_aces_come_with_a_warning_about_the_hundred(seats: int, options: dict[str, bool], word: str) -> None:
    (warning,) = rules(seats, **options).warnings()
    assert word in warning
    assert rules(seats).warnings() == []


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [("deals", "12", 12), ("ace5", "true", True), ("ace5", "off", False), ("classic_pool", "YES", True)],
)
def test_an_option_is_read_from_a_command_line(name: str, text: str, value: Any) -> None:
    assert BassadewitzRules.parse_value(name, text) == value


@pytest.mark.parametrize(("name", "text"), [("deals", "many"), ("ace5", "2"), ("ace5", ""), ("bid", "2")])
def test_a_bad_word_on_a_command_line_is_refused(name: str, text: str) -> None:
    with pytest.raises(RulesError):
        BassadewitzRules.parse_value(name, text)


# -- the rule book ----------------------------------------------------------------------


@pytest.mark.rule("B1.1")
@pytest.mark.parametrize(("seats", "options"), OPTION_SETS)
def test_both_books_have_the_same_numbers_each_a_paragraph(seats: int, options: dict[str, Any]) -> None:
    made = rules(seats, **options)
    numbers = rulebook.numbers("bassadewitz")
    assert numbers == sorted(numbers)
    for language in rulebook.LANGUAGES:
        paragraphs = rulebook.render(made, language).split("\n\n")
        found = [text[2:6] for text in paragraphs if text.startswith("**B")]
        assert found == numbers


@pytest.mark.rule("B1.1")
def test_the_book_tells_the_rules_as_they_stand_with_the_options() -> None:
    def told(number: str, seats: int = 4, **options: Any) -> str:
        return rulebook.rule(rules(seats, **options), number)

    assert "lowest penalty total wins" in told("B1.1")
    assert "most chips win" in told("B1.1", classic_pool=True)
    assert "ace, **ten**, king" in told("B1.3")
    assert "jack, **ten**, nine" in told("B1.3", natural_rank=True)
    assert "ace 11" in told("B1.4")
    assert "ace 5" in told("B1.4", ace5=True)
    assert "each player holds 10." in told("B2.2", 3)
    assert "out of play" in told("B2.2", 5)
    assert "out of play" not in told("B2.2")
    assert "have 104" in told("B4.1", ace5=True, trick_points=True)
    assert "6 penalty points, the next ones in order 5, 4 and 3" in told("B5.5", 5)
    assert "6 deals" in told("B6.2", 3)


def test_every_rule_an_option_names_is_in_the_book() -> None:
    numbers = rulebook.numbers("bassadewitz")
    assert all(option.rule in numbers for option in make_rules("bassadewitz").options().values())


@pytest.mark.rule("B4.1")
def test_the_example_in_the_book_is_the_golden_deal() -> None:
    for language in rulebook.LANGUAGES:
        text = rulebook.render(rules(), language)
        assert all(f"`{hand}`" in text for hand in GOLDEN_HANDS)
        for *plays, _, points in GOLDEN_TRICKS:
            names = ("Ana", "Budi", "Citra", "Dewi")
            cards = ", ".join(f"{names[int(str(p).split()[0])]} `{str(p).split()[1]}`" for p in plays)
            row = next(line for line in text.splitlines() if cards in line)
            assert row.endswith(f"| {points} |")
