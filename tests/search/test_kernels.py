"""Which kernels are compiled can be asked, and plain Python can be asked for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from meja.search import kernels

FOLDER = Path(__file__).parents[2] / "src" / "meja" / "search"


def asked(**environment: str) -> dict[str, bool]:
    code = "import json, meja.search; print(json.dumps(meja.search.kernels()))"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    answer: dict[str, bool] = json.loads(done.stdout)
    return answer


def test_every_kernel_is_named() -> None:
    declared = {path.stem for path in FOLDER.glob("*.pxd")} - {"bits", "transpositions"}
    assert set(kernels()) == declared
    assert {"tricks", "policies", "dice"} <= declared
    assert all((FOLDER / f"{name}.py").exists() for name in declared)


def test_pure_python_can_be_asked_for() -> None:
    assert not any(asked(MEJA_PURE="1").values())
