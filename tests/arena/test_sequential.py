"""The sequential test: known ratios, and how often it errs."""

from __future__ import annotations

import math
import random

import pytest

from meja.arena.sequential import LOWER, UPPER, Bounds, Sequential
from meja.errors import MejaError


def test_the_ratio_is_that_of_two_normal_likelihoods() -> None:
    test = Sequential(Bounds(0.0, 1.0, least=100))
    for value in (0.0, 1.0, 2.0, 3.0):
        test.add(value)
    # Mean 1.5, variance 1.25 (of the sample): 4 / 2 * ln((1.25 + 1.5 ** 2) / (1.25 + 0.5 ** 2)) = 2 ln(3.5 / 1.5).
    assert test.ratio == pytest.approx(2 * math.log(3.5 / 1.5))
    # Wald's limits for 5 % and 5 %: ln 19 and its opposite.
    assert test.limits == pytest.approx((-math.log(19), math.log(19)))


def test_bounds_in_standard_deviations_do_not_depend_on_the_scale() -> None:
    chance = random.Random(1)
    small, large = Sequential(Bounds(0, 0.5, True)), Sequential(Bounds(0, 0.5, True))
    for _ in range(25):
        value = chance.gauss(0.3, 1)
        small.add(value)
        large.add(1000 * value)
    assert small.ratio == pytest.approx(large.ratio)


def test_there_is_no_verdict_before_the_least_number_of_deals_and_none_changes_later() -> None:
    test = Sequential(Bounds(0.0, 0.5))
    verdicts = [test.add(value) for value in [5.0, 5.1] * 30]
    assert verdicts.index(UPPER) == 49
    assert [test.add(-100.0) for _ in range(50)] == [UPPER] * 50
    assert test.deals == 50


def test_lopsided_deals_are_waited_for() -> None:
    # One in ten is 9, the others are -1: mean 0, variance 9, skewness 72 / 27; 25 times its square is 178.
    test = Sequential(Bounds(-5.0, -4.0))
    while test.add(9.0 if test.deals % 10 == 9 else -1.0) is None:
        pass
    assert test.skewness == pytest.approx(72 / 27, rel=0.05)
    assert 165 < test.deals <= 180


def test_where_nothing_varies_there_is_no_verdict() -> None:
    test = Sequential(Bounds(-0.5, 0.5))
    assert {test.add(0.0) for _ in range(500)} == {None}


@pytest.mark.parametrize(
    ("text", "bounds"),
    [("0,0.1", Bounds(0, 0.1)), (" -0.5, 0.5 ", Bounds(-0.5, 0.5)), ("0,0.1sd", Bounds(0, 0.1, True))],
)
def test_bounds_are_read(text: str, bounds: Bounds) -> None:
    assert Bounds.parse(text) == bounds


@pytest.mark.parametrize("text", ["", "0", "a,b", "0.1,0", "0,0", "nan,1", "0,inf", "0,0.1ds", "0,1,2"])
def test_bad_bounds_are_refused(text: str) -> None:
    with pytest.raises(MejaError):
        Bounds.parse(text)


def _verdicts(mean: float, draw: str, trials: int, seed: int, *, spreads: bool = True) -> tuple[float, float, float]:
    """How often each verdict comes, and the mean length, for deals of that mean and standard deviation 1."""
    chance = random.Random(seed)
    count = {UPPER: 0, LOWER: 0}
    length = 0
    for _ in range(trials):
        test = Sequential(Bounds(0.0, 0.2, spreads))
        while test.verdict is None:
            if draw == "normal":
                value = chance.gauss(mean, 1)
            else:
                # Points of a card game: whole numbers, lopsided; mean 0 and variance 1 before the shift.
                value = mean + (2.0 if chance.random() < 0.2 else -0.5)
            test.add(value)
        count[test.verdict] += 1
        length += test.deals
    return count[UPPER] / trials, count[LOWER] / trials, length / trials


def test_it_errs_seldom_and_ends_before_a_fixed_number_would() -> None:
    wrong, _, length = _verdicts(0.0, "normal", 120, 1)
    assert wrong <= 0.11
    # A fixed test of 5 % and 5 % needs ((1.645 + 1.645) / 0.2) ** 2 = 271 deals.
    assert length < 271


@pytest.mark.long
@pytest.mark.parametrize("draw", ["normal", "lopsided"])
@pytest.mark.parametrize("spreads", [True, False])
def test_its_error_rates_are_those_it_promises(draw: str, spreads: bool) -> None:
    # 3,000 trials: a standard error of 0.4 %. Lopsided results with bounds in points: see Bounds.
    most = 0.08 if draw == "lopsided" and not spreads else 0.065
    wrong, _, _ = _verdicts(0.0, draw, 3000, 2, spreads=spreads)
    assert wrong < most
    _, missed, _ = _verdicts(0.2, draw, 3000, 3, spreads=spreads)
    assert missed < most


@pytest.mark.long
def test_between_the_bounds_it_takes_either_side_alike() -> None:
    upper, lower, _ = _verdicts(0.1, "normal", 2000, 4)
    assert upper == pytest.approx(lower, abs=0.08)
