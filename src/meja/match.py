"""A match: deals in a row, with the dealer's rotation, totals and the end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from meja.cards import Shuffler, quoted
from meja.deal import Chance, Context, Deal, Layout, check_dealer
from meja.display import drawn
from meja.errors import GameOver, MejaError, NotYourTurn
from meja.messages import SeatWord, msg
from meja.view import Event, View


class Match(ABC):
    """A match of one game. Games say who deals next, which deals count, and who has won.

    ``deal`` is the deal in progress, or ``None`` between deals; ``deals`` holds the finished
    ones. ``totals`` are up to date after every deal. ``winners`` is ``None`` until the end.
    """

    deal_class: ClassVar[type[Deal[Any]]]

    def __init__(self, rules: Any, dealer: int = 0, players: Sequence[str] | None = None) -> None:
        """A match by ``rules`` whose first dealer is seat ``dealer``; ``players`` are names, one per seat."""
        check_dealer(rules, dealer)
        self.rules = rules
        self.players: tuple[str, ...] = (
            tuple(f"Player {seat}" for seat in range(rules.seats))
            if players is None
            else (players,)
            if isinstance(players, str)
            else tuple(players)
        )
        if len(self.players) != rules.seats:
            raise MejaError(msg("expected {seats} names, found {found}", seats=rules.seats, found=len(self.players)))
        for name in self.players:
            if not isinstance(name, str) or any("\ud800" <= character <= "\udfff" for character in name):
                raise MejaError(msg("a player's name must be a text, not {found}", found=quoted(name)))
        self.dealer = dealer
        self.deals: list[Deal[Any]] = []
        self.deal: Deal[Any] | None = None
        self.totals: tuple[int, ...] = (0,) * rules.seats
        self.counted = 0
        self.winners: tuple[int, ...] | None = None

    # -- what a game says ---------------------------------------------------------

    @abstractmethod
    def next_dealer(self, deal: Any) -> int:
        """Who deals after ``deal``, which has just ended under dealer ``self.dealer``."""

    def counts(self, deal: Any) -> bool:
        """Whether ``deal`` is one of the agreed number of deals."""
        return not deal.void

    @abstractmethod
    def winners_after(self, deal: Any) -> tuple[int, ...] | None:
        """The winners, ascending, if ``deal`` (already added to the totals) ends the match."""

    # -- playing ------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        self._settle()
        return self.winners is not None

    def _settle(self) -> None:
        """Close a deal that was played to its end by itself, past this match."""
        if self.deal is not None and self.deal.over:
            self._close(self.deal)

    @property
    def context(self) -> Context:
        """What the next deal is told of the match."""
        return Context(self.totals, len(self.deals), self.counted)

    def next_deal(
        self, chance: Shuffler | Layout, reshuffles: Sequence[Sequence[int]] = (), rng: Shuffler | None = None
    ) -> Deal[Any]:
        """Start the next deal: shuffled by a generator, or laid out as given.

        With a layout, ``reshuffles`` are the recorded orders of reshuffled piles; ``rng``
        shuffles when they are used up.
        """
        if self.over:
            raise GameOver(msg("the match is over; no further deal is played"))
        if self.deal is not None:
            raise MejaError(msg("the deal in progress must end before the next one starts"))
        if isinstance(chance, Layout):
            self.deal = self.deal_class.from_layout(
                self.rules, self.dealer, chance, self.context, Chance(rng, reshuffles)
            )
        else:
            self.deal = self.deal_class.shuffle(self.rules, self.dealer, chance, self.context)
        return self.deal

    @property
    def to_act(self) -> int | None:
        """The seat that has to act, or ``None`` between deals and after the end."""
        return None if self.deal is None else self.deal.to_act

    def apply(self, action: Any, seat: int | None = None) -> list[Event]:
        """Do an action in the deal in progress, as :meth:`Deal.apply`; close the deal when it has ended.

        If ``seat`` is given, it must be the seat to act, else :class:`~meja.errors.NotYourTurn`.
        """
        deal = self._current()
        if seat is not None and (type(seat) is not int or seat != deal.to_act):
            raise NotYourTurn(
                msg(
                    "{seat} is not to act; it is the turn of {turn}",
                    seat=SeatWord(seat),
                    turn=SeatWord(deal.to_act or 0),
                )
            )
        events = deal.apply(action)
        if deal.over:
            self._close(deal)
        return events

    def advance(self, action: Any) -> None:
        """Do an action that is known to be legal, without check and events."""
        deal = self._current()
        deal.advance(action)
        if deal.over:
            self._close(deal)

    def view(self, seat: int | None) -> View[Any]:
        """The view of the deal in progress, or of the last one."""
        deal = self.deal if self.deal is not None else self.deals[-1] if self.deals else None
        if deal is None:
            raise MejaError(msg("no deal has been started yet"))
        return deal.view(seat)

    def _current(self) -> Deal[Any]:
        self._settle()
        if self.deal is None:
            raise GameOver(
                msg("the match is over; no action is expected")
                if self.over
                else msg("no deal is in progress; start the next one first")
            )
        return self.deal

    def _close(self, deal: Deal[Any]) -> None:
        self.deals.append(deal)
        self.deal = None
        if not deal.void:
            self.totals = tuple(total + points for total, points in zip(self.totals, deal.score(), strict=True))
        if self.counts(deal):
            self.counted += 1
        self.winners = self.winners_after(deal)
        if self.winners is None:
            self.dealer = self.next_dealer(deal)

    def __iter__(self) -> Iterator[Deal[Any]]:
        """The deals in order, the one in progress last."""
        yield from self.deals
        if self.deal is not None:
            yield self.deal

    def __len__(self) -> int:
        """How many deals have been started."""
        return len(self.deals) + (self.deal is not None)

    def __bool__(self) -> bool:
        # A match before its first deal is a match.
        return True

    def _repr_html_(self) -> str | None:
        """What notebooks show: the scores, and the deal in progress with all cards open."""
        return drawn(self)

    def __repr__(self) -> str:
        state = f"won by {list(self.winners)}" if self.winners is not None else f"dealer {self.dealer}"
        return f"<{type(self).__name__} {self.rules}: {len(self.deals)} deals, totals {list(self.totals)}, {state}>"
