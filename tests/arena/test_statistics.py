"""Means and intervals against numbers worked out elsewhere."""

from __future__ import annotations

import math
import random
from statistics import fmean, stdev

import pytest

from meja.arena.statistics import clustered, estimate, student


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [
        # From the printed tables of Student's distribution, 0.975.
        (1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (10, 2.2281), (29, 2.0452), (30, 2.0423),
        (60, 2.0003), (99, 1.9842), (100, 1.9840), (120, 1.9799), (1000, 1.9623),
    ],
)  # fmt: skip
def test_the_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert student(0.975, freedom) == pytest.approx(quantile, abs=6e-5)
    assert student(0.025, freedom) == pytest.approx(-quantile, abs=6e-5)


def test_the_interval_of_few_values_is_student_s() -> None:
    # Mean 3, standard deviation sqrt(2.5), error sqrt(2.5 / 5) = 0.70711, t(4) = 2.77645.
    found = estimate([1, 2, 3, 4, 5])
    assert (found.mean, found.deals) == (3, 5)
    assert found.half == pytest.approx(2.776445 * math.sqrt(0.5), rel=1e-6)
    assert (found.low, found.high) == (3 - found.half, 3 + found.half)


def test_the_interval_of_clusters_of_different_sizes_is_the_cluster_robust_one() -> None:
    # Games by deal: (1, 3), (2), (5, 5, 8): mean 24 / 6 = 4. What the deals' sums lack or have over 4 a game:
    # 4 - 8 = -4, 2 - 4 = -2, 18 - 12 = 6; squares 16 + 4 + 36 = 56; times 3 / 2 = 84; error sqrt(84) / 6.
    found = clustered([4, 2, 18], [2, 1, 3])
    assert found.mean == 4
    assert found.half == pytest.approx(4.302653 * math.sqrt(84) / 6, rel=1e-6)


def test_a_deal_counts_once_however_many_games_it_has() -> None:
    # Four equal games of a deal say no more than one.
    single = estimate([0.0, 1.0, 3.0])
    fourfold = clustered([0.0, 4.0, 12.0], [4, 4, 4])
    assert (fourfold.mean, fourfold.half) == pytest.approx((single.mean, single.half))


def test_one_deal_has_no_interval_and_none_has_no_mean() -> None:
    assert estimate([2.0]).half == math.inf
    assert math.isnan(estimate([]).mean)


def test_the_interval_agrees_with_a_bootstrap_of_deals() -> None:
    chance = random.Random(3)
    deals = []
    for _ in range(150):
        shared = chance.gauss(0, 2)
        deals.append([shared + chance.gauss(0, 1) for _ in range(chance.choice((1, 3, 4)))])
    sums, counts = [sum(games) for games in deals], [len(games) for games in deals]
    found = clustered(sums, counts)
    means = []
    for _ in range(1500):
        drawn = [chance.randrange(len(deals)) for _ in deals]
        means.append(sum(sums[i] for i in drawn) / sum(counts[i] for i in drawn))
    means.sort()
    bootstrap = (means[int(0.975 * len(means))] - means[int(0.025 * len(means))]) / 2
    assert found.half == pytest.approx(bootstrap, rel=0.12)
    # Whoever takes each game for itself has a far too small interval.
    games = [value for one in deals for value in one]
    assert 1.96 * stdev(games) / math.sqrt(len(games)) < 0.75 * found.half
    assert found.mean == pytest.approx(fmean(games))


@pytest.mark.long
def test_nineteen_of_twenty_intervals_hold_the_truth() -> None:
    chance = random.Random(5)
    held = 0
    for _ in range(4000):
        sums, counts = [], []
        for _ in range(25):
            shared = chance.gauss(1, 1)
            games = chance.choice((2, 4))
            sums.append(sum(shared + chance.gauss(0, 1) for _ in range(games)))
            counts.append(games)
        found = clustered(sums, counts)
        held += found.low <= 1 <= found.high
    # 4,000 trials: a standard error of 0.35 %.
    assert held / 4000 == pytest.approx(0.95, abs=0.015)
