"""The last tricks of a deal: every way in which the hidden cards may lie, or as many as there is time for.

With few cards left there are few worlds, and one of them often decides. A search that weighs worlds by what the others
have played may never look at that one, and then takes cards for equal that are not. So here every world counts, and
the deal is played to its end by a policy, and by chance as well: the others do not always play as one thinks.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Any, Final

from meja.cards import Rng
from meja.search.dice import Dice
from meja.search.pimc import Utility
from meja.search.policies import Policy
from meja.search.tricks import Tricks
from meja.search.worlds import Dealer

#: How much the play by chance counts beside the play by a policy: enough to part what else is equal.
_CHANCE: Final = 0.1
#: Few worlds are played by chance more than once, until there are so many trials.
_TRIALS: Final = 48
#: With fewer worlds seen, not being all, nothing is said.
_TOO_FEW: Final = 12


def spreads(groups: Sequence[tuple[int, Sequence[int]]], room: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All ways to put groups of cards into places with that room, as in ``meja.worlds``: the mask of each place."""
    cards = [(card, places) for places, group in groups for card in group]
    yield from _below(cards, room, 0)


def _below(cards: Sequence[tuple[int, int]], room: Sequence[int], place: int) -> Iterator[tuple[int, ...]]:
    if place == len(room) - 1:
        if len(cards) == room[place] and all(places >> place & 1 for _, places in cards):
            yield (sum(1 << card for card, _ in cards),)
        return
    # What fits into no later place has to lie here.
    bound = [item for item in cards if not item[1] >> (place + 1)]
    free = [item for item in cards if item[1] >> (place + 1) and item[1] >> place & 1]
    if len(bound) > room[place] or not all(places >> place & 1 for _, places in bound):
        return
    for chosen in combinations(free, room[place] - len(bound)):
        here = sum(1 << card for card, _ in (*bound, *chosen))
        left = [item for item in cards if not here >> item[0] & 1]
        for rest in _below(left, room, place + 1):
            yield (here, *rest)


class Ending:
    """What every card of a view is worth, over all its worlds or a fair draw of them."""

    def __init__(self, view: Any, utility: Utility, most: int, seed: int, limit: int = 2000) -> None:
        """At most ``most`` worlds are looked at. Where there are more than ``limit``, they are not listed but drawn."""
        self.dealer = Dealer(view)
        self.utility = utility
        self.cards: list[int] = self.dealer.seen.cards()
        self.seed = seed
        hidden = view.hidden()
        self.seats: tuple[int, ...] = hidden.seats
        listed = list(islice(spreads(hidden.groups, hidden.room), limit + 1))
        #: Whether the worlds are all there are.
        self.complete = len(listed) <= max(min(most, limit), 1)
        if len(listed) <= limit:
            Rng(seed).shuffle(listed)
            self.worlds = listed[:most]
        else:
            self.worlds = self.drawn(most)

    def drawn(self, count: int) -> list[tuple[int, ...]]:
        """So many worlds by chance."""
        dice = Dice(1)
        dice.seed(self.seed, 0)
        found = []
        for _ in range(count):
            self.dealer.worlds.draw(dice)
            found.append(tuple(self.dealer.worlds.masks()))
        return found

    def put(self, world: Sequence[int]) -> Tricks:
        """The position with this world in it."""
        game, hands, held = Tricks(), list(self.dealer.seen.hands), 0
        game.copy(self.dealer.seen)
        for seat, mask in zip(self.seats, world, strict=False):
            hands[seat] |= mask
            held |= mask
        game.hands = hands
        game.rest &= ~held
        return game

    def values(self, policy: Policy, until: float = math.inf, plan: Policy | None = None) -> dict[int, float] | None:
        """What each card brings; ``None`` if ``until`` came too soon. The own seat goes on by ``plan``, if given."""
        me, game, dice = self.dealer.me, Tricks(), Dice(1)
        game.copy(self.dealer.seen)
        sums = dict.fromkeys(self.cards, 0.0)
        rounds = max(1, _TRIALS // len(self.worlds))
        seen = 0
        for number, world in enumerate(self.worlds):
            if time.monotonic() >= until:
                break
            start = self.put(world)
            for card in self.cards:
                game.rewind(start)
                game.play(card)
                dice.seed(self.seed, number)
                if plan is None:
                    policy.playout(game, dice)
                else:
                    policy.playout_beside(game, dice, me, plan)
                value = (1 - _CHANCE) * self.utility.value(game, me)
                for trial in range(rounds):
                    game.rewind(start)
                    game.play(card)
                    dice.seed(self.seed, number + trial * len(self.worlds))
                    game.playout(dice)
                    value += _CHANCE * self.utility.value(game, me) / rounds
                sums[card] += value
            seen += 1
        if seen < min(_TOO_FEW, len(self.worlds)) or (seen < _TOO_FEW and not self.complete):
            return None
        return {card: total / seen for card, total in sums.items()}


__all__ = ["Ending", "spreads"]
