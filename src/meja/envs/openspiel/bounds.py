"""What can happen at most: the returns, the length of an episode, and its chance."""

from __future__ import annotations

from typing import Any, Final

from meja.envs.core import MOST_DEALS, Options
from meja.games import game
from meja.rules import Rules

#: The rules of Kaluki set no end to a deal in which opened players take one another's discards for ever, and
#: OpenSpiel wants one: a deal with that many decisions is cut off. Random play needs a tenth of it.
LONGEST_DEAL: Final = 5000

#: By the kind of auction, the most calls that Calabresella's can have.
_CALLS: Final = {"standard": 4, "single_round": 3, "reentry": 7}
#: Then at most the declaration of a Solissimo, and two exchanges of four cards.
_EXCHANGE: Final = 9


def most_decisions(rules: Any) -> int:
    """The most decisions of one deal."""
    if rules.game == "kaluki":
        return LONGEST_DEAL
    made: Any = game(rules.game).deal
    if rules.game == "calabresella":
        return _CALLS[rules.auction] + _EXCHANGE + 3 * int(made.hand_size(rules))
    cards = int(made.hand_size(rules))
    # At Smear everybody speaks once.
    return int(rules.seats) * (cards + int(rules.game == "smear"))


def most_deals(options: Options) -> int:
    """The most deals of an episode."""
    return 1 if options.episode == "deal" else MOST_DEALS


def most_length(options: Options) -> int:
    """The most decisions of an episode."""
    return most_decisions(options.rules) * most_deals(options)


def most_chance(options: Options) -> int:
    """The most chance nodes of an episode: the draw for the dealer, packs and reshuffles."""
    rules = options.rules
    pack = len(game(rules.game).deal.pack(rules))
    reshuffles = 3 if getattr(rules, "stock_out", None) == "shuffle" else 0
    return 1 + most_deals(options) * pack * (1 + reshuffles)


def _scored_deals(rules: Any) -> int:
    """The most deals of a match that bring anything: where a number is agreed, void ones come on top."""
    agreed = getattr(rules, "deals", None)
    # With the pool of Bassadewitz deals that do not count still bring chips.
    return MOST_DEALS if agreed is None or getattr(rules, "classic_pool", False) else min(int(agreed), MOST_DEALS)


def utility_range(options: Options) -> tuple[float, float]:
    """The least and the most that a seat's return can be."""
    if options.reward == "rank":
        return -1.0, 1.0
    rules = options.rules
    low, high = game(rules.game).deal.score_range(rules)
    if options.episode == "match":
        deals = _scored_deals(rules)
        # At Kaluki nobody plays on from the target.
        high = min(deals * high, rules.target - 1 + high) if rules.game == "kaluki" else deals * high  # type: ignore[attr-defined]
        low = deals * low
    if rules.low_wins and options.reward != "score":
        low, high = -high, -low
    if options.zero_sum:
        # One seat at an end of the scale, all others at the other one.
        most = (high - low) * (rules.seats - 1) / rules.seats
        return -most, most
    return float(low), float(high)


def is_zero_sum(options: Options) -> bool:
    """Whether the returns of all seats always add up to nothing."""
    rules: Rules = options.rules
    return (
        options.zero_sum
        or options.reward == "rank"
        # Chips go from seat to seat.
        or rules.game == "calabresella"
        or bool(getattr(rules, "classic_pool", False))
    )
