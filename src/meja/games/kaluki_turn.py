"""A turn of Kaluki: its actions, whether it can still be ended, and the list of what is legal.

Everything here is a pure function of what the seat to act knows: its own hand, the table
and what it did in this turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, overload

from meja.cards import BIT, JOKER, Card, Rng
from meja.games.melds import Meld, MeldRules, added, additions, melds_with, swapped, swaps, take_out, worth

DRAW: Final = 0
TAKE: Final = 1
MELD: Final = 2
OPEN: Final = 3
ADD: Final = 4
SWAP: Final = 5
DISCARD: Final = 6
VERBS: Final = ("draw", "take", "meld", "open", "add", "swap", "discard")

NO_CARD: Final = -1


class Move(NamedTuple):
    """One action: a verb (:data:`DRAW` ...) and what it needs; the other fields keep their defaults.

    ``melds``: for ``take`` (before opening), ``meld`` and ``open``. ``card``: for ``add``, ``swap`` and
    ``discard``. ``stands``: what an added joker stands for, a card or ``RANK + rank``. ``meld``: the
    number of a meld on the table, for ``add`` and ``swap``.
    """

    verb: int
    melds: tuple[Meld, ...] = ()
    card: Card = NO_CARD
    stands: int = -1
    meld: int = -1


DRAW_MOVE: Final = Move(DRAW)
TAKE_MOVE: Final = Move(TAKE)
DISCARDS: Final = tuple(Move(DISCARD, (), card) for card in range(JOKER + 1))


class TurnRules(NamedTuple):
    """What a turn needs of the options."""

    melds: MeldRules
    #: The last card must be discarded.
    last_discard: bool
    #: A card taken must be laid.
    must_use: bool
    #: A swapped joker must be laid in the same turn.
    swap_owes: bool


class Turn(NamedTuple):
    """What decides how a turn may go on, once the seat has opened and drawn. Hashable."""

    one: int
    two: int
    jokers: int
    size: int
    #: The card taken from the discard pile, or -1.
    taken: Card
    #: Whether the hand held an equal card when it was taken.
    held: bool
    #: Whether a card equal to it was laid since.
    laid: bool
    #: Swapped jokers that are not yet on the table again.
    owed: int
    table: tuple[Meld, ...]

    def may_end(self, rules: TurnRules) -> bool:
        """Whether the turn can end now: the hand is empty, or some card may be discarded."""
        if not self.size:
            return not rules.last_discard
        if self.owed:
            return False
        if self.taken < 0 or self.laid:
            return True
        if rules.must_use:
            return False
        return self.held or self.size > self._copies()

    def _copies(self) -> int:
        taken = self.taken
        return self.jokers if taken == JOKER else (self.one >> taken & 1) + (self.two >> taken & 1)

    def after(self, cards: Sequence[Card], table: tuple[Meld, ...]) -> Turn | None:
        """The turn after ``cards`` were laid so that ``table`` lies now; ``None`` if they are not held."""
        left = take_out(self.one, self.two, self.jokers, cards)
        if left is None:
            return None
        return self.paid(cards, left, table)

    def paid(self, cards: Sequence[Card], left: tuple[int, int, int], table: tuple[Meld, ...]) -> Turn:
        """As :meth:`after`, where the hand that is ``left`` is known already."""
        taken, laid, owed = self.taken, self.laid, self.owed
        jokers = self.jokers - left[2]
        if jokers:
            pays = min(jokers, owed)
            owed -= pays
            laid = laid or (taken == JOKER and jokers > pays)
        if 0 <= taken < JOKER and not laid:
            laid = taken in cards
        return Turn(*left, self.size - len(cards), taken, self.held, laid, owed, table)


def can_end(turn: Turn, rules: TurnRules, swappable: int, memo: dict[Turn, bool] | None = None) -> bool:
    """Whether some continuation ends the turn: an exact search, remembered in ``memo``.

    ``swappable`` has a bit for every meld that the seat may take a joker from, as soon as it holds one.

    What is searched is complete, though it leaves out melds of natural cards that are not the card
    taken: cards added to a meld laid in this turn might as well be laid with it, and a natural card
    that is not needed serves best as the discard. A joker that was laid in this turn may be swapped back.
    """
    if turn.may_end(rules):
        return True
    if not turn.size:
        return False
    if memo is None:
        memo = {}
    known = memo.get(turn)
    if known is None:
        known = memo[turn] = any(
            can_end(after, rules, swappable, memo) for after in _continuations(turn, rules, swappable)
        )
    return known


def _continuations(turn: Turn, rules: TurnRules, swappable: int) -> Iterator[Turn]:
    """The turns after one more action that may help to end it, the likely ones first."""
    table, taken = turn.table, turn.taken
    melds = rules.melds
    wants_taken = 0 <= taken < JOKER and not turn.laid
    wants_joker = turn.owed > 0 or (taken == JOKER and not turn.laid)
    if wants_taken:
        for index, meld in enumerate(table):
            result = added(meld, taken, -1, melds)
            if result is not None:
                yield _lay(turn, taken, index, result)
            if swappable >> index & 1:
                result = swapped(meld, taken, melds)
                if result is not None:
                    yield _swap(turn, taken, index, result, rules)
        yield from _new_melds(turn, taken, rules)
        if rules.must_use:
            # What leads to the card taken never needs a joker to be laid elsewhere, so that can wait.
            wants_joker = False
    if wants_joker and turn.jokers:
        for index, meld in enumerate(table):
            for card, _, result in additions(meld, melds):
                if card == JOKER:
                    yield _lay(turn, JOKER, index, result)
        yield from _new_melds(turn, JOKER, rules)
    # Other cards make room for a joker, or lead a run up to the card taken.
    for index, meld in enumerate(table):
        if not wants_joker and meld.suit != taken // 13:
            continue
        for card, _, result in additions(meld, melds):
            if card == JOKER:
                if turn.jokers and not wants_joker:
                    yield _lay(turn, JOKER, index, result)
            elif turn.one & BIT[card] and not (wants_taken and card == taken):
                yield _lay(turn, card, index, result)
    for index, meld in enumerate(table):
        if swappable >> index & 1:
            for card, result in swaps(meld, melds):
                if turn.one & BIT[card] and not (wants_taken and card == taken):
                    yield _swap(turn, card, index, result, rules)


def _lay(turn: Turn, card: Card, index: int, result: Meld) -> Turn:
    after = turn.after((card,), (*turn.table[:index], result, *turn.table[index + 1 :]))
    assert after is not None
    return after


def _swap(turn: Turn, card: Card, index: int, result: Meld, rules: TurnRules) -> Turn:
    return swap_turn(_lay(turn, card, index, result), rules)


def swap_turn(laid: Turn, rules: TurnRules) -> Turn:
    """The turn after a swap whose natural card has been laid: the joker comes into the hand."""
    if rules.swap_owes:
        return laid._replace(jokers=laid.jokers + 1, size=laid.size + 1, owed=laid.owed + 1)
    # Where a joker may be kept, it is another copy beside one that was taken from the pile.
    return laid._replace(jokers=laid.jokers + 1, size=laid.size + 1, held=laid.held or laid.taken == JOKER)


def _new_melds(turn: Turn, card: Card, rules: TurnRules) -> Iterator[Turn]:
    for meld in melds_with(card, turn.one, turn.two, turn.jokers, rules.melds):
        after = turn.after(meld.cards, (*turn.table, meld))
        if after is not None:
            yield after


# -- melds that open together -------------------------------------------------------


class Openings(NamedTuple):
    """All ways to open with melds of a hand: every combination once, its melds in ascending order.

    Only combinations that need every meld are meant: with any one left out, the rest would not open (or
    not hold the card taken). Others can be reached by laying the rest afterwards.
    """

    melds: Sequence[Meld]
    worths: Sequence[int]
    hand: tuple[int, int, int]
    size: int
    points: int
    #: The card that must be in one of the melds, or -1.
    taken: Card
    #: The least and the largest number of melds.
    least: int
    most: int
    #: How many cards must stay in the hand.
    keep: int
    #: An upper bound of what the whole hand is worth on the table.
    value: int

    @classmethod
    def of(
        cls,
        melds: Sequence[Meld],
        hand: tuple[int, int, int],
        size: int,
        points: int,
        rules: TurnRules,
        *,
        taken: Card = NO_CARD,
        least: int = 1,
        most: int = 99,
    ) -> Openings:
        """The openings with some of ``melds``, which are all that the hand can lay."""
        values = rules.melds.set_values
        one, two, jokers = hand
        value = jokers * max(values)
        for rank in range(13):
            column = (one >> rank & _COLUMN).bit_count() + (two >> rank & _COLUMN).bit_count()
            value += column * values[rank]
        worths = [worth(meld, rules.melds) for meld in melds]
        return cls(melds, worths, hand, size, points, taken, least, most, int(rules.last_discard), value)

    def combinations(self) -> Iterator[tuple[Meld, ...]]:
        """The combinations, ascending."""
        if self.value >= self.points:
            yield from self._extend((), 0, self.hand, self.size, 0, self.taken < 0, self.value)

    def _extend(
        self,
        chosen: tuple[int, ...],
        start: int,
        hand: tuple[int, int, int],
        size: int,
        total: int,
        has: bool,
        value: int,
    ) -> Iterator[tuple[Meld, ...]]:
        for index in range(start, len(self.melds)):
            yield from self._with(chosen, index, hand, size, total, has, value)

    def _with(
        self,
        chosen: tuple[int, ...],
        index: int,
        hand: tuple[int, int, int],
        size: int,
        total: int,
        has: bool,
        value: int,
    ) -> Iterator[tuple[Meld, ...]]:
        """The combinations that go on from ``chosen`` with the meld at ``index``."""
        meld = self.melds[index]
        left = take_out(*hand, meld.cards)
        if left is None:
            return
        points = total + self.worths[index]
        rest = value - self.worths[index]
        holds = has or self.taken in meld.cards
        remain = size - len(meld.cards)
        combination = (*chosen, index)
        if points >= self.points and holds:
            if len(combination) >= self.least and remain >= self.keep and self.needs_all(combination):
                yield tuple([self.melds[i] for i in combination])
        elif len(combination) < self.most and total + value >= self.points:
            yield from self._extend(combination, index, left, remain, points, holds, rest)

    def leads_on(
        self,
        chosen: tuple[int, ...],
        index: int,
        hand: tuple[int, int, int],
        size: int,
        total: int,
        has: bool,
        value: int,
    ) -> bool:
        """Whether some combination begins with ``chosen`` and the meld at ``index``.

        ``hand``, ``size``, ``total``, ``has`` and ``value`` tell what is left after ``chosen``: the cards, their
        number, the points made, whether the card taken was laid, and the most that the rest can make.
        """
        return next(self._with(chosen, index, hand, size, total, has, value), None) is not None

    def opens(self, combination: Sequence[int]) -> bool:
        """Whether the melds at these places of ``melds`` open."""
        return sum(self.worths[i] for i in combination) >= self.points and (
            self.taken < 0 or any(self.taken in self.melds[i].cards for i in combination)
        )

    def needs_all(self, combination: Sequence[int]) -> bool:
        """Whether none of the melds could be left out."""
        return len(combination) == 1 or not any(
            self.opens([*combination[:place], *combination[place + 1 :]]) for place in range(len(combination))
        )

    def sample(self, rng: Rng) -> tuple[Meld, ...] | None:
        """Some combination by chance, without listing them; ``None`` if there is none."""
        if not self.melds:
            return None
        for _ in range(_TRIES):
            chosen: list[int] = []
            hand, size = self.hand, self.size
            while not self.opens(chosen) and len(chosen) < self.most:
                # A blind pick often does not fit any more; a few picks are cheaper than a list of what fits.
                for _ in range(_TRIES):
                    index = rng.below(len(self.melds))
                    left = take_out(*hand, self.melds[index].cards)
                    if left is not None:
                        chosen.append(index)
                        hand, size = left, size - len(self.melds[index].cards)
                        break
                else:
                    break
            if not self.opens(chosen):
                continue
            chosen.sort()
            for index in list(chosen):
                without = list(chosen)
                without.remove(index)
                if self.opens(without):
                    chosen = without
                    size += len(self.melds[index].cards)
            if len(chosen) >= self.least and size >= self.keep:
                return tuple(self.melds[i] for i in chosen)
        return next(self.combinations(), None)


_COLUMN: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
_TRIES: Final = 12


class LegalActions(Sequence[Move]):
    """The legal actions, sorted, where some open with several melds together.

    Those combinations can be many, so they are drawn as they are asked for; ``len`` and an index
    need all of them. Listed is every combination once, in ascending order of its melds, and only
    those in which no meld could be left out (:class:`Openings`). The game accepts more than is
    listed: the same melds in any other order, and more melds at once than the opening needs. The
    order only numbers the melds, and what is over can be laid by ``meld`` right afterwards.
    """

    __slots__ = ("_after", "_all", "_before", "_openings", "_verb")

    def __init__(self, before: Sequence[Move], verb: int, openings: Openings, after: Sequence[Move]) -> None:
        """``before`` and ``after``: the actions that sort before and after the openings by ``verb``."""
        self._before = tuple(before)
        self._after = tuple(after)
        self._verb = verb
        self._openings = openings
        self._all: tuple[Move, ...] | None = None

    @property
    def plain(self) -> tuple[Move, ...]:
        """The actions other than the openings that are listed as they are asked for."""
        return self._before + self._after

    @property
    def openings(self) -> Openings:
        """The melds that can open, and their combinations."""
        return self._openings

    def __iter__(self) -> Iterator[Move]:
        if self._all is not None:
            yield from self._all
            return
        yield from self._before
        for melds in self._openings.combinations():
            yield Move(self._verb, melds)
        yield from self._after

    def _list(self) -> tuple[Move, ...]:
        if self._all is None:
            self._all = tuple(iter(self))
        return self._all

    def __len__(self) -> int:
        return len(self._list())

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None

    @overload
    def __getitem__(self, index: int) -> Move: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Move]: ...

    def __getitem__(self, index: int | slice) -> Move | Sequence[Move]:
        if isinstance(index, int) and 0 <= index < len(self._before):
            return self._before[index]
        return self._list()[index]

    def __contains__(self, action: object) -> bool:
        if type(action) is not Move:
            return False
        if action.verb != self._verb or action in self._before:
            return action in self._before or action in self._after
        openings = self._openings
        places = {meld: index for index, meld in enumerate(openings.melds)}
        try:
            combination = [places[meld] for meld in action.melds]
        except (KeyError, TypeError):
            return False
        if combination != sorted(combination) or action != Move(self._verb, action.melds):
            return False
        if not openings.least <= len(combination) <= openings.most or not openings.opens(combination):
            return False
        cards = [card for meld in action.melds for card in meld.cards]
        return (
            openings.size - len(cards) >= openings.keep
            and take_out(*openings.hand, cards) is not None
            and openings.needs_all(combination)
        )

    def sample(self, rng: Rng) -> Move:
        """One of the actions by chance. All combinations together are as likely as one other action."""
        plain = len(self._before) + len(self._after)
        pick = rng.below(plain + 1)
        if pick == plain:
            melds = self._openings.sample(rng)
            if melds is not None:
                return Move(self._verb, melds)
            pick = rng.below(plain)
        return self._before[pick] if pick < len(self._before) else self._after[pick - len(self._before)]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LegalActions | tuple | list):
            return tuple(self) == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<legal actions: {len(self._before) + len(self._after)} and openings>"


def sample(legal: Sequence[Any], rng: Rng) -> Any:
    """One of the legal actions by chance, whatever kind of sequence they come in."""
    draw = getattr(legal, "sample", None)
    return legal[rng.below(len(legal))] if draw is None else draw(rng)
