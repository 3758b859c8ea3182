"""A hall: a service over a store of its own, people in it, and a clock that the test turns."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from meja.bots import RULES_OF_THUMB
from meja.cards import Rng
from meja.deal import Deal
from meja.games import make_rules
from meja.rules import Rules
from meja.table import log, store
from meja.table.botpool import BotPool, choose
from meja.table.commands import Act, AnyCommand, Ready
from meja.table.live import Live
from meja.table.service import Service
from meja.table.state import Table
from meja.table.store import Store

#: The people of the seats; nobody's id stands anywhere but in the log.
NAMES = ("Ana", "Budi", "Citra", "Dewi", "Eka")
WATCHER = "person-of-nobody-ffff"
START = 1_700_000_000_000
_KEYS = count(1)


def person(seat: int) -> str:
    """The id of the person who sits on ``seat`` where everybody sits in order."""
    return f"person-{seat}-{'abcde'[seat] * 24}"


def seed_of(seat: int, deal: int) -> str:
    """What the browser of ``seat`` gives to the shuffle of a deal."""
    return f"{0xC0FFEE00 + 16 * deal + seat:08x}" * 8


class Clock:
    """Milliseconds that only the test moves on."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now


class Hall:
    """A running service without its ticker: the test says when time passes."""

    def __init__(
        self, path: Path, *, bots: BotPool | None = None, clock: Clock | None = None, pace: float = 0.0
    ) -> None:
        self.path = path
        self.clock = clock or Clock()
        self.store = Store.open(path)
        self.service = Service(self.store, bots or BotPool(0), pace=pace, build="test", clock=self.clock)
        #: Who sits on which seat, by their ids; ``None``: somebody without a seat.
        self.ids: dict[int | None, str] = {None: WATCHER, **{seat: person(seat) for seat in range(5)}}
        self._streams: list[Stream] = []

    async def close(self) -> None:
        """End everything, as at the end of a process."""
        for stream in list(self._streams):
            await stream.leave()
        await self.service.stop()
        self.store.close()

    async def again(self, **options: Any) -> Hall:
        """The service stops, and a new one starts over the same store."""
        await self.close()
        return Hall(self.path, clock=self.clock, **options)

    # -- time ---------------------------------------------------------------------

    async def settle(self) -> None:
        """Let everything that goes on by itself come to rest."""
        while True:
            tasks = self.service._tasks | self.service._commands
            if not tasks:
                return
            await asyncio.wait(tasks)
            # What waits for these tasks gets its turn.
            await asyncio.sleep(0)

    async def passes(self, seconds: float, step: float = 1.0) -> None:
        """Time passes; the service looks at its clocks at each ``step``."""
        end = self.clock.now + round(seconds * 1000)
        while self.clock.now < end:
            self.clock.now = min(end, self.clock.now + round(step * 1000))
            self.service.tick()
            await self.settle()

    # -- tables -------------------------------------------------------------------

    async def table(
        self,
        rules: Rules,
        seats: str = "",
        *,
        start: bool = True,
        clock: str = "off",
        watch: bool = True,
        listed: bool = False,
        chat: bool = True,
        talk: bool = False,
        key: str = "",
    ) -> At:
        """Make a table; ``seats``: one sign per seat, ``p`` a person, ``b`` a bot, ``r`` a bot by chance, ``-`` free.

        The first person is the host.
        """
        seats = seats or "p" * rules.seats
        setups = []
        for number, sign in enumerate(seats):
            if sign == "p":
                setups.append(log.SeatSetup("person", NAMES[number], self.ids[number]))
            elif sign == "-":
                setups.append(log.SeatSetup("open"))
            else:
                level = {"b": "rules-of-thumb", "r": "random"}[sign]
                setups.append(log.SeatSetup("bot", f"Bot {number}", level=level))
        host = self.ids[seats.index("p")]
        setup = log.Created(rules.game, rules.to_dict(), rules.version, setups, host, clock, watch, listed, chat, talk)
        table, _ = await self.service.create(host, key or self.key(), setup, start)
        await self.settle()
        return await self.at(table)

    async def at(self, table: str) -> At:
        """The table of that name."""
        return At(self, table, await self.service.find(table))

    def key(self) -> str:
        """A key that was not used before."""
        return f"key-{next(_KEYS):06d}"

    async def rows(self, table: str, after: int = 0) -> list[log.Row]:
        """The stored log of a table."""
        return await self.store.read(store.read_log(table, after))


class Stream:
    """Somebody who follows a table as a browser does."""

    def __init__(self, hall: Hall, table: str, who: str | None, language: str, after: int | None) -> None:
        self.hall = hall
        self.who = who
        self.updates = hall.service.follow(table, who, language, after, 60.0)

    async def next(self) -> Any:
        """The next update."""
        while True:
            update = await asyncio.wait_for(anext(self.updates), 5)
            if update is not None:
                return json.loads(update)

    async def leave(self) -> None:
        """The browser is closed, or the network is gone."""
        if self in self.hall._streams:
            self.hall._streams.remove(self)
            closing: Any = self.updates
            await closing.aclose()


class At:
    """A table in a hall."""

    def __init__(self, hall: Hall, table: str, live: Live) -> None:
        self.hall = hall
        self.id = table
        self._live = live

    @property
    def live(self) -> Live:
        """The table as it is in memory now; it may have been read anew."""
        self._live = self.hall.service._tables.get(self.id, self._live)
        return self._live

    @property
    def table(self) -> Table:
        """The table in memory."""
        return self.live.table

    @property
    def deal(self) -> Deal[Any]:
        """The deal in progress."""
        assert self.table.match is not None
        assert self.table.match.deal is not None
        return self.table.match.deal

    async def follow(self, *seats: int | None, language: str = "en", after: int | None = None) -> list[Stream]:
        """People (``None``: a spectator) open the table; returns when each has got the first update."""
        made = []
        for seat in seats:
            stream = Stream(self.hall, self.id, self.hall.ids[seat], language, after)
            self.hall._streams.append(stream)
            await stream.next()
            made.append(stream)
        await self.hall.settle()
        return made

    async def do(
        self,
        seat: int | None,
        command: AnyCommand,
        *,
        key: str = "",
        expect: int | None = -1,
        who: str = "",
        settle: bool = True,
    ) -> tuple[int, bool]:
        """A command of the person of ``seat``; ``expect`` is the head as it is, if nothing else is said."""
        sender = who or self.hall.ids[seat]
        name = "Fajar" if seat is None else NAMES[seat]
        found = await self.hall.service.command(
            self.id, sender, name, key or self.hall.key(), self.table.head if expect == -1 else expect, command
        )
        if settle:
            await self.hall.settle()
        return found

    async def look(self, seat: int | None, *, after: int | None = None, language: str = "en") -> Any:
        """What the person of ``seat`` (``None``: a spectator) is told now."""
        return json.loads(await self.bytes(seat, after=after, language=language))

    async def bytes(self, seat: int | None, *, after: int | None = None, language: str = "en") -> bytes:
        """The same as it goes over the wire."""
        return await self.hall.service.update(self.live, self.hall.ids[seat], language, after)

    async def ready(self, *seats: int) -> None:
        """People say that they are ready; all for whom no bot plays, if nobody is named."""
        for seat in seats or [seat for seat in self.table.people if self.table.seats[seat].plays]:
            if self.table.status == "between" and not self.table.seats[seat].ready:
                await self.do(seat, Ready(seed_of(seat, self.table.deal_number + 1)))

    async def play(self, choose: Callable[[Deal[Any]], Any]) -> None:
        """The person to act acts as ``choose`` says."""
        seat, deal = self.table.to_act, self.deal
        assert seat is not None
        await self.do(seat, Act(deal.text(choose(deal))))

    async def step(self, choose: Callable[[Deal[Any]], Any]) -> None:
        """Whatever comes next: people get ready, or one of them acts."""
        if self.table.status == "between":
            await self.ready()
        else:
            await self.play(choose)

    async def finish(self, choose: Callable[[Deal[Any]], Any], most: int = 5000) -> None:
        """Play to the end of the match."""
        for _ in range(most):
            if self.table.over:
                return
            await self.step(choose)
        raise AssertionError("the match does not end")


@asynccontextmanager
async def opened(path: Path, **options: Any) -> AsyncIterator[Hall]:
    """A hall for the length of a block."""
    hall = Hall(path, **options)
    try:
        yield hall
    finally:
        await hall.close()


def by_chance(rng: Rng) -> Callable[[Deal[Any]], Any]:
    """Any legal action; of a lazy list a drawn one."""

    def choose(deal: Deal[Any]) -> Any:
        legal = deal.legal_actions()
        sample = getattr(legal, "sample", None)
        return legal[rng.below(len(legal))] if sample is None else sample(rng)

    return choose


def by_thumb(rng: Rng) -> Callable[[Deal[Any]], Any]:
    """What a sensible bot does: matches come to an end."""

    def pick(deal: Deal[Any]) -> Any:
        return choose(RULES_OF_THUMB, deal.view(deal.to_act), rng.next32())

    return pick


def short(game: str, seats: int | None = None, **options: Any) -> Rules:
    """Rules by which a match does not last long."""
    least: dict[str, dict[str, Any]] = {
        "bassadewitz": {"deals": seats or 4},
        "calabresella": {"deals": seats or 3},
        "kaluki": {"target": 100},
        "smear": {"target": 7},
    }
    return make_rules(game, seats, **{**least[game], **options})


def encoded(value: Any) -> bytes:
    """Something as it goes over the wire."""
    return msgspec.json.encode(value)


def kinds(steps: Sequence[Any]) -> list[str]:
    """The kinds of some steps of an update."""
    return [step["kind"] for step in steps]
