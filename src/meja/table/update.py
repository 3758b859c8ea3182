"""What a person is told of a table: the one exit for states, events, sentences and views.

Everything that leaves the service about a table is built here for one seat (``None``: a spectator)
and one language, from the public part of the state, ``View`` and ``Event.seen_by`` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any, Final

import msgspec

from meja.cards import Card, card_text
from meja.deal import Deal
from meja.games.melds import meld_text, worth
from meja.language import Language
from meja.messages import Message, SeatWord, msg
from meja.narration.aims import aim, aim_text, void_note
from meja.narration.house_rules import changed
from meja.narration.kaluki import best_melds
from meja.narration.screen import Screen
from meja.narration.screens import SCREENS
from meja.narration.style import Style
from meja.rules import Rules
from meja.table import log
from meja.table.claims import claimable
from meja.table.commands import undo_point
from meja.table.people import PHRASES, face_of
from meja.table.state import Said, Seat, Step, Table

PROTOCOL: Final = 1
_STYLE: Final = Style(signs=True)


class StepOut(msgspec.Struct):
    """One step of the log as a seat is told it."""

    seq: int
    kind: str
    seat: int | None
    events: list[dict[str, Any]]
    lines: list[str]


class SeatOut(msgspec.Struct):
    """Who sits on a seat, and how it stands with them."""

    seat: int
    kind: str
    name: str
    level: str | None
    here: bool
    covered: bool
    left: bool
    ready: bool
    cover_at: int | None
    host: bool
    face: str | None


class MeOut(msgspec.Struct):
    """Who the reader is at this table."""

    seat: int | None
    host: bool
    known: bool


class ClockOut(msgspec.Struct):
    """The clock: whose decision it measures, and when it ends."""

    mode: str
    seat: int | None
    deadline: int | None


class SettingsOut(msgspec.Struct):
    """What the host may change at any time."""

    watch: bool
    listed: bool
    chat: bool


class RevealedOut(msgspec.Struct):
    """The server's seed of a finished deal, and the hash that was shown before it."""

    deal: int
    seed: str
    commit: str


class CanOut(msgspec.Struct):
    """What the reader may do now beside the actions of the game."""

    sit: list[int]
    start: bool
    undo: bool
    claim: bool
    retake: bool
    leave: bool
    ready: bool
    cover: list[int]
    rematch: bool
    record: bool
    host: bool


class DealScoreOut(msgspec.Struct):
    """What one finished deal added to the totals."""

    points: list[int]
    void: bool
    dealer: int


class ScoresOut(msgspec.Struct):
    """The match so far."""

    totals: list[int]
    deals: list[DealScoreOut]
    winners: list[int] | None
    aim: str
    aim_text: str


class LineOut(msgspec.Struct):
    """One line of a score sheet."""

    seat: int
    points: int
    text: str
    rule: str


class SheetOut(msgspec.Struct):
    """The score sheet of a finished deal."""

    deal: int
    void: bool
    lines: list[LineOut]
    points: list[int]
    note: str | None = None


class SaidOut(msgspec.Struct):
    """A message of a seat."""

    seq: int
    seat: int
    name: str
    text: str
    phrase: str | None
    at: int


class StateOut(msgspec.Struct):
    """The table but for the cards."""

    status: str
    game: str
    title: str
    rules: dict[str, Any]
    changed: list[str]
    warnings: list[str]
    seats: list[SeatOut]
    me: MeOut
    clock: ClockOut
    settings: SettingsOut
    deal: int
    counted: int
    length: int | None
    target: int | None
    commit: str | None
    revealed: RevealedOut | None
    next_at: int | None
    can: CanOut
    scores: ScoresOut
    sheet: SheetOut | None
    messages: list[SaidOut]
    rematch: str | None


class Update(msgspec.Struct):
    """What a browser gets: the steps since ``after``, and the truth as it stands at ``head``."""

    table: str
    protocol: int
    build: str
    now: int
    after: int | None
    head: int
    steps: list[StepOut]
    state: StateOut
    view: dict[str, Any] | None
    story: list[str] | None = None


@dataclass(slots=True)
class Presence:
    """What is known of a table at this moment beside its log: who is here, and the times that run."""

    here: frozenset[int] = frozenset()
    cover_at: Mapping[int, int] = field(default_factory=dict)
    coverable: frozenset[int] = frozenset()
    deadline: int | None = None
    next_at: int | None = None


class Teller:
    """Tells one table to one reader: ``seat`` (``None``: a spectator) in ``language``."""

    def __init__(self, table: Table, seat: int | None, code: str) -> None:
        self.table = table
        self.seat = seat
        self.language = Language(code)
        names = {number: other.name or "?" for number, other in enumerate(table.seats) if number != seat}
        person = -1 if seat is None else seat
        self.screen: Screen = SCREENS[table.game](self.language, _STYLE, person, names)
        self.screen.table_follows = False
        #: What was told of finished deals: it stays as it is.
        self._scores: list[DealScoreOut] = []
        self._last_sheet: SheetOut | None = None
        #: The best melds in a hand, by the hand: it changes more seldom than the table.
        self._best: tuple[Sequence[Card], dict[str, Any]] | None = None
        #: The view of the deal on the table, while an update is made.
        self._view: Any = None

    def say(self, message: str) -> str:
        """A sentence in the reader's language."""
        return self.screen.say(message)

    # -- the whole ----------------------------------------------------------------

    def update(self, presence: Presence, *, after: int | None, now: int, build: str, known: bool) -> Update:
        """Everything since ``after`` (``None``: all there is to see). The steps must be at hand."""
        table = self.table
        self._view = None if table.deal is None else table.deal.view(self.seat)
        view = self.view()
        made = Update(
            table=table.id,
            protocol=PROTOCOL,
            build=build,
            now=now,
            after=after,
            head=table.head,
            steps=[] if after is None else self.steps(after),
            state=self.state(presence, known),
            view=view,
            story=self.story() if after is None else None,
        )
        self._view = None
        return made

    def _view_of(self, deal: Deal[Any]) -> Any:
        """The reader's view of a deal; that of the deal on the table is made once for an update."""
        return self._view if self._view is not None and deal is self.table.deal else deal.view(self.seat)

    # -- steps --------------------------------------------------------------------

    def steps(self, after: int) -> list[StepOut]:
        """The steps after seq ``after``; they must be at hand (``Table.steps``)."""
        table = self.table
        fresh = [step for step in table.steps if step.seq > after]
        if len(fresh) == 1:
            return [self.step(fresh[0], table.deal)]
        return [self.step(step, deal) for step, deal in self._replayed() if step.seq > after] if fresh else []

    def story(self) -> list[str]:
        """The lines of the deal on the table so far."""
        first = self.table.mark
        return [line for step, deal in islice(self._replayed(), first, None) for line in self._lines(step, deal)]

    def _replayed(self) -> Iterator[tuple[Step, Deal[Any] | None]]:
        """The steps at hand with the deal as it was after each; it changes with the next one."""
        table = self.table
        assert table.steps or table.head == 0
        yield from _replay(table.steps[: table.mark], table.fresh_deal_before)
        yield from _replay(table.steps[table.mark :], table.fresh_deal if table.deal is not None else lambda: None)

    def step(self, step: Step, deal: Deal[Any] | None) -> StepOut:
        """One step as this reader sees it; ``deal`` as it was after it."""
        entry = step.entry
        return StepOut(
            seq=step.seq,
            kind=log.kind(entry),
            seat=getattr(entry, "seat", None),
            events=[event.seen_by(self.seat) for event in step.events],
            lines=self._lines(step, deal),
        )

    def _lines(self, step: Step, deal: Deal[Any] | None) -> list[str]:
        lines = self._about(step)
        if step.events and deal is not None:
            view = self._view_of(deal)
            for event in step.events:
                if event.kind == "deal":
                    lines.append(self.screen.heading(view))
                    lines += self.screen.opening(view)
                else:
                    lines += self.screen.event(event.seen_by(self.seat), view)
        return lines

    def _about(self, step: Step) -> list[str]:
        """What is said of an entry itself, beside the events of the game."""
        entry = step.entry
        if isinstance(entry, log.Acted) and entry.by != "clock":
            # Most entries by far.
            return []
        me = getattr(entry, "seat", None) == self.seat and self.seat is not None
        who = SeatWord(getattr(entry, "seat", 0) or 0)
        match entry:
            case log.Sat(_, _, name):
                text = msg("You sit down.") if me else msg("{name} sits down.", name=name)
            case log.BotPlaced(_, _, name):
                text = msg("{name}, a bot, sits down.", name=name)
            case log.Started():
                text = msg("The match begins.")
            case log.Acted(_, _, "clock"):
                text = (
                    msg("Your time is up; a bot decides for you.")
                    if me
                    else msg("The time of {seat} is up; a bot decides.", seat=who)
                )
            case log.Undone():
                text = msg("You take back a decision.") if me else msg("{seat} takes back a decision.", seat=who)
            case log.Claimed():
                text = (
                    msg("You take the remaining tricks: nothing can prevent it.")
                    if me
                    else msg("{seat} takes the remaining tricks: nothing can prevent it.", seat=who)
                )
            case log.Covered(_, why):
                text = self._covered(why, me, who)
            case log.Retaken():
                text = msg("You play again.") if me else msg("{seat} plays again.", seat=who)
            case log.Phrased(_, phrase):
                text = msg("{seat}: {text}", seat=who, text=PHRASES[phrase])
            case log.Chatted(_, words):
                text = msg("{seat}: {text}", seat=who, text=words)
            case log.HostPassed():
                text = msg("You are the host now.") if me else msg("{seat} is the host now.", seat=who)
            case log.Rematched():
                text = msg("You go on at a new table.") if me else msg("{seat} goes on at a new table.", seat=who)
            case log.Closed():
                text = msg("You ended the match.") if me else msg("{seat} ended the match.", seat=who)
            case _:
                return []
        return [self.say(text)]

    @staticmethod
    def _covered(why: str, me: bool, who: SeatWord) -> Message:
        if me:
            return msg("A bot plays for you now. You can take your seat back at any time.")
        if why == "left":
            return msg("{seat} has left; a bot plays on.", seat=who)
        return msg("{seat} is away; a bot plays on.", seat=who)

    # -- the state ----------------------------------------------------------------

    def state(self, presence: Presence, known: bool) -> StateOut:
        """The table but for the cards."""
        table, match = self.table, self.table.match
        rules = table.rules
        told = rules_told(rules, self.language.code)
        return StateOut(
            status=table.status,
            game=table.game,
            title=told.title,
            rules=told.values,
            changed=told.changed,
            warnings=told.warnings,
            seats=[self._seat(number, seat, presence) for number, seat in enumerate(table.seats)],
            me=MeOut(self.seat, self._hosting, known),
            clock=ClockOut(table.clock, table.to_act if presence.deadline else None, presence.deadline),
            settings=SettingsOut(table.watch, table.listed, table.chat),
            deal=table.deal_number,
            counted=0 if match is None else match.counted,
            length=getattr(rules, "deals", None),
            target=getattr(rules, "target", None),
            commit=table.shuffles[-1].commit if table.shuffles else None,
            revealed=self._revealed(),
            next_at=presence.next_at,
            can=self._can(presence),
            scores=ScoresOut(
                totals=[0] * len(table.seats) if match is None else list(match.totals),
                deals=self._deal_scores(),
                winners=None if match is None or match.winners is None else list(match.winners),
                aim=told.aim,
                aim_text=told.aim_text,
            ),
            sheet=self._sheet(),
            messages=[self._said(said) for said in table.messages],
            rematch=table.rematch,
        )

    @property
    def _hosting(self) -> bool:
        return self.seat is not None and self.table.seats[self.seat].person == self.table.host

    def _seat(self, number: int, seat: Seat, presence: Presence) -> SeatOut:
        return SeatOut(
            seat=number,
            kind=seat.kind,
            name=seat.name,
            level=seat.level or None,
            here=seat.kind == "bot" or number in presence.here,
            covered=seat.covered,
            left=seat.left,
            ready=seat.ready,
            cover_at=presence.cover_at.get(number),
            host=seat.kind == "person" and seat.person == self.table.host,
            face=face_of(seat.name) if seat.kind == "bot" else None,
        )

    def _can(self, presence: Presence) -> CanOut:
        table, seat = self.table, self.seat
        mine = None if seat is None else table.seats[seat]
        opened = table.status == "open"
        hosting = self._hosting
        plays = mine is not None and mine.plays
        acting = plays and table.to_act == seat and seat is not None
        deal = None if table.match is None else table.match.deal
        return CanOut(
            sit=[number for number, other in enumerate(table.seats) if opened and other.kind == "open"]
            if mine is None
            else [],
            start=opened and hosting and all(other.kind != "open" for other in table.seats),
            undo=seat is not None and undo_point(table, seat) is not None,
            claim=acting and deal is not None and claimable(deal, table.to_act or 0, self._view_of(deal)),
            retake=mine is not None and mine.covered and not table.over,
            leave=plays and not table.over,
            ready=plays and table.status == "between" and mine is not None and not mine.ready,
            cover=[]
            if mine is None or table.status not in ("playing", "between")
            else sorted(presence.coverable - {seat}),
            rematch=mine is not None and table.over and table.match is not None,
            record=table.over and table.match is not None,
            host=hosting,
        )

    def _revealed(self) -> RevealedOut | None:
        """The seed of the last finished deal."""
        finished = 0 if self.table.match is None else len(self.table.match.deals)
        if not finished:
            return None
        made = self.table.shuffles[finished - 1]
        return RevealedOut(made.deal, made.server_seed, made.commit)

    def _sheet(self) -> SheetOut | None:
        match = self.table.match
        if match is None or not match.deals:
            return None
        known = self._last_sheet
        if known is None or known.deal != len(match.deals):
            known = self._last_sheet = sheet(match.deals[-1], len(match.deals), self.say)
        return known

    def _deal_scores(self) -> list[DealScoreOut]:
        finished = [] if self.table.match is None else self.table.match.deals
        self._scores += [
            DealScoreOut(list(deal.score()), deal.void, deal.dealer) for deal in finished[len(self._scores) :]
        ]
        return self._scores

    def _said(self, said: Said) -> SaidOut:
        text = self.language.say(PHRASES[said.phrase]) if said.phrase else said.text
        return SaidOut(said.seq, said.seat, said.name, text, said.phrase, said.at)

    # -- the view -----------------------------------------------------------------

    def view(self) -> dict[str, Any] | None:
        """The cards as this reader may see them."""
        deal = self.table.deal
        if deal is None:
            return None
        seen = wire_view(self._view_of(deal), self._best_of)
        seen["prompt"] = self.prompt(deal)
        # A deal that was broken off by closing has nobody to act any more.
        seen["to_act"] = self.table.to_act
        if self.seat is None or seen["to_act"] != self.seat or self.table.seats[self.seat].covered:
            seen["legal"] = []
        return seen

    def _best_of(self, view: Any) -> dict[str, Any]:
        if self._best is None or self._best[0] != view.hand:
            self._best = view.hand, best_of(view)
        return self._best[1]

    def prompt(self, deal: Deal[Any]) -> str:
        """What is expected, and of whom."""
        table = self.table
        match table.status:
            case "finished" | "closed":
                return self.say(msg("The match is over."))
            case "between":
                return self.say(msg("The deal is over."))
        acting = deal.to_act
        if acting is None:
            return ""
        if acting == self.seat and table.seats[acting].plays:
            return self.say(_PROMPTS.get((table.game, deal.phase), msg("It is your turn: play a card.")))
        other = _OTHERS.get(deal.phase, _PLAYS)
        return self.say(Message(other.template, seat=SeatWord(acting)))


def _replay(steps: Sequence[Step], fresh: Callable[[], Deal[Any] | None]) -> Iterator[tuple[Step, Deal[Any] | None]]:
    """The steps of one deal; ``fresh`` gives it as it was dealt, or ``None`` before the first."""
    deal = fresh()
    done: list[Any] = []
    for step in steps:
        match step.entry:
            case log.Acted(_, action) if deal is not None:
                done.append(deal.parse(action))
                deal.advance(done[-1])
            case log.Claimed(_, actions) if deal is not None:
                for _, text in actions:
                    deal.advance(deal.parse(text))
            case log.Undone(_, keep):
                del done[keep:]
                deal = fresh()
                for action in done:
                    assert deal is not None
                    deal.advance(action)
        yield step, deal


_PROMPTS: Final[Mapping[tuple[str, str], Message]] = {
    ("smear", "bid"): msg("It is your turn: bid or pass."),
    ("calabresella", "auction"): msg("It is your turn: bid or pass."),
    ("calabresella", "call"): msg("It is your turn: call a card that you do not hold."),
    ("calabresella", "give"): msg("It is your turn: give a card back."),
    ("calabresella", "discard"): msg("It is your turn: lay a card into the monte."),
    ("calabresella", "raise"): msg("It is your turn: declare how the monte is used."),
    ("kaluki", "draw"): msg("It is your turn: draw a card."),
    ("kaluki", "play"): msg("It is your turn: lay what you like, then discard."),
}
_PLAYS: Final = msg("{seat} is to play.", seat=SeatWord(0))
_OTHERS: Final[Mapping[str, Message]] = {
    "bid": msg("{seat} is to bid.", seat=SeatWord(0)),
    "auction": msg("{seat} is to bid.", seat=SeatWord(0)),
    "call": msg("{seat} is to call a card.", seat=SeatWord(0)),
    "give": msg("{seat} is to give a card back.", seat=SeatWord(0)),
    "discard": msg("{seat} is to lay cards into the monte.", seat=SeatWord(0)),
    "raise": msg("{seat} is to declare.", seat=SeatWord(0)),
    "draw": msg("{seat} is to draw a card.", seat=SeatWord(0)),
}

#: Fields of a view that a browser needs not: the tricks before the last, and what can be seen from the play.
_LEFT_OUT: Final = ("tricks", "voids", "known", "turned")


def wire_view(view: Any, best: Callable[[Any], dict[str, Any]] | None = None) -> dict[str, Any]:
    """A view as the protocol writes it: card lists as lists, of the tricks only the last.

    ``best`` finds the best melds in the hand of the view's player, where they count.

    Rules and totals stand in the state, and the log is long: they are not made into text at all.
    """
    given = view.details()
    seen = {
        "seat": view.seat,
        "dealer": view.dealer,
        "totals": list(view.context.totals),
        "phase": view.phase,
        "to_act": view.to_act,
        "hand": [card_text(card) for card in view.hand],
        "hand_sizes": list(view.hand_sizes),
        "legal": [view.text(action) for action in view.listed],
        **{name: value for name, value in given.items() if name not in _LEFT_OUT},
    }
    if "tricks" in given:
        tricks = given["tricks"]
        seen["trick"] = [_played(text) for text in given["trick"]]
        seen["last_trick"] = _trick(tricks[-1]) if tricks else None
        won = [0] * view.rules.seats
        for trick in tricks:
            won[trick["winner"]] += 1
        seen["tricks_won"] = won
    if view.game == "calabresella":
        seen["calls"] = _calls(view)
    for name in ("shown", "picked_up", "laid", "monte", "pile"):
        if name in seen:
            seen[name] = seen[name].split()
    if "table" in given:
        rules = view.rules.turn.melds
        seen["table"] = [
            {"meld": index, "owner": owner, "cards": meld_text(meld).split(), "points": worth(meld, rules)}
            for index, (owner, meld) in enumerate(zip(view.owners, view.table, strict=True))
        ]
        seen["openings"] = [text.split() for text in given["openings"]]
        seen["left"] = [text.split() for text in given["left"]]
        seen["best"] = None if view.seat is None or best is None else best(view)
    return seen


def _calls(view: Any) -> list[list[Any]]:
    """Every call of Calabresella's auction, (seat, word): everybody heard them."""
    calls = []
    for seat, action in view.log:
        verb, _, bid = view.text(action).partition(" ")
        if verb not in ("pass", "bid"):
            break
        calls.append([seat, bid or verb])
    return calls


def _played(text: str) -> list[Any]:
    seat, _, card = text.partition(" ")
    return [int(seat), card]


def _trick(trick: Mapping[str, Any]) -> dict[str, Any]:
    return {"cards": [_played(text) for text in trick["cards"]], "winner": trick["winner"]}


def best_of(view: Any) -> dict[str, Any]:
    """The best melds in the own hand, and how far they go towards opening."""
    rules = view.rules.turn.melds
    melds = best_melds(view.hand, rules, several=True)
    several = view.rules.opening == "total"
    points = [worth(meld, rules) for meld in melds]
    return {
        "melds": [meld_text(meld).split() for meld in melds],
        "points": sum(points) if several else max(points, default=0),
        "needed": view.rules.opening_points,
    }


def sheet(deal: Deal[Any], number: int, say: Any) -> SheetOut:
    """The score sheet of a finished deal; ``say`` turns a sentence into the reader's language."""
    lines = [] if deal.void else deal.score_sheet()
    note = void_note(deal)
    return SheetOut(
        deal=number,
        void=deal.void,
        lines=[LineOut(line.seat, line.points, say(line.reason), line.rule) for line in lines],
        points=list(deal.score()),
        note=None if note is None else say(note),
    )


@dataclass(frozen=True, slots=True)
class RulesTold:
    """Rules in the words of a language."""

    title: str
    values: dict[str, Any]
    changed: list[str]
    warnings: list[str]
    aim: str
    aim_text: str


@lru_cache(256)
def _rules_told(rules: Rules, preset: str, code: str) -> RulesTold:
    # Two rules are equal whatever preset they came from, but the words name the preset.
    assert rules.preset == preset
    language = Language(code)
    return RulesTold(
        title=language.sentence(rules.title),
        values=rules.to_dict(),
        changed=changed(rules, language),
        warnings=[language.sentence(text) for text in rules.warnings()],
        aim=aim(rules),
        aim_text=language.sentence(aim_text(rules)),
    )


def rules_told(rules: Rules, code: str) -> RulesTold:
    """Rules in words: most tables play by the same few, and an update tells them again."""
    return _rules_told(rules, rules.preset, code)
