"""Rate limits: token buckets per session and per address, generous enough for a classroom behind one address."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

_MOST: Final = 20_000


@dataclass(frozen=True, slots=True)
class Limit:
    """So many at once, and so many a second after that."""

    burst: float
    rate: float


#: By what is limited: everything per address, commands and new tables per person, new people and codes per address.
LIMITS: Final = {
    "address": Limit(1200, 200),
    "command": Limit(60, 15),
    "table": Limit(30, 0.5),
    "people": Limit(120, 1),
    "code": Limit(12, 0.1),
    "talk": Limit(8, 0.5),
    "record": Limit(60, 5),
}


class Buckets:
    """Token buckets by (kind, who). ``on`` false lets everything pass (for load tests)."""

    def __init__(self, on: bool = True, clock: Callable[[], float] = time.monotonic) -> None:
        self.on = on
        self._clock = clock
        self._left: dict[tuple[str, str], tuple[float, float]] = {}

    def take(self, kind: str, who: str) -> float:
        """Take one token; 0 if it was there, else after how many seconds it will be."""
        if not self.on:
            return 0.0
        limit, now = LIMITS[kind], self._clock()
        left, at = self._left.get((kind, who), (limit.burst, now))
        left = min(limit.burst, left + (now - at) * limit.rate)
        if left < 1:
            self._left[kind, who] = (left, now)
            return (1 - left) / limit.rate
        if len(self._left) >= _MOST:
            self._prune(now)
        self._left[kind, who] = (left - 1, now)
        return 0.0

    def _prune(self, now: float) -> None:
        """Drop buckets that are full again; if that is not enough, the oldest half."""
        full = [
            name
            for name, (left, at) in self._left.items()
            if left + (now - at) * LIMITS[name[0]].rate >= LIMITS[name[0]].burst
        ]
        for name in full:
            del self._left[name]
        if len(self._left) >= _MOST:
            for name in list(self._left)[: _MOST // 2]:
                del self._left[name]
