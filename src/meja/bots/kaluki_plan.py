"""How a Kaluki hand falls into melds: a quick search that the rules of thumb stand on.

Cards are looked at by suit as bits of places 0..13 (0 the low ace, 1..12 the cards 2..K,
13 the high ace) and by rank as packed counts of four bits (0..12 the ranks 2..A).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from meja.cards import JOKER, Card
from meja.games.kaluki import KalukiRules
from meja.games.melds import RUN_CARD, SET, Meld, MeldRules

LOW_ACE: Final = 0
HIGH_ACE: Final = 13
ACE: Final = 12
_ACES: Final = 1 << LOW_ACE | 1 << HIGH_ACE
#: The rank of each place.
RANK_AT: Final = (ACE, *range(13))
_THREES: Final = 0x5555555555555
_TWOS: Final = 0x6666666666666
_TOPS: Final = 0x8888888888888
#: Jokers that the search puts into melds at most; more of them hardly change what is best.
_MOST_JOKERS: Final = 2
#: Ways of one suit that are looked at, the most promising first.
_MOST_WAYS: Final = 12


def _spread_table() -> tuple[int, ...]:
    table = [0] * 8192
    for mask in range(1, 8192):
        low = mask & -mask
        table[mask] = table[mask ^ low] + (1 << 4 * (low.bit_length() - 1))
    return tuple(table)


#: Bits of the 13 ranks as packed counts.
SPREAD: Final = _spread_table()


class Run(NamedTuple):
    """A run of one suit from place ``low`` to ``high``; ``jokers`` are the places that jokers take."""

    suit: int
    low: int
    high: int
    jokers: int

    def meld(self) -> Meld:
        """The run as it would lie."""
        row = RUN_CARD[self.suit]
        return Meld(
            self.suit,
            self.low,
            tuple([JOKER if self.jokers >> at & 1 else row[at] for at in range(self.low, self.high + 1)]),
        )


class Way(NamedTuple):
    """One way to use the cards of a suit: runs taken out, and what stays."""

    jokers: int
    first: int
    second: int
    layable: int
    value: int
    number: int
    points: int
    runs: tuple[Run, ...]


class Plan(NamedTuple):
    """A way to lay a hand: its melds, and the value and number of natural cards that nothing uses."""

    melds: tuple[Meld, ...]
    jokers: int
    value: int
    number: int
    points: int


@dataclass(frozen=True)
class Tables:
    """What follows from the rules alone: values, and the shortest melds that open."""

    rules: KalukiRules
    #: What melds may be.
    words: MeldRules
    #: Value of a card by its number, jokers too, when it stays in the hand.
    in_hand: tuple[int, ...]
    #: Value on the table by place and by rank.
    place_value: tuple[int, ...]
    rank_value: tuple[int, ...]
    #: (low, high, bits) of every run that opens alone; the shortest ones first.
    openers: tuple[tuple[int, int, int], ...]
    #: The same without those that hold a shorter one.
    shortest: tuple[tuple[int, int, int], ...]
    #: Cards that a set needs to open alone, by rank; 0 if it cannot.
    set_needs: tuple[int, ...]
    #: The number of cards of the shortest run that opens.
    fewest: int
    ways: dict[tuple[int, ...], tuple[Way, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, rules: KalukiRules) -> Tables:
        """The tables of some rules; made once for each."""
        found = _TABLES.get(rules)
        if found is None:
            found = _TABLES[rules] = cls._make(rules)
        return found

    @classmethod
    def _make(cls, rules: KalukiRules) -> Tables:
        ranks, places = rules.turn.melds.set_values, rules.turn.melds.run_values
        windows = [
            (low, high, (1 << high + 1) - (1 << low))
            for low in range(12)
            for high in range(low + 2, min(HIGH_ACE, low + rules.run_max - 1) + 1)
            if sum(places[low : high + 1]) >= rules.opening_points
        ]
        windows.sort(key=lambda window: window[1] - window[0])
        shortest = [
            window
            for window in windows
            if not any(other != window and other[2] & window[2] == other[2] for other in windows)
        ]
        most = 12 if rules.set_duplicates else 4
        needs = [max(3, -(-rules.opening_points // value)) for value in ranks]
        return cls(
            rules,
            rules.turn.melds,
            rules.hand_values,
            places,
            ranks,
            tuple(windows),
            tuple(shortest),
            tuple(need if need <= most else 0 for need in needs),
            min(high - low + 1 for low, high, _ in windows),
        )


_TABLES: Final[dict[KalukiRules, Tables]] = {}


def fits(tables: Tables, length: int, jokers: int) -> bool:
    """Whether a run of ``length`` cards may have jokers at the places of the bits ``jokers``."""
    rules = tables.rules
    number = jokers.bit_count()
    if number >= length or (rules.naturals_majority and 2 * number >= length):
        return False
    return bool(rules.adjacent_jokers or not jokers & jokers >> 1)


class Hand:
    """A hand by suits and ranks."""

    __slots__ = ("first", "jokers", "second")

    def __init__(self, cards: Iterable[Card]) -> None:
        first, second = [0, 0, 0, 0], [0, 0, 0, 0]
        jokers = 0
        for card in cards:
            if card == JOKER:
                jokers += 1
                continue
            suit, bits = SUIT_BITS[card]
            if first[suit] & bits:
                second[suit] |= bits
            else:
                first[suit] |= bits
        #: Bits of the cards held, and of those held twice; an ace has both its places.
        self.first, self.second = first, second
        self.jokers = jokers

    def counts(self, duplicates: bool = True) -> int:
        """The packed number of natural cards of each rank; without ``duplicates`` each suit counts once."""
        first, second = self.first, self.second
        total = SPREAD[first[0] >> 1] + SPREAD[first[1] >> 1] + SPREAD[first[2] >> 1] + SPREAD[first[3] >> 1]
        if duplicates:
            total += SPREAD[second[0] >> 1] + SPREAD[second[1] >> 1] + SPREAD[second[2] >> 1] + SPREAD[second[3] >> 1]
        return total

    def cards_of_rank(self, rank: int, duplicates: bool = True) -> list[Card]:
        """The natural cards of a rank, suits in the order s h d c."""
        bit = 1 << rank + 1
        cards = []
        for suit in range(4):
            if self.first[suit] & bit:
                cards.append(13 * suit + rank)
                if duplicates and self.second[suit] & bit:
                    cards.append(13 * suit + rank)
        return cards

    def less_a_joker(self) -> Hand:
        """The hand with one joker fewer."""
        twin = Hand(())
        twin.first, twin.second, twin.jokers = self.first, self.second, self.jokers - 1
        return twin

    def without(self, run: Run) -> None:
        """Take the natural cards of a run out of the hand."""
        used = ((1 << run.high + 1) - (1 << run.low)) & ~run.jokers
        self.first[run.suit], self.second[run.suit] = _take(self.first[run.suit], self.second[run.suit], used)


def _bits_of(card: Card) -> tuple[int, int]:
    suit, rank = divmod(card, 13)
    return suit, _ACES if rank == ACE else 1 << rank + 1


#: Suit and place bits of each natural card.
SUIT_BITS: Final = tuple(_bits_of(card) for card in range(52))


def _take(first: int, second: int, used: int) -> tuple[int, int]:
    """What is held after the places ``used`` have been taken once each."""
    aces = (1 if used & 1 else 0) + (1 if used >> HIGH_ACE else 0)
    if aces:
        held = (1 if first & 1 else 0) + (1 if second & 1 else 0) - aces
        used &= ~_ACES
        first = first | _ACES if held > 0 else first & ~_ACES
        second = second | _ACES if held > 1 else second & ~_ACES
    return first & ~used | second & used, second & ~used


def _runs_at(tables: Tables, suit: int, first: int, second: int, jokers: int, low: int) -> list[Run]:
    """The runs that begin at place ``low``. A joker stands at an end only where three cards need it."""
    runs = []
    two_aces = second & 1
    missing = 0
    count = 0
    last = min(HIGH_ACE, low + tables.rules.run_max - 1)
    for high in range(low, last + 1):
        if not first >> high & 1 or (high == HIGH_ACE and low == LOW_ACE and not missing & 1 and not two_aces):
            missing |= 1 << high
            count += 1
            if count > jokers:
                break
        length = high - low + 1
        if length < 3 or (length > 3 and (missing >> high & 1 or missing >> low & 1)):
            continue
        if low == LOW_ACE and high == HIGH_ACE - 1:
            # Laid at once, its ace would go to the high end.
            continue
        if not missing or fits(tables, length, missing):
            runs.append(Run(suit, low, high, missing))
    return runs


def _choices(
    tables: Tables, suit: int, first: int, second: int, jokers: int, start: int
) -> list[tuple[tuple[Run, ...], int, int, int]]:
    """All sets of runs of a suit from place ``start`` on: (runs, bits left, twins left, jokers used)."""
    found: list[tuple[tuple[Run, ...], int, int, int]] = [((), first, second, 0)]
    for low in range(start, 12):
        if not first >> low & (7 if jokers else 1):
            continue
        for run in _runs_at(tables, suit, first, second, jokers, low):
            used = ((1 << run.high + 1) - (1 << low)) & ~run.jokers
            left, twins = _take(first, second, used)
            cost = run.jokers.bit_count()
            for runs, bits, pairs, more in _choices(tables, suit, left, twins, jokers - cost, low):
                found.append(((run, *runs), bits, pairs, cost + more))
    return found


def _ways(tables: Tables, suit: int, first: int, second: int, jokers: int, layable: int, twins: int) -> tuple[Way, ...]:
    key = (suit, first, second, jokers, layable & first, twins & second)
    known = tables.ways.get(key)
    if known is not None:
        return known
    if layable & 1:
        layable |= 1 << HIGH_ACE
    value = tables.rank_value
    ways = []
    for runs, bits, pairs, cost in _choices(tables, suit, first, second, jokers, 0):
        loose = [SPREAD[bits >> 1], SPREAD[pairs >> 1]]
        free = SPREAD[(bits & layable) >> 1] + SPREAD[(pairs & twins) >> 1]
        left = loose[0] + loose[1] - free
        worth = number = 0
        while left:
            rank = (left & -left).bit_length() - 1 >> 2
            copies = left >> 4 * rank & 15
            worth += copies * value[rank]
            number += copies
            left &= ~(15 << 4 * rank)
        points = sum(sum(tables.place_value[run.low : run.high + 1]) for run in runs)
        ways.append(Way(cost, loose[0], loose[1], free, worth, number, points, runs))
    ways.sort(key=lambda way: way.value + 5 * way.number + 12 * way.jokers)
    if len(tables.ways) > 8000:
        tables.ways.clear()
    kept = tables.ways[key] = tuple(ways[:_MOST_WAYS])
    return kept


@dataclass(frozen=True, slots=True)
class Table:
    """What may be laid off onto the melds on the table: natural cards by suit, twins too, and jokers."""

    layable: tuple[int, int, int, int] = (0, 0, 0, 0)
    twins: tuple[int, int, int, int] = (0, 0, 0, 0)


EMPTY: Final = Table()


def best_plan(
    tables: Tables,
    hand: Hand,
    table: Table = EMPTY,
    jokers: int | None = None,
    points: int = 0,
    *,
    fewest: bool = False,
) -> Plan | None:
    """The melds that leave the least: value and number of natural cards that no meld and no table meld takes.

    ``jokers``: how many may be used. ``points``: what the melds must be worth together, ``None`` is
    returned if they cannot. ``fewest``: the number of cards left counts, not their value.
    """
    most = min(hand.jokers if jokers is None else jokers, _MOST_JOKERS)
    lists = [
        _ways(tables, suit, hand.first[suit], hand.second[suit], most, table.layable[suit], table.twins[suit])
        for suit in range(4)
    ]
    duplicates = tables.rules.set_duplicates
    value = tables.rank_value
    heavy = 1000 if fewest else 4
    best: tuple[Any, ...] | None = None
    best_key = 1 << 30
    for a in lists[0]:
        for b in lists[1]:
            used_ab = a.jokers + b.jokers
            if used_ab > most:
                continue
            for c in lists[2]:
                used_abc = used_ab + c.jokers
                if used_abc > most:
                    continue
                for d in lists[3]:
                    used = used_abc + d.jokers
                    if used > most:
                        continue
                    counts = a.first + b.first + c.first + d.first
                    if duplicates:
                        counts += a.second + b.second + c.second + d.second
                    free = a.layable + b.layable + c.layable + d.layable
                    worth = a.value + b.value + c.value + d.value
                    number = a.number + b.number + c.number + d.number
                    gained = a.points + b.points + c.points + d.points
                    trios = tops = (counts + _THREES) & _TOPS
                    while tops:
                        low = tops & -tops
                        tops ^= low
                        rank = low.bit_length() - 1 >> 2
                        copies = counts >> 4 * rank & 15
                        saved = copies - (free >> 4 * rank & 15)
                        worth -= saved * value[rank]
                        number -= saved
                        gained += copies * value[rank]
                    pairs: tuple[int, ...] = ()
                    if used < most:
                        tops = (counts + _TWOS) & _TOPS & ~trios
                        while tops and used < most:
                            # The highest pair first: it has the most to lose.
                            rank = tops.bit_length() - 1 >> 2
                            tops ^= 8 << 4 * rank
                            saved = 2 - (free >> 4 * rank & 15)
                            if saved <= 0 or (points and gained >= points):
                                continue
                            used += 1
                            worth -= saved * value[rank]
                            number -= saved
                            gained += 3 * value[rank]
                            pairs = (*pairs, rank)
                    if gained < points:
                        continue
                    key = worth + heavy * number + (40 if points else 9) * used
                    if key < best_key:
                        best_key = key
                        best = (a, b, c, d, trios, pairs, used, worth, number, gained)
    if best is None:
        return None
    return _written(hand, best, duplicates)


def _written(hand: Hand, best: Sequence[Any], duplicates: bool) -> Plan:
    a, b, c, d, trios, pairs, used, worth, number, gained = best
    rest = Hand(())
    rest.first, rest.second = hand.first[:], hand.second[:]
    melds = []
    for run in (*a.runs, *b.runs, *c.runs, *d.runs):
        rest.without(run)
        melds.append(run.meld())
    for rank in range(13):
        if trios >> 4 * rank & 8:
            melds.append(Meld(SET, rank, tuple(rest.cards_of_rank(rank, duplicates))))
        elif rank in pairs:
            melds.append(Meld(SET, rank, (*rest.cards_of_rank(rank, duplicates), JOKER)))
    return Plan(tuple(melds), used, worth, number, gained)
