"""Bots that search: they try every card in worlds that agree with their view. The play of the trick games only."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

from meja.bots.bot import Bot, Budget, check_turn
from meja.search import ismcts, pimc
from meja.search.weights import thumb_policy
from meja.view import View

#: The games that can be searched.
SEARCHED = ("bassadewitz", "calabresella", "smear")


class SearchBot(Bot):
    """Searches for a card; what comes before the play is left to ``others`` (rules of thumb)."""

    #: How much it looks at when the budget names no number.
    iterations: ClassVar[int]

    def __init__(self, others: Bot) -> None:
        """``others`` bids, calls and exchanges."""
        self.others = others

    def act(self, view: View[Any], budget: Budget) -> Any:
        """Choose a card by searching, anything else as the rules of thumb do."""
        check_turn(view)
        if len(view.legal) == 1:
            return view.legal[0]
        if view.phase != "play":
            return self.others.act(view, budget)
        return self.search(view, budget, budget.rng(view).fork().state)

    @abstractmethod
    def search(self, view: View[Any], budget: Budget, seed: int) -> int:
        """The card to play."""


class PimcBot(SearchBot):
    """Tries every card in the same 200 worlds, played to the end by a policy that imitates rules of thumb."""

    name: ClassVar[str] = "pimc"
    iterations: ClassVar[int] = 200

    def search(self, view: View[Any], budget: Budget, seed: int) -> int:
        """The card with the best mean."""
        found = pimc.think(
            view,
            worlds=budget.iterations or self.iterations,
            seed=seed,
            seconds=budget.seconds,
            policy=thumb_policy(view.rules),
        )
        return found[0].card


class IsmctsBot(SearchBot):
    """Tree search with 10,000 iterations and random cards to the end: the yardstick R2 of the strength tables."""

    name: ClassVar[str] = "ismcts"
    iterations: ClassVar[int] = 10_000

    def search(self, view: View[Any], budget: Budget, seed: int) -> int:
        """The card that was tried most."""
        found = ismcts.think(view, iterations=budget.iterations or self.iterations, seed=seed, seconds=budget.seconds)
        return found[0][0]
