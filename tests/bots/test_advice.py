"""Advice: a ghost does what its bot would do, and tells what it thinks of the other actions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import meja
from meja.bots import RULES_OF_THUMB, Budget, make_bot
from meja.bots.leveled import COMPILED
from meja.bots.levels import LEVEL_NAMES
from meja.cards import Rng
from meja.games import games

_ITERATIONS = 400 if COMPILED else 40


def decisions(game: str, seed: int, most: int) -> Iterator[Any]:
    """Deals at a decision, in every phase of them."""
    thumb = make_bot(RULES_OF_THUMB, game)
    rng = Rng(seed)
    found = 0
    while found < most:
        rules = meja.make_rules(game)
        deal: Any = meja.new_match(rules, dealer=rng.below(rules.seats)).next_deal(rng.fork())
        while deal.to_act is not None and found < most:
            view = deal.view(deal.to_act)
            if len(view.legal) > 1 and not rng.below(4):
                found += 1
                yield deal
            deal.apply(thumb.act(view, Budget(rng.next32())))


@pytest.mark.parametrize("level", LEVEL_NAMES)
@pytest.mark.parametrize("game", games())
def test_it_advises_what_it_would_do(game: str, level: str) -> None:
    rng = Rng(5)
    for deal in decisions(game, 5, 6):
        view, budget = deal.view(deal.to_act), Budget(seed=rng.next32(), iterations=_ITERATIONS)
        ghost = make_bot(level, game)
        advice = ghost.advise(view, budget)
        assert advice.action == make_bot(level, game).act(view, budget)
        actions = [opinion.action for opinion in advice.opinions]
        assert all(action in view.legal for action in actions)
        assert len(set(actions)) == len(actions)
        if actions:
            assert actions[0] == advice.action
            values = [opinion.value for opinion in advice.opinions[1:]]
            assert values == sorted(values, reverse=True)
            assert all(opinion.error is None or opinion.error >= 0 for opinion in advice.opinions)
        # Of what was forced it keeps nothing from the decision before.
        other = deal.clone()
        while other.to_act is not None and len(other.view(other.to_act).legal) > 1:
            other.apply(make_bot(RULES_OF_THUMB, game).act(other.view(other.to_act), budget))
        if other.to_act is not None:
            assert ghost.advise(other.view(other.to_act), budget).opinions == ()


@pytest.mark.parametrize("game", games())
def test_a_master_weighs_what_it_does(game: str) -> None:
    weighed = decided = 0
    for deal in decisions(game, 6, 24):
        view = deal.view(deal.to_act)
        advice = make_bot("master", game).advise(view, Budget(seed=1, iterations=_ITERATIONS))
        decided += 1
        weighed += len(advice.opinions) > 1
    # In Kaluki much is done by rules of thumb alone, elsewhere only what is sure.
    assert weighed > decided * (0.25 if game == "kaluki" else 0.6)


@pytest.mark.parametrize("game", games())
def test_it_sees_what_it_advises_on_and_no_more(game: str) -> None:
    rng = Rng(8)
    for deal in decisions(game, 8, 6):
        seat = deal.to_act
        budget = Budget(seed=3, iterations=_ITERATIONS)
        swapped = deal.view(seat).determinize(rng)
        ghost = make_bot("master", game)
        assert ghost.advise(deal.view(seat), budget) == ghost.advise(swapped.view(seat), budget)
