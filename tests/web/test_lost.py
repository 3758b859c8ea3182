"""What was sent while the connection was lost: told at once, never doubled, and done when it can be."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.web.felt import BASSADEWITZ, FOLLOWING, HANDS, LEADING, PHONE, NewPage, Scene, Table, open_scene
from tests.web.proxy import Proxy


@pytest.fixture
def own(server: Any, tmp_path: Path) -> Iterator[Any]:
    """A server that the test may stop."""
    made = type(server)(tmp_path, "--bot-pace", "0", "--no-limits")
    yield made
    made.stop()


@pytest.fixture
def failing(new_page: NewPage, allowed_errors: list[str]) -> NewPage:
    """Pages whose network fails on purpose."""
    allowed_errors += ["net::", "Failed to load resource"]
    return new_page


@pytest.fixture
def proxy(server: Any) -> Iterator[Proxy]:
    """A proxy before the session's server."""
    made = Proxy(server.port)
    yield made
    made.close()


def unsent(page: Page) -> Locator:
    """The notice of what was not sent."""
    return page.locator(".notice.unsent")


def play(table: Table, card: str) -> float:
    """Tap a card twice; when it was sent."""
    table.tap(card)
    table.tap(card)
    return time.monotonic()


def acts(table: Table) -> list[dict[str, Any]]:
    """What the own seat has done according to the server."""
    told = table.page.evaluate(
        "table => fetch(`/api/tables/${table}/events?after=0&wait=0`).then((answer) => answer.json())", table.id
    )
    seat = told["state"]["me"]["seat"]
    return [step for step in told["steps"] if step["kind"] == "act" and step["seat"] == seat]


def is_back_in_the_hand(table: Table, card: str) -> None:
    """The card is not marked as sent any more, and it does not lie on the table."""
    expect(table.card(card)).to_be_visible()
    expect(table.card(card)).not_to_have_attribute("aria-busy", "true")
    expect(table.page.locator(".prompt")).not_to_contain_text("Sending")


def is_played_once(table: Table, card: str) -> None:
    """Here and on the server."""
    expect(table.card(card)).to_have_count(0, timeout=15000)
    expect(unsent(table.page)).to_have_count(0)
    expect(table.page.locator(".notice.late, .notice.refusal")).to_have_count(0)
    expect(table.page.locator(".prompt")).not_to_contain_text("Sending")
    [step] = acts(table)
    assert {"kind": "play", "seat": 0, "card": card}.items() <= step["events"][0].items()


def test_a_server_that_is_gone_is_told_at_once_and_hears_it_when_it_is_back(failing: NewPage, own: Any) -> None:
    table = open_scene(failing, own, LEADING, PHONE)
    table.my_turn()
    own.stop(hard=True)
    sent = play(table, "9c")
    expect(unsent(table.page)).to_contain_text("Not sent. The server does not answer.")
    assert time.monotonic() - sent < 4
    is_back_in_the_hand(table, "9c")
    own.again()
    is_played_once(table, "9c")
    assert len(table.keys) > 1
    assert len(set(table.keys)) == 1, "every try is the same command"


def test_a_server_that_goes_while_the_card_is_on_its_way(failing: NewPage, own: Any) -> None:
    table = open_scene(failing, own, FOLLOWING)
    table.my_turn()
    # Nobody reads from the connections any more, and then they break.
    own.process.send_signal(19)
    sent = play(table, "Jd")
    expect(table.card("Jd")).to_have_attribute("aria-busy", "true")
    expect(table.page.locator(".notice.late")).to_contain_text("Still trying", timeout=4500)
    assert time.monotonic() - sent > 2
    own.stop(hard=True)
    expect(unsent(table.page)).to_be_visible(timeout=4000)
    expect(table.page.locator(".notice.late")).to_have_count(0)
    is_back_in_the_hand(table, "Jd")
    own.again()
    is_played_once(table, "Jd")


def test_another_card_takes_the_place_of_the_one_that_waits(failing: NewPage, own: Any) -> None:
    table = open_scene(failing, own, LEADING)
    table.my_turn()
    own.stop(hard=True)
    play(table, "9c")
    expect(unsent(table.page)).to_be_visible()
    play(table, "As")
    expect(unsent(table.page)).to_be_visible()
    is_back_in_the_hand(table, "As")
    own.again()
    is_played_once(table, "As")
    expect(table.card("9c")).to_be_visible()


def test_what_waits_can_be_given_up(failing: NewPage, own: Any) -> None:
    table = open_scene(failing, own, LEADING)
    page = table.page
    table.my_turn()
    own.stop(hard=True)
    play(table, "9c")
    unsent(page).get_by_role("button", name="Do not send").click()
    expect(unsent(page)).to_have_count(0)
    own.again()
    expect(page.locator(".link-mark")).to_have_count(0, timeout=10000)
    page.wait_for_timeout(1500)
    assert acts(table) == []
    play(table, "As")
    is_played_once(table, "As")


@pytest.mark.parametrize("mode", ["mute", "hole"])
def test_a_network_that_swallows_everything_is_told_and_nothing_is_doubled(
    failing: NewPage, server: Any, proxy: Proxy, mode: str
) -> None:
    """``mute``: the card arrived, and only its answer was lost."""
    table = open_scene(failing, server, LEADING)
    page = table.page
    page.goto(f"{proxy.url}/t/{table.id}")
    table.my_turn()
    proxy.mode = mode
    proxy.silence()
    sent = play(table, "9c")
    expect(page.locator(".notice.late")).to_contain_text("Still trying", timeout=4500)
    assert time.monotonic() - sent > 2
    expect(unsent(page)).to_be_visible(timeout=7000)
    assert time.monotonic() - sent < 9
    is_back_in_the_hand(table, "9c")
    proxy.mode = "pass"
    page.evaluate("dispatchEvent(new Event('online'))")
    is_played_once(table, "9c")
    assert len(set(table.keys)) == 1


def test_while_the_table_is_heard_it_is_tried_again_without_a_word_of_failure(failing: NewPage, server: Any) -> None:
    table = open_scene(failing, server, LEADING)
    page = table.page
    table.my_turn()
    page.route("**/commands*", lambda route: route.abort())
    play(table, "9c")
    expect(page.locator(".notice.late")).to_have_text("No answer yet. Still trying …", timeout=4500)
    expect(table.card("9c")).to_have_attribute("aria-busy", "true")
    page.unroute("**/commands*")
    is_played_once(table, "9c")
    assert len(set(table.keys)) == 1


def test_a_card_that_plays_itself_is_sent_under_one_key_too(failing: NewPage, server: Any) -> None:
    def blocked(*size: Any, **options: Any) -> Page:
        page = failing(*size, **options)
        page.route("**/commands*", lambda route: route.abort())
        return page

    # A heart is led, and the person holds one.
    scene = Scene(BASSADEWITZ, HANDS, dealer=2, actions=["3 play 7h"])
    table = open_scene(blocked, server, scene, forced=True)
    expect(unsent(table.page)).to_be_visible(timeout=20000)
    # Longer than a card that plays itself is looked at.
    table.page.wait_for_timeout(1500)
    assert len(table.keys) >= 4
    assert len(set(table.keys)) == 1
    table.page.unroute("**/commands*")
    expect(table.card("Kh")).to_have_count(0, timeout=10000)
    assert len(acts(table)) == 1
