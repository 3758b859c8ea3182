"""Rules of thumb for Smear."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import comb
from typing import Any, ClassVar, Final

from meja.bots.bot import Bot, Budget, check_turn
from meja.cards import Card
from meja.games.smear import BID, PASS, SmearView
from meja.games.tricks import strength_table, value_table
from meja.view import View

_POWER: Final = strength_table("AKQJT98765432")
_WORTH: Final = value_table({"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1})
_TEN, _JACK, _QUEEN, _ACE = 8, 9, 10, 12
_HAND: Final = 6
_PACK: Final = 52

#: How likely a bid has to be made before it is bid, in general and when more is at stake.
SURE_ENOUGH: Final = 0.62
READY: Final = 0.45
DESPERATE: Final = 0.34

#: Card points on the table that are worth taking, and that are worth a risk or a high trump.
PRIZE: Final = 3
BIG_PRIZE: Final = 10


# -- bidding ----------------------------------------------------------------------


def chance_undealt(cards: int, seats: int) -> float:
    """The chance that none of ``cards`` unseen cards was dealt to another seat (hypergeometric)."""
    unseen, others = _PACK - _HAND, _HAND * (seats - 1)
    return comb(unseen - cards, others) / comb(unseen, others)


def chance_of_high(view: SmearView, trumps: list[Card]) -> float:
    """High: nobody was dealt a better trump than my best one."""
    best = max(card % 13 for card in trumps)
    if view.rules.high == "ace_only":
        return 1.0 if best == _ACE else 0.0
    return chance_undealt(_ACE - best, view.rules.seats)


def chance_of_low(view: SmearView, trumps: list[Card]) -> float:
    """Low: nobody was dealt a lower trump than mine; to the taker it must be brought home as well."""
    lowest = min(card % 13 for card in trumps)
    chance = chance_undealt(lowest, view.rules.seats)
    if view.rules.low == "holder":
        return chance
    strong = sum(card % 13 >= _QUEEN for card in trumps)
    home = min(0.9, 0.3 + 0.1 * len(trumps) + 0.1 * strong)
    return chance * home + (1 - chance) * 0.15 * strong


def chance_of_jack(view: SmearView, trumps: list[Card]) -> float:
    """Jack: mostly only for its holder, the safer the more trumps stand beside it; an ace may catch it."""
    ranks = [card % 13 for card in trumps]
    if _JACK in ranks:
        return (0.35, 0.65, 0.85, 0.95, 1.0, 1.0)[len(trumps) - 1]
    caught = 0.5 * (_ACE in ranks) + 0.2 * (_ACE - 1 in ranks)
    return caught * (1 - chance_undealt(1, view.rules.seats))


def chance_of_game(view: SmearView, trumps: list[Card]) -> float:
    """Game: trumps to take tricks with, tens among them, and high cards beside them."""
    beside = [card for card in view.hand if card not in trumps]
    sum_ = 0.12 * len(trumps) + 0.06 * sum(card % 13 >= _QUEEN for card in trumps)
    sum_ += 0.2 * any(card % 13 == _TEN for card in trumps) + 0.07 * sum(card % 13 == _TEN for card in beside)
    sum_ += 0.12 * sum(card % 13 == _ACE for card in beside) + 0.06 * sum(card % 13 in (10, 11) for card in beside)
    return min(0.95, sum_ if view.rules.seats == 2 else 0.85 * sum_)


def chances(view: SmearView, suit: int) -> list[float]:
    """The chances of High, Low, Jack and Game with ``suit`` as trump."""
    trumps = [card for card in view.hand if card // 13 == suit]
    if not trumps:
        return [0.0] * 4
    return [estimate(view, trumps) for estimate in (chance_of_high, chance_of_low, chance_of_jack, chance_of_game)]


def chance_to_make(points: Iterable[float], bid: int) -> float:
    """The chance of at least ``bid`` points, taking the four as independent of each other."""
    spread = [1.0]
    for chance in points:
        spread = [
            (spread[n] * (1 - chance) if n < len(spread) else 0.0) + (spread[n - 1] * chance if n else 0.0)
            for n in range(len(spread) + 1)
        ]
    return sum(spread[bid:])


def best_suit(view: SmearView, bid: int) -> int:
    """The suit that makes ``bid`` most likely; more points on average where that is equal."""
    return max(range(4), key=lambda suit: (chance_to_make(chances(view, suit), bid), sum(chances(view, suit))))


def would_win(view: SmearView, seat: int, bid: int) -> bool:
    """Whether ``seat`` wins the match by making ``bid``."""
    total, rules = view.context.totals[seat], view.rules
    return total >= rules.target if rules.win == "strict_next_deal" else total + bid >= rules.target


def rival_is_about_to_win(view: SmearView) -> bool:
    """The standing bid, or a small one that a rival has still to make, would win the match."""
    me = view.seat
    if view.bidder is not None:
        return view.bidder != me and would_win(view, view.bidder, view.bid)
    waiting = view.players[len(view.calls) + 1 :]
    return any(would_win(view, seat, 2) for seat in waiting)


def nothing_to_lose_by_bidding(view: SmearView) -> bool:
    """As the last caller I pay for a pass anyhow."""
    return view.rules.all_pass == "dealer_minus_two" and view.seat == view.dealer and view.bid == 0


def needed_chance(view: SmearView, bid: int) -> float:
    """How likely ``bid`` has to be made in this standing of the match."""
    assert view.seat is not None
    if nothing_to_lose_by_bidding(view):
        return DESPERATE
    if rival_is_about_to_win(view):
        return DESPERATE if would_win(view, view.seat, bid) else READY
    if would_win(view, view.seat, bid):
        return READY
    return SURE_ENOUGH


def choose_call(view: SmearView) -> int:
    """Bid what the hand is good for; as the last caller just enough; a dealer who must bid bids least."""
    bids = [action for action in view.legal if action != PASS]
    good = [
        action
        for action in bids
        if chance_to_make(chances(view, best_suit(view, action - BID)), action - BID)
        >= needed_chance(view, action - BID)
    ]
    if not good:
        return PASS if PASS in view.legal else bids[0]
    last = len(view.calls) == len(view.players) - 1
    return good[0] if last else good[-1]


# -- playing ----------------------------------------------------------------------


class Table:
    """What the rules of thumb ask of a view while cards are played."""

    def __init__(self, view: SmearView) -> None:
        self.view = view
        self.seat: int = view.seat  # type: ignore[assignment]
        self.hand = list(view.hand)
        self.legal = list(view.legal)
        self.trump = view.trump
        self.trick = [card for _, card in view.trick]
        self.last = len(self.trick) == len(view.players) - 1
        self.bidding = view.bidder == self.seat
        gone = {card for cards, _ in view.tricks for _, card in cards} | set(self.trick) | set(self.hand)
        self.unseen = [card for card in range(_PACK) if card not in gone]
        self.taker = max(view.trick, key=lambda played: self.power(played[1]))[0] if view.trick else self.seat

    def power(self, card: Card) -> int:
        """Strength in the trick on the table (or led by this card): trumps above the suit led above the rest."""
        suit = card // 13
        if suit == self.trump:
            return 100 + _POWER[card]
        return _POWER[card] if not self.trick or suit == self.trick[0] // 13 else 0

    def wins(self, card: Card) -> bool:
        """Whether ``card`` would be the best in the trick so far."""
        return all(self.power(card) > self.power(other) for other in self.trick)

    def behind(self) -> list[int]:
        """The seats that still play to this trick after mine."""
        played = {seat for seat, _ in self.view.trick}
        return [seat for seat in self.view.players if seat != self.seat and seat not in played]

    def is_sure(self, card: Card) -> bool:
        """Whether no unseen card of those behind can beat ``card``, which wins so far."""
        behind = self.behind()
        led = (self.trick[0] if self.trick else card) // 13

        def may_hold(suit: int) -> bool:
            return any(not self.view.voids[seat] >> suit & 1 for seat in behind)

        for other in self.unseen:
            suit = other // 13
            if suit not in (led, self.trump) or not may_hold(suit):
                continue
            if suit == self.trump and card // 13 != self.trump:
                return False
            if suit == card // 13 and _POWER[other] > _POWER[card]:
                return False
        return True

    def prize(self) -> int:
        """The card points on the table, and the worth of a trump jack and a Low that can be caught."""
        jack = any(card == self.jack() for card in self.trick)
        low = self.view.rules.low == "taker" and any(self.is_low(card) for card in self.trick)
        return sum(_WORTH[card] for card in self.trick) + 20 * jack + 12 * low

    def jack(self) -> Card:
        """The jack of trumps."""
        return self.trump * 13 + _JACK

    def is_low(self, card: Card) -> bool:
        """Whether ``card`` is the lowest trump seen so far, mine included."""
        seen = [c for cards, _ in self.view.tricks for _, c in cards] + self.trick + self.hand
        return card // 13 == self.trump and card == min(c for c in seen if c // 13 == self.trump)

    def loss(self, card: Card) -> float:
        """What throwing ``card`` to somebody else's trick costs."""
        cost = 1.5 * _WORTH[card] + 0.1 * _POWER[card] + 0.5 * (card % 13 == _ACE)
        if card // 13 == self.trump:
            cost += 30 * (card == self.jack()) + 2 + 0.4 * _POWER[card]
            cost += 15 * (self.view.rules.low == "taker" and self.is_low(card))
        return cost


def draw_trumps(table: Table) -> Card | None:
    """As bidder lead high trumps while the others may hold some; the jack before the small ones."""
    mine = [card for card in table.legal if card // 13 == table.trump]
    others = [seat for seat in table.view.players if seat != table.seat]
    if not table.bidding or not mine or all(table.view.voids[seat] >> table.trump & 1 for seat in others):
        return None
    best = max(mine)
    if table.is_sure(best):
        return best
    # A ten that is not safe is worth more than the trumps it draws.
    heads = [card for card in mine if card % 13 not in (_TEN, _JACK)] or mine
    return max(heads) if len(mine) >= 3 else None


def lead_a_sure_card(table: Table) -> Card | None:
    """Lead a card that nobody can beat: the one worth most."""
    sure = [card for card in table.legal if table.is_sure(card)]
    return max(sure, key=lambda card: (_WORTH[card], card // 13 != table.trump), default=None)


def lead_the_least(table: Table) -> Card:
    """Lead what costs least to lose, from a plain suit if possible."""
    return min(table.legal, key=table.loss)


def catch_the_jack(table: Table) -> Card | None:
    """Take the trick with somebody's jack of trumps: as the last with the cheapest card, else with the best."""
    if table.jack() not in table.trick:
        return None
    winners = [card for card in table.legal if table.wins(card)]
    return _take(table, winners)


def bring_the_jack_home(table: Table) -> Card | None:
    """Take a trick with my own jack of trumps where nobody can beat it any more."""
    jack = table.jack()
    return jack if jack in table.legal and table.wins(jack) and table.is_sure(jack) else None


def win_with_a_ten(table: Table) -> Card | None:
    """Put my ten into a trick that it takes for certain."""
    tens = [card for card in table.legal if card % 13 == _TEN and table.wins(card) and table.is_sure(card)]
    return min(tens, key=lambda card: card // 13 == table.trump, default=None)


def bring_low_home(table: Table) -> Card | None:
    """With Low to the taker: ruff with the lowest trump where nobody can beat it."""
    if table.view.rules.low != "taker":
        return None
    low = [card for card in table.legal if table.is_low(card) and table.wins(card) and table.is_sure(card)]
    return low[0] if low else None


def take_a_prize(table: Table) -> Card | None:
    """Take a trick that holds something with the cheapest card that does it; no high trump for a loose ace."""
    prize = table.prize()
    choice = _take(table, [card for card in table.legal if table.wins(card)])
    if choice is None or prize < PRIZE:
        return None
    risky = not table.is_sure(choice)
    costly = choice // 13 == table.trump and choice % 13 >= _TEN
    return None if (risky or costly) and prize < BIG_PRIZE else choice


def give_ten_to_the_other_defender(table: Table) -> Card | None:
    """As a defender, last to play: a ten that cannot win goes to the other defender rather than to the bidder."""
    other_defender = table.taker not in (table.seat, table.view.bidder)
    if table.bidding or not table.last or not other_defender or table.view.bidder is None:
        return None
    taken = table.view.taken
    if taken[table.seat] > taken[table.view.bidder]:
        return None
    tens = [card for card in table.legal if card % 13 == _TEN and not table.wins(card) and card // 13 != table.trump]
    return tens[0] if tens else None


def win_cheaply_when_last(table: Table) -> Card | None:
    """As the last take even an empty trick, if it costs no ace, trump or ten."""
    if not table.last:
        return None
    cheap = [card for card in table.legal if table.wins(card) and card // 13 != table.trump and _WORTH[card] < 4]
    return max(cheap, key=lambda card: _WORTH[card], default=None)


def throw_the_least(table: Table) -> Card:
    """Throw what costs least; never a winner where a loser is there."""
    losers = [card for card in table.legal if not table.wins(card)]
    return min(losers or table.legal, key=table.loss)


def _take(table: Table, winners: list[Card]) -> Card | None:
    if not winners:
        return None
    sure = [card for card in winners if table.is_sure(card)]
    if sure:
        return min(sure, key=lambda card: (card // 13 == table.trump and card == table.jack(), table.loss(card)))
    return max(winners, key=table.power)


LEADS: Final[tuple[Callable[[Table], Card | None], ...]] = (draw_trumps, lead_a_sure_card, lead_the_least)
FOLLOWS: Final[tuple[Callable[[Table], Card | None], ...]] = (
    catch_the_jack,
    bring_the_jack_home,
    win_with_a_ten,
    bring_low_home,
    take_a_prize,
    give_ten_to_the_other_defender,
    win_cheaply_when_last,
    throw_the_least,
)


def first_lead(view: SmearView) -> Card:
    """The bidder's first card: from the suit that makes the bid most likely, the highest, but no loose jack or ten."""
    suit = best_suit(view, view.bid)
    trumps = sorted(card for card in view.hand if card // 13 == suit)
    best = trumps[-1]
    if best % 13 == _TEN and len(trumps) > 1:
        return trumps[-2]
    small = [card for card in trumps if card % 13 < _TEN]
    if best % 13 == _JACK and len(small) > 1:
        # Measured: such a jack led at once costs about 0.05 points a deal. A Low that its taker gets is not led either.
        return small[0] if view.rules.low == "holder" else small[-1]
    return best


def choose_card(view: SmearView) -> Card:
    """The first rule of thumb that has something to say."""
    if view.trump < 0:
        return first_lead(view)
    table = Table(view)
    if len(table.legal) == 1:
        return table.legal[0]
    for rule in FOLLOWS if table.trick else LEADS:
        card = rule(table)
        if card is not None:
            return card
    return table.legal[0]


class SmearThumb(Bot):
    """Bids by simple chances and plays by rules of thumb."""

    name: ClassVar[str] = "rules-of-thumb"

    def act(self, view: View[Any], budget: Budget) -> Any:
        """A call or a card."""
        assert isinstance(view, SmearView)
        check_turn(view)
        return choose_call(view) if view.phase == "bid" else choose_card(view)
