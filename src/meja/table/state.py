"""The state of a table: the fold of its log, and nothing else.

Rebuilding a table from its log and following it live are the same code: :meth:`Table.apply`.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from copy import copy
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from meja.cards import parse_cards
from meja.deal import Deal, Layout
from meja.errors import RecordError
from meja.games import game, new_match
from meja.match import Match
from meja.messages import msg
from meja.record import Record
from meja.rules import Rules
from meja.table import log
from meja.table.fair import VERSION, FairRng, shuffled_pack
from meja.view import Event

#: How many messages of people, and how many done commands, are kept at hand.
MESSAGES: Final = 50
_KEYS: Final = 128


@dataclass(slots=True)
class Seat:
    """Who sits on a seat. ``kind``: ``person``, ``bot`` or ``open``."""

    kind: str = "open"
    name: str = ""
    person: str = ""
    level: str = ""
    #: A bot plays for the person; ``left`` tells that the person went away on purpose.
    covered: bool = False
    left: bool = False
    ready: bool = False
    seed: str = ""
    #: Actions in a row that the clock did for the person.
    late: int = 0

    @property
    def plays(self) -> bool:
        """Whether a person decides for this seat."""
        return self.kind == "person" and not self.covered

    def clone(self) -> Seat:
        """A copy: ``copy`` takes ten times as long, and every move makes some."""
        return Seat(
            self.kind,
            self.name,
            self.person,
            self.level,
            self.covered,
            self.left,
            self.ready,
            self.seed,
            self.late,
        )


@dataclass(frozen=True, slots=True)
class Step:
    """What one entry of the log did, as far as seats are told: the events of the game and of the table."""

    seq: int
    entry: log.AnyEntry
    at: int
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """A message of a seat: a phrase or a text."""

    seq: int
    seat: int
    name: str
    text: str
    phrase: str | None
    at: int


@dataclass(frozen=True, slots=True)
class Shuffle:
    """What the shuffle of a deal was made from."""

    deal: int
    commit: str
    server_seed: str
    client_seeds: dict[int, str] = field(default_factory=dict)


class Table:
    """A table as its log tells it. Changed by :meth:`apply` alone, but for :meth:`begun_by`."""

    def __init__(self, table: str) -> None:
        self.id = table
        self.head = 0
        self.game = ""
        self.rules: Rules
        self.seats: list[Seat] = []
        self.host = ""
        self.clock = "off"
        self.watch = True
        self.listed = False
        self.chat = True
        self.talk = False
        self.match: Match | None = None
        self.closed = False
        self.rematch: str | None = None
        self.messages: deque[Said] = deque(maxlen=MESSAGES)
        self.shuffles: list[Shuffle] = []
        #: The last steps: those of the deal on the table, from ``mark`` on, and of the one before.
        self.steps: list[Step] = []
        self.mark = 0
        self.created = 0
        self.changed = 0
        #: When the deal on the table, the waiting for the next one, or the turn began.
        self.turn_at = 0
        self.wait_at = 0
        #: When the first one was ready for the next deal.
        self.ready_at = 0
        self.undos = 0
        #: Alone against bots: at which places of the deal the person had a choice.
        self.choices: list[int] = []
        self._keys: OrderedDict[tuple[str, str], int] = OrderedDict()
        self._layout: Layout | None = None
        #: The deal on the table and the one before as they were dealt.
        self._fresh: Deal[Any] | None = None
        self._fresh_before: Deal[Any] | None = None

    # -- what is so ---------------------------------------------------------------

    @property
    def status(self) -> str:
        """``open``, ``playing``, ``between``, ``finished`` or ``closed``."""
        if self.closed:
            return "closed"
        if self.match is None:
            return "open"
        if self.match.winners is not None:
            return "finished"
        return "between" if self.match.deal is None else "playing"

    @property
    def over(self) -> bool:
        """Whether nothing more will be played here."""
        return self.status in ("finished", "closed")

    @property
    def deal(self) -> Deal[Any] | None:
        """The deal on the table: the one in progress, or the last one."""
        if self.match is None:
            return None
        return self.match.deal or (self.match.deals[-1] if self.match.deals else None)

    @property
    def deal_number(self) -> int:
        """The number of the deal on the table, from 1; 0 before the first."""
        if self.match is None:
            return 0
        return len(self.match.deals) + (self.match.deal is not None)

    @property
    def to_act(self) -> int | None:
        """The seat that is to act in the deal in progress."""
        return None if self.match is None or self.closed else self.match.to_act

    def seat_of(self, person: str | None) -> int | None:
        """The seat of a person, if any."""
        if person:
            for number, seat in enumerate(self.seats):
                if seat.person == person:
                    return number
        return None

    @property
    def people(self) -> list[int]:
        """The seats of people, also of those for whom a bot plays."""
        return [number for number, seat in enumerate(self.seats) if seat.kind == "person"]

    @property
    def alone(self) -> bool:
        """Whether one person plays against bots only."""
        return len(self.people) == 1 and all(seat.kind != "open" for seat in self.seats)

    @property
    def pending(self) -> Shuffle | None:
        """The shuffle that was committed to for the next deal."""
        last = self.shuffles[-1] if self.shuffles else None
        return last if last is not None and last.deal > self.deal_number else None

    def done(self, actor: str, key: str) -> int | None:
        """The last seq of a command that was done lately, or ``None``."""
        return self._keys.get((actor, key))

    def clone(self) -> Table:
        """A copy that shares nothing that changes."""
        twin = copy(self)
        twin.seats = [seat.clone() for seat in self.seats]
        if self.match is not None:
            match = twin.match = copy(self.match)
            match.deals = self.match.deals[:]
            match.deal = None if self.match.deal is None else self.match.deal.clone()
        twin.messages = self.messages.copy()
        twin.shuffles = self.shuffles[:]
        twin.steps = self.steps[:]
        twin.choices = self.choices[:]
        twin._keys = self._keys.copy()
        return twin

    def begun_by(self, now: int) -> None:
        """What runs began by ``now`` at the latest: the clock may have been set back since the log was written."""
        self.turn_at, self.wait_at, self.ready_at = (min(at, now) for at in (self.turn_at, self.wait_at, self.ready_at))

    # -- the fold -----------------------------------------------------------------

    def apply(self, row: log.Row) -> Step:
        """Take the next entry of the log. It was checked before it was written."""
        assert row.seq == self.head + 1, f"table {self.id}: entry {row.seq} after {self.head}"
        entry = row.entry
        events: tuple[Event, ...] = ()
        match entry:
            case log.Created():
                self._create(entry, row.at)
            case log.Sat(seat, person, name):
                self.seats[seat] = Seat("person", name, person)
            case log.Stood(seat) | log.Opened(seat):
                self.seats[seat] = Seat()
            case log.BotPlaced(seat, level, name):
                self.seats[seat] = Seat("bot", name, level=level)
            case log.Started(dealer):
                self.match = new_match(self.rules, dealer=dealer, players=self._players())
                self.wait_at = row.at
            case log.Committed(deal, commit, server_seed):
                self.shuffles.append(Shuffle(deal, commit, server_seed))
            case log.Readied(seat, seed):
                if not any(other.ready for other in self.seats):
                    self.ready_at = row.at
                self.seats[seat].ready, self.seats[seat].seed = True, seed
            case log.Dealt():
                # The deal before stays at hand for those who follow a little late.
                self.steps = self.steps[self.mark :]
                self.mark = len(self.steps)
                events = self._deal(entry)
                assert self.match is not None
                assert self.match.deal is not None
                self._fresh_before, self._fresh = self._fresh, self.match.deal.clone()
                self.choices.clear()
                self.turn_at = row.at
            case log.Acted(seat, action, by):
                self.seats[seat].late = self.seats[seat].late + 1 if by == "clock" else 0
                if self.alone and self.seats[seat].kind == "person":
                    self._choose()
                events = self._act([(seat, action)])
                self._turned(row.at)
            case log.Claimed(seat, actions):
                events = (Event("claim", seat), *self._act(actions))
                self._turned(row.at)
            case log.Undone(_, keep):
                self._undo(keep)
                self.choices = [place for place in self.choices if place < keep]
                self.undos += 1
                self.turn_at = row.at
            case log.Covered(seat, why):
                self.seats[seat].covered, self.seats[seat].left = True, why == "left"
                self.seats[seat].ready = False
            case log.Retaken(seat):
                # Who was away gets the whole time; leaving and coming back on purpose wins none.
                if seat == self.to_act and not self.seats[seat].left:
                    self.turn_at = row.at
                self.seats[seat].covered = self.seats[seat].left = False
                self.seats[seat].late = 0
            case log.Phrased(seat, phrase):
                self.messages.append(Said(row.seq, seat, self.seats[seat].name, "", phrase, row.at))
            case log.Chatted(seat, text):
                self.messages.append(Said(row.seq, seat, self.seats[seat].name, text, None, row.at))
            case log.HostPassed(seat):
                self.host = self.seats[seat].person
            case log.SettingsChanged(watch, listed, chat):
                self.watch, self.listed, self.chat = watch, listed, chat
            case log.Rematched(_, table):
                self.rematch = table
            case log.Closed():
                self.closed = True
        self.head = row.seq
        self.changed = row.at
        self._keys[row.actor, row.key] = row.seq
        while len(self._keys) > _KEYS:
            self._keys.popitem(last=False)
        step = Step(row.seq, entry, row.at, events)
        self.steps.append(step)
        return step

    def _create(self, entry: log.Created, at: int) -> None:
        made = game(entry.game)
        if entry.rules_version != made.rules.version:
            raise RecordError(
                msg(
                    "the table was made under version {found} of the rules of {game}; "
                    "this program knows version {known}",
                    found=entry.rules_version,
                    game=entry.game,
                    known=made.rules.version,
                ),
                f"table {self.id}",
            )
        self.game = entry.game
        self.rules = made.rules.from_dict(len(entry.seats), entry.rules)
        self.seats = [Seat(seat.kind, seat.name, seat.person, seat.level) for seat in entry.seats]
        self.host = entry.host
        self.clock = entry.clock
        self.watch, self.listed, self.chat, self.talk = entry.watch, entry.listed, entry.chat, entry.talk
        self.created = at

    def _players(self) -> list[str]:
        return [f"bot:{seat.level}" if seat.kind == "bot" else seat.name for seat in self.seats]

    def _deal(self, entry: log.Dealt) -> tuple[Event, ...]:
        assert self.match is not None
        shuffle = self.shuffles[-1]
        seeds = {int(seat): seed for seat, seed in entry.client_seeds.items()}
        self.shuffles[-1] = Shuffle(shuffle.deal, shuffle.commit, shuffle.server_seed, seeds)
        for seat in self.seats:
            seat.ready, seat.seed = False, ""
        made = self.match.deal_class
        self._layout = made.lay_out(self.rules, self.match.dealer, parse_cards(entry.cards))
        self.match.next_deal(self._layout, rng=self._stream())
        return (Event("deal", self.match.dealer, {"deal": entry.deal}),)

    def _stream(self) -> FairRng:
        """The shuffle's stream after the deck: later reshuffles come from it."""
        assert self.match is not None
        last = self.shuffles[-1]
        pack = self.match.deal_class.pack(self.rules)
        return shuffled_pack(pack, bytes.fromhex(last.server_seed), last.client_seeds, self.id, last.deal)[1]

    def fresh_deal(self) -> Deal[Any]:
        """The deal on the table as it was dealt, before any action."""
        assert self._fresh is not None
        return self._fresh.clone()

    def fresh_deal_before(self) -> Deal[Any] | None:
        """The deal before the one on the table, if there was one, as it was dealt."""
        return None if self._fresh_before is None else self._fresh_before.clone()

    def _choose(self) -> None:
        """Remember the action that follows, if it is one of several."""
        assert self.match is not None
        deal = self.match.deal
        if deal is not None and len(list(islice(deal.legal_actions(), 2))) > 1:
            self.choices.append(len(deal.actions()))

    def _act(self, actions: list[tuple[int, str]]) -> tuple[Event, ...]:
        assert self.match is not None
        events: list[Event] = []
        for seat, action in actions:
            events += self.match.apply(action, seat)
        return tuple(events)

    def _turned(self, at: int) -> None:
        """The next one's time begins, or the waiting for the next deal."""
        self.turn_at = at
        if self.match is not None and self.match.deal is None:
            self.wait_at = at

    def _undo(self, keep: int) -> None:
        assert self.match is not None
        assert self.match.deal is not None
        assert self._layout is not None
        actions = self.match.deal.actions()[:keep]
        self.match.deal = None
        deal = self.match.next_deal(self._layout, rng=self._stream())
        for _, action in actions:
            deal.advance(action)

    # -- the record ---------------------------------------------------------------

    def record(self) -> Record:
        """The record of the match as it stands; nobody at the table may see it before the end."""
        assert self.match is not None
        names = [seat.name for seat in self.seats]
        meta: dict[str, Any] = {"table": self.id, "started": self.created, "names": names}
        if self.undos:
            meta["undos"] = self.undos
        if self.closed:
            meta["ended"] = "closed"
        return Record.of_match(self.match, meta=meta, fairness=self.fairness())

    def fairness(self) -> dict[str, Any]:
        """The record's block by which the shuffles can be checked."""
        return {
            "version": VERSION,
            "table": self.id,
            "deals": [
                {
                    "deal": made.deal,
                    "commit": made.commit,
                    "server_seed": made.server_seed,
                    "client_seeds": {str(seat): seed for seat, seed in sorted(made.client_seeds.items())},
                }
                for made in self.shuffles
                if made.deal <= self.deal_number
            ],
        }
