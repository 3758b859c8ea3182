"""The events of a table as they are stored: append-only, and the only truth about it.

The state of a table is the fold of its events (:mod:`meja.table.state`). A body holds
everything, secrets too; what a seat may see of it is decided in :mod:`meja.table.update`.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import msgspec


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", omit_defaults=True):
    """One thing that happened at a table. ``kind`` is its tag."""


class SeatSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Who sits where when a table is made: a person, a bot with a level, or nobody (``open``)."""

    kind: str
    name: str = ""
    person: str = ""
    level: str = ""


class Created(Entry, frozen=True, tag="created"):
    """A table was made. ``rules`` is the object of the record format, ``host`` a person."""

    game: str
    rules: dict[str, Any]
    rules_version: int
    seats: list[SeatSetup]
    host: str
    clock: str
    watch: bool
    listed: bool
    chat: bool
    #: Whether bots say something now and then.
    talk: bool = False


class Sat(Entry, frozen=True, tag="sit"):
    """A person took a seat."""

    seat: int
    person: str
    name: str


class Stood(Entry, frozen=True, tag="stand"):
    """A person gave a seat up before the start."""

    seat: int


class BotPlaced(Entry, frozen=True, tag="bot"):
    """A bot took a seat before the start."""

    seat: int
    level: str
    name: str


class Opened(Entry, frozen=True, tag="open"):
    """The host freed a seat before the start."""

    seat: int


class Started(Entry, frozen=True, tag="started"):
    """The match begins; ``dealer`` deals first."""

    dealer: int


class Committed(Entry, frozen=True, tag="commit"):
    """The server has chosen its seed (hex, secret until the end of the deal) for deal ``deal`` and shows its hash."""

    deal: int
    commit: str
    server_seed: str


class Readied(Entry, frozen=True, tag="ready"):
    """A person is ready for the next deal and adds a seed (hex, may be empty) to its shuffle."""

    seat: int
    seed: str


class Dealt(Entry, frozen=True, tag="deal"):
    """A deal was dealt. ``cards``: the shuffled pack; ``version``: the algorithm it came from."""

    deal: int
    version: str
    cards: str
    client_seeds: dict[str, str]


class Acted(Entry, frozen=True, tag="act"):
    """A seat did an action; ``by``: ``person``, ``bot`` or ``clock``."""

    seat: int
    action: str
    by: str = "person"


class Undone(Entry, frozen=True, tag="undo"):
    """A seat took actions back; ``keep`` is how many actions of the deal remain."""

    seat: int
    keep: int


class Claimed(Entry, frozen=True, tag="claim"):
    """A seat took all the remaining tricks, which nothing could prevent; the rest was played: (seat, action)."""

    seat: int
    actions: list[tuple[int, str]]


class Covered(Entry, frozen=True, tag="cover"):
    """A bot plays for a person; ``why``: ``left``, ``away`` or ``clock``."""

    seat: int
    why: str


class Retaken(Entry, frozen=True, tag="retake"):
    """A person plays again in the own seat."""

    seat: int


class Phrased(Entry, frozen=True, tag="phrase"):
    """A seat said one of the quick phrases."""

    seat: int
    phrase: str


class Chatted(Entry, frozen=True, tag="chat"):
    """A seat wrote something."""

    seat: int
    text: str


class HostPassed(Entry, frozen=True, tag="host"):
    """Another seat is the host now."""

    seat: int


class SettingsChanged(Entry, frozen=True, tag="settings"):
    """The host changed who may watch, whether the table is listed, whether people may write."""

    watch: bool
    listed: bool
    chat: bool


class Rematched(Entry, frozen=True, tag="rematch"):
    """The same people go on at another table."""

    seat: int
    table: str


class Closed(Entry, frozen=True, tag="closed"):
    """The host ended the table before the end of the match."""

    seat: int


AnyEntry: TypeAlias = (
    Created
    | Sat
    | Stood
    | BotPlaced
    | Opened
    | Started
    | Committed
    | Readied
    | Dealt
    | Acted
    | Undone
    | Claimed
    | Covered
    | Retaken
    | Phrased
    | Chatted
    | HostPassed
    | SettingsChanged
    | Rematched
    | Closed
)

_DECODER: Final = msgspec.json.Decoder(AnyEntry)
_ENCODER: Final = msgspec.json.Encoder()


def encode(entry: AnyEntry) -> bytes:
    """The stored body of an entry."""
    return _ENCODER.encode(entry)


def decode(body: bytes) -> AnyEntry:
    """The entry of a stored body; raises ``msgspec.ValidationError`` for anything else."""
    return _DECODER.decode(body)


def kind(entry: AnyEntry) -> str:
    """The tag of an entry: ``act``, ``deal`` ..."""
    tag = entry.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


class Row(msgspec.Struct, frozen=True):
    """An entry with its place in the log. ``at`` is in milliseconds since 1970."""

    seq: int
    entry: AnyEntry
    actor: str
    key: str
    at: int
