"""Bids of Smear: a table of what a hand is worth with each suit as trump, and a simulation of the whole auction.

The table is fitted to simulated deals (``script/policies bids``): what a hand brings its bidder is taken as a sum of
what its trumps and its cards of each other suit bring. It serves the quick levels, and the simulation for the calls of
the others.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from math import comb
from typing import Any, Final

from meja.bots.match_sense import Race
from meja.cards import SUIT_MASK, Card, Rng, cards_of, mask_of
from meja.games.smear import BID, HIGHEST_BID, PASS
from meja.games.tricks import SEAT
from meja.search.dice import Dice
from meja.search.policies import Policy
from meja.search.tricks import Tricks

_PACK: Final = 52
_HAND: Final = 6
_ACE, _KING, _QUEEN, _JACK, _TEN = 12, 11, 10, 9, 8

#: What the table looks at in the trump suit and in each other suit, in order.
TRUMP_NAMES: Final = (
    "one", "2 cards", "3 cards", "4 cards", "5 or 6 cards", "ace", "king", "queen", "jack", "ten",
    "chance of High", "chance of Low", "jack, 2 cards or more", "jack, 3 cards or more", "ten, 2 cards or more",
    "ace and king", "chance of High, 3 cards or more",
)  # fmt: skip
SIDE_NAMES: Final = ("ace", "king", "queen", "ten", "ace and ten", "ten alone", "cards")


def undealt(cards: int, seats: int) -> float:
    """The chance that none of so many unseen cards was dealt to another seat."""
    unseen, others = _PACK - _HAND, _HAND * (seats - 1)
    return comb(unseen - cards, others) / comb(unseen, others)


@cache
def trump_features(ranks: int, seats: int, ace_only: bool) -> tuple[float, ...]:
    """What the table looks at, of the mask of ranks that are held of the trump suit; at least one."""
    held = cards_of(ranks)
    count, best, lowest = len(held), held[-1], held[0]
    high = (1.0 if best == _ACE else 0.0) if ace_only else undealt(_ACE - best, seats)
    jack, ten = ranks >> _JACK & 1, ranks >> _TEN & 1
    return (
        1.0,
        float(count == 2),
        float(count == 3),
        float(count == 4),
        float(count >= 5),
        float(ranks >> _ACE & 1),
        float(ranks >> _KING & 1),
        float(ranks >> _QUEEN & 1),
        float(jack),
        float(ten),
        high,
        undealt(lowest, seats),
        float(jack and count >= 2),
        float(jack and count >= 3),
        float(ten and count >= 2),
        float(ranks >> _KING == 3),
        high * (count >= 3),
    )


@cache
def side_features(ranks: int) -> tuple[float, ...]:
    """What the table looks at, of the mask of ranks that are held of another suit."""
    ace, ten = ranks >> _ACE & 1, ranks >> _TEN & 1
    return (
        float(ace),
        float(ranks >> _KING & 1),
        float(ranks >> _QUEEN & 1),
        float(ten),
        float(ace and ten),
        float(ten and ranks.bit_count() == 1),
        float(ranks.bit_count()),
    )


def setting_of(rules: Any) -> str:
    """Which weights of the table are for these rules."""
    return f"{rules.seats}-{rules.low}"


@cache
def _weights(setting: str) -> Any:
    source = files("meja.search.weights").joinpath("smear-bids.json")
    return json.loads(source.read_text(encoding="utf-8"))["settings"][setting]


class Table:
    """What hands are worth to their bidder, by number bid: the margin over the others."""

    def __init__(self, rules: Any) -> None:
        self.seats: int = rules.seats
        self.ace_only: bool = rules.high == "ace_only"
        self.dealer_pays: bool = rules.all_pass == "dealer_minus_two"
        self.weights = _weights(setting_of(rules))
        self.trumps: dict[int, tuple[float, ...]] = {}
        self.sides: dict[int, tuple[float, ...]] = {}

    def of_trumps(self, ranks: int) -> tuple[float, ...]:
        """By number bid less 1, what the trumps of a hand bring."""
        known = self.trumps.get(ranks)
        if known is None:
            numbers = trump_features(ranks, self.seats, self.ace_only)
            known = tuple(
                sum(w * x for w, x in zip(row["trumps"], numbers, strict=True)) for row in self.weights["bids"]
            )
            self.trumps[ranks] = known
        return known

    def of_side(self, ranks: int) -> tuple[float, ...]:
        """By number bid less 1, what the cards of another suit bring."""
        known = self.sides.get(ranks)
        if known is None:
            numbers = side_features(ranks)
            known = tuple(
                sum(w * x for w, x in zip(row["sides"], numbers, strict=True)) for row in self.weights["bids"]
            )
            self.sides[ranks] = known
        return known

    def worth(self, hand: int) -> list[float]:
        """By number bid less 1, the margin to be expected with the best suit as trump."""
        suits = [hand >> 13 * suit & 0x1FFF for suit in range(4)]
        beside = [self.of_side(ranks) for ranks in suits]
        sums = [sum(side[bid] for side in beside) for bid in range(HIGHEST_BID)]
        best = [-9.0] * HIGHEST_BID
        for suit, ranks in enumerate(suits):
            if ranks:
                mine, own = self.of_trumps(ranks), beside[suit]
                for bid in range(HIGHEST_BID):
                    value = mine[bid] + sums[bid] - own[bid]
                    best[bid] = max(best[bid], value)
        return best

    def passing(self, standing: int, waiting: int) -> float:
        """What a pass is worth on average, with a bid standing and so many seats still to call."""
        if self.dealer_pays and not standing and not waiting:
            return -2.0
        found: float = self.weights["passing"][f"{standing}-{waiting}"]
        return found

    def call(self, hand: int, lowest: int, standing: int, waiting: int, may_pass: bool, bold: float = 0.0) -> int:
        """The number to bid, 0 for a pass: what is worth most; with others to call, as high as costs little.

        ``bold`` is added to what bids are worth. Where the dealer has to bid, the best number is bid.
        """
        values = self.worth(hand)
        least = self.passing(standing, waiting) if may_pass else -99.0
        chosen, most = 0, least
        for number in range(lowest, HIGHEST_BID + 1):
            if values[number - 1] + bold > most:
                chosen, most = number, values[number - 1] + bold
        return chosen


def sure_points(rules: Any, hand: int) -> int:
    """How many points a bidder makes with this hand wherever the other cards lie and whatever the others play."""
    return max(_sure_of_suit(rules, hand >> 13 * suit & 0x1FFF, hand.bit_count()) for suit in range(4))


def _sure_of_suit(rules: Any, ranks: int, cards: int) -> int:
    """The points that are sure with this suit as trump.

    The top trumps without a gap win their tricks. High needs the ace. The jack is sure as one of them, Low as the deuce
    in hand, or where all tricks are won. Ace to ten bring 20 card points: too many for the last trick if it is lost to
    a trump only, or to one player.
    """
    top = 0
    while top < cards and ranks >> (_ACE - top) & 1:
        top += 1
    if not top:
        return 0
    all_tricks = top == cards
    low = all_tricks if rules.low == "taker" else bool(ranks & 1)
    game = all_tricks or (top > _ACE - _TEN and (ranks.bit_count() == cards or rules.seats == 2))
    return 1 + int(top > _ACE - _JACK) + int(low) + int(game)


@lru_cache(maxsize=16)
def table_for(rules: Any) -> Table:
    """The table for these rules."""
    return Table(rules)


def lowest_bid(rules: Any, standing: int, is_dealer: bool) -> int:
    """The smallest number that may be bid."""
    if rules.dealer_steal and is_dealer:
        return int(max(rules.min_bid, standing))
    return int(max(rules.min_bid, standing + 1))


# -- the auction in a world -------------------------------------------------------


class Auction:
    """The calls that are still to come, in worlds: what each of the own calls brings."""

    def __init__(self, view: Any, policy: Policy, race: Race, bold: float = 0.0) -> None:
        """``bold``: how boldly the others are thought to call, as in :meth:`Table.call`."""
        self.bold = bold
        self.view = view
        self.rules = view.rules
        self.table = table_for(view.rules)
        self.policy = policy
        self.race = race
        self.me: int = view.seat
        self.hand = mask_of(view.hand)
        self.unseen = [card for card in range(_PACK) if not self.hand >> card & 1]
        self.order: tuple[int, ...] = view.players
        self.place = self.order.index(self.me)
        self.waiting = self.order[self.place + 1 :]
        self.start = opened(view.known(), self.me)
        self.game = Tricks()
        self.game.copy(self.start)
        self.dice = Dice(1)
        #: What it is worth that everybody passes.
        self.nobody = race.passed_out(view.dealer)
        self.leads = self.candidates()
        # By call: the sum over worlds; by own lead and number: of the worlds where nobody bids more.
        self.bids = [action - BID for action in view.legal if action != PASS]
        self.passed = 0.0
        self.outbid = dict.fromkeys(self.bids, 0.0)
        self.own = {bid: [0.0] * len(self.leads) for bid in self.bids}
        self.worlds = 0

    def candidates(self) -> list[Card]:
        """For each suit the card that the policy would lead from it."""
        start = self.start
        found = []
        for suit in range(4):
            cards = cards_of(self.hand & SUIT_MASK[suit])
            if cards:
                found.append(max(cards, key=lambda card: (self.policy.value(start, card), -card)))
        return found

    def draw(self, rng: Rng) -> list[int]:
        """Hands for everybody: the others' evenly from the unseen cards."""
        cards, hands, last = self.unseen, [0] * self.rules.seats, len(self.unseen)
        hands[self.me] = self.hand
        for seat in self.order:
            if seat != self.me:
                mask = 0
                for _ in range(_HAND):
                    pick = rng.below(last)
                    last -= 1
                    card = cards[pick]
                    cards[pick], cards[last] = cards[last], card
                    mask |= 1 << card
                hands[seat] = mask
        return hands

    def fits(self, hands: Sequence[int], rng: Rng) -> bool:
        """Whether to keep a world in which the others have called as they have: odd calls are kept now and then."""
        standing = 0
        for place, (seat, number) in enumerate(self.view.calls):
            may_pass = standing > 0 or seat != self.view.dealer or self.rules.all_pass != "dealer_two"
            lowest = lowest_bid(self.rules, standing, seat == self.view.dealer)
            made = self.table.call(hands[seat], lowest, standing, len(self.order) - place - 1, may_pass, self.bold)
            odd = (made == 0) != (number == 0)
            if odd and rng.below(100) >= _ODD:
                return False
            standing = max(standing, number)
        return True

    def calls(self, hands: Sequence[int], standing: int, bidder: int) -> tuple[int, int]:
        """The bid and its seat after the others have called too; (0, -1) where nobody bids."""
        for place, seat in enumerate(self.waiting):
            if standing == HIGHEST_BID and not (self.rules.dealer_steal and seat == self.view.dealer):
                break
            may_pass = standing > 0 or seat != self.view.dealer or self.rules.all_pass != "dealer_two"
            lowest = lowest_bid(self.rules, standing, seat == self.view.dealer)
            if lowest > HIGHEST_BID:
                continue
            waiting = len(self.waiting) - place - 1
            number = self.table.call(hands[seat], lowest, standing, waiting, may_pass, self.bold)
            if number:
                standing, bidder = number, seat
        return standing, bidder

    def begin(self, hands: Sequence[int], bidder: int, bid: int) -> None:
        """Put a world into ``game``, with the bidder to lead."""
        game = self.game
        game.rewind(self.start)
        game.hands = [*hands, *([0] * (5 - len(hands)))]
        game.turn = game.leader = game.bidder = bidder
        game.bid = bid

    def run(self, count: int, seed: int) -> None:
        """Look at ``count`` more worlds."""
        own = self.race.utility(self.me)
        for _ in range(count):
            rng = Rng(seed, self.worlds)
            hands = self.draw(rng)
            for _ in range(_TRIES):
                if self.fits(hands, rng):
                    break
                hands = self.draw(rng)
            self.worlds += 1
            known: dict[tuple[int, int], float] = {}

            def others(bid: int, bidder: int, hands: list[int] = hands, known: Any = known) -> float:
                """What the deal brings when somebody else plays it."""
                if bidder < 0:
                    return self.nobody
                if (bid, bidder) not in known:
                    self.begin(hands, bidder, bid)
                    self.policy.playout(self.game, self.dice)
                    known[bid, bidder] = self.race.utility(bidder).value(self.game, self.me)
                return float(known[bid, bidder])

            standing = self.view.bid
            bidder = -1 if self.view.bidder is None else self.view.bidder
            self.passed += others(*self.calls(hands, standing, bidder))
            mine: list[list[int]] = []
            for bid in self.bids:
                end, winner = self.calls(hands, bid, self.me)
                if winner != self.me:
                    self.outbid[bid] += others(end, winner)
                    continue
                if not mine:
                    for card in self.leads:
                        self.begin(hands, self.me, 0)
                        self.game.play(card)
                        self.policy.playout(self.game, self.dice)
                        mine.append(list(self.game.points))
                for place, points in enumerate(mine):
                    made = points[self.me] >= bid
                    self.game.points = points if made else [*points[: self.me], -bid, *points[self.me + 1 :]]
                    self.own[bid][place] += own.value(self.game, self.me)

    def values(self) -> dict[int, float]:
        """What each call brings on average: by number, 0 for a pass."""
        found = {bid: (self.outbid[bid] + max(self.own[bid])) / self.worlds for bid in self.bids}
        if PASS in self.view.legal:
            found[0] = self.passed / self.worlds
        return found


#: Per hundred, how often a world is kept in which a call was not as the table says; how often another one is drawn.
_ODD: Final = 15
_TRIES: Final = 20


def opened(known: Any, bidder: int) -> Tricks:
    """A position before the first lead of ``bidder``, whatever has been called."""
    twin = known.clone()
    twin.log = [PASS << SEAT | seat for seat in twin.players]
    twin.bid, twin.bidder = 0, bidder
    twin.to_act = twin.leader = bidder
    made = Tricks()
    made.load(twin)
    return made


__all__ = [
    "Auction",
    "Table",
    "lowest_bid",
    "opened",
    "setting_of",
    "side_features",
    "sure_points",
    "table_for",
    "trump_features",
]
