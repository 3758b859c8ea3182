"""Calabresella: the rules, one sentence and one test each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from meja.cards import Rng, card_text, cards_of, cards_text, mask_of, parse_card, parse_cards
from meja.deal import Layout
from meja.errors import ActionTextError, GameOver, IllegalAction, MejaError, NotYourTurn, RulesError
from meja.games import game, make_rules
from meja.games.calabresella import Calabresella, CalabresellaMatch, CalabresellaRules
from meja.rulebook import numbers, render, rule

GOLDEN = (
    "Js 7s 5s 3h 2h Kh 3d 2c Ac Qc 7c 5c",
    "3s 2s Ks 4s Qh Jh 5h 2d 7d 4d 3c Jc",
    "As Qs 6s Ah 6h 4h Kd Qd Jd 6d 5d 6c",
)
GOLDEN_MONTE = "7h Ad Kc 4c"
GOLDEN_TRICKS = (
    "2:As 0:4s 1:2s | 1:3s 2:6s 0:5s | 1:3h 2:4h 0:Kh | 1:3c 2:6c 0:5c | 1:2d 2:5d 0:3d | 0:2h 1:7h 2:Ah | "
    "0:2c 1:Jc 2:Jd | 0:Ac 1:Kc 2:Qs | 0:Qc 1:Jh 2:Qd | 0:Js 1:Ks 2:6h | 1:Ad 2:6d 0:7s | 1:Qh 2:Kd 0:7c"
)
TO_THE_PLAY = (
    "2 pass",
    "0 pass",
    "1 bid chiamo",
    "1 call 3h",
    "1 give 4s",
    "1 discard 4d",
    "1 discard 4c",
    "1 discard 5h",
    "1 discard 7d",
)
CONTRACTS = [
    ("chiamo", None),
    ("solo", None),
    ("solissimo", "plain"),
    ("solissimo", "dividete"),
    ("solissimo", "scegliete"),
]


def rules(seats: int | None = None, preset: str = "standard", **options: Any) -> CalabresellaRules:
    made = CalabresellaRules.make(seats, preset, **options)
    assert isinstance(made, CalabresellaRules)
    return made


def layout(hands: Sequence[str] = GOLDEN, monte: str = GOLDEN_MONTE) -> Layout:
    return Layout(tuple(tuple(parse_cards(hand)) for hand in hands), monte=tuple(parse_cards(monte)))


def golden(actions: Sequence[str] = (), dealer: int = 0, **options: Any) -> Calabresella:
    """The golden deal after some actions, each with its seat."""
    return do(Calabresella.from_layout(rules(**options), dealer, layout()), *actions)


def do(deal: Calabresella, *actions: str) -> Calabresella:
    """Do actions written with their seat, as in a record."""
    for action in actions:
        seat, text = action.split(maxsplit=1)
        assert deal.to_act == int(seat), action
        deal.apply(text)
    return deal


def shuffled(seed: int, dealer: int = 0, **options: Any) -> Calabresella:
    made = rules(options.pop("seats", None), **options)
    return Calabresella.shuffle(made, dealer, Rng(seed))


def refused(deal: Calabresella, action: str | int) -> tuple[str, str]:
    """The code and rule with which an action is refused; the state must stay as it is."""
    before = snapshot(deal)
    with pytest.raises(IllegalAction) as error:
        deal.apply(action)
    assert snapshot(deal) == before
    assert str(error.value.reason.text)
    return error.value.code, error.value.rule


def snapshot(deal: Calabresella) -> dict[str, Any]:
    names = [name for cls in type(deal).__mro__ for name in getattr(cls, "__slots__", ())]
    values = {name: getattr(deal, name) for name in names}
    return {name: list(value) if isinstance(value, list) else value for name, value in values.items()}


def hand(deal: Calabresella, seat: int) -> set[str]:
    return {card_text(card) for card in cards_of(deal.hands[seat])}


def playing(hands: Sequence[str], **options: Any) -> Calabresella:
    """A position in the play with just these cards left and seat 2 to lead; what is not named counts as played."""
    deal = golden(TO_THE_PLAY, **options)
    deal.hands = [mask_of(parse_cards(cards)) for cards in hands]
    return deal


def finished(
    thirds: int,
    tricks: int,
    contract: str = "chiamo",
    raised: str | None = None,
    last: bool = True,
    bidder: int = 1,
    **options: Any,
) -> Calabresella:
    """A deal at its end, in which the bidder has so many thirds (of 35) and tricks, and won the last one or not."""
    deal = golden(**options)
    deal.bidder = bidder
    deal.contract = ("chiamo", "solo", "solissimo").index(contract) + 1
    deal.raised = -1 if raised is None else ("plain", "dividete", "scegliete").index(raised)
    other = deal.after[bidder]
    deal.taken[bidder], deal.taken[other] = thirds, 35 - thirds
    deal.tricks[bidder], deal.tricks[other] = tricks, 12 - tricks
    deal.leader = bidder if last else other
    deal.stage = 6
    deal.to_act = None
    return deal


# -- players, cards, dealing ------------------------------------------------------------


@pytest.mark.rule("C1.1")
def test_three_players_and_one_of_them_plays_against_two() -> None:
    deal = golden(TO_THE_PLAY)
    assert deal.rules.seats == 3
    assert len(deal.players) == 3
    assert deal.bidder == 1
    assert deal.opponents() == (2, 0)


@pytest.mark.rule("C1.2", "C9.4")
@pytest.mark.parametrize(
    ("direction", "dealer", "order"),
    [
        ("cw", 0, (2, 0, 1)),
        ("cw", 1, (0, 1, 2)),
        ("cw", 2, (1, 2, 0)),
        ("ccw", 0, (2, 1, 0)),
        ("ccw", 1, (0, 2, 1)),
        ("ccw", 2, (1, 0, 2)),
    ],
)
def test_forehand_sits_on_the_dealers_right_whichever_way_the_game_goes(
    direction: str, dealer: int, order: tuple[int, ...]
) -> None:
    deal = shuffled(1, dealer, direction=direction)
    assert deal.players == order
    assert deal.to_act == (dealer - 1) % 3
    assert [deal.after[seat] for seat in order] == [order[1], order[2], order[0]]


@pytest.mark.rule("C1.3")
def test_the_pack_has_forty_cards_without_eight_nine_and_ten() -> None:
    pack = Calabresella.pack(rules())
    assert len(set(pack)) == 40
    assert {card_text(card)[0] for card in pack} == set("AKQJ765432")


@pytest.mark.rule("C1.4")
def test_the_three_is_the_best_card_and_the_ace_only_the_third() -> None:
    power = Calabresella.strengths(rules())
    for suit in "shdc":
        order = [power[parse_card(rank + suit)] for rank in "32AKQJ7654"]
        assert all(high > low for high, low in pairwise(order))


@pytest.mark.rule("C1.5")
def test_the_pack_holds_32_thirds_and_with_the_last_trick_35() -> None:
    worth = Calabresella.values(rules())
    assert [worth[parse_card(rank + "h")] for rank in "A32KQJ7654"] == [3, 1, 1, 1, 1, 1, 0, 0, 0, 0]
    assert sum(worth[card] for card in Calabresella.pack(rules())) == 32
    deal = do_golden_to_the_end()
    assert sum(deal.thirds()) == 35


@pytest.mark.rule("C2.1", "C2.2")
@pytest.mark.parametrize(("direction", "order"), [("cw", (2, 0, 1)), ("ccw", (2, 1, 0))])
def test_cards_come_in_three_rounds_of_four_and_the_last_four_are_the_monte(
    direction: str, order: tuple[int, ...]
) -> None:
    pack = list(Calabresella.pack(rules()))
    dealt = Calabresella.lay_out(rules(direction=direction), 0, pack)
    for place, seat in enumerate(order):
        expected = [card for start in (0, 12, 24) for card in pack[start + 4 * place : start + 4 * place + 4]]
        assert list(dealt.hands[seat]) == expected
    assert list(dealt.monte) == pack[36:]


@pytest.mark.rule("C2.1")
@pytest.mark.parametrize(
    ("hands", "monte"),
    [
        (GOLDEN[:2], GOLDEN_MONTE),
        ((*GOLDEN[:2], GOLDEN[2] + " 4c"), "7h Ad Kc"),
        (GOLDEN, "7h Ad Kc"),
        (GOLDEN, "7h Ad Kc Tc"),
        (GOLDEN, "7h Ad Kc Kc"),
        (GOLDEN, "7h Ad Kc 3s"),
    ],
)
def test_a_layout_that_is_not_one_is_refused(hands: Sequence[str], monte: str) -> None:
    with pytest.raises(MejaError):
        Calabresella.from_layout(rules(), 0, layout(hands, monte))


def test_a_pack_that_is_not_the_pack_is_refused() -> None:
    with pytest.raises(MejaError):
        Calabresella.start(rules(), 0, [0] * 40)


# -- call and exchange ------------------------------------------------------------------


@pytest.mark.rule("C4.1", "C4.2", "C4.4", "C4.5", "C4.6")
def test_a_called_card_comes_over_and_one_card_goes_back() -> None:
    deal = golden(["2 pass", "0 pass", "1 bid chiamo"])
    assert deal.phase == "call"
    deal.apply("call 3h")
    assert deal.giver == 0
    assert "3h" in hand(deal, 1)
    assert {"7h", "Ad", "Kc", "4c"} <= hand(deal, 1)
    assert [len(hand(deal, seat)) for seat in range(3)] == [11, 17, 12]
    assert deal.phase == "give"
    assert len(deal.legal_actions()) == 17
    deal.apply("give 4s")
    assert "4s" in hand(deal, 0)
    assert deal.phase == "discard"
    for card in ("4d", "4c", "5h", "7d"):
        assert deal.to_act == 1
        deal.apply(f"discard {card}")
    assert [len(hand(deal, seat)) for seat in range(3)] == [12, 12, 12]
    assert deal.monte == mask_of(parse_cards("4d 4c 5h 7d"))
    assert deal.phase == "play"


@pytest.mark.rule("C4.5")
@pytest.mark.parametrize("card", ["3h", "7h", "Ad", "3s", "4s"])
def test_any_of_the_17_cards_may_be_given_back(card: str) -> None:
    deal = golden(["2 pass", "0 pass", "1 bid chiamo", "1 call 3h", f"1 give {card}"])
    assert card in hand(deal, 0)
    assert len(hand(deal, 0)) == 12


@pytest.mark.rule("C4.5")
def test_the_card_given_back_goes_to_the_one_who_gave_and_to_nobody_else() -> None:
    deal = golden(["2 pass", "0 pass", "1 bid chiamo", "1 call 3h"])
    others = hand(deal, 2)
    deal.apply("give 4s")
    assert hand(deal, 2) == others
    assert refused(deal, "give 5h") == ("wrong-phase", "C4.6")


@pytest.mark.rule("C4.3")
def test_a_called_card_in_the_monte_is_just_taken_with_it() -> None:
    deal = golden(["2 pass", "0 pass", "1 bid chiamo", "1 call Ad"])
    assert deal.giver == -1
    assert len(hand(deal, 1)) == 16
    assert deal.phase == "discard"
    assert refused(deal, "call 3h") == ("wrong-phase", "C4.6")
    assert refused(deal, "give 4s") == ("wrong-phase", "C4.6")


@pytest.mark.rule("C4.1")
def test_an_own_card_cannot_be_called() -> None:
    deal = golden(["2 pass", "0 pass", "1 bid chiamo"])
    assert refused(deal, "call 3s") == ("own-card", "C4.1")
    assert refused(deal, "discard 3s") == ("wrong-phase", "C4.1")
    assert refused(deal, "call 9s") == ("no-card", "C1.3")
    assert len(deal.legal_actions()) == 28


@pytest.mark.rule("C4.1", "C9.6")
@pytest.mark.parametrize(
    ("bidders", "expected"),
    [
        ("3s 2s As Ks Qs Js 7s 6s 5s 4s 3h 2h", "3d 3c"),
        ("3s 3h 3d 3c 2s As Ks Qs Js 7s 6s 5s", "2h 2d 2c"),
        ("3s 3h 3d 3c 2s 2h 2d 2c 4s 4h 4d 4c", "As Ah Ad Ac"),
        ("3s 3h 3d 3c 2s 2h 2d 2c As Ah Ad Ac", "Ks Kh Kd Kc"),
    ],
)
def test_with_threes_first_only_the_best_rank_that_is_lacking_may_be_called(bidders: str, expected: str) -> None:
    rest = [card for card in Calabresella.pack(rules()) if card not in parse_cards(bidders)]
    hands = (cards_text(rest[:12]), bidders, cards_text(rest[12:24]))
    deal = Calabresella.from_layout(rules(call="threes_first"), 0, layout(hands, cards_text(rest[24:])))
    do(deal, "2 pass", "0 pass", "1 bid chiamo")
    assert deal.legal_actions() == sorted(3 << 6 | card for card in parse_cards(expected))
    assert refused(deal, "call 7c" if "7c" in cards_text(rest) else "call 7h") == ("threes-first", "C9.6")


@pytest.mark.rule("C4.4")
def test_in_solo_nothing_is_called_and_sixteen_cards_are_held() -> None:
    deal = golden(["2 pass", "0 pass", "1 bid solo"])
    assert deal.phase == "discard"
    assert len(hand(deal, 1)) == 16
    assert refused(deal, "call 3h") == ("wrong-phase", "C4.6")
    for card in ("4d", "4c", "5h", "7d"):
        deal.apply(f"discard {card}")
    assert deal.phase == "play"
    assert [len(hand(deal, seat)) for seat in range(3)] == [12, 12, 12]


@pytest.mark.rule("C4.6", "C6.4")
@pytest.mark.parametrize("winner", [1, 2])
def test_an_ace_may_be_buried_and_goes_to_the_winner_of_the_last_trick(winner: int) -> None:
    deal = golden([*TO_THE_PLAY[:5], "1 discard Ad", "1 discard Kc", "1 discard 5h", "1 discard 7d"])
    deal.hands = [
        mask_of(parse_cards("7c")),
        mask_of(parse_cards("7s")),
        mask_of(parse_cards("6s" if winner == 1 else "Ks")),
    ]
    deal.apply("play 6s" if winner == 1 else "play Ks")
    deal.apply("play 7c")
    deal.apply("play 7s")
    assert deal.taken[winner] == (0 if winner == 1 else 1) + 3 + 4


@pytest.mark.rule("C4.6")
def test_the_same_four_cards_may_be_put_back() -> None:
    deal = golden(["2 pass", "0 pass", "1 bid solo", *(f"1 discard {card}" for card in GOLDEN_MONTE.split())])
    assert hand(deal, 1) == set(GOLDEN[1].split())
    assert refused(golden(["2 pass", "0 pass", "1 bid solo", "1 discard 7h"]), "discard 7h") == ("not-held", "C4.6")


# -- Solissimo --------------------------------------------------------------------------


@pytest.mark.rule("C5.1", "C5.2", "C6.1")
def test_in_a_plain_solissimo_nobody_exchanges_and_the_bidder_leads() -> None:
    deal = golden(["2 pass", "0 pass", "1 bid solissimo"])
    assert deal.phase == "raise"
    assert [deal.text(action) for action in deal.legal_actions()] == [
        "raise plain",
        "raise dividete",
        "raise scegliete",
    ]
    assert refused(deal, "play 3s") == ("wrong-phase", "C5.1")
    deal.apply("raise plain")
    assert deal.phase == "play"
    assert deal.to_act == 1
    assert cards_text(deal.dealt_monte) == GOLDEN_MONTE
    assert refused(deal, "discard 4s") == ("wrong-phase", "C6.1")


@pytest.mark.rule("C5.3")
def test_in_dividete_each_opponent_takes_two_and_lays_two() -> None:
    deal = golden(["2 pass", "0 pass", "1 bid solissimo", "1 raise dividete"])
    assert deal.to_act == 2
    assert {"7h", "Ad"} <= hand(deal, 2)
    assert len(hand(deal, 2)) == 14
    deal.apply("discard 7h")
    assert refused(deal, "play 3s")[1] == "C5.3"
    assert deal.to_act == 2
    deal.apply("discard 6c")
    assert deal.to_act == 0
    assert {"Kc", "4c"} <= hand(deal, 0)
    assert not {"7h", "6c"} & hand(deal, 0)
    do(deal, "0 discard 4c", "0 discard 5s")
    assert deal.monte == mask_of(parse_cards("7h 6c 4c 5s"))
    assert [len(hand(deal, seat)) for seat in range(3)] == [12, 12, 12]
    assert (deal.phase, deal.to_act) == ("play", 1)


@pytest.mark.rule("C5.4")
def test_in_scegliete_each_opponent_picks_up_what_lies_there() -> None:
    deal = golden(["2 pass", "0 pass", "1 bid solissimo", "1 raise scegliete"])
    assert len(hand(deal, 2)) == 16
    do(deal, "2 discard 4c", "2 discard 6c", "2 discard 5d", "2 discard 4h")
    assert deal.to_act == 0
    assert {"4c", "6c", "5d", "4h"} <= hand(deal, 0)
    assert refused(deal, "play 3d") == ("wrong-phase", "C5.4")
    do(deal, "0 discard 4c", "0 discard 6c", "0 discard 5d", "0 discard 4h")
    assert hand(deal, 0) == set(GOLDEN[0].split())
    assert hand(deal, 1) == set(GOLDEN[1].split())
    assert {"7h", "Ad", "Kc"} <= hand(deal, 2)
    assert deal.monte == mask_of(parse_cards("4c 6c 5d 4h"))
    assert (deal.phase, deal.to_act) == ("play", 1)


@pytest.mark.rule("C5.3", "C9.4")
def test_counter_clockwise_the_other_opponent_exchanges_first() -> None:
    deal = golden(["2 pass", "1 bid solissimo", "1 raise dividete"], direction="ccw")
    assert deal.to_act == 0
    assert {"7h", "Ad"} <= hand(deal, 0)


# -- the play ---------------------------------------------------------------------------


@pytest.mark.rule("C6.1", "C9.10")
@pytest.mark.parametrize(
    ("first_lead", "contract", "leader"),
    [
        ("forehand", "chiamo", 2),
        ("forehand", "solo", 2),
        ("forehand", "solissimo", 1),
        ("bidder", "chiamo", 1),
        ("bidder", "solo", 1),
    ],
)
def test_forehand_leads_first_and_in_solissimo_the_bidder(first_lead: str, contract: str, leader: int) -> None:
    deal = golden(["2 pass", "0 pass", f"1 bid {contract}"], first_lead=first_lead)
    while deal.phase != "play":
        deal.apply(deal.legal_actions()[0])
    assert deal.to_act == deal.leader == leader
    assert len(deal.legal_actions()) == 12


@pytest.mark.rule("C6.3")
@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("2:5d 0:3c 1:2d", 1),
        ("2:As 0:2s 1:3s", 1),
        ("2:Kh 0:Ac 1:7h", 2),
        ("2:4s 0:3h 1:3d", 2),
        ("2:Jc 0:7c 1:Qc", 1),
        ("2:6d 0:7d 1:5d", 0),
    ],
)
def test_the_highest_card_of_the_suit_led_takes_the_trick(trick: str, winner: int) -> None:
    cards = [word.split(":") for word in trick.split()]
    deal = playing([next(card for seat, card in cards if seat == str(s)) + " 4h" for s in range(3)])
    for _, card in cards:
        deal.apply(f"play {card}")
    assert deal.leader == deal.to_act == winner
    assert deal.tricks[winner] == 1
    assert deal.taken[winner] == sum(deal.worth[parse_card(card)] for _, card in cards)


@pytest.mark.rule("C6.2", "C9.3")
def test_suit_is_followed_only_with_the_house_rule() -> None:
    free = playing(["Kh 4c", "7d 7s", "Ah 6d"])
    free.apply("play Ah")
    assert [card_text(card) for card in free.legal_actions()] == ["Kh", "4c"]
    bound = playing(["Kh 4c", "7d 7s", "Ah 6d"], follow_suit=True)
    bound.apply("play Ah")
    assert [card_text(card) for card in bound.legal_actions()] == ["Kh"]
    assert refused(bound, "play 4c") == ("must-follow", "C6.2")
    bound.apply("play Kh")
    assert [card_text(card) for card in bound.legal_actions()] == ["7s", "7d"]


@pytest.mark.rule("C6.2")
def test_nobody_has_to_win_the_trick() -> None:
    deal = playing(["3h 4h", "7d 7s", "Ah 6d"], follow_suit=True)
    deal.apply("play Ah")
    assert [card_text(card) for card in deal.legal_actions()] == ["3h", "4h"]


@pytest.mark.rule("C6.4")
@pytest.mark.parametrize(("last", "thirds", "points"), [("7h", 22, (7, 4)), ("5h", 15, (5, 6))])
def test_the_monte_and_a_point_go_with_the_last_trick(last: str, thirds: int, points: tuple[int, int]) -> None:
    deal = playing(["6h", last, "4h" if last == "7h" else "7h"])
    deal.monte = mask_of(parse_cards("Ad Kc 4c 5s"))
    deal.taken = [10, 15, 3]
    for _ in range(3):
        deal.apply(deal.legal_actions()[0])
    assert deal.thirds()[0] == thirds
    assert deal.points() == points


def do_golden_to_the_end(**options: Any) -> Calabresella:
    deal = golden(TO_THE_PLAY, **options)
    for word in GOLDEN_TRICKS.replace("|", " ").split():
        seat, card = word.split(":")
        do(deal, f"{seat} play {card}")
    return deal


@pytest.mark.rule("C6.3", "C6.4", "C7.1", "C7.2", "C7.3", "C7.4")
@pytest.mark.parametrize("follow_suit", [False, True])
def test_the_golden_deal_is_made_by_a_third(follow_suit: bool) -> None:
    deal = do_golden_to_the_end(follow_suit=follow_suit)
    winners = [winner for _, winner in deal.finished_tricks()]
    assert winners == [1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1]
    assert deal.thirds() == (18, 17)
    assert deal.points() == (6, 5)
    assert deal.tricks[1] == 7
    assert deal.score() == (-1, 2, -1)


@pytest.mark.rule("C6.5")
def test_after_the_last_trick_nothing_can_be_done() -> None:
    deal = do_golden_to_the_end()
    assert deal.over
    assert not deal.void
    assert deal.legal_actions() == []
    reason = deal.why_illegal(0)
    assert reason is not None
    assert reason.code == "over"
    with pytest.raises(GameOver):
        deal.apply("play 3s")


# -- scoring ----------------------------------------------------------------------------


@pytest.mark.rule("C7.1", "C7.2")
@pytest.mark.parametrize("thirds", range(36))
def test_the_points_of_both_sides_always_make_eleven(thirds: int) -> None:
    deal = finished(thirds, 6)
    ours, theirs = deal.points()
    assert ours + theirs == 11
    assert (ours > theirs) == (thirds >= 18)


@pytest.mark.rule("C7.2")
@pytest.mark.parametrize(
    ("own_cards", "thirds", "wins"),
    [("As Ah Ad 3s 2s Ks Qs Js", 17, False), ("As Ah Ad 3s 2s Ks Qs Js Kh", 18, True)],
)
def test_three_aces_and_five_figures_with_the_last_trick_just_fail(own_cards: str, thirds: int, wins: bool) -> None:
    deal = golden()
    total = sum(deal.worth[card] for card in parse_cards(own_cards)) + 3
    assert total == thirds
    assert (finished(total, 6).score()[1] > 0) == wins


# (thirds and tricks of the bidder, contract, raise, stake signed for the bidder, options)
PAYMENTS: list[tuple[str, int, int, str, str | None, int, dict[str, Any]]] = [
    ("6 Chiamo won", 18, 6, "chiamo", None, 1, {}),
    ("7 Solo lost", 17, 5, "solo", None, -2, {}),
    ("8 Solissimo won", 20, 7, "solissimo", "plain", 4, {}),
    ("9 dividete lost", 10, 4, "solissimo", "dividete", -8, {}),
    ("10 scegliete won", 18, 5, "solissimo", "scegliete", 16, {}),
    ("11 cappotto in Chiamo", 35, 12, "chiamo", None, 2, {}),
    ("12 stramazzo in Solo", 33, 11, "solo", None, 6, {}),
    ("13 ten to one is no stramazzo", 32, 10, "solo", None, 2, {}),
    ("14 lost stramazzo", 1, 2, "chiamo", None, -3, {}),
    ("14 lost stramazzo with one trick", 2, 1, "chiamo", None, -3, {}),
    ("15 one ace is a point", 3, 1, "chiamo", None, -1, {}),
    ("16 reverse cappotto", 0, 0, "solo", None, -4, {}),
    ("17 three tricks of blanks", 0, 3, "chiamo", None, -3, {}),
    ("18 scegliete cappotto", 35, 12, "solissimo", "scegliete", 32, {}),
    ("18 scegliete stramazzo", 34, 11, "solissimo", "scegliete", 48, {}),
    ("stramazzo needs no more than the losers' two thirds", 33, 3, "chiamo", None, 3, {}),
    ("base 3 plain", 20, 7, "solissimo", "plain", 3, {"solissimo_base": 3}),
    ("base 3 dividete", 10, 4, "solissimo", "dividete", -6, {"solissimo_base": 3}),
    ("base 3 scegliete", 20, 7, "solissimo", "scegliete", 12, {"solissimo_base": 3}),
    ("base 3 leaves Chiamo alone", 18, 6, "chiamo", None, 1, {"solissimo_base": 3}),
    ("no slams: cappotto", 35, 12, "solo", None, 2, {"slams": "off"}),
    ("no slams: reverse cappotto", 0, 0, "solo", None, -2, {"slams": "off"}),
    ("no slams: stramazzo", 33, 11, "solo", None, 2, {"slams": "off"}),
    ("Tressette cappotto", 35, 12, "chiamo", None, 4, {"slams": "tressette"}),
    ("Tressette reverse cappotto", 0, 0, "chiamo", None, -4, {"slams": "tressette"}),
    ("Tressette stramazzo", 33, 11, "chiamo", None, 3, {"slams": "tressette"}),
    ("Tressette without slam", 32, 10, "chiamo", None, 1, {"slams": "tressette"}),
]  # fmt: skip


@pytest.mark.rule("C7.3", "C7.4", "C7.5", "C7.6", "C9.8", "C9.9")
@pytest.mark.parametrize("case", PAYMENTS, ids=[case[0] for case in PAYMENTS])
def test_the_bidder_gets_or_pays_the_stake_twice(
    case: tuple[str, int, int, str, str | None, int, dict[str, Any]],
) -> None:
    _, thirds, tricks, contract, raised, stake, options = case
    deal = finished(thirds, tricks, contract, raised, **options)
    assert deal.score() == (-stake, 2 * stake, -stake)
    low, high = Calabresella.score_range(deal.rules)
    assert all(low <= points <= high for points in deal.score())


@pytest.mark.rule("C7.6", "C9.9")
@pytest.mark.parametrize(
    ("thirds", "tricks", "last_to_bidder", "standard", "tressette"),
    [
        (26, 11, False, 1, 3),  # the losers took the last trick and no other
        (26, 11, True, 1, 1),  # their only trick was another one
        (9, 1, True, -1, -3),  # the bidder took the last trick and no other, and lost
        (9, 1, False, -1, -1),
        (18, 1, True, 1, 1),  # the side with the last trick alone has won
        (17, 11, False, -1, -1),
        (26, 10, False, 1, 1),  # the losers took two tricks
    ],
)
def test_by_tressette_a_side_with_the_last_trick_alone_is_stramazzo_too(
    thirds: int, tricks: int, last_to_bidder: bool, standard: int, tressette: int
) -> None:
    assert finished(thirds, tricks, last=last_to_bidder).score()[1] == 2 * standard
    assert finished(thirds, tricks, last=last_to_bidder, slams="tressette").score()[1] == 2 * tressette


@pytest.mark.rule("C7.4")
@pytest.mark.parametrize(("contract", "raised"), CONTRACTS)
@pytest.mark.parametrize("thirds", [0, 1, 17, 18, 33, 35])
@pytest.mark.parametrize("bidder", [0, 1, 2])
def test_every_line_of_the_sheet_has_a_reason_and_the_chips_add_up_to_nothing(
    contract: str, raised: str | None, thirds: int, bidder: int
) -> None:
    deal = finished(thirds, {0: 0, 35: 12}.get(thirds, 6), contract, raised, bidder=bidder)
    sheet = deal.score_sheet()
    assert sum(line.points for line in sheet) == 0
    assert sum(deal.score()) == 0
    # The bidder, then the opponents in the direction of play.
    assert list(dict.fromkeys(line.seat for line in sheet)) == [bidder, *deal.opponents()]
    for line in sheet:
        assert line.reason
        assert line.rule in numbers("calabresella")
        if line.rule == "C7.4":
            assert " : " in line.reason


@pytest.mark.rule("C6.4", "C7.1")
@pytest.mark.parametrize(
    ("thirds", "last", "monte", "reason"),
    [
        (20, True, "As 4h 5h Kd", "Chiamo won; points 6 : 5; the last trick (1) and the monte (1 1/3) went to seat 1"),
        (17, True, "4s 5s 6s 7s", "Chiamo lost; points 5 : 6; the last trick (1) and the monte (0) went to seat 1"),
        (
            9,
            False,
            "3s 2s 6s 7s",
            "Chiamo lost; points 3 : 8; the last trick (1) and the monte (2/3) went to the opponents",
        ),
    ],
)
def test_the_sheet_says_who_got_the_last_trick_and_the_monte_and_how_much_they_were(
    thirds: int, last: bool, monte: str, reason: str
) -> None:
    deal = finished(thirds, 6, last=last)
    deal.monte = mask_of(parse_cards(monte))
    first, *others = deal.score_sheet()
    assert (first.seat, first.reason) == (1, reason)
    assert all("last trick" not in line.reason for line in others)


def test_there_is_no_sheet_before_the_end() -> None:
    assert golden().score_sheet() == []
    assert golden().score() == (0, 0, 0)
    assert golden(TO_THE_PLAY).score() == (0, 0, 0)
    assert golden().thirds() == (0, 0)


# -- four at the table ------------------------------------------------------------------


@pytest.mark.rule("C9.11", "C1.2", "C2.1")
@pytest.mark.parametrize(
    ("direction", "dealer", "order"),
    [
        ("cw", 0, (3, 1, 2)),
        ("cw", 1, (0, 2, 3)),
        ("cw", 3, (2, 0, 1)),
        ("ccw", 0, (3, 2, 1)),
        ("ccw", 1, (0, 3, 2)),
        ("ccw", 2, (1, 0, 3)),
    ],
)
def test_with_four_players_the_dealer_sits_out_and_is_skipped(
    direction: str, dealer: int, order: tuple[int, ...]
) -> None:
    deal = shuffled(3, dealer, seats=4, dealer_sits_out=True, direction=direction)
    assert deal.players == order
    assert deal.layout().hands[dealer] == ()
    seen = []
    rng = Rng(4)
    while not deal.over:
        seen.append(deal.to_act)
        legal = deal.legal_actions()
        deal.apply(legal[-1] if deal.phase == "auction" else rng.choice(legal))
    assert dealer not in seen
    assert deal.score()[dealer] == 0
    assert dealer not in [line.seat for line in deal.score_sheet()]
    assert sum(deal.score()) == 0
    assert sum(deal.tricks) == 12


# -- the match --------------------------------------------------------------------------


def play_deal(match: CalabresellaMatch, rng: Rng, passed: bool = False) -> None:
    deal = match.next_deal(rng)
    while not deal.over:
        legal = deal.legal_actions()
        bidding = deal.phase == "auction"
        match.apply(legal[0] if bidding and passed else legal[1] if bidding and len(legal) > 1 else rng.choice(legal))


@pytest.mark.rule("C8.1", "C3.5")
@pytest.mark.parametrize(("direction", "dealers"), [("cw", [0, 1, 2, 0]), ("ccw", [0, 2, 1, 0])])
def test_the_deal_moves_on_after_every_deal_also_a_void_one(direction: str, dealers: list[int]) -> None:
    match = CalabresellaMatch(rules(direction=direction))
    rng = Rng(5)
    seen = []
    for void in (False, True, True, False):
        seen.append(match.dealer)
        play_deal(match, rng, void)
    assert seen == dealers
    assert match.counted == 2
    assert [deal.void for deal in match.deals] == [False, True, True, False]


@pytest.mark.rule("C8.2", "C8.3", "C9.1")
@pytest.mark.parametrize("length", [3, 6])
def test_the_most_chips_after_the_agreed_deals_win(length: int) -> None:
    match = CalabresellaMatch(rules(deals=length))
    rng = Rng(6)
    while not match.over:
        play_deal(match, rng, passed=rng.below(4) == 0)
    assert match.counted == length
    assert sum(match.totals) == 0
    best = max(match.totals)
    assert match.winners == tuple(seat for seat in range(3) if match.totals[seat] == best)


@pytest.mark.rule("C8.3")
def test_players_with_equally_many_chips_share_the_win() -> None:
    match = CalabresellaMatch(rules(deals=3))
    match.counted = 3
    match.totals = (1, -2, 1)
    assert match.winners_after(None) == (0, 2)


@pytest.mark.rule("C8.2", "C8.3", "C9.2")
@pytest.mark.parametrize(
    ("target", "totals", "winners"),
    [
        (21, (20, -10, -10), None),
        (21, (21, -10, -11), (0,)),
        (31, (24, -12, -12), None),
        (51, (52, 52, -104), (0, 1)),
        (21, (25, 22, -47), (0,)),
    ],
)
def test_a_target_ends_the_match_with_the_first_deal_that_reaches_it(
    target: int, totals: tuple[int, int, int], winners: tuple[int, ...] | None
) -> None:
    match = CalabresellaMatch(rules(target=target))
    match.counted = 99
    match.totals = totals
    assert match.winners_after(None) == winners


def test_only_the_seat_to_act_may_act() -> None:
    match = CalabresellaMatch(rules())
    match.next_deal(layout())
    with pytest.raises(NotYourTurn):
        match.apply("pass", seat=0)
    match.apply("pass", seat=2)


# -- options ----------------------------------------------------------------------------


def test_the_options_and_presets_are_those_of_the_record_format() -> None:
    options = CalabresellaRules.options()
    assert list(options) == [
        "deals", "target", "follow_suit", "direction", "auction", "call", "monte_shown", "solissimo_base", "slams",
        "first_lead", "dealer_sits_out",
    ]  # fmt: skip
    made = rules()
    assert {name: getattr(made, name) for name in options} == {
        "deals": 12, "target": None, "follow_suit": False, "direction": "cw", "auction": "standard", "call": "any",
        "monte_shown": "chiamo", "solissimo_base": 4, "slams": "standard", "first_lead": "forehand",
        "dealer_sits_out": False,
    }  # fmt: skip
    assert {name: option.choices for name, option in options.items() if name != "deals"} == {
        "target": (None, 21, 31, 51), "follow_suit": (False, True), "direction": ("cw", "ccw"),
        "auction": ("standard", "single_round", "reentry"), "call": ("any", "threes_first"),
        "monte_shown": ("chiamo", "both"), "solissimo_base": (4, 3), "slams": ("standard", "off", "tressette"),
        "first_lead": ("forehand", "bidder"), "dealer_sits_out": (False, True),
    }  # fmt: skip
    assert CalabresellaRules.presets == {
        "standard": {},
        "trad": {"direction": "ccw", "follow_suit": True, "auction": "single_round"},
    }


@pytest.mark.rule("C9.1")
@pytest.mark.parametrize(("seats", "lengths"), [(3, range(3, 61, 3)), (4, range(4, 61, 4))])
def test_a_match_is_a_multiple_of_the_players_long(seats: int, lengths: range) -> None:
    extra: dict[str, Any] = {"dealer_sits_out": True} if seats == 4 else {}
    for length in range(0, 64):
        if length in lengths:
            assert rules(seats, deals=length, **extra).deals == length
        else:
            with pytest.raises(RulesError):
                rules(seats, deals=length, **extra)


@pytest.mark.rule("C9.2")
def test_a_target_takes_the_place_of_the_number_of_deals() -> None:
    made = rules(target=31)
    assert made.deals is None
    assert made.to_dict() == {"preset": "standard", "target": 31}
    assert CalabresellaRules.from_dict(3, made.to_dict()) == made
    assert made.warnings()
    assert not rules().warnings()
    assert rules(target=None).deals == 12


@pytest.mark.rule("C9.2", "C9.11")
@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (3, {"target": 21, "deals": 12}),
        (3, {"target": 21, "deals": 6}),
        (3, {"deals": None}),
        (3, {"deals": None, "target": 21}),
        (3, {"target": 11}),
        (4, {}),
        (3, {"dealer_sits_out": True}),
        (2, {}),
        (5, {"dealer_sits_out": True}),
        (3, {"follow_suit": 1}),
        (3, {"solissimo_base": "4"}),
        (3, {"solissimo_base": True}),
        (3, {"monte": "both"}),
    ],
)
def test_contradictions_and_bad_values_are_errors(seats: int, options: dict[str, Any]) -> None:
    with pytest.raises(RulesError):
        rules(seats, **options)


def test_a_match_without_any_end_cannot_be_made() -> None:
    with pytest.raises(RulesError):
        CalabresellaRules(seats=3, deals=None)
    with pytest.raises(RulesError):
        rules(preset="cavendish")


@pytest.mark.parametrize("options", [{}, {"target": 51}, {"deals": 6, "slams": "off"}, {"direction": "cw"}])
@pytest.mark.parametrize("preset", ["standard", "trad"])
def test_rules_read_back_as_written(preset: str, options: dict[str, Any]) -> None:
    made = rules(3, preset, **options)
    assert CalabresellaRules.from_dict(3, made.to_dict()) == made
    assert made.preset == preset


@pytest.mark.rule("C9.4", "C9.3", "C9.5")
def test_the_traditional_preset_is_counter_clockwise_with_following_and_one_round() -> None:
    made = rules(preset="trad")
    assert (made.direction, made.follow_suit, made.auction) == ("ccw", True, "single_round")
    assert rules(preset="trad", follow_suit=False).to_dict() == {"preset": "trad", "follow_suit": False}


@pytest.mark.rule("C9.7")
@pytest.mark.parametrize(("monte_shown", "expected"), [("chiamo", ""), ("both", GOLDEN_MONTE)])
def test_the_monte_of_a_solo_is_shown_only_by_house_rule(monte_shown: str, expected: str) -> None:
    deal = golden(["2 pass", "0 pass"], monte_shown=monte_shown)
    events = deal.apply("bid solo")
    assert cards_text(deal.view(2).shown) == expected
    assert [event.seen_by(2).get("cards", "") for event in events if event.kind == "pick-up"] == [expected]
    assert [event.seen_by(1)["cards"] for event in events if event.kind == "pick-up"] == [GOLDEN_MONTE]


def test_the_game_is_in_the_registry() -> None:
    assert game("calabresella").deal is Calabresella
    assert make_rules("calabresella") == rules()


# -- words ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "strict"),
    [
        ("PASS", "pass"),
        ("bid  Chiamo", "bid chiamo"),
        ("Call 3♥", "call 3h"),
        ("give 4S", "give 4s"),
        ("DISCARD as", "discard As"),
        ("raise Dividete", "raise dividete"),
        ("play  KC", "play Kc"),
    ],
)
def test_actions_are_read_tolerantly_and_written_strictly(typed: str, strict: str) -> None:
    assert Calabresella.text(Calabresella.parse(typed)) == strict


@pytest.mark.parametrize(
    "text",
    ["", "bid", "bid quatro", "call", "call Jk", "discard ??", "raise", "raise 2", "pass 3s", "give 3s 4s", "solo"],
)
def test_other_texts_are_no_actions(text: str) -> None:
    with pytest.raises(ActionTextError):
        Calabresella.parse(text)


ODD: list[Any] = [
    -1,
    -64,
    63,
    62,
    52,
    8,
    64,
    65,
    128,
    131,
    191,
    3 << 6 | 63,
    6 << 6 | 3,
    7 << 6,
    1 << 40,
    10**30,
    True,
    None,
    "x",
    1.5,
    (),
    object(),
]


@pytest.mark.parametrize("stage", range(8))
def test_nothing_odd_is_accepted_in_any_phase(stage: int) -> None:
    deal = [
        golden(),
        golden(["2 bid solo"]),
        golden(["2 pass", "0 pass", "1 bid chiamo"]),
        golden(TO_THE_PLAY[:4]),
        golden(TO_THE_PLAY[:6]),
        golden(["2 bid solissimo"]),
        golden(["2 bid solissimo", "2 raise scegliete"]),
        golden(TO_THE_PLAY),
    ][stage]
    legal = deal.legal_actions()
    assert legal == sorted(set(legal))
    accepted = [action for action in range(-5, 8 << 6) if deal.is_legal(action)]
    assert accepted == legal
    for action in ODD:
        if isinstance(action, int) and not isinstance(action, bool) and action in legal:
            continue
        if isinstance(action, str):
            continue
        reason = deal.why_illegal(action)
        assert reason is not None
        assert reason.code
        assert reason.text
        assert reason.rule in numbers("calabresella")
        before = snapshot(deal)
        with pytest.raises(IllegalAction):
            deal.apply(action)
        assert snapshot(deal) == before


# -- the rule book ----------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "id"])
@pytest.mark.parametrize(
    "made",
    [
        rules(),
        rules(preset="trad"),
        rules(4, dealer_sits_out=True, target=21, slams="tressette", call="threes_first", first_lead="bidder"),
        rules(slams="off", auction="reentry", solissimo_base=3, monte_shown="both"),
    ],
    ids=str,
)
def test_the_book_has_every_number_in_both_languages(made: CalabresellaRules, language: str) -> None:
    text = render(made, language)
    known = numbers("calabresella")
    positions = [text.index(f"\n\n**{number}** ") for number in known]
    assert positions == sorted(positions)
    for option in CalabresellaRules.options().values():
        assert f"`{option.name}`" in rule(made, option.rule, language)
    assert "None" not in text
    assert "{" not in text


@pytest.mark.parametrize(
    ("number", "options", "words"),
    [
        ("C1.2", {"direction": "ccw"}, "counter-clockwise"),
        ("C3.3", {"auction": "single_round"}, "exactly once"),
        ("C4.1", {"call": "threes_first"}, "best rank"),
        ("C4.4", {"monte_shown": "both"}, "in Solo alike"),
        ("C6.1", {"first_lead": "bidder"}, "The bidder leads"),
        ("C6.2", {"follow_suit": True}, "must play one"),
        ("C7.3", {"solissimo_base": 3}, "3 plain, 6 with dividete and 12"),
        ("C7.5", {"slams": "tressette"}, "multiplied by 4"),
        ("C7.6", {"slams": "off"}, "nothing extra"),
        ("C8.2", {"target": 31}, "31 chips"),
    ],
)
def test_the_book_tells_the_rules_as_they_stand(number: str, options: dict[str, Any], words: str) -> None:
    assert words in rule(rules(**options), number)
    assert words not in rule(rules(), number)
