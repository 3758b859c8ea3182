"""Drawing hidden hands: uniform over all ways that agree with what is known.

Hidden cards fall into groups: all cards of a group may lie in the same places. The
number of ways to spread the groups over places of known sizes is counted by dynamic
programming over the free room, and a spread is drawn with its exact weight; then each
group's cards are shuffled into it. Where the groups' places are nested, which is the
common case, slots are drawn directly. No rejection is needed, so no knowledge, however
tight, makes it slow.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb

from meja.cards import Card, Rng


def deal_hidden(
    groups: Sequence[tuple[int, Sequence[Card]]],
    room: Sequence[int],
    rng: Rng,
) -> list[list[Card]]:
    """Put every card of every group into a place; uniform over all ways to do so.

    ``groups``: (bit mask of the places where its cards may lie, cards).
    ``room``: how many cards each place takes; the sum must be the number of cards.
    Returns the cards of each place. Raises ``ValueError`` if there is no way.
    """
    full = (1 << len(room)) - 1
    restricted: dict[int, list[Card]] = {}
    free: list[Card] = []
    count = 0
    for places, cards in groups:
        count += len(cards)
        if places == full:
            free += cards
        elif cards:
            restricted.setdefault(places, []).extend(cards)
    if count != sum(room):
        raise ValueError("the hidden cards do not fill the places")
    hands: list[list[Card]] = [[] for _ in room]
    left = list(room)
    if restricted:
        # The most restricted groups first: they fix most and keep the table small.
        merged = sorted(restricted.items(), key=_narrow_first)
        if is_nested(merged):
            _fill_slots(merged, left, hands, rng)
        else:
            _spread(merged, left, hands, rng)
    rng.shuffle(free)
    start = 0
    for place, size in enumerate(left):
        hands[place] += free[start : start + size]
        start += size
    return hands


def _narrow_first(group: tuple[int, list[Card]]) -> tuple[int, int]:
    return group[0].bit_count(), group[0]


def is_nested(groups: Sequence[tuple[int, list[Card]]]) -> bool:
    """Whether any two groups' places are nested or have none in common."""
    for index, (places, _) in enumerate(groups):
        for others, _ in groups[index + 1 :]:
            common = places & others
            if common and common != places:
                return False
    return True


def _fill_slots(
    groups: Sequence[tuple[int, list[Card]]],
    left: list[int],
    hands: list[list[Card]],
    rng: Rng,
) -> None:
    """Place nested groups one after the other, each into slots drawn evenly from those still open.

    Exact, because a narrower group takes the same number of a wider group's slots
    wherever it goes, so every order of slots leaves equally many ways for the rest.
    """
    for places, cards in groups:
        slots = [place for place, room in enumerate(left) if places >> place & 1 for _ in range(room)]
        open_slots = len(slots)
        if open_slots < len(cards):
            raise ValueError("no way to place the hidden cards agrees with what is known")
        for card in cards:
            pick = rng.below(open_slots)
            open_slots -= 1
            place = slots[pick]
            slots[pick] = slots[open_slots]
            hands[place].append(card)
            left[place] -= 1


def _spread(
    merged: Sequence[tuple[int, list[Card]]],
    left: list[int],
    hands: list[list[Card]],
    rng: Rng,
) -> None:
    """Draw how many cards of each restricted group go to each place; fills ``hands``, empties ``left``.

    The unrestricted cards fill the rest; the number of ways to do so is a factor too.
    """
    memo: dict[tuple[int, tuple[int, ...]], int] = {}

    def ways(index: int, rooms: tuple[int, ...]) -> int:
        """In how many ways the groups from ``index`` on and then the free cards fill ``rooms``."""
        if index == len(merged):
            total, product = sum(rooms), 1
            for room in rooms:
                product *= comb(total, room)
                total -= room
            return product
        key = (index, rooms)
        known = memo.get(key)
        if known is None:
            places, cards = merged[index]
            known = sum(weight * ways(index + 1, rest) for weight, rest in splits(places, len(cards), rooms))
            memo[key] = known
        return known

    rooms = tuple(left)
    for index, (places, cards) in enumerate(merged):
        total = ways(index, rooms)
        if total == 0:
            raise ValueError("no way to place the hidden cards agrees with what is known")
        pick = rng.below(total)
        for weight, rest in splits(places, len(cards), rooms):
            pick -= weight * ways(index + 1, rest)
            if pick < 0:
                rng.shuffle(cards)
                start = 0
                for place, (before, after) in enumerate(zip(rooms, rest, strict=True)):
                    hands[place] += cards[start : start + before - after]
                    start += before - after
                rooms = rest
                break
    left[:] = rooms


@lru_cache(maxsize=1 << 14)
def splits(places: int, count: int, rooms: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
    """All ways to put ``count`` different cards into the allowed places: (number of ways, room left)."""
    found: list[tuple[int, tuple[int, ...]]] = [(1, ())]
    # Each entry holds the room left so far; the cards used so far follow from it.
    for place, room in enumerate(rooms):
        extended = []
        for weight, rest in found:
            left = count - sum(before - after for before, after in zip(rooms, rest, strict=False))
            most = min(left, room) if places >> place & 1 else 0
            for here in range(most + 1):
                extended.append((weight * comb(left, here), (*rest, room - here)))
        found = extended
    return [(weight, rest) for weight, rest in found if sum(rooms) - sum(rest) == count]
