"""A small and fast HTTP client for load: keep-alive requests, and streams that check themselves.

Raw asyncio, so that the generator takes as little of the machine as it can from the server it
measures.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import msgspec

T = TypeVar("T")

_LENGTH: Final = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
_COOKIE: Final = re.compile(rb"set-cookie: ([^;\r\n]+)", re.IGNORECASE)


class Failed(Exception):
    """The server answered with something the client did not expect."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    head: bytes
    body: bytes

    @property
    def cookie(self) -> str:
        """The first cookie that the answer sets."""
        found = _COOKIE.search(self.head)
        return found[1].decode() if found else ""


class Http:
    """Requests to one server over ``connections`` that are kept open."""

    def __init__(self, port: int, connections: int = 48) -> None:
        self.port = port
        self._free: asyncio.LifoQueue[tuple[asyncio.StreamReader, asyncio.StreamWriter] | None] = asyncio.LifoQueue()
        for _ in range(connections):
            self._free.put_nowait(None)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        kept = await self._free.get()
        try:
            if kept is None:
                kept = await asyncio.open_connection("127.0.0.1", self.port)
            yield kept
        except BaseException:
            if kept is not None:
                kept[1].close()
            kept = None
            raise
        finally:
            self._free.put_nowait(kept)

    async def ask(self, method: str, path: str, cookie: str = "", body: Any = None) -> Answer:
        """Send a request and read its answer; one that finds its connection closed is sent again."""
        data = b"" if body is None else msgspec.json.encode(body)
        request = (
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        ).encode() + data
        for again in range(3):
            try:
                async with self._connection() as (reader, writer):
                    writer.write(request)
                    head = await reader.readuntil(b"\r\n\r\n")
                    found = _LENGTH.search(head)
                    return Answer(int(head[9:12]), head, await reader.readexactly(int(found[1]) if found else 0))
            except (ConnectionError, asyncio.IncompleteReadError):
                if again == 2:
                    raise
        raise AssertionError

    async def post(self, path: str, cookie: str, body: Any) -> Any:
        """Send something that must succeed; returns the answer's JSON."""
        answer = await self.ask("POST", path, cookie, body)
        if answer.status not in (200, 201):
            raise Failed(f"{path}: {answer.status} {answer.body[:300]!r}")
        return json.loads(answer.body)

    async def guest(self, name: str) -> str:
        """A new person; returns the cookie."""
        answer = await self.ask("POST", "/api/me", "", {"name": name})
        if answer.status != 200:
            raise Failed(f"/api/me: {answer.status} {answer.body[:300]!r}")
        return answer.cookie

    def close(self) -> None:
        """Let the connections go."""
        while not self._free.empty():
            kept = self._free.get_nowait()
            if kept is not None:
                kept[1].close()


# -- what a player needs of an update ---------------------------------------------------


class SeenStep(msgspec.Struct):
    """A step's number is all that is checked here; what it tells is the matter of tests."""

    seq: int


class SeenCan(msgspec.Struct):
    """Whether the table waits for this seat's ``ready``."""

    ready: bool


class SeenState(msgspec.Struct):
    """The part of the state that a fast player looks at."""

    status: str
    can: SeenCan


class SeenView(msgspec.Struct):
    """The part of the view that a fast player looks at."""

    legal: list[str] = []


class Seen(msgspec.Struct):
    """An update, as far as a fast player looks at it."""

    after: int | None
    head: int
    steps: list[SeenStep]
    state: SeenState
    view: SeenView | None


_SEEN: Final = msgspec.json.Decoder(Seen)


@dataclass(slots=True)
class Faults:
    """What must not be: steps that were missed, told twice or out of order, streams that broke."""

    gaps: int = 0
    doubled: int = 0
    broken: int = 0
    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Keep the first few in words."""
        if len(self.notes) < 20:
            self.notes.append(text)


class Stream(asyncio.Protocol):
    """One seat's stream of updates; ``told(update, at)`` is called for each.

    It checks that every step comes exactly once and in order.
    """

    def __init__(self, request: bytes, told: Callable[[Seen, float], None], faults: Faults) -> None:
        self._request = request
        self._told = told
        self._faults = faults
        self._transport: asyncio.Transport | None = None
        self._raw = bytearray()
        self._text = bytearray()
        self._begun = False
        self.closing = False
        self.head: int | None = None
        self.updates = 0
        self.bytes = 0
        self.first = asyncio.get_running_loop().create_future()

    @classmethod
    async def open(
        cls, port: int, table: str, cookie: str, told: Callable[[Seen, float], None], faults: Faults
    ) -> Stream:
        """Open the stream of a table and wait for its first update."""
        request = (
            f"GET /api/stream?table={table}&lang=en HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n"
            "Accept: text/event-stream\r\n\r\n"
        ).encode()
        _, stream = await asyncio.get_running_loop().create_connection(
            lambda: cls(request, told, faults), "127.0.0.1", port
        )
        await asyncio.wait_for(asyncio.shield(stream.first), 60)
        return stream

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, error: Exception | None) -> None:
        """A stream that ends before it was closed is a fault."""
        if not self.closing:
            self._faults.broken += 1
            self._faults.note(f"stream lost: {error}")
        if not self.first.done():
            self.first.set_exception(Failed("the stream ended before its first update"))
            self.first.exception()

    def data_received(self, data: bytes) -> None:
        """Take apart chunks, then events."""
        at = time.perf_counter()
        self.bytes += len(data)
        raw = self._raw
        raw += data
        if not self._begun:
            end = raw.find(b"\r\n\r\n")
            if end < 0:
                return
            if not raw.startswith(b"HTTP/1.1 200"):
                self._faults.note(f"stream refused: {bytes(raw[:200])!r}")
            del raw[: end + 4]
            self._begun = True
        while True:
            line = raw.find(b"\r\n")
            if line < 0:
                break
            size = int(raw[:line], 16)
            if len(raw) < line + 4 + size:
                break
            self._text += raw[line + 2 : line + 2 + size]
            del raw[: line + 4 + size]
        while True:
            end = self._text.find(b"\n\n")
            if end < 0:
                break
            event = bytes(self._text[:end])
            del self._text[: end + 2]
            self._event(event, at)

    def _event(self, event: bytes, at: float) -> None:
        start = event.find(b"\ndata: ")
        if start < 0:
            return
        if b"event: update" not in event[:start]:
            self.closing = True
            return
        update = _SEEN.decode(event[start + 7 :])
        self._check(update)
        self.head = update.head
        self.updates += 1
        if not self.first.done():
            self.first.set_result(None)
        self._told(update, at)

    def _check(self, update: Seen) -> None:
        if self.head is None:
            return
        seqs = [step.seq for step in update.steps]
        wanted = list(range(self.head + 1, update.head + 1))
        if update.after == self.head and seqs == wanted:
            return
        self._faults.doubled += len([seq for seq in seqs if seq <= self.head]) + len(seqs) - len(set(seqs))
        self._faults.gaps += len(set(wanted) - set(seqs))
        self._faults.note(f"after {self.head}: update after {update.after}, steps {seqs}")

    def close(self) -> None:
        """Go away."""
        self.closing = True
        if self._transport is not None:
            self._transport.close()


def command(head: int | None, what: dict[str, Any]) -> dict[str, Any]:
    """A command's body, with a key of its own."""
    return {"key": secrets.token_hex(12), "expect": head, "command": what}


async def in_turn(things: Iterable[T], job: Callable[[T], Awaitable[Any]], width: int) -> None:
    """Do a job with each of many things, ``width`` at a time; the first fault ends all."""
    rest = iter(things)

    async def work() -> None:
        for thing in rest:
            await job(thing)

    workers = [asyncio.ensure_future(work()) for _ in range(width)]
    try:
        await asyncio.gather(*workers)
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
