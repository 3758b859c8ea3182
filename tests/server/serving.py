"""A server as people run it: a process of its own, which can be stopped, killed and started again."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

COMMAND = (sys.executable, "-m", "meja.cli", "serve")
#: What nobody may ever read at the server's end, whatever was sent to it.
FAULTS = ("Traceback", "Exception in", "a request failed", "a table failed", "was never awaited", "leaked")


def waited(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Whether a condition came true within some seconds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


class Server:
    """A running ``meja serve``. It keeps its port and its data over restarts."""

    def __init__(self, data: Path, *options: str, command: Sequence[str] = COMMAND) -> None:
        """Start it and wait until it says where it is."""
        self.data = data
        self.options = options
        self.command = command
        self.port = 0
        self.out: list[str] = []
        self.err: list[str] = []
        self.start()

    def start(self) -> None:
        """Start it; ``seconds`` tells how long it took until it answered."""
        self._ready = threading.Event()
        # The tests may run in a terminal that has a language, an address or a folder of its own.
        env = {name: value for name, value in os.environ.items() if not name.startswith(("MEJA_", "LC_", "LANG"))}
        began = time.monotonic()
        self.process = subprocess.Popen(
            [*self.command, "--port", str(self.port), "--data", str(self.data), *self.options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
            env=env | {"PYTHONUNBUFFERED": "1"},
            start_new_session=True,
        )
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self._readers = [
            threading.Thread(target=self._read, args=(self.process.stdout, self.out), daemon=True),
            threading.Thread(target=self._read, args=(self.process.stderr, self.err), daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        if not self._ready.wait(60) or not self.port:
            self.kill()
            raise RuntimeError("the server did not start:\n" + self.said)
        self.seconds = time.monotonic() - began

    def _read(self, stream: IO[str], lines: list[str]) -> None:
        with stream:
            for line in stream:
                lines.append(line)
                found = re.search(r"http://[^/\s]+:(\d+)", line)
                if found is not None and lines is self.out:
                    self.port = int(found[1])
                    self._ready.set()
        self._ready.set()

    @property
    def url(self) -> str:
        """Where it is, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def database(self) -> Path:
        """The file of the store."""
        return self.data / "meja.db"

    @property
    def said(self) -> str:
        """All that it wrote."""
        return "".join([*self.out, *self.err])

    @property
    def faults(self) -> list[str]:
        """The lines that tell of a fault of the program."""
        return [line for line in self.err if any(fault in line for fault in FAULTS)]

    def signal(self, number: int) -> None:
        """Send it a signal."""
        self.process.send_signal(number)

    def wait(self, seconds: float) -> int:
        """Wait for its end; returns the exit code. None of its processes may stay."""
        family = [] if self.process.returncode is not None else processes_of(self.process.pid)
        code = self.process.wait(seconds)
        if not waited(lambda: not any(map(lives, family)), 5):
            self.err.append("leaked: a process of the server is still there\n")
            for process in filter(lives, family):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process[0], signal.SIGKILL)
        for reader in self._readers:
            reader.join(5)
        return code

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        if self.process.returncode is not None:
            return
        self.process.kill()
        self.wait(10)
        # Python's own helper process tidies up behind a killed one, and says so.
        self.err[:] = [line for line in self.err if "resource_tracker" not in line]

    def stop(self) -> int:
        """End it as a service manager does; returns the exit code."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()
            raise


def processes_of(session: int) -> list[tuple[int, str]]:
    """The processes of a session, as (number, when it began); nothing where the system does not tell."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        fields = _stat(int(entry.name))
        if fields and fields[3] == str(session):
            found.append((int(entry.name), fields[19]))
    return found


def lives(process: tuple[int, str]) -> bool:
    """Whether a process is still there; a number may be another one's by now."""
    fields = _stat(process[0])
    return bool(fields) and fields[19] == process[1] and fields[0] not in "ZX"


def _stat(number: int) -> list[str]:
    """What the system tells of a process, from its state on."""
    try:
        text = Path(f"/proc/{number}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return text.rpartition(")")[2].split()
