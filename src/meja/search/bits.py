"""Bits of a mask: how many, the lowest, the highest. Compiled, each of these is one instruction."""

from __future__ import annotations


def popcount(mask: int) -> int:
    """How many bits of a 64-bit mask are set."""
    return mask.bit_count()


def lowest(mask: int) -> int:
    """The number of the lowest bit that is set; the mask must not be 0."""
    return (mask & -mask).bit_length() - 1


def highest(mask: int) -> int:
    """The number of the highest bit that is set; the mask must not be 0."""
    return mask.bit_length() - 1


def pick(mask: int, index: int) -> int:
    """The number of the bit that has ``index`` set bits below it; the mask must have more than ``index`` bits."""
    while index > 0:
        mask &= mask - 1
        index -= 1
    return (mask & -mask).bit_length() - 1
