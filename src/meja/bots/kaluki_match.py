"""What winning a deal of Kaluki is worth in its match: points, or near the end the chance to win it."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from meja.games.kaluki import KalukiRules, KalukiView

#: What a winner scores in a deal on average, by how the game is opened and by seats.
_MEAN: Final = {"single": {2: 60, 3: 139, 4: 220}, "total": {2: 23, 3: 55, 4: 99}}
#: Scores as shares of the mean, alike often.
_SPREAD: Final = {2: (20, 50, 85, 125, 220), 3: (50, 75, 95, 120, 160), 4: (60, 82, 98, 115, 145)}
#: Scores that are told apart.
_SCORES: Final = 600
#: Steps of the race in a mean score, and fewer where the race would be too long to reckon.
_STEPS: Final = 5
_RACES: Final = 3000
#: The match counts where somebody has so much of the target, in hundredths.
_NEAR: Final = 50


def worth_by_winner(view: KalukiView) -> tuple[list[list[float]], float]:
    """By seat what it is worth to the viewer that the seat wins the deal with a score; and a deal that nobody wins.

    Points are what the own score is ahead of the others' mean.
    """
    assert view.seat is not None
    return _worth(view.rules, view.seat, tuple(view.context.totals))


@lru_cache(maxsize=64)
def _worth(rules: KalukiRules, me: int, totals: tuple[int, ...]) -> tuple[list[list[float]], float]:
    # The same for all decisions of a seat in a deal.
    if 100 * max(totals) < _NEAR * rules.target:
        others = rules.seats - 1
        return [
            [float(score) if seat == me else -score / others for score in range(_SCORES * 3)]
            for seat in range(rules.seats)
        ], 0.0
    mean = _MEAN[rules.opening][rules.seats]
    needs = [rules.target - total for total in totals]
    steps = _steps(max(needs), rules.seats, mean)
    rows = []
    for winner in range(rules.seats):
        row = []
        for score in range(_SCORES):
            if score >= needs[winner]:
                row.append(1.0 if winner == me else 0.0)
            else:
                after = list(needs)
                after[winner] -= score
                row.append(_chance(after, me, mean, steps))
        rows.append(row)
    return rows, _chance(needs, me, mean, steps)


def _steps(need: int, seats: int, mean: int) -> int:
    """How many steps of a mean score are told apart in a race in which nobody needs more."""
    steps = _STEPS
    while steps > 2 and (need * steps / mean) ** seats / math.factorial(seats - 1) > _RACES:
        steps -= 1
    return steps


def _chance(needs: list[int], me: int, mean: int, many: int) -> float:
    """The chance to be the first of whom nobody needs any more, between the two nearest steps of each own need."""
    step = mean / many

    def at(place: int, need: float) -> float:
        # Between the steps below and above, so that every point counts.
        low = int(need / step)
        share = need / step - low
        found = 0.0
        for number, weight in ((low, 1 - share), (low + 1, share)):
            if weight > 0:
                steps = [max(1, round(other / step)) for other in needs]
                steps[place] = max(1, number)
                others = tuple(sorted(steps[seat] for seat in range(len(steps)) if seat != me))
                found += weight * _race(steps[me], others, many)
        return found

    return sum(at(place, need) for place, need in enumerate(needs)) / len(needs)


@lru_cache(maxsize=1 << 16)
def _race(mine: int, others: tuple[int, ...], many: int) -> float:
    """The chance to win a race in which everybody wins a deal alike often; needs are counted in steps."""
    seats = len(others) + 1
    total = 0.0
    for share in _SPREAD[seats]:
        gain = max(1, round(many * share / 100))
        total += 1.0 if gain >= mine else _race(mine - gain, others, many)
        for place, need in enumerate(others):
            if gain < need:
                total += _race(mine, tuple(sorted((*others[:place], need - gain, *others[place + 1 :]))), many)
    return total / (seats * len(_SPREAD[seats]))
