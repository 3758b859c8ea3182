"""Policies choose by what a player may know, alike in every mode."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.search.test_tricks import GAMES, in_play

import meja
from meja import Rng
from meja.errors import MejaError
from meja.search.dice import Dice
from meja.search.policies import FEATURES, NAMES, Policy, exponential
from meja.search.tricks import Tricks, position

WEIGHTS = [(7 * index * index % 23 - 11) / 11 for index in range(FEATURES)]
ROWS = [[(unit * 5 + index * index * 3) % 19 / 9 - 1 for index in range(FEATURES)] for unit in range(12)]


def numbers(policy: Policy, game: Tricks, card: int) -> list[float]:
    policy.look(game, card)
    return [policy.values[index] for index in range(FEATURES)]


def test_every_number_has_a_name_of_its_own() -> None:
    assert len(set(NAMES)) == len(NAMES) == FEATURES


@pytest.mark.parametrize("game", GAMES)
def test_a_policy_sees_no_other_hand(game: str) -> None:
    rng = Rng(5, GAMES.index(game))
    policy = Policy(WEIGHTS)
    exchanged = 0
    for _ in range(60):
        deal: Any = in_play(game, rng)
        if deal is None:
            continue
        for _ in range(rng.below(12)):
            legal = deal.legal_actions()
            if legal:
                deal.advance(legal[rng.below(len(legal))])
        if deal.to_act is None:
            continue
        other = deal.determinize(deal.to_act, rng)
        exchanged += deal.hands != other.hands
        for card in deal.legal_actions():
            assert numbers(policy, position(deal), card) == numbers(policy, position(other), card)
    assert exchanged > 20


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("temperature", [0.0, 0.3])
def test_a_policy_plays_legal_cards_to_the_end(game: str, temperature: float) -> None:
    rng = Rng(6, GAMES.index(game))
    for policy in (Policy(WEIGHTS, temperature), Policy([1.0] * 12, temperature, ROWS)):
        for _ in range(10):
            deal: Any = in_play(game, rng)
            if deal is None:
                continue
            kernel, dice = position(deal), Dice(99)
            while deal.to_act is not None:
                card = policy.choose(kernel, dice)
                deal.apply(card)
                kernel.play(card)
            kernel.score()
            assert kernel.state()["points"] == list(deal.score())


def test_the_card_with_the_highest_score_is_played_and_chance_goes_by_the_scores() -> None:
    deal = meja.new_match("bassadewitz", 4).next_deal(Rng(2))
    game = position(deal)
    cards = game.cards()
    greedy, drawn = Policy(WEIGHTS), Policy(WEIGHTS, 0.7)
    scores = {card: sum(w * x for w, x in zip(WEIGHTS, numbers(greedy, game, card), strict=True)) for card in cards}
    assert greedy.choose(game, Dice(1)) == max(cards, key=lambda card: scores[card])
    weights = {card: math.exp(scores[card] / 0.7) for card in cards}
    dice, rounds = Dice(12345), 20_000
    counts = dict.fromkeys(cards, 0)
    for _ in range(rounds):
        counts[drawn.choose(game, dice)] += 1
    for card in cards:
        share = weights[card] / sum(weights.values())
        assert abs(counts[card] / rounds - share) < 5 * math.sqrt(share * (1 - share) / rounds) + 1e-9


def test_a_checksum_that_both_modes_must_give() -> None:
    start = position(meja.new_match("bassadewitz", 4).next_deal(Rng(2)))
    game, found = Tricks(), []
    game.copy(start)
    for policy in (Policy(WEIGHTS, 0.3), Policy([1.0] * 12, 0.3, ROWS)):
        dice = Dice()
        dice.seed(3, 4)
        total = 0
        for _ in range(40):
            game.rewind(start)
            game.shuffle(dice)
            policy.playout(game, dice)
            for points in game.state()["points"]:
                total = (total * 31 + points + 20) % 1_000_003
        found.append(total)
    assert found == [CHECKSUM_LINEAR, CHECKSUM_NET]


def test_the_exponential_is_one() -> None:
    for step in range(200):
        assert exponential(-step / 7) == pytest.approx(math.exp(-step / 7), rel=1e-6)
    assert exponential(-31.0) == 0.0


@pytest.mark.parametrize(
    ("weights", "temperature", "hidden", "word"),
    [
        ([0.0], 0.0, (), "expected 36 weights, found 1"),
        ([1.0], 0.0, ([0.0] * 35,), "36 weights each"),
        ([1.0] * 3, 0.0, ([0.0] * FEATURES,) * 2, "expected 2 weights, found 3"),
        ([1.0] * 65, 0.0, ([0.0] * FEATURES,) * 65, "at most 64"),
        ([0.0] * FEATURES, -1.0, (), "temperature"),
        ([0.0] * FEATURES, math.nan, (), "temperature"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(weights: Any, temperature: float, hidden: Any, word: str) -> None:
    with pytest.raises(MejaError, match=word):
        Policy(weights, temperature, hidden)


CHECKSUM_LINEAR = 549_456
CHECKSUM_NET = 279_332
