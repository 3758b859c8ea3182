"""Bids, calls, cards to give back and to bury of Calabresella, by trying them out in many deals."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from meja.bots.bot import Opinion
from meja.bots.calabresella_worth import rules_of, worth_table
from meja.cards import mask_of
from meja.games.calabresella import BID, PASS, CalabresellaView
from meja.games.tricks import ARGUMENT, VERB
from meja.search.calabresella_bids import Trial
from meja.search.calabresella_play import CARDS, narrow

_ALL: Final = (1 << 40) - 1
_BID: Final = 0
_CALL: Final = 1
_GIVE: Final = 2
_BURY: Final = 3
_RAISE: Final = 4
_CODE: Final = {card: code for code, card in enumerate(CARDS)}
#: How many of the cards that are missed least are thought of as buried; as given back; how many calls.
_THOUGHT: Final = 8
_GIVEN: Final = 5
_CALLS: Final = 8
#: Of what is tried, so large a part goes on after each round, with so many times the deals.
_KEPT: Final = 3
_MORE: Final = 3
#: The deals of the first round are this part of all; most deals between two looks at the clock.
_FIRST: Final = 8
_SLICE: Final = 16


def trial(view: CalabresellaView, edge: int) -> Trial:
    """What the seat of a view knows before the play."""
    rules = rules_of(view)
    assert view.seat is not None
    me = view.players.index(view.seat)
    auction = ("standard", "single_round", "reentry").index(rules.auction)
    slams = ("off", "standard", "tressette").index(rules.slams)
    leads = int(rules.first_lead == "bidder")
    made = Trial(me, (int(rules.follow_suit), slams, leads, rules.solissimo_base, auction))
    made.edge = edge
    made.set_worth(worth_table(view))
    hand = narrow(mask_of(view.hand))
    fixed, room = [0, 0, 0], [12, 12, 12]
    fixed[me], room[me] = hand, 0
    said = [-1, -1, -1]
    made.turn = me
    for seat, action in view.log:
        verb, place = action >> VERB, view.players.index(seat)
        if verb == PASS:
            said[place] = 0
            made.passed |= 1 << place
            made.calls += 1
        elif verb == BID:
            said[place] = (action & ARGUMENT) + 1
            made.bidder, made.contract = place, said[place]
            made.calls += 1
    made.said = said
    laid = narrow(mask_of(view.laid))
    if view.called is not None:
        made.called = _CODE[view.called]
    if view.giver is not None:
        made.giver = view.players.index(view.giver)
        room[made.giver] -= view.phase in ("give", "discard")
        if view.given is not None:
            fixed[made.giver] = narrow(1 << view.given)
        elif view.phase == "give":
            # The card that is given back comes to the eleven of its hand.
            fixed[made.giver] = 0
    if view.phase in ("give", "discard"):
        made.lies = 1
        taken = mask_of(view.picked_up) if view.shown else 0
        made.monte = narrow(taken | (0 if view.called is None else 1 << view.called))
    made.laid = laid
    made.fixed, made.room = fixed, room
    made.pool = _ALL & ~(hand | laid | fixed[0] | fixed[1] | fixed[2])
    return made


class Chooser:
    """Compares what may be done in the same deals, the better part of it in more and more."""

    def __init__(self, made: Trial, what: int, deals: int, seed: int, until: float) -> None:
        """``deals``: in how many deals the last ones left are tried; ``until``: when the time is over."""
        self.made = made
        self.what = what
        self.deals = deals
        self.seed = seed
        self.until = until

    def ranked(self, tries: Sequence[tuple[int, int]]) -> list[tuple[float, int]]:
        """(mean, index), the best first, of those that were tried to the end; each in at least one deal.

        Where time is so short that not even that can be done, only the first ones are tried.
        """
        sums: list[float] = []
        for card, mask in tries:
            if sums and time.monotonic() > self.until:
                break
            sums.append(self.made.run(self.what, card, mask, 1, self.seed, 0))
        left = [(total, index) for index, total in enumerate(sums)]
        done, aim = 1, max(2, self.deals // _FIRST)
        while True:
            left.sort(key=lambda found: (-found[0], found[1]))
            if done >= self.deals or time.monotonic() > self.until:
                return left
            if done >= aim:
                left = left[: max(2, len(left) // _KEPT)]
                aim *= _MORE
            part = min(done, _SLICE, self.deals - done)
            for _, index in left:
                card, mask = tries[index]
                sums[index] += part * self.made.run(self.what, card, mask, part, self.seed, done)
                if time.monotonic() > self.until:
                    return [(total, index) for total, index in left]
            done += part
            left = [(sums[index] / done, index) for _, index in left]


def choose(view: CalabresellaView, deals: int, seed: int, until: float, edge: int = 0) -> list[Opinion]:
    """What the actions before the play are worth, the best first; of those that were tried to the end."""
    made = trial(view, edge)
    legal = view.legal

    def compare(what: int, tries: Sequence[tuple[int, int]], actions: Sequence[int]) -> list[Opinion]:
        ranked = Chooser(made, what, deals, seed, until).ranked(tries)
        # Of several ways to go on with the same action the best one counts.
        worth: dict[int, float] = {}
        for mean, index in ranked:
            worth.setdefault(actions[index], mean)
        return [Opinion(action, mean) for action, mean in worth.items()]

    def named(card: int) -> int:
        return legal[0] >> VERB << VERB | card

    if view.phase == "auction":
        bids = [0 if action >> VERB == PASS else (action & ARGUMENT) + 1 for action in legal]
        return compare(_BID, [(bid, 0) for bid in bids], legal)
    if view.phase == "raise":
        return compare(_RAISE, [(action & ARGUMENT, 0) for action in legal], legal)
    codes = [_CODE[action & ARGUMENT] for action in legal]
    if view.phase == "call":
        codes.sort(key=lambda code: (-(code % 10), code))
        codes = first_of(codes, made.call(made.fixed[made.me]), _CALLS)
        return compare(_CALL, [(code, 0) for code in codes], [named(CARDS[code]) for code in codes])
    codes = least_missed(made, made.fixed[made.me])
    if view.seat != view.bidder:
        return [Opinion(named(CARDS[codes[0]]), 0.0)]
    if view.phase == "give":
        codes = codes[:_GIVEN]
        return compare(_GIVE, [(code, 0) for code in codes], [named(CARDS[code]) for code in codes])
    sets = buryings(made, codes, len(view.hand) - 12)
    return compare(
        _BURY, [(0, cards) for cards in sets], [named(CARDS[(cards & -cards).bit_length() - 1]) for cards in sets]
    )


def first_of(codes: Sequence[int], first: int, count: int) -> list[int]:
    """``count`` of the codes, one of them in front."""
    return [first, *[code for code in codes if code != first]][:count]


def least_missed(made: Trial, hand: int) -> list[int]:
    """The cards of a hand, from the one that is missed least on."""
    found = []
    while hand:
        code = made.missed(hand)
        found.append(code)
        hand &= ~(1 << code)
    return found


def buryings(made: Trial, codes: Sequence[int], need: int) -> list[int]:
    """The sets that are thought of: what rules of thumb bury, and sets of the cards that are missed least."""
    hand, thumb = made.fixed[made.me], 0
    for _ in range(need):
        code = made.fat(hand)
        code = made.missed(hand) if code < 0 else code
        thumb |= 1 << code
        hand &= ~(1 << code)
    sets = {sum(1 << code for code in chosen): None for chosen in combinations(codes[:_THOUGHT], need)}
    return [thumb, *[cards for cards in sets if cards != thumb]]


__all__ = ["Chooser", "choose", "trial"]
