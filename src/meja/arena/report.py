"""What an arena has shown: each bot's mean with its interval, and each bot against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from meja.arena.duplicate import MATCH, Game, Plan, Result
from meja.arena.ratings import Rating, rate
from meja.arena.sequential import Bounds, Sequential
from meja.arena.statistics import Estimate, clustered


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot. Intervals are 95 %, clustered by deal.

    ``score``: what a game brought it, as the game counts. ``ahead``: how much better that is than the mean of the
    other seats at its table, so that more is always better. ``wins``: its share of the matches won (a shared win is
    shared), ``None`` for single deals; ``ahead`` is of wins then. ``rating``: for display only.
    """

    bot: str
    games: int
    score: Estimate
    ahead: Estimate
    wins: Estimate | None
    rating: Rating | None
    faults: Mapping[str, int]


@dataclass(frozen=True)
class Report:
    """The whole: ``against[i][j]`` is how much better bot ``i`` did than bot ``j`` in the same games."""

    plan: Plan
    numbers: int
    standings: tuple[Standing, ...]
    against: tuple[tuple[Estimate | None, ...], ...]
    test: Sequential | None
    voids: int
    broken: int
    deals: int

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        document: dict[str, Any] = {
            "numbers": self.numbers,
            "deals": self.deals,
            "void": self.voids,
            "broken": self.broken,
            "bots": [
                {
                    "bot": one.bot,
                    "games": one.games,
                    "score": _pair(one.score),
                    "ahead": _pair(one.ahead),
                    "wins": None if one.wins is None else _pair(one.wins),
                    "rating": None if one.rating is None else [one.rating.skill, one.rating.doubt],
                    "faults": dict(one.faults),
                }
                for one in self.standings
            ],
            "against": [[None if cell is None else _pair(cell) for cell in row] for row in self.against],
        }
        if self.test is not None:
            document["sprt"] = {
                "bounds": str(self.test.bounds),
                "deals": self.test.deals,
                "ratio": self.test.ratio,
                "limits": list(self.test.limits),
                "verdict": self.test.verdict,
            }
        return document


def _pair(value: Estimate) -> list[float | None]:
    return [value.mean if value.deals else None, value.half if value.deals > 1 else None]


@dataclass(slots=True)
class _Sums:
    """Per deal: the sum over the games, and their number."""

    sums: list[float] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def add(self, values: list[float]) -> None:
        self.sums.append(sum(values))
        self.counts.append(len(values))

    def estimate(self) -> Estimate:
        return clustered(self.sums, self.counts)


def value_of(plan: Plan, game: Game) -> list[float]:
    """By seat what a game is worth, more being better: points, or in matches the share of the win."""
    if plan.unit == MATCH:
        winners = game.winners or ()
        return [1 / len(winners) if seat in winners else 0.0 for seat in range(plan.rules.seats)]
    sign = -1.0 if plan.rules.low_wins else 1.0
    return [sign * score + 0.0 for score in game.scores]


def ahead_of_the_table(values: list[float]) -> list[float]:
    """By seat the value less the mean of the other seats'."""
    total, others = sum(values), len(values) - 1
    return [value - (total - value) / others for value in values]


def ahead_of(plan: Plan, result: Result, bot: int = 0) -> float:
    """The mean over a deal's games of how far the bot is ahead of its table: what the sequential test looks at."""
    found = [
        ahead
        for game in result.games
        for seat, ahead in enumerate(ahead_of_the_table(value_of(plan, game)))
        if game.seating[seat] == bot
    ]
    return sum(found) / len(found)


def report(plan: Plan, results: Iterable[Result], bounds: Bounds | None = None) -> Report:
    """Add up results, in the order of their numbers; the ratings and the test depend on that order.

    With ``bounds`` the test ends where it reaches its verdict, and later results are left out.
    """
    bots = len(plan.bots)
    scores, aheads, wins = ([_Sums() for _ in range(bots)] for _ in range(3))
    pairs = {(one, two): _Sums() for one in range(bots) for two in range(bots) if one != two}
    games = [0] * bots
    faults: list[Counter[str]] = [Counter() for _ in range(bots)]
    voids = broken = deals = 0
    test = None if bounds is None else Sequential(bounds)
    counted: list[Result] = []
    for result in sorted(results, key=lambda item: item.number):
        counted.append(result)
        by_bot: list[tuple[list[float], list[float], list[float]]] = [([], [], []) for _ in range(bots)]
        by_pair: dict[tuple[int, int], list[float]] = {pair: [] for pair in pairs}
        for game in result.games:
            values = value_of(plan, game)
            better = ahead_of_the_table(values)
            own: dict[int, list[float]] = {}
            for seat, bot in enumerate(game.seating):
                by_bot[bot][0].append(game.scores[seat])
                by_bot[bot][1].append(better[seat])
                by_bot[bot][2].append(values[seat])
                own.setdefault(bot, []).append(values[seat])
            means = {bot: sum(found) / len(found) for bot, found in own.items()}
            for one, mean in means.items():
                games[one] += 1
                for two, other in means.items():
                    if one != two:
                        by_pair[one, two].append(mean - other)
            voids += game.void
            broken += game.broken
            deals += game.deals
        for bot, (points, lead, share) in enumerate(by_bot):
            scores[bot].add(points)
            aheads[bot].add(lead)
            wins[bot].add(share)
        for pair, found in by_pair.items():
            pairs[pair].add(found)
        for name, kinds in result.faults.items():
            if name in plan.bots:
                faults[plan.bots.index(name)].update(kinds)
        # Deals that came early while others were still being played do not count in the test.
        if test is not None and result.number == test.deals and test.add(ahead_of(plan, result)) is not None:
            break
    ratings = rate(plan, counted, value_of)
    standings = tuple(
        Standing(
            name,
            games[bot],
            scores[bot].estimate(),
            aheads[bot].estimate(),
            wins[bot].estimate() if plan.unit == MATCH else None,
            None if ratings is None else ratings[bot],
            dict(faults[bot]),
        )
        for bot, name in enumerate(plan.bots)
    )
    against = tuple(
        tuple(pairs[one, two].estimate() if one != two and any(pairs[one, two].counts) else None for two in range(bots))
        for one in range(bots)
    )
    return Report(plan, len(counted), standings, against, test, voids, broken, deals)
