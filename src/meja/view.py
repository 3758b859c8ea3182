"""What a seat may know: views, and the events that follow an action.

A view is built field by field from what its seat may know; ``None`` is a spectator.
Nothing else of a deal may reach a bot, a client or a log.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from meja.cards import Card, Rng, card_text, cards_text
from meja.display import drawn

if TYPE_CHECKING:
    from meja.deal import Context, Deal
    from meja.rules import Rules

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened: what everybody sees, and what single seats see besides.

    ``public`` and ``private[seat]`` hold JSON values only (cards as text). An event
    without anything public for the others is still seen to have happened.
    """

    kind: str
    seat: int | None = None
    public: Mapping[str, Any] = field(default_factory=dict)
    private: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)

    def seen_by(self, seat: int | None) -> dict[str, Any]:
        """The event as ``seat`` sees it (``None``: a spectator), as a JSON object."""
        seen: dict[str, Any] = {"kind": self.kind}
        if self.seat is not None:
            seen["seat"] = self.seat
        seen.update(self.public)
        if seat is not None:
            seen.update(self.private.get(seat, {}))
        return seen


@dataclass(frozen=True, kw_only=True)
class View(ABC, Generic[A]):
    """A deal as one seat sees it. Cards and actions are those of the game's ``Deal``."""

    game: ClassVar[str] = ""

    rules: Rules
    #: The seat whose view this is; ``None`` for a spectator.
    seat: int | None
    dealer: int
    context: Context
    phase: str
    to_act: int | None
    #: The seat's own cards, sorted by suit and from high to low.
    hand: tuple[Card, ...]
    hand_sizes: tuple[int, ...]
    #: (seat, action) in order, with unknown cards where this seat may not see them.
    log: tuple[tuple[int, A], ...]

    @property
    @abstractmethod
    def legal(self) -> Sequence[A]:
        """The legal actions, where it is this seat's turn; empty otherwise."""

    @property
    def listed(self) -> Sequence[A]:
        """The legal actions that the JSON form lists: all, but where a game has far too many of a kind."""
        return self.legal

    @abstractmethod
    def determinize(self, rng: Rng) -> Deal[A]:
        """A uniform draw from the deals that agree with this view."""

    @abstractmethod
    def text(self, action: A) -> str:
        """The words of an action: ``"play As"``."""

    def details(self) -> dict[str, Any]:
        """The fields of the game, as JSON values."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        """The view as JSON values, with cards and actions as text."""
        return {
            "game": self.game,
            "rules": self.rules.to_dict(),
            "seats": self.rules.seats,
            "seat": self.seat,
            "dealer": self.dealer,
            "totals": list(self.context.totals),
            "deal": self.context.number,
            "phase": self.phase,
            "to_act": self.to_act,
            "hand": cards_text(self.hand),
            "hand_sizes": list(self.hand_sizes),
            "log": [f"{seat} {self.text(action)}" for seat, action in self.log],
            "legal": [self.text(action) for action in self.listed],
            **self.details(),
        }

    def to_json(self) -> str:
        """The view as one line of JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)

    def _repr_html_(self) -> str | None:
        """What notebooks show: what the seat sees, and no more."""
        return drawn(self)

    def __str__(self) -> str:
        who = "spectator" if self.seat is None else f"seat {self.seat}"
        return f"<{self.game}: {who}, {self.phase}, hand {cards_text(self.hand) or 'empty'}>"


def optional_card(card: Card | None) -> str | None:
    """The text of a card, or ``None`` where there is none."""
    return None if card is None else card_text(card)
