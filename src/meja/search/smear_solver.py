"""Smear solved: what one seat gets in a deal when all cards are known and everybody else plays against it.

The seat that is asked about is the hero; the others act as one (paranoid), which with two players is simply best play.
Three goals are known: the hero's points of the deal, its score (a bid that is not made counts against it), and the
margin: its score over each of the others', added up. A node is a lead; the search asks "at least so much?" until the
answers meet.
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

#: What is asked for: the points of the deal, the score, the margin.
POINTS: Final = 0
SCORE: Final = 1
MARGIN: Final = 2
_POINTS: Final = POINTS
_SCORE: Final = SCORE
_MARGIN: Final = MARGIN
#: What :meth:`SmearSolver.find` and :meth:`SmearSolver.ask` say when they were cut short.
_UNKNOWN: Final = -99

_KIND: Final = 2
_SEATS: Final = 3
_FOLLOW_OR_TRUMP: Final = 2
_SUIT: Final = 0x1FFF
_WORD: Final = 0xFFFFFFFFFFFFFFFF
_GOLDEN: Final = 0x9E3779B97F4A7C15
_FIRST: Final = 0xBF58476D1CE4E5B9
_SECOND: Final = 0x94D049BB133111EB
_NOTHING: Final = 0
_JACK: Final = 9
_ACE: Final = 12
#: Instead of a seat: nobody gets the point, or it is still open.
_NOBODY: Final = 3
_OPEN: Final = 4
#: The bit of "nobody" in the set of those who may still get Game.
_TIE: Final = 8
_NO_CARD: Final = 63
#: Values are kept with this added.
_OFFSET: Final = 64
#: More than any value, and less.
_MOST: Final = 60
#: Where the moves of a depth start in the list, and those of a place in the trick.
_DEPTH: Final = 48
_PLACE: Final = 16
_ROOT: Final = 7 * _DEPTH

_BIT: Final = [1 << card for card in range(64)]
_SUIT_OF: Final = [card // 13 for card in range(52)]
_SUIT_MASK: Final = [_SUIT << 13 * suit for suit in range(4)]
_RANK: Final = [card % 13 for card in range(52)]
_VALUE: Final = [(0, 0, 0, 0, 0, 0, 0, 0, 10, 1, 2, 3, 4)[card % 13] for card in range(52)]


class SmearSolver:
    """A position inside the play of Smear, and a table of what the search has found.

    One solver serves many positions, one after another, in one thread. ``nodes`` counts the leads searched since the
    position was loaded. With ``limit`` nodes (0: any number), or ``stopped`` set by another thread, a search ends
    without an answer.
    """

    def __init__(self, table_bits: int = 14) -> None:
        """A solver with ``2 ** table_bits`` places for leads."""
        if not 2 <= table_bits <= 26:
            raise MejaError(msg("table_bits must be from 2 to 26, not {found}", found=table_bits))
        self.slots = (1 << table_bits) - 1
        self.keys = array("Q", bytes(8 << table_bits))
        self.data = array("Q", bytes(8 << table_bits))
        self.form = [0] * 32768
        self.lower = [0] * 1024
        self.upper = [0] * 1024
        self.moves = [0] * 384
        self.hands = [0, 0, 0]
        self.dealt = [0, 0, 0]
        self.won = [0, 0, 0]
        self.taken = [0, 0, 0]
        self.after = [0, 0, 0]
        self.age = 0
        self.nodes = 0
        self.limit = 0
        self.cut = 0
        self.stopped = 0
        self.seats = self.hero = self.goal = self.bidder = self.bid = 0
        self.ace_only = self.taker = self.anytime = 0
        self.trump = self.turn = -1
        self.called = 0
        self.high = self.low = self.jack = _NOBODY
        self.low_bit = self.jack_bit = 0
        self.rest = self.depth = 0
        self.in_trick = self.first_suit = self.winner = self.best = self.pool = 0
        self.pile = 0
        self.count = 0
        self.choice = _NO_CARD

    # -- a position ---------------------------------------------------------------

    def load(self, game: Tricks, hero: int, goal: int) -> None:
        """Take a position of Smear in play; everything asked from now on is about ``hero`` and ``goal``."""
        self.seats = game.seats
        self.hero = hero
        self.goal = goal
        self.bidder = game.bidder
        self.bid = game.bid
        self.ace_only = game.ace_only
        self.taker = game.taker
        self.anytime = 1 if game.duty == _FOLLOW_OR_TRUMP else 0
        self.turn = game.turn
        self.in_trick = game.in_trick
        self.winner = game.winner
        self.best = game.best
        self.pile = game.pile
        self.pool = 0
        self.rest = 0
        self.depth = 0
        self.nodes = 0
        self.cut = 0
        self.age += 1
        self.called = -1
        self.count = -1
        self.choice = _NO_CARD
        for seat in range(_SEATS):
            self.hands[seat] = _NOTHING
        for seat in range(self.seats):
            self.hands[seat] = game.hands[seat]
            self.dealt[seat] = game.hands[seat] | game.played[seat]
            self.won[seat] = game.won[seat]
            self.taken[seat] = game.taken[seat]
            self.after[seat] = game.after[seat]
            self.rest += self.worth(game.hands[seat])
        self.pool = self.worth(game.pile)
        if game.turn >= 0:
            self.depth = bits.popcount(game.hands[game.turn])
        self.first_suit = -1
        if game.in_trick > 0:
            self.first_suit = _SUIT_OF[bits.lowest(game.suit)]
        self.trump = game.trump
        if game.trump >= 0:
            self.call(game.trump)

    def worth(self, mask: int) -> int:
        """What the cards of a mask count for Game."""
        points = 0
        while mask:
            points += _VALUE[bits.lowest(mask)]
            mask &= mask - 1
        return points

    def call(self, suit: int) -> None:
        """Make a suit trump: who has High, where Low and Jack are, and what every outcome is worth."""
        if self.called == suit:
            return
        self.called = suit
        within = _SUIT_MASK[suit]
        trumps = 0
        for seat in range(self.seats):
            trumps |= self.dealt[seat] & within
        top = bits.highest(trumps)
        self.low_bit = trumps & (_NOTHING - trumps)
        self.jack_bit = trumps & _BIT[suit * 13 + _JACK]
        self.high = self.low = self.jack = _NOBODY
        if self.jack_bit:
            self.jack = _OPEN
        if self.taker:
            self.low = _OPEN
        for seat in range(self.seats):
            if self.dealt[seat] & _BIT[top] and (_RANK[top] == _ACE or not self.ace_only):
                self.high = seat
            if self.low_bit & (self.won[seat] if self.taker else self.dealt[seat]):
                self.low = seat
            if self.jack_bit & self.won[seat]:
                self.jack = seat
        self.tabulate()
        for other in range(4):
            self.number(other)

    def tabulate(self) -> None:
        """Fill the least and the most that any state of the points can still come to."""
        size = self.seats
        for low in range(5):
            for jack in range(5):
                base = (low << 7) | (jack << 4)
                for game in range(1, 16):
                    index = base | game
                    part = game & (game - 1)
                    if low == _OPEN:
                        least = self.lower[game | (jack << 4)]
                        most = self.upper[game | (jack << 4)]
                        for seat in range(1, size):
                            least = min(least, self.lower[(seat << 7) | (jack << 4) | game])
                            most = max(most, self.upper[(seat << 7) | (jack << 4) | game])
                    elif jack == _OPEN:
                        least = self.lower[game | (low << 7)]
                        most = self.upper[game | (low << 7)]
                        for seat in range(1, size):
                            least = min(least, self.lower[(low << 7) | (seat << 4) | game])
                            most = max(most, self.upper[(low << 7) | (seat << 4) | game])
                    elif part:
                        least = min(self.lower[base | part], self.lower[base | (game ^ part)])
                        most = max(self.upper[base | part], self.upper[base | (game ^ part)])
                    else:
                        least = most = self.utility(low, jack, bits.lowest(game))
                    self.lower[index] = least
                    self.upper[index] = most

    def utility(self, low: int, jack: int, game: int) -> int:
        """What the hero gets out of a deal in which the points went to these seats."""
        total = 0
        hero = 0
        for seat in range(self.seats):
            points = 0
            if self.high == seat:
                points += 1
            if low == seat:
                points += 1
            if jack == seat:
                points += 1
            if game == seat:
                points += 1
            if self.goal != _POINTS and seat == self.bidder and points < self.bid:
                points = -self.bid
            total += points
            if seat == self.hero:
                hero = points
        return hero * self.seats - total if self.goal == _MARGIN else hero

    def number(self, suit: int) -> None:
        """Number what may be left of a suit, alike where it is alike: ranks that nobody holds do not count."""
        shift = 13 * suit
        union = self.pile
        for seat in range(self.seats):
            union |= self.hands[seat]
        full = (union >> shift) & _SUIT
        base = suit << 13
        form = self.form
        form[base] = _SECOND if suit == self.called else _FIRST
        mask = (_NOTHING - full) & full
        while mask:
            card = shift + bits.lowest(mask)
            bit = _BIT[card]
            code = _VALUE[card] << 3
            if self.taker and bit == self.low_bit:
                code |= 4
            for seat in range(1, self.seats):
                if self.hands[seat] & bit:
                    code |= seat
            code = (form[base + (mask & (mask - 1))] + (code + 1) * _GOLDEN) & _WORD
            code = (code ^ (code >> 30)) * _FIRST & _WORD
            form[base + mask] = code ^ (code >> 29)
            mask = (mask - full) & full

    # -- the search ---------------------------------------------------------------

    def open_game(self, rest: int) -> int:
        """The set of seats (a bit each, and ``_TIE``) that Game may still go to."""
        found = _TIE
        for seat in range(self.seats):
            mine = self.taken[seat]
            surely = 1
            maybe = 1
            for other in range(self.seats):
                if other != seat:
                    if mine <= self.taken[other] + rest:
                        surely = 0
                    if mine + rest <= self.taken[other]:
                        maybe = 0
            if surely:
                return 1 << seat
            if maybe:
                found |= 1 << seat
        return found

    def key(self, seat: int, game: int) -> int:
        """The key of a lead by ``seat``: the cards that are left, who may get Game, and where Low and Jack are."""
        union = self.hands[0] | self.hands[1] | self.hands[2]
        state = 0
        if game & (game - 1):
            least = self.taken[0]
            for other in range(1, self.seats):
                least = min(least, self.taken[other])
            for other in range(self.seats):
                state = (state << 7) | (self.taken[other] - least + 1)
        else:
            state = game
        state = (((((state << 3) | self.low) << 3) | self.jack) << 2) | self.called
        form = self.form
        return (
            form[union & _SUIT]
            + form[8192 + ((union >> 13) & _SUIT)]
            + form[16384 + ((union >> 26) & _SUIT)]
            + form[24576 + (union >> 39)]
            + ((state << 2) | seat) * _GOLDEN
        ) & _WORD

    def lead(self, seat: int, rest: int, need: int, depth: int) -> int:
        """The hero's value when ``seat`` leads; right up to which side of ``need`` it is, and a bound beyond."""
        game = self.open_game(rest)
        index = (self.low << 7) | (self.jack << 4) | game
        lower = self.lower[index]
        upper = self.upper[index]
        if lower >= need:
            return lower
        if upper < need:
            return upper
        self.nodes += 1
        if self.stopped or (self.limit and self.nodes > self.limit):
            self.cut = 1
            return 0
        key = self.key(seat, game)
        slot = (key ^ (key >> 31)) & self.slots
        known = _NO_CARD
        entry = self.data[slot]
        if self.keys[slot] == key and entry >> 24 == self.age:
            known = entry & 63
            # In two steps: words without a sign must not be compared with bounds that have one.
            value = (entry >> 8) & 127
            lower = max(lower, value - _OFFSET)
            value = (entry >> 16) & 127
            upper = min(upper, value - _OFFSET)
            if lower >= need:
                return lower
            if upper < need:
                return upper
        base = depth * _DEPTH
        end = base + self.order(seat, base, -1, 0, 0, _NOTHING, known)
        mine = seat == self.hero
        best = -_MOST if mine else _MOST
        choice = _NO_CARD
        for index in range(base, end):
            card = self.moves[index] & 63
            value = self.put(seat, card, self.seats, -1, _NO_CARD, 0, 0, 0, rest, need, depth)
            if self.cut:
                return 0
            if value > best if mine else value < best:
                best = value
                choice = card
                if (value >= need) == mine:
                    break
        if best >= need:
            lower = max(lower, best)
        else:
            upper = min(upper, best)
        self.keys[slot] = key
        self.data[slot] = (self.age << 24) | ((upper + _OFFSET) << 16) | ((lower + _OFFSET) << 8) | choice
        return best

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
        """Play a card to a trick for which ``left`` seats still play (this one among them), and search on."""
        bit = _BIT[card]
        if suit < 0:
            suit = _SUIT_OF[card]
            best = card
            winner = seat
        elif _SUIT_OF[card] == _SUIT_OF[best]:
            if card > best:
                best = card
                winner = seat
        elif _SUIT_OF[card] == self.called:
            best = card
            winner = seat
        worth = _VALUE[card]
        self.hands[seat] ^= bit
        if left > 1:
            value = self.answer(
                self.after[seat], left - 1, suit, best, winner, pile | bit, pool + worth, rest - worth, need, depth
            )
        else:
            low = self.low
            jack = self.jack
            pile |= bit
            if pile & self.jack_bit:
                self.jack = winner
            if self.taker and pile & self.low_bit:
                self.low = winner
            self.taken[winner] += pool + worth
            value = self.lead(winner, rest - worth, need, depth - 1)
            self.taken[winner] -= pool + worth
            self.low = low
            self.jack = jack
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
        """The value when ``seat`` plays to a trick that ``winner`` holds with the card ``best``."""
        base = depth * _DEPTH + left * _PLACE
        end = base + self.order(seat, base, suit, best, winner, pile, _NO_CARD)
        mine = seat == self.hero
        found = -_MOST if mine else _MOST
        for index in range(base, end):
            card = self.moves[index] & 63
            value = self.put(seat, card, left, suit, best, winner, pile, pool, rest, need, depth)
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
        union = self.hands[0] | self.hands[1] | self.hands[2] | pile
        mask = hand
        trump = self.called
        if suit >= 0:
            own = hand & _SUIT_MASK[suit]
            if own:
                mask = own | (hand & _SUIT_MASK[trump]) if self.anytime else own
        friend = (seat == self.hero) == (winner == self.hero)
        count = 0
        while mask:
            card = bits.lowest(mask)
            bit = _BIT[card]
            mask ^= bit
            mine = _SUIT_OF[card]
            worth = _VALUE[card]
            above = union & _SUIT_MASK[mine] & ~(bit | (bit - 1))
            twin = above & (_NOTHING - above)
            if twin & hand and not worth and not _VALUE[bits.lowest(twin)]:
                # The next higher card that is left does the same, but for the Low that goes to its taker.
                if not self.taker or (trump >= 0 and bit != self.low_bit):
                    continue
            if suit < 0:
                weight = 100 + _RANK[card]
                if not above & ~hand:
                    weight += 60 + 4 * worth
                else:
                    weight -= 4 * worth
                if mine == trump:
                    weight += 30
                if card == known:
                    weight = 4000
            elif (mine == _SUIT_OF[best] and card > best) or (mine == trump and _SUIT_OF[best] != trump):
                weight = 300 + 4 * worth - _RANK[card]
                if friend:
                    weight -= 100
                if mine == trump:
                    weight -= 20
                if bit == self.jack_bit or pile & self.jack_bit:
                    weight += 100
            elif friend:
                weight = 220 + 8 * worth - _RANK[card]
            else:
                weight = 200 - 8 * worth - _RANK[card]
                if mine == trump:
                    weight -= 30
                if bit == self.jack_bit:
                    weight -= 100
            entry = ((weight + 400) << 6) | card
            index = base + count
            while index > base and self.moves[index - 1] < entry:
                self.moves[index] = self.moves[index - 1]
                index -= 1
            self.moves[index] = entry
            count += 1
        return count

    # -- questions ----------------------------------------------------------------

    def try_card(self, card: int, need: int) -> int:
        """The value of a card of the seat to act, right up to which side of ``need`` it is."""
        if self.trump < 0:
            self.call(_SUIT_OF[card])
        left = self.seats - self.in_trick
        return self.put(
            self.turn,
            card,
            left,
            self.first_suit,
            self.best,
            self.winner,
            self.pile,
            self.pool,
            self.rest,
            need,
            self.depth,
        )

    def ask(self, card: int, need: int) -> int:
        """A value: at least ``need`` if the hero can come to that much, else less; -99 when cut short.

        With ``card`` (-1: none) it is about that card of the seat to act.
        """
        self.cut = 0
        if self.turn < 0:
            return self.lead(0, 0, need, 0)
        if card >= 0:
            value = self.try_card(card, need)
            return _UNKNOWN if self.cut else value
        if self.count < 0:
            # Which suit an earlier question made trump must not tell which leads are alike.
            self.called = self.trump
            self.count = self.order(self.turn, _ROOT, self.first_suit, self.best, self.winner, self.pile, _NO_CARD)
        mine = self.turn == self.hero
        found = -_MOST if mine else _MOST
        for index in range(_ROOT, _ROOT + self.count):
            entry = self.moves[index]
            value = self.try_card(entry & 63, need)
            if self.cut:
                return _UNKNOWN
            if value > found if mine else value < found:
                found = value
                self.choice = entry & 63
                if (value >= need) == mine:
                    # What was good for this question is tried first for the next one.
                    while index > _ROOT:
                        self.moves[index] = self.moves[index - 1]
                        index -= 1
                    self.moves[_ROOT] = entry
                    break
        return found

    def find(self, card: int, guess: int) -> int:
        """The value of the position, or of a card of the seat to act; -99 when cut short."""
        lower = -_MOST
        upper = _MOST
        while lower < upper:
            value = self.ask(card, guess)
            if value == _UNKNOWN:
                return _UNKNOWN
            if value >= guess:
                lower = value
                guess = value + 1
            else:
                upper = value
                guess = value
        return lower

    def alone(self, card: int, need: int, close: bool) -> int:
        """:meth:`find` (``close``) or :meth:`ask` while other threads may run Python."""
        with cython.nogil:
            if close:
                found = self.find(card, need)
            else:
                found = self.ask(card, need)
        return found

    # -- from outside -------------------------------------------------------------

    @classmethod
    def from_deal(cls, deal: Any, hero: int, goal: int = SCORE, table_bits: int = 14) -> SmearSolver:
        """A solver for a deal in play of which all cards are known."""
        solver = cls(table_bits)
        solver.take(position(deal), hero, goal)
        return solver

    def take(self, game: Tricks, hero: int, goal: int = SCORE) -> None:
        """:meth:`load`, with checks."""
        if game.kind != _KIND:
            raise MejaError(msg("this is not a position of {game}", game="smear"))
        if not 0 <= hero < game.seats:
            raise MejaError(msg("there is no seat {seat}", seat=hero))
        if goal not in (POINTS, SCORE, MARGIN):
            raise MejaError(msg("there is no goal {goal}", goal=goal))
        if game.turn < 0 and game.trump < 0:
            raise MejaError(msg("nothing was played in this deal"))
        self.load(game, hero, goal)

    def value(self, card: int | None = None) -> int | None:
        """What the hero gets with best play; ``None`` when the search was cut short.

        With ``card`` it is asked about that card of the seat to act.
        """
        found = self.alone(self._code(card), 1, True)
        return None if found == _UNKNOWN else found

    def values(self) -> dict[int, int] | None:
        """The value of every card that the seat to act may play; ``None`` when the search was cut short."""
        if self.turn < 0:
            return {}
        guess = self.value()
        if guess is None:
            return None
        found: dict[int, int] = {}
        for card in self.playable():
            value = self.alone(card, guess, True)
            if value == _UNKNOWN:
                return None
            found[card] = value
        return found

    def at_least(self, need: int, card: int | None = None) -> bool | None:
        """Whether the hero can get ``need`` or more; ``None`` when the search was cut short.

        With ``card`` it is asked about that card of the seat to act.
        """
        found = self.alone(self._code(card), need, False)
        return None if found == _UNKNOWN else found >= need

    def playable(self) -> list[int]:
        """The cards that the seat to act may play, ascending."""
        if self.turn < 0:
            return []
        hand = self.hands[self.turn]
        if self.first_suit >= 0 and hand & _SUIT_MASK[self.first_suit]:
            hand &= _SUIT_MASK[self.first_suit] | (_SUIT_MASK[self.trump] if self.anytime else 0)
        return [card for card in range(52) if hand & _BIT[card]]

    def _code(self, card: int | None) -> int:
        if card is None:
            return -1
        if card not in self.playable():
            raise MejaError(msg("that card cannot be played here"))
        return card
