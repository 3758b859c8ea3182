"""Servers for the tests over real sockets."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest
from tests.server.serving import Server

FAST = ("--bot-pace", "0", "--bot-jobs", "1")


class Serve(Protocol):
    """Starts a server of its own for a test."""

    def __call__(self, *options: str, data: Path | None = None) -> Server: ...


def quiet(server: Server) -> None:
    """Stop a server; whatever was done to it, it may not have failed inside."""
    server.stop()
    assert server.faults == [], server.said


@pytest.fixture(scope="session")
def quick_disk() -> Iterator[Path]:
    """A folder in memory, where there is such a thing: most tests are not about the disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None, prefix="meja-") as folder:
        yield Path(folder)


@pytest.fixture
def serve(quick_disk: Path) -> Iterator[Serve]:
    """Starts servers with bots that do not wait; each must come through without a fault of its own."""
    running: list[Server] = []

    def start(*options: str, data: Path | None = None) -> Server:
        running.append(Server(data or Path(tempfile.mkdtemp(dir=quick_disk)), *FAST, *options))
        return running[-1]

    yield start
    for server in running:
        quiet(server)


@pytest.fixture(scope="session")
def server(quick_disk: Path) -> Iterator[Server]:
    """A server without limits of requests for all tests that do it no harm."""
    running = Server(quick_disk / "server", *FAST, "--no-limits")
    yield running
    quiet(running)


@pytest.fixture(scope="session")
def url(server: Server) -> str:
    """Where it is."""
    return server.url
