"""What people may ask of a table: the messages, and the one place that decides about them.

A command is decided against the state and becomes entries of the log, or is refused with a
:class:`Refusal`. Nothing here changes the state.
"""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Final, TypeAlias

import msgspec

from meja.errors import IllegalAction, MejaError
from meja.messages import Message, msg
from meja.table import log
from meja.table.claims import all_tricks
from meja.table.people import PHRASES, bot_name, check_name, clean, is_level
from meja.table.state import Table

SeatNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=4)]
LONGEST_TEXT: Final = 200


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """A request to a table; ``do`` is its tag."""


class Sit(Command, frozen=True, tag="sit"):
    """Take an open seat."""

    seat: SeatNumber


class Stand(Command, frozen=True, tag="stand"):
    """Give the own seat up before the start."""


class PlaceBot(Command, frozen=True, tag="bot"):
    """Put a bot on an open seat, or change its level (host)."""

    seat: SeatNumber
    level: Annotated[str, msgspec.Meta(max_length=32)]


class Open(Command, frozen=True, tag="open"):
    """Free a seat before the start (host)."""

    seat: SeatNumber


class Start(Command, frozen=True, tag="start"):
    """Begin the match (host)."""


class Ready(Command, frozen=True, tag="ready"):
    """Ready for the next deal; ``seed`` (64 hex digits) goes into its shuffle."""

    seed: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$", max_length=64)]


class Act(Command, frozen=True, tag="act"):
    """Do an action of the game, in the words of the record: ``play As``."""

    action: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]


class Undo(Command, frozen=True, tag="undo"):
    """Take the last decision back, where that is allowed."""


class Claim(Command, frozen=True, tag="claim"):
    """Take all the remaining tricks, where nothing can prevent it."""


class Leave(Command, frozen=True, tag="leave"):
    """Leave; a bot plays on, and the seat can be taken back."""


class Retake(Command, frozen=True, tag="retake"):
    """Take the own seat back from the bot."""


class Cover(Command, frozen=True, tag="cover"):
    """Ask that a bot plays for somebody who is away."""

    seat: SeatNumber


class Phrase(Command, frozen=True, tag="phrase"):
    """Say one of the quick phrases."""

    phrase: Annotated[str, msgspec.Meta(max_length=32)]


class Chat(Command, frozen=True, tag="chat"):
    """Write to the table."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_TEXT)]


class Host(Command, frozen=True, tag="host"):
    """Pass the role of the host to another person."""

    seat: SeatNumber


class Settings(Command, frozen=True, tag="settings"):
    """Change who may watch, whether the table is listed, whether people may write (host)."""

    watch: bool | None = None
    listed: bool | None = None
    chat: bool | None = None


class Rematch(Command, frozen=True, tag="rematch"):
    """Go on with the same people at a new table."""


class Close(Command, frozen=True, tag="close"):
    """End an unfinished match (host)."""


AnyCommand: TypeAlias = (
    Sit
    | Stand
    | PlaceBot
    | Open
    | Start
    | Ready
    | Act
    | Undo
    | Claim
    | Leave
    | Retake
    | Cover
    | Phrase
    | Chat
    | Host
    | Settings
    | Rematch
    | Close
)

#: The commands whose meaning depends on what was last seen of the table.
POSITIONAL: Final = (Act, Undo, Claim)


class Refusal(MejaError):
    """A command that is refused; ``code`` is stable, ``rule`` is the number of the rule where there is one."""

    def __init__(self, code: str, text: Message, rule: str | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.rule = rule

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.code, self.text, self.rule))


class NotYours(Refusal):
    """Somebody asked for what another person's seat may do."""


def decide(table: Table, person: str, name: str, command: AnyCommand) -> list[log.AnyEntry]:
    """The entries that ``command`` of ``person`` becomes; raises :class:`Refusal`.

    Cover and Rematch need more than the log knows (who is here; a new table) and are decided by the service.
    """
    seat = table.seat_of(person)
    if isinstance(command, Sit):
        return [_sit(table, seat, person, name, command.seat)]
    if seat is None:
        raise NotYours("not-seated", msg("You have no seat at this table."))
    match command:
        case Stand():
            _before_start(table)
            return _leave_open(table, seat)
        case Leave():
            return _leave(table, seat)
        case Retake():
            if not table.seats[seat].covered or table.over:
                raise Refusal("not-covered", msg("Nobody plays for you; the seat is yours."))
            return [log.Retaken(seat)]
        case Ready(seed):
            return [_ready(table, seat, seed)]
        case Act(action):
            return [_act(table, seat, action)]
        case Undo():
            keep = undo_point(table, seat)
            if keep is None:
                raise Refusal("no-undo", msg("There is nothing to take back."))
            return [log.Undone(seat, keep)]
        case Claim():
            return [_claim(table, seat)]
        case Phrase(phrase):
            if phrase not in PHRASES:
                raise Refusal("no-phrase", msg("There is no such phrase."))
            return [log.Phrased(seat, phrase)]
        case Chat(text):
            if not table.chat:
                raise Refusal("no-chat", msg("Writing is switched off at this table."))
            words = clean(text)
            if not words:
                raise Refusal("empty", msg("There is nothing to send."))
            return [log.Chatted(seat, words)]
    return _host(table, seat, person, command)


def _host(table: Table, seat: int, person: str, command: AnyCommand) -> list[log.AnyEntry]:
    if table.host != person:
        raise NotYours("not-host", msg("Only the host of the table can do that."))
    match command:
        case PlaceBot(target, level):
            _before_start(table)
            _known_seat(table, target)
            if table.seats[target].kind == "person":
                raise Refusal("taken", msg("Somebody sits there."))
            if not is_level(level, table.rules.game):
                raise Refusal("no-level", msg("There is no such bot."))
            return [log.BotPlaced(target, level, bot_name([other.name for other in table.seats], target, level))]
        case Open(target):
            _before_start(table)
            _known_seat(table, target)
            if target == seat:
                raise Refusal("own-seat", msg("You sit there yourself."))
            if table.seats[target].kind == "open":
                raise Refusal("open", msg("The seat is free already."))
            return [log.Opened(target)]
        case Start():
            _before_start(table)
            if any(other.kind == "open" for other in table.seats):
                raise Refusal("open-seats", msg("There are free seats. Invite somebody, or put a bot there."))
            return begin(table)
        case Host(target):
            _known_seat(table, target)
            if table.seats[target].kind != "person" or target == seat:
                raise Refusal("no-person", msg("The host must be another person at the table."))
            return [log.HostPassed(target)]
        case Settings(watch, listed, chat):
            return [
                log.SettingsChanged(
                    table.watch if watch is None else watch,
                    table.listed if listed is None else listed,
                    table.chat if chat is None else chat,
                )
            ]
        case Close():
            if table.over:
                raise Refusal("over", msg("The match is over."))
            return [log.Closed(seat)]
    raise Refusal("unknown", msg("This cannot be done here."))


def begin(table: Table) -> list[log.AnyEntry]:
    """The entries that start a match: the first dealer is drawn."""
    return [log.Started(secrets.randbelow(len(table.seats)))]


def _sit(table: Table, seat: int | None, person: str, name: str, target: int) -> log.AnyEntry:
    _before_start(table)
    _known_seat(table, target)
    if seat is not None:
        raise Refusal("seated", msg("You sit at this table already. Stand up first to take another seat."))
    if table.seats[target].kind != "open":
        raise Refusal("taken", msg("Somebody sits there."))
    return log.Sat(target, person, check_name(name))


def _leave_open(table: Table, seat: int) -> list[log.AnyEntry]:
    """Give the seat up before the start; the role of the host goes on to somebody who stays."""
    others = [number for number in table.people if number != seat]
    if not others:
        return [log.Closed(seat)]
    entries: list[log.AnyEntry] = []
    if table.host == table.seats[seat].person:
        entries.append(log.HostPassed(others[0]))
    return [*entries, log.Stood(seat)]


def _leave(table: Table, seat: int) -> list[log.AnyEntry]:
    if table.status == "open":
        return _leave_open(table, seat)
    if table.over:
        raise Refusal("over", msg("The match is over."))
    if table.seats[seat].covered:
        raise Refusal("covered", msg("A bot plays for you already."))
    others = [number for number in table.people if number != seat and table.seats[number].plays]
    entries: list[log.AnyEntry] = [log.Covered(seat, "left")]
    if table.host == table.seats[seat].person and others:
        entries.append(log.HostPassed(others[0]))
    return entries


def _ready(table: Table, seat: int, seed: str) -> log.AnyEntry:
    if table.status != "between":
        raise Refusal("not-between", msg("A deal is going on, or the match is over."))
    if table.seats[seat].covered:
        raise Refusal("covered", msg("A bot plays for you. Take your seat back first."))
    if table.seats[seat].ready:
        raise Refusal("ready", msg("You are ready already."))
    return log.Readied(seat, seed)


def _act(table: Table, seat: int, action: str) -> log.AnyEntry:
    deal = _turn(table, seat)
    reason = deal.why_illegal(deal.recorded(action))
    if reason is not None:
        raise Refusal(reason.code, reason.text, reason.rule)
    return log.Acted(seat, deal.text(deal.recorded(action)))


def _turn(table: Table, seat: int) -> Any:
    """The deal in progress, where it is the seat's turn."""
    if table.status != "playing":
        raise Refusal("not-playing", msg("No deal is going on."))
    if table.seats[seat].covered:
        raise Refusal("covered", msg("A bot plays for you. Take your seat back first."))
    if table.to_act != seat:
        raise Refusal("not-your-turn", msg("It is not your turn."))
    assert table.match is not None
    return table.match.deal


def _claim(table: Table, seat: int) -> log.AnyEntry:
    deal = _turn(table, seat)
    actions = all_tricks(deal, seat)
    if actions is None:
        raise Refusal("no-claim", msg("It is not certain that you take all the remaining tricks."))
    return log.Claimed(seat, actions)


def undo_point(table: Table, seat: int) -> int | None:
    """How many actions of the deal stay if ``seat`` takes its last decision back; ``None`` if it may not.

    Alone against bots anybody may go back to before the last own decision in the deal; a card that
    was the only choice is none. With other people only what was done in the own turn of Kaluki since the
    last hidden card was seen can be taken back: melds, cards added and jokers swapped, and that the top
    card of the discard pile was taken (everybody saw each card of it). A card drawn stays drawn.
    """
    if table.status != "playing" or not table.seats[seat].plays:
        return None
    if table.alone:
        return table.choices[-1] if table.choices else None
    deal = table.deal
    assert deal is not None
    actions = deal.actions()
    if deal.game != "kaluki" or table.to_act != seat or not actions or actions[-1][0] != seat:
        return None
    verb = deal.text(actions[-1][1]).split()[0]
    return None if verb in ("draw", "discard") else len(actions) - 1


def bot_decision(table: Table, seat: int, action: Any) -> log.AnyEntry:
    """The entry of a bot's choice; raises ``IllegalAction`` for nonsense."""
    assert table.match is not None
    deal = table.match.deal
    assert deal is not None
    reason = deal.why_illegal(action)
    if reason is not None:
        raise IllegalAction(reason, deal.describe(action))
    return log.Acted(seat, deal.text(action), "bot")


def _before_start(table: Table) -> None:
    if table.status != "open":
        raise Refusal("started", msg("The match has begun already."))


def _known_seat(table: Table, seat: int) -> None:
    if seat >= len(table.seats):
        raise Refusal("no-seat", msg("There is no such seat at this table."))
