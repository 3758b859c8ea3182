"""The encoding of Kaluki: melds are put together by small decisions, each one id.

Equal cards of the two packs are one face. A meld is written from its first card to its last (a run
from low to high, a set by suits s h d c and then its jokers) and closed; several melds that open
together follow one another, in the ascending order of the legal list, and the action is complete with
the one that makes the points. The ids that are allowed always lead to a legal action.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from meja.cards import CARD_TEXT, JOKER, RANKS, quoted
from meja.envs.encoding import Encoding, Look, Prefix, Vector, Watcher
from meja.envs.kaluki_choices import Cells, Choices, Laid
from meja.envs.kaluki_ids import DISCARD_ID, DRAW_ID, MELDS, TAKE_ID, move_ids, split
from meja.envs.planes import Layout
from meja.errors import MejaError
from meja.games.kaluki import Kaluki
from meja.games.kaluki_turn import DISCARD, DISCARDS, DRAW, DRAW_MOVE, TAKE, LegalActions, Move, TurnRules
from meja.games.melds import SET, Meld
from meja.messages import msg

#: How many cards there are of a face, jokers included: the count that is 1 in a plane of counts.
_MOST: Final = 4
_PACK: Final = 108
_RESHUFFLES: Final = 3
#: The place of what is not there.
_NOWHERE: Final = -1
_PHASES: Final = ("draw", "play", "over")
#: Within the planes of a meld, after its owner: set or run, naturals, jokers of a run, jokers of a set.
_NATURALS: Final = 2
_STANDS: Final = _NATURALS + 52
_WILD: Final = _STANDS + 52
_ROW: Final = _WILD + 4


class KalukiEncoding(Encoding):
    """Kaluki: 247 ids. See the module for how melds are written."""

    game = "kaluki"

    def __init__(self, rules: Any) -> None:
        super().__init__(rules)
        #: What turns need of the options.
        self.turn_rules: TurnRules = rules.turn
        #: The most cards that a hand can hold.
        self.most: int = rules.cards + 1
        #: What was worked out for the view that was asked last.
        self._asked: tuple[Any, Choices] | None = None

    def _names(self) -> list[str]:
        faces = [CARD_TEXT[card] for card in range(52)]
        return [
            "draw",
            "take",
            "close",
            "set",
            "run",
            *(f"lay {face}" for face in faces),
            *(f"lay Jk={face}" for face in faces),
            *(f"lay Jk={rank}" for rank in RANKS),
            *(f"add m{number}" for number in range(MELDS)),
            *(f"swap m{number}" for number in range(MELDS)),
            *(f"discard {face}" for face in (*faces, "Jk")),
        ]

    # -- actions ------------------------------------------------------------------

    def watch(self, deal: Any, view: Look) -> Watcher:
        """What a session asks while a deal goes on; it looks at no views."""
        return KalukiWatcher(self, deal, view)

    def _look(self, view: Any) -> Choices:
        asked = self._asked
        if asked is None or asked[0] is not view:
            asked = self._asked = view, Choices(view._blank, self.turn_rules)
        return asked[1]

    def allowed(self, view: Any, prefix: Prefix) -> list[int]:
        """The ids that may follow a prefix, ascending."""
        return self._look(view).allowed(prefix)

    def take(self, view: Any, prefix: Prefix, number: int) -> tuple[Prefix, Any | None]:
        """Take one id that is allowed."""
        path = (*prefix, number)
        move = self._look(view).complete(path)
        return (path, None) if move is None else ((), move)

    def _check_prefix(self, view: Any, prefix: Prefix) -> None:
        # Each id of it must be one that a mask allowed; what was asked before is remembered.
        if view.seat is not None and view.seat == view.to_act and self._look(view).begins(prefix):
            return
        super()._check_prefix(view, prefix)

    def encode(self, view: Any, action: Any) -> Prefix:
        """The ids of a legal move; melds that open together are put into the order of the legal list."""
        self._check(view, ())
        legal = view.legal
        if type(action) is Move and len(action.melds) > 1 and isinstance(legal, LegalActions):
            places = {meld: place for place, meld in enumerate(legal.openings.melds)}
            if all(meld in places for meld in action.melds):
                action = action._replace(melds=tuple(sorted(action.melds, key=places.__getitem__)))
        if type(action) is not Move or action not in legal:
            raise MejaError(msg("{action} is not one of the legal actions", action=quoted(Kaluki.describe(action))))
        return move_ids(action)

    # -- observations -------------------------------------------------------------

    def _lay_out(self, layout: Layout) -> None:
        seats, most, target = self.rules.seats, self.rules.cards + 1, self.rules.target
        faces = f"the faces {' '.join(CARD_TEXT[card] for card in range(52))}"
        counts = "per face, the joker last, how many: divided by 4"
        self.at_hand = layout.add("hand", 52, f"the own hand, at least one of a face; {faces}")
        self.at_twice = layout.add("hand_twice", 52, "two of a face in the own hand")
        self.at_jokers = layout.add("hand_jokers", 4, "jokers in the own hand: at least 1, 2, 3, 4")
        self.at_phase = layout.add("phase", len(_PHASES), f"the phase: {', '.join(_PHASES)}")
        self.at_to_act = layout.add("to_act", seats, "the seat to act")
        self.at_dealer = layout.add("dealer", seats, "the dealer")
        self.at_sizes = layout.add("hand_sizes", seats, f"per seat the cards in hand, divided by {most}")
        self.at_opened = layout.add("opened", seats, "the seats that have opened")
        self.at_totals = layout.add("totals", seats, f"per seat the total before this deal, divided by {target}")
        self.at_stock = layout.add("stock", 1, f"the number of cards in the stock, divided by {_PACK}")
        self.at_reshuffles = layout.add("reshuffles", 1, "how often the pile has become the stock, divided by 3")
        self.at_top = layout.add("top", 53, "the top card of the discard pile: the faces, the joker last")
        self.at_pile = layout.add("pile", 53, f"the discard pile: {counts}")
        self.at_next = layout.add("next", 53, "the next card of the stock, where everybody knows it")
        self.at_turned = layout.add("turned", 53, f"the stock, where everybody knows its cards: {counts}")
        self.at_known = layout.add(
            "known", seats * 53, f"per seat the cards everybody knows to be in its hand: {counts}"
        )
        self.at_taken = layout.add("taken", 53, "the card that was taken from the discard pile in this turn")
        self.at_laid = layout.add("taken_laid", 1, "whether an equal card was laid since")
        self.at_drew = layout.add("drew", 53, "the card that the own seat drew from the stock in this turn")
        self.at_owed = layout.add("owed", 1, "swapped jokers that must still be laid, divided by 4")
        self.at_fresh = layout.add("fresh", 1, "whether the seat to act has opened in this turn")
        self.width = seats + _ROW
        self.at_melds = layout.add(
            "melds",
            MELDS * self.width,
            f"per meld m0 to m{MELDS - 1}: its owner ({seats} seats), set or run (2), per face its natural cards"
            " divided by 2 (52), the faces that jokers of a run stand for (52), jokers of a set: at least 1, 2, 3, 4"
            " (4)",
        )
        self.at_closed = layout.add(
            "closed", MELDS, "melds of the own half-finished action that are closed already, but not laid yet"
        )
        self.at_taking = layout.add("taking", 1, "whether that action takes the top card of the discard pile")
        #: Where those planes start that change all the time.
        self.places = (
            self.at_hand,
            self.at_twice,
            self.at_phase,
            self.at_to_act,
            self.at_top,
            self.at_taken,
            self.at_drew,
        )
        self.at_building = layout.add("building", DISCARD_ID, "its ids after those: per id how many, divided by 4")

    def write(self, view: Any, prefix: Prefix, out: Vector) -> None:
        """Write the observation of a view into a vector that is all zero."""
        cells: Any = out.data
        seats = self.rules.seats
        me = view.seat or 0
        others = [(seat - me) % seats for seat in range(seats)]
        jokers = 0
        hand, twice = self.at_hand, self.at_twice
        last = -1
        for card in view.hand:
            # A hand is sorted, so equal cards follow each other.
            if card == JOKER:
                cells[self.at_jokers + jokers] = 1
                jokers += 1
            else:
                cells[(twice if card == last else hand) + card] = 1
                last = card
        cells[self.at_phase + _PHASES.index(view.phase)] = 1
        if view.to_act is not None:
            cells[self.at_to_act + others[view.to_act]] = 1
        cells[self.at_dealer + others[view.dealer]] = 1
        sizes, opened, totals = view.hand_sizes, view.opened, view.context.totals
        for seat, other in enumerate(others):
            cells[self.at_sizes + other] = sizes[seat] / self.most
            cells[self.at_opened + other] = opened[seat]
            cells[self.at_totals + other] = self.share_of_total(totals[seat])
            known = view.known[seat]
            if known:
                _count(cells, self.at_known + other * 53, known)
        cells[self.at_stock] = view.stock / _PACK
        cells[self.at_reshuffles] = view.reshuffles / _RESHUFFLES
        pile = view.pile
        if pile:
            cells[self.at_top + pile[-1]] = 1
            _count(cells, self.at_pile, pile)
        if view.turned:
            cells[self.at_next + view.turned[0]] = 1
            _count(cells, self.at_turned, view.turned)
        if view.taken is not None:
            cells[self.at_taken + view.taken] = 1
            cells[self.at_laid] = view.taken_laid
        if view.drew is not None:
            cells[self.at_drew + view.drew] = 1
        cells[self.at_owed] = view.owed / _MOST
        cells[self.at_fresh] = view.fresh
        start = self.at_melds
        for owner, meld in zip(view.owners, view.table, strict=True):
            cells[start + others[owner]] = 1
            out[start + seats : start + self.width] = _row(meld)
            start += self.width
        if prefix:
            self.write_prefix(len(view.table), prefix, out)

    def share_of_total(self, total: int) -> float:
        """What a total before this deal is of the target."""
        # A match is over once a total is at the target; a deal by itself may be told any.
        share: float = total / self.rules.target
        return min(1.0, max(0.0, share))

    def write_prefix(self, number: int, prefix: Prefix, out: Vector) -> None:
        """Write the half-finished action: closed melds beside those on the table, where they will lie."""
        melds, ids = split(prefix)
        seats = self.rules.seats
        for meld in melds:
            start = self.at_melds + number * self.width
            out[start] = 1
            out[start + seats : start + self.width] = _row(meld)
            out[self.at_closed + number] = 1
            number += 1
        out[self.at_taking] = prefix[0] == TAKE_ID
        for token in ids:
            out[self.at_building + token] += 1 / _MOST


def _count(cells: Any, start: int, cards: Sequence[int]) -> None:
    for card in cards:
        cells[start + card] += 1 / _MOST


@lru_cache(maxsize=1 << 13)
def _row(meld: Meld) -> Vector:
    """The planes of a meld without its owner."""
    row = np.zeros(_ROW, dtype=np.float32)
    row[0 if meld.suit == SET else 1] = 1
    jokers = 0
    for place, card in enumerate(meld.cards):
        if card != JOKER:
            row[_NATURALS + card] += 0.5
        elif meld.suit == SET:
            row[_WILD + jokers] = 1
            jokers += 1
        else:
            row[_STANDS + meld.stands_for(place)] = 1
    return row


# -- a deal while it goes on --------------------------------------------------------


class KalukiWatcher(Watcher):
    """A deal of Kaluki that is followed: of every seat's observation only what has changed is written anew."""

    deal: Kaluki

    def __init__(self, codes: KalukiEncoding, deal: Kaluki, view: Look) -> None:
        super().__init__(codes, deal, view)
        self._kaluki = codes
        self._choices: Choices | None = None
        self._laid = Laid((), codes.turn_rules.melds)
        self._sheets: list[_Sheet | None] = [None] * deal.seats

    def moved(self) -> None:
        """A whole action was done."""
        self._choices = None

    def cells(self, prefix: Prefix) -> Cells:
        """The mask of the seat to act after a prefix that masks allowed, one byte per id."""
        choices = self._choices
        if choices is None:
            choices = self._look()
        return choices.cells(prefix) if prefix else choices.first

    def take(self, prefix: Prefix, number: int) -> tuple[Prefix, Any | None]:
        """Take one id that is allowed."""
        if number >= DISCARD_ID:
            return (), DISCARDS[number - DISCARD_ID]
        if number == DRAW_ID:
            return (), DRAW_MOVE
        path = (*prefix, number)
        move = (self._choices or self._look()).complete(path)
        return (path, None) if move is None else ((), move)

    def _look(self) -> Choices:
        """Work out what the seat to act may do."""
        deal, terms, laid = self.deal, self._kaluki.turn_rules, self._laid
        if deal.table != laid.melds:
            laid = self._laid = Laid(deal.table, terms.melds)
        choices = self._choices = Choices(deal, terms, laid)
        return choices

    def write(self, seat: int, prefix: Prefix, out: Vector) -> None:
        """Write the observation of a seat over a vector."""
        out[:] = self._now(seat)
        if prefix:
            self._kaluki.write_prefix(len(self.deal.table), prefix, out)

    def observe(self, seat: int, prefix: Prefix) -> Vector:
        """The observation of a seat: a fresh vector."""
        out = self._now(seat).copy()
        if prefix:
            self._kaluki.write_prefix(len(self.deal.table), prefix, out)
        return out

    def _now(self, seat: int) -> Vector:
        """The observation of a seat without its half-finished action, not to be changed by others."""
        sheet = self._sheets[seat]
        if sheet is None:
            sheet = self._sheets[seat] = _Sheet(self._kaluki, self.deal, seat)
        if sheet.read != len(self.deal.log):
            sheet.catch_up()
        return sheet.vector


class _Sheet:
    """The observation of one seat, kept up to date: what :meth:`KalukiEncoding.write` makes of the seat's view.

    Nothing is read of the deal but what the seat's view holds; the checks compare the two to the last bit.
    """

    __slots__ = (
        "cells",
        "codes",
        "deal",
        "known",
        "last",
        "others",
        "pile",
        "read",
        "seat",
        "sizes",
        "stock",
        "table",
        "turned",
        "vector",
    )

    def __init__(self, codes: KalukiEncoding, deal: Kaluki, seat: int) -> None:
        self.codes = codes
        self.deal = deal
        self.seat = seat
        seats = deal.seats
        others = self.others = [(other - seat) % seats for other in range(seats)]
        self.vector: Vector = np.zeros(codes.size, dtype=np.float32)
        cells: Any = self.vector.data
        self.cells = cells
        #: How many actions have been looked at; -1 before the first look.
        self.read = -1
        #: What was written: of the own hand, of the turn, and of all seats.
        self.last = (0, 0, 0, 0, _NOWHERE, _NOWHERE, _NOWHERE, _NOWHERE, _NOWHERE, False, False, 0)
        self.sizes = [0] * seats
        self.known: list[list[int]] = [[] for _ in range(seats)]
        self.pile: list[int] = []
        self.table: list[Meld] = []
        self.stock = self.turned = 0
        cells[codes.at_dealer + others[deal.dealer]] = 1
        for other, total in zip(others, deal.context.totals, strict=True):
            cells[codes.at_totals + other] = codes.share_of_total(total)

    def catch_up(self) -> None:
        """Write what has changed since the last look."""
        deal, codes, cells, me, others = self.deal, self.codes, self.cells, self.seat, self.others
        one0, two0, jokers0, owed0, phase0, to_act0, top0, taken0, drew0, laid0, fresh0, opened0 = self.last
        at_hand, at_twice, at_phase, at_to_act, at_top, at_taken, at_drew = codes.places
        one, two, jokers, owed = deal.one[me], deal.two[me], deal.jokers[me], deal.owed
        to_act, playing, taken, fresh, opened = deal.to_act, deal.playing, deal.taken, deal.fresh, deal.opened
        changed = one ^ one0
        while changed:
            low = changed & -changed
            cells[at_hand + low.bit_length() - 1] = 1 if one & low else 0
            changed ^= low
        changed = two ^ two0
        while changed:
            low = changed & -changed
            cells[at_twice + low.bit_length() - 1] = 1 if two & low else 0
            changed ^= low
        if jokers != jokers0:
            for place in range(_MOST):
                cells[codes.at_jokers + place] = place < jokers
        self._follow(deal.log)
        # Of these planes one number at most is 1, and it wanders.
        phase = at_phase + (2 if to_act is None else playing)
        if phase != phase0:
            if phase0 >= 0:
                cells[phase0] = 0
            cells[phase] = 1
        turn = _NOWHERE if to_act is None else at_to_act + others[to_act]
        if turn != to_act0:
            if to_act0 >= 0:
                cells[to_act0] = 0
            if turn >= 0:
                cells[turn] = 1
        top = at_top + deal.pile[-1] if deal.pile else _NOWHERE
        if top != top0:
            if top0 >= 0:
                cells[top0] = 0
            if top >= 0:
                cells[top] = 1
        laid, takes, drew = False, _NOWHERE, _NOWHERE
        if playing:
            if taken >= 0:
                takes, laid = at_taken + taken, deal.laid
            elif to_act == me:
                drew = at_drew + deal.drawn[-1]
        if takes != taken0:
            self._mark(taken0, takes)
        if drew != drew0:
            if drew0 >= 0:
                cells[drew0] = 0
            if drew >= 0:
                cells[drew] = 1
        if laid != laid0:
            cells[codes.at_laid] = laid
        if fresh != fresh0:
            cells[codes.at_fresh] = fresh
        if owed != owed0:
            cells[codes.at_owed] = owed / _MOST
        if opened != opened0:
            for seat, other in enumerate(others):
                cells[codes.at_opened + other] = opened >> seat & 1
        self.last = one, two, jokers, owed, phase, turn, top, takes, drew, laid, fresh, opened
        if deal.sizes != self.sizes:
            before = self.sizes
            self.sizes = deal.sizes[:]
            for seat, size in enumerate(self.sizes):
                if size != before[seat]:
                    cells[codes.at_sizes + others[seat]] = size / codes.most
        if deal.known != self.known:
            self._knowledge()
        stock = len(deal.stock)
        if stock != self.stock:
            self.stock = stock
            cells[codes.at_stock] = stock / _PACK
            if deal.turned and deal.stock_is_known:
                self._show_stock(deal.stock)

    def _knowledge(self) -> None:
        """The cards that everybody knows to be in hands."""
        for seat, known in enumerate(self.deal.known):
            before = self.known[seat]
            if known != before:
                start = self.codes.at_known + self.others[seat] * 53
                for card in before:
                    self.cells[start + card] = 0
                _count(self.cells, start, known)
                self.known[seat] = known[:]

    def _mark(self, before: int, now: int) -> None:
        """Let the 1 of a plane wander."""
        if before >= 0:
            self.cells[before] = 0
        if now >= 0:
            self.cells[now] = 1

    def _follow(self, log: list[tuple[int, Move]]) -> None:
        """Follow the discard pile and the melds through the actions since the last look."""
        deal, cells, start, pile = self.deal, self.cells, self.codes.at_pile, self.pile
        laid = False
        if self.read < 0:
            self.read = 0
            pile.append(deal.upcard)
            cells[start + deal.upcard] = 1 / _MOST
        for place in range(self.read, len(log)):
            move = log[place][1]
            verb = move[0]
            if verb == DISCARD:
                card = move[2]
                pile.append(card)
                cells[start + card] += 1 / _MOST
            elif verb == TAKE:
                cells[start + pile.pop()] -= 1 / _MOST
                laid = laid or len(move[1]) > 0
            elif verb != DRAW:
                laid = True
        self.read = len(log)
        if deal.turned != self.turned:
            # The pile below its top card has become the stock since.
            self.turned = deal.turned
            cells[self.codes.at_reshuffles] = deal.turned / _RESHUFFLES
            self.vector[start : start + 53] = 0
            self.pile = deal.pile[:]
            _count(cells, start, self.pile)
        if laid:
            self._melds(deal.table)

    def _melds(self, table: list[Meld]) -> None:
        mine, codes, vector = self.table, self.codes, self.vector
        for number, meld in enumerate(table):
            start = codes.at_melds + number * codes.width
            if number == len(mine):
                self.cells[start + self.others[self.deal.owners[number]]] = 1
                mine.append(meld)
            elif mine[number] is meld:
                continue
            mine[number] = meld
            vector[start + self.deal.seats : start + codes.width] = _row(meld)

    def _show_stock(self, stock: list[int]) -> None:
        """The stock where everybody knows it, the next card last."""
        codes = self.codes
        self.vector[codes.at_next : codes.at_next + 53] = 0
        self.vector[codes.at_turned : codes.at_turned + 53] = 0
        if stock:
            self.cells[codes.at_next + stock[-1]] = 1
            _count(self.cells, codes.at_turned, stock)
