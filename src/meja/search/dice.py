"""The generator of the kernels: the same stream as :class:`meja.cards.Rng`, in 64-bit integers."""

from __future__ import annotations

from typing import Final

from meja.cards import Rng

_MULTIPLIER: Final = 2130997539
_LOW: Final = 0xFFFFFFFF
_WORD: Final = 0xFFFFFFFFFFFFFFFF
_GOLDEN: Final = 0x9E3779B97F4A7C15
_FIRST: Final = 0xBF58476D1CE4E5B9
_SECOND: Final = 0x94D049BB133111EB
_UNIT: Final = 1.0 / 4294967296.0


class Dice:
    """A multiply-with-carry generator with a state below 2**63; see :class:`meja.cards.Rng`."""

    def __init__(self, state: int = 1) -> None:
        """Start from the ``state`` of a generator."""
        self.state = state

    def seed(self, first: int, second: int) -> None:
        """Start the stream of ``Rng(first, second)``; both from 0 to 2**64 - 1."""
        value = splitmix(splitmix(first) ^ second)
        low = value & _LOW
        if low == 0:
            low = 1
        self.state = ((value >> 33) % (_MULTIPLIER - 1)) * (_LOW + 1) + low

    def next32(self) -> int:
        """The next 32 random bits."""
        state = _MULTIPLIER * (self.state & _LOW) + (self.state >> 32)
        self.state = state
        return (state ^ (state >> 32)) & _LOW

    def below(self, bound: int) -> int:
        """A random integer from 0 to ``bound - 1``; ``bound`` at most 2**16."""
        state = _MULTIPLIER * (self.state & _LOW) + (self.state >> 32)
        self.state = state
        return (((state ^ (state >> 32)) & _LOW) * bound) >> 32

    def unit(self) -> float:
        """A random float in [0, 1) with 32 bits."""
        return self.next32() * _UNIT


def splitmix(value: int) -> int:
    """Steele, Lea and Flood's splitmix64 finaliser."""
    value = (value + _GOLDEN) & _WORD
    value = ((value ^ (value >> 30)) * _FIRST) & _WORD
    value = ((value ^ (value >> 27)) * _SECOND) & _WORD
    return value ^ (value >> 31)


def dice_of(rng: Rng) -> Dice:
    """A generator of its own for a kernel, seeded from ``rng``."""
    return Dice(rng.fork().state)
