"""A greedy player of Kaluki for benchmarks: it sees the deal and lays whatever it can, at once.

It draws, opens with the dearest meld that opens, then lays every meld and every card that
fits, and discards the dearest card that nothing else in the hand goes with.
"""

from __future__ import annotations

import time

from meja.cards import BIT, JOKER, Rng
from meja.games import make_rules
from meja.games.kaluki import Kaluki
from meja.games.kaluki_turn import ADD, DISCARDS, DRAW_MOVE, MELD, Move
from meja.games.melds import additions, all_melds, worth

_SUIT = 0x1FFF
_COLUMN = 1 | 1 << 13 | 1 << 26 | 1 << 39
#: Ranks from the dearest to the cheapest: aces, courts and tens, then down.
_DEAREST = tuple(range(12, -1, -1))
_CHEAPEST = tuple(range(13))


def greedy(deal: Kaluki) -> Move:
    """The next action of the seat to act."""
    if not deal.playing:
        return DRAW_MOVE
    seat = deal.to_act
    assert seat is not None
    one, two, jokers = deal.one[seat], deal.two[seat], deal.jokers[seat]
    rules = deal.rules.turn.melds
    if deal.opened >> seat & 1:
        melds = all_melds(one, two, jokers, rules)
        if melds:
            return Move(MELD, (max(melds, key=lambda meld: len(meld.cards)),))
        for index, meld in enumerate(deal.table):
            for card, stands, _ in additions(meld, rules):
                if jokers if card == JOKER else one & BIT[card]:
                    return Move(ADD, (), card, stands, index)
    else:
        openings = all_melds(one, two, jokers, rules, deal.rules.opening_points)
        if openings:
            return Move(MELD, (max(openings, key=lambda meld: worth(meld, rules)),))
        return DISCARDS[_loose(one, two, _CHEAPEST)]
    return DISCARDS[_loose(one, two, _DEAREST)]


def _loose(one: int, two: int, ranks: tuple[int, ...]) -> int:
    """The first card in the order of ``ranks`` with none near it in its suit and no other of its rank, or the first."""
    first = -1
    for rank in ranks:
        column = one >> rank & _COLUMN
        if not column:
            continue
        card = column.bit_length() - 1 + rank
        if first < 0:
            first = card
        if not column & (column - 1) and not two >> card & 1 and not one >> card - rank & _NEAR[rank]:
            return card
    return first if first >= 0 else JOKER


#: Ranks at most two places away in a suit.
_NEAR = tuple((0b11111 << rank >> 2) & _SUIT & ~(1 << rank) for rank in range(13))


def main() -> None:
    """Print how many greedy deals for two players are played in a second."""
    rules = make_rules("kaluki", 2)
    rng = Rng(1)
    began = time.process_time()
    deals = actions = 0
    while time.process_time() - began < 3:
        deal = Kaluki.shuffle(rules, 0, rng)
        while deal.to_act is not None:
            deal.advance(greedy(deal))
        deals += 1
        actions += len(deal.log)
    passed = time.process_time() - began
    print(f"{deals / passed:,.0f} deals/s, {actions / deals:.0f} actions a deal")


if __name__ == "__main__":
    main()
