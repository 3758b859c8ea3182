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
    "own weaker in its suit",
    "own stronger in its suit",
    "above the lowest",
    "most of another",
    "winner's points",
    "loses, winner's points, worth",
    "has all tricks",
    "another has all tricks",
    "another has all tricks, takes",
    "bidder to play after",
    "bidder has it",
    "bidder has it, loses, worth",
    "jack of trumps",
    "jack of trumps on the table, takes",
    "trumps in hand",
    "trumps out",
)
_COUNT: Final = 52
#: How many numbers that is.
FEATURES: Final = _COUNT
#: Weights for the first so many numbers are weights too: the others count nothing.
_FIRST: Final = 36
#: Most units of the hidden layer of a net.
_HIDDEN: Final = 64

_SUIT: Final = 0x1FFF
_ONE: Final = 1
_CALABRESELLA: Final = 1
_SMEAR: Final = 2
_JACK: Final = 9


class Policy:
    """Chooses cards by weights; ``temperature`` 0 takes the best card, of equal ones the lowest."""

    def __init__(
        self,
        weights: Sequence[float],
        temperature: float = 0.0,
        hidden: Sequence[Sequence[float]] = (),
    ) -> None:
        """``weights``: a number per feature; or, with ``hidden`` (a row of weights per unit), a number per unit.

        A weight per feature of the first version, of which there were 36, will do as well.
        Raises :class:`~meja.errors.MejaError` where the numbers do not fit.
        """
        units = len(hidden)
        if units > _HIDDEN or any(len(row) not in (_FIRST, _COUNT) for row in hidden):
            raise MejaError(
                msg("expected at most {most} hidden units of {count} weights each", most=_HIDDEN, count=_COUNT)
            )
        expected = units or _COUNT
        if len(weights) != expected and (units or len(weights) != _FIRST):
            raise MejaError(msg("expected {expected} weights, found {found}", expected=expected, found=len(weights)))
        if not temperature >= 0.0:
            raise MejaError(msg("a temperature is 0 or more, not {found}", found=temperature))
        self.units = units
        self.temperature = temperature
        self.weights = _padded(weights, _HIDDEN)
        # By feature, so that all units are added up side by side.
        self.rows = [
            hidden[unit][index] if unit < units and index < len(hidden[unit]) else 0.0
            for index in range(_COUNT)
            for unit in range(_HIDDEN)
        ]
        self.inside = _padded((), _HIDDEN)
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
        own_weaker = 0
        own_stronger = 0
        held = hand & suit & ~(_ONE << card)
        while held:
            if game.power[bits.lowest(held)] > power:
                own_stronger += 1
            else:
                own_weaker += 1
            held &= held - 1
        done = 0
        least = 1000
        most = 0
        runner = -1
        for other in range(game.seats):
            done += game.tricks[other]
            if other != seat and (game.hands[other] | game.played[other]):
                if game.taken[other] < least:
                    least = game.taken[other]
                if game.taken[other] > most:
                    most = game.taken[other]
        for other in range(game.seats):
            if done > 0 and game.tricks[other] == done:
                runner = other
        swept = 1.0 if runner >= 0 and runner != seat else 0.0
        caught = game.taken[game.winner] / 100.0 if game.in_trick > 0 else 0.0
        waits = 0.0
        has_it = 0.0
        if game.bidder >= 0 and game.bidder != seat:
            other = game.after[seat]
            for _ in range(after):
                if other == game.bidder:
                    waits = 1.0
                other = game.after[other]
            if game.in_trick > 0 and game.winner == game.bidder:
                has_it = 1.0
        jack = 0.0
        jack_on_table = 0.0
        own_trumps = 0
        trumps_out = 0
        if game.trump >= 0:
            trumps = _SUIT << (game.trump * 13)
            own_trumps = bits.popcount(hand & trumps)
            trumps_out = 13 - bits.popcount(seen & trumps)
            if game.kind == _SMEAR:
                jack = 1.0 if card == game.trump * 13 + _JACK else 0.0
                jack_on_table = 1.0 if game.pile >> (game.trump * 13 + _JACK) & 1 else 0.0
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
        self.values[36] = own_weaker / 4.0
        self.values[37] = own_stronger / 4.0
        self.values[38] = (game.taken[seat] - least) / 60.0
        self.values[39] = most / 100.0
        self.values[40] = caught
        self.values[41] = (1.0 - takes) * caught * worth
        self.values[42] = 1.0 if runner == seat else 0.0
        self.values[43] = swept
        self.values[44] = swept * takes
        self.values[45] = waits
        self.values[46] = has_it
        self.values[47] = (1.0 - takes) * has_it * worth
        self.values[48] = jack
        self.values[49] = jack_on_table * takes
        self.values[50] = own_trumps / 6.0
        self.values[51] = trumps_out / 13.0

    def value(self, game: Tricks, card: int) -> float:
        """The score of a legal card of the seat to act."""
        self.look(game, card)
        total = 0.0
        if self.units == 0:
            for index in range(_COUNT):
                total += self.weights[index] * self.values[index]
            return total
        for unit in range(self.units):
            self.inside[unit] = 0.0
        for index in range(_COUNT):
            number = self.values[index]
            if number != 0.0:
                start = index * _HIDDEN
                for unit in range(self.units):
                    self.inside[unit] += self.rows[start + unit] * number
        for unit in range(self.units):
            if self.inside[unit] > 0.0:
                total += self.weights[unit] * self.inside[unit]
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

    def playout_beside(self, game: Tricks, dice: Dice, seat: int, plan: Policy) -> None:
        """As :meth:`playout`, but one seat plays by another policy."""
        while game.turn >= 0:
            if game.turn == seat:
                game.play(plan.choose(game, dice))
            else:
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
