"""Card faces drawn by rules and numbers: the project's own decks, free of all rights (CC0 1.0).

:func:`~meja.cardart.deck.sprite` makes the file of a deck, :mod:`~meja.cardart.icon` the
signs of the program itself. The same code always makes the same bytes.
"""

from meja.cardart.deck import sprite
from meja.cardart.palette import DECKS, Deck

__all__ = ["DECKS", "Deck", "sprite"]
