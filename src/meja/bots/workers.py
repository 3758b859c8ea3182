"""Processes that work for another one: they start undisturbed, and end with it."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from threading import Thread
from types import FrameType, TracebackType
from typing import Final, ParamSpec, TypeVar

from meja.bots.outside import end_all

_P = ParamSpec("_P")
_T = TypeVar("_T")
_GOODBYE: Final = 5.0


class WorkerPool(ProcessPoolExecutor):
    """Processes of this machine, each made anew and not copied; Ctrl-C is the business of who asks them to work."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers, mp_context=get_context("spawn"), initializer=_start)

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Hand out work; where that starts a process, Ctrl-C waits until it did."""
        with _undisturbed():
            return super().submit(fn, *args, **kwargs)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait for all work; where that is not wanted any more, end it."""
        if error is not None:
            self.end()
        super().__exit__(kind, error, trace)

    def end(self) -> None:
        """End the processes, whatever they do."""
        processes = list((getattr(self, "_processes", None) or {}).values())
        self.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            with suppress(OSError, ValueError):
                process.terminate()
        for process in processes:
            with suppress(OSError, ValueError, AssertionError):
                process.join(_GOODBYE)


@contextmanager
def _undisturbed() -> Iterator[None]:
    # Ctrl-C goes to all processes of a terminal at once, and one that just starts has no time to say that it is not
    # meant: it inherits that it is deaf to it.
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start() -> None:
    """What a worker does first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    if hasattr(signal, "pthread_sigmask"):
        # Programs that it starts get what they expect.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    parent = parent_process()
    if parent is not None:

        def watch() -> None:
            parent.join()
            end_all()
            os._exit(1)

        # Without its parent it would wait for work for ever.
        Thread(target=watch, daemon=True).start()


def _end(number: int, _: FrameType | None) -> None:
    # The end of a process by a signal runs nothing of Python's own end.
    end_all()
    os._exit(128 + number)
