"""The first page in a browser: its size as it is sent, and how soon one can play. Run by ``table.py``.

Prints JSON: bytes and files by kind, seconds until the home page can be used, and per game the
seconds from the click on *Play bots* until the own hand lies on the screen.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections import defaultdict
from typing import Any

from playwright.sync_api import Browser, Page, Request, sync_playwright

GAMES = ("smear", "bassadewitz", "calabresella", "kaluki")
_HAND = """() => [...document.querySelectorAll('.hand-card, .kaluki-card')].some((card) => {
  const box = card.getBoundingClientRect();
  return box.width > 0 && box.top < innerHeight && box.left < innerWidth;
})"""


def load(browser: Browser, url: str) -> tuple[dict[str, int], int, int, float]:
    """A first visit to the home page: bytes by kind, files, bytes fetched ahead for the table, and seconds."""
    context = browser.new_context(locale="en-US")
    page = context.new_page()
    requests: list[Request] = []
    # A bound method of a list takes no mark of Playwright's own.
    page.on("requestfinished", lambda request: requests.append(request))  # noqa: PLW0108
    began = time.perf_counter()
    page.goto(url)
    _ready(page)
    seconds = time.perf_counter() - began
    shown = len(requests)
    page.wait_for_load_state("networkidle")
    kinds: dict[str, int] = defaultdict(int)
    for request in requests[:shown]:
        path = request.url.partition("//")[2].partition("/")[2]
        kind = "data" if path.startswith("api/") else path.rpartition(".")[2] if "." in path else "html"
        kinds[{"mjs": "js"}.get(kind, kind)] += max(0, request.sizes()["responseBodySize"])
    ahead = sum(max(0, request.sizes()["responseBodySize"]) for request in requests[shown:])
    context.close()
    return dict(kinds), shown, ahead, seconds


def _ready(page: Page) -> None:
    page.locator("[data-game] button.primary:enabled").first.wait_for(timeout=30_000)


def click(browser: Browser, url: str, game: str) -> float:
    """Seconds from the click on *Play bots* to the own hand, for somebody who is here for the first time."""
    context = browser.new_context(locale="en-US")
    page = context.new_page()
    page.goto(url)
    _ready(page)
    page.wait_for_load_state("networkidle")
    began = time.perf_counter()
    page.locator(f"[data-game={game}] button.primary").click()
    page.wait_for_function(_HAND, polling="raf", timeout=30_000)
    seconds = time.perf_counter() - began
    context.close()
    return seconds


def main() -> int:
    """Measure at the port given, so many rounds."""
    port, rounds = sys.argv[1:3]
    url = f"http://127.0.0.1:{port}/"
    found = os.environ.get("MEJA_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        loads = [load(browser, url) for _ in range(int(rounds))]
        clicks: dict[str, list[float]] = {game: [] for game in GAMES}
        for _ in range(int(rounds)):
            for game, times in clicks.items():
                times.append(click(browser, url, game))
        browser.close()
    # What is fetched ahead may begin a little earlier or later: the largest first page counts.
    kinds, files, ahead, _ = max(loads, key=lambda found: sum(found[0].values()))
    result: dict[str, Any] = {
        "kinds": kinds,
        "bytes": sum(size for kind, size in kinds.items() if kind != "data"),
        "files": files,
        "ahead": ahead,
        "home": [seconds for *_, seconds in loads],
        "clicks": clicks,
    }
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
