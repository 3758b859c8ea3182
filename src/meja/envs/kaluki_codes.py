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
from meja.envs.encoding import Encoding, Prefix, Vector
from meja.envs.planes import Layout
from meja.errors import MejaError
from meja.games.kaluki import Kaluki
from meja.games.kaluki_turn import ADD, DISCARD, DRAW, MELD, OPEN, SWAP, TAKE, LegalActions, Move, Openings
from meja.games.melds import RANK, SET, Meld, take_out
from meja.messages import msg

#: More melds than this cannot lie on the table: 108 cards, three in each.
MELDS: Final = 36

DRAW_ID: Final = 0
TAKE_ID: Final = 1
CLOSE: Final = 2
START_SET: Final = 3
START_RUN: Final = 4
NATURAL: Final = 5
WILD: Final = NATURAL + 52
WILD_RANK: Final = WILD + 52
ADD_TO: Final = WILD_RANK + 13
SWAP_ON: Final = ADD_TO + MELDS
DISCARD_ID: Final = SWAP_ON + MELDS
IDS: Final = DISCARD_ID + 53

#: How many cards there are of a face, jokers included: the count that is 1 in a plane of counts.
_MOST: Final = 4
_PACK: Final = 108
_RESHUFFLES: Final = 3
_PHASES: Final = ("draw", "play", "over")
#: Within the planes of a meld, after its owner: set or run, naturals, jokers of a run, jokers of a set.
_NATURALS: Final = 2
_STANDS: Final = _NATURALS + 52
_WILD: Final = _STANDS + 52
_ROW: Final = _WILD + 4


# -- actions as ids -----------------------------------------------------------------


def card_id(card: int, stands: int) -> int:
    """The id of a card as it is laid: a natural one, or a joker that stands for something."""
    if card != JOKER:
        return NATURAL + card
    return WILD_RANK + stands - RANK if stands >= RANK else WILD + stands


@lru_cache(maxsize=1 << 14)
def meld_ids(meld: Meld) -> Prefix:
    """The ids of a meld, from its start to its close."""
    start = START_SET if meld.suit == SET else START_RUN
    return (start, *(card_id(card, meld.stands_for(place)) for place, card in enumerate(meld.cards)), CLOSE)


@lru_cache(maxsize=1 << 14)
def meld_of(ids: Prefix) -> Meld:
    """The meld of :func:`meld_ids`."""
    start, *tokens, _ = ids
    cards = tuple([token - NATURAL if token < WILD else JOKER for token in tokens])
    first = tokens[0]
    if start == START_SET:
        return Meld(SET, (first - NATURAL) % 13, cards)
    face = first - (NATURAL if first < WILD else WILD)
    # A run that begins with an ace begins below the two: no run has fewer than three cards.
    return Meld(face // 13, (face % 13 + 1) % 13, cards)


def move_ids(move: Move) -> Prefix:
    """The ids of a move whose melds are in the order of the legal list."""
    melds = tuple([number for meld in move.melds for number in meld_ids(meld)])
    verb = move.verb
    if verb == DRAW:
        return (DRAW_ID,)
    if verb == TAKE:
        return (TAKE_ID, *melds)
    if verb in (MELD, OPEN):
        return melds
    if verb == ADD:
        return (ADD_TO + move.meld, card_id(move.card, move.stands))
    if verb == SWAP:
        return (SWAP_ON + move.meld, NATURAL + move.card)
    return (DISCARD_ID + move.card,)


class KalukiEncoding(Encoding):
    """Kaluki: 247 ids. See the module for how melds are written."""

    game = "kaluki"

    def __init__(self, rules: Any) -> None:
        super().__init__(rules)
        #: What was worked out for the view that was asked last.
        self._known: _Known | None = None

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

    def _look(self, view: Any) -> _Known:
        known = self._known
        if known is None or known.view is not view:
            known = self._known = _Known(view)
        return known

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
        self._hand = layout.add("hand", 52, f"the own hand, at least one of a face; {faces}")
        self._twice = layout.add("hand_twice", 52, "two of a face in the own hand")
        self._jokers = layout.add("hand_jokers", 4, "jokers in the own hand: at least 1, 2, 3, 4")
        self._phase = layout.add("phase", len(_PHASES), f"the phase: {', '.join(_PHASES)}")
        self._to_act = layout.add("to_act", seats, "the seat to act")
        self._dealer = layout.add("dealer", seats, "the dealer")
        self._sizes = layout.add("hand_sizes", seats, f"per seat the cards in hand, divided by {most}")
        self._opened = layout.add("opened", seats, "the seats that have opened")
        self._totals = layout.add("totals", seats, f"per seat the total before this deal, divided by {target}")
        self._stock = layout.add("stock", 1, f"the number of cards in the stock, divided by {_PACK}")
        self._reshuffles = layout.add("reshuffles", 1, "how often the pile has become the stock, divided by 3")
        self._top = layout.add("top", 53, "the top card of the discard pile: the faces, the joker last")
        self._pile = layout.add("pile", 53, f"the discard pile: {counts}")
        self._next = layout.add("next", 53, "the next card of the stock, where everybody knows it")
        self._turned = layout.add("turned", 53, f"the stock, where everybody knows its cards: {counts}")
        self._held = layout.add("known", seats * 53, f"per seat the cards everybody knows to be in its hand: {counts}")
        self._taken = layout.add("taken", 53, "the card that was taken from the discard pile in this turn")
        self._laid = layout.add("taken_laid", 1, "whether an equal card was laid since")
        self._drew = layout.add("drew", 53, "the card that the own seat drew from the stock in this turn")
        self._owed = layout.add("owed", 1, "swapped jokers that must still be laid, divided by 4")
        self._new = layout.add("fresh", 1, "whether the seat to act has opened in this turn")
        self._width = seats + _ROW
        self._melds = layout.add(
            "melds",
            MELDS * self._width,
            f"per meld m0 to m{MELDS - 1}: its owner ({seats} seats), set or run (2), per face its natural cards"
            " divided by 2 (52), the faces that jokers of a run stand for (52), jokers of a set: at least 1, 2, 3, 4"
            " (4)",
        )
        self._closed = layout.add(
            "closed", MELDS, "melds of the own half-finished action that are closed already, but not laid yet"
        )
        self._taking = layout.add("taking", 1, "whether that action takes the top card of the discard pile")
        self._building = layout.add("building", DISCARD_ID, "its ids after those: per id how many, divided by 4")

    def write(self, view: Any, prefix: Prefix, out: Vector) -> None:
        """Write the observation of a view into a vector that is all zero."""
        cells: Any = out.data
        seats = self.rules.seats
        me = view.seat or 0
        others = [(seat - me) % seats for seat in range(seats)]
        jokers = 0
        hand, twice = self._hand, self._twice
        last = -1
        for card in view.hand:
            # A hand is sorted, so equal cards follow each other.
            if card == JOKER:
                cells[self._jokers + jokers] = 1
                jokers += 1
            else:
                cells[(twice if card == last else hand) + card] = 1
                last = card
        cells[self._phase + _PHASES.index(view.phase)] = 1
        if view.to_act is not None:
            cells[self._to_act + others[view.to_act]] = 1
        cells[self._dealer + others[view.dealer]] = 1
        most, target = self.rules.cards + 1, self.rules.target
        sizes, opened, totals = view.hand_sizes, view.opened, view.context.totals
        for seat, other in enumerate(others):
            cells[self._sizes + other] = sizes[seat] / most
            cells[self._opened + other] = opened[seat]
            # A match is over once a total is at the target; a deal by itself may be told any.
            cells[self._totals + other] = min(1.0, max(0.0, totals[seat] / target))
            known = view.known[seat]
            if known:
                _count(cells, self._held + other * 53, known)
        cells[self._stock] = view.stock / _PACK
        cells[self._reshuffles] = view.reshuffles / _RESHUFFLES
        pile = view.pile
        if pile:
            cells[self._top + pile[-1]] = 1
            _count(cells, self._pile, pile)
        if view.turned:
            cells[self._next + view.turned[0]] = 1
            _count(cells, self._turned, view.turned)
        if view.taken is not None:
            cells[self._taken + view.taken] = 1
            cells[self._laid] = view.taken_laid
        if view.drew is not None:
            cells[self._drew + view.drew] = 1
        cells[self._owed] = view.owed / _MOST
        cells[self._new] = view.fresh
        start = self._melds
        for owner, meld in zip(view.owners, view.table, strict=True):
            cells[start + others[owner]] = 1
            out[start + seats : start + self._width] = _row(meld)
            start += self._width
        if prefix:
            self._fill_prefix(len(view.table), prefix, out)

    def _fill_prefix(self, number: int, prefix: Prefix, out: Vector) -> None:
        """The half-finished action: closed melds beside those on the table, where they will lie."""
        melds, ids = split(prefix)
        seats = self.rules.seats
        for meld in melds:
            start = self._melds + number * self._width
            out[start] = 1
            out[start + seats : start + self._width] = _row(meld)
            out[self._closed + number] = 1
            number += 1
        out[self._taking] = prefix[0] == TAKE_ID
        for token in ids:
            out[self._building + token] += 1 / _MOST


def split(prefix: Prefix) -> tuple[list[Meld], Prefix]:
    """The closed melds of a half-finished action, and the ids after them."""
    melds = []
    start = int(prefix[:1] == (TAKE_ID,))
    for place, number in enumerate(prefix):
        if number == CLOSE:
            melds.append(meld_of(prefix[start : place + 1]))
            start = place + 1
    return melds, prefix[start:]


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


# -- which ids are allowed ----------------------------------------------------------


class _Known:
    """The legal actions of one view as ids: what may follow which prefix."""

    def __init__(self, view: Any) -> None:
        self.view = view
        legal = view.legal
        plain: Sequence[Move] = legal
        self.ways: _Ways | None = None
        if isinstance(legal, LegalActions):
            plain = legal.plain
            self.ways = _Ways(legal.openings, TAKE if view.phase == "draw" else OPEN)
        #: The actions of one id, and the others by their first one.
        self.single: dict[int, Move] = {}
        self.longer: dict[int, list[Move]] = {}
        single, longer = self.single, self.longer
        for move in plain:
            verb, melds, card, _, number = move
            if verb == DISCARD:
                single[DISCARD_ID + card] = move
            elif verb == MELD:
                longer.setdefault(START_SET if melds[0].suit == SET else START_RUN, []).append(move)
            elif verb == ADD:
                longer.setdefault(ADD_TO + number, []).append(move)
            elif verb == SWAP:
                longer.setdefault(SWAP_ON + number, []).append(move)
            elif verb == TAKE and melds:
                longer.setdefault(TAKE_ID, []).append(move)
            else:
                single[DRAW_ID if verb == DRAW else TAKE_ID] = move
        first = {*single, *longer}
        if self.ways is not None:
            first |= self.ways.first()
        #: By prefix the ids that may follow, and the actions of the table that begin with it.
        self.follow: dict[Prefix, list[int]] = {(): sorted(first)}
        self.begun: dict[Prefix, list[tuple[Prefix, Move]]] = {}

    def begins(self, prefix: Prefix) -> bool:
        """Whether masks allow a prefix, id by id, and it is no whole action."""
        if prefix in self.follow:
            return True
        return (
            all(number in self.allowed(prefix[:place]) for place, number in enumerate(prefix))
            and self.complete(prefix) is None
        )

    def allowed(self, prefix: Prefix) -> list[int]:
        """The ids that may follow an allowed prefix, ascending."""
        found = self.follow.get(prefix)
        if found is None:
            size = len(prefix)
            after = {ids[size] for ids, _ in self._begin(prefix) if len(ids) > size}
            if self.ways is not None:
                after |= self.ways.after(prefix)
            found = self.follow[prefix] = sorted(after)
        return found

    def _begin(self, prefix: Prefix) -> list[tuple[Prefix, Move]]:
        """The plain actions of several ids that begin with a prefix."""
        found = self.begun.get(prefix)
        if found is None:
            if len(prefix) == 1:
                found = [(move_ids(move), move) for move in self.longer.get(prefix[0], ())]
            else:
                found = [item for item in self._begin(prefix[:-1]) if item[0][: len(prefix)] == prefix]
            self.begun[prefix] = found
        return found

    def complete(self, path: Prefix) -> Move | None:
        """The action of a path that is whole."""
        if len(path) == 1:
            return self.single.get(path[0])
        for ids, move in self._begin(path):
            if ids == path:
                return move
        return self.ways.complete(path) if self.ways is not None and path[-1] == CLOSE else None


class _Ways:
    """The ways to open with several melds, as prefixes of ids. Each way is walked in ascending order of its melds."""

    def __init__(self, openings: Openings, verb: int) -> None:
        self._openings = openings
        self._verb = verb
        self._ids: list[Prefix] = []
        self._places: dict[Prefix, int] = {}
        self._leads: dict[tuple[int, ...], bool] = {}

    def first(self) -> set[int]:
        """The ids that a way to open begins with."""
        sets = sum(meld.suit == SET for meld in self._openings.melds)
        found = set()
        # The legal list has all sets before all runs.
        for start, places in ((START_SET, range(sets)), (START_RUN, range(sets, len(self._openings.melds)))):
            if any(self._leads_on((), place) for place in places):
                if self._verb == TAKE:
                    return {TAKE_ID}
                found.add(start)
        return found

    def after(self, prefix: Prefix) -> set[int]:
        """The ids that lead on from a prefix to a way to open."""
        if self._verb == TAKE:
            if prefix[0] != TAKE_ID:
                return set()
            prefix = prefix[1:]
        chosen, part = self._closed(prefix)
        if chosen is None:
            return set()
        size = len(part)
        found: set[int] = set()
        for place in range(chosen[-1] if chosen else 0, len(self._ids)):
            ids = self._ids[place]
            if ids[:size] == part and ids[size] not in found and self._leads_on(chosen, place):
                found.add(ids[size])
        return found

    def complete(self, path: Prefix) -> Move | None:
        """The move of a path that has just closed a meld, if it opens."""
        chosen, _ = self._closed(path[1:] if self._verb == TAKE else path)
        openings = self._openings
        if chosen is None or not openings.opens(chosen):
            return None
        return Move(self._verb, tuple([openings.melds[place] for place in chosen]))

    def _closed(self, ids: Prefix) -> tuple[tuple[int, ...] | None, Prefix]:
        """The places of the melds that are closed, and the ids of the one that is not."""
        if not self._places:
            self._ids = [meld_ids(meld) for meld in self._openings.melds]
            self._places = {ids: place for place, ids in enumerate(self._ids)}
        chosen: list[int] = []
        start = 0
        for place, number in enumerate(ids):
            if number == CLOSE:
                found = self._places.get(ids[start : place + 1])
                if found is None:
                    return None, ()
                chosen.append(found)
                start = place + 1
        return tuple(chosen), ids[start:]

    def _leads_on(self, chosen: tuple[int, ...], place: int) -> bool:
        """Whether some way to open begins with the melds chosen and the one at ``place``."""
        key = (*chosen, place)
        found = self._leads.get(key)
        if found is None:
            found = self._leads[key] = self._search(chosen, place)
        return found

    def _search(self, chosen: tuple[int, ...], place: int) -> bool:
        openings = self._openings
        if openings.value < openings.points:
            return False
        hand, size, total, value = openings.hand, openings.size, 0, openings.value
        has = openings.taken < 0
        for number in chosen:
            cards = openings.melds[number].cards
            left = take_out(*hand, cards)
            if left is None:
                return False
            hand, size = left, size - len(cards)
            total += openings.worths[number]
            value -= openings.worths[number]
            has = has or openings.taken in cards
        return openings.leads_on(chosen, place, hand, size, total, has, value)
