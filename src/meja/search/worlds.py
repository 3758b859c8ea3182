"""Drawing hidden hands fast: uniform over all ways that agree with a view, or weighed by how the others have played.

``meja.worlds`` says what is drawn and why it is exact; this is the same, prepared once for a view and then drawn from
many times. Where the places of the groups of hidden cards are nested, slots are drawn one after the other. Otherwise a
table of the ways to spread the groups over the places is made, and a spread is drawn by its exact share of the ways.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from math import comb
from typing import Any, Final

import meja.search.bits as bits
from meja.errors import MejaError
from meja.messages import msg
from meja.search.dice import Dice
from meja.search.policies import Policy, exponential
from meja.search.tricks import Tricks
from meja.worlds import is_nested, splits

try:
    import cython
except ImportError:
    from meja.search import uncompiled as cython

#: Most places, and most states and ways of a table.
_PLACES: Final = 8
_NODES: Final = 4096
_WAYS: Final = 32768
#: Most cards and plays of a deal.
_CARDS: Final = 64

_ONE: Final = 1
_UNIT: Final = 1.0 / 4294967296.0
_BYTE: Final = 255
_SEAT: Final = 3
_SEATS: Final = 7
#: How much of a likelihood is given to a player who plays anything.
_ANYTHING: Final = 0.1
#: Worlds that are kept of a draw, and how many times as many are drawn.
_KEPT: Final = 32
_TIMES: Final = 5
_DRAWS: Final = 160
#: Mixed into the seed of a draw, so that it does not repeat the stream of a world.
_SOFT: Final = 0x2545F4914F6CDD1D


class Ways:
    """The ways to spread groups of cards over places: a state per (group, room left), its splits and their shares."""

    def __init__(self, groups: Sequence[tuple[int, Sequence[int]]], room: Sequence[int]) -> None:
        """Count all ways; ``groups`` without those that may lie anywhere.

        Raises :class:`~meja.errors.MejaError` where there are too many to be listed.
        """
        memo: dict[tuple[int, tuple[int, ...]], int] = {}

        def ways(index: int, rooms: tuple[int, ...]) -> int:
            if index == len(groups):
                total, product = sum(rooms), 1
                for place in rooms:
                    product *= comb(total, place)
                    total -= place
                return product
            key = (index, rooms)
            known = memo.get(key)
            if known is None:
                places, cards = groups[index]
                known = sum(weight * ways(index + 1, rest) for weight, rest in splits(places, len(cards), rooms))
                memo[key] = known
            return known

        start = (0, tuple(room))
        number = {start: 0}
        queue = [start]
        first: list[int] = []
        upto: list[float] = []
        following: list[int] = []
        takes: list[int] = []
        for index, rooms in queue:
            first.append(len(upto))
            if index == len(groups):
                continue
            places, cards = groups[index]
            total, counted = ways(index, rooms), 0
            for weight, rest in splits(places, len(cards), rooms):
                share = weight * ways(index + 1, rest)
                if not share:
                    continue
                counted += share
                key = (index + 1, rest)
                if key not in number:
                    number[key] = len(queue)
                    queue.append(key)
                upto.append(counted / total)
                following.append(number[key])
                takes.append(sum((rooms[place] - rest[place]) << (8 * place) for place in range(len(rooms))))
            if len(queue) > _NODES or len(upto) > _WAYS:
                raise MejaError(msg("too many ways to spread the hidden cards"))
        first.append(len(upto))
        self.first = _padded(first, _NODES + 1)
        self.upto = [*upto, *([1.0] * (_WAYS - len(upto)))]
        self.following = _padded(following, _WAYS)
        self.takes = _padded(takes, _WAYS)


class Worlds:
    """Draws worlds. After :meth:`draw`, ``drawn`` holds the mask of the cards of each place."""

    def __init__(self, groups: Sequence[tuple[int, Sequence[int]]], room: Sequence[int]) -> None:
        """``groups`` and ``room`` as in :func:`meja.worlds.deal_hidden`.

        Raises :class:`~meja.errors.MejaError` where no world agrees with them.
        """
        full = (1 << len(room)) - 1
        merged: dict[int, list[int]] = {}
        for places, cards in groups:
            if cards:
                merged.setdefault(places & full, []).extend(cards)
        free = merged.pop(full, [])
        ordered = sorted(merged.items(), key=_narrow_first)
        laid = [card for _, cards in ordered for card in cards] + free
        if len(laid) != sum(room) or not _possible(ordered, room):
            raise MejaError(msg("no world agrees with what is known: the hidden cards cannot be placed"))
        self.places = len(room)
        self.room = _padded(room, _PLACES)
        self.left = _padded(room, _PLACES)
        self.drawn = _padded((), _PLACES)
        self.groups = len(ordered)
        self.allowed = _padded([places for places, _ in ordered], _CARDS)
        starts, end = [0], 0
        for _, cards in ordered:
            end += len(cards)
            starts.append(end)
        self.start = _padded(starts, _CARDS)
        self.size = len(laid)
        self.cards = _padded(laid, _CARDS)
        self.slots = _padded((), _CARDS)
        self.nested = int(is_nested(ordered))
        self.ways: Any = None if self.nested else Ways(ordered, room)

    def draw(self, dice: Dice) -> None:
        """Draw a world into ``drawn``."""
        for place in range(self.places):
            self.left[place] = self.room[place]
            self.drawn[place] = 0
        if self.nested:
            for group in range(self.groups):
                self.fill_slots(group, dice)
        else:
            self.fill_ways(dice)
        self.fill_rest(dice)

    def fill_slots(self, group: int, dice: Dice) -> None:
        """Put a group's cards into slots drawn evenly from those still open in its places."""
        count = 0
        for place in range(self.places):
            if self.allowed[group] >> place & 1:
                for _ in range(self.left[place]):
                    self.slots[count] = place
                    count += 1
        for index in range(self.start[group], self.start[group + 1]):
            pick = dice.below(count)
            count -= 1
            place = self.slots[pick]
            self.slots[pick] = self.slots[count]
            self.drawn[place] |= _ONE << self.cards[index]
            self.left[place] -= 1

    def fill_ways(self, dice: Dice) -> None:
        """Walk through the table of ways, and shuffle each group into its split."""
        node = 0
        for group in range(self.groups):
            share = dice.unit()
            share += dice.unit() * _UNIT
            low = self.ways.first[node]
            high = self.ways.first[node + 1] - 1
            while low < high:
                middle = (low + high) // 2
                if self.ways.upto[middle] > share:
                    high = middle
                else:
                    low = middle + 1
            self.shuffle(self.start[group], self.start[group + 1], dice)
            index = self.start[group]
            for place in range(self.places):
                count = self.ways.takes[low] >> (8 * place) & _BYTE
                self.left[place] -= count
                for _ in range(count):
                    self.drawn[place] |= _ONE << self.cards[index]
                    index += 1
            node = self.ways.following[low]

    def fill_rest(self, dice: Dice) -> None:
        """Shuffle the cards that may lie anywhere into the room that is left."""
        index = self.start[self.groups]
        last = self.size
        for place in range(self.places - 1):
            for _ in range(self.left[place]):
                pick = index + dice.below(last - index)
                card = self.cards[pick]
                self.cards[pick] = self.cards[index]
                self.cards[index] = card
                self.drawn[place] |= _ONE << card
                index += 1
        while index < last:
            self.drawn[self.places - 1] |= _ONE << self.cards[index]
            index += 1

    def shuffle(self, start: int, end: int, dice: Dice) -> None:
        """Shuffle the cards from ``start`` to before ``end``."""
        last = end - 1
        while last > start:
            other = start + dice.below(last - start + 1)
            card = self.cards[last]
            self.cards[last] = self.cards[other]
            self.cards[other] = card
            last -= 1

    def masks(self) -> list[int]:
        """The cards of each place as drawn."""
        return [self.drawn[place] for place in range(self.places)]


class Dealer:
    """Deals the hidden cards of a view of a trick game into positions.

    ``seen`` is the position as its seat knows it: without the cards of the others.
    """

    def __init__(self, view: Any) -> None:
        """Prepare for a view of the play. Raises :class:`~meja.errors.MejaError` before it, and for other games."""
        known = view.known()
        hidden = view.hidden()
        self.seen = Tricks()
        self.seen.load(known)
        self.worlds = Worlds(hidden.groups, hidden.room)
        self.me = -1 if view.seat is None else view.seat
        self.hidden = len(hidden.seats)
        self.seat_at = _padded(hidden.seats, _PLACES)
        self.plays = 0
        log = [card << _SEAT | seat for seat, card in known.plays()]
        self.plays = len(log)
        self.log = _padded(log, _CARDS)
        self.opening = Tricks()
        self.opening.load(known)
        self.past = Tricks()
        self._go_back()
        self.past.copy(self.opening)

    def _go_back(self) -> None:
        """Make ``opening`` the position before the first card, as far as it is known."""
        start = self.opening
        for seat in range(start.seats):
            start.hands[seat] = start.hands[seat] | start.played[seat]
            start.played[seat] = 0
            start.won[seat] = 0
            start.taken[seat] = 0
            start.tricks[seat] = 0
        if self.plays:
            start.turn = self.log[0] & _SEATS
            start.leader = start.turn
        start.in_trick = 0
        start.pile = 0
        start.suit = 0
        start.led = 0
        if start.kind == 2 and start.trump >= 0:
            for card in range(start.trump * 13, start.trump * 13 + 13):
                start.power[card] -= 16
            start.trump = -1

    def deal(self, game: Tricks, dice: Dice) -> None:
        """Make ``game``, a copy of ``seen``, the same position with a world drawn into it."""
        self.worlds.draw(dice)
        self.put(game, self.seen)

    def put(self, game: Tricks, start: Tricks) -> None:
        """Put the world that was drawn last into a copy of ``start``."""
        game.rewind(start)
        held = 0
        for place in range(self.hidden):
            game.hands[self.seat_at[place]] = self.worlds.drawn[place] | start.hands[self.seat_at[place]]
            held |= self.worlds.drawn[place]
        game.rest = start.rest & ~held
        if game.kind == 1:
            game.last = 3
            rest = game.rest
            while rest:
                game.last += game.worth[bits.lowest(rest)]
                rest &= rest - 1

    def likelihood(self, policy: Policy, temperature: float) -> float:
        """How likely the others' plays are in the world drawn last, if they choose by the scores of ``policy``.

        A play counts 0.9 of its share of ``exp(score / temperature)`` and 0.1 of an even choice, so that no world is
        thrown away for one odd card (the inference of Rebstock, Solinas and Buro for Skat, 2019).
        """
        self.put(self.past, self.opening)
        total = 1.0
        for index in range(self.plays):
            seat = self.log[index] & _SEATS
            card = self.log[index] >> _SEAT
            if seat != self.me:
                legal = self.past.legal()
                if legal & (legal - 1) != 0:
                    total *= self.chance(policy, temperature, card, legal)
            self.past.play(card)
        return total

    def chance(self, policy: Policy, temperature: float, card: int, legal: int) -> float:
        """The chance of one play."""
        count = bits.popcount(legal)
        mine = policy.value(self.past, card)
        top = mine
        left = legal
        index = 0
        while left:
            other = bits.lowest(left)
            left &= left - 1
            policy.scores[index] = policy.value(self.past, other)
            if policy.scores[index] > top:
                top = policy.scores[index]
            index += 1
        total = 0.0
        for place in range(index):
            total += exponential((policy.scores[place] - top) / temperature)
        return (1.0 - _ANYTHING) * exponential((mine - top) / temperature) / total + _ANYTHING / count


class Inference:
    """Draws worlds that explain the others' plays more often than those that do not.

    Many worlds are drawn evenly, and some are kept by systematic resampling with :meth:`Dealer.likelihood` for a
    weight; what is known for certain stays so, and no world that is possible is ever ruled out. Weights that would
    leave less than half as many different worlds as are kept (by their effective number) are flattened.
    """

    def __init__(self, dealer: Dealer, policy: Policy, temperature: float = 0.3) -> None:
        """``policy`` and ``temperature``: how the others are thought to choose.

        Raises :class:`~meja.errors.MejaError` for a temperature of 0 or below.
        """
        if not temperature > 0:
            raise MejaError(msg("a temperature above 0 is needed, not {found}", found=temperature))
        self.dealer = dealer
        self.policy: Any = policy
        self.temperature = temperature
        self.drawn = [0 for _ in range(1280)]
        self.weights = [0.0 for _ in range(160)]
        self.kept = [0 for _ in range(32)]
        self.filled = -1

    def deal(self, game: Tricks, dice: Dice, seed: int, number: int) -> None:
        """World ``number``: what ``seed`` and ``number`` alone make of it. Changes ``dice``."""
        batch = number // _KEPT
        if batch != self.filled:
            dice.seed(seed ^ _SOFT, batch)
            self.fill(dice)
            self.filled = batch
        world = self.kept[number % _KEPT]
        for place in range(self.dealer.worlds.places):
            self.dealer.worlds.drawn[place] = self.drawn[world * _PLACES + place]
        self.dealer.put(game, self.dealer.seen)

    def fill(self, dice: Dice) -> None:
        """Draw the next worlds and choose those that are kept."""
        for world in range(_DRAWS):
            self.dealer.worlds.draw(dice)
            for place in range(self.dealer.worlds.places):
                self.drawn[world * _PLACES + place] = self.dealer.worlds.drawn[place]
            self.weights[world] = self.dealer.likelihood(self.policy, self.temperature)
        for _ in range(6):
            if self.effective() * 2.0 >= _KEPT:
                break
            for world in range(_DRAWS):
                self.weights[world] = math.sqrt(self.weights[world])
        total = 0.0
        for world in range(_DRAWS):
            total += self.weights[world]
        step = total / _KEPT
        at = dice.unit() * step
        reached = 0.0
        count = 0
        for world in range(_DRAWS):
            reached += self.weights[world]
            while at < reached and count < _KEPT:
                self.kept[count] = world
                count += 1
                at += step
        while count < _KEPT:
            self.kept[count] = _DRAWS - 1
            count += 1

    def effective(self) -> float:
        """How many worlds of equal weight would be as good as those drawn."""
        total = 0.0
        squares = 0.0
        for world in range(_DRAWS):
            total += self.weights[world]
            squares += self.weights[world] * self.weights[world]
        return total * total / squares if squares > 0.0 else 0.0


def draw_worlds(view: Any, count: int, dice: Dice) -> list[list[int]]:
    """``count`` uniform draws for a view of the play of a trick game: by place, as in ``view.hidden()``, a mask."""
    worlds = Worlds(view.hidden().groups, view.hidden().room)
    found = []
    for _ in range(count):
        worlds.draw(dice)
        found.append(worlds.masks())
    return found


def spin(worlds: Worlds, dice: Dice, count: int) -> int:
    """Draw ``count`` worlds and forget them; a checksum. For measuring."""
    with cython.nogil:
        total = _spin(worlds, dice, count)
    return total


def _spin(worlds: Worlds, dice: Dice, count: int) -> int:
    total = 0
    for _ in range(count):
        worlds.draw(dice)
        for place in range(worlds.places):
            total ^= worlds.drawn[place] >> place
    return total


def soft_worlds(
    view: Any, count: int, policy: Policy, temperature: float, dice: Dice, times: int = 5
) -> list[list[int]]:
    """``count`` worlds resampled from ``times`` as many by how well they explain the others' plays.

    Systematic resampling, so that a world comes about as often as its weight says.
    Raises :class:`~meja.errors.MejaError` for a temperature of 0 or below.
    """
    if not temperature > 0:
        raise MejaError(msg("a temperature above 0 is needed, not {found}", found=temperature))
    dealer = Dealer(view)
    drawn, weights = [], []
    for _ in range(count * times):
        dealer.worlds.draw(dice)
        drawn.append(dealer.worlds.masks())
        weights.append(dealer.likelihood(policy, temperature))
    step = sum(weights) / count
    at, reached = dice.unit() * step, 0.0
    found: list[list[int]] = []
    for world, weight in zip(drawn, weights, strict=True):
        reached += weight
        while at < reached and len(found) < count:
            found.append(world)
            at += step
    while len(found) < count:
        found.append(drawn[len(drawn) - 1])
    return found


def _narrow_first(group: tuple[int, list[int]]) -> tuple[int, int]:
    return group[0].bit_count(), group[0]


def _possible(ordered: Sequence[tuple[int, Sequence[int]]], room: Sequence[int]) -> bool:
    """Whether groups, without those that may lie anywhere, can be placed (Hall's condition over sets of places)."""
    for chosen in range(1 << len(room)):
        inside = sum(len(cards) for places, cards in ordered if places & ~chosen == 0)
        if inside > sum(size for place, size in enumerate(room) if chosen >> place & 1):
            return False
    return True


def _padded(values: Sequence[int], size: int) -> list[int]:
    """The values, then zeros."""
    return [int(value) for value in values] + [0] * (size - len(values))


__all__ = ["Dealer", "Inference", "Worlds", "draw_worlds", "soft_worlds"]
