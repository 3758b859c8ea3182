"""Information-set tree search for the trick games, one tree for all players (SO-ISMCTS) with availability counts.

Each iteration draws a world and walks down one tree of cards: of the cards that are legal in this world, one that was
never tried here is added, else the one with the best upper bound is taken, where a card is compared with how often it
*could* have been taken. Then the deal is played to its end, and everybody's points go up the path, each to the player
who chose.
(Cowling, Powley and Whitehouse, Information Set Monte Carlo Tree Search, 2012.)
"""

from __future__ import annotations

import math
import time
from typing import Any, Final

import meja.search.bits as bits
from meja.search.dice import Dice
from meja.search.pimc import Utility, sign_of
from meja.search.policies import Policy
from meja.search.tricks import Tricks
from meja.search.worlds import Dealer, Inference

try:
    import cython
except ImportError:
    from meja.search import uncompiled as cython

#: Most nodes of a tree; when it is full, iterations go on without adding any.
_NODES: Final = 1 << 16
#: Most cards from the root to the end of a deal.
_DEPTH: Final = 64
#: Iterations between two looks at the clock.
_BATCH: Final = 64
_ONE: Final = 1


class Tree:
    """One tree; :meth:`run` adds iterations."""

    def __init__(
        self,
        dealer: Dealer,
        policy: Policy | None,
        low: float,
        high: float,
        sign: int = 1,
        utility: Utility | None = None,
        inference: Inference | None = None,
    ) -> None:
        """``low`` and ``high``: the range of a seat's points; ``policy`` plays to the end (``None``: random cards).

        ``utility``: another one than ``sign`` times the points; ``low`` and ``high`` are its range then, of all seats.
        ``inference`` draws the worlds instead of ``dealer``, for which it was made.
        """
        self.dealer = dealer
        self.policy: Any = policy
        self.greedy = int(policy is not None)
        self.low = float(low if sign > 0 or utility is not None else -high)
        self.width = float(high - low if high > low else 1)
        self.utility = Utility(float(sign)) if utility is None else utility
        self.inference: Any = inference
        self.soft = int(inference is not None)
        self.explore = 0.7
        self.iterations = 0
        self.size = 1
        self.game = Tricks()
        self.game.copy(dealer.seen)
        self.dice = Dice()
        self.card = _zeros(_NODES)
        self.seat = _zeros(_NODES)
        self.child = _zeros(_NODES)
        self.sibling = _zeros(_NODES)
        self.visits = _zeros(_NODES)
        self.available = _zeros(_NODES)
        self.reward = [0.0 for _ in range(_NODES)]
        self.path = _zeros(_DEPTH)

    def run(self, count: int, seed: int) -> None:
        """``count`` more iterations; iteration ``n`` draws by ``seed`` and ``n`` alone."""
        with cython.nogil:
            self.look(count, seed)

    def look(self, count: int, seed: int) -> None:
        """The loop of :meth:`run`."""
        for _ in range(count):
            self.dice.seed(seed, self.iterations)
            if self.soft:
                self.inference.deal(self.game, self.dice, seed, self.iterations)
                self.dice.seed(seed, self.iterations)
            else:
                self.dealer.deal(self.game, self.dice)
            depth = self.descend()
            self.finish()
            for step in range(depth):
                node = self.path[step]
                self.visits[node] += 1
                worth = self.utility.value(self.game, self.seat[node])
                self.reward[node] += (worth - self.low) / self.width
            self.iterations += 1

    def descend(self) -> int:
        """Walk down and add a node; the length of the path."""
        node = 0
        depth = 0
        while self.game.turn >= 0:
            legal = self.game.legal()
            untried = legal
            best = -1
            most = -1.0
            child = self.child[node]
            while child:
                bit = self.card[child]
                if legal >> bit & 1:
                    untried &= ~(_ONE << bit)
                    self.available[child] += 1
                    bound = self.reward[child] / self.visits[child] + self.explore * math.sqrt(
                        math.log(self.available[child]) / self.visits[child]
                    )
                    if bound > most:
                        most = bound
                        best = child
                child = self.sibling[child]
            if untried:
                if self.size >= _NODES:
                    return depth
                best = self.add(node, bits.pick(untried, self.dice.below(bits.popcount(untried))))
                self.path[depth] = best
                self.game.play(self.card[best])
                return depth + 1
            self.path[depth] = best
            depth += 1
            node = best
            self.game.play(self.card[best])
        return depth

    def add(self, parent: int, card: int) -> int:
        """A new node for a card."""
        node = self.size
        self.size += 1
        self.card[node] = card
        self.seat[node] = self.game.turn
        self.available[node] = 1
        self.sibling[node] = self.child[parent]
        self.child[parent] = node
        return node

    def finish(self) -> None:
        """Play the deal to its end."""
        if self.greedy:
            self.policy.playout(self.game, self.dice)
        else:
            self.game.playout(self.dice)

    def cards(self) -> list[tuple[int, int, float]]:
        """(card, visits, mean reward from 0 to 1) of the root's cards, the most visited first."""
        found = []
        node = self.child[0]
        while node:
            found.append((self.card[node], self.visits[node], self.reward[node] / max(self.visits[node], 1)))
            node = self.sibling[node]
        return sorted(found, key=_order)


def _order(found: tuple[int, int, float]) -> tuple[int, float, int]:
    return -found[1], -found[2], found[0]


def _zeros(count: int) -> list[int]:
    return [0] * count


def think(
    view: Any,
    *,
    iterations: int,
    seed: int = 0,
    seconds: float | None = None,
    policy: Policy | None = None,
    utility: Utility | None = None,
    worth: tuple[float, float] | None = None,
    model: Policy | None = None,
    temperature: float = 0.3,
) -> list[tuple[int, int, float]]:
    """(card, visits, mean reward) of the legal cards of a view of the play, the most visited first.

    At most ``iterations`` and about ``seconds``; at least one iteration per legal card.
    The same view, seed and number of iterations give the same answer. ``utility`` is another one than the own points,
    ``worth`` its range over all seats; ``model`` and ``temperature`` as in :func:`meja.search.pimc.think`.
    """
    until = math.inf if seconds is None else time.monotonic() + seconds
    dealer = Dealer(view)
    inference = None if model is None else Inference(dealer, model, temperature)
    low, high = type(view.known()).score_range(view.rules) if worth is None else worth
    tree = Tree(dealer, policy, low, high, sign_of(view), utility, inference)
    tree.run(len(view.legal), seed)
    while tree.iterations < iterations and time.monotonic() < until:
        tree.run(min(_BATCH, iterations - tree.iterations), seed)
    return tree.cards()


__all__ = ["Tree", "think"]
