"""Counting legal lines of play: small numbers that change when a rule does."""

from __future__ import annotations

from typing import Any

from meja.deal import Deal


def perft(deal: Deal[Any], depth: int) -> int:
    """How many sequences of ``depth`` legal actions start here; a deal that ends earlier counts once."""
    if deal.over or depth == 0:
        return 1
    legal = deal.legal_actions()
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        child = deal.clone()
        child.advance(action)
        total += perft(child, depth - 1)
    return total
