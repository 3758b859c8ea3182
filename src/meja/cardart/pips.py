"""Pip cards: where the signs stand on the cards from two to ten."""

from __future__ import annotations

from typing import Final

from meja.cardart.svg import HEIGHT, WIDTH, Point

#: How large a sign is (of 100).
SIZE: Final = 0.37

#: The columns, and the rows of cards with two, three and four of them.
_LEFT, _MIDDLE, _RIGHT = 75, WIDTH / 2, 125
_TOP: Final = 42.5
_CENTRE: Final = HEIGHT / 2
_SECOND_OF_FOUR: Final = _TOP + (_CENTRE - _TOP) * 2 / 3
_BETWEEN_THREE: Final = (_TOP + _CENTRE) / 2
_BETWEEN_FOUR: Final = (_TOP + _SECOND_OF_FOUR) / 2

_PAIR: Final[tuple[Point, ...]] = ((_LEFT, _TOP), (_RIGHT, _TOP))
_TWO_PAIRS: Final[tuple[Point, ...]] = (*_PAIR, (_LEFT, _SECOND_OF_FOUR), (_RIGHT, _SECOND_OF_FOUR))
_SIDES: Final[tuple[Point, ...]] = ((_LEFT, _CENTRE), (_RIGHT, _CENTRE))
_HEART: Final[tuple[Point, ...]] = ((_MIDDLE, _CENTRE),)

#: The signs of the upper half, which come again turned, and those that come once.
LAYOUT: Final[dict[str, tuple[tuple[Point, ...], tuple[Point, ...]]]] = {
    "2": (((_MIDDLE, _TOP),), ()),
    "3": (((_MIDDLE, _TOP),), _HEART),
    "4": (_PAIR, ()),
    "5": (_PAIR, _HEART),
    "6": (_PAIR, _SIDES),
    "7": (_PAIR, (*_SIDES, (_MIDDLE, _BETWEEN_THREE))),
    "8": ((*_PAIR, (_MIDDLE, _BETWEEN_THREE)), _SIDES),
    "9": (_TWO_PAIRS, _HEART),
    "T": ((*_TWO_PAIRS, (_MIDDLE, _BETWEEN_FOUR)), ()),
}
