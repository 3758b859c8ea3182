"""Meja: Bassadewitz, Calabresella, Kaluki and Cutthroat Canadian Smear, by exact rules.

>>> import meja
>>> match = meja.new_match("bassadewitz", 4)
>>> deal = match.next_deal(meja.Rng(7))
>>> events = match.apply(deal.legal_actions()[0])
"""

import os as _os

if _os.environ.get("MEJA_PURE"):
    # Compiled modules lie beside their sources and would be taken first.
    from meja._pure import prefer_sources

    prefer_sources()

from typing import Any as _Any

from meja.cards import Rng
from meja.deal import Context, Deal, Layout, ScoreLine
from meja.display import draw_with as _draw_with
from meja.errors import (
    ActionTextError,
    CardTextError,
    GameOver,
    IllegalAction,
    MejaError,
    NotYourTurn,
    Reason,
    RecordError,
    RulesError,
)
from meja.games import game, games, make_rules, new_match
from meja.match import Match
from meja.rules import Rules
from meja.view import Event, View

__version__ = "0.1.0"


def _drawn(thing: _Any) -> str | None:
    """What a notebook shows of ``thing``; the drawing is loaded when it is first asked for."""
    from meja.notebook import html  # noqa: PLC0415 - most programs never show anything

    return html(thing)


_draw_with(_drawn)

__all__ = [
    "ActionTextError",
    "CardTextError",
    "Context",
    "Deal",
    "Event",
    "GameOver",
    "IllegalAction",
    "Layout",
    "Match",
    "MejaError",
    "NotYourTurn",
    "Reason",
    "RecordError",
    "Rng",
    "Rules",
    "RulesError",
    "ScoreLine",
    "View",
    "game",
    "games",
    "make_rules",
    "new_match",
]
