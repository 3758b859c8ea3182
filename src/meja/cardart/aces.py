"""The aces: one large sign with an ornament in it; the ace of spades has more."""

from __future__ import annotations

from typing import Final

from meja.cardart.palette import GOLD, INK, PAPER
from meja.cardart.svg import MIRRORED, around, at, circle, disc, group, num, path, petal, use

#: Where the sign's middle is and how large it is; how low in it the rosette is, and how large.
_PLACE: Final = {"s": (100, 131, 1.4), "h": (100, 144, 1.1), "d": (100, 140, 1.4), "c": (100, 142, 1.26)}
_ROSETTE: Final[dict[str, tuple[float, float]]] = {"s": (13, 1), "h": (-10, 0.95), "d": (0, 0.8), "c": (-2, 0.5)}

#: A line a little inside the outline.
_INSET: Final = {
    "s": (
        "M0-42C8-26 40.5-7 40.5 17C40.5 28 33 35.5 23.5 35.5C14 35.5 6 29 0 20C-6 29-14 35.5-23.5 35.5"
        "C-33 35.5-40.5 28-40.5 17C-40.5-7-8-26 0-42Z"
    ),
    "h": (
        "M0 41C-8 25-42.5 6-42.5-19C-42.5-33-34-41.5-24-41.5C-13-41.5-5-34 0-18C5-34 13-41.5 24-41.5"
        "C34-41.5 42.5-33 42.5-19C42.5 6 8 25 0 41Z"
    ),
    "d": "M0-44C9-28 21-13 36 0C21 13 9 28 0 44C-9 28-21 13-36 0C-21-13-9-28 0-44Z",
    "c": "".join(disc(x, y, 18.2) for x, y in ((0, -27), (-24, 9), (24, 9))),
}


def ace_parts() -> str:
    """A rosette of eight leaves, after the ceplok of batik cloths."""
    long, short = path(petal(17, 5, 5)), path(petal(12, 3, 5.5))
    return group(
        *(group(long, transform=f"rotate({turn})") for turn in (0, 90, 180, 270)),
        *(group(short, transform=f"rotate({turn})") for turn in (45, 135, 225, 315)),
        circle(0, 0, 3.6, GOLD),
        id="_rosette",
    )


def _leaf(x: float, y: float, size: float, turn: float = 0) -> str:
    return path(petal(size, abs(size) / 3.6), transform=at(x, y, turn=turn))


def _pair(d: str) -> str:
    """A curl and its mirror image."""
    return path(d) + path(d, transform=MIRRORED)


def _ornament(suit: str) -> tuple[str, str, str]:
    """What stands in the sign besides the rosette: leaves, curls and dots."""
    dots: tuple[tuple[float, float, float], ...]
    if suit == "s":
        leaves = (
            _leaf(0, -9, 15) + _leaf(0, -26, 11) + _leaf(0, 40, 9) + _leaf(-3, -13, 12, -48) + _leaf(3, -13, 12, 48)
        )
        curls = _pair("M19 24C28 34 39 27 36 17C34 10 26 11 27 17C27.5 20 31 20 31 18M20 0C26-2 31 1 31 6")
        dots = ((-24, -6, 1.5), (24, -6, 1.5), (0, -38, 1.3))
    elif suit == "h":
        leaves = _leaf(0, 11, -15) + _leaf(0, 28, -9) + _leaf(-4, 14, 11, -128) + _leaf(4, 14, 11, 128)
        curls = _pair("M19-4C24 6 38 2 38-12C38-24 26-26 25-18C25-13 31-12 31-16")
        dots = ((-20, 10, 1.5), (20, 10, 1.5), (-24, -34, 1.6), (24, -34, 1.6))
    elif suit == "d":
        leaves = _leaf(0, -17, 13) + _leaf(0, 17, -13) + _leaf(-16, 0, 9, -90) + _leaf(16, 0, 9, 90)
        curls = _pair("M4-20C10-20 14-16 13-12M4 20C10 20 14 16 13 12")
        dots = ((0, -35, 1.5), (0, 35, 1.5), (-28, 0, 1.3), (28, 0, 1.3))
    else:
        lobes = ((0, -27), (-24, 9), (24, 9))
        leaves = "".join(_leaf(x, y, 13, turn) for x, y in lobes for turn in (45, 135, 225, 315))
        curls = ""
        dots = (*((x, y, 2.4) for x, y in lobes), (0, 29, 1.5), (0, 37, 1.3))
    return leaves, curls, "".join(disc(*dot) for dot in dots)


def _laurel() -> str:
    """Two twigs under the ace of spades."""
    leaves = []
    for i in range(5):
        x, y = around(46, 173 - 13 * i)
        leaves += [_leaf(x, y, 12 - i, 55 - 13 * i), _leaf(x, y, 12 - i, 118 - 13 * i)]
    (x1, y1), (x2, y2) = around(46, 176), around(46, 116)
    stem = path(f"M{num(x1)} {num(y1)}A46 46 0 0 0 {num(x2)} {num(y2)}", "none", INK, 1.6)
    return group(
        group(stem, *leaves, id="_twig"),
        use("_twig", transform=MIRRORED),
        circle(0, 47, 3.2, GOLD),
        transform=at(100, 175),
    )


def ace(suit: str) -> str:
    """The picture of an ace; the sign's colour is the fill of the place it is used in."""
    x, y, size = _PLACE[suit]
    low, scale = _ROSETTE[suit]
    leaves, curls, dots = _ornament(suit)
    lines = path(_INSET[suit]) + (group(curls, stroke_width=1.9) if curls else "")
    return group(
        use(f"_{suit}"),
        group(lines, fill="none", stroke=PAPER, stroke_width=1.3, stroke_linecap="round"),
        group(leaves, use("_rosette", transform=at(0, low, scale)), fill=PAPER),
        path(dots, GOLD),
        transform=at(x, y, size),
    ) + (_laurel() if suit == "s" else "")
