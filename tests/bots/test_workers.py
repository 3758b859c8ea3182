"""Processes that work for another: Ctrl-C is not for them, and they end with who asked them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

_IMPATIENT = """
import os, signal, time
from meja.bots.workers import WorkerPool

if __name__ == "__main__":
    pressed = []
    signal.signal(signal.SIGINT, lambda *_: pressed.append(1))
    pool = WorkerPool(2)
    results = [pool.submit(os.getpid) for _ in range(2)]
    for _ in range(100):
        os.killpg(0, signal.SIGINT)
        time.sleep(0.01)
    assert os.getpid() not in [result.result(60) for result in results]
    print(len(pressed))
    pool.end()
"""

_GIVEN_UP = """
import os, signal, time
from meja.bots.workers import WorkerPool

if __name__ == "__main__":
    try:
        with WorkerPool(2) as pool:
            started = [pool.submit(os.getpid) for _ in range(2)]
            print(*[result.result(60) for result in started], flush=True)
            for _ in range(50):
                pool.submit(time.sleep, 1000)
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        print("given up")
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals")


def _run(folder: Path, text: str) -> list[str]:
    script = folder / "script.py"
    script.write_text(text)
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=100, start_new_session=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split("\n")


def test_ctrl_c_while_they_start_does_not_reach_them(tmp_path: Path) -> None:
    assert int(_run(tmp_path, _IMPATIENT)[0]) > 50


def test_work_that_is_given_up_is_not_waited_for(tmp_path: Path) -> None:
    numbers, said, _ = _run(tmp_path, _GIVEN_UP)
    assert said == "given up"
    until = time.monotonic() + 20
    for number in map(int, numbers.split()):
        while time.monotonic() < until and Path(f"/proc/{number}").exists():
            time.sleep(0.02)
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)
