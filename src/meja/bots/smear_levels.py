"""The four levels of Smear."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any, ClassVar, Final

from meja.bots.bot import Bot, Budget, Opinion
from meja.bots.leveled import (
    COMPILED,
    Learned,
    PlayLevel,
    Searching,
    best_of,
    card_scores,
    draw,
    seconds_of,
    seen,
    sober,
    within,
)
from meja.bots.match_sense import Race
from meja.bots.smear import choose_call
from meja.bots.smear_bids import Auction, lowest_bid, sure_points, table_for
from meja.cards import Rng, mask_of
from meja.games.smear import BID, HIGHEST_BID, PASS
from meja.search.pimc import Utility
from meja.search.weights import LINEAR, NET, learned_policy
from meja.view import View

_TEN, _JACK, _QUEEN = 8, 9, 10
#: Worlds between two looks at the clock, and how few are no better than the table.
_BATCH: Final = 4
_TOO_FEW: Final = 12
_PLAIN_WORLDS: Final = 30
#: By how much a bid has to be better than a pass.
_EDGE: Final = 0.0


class Beginner(PlayLevel):
    """Bids by counting high cards and plays by five rules of thumb, with the trick on the table in mind.

    Whatever it plays is at most ``cap`` points worse than the best card by a learned judge.
    """

    name: ClassVar[str] = "beginner"
    temperature: ClassVar[float] = 1.5
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

    def call(self, view: View[Any], budget: Budget, rng: Rng) -> int:
        """Count the high cards of the best suit, and gamble a little; never far beyond what the hand is worth."""
        counted = high_cards(view) + (rng.below(101) - 50) / 100
        bids = [action for action in view.legal if action != PASS]
        worth = table_for(view.rules).worth(mask_of(view.hand))
        wanted = [action for action in bids if action - BID <= counted and worth[action - BID - 1] > -self.cap]
        if wanted:
            return int(wanted[0])
        return PASS if PASS in view.legal else int(bids[0])


def high_cards(view: Any) -> float:
    """What a beginner counts: ace, king and jack of the longest suit, its length, and aces and tens beside it."""
    suits: list[list[int]] = [[card % 13 for card in view.hand if card // 13 == suit] for suit in range(4)]
    best = 0.0
    for ranks in suits:
        if ranks:
            value = 0.9 * (12 in ranks) + 0.7 * (11 in ranks) + 0.6 * (9 in ranks) + 0.4 * (0 in ranks)
            best = max(best, value + 0.25 * len(ranks))
    return best + 0.2 * sum(card % 13 in (8, 12) for card in view.hand)


def rules_of_a_beginner(view: Any, position: Any) -> dict[int, float]:
    """How much a beginner likes each card."""
    power, worth = position.power, position.worth
    liked: dict[int, float] = {}
    for card in view.legal:
        rank, trump = card % 13, card // 13 == view.trump
        if not view.trick:
            # Lead high, but no ten or jack that may be caught; the bidder leads from the longest suit.
            liked[card] = 0.25 * rank - 1.5 * (rank in (_TEN, _JACK)) + 0.2 * trump
            if view.trump < 0:
                liked[card] += sum(other // 13 == card // 13 for other in view.hand)
            continue
        best = max((power[other] for _, other in view.trick if position.led >> other & 1), default=-1)
        takes = bool(position.led >> card & 1) and power[card] > best
        points = sum(worth[other] for _, other in view.trick)
        last = len(view.trick) == len(view.players) - 1
        if takes:
            # Take what is worth something, with the card that costs least.
            liked[card] = 0.3 * points + (0.3 * worth[card] if last else -0.1 * worth[card]) - 0.05 * rank - 0.4 * trump
        else:
            # Give away what costs least.
            liked[card] = -0.3 * worth[card] - 0.05 * rank - 0.8 * trump
    return liked


class ByTable(PlayLevel):
    """Calls by the table of what hands are worth."""

    #: What is added to the worth of a bid: the table is fitted to players who bid more boldly than people do.
    bold: ClassVar[float] = -0.7

    def call(self, view: View[Any], budget: Budget, rng: Rng) -> int:
        """What is worth most by the table; what is sure is never passed."""
        decided = sure_call(view)
        if decided is not None:
            return decided
        return not_passed(view, table_call(view, self.bold))


def sure_bids(view: Any) -> list[int]:
    """The bids that cannot fail."""
    sure = sure_points(view.rules, mask_of(view.hand))
    return [action for action in view.legal if action != PASS and action - BID <= sure]


def sure_call(view: Any) -> int | None:
    """A call that nothing can be better than: a sure bid that wins the match, or a sure four that ends the auction.

    With others to call it is the highest of the sure bids, else the lowest: it scores the same.
    """
    bids = sure_bids(view)
    if not bids:
        return None
    waiting = len(view.players) - len(view.calls) - 1
    race = Race(view)
    score = [sure_points(view.rules, mask_of(view.hand)) if seat == view.seat else 0 for seat in view.players]
    after = [total + points for total, points in zip(view.context.totals, score, strict=True)]
    if race.winners(after, score, view.seat) == [view.seat]:
        return int(bids[-1] if waiting else bids[0])
    return int(bids[-1]) if waiting and bids[-1] - BID == HIGHEST_BID else None


def not_passed(view: Any, call: int) -> int:
    """The call, but the lowest bid that is sure of two points or more instead of a pass."""
    better = [action for action in sure_bids(view) if action - BID > 1] if call == PASS else []
    return int(better[0]) if better else call


def table_call(view: Any, bold: float = 0.0) -> int:
    """The call of the table."""
    waiting = len(view.players) - len(view.calls) - 1
    lowest = lowest_bid(view.rules, view.bid, view.seat == view.dealer)
    number = table_for(view.rules).call(mask_of(view.hand), lowest, view.bid, waiting, PASS in view.legal, bold)
    return BID | number if number else PASS


class Casual(Learned):
    """Bids by simple chances, plays by feeling, and remembers the cards that are gone."""

    name: ClassVar[str] = "casual"
    kind: ClassVar[str] = LINEAR
    temperature: ClassVar[float] = 0.1
    cap: ClassVar[float] = 0.8

    def call(self, view: View[Any], budget: Budget, rng: Rng) -> int:
        """The rules of thumb for bids."""
        return choose_call(view)  # type: ignore[arg-type]


class Strong(ByTable, Learned):
    """Bids by a table of what hands are worth, plays what a net has learned, and tries cards in the last tricks."""

    name: ClassVar[str] = "strong"
    kind: ClassVar[str] = NET

    def utility(self, view: Any) -> Utility:
        """The margin over the others; near the target the chance to win the match."""
        return Race(view).utility(view.bidder)


class Master(ByTable, Searching):
    """Simulates the auction and tries every card in hundreds of possible deals, with an eye on the race."""

    name: ClassVar[str] = "master"
    worlds: ClassVar[int] = 300
    auctions: ClassVar[int] = 200
    #: How boldly the others are thought to call.
    others: ClassVar[float] = -0.7
    inference: ClassVar[bool] = False

    def utility(self, view: Any) -> Utility:
        """The margin over the others; near the target the chance to win the match."""
        return Race(view).utility(view.bidder)

    def call(self, view: View[Any], budget: Budget, rng: Rng) -> int:
        """The call that brings most in simulated auctions and deals; what is sure is never passed."""
        decided = sure_call(view)
        if decided is not None:
            return decided
        values = self.call_values(view, budget, rng.fork().state)
        if values is None:
            return super().call(view, budget, rng)
        self.opinions = tuple(Opinion(BID | number if number else PASS, value) for number, value in values.items())
        least = values.get(0, -math.inf)
        better = {number: value for number, value in values.items() if number and value > least + _EDGE}
        return BID | best_of(better) if better else not_passed(view, PASS)

    def call_values(self, view: View[Any], budget: Budget, seed: int) -> dict[int, float] | None:
        """What each call brings, by number, 0 for a pass; ``None`` where there was no time to find out."""
        seconds = seconds_of(budget, self.seconds)
        worlds = budget.iterations or self.auctions
        if not COMPILED:
            worlds = min(worlds, _PLAIN_WORLDS)
        auction = Auction(view, learned_policy(view.rules, NET if COMPILED else LINEAR), Race(view), self.others)
        began = time.monotonic()
        until = math.inf if seconds is None else began + seconds
        longest = 0.0
        while auction.worlds < worlds and (now := time.monotonic()) + longest < until:
            auction.run(min(_BATCH if COMPILED else 1, worlds - auction.worlds), seed)
            longest = max(longest, time.monotonic() - now)
        return auction.values() if auction.worlds >= _TOO_FEW else None


LEVELS: Final[dict[str, Callable[[], Bot]]] = {
    "beginner": Beginner,
    "casual": Casual,
    "strong": Strong,
    "master": Master,
}
