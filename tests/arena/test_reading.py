"""A view that went through JSON is the same view."""

from __future__ import annotations

import json
from typing import Any

import pytest

from meja.bots import RULES_OF_THUMB, Budget, make_bot
from meja.bots.reading import drawn_by, read_view
from meja.cards import Rng
from meja.errors import MejaError
from meja.games import games, make_rules, new_match
from meja.testing.mixes import random_rules
from meja.view import View


def _views(name: str, seed: int, deals: int, every: int) -> list[View[Any]]:
    """Views of seats to act, from deals by rules drawn at random, played by chance and by rules of thumb."""
    rng = Rng(seed)
    found = []
    for number in range(deals):
        rules = random_rules(name, rng) if number else make_rules(name)
        match = new_match(rules, dealer=rng.below(rules.seats))
        bots = [make_bot(rng.choice(("random", RULES_OF_THUMB)), name) for _ in range(rules.seats)]
        deal = match.next_deal(rng.fork())
        while deal.to_act is not None and len(deal.actions()) < 800:
            view = deal.view(deal.to_act)
            if rng.below(every) == 0:
                found.append(view)
            deal.apply(bots[deal.to_act].act(view, Budget(seed=number)))
    return found


@pytest.mark.parametrize(("name", "every"), [("bassadewitz", 3), ("calabresella", 2), ("kaluki", 25), ("smear", 2)])
def test_a_view_is_the_same_after_json(name: str, every: int, long: bool) -> None:
    views = _views(name, 11, 150 if long else 8, every)
    assert len(views) > 20
    for view in views:
        read = read_view(json.loads(view.to_json()), view.context.counted, drawn_by(view))
        assert read == view
        assert read.to_json() == view.to_json()
        # What it does not show by itself: the worlds that it takes for possible, and what bots make of it.
        assert read.determinize(Rng(3)).layout() == view.determinize(Rng(3)).layout()
        for bot in ("random", RULES_OF_THUMB):
            assert make_bot(bot, name).act(read, Budget(seed=4)) == make_bot(bot, name).act(view, Budget(seed=4))


def test_after_a_reshuffle_too() -> None:
    views = [view for view in _views("kaluki", 11, 14, 20) if getattr(view, "reshuffles", 0)]
    assert views
    for view in views:
        assert read_view(json.loads(view.to_json()), view.context.counted, drawn_by(view)) == view


def _document(name: str = "smear") -> dict[str, Any]:
    deal = new_match(name).next_deal(Rng(1))
    assert deal.to_act is not None
    document: dict[str, Any] = json.loads(deal.view(deal.to_act).to_json())
    return document


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("smear", {"game": "poker"}),
        ("smear", {"hand": "As"}),
        ("smear", {"hand": 3}),
        ("smear", {"log": ["0 play As"]}),
        ("smear", {"log": ["dance"]}),
        ("smear", {"legal": ["bid 4"]}),
        ("smear", {"seat": None}),
        ("smear", {"seats": 9}),
        ("smear", {"rules": {"preset": "none"}}),
        ("smear", {"totals": None}),
        ("calabresella", {"picked_up": "As Ks"}),
        ("kaluki", {"upcard": "As Ks"}),
        ("kaluki", {"hand": "As"}),
        ("kaluki", {"log": ["1 discard As"]}),
    ],
)
def test_what_is_no_view_is_refused(name: str, changes: dict[str, Any]) -> None:
    with pytest.raises(MejaError):
        read_view({**_document(name), **changes})


@pytest.mark.parametrize("name", games())
def test_a_view_with_a_field_missing_is_refused(name: str) -> None:
    document = _document(name)
    for key in document:
        with pytest.raises(MejaError):
            read_view({other: value for other, value in document.items() if other != key})


def test_draws_that_the_log_does_not_have_are_refused() -> None:
    with pytest.raises(MejaError, match="draws"):
        read_view(_document("kaluki"), 0, "As")
