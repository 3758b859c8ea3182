"""The four suit signs as outlines, each round the origin, about 100 high."""

from __future__ import annotations

from typing import Final

#: Outline of each suit. Shapes alone tell them apart; colour only helps.
OUTLINE: Final[dict[str, str]] = {
    "s": (
        "M0-51C7-33 45-11 45 17C45 31 35 40 23.5 40C14 40 7.5 35 4 27C5 39 9 46 18 50H-18C-9 46-5 39-4 27"
        "C-7.5 35-14 40-23.5 40C-35 40-45 31-45 17C-45-11-7-33 0-51Z"
    ),
    "h": (
        "M0 49C-7 30-47 8-47-19C-47-36-36-46-24-46C-13-46-4-39 0-27C4-39 13-46 24-46C36-46 47-36 47-19C47 8 7 30 0 49Z"
    ),
    "d": "M0-53C9-34 25-14 42 0C25 14 9 34 0 53C-9 34-25 14-42 0C-25-14-9-34 0-53Z",
    "c": (
        "M0-50A22.5 22.5 0 0 1 17.14-12.43A22.5 22.5 0 1 1 4.5 20.5C5.5 36 9 45.5 18 50H-18C-9 45.5-5.5 36-4.5 20.5"
        "A22.5 22.5 0 1 1-17.14-12.43A22.5 22.5 0 0 1 0-50Z"
    ),
}
