"""The contract that every game fulfils: one hand of cards, from the deal to its score.

A deal is a pure function of (rules, chance as it fell, actions). It holds everything,
so it never leaves the process: seats, bots and clients get a :class:`~meja.view.View`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, TypeVar

from meja.cards import Card, Rng, Shuffler, cards_text, quoted
from meja.display import drawn
from meja.errors import GameOver, IllegalAction, MejaError, Reason
from meja.messages import Message, msg
from meja.view import Event, View

A = TypeVar("A")
D = TypeVar("D", bound="Deal[Any]")


@dataclass(frozen=True, slots=True)
class Context:
    """What a deal knows of its match.

    ``totals``: one per seat before this deal. ``number``: how many deals came before,
    void ones included. ``counted``: how many of them count towards the length of the match.
    """

    totals: tuple[int, ...]
    number: int = 0
    counted: int = 0

    @classmethod
    def first(cls, seats: int) -> Context:
        """The context of a match's first deal."""
        return _FIRST[seats] if seats < len(_FIRST) else cls((0,) * seats)


#: By number of seats; a deal that is played by itself starts with one of these.
_FIRST: Final = tuple(Context((0,) * seats) for seats in range(8))


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the cards lie after dealing, as a record tells it.

    ``hands``: one per seat, in seat order. ``monte``: Calabresella's four cards in order.
    ``upcard`` and ``stock``: Kaluki's first discard and stock, the next card to be drawn first.
    """

    hands: tuple[tuple[Card, ...], ...]
    monte: tuple[Card, ...] = ()
    upcard: Card | None = None
    stock: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of a score sheet: who gets how much, why, and the number of the rule."""

    seat: int
    points: int
    reason: Message
    rule: str


class Chance:
    """The chance that falls during a deal: the order of a reshuffled pile.

    Recorded orders (``script``) come first, then the generator. A deal whose rules
    never reshuffle never asks.
    """

    __slots__ = ("_next", "_rng", "_script")

    def __init__(self, rng: Shuffler | None = None, script: Iterable[Sequence[Card]] = ()) -> None:
        self._rng = rng
        self._script = tuple(tuple(order) for order in script)
        self._next = 0

    @property
    def unused(self) -> int:
        """How many recorded orders have not been needed yet."""
        return len(self._script) - self._next

    def order(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """The order in which ``cards`` come to lie; raises :class:`ChanceError` if it cannot be had."""
        if self._next < len(self._script):
            recorded = self._script[self._next]
            if sorted(recorded) != sorted(cards):
                raise ChanceError(
                    msg(
                        "a reshuffle must hold exactly the discard pile without its top card: {cards}",
                        cards=cards_text(sorted(cards)),
                    )
                )
            self._next += 1
            return recorded
        if self._rng is None:
            raise ChanceError(msg("the stock is empty here, but no reshuffle is recorded"))
        order = list(cards)
        self._rng.shuffle(order)
        return tuple(order)

    def clone(self) -> Chance:
        """An independent source that goes on from the same point."""
        twin = Chance.__new__(Chance)
        twin._rng = None if self._rng is None else self._rng.clone()
        twin._script = self._script
        twin._next = self._next
        return twin


def check_dealer(rules: Any, dealer: int) -> None:
    """Raise :class:`~meja.errors.MejaError` unless ``dealer`` is a seat."""
    if type(dealer) is not int or not 0 <= dealer < rules.seats:
        raise MejaError(
            msg("the dealer must be a seat from 0 to {last}, not {found}", last=rules.seats - 1, found=str(dealer))
        )


def check_seat(rules: Any, seat: int | None) -> None:
    """Raise :class:`~meja.errors.MejaError` unless ``seat`` is a seat or ``None`` (a spectator).

    Python would take -1 for the last seat and ``True`` for seat 1, and show their cards.
    """
    if seat is not None and (type(seat) is not int or not 0 <= seat < rules.seats):
        raise MejaError(
            msg(
                "there is no seat {found}; expected 0 to {last}, or None for a spectator",
                found=quoted(seat),
                last=rules.seats - 1,
            )
        )


class ChanceError(MejaError):
    """Chance was needed that is not recorded, or that does not fit the cards."""


class Deal(ABC, Generic[A]):
    """One deal of a game. ``A`` is the game's action: hashable, sortable, with a text form."""

    __slots__ = ("context", "dealer", "rules", "to_act")

    game: ClassVar[str]
    #: Whether chance may be needed during a deal of this game.
    reshuffles_piles: ClassVar[bool] = False

    rules: Any
    dealer: int
    context: Context
    #: The seat that has to act, or ``None`` when the deal is over.
    to_act: int | None

    # -- starting -----------------------------------------------------------------

    @classmethod
    @abstractmethod
    def pack(cls, rules: Any) -> tuple[Card, ...]:
        """The cards that are shuffled for a deal, in a fixed order."""

    @classmethod
    @abstractmethod
    def lay_out(cls, rules: Any, dealer: int, cards: Sequence[Card]) -> Layout:
        """Deal ``cards`` (the shuffled pack, the first card dealt first)."""

    @classmethod
    @abstractmethod
    def check_layout(cls, rules: Any, dealer: int, layout: Layout) -> None:
        """Raise :class:`~meja.errors.MejaError` for a layout that is not one of this game.

        A wrong number of cards, a card of another pack, a card too often.
        """

    @classmethod
    @abstractmethod
    def build(
        cls: type[D], rules: Any, dealer: int, layout: Layout, context: Context | None, chance: Chance | None
    ) -> D:
        """A deal whose cards lie as in a ``layout`` that is known to be right."""

    @classmethod
    def from_layout(
        cls: type[D],
        rules: Any,
        dealer: int,
        layout: Layout,
        context: Context | None = None,
        chance: Chance | None = None,
    ) -> D:
        """A deal whose cards lie as in ``layout``, which is checked first (:meth:`check_layout`)."""
        check_dealer(rules, dealer)
        cls.check_layout(rules, dealer, layout)
        return cls.build(rules, dealer, layout, context, chance)

    @classmethod
    def start(
        cls: type[D],
        rules: Any,
        dealer: int,
        cards: Sequence[Card],
        context: Context | None = None,
        chance: Chance | None = None,
    ) -> D:
        """Deal the shuffled pack ``cards`` and start; raises if ``cards`` are not the pack."""
        check_dealer(rules, dealer)
        if sorted(cards) != sorted(cls.pack(rules)):
            raise MejaError(msg("the cards to deal are not the pack of {game}", game=cls.game))
        return cls.build(rules, dealer, cls.lay_out(rules, dealer, cards), context, chance)

    @classmethod
    def shuffle(cls: type[D], rules: Any, dealer: int, rng: Shuffler, context: Context | None = None) -> D:
        """Shuffle, deal and start; later reshuffles come from ``rng`` too (by a fork)."""
        cards = list(cls.pack(rules))
        rng.shuffle(cards)
        chance = Chance(rng.fork()) if cls.reshuffles_piles else None
        return cls.build(rules, dealer, cls.lay_out(rules, dealer, cards), context, chance)

    # -- acting -------------------------------------------------------------------

    @property
    @abstractmethod
    def phase(self) -> str:
        """The name of the phase: what kind of action is expected."""

    @abstractmethod
    def legal_actions(self) -> Sequence[A]:
        """All legal actions, sorted and unique; never empty while somebody is to act."""

    @abstractmethod
    def why_illegal(self, action: A) -> Reason | None:
        """The first rule that ``action`` breaks, or ``None``: the one checker behind everything."""

    def is_legal(self, action: A) -> bool:
        """Whether the seat to act may do ``action`` now."""
        return self.why_illegal(action) is None

    def apply(self, action: A | str) -> list[Event]:
        """Check and do an action (or its text, ``"play As"``); return the events that followed.

        Raises :class:`~meja.errors.IllegalAction` (or ``GameOver``, or a text error) and
        leaves the state untouched.
        """
        if self.to_act is None:
            raise GameOver(msg("the deal is over; no action is expected"))
        act: A = self.parse(action) if isinstance(action, str) else action
        reason = self.why_illegal(act)
        if reason is not None:
            raise IllegalAction(reason, self.describe(act))
        return self._apply(act)

    @abstractmethod
    def advance(self, action: A) -> None:
        """Do an action that is known to be legal: no check, no events. For search and replay."""

    @abstractmethod
    def _apply(self, action: A) -> list[Event]:
        """Do a legal action and tell what happened."""

    @abstractmethod
    def clone(self: D) -> D:
        """A copy that shares nothing that changes."""

    # -- knowing ------------------------------------------------------------------

    @abstractmethod
    def view(self, seat: int | None) -> View[A]:
        """What ``seat`` may know (``None``: a spectator)."""

    @abstractmethod
    def determinize(self: D, seat: int | None, rng: Rng) -> D:
        """A uniform draw from the deals that agree with ``view(seat)``, all public facts respected."""

    @abstractmethod
    def unseen(self, seat: int | None) -> list[Card]:
        """The cards whose place ``seat`` does not know for certain, sorted."""

    @abstractmethod
    def zones(self) -> Mapping[str, Sequence[Card]]:
        """Every card of the pack that takes part, by the place where it lies now."""

    # -- the result ---------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return self.to_act is None

    @property
    @abstractmethod
    def void(self) -> bool:
        """Whether the deal has ended and counts for nothing."""

    @abstractmethod
    def score_sheet(self) -> list[ScoreLine]:
        """What each seat gets and why; empty while the deal goes on and for a void deal."""

    @classmethod
    @abstractmethod
    def score_range(cls, rules: Any) -> tuple[int, int]:
        """The least and the most that a deal can add to one seat's total."""

    def score(self) -> tuple[int, ...]:
        """What the deal adds to each seat's total: the sum of the score sheet."""
        points = [0] * self.rules.seats
        for line in self.score_sheet():
            points[line.seat] += line.points
        return tuple(points)

    # -- the record's words -------------------------------------------------------

    @abstractmethod
    def layout(self) -> Layout:
        """The layout as it was dealt, each hand sorted as a record writes it."""

    @abstractmethod
    def actions(self) -> list[tuple[int, A]]:
        """(seat, action) for every action so far, in order."""

    def reshuffles(self) -> list[tuple[Card, ...]]:
        """The reshuffles that took place, as they fell."""
        return []

    @classmethod
    @abstractmethod
    def parse(cls, text: str) -> A:
        """Read an action tolerantly; raises :class:`~meja.errors.ActionTextError`."""

    @classmethod
    def recorded(cls, text: str) -> A:
        """Read an action of a record: as :meth:`parse`, but without what only a person may leave unsaid."""
        return cls.parse(text)

    @classmethod
    @abstractmethod
    def text(cls, action: A) -> str:
        """The strict text of an action, without the seat: ``"play As"``."""

    @classmethod
    def describe(cls, action: Any) -> str:
        """The text of anything that was given as an action, for error messages."""
        try:
            return cls.text(action)
        except (TypeError, ValueError, IndexError, KeyError, AttributeError):
            return repr(action)

    def _repr_html_(self) -> str | None:
        """What notebooks show: the table with all cards open."""
        return drawn(self)

    def __repr__(self) -> str:
        state = "void" if self.void else "over" if self.over else f"{self.phase}, seat {self.to_act} to act"
        return f"<{type(self).__name__} {self.rules}: {len(self.actions())} actions, {state}>"
