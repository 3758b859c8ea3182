"""Bots against bots: whole matches as records."""

from meja.arena.matches import Summary, play_match, simulate

__all__ = ["Summary", "play_match", "simulate"]
