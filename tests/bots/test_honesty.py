"""Honesty: what a bot does depends on its view alone, at every level of every game.

The hidden cards are exchanged for others that agree with everything its seat may know, as another deal that really is
on the table; asked again with the same seed and as many iterations, the bot must do the same.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import pytest

import meja
from meja.bots import LEVELS, RULES_OF_THUMB, Budget, make_bot
from meja.cards import Rng
from meja.games import games
from meja.rules import Rules
from meja.testing.mixes import random_rules

#: States per game and level, and iterations of a search: what is tested is where it looks, not how long.
STATES = 24
STATES_LONG = 10_000
ITERATIONS = 8


def states(rules: Rules, rng: Rng) -> Iterator[Any]:
    """Decisions of a match with a choice: deals with their seat to act, played by rules of thumb and by chance."""
    thumb = make_bot(RULES_OF_THUMB, rules.game)
    match = meja.new_match(rules, dealer=rng.below(rules.seats))
    while not match.over and len(match.deals) < 3:
        deal: Any = match.next_deal(rng.fork())
        steps = 0
        while deal.to_act is not None and steps < 300:
            view = deal.view(deal.to_act)
            if len(view.legal) > 1 and not rng.below(5):
                yield deal
            action = thumb.act(view, Budget(rng.next32()))
            if not rng.below(6):
                sample = getattr(view.legal, "sample", None)
                action = view.legal[rng.below(len(view.legal))] if sample is None else sample(rng)
            match.apply(action)
            steps += 1
        if deal.to_act is not None:
            return


@pytest.mark.parametrize("level", [level.name for level in LEVELS])
@pytest.mark.parametrize("game", games())
def test_exchanged_hidden_cards_change_nothing(game: str, level: str, long: bool) -> None:
    rng = Rng(20, games().index(game))
    bot = make_bot(level, game)
    wanted, seen, exchanged = STATES_LONG if long else STATES, 0, 0
    while seen < wanted:
        rules = random_rules(game, rng)
        for deal in states(rules, rng):
            seat = deal.to_act
            view, budget = deal.view(seat), Budget(seed=rng.next32(), iterations=ITERATIONS)
            other = view.determinize(rng)
            again = other.view(seat)
            assert again.to_json() == view.to_json()
            exchanged += other.layout() != deal.layout()
            chosen = bot.act(view, budget)
            assert chosen in view.legal
            assert make_bot(level, game).act(again, budget) == chosen, (rules, view.to_json())
            # As it is sent to another process.
            assert bot.act(pickle.loads(pickle.dumps(view)), budget) == chosen
            seen += 1
            if seen == wanted:
                break
    # There was something to exchange.
    assert exchanged > 0.8 * seen
