"""Drawing the hidden cards of Kaluki into a table, many times for one view.

What is drawn is what :mod:`meja.games.kaluki_worlds` draws, by the same way: a card for every condition in a place that
came early enough, the rest anywhere, then exchanges of cards that keep all conditions. Only what the future needs is
written down: the hands and the stock as they are now.

This serves as long as all hidden cards became hidden together, so until a pile has been shuffled, and where no other
hand is in a turn that owes something; else :attr:`KalukiWorlds.fast` is ``False`` and
:meth:`~meja.games.kaluki.KalukiView.determinize` has to do.
"""

from __future__ import annotations

from typing import Final

import meja.search.bits as bits
from meja.cards import JOKER, UNKNOWN
from meja.errors import MejaError
from meja.games.kaluki import KalukiView
from meja.messages import msg
from meja.search.dice import Dice
from meja.search.kaluki import KalukiTable
from meja.search.melds import zeros

try:
    import cython
except ImportError:
    from meja.search import uncompiled as cython

_ONE: Final = 1
_JOKER: Final = 52
_FACES: Final = 53
_PLACES: Final = 108
#: Copies of a face: two, or four jokers.
_COPIES: Final = 4
_NOT_YET: Final = 63
#: Steps of the chain for each card whose place is open, and one in how many stays in the same hand.
_STEPS: Final = 8
_FAR: Final = 4


class KalukiWorlds:
    """What a seat knows of a deal, and worlds drawn from it. Not for several threads at once."""

    def __init__(self, view: KalukiView, base: KalukiTable, settled: bool = False) -> None:
        """``base`` is a table with the options of the view; it takes over what is known of the position.

        ``settled``: also where the seat's own turn owes something; ``base`` goes on until nothing is owed then.
        """
        known = view._worlds
        blank = known.blank
        owes = blank.playing and (blank.owed > 0 or (blank.taken >= 0 and not blank.laid))
        #: Whether :meth:`draw` can be asked.
        self.fast = int(
            len(known.pools) == 1 and blank.winner < 0 and blank.to_act is not None and (settled or not owes)
        )
        self.base = base
        self.seats = view.rules.seats
        self.me = -1 if view.seat is None else view.seat
        self.count = 0
        self.seat_at = zeros(_PLACES)
        self.time_at = zeros(_PLACES)
        self.face = zeros(_PLACES)
        #: The places of each seat (the stock last) in the order of their times.
        self.seat_count = zeros(5)
        self.seat_places = zeros(5 * _PLACES)
        self.cards = zeros(_PLACES)
        #: The conditions in the order in which they are met, and by seat and face their moments.
        self.tokens = 0
        self.token_seat = zeros(_PLACES)
        self.token_card = zeros(_PLACES)
        self.token_time = zeros(_PLACES)
        self.needs = zeros(5 * _FACES)
        self.need_time = zeros(5 * _FACES * _COPIES)
        #: The rest of the pool, after the conditions have taken theirs.
        self.rest = 0
        self.pool = zeros(_PLACES)
        #: What came and went openly, by seat and face.
        self.open = zeros(4 * _FACES)
        self.held = zeros(4 * _FACES)
        self.stock_known = 1
        #: Faces that the chain moves; where their copies and all others lie.
        self.moves = zeros(_FACES)
        self.copies = zeros(_FACES)
        self.copy_at = zeros(_FACES * _COPIES)
        self.moved = 0
        self.moved_at = zeros(_PLACES)
        self.number_at = zeros(_PLACES)
        self.free = zeros(_PLACES)
        #: What :func:`rollouts` adds up, by seat.
        self.scores = zeros(4)
        if self.fast:
            self._read(view)

    def _read(self, view: KalukiView) -> None:
        known = view._worlds
        self.base.load(known.blank)
        self.count = len(known.seats)
        for place, (seat, time) in enumerate(zip(known.seats, known.times, strict=True)):
            row = self.seats if seat < 0 else seat
            self.seat_at[place] = row
            self.time_at[place] = time
        for row in range(self.seats + 1):
            places = [place for place in range(self.count) if self.seat_at[place] == row]
            places.sort(key=lambda place: known.times[place])
            self.seat_count[row] = len(places)
            for number, place in enumerate(places):
                self.seat_places[row * _PLACES + number] = place
        pool = known.pools[0].cards.copy()
        for (seat, card), moments in known.needs.items():
            self.needs[seat * _FACES + card] = len(moments)
            for number, time in enumerate(sorted(moments)):
                self.need_time[(seat * _FACES + card) * _COPIES + number] = time
        tokens = sorted([(seat, time, card) for seat, card, time in known.tokens])
        self.tokens = len(tokens)
        for number, (seat, time, card) in enumerate(tokens):
            self.token_seat[number] = seat
            self.token_card[number] = card
            self.token_time[number] = time
            pool[card] -= 1
        rest = list(pool.elements())
        if len(rest) + self.tokens != self.count:
            raise MejaError(msg("no deal agrees with what is known"))
        self.rest = len(rest)
        for number, card in enumerate(rest):
            self.pool[number] = card
        for seat in range(self.seats):
            for card in range(_FACES):
                self.open[seat * _FACES + card] = known.open[seat][card]
        for card in known.moved:
            self.moves[card] = 1
        self.stock_known = int(UNKNOWN not in known.blank.stock)

    # -- drawing ------------------------------------------------------------------

    def draw(self, dice: Dice, table: KalukiTable) -> None:
        """Put a world by chance on a table with the same options."""
        self.place_cards(dice)
        self.exchange_cards(dice)
        self.fill(table)

    def place_cards(self, dice: Dice) -> None:
        """A card for every condition into a place that came early enough, the rest over the rest."""
        place = 0
        while place < self.count:
            self.face[place] = _NOT_YET
            place += 1
        number = 0
        seat = -1
        free = 0
        seen = 0
        while number < self.tokens:
            if self.token_seat[number] != seat:
                seat = self.token_seat[number]
                free = 0
                seen = 0
            while seen < self.seat_count[seat]:
                place = self.seat_places[seat * _PLACES + seen]
                if self.time_at[place] > self.token_time[number]:
                    break
                self.free[free] = place
                free += 1
                seen += 1
            pick = dice.below(free)
            self.face[self.free[pick]] = self.token_card[number]
            free -= 1
            self.free[pick] = self.free[free]
            number += 1
        # From the same order every time, so that a world depends on the dice alone.
        number = 0
        while number < self.rest:
            self.cards[number] = self.pool[number]
            number += 1
        last = self.rest - 1
        while last > 0:
            pick = dice.below(last + 1)
            card = self.cards[last]
            self.cards[last] = self.cards[pick]
            self.cards[pick] = card
            last -= 1
        number = 0
        place = 0
        while place < self.count:
            if self.face[place] == _NOT_YET:
                self.face[place] = self.cards[number]
                number += 1
            place += 1

    def exchange_cards(self, dice: Dice) -> None:
        """Exchange cards as long as it takes to forget how the conditions were met."""
        card = 0
        while card < _FACES:
            self.copies[card] = 0
            card += 1
        self.moved = 0
        place = 0
        while place < self.count:
            card = self.face[place]
            self.copy_at[card * _COPIES + self.copies[card]] = place
            self.copies[card] += 1
            self.number_at[place] = -1
            if self.moves[card]:
                self.number_at[place] = self.moved
                self.moved_at[self.moved] = place
                self.moved += 1
            place += 1
        steps = self.moved * _STEPS
        while steps > 0:
            steps -= 1
            one = self.moved_at[dice.below(self.moved)]
            here = self.seat_at[one]
            # Places of the same seat are few and nearly always possible, so they get a share of the tries.
            if dice.below(_FAR):
                two = dice.below(self.count)
            else:
                two = self.seat_places[here * _PLACES + dice.below(self.seat_count[here])]
            there = self.seat_at[two]
            first = self.face[one]
            second = self.face[two]
            if first == second:
                continue
            self.exchange(one, two)
            if (
                not self.holds(here, first)
                or not self.holds(there, second)
                or (here == there and not self.holds(here, second))
            ):
                self.exchange(one, two)

    def exchange(self, one: int, two: int) -> None:
        """Exchange the cards of two places."""
        first = self.face[one]
        second = self.face[two]
        at = first * _COPIES
        while self.copy_at[at] != one:
            at += 1
        self.copy_at[at] = two
        at = second * _COPIES
        while self.copy_at[at] != two:
            at += 1
        self.copy_at[at] = one
        self.face[one] = second
        self.face[two] = first
        number = self.number_at[one]
        other = self.number_at[two]
        self.number_at[one] = other
        self.number_at[two] = number
        if number >= 0:
            self.moved_at[number] = two
        if other >= 0:
            self.moved_at[other] = one

    def holds(self, seat: int, card: int) -> int:
        """Whether enough copies of a face came to a seat early enough."""
        key = seat * _FACES + card
        number = 0
        while number < self.needs[key]:
            # The copies that came by a moment are at least as many as the conditions up to it.
            moment = self.need_time[key * _COPIES + number]
            came = 0
            copy = 0
            while copy < self.copies[card]:
                place = self.copy_at[card * _COPIES + copy]
                if self.seat_at[place] == seat and self.time_at[place] <= moment:
                    came += 1
                copy += 1
            if came <= number:
                return 0
            number += 1
        return 1

    def fill(self, table: KalukiTable) -> None:
        """Write the hands and the stock down."""
        table.copy(self.base)
        key = 0
        while key < self.seats * _FACES:
            self.held[key] = self.open[key]
            key += 1
        place = 0
        while place < self.count:
            if self.seat_at[place] < self.seats:
                self.held[self.seat_at[place] * _FACES + self.face[place]] += 1
            place += 1
        seat = 0
        while seat < self.seats:
            if seat != self.me:
                one = two = _NOTHING
                card = 0
                while card < _JOKER:
                    number = self.held[seat * _FACES + card]
                    if number > 0:
                        one |= _ONE << card
                        if number > 1:
                            two |= _ONE << card
                    card += 1
                table.one[seat] = one
                table.two[seat] = two
                table.jokers[seat] = self.held[seat * _FACES + _JOKER]
            seat += 1
        if not self.stock_known:
            # The next card of the stock is its last one.
            number = self.seat_count[self.seats]
            place = 0
            while place < number:
                table.stock[place] = self.face[self.seat_places[self.seats * _PLACES + number - 1 - place]]
                place += 1


_NOTHING: Final = 0


def rollouts(worlds: KalukiWorlds, table: KalukiTable, dice: Dice, count: int, player: int) -> tuple[int, ...]:
    """Draw so many worlds and play each to its end; the scores by seat, added up."""
    with cython.nogil:
        add_scores(worlds, table, dice, count, player)
    return tuple([worlds.scores[seat] for seat in range(worlds.seats)])


def add_scores(worlds: KalukiWorlds, table: KalukiTable, dice: Dice, count: int, player: int) -> None:
    """:func:`rollouts`, inside the kernel."""
    seat = 0
    while seat < 4:
        worlds.scores[seat] = 0
        seat += 1
    while count > 0:
        worlds.draw(dice, table)
        table.playout(dice, player)
        if table.winner >= 0:
            worlds.scores[table.winner] += table.scores[table.winner]
        count -= 1


def draw_worlds(worlds: KalukiWorlds, table: KalukiTable, dice: Dice, count: int) -> int:
    """Draw so many worlds; a number made of all of them."""
    with cython.nogil:
        return sum_of_worlds(worlds, table, dice, count)


def sum_of_worlds(worlds: KalukiWorlds, table: KalukiTable, dice: Dice, count: int) -> int:
    """:func:`draw_worlds`, inside the kernel."""
    total = 0
    while count > 0:
        worlds.draw(dice, table)
        total = (total * 31 + bits.popcount(table.one[0]) + 7 * bits.popcount(table.two[1])) & _CHECK
        count -= 1
    return total


_CHECK: Final = 0xFFFFFFFF

assert JOKER == _JOKER
assert UNKNOWN == _NOT_YET
