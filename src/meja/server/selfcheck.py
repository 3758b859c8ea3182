"""What a request looks like from here, and a stream that says when each part was sent.

``meja doctor --url`` and the page compare both with what arrives: in between are proxies.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from meja import __version__
from meja.search import kernels

#: The stream's events: so many, so many seconds apart, then one after a pause that is asked for.
EVENTS: Final = 5
APART: Final = 0.2
LONGEST_PAUSE: Final = 20.0
#: Whether the kernels of the bots are compiled: all, none or some of them.
_MADE: Final = set(kernels().values())
KERNELS: Final = "mixed" if len(_MADE) == 2 else "compiled" if True in _MADE else "plain"
_HEADERS: Final = {"cache-control": "no-store, no-transform", "x-accel-buffering": "no"}


class SelfcheckAnswer(msgspec.Struct, frozen=True):
    """How a request arrived.

    ``forwarded``: a proxy's headers came with it; ``trusted``: they count, since the proxy is one
    of ``--proxy``. ``host``, ``scheme`` and ``client`` are as the service sees them after that.
    """

    ok: bool
    version: str
    build: str
    kernels: str
    now: int
    scheme: str
    host: str
    client: str
    forwarded: bool
    trusted: bool
    public_url: str
    heartbeat: float


def answer(request: Request, *, build: str, now: int, public_url: str, heartbeat: float) -> SelfcheckAnswer:
    """How this request arrived."""
    headers = request.headers
    client = request.client.host if request.client is not None else ""
    passed = [address.strip() for address in headers.get("x-forwarded-for", "").split(",") if address.strip()]
    schemes = headers.get("x-forwarded-proto", "").split(",")
    return SelfcheckAnswer(
        ok=True,
        version=__version__,
        build=build,
        kernels=KERNELS,
        now=now,
        scheme=request.url.scheme,
        host=headers.get("host", ""),
        client=client,
        forwarded=bool(passed) or "x-forwarded-proto" in headers or "forwarded" in headers or "via" in headers,
        trusted=client in passed and request.url.scheme == schemes[-1].strip().lower(),
        public_url=public_url,
        heartbeat=heartbeat,
    )


class SelfcheckStream(StreamingResponse):
    """Timed events; ends after at most half a minute, or when the reader goes away."""

    def __init__(self, pause: float, stopping: Callable[[], bool]) -> None:
        super().__init__(_events(pause, stopping), headers=_HEADERS, media_type="text/event-stream")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As usual; for HEAD without the events."""
        if scope.get("method") == "HEAD":
            await Response(headers=_HEADERS, media_type="text/event-stream")(scope, receive, send)
            return
        await super().__call__(scope, receive, send)


async def _events(pause: float, stopping: Callable[[], bool]) -> AsyncIterator[bytes]:
    began = time.monotonic()

    def event(number: int) -> bytes:
        data: dict[str, Any] = {"number": number, "ms": round(1000 * (time.monotonic() - began))}
        return b"event: tick\ndata: " + msgspec.json.encode(data) + b"\n\n"

    for number in range(EVENTS):
        yield event(number)
        await asyncio.sleep(APART)
    while pause > 0 and not stopping():
        step = min(pause, 0.5)
        await asyncio.sleep(step)
        pause -= step
    yield event(EVENTS)
