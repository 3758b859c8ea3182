"""Whatever ends an arena, no program that it started goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SPIN = """
import json, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        print(json.dumps({**asked, "name": "spin", "games": ["smear"]}), flush=True)
    else:
        time.sleep(90)
"""


def running(marker: str) -> list[int]:
    """The processes whose command line holds ``marker``."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if marker.encode() in line and b"meja.cli" not in line:
                found.append(int(entry.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="processes are found by /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "kill -9"])
def test_programs_of_workers_end_with_the_arena(tmp_path: Path, how: signal.Signals) -> None:
    script = tmp_path / f"spin-{os.getpid()}-{how}.py"
    script.write_text(SPIN)
    command = [sys.executable, "-m", "meja.cli", "arena", "smear", "mine", "rules-of-thumb"]
    command += ["--seats", "2", "--deals", "50", "--jobs", "2", "--seconds", "60"]
    command += ["--bot-command", f"mine={sys.executable} {script}"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as arena:
        try:
            until = time.monotonic() + 60
            while len(running(script.name)) < 2:
                assert time.monotonic() < until, "the programs were not started"
                assert arena.poll() is None
                time.sleep(0.2)
            arena.send_signal(how)
            arena.wait(30)
            until = time.monotonic() + 20
            while running(script.name) and time.monotonic() < until:
                time.sleep(0.2)
            assert not running(script.name)
        finally:
            arena.kill()
            for process in running(script.name):
                os.kill(process, signal.SIGKILL)
