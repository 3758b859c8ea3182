"""Backs: a lattice after the batik cloth *kawung* round a medallion; and the outline of an empty place."""

from __future__ import annotations

from math import pi, sqrt
from typing import Final

from meja.cardart.palette import GOLD, Back
from meja.cardart.svg import HEIGHT, WIDTH, at, circle, group, num, path, petal, star, symbol, tag, use

#: The lattice: the side of a cell, cells across and down, and its upper left corner.
_CELL: Final = 28
_ACROSS, _DOWN = 6, 9
_X: Final = (WIDTH - _CELL * _ACROSS) / 2
_Y: Final = (HEIGHT - _CELL * _DOWN) / 2
#: From the middle of a cell to its corner: the room of one petal.
_STEP: Final = _CELL / sqrt(2)
#: A petal is a rod with round ends, and the slit in it a thinner one.
_PETAL: Final = (6, 9)
_SLIT: Final = (5, 1.6)
#: The ring of dots in the medallion.
_RING, _DOTS = 38, 36


def _diagonals() -> str:
    """All diagonals of the lattice, each from a corner on its rim: on them the petals lie."""
    lines = []
    right, low = _X + _CELL * _ACROSS, _Y + _CELL * _DOWN
    starts = [(_X + _CELL * i, _Y) for i in range(_ACROSS)] + [(_X, _Y + _CELL * i) for i in range(1, _DOWN)]
    for x, y in starts:
        run = min(right - x, low - y)
        lines.append(f"M{num(x)} {num(y)}l{num(run)} {num(run)}M{num(WIDTH - x)} {num(y)}l{num(-run)} {num(run)}")
    return "".join(lines)


def _rods(size: tuple[float, float], colour: str) -> str:
    """A rod in the middle of every step along the diagonals."""
    long, width = size
    return use(
        "_lattice",
        stroke=colour,
        stroke_width=width,
        stroke_dasharray=f"{num(long)} {num(_STEP - long)}",
        stroke_dashoffset=(long - _STEP) / 2,
    )


def _frame(inset: float, rx: float, **paint: str | float) -> str:
    return tag("rect", x=inset, y=inset, width=WIDTH - 2 * inset, height=HEIGHT - 2 * inset, rx=rx, **paint)


def back_parts() -> str:
    """What the backs share: the lattice, and the flower of the medallion."""
    blade = petal(27, 6.5, 8)
    return path(_diagonals(), "none", id="_lattice", stroke_linecap="round") + group(
        *(path(blade, transform=f"rotate({turn})") for turn in range(0, 360, 45)),
        path(star(8, 33, 27), "none", width=1.2, transform="rotate(22.5)"),
        id="_flower",
    )


def back(name: str, look: Back) -> str:
    """A back."""
    middle = at(WIDTH / 2, HEIGHT / 2)
    return symbol(
        name,
        use("_card"),
        _frame(9, 6, fill=look.ground),
        _rods(_PETAL, look.petal),
        _rods(_SLIT, look.ground),
        use("_lattice", stroke=GOLD, stroke_width=3, stroke_dasharray=f"0 {num(_STEP)}"),
        _frame(12.5, 3, fill="none", stroke=look.petal, stroke_width=1.6),
        group(
            circle(0, 0, 43, look.ground, stroke=look.petal, stroke_width=2),
            circle(
                0,
                0,
                _RING,
                "none",
                stroke=GOLD,
                stroke_width=2.6,
                stroke_dasharray=f"0 {num(2 * pi * _RING / _DOTS)}",
                stroke_linecap="round",
            ),
            use("_flower", fill=look.petal, stroke=look.petal, stroke_width=0),
            circle(0, 0, 5, GOLD),
            transform=middle,
        ),
    )


def empty() -> str:
    """The outline of a place without a card, in the colour of the text around it."""
    return symbol(
        "empty",
        _frame(
            4,
            11,
            fill="none",
            stroke="currentColor",
            stroke_width=4,
            stroke_dasharray="14 10",
            stroke_linecap="round",
            stroke_opacity=0.55,
        ),
    )
