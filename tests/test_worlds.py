"""Hidden cards are dealt evenly over all ways that agree with what is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from meja.cards import Rng
from meja.worlds import deal_hidden

Groups = list[tuple[int, list[int]]]


def all_ways(groups: Groups, room: Sequence[int]) -> set[tuple[frozenset[int], ...]]:
    """Every way to place the cards, card by card."""
    cards = [(places, card) for places, group in groups for card in group]

    def place(index: int, hands: tuple[frozenset[int], ...]) -> Iterator[tuple[frozenset[int], ...]]:
        if index == len(cards):
            yield hands
            return
        places, card = cards[index]
        for spot, hand in enumerate(hands):
            if places >> spot & 1 and len(hand) < room[spot]:
                yield from place(index + 1, (*hands[:spot], hand | {card}, *hands[spot + 1 :]))

    return set(place(0, (frozenset(),) * len(room)))


CASES: list[tuple[str, Groups, list[int]]] = [
    ("nothing known", [(0b111, [1, 2, 3, 4, 5])], [2, 2, 1]),
    ("one card known", [(0b111, [1, 2, 3, 4]), (0b010, [5])], [2, 2, 1]),
    ("nested", [(0b111, [1, 2, 3]), (0b011, [4, 5]), (0b001, [6])], [2, 2, 2]),
    ("apart", [(0b0011, [1, 2]), (0b1100, [3, 4]), (0b1111, [5, 6])], [2, 1, 2, 1]),
    ("nested, two of a kind", [(0b011, [1]), (0b011, [2]), (0b111, [3, 4, 5])], [2, 1, 2]),
    ("crossing", [(0b011, [1, 2]), (0b110, [3, 4]), (0b111, [5, 6])], [2, 2, 2]),
    ("crossing three ways", [(0b011, [1, 2]), (0b110, [3, 4]), (0b101, [5, 6])], [2, 2, 2]),
    ("crossing, tight", [(0b011, [1, 2, 3]), (0b110, [4, 5]), (0b111, [6])], [3, 1, 2]),
    ("crossing, forced", [(0b011, [1, 2]), (0b110, [3])], [2, 0, 1]),
    ("four places crossing", [(0b0011, [1, 2]), (0b0110, [3, 4]), (0b1100, [5, 6]), (0b1111, [7])], [2, 2, 2, 1]),
    ("a full place", [(0b110, [1, 2]), (0b011, [3]), (0b111, [4])], [0, 3, 1]),
    ("empty groups", [(0b001, []), (0b111, [1, 2, 3])], [1, 1, 1]),
]


@pytest.mark.parametrize(("groups", "room"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_every_way_comes_up_equally_often(groups: Groups, room: list[int]) -> None:
    ways = all_ways(groups, room)
    assert ways
    rng = Rng(2024, len(ways))
    each = max(20, 4000 // len(ways))
    drawn: Counter[tuple[frozenset[int], ...]] = Counter()
    for _ in range(each * len(ways)):
        hands = deal_hidden(groups, room, rng)
        assert [len(hand) for hand in hands] == room
        drawn[tuple(frozenset(hand) for hand in hands)] += 1
    assert set(drawn) == ways
    freedom = len(ways) - 1
    chi_square = sum((drawn[way] - each) ** 2 / each for way in ways)
    assert abs(chi_square - freedom) < 5 * (2 * freedom) ** 0.5 + 5


@pytest.mark.parametrize(
    ("groups", "room"),
    [
        ([(0b01, [1, 2])], [1, 1]),
        ([(0b00, [1])], [1]),
        ([(0b011, [1, 2, 3]), (0b110, [4]), (0b101, [5])], [1, 1, 3]),
        ([(0b01, [1]), (0b11, [2])], [0, 2]),
    ],
)
def test_what_cannot_be_is_refused(groups: Groups, room: list[int]) -> None:
    assert not all_ways(groups, room)
    with pytest.raises(ValueError, match="no way"):
        deal_hidden(groups, room, Rng(1))


@pytest.mark.parametrize("room", [[1, 1], [2, 2]])
def test_the_cards_must_fill_the_places(room: list[int]) -> None:
    with pytest.raises(ValueError, match="fill"):
        deal_hidden([(0b11, [1, 2, 3])], room, Rng(1))


def test_the_groups_given_are_left_as_they_were() -> None:
    for groups in (
        [(0b011, [1, 2, 3]), (0b110, [4, 5]), (0b111, [6])],
        [(0b111, [1, 2, 3, 4, 5, 6])],
        [(0b011, [1, 2, 3]), (0b111, [4, 5, 6])],
    ):
        before = [(places, cards[:]) for places, cards in groups]
        deal_hidden(groups, [3, 1, 2], Rng(3))
        assert groups == before


def test_the_same_seed_draws_the_same_hands() -> None:
    groups = [(0b011, [1, 2, 3]), (0b110, [4, 5]), (0b111, [6])]
    assert deal_hidden(groups, [3, 1, 2], Rng(5)) == deal_hidden(groups, [3, 1, 2], Rng(5))


def test_no_cards_make_empty_hands() -> None:
    assert deal_hidden([], [0, 0], Rng(1)) == [[], []]
