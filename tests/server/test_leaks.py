"""Every byte that anybody receives is searched for what they cannot know: cards, seeds, people's secrets.

The truth comes from the log in the store, not from what the server said.
"""

from __future__ import annotations

import asyncio
import base64
import json
import random
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.server.people import BOT, OPEN, SHORT, Follower, Heard, Person, Player
from tests.server.serving import Server
from tests.server.truth import dice, rows

from meja.cards import CARD_TEXT
from meja.games import games
from meja.table import log
from meja.table.state import Table

#: Parts of an update where cards of earlier deals, and words about the rules, may stand.
_ELSEWHERE = frozenset({"sheet", "rules", "changed", "warnings", "title"})
_SIGNS = str.maketrans("♠♥♦♣", "shdc")
_CARD = re.compile(r"(?<![\w=])(10|[2-9TJQKA])([shdc♠♥♦♣])(?!\w)|(?<!\w)(Jk)(?!\w)")
_HEX = re.compile(rb"[0-9a-fA-F]{64}")


def cards_in(text: str) -> set[str]:
    """The cards that a text names; not the one that a joker stands for."""
    found = set()
    for rank, suit, joker in _CARD.findall(text):
        found.add(joker or rank.replace("10", "T") + suit.translate(_SIGNS))
    return found


@dataclass(slots=True)
class Truth:
    """What was hidden from whom at each place of a table's log."""

    table: str
    log: list[log.Row]
    #: By head: the number of the deal, at which seq it was dealt, and the cards that each reader never saw of it.
    hidden: list[tuple[int, int, dict[int | None, frozenset[str]]]] = field(default_factory=list)
    #: By head: the cards in the first seat's hand.
    held: list[frozenset[str]] = field(default_factory=list)
    #: By server seed: the seq from which on it is public.
    seeds: dict[str, int] = field(default_factory=dict)
    named: dict[int, set[str]] = field(default_factory=dict)
    people: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Fold the log."""
        table = Table(self.table)
        dealt, unseen = 0, dict[int | None, frozenset[str]]()
        named: set[str] = set()
        self.hidden.append((0, 0, {}))
        self.held.append(frozenset())
        for row in self.log:
            table.apply(row)
            match row.entry:
                case log.Committed(_, _, seed):
                    self.seeds[seed] = 10**9
                case log.Dealt():
                    dealt, unseen, named = row.seq, {}, set()
                case log.Acted(_, action) if action.startswith("call "):
                    # A card is called whoever has it: that it exists is no news.
                    named.add(action.split()[1])
            deal = table.deal
            if deal is not None and not deal.over:
                copies = Counter(deal.pack(table.rules))
                for seat in (None, *range(table.rules.seats)):
                    gone = Counter(deal.unseen(seat))
                    now = frozenset(CARD_TEXT[card] for card, count in gone.items() if count == copies[card]) - named
                    unseen[seat] = unseen.get(seat, now) & now
            else:
                unseen = {}
                if deal is not None:
                    self.seeds[table.shuffles[table.deal_number - 1].server_seed] = min(
                        row.seq, self.seeds[table.shuffles[table.deal_number - 1].server_seed]
                    )
            self.hidden.append((table.deal_number, dealt, dict(unseen)))
            self.held.append(frozenset() if deal is None else frozenset(CARD_TEXT[card] for card in deal.view(0).hand))
        self.people = {seat.person: number for number, seat in enumerate(table.seats) if seat.person}

    def head_at(self, at: float) -> int:
        """The head at a time."""
        return sum(row.at <= at * 1000 for row in self.log)

    def leaks(self, update: Any, seat: int | None) -> list[str]:
        """The cards in an update that its reader cannot know."""
        _, dealt, unseen = self.hidden[update["head"]]
        hidden = unseen.get(seat, frozenset())
        found = []
        for place, text in strings(update):
            if _ELSEWHERE & set(place) or place[:2] == ("state", "messages"):
                continue
            if place[:1] == ("steps",) and len(place) > 1 and update["steps"][place[1]]["seq"] < dealt:
                continue
            if place[:2] == ("view", "legal") and text.startswith("call "):
                continue
            found += [f"{card} at {place}: {text!r}" for card in sorted(cards_in(text) & hidden)]
        return found


def strings(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], str]]:
    """Every text in a JSON value, with its place; keys too."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield place, name
            yield from strings(inner, (*place, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from strings(inner, (*place, index))


def update_in(heard: Heard) -> Any:
    """The update in what was heard, if it is one."""
    text = heard.data.decode()
    body = text.partition("\ndata: ")[2] if "\nevent: update" in text else text.partition("\n\n")[2]
    if not body.startswith("{"):
        return None
    value = json.loads(body)
    return value if isinstance(value, dict) and "steps" in value and "state" in value else None


async def _prying(person: Person, table: str, follower: Follower, rng: random.Random) -> None:
    """Somebody at the table asks for what is not theirs, again and again."""
    while True:
        await _moves(follower, 20)
        for path in ("", "/events", "/record", "/book"):
            await person.request("GET", f"/api/tables/{table}{path}", lang=rng.choice(["en", "id"]))
        head = follower.head or 0
        after = rng.randrange(head + 1)
        await person.request("GET", f"/api/tables/{table}/events", after=after, lang=rng.choice(["en", "id"]))
        card = rng.choice(CARD_TEXT[:52])
        for action in (f"play {card}", f"discard {card}", "draw", "claim", "nonsense", f"add {card} m0"):
            body = {"key": person.key(), "expect": head - rng.randrange(2), "command": {"do": "act", "action": action}}
            if rng.random() < 0.3:
                await person.request("POST", f"/api/tables/{table}/commands", body, lang=rng.choice(["en", "id"]))


async def _moves(follower: Follower, count: int) -> None:
    """Wait for some steps of the table."""
    head = (follower.head or 0) + count
    await follower.until(lambda made: made["head"] >= head, 600)


async def _late(url: str, table: str, follower: Follower, people: list[Person], rng: random.Random) -> None:
    """Strangers who come late and go again, with a name or without."""
    for number in range(1000):
        async with Person(url, f"Late {number}" if number % 2 else "", rng.choice(["en", "id"])) as person:
            people.append(person)
            async with Follower(person, table, after=rng.choice([None, 0, 3]), poll=number % 3 == 0):
                await _moves(follower, 15)
            for path in ("/api/tables", "/metrics", "/healthz", f"/api/tables/{table}/record"):
                await person.request("GET", path)


async def _same_words(player: Player) -> None:
    """A card that one has not is refused in the same words wherever it is."""
    update = await player.follower.until(
        lambda made: made["view"] and made["view"]["phase"] == "play" and made["view"]["legal"], 60
    )
    verb = "discard" if update["state"]["game"] == "kaluki" else "play"
    view = update["view"]
    known = {card for _, text in strings({**view, "legal": []}) for card in cards_in(text)}
    texts = set()
    for card in dice(1).sample([text for text in CARD_TEXT[:52] if text not in known], 8):
        answer = await player.person.do(player.follower.table, update["head"], do="act", action=f"{verb} {card}")
        assert answer.status in (409, 422)
        # Which cards the pack has, everybody knows.
        if answer.status == 422 and answer.code != "no-card":
            texts.add((answer.code, _CARD.sub("?", answer.json["error"]["text"])))
    assert len(texts) == 1, texts


@dataclass(slots=True)
class Scene:
    """A match that was watched by all kinds of people."""

    table: str
    people: list[Person]
    codes: list[str]


async def _scene(server: Server, game: str, seed: int) -> Scene:
    rng = dice(seed)
    async with AsyncExitStack() as stack:
        ana, budi = [await stack.enter_async_context(Person(server.url, name)) for name in ("Anna", "Budiman")]
        budi.language, budi.http.headers["accept-language"] = "id", "id"
        people = [ana, budi]
        table = await ana.make_table(game, [OPEN] + [BOT] * (SHORT[game][0] - 2), listed=True)
        codes = [(await who.request("POST", "/api/me/recovery", {})).json["code"] for who in people]
        await budi.do(table, None, do="sit", seat=1)
        await ana.do(table, None, do="chat", text="Hello!")
        one = await stack.enter_async_context(Follower(ana, table))
        two = await stack.enter_async_context(Follower(budi, table, poll=True))
        citra = await stack.enter_async_context(Person(server.url, "Citra", "id"))
        nobody = await stack.enter_async_context(Person(server.url))
        tab = await stack.enter_async_context(Person(server.url, "", "id"))
        tab.http.cookies = ana.http.cookies
        people += [citra, nobody, tab]
        for person, poll in ((citra, False), (nobody, True), (tab, False)):
            await stack.enter_async_context(Follower(person, table, after=rng.choice([None, 1]), poll=poll))
        await ana.do(table, None, do="start")
        players = [Player(ana, one, rng), Player(budi, two, rng)]
        asides = [
            asyncio.create_task(_prying(ana, table, one, rng)),
            asyncio.create_task(_prying(citra, table, one, rng)),
            asyncio.create_task(_late(server.url, table, one, people, rng)),
        ]
        try:
            # Two deals to the end, and into the third.
            await asyncio.gather(
                *(
                    player.play(lambda made: made["state"]["status"] == "finished" or made["state"]["deal"] > 2)
                    for player in players
                )
            )
            await ana.do(table, None, do="close")
        finally:
            for task in asides:
                task.cancel()
            await asyncio.gather(*asides, return_exceptions=True)
        for person in people[:5]:
            await person.update(table)
            await person.update(f"{table}/events", after=0)
        return Scene(table, people, codes)


def secrets_of(server: Server, scene: Scene) -> dict[bytes, str]:
    """What may stand in nothing that anybody receives."""
    with closing(sqlite3.connect(server.database, timeout=10)) as connection:
        ids = [row[0] for row in connection.execute("SELECT id FROM people")]
        hashes = [row[0] for row in connection.execute("SELECT token FROM sessions")]
        recovery = [row[0] for row in connection.execute("SELECT recovery FROM people WHERE recovery IS NOT NULL")]
    found = {secret.encode(): "a person's id" for secret in ids}
    found |= {secret.encode(): "the hash of a token" for secret in hashes}
    found |= {secret.encode(): "the hash of a code" for secret in recovery}
    found |= {person.cookie.encode(): "a token" for person in scene.people if person.cookie}
    return found


def check_bytes(
    heard: Heard, truth: Truth, secrets: dict[bytes, str], codes: list[str], ids: re.Pattern[bytes]
) -> None:
    for found in ids.findall(heard.data):
        raise AssertionError(f"{secrets[found]} in {heard.what}: {heard.data[:2000]!r}")
    if heard.what != "POST /api/me/recovery":
        for code in codes:
            assert code.encode() not in heard.data
            assert code.replace("-", "").encode() not in heard.data
    update = update_in(heard)
    head = truth.head_at(heard.at) if update is None else update["head"]
    for text in _HEX.findall(heard.data):
        assert truth.seeds.get(text.decode().lower(), 0) <= head, f"the server's seed in {heard.what}"
    for seed, public in truth.seeds.items():
        if public > head:
            raw = bytes.fromhex(seed)
            for form in (raw, raw[::-1], base64.b64encode(raw)[:-1], base64.urlsafe_b64encode(raw)[:-1]):
                assert form not in heard.data


def check_cards(heard: Heard, truth: Truth, seat: int | None) -> int:
    """How many cards were hidden where an update was searched."""
    update = update_in(heard)
    if update is not None:
        assert update["state"]["me"]["seat"] == seat
        found = truth.leaks(update, seat)
        assert not found, f"{heard.what}, seat {seat}, head {update['head']}: {found}"
        return len(truth.hidden[update["head"]][2].get(seat, ()))
    if '{"error"' in heard.data.decode("utf-8", "replace"):
        hidden = truth.hidden[truth.head_at(heard.at)][2].get(seat, frozenset())
        text = json.loads(heard.data.decode().partition("\n\n")[2])["error"]["text"]
        leaked = (cards_in(text) & hidden) - cards_in(heard.sent)
        assert not leaked, f"{heard.what}: {text}"
    return 0


def the_search_works(anna: Person, truth: Truth) -> None:
    """The same search over what one person got, as if another had got it: now it finds something."""
    found = Counter[str]()
    for heard in anna.tape:
        update = update_in(heard)
        if update is None or update["state"]["status"] == "open":
            continue
        for reader, seat in (("neighbour", 1), ("spectator", None)):
            # A hand may have nothing to hide: it is empty, or everybody saw each of its cards being taken.
            if truth.held[update["head"]] & truth.hidden[update["head"]][2].get(seat, frozenset()):
                found[f"hidden from a {reader}"] += 1
                found[f"told to a {reader}"] += bool(truth.leaks(update, seat))
    for reader in ("neighbour", "spectator"):
        assert found[f"hidden from a {reader}"] > 20
        assert found[f"told to a {reader}"] == found[f"hidden from a {reader}"]
    # The seed of a deal before its end, and a secret.
    said = Heard("test", f'{{"seed": "{next(iter(truth.seeds))}"}}'.encode(), truth.log[0].at / 1000)
    with pytest.raises(AssertionError, match="the server's seed"):
        check_bytes(said, truth, {}, [], re.compile(rb"(?!)"))
    with pytest.raises(AssertionError, match="an id in test"):
        check_bytes(said, truth, {b"seed": "an id"}, [], re.compile(b"seed"))


@pytest.mark.parametrize("game", games())
def test_no_byte_tells_what_its_reader_cannot_know(server: Server, game: str, long: bool) -> None:
    for seed in range(6 if long else 1):
        scene = asyncio.run(_scene(server, game, seed))
        truth = Truth(scene.table, rows(server.database, scene.table))
        assert sum(isinstance(row.entry, log.Dealt) for row in truth.log) >= (1 if game == "kaluki" else 2)
        secrets = secrets_of(server, scene)
        ids = re.compile(b"|".join(re.escape(secret) for secret in secrets))
        searched = updates = 0
        for person in scene.people:
            seat = {"Anna": 0, "Budiman": 1}.get(person.name)
            if person is scene.people[4]:
                seat = 0
            for heard in person.tape:
                check_bytes(heard, truth, secrets, scene.codes, ids)
                # What was said before the seat was taken was said to a spectator.
                if update_in(heard) is not None and update_in(heard)["state"]["status"] == "open":
                    continue
                count = check_cards(heard, truth, seat)
                searched += count
                updates += count > 0
        assert updates > 100
        assert searched > 10 * updates
        the_search_works(scene.people[0], truth)


@pytest.mark.parametrize("game", games())
def test_a_refusal_does_not_tell_where_a_card_is(server: Server, game: str) -> None:
    async def ask() -> None:
        async with Person(server.url, "Ana") as ana:
            table = await ana.make_table(game, [BOT] * (SHORT[game][0] - 1), start=True)
            async with Follower(ana, table) as follower:
                player = Player(ana, follower, dice(3))
                for _ in range(40):
                    update = await follower.until(
                        lambda made: (
                            (made["view"] is not None and made["view"]["legal"]) or made["state"]["can"]["ready"]
                        )
                    )
                    if update["view"] and update["view"]["phase"] == "play" and update["view"]["legal"]:
                        break
                    await player.turn(update)
                await _same_words(player)

    asyncio.run(ask())
