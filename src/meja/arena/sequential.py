"""A test that may stop early: the generalised sequential probability ratio test (GSPRT) on the deals' means.

Two hypotheses say how much better a bot is: ``lower`` and ``upper``. After each deal the likelihood of both is
compared, each with the spread that suits it best; the test ends when one is far ahead. Looking at a mean after
every deal and stopping when it looks good proves nothing; this may be looked at after every deal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

from meja.cards import quoted
from meja.errors import MejaError
from meja.messages import msg

#: The verdicts.
UPPER: Final = "upper"
LOWER: Final = "lower"

_SPREADS: Final = "sd"
_COCHRAN: Final = 25


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is tested: the mean is ``lower`` against it is ``upper``.

    In points, or in standard deviations of a deal with ``spreads``. ``alpha``: how often ``upper`` may be
    accepted where ``lower`` is true; ``beta``: the other way round. No verdict comes before ``least`` deals, and
    where results are lopsided not before as many as make their mean normal (Cochran's rule: 25 times the squared
    skewness). Of very lopsided results bounds in points still err a little more often, up to 8 %; bounds in standard
    deviations do not.
    """

    lower: float
    upper: float
    spreads: bool = False
    alpha: float = 0.05
    beta: float = 0.05
    least: int = 50

    def __post_init__(self) -> None:
        if not (math.isfinite(self.lower) and math.isfinite(self.upper) and self.lower < self.upper):
            raise MejaError(msg("the lower bound of a sequential test must be smaller than the upper one"))
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise MejaError(msg("the error rates of a sequential test lie between 0 and 0.5"))

    @classmethod
    def parse(cls, text: str) -> Bounds:
        """Read ``LOWER,UPPER`` in points, or in standard deviations with ``sd`` at the end (``0,0.1sd``)."""
        words = text.strip()
        spreads = words.endswith(_SPREADS)
        low, comma, high = words.removesuffix(_SPREADS).partition(",")
        try:
            lower, upper = float(low), float(high)
        except ValueError:
            comma = ""
        if not comma:
            raise MejaError(msg("--sprt expects LOWER,UPPER such as 0,0.1 or 0,0.1sd, not {found}", found=quoted(text)))
        return cls(lower, upper, spreads)

    def __str__(self) -> str:
        return f"{self.lower:g},{self.upper:g}{_SPREADS if self.spreads else ''}"


@dataclass(slots=True)
class Sequential:
    """The test as it stands; give it the deals in the order of their numbers."""

    bounds: Bounds
    deals: int = 0
    _mean: float = field(default=0.0, repr=False)
    _squares: float = field(default=0.0, repr=False)
    _cubes: float = field(default=0.0, repr=False)
    verdict: str | None = None

    def add(self, value: float) -> str | None:
        """Count one deal; returns the verdict, once there is one. What comes after it changes nothing."""
        if self.verdict is not None:
            return self.verdict
        self.deals += 1
        count, step = self.deals, value - self._mean
        part = step / count
        gain = step * part * (count - 1)
        # Sums of powers around the mean, carried along with it.
        self._cubes += gain * part * (count - 2) - 3 * part * self._squares
        self._squares += gain
        self._mean += part
        if count >= max(self.bounds.least, _COCHRAN * self.skewness**2):
            low, high = self.limits
            ratio = self.ratio
            if ratio >= high:
                self.verdict = UPPER
            elif ratio <= low:
                self.verdict = LOWER
        return self.verdict

    @property
    def skewness(self) -> float:
        """How lopsided the deals' values are; 0 while nothing varies."""
        if self._squares <= 0:
            return 0.0
        return self._cubes / self.deals / math.pow(self._squares / self.deals, 1.5)

    @property
    def limits(self) -> tuple[float, float]:
        """The logarithms of the ratio at which the test ends."""
        alpha, beta = self.bounds.alpha, self.bounds.beta
        return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)

    @property
    def ratio(self) -> float:
        """The logarithm of the generalised likelihood ratio of ``upper`` to ``lower``; 0 while nothing varies."""
        if self.deals < 2 or self._squares <= 0:
            return 0.0
        variance = self._squares / self.deals
        scale = math.sqrt(variance) if self.bounds.spreads else 1.0
        lower, upper = self.bounds.lower * scale, self.bounds.upper * scale
        # The best variance under a hypothesis is the spread around its mean.
        return (
            self.deals / 2 * math.log((variance + (self._mean - lower) ** 2) / (variance + (self._mean - upper) ** 2))
        )
