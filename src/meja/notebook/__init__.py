"""Deals, views, matches, records and rules as notebooks show them, drawn with the project's own cards.

Nothing has to be called for that: in a notebook the last value of a cell is drawn. :class:`Cards` does the same for a
list of cards, which is otherwise a list of numbers; :func:`html` gives the HTML itself. See ``docs/notebooks.md``.
"""

from __future__ import annotations

from typing import Any

from meja.deal import Deal
from meja.language import Language, detect
from meja.match import Match
from meja.narration.screens import SCREENS
from meja.notebook.cards import Cards
from meja.notebook.sheets import match_html, record_html, rules_html
from meja.notebook.table import deal_html, view_html
from meja.record import DealRecord, Record
from meja.rules import Rules
from meja.view import View

__all__ = ["Cards", "html"]


def html(thing: Any) -> str | None:
    """The HTML of a deal, view, match, record, rules or cards, in the language of ``MEJA_LANG`` or the system.

    It holds its pictures and its style, no script and no ids, and asks for nothing from outside. ``None`` for
    anything else, and for a game that is not one of Meja's own. A view shows what its seat may see; a deal and a
    match are whole, and show every hand.
    """
    language = Language(detect())
    if isinstance(thing, Cards):
        return thing._repr_html_()
    if isinstance(thing, Rules):
        return rules_html(thing, language)
    rules = None if isinstance(thing, DealRecord) else getattr(thing, "rules", None)
    if not isinstance(rules, Rules) or rules.game not in SCREENS:
        return None
    if isinstance(thing, View):
        return view_html(thing, language)
    if isinstance(thing, Deal):
        return deal_html(thing, language)
    if isinstance(thing, Match):
        return match_html(thing, language)
    return record_html(thing, language) if isinstance(thing, Record) else None
