"""The fast sampler draws every world that agrees with what is known, each as often."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from tests.search.test_policies import WEIGHTS
from tests.search.test_tricks import GAMES, in_play

import meja
from meja import Rng
from meja.cards import cards_of
from meja.errors import MejaError
from meja.search.dice import Dice
from meja.search.policies import Policy
from meja.search.tricks import Tricks, position
from meja.search.worlds import Dealer, Worlds, draw_worlds, soft_worlds

Groups = Sequence[tuple[int, Sequence[int]]]

CASES: list[tuple[str, Groups, tuple[int, ...]]] = [
    ("nothing known", [(0b111, (1, 2, 3, 4, 5))], (2, 2, 1)),
    ("nested", [(0b001, (1,)), (0b011, (2, 3)), (0b111, (4, 5, 6))], (2, 2, 2)),
    ("crossing", [(0b011, (1, 2)), (0b110, (3, 4)), (0b111, (5, 6))], (2, 2, 2)),
    ("crossing, uneven", [(0b0011, (1, 2, 3)), (0b0110, (14, 15)), (0b1101, (27,)), (0b1111, (40,))], (2, 3, 1, 1)),
    ("crossing in four suits", [(0b011, (1,)), (0b110, (14, 15)), (0b101, (27, 28)), (0b111, (40, 41))], (3, 2, 2)),
    ("one way only", [(0b01, (1, 2)), (0b10, (3,))], (2, 1)),
    ("merged", [(0b011, (1,)), (0b011, (14,)), (0b110, (27,)), (0b110, (40,))], (1, 2, 1)),
]


def every_world(groups: Groups, room: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All ways, by trying each card in each place."""
    cards = [(card, places) for places, group in groups for card in group]
    found = []
    for choice in product(range(len(room)), repeat=len(cards)):
        if all(places >> place & 1 for place, (_, places) in zip(choice, cards, strict=True)) and all(
            choice.count(place) == size for place, size in enumerate(room)
        ):
            found.append(
                tuple(sum(1 << card for at, (card, _) in zip(choice, cards, strict=True) if at == place)
                      for place in range(len(room)))
            )  # fmt: skip
    return found


@pytest.mark.parametrize(("name", "groups", "room"), CASES, ids=[case[0] for case in CASES])
def test_every_world_comes_and_each_as_often(name: str, groups: Groups, room: tuple[int, ...]) -> None:
    worlds, dice = Worlds(groups, room), Dice()
    dice.seed(8, 1)
    expected = every_world(groups, room)
    rounds = len(expected) * 200
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(rounds):
        worlds.draw(dice)
        counts[tuple(worlds.masks())] += 1
    assert set(counts) == set(expected)
    chi = sum((counts[world] - 200) ** 2 / 200 for world in expected)
    free = len(expected) - 1
    # The normal approximation of chi-square, four deviations.
    assert chi <= free + 4 * math.sqrt(2 * free) + 1e-9


@pytest.mark.parametrize("game", GAMES)
def test_worlds_agree_with_the_view_at_every_moment_of_the_play(game: str, long: bool) -> None:
    rng = Rng(21, GAMES.index(game))
    dice = Dice(77)
    crossing = 0
    for _ in range(400 if long else 40):
        deal: Any = in_play(game, rng)
        while deal is not None and deal.to_act is not None:
            if rng.below(4) == 0:
                view = deal.view(deal.to_act)
                hidden = view.hidden()
                dealer, position_of = Dealer(view), Tricks()
                crossing += not dealer.worlds.nested
                position_of.copy(dealer.seen)
                for drawn in draw_worlds(view, 3, dice):
                    check(view, hidden, drawn)
                dealer.deal(position_of, dice)
                assert position_of.legal() == sum(1 << action for action in view.legal)
                # The same world as a deal of the rules plays alike.
                blank = view.known()
                for place, seat in enumerate(hidden.seats):
                    blank.hands[seat] = dealer.worlds.masks()[place]
                finish = position(deal)
                for seat, hand in enumerate(position_of.state()["hands"]):
                    finish.hands[seat] = hand
                    assert hand.bit_count() == view.hand_sizes[seat]
            legal = deal.legal_actions()
            deal.advance(legal[rng.below(len(legal))])
    if game != "smear":
        assert crossing > 0


def check(view: Any, hidden: Any, drawn: list[int]) -> None:
    assert [mask.bit_count() for mask in drawn] == list(hidden.room)
    allowed = {card: places for places, cards in hidden.groups for card in cards}
    for place, mask in enumerate(drawn):
        for card in cards_of(mask):
            assert allowed.pop(card) >> place & 1
            if place < len(hidden.seats):
                assert not view.voids[hidden.seats[place]] >> card // 13 & 1 or view.game == "calabresella"
    assert not allowed


@pytest.mark.parametrize("game", GAMES)
def test_a_likelihood_is_the_product_of_the_chances_of_the_plays(game: str) -> None:
    rng, dice = Rng(31, GAMES.index(game)), Dice(5)
    policy = Policy(WEIGHTS)
    checked = 0
    while checked < 10:
        deal: Any = in_play(game, rng)
        if deal is None:
            continue
        for _ in range(6):
            legal = deal.legal_actions()
            deal.advance(legal[rng.below(len(legal))])
        if deal.to_act is None:
            continue
        checked += 1
        view = deal.view(deal.to_act)
        dealer = Dealer(view)
        dealer.worlds.draw(dice)
        game_before = Tricks()
        game_before.copy(dealer.opening)
        dealer.put(game_before, dealer.opening)
        expected = 1.0
        for seat, card in deal.plays():
            cards = game_before.cards()
            if seat != view.seat and len(cards) > 1:
                scores = [policy.value(game_before, other) for other in cards]
                shares = [math.exp((score - max(scores)) / 0.3) for score in scores]
                expected *= 0.9 * shares[cards.index(card)] / sum(shares) + 0.1 / len(cards)
            assert card in cards
            game_before.play(card)
        assert dealer.likelihood(policy, 0.3) == pytest.approx(expected, rel=1e-6)


def test_resampled_worlds_come_by_their_likelihood() -> None:
    deal: Any = meja.new_match("smear", 2).next_deal(Rng(9))
    for text in ("bid 2", "pass"):
        if deal.to_act is not None and deal.phase == "bid":
            deal.apply(deal.parse(text))
    for _ in range(7):
        deal.advance(deal.legal_actions()[0])
    view = deal.view(deal.to_act)
    policy = Policy(WEIGHTS)
    even, soft = (
        sum(likelihood_of(view, policy, world) for world in made) / len(made)
        for made in (draw_worlds(view, 400, Dice(3)), soft_worlds(view, 400, policy, 0.3, Dice(3)))
    )
    assert soft > even
    assert len(soft_worlds(view, 33, policy, 0.3, Dice(3))) == 33
    with pytest.raises(MejaError, match="temperature above 0"):
        soft_worlds(view, 3, policy, 0.0, Dice(3))


def likelihood_of(view: Any, policy: Policy, world: list[int]) -> float:
    """The likelihood of one given world."""
    hidden = view.hidden()
    dealer = Dealer(view)
    dealer.worlds = Worlds([(1 << place, cards_of(mask)) for place, mask in enumerate(world)], hidden.room)
    dealer.worlds.draw(Dice(1))
    return dealer.likelihood(policy, 0.3)


@pytest.mark.parametrize(
    ("groups", "room"),
    [
        ([(0b01, (1, 2))], (1, 1)),
        ([(0b00, (1,)), (0b11, (2,))], (1, 1)),
        ([(0b011, (1, 2, 3)), (0b110, (4,))], (1, 1, 2)),
        ([(0b11, (1, 2, 3))], (1, 1)),
    ],
)
def test_impossible_facts_are_refused(groups: Groups, room: tuple[int, ...]) -> None:
    with pytest.raises(MejaError, match="no world agrees"):
        Worlds(groups, room)


def test_a_checksum_that_both_modes_must_give() -> None:
    found = []
    for _, groups, room in CASES:
        worlds, dice = Worlds(groups, room), Dice()
        dice.seed(2, 7)
        total = 0
        for _ in range(50):
            worlds.draw(dice)
            for mask in worlds.masks():
                total = (total * 31 + mask) % 1_000_003
        found.append(total)
    assert found == CHECKSUMS


CHECKSUMS = [678_634, 742_416, 456_230, 392_131, 71_099, 377_752, 819_430]
