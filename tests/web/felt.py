"""Tables of the trick games for tests: cards that are given, and a page that plays."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Locator, Page, expect

from meja.cards import cards_text, parse_cards
from meja.games import game
from meja.rules import Rules
from meja.table import log
from meja.table.fair import VERSION
from meja.table.store import append

DESK = (1440, 900)
TABLET = (820, 1180)
PHONE = (360, 640)
SIDEWAYS = (740, 360)

NewPage = Callable[..., Page]


def rules_of(name: str, seats: int, **options: Any) -> Rules:
    """Standard rules with options."""
    rules: Rules = game(name).rules.make(seats, **options)
    return rules


@dataclass
class Scene:
    """A table whose cards and first actions are given; seat ``me`` is the person, the others are bots."""

    rules: Rules
    hands: Sequence[str]
    dealer: int
    me: int = 0
    monte: str = ""
    actions: Sequence[str] = ()

    def pack(self) -> str:
        """The pack that deals these hands; what is not given comes from the rest."""
        deal = game(self.rules.game).deal
        pack = list(deal.pack(self.rules))
        layout = deal.lay_out(self.rules, self.dealer, range(len(pack)))
        cards: dict[int, int] = {}
        for places, text in zip((*layout.hands, layout.monte), (*self.hands, self.monte), strict=True):
            given = parse_cards(text)
            assert len(given) == len(places)
            cards.update(zip(places, given, strict=True))
        assert len(set(cards.values())) == len(cards), "a card is given twice"
        rest = [card for card in pack if card not in cards.values()]
        return cards_text([cards[place] if place in cards else rest.pop() for place in range(len(pack))])

    def store(self, server: Any, table: str, person: str) -> None:
        """Write the table into the store of a server, as that would have done."""
        bots = iter(("Budi", "Sari", "Joko", "Wayan"))
        seats = [
            log.SeatSetup("person", "Ana", person)
            if seat == self.me
            else log.SeatSetup("bot", next(bots), level="rules-of-thumb")
            for seat in range(self.rules.seats)
        ]
        entries: list[log.AnyEntry] = [
            log.Created(
                self.rules.game, self.rules.to_dict(), self.rules.version, seats, person, "off", True, False, True
            ),
            log.Started(self.dealer),
            log.Committed(1, "0" * 64, "0" * 64),
            log.Readied(self.me, ""),
            log.Dealt(1, VERSION, self.pack(), {}),
            *[log.Acted(int(text[0]), text[2:]) for text in self.actions],
        ]
        now = int(time.time() * 1000)
        rows = [log.Row(seq, entry, "test", f"key-{seq}", now) for seq, entry in enumerate(entries, 1)]
        with closing(sqlite3.connect(server.data / "meja.db")) as connection:
            append(table, rows, [person])(connection)
            connection.commit()


BASSADEWITZ = rules_of("bassadewitz", 4)
HANDS = (
    "As Qs 9s 7s Kh Qd Jd 9c",
    "Ks 8h Td 9d 8d 7d Kc Qc",
    "Js 8s Th Qh Jh Kd Tc 8c",
    "Ts Ah 9h 7h Ad Ac Jc 7c",
)
#: The person leads.
LEADING = Scene(BASSADEWITZ, HANDS, dealer=3)
#: The last seat has led a diamond, of which the person holds two.
FOLLOWING = Scene(BASSADEWITZ, HANDS, dealer=2, actions=["3 play Ad"])
#: Nothing can prevent that the person takes all.
SURE = Scene(
    BASSADEWITZ,
    ("As Ts Ks Qs Js 9s 8s 7s", "Ah Th Kh Qh Jh 9h 8h 7h", "Ad Td Kd Qd Jd 9d 8d 7d", "Ac Tc Kc Qc Jc 9c 8c 7c"),
    dealer=3,
)
#: The two others have passed; the person is to bid.
CALABRESELLA = Scene(
    rules_of("calabresella", 3),
    (
        "Js 7s 5s 3h 2h Kh 3d 2c Ac Qc 7c 5c",
        "3s 2s Ks 4s Qh Jh 5h 2d 7d 4d 3c Jc",
        "As Qs 6s Ah 6h 4h Kd Qd Jd 6d 5d 6c",
    ),
    dealer=0,
    me=1,
    monte="7h Ad Kc 4c",
    actions=["2 pass", "0 pass"],
)
SMEAR = Scene(
    rules_of("smear", 3),
    ("As Ks Js 2s 9h 8d", "Ts 9s Kh Qh 3c 2d", "Ad Kd Qd 8c 7c 3h"),
    dealer=2,
)


#: The middle of the widest visible strip of a card, when the hand has come to rest.
SPOT = """async (card) => {
  const still = async () => {
    const hand = document.querySelector('.hand');
    const moving = hand.getAnimations({subtree: true}).filter((one) => one.effect.getTiming().iterations !== Infinity);
    await Promise.all(moving.map((one) => one.finished.catch(() => {})));
  };
  await new Promise(requestAnimationFrame);
  await still();
  const element = document.querySelector(`.hand-card[data-card="${card}"]`);
  const box = element.getBoundingClientRect();
  let best = null;
  for (let y = box.top + 12; y < Math.min(box.bottom, innerHeight) - 2; y += 12) {
    let start = null;
    for (let x = box.left; x <= box.right + 1; x += 1) {
      const hit = document.elementFromPoint(x, y)?.closest('.hand-card') === element;
      if (hit && start === null) start = x;
      if (!hit && start !== null) {
        if (!best || x - start > best.width) best = {x: (start + x) / 2, y, width: x - start};
        start = null;
      }
    }
  }
  return best;
}"""


@dataclass
class Table:
    """A page at a table: what it shows, and what it sends."""

    page: Page
    id: str
    url: str = ""
    sent: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    def open(self) -> Table:
        """Go to the table and wait for its felt."""
        self.page.on("request", self._note)
        self.page.goto(f"{self.url}/t/{self.id}")
        expect(self.page.locator(".trick-table")).to_be_visible()
        return self

    def _note(self, request: Any) -> None:
        if request.method == "POST" and request.url.split("?")[0].endswith("/commands"):
            body = json.loads(request.post_data)
            if body["command"]["do"] == "act":
                self.sent.append(body["command"]["action"])
                self.keys.append(body["key"])

    @property
    def update(self) -> dict[str, Any]:
        """The truth as the server has it now."""
        told: dict[str, Any] = self.page.evaluate(
            "table => fetch(`/api/tables/${table}`).then((answer) => answer.json())", self.id
        )
        return told

    def card(self, card: str) -> Locator:
        """A card of the hand."""
        return self.page.locator(f'.hand-card[data-card="{card}"]')

    def tap(self, card: str) -> None:
        """Tap a card where it shows."""
        self.page.mouse.click(*self.spot(card))

    def spot(self, card: str) -> tuple[float, float]:
        """A point of the window where a card of the hand can be hit, as soon as it lies still."""
        expect(self.card(card)).to_be_visible()
        found = self.page.evaluate(SPOT, card)
        assert found is not None, f"{card} cannot be hit anywhere"
        return found["x"], found["y"]

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """A button by its name."""
        return self.page.get_by_role("button", name=name, exact=isinstance(name, str))

    def my_turn(self) -> None:
        """Wait until the hand is live."""
        expect(self.page.locator(".prompt[data-turn]")).to_be_visible(timeout=15000)

    def drag(self, card: str, to: tuple[float, float]) -> None:
        """Drag a card of the hand to a point of the window."""
        x, y = self.spot(card)
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move(x + 12, y - 25, steps=3)
        mouse.move(*to, steps=6)
        mouse.up()


def settings(page: Page, **chosen: Any) -> None:
    """What this browser has chosen, before the first page is opened."""
    page.add_init_script(f"localStorage.setItem('meja.settings', '{json.dumps(chosen)}')")


def become(page: Page, name: str) -> None:
    """Be somebody at this browser."""
    page.evaluate(
        """name => fetch("/api/me", {
          method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({name}),
        })""",
        name,
    )


def new_table(page: Page, name: str, **wanted: Any) -> str:
    """A table with bots on all other seats, or as ``wanted``."""
    seats = wanted.pop("seats", {"bassadewitz": 4}.get(name, 3))
    body = {
        "key": f"test-{time.time_ns()}", "game": name, "seats": seats, "preset": "standard", "options": {}, "me": 0,
        "others": [{"kind": "bot", "level": "rules-of-thumb"}] * (seats - 1), "clock": "off", "watch": True,
        "listed": False, "chat": True, "start": True, **wanted,
    }  # fmt: skip
    made: dict[str, Any] = page.evaluate(
        """body => fetch("/api/tables", {
          method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body),
        }).then((answer) => answer.json())""",
        body,
    )
    return str(made["table"])


def open_scene(new_page: NewPage, server: Any, scene: Scene, size: tuple[int, int] = DESK, **options: Any) -> Table:
    """A page at a table of its own for the scene; ``options`` are settings of the browser."""
    page_options = {key: options.pop(key) for key in ("language", "theme", "touch") if key in options}
    page = new_page(size, **page_options)
    settings(page, **{"forced": False, **options})
    name = f"t{time.time_ns()}"
    page.goto(f"{server.url}/about")
    become(page, name)
    with closing(sqlite3.connect(server.data / "meja.db")) as connection:
        ((person,),) = connection.execute("SELECT id FROM people WHERE name = ?", (name,)).fetchall()
    scene.store(server, name, person)
    return Table(page, name, server.url).open()
