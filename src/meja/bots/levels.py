"""The four levels of every game: their names, what they are in one honest sentence, and who plays them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from meja.bots import bassadewitz_levels, calabresella_levels, kaluki_levels, smear_levels
from meja.bots.bot import Bot
from meja.bots.leveled import COMPILED
from meja.messages import Message, msg


@dataclass(frozen=True, slots=True)
class Level:
    """A level: how commands call it, its title, and what to expect of it."""

    name: str
    title: Message
    sentence: Message


LEVELS: Final = (
    Level(
        "beginner",
        msg("Beginner"),
        msg("Knows a few rules of thumb, forgets what has been played and has a lapse now and then."),
    ),
    Level(
        "casual",
        msg("Casual"),
        msg("Knows the game and remembers the important cards, but goes by feeling and can be beaten."),
    ),
    Level(
        "strong",
        msg("Strong"),
        msg("Counts every card, bids with care and makes few mistakes; decides at once."),
    ),
    Level(
        "master",
        msg("Master"),
        msg("Thinks through hundreds of ways the hidden cards may lie before each move; sees no more than you do."),
    ),
)
LEVEL_NAMES: Final = tuple(level.name for level in LEVELS)
#: The level that is meant where none is chosen, also of the bot that plays for somebody who is away.
USUAL_LEVEL: Final = "strong"


#: Who plays the levels of each game.
MAKERS: Final[dict[str, dict[str, Callable[[], Bot]]]] = {
    "bassadewitz": bassadewitz_levels.LEVELS,
    "calabresella": calabresella_levels.LEVELS,
    "kaluki": kaluki_levels.LEVELS,
    "smear": smear_levels.LEVELS,
}


def slowed() -> Message | None:
    """What a player should know where the kernels are not compiled; ``None`` where they are."""
    if COMPILED:
        return None
    return msg("The fast parts of Meja are not compiled here: the strongest bots think through far fewer deals.")
