"""What a bot is: it sees the view of its seat and nothing else, and chooses a legal action."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from meja.cards import Rng
from meja.errors import MejaError
from meja.messages import msg
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


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a bot thinks of an action: comparable with its other opinions of the same decision, and with nothing else.

    ``value``: in points of the deal, or in what the match is worth near its end; more is better. ``error``: the
    standard error of the difference to the best action; ``None`` where it is not known.
    """

    action: Any
    value: float
    error: float | None = None


@dataclass(frozen=True, slots=True)
class Advice:
    """What a bot would do in somebody's place, and its opinions, the one of its choice first.

    Of decisions that it made without weighing it has none.
    """

    action: Any
    opinions: tuple[Opinion, ...] = ()


class Bot(ABC):
    """A player. ``name`` is how commands and records call it (``bot:NAME``)."""

    name: ClassVar[str] = ""
    #: What the last choice was made by, where the bot weighed actions against each other.
    opinions: tuple[Opinion, ...] = ()

    @abstractmethod
    def act(self, view: View[Any], budget: Budget) -> Any:
        """Choose one of ``view.legal``."""

    def advise(self, view: View[Any], budget: Budget) -> Advice:
        """What it would do in the place of who sees ``view``, and what it thinks of the actions.

        A ghost: it sits on no seat, and sees what the one sees whom it advises. The action is that of :meth:`act`.
        """
        self._begin()
        action = self.act(view, budget)
        chosen = [opinion for opinion in self.opinions if opinion.action == action]
        others = [opinion for opinion in self.opinions if opinion.action != action]
        return Advice(action, (*chosen, *sorted(others, key=lambda opinion: -opinion.value)))

    def _begin(self) -> None:
        self.opinions = ()


def check_turn(view: View[Any]) -> None:
    """Raise :class:`~meja.errors.MejaError` unless the view is that of the seat to act: else there is no choice."""
    if view.seat is None or view.to_act != view.seat:
        raise MejaError(msg("only the seat to act can search for a card"))


class RandomBot(Bot):
    """Chooses evenly among the legal actions; of very many openings it draws one (``LegalActions.sample``)."""

    name: ClassVar[str] = "random"

    def act(self, view: View[Any], budget: Budget) -> Any:
        """Any legal action by chance."""
        check_turn(view)
        legal, rng = view.legal, budget.rng(view)
        sample = getattr(legal, "sample", None)
        return legal[rng.below(len(legal))] if sample is None else sample(rng)
