"""The play of Calabresella in masks of 40 bits, with rules of thumb that play a deal to its end.

Players are numbered from the bidder: 0, then the two partners in playing order. A hand is a mask of ten bits a suit,
from the four up to the three: within a suit the higher bit beats the lower. Points are counted in thirds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import meja.search.bits as bits
from meja.search.dice import Dice

_SUIT: Final = 1023
_NOTHING: Final = 0
_ORDER: Final = "4567JQKA23"
_RANKS: Final = "23456789TJQKA"
_PLACE: Final = [_ORDER.find(rank) for rank in _RANKS]


def _code(card: int) -> int:
    return card // 13 * 10 + _PLACE[card % 13]


def _packed(suit: int) -> int:
    return sum(1 << _PLACE[rank] for rank in range(13) if suit >> rank & 1 and _PLACE[rank] >= 0)


def _worth(rank: int) -> int:
    return 3 if rank == 7 else 1 if rank > 3 else 0


#: The card of the pack by its code here.
CARDS: Final = tuple(suit * 13 + _RANKS.index(rank) for suit in range(4) for rank in _ORDER)
#: By code: its bit, its suit's mask, the better cards of its suit, its thirds, its rank.
_BIT: Final = [1 << code for code in range(40)] + [0] * 24
_SUIT_OF: Final = [_SUIT << code // 10 * 10 for code in range(40)] + [0] * 24
_BETTER: Final = [(_SUIT >> code % 10 + 1 << code % 10 + 1) << code // 10 * 10 for code in range(40)] + [0] * 24
_THIRDS: Final = [_worth(code % 10) for code in range(40)] + [0] * 24
_RANK: Final = [code % 10 for code in range(40)] + [0] * 24
#: By the mask of a suit in the pack: the mask here. By a mask here: the ranks above all of it.
_NARROW: Final = [_packed(suit) for suit in range(8192)]
_ABOVE: Final = [1023 >> suit.bit_length() << suit.bit_length() for suit in range(1024)]
_ALL: Final = (1 << 40) - 1
_BLANKS: Final = sum(0b1111 << 10 * suit for suit in range(4))
_ACES: Final = sum(1 << 10 * suit + 7 for suit in range(4))
_WORTHY: Final = _ALL & ~_BLANKS

#: Points in thirds: won from here on, a whole point.
_WON: Final = 18
_SOMETHING: Final = 3
_HAND: Final = 12
#: All thirds there are.
_MOST: Final = 35.0
#: The duty to follow suit, as in :class:`meja.search.tricks.Tricks`.
_FOLLOW: Final = 1
#: In so many last tricks certain winners are led.
_CASHED: Final = 3
#: A better card that is known to be with the enemy is worse than any number that may be.
_KNOWN: Final = 20

#: What a card is worth, in tenths of a trick, by rank: with better cards missing, and with all of them in the hand.
_ALONE: Final = [0, 0, 0, 0, 0, 1, 2, 5, 6, 10]
_BACKED: Final = [0, 0, 0, 1, 4, 6, 8, 13, 10, 10]

#: The outcomes of a deal for its bidder, in the order of ``Play.pay``: lost or won, then plain, cappotto, stramazzo.
OUTCOMES: Final = 6


def narrow(mask: int) -> int:
    """A mask of the pack as a mask of 40 bits."""
    return (
        _NARROW[mask & 8191]
        | _NARROW[mask >> 13 & 8191] << 10
        | _NARROW[mask >> 26 & 8191] << 20
        | _NARROW[mask >> 39 & 8191] << 30
    )


class Play:
    """A position inside the play; everybody's cards are known.

    ``shown`` holds the cards that everybody knows the bidder to have kept or buried; ``sure`` of them those he has as
    good as certainly. ``pay`` is what each outcome is worth (0 to 1), ``slope`` what 35 thirds of the bidder are.
    """

    def __init__(self) -> None:
        """An empty position."""
        self.follow = 0
        self.tressette = 0
        self.slams = 1
        self.turn = -1
        self.leader = 0
        self.winner = 0
        self.best = 0
        self.in_trick = 0
        self.pile = 0
        self.suit = 0
        self.left = 0
        self.ours = 0
        self.theirs = 0
        self.tricks = 0
        self.last = 0
        self.loose = 0
        self.gone = 0
        self.monte = 0
        self.shown = 0
        self.sure = 0
        self.hands = [0, 0, 0]
        self.pay = [0.0] * 6
        self.slope = 0.0

    def copy(self, other: Play) -> None:
        """Become equal to ``other``."""
        self.follow = other.follow
        self.tressette = other.tressette
        self.slams = other.slams
        self.shown = other.shown
        self.sure = other.sure
        self.loose = other.loose
        self.slope = other.slope
        for index in range(6):
            self.pay[index] = other.pay[index]
        self.rewind(other)

    def rewind(self, other: Play) -> None:
        """Become ``other`` again, of which this was a copy: only what play changes is copied."""
        self.turn = other.turn
        self.leader = other.leader
        self.winner = other.winner
        self.best = other.best
        self.in_trick = other.in_trick
        self.pile = other.pile
        self.suit = other.suit
        self.left = other.left
        self.ours = other.ours
        self.theirs = other.theirs
        self.tricks = other.tricks
        self.last = other.last
        self.gone = other.gone
        self.monte = other.monte
        self.hands[0] = other.hands[0]
        self.hands[1] = other.hands[1]
        self.hands[2] = other.hands[2]

    def bury(self, monte: int) -> None:
        """What lies in the monte, which goes with the last trick."""
        self.monte = monte
        self.last = 3 + thirds_in(monte)

    def legal(self) -> int:
        """The mask of the cards that the player to act may play."""
        hand = self.hands[self.turn]
        if self.follow and self.in_trick and hand & self.suit:
            return hand & self.suit
        return hand

    def fewer(self, legal: int) -> int:
        """The legal cards without those that only differ in name from a lower one: same worth, nothing between."""
        hand = self.hands[self.turn]
        gap = ~(hand | (self.gone & ~self.on_table()))
        kept = legal
        left = legal
        while left:
            code = bits.lowest(left)
            left &= left - 1
            rank = _RANK[code]
            below = code - 1
            while rank > 0 and not gap & _BIT[below]:
                rank -= 1
                if hand & _BIT[below]:
                    if _THIRDS[below] == _THIRDS[code]:
                        kept &= ~_BIT[code]
                    break
                below -= 1
        return kept

    def on_table(self) -> int:
        """The best card of the trick on the table, as a mask."""
        return _BIT[self.best] if self.in_trick else _NOTHING

    def play(self, code: int) -> None:
        """The player to act plays a card."""
        player = self.turn
        bit = _BIT[code]
        self.hands[player] &= ~bit
        self.gone |= bit
        self.pile += _THIRDS[code]
        if self.in_trick == 0:
            self.suit = _SUIT_OF[code]
            self.best = code
            self.winner = player
        elif bit & self.suit and code > self.best:
            self.best = code
            self.winner = player
        self.in_trick += 1
        if self.in_trick < 3:
            self.turn = 0 if player == 2 else player + 1
            return
        winner = self.winner
        self.left -= 1
        if self.left == 0:
            self.pile += self.last
        if winner == 0:
            self.ours += self.pile
            self.tricks += 1
        else:
            self.theirs += self.pile
        self.pile = 0
        self.in_trick = 0
        self.leader = winner
        self.turn = winner if self.left else -1

    def outcome(self) -> int:
        """How a finished deal has gone for its bidder: 0 to 5, see ``OUTCOMES``."""
        won = 3 if self.ours >= _WON else 0
        if self.slams == 0:
            return won
        if self.tricks == 0 or self.tricks == _HAND:
            return won + 1
        if self.ours < _SOMETHING or self.theirs < _SOMETHING:
            return won + 2
        if self.tressette:
            losers = _HAND - self.tricks if won else self.tricks
            if losers == 1 and (self.leader == 0) == (won == 0):
                return won + 2
        return won

    def value(self) -> float:
        """What a finished deal is worth to its bidder."""
        return self.pay[self.outcome()] + self.slope * self.ours / _MOST

    # -- rules of thumb --------------------------------------------------------------

    def unbeaten(self, own: int, threat: int) -> int:
        """The cards of ``own`` that no card of ``threat`` beats."""
        return (
            (own & _ABOVE[threat & _SUIT])
            | (own & _ABOVE[threat >> 10 & _SUIT] << 10)
            | (own & _ABOVE[threat >> 20 & _SUIT] << 20)
            | (own & _ABOVE[threat >> 30 & _SUIT] << 30)
        )

    def thumb(self) -> int:
        """The card that rules of thumb play, knowing what the player to act may know."""
        player = self.turn
        own = self.hands[player]
        legal = self.legal()
        if legal & (legal - 1) == 0:
            return bits.lowest(legal)
        out = _ALL & ~(own | self.gone)
        if player == 0:
            out &= ~self.monte
        if self.in_trick == 0:
            return self.thumb_lead(own, out)
        return self.thumb_reply(own, legal, out)

    def thumb_lead(self, own: int, out: int) -> int:
        """A lead by rules of thumb."""
        sure = self.unbeaten(own, out)
        count = bits.popcount(sure)
        if count and (count == self.left or self.left <= _CASHED):
            return highest_rank(sure)
        if self.turn == 0:
            if sure & _ACES and count > 1:
                return bits.lowest(sure & _ACES)
            if own & _BLANKS:
                return lowest_rank(own & _BLANKS)
            return self.least(own, sure)
        known = self.sure & out
        best = -1
        least = 9999
        cards = own & ~sure
        while cards:
            code = bits.lowest(cards)
            cards &= cards - 1
            above = _BETTER[code] & out
            number = _KNOWN if above & known else bits.popcount(above)
            number = number * 64 + _THIRDS[code] * 16 + _RANK[code]
            if number < least:
                least = number
                best = code
        if best >= 0:
            return best
        return self.least(own, sure)

    def thumb_reply(self, own: int, legal: int, out: int) -> int:
        """A card on a trick by rules of thumb."""
        player = self.turn
        sure = self.unbeaten(own, out)
        waiting = 0
        if self.in_trick == 1 and (player == 0 or player == 2):
            waiting = 1
        if player != 0 and self.winner != 0:
            above = _BETTER[self.best] & out if waiting else _NOTHING
            if above == 0 or self.trusted(above, out):
                fat = legal & (_ACES | (_WORTHY & ~sure))
                if fat & _ACES:
                    return bits.lowest(fat & _ACES)
                if fat:
                    return lowest_rank(fat)
            if above == 0:
                return self.least(legal, sure)
        winners = legal & self.suit & _BETTER[self.best]
        if waiting:
            winners = self.unbeaten(winners, out)
        if winners:
            if winners & _ACES:
                code = bits.lowest(winners & _ACES)
            elif winners & _WORTHY:
                code = bits.lowest(winners & _WORTHY)
            else:
                code = bits.lowest(winners)
            if self.left == 1 or self.pile + _THIRDS[code] >= self.price(code, sure):
                return code
        return self.least(legal, sure)

    def trusted(self, above: int, out: int) -> int:
        """Whether the bidder, who has still to play, is rather unlikely to hold one of ``above``."""
        known = self.sure & out
        if above & known:
            return 0
        held = bits.popcount(out & ~known)
        room = self.left - bits.popcount(known)
        if room <= 0:
            return 1
        if held <= room:
            return 0
        safe = 1.0
        for _ in range(bits.popcount(above)):
            safe *= 1.0 - room / (held * 1.0)
        return 1 if safe >= 0.5 else 0

    def price(self, code: int, sure: int) -> int:
        """How many thirds a trick must bring to be worth a card."""
        side = self.ours if self.turn == 0 else self.theirs
        if self.slams and self.left <= 6 and side < _SOMETHING <= side + self.pile + _THIRDS[code]:
            return 0
        if not sure & _BIT[code]:
            return 1
        count = bits.popcount(sure)
        if count >= self.left:
            return 0
        if count == 1:
            return 4
        return 3 if self.turn == 0 and not self.follow else 2

    def least(self, cards: int, sure: int) -> int:
        """The card that costs least."""
        best = -1
        least = 9999
        while cards:
            code = bits.lowest(cards)
            cards &= cards - 1
            number = (_THIRDS[code] + (2 if sure & _BIT[code] else 0)) * 16 + _RANK[code]
            if number < least:
                least = number
                best = code
        return best

    # -- to the end -------------------------------------------------------------------

    def choose(self, dice: Dice) -> int:
        """A card by rules of thumb, or with a chance of ``loose`` in 1024 any legal card."""
        if self.loose and (self.loose >= 1024 or dice.below(1024) < self.loose):
            legal = self.legal()
            return bits.pick(legal, dice.below(bits.popcount(legal)))
        return self.thumb()

    def playout(self, dice: Dice) -> None:
        """Play the deal to its end."""
        while self.turn >= 0:
            self.play(self.choose(dice))

    # -- from outside -------------------------------------------------------------------

    def load(self, game: Any, order: Sequence[int], shown: int, sure: int) -> None:
        """Become a :class:`~meja.search.tricks.Tricks` of Calabresella; ``order``: seats from the bidder on."""
        self.follow = int(game.duty == _FOLLOW)
        self.slams = int(game.slams > 0)
        self.tressette = int(game.slams == 2)
        player = {seat: place for place, seat in enumerate(order)}
        self.turn = -1 if game.turn < 0 else player[game.turn]
        self.leader = player[game.leader]
        self.in_trick = game.in_trick
        self.winner = player[game.winner] if game.in_trick else 0
        self.best = _code(game.best) if game.in_trick else 0
        self.suit = _SUIT_OF[self.best] if game.in_trick else 0
        self.pile = thirds_in(narrow(game.pile))
        self.gone = 0
        for seat in range(game.seats):
            self.gone |= narrow(game.played[seat])
        self.hands = [narrow(game.hands[seat]) for seat in order]
        self.left = 0 if self.turn < 0 else bits.popcount(self.hands[self.turn])
        self.ours = game.taken[order[0]]
        self.theirs = game.taken[order[1]] + game.taken[order[2]]
        self.tricks = game.tricks[order[0]]
        self.shown = narrow(shown)
        self.sure = narrow(sure)
        self.bury(_NOTHING)

    def set_pay(self, pay: Sequence[float], slope: float) -> None:
        """What the outcomes are worth."""
        self.pay = [float(value) for value in pay]
        self.slope = slope


def thirds_in(cards: int) -> int:
    """Thirds of a point in a mask."""
    return 2 * bits.popcount(cards & _ACES) + bits.popcount(cards & _WORTHY)


def strength(hand: int) -> int:
    """A hand in tenths of a trick: threes, backed twos and aces count most."""
    total = 0
    left = hand
    while left:
        code = bits.lowest(left)
        left &= left - 1
        total += _ALONE[_RANK[code]] if _BETTER[code] & ~hand else _BACKED[_RANK[code]]
    return total


def highest_rank(cards: int) -> int:
    """The card of the highest rank, of equal ones the first."""
    best = -1
    most = -1
    while cards:
        code = bits.lowest(cards)
        cards &= cards - 1
        if _RANK[code] > most:
            most = _RANK[code]
            best = code
    return best


def lowest_rank(cards: int) -> int:
    """The card of the lowest rank, of equal ones the last."""
    best = -1
    least = 99
    while cards:
        code = bits.lowest(cards)
        cards &= cards - 1
        if _RANK[code] <= least:
            least = _RANK[code]
            best = code
    return best


__all__ = ["CARDS", "OUTCOMES", "Play", "narrow", "strength", "thirds_in"]
