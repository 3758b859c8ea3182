"""Searching by exact solutions: every legal card is solved in worlds that agree with a view, and counted up.

What :mod:`meja.search.pimc` finds by playing to the end, a solver knows: in each world all cards lie open, so this too
is blind to what a player cannot know, and good where little is hidden or where the end of a deal decides. A world that
cannot be solved within the limits of nodes or time is left out.
"""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

import meja.search.bits as bits
from meja.errors import MejaError
from meja.messages import msg
from meja.search.bassadewitz_solver import BassadewitzSolver
from meja.search.calabresella_solver import CalabresellaSolver
from meja.search.deadline import deadline
from meja.search.dice import Dice
from meja.search.smear_solver import MARGIN, POINTS, SCORE, SmearSolver
from meja.search.tricks import Tricks
from meja.search.worlds import Dealer

try:
    import cython
except ImportError:
    from meja.search import uncompiled as cython

#: What is asked of a world, by game. The first is asked where nothing else is said.
GOALS: Final = {
    "bassadewitz": ("sure", "selfish"),
    "calabresella": ("win", "thirds", "chips"),
    "smear": ("score", "points", "margin"),
}
_GAMES: Final = ("bassadewitz", "calabresella", "smear")
_SMEAR_GOALS: Final = {"score": SCORE, "points": POINTS, "margin": MARGIN}
_BASSADEWITZ: Final = 0
_CALABRESELLA: Final = 1
_WIN: Final = 0
_THIRDS: Final = 1
_SELFISH: Final = 1
_UNKNOWN: Final = -99
#: Half of the thirds of a deal: who has so many has won.
_WON: Final = 18
_WORTH: Final = 63
_OFFSET: Final = 32
#: Most cards that may be played, and worlds between two looks at the clock.
_CARDS: Final = 16
_BATCH: Final = 16


@dataclass(frozen=True, slots=True)
class Solution:
    """What a card is worth on the average of the worlds solved: mean, and its standard error."""

    card: int
    mean: float
    error: float
    worlds: int


class Solving:
    """Solves every card in worlds drawn by a dealer; :meth:`run` adds worlds, ``rows`` holds what was found.

    A row has a value for each card of ``cards``, such that more is better for the player to act. ``drawn`` counts the
    worlds drawn; those that were not solved within ``limit`` nodes each (0: any number) have no row.
    """

    def __init__(self, dealer: Dealer, goal: str | None = None, *, limit: int = 0, table_bits: int = 16) -> None:
        """``goal``: one of ``GOALS`` of the game.

        * Calabresella: ``"win"`` is 1 for the side that wins the deal, by one zero-window search a card; ``"thirds"``
          are the soloist's, ``"chips"`` the own score with cappotto and stramazzo.
        * Smear: the own ``"score"``, ``"points"``, or ``"margin"`` over the others, who all play against this seat.
        * Bassadewitz: the own score if all others play against this seat (``"sure"``), or everybody for himself.

        Raises :class:`~meja.errors.MejaError` where there is no such goal, and where nobody is to act.
        """
        self.kind = dealer.seen.kind
        game = _GAMES[self.kind]
        goals = GOALS[game]
        if goal is not None and goal not in goals:
            raise MejaError(
                msg("{game} has no goal {goal}; choose from {goals}", game=game, goal=goal, goals=", ".join(goals))
            )
        if dealer.me < 0 or dealer.seen.turn != dealer.me:
            raise MejaError(msg("only the seat to act can search for a card"))
        chosen = goals[0] if goal is None else goal
        self.goal = _SMEAR_GOALS[chosen] if game == "smear" else goals.index(chosen)
        self.dealer = dealer
        self.me = dealer.me
        self.world = Tricks()
        self.world.copy(dealer.seen)
        self.dice = Dice()
        self.legal = dealer.seen.legal()
        self.cards: list[int] = dealer.seen.cards()
        self.calabresella: Any = None
        self.smear: Any = None
        self.bassadewitz: Any = None
        if game == "calabresella":
            self.solver: Any = CalabresellaSolver(table_bits)
            self.calabresella = self.solver
        elif game == "smear":
            self.solver = SmearSolver(table_bits)
            self.smear = self.solver
        else:
            self.solver = BassadewitzSolver(table_bits)
            self.bassadewitz = self.solver
        self.solver.limit = limit
        self.drawn = 0
        self.solved = 0
        self.values = array("i", bytes(4 * _CARDS * _BATCH))
        self.rows: list[tuple[int, ...]] = []

    def run(self, count: int, seed: int) -> None:
        """Draw ``count`` more worlds and solve them, world ``n`` with the dice of ``seed`` and ``n``."""
        size = len(self.cards)
        while count > 0 and not self.solver.stopped:
            batch = min(count, _BATCH)
            self.solved = 0
            with cython.nogil:
                self.look(batch, seed)
            for row in range(self.solved):
                self.rows.append(tuple(self.values[row * _CARDS : row * _CARDS + size]))
            count -= batch

    def look(self, count: int, seed: int) -> None:
        """The loop of :meth:`run`."""
        for _ in range(count):
            self.dice.seed(seed, self.drawn)
            self.dealer.deal(self.world, self.dice)
            self.drawn += 1
            if self.solve():
                self.solved += 1

    def solve(self) -> bool:
        """Solve the world drawn last, and write the values of its cards; whether that was done within the limits."""
        if self.kind == _BASSADEWITZ:
            self.bassadewitz.load(self.world, -1 if self.goal == _SELFISH else self.me)
        elif self.kind == _CALABRESELLA:
            self.calabresella.load(self.world)
        else:
            self.smear.load(self.world, self.me, self.goal)
        left = self.legal
        place = self.solved * _CARDS
        guess = 0
        while left:
            guess = self.value(bits.lowest(left), guess)
            if guess == _UNKNOWN:
                return False
            self.values[place] = guess
            left &= left - 1
            place += 1
        return True

    def value(self, card: int, guess: int) -> int:
        """What a card is worth in the world that is loaded; -99 when cut short. A good ``guess`` saves time."""
        if self.kind == _BASSADEWITZ:
            return self.value_bassadewitz(card, guess)
        if self.kind == _CALABRESELLA:
            return self.value_calabresella(card, guess)
        return self.value_smear(card, guess)

    def value_smear(self, card: int, guess: int) -> int:
        """:meth:`value` in Smear."""
        found: int = self.smear.find(card, guess)
        return found

    def value_bassadewitz(self, card: int, guess: int) -> int:
        """:meth:`value` in Bassadewitz."""
        code = self.bassadewitz.code_of[card]
        if self.goal != _SELFISH:
            worth: int = self.bassadewitz.find(code, guess)
            return worth
        outcome: int = self.bassadewitz.find_all(code)
        if self.bassadewitz.cut:
            return _UNKNOWN
        worth = (outcome >> (6 * self.me)) & _WORTH
        return worth - _OFFSET

    def value_calabresella(self, card: int, guess: int) -> int:
        """:meth:`value` in Calabresella."""
        code = self.calabresella.power[card]
        taken: int = self.calabresella.taken
        found: int
        sign = 1 if self.me == self.world.bidder else -1
        if self.goal == _WIN:
            found = self.calabresella.ask(code, _WON - taken)
            if found == _UNKNOWN:
                return _UNKNOWN
            return 1 if (found + taken >= _WON) == (sign == 1) else 0
        if self.goal == _THIRDS:
            found = self.calabresella.find(code, sign * guess - taken if guess else -1)
            return _UNKNOWN if found == _UNKNOWN else sign * (found + taken)
        found = self.calabresella.find_factor(code)
        if found == _UNKNOWN:
            return _UNKNOWN
        # The soloist has twice the stake; each of the others has it once, with the other sign.
        return found * self.world.bid * 2 if sign == 1 else -found * self.world.bid

    def solutions(self) -> list[Solution]:
        """All cards, the best first, of equal ones the lowest first; nothing where no world was solved."""
        count = len(self.rows)
        found = []
        for place, card in enumerate(self.cards if count else []):
            column = [row[place] for row in self.rows]
            mean = fmean(column)
            spread = math.fsum((value - mean) ** 2 for value in column)
            found.append(Solution(card, mean, math.sqrt(spread / count / max(count - 1, 1)), count))
        return sorted(found, key=lambda made: (-made.mean, made.card))


def think(
    view: Any,
    goal: str | None = None,
    *,
    worlds: int,
    seed: int = 0,
    seconds: float | None = None,
    limit: int = 0,
    table_bits: int = 16,
) -> list[Solution]:
    """Solve every legal card of a view in at most ``worlds`` worlds and ``seconds``; empty if no world was solved.

    ``goal`` and ``limit`` as in :class:`Solving`. The same view, seed, limit and number of worlds give the same answer.
    """
    search = Solving(Dealer(view), goal, limit=limit, table_bits=table_bits)
    with deadline(search.solver, seconds):
        search.run(worlds, seed)
    return search.solutions()


__all__ = ["GOALS", "Solution", "Solving", "think"]
