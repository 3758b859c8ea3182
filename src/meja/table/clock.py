"""The time of the service: the computer's, but it never goes back.

Turns, countdowns and who is away are measured by it, and it is what the log says. A computer's clock may be
set back while a match runs: then the time here goes on from where it was, a little slower, until the other one
has caught up. Set forward, it is followed at once (a computer that slept also wakes up later).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

_MS: Final = 1_000_000
#: While it is ahead, the time here loses one part in so many.
_SLOWER: Final = 20


class Clock:
    """Called, it tells the milliseconds since 1970."""

    def __init__(self, wall: Callable[[], int] = time.time_ns, steady: Callable[[], int] = time.monotonic_ns) -> None:
        """``wall`` is the computer's clock, ``steady`` one that nobody sets; both in nanoseconds."""
        self._wall = wall
        self._steady = steady
        self._at, self._now = steady(), wall()

    def __call__(self) -> int:
        """The time now."""
        wall, steady = self._wall(), self._steady()
        passed = steady - self._at
        ahead = self._now + passed - wall
        slower = min(passed // _SLOWER, ahead) if ahead > 0 else ahead
        self._now += passed - slower
        self._at = steady
        return self._now // _MS
