"""The requests of the browser that are no commands of a table, and the answers to them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from meja.table.commands import AnyCommand

Key = Annotated[str, msgspec.Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_.:-]+$(?!\n)")]


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request's body."""


class NameRequest(Request, frozen=True):
    """A name for the guest of this browser."""

    name: Annotated[str, msgspec.Meta(max_length=200)]


class Empty(Request, frozen=True):
    """Nothing."""


class RecoverRequest(Request, frozen=True):
    """A recovery code."""

    code: Annotated[str, msgspec.Meta(max_length=64)]


class RulesRequest(Request, frozen=True):
    """Rules to look at: a game, how many seats, and options."""

    game: Annotated[str, msgspec.Meta(max_length=32)]
    seats: Annotated[int, msgspec.Meta(ge=0, le=9)] | None = None
    preset: Annotated[str, msgspec.Meta(max_length=32)] = "standard"
    options: dict[str, bool | int | str | None] = {}


class OtherSeat(Request, frozen=True):
    """A seat beside one's own: ``bot`` with a level, or ``open``."""

    kind: Literal["bot", "open"]
    level: Annotated[str, msgspec.Meta(max_length=32)] = ""


class TableRequest(Request, frozen=True):
    """A new table."""

    key: Key
    game: Annotated[str, msgspec.Meta(max_length=32)]
    others: Annotated[list[OtherSeat], msgspec.Meta(min_length=1, max_length=4)]
    seats: Annotated[int, msgspec.Meta(ge=2, le=5)] | None = None
    preset: Annotated[str, msgspec.Meta(max_length=32)] = "standard"
    options: dict[str, bool | int | str | None] = {}
    me: Annotated[int, msgspec.Meta(ge=0, le=4)] = 0
    clock: Annotated[str, msgspec.Meta(max_length=16)] = "off"
    watch: bool = True
    listed: bool = False
    chat: bool = True
    talk: bool = False
    start: bool = False


class CommandRequest(Request, frozen=True):
    """A command to a table; ``expect`` is the head of the table as the sender saw it."""

    key: Key
    command: AnyCommand
    expect: Annotated[int, msgspec.Meta(ge=0)] | None = None


class ReplayRequest(Request, frozen=True):
    """A record to go through."""

    record: str
    deal: Annotated[int, msgspec.Meta(ge=1, le=100_000)] = 1


class ErrorBody(msgspec.Struct, frozen=True):
    """What went wrong: a stable code, a sentence, and where there is one the rule's number and the table's head."""

    code: str
    text: str
    rule: str | None = None
    head: int | None = None


class ErrorAnswer(msgspec.Struct, frozen=True):
    """The answer to every request that failed."""

    error: ErrorBody


class PersonOut(msgspec.Struct, frozen=True):
    """Somebody, to their own browser."""

    id: str
    name: str


class MeAnswer(msgspec.Struct, frozen=True):
    """Who this browser is, and what it talks to."""

    person: PersonOut | None
    version: str
    build: str
    protocol: int
    kernels: str
    now: int


class RecoveryAnswer(msgspec.Struct, frozen=True):
    """A recovery code, shown once."""

    code: str


class NamedOut(msgspec.Struct, frozen=True):
    """A name of the protocol and its words."""

    name: str
    title: str
    help: str = ""


class GameOut(msgspec.Struct, frozen=True):
    """A game as the home page shows it."""

    name: str
    title: str
    blurb: str
    seats: list[int]
    default_seats: int
    minutes: list[int]
    presets: list[NamedOut]
    levels: list[NamedOut]
    level: str


class PhraseOut(msgspec.Struct, frozen=True):
    """A quick phrase."""

    name: str
    text: str


class GamesAnswer(msgspec.Struct, frozen=True):
    """What can be played, and how tables can be made."""

    games: list[GameOut]
    clocks: list[NamedOut]
    phrases: list[PhraseOut]


class ChoiceOut(msgspec.Struct, frozen=True):
    """One value of an option."""

    value: bool | int | str | None
    text: str


class OptionOut(msgspec.Struct, frozen=True):
    """One option of a form; ``default`` is the preset's value."""

    name: str
    title: str
    help: str
    rule: str
    value: bool | int | str | None
    default: bool | int | str | None
    choices: list[ChoiceOut]


class RulesAnswer(msgspec.Struct, frozen=True):
    """Rules as a form shows them."""

    game: str
    seats: int
    preset: str
    options: list[OptionOut]
    warnings: list[str]
    changed: list[str]


class SectionOut(msgspec.Struct, frozen=True):
    """A section of a rule book."""

    id: str
    title: str


class BookAnswer(msgspec.Struct, frozen=True):
    """A rule book as HTML of our own making."""

    title: str
    html: str
    sections: list[SectionOut]
    numbers: list[str]


class ListedSeat(msgspec.Struct, frozen=True):
    """A seat in a list."""

    name: str
    kind: str


class ListedTable(msgspec.Struct, frozen=True):
    """A table in a list."""

    table: str
    game: str
    title: str
    status: str
    host: str
    seats: list[ListedSeat]
    changed: list[str]
    clock: str
    watch: bool
    deal: int
    totals: list[int]
    your_turn: bool
    created: int
    updated: int


class TablesAnswer(msgspec.Struct, frozen=True):
    """A list of tables."""

    tables: list[ListedTable]


class TableAnswer(msgspec.Struct, frozen=True):
    """The id of a table."""

    table: str


class DoneAnswer(msgspec.Struct, frozen=True):
    """A command was done; ``seq`` is its place in the log."""

    seq: int


class HealthAnswer(msgspec.Struct, frozen=True):
    """The service is well."""

    ok: bool
    version: str
    tables: int
    followers: int


JsonObject = dict[str, Any]
