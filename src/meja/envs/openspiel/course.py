"""An episode whose chance is asked for, card by card, instead of drawn.

The core takes a whole pack, so the cards are gathered until it is complete; what lies beyond the cards that are
dealt is never asked for. A reshuffled pile is asked for in the same way, just before the draw that needs it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, MutableSequence, Sequence
from copy import copy
from functools import lru_cache
from typing import Any, Final

import numpy as np

from meja.cards import CARD_TEXT, Card, Rng, cards_text, quoted
from meja.deal import Chance, Deal, Layout
from meja.envs.core import MOST_DEALS, Options, Session
from meja.envs.encoding import NotAllowed, Vector, whole_number
from meja.envs.openspiel.bounds import most_decisions
from meja.envs.openspiel.knowledge import remembered, told
from meja.games import game, new_match
from meja.match import Match
from meja.messages import msg
from meja.view import View

#: The players that are none, by OpenSpiel's numbers.
CHANCE: Final = -1
TERMINAL: Final = -4

#: What an urn is drawn from for.
DEALER: Final = "dealer"
PACK: Final = "deal"
PILE: Final = "reshuffle"


class Asked(Exception):
    """A pile must be reshuffled, and its order is not known yet."""

    def __init__(self, cards: Sequence[Card]) -> None:
        super().__init__()
        self.cards = tuple(cards)


class _Asker:
    """The shuffler that only says what it was to shuffle."""

    def shuffle(self, items: MutableSequence[Any]) -> None:
        raise Asked(items)

    def clone(self) -> _Asker:
        return self

    def fork(self) -> _Asker:
        return self


ASKER: Final = _Asker()


class Urn:
    """Chance that is falling: what is left to be drawn, with how many there are of each, and what has been drawn."""

    __slots__ = ("kind", "left", "order", "size")

    def __init__(self, kind: str, items: Iterable[int], size: int) -> None:
        self.kind = kind
        self.left = Counter(items)
        self.order: list[int] = []
        self.size = size

    def outcomes(self) -> list[tuple[int, float]]:
        """Every outcome with its probability; equal cards are one outcome."""
        total = self.left.total()
        return [(item, number / total) for item, number in sorted(self.left.items())]

    def draw(self, item: int) -> bool:
        """Take an outcome; returns whether that was the last one wanted."""
        number = self.left.get(item, 0)
        if not number:
            raise NotAllowed(msg("{outcome} cannot be drawn now", outcome=quoted(self.text(item))))
        if number > 1:
            self.left[item] = number - 1
        else:
            del self.left[item]
        self.order.append(item)
        return len(self.order) == self.size

    def text(self, item: int) -> str:
        """The words of an outcome: ``deal As``, ``dealer 2``."""
        return f"{self.kind} {item if self.kind == DEALER else CARD_TEXT[item]}"

    def clone(self) -> Urn:
        """An urn that is drawn from by itself."""
        twin = copy(self)
        twin.left = self.left.copy()
        twin.order = self.order[:]
        return twin

    def redrawn(self, rng: Rng) -> Urn:
        """The same urn after as many draws, which nobody has seen."""
        items = [*self.left.elements(), *self.order]
        rng.shuffle(items)
        twin = Urn(self.kind, items, self.size)
        for item in items[: len(self.order)]:
            twin.draw(item)
        return twin


class Course(Session):
    """One episode from its beginning. ``moves`` are (player, action) so far, chance included."""

    def __init__(self, options: Options, dealer: int | None = None) -> None:
        super().__init__(options)
        self.moves: list[tuple[int, int]] = []
        self.urn: Urn | None = None
        #: The first dealer; ``None`` where chance has the first word.
        self.dealer = dealer
        #: The most decisions of one deal, and how many there were in this one.
        self.most = most_decisions(options.rules)
        self.decisions = 0
        self._pending: Any = None
        #: Views of the deal as it stands, by seat; what seats remember of deals that are over, by number and seat.
        self._seen: dict[int | None, View[Any]] = {}
        self._past: dict[tuple[int, int], str] = {}
        #: The words of the actions of the deal as far as they were asked for, as a seat heard them (``None``: all).
        self._heard: dict[int | None, list[str]] = {}
        self._deal = self.deal_class()
        self._dealt = sum(map(len, _places(self._deal, options.rules, 0)))
        self.match = self.new_match(0 if dealer is None else dealer)
        if dealer is None:
            self.urn = Urn(DEALER, range(self.seats), 1)
        else:
            self._ask_pack()

    # Reduced games are played by other classes.

    def deal_class(self) -> type[Deal[Any]]:
        """The class of the deals."""
        return game(self.options.rules.game).deal

    def new_match(self, dealer: int) -> Match:
        """The match of the episode."""
        return new_match(self.options.rules, dealer=dealer)

    # -- copies -------------------------------------------------------------------

    def clone(self) -> Course:
        """A course that goes on from here by itself."""
        twin = copy(self)
        twin.moves = self.moves[:]
        twin.urn = None if self.urn is None else self.urn.clone()
        twin.match = _copied(self.match)
        twin._past = self._past.copy()
        twin._heard = {seat: words[:] for seat, words in self._heard.items()}
        # Views never change, and what an encoding remembers of one is right for whoever asks.
        twin._seen = self._seen.copy()
        twin.codes = self.codes.fresh()
        return twin

    def __copy__(self) -> Course:
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin

    def __deepcopy__(self, memo: Any) -> Course:
        # A course that has not begun is never changed: see MejaState.
        return self.clone() if self.moves else self

    def __reduce__(self) -> Any:
        return _retold, (type(self), self.options, self.dealer, [action for _, action in self.moves])

    # -- the course ---------------------------------------------------------------

    @property
    def player(self) -> int:
        """Who moves next: a seat, ``CHANCE`` or ``TERMINAL``."""
        if self.urn is not None:
            return CHANCE
        return TERMINAL if self.to_act is None else self.to_act

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self.to_act is None and self.urn is None

    def apply(self, action: Any) -> None:
        """Take a decision of the seat to act, or an outcome of chance."""
        player = self.player
        if self.urn is not None:
            number = whole_number(action, 64)
            self._draw(self.urn, number)
        else:
            number = self.codes.number(action)
            self.step(number)
            self.decisions += 1
            if self.decisions >= self.most and self.to_act is not None:
                self._cut_off()
        self.moves.append((player, number))

    def start_deal(self, begin: Callable[[Match], Deal[Any]]) -> None:
        """Begin the next deal of the match: its cards are asked for first."""
        self._ask_pack()

    def step(self, action: Any) -> tuple[float, ...]:
        """As :meth:`Session.step`."""
        seat = self.to_act
        if seat is None:
            raise self._nobody()
        number, view = self.codes.number(action), self.view(seat)
        if number not in self.codes.allowed(view, self.prefix):
            raise self.codes.refusal(number)
        self.prefix, done = self.codes.take(view, self.prefix, number)
        return self.nothing if done is None else self.act(done)

    def act(self, action: Any) -> tuple[float, ...]:
        """As :meth:`Session.act`; an action that needs a reshuffle waits until its order is there."""
        match = self.match
        finished = len(match.deals)
        self.prefix = ()
        try:
            match.advance(action)
        except Asked as asked:
            # The core asks before it changes anything.
            self.urn = Urn(PILE, asked.cards, len(asked.cards))
            self._pending = action
            self.to_act = None
            return self.nothing
        self._seen = {}
        if len(match.deals) == finished:
            self.to_act = match.to_act
            return self.nothing
        self.to_act = None
        if match.winners is None and self.options.episode == "match":
            if len(match.deals) >= MOST_DEALS:
                self.truncated = True
            else:
                self._ask_pack()
        return self._pay(self._returns())

    def _ask_pack(self) -> None:
        self.urn = Urn(PACK, self._deal.pack(self.options.rules), self._dealt)

    def _draw(self, urn: Urn, item: int) -> None:
        if not urn.draw(item):
            return
        self.urn = None
        if urn.kind == DEALER:
            self.match = self.new_match(item)
            self._ask_pack()
        elif urn.kind == PACK:
            cards = [*urn.order, *sorted(urn.left.elements())]
            layout = self._deal.lay_out(self.options.rules, self.match.dealer, cards)
            self.match.next_deal(layout, rng=ASKER)
            self._begun = True
            self._seen, self._heard = {}, {}
            self.decisions = 0
            self.to_act = self.match.to_act
        else:
            deal: Any = self.deal
            deal.chance = Chance(ASKER, (urn.order,))
            pending, self._pending = self._pending, None
            self.act(pending)

    def _cut_off(self) -> None:
        """End the episode where it stands: a deal that is not over brings nothing."""
        self.truncated = True
        self.to_act, self.prefix = None, ()
        if self.options.episode == "match":
            self._pay(self._returns())

    # -- knowledge ----------------------------------------------------------------

    @property
    def dealing(self) -> bool:
        """Whether the cards of a deal are still being dealt; nobody looks at his before the last one lies there."""
        return self.urn is not None and self.urn.kind != PILE

    @property
    def begun(self) -> bool:
        """Whether there has been a deal to look at."""
        return self._begun

    def view(self, seat: int | None) -> View[Any]:
        """The view of a seat; the same object as long as nothing is done."""
        found = self._seen.get(seat)
        if found is None:
            found = self._seen[seat] = self.deal.view(seat)
        return found

    def observe(self, seat: int) -> Vector:
        """The observation of a seat."""
        out = np.zeros(self.codes.size, dtype=np.float32)
        self.codes.write(self.view(seat), self.own_prefix(seat), out)
        return out

    def ids(self) -> list[int]:
        """The ids that the seat to act may choose, ascending."""
        seat = self.to_act
        return [] if seat is None else self.codes.allowed(self.view(seat), self.prefix)

    def knowledge(self, seat: int) -> str:
        """All that a seat has seen and done, in order."""
        parts = [f"seat {seat}"]
        parts += [self._recalled(number, deal, seat) for number, deal in enumerate(self.match.deals)]
        if self.match.deal is not None:
            view = self.view(seat)
            parts.append(remembered(self.match.deal, view, self._words(seat, view.log)))
        if self.urn is not None:
            parts.append(f"{self.urn.kind}...")
        elif seat == self.to_act and self.prefix:
            parts.append(", ".join([self.codes.names[number] for number in self.prefix]))
        return " | ".join(parts)

    def _recalled(self, number: int, deal: Deal[Any], seat: int) -> str:
        found = self._past.get((number, seat))
        if found is None:
            view = deal.view(seat)
            found = self._past[number, seat] = remembered(deal, view, told(deal, view.log))
        return found

    def _words(self, seat: int | None, log: Sequence[tuple[int, Any]]) -> list[str]:
        """The words of the log of the deal in progress: what was said before is not said anew."""
        words = self._heard.setdefault(seat, [])
        words += told(self.deal, log[len(words) :])
        return words

    def resampled(self, seat: int, rng: Rng) -> Course:
        """A course that ``seat`` cannot tell from this one, by chance among all such; with moves that lead there.

        What another seat has begun, and not done yet, nobody else knows of: there it has not begun.
        """
        twin = self.clone()
        if self.prefix and seat != self.to_act:
            del twin.moves[-len(self.prefix) :]
            twin.decisions -= len(self.prefix)
            twin.prefix = ()
        twin._seen, twin._past, twin._heard = {}, {}, {}
        outcomes: list[int] = []
        if self.dealer is None and self.moves:
            outcomes.append(self.moves[0][1])
        deals: list[Deal[Any]] = [deal.view(seat).determinize(rng) for deal in self.match.deals]
        twin.match.deals = deals[:]
        if self.match.deal is not None:
            world: Any = self.view(seat).determinize(rng)
            if world.reshuffles_piles:
                world.chance = Chance(ASKER)
            twin.match.deal = world
            deals.append(world)
        for deal in deals:
            outcomes += self._dealt_order(deal, rng)
            for order in deal.reshuffles():
                outcomes += order
        if self.urn is not None:
            twin.urn = self.urn.redrawn(rng)
            outcomes += twin.urn.order
        following, chosen = iter(outcomes), iter(self._chosen(deals))
        twin.moves = [(player, next(following if player == CHANCE else chosen)) for player, _ in twin.moves]
        return twin

    def _chosen(self, deals: Sequence[Deal[Any]]) -> list[int]:
        """The decisions of the players in deals that were imagined: cards laid away unseen may be others there."""
        actions = [action for deal in deals for _, action in deal.actions()]
        if actions == [action for deal in self.match for _, action in deal.actions()]:
            return [action for player, action in self.moves if player != CHANCE]
        # Only the trick games have such actions, and there each is one id.
        ids = {name: number for number, name in enumerate(self.codes.names)}
        return [ids[self._deal.text(action)] for action in actions]

    def _dealt_order(self, deal: Deal[Any], rng: Rng) -> list[Card]:
        """An order of the pack by chance that is dealt as ``deal`` was."""
        layout = deal.layout()
        order = [0] * self._dealt
        heaps = [list(heap) for heap in _heaps(layout)]
        for hand in heaps[: deal.rules.seats]:
            rng.shuffle(hand)
        for places, cards in zip(_places(self._deal, deal.rules, deal.dealer), heaps, strict=True):
            for place, card in zip(places, cards, strict=True):
                order[place] = card
        return order

    # -- words --------------------------------------------------------------------

    def outcome_text(self, action: int) -> str:
        """The words of a chance outcome."""
        urn = self.urn
        if urn is None or (urn.kind == DEALER and action >= self.seats):
            return CARD_TEXT[action]
        return urn.text(action)

    def __str__(self) -> str:
        options = self.options
        lines = [f"{options.rules}, {options.episode}, {options.reward}"]
        for number, deal in enumerate(self.match, 1):
            lines.append(f"deal {number}, dealer {deal.dealer}")
            layout = deal.layout()
            lines += [f"hand {seat}: {cards_text(hand)}" for seat, hand in enumerate(layout.hands)]
            if layout.monte:
                lines.append(f"monte: {cards_text(layout.monte)}")
            if layout.upcard is not None:
                lines += [f"upcard: {CARD_TEXT[layout.upcard]}", f"stock: {cards_text(layout.stock)}"]
            lines += [f"reshuffle: {cards_text(order)}" for order in deal.reshuffles()]
            actions = deal.actions()
            if actions:
                words = self._words(None, actions) if deal is self.match.deal else told(deal, actions)
                lines.append("; ".join(words))
        if self.urn is not None:
            drawn = [self.urn.text(item) for item in self.urn.order]
            lines.append(f"{self.urn.kind}: {', '.join(drawn)}")
        if self.prefix:
            lines.append(f"{self.to_act} begins: {', '.join([self.codes.names[number] for number in self.prefix])}")
        if self.over:
            lines.append(f"over: {' '.join([f'{value:g}' for value in self.returns])}")
        return "\n".join(lines)


def _retold(made: type[Course], options: Options, dealer: int | None, actions: list[int]) -> Course:
    """A course from its moves: how it is pickled."""
    course = made(options, dealer)
    for action in actions:
        course.apply(action)
    return course


def _copied(match: Match) -> Match:
    """A match that goes on by itself; deals that are over never change."""
    twin = copy(match)
    twin.deals = match.deals[:]
    twin.deal = None if match.deal is None else match.deal.clone()
    return twin


@lru_cache(maxsize=256)
def _places(made: type[Deal[Any]], rules: Any, dealer: int) -> tuple[tuple[int, ...], ...]:
    """Where in the pack the cards of each hand, the monte, the upcard and the stock lie."""
    return _heaps(made.lay_out(rules, dealer, tuple(range(len(made.pack(rules))))))


def _heaps(layout: Layout) -> tuple[tuple[int, ...], ...]:
    upcard = () if layout.upcard is None else (layout.upcard,)
    return (*layout.hands, layout.monte, upcard, layout.stock)


class Retold:
    """Moves that are told again to a state, without being played."""

    def __init__(self, moves: Sequence[tuple[int, int]]) -> None:
        self.moves = moves
        self.told = 0

    @property
    def player(self) -> int:
        """Who made the next move."""
        return self.moves[self.told][0]

    def apply(self, action: int) -> None:
        """Pass over a move."""
        self.told += 1
