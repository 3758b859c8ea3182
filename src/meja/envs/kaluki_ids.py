"""The ids of Kaluki's small decisions, and whole moves as sequences of them."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from meja.cards import JOKER
from meja.envs.encoding import Prefix
from meja.games.kaluki_turn import ADD, DRAW, MELD, OPEN, SWAP, TAKE, Move
from meja.games.melds import RANK, SET, Meld

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


def split(prefix: Prefix) -> tuple[list[Meld], Prefix]:
    """The closed melds of a half-finished action, and the ids after them."""
    melds = []
    start = int(prefix[:1] == (TAKE_ID,))
    for place, number in enumerate(prefix):
        if number == CLOSE:
            melds.append(meld_of(prefix[start : place + 1]))
            start = place + 1
    return melds, prefix[start:]
