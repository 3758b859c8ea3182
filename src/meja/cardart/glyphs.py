"""The rank signs of the corners, drawn as strokes of a flat pen.

A glyph is the way of the pen's middle in a box 30 wide and 50 high. The pen is wider than it
is high, so upright strokes are heavier than level ones, as in the letters people know from
cards; the feet of letters hide where slanted strokes end.
"""

from __future__ import annotations

from typing import Final

from meja.cardart.svg import num, path

#: The pen's height, how many times wider than high it is, and the same for the two digits of ten.
PEN: Final = 6.7
WIDER: Final = 1.34
WIDER_TEN: Final = 1.09
#: The box of a glyph, and how much taller it is drawn.
BOX: Final = (30, 50)
TALLER: Final = 1.1

_NINE: Final = (
    "M26 18C26 26.5 21.8 30.8 15 30.8C8.2 30.8 4 26 4 17C4 8 8.2 3.3 15 3.3C22.5 3.3 26 9 26 20V25"
    "C26 40 22 46.7 14.8 46.7C9.5 46.7 6 43.8 4.8 38.5"
)

#: The strokes of every rank. The six is the nine turned.
STROKES: Final[dict[str, str]] = {
    "A": "M4.6 46.6L14.3 2H15.7L25.4 46.6M8 34.5H22M-1 46.7H8.75M21.25 46.7H31",
    "K": "M6 3V47M25 4L6 32M13 21.5L25 46M0 3.3H11.5M0 46.7H11.5M19 3.3H30M18.5 46.7H31",
    "Q": (
        "M15 3.3C22.5 3.3 26.3 10 26.3 25C26.3 40 22.5 46.7 15 46.7C7.5 46.7 3.7 40 3.7 25C3.7 10 7.5 3.3 15 3.3Z"
        "M13 33.5C19.5 35 22 46 29.5 50.5"
    ),
    "J": "M20.5 3.3V34C20.5 42 17.3 46.7 12 46.7C6.8 46.7 3.7 43 3.7 36V33M12.5 3.3H28.5",
    "T": (
        "M-2 12.5L4.5 7V50M23.5 3.3C29.8 3.3 32.5 10 32.5 25C32.5 40 29.8 46.7 23.5 46.7"
        "C17.2 46.7 14.5 40 14.5 25C14.5 10 17.2 3.3 23.5 3.3Z"
    ),
    "9": _NINE,
    "8": (
        "M15 3.3C20.8 3.3 24.6 7.2 24.6 13.3C24.6 19.4 20.8 23.3 15 23.3C9.2 23.3 5.4 19.4 5.4 13.3"
        "C5.4 7.2 9.2 3.3 15 3.3ZM15 23.3C21.8 23.3 26.2 27.8 26.2 35C26.2 42.2 21.8 46.7 15 46.7"
        "C8.2 46.7 3.8 42.2 3.8 35C3.8 27.8 8.2 23.3 15 23.3Z"
    ),
    "7": "M3.2 13V3.3H26.3C19.5 16 14 32 12.8 50",
    "6": _NINE,
    "5": (
        "M25 3.3H8L6.2 23C8.8 20.3 11.8 19.2 15.2 19.2C22 19.2 26.2 24 26.2 32.5C26.2 41.5 21.8 46.7 14.9 46.7"
        "C9.3 46.7 5.4 43.5 4 37.5"
    ),
    "4": "M20.5 50V4H18.5L3.5 35.7H29.5",
    "3": (
        "M4.6 12C5.6 6.5 9.3 3.3 14.8 3.3C20.9 3.3 24.8 7.1 24.8 13.2C24.8 19.4 20.8 23.2 14.5 23.2H11"
        "M14.5 23.2C21.8 23.2 26.2 27.5 26.2 34.8C26.2 42.1 21.7 46.7 14.7 46.7C9 46.7 5 43.5 3.8 37.5"
    ),
    "2": "M4.2 15C4.2 7.5 8.3 3.3 14.9 3.3C21.7 3.3 25.8 7.3 25.8 14C25.8 24.5 6.5 32.5 4.8 46.7H27.5",
}


def glyph(rank: str, middle: float, top: float) -> str:
    """The sign of a rank with its middle and top there; its colour is the stroke of the place it is used in."""
    wider = WIDER_TEN if rank == "T" else WIDER
    wide, tall = BOX
    turn = f"rotate(180 {num(wide / 2)} {num(tall / 2)})" if rank == "6" else ""
    return path(
        STROKES[rank],
        "none",
        width=PEN,
        stroke_miterlimit=3,
        id=f"_{rank}",
        transform=f"translate({num(middle - wide / 2 * wider)} {num(top)})scale({num(wider)} {num(TALLER)}){turn}",
    )
