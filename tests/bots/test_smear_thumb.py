"""Rules of thumb for Smear: one position and one sentence each."""

from __future__ import annotations

from typing import Any

import pytest

from meja.bots import Budget, RandomBot, make_bot
from meja.bots.smear import SmearThumb, chance_of_high, chance_of_low, chance_to_make, chance_undealt
from meja.cards import Rng, parse_cards
from meja.deal import Context, Layout
from meja.games.smear import Smear, SmearMatch, SmearRules, SmearView

BOT = SmearThumb()


def position(hands: str, actions: str = "", totals: tuple[int, ...] | None = None, **options: Any) -> Smear:
    """Hands parted by ``|`` (seat 0 speaks first, an empty hand gets low cards nobody named) and actions so far."""
    named = [parse_cards(hand) for hand in hands.split("|")]
    seats = len(named)
    spare = [card for card in Smear.pack(SmearRules.make(seats)) if not any(card in hand for hand in named)]
    layout = Layout(tuple(tuple(hand or [spare.pop(0) for _ in range(6)]) for hand in named))
    context = None if totals is None else Context(totals)
    deal = Smear.from_layout(SmearRules.make(seats, **options), seats - 1, layout, context)
    for word in actions.split():
        deal.apply(f"bid {word}" if word.isdigit() else word if word == "pass" else f"play {word}")
    return deal


def says(hands: str, actions: str = "", totals: tuple[int, ...] | None = None, **options: Any) -> str:
    deal = position(hands, actions, totals, **options)
    return deal.text(BOT.act(deal.view(deal.to_act), Budget()))


JUNK = "9h 8h 7d 6d 5c 4c"
GOOD = "As 9s 2s 8h 7d 6c"
STRONG = "As Ks Js 2s Th 3d"

AUCTION: list[tuple[str, dict[str, Any], str]] = [
    ("nothing in the hand is a pass", {"hands": JUNK + "||"}, "pass"),
    ("ace and two of a suit are two points", {"hands": GOOD + "||"}, "bid 2"),
    ("a first caller says what the hand is good for", {"hands": STRONG + "||"}, "bid 3"),
    ("king and three are High and Low often enough", {"hands": "Ks 8s 3s 9h 7d 6c||"}, "bid 2"),
    ("queen and four are not enough against two", {"hands": "Qs 8s 4s 9h 7d 6c||"}, "pass"),
    ("no four without the jack", {"hands": "As Ks Qs Ts 2s Ah||"}, "bid 3"),
    ("four with everything", {"hands": "As Qs Js Ts 2s Ah||"}, "bid 4"),
    ("the last caller bids just enough", {"hands": "||" + STRONG, "actions": "pass pass"}, "bid 2"),
    ("the last caller bids just one over", {"hands": "||" + STRONG, "actions": "pass 2"}, "bid 3"),
    ("the last caller steals at the same number",
     {"hands": "||" + STRONG, "actions": "pass 2", "dealer_steal": True}, "bid 2"),
    ("a dealer who must bid bids the least",
     {"hands": "||" + JUNK, "actions": "pass pass", "all_pass": "dealer_two"}, "bid 2"),
    ("a dealer who pays for a pass anyhow bids a poor hand",
     {"hands": "||Qs 8s 4s 9h 7d 6c", "actions": "pass pass", "all_pass": "dealer_minus_two"}, "bid 2"),
    ("a dealer who pays for a pass anyhow still passes with nothing",
     {"hands": "||8s 8h 8d 8c 7d 7c", "actions": "pass pass", "all_pass": "dealer_minus_two"}, "pass"),
    ("a rival who would win by a made two is overbid",
     {"hands": "|As 9s 8s 2s 7d 6c|", "actions": "2", "totals": (9, 3, 3)}, "bid 3"),
    ("the same hand passes while the rival is far away",
     {"hands": "|As 9s 8s 2s 7d 6c|", "actions": "2", "totals": (3, 3, 3)}, "pass"),
    ("at the target two is bid with any reasonable hand",
     {"hands": "Qs 8s 4s 9h 7d 6c||", "totals": (11, 3, 3)}, "bid 2"),
    ("a king is no High where only the ace counts",
     {"hands": "Ks 8s 3s 9h 7d 6c||", "high": "ace_only"}, "pass"),
    ("a low trump is worth less where its trick must be taken",
     {"hands": "Ks 8s 3s 9h 7d 6c||", "low": "taker"}, "pass"),
]  # fmt: skip

PLAY: list[tuple[str, dict[str, Any], str]] = [
    ("the bidder draws trumps from the top",
     {"hands": "As Ks Js 2s Th 3d|Qs 5s Ah Kh Td 4c", "actions": "3 pass"}, "play As"),
    ("and goes on drawing",
     {"hands": "As Ks Js 2s Th 3d|Qs 5s Ah Kh Td 4c", "actions": "3 pass As 5s"}, "play Ks"),
    ("the jack of trumps is led before the small trump", {"hands": "Js 3s 9h 8h 7d 6c|", "actions": "2 pass"},
     "play Js"),
    ("a jack among small trumps is not led to the ace, king and queen that may be out",
     {"hands": "Jc 5c 3c Td 9d 2d|", "actions": "2 pass"}, "play 3c"),
    ("the king is led before the three", {"hands": "Ks 3s 9h 8h 7d 6c|", "actions": "2 pass"}, "play Ks"),
    ("a loose ten of trumps is not led", {"hands": "Ts 9s 8s 2s 3d 4c|", "actions": "2 pass"}, "play 9s"),
    ("no trump is led when the others have none",
     {"hands": "Ks Qs 2s Ah 5d 6c|3h 4h 5h 6h 7h 8h", "actions": "2 pass Ks 3h"}, "play Ah"),
    ("the last takes a ten with the cheapest winner",
     {"hands": "As Th 3d 4d 5d 6d|2s Ah Jh Kh 9c 8c", "actions": "2 pass As 2s Th"}, "play Jh"),
    ("the last keeps the ace when nothing is in the trick",
     {"hands": "As 9h 3d 4d 5d 6d|2s Ah 8h 3h 9c 8c", "actions": "2 pass As 2s 9h"}, "play 3h"),
    ("the last takes an empty trick with a cheap card",
     {"hands": "As 9h 3d 4d 5d 6d|2s Ah Jh 3h 9c 8c", "actions": "2 pass As 2s 9h"}, "play Jh"),
    ("a ten goes into a trick that it takes for certain",
     {"hands": "As 9h 3d 4d 5d 6d|2s Th Jh 3h 9c 8c", "actions": "2 pass As 2s 9h"}, "play Th"),
    ("a ten is not thrown to the bidder",
     {"hands": "As Kh 3d 4d 5d 6d|2s Th 5h 9d 9c 8c", "actions": "2 pass As 2s Kh"}, "play 5h"),
    ("the jack of trumps is caught",
     {"hands": "Js 9h 3d 4d 5d 6d|2s Qs As 3h 9c 8c", "actions": "2 pass Js"}, "play Qs"),
    ("the jack of trumps is not thrown under a higher trump",
     {"hands": "As 9h 3d 4d 5d 6d|2s Js 5h 9d 9c 8c", "actions": "2 pass As"}, "play 2s"),
    ("the jack of trumps takes a trick of a plain suit when last",
     {"hands": "As 9h 3d 4d 5d 6d|2s Js 5c 9c 7c 8c", "actions": "2 pass As 2s 9h"}, "play Js"),
    ("with Low to the holder the low trump takes a ten",
     {"hands": "As Th 3d 4d 5d 6d|2s 7s 9c 5c 7c 8c", "actions": "2 pass As 7s Th"}, "play 2s"),
    ("with Low to the taker the low trump is brought home by a ruff",
     {"hands": "As 9h 3d 4d 5d 6d|2s 7s 9c 5c 7c 8c", "actions": "2 pass As 7s 9h", "low": "taker"}, "play 2s"),
    ("with Low to the taker the low trump is not thrown away",
     {"hands": "As Ks 3d 4d 5d 6d|2s 7s 9c 5c 7c 8c", "actions": "2 pass As", "low": "taker"}, "play 7s"),
    ("a ten that cannot win goes to the other defender, not to the bidder",
     {"hands": "As Jh 3d 4d 5d 6d|3s Kh 9d 9c 8d 8c|2s Th 5h 7d 7c 6c", "actions": "2 pass pass As 3s 2s Jh Kh"},
     "play Th"),
    ("no ace of trumps is spent on a loose ace",
     {"hands": "2s Ah 7d 4c 5c 6d|3s As 3d 9c 9d 8c", "actions": "2 pass 2s 3s 3d 7d Ah"}, "play 8c"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "answer"), [case[1:] for case in AUCTION], ids=[case[0] for case in AUCTION])
def test_bidding(given: dict[str, Any], answer: str) -> None:
    assert says(**given) == answer


@pytest.mark.parametrize(("given", "answer"), [case[1:] for case in PLAY], ids=[case[0] for case in PLAY])
def test_playing(given: dict[str, Any], answer: str) -> None:
    assert says(**given) == answer


@pytest.mark.parametrize(
    ("seats", "better", "chance"),
    [
        (2, 1, 0.870),
        (2, 2, 0.754),
        (2, 3, 0.651),
        (2, 4, 0.560),
        (3, 1, 0.739),
        (3, 2, 0.542),
        (3, 3, 0.394),
        (3, 4, 0.284),
    ],
)
def test_the_chance_that_no_better_card_was_dealt(seats: int, better: int, chance: float) -> None:
    assert chance_undealt(better, seats) == pytest.approx(chance, abs=0.0006)


def view_of(hand: str, **options: Any) -> SmearView:
    view = position(hand + "||", **options).view(0)
    assert isinstance(view, SmearView)
    return view


def test_king_and_three_have_the_same_chance_of_high_and_low() -> None:
    view = view_of("Ks 3s 9h 8h 7d 6c")
    trumps = parse_cards("Ks 3s")
    assert chance_of_high(view, trumps) == chance_of_low(view, trumps) == pytest.approx(0.739, abs=0.0006)


def test_four_certain_points_make_every_bid() -> None:
    assert [chance_to_make([1.0, 1.0, 0.5, 0.0], bid) for bid in (1, 2, 3, 4)] == [1.0, 1.0, 0.5, 0.0]
    assert chance_to_make([0.5] * 4, 2) == pytest.approx(11 / 16)


def play_matches(seats: int, count: int, thumbs: set[int], **options: Any) -> tuple[list[int], int, int]:
    """(matches won by seat place, bids of thumbs, bids they made); the places move round the table."""
    won = [0] * seats
    bids = made = 0
    rules = SmearRules.make(seats, **options)
    for number in range(count):
        match = SmearMatch(rules, number % seats)
        rng = Rng(11, seats, number)
        while not match.over:
            assert len(match.deals) < 400
            deal = match.next_deal(rng)
            assert isinstance(deal, Smear)
            while deal.to_act is not None:
                bot = BOT if (deal.to_act + number) % seats in thumbs else RandomBot()
                view = deal.view(deal.to_act)
                action = bot.act(view, Budget(seed=number))
                assert action in view.legal
                match.apply(action)
            if deal.bidder >= 0 and (deal.bidder + number) % seats in thumbs:
                bids += 1
                made += deal.made
        for seat in match.winners or ():
            won[(seat + number) % seats] += 1
    return won, bids, made


@pytest.mark.parametrize("seats", [2, 3])
def test_it_clearly_beats_random_players(seats: int) -> None:
    won, _, _ = play_matches(seats, 15, {0})
    assert won[0] >= 13


@pytest.mark.parametrize("seats", [2, 3])
def test_it_makes_seven_bids_of_ten_against_itself(seats: int) -> None:
    _, bids, made = play_matches(seats, 40, set(range(seats)))
    assert bids > 150
    assert made / bids >= 0.7


@pytest.mark.parametrize(
    "options",
    [{name: value} for name, option in SmearRules.options().items() for value in option.choices[1:]],
    ids=str,
)
@pytest.mark.parametrize("seats", [2, 3])
def test_matches_come_to_an_end_with_every_option(seats: int, options: dict[str, Any]) -> None:
    won, _, _ = play_matches(seats, 2, set(range(seats)), **options)
    assert sum(won) >= 2


def test_the_registry_knows_it() -> None:
    assert isinstance(make_bot("rules-of-thumb", "smear"), SmearThumb)
    assert SmearThumb.name == "rules-of-thumb"


def test_it_sees_nothing_but_the_view() -> None:
    deal = position(STRONG + "|Qs 5s Ah Kh Td 4c", "3 pass As 5s")
    world = deal.determinize(0, Rng(4))
    assert world.hands != deal.hands
    assert BOT.act(world.view(0), Budget()) == BOT.act(deal.view(0), Budget())
