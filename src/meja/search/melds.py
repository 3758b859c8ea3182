"""The melds of a hand of Kaluki: all of them, the best way to lay them, and how far the hand is from opening.

A hand is ``one``, ``two`` and ``jokers`` as in :mod:`meja.games.melds`. The melds are listed under the first natural
card that they hold. The search takes the lowest card left: it stays in the hand, or goes into one of the melds listed
under it. What is left is remembered by the cards, so equal cards are alike and both copies are always tried.

A run or set that is two melds side by side is not needed where only the sums count, so the search leaves it out; an
opening that has to be a single meld keeps the long ones that reach its points.

For the distance to an opening a third kind of card is used: a natural card that is still to come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import meja.search.bits as bits
from meja.cards import JOKER, Card
from meja.games.melds import RUN_CARD, SET, Meld
from meja.search.dice import Dice

try:
    import cython
except ImportError:
    from meja.search import uncompiled as cython

if TYPE_CHECKING:
    from meja.games.kaluki import KalukiRules

#: What a way to lay a hand is measured by: least points left in the hand, most cards laid, most points laid.
DEADWOOD: Final = 0
CARDS: Final = 1
POINTS: Final = 2
_DEADWOOD: Final = 0
_CARDS: Final = 1
_POINTS: Final = 2
#: For the distance: the fewest cards that are still to come.
_COMING: Final = 3

_ONE: Final = 1
_SUIT: Final = 0x1FFF
_COLUMN: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
_WORD: Final = 0xFFFFFFFFFFFFFFFF
_SPREAD_ONE: Final = 0x9E3779B97F4A7C15
_SPREAD_TWO: Final = 0xD6E8FEB86659FD93
#: How many melds are listed at most, and how many places the memory has (a power of two).
_MELDS: Final = 8192
_SLOTS: Final = 16384
#: By how many bits a key is shifted down to its place: few melds use a small part of the memory, which stays at hand.
_SHIFT_FEW: Final = 55
_SHIFT_SOME: Final = 53
_SHIFT_MANY: Final = 50
_FEW: Final = 40
_SOME: Final = 200
_NEVER: Final = -1000000000
_NEED: Final = 63
_MUST: Final = 64
_KEEP: Final = 128
#: The place of melds without a natural card of the hand.
_NONE: Final = 52
_PLACES: Final = 14
#: The greatest distance to an opening that is told apart; beyond it is only "more".
FAR: Final = 4
_FAR: Final = 4


def zeros(number: int) -> list[int]:
    """A list of so many zeros, which fills an array of a compiled object."""
    return [0] * number


class Partition(NamedTuple):
    """A way to lay a hand: the melds, what the cards left in the hand count, and what is laid."""

    melds: tuple[Meld, ...]
    deadwood: int
    cards: int
    points: int


class Distance(NamedTuple):
    """How far a hand is from an opening.

    ``cards``: the fewest natural cards that would have to come so that the hand holds an opening, each chosen freely
    (not a card held twice already); :data:`FAR` where it is four or more. ``points``: what the dearest single meld of
    the hand (option ``opening`` ``single``), or all melds that can be laid together (``total``), lack of the points to
    open.
    """

    cards: int
    points: int


class MeldFinder:
    """Finds melds for one set of options. Not for several threads at once."""

    def __init__(self, rules: KalukiRules) -> None:
        """A finder for the options of ``rules``."""
        words = rules.turn.melds
        self.distinct = 0 if words.set_duplicates else 1
        self.majority = 1 if words.naturals_majority else 0
        self.apart = 0 if words.adjacent_jokers else 1
        self.run_max = words.run_max
        self.single = 1 if rules.opening == "single" else 0
        self.points_to_open = rules.opening_points
        self.joker_value = rules.joker_in_hand
        self.rank_value = list(words.set_values)
        self.place_sum = list(words.run_sums)
        # The hand that is looked at, and for what.
        self.one = 0
        self.two = 0
        self.jokers = 0
        self.coming = 0
        self.goal = _DEADWOOD
        self.need = 0
        self.must = -1
        #: 1: list every meld; 0: only those that the search needs.
        self.every = 0
        # The melds, by number.
        self.count = 0
        self.overflow = 0
        self.suit = zeros(_MELDS)
        self.low = zeros(_MELDS)
        self.size = zeros(_MELDS)
        self.wild = zeros(_MELDS)
        self.mask = zeros(_MELDS)
        self.twice = zeros(_MELDS)
        self.used = zeros(_MELDS)
        self.asked = zeros(_MELDS)
        self.worth = zeros(_MELDS)
        self.gain = zeros(_MELDS)
        self.has = zeros(_MELDS)
        self.next = zeros(_MELDS)
        #: By first natural card the first meld, and the first of those that only serve to open.
        self.head = zeros(53)
        self.opener = zeros(53)
        # The memory of the search.
        self.mark = 0
        self.shift = _SHIFT_MANY
        self.nodes = 0
        self.slot_mark = zeros(_SLOTS)
        self.slot_one = zeros(_SLOTS)
        self.slot_two = zeros(_SLOTS)
        self.slot_value = zeros(_SLOTS)
        self.slot_choice = zeros(_SLOTS)
        # What was found.
        self.number = 0
        self.chosen = zeros(40)
        self.laid_cards = 0
        self.laid_points = 0
        self.deadwood = 0
        self.rest_one = 0
        self.rest_two = 0
        self.rest_jokers = 0

    # -- listing ------------------------------------------------------------------

    def list_melds(self, one: int, two: int, jokers: int, coming: int, every: int) -> None:
        """List the melds of a hand; ``every`` 1: all, each once; 0: those that the search needs."""
        self.one = one
        self.two = two
        self.jokers = jokers
        self.coming = coming
        self.every = every
        self.count = 0
        self.overflow = 0
        card = 0
        while card < 53:
            self.head[card] = -1
            self.opener[card] = -1
            card += 1
        free = jokers + coming
        rank = 0
        while rank < 13:
            column = one >> rank & _COLUMN
            if column or coming:
                total = bits.popcount(column) + bits.popcount(two >> rank & _COLUMN)
                if total + free >= 3:
                    self.list_sets(rank, total)
            rank += 1
        suit = 0
        while suit < 4:
            held = one >> (13 * suit) & _SUIT
            if held or coming:
                places = held << 1 | held >> 12
                if free == 0:
                    starts = places & places >> 1 & places >> 2
                    while starts:
                        low = bits.lowest(starts)
                        starts &= starts - 1
                        self.extend(suit, low, low, 0, 0, 0, 0, 0)
                elif bits.popcount(places) + free >= 3:
                    low = 0
                    while low < _PLACES - 2:
                        # Three places with too many gaps cannot begin a run.
                        if 3 - bits.popcount(places >> low & 7) <= free:
                            self.extend(suit, low, low, 0, 0, 0, 0, 0)
                        low += 1
            suit += 1
        # What was remembered is of another hand.
        self.mark += 1
        self.shift = _SHIFT_FEW if self.count <= _FEW else _SHIFT_SOME if self.count <= _SOME else _SHIFT_MANY

    def list_sets(self, rank: int, total: int) -> None:
        """List the sets of a rank of which ``total`` natural cards are held."""
        one = self.one >> rank & _COLUMN
        two = self.two >> rank & _COLUMN
        if self.distinct:
            two = 0
        most_a = (one & 1) + (two & 1)
        most_b = (one >> 13 & 1) + (two >> 13 & 1)
        most_c = (one >> 26 & 1) + (two >> 26 & 1)
        most_d = (one >> 39 & 1) + (two >> 39 & 1)
        most = most_a + most_b + most_c + most_d
        free = self.jokers + self.coming
        value = self.rank_value[rank]
        a = 0
        while a <= most_a:
            b = 0
            while b <= most_b:
                c = 0
                while c <= most_c:
                    d = 0
                    while d <= most_d:
                        number = a + b + c + d
                        if number + free >= 3 and number <= most:
                            mask = twice = 0
                            if a:
                                mask |= _ONE << rank
                                if a > 1:
                                    twice |= _ONE << rank
                            if b:
                                mask |= _ONE << (rank + 13)
                                if b > 1:
                                    twice |= _ONE << (rank + 13)
                            if c:
                                mask |= _ONE << (rank + 26)
                                if c > 1:
                                    twice |= _ONE << (rank + 26)
                            if d:
                                mask |= _ONE << (rank + 39)
                                if d > 1:
                                    twice |= _ONE << (rank + 39)
                            self.list_set(rank, number, mask, twice, total, value)
                        d += 1
                    c += 1
                b += 1
            a += 1

    def list_set(self, rank: int, number: int, mask: int, twice: int, total: int, value: int) -> None:
        """List the sets with these natural cards of a hand that holds ``total`` of the rank."""
        asked = 0
        while asked <= self.coming:
            naturals = number + asked
            if self.distinct:
                if naturals > 4:
                    break
            elif asked > 8 - total:
                break
            used = 0
            while used <= self.jokers and naturals > 0:
                size = naturals + used
                if self.distinct and size > 4:
                    break
                if self.majority and used >= naturals:
                    break
                if size >= 3:
                    points = size * value
                    only_opens = 0
                    wanted = 1
                    if not self.every and size >= 6 and naturals >= (used + 2 if self.majority else 2):
                        # Two sets of the same cards do as well, but for an opening.
                        only_opens = 1
                        wanted = 0
                        if self.single and self.need and points >= self.need:
                            shortest = (self.need + value - 1) // value
                            shortest = max(shortest, 3)
                            if self.must >= 0 or self.majority or size < shortest + 3:
                                wanted = 1
                    if wanted:
                        self.add(SET, rank, size, used, mask, twice, used, asked, points, number * value, only_opens)
                used += 1
            asked += 1

    def extend(self, suit: int, low: int, place: int, wild: int, mask: int, twice: int, used: int, asked: int) -> None:
        """List the runs from ``low`` on that go on with a card at ``place``; the places below are filled."""
        card = suit * 13 + (place + 12) % 13
        bit = _ONE << card
        if self.one & bit:
            if mask & bit == 0:
                self.reached(suit, low, place, wild, mask | bit, twice, used, asked)
            elif self.two & bit:
                # Both aces.
                self.reached(suit, low, place, wild, mask, twice | bit, used, asked)
        if used < self.jokers and not (self.apart and place > low and wild >> (place - 1) & 1):
            self.reached(suit, low, place, wild | _ONE << place, mask, twice, used + 1, asked)
        if asked < self.coming and self.two & bit == 0:
            self.reached(suit, low, place, wild, mask, twice, used, asked + 1)

    def reached(self, suit: int, low: int, place: int, wild: int, mask: int, twice: int, used: int, asked: int) -> None:
        """List the run up to ``place``, if it is one, and those that go on."""
        size = place - low + 1
        only_opens = 0
        if size >= 3 and used < size and (self.majority == 0 or 2 * used < size) and (low > 0 or size != 13):
            points = self.place_sum[place + 1] - self.place_sum[low]
            wanted = 1
            opens = 0
            if not self.every and size >= 6:
                opens = 1 if self.single and self.need and points >= self.need else 0
                split = self.splits(low, place, wild, 0)
                if split:
                    only_opens = 1
                    wanted = opens
                    if opens and self.must < 0 and self.splits(low, place, wild, self.need):
                        wanted = 0
                    if not self.majority and wanted == 0 and (opens or not self.single or self.need == 0):
                        # Whatever goes on from here can be split as well.
                        return
            if wanted:
                value = 0
                at = low
                while at <= place:
                    if not wild >> at & 1:
                        value += self.rank_value[(at + 12) % 13]
                    at += 1
                self.add(suit, low, size, wild, mask, twice, used, asked, points, value, only_opens)
        if place < _PLACES - 1 and size < self.run_max:
            self.extend(suit, low, place + 1, wild, mask, twice, used, asked)

    def splits(self, low: int, place: int, wild: int, points: int) -> int:
        """1 if a run is two melds, one of which is worth ``points`` at least."""
        naturals = ~wild
        at = low + 3
        while at + 2 <= place:
            first = naturals & ((_ONE << at) - (_ONE << low))
            second = naturals & ((_ONE << (place + 1)) - (_ONE << at))
            if (
                first
                and second
                and (
                    self.majority == 0
                    or (2 * bits.popcount(first) > at - low and 2 * bits.popcount(second) > place + 1 - at)
                )
                and (
                    points == 0
                    or self.place_sum[at] - self.place_sum[low] >= points
                    or self.place_sum[place + 1] - self.place_sum[at] >= points
                )
            ):
                return 1
            at += 1
        return 0

    def add(
        self,
        suit: int,
        low: int,
        size: int,
        wild: int,
        mask: int,
        twice: int,
        used: int,
        asked: int,
        points: int,
        value: int,
        only_opens: int,
    ) -> None:
        """List a meld. ``value``: what its natural cards count in a hand."""
        card = bits.lowest(mask) if mask else _NONE
        number = -1
        if not self.every and used + asked > 0:
            # Of melds with the same cards the dearest will do.
            number = self.opener[card] if only_opens else self.head[card]
            while number >= 0:
                if (
                    self.mask[number] == mask
                    and self.twice[number] == twice
                    and self.used[number] == used
                    and self.asked[number] == asked
                ):
                    if self.worth[number] >= points:
                        return
                    break
                number = self.next[number]
        if number < 0:
            number = self.count
            if number == _MELDS:
                self.overflow = 1
                return
            self.count = number + 1
            if only_opens:
                self.next[number] = self.opener[card]
                self.opener[card] = number
            else:
                self.next[number] = self.head[card]
                self.head[card] = number
        self.suit[number] = suit
        self.low[number] = low
        self.size[number] = size
        self.wild[number] = wild
        self.mask[number] = mask
        self.twice[number] = twice
        self.used[number] = used
        self.asked[number] = asked
        self.worth[number] = points
        if self.must == _NONE:
            self.has[number] = 1 if used else 0
        elif self.must >= 0:
            self.has[number] = 1 if mask >> self.must & 1 else 0
        else:
            self.has[number] = 0
        if self.goal == _DEADWOOD:
            self.gain[number] = 32 * (value + used * self.joker_value) + size
        elif self.goal == _CARDS:
            self.gain[number] = 1024 * size + value + used * self.joker_value
        elif self.goal == _POINTS:
            self.gain[number] = 32 * points + size
        else:
            self.gain[number] = -asked

    # -- searching ----------------------------------------------------------------

    def best(self, one: int, two: int, jokers: int, coming: int, flags: int) -> int:
        """The most that can be gained with the cards left; ``flags``: points needed, a card needed, one to keep."""
        while True:
            card = bits.lowest(one) if one else _NONE
            if self.head[card] >= 0 or (self.opener[card] >= 0 and flags & _NEED):
                break
            if not one:
                return self.end(jokers, flags)
            bit = _ONE << card
            if two & bit:
                two ^= bit
            else:
                one ^= bit
            flags &= _NEED | _MUST
        key_one = one | jokers * _JOKER_KEY
        key_two = two | flags * _FLAG_KEY | coming * _COMING_KEY
        slot = ((key_one * _SPREAD_ONE ^ key_two * _SPREAD_TWO) & _WORD) >> self.shift
        if self.slot_mark[slot] == self.mark and self.slot_one[slot] == key_one and self.slot_two[slot] == key_two:
            return self.slot_value[slot]
        self.nodes += 1
        choice = -1
        if card == _NONE:
            value = self.end(jokers, flags)
        else:
            bit = _ONE << card
            if two & bit:
                value = self.best(one, two ^ bit, jokers, coming, flags & (_NEED | _MUST))
            else:
                value = self.best(one ^ bit, two, jokers, coming, flags & (_NEED | _MUST))
        need = flags & _NEED
        only = 0
        while only < 2:
            number = self.opener[card] if only else self.head[card]
            while number >= 0:
                mask = self.mask[number]
                twice = self.twice[number]
                if (
                    mask & ~one == 0
                    and twice & ~two == 0
                    and self.used[number] <= jokers
                    and self.asked[number] <= coming
                ):
                    after = flags
                    if self.single and need:
                        if self.worth[number] >= need and (self.has[number] or not flags & _MUST):
                            after = flags & _KEEP
                    else:
                        if self.has[number]:
                            after &= _NEED | _KEEP
                        if need:
                            if self.worth[number] >= need:
                                after &= _MUST | _KEEP
                            else:
                                after -= self.worth[number]
                    found = self.best(
                        one & ~(mask & ~two | twice),
                        two & ~mask,
                        jokers - self.used[number],
                        coming - self.asked[number],
                        after,
                    )
                    if found > _NEVER and found + self.gain[number] > value:
                        value = found + self.gain[number]
                        choice = number
                number = self.next[number]
            only = only + 1 if need else 2
        self.slot_mark[slot] = self.mark
        self.slot_one[slot] = key_one
        self.slot_two[slot] = key_two
        self.slot_value[slot] = value
        self.slot_choice[slot] = choice
        return value

    def end(self, jokers: int, flags: int) -> int:
        """What it counts that no natural card is left: nothing, or the way does not do."""
        if flags & (_NEED | _MUST) or (flags & _KEEP and jokers == 0):
            return _NEVER
        return 0

    def walk(self, coming: int, flags: int) -> None:
        """Follow the best way and write down its melds."""
        one = self.one
        two = self.two
        jokers = self.jokers
        left_one = one
        left_two = two
        self.number = 0
        self.laid_cards = 0
        self.laid_points = 0
        while True:
            card = bits.lowest(one) if one else _NONE
            choice = -1
            if self.head[card] >= 0 or (self.opener[card] >= 0 and flags & _NEED):
                # Asked again, in case it was forgotten.
                self.best(one, two, jokers, coming, flags)
                key_one = one | jokers * _JOKER_KEY
                key_two = two | flags * _FLAG_KEY | coming * _COMING_KEY
                slot = ((key_one * _SPREAD_ONE ^ key_two * _SPREAD_TWO) & _WORD) >> self.shift
                choice = self.slot_choice[slot]
            if choice < 0:
                if not one:
                    break
                bit = _ONE << card
                if two & bit:
                    two ^= bit
                else:
                    one ^= bit
                flags &= _NEED | _MUST
                continue
            mask = self.mask[choice]
            twice = self.twice[choice]
            need = flags & _NEED
            if self.single and need:
                if self.worth[choice] >= need and (self.has[choice] or not flags & _MUST):
                    flags &= _KEEP
            else:
                if self.has[choice]:
                    flags &= _NEED | _KEEP
                if need:
                    if self.worth[choice] >= need:
                        flags &= _MUST | _KEEP
                    else:
                        flags -= self.worth[choice]
            one &= ~(mask & ~two | twice)
            two &= ~mask
            left_one &= ~(mask & ~left_two | twice)
            left_two &= ~mask
            jokers -= self.used[choice]
            coming -= self.asked[choice]
            self.chosen[self.number] = choice
            self.number += 1
            self.laid_cards += self.size[choice]
            self.laid_points += self.worth[choice]
        self.rest_one = left_one
        self.rest_two = left_two
        self.rest_jokers = jokers
        self.deadwood = self.hand_value(left_one, left_two, jokers)

    def hand_value(self, one: int, two: int, jokers: int) -> int:
        """What cards left in a hand count."""
        total = jokers * self.joker_value
        rank = 0
        while rank < 13:
            total += self.rank_value[rank] * (
                bits.popcount(one >> rank & _COLUMN) + bits.popcount(two >> rank & _COLUMN)
            )
            rank += 1
        return total

    def solve(self, one: int, two: int, jokers: int, goal: int, need: int, must: int, keep: int) -> int:
        """Find the best way to lay a hand; 1 if there is one, which is then in ``chosen``.

        ``need``: points that have to be laid (one meld alone where the opening is a single meld), or 0. ``must``: a
        card that has to be in the melds (in the one that opens), or -1. ``keep``: 1 if a card has to stay in the hand.
        """
        self.goal = goal
        self.need = need
        self.must = must
        self.list_melds(one, two, jokers, 0, 0)
        flags = need
        if must >= 0:
            flags |= _MUST
        if keep:
            flags |= _KEEP
        if self.best(one, two, jokers, 0, flags) <= _NEVER:
            self.number = 0
            return 0
        self.walk(0, flags)
        return 1

    def missing_cards(self, one: int, two: int, jokers: int) -> int:
        """The fewest cards that have to come so that the hand opens, as in :class:`Distance`."""
        if self.single:
            return self.missing_for_single(one, jokers, two)
        self.goal = _COMING
        self.need = self.points_to_open
        self.must = -1
        coming = 0
        while coming < _FAR:
            self.list_melds(one, two, jokers, coming, 0)
            if self.best(one, two, jokers, coming, self.need) > _NEVER:
                return coming
            coming += 1
        return _FAR

    def missing_for_single(self, one: int, jokers: int, two: int) -> int:
        """The fewest cards that a single meld lacks that opens."""
        fewest = _FAR
        suit = 0
        while suit < 4:
            held = one >> (13 * suit) & _SUIT
            low = 0
            while low < _PLACES - 2:
                gaps = 0
                # Jokers that can lie in the gaps, and whether the last place is filled by one.
                used = 0
                last = 0
                place = low
                while place < _PLACES and place - low < self.run_max:
                    rank = (place + 12) % 13
                    filled = held >> rank & 1
                    if place == 13 and low == 0 and filled:
                        filled = two >> (13 * suit + 12) & 1
                    if filled:
                        last = 0
                    else:
                        gaps += 1
                        if self.apart and last:
                            last = 0
                        else:
                            used += 1
                            last = 1
                    size = place - low + 1
                    if (
                        size >= 3
                        and (low > 0 or size != 13)
                        and self.place_sum[place + 1] - self.place_sum[low] >= self.points_to_open
                    ):
                        most = used if used < jokers else jokers
                        limit = (size - 1) // 2 if self.majority else size - 1
                        most = min(most, limit)
                        fewest = min(fewest, gaps - most)
                    place += 1
                low += 1
            suit += 1
        rank = 0
        while rank < 13:
            column = one >> rank & _COLUMN
            naturals = bits.popcount(column)
            if not self.distinct:
                naturals += bits.popcount(two >> rank & _COLUMN)
            value = self.rank_value[rank]
            size = (self.points_to_open + value - 1) // value
            size = max(size, 3)
            if size <= (4 if self.distinct else 12):
                wanted = size // 2 + 1 if self.majority else 1
                wanted = max(wanted, size - jokers)
                if wanted <= (4 if self.distinct else 8):
                    wanted = max(wanted, naturals)
                    fewest = min(fewest, wanted - naturals)
            rank += 1
        return fewest

    # -- for people ---------------------------------------------------------------

    def meld(self, number: int) -> Meld:
        """A meld that was listed."""
        suit, low, size, wild = self.suit[number], self.low[number], self.size[number], self.wild[number]
        if suit == SET:
            cards: list[Card] = []
            for card in range(low, 52, 13):
                if self.mask[number] >> card & 1:
                    cards += [card] * (1 + (self.twice[number] >> card & 1))
            return Meld(SET, low, (*cards, *[JOKER] * self.used[number]))
        row = RUN_CARD[suit]
        run = tuple([JOKER if wild >> place & 1 else row[place] for place in range(low, low + size)])
        return Meld(suit, low, run)

    def options(self, one: int, two: int, jokers: int) -> list[Meld]:
        """Every meld that a hand can lay, ascending; as :func:`meja.games.melds.all_melds`."""
        self.goal = _DEADWOOD
        self.need = 0
        self.must = -1
        self.list_melds(one, two, jokers, 0, 1)
        if self.overflow:
            raise OverflowError(_MELDS)
        return sorted([self.meld(number) for number in range(self.count)])

    def partition(
        self, one: int, two: int, jokers: int, goal: int = DEADWOOD, need: int = 0, must: int = -1, keep: int = 0
    ) -> Partition | None:
        """The best way to lay a hand, as :meth:`solve` finds it; ``None`` if none does."""
        if not self.solve(one, two, jokers, goal, need, must, keep):
            return None
        melds = [self.meld(self.chosen[index]) for index in range(self.number)]
        return Partition(tuple(sorted(melds)), self.deadwood, self.laid_cards, self.laid_points)

    def opening(self, one: int, two: int, jokers: int, must: int = -1, keep: int = 0) -> Partition | None:
        """The way to open that leaves least in the hand, with what can be laid besides; ``None`` if there is none.

        ``must``: a card of the hand that has to be laid in the opening.
        """
        return self.partition(one, two, jokers, _DEADWOOD, self.points_to_open, must, keep)

    def distance(self, one: int, two: int, jokers: int) -> Distance:
        """How far the hand is from opening."""
        cards = self.missing_cards(one, two, jokers)
        if self.single:
            points = max((meld_points for meld_points in self._worths(one, two, jokers)), default=0)
        else:
            self.solve(one, two, jokers, _POINTS, 0, -1, 0)
            points = self.laid_points
        return Distance(cards, max(0, self.points_to_open - points))

    def _worths(self, one: int, two: int, jokers: int) -> list[int]:
        self.options(one, two, jokers)
        return [self.worth[number] for number in range(self.count)]


_JOKER_KEY: Final = 1 << 52
_FLAG_KEY: Final = 1 << 52
_COMING_KEY: Final = 1 << 60


def random_hand(finder: MeldFinder, dice: Dice, cards: int) -> None:
    """Draw a random hand from the pack into ``one``, ``two`` and ``jokers`` of a finder."""
    one = two = 0
    jokers = 0
    number = 0
    while number < cards:
        card = dice.below(108)
        if card >= 104:
            # Which of the jokers does not matter, only how many are left.
            if card - 104 < jokers:
                continue
            jokers += 1
        else:
            bit = _ONE << (card >> 1)
            if two & bit:
                continue
            if one & bit:
                # Either copy may be the one that is held.
                if card & 1:
                    continue
                two |= bit
            else:
                one |= bit
        number += 1
    finder.one = one
    finder.two = two
    finder.jokers = jokers


def solve_hands(finder: MeldFinder, dice: Dice, count: int, cards: int, goal: int) -> int:
    """Lay ``count`` random hands as well as possible; what is left and laid of all of them, added up."""
    with cython.nogil:
        return sum_of_hands(finder, dice, count, cards, goal)


def sum_of_hands(finder: MeldFinder, dice: Dice, count: int, cards: int, goal: int) -> int:
    """:func:`solve_hands`, inside the kernel."""
    total = 0
    while count > 0:
        random_hand(finder, dice, cards)
        finder.solve(finder.one, finder.two, finder.jokers, goal, 0, -1, 0)
        total += finder.deadwood + finder.laid_points
        count -= 1
    return total


def solve_again(finder: MeldFinder, one: int, two: int, jokers: int, goal: int, times: int) -> int:
    """Lay the same hand several times, to measure how long it takes; what is left in it."""
    while times > 0:
        finder.solve(one, two, jokers, goal, 0, -1, 0)
        times -= 1
    return finder.deadwood
