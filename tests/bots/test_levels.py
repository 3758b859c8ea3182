"""The four levels: there for every game, honest, within their time, and told in one sentence."""

from __future__ import annotations

import time
from typing import Any

import pytest

import meja
from meja import Rng
from meja.bots import BOTS, Budget, bots_for, make_bot
from meja.bots.leveled import COMPILED, best_of, draw, within
from meja.bots.levels import LEVEL_NAMES, LEVELS, slowed

GAMES = ("bassadewitz", "smear")

#: Every option off its usual value, and every number of seats.
SETTINGS: list[tuple[str, int, dict[str, Any]]] = [
    ("bassadewitz", 3, {}),
    ("bassadewitz", 4, {}),
    ("bassadewitz", 5, {}),
    ("bassadewitz", 4, {"ace5": True, "trick_points": True}),
    ("bassadewitz", 5, {"natural_rank": True, "trick_points": True}),
    ("bassadewitz", 4, {"classic_pool": True}),
    ("bassadewitz", 4, {"classic_pool": True, "sweep_takes_pool": True}),
    ("smear", 2, {}),
    ("smear", 3, {}),
    ("smear", 3, {"high": "ace_only", "low": "taker", "smudge": "win_game"}),
    ("smear", 2, {"low": "taker", "dealer_steal": True, "min_bid": 1}),
    ("smear", 3, {"dealer_steal": True, "all_pass": "dealer_two", "trump_anytime": False}),
    ("smear", 2, {"all_pass": "dealer_two", "min_bid": 1, "win": "count_order", "target": 7}),
    ("smear", 3, {"all_pass": "dealer_minus_two", "win": "strict_next_deal", "target": 15}),
    ("smear", 3, {"all_pass": "redeal_next", "win": "bidder_first", "target": 21}),
]


def budget(seed: int = 0) -> Budget:
    """Few worlds: what is asked here does not depend on strength."""
    return Budget(seed=seed, iterations=12 if COMPILED else 2)


@pytest.mark.parametrize("game", sorted(meja.games()))
def test_every_game_has_the_four_levels_beside_the_other_bots(game: str) -> None:
    assert LEVEL_NAMES == ("beginner", "casual", "strong", "master")
    assert set(LEVEL_NAMES) <= set(bots_for(game)) <= set(BOTS)
    assert {"random", "rules-of-thumb"} <= set(bots_for(game))
    for name in LEVEL_NAMES:
        assert make_bot(name, game) is not None


def test_every_level_is_told_in_one_sentence() -> None:
    for level in LEVELS:
        text = str(level.sentence)
        assert text.endswith(".")
        assert text.count(".") == 1
        assert len(text) < 120
    assert len({str(level.sentence) for level in LEVELS}) == 4


def test_it_is_said_where_nothing_is_compiled() -> None:
    assert (slowed() is None) == COMPILED


@pytest.mark.parametrize("level", LEVEL_NAMES)
@pytest.mark.parametrize(("game", "seats", "options"), SETTINGS)
def test_a_match_is_played_to_its_end_under_every_option(
    game: str, seats: int, options: dict[str, Any], level: str
) -> None:
    rules = meja.make_rules(game, seats, **options)
    match = meja.new_match(rules, dealer=0)
    bot = make_bot(level, game)
    quick = make_bot("rules-of-thumb", game)
    rng = Rng(31, seats)
    deals = 0
    while not match.over and deals < (60 if COMPILED else 12):
        deal: Any = match.next_deal(rng.fork())
        deals += 1
        while deal.to_act is not None:
            seat = deal.to_act
            view = deal.view(seat)
            # Only the last deals are played by the level where it is slow.
            slow = level == "master" and deals > 2 and not COMPILED
            action = quick.act(view, budget()) if slow or seat else bot.act(view, budget(deals))
            assert action in view.legal
            match.apply(action)
    assert deals >= 1
    assert match.over or deals >= 12


def states(game: str, seats: int, count: int, options: dict[str, Any] | None = None) -> list[Any]:
    """Deals in which somebody has a choice, anywhere from the first call to the last cards."""
    rules = meja.make_rules(game, seats, **(options or {}))
    rng = Rng(7, seats)
    found: list[Any] = []
    while len(found) < count:
        deal: Any = meja.new_match(rules, dealer=rng.below(seats)).next_deal(rng.fork())
        for _ in range(rng.below(30)):
            if deal.to_act is None:
                break
            legal = deal.legal_actions()
            deal.advance(legal[rng.below(len(legal))])
        if deal.to_act is not None and len(deal.legal_actions()) > 1:
            found.append(deal)
    return found


@pytest.mark.parametrize("level", LEVEL_NAMES)
@pytest.mark.parametrize(("game", "seats"), [("bassadewitz", 4), ("bassadewitz", 3), ("smear", 3), ("smear", 2)])
def test_hidden_cards_exchanged_change_nothing(game: str, seats: int, level: str) -> None:
    count = 150 if COMPILED else 15
    bot, rng, exchanged = make_bot(level, game), Rng(8), 0
    for number, deal in enumerate(states(game, seats, count)):
        seat = deal.to_act
        other = deal.determinize(seat, rng)
        exchanged += other.hands != deal.hands
        one = bot.act(deal.view(seat), budget(number))
        # A bot that has just been made: nothing is kept from one decision to the next.
        assert make_bot(level, game).act(other.view(seat), budget(number)) == one
        assert bot.act(deal.view(seat), budget(number)) == one
    assert exchanged > count // 2


@pytest.mark.parametrize(("level", "most"), [("beginner", 0.2), ("casual", 0.2), ("strong", 0.2), ("master", 1.0)])
@pytest.mark.parametrize(("game", "seats"), [("bassadewitz", 4), ("bassadewitz", 3), ("smear", 3), ("smear", 2)])
def test_a_decision_is_made_within_its_time(game: str, seats: int, level: str, most: float) -> None:
    bot = make_bot(level, game)
    rules = meja.make_rules(game, seats)
    first = states(game, seats, 1)[0]
    # Weights are read from files once.
    bot.act(first.view(first.to_act), budget())
    spent = []
    for number in range(3 if COMPILED else 1):
        deal: Any = meja.new_match(rules, dealer=0).next_deal(Rng(9, number))
        while deal.to_act is not None:
            view = deal.view(deal.to_act)
            began = time.process_time()
            action = bot.act(view, Budget(seed=1, seconds=most))
            spent.append(time.process_time() - began)
            deal.advance(action)
    # The time of the process: other work on the machine counts on the wall, not here.
    assert max(spent) < most


def test_the_best_of_equals_is_the_lowest_and_a_cap_keeps_the_best() -> None:
    assert best_of({7: 1.0, 3: 1.0, 5: 0.5}) == 3
    assert within({7: 1.0, 3: 0.4, 5: 0.5}, 0.5) == [5, 7]
    assert within({7: -5.0}, 0.0) == [7]


def test_chance_goes_by_the_scores() -> None:
    rng, counts = Rng(4), {1: 0, 2: 0, 3: 0}
    for _ in range(4000):
        counts[draw({1: 0.0, 2: 1.0, 3: -40.0}, 1.0, rng)] += 1
    assert counts[3] == 0
    # e to 1.
    assert 0.69 < counts[2] / 4000 < 0.77
