"""Proofs by exhaustion: every way the hidden cards may lie, and every way the deal may go on from there.

Nothing of a bot is used here: the worlds come from what the view says of voids and places, the outcomes from the
engine's score. Three proofs, from the strongest on:

``every``   in every world the right action at its worst (whatever anybody plays) is at least as good as the wrong
            one at its best, and better in some world;
``mean``    the same of the means over all worlds: the right action at its worst beats the wrong one at its best;
``robust``  over all worlds the right action is better by ``MARGIN`` whether the others help, harm, or play at random.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Any, Final

from meja.cards import Card, mask_of
from meja.games import new_match
from meja.view import View

#: What counts as better in the proof called ``robust``: a fraction of a point of the deal.
MARGIN: Final = 0.1
_EQUAL: Final = 1e-9

Outcome = tuple[float, float, float, float, float]
#: What a finished deal with its score is worth to a seat.
Worth = Callable[[Any, Sequence[int], int], float]


def worlds(view: View[Any]) -> Iterator[Any]:
    """Every deal of a trick game that agrees with the view, once for each way the hands may lie."""
    blank: Any = view._blank  # type: ignore[attr-defined]
    hidden = blank.hidden(view.seat, view.hand_sizes)
    cards = [(card, places) for places, group in hidden.groups for card in group]
    for lying in _spreads(cards, list(hidden.room)):
        deal = blank.clone()
        for place, seat in enumerate(hidden.seats):
            deal.hands[seat] = mask_of(lying[place])
        if deal.game == "calabresella":
            deal.monte |= mask_of([card for place in lying[len(hidden.seats) :] for card in place])
        else:
            deal.rest = mask_of(lying[-1])
        yield deal


def _spreads(cards: Sequence[tuple[Card, int]], room: Sequence[int], place: int = 0) -> Iterator[list[list[Card]]]:
    """All ways to put the cards into places with that room, place by place; each card knows where it may lie."""
    if place == len(room) - 1:
        if len(cards) == room[place] and all(places >> place & 1 for _, places in cards):
            yield [[card for card, _ in cards]]
        return
    # Cards that fit into no later place have to lie here.
    forced = [item for item in cards if not item[1] >> (place + 1)]
    free = [item for item in cards if item[1] >> (place + 1) and item[1] >> place & 1]
    if len(forced) > room[place] or not all(places >> place & 1 for _, places in forced):
        return
    for chosen in combinations(free, room[place] - len(forced)):
        here = {card for card, _ in (*forced, *chosen)}
        for rest in _spreads([item for item in cards if item[0] not in here], room, place + 1):
            yield [sorted(here), *rest]


def outcomes(deal: Any, seat: int, worths: Sequence[Worth]) -> tuple[Outcome, ...]:
    """Per worth the least and most of all ways to go on; then played well against foes, by chance, with friends."""
    memo: dict[Any, tuple[Outcome, ...]] = {}

    def below(state: Any) -> tuple[Outcome, ...]:
        if state.to_act is None:
            score = state.score()
            return tuple([(worth(state, score, seat),) * 5 for worth in worths])
        # Tricks count for the sweep and for ties, so they are part of the state. In Smear the trumps played count too.
        key = (tuple(state.hands), tuple(state.trick), state.to_act, tuple(state.taken), tuple(state.tricks))
        if state.game != "smear" and key in memo:
            return memo[key]
        found = []
        for action in state.legal_actions():
            after = state.clone()
            after.advance(action)
            found.append(below(after))
        if len(found) == 1:
            result = found[0]
        else:
            mine = state.to_act == seat
            result = tuple([_joined([item[place] for item in found], mine) for place in range(len(worths))])
        memo[key] = result
        return result

    return below(deal)


def _joined(found: Sequence[Outcome], mine: bool) -> Outcome:
    """The outcome of a choice between outcomes, by the seat itself or by another one."""
    least = min([item[0] for item in found])
    most = max([item[1] for item in found])
    if mine:
        return least, most, max([o[2] for o in found]), max([o[3] for o in found]), max([o[4] for o in found])
    mean = sum([item[3] for item in found]) / len(found)
    return least, most, min([item[2] for item in found]), mean, max([item[4] for item in found])


def own_score(deal: Any, score: Sequence[int], seat: int) -> float:
    """The score of the deal, larger for better."""
    return _signed(deal, score[seat])


def lead_over_others(deal: Any, score: Sequence[int], seat: int) -> float:
    """The score of the deal less the mean of the others, larger for better."""
    return _signed(deal, score[seat] - (sum(score) - score[seat]) / (len(score) - 1))


def _signed(deal: Any, points: float) -> float:
    penalties = deal.game == "bassadewitz" and not deal.rules.classic_pool
    return -points if penalties else points


def match_result(deal: Any, score: Sequence[int], seat: int) -> float:
    """1 where the seat wins the match alone, its share where it is shared, 0 where it goes on, -1 where it is lost."""
    match = new_match(deal.rules, dealer=deal.dealer)
    match.totals = tuple([total + points for total, points in zip(deal.context.totals, score, strict=True)])
    match.counted = deal.context.counted + match.counts(deal)
    winners = match.winners_after(deal)
    if winners is None:
        return 0.0
    return 1.0 / len(winners) if seat in winners else -1.0


#: What counts, by the goal of a position: all of it must speak for the right action.
GOALS: Final[dict[str, tuple[Worth, ...]]] = {"deal": (own_score, lead_over_others), "match": (match_result,)}


def tables(view: View[Any], goal: str) -> list[dict[Any, list[Outcome]]]:
    """For all that counts for a goal: per legal action its :func:`outcomes` in every world."""
    seat: int = view.seat  # type: ignore[assignment]
    worths = GOALS[goal]
    found: list[dict[Any, list[Outcome]]] = [{action: [] for action in view.legal} for _ in worths]
    for deal in worlds(view):
        for action in view.legal:
            after = deal.clone()
            after.advance(action)
            for table, outcome in zip(found, outcomes(after, seat, worths), strict=True):
                table[action].append(outcome)
    return found


def better(proof: str, right: Sequence[Outcome], wrong: Sequence[Outcome]) -> bool:
    """Whether the proof shows the right action to be better than the wrong one."""
    if proof == "every":
        pairs = list(zip(right, wrong, strict=True))
        return all(r[0] >= w[1] - _EQUAL for r, w in pairs) and any(r[0] > w[1] + _EQUAL for r, w in pairs)
    size = len(right)
    if proof == "mean":
        return sum(r[0] for r in right) > sum(w[1] for w in wrong) + _EQUAL
    if proof == "robust":
        return all(sum(r[k] for r in right) > sum(w[k] for w in wrong) + MARGIN * size for k in (2, 3, 4))
    raise ValueError(proof)


# -- bids -------------------------------------------------------------------------


def bid_bound(view: View[Any], bid: int) -> float:
    """The most that a bid of Smear may be worth on average, counting all that is not certain as won.

    Whoever makes a bid scores four points at most, whoever fails loses it. A bid of ``n`` needs at least ``n - 1`` of
    High, Low and Jack; here Game, every jack that lies in another hand, and every jack held are taken as won.
    """
    hand = view.hand
    unseen = 52 - len(hand)
    dealt = len(hand) * (len(view.hand_sizes) - 1)

    def undealt(number: int) -> float:
        return comb(unseen - number, dealt) / comb(unseen, dealt)

    best = -float(bid)
    for suit in range(4):
        ranks = sorted(card % 13 for card in hand if card // 13 == suit)
        if not ranks:
            continue
        above, below = 12 - ranks[-1], ranks[0]
        held = 9 in ranks
        # Joint chances by inclusion and exclusion: no card above, no card below, the jack dealt.
        high, low, both = undealt(above), undealt(below), undealt(above + below)
        if held:
            need = bid - 2
            chance = 1.0 if need <= 0 else high + low - both if need == 1 else both
        else:
            between = above and ranks[-1] < 9, below and ranks[0] > 9
            jack = 1 - undealt(1)
            high_jack = 0.0 if between[0] else high - undealt(above + 1)
            low_jack = 0.0 if between[1] else low - undealt(below + 1)
            all_three = 0.0 if any(between) else both - undealt(above + below + 1)
            need = bid - 1
            if need >= 3:
                chance = all_three
            elif need == 2:
                chance = both + high_jack + low_jack - 2 * all_three
            else:
                chance = min(1.0, high + low + jack)
        best = max(best, 4 * chance - bid * (1 - chance))
    return best
