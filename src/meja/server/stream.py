"""A stream of server-sent events over plain ASGI."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

_HEAD: Final = re.compile(rb'"head":(\d+)')
#: Some proxies and scanners hold back the first bytes: they get some to hold.
_FIRST: Final = b": meja\nretry: 2000\n\n"
_HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store, no-transform"),
    (b"x-accel-buffering", b"no"),
]


class EventStream(Response):
    """Sends each update as an event with its head as id, and a comment as heartbeat.

    It waits for the network: a slow reader gets fewer, larger updates, never a queue.
    ``fault`` turns an error into the data of a ``gone`` event.
    """

    def __init__(self, updates: AsyncIterator[bytes | None], fault: Callable[[Exception], bytes]) -> None:
        super().__init__()
        self._updates = updates
        self._fault = fault

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the reader goes away or the service stops."""
        await send({"type": "http.response.start", "status": 200, "headers": [*_HEADERS]})
        if scope.get("method") == "HEAD":
            await send({"type": "http.response.body", "body": b""})
            return
        pump = asyncio.ensure_future(self._pump(send))
        gone = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait({pump, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (pump, gone):
                task.cancel()
            await asyncio.gather(pump, gone, return_exceptions=True)
            closing: Any = self._updates
            with contextlib.suppress(RuntimeError):
                await closing.aclose()

    async def _pump(self, send: Send) -> None:
        await send({"type": "http.response.body", "body": _FIRST, "more_body": True})
        last = b"event: bye\ndata: {}\n\n"
        try:
            async for update in self._updates:
                await send({"type": "http.response.body", "body": _event(update), "more_body": True})
        except Exception as error:
            last = b"event: gone\ndata: " + self._fault(error) + b"\n\n"
        await send({"type": "http.response.body", "body": last, "more_body": False})


def _event(update: bytes | None) -> bytes:
    if update is None:
        return b": hb\n\n"
    found = _HEAD.search(update)
    head = found[1] if found else b""
    return b"id: " + head + b"\nevent: update\ndata: " + update + b"\n\n"


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
