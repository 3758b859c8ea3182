"""The play of a trick game in bit masks: one kernel for Bassadewitz, Calabresella and Smear.

A :class:`Tricks` holds a position inside the play and nothing of what came before it but what the score needs. The
rules are those of ``meja.games``; what is restated here (who may play what, who wins a trick, the score of a deal) is
tied to them by differential tests over random deals of every option.
"""

from __future__ import annotations

from typing import Any, Final

import meja.search.bits as bits
from meja.errors import MejaError
from meja.messages import msg
from meja.search.dice import Dice

try:
    import cython
except ImportError:
    from meja.search import uncompiled as cython

#: Most seats that a position can have.
_SEATS: Final = 5

#: What ``kind`` says: whose score is counted.
_BASSADEWITZ: Final = 0
_CALABRESELLA: Final = 1
_SMEAR: Final = 2

#: What ``duty`` says: any card; follow suit; follow suit or play a trump.
_FREE: Final = 0
_FOLLOW: Final = 1
_FOLLOW_OR_TRUMP: Final = 2

_ONE: Final = 1
_SUIT: Final = 0x1FFF
#: What a trump has more strength than any card of a plain suit.
_TRUMPED: Final = 16
_JACK: Final = 9
_ACE: Final = 12
_HUNDRED: Final = 100
_EACH: Final = 4
_POOL: Final = 12

_KINDS: Final = {"bassadewitz": _BASSADEWITZ, "calabresella": _CALABRESELLA, "smear": _SMEAR}


class Tricks:
    """A position inside the play of a trick game; everybody's cards are known.

    ``hands``, ``played``, ``won`` hold masks by seat: cards held, cards played so far, cards in the tricks taken.
    ``points`` is filled by :meth:`score`. Seats that take no part have no cards.
    """

    def __init__(self) -> None:
        """An empty position; fill it by :meth:`load`, :meth:`copy` or :func:`position`."""
        self.kind = 0
        self.duty = 0
        self.seats = 0
        self.players = 0
        self.turn = -1
        self.leader = 0
        self.winner = 0
        self.best = 0
        self.in_trick = 0
        self.trump = -1
        self.suit = 0
        self.led = 0
        self.pile = 0
        self.rest = 0
        self.hands = [0, 0, 0, 0, 0]
        self.played = [0, 0, 0, 0, 0]
        self.won = [0, 0, 0, 0, 0]
        self.after = [0, 0, 0, 0, 0]
        self.taken = [0, 0, 0, 0, 0]
        self.tricks = [0, 0, 0, 0, 0]
        self.points = [0, 0, 0, 0, 0]
        self.power = list(range(52))
        self.worth = list(range(52))
        self.last = 0
        self.dealer = 0
        self.hand_size = 0
        self.bidder = -1
        self.bid = 0
        self.slams = 0
        self.ace_only = 0
        self.taker = 0
        self.each_trick = 0
        self.pool = 0
        self.sweep_pool = 0
        self.table = [0, 0, 0, 0, 0]
        self.void = 0
        self.order = list(range(52))

    def legal(self) -> int:
        """The mask of the cards that the seat to act may play."""
        hand = self.hands[self.turn]
        if self.duty == _FREE or self.in_trick == 0 or hand & self.suit == 0:
            return hand
        if self.duty == _FOLLOW:
            return hand & self.suit
        return hand & self.led

    def cards(self) -> list[int]:
        """The cards that the seat to act may play, ascending."""
        legal = self.legal()
        found = []
        while legal:
            found.append(bits.lowest(legal))
            legal &= legal - 1
        return found

    def play(self, card: int) -> None:
        """Play a legal card. After the last one ``turn`` is -1."""
        seat = self.turn
        bit = _ONE << card
        self.hands[seat] ^= bit
        self.played[seat] |= bit
        self.pile |= bit
        if self.in_trick == 0:
            if self.kind == _SMEAR and self.trump < 0:
                self.call_trump(card // 13)
            self.suit = self.led = _SUIT << (card // 13 * 13)
            if self.trump >= 0:
                self.led |= _SUIT << (self.trump * 13)
            self.best = card
            self.winner = seat
        elif bit & self.led and self.power[card] > self.power[self.best]:
            self.best = card
            self.winner = seat
        self.in_trick += 1
        if self.in_trick < self.players:
            self.turn = self.after[seat]
        else:
            self.take()

    def take(self) -> None:
        """The trick on the table goes to its winner, who leads, if cards are left."""
        winner = self.winner
        pile = self.pile
        self.won[winner] |= pile
        points = self.each_trick
        while pile:
            points += self.worth[bits.lowest(pile)]
            pile &= pile - 1
        self.tricks[winner] += 1
        self.pile = 0
        self.in_trick = 0
        self.leader = winner
        self.turn = winner
        if self.hands[winner] == 0:
            self.turn = -1
            points += self.last
        self.taken[winner] += points

    def call_trump(self, suit: int) -> None:
        """Make a suit (0..3) trump."""
        self.trump = suit
        for card in range(suit * 13, suit * 13 + 13):
            self.power[card] += _TRUMPED

    def copy(self, other: Tricks) -> None:
        """Become the same position as ``other``."""
        self.kind = other.kind
        self.duty = other.duty
        self.seats = other.seats
        self.players = other.players
        self.turn = other.turn
        self.leader = other.leader
        self.winner = other.winner
        self.best = other.best
        self.in_trick = other.in_trick
        self.trump = other.trump
        self.suit = other.suit
        self.led = other.led
        self.pile = other.pile
        self.rest = other.rest
        self.last = other.last
        self.dealer = other.dealer
        self.hand_size = other.hand_size
        self.bidder = other.bidder
        self.bid = other.bid
        self.slams = other.slams
        self.ace_only = other.ace_only
        self.taker = other.taker
        self.each_trick = other.each_trick
        self.pool = other.pool
        self.sweep_pool = other.sweep_pool
        for seat in range(_SEATS):
            self.hands[seat] = other.hands[seat]
            self.played[seat] = other.played[seat]
            self.won[seat] = other.won[seat]
            self.after[seat] = other.after[seat]
            self.taken[seat] = other.taken[seat]
            self.tricks[seat] = other.tricks[seat]
            self.table[seat] = other.table[seat]
        for card in range(52):
            self.power[card] = other.power[card]
            self.worth[card] = other.worth[card]

    def rewind(self, other: Tricks) -> None:
        """Become ``other`` again, of which this was a copy: only what play changes is copied."""
        if self.trump != other.trump:
            for card in range(52):
                self.power[card] = other.power[card]
        self.turn = other.turn
        self.leader = other.leader
        self.winner = other.winner
        self.best = other.best
        self.in_trick = other.in_trick
        self.trump = other.trump
        self.suit = other.suit
        self.led = other.led
        self.pile = other.pile
        self.rest = other.rest
        self.last = other.last
        for seat in range(self.seats):
            self.hands[seat] = other.hands[seat]
            self.played[seat] = other.played[seat]
            self.won[seat] = other.won[seat]
            self.taken[seat] = other.taken[seat]
            self.tricks[seat] = other.tricks[seat]

    def shuffle(self, dice: Dice) -> None:
        """Deal the cards of an unplayed position anew: the hands, and what lies beside them, from the same pack."""
        pack = self.rest
        for seat in range(self.seats):
            pack |= self.hands[seat]
        count = bits.popcount(pack)
        for index in range(count):
            self.order[index] = bits.lowest(pack)
            pack &= pack - 1
        place = count
        self.rest = 0
        for seat in range(self.seats):
            hand = 0
            for _ in range(bits.popcount(self.hands[seat])):
                other = dice.below(place)
                place -= 1
                hand |= _ONE << self.order[other]
                self.order[other] = self.order[place]
            self.hands[seat] = hand
        for index in range(place):
            self.rest |= _ONE << self.order[index]
        if self.kind == _CALABRESELLA:
            self.last = _last_points(self)

    def playout(self, dice: Dice) -> None:
        """Play random legal cards to the end, and count the score."""
        while self.turn >= 0:
            legal = self.legal()
            self.play(bits.pick(legal, dice.below(bits.popcount(legal))))
        self.score()

    # -- the score ----------------------------------------------------------------

    def score(self) -> None:
        """Fill ``points`` by seat with the score of the finished deal, as its score sheet adds it up."""
        for seat in range(self.seats):
            self.points[seat] = 0
        self.void = 0
        if self.kind == _BASSADEWITZ:
            self.score_bassadewitz()
        elif self.kind == _CALABRESELLA:
            self.score_calabresella()
        else:
            self.score_smear()

    def score_bassadewitz(self) -> None:
        """Sweep before hundred before places (B5)."""
        most = 0
        same = 1
        for seat in range(1, self.seats):
            if self.taken[seat] != self.taken[0]:
                same = 0
            if self.taken[seat] > self.taken[most]:
                most = seat
        if same:
            self.void = 1
            return
        special = 0
        for seat in range(self.seats):
            if self.tricks[seat] == self.hand_size:
                special = 1
                most = seat
        if special:
            for seat in range(self.seats):
                if seat != most:
                    self.points[seat] = -_EACH if self.pool else _EACH
            if self.pool:
                self.points[most] = 3 * _EACH
            if self.sweep_pool:
                self.points[most] += _POOL
                self.points[self.dealer] -= _POOL
            return
        if self.taken[most] >= _HUNDRED:
            for seat in range(self.seats):
                if seat != most:
                    self.points[seat] = _EACH if self.pool else -_EACH
            if self.pool:
                self.points[most] = -3 * _EACH
            return
        for seat in range(self.seats):
            place = 0
            for other in range(self.seats):
                if other != seat and self.before(other, seat):
                    place += 1
            self.points[seat] = self.table[place]
        if self.pool:
            self.points[self.dealer] -= _POOL

    def before(self, one: int, other: int) -> int:
        """Whether seat ``one`` comes before seat ``other`` in the places of Bassadewitz (B5.5 to B5.7)."""
        if self.taken[one] != self.taken[other]:
            return self.taken[one] < self.taken[other]
        if (self.tricks[one] > 0) != (self.tricks[other] > 0):
            return self.tricks[one] == 0
        seat = self.after[self.dealer]
        while seat != one and seat != other:
            seat = self.after[seat]
        return seat == one

    def score_calabresella(self) -> None:
        """The stake of the contract, times what cappotto or stramazzo makes of it (C7)."""
        bidder = self.bidder
        ours = self.taken[bidder]
        theirs = -ours
        for seat in range(self.seats):
            theirs += self.taken[seat]
        ours //= 3
        theirs //= 3
        tricks = self.tricks[bidder]
        factor = 1
        if self.slams > 0:
            if tricks == 0 or tricks == self.hand_size:
                factor = 4 if self.slams == 2 else 2
            elif ours == 0 or theirs == 0:
                factor = 3
            elif self.slams == 2:
                losers = self.hand_size - tricks if ours > theirs else tricks
                if losers == 1 and (self.leader == bidder) == (theirs > ours):
                    factor = 3
        stake = self.bid * factor
        if ours <= theirs:
            stake = -stake
        for seat in range(self.seats):
            if self.played[seat]:
                self.points[seat] = -stake
        self.points[bidder] = 2 * stake

    def score_smear(self) -> None:
        """High, Low, Jack and Game; the bid is made or set (S5)."""
        suit = _SUIT << (self.trump * 13)
        trumps = 0
        for seat in range(self.seats):
            trumps |= self.played[seat] & suit
        high = bits.highest(trumps)
        low = bits.lowest(trumps)
        jack = self.trump * 13 + _JACK
        most = 0
        for seat in range(1, self.seats):
            if self.taken[seat] > self.taken[most]:
                most = seat
        shared = 0
        for seat in range(self.seats):
            if self.taken[seat] == self.taken[most]:
                shared += 1
        for seat in range(self.seats):
            if self.played[seat] >> high & 1 and (self.ace_only == 0 or high % 13 == _ACE):
                self.points[seat] += 1
            if (self.won[seat] if self.taker else self.played[seat]) >> low & 1:
                self.points[seat] += 1
            if self.won[seat] >> jack & 1:
                self.points[seat] += 1
        if shared == 1:
            self.points[most] += 1
        if self.points[self.bidder] < self.bid:
            self.points[self.bidder] = -self.bid

    # -- from outside -------------------------------------------------------------

    def load(self, deal: Any) -> None:
        """Become the position of ``deal``, a deal of a trick game inside its play, with everybody's cards.

        Raises :class:`~meja.errors.MejaError` for another game, or before the first card may be played.
        """
        kind = _KINDS.get(deal.game)
        if kind is None:
            raise MejaError(msg("{game} is not a trick game", game=deal.game))
        if deal.phase not in ("play", "over"):
            raise MejaError(msg("the cards are not being played yet: phase {phase}", phase=deal.phase))
        rules = deal.rules
        self.kind = kind
        self.seats = rules.seats
        self.players = len(deal.players)
        self.turn = -1 if deal.to_act is None else deal.to_act
        self.leader = deal.leader
        self.winner = deal.winner
        self.best = deal.best if deal.trick else 0
        self.in_trick = len(deal.trick)
        self.trump = deal.trump
        self.led = deal.led if deal.trick else 0
        self.suit = _SUIT << (deal.trick[0] // 13 * 13) if deal.trick else 0
        self.pile = sum(_ONE << card for card in deal.trick)
        self.dealer = deal.dealer
        self.hand_size = deal.hand_size(rules)
        self.bidder = getattr(deal, "bidder", -1)
        self.each_trick = self.last = self.bid = self.slams = 0
        self.ace_only = self.taker = self.pool = self.sweep_pool = 0
        self.power = [int(power) for power in deal.strengths(rules)]
        self.worth = [int(worth) for worth in deal.worth]
        self.taken = _filled(deal.taken)
        self.tricks = _filled(deal.tricks)
        self.hands = _filled(deal.hands)
        self.after = _filled(deal.after)
        played, won = [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]
        for seat, card in deal.plays():
            played[seat] |= _ONE << card
        for cards, winner in deal.finished_tricks():
            won[winner] |= sum(_ONE << card for _, card in cards)
        self.played, self.won = played, won
        self.rest = sum(_ONE << card for card in deal.pack(rules)) & ~(sum(deal.hands) | sum(played))
        self.duty = _FOLLOW
        if kind == _BASSADEWITZ:
            self._load_bassadewitz(rules, type(deal))
        elif kind == _CALABRESELLA:
            self.duty = _FOLLOW if rules.follow_suit else _FREE
            self.slams = ("off", "standard", "tressette").index(rules.slams)
            self.bid = deal.base()
            self.last = 3 + sum(self.worth[card] for card in range(52) if self.rest >> card & 1)
        else:
            self.duty = _FOLLOW_OR_TRUMP if rules.trump_anytime else _FOLLOW
            self.bid = deal.bid
            self.ace_only = int(rules.high == "ace_only")
            self.taker = int(rules.low == "taker")
            if self.trump >= 0:
                self.call_trump(self.trump)

    def _load_bassadewitz(self, rules: Any, game: Any) -> None:
        self.each_trick = int(rules.trick_points)
        self.pool = int(rules.classic_pool)
        self.sweep_pool = int(rules.sweep_takes_pool)
        self.table = _filled(game.place_table(rules))

    def state(self) -> dict[str, Any]:
        """What play has made of the position, for tests and debugging."""
        seats = range(self.seats)
        return {
            "turn": self.turn,
            "leader": self.leader,
            "in_trick": self.in_trick,
            "trump": self.trump,
            "hands": [self.hands[seat] for seat in seats],
            "played": [self.played[seat] for seat in seats],
            "won": [self.won[seat] for seat in seats],
            "taken": [self.taken[seat] for seat in seats],
            "tricks": [self.tricks[seat] for seat in seats],
            "points": [self.points[seat] for seat in seats],
            "void": self.void,
        }


def _filled(values: Any) -> list[int]:
    """By seat, with zeros for seats that are not there."""
    return [int(value) for value in values] + [0] * (_SEATS - len(values))


def _last_points(game: Tricks) -> int:
    """Thirds that go with the last trick of Calabresella: a point, and the monte."""
    points = 3
    rest = game.rest
    while rest:
        points += game.worth[bits.lowest(rest)]
        rest &= rest - 1
    return points


def position(deal: Any) -> Tricks:
    """The position of a deal inside its play; see :meth:`Tricks.load`."""
    made = Tricks()
    made.load(deal)
    return made


def random_deals(start: Tricks, count: int, seed: int) -> int:
    """Shuffle and play ``count`` deals by random cards from an unplayed position; a checksum of their scores.

    Deal ``n`` is shuffled and played by ``Rng(seed, n)``, so that batches can be put together.
    """
    game = Tricks()
    game.copy(start)
    dice = Dice()
    with cython.nogil:
        total = _run_deals(game, start, dice, count, seed)
    return total


def _run_deals(game: Tricks, start: Tricks, dice: Dice, count: int, seed: int) -> int:
    """The loop of :func:`random_deals`."""
    total = 0
    for number in range(count):
        dice.seed(seed, number)
        game.rewind(start)
        game.shuffle(dice)
        game.playout(dice)
        for seat in range(game.seats):
            total += (game.points[seat] + 20) * (seat + 1)
    return total


__all__ = ["Tricks", "position", "random_deals"]
