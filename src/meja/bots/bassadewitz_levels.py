"""The four levels of Bassadewitz."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

from meja.bots.bot import Bot, Budget
from meja.bots.leveled import Learned, PlayLevel, Searching, card_scores, draw, seen, sober, within
from meja.bots.match_sense import places_utility
from meja.cards import Rng
from meja.search.pimc import Utility
from meja.search.policies import FEATURES, NAMES, Policy
from meja.search.weights import LINEAR, NET, learned_policy
from meja.view import View

_HIGH: Final = 2


class Beginner(PlayLevel):
    """Knows five rules of thumb, keeps only the trick on the table in mind, and has a lapse now and then.

    Whatever it plays is at most ``cap`` penalty points worse than the best card by a learned judge.
    """

    name: ClassVar[str] = "beginner"
    temperature: ClassVar[float] = 2.0
    lapses: ClassVar[int] = 20
    cap: ClassVar[float] = 2.0

    def play(self, view: View[Any], budget: Budget, rng: Rng) -> int:
        """A card by the rules of thumb, or in a lapse any card that is not much too bad."""
        position = seen(view)
        allowed = within(card_scores(position, learned_policy(view.rules, NET)), self.cap)
        allowed = sober(view, allowed, budget, rng.fork().state)
        if rng.below(100) < self.lapses:
            return allowed[rng.below(len(allowed))]
        liked = rules_of_a_beginner(view, position)
        return draw({card: liked[card] for card in allowed}, self.temperature, rng)


def rules_of_a_beginner(view: Any, position: Any) -> dict[int, float]:
    """How much a beginner likes each card."""
    power, worth = position.power, position.worth
    liked: dict[int, float] = {}
    if not view.trick:
        # Lead low cards, and keep the dear ones.
        return {card: -0.5 * power[card] - 0.1 * worth[card] for card in view.legal}
    led = view.trick[0][1] // 13
    best = max(power[card] for _, card in view.trick if card // 13 == led)
    last = len(view.trick) == len(view.players) - 1
    for card in view.legal:
        if card // 13 != led:
            # Throw aces and tens on other people's tricks.
            liked[card] = 0.5 * worth[card] + 0.1 * power[card]
        elif power[card] < best:
            # Duck, and get rid of a high card by it.
            liked[card] = 4.0 + 0.3 * power[card]
        elif last:
            # The trick cannot be avoided: take it with a high card, but no dear one.
            liked[card] = 0.2 * power[card] - 0.4 * worth[card]
        else:
            # Stay low and hope.
            liked[card] = -0.4 * power[card]
    return liked


class Casual(Learned):
    """Counts cards and remembers who is out of a suit, but weighs them by feeling."""

    name: ClassVar[str] = "casual"
    kind: ClassVar[str] = LINEAR
    temperature: ClassVar[float] = 0.25
    cap: ClassVar[float] = 1.0


class Strong(Learned):
    """Plays what a net has learned from many thousands of deals, and tries cards in the last tricks only."""

    name: ClassVar[str] = "strong"
    kind: ClassVar[str] = NET

    def utility(self, view: View[Any]) -> Utility:
        """Near the end of the match the chance to win it counts."""
        return places_utility(view)


class Master(Searching):
    """Tries every card in hundreds of possible deals, with an eye on sweep, hundred and the end of the match."""

    name: ClassVar[str] = "master"
    worlds: ClassVar[int] = 300
    # Nobody plays as the net does: a little by chance, and half of it by rules of thumb, gained 0.1 penalty a deal
    # against rules of thumb and lost nothing against the net.
    looseness: ClassVar[float] = 0.15
    thumbs: ClassVar[float] = 0.5

    def utility(self, view: View[Any]) -> Utility:
        """Near the end of the match the chance to win it counts."""
        return places_utility(view)

    def plans(self, view: View[Any]) -> list[Policy]:
        """Going for all tricks, as long as nobody else has one and it is not hopeless."""
        return [everything()] if may_sweep(view) else []


def may_sweep(view: Any) -> bool:
    """Whether the own seat has all tricks so far and cards to go on with.

    A hundred is nothing to run to: it costs more than the last place, since all others gain by it.
    """
    mine = sum(taker == view.seat for _, taker in view.tricks)
    if mine < len(view.tricks):
        return False
    strong = sum(card % 13 in (8, 12) for card in view.hand)
    return mine > _HIGH or strong >= (_HIGH if mine else 2 * _HIGH)


def everything() -> Policy:
    """Take whatever can be taken: the strongest card, from suits in which nobody has a stronger one."""
    weights = [0.0] * FEATURES
    weights[NAMES.index("strength")] = 1.0
    weights[NAMES.index("takes")] = 4.0
    weights[NAMES.index("leads, stronger out")] = -8.0
    # What cannot take the trick: the least useful card.
    weights[NAMES.index("thrown")] = -2.0
    weights[NAMES.index("alone in its suit")] = 0.1
    return Policy(weights)


LEVELS: Final[dict[str, Callable[[], Bot]]] = {
    "beginner": Beginner,
    "casual": Casual,
    "strong": Strong,
    "master": Master,
}
