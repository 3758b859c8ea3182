"""Heads of the courts: faces, hair and beards, round the middle of the face."""

from __future__ import annotations

from typing import Final

from meja.cardart.ink import fine, flat, line, shape, specks
from meja.cardart.palette import INK, PAPER, RED, SKIN, TAN, WINE
from meja.cardart.svg import group, path, use

_OVAL: Final = "M-17.5-24C-19.5 2-15 19 0 28C15 19 19.5 2 17.5-24Z"
_SHADE: Final = {
    "r": "M3-23H16.6C18.4 2 14 18 0 27C6 13 6 6 3-5Z",
    "l": "M-1-23H16.6C18.4 2 14 18 0 27C6 13 2 6-1-5Z",
}
_STERN: Final = "M-13.5-14C-10-16-6-15-3-12M13.5-14C10-16 6-15 3-12"
_MILD: Final = "M-13-12C-11-16-6-16-3-13.5M13-12C11-16 6-16 3-13.5"
_EYES_AND_NOSE: Final = "M-12-5.5C-10-9-5-9-3-5.5M3-5.5C5-9 10-9 12-5.5M-1.5-9L-3 6C-2 8 0 8 2 7"

#: Mouths: a woman's, a young man's, a fool's.
_FULL_LIPS: Final = "M-6 14.5C-3 11.6-1 12 0 13C1 12 3 11.6 6 14.5C3 19.5-3 19.5-6 14.5Z"
_PARTED: Final = "M-6 14.5C-2 15.6 2 15.6 6 14.5"
_THIN_LIPS: Final = "M-5.5 14C-2 15.5 2 15.5 5.5 14M-2.5 18.5H2.5"
_GRIN: Final = "M-11 10C-5 13 5 13 11 10C11 18 6 23 0 23C-6 23-11 18-11 10Z"
_TEETH: Final = "M-9.6 11.6C-4 13.8 4 13.8 9.6 11.6C9 15.6 4 17 0 17C-4 17-9 15.6-9.6 11.6Z"

#: Hair behind the face: its outline and the lines in it.
HAIR: Final[dict[str, tuple[str, str]]] = {
    "locks": (
        "M-16-22C-31-20-31 8-29 20C-28 28-18 29-15 22H15C18 29 28 28 29 20C31 8 31-20 16-22Z",
        "M-22-12C-24 0-23 12-22 20M22-12C24 0 23 12 22 20",
    ),
    "curls": (
        "M-16-24C-27-24-30-14-26-9C-33-6-34 4-28 8C-34 13-32 25-22 25C-18 25-16 22-15 18H15C16 22 18 25 22 25"
        "C32 25 34 13 28 8C34 4 33-6 26-9C30-14 27-24 16-24Z",
        "M-26-9C-23-8-21-5-21-2M-28 8C-25 8-22 10-21 14M26-9C23-8 21-5 21-2M28 8C25 8 22 10 21 14",
    ),
    "bob": (
        "M-17-22C-30-22-30 4-26 13C-37 13-37 29-25 29C-18 29-15 22-15 16H15C15 22 18 29 25 29C37 29 37 13 26 13"
        "C30 4 30-22 17-22Z",
        "M-26 13C-22 14-20 19-24 22M26 13C22 14 20 19 24 22M-21-10C-23-2-23 4-21 9M21-10C23-2 23 4 21 9",
    ),
    "page": (
        "M-17-22C-31-22-31 8-29 24H-15V16H15V24H29C31 8 31-22 17-22Z",
        "M-24-8C-25 4-25 14-24.5 23M-20-4C-20 8-20 14-19.5 23M24-8C25 4 25 14 24.5 23M20-4C20 8 20 14 19.5 23",
    ),
    "long": (
        "M-17-34C-36-26-33 6-34 24C-35 38-42 42-36 52C-30 58-20 54-16 44H16C20 54 30 58 36 52C42 42 35 38 34 24"
        "C33 6 36-26 17-34C9-40-9-40-17-34Z",
        "M-25-12C-28 6-25 26-28 46M-21 2C-22 18-19 30-22 42M25-12C28 6 25 26 28 46M21 2C22 18 19 30 22 42",
    ),
    "waves": (
        "M-17-34C-32-27-34-10-29-2C-36 6-35 18-31 24C-38 32-36 46-28 50C-22 50-17 46-16 40H16C17 46 22 50 28 50"
        "C36 46 38 32 31 24C35 18 36 6 29-2C34-10 32-27 17-34C9-40-9-40-17-34Z",
        "M-29-2C-25 2-22 6-22 12M-31 24C-27 27-24 31-24 38M29-2C25 2 22 6 22 12M31 24C27 27 24 31 24 38",
    ),
    "braids": (
        "M-17-34C-30-26-31-8-29 6C-35 10-35 16-31 19C-35 23-35 29-31 32C-35 36-34 42-29 44L-25 54L-21 44"
        "C-17 41-17 36-20 32C-16 29-16 23-19 19L-16 6H16L19 19C16 23 16 29 20 32C17 36 17 41 21 44L25 54L29 44"
        "C34 42 35 36 31 32C35 29 35 23 31 19C35 16 35 10 29 6C31-8 30-26 17-34C9-40-9-40-17-34Z",
        "M-31 19L-22 11M-31 32L-19 19M-29 44L-20 32M31 19L22 11M31 32L19 19M29 44L20 32M-29 6L-20-2M29 6L20-2",
    ),
    "bun": (
        "M-16-22C-28-22-27 2-22 12L-15 16H15L22 12C27 2 28-22 16-22Z",
        "M-21-12C-22-4-21 2-19 8M21-12C22-4 21 2 19 8",
    ),
}

#: A woman's parted hair over the face.
_PARTING: Final = "M-17-33C-23-20-21-4-19.5 2C-18.5-9-12-17 0-20C12-17 18.5-9 19.5 2C21-4 23-20 17-33C9-39-9-39-17-33Z"

_FROM_EAR_TO_EAR: Final = "C16 6 13 10 9 11C4 9-4 9-9 11C-13 10-16 6-18-6Z"

#: Beards, with an open place for the mouth: the outline and the lines in them.
BEARD: Final[dict[str, tuple[str, str]]] = {
    "pointed": (
        "M-18-6C-20 18-16 42 0 50C16 42 20 18 18-6",
        "M-8 24C-7 32-5 38-2 43M8 24C7 32 5 38 2 43M0 24V36",
    ),
    "forked": (
        "M-18-6C-21 12-21 30-16 48C-8 46-2 40 0 30C2 40 8 46 16 48C21 30 21 12 18-6",
        "M-12 21C-12 30-13 36-14 41M-6 23C-7 30-8 35-10 39M12 21C12 30 13 36 14 41M6 23C7 30 8 35 10 39",
    ),
    "square": (
        "M-18-6C-20 14-20 32-18 43C-12 49-7 42-6 46C-3 50 3 50 6 46C7 42 12 49 18 43C20 32 20 14 18-6",
        "M-6 24V42M6 24V42M-13 22C-13 30-13 36-13 42M13 22C13 30 13 36 13 42",
    ),
    "round": (
        "M-18-6C-24 2-22 12-24 18C-25 26-19 29-16 30C-15 38-6 41 0 39C6 41 15 38 16 30C19 29 25 26 24 18"
        "C22 12 24 2 18-6",
        "M-15 29C-12 28-10 26-9 23M15 29C12 28 10 26 9 23M0 38C-2 34-2 30 0 26M-23 17C-20 17-18 16-17 13"
        "M23 17C20 17 18 16 17 13",
    ),
}
_MOUTH_IN_BEARD: Final = "M-5 14C-2 12.6 2 12.6 5 14C3 18-3 18-5 14Z"
_MOUSTACHE: Final = "M0 8.5C-5 5.5-12 7-16 14C-11 15.5-4 15 0 11.5C4 15 11 15.5 16 14C12 7 5 5.5 0 8.5Z"
_TWIRLED: Final = (
    "M0 8.5C-4 6-9 7-13 10C-15 11-17 10-17 7.5C-21 13-14 17-8 14C-4 13-1 12.5 0 11.5C1 12.5 4 13 8 14"
    "C14 17 21 13 17 7.5C17 10 15 11 13 10C9 7 4 6 0 8.5Z"
)


def head_parts() -> str:
    """What several heads use: the face looking right and left, its features, hair."""
    parts = [
        group(
            flat("M-9 14H9V36L0 40L-9 36Z", TAN),
            line("M-9 18V36M9 18V36", 2),
            shape(_OVAL, SKIN),
            flat(shade, TAN),
            id=f"_face-{side}",
        )
        for side, shade in _SHADE.items()
    ]
    parts += [
        group(line(_EYES_AND_NOSE), specks(INK, (-7.3, -5, 2.2), (7.3, -5, 2.2)), id="_eyes"),
        path(_STERN, "none", width=2.1, id="_stern"),
        path(_MILD, "none", width=2.1, id="_mild"),
        group(flat(_FULL_LIPS, RED), line(_PARTED, 1.1), id="_full"),
        path(_THIN_LIPS, "none", id="_thin"),
        group(shape(_GRIN, WINE), flat(_TEETH, PAPER), id="_grin"),
    ]
    parts += [
        group(path(outline, width=2), line(strands, 1.3), id=f"_{name}") for name, (outline, strands) in HAIR.items()
    ]
    return "".join(parts)


def face(side: str, brows: str, mouth: str = "") -> str:
    """A face that looks a little to the right (``r``) or left (``l``).

    ``brows`` are ``stern`` or ``mild``; ``mouth`` is ``full``, ``thin``, ``grin`` or hidden in a beard.
    """
    features = use("_eyes") + use(f"_{brows}") + (use(f"_{mouth}") if mouth else "")
    return use(f"_face-{side}") + group(features, transform=f"translate({2 if side == 'r' else -2})")


def hair(name: str, colour: str) -> str:
    """Hair, behind the face."""
    return use(f"_{name}", fill=colour)


def parting(colour: str) -> str:
    """A woman's hair over the face, down to the temples."""
    return shape(_PARTING, colour)


def beard(name: str, colour: str) -> str:
    """A beard with a moustache; the mouth shows between them."""
    outline, strands = BEARD[name]
    return (
        shape(outline + _FROM_EAR_TO_EAR, colour)
        + line(strands, 1.3)
        + flat(_MOUTH_IN_BEARD, RED)
        + fine(_MOUSTACHE, colour)
    )


def moustache(colour: str) -> str:
    """A young man's twirled moustache."""
    return fine(_TWIRLED, colour)
