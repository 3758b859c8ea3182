"""The four levels of Calabresella: what a beginner knows, whole rules of thumb, and two searches."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import inf
from typing import ClassVar, Final

from meja.bots.bot import Bot, Budget, Opinion, check_turn
from meja.bots.calabresella import CalabresellaThumb
from meja.bots.calabresella_before import choose
from meja.bots.calabresella_worth import outcome_pay
from meja.bots.leveled import COMPILED
from meja.cards import SUIT_MASK, Card, Rng, mask_of
from meja.games.calabresella import CalabresellaView
from meja.games.tricks import ARGUMENT, VERB
from meja.search.calabresella_tree import Tree
from meja.search.calabresella_worlds import Guess
from meja.search.deadline import deadline
from meja.search.dice import Dice
from meja.search.policies import Policy, exponential
from meja.search.solving import Solving
from meja.search.tricks import Tricks
from meja.search.weights import thumb_policy
from meja.search.worlds import Dealer
from meja.view import View

_ORDER: Final = "32AKQJ7654"
_RANKS: Final = "23456789TJQKA"
#: 0 for a three, 9 for a four, by card; thirds of a point, by card.
_PLACE: Final = tuple(_ORDER.find(_RANKS[card % 13]) for card in range(52))
_THIRDS: Final = tuple({"A": 3, "3": 1, "2": 1, "K": 1, "Q": 1, "J": 1}.get(_RANKS[card % 13], 0) for card in range(52))
_TOPS: Final = mask_of([card for card in range(52) if 0 <= _PLACE[card] < 3])
_THREES: Final = [card for card in range(52) if _PLACE[card] == 0]
_ACE: Final = 2
#: In so many last tricks the outcome is near enough to be searched for: card points count no more than so much.
_ENDING: Final = 3
_ENDING_POINTS: Final = 0.1
#: Deals solved for an ending, while there are few cards and while there are more; fewer prove nothing, since a card
#: may be kept for what is seldom but wins the deal. Of so many one at least has to show that a card is better.
_SOLVED_WORLDS: Final = 120
_LARGER_WORLDS: Final = 40
_FEW_CARDS: Final = 5
_TOO_FEW: Final = 30
_SURE: Final = 20
#: Without a compiler: with so many cards in hand, and in so many deals.
_PLAIN_SOLVED: Final = 3
_PLAIN_WORLDS: Final = 40
#: Iterations between two looks at the clock.
_BATCH: Final = 4
#: How much of its time a search uses, so that it is never late.
_SHARE: Final = 0.8


class SearchLevel(Bot):
    """Tree search for the cards, trials for what comes before them."""

    #: Iterations of the tree and deals of a trial, where the budget names no number; most seconds for a decision.
    iterations: ClassVar[int]
    deals: ClassVar[int]
    seconds: ClassVar[float]
    #: Worlds looked at for each that is searched; the weight of what was tried seldom.
    tries: ClassVar[int]
    explore: ClassVar[float]
    #: Of 1, how much all card points count beside the outcome.
    points: ClassVar[float] = 0.5
    #: With the duty to follow: of 1024 cards to the end so many are played by chance, the others by rules of thumb.
    loose: ClassVar[int] = 0
    #: With so many cards in hand deals are solved, so that no card is given away.
    solved: ClassVar[int]
    #: Thirds that its side is thought to play better than rules of thumb, in trials.
    edge: ClassVar[int] = 0

    def act(self, view: View[int], budget: Budget) -> int:
        """The action that has done best."""
        assert isinstance(view, CalabresellaView)
        check_turn(view)
        if len(view.legal) == 1:
            return view.legal[0]
        # Without a time limit the same seed must give the same move, however slow the machine is.
        until = inf
        if budget.seconds is not None:
            until = time.monotonic() + _SHARE * min(budget.seconds, self.seconds)
        seed = budget.rng(view).fork().state
        if view.phase != "play":
            deals = self.deals if budget.iterations is None else max(1, min(self.deals, budget.iterations))
            self.opinions = tuple(choose(view, deals, seed, until, self.edge))
            chosen: int = self.opinions[0].action
            return chosen
        return self.card(view, budget.iterations or self.iterations, seed, until)

    def card(self, view: CalabresellaView, iterations: int, seed: int, until: float) -> Card:
        """The card that was tried most."""
        guess = Guess(view, self.tries)
        points = min(self.points, _ENDING_POINTS) if len(view.hand) <= _ENDING else self.points
        pay, slope = outcome_pay(view, points)
        guess.start.set_pay(pay, slope)
        guess.start.loose = self.loose if guess.start.follow else 0
        tree = Tree(guess, self.explore, iterations + 64)
        tree.run(_BATCH, seed)
        while tree.iterations < iterations and time.monotonic() < until:
            tree.run(min(_BATCH, iterations - tree.iterations), seed)
        found = tree.cards()
        self.opinions = tuple(Opinion(card, worth) for card, _, worth in found)
        return self.not_given_away(view, found[0][0], seed, until)

    def not_given_away(self, view: CalabresellaView, card: Card, seed: int, until: float) -> Card:
        """The card, or one that solved deals show to be at least as good in each of them, and better in some.

        A tree that looks at won and lost gives points away where the deal is decided, and people call that silly.
        """
        if len(view.hand) > (self.solved if COMPILED else _PLAIN_SOLVED):
            return card
        seconds = None if until == inf else until - time.monotonic()
        if seconds is not None and seconds <= 0:
            return card
        search = Solving(Dealer(view), "thirds")
        worlds = _SOLVED_WORLDS if len(view.hand) <= _FEW_CARDS else _LARGER_WORLDS
        with deadline(search.solver, seconds):
            search.run(worlds if COMPILED else _PLAIN_WORLDS, seed)
        rows, cards = search.rows, list(search.cards)
        while len(rows) >= _TOO_FEW:
            mine = cards.index(card)
            better = [
                (sum(row[place] for row in rows), -place)
                for place in range(len(cards))
                if all(row[place] >= row[mine] for row in rows)
                and sum(row[place] > row[mine] for row in rows) * _SURE > len(rows)
            ]
            if not better:
                break
            card = cards[-max(better)[1]]
        return card


class CalabresellaMaster(SearchLevel):
    """Searches thousands of deals that fit what was said and played, for the chips and the match."""

    name: ClassVar[str] = "master"
    iterations: ClassVar[int] = 6_000
    deals: ClassVar[int] = 400
    seconds: ClassVar[float] = 1.0
    tries: ClassVar[int] = 4
    explore: ClassVar[float] = 0.35
    points: ClassVar[float] = 0.8
    loose: ClassVar[int] = 400
    edge: ClassVar[int] = 1
    solved: ClassVar[int] = 7


class CalabresellaStrong(SearchLevel):
    """Plays the odds of a hundred deals, but does not read the others."""

    name: ClassVar[str] = "strong"
    iterations: ClassVar[int] = 120
    deals: ClassVar[int] = 60
    seconds: ClassVar[float] = 0.2
    tries: ClassVar[int] = 1
    explore: ClassVar[float] = 0.2
    solved: ClassVar[int] = 6


class Remembered:
    """What a player keeps in mind: all cards of some ranks, and everything of the last tricks."""

    def __init__(self, view: CalabresellaView, ranks: int, tricks: int) -> None:
        """``ranks``: a mask of the cards that are remembered; of the last ``tricks`` all are."""
        self.game = Tricks()
        self.game.copy(Dealer(view).seen)
        finished = view.tricks
        kept = mask_of([card for cards, _ in finished[max(0, len(finished) - tricks) :] for _, card in cards])
        kept |= ranks | mask_of([card for _, card in view.trick])
        self.game.played = [self.game.played[seat] & kept for seat in range(5)]


def scores(policy: Policy, game: Tricks, cards: Sequence[Card]) -> list[float]:
    """What a policy thinks of cards, less what it thinks of the best."""
    found = [policy.value(game, card) for card in cards]
    best = max(found)
    return [score - best for score in found]


def drawn(cards: Sequence[Card], weights: Sequence[float], rng: Rng) -> Card:
    """A card by chance of its weight."""
    pick = Dice(rng.fork().state).unit() * sum(weights)
    for card, weight in zip(cards, weights, strict=True):
        pick -= weight
        if pick < 0:
            return card
    return cards[0]


def sensible(view: CalabresellaView) -> list[Card]:
    """The legal cards that nobody regrets at sight: by the trick on the table and the own hand, with no memory.

    An ace is taken if it can be taken for good, no ace is thrown on a trick of the other side, and threes and twos are
    not thrown where they cannot win, as long as there are blanks.
    """
    cards = list(view.legal)
    if not view.trick:
        return cards
    seat, best = winning(view)
    lost = view.bidder in (view.seat, seat)
    takers = [card for card in cards if card // 13 == best // 13 and _PLACE[card] < _PLACE[best]]
    if lost and any(_PLACE[card] == _ACE for _, card in view.trick):
        alone = view.seat == view.bidder
        behind = [other for other in view.players if other not in (view.seat, *(played for played, _ in view.trick))]
        safe = not any((other == view.bidder) != alone for other in behind)
        sure = [card for card in takers if safe or _PLACE[card] == 0]
        if sure:
            return sure
    if lost:
        cards = [card for card in cards if _PLACE[card] != _ACE or card in takers] or cards
    if any(not _THIRDS[card] for card in cards):
        led = best // 13
        cards = [card for card in cards if _PLACE[card] >= _ACE or card // 13 == led]
    return cards


def winning(view: CalabresellaView) -> tuple[int, Card]:
    """Who holds the trick on the table, and with what."""
    led = view.trick[0][1] // 13
    return min((entry for entry in view.trick if entry[1] // 13 == led), key=lambda entry: _PLACE[entry[1]])


class CalabresellaCasual(Bot):
    """Whole rules of thumb, not always the best of them; keeps threes, twos and aces in mind."""

    name: ClassVar[str] = "casual"
    temperature: ClassVar[float] = 0.6
    tricks: ClassVar[int] = 2

    def __init__(self) -> None:
        """A player that bids and exchanges by rules of thumb."""
        self.others = CalabresellaThumb()

    def act(self, view: View[int], budget: Budget) -> int:
        """A card by chance of what rules of thumb think of it; anything else by rules of thumb."""
        assert isinstance(view, CalabresellaView)
        check_turn(view)
        legal = view.legal
        if len(legal) == 1 or view.phase != "play":
            return legal[0] if len(legal) == 1 else self.others.act(view, budget)
        game = Remembered(view, _TOPS, self.tricks).game
        cards = sensible(view)
        found = scores(thumb_policy(view.rules), game, cards)
        weights = [exponential(score / self.temperature) for score in found]
        return drawn(cards, weights, budget.rng(view))


class CalabresellaBeginner(Bot):
    """Knows what wins a trick and what counts, forgets what was played, and overlooks things now and then."""

    name: ClassVar[str] = "beginner"
    #: How often the first card that comes to mind is played.
    lapse: ClassVar[float] = 0.3
    temperature: ClassVar[float] = 1.0
    #: Cards of which the whole rules think so much less than of the best are not played.
    cap: ClassVar[float] = 7.0

    def act(self, view: View[int], budget: Budget) -> int:
        """By a handful of rules of thumb."""
        assert isinstance(view, CalabresellaView)
        check_turn(view)
        legal = view.legal
        if len(legal) == 1:
            return legal[0]
        rng = budget.rng(view)
        match view.phase:
            case "auction":
                return self.bid(view, rng)
            case "raise":
                return legal[0]
            case "call":
                return self.named(legal, self.call(view))
            case "give":
                return self.named(legal, max(view.hand, key=_cheapness))
            case "discard":
                return self.named(legal, max(view.hand, key=_cheapness))
            case _:
                return self.card(view, rng)

    @staticmethod
    def named(legal: Sequence[int], card: Card) -> int:
        """The action of this phase that names a card."""
        return legal[0] >> VERB << VERB | card

    @staticmethod
    def bid(view: CalabresellaView, rng: Rng) -> int:
        """Counts threes, twos and aces, and is now and then a little too bold or too shy."""
        hand = mask_of(view.hand)
        count = (hand & _TOPS).bit_count() + (hand & mask_of(_THREES)).bit_count() + rng.below(3) - 1
        good_for = 1 if count >= 9 else 0 if count >= 6 else -1
        no_bid, *bids = view.legal
        return next((bid for bid in bids if bid & ARGUMENT == good_for), no_bid)

    @staticmethod
    def call(view: CalabresellaView) -> Card:
        """The best card that is missing, of the longest suit."""
        hand = mask_of(view.hand)
        cards = [action & ARGUMENT for action in view.legal]
        return min(cards, key=lambda card: (_PLACE[card], -(hand & SUIT_MASK[card // 13]).bit_count(), card))

    def card(self, view: CalabresellaView, rng: Rng) -> Card:
        """A card of those that are not quite wrong."""
        game = Remembered(view, 0, 1).game
        legal = sensible(view)
        found = scores(thumb_policy(view.rules), game, legal)
        cards = [card for card, score in zip(legal, found, strict=True) if score >= -self.cap]
        thoughts = [self.thought(view, card) for card in cards]
        if rng.below(1000) < 1000 * self.lapse:
            return cards[rng.below(len(cards))]
        best = max(thoughts)
        weights = [exponential((thought - best) / self.temperature) for thought in thoughts]
        return drawn(cards, weights, rng)

    def thought(self, view: CalabresellaView, card: Card) -> float:
        """What a beginner thinks of a card: lead high, win what counts, feed the partner, else throw what is least."""
        if not view.trick:
            return 1.0 if _PLACE[card] == 0 else 0.6 - 0.1 * _THIRDS[card]
        seat, best = winning(view)
        last = len(view.trick) == 2
        with_partner = view.bidder not in (view.seat, seat)
        worth = sum(_THIRDS[other] for _, other in view.trick)
        takes = card // 13 == best // 13 and _PLACE[card] < _PLACE[best]
        if with_partner and last:
            return 0.5 * _THIRDS[card] - (1.0 if _PLACE[card] < _ACE else 0.0)
        if takes and not with_partner and worth:
            return 1.0 + 0.1 * _PLACE[card]
        return -0.5 * _THIRDS[card] + 0.03 * _PLACE[card]


def _cheapness(card: Card) -> tuple[int, int]:
    """How little a card counts by itself."""
    return -_THIRDS[card] - (3 if _PLACE[card] < _ACE else 0), _PLACE[card]


LEVELS: Final[dict[str, Callable[[], Bot]]] = {
    "beginner": CalabresellaBeginner,
    "casual": CalabresellaCasual,
    "strong": CalabresellaStrong,
    "master": CalabresellaMaster,
}

__all__ = ["LEVELS", "CalabresellaBeginner", "CalabresellaCasual", "CalabresellaMaster", "CalabresellaStrong"]
