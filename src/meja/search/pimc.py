"""Flat Monte Carlo over worlds (PIMC): every legal card is tried in the same worlds with the same chance.

What is hidden is drawn by a :class:`~meja.search.worlds.Dealer`; each card is played in that world, and the deal is
played to its end by a policy or by random cards. The same worlds and the same numbers for all cards make their
differences far more certain than their means.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any, Final

import meja.search.bits as bits
from meja.search.dice import Dice
from meja.search.policies import Policy
from meja.search.tricks import Tricks
from meja.search.worlds import Dealer

try:
    import cython
except ImportError:
    from meja.search import uncompiled as cython

#: Mixed into the seed of the play, so that it does not repeat the stream that drew the world.
_PLAY: Final = 0x5DEECE66D
#: Worlds between two looks at the clock.
_BATCH: Final = 8


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is known of a card: mean utility, its standard error, and that of the difference to the best card."""

    card: int
    mean: float
    error: float
    to_best: float
    worlds: int


class Pimc:
    """The sums of a search; :meth:`run` adds worlds."""

    def __init__(self, dealer: Dealer, policy: Policy | None, sign: int = 1) -> None:
        """``policy`` plays to the end (``None``: random cards); utility is ``sign`` times the own points."""
        self.dealer = dealer
        self.policy: Any = policy
        self.greedy = int(policy is not None)
        self.sign = sign
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
                value = self.sign * self.game.points[me]
                self.sums[card] += value
                self.squares[card] += value * value
                self.last[place & 15] = value
                place += 1
            self.multiply(place)
            self.worlds += 1

    def finish(self) -> None:
        """Play the deal to its end."""
        if self.greedy:
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
    return -1 if view.game == "bassadewitz" and not view.rules.classic_pool else 1


def think(
    view: Any,
    *,
    worlds: int,
    seed: int = 0,
    seconds: float | None = None,
    policy: Policy | None = None,
) -> list[Estimate]:
    """Estimate every legal card of a view of the play, by at most ``worlds`` worlds and about ``seconds``.

    At least one world is looked at. The same view, seed and number of worlds give the same answer.
    """
    until = math.inf if seconds is None else time.monotonic() + seconds
    search = Pimc(Dealer(view), policy, sign_of(view))
    search.run(1, seed)
    while search.worlds < worlds and time.monotonic() < until:
        search.run(min(_BATCH, worlds - search.worlds), seed)
    return search.estimates()


__all__ = ["Estimate", "Pimc", "sign_of", "think"]
