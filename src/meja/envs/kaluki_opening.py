"""Opening with several melds together, id by id: whether the points can still be reached.

The melds of a hand with jokers can be very many, and their combinations far more, so none of this lists them.
A combination counts if no meld of it could be left out, and its melds stand in ascending order. Given the melds
that are chosen, it is enough to find any further melds, not below the last one, that bring the points without
making a chosen one needless: what is needless of the further ones is left out then.

Nor need all melds be looked at. A joker that lies where the hand has the natural card can change places with it,
wherever that is, unless the card is the only natural one of its meld, or the order of the melds would suffer.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from meja.cards import BIT, JOKER
from meja.envs.encoding import Prefix
from meja.envs.kaluki_ids import CLOSE, NATURAL, START_RUN, START_SET, TAKE_ID, WILD, meld_ids, split
from meja.envs.kaluki_melding import Wanted, may_follow
from meja.games.kaluki_turn import MELD, OPEN, TAKE, Move, TurnRules
from meja.games.melds import RUN_CARD, SET, Meld, MeldRules, run_shapes_from, sets_of, worth

_RANKS: Final = 0x1FFF
_ACE: Final = 12
_HIGH_ACE: Final = 13
_PLACES: Final = 14
_COLUMN: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
_ANY: Final = 1 << 20


class Cards(NamedTuple):
    """Cards of a hand: natural ones held once at least, those held twice, jokers, and how many there are."""

    one: int
    two: int
    jokers: int
    size: int

    def without(self, part: Part) -> Cards:
        """What is left without a meld that is held."""
        _, _, once, twice, jokers, size = part
        single = once ^ twice
        doubled = single & self.two
        return Cards(
            self.one & ~twice ^ (single ^ doubled), self.two & ~twice ^ doubled, self.jokers - jokers, self.size - size
        )


class Part(NamedTuple):
    """A meld, its points, and the cards that it takes from a hand."""

    meld: Meld
    worth: int
    once: int
    twice: int
    jokers: int
    size: int

    def holds(self, card: int) -> bool:
        """Whether it holds a natural card, or a joker."""
        return self.jokers > 0 if card == JOKER else card >= 0 and self.once & BIT[card] > 0


@lru_cache(maxsize=1 << 13)
def part_of(meld: Meld, rules: MeldRules) -> Part:
    """A meld with what it takes."""
    once = twice = jokers = 0
    for card in meld.cards:
        if card == JOKER:
            jokers += 1
        elif once & BIT[card]:
            twice |= BIT[card]
        else:
            once |= BIT[card]
    return Part(meld, worth(meld, rules), once, twice, jokers, len(meld.cards))


@lru_cache(maxsize=1 << 12)
def _sets(rank: int, suits: int, twice: int, jokers: int, rules: MeldRules) -> tuple[Part, ...]:
    return tuple([part_of(meld, rules) for meld in sets_of(rank, suits, twice, jokers, rules, 0)])


@lru_cache(maxsize=1 << 10)
def _runs_from(low: int, suit: int, held: int, two_aces: int, jokers: int, rules: MeldRules) -> tuple[Part, ...]:
    """All runs of a suit with a lowest place, ascending."""
    shapes = run_shapes_from(low, held, two_aces, jokers, rules, 0)
    return tuple([_run(suit, low, size, wild, rules) for size, wild in shapes])


@lru_cache(maxsize=1 << 11)
def _runs(suit: int, held: int, two_aces: int, jokers: int, rules: MeldRules, cover: bool) -> tuple[Part, ...]:
    """The runs of a suit that need be looked at (:func:`_shapes`)."""
    return tuple(
        [
            _run(suit, low, size, wild, rules)
            for low in range(_PLACES - 2)
            for size, wild in _shapes(held, two_aces, jokers, rules, cover, low)
        ]
    )


def _run(suit: int, low: int, size: int, wild: int, rules: MeldRules) -> Part:
    """A run by its lowest place, its size and the places of its jokers."""
    row = RUN_CARD[suit]
    cards = tuple([JOKER if wild >> place & 1 else row[place] for place in range(low, low + size)])
    natural = ((1 << size) - 1) << low & ~wild
    ranks = natural >> 1 | (natural & 1) << _ACE
    twice = BIT[13 * suit + _ACE] if natural & 1 and natural >> _HIGH_ACE else 0
    points = rules.run_sums[low + size] - rules.run_sums[low]
    return Part(Meld(suit, low, cards), points, ranks << 13 * suit, twice, wild.bit_count(), size)


def _shapes(
    held: int, two_aces: int, jokers: int, rules: MeldRules, cover: bool, low: int, begun: int = 0, wild: int = 0
) -> Iterator[tuple[int, int]]:
    """The runs with a lowest place that need be looked at, as (size, places of jokers).

    They begin with ``begun`` cards, which have jokers at the places ``wild``. Behind these jokers lie in gaps, and
    where a natural card might be missed by another meld: one that could not do with a joker instead. With ``cover``
    a joker is wanted for itself.
    """
    places = held << 1 | held >> _ACE
    ends = 1 | 1 << _HIGH_ACE
    start = ((1 << begun) - 1) << low
    strict = rules.naturals_majority or not rules.adjacent_jokers
    for size in range(max(3, begun), min(_PLACES - low, rules.run_max) + 1):
        stretch = ((1 << size) - 1) << low
        free = stretch & ~start
        gaps = wild | free & ~places
        if gaps.bit_count() > jokers:
            return
        if low == 0 and size == 13:
            continue
        bases = [gaps]
        if size == _PLACES and held >> _ACE and not two_aces and not gaps & ends:
            # A lone ace can lie at one end only.
            bases = [gaps | bit for bit in (1, 1 << _HIGH_ACE) if bit & free]
        for base in bases:
            spare = jokers - base.bit_count()
            if spare < 0:
                continue
            # That other meld has two jokers beside its one natural card; where melds can break otherwise, one.
            more = min(spare - 1, 2 if not rules.naturals_majority else 3) if strict else int(spare >= 3)
            more = max(more, int(cover and spare > 0), 0)
            others = [1 << place for place in range(low, low + size) if free & ~base & 1 << place]
            for number in range(min(more, len(others)) + 1):
                for chosen in combinations(others, number):
                    laid = base | sum(chosen)
                    jokers_laid = laid.bit_count()
                    if laid == stretch or (rules.naturals_majority and jokers_laid * 2 >= size):
                        continue
                    if rules.adjacent_jokers or not laid & laid >> 1:
                        yield size, laid


class Together:
    """The ways to open with melds of one hand together."""

    def __init__(
        self, one: int, two: int, jokers: int, size: int, points: int, terms: TurnRules, verb: int, taken: int
    ) -> None:
        """``verb``: ``TAKE`` with the card ``taken``, which is in the hand already, or ``OPEN``."""
        self._hand = Cards(one, two, jokers, size)
        self._points = points
        self._rules = terms.melds
        self._keep = int(terms.last_discard)
        self._verb = verb
        self._taken = taken if verb == TAKE else -1
        #: Whether a joker is wanted for itself.
        self._cover = self._taken == JOKER
        self._dearest = max(terms.melds.set_values)
        self._tails: dict[tuple[object, ...], bool] = {}

    def first(self) -> set[int]:
        """The ids that a way to open begins with."""
        if self._verb != TAKE:
            return self._after([], ())
        return {TAKE_ID} if self._after([], ()) else set()

    def after(self, prefix: Prefix) -> set[int]:
        """The ids that lead on from a prefix to a way to open."""
        if self._verb == TAKE and prefix[0] != TAKE_ID:
            return set()
        melds, part = split(prefix)
        return self._after([part_of(meld, self._rules) for meld in melds], part)

    def complete(self, path: Prefix) -> Move | None:
        """The move of an allowed path that has just closed a meld, if it opens."""
        melds, _ = split(path)
        parts = [part_of(meld, self._rules) for meld in melds]
        if sum(part.worth for part in parts) < self._points:
            return None
        if self._taken >= 0 and not any(part.holds(self._taken) for part in parts):
            return None
        return Move(MELD if self._verb == OPEN and len(melds) == 1 else self._verb, tuple(melds))

    # -- whether a meld leads on --------------------------------------------------

    def _after(self, chosen: list[Part], part: Prefix) -> set[int]:
        """The ids that may follow melds that are chosen and the ids of one that is not closed."""
        hand = self._hand
        for found in chosen:
            hand = hand.without(found)
        if not part:
            return {start for start in (START_SET, START_RUN) if self._leads_on(chosen, hand, (start,))}
        wanted = Wanted(self._rules, 0, hand.size - self._keep)
        following = may_follow(part, hand.one, hand.two, hand.jokers, wanted)
        return {number for number in following if self._leads_on(chosen, hand, (*part, number))}

    def _leads_on(self, chosen: list[Part], hand: Cards, ids: Prefix) -> bool:
        """Whether some meld that begins with these ids leads to an opening."""
        last = chosen[-1].meld if chosen else None
        return any(
            (last is None or found.meld >= last) and self._opens_with(chosen, found, hand)
            for found in self._beginning(hand, ids, last)
        )

    def _beginning(self, hand: Cards, ids: Prefix, last: Meld | None) -> Iterator[Part]:
        """The melds of a hand whose ids begin so; of runs those that need be looked at."""
        one, two, jokers, _ = hand
        rules, size = self._rules, len(ids)
        if ids[0] == START_SET:
            for rank in range(13) if size == 1 else ((ids[1] - NATURAL) % 13,):
                for found in _sets(rank, one >> rank & _COLUMN, two >> rank & _COLUMN, jokers, rules):
                    if meld_ids(found.meld)[:size] == ids:
                        yield found
            return
        if size == 1:
            for suit in range(4):
                yield from self._suit_runs(suit, hand, last)
            return
        first = ids[1]
        suit, rank = divmod(first - (NATURAL if first < WILD else WILD), 13)
        low = (rank + 1) % 13
        held, two_aces = one >> 13 * suit & _RANKS, two >> 13 * suit + _ACE & 1
        if last is not None and last[:2] == (suit, low):
            # Among runs that begin at the same place the order may ask for more jokers.
            for found in _runs_from(low, suit, held, two_aces, jokers, rules):
                if meld_ids(found.meld)[:size] == ids:
                    yield found
            return
        closed = ids[-1] == CLOSE
        begun = size - 1 - closed
        wild = sum(1 << low + place for place, number in enumerate(ids[1 : 1 + begun]) if number >= WILD)
        if closed:
            yield _run(suit, low, begun, wild, rules)
            return
        for number, places in _shapes(held, two_aces, jokers, rules, self._cover, low, begun, wild):
            yield _run(suit, low, number, places, rules)

    def _suit_runs(self, suit: int, hand: Cards, last: Meld | None) -> Iterator[Part]:
        """The runs of one suit that need be looked at; ``last`` is the meld that none may be below."""
        held, two_aces = hand.one >> 13 * suit & _RANKS, hand.two >> 13 * suit + _ACE & 1
        if not held or (last is not None and last.suit > suit):
            return
        yield from _runs(suit, held, two_aces, hand.jokers, self._rules, self._cover)
        if last is not None and last.suit == suit:
            yield from _runs_from(last.low, suit, held, two_aces, hand.jokers, self._rules)

    def _opens_with(self, chosen: list[Part], part: Part, hand: Cards) -> bool:
        """Whether the melds chosen and one more are a way to open, or the beginning of one."""
        left = hand.without(part)
        melds = [*chosen, part]
        total = sum([found.worth for found in melds])
        taken = self._taken
        holders = [found for found in melds if found.holds(taken)] if taken >= 0 else []
        if left.size < self._keep:
            return False
        rest = self._points - total
        if rest <= 0 and (taken < 0 or holders):
            if len(melds) == 1:
                return self._verb == TAKE
            return all(
                total - found.worth < self._points or (len(holders) == 1 and found is holders[0]) for found in melds
            )
        # Further melds must not make up for a chosen one.
        least = min([found.worth for found in melds])
        if taken >= 0 and not holders:
            return self._tail(left, rest, least, part.meld, True, False)
        if len(holders) == 1:
            others = [found.worth for found in melds if found is not holders[0]]
            spare = min(others) if others else _ANY
            if spare > least and self._tail(left, rest, spare, part.meld, False, True):
                return True
        return self._tail(left, rest, least, part.meld, False, False)

    def _tail(self, hand: Cards, rest: int, slack: int, last: Meld, need: bool, avoid: bool) -> bool:
        """Whether melds of a hand, none below ``last``, bring ``rest`` points and less than ``slack`` more.

        With ``need`` the card taken must be among them, with ``avoid`` it must not.
        """
        if self._most(hand, last) < rest or (need and not self._within_reach(last)):
            return False
        key = (hand, rest, slack, last, need, avoid)
        found = self._tails.get(key)
        if found is None:
            found = self._tails[key] = self._search(hand, rest, slack, last, need, avoid)
        return found

    def _within_reach(self, last: Meld) -> bool:
        """Whether melds that are not below ``last`` can hold the card taken at all."""
        if self._taken == JOKER or last.suit == SET:
            return True
        suit, rank = divmod(self._taken, 13)
        # Of an ace the high place counts.
        return last.suit < suit or (last.suit == suit and last.low <= rank + 1)

    def _most(self, hand: Cards, last: Meld) -> int:
        """An upper bound of what melds that are not below ``last`` are worth."""
        values = self._rules.set_values
        one, two, jokers, _ = hand
        if last.suit > 0:
            one &= -1 << 13 * last.suit
            two &= one
        most = 0
        while one:
            low = one & -one
            most += values[(low.bit_length() - 1) % 13] * (2 if two & low else 1)
            one ^= low
        return most + jokers * self._dearest if most else 0

    def _search(self, hand: Cards, rest: int, slack: int, last: Meld, need: bool, avoid: bool) -> bool:
        taken = self._taken
        room = hand.size - self._keep
        longer = []
        for part in self._melds(hand, last, self._taken if need else -1):
            holds = taken >= 0 and part.holds(taken)
            if (avoid and holds) or (need and not holds) or part.size > room or part.worth >= rest + slack:
                continue
            if part.meld < last:
                continue
            if part.worth >= rest:
                return True
            longer.append(part)
        longer.sort(key=_by_worth, reverse=True)
        return any(
            self._tail(hand.without(part), rest - part.worth, slack, last if need else part.meld, False, avoid)
            for part in longer
            if hand.size - part.size - self._keep >= 3
        )

    def _melds(self, hand: Cards, last: Meld, need: int) -> Iterator[Part]:
        """The melds of a hand that need be looked at, where none may be below ``last``; or those of one card."""
        one, two, jokers, _ = hand
        one_card = 0 <= need < JOKER
        if last.suit == SET:
            for rank in range(last.low, 13):
                suits = one >> rank & _COLUMN
                if suits and not (one_card and need % 13 != rank):
                    yield from _sets(rank, suits, two >> rank & _COLUMN, jokers, self._rules)
        for suit in range(max(0, last.suit), 4):
            if not (one_card and need // 13 != suit):
                yield from self._suit_runs(suit, hand, last)


def _by_worth(part: Part) -> int:
    return part.worth
