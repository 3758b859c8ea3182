"""The generators of load: many tables at a steady pace, and many matches to their end.

Each runs in a process of its own and talks to the benchmark over a pipe.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from heapq import heappop, heappush
from multiprocessing.connection import Connection
from typing import Any, Final

import msgspec
from table_client import Faults, Http, Seen, Stream, command, in_turn

#: One table in ten is quick, and gets half of all moves: it goes through several deals while this lasts.
_QUICK: Final = 10
#: How long to wait for what is still on its way, in seconds.
_REST: Final = 20.0
#: The shortest match of each game, as (seats, options).
SHORT: Final[dict[str, tuple[int, dict[str, Any]]]] = {
    "bassadewitz": (3, {"deals": 3}),
    "calabresella": (3, {"deals": 3}),
    "smear": (3, {"target": 7}),
    "kaluki": (2, {"target": 100}),
}


@dataclass(slots=True)
class Load:
    """What a generator has to do. ``rate``: moves a second, all tables together."""

    port: int
    tables: int
    seats: int
    games: tuple[str, ...]
    rate: float
    seconds: float
    warm: float
    seed: int


@dataclass(slots=True)
class Result:
    """What it saw. Times are in seconds."""

    latencies: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    connections: int = 0
    sent: int = 0
    done: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    missing: int = 0
    deals: int = 0
    updates: int = 0
    bytes: int = 0
    seconds: float = 0.0
    faults: Faults = field(default_factory=Faults)


@dataclass(slots=True)
class _Move:
    """A move on its way: when it was sent, and how many seats have it."""

    sent: float
    counts: bool
    seats: int = 0


class LoadTable:
    """A table of the load: its people, their streams, and what may be played."""

    def __init__(self, number: int, game: str, quick: bool) -> None:
        self.number = number
        self.game = game
        self.quick = quick
        self.id = ""
        self.cookies: list[str] = []
        self.streams: list[Stream] = []
        self.turn: tuple[int, int, list[str]] | None = None
        self.waiting: dict[int, _Move] = {}
        self.readied: set[int] = set()
        self.acted = -1
        self.deals = 0

    async def make(self, http: Http, seats: int) -> None:
        """Make people and table; everybody sits down, the match begins."""
        self.cookies = [await http.guest(f"P{self.number}-{seat}") for seat in range(seats)]
        body = {
            "key": secrets.token_hex(8),
            "game": self.game,
            "seats": seats,
            "others": [{"kind": "open"}] * (seats - 1),
        }
        self.id = (await http.post("/api/tables", self.cookies[0], body))["table"]
        for seat in range(1, seats):
            await self.do(http, seat, None, {"do": "sit", "seat": seat})
        await self.do(http, 0, None, {"do": "start"})

    async def do(self, http: Http, seat: int, head: int | None, what: dict[str, Any]) -> Any:
        """Send a command that must succeed."""
        return await http.post(f"/api/tables/{self.id}/commands", self.cookies[seat], command(head, what))


class Generator:
    """Makes tables, connects every seat, and plays at a steady pace whatever the server does."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.http = Http(load.port, 64)
        self.result = Result()
        self.choose = random.Random(load.seed)
        self.tables: list[LoadTable] = []
        self.due: list[tuple[float, int, LoadTable]] = []
        self._count = 0
        self._counts = False
        self._playing = False
        self._jobs: set[asyncio.Task[None]] = set()
        self._refused: Counter[str] = Counter()

    async def make(self) -> None:
        """People and tables, nobody connected yet."""
        games = self.load.games
        # A prime step keeps the quick tables from being all of one game.
        self.tables = [
            LoadTable(number, games[number % len(games)], number * 7 % _QUICK < 1) for number in range(self.load.tables)
        ]
        await in_turn(self.tables, lambda table: table.make(self.http, self.load.seats), 32)

    async def connect(self) -> None:
        """A stream for every seat."""

        async def connect(table: LoadTable) -> None:
            for seat in range(self.load.seats):
                stream = await Stream.open(
                    self.load.port, table.id, table.cookies[seat], self._follower(table, seat), self.result.faults
                )
                table.streams.append(stream)

        await in_turn(self.tables, connect, 24)
        self.result.connections = sum(len(table.streams) for table in self.tables)

    def _follower(self, table: LoadTable, seat: int) -> Callable[[Seen, float], None]:
        def told(update: Seen, at: float) -> None:
            for step in update.steps:
                move = table.waiting.get(step.seq)
                if move is None:
                    continue
                move.seats += 1
                if move.seats == self.load.seats:
                    del table.waiting[step.seq]
                    if move.counts:
                        self.result.latencies.append(at - move.sent)
            if update.state.status == "playing":
                table.readied.discard(seat)
            if update.state.can.ready and self._playing and seat not in table.readied:
                table.readied.add(seat)
                if seat == 0:
                    table.deals += 1
                self._run(self._ready(table, seat, update.head))
            if update.view is not None and update.view.legal and update.head > table.acted:
                fresh = table.turn is None
                table.turn = (seat, update.head, update.view.legal)
                if fresh:
                    self._count += 1
                    pause = self.choose.expovariate(self._pace(table))
                    heappush(self.due, (time.perf_counter() + pause, self._count, table))

        return told

    def _pace(self, table: LoadTable) -> float:
        """How many moves a second a table makes by itself; together they make the rate."""
        quick = self.load.tables / _QUICK
        return self.load.rate / 2 / (quick if table.quick else self.load.tables - quick)

    async def _ready(self, table: LoadTable, seat: int, head: int) -> None:
        what = {"do": "ready", "seed": secrets.token_hex(32)}
        answer = await self.http.ask(
            "POST", f"/api/tables/{table.id}/commands", table.cookies[seat], command(head, what)
        )
        if answer.status not in (200, 201):
            # The pause between deals can end just before: then there is nothing to be ready for.
            self._refused[f"ready {answer.status}"] += 1

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)

    async def deal(self) -> None:
        """Everybody is ready for the first deal."""
        self._playing = True
        seats = [(table, seat) for table in self.tables for seat in range(self.load.seats)]
        for table, seat in seats:
            table.readied.add(seat)
        await in_turn(seats, lambda pair: self._ready(*pair, pair[0].streams[pair[1]].head or 0), 32)

    async def play(self) -> None:
        """Warm up, then measure; at the end wait for everything that is on its way."""
        began = time.perf_counter()
        measured = began + self.load.warm
        end = measured + self.load.seconds
        following, now = began, began
        while now < end:
            self._counts = now >= measured
            while following <= now and self.due:
                if self._counts:
                    self.result.late.append(now - following)
                following += 1 / self.load.rate
                self._fire(heappop(self.due)[2])
            # Where nobody may move the pace cannot be held, and the rate that is printed says so.
            following = max(now, following)
            await asyncio.sleep(max(0.0005, min(following, end) - now))
            now = time.perf_counter()
        self.result.seconds = self.load.seconds
        self._counts = self._playing = False
        until = now + _REST
        while time.perf_counter() < until and (self._jobs or any(table.waiting for table in self.tables)):
            await asyncio.sleep(0.05)

    def _fire(self, table: LoadTable) -> None:
        assert table.turn is not None
        seat, head, legal = table.turn
        table.turn, table.acted = None, head
        move = _Move(time.perf_counter(), self._counts)
        table.waiting[head + 1] = move
        self.result.sent += move.counts
        self._run(self._act(table, seat, head, self.choose.choice(legal), move))

    async def _act(self, table: LoadTable, seat: int, head: int, action: str, move: _Move) -> None:
        answer = await self.http.ask(
            "POST",
            f"/api/tables/{table.id}/commands",
            table.cookies[seat],
            command(head, {"do": "act", "action": action}),
        )
        if answer.status != 201 or msgspec.json.decode(answer.body)["seq"] != head + 1:
            table.waiting.pop(head + 1, None)
            self._refused[f"act {answer.status}"] += 1
            self.result.faults.note(f"{table.game}: {action}: {answer.status} {answer.body[:200]!r}")
        elif move.counts:
            self.result.done += 1
            self.result.answers.append(time.perf_counter() - move.sent)

    async def check(self) -> None:
        """What the streams told must be all there is: compare with the tables as they stand."""
        result = self.result
        result.missing = sum(len(table.waiting) for table in self.tables)

        async def look(table: LoadTable) -> None:
            answer = await self.http.ask("GET", f"/api/tables/{table.id}", table.cookies[0])
            head = msgspec.json.decode(answer.body, type=Seen).head
            for stream in table.streams:
                if stream.head != head:
                    result.faults.gaps += 1
                    result.faults.note(f"table {table.id} stands at {head}, a stream at {stream.head}")

        await asyncio.sleep(1.0)
        await in_turn(self.tables, look, 16)
        streams = [stream for table in self.tables for stream in table.streams]
        result.refused = dict(self._refused)
        result.updates = sum(stream.updates for stream in streams)
        result.bytes = sum(stream.bytes for stream in streams)
        result.deals = sum(table.deals for table in self.tables)

    def close(self) -> None:
        """Everybody leaves."""
        for table in self.tables:
            for stream in table.streams:
                stream.close()
        self.http.close()


def generate(pipe: Connection, load: Load) -> None:
    """The process of a generator: each phase waits for a word from the benchmark and reports its end."""

    async def run() -> None:
        generator = Generator(load)
        phases = (generator.make, generator.connect, generator.deal, generator.play, generator.check)
        try:
            for phase in phases:
                await asyncio.to_thread(pipe.recv)
                await phase()
                pipe.send(None)
        finally:
            generator.close()
        pipe.send(generator.result)

    asyncio.run(run())


# -- matches to their end ---------------------------------------------------------------


class MatchPlayer:
    """One seat of a match, playing at once whatever is legal."""

    def __init__(self, http: Http, cookie: str, choose: random.Random, faults: Faults) -> None:
        self.http = http
        self.cookie = cookie
        self.choose = choose
        self.faults = faults
        self.table = ""
        self.moves = 0
        self._sent = -1
        self._ready = False
        self._over = asyncio.Event()
        self._jobs: set[asyncio.Task[None]] = set()

    async def follow(self, port: int, table: str) -> None:
        """Play a table to the end of its match."""
        self.table, self._sent, self._ready = table, -1, False
        self._over.clear()
        stream = await Stream.open(port, table, self.cookie, self._told, self.faults)
        try:
            await asyncio.wait_for(self._over.wait(), 300)
        finally:
            stream.close()

    def _told(self, update: Seen, _at: float) -> None:
        if update.state.status in ("finished", "closed"):
            self._over.set()
        if update.head <= self._sent:
            return
        if update.state.status != "between":
            self._ready = False
        if update.state.can.ready and not self._ready:
            self._ready = True
            what = {"do": "ready", "seed": secrets.token_hex(32)}
        elif update.view is not None and update.view.legal:
            # Who bids high at random loses what others win, and no match would end.
            legal = update.view.legal[:2] if "pass" in update.view.legal else update.view.legal
            what = {"do": "act", "action": self.choose.choice(legal)}
            self.moves += 1
        else:
            return
        self._sent = update.head
        task = asyncio.ensure_future(self._send(update.head, what))
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)

    async def _send(self, head: int, what: dict[str, Any]) -> None:
        answer = await self.http.ask("POST", f"/api/tables/{self.table}/commands", self.cookie, command(head, what))
        if answer.status not in (200, 201) and what["do"] == "act":
            self.faults.note(f"{what}: {answer.status} {answer.body[:200]!r}")
            self.faults.broken += 1


async def _match(port: int, http: Http, players: list[MatchPlayer], game: str, alone: bool) -> None:
    seats, options = SHORT[game]
    other = {"kind": "bot", "level": "rules-of-thumb"} if alone else {"kind": "open"}
    body = {
        "key": secrets.token_hex(8),
        "game": game,
        "seats": seats,
        "options": options,
        "others": [other] * (seats - 1),
        "start": alone,
    }
    table = (await http.post("/api/tables", players[0].cookie, body))["table"]
    playing = players[:1] if alone else players[:seats]
    if not alone:
        for seat, player in enumerate(playing[1:], 1):
            await http.post(f"/api/tables/{table}/commands", player.cookie, command(None, {"do": "sit", "seat": seat}))
        await http.post(f"/api/tables/{table}/commands", players[0].cookie, command(None, {"do": "start"}))
    await asyncio.gather(*(player.follow(port, table) for player in playing))


def play_matches(pipe: Connection, port: int, count: int, width: int, seed: int) -> None:
    """The process that plays ``count`` matches, ``width`` at a time, and tells of each that ends."""

    async def run() -> None:
        http, faults = Http(port, 32), Faults()
        numbers = iter(range(count))

        async def work(number: int) -> None:
            choose = random.Random(seed * 1000 + number)
            players = [MatchPlayer(http, await http.guest(f"M{number}-{seat}"), choose, faults) for seat in range(3)]
            for match in numbers:
                # Half of the matches are against bots, Kaluki always: people who play at random never go out.
                game = list(SHORT)[match % len(SHORT)]
                await _match(port, http, players, game, alone=game == "kaluki" or match // len(SHORT) % 2 == 0)
                pipe.send(sum(player.moves for player in players))
                for player in players:
                    player.moves = 0

        await asyncio.gather(*(work(number) for number in range(width)))
        http.close()
        pipe.send(faults)

    asyncio.run(run())
