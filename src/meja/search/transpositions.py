"""Looking ahead in a table of positions: compiled, the processor is told to fetch a place."""

from __future__ import annotations

from collections.abc import Sequence


def fetch(table: Sequence[int], slot: int) -> None:
    """Say that ``table[slot]`` will be wanted soon."""
