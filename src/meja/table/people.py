"""People and bots at a table: their names, the levels of bots, the quick phrases, the clocks."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from meja.bots import RULES_OF_THUMB, USUAL_LEVEL, RandomBot
from meja.bots.levels import LEVELS as BOT_LEVELS
from meja.cardart.portraits import NAMES as BOT_NAMES
from meja.errors import MejaError
from meja.messages import Message, msg

LONGEST_NAME: Final = 24
_FACES: Final = frozenset(name for names in BOT_NAMES.values() for name in names)


@dataclass(frozen=True, slots=True)
class Named:
    """A name of the protocol with its words for people."""

    name: str
    title: Message
    help: Message


LEVELS: Final = tuple(Named(level.name, level.title, level.sentence) for level in BOT_LEVELS)
LEVEL_NAMES: Final = tuple(level.name for level in LEVELS)
#: Bots that are not offered, but taken where they are asked for: tables that stand have them, and tests want them.
_UNLISTED: Final = (RULES_OF_THUMB, RandomBot.name)
#: Levels that the host of the server has added, and the games that each can play.
_ADDED: Final[dict[str, tuple[Named, frozenset[str]]]] = {}


def add_level(name: str, games: Sequence[str]) -> None:
    """Offer a bot of the host's own at the tables of ``games``."""
    level = Named(name, Message(name), msg("A program that the host of this server has brought."))
    _ADDED[name] = level, frozenset(games)


def levels(game: str) -> list[Named]:
    """The levels of bots for a game."""
    return [*LEVELS, *(level for level, games in _ADDED.values() if game in games)]


def is_level(name: str, game: str) -> bool:
    """Whether there is a level of that name for the game."""
    return name in _UNLISTED or any(level.name == name for level in levels(game))


CLOCKS: Final = (
    Named("off", msg("No clock"), msg("Everybody takes the time they need.")),
    Named("relaxed", msg("Relaxed"), msg("60 seconds for each decision.")),
    Named("quick", msg("Quick"), msg("20 seconds for each decision.")),
)
#: Seconds for a decision, and for the pause between deals; ``None``: no limit.
DECISION: Final[Mapping[str, int | None]] = {"off": None, "relaxed": 60, "quick": 20}
PAUSE: Final[Mapping[str, int]] = {"off": 60, "relaxed": 45, "quick": 20}

PHRASES: Final[Mapping[str, Message]] = {
    "hello": msg("Hello!"),
    "luck": msg("Good luck!"),
    "nice": msg("Well played!"),
    "thanks": msg("Thank you!"),
    "oops": msg("Oops!"),
    "wow": msg("Wow!"),
    "close": msg("That was close!"),
    "moment": msg("One moment, please."),
    "again": msg("Another one?"),
    "bye": msg("I have to go. Bye!"),
}


def clean(text: str) -> str:
    """A text without control and direction signs, with single spaces: it cannot break a line or a layout."""
    kept = (character if unicodedata.category(character)[0] not in "CZ" else " " for character in text)
    return " ".join("".join(kept).split())


def check_name(name: str) -> str:
    """A person's name as it will be shown; raises :class:`~meja.errors.MejaError` for an empty or too long one."""
    made = clean(unicodedata.normalize("NFC", name))
    if not 1 <= len(made) <= LONGEST_NAME:
        raise MejaError(msg("a name has 1 to {most} characters", most=LONGEST_NAME))
    return made


def bot_name(taken: Sequence[str], seat: int, level: str) -> str:
    """A name for a bot that nobody else at the table has; each level has names of its own."""
    free = [name for name in BOT_NAMES.get(level, BOT_NAMES[USUAL_LEVEL]) if name not in taken]
    return free[seat % len(free)]


def face_of(name: str) -> str | None:
    """The portrait of a bot, if it has one."""
    return name.lower() if name in _FACES else None
