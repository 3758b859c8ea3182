"""Crowns, tiaras and caps, round the middle of the face; the brow is at 24 above it."""

from __future__ import annotations

from typing import Final

from meja.cardart.ink import balls, dotted, fine, flat, line, shape, specks
from meja.cardart.palette import BRONZE, CREAM, GOLD, Cloth


def _band(fill: str, gems: str) -> str:
    """The ring of a crown with its stones."""
    return fine("M-23-24C-12-18.5 12-18.5 23-24L24-32C12-26.5-12-26.5-24-32Z", fill) + specks(
        gems, (0, -23.8, 2.2), (-11, -24.8, 1.9), (11, -24.8, 1.9), (-19, -26.6, 1.5), (19, -26.6, 1.5)
    )


def spikes(c: Cloth) -> str:
    """Five plain points with balls."""
    return (
        shape("M-23-28L-28-48L-14-39L0-54L14-39L28-48L23-28C12-23-12-23-23-28Z", GOLD)
        + flat("M1-24V-52L14-37.5L26.5-46L22-28.5C16-26 8-24.5 1-24Z", BRONZE)
        + balls(CREAM, (-28, -49, 3), (-14, -39, 2.4), (0, -54, 3.4), (14, -39, 2.4), (28, -49, 3))
        + _band(c.second, c.mark if c.mark != c.trim else CREAM)
    )


def lilies(c: Cloth) -> str:
    """Three leaves like lilies."""
    return (
        shape(
            "M-23-28L-30-45C-24-45-19-43-16-37C-14-41-14-45-10-45C-8-45-6-43-6-41C-8-48-4-53 0-57C4-53 8-48 6-41"
            "C6-43 8-45 10-45C14-45 14-41 16-37C19-43 24-45 30-45L23-28C12-23-12-23-23-28Z",
            GOLD,
        )
        + flat("M1-25V-54C4-51 6-47 5-41L9-43C13-43 13-39 16-35C19-41 23-43 28-43L22-28.5C16-26 8-24.5 1-25Z", BRONZE)
        + flat("M0-48L3.4-41L0-33L-3.4-41Z", c.second)
        + balls(CREAM, (-30, -46, 2.8), (30, -46, 2.8))
        + _band(c.second, c.mark)
    )


def arches(c: Cloth) -> str:
    """An emperor's crown: velvet under arches, with a cross."""
    arch, ridge = "M-22-29C-36-52-10-58 0-49C10-58 36-52 22-29", "M0-48V-26"
    velvet, shade = (c.second, c.second_shade) if c.second != GOLD else (c.robe, c.robe_shade)
    return (
        shape(f"{arch}C10-24-10-24-22-29Z", velvet)
        + flat("M3-49C12-54 30-50 21-30C15-27.5 9-26 3-25.5Z", shade)
        + line(arch + ridge, 7)
        + line(arch + ridge, 3.6, GOLD)
        + fine("M-2-50V-53H-5.5V-57H-2V-60H2V-57H5.5V-53H2V-50Z", GOLD)
        + balls(CREAM, (-24, -43, 2.6), (24, -43, 2.6), (-13, -51, 2.6), (13, -51, 2.6))
        + _band(GOLD, velvet)
    )


def trefoils(c: Cloth) -> str:
    """Three clovers on stems."""
    stems = ((-22, -41), (0, -46), (22, -41))
    clovers = [place for x, y in stems for place in ((x, y - 6, 4.2), (x - 4.6, y, 4.2), (x + 4.6, y, 4.2))]
    return (
        shape("M-23-28L-25-42H-19L-15-34L-3-46H3L15-34L19-42H25L23-28C12-23-12-23-23-28Z", GOLD)
        + flat("M1-25V-44L15-32L20-40H24L22-28.5C16-26 8-24.5 1-25Z", BRONZE)
        + balls(GOLD, *clovers)
        + specks(GOLD, *((x, y - 0.5, 3) for x, y in stems))
        + _band(c.robe, c.trim)
    )


def tiara(c: Cloth) -> str:
    """A low tiara with one high stone."""
    stone = c.second if c.second != GOLD else c.robe
    return (
        shape("M-24-26C-18-34-10-36-6-40C-4-46-2-50 0-54C2-50 4-46 6-40C10-36 18-34 24-26C12-33-12-33-24-26Z", GOLD)
        + flat("M1-31V-50C3-46 4-42 5-39C9-35 16-33 20-29C14-31 8-31.5 1-31Z", BRONZE)
        + fine("M0-47L3.6-40L0-34L-3.6-40Z", stone)
        + balls(CREAM, (0, -55, 2.8), (-13, -36.5, 2.2), (13, -36.5, 2.2))
    )


def coronet(c: Cloth) -> str:
    """A small open crown of pearls."""
    return (
        shape("M-20-28L-24-43L-13-36L-8-47L0-38L8-47L13-36L24-43L20-28C10-24-10-24-20-28Z", GOLD)
        + flat("M1-25.5V-37L8-45L13-34L22-40L19-28.6C13-26.5 7-25.6 1-25.5Z", BRONZE)
        + balls(CREAM, (-24, -44, 2.8), (-8, -48, 2.8), (8, -48, 2.8), (24, -44, 2.8))
        + fine("M-21-26C-11-21 11-21 21-26L21.5-31C11-26-11-26-21.5-31Z", c.second)
    )


def rays(c: Cloth) -> str:
    """A tiara like a fan of leaves."""
    return (
        shape(
            "M-22-25C-34-34-34-42-30-47C-26-46-24-44-22-42C-21-48-18-52-14-54C-11-51-9-48-8-46C-6-52-3-56 0-58"
            "C3-56 6-52 8-46C9-48 11-51 14-54C18-52 21-48 22-42C24-44 26-46 30-47C34-42 34-34 22-25C10-31-10-31-22-25Z",
            GOLD,
        )
        + flat(
            "M2-29V-55C4-52 6-48 8-43L14-51C17-49 20-45 21-39C24-42 26-43 29-44C31-40 30-34 21-26C15-28.5 9-29 2-29Z",
            BRONZE,
        )
        + line("M-8-45L-5-31M8-45L5-31M-22-41L-15-29M22-41L15-29", 1.4)
        + balls(c.second, (0, -40, 3.4), (-14.5, -41, 2.6), (14.5, -41, 2.6), (-26, -36, 2.2), (26, -36, 2.2))
    )


def blossoms(c: Cloth) -> str:
    """A high knot of hair with flowers and pearls."""
    flowers = ((-21, -33), (-27, -27), (21, -33), (27, -27))
    return (
        shape("M-16-26C-24-52 24-52 16-26Z", c.hair)
        + line("M-8-30C-9-38-4-43 0-44M8-30C9-38 4-43 0-44", 1.3)
        + shape("M-21-24C-15-32-8-34 0-34C8-34 15-32 21-24L22-30C16-40 8-42 0-42C-8-42-16-40-22-30Z", GOLD)
        + flat("M2-35C9-35 15-33 21-26L21.5-30C16-39 9-41 2-41Z", BRONZE)
        + dotted("M-17-32.5C-11-37.5-6-38 0-38C6-38 11-37.5 17-32.5", 3.4, 6.1, CREAM)
        + balls(CREAM, *((x, y, 4) for x, y in flowers), (-19, -26, 3.4), (19, -26, 3.4))
        + specks(GOLD, *((x, y, 1.5) for x, y in flowers))
    )


#: A plume that sweeps to the left from the badge of a cap, and its quill.
_PLUME: Final = (
    "M-8-36C-16-56-42-62-53-44C-57-37-56-28-51-23C-51-29-48-31-44-29C-44-34-40-36-36-33C-35-38-30-39-26-35"
    "C-24-40-17-40-14-35C-12-33-9-34-8-36Z"
)
_QUILL: Final = "M-10-37C-20-51-39-53-49-37"


def beret(c: Cloth) -> str:
    """A flat cap worn to one side, with a long plume."""
    return (
        shape("M-22-22C-27-30-26-38-20-42C-6-50 24-54 33-40C37-31 30-24 21-21C10-26-10-27-22-22Z", c.robe)
        + flat("M4-48C18-50 29-46 32-39C35-31 29-25 20-23C14-25 9-25.5 4-25.5Z", c.robe_shade)
        + line("M8-48C13-42 15-34 14-27M24-46C27-40 26-32 22-25", 1.3)
        + shape(_PLUME, CREAM)
        + line(_QUILL, 1.3)
        + fine("M-22-20C-10-26 10-25 21.5-19.5L22.5-26C10-31-10-32-23-26Z", c.second)
        + balls(GOLD, (-10, -34, 5))
    )


def brim(c: Cloth) -> str:
    """A soft high cap with the brim turned up and a feather."""
    return (
        shape("M-14-34C-28-40-46-42-53-57C-44-56-30-56-20-48C-15-44-13-39-12-35Z", CREAM)
        + line("M-14-36C-24-44-36-48-47-54M-27-43L-25-50M-37-47L-36-53", 1.2)
        + shape("M-21-26C-24-44-14-52 0-52C14-52 24-44 21-26Z", c.second)
        + flat("M3-51C15-51 22-42 20-27H3Z", c.second_shade)
        + line("M-9-29C-11-40-6-48 0-51M10-29C12-38 9-46 2-51", 1.3)
        + shape("M-27-20C-23-34-10-35 0-30C10-35 23-34 27-20C16-26-16-26-27-20Z", c.robe)
        + line("M-22-24C-15-29-8-29 0-27C8-29 15-29 22-24", 1.6, c.trim)
        + balls(GOLD, (-14, -33, 4.4))
    )


def hunter(c: Cloth) -> str:
    """A hunter's hat, long in front, with a straight feather."""
    return (
        shape("M-22-27C-20-46-6-54 8-52C18-50 24-42 24-27Z", c.robe)
        + flat("M6-51C18-49 23-41 23-27H6Z", c.robe_shade)
        + line("M-10-48C0-44 10-44 20-46", 1.3)
        + shape("M-8-34C-22-38-40-46-56-60C-54-44-40-32-22-28Z", CREAM)
        + line("M-10-33C-26-38-42-46-52-56M-30-41L-26-34M-38-45L-34-37", 1.2)
        + shape("M-31-22C-18-35 10-35 36-17C20-21-10-21-24-16C-28-16-31-19-31-22Z", c.second)
        + line("M-27-22C-16-29.5 8-29 28-20", 1.6, c.mark)
        + balls(GOLD, (-11, -33, 4.4))
    )


def turban(c: Cloth) -> str:
    """A wound cloth with a jewel and a tuft."""
    return (
        shape("M0-40C-6-50-4-55 0-59C4-55 6-50 0-40Z", CREAM)
        + shape("M-24-22C-36-40-18-52 0-48C18-52 36-40 24-22C12-28-12-28-24-22Z", c.second)
        + flat("M4-48C20-50 32-40 23-24C17-26 11-27 4-27Z", c.second_shade)
        + line("M-28-32C-18-44-8-40 6-26M-22-43C-8-46 8-38 22-24M28-32C24-40 16-44 8-46", 1.5)
        + fine("M0-50L6-41L0-32L-6-41Z", c.robe)
        + flat("M0-45L3-41L0-37L-3-41Z", GOLD)
        + dotted("M-21-23C-12-28 12-28 21-23", 3.4, 6.2, CREAM)
    )


def fools_cap(c: Cloth) -> str:
    """A cap with three horns and bells, open round the face."""
    return (
        shape("M-12-34C-16-46-8-53 2-56C2-48 10-44 12-34Z", c.robe_shade)
        + shape(
            "M0-42C-20-60-46-54-51-28C-42-38-34-36-27-24C-28-6-26 20-17 36L0 26C-14 18-19-6-17-22C-12-25-6-26 0-26Z",
            c.robe,
        )
        + shape(
            "M0-42C20-60 44-54 49-28C40-38 33-36 27-24C28-6 26 20 17 36L0 26C14 18 19-6 17-22C12-25 6-26 0-26Z",
            c.second,
        )
        + flat("M48-31C43-50 24-57 8-47C24-50 40-46 48-31Z", c.second_shade)
        + line("M-51-28C-42-38-34-36-27-24M-20-48C-27-42-27-32-25-26M20-48C27-42 27-32 25-26", 1.4)
        + balls(CREAM, (2, -57, 4.2), (-52, -24, 5.2), (50, -24, 5.2))
        + line("M-55-22H-49M47-22H53", 1.4)
    )
