"""Rules of thumb for Bassadewitz."""

from __future__ import annotations

from typing import Any, ClassVar

from meja.bots.bot import Bot, Budget
from meja.view import View


class BassadewitzThumb(Bot):
    """Plays by rules of thumb."""

    name: ClassVar[str] = "rules-of-thumb"

    def act(self, view: View[Any], budget: Budget) -> Any:
        """Choose a card."""
        return view.legal[0]
