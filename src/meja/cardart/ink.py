"""The few ways a figure is drawn: a group in which every shape has an ink outline."""

from __future__ import annotations

from meja.cardart.palette import INK
from meja.cardart.svg import Point, disc, group, num, path, use


def figure(*parts: str) -> str:
    """A group in which every shape is outlined unless it says otherwise."""
    return group(*parts, stroke=INK, stroke_width=1.6, stroke_linejoin="round", stroke_linecap="round")


def shape(d: str, fill: str) -> str:
    """A large shape with a strong outline."""
    return path(d, fill, width=2)


def fine(d: str, fill: str) -> str:
    """A small shape with a thinner outline."""
    return path(d, fill)


def flat(d: str, fill: str) -> str:
    """A shape without an outline: shade and ornament."""
    return path(d, fill, "none")


def line(d: str, width: float | None = None, colour: str | None = None) -> str:
    """A line inside a shape; without a colour it is ink."""
    return path(d, "none", colour, width)


def dotted(d: str, width: float, gap: float, colour: str | None = None) -> str:
    """A row of dots along a line."""
    return path(d, "none", colour, width, stroke_dasharray=f"0 {num(gap)}")


def balls(fill: str, *places: tuple[float, float, float]) -> str:
    """Small balls (x, y, radius): pearls, bells, points of a crown."""
    return fine("".join(disc(*place) for place in places), fill)


def specks(fill: str, *places: tuple[float, float, float]) -> str:
    """Small dots without an outline."""
    return flat("".join(disc(*place) for place in places), fill)


def sown(name: str, fill: str, *places: Point) -> str:
    """An ornament at several places."""
    return group(*(use(name, x, y) for x, y in places), fill=fill, stroke="none")
