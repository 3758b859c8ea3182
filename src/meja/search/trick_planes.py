"""Observations of trick games out of bit masks: many episodes side by side while their cards are played.

What stands in which place is told by the encodings of ``meja.envs`` (:class:`Shape`); this module fills the places.
What came before the play, and what a game adds to it, is handed over as marks by :meth:`TrickPlanes.mark` and the like.
Observations and masks are those of the encodings, byte for byte: tests compare them.
"""

from __future__ import annotations

from typing import Any, Final

import meja.search.bits as bits
from meja.search.tricks import Tricks

_SEATS: Final = 5
_SUITS: Final = 4
_FREE: Final = 0
_FOLLOW_OR_TRUMP: Final = 2
_NO_TRUMP: Final = 4
#: Room for marks and for ids that are allowed.
_MARKS: Final = 64
_IDS: Final = 192


class Shape:
    """Where what stands in an observation, and by how much numbers are divided: one for all episodes of a game's rules.

    ``starts``: the start of each plane by its name; ``cards``: the pack, ascending. ``play``: the id of playing the
    first of them. ``most``, ``points``, ``tricks``: what hand sizes, card points and tricks are divided by.
    """

    def __init__(
        self, starts: dict[str, int], cards: tuple[int, ...], play: int, most: int, points: int, tricks: int
    ) -> None:
        self.hand = starts["hand"]
        self.trick = starts["trick"]
        self.played = starts["played"]
        self.phase = starts["phase"]
        self.to_act = starts["to_act"]
        self.leader = starts["leader"]
        self.dealer = starts["dealer"]
        self.sizes = starts["hand_sizes"]
        self.voids = starts["voids"]
        self.taken = starts["taken"]
        self.won = starts["tricks"]
        self.totals = starts["totals"]
        self.deals = starts["deals"]
        self.trump = starts.get("trump", -1)
        self.play = play
        self.cards = len(cards)
        # C divides whole numbers to whole numbers.
        self.most = float(most)
        self.points = float(points)
        self.tricks = float(tricks)
        self.place = [0 for _ in range(52)]
        self.card = [0 for _ in range(52)]
        for place, card in enumerate(cards):
            self.place[card] = place
            self.card[place] = card


class TrickPlanes:
    """One episode: the position of its deal as everybody sees it, with everybody's cards.

    ``model`` is any position of these rules before its first card; its cards and seats do not matter.
    """

    def __init__(self, shape: Shape, model: Tricks) -> None:
        self.shape = shape
        self.model = model
        self.game = Tricks()
        self.game.copy(model)
        #: Whether cards are being played; before, ``allowed`` holds the ids that are allowed.
        self.playing = 0
        #: How many cards are still to be played.
        self.left = 0
        self.dealer = 0
        self.phase = 0
        self.led = 0
        self.ahead = 0.0
        self.totals = [0.0 for _ in range(_SEATS)]
        self.voids = [0 for _ in range(_SEATS)]
        self.allowed = [0 for _ in range(_IDS)]
        self.ids = 0
        self.marks = [0 for _ in range(_MARKS)]
        self.marked = 0
        self.seat_mark = [0 for _ in range(_MARKS)]
        self.seat_step = [0 for _ in range(_MARKS)]
        self.seat_of = [0 for _ in range(_MARKS)]
        self.seated = 0
        self.own = [0 for _ in range(2 * _SEATS)]
        self.own_at = [0 for _ in range(2)]
        self.owned = 0
        self.log = [0 for _ in range(_MARKS)]
        self.logged = 0

    # -- from outside -------------------------------------------------------------

    def start(self, deal: Any, hands: list[int], phase: int, totals: list[float], ahead: float) -> None:
        """Become a deal before its first card, with these hands; what the game adds is told afterwards.

        ``phase`` is its place in the plane of phases; ``totals`` and ``ahead`` stand in the planes of the match.
        """
        game = self.game
        game.rewind(self.model)
        after = deal.after
        cards = 0
        for seat in range(game.seats):
            hand = hands[seat]
            game.hands[seat] = hand
            game.played[seat] = 0
            game.won[seat] = 0
            game.taken[seat] = 0
            game.tricks[seat] = 0
            game.after[seat] = after[seat]
            self.voids[seat] = 0
            self.totals[seat] = totals[seat]
            cards += bits.popcount(hand)
        game.turn = deal.to_act
        game.leader = deal.leader
        self.left = cards
        self.playing = 0
        self.dealer = deal.dealer
        self.phase = phase
        self.ahead = ahead
        self.ids = 0
        self.marked = 0
        self.seated = 0
        self.owned = 0
        self.logged = 0

    def begin_play(self, leader: int) -> None:
        """From now on cards are played; ``leader`` leads."""
        self.playing = 1
        self.game.turn = leader
        self.game.leader = leader

    def allow(self, number: int) -> None:
        """Before the play: an id that is allowed."""
        self.allowed[self.ids] = number
        self.ids += 1

    def mark(self, place: int) -> None:
        """A place of the observation holds 1, whoever reads it."""
        self.marks[self.marked] = place
        self.marked += 1

    def mark_card(self, start: int, card: int) -> None:
        """The place of a card in a plane holds 1."""
        self.mark(start + self.shape.place[card])

    def mark_seat(self, place: int, step: int, seat: int) -> None:
        """``place`` holds 1, counted from where the stretch of ``step`` places begins that tells of ``seat``."""
        self.seat_mark[self.seated] = place
        self.seat_step[self.seated] = step
        self.seat_of[self.seated] = seat
        self.seated += 1

    def mark_own(self, start: int, masks: list[int]) -> None:
        """Cards that each seat knows for itself alone stand in the plane that begins at ``start``."""
        self.own_at[self.owned] = start
        for seat in range(self.game.seats):
            self.own[self.owned * _SEATS + seat] = masks[seat]
        self.owned += 1

    def cards_played(self) -> list[int]:
        """The cards played since this was last asked."""
        found = [self.log[number] for number in range(self.logged)]
        self.logged = 0
        return found

    # -- playing ------------------------------------------------------------------

    def play(self, card: int) -> None:
        """Play a legal card."""
        suit = card // 13
        if self.game.in_trick == 0:
            self.led = suit
        elif suit != self.led and self.game.duty != _FREE:
            # Where trumps may be played at any time, one shows nothing.
            if self.game.duty != _FOLLOW_OR_TRUMP or suit != self.game.trump:
                self.voids[self.game.turn] |= 1 << self.led
        self.game.play(card)
        self.log[self.logged] = card
        self.logged += 1
        self.left -= 1

    # -- numbers ------------------------------------------------------------------

    def write(self, out: Any, base: int) -> None:
        """Write the observation of the seat to act from ``base`` on into numbers that are all zero."""
        seats = self.game.seats
        me = self.game.turn
        self.set_cards(out, base + self.shape.hand, self.game.hands[me])
        for seat in range(seats):
            other = seat - me
            if other < 0:
                other += seats
            played = self.game.played[seat]
            if played:
                self.set_cards(out, base + self.shape.trick + other * self.shape.cards, played & self.game.pile)
                self.set_cards(out, base + self.shape.played + other * self.shape.cards, played & ~self.game.pile)
            out[base + self.shape.sizes + other] = bits.popcount(self.game.hands[seat]) / self.shape.most
            out[base + self.shape.taken + other] = self.game.taken[seat] / self.shape.points
            out[base + self.shape.won + other] = self.game.tricks[seat] / self.shape.tricks
            out[base + self.shape.totals + other] = self.totals[seat]
            if self.voids[seat]:
                for suit in range(_SUITS):
                    if self.voids[seat] >> suit & 1:
                        out[base + self.shape.voids + other * _SUITS + suit] = 1
        out[base + self.shape.phase + self.phase] = 1
        out[base + self.shape.to_act] = 1
        other = self.game.leader - me
        if other < 0:
            other += seats
        out[base + self.shape.leader + other] = 1
        other = self.dealer - me
        if other < 0:
            other += seats
        out[base + self.shape.dealer + other] = 1
        out[base + self.shape.deals] = self.ahead
        if self.shape.trump >= 0:
            suit = self.game.trump
            if suit < 0:
                suit = _NO_TRUMP
            out[base + self.shape.trump + suit] = 1
        for number in range(self.marked):
            out[base + self.marks[number]] = 1
        for number in range(self.seated):
            other = self.seat_of[number] - me
            if other < 0:
                other += seats
            out[base + self.seat_mark[number] + other * self.seat_step[number]] = 1
        for number in range(self.owned):
            self.set_cards(out, base + self.own_at[number], self.own[number * _SEATS + me])

    def set_cards(self, out: Any, start: int, cards: int) -> None:
        """Write 1 for every card of a mask."""
        while cards:
            out[start + self.shape.place[bits.lowest(cards)]] = 1
            cards &= cards - 1

    def allow_all(self, out: Any, base: int) -> None:
        """Write 1 for every id that is allowed, from ``base`` on."""
        if self.playing == 0:
            for number in range(self.ids):
                out[base + self.allowed[number]] = 1
            return
        legal = self.game.legal()
        while legal:
            out[base + self.shape.play + self.shape.place[bits.lowest(legal)]] = 1
            legal &= legal - 1


# -- many rows ------------------------------------------------------------------------


def observe(rows: list[TrickPlanes], out: Any, width: int) -> None:
    """The observations of the seats to act, one after the other, each ``width`` numbers long."""
    base = 0
    for row in rows:
        row.write(out, base)
        base += width


def masks(rows: list[TrickPlanes], out: Any, width: int) -> None:
    """The masks of the seats to act, one after the other, each ``width`` numbers long."""
    base = 0
    for row in rows:
        row.allow_all(out, base)
        base += width


def seats(rows: list[TrickPlanes], out: Any) -> None:
    """The seats to act."""
    for number, row in enumerate(rows):
        out[number] = row.game.turn


def step(rows: list[TrickPlanes], actions: Any) -> list[int]:
    """Play the cards that ids of allowed actions tell; returns the rows whose action is for the rules.

    These are all actions before the play, and the last card of each deal.
    """
    found = []
    for number, row in enumerate(rows):
        if row.playing and row.left > 1:
            row.play(row.shape.card[actions[number] - row.shape.play])
        else:
            found.append(number)
    return found


__all__ = ["Shape", "TrickPlanes", "masks", "observe", "seats", "step"]
