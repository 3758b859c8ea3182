"""A deck as one file of symbols: fifty-two cards, the joker, the backs and the empty place."""

from __future__ import annotations

from typing import Final

from meja.cardart import pips
from meja.cardart.aces import ace, ace_parts
from meja.cardart.backs import back, back_parts, empty
from meja.cardart.courts import court, court_parts
from meja.cardart.glyphs import BOX, TALLER, glyph
from meja.cardart.joker import joker, joker_parts
from meja.cardart.palette import EDGE, INDIGO, PAPER, SOGAN, Deck
from meja.cardart.suits import OUTLINE
from meja.cardart.svg import HEIGHT, WIDTH, at, both_ways, group, path, symbol, tag, use
from meja.cards import RANKS, SUITS

#: The corner: the middle of rank and suit, the top of the rank, the size of the suit sign (of 100) and its middle.
INDEX_MIDDLE: Final = 28
INDEX_TOP: Final = 11
_MARK_SIZE: Final = 0.4
_MARK: Final = INDEX_TOP + BOX[1] * TALLER + 22.5


def _parts() -> str:
    """What several cards use: the card itself, suit signs, rank signs."""
    card = tag(
        "rect",
        id="_card",
        x=1,
        y=1,
        width=WIDTH - 2,
        height=HEIGHT - 2,
        rx=12,
        fill=PAPER,
        stroke=EDGE,
        stroke_width=1.5,
    )
    signs = "".join(
        path(OUTLINE[suit], None, "none", id=f"_{suit}")
        + use(f"_{suit}", id=f"_{suit}-pip", transform=f"scale({pips.SIZE})")
        + use(f"_{suit}", id=f"_{suit}-mark", transform=at(INDEX_MIDDLE, _MARK, _MARK_SIZE))
        for suit in SUITS
    )
    return card + signs + "".join(glyph(rank, INDEX_MIDDLE, INDEX_TOP) for rank in RANKS)


def _card(deck: Deck, rank: str, suit: str) -> str:
    """A card: what is in the middle, and twice what is in a half."""
    colour = deck.colour[suit]
    name = f"_{rank}{suit}"
    half = use(f"_{rank}") + use(f"_{suit}-mark")
    middle = ""
    if rank in pips.LAYOUT:
        upper, once = pips.LAYOUT[rank]
        half += "".join(use(f"_{suit}-pip", x, y) for x, y in upper)
        middle = "".join(use(f"_{suit}-pip", x, y) for x, y in once)
    elif rank == "A":
        middle = ace(suit)
    picture = court(deck, rank, suit) if rank in "KQJ" else ""
    return symbol(
        rank + suit,
        use("_card"),
        picture,
        group(middle, both_ways(name, half), fill=colour, stroke=colour),
    )


def sprite(deck: Deck) -> str:
    """The whole file of a deck: ``<use href="french.svg#As"/>`` draws a card of it.

    Names of parts begin with ``_``; every other ``id`` is a symbol for use.
    """
    parts = tag("defs", _parts(), ace_parts(), court_parts(deck), joker_parts(), back_parts())
    cards = "".join(_card(deck, rank, suit) for suit in SUITS for rank in reversed(RANKS))
    rest = symbol("Jk", use("_card"), joker()) + back("back", INDIGO) + back("back-b", SOGAN) + empty()
    return tag("svg", parts, cards, rest, xmlns="http://www.w3.org/2000/svg") + "\n"
