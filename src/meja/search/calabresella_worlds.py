"""Worlds for the play of Calabresella, likelier than by chance: a bidder buries what he misses least.

The hidden cards are dealt evenly by :class:`~meja.search.worlds.Dealer`. What the bidder holds or has buried is then
parted anew by what people bury, and of some such worlds one is kept by how well it explains the bids and the cards
played. No world that agrees with the view becomes impossible.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import meja.search.bits as bits
from meja.cards import mask_of
from meja.games.calabresella import SOLISSIMO
from meja.search.calabresella_play import Play, narrow, strength
from meja.search.dice import Dice
from meja.search.worlds import Dealer

_PLACES: Final = 8
_CARDS: Final = 40
_NOTHING: Final = 0
_SUIT: Final = 1023
#: How many cards lie in the monte; more than any strength of a hand.
_BURIED: Final = 4
_TENS: Final = 100
_BIT: Final = [1 << code for code in range(40)] + [0] * 24
_RANK: Final = [code % 10 for code in range(40)] + [0] * 24
_THIRDS: Final = [3 if code % 10 == 7 else 1 if code % 10 > 3 else 0 for code in range(40)] + [0] * 24
#: How readily a card is buried, by rank from the four up.
_BURY: Final = [100, 95, 90, 80, 45, 35, 25, 25, 3, 1]
#: How likely a play is that rules of thumb would not make: one of the same suit and worth, and any other.
_ALIKE: Final = 0.7
_OTHER: Final = 0.4
#: From which strength a hand is bid, by contract, and how much that varies.
_BID_FROM: Final = (0, 18, 36, 54)
_VARIES: Final = 6.0


def _odds(threshold: int) -> list[float]:
    """By strength, how likely it is that a hand is bid."""
    return [1.0 / (1.0 + 2.718281828 ** ((threshold - points) / _VARIES)) for points in range(_TENS)]


class Guess:
    """Deals the hidden cards of a view of the play into positions.

    ``start`` is the position as its seat knows it. ``tries``: how many worlds are looked at for each that is dealt.
    """

    def __init__(self, view: Any, tries: int = 3) -> None:
        """Prepare for a view of the play; ``tries`` 0 deals evenly."""
        self.dealer = Dealer(view)
        players = view.players
        first = players.index(view.bidder)
        order = [players[(first + step) % 3] for step in range(3)]
        known = view.known()
        given = 0 if view.given is None else 1 << view.given
        called = 0 if view.called is None else 1 << view.called
        taken = mask_of(view.shown) | called
        tops = sum(1 << card for card in view.shown if card % 13 in (0, 1))
        self.start = Play()
        self.start.load(self.dealer.seen, order, taken & ~given, (called | tops) & ~given)
        mine = 0 if view.seat is None else mask_of(view.laid)
        # After scegliete the second opponent may have picked up what the first one laid away.
        lies = not (view.raised == "scegliete" and view.seat == order[1])
        self.me = order.index(view.seat) if view.seat is not None else -1
        self.start.monte = narrow(mine) if lies else 0
        self.tries = tries
        self.hidden = self.dealer.hidden
        seats = [seat for seat in players if seat != view.seat]
        self.player_at = _padded([order.index(seat) for seat in seats], _PLACES)
        self.rest = narrow(self.dealer.seen.rest)
        solissimo = known.contract == SOLISSIMO
        self.parts = int(tries > 0 and self.me != 0 and not solissimo)
        voids = view.voids[view.bidder]
        self.stays = sum(_SUIT << 10 * suit for suit in range(4) if voids >> suit & 1)
        # What a hand was when the bids were made: less what was taken, with what was given away.
        self.taken = [narrow(taken), 0, 0]
        self.parted = [0, 0, 0]
        if view.giver is not None:
            self.parted[0] = narrow(given)
            giver = order.index(view.giver)
            self.taken[giver] = narrow(given)
            self.parted[giver] = narrow(called)
        if solissimo:
            self.taken = [0, 0, 0]
        self.bids = int(view.raised in (None, "plain"))
        self.odds = _odds(_BID_FROM[known.contract])
        self.kept = [0, 0, 0, 0]
        self.played = [0, 0, 0]
        self.plays = 0
        log = []
        for seat, card in known.plays():
            player = order.index(seat)
            code = bits.lowest(narrow(1 << card))
            log.append(code << 2 | player)
            self.played[player] |= 1 << code
        self.plays = len(log)
        self.log = _padded(log, _CARDS)
        self.opening = Play()
        self.opening.copy(self.start)
        self._go_back()
        self.past = Play()
        self.past.copy(self.opening)

    def _go_back(self) -> None:
        """Make ``opening`` the position before the first card."""
        start = self.opening
        start.gone = 0
        start.left = 12
        start.ours = start.theirs = start.tricks = start.in_trick = start.pile = 0
        if self.plays:
            start.turn = start.leader = self.log[0] & 3

    def deal(self, game: Play, dice: Dice) -> None:
        """Make ``game``, a copy of ``start``, the same position with a world drawn into it."""
        game.rewind(self.start)
        if self.tries <= 1:
            self.draw(game, dice)
            return
        total = 0.0
        for _ in range(self.tries):
            self.draw(game, dice)
            weight = self.weigh(game)
            total += weight
            if dice.unit() * total < weight:
                self.kept[0] = game.hands[0]
                self.kept[1] = game.hands[1]
                self.kept[2] = game.hands[2]
                self.kept[3] = game.monte
        game.hands[0] = self.kept[0]
        game.hands[1] = self.kept[1]
        game.hands[2] = self.kept[2]
        game.bury(self.kept[3])

    def draw(self, game: Play, dice: Dice) -> None:
        """One world."""
        self.dealer.worlds.draw(dice)
        held = _NOTHING
        for place in range(self.hidden):
            cards = narrow(self.dealer.worlds.drawn[place])
            held |= cards
            game.hands[self.player_at[place]] = cards
        monte = self.rest & ~held
        if self.parts:
            monte = self.part(game, monte, dice)
        game.bury(monte)

    def part(self, game: Play, monte: int, dice: Dice) -> int:
        """Part what the bidder holds or has buried by how readily cards are buried; the new monte."""
        buried = monte & self.stays
        pool = (game.hands[0] | monte) & ~buried
        count = _BURIED - bits.popcount(buried)
        while count > 0:
            total = 0
            left = pool
            while left:
                total += _BURY[_RANK[bits.lowest(left)]]
                left &= left - 1
            total = dice.below(total)
            left = pool
            code = bits.lowest(left)
            while True:
                code = bits.lowest(left)
                total -= _BURY[_RANK[code]]
                if total < 0:
                    break
                left &= left - 1
            buried |= _BIT[code]
            pool &= ~_BIT[code]
            count -= 1
        game.hands[0] = pool
        return buried

    def weigh(self, game: Play) -> float:
        """How well a world explains the bids and the cards played."""
        weight = 1.0
        if self.bids:
            for player in range(3):
                if player == self.me:
                    continue
                hand = game.hands[player] | self.played[player]
                if player == 0 and self.parts:
                    hand |= game.monte
                hand = (hand & ~self.taken[player]) | self.parted[player]
                points = strength(hand)
                if points >= _TENS:
                    points = _TENS - 1
                if player == 0:
                    weight *= 0.1 + self.odds[points]
                else:
                    weight *= 1.1 - self.odds[points]
        if self.plays:
            self.past.rewind(self.opening)
            for player in range(3):
                self.past.hands[player] = game.hands[player] | self.played[player]
            self.past.bury(game.monte)
            for index in range(self.plays):
                player = self.log[index] & 3
                code = self.log[index] >> 2
                self.past.turn = player
                if player != self.me:
                    other = self.past.thumb()
                    if other != code:
                        if other // 10 == code // 10 and _THIRDS[other] == _THIRDS[code]:
                            weight *= _ALIKE
                        else:
                            weight *= _OTHER
                self.past.play(code)
        return weight


def _padded(values: Sequence[int], size: int) -> list[int]:
    """The values, then zeros."""
    return [int(value) for value in values] + [0] * (size - len(values))


__all__ = ["Guess"]
