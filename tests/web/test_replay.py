"""The replay of matches and the check of their shuffles, in a real browser."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from meja.bots import Budget, make_bot
from meja.cards import cards_text
from meja.games import game, games, new_match
from meja.match import Match
from meja.record import Record, loads
from meja.table import log
from meja.table.fair import VERSION, FairRng, check_record, commit, shuffled_pack
from meja.table.store import append

DESK = (1440, 900)
TABLET = (820, 1180)
PHONE = (360, 740)
SIZES = [DESK, TABLET, PHONE]
PLAYERS = ("Ana", "bot:Budi", "bot:Citra", "bot:Dewi", "bot:Eka")

NewPage = Callable[..., Page]
Axe = Callable[..., list[str]]
Document = dict[str, Any]

#: Every game with each of its numbers of seats.
TABLES = [(name, seats) for name in games() for seats in game(name).rules.seat_numbers]
#: A short match of each game.
SHORT: Mapping[str, Mapping[str, Any]] = {
    "bassadewitz": {"deals": 4},
    "calabresella": {"deals": 3},
    "kaluki": {"target": 100},
    "smear": {},
}


SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}


def seed(number: int) -> bytes:
    """A seed of the server; tests need no secrets."""
    return bytes([number]) * 32


@cache
def played(
    name: str, seats: int, preset: str = "standard", table: str = "tabletest", options: str = "", most: int = 60
) -> str:
    """The record of a match by bots, shuffled as the table does it; ``options`` are JSON, ``most`` the deals played."""
    given = json.loads(options) if options else dict(SHORT[name]) if preset == "standard" else {}
    if name == "calabresella" and seats == 4:
        given |= {"dealer_sits_out": True, "deals": 4}
    if name == "bassadewitz":
        given |= {"deals": seats}
    rules = game(name).rules.make(seats, preset, **given)
    match: Match = new_match(rules, dealer=0, players=list(PLAYERS[:seats]))
    bot = make_bot("rules-of-thumb", name)
    shuffles = []
    for number in range(1, most + 1):
        if match.over:
            break
        # One browser gave its part, in every other deal two.
        given_seeds = {0: f"{number:02x}" * 32} | ({1: "ab" * 32} if number % 2 else {})
        match.next_deal(FairRng(seed(number), given_seeds, table, number))
        for turn in range(4000):
            if match.to_act is None:
                break
            match.apply(bot.act(match.view(match.to_act), Budget(seed=turn, seconds=1)))
        shuffles.append(
            {
                "deal": number,
                "commit": commit(seed(number), table, number),
                "server_seed": seed(number).hex(),
                "client_seeds": {str(seat): given for seat, given in given_seeds.items()},
            }
        )
    record = Record.of_match(match, fairness={"version": VERSION, "table": table, "deals": shuffles})
    return json.dumps(record.to_dict())


def document(name: str, seats: int, **options: Any) -> Document:
    """The record as JSON values, to be changed at will."""
    found: Document = json.loads(played(name, seats, **options))
    return found


def spoken(card: str) -> str:
    """The name of a card as English screen readers say it."""
    rank = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"}.get(card[0], card[0])
    return f"{rank} of {SUITS[card[1]]}"


def open_file(page: Page, text: str, name: str = "match.meja") -> None:
    """Choose a file on the page."""
    page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "application/json", "buffer": text.encode()}
    )


def replay(page: Page, text: str) -> None:
    """Open a record on the page of replays."""
    page.goto("/replay")
    open_file(page, text)
    expect(page.locator(".replay")).to_be_visible()


def store_match(database: Path, table: str, person: str, text: str) -> None:
    """Write a finished match into the store of a server, as that would have done."""
    found = loads(text)
    rules = found.rules
    shuffles = json.loads(text)["fairness"]["deals"]
    seats = [log.SeatSetup("person", "Ana", person)]
    seats += [log.SeatSetup("bot", name.removeprefix("bot:"), level="rules-of-thumb") for name in found.players[1:]]
    entries: list[log.AnyEntry] = [
        log.Created(found.game, rules.to_dict(), rules.version, seats, person, "off", True, False, True),
        log.Started(found.deals[0].dealer),
    ]
    made = game(found.game).deal
    for number, (deal, shuffle) in enumerate(zip(found.deals, shuffles, strict=True), 1):
        given = {int(seat): text for seat, text in shuffle["client_seeds"].items()}
        cards, _ = shuffled_pack(made.pack(rules), seed(number), given, table, number)
        entries.append(log.Committed(number, commit(seed(number), table, number), seed(number).hex()))
        entries += [log.Readied(seat, text) for seat, text in given.items() if seat == 0]
        entries.append(log.Dealt(number, VERSION, cards_text(cards), shuffle["client_seeds"]))
        entries += [log.Acted(seat, action) for seat, action in deal.actions]
    now = int(time.time() * 1000)
    rows = [log.Row(seq, entry, "test", f"key-{seq}", now) for seq, entry in enumerate(entries, 1)]
    with closing(sqlite3.connect(database)) as connection:
        append(table, rows, [person])(connection)
        connection.commit()


# -- the replay ---------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_match_of_every_game_is_replayed_to_its_end(page: Page, name: str, seats: int) -> None:
    text = played(name, seats)
    found = json.loads(text)
    deal = found["deals"][0]
    replay(page, text)
    moves = page.locator(".replay-moves button")
    expect(moves).to_have_count(len(deal["actions"]) + 1)
    # At first every hand lies open, as it was dealt.
    names = [player.removeprefix("bot:") for player in found["players"]]
    for player, hand in zip(names, deal["hands"], strict=True):
        seat = page.locator(f".replay-seat[aria-label={player}]")
        expect(seat.locator(".replay-card")).to_have_count(len(hand.split()))
    page.keyboard.press("End")
    expect(moves.last).to_have_attribute("aria-current", "step")
    # The score of the deal, as the record has it.
    if "score" in deal:
        for player, points in zip(names, deal["score"], strict=True):
            row = page.locator(".replay-sheet tbody tr").filter(has=page.get_by_text(player, exact=True))
            expect(row.locator(".points")).to_have_text(
                f"+{points}" if points > 0 else f"−{-points}" if points else "0"
            )
    else:
        expect(page.locator(".replay-sheet")).to_contain_text("This deal is void")


def test_the_hands_are_those_of_the_record(page: Page) -> None:
    found = document("smear", 3)
    replay(page, json.dumps(found))
    for player, hand in zip(("Ana", "Budi", "Citra"), found["deals"][0]["hands"], strict=True):
        shown = page.locator(f".replay-seat[aria-label={player}] .replay-hand").get_attribute("aria-label") or ""
        assert set(re.split(r", and |, | and ", shown)) == {spoken(card) for card in hand.split()}


def test_steps_are_gone_by_buttons_keys_slider_and_list(page: Page) -> None:
    replay(page, played("smear", 3))
    now = page.locator(".replay-moves button[aria-current=step]")
    moves = page.locator(".replay-moves button")
    first, second, fourth = (moves.nth(number).inner_text() for number in (0, 1, 3))
    expect(now).to_have_text(first, use_inner_text=True)
    page.get_by_role("button", name="One step on").click()
    expect(now).to_have_text(second, use_inner_text=True)
    # The words of the step are told, for those who do not see the list.
    expect(page.locator(".replay-now")).to_have_text(second.replace("\n", " "))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(now).to_have_text(fourth, use_inner_text=True)
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="One step back").click()
    expect(now).to_have_text(second, use_inner_text=True)
    moves.nth(3).click()
    expect(now).to_have_text(fourth, use_inner_text=True)
    page.get_by_role("slider", name="Step").fill("1")
    expect(now).to_have_text(second, use_inner_text=True)
    page.get_by_role("button", name="Last step").click()
    expect(moves.last).to_have_attribute("aria-current", "step")
    page.get_by_role("button", name="First step").click()
    expect(now).to_have_text(first, use_inner_text=True)


def test_it_plays_by_itself_and_goes_on_to_the_next_deal(page: Page) -> None:
    replay(page, played("smear", 3))
    page.get_by_label("Speed").select_option("4")
    page.keyboard.press("End")
    page.keyboard.press("Space")
    expect(page.locator(".replay-deals select")).to_have_value("2", timeout=15_000)
    # Each step is there for a moment only: what counts is that it goes on.
    page.wait_for_function(
        "() => [...document.querySelectorAll('.replay-moves button')]"
        ".findIndex((button) => button.getAttribute('aria-current') === 'step') >= 2",
        timeout=15_000,
    )
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_deal_is_chosen(page: Page) -> None:
    found = document("smear", 3)
    replay(page, json.dumps(found))
    page.get_by_role("button", name="Deal after").click()
    expect(page.locator(".replay-moves button")).to_have_count(len(found["deals"][1]["actions"]) + 1)
    page.keyboard.press("PageUp")
    expect(page.locator(".replay-moves button")).to_have_count(len(found["deals"][0]["actions"]) + 1)


def test_a_trick_that_is_complete_stays_for_its_step(page: Page) -> None:
    found = document("bassadewitz", 4)
    replay(page, json.dumps(found))
    page.locator(".replay-moves button").nth(4).click()
    trick = page.locator(".replay-played")
    assert sorted(str(card.get_attribute("aria-label")) for card in trick.locator("svg").all()) == sorted(
        spoken(action.split()[2]) for action in found["deals"][0]["actions"][:4]
    )
    expect(page.locator(".replay-played[data-wins]")).to_have_count(1)


def test_the_monte_is_shown(page: Page) -> None:
    found = document("calabresella", 3)
    replay(page, json.dumps(found))
    monte = page.locator(".replay-monte svg")
    assert {card.get_attribute("aria-label") for card in monte.all()} == {
        spoken(card) for card in found["deals"][0]["monte"].split()
    }


def test_the_melds_of_kaluki_grow(page: Page) -> None:
    found = document("kaluki", 3)
    replay(page, json.dumps(found))
    first = next(index for index, action in enumerate(found["deals"][0]["actions"]) if action.split()[1] == "meld")
    page.locator(".replay-moves button").nth(first).click()
    expect(page.locator(".kaluki-meld")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".kaluki-meld")).to_have_count(1)
    expect(page.locator(".replay-now")).to_contain_text("meld 1: ")
    expect(page.locator(".kaluki-meld-foot")).to_contain_text("Meld 1")
    # People count from 1, and records from 0.
    expect(page.locator(".replay-moves")).not_to_contain_text(re.compile(r"\bm[0-9]\b"))


def test_a_record_is_pasted(page: Page) -> None:
    page.goto("/replay")
    page.get_by_label("Or paste a record").fill(played("smear", 2))
    page.get_by_role("button", name="Open the record").click()
    expect(page.locator(".replay")).to_be_visible()


def test_a_record_is_dropped_on_the_page(page: Page) -> None:
    page.goto("/replay")
    expect(page.locator(".record-open")).to_be_visible()
    page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.items.add(new File([text], "match.meja"));
          for (const kind of ["dragover", "drop"]) {
            document.body.dispatchEvent(new DragEvent(kind, {dataTransfer: data, bubbles: true, cancelable: true}));
          }
        }""",
        played("smear", 2),
    )
    expect(page.locator(".replay")).to_be_visible()


def test_a_collection_offers_its_matches(page: Page) -> None:
    replay(page, "\n".join([played("smear", 2), played("kaluki", 2), played("smear", 3)]))
    choice = page.get_by_label("This file holds 3 matches")
    assert choice.locator("option").all_inner_texts() == [
        "1. smear: Ana, Budi",
        "2. kaluki: Ana, Budi",
        "3. smear: Ana, Budi, Citra",
    ]
    choice.select_option("1")
    expect(page.get_by_role("heading", name="Kaluki")).to_be_visible()


def faulty(change: Callable[[Document], None]) -> str:
    found = document("smear", 3)
    change(found)
    return json.dumps(found)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "Line 1"),
        (faulty(lambda found: found["deals"][0]["actions"].insert(3, "0 play 2s")), r"deals\[0\]\.actions\[3\]"),
        (faulty(lambda found: found["deals"][1]["score"].reverse()), r"deals\[1\]"),
        (faulty(lambda found: found.update(game="bridge")), "bridge"),
    ],
    ids=["no JSON", "illegal action", "wrong score", "unknown game"],
)
def test_a_bad_record_is_refused_with_its_place(page: Page, allowed_errors: list[str], text: str, told: str) -> None:
    allowed_errors.append("status of 422")
    page.goto("/replay")
    open_file(page, text)
    alert = page.get_by_role("alert").filter(has_text="This record cannot be opened.")
    expect(alert).to_contain_text(re.compile(told, re.IGNORECASE))
    page.get_by_role("button", name="Open another record").click()
    # What was opened can be mended on the spot.
    expect(page.get_by_label("Or paste a record")).to_have_value(text)


def test_a_record_is_downloaded_and_copied_as_it_was(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    text = played("smear", 2)
    replay(page, text)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.path().read_text(encoding="utf-8") == text
    assert download.value.suggested_filename == "match.meja"
    page.get_by_role("button", name="Copy").click()
    expect(page.locator(".toast")).to_contain_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == text


def test_the_words_follow_the_language(page: Page) -> None:
    replay(page, played("smear", 2))
    page.get_by_role("button", name=re.compile("Indonesia")).click()
    expect(page.locator(".replay-moves button").first).to_contain_text("Ronde")


@pytest.mark.parametrize("step", [0, 40])
def test_a_long_record_stays_quick(page: Page, step: int) -> None:
    replay(page, played("kaluki", 4, preset="hard", options='{"target": 500}'))
    page.locator(".replay-moves button").nth(step).click()
    page.wait_for_timeout(500)
    # What a step costs the browser's own thread, drawing and all; other work that runs beside the tests does not count.
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))

    before = spent()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(30)
    assert (spent() - before) / 20 < 0.1


# -- the check ----------------------------------------------------------------------


def verify(page: Page, text: str) -> None:
    """Open a record on the page of checks."""
    page.goto("/verify")
    open_file(page, text)
    expect(page.locator(".verdict")).to_be_visible()


def outcomes(page: Page) -> list[str]:
    """What came of each deal."""
    return [str(row.get_attribute("data-outcome")) for row in page.locator(".verify-deal").all()]


@pytest.mark.parametrize("name", games())
def test_a_true_match_is_proved(page: Page, name: str) -> None:
    found = document(name, game(name).rules.seat_numbers[-1])
    verify(page, json.dumps(found))
    expect(page.locator(".verdict")).to_contain_text("Every deal is exactly the one that was promised.")
    assert outcomes(page) == ["proved"] * len(found["deals"])
    # Honest about what it is worth.
    expect(page.locator(".verdict")).to_contain_text("This browser was not at the table")
    expect(page.locator(".verify-meaning")).to_contain_text("That nobody looked")


def test_the_check_names_the_game_and_the_players(page: Page) -> None:
    found = document("smear", 3)
    found["players"] = ["Tamu", "bot:rules-of-thumb", "bot:rules-of-thumb"]
    found["meta"] = {"table": "49aypi2zs3gq", "names": ["Tamu", "Budi", "Wayan"]}
    verify(page, json.dumps(found))
    heading = page.locator(".verify-match")
    expect(heading).to_contain_text("Smear")
    expect(heading).to_contain_text("Tamu · Budi · Wayan")
    expect(heading).not_to_contain_text("rules-of-thumb")
    expect(heading).not_to_contain_text("49aypi2zs3gq")


def swap_cards(found: Document) -> None:
    """Two players have exchanged a card that is different."""
    hands = [hand.split() for hand in found["deals"][1]["hands"]]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    found["deals"][1]["hands"] = [" ".join(hand) for hand in hands]


def swap_stock(found: Document) -> None:
    stock = found["deals"][0]["stock"].split()
    place = next(index for index in range(len(stock) - 1) if stock[index] != stock[index + 1])
    stock[place], stock[place + 1] = stock[place + 1], stock[place]
    found["deals"][0]["stock"] = " ".join(stock)


def another_seed(found: Document) -> None:
    found["fairness"]["deals"][0]["server_seed"] = "ff" * 32


def no_client(found: Document) -> None:
    found["fairness"]["deals"][0]["client_seeds"] = {}


@pytest.mark.parametrize(
    ("name", "change", "broken", "told"),
    [
        ("smear", swap_cards, [2], "the hands are not those that the shuffle gives"),
        ("kaluki", swap_stock, [1], "the stock is not the one that the shuffle gives"),
        ("smear", another_seed, [1], "the server's secret does not fit the fingerprint"),
        ("calabresella", no_client, [1], "the hands are not those that the shuffle gives"),
    ],
)
def test_a_changed_match_is_told(
    page: Page, name: str, change: Callable[[Document], None], broken: list[int], told: str
) -> None:
    found = document(name, 3)
    change(found)
    verify(page, json.dumps(found))
    expect(page.locator(".verdict")).to_contain_text("The cards do not fit what was promised.")
    row = page.locator(".verify-deal[data-outcome=broken]")
    expect(row).to_have_count(1)
    expect(row).to_contain_text(told)
    assert [index for index, outcome in enumerate(outcomes(page), 1) if outcome == "broken"] == broken


def test_what_is_missing_is_not_called_proved(page: Page) -> None:
    found = document("smear", 3)
    del found["fairness"]["deals"][1]
    found["fairness"]["deals"][1]["server_seed"] = None
    verify(page, json.dumps(found))
    expect(page.locator(".verdict")).to_contain_text("Not every deal can be checked.")
    assert outcomes(page)[:3] == ["proved", "open", "open"]


def test_a_record_without_a_shuffle_is_told(page: Page) -> None:
    found = document("smear", 3)
    del found["fairness"]
    verify(page, json.dumps(found))
    expect(page.locator(".verdict")).to_contain_text("This record says nothing of how its cards were shuffled.")


def test_what_this_browser_saw_is_compared(page: Page) -> None:
    found = document("smear", 3)
    shuffles = found["fairness"]["deals"]
    kept = {str(one["deal"]): {"commit": one["commit"], "seed": one["client_seeds"]["0"]} for one in shuffles}
    page.goto("/verify")
    page.evaluate("kept => localStorage.setItem('meja.fair.tabletest', JSON.stringify(kept))", kept)
    verify(page, json.dumps(found))
    expect(page.locator(".verdict")).to_contain_text("This browser was at the table")

    # Another promise than the one that was seen: the record may fit itself as well as it likes.
    kept["1"]["commit"] = "0" * 64
    kept["2"]["seed"] = "1" * 64
    page.evaluate("kept => localStorage.setItem('meja.fair.tabletest', JSON.stringify(kept))", kept)
    verify(page, json.dumps(found))
    rows = page.locator(".verify-deal")
    expect(rows.nth(0)).to_contain_text("this browser saw another fingerprint before the deal")
    expect(rows.nth(1)).to_contain_text("the number that this browser gave is not in it")
    assert outcomes(page)[:2] == ["broken", "broken"]


def javascript(page: Page, records: list[Document]) -> list[list[str]]:
    """What the browser's own check says of each deal of some records."""
    page.goto("/verify")
    found: list[list[str]] = page.evaluate(
        """async (records) => {
          const { checkRecord } = await import(`/a/${document.documentElement.dataset.build}/app/replay/fairness.mjs`);
          const results = [];
          for (const record of records) {
            const result = await checkRecord(record, () => ({}));
            results.push(result.deals.map((deal) => deal.outcome));
          }
          return results;
        }""",
        records,
    )
    return found


def test_the_browser_and_the_command_line_agree(page: Page) -> None:
    """Every game, preset and number of seats; true and changed. The two were written apart from each other."""
    true = [
        document(name, seats, preset=preset, most=3)
        for name, seats in TABLES
        for preset in game(name).rules.presets
        if not (name == "calabresella" and seats == 4 and preset != "standard")
    ]
    changed = []
    for found in true:
        twin = json.loads(json.dumps(found))
        seeds = twin["fairness"]["deals"][-1]["client_seeds"]
        seeds["0"] = "0" * 63 + "1"
        changed.append(twin)
    for records in (true, changed):
        here = [[check.ok for check in check_record(loads(json.dumps(found)))] for found in records]
        there = [[outcome == "proved" for outcome in outcomes] for outcomes in javascript(page, records)]
        assert there == here
    assert any(deal.get("reshuffles") for found in true for deal in found["deals"]), "no reshuffle was checked"


# -- from a table -------------------------------------------------------------------


@pytest.fixture
def finished(page: Page, server: Any) -> Callable[[str, int], str]:
    """``finished(game, seats)``: a finished match on the server, the person of the page on seat 0."""

    def made(name: str, seats: int) -> str:
        table = f"r{time.time_ns()}"
        page.goto("/about")
        page.evaluate(
            """name => fetch("/api/me", {
              method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({name}),
            })""",
            table,
        )
        database = server.data / "meja.db"
        with closing(sqlite3.connect(database)) as connection:
            ((person,),) = connection.execute("SELECT id FROM people WHERE name = ?", (table,)).fetchall()
        store_match(database, table, person, played(name, seats, table=table))
        return table

    return made


@pytest.mark.parametrize(("name", "seats"), [("smear", 3), ("kaluki", 3)])
def test_a_match_of_a_table_is_replayed_and_checked(
    page: Page, finished: Callable[[str, int], str], name: str, seats: int
) -> None:
    table = finished(name, seats)
    page.goto(f"/replay?table={table}")
    expect(page.locator(".replay")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    # The address is a link to this very moment.
    expect(page).to_have_url(re.compile(rf"\?table={table}&deal=1&step=2$"))
    page.reload()
    expect(page.locator(".replay-moves button").nth(2)).to_have_attribute("aria-current", "step")
    page.get_by_role("button", name="Check the shuffles").click()
    expect(page.locator(".verdict")).to_contain_text("Every deal is exactly the one that was promised.")
    page.get_by_role("button", name="Replay the match").click()
    expect(page.locator(".replay")).to_be_visible()


def test_a_table_that_does_not_exist_is_told(page: Page, allowed_errors: list[str]) -> None:
    allowed_errors.append("status of 404")
    page.goto("/replay?table=nosuchtable")
    expect(page.get_by_role("alert")).to_contain_text(re.compile("no such table", re.IGNORECASE))


# -- everybody ----------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("theme", "language"), [("light", "en"), ("dark", "id")])
def test_the_pages_are_accessible(
    new_page: NewPage,
    axe: Axe,
    scrolls_sideways: Callable[[Page], bool],
    size: tuple[int, int],
    theme: str,
    language: str,
) -> None:
    page = new_page(size, theme=theme, language=language)
    for address in ("/replay", "/verify"):
        page.goto(address)
        expect(page.locator(".record-open")).to_be_visible()
        assert axe(page) == [], address
        assert not scrolls_sideways(page), address
    for name, seats in (("kaluki", 4), ("bassadewitz", 5), ("calabresella", 3)):
        replay(page, played(name, seats))
        page.locator(".replay-moves button").nth(12).click()
        assert axe(page) == [], name
        assert not scrolls_sideways(page), name
    verify(page, played("kaluki", 3))
    assert axe(page) == []
    assert not scrolls_sideways(page)
    found = document("smear", 3)
    swap_cards(found)
    verify(page, json.dumps(found))
    assert axe(page) == []
