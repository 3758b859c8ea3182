"""A player of Kaluki that tries its lines in worlds that agree with its view.

The lines are halved again and again; the first one, the rules of thumb's, stays in to the end and stands unless another
one is better by more than the error of the difference.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import meja.search.kaluki_trial as trials
from meja.bots.bot import Bot, Budget, Opinion, check_turn
from meja.bots.kaluki import KalukiThumb, Sight, way_out
from meja.bots.kaluki_lines import Line, Lines, first_to_go_out
from meja.bots.kaluki_match import worth_by_winner
from meja.cards import Rng
from meja.games.kaluki import KalukiRules, KalukiView
from meja.games.kaluki_turn import DISCARD, Move
from meja.search.kaluki import KalukiTable
from meja.search.kaluki_trial import KalukiTrial
from meja.search.kaluki_worlds import KalukiWorlds
from meja.view import View

#: Whether the kernels run compiled.
COMPILED: Final = not trials.__file__.endswith(".py")
_LINES: Final = 14
#: Fewer worlds than this prove nothing.
_FEWEST: Final = 100
#: How many times fewer deals are played out without a compiler.
_PLAIN: Final = 20
#: Where the pile has been shuffled, a world takes as long to draw as so many deals to play out.
_DRAWN: Final = 75 if COMPILED else 2
#: After so many worlds it is reckoned how many there is time for.
_RECKON: Final = 2
#: Seconds of a budget that are kept for what is around the search, and at least so much of it, in hundredths.
_MARGIN: Final = 0.02
_SHARE: Final = 15


@dataclass(frozen=True, slots=True)
class Compared:
    """A line after a search: by how much it is ahead of the first line, the error of that, and in how many worlds."""

    line: Line
    ahead: float
    error: float
    worlds: int


class KalukiSearcher(Bot):
    """Plays by rules of thumb where no other line is clearly better in many worlds."""

    #: Deals played out for a decision, when the budget names no number.
    rollouts: ClassVar[int]
    #: Whether it looks at nothing but what to throw, and does all else by rules of thumb.
    throws: ClassVar[bool] = False
    #: It never takes longer than so, in seconds, where a budget counts time.
    ceiling: ClassVar[float]
    #: By how many errors another line has to be ahead.
    errors: ClassVar[float] = 1.0

    def __init__(self) -> None:
        self.thumb = KalukiThumb()
        self._rules: KalukiRules | None = None
        self._tables: list[KalukiTable] = []

    def tables(self, rules: KalukiRules) -> list[KalukiTable]:
        """Tables for the lines and three more, made once for the same options."""
        if self._rules != rules:
            first = KalukiTable(rules)
            self._tables = [first, *[KalukiTable(rules, first.finder) for _ in range(_LINES + 2)]]
            self._rules = rules
        return self._tables

    def act(self, view: View[Any], budget: Budget) -> Any:
        """Choose one of ``view.legal``."""
        assert isinstance(view, KalukiView)
        check_turn(view)
        begin = time.monotonic()
        move: Move = self.thumb.act(view, budget)
        sight = Sight(view)
        until = math.inf
        if budget.seconds is not None:
            seconds = min(budget.seconds, self.ceiling)
            until = begin + seconds - max(_MARGIN, seconds * _SHARE / 100)
        if view.phase == "play" and sight.opened:
            out = way_out(sight) is not None
            if not out or view.rules.discard_to_go_out:
                # The rules of thumb swap no joker to go out, and part no meld to keep a last discard.
                move = first_to_go_out(sight, until, parts=out) or move
            if out:
                return move
        if self.throws and move.verb != DISCARD:
            return move
        found = self.search(view, move, budget.rng(view).fork().state, self.number(budget), until)
        return self.choose(found)

    def number(self, budget: Budget) -> int:
        """How many deals are to be played out."""
        if budget.iterations is not None:
            return budget.iterations
        return self.rollouts if COMPILED else self.rollouts // _PLAIN

    def choose(self, found: list[Compared]) -> Move:
        """The line that is most ahead, if that is more than chance; else the first."""
        best_by_move: dict[Move, Compared] = {}
        for line in found:
            known = best_by_move.get(line.line.moves[0])
            if line.worlds and (known is None or line.ahead > known.ahead):
                best_by_move[line.line.moves[0]] = line
        self.opinions = tuple(Opinion(move, line.ahead) for move, line in best_by_move.items())
        best = max(found, key=lambda line: line.ahead)
        if best.worlds >= _FEWEST and best.ahead > self.errors * best.error:
            return best.line.moves[0]
        return found[0].line.moves[0]

    def search(self, view: KalukiView, first: Move, seed: int, rollouts: int, until: float) -> list[Compared]:
        """Compare the lines of a view, the first one with the action ``first``."""
        assert view.seat is not None
        tables = self.tables(view.rules)
        table, hidden, *bases = tables
        now = time.monotonic()
        # Half of the time, so that there is some to compare them.
        half = until if until == math.inf else (now + until) / 2
        lines = Lines(view, first, bases[:_LINES], table, throws=self.throws, until=half).lines
        if len(lines) == 1 or len({line.moves[0] for line in lines}) == 1 or time.monotonic() >= until:
            return [Compared(line, 0.0, 0.0, 0) for line in lines]
        worlds = KalukiWorlds(view, hidden, settled=True)
        trial = KalukiTrial(worlds, table, view.seat, seed)
        rows, trial.void = worth_by_winner(view)
        for winner, row in enumerate(rows):
            trial.set_worth(winner, row)
        # Playing a world out costs as much as there are lines, and drawing it so much more.
        drawing = 0 if worlds.fast else _DRAWN
        counts = [0] * len(lines)
        alive = list(range(len(lines)))
        number = 0
        rounds = max(1, math.ceil(math.log2(len(lines))))
        rng = Rng(seed)
        begin = time.monotonic()
        for turn in range(rounds):
            done = 0
            while done < max(1, rollouts // (rounds * (len(alive) + drawing))):
                now = time.monotonic()
                if now >= until:
                    break
                if number == _RECKON and until < math.inf:
                    # With the time for fewer deals the halving goes faster, and too few are not tried at all.
                    each = (now - begin) / (_RECKON * (len(lines) + drawing))
                    rollouts = min(rollouts, int((until - now) / max(each, 1e-9)))
                    if rollouts < 2 * _FEWEST:
                        until = now
                        break
                if worlds.fast:
                    trial.draw(number)
                else:
                    hidden.load(view.determinize(rng))
                for place in alive:
                    if worlds.fast:
                        trial.play(place, lines[place].base, lines[place].draws)
                    else:
                        trial.play_in(place, lines[place].base, lines[place].draws, number, hidden)
                    counts[place] += 1
                    if until < math.inf and time.monotonic() >= until:
                        break
                number += 1
                done += 1
            if turn + 1 < rounds and number:
                ranked = sorted(alive[1:], key=lambda place: (-_mean(trial, place, counts), place))
                alive = [0, *sorted(ranked[: max(1, len(alive) // 2)])]
        return [_compared(trial, line, place, counts[place]) for place, line in enumerate(lines)]


def _mean(trial: KalukiTrial, place: int, counts: list[int]) -> float:
    return trial.sums[place] / max(counts[place], 1)


def _compared(trial: KalukiTrial, line: Line, place: int, count: int) -> Compared:
    if not count or not place:
        return Compared(line, 0.0, 0.0, count)
    mean = trial.sums[place] / count
    error = math.sqrt(max(trial.squares[place] / count - mean * mean, 0.0) / max(count - 1, 1))
    return Compared(line, mean, error, count)
