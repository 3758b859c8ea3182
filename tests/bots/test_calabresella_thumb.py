"""Rules of thumb for Calabresella: one position and one sentence each."""

from __future__ import annotations

from typing import Any

import pytest

from meja.bots import Budget, RandomBot, make_bot
from meja.bots.bot import Bot
from meja.bots.calabresella import CalabresellaThumb, Table, strength, sure_cards
from meja.cards import Rng, card_text, mask_of, parse_card, parse_cards
from meja.deal import Layout
from meja.games.calabresella import Calabresella, CalabresellaMatch, CalabresellaRules

BOT = CalabresellaThumb()
PACK = Calabresella.pack(CalabresellaRules.make())


def dealt(hands: str, *actions: str, monte: str = "", dealer: int = 0, **options: Any) -> Calabresella:
    """Hands of the seats parted by ``|``, as far as they matter; the rest is filled up with the lowest cards left."""
    named = [parse_cards(hand) for hand in hands.split("|")]
    middle = parse_cards(monte)
    used = {card for cards in (*named, middle) for card in cards}
    power = Calabresella.strengths(CalabresellaRules.make())
    spare = sorted((card for card in PACK if card not in used), key=lambda card: (power[card], card))
    full = [tuple(hand + [spare.pop(0) for _ in range(12 - len(hand))]) for hand in named]
    layout = Layout(tuple(full), monte=tuple(middle + spare))
    deal = Calabresella.from_layout(CalabresellaRules.make(**options), dealer, layout)
    for action in actions:
        deal.apply(action)
    return deal


def late(
    hands: str,
    trick: str = "",
    laid: str = "4s 4h 4d 4c",
    leader: int = 2,
    contract: int = 1,
    called: str = "",
    giver: int = -1,
    given: str = "",
    taken: tuple[int, int, int] = (0, 0, 0),
    **options: Any,
) -> Calabresella:
    """The end of a deal of bidder 1: the cards held before the trick on the table; cards not named are played."""
    deal = dealt("||", **options)
    held = [parse_cards(hand) for hand in hands.split("|")]
    buried = parse_cards(laid)
    gone = [card for card in PACK if card not in buried and not any(card in hand for hand in held)]
    gone.sort(key=lambda card: card // 13)
    deal.hands = [mask_of(hand) for hand in held]
    deal.monte = mask_of(buried)
    deal.log = [(5 << 6 | card) << 3 | 1 for card in buried]
    deal.log += [card << 3 | deal.players[place % 3] for place, card in enumerate(gone)]
    deal.bidder, deal.contract, deal.exchanges, deal.stage = 1, contract, int(contract < 3), 5
    deal.called = parse_card(called) if called else -1
    deal.giver, deal.given = giver, parse_card(given) if given else -1
    deal.taken = list(taken)
    deal.leader = deal.to_act = leader
    for word in trick.split():
        seat, card = word.split(":")
        assert deal.to_act == int(seat)
        deal.apply(f"play {card}")
    return deal


def says(deal: Calabresella, bot: Bot = BOT) -> str:
    return deal.text(bot.act(deal.view(deal.to_act), Budget()))


NOTHING = "Js 7s 6s 5s Jh 7h 6h 5h Jd 7d 6d 5d"
FAIR = "3s 2s 7s 6s Ah Qh 7h 6h 5d 4d Kc 5c"
GOOD = "3s 2s As 3h 7h 6h 2d 7d 5d 4d Kc 5c"
GREAT = "3s 2s As 3h 2h Ah 3d 7d 5d 4d 7c 5c"
LORD = "3s 2s As 3h 2h Ah 3d 2d Ad 3c 7c 5c"
KING = "3s 2s As 3h 2h Ah 3d 2d Ad 3c 2c Ac"

BIDS = [
    ("nothing in the hand is a pass", NOTHING, (), "pass"),
    ("a backed two and an ace are worth a call", FAIR, (), "bid chiamo"),
    ("the same hand does not overcall", FAIR, ("bid chiamo",), "pass"),
    ("a long top and two more threes are a Solo", GOOD, (), "bid solo"),
    ("a Solo hand overcalls Chiamo", GOOD, ("bid chiamo",), "bid solo"),
    ("a Solo hand does not go to Solissimo over a Solo", GOOD, ("bid solo",), "pass"),
    ("two suits at the top play alone", GREAT, (), "bid solissimo"),
]  # fmt: skip


@pytest.mark.parametrize(("hand", "said", "expected"), [case[1:] for case in BIDS], ids=[case[0] for case in BIDS])
def test_bidding(hand: str, said: tuple[str, ...], expected: str) -> None:
    hands = ["", "", ""]
    hands[(2, 0, 1)[len(said)]] = hand
    assert says(dealt("|".join(hands), *said)) == expected


RAISES = [
    ("an ordinary Solissimo stays plain", "3s 2s As 3h 2h Ah 7d 6d 5d 4d 7c 5c", "raise plain"),
    ("one more three lets the opponents divide", GREAT, "raise dividete"),
    ("a hand that cannot lose lets them choose", LORD, "raise scegliete"),
    ("twelve winners let them choose", KING, "raise scegliete"),
]


@pytest.mark.parametrize(("hand", "expected"), [case[1:] for case in RAISES], ids=[case[0] for case in RAISES])
def test_raising(hand: str, expected: str) -> None:
    assert says(dealt(f"|{hand}|", "pass", "pass", "bid solissimo")) == expected


CALLS: list[tuple[str, str, dict[str, Any], str]] = [
    ("call the three above an own two and ace", "2s As Kh 7h Qd 7d Jc 7c 6c 5c 4c 4d", {}, "call 3s"),
    ("call the three above an own two rather than above nothing", "3s 2h 7h Qd 7d Jc 7c 6c 5c 4c 4d 5d", {}, "call 3h"),
    ("with all threes call the two of the best suit", "3s 3h 3d 3c As Ks 7h 6h 5h 4h 7d 6d", {}, "call 2s"),
    ("with all threes and twos call an ace", "3s 3h 3d 3c 2s 2h 2d 2c Ks Qs 7h 6h", {}, "call As"),
    ("threes first changes nothing", "2s As Kh 7h Qd 7d Jc 7c 6c 5c 4c 4d", {"call": "threes_first"}, "call 3s"),
]  # fmt: skip


@pytest.mark.parametrize(("hand", "options", "expected"), [case[1:] for case in CALLS], ids=[case[0] for case in CALLS])
def test_calling(hand: str, options: dict[str, Any], expected: str) -> None:
    assert says(dealt(f"|{hand}|", "pass", "pass", "bid chiamo", **options)) == expected


def test_a_blank_is_given_back() -> None:
    deal = dealt(
        "3s|2s As Kh Qh Qd Kd Jc Kc Ac Ah Ad 4d|", "pass", "pass", "bid chiamo", "call 3s", monte="Ks Qs Js Jh"
    )
    assert says(deal) == "give 4d"


def test_with_the_duty_to_follow_a_blank_of_the_shortest_suit_is_given_back() -> None:
    hands = "3s|2s As Kh Qh Qd Kd 7d 6d Ac Ah Ad 7c|"
    calls = ("pass", "pass", "bid chiamo", "call 3s")
    assert says(dealt(hands, *calls, monte="Ks Qs Js Jh", follow_suit=True)) == "give 7c"
    assert says(dealt(hands, *calls, monte="Ks Qs Js Jh")) == "give 6d"


def buried(deal: Calabresella) -> set[str]:
    found = set()
    while deal.phase == "discard":
        found.add(says(deal).removeprefix("discard "))
        deal.apply(says(deal))
    return found


def test_blanks_are_buried_while_the_last_trick_is_in_doubt() -> None:
    hands = "|3s Ks Qs Kh Qh Jh Kd 7d 7c 6c 5c 4c|"
    assert buried(dealt(hands, "pass", "pass", "bid solo", monte="Ah Qd Jd 4d")) == {"4c", "5c", "4d", "6c"}


def test_aces_that_cannot_win_are_buried_where_the_last_trick_is_safe() -> None:
    hands = "|3s 2s As Ks 3h 7h 6h 5h 4h 7d 6d 5d|"
    assert {"Ad", "Ac"} <= buried(dealt(hands, "pass", "pass", "bid solo", monte="Ad Ac 4d 4c"))


def test_an_ace_with_three_and_two_is_never_buried() -> None:
    hands = "|3s 2s As 3h 2h Ah 7h 6h 5h 4h 7d 6d|"
    assert not {"As", "Ah"} & buried(dealt(hands, "pass", "pass", "bid solo", monte="Ad Ac 4d 4c"))


def test_an_opponent_lays_blanks_away_in_dividete_and_scegliete() -> None:
    for raised in ("dividete", "scegliete"):
        deal = dealt("||As Ah Ad Ac Ks Kh Kd Kc 7s 7h 7d 7c", "pass", "pass", "bid solissimo", f"raise {raised}")
        assert says(deal).split()[1][0] in "4567"


PLAYS: list[tuple[str, dict[str, Any], str]] = [
    # the bidder leads
    ("when only winners are left they are cashed, the best first",
     {"hands": "7s Qd Kc|3s 2s As|Ks 7d 6c", "leader": 1}, "play 3s"),
    ("winners are kept together while losers are left",
     {"hands": "7s Qd Kc Jc|3s 2s 7h 6h|Ks 7d Ah Qh", "leader": 1}, "play 6h"),
    ("an ace above which all is gone is led while another winner is left",
     {"hands": "7s Qd Kc Jc|3s Ah 7c 6c|Ks 7d Kh Qh", "leader": 1}, "play Ah"),
    ("the only winner is kept while more than three tricks are left",
     {"hands": "7s Qd Kc Qc|3s Jh 7c 6c|Ks 7d Kh Qh", "leader": 1}, "play 6c"),
    ("in the last three tricks a three is led, which would win nothing more by waiting",
     {"hands": "7s Qd Kc|3s Jh 7c|Ks 7d Kh", "leader": 1}, "play 3s"),
    ("in the last three tricks winners are cashed before losers",
     {"hands": "7s Qd Kc|3s 2s 7h|Ks 7d Ah", "leader": 1}, "play 3s"),
    ("in the last three tricks a partner leads his three too",
     {"hands": "7s Qd Kc|Ks 7d Kh|3s Jh 7c", "leader": 2}, "play 3s"),
    # the bidder follows
    ("the bidder takes an ace for the price of a three",
     {"hands": "As 7d|3s 7h|Ks 6d", "trick": "2:Ks 0:As"}, "play 3s"),
    ("the bidder does not pay his only winner for nothing",
     {"hands": "7d 7s Qd|3s 7h 6h|6s 6d Qh", "trick": "2:6s 0:7s"}, "play 6h"),
    ("the bidder takes the lead when all the rest is certain",
     {"hands": "7d 7s|3s 3h|6s 6d", "trick": "2:6s 0:7s"}, "play 3s"),
    ("the last trick is always taken if it can be",
     {"hands": "7s|Ks|6s", "trick": "2:6s 0:7s"}, "play Ks"),
    ("a cheap card that wins for good takes a figure",
     {"hands": "Js 7d 7h|Ks 7c 6c|6s 6d As", "trick": "2:6s 0:Js"}, "play Ks"),
    ("the bidder throws a blank on a trick he cannot win",
     {"hands": "As 7d 7h|Kh 6c Qd|Ks 6d Jh", "trick": "2:Ks 0:As"}, "play 6c"),
    # the partners
    ("an ace goes on a trick that the partner has for certain",
     {"hands": "Ah 7d 6c|7s 7h 6h|3s 6d 5d", "trick": "2:3s"}, "play Ah"),
    ("a figure goes there if there is no ace",
     {"hands": "Kh 7d 6c|7s Ah 6h|3s 6d 5d", "trick": "2:3s"}, "play Kh"),
    ("a card that wins a trick itself is not thrown away on the partner's",
     {"hands": "3h 7d 6c|7s 7h 6h|3s 6d 5d", "trick": "2:3s"}, "play 6c"),
    ("the last to play feeds the partner when the bidder could not win",
     {"hands": "Ah 7d 6c|7s 7h 6h|Ks 6d 5d", "trick": "1:7s 2:Ks", "leader": 1}, "play Ah"),
    ("nothing is thrown on a trick that the bidder surely wins",
     {"hands": "Ah 7d 6c|3s 7h 6h|7s 6d 5d", "trick": "1:3s 2:7s", "leader": 1}, "play 6c"),
    ("the bidder's figure is taken",
     {"hands": "As 7d 6c|Ks 7h 6h|7s 6d 5d", "trick": "1:Ks 2:7s", "leader": 1}, "play As"),
    ("the called card is expected in the bidder's hand",
     {"hands": "Ah 7d 6c|3s 7h 6h|2s 6d 5d", "trick": "2:2s", "called": "3s", "giver": 0, "given": "7d"}, "play 6c"),
    ("a partner leads past the bidder where it can, not into the called three",
     {"hands": "As Qd 6c|3s 7h Kd|7s Jd 5d", "called": "3s", "giver": 0, "given": "6c"}, "play 5d"),
    ("a partner with nothing but winners cashes them",
     {"hands": "As 7d|7h 6h|3d 2d"}, "play 3d"),
    ("the side without a point takes one at any price when a slam threatens",
     {"hands": "3s 7d 6c|Qs 7h 6h|As 6d 5d", "trick": "1:Qs 2:As", "leader": 1}, "play 6c"),
    ("a lone three saves the last point from a stramazzo",
     {"hands": "3s 7d 6c|As 7h 6h|7s 6d 5d", "trick": "1:As 2:7s", "leader": 1}, "play 3s"),
    # with the duty to follow
    ("the bidder follows with the lowest card where he must",
     {"hands": "As 7d|Qs 6s|Ks 6d", "trick": "2:Ks 0:As", "follow_suit": True}, "play 6s"),
    ("a partner who must follow feeds with what the suit has",
     {"hands": "Ks 7s Ah|As 6h 5h|3s 6d 5d", "trick": "2:3s", "laid": "4h 4d 4c 5c", "follow_suit": True}, "play Ks"),
]  # fmt: skip


@pytest.mark.parametrize(("position", "expected"), [case[1:] for case in PLAYS], ids=[case[0] for case in PLAYS])
def test_playing(position: dict[str, Any], expected: str) -> None:
    assert says(late(**position)) == expected


# -- what a seat can tell -----------------------------------------------------------------


def test_cards_that_the_seat_buried_itself_are_not_out() -> None:
    deal = late("7s 7d|Ks 7h|6s 6d", laid="3s 2s As 4h", leader=1)
    assert Table(deal.view(1)).is_sure(parse_card("Ks"))
    assert not Table(late("7s 7d|7h 6h|Ks 6d", laid="3s 2s As 4h").view(2)).is_sure(parse_card("Ks"))


def test_the_card_given_back_is_with_the_one_who_gave() -> None:
    deal = late("3s 7d|7h 6h|Ks 6d", called="As", giver=0, given="3s")
    table = Table(deal.view(2))
    assert not table.may_hold(1) & mask_of(parse_cards("3s"))
    assert table.certainly_holds(0) == mask_of(parse_cards("3s"))
    assert table.is_sure(parse_card("Ks"))


def test_a_suit_that_was_not_followed_is_gone() -> None:
    deal = late("As 7d|3h 6h|Ks 6d", follow_suit=True)
    deal.log = deal.log[:-3] + [parse_card(card) << 3 | seat for card, seat in (("7s", 2), ("6s", 0), ("5h", 1))]
    assert Table(deal.view(2)).may_hold(1) & mask_of(parse_cards("As")) == 0


def test_strength_grows_with_every_good_card() -> None:
    assert strength(mask_of(parse_cards(NOTHING))) < strength(mask_of(parse_cards(FAIR)))
    assert strength(mask_of(parse_cards(FAIR))) < strength(mask_of(parse_cards(GOOD)))
    assert strength(mask_of(parse_cards(GOOD))) < strength(mask_of(parse_cards(GREAT)))
    assert [card_text(card) for card in sure_cards(mask_of(parse_cards("3s 2s As Qs 2h 3d Ad")))] == [
        "2s",
        "3s",
        "As",
        "3d",
    ]


# -- against others -----------------------------------------------------------------------


def chips(bots: list[Bot], deals: int, seed: int, **options: Any) -> tuple[list[int], list[Calabresella]]:
    rules = CalabresellaRules.make(**options)
    totals = [0, 0, 0]
    played = []
    for number in range(deals):
        deal = Calabresella.shuffle(rules, number % 3, Rng(seed, number))
        while deal.to_act is not None:
            deal.apply(bots[deal.to_act].act(deal.view(deal.to_act), Budget(number)))
        totals = [total + points for total, points in zip(totals, deal.score(), strict=True)]
        played.append(deal)
    return totals, played


@pytest.mark.parametrize("preset", ["standard", "trad"])
def test_it_beats_players_by_chance(preset: str, long: bool) -> None:
    deals = 300 if long else 60
    for seat in range(3):
        bots: list[Bot] = [RandomBot(), RandomBot(), RandomBot()]
        bots[seat] = BOT
        totals, _ = chips(bots, deals, 1, preset=preset)
        assert totals[seat] > 2 * deals


@pytest.mark.parametrize("preset", ["standard", "trad"])
def test_among_equals_the_bidder_wins_more_often_than_not(preset: str, long: bool) -> None:
    _, deals = chips([BOT, BOT, BOT], 600 if long else 150, 2, preset=preset)
    bidding = [deal for deal in deals if not deal.void]
    won = sum(deal.points()[0] > 5 for deal in bidding)
    assert len(bidding) > 0.6 * len(deals)
    assert 0.5 < won / len(bidding) < 0.8
    assert {deal.view(None).contract for deal in bidding} == {"chiamo", "solo", "solissimo"}


def test_the_same_view_gives_the_same_move() -> None:
    deal = late("As 7d|3s 7h|Ks 6d", trick="2:Ks 0:As")
    assert {says(deal) for _ in range(3)} == {"play 3s"}
    assert says(deal, make_bot("rules-of-thumb", "calabresella")) == "play 3s"


def test_it_plays_a_whole_match_with_four_at_the_table() -> None:
    match = CalabresellaMatch(CalabresellaRules.make(4, dealer_sits_out=True, deals=4))
    rng = Rng(1)
    while not match.over:
        match.next_deal(rng)
        while match.to_act is not None:
            match.apply(BOT.act(match.view(match.to_act), Budget()), seat=match.to_act)
    assert sum(match.totals) == 0
