"""What a bot is: it sees the view of its seat and nothing else, and chooses a legal action."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from meja.cards import Rng
from meja.view import View


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot may think: a wall-clock ceiling in seconds and a number of iterations.

    The same view, seed and number of iterations give the same move.
    """

    seed: int = 0
    seconds: float | None = None
    iterations: int | None = None

    def rng(self, view: View[Any]) -> Rng:
        """A generator for one decision: from the seed, the deal's number, the seat and the moves so far."""
        seat = -1 if view.seat is None else view.seat
        return Rng(self.seed, view.context.number, seat, len(view.log))


class Bot(ABC):
    """A player. ``name`` is how commands and records call it (``bot:NAME``)."""

    name: ClassVar[str] = ""

    @abstractmethod
    def act(self, view: View[Any], budget: Budget) -> Any:
        """Choose one of ``view.legal``."""


class RandomBot(Bot):
    """Chooses evenly among the legal actions; of very many openings it draws one (``LegalActions.sample``)."""

    name: ClassVar[str] = "random"

    def act(self, view: View[Any], budget: Budget) -> Any:
        """Any legal action by chance."""
        legal, rng = view.legal, budget.rng(view)
        sample = getattr(legal, "sample", None)
        return legal[rng.below(len(legal))] if sample is None else sample(rng)
