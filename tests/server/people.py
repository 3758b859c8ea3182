"""People at tables, as careful as a browser: commands repeated until answered, streams resumed and checked."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Self

import httpx

#: Seats and options that make a match short, by game.
SHORT: Final[Mapping[str, tuple[int, dict[str, Any]]]] = {
    "bassadewitz": (4, {"deals": 4}),
    "calabresella": (3, {"deals": 3}),
    "kaluki": (3, {"target": 100}),
    "smear": (3, {"target": 7}),
}
BOT: Final = {"kind": "bot", "level": "rules-of-thumb"}
OPEN: Final = {"kind": "open"}
_PAUSE: Final = 0.05


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    headers: httpx.Headers
    body: bytes

    @property
    def json(self) -> Any:
        """The body's JSON value."""
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of an error."""
        code: str = self.json["error"]["code"]
        return code


@dataclass(frozen=True, slots=True)
class Heard:
    """Bytes that a person got, with headers: for what request, with what body, and when."""

    what: str
    data: bytes
    at: float
    sent: str = ""


class Person:
    """Somebody with a browser. Use it as an async context manager."""

    def __init__(self, url: str, name: str = "", language: str = "en", *, keep_alive: bool = True) -> None:
        """``name`` empty: nobody has signed in."""
        self.name = name
        self.language = language
        self.http = httpx.AsyncClient(
            base_url=url,
            timeout=httpx.Timeout(10, read=40),
            limits=httpx.Limits() if keep_alive else httpx.Limits(max_keepalive_connections=0),
            headers={"accept-language": language},
            trust_env=False,
        )
        #: All bytes that came back.
        self.tape: list[Heard] = []
        #: What was promised: the seq of each done command by (table, key); and the keys that were refused.
        self.done: dict[tuple[str, str], int] = {}
        self.refused: set[tuple[str, str]] = set()
        self.doubted = 0
        self._keys = itertools.count()
        self._salt = random.randrange(10**9)

    async def __aenter__(self) -> Self:
        """Sign in, where there is a name."""
        if self.name:
            answer = await self.sure("POST", "/api/me", {"name": self.name})
            assert answer.status == 200, answer.body
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the browser."""
        await self.http.aclose()

    @property
    def cookie(self) -> str:
        """The token in the cookie."""
        return self.http.cookies.get("meja") or ""

    def key(self) -> str:
        """A key that nobody used before."""
        return f"key-{self._salt}-{next(self._keys)}"

    async def request(
        self, method: str, path: str, body: Any = None, *, headers: Mapping[str, str] | None = None, **params: Any
    ) -> Answer:
        """One request, whatever comes of it."""
        response = await self.http.request(
            method,
            path,
            json=body,
            params={name: value for name, value in params.items() if value is not None} or None,
            headers=dict(headers or {}),
        )
        self.hear(f"{method} {path}", response.headers, response.content, json.dumps(body))
        return Answer(response.status_code, response.headers, response.content)

    def hear(self, what: str, headers: httpx.Headers, body: bytes, sent: str = "") -> None:
        """Keep what came."""
        shown = b"".join(
            b"%s: %s\n" % pair for pair in headers.raw if pair[0].lower() not in (b"set-cookie", b"content-length")
        )
        self.tape.append(Heard(what, shown + b"\n" + body, time.time(), sent))

    async def sure(self, method: str, path: str, body: Any = None, *, seconds: float = 30.0, **params: Any) -> Answer:
        """A request that is repeated, as it is, until there is an answer that is one."""
        end = time.monotonic() + seconds
        while True:
            try:
                answer = await self.request(method, path, body, **params)
                if answer.status not in (429, 503):
                    return answer
            except httpx.TransportError:
                # It may have arrived or not: that is what keys are for.
                self.doubted += 1
            assert time.monotonic() < end, f"no answer to {method} {path} within {seconds} s"
            await asyncio.sleep(_PAUSE)

    async def do(self, table: str, expect: int | None, *, key: str = "", **command: Any) -> Answer:
        """Do a command until it is answered, and note what was promised."""
        key = key or self.key()
        body = {"key": key, "expect": expect, "command": command}
        answer = await self.sure("POST", f"/api/tables/{table}/commands", body)
        if command["do"] == "rematch" and answer.status == 200:
            # Somebody else was quicker: there is a next table already.
            return answer
        return self.note(table, key, answer)

    def note(self, table: str, key: str, answer: Answer) -> Answer:
        """Note what an answer promises about a key."""
        if answer.status in (200, 201):
            seq = answer.json["seq"]
            assert self.done.setdefault((table, key), seq) == seq, "another seq for the same key"
            self.refused.discard((table, key))
        elif (table, key) not in self.done:
            self.refused.add((table, key))
        return answer

    async def make_table(self, game: str, others: Sequence[Mapping[str, str]], **more: Any) -> str:
        """Make a table with a short match."""
        seats, options = SHORT[game]
        body = {"key": self.key(), "game": game, "seats": seats, "options": options, "others": list(others)} | more
        answer = await self.sure("POST", "/api/tables", body)
        assert answer.status in (200, 201), answer.body
        table: str = answer.json["table"]
        return table

    async def update(self, table: str, **params: Any) -> Any:
        """The table now."""
        answer = await self.sure("GET", f"/api/tables/{table}", **params)
        assert answer.status == 200, answer.body
        return answer.json


class Follower:
    """Follows a table: each step must come once, in order, none missing, whatever happens to the network.

    ``patience``: seconds of silence after which the stream is given up and a new one is opened.
    """

    def __init__(
        self, person: Person, table: str, *, after: int | None = None, patience: float = 40.0, poll: bool = False
    ) -> None:
        self.person = person
        self.table = table
        self.head = after
        self.patience = patience
        self.poll = poll
        self.steps: dict[int, Any] = {}
        self.last: Any = None
        #: When each connection was lost and when the next update came, in seconds of the monotonic clock.
        self.breaks: list[tuple[float, float]] = []
        self.gone: Any = None
        self.byes = 0
        #: From the first update to the end, in seconds of the monotonic clock.
        self.life = [0.0, float("inf")]
        self._lost: float | None = None
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Begin to follow."""
        self._task = asyncio.create_task(self._follow())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Follow no longer; what was wrong with a step is raised here."""
        assert self._task is not None
        self.life[1] = time.monotonic()
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self.check()

    async def until(self, condition: Callable[[Any], bool], seconds: float = 30.0) -> Any:
        """The first update from now on for which ``condition`` holds; the last one may do."""
        end = time.monotonic() + seconds
        while True:
            self.check()
            news = self._news
            if self.last is not None and condition(self.last):
                return self.last
            left = end - time.monotonic()
            assert left > 0, f"it did not come to that within {seconds} s: {self.last and self.last['state']}"
            with contextlib.suppress(TimeoutError):
                # Not ``wait_for``: before Python 3.12 it can swallow that its task is cancelled.
                async with asyncio.timeout(min(left, 1.0)):
                    await news.wait()

    def check(self) -> None:
        """Raise what was wrong with a step, if anything."""
        if self._task is not None and self._task.done() and not self._task.cancelled():
            error = self._task.exception()
            if error is not None:
                raise error

    async def _follow(self) -> None:
        while self.gone is None:
            if self._lost is None:
                self._lost = time.monotonic()
            with contextlib.suppress(httpx.TransportError, TimeoutError):
                await (self._poll_once() if self.poll else self._stream_once())
            await asyncio.sleep(_PAUSE)

    async def _stream_once(self) -> None:
        params = {"table": self.table} | ({} if self.head is None else {"after": str(self.head)})
        headers = {"last-event-id": str(self.head)} if self.head is not None else {}
        async with self.person.http.stream("GET", "/api/stream", params=params, headers=headers) as response:
            if response.status_code != 200:
                await response.aread()
                self._refused(response)
                return
            self.person.hear("stream", response.headers, b"")
            async for event in self._events(response):
                if event.get("event") == "update":
                    update = json.loads(event["data"])
                    assert event["id"] == str(update["head"])
                    self.take(update)
                elif event.get("event") == "gone":
                    self.gone = json.loads(event["data"])["error"]
                    self._tell()
                    return
                elif event.get("event") == "bye":
                    self.byes += 1
                    return

    def _refused(self, response: httpx.Response) -> None:
        self.person.hear("stream", response.headers, response.content)
        if response.status_code not in (429, 503):
            self.gone = response.json()["error"]
            self._tell()

    async def _events(self, response: httpx.Response) -> AsyncIterator[dict[str, str]]:
        buffer = b""
        chunks = response.aiter_bytes()
        while True:
            try:
                async with asyncio.timeout(self.patience):
                    chunk = await anext(chunks)
            except StopAsyncIteration:
                return
            buffer += chunk
            while b"\n\n" in buffer:
                block, _, buffer = buffer.partition(b"\n\n")
                self.person.hear("stream", httpx.Headers(), block)
                event: dict[str, str] = {}
                for line in block.decode().split("\n"):
                    name, _, value = line.partition(":")
                    event[name] = value.removeprefix(" ")
                if "event" in event:
                    yield event

    async def _poll_once(self) -> None:
        params = {"wait": "5"} | ({} if self.head is None else {"after": str(self.head)})
        async with asyncio.timeout(self.patience):
            response = await self.person.http.get(f"/api/tables/{self.table}/events", params=params)
        if response.status_code != 200:
            self._refused(response)
            return
        self.person.hear("poll", response.headers, response.content)
        self.take(response.json())

    def take(self, update: Any) -> None:
        """Take an update, and check that it goes on where the last one ended."""
        assert update["table"] == self.table
        if self.head is None:
            assert update["after"] is None
            assert update["steps"] == []
        else:
            assert update["after"] == self.head, "the server did not go on where this browser stood"
            seqs = [step["seq"] for step in update["steps"]]
            assert seqs == list(range(self.head + 1, update["head"] + 1)), f"a gap in the steps: {self.head}, {seqs}"
            self.steps |= {step["seq"]: step for step in update["steps"]}
        self.head = update["head"]
        self.life[0] = self.life[0] or time.monotonic()
        self.last = update
        if self._lost is not None:
            self.breaks.append((self._lost, time.monotonic()))
            self._lost = None
        self._tell()

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()


def after_deals(count: int) -> Callable[[Any], bool]:
    """Whether so many deals are over, or the match is."""
    return lambda update: bool(update["state"]["status"] == "finished" or update["state"]["deal"] > count)


def choice(update: Any, rng: random.Random) -> dict[str, Any] | None:
    """What a person does now at a table, if anything is asked of them."""
    state, view = update["state"], update["view"]
    if state["can"]["ready"]:
        return {"do": "ready", "seed": f"{rng.getrandbits(256):064x}"}
    if state["can"]["retake"]:
        return {"do": "retake"}
    if state["can"]["claim"]:
        return {"do": "claim"}
    if view is None or not view["legal"]:
        return None
    # Melds go first: a match of rummy must end some time.
    laying = [action for action in view["legal"] if action.split()[0] in ("open", "meld", "lay", "layoff", "swap")]
    return {"do": "act", "action": rng.choice(laying or view["legal"])}


@dataclass(slots=True)
class Player:
    """Somebody who plays a match by what the stream shows; ``twice`` is how often a POST is sent twice at once."""

    person: Person
    follower: Follower
    rng: random.Random
    twice: float = 0.0
    moves: int = 0
    answers: dict[int, int] = field(default_factory=dict)

    async def play(self, over: Callable[[Any], bool] = lambda update: update["state"]["status"] == "finished") -> None:
        """Play until ``over``."""
        while True:
            update = await self.follower.until(lambda made: over(made) or choice(made, self.rng) is not None, 60)
            if over(update):
                return
            await self.turn(update)

    async def turn(self, update: Any) -> None:
        """Do what is asked of this person now, once, and wait until the stream shows it."""
        command = choice(update, self.rng)
        if command is None:
            return
        table, head, key = self.follower.table, update["head"], self.person.key()
        count = 2 if self.rng.random() < self.twice else 1
        answers = await asyncio.gather(*(self.person.do(table, head, key=key, **command) for _ in range(count)))
        if count == 2 and answers[0].status < 300:
            assert answers[1].status < 300, "the second click was refused"
        for answer in answers:
            self.answers[answer.status] = self.answers.get(answer.status, 0) + 1
        answer = answers[0]
        if answer.status < 300:
            self.moves += 1
            seq = answer.json["seq"]
            await self.follower.until(lambda made: made["head"] >= seq)
        else:
            # Somebody was quicker: a clock, another browser of this person, the host.
            assert answer.status in (409, 422), answer.body
            await self.follower.until(lambda made: made is not update)


@asynccontextmanager
async def party(
    url: str, game: str, people: int, rng: random.Random, *, twice: float = 0.0, **more: Any
) -> AsyncIterator[tuple[str, list[Player]]]:
    """A table of ``game`` where the first seats are people who follow it, the others bots; the match has begun."""
    seats = SHORT[game][0]
    persons = [await Person(url, f"{game[:4]} {number}").__aenter__() for number in range(people)]
    followers: list[Follower] = []
    try:
        others = [OPEN] * (people - 1) + [BOT] * (seats - people)
        table = await persons[0].make_table(game, others, **more)
        for seat, person in enumerate(persons[1:], 1):
            assert (await person.do(table, None, do="sit", seat=seat)).status == 201
        assert (await persons[0].do(table, None, do="start")).status == 201
        followers = [await Follower(person, table).__aenter__() for person in persons]
        yield (
            table,
            [Player(who, link, rng, twice) for who, link in zip(persons, followers, strict=True)],
        )
    finally:
        for follower in followers:
            await follower.__aexit__(None, None, None)
        for person in persons:
            await person.__aexit__(None, None, None)
