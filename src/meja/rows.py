"""Records as rows: plain dictionaries, one per seat of a match, per seat of a deal, or per action.

``pandas.DataFrame(rows.deals(records))`` or ``polars.DataFrame(...)`` makes a table of them. Every row tells its match
(``match``, counted from 0 in the order given) and the game; values are numbers, texts, ``True`` and ``False``, or
``None`` where there is nothing to tell.

>>> import meja
>>> from meja import rows
>>> from meja.arena import simulate
>>> records = list(simulate(meja.make_rules("smear", 2, target=7), ["random", "rules-of-thumb"], matches=2, seed=1))
>>> [(row["match"], row["player"], row["won"]) for row in rows.matches(records)]
[(0, 'bot:random', False), (0, 'bot:rules-of-thumb', True), (1, 'bot:random', False), (1, 'bot:rules-of-thumb', True)]
>>> list(rows.actions(records))[0]["verb"]
'bid'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from meja.cards import cards_text
from meja.record import Record

Row: TypeAlias = dict[str, Any]


def matches(records: Iterable[Record]) -> Iterator[Row]:
    """One row per match and seat: who sat there, the total, and whether the seat has won.

    ``total`` is that of the deals so far, ``won`` is ``None`` in a match that is not over; ``rules`` are in words
    (``"smear(2, target=7)"``).
    """
    for number, record in enumerate(records):
        totals = [0] * record.rules.seats
        for deal in record:
            totals = [total + points for total, points in zip(totals, deal.score or (0,) * len(totals), strict=True)]
        for seat, player in enumerate(record.players):
            yield {
                "match": number,
                "game": record.game,
                "rules": str(record.rules),
                "seats": record.rules.seats,
                "deals": len(record),
                "seat": seat,
                "player": player,
                "total": totals[seat],
                "won": None if record.winners is None else seat in record.winners,
            }


def deals(records: Iterable[Record]) -> Iterator[Row]:
    """One row per deal and seat: the hand as it was dealt, the points, and the total after it.

    ``points`` is ``None`` for a void deal and one in progress; ``actions`` counts those of this seat.
    """
    for number, record in enumerate(records):
        totals = [0] * record.rules.seats
        for index, deal in enumerate(record):
            totals = [total + points for total, points in zip(totals, deal.score or (0,) * len(totals), strict=True)]
            done = [seat for seat, _ in deal]
            for seat, player in enumerate(record.players):
                yield {
                    "match": number,
                    "game": record.game,
                    "deal": index,
                    "seat": seat,
                    "player": player,
                    "dealer": seat == deal.dealer,
                    "hand": cards_text(deal.layout.hands[seat]),
                    "actions": done.count(seat),
                    "points": None if deal.score is None else deal.score[seat],
                    "total": totals[seat],
                    "void": deal.void,
                }


def actions(records: Iterable[Record]) -> Iterator[Row]:
    """One row per action: who did it, its words, and these parted into the verb and what follows.

    ``turn`` counts the actions of a deal from 0.
    """
    for number, record in enumerate(records):
        for index, deal in enumerate(record):
            for turn, (seat, text) in enumerate(deal):
                verb, _, what = text.partition(" ")
                yield {
                    "match": number,
                    "game": record.game,
                    "deal": index,
                    "turn": turn,
                    "seat": seat,
                    "player": record.players[seat],
                    "action": text,
                    "verb": verb,
                    "what": what,
                }
