"""Kaluki: numbers of legal lines, counted by the engine and by the second referee from the rules' text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.games.test_kaluki_crosscheck import Referee, follow, tell_reshuffle

from meja.games.kaluki import Kaluki
from meja.record import load
from meja.testing import perft

HERE = Path(__file__).parent
CASES: list[dict[str, Any]] = json.loads((HERE / "perft_kaluki.json").read_text(encoding="utf-8"))


def position(case: dict[str, Any]) -> Kaluki:
    """A golden deal after a number of its actions."""
    record = load(HERE.parent / "records" / "kaluki" / f"{case['record']}.meja")
    match = record.start()
    deal = record.start_deal(match, 0)
    for _, text in record.deals[0].actions[: case["after"]]:
        deal.apply(text)
    assert isinstance(deal, Kaluki)
    return deal


def counted(referee: Referee, deal: Kaluki, depth: int) -> int:
    """The same number by the referee; the deal tells only how a pile will be shuffled."""
    if depth == 0 or referee.score is not None or referee.void:
        return 1
    tell_reshuffle(referee, deal)
    total = 0
    for words in referee.everything():
        child, twin = referee.copy(), deal.clone()
        child.step(f"{referee.turn} {words}")
        twin.apply(words)
        total += counted(child, twin, depth - 1)
    return total


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['record']}-{case['after']}")
def test_the_number_of_legal_lines_is_the_stored_one(case: dict[str, Any]) -> None:
    deal = position(case)
    assert [perft(deal, depth) for depth in range(1, len(case["counts"]) + 1)] == case["counts"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['record']}-{case['after']}")
def test_the_second_referee_counts_the_same(case: dict[str, Any]) -> None:
    deal = position(case)
    small = [depth for depth, count in enumerate(case["counts"], 1) if count <= 400]
    assert small, "a case needs a count that the referee can check"
    for depth in small:
        assert counted(follow(deal), deal, depth) == case["counts"][depth - 1]
