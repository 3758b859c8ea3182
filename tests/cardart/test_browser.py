"""A browser draws the cards of another file, under the strictest policy that the table has."""

from __future__ import annotations

import os
import threading
from base64 import b64encode
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from meja.cards import RANKS, SUITS

CHROMIUM = os.environ.get("MEJA_CHROMIUM", "/usr/bin/chromium")
CARDS = Path(__file__).parent.parent.parent / "src" / "meja" / "web" / "cards"
NAMES = [*(rank + suit for suit in SUITS for rank in RANKS), "Jk", "back", "back-b", "empty"]


class _Handler(SimpleHTTPRequestHandler):
    """The deck files, and a page with every card of one of them."""

    def do_GET(self) -> None:
        if self.path.endswith(".svg"):
            super().do_GET()
            return
        deck = self.path.strip("/")
        cards = "".join(
            f'<svg id="{name}" width="60" height="84" viewBox="0 0 200 280"><use href="/{deck}.svg#{name}"/></svg>'
            for name in [*NAMES, "nothing"]
        )
        head = f'<!doctype html><title>Cards</title><link rel="icon" href="/{deck}.svg">'
        page = f"{head}<body>{cards}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Security-Policy", "default-src 'self'")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *_: object) -> None:
        """Keep the test's output clean."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(CARDS)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        pytest.skip(f"no browser at {CHROMIUM}; set MEJA_CHROMIUM")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield started
        started.close()


#: The pixels of each box of a picture (a data: address), as text.
PIXELS = """async ([picture, boxes]) => {
  const image = new Image();
  image.src = picture;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  return boxes.map(({ x, y, width, height }) => String(context.getImageData(x, y, width, height).data));
}"""


@pytest.mark.parametrize("deck", ["french", "four-colour"])
def test_every_card_is_drawn_from_the_deck_file_and_looks_like_no_other(
    browser: Browser, address: str, deck: str
) -> None:
    page = browser.new_page(viewport={"width": 1000, "height": 900})
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{address}/{deck}")
    page.wait_for_load_state("networkidle")
    boxes = [page.locator(f'[id="{name}"]').bounding_box() for name in [*NAMES, "nothing"]]
    picture = "data:image/png;base64," + b64encode(page.screenshot()).decode()
    page.close()
    reader = browser.new_page()
    pixels = reader.evaluate(PIXELS, [picture, boxes])
    reader.close()
    assert len(set(pixels)) == len(NAMES) + 1
    assert not said
