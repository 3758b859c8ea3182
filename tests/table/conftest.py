"""What the tests of the table service have at hand."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from zlib import crc32

import pytest
from tests.table.hall import Hall

from meja.cards import Rng
from meja.table.store import Store


@pytest.fixture
def anyio_backend() -> str:
    """The service runs on asyncio alone."""
    return "asyncio"


@pytest.fixture(scope="session")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty store of the newest schema: making one takes longer than most tests."""
    path = tmp_path_factory.mktemp("store") / "blank.db"
    Store.open(path).close()
    return path


@pytest.fixture
def data(blank: Path, tmp_path: Path) -> Path:
    """A store of one's own, empty."""
    return Path(shutil.copy(blank, tmp_path / "meja.db"))


@pytest.fixture
async def hall(data: Path) -> AsyncIterator[Hall]:
    """A service over an empty store."""
    made = Hall(data)
    try:
        yield made
    finally:
        await made.close()


@pytest.fixture(autouse=True)
def _same_chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has the same dealers and the same cards every time: what fails once fails again."""
    rng = Rng(crc32(request.node.name.encode()))
    chance = SimpleNamespace(randbelow=rng.below, token_bytes=lambda size: bytes(rng.below(256) for _ in range(size)))
    monkeypatch.setattr("meja.table.service.secrets", chance)
    monkeypatch.setattr("meja.table.commands.secrets", chance)
    # The keys give the tables their names, and these go into the shuffle.
    monkeypatch.setattr("tests.table.hall._KEYS", count(1))
