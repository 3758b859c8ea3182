"""What the levels of the trick games share: scores of cards, choosing by chance, and searching within a budget."""

from __future__ import annotations

import math
import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from meja.bots.bot import Bot, Budget, Opinion, check_turn
from meja.bots.endings import Ending
from meja.cards import Rng
from meja.search import pimc
from meja.search.pimc import Estimate, Pimc, Utility
from meja.search.policies import Policy
from meja.search.tricks import Tricks
from meja.search.weights import LINEAR, NET, learned_policy, thumb_policy
from meja.search.worlds import Dealer, Inference
from meja.view import View

#: Whether the kernels run compiled.
COMPILED: Final = not pimc.__file__.endswith(".py")
#: What a search may look at without a compiler, and how few worlds are no better than the policy by itself.
_PLAIN_WORLDS: Final = 48
_TOO_FEW: Final = 8 if COMPILED else 24
#: Seconds that a search leaves of its time for what is around it.
_MARGIN: Final = 0.03
#: The least time that is worth a search, compiled and not.
_LEAST: Final = 0.002 if COMPILED else 0.4
#: With so few cards in hand a deal is at its end, and even a weak level thinks a little.
ENDING: Final = 3
#: How many worlds of an ending a weak level looks at, and how many the others do, however few a search may.
_GLANCE: Final = 40
_ENDING_WORLDS: Final = 400 if COMPILED else 200
#: What even a weak level sees in an ending: a card that costs so much of a point.
_SILLY: Final = 0.5
#: How freely deals are played to the end by rules of thumb.
_PLAIN_LOOSENESS: Final = 0.2
#: Seconds that the quick levels take for an ending.
_QUICK: Final = 0.15


def seen(view: View[Any]) -> Tricks:
    """The position of a view of the play, as its seat knows it."""
    position = Tricks()
    position.load(view.known())  # type: ignore[attr-defined]
    return position


def card_scores(position: Tricks, policy: Policy) -> dict[int, float]:
    """What a policy thinks of every legal card."""
    return {card: policy.value(position, card) for card in position.cards()}


def best_of(scores: Mapping[int, float]) -> int:
    """The action with the highest score, of equal ones the lowest."""
    return min(scores, key=lambda action: (-scores[action], action))


def draw(scores: Mapping[int, float], temperature: float, rng: Rng) -> int:
    """An action by chance of ``exp(score / temperature)``."""
    actions = sorted(scores)
    top = max(scores.values())
    weights = [math.exp((scores[action] - top) / temperature) for action in actions]
    left = rng.below(1 << 24) / (1 << 24) * sum(weights)
    for action, weight in zip(actions, weights, strict=True):
        left -= weight
        if left < 0:
            return action
    return best_of(scores)


def within(scores: Mapping[int, float], cap: float) -> list[int]:
    """The actions that are at most ``cap`` worse than the best one."""
    top = max(scores.values())
    return [action for action in sorted(scores) if scores[action] >= top - cap]


def seconds_of(budget: Budget, most: float) -> float | None:
    """How long a level may think: the budget's time, but no longer than the level takes; without one, no clock."""
    return None if budget.seconds is None else max(min(budget.seconds, most) - _MARGIN, 0.0)


def ending_values(
    view: View[Any], utility: Utility, most: int, budget: Budget, seconds: float, seed: int
) -> dict[int, float] | None:
    """What each card of an ending brings; ``None`` before the ending, and where there was no time to find out."""
    allowed = seconds_of(budget, seconds)
    if len(view.hand) > ENDING or allowed == 0.0:
        return None
    until = math.inf if allowed is None else time.monotonic() + allowed
    policy = learned_policy(view.rules, NET if COMPILED else LINEAR)
    return Ending(view, utility, most, seed).values(policy, until)


def sober(view: View[Any], cards: list[int], budget: Budget, seed: int) -> list[int]:
    """Of some cards those that are not silly in an ending; all where every one is."""
    utility = Utility(float(pimc.sign_of(view)))
    values = ending_values(view, utility, _GLANCE, budget, _QUICK, seed)
    if values is None:
        return cards
    good = set(within(values, _SILLY))
    return [card for card in cards if card in good] or cards


class PlayLevel(Bot):
    """A level of a trick game: one legal action is played at once, calls and cards are chosen apart."""

    def act(self, view: View[Any], budget: Budget) -> Any:
        """Choose an action."""
        check_turn(view)
        legal: Sequence[Any] = view.legal
        if len(legal) == 1:
            return legal[0]
        rng = budget.rng(view)
        return self.play(view, budget, rng) if view.phase == "play" else self.call(view, budget, rng)

    @abstractmethod
    def play(self, view: View[Any], budget: Budget, rng: Rng) -> int:
        """Choose a card."""

    def call(self, view: View[Any], budget: Budget, rng: Rng) -> Any:
        """Choose a call, where the game has any."""
        raise NotImplementedError


class Learned(PlayLevel):
    """Plays the card that a learned policy likes best, or with a temperature one it likes; it thinks in endings."""

    kind: ClassVar[str] = NET
    temperature: ClassVar[float] = 0.0
    #: How much worse than the best card a card may be that is played by chance.
    cap: ClassVar[float] = 1.0

    def play(self, view: View[Any], budget: Budget, rng: Rng) -> int:
        """The best card, or one by chance."""
        scores = card_scores(seen(view), learned_policy(view.rules, self.kind))
        if self.temperature == 0.0:
            found = self.ending(view, budget, rng.fork().state)
            return best_of(scores if found is None else found)
        kept = sober(view, within(scores, self.cap), budget, rng.fork().state)
        return draw({card: scores[card] for card in kept}, self.temperature, rng)

    def utility(self, view: View[Any]) -> Utility:
        """What a deal is worth to the own seat in an ending."""
        return Utility(float(pimc.sign_of(view)))

    def ending(self, view: View[Any], budget: Budget, seed: int) -> dict[int, float] | None:
        """What the cards of an ending bring."""
        if len(view.hand) > ENDING:
            return None
        return ending_values(view, self.utility(view), _ENDING_WORLDS, budget, _QUICK, seed)


class Searching(PlayLevel):
    """Tries every card in many worlds that agree with the view, and more often in those that explain it."""

    #: Worlds where the budget names no number, and seconds that it never takes longer than.
    worlds: ClassVar[int] = 200
    seconds: ClassVar[float] = 1.0
    #: Whether worlds are weighed by what the others have played, and how sharply.
    inference: ClassVar[bool] = True
    sharpness: ClassVar[float] = 0.3
    #: The weights that play to the end, and those that the others are thought to play by.
    rollout: ClassVar[str] = NET
    #: How freely everybody plays to the end: people and other bots do not always play the best card.
    looseness: ClassVar[float] = 0.0
    model: ClassVar[str] = LINEAR
    #: How much deals count that are played to the end by rules of thumb, as many people play, and not by the net.
    thumbs: ClassVar[float] = 0.0

    def utility(self, view: View[Any]) -> Utility | None:
        """What the deal is worth to the own seat; ``None``: the points of the rules."""
        return None

    def plans(self, view: View[Any]) -> list[Policy]:
        """Other ways in which the own seat may go on, that are tried as well."""
        return []

    def play(self, view: View[Any], budget: Budget, rng: Rng) -> int:
        """The card with the best mean; in an ending all worlds count as much as those that explain the play."""
        seed = rng.fork().state
        began = time.monotonic()
        ending = self.ending(view, budget, seed)
        if budget.seconds is not None:
            budget = replace(budget, seconds=max(budget.seconds - (time.monotonic() - began), 0.0))
        found = self.estimates(view, budget, seed)
        if found is None or found[0].worlds < _TOO_FEW:
            return best_of(ending or card_scores(seen(view), learned_policy(view.rules, NET)))
        self.opinions = tuple(Opinion(made.card, made.mean, made.to_best) for made in found)
        if ending is None:
            return found[0].card
        # Without inference both have seen the same kind of worlds, and each world counts as much as another.
        trust = 1.0 if self.inference else found[0].worlds / _ENDING_WORLDS
        both = {made.card: (trust * made.mean + ending[made.card]) / (trust + 1.0) for made in found}
        self.opinions = tuple(Opinion(card, value) for card, value in both.items())
        return best_of(both)

    def ending(self, view: View[Any], budget: Budget, seed: int) -> dict[int, float] | None:
        """What the cards of an ending bring, over all its worlds where that can be."""
        if len(view.hand) > ENDING:
            return None
        utility = self.utility(view) or Utility(float(pimc.sign_of(view)))
        return ending_values(view, utility, _ENDING_WORLDS, budget, _QUICK, seed)

    def estimates(self, view: View[Any], budget: Budget, seed: int) -> list[Estimate] | None:
        """All cards, the best first; ``None`` where there is no time for it.

        Every plan is tried in the same worlds; a card is worth what its best plan brings.
        """
        worlds = budget.iterations or self.worlds
        seconds = seconds_of(budget, self.seconds)
        if seconds is not None and seconds < _LEAST:
            return None
        began = time.monotonic()
        until = math.inf if seconds is None else began + seconds
        if not COMPILED:
            worlds = min(worlds, _PLAIN_WORLDS)
        dealer = Dealer(view)
        inference = None
        if self.inference and COMPILED:
            inference = Inference(dealer, learned_policy(view.rules, self.model), self.sharpness)
        utility = self.utility(view)
        policies = self.policies(view)
        plans = [None, *self.plans(view)]
        left = len(policies) * len(plans)
        found: list[Estimate] = []
        for plan in plans:
            made: list[tuple[float, list[Estimate]]] = []
            for share, policy in policies:
                search = Pimc(dealer, policy, pimc.sign_of(view), utility, inference, plan)
                search.run(1, seed)
                pimc.spend(search, worlds, seed, began + (until - began) / left, began)
                # What comes after the first is tried in no more worlds than that.
                worlds = min(worlds, search.worlds)
                left -= 1
                began = time.monotonic()
                if search.worlds >= _TOO_FEW or not (found or made):
                    made.append((share, search.estimates()))
            if made:
                tried = mixed(made)
                found = better_of(found, tried) if found else tried
        return found

    def policies(self, view: View[Any]) -> list[tuple[float, Policy]]:
        """By which policies deals are played to the end, and how much each counts."""
        learned = learned_policy(view.rules, self.rollout if COMPILED else LINEAR, self.looseness)
        if self.thumbs == 0.0:
            return [(1.0, learned)]
        return [(1.0 - self.thumbs, learned), (self.thumbs, thumb_policy(view.rules, _PLAIN_LOOSENESS))]


def mixed(made: Sequence[tuple[float, list[Estimate]]]) -> list[Estimate]:
    """Per card the mean of several estimates by their shares, the best first.

    They have seen the same worlds, so their errors add up.
    """
    if len(made) == 1:
        return made[0][1]
    total = sum(share for share, _ in made)
    cards: dict[int, list[tuple[float, Estimate]]] = {}
    for share, estimates in made:
        for estimate in estimates:
            cards.setdefault(estimate.card, []).append((share / total, estimate))
    found = [
        Estimate(
            card,
            sum(share * one.mean for share, one in ones),
            sum(share * one.error for share, one in ones),
            sum(share * one.to_best for share, one in ones),
            min(one.worlds for _, one in ones),
        )
        for card, ones in cards.items()
    ]
    return sorted(found, key=lambda one: (-one.mean, one.card))


def better_of(one: list[Estimate], other: list[Estimate]) -> list[Estimate]:
    """Per card the estimate with the better mean; the best first."""
    by_card = {made.card: made for made in other}
    found = [max(made, by_card[made.card], key=lambda estimate: estimate.mean) for made in one]
    return sorted(found, key=lambda made: (-made.mean, made.card))


__all__ = [
    "COMPILED",
    "ENDING",
    "Learned",
    "PlayLevel",
    "Searching",
    "best_of",
    "better_of",
    "card_scores",
    "draw",
    "ending_values",
    "seconds_of",
    "seen",
    "sober",
    "within",
]
