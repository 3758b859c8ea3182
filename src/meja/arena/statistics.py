"""Means and their intervals, where the games of one deal belong together.

All games of a deal share its cards, so they say less than as many games with cards of their own. What
counts as one observation is the deal (the cluster): its games are added up first, and the spread between
deals gives the interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist
from typing import Final

LEVEL: Final = 0.95
_NORMAL: Final = NormalDist()
#: From so many degrees of freedom on the expansion below is exact to nine digits.
_MANY: Final = 100


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its interval: ``mean - half`` to ``mean + half``.

    ``deals``: how many clusters it comes from. ``half`` is infinite where there are fewer than two.
    """

    mean: float
    half: float
    deals: int

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.mean - self.half

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.mean + self.half


def estimate(values: Sequence[float], level: float = LEVEL) -> Estimate:
    """The mean of one value per deal, with Student's interval.

    >>> estimate([1.0, 2.0, 3.0, 4.0])
    Estimate(mean=2.5, half=2.054..., deals=4)
    """
    return clustered(values, [1] * len(values), level)


def clustered(sums: Sequence[float], counts: Sequence[int], level: float = LEVEL) -> Estimate:
    """The mean of all games, given each deal's sum and its number of games.

    The interval is that of the ratio of two sums (the cluster-robust one, with n / (n - 1)); where every deal
    has as many games, it is Student's interval of the deals' means.
    """
    if len(sums) != len(counts):
        raise ValueError("as many counts as sums are needed")
    deals, games = len(sums), sum(counts)
    if not games:
        return Estimate(math.nan, math.inf, 0)
    mean = math.fsum(sums) / games
    if deals < 2:
        return Estimate(mean, math.inf, deals)
    spread = math.fsum((total - mean * count) ** 2 for total, count in zip(sums, counts, strict=True))
    error = math.sqrt(spread * deals / (deals - 1)) / games
    return Estimate(mean, student((1 + level) / 2, deals - 1) * error, deals)


@cache
def student(probability: float, freedom: int) -> float:
    """The quantile of Student's distribution with a whole number of degrees of freedom.

    >>> round(student(0.975, 10), 4)
    2.2281
    """
    if freedom < 1:
        raise ValueError("there must be at least one degree of freedom")
    if probability < 0.5:
        return -student(1 - probability, freedom)
    if freedom >= _MANY:
        return _expanded(probability, freedom)
    low, high = 0.0, 1.0
    while _below(high, freedom) < probability:
        low, high = high, high * 2
    for _ in range(100):
        middle = (low + high) / 2
        if _below(middle, freedom) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _below(t: float, freedom: int) -> float:
    """The probability of a value below ``t`` >= 0: the finite series for whole degrees of freedom."""
    angle = math.atan2(t, math.sqrt(freedom))
    sine, cosine = math.sin(angle), math.cos(angle)
    if freedom == 1:
        inside = 2 * angle / math.pi
    elif freedom % 2:
        term = total = cosine
        for k in range(3, freedom - 1, 2):
            term *= cosine * cosine * (k - 1) / k
            total += term
        inside = 2 / math.pi * (angle + sine * total)
    else:
        term = total = 1.0
        for k in range(2, freedom - 1, 2):
            term *= cosine * cosine * (k - 1) / k
            total += term
        inside = sine * total
    return (1 + inside) / 2


def _expanded(probability: float, freedom: int) -> float:
    """The normal quantile corrected in powers of 1 / freedom (Cornish and Fisher)."""
    z = _NORMAL.inv_cdf(probability)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + first / freedom + second / freedom**2 + third / freedom**3 + fourth / freedom**4
