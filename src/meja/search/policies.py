"""Policies for the trick games: a score for every legal card from what its player may know.

A policy looks at :data:`FEATURES` numbers about a card: of the player's own hand, the cards played and the trick on the
table, never of another hand. A linear policy weighs them, a net sends them through one hidden layer first. The card
with the highest score is played, or, with a temperature, a card by chance of ``exp(score / temperature)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import meja.search.bits as bits
from meja.errors import MejaError
from meja.messages import msg
from meja.search.dice import Dice
from meja.search.tricks import Tricks

#: What a card's numbers are, in order; each about 0 to 1.
NAMES: Final = (
    "one",
    "strength",
    "worth",
    "trump",
    "leads",
    "leads, strength",
    "leads, worth",
    "follows",
    "takes",
    "takes as last",
    "table",
    "takes, table",
    "takes as last, gain",
    "loses, worth",
    "thrown, worth",
    "thrown",
    "length of its suit",
    "alone in its suit",
    "stronger out",
    "weaker out",
    "leads, stronger out",
    "leads, weaker out",
    "none stronger out",
    "takes, none stronger out",
    "cards left",
    "own points",
    "partner has it",
    "partner has it, worth",
    "enemy has it, worth",
    "alone against the others",
    "alone, takes, gain",
    "to play after",
    "takes, to play after",
    "loses, table",
    "trump saved",
    "suit all gone elsewhere",
)
_COUNT: Final = 36
#: How many numbers that is.
FEATURES: Final = _COUNT
#: Most units of the hidden layer of a net.
_HIDDEN: Final = 64

_SUIT: Final = 0x1FFF
_ONE: Final = 1
_CALABRESELLA: Final = 1


class Policy:
    """Chooses cards by weights; ``temperature`` 0 takes the best card, of equal ones the lowest."""

    def __init__(
        self,
        weights: Sequence[float],
        temperature: float = 0.0,
        hidden: Sequence[Sequence[float]] = (),
    ) -> None:
        """``weights``: a number per feature; or, with ``hidden`` (a row of weights per unit), a number per unit.

        Raises :class:`~meja.errors.MejaError` where the numbers do not fit.
        """
        units = len(hidden)
        if units > _HIDDEN or any(len(row) != _COUNT for row in hidden):
            raise MejaError(
                msg("expected at most {most} hidden units of {count} weights each", most=_HIDDEN, count=_COUNT)
            )
        expected = units or _COUNT
        if len(weights) != expected:
            raise MejaError(msg("expected {expected} weights, found {found}", expected=expected, found=len(weights)))
        if not temperature >= 0.0:
            raise MejaError(msg("a temperature is 0 or more, not {found}", found=temperature))
        self.units = units
        self.temperature = temperature
        self.weights = _padded(weights, _HIDDEN)
        self.rows = _padded([weight for row in hidden for weight in row], _COUNT * _HIDDEN)
        self.values = _padded((), _HIDDEN)
        self.scores = _padded((), 52)
        self.cards = list(range(52))

    def look(self, game: Tricks, card: int) -> None:
        """Fill ``values`` with the numbers of a legal card of the seat to act."""
        seat = game.turn
        hand = game.hands[seat]
        suit = _SUIT << (card // 13 * 13)
        power = game.power[card]
        strength = (power & 15) / 13.0
        worth = game.worth[card] / 11.0
        size = bits.popcount(hand)
        length = bits.popcount(hand & suit)
        seen = hand
        for other in range(game.seats):
            seen |= game.played[other]
        stronger = 0
        weaker = 0
        out = suit & ~seen
        while out:
            unseen = bits.lowest(out)
            out &= out - 1
            if game.power[unseen] > 0:
                if game.power[unseen] > power:
                    stronger += 1
                else:
                    weaker += 1
        higher = stronger / 8.0
        lower = weaker / 8.0
        table = 0
        pile = game.pile
        while pile:
            table += game.worth[bits.lowest(pile)]
            pile &= pile - 1
        on_table = table / 22.0
        leads = 1.0 if game.in_trick == 0 else 0.0
        after = game.players - game.in_trick - 1
        last = 1.0 if after == 0 else 0.0
        takes = 1.0
        follows = 0.0
        thrown = 0.0
        if game.in_trick > 0:
            follows = 1.0 if game.suit >> card & 1 else 0.0
            if not (game.led >> card & 1 and power > game.power[game.best]):
                takes = 0.0
            thrown = 1.0 if not game.led >> card & 1 else 0.0
        trump = 1.0 if game.trump >= 0 and card // 13 == game.trump else 0.0
        partner = 0.0
        enemy = 0.0
        if game.in_trick > 0:
            if game.kind == _CALABRESELLA and seat != game.bidder and game.winner != game.bidder:
                partner = 1.0
            else:
                enemy = 1.0
        alone = 1.0 if game.bidder == seat else 0.0
        gain = on_table + worth * 0.5
        best = 1.0 if stronger == 0 else 0.0
        later = after / 3.0
        self.values[0] = 1.0
        self.values[1] = strength
        self.values[2] = worth
        self.values[3] = trump
        self.values[4] = leads
        self.values[5] = leads * strength
        self.values[6] = leads * worth
        self.values[7] = follows
        self.values[8] = takes
        self.values[9] = takes * last
        self.values[10] = on_table
        self.values[11] = takes * on_table
        self.values[12] = takes * last * gain
        self.values[13] = (1.0 - takes) * worth
        self.values[14] = thrown * worth
        self.values[15] = thrown
        self.values[16] = length / 8.0
        self.values[17] = 1.0 if length == 1 else 0.0
        self.values[18] = higher
        self.values[19] = lower
        self.values[20] = leads * higher
        self.values[21] = leads * lower
        self.values[22] = best
        self.values[23] = takes * best
        self.values[24] = size / 12.0
        self.values[25] = game.taken[seat] / 100.0
        self.values[26] = partner
        self.values[27] = partner * worth
        self.values[28] = enemy * worth
        self.values[29] = alone
        self.values[30] = alone * takes * gain
        self.values[31] = later
        self.values[32] = takes * later
        self.values[33] = (1.0 - takes) * on_table
        self.values[34] = trump * (1.0 - takes)
        self.values[35] = 1.0 if stronger + weaker == 0 else 0.0

    def value(self, game: Tricks, card: int) -> float:
        """The score of a legal card of the seat to act."""
        self.look(game, card)
        total = 0.0
        if self.units == 0:
            for index in range(_COUNT):
                total += self.weights[index] * self.values[index]
            return total
        for unit in range(self.units):
            inside = 0.0
            for index in range(_COUNT):
                inside += self.rows[unit * _COUNT + index] * self.values[index]
            if inside > 0.0:
                total += self.weights[unit] * inside
        return total

    def choose(self, game: Tricks, dice: Dice) -> int:
        """The card that the seat to act plays."""
        legal = game.legal()
        if legal & (legal - 1) == 0:
            return bits.lowest(legal)
        count = 0
        best = 0
        while legal:
            card = bits.lowest(legal)
            legal &= legal - 1
            self.scores[count] = self.value(game, card)
            self.cards[count] = card
            if self.scores[count] > self.scores[best]:
                best = count
            count += 1
        if self.temperature == 0.0:
            return self.cards[best]
        return self.cards[self.draw(count, best, dice)]

    def draw(self, count: int, best: int, dice: Dice) -> int:
        """One of the first ``count`` scores by chance; turns them into weights. The best one is at ``best``."""
        top = self.scores[best]
        total = 0.0
        for index in range(count):
            self.scores[index] = exponential((self.scores[index] - top) / self.temperature)
            total += self.scores[index]
        pick = dice.unit() * total
        for index in range(count):
            pick -= self.scores[index]
            if pick < 0.0:
                return index
        return best

    def playout(self, game: Tricks, dice: Dice) -> None:
        """Everybody plays by this policy to the end; the score is counted."""
        while game.turn >= 0:
            game.play(self.choose(game, dice))
        game.score()


def exponential(power: float) -> float:
    """``e ** power`` for ``power`` <= 0, by halving and a Taylor series: the same bits in every mode."""
    if power < -30.0:
        return 0.0
    part = power / 1024.0
    result = 1.0 + part * (1.0 + part * (0.5 + part * (1.0 / 6.0 + part / 24.0)))
    for _ in range(10):
        result *= result
    return result


def _padded(values: Sequence[float], size: int) -> list[float]:
    """The values, then zeros."""
    return [float(value) for value in values] + [0.0] * (size - len(values))
