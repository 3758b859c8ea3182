"""Encodings: a view as a flat vector of numbers, an action as one or several small integers.

Everything is built from a :class:`~meja.view.View` (and the seat's own half-finished action) alone. Seats
are told from the reader's place: seat 0 of a plane is the own one, then its left neighbour, and so on.

A new version of an encoding has a new number; a number never changes its meaning.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from functools import lru_cache
from operator import index
from typing import Any, ClassVar, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from meja.cards import CARD_TEXT, quoted
from meja.deal import Deal
from meja.envs.planes import Layout, Plane
from meja.errors import MejaError
from meja.messages import msg
from meja.rules import Rules
from meja.view import View

Vector: TypeAlias = NDArray[np.float32]
Mask: TypeAlias = NDArray[np.int8]
Prefix: TypeAlias = tuple[int, ...]
#: What gives the view of a seat (``None``: a spectator).
Look: TypeAlias = Callable[[int | None], View[Any]]
E = TypeVar("E", bound="Encoding")


class NotAllowed(MejaError):
    """An action id that the mask does not allow now, or that no action has."""


class Encoding(ABC):
    """How one game, with given rules, is written in numbers.

    ``names[id]`` says what an action id means, ``planes`` where what stands in an observation of
    ``size`` numbers between 0 and 1.
    """

    game: ClassVar[str]
    version: ClassVar[int] = 1

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self.names: tuple[str, ...] = tuple(self._names())
        #: The number of action ids.
        self.actions = len(self.names)
        layout = Layout()
        self._lay_out(layout)
        #: The planes of an observation, in order.
        self.planes: tuple[Plane, ...] = tuple(layout.planes)
        #: The length of an observation.
        self.size = layout.size

    def fresh(self: E) -> E:
        """The same encoding for somebody else: what one remembers of a view is not in the other's way."""
        return copy(self)

    def watch(self, deal: Deal[Any], view: Look) -> Watcher:
        """What a session asks while a deal goes on, with what gives its views; a game may do it in its own way."""
        return Watcher(self, deal, view)

    # -- what a game says ---------------------------------------------------------

    @abstractmethod
    def _names(self) -> list[str]:
        """What each action id means."""

    @abstractmethod
    def _lay_out(self, layout: Layout) -> None:
        """Add the game's planes."""

    # These three check nothing: they are for views of these rules and prefixes that masks allowed.

    @abstractmethod
    def write(self, view: Any, prefix: Prefix, out: Vector) -> None:
        """Write the observation of a view into a vector that is all zero."""

    @abstractmethod
    def allowed(self, view: Any, prefix: Prefix) -> list[int]:
        """The ids that may follow a prefix in a view of the seat to act, ascending."""

    @abstractmethod
    def take(self, view: Any, prefix: Prefix, number: int) -> tuple[Prefix, Any | None]:
        """Take one id that is allowed: as :meth:`step`."""

    @abstractmethod
    def encode(self, view: Any, action: Any) -> Prefix:
        """The ids of an action of ``view.legal``, in the one order that masks allow.

        Raises :class:`~meja.errors.MejaError` for anything else.
        """

    # -- what follows -------------------------------------------------------------

    def observe(self, view: View[Any], prefix: Prefix = ()) -> Vector:
        """The observation of a view: a fresh vector of ``size`` numbers from 0 to 1.

        A spectator's view is told from seat 0.
        """
        self._check(view, prefix)
        out = np.zeros(self.size, dtype=np.float32)
        self.write(view, prefix, out)
        return out

    def ids(self, view: View[Any], prefix: Prefix = ()) -> list[int]:
        """The ids that are allowed now, ascending; empty where it is not the view's turn."""
        self._check(view, prefix)
        return self.allowed(view, prefix) if view.seat is not None and view.seat == view.to_act else []

    def mask(self, view: View[Any], prefix: Prefix = ()) -> Mask:
        """1 for every id that is allowed now, 0 for the others: all 0 where it is not the view's turn."""
        out = np.zeros(self.actions, dtype=np.int8)
        cells = out.data
        for number in self.ids(view, prefix):
            cells[number] = 1
        return out

    def step(self, view: View[Any], prefix: Prefix, action: Any) -> tuple[Prefix, Any | None]:
        """Take one id: the new prefix, and the core action once it is complete (the prefix is empty then).

        Raises :class:`~meja.errors.MejaError` for an id that is not allowed.
        """
        number = self.number(action)
        if number not in self.ids(view, prefix):
            raise self.refusal(number)
        return self.take(view, prefix, number)

    def decode(self, view: View[Any], ids: Prefix) -> Any:
        """The core action of a complete sequence of ids."""
        prefix: Prefix = ()
        done = None
        for action in ids:
            if done is not None:
                break
            prefix, done = self.step(view, prefix, action)
        else:
            if done is not None:
                return done
        raise MejaError(msg("these ids are not one whole action: {ids}", ids=quoted(", ".join(map(str, ids)))))

    def number(self, action: Any) -> int:
        """An action id as a plain integer; numbers of numpy are taken too, everything else is refused."""
        return whole_number(action, self.actions)

    def refusal(self, number: int) -> NotAllowed:
        """The error for an id that is not allowed now."""
        return NotAllowed(msg("action {id} ({name}) is not allowed now", id=number, name=self.names[number]))

    def _check(self, view: Any, prefix: Prefix) -> None:
        """Refuse a view that is not one of this encoding's game and rules, and a prefix that no action has."""
        # Nearly always it is the same object, which needs no look at all the options.
        if getattr(view, "rules", None) is not self.rules:
            self._check_rules(view)
        if prefix:
            self._check_prefix(view, prefix)

    def _check_rules(self, view: Any) -> None:
        if not isinstance(view, View):
            raise MejaError(msg("expected a view of {game}, found {found}", game=self.game, found=quoted(view)))
        if view.rules != self.rules:
            raise MejaError(
                msg(
                    "this is the encoding of {expected}, and the view is one of {found}",
                    expected=str(self.rules),
                    found=str(view.rules),
                )
            )

    def _check_prefix(self, view: Any, prefix: Prefix) -> None:
        """Refuse a prefix; games with actions of several ids say which they know."""
        raise MejaError(msg("no action begins with these ids now: {ids}", ids=quoted(", ".join(map(str, prefix)))))


class Watcher:
    """Observations and masks of one deal as it goes on, for those that do its actions one after the other.

    What it gives is what the encoding makes of the views of the seats; here by asking for these views.
    """

    def __init__(self, codes: Encoding, deal: Deal[Any], view: Look) -> None:
        """``view`` gives the views of the deal as it stands."""
        self.codes = codes
        self.deal = deal
        self.view = view
        self._cells: bytearray | None = None

    def moved(self) -> None:
        """A whole action was done."""
        self._cells = None

    def cells(self, prefix: Prefix) -> bytes | bytearray:
        """The mask of the seat to act after a prefix that masks allowed, one byte per id."""
        cells = self._cells
        if cells is None:
            cells = self._cells = bytearray(self.codes.actions)
            for number in self.codes.allowed(self.view(self.deal.to_act), prefix):
                cells[number] = 1
        return cells

    def take(self, prefix: Prefix, number: int) -> tuple[Prefix, Any | None]:
        """Take one id that is allowed: as :meth:`Encoding.take`."""
        return self.codes.take(self.view(self.deal.to_act), prefix, number)

    def write(self, seat: int, prefix: Prefix, out: Vector) -> None:
        """Write the observation of a seat into a vector that is all zero."""
        self.codes.write(self.view(seat), prefix, out)

    def observe(self, seat: int, prefix: Prefix) -> Vector:
        """The observation of a seat: a fresh vector."""
        out = np.zeros(self.codes.size, dtype=np.float32)
        self.write(seat, prefix, out)
        return out


def whole_number(value: Any, bound: int) -> int:
    """``value`` as an integer from 0 to ``bound - 1``, whether it is Python's or numpy's.

    Raises :class:`NotAllowed` for one that is too small or too large, another error for what is no integer.
    """
    if type(value) is int and 0 <= value < bound:
        return value
    if isinstance(value, np.ndarray) and (value.ndim or value.dtype.kind not in "iu"):
        raise MejaError(
            msg(
                "an action is one whole number, not an array of shape {shape} and type {type}",
                shape=str(value.shape),
                type=str(value.dtype),
            )
        )
    try:
        # True is 1 for Python, but no action.
        number = None if isinstance(value, bool | np.bool_) else index(value)
    except TypeError:
        number = None
    if number is not None and 0 <= number < bound:
        return number
    error = MejaError if number is None else NotAllowed
    found = quoted(value) if number is None else str(number)
    raise error(msg("an action is a whole number from 0 to {last}, not {found}", last=bound - 1, found=found))


def card_names(verb: str, cards: tuple[int, ...]) -> list[str]:
    """Names of ids that are a verb with a card."""
    return [f"{verb} {CARD_TEXT[card]}" for card in cards]


def encoding(rules: Rules) -> Encoding:
    """The encoding of a game with these rules."""
    if not isinstance(rules, Rules):
        raise MejaError(msg("expected the rules of a game, found {found}", found=quoted(rules)))
    return _encoding(rules).fresh()


@lru_cache(maxsize=64)
def _encoding(rules: Rules) -> Encoding:
    from meja.envs.kaluki_codes import KalukiEncoding  # noqa: PLC0415 - they are built on this module
    from meja.envs.trick_codes import BassadewitzEncoding, CalabresellaEncoding, SmearEncoding  # noqa: PLC0415

    made: dict[str, type[Encoding]] = {
        found.game: found for found in (BassadewitzEncoding, CalabresellaEncoding, KalukiEncoding, SmearEncoding)
    }
    if rules.game not in made:
        raise MejaError(
            msg("there is no encoding of {game}; known: {known}", game=quoted(rules.game), known=", ".join(made))
        )
    return made[rules.game](rules)
