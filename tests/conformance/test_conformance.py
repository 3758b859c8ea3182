"""The conformance kit over every game, preset, option and random mix."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meja.cards import Rng
from meja.games import games
from meja.rules import Rules
from meja.testing import all_presets, check_game, random_rules, single_options
from meja.testing.soak import thumb_policy


def thorough(rules: Rules) -> float:
    """The share of decisions checked in full: a deal of Kaluki has ten times as many, each ten times as costly."""
    return 0.01 if rules.game == "kaluki" else 0.15


PRESETS = [rules for name in games() for rules in all_presets(name)]
SINGLES = [rules for name in games() for rules in single_options(name)]


@pytest.mark.parametrize("rules", PRESETS, ids=str)
def test_every_preset_at_every_number_of_seats_keeps_the_contract(rules: Rules, long: bool) -> None:
    report = check_game(rules, deals=60 if long else 2, seed=1, thorough=2 * thorough(rules))
    assert report.worlds > 0


@pytest.mark.parametrize("rules", PRESETS, ids=str)
def test_rules_of_thumb_keep_the_contract_in_every_preset(rules: Rules, long: bool) -> None:
    policy = thumb_policy(rules.game)
    check_game(rules, deals=60 if long else 2, seed=2, policy=policy, thorough=2 * thorough(rules))


@pytest.mark.parametrize("rules", SINGLES, ids=str)
def test_every_option_alone_keeps_the_contract(rules: Rules, long: bool) -> None:
    policy = thumb_policy(rules.game)
    check_game(rules, deals=20 if long else 1, seed=3, policy=policy, thorough=thorough(rules))


@pytest.mark.parametrize("name", games())
def test_random_option_mixes_keep_the_contract(name: str, long: bool) -> None:
    # Many examples of the trick games cost as much as few of Kaluki.
    examples = (10 if name == "kaluki" else 60) * (40 if long else 1)

    @settings(max_examples=examples)
    @given(seed=st.integers(0, 2**64))
    def mixes(seed: int) -> None:
        rng = Rng(seed)
        rules = random_rules(name, rng)
        if rng.below(2):
            check_game(rules, deals=1, seed=seed, thorough=thorough(rules))
        else:
            check_game(rules, deals=1, seed=seed, policy=thumb_policy(name), thorough=thorough(rules))

    mixes()
