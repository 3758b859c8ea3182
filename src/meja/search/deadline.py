"""A limit of time for the exact solvers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Protocol


class Stoppable(Protocol):
    """What looks at ``stopped`` while it works."""

    stopped: int


@contextmanager
def deadline(solver: Stoppable, seconds: float | None) -> Iterator[None]:
    """A block in which ``solver`` answers ``None`` to what it has not found when ``seconds`` are over.

    ``None`` sets no limit. What the block asks after the time is over is answered at once.
    """
    if seconds is None:
        yield
        return
    timer = Timer(max(seconds, 0.0), setattr, (solver, "stopped", 1))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        solver.stopped = 0
