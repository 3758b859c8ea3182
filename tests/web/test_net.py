"""The connection of the app to the server: it loses nothing, doubles nothing, and finds its way back."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.web.proxy import Proxy

NewPage = Callable[..., Page]

FOLLOW = """async ([table, name]) => {
  const base = new URL(document.querySelector("script[type=module]").src).pathname.replace("app/main.mjs", "");
  const { openStream } = await import(base + "app/net.mjs");
  const seen = (window[name] = { updates: [], links: [], gone: null });
  seen.stream = openStream(table, {
    onUpdate: (update) => seen.updates.push(update),
    onLink: (link) => seen.links.push(link),
    onGone: (error) => (seen.gone = error.code),
  });
}"""


@pytest.fixture
def proxy(server: Any) -> Iterator[Proxy]:
    """A proxy before the session's server."""
    made = Proxy(server.port)
    yield made
    made.close()


@pytest.fixture
def page(new_page: NewPage, allowed_errors: list[str]) -> Page:
    """A page whose network fails on purpose."""
    allowed_errors += ["net::", "Failed to load resource"]
    return new_page()


class Table:
    """A table that waits for players, where the host says things: each is one step."""

    def __init__(self, page: Page, url: str) -> None:
        """Made by the person of the page, at the server itself."""
        self.page = page
        self.url = url
        self._post("/api/me", {"name": "Ana"})
        self.id = self._post(
            "/api/tables",
            {
                "key": f"{random.getrandbits(64):x}",
                "game": "smear",
                "seats": 3,
                "preset": "standard",
                "options": {},
                "me": 0,
                "others": [{"kind": "open"}, {"kind": "open"}],
                "clock": "off",
                "watch": True,
                "listed": False,
                "chat": True,
                "start": False,
            },
        )["table"]

    def _post(self, path: str, body: Any) -> Any:
        answer = self.page.request.post(self.url + path, data=body)
        assert answer.ok, answer.text()
        return answer.json()

    def say(self, text: str) -> int:
        """Say something; returns the number of its step."""
        command = {"key": f"{random.getrandbits(64):x}", "expect": 0, "command": {"do": "chat", "text": text}}
        return int(self._post(f"/api/tables/{self.id}/commands", command)["seq"])

    def follow(self, page: Page, name: str = "seen") -> None:
        """Let a page follow it."""
        page.evaluate(FOLLOW, [self.id, name])
        page.wait_for_function("name => window[name].updates.length > 0", arg=name, timeout=20000)

    def steps(self, page: Page, name: str = "seen") -> list[int]:
        """The steps that the page was given since it began to follow."""
        found: list[int] = page.evaluate(
            "name => window[name].updates.filter((one) => one.after !== null)"
            ".flatMap((one) => one.steps.map((step) => step.seq))",
            name,
        )
        return found

    def wait(self, page: Page, seq: int, timeout: float = 15000) -> None:
        """Wait until a page knows a step."""
        page.wait_for_function("seq => window.seen.updates.at(-1).head >= seq", arg=seq, timeout=timeout)


def test_every_step_comes_once_and_in_order(page: Page, server_url: str) -> None:
    page.goto("/about")
    table = Table(page, server_url)
    table.follow(page)
    first = page.evaluate("window.seen.updates[0]")
    assert first["after"] is None, "the first update has everything"
    last = [table.say(f"word {number}") for number in range(12)][-1]
    table.wait(page, last)
    assert table.steps(page) == list(range(first["head"] + 1, last + 1))
    assert page.evaluate("window.seen.links") == ["live"]


def test_a_table_that_does_not_exist_is_gone(page: Page) -> None:
    page.goto("/about")
    page.evaluate(FOLLOW, ["nosuchtable", "seen"])
    page.wait_for_function("() => window.seen.gone")
    assert page.evaluate("window.seen.gone") == "not-found"
    assert page.evaluate("window.seen.updates") == []


def test_after_a_crash_of_the_server_it_goes_on_where_it_was(page: Page, server: Any, tmp_path: Path) -> None:
    own = type(server)(tmp_path, "--bot-pace", "0", "--no-limits")
    try:
        page.goto(own.url + "/about")
        table = Table(page, own.url)
        table.follow(page)
        first = page.evaluate("window.seen.updates[0].head")
        table.wait(page, table.say("before"))
        own.stop(hard=True)
        page.wait_for_function("() => window.seen.links.at(-1) !== 'live'")
        own.again()
        back = time.monotonic()
        last = table.say("after")
        table.wait(page, last)
        assert time.monotonic() - back < 5
        assert table.steps(page) == list(range(first + 1, last + 1))
        assert page.evaluate("window.seen.links.at(-1)") == "live"
        assert page.evaluate("window.seen.stream.way") == "stream"
    finally:
        own.stop()


def test_a_network_that_holds_streams_back_is_asked_again_and_again(page: Page, server_url: str, proxy: Proxy) -> None:
    proxy.mode = "hold"
    page.goto(proxy.url + "/about")
    table = Table(page, server_url)
    table.follow(page)
    assert page.evaluate("window.seen.stream.way") == "poll"
    first = page.evaluate("window.seen.updates[0].head")
    began = time.monotonic()
    last = [table.say(f"word {number}") for number in range(3)][-1]
    table.wait(page, last)
    assert time.monotonic() - began < 5, "an answer comes when something happens, not when the wait is over"
    assert table.steps(page) == list(range(first + 1, last + 1))
    assert page.evaluate("window.seen.links.at(-1)") == "live"


def test_a_network_that_cuts_streams_off_is_asked_too(page: Page, server_url: str, proxy: Proxy) -> None:
    proxy.mode = "cut"
    page.goto(proxy.url + "/about")
    table = Table(page, server_url)
    table.follow(page)
    first = page.evaluate("window.seen.updates[0].head")
    page.wait_for_function("() => window.seen.stream.way === 'poll'", timeout=15000)
    last = table.say("word")
    table.wait(page, last)
    assert table.steps(page) == list(range(first + 1, last + 1))


def test_a_connection_that_died_without_a_word_is_replaced(page: Page, server_url: str, proxy: Proxy) -> None:
    page.clock.install()
    page.goto(proxy.url + "/about")
    table = Table(page, server_url)
    table.follow(page)
    first = page.evaluate("window.seen.updates[0].head")
    proxy.silence()
    last = table.say("unheard")
    page.clock.run_for(22000)
    assert page.evaluate("window.seen.links.at(-1)") == "stale"
    assert table.steps(page) == []
    page.clock.run_for(15000)
    table.wait(page, last)
    assert table.steps(page) == list(range(first + 1, last + 1))
    assert page.evaluate("window.seen.links.at(-1)") == "live"


def test_another_network_makes_a_new_connection_at_once(page: Page, server_url: str, proxy: Proxy) -> None:
    page.goto(proxy.url + "/about")
    table = Table(page, server_url)
    table.follow(page)
    proxy.silence()
    last = table.say("unheard")
    page.evaluate("dispatchEvent(new Event('online'))")
    table.wait(page, last, timeout=4000)


def test_the_oldest_hidden_windows_leave_the_connections_to_the_others(new_page: NewPage, server_url: str) -> None:
    pages = [new_page()]
    pages += [new_page(context=pages[0].context) for _ in range(4)]
    for page in pages:
        page.goto("/about")
    table = Table(pages[0], server_url)
    for page in pages:
        table.follow(page)
        page.evaluate(
            """() => {
              window.hide = (hidden) => {
                Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
                document.dispatchEvent(new Event("visibilitychange"));
              };
            }"""
        )
    for page in pages[:4]:
        page.evaluate("window.hide(true)")
        page.wait_for_timeout(20)
    # Five windows: one is seen, four are hidden; three keep a stream.
    for page, way in zip(pages, ["slow", "slow", "stream", "stream", "stream"], strict=True):
        page.wait_for_function("way => window.seen.stream.way === way", arg=way)
    pages[0].evaluate("window.hide(false)")
    pages[0].wait_for_function("() => window.seen.stream.way === 'stream'")
    last = table.say("word")
    table.wait(pages[0], last)
