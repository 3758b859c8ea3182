"""A server, a browser and watched pages for the tests of the browser table."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import IO, Literal, Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, sync_playwright

CHROMIUM = os.environ.get("MEJA_CHROMIUM", "/usr/bin/chromium")
AXE = Path(__file__).parent / "vendor" / "axe.min.js"
DESK = (1440, 900)


#: A server that waits as long as a test wants.
_WITH_TIMES = """
import sys
from meja import cli
from meja.table import live, service
for name, value in {times!r}.items():
    assert hasattr(live, name), name
    setattr(live, name, value)
    if hasattr(service, name):
        setattr(service, name, value)
sys.exit(cli.run())
"""


class NewPage(Protocol):
    """Opens a page of its own person: a fresh browser context."""

    def __call__(
        self,
        size: tuple[int, int] = DESK,
        *,
        language: str = "en",
        theme: Literal["light", "dark"] = "light",
        reduced_motion: Literal["reduce", "no-preference"] = "reduce",
        context: BrowserContext | None = None,
        touch: bool = False,
    ) -> Page: ...


class Server:
    """A running ``meja serve`` with a data folder of its own."""

    def __init__(
        self, data: Path, *options: str, port: int = 0, times: Mapping[str, object] = MappingProxyType({})
    ) -> None:
        """Start it and wait until it says where it is. ``times``: those of ``meja.table.live`` that are others here."""
        self.data = data
        self.options = options
        self.times = times
        self.said: list[str] = []
        self.url = ""
        self._ready = threading.Event()
        self._start(port)

    def _start(self, port: int) -> None:
        run = ["-c", _WITH_TIMES.format(times=dict(self.times))] if self.times else ["-m", "meja.cli"]
        command = [sys.executable, *run, "serve", "--port", str(port), "--data", str(self.data)]
        self.process = subprocess.Popen(
            [*command, *self.options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self.process.stdout is not None
        threading.Thread(target=self._listen, args=(self.process.stdout,), daemon=True).start()
        if not self._ready.wait(30):
            self.stop()
            raise RuntimeError("the server did not start:\n" + "".join(self.said))

    def _listen(self, stream: IO[str]) -> None:
        # Reading on keeps the pipe from filling up.
        with stream:
            for line in stream:
                self.said.append(line)
                found = re.search(r"http://[\w.]+:(\d+)", line)
                if found and not self._ready.is_set():
                    self.url = f"http://127.0.0.1:{found[1]}"
                    self._ready.set()

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.url.rpartition(":")[2])

    def stop(self, *, hard: bool = False) -> None:
        """Stop it; ``hard`` as a power cut would."""
        if hard:
            self.process.kill()
        else:
            self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def again(self) -> None:
        """Start it again on the same port with the same data."""
        port = self.port
        self._ready.clear()
        self._start(port)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests of the session."""
    running = Server(tmp_path_factory.mktemp("data"), "--bot-pace", "0", "--no-limits")
    yield running
    running.stop()
    assert "Traceback" not in "".join(running.said), "".join(running.said)


@pytest.fixture(scope="session")
def server_url(server: Server) -> str:
    """Where it is, without a slash at the end."""
    return server.url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium."""
    if not Path(CHROMIUM).exists():
        pytest.skip(f"no browser at {CHROMIUM}; set MEJA_CHROMIUM")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield started
        started.close()


@pytest.fixture
def allowed_errors() -> list[str]:
    """Regular expressions of console errors that the test expects; a test appends to it."""
    return []


@pytest.fixture
def new_page(browser: Browser, server_url: str, allowed_errors: list[str]) -> Iterator[NewPage]:
    """Opens pages; at the end of the test none of them may have reported an error."""
    errors: list[str] = []
    contexts: list[BrowserContext] = []

    def on_console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            errors.append(f"{message.text} ({message.location.get('url', '')})")

    def on_error(error: Error) -> None:
        errors.append(f"uncaught: {error}")

    def opened(
        size: tuple[int, int] = DESK,
        *,
        language: str = "en",
        theme: Literal["light", "dark"] = "light",
        reduced_motion: Literal["reduce", "no-preference"] = "reduce",
        context: BrowserContext | None = None,
        touch: bool = False,
    ) -> Page:
        if context is None:
            context = browser.new_context(
                base_url=server_url,
                viewport={"width": size[0], "height": size[1]},
                locale={"en": "en-GB", "id": "id-ID"}[language],
                color_scheme=theme,
                reduced_motion=reduced_motion,
                has_touch=touch,
            )
            context.set_default_timeout(10000)
            contexts.append(context)
        page = context.new_page()
        page.on("console", on_console)
        page.on("pageerror", on_error)
        return page

    yield opened
    for context in contexts:
        context.close()
    left = [error for error in errors if not any(re.search(pattern, error) for pattern in allowed_errors)]
    assert not left, "errors in the browser:\n" + "\n".join(left)


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """A page at the desk, in English, light, without motion."""
    return new_page()


@pytest.fixture
def axe() -> Callable[..., list[str]]:
    """``axe(page, within=None)``: what axe-core finds wrong, one line per element."""
    source = AXE.read_text(encoding="utf-8")

    def check(page: Page, within: str | None = None) -> list[str]:
        if not page.evaluate("'axe' in window"):
            page.evaluate(source)
        found = page.evaluate("within => axe.run(within || document, {resultTypes: ['violations']})", within)
        return [
            f"{violation['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
            for violation in found["violations"]
            for node in violation["nodes"]
        ]

    return check


@pytest.fixture
def scrolls_sideways() -> Callable[[Page], bool]:
    """``scrolls_sideways(page)``: whether the page is wider than its window."""

    def check(page: Page) -> bool:
        # After a change of size the styles follow with the next frame.
        return bool(
            page.evaluate(
                """async () => {
                  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
                  const root = document.documentElement;
                  return root.scrollWidth > root.clientWidth;
                }"""
            )
        )

    return check
