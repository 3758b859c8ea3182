"""What all tests of the terminal need."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test leaves a match with the person who runs the tests."""
    monkeypatch.setenv("MEJA_HOME", str(tmp_path))
