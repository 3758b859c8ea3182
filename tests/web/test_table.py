"""The table in the browser: whole matches of the trick games, acting in every way, and what must hold for everybody."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from tests.web.felt import (
    BASSADEWITZ,
    CALABRESELLA,
    DESK,
    FOLLOWING,
    HANDS,
    LEADING,
    PHONE,
    SIDEWAYS,
    SMEAR,
    SURE,
    TABLET,
    NewPage,
    Scene,
    Table,
    become,
    new_table,
    open_scene,
    settings,
)

#: Browsers write every answer that is no success to the console.
REFUSED = "status of 422"
STORAGE = "status of 503"

Axe = Callable[..., list[str]]
Sideways = Callable[[Page], bool]
Open = Callable[..., Table]


@pytest.fixture
def table_of(new_page: NewPage, server: Any) -> Open:
    """``table_of(scene)``: see :func:`open_scene`."""
    return partial(open_scene, new_page, server)


# -- whole matches ------------------------------------------------------------------


def decide(table: Table) -> None:
    """One decision of somebody who has not read the rules: the lowest bid that is offered, any card that rises."""
    page = table.page
    picker = page.locator(".call-suit button:not([data-may-not])")
    choices = page.locator(".choice:not([data-may-not])")
    if picker.count():
        picker.first.click()
    elif choices.count():
        choices.nth(min(1, choices.count() - 1)).click()
    else:
        card = page.locator(".hand-card[data-may]").first.get_attribute("data-card")
        assert card is not None
        lift(table, card)
        table.tap(card)


def lift(table: Table, card: str) -> None:
    """Tap until the card rises, as people do: a tap while the table still moves is nobody's tap."""
    for _ in range(3):
        table.tap(card)
        try:
            expect(table.card(card)).to_have_attribute("aria-selected", "true", timeout=2000)
        except AssertionError:
            continue
        return
    raise AssertionError(f"{card} does not rise")


def play_match(table: Table, axe: Axe, sideways: Sideways) -> None:
    """Play to the end by clicking alone."""
    page = table.page
    looked = set()
    for _ in range(400):
        expect(page.locator(".prompt[data-turn], .pause").first).to_be_visible(timeout=20000)
        if page.locator(".pause-box[data-over]").count():
            return
        next_deal = page.locator(".pause .next")
        kind = "pause" if next_deal.count() else "play"
        if kind not in looked:
            looked.add(kind)
            assert axe(page) == []
            assert not sideways(page)
        if next_deal.count():
            next_deal.click()
            expect(page.locator(".pause")).to_have_count(0)
            continue
        before = len(table.sent)
        head = int(page.locator(".table-page").get_attribute("data-head") or 0)
        decide(table)
        page.wait_for_function("head => Number(document.querySelector('.table-page').dataset.head) > head", arg=head)
        assert len(table.sent) == before + 1
    raise AssertionError("the match does not end")


@pytest.mark.parametrize(
    ("name", "options", "size", "language", "theme"),
    [
        ("bassadewitz", {"deals": 4}, PHONE, "en", "dark"),
        ("calabresella", {"deals": 3}, DESK, "id", "light"),
        ("smear", {"target": 7, "win": "count_order"}, TABLET, "en", "light"),
    ],
)
def test_a_whole_match_is_played_by_clicking(
    new_page: NewPage,
    axe: Axe,
    scrolls_sideways: Sideways,
    name: str,
    options: dict[str, Any],
    size: tuple[int, int],
    language: str,
    theme: str,
) -> None:
    page = new_page(size, language=language, theme=theme)
    settings(page, speed="off", forced=False)
    page.goto("/about")
    become(page, "Ana")
    table = Table(page, new_table(page, name, options=options)).open()
    play_match(table, axe, scrolls_sideways)

    truth = table.update["state"]
    assert truth["status"] == "finished"
    heading = page.locator("#pause-title")
    expect(heading).to_be_focused()
    for seat, total in enumerate(truth["scores"]["totals"]):
        row = page.locator(".sheet-table tr").filter(
            has=page.get_by_role("rowheader", name=truth["seats"][seat]["name"])
        )
        expect(row.locator(".total").first).to_have_text(str(total).replace("-", "−"))
    assert axe(page) == []

    # The record holds what this browser was promised and what it gave to every shuffle.
    record: dict[str, Any] = page.evaluate(
        "table => fetch(`/api/tables/${table}/record`).then((r) => r.json())", table.id
    )
    kept: dict[str, Any] = json.loads(page.evaluate("table => localStorage.getItem(`meja.fair.${table}`)", table.id))
    assert [str(deal["deal"]) for deal in record["fairness"]["deals"]] == sorted(kept, key=int)
    for deal in record["fairness"]["deals"]:
        assert kept[str(deal["deal"])] == {"commit": deal["commit"], "seed": deal["client_seeds"]["0"]}

    page.locator(".after button.primary").click()
    expect(page).not_to_have_url(re.compile(table.id))
    expect(page.locator(".hand-card").first).to_be_visible()


# -- acting -------------------------------------------------------------------------


def test_a_card_is_lifted_by_a_tap_and_played_by_the_next(table_of: Open) -> None:
    table = table_of(LEADING, PHONE)
    table.tap("9c")
    expect(table.card("9c")).to_have_attribute("aria-selected", "true")
    assert table.sent == []
    # Another card instead: only one is lifted.
    table.tap("As")
    expect(table.page.get_by_role("option", selected=True)).to_have_count(1)
    table.tap("As")
    expect(table.card("As")).to_have_count(0)
    assert table.sent == ["play As"]


def test_one_tap_plays_where_that_was_chosen(table_of: Open) -> None:
    table = table_of(LEADING, oneTap=True)
    table.tap("9c")
    expect(table.card("9c")).to_have_count(0)
    assert table.sent == ["play 9c"]


@pytest.mark.parametrize("size", [PHONE, DESK, SIDEWAYS])
def test_a_card_is_dragged_to_the_felt(table_of: Open, size: tuple[int, int]) -> None:
    table = table_of(LEADING, size)
    felt = table.page.locator(".felt").bounding_box()
    assert felt is not None
    # Let go over the own hand it stays.
    box = table.card("Kh").bounding_box()
    assert box is not None
    table.drag("9c", (box["x"] + 10, box["y"] + 40))
    expect(table.card("9c")).to_be_visible()
    expect(table.page.get_by_role("option", selected=True)).to_have_count(0)
    assert table.sent == []
    table.drag("9c", (felt["x"] + felt["width"] / 2, felt["y"] + felt["height"] * 0.6))
    expect(table.card("9c")).to_have_count(0)
    assert table.sent == ["play 9c"]


def test_everything_goes_by_keys(table_of: Open) -> None:
    table = table_of(LEADING)
    keyboard = table.page.keyboard
    keyboard.press("9")
    expect(table.card("9s")).to_be_focused()
    keyboard.press("9")
    expect(table.card("9c")).to_be_focused()
    keyboard.press("Shift+D")
    expect(table.card("Qd")).to_be_focused()
    keyboard.press("ArrowRight")
    expect(table.card("Jd")).to_be_focused()
    keyboard.press("Home")
    expect(table.card("As")).to_be_focused()
    # The tab key reaches the hand once, not once for every card.
    assert table.page.locator('.hand-card[tabindex="0"]').count() == 1
    keyboard.press("Space")
    expect(table.card("As")).to_have_attribute("aria-selected", "true")
    keyboard.press("Escape")
    expect(table.card("As")).to_have_attribute("aria-selected", "false")
    keyboard.press("Enter")
    expect(table.card("As")).to_have_count(0)
    assert table.sent == ["play As"]


def test_an_illegal_try_stays_in_the_hand_and_says_why(table_of: Open, axe: Axe, allowed_errors: list[str]) -> None:
    allowed_errors.append(REFUSED)
    table = table_of(FOLLOWING, PHONE)
    page = table.page
    table.my_turn()
    rise = {card: table.card(card).bounding_box() for card in ("Qd", "9c")}
    assert rise["Qd"] is not None
    assert rise["9c"] is not None
    assert rise["Qd"]["y"] < rise["9c"]["y"], "a card that may be played stands higher"
    table.tap("9c")
    table.tap("9c")
    expect(page.locator(".refusal")).to_contain_text("You hold diamonds and must follow suit.")
    expect(page.locator("#say-answer")).to_contain_text("You hold diamonds and must follow suit.")
    expect(table.card("9c")).to_be_visible()
    assert axe(page) == []
    link = page.locator(".refusal").get_by_role("link", name="rule B3.2")
    assert link.get_attribute("href") == "/rules/bassadewitz#B3.2"
    link.click()
    found = page.locator(".book [id='B3.2']")
    expect(found).to_be_in_viewport()
    expect(found).to_be_focused()
    page.keyboard.press("Escape")
    # The next try that is allowed takes the sentence away.
    table.tap("Jd")
    table.tap("Jd")
    expect(page.locator(".refusal")).to_have_count(0)
    assert table.sent == ["play 9c", "play Jd"]


def test_a_forced_card_plays_itself_unless_switched_off(table_of: Open) -> None:
    # A heart is led, and the person holds one.
    scene = Scene(BASSADEWITZ, HANDS, dealer=2, actions=["3 play 7h"])
    table = table_of(scene, forced=True)
    expect(table.card("Kh")).to_have_count(0)
    assert table.sent == ["play Kh"]
    kept = table_of(scene)
    kept.my_turn()
    kept.page.wait_for_timeout(1500)
    expect(kept.card("Kh")).to_be_visible()


def test_what_is_sent_is_marked_and_what_is_lost_can_be_sent_again(
    table_of: Open, axe: Axe, allowed_errors: list[str]
) -> None:
    allowed_errors.append(STORAGE)
    table = table_of(LEADING, PHONE)
    page = table.page
    bodies: list[dict[str, Any]] = []

    def full(route: Route) -> None:
        bodies.append(json.loads(route.request.post_data or "{}"))
        route.fulfill(status=503, json={"error": {"code": "storage", "text": "The disk is full.", "rule": None}})

    page.route("**/commands*", full)
    table.tap("9c")
    table.tap("9c")
    expect(table.card("9c")).to_have_attribute("aria-busy", "true")
    # Nothing is played before the server has said so.
    expect(page.locator(".trick-card")).to_have_count(0)
    notice = page.locator(".unsent")
    expect(notice).to_contain_text("The disk is full.")
    expect(table.card("9c")).not_to_have_attribute("aria-busy", "true")
    assert axe(page) == []
    page.unroute("**/commands*")
    with page.expect_request("**/commands*") as again:
        notice.get_by_role("button", name="Try again").click()
    assert json.loads(again.value.post_data or "{}") == bodies[0], "it is the same command, which is done once"
    expect(table.card("9c")).to_have_count(0)
    expect(notice).to_have_count(0)


def test_a_bid_is_a_button(table_of: Open) -> None:
    table = table_of(SMEAR, PHONE)
    group = table.page.get_by_role("group", name="It is your turn: bid or pass.")
    assert [button.inner_text() for button in group.get_by_role("button").all()] == ["Pass", "2", "3", "4"]
    group.get_by_role("button", name="bid 4").click()
    # Four ends the auction; the person leads, and the first card makes trump.
    expect(table.page.locator("[data-part=trump]")).to_contain_text("the first card led")
    table.tap("As")
    table.tap("As")
    expect(table.page.locator("[data-part=trump]")).to_contain_text("♠ spades")
    expect(table.page.locator("[data-part=bid]")).to_contain_text("4 by you")
    assert table.sent == ["bid 4", "play As"]


def test_calling_giving_and_laying_away(table_of: Open, axe: Axe, scrolls_sideways: Sideways) -> None:
    table = table_of(CALABRESELLA, PHONE)
    page = table.page
    table.button(re.compile("^Chiamo")).click()
    picker = page.locator(".call-picker")
    expect(picker.get_by_role("button")).to_have_count(40)
    assert axe(page) == []
    # One of the own cards is no card to call, and is named as such.
    expect(picker.get_by_role("button", name="3 of spades, in your hand")).to_be_visible()
    picker.get_by_role("button", name="3 of hearts", exact=True).click()
    expect(page.locator("[data-part=called]")).to_contain_text("3♥ from Budi")
    expect(page.locator(".spread .card")).to_have_count(4)
    expect(page.locator(".hand-card")).to_have_count(17)
    expect(page.locator(".hand-card[data-fresh]")).to_have_count(5)
    assert not scrolls_sideways(page)
    for card in ("4s", "4d", "4c", "5h", "7d"):
        table.tap(card)
        table.tap(card)
        expect(table.card(card)).to_have_count(0)
    expect(page.locator(".hand-card")).to_have_count(12)
    assert table.sent == ["bid chiamo", "call 3h", "give 4s", "discard 4d", "discard 4c", "discard 5h", "discard 7d"]
    table.my_turn()
    expect(page.locator("[data-part=contract]")).to_contain_text("Chiamo by you")


def test_solissimo_is_raised_by_a_button(table_of: Open) -> None:
    table = table_of(CALABRESELLA)
    table.button(re.compile("^Solissimo")).click()
    table.button(re.compile("^Scegliete")).click()
    expect(table.page.locator("[data-part=contract]")).to_contain_text("Solissimo scegliete by you")
    expect(table.page.locator("[data-part=stake]")).to_contain_text("16")
    table.my_turn()
    assert table.sent == ["bid solissimo", "raise scegliete"]


def test_the_rest_is_claimed_where_nothing_can_prevent_it(table_of: Open) -> None:
    table = table_of(SURE, PHONE)
    page = table.page
    expect(page.locator(".notice.offer")).to_contain_text("All remaining tricks are yours.")
    table.button("Take them").click()
    expect(page.locator(".pause")).to_be_visible()
    expect(page.locator(".sheet-table")).to_contain_text("All tricks taken by")
    assert table.update["state"]["scores"]["totals"] == [0, 4, 4, 4]


def test_a_decision_is_taken_back(table_of: Open) -> None:
    table = table_of(LEADING)
    table.tap("9c")
    table.tap("9c")
    expect(table.card("9c")).to_have_count(0)
    table.my_turn()
    table.button("Take back").click()
    expect(table.card("9c")).to_be_visible()
    expect(table.page.locator(".trick-card")).to_have_count(0)


# -- what is seen -------------------------------------------------------------------


def test_a_finished_trick_stays_until_it_is_tapped(table_of: Open) -> None:
    table = table_of(LEADING, PHONE, trickWait="tap")
    page = table.page
    table.tap("9c")
    table.tap("9c")
    trick = page.locator(".trick-card")
    expect(trick).to_have_count(4)
    expect(page.locator(".trick-card[data-winner]")).to_have_count(1)
    expect(page.get_by_text("Tap to go on")).to_be_visible()
    # The server has gone on long ago, and so has the truth on this page: the next trick can be read.
    last = table.update["view"]["last_trick"]
    assert len(last["cards"]) == 4
    page.wait_for_timeout(1800)
    expect(trick).to_have_count(4)
    page.locator(".felt").click(position={"x": 20, "y": 200})
    expect(page.get_by_text("Tap to go on")).to_have_count(0)
    table.my_turn()
    # And it can be looked at once more.
    table.button("Last trick").click()
    shown = page.locator(".last-trick-cards li")
    expect(shown).to_have_count(4)
    expect(page.locator(".last-trick-cards li[data-winner]")).to_contain_text("takes it")


def test_who_acts_is_not_held_up_by_a_trick_that_lies_there(table_of: Open) -> None:
    table = table_of(LEADING, PHONE, trickWait="tap")
    table.tap("As")
    table.tap("As")
    expect(table.page.get_by_text("Tap to go on")).to_be_visible()
    # The ace has won: the person leads again and needs not tap the trick away.
    table.my_turn()
    table.tap("9s")
    table.tap("9s")
    expect(table.card("9s")).to_have_count(0)
    assert table.sent == ["play As", "play 9s"]


SHOWN = """() => {
  const cards = [...document.querySelectorAll('.hand-card')];
  const widths = new Map(cards.map((card) => [card.dataset.card, 0]));
  const box = document.querySelector('.hand').getBoundingClientRect();
  for (let y = Math.floor(box.top) + 14; y < innerHeight; y += 14) {
    const row = new Map();
    for (let x = 0; x < innerWidth; x += 1) {
      const card = document.elementFromPoint(x, y)?.closest('.hand-card')?.dataset.card;
      if (card) row.set(card, (row.get(card) ?? 0) + 1);
    }
    for (const [card, width] of row) widths.set(card, Math.max(widths.get(card), width));
  }
  return [...widths.values()];
}"""


@pytest.mark.parametrize("size", [(320, 568), PHONE, SIDEWAYS, TABLET, DESK])
def test_of_every_card_enough_can_be_hit(table_of: Open, size: tuple[int, int], scrolls_sideways: Sideways) -> None:
    table = table_of(CALABRESELLA, size)
    page = table.page
    expect(page.locator(".hand-card")).to_have_count(12)
    assert min(page.evaluate(SHOWN)) >= 24
    table.button(re.compile("^Chiamo")).click()
    page.get_by_role("button", name="3 of hearts", exact=True).click()
    expect(page.locator(".hand-card")).to_have_count(17)
    page.wait_for_timeout(300)
    assert min(page.evaluate(SHOWN)) >= 24
    assert not scrolls_sideways(page)


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS, TABLET, DESK])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_nothing_scrolls_and_nothing_hides_the_hand(new_page: NewPage, size: tuple[int, int], seats: int) -> None:
    page = new_page(size)
    settings(page, forced=False)
    page.goto("/about")
    become(page, "Ana")
    table = Table(page, new_table(page, "bassadewitz", seats=seats)).open()
    table.my_turn()
    sizes = page.evaluate("""() => ['html', 'body', '.table-page', '.table-main', '.trick-table', '.felt']
      .map((name) => document.querySelector(name))
      .filter((box) => box.scrollHeight > box.clientHeight + 1 && getComputedStyle(box).overflowY !== 'clip')
      .map((box) => `${box.className || box.tagName} ${box.scrollHeight} > ${box.clientHeight}`)""")
    assert sizes == []
    for name in (".seat", ".strip dd", ".prompt", ".table-bar a, .table-bar button"):
        for box in page.locator(name).all():
            expect(box).to_be_in_viewport(ratio=0.99)
    # Seats stand beside each other, not on each other.
    boxes = [box.bounding_box() for box in page.locator(".seat").all()]
    assert len(boxes) == seats
    for place, one in enumerate(boxes):
        for other in boxes[place + 1 :]:
            assert one is not None
            assert other is not None
            apart = (
                one["x"] + one["width"] <= other["x"] + 1
                or other["x"] + other["width"] <= one["x"] + 1
                or one["y"] + one["height"] <= other["y"] + 1
                or other["y"] + other["height"] <= one["y"] + 1
            )
            assert apart, (one, other)


# -- in words -----------------------------------------------------------------------


def test_the_live_regions_are_never_made_anew(table_of: Open) -> None:
    table = table_of(LEADING)
    page = table.page
    regions = ("say-log", "say-answer", "say-turn")
    page.evaluate("ids => ids.forEach((id) => { document.getElementById(id).first = true; })", list(regions))
    expect(page.locator("#say-turn")).to_have_attribute("aria-live", "assertive")
    expect(page.locator("#say-log")).to_have_attribute("aria-live", "polite")
    expect(page.locator("#say-turn")).to_have_text("It is your turn: play a card.")
    table.tap("9c")
    table.tap("9c")
    expect(page.locator("#say-log")).to_contain_text("You play 9♣.")
    table.my_turn()
    page.get_by_role("button", name="Scores").click()
    page.keyboard.press("Escape")
    assert page.evaluate("ids => ids.every((id) => document.getElementById(id).first === true)", list(regions))


def test_letters_are_answered(table_of: Open) -> None:
    table = table_of(FOLLOWING)
    page = table.page
    said = page.locator("#say-answer")
    table.my_turn()
    answers = {
        "h": "Your hand: spades: ace, queen, 9, and 7; hearts: king; clubs: 9; diamonds: queen and jack",
        "t": "On the table: Joko: ace of diamonds.",
        "l": "No trick has been finished yet.",
        "r": "Trump: none",
        "s": "Totals: Ana 0, Budi 0, Sari 0, Joko 0.",
        "w": "It is your turn: play a card.",
    }
    for key, answer in answers.items():
        page.keyboard.press(key)
        expect(said).to_contain_text(answer)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    # In a window letters are no questions.
    page.keyboard.press("h")
    expect(said).to_contain_text(answers["w"])


def test_the_hand_is_a_list_by_suits(table_of: Open) -> None:
    table = table_of(FOLLOWING)
    table.my_turn()
    hand = table.page.get_by_role("listbox", name="Your hand")
    for suit, cards in {"spades": 4, "hearts": 1, "clubs": 1, "diamonds": 2}.items():
        expect(hand.get_by_role("group", name=suit).get_by_role("option")).to_have_count(cards)
    expect(hand.get_by_role("option", name="queen of diamonds, may be played")).to_be_visible()
    expect(hand.get_by_role("option", name="ace of spades", exact=True)).to_be_visible()


def test_your_turn_shows_in_the_title(table_of: Open) -> None:
    table = table_of(LEADING)
    expect(table.page).to_have_title(re.compile("^● Your turn"))
    expect(table.page.locator('link[rel~="icon"]')).to_have_attribute("href", re.compile("icon-turn"))


WORDS = """(told) => {
  const outside = (text) => {
    let rest = text;
    for (let before = ''; before !== rest; ) {
      before = rest;
      rest = rest.replace(/⟦[^⟦⟧]*⟧/g, '');
    }
    for (const word of told) rest = rest.replaceAll(word, '');
    return /[A-Za-z]{2}/.test(rest);
  };
  const page = document.querySelector('.table-page');
  const server = '.log-lines, .prompt, [data-answer="w"], .phrases, .book, kbd, textarea, #say-log, #say-turn';
  const found = [];
  const walk = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    if (!node.parentElement.closest(server) && outside(node.textContent)) found.push(node.textContent);
  }
  for (const name of ['aria-label', 'title', 'placeholder']) {
    for (const element of page.querySelectorAll(`[${name}]`)) {
      if (outside(element.getAttribute(name))) found.push(`${name}: ${element.getAttribute(name)}`);
    }
  }
  return found;
}"""


def test_no_word_stands_outside_the_catalogue(table_of: Open) -> None:
    """In the language for tests every text of the page is marked; names and what the server says are not."""
    table = table_of(FOLLOWING)
    page = table.page
    page.goto(f"/t/{table.id}?lang=xx")
    table.my_turn()
    # Lists are joined by the browser itself.
    names = ["Ana", "Budi", "Sari", "Joko", "Bassadewitz", "Bahasa Indonesia", "English", " and "]
    assert page.evaluate(WORDS, names) == []
    for key in ("Menu", "Scores"):
        page.get_by_role("button", name=f"⟦{key}⟧").click()
        expect(page.get_by_role("dialog")).to_be_visible()
        assert page.evaluate(WORDS, names) == []
        page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.evaluate(WORDS, names) == []


# -- people -------------------------------------------------------------------------


def test_friends_by_a_link(new_page: NewPage, server: Any, axe: Axe, allowed_errors: list[str]) -> None:
    """Two people and a bot; one of them reloads, loses the network, and comes back."""
    allowed_errors.append("ERR_INTERNET_DISCONNECTED")
    host, guest = new_page(DESK), new_page(PHONE)
    for page in (host, guest):
        settings(page, speed="off", forced=False)
    host.goto("/about")
    become(host, "Ana")
    table = new_table(host, "bassadewitz", seats=3, others=[{"kind": "open"}] * 2, start=False, options={"deals": 3})
    host.goto(f"/t/{table}")
    link = host.get_by_label("Link of this table").input_value()
    assert link.endswith(f"/t/{table}")
    assert axe(host) == []
    host.get_by_role("button", name="QR code").click()
    expect(host.get_by_role("img", name="QR code of the link of this table")).to_be_visible()

    guest.goto(f"/t/{table}")
    expect(guest.get_by_role("button", name="Sit here")).to_have_count(2)
    assert axe(guest) == []
    guest.get_by_role("button", name="Sit here").first.click()
    # A newcomer is asked for a name before sitting down.
    guest.get_by_label("Name", exact=True).fill("Budi")
    guest.get_by_role("dialog").get_by_role("button", name="Sit down").click()
    expect(guest.get_by_role("group", name="Budi")).to_contain_text("you")
    expect(host.get_by_role("group", name="Budi")).to_be_visible()
    host.get_by_role("button", name=re.compile("^Bot: Strong")).first.click()
    host.get_by_role("button", name="Start", exact=True).click()
    for page in (host, guest):
        expect(page.locator(".hand-card")).to_have_count(10)
    hands = [{card.get_attribute("data-card") for card in page.locator(".hand-card").all()} for page in (host, guest)]
    assert not hands[0] & hands[1]

    # Talk, and whoever does not want to hear it.
    guest.get_by_role("button", name="Log and talk").click()
    guest.get_by_role("button", name="Hello!").click()
    guest.get_by_label("Your message").fill("<b>hi</b>")
    guest.get_by_role("button", name="Send").click()
    guest.keyboard.press("Escape")
    messages = host.locator(".messages")
    expect(messages).to_contain_text("Hello!")
    expect(messages).to_contain_text("<b>hi</b>")
    host.locator('[data-seat="1"]').click()
    host.get_by_role("button", name="Hide what Budi says").click()
    host.keyboard.press("Escape")
    expect(host.locator(".messages")).not_to_contain_text("Hello!")

    players = {0: Table(host, table), 1: Table(guest, table)}
    for page in (host, guest):
        settings(page, speed="off", forced=False)

    def play_until(cards: int) -> None:
        for _ in range(60):
            update = players[0].update
            if sum(update["view"]["hand_sizes"][:2]) <= cards or update["state"]["status"] != "playing":
                return
            acting = update["view"]["to_act"]
            if acting not in players:
                continue
            players[acting].my_turn()
            before = players[acting].page.locator(".hand-card").count()
            decide(players[acting])
            expect(players[acting].page.locator(".hand-card")).to_have_count(before - 1)
        raise AssertionError("nobody comes to the turn")

    play_until(16)
    guest.reload()
    expect(guest.locator(".hand-card")).to_have_count(len(players[1].update["view"]["hand"]))
    play_until(12)
    guest.context.set_offline(True)
    expect(guest.locator(".link-mark")).to_be_visible()
    # The others go on as far as they can, and see that somebody is away.
    for _ in range(3):
        if players[0].update["view"]["to_act"] == 0:
            decide(players[0])
            host.wait_for_timeout(300)
    expect(host.locator('[data-seat="1"]')).to_contain_text("away", timeout=40000)
    guest.context.set_offline(False)
    expect(guest.locator(".link-mark")).to_have_count(0, timeout=20000)
    expect(host.locator('[data-seat="1"]')).not_to_contain_text("away", timeout=20000)
    play_until(0)
    for page in (host, guest):
        expect(page.locator(".pause")).to_be_visible(timeout=15000)
    # Who is ready waits for the other by name.
    host.get_by_role("button", name="Next deal").click()
    expect(host.locator(".who-ready")).to_contain_text("Waiting for Budi.")
    guest.get_by_role("button", name="Next deal").click()
    for page in (host, guest):
        expect(page.locator(".hand-card")).to_have_count(10)


def test_leaving_and_coming_back(table_of: Open) -> None:
    table = table_of(LEADING)
    page = table.page
    table.button("Menu").click()
    page.get_by_role("button", name="Leave the table").click()
    page.get_by_role("dialog", name="Leave the table?").get_by_role("button", name="Leave", exact=True).click()
    expect(page).to_have_url(re.compile(r"/(\?.*)?$"))
    page.goto(f"/t/{table.id}")
    expect(page.locator(".notice.offer")).to_contain_text("A bot plays for you.")
    page.locator(".notice.offer").get_by_role("button", name="Take your seat back").click()
    expect(page.locator(".notice.offer")).to_have_count(0)
    assert table.update["state"]["seats"][0]["covered"] is False


def test_somebody_who_watches_sees_no_hand(table_of: Open, new_page: NewPage, axe: Axe) -> None:
    table = table_of(FOLLOWING)
    other = new_page(PHONE)
    other.goto(f"/t/{table.id}")
    expect(other.get_by_text("You are watching.")).to_be_visible()
    expect(other.locator(".trick-card")).to_have_count(1)
    expect(other.locator(".hand-card")).to_have_count(0)
    expect(other.locator(".seat")).to_have_count(4)
    assert axe(other) == []


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS, DESK])
def test_that_one_watches_covers_nothing(table_of: Open, new_page: NewPage, size: tuple[int, int]) -> None:
    table = table_of(FOLLOWING)
    other = new_page(size)
    other.goto(f"/t/{table.id}")
    told = other.get_by_text("You are watching.").bounding_box()
    assert told is not None
    for thing in (*other.locator(".seat").all(), other.locator(".prompt"), other.locator(".trick-card")):
        box = thing.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= told["y"] + 1


def test_what_is_asked_stands_on_a_line_of_its_own(table_of: Open) -> None:
    table = table_of(LEADING, PHONE, language="id")
    table.my_turn()
    prompt, name = table.page.locator(".prompt"), table.page.locator(".own-row .seat-name")
    name.evaluate("element => { element.textContent = 'Budi Santoso'; }")
    assert name.evaluate("element => element.scrollWidth <= element.clientWidth")
    assert prompt.evaluate("element => element.clientHeight < 2 * parseFloat(getComputedStyle(element).lineHeight)")


def test_a_bid_that_is_asked_has_the_focus(table_of: Open) -> None:
    table = table_of(CALABRESELLA)
    page = table.page
    expect(page.locator(".choice").first).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".call-suit button:not([data-may-not])").first).to_be_focused()
    assert table.sent == ["bid chiamo"]


def test_who_is_away_is_told_before_the_start(table_of: Open, new_page: NewPage, server: Any) -> None:
    page = new_page(PHONE)
    page.goto(f"{server.url}/about")
    become(page, "Rosa")
    bots = [{"kind": "bot", "level": "rules-of-thumb"}] * 2
    table = new_table(page, "bassadewitz", start=False, others=[{"kind": "open"}, *bots])
    page.goto("/")
    expect(page.get_by_text(re.compile("Rosa, free seat, "))).to_be_visible()
    page.goto(f"/t/{table}")
    expect(page.get_by_text("This address works on this computer only.")).to_be_visible()
    other = new_page(PHONE)
    other.goto(f"{server.url}/about")
    become(other, "Sita")
    other.goto(f"/t/{table}")
    other.get_by_role("button", name="Sit here").click()
    word = page.locator(".lobby-word [role=status]")
    expect(word).to_have_text("Everybody is here.")
    other.get_by_role("button", name="Log and talk").click()
    field = other.get_by_label("Your message")
    field.fill("https://" + "verylongword" * 12)
    field.press("Enter")
    expect(other.locator(".messages p")).to_have_count(1)
    expect(field).to_be_in_viewport(ratio=1)
    assert other.locator(".side-dialog .side-body").evaluate("box => box.scrollWidth <= box.clientWidth")
    other.close()
    expect(word).to_have_text("Not here yet: Sita.", timeout=30000)


def test_another_language_silences_the_one_before(table_of: Open) -> None:
    table = table_of(LEADING)
    page = table.page
    expect(page.locator("#say-turn")).to_have_text("It is your turn: play a card.")
    page.keyboard.press("s")
    expect(page.locator("#say-answer")).to_contain_text("Totals")
    page.get_by_role("button", name="Menu", exact=True).click()
    page.get_by_label("Bahasa Indonesia").check()
    for region in ("say-log", "say-answer", "say-turn"):
        expect(page.locator(f"#{region}")).to_have_text("")


def test_every_icon_is_drawn() -> None:
    app = Path(__file__).parents[2] / "src/meja/web/app"
    strokes = (app / "icons.mjs").read_text(encoding="utf-8").split("const STROKES")[1].split("};")[0]
    drawn = set(re.findall(r'^ {2}"?([\w-]+)"?:', strokes, re.MULTILINE))
    named = {
        name
        for file in app.rglob("*.mjs")
        for name in re.findall(r'\$\{Icon\} name="([\w-]+)"', file.read_text("utf-8"))
    }
    assert "replay" in named
    assert named <= drawn


def test_a_table_that_is_not_there(new_page: NewPage, allowed_errors: list[str], axe: Axe) -> None:
    allowed_errors.append("status of 404")
    page = new_page(PHONE)
    page.goto("/t/nosuchtable")
    expect(page.get_by_role("heading", name="This table cannot be opened")).to_be_visible()
    expect(page.get_by_role("link", name="Home")).to_be_visible()
    assert axe(page) == []


@pytest.mark.parametrize(("size", "theme"), [(PHONE, "dark"), (DESK, "light")])
def test_the_windows_of_the_table_are_accessible(
    table_of: Open, axe: Axe, scrolls_sideways: Sideways, size: tuple[int, int], theme: str
) -> None:
    table = table_of(SURE, size, theme=theme)
    page = table.page
    table.button("Take them").click()
    expect(page.locator(".pause")).to_be_visible()
    assert axe(page) == []
    for name in ("Scores", "Menu", "Log and talk"):
        if size == DESK and name == "Log and talk":
            continue
        table.button(name).click()
        expect(page.get_by_role("dialog", name=name)).to_be_visible()
        assert axe(page) == [], name
        assert not scrolls_sideways(page)
        page.keyboard.press("Escape")
    table.button("Menu").click()
    table.button("Report a problem").click()
    report = page.get_by_label("The report").input_value()
    assert json.loads(report)["table"] == table.id
    assert json.loads(report)["head"] == table.update["head"]
    assert axe(page) == []
    page.keyboard.press("Escape")
    page.locator(".felt-seat .seat, .seat").first.focus()


# -- what a newcomer met -------------------------------------------------------------


def test_the_keyboard_is_always_at_the_hand(table_of: Open) -> None:
    table = table_of(FOLLOWING)
    page = table.page
    focused = page.locator(".hand-card:focus")
    # Opening the table is enough, and the card that has the focus may be played.
    expect(page.locator(".hand-card[data-may]:focus")).to_have_count(1)
    for _ in range(3):
        table.my_turn()
        expect(page.locator(".hand-card[data-may]:focus")).to_have_count(1)
        card = focused.get_attribute("data-card")
        page.keyboard.press("Enter")
        expect(page.locator(f'.hand-card[data-card="{card}"]')).to_have_count(0)
    expect(focused).to_have_count(1)
    page.keyboard.press("Home")
    first = focused.get_attribute("data-card")
    page.keyboard.press("ArrowRight")
    assert focused.get_attribute("data-card") != first


def test_the_hand_takes_no_focus_from_a_field_or_a_window(table_of: Open) -> None:
    table = table_of(LEADING)
    page = table.page
    table.my_turn()
    page.get_by_role("button", name="Menu").click()
    inside = "document.querySelector('dialog[open]').contains(document.activeElement)"
    assert page.evaluate(inside)
    # What comes from the server draws the table anew.
    page.evaluate(
        """table => fetch(`/api/tables/${table}/commands`, {
          method: "POST", headers: {"Content-Type": "application/json"},
          body: JSON.stringify({key: "said-hello", expect: 0, command: {do: "chat", text: "Hello"}}),
        })""",
        table.id,
    )
    expect(page.locator(".messages")).to_contain_text("Hello")
    assert page.evaluate(inside)


#: When a finished trick is seen first, and what lies there when it is the own turn again.
LOOKED = """() => {
  window.looked = { winner: null, turn: null };
  const look = () => {
    const winners = document.querySelectorAll(".trick-card[data-winner]").length;
    const at = performance.now();
    if (winners) window.looked.winner ??= at;
    const played = window.looked.winner !== null;
    if (played && document.querySelector(".prompt[data-turn]")) {
      window.looked.turn ??= { at, winners, cards: document.querySelectorAll(".trick-card").length };
    }
    // Only what is painted can be seen.
    if (!window.looked.turn) requestAnimationFrame(look);
  };
  look();
}"""


def test_the_new_lead_is_shown_with_the_own_turn(table_of: Open) -> None:
    # The ace of the last seat takes the trick, so it leads again and the person is next.
    table = table_of(FOLLOWING)
    page = table.page
    table.my_turn()
    page.evaluate(LOOKED)
    page.keyboard.press("Enter")
    page.wait_for_function("() => window.looked.turn")
    looked = page.evaluate("looked")
    # The finished trick is seen, and nobody is asked about a trick that is not shown yet.
    assert looked["winner"] is not None
    assert looked["turn"]["winners"] == 0
    assert looked["turn"]["cards"] == 1
    # Much sooner than a trick lies there that nobody waits for.
    assert looked["turn"]["at"] - looked["winner"] < 1100


#: The cards of the trick whose rank and suit at the left top corner something else covers.
HIDDEN = """() => {
  document.querySelector(".middle").style.pointerEvents = "auto";
  const hidden = [];
  for (const card of document.querySelectorAll(".trick-card")) {
    const box = card.getBoundingClientRect();
    const turn = (parseFloat(card.style.getPropertyValue("--turn")) * Math.PI) / 180;
    const [width, height] = [card.offsetWidth, card.offsetHeight];
    for (const [along, down] of [[0.06, 0.05], [0.15, 0.05], [0.15, 0.16], [0.08, 0.24]]) {
      const [x, y] = [(along - 0.5) * width, (down - 0.5) * height];
      const hit = document.elementFromPoint(
        box.left + box.width / 2 + x * Math.cos(turn) - y * Math.sin(turn),
        box.top + box.height / 2 + x * Math.sin(turn) + y * Math.cos(turn),
      );
      if (!hit || !card.contains(hit)) hidden.push(`${along} ${down} of ${card.innerHTML.slice(0, 200)}`);
    }
  }
  return hidden;
}"""


@pytest.mark.parametrize("size", [DESK, TABLET, (390, 844), PHONE, SIDEWAYS])
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_corner_of_the_trick_is_to_be_seen(new_page: NewPage, size: tuple[int, int], seats: int) -> None:
    page = new_page(size)
    settings(page, trickWait="tap", forced=False)
    page.goto("/about")
    become(page, "Ana")
    table = Table(page, new_table(page, "bassadewitz", seats=seats)).open()
    for _ in range(3):
        table.my_turn()
        page.locator(".hand-card[data-may]").first.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".trick-card[data-winner]")).to_be_visible()
        expect(page.locator(".trick-card")).to_have_count(seats)
        hidden = page.evaluate(HIDDEN)
        for _ in range(100):
            if not hidden:
                break
            # The last card has to land first.
            page.wait_for_timeout(50)
            hidden = page.evaluate(HIDDEN)
        assert hidden == []
        page.mouse.click(size[0] / 2, 60)
        page.locator(".felt").dispatch_event("click")


def test_the_sheet_says_what_wins_as_the_rules_do(table_of: Open) -> None:
    table = table_of(SURE)
    table.button("Take them").click()
    aim = table.page.locator(".pause .aim")
    expect(aim).to_contain_text("After 8 deals the lowest total wins.")
    # The one with the penalties is the last, and its points are no gain.
    rows = table.page.locator(".sheet-table tbody tr:not(.reasons)")
    expect(rows.locator(".total")).to_have_text(["0", "4", "4", "4"])
    expect(rows.locator(".points[data-good]")).to_have_count(0)


def test_the_sheet_says_why_a_deal_is_void(table_of: Open) -> None:
    table = table_of(CALABRESELLA)
    table.button("Pass").click()
    expect(table.page.locator(".pause .sheet")).to_contain_text(
        "Everybody passed: the deal is void, and the next dealer deals."
    )


def test_a_waiting_start_says_why_and_a_guest_reads_what_the_host_chose(new_page: NewPage) -> None:
    host, guest = new_page(), new_page((390, 844))
    host.goto("/about")
    become(host, "Ana")
    table = new_table(host, "smear", others=[{"kind": "open"}, {"kind": "open"}], start=False)
    host.goto(f"/t/{table}")
    expect(host.get_by_role("button", name="Start")).to_have_accessible_description(re.compile("Free seats left"))
    link = host.get_by_label("Link of this table")
    assert link.evaluate("box => box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight")
    guest.goto(f"/t/{table}")
    expect(guest.locator(".host-settings")).to_contain_text("Others may watch: yes")
    expect(guest.locator(".host-settings input")).to_have_count(0)


def test_the_log_of_a_phone_opens_at_its_newest_line(table_of: Open) -> None:
    table = table_of(Scene(BASSADEWITZ, HANDS, dealer=2, actions=["3 play Ad"]), PHONE)
    page = table.page
    for _ in range(5):
        table.my_turn()
        page.locator(".hand-card[data-may]").first.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".prompt")).not_to_have_text("Sending …")
    table.my_turn()
    page.get_by_role("button", name=re.compile("^Log and talk")).click()
    lines = page.locator(".log-lines")
    assert lines.evaluate("box => box.scrollHeight > box.clientHeight")
    page.wait_for_timeout(200)
    assert lines.evaluate("box => box.scrollHeight - box.scrollTop - box.clientHeight < 4")
