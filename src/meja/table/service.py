"""The service: tables in memory over a store, commands in, updates out, bots and clocks between.

One :class:`Service` per process. Every change of a table goes through :meth:`Service._append`
under the table's lock: written first, then applied, then told.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import secrets
import time
import zlib
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from itertools import islice
from typing import Any, Final, TypeVar

import msgspec

from meja.bots import USUAL_LEVEL
from meja.cards import Rng, cards_text
from meja.errors import MejaError, RecordError
from meja.messages import msg
from meja.record import dumps
from meja.table import log, store
from meja.table.botpool import BotPool, by_rule_of_thumb
from meja.table.clock import Clock
from meja.table.commands import (
    POSITIONAL,
    AnyCommand,
    Cover,
    NotYours,
    Ready,
    Refusal,
    Rematch,
    begin,
    bot_decision,
    decide,
)
from meja.table.fair import SEED_BYTES, VERSION, commit, shuffled_pack
from meja.table.live import AT_ONCE, COUNTDOWN, QUIET, Live
from meja.table.state import Table
from meja.table.store import KeyDone, SeqTaken, StorageFault, Store, Summary
from meja.table.talk import remark
from meja.table.update import StepOut, Teller, Update

T = TypeVar("T")

_LOG: Final = logging.getLogger("meja.table")
_ALPHABET: Final = "abcdefghijkmnpqrstuvwxyz23456789"
#: Seconds: a tick of the clocks; a table in memory without use; a heartbeat of a stream.
TICK: Final = 0.5
#: Tables that are looked at in one go.
_AT_A_TIME: Final = 50
#: Milliseconds between two ticks after which nothing ran meanwhile: the computer slept, or its clock was set.
STANDSTILL: Final = 5_000
UNUSED: Final = 600
#: So many updates of one version of a table are kept for those who ask for the same.
TOLD: Final = 64
#: The service's own actor in the log.
SERVER: Final = "server"


class NotFound(MejaError):
    """There is no such table, or the reader may not see it."""

    code = "not-found"


class Archived(NotFound):
    """The match is over for so long that only its record is kept."""

    code = "archived"


class Stale(Exception):
    """A command was meant for an older position; ``head`` is where the table stands."""

    def __init__(self, head: int) -> None:
        super().__init__(head)
        self.head = head


class Service:
    """Tables, people who follow them, and what happens by itself.

    ``pace`` scales the thinking time that bots show (0: none). ``build`` is the version of the
    browser app, told with every update. ``forget_after``: seconds that a table which nobody follows
    stays in memory.
    """

    def __init__(
        self,
        storage: Store,
        bots: BotPool,
        *,
        pace: float = 1.0,
        build: str = "",
        clock: Callable[[], int] | None = None,
        forget_after: float = UNUSED,
    ) -> None:
        self.store = storage
        self.bots = bots
        self.pace = pace
        self.build = build
        self.now = clock or Clock()
        self.forget_after = forget_after
        self.stopping = asyncio.Event()
        self._tables: dict[str, Live] = {}
        self._loading: dict[str, asyncio.Task[Live]] = {}
        #: Commands and changes under way: they are finished also when the one who sent them goes away.
        self._commands: set[asyncio.Task[Any]] = set()
        self._ticker: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        """Begin to keep time."""
        self._ticker = asyncio.create_task(self._tick_all())

    async def stop(self) -> None:
        """Stop keeping time and let everybody who follows go."""
        self.stopping.set()
        for live in self._tables.values():
            live.notify()
        await self._finish()
        tasks = [*self._tasks, *([self._ticker] if self._ticker is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._finish()

    async def _finish(self) -> None:
        while self._commands:
            await asyncio.gather(*self._commands, return_exceptions=True)

    @property
    def tables(self) -> int:
        """How many tables are in memory."""
        return len(self._tables)

    @property
    def followers(self) -> int:
        """How many streams and waiting requests there are."""
        return sum(live.followers for live in self._tables.values())

    # -- making and finding tables ------------------------------------------------

    async def create(self, person: str, key: str, setup: log.Created, start: bool) -> tuple[str, bool]:
        """Make a table; returns its id and whether it is new. The same key of a person gives the same table."""
        table_id = table_id_of(person, key)
        task = asyncio.create_task(self._create(table_id, person, key, setup, start))
        return table_id, await self._whole(task)

    async def _create(self, table_id: str, person: str, key: str, setup: log.Created, start: bool) -> bool:
        try:
            await self.find(table_id)
        except NotFound:
            pass
        else:
            return False
        entries: list[log.AnyEntry] = [setup]
        live = Live(Table(table_id), self.now())
        if start:
            if any(seat.kind == "open" for seat in setup.seats):
                raise Refusal("open-seats", msg("There are free seats. Invite somebody, or put a bot there."))
            # What starts a match asks the seats.
            trial = Table(table_id)
            trial.apply(log.Row(1, setup, person, key, 0))
            entries += begin(trial)
        async with live.lock:
            try:
                await self._append(live, person, key, entries)
            except (KeyDone, SeqTaken):
                return False
        # Somebody may have read it from the store since it was written; then that one is it.
        self._kick(self._tables.setdefault(table_id, live))
        return True

    async def _whole(self, task: asyncio.Task[T]) -> T:
        """Wait for a task that goes on to its end also when the one who waits goes away."""
        self._commands.add(task)
        task.add_done_callback(self._commands.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            # Nobody will ask for its outcome any more.
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise

    async def find(self, table_id: str) -> Live:
        """The table in memory, read from the store where needed; raises :class:`NotFound`."""
        live = self._tables.get(table_id)
        if live is not None:
            return live
        task = self._loading.get(table_id)
        if task is None:
            task = self._loading[table_id] = asyncio.create_task(self._load(table_id))
            task.add_done_callback(lambda _: self._loading.pop(table_id, None))
        return await asyncio.shield(task)

    async def _load(self, table_id: str) -> Live:
        table, shown, recorded = await self._read(table_id)
        if not table.head:
            if await self.store.read(store.read_record(table_id)) is not None:
                raise Archived(msg("The match at this table is over. Its record can still be replayed."))
            raise NotFound(msg("There is no such table."))
        live = Live(table, self.now())
        live.projected, live.recorded = shown, recorded
        mended = self._mended(table, shown, recorded)
        if mended is not None:
            # Should this fail, the next entry brings it along.
            self._store(mended)
        return self._tables.setdefault(table_id, live)

    async def _read(self, table_id: str) -> tuple[Table, Summary | None, bool]:
        """A table from its log, what lists show of it, and whether its record is kept."""
        rows, shown = store.read_log(table_id), store.read_shown(table_id)
        # The fold of a long match takes a while: it is done where the reading is done.
        return await self.store.read(lambda connection: (fold(table_id, rows(connection)), *shown(connection)))

    def _mended(self, table: Table, shown: Summary | None, recorded: bool) -> Callable[[Any], None] | None:
        """The change that makes what lists show agree with the log, if it does not; an older version let it lag."""
        summary = projection(table)
        record = None if recorded else self._ended(table)
        if summary == shown and record is None:
            return None
        return store.mend(table.id, table.head, summary, record, table.changed)

    async def expire(self, finished_before: int, idle_before: int) -> tuple[int, int]:
        """Drop what is old, as :func:`meja.table.store.expire`; what cannot be read is kept."""
        known = []
        for table_id in await self.store.read(store.idle(idle_before)):
            try:
                mended = self._mended(*await self._read(table_id))
                if mended is not None:
                    await self.store.write(mended)
                known.append(table_id)
            except (StorageFault, RecordError):
                continue
            except Exception:
                _LOG.exception("table %s", table_id)
        return await self.store.write(store.expire(finished_before, idle_before, known))

    def forget(self, table_id: str) -> None:
        """Let a table go from memory; its log stays."""
        live = self._tables.get(table_id)
        if live is not None:
            self._drop(live)

    def _drop(self, live: Live) -> None:
        if self._tables.get(live.table.id) is live:
            del self._tables[live.table.id]
        live.closed = True
        # Those who follow come again, and get the table anew.
        live.notify()
        if live.bot_task is not None and live.bot_task is not asyncio.current_task():
            live.bot_task.cancel()

    # -- commands -----------------------------------------------------------------

    async def command(
        self, table_id: str, person: str, name: str, key: str, expect: int | None, command: AnyCommand
    ) -> tuple[int, bool]:
        """Do a command of a person; returns (seq, whether it is new).

        Raises ``Refusal``, ``NotYours``, ``IllegalAction`` or another ``MejaError`` where it is
        refused, :class:`Stale` where the table has moved on, ``StorageFault`` where nothing could
        be stored. In all these cases nothing has changed.
        """
        while True:
            live = await self.find(table_id)
            task = asyncio.create_task(self._command(live, person, name, key, expect, command))
            found = await self._whole(task)
            if found is not None:
                return found

    async def _command(
        self, live: Live, person: str, name: str, key: str, expect: int | None, command: AnyCommand
    ) -> tuple[int, bool] | None:
        """As :meth:`command`; ``None`` where the table was read anew meanwhile."""
        async with live.lock:
            if live.closed:
                return None
            # A table that one may not see tells nothing, not even how far it is.
            self.reader(live, person)
            table = live.table
            done = table.done(person, key)
            if done is None and (expect is None or expect != table.head):
                done = await self.store.read(store.find_key(table.id, person, key))
            if done is not None:
                return done, False
            if isinstance(command, POSITIONAL) and expect != table.head and not self._still_good(table, expect):
                raise Stale(table.head)
            live.touch(person, self.now())
            if isinstance(command, Cover):
                return self._cover(live, person, command)
            if isinstance(command, Rematch):
                entries = await self._rematch(live, person)
                if not entries:
                    return table.head, False
            else:
                entries = decide(table, person, name, command)
            seq = table.head + 1
            try:
                await self._append(live, person, key, entries)
            except KeyDone:
                found = await self.store.read(store.find_key(table.id, person, key))
                if found is None:
                    raise
                return found, False
            if isinstance(command, (*POSITIONAL, Ready)):
                live.acted(person)
        self._kick(live)
        return seq, True

    @staticmethod
    def _still_good(table: Table, expect: int | None) -> bool:
        """Whether nothing but words was added since ``expect``: talk does not make a move stale."""
        if expect is None or not 0 <= expect <= table.head:
            return False
        between = [step for step in table.steps if step.seq > expect]
        quiet = (log.Phrased, log.Chatted, log.HostPassed, log.SettingsChanged, log.Covered, log.Retaken)
        return len(between) == table.head - expect and all(isinstance(step.entry, quiet) for step in between)

    def _cover(self, live: Live, person: str, command: Cover) -> tuple[int, bool]:
        """Start the countdown for somebody who is away. It is not in the log: it ends when they come back."""
        if live.table.seat_of(person) is None:
            raise NotYours("not-seated", msg("You have no seat at this table."))
        if command.seat in live.cover_at:
            return live.table.head, False
        if command.seat not in live.coverable(self.now()):
            raise Refusal("here", msg("Nobody is missing on that seat."))
        live.cover_at[command.seat] = self.now() + COUNTDOWN
        live.notify()
        return live.table.head, True

    async def _rematch(self, live: Live, person: str) -> list[log.AnyEntry]:
        """Make the next table for the same people; nothing where there is one already."""
        table = live.table
        seat = table.seat_of(person)
        if seat is None:
            raise NotYours("not-seated", msg("You have no seat at this table."))
        if not table.over or table.match is None:
            raise Refusal("not-over", msg("The match is not over."))
        if table.rematch is not None:
            return []
        seats = [log.SeatSetup(other.kind, other.name, other.person, other.level) for other in table.seats]
        setup = log.Created(
            game=table.game,
            rules=table.rules.to_dict(),
            rules_version=table.rules.version,
            seats=seats,
            host=person,
            clock=table.clock,
            watch=table.watch,
            listed=False,
            chat=table.chat,
            talk=table.talk,
        )
        made, _ = await self.create(person, f"rematch:{table.id}", setup, start=table.alone)
        return [log.Rematched(seat, made)]

    # -- the one way in -----------------------------------------------------------

    async def _append(self, live: Live, actor: str, key: str, entries: Sequence[log.AnyEntry]) -> None:
        """Write entries, then apply them and tell everybody. The caller holds the table's lock."""
        table = live.table
        at = self.now()
        rows = [
            log.Row(table.head + 1 + index, entry, actor, key if index == 0 else f"{key}#{index}", at)
            for index, entry in enumerate(entries)
        ]
        await self._write(live, rows)

    async def _write(self, live: Live, rows: Sequence[log.Row]) -> None:
        table = live.table
        members = [row.entry for row in rows if isinstance(row.entry, log.Created | log.Sat)]
        # What lists show, and the record, are stored together with the entries they come from. And what cannot
        # be applied is not written.
        after = table.clone()
        for row in rows:
            after.apply(row)
        summary = projection(after)
        shown = None if summary == live.projected else summary
        record = None if live.recorded else self._ended(after)
        try:
            await self.store.write(store.append(table.id, rows, _people(members), shown, record))
        except SeqTaken:
            if not table.head:
                raise
            # Another process serves the same data: what is here is old.
            self._drop(live)
            raise StorageFault(msg("the table was changed elsewhere; try again")) from None
        for row in rows:
            table.apply(row)
        live.projected, live.recorded = summary, live.recorded or record is not None
        live.used = self.now()
        live.notify()

    def _ended(self, table: Table) -> bytes | None:
        """The record to keep of a match that is over."""
        return self.record(table) if table.over and table.match is not None else None

    def _store(self, change: Callable[[Any], None]) -> None:
        """Store what nobody waits for; the end of the service does."""
        task = asyncio.create_task(self.store.write(change))
        self._commands.add(task)
        task.add_done_callback(self._commands.discard)
        task.add_done_callback(self._done)

    @staticmethod
    def record(table: Table) -> bytes:
        """The record of a match that is over, as ``meja/1``."""
        return dumps(table.record()).encode()

    # -- what happens by itself ---------------------------------------------------

    async def _tick_all(self) -> None:
        while True:
            before = self.now()
            await asyncio.sleep(TICK)
            now = self.now()
            if now - before > STANDSTILL:
                for live in self._tables.values():
                    live.stood_still(now - before, now)
            tables = iter(list(self._tables.items()))
            while some := list(islice(tables, _AT_A_TIME)):
                self.tick(some)
                # Moves do not wait until all tables were looked at.
                await asyncio.sleep(0)

    def tick(self, tables: Iterable[tuple[str, Live]] | None = None) -> None:
        """See at every table, or at these, what the time has brought."""
        now = self.now()
        for table_id, live in list(self._tables.items()) if tables is None else tables:
            # Most tables wait for a person who is here. (The clock may also be set back.)
            if live.closed or 0 < live.quiet - now <= QUIET:
                continue
            try:
                if not live.watched and now - live.used > self.forget_after * 1000 and not live.lock.locked():
                    self.forget(table_id)
                elif live.table.status in ("playing", "between") or live.watched:
                    self._tick(live, now)
            except Exception:
                _LOG.exception("table %s", table_id)

    def _tick(self, live: Live, now: int) -> None:
        table = live.table
        here = live.here(now)
        coverable = live.coverable(now)
        if (here, coverable) != live.seen:
            live.seen = (here, coverable)
            live.notify()
        if live.lock.locked():
            return
        due = live.due(now)
        if due:
            self._run(self._automatic(live, due))
            return
        waits_for_commit = table.status == "between" and table.pending is None
        if waits_for_commit or live.late(now) is not None or live.deal_due(now) or self._bot_due(live):
            self._kick(live)
        else:
            live.quiet = live.quiet_until(now)

    async def _automatic(self, live: Live, entries: Sequence[tuple[str, log.AnyEntry]]) -> None:
        async with live.lock:
            for key, entry in entries:
                if isinstance(entry, log.Covered) and not live.table.seats[entry.seat].plays:
                    continue
                if live.table.done(SERVER, key) is None and not live.table.over:
                    with contextlib.suppress(KeyDone):
                        await self._append(live, SERVER, key, [entry])
        self._kick(live)

    def _run(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            error = task.exception()
            if isinstance(error, StorageFault):
                _LOG.error("nothing was stored: %s", error)
            else:
                _LOG.error("a table failed", exc_info=error)

    def _bot_due(self, live: Live) -> bool:
        """Whether a bot has to move here."""
        table = live.table
        seat = table.to_act
        return seat is not None and not table.seats[seat].plays and live.attended(self.now())

    def _kick(self, live: Live) -> None:
        """See to it that the table goes on by itself where nobody is waited for."""
        if live.closed or self.stopping.is_set() or (live.bot_task is not None and not live.bot_task.done()):
            return
        live.bot_task = asyncio.create_task(self._go_on(live))
        self._tasks.add(live.bot_task)
        live.bot_task.add_done_callback(self._done)

    async def _go_on(self, live: Live) -> None:
        table = live.table
        while not live.closed and not self.stopping.is_set():
            now = self.now()
            said = remark(table)
            if table.status == "between" and table.pending is None:
                await self._commit(live)
            elif said is not None and table.done(SERVER, said[0]) is None:
                await self._say(live, *said)
            elif live.deal_due(now):
                await self._deal(live)
            elif self._bot_due(live) or live.late(now) is not None:
                await self._bot(live)
            else:
                return

    async def _commit(self, live: Live) -> None:
        table = live.table
        async with live.lock:
            if table.status != "between" or table.pending is not None:
                return
            deal = table.deal_number + 1
            seed = secrets.token_bytes(SEED_BYTES)
            entry = log.Committed(deal, commit(seed, table.id, deal), seed.hex())
            with contextlib.suppress(KeyDone):
                await self._append(live, SERVER, f"commit:{deal}", [entry])

    async def _say(self, live: Live, key: str, seat: int, phrase: str) -> None:
        """Let a bot say something, once a moment."""
        async with live.lock:
            if remark(live.table) == (key, seat, phrase):
                with contextlib.suppress(KeyDone):
                    await self._append(live, SERVER, key, [log.Phrased(seat, phrase)])

    async def _deal(self, live: Live) -> None:
        table = live.table
        async with live.lock:
            pending = table.pending
            if pending is None or table.match is None or not live.deal_due(self.now()):
                return
            seeds = {number: seat.seed for number, seat in enumerate(table.seats) if seat.seed}
            pack = table.match.deal_class.pack(table.rules)
            cards, _ = shuffled_pack(pack, bytes.fromhex(pending.server_seed), seeds, table.id, pending.deal)
            entry = log.Dealt(
                pending.deal, VERSION, cards_text(cards), {str(seat): seed for seat, seed in seeds.items()}
            )
            with contextlib.suppress(KeyDone):
                await self._append(live, SERVER, f"deal:{pending.deal}", [entry])

    async def _bot(self, live: Live) -> None:
        """Let a bot act for the seat to act: its own, a covered one, or one whose time is up."""
        table = live.table
        seat, head = table.to_act, table.head
        assert seat is not None
        assert table.match is not None
        assert table.match.deal is not None
        level = table.seats[seat].level or USUAL_LEVEL
        by_clock = table.seats[seat].plays
        started = time.monotonic()
        seed = zlib.crc32(f"{table.id}/{head}".encode())
        view = table.match.deal.view(seat)
        action = await self.bots.act(level, view, seed)
        if not by_clock:
            await asyncio.sleep(max(0.0, self._thinking(table, seed) - (time.monotonic() - started)))
        async with live.lock:
            if table.head != head and not self._still_good(table, head):
                return
            if table.to_act != seat or (table.seats[seat].plays and live.late(self.now()) != seat):
                return
            try:
                entry = bot_decision(table, seat, action)
            except Exception:
                # Whatever a bot says, the table goes on.
                self.bots.failures += 1
                entry = bot_decision(table, seat, by_rule_of_thumb(view, seed))
            if by_clock:
                assert isinstance(entry, log.Acted)
                entry = log.Acted(seat, entry.action, "clock")
            with contextlib.suppress(KeyDone):
                await self._append(live, SERVER, f"bot:{seat}:{head}", [entry])

    def _thinking(self, table: Table, seed: int) -> float:
        """How long a bot seems to think, in seconds: by what everybody sees and by chance, never by its hand."""
        assert table.match is not None
        assert table.match.deal is not None
        view = table.match.deal.view(None)
        share = Rng(seed).random()
        seconds = 0.45 + 0.5 * share
        tricks = getattr(view, "tricks", None)
        if tricks and not getattr(view, "trick", None) and view.phase == "play":
            # The finished trick is looked at first.
            seconds += 0.9
        if view.phase in ("auction", "bid", "call", "raise"):
            seconds += 0.4
        return self.pace * seconds

    # -- telling ------------------------------------------------------------------

    def reader(self, live: Live, person: str | None) -> int | None:
        """The seat of a reader (``None``: a spectator); raises :class:`NotFound` where nobody may watch."""
        seat = live.table.seat_of(person)
        if seat is None and live.table.status != "open" and not live.table.watch:
            raise NotFound(msg("Nobody may watch at this table."))
        return seat

    async def update(self, live: Live, person: str | None, language: str, after: int | None) -> bytes:
        """The update of a reader since ``after``, encoded."""
        seat = self.reader(live, person)
        table = live.table
        if after is not None and not 0 <= after <= table.head:
            after = None
        if after is not None and table.steps and after + 1 < table.steps[0].seq:
            return msgspec.json.encode(await self._long_ago(live, seat, language, after, person is not None))
        key = (seat, language, after, person is not None)
        known, now = live.told.get(key), self.now()
        # An update tells the time, too: only those who ask for it at once get the same.
        if known is None or not 0 <= now - known[0] <= AT_ONCE:
            made = live.teller(seat, language).update(
                live.presence(now), after=after, now=now, build=self.build, known=person is not None
            )
            if len(live.told) >= TOLD:
                live.told.clear()
            known = live.told[key] = (now, msgspec.json.encode(made))
        return known[1]

    async def _long_ago(self, live: Live, seat: int | None, language: str, after: int, known: bool) -> Update:
        """An update whose first steps are no longer at hand: they are folded from the log once more."""
        head, read = live.table.head, store.read_log(live.table.id)

        def again(connection: Any) -> list[StepOut]:
            past, steps = Table(live.table.id), []
            for row in read(connection):
                if row.seq > head:
                    break
                step = past.apply(row)
                if row.seq > after:
                    steps.append(Teller(past, seat, language).step(step, past.deal))
            return steps

        now = self.now()
        # The view and the steps must end at the same place: the table may move on during the reading.
        made = live.teller(seat, language).update(
            live.presence(now), after=head, now=now, build=self.build, known=known
        )
        made.after, made.steps = after, await self.store.read(again)
        return made

    async def follow(
        self, table_id: str, person: str | None, language: str, after: int | None, heartbeat: float
    ) -> AsyncIterator[bytes | None]:
        """The updates of a table as they come, encoded; ``None`` is a heartbeat. Ends when the service stops."""
        live = await self.find(table_id)
        self.reader(live, person)
        live.come(person, self.now())
        self._kick(live)
        try:
            while not self.stopping.is_set():
                version, head = live.version, live.table.head
                yield await self.update(live, person, language, after)
                after = head
                while not await live.wait(version, heartbeat):
                    yield None
                if live.closed:
                    return
        finally:
            live.go(person, self.now())

    async def poll(self, table_id: str, person: str | None, language: str, after: int | None, wait: float) -> bytes:
        """One update, at once if there is something new, else after at most ``wait`` seconds."""
        live = await self.find(table_id)
        self.reader(live, person)
        live.come(person, self.now())
        self._kick(live)
        try:
            if after is not None and after == live.table.head and not self.stopping.is_set():
                await live.wait(live.version, wait)
            return await self.update(live, person, language, after)
        finally:
            live.go(person, self.now())


def projection(table: Table) -> Summary:
    """What lists show of a table."""
    host = table.seat_of(table.host)
    return Summary(
        title=str(table.rules.title),
        listed=table.listed and table.status in ("open", "playing", "between"),
        seats=[
            {"name": seat.name, "kind": seat.kind, "level": seat.level, "covered": seat.covered} for seat in table.seats
        ],
        rules=table.rules.to_dict(),
        clock=table.clock,
        watch=table.watch,
        status=table.status,
        deal=table.deal_number,
        totals=list(table.match.totals) if table.match is not None else [],
        host="" if host is None else table.seats[host].name,
    )


def fold(table_id: str, rows: Sequence[log.Row]) -> Table:
    """The table that a log tells of; raises ``StorageFault`` for one that cannot be."""
    table = Table(table_id)
    try:
        for row in rows:
            table.apply(row)
    except RecordError:
        raise
    except (AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise store.damaged(table_id, table.head + 1, error) from error
    return table


def _people(entries: Sequence[log.AnyEntry]) -> list[str]:
    """Everybody who gets a seat by these entries."""
    found = []
    for entry in entries:
        match entry:
            case log.Created(seats=seats):
                found += [seat.person for seat in seats if seat.person]
            case log.Sat(_, person):
                found.append(person)
    return found


def table_id_of(person: str, key: str) -> str:
    """The id of the table that a person's key makes.

    The same for a repeated request, and not to be guessed by those who do not know the person's id, which
    never leaves the person's own browser.
    """
    digest = hashlib.sha256(f"table|{person}|{key}".encode()).digest()
    return "".join(_ALPHABET[byte % len(_ALPHABET)] for byte in digest[:12])
