"""Cutthroat Canadian Smear: numbers of legal lines, counted by the engine and by a second reading of the rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from meja.cards import parse_cards
from meja.deal import Layout
from meja.games.smear import Smear, SmearRules
from meja.testing import perft

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("perft_smear.json").read_text(encoding="utf-8"))
ORDER = "AKQJT98765432"


def moves(case: dict[str, Any], line: list[str]) -> list[str]:
    """All that may follow ``line`` (calls and cards as text), by the rules alone."""
    seats, options = case["seats"], case["options"]
    order = [(case["dealer"] + 1 + place) % seats for place in range(seats)]
    calls: list[str] = []
    best, bidder = 0, -1
    for word in line:
        if best == 4 or len(calls) == seats:
            break
        if word != "pass":
            best, bidder = int(word), order[len(calls)]
        calls.append(word)
    if best < 4 and len(calls) < seats:
        last = len(calls) == seats - 1
        allowed = [
            str(n)
            for n in range(options.get("min_bid", 2), 5)
            if n > best or (n == best and last and options.get("dealer_steal"))
        ]
        forced = last and best == 0 and options.get("all_pass") == "dealer_two"
        return allowed if forced else ["pass", *allowed]
    if bidder < 0:
        return []
    cards = line[len(calls) :]
    hands: list[list[str]] = [hand.split() for hand in case["hands"]]
    turn, trick, trump = bidder, [], cards[0][1] if cards else ""
    for card in cards:
        hands[turn].remove(card)
        trick.append((card, turn))
        turn = (turn + 1) % seats
        if len(trick) == seats:
            suit = trump if any(c[1] == trump for c, _ in trick) else trick[0][0][1]
            turn = min((ORDER.index(c[0]), seat) for c, seat in trick if c[1] == suit)[1]
            trick = []
    hand = hands[turn]
    if not trick:
        return hand
    led = trick[0][0][1]
    if not any(card[1] == led for card in hand):
        return hand
    return [card for card in hand if card[1] == led or (card[1] == trump and options.get("trump_anytime", True))]


def lines(case: dict[str, Any], line: list[str], depth: int) -> int:
    """The count of the second reading."""
    following = moves(case, line)
    if not following or depth == 0:
        return 1
    return sum(lines(case, [*line, word], depth - 1) for word in following)


def words(case: dict[str, Any]) -> list[str]:
    """The actions before the count begins, without seats and verbs."""
    return [action.split()[-1] for action in case["after"]]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_the_engine_counts_the_stored_numbers(case: dict[str, Any]) -> None:
    layout = Layout(tuple(tuple(parse_cards(hand)) for hand in case["hands"]))
    deal = Smear.from_layout(SmearRules.make(case["seats"], **case["options"]), case["dealer"], layout)
    for action in case["after"]:
        seat, _, text = action.partition(" ")
        assert deal.to_act == int(seat)
        deal.apply(text)
    counts = [count for count in case["counts"] if count < 20_000]
    assert [perft(deal, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.rule("S3.3", "S3.4", "S3.5", "S4.1", "S4.2", "S4.3", "S4.4", "S4.5", "S4.6")
@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_a_second_reading_of_the_rules_counts_the_same(case: dict[str, Any]) -> None:
    counts = [count for count in case["counts"] if count < 20_000]
    assert [lines(case, words(case), depth) for depth in range(1, len(counts) + 1)] == counts
