"""Flat Monte Carlo over worlds (PIMC): every legal card is tried in the same worlds with the same chance.

What is hidden is drawn by a :class:`~meja.search.worlds.Dealer`; each card is played in that world, and the deal is
played to its end by a policy or by random cards. The same worlds and the same numbers for all cards make their
differences far more certain than their means.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import meja.search.bits as bits
from meja.errors import MejaError
from meja.messages import msg
from meja.search.dice import Dice
from meja.search.policies import Policy
from meja.search.tricks import Tricks
from meja.search.worlds import Dealer, Inference

try:
    import cython
except ImportError:
    from meja.search import uncompiled as cython

#: Mixed into the seed of the play, so that it does not repeat the stream that drew the world.
_PLAY: Final = 0x5DEECE66D
#: Worlds between two looks at the clock.
_BATCH: Final = 8
#: Points of a seat are from -32 to 31; the last place of a table of outcomes.
_POINTS: Final = 32
_LAST: Final = 16383


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is known of a card: mean utility, its standard error, and that of the difference to the best card."""

    card: int
    mean: float
    error: float
    to_best: float
    worlds: int


class Utility:
    """What the score of a deal is worth to a seat: weights for the points, or for one seat a table of outcomes."""

    def __init__(
        self,
        own: float = 1.0,
        others: float = 0.0,
        seat: int = -1,
        outcomes: Mapping[tuple[int, ...], float] | None = None,
    ) -> None:
        """Worth ``own`` for every point of the seat itself and ``others`` for every point of each other seat.

        ``outcomes``: for ``seat``, instead, what the points of all seats are worth, for every score that can come
        about; any other score is worth whatever it meets there.
        Raises :class:`~meja.errors.MejaError` where they cannot be put into a table.
        """
        self.own = own
        self.others = others
        self.seat = seat if outcomes else -1
        self.digits = [0 for _ in range(64)]
        self.table = [0.0 for _ in range(16384)]
        found = sorted({points for score in outcomes or () for points in score})
        if len(found) > 2 * _POINTS or any(not -_POINTS <= points < _POINTS for points in found):
            raise MejaError(msg("too many outcomes for a table"))
        for digit, points in enumerate(found):
            self.digits[points + _POINTS] = digit
        self.base = _base(outcomes or {}, {points: digit for digit, points in enumerate(found)})
        for score, worth in (outcomes or {}).items():
            code = 0
            for points in score:
                code = (code * self.base + self.digits[points + _POINTS]) & _LAST
            self.table[code] = worth

    def value(self, game: Tricks, seat: int) -> float:
        """What the score of a finished deal is worth to a seat."""
        if seat == self.seat:
            code = 0
            for other in range(game.seats):
                code = (code * self.base + self.digits[game.points[other] + _POINTS]) & _LAST
            return self.table[code]
        total = self.own * game.points[seat]
        if self.others != 0.0:
            for other in range(game.seats):
                if other != seat:
                    total += self.others * game.points[other]
        return total


def _base(outcomes: Mapping[tuple[int, ...], float], digits: Mapping[int, int]) -> int:
    """A base in which, modulo the size of the table, the digits of every outcome make a number of its own."""
    for base in range(len(digits), len(digits) + 1000):
        codes = set()
        for score in outcomes:
            code = 0
            for points in score:
                code = (code * base + digits[points]) & _LAST
            codes.add(code)
        if len(codes) == len(outcomes):
            return base
    raise MejaError(msg("too many outcomes for a table"))


class Pimc:
    """The sums of a search; :meth:`run` adds worlds."""

    def __init__(
        self,
        dealer: Dealer,
        policy: Policy | None,
        sign: int = 1,
        utility: Utility | None = None,
        inference: Inference | None = None,
        plan: Policy | None = None,
    ) -> None:
        """``policy`` plays to the end (``None``: random cards); utility is ``sign`` times the own points.

        ``utility``: another one. ``inference`` draws the worlds instead of ``dealer``, for which it was made.
        ``plan``: the policy by which the own seat goes on after its card; the others go on by ``policy``.
        """
        self.dealer = dealer
        self.policy: Any = policy
        self.greedy = int(policy is not None)
        self.utility = Utility(float(sign)) if utility is None else utility
        self.inference: Any = inference
        self.soft = int(inference is not None)
        self.plan: Any = plan
        self.planned = int(plan is not None and policy is not None)
        self.legal = dealer.seen.legal()
        self.worlds = 0
        self.world = Tricks()
        self.game = Tricks()
        self.world.copy(dealer.seen)
        self.game.copy(dealer.seen)
        self.dice = Dice()
        self.sums = [0.0 for _ in range(52)]
        self.squares = [0.0 for _ in range(52)]
        # Products of two cards' utilities, for the error of a difference: by place among the legal cards.
        self.products = [0.0 for _ in range(16 * 16)]
        self.last = [0.0 for _ in range(16)]

    def run(self, count: int, seed: int) -> None:
        """Try every card in ``count`` more worlds; world ``n`` is drawn and played by ``seed`` and ``n`` alone."""
        with cython.nogil:
            self.look(count, seed)

    def look(self, count: int, seed: int) -> None:
        """The loop of :meth:`run`."""
        me = self.dealer.me
        for _ in range(count):
            self.dice.seed(seed, self.worlds)
            if self.soft:
                self.inference.deal(self.world, self.dice, seed, self.worlds)
            else:
                self.dealer.deal(self.world, self.dice)
            left = self.legal
            place = 0
            while left:
                card = bits.lowest(left)
                left &= left - 1
                self.game.rewind(self.world)
                self.game.last = self.world.last
                self.dice.seed(seed ^ _PLAY, self.worlds)
                self.game.play(card)
                self.finish()
                value = self.utility.value(self.game, me)
                self.sums[card] += value
                self.squares[card] += value * value
                self.last[place & 15] = value
                place += 1
            self.multiply(place)
            self.worlds += 1

    def finish(self) -> None:
        """Play the deal to its end."""
        if self.planned:
            self.policy.playout_beside(self.game, self.dice, self.dealer.me, self.plan)
        elif self.greedy:
            self.policy.playout(self.game, self.dice)
        else:
            self.game.playout(self.dice)

    def multiply(self, count: int) -> None:
        """Add the products of this world's utilities."""
        for one in range(count):
            for other in range(count):
                self.products[one * 16 + other] += self.last[one] * self.last[other]

    def estimates(self) -> list[Estimate]:
        """All cards, the best first; of equal ones the lowest first."""
        count = self.worlds
        cards = self.dealer.seen.cards()
        means = [self.sums[card] / count for card in cards]
        best = max(range(len(cards)), key=lambda place: (means[place], -cards[place]))

        def error(square: float, mean: float) -> float:
            return math.sqrt(max(square / count - mean * mean, 0.0) / max(count - 1, 1))

        found = []
        for place, card in enumerate(cards):
            square = self.squares[card] + self.squares[cards[best]] - 2 * self.products[place * 16 + best]
            apart = error(square, means[place] - means[best])
            found.append(Estimate(card, means[place], error(self.squares[card], means[place]), apart, count))
        return sorted(found, key=lambda made: (-made.mean, made.card))


def sign_of(view: Any) -> int:
    """Whether a player of the view wants many points (1) or few (-1)."""
    return -1 if view.rules.low_wins else 1


def think(
    view: Any,
    *,
    worlds: int,
    seed: int = 0,
    seconds: float | None = None,
    policy: Policy | None = None,
    utility: Utility | None = None,
    model: Policy | None = None,
    temperature: float = 0.3,
    plan: Policy | None = None,
) -> list[Estimate]:
    """Estimate every legal card of a view of the play, by at most ``worlds`` worlds and about ``seconds``.

    At least one world is looked at. The same view, seed and number of worlds give the same answer.
    ``utility`` and ``plan`` as in :class:`Pimc`. ``model``: how the others are thought to play; with it worlds that
    explain what they have played come more often (:class:`~meja.search.worlds.Inference` at ``temperature``).
    """
    began = time.monotonic()
    until = math.inf if seconds is None else began + seconds
    dealer = Dealer(view)
    inference = None if model is None else Inference(dealer, model, temperature)
    search = Pimc(dealer, policy, sign_of(view), utility, inference, plan)
    search.run(1, seed)
    spend(search, worlds, seed, until, began)
    return search.estimates()


def spend(search: Pimc, worlds: int, seed: int, until: float, began: float) -> None:
    """Add worlds up to a number, as long as the next ones should be done by ``until`` (:func:`time.monotonic`).

    ``began``: when the first world was begun. The clock decides when to stop, never what a world is.
    """
    now = time.monotonic()
    longest, batch = now - began, 1
    while search.worlds < worlds and now + longest * batch < until:
        count = min(batch, worlds - search.worlds)
        search.run(count, seed)
        before, now = now, time.monotonic()
        longest = max((now - before) / count, 1e-9)
        batch = min(2 * batch, _BATCH)


__all__ = ["Estimate", "Pimc", "Utility", "sign_of", "spend", "think"]
