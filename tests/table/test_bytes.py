"""Every byte that people receive over whole matches is read: no card they cannot know, and no secret, is in it."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import Any

import pytest
from tests.table.hall import NAMES, At, Hall, by_chance, short

from meja.bots import RULES_OF_THUMB
from meja.cards import CARD_TEXT, Rng
from meja.deal import Deal
from meja.games import games
from meja.language import LANGUAGES
from meja.rules import Rules
from meja.table import log
from meja.table.accounts import Accounts
from meja.table.botpool import choose
from meja.table.claims import claimable
from meja.table.commands import Chat, Claim, Close, Leave, Phrase, Retake, Settings, Sit, Start, Undo, undo_point
from meja.table.state import Table

pytestmark = pytest.mark.anyio

_PLAIN = re.compile(r"(?:[2-9TJQKA][shdc]|Jk)(?:=\S+)?")
_SIGNED = re.compile(r"(?<!Jk=)(10|[2-9JQKA])([♠♥♦♣])")
_OPEN_ZONES = ("played", "pile", "table", "out of play")

Reader = int | None


class Knowledge:
    """What each reader may know of each deal: told by where the cards lay, not by what was said of it."""

    def __init__(self, table: str, seats: int) -> None:
        self.truth = Table(table)
        self.readers: list[Reader] = [*range(seats), None]
        self.cards: dict[tuple[int, Reader], set[str]] = defaultdict(set)
        self.deal_at: dict[int, int] = {}

    def follow(self, rows: list[log.Row]) -> None:
        """The next entries of the log."""
        for row in rows:
            self.truth.apply(row)
            self.deal_at[row.seq] = self.truth.deal_number
            if self.truth.deal is not None:
                self._look(self.truth.deal, self.truth.deal_number)

    def _look(self, deal: Deal[Any], number: int) -> None:
        for place, cards in deal.zones().items():
            texts = {CARD_TEXT[card] for card in cards}
            if place in _OPEN_ZONES:
                self._everybody(number, texts)
            elif place.startswith("hand "):
                self.cards[number, int(place[5:])] |= texts
        if deal.over and deal.game == "kaluki" and not deal.void:
            # The hands are counted openly.
            for seat in range(deal.rules.seats):
                self._everybody(number, {CARD_TEXT[card] for card in deal.zones()[f"hand {seat}"]})
        if deal.game == "calabresella":
            self._calabresella(deal, number)

    def _calabresella(self, deal: Deal[Any], number: int) -> None:
        words = [deal.text(action).split() for _, action in deal.actions()]
        bids = [word[1] for word in words if word[0] == "bid"]
        # Each bid is higher than the one before it: the last is the contract.
        shown = bids[-1:] == ["chiamo"] or (bids[-1:] == ["solo"] and deal.rules.monte_shown == "both")
        monte = {CARD_TEXT[card] for card in deal.layout().monte}
        if deal.phase not in ("auction", "call") and shown:
            self._everybody(number, monte)
        if deal.over and not deal.void:
            self._everybody(number, monte | {CARD_TEXT[card] for card in deal.zones()["monte"]})
        for word in words:
            if word[0] in ("call", "give"):
                # Named, or handed over, before everybody's eyes.
                self._everybody(number, {word[1]})

    def _everybody(self, number: int, texts: set[str]) -> None:
        for reader in self.readers:
            self.cards[number, reader] |= texts

    def secrets(self) -> set[str]:
        """The seeds that nobody may have seen by now."""
        done = 0 if self.truth.match is None else len(self.truth.match.deals)
        return {made.server_seed for made in self.truth.shuffles if made.deal > done}

    def faults(self, update: Any, reader: Reader) -> list[str]:
        """The cards in an update that its reader cannot know."""
        found = []
        for number, card in mentioned(update, self.truth.deal_number, self.deal_at):
            if card != "Jk" and card not in self.cards[number, reader]:
                found.append(f"deal {number}: {card}")
        return found


def words(value: Any) -> list[str]:
    """The texts in a value of JSON."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for item in value.values() for text in words(item)]
    return [text for item in value for text in words(item)] if isinstance(value, list) else []


def cards_in(value: Any) -> list[str]:
    """The cards that a value names; what a joker stands for is not one."""
    found = []
    for text in words(value):
        found += [word.split("=")[0] for word in text.split() if _PLAIN.fullmatch(word)]
        found += [("T" if rank == "10" else rank) + "shdc"["♠♥♦♣".index(suit)] for rank, suit in _SIGNED.findall(text)]
    return found


def mentioned(update: Any, deal: int, deal_at: dict[int, int]) -> list[tuple[int, str]]:
    """(deal, card) for every card that an update names as one that lies somewhere."""
    view = dict(update["view"] or {})
    # Any card may be called that is not in the own hand.
    view["legal"] = [text for text in view.get("legal", []) if not text.startswith("call ")]
    found = [(deal, card) for card in cards_in([view, update.get("story") or []])]
    for step in update["steps"]:
        found += [(deal_at[step["seq"]], card) for card in cards_in([step["events"], step["lines"]])]
    sheet = update["state"]["sheet"]
    if sheet is not None:
        found += [(sheet["deal"], card) for card in cards_in([line["text"] for line in sheet["lines"]])]
    return found


class Eyes:
    """Reads everything that anybody receives at a table."""

    def __init__(self, at: At, secrets: list[str], rng: Rng) -> None:
        self.at = at
        self.knowledge = Knowledge(at.id, len(at.table.seats))
        self.secrets = secrets
        self.rng = rng
        self.read = 0
        self.cards = 0
        #: How many messages would have been a leak in the hands of a spectator.
        self.private = 0

    async def catch_up(self) -> None:
        """Follow the stored log."""
        self.knowledge.follow(await self.at.hall.rows(self.at.id, self.knowledge.truth.head))

    def check(self, raw: bytes, reader: Reader) -> None:
        """One message to one reader."""
        text = raw.decode()
        for secret in [*self.secrets, *self.knowledge.secrets()]:
            assert secret not in text
        update = json.loads(text)
        assert self.knowledge.faults(update, reader) == []
        self.private += reader is not None and self.knowledge.faults(update, None) != []
        self.read += 1
        self.cards += len(mentioned(update, 0, defaultdict(int)))

    async def look(self, reader: Reader) -> None:
        """A reader asks for updates in one of the ways there are."""
        at, rng, who = self.at, self.rng, self.at.hall.ids[reader]
        language = rng.choice(LANGUAGES)
        head = at.table.head
        after = rng.choice([None, 0, head - 1, head, rng.below(head), at.table.steps[0].seq])
        match rng.below(3):
            case 0:
                self.check(await at.bytes(reader, after=after, language=language), reader)
            case 1:
                self.check(await at.hall.service.poll(at.id, who, language, after, 0.0), reader)
            case _:
                stream = at.hall.service.follow(at.id, who, language, after, 60.0)
                raw = await anext(stream)
                assert raw is not None
                self.check(raw, reader)
                closing: Any = stream
                await closing.aclose()


async def sit(hall: Hall, rules: Rules) -> tuple[At, list[str]]:
    """A table of real guests who came one after the other, and a bot; and all that nobody else may ever read."""
    accounts = Accounts(hall.store, hall.clock)
    secrets = []
    seats: list[int | None] = [*range(rules.seats), None]
    for seat in seats:
        guest, token = await accounts.guest("Fajar" if seat is None else NAMES[seat])
        code = await accounts.recovery_code(guest)
        hall.ids[seat] = guest.id
        secrets += [guest.id, token, code, code.replace("-", "")]
    bot = rules.seats > 2
    at = await hall.table(rules, "p" + "-" * (rules.seats - 1 - bot) + "r" * bot, start=False)
    for seat in range(1, rules.seats - bot):
        await at.do(seat, Sit(seat))
    await at.do(0, Start())
    return at, secrets


async def watch(hall: Hall, rules: Rules, rng: Rng, moves: int, looks: int) -> Eyes:
    """Play a match, or so many moves of one; after each some readers look."""
    at, secrets = await sit(hall, rules)
    eyes = Eyes(at, secrets, rng)
    await at.follow(*at.table.people)
    chance = by_chance(rng)

    def pick(deal: Deal[Any]) -> Any:
        if deal.game != "kaluki" or rng.below(3) == 0:
            return chance(deal)
        return choose(RULES_OF_THUMB, deal.view(deal.to_act), 1)

    for _ in range(moves):
        if at.table.over:
            break
        await beside(at, rng)
        if not at.table.over:
            await at.step(pick)
        await eyes.catch_up()
        for _ in range(looks):
            await eyes.look(rng.choice(eyes.knowledge.readers))
    if not at.table.over:
        await at.do(at.table.seat_of(at.table.host), Close())
    await eyes.catch_up()
    for reader in eyes.knowledge.readers:
        for _ in range(4):
            await eyes.look(reader)
    return eyes


async def beside(at: At, rng: Rng) -> None:
    """What people do beside playing."""
    table, seat = at.table, rng.choice(at.table.people)
    match rng.below(30):
        case 0:
            await at.do(seat, Phrase("luck"))
        case 1:
            await at.do(seat, Chat("hm"))
        case 2 if not table.seats[seat].covered:
            await at.do(seat, Leave())
        case 3 | 4 if table.seats[seat].covered:
            await at.do(seat, Retake())
        case 5 | 6 if undo_point(table, seat) is not None:
            await at.do(seat, Undo())
        case 7 | 8 if table.to_act == seat and table.seats[seat].plays and claimable(at.deal, seat):
            await at.do(seat, Claim())
        case 9:
            await at.do(table.seat_of(table.host), Settings(chat=True, listed=bool(rng.below(2))))
    if not table.over and not any(table.seats[seat].plays for seat in table.people):
        await at.do(table.people[0], Retake())


_MIXES: dict[str, list[dict[str, Any]]] = {
    "bassadewitz": [{"seats": 3}, {"seats": 4, "trick_points": True}, {"seats": 5}],
    "calabresella": [{}, {"monte_shown": "both", "auction": "reentry"}, {"seats": 4, "dealer_sits_out": True}],
    "kaluki": [{"seats": 3}, {"seats": 2, "opening": "total"}, {"seats": 4}],
    "smear": [{"seats": 2}, {"seats": 3, "low": "taker"}, {"seats": 3, "dealer_steal": True}],
}


@pytest.mark.parametrize("name", games())
async def test_nobody_receives_a_card_or_a_secret_that_is_not_theirs(name: str, hall: Hall, long: bool) -> None:
    rng = Rng(5, len(name))
    read = cards = private = 0
    mixes = _MIXES[name] * (6 if long else 1)
    # The cards are not ours to choose, and a match may be over soon: then there are more of them.
    for number, options in enumerate(mixes + 3 * mixes):
        if number >= len(mixes) and read > 300 and private > 50:
            break
        eyes = await watch(hall, short(name, **options), Rng(rng.next32(), number), 400 if long else 60, 2)
        read += eyes.read
        cards += eyes.cards
        private += eyes.private
    assert read > 300
    assert cards > 5_000
    # The reading finds leaks where there are some: many of these messages are full of what others cannot know.
    assert private > 50


async def test_names_of_people_are_told_and_their_ids_are_not(hall: Hall) -> None:
    at, secrets = await sit(hall, short("smear"))
    raw = (await at.bytes(None)).decode()
    assert "Ana" in raw
    assert not any(secret in raw for secret in secrets)


async def test_a_seed_is_told_only_when_its_deal_is_over(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "prr")
    await at.follow(0)
    pick = by_chance(Rng(3))
    seen: dict[int, str] = {}
    while not at.table.over:
        raw = await at.bytes(0)
        state = json.loads(raw)["state"]
        assert at.table.match is not None
        done = len(at.table.match.deals)
        assert not any(made.server_seed in raw.decode() for made in at.table.shuffles[done:])
        if state["revealed"] is not None:
            seen[state["revealed"]["deal"]] = state["revealed"]["seed"]
        assert state["commit"] == at.table.shuffles[-1].commit
        await at.step(pick)
    assert list(seen) == [1, 2]
    assert all(at.table.shuffles[deal - 1].server_seed == seed for deal, seed in seen.items())
