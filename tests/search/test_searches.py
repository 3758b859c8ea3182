"""PIMC and the tree search: deterministic, honest, and right where the right card is known."""

from __future__ import annotations

import math
import threading
import time
from typing import Any

import pytest
from tests.search.test_policies import WEIGHTS
from tests.search.test_tricks import COMPILED, GAMES, in_play

import meja
from meja import Rng
from meja.errors import MejaError
from meja.search import ismcts, pimc
from meja.search.dice import Dice
from meja.search.pimc import Pimc, Utility, sign_of
from meja.search.policies import Policy
from meja.search.tricks import Tricks
from meja.search.worlds import Dealer, Inference


def with_a_choice(game: str, rng: Rng, left: int) -> Any:
    """A deal in which the seat to act has ``left`` cards and more than one to choose from."""
    while True:
        deal = in_play(game, rng)
        while deal is not None and deal.to_act is not None:
            legal = deal.legal_actions()
            if deal.hands[deal.to_act].bit_count() == left and len(legal) > 1:
                return deal
            deal.advance(legal[rng.below(len(legal))])


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("policy", [None, Policy(WEIGHTS, 0.5)], ids=["random cards", "policy"])
def test_the_same_view_and_seed_give_the_same_answer_and_hidden_cards_change_nothing(game: str, policy: Any) -> None:
    rng = Rng(41, GAMES.index(game))
    exchanged = 0
    for _ in range(5):
        deal = with_a_choice(game, rng, 4)
        other = deal.determinize(deal.to_act, rng)
        exchanged += other.hands != deal.hands
        one, two = deal.view(deal.to_act), other.view(deal.to_act)
        for seed in (1, 2):
            assert pimc.think(one, worlds=20, seed=seed, policy=policy) == pimc.think(
                two, worlds=20, seed=seed, policy=policy
            )
            assert ismcts.think(one, iterations=60, seed=seed, policy=policy) == ismcts.think(
                two, iterations=60, seed=seed, policy=policy
            )
    assert exchanged


@pytest.mark.parametrize("game", GAMES)
def test_every_legal_card_is_judged(game: str) -> None:
    rng = Rng(42, GAMES.index(game))
    deal = with_a_choice(game, rng, 5)
    view = deal.view(deal.to_act)
    assert sorted(made.card for made in pimc.think(view, worlds=3)) == list(view.legal)
    found = ismcts.think(view, iterations=200)
    assert sorted(card for card, _, _ in found) == list(view.legal)
    assert sum(visits for _, visits, _ in found) == 200
    assert all(0.0 <= reward <= 1.0 for _, _, reward in found)


def best_by_rules(deal: Any, sign: int) -> dict[int, int]:
    """Per card, what the seat to act gets if two cards are left and everybody plays for themselves (max^n)."""

    def value(state: Any) -> tuple[int, ...]:
        if state.to_act is None:
            return tuple(state.score())
        seat, found = state.to_act, []
        for card in state.legal_actions():
            twin = state.clone()
            twin.advance(card)
            found.append(value(twin))
        return max(found, key=lambda points: sign * points[seat])

    seat, made = deal.to_act, {}
    for card in deal.legal_actions():
        twin = deal.clone()
        twin.advance(card)
        made[card] = sign * value(twin)[seat]
    return made


@pytest.mark.parametrize("game", GAMES)
def test_the_last_choice_is_the_right_one_in_the_one_world_there_is(game: str) -> None:
    rng = Rng(43, GAMES.index(game))
    checked = 0
    for _ in range(4000):
        deal = in_play(game, rng)
        while deal is not None and deal.to_act is not None:
            legal = deal.legal_actions()
            view = deal.view(deal.to_act)
            # Everybody else has one card or none: what follows is forced.
            others = [hand.bit_count() for seat, hand in enumerate(deal.hands) if seat != deal.to_act]
            if len(legal) == 2 and deal.hands[deal.to_act].bit_count() == 2 and max(others) == 1:
                dealer = Dealer(view)
                for place, seat in enumerate(view.hidden().seats):
                    dealer.worlds.draw(Dice(place + 1))
                    assert dealer.worlds.masks()[place].bit_count() == view.hand_sizes[seat]
                values = best_by_rules(deal, sign_of(view))
                if len(set(values.values())) == 2 and only_one(view):
                    best = max(values, key=lambda card: values[card])
                    assert pimc.think(view, worlds=4)[0].card == best
                    assert ismcts.think(view, iterations=64)[0][0] == best
                    checked += 1
            deal.advance(legal[rng.below(len(legal))])
        if checked >= 3:
            return
    # Cards that nobody holds keep more than one world open in Smear.
    assert game == "smear"


def only_one(view: Any) -> bool:
    """Whether just one world agrees with the view, as far as draws tell."""
    dealer, dice, seen = Dealer(view), Dice(3), set()
    for _ in range(30):
        dealer.worlds.draw(dice)
        seen.add(tuple(dealer.worlds.masks()))
    return len(seen) == 1


def test_means_and_errors_are_those_of_the_worlds() -> None:
    deal = with_a_choice("bassadewitz", Rng(44), 6)
    view = deal.view(deal.to_act)
    whole = {made.card: made for made in pimc.think(view, worlds=50, seed=6)}
    # World by world: a search of n worlds less one of n - 1.
    single: dict[int, list[float]] = {card: [] for card in whole}
    for count in range(1, 51):
        search = Pimc(Dealer(view), None, -1)
        search.run(count, 6)
        for made in search.estimates():
            single[made.card].append(made.mean * count - sum(single[made.card]))
    best = max(whole.values(), key=lambda made: made.mean).card
    for card, values in single.items():
        mean = sum(values) / 50
        apart = [one - other for one, other in zip(values, single[best], strict=True)]
        assert whole[card].mean == pytest.approx(mean)
        assert whole[card].error == pytest.approx(spread(values), abs=1e-9)
        assert whole[card].to_best == pytest.approx(spread(apart), abs=1e-6)


def spread(values: list[float]) -> float:
    """The standard error of a mean (population deviation, as the search counts it)."""
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / len(values) / (len(values) - 1))


def test_a_deadline_ends_the_search() -> None:
    deal = with_a_choice("bassadewitz", Rng(45), 8)
    view = deal.view(deal.to_act)
    assert 1 <= pimc.think(view, worlds=10**9, seconds=0.05)[0].worlds < 10**9
    assert sum(visits for _, visits, _ in ismcts.think(view, iterations=10**9, seconds=0.05)) < 10**9


def test_before_the_play_there_is_nothing_to_search() -> None:
    deal = meja.new_match("smear", 3).next_deal(Rng(1))
    with pytest.raises(MejaError, match="phase bid"):
        pimc.think(deal.view(deal.to_act), worlds=1)


def test_a_tree_that_is_full_goes_on(long: bool) -> None:
    if not COMPILED and not long:
        pytest.skip("takes long uncompiled: --long")
    deal = with_a_choice("bassadewitz", Rng(46), 8)
    found = ismcts.think(deal.view(deal.to_act), iterations=120_000)
    assert sum(visits for _, visits, _ in found) == 120_000


def test_both_modes_find_the_same() -> None:
    found = []
    for game in GAMES:
        view = (deal := with_a_choice(game, Rng(48, GAMES.index(game)), 6)).view(deal.to_act)
        found += [round(made.mean * 30) for made in pimc.think(view, worlds=30, seed=5)]
        found += [visits for _, visits, _ in ismcts.think(view, iterations=100, seed=5)]
    assert found == FOUND


FOUND = [
    -49,
    -74,
    -75,
    -77,
    -90,
    -117,
    24,
    19,
    19,
    14,
    13,
    11,
    496,
    480,
    480,
    464,
    432,
    416,
    18,
    17,
    17,
    17,
    16,
    15,
    -96,
    -120,
    -120,
    -120,
    -120,
    -120,
    20,
    16,
    16,
    16,
    16,
    16,
]


def test_other_threads_go_on_while_a_kernel_runs() -> None:
    if not COMPILED:
        pytest.skip("plain Python shares the interpreter by itself")
    deal = with_a_choice("bassadewitz", Rng(49), 8)
    search = Pimc(Dealer(deal.view(deal.to_act)), None, -1)
    thread = threading.Thread(target=search.run, args=(150_000, 1))
    thread.start()
    counted = 0
    while thread.is_alive():
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 20


# -- what a score is worth, and which worlds come -------------------------------------------


def scored(*points: int) -> Tricks:
    game = Tricks()
    game.seats = len(points)
    game.points = [*points, *([0] * (5 - len(points)))]
    return game


def test_a_utility_weighs_points_or_looks_up_the_outcome() -> None:
    assert Utility(-1.0, 0.5).value(scored(3, 0, 4), 0) == -1.0
    table = Utility(seat=1, outcomes={(0, 3, 5): 7.0, (5, 3, 0): -2.0, (-4, 0, -4): 1.5})
    assert [table.value(scored(*score), 1) for score in ((0, 3, 5), (5, 3, 0), (-4, 0, -4))] == [7.0, -2.0, 1.5]
    # For another seat it is the own points.
    assert table.value(scored(0, 3, 5), 2) == 5.0
    with pytest.raises(MejaError, match="too many outcomes"):
        Utility(seat=0, outcomes={(99, 0): 1.0})


def test_every_outcome_of_a_large_table_has_a_place_of_its_own() -> None:
    outcomes: dict[tuple[int, ...], float] = {
        (a, b, c): float(a * 100 + b * 10 + c) for a in range(-12, 13) for b in (0, 3, 24) for c in (-16, 5, 7)
    }
    table = Utility(seat=0, outcomes=outcomes)
    assert all(table.value(scored(*score), 0) == worth for score, worth in outcomes.items())


def test_a_utility_of_the_own_points_changes_nothing_and_one_turned_round_turns_round() -> None:
    view = (deal := with_a_choice("bassadewitz", Rng(50), 5)).view(deal.to_act)
    usual = pimc.think(view, worlds=12, seed=3)
    assert pimc.think(view, worlds=12, seed=3, utility=Utility(-1.0)) == usual
    turned = pimc.think(view, worlds=12, seed=3, utility=Utility(1.0))
    assert {made.card: -made.mean for made in turned} == {made.card: made.mean for made in usual}
    tree = ismcts.think(view, iterations=80, seed=3)
    assert ismcts.think(view, iterations=80, seed=3, utility=Utility(-1.0), worth=(-5, 4)) == tree


@pytest.mark.parametrize("game", GAMES)
def test_inference_sees_nothing_hidden_and_batches_do_not_matter(game: str) -> None:
    deal = with_a_choice(game, Rng(51, GAMES.index(game)), 4)
    view, model = deal.view(deal.to_act), Policy(WEIGHTS)
    other = deal.determinize(deal.to_act, Rng(1)).view(deal.to_act)
    found = pimc.think(view, worlds=40, seed=5, model=model)
    assert pimc.think(other, worlds=40, seed=5, model=model) == found
    dealer = Dealer(view)
    parts = Pimc(dealer, None, sign_of(view), None, Inference(dealer, model))
    for count in (1, 30, 9):
        parts.run(count, 5)
    assert parts.estimates() == found
    assert ismcts.think(view, iterations=70, seed=5, model=model) == ismcts.think(
        other, iterations=70, seed=5, model=model
    )


def test_worlds_that_explain_the_play_come_more_often_and_none_is_ruled_out() -> None:
    # By the model high cards are played first: who has played a low one holds no high one of the suit.
    weights = [0.0] * len(WEIGHTS)
    weights[1] = 3.0
    model, rng = Policy(weights), Rng(52)
    evenly = weighed = 0.0
    for _ in range(3 if not COMPILED else 20):
        deal = with_a_choice("bassadewitz", rng, 4)
        dealer = Dealer(deal.view(deal.to_act))
        inference, game, dice = Inference(dealer, model, 0.3), Tricks(), Dice(9)
        game.copy(dealer.seen)
        for number in range(32):
            inference.deal(game, dice, 7, number)
            weighed += math.log(dealer.likelihood(model, 0.3))
            dealer.worlds.draw(dice)
            evenly += math.log(dealer.likelihood(model, 0.3))
    assert weighed > evenly
    with pytest.raises(MejaError, match="temperature above 0"):
        Inference(dealer, model, 0.0)
