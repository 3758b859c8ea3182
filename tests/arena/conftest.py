"""What the arena's tests share: plans, programs that are bad bots, and a small cluster."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

#: The beginning of a program that is a bot: it greets, and calls ``act`` for each question.
GREETS = """
import json, os, signal, subprocess, sys, time
def say(**message):
    print(json.dumps(message), flush=True)
def act(question): ...
def begin():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(type="hello", protocol="meja-bot/1", name="test", games=["smear", "bassadewitz"])
        elif message["type"] == "act":
            act(message)
        else:
            break
"""


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., str]:
    """Write a program that is a bot whose ``act(question)`` has the body given; returns its command."""

    def write(body: str, name: str = "bot", *, whole: bool = False) -> str:
        path = tmp_path / f"{name}.py"
        if not whole:
            body = (
                GREETS + "def act(question):\n" + "\n".join("    " + line for line in body.split("\n")) + "\nbegin()\n"
            )
        path.write_text(body, encoding="utf-8")
        return f"{sys.executable} {path}"

    return write


class SmallCluster:
    """A scheduler and workers, each a process of its own, on this machine only."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._count = 0
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-show")
        self._wait(self.port)

    @property
    def address(self) -> str:
        return f"dask://127.0.0.1:{self.port}"

    def add_worker(self) -> subprocess.Popen[bytes]:
        folder = str(self._folder / f"worker{len(self.workers)}")
        worker = self._start(
            *("worker", f"tcp://127.0.0.1:{self.port}", "--host", "127.0.0.1", "--nworkers", "1", "--nthreads", "1"),
            *("--no-nanny", "--memory-limit", "0", "--local-directory", folder),
        )
        self.workers.append(worker)
        return worker

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        self._count += 1
        # Files, not pipes: nobody reads them, and a full pipe would stop the process.
        with open(self._folder / f"log{self._count}", "wb") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", *words, "--no-dashboard"],
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONWARNINGS": "ignore"},
            )

    def _wait(self, port: int) -> None:
        until = time.monotonic() + 90
        while time.monotonic() < until:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.1)
        raise AssertionError("the scheduler did not start")

    def close(self) -> None:
        for process in [*self.workers, self.scheduler]:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.wait(30)


@pytest.fixture(scope="module")
def small_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallCluster]:
    pytest.importorskip("distributed")
    made = SmallCluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield made
    finally:
        made.close()
