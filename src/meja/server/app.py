"""The table over HTTP: routes, and how errors are answered."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import logging
import math
import re
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from typing import Any, Final, TypeVar

import msgspec
import segno
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from meja import __version__
from meja.errors import IllegalAction, MejaError, RecordError
from meja.games import game
from meja.games import games as game_names
from meja.language import LANGUAGES, Language
from meja.messages import Message, msg
from meja.narration.house_rules import changed
from meja.narration.style import Style
from meja.record import loads
from meja.server import games, openapi
from meja.server.assets import Assets, File
from meja.server.limits import Buckets
from meja.server.messages import (
    CommandRequest,
    DoneAnswer,
    Empty,
    ErrorAnswer,
    ErrorBody,
    HealthAnswer,
    ListedSeat,
    ListedTable,
    MeAnswer,
    NameRequest,
    PersonOut,
    RecoverRequest,
    RecoveryAnswer,
    ReplayRequest,
    RulesRequest,
    TableAnswer,
    TableRequest,
    TablesAnswer,
)
from meja.server.security import Headers, foreign_origin, header, too_long, too_many_headers
from meja.server.selfcheck import KERNELS, LONGEST_PAUSE, SelfcheckStream
from meja.server.selfcheck import answer as selfcheck_answer
from meja.server.stream import EventStream
from meja.table import log, store
from meja.table.accounts import Accounts, Person
from meja.table.commands import Chat, NotYours, Phrase, Refusal
from meja.table.open_replay import replay
from meja.table.people import CLOCKS, bot_name, is_level
from meja.table.service import Archived, NotFound, Service, Stale
from meja.table.store import Damaged, StorageFault
from meja.table.update import PROTOCOL

_LOG: Final = logging.getLogger("meja.server")
T = TypeVar("T")

#: Bytes of a request's body; records may be longer.
BODY: Final = 16 * 1024
RECORD_BODY: Final = 1024 * 1024
_STYLE: Final = Style(signs=True)
_COOKIE: Final = "meja"
_YEAR: Final = 400 * 24 * 3600
_LISTED: Final = 60
_LONGEST_WAIT: Final = 25.0
_BIG: Final = 1400
_PAGES: Final = (
    "/",
    "/new/{game}",
    "/t/{table}",
    "/rules/{game}",
    "/tables",
    "/mine",
    "/replay",
    "/verify",
    "/about",
    "/recover",
    "/settings",
)


class Trouble(Exception):
    """A request that is answered with an error: ``status``, a stable code, a sentence."""

    def __init__(self, status: int, code: str, text: Message, **more: Any) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.text = text
        self.more = more


@dataclass(frozen=True, slots=True)
class Config:
    """How the service is served.

    ``heartbeat``: seconds between signs of life on a stream. ``public_url``: the address that
    people use, for invitations, where it is not the one the server is asked by.
    """

    heartbeat: float = 15.0
    limits: bool = True
    public_url: str = ""


class Site:
    """The routes over a service."""

    def __init__(self, service: Service, accounts: Accounts, assets: Assets, config: Config) -> None:
        self.service = service
        self.accounts = accounts
        self.assets = assets
        self.config = config
        self.buckets = Buckets(config.limits)

    # -- what every request has ---------------------------------------------------

    def language(self, request: Request) -> Language:
        """The language that a request asks for, else the browser's, else English."""
        code = request.query_params.get("lang")
        if code not in LANGUAGES:
            first = request.headers.get("accept-language", "").strip().lower()[:2]
            code = "id" if first in ("id", "in") else "en"
        return Language(code, card=_STYLE.card)

    def _cookie_name(self, request: Request) -> str:
        # The prefix makes browsers refuse the cookie from anywhere but this very host over https.
        return f"__Host-{_COOKIE}" if request.scope["scheme"] == "https" else _COOKIE

    def _token(self, request: Request) -> str:
        return request.cookies.get(self._cookie_name(request), "")

    async def person(self, request: Request) -> Person | None:
        """Who sent the request, if this browser is signed in."""
        token = self._token(request)
        return await self.accounts.of_token(token) if token else None

    async def somebody(self, request: Request) -> Person:
        """Who sent the request; raises where nobody is signed in."""
        person = await self.person(request)
        if person is None:
            raise Trouble(401, "no-person", msg("Say your name first."))
        return person

    def _address(self, request: Request) -> str:
        return request.client.host if request.client is not None else "?"

    def limit(self, kind: str, who: str) -> None:
        """Take one token of a limit; raises where there is none."""
        wait = self.buckets.take(kind, who)
        if wait > 0:
            raise Trouble(429, "too-many", msg("That was too quick. Wait a moment and try again."), wait=wait)

    async def body(self, request: Request, kind: type[T], most: int = BODY) -> T:
        """The request's body; raises for a foreign origin, another type, too much, or what does not fit."""
        if foreign_origin(request.scope):
            raise Trouble(403, "origin", msg("The request came from another site."))
        if header(request.scope, b"content-type").split(";")[0].strip().lower() != "application/json":
            raise Trouble(415, "type", msg("The body must be JSON (Content-Type: application/json)."))
        length = header(request.scope, b"content-length")
        if length.isdigit() and int(length) > most:
            raise Trouble(413, "too-large", msg("The request is too large; at most {bytes} bytes.", bytes=most))
        data = bytearray()
        async for chunk in request.stream():
            data += chunk
            if len(data) > most:
                raise Trouble(413, "too-large", msg("The request is too large; at most {bytes} bytes.", bytes=most))
        try:
            return msgspec.json.decode(bytes(data), type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Trouble(400, "malformed", msg("The request is malformed: {error}", error=str(error))) from None

    # -- answers ------------------------------------------------------------------

    def json(self, request: Request, answer: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
        """An answer as JSON, compressed where it is long."""
        body = answer if isinstance(answer, bytes) else msgspec.json.encode(answer)
        made = {"cache-control": "no-store", **(headers or {})}
        if len(body) > _BIG and "gzip" in request.headers.get("accept-encoding", ""):
            body = gzip.compress(body, 5, mtime=0)
            made |= {"content-encoding": "gzip", "vary": "accept-encoding"}
        return Response(body, status, made, "application/json")

    def file(self, request: Request, found: File, cache: str) -> Response:
        """A file, compressed where the browser takes that."""
        headers = {"cache-control": cache, "vary": "accept-encoding"}
        if found.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(found.packed, headers={**headers, "content-encoding": "gzip"}, media_type=found.type)
        return Response(found.body, headers=headers, media_type=found.type)

    def trouble(self, request: Request, error: Exception) -> Response:
        """The answer to a request that failed."""
        language = self.language(request)
        status, body, headers = self._fault(error, language)
        return self.json(request, ErrorAnswer(body), status, headers)

    def _fault(self, error: Exception, language: Language) -> tuple[int, ErrorBody, dict[str, str]]:
        say = language.sentence
        match error:
            case Trouble():
                wait = error.more.get("wait")
                headers = {} if wait is None else {"retry-after": str(max(1, round(wait + 0.5)))}
                return error.status, ErrorBody(error.code, say(error.text)), headers
            case Stale():
                text = msg("The table has moved on meanwhile.")
                return 409, ErrorBody("stale", say(text), head=error.head), {}
            case NotYours():
                return 403, ErrorBody(error.code, say(error.text)), {}
            case Refusal():
                return 422, ErrorBody(error.code, say(error.text), error.rule), {}
            case IllegalAction():
                return 422, ErrorBody(error.code, say(error.reason.text), error.rule), {}
            case NotFound():
                return 404, ErrorBody(error.code, say(error.text)), {}
            case Damaged():
                _LOG.error("storage: %s", error)
                return 422, ErrorBody("damaged", say(error.text)), {}
            case StorageFault():
                _LOG.error("storage: %s", error)
                text = msg("This could not be stored, so it did not happen. Try again in a moment.")
                return 503, ErrorBody("storage", say(text)), {"retry-after": "2"}
            case RecordError():
                # It begins with the place in the document, which is no sentence.
                return 422, ErrorBody("record", language.say(error.text)), {}
            case MejaError():
                return 422, ErrorBody("refused", say(error.text)), {}
            case ClientDisconnect():
                # Nobody hears this.
                return 400, ErrorBody("malformed", say(msg("The request ended too early."))), {}
            case HTTPException():
                code = {404: "not-found", 405: "method"}.get(error.status_code, "http")
                text = msg("There is nothing here.") if error.status_code == 404 else msg("This cannot be done here.")
                return error.status_code, ErrorBody(code, say(text)), dict(error.headers or {})
        _LOG.exception("a request failed", exc_info=error)
        return 500, ErrorBody("fault", say(msg("Something went wrong here. It was noted."))), {}

    # -- people -------------------------------------------------------------------

    def _me(self, person: Person | None) -> MeAnswer:
        return MeAnswer(
            person=None if person is None else PersonOut(sha256(person.id.encode()).hexdigest()[:12], person.name),
            version=__version__,
            build=self.assets.build,
            protocol=PROTOCOL,
            kernels=KERNELS,
            now=self.service.now(),
        )

    def _signed_in(self, request: Request, person: Person, token: str) -> Response:
        response = self.json(request, self._me(person))
        response.set_cookie(
            self._cookie_name(request),
            token,
            max_age=_YEAR,
            path="/",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="lax",
        )
        return response

    async def me(self, request: Request) -> Response:
        """Who this browser is."""
        return self.json(request, self._me(await self.person(request)))

    async def name(self, request: Request) -> Response:
        """Make a guest, or rename."""
        asked = await self.body(request, NameRequest)
        person = await self.person(request)
        if person is not None:
            return self.json(request, self._me(await self.accounts.rename(person, asked.name)))
        self.limit("people", self._address(request))
        return self._signed_in(request, *await self.accounts.guest(asked.name))

    async def recovery(self, request: Request) -> Response:
        """A new recovery code."""
        await self.body(request, Empty)
        person = await self.somebody(request)
        self.limit("code", person.id)
        return self.json(request, RecoveryAnswer(await self.accounts.recovery_code(person)))

    async def recover(self, request: Request) -> Response:
        """Sign this browser in by a code."""
        asked = await self.body(request, RecoverRequest)
        self.limit("code", self._address(request))
        return self._signed_in(request, *await self.accounts.recover(asked.code))

    async def forget_me(self, request: Request) -> Response:
        """Sign this browser out."""
        await self.body(request, Empty)
        token = self._token(request)
        if token:
            await self.accounts.sign_out(token)
        response = self.json(request, self._me(None))
        response.delete_cookie(
            self._cookie_name(request), path="/", secure=request.url.scheme == "https", httponly=True, samesite="lax"
        )
        return response

    # -- games and rules ----------------------------------------------------------

    async def games(self, request: Request) -> Response:
        """What can be played."""
        return self.json(request, games.all_games(self.language(request)))

    async def rules(self, request: Request) -> Response:
        """Rules as a form shows them."""
        asked = await self.body(request, RulesRequest)
        rules = games.make_rules(asked.game, asked.seats, asked.preset, asked.options)
        return self.json(request, games.rules_form(rules, self.language(request)))

    async def book(self, request: Request) -> Response:
        """The rule book of a game."""
        query = request.query_params
        if request.path_params["game"] not in game_names():
            raise HTTPException(404)
        rules = games.rules_of_query(request.path_params["game"], query.get("seats"), query.get("rules"))
        return self.json(request, games.book(rules, self.language(request)))

    async def table_book(self, request: Request) -> Response:
        """The rule book as it stands at a table."""
        live, _ = await self._table(request)
        return self.json(request, games.book(live.table.rules, self.language(request)))

    # -- tables -------------------------------------------------------------------

    async def create(self, request: Request) -> Response:
        """Make a table."""
        asked = await self.body(request, TableRequest)
        person = await self.somebody(request)
        self.limit("table", person.id)
        rules = games.make_rules(asked.game, asked.seats, asked.preset, asked.options)
        if len(asked.others) != rules.seats - 1 or asked.me >= rules.seats:
            raise Refusal(
                "seats", msg("The table has {seats} seats: one for you, and one for each other.", seats=rules.seats)
            )
        if asked.clock not in [clock.name for clock in CLOCKS]:
            raise Refusal("clock", msg("There is no such clock."))
        table_id, new = await self.service.create(person.id, asked.key, _setup(asked, rules, person), asked.start)
        return self.json(request, TableAnswer(table_id), 201 if new else 200)

    async def open_tables(self, request: Request) -> Response:
        """The listed tables."""
        language = self.language(request)
        found = await self.service.store.read(store.open_tables(_LISTED))
        listed = []
        for table in found:
            with contextlib.suppress(MejaError):
                listed.append(self._listed(table, language, False))
        return self.json(request, TablesAnswer(listed))

    async def my_tables(self, request: Request) -> Response:
        """The tables where the person has a seat."""
        person = await self.somebody(request)
        language = self.language(request)
        found = await self.service.store.read(store.tables_of(person.id, _LISTED))
        listed = []
        for table in found:
            turn = False
            # One table that cannot be read must not hide the others.
            with contextlib.suppress(MejaError):
                if table.status == "playing":
                    live = await self.service.find(table.table)
                    seat = live.table.seat_of(person.id)
                    turn = seat is not None and live.table.to_act == seat and live.table.seats[seat].plays
            with contextlib.suppress(MejaError):
                listed.append(self._listed(table, language, turn))
        return self.json(request, TablesAnswer(listed))

    @staticmethod
    def _listed(table: store.Listed, language: Language, your_turn: bool) -> ListedTable:
        summary = table.summary
        rules = game(table.game).rules.from_dict(len(summary.seats), summary.rules)
        return ListedTable(
            table=table.table,
            game=table.game,
            title=language.say(rules.title),
            status=table.status,
            host=summary.host,
            seats=[ListedSeat(seat["name"], seat["kind"]) for seat in summary.seats],
            changed=changed(rules, language),
            clock=summary.clock,
            watch=summary.watch,
            deal=summary.deal,
            totals=summary.totals,
            your_turn=your_turn,
            created=table.created,
            updated=table.changed,
        )

    async def _table(self, request: Request) -> tuple[Any, str | None]:
        """The table of a request and who asks, where they may see it."""
        person = await self.person(request)
        live = await self.service.find(request.path_params["table"])
        self.service.reader(live, person.id if person else None)
        return live, person.id if person else None

    async def table(self, request: Request) -> Response:
        """Everything that the reader may see of a table."""
        live, person = await self._table(request)
        return self.json(request, await self.service.update(live, person, self.language(request).code, None))

    async def events(self, request: Request) -> Response:
        """Long-poll: what is new since ``after``."""
        person = await self.person(request)
        after = _number(request.query_params.get("after"))
        wait = _seconds(request.query_params.get("wait"))
        body = await self.service.poll(
            request.path_params["table"], person.id if person else None, self.language(request).code, after, wait
        )
        return self.json(request, body)

    async def stream(self, request: Request) -> Response:
        """The stream of updates of a table."""
        person = await self.person(request)
        after = _number(request.headers.get("last-event-id") or request.query_params.get("after"))
        table = request.query_params.get("table", "")
        language = self.language(request)
        live = await self.service.find(table)
        self.service.reader(live, person.id if person else None)
        updates = self.service.follow(table, person.id if person else None, language.code, after, self.config.heartbeat)
        return EventStream(updates, lambda error: msgspec.json.encode(ErrorAnswer(self._fault(error, language)[1])))

    async def command(self, request: Request) -> Response:
        """Do a command at a table."""
        asked = await self.body(request, CommandRequest)
        person = await self.somebody(request)
        self.limit("command", person.id)
        if isinstance(asked.command, Chat | Phrase):
            self.limit("talk", person.id)
        seq, new = await self.service.command(
            request.path_params["table"], person.id, person.name, asked.key, asked.expect, asked.command
        )
        return self.json(request, DoneAnswer(seq), 201 if new else 200)

    async def record(self, request: Request) -> Response:
        """The record of a match that is over."""
        name = request.path_params["table"]
        try:
            live, _ = await self._table(request)
            if not live.table.over or live.table.match is None:
                raise Trouble(409, "unfinished", msg("The record can be had when the match is over."))
            body = self.service.record(live.table)
        except Archived:
            person = await self.person(request)
            if not await self.service.store.read(store.may_read(person.id if person else None, name)):
                raise
            kept = await self.service.store.read(store.read_record(name))
            if kept is None:
                raise
            body = kept
        headers = {"content-disposition": f'attachment; filename="{re.sub(r"[^a-z0-9]", "", name)}.meja"'}
        return self.json(request, body, headers=headers)

    async def qr(self, request: Request) -> Response:
        """The invite link as a QR code."""
        await self._table(request)
        base = self.config.public_url or f"{request.url.scheme}://{request.url.netloc}"
        out = BytesIO()
        made = segno.make(f"{base}/t/{request.path_params['table']}", error="m", micro=False)
        made.save(out, kind="svg", scale=6, border=2, dark="#000", light="#fff", xmldecl=False, omitsize=True)
        return Response(out.getvalue(), headers={"cache-control": "no-store"}, media_type="image/svg+xml")

    async def replay(self, request: Request) -> Response:
        """One deal of a record, step by step."""
        self.limit("record", self._address(request))
        asked = await self.body(request, ReplayRequest, RECORD_BODY)
        code = self.language(request).code
        made = await asyncio.to_thread(lambda: replay(loads(asked.record), asked.deal, code))
        return self.json(request, made)

    # -- the rest -----------------------------------------------------------------

    async def page(self, request: Request) -> Response:
        """The app's page; it finds its own way by the address."""
        return self.file(request, self.assets.pages[self.language(request).code], "no-cache")

    def lost(self, request: Request) -> Response:
        """The app's page for an address that leads nowhere: it says so, and shows the way home."""
        found = self.file(request, self.assets.pages[self.language(request).code], "no-store")
        found.status_code = 404
        return found

    async def asset(self, request: Request) -> Response:
        """A file of the app. Under another build's name there is nothing: mixed builds would not work."""
        found = self.assets.files.get(request.path_params["path"])
        if found is None or request.path_params["build"] != self.assets.build:
            raise HTTPException(404)
        return self.file(request, found, "public, max-age=31536000, immutable")

    async def icon(self, request: Request) -> Response:
        """The icon that browsers ask for by themselves."""
        found = self.assets.files.get("icons/icon.svg")
        if found is None:
            raise HTTPException(404)
        return self.file(request, found, "public, max-age=86400")

    async def openapi(self, request: Request) -> Response:
        """The interface in words for machines."""
        return self.json(request, openapi.document())

    async def health(self, request: Request) -> Response:
        """Whether the service is well: its store can be read."""
        await self.service.store.read(lambda connection: connection.execute("SELECT 1").fetchone())
        answer = HealthAnswer(True, __version__, self.service.tables, self.service.followers)
        return self.json(request, answer)

    async def selfcheck(self, request: Request) -> Response:
        """How a request arrives here, for those who look for what is wrong on the way."""
        await self.service.store.read(lambda connection: connection.execute("SELECT 1").fetchone())
        answer = selfcheck_answer(
            request,
            build=self.assets.build,
            now=self.service.now(),
            public_url=self.config.public_url,
            heartbeat=self.config.heartbeat,
        )
        return self.json(request, answer)

    async def selfcheck_stream(self, request: Request) -> Response:
        """A few timed events, to see whether they come as they are sent."""
        pause = min(_seconds(request.query_params.get("pause")), LONGEST_PAUSE)
        return SelfcheckStream(pause, self.service.stopping.is_set)

    async def metrics(self, request: Request) -> Response:
        """Counts for a monitoring system, in Prometheus' text format."""
        service = self.service
        lines = (
            ("meja_tables", "gauge", "Tables in memory.", service.tables),
            ("meja_followers", "gauge", "Streams and waiting requests.", service.followers),
            ("meja_store_commits_total", "counter", "Commits of the store.", service.store.commits),
            ("meja_store_changes_total", "counter", "Changes stored.", service.store.changes),
            ("meja_bot_failures_total", "counter", "Bots that hung or died.", service.bots.failures),
            ("meja_python_blocks", "gauge", "Blocks of memory that are in use.", sys.getallocatedblocks()),
            ("process_cpu_seconds_total", "counter", "CPU time used.", round(time.process_time(), 2)),
        )
        text = "".join(f"# HELP {n} {h}\n# TYPE {n} {t}\n{n} {v}\n" for n, t, h, v in lines)
        return Response(text, headers={"cache-control": "no-store"}, media_type="text/plain; version=0.0.4")

    def routes(self) -> list[Route]:
        """All routes."""
        api: list[tuple[str, str, Callable[[Request], Awaitable[Response]]]] = [
            # Looked through from the top for every request: the one for moves first.
            ("POST", "/api/tables/{table}/commands", self.command),
            ("GET", "/api/me", self.me),
            ("POST", "/api/me", self.name),
            ("POST", "/api/me/recovery", self.recovery),
            ("POST", "/api/me/recover", self.recover),
            ("POST", "/api/me/leave", self.forget_me),
            ("GET", "/api/games", self.games),
            ("POST", "/api/rules", self.rules),
            ("GET", "/api/book/{game}", self.book),
            ("POST", "/api/tables", self.create),
            ("GET", "/api/tables", self.open_tables),
            ("GET", "/api/tables/mine", self.my_tables),
            ("GET", "/api/tables/{table}", self.table),
            ("GET", "/api/tables/{table}/events", self.events),
            ("GET", "/api/tables/{table}/book", self.table_book),
            ("GET", "/api/tables/{table}/qr.svg", self.qr),
            ("GET", "/api/tables/{table}/record", self.record),
            ("GET", "/api/stream", self.stream),
            ("POST", "/api/replay", self.replay),
            ("GET", "/api/openapi.json", self.openapi),
            ("GET", "/api/selfcheck", self.selfcheck),
            ("GET", "/api/selfcheck/stream", self.selfcheck_stream),
            ("GET", "/healthz", self.health),
            ("GET", "/metrics", self.metrics),
            ("GET", "/favicon.ico", self.icon),
            ("GET", "/a/{build}/{path:path}", self.asset),
            *(("GET", path, self.page) for path in _PAGES),
        ]
        grouped: dict[str, dict[str, Callable[[Request], Awaitable[Response]]]] = {}
        for method, path, endpoint in api:
            grouped.setdefault(path, {})[method] = endpoint
        return [Route(path, self._guarded(by), methods=list(by)) for path, by in grouped.items()]

    def _guarded(
        self, by: dict[str, Callable[[Request], Awaitable[Response]]]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            try:
                if too_long(request.scope):
                    raise Trouble(414, "too-long", msg("The address is too long."))
                if too_many_headers(request.scope):
                    raise Trouble(431, "headers", msg("The headers of the request are too long."))
                self.limit("address", self._address(request))
                return await by["GET" if request.method == "HEAD" else request.method](request)
            except Exception as error:
                return self.trouble(request, error)

        return endpoint


def _number(text: str | None) -> int | None:
    """A seq as an address gives it; anything else is none, and everything is told anew."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else None


def _seconds(text: str | None) -> float:
    try:
        wait = float(text or 0)
    except ValueError:
        return 0.0
    return 0.0 if math.isnan(wait) else min(max(wait, 0.0), _LONGEST_WAIT)


def _setup(asked: TableRequest, rules: Any, person: Person) -> log.Created:
    """The first entry of a table as it was asked for."""
    seats: list[log.SeatSetup] = []
    taken = [person.name]
    others = iter(asked.others)
    for number in range(rules.seats):
        if number == asked.me:
            seats.append(log.SeatSetup("person", person.name, person.id))
            continue
        other = next(others)
        if other.kind == "open":
            seats.append(log.SeatSetup("open"))
            continue
        if not is_level(other.level, asked.game):
            raise Refusal("no-level", msg("There is no such bot."))
        taken.append(bot_name(taken, number, other.level))
        seats.append(log.SeatSetup("bot", taken[-1], level=other.level))
    return log.Created(
        game=asked.game,
        rules=rules.to_dict(),
        rules_version=rules.version,
        seats=seats,
        host=person.id,
        clock=asked.clock,
        watch=asked.watch,
        listed=asked.listed,
        chat=asked.chat,
        talk=asked.talk,
    )


def _of_a_person(request: Request, error: Exception) -> bool:
    """Whether somebody followed a wrong link, so that a page is a better answer than JSON."""
    return (
        isinstance(error, HTTPException)
        and error.status_code == 404
        and request.method in ("GET", "HEAD")
        and not request.url.path.startswith(("/api/", "/a/"))
        and "text/html" in request.headers.get("accept", "")
    )


def make_app(site: Site) -> Starlette:
    """The ASGI application of a site."""

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        await site.service.start()
        try:
            yield
        finally:
            await site.service.stop()

    async def failed(request: Request, error: Exception) -> Response:
        return site.lost(request) if _of_a_person(request, error) else site.trouble(request, error)

    return Starlette(
        routes=site.routes(),
        middleware=[Middleware(Headers, csp=site.assets.csp)],
        exception_handlers={HTTPException: failed, 500: failed},
        lifespan=life,
    )
