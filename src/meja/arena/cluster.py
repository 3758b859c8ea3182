"""A Dask cluster as an executor: ``dask://HOST:PORT``. Needs ``pip install "meja[cluster]"``.

The cluster runs whatever it is sent, so it must be one that you trust, in a network that you trust.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from queue import Empty, Queue
from threading import Thread
from typing import Any, Final

from meja.arena.spread import Workers
from meja.cards import quoted
from meja.errors import MejaError
from meja.messages import msg

_ADDRESS: Final = re.compile(r"dask://([^\s/@]+:[0-9]{1,5})")

#: Seconds to reach the scheduler (also again, where it was lost), and to wait while there is no worker.
REACH: Final = 10.0
PATIENCE: Final = 60.0
#: Seconds that Dask may need beyond the time that it is given.
_MORE: Final = 8.0


class Cluster(Workers):
    """A cluster that is connected. ``patience``: how long it may be without a worker, in seconds."""

    def __init__(self, client: Any, patience: float = PATIENCE) -> None:
        # Each piece of work is its own: two that look alike are not to be joined.
        super().__init__(client.get_executor(pure=False))
        self._client = client
        self.patience = patience
        self._well = time.monotonic()

    def width(self) -> int:
        """How many pieces of work its workers can do at the same time."""
        return max(1, self._slots())

    def _slots(self) -> int:
        if self._client.status != "running":
            # To ask would wait for a scheduler that is gone.
            return 0
        with suppress(Exception):
            workers: dict[str, Any] = self._client.scheduler_info(n_workers=-1)["workers"]
            return sum(int(worker["nthreads"]) for worker in workers.values())
        return 0

    def look(self) -> None:
        """Raise where the scheduler is gone for good, or there has been no worker for too long."""
        now = time.monotonic()
        if self._client.status in ("closing", "closed"):
            raise MejaError(msg("the scheduler of the cluster is gone"))
        if self._slots():
            self._well = now
        elif now - self._well > self.patience:
            raise MejaError(
                msg(
                    "the cluster has had no worker for {seconds} seconds",
                    seconds=f"{self.patience:g}",
                )
            )

    def renew(self) -> bool:
        """Wait until it is there again."""
        while True:
            self.look()
            if self._slots():
                return True
            time.sleep(0.5)


def _client(distributed: Any, address: str, reach: float) -> Any:
    """A client of the scheduler; what else listens there may never answer, and no timeout of Dask ends that."""
    answer: Queue[Any] = Queue()

    def connect() -> None:
        try:
            answer.put(distributed.Client(f"tcp://{address}", timeout=reach, set_as_default=False))
        except (OSError, TimeoutError, ValueError) as error:
            answer.put(error)

    Thread(target=connect, daemon=True).start()
    try:
        client = answer.get(timeout=reach + _MORE)
    except Empty:
        client = None
    if client is None or isinstance(client, Exception):
        raise MejaError(msg("no Dask scheduler answers at {address}", address=address)) from None
    return client


@contextmanager
def connected(address: str, *, reach: float = REACH, patience: float = PATIENCE) -> Iterator[Cluster]:
    """The cluster whose scheduler listens at ``address`` (``dask://HOST:PORT``)."""
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise MejaError(msg("an executor is dask://HOST:PORT, not {found}", found=quoted(address, 100)))
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise MejaError(msg('Dask is not installed; install it with: pip install "meja[cluster]"')) from None
    # What it has to say of lost connections is said here in our words.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    client = _client(distributed, found[1], reach)
    try:
        yield Cluster(client, patience)
    finally:
        with suppress(Exception):
            client.close(timeout=2)
