"""Bots in processes of their own: they get a view, a level and a budget, and nothing else.

A bot has a deadline inside its budget and a hard one outside; past it the processes are killed
and made anew, and the move comes from the rules of thumb here.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, Final

from meja.bots import RULES_OF_THUMB, Budget, RandomBot, make_bot
from meja.view import View

_LOG: Final = logging.getLogger("meja.table")

#: Seconds: what a bot is told it has, and when it is given up.
THINKING: Final = 1.0
PATIENCE: Final = 4.0
_GOODBYE: Final = 2.0


def choose(level: str, view: View[Any], seed: int) -> Any:
    """What the bot of ``level`` does with ``view``."""
    return make_bot(level, view.game).act(view, Budget(seed=seed, seconds=THINKING))


def by_rule_of_thumb(view: View[Any], seed: int) -> Any:
    """What is done in the place of a bot that failed: by the rules of thumb, and if these fail too by chance."""
    try:
        chosen = choose(RULES_OF_THUMB, view, seed)
        if chosen in view.legal:
            return chosen
    except Exception:
        _LOG.exception("the rules of thumb failed")
    return choose(RandomBot.name, view, seed)


def _end_with_parent() -> None:
    """A worker whose parent is gone would wait for work for ever; Ctrl-C is the parent's business."""
    import signal  # noqa: PLC0415

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:

        def watch() -> None:
            parent.join()
            os._exit(1)

        Thread(target=watch, daemon=True).start()


def _ready() -> bool:
    return True


class BotPool:
    """A small pool of processes in which bots think; ``workers`` 0 lets them think here (for tests of other things)."""

    def __init__(self, workers: int | None = None, patience: float = PATIENCE) -> None:
        self.workers = max(1, (os.cpu_count() or 2) - 1) if workers is None else workers
        self.patience = patience
        self._pool: ProcessPoolExecutor | None = None
        #: How often a pool had to be given up; for the metrics.
        self.failures = 0

    def warm(self) -> None:
        """Start the processes now, so that the first move does not wait for them."""
        for _ in range(self.workers):
            self._running().submit(_ready)

    def _running(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self.workers, mp_context=get_context("spawn"), initializer=_end_with_parent, max_tasks_per_child=None
            )
        return self._pool

    async def act(self, level: str, view: View[Any], seed: int) -> Any:
        """The bot's choice; always one that a bot made by this view, within the patience and a little."""
        pool = None if self.workers == 0 else self._running()
        try:
            if pool is None:
                return choose(level, view, seed)
            work = asyncio.get_running_loop().run_in_executor(pool, choose, level, view, seed)
            return await asyncio.wait_for(work, self.patience)
        except (TimeoutError, BrokenProcessPool):
            if pool is not None:
                self._give_up(pool)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            # Another table gave the pool up, and the work that waited in it was dropped.
        except Exception:
            self.failures += 1
        return by_rule_of_thumb(view, seed)

    def _give_up(self, pool: ProcessPoolExecutor) -> None:
        """Kill a pool that hangs or broke; the next move makes a new one."""
        self.failures += 1
        if self._pool is pool:
            self._pool = None
        for process in list((getattr(pool, "_processes", None) or {}).values()):
            with contextlib.suppress(OSError, ValueError):
                process.kill()
        pool.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            pool, self._pool = self._pool, None
            for process in list((getattr(pool, "_processes", None) or {}).values()):
                with contextlib.suppress(OSError, ValueError):
                    process.kill()
            watcher = getattr(pool, "_executor_manager_thread", None)
            pool.shutdown(wait=False, cancel_futures=True)
            if watcher is not None:
                # Python's own end would trip over a thread that is just closing what it wakes it by.
                watcher.join(_GOODBYE)
