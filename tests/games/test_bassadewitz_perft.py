"""Bassadewitz: how many ways a deal can go, counted by the engine and by a second, plain count."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from meja.cards import cards_text, parse_cards
from meja.deal import Layout
from meja.games.bassadewitz import Bassadewitz, BassadewitzRules
from meja.testing import perft

DATA: list[dict[str, Any]] = json.loads(Path(__file__).with_name("perft_bassadewitz.json").read_text(encoding="utf-8"))


def start(entry: dict[str, Any]) -> Bassadewitz:
    made = BassadewitzRules.from_dict(len(entry["hands"]), entry["rules"])
    hands = tuple(tuple(parse_cards(hand)) for hand in entry["hands"])
    deal = Bassadewitz.from_layout(made, entry["dealer"], Layout(hands))
    for card in parse_cards(entry["played"]):
        deal.apply(card)
    return deal


def endings(deal: Bassadewitz, found: Counter[str]) -> Counter[str]:
    """How often each score comes out over all ways to play the deal to its end."""
    if deal.to_act is None:
        found["void" if deal.void else " ".join(map(str, deal.score()))] += 1
        return found
    for action in deal.legal_actions():
        twin = deal.clone()
        twin.advance(action)
        endings(twin, found)
    return found


class Plain:
    """The same game on texts and lists, written from the rules alone."""

    def __init__(self, entry: dict[str, Any]) -> None:
        self.seats = len(entry["hands"])
        order = "7 8 9 T J Q K A" if entry["rules"].get("natural_rank") else "7 8 9 J Q K T A"
        self.order = order.split()
        self.hands: list[list[str]] = [hand.split() for hand in entry["hands"]]
        self.seat = (entry["dealer"] + 1) % self.seats
        self.table: list[tuple[int, str]] = []
        for card in entry["played"].split():
            self.play(card)

    def copy(self) -> Plain:
        twin = Plain.__new__(Plain)
        twin.seats, twin.order, twin.seat = self.seats, self.order, self.seat
        twin.hands = [list(hand) for hand in self.hands]
        twin.table = list(self.table)
        return twin

    def options(self) -> list[str]:
        hand = self.hands[self.seat]
        if self.table:
            following = [card for card in hand if card[1] == self.table[0][1][1]]
            return following or hand
        return hand

    def play(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        self.table.append((self.seat, card))
        self.seat = (self.seat + 1) % self.seats
        if len(self.table) == self.seats:
            led = self.table[0][1][1]
            following = [(self.order.index(card[0]), seat) for seat, card in self.table if card[1] == led]
            self.seat = max(following)[1]
            self.table = []

    def perft(self, depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for card in list(self.options()):
            twin = self.copy()
            twin.play(card)
            total += twin.perft(depth - 1)
        return total


@pytest.mark.rule("B3.1", "B3.2", "B3.3", "B3.4")
@pytest.mark.parametrize("entry", DATA, ids=lambda entry: entry["name"])
def test_the_number_of_ways_to_play_on_is_the_known_one(entry: dict[str, Any]) -> None:
    deal = start(entry)
    for depth, expected in enumerate(entry["leaves"], 1):
        assert perft(deal, depth) == expected, depth


@pytest.mark.rule("B3.1", "B3.2", "B3.3", "B3.4")
@pytest.mark.parametrize("entry", DATA, ids=lambda entry: entry["name"])
def test_a_plain_count_on_texts_agrees(entry: dict[str, Any]) -> None:
    position = Plain(entry)
    for depth, expected in enumerate(entry["leaves"], 1):
        if expected > 3000:
            break
        assert position.perft(depth) == expected, depth


@pytest.mark.parametrize("entry", [entry for entry in DATA if "endings" in entry], ids=lambda entry: entry["name"])
def test_the_scores_of_all_ways_to_the_end_are_the_known_ones(entry: dict[str, Any]) -> None:
    assert endings(start(entry), Counter()) == entry["endings"]


def test_the_position_is_left_as_it_was() -> None:
    deal = start(DATA[0])
    before = [cards_text(hand) for hand in deal.layout().hands], deal.actions()
    perft(deal, 3)
    assert ([cards_text(hand) for hand in deal.layout().hands], deal.actions()) == before
