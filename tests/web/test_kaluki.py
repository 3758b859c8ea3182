"""Kaluki in the browser: opening, laying off, swapping jokers, the order of the hand, and a whole match."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from meja.cards import JOKER, Rng, cards_text, parse_cards, shuffled
from meja.games.kaluki import Kaluki, KalukiRules
from meja.games.melds import all_melds, hand_masks, meld_text, worth
from meja.record import loads
from meja.table import log
from meja.table.fair import VERSION, check_record
from meja.table.store import append

DESK = (1440, 900)
TABLET = (820, 1180)
PHONE = (360, 740)
SIZES = [DESK, TABLET, PHONE]

#: Browsers write every answer that is no success to the console.
REFUSED = "status of 422"

NewPage = Callable[..., Page]
Axe = Callable[..., list[str]]

#: Two runs of hearts and diamonds that open; what else a hand holds is of no use.
HEARTS = "Th Jh Qh Kh Ah"
DIAMONDS = "5d 6d Jk 8d 9d Td Jd"


@dataclass
class Scene:
    """A table of Kaluki whose cards and first actions are given; seat 0 is the person, the others are bots."""

    hands: Sequence[str]
    stock: str
    upcard: str = "2c"
    actions: Sequence[str] = ()
    rules: KalukiRules = field(default_factory=lambda: KalukiRules.make(2))

    def pack(self) -> str:
        """The pack that deals these hands, with the dealer on the last seat; what is not given comes from the rest."""
        rest = Counter(Kaluki.pack(self.rules))
        given = [parse_cards(hand) for hand in self.hands]
        stock, upcard = parse_cards(self.stock), parse_cards(self.upcard)
        for cards in (*given, stock, upcard):
            rest.subtract(cards)
        assert min(rest.values()) >= 0, "a card is given too often"
        # Low cards first, jokers last.
        left = sorted(rest.elements(), key=lambda card: (card == JOKER, card % 13, -card))
        hands = [filled(hand, left, self.rules) for hand in given]
        dealt = [hand[place] for place in range(self.rules.cards) for hand in hands]
        return cards_text([*dealt, *upcard, *stock, *left])

    def store(self, database: Path, table: str, person: str) -> None:
        """Write the table into the store of a server, as that would have done."""
        seats = [log.SeatSetup("person", "Ana", person)]
        seats += [
            log.SeatSetup("bot", name, level="rules-of-thumb") for name in ("Budi", "Sari")[: self.rules.seats - 1]
        ]
        entries: list[log.AnyEntry] = [
            log.Created("kaluki", self.rules.to_dict(), self.rules.version, seats, person, "off", True, False, True),
            log.Started(self.rules.seats - 1),
            log.Committed(1, "0" * 64, "0" * 64),
            log.Readied(0, ""),
            log.Dealt(1, VERSION, self.pack(), {}),
            *[log.Acted(int(text[0]), text[2:]) for text in self.actions],
        ]
        now = int(time.time() * 1000)
        rows = [log.Row(seq, entry, "test", f"key-{seq}", now) for seq, entry in enumerate(entries, 1)]
        with closing(sqlite3.connect(database)) as connection:
            append(table, rows, [person])(connection)
            connection.commit()


#: A hand that can open with five hearts, before its first draw.
BEFORE_OPENING = Scene([f"{HEARTS} 9h 4d 7d", DIAMONDS], stock="3s")
#: Both have opened, and the person has drawn: a joker stands for the 7d in the run of the other.
BOTH_OPENED = Scene(
    [f"{HEARTS} 9h 4d 7d 9s", f"{DIAMONDS} 9c 9c"],
    stock="3s 4c 6s",
    actions=[
        "0 draw", f"0 meld {HEARTS}", "0 discard 3s",
        "1 draw", f"1 meld {DIAMONDS.replace('Jk', 'Jk=7d')}", "1 discard 4c",
        "0 draw",
    ],
)  # fmt: skip


def filled(hand: list[int], left: list[int], rules: KalukiRules) -> list[int]:
    """The hand with cards of the rest that make no meld with each other or its natural cards, no card twice."""
    naturals = [card for card in hand if card != JOKER]
    found = len(all_melds(*hand_masks(naturals), rules.turn.melds))
    added: list[int] = []
    while len(hand) + len(added) < rules.cards:
        for card in left:
            plain = card not in (*hand, *added)
            if plain and len(all_melds(*hand_masks([*naturals, *added, card]), rules.turn.melds)) == found:
                added.append(card)
                left.remove(card)
                break
        else:
            raise AssertionError("no card is left that makes no meld")
    return [*hand, *added]


class TableOf:
    """A page at a table of a scene: what it shows, and what it sends."""

    def __init__(self, page: Page, table: str) -> None:
        self.page = page
        self.table = table
        self.sent: list[str] = []
        page.on("request", self._note)

    def _note(self, request: Any) -> None:
        if request.method == "POST" and request.url.split("?")[0].endswith("/commands"):
            command = json.loads(request.post_data)["command"]
            if command["do"] == "act":
                self.sent.append(command["action"])

    def open(self) -> None:
        """Go to the table and wait until the hand is there."""
        self.page.goto(f"/t/{self.table}")
        expect(self.page.locator(".kaluki-card").first).to_be_visible()

    @property
    def view(self) -> dict[str, Any]:
        """The own view, as the server has it now."""
        update: dict[str, Any] = self.page.evaluate(
            "table => fetch(`/api/tables/${table}`).then((answer) => answer.json())", self.table
        )
        view: dict[str, Any] = update["view"]
        return view

    def card(self, card: str, copy: int = 0) -> Locator:
        """A card of the hand."""
        return self.page.locator(f'.kaluki-card[data-key="{card}#{copy}"]')

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """A button by its name."""
        return self.page.get_by_role("button", name=name, exact=isinstance(name, str))

    def choose(self, cards: str) -> None:
        """Tap cards."""
        for key, number in Counter(cards.split()).items():
            for copy in range(number):
                self.tap(self.card(key, copy))

    def tap(self, card: Locator) -> None:
        """Tap a card where it shows: its left top corner."""
        card.click(position={"x": 8, "y": 20})

    def drag(self, card: Locator, target: Locator, *, dx: float = 0, dy: float = 0) -> None:
        """Drag a card to the middle of a target."""
        start, end = card.bounding_box(), target.bounding_box()
        assert start is not None
        assert end is not None
        mouse = self.page.mouse
        mouse.move(start["x"] + 10, start["y"] + 16)
        mouse.down()
        mouse.move(start["x"] + 30, start["y"] - 10, steps=3)
        mouse.move(end["x"] + end["width"] / 2 + dx, end["y"] + end["height"] / 2 + dy, steps=6)
        mouse.up()

    def keys(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def melds(self) -> list[str]:
        """The melds on the table as they are read out."""
        return [str(meld.get_attribute("aria-label")) for meld in self.page.locator(".kaluki-meld").all()]


Open = Callable[..., TableOf]


@pytest.fixture
def table_of(new_page: NewPage, server: Any) -> Open:
    """``table_of(scene)``: a page at a table of its own for the scene."""
    number = 0

    def opened(scene: Scene, size: tuple[int, int] = DESK, **options: Any) -> TableOf:
        nonlocal number
        number += 1
        name = f"k{number}{time.time_ns()}"
        page = new_page(size, **options)
        page.goto("/about")
        page.evaluate(
            """name => fetch("/api/me", {
              method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({name}),
            })""",
            name,
        )
        database = server.data / "meja.db"
        with closing(sqlite3.connect(database)) as connection:
            ((person,),) = connection.execute("SELECT id FROM people WHERE name = ?", (name,)).fetchall()
        scene.store(database, name, person)
        table = TableOf(page, name)
        table.open()
        return table

    return opened


# -- opening ------------------------------------------------------------------------


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_hand_opens_by_taps(table_of: Open, size: tuple[int, int]) -> None:
    table = table_of(BEFORE_OPENING, size)
    table.button(re.compile("^Draw a card")).click()
    expect(table.card("3s")).to_be_visible()
    table.choose(HEARTS)
    table.button("Open with 55").click()
    expect(table.page.locator(".kaluki-meld")).to_have_count(1)
    assert table.sent == ["draw", f"meld {HEARTS}"]
    assert table.melds() == [
        "Meld 1 of Ana: 10 of hearts, jack of hearts, queen of hearts, king of hearts, ace of hearts, 55 points"
    ]
    assert table.view["opened"] == [True, False]


def test_a_hand_opens_by_keys(table_of: Open) -> None:
    table = table_of(BEFORE_OPENING)
    table.keys("n")
    expect(table.card("3s")).to_be_visible()
    # A rank finds its next card; tens are under 0.
    for rank in ("0", "j", "q", "k", "a"):
        table.keys(rank, "Space")
    expect(table.page.get_by_role("option", selected=True)).to_have_count(5)
    table.keys("m")
    expect(table.page.locator(".kaluki-meld")).to_have_count(1)
    assert table.sent == ["draw", f"meld {HEARTS}"]


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_hand_opens_by_drag(table_of: Open, size: tuple[int, int]) -> None:
    table = table_of(BEFORE_OPENING, size)
    table.drag(table.page.locator("[data-kind=stock]"), table.page.locator(".kaluki-hand"))
    expect(table.card("3s")).to_be_visible()
    table.choose(HEARTS)
    # Whatever chosen card is dragged, the others come along.
    table.drag(table.card("Qh"), table.page.locator(".kaluki-hints"), dy=60)
    expect(table.page.locator(".kaluki-meld")).to_have_count(1)
    assert table.sent == ["draw", f"meld {HEARTS}"]


def test_the_best_opening_and_the_sum_of_what_is_chosen_are_shown(table_of: Open) -> None:
    table = table_of(BEFORE_OPENING)
    # 9h Th Jh Qh Kh Ah: 64, more than the 51 that are needed.
    expect(table.page.locator(".kaluki-meter-text")).to_have_text("To open: 64 of 51")
    for card in (*HEARTS.split(), "9h"):
        expect(table.card(card).locator(".kaluki-tab")).to_have_text("1")
    expect(table.card("4d").locator(".kaluki-tab")).to_have_count(0)
    table.choose("Jh Qh Kh Ah")
    expect(table.page.locator(".kaluki-sum")).to_contain_text("45")
    table.keys("c", "b")
    expect(table.page.locator(".kaluki-sum")).to_contain_text("64")
    expect(table.page.get_by_role("option", selected=True)).to_have_count(6)


def test_too_little_is_refused_with_the_rule(table_of: Open, allowed_errors: list[str]) -> None:
    allowed_errors.append(REFUSED)
    table = table_of(BEFORE_OPENING)
    table.keys("n")
    expect(table.card("3s")).to_be_visible()
    table.choose("Jh Qh Kh Ah")
    table.button("Open with 45").click()
    notice = table.page.locator(".notice.refusal")
    expect(notice).to_contain_text("That is worth 45; 51 are needed to open.")
    expect(notice.get_by_role("link", name="K5.1")).to_be_visible()
    # Nothing was laid, and the cards are still chosen.
    expect(table.page.get_by_role("option", selected=True)).to_have_count(4)
    expect(table.page.locator(".kaluki-meld")).to_have_count(0)


def test_the_top_discard_is_taken_to_open_with_it(table_of: Open) -> None:
    table = table_of(Scene(["Th Jh Qh Kh", ""], stock="3s", upcard="Ah"))
    table.page.locator("[data-kind=pile]").click()
    # The best meld with it is chosen at once.
    expect(table.page.get_by_role("option", selected=True)).to_have_count(4)
    table.button("Take and open: 55").click()
    expect(table.page.locator(".kaluki-meld")).to_have_count(1)
    assert table.sent == [f"take {HEARTS}"]


def test_a_discard_that_opens_nothing_is_refused_with_the_rule(table_of: Open, allowed_errors: list[str]) -> None:
    allowed_errors.append(REFUSED)
    table = table_of(BEFORE_OPENING)
    table.page.locator("[data-kind=pile]").click()
    notice = table.page.locator(".notice.refusal")
    expect(notice).to_contain_text(
        re.compile("Before you have opened you may take 2(♣|c) only to open with it at once.")
    )
    expect(notice.get_by_role("link", name="K4.3")).to_be_visible()
    assert table.view["phase"] == "draw"


def test_several_melds_open_together_where_the_rules_say_so(table_of: Open) -> None:
    rules = KalukiRules.make(2, "kalooki51")
    table = table_of(Scene(["Kd Kh Ks 8c 8d 8h", ""], stock="Jc", rules=rules))
    table.keys("n")
    expect(table.card("Jc")).to_be_visible()
    expect(table.page.locator(".kaluki-meter-text")).to_have_text("To open: 54 of 51")
    table.choose("Kd Kh Ks")
    table.button("Put aside: 30").click()
    expect(table.page.locator(".kaluki-meter-text")).to_have_text("To open: 30 of 51")
    table.choose("8c 8d 8h")
    table.button("Put aside: 24").click()
    table.button("Open with 54").click()
    expect(table.page.locator(".kaluki-meld")).to_have_count(2)
    assert table.sent == ["draw", "open Ks Kh Kd + 8h 8d 8c"]


def test_a_meld_put_aside_comes_back(table_of: Open) -> None:
    rules = KalukiRules.make(2, "kalooki51")
    table = table_of(Scene(["Kd Kh Ks 8c 8d 8h", ""], stock="Jc", rules=rules))
    table.keys("n")
    expect(table.card("Jc")).to_be_visible()
    table.keys("b")
    expect(table.page.locator(".kaluki-part")).to_have_count(2)
    expect(table.page.locator(".kaluki-card")).to_have_count(14 - 6)
    table.button(re.compile("^Put K♠ K♥ K♦ back")).click()
    expect(table.page.locator(".kaluki-part")).to_have_count(1)
    expect(table.card("Kd")).to_be_visible()


def test_a_joker_asks_what_it_stands_for_only_if_there_is_a_choice(table_of: Open) -> None:
    table = table_of(Scene([f"{HEARTS} Jk 6s 7s 5d 6d", ""], stock="7d", actions=["0 draw", f"0 meld {HEARTS}"]))
    # In a gap it stands for one card.
    table.choose("5d Jk 7d")
    table.button("Lay 18").click()
    # As a set of sevens or sixes it would need others; 5d 7d leaves only the 6d.
    expect(table.page.locator(".kaluki-meld")).to_have_count(2)
    assert table.sent == ["meld 5d Jk=6d 7d"]


def test_a_joker_at_the_end_of_a_run_asks(table_of: Open) -> None:
    table = table_of(Scene([f"{HEARTS} Jk 6s 7s", ""], stock="7d", actions=["0 draw", f"0 meld {HEARTS}"]))
    table.choose("6s 7s Jk")
    table.button("Lay 21").click()
    dialog = table.page.get_by_role("dialog", name="What does the joker stand for?")
    ways = dialog.locator(".kaluki-way")
    # Most points first.
    expect(ways).to_have_count(2)
    expect(ways.nth(0)).to_have_accessible_name(
        re.compile("^6 of spades, 7 of spades, joker as 8 of spades.*21 points")
    )
    expect(ways.nth(1)).to_have_accessible_name(
        re.compile("^joker as 5 of spades, 6 of spades, 7 of spades.*18 points")
    )
    ways.nth(1).click()
    expect(table.page.locator(".kaluki-meld")).to_have_count(2)
    assert table.sent == ["meld Jk=5s 6s 7s"]


# -- laying off and swapping --------------------------------------------------------


def test_a_card_is_laid_off_by_taps(table_of: Open) -> None:
    table = table_of(BOTH_OPENED)
    table.choose("9h")
    target = table.button("Add 9 of hearts to meld 1")
    expect(target).to_be_visible()
    expect(table.page.locator(".kaluki-meld[data-fits]")).to_have_count(1)
    target.click()
    expect(table.card("9h")).to_have_count(0)
    assert table.sent == ["add 9h m0"]


@pytest.mark.parametrize(("language", "name"), [("en", "Meld"), ("id", "Kombinasi")])
def test_a_meld_is_called_alike_on_the_table_and_in_the_log(table_of: Open, language: str, name: str) -> None:
    table = table_of(BOTH_OPENED, language=language)
    page = table.page
    table.drag(table.card("4d"), page.locator("[data-fly=meld-1]"))
    expect(table.card("4d")).to_have_count(0)
    log = page.locator(".log-lines")
    expect(log).to_contain_text(re.compile(f"{name} 2: ", re.IGNORECASE))
    expect(page.locator("[data-fly=meld-1] .kaluki-meld-foot")).to_contain_text(f"{name} 2")
    # Neither in sight nor for screen readers.
    expect(page.locator("body")).not_to_contain_text(re.compile(r"\bm[0-9]\b"))


def test_what_is_not_sent_lies_in_the_hand_and_is_done_later(table_of: Open, allowed_errors: list[str]) -> None:
    allowed_errors += ["net::", "Failed to load resource"]
    table = table_of(BOTH_OPENED)
    page = table.page
    [own, other] = [len(meld["cards"]) for meld in table.view["table"]]
    page.context.set_offline(True)
    expect(page.locator(".link-mark")).to_be_visible()
    table.drag(table.card("4d"), page.locator("[data-fly=meld-1]"))
    expect(page.locator(".notice.unsent")).to_be_visible()
    expect(table.card("4d")).not_to_have_attribute("data-sending", "")
    expect(page.locator(".kaluki-bar")).not_to_have_attribute("aria-busy", "true")
    page.context.set_offline(False)
    expect(table.card("4d")).to_have_count(0)
    expect(page.locator(".notice.unsent")).to_have_count(0)
    assert set(table.sent) == {"add 4d m1"}
    assert [len(meld["cards"]) for meld in table.view["table"]] == [own, other + 1]


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_card_is_laid_off_by_drag(table_of: Open, size: tuple[int, int]) -> None:
    table = table_of(BOTH_OPENED, size)
    table.drag(table.card("4d"), table.page.locator("[data-fly=meld-1]"))
    expect(table.card("4d")).to_have_count(0)
    assert table.sent == ["add 4d m1"]


def test_a_card_is_laid_off_by_keys(table_of: Open) -> None:
    table = table_of(BOTH_OPENED)
    table.keys("9", "Space")
    # Nines of spades and hearts are held; the spade comes first.
    table.keys("Space", "9", "Space", "f")
    expect(table.button("Add 9 of hearts to meld 1")).to_be_focused()
    table.keys("Enter")
    expect(table.card("9h")).to_have_count(0)
    assert table.sent == ["add 9h m0"]


def test_a_card_that_fits_nowhere_is_refused_with_the_rule(table_of: Open, allowed_errors: list[str]) -> None:
    allowed_errors.append(REFUSED)
    table = table_of(BOTH_OPENED)
    table.drag(table.card("9s"), table.page.locator("[data-fly=meld-0]"))
    notice = table.page.locator(".notice.refusal")
    expect(notice).to_contain_text(re.compile("9(♠|s) does not fit this meld"))
    expect(notice.get_by_role("link", name="K6.2")).to_be_visible()
    expect(table.card("9s")).to_be_visible()


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_a_joker_is_swapped_and_laid_by_drag(table_of: Open, size: tuple[int, int]) -> None:
    table = table_of(BOTH_OPENED, size)
    run = table.page.locator("[data-fly=meld-1]")
    table.drag(table.card("7d"), run)
    expect(table.card("Jk")).to_be_visible()
    expect(table.page.locator(".kaluki-debt")).to_have_text("The joker you swapped must be laid before you discard.")
    table.drag(table.card("Jk"), run)
    ways = table.page.get_by_role("dialog").locator(".kaluki-way")
    expect(ways).to_have_count(2)
    ways.filter(has_text="").nth(1).click()
    expect(table.card("Jk")).to_have_count(0)
    expect(table.page.locator(".kaluki-debt")).to_have_count(0)
    assert table.sent[0] == "swap 7d m1"
    assert table.sent[1] in ("add Jk=Qd m1", "add Jk=4d m1")


def test_a_joker_is_swapped_and_laid_by_keys(table_of: Open) -> None:
    table = table_of(BOTH_OPENED)
    table.keys("7", "Space", "f")
    expect(table.button("Swap 7 of diamonds for the joker of meld 2")).to_be_focused()
    table.keys("Enter")
    expect(table.card("Jk")).to_be_visible()
    table.keys("Tab")
    table.card("Jk").focus()
    table.keys("Space", "f", "Enter")
    dialog = table.page.get_by_role("dialog", name="What does the joker stand for?")
    expect(dialog).to_be_visible()
    table.keys("Enter")
    expect(table.card("Jk")).to_have_count(0)
    assert table.sent[0] == "swap 7d m1"
    assert table.sent[1].startswith("add Jk=")


def test_an_owed_joker_may_not_be_kept(table_of: Open, allowed_errors: list[str]) -> None:
    allowed_errors.append(REFUSED)
    table = table_of(BOTH_OPENED)
    table.choose("7d")
    table.button("Swap 7 of diamonds for the joker of meld 2").click()
    expect(table.card("Jk")).to_be_visible()
    table.choose("9s")
    table.button("Discard 9♠").click()
    notice = table.page.locator(".notice.refusal")
    expect(notice).to_contain_text("The joker you swapped must be laid first.")
    expect(notice.get_by_role("link", name="K6.9")).to_be_visible()


def test_several_cards_are_laid_off_at_once(table_of: Open) -> None:
    scene = Scene(["Th Jh Qh Kh Ah 9h 8h", ""], stock="7h", actions=["0 draw", f"0 meld {HEARTS}"])
    table = table_of(scene)
    table.choose("7h 8h 9h")
    table.drag(table.card("8h"), table.page.locator("[data-fly=meld-0]"))
    expect(table.card("7h")).to_have_count(0)
    assert table.sent == ["add 9h m0", "add 8h m0", "add 7h m0"]


def test_a_set_takes_a_card_or_gives_its_joker(table_of: Open) -> None:
    scene = Scene(
        [f"{HEARTS} 9s", "9h 9d 9c 9c 9s Jk"],
        stock="3s 4c 6s",
        actions=[
            "0 draw", f"0 meld {HEARTS}", "0 discard 3s",
            "1 draw", "1 meld 9s 9h 9d 9c 9c Jk=9", "1 discard 4c",
            "0 draw",
        ],
    )  # fmt: skip
    table = table_of(scene)
    table.drag(table.card("9s"), table.page.locator("[data-fly=meld-1]"))
    dialog = table.page.get_by_role("dialog", name="Add the card, or swap it for the joker?")
    dialog.get_by_role("button", name=re.compile("Swap for the joker")).click()
    expect(table.card("Jk")).to_be_visible()
    assert table.sent == ["swap 9s m1"]


# -- discarding and taking back -----------------------------------------------------


def test_a_card_is_discarded_by_button_drag_and_double_tap(table_of: Open) -> None:
    drawn = Scene([HEARTS, ""], stock="3s", actions=["0 draw"])
    by_button = table_of(drawn)
    by_button.choose("3s")
    by_button.button("Discard 3♠").click()
    expect(by_button.card("3s")).to_have_count(0)

    by_drag = table_of(drawn)
    by_drag.drag(by_drag.card("3s"), by_drag.page.locator("[data-kind=pile]"))
    expect(by_drag.card("3s")).to_have_count(0)

    by_double_tap = table_of(drawn)
    by_double_tap.card("3s").dblclick(position={"x": 8, "y": 20})
    expect(by_double_tap.card("3s")).to_have_count(0)

    by_key = table_of(drawn)
    by_key.card("3s").focus()
    by_key.keys("d")
    expect(by_key.card("3s")).to_have_count(0)
    for table in (by_button, by_drag, by_double_tap, by_key):
        assert table.sent == ["discard 3s"]


def test_a_meld_is_taken_back_before_the_discard(table_of: Open) -> None:
    table = table_of(Scene([HEARTS, ""], stock="3s", actions=["0 draw"]))
    table.keys("b", "m")
    expect(table.page.locator(".kaluki-meld")).to_have_count(1)
    table.page.locator(".kaluki-bar").get_by_role("button", name="Take back").click()
    expect(table.page.locator(".kaluki-meld")).to_have_count(0)
    expect(table.card("Th")).to_be_visible()
    assert table.view["opened"] == [False, False]


def test_the_card_taken_from_the_pile_is_told(table_of: Open, allowed_errors: list[str]) -> None:
    allowed_errors.append(REFUSED)
    scene = Scene(
        [HEARTS, ""],
        stock="3s 4c 6s",
        actions=["0 draw", f"0 meld {HEARTS}", "0 discard 3s", "1 draw", "1 discard 4c"],
    )
    table = table_of(scene)
    table.keys("p")
    expect(table.card("4c")).to_be_visible()
    assert table.sent == ["take"]
    expect(table.page.locator(".kaluki-debt")).to_contain_text("You took 4♣: it may not be discarded in this turn.")
    table.choose("4c")
    table.button("Discard 4♣").click()
    expect(table.page.locator(".notice.refusal").get_by_role("link", name="K4.7")).to_be_visible()


def test_the_discard_pile_can_be_looked_through(table_of: Open) -> None:
    table = table_of(BOTH_OPENED)
    table.keys("v")
    cards = table.page.get_by_role("dialog", name="Discard pile").get_by_role("img")
    expect(cards).to_have_count(3)
    assert [card.get_attribute("aria-label") for card in cards.all()] == ["4 of clubs", "3 of spades", "2 of clubs"]


# -- the hand -----------------------------------------------------------------------


def hand_of(table: TableOf) -> list[str]:
    return [str(card.get_attribute("data-key"))[:2] for card in table.page.locator(".kaluki-card").all()]


def test_the_hand_is_sorted_by_suit_and_by_rank(table_of: Open) -> None:
    table = table_of(Scene(["Ah 2h Ks Kd 2d As Jk", ""], stock="3s"))
    by_suit = [card for card in hand_of(table) if card in ("Ah", "2h", "Ks", "Kd", "2d", "As", "Jk")]
    assert by_suit == ["Ks", "As", "2h", "Ah", "2d", "Kd", "Jk"]
    table.button("Rank").click()
    by_rank = [card for card in hand_of(table) if card in ("Ah", "2h", "Ks", "Kd", "2d", "As", "Jk")]
    assert by_rank == ["2h", "2d", "Ks", "Kd", "As", "Ah", "Jk"]


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_the_own_order_by_drag_stays(table_of: Open, size: tuple[int, int]) -> None:
    table = table_of(BEFORE_OPENING, size)
    before = hand_of(table)
    last = before[-1]
    first = table.page.locator(".kaluki-card").first
    width = first.bounding_box()["width"]  # type: ignore[index]
    table.drag(table.page.locator(".kaluki-card").last, first, dx=-width / 2 + 4)
    expect(table.page.locator(".kaluki-card").first).to_have_attribute("data-key", re.compile(f"^{last}#"))
    assert hand_of(table) == [last, *before[:-1]]
    assert table.sent == []
    table.page.reload()
    expect(table.card("Th")).to_be_visible()
    assert hand_of(table) == [last, *before[:-1]]
    # A card that comes goes beside its like; nothing else moves.
    table.keys("n")
    expect(table.card("3s")).to_be_visible()
    assert [card for card in hand_of(table) if card != "3s" or before.count("3s")] == [last, *before[:-1]]


def test_a_card_is_moved_by_keys(table_of: Open) -> None:
    table = table_of(BEFORE_OPENING)
    before = hand_of(table)
    table.page.locator(".kaluki-card").first.focus()
    table.keys("Shift+ArrowRight")
    assert hand_of(table) == [before[1], before[0], *before[2:]]


@pytest.mark.parametrize("width", [320, 360])
def test_every_card_of_a_large_hand_can_be_hit(table_of: Open, width: int) -> None:
    stock = "3s 3h 3d 3c 4s 4h"
    actions = ["0 draw", "0 discard 3s", "1 draw", "1 discard 3h"]
    table = table_of(Scene([f"{HEARTS} Jk Jk", ""], stock=stock, actions=actions), (width, 640))
    table.keys("n")
    cards = table.page.locator(".kaluki-card")
    expect(cards).to_have_count(16)
    # What of each card is not covered: the least is 24 by 24 pixels (WCAG 2.5.8).
    sizes = table.page.evaluate(
        """() => [...document.querySelectorAll(".kaluki-card")].map((card) => {
          const box = card.getBoundingClientRect();
          const hits = (x, y) => document.elementFromPoint(x, y)?.closest(".kaluki-card") === card;
          let width = 0, height = 0;
          while (width < box.width && hits(box.left + width + 0.5, box.top + 12)) width += 1;
          while (height < box.height && hits(box.left + 12, box.top + height + 0.5)) height += 1;
          return [width, height];
        })"""
    )
    assert all(width >= 24 and height >= 24 for width, height in sizes), sizes
    assert table.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_points_shown_are_those_of_the_rules(page: Page) -> None:
    """Every kind of ace, and every meld that some hands can lay: the table's own sum is that of the game."""
    cases = []
    for preset in KalukiRules.presets:
        for ace in (None, 15, 11, "11_high_1_low"):
            rules = KalukiRules.make(2, preset, **({} if ace is None else {"ace": ace}))
            for seed in range(6):
                hand = shuffled(Kaluki.pack(rules), Rng(seed))[:20]
                melds = all_melds(*hand_masks(hand), rules.turn.melds)
                found = [[meld_text(meld).split(), worth(meld, rules.turn.melds)] for meld in melds[::3]]
                cases.append({"rules": rules.to_dict(), "melds": found})
    page.goto("/about")
    wrong = page.evaluate(
        """async (cases) => {
          const base = `/a/${document.documentElement.dataset.build}/app/kaluki/`;
          const { meldPoints, physical, shapes } = await import(`${base}melds.mjs`);
          const { valuesOf } = await import(`${base}rules.mjs`);
          return cases.flatMap(({ rules, melds }) => {
            const values = valuesOf(rules);
            return melds.filter(([meld, points]) => {
              // Told by its cards alone, the meld is among the shapes they can have.
              const told = shapes(meld.map(physical), values).some((shape) => shape.join() === meld.join());
              return meldPoints(meld, values) !== points || !told;
            });
          });
        }""",
        cases,
    )
    assert wrong == []
    assert sum(len(case["melds"]) for case in cases) > 500


# -- everything ---------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "id"])
def test_the_table_is_accessible(
    table_of: Open, axe: Axe, scrolls_sideways: Callable[[Page], bool], size: tuple[int, int], theme: str, language: str
) -> None:
    table = table_of(BOTH_OPENED, size, theme=theme, language=language)
    table.choose("9h")
    expect(table.page.locator(".kaluki-meld[data-fits]")).to_have_count(1)
    assert axe(table.page) == []
    assert not scrolls_sideways(table.page)
    table.keys("Escape", "v")
    expect(table.page.get_by_role("dialog")).to_be_visible()
    assert axe(table.page) == []


def test_the_letters_answer(table_of: Open) -> None:
    table = table_of(BOTH_OPENED)
    answer = {letter: table.page.locator(f"[data-answer={letter}]") for letter in "htlr"}
    expect(answer["h"]).to_contain_text("9 of hearts")
    expect(answer["t"]).to_contain_text("Meld 2, Budi: 5 of diamonds, 6 of diamonds, joker as 7 of diamonds")
    expect(answer["t"]).to_contain_text("Top of the discard pile: 4 of clubs.")
    expect(answer["l"]).to_contain_text("4 of clubs, 3 of spades, 2 of clubs")
    expect(answer["r"]).to_have_text("You have opened.")


def test_the_keys_are_in_the_help(table_of: Open) -> None:
    table = table_of(BEFORE_OPENING)
    table.keys("?")
    dialog = table.page.get_by_role("dialog", name="Keys")
    expect(dialog).to_contain_text("Lay the chosen cards as a meld, or open")
    expect(dialog).to_contain_text("Discard the chosen card")


# -- a whole match ------------------------------------------------------------------


@pytest.fixture(scope="module")
def quick_server(server: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server whose bots do not pretend to think."""
    running = type(server)(tmp_path_factory.mktemp("quick"), "--bot-pace", "0")
    yield running
    running.stop()


def play_turn(page: Page) -> None:
    """One turn by clicks alone, played as the table suggests: open and lay what is marked, then throw a card."""
    stock = page.get_by_role("button", name=re.compile("^Draw a card"))
    stock.click()
    expect(page.locator(".kaluki-prompt")).to_have_text("It is your turn: lay what you like, then discard.")
    lay = page.locator(".kaluki-bar-end .button.primary")
    while page.locator(".kaluki-chip").count() and page.locator(".kaluki-card").count() > 1:
        page.locator(".kaluki-chip").first.click()
        if not lay.count():
            # The best meld is not enough to open, or nothing would be left to discard.
            page.get_by_role("button", name="Put the cards back down").click()
            break
        before = page.locator(".kaluki-meld").count()
        lay.click()
        dialog = page.get_by_role("dialog")
        expect(page.locator(".kaluki-meld").nth(before).or_(dialog)).to_be_visible()
        if dialog.count():
            dialog.locator(".kaluki-way").first.click()
            expect(page.locator(".kaluki-meld").nth(before)).to_be_visible()
    # What is left is thrown: the first card that is in no meld, else the first.
    loose = page.locator(".kaluki-card:not([data-meld])")
    card = loose.first if loose.count() else page.locator(".kaluki-card").first
    if card.count():
        card.click(position={"x": 6, "y": 16})
        page.get_by_role("button", name=re.compile("^Discard ")).last.click()


def test_a_whole_match_against_bots_by_clicks(new_page: NewPage, quick_server: Any) -> None:
    page = new_page()
    page.goto(f"{quick_server.url}/new/kaluki")
    page.evaluate(
        """async () => {
          const post = (path, body) => fetch(path, {
            method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body),
          }).then((answer) => answer.json());
          await post("/api/me", {name: "Ana"});
          const bot = {kind: "bot", level: "rules-of-thumb"};
          const made = await post("/api/tables", {
            key: "kaluki-match", game: "kaluki", seats: 3, preset: "standard", options: {target: 100}, me: 0,
            others: [bot, bot], clock: "off", watch: true, listed: false, chat: true, start: true,
          });
          location.href = `/t/${made.table}`;
        }"""
    )
    over = page.get_by_role("heading", name=re.compile("has won the match|have won the match"))
    mine = page.locator(".kaluki[data-mine]")
    following = page.get_by_role("button", name="Next deal")
    for _ in range(400):
        expect(mine.or_(following).or_(over).first).to_be_visible(timeout=30_000)
        if over.is_visible():
            break
        if following.is_visible():
            following.click()
            expect(following).to_be_hidden()
        else:
            play_turn(page)
            # The turn is over when somebody else acts, or the deal is.
            expect(page.locator(".kaluki[data-mine] [data-kind=stock]:not([data-live])")).to_have_count(0)
    expect(over).to_be_visible()
    table = page.url.rpartition("/")[2]
    record = page.evaluate("table => fetch(`/api/tables/${table}/record`).then((answer) => answer.json())", table)
    assert max(record["totals"]) >= 100
    # The shuffles are those that this browser was promised and took part in; the same by the other check.
    page.goto(f"{quick_server.url}/verify?table={table}")
    expect(page.locator(".verdict")).to_contain_text("Every deal is exactly the one that was promised.")
    expect(page.locator(".verdict")).to_contain_text("This browser was at the table")
    assert all(check.ok for check in check_record(loads(json.dumps(record))))


# -- what a newcomer met -------------------------------------------------------------

#: What does not belong to an element but is hit at its middle.
COVERED = """element => {
  const box = element.getBoundingClientRect();
  const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return element.contains(hit) ? "" : hit?.outerHTML ?? "nothing";
}"""


def end_match(page: Page, table: str) -> None:
    """The host breaks the match off while everybody holds cards."""
    page.evaluate(
        """async (table) => {
          const {head} = await fetch(`/api/tables/${table}`).then((answer) => answer.json());
          await fetch(`/api/tables/${table}/commands`, {
            method: "POST", headers: {"Content-Type": "application/json"},
            body: JSON.stringify({key: "end-of-match", expect: head, command: {do: "close"}}),
          });
        }""",
        table,
    )


@pytest.mark.parametrize("size", [DESK, (390, 844)])
def test_no_card_of_the_hand_lies_over_the_result(table_of: Open, size: tuple[int, int]) -> None:
    table = table_of(BOTH_OPENED, size)
    end_match(table.page, table.table)
    home = table.page.locator(".pause").get_by_role("link", name="Home")
    expect(home).to_be_visible()
    for button in table.page.locator(".after > *, .pause h2").all():
        assert button.evaluate(COVERED) == ""
    hand = table.page.locator(".kaluki-card")
    assert hand.count() > 0
    for card in hand.all():
        above = card.evaluate(
            """card => {
              const box = card.getBoundingClientRect();
              const hit = document.elementFromPoint(box.left + 10, box.top + 10);
              return Boolean(hit && card.contains(hit));
            }"""
        )
        assert not above, "a card lies over the result"
    home.click()
    expect(table.page).to_have_url(re.compile("/$"))


def test_too_little_is_told_on_the_button(table_of: Open) -> None:
    table = table_of(Scene(["Kd Kh Ks", ""], stock="3s"))
    table.keys("n")
    expect(table.card("3s")).to_be_visible()
    table.page.locator(".kaluki-meter").click()
    button = table.button("Open with 30")
    expect(button).to_contain_text("21 missing")
    expect(button).not_to_have_class(re.compile("primary"))
    expect(button).to_be_enabled()
    tick = "element => getComputedStyle(element, '::after').content"
    assert "✓" not in table.page.locator(".kaluki-sum b").evaluate(tick)


def test_the_keyboard_is_always_at_the_hand(table_of: Open) -> None:
    table = table_of(BEFORE_OPENING)
    focused = table.page.locator(".kaluki-card:focus")
    expect(focused).to_have_count(1)
    table.keys("n")
    expect(table.card("3s")).to_be_visible()
    expect(focused).to_have_count(1)
    table.keys("d")
    # The others have played, and it is the own turn again.
    expect(table.page.locator("[data-kind=stock][data-live]")).to_be_visible()
    expect(focused).to_have_count(1)
    before = focused.get_attribute("data-key")
    table.keys("ArrowRight", "ArrowRight")
    assert focused.get_attribute("data-key") != before


def test_a_refusal_goes_away(table_of: Open, allowed_errors: list[str]) -> None:
    allowed_errors.append(REFUSED)
    table = table_of(BEFORE_OPENING, (390, 844))
    pile = table.page.locator("[data-kind=pile]")
    notice = table.page.locator(".notice.refusal")
    pile.click()
    expect(notice).to_be_visible()
    lower, hand = notice.bounding_box(), table.page.locator(".kaluki-desk").bounding_box()
    seat = table.page.locator(".kaluki-others .seat").first.bounding_box()
    assert lower is not None
    assert hand is not None
    assert seat is not None
    assert seat["y"] + seat["height"] <= lower["y"]
    assert lower["y"] + lower["height"] <= hand["y"]
    notice.get_by_role("button", name="Close").click()
    expect(notice).to_have_count(0)
    pile.click()
    expect(notice).to_be_visible()
    expect(notice).to_have_count(0, timeout=9500)
