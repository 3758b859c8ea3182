"""A TCP proxy between people and the server that does what networks do.

Each new connection takes the next :class:`Weather` of a forecast. A proxy is an async context
manager; ``url`` is its address.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final, Self

_CHUNK: Final = 16 * 1024


@dataclass(frozen=True, slots=True)
class Weather:
    """What happens to a connection.

    ``latency``: seconds for every piece, each way. ``answer``: bytes that come through from the
    server, then ``end`` follows: ``close``, ``reset``, ``hang`` (half-open: nobody is told that
    nothing comes any more) or ``slow`` (closed, but only after ``slowness`` seconds of silence).
    ``request``: the same for the bytes to the server.
    """

    latency: float = 0.0
    answer: int | None = None
    request: int | None = None
    end: str = "close"
    slowness: float = 1.0


CLEAR: Final = Weather()
#: The request arrives, the answer does not.
REPLY_LOST: Final = Weather(answer=0, end="reset")


@dataclass(slots=True)
class _Pair:
    """A connection: both ends, and the tasks between."""

    near: asyncio.StreamWriter
    far: asyncio.StreamWriter
    tasks: list[asyncio.Task[None]] = field(default_factory=list)


class Proxy:
    """Listens on a port of its own and passes bytes on to ``port``."""

    def __init__(self, port: int, forecast: Callable[[int], Weather] = lambda number: CLEAR) -> None:
        """``forecast`` gives the weather of connection 0, 1, 2 ..."""
        self.port = port
        self.forecast = forecast
        self.connections = 0
        self.url = ""
        self._closing = False
        self._pairs: list[_Pair] = []
        self._open: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        """Open the proxy."""
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it with all its connections."""
        self._closing = True
        self._server.close()
        self.cut()
        await asyncio.gather(*self._open, return_exceptions=True)
        ends = [writer.wait_closed() for pair in self._pairs for writer in (pair.near, pair.far)]
        await asyncio.gather(*ends, return_exceptions=True)
        await self._server.wait_closed()

    def cut(self, *, reset: bool = True) -> None:
        """End every connection now."""
        for pair in self._pairs:
            for task in pair.tasks:
                task.cancel()
            for writer in (pair.near, pair.far):
                _end(writer, reset)

    def hang(self) -> None:
        """Let every connection stand open, but pass nothing on any more."""
        for pair in self._pairs:
            for task in pair.tasks:
                task.cancel()

    async def _connected(self, reader: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        weather = self.forecast(self.connections)
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        task.add_done_callback(self._open.discard)
        try:
            answers, far = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            _end(near, True)
            with contextlib.suppress(ConnectionError):
                await near.wait_closed()
            return
        pair = _Pair(near, far)
        self._pairs.append(pair)
        if self._closing:
            self.cut()
            return
        pair.tasks = [
            asyncio.ensure_future(self._pass(reader, far, weather, weather.request, pair)),
            asyncio.ensure_future(self._pass(answers, near, weather, weather.answer, pair)),
        ]
        await asyncio.gather(*pair.tasks, return_exceptions=True)

    async def _pass(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        weather: Weather,
        most: int | None,
        pair: _Pair,
    ) -> None:
        passed = 0
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(_CHUNK):
                if weather.latency:
                    await asyncio.sleep(weather.latency)
                if most is not None and passed + len(data) > most:
                    writer.write(data[: most - passed])
                    await self._over(weather, pair)
                    return
                passed += len(data)
                writer.write(data)
                await writer.drain()
            _end(writer, False)

    @staticmethod
    async def _over(weather: Weather, pair: _Pair) -> None:
        if weather.end == "hang":
            pair.tasks[0].cancel()
            pair.tasks[1].cancel()
            return
        if weather.end == "slow":
            await asyncio.sleep(weather.slowness)
        for writer in (pair.near, pair.far):
            _end(writer, weather.end == "reset")


def _end(writer: asyncio.StreamWriter, reset: bool) -> None:
    """Close an end of a connection; ``reset`` tells the other side that something broke."""
    made: socket.socket | None = writer.get_extra_info("socket")
    if reset and made is not None and made.fileno() >= 0:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
    else:
        writer.close()
