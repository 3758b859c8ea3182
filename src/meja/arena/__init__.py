"""Bots against bots: whole matches as records, and duplicate deals that measure strength."""

from meja.arena.duplicate import Game, Plan, Result, play_number
from meja.arena.journal import Journal, Records
from meja.arena.matches import Summary, play_match, simulate
from meja.arena.report import Report, Standing, report
from meja.arena.sequential import Bounds, Sequential
from meja.arena.spread import Workers, play
from meja.arena.statistics import Estimate, clustered, estimate

__all__ = [
    "Bounds",
    "Estimate",
    "Game",
    "Journal",
    "Plan",
    "Records",
    "Report",
    "Result",
    "Sequential",
    "Standing",
    "Summary",
    "Workers",
    "clustered",
    "estimate",
    "play",
    "play_match",
    "play_number",
    "report",
    "simulate",
]
