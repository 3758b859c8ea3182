"""The pages around the table, in a real browser against a real server."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, Request, Route, expect

PAGES = ["/", "/new/kaluki", "/new/calabresella", "/tables", "/mine", "/rules/smear", "/settings", "/recover", "/about"]
#: The widest and narrowest windows that the design names, and 320 px, which is 1280 px at 400 % zoom.
SIZES = [(320, 640), (360, 740), (820, 1180), (1440, 900)]

Axe = Callable[..., list[str]]
NewPage = Callable[..., Page]


def api(page: Page, path: str, body: Any = None) -> Any:
    """Ask the server as the person of the page."""
    url = f"{path}{'&' if '?' in path else '?'}lang=en"
    answer = page.request.get(url) if body is None else page.request.post(url, data=body)
    assert answer.ok, answer.text()
    return answer.json()


def listed_table(page: Page, name: str = "Ana") -> str:
    """A table with a free seat that everybody finds."""
    api(page, "/api/me", {"name": name})
    made = api(
        page,
        "/api/tables",
        {
            "key": f"{random.getrandbits(64):x}",
            "game": "kaluki",
            "seats": 3,
            "preset": "kalooki40",
            "options": {"target": 500},
            "me": 0,
            "others": [{"kind": "open"}, {"kind": "bot", "level": "rules-of-thumb"}],
            "clock": "relaxed",
            "watch": True,
            "listed": True,
            "chat": True,
            "start": False,
        },
    )
    return str(made["table"])


def ready(page: Page) -> None:
    """Wait until the page shows what it asked the server for."""
    expect(page.locator("main h1")).to_be_visible()
    page.wait_for_load_state("networkidle")


def table_of(page: Page) -> str:
    page.wait_for_url("**/t/*")
    return page.url.rpartition("/")[2]


def dealt(page: Page, table: str) -> Any:
    """The table once the cards are dealt."""
    until = time.monotonic() + 10
    while True:
        found = api(page, f"/api/tables/{table}")
        if found["view"] or time.monotonic() > until:
            return found
        page.wait_for_timeout(50)


# -- every page ----------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "id"])
def test_every_page_is_accessible_and_fits_every_window(
    new_page: NewPage,
    axe: Axe,
    scrolls_sideways: Callable[[Page], bool],
    language: str,
    theme: Literal["light", "dark"],
) -> None:
    page = new_page(language=language, theme=theme)
    listed_table(page, f"Ana {language} {theme}")
    for path in PAGES:
        page.goto(path)
        ready(page)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert not scrolls_sideways(page), f"{path} at {width} px"
        assert axe(page) == [], path
        if theme == "light":
            page.set_viewport_size({"width": 360, "height": 740})
            assert axe(page) == [], f"{path} at 360 px"
        assert page.locator("html").get_attribute("lang") == language
        assert page.locator("html").get_attribute("data-theme") == theme


@pytest.mark.parametrize("path", PAGES)
def test_whatever_can_be_pressed_is_large_enough(page: Page, path: str) -> None:
    listed_table(page, f"Ana {path}")
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(path)
    ready(page)
    small = page.evaluate(
        """() => [...document.querySelectorAll("a, button, input, select, summary")]
          // Links inside a sentence are excused (WCAG 2.5.8).
          .filter((one) => one.checkVisibility() && !(one.tagName === "A" && one.closest("p:not([class])")))
          .map((one) => [one.textContent.trim() || one.id, one.getBoundingClientRect()])
          .filter(([, box]) => box.width < 24 || box.height < 24)
          .map(([text, box]) => `${text}: ${Math.round(box.width)} x ${Math.round(box.height)}`)"""
    )
    assert small == []


def test_every_text_goes_through_the_catalogue(page: Page) -> None:
    # The pseudo-locale marks every text that did; what the server says, and names, are no texts of the app.
    listed_table(page, "Ana ⟦⟧")
    page.goto("/?lang=xx")
    for path in PAGES:
        page.goto(f"{path}?lang=xx")
        ready(page)
        texts: list[str] = page.evaluate(
            """() => {
              const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
              const found = [];
              for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                const inside = node.parentElement.closest(
                  "script, noscript, .book-text, .sections, .game-blurb, .lead, .warning, .help, .helps, .changed, " +
                  ".tabs, .brand, .facts, .options, .seat-chip.person, .seat-chip.bot, h1, h2, [lang], option");
                if (!inside && node.data.trim()) found.push(node.data.trim());
              }
              for (const name of ["aria-label", "title"])
                for (const one of document.querySelectorAll(`[${name}]`)) found.push(one.getAttribute(name));
              return found;
            }"""
        )
        said = json.dumps([api(page, "/api/games"), api(page, "/api/tables"), api(page, "/api/tables/mine")])
        bare = [text for text in texts if "⟦" not in text and text not in said and re.search(r"[A-Za-z]{2}", text)]
        assert bare == [], path
        assert any("⟦" in text for text in texts)


def test_a_link_moves_the_focus_to_the_heading_and_names_the_window(page: Page) -> None:
    page.goto("/")
    page.locator("footer").get_by_role("link", name="Settings").click()
    heading = page.get_by_role("heading", level=1, name="Settings")
    expect(heading).to_be_focused()
    expect(page).to_have_title("Settings · Meja")
    page.go_back()
    expect(page.get_by_role("heading", level=1, name="Four card games, one table")).to_be_visible()
    expect(page).to_have_title("Meja")


def test_an_address_without_a_page_says_so(page: Page) -> None:
    page.goto("/about")
    page.evaluate("history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))")
    expect(page.get_by_role("heading", level=1, name="There is no such page")).to_be_visible()
    page.get_by_role("link", name="To the games").click()
    expect(page.get_by_role("button", name="Play bots")).to_have_count(4)


# -- home ----------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["Bassadewitz", "Calabresella", "Kaluki", "Cutthroat Canadian Smear"])
def test_one_click_from_the_first_page_to_cards_in_the_hand(page: Page, game: str) -> None:
    page.goto("/")
    page.locator("li.game", has=page.get_by_role("heading", name=game)).get_by_role("button", name="Play bots").click()
    found = dealt(page, table_of(page))
    assert found["state"]["title"] == game
    assert [seat["kind"] for seat in found["state"]["seats"]].count("person") == 1
    assert "open" not in [seat["kind"] for seat in found["state"]["seats"]]
    assert found["view"]["hand"]


@pytest.mark.parametrize(("language", "button", "name"), [("en", "Play bots", "Guest"), ("id", "Lawan bot", "Tamu")])
def test_nobody_is_asked_for_a_name_before_the_first_card(
    new_page: NewPage, language: str, button: str, name: str
) -> None:
    page = new_page(language=language)
    page.goto("/")
    assert api(page, "/api/me")["person"] is None
    page.get_by_role("button", name=button).last.click()
    table_of(page)
    assert api(page, "/api/me")["person"]["name"] == name


def test_two_quick_clicks_make_one_table(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play bots").last.dblclick()
    table_of(page)
    assert len(api(page, "/api/tables/mine")["tables"]) == 1


def test_a_lost_answer_makes_no_second_table(page: Page, allowed_errors: list[str]) -> None:
    allowed_errors.append(r"net::ERR_FAILED")
    keys: list[str] = []

    def lose_the_first(route: Route) -> None:
        keys.append(json.loads(route.request.post_data or "{}")["key"])
        if len(keys) == 1:
            route.fetch()  # It reaches the server; its answer does not come back.
            route.abort()
        else:
            route.continue_()

    page.route(re.compile(r"/api/tables\?"), lose_the_first)
    page.goto("/")
    page.get_by_role("button", name="Play bots").last.click()
    table_of(page)
    assert len(keys) == 2
    assert keys[0] == keys[1]
    assert len(api(page, "/api/tables/mine")["tables"]) == 1


def test_inviting_friends_asks_for_a_name_and_keeps_the_seats_free(page: Page) -> None:
    page.goto("/")
    button = page.get_by_role("button", name="Invite friends").last
    button.click()
    dialog = page.get_by_role("dialog", name="Your name")
    expect(dialog.get_by_label("Name", exact=True)).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(button).to_be_focused()
    assert api(page, "/api/me")["person"] is None, "nothing happens without a name"

    button.click()
    dialog.get_by_role("button", name="Open the table").click()
    expect(dialog.get_by_role("alert")).to_have_text("Please type a name.")
    dialog.get_by_label("Name", exact=True).fill("  Dewi ")
    page.keyboard.press("Enter")
    found = api(page, f"/api/tables/{table_of(page)}")
    assert found["state"]["status"] == "open"
    assert [seat["kind"] for seat in found["state"]["seats"]] == ["person", "open", "open"]
    assert found["state"]["seats"][0]["name"] == "Dewi"
    assert found["state"]["settings"]["listed"] is False, "only friends with the link find it"


def test_unfinished_games_stand_above_the_others(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", name="Your games")).to_have_count(0)
    page.get_by_role("button", name="Play bots").last.click()
    table = table_of(page)
    page.goto("/")
    section = page.get_by_role("region", name="Your games")
    expect(section.get_by_role("link", name="Cutthroat Canadian Smear")).to_have_attribute("href", f"/t/{table}")
    above = section.bounding_box()
    games = page.locator("ul.games").bounding_box()
    assert above is not None
    assert games is not None
    assert above["y"] < games["y"]


def test_the_first_page_is_small(page: Page) -> None:
    sent: dict[str, int] = {}

    def count(request: Request) -> None:
        # The pictures of the cards are counted by themselves, and the table is fetched after the page stands.
        path = re.sub(r"^.*/a/\w+/", "", request.url)
        if not re.search(r"cards/|icons/|app/table/|app/kaluki/|style/(table|kaluki)|/api/", path):
            sent[path] = max(0, request.sizes()["responseBodySize"])

    page.on("requestfinished", count)
    page.goto("/")
    ready(page)
    assert "app/main.mjs" in sent
    assert sum(sent.values()) < 60_000, sent


def test_the_first_page_asks_no_other_host(page: Page, server_url: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/")
    ready(page)
    assert asked
    assert [url for url in asked if not url.startswith((server_url, "data:"))] == []


def test_the_first_page_says_that_nothing_is_for_sale(new_page: NewPage) -> None:
    for language, text in (("en", "nothing is for sale"), ("id", "tidak ada yang dijual")):
        page = new_page(language=language)
        page.goto("/")
        expect(page.get_by_role("contentinfo")).to_contain_text(text)


def test_a_server_that_does_not_answer_is_said_and_asked_again(page: Page, allowed_errors: list[str]) -> None:
    allowed_errors.append(r"net::ERR_FAILED")
    page.route("**/api/games?*", lambda route: route.abort())
    page.goto("/")
    expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached.")
    page.unroute("**/api/games?*")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Play bots").first).to_be_enabled()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_refusal_of_the_server_is_shown_in_its_words(page: Page, allowed_errors: list[str]) -> None:
    allowed_errors.append("429")
    page.route(
        re.compile(r"/api/tables\?"),
        lambda route: route.fulfill(
            status=429,
            headers={"Retry-After": "60"},
            json={"error": {"code": "too-many", "text": "That was too quick.", "rule": None, "head": None}},
        ),
    )
    page.goto("/")
    page.get_by_role("button", name="Play bots").last.click()
    expect(page.locator(".toasts")).to_contain_text("That was too quick.")
    expect(page.get_by_role("button", name="Play bots").last).to_be_enabled()


# -- language, theme, settings --------------------------------------------------------


def test_the_language_is_the_browsers_until_one_is_chosen_and_then_stays(new_page: NewPage) -> None:
    page = new_page(language="id")
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Empat permainan kartu, satu meja")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Four card games, one table")
    # What the server says comes in the language too.
    expect(page.locator("li.game").last).to_contain_text("Bid for High, Low, Jack and Game")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Four card games, one table")
    assert page.locator("html").get_attribute("lang") == "en"


def test_the_theme_is_the_devices_until_one_is_chosen_and_then_stays(new_page: NewPage) -> None:
    page = new_page(theme="dark")
    page.goto("/")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Theme: as the device").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != dark
    page.reload()
    expect(page.get_by_role("button", name="Theme: light")).to_be_visible()
    # Set before anything is painted: when the body begins, it is there.
    page.add_init_script(
        "new MutationObserver((_, seen) => { if (document.body) {"
        " window.early = document.documentElement.dataset.theme; seen.disconnect(); } })"
        ".observe(document, {childList: true, subtree: true})"
    )
    page.reload()
    assert page.evaluate("window.early") == "light"


def test_settings_are_kept_and_reach_the_other_windows(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/settings")
    other = new_page(context=page.context)
    other.goto("/settings")
    page.get_by_label("Four colours").check()
    page.get_by_label("Slow").check()
    page.get_by_role("switch", name="Sounds").uncheck()
    for window in (page, other):
        expect(window.get_by_label("Four colours")).to_be_checked()
        expect(window.get_by_label("Slow")).to_be_checked()
        expect(window.get_by_role("switch", name="Sounds")).not_to_be_checked()
    page.reload()
    expect(page.get_by_label("Four colours")).to_be_checked()
    expect(page.get_by_role("switch", name="Sounds")).not_to_be_checked()
    expect(page.get_by_role("switch", name="Cards without a choice play themselves")).to_be_checked()


def test_a_browser_that_blocks_storage_still_works(new_page: NewPage) -> None:
    page = new_page()
    page.add_init_script(
        "for (const name of ['getItem', 'setItem', 'removeItem'])"
        " Storage.prototype[name] = () => { throw new DOMException('blocked', 'SecurityError'); };"
    )
    page.goto("/settings")
    page.get_by_label("Dark").check()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.locator("footer").get_by_role("link", name="About Meja").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_new_build_is_offered_not_forced(page: Page) -> None:
    def older(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "build": "another"})

    page.route("**/api/me?*", older)
    page.goto("/")
    bar = page.get_by_text("There is a new version of Meja.")
    expect(bar).to_be_visible()
    page.unroute("**/api/me?*")
    page.get_by_role("button", name="Load it").click()
    expect(page.get_by_role("button", name="Play bots").first).to_be_enabled()
    expect(bar).to_have_count(0)


# -- new table -------------------------------------------------------------------------


def test_a_table_starts_with_one_click_from_the_form(page: Page) -> None:
    page.goto("/new/smear")
    page.get_by_role("button", name="Start").click()
    assert api(page, f"/api/tables/{table_of(page)}")["state"]["changed"] == []


def test_the_form_makes_the_table_that_it_shows(page: Page) -> None:
    api(page, "/api/me", {"name": "Ana"})
    page.goto("/new/kaluki")
    page.get_by_role("group", name="Players").get_by_label("4").check()
    page.get_by_label("Kalooki 40").check()
    page.get_by_label("Seat 2").select_option("Free for a friend")
    page.get_by_label("Seat 3").select_option("Me")
    page.get_by_text("House rules", exact=True).click()
    option = page.locator(".option", has_text="Points to win")
    option.get_by_label("500").check()
    page.get_by_label("Relaxed").check()
    page.get_by_role("switch", name="Others may watch").uncheck()
    page.get_by_role("switch", name="Show it in the list of open tables").check()
    page.get_by_role("switch", name="Chat in own words").uncheck()
    expect(page.locator(".house-rules .changed")).to_contain_text("500")
    page.get_by_role("button", name="Open the table").click()
    state = api(page, f"/api/tables/{table_of(page)}")["state"]
    assert state["rules"] == {"preset": "kalooki40", "target": 500}
    # The bot that was on the third seat has moved to the first, where the host sat.
    assert [seat["kind"] for seat in state["seats"]] == ["bot", "open", "person", "bot"]
    assert state["me"]["seat"] == 2
    assert state["clock"]["mode"] == "relaxed"
    assert state["settings"] == {"watch": False, "listed": True, "chat": False}


def test_every_option_has_its_help_and_its_rule(page: Page) -> None:
    page.goto("/new/kaluki")
    page.get_by_text("House rules", exact=True).click()
    form = api(page, "/api/rules", {"game": "kaluki", "seats": 2, "preset": "standard", "options": {}})
    assert len(form["options"]) > 10
    for option in form["options"]:
        shown = page.locator(".option", has_text=option["help"])
        expect(shown).to_contain_text(option["title"])
        link = shown.get_by_role("link", name=f"Rule {option['rule']} in a new window")
        assert (link.get_attribute("href") or "").endswith(f"#{option['rule']}")


def test_the_rules_behind_an_option_are_those_of_the_form(page: Page) -> None:
    page.goto("/new/smear")
    page.get_by_text("House rules", exact=True).click()
    option = page.locator(".option", has_text="Lowest bid")
    option.get_by_label("1", exact=True).check()
    expect(page.locator(".house-rules .changed")).to_be_visible()
    with page.context.expect_page() as opened:
        option.get_by_role("link").click()
    rules = opened.value
    expect(rules.get_by_text("These are the rules with these house rules:")).to_be_visible()
    sought = rules.locator(".sought")
    expect(sought).to_be_focused()
    expect(rules.locator("[id='S3.2']")).to_contain_text("a number from 1 to 4")
    rules.close()


def test_a_contradiction_is_explained_and_can_be_taken_back(page: Page, allowed_errors: list[str]) -> None:
    allowed_errors.append("422")
    page.goto("/new/bassadewitz?" + 'rules={"preset":"standard","deals":8}')
    expect(page.get_by_role("button", name="Start")).to_be_enabled()
    page.get_by_role("group", name="Players").get_by_label(
        "3"
    ).check()  # Eight deals are not a multiple of three players.
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("8")
    expect(page.get_by_role("button", name="Start")).to_be_disabled()
    alert.get_by_role("button", name="Take the last change back").click()
    expect(alert).to_have_count(0)
    expect(page.get_by_role("group", name="Players").get_by_label("4")).to_be_checked()
    expect(page.get_by_role("button", name="Start")).to_be_enabled()


def test_four_at_calabresella_need_no_knowledge_of_its_options(page: Page) -> None:
    page.goto("/new/calabresella")
    page.get_by_role("group", name="Players").get_by_label("4").check()
    page.get_by_role("button", name="Start").click()
    state = api(page, f"/api/tables/{table_of(page)}")["state"]
    assert len(state["seats"]) == 4
    assert state["rules"]["dealer_sits_out"] is True


def test_a_warning_of_the_rules_is_shown(page: Page) -> None:
    page.goto("/new/calabresella?" + 'rules={"preset":"standard","target":51}')
    expect(page.locator(".note.warning")).to_contain_text("very many deals")
    expect(page.get_by_role("button", name="Start")).to_be_enabled()


def test_the_form_survives_a_reload_and_offers_the_last_house_rules(page: Page) -> None:
    page.goto("/new/smear")
    players = page.get_by_role("group", name="Players")
    players.get_by_label("2").check()
    page.reload()
    expect(players.get_by_label("2")).to_be_checked()
    page.get_by_role("button", name="Start").click()
    table_of(page)
    page.goto("/new/smear")
    expect(players.get_by_label("3")).to_be_checked()
    page.get_by_role("button", name="The house rules of my last table").click()
    expect(players.get_by_label("2")).to_be_checked()


# -- tables, rules, people --------------------------------------------------------------


def test_a_listed_table_is_found_by_others(new_page: NewPage) -> None:
    host = new_page()
    table = listed_table(host, "Citra")
    page = new_page()
    page.goto("/tables")
    row = page.locator("li.listed", has=page.get_by_role("heading", name="Kaluki with Citra"))
    expect(row).to_contain_text("1 free seat")
    expect(row).to_contain_text("500")
    expect(row.get_by_role("link", name="Sit down")).to_have_attribute("href", f"/t/{table}")


def test_the_rules_open_at_the_number_in_the_address(page: Page) -> None:
    page.goto("/rules/smear#S4.2")
    rule = page.locator("[id='S4.2']")
    expect(rule).to_be_focused()
    expect(rule).to_be_in_viewport()


def test_the_search_shows_only_rules_with_the_words(page: Page) -> None:
    page.goto("/rules/smear")
    box = page.get_by_label("Search the rules")
    box.fill("higher bid")
    shown = page.locator(".book-text > p:visible")
    expect(page.get_by_role("status").filter(has_text="rule")).to_be_visible()
    texts = shown.all_inner_texts()
    assert texts
    assert all("higher" in text.lower() and "bid" in text.lower() for text in texts)
    box.fill("zzz")
    expect(page.get_by_text("Nothing found.")).to_be_visible()
    expect(shown).to_have_count(0)
    box.fill("")
    expect(page.locator("[id='S1.1']")).to_be_visible()


def test_a_recovery_code_moves_the_person_to_another_browser(new_page: NewPage) -> None:
    first = new_page()
    listed_table(first, "Made")
    me = api(first, "/api/me")["person"]
    first.goto("/settings")
    first.get_by_role("button", name="Play on another device").click()
    dialog = first.get_by_role("dialog", name="Play on another device")
    dialog.get_by_role("button", name="Make a code").click()
    code = dialog.get_by_label("Your code").inner_text()

    second = new_page()
    second.goto(f"/recover#{code}")
    # Opening a link must not make a browser somebody else by itself.
    assert api(second, "/api/me")["person"] is None
    second.get_by_role("button", name="Use the code").click()
    expect(second.get_by_role("heading", level=1)).to_have_text("Welcome back, Made")
    assert api(second, "/api/me")["person"] == me
    assert code not in second.url
    second.locator("main").get_by_role("link", name="My games").click()
    expect(second.get_by_role("link", name="Kaluki")).to_be_visible()


def test_a_wrong_recovery_code_is_refused_beside_the_field(page: Page, allowed_errors: list[str]) -> None:
    allowed_errors.append("40[0-9]|422")
    page.goto("/recover")
    page.get_by_label("Recovery code").fill("AAAA-BBBB-CCCC")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_label("Recovery code")).to_have_attribute("aria-invalid", "true")


def test_forgetting_asks_first(page: Page) -> None:
    api(page, "/api/me", {"name": "Eka"})
    page.goto("/settings")
    page.get_by_role("button", name="Forget me here").click()
    dialog = page.get_by_role("dialog", name="Forget me here?")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Enter")
    assert api(page, "/api/me")["person"]["name"] == "Eka"
    page.get_by_role("button", name="Forget me here").click()
    dialog.get_by_role("button", name="Forget me", exact=True).click()
    expect(page.get_by_role("button", name="Choose a name")).to_be_visible()
    assert api(page, "/api/me")["person"] is None


def test_the_name_can_be_changed_from_every_page(page: Page) -> None:
    page.goto("/rules/kaluki")
    page.get_by_role("button", name="Your name").click()
    page.get_by_label("Name", exact=True).fill("Gede")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Your name: Gede")).to_be_visible()
    assert api(page, "/api/me")["person"]["name"] == "Gede"


def test_the_self_check_finds_that_everything_works(page: Page) -> None:
    listed_table(page, "Hadi")
    page.goto("/about")
    page.get_by_role("button", name="Check now").click()
    expect(page.get_by_text("Everything works.")).to_be_visible(timeout=15000)
    expect(page.locator(".findings")).to_contain_text("They come as they happen")


def test_the_self_check_finds_a_stream_that_is_held_back(page: Page, allowed_errors: list[str]) -> None:
    allowed_errors.append("net::")
    listed_table(page, "Indah")
    page.route("**/api/stream?*", lambda route: None)  # Never answered.
    page.goto("/about")
    page.get_by_role("button", name="Check now").click()
    expect(page.get_by_text("Something is in the way; see below.")).to_be_visible(timeout=15000)
    expect(page.locator(".findings .bad")).to_contain_text("The network holds them back.")


def test_everything_can_be_reached_by_keyboard(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    ready(page)
    reached: set[str] = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                """() => {
                  const one = document.activeElement;
                  const style = getComputedStyle(one);
                  const seen = style.outlineStyle !== "none" || one === document.body;
                  return seen ? one.textContent.trim() : "no outline: " + one.outerHTML;
                }"""
            )
        )
    assert not [one for one in reached if one.startswith("no outline")]
    assert {"Play bots", "Invite friends", "Table and house rules", "Rules", "Settings", "Indonesia"} <= reached
