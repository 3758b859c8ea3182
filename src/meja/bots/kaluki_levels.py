"""The four levels of Kaluki."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from meja.bots.bot import Bot, Budget, check_turn
from meja.bots.kaluki import (
    KalukiThumb,
    Sight,
    best_meld,
    card_to_discard_before_single,
    card_to_discard_loose,
    natural_to_add,
    way_out,
)
from meja.bots.kaluki_master import KalukiSearcher
from meja.bots.kaluki_plan import best_plan
from meja.cards import JOKER, Card, Rng
from meja.games.kaluki import KalukiView
from meja.games.kaluki_turn import DISCARD, DISCARDS, DRAW_MOVE, MELD, SWAP, TAKE, Move
from meja.view import View

#: With so few cards even a beginner sees which swap brings him out.
_NEARLY_OUT: Final = 6
_UNIT: Final = 1.0 / (1 << 32)


class Forgetful(Sight):
    """What a player looks at who remembers the last discards only."""

    __slots__ = ("_remembered",)

    def __init__(self, view: KalukiView, remembered: int) -> None:
        super().__init__(view)
        self._remembered = remembered

    @property
    def left(self) -> list[int]:
        """As far as the player remembers."""
        if self._left is None:
            left = [2] * JOKER + [4]
            pile = self.view.pile[-self._remembered :]
            for card in (*self.view.hand, *pile, *[card for meld in self.melds for card in meld.cards]):
                left[card] = max(0, left[card] - 1)
            self._left = left
        return self._left


class Human(Bot):
    """Lays and opens by rules of thumb; what it throws, it chooses by feeling.

    It throws no card that the rules of thumb want to keep by more than ``cap`` over what they would throw; so never a
    joker, and no card of a meld that lies ready, while it has another one.
    """

    #: How evenly it chooses among the cards it likes to throw.
    temperature: ClassVar[float]
    cap: ClassVar[float]
    #: How many discards it remembers.
    remembered: ClassVar[int]
    #: How often in a hundred its attention lapses.
    lapses: ClassVar[int]

    def __init__(self) -> None:
        self.thumb = KalukiThumb()

    def act(self, view: View[Any], budget: Budget) -> Any:
        """Choose one of ``view.legal``."""
        assert isinstance(view, KalukiView)
        check_turn(view)
        rng = budget.rng(view)
        sight = Forgetful(view, self.remembered)
        move: Move = self.thumb.act(view, budget)
        if view.phase == "draw":
            # Nobody overlooks that he can open.
            return DRAW_MOVE if move.verb == TAKE and sight.opened and rng.below(100) < self.lapses else move
        if sight.opened and not view.owed and sight.unpaid() is None and way_out(sight) is None:
            move = self.lay(sight, move, rng)
        if move.verb != DISCARD or move.card == JOKER or (sight.opened and way_out(sight) is not None):
            return move
        return DISCARDS[self.throw(sight, move.card, rng)]

    def lay(self, sight: Sight, move: Move, rng: Rng) -> Move:
        """What is laid in a turn that does not go out: ``move``, unless the level overlooks it."""
        return move

    def throw(self, sight: Sight, card: Card, rng: Rng) -> Card:
        """The card to throw, where ``card`` is what the rules of thumb would throw."""
        kept = kept_by_thumb(Sight(sight.view))
        least = min(keep for found, keep in kept.items() if sight.may_discard(found))
        allowed = [
            found for found, keep in kept.items() if sight.may_discard(found) and keep <= least + self.cap
        ]  # fmt: skip
        if not allowed:
            return card
        if rng.below(100) < self.lapses:
            return allowed[rng.below(len(allowed))]
        liked = self.likes(sight)
        return drawn({found: liked[found] for found in allowed}, self.temperature, rng)

    def likes(self, sight: Sight) -> Mapping[Card, float]:
        """How much the level likes to throw each natural card."""
        return {card: -keep for card, keep in kept_by_thumb(sight).items()}


def kept_by_thumb(sight: Sight) -> dict[Card, float]:
    """How much the rules of thumb want to keep each natural card, without a look at the other seats."""
    if not sight.opened and sight.rules.opening == "single":
        return {card: keep for keep, card in card_to_discard_before_single(sight)}
    plan = best_plan(sight.tables, sight.hand, sight.table)
    return {card: keep for keep, card in card_to_discard_loose(sight, plan)}


def drawn(liked: Mapping[Card, float], temperature: float, rng: Rng) -> Card:
    """A card by chance, those that are liked more by far more often."""
    most = max(liked.values())
    weights = [(card, math.exp((like - most) / temperature)) for card, like in sorted(liked.items())]
    left = rng.next32() * _UNIT * sum(weight for _, weight in weights)
    for card, weight in weights:
        left -= weight
        if left < 0:
            return card
    return weights[-1][0]


class KalukiBeginner(Human):
    """Knows five rules: open when you can, lay what fits, keep pairs and neighbours, keep jokers, throw the rest.

    It does not plan its opening, forgets old discards, swaps jokers only when it is nearly out, and overlooks something
    now and then.
    """

    name: ClassVar[str] = "beginner"
    temperature: ClassVar[float] = 2.0
    cap: ClassVar[float] = 20.0
    remembered: ClassVar[int] = 2
    lapses: ClassVar[int] = 15

    def lay(self, sight: Sight, move: Move, rng: Rng) -> Move:
        """What is laid; swaps are not seen, and now and then a card that would fit."""
        plan = best_plan(sight.tables, sight.hand, sight.table, jokers=0)
        if move.verb == SWAP and sight.size > _NEARLY_OUT:
            found = best_meld(sight, plan) if plan is not None else None
            move = found or natural_to_add(sight) or self.thrown(sight)
        if move.verb not in (MELD, DISCARD) and rng.below(100) < self.lapses:
            return self.thrown(sight)
        return move

    def thrown(self, sight: Sight) -> Move:
        """A card to throw."""
        kept = kept_by_thumb(sight)
        card = min(kept, key=lambda found: (kept[found], found), default=JOKER)
        return DISCARDS[card]

    def likes(self, sight: Sight) -> Mapping[Card, float]:
        """Cards that are neither in a pair nor next to another one, the low ones rather before opening."""
        liked = {}
        hand = set(sight.view.hand)
        for card in hand - {JOKER}:
            suit, rank = divmod(card, 13)
            pairs = sum(sight.view.hand.count(13 * other + rank) for other in range(4)) - 1
            near = sum(1 for step in (-1, 1) if 0 <= rank + step < 13 and 13 * suit + rank + step in hand)
            value = sight.tables.in_hand[card]
            liked[card] = -3.0 * min(pairs, 2) - 2.0 * near + (0.3 if sight.opened else -0.1) * value
        return liked


class KalukiCasual(Human):
    """Plans its opening and counts what it remembers, but not what it may give to others."""

    name: ClassVar[str] = "casual"
    temperature: ClassVar[float] = 3.0
    cap: ClassVar[float] = 12.0
    remembered: ClassVar[int] = 6
    lapses: ClassVar[int] = 4


class KalukiStrong(KalukiSearcher):
    """Rules of thumb, and a quick look at what becomes of the deal for each card it may throw."""

    name: ClassVar[str] = "strong"
    rollouts: ClassVar[int] = 1200
    ceiling: ClassVar[float] = 0.2
    throws: ClassVar[bool] = True


class KalukiMaster(KalukiSearcher):
    """Plays out thousands of deals for every decision: to take or draw, to open, lay, swap or wait, what to throw."""

    name: ClassVar[str] = "master"
    rollouts: ClassVar[int] = 12_000
    ceiling: ClassVar[float] = 1.0


LEVELS: Final[dict[str, Callable[[], Bot]]] = {
    "beginner": KalukiBeginner,
    "casual": KalukiCasual,
    "strong": KalukiStrong,
    "master": KalukiMaster,
}
