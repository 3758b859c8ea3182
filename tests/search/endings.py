"""Deals with a few cards left, for the solvers, and the plain way to solve them: try everything by the rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import meja
from meja import Rng
from meja.search import tricks
from meja.testing.mixes import random_rules

COMPILED = not str(tricks.__file__).endswith(".py")
Value = TypeVar("Value")

#: How the cards before an ending are played: at random; or one side takes what it can and the other gives way, so that
#: sweeps, hundreds, cappotto and stramazzo are in reach.
RANDOM, ONE_SIDED = 0, 1


def ending(game: str, rng: Rng, left: int, rules: Any = None) -> Any:
    """A deal of random options in which everybody has ``left`` cards, some of the trick perhaps played."""
    while True:
        made = random_rules(game, rng) if rules is None else rules
        deal: Any = meja.new_match(made, dealer=rng.below(made.seats)).next_deal(rng)
        while deal.to_act is not None and deal.phase != "play":
            legal = deal.legal_actions()
            deal.advance(legal[rng.below(len(legal))])
        if deal.to_act is None:
            continue
        players = len(deal.players)
        stop = players * (deal.hand_size(made) - left) + rng.below(players)
        way = rng.below(2)
        strong = strong_side(deal, rng)
        while len(list(deal.plays())) < stop:
            deal.advance(choose(deal, rng, way, strong))
        if deal.to_act is not None:
            return deal


def strong_side(deal: Any, rng: Rng) -> set[int]:
    """The seats that take what they can in a one-sided deal."""
    bidder = getattr(deal, "bidder", deal.players[rng.below(len(deal.players))])
    alone = {bidder}
    return alone if deal.game == "bassadewitz" or rng.below(2) else set(deal.players) - alone


def choose(deal: Any, rng: Rng, way: int, strong: set[int]) -> int:
    """A card by the way of playing."""
    legal = deal.legal_actions()
    if way == RANDOM:
        card: int = legal[rng.below(len(legal))]
        return card
    ordered = sorted(legal, key=lambda card: (deal.power[card], card))
    if deal.to_act in strong:
        return int(ordered[-1])
    # Giving way: the highest card that does not win, else the lowest.
    below = [card for card in ordered if deal.trick and not wins(deal, card)]
    return int(below[-1] if below and rng.below(2) else ordered[0])


def wins(deal: Any, card: int) -> bool:
    """Whether a card would be the best of the trick so far."""
    return bool(deal.led >> card & 1) and deal.power[card] > deal.power[deal.best]


def solve(deal: Any, end: Callable[[Any], Value], pick: Callable[[int, list[Value]], Value]) -> Value:
    """The value of a deal: at its end by ``end``, before by ``pick`` (seat, values of its cards)."""
    known: dict[Any, Value] = {}

    def value(state: Any) -> Value:
        if state.to_act is None:
            return end(state)
        key = (
            tuple(state.hands),
            state.to_act,
            tuple(state.trick),
            tuple(state.taken),
            tuple(state.tricks),
            tuple(sorted((winner, *sorted(card for _, card in cards)) for cards, winner in finished(state))),
        )
        if key not in known:
            known[key] = pick(state.to_act, [value(after(state, card)) for card in state.legal_actions()])
        return known[key]

    return value(deal)


def finished(state: Any) -> list[Any]:
    """The finished tricks where their cards matter after they are played."""
    return list(state.finished_tricks()) if state.game == "smear" else []


def after(deal: Any, card: int) -> Any:
    """The deal when a card has been played."""
    twin = deal.clone()
    twin.advance(card)
    return twin


def by_card(deal: Any, end: Callable[[Any], Value], pick: Callable[[int, list[Value]], Value]) -> dict[int, Value]:
    """The value of every legal card."""
    return {card: solve(after(deal, card), end, pick) for card in deal.legal_actions()}
