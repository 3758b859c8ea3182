"""Cutthroat Canadian Smear: the rules, by their numbers, with worked deals checked by hand."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest

from meja.cards import RANKS, Rng, card_text, parse_card, parse_cards
from meja.deal import Context, Layout
from meja.errors import ActionTextError, GameOver, IllegalAction, MejaError, RulesError
from meja.games import games, make_rules, new_match
from meja.games.smear import BID, PASS, Awards, Smear, SmearMatch, SmearRules
from meja.rulebook import LANGUAGES, numbers, render


@dataclass(frozen=True)
class Example:
    """A worked deal: hands, the tricks in the order of play, and what comes out."""

    name: str
    hands: tuple[str, ...]
    bid: int
    tricks: str
    takers: tuple[int, ...]
    piles: tuple[int, ...]
    awards: tuple[int | None, int | None, int | None, int | None]
    score: tuple[int, ...]
    before: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.hands)


EXAMPLES = [
    Example(
        "S10 more points than were bid all count",
        ("As Ks Js 2s Th 3d", "Qs 5s Ah Kh Td 4c"),
        3,
        "As 5s / Ks Qs / Js 4c / 2s Td / Th Ah / Kh 3d",
        (0, 0, 0, 0, 1, 1),
        (20, 17),
        (0, 0, 0, 0),
        (4, 0),
    ),
    Example(
        "S11 Low stays with the player who was dealt it",
        ("2s 8d 6d Kc Qc 8c", "Js 9s 3h 4d Jc 6c"),
        2,
        "Kc 6c / Qc Jc / 2s 9s / Js 8c / 6d 4d / 8d 3h",
        (0, 0, 1, 0, 0, 0),
        (7, 0),
        (0, 1, 0, 0),
        (3, 1),
    ),
    Example(
        "S12 a tie for Game gives it to nobody",
        ("Ts 8s 3s 2s 5h 8c", "6s Kh Th Kd 5d 9c"),
        2,
        "Ts 6s / 2s 9c / 5h Th / Kh 8c / 5d 3s / 8s Kd",
        (0, 0, 1, 1, 0, 0),
        (13, 13),
        (0, 0, None, None),
        (2, 0),
    ),
    Example(
        "S12 the same with a bid of 3 is set back",
        ("Ts 8s 3s 2s 5h 8c", "6s Kh Th Kd 5d 9c"),
        3,
        "Ts 6s / 2s 9c / 5h Th / Kh 8c / 5d 3s / 8s Kd",
        (0, 0, 1, 1, 0, 0),
        (13, 13),
        (0, 0, None, None),
        (-3, 0),
    ),
    Example(
        "S13 three points do not make a bid of four",
        ("Js 4s Qh 9d 9c 4c", "Qs Ts Kh Qd 7d 7c"),
        4,
        "Js Ts / Qh Qs / Kh 9c / Qd 9d / 7d 4c / 7c 4s",
        (0, 1, 1, 1, 1, 0),
        (11, 9),
        (1, 0, 0, 0),
        (-4, 1),
    ),
    Example(
        "S14 all points there are do not make a bid of four without the jack",
        ("4s Qh Th 9h 3h Kd", "8s 6h 6d Tc 7c 4c"),
        4,
        "Qh 6h / Kd 6d / 4s 8s / 4c Th / 3h Tc / 9h 7c",
        (0, 0, 1, 0, 0, 0),
        (25, 0),
        (0, 0, None, 0),
        (-4, 0),
    ),
    Example(
        "S15 a lone jack of trumps is High, Low and Jack",
        ("Js Ah Kh Qh 9d 8d", "Ac Kc Th Td 5h 4c"),
        3,
        "Js 4c / Ah 5h / Kh Th / Qh Ac / 9d Td / Kc 8d",
        (0, 0, 0, 0, 1, 1),
        (24, 13),
        (0, 0, 0, 0),
        (4, 0),
    ),
    Example(
        "S16 one point each, and the bidder is set back",
        ("Ks 7h 9d 6d Qc 6c", "Kh 2h Kd 3d Kc Tc", "Js 5s 3s 9h 8d 5c"),
        2,
        "Qc Tc 5c / 7h Kh 9h / Kc Js 6c / Kd 8d 9d / 3d 5s 6d / Ks 2h 3s",
        (0, 1, 1, 1, 0, 0),
        (15, 10, 0),
        (1, 2, None, 0),
        (-2, 1, 1),
        (5, -1, 3),
    ),
    Example(
        "S17 the bidder wins at 11 against 12",
        ("Ah 7h Jd Td 8d 4d", "Qs 9s Jh 3d 2d 9c", "6s 5s 3s 5h Qc Tc"),
        3,
        "Jd 3d 5s / Td 2d Tc / 7h Jh 5h / 9s 3s 8d / Ah Qs 6s / 4d 9c Qc",
        (0, 0, 1, 0, 0, 0),
        (29, 1, 0),
        (0, 1, 0, 0),
        (3, 1, 0),
        (8, 11, 4),
        (0,),
    ),
    Example(
        "S18 a defender who reaches 11 does not win",
        ("3s 8h 4h Kd 5d 5c", "Qs 5s 3d Kc 6c 2c", "Ks 9s Ah 6h 4d 3c"),
        3,
        "Kd 3d 4d / 5c 6c 3c / 5s 9s 3s / 6h 5d Kc / 8h 2c Ah / Ks 4h Qs",
        (0, 1, 2, 0, 2, 2),
        (6, 0, 9),
        (0, 1, None, 2),
        (-3, 1, 1),
        (6, 10, 2),
    ),
    Example(
        "S19 the two best tie, so Game goes to nobody",
        ("Ks Ts 3h 9d 2d 5c", "3s Qh Jh 5h 8d Qc", "Js 5s 9h Qd Td 6c"),
        2,
        "Ks 3s 5s / Ts 8d Js / Qd 2d Jh / 6c 5c Qc / Qh 9h 3h / 5h Td 9d",
        (0, 2, 2, 1, 1, 1),
        (3, 14, 14),
        (0, 1, 2, None),
        (-2, 1, 1),
    ),
    Example(
        "S20 all four points on a bid of two win the match",
        ("Qh Jh 9h Jd 9d 5c", "As Js Ts 4s 8d 2c"),
        2,
        "Qh Ts / 5c 2c / 9h 8d / Jh Js / Jd 4s / 9d As",
        (0, 0, 0, 0, 0, 0),
        (19, 0),
        (0, 0, 0, 0),
        (4, 0),
        (9, 10),
        (0,),
    ),
    Example(
        "S21 a bidder above the target is set back, and nobody wins",
        ("Qs 6s 6h Jd 9c 6c", "5s 7h Tc 8c 4c 3c"),
        3,
        "Qs 5s / 9c 8c / Jd 7h / 6c Tc / 4c 6s / 6h 3c",
        (0, 0, 0, 1, 0, 0),
        (3, 10),
        (0, 1, None, 1),
        (-3, 2),
        (12, 10),
    ),
]
BY_ID = {example.name.split()[0]: example for example in reversed(EXAMPLES)}


def rules_of(seats: int = 3, **options: Any) -> SmearRules:
    return SmearRules.make(seats, **options)


def layout_of(*hands: str) -> Layout:
    return Layout(tuple(tuple(parse_cards(hand)) for hand in hands))


def start(
    hands: tuple[str, ...],
    *,
    dealer: int | None = None,
    totals: tuple[int, ...] | None = None,
    **options: Any,
) -> Smear:
    """A deal in which seat 0 speaks first unless another dealer is given."""
    seats = len(hands)
    context = None if totals is None else Context(totals)
    return Smear.from_layout(
        rules_of(seats, **options), seats - 1 if dealer is None else dealer, layout_of(*hands), context
    )


def do(deal: Smear, *actions: str) -> Smear:
    for action in actions:
        deal.apply(action)
    return deal


def bid_and_play(deal: Smear, bid: int, tricks: str) -> Smear:
    """Seat 0 bids, the others pass, and the cards fall as written."""
    do(deal, f"bid {bid}")
    while deal.phase == "bid":
        do(deal, "pass")
    return do(deal, *(f"play {card}" for card in tricks.replace("/", " ").split()))


def played(example: Example, **options: Any) -> Smear:
    return bid_and_play(start(example.hands, totals=example.before, **options), example.bid, example.tricks)


def match_with(example: Example, before: tuple[int, ...] | None = None, **options: Any) -> SmearMatch:
    """A match that stands at ``before``, in which the deal of the example has been played."""
    match = SmearMatch(rules_of(example.seats, **options), dealer=example.seats - 1)
    match.totals = before or example.before or match.totals
    deal = match.next_deal(layout_of(*example.hands))
    match.apply(f"bid {example.bid}")
    while deal.phase == "bid":
        match.apply("pass")
    for card in example.tricks.replace("/", " ").split():
        match.apply(f"play {card}")
    return match


def legal(deal: Smear) -> set[str]:
    return {deal.text(action) for action in deal.legal_actions()}


HANDS2 = ("As Ks Js 2s Th 3d", "Qs 5s Ah Kh Td 4c")
HANDS3 = ("Ks 7h 9d 6d Qc 6c", "Kh 2h Kd 3d Kc Tc", "Js 5s 3s 9h 8d 5c")


# -- players, cards, the deal -----------------------------------------------------


@pytest.mark.rule("S1.1")
def test_two_or_three_play_and_three_is_usual() -> None:
    assert rules_of().seats == SmearRules.make().seats == 3
    assert rules_of(2).seats == 2
    for seats in (0, 1, 4, True):
        with pytest.raises(RulesError):
            rules_of(seats)


@pytest.mark.rule("S1.3")
def test_the_pack_has_52_cards_and_no_joker() -> None:
    pack = Smear.pack(rules_of())
    assert sorted(card_text(card) for card in pack) == sorted(r + s for r, s in product(RANKS, "shdc"))
    with pytest.raises(MejaError):
        start(("Jk Ks Js 2s Th 3d", HANDS2[1]))
    with pytest.raises(MejaError):
        start(("As Ks Js 2s Th 3d", "As 5s Ah Kh Td 4c"))
    with pytest.raises(MejaError):
        start(("As Ks Js 2s Th", HANDS2[1]))


@pytest.mark.rule("S1.4", "S4.5")
@pytest.mark.parametrize(("better", "worse"), list(zip("AKQJT9876543", "KQJT98765432", strict=True)))
def test_cards_rank_from_ace_to_two_in_plain_suits_and_trumps(better: str, worse: str) -> None:
    others = [rank for rank in "987654" if rank not in (better, worse)][:4]
    clubs = " ".join(rank + "c" for rank in others)
    diamonds = " ".join(rank + "d" for rank in others)
    hands = (f"{worse}s {worse}h {clubs}", f"{better}s {better}h {diamonds}")
    in_trumps = do(start(hands), "bid 2", "pass", f"play {worse}s", f"play {better}s")
    assert in_trumps.tricks == [0, 1]
    in_plain = do(start(hands), "bid 2", "pass", f"play {worse}s", f"play {better}s", f"play {better}h")
    assert do(in_plain, f"play {worse}h").tricks == [0, 2]


@pytest.mark.rule("S1.5", "S4.5")
def test_the_lowest_trump_beats_the_ace_of_a_plain_suit() -> None:
    deal = do(start(("3s 2s 9h 8h 7h 6h", "Ah Kh Qd Jd Td 9d")), "bid 2", "pass", "play 3s", "play 9d", "play 2s")
    do(deal, "play Qd", "play 9h", "play Ah")
    assert deal.tricks == [2, 1]
    deal = do(start(("3s Ah 9h 8h 7h 6h", "2s Kh Qd Jd Td 9d")), "bid 2", "pass", "play 3s", "play 2s", "play Ah")
    assert deal.tricks == [1, 0]
    assert do(deal, "play Kh").tricks == [2, 0]
    deal = do(start(("3s Ah 9h 8h 7h 6h", "4s 2s Qd Jd Td 9d")), "bid 2", "pass", "play 3s", "play 4s", "play Qd")
    do(deal, "play Ah", "play Jd", "play 9h", "play Td", "play 8h", "play 9d", "play 7h")
    assert legal(deal) == {"play 2s"}
    assert do(deal, "play 2s", "play 6h").tricks == [0, 6]


@pytest.mark.rule("S4.5")
def test_a_card_of_another_plain_suit_takes_nothing() -> None:
    deal = do(start(("3s 2h 9h 8h 7h 6h", "2s Ac Ad Jd Td 9d")), "bid 2", "pass", "play 3s", "play 2s", "play 2h")
    do(deal, "play Ad")
    assert deal.tricks == [2, 0]


@pytest.mark.rule("S2.2")
@pytest.mark.parametrize("seats", [2, 3])
def test_everybody_is_dealt_two_packets_of_three_from_the_left(seats: int) -> None:
    cards = list(Smear.pack(rules_of(seats)))
    deal = Smear.start(rules_of(seats), 0, cards)
    for place in range(seats):
        seat = (1 + place) % seats
        packets = cards[3 * place : 3 * place + 3] + cards[3 * seats + 3 * place : 3 * seats + 3 * place + 3]
        assert sorted(deal.layout().hands[seat]) == packets


@pytest.mark.rule("S2.3")
@pytest.mark.parametrize(("seats", "rest"), [(2, 40), (3, 34)])
def test_the_other_cards_are_never_used(seats: int, rest: int) -> None:
    rng = Rng(5)
    deal = Smear.shuffle(rules_of(seats), 0, rng)
    aside = deal.zones()["not dealt"]
    assert len(aside) == rest
    while not deal.over:
        deal.apply(rng.choice(deal.legal_actions()))
        assert deal.zones()["not dealt"] == aside


# -- the auction ------------------------------------------------------------------


@pytest.mark.rule("S3.1")
@pytest.mark.parametrize(("seats", "dealer"), [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)])
def test_everybody_speaks_once_from_the_left_of_the_dealer(seats: int, dealer: int) -> None:
    deal = Smear.shuffle(rules_of(seats), dealer, Rng(1))
    asked = []
    while not deal.over:
        assert deal.to_act is not None
        asked.append(deal.to_act)
        deal.apply("pass")
    assert asked == [(dealer + 1 + place) % seats for place in range(seats)]
    assert asked[-1] == dealer


@pytest.mark.rule("S3.3")
def test_s01_a_bid_must_be_higher_for_the_dealer_too() -> None:
    deal = do(start(HANDS3), "pass", "bid 2")
    assert deal.to_act == deal.dealer == 2
    assert legal(deal) == {"pass", "bid 3", "bid 4"}
    with pytest.raises(IllegalAction) as raised:
        deal.apply("bid 2")
    assert (raised.value.code, raised.value.rule) == ("too-low", "S3.3")


@pytest.mark.rule("S3.3", "S7.3")
def test_s01_with_dealer_steal_the_dealer_may_take_the_bid_at_the_same_number() -> None:
    for number in (2, 3):
        deal = do(start(HANDS3, dealer_steal=True), "pass", f"bid {number}", f"bid {number}")
        assert (deal.bidder, deal.bid, deal.to_act, deal.phase) == (2, number, 2, "play")
    low = do(start(HANDS3, dealer_steal=True), "bid 3", "pass")
    assert legal(low) == {"pass", "bid 3", "bid 4"}


@pytest.mark.rule("S7.3")
def test_only_the_dealer_may_steal_and_never_a_four() -> None:
    deal = do(start(HANDS3, dealer_steal=True), "bid 2")
    assert legal(deal) == {"pass", "bid 3", "bid 4"}
    assert do(start(HANDS3, dealer_steal=True), "bid 4").phase == "play"
    nobody = do(start(HANDS3, dealer_steal=True), "pass", "pass")
    assert legal(nobody) == {"pass", "bid 2", "bid 3", "bid 4"}
    assert legal(do(start(HANDS3, dealer_steal=True, min_bid=1), "bid 1", "pass")) == {
        "pass", "bid 1", "bid 2", "bid 3", "bid 4",
    }  # fmt: skip


@pytest.mark.rule("S3.4")
def test_s02_a_bid_of_four_ends_the_auction_at_once() -> None:
    deal = do(start(HANDS3), "bid 4")
    assert (deal.phase, deal.to_act, deal.bidder) == ("play", 0, 0)
    assert deal.calls() == [(0, 4)]
    assert do(start(HANDS3), "pass", "bid 4").bidder == 1
    with pytest.raises(IllegalAction) as raised:
        deal.apply("pass")
    assert raised.value.code == "auction-over"


@pytest.mark.rule("S3.4")
def test_no_card_is_played_before_the_auction_has_ended() -> None:
    with pytest.raises(IllegalAction) as raised:
        start(HANDS3).apply("play Ks")
    assert (raised.value.code, raised.value.rule) == ("auction", "S3.4")


@pytest.mark.rule("S3.5", "S6.1", "S7.4")
def test_s03_after_three_passes_the_same_dealer_deals_again() -> None:
    match = SmearMatch(rules_of(), dealer=2)
    match.totals = (3, 4, 5)
    match.next_deal(layout_of(*HANDS3))
    for seat in (0, 1, 2):
        match.apply("pass", seat=seat)
    assert (match.dealer, match.totals, match.counted, match.winners) == (2, (3, 4, 5), 0, None)
    assert match.deals[0].void
    assert match.deals[0].score_sheet() == []


@pytest.mark.rule("S3.2")
@pytest.mark.parametrize("number", [0, 1, 5, 63])
def test_s04_a_bid_is_a_number_from_two_to_four(number: int) -> None:
    deal = start(HANDS3)
    with pytest.raises(IllegalAction) as raised:
        deal.apply(BID | number)
    assert (raised.value.code, raised.value.rule) == ("no-bid", "S3.2")
    assert deal.calls() == []


@pytest.mark.rule("S3.1")
def test_s04_nobody_speaks_again_after_passing() -> None:
    deal = do(start(HANDS3), "pass", "bid 2", "pass")
    assert deal.phase == "play"
    assert deal.to_act == 1
    match = SmearMatch(rules_of(), dealer=2)
    match.next_deal(layout_of(*HANDS3))
    match.apply("pass", seat=0)
    with pytest.raises(MejaError):
        match.apply("bid 2", seat=0)


@pytest.mark.parametrize("text", ["bid", "bid 5", "bid 0", "bid two", "pass 2", "bid -2", "bid 2 3", "play", ""])
def test_words_that_are_no_call_are_refused(text: str) -> None:
    with pytest.raises(ActionTextError):
        start(HANDS3).apply(text)


@pytest.mark.parametrize(("text", "action"), [("PASS", PASS), (" bid  03 ", BID | 3), ("Bid 2", BID | 2)])
def test_calls_are_read_tolerantly_and_written_strictly(text: str, action: int) -> None:
    assert Smear.parse(text) == action
    assert Smear.parse(Smear.text(action)) == action


@pytest.mark.rule("S3.5")
def test_s05_with_two_players_the_dealer_is_not_forced_either() -> None:
    deal = do(start(HANDS2), "pass", "pass")
    assert deal.over
    assert deal.void


@pytest.mark.rule("S3.6", "S4.1")
def test_the_highest_bid_leads_and_its_first_card_makes_trumps() -> None:
    deal = do(start(HANDS3), "bid 2", "bid 3", "pass")
    assert (deal.bidder, deal.bid, deal.to_act) == (1, 3, 1)
    assert len(deal.legal_actions()) == 6
    events = deal.apply("play Kd")
    assert deal.trump == 2
    assert [event.seen_by(None) for event in events[1:]] == [{"kind": "trump", "seat": 1, "suit": "d"}]
    assert deal.to_act == 2


CALLS = ["pass", "bid 1", "bid 2", "bid 3", "bid 4"]


def auction(calls: tuple[str, ...], dealer_place: int, options: dict[str, Any]) -> tuple[bool, int, int]:
    """The auction straight from the rules: (whether the calls are legal and complete, place of the bidder, bid)."""
    best, who = 0, -1
    for place, call in enumerate(calls):
        if best == 4:
            return False, who, best
        if call == "pass":
            if options.get("all_pass") == "dealer_two" and place == dealer_place and best == 0:
                return False, who, best
            continue
        number = int(call[-1])
        steals = bool(options.get("dealer_steal")) and place == dealer_place and number == best
        if number < options.get("min_bid", 2) or not (number > best or steals):
            return False, who, best
        best, who = number, place
    return len(calls) == dealer_place + 1 or best == 4, who, best


@pytest.mark.rule("S3.1", "S3.2", "S3.3", "S3.4", "S3.6", "S7.3", "S7.4", "S7.5")
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"min_bid": 1},
        {"dealer_steal": True},
        {"all_pass": "dealer_two"},
        {"all_pass": "dealer_two", "min_bid": 1, "dealer_steal": True},
    ],
)
def test_every_possible_auction_is_allowed_or_refused_by_the_rules(seats: int, options: dict[str, Any]) -> None:
    hands = HANDS2 if seats == 2 else HANDS3
    for length in range(1, seats + 1):
        for calls in product(CALLS, repeat=length):
            right, who, bid = auction(calls, seats - 1, options)
            deal = start(hands, **options)
            try:
                do(deal, *calls)
                ended = deal.phase != "bid"
            except (IllegalAction, GameOver):
                ended = False
            assert ended == right, calls
            if right and who >= 0:
                assert (deal.bidder, deal.bid, deal.to_act, deal.leader) == (who, bid, who, who)


# -- following --------------------------------------------------------------------


def follow(led: str, hand: str, **options: Any) -> set[str]:
    """What seat 1 may play from ``hand`` (three cards) when seat 0 leads ``led`` with spades as trump."""
    hands = (f"Qs Js Ts {led} Ac Qc", f"4s 5s 6s {hand}")
    deal = do(start(hands, **options), "bid 2", "pass")
    for mine, other in (("Qs", "4s"), ("Js", "5s"), ("Ts", "6s")):
        do(deal, f"play {mine}", f"play {other}")
    return {text.removeprefix("play ") for text in legal(do(deal, f"play {led}"))}


@pytest.mark.rule("S4.3")
def test_s06_to_a_plain_suit_one_follows_or_trumps() -> None:
    assert follow("Ah", "7h 2s Kd") == {"7h", "2s"}


@pytest.mark.rule("S4.2")
def test_s07_to_trumps_one_plays_a_trump() -> None:
    assert follow("As", "7h 2s Kd") == {"2s"}


@pytest.mark.rule("S4.4")
def test_s07_without_the_suit_led_any_card_will_do() -> None:
    assert follow("Kc", "7h 2s Kd") == {"7h", "2s", "Kd"}
    assert follow("As", "7h 3h Kd") == {"7h", "3h", "Kd"}


@pytest.mark.rule("S4.4")
def test_s08_nobody_has_to_play_higher() -> None:
    hands = ("As Ks Ah 8c 7c 6c", "Js Qs 2h Kc Qc Jc", "3s 2s 9d 4c 3c 2c")
    deal = do(start(hands), "bid 2", "pass", "pass", "play As", "play Qs", "play 2s", "play Ah", "play Js")
    assert legal(deal) == {"play 3s", "play 9d", "play 4c", "play 3c", "play 2c"}


@pytest.mark.rule("S4.3", "S7.6")
def test_s09_without_trump_anytime_one_follows_the_plain_suit() -> None:
    assert follow("Ah", "7h 2s Kd", trump_anytime=False) == {"7h"}
    assert follow("As", "7h 2s Kd", trump_anytime=False) == {"2s"}
    assert follow("Kc", "7h 2s Kd", trump_anytime=False) == {"7h", "2s", "Kd"}


@pytest.mark.rule("S4.2", "S4.3")
@pytest.mark.parametrize(
    ("led", "card", "anytime", "code", "rule"),
    [
        ("Ah", "Kd", True, "must-follow", "S4.3"),
        ("Ah", "2s", False, "must-follow", "S4.3"),
        ("As", "Kd", True, "must-follow", "S4.2"),
        ("As", "Ad", True, "not-held", "S4.4"),
    ],
)
def test_a_refusal_names_its_rule(led: str, card: str, anytime: bool, code: str, rule: str) -> None:
    hands = (f"{led} Js Ts 9s 8s Tc", "7h 2s 3s Kd 3c 2c")
    deal = do(start(hands, trump_anytime=anytime), "bid 2", "pass", "play Js", "play 3s")
    with pytest.raises(IllegalAction) as raised:
        do(deal, f"play {led}", f"play {card}")
    assert (raised.value.code, raised.value.rule) == (code, rule)


@pytest.mark.rule("S4.6")
def test_the_taker_leads_and_six_tricks_end_the_deal() -> None:
    deal = do(start(HANDS2), "bid 2", "pass", "play Js", "play Qs")
    assert (deal.leader, deal.to_act) == (1, 1)
    assert len(deal.legal_actions()) == 5
    done = played(BY_ID["S10"])
    assert done.over
    assert done.phase == "over"
    assert done.hands == [0, 0]
    assert done.legal_actions() == []
    with pytest.raises(GameOver):
        done.apply("play As")


# -- the points -------------------------------------------------------------------


@pytest.mark.rule("S5.2", "S5.3", "S5.4", "S5.5", "S5.6", "S5.7", "S5.8", "S5.9", "S5.10")
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_worked_deal(example: Example) -> None:
    deal = played(example)
    assert tuple(winner for _, winner in deal.finished_tricks()) == example.takers
    assert tuple(deal.taken) == example.piles
    assert tuple(deal.awards()) == example.awards
    assert deal.score() == example.score
    assert not deal.void
    assert deal.made == (example.score[0] > 0)


@pytest.mark.rule("S5.10", "S6.1", "S6.2", "S6.3", "S6.4")
@pytest.mark.parametrize("example", [e for e in EXAMPLES if e.before], ids=lambda example: example.name)
def test_worked_deal_in_a_match(example: Example) -> None:
    match = match_with(example)
    assert example.before is not None
    assert match.totals == tuple(a + b for a, b in zip(example.before, example.score, strict=True))
    assert match.winners == example.winners
    assert match.dealer == (example.seats - 1 if example.winners else 0)


@pytest.mark.rule("S5.3", "S7.2")
def test_s11_low_to_the_taker() -> None:
    assert played(BY_ID["S11"], low="taker").score() == (4, 0)


@pytest.mark.rule("S5.2", "S7.1")
def test_s11_high_only_for_the_ace() -> None:
    deal = played(BY_ID["S11"], high="ace_only")
    assert deal.awards() == Awards(None, 1, 0, 0)
    assert deal.score() == (2, 1)
    assert played(BY_ID["S10"], high="ace_only").awards().high == 0


@pytest.mark.rule("S5.7", "S7.1")
def test_a_lone_jack_is_no_high_when_only_the_ace_counts() -> None:
    assert played(BY_ID["S15"], high="ace_only").awards() == Awards(None, 0, 0, 0)


@pytest.mark.rule("S5.7")
def test_a_lone_trump_that_is_no_jack_is_high_and_low() -> None:
    hands = ("9s Ah Kh Qh 9d 8d", "Ac Kc Th Td 5h 4c")
    deal = bid_and_play(start(hands), 2, "9s 4c / Ah 5h / Kh Th / Qh Ac / 9d Td / Kc 8d")
    assert deal.awards() == Awards(0, 0, None, 0)


@pytest.mark.rule("S5.4")
def test_the_jack_goes_to_the_taker_of_its_trick() -> None:
    hands = ("Js 9s 3h 4d Jc 6c", "Qs 5s Ah Kh Td 4c")
    deal = bid_and_play(start(hands), 2, "Js Qs / Ah 3h / 4c Jc / 6c 5s / Kh 4d / Td 9s")
    assert deal.awards().jack == 1


@pytest.mark.rule("S5.5")
@pytest.mark.parametrize(
    ("rank", "worth"), [*zip("TAKQJ", (10, 4, 3, 2, 1), strict=True), *((r, 0) for r in "98765432")]
)
def test_card_points(rank: str, worth: int) -> None:
    values = Smear.values(rules_of())
    assert [values[parse_card(rank + suit)] for suit in "shdc"] == [worth] * 4


@pytest.mark.rule("S5.5")
def test_the_whole_pack_counts_80() -> None:
    assert sum(Smear.values(rules_of())) == 80


@pytest.mark.rule("S5.6")
def test_no_card_points_at_all_are_a_tie() -> None:
    hands = ("9s 8s 7s 6s 5s 4s", "9h 8h 7h 6h 5h 4h")
    deal = bid_and_play(start(hands), 2, "9s 4h / 8s 5h / 7s 6h / 6s 7h / 5s 8h / 4s 9h")
    assert deal.taken == [0, 0]
    assert deal.awards() == Awards(0, 0, None, None)


@pytest.mark.rule("S5.9")
def test_a_set_bidder_gets_one_line_and_the_sheet_says_what_was_made() -> None:
    sheet = played(BY_ID["S13"]).score_sheet()
    assert [(line.seat, line.points, line.rule) for line in sheet] == [(0, -4, "S5.9"), (1, 1, "S5.2")]
    assert str(sheet[0].reason) == "bid 4 but got 3 (Low, Jack, Game): set back"


@pytest.mark.rule("S5.1", "S5.8")
def test_the_sheet_has_a_line_for_each_point_in_the_order_of_counting() -> None:
    sheet = played(BY_ID["S11"]).score_sheet()
    assert [(line.seat, line.points, line.rule) for line in sheet] == [
        (0, 0, "S5.8"), (0, 1, "S5.2"), (1, 1, "S5.3"), (0, 1, "S5.4"), (0, 1, "S5.5"),
    ]  # fmt: skip
    assert str(sheet[0].reason) == "bid 2 and got 3"
    assert "Kc" in sheet[1].reason
    assert "6c" in sheet[2].reason


def points_by_hand(deal: Smear) -> list[int]:
    """The points in play of each seat, straight from the rules with texts of cards."""
    rules, order = deal.rules, "AKQJT98765432"
    plays = [(seat, card_text(card)) for seat, card in deal.plays()]
    trump = plays[0][1][1]
    trumps, piles, owner = [], [0] * rules.seats, {}
    for at in range(0, len(plays), rules.seats):
        trick = plays[at : at + rules.seats]
        suit = trump if any(card[1] == trump for _, card in trick) else trick[0][1][1]
        taker = min((order.index(card[0]), seat) for seat, card in trick if card[1] == suit)[1]
        for seat, card in trick:
            piles[taker] += {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}.get(card[0], 0)
            if card[1] == trump:
                trumps.append(card[0])
                owner[card[0]] = (seat, taker)
    trumps.sort(key=order.index)
    got = [0] * rules.seats
    if rules.high == "highest_in_play" or trumps[0] == "A":
        got[owner[trumps[0]][0]] += 1
    got[owner[trumps[-1]][0 if rules.low == "holder" else 1]] += 1
    if "J" in trumps:
        got[owner["J"][1]] += 1
    if sorted(piles)[-1] > sorted(piles)[-2]:
        got[piles.index(max(piles))] += 1
    assert piles == deal.taken
    return got


@pytest.mark.rule("S5.1", "S5.8", "S5.9", "S5.10")
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("high", ["highest_in_play", "ace_only"])
@pytest.mark.parametrize("low", ["holder", "taker"])
def test_random_deals_score_as_counted_by_hand(seats: int, high: str, low: str) -> None:
    for seed in range(60):
        rng = Rng(seed)
        deal = Smear.shuffle(rules_of(seats, high=high, low=low), seed % seats, rng)
        deal.apply("bid 2")
        while not deal.over:
            deal.apply(rng.choice(deal.legal_actions()))
        got = points_by_hand(deal)
        awards = deal.awards()
        assert got == [deal.won(seat) for seat in range(seats)]
        dealt = {card for _, card in deal.plays()}
        assert sum(got) == sum(award is not None for award in awards)
        if high == "highest_in_play":
            assert sum(got) == 2 + (deal.trump * 13 + 9 in dealt) + (awards.game is not None)
        assert sum(deal.taken) == sum(deal.worth[card] for card in dealt)
        bid, bidder = deal.bid, deal.bidder
        expected = [-bid if seat == bidder and points < bid else points for seat, points in enumerate(got)]
        assert list(deal.score()) == expected


def test_the_holder_of_high_takes_the_trick_with_it() -> None:
    for seed in range(40):
        rng = Rng(seed, 7)
        deal = Smear.shuffle(rules_of(3), 0, rng)
        while not deal.over:
            deal.apply(rng.choice(deal.legal_actions()))
        if deal.bidder >= 0:
            _, holder, taker = deal.trumps_in_play()[0]
            assert holder == taker == deal.awards().high


# -- the match --------------------------------------------------------------------


def after(before: tuple[int, ...], example: str, **options: Any) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    match = match_with(BY_ID[example], before, **options)
    return match.totals, match.winners


@pytest.mark.rule("S2.1", "S6.1")
def test_the_deal_moves_left_after_a_scored_deal() -> None:
    for example in ("S10", "S16", "S21"):
        match = match_with(BY_ID[example], (0,) * BY_ID[example].seats)
        assert match.dealer == 0
        assert match.counted == 1


@pytest.mark.rule("S2.1")
def test_any_seat_may_deal_first() -> None:
    for dealer in range(3):
        match = new_match("smear", dealer=dealer)
        match.next_deal(Rng(3))
        assert match.to_act == (dealer + 1) % 3


@pytest.mark.rule("S1.2", "S6.2")
def test_s22_a_made_bid_that_reaches_the_target_wins() -> None:
    assert after((8, 0, 0), "S17") == ((11, 1, 0), (0,))


@pytest.mark.rule("S6.2", "S7.7")
def test_s22_strict_next_deal_asks_for_the_target_before_the_deal() -> None:
    assert after((8, 0, 0), "S17", win="strict_next_deal") == ((11, 1, 0), None)
    assert after((11, 0, 0), "S17", win="strict_next_deal") == ((14, 1, 0), (0,))


@pytest.mark.rule("S7.7")
def test_s17_has_no_winner_under_strict_next_deal() -> None:
    assert after((8, 11, 4), "S17", win="strict_next_deal") == ((11, 12, 4), None)


@pytest.mark.rule("S5.9")
def test_s23_a_set_bidder_keeps_no_point() -> None:
    assert after((10, 0, 0), "S16") == ((8, 1, 1), None)


@pytest.mark.rule("S5.9")
def test_s24_a_total_may_fall_below_zero() -> None:
    assert after((1, 0), "S13") == ((-3, 1), None)


@pytest.mark.rule("S5.10", "S6.3")
def test_s25_a_defender_above_the_target_goes_on_counting_and_does_not_win() -> None:
    assert after((0, 14), "S21") == ((-3, 16), None)


@pytest.mark.rule("S5.8")
def test_s26_a_negative_total_can_be_made_good() -> None:
    assert after((-2, 0), "S10") == ((2, 0), None)
    assert after((-2, 0), "S20") == ((2, 0), None)


@pytest.mark.rule("S6.2")
def test_s27_the_bidder_wins_against_a_higher_total() -> None:
    assert after((12, 15), "S12") == ((14, 15), (0,))


@pytest.mark.rule("S6.2")
def test_s28_a_made_bid_below_the_target_does_not_win() -> None:
    assert after((7, 3), "S11") == ((10, 4), None)


@pytest.mark.rule("S6.4")
def test_a_bidder_who_stays_above_the_target_but_is_set_back_does_not_win() -> None:
    assert after((18, 10), "S21") == ((15, 12), None)
    assert after((18, 10), "S21", win="strict_next_deal") == ((15, 12), None)


@pytest.mark.rule("S6.2", "S6.3", "S7.7")
def test_s18_bidder_first_lets_a_defender_win() -> None:
    assert after((6, 10, 2), "S18", win="bidder_first") == ((3, 11, 3), (1,))


@pytest.mark.rule("S6.2", "S7.7")
def test_bidder_first_prefers_the_bidder_then_the_highest_and_equals_share() -> None:
    assert after((8, 11, 4), "S17", win="bidder_first") == ((11, 12, 4), (0,))
    assert after((2, 11, 10), "S19", win="bidder_first") == ((0, 12, 11), (1,))
    assert after((2, 10, 10), "S19", win="bidder_first") == ((0, 11, 11), (1, 2))
    assert after((2, 9, 9), "S19", win="bidder_first") == ((0, 10, 10), None)


@pytest.mark.rule("S6.2", "S6.4", "S7.7")
def test_count_order_gives_the_match_to_whoever_gets_there_first() -> None:
    assert after((9, 10, 0), "S17", win="count_order") == ((12, 11, 0), (1,)), "Low comes before the bidder's Jack"
    assert after((10, 10, 0), "S17", win="count_order") == ((13, 11, 0), (0,)), "High comes before Low"
    assert after((11, 10, 10), "S19", win="count_order") == ((9, 11, 11), (1,)), "the loss comes first, then Low"
    assert after((10, 9), "S21", win="count_order") == ((7, 11), (1,)), "Game is the second point of seat 1"
    assert after((10, 8), "S21", win="count_order") == ((7, 10), None)


@pytest.mark.rule("S6.5", "S7.8")
def test_smudge_wins_the_match_with_all_four_points() -> None:
    assert after((0, 0), "S10", smudge="win_game") == ((4, 0), (0,))
    assert after((0, 0), "S10") == ((4, 0), None)
    assert after((-9, 20), "S10", smudge="win_game") == ((-5, 20), (0,))
    assert after((0, 0), "S11", smudge="win_game") == ((3, 1), None)
    assert after((0, 0), "S15", smudge="win_game", high="ace_only") == ((4 - 1, 0), None)


@pytest.mark.rule("S6.5", "S7.8")
def test_smudge_is_open_to_a_defender() -> None:
    match = SmearMatch(rules_of(2, smudge="win_game"), dealer=1)
    match.next_deal(layout_of("8s 9h 8h 7h 6h 5h", "As Ks Js 2s Th 3d"))
    for action in ("bid 2", "pass"):
        match.apply(action)
    for card in parse_cards("8s As Ks 5h Js 6h 2s 7h Th 9h 3d 8h"):
        match.apply(card)
    assert (match.totals, match.winners) == ((-2, 4), (1,))


@pytest.mark.rule("S1.2", "S7.9")
@pytest.mark.parametrize("target", [7, 11, 15, 21])
def test_the_target_is_what_the_match_is_played_for(target: int) -> None:
    assert after((target - 3, 0, 0), "S17", target=target)[1] == (0,)
    assert after((target - 4, 0, 0), "S17", target=target)[1] is None


# -- house rules ------------------------------------------------------------------


def everybody_passes(**options: Any) -> SmearMatch:
    match = SmearMatch(rules_of(3, **options), dealer=2)
    match.totals = (12, 0, 1)
    match.next_deal(layout_of(*HANDS3))
    for _ in range(3):
        match.apply("pass")
    return match


@pytest.mark.rule("S3.5", "S7.4")
def test_redeal_next_moves_the_deal_on() -> None:
    match = everybody_passes(all_pass="redeal_next")
    assert (match.dealer, match.totals, match.counted, match.winners) == (0, (12, 0, 1), 0, None)
    assert match.deals[0].void


@pytest.mark.rule("S3.5", "S7.4")
@pytest.mark.parametrize("win", ["bid_out", "strict_next_deal", "bidder_first", "count_order"])
def test_dealer_minus_two_scores_the_deal_and_nobody_wins(win: str) -> None:
    match = everybody_passes(all_pass="dealer_minus_two", win=win)
    assert (match.dealer, match.totals, match.counted, match.winners) == (0, (12, 0, -1), 1, None)
    deal = match.deals[0]
    assert not deal.void
    assert [(line.seat, line.points, line.rule) for line in deal.score_sheet()] == [(2, -2, "S3.5")]
    assert isinstance(deal, Smear)
    assert deal.awards() == Awards(None, None, None, None)


@pytest.mark.rule("S3.5", "S7.4")
def test_dealer_two_does_not_let_the_dealer_pass_when_nobody_has_bid() -> None:
    deal = do(start(HANDS3, all_pass="dealer_two"), "pass", "pass")
    assert legal(deal) == {"bid 2", "bid 3", "bid 4"}
    with pytest.raises(IllegalAction) as raised:
        deal.apply("pass")
    assert (raised.value.code, raised.value.rule) == ("must-bid", "S3.5")
    assert "pass" in legal(do(start(HANDS3, all_pass="dealer_two"), "pass", "bid 2"))
    assert "pass" in legal(do(start(HANDS3, all_pass="dealer_two"), "pass"))


@pytest.mark.rule("S3.2", "S7.5")
def test_with_min_bid_one_a_bid_of_one_is_allowed_and_costs_one() -> None:
    assert legal(start(HANDS3, min_bid=1)) == {"pass", "bid 1", "bid 2", "bid 3", "bid 4"}
    deal = bid_and_play(start(BY_ID["S16"].hands, min_bid=1), 1, BY_ID["S16"].tricks)
    assert deal.score() == (1, 1, 1)


def test_the_options_are_those_of_the_record_format() -> None:
    assert {name: option.choices for name, option in SmearRules.options().items()} == {
        "high": ("highest_in_play", "ace_only"),
        "low": ("holder", "taker"),
        "dealer_steal": (False, True),
        "all_pass": ("redeal_same", "redeal_next", "dealer_two", "dealer_minus_two"),
        "min_bid": (2, 1),
        "trump_anytime": (True, False),
        "win": ("bid_out", "strict_next_deal", "bidder_first", "count_order"),
        "smudge": ("off", "win_game"),
        "target": (11, 7, 15, 21),
    }
    order = "high low dealer_steal all_pass min_bid trump_anytime win smudge target"
    assert " ".join(SmearRules.options()) == order
    assert "smear" in games()


@pytest.mark.parametrize(
    "bad",
    [{"target": 12}, {"target": "11"}, {"dealer_steal": 1}, {"min_bid": True}, {"low": "Holder"}, {"joker": True}],
)
def test_a_bad_option_is_an_error(bad: dict[str, Any]) -> None:
    with pytest.raises(RulesError):
        rules_of(3, **bad)


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({}, 0),
        ({"high": "ace_only"}, 1),
        ({"smudge": "win_game"}, 0),
        ({"seats": 2, "smudge": "win_game"}, 1),
        ({"win": "strict_next_deal"}, 0),
        ({"win": "strict_next_deal", "target": 21}, 1),
        ({"all_pass": "dealer_two", "min_bid": 1}, 1),
    ],
)
def test_combinations_that_do_not_play_well_are_warned_of(options: dict[str, Any], count: int) -> None:
    assert len(rules_of(**options).warnings()) == count


# -- the checker ------------------------------------------------------------------


STRANGE: list[Any] = [-1, -64, 52, 63, 65, 70, PASS | 1, BID, BID | 5, 3 << 6, 1 << 40, None, True, 2.0, "As", (1,)]


@pytest.mark.parametrize("strange", STRANGE, ids=repr)
@pytest.mark.parametrize("actions", [[], ["bid 4"], ["bid 4", "play Ks"]], ids=["bid", "lead", "follow"])
def test_whatever_is_given_as_an_action_gets_a_reason(strange: Any, actions: list[str]) -> None:
    deal = do(start(HANDS3), *actions)
    reason = deal.why_illegal(strange)
    assert reason is not None
    assert reason.rule in numbers("smear")
    if not isinstance(strange, str):
        with pytest.raises(IllegalAction):
            deal.apply(strange)


def snapshot(deal: Smear) -> tuple[Any, ...]:
    return (
        tuple(deal.hands), tuple(deal.log), tuple(deal.trick), deal.to_act, deal.leader, deal.trump, deal.bid,
        deal.bidder, tuple(deal.taken), tuple(deal.tricks), deal.led, deal.best, deal.winner, deal.rest,
    )  # fmt: skip


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("anytime", [True, False])
def test_legal_actions_are_exactly_what_is_accepted_and_a_refusal_changes_nothing(seats: int, anytime: bool) -> None:
    for seed in range(12):
        rng = Rng(seed, seats)
        deal = Smear.shuffle(rules_of(seats, trump_anytime=anytime, all_pass="dealer_two"), seed % seats, rng)
        while not deal.over:
            actions = deal.legal_actions()
            assert actions == sorted(set(actions))
            assert actions
            before = snapshot(deal)
            for action in range(-2, BID + 8):
                assert deal.is_legal(action) == (action in actions)
                if action not in actions:
                    with pytest.raises(IllegalAction):
                        deal.apply(action)
                    assert snapshot(deal) == before
            deal.apply(rng.choice(actions))


def test_advance_does_the_same_as_apply() -> None:
    for seed in range(30):
        rng = Rng(seed)
        one = Smear.shuffle(rules_of(2 + seed % 2, all_pass="dealer_minus_two"), 0, rng)
        two = one.clone()
        while not one.over:
            action = rng.choice(one.legal_actions())
            one.apply(action)
            two.advance(action)
            assert snapshot(one) == snapshot(two)
        assert one.score() == two.score()


def test_a_clone_shares_nothing() -> None:
    deal = do(start(HANDS3), "bid 2")
    before = snapshot(deal)
    do(deal.clone(), "pass", "pass", "play Ks", "play 2h", "play Js", "play Qc")
    assert snapshot(deal) == before


# -- the book ---------------------------------------------------------------------


@pytest.mark.rule("S8.1", "S8.2", "S8.3", "S8.4")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_of_the_book_is_played_as_it_says(language: str) -> None:
    book = render(make_rules("smear"), language)
    example = BY_ID["S17"]
    for hand in example.hands:
        assert f"`{hand}`" in book
    lines = [line for line in book.splitlines() if line.startswith("- Ana `") or line.startswith("- Budi `")]
    told = [tuple(word.strip("`,:") for word in line.split() if word.startswith("`")) for line in lines]
    assert told == [tuple(trick.split()) for trick in example.tricks.split(" / ")]
    ends = [line.rpartition(":")[2].replace(".", " ").replace(",", " ").split() for line in lines]
    takers = [0 if "Ana" in words else 1 if "Budi" in words else 2 for words in ends]
    assert tuple(takers) == example.takers
    match = match_with(example)
    assert (match.totals, match.winners) == ((11, 12, 4), (0,))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", [2, 3])
def test_the_book_can_be_printed_for_every_value_of_every_option(language: str, seats: int) -> None:
    standard = render(rules_of(seats), language)
    for name, option in SmearRules.options().items():
        for value in option.choices[1:]:
            assert render(rules_of(seats, **{name: value}), language) != standard
    for number in numbers("smear"):
        assert f"**{number}** " in standard


def test_every_option_points_to_its_rule() -> None:
    rules = [option.rule for option in SmearRules.options().values()]
    assert rules == [number for number in numbers("smear") if number.startswith("S7.")]
