"""Running the table: one process, one command."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import uvicorn

from meja.bots.outside import BotCommand
from meja.errors import MejaError
from meja.messages import msg
from meja.server.app import Config, Site, make_app
from meja.server.assets import Assets
from meja.server.memory import collect_in_turn
from meja.table.accounts import Accounts
from meja.table.botpool import BotPool
from meja.table.clock import Clock
from meja.table.hold import Hold
from meja.table.outside import OutsidePool
from meja.table.service import UNUSED, Service
from meja.table.store import Store

DATABASE: Final = "meja.db"
PORT: Final = 8765
_DAY: Final = 86_400_000
_HOUR: Final = 3600.0
#: Milliseconds that a browser's network may leave what was sent unanswered.
_SILENCE: Final = 20_000
#: Seconds between two looks for connections that came late.
_LATE: Final = 0.05
#: Open files to ask for: two per person who plays, and then some.
_FILES: Final = 65_536


@dataclass(frozen=True, slots=True)
class Settings:
    """How to serve.

    ``data``: the folder of the store. ``pace``: scales the thinking time that bots show.
    ``keep_days``: how long the log of a finished match is kept (its record stays). ``idle_days``: how
    long an unfinished one that nobody touches is. ``proxies``: addresses whose forwarded headers count.
    ``forget_after``: seconds that a table which nobody follows stays in memory. ``commands``: programs outside that
    are bots, by name.
    """

    host: str = "127.0.0.1"
    port: int = PORT
    data: Path = Path()
    workers: int | None = None
    pace: float = 1.0
    keep_days: int = 30
    idle_days: int = 120
    limits: bool = True
    public_url: str = ""
    proxies: str = ""
    heartbeat: float = 15.0
    forget_after: float = UNUSED
    commands: Mapping[str, BotCommand] = field(default_factory=dict)


class PortInUse(MejaError):
    """Something listens on the port already."""


def is_table(settings: Settings) -> bool:
    """Whether what listens on the port is a table of ours."""
    try:
        with urlopen(f"http://127.0.0.1:{settings.port}/healthz", timeout=2) as answer:
            return b'"ok":true' in answer.read(1000)
    except OSError:
        return False


def data_folder() -> Path:
    """Where the table keeps its data unless told otherwise: ``MEJA_DATA``, else the user's data folder."""
    given = os.environ.get("MEJA_DATA")
    if given:
        return Path(given)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home())
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "meja"


def serve(settings: Settings, ready: Callable[[str], None]) -> None:
    """Serve until the process is told to stop; ``ready`` is called with the address once it listens.

    Raises :class:`~meja.errors.MejaError` where the port or the data cannot be had.
    """
    _allow_many_files()
    listener = _listen(settings.host, settings.port)
    try:
        asyncio.run(_serve(settings, listener, ready))
    finally:
        listener.close()


def _allow_many_files() -> None:
    """Every connection is an open file, and systems allow few unless asked."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415 - not on Windows

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
        if soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # Only for a socket that says TCP does asyncio switch off Nagle's delay, 40 ms for each answer.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # Who vanished without a word is noticed by the next heartbeat, not after a quarter of an hour.
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _SILENCE)
        listener.bind((host, port))
        listener.listen(2048)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortInUse(
                msg("port {port} is in use; is a table being served already? Choose another: --port", port=port)
            ) from None
        raise MejaError(
            msg(
                "cannot listen on {host}, port {port}: {error}",
                host=host,
                port=port,
                error=error.strerror or str(error),
            )
        ) from None
    return listener


def address(settings: Settings, listener: socket.socket) -> str:
    """The address to open in a browser."""
    return settings.public_url or local_address(listener)


def local_address(listener: socket.socket) -> str:
    """The address on this computer."""
    host, port = listener.getsockname()[:2]
    if host in ("127.0.0.1", "::1", "0.0.0.0", "::"):
        return f"http://localhost:{port}"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


async def _serve(settings: Settings, listener: socket.socket, ready: Callable[[str], None]) -> None:
    hold = Hold(settings.data)
    try:
        store = Store.open(settings.data / DATABASE)
    except BaseException:
        hold.release()
        raise
    bots = OutsidePool(settings.workers, settings.commands) if settings.commands else BotPool(settings.workers)
    try:
        if isinstance(bots, OutsidePool):
            bots.check()
        assets = Assets()
        clock = Clock()
        service = Service(
            store, bots, pace=settings.pace, build=assets.build, clock=clock, forget_after=settings.forget_after
        )
        site = Site(
            service,
            Accounts(store, clock),
            assets,
            Config(settings.heartbeat, settings.limits, settings.public_url.rstrip("/")),
        )
        config = uvicorn.Config(
            make_app(site),
            # What strangers send is no news: it would only fill the log.
            log_level="error",
            access_log=False,
            server_header=False,
            lifespan="on",
            ws="none",
            timeout_keep_alive=30,
            timeout_graceful_shutdown=5,
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=settings.proxies or None,
            # The quicker parser, where it happens to be installed, knows no limit of a request's head.
            http="h11",
            h11_max_incomplete_event_size=32 * 1024,
        )
        server = StoppingServer(config, service)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.005)
        if server.started:
            bots.warm()
            hold.tell(local_address(listener))
            ready(address(settings, listener))
        beside = [asyncio.create_task(work) for work in (_clean(service, settings), collect_in_turn())]
        try:
            await serving
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
    finally:
        bots.close()
        store.close()
        hold.release()


class StoppingServer(uvicorn.Server):
    """Streams never end by themselves: they are told to when the server stops."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let the followers go, then stop as usual."""
        await self._service.stop()
        late = asyncio.create_task(self._close_the_late())
        try:
            await super().shutdown(sockets)
        finally:
            late.cancel()

    async def _close_the_late(self) -> None:
        # Who is let go comes back at once, and may be taken in just before the door is shut: nobody would end that
        # connection, and the whole server would wait for it.
        while True:
            for connection in list(self.server_state.connections):
                transport = getattr(connection, "transport", None)
                if transport is not None and not transport.is_closing():
                    connection.shutdown()
            await asyncio.sleep(_LATE)


async def _clean(service: Service, settings: Settings) -> None:
    """Drop what is old, now and every hour."""
    while True:
        now = service.now()
        with contextlib.suppress(MejaError):
            await service.expire(now - settings.keep_days * _DAY, now - settings.idle_days * _DAY)
        await asyncio.sleep(_HOUR)
