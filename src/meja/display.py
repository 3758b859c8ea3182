"""How a thing shows itself in a notebook: the hook that keeps pictures out of the rules.

The classes of the core have a ``_repr_html_`` that asks :func:`drawn`. What draws is plugged in from above, by the
package ``meja`` itself, and is loaded when the first thing is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

Drawer: TypeAlias = Callable[[Any], str | None]

_drawers: list[Drawer] = []


def draw_with(drawer: Drawer) -> None:
    """Let ``drawer`` make the HTML of everything that is shown from now on."""
    _drawers[:] = [drawer]


def drawn(thing: Any) -> str | None:
    """The HTML of ``thing``, or ``None`` where nothing can draw it: a notebook then prints its ``repr``."""
    return _drawers[0](thing) if _drawers else None
