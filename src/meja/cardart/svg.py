"""Text of SVG elements: deterministic, short, at most two decimals.

Only presentation attributes are written: no style, no script, no font, and no reference
to paint or clip, so that a symbol looks the same when another document uses it.
"""

from __future__ import annotations

import re
from math import cos, radians, sin
from typing import Final, TypeAlias

#: The box of every card: five to seven.
WIDTH: Final = 200
HEIGHT: Final = 280

Point: TypeAlias = tuple[float, float]

_NEEDLESS: Final = re.compile(r" (?=[-A-Za-z])|(?<=[A-Za-z]) ")


def num(value: float) -> str:
    """A number with at most two decimals and no zeros that say nothing.

    >>> num(0.5), num(-0.001), num(12.3456)
    ('.5', '0', '12.35')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    if text in {"-0", ""}:
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def tag(name: str, *children: str, **attributes: str | float | None) -> str:
    """An element; ``stroke_width=2`` becomes ``stroke-width="2"``, and what is ``None`` is left out."""
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            shown = value if isinstance(value, str) else num(value)
            parts.append(f'{key.replace("_", "-")}="{shown}"')
    head = " ".join(parts)
    return f"<{head}>{''.join(children)}</{name}>" if children else f"<{head}/>"


def path(
    d: str,
    fill: str | None = None,
    stroke: str | None = None,
    width: float | None = None,
    **more: str | float | None,
) -> str:
    """A path; what is not given comes from the group it stands in."""
    return tag("path", d=_NEEDLESS.sub("", d), fill=fill, stroke=stroke, stroke_width=width, **more)


def circle(x: float, y: float, r: float, fill: str | None = None, **more: str | float | None) -> str:
    """A disc or ring."""
    return tag("circle", cx=x or None, cy=y or None, r=r, fill=fill, **more)


def group(*children: str, **attributes: str | float | None) -> str:
    """Elements that share attributes."""
    return tag("g", *children, **attributes)


def use(name: str, x: float = 0, y: float = 0, **more: str | float | None) -> str:
    """Another element of the same file, once more."""
    return tag("use", href=f"#{name}", x=x or None, y=y or None, **more)


def symbol(name: str, *children: str) -> str:
    """One card of the file."""
    return tag("symbol", *children, id=name, viewBox=f"0 0 {WIDTH} {HEIGHT}")


def at(x: float, y: float, scale: float = 1, turn: float = 0) -> str:
    """A ``transform``: move, then turn (degrees), then scale."""
    parts = [f"translate({num(x)} {num(y)})"]
    if turn:
        parts.append(f"rotate({num(turn)})")
    if scale != 1:
        parts.append(f"scale({num(scale)})")
    return "".join(parts)


#: The ``transform`` that turns a card upside down, and the one that mirrors left and right.
TURNED: Final = f"rotate(180 {WIDTH // 2} {HEIGHT // 2})"
MIRRORED: Final = "scale(-1 1)"


def both_ways(name: str, half: str) -> str:
    """One half of a two-headed card, and the same half turned."""
    return group(half, id=name) + use(name, transform=TURNED)


def polygon(*points: Point) -> str:
    """Path data of a closed polygon."""
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points) + "Z"


def disc(x: float, y: float, r: float) -> str:
    """Path data of a disc, so that many can be one path."""
    return f"M{num(x - r)} {num(y)}a{num(r)} {num(r)} 0 1 0 {num(2 * r)} 0a{num(r)} {num(r)} 0 1 0 {num(-2 * r)} 0Z"


def around(radius: float, degrees: float) -> Point:
    """The point at ``degrees`` clockwise from the top of a circle round the origin."""
    angle = radians(degrees)
    return radius * sin(angle), -radius * cos(angle)


def star(points: int, outer: float, inner: float) -> str:
    """Path data of a star round the origin, a point up."""
    step = 180 / points
    return polygon(*(around(inner if i % 2 else outer, i * step) for i in range(2 * points)))


def petal(length: float, width: float, start: float = 0) -> str:
    """Path data of a leaf from ``start`` to ``length`` above the origin (below it, if negative)."""
    belly = (length - start) * 0.3
    low, high = num(-start - belly), num(-length + belly)
    return (
        f"M0 {num(-start)}C{num(width)} {low} {num(width)} {high} 0 {num(-length)}"
        f"C{num(-width)} {high} {num(-width)} {low} 0 {num(-start)}Z"
    )
