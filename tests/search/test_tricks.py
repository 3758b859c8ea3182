"""The kernel of trick games plays and scores as the rules do."""

from __future__ import annotations

from typing import Any

import pytest

import meja
from meja import Rng
from meja.errors import MejaError
from meja.search import tricks
from meja.search.dice import Dice
from meja.search.tricks import Tricks, position, random_deals
from meja.testing.mixes import random_rules

GAMES = ("bassadewitz", "calabresella", "smear")
COMPILED = not str(tricks.__file__).endswith(".py")


def in_play(game: str, rng: Rng) -> Any:
    """A deal of random options whose first card may be played, or ``None`` where everybody passed."""
    rules = random_rules(game, rng)
    deal: Any = meja.new_match(rules, dealer=rng.below(rules.seats)).next_deal(rng)
    while deal.to_act is not None and deal.phase != "play":
        legal = deal.legal_actions()
        deal.apply(legal[rng.below(len(legal))])
    return deal if deal.to_act is not None else None


def mask(cards: Any) -> int:
    return sum(1 << card for card in cards)


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_and_scores_as_the_rules_do(game: str, long: bool) -> None:
    rng = Rng(11, GAMES.index(game))
    count = (100_000 if long else 1_500) if COMPILED else 300
    kernel = Tricks()
    played = 0
    while played < count:
        deal = in_play(game, rng)
        if deal is None:
            continue
        played += 1
        kernel.load(deal)
        # Anywhere in the play the position may be taken over.
        again = rng.below(deal.hand_size(deal.rules) * len(deal.players))
        step = 0
        while deal.to_act is not None:
            if step == again:
                kernel.load(deal)
            legal = deal.legal_actions()
            assert kernel.turn == deal.to_act
            assert kernel.legal() == mask(legal)
            assert kernel.cards() == legal
            card = legal[rng.below(len(legal))]
            deal.advance(card)
            kernel.play(card)
            step += 1
        assert kernel.turn == -1
        kernel.score()
        assert kernel.state()["points"] == list(deal.score())
        assert kernel.void == deal.void
        assert kernel.state()["taken"] == list(deal.taken)
        assert kernel.state()["tricks"] == list(deal.tricks)


@pytest.mark.parametrize("game", GAMES)
def test_a_copy_is_the_same_position_and_goes_its_own_way(game: str) -> None:
    rng = Rng(3, GAMES.index(game))
    for _ in range(50):
        deal = in_play(game, rng)
        if deal is None:
            continue
        start, one, other = position(deal), Tricks(), Tricks()
        one.copy(start)
        other.copy(start)
        before = start.state()
        one.playout(Dice(7))
        other.playout(Dice(7))
        assert one.state() == other.state()
        assert start.state() == before
        one.rewind(start)
        one.playout(Dice(8))
        other.rewind(start)
        assert other.legal() == start.legal()
        other.playout(Dice(8))
        assert one.state() == other.state()


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_random_deals_are_those_of_the_rules(seats: int) -> None:
    deal = meja.new_match("bassadewitz", seats).next_deal(Rng(1))
    count = 500 if COMPILED else 100
    assert random_deals(position(deal), count, 7) == sum(slow_deal(deal, 7, number) for number in range(count))


def test_a_checksum_that_both_modes_must_give() -> None:
    deal = meja.new_match("bassadewitz", 4).next_deal(Rng(1))
    assert random_deals(position(deal), 500, 7) == 113_884


def slow_deal(deal: Any, seed: int, number: int) -> int:
    """One deal of ``random_deals``, by the rules themselves."""
    rng = Rng(seed, number)
    rules = deal.rules
    pack = sorted(deal.pack(rules))
    hands: list[tuple[int, ...]] = []
    for _ in range(rules.seats):
        hand = []
        for _ in range(deal.hand_size(rules)):
            at = rng.below(len(pack))
            hand.append(pack[at])
            pack[at] = pack[-1]
            pack.pop()
        hands.append(tuple(hand))
    game = type(deal).from_layout(rules, deal.dealer, meja.Layout(tuple(hands)))
    while game.to_act is not None:
        legal = game.legal_actions()
        game.advance(legal[rng.below(len(legal))])
    return sum((points + 20) * (seat + 1) for seat, points in enumerate(game.score()))


def test_what_cannot_be_a_position_is_refused() -> None:
    rng = Rng(1)
    with pytest.raises(MejaError, match="kaluki is not a trick game"):
        position(meja.new_match("kaluki", 3).next_deal(rng))
    with pytest.raises(MejaError, match="phase bid"):
        position(meja.new_match("smear", 3).next_deal(rng))
