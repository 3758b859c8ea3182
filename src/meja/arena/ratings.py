"""OpenSkill ratings, for display: a rating depends on the order of the games, and its doubt is no interval.

Nothing is concluded from them. Needs ``pip install "meja[ratings]"``; without it there are none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from meja.arena.duplicate import Game, Plan, Result


@dataclass(frozen=True, slots=True)
class Rating:
    """A Plackett-Luce rating: 25 is where all begin; ``doubt`` is its standard deviation."""

    skill: float
    doubt: float


def rate(
    plan: Plan, results: Sequence[Result], value: Callable[[Plan, Game], list[float]]
) -> tuple[Rating, ...] | None:
    """By bot the rating after all games, in their order; ``None`` where OpenSkill is not installed.

    A bot on several seats of a game takes part with their mean.
    """
    try:
        from openskill.models import PlackettLuce  # noqa: PLC0415 - an extra
    except ImportError:
        return None
    model = PlackettLuce()
    ratings = [model.rating() for _ in plan.bots]
    for result in results:
        for game in result.games:
            found: dict[int, list[float]] = {}
            for seat, worth in enumerate(value(plan, game)):
                found.setdefault(game.seating[seat], []).append(worth)
            bots = sorted(found)
            rated = model.rate(
                [[ratings[bot]] for bot in bots], scores=[sum(found[bot]) / len(found[bot]) for bot in bots]
            )
            for bot, team in zip(bots, rated, strict=True):
                ratings[bot] = team[0]
    return tuple(Rating(one.mu, one.sigma) for one in ratings)
