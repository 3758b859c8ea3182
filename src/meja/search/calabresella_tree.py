"""Tree search for the play of Calabresella: one tree of cards over many worlds, with availability counts (SO-ISMCTS).

As :mod:`meja.search.ismcts`, but with worlds that explain the bids, cards that differ only in name tried once, rules
of thumb to the end, and the worth of the outcomes instead of chips alone. The two partners share their worth.
(Cowling, Powley and Whitehouse, Information Set Monte Carlo Tree Search, 2012.)
"""

from __future__ import annotations

import math
from array import array
from typing import Final

import meja.search.bits as bits
from meja.search.calabresella_play import CARDS, Play
from meja.search.calabresella_worlds import Guess
from meja.search.dice import Dice

try:
    import cython
except ImportError:
    from meja.search import uncompiled as cython

#: Most nodes of a tree; when it is full, iterations go on without adding any.
_NODES: Final = 1 << 17
_DEPTH: Final = 40
_ONE: Final = 1


class Tree:
    """One tree; :meth:`run` adds iterations."""

    def __init__(self, guess: Guess, explore: float = 0.5, nodes: int = _NODES) -> None:
        """``explore``: the weight of what was tried seldom; ``nodes``: most nodes of the tree."""
        self.guess = guess
        self.explore = explore
        self.limit = min(nodes, _NODES)
        self.iterations = 0
        self.size = 1
        self.game = Play()
        self.game.copy(guess.start)
        self.dice = Dice()
        self.card = array("i", bytes(4 * self.limit))
        self.player = array("i", bytes(4 * self.limit))
        self.child = array("i", bytes(4 * self.limit))
        self.sibling = array("i", bytes(4 * self.limit))
        self.visits = array("i", bytes(4 * self.limit))
        self.available = array("i", bytes(4 * self.limit))
        self.reward = array("d", bytes(8 * self.limit))
        self.path = array("i", bytes(4 * _DEPTH))

    def run(self, count: int, seed: int) -> None:
        """``count`` more iterations; iteration ``n`` draws by ``seed`` and ``n`` alone."""
        with cython.nogil:
            self.look(count, seed)

    def look(self, count: int, seed: int) -> None:
        """The loop of :meth:`run`."""
        for _ in range(count):
            self.dice.seed(seed, self.iterations)
            self.guess.deal(self.game, self.dice)
            depth = self.descend()
            self.game.playout(self.dice)
            value = self.game.value()
            for step in range(depth):
                node = self.path[step]
                self.visits[node] += 1
                self.reward[node] += value if self.player[node] == 0 else 1.0 - value
            self.iterations += 1

    def descend(self) -> int:
        """Walk down and add a node; the length of the path."""
        node = 0
        depth = 0
        while self.game.turn >= 0:
            legal = self.game.fewer(self.game.legal())
            untried = legal
            best = -1
            most = -1.0
            child = self.child[node]
            while child:
                code = self.card[child]
                if legal >> code & 1:
                    untried &= ~(_ONE << code)
                    self.available[child] += 1
                    bound = self.reward[child] / self.visits[child] + self.explore * math.sqrt(
                        math.log(self.available[child]) / self.visits[child]
                    )
                    if bound > most:
                        most = bound
                        best = child
                child = self.sibling[child]
            if untried:
                if self.size >= self.limit:
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

    def add(self, parent: int, code: int) -> int:
        """A new node for a card."""
        node = self.size
        self.size += 1
        self.card[node] = code
        self.player[node] = self.game.turn
        self.available[node] = 1
        self.sibling[node] = self.child[parent]
        self.child[parent] = node
        return node

    def cards(self) -> list[tuple[int, int, float]]:
        """(card of the pack, visits, mean worth for who plays it) at the root, the most visited first."""
        found = []
        node = self.child[0]
        while node:
            visits = self.visits[node]
            found.append((CARDS[self.card[node]], visits, self.reward[node] / max(visits, 1)))
            node = self.sibling[node]
        return sorted(found, key=_order)


def _order(found: tuple[int, int, float]) -> tuple[int, float, int]:
    return -found[1], -found[2], found[0]


__all__ = ["Tree"]
