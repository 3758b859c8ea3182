"""Bots in processes of their own: they get a view, a level and a budget, and nothing else.

A bot has a deadline inside its budget and a hard one outside; past it its process is killed
and made anew, and the move comes from the rules of thumb here. Work that finds no idle process
waits, first come first served: waiting is no fault and costs no process.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections import deque
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from typing import Any, Final

from meja.bots import RULES_OF_THUMB, Advice, Budget, RandomBot, make_bot
from meja.bots.workers import WorkerPool
from meja.view import View

_LOG: Final = logging.getLogger("meja.table")

#: Seconds: what a bot is told it has; when it is given up, from when its process began with it; and how long a
#: process may take to start, on a computer that has much to do.
THINKING: Final = 1.0
PATIENCE: Final = 4.0
_STARTING: Final = 60.0
_GOODBYE: Final = 2.0


#: What a bot is asked for in its process: by level, view and seed.
Work = Callable[[str, View[Any], int], Any]


def choose(level: str, view: View[Any], seed: int) -> Any:
    """What the bot of ``level`` does with ``view``."""
    return make_bot(level, view.game).act(view, Budget(seed=seed, seconds=THINKING))


def advise(level: str, view: View[Any], seed: int) -> Advice:
    """What the bot of ``level`` would do in the place of who sees ``view``."""
    return make_bot(level, view.game).advise(view, Budget(seed=seed, seconds=THINKING))


def by_rule_of_thumb(view: View[Any], seed: int) -> Any:
    """What is done in the place of a bot that failed: by the rules of thumb, and if these fail too by chance."""
    try:
        chosen = choose(RULES_OF_THUMB, view, seed)
        if chosen in view.legal:
            return chosen
    except Exception:
        _LOG.exception("the rules of thumb failed")
    return choose(RandomBot.name, view, seed)


def _ready() -> bool:
    return True


class _Worker:
    """One process, in which one bot thinks at a time. It is started by the first work, and anew after :meth:`kill`."""

    def __init__(self) -> None:
        self._pool: WorkerPool | None = None
        self._started: Future[bool] | None = None

    def start(self) -> Future[bool]:
        """Start the process, unless it runs; done when it takes work."""
        if self._pool is None or self._started is None:
            self._pool = WorkerPool(1)
            self._started = self._pool.submit(_ready)
        return self._started

    async def do(self, work: Work, level: str, view: View[Any], seed: int, patience: float) -> Any:
        """What comes of work; raises ``TimeoutError`` past the patience, else what went wrong with it."""
        await _done(self.start(), _STARTING)
        assert self._pool is not None
        # The process is idle, so it begins now.
        return await _done(self._pool.submit(work, level, view, seed), patience)

    def kill(self) -> None:
        """End the process, whatever it does."""
        pool, self._pool, self._started = self._pool, None, None
        if pool is not None:
            for process in list((getattr(pool, "_processes", None) or {}).values()):
                with contextlib.suppress(OSError, ValueError):
                    process.kill()
            pool.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """End the process, and wait a moment for what watches it."""
        watcher = getattr(self._pool, "_executor_manager_thread", None)
        self.kill()
        if watcher is not None:
            # Python's own end would trip over a thread that is just closing what it wakes it by.
            watcher.join(_GOODBYE)


class _Failed(Exception):
    """A bot failed in its process, which is as good as before."""


async def _done(work: Future[Any], seconds: float) -> Any:
    """The outcome of work in a process: ``TimeoutError`` where it hangs, ``_Failed`` where the bot failed.

    A bot may raise anything, also what would end this process or look like a process that hangs.
    """
    wrapped = asyncio.wrap_future(work)
    try:
        await asyncio.wait([wrapped], timeout=seconds)
        if not wrapped.done():
            raise TimeoutError
    finally:
        # What becomes of it later nobody asks.
        wrapped.cancel()
    error = wrapped.exception()
    if error is None:
        return wrapped.result()
    if isinstance(error, BrokenExecutor):
        raise error
    raise _Failed from error


class BotPool:
    """A few processes in which bots think; ``workers`` 0 lets them think here (for tests of other things)."""

    def __init__(self, workers: int | None = None, patience: float = PATIENCE) -> None:
        self.workers = max(1, (os.cpu_count() or 2) - 1) if workers is None else workers
        self.patience = patience
        self._all = [_Worker() for _ in range(self.workers)]
        #: Those that have nothing to do, the last used one last; and who waits for one, the first one first.
        self._idle = self._all[::-1]
        self._waiting: deque[asyncio.Future[_Worker]] = deque()
        #: Work goes on to its end also when nobody waits for it any more: until then its process is not idle.
        self._thinking: set[asyncio.Task[Any]] = set()
        #: How often a bot or its process failed; for the metrics.
        self.failures = 0

    def warm(self) -> None:
        """Start the processes now, so that the first move does not wait for them."""
        for worker in self._all:
            worker.start()

    async def act(self, level: str, view: View[Any], seed: int) -> Any:
        """The bot's choice; always one that a bot made by this view.

        It waits for an idle process as long as that takes, and from then on for the patience and a little.
        """
        try:
            return await self._ask(choose, level, view, seed)
        except _Failed:
            return by_rule_of_thumb(view, seed)

    async def advise(self, level: str, view: View[Any], seed: int) -> Advice:
        """What the bot would do in the place of who sees ``view``, and what it thinks of the other actions.

        It waits as :meth:`act` does, and never fails.
        """
        try:
            advice: Advice = await self._ask(advise, level, view, seed)
        except _Failed:
            return Advice(by_rule_of_thumb(view, seed))
        return advice

    async def _ask(self, work: Work, level: str, view: View[Any], seed: int) -> Any:
        if not self.workers:
            try:
                return work(level, view, seed)
            except Exception as error:
                self.failures += 1
                raise _Failed from error
        task = asyncio.create_task(self._think(await self._take(), work, level, view, seed))
        self._thinking.add(task)
        task.add_done_callback(self._forget)
        return await asyncio.shield(task)

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._thinking.discard(task)
        if not task.cancelled():
            # It may be that nobody waits any more for a bot that failed.
            task.exception()

    async def _think(self, worker: _Worker, work: Work, level: str, view: View[Any], seed: int) -> Any:
        """Let a bot think in a process of which nobody else asks anything meanwhile."""
        whole = False
        try:
            found = await worker.do(work, level, view, seed, self.patience)
            whole = True
            return found
        except _Failed:
            whole = True
            self.failures += 1
            raise
        except (TimeoutError, BrokenExecutor, OSError, RuntimeError) as error:
            # It hangs, it died, or it could not even be started.
            self.failures += 1
            raise _Failed from error
        finally:
            if not whole:
                worker.kill()
            self._give(worker)

    async def _take(self) -> _Worker:
        """An idle process; who asked first gets one first."""
        if self._idle:
            return self._idle.pop()
        waits: asyncio.Future[_Worker] = asyncio.get_running_loop().create_future()
        self._waiting.append(waits)
        try:
            return await waits
        except asyncio.CancelledError:
            if waits.done() and not waits.cancelled():
                self._give(waits.result())
            raise

    def _give(self, worker: _Worker) -> None:
        while self._waiting:
            waits = self._waiting.popleft()
            if not waits.done():
                waits.set_result(worker)
                return
        self._idle.append(worker)

    def close(self) -> None:
        """End the processes."""
        for worker in self._all:
            worker.close()
