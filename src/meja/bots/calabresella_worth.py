"""What the chips of a deal of Calabresella are worth to a seat: chips, or near the end of a match the chance to win."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from meja.games.calabresella import CalabresellaRules, CalabresellaView

#: The table of :class:`meja.search.calabresella_bids.Trial`: chips for a bidder at each place, none in the middle.
EVEN: Final = 200
CHIPS: Final = 400
#: How much a seat's lead over another varies in a deal, in chips.
_VARIES: Final = 3.2
#: In so many last deals of a match the chance to win counts instead of chips.
_LAST_DEALS: Final = 3
#: How many chips the whole chance to win is worth, so that worths stay comparable.
_SCALE: Final = 12.0
#: Where the chance to win is nearly the same whatever happens, chips count.
_NOTHING_AT_STAKE: Final = 0.5
#: How much card points still count there.
_LAST_POINTS: Final = 0.1
#: A few chips more are still a little better.
_BESIDES: Final = 0.02
#: What outcomes multiply the stake by: plain, cappotto, stramazzo.
_FACTORS: Final = {"standard": (1, 2, 3), "off": (1, 1, 1), "tressette": (1, 4, 3)}


def rules_of(view: CalabresellaView) -> CalabresellaRules:
    """The rules of a view, by their type."""
    assert isinstance(view.rules, CalabresellaRules)
    return view.rules


def worth_of(view: CalabresellaView, bidder: int, chips: int) -> float:
    """What it is worth to the view's seat if it gets ``chips`` in the deal of ``bidder``."""
    assert view.seat is not None
    others = {}
    for seat in view.players:
        if seat != view.seat:
            if view.seat == bidder:
                others[seat] = -chips / 2
            else:
                others[seat] = -2.0 * chips if seat == bidder else float(chips)
    won = chance_to_win(view, chips, others)
    return float(chips) if won is None else _SCALE * won + _BESIDES * chips


def chance_to_win(view: CalabresellaView, chips: int, others: dict[int, float]) -> float | None:
    """How likely the seat is to win the match after this deal, where that is near; else ``None``."""
    rules, context = rules_of(view), view.context
    assert view.seat is not None
    mine = context.totals[view.seat] + chips
    rivals = [total + others.get(seat, 0.0) for seat, total in enumerate(context.totals) if seat != view.seat]
    left = 0
    if rules.target is None:
        assert rules.deals is not None
        left = rules.deals - context.counted - 1
        if left < 0 or left >= _LAST_DEALS:
            return None
    else:
        if max(context.totals) + 2 * max(_FACTORS[rules.slams]) < rules.target:
            return None
        if max(mine, *rivals) < rules.target:
            left = _LAST_DEALS
    if left == 0:
        best = max(mine, *rivals)
        return 0.0 if mine < best else 1.0 / (1 + sum(total == best for total in rivals))
    spread = _VARIES * math.sqrt(left)
    chance = 1.0
    for total in rivals:
        chance *= 0.5 * math.erfc((total - mine) / spread / math.sqrt(2.0))
    return chance


def worth_table(view: CalabresellaView) -> list[float]:
    """By the bidder's place in playing order and the own chips: what they are worth."""
    table = []
    for bidder in view.players:
        plain = chance_to_win(view, 0, {}) is None
        for chips in range(-EVEN, CHIPS - EVEN):
            table.append(float(chips) if plain else worth_of(view, bidder, chips))
    return table


def stake_of(view: CalabresellaView) -> int:
    """The stake of the contract that is played, before cappotto and stramazzo."""
    contract = ("chiamo", "solo", "solissimo").index(view.contract or "chiamo") + 1
    if contract < 3:
        return contract
    return rules_of(view).solissimo_base << ("plain", "dividete", "scegliete").index(view.raised or "plain")


def outcome_pay(view: CalabresellaView, points: float) -> tuple[list[float], float]:
    """What the six outcomes are worth to the bidder, from 0 to 1, and beside them all card points (``points``).

    The outcomes are those of :data:`meja.search.calabresella_play.OUTCOMES`. Where they are all the same to the seat
    of the view, chips count. Where the chance to win the match counts, card points hardly do.
    """
    assert view.bidder is not None
    stake, alone = stake_of(view), view.seat == view.bidder
    signed = [sign * stake * factor for sign in (-1, 1) for factor in _FACTORS[rules_of(view).slams]]
    worths = [worth_of(view, view.bidder, 2 * chips if alone else -chips) for chips in signed]
    if not alone:
        worths = [-worth for worth in worths]
    low, high = min(worths), max(worths)
    if chance_to_win(view, 0, {}) is None or high - low < _NOTHING_AT_STAKE:
        return scaled([float(chips) for chips in signed], points), points
    points *= _LAST_POINTS
    return [(1.0 - points) * (worth - low) / (high - low) for worth in worths], points


def scaled(worths: Sequence[float], points: float) -> list[float]:
    """Worths from 0 to ``1 - points``; what lies between plain loss and plain win gets the larger part."""
    low, high = worths[0], worths[3]
    room = 1.0 - points
    margin = 0.25 * room if max(worths) > high or min(worths) < low else 0.0
    above = max(max(worths) - high, low - min(worths), 1e-9)

    def place(worth: float) -> float:
        inside = min(max(worth, low), high)
        value = margin + (room - 2 * margin) * (inside - low) / (high - low)
        if worth > high:
            return value + margin * (worth - high) / above
        return value - margin * (low - worth) / above if worth < low else value

    return [place(worth) for worth in worths]


__all__ = ["chance_to_win", "outcome_pay", "rules_of", "stake_of", "worth_of", "worth_table"]
