"""Lines of play of Kaluki tried in the same worlds: what each brings when everybody plays on as a keen player.

A line is a table with what its seat knows after the first actions of the line. For every world the hidden cards are
drawn once, every line gets them, and the deal is played to its end with the same dice. The same worlds and dice for all
lines make their differences far more certain than their means.

What the deal brings is looked up by winner and score (:meth:`KalukiTrial.set_worth`): points, or the chance to win the
match.
"""

from __future__ import annotations

from typing import Final

from meja.search.dice import Dice
from meja.search.kaluki import KEEN, KalukiTable
from meja.search.kaluki_worlds import KalukiWorlds

_KEEN: Final = 1
_LINES: Final = 32
#: Scores from here on count alike.
_SCORES: Final = 2048
#: Mixed into the seed of the play, so that it does not repeat the stream that drew the world.
_PLAY: Final = 0x5DEECE66D


class KalukiTrial:
    """The sums of a comparison of lines. Not for several threads at once."""

    def __init__(self, worlds: KalukiWorlds, table: KalukiTable, me: int, seed: int) -> None:
        """``table`` is where the deals are played; ``me`` the seat whose lines these are."""
        self.worlds = worlds
        self.table = table
        self.me = me
        self.seed = seed
        self.dice = Dice()
        self.number = 0
        #: What the first line brought in the world at hand.
        self.first = 0.0
        self.sums = [0.0 for _ in range(_LINES)]
        self.squares = [0.0 for _ in range(_LINES)]
        self.total = 0.0
        self.worth = [0.0 for _ in range(4 * _SCORES)]
        self.void = 0.0

    def set_worth(self, winner: int, worth: list[float]) -> None:
        """What it is worth that a seat wins the deal, by its score; the last number serves for more."""
        for score in range(_SCORES):
            self.worth[_SCORES * winner + score] = worth[min(score, len(worth) - 1)]

    def draw(self, number: int) -> None:
        """Draw the world with a number; what it is depends on the seed and the number."""
        self.number = number
        self.dice.seed(self.seed, number)
        self.worlds.place_cards(self.dice)
        self.worlds.exchange_cards(self.dice)

    def play(self, line: int, base: KalukiTable, draws: int) -> None:
        """Play a line in the world at hand; ``draws``: it begins by drawing from the stock."""
        self.worlds.base = base
        self.worlds.fill(self.table)
        self.play_out(line, draws)

    def play_in(self, line: int, base: KalukiTable, draws: int, number: int, world: KalukiTable) -> None:
        """As :meth:`play`, in a world that lies on another table."""
        self.number = number
        self.table.copy(base)
        self.table.copy_hidden(world, self.me)
        self.play_out(line, draws)

    def play_out(self, line: int, draws: int) -> None:
        """Play to the end and add what it brings. The first line has to be the first one in each world."""
        table = self.table
        self.dice.seed(self.seed ^ _PLAY, self.number)
        if draws and table.turn >= 0:
            table.draw(self.dice)
        table.playout(self.dice, _KEEN)
        worth = self.void
        if table.winner >= 0:
            score = table.scores[table.winner]
            worth = self.worth[_SCORES * table.winner + (score if score < _SCORES else _SCORES - 1)]
        if line == 0:
            self.first = worth
            self.total += worth
            return
        worth -= self.first
        self.sums[line] += worth
        self.squares[line] += worth * worth


assert KEEN == _KEEN
