"""What bots say: a ready phrase now and then, where the table was made so. From what everybody sees, and chance."""

from __future__ import annotations

import zlib
from typing import Final

from meja.cards import Rng
from meja.table.state import Table

#: How often something is said after a deal.
_SHARE: Final = 0.35


def remark(table: Table) -> tuple[str, int, str] | None:
    """What a bot says now, as (key, seat, phrase): before the first deal, after one, or at the end of the match.

    The key is the same as long as the moment lasts.
    """
    bots = [number for number, seat in enumerate(table.seats) if seat.kind == "bot"]
    match = table.match
    if not table.talk or match is None or not bots or table.status not in ("between", "finished"):
        return None
    played = len(match.deals)
    key = f"talk:{played}"
    rng = Rng(zlib.crc32(f"{table.id}/{key}".encode()))
    seat = bots[rng.below(len(bots))]
    if not played:
        return key, seat, ("hello", "luck")[rng.below(2)]
    if match.winners is not None:
        return key, seat, "thanks" if seat in match.winners else ("nice", "again")[rng.below(2)]
    deal = match.deals[-1]
    if deal.void or rng.random() >= _SHARE:
        return None
    points = list(deal.score())
    if table.rules.low_wins:
        points = [-value for value in points]
    if points[seat] == min(points):
        return key, seat, "oops"
    return key, seat, "wow" if points[seat] == max(points) else ("nice", "close")[rng.below(2)]
