"""Which seatings a deal is played with."""

from __future__ import annotations

from collections import Counter

import pytest

from meja.arena.seatings import ROTATIONS, seatings
from meja.errors import MejaError


def test_one_against_the_rest_sits_once_on_every_seat() -> None:
    assert seatings(2, [0, 1], 4) == [(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]
    assert seatings(2, [0, 1, 1, 1], 4) == seatings(2, [0, 1], 4)


def test_the_last_one_named_sits_on_all_seats_that_are_left() -> None:
    assert {Counter(seating)[2] for seating in seatings(3, [0, 1, 2], 4)} == {2}


@pytest.mark.parametrize(
    ("bots", "named", "seats", "games"),
    # 3 different bots on 3 seats: 6; two and two on 4 seats: 6; a pool of 4 on 3 seats: 4 choices of 6 each.
    [(3, [0, 1, 2], 3, 6), (2, [0, 0, 1, 1], 4, 6), (4, [0, 1, 2, 3], 3, 24), (5, [0, 1, 2, 3, 4], 2, 20)],
)
def test_every_different_seating_comes_once(bots: int, named: list[int], seats: int, games: int) -> None:
    found = seatings(bots, named, seats)
    assert len(found) == len(set(found)) == games
    # Every bot sits on every seat as often as on any other.
    for bot in range(bots):
        assert len({sum(seating[seat] == bot for seating in found) for seat in range(seats)}) == 1


def test_rotations_bring_each_bot_once_to_every_seat() -> None:
    found = seatings(4, [0, 1, 2, 3], 4, ROTATIONS)
    assert len(found) == 4
    for seat in range(4):
        assert sorted(seating[seat] for seating in found) == [0, 1, 2, 3]


def test_too_many_games_and_a_bot_twice_in_a_pool_are_refused() -> None:
    with pytest.raises(MejaError, match="games for each deal"):
        seatings(12, list(range(12)), 5)
    with pytest.raises(MejaError, match="named once"):
        seatings(2, [0, 1, 1], 2)
