"""The joker: a two-headed fool in colours of no suit, with a star where cards have a rank."""

from __future__ import annotations

from typing import Final

from meja.cardart import emblems, headwear, robes
from meja.cardart.courts import HEAD
from meja.cardart.heads import face
from meja.cardart.ink import figure, flat, specks
from meja.cardart.palette import BLUSH, INK, MOTLEY
from meja.cardart.svg import TURNED, at, both_ways, group, path, star, use

#: The letters of the word under the star, in boxes of 30 by 50.
_WORD: Final = (
    "M22 2V34C22 42 18.5 45 13 45C7.5 45 4.5 42 4.5 34V31",
    "M15 5C22 5 25.5 10 25.5 25C25.5 40 22 45 15 45C8 45 4.5 40 4.5 25C4.5 10 8 5 15 5Z",
    "M6 0V50M25 2L8 28M13 21L26 48",
    "M26 5H6V45H26M6 24.5H22",
    "M6 50V5H15C21.5 5 24.5 8.5 24.5 15C24.5 21.5 21.5 25.5 15 25.5H6M14 25.5L26 48",
)
#: Paint on the fool's face: a lozenge over each eye.
_PAINT: Final = "M-5.3-17L-3.8-6L-5.3 6L-6.8-6ZM9.3-17L10.8-6L9.3 6L7.8-6Z"


def _corner() -> str:
    """The star and the word."""
    letters = "".join(path(d, transform=f"translate(0 {58 * i})") for i, d in enumerate(_WORD))
    return group(
        use("_star", transform=at(28, 35, 0.47), fill=MOTLEY.robe),
        group(
            letters,
            fill="none",
            stroke=MOTLEY.robe,
            stroke_width=8.5,
            transform="translate(23.2 59)scale(.32 .17)",
        ),
        id="_Jk-index",
    )


def joker_parts() -> str:
    """The star, which the joker's corner and sash share."""
    return path(star(5, 46, 20), id="_star")


def joker() -> str:
    """The picture and the corners of the joker."""
    c = MOTLEY
    half = figure(
        robes.motley(c),
        robes.fools_collar(c),
        group(
            face("r", "mild", "grin"),
            flat(_PAINT, c.robe),
            specks(INK, (-5.3, -5, 2.2), (9.3, -5, 2.2)),
            specks(BLUSH, (-10, 7, 3.2), (13, 7, 2.8)),
            headwear.fools_cap(c),
            transform=HEAD,
        ),
        emblems.cards(c),
        robes.holding(c),
    )
    return (
        use("_frame", stroke=c.robe)
        + both_ways("_Jk-half", half)
        + robes.sash(c, "_star")
        + _corner()
        + use("_Jk-index", transform=TURNED)
    )
