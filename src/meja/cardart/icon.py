"""The signs of the program: two cards on a green table; with a dot when it is your turn."""

from __future__ import annotations

from typing import Final

from meja.cardart.palette import GOLD, INK, PAPER, RED
from meja.cardart.suits import OUTLINE
from meja.cardart.svg import at, circle, group, path, tag

#: The side of the square; what matters lies within 40 % of it round the middle, so that round masks may cut.
SIDE: Final = 512
_TABLE: Final = "#14573f"
_RIM: Final = "#2d7a5c"


def _card(sign: str, colour: str, place: str) -> str:
    return group(
        tag("rect", x=-88, y=-123, width=176, height=246, rx=24, fill=PAPER, stroke=INK, stroke_width=7),
        path(OUTLINE[sign], colour, transform="scale(1.28)"),
        transform=place,
    )


def icon(*, turn: bool = False, corner: float = 112) -> str:
    """An icon: ``turn`` adds the dot, ``corner`` is the radius of its corners (0 for a mask to cut)."""
    middle = SIDE / 2
    parts = [
        tag("rect", width=SIDE, height=SIDE, rx=corner or None, fill=_TABLE),
        circle(middle, middle, 222, "none", stroke=_RIM, stroke_width=10),
        _card("h", RED, at(202, 268, 1.12, -15)),
        _card("s", INK, at(306, 261, 1.12, 9)),
    ]
    if turn:
        parts.append(circle(354, 158, 76, GOLD, stroke=_TABLE, stroke_width=20))
    return tag("svg", *parts, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {SIDE} {SIDE}") + "\n"
