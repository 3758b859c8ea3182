"""Options and settings of the whole suite."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

# Rounds are few by default; --long makes them many. Timing is never what a test is about.
settings.register_profile("short", deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
settings.register_profile("long", settings.get_profile("short"), max_examples=2000, derandomize=False)
settings.load_profile("short")

# Tests choose their language themselves, and never touch a player's saved games.
for name in ("MEJA_LANG", "LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
    os.environ.pop(name, None)

# A shell starts what runs beside it deaf to Ctrl-C, and programs that are tested would inherit it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the slow suites in full")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--long"):
        settings.load_profile("long")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--long"):
        kept = [item for item in items if item.get_closest_marker("long") is None]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept


@pytest.fixture
def long(request: pytest.FixtureRequest) -> bool:
    """Whether the suite runs in full."""
    return bool(request.config.getoption("--long"))
