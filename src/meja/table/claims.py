"""Claiming the rest: the remaining tricks are played out where nothing can keep them from a seat.

The proof uses only what the seat may know: it must be on lead, and each of its cards must be
stronger than every card of its suit that somebody else may still hold; with a trump suit nobody
else may hold a trump beside a hand that has other cards. Nobody holds a suit who has shown to be
without it. This is sound in every variant, also where suit need not be followed; it does not
find every certain case.
"""

from __future__ import annotations

from typing import Any

from meja.games.tricks import TrickDeal, TrickView


def certain(view: Any, strengths: tuple[int, ...], pack: tuple[int, ...]) -> bool:
    """Whether the seat of ``view`` takes all the remaining tricks, whatever the others hold and do."""
    if not isinstance(view, TrickView) or view.phase != "play" or view.to_act != view.seat or view.trick:
        return False
    hand = set(view.hand)
    if len(hand) < 2:
        return False
    played = {card for cards, _ in view.tricks for _, card in cards}
    held = [any(not view.voids[seat] >> suit & 1 for seat in view.players if seat != view.seat) for suit in range(4)]
    unseen = [card for card in pack if card not in hand and card not in played and held[card // 13]]
    if view.game == "smear":
        if view.trump < 0:
            return False
        others = [card for card in hand if card // 13 != view.trump]
        if others and any(card // 13 == view.trump for card in unseen):
            return False
    return all(strengths[card] > strengths[other] for card in hand for other in unseen if other // 13 == card // 13)


def claimable(deal: Any, seat: int, view: Any = None) -> bool:
    """Whether ``seat`` may claim in the deal in progress; ``view`` is the seat's, where it is at hand."""
    if not isinstance(deal, TrickDeal) or deal.to_act != seat:
        return False
    rules = deal.rules
    return certain(view or deal.view(seat), deal.strengths(rules), deal.pack(rules))


def all_tricks(deal: Any, seat: int) -> list[tuple[int, str]] | None:
    """The actions to the end of the deal, (seat, text), where ``seat`` may claim; else ``None``.

    What the others throw makes no difference to any score: all of it goes to the claimer.
    """
    if not claimable(deal, seat):
        return None
    end = deal.clone()
    actions = []
    while end.to_act is not None:
        who, action = end.to_act, end.legal_actions()[0]
        actions.append((who, end.text(action)))
        end.advance(action)
    return actions
