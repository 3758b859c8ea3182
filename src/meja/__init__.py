"""Meja: Bassadewitz, Calabresella, Kaluki and Cutthroat Canadian Smear, by exact rules.

>>> import meja
>>> match = meja.new_match("bassadewitz", 4)
>>> deal = match.next_deal(meja.Rng(7))
>>> events = match.apply(deal.legal_actions()[0])
"""

from meja.cards import Rng
from meja.deal import Context, Deal, Layout, ScoreLine
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
