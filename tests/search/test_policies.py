"""Policies choose by what a player may know, alike in every mode."""

from __future__ import annotations

import json
import math
from importlib.resources import files
from typing import Any

import pytest
from tests.search.test_tricks import GAMES, in_play

import meja
from meja import Rng
from meja.cards import parse_card, parse_cards
from meja.deal import Layout
from meja.errors import MejaError
from meja.games.bassadewitz import Bassadewitz
from meja.games.smear import BID, PASS, Smear
from meja.search.dice import Dice
from meja.search.policies import FEATURES, NAMES, Policy, exponential
from meja.search.tricks import Tricks, position
from meja.search.weights import read_policy

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
    # The weights of the first version, which had 36 numbers, play as they did.
    for policy in (Policy(WEIGHTS[:36], 0.3), Policy([1.0] * 12, 0.3, [row[:36] for row in ROWS])):
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
        ([0.0], 0.0, (), "expected 52 weights, found 1"),
        ([1.0], 0.0, ([0.0] * 35,), "52 weights each"),
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


def in_order(game: Tricks, words: str) -> None:
    for word in words.split():
        game.play(parse_card(word))


def test_the_numbers_of_the_standing_are_those_of_the_rules() -> None:
    hands = ["As Ts Ks 9s 7h 8h 9h 7d", "Qs Js 8s 7s Th Qh Jh Kd", "Ah Kh Jc Qc Kc Td 9c 8d", "Ad Qd Jd 9d 7c Tc Ac 8c"]
    layout = Layout(tuple(tuple(parse_cards(hand)) for hand in hands))
    deal: Any = Bassadewitz.from_layout(meja.make_rules("bassadewitz", 4), 3, layout)
    game = position(deal)
    in_order(game, "As 7s Kc Ac Ts Qs")
    policy = Policy(WEIGHTS)
    named = dict(zip(NAMES, numbers(policy, game, parse_card("Ah")), strict=True))
    # Seat 2 to throw; seat 0 has taken the ace's trick: 11 + 0 + 4 + 11.
    assert named["winner's points"] == pytest.approx(0.26)
    assert named["most of another"] == pytest.approx(0.26)
    assert named["loses, winner's points, worth"] == pytest.approx(0.26)
    assert named["above the lowest"] == 0.0
    assert (named["has all tricks"], named["another has all tricks"]) == (0.0, 1.0)
    assert named["another has all tricks, takes"] == 0.0
    # The king beside it is weaker.
    assert (named["own weaker in its suit"], named["own stronger in its suit"]) == (0.25, 0.0)
    assert named["jack of trumps"] == named["trumps in hand"] == named["bidder has it"] == 0.0


def test_the_numbers_of_trumps_are_those_of_smear() -> None:
    hands = ["As 7s 6h 5d 4c 3c", "Th 9d 8d 7c 6c 5c", "Js 9s 7d 4d 3d 2c"]
    layout = Layout(tuple(tuple(parse_cards(hand)) for hand in hands))
    deal: Any = Smear.from_layout(meja.make_rules("smear", 3), 2, layout)
    for number in (2, 0, 0):
        deal.apply(BID | number if number else PASS)
    game = position(deal)
    in_order(game, "7s 9d")
    named = dict(zip(NAMES, numbers(Policy(WEIGHTS), game, parse_card("Js")), strict=True))
    assert named["jack of trumps"] == 1.0
    assert named["trumps in hand"] == pytest.approx(2 / 6)
    # 13 less the seven and the two in hand.
    assert named["trumps out"] == pytest.approx(10 / 13)
    assert named["bidder has it"] == 1.0
    assert named["bidder to play after"] == 0.0
    assert named["jack of trumps on the table, takes"] == 0.0


def test_a_plan_is_followed_by_one_seat_only() -> None:
    deal: Any = meja.new_match("bassadewitz", 4).next_deal(Rng(2))
    highest, lowest = [0.0] * FEATURES, [0.0] * FEATURES
    highest[NAMES.index("strength")], lowest[NAMES.index("strength")] = 1.0, -1.0
    game, dice = position(deal), Dice(5)
    Policy(lowest).playout_beside(game, dice, 2, Policy(highest))
    other, low, high = position(deal), Policy(lowest), Policy(highest)
    while other.turn >= 0:
        other.play((high if other.turn == 2 else low).choose(other, dice))
    other.score()
    assert game.state() == other.state()


@pytest.mark.parametrize("name", ["bassadewitz", "bassadewitz-pool", "smear", "smear-taker"])
@pytest.mark.parametrize("kind", ["linear", "net"])
def test_learned_weights_are_small_and_tell_how_they_were_made(name: str, kind: str) -> None:
    source = files("meja.search.weights").joinpath(f"{name}-{kind}.json")
    text = source.read_text(encoding="utf-8")
    made = json.loads(text)["made"]
    assert len(text) < 100_000
    assert {"recipe", "teacher", "deals", "rows", "seed", "minutes"} <= set(made)
    assert made["minutes"] < 6
    assert read_policy(f"{name}-{kind}.json").units == (0 if kind == "linear" else len(json.loads(text)["hidden"]))
