"""Who comes in just before the door is shut is let go as well."""

from __future__ import annotations

import asyncio
import socket
import time
from typing import Any, cast

import uvicorn
from starlette.types import Receive, Scope, Send
from tests.server.raw import request

from meja.server.run import StoppingServer
from meja.table.service import Service


class _Nothing:
    async def stop(self) -> None:
        """There is nothing to stop."""


async def _app(scope: Scope, receive: Receive, send: Send) -> None:
    assert scope["type"] == "http"
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


async def _stop_with_one_more() -> float:
    """Seconds until the server stopped that somebody came to after all others were told."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        _app, lifespan="off", log_level="critical", timeout_graceful_shutdown=20, timeout_keep_alive=60
    )
    server = StoppingServer(config, cast("Service", _Nothing()))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(0.01)
    # A connection that the system has accepted, and the loop takes up when the others have been told.
    ours, theirs = socket.socketpair()
    server.should_exit = True
    while server.servers[0].is_serving():
        await asyncio.sleep(0)
    began = time.monotonic()
    protocol: Any = config.http_protocol_class
    await asyncio.get_running_loop().connect_accepted_socket(
        lambda: protocol(config=config, server_state=server.server_state, app_state={}), theirs
    )
    ours.setblocking(False)
    await asyncio.get_running_loop().sock_sendall(ours, request("GET", "/"))
    await serving
    ours.close()
    return time.monotonic() - began


def test_who_comes_in_late_does_not_keep_the_server() -> None:
    assert asyncio.run(_stop_with_one_more()) < 10
