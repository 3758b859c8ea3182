"""A list of cards that a notebook draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from meja.cards import CARD_TEXT, JOKER, UNKNOWN, Card, cards_text, parse_card, parse_cards, quoted
from meja.errors import CardTextError
from meja.messages import msg
from meja.notebook import pictures
from meja.notebook.page import page, picture


class Cards(Sequence[Card]):
    """Cards in a row: ``Cards("As Td Jk")`` or ``Cards(view.hand)``.

    A sequence of the same numbers, so that it goes wherever cards go; ``in`` also takes the text of a card.
    Raises :class:`~meja.errors.CardTextError` for anything that is no card.
    """

    __slots__ = ("_cards",)

    def __init__(self, cards: str | Iterable[Card]) -> None:
        self._cards = tuple(parse_cards(cards)) if isinstance(cards, str) else tuple(cards)
        for card in self._cards:
            if type(card) is not int or not (0 <= card <= JOKER or card == UNKNOWN):
                raise CardTextError(
                    msg("{found} is no card; expected texts like As, or numbers of cards", found=quoted(card))
                )

    def __len__(self) -> int:
        return len(self._cards)

    def __iter__(self) -> Iterator[Card]:
        return iter(self._cards)

    @overload
    def __getitem__(self, place: int) -> Card: ...
    @overload
    def __getitem__(self, place: slice) -> Cards: ...
    def __getitem__(self, place: int | slice) -> Card | Cards:
        return Cards(self._cards[place]) if isinstance(place, slice) else self._cards[place]

    def __contains__(self, card: object) -> bool:
        return (parse_card(card) if isinstance(card, str) else card) in self._cards

    def __eq__(self, other: object) -> bool:
        return self._cards == other._cards if isinstance(other, Cards) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._cards)

    def __str__(self) -> str:
        return cards_text(self._cards)

    def __repr__(self) -> str:
        return f'Cards("{self}")'

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the cards: ``("As", "Td")``."""
        return tuple(CARD_TEXT[card] for card in self._cards)

    def svg(self, *, apart: bool = False) -> str:
        """A picture that stands for itself, to be saved or put into a page; ``apart``: side by side, not as a hand."""
        return pictures.alone(self._cards, pictures.APART if apart else pictures.HAND)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        return page(picture(self._cards, 112), bare=True)
