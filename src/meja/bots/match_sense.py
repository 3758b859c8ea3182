"""What the score of a deal is worth in its match: near the end the chance to win it, else the margin.

A search asks for a :class:`~meja.search.pimc.Utility`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import permutations, product
from typing import Any, Final

from meja.cards import Rng
from meja.games.bassadewitz import Bassadewitz
from meja.search.pimc import Utility

#: In Smear the chance to win counts from this many points before the target.
_NEAR: Final = 4
#: With so many deals to go after this one, or fewer, the chance to win the match counts.
_LAST_DEALS: Final = 2
#: What a won match is worth in points of a deal, and how much a point still counts beside it.
_MATCH: Final = 8.0
_WON: Final = 10.0
_POINT: Final = 0.05
#: How often the deals to go are drawn, and how often a deal ends in a hundred or a sweep.
_DRAWS: Final = 300
_SPECIAL: Final = 10


def margin(rules: Any) -> Utility:
    """How far a seat is ahead of the mean of the others: what counts in a match whose end is far."""
    sign = -1.0 if rules.low_wins else 1.0
    return Utility(sign, -sign / (rules.seats - 1))


def places_utility(view: Any) -> Utility:
    """Bassadewitz: in the last deals of a match the chance of the lowest total (of the most chips), else the margin.

    The own penalty by itself would be the wrong goal: a hundred that saves two others as much as oneself wins nothing.
    """
    rules = view.rules
    left = rules.deals - view.context.counted - 1
    if left > _LAST_DEALS:
        return margin(rules)
    outcomes = _places(rules, view.context.totals, max(left, 0), view.seat, view.dealer)
    return Utility(seat=view.seat, outcomes=dict(outcomes))


@lru_cache(maxsize=64)
def _places(
    rules: Any, totals: tuple[int, ...], left: int, seat: int, dealer: int
) -> tuple[tuple[tuple[int, ...], float], ...]:
    sign = 1 if rules.classic_pool else -1
    futures = _futures(rules, left)
    found = []
    for score in scores_of_a_deal(rules, dealer):
        after = [total + points for total, points in zip(totals, score, strict=True)]
        share = 0.0
        for future in futures:
            end = [sign * (total + points) for total, points in zip(after, future, strict=True)]
            best = max(end)
            if end[seat] == best:
                share += 1 / end.count(best)
        found.append((score, _MATCH * share / len(futures) + _POINT * sign * score[seat]))
    return tuple(found)


def scores_of_a_deal(rules: Any, dealer: int) -> Iterator[tuple[int, ...]]:
    """Every score that a deal of Bassadewitz can have: places, sweep, hundred, and nothing for a void deal."""
    seats = rules.seats
    stake = 12 if rules.classic_pool else 0
    found = {(0,) * seats}
    for places in permutations(Bassadewitz.place_table(rules)):
        score = list(places)
        score[dealer] -= stake
        found.add(tuple(score))
    for runner in range(seats):
        for sign in (1, -1):
            each = sign * (-4 if rules.classic_pool else 4)
            score = [each] * seats
            score[runner] = -3 * each if rules.classic_pool else 0
            if sign == 1 and rules.sweep_takes_pool:
                score[runner] += stake
                score[dealer] -= stake
            found.add(tuple(score))
    yield from sorted(found)


@lru_cache(maxsize=16)
def _futures(rules: Any, left: int) -> Sequence[tuple[int, ...]]:
    """What the deals to go may add to the totals: places by chance, a hundred now and then."""
    seats = rules.seats
    if not left:
        return ((0,) * seats,)
    rng, found = Rng(20, left), []
    table = Bassadewitz.place_table(rules)
    for _ in range(_DRAWS):
        sums = [0] * seats
        for _ in range(left):
            if rng.below(100) < _SPECIAL:
                runner = rng.below(seats)
                each = 4 if rules.classic_pool else -4
                for seat in range(seats):
                    if seat != runner:
                        sums[seat] += each
                    elif rules.classic_pool:
                        sums[seat] -= 3 * each
                continue
            places = list(table)
            rng.shuffle(places)
            for seat in range(seats):
                sums[seat] += places[seat]
        found.append(tuple(sums))
    return found


class Race:
    """The race to the target of Smear, for one seat: what a score is worth.

    Far from the target that is the margin over the others. From :data:`_NEAR` points before it on it is the chance to
    win the match, by a table of how strong a seat stands that needs so many points (``script/policies race``).
    """

    def __init__(self, view: Any) -> None:
        self.rules = view.rules
        self.me: int = view.seat
        self.totals: tuple[int, ...] = view.context.totals
        self.near = max(self.totals) >= self.rules.target - _NEAR
        self.known: dict[int, Utility] = {}

    def utility(self, bidder: int) -> Utility:
        """The utility of a deal that ``bidder`` plays."""
        if not self.near:
            return margin(self.rules)
        if bidder not in self.known:
            scores = product(range(-4, 5), repeat=self.rules.seats)
            outcomes = {score: self.worth(score, bidder) for score in scores}
            self.known[bidder] = Utility(seat=self.me, outcomes=outcomes)
        return self.known[bidder]

    def passed_out(self, dealer: int) -> float:
        """What it is worth that everybody passes."""
        pays = self.rules.all_pass == "dealer_minus_two"
        score = tuple(-2 if pays and seat == dealer else 0 for seat in range(self.rules.seats))
        if self.near:
            return self.worth(score, -1)
        others = sum(score) - score[self.me]
        return float(score[self.me] - others / (self.rules.seats - 1))

    def worth(self, score: Sequence[int], bidder: int) -> float:
        """The chance to win the match after this score, in points, and a little for the margin."""
        after = [total + points for total, points in zip(self.totals, score, strict=True)]
        others = sum(score) - score[self.me]
        beside = _POINT * (score[self.me] - others / (self.rules.seats - 1))
        winners = self.winners(after, score, bidder)
        if winners:
            return float(_WON * (self.me in winners) / len(winners) + beside)
        stands = [standing(self.rules, total) for total in after]
        return float(_WON * stands[self.me] / sum(stands) + beside)

    def winners(self, after: Sequence[int], score: Sequence[int], bidder: int) -> list[int]:
        """Who has won the match by this score (S6); the order of counting is taken as the bidder first."""
        rules, target = self.rules, self.rules.target
        if bidder < 0:
            return []
        if rules.smudge == "win_game" and max(score) == 4:
            return [max(range(len(score)), key=lambda seat: score[seat])]
        if rules.win in ("bid_out", "strict_next_deal"):
            reached = after if rules.win == "bid_out" else self.totals
            return [bidder] if score[bidder] > 0 and reached[bidder] >= target else []
        if after[bidder] >= target:
            return [bidder]
        best = max(after)
        return [seat for seat, total in enumerate(after) if total == best] if best >= target else []


def standing(rules: Any, total: int) -> float:
    """How strong a seat with this total stands in the race; chances are shares of these."""
    table = _race(f"{rules.seats}-{rules.win}")
    need = max(rules.target - total, -4)
    if need + 4 < len(table):
        return float(table[need + 4])
    # Further away than the table goes: each point more counts as the last one did.
    last = len(table) - 1
    return float(table[last] * (table[last] / table[last - 1]) ** (need + 4 - last))


@lru_cache(maxsize=8)
def _race(setting: str) -> tuple[float, ...]:
    source = files("meja.search.weights").joinpath("smear-race.json")
    return tuple(json.loads(source.read_text(encoding="utf-8"))["standing"][setting])
