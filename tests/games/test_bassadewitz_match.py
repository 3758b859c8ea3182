"""Bassadewitz: deals in a row, the dealer, the length of a match, and who wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from meja.cards import Rng, parse_cards
from meja.deal import Layout
from meja.errors import GameOver, IllegalAction, MejaError, NotYourTurn
from meja.games import new_match
from meja.match import Match

ORDINARY = (51, 33, 26, 10), (3, 2, 2, 1)
ALL_EQUAL = (30, 30, 30, 30), (2, 2, 2, 2)
SWEEP_BY_0 = (120, 0, 0, 0), (8, 0, 0, 0)
HUNDRED_BY_0 = (100, 20, 0, 0), (7, 1, 0, 0)

Counts = tuple[Sequence[int], Sequence[int]]


def finish_with_counts(match: Match, counts: Counts) -> None:
    """Play the next deal, its last card leaving these card points and tricks, which are set directly."""
    deal: Any = match.next_deal(Rng(len(match.deals)))
    while deal.hands.count(0) < match.rules.seats - 1:
        match.advance(deal.legal_actions()[0])
    wanted_points, wanted_tricks = counts

    # The last card adds its trick to whatever stands there; so leave out what it will add.
    twin = deal.clone()
    twin.taken, twin.tricks = [0] * match.rules.seats, [0] * match.rules.seats
    last = deal.legal_actions()[0]
    twin.advance(last)
    deal.taken = [wanted - added for wanted, added in zip(wanted_points, twin.taken, strict=True)]
    deal.tricks = [wanted - added for wanted, added in zip(wanted_tricks, twin.tricks, strict=True)]
    match.apply(last)
    assert match.deal is None


def dealers_of(match: Match, deals: Sequence[Counts]) -> list[int]:
    dealers = []
    for counts in deals:
        dealers.append(match.dealer)
        finish_with_counts(match, counts)
    return dealers


@pytest.mark.rule("B6.1", "B2.1")
@pytest.mark.parametrize("dealer", range(4))
def test_the_dealer_moves_to_the_left_after_each_deal_and_forehand_leads(dealer: int) -> None:
    match = new_match("bassadewitz", dealer=dealer, deals=4)
    for turn in range(4):
        assert match.dealer == (dealer + turn) % 4
        deal = match.next_deal(Rng(turn))
        assert deal.to_act == (dealer + turn + 1) % 4
        while deal.to_act is not None:
            match.advance(deal.legal_actions()[0])


@pytest.mark.rule("B6.1", "B5.2", "B5.3")
def test_the_dealer_moves_on_after_a_sweep_and_after_a_hundred() -> None:
    match = new_match("bassadewitz", dealer=3)
    assert dealers_of(match, [SWEEP_BY_0, HUNDRED_BY_0, ORDINARY]) == [3, 0, 1]
    assert match.counted == 3


@pytest.mark.rule("B6.1", "B5.4", "B6.2")
def test_after_a_void_deal_the_same_dealer_deals_and_the_deal_does_not_count() -> None:
    match = new_match("bassadewitz", dealer=3, deals=4)
    assert dealers_of(match, [ORDINARY, ALL_EQUAL, ALL_EQUAL, ORDINARY, ORDINARY]) == [3, 0, 0, 0, 1]
    assert match.counted == 3
    assert not match.over
    finish_with_counts(match, ORDINARY)
    assert match.over
    assert len(match.deals) == 6


@pytest.mark.rule("B5.3")
def test_a_total_may_fall_below_zero() -> None:
    match = new_match("bassadewitz", dealer=3)
    match.totals = (3, 0, 7, 2)
    finish_with_counts(match, HUNDRED_BY_0)
    assert match.totals == (3, -4, 3, -2)


@pytest.mark.rule("B6.2", "B7.1")
@pytest.mark.parametrize(("seats", "deals"), [(3, 3), (3, 6), (4, 4), (4, 8), (5, 10)])
def test_the_match_ends_after_the_agreed_number_of_deals(seats: int, deals: int) -> None:
    match = new_match("bassadewitz", seats, deals=deals)
    rng = Rng(seats, deals)
    dealt = [0] * seats
    while not match.over:
        deal = match.next_deal(rng)
        dealt[match.dealer] += 1
        while deal.to_act is not None:
            match.advance(rng.choice(deal.legal_actions()))
    assert match.counted == deals
    voids = sum(deal.void for deal in match.deals)
    assert sum(dealt) == deals + voids
    assert voids > 0 or dealt == [deals // seats] * seats
    assert match.winners == tuple(seat for seat in range(seats) if match.totals[seat] == min(match.totals))
    for act in (lambda: match.next_deal(rng), lambda: match.apply("play As")):
        with pytest.raises(GameOver):
            act()


@pytest.mark.rule("B6.2")
def test_the_lowest_total_wins() -> None:
    match = new_match("bassadewitz", dealer=3, deals=4)
    dealers_of(match, [ORDINARY] * 4)
    assert match.totals == (20, 16, 12, 0)
    assert match.winners == (3,)


@pytest.mark.rule("B6.3")
def test_equal_lowest_totals_share_the_win() -> None:
    match = new_match("bassadewitz", dealer=3, deals=8)
    dealers_of(match, [ORDINARY] * 7)
    # The last deal adds 5 4 3 0; it must leave 21, 30, 21 and 24.
    match.totals = (16, 26, 18, 24)
    finish_with_counts(match, ORDINARY)
    assert match.totals == (21, 30, 21, 24)
    assert match.winners == (0, 2)


@pytest.mark.rule("B7.5", "B6.1")
def test_with_the_pool_the_same_dealer_deals_after_sweep_hundred_and_void_and_none_counts() -> None:
    match = new_match("bassadewitz", dealer=3, classic_pool=True, deals=4)
    deals = [SWEEP_BY_0, HUNDRED_BY_0, ALL_EQUAL, ORDINARY, ORDINARY]
    assert dealers_of(match, deals) == [3, 3, 3, 3, 0]
    assert match.counted == 2
    # sweep +12 -4 -4 -4, hundred -12 +4 +4 +4, then 0 3 4 5 twice with 12 off the dealers 3 and 0.
    assert match.totals == (0 - 12, 6, 8, 10 - 12)
    assert sum(match.totals) == 0


@pytest.mark.rule("B7.5", "B6.2", "B6.3")
def test_with_the_pool_the_most_chips_win() -> None:
    match = new_match("bassadewitz", dealer=3, classic_pool=True, deals=4)
    dealers_of(match, [ORDINARY] * 4)
    assert match.totals == (-12, 0, 4, 8)
    assert match.winners == (3,)


@pytest.mark.rule("B7.6")
def test_a_sweep_that_takes_the_pool_counts_and_the_dealer_moves_on() -> None:
    match = new_match("bassadewitz", dealer=3, classic_pool=True, sweep_takes_pool=True, deals=4)
    assert dealers_of(match, [SWEEP_BY_0, HUNDRED_BY_0, ALL_EQUAL, ORDINARY]) == [3, 0, 0, 0]
    assert match.counted == 2
    assert match.totals == (24 - 12 + 0 - 12, -4 + 4 + 3, -4 + 4 + 4, -16 + 4 + 5)


def test_a_deal_knows_the_totals_and_the_number_of_deals_before_it() -> None:
    match = new_match("bassadewitz", dealer=3)
    dealers_of(match, [ORDINARY, ALL_EQUAL])
    context = match.next_deal(Rng(1)).context
    assert (context.totals, context.number, context.counted) == ((5, 4, 3, 0), 2, 1)


def test_only_the_seat_to_act_may_act() -> None:
    match = new_match("bassadewitz", dealer=3)
    deal = match.next_deal(Rng(1))
    action = deal.legal_actions()[0]
    for seat in (1, 2, 3):
        with pytest.raises(NotYourTurn):
            match.apply(action, seat)
    with pytest.raises(IllegalAction):
        match.apply(-5, 0)
    match.apply(action, 0)
    assert match.to_act == 1


@pytest.mark.parametrize("dealer", [-1, 4, True, "0", None, 1.0])
def test_a_first_dealer_that_is_no_seat_is_refused(dealer: Any) -> None:
    with pytest.raises(MejaError):
        new_match("bassadewitz", dealer=dealer)


def test_a_deal_must_end_before_the_next_one_starts() -> None:
    match = new_match("bassadewitz")
    with pytest.raises(GameOver):
        match.apply("play As")
    match.next_deal(Rng(1))
    with pytest.raises(MejaError):
        match.next_deal(Rng(2))


def test_a_wrong_layout_starts_no_deal() -> None:
    match = new_match("bassadewitz")
    with pytest.raises(MejaError):
        match.next_deal(Layout((tuple(parse_cards("As")),) * 4))
    assert match.deal is None
