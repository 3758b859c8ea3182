"""A bot acts for the seat whose turn it is, and says so to everybody else: at once, in every game and level."""

from __future__ import annotations

from typing import Any

import pytest

import meja
from meja.bots import Budget, bots_for, make_bot
from meja.cards import Rng
from meja.errors import MejaError
from meja.games import games

PLAYERS = [(game, name) for game in games() for name in bots_for(game)]


def deals(game: str) -> list[Any]:
    """A deal that has just begun, one in the middle, and one that is over."""
    found = []
    for steps in (0, 12, 10_000):
        deal: Any = meja.new_match(meja.make_rules(game), dealer=0).next_deal(Rng(4))
        thumb = make_bot("rules-of-thumb", game)
        for number in range(steps):
            if deal.to_act is None:
                break
            deal.apply(thumb.act(deal.view(deal.to_act), Budget(number)))
        found.append(deal)
    assert found[-1].to_act is None
    return found


@pytest.mark.parametrize(("game", "name"), PLAYERS)
def test_who_is_not_to_act_gets_no_action(game: str, name: str) -> None:
    bot = make_bot(name, game)
    for deal in deals(game):
        for seat in (None, *(seat for seat in range(deal.rules.seats) if seat != deal.to_act)):
            with pytest.raises(MejaError, match="only the seat to act"):
                bot.act(deal.view(seat), Budget(seconds=0.05))
