"""Who waits for whom: the clock, a bot for somebody who is away, and the call to one's turn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.web.felt import FOLLOWING, PHONE, NewPage, Table, become, new_table, open_scene, settings

#: Seconds for a decision of the quick clock here.
DECISION = 3


@pytest.fixture(scope="module")
def hasty(server: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A server whose people wait for each other a few seconds only."""
    times = {
        "DECISION": {"off": None, "relaxed": 60, "quick": DECISION},
        "LATENCY": 200,
        "GRACE": 300,
        "MAY_COVER": 400,
        "COUNTDOWN": 4000,
    }
    made = type(server)(tmp_path_factory.mktemp("hasty"), "--bot-pace", "0", "--no-limits", times=times)
    yield made
    made.stop()
    assert "Traceback" not in "".join(made.said), "".join(made.said)


# -- the clock ----------------------------------------------------------------------


def timed(page: Page, server: Any, clock: str) -> Table:
    """A table with a clock and bots; the person has come to the turn."""
    settings(page, speed="off", forced=False)
    page.goto(f"{server.url}/about")
    become(page, "Ana")
    table = Table(page, new_table(page, "bassadewitz", clock=clock), server.url).open()
    table.my_turn()
    return table


def test_the_clock_is_a_ring_that_runs_down_and_then_a_bot_decides(new_page: NewPage, hasty: Any) -> None:
    page = new_page()
    table = timed(page, hasty, "quick")
    ring = page.locator(".clock-ring")
    expect(ring).to_have_count(1)
    expect(page.locator('[data-seat="0"] .clock-ring')).to_be_visible()
    assert table.update["state"]["clock"]["mode"] == "quick"

    def left() -> float:
        return float((ring.locator(".left").get_attribute("stroke-dasharray") or "").split()[0])

    # The first decision may have begun while the page came: the next one begins here.
    first = page.locator(".hand-card[data-may]").first
    first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".hand-card")).to_have_count(7)
    table.my_turn()
    expect(page.locator(".clock-seconds")).to_have_text(str(DECISION))
    whole = left()
    assert whole > 60
    expect(page.locator(".clock-seconds")).to_have_text("1")
    assert left() < whole / 2
    # The little that is left is told by more than the length of the ring.
    expect(page.locator(".clock-ring[data-low]")).to_be_visible()
    assert len(table.update["view"]["hand"]) == 7
    # The time is up: a bot decides once, and the seat stays the person's.
    expect(page.locator(".hand-card")).to_have_count(6)
    assert table.sent == table.sent[:1]
    assert table.update["state"]["seats"][0]["covered"] is False
    table.my_turn()
    expect(page.locator(".clock-seconds")).to_have_text(str(DECISION))


def test_whoever_lets_the_time_run_out_again_and_again_is_covered_and_comes_back(new_page: NewPage, hasty: Any) -> None:
    page = new_page(PHONE)
    table = timed(page, hasty, "quick")
    offer = page.locator(".notice.offer")
    expect(offer).to_contain_text("A bot plays for you.", timeout=5 * DECISION * 1000)
    expect(page.locator('[data-seat="0"]')).to_contain_text("a bot plays")
    # Two decisions were made by the clock before it.
    assert len(table.update["view"]["hand"]) <= 6
    offer.get_by_role("button", name="Take your seat back").click()
    expect(offer).to_have_count(0)
    assert table.update["state"]["seats"][0]["covered"] is False


def test_without_a_clock_the_ring_says_only_whose_turn_it_is(new_page: NewPage, hasty: Any) -> None:
    page = new_page()
    timed(page, hasty, "off")
    expect(page.locator('[data-seat="0"] .clock-ring')).to_be_visible()
    expect(page.locator(".clock-seconds")).to_have_count(0)
    page.wait_for_timeout((DECISION + 1) * 1000)
    expect(page.locator(".hand-card")).to_have_count(8)
    expect(page.locator(".clock-ring .left")).to_have_attribute("stroke-dasharray", "100 100")


# -- somebody is away ---------------------------------------------------------------


@pytest.fixture
def two(new_page: NewPage, hasty: Any) -> tuple[Table, Table]:
    """Ana, who is to act after Budi or before him, Budi, and two bots; the cards are dealt."""
    host, guest = new_page(), new_page(PHONE)
    for page in (host, guest):
        settings(page, speed="off", forced=False)
        page.goto(f"{hasty.url}/about")
    become(host, "Ana")
    become(guest, "Budi")
    bots = [{"kind": "bot", "level": "rules-of-thumb"}] * 2
    table = new_table(host, "bassadewitz", others=[{"kind": "open"}, *bots], start=False)
    host.goto(f"{hasty.url}/t/{table}")
    guest.goto(f"{hasty.url}/t/{table}")
    guest.get_by_role("button", name="Sit here").click()
    host.get_by_role("button", name="Start", exact=True).click()
    for page in (host, guest):
        expect(page.locator(".hand-card")).to_have_count(8)
    return Table(host, table, hasty.url), Table(guest, table, hasty.url)


def test_a_bot_plays_for_somebody_who_is_away_until_they_are_back(two: tuple[Table, Table], hasty: Any) -> None:
    host, guest = two[0].page, two[1].page
    seat = host.locator('[data-seat="1"]')
    guest.goto(f"{hasty.url}/about")
    expect(seat).to_contain_text("away")
    notice = host.locator(".notice.offer").filter(has_text="Budi is away.")
    notice.get_by_role("button", name="Let a bot play").click()
    # Everybody sees when it begins, and it can be seen to come nearer.
    expect(notice).to_have_count(0)
    expect(seat).to_contain_text(re.compile(r"bot in [34] s"))
    expect(seat).to_contain_text(re.compile(r"bot in 1 s"))
    assert two[0].update["state"]["seats"][1]["covered"] is False
    expect(seat).to_contain_text("a bot plays")
    expect(host.locator(".log-lines")).to_contain_text("Budi")

    # The bot really plays: the trick to which Budi has to add a card comes to its end.
    for _ in range(2):
        if two[0].update["view"]["to_act"] == 0:
            two[0].my_turn()
            before = host.locator(".hand-card").count()
            host.locator(".hand-card[data-may]").first.focus()
            host.keyboard.press("Enter")
            expect(host.locator(".hand-card")).to_have_count(before - 1)
        two[0].my_turn()
    assert two[0].update["view"]["hand_sizes"][1] < 8

    guest.goto(f"{hasty.url}/t/{two[1].id}")
    offer = guest.locator(".notice.offer")
    expect(offer).to_contain_text("A bot plays for you.")
    offer.get_by_role("button", name="Take your seat back").click()
    expect(offer).to_have_count(0)
    expect(seat).not_to_contain_text("a bot plays")
    expect(seat).not_to_contain_text("away")
    assert two[0].update["state"]["seats"][1]["covered"] is False


def test_whoever_is_back_in_time_keeps_the_seat(two: tuple[Table, Table], hasty: Any) -> None:
    host, guest = two[0].page, two[1].page
    seat = host.locator('[data-seat="1"]')
    guest.goto(f"{hasty.url}/about")
    host.get_by_role("button", name="Let a bot play").click()
    expect(seat).to_contain_text("bot in")
    guest.goto(f"{hasty.url}/t/{two[1].id}")
    expect(guest.locator(".hand-card").first).to_be_visible()
    expect(seat).not_to_contain_text("bot in")
    host.wait_for_timeout(4500)
    assert two[0].update["state"]["seats"][1]["covered"] is False
    expect(guest.locator(".notice.offer")).to_have_count(0)


# -- "your turn" --------------------------------------------------------------------

#: A browser that notifies, and a window that can be looked away from.
WATCHED = """() => {
  window.told = [];
  window.Notification = class {
    static permission = "granted";
    static requestPermission() { return Promise.resolve("granted"); }
    constructor(title, options) {
      this.note = { title, ...options, closed: false };
      window.told.push(this.note);
    }
    close() { this.note.closed = true; }
  };
  let hidden = false;
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  window.lookAway = (away) => {
    hidden = away;
    document.dispatchEvent(new Event("visibilitychange"));
  };
}"""


def watched(new_page: NewPage, server: Any, **options: Any) -> Table:
    """A table that is looked at, with the person at the turn."""

    def opened(*size: Any, **more: Any) -> Page:
        page = new_page(*size, **more)
        page.add_init_script(f"({WATCHED})()")
        return page

    table = open_scene(opened, server, FOLLOWING, speed="off", **options)
    table.my_turn()
    return table


def next_turn(table: Table) -> None:
    """Play any card and come to the turn again."""
    before = table.page.locator(".hand-card").count()
    # A window that nobody looks at gets no clicks.
    table.page.evaluate("document.querySelector('.hand-card[data-may]').focus()")
    table.page.keyboard.press("Enter")
    expect(table.page.locator(".hand-card")).to_have_count(before - 1)
    table.my_turn()


def test_your_turn_is_notified_only_while_nobody_looks(new_page: NewPage, server: Any) -> None:
    table = watched(new_page, server, notify=True)
    page = table.page
    next_turn(table)
    assert page.evaluate("told") == [], "whoever looks at the table sees it"
    page.evaluate("lookAway(true)")
    next_turn(table)
    [note] = page.evaluate("told")
    assert note["title"] == "Your turn – Bassadewitz"
    assert note["body"] == page.locator(".prompt").inner_text()
    assert not note["closed"]
    # What has been done calls nobody any more; the next decision calls again, in the place of the one before.
    next_turn(table)
    first, second = page.evaluate("told")
    assert first["closed"]
    assert first["tag"] == second["tag"]
    page.evaluate("lookAway(false)")
    next_turn(table)
    assert len(page.evaluate("told")) == 2
    # The way back to other pages leaves no call behind.
    page.get_by_role("link", name="Home").click()
    expect(page).to_have_title(re.compile("^(?!●)"))
    assert all(note["closed"] for note in page.evaluate("told"))
    expect(page.locator('link[rel~="icon"]')).to_have_attribute("href", re.compile(r"icon\.svg"))


def test_nobody_is_notified_who_does_not_want_it(new_page: NewPage, server: Any) -> None:
    table = watched(new_page, server, notify=False)
    page = table.page
    page.evaluate("lookAway(true)")
    next_turn(table)
    assert page.evaluate("told") == []
    # The window says it all the same.
    expect(page).to_have_title("● Your turn – Bassadewitz")
    expect(page.locator('link[rel~="icon"]')).to_have_attribute("href", re.compile("icon-turn"))


def test_the_call_can_be_switched_on_and_off_while_playing(new_page: NewPage, server: Any) -> None:
    table = watched(new_page, server, notify=False)
    page = table.page
    wish = page.get_by_role("checkbox", name="Tell me when it is my turn and the page is hidden")
    for wanted, told in ((True, 1), (False, 1)):
        page.get_by_role("button", name="Menu").click()
        wish.set_checked(wanted)
        page.keyboard.press("Escape")
        page.evaluate("lookAway(true)")
        next_turn(table)
        page.evaluate("lookAway(false)")
        assert len(page.evaluate("told")) == told


def test_a_browser_that_notifies_in_another_way_only_shows_the_title(new_page: NewPage, server: Any) -> None:
    """Some phones throw at the very call."""
    table = watched(new_page, server, notify=True)
    page = table.page
    page.evaluate("""() => {
      window.Notification = class {
        static permission = "granted";
        constructor() { throw new TypeError("Illegal constructor."); }
      };
      lookAway(true);
    }""")
    next_turn(table)
    expect(page).to_have_title("● Your turn – Bassadewitz")


# -- sounds -------------------------------------------------------------------------

#: Counts what is made to sound.
HEARD = """() => {
  window.heard = 0;
  for (const make of ["createOscillator", "createBufferSource"]) {
    const before = AudioContext.prototype[make];
    AudioContext.prototype[make] = function () {
      window.heard += 1;
      return before.call(this);
    };
  }
}"""


@pytest.mark.parametrize("sound", [True, False])
def test_sounds_are_heard_or_not_as_chosen(new_page: NewPage, server: Any, sound: bool) -> None:
    def opened(*size: Any, **more: Any) -> Page:
        page = new_page(*size, **more)
        page.add_init_script(f"({HEARD})()")
        return page

    table = open_scene(opened, server, FOLLOWING, sound=sound)
    page = table.page
    table.my_turn()
    assert page.evaluate("heard") == 0, "browsers allow no sound before the first touch"
    next_turn(table)
    next_turn(table)
    assert (page.evaluate("heard") > 0) is sound
    # The other choice holds at once, without a reload.
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("checkbox", name=re.compile("sound", re.IGNORECASE)).set_checked(not sound)
    page.keyboard.press("Escape")
    page.wait_for_timeout(300)
    before = page.evaluate("heard")
    next_turn(table)
    next_turn(table)
    assert (page.evaluate("heard") > before) is not sound


def test_every_sound_can_be_made(page: Page) -> None:
    page.goto("/about")
    page.evaluate(f"({HEARD})()")
    page.evaluate(
        """async () => {
          const base = new URL(document.querySelector("script[type=module]").src).pathname.replace("app/main.mjs", "");
          window.sound = await import(base + "app/table/sound.mjs");
          window.sound.unlockSound();
        }"""
    )
    page.keyboard.press("Shift")
    page.mouse.click(5, 5)
    page.wait_for_timeout(200)
    for name in ("card", "trick", "deal", "bid", "turn", "score", "win", "refuse"):
        made = page.evaluate(
            """(name) => {
              const before = window.heard;
              window.sound.play(name);
              return window.heard - before;
            }""",
            name,
        )
        assert made > 0, name
