"""Players that see a view and nothing else."""

from __future__ import annotations

from typing import Final

from meja.bots.bassadewitz import BassadewitzThumb
from meja.bots.bot import Bot, Budget, RandomBot
from meja.bots.calabresella import CalabresellaThumb
from meja.bots.kaluki import KalukiThumb
from meja.bots.smear import SmearThumb
from meja.cards import quoted
from meja.errors import MejaError
from meja.games import game as named
from meja.messages import msg

RULES_OF_THUMB: Final = "rules-of-thumb"
BOTS: Final = (RandomBot.name, RULES_OF_THUMB)

_THUMBS: Final[dict[str, type[Bot]]] = {
    "bassadewitz": BassadewitzThumb,
    "calabresella": CalabresellaThumb,
    "kaluki": KalukiThumb,
    "smear": SmearThumb,
}


def make_bot(name: str, game: str) -> Bot:
    """The bot called ``name`` for ``game``; raises :class:`~meja.errors.MejaError` for an unknown one."""
    if name == RandomBot.name:
        return RandomBot()
    if name == RULES_OF_THUMB:
        return _THUMBS[named(game).name]()
    raise MejaError(msg("there is no bot {name}; expected one of: {known}", name=quoted(name), known=", ".join(BOTS)))


__all__ = ["BOTS", "RULES_OF_THUMB", "Bot", "Budget", "RandomBot", "make_bot"]
