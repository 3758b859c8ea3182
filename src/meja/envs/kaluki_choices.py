"""What may be decided in a position of Kaluki, id by id: only what can be brought to an end.

The position is a deal of which nothing is read but what the seat to act knows: its own hand, the table,
the top of the pile, and what it did in this turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import compress
from typing import Final, TypeAlias

from meja.cards import BIT, JOKER
from meja.envs.encoding import Prefix
from meja.envs.kaluki_ids import (
    ADD_TO,
    CLOSE,
    DISCARD_ID,
    DRAW_ID,
    IDS,
    NATURAL,
    START_RUN,
    START_SET,
    SWAP_ON,
    TAKE_ID,
    WILD,
    WILD_RANK,
    card_id,
    meld_of,
)
from meja.envs.kaluki_melding import Wanted, has_run, has_set, may_follow
from meja.envs.kaluki_opening import Together
from meja.games.kaluki import Kaluki
from meja.games.kaluki_turn import (
    ADD,
    DISCARDS,
    DRAW_MOVE,
    MELD,
    NO_CARD,
    OPEN,
    SWAP,
    TAKE,
    TAKE_MOVE,
    Move,
    Turn,
    TurnRules,
    can_end,
)
from meja.games.melds import RANK, SET, Meld, MeldRules, additions, all_melds, swaps

#: One byte per id: 1 where it is allowed.
Cells: TypeAlias = bytes

_RANKS: Final = 0x1FFF


def cells_of(ids: Sequence[int]) -> Cells:
    """The cells of a few ids."""
    cells = bytearray(IDS)
    for number in ids:
        cells[number] = 1
    return bytes(cells)


_DRAW: Final = cells_of([DRAW_ID])
_DRAW_OR_TAKE: Final = cells_of([DRAW_ID, TAKE_ID])
#: By whether a set and whether a run can be begun: the cells before the discards.
_HEADS: Final = {
    (sets, runs): cells_of([*[START_SET] * sets, *[START_RUN] * runs])[:DISCARD_ID]
    for sets in (False, True)
    for runs in (False, True)
}
#: By the ranks of a suit that are held: the cells of its discards.
_SUIT_CELLS: Final = tuple([bytes([ranks >> rank & 1 for rank in range(13)]) for ranks in range(_RANKS + 1)])


def _with_discards(head: bytes, one: int, jokers: int) -> Cells:
    """The cells before the discards, and those of the discards of a hand."""
    return b"".join(
        (
            head,
            _SUIT_CELLS[one & _RANKS],
            _SUIT_CELLS[one >> 13 & _RANKS],
            _SUIT_CELLS[one >> 26 & _RANKS],
            _SUIT_CELLS[one >> 39],
            b"\1" if jokers else b"\0",
        )
    )


def _with(head: bytes, ids: Iterable[int]) -> bytes:
    """The cells before the discards with some more ids."""
    cells = bytearray(head)
    for number in ids:
        cells[number] = 1
    return bytes(cells)


@lru_cache(maxsize=1 << 13)
def _taken_by(meld: Meld, rules: MeldRules) -> tuple[int, int]:
    """The cards that may be added to a meld, and those that may be given for a joker of it, as masks."""
    adds = gives = 0
    for card, _, _ in additions(meld, rules):
        adds |= BIT[card]
    for card, _ in swaps(meld, rules):
        gives |= BIT[card]
    return adds, gives


class Laid:
    """What the melds of a table take, jokers included: looked at anew only when the table has changed."""

    __slots__ = ("adds", "all_adds", "all_gives", "gives", "joker_takers", "melds")

    def __init__(self, table: Sequence[Meld], rules: MeldRules) -> None:
        self.melds = list(table)
        #: Per meld that takes any: the id that chooses it, and the mask of the cards.
        self.adds: list[tuple[int, int]] = []
        self.gives: list[tuple[int, int]] = []
        #: The cards that some meld takes.
        self.all_adds = self.all_gives = 0
        #: How many melds take a joker.
        self.joker_takers = 0
        for index, meld in enumerate(table):
            adds, gives = _taken_by(meld, rules)
            if adds:
                self.adds.append((ADD_TO + index, adds))
                self.all_adds |= adds
                self.joker_takers += adds >> JOKER
            if gives:
                self.gives.append((index, gives))
                self.all_gives |= gives


class Choices:
    """The decisions of the seat to act in one position, which must stay as it is."""

    __slots__ = (
        "_cells",
        "_deal",
        "_laid",
        "_openings",
        "_searched",
        "_seat",
        "_swaps",
        "_terms",
        "_wanted",
        "first",
    )

    def __init__(self, deal: Kaluki, terms: TurnRules, laid: Laid | None = None) -> None:
        """``laid`` belongs to the table of the deal."""
        seat = deal.to_act
        assert seat is not None
        self._deal = deal
        self._terms = terms
        self._laid = laid
        self._seat = seat
        #: By prefix the cells of what may follow.
        self._cells: dict[Prefix, Cells] | None = None
        #: Where the end of the turn is in question, what searches for it.
        self._searched: _Searched | None = None
        self._openings: Together | None = None
        #: Which melds may be laid by themselves: the points, the number of cards, and the card they must hold.
        self._wanted: tuple[int, int, int] | None = None
        self._swaps: list[Move] | None = None
        #: The cells of the first ids.
        self.first = self._plays() if deal.playing else self._draws()

    # -- what may be done ---------------------------------------------------------

    def cells(self, prefix: Prefix) -> Cells:
        """The ids that may follow an allowed prefix, as cells."""
        if not prefix:
            return self.first
        if self._cells is None:
            self._cells = {}
        found = self._cells.get(prefix)
        if found is None:
            found = self._cells[prefix] = cells_of(self._follow(prefix))
        return found

    def allowed(self, prefix: Prefix) -> list[int]:
        """The ids that may follow an allowed prefix, ascending."""
        return list(compress(range(IDS), self.cells(prefix)))

    def begins(self, prefix: Prefix) -> bool:
        """Whether masks allow a prefix, id by id, and it is no whole action."""
        return all(
            number in self.allowed(prefix[:place]) and self.complete(prefix[: place + 1]) is None
            for place, number in enumerate(prefix)
        )

    def complete(self, path: Prefix) -> Move | None:
        """The move of an allowed path that is whole."""
        first = path[0]
        if first >= DISCARD_ID:
            return DISCARDS[first - DISCARD_ID]
        if first == DRAW_ID:
            return DRAW_MOVE
        if first >= ADD_TO:
            return None if len(path) == 1 else self._on_table(first, path[1])
        if first == TAKE_ID and self._deal.opened >> self._seat & 1:
            return TAKE_MOVE
        if path[-1] != CLOSE:
            return None
        if self._openings is not None:
            return self._openings.complete(path)
        if first == TAKE_ID:
            return Move(TAKE, (meld_of(path[1:]),))
        return Move(MELD, (meld_of(path),))

    def _hand(self) -> tuple[int, int, int]:
        """The hand that melds are taken from: before the draw with the top of the pile."""
        deal, seat = self._deal, self._seat
        one, two, jokers = deal.one[seat], deal.two[seat], deal.jokers[seat]
        if deal.playing:
            return one, two, jokers
        top = deal.pile[-1]
        if top == JOKER:
            return one, two, jokers + 1
        bit = BIT[top]
        return (one, two | bit, jokers) if one & bit else (one | bit, two, jokers)

    def _draws(self) -> Cells:
        """The first ids before the draw."""
        deal, terms = self._deal, self._terms
        if deal.opened >> self._seat & 1:
            return _DRAW_OR_TAKE if not terms.must_use or len(deal.legal_actions()) > 1 else _DRAW
        if deal.rules.opening == "total":
            self._openings = self._together(TAKE, deal.sizes[self._seat] + 1)
            return _DRAW_OR_TAKE if self._openings.first() else _DRAW
        most = deal.sizes[self._seat] + 1 - terms.last_discard
        one, two, jokers = self._hand()
        least, top, melds = deal.rules.opening_points, deal.pile[-1], terms.melds
        self._wanted = least, most, top
        if has_run(one, two, jokers, melds, least, most, top) or has_set(one, two, jokers, melds, least, most, top):
            return _DRAW_OR_TAKE
        return _DRAW

    def _together(self, verb: int, size: int) -> Together:
        """The ways to open with melds of the hand together."""
        deal = self._deal
        top = deal.pile[-1] if verb == TAKE else NO_CARD
        return Together(*self._hand(), size, deal.rules.opening_points, self._terms, verb, top)

    def _plays(self) -> Cells:
        """The first ids after the draw."""
        deal, seat, terms = self._deal, self._seat, self._terms
        one, two, jokers, melds = deal.one[seat], deal.two[seat], deal.jokers[seat], terms.melds
        most = deal.sizes[seat] - terms.last_discard
        if not deal.opened >> seat & 1:
            least = deal.rules.opening_points
            self._wanted = least, most, NO_CARD
            head = _HEADS[
                has_set(one, two, jokers, melds, least, most, NO_CARD),
                has_run(one, two, jokers, melds, least, most, NO_CARD),
            ]
            if deal.rules.opening == "total":
                self._openings = self._together(OPEN, deal.sizes[seat])
                head = _with(head, self._openings.first())
            return _with_discards(head, one, jokers)
        taken = deal.taken
        kept = taken >= 0 and not deal.laid
        if deal.owed or (kept and (terms.must_use or _alone(taken, one))):
            return self._searches(one, jokers)
        self._wanted = 0, most, NO_CARD
        head = _HEADS[
            has_set(one, two, jokers, melds, 0, most, NO_CARD), has_run(one, two, jokers, melds, 0, most, NO_CARD)
        ]
        if deal.table:
            laid = self._laid or Laid(deal.table, melds)
            held = one | BIT[JOKER] if jokers else one
            found = [start for start, mask in laid.adds if mask & held] if most and laid.all_adds & held else []
            if laid.all_gives & one:
                found += [SWAP_ON + move.meld for move in self._exchanges()]
            if found:
                head = _with(head, found)
        if kept and not deal.held:
            if taken == JOKER:
                jokers = 0
            else:
                one &= ~BIT[taken]
        return _with_discards(head, one, jokers)

    def _searches(self, one: int, jokers: int) -> Cells:
        """The first ids after the draw, where the end of the turn must be searched for."""
        deal = self._deal
        searched = self._searched = _Searched(deal, self._terms)
        head = _with(_HEADS[False, False], searched.first() + [SWAP_ON + move.meld for move in self._exchanges()])
        if deal.owed or self._terms.must_use:
            one = jokers = 0
        elif not deal.held:
            if deal.taken == JOKER:
                jokers = 0
            else:
                one &= ~BIT[deal.taken]
        return _with_discards(head, one, jokers)

    def _exchanges(self) -> list[Move]:
        """The swaps after which the turn can be ended."""
        if self._swaps is None:
            deal, seat, terms = self._deal, self._seat, self._terms
            laid = self._laid or Laid(deal.table, terms.melds)
            one, swappable = deal.one[seat], deal.swappable(seat)
            # Where nothing else is in question, the joker only has to find a place.
            easy = not deal.owed and (deal.taken < 0 or deal.laid) and deal.sizes[seat] > terms.last_discard
            found = []
            for index, mask in laid.gives:
                if not mask & one or not swappable >> index & 1:
                    continue
                others = laid.joker_takers - (_taken_by(deal.table[index], terms.melds)[0] >> JOKER)
                for card, result in swaps(deal.table[index], terms.melds):
                    if one & BIT[card] and (
                        (easy and (others or not terms.swap_owes))
                        or deal.swap_ends(deal.turn_of(seat), card, index, result, swappable)
                    ):
                        found.append(Move(SWAP, (), card, -1, index))
            self._swaps = found
        return self._swaps

    # -- half-finished actions ----------------------------------------------------

    def _follow(self, prefix: Prefix) -> list[int]:
        """The ids that may follow a prefix that is not empty."""
        first = prefix[0]
        if first >= ADD_TO:
            return self._cards_for(first)
        if self._searched is not None:
            return self._searched.after(prefix)
        found: set[int] = set()
        if self._openings is not None:
            found |= self._openings.after(prefix)
        if self._wanted is not None and CLOSE not in prefix:
            one, two, jokers = self._hand()
            least, most, need = self._wanted
            part = prefix[1:] if first == TAKE_ID else prefix
            if part:
                wanted = Wanted(self._terms.melds, least, most, need)
                found.update(may_follow(part, one, two, jokers, wanted))
            else:
                if has_set(one, two, jokers, self._terms.melds, least, most, need):
                    found.add(START_SET)
                if has_run(one, two, jokers, self._terms.melds, least, most, need):
                    found.add(START_RUN)
        return sorted(found)

    def _cards_for(self, first: int) -> list[int]:
        """The cards that may be added to or swapped on a meld of the table."""
        if first >= SWAP_ON:
            return sorted(NATURAL + move.card for move in self._exchanges() if move.meld == first - SWAP_ON)
        if self._searched is not None:
            return sorted(number for index, number in self._searched.adds if index == first - ADD_TO)
        one, _, jokers = self._hand()
        found = [
            card_id(card, stands)
            for card, stands, _ in additions(self._deal.table[first - ADD_TO], self._terms.melds)
            if (jokers if card == JOKER else one & BIT[card])
        ]
        return sorted(found)

    def _on_table(self, first: int, number: int) -> Move:
        """The move that adds or swaps a card."""
        if first >= SWAP_ON:
            return Move(SWAP, (), number - NATURAL, -1, first - SWAP_ON)
        index = first - ADD_TO
        if number < WILD:
            return Move(ADD, (), number - NATURAL, -1, index)
        stands = RANK + number - WILD_RANK if number >= WILD_RANK else number - WILD
        return Move(ADD, (), JOKER, stands, index)


def _alone(taken: int, one: int) -> bool:
    """Whether all natural cards but those equal to the one taken are of one suit, or of one rank.

    Only then a meld may leave nothing in the hand but what may not be discarded, so that it is a
    question whether the turn can be ended; any other meld leaves some card that may go.
    """
    if taken != JOKER:
        one &= ~BIT[taken]
    a, b, c, d = one & _RANKS, one >> 13 & _RANKS, one >> 26 & _RANKS, one >> 39
    ranks = a | b | c | d
    # Where one suit has them all, the others have none.
    return not ranks & ranks - 1 or one in (a, b << 13, c << 26, d << 39)


class _Searched:
    """What an opened seat may lay where the end of its turn is in question: it is searched for meld by meld.

    Each is searched only when it is asked for, and of those that begin alike only until one is found.
    """

    def __init__(self, deal: Kaluki, terms: TurnRules) -> None:
        seat = deal.to_act
        assert seat is not None
        self._turn = deal.turn_of(seat)
        self._swappable = deal.swappable(seat)
        self._terms = terms
        self._memo: dict[Turn, bool] = {}
        self._ends: dict[Meld, bool] = {}
        turn = self._turn
        melds = all_melds(turn.one, turn.two, turn.jokers, terms.melds)
        #: The melds of the hand by the id that begins them; whether they may be laid is not known yet.
        self._melds = {
            START_SET: [meld for meld in melds if meld.suit == SET],
            START_RUN: [meld for meld in melds if meld.suit != SET],
        }
        #: The cards that may be added, as (number of the meld, id of the card).
        self.adds = [
            (index, card_id(card, stands))
            for index, meld in enumerate(turn.table)
            for card, stands, result in additions(meld, terms.melds)
            if self._can_end(turn.after((card,), (*turn.table[:index], result, *turn.table[index + 1 :])))
        ]

    def _can_end(self, after: Turn | None) -> bool:
        return after is not None and can_end(after, self._terms, self._swappable, self._memo)

    def _may(self, meld: Meld) -> bool:
        found = self._ends.get(meld)
        if found is None:
            turn = self._turn
            found = self._ends[meld] = self._can_end(turn.after(meld.cards, (*turn.table, meld)))
        return found

    def first(self) -> list[int]:
        """The ids that begin a meld or an addition."""
        starts = [start for start, melds in self._melds.items() if any(map(self._may, melds))]
        return starts + [ADD_TO + index for index, _ in self.adds]

    def after(self, part: Prefix) -> list[int]:
        """The ids that may follow those of a meld that is not closed."""
        size = len(part) - 1
        cards = tuple([number - NATURAL if number < WILD else JOKER for number in part[1:]])
        low = None
        if size and part[0] == START_RUN:
            first = part[1] - (NATURAL if part[1] < WILD else WILD)
            low = (first // 13, (first % 13 + 1) % 13)
        found: set[int] = set()
        for meld in self._melds[part[0]]:
            if meld.cards[:size] == cards and (low is None or meld[:2] == low):
                there = len(meld.cards) > size
                number = card_id(meld.cards[size], meld.stands_for(size)) if there else CLOSE
                if number not in found and self._may(meld):
                    found.add(number)
        return sorted(found)
