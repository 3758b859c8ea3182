"""Bassadewitz solved for the last tricks, all cards known: by real scores, with sweep, hundred, places and ties.

Two ways to think of the others. *Everybody for himself* (max^n): each seat takes what is best for its own score;
between equals what is worse for the others together, then what is worse for the next seat, and so on round the table,
so that the answer does not hang on the order of search. *Against the hero* (paranoid): all others want the hero's score
bad; that bounds what the hero can be sure of.

A utility is a score with its sign such that more is better. Cards are held as masks of 32 bits, eight a suit in order
of strength. A node is a lead.
"""

from __future__ import annotations

from array import array
from typing import Any, Final

import meja.search.bits as bits
from meja.errors import MejaError
from meja.messages import msg
from meja.search.tricks import Tricks, position

try:
    import cython
except ImportError:
    from meja.search import uncompiled as cython

#: What the kernel says when it was cut short.
_UNKNOWN: Final = -99

_KIND: Final = 0
_SEATS: Final = 5
_SUIT: Final = 255
_WORD: Final = 0xFFFFFFFFFFFFFFFF
_GOLDEN: Final = 0x9E3779B97F4A7C15
_FIRST: Final = 0xBF58476D1CE4E5B9
_SECOND: Final = 0x94D049BB133111EB
_NOTHING: Final = 0
_NO_CARD: Final = 63
_HUNDRED: Final = 100
#: Marks a key in which what was taken stands as it is.
_ABSOLUTE: Final = 1 << 50
#: Utilities are kept with this added, six bits each.
_OFFSET: Final = 32
#: More than any utility.
_MOST: Final = 31
#: Where the moves of a depth start in the list, and those of a place in the trick.
_DEPTH: Final = 96
_PLACE: Final = 16
_ROOT: Final = 11 * _DEPTH

_BIT: Final = [1 << card for card in range(64)]
_SUIT_OF: Final = [card // 8 for card in range(32)]
_SUIT_MASK: Final = [_SUIT << 8 * suit for suit in range(4)]
_RANK: Final = [card % 8 for card in range(32)]


class BassadewitzSolver:
    """A position inside the play of Bassadewitz, and tables of what the search has found.

    One solver serves many positions, one after another, in one thread. ``nodes`` counts the leads searched since the
    position was loaded. With ``limit`` nodes (0: any number), or ``stopped`` set by another thread, a search ends
    without an answer. A deal that would be void counts as its score says: nothing for anybody.
    """

    def __init__(self, table_bits: int = 16) -> None:
        """A solver with ``2 ** table_bits`` places for leads."""
        if not 2 <= table_bits <= 26:
            raise MejaError(msg("table_bits must be from 2 to 26, not {found}", found=table_bits))
        self.slots = (1 << table_bits) - 1
        self.keys = array("Q", bytes(8 << table_bits))
        self.data = array("Q", bytes(8 << table_bits))
        self.form = [0] * 1024
        self.moves = [0] * 1152
        self.hands = [0] * 5
        self.taken = [0] * 5
        self.tricks = [0] * 5
        self.after = [0] * 5
        self.worth = [0] * 32
        self.card_of = [0] * 32
        self.code_of = [0] * 52
        self.swept = [0] * 5
        self.hundred = [0] * 5
        self.place = [0] * 5
        self.end = Tricks()
        self.sorted = [0] * 5
        self.level = [0] * 5
        self.gained = 0
        self.age = 0
        self.nodes = 0
        self.limit = 0
        self.cut = 0
        self.stopped = 0
        self.seats = 4
        self.sign = -1
        self.each_trick = 0
        self.hero = 0
        self.turn = -1
        self.rest = 0
        self.depth = 0
        self.in_trick = 0
        self.suit = 0
        self.best = 0
        self.winner = 0
        self.pile = 0
        self.pool = 0
        self.count = -1
        self.choice = _NO_CARD
        self.ceiling = 0

    # -- a position ---------------------------------------------------------------

    def load(self, game: Tricks, hero: int) -> None:
        """Take a position of Bassadewitz in play; ``hero`` is the seat against which all play, or -1 for nobody."""
        self.end.copy(game)
        self.seats = game.seats
        self.sign = 1 if game.pool else -1
        self.each_trick = game.each_trick
        self.hero = hero
        self.turn = game.turn
        self.in_trick = game.in_trick
        self.winner = game.winner
        self.nodes = 0
        self.cut = 0
        self.count = -1
        self.choice = _NO_CARD
        self.age += 1
        for card in range(52):
            rank = game.power[card] - 1
            if 0 <= rank < 8:
                code = card // 13 * 8 + rank
                self.code_of[card] = code
                self.card_of[code] = card
                self.worth[code] = game.worth[card]
        self.rest = 0
        for seat in range(self.seats):
            self.hands[seat] = self.packed(game.hands[seat])
            self.taken[seat] = game.taken[seat]
            self.tricks[seat] = game.tricks[seat]
            self.after[seat] = game.after[seat]
            self.rest += self.count_points(self.hands[seat])
        self.pile = self.packed(game.pile)
        self.pool = self.count_points(self.pile)
        self.suit = -1
        self.best = 0
        if game.in_trick > 0:
            self.best = self.code_of[game.best]
            self.suit = _SUIT_OF[self.best]
        self.depth = bits.popcount(game.hands[game.turn]) if game.turn >= 0 else 0
        for suit in range(4):
            self.number(suit)
        if hero >= 0:
            self.tabulate()

    def packed(self, mask: int) -> int:
        """Cards of the pack as a mask of 32 bits."""
        found = _NOTHING
        while mask:
            found |= _BIT[self.code_of[bits.lowest(mask)]]
            mask &= mask - 1
        return found

    def count_points(self, mask: int) -> int:
        """The card points of a mask."""
        points = 0
        while mask:
            points += self.worth[bits.lowest(mask)]
            mask &= mask - 1
        return points

    def number(self, suit: int) -> None:
        """Number what may be left of a suit, alike where it is alike: ranks that nobody holds do not count."""
        shift = 8 * suit
        union = _NOTHING
        for seat in range(self.seats):
            union |= self.hands[seat]
        full = (union >> shift) & _SUIT
        base = suit << 8
        form = self.form
        form[base] = _SECOND
        mask = (_NOTHING - full) & full
        while mask:
            card = shift + bits.lowest(mask)
            code = self.worth[card] << 3
            for seat in range(1, self.seats):
                if self.hands[seat] & _BIT[card]:
                    code |= seat
            number = (form[base + (mask & (mask - 1))] + (code + 1) * _GOLDEN) & _WORD
            number = (number ^ (number >> 30)) * _FIRST & _WORD
            form[base + mask] = number ^ (number >> 29)
            mask = (mask - full) & full

    def tabulate(self) -> None:
        """What the hero gets for each place, and when somebody sweeps or has the hundred: by the score itself."""
        hero = self.hero
        for seat in range(self.seats):
            for other in range(self.seats):
                self.end.taken[other] = 0
                self.end.tricks[other] = 0
            self.end.taken[seat] = _HUNDRED
            self.end.tricks[seat] = self.end.hand_size
            self.end.score()
            self.swept[seat] = self.sign * self.end.points[hero]
            self.end.tricks[seat] = self.end.hand_size - 1
            self.end.score()
            self.hundred[seat] = self.sign * self.end.points[hero]
        for place in range(self.seats):
            lower = place
            for other in range(self.seats):
                self.end.tricks[other] = 1
                self.end.taken[other] = 2
                if other != hero and lower > 0:
                    self.end.taken[other] = 0
                    lower -= 1
            self.end.taken[hero] = 1
            self.end.score()
            self.place[place] = self.sign * self.end.points[hero]

    # -- the end of a deal --------------------------------------------------------

    def finish(self) -> None:
        """Count the score of the deal as it has ended."""
        for seat in range(self.seats):
            self.end.taken[seat] = self.taken[seat]
            self.end.tricks[seat] = self.tricks[seat]
        self.end.score()

    def outcome(self) -> int:
        """Everybody's utility, six bits each, the first seat lowest."""
        self.finish()
        found = _NOTHING
        for seat in range(self.seats - 1, -1, -1):
            found = (found << 6) | (self.sign * self.end.points[seat] + _OFFSET)
        return found

    def liking(self, outcome: int, seat: int) -> int:
        """How much ``seat`` likes an outcome; different outcomes are never liked the same."""
        total = 0
        for other in range(self.seats):
            total += (outcome >> (6 * other)) & 63
        found = (((outcome >> (6 * seat)) & 63) << 9) | (511 - total)
        other = self.after[seat]
        while other != seat:
            found = (found << 6) | (63 - ((outcome >> (6 * other)) & 63))
            other = self.after[other]
        return found

    def least(self, rest: int) -> int:
        """The worst that can still happen to the hero; sets ``ceiling``, the best."""
        hero = self.hero
        mine = self.taken[hero]
        takers = 0
        first = 0
        last = self.seats - 1
        most = mine
        fewest = mine
        for seat in range(self.seats):
            points = self.taken[seat]
            if self.tricks[seat]:
                takers += 1
            most = max(most, points)
            fewest = min(fewest, points)
            if seat != hero:
                if points + rest < mine:
                    first += 1
                elif points > mine + rest:
                    last -= 1
        floor = self.place[last]
        ceiling = self.place[first]
        if fewest + rest >= most:
            # All may end equal, and the deal void.
            floor = min(floor, 0)
            ceiling = max(ceiling, 0)
        if most + rest >= _HUNDRED or takers < 2:
            for seat in range(self.seats):
                if self.taken[seat] + rest >= _HUNDRED:
                    floor = min(floor, self.hundred[seat])
                    ceiling = max(ceiling, self.hundred[seat])
                if takers == 0 or (takers == 1 and self.tricks[seat]):
                    floor = min(floor, self.swept[seat])
                    ceiling = max(ceiling, self.swept[seat])
        self.ceiling = ceiling
        return floor

    def key(self, seat: int, rest: int) -> int:
        """The key of a lead by ``seat``: the cards that are left, who has a trick, and what was taken.

        Where nobody can come to a hundred only the order that may still arise counts: a gap that the ``rest`` of the
        points cannot close is as good as any other such gap.
        """
        union = _NOTHING
        state = seat + 1
        most = 0
        size = self.seats
        sorted_seats = self.sorted
        for other in range(size):
            union |= self.hands[other]
            points = self.taken[other]
            most = max(most, points)
            index = other
            while index > 0 and self.taken[sorted_seats[index - 1]] > points:
                sorted_seats[index] = sorted_seats[index - 1]
                index -= 1
            sorted_seats[index] = other
        if most + rest < _HUNDRED:
            before = self.taken[sorted_seats[0]]
            level = 1
            for index in range(size):
                other = sorted_seats[index]
                points = self.taken[other]
                level += min(points - before, rest + 1)
                before = points
                self.level[other] = level
        else:
            for other in range(size):
                self.level[other] = self.taken[other]
        for other in range(size):
            state = (state << 9) | (self.level[other] << 1)
            if self.tricks[other]:
                state |= 1
        if most + rest >= _HUNDRED:
            state |= _ABSOLUTE
        form = self.form
        return (
            form[union & _SUIT]
            + form[256 + ((union >> 8) & _SUIT)]
            + form[512 + ((union >> 16) & _SUIT)]
            + form[768 + (union >> 24)]
            + state * _GOLDEN
        ) & _WORD

    def last(self, seat: int) -> int:
        """Play the last trick, to which everybody has one card; returns its winner, who has it now."""
        card = bits.lowest(self.hands[seat])
        suit = _SUIT_OF[card]
        best = card
        winner = seat
        pool = self.each_trick + self.worth[card]
        other = self.after[seat]
        while other != seat:
            card = bits.lowest(self.hands[other])
            pool += self.worth[card]
            if _SUIT_OF[card] == suit and card > best:
                best = card
                winner = other
            other = self.after[other]
        self.taken[winner] += pool
        self.tricks[winner] += 1
        self.gained = pool
        return winner

    def settled(self, rest: int) -> bool:
        """Whether the score of the deal is fixed, whoever takes the rest."""
        takers = 0
        for seat in range(self.seats):
            points = self.taken[seat]
            if points + rest >= _HUNDRED:
                return False
            if self.tricks[seat]:
                takers += 1
            for other in range(seat):
                gap = points - self.taken[other]
                if gap <= rest and -gap <= rest:
                    return False
        return takers > 1

    def tired(self) -> bool:
        """Count a node; whether the search has to end without an answer."""
        self.nodes += 1
        if self.stopped or (self.limit and self.nodes > self.limit):
            self.cut = 1
        return self.cut != 0

    # -- everybody for himself ----------------------------------------------------

    def lead_all(self, seat: int, rest: int, depth: int) -> int:
        """The outcome when ``seat`` leads and everybody plays for himself."""
        if depth == 0 or self.settled(rest):
            return self.outcome()
        if depth == 1:
            winner = self.last(seat)
            gained = self.gained
            found = self.outcome()
            self.taken[winner] -= gained
            self.tricks[winner] -= 1
            return found
        if self.tired():
            return _NOTHING
        key = self.key(seat, rest)
        slot = (key ^ (key >> 31)) & self.slots
        if self.keys[slot] == key and self.data[slot] >> 30 == self.age:
            return self.data[slot] & 0x3FFFFFFF
        base = depth * _DEPTH
        end = base + self.order(seat, base, -1, 0, 0, _NOTHING, _NO_CARD)
        found = _NOTHING
        liked = _NOTHING
        for index in range(base, end):
            value = self.put_all(seat, self.moves[index] & 63, self.seats, -1, 0, 0, _NOTHING, 0, rest, depth)
            if self.cut:
                return _NOTHING
            like = self.liking(value, seat)
            if like > liked:
                liked = like
                found = value
        self.keys[slot] = key
        self.data[slot] = (self.age << 30) | found
        return found

    def put_all(
        self,
        seat: int,
        card: int,
        left: int,
        suit: int,
        best: int,
        winner: int,
        pile: int,
        pool: int,
        rest: int,
        depth: int,
    ) -> int:
        """The outcome when ``seat``, one of ``left`` who still play to the trick, plays ``card``."""
        bit = _BIT[card]
        if suit < 0:
            suit = _SUIT_OF[card]
            best = card
            winner = seat
        elif _SUIT_OF[card] == suit and card > best:
            best = card
            winner = seat
        pool += self.worth[card]
        rest -= self.worth[card]
        self.hands[seat] ^= bit
        if left > 1:
            value = self.answer_all(self.after[seat], left - 1, suit, best, winner, pile | bit, pool, rest, depth)
        else:
            pool += self.each_trick
            self.taken[winner] += pool
            self.tricks[winner] += 1
            value = self.lead_all(winner, rest - self.each_trick, depth - 1)
            self.taken[winner] -= pool
            self.tricks[winner] -= 1
        self.hands[seat] ^= bit
        return value

    def answer_all(
        self, seat: int, left: int, suit: int, best: int, winner: int, pile: int, pool: int, rest: int, depth: int
    ) -> int:
        """The outcome when ``seat`` plays to a trick that ``winner`` holds with the card ``best``."""
        base = depth * _DEPTH + left * _PLACE
        end = base + self.order(seat, base, suit, best, winner, pile, _NO_CARD)
        found = _NOTHING
        liked = _NOTHING
        for index in range(base, end):
            value = self.put_all(seat, self.moves[index] & 63, left, suit, best, winner, pile, pool, rest, depth)
            if self.cut:
                return _NOTHING
            if base + 1 == end:
                return value
            like = self.liking(value, seat)
            if like > liked:
                liked = like
                found = value
        return found

    # -- against the hero ---------------------------------------------------------

    def lead(self, seat: int, rest: int, need: int, depth: int) -> int:
        """The hero's utility when ``seat`` leads; right up to which side of ``need`` it is, and a bound beyond."""
        if depth == 0:
            self.finish()
            return self.sign * self.end.points[self.hero]
        lower = self.least(rest + depth * self.each_trick)
        upper = self.ceiling
        if lower >= need:
            return lower
        if upper < need:
            return upper
        if depth == 1:
            winner = self.last(seat)
            gained = self.gained
            self.finish()
            self.taken[winner] -= gained
            self.tricks[winner] -= 1
            return self.sign * self.end.points[self.hero]
        if self.tired():
            return 0
        key = self.key(seat, rest + depth * self.each_trick)
        slot = (key ^ (key >> 31)) & self.slots
        known = _NO_CARD
        entry = self.data[slot]
        if self.keys[slot] == key and entry >> 24 == self.age:
            known = entry & 63
            # In two steps: words without a sign must not be compared with bounds that have one.
            value = (entry >> 8) & 63
            lower = max(lower, value - _OFFSET)
            value = (entry >> 16) & 63
            upper = min(upper, value - _OFFSET)
            if lower >= need:
                return lower
            if upper < need:
                return upper
        base = depth * _DEPTH
        end = base + self.order(seat, base, -1, 0, 0, _NOTHING, known)
        mine = seat == self.hero
        found = -_MOST if mine else _MOST
        choice = _NO_CARD
        for index in range(base, end):
            card = self.moves[index] & 63
            value = self.put(seat, card, self.seats, -1, 0, 0, _NOTHING, 0, rest, need, depth)
            if self.cut:
                return 0
            if value > found if mine else value < found:
                found = value
                choice = card
                if (value >= need) == mine:
                    break
        if found >= need:
            lower = max(lower, found)
        else:
            upper = min(upper, found)
        self.keys[slot] = key
        self.data[slot] = (self.age << 24) | ((upper + _OFFSET) << 16) | ((lower + _OFFSET) << 8) | choice
        return found

    def put(
        self,
        seat: int,
        card: int,
        left: int,
        suit: int,
        best: int,
        winner: int,
        pile: int,
        pool: int,
        rest: int,
        need: int,
        depth: int,
    ) -> int:
        """The hero's utility when ``seat``, one of ``left`` who still play to the trick, plays ``card``."""
        bit = _BIT[card]
        if suit < 0:
            suit = _SUIT_OF[card]
            best = card
            winner = seat
        elif _SUIT_OF[card] == suit and card > best:
            best = card
            winner = seat
        worth = self.worth[card]
        pool += worth
        rest -= worth
        self.hands[seat] ^= bit
        if left > 1:
            value = self.answer(self.after[seat], left - 1, suit, best, winner, pile | bit, pool, rest, need, depth)
        else:
            pool += self.each_trick
            self.taken[winner] += pool
            self.tricks[winner] += 1
            value = self.lead(winner, rest, need, depth - 1)
            self.taken[winner] -= pool
            self.tricks[winner] -= 1
        self.hands[seat] ^= bit
        return value

    def answer(
        self,
        seat: int,
        left: int,
        suit: int,
        best: int,
        winner: int,
        pile: int,
        pool: int,
        rest: int,
        need: int,
        depth: int,
    ) -> int:
        """The hero's utility when ``seat`` plays to a trick that ``winner`` holds with the card ``best``."""
        base = depth * _DEPTH + left * _PLACE
        end = base + self.order(seat, base, suit, best, winner, pile, _NO_CARD)
        mine = seat == self.hero
        found = -_MOST if mine else _MOST
        for index in range(base, end):
            value = self.put(seat, self.moves[index] & 63, left, suit, best, winner, pile, pool, rest, need, depth)
            if self.cut:
                return 0
            if value > found if mine else value < found:
                found = value
                if (value >= need) == mine:
                    break
        return found

    def order(self, seat: int, base: int, suit: int, best: int, winner: int, pile: int, known: int) -> int:
        """Write the different cards that ``seat`` may play into the list, the best first; returns how many.

        For a lead ``suit`` is -1, and ``known`` is a card that was good before.
        """
        hand = self.hands[seat]
        union = pile
        for other in range(self.seats):
            union |= self.hands[other]
        mask = hand
        if suit >= 0 and hand & _SUIT_MASK[suit]:
            mask = hand & _SUIT_MASK[suit]
        # In max^n nobody is the hero, and the order does not matter.
        mine = seat == self.hero
        feeding = winner == self.hero
        count = 0
        while mask:
            card = bits.lowest(mask)
            bit = _BIT[card]
            mask ^= bit
            own = _SUIT_OF[card]
            worth = self.worth[card]
            above = union & _SUIT_MASK[own] & ~(bit | (bit - 1))
            twin = above & (_NOTHING - above)
            if twin & hand and worth == self.worth[bits.lowest(twin)]:
                # The next higher card that is left does the same.
                continue
            if suit < 0:
                weight = 100 - 4 * _RANK[card]
                if mine:
                    weight -= 2 * worth
                if card == known:
                    weight = 900
            elif own == suit and card > best:
                weight = 100 - worth
                if not mine and feeding:
                    weight -= 60
                else:
                    weight += _RANK[card]
            elif mine or feeding:
                weight = 200 + 4 * worth + _RANK[card]
            else:
                weight = 150 - 4 * worth
            entry = ((weight + 400) << 6) | card
            index = base + count
            while index > base and self.moves[index - 1] < entry:
                self.moves[index] = self.moves[index - 1]
                index -= 1
            self.moves[index] = entry
            count += 1
        return count

    # -- questions ----------------------------------------------------------------

    def listed(self) -> int:
        """How many different cards the seat to act has; they stand in the list from ``_ROOT`` on."""
        if self.count < 0:
            self.count = self.order(self.turn, _ROOT, self.suit, self.best, self.winner, self.pile, _NO_CARD)
        return self.count

    def try_card(self, code: int, need: int) -> int:
        """The hero's utility with a card of the seat to act, right up to which side of ``need`` it is."""
        left = self.seats - self.in_trick
        return self.put(
            self.turn, code, left, self.suit, self.best, self.winner, self.pile, self.pool, self.rest, need, self.depth
        )

    def ask(self, code: int, need: int) -> int:
        """The hero's utility: at least ``need`` if that can be reached, else less; -99 when cut short.

        With ``code`` (-1: none) it is about that card of the seat to act.
        """
        self.cut = 0
        if self.turn < 0:
            return self.lead(0, 0, need, 0)
        if code >= 0:
            value = self.try_card(code, need)
            return _UNKNOWN if self.cut else value
        mine = self.turn == self.hero
        found = -_MOST if mine else _MOST
        for index in range(_ROOT, _ROOT + self.listed()):
            entry = self.moves[index]
            value = self.try_card(entry & 63, need)
            if self.cut:
                return _UNKNOWN
            if value > found if mine else value < found:
                found = value
                self.choice = self.card_of[entry & 63]
                if (value >= need) == mine:
                    # What was good for this question is tried first for the next one.
                    while index > _ROOT:
                        self.moves[index] = self.moves[index - 1]
                        index -= 1
                    self.moves[_ROOT] = entry
                    break
        return found

    def find(self, code: int, guess: int) -> int:
        """The hero's utility, or that of a card of the seat to act; -99 when cut short."""
        lower = -_MOST
        upper = _MOST
        while lower < upper:
            value = self.ask(code, guess)
            if value == _UNKNOWN:
                return _UNKNOWN
            if value >= guess:
                lower = value
                guess = value + 1
            else:
                upper = value
                guess = value
        return lower

    def find_all(self, code: int) -> int:
        """The outcome with everybody for himself, or with a card of the seat to act; see ``cut``."""
        self.cut = 0
        if self.turn < 0:
            return self.outcome()
        left = self.seats - self.in_trick
        rest = self.rest + self.depth * self.each_trick
        if code >= 0:
            return self.put_all(
                self.turn, code, left, self.suit, self.best, self.winner, self.pile, self.pool, rest, self.depth
            )
        found = _NOTHING
        liked = _NOTHING
        for index in range(_ROOT, _ROOT + self.listed()):
            code = self.moves[index] & 63
            value = self.put_all(
                self.turn, code, left, self.suit, self.best, self.winner, self.pile, self.pool, rest, self.depth
            )
            if self.cut:
                return _NOTHING
            like = self.liking(value, self.turn)
            if like > liked:
                liked = like
                found = value
                self.choice = self.card_of[code]
        return found

    def alone(self, code: int, need: int, close: bool) -> int:
        """:meth:`find` (``close``) or :meth:`ask` while other threads may run Python."""
        with cython.nogil:
            if close:
                found = self.find(code, need)
            else:
                found = self.ask(code, need)
        return found

    def alone_all(self, code: int) -> int:
        """:meth:`find_all` while other threads may run Python."""
        with cython.nogil:
            found = self.find_all(code)
        return found

    # -- from outside -------------------------------------------------------------

    @classmethod
    def from_deal(cls, deal: Any, hero: int | None = None, table_bits: int = 16) -> BassadewitzSolver:
        """A solver for a deal in play of which all cards are known; without ``hero`` everybody is for himself."""
        solver = cls(table_bits)
        solver.take(position(deal), hero)
        return solver

    def take(self, game: Tricks, hero: int | None = None) -> None:
        """:meth:`load`, with checks; without ``hero`` everybody plays for himself."""
        if game.kind != _KIND:
            raise MejaError(msg("this is not a position of {game}", game="bassadewitz"))
        if hero is not None and not 0 <= hero < game.seats:
            raise MejaError(msg("there is no seat {seat}", seat=hero))
        self.load(game, -1 if hero is None else hero)

    def value(self, card: int | None = None) -> int | None:
        """The score that the hero can be sure of; ``None`` when the search was cut short.

        With ``card`` it is asked about that card of the seat to act.
        """
        self._check_hero(True)
        found = self.alone(self._code(card), 0, True)
        return None if found == _UNKNOWN else self.sign * found

    def values(self) -> dict[int, int] | None:
        """The hero's score for every card that the seat to act may play; ``None`` when the search was cut short."""
        self._check_hero(True)
        found: dict[int, int] = {}
        for card in self.playable():
            value = self.value(card)
            if value is None:
                return None
            found[card] = value
        return found

    def reaches(self, score: int, card: int | None = None) -> bool | None:
        """Whether the hero can be sure of ``score`` or better; ``None`` when the search was cut short.

        With ``card`` it is asked about that card of the seat to act.
        """
        self._check_hero(True)
        need = self.sign * score
        found = self.alone(self._code(card), need, False)
        return None if found == _UNKNOWN else found >= need

    def scores(self, card: int | None = None) -> tuple[int, ...] | None:
        """Everybody's score when everybody plays for himself; ``None`` when the search was cut short.

        With ``card`` it is asked about that card of the seat to act.
        """
        self._check_hero(False)
        outcome = self.alone_all(self._code(card))
        if self.cut:
            return None
        return tuple(self.sign * ((outcome >> 6 * seat & 63) - _OFFSET) for seat in range(self.seats))

    def card_scores(self) -> dict[int, tuple[int, ...]] | None:
        """:meth:`scores` for every card that the seat to act may play; ``None`` when the search was cut short."""
        self._check_hero(False)
        found: dict[int, tuple[int, ...]] = {}
        for card in self.playable():
            scores = self.scores(card)
            if scores is None:
                return None
            found[card] = scores
        return found

    def playable(self) -> list[int]:
        """The cards that the seat to act may play, ascending."""
        if self.turn < 0:
            return []
        hand = self.hands[self.turn]
        if self.suit >= 0 and hand & _SUIT_MASK[self.suit]:
            hand &= _SUIT_MASK[self.suit]
        return sorted(self.card_of[code] for code in range(32) if hand & _BIT[code])

    def _code(self, card: int | None) -> int:
        if card is None:
            return -1
        if card not in self.playable():
            raise MejaError(msg("that card cannot be played here"))
        return self.code_of[card]

    def _check_hero(self, wanted: bool) -> None:
        if wanted and self.hero < 0:
            raise MejaError(msg("this question needs a hero: a seat that the others play against"))
        if not wanted and self.hero >= 0:
            raise MejaError(msg("with a hero the others do not play for themselves: take the position without one"))
