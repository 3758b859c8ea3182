"""Who sits where: the seatings with which each deal is played."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from meja.errors import MejaError
from meja.messages import msg

#: By seat the number of the bot that sits there.
Seating: TypeAlias = tuple[int, ...]

ALL: Final = "all"
ROTATIONS: Final = "rotations"
KINDS: Final = (ALL, ROTATIONS)

#: More games than this for one deal are surely not meant.
MOST_GAMES: Final = 5000


def lineups(bots: int, named: Sequence[int], seats: int) -> list[tuple[int, ...]]:
    """Which bots meet: those named, the last one on all seats that are left; or every choice from a pool.

    ``bots``: how many different ones there are. ``named``: their numbers as they were named.
    """
    if len(named) <= seats:
        return [tuple(sorted([*named, *[named[-1]] * (seats - len(named))]))]
    if bots != len(named):
        raise MejaError(msg("in a pool (more bots than seats) each bot is named once"))
    return list(combinations(range(bots), seats))


def seatings(bots: int, named: Sequence[int], seats: int, kind: str = ALL) -> list[Seating]:
    """The seatings of every deal: each different one (``all``), or each bot once on every seat (``rotations``).

    >>> seatings(2, [0, 1], 3)
    [(0, 1, 1), (1, 0, 1), (1, 1, 0)]
    """
    chosen = lineups(bots, named, seats)
    games = sum(_count(lineup) if kind == ALL else seats for lineup in chosen)
    if games > MOST_GAMES:
        raise MejaError(
            msg("that is {games} games for each deal; name fewer bots, or choose --seatings rotations", games=games)
        )
    found: list[Seating] = []
    for lineup in chosen:
        found += _permutations(lineup) if kind == ALL else _rotations(lineup)
    return found


def _count(lineup: Sequence[int]) -> int:
    ways = math.factorial(len(lineup))
    for copies in Counter(lineup).values():
        ways //= math.factorial(copies)
    return ways


def _permutations(lineup: tuple[int, ...]) -> Iterator[Seating]:
    """Each different order once, sorted."""
    if not lineup:
        yield ()
        return
    for place, bot in enumerate(lineup):
        if place and bot == lineup[place - 1]:
            continue
        for rest in _permutations(lineup[:place] + lineup[place + 1 :]):
            yield (bot, *rest)


def _rotations(lineup: tuple[int, ...]) -> list[Seating]:
    return sorted({lineup[turn:] + lineup[:turn] for turn in range(len(lineup))})
