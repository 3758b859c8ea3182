"""Whether high or low totals are good is told as the rules decide who wins."""

from __future__ import annotations

import pytest

from meja.arena import play_match
from meja.games import make_rules
from meja.narration.aims import aim
from meja.rules import Value


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("bassadewitz", {"deals": 4}),
        ("bassadewitz", {"deals": 4, "classic_pool": True}),
        ("calabresella", {"deals": 3}),
        ("kaluki", {"target": 100}),
    ],
)
def test_the_winners_have_the_best_total_by_the_aim_that_is_told(game: str, options: dict[str, Value]) -> None:
    rules = make_rules(game, None, "standard", **options)
    best = min if aim(rules) == "low" else max
    told = set()
    for seed in range(4):
        record = play_match(rules, ["rules-of-thumb"] * rules.seats, seed)
        assert record.totals is not None
        assert record.winners is not None
        assert all(record.totals[seat] == best(record.totals) for seat in record.winners)
        told.add(len(set(record.totals)) > 1)
    assert True in told
