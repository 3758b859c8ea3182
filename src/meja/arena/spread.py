"""Playing a plan here, in several processes, or anywhere that an executor reaches; the results are the same."""

from __future__ import annotations

import os
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    wait,
)
from itertools import islice
from typing import Final

from meja.arena.duplicate import Plan, Players, Result, check_outside, play_number, play_numbers
from meja.arena.version import version
from meja.bots.workers import WorkerPool
from meja.errors import MejaError
from meja.messages import msg

#: How long the work that is handed out at once should take, in seconds, and how many deals it may be.
_PORTION: Final = 0.3
_MOST_TOGETHER: Final = 64
#: Processes may be ended from outside so often without anything finished in between.
_TRIES: Final = 3
MOST_JOBS: Final = 256

#: Seconds after which it is looked whether the workers are still there.
_LOOK: Final = 1.0


class Workers:
    """Those who play: any executor of :mod:`concurrent.futures`. Others may know more of theirs."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def executor(self) -> Executor:
        """Who takes the work."""
        return self._executor

    def width(self) -> int:
        """How many pieces of work can be done at the same time."""
        return getattr(self._executor, "_max_workers", None) or os.cpu_count() or 1

    def look(self) -> None:
        """Raise :class:`~meja.errors.MejaError` if they are not to be waited for any longer; asked every second."""

    def renew(self) -> bool:
        """Make them anew, after work was lost; ``False`` if that cannot be done."""
        return False

    def close(self) -> None:
        """They are not needed any more."""


def play(
    plan: Plan,
    numbers: Iterable[int],
    *,
    jobs: int = 1,
    executor: Executor | Workers | None = None,
    records: bool = False,
) -> Generator[Result]:
    """Play the numbers of a plan and yield what they brought, as it comes; with one job in their order.

    In ``jobs`` processes, or by any ``executor`` (whose processes must have this version of Meja). No number is
    yielded twice, whatever happens to the workers. Where this raises, or is closed, what was yielded before stands.
    """
    check_outside(plan)
    if executor is not None:
        yield from _spread(plan, numbers, executor if isinstance(executor, Workers) else Workers(executor), records)
    elif jobs <= 1:
        with Players(plan) as players:
            for number in numbers:
                yield play_number(plan, number, records=records, players=players)
    else:
        yield from _spread(plan, numbers, _Processes(min(jobs, MOST_JOBS)), records)


def _work(expected: str, plan: Plan, numbers: Sequence[int], records: bool) -> tuple[list[Result], float]:
    """What a worker does: the results, and how long they took."""
    if expected != version():
        raise MejaError(msg("a worker has Meja {found}, expected {expected}", found=version(), expected=expected))
    began = time.perf_counter()
    results = play_numbers(plan, numbers, records)
    return results, time.perf_counter() - began


class _Processes(Workers):
    """Processes of this machine; made anew if one of them is ended from outside."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool: WorkerPool | None = None

    def width(self) -> int:
        return self._jobs

    def executor(self) -> Executor:
        if self._pool is None:
            self._pool = WorkerPool(self._jobs)
        return self._pool

    def renew(self) -> bool:
        self.close()
        return True

    def close(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.end()


def _spread(
    plan: Plan,
    numbers: Iterable[int],
    workers: Workers,
    records: bool,
) -> Iterator[Result]:
    left = iter(numbers)
    again: list[tuple[int, ...]] = []
    waiting: dict[Future[tuple[list[Result], float]], tuple[int, ...]] = {}
    together, tries = 1, 0
    try:
        while True:
            while len(waiting) < 2 * max(1, workers.width()):
                portion = again.pop() if again else tuple(islice(left, together))
                if not portion:
                    break
                try:
                    waiting[workers.executor().submit(_work, version(), plan, portion, records)] = portion
                except BrokenExecutor:
                    again.append(portion)
                    break
            if not waiting and not again:
                return
            done, _ = wait(waiting, _LOOK, FIRST_COMPLETED)
            broken = not waiting
            fault: MejaError | None = None
            for future in done:
                portion = waiting.pop(future)
                try:
                    results, seconds = future.result()
                except (BrokenExecutor, CancelledError):
                    # Nothing of it was counted; it is played again.
                    again.append(portion)
                    broken = True
                except MejaError as error:
                    fault = error
                except Exception as error:
                    fault = MejaError(msg("a worker failed: {error}", error=f"{type(error).__name__}: {error}"))
                else:
                    tries = 0
                    if seconds > 0:
                        together = max(1, min(_MOST_TOGETHER, int(_PORTION * len(portion) / seconds)))
                    yield from results
            if fault is not None:
                raise fault
            workers.look()
            if broken:
                tries += 1
                for future, portion in waiting.items():
                    future.cancel()
                    again.append(portion)
                waiting.clear()
                if tries >= _TRIES or not workers.renew():
                    raise MejaError(msg("the processes that play were ended from outside"))
    finally:
        for future in waiting:
            future.cancel()
        workers.close()
