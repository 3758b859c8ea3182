"""Colours: what all decks share, and what makes a deck."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PAPER: Final = "#fffdf8"
EDGE: Final = "#a39c8e"
INK: Final = "#1d1b26"
GOLD: Final = "#f0b63a"
BRONZE: Final = "#c3821f"
CREAM: Final = "#fff3d6"
RED: Final = "#c9142f"
WINE: Final = "#96102a"
BLUE: Final = "#2354a8"
NAVY: Final = "#173a7a"
SKIN: Final = "#f1c9a0"
TAN: Final = "#dea876"
BLUSH: Final = "#e58a6a"
STEEL: Final = "#e4eaf0"
IRON: Final = "#a9b6c5"
LEAF: Final = "#3f7f5c"
PLUM: Final = "#6d3a9c"


@dataclass(frozen=True)
class Cloth:
    """What a suit's courts wear.

    ``robe`` and ``second`` are the two stuffs, each with its shade; ``trim`` is seen on the
    robe, ``mark`` on the second stuff; then the hair of the young and of the king.
    """

    robe: str
    robe_shade: str
    second: str
    second_shade: str
    trim: str
    mark: str
    hair: str = INK
    beard: str = INK


@dataclass(frozen=True)
class Deck:
    """A deck: the name of its file, the colours of its suits, and what its courts wear."""

    name: str
    colour: dict[str, str]
    cloth: dict[str, Cloth]


@dataclass(frozen=True)
class Back:
    """The colours of a back: its ground, and the petals on it."""

    ground: str
    petal: str


_BLACK: Final = "#17161d"
_IN_BLUE: Final = (BLUE, NAVY, RED, WINE, GOLD, GOLD)
_IN_RED: Final = (RED, WINE, BLUE, NAVY, GOLD, GOLD)
_IN_GOLD: Final = (GOLD, BRONZE, RED, WINE, CREAM, CREAM)
_IN_BLACK: Final = ("#363342", "#23212c", GOLD, BRONZE, GOLD, "#23212c")
_IN_GREEN: Final = ("#1d7a48", "#125733", GOLD, BRONZE, GOLD, "#125733")
_DARK: Final = ("#2f2832", "#2f2832")
_AUBURN: Final = ("#96521f", "#96521f")
_FAIR: Final = ("#efd590", "#dedacf")
_BROWN: Final = ("#553318", "#553318")

FRENCH: Final = Deck(
    "french",
    {"s": _BLACK, "h": RED, "d": RED, "c": _BLACK},
    {
        "s": Cloth(*_IN_BLUE, *_DARK),
        "h": Cloth(*_IN_RED, *_AUBURN),
        "d": Cloth(*_IN_GOLD, *_FAIR),
        "c": Cloth(*_IN_BLACK, *_BROWN),
    },
)
FOUR_COLOUR: Final = Deck(
    "four-colour",
    {"s": _BLACK, "h": RED, "d": "#1457c4", "c": "#0b7a3b"},
    {
        "s": Cloth(*_IN_BLACK, *_DARK),
        "h": Cloth(*_IN_RED, *_AUBURN),
        "d": Cloth(*_IN_BLUE, *_FAIR),
        "c": Cloth(*_IN_GREEN, *_BROWN),
    },
)
#: Every deck there is a file of.
DECKS: Final = (FRENCH, FOUR_COLOUR)

#: The joker has colours that no suit has.
MOTLEY: Final = Cloth(PLUM, "#4f2775", GOLD, BRONZE, GOLD, PLUM)

#: The backs, named after the dyes of batik cloths: indigo and the brown-red of sogan.
INDIGO: Final = Back("#1f3f86", "#f4ead2")
SOGAN: Final = Back("#8c1f2c", "#f7e6cb")
