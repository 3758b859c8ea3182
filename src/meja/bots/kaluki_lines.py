"""Lines of play worth a try: what the rules of thumb would do, and what else a good player would think of.

A line is one action or several of the seat to act; what comes after it is left to a keen player of the kernels.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from meja.bots.kaluki import (
    Sight,
    best_meld,
    card_to_discard_before_single,
    card_to_discard_loose,
    feeding,
    lay,
    opening_melds,
    safest_joker_place,
)
from meja.bots.kaluki_plan import best_plan
from meja.cards import JOKER, Card
from meja.games.kaluki import Kaluki, KalukiView
from meja.games.kaluki_turn import ADD, DISCARD, DISCARDS, DRAW, DRAW_MOVE, MELD, OPEN, SWAP, TAKE, TAKE_MOVE, Move
from meja.games.melds import SET, Meld, additions, all_melds, swaps
from meja.search.dice import Dice
from meja.search.kaluki import KEEN, KalukiTable

#: How many of a kind are tried at most.
_OPENINGS: Final = 4
_DISCARDS: Final = 8
_HOLDS: Final = 3
_ADDS: Final = 4
_SWAPS: Final = 4
_PAYMENTS: Final = 4
#: A way to go out is looked for with so many cards at most, in so many positions.
_MOST_TO_SEARCH: Final = 11
_POSITIONS: Final = 60
#: Kept longer: a card that an opponent could lay off.
_FEEDS: Final = 40.0


@dataclass(frozen=True, slots=True)
class Line:
    """The first actions of a line, and the position after them as the seat knows it."""

    moves: tuple[Move, ...]
    base: KalukiTable
    #: The line goes on by drawing from the stock.
    draws: bool


class Lines:
    """The lines of one view; the first one is the action that stands unless another one is clearly better."""

    def __init__(
        self,
        view: KalukiView,
        first: Move,
        tables: Sequence[KalukiTable],
        table: KalukiTable,
        *,
        throws: bool = False,
        until: float = math.inf,
    ) -> None:
        """``tables`` take the positions of the lines (no more lines than tables); ``table`` is for trying.

        ``throws``: nothing is looked at but what to throw. ``until``: no line is added after this moment.
        """
        assert view.seat is not None
        self.view = view
        self.sight = Sight(view)
        self.tables = tables
        self.until = until
        self.table = table
        self.blank: Kaluki = view._blank
        self.lines: list[Line] = []
        self.seen: set[tuple[Move, ...]] = set()
        self.add(first)
        if self.late():
            return
        if throws:
            self.discards(_DISCARDS)
        elif view.phase == "draw":
            self.draws()
        elif self.sight.opened:
            self.layings()
        else:
            self.openings()

    def late(self) -> bool:
        """Whether the time is over."""
        return self.until < math.inf and time.monotonic() >= self.until

    # -- adding -------------------------------------------------------------------

    def add(self, move: Move) -> None:
        """Add the line of an action; where it leaves something to be laid, one for each way to lay it."""
        if len(self.lines) == len(self.tables) or (move,) in self.seen:
            return
        if self.lines and (self.late() or self.view.why_illegal(move) is not None):
            return
        self.seen.add((move,))
        if move.verb == DRAW:
            self.keep((move,), self.blank, draws=True)
            return
        deal = self.blank.clone()
        deal.advance(move)
        payments = _payments(deal, self.until)
        if not payments and not (self.lines and self.late()):
            self.keep((move,), deal)
        for payment in payments:
            after = deal.clone()
            after.advance(payment)
            self.keep((move, payment), after)

    def keep(self, moves: tuple[Move, ...], deal: Kaluki, draws: bool = False) -> None:
        """Add a line whose position is known."""
        if len(self.lines) < len(self.tables):
            base = self.tables[len(self.lines)]
            _put(base, deal)
            self.lines.append(Line(moves, base, draws))

    # -- what is thought of -------------------------------------------------------

    def draws(self) -> None:
        """The stock, or the top discard: to open with it, or to have it."""
        self.add(DRAW_MOVE)
        if self.sight.opened:
            self.add(TAKE_MOVE)
            return
        for move in self.keen_moves():
            if move.verb == TAKE:
                self.add(move)
        if self.view.rules.opening == "single":
            takes = [move for move in self.view.legal if move.verb == TAKE]
            for move in _thrifty(takes):
                self.add(move)

    def openings(self) -> None:
        """To open in one way or another, or to wait; what to throw."""
        before = len(self.lines)
        melds = opening_melds(self.sight.tables, self.sight.hand)
        if melds:
            self.add(lay(melds))
        for move in self.keen_moves()[:1]:
            if move.verb in (MELD, OPEN):
                self.add(move)
        opens = any(line.moves[0].verb in (MELD, OPEN) for line in self.lines)
        if opens and self.view.rules.opening == "single":
            for move in _thrifty([move for move in self.view.listed if move.verb == MELD]):
                self.add(move)
        self.discards(_HOLDS if opens else _DISCARDS)
        assert before <= len(self.lines)

    def layings(self) -> None:
        """What may be laid now, or held; what to throw."""
        sight = self.sight
        plan = best_plan(sight.tables, sight.hand, sight.table)
        moves = [move for move in self.keen_moves() if move.verb == MELD]
        if plan is not None:
            found = best_meld(sight, plan)
            moves += [found] if found is not None else []
        if self.view.owed or sight.unpaid() is not None:
            moves += [move for move in self.view.legal if move.verb != DISCARD][:_ADDS]
        adds = [
            Move(ADD, (), card, -1, number)
            for number, meld in enumerate(sight.melds)
            for card, _, _ in additions(meld, sight.words)
            if card != JOKER and self.blank.one[sight.seat] >> card & 1
        ]
        adds.sort(key=lambda move: -sight.tables.in_hand[move.card])
        moves += adds[:_ADDS]
        if sight.hand.jokers:
            place = safest_joker_place(sight)
            if place is not None:
                moves.append(Move(ADD, (), JOKER, place[1], place[0]))
        moves += self.swaps()[:_SWAPS]
        before = len(self.lines)
        for move in moves:
            self.add(move)
        lays = len(self.lines) > before or self.lines[0].moves[0].verb != DISCARD
        self.discards(_HOLDS if lays else _DISCARDS)

    def swaps(self) -> list[Move]:
        """The swaps for jokers of the table whose card is held."""
        which = self.view.rules.joker_swap
        held = self.blank.one[self.sight.seat]
        return [
            Move(SWAP, (), card, -1, number)
            for number, meld in enumerate(self.sight.melds)
            if which != "off"
            and JOKER in meld.cards
            and (which == "any" or self.view.owners[number] != self.sight.seat)
            for card, _ in swaps(meld, self.sight.words)
            if held >> card & 1
        ]

    def discards(self, most: int) -> None:
        """The cards that are least worth keeping, by the rules of thumb."""
        for card in throwable(self.sight)[:most]:
            self.add(DISCARDS[card])

    def keen_moves(self) -> list[Move]:
        """What a keen player would do in this turn, where that depends on nothing hidden."""
        if self.view.owed:
            # The table would go on to where nothing is owed.
            return []
        table = self.table
        _put(table, self.blank)
        if table.turn != self.sight.seat:
            return []
        table.logging = 1
        if self.blank.playing:
            table.step(Dice(1), KEEN)
        else:
            table.take_to_open()
        moves = [move for _, move in table.actions()]
        table.logging = 0
        return moves


def throwable(sight: Sight) -> list[Card]:
    """The natural cards that may be discarded, those first that are least worth keeping."""
    if sight.opened or sight.rules.opening == "total":
        plan = best_plan(sight.tables, sight.hand, sight.table)
        kept = card_to_discard_loose(sight, plan)
    else:
        kept = card_to_discard_before_single(sight)
    fed = feeding(sight)
    worth = sorted([(keep + (_FEEDS if card in fed else 0.0), card) for keep, card in kept])
    return [card for _, card in worth if sight.may_discard(card)]


def first_to_go_out(sight: Sight, until: float = math.inf, *, parts: bool = False) -> Move | None:
    """The first action of a turn that goes out for certain, if one is found soon.

    ``parts``: also without a swap. Then melds may be laid in part, so that a card is left to be discarded.
    """
    deal: Kaluki = sight.view._blank
    seat = sight.seat
    if sight.size > _MOST_TO_SEARCH or not (parts or _may_swap(deal, seat)):
        return None
    seen: set[tuple[object, ...]] = set()

    def leads_out(deal: Kaluki, begins: bool = False) -> Move | None:
        if len(seen) >= _POSITIONS or (until < math.inf and time.monotonic() >= until):
            return None
        size = deal.sizes[seat]
        if begins and not parts:
            # Nothing but a swap helps here.
            moves = [move for move in deal.legal_actions() if move.verb == SWAP]
        else:
            moves = [move for move in deal.legal_actions() if move.verb != DISCARD or size == 1]
        # What gets rid of most cards first, swaps last.
        moves.sort(key=lambda move: -_size(move) if move.verb != SWAP else 1)
        for move in moves:
            after = deal.clone()
            after.advance(move)
            if after.winner == seat:
                return move
            key = (after.one[seat], after.two[seat], after.jokers[seat], after.owed, after.laid, tuple(after.table))
            if after.to_act != seat or key in seen:
                continue
            seen.add(key)
            if leads_out(after) is not None:
                return move
        return None

    return leads_out(deal, begins=True)


def _may_swap(deal: Kaluki, seat: int) -> bool:
    """Whether a joker of the table may be had for a card of the hand."""
    swappable = deal.swappable(seat)
    return any(
        swappable >> number & 1 and deal.one[seat] >> card & 1
        for number, meld in enumerate(deal.table)
        for card, _ in swaps(meld, deal.rules.turn.melds)
    )


def _payments(deal: Kaluki, until: float = math.inf) -> list[Move]:
    """The ways to lay what a turn owes; none where nothing is owed."""
    if deal.to_act is None or not deal.playing:
        return []
    taken = deal.taken >= 0 and not deal.laid and deal.rules.discard_use == "must_use"
    if not deal.owed and not taken:
        return []
    card = JOKER if deal.owed else deal.taken
    seat = deal.to_act
    words = deal.rules.turn.melds
    pays = [
        Move(MELD, (meld,))
        for meld in all_melds(deal.one[seat], deal.two[seat], deal.jokers[seat], words)
        if card in meld.cards
    ]
    adds = [
        Move(ADD, (), card, stands, number)
        for number, meld in enumerate(deal.table)
        for found, stands, _ in additions(meld, words)
        if found == card
    ]
    pays += sorted(adds)
    # Runs before sets: fewer cards come for their jokers. Then what gets rid of most cards.
    pays.sort(key=lambda move: (_in_a_set(deal.table, move), -_size(move)))
    # Whether the turn can still be ended takes long to see, so it is asked of few.
    allowed: list[Move] = []
    for move in pays:
        if len(allowed) == _PAYMENTS or (until < math.inf and time.monotonic() >= until):
            break
        if deal.why_illegal(move) is None:
            allowed.append(move)
    return allowed


def _in_a_set(table: Sequence[Meld], move: Move) -> bool:
    return (move.melds[0] if move.melds else table[move.meld]).suit == SET


def _size(move: Move) -> int:
    return sum(len(meld.cards) for meld in move.melds) or 1


def _thrifty(moves: Sequence[Move]) -> list[Move]:
    """The openings with fewest jokers, and of these the longest; not all with the same cards."""
    if not moves:
        return []
    ranked = sorted(moves, key=lambda move: (move.melds[0].jokers, -len(move.melds[0].cards), move))
    return ranked[:_OPENINGS]


def _put(table: KalukiTable, deal: Kaluki) -> None:
    """Put a position on a table; a card that was taken and must not be thrown is barred there."""
    free = deal.rules.discard_use == "free" and deal.playing and deal.taken >= 0 and not deal.laid and not deal.owed
    if not free:
        table.load(deal)
        return
    paid = deal.clone()
    paid.laid = True
    table.load(paid)
    if not deal.held:
        table.barred = deal.taken
