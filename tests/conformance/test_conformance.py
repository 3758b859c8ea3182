"""The conformance kit over every game, preset, option and random mix."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meja.cards import Rng
from meja.games import games
from meja.rules import Rules
from meja.testing import all_presets, check_game, random_rules, single_options
from meja.testing.soak import thumb_policy


def _name(rules: Rules) -> str:
    return str(rules)


PRESETS = [rules for name in games() for rules in all_presets(name)]
SINGLES = [rules for name in games() for rules in single_options(name)]


@pytest.mark.parametrize("rules", PRESETS, ids=_name)
def test_every_preset_at_every_number_of_seats_keeps_the_contract(rules: Rules, long: bool) -> None:
    report = check_game(rules, deals=60 if long else 2, seed=1, thorough=0.3)
    assert report.worlds > 0


@pytest.mark.parametrize("rules", PRESETS, ids=_name)
def test_rules_of_thumb_keep_the_contract_in_every_preset(rules: Rules, long: bool) -> None:
    check_game(rules, deals=60 if long else 2, seed=2, policy=thumb_policy(rules.game), thorough=0.3)


@pytest.mark.parametrize("rules", SINGLES, ids=_name)
def test_every_option_alone_keeps_the_contract(rules: Rules, long: bool) -> None:
    check_game(rules, deals=20 if long else 1, seed=3, policy=thumb_policy(rules.game), thorough=0.15)


@pytest.mark.parametrize("name", games())
@given(seed=st.integers(0, 2**64))
def test_random_option_mixes_keep_the_contract(name: str, seed: int) -> None:
    rng = Rng(seed)
    rules = random_rules(name, rng)
    if rng.below(2):
        check_game(rules, deals=1, seed=seed, thorough=0.1)
    else:
        check_game(rules, deals=1, seed=seed, policy=thumb_policy(name), thorough=0.1)
