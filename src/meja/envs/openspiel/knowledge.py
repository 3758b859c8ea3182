"""What a seat remembers of a deal, as text: its own cards, and everything it saw, in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from meja.cards import CARD_TEXT, cards_text
from meja.deal import Deal
from meja.view import View


def remembered(deal: Deal[Any], view: View[Any], words: Sequence[str]) -> str:
    """All that the seat of ``view`` has seen of ``deal``: two deals that it cannot tell apart give the same text.

    The hand as it was dealt, then all actions as the seat saw them (``words``: :func:`told` of the view's log), then
    what came to light beside them.
    """
    seat: Any = view.seat
    hand = cards_text(deal.layout().hands[seat])
    begun = f"deal {view.context.number + 1}, dealer {view.dealer}", f"hand {hand}"
    return "; ".join([*begun, *words, *_more(deal, view)])


def told(deal: Deal[Any], log: Iterable[tuple[int, Any]]) -> list[str]:
    """Actions with their seats: ``0 bid 2``, ``1 pass``."""
    text = deal.text
    return [f"{seat} {text(action)}" for seat, action in log]


def _more(deal: Any, view: Any) -> list[str]:
    """What no action tells."""
    if view.game == "calabresella":
        return _calabresella(view)
    return _kaluki(deal, view) if view.game == "kaluki" else []


def _calabresella(view: Any) -> list[str]:
    """The monte as far as it was seen, and who gave up the called card."""
    heaps = ("shown", view.shown), ("picked up", view.picked_up), ("monte", view.monte)
    facts = [f"{word} {cards_text(cards)}" for word, cards in heaps if cards]
    return facts if view.giver is None else [*facts, f"from {view.giver}"]


def _kaluki(deal: Any, view: Any) -> list[str]:
    """The first discard, the cards that the seat itself drew, and the hands shown at the end."""
    drew = [card for seat, card in zip(deal.drawers, deal.drawn, strict=True) if seat == view.seat]
    facts = [f"upcard {CARD_TEXT[view.upcard]}", f"drew {cards_text(drew)}"]
    return [*facts, f"left {' / '.join([cards_text(cards) for cards in view.left])}"] if view.left else facts
