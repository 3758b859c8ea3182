"""Players that see a view and nothing else."""

from __future__ import annotations

from typing import Final

from meja.bots.bassadewitz import BassadewitzThumb
from meja.bots.bot import Advice, Bot, Budget, Opinion, RandomBot
from meja.bots.calabresella import CalabresellaThumb
from meja.bots.kaluki import KalukiThumb
from meja.bots.levels import LEVEL_NAMES, LEVELS, MAKERS, USUAL_LEVEL, Level
from meja.bots.searching import SEARCHED, IsmctsBot, PimcBot
from meja.bots.smear import SmearThumb
from meja.cards import quoted
from meja.errors import MejaError
from meja.games import game as named
from meja.messages import msg

RULES_OF_THUMB: Final = "rules-of-thumb"
_EVERYWHERE: Final = (RandomBot.name, RULES_OF_THUMB, *LEVEL_NAMES)
BOTS: Final = (*_EVERYWHERE, PimcBot.name, IsmctsBot.name)

_THUMBS: Final[dict[str, type[Bot]]] = {
    "bassadewitz": BassadewitzThumb,
    "calabresella": CalabresellaThumb,
    "kaluki": KalukiThumb,
    "smear": SmearThumb,
}


def bots_for(game: str) -> tuple[str, ...]:
    """The bots that play a game."""
    return BOTS if named(game).name in SEARCHED else _EVERYWHERE


def make_bot(name: str, game: str) -> Bot:
    """The bot called ``name`` for ``game``; raises :class:`~meja.errors.MejaError` for one that does not play it."""
    if name == RandomBot.name:
        return RandomBot()
    if name == RULES_OF_THUMB:
        return _THUMBS[named(game).name]()
    if name in LEVEL_NAMES:
        return MAKERS[named(game).name][name]()
    known = bots_for(game)
    for search in (PimcBot, IsmctsBot):
        if name == search.name and name in known:
            return search(_THUMBS[named(game).name]())
    raise MejaError(msg("there is no bot {name}; expected one of: {known}", name=quoted(name), known=", ".join(known)))


__all__ = [
    "BOTS",
    "LEVELS",
    "RULES_OF_THUMB",
    "USUAL_LEVEL",
    "Advice",
    "Bot",
    "Budget",
    "Level",
    "Opinion",
    "RandomBot",
    "bots_for",
    "make_bot",
]
