"""What comes before the play of Calabresella, tried out: bids, calls, cards to give back and to bury.

The unseen cards are dealt again and again; the rest of the auction, the call and the exchange go on by rules of thumb,
and the deal is played to its end by them. What is compared is always tried in the same deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import meja.search.bits as bits
from meja.search.calabresella_play import Play, strength
from meja.search.dice import Dice

try:
    import cython
except ImportError:
    from meja.search import uncompiled as cython

_NOTHING: Final = 0
_NOBODY: Final = -1
_BIT: Final = [1 << code for code in range(40)] + [0] * 24
_RANK: Final = [code % 10 for code in range(40)] + [0] * 24
_THIRDS: Final = [3 if code % 10 == 7 else 1 if code % 10 > 3 else 0 for code in range(40)] + [0] * 24
_SUIT_OF: Final = [1023 << code // 10 * 10 for code in range(40)] + [0] * 24
_BETTER: Final = [(1023 >> code % 10 + 1 << code % 10 + 1) << code // 10 * 10 for code in range(40)] + [0] * 24
_WORTHY: Final = sum(0b1111110000 << 10 * suit for suit in range(4))
_TWOS: Final = sum(1 << 10 * suit + 8 for suit in range(4))
_TOPS: Final = sum(0b1100000000 << 10 * suit for suit in range(4))
_HAND: Final = 12
_SAFE: Final = 3
_TENS: Final = 100
#: From which strength a hand is bid by rules of thumb.
_CHIAMO: Final = 18
_SOLO: Final = 36
_SOLISSIMO: Final = 54
_VARIES: Final = 6.0
#: Where no chips are in the table of what chips are worth, and how many chips it holds for a place.
_EVEN: Final = 200
_CHIPS: Final = 400
#: Calls of an auction.
_UNSPOKEN: Final = -1
#: How an auction goes: a pass is final; one call each; a pass is not final.
_ONE_CALL: Final = 1
_REENTRY: Final = 2
_MOST_CALLS: Final = 12


def chips() -> list[float]:
    """What chips are worth by themselves: as many as they are, whoever is the bidder."""
    return [float(index % _CHIPS - _EVEN) for index in range(3 * _CHIPS)]


def _odds() -> list[float]:
    """By contract and strength, how likely it is that a hand is bid."""
    found = [0.5] * _TENS
    for threshold in (_CHIAMO, _SOLO, _SOLISSIMO):
        found += [1.0 / (1.0 + 2.718281828 ** ((threshold - points) / _VARIES)) for points in range(_TENS)]
    return found


_ODDS: Final = _odds()


class Trial:
    """Deals that agree with what a seat knows before the play, and what comes of an action in them.

    Places are numbered in playing order from forehand on. ``said`` holds by place the last bid (0: a pass, -1: nothing
    yet); ``fixed`` and ``room`` what a place is known to hold, and how many cards more. Once the monte is taken up,
    ``lies`` is 1, ``monte`` what everybody knows the bidder to have taken, ``laid`` what he has buried already.
    ``edge``: thirds that the own side is expected to play better than rules of thumb.
    """

    def __init__(self, me: int, rules: Sequence[int]) -> None:
        """``rules``: follow, slams (0 off, 1, 2 tressette), bidder leads, stake of Solissimo, kind of auction."""
        self.me = me
        self.follow, self.slams, self.bidder_leads, self.solissimo, self.auction = rules
        self.fixed = [0, 0, 0]
        self.room = [0, 0, 0]
        self.said = [_UNSPOKEN] * 3
        self.pool = 0
        self.monte = 0
        self.edge = 0
        self.tries = 2
        self.bidder = _NOBODY
        self.contract = 0
        self.called = _NOBODY
        self.turn = 0
        self.calls = 0
        self.passed = 0
        self.hands = [0, 0, 0]
        self.kept = [0, 0, 0, 0]
        self.spoken = [0, 0, 0]
        self.order = [0] * 40
        self.left = 0
        self.game = Play()
        self.dice = Dice()
        self.worth = chips()
        self.giver = 0
        self.laid = 0
        self.lies = 0
        self.total = 0.0
        self.square = 0.0

    # -- the unseen cards -----------------------------------------------------------------

    def deal(self) -> None:
        """Deal the unseen cards, rather as they must lie after what was said."""
        total = 0.0
        for _ in range(self.tries):
            self.spread()
            weight = 1.0
            for place in range(3):
                if place != self.me and self.said[place] >= 0:
                    points = strength(self.hands[place])
                    if points >= _TENS:
                        points = _TENS - 1
                    if self.said[place]:
                        weight *= 0.1 + _ODDS[self.said[place] * _TENS + points]
                    else:
                        weight *= 1.1 - _ODDS[_TENS + points]
            total += weight
            if self.dice.unit() * total < weight:
                self.kept[0] = self.hands[0]
                self.kept[1] = self.hands[1]
                self.kept[2] = self.hands[2]
                self.kept[3] = self.left
        self.hands[0] = self.kept[0]
        self.hands[1] = self.kept[1]
        self.hands[2] = self.kept[2]
        self.left = self.kept[3]

    def spread(self) -> None:
        """One way the unseen cards may lie: in the hands, the rest in ``left``."""
        pool = self.pool
        count = 0
        while pool:
            self.order[count] = bits.lowest(pool)
            pool &= pool - 1
            count += 1
        for place in range(3):
            hand = self.fixed[place]
            for _ in range(self.room[place]):
                other = self.dice.below(count)
                count -= 1
                hand |= _BIT[self.order[other]]
                self.order[other] = self.order[count]
            self.hands[place] = hand
        self.left = _NOTHING
        for index in range(count):
            self.left |= _BIT[self.order[index]]

    # -- rules of thumb -------------------------------------------------------------------

    def missed(self, hand: int) -> int:
        """The card that is missed least."""
        best = _NOBODY
        least = 99999
        left = hand
        while left:
            code = bits.lowest(left)
            left &= left - 1
            suit = hand & _SUIT_OF[code]
            number = strength(suit) - strength(suit & ~_BIT[code]) + _THIRDS[code]
            number = number * 16 + (bits.popcount(suit) if self.follow else 0)
            number = number * 16 + _RANK[code]
            if number < least:
                least = number
                best = code
        return best

    def fat(self, hand: int) -> int:
        """The dearest card that cannot win by itself, where the last trick is safe; else -1."""
        sure = 0
        best = _NOBODY
        most = 0
        left = hand
        while left:
            code = bits.lowest(left)
            left &= left - 1
            if _BETTER[code] & ~hand:
                if _BIT[code] & _WORTHY & ~_TWOS and _THIRDS[code] * 16 + 10 - _RANK[code] > most:
                    most = _THIRDS[code] * 16 + 10 - _RANK[code]
                    best = code
            else:
                sure += 1
        return best if sure >= _SAFE else _NOBODY

    def call(self, hand: int) -> int:
        """The card to call: a three before a two before an ace, where the hand gains most."""
        rank = 9
        while rank > 0:
            best = _NOBODY
            most = -1
            for suit in range(4):
                code = suit * 10 + rank
                if not hand & _BIT[code]:
                    mine = hand & _SUIT_OF[code]
                    gain = strength(mine | _BIT[code]) - strength(mine)
                    if gain > most:
                        most = gain
                        best = code
            if best >= 0:
                return best
            rank -= 1
        return best

    def bid(self, hand: int) -> int:
        """What a hand is good for by rules of thumb."""
        points = strength(hand)
        if points >= _SOLISSIMO:
            return 3
        if points >= _SOLO:
            return 2
        return 1 if points >= _CHIAMO else 0

    # -- what comes of it -------------------------------------------------------------------

    def speak(self, action: int) -> None:
        """The auction from the own call on, everybody else by rules of thumb; sets ``bidder`` and ``contract``."""
        turn = self.turn
        bidder = self.bidder
        contract = self.contract
        calls = self.calls
        passed = self.passed
        first = 1
        for _ in range(_MOST_CALLS):
            wish = action if first else self.bid(self.hands[turn])
            first = 0
            if wish > contract:
                contract = wish
                bidder = turn
            else:
                passed |= 1 << turn
            calls += 1
            if contract == 3:
                break
            following = 0 if turn == 2 else turn + 1
            if self.auction == _ONE_CALL:
                if calls >= 3:
                    break
            elif self.auction == _REENTRY:
                if following == bidder or (calls == 3 and contract == 0):
                    break
            else:
                steps = 0
                while passed >> following & 1 and steps < 3:
                    following = 0 if following == 2 else following + 1
                    steps += 1
                if following == bidder or steps == 3:
                    break
            turn = following
        self.spoken[0] = bidder
        self.spoken[1] = contract

    def outcome(self, bidder: int, contract: int, called: int, given: int, buried: int, raised: int) -> None:
        """Call, exchange and play in the deal at hand; adds what it is worth to the own seat.

        ``given`` and ``buried`` (a mask) are chosen by rules of thumb where they are -1 and 0.
        """
        hand = self.hands[bidder]
        left = self.left
        giver = _NOBODY
        self.game.shown = _NOTHING
        self.game.sure = _NOTHING
        if contract == 1:
            if called < 0:
                called = self.call(hand)
            if not self.lies:
                for place in range(3):
                    if place != bidder and self.hands[place] & _BIT[called]:
                        giver = place
                        self.hands[place] &= ~_BIT[called]
                hand |= _BIT[called]
                left &= ~_BIT[called]
                self.game.shown = self.left | _BIT[called]
            else:
                self.game.shown = self.monte
            self.game.sure = self.game.shown & (_TOPS | _BIT[called])
        if contract < 3 and not self.lies:
            hand |= left
            left = _NOTHING
        if giver >= 0:
            if given < 0:
                given = self.missed(hand)
            hand &= ~_BIT[given]
            self.hands[giver] |= _BIT[given]
            self.game.shown &= ~_BIT[given]
            self.game.sure &= ~_BIT[given]
        if contract < 3:
            left |= buried
            hand &= ~buried
            while bits.popcount(hand) > _HAND:
                code = self.fat(hand)
                if code < 0:
                    code = self.missed(hand)
                hand &= ~_BIT[code]
                left |= _BIT[code]
        else:
            left = self.exchange(bidder, raised, left)
        self.game.follow = self.follow
        self.game.slams = 1 if self.slams else 0
        self.game.tressette = 1 if self.slams == 2 else 0
        self.game.hands[0] = hand
        self.game.hands[1] = self.hands[(bidder + 1) % 3]
        self.game.hands[2] = self.hands[(bidder + 2) % 3]
        self.game.bury(left)
        self.game.turn = 0 if contract == 3 or self.bidder_leads else (3 - bidder) % 3
        self.game.leader = self.game.turn
        self.game.in_trick = 0
        self.game.pile = 0
        self.game.left = _HAND
        self.game.ours = 0
        self.game.theirs = 0
        self.game.tricks = 0
        self.game.gone = _NOTHING
        self.game.playout(self.dice)
        shift = self.edge if bidder == self.me else -self.edge
        self.game.ours += shift
        self.game.theirs -= shift
        kind = self.game.outcome()
        factor = 1
        if kind == 1 or kind == 4:
            factor = 4 if self.slams == 2 else 2
        elif kind == 2 or kind == 5:
            factor = 3
        stake = contract * factor
        if contract == 3:
            stake = (self.solissimo << raised) * factor
        if kind < 3:
            stake = -stake
        stake = 2 * stake if bidder == self.me else -stake
        value = self.worth[bidder * _CHIPS + _EVEN + stake]
        self.total += value
        self.square += value * value

    def exchange(self, bidder: int, raised: int, left: int) -> int:
        """What the opponents of Solissimo exchange by rules of thumb; the new monte."""
        if raised == 0:
            return left
        for step in range(1, 3):
            place = (bidder + step) % 3
            hand = self.hands[place]
            taken = left
            if raised == 1:
                # Two cards of the monte each: the first two, then the last two of those that were dealt.
                taken = _NOTHING
                source = self.left if step == 1 else self.left & left
                while bits.popcount(taken) < 2:
                    taken |= source & -source
                    source &= source - 1
            left &= ~taken
            hand |= taken
            while bits.popcount(hand) > _HAND:
                code = self.missed(hand)
                hand &= ~_BIT[code]
                left |= _BIT[code]
            self.hands[place] = hand
        return left

    def run(self, what: int, card: int, cards: int, count: int, seed: int, start: int) -> float:
        """The mean worth of an action in ``count`` deals, number ``start`` and following, drawn by ``seed`` alone.

        ``what`` 0: bid ``card`` (0: pass). 1: call ``card``. 2: give ``card`` back. 3: bury ``cards``.
        4: Solissimo, raised by ``card``.
        """
        self.total = 0.0
        self.square = 0.0
        with cython.nogil:
            self.look(what, card, cards, count, seed, start)
        return self.total / count

    def look(self, what: int, card: int, cards: int, count: int, seed: int, start: int) -> None:
        """The loop of :meth:`run`."""
        for index in range(count):
            self.dice.seed(seed, start + index)
            self.deal()
            if what == 0:
                self.speak(card)
                if self.spoken[1] == 0:
                    self.total += self.worth[_EVEN]
                    self.square += self.worth[_EVEN] * self.worth[_EVEN]
                else:
                    self.outcome(self.spoken[0], self.spoken[1], _NOBODY, _NOBODY, _NOTHING, 0)
            elif what == 1:
                self.outcome(self.me, 1, card, _NOBODY, _NOTHING, 0)
            elif what == 2:
                self.give(card)
                self.outcome(self.me, 1, self.called, _NOBODY, _NOTHING, 0)
            elif what == 3:
                self.left = self.laid
                self.outcome(self.me, self.contract, self.called, _NOBODY, cards, 0)
            else:
                self.outcome(self.me, 3, _NOBODY, _NOBODY, _NOTHING, card)

    def give(self, card: int) -> None:
        """Give a card back to who gave the called one."""
        self.hands[self.me] &= ~_BIT[card]
        self.hands[self.giver] |= _BIT[card]
        self.left = _NOTHING

    def set_worth(self, worth: Sequence[float]) -> None:
        """What chips are worth: for a bidder at each place, 400 numbers with no chips at 200."""
        self.worth = [float(value) for value in worth]


__all__ = ["Trial", "chips"]
