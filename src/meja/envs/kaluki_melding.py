"""Which melds can be put together from a hand card by card, told without a list of them all.

A run is followed place by place: what may come next, and whether something valid is still in reach,
depends on little (where it stands, its jokers, whether it holds the card that it must hold), so it is
worked out once and remembered. The sets of one rank are few, so they are listed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from meja.cards import JOKER
from meja.envs.encoding import Prefix
from meja.envs.kaluki_ids import CLOSE, NATURAL, START_RUN, START_SET, WILD, meld_ids
from meja.games.melds import RUN_CARD, MeldRules, sets_of

#: What may come next in a run.
END: Final = 1
CARD: Final = 2
JOKER_NEXT: Final = 4

_RANKS: Final = 0x1FFF
_ACE: Final = 12
_HIGH_ACE: Final = 13
_PLACES: Final = 14
_NONE: Final = -1
#: The size of a run that there is not.
_NEVER: Final = 99


class Wanted(NamedTuple):
    """Which melds of a hand are meant: worth at least ``least``, of ``most`` cards at most, with the card ``need``."""

    rules: MeldRules
    least: int
    most: int
    #: A card or a joker; -1 where no card is wanted.
    need: int = _NONE


class RunHand(NamedTuple):
    """What decides which runs of one suit there are."""

    held: int
    two_aces: bool
    jokers: int
    wanted: Wanted


class RunPart(NamedTuple):
    """A run as far as it is laid; of its cards only what decides how it may go on."""

    low: int
    size: int
    jokers: int
    #: Whether the last card is a joker.
    wild: bool
    #: Whether a natural ace lies at the low end.
    ace: bool
    #: Whether it holds the card that it must hold.
    has: bool


@lru_cache(maxsize=1 << 14)
def run_after(hand: RunHand, part: RunPart) -> int:
    """What may come next so that a run can still be made: bits of ``END``, ``CARD`` and ``JOKER_NEXT``."""
    held, two_aces, jokers, (rules, least, most, _) = hand
    low, size, used, _, _, has = part
    found = 0
    if (
        size >= 3
        and has
        and used < size
        and not (rules.naturals_majority and used * 2 >= size)
        # Laid down at once, thirteen cards with an ace have it at the high end.
        and not (low == 0 and size == 13)
        and rules.run_sums[low + size] - rules.run_sums[low] >= least
    ):
        found = END
    place = low + size
    if place > _HIGH_ACE or size >= most or size >= rules.run_max:
        return found
    there = held >> (place - 1) % 13 & 1 and not (place == _HIGH_ACE and part.ace and not two_aces)
    if there and run_after(hand, with_card(hand, part)):
        found |= CARD
    if used < jokers and (rules.adjacent_jokers or not part.wild) and run_after(hand, with_joker(hand, part)):
        found |= JOKER_NEXT
    return found


def with_card(hand: RunHand, part: RunPart) -> RunPart:
    """A run with the natural card that comes next."""
    low, size, used, _, ace, has = part
    place = low + size
    return RunPart(low, size + 1, used, False, ace or place == 0, has or hand.wanted.need == (place - 1) % 13)


def with_joker(hand: RunHand, part: RunPart) -> RunPart:
    """A run with a joker that stands for the card that comes next."""
    low, size, used, _, ace, has = part
    return RunPart(low, size + 1, used + 1, True, ace, has or hand.wanted.need == JOKER)


def no_run(low: int, wanted: Wanted) -> RunPart:
    """A run that is to begin at ``low``."""
    return RunPart(low, 0, 0, False, False, wanted.need < 0)


@lru_cache(maxsize=1 << 12)
def run_starts(hand: RunHand) -> tuple[int, ...]:
    """Per lowest place what a run may begin with: bits of ``CARD`` and ``JOKER_NEXT``; empty where there is no run."""
    starts = tuple([run_after(hand, no_run(low, hand.wanted)) for low in range(12)])
    return starts if any(starts) else ()


@lru_cache(maxsize=64)
def smallest_set(rules: MeldRules, least: int) -> int:
    """The fewest cards of a set that is worth at least ``least``."""
    return max(3, -(-least // max(rules.set_values)))


@lru_cache(maxsize=1 << 10)
def windows(rules: MeldRules, least: int, place: int) -> tuple[tuple[int, int], ...]:
    """The least stretches of a suit that are worth enough, as (size, mask of their places), the shorter ones first.

    ``place`` is in all of them, unless it is -1. A stretch that holds another one is left out: what the longer
    one needs, the shorter one needs too.
    """
    sums = rules.run_sums
    found: list[tuple[int, int]] = []
    for size in range(3, _PLACES + 1):
        for low in range(_PLACES + 1 - size):
            mask = ((1 << size) - 1) << low
            if (
                sums[low + size] - sums[low] >= least
                and (place < 0 or mask >> place & 1)
                and not any(mask & smaller == smaller for _, smaller in found)
            ):
                found.append((size, mask))
    return tuple(found)


@lru_cache(maxsize=1 << 10)
def _smallest(*_key: object) -> bytearray:
    """For rules, points, a place and a number of jokers: by the cards of a suit how many its smallest run has.

    The run holds the card at the place, unless that is -1. What is 0 is not known yet.
    """
    return bytearray(_RANKS + 1)


def _fill(table: bytearray, held: int, rules: MeldRules, least: int, place: int, jokers: int) -> int:
    """Find the smallest run with the cards of a suit, and write it into its table; ``_NEVER`` if there is none."""
    places = held << 1 | held >> _ACE
    for size, mask in windows(rules, least, place):
        have = mask & places
        if have and size - have.bit_count() <= jokers:
            table[held] = size
            return size
    table[held] = _NEVER
    return _NEVER


def has_run(one: int, two: int, jokers: int, rules: MeldRules, least: int, most: int, need: int) -> bool:
    """Whether a hand holds a run that is wanted (:class:`Wanted`)."""
    if rules.naturals_majority or not rules.adjacent_jokers:
        suits = range(4) if need < 0 or need == JOKER else (need // 13,)
        wanted = Wanted(rules, least, most, need)
        return any(run_starts(run_hand(suit, one, two, jokers, wanted)) for suit in suits)
    if 0 <= need < JOKER:
        suit, rank = divmod(need, 13)
        held = one >> 13 * suit & _RANKS
        for place in (0, _HIGH_ACE) if rank == _ACE else (rank + 1,):
            table = _smallest(rules, least, place, jokers)
            if (table[held] or _fill(table, held, rules, least, place, jokers)) <= most:
                return True
        return False
    # A joker that is wanted is in the hand, and can lie in any run.
    table = _smallest(rules, least, _NONE, jokers)
    a, b, c, d = one & _RANKS, one >> 13 & _RANKS, one >> 26 & _RANKS, one >> 39
    size = min(table[a], table[b], table[c], table[d])
    if not size:
        size = min([table[held] or _fill(table, held, rules, least, _NONE, jokers) for held in (a, b, c, d)])
    return size <= most


def run_hand(suit: int, one: int, two: int, jokers: int, wanted: Wanted) -> RunHand:
    """A hand as far as the runs of one suit go; more than it holds need not be told apart."""
    rules, least, most, need = wanted
    held, two_aces = one >> 13 * suit & _RANKS, bool(two >> 13 * suit + _ACE & 1)
    number = held.bit_count() + two_aces + jokers
    need = need % 13 if 0 <= need < JOKER else need
    return RunHand(held, two_aces, jokers, Wanted(rules, least, min(most, number), need))


def has_set(one: int, two: int, jokers: int, rules: MeldRules, least: int, most: int, need: int) -> bool:
    """Whether a hand holds a set that is wanted (:class:`Wanted`)."""
    if 0 <= need < JOKER:
        return _is_set(need % 13, one, two, jokers, rules, least, most, need)
    ranks = at_least(smallest_set(rules, least) - jokers, one, two)
    while ranks:
        low = ranks & -ranks
        if _is_set(low.bit_length() - 1, one, two, jokers, rules, least, most, need):
            return True
        ranks ^= low
    return False


def _is_set(rank: int, one: int, two: int, jokers: int, rules: MeldRules, least: int, most: int, need: int) -> bool:
    """Whether a hand holds a set of a rank that is wanted; a card that is wanted is in the hand and of that rank."""
    number = (one >> rank & _COLUMN).bit_count()
    if rules.set_duplicates:
        number += (two >> rank & _COLUMN).bit_count()
    if rules.naturals_majority:
        jokers = min(jokers, number - 1)
    if not number or (need == JOKER and jokers < 1):
        return False
    number += jokers
    size = max(3, -(-least // rules.set_values[rank]))
    return size <= most and size <= (number if rules.set_duplicates else min(number, 4))


def at_least(number: int, one: int, two: int) -> int:
    """The ranks of which a hand holds at least so many natural cards (of more than four: at least four), as a mask."""
    a, b, c, d = one & _RANKS, one >> 13 & _RANKS, one >> 26 & _RANKS, one >> 39
    if number <= 1:
        return a | b | c | d
    # Eight columns of one bit are added side by side: ``odd`` is the last bit of the sums, the others are twos.
    e, f, g, h = two & _RANKS, two >> 13 & _RANKS, two >> 26 & _RANKS, two >> 39
    first, second, third = a ^ b ^ c, d ^ e ^ f, g ^ h
    p = a & b | (a ^ b) & c
    q = d & e | (d ^ e) & f
    r = g & h
    s = first & second | (first ^ second) & third
    if number == 2:
        return p | q | r | s
    fours = p & q | (p | q) & (r | s) | r & s
    return fours if number > 3 else fours | (p | q | r | s) & (first ^ second ^ third)


def sets(rank: int, one: int, two: int, jokers: int, wanted: Wanted) -> tuple[Prefix, ...]:
    """The sets of one rank as ids, ascending."""
    return _sets(rank, one >> rank & _COLUMN, two >> rank & _COLUMN, jokers, wanted)


_COLUMN: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39


@lru_cache(maxsize=1 << 14)
def _sets(rank: int, suits: int, twice: int, jokers: int, wanted: Wanted) -> tuple[Prefix, ...]:
    rules, least, most, need = wanted
    return tuple(
        [
            meld_ids(meld)
            for meld in sets_of(rank, suits, twice, jokers, rules, least)
            if len(meld.cards) <= most and (need < 0 or need in meld.cards)
        ]
    )


def may_follow(part: Prefix, one: int, two: int, jokers: int, wanted: Wanted) -> list[int]:
    """The ids that may follow the ids of a meld that is not closed, ascending."""
    if part[0] == START_SET:
        return _set_follow(part, one, two, jokers, wanted)
    return _run_follow(part, one, two, jokers, wanted)


def _set_follow(part: Prefix, one: int, two: int, jokers: int, wanted: Wanted) -> list[int]:
    size = len(part)
    if size > 1:
        ranks: list[int] = [(part[1] - NATURAL) % 13]
    elif 0 <= wanted.need < JOKER:
        ranks = [wanted.need % 13]
    else:
        ranks = list(range(13))
    found = {ids[size] for rank in ranks for ids in sets(rank, one, two, jokers, wanted) if ids[:size] == part}
    return sorted(found)


def _run_follow(part: Prefix, one: int, two: int, jokers: int, wanted: Wanted) -> list[int]:
    cards, wild = [], []
    if len(part) == 1:
        need = wanted.need
        for suit in range(4) if need < 0 or need == JOKER else (need // 13,):
            for low, bits in enumerate(run_starts(run_hand(suit, one, two, jokers, wanted))):
                if bits & CARD:
                    cards.append(NATURAL + RUN_CARD[suit][low])
                if bits & JOKER_NEXT:
                    wild.append(WILD + RUN_CARD[suit][low])
        return sorted(cards) + sorted(wild)
    suit, hand, state = run_state(part, one, two, jokers, wanted)
    bits = run_after(hand, state)
    found = [CLOSE] if bits & END else []
    place = state.low + state.size
    if bits & CARD:
        found.append(NATURAL + RUN_CARD[suit][place])
    if bits & JOKER_NEXT:
        found.append(WILD + RUN_CARD[suit][place])
    return found


def run_state(part: Prefix, one: int, two: int, jokers: int, wanted: Wanted) -> tuple[int, RunHand, RunPart]:
    """The suit of a run that is not closed, what its suit offers, and how far it is."""
    assert part[0] == START_RUN
    first = part[1]
    suit, rank = divmod(first - (NATURAL if first < WILD else WILD), 13)
    hand = run_hand(suit, one, two, jokers, wanted)
    # A run that begins with an ace begins below the two: no run has fewer than three cards.
    state = no_run((rank + 1) % 13, wanted)
    for token in part[1:]:
        state = with_card(hand, state) if token < WILD else with_joker(hand, state)
    return suit, hand, state
