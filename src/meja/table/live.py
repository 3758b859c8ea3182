"""A table in memory: its state, who follows it, and the times that run."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Final

from meja.table import log
from meja.table.people import DECISION, PAUSE
from meja.table.state import Table
from meja.table.store import Summary
from meja.table.update import Presence, Teller

#: Milliseconds. A long-poll counts as being here until so long after its last request.
GRACE: Final = 8_000
#: Away so long, and others may ask for a bot; so long, and one comes without being asked.
MAY_COVER: Final = 5_000
WILL_COVER: Final = 45_000
#: Here, but doing nothing on the own turn for so long: others may ask for a bot.
IDLE: Final = 120_000
#: The visible countdown before a bot takes over.
COUNTDOWN: Final = 15_000
#: The host role passes on when the host is away for so long.
HOST_AWAY: Final = 30_000
#: Between deals a person alone is waited for; the first deal is not held up by a lost browser.
FIRST_WAIT: Final = 4_000
#: And nobody is dealt in without having seen for so long that it will happen.
NOTICE: Final = 10_000
#: The clock's grace for the way from the browser.
LATENCY: Final = 1_000
#: Actions in a row by the clock, and a bot takes over.
LATE: Final = 2
#: A table where nothing can happen by time alone is still looked at so often.
QUIET: Final = 5_000
#: What is told within so long is told of the same moment.
AT_ONCE: Final = 50


class Live:
    """One table in memory. ``version`` goes up with every change that somebody may see."""

    def __init__(self, table: Table, now: int) -> None:
        self.table = table
        self.lock = asyncio.Lock()
        self.version = 0
        self.closed = False
        self._waiting: set[asyncio.Future[bool]] = set()
        #: Until then time alone changes nothing; 0: not known.
        self.quiet = 0
        #: Streams open per person, and when each person was last seen.
        self._streams: Counter[str] = Counter()
        self._seen: dict[str, int] = {}
        self.followers = 0
        #: When somebody with a seat was last here, and since when there has been somebody again.
        self._contact: int | None = None
        self._resumed = 0
        self.cover_at: dict[int, int] = {}
        self.used = now
        #: What was last told of who is here; what lists show as far as it is stored, and whether the record is kept.
        self.seen: tuple[frozenset[int], frozenset[int]] | None = None
        self.projected: Summary | None = None
        self.recorded = False
        self.bot_task: asyncio.Task[None] | None = None
        #: The updates of this version by (seat, language, after), each with the time at which it was made.
        self.told: dict[tuple[int | None, str, int | None, bool], tuple[int, bytes]] = {}
        self._presence: tuple[int, int, Presence] | None = None
        #: Who tells it, by (seat, language), as long as the names stay.
        self._tellers: dict[tuple[int | None, str], Teller] = {}
        self._names: list[str] = []
        table.begun_by(now)
        for seat in table.people:
            # After a restart everybody has a moment to come back.
            self._seen[table.seats[seat].person] = now

    def notify(self) -> None:
        """Wake everybody who follows."""
        self.version += 1
        self.quiet = 0
        self.told.clear()
        waiting, self._waiting = self._waiting, set()
        for waits in waiting:
            _wake(waits, True)

    async def wait(self, version: int, timeout: float) -> bool:
        """Wait until something newer than ``version`` is there; ``False`` after ``timeout`` seconds."""
        if self.version != version:
            return True
        # A timer and a future: ``wait_for`` would make a task for each of many waits.
        loop = asyncio.get_running_loop()
        waits: asyncio.Future[bool] = loop.create_future()
        self._waiting.add(waits)
        timer = loop.call_later(timeout, _wake, waits, False)
        try:
            return await waits
        finally:
            timer.cancel()
            self._waiting.discard(waits)

    def teller(self, seat: int | None, language: str) -> Teller:
        """Who tells this table to a seat."""
        names = [seat.name for seat in self.table.seats]
        if names != self._names:
            self._names = names
            self._tellers.clear()
        teller = self._tellers.get((seat, language))
        if teller is None:
            teller = self._tellers[seat, language] = Teller(self.table, seat, language)
        return teller

    # -- who is here --------------------------------------------------------------

    def come(self, person: str | None, now: int) -> None:
        """A stream or a request to follow begins."""
        self.followers += 1
        self.used = now
        self.quiet = 0
        if person:
            before = self._is_here(person, now)
            self._contacted(person, now)
            self._streams[person] += 1
            self._seen[person] = now
            seat = self.table.seat_of(person)
            if seat is not None:
                self.cover_at.pop(seat, None)
                if not before:
                    self.notify()

    def go(self, person: str | None, now: int) -> None:
        """It ends."""
        self.followers -= 1
        self.used = now
        self.quiet = 0
        if person:
            self._streams[person] -= 1
            if self._streams[person] <= 0:
                del self._streams[person]
            self._contacted(person, now)
            self._seen[person] = now

    def touch(self, person: str, now: int) -> None:
        """A person asked for something."""
        self.used = now
        self.quiet = 0
        seat = self.table.seat_of(person)
        if seat is not None and not self._is_here(person, now) and self.cover_at.pop(seat, None) is not None:
            self.notify()
        self._contacted(person, now)
        self._seen[person] = now

    def acted(self, person: str) -> None:
        """A person did what was waited for: no bot is needed."""
        seat = self.table.seat_of(person)
        if seat is not None and self.cover_at.pop(seat, None) is not None:
            self.notify()

    def _contacted(self, person: str, now: int) -> None:
        if self.table.seat_of(person) is None:
            return
        if not self.attended(now):
            # Nothing ran while nobody was here: all times begin anew.
            self._resumed = now
            self.cover_at.clear()
            self.notify()
        self._contact = now

    def stood_still(self, gap: int, now: int) -> None:
        """Time went on by ``gap`` in which nothing ran here: nobody was away, and whoever is to act begins anew."""
        self._seen = {person: at + gap for person, at in self._seen.items()}
        self.cover_at = {seat: at + gap for seat, at in self.cover_at.items()}
        self.used += gap
        if self._contact is not None:
            self._contact += gap
        self._resumed = now
        self.notify()

    def _is_here(self, person: str, now: int) -> bool:
        return self._streams[person] > 0 or now - self._seen.get(person, 0) < GRACE

    def away(self, seat: int, now: int) -> int:
        """For how many milliseconds the person of a seat has been away; 0 if here."""
        person = self.table.seats[seat].person
        return 0 if self._is_here(person, now) else now - self._seen.get(person, self.table.created)

    @property
    def watched(self) -> bool:
        """Whether somebody follows the table at all."""
        return self.followers > 0

    def attended(self, now: int) -> bool:
        """Whether somebody with a seat is here: without people a table stands still, whoever watches."""
        if self._contact is not None and now - self._contact < GRACE:
            return True
        return any(self._streams[self.table.seats[seat].person] > 0 for seat in self.table.people)

    def here(self, now: int) -> frozenset[int]:
        """The seats whose people are here."""
        return frozenset(seat for seat in self.table.people if self._is_here(self.table.seats[seat].person, now))

    # -- the times that run -------------------------------------------------------

    def deadline(self) -> int | None:
        """When the decision of the person to act must be made, in milliseconds."""
        table = self.table
        seat, limit = table.to_act, DECISION[table.clock]
        if seat is None or limit is None or not table.seats[seat].plays:
            return None
        return max(table.turn_at, self._resumed) + limit * 1000

    def next_at(self) -> int | None:
        """When the next deal starts without those who are not ready; ``None`` while it waits for them."""
        table = self.table
        if table.status != "between" or table.pending is None:
            return None
        since = max(table.wait_at, self._resumed)
        if table.deal_number == 0:
            return since + FIRST_WAIT
        playing = [seat for seat in table.people if table.seats[seat].plays]
        if len(playing) < 2 or not any(table.seats[seat].ready for seat in playing):
            return None
        return max(since + PAUSE[table.clock] * 1000, table.ready_at + NOTICE)

    def coverable(self, now: int) -> frozenset[int]:
        """The seats for which a bot may be asked now."""
        table = self.table
        # Alone, nobody waits.
        if table.status not in ("playing", "between") or len(table.people) < 2:
            return frozenset()
        found = set()
        for seat in table.people:
            if not table.seats[seat].plays or seat in self.cover_at:
                continue
            away = self.away(seat, now)
            idle = table.to_act == seat and now - max(table.turn_at, self._resumed) >= IDLE
            if away >= MAY_COVER or idle:
                found.add(seat)
        return frozenset(found)

    def presence(self, now: int) -> Presence:
        """What is so at this moment."""
        known = self._presence
        if known is None or known[0] != self.version or not 0 <= now - known[1] <= AT_ONCE:
            made = Presence(self.here(now), dict(self.cover_at), self.coverable(now), self.deadline(), self.next_at())
            known = self._presence = (self.version, now, made)
        return known[2]

    def due(self, now: int) -> list[tuple[str, log.AnyEntry]]:
        """What the passing of time brings, as (key, entry); starts and ends countdowns on the way."""
        table = self.table
        if table.over or not self.attended(now):
            return []
        if table.status == "open":
            return self._new_host(now)
        seat, deadline = table.to_act, self.deadline()
        for number in list(self.cover_at):
            if not table.seats[number].plays:
                del self.cover_at[number]
        for number in table.people:
            if not table.seats[number].plays:
                continue
            away = self.away(number, now)
            until = self.cover_at.get(number)
            if until is None:
                # Alone, the table simply waits.
                if away >= WILL_COVER and len(table.people) > 1:
                    self.cover_at[number] = now + COUNTDOWN
                    self.notify()
            elif now >= until:
                del self.cover_at[number]
                return [(f"cover:{number}:{table.head}", log.Covered(number, "away"))]
        if seat is not None and deadline is not None and now >= deadline + LATENCY and table.seats[seat].late >= LATE:
            return [(f"cover:{seat}:{table.head}", log.Covered(seat, "clock"))]
        return self._new_host(now)

    def _new_host(self, now: int) -> list[tuple[str, log.AnyEntry]]:
        table = self.table
        host = table.seat_of(table.host)
        if host is not None and self.away(host, now) < HOST_AWAY and not table.seats[host].left:
            return []
        others = [number for number in sorted(self.here(now)) if number != host and not table.seats[number].left]
        return [(f"host:{table.head}", log.HostPassed(others[0]))] if others else []

    def late(self, now: int) -> int | None:
        """The seat whose time for a decision is up, if a bot decides for it now."""
        deadline = self.deadline()
        if deadline is None or now < deadline + LATENCY or not self.attended(now):
            return None
        return self.table.to_act

    def deal_due(self, now: int) -> bool:
        """Whether the next deal can be dealt now."""
        table = self.table
        if table.status != "between" or table.pending is None or not self.attended(now):
            return False
        playing = [seat for seat in table.people if table.seats[seat].plays]
        if not playing:
            return False
        if all(table.seats[seat].ready for seat in playing):
            return True
        until = self.next_at()
        return until is not None and now >= until

    def quiet_until(self, now: int) -> int:
        """Until when time alone changes nothing here; ``now`` where that is not certain.

        It is where everybody has a stream open and a person is waited for, and where nobody is left.
        """
        table = self.table
        streams = [self._streams.get(table.seats[seat].person, 0) for seat in table.people]
        if not any(streams):
            return now if self.watched or self.attended(now) else now + QUIET
        if not all(streams):
            return now
        times = [now + QUIET, *self.cover_at.values()]
        if table.status == "playing":
            seat, deadline = table.to_act, self.deadline()
            if seat is None or not table.seats[seat].plays:
                return now
            if deadline is not None:
                times.append(deadline + LATENCY)
            idle_at = max(table.turn_at, self._resumed) + IDLE
            if now < idle_at:
                times.append(idle_at)
        elif table.status == "between":
            following = self.next_at()
            if table.pending is None or self.deal_due(now):
                return now
            if following is not None:
                times.append(following)
        return min(times)


def _wake(waits: asyncio.Future[bool], changed: bool) -> None:
    if not waits.done():
        waits.set_result(changed)
