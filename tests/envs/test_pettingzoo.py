"""The PettingZoo environments: its own suites, and what they do not ask for."""

from __future__ import annotations

import copy
import importlib
import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo import AECEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import TerminateIllegalWrapper
from tests.envs.walks import MIXES, PRESETS

from meja.cards import Rng
from meja.envs.core import Options, Session
from meja.errors import GameOver, MejaError, RulesError
from meja.games import games, make_rules
from meja.rules import Rules

#: PettingZoo has no type hints there.
suite: Any = importlib.import_module("pettingzoo.test")

#: What api_test says of every environment whose observations are dictionaries, but for those it knows by name.
ABOUT_DICTIONARIES = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}


def module(name: str) -> Any:
    return importlib.import_module(f"meja.envs.pettingzoo.{name}_v0")


def choose(env: Any, rng: Rng) -> int | None:
    """An allowed action of the agent that is selected, or ``None`` for one that is done."""
    seen, _, ended, cut, info = env.last()
    if ended or cut:
        return None
    mask = seen["action_mask"] if isinstance(seen, dict) else info["action_mask"]
    return int(rng.choice(np.flatnonzero(mask)))


# -- PettingZoo's own suites ------------------------------------------------------


@pytest.mark.parametrize("name", games())
def test_pettingzoo_finds_nothing_to_warn_of(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        suite.api_test(module(name).env(mask_in="info"), num_cycles=300)
        suite.api_test(module(name).raw_env(mask_in="info", episode="match", reward="rank"), num_cycles=100)
    assert capsys.readouterr().out.count("Passed API test") == 2


@pytest.mark.parametrize("name", games())
def test_with_the_mask_in_the_observation_pettingzoo_warns_of_dictionaries_only(name: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        suite.api_test(module(name).env(), num_cycles=300)
    assert {str(warning.message) for warning in caught} == ABOUT_DICTIONARIES


@pytest.mark.parametrize("rules", [*PRESETS, *MIXES[::6]], ids=str)
def test_every_preset_and_number_of_seats_passes(rules: Rules) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        suite.api_test(module(rules.game).env(rules=rules, mask_in="info", zero_sum=True), num_cycles=40)


@pytest.mark.parametrize("mask_in", ["obs", "info"])
@pytest.mark.parametrize("name", games())
def test_two_environments_with_one_seed_are_the_same(name: str, mask_in: str) -> None:
    suite.seed_test(lambda: module(name).env(mask_in=mask_in), num_cycles=200)


@pytest.mark.parametrize("name", games())
def test_rendering_is_as_pettingzoo_wants_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    suite.render_test(module(name).env)
    assert "is to act." in capsys.readouterr().out


@pytest.mark.parametrize("name", games())
def test_the_benchmark_of_pettingzoo_runs(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measured = importlib.import_module("pettingzoo.test.performance_benchmark")
    # It runs five seconds by the clock, and looks at it once in every round.
    clock = iter(range(1 << 30))
    monkeypatch.setattr(measured.time, "time", lambda: next(clock))
    measured.performance_benchmark(module(name).env())
    assert "turns per second" in capsys.readouterr().out


@pytest.mark.parametrize("mask_in", ["obs", "info"])
def test_its_wrapper_for_illegal_actions_fits(mask_in: str) -> None:
    env: Any = TerminateIllegalWrapper(module("smear").env(mask_in=mask_in), illegal_reward=-9)
    env.reset(seed=1)
    agent = env.agent_selection
    env.observe(agent)
    env.step(56)
    assert env.rewards[agent] == -9
    assert all(env.terminations.values())
    for _ in env.agent_iter():
        env.step(None)
    assert env.agents == []
    # Without anything illegal it changes nothing.
    plain = module("smear").env(mask_in=mask_in)
    env.reset(seed=1)
    plain.reset(seed=1)
    one, two = Rng(4), Rng(4)
    while plain.agents:
        assert env.agent_selection == plain.agent_selection
        env.step(choose(env, one))
        plain.step(choose(plain, two))
    assert env.agents == []


def test_it_can_be_turned_into_a_parallel_environment() -> None:
    env: Any = turn_based_aec_to_parallel(module("bassadewitz").env())
    seen, _ = env.reset(seed=3)
    rng, total = Rng(1), dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        active = [agent for agent in env.agents if seen[agent]["action_mask"].any()]
        assert len(active) == 1
        action = int(rng.choice(np.flatnonzero(seen[active[0]]["action_mask"])))
        seen, rewards, *_ = env.step({agent: action if agent == active[0] else None for agent in env.agents})
        for agent, reward in rewards.items():
            total[agent] += reward
    assert sorted(total.values()) in ([-5, -4, -3, 0], [-4, -4, -4, 0], [0, 4, 4, 4], [0, 0, 0, 0])


# -- what they do not ask for -----------------------------------------------------


@pytest.mark.parametrize("name", games())
def test_the_form_of_an_environment(name: str) -> None:
    env: Any = module(name).env()
    assert issubclass(type(env), AECEnv)
    assert env.metadata["name"] == f"{name}_v0" == str(env)
    assert env.metadata["render_modes"] == ["human", "ansi"]
    assert env.metadata["is_parallelizable"] is False
    assert env.possible_agents == [f"player_{seat}" for seat in range(make_rules(name).seats)]
    codes = env.session.codes
    for agent in env.possible_agents:
        space = env.observation_space(agent)
        assert space is env.observation_space(agent)
        assert space["observation"].shape == (codes.size,)
        assert space["observation"].dtype == np.float32
        assert space["action_mask"].shape == (codes.actions,)
        assert space["action_mask"].dtype == np.int8
        assert env.action_space(agent) is env.action_space(agent)
        assert env.action_space(agent).n == codes.actions


@pytest.mark.parametrize("mask_in", ["obs", "info"])
@pytest.mark.parametrize("name", games())
def test_agents_get_the_numbers_of_the_session(name: str, mask_in: str) -> None:
    env = module(name).env(mask_in=mask_in, reward="score", episode="match")
    made = Session(Options(make_rules(name), "match", "score"))
    env.reset(seed=8)
    made.reset(8)
    rng, total = Rng(2), dict.fromkeys(env.agents, 0.0)
    for _ in range(400):
        if made.to_act is None:
            break
        assert env.agent_selection == f"player_{made.to_act}"
        for seat, agent in enumerate(env.agents):
            seen = env.observe(agent)
            vector, mask = (
                (seen["observation"], seen["action_mask"])
                if mask_in == "obs"
                else (seen, env.infos[agent]["action_mask"])
            )
            assert vector.tobytes() == made.observe(seat).tobytes()
            assert mask.tobytes() == made.mask(seat).tobytes()
            assert mask.any() == (seat == made.to_act)
        action = rng.choice(made.ids())
        env.step(np.int64(action))
        paid = made.step(action)
        assert tuple(env.rewards[agent] for agent in env.possible_agents) == paid
        for agent, reward in env.rewards.items():
            total[agent] += reward
        assert list(total.values()) == list(made.returns)


@pytest.mark.parametrize("name", games())
def test_what_an_agent_is_given_in_all_is_its_return(name: str) -> None:
    env = module(name).env()
    for seed in range(3):
        env.reset(seed=seed)
        rng, given = Rng(seed), dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            given[agent] += env.last()[1]
            env.step(choose(env, rng))
        assert list(given.values()) == list(env.session.returns)
        assert env.agents == []


def test_everybody_is_told_of_the_end_though_one_may_have_no_cards() -> None:
    # With four players of Calabresella the dealer has no cards and never acts.
    env = module("calabresella").env(seats=4, dealer_sits_out=True)
    env.reset(seed=2, options={"dealer": 2})
    acted: set[str] = set()
    told: list[str] = []
    rng = Rng(1)
    for agent in env.agent_iter():
        action = choose(env, rng)
        (told.append if action is None else acted.add)(agent)
        env.step(action)
    assert acted == {"player_0", "player_1", "player_3"}
    assert told == env.possible_agents


def test_a_match_that_is_cut_off_is_truncated_and_not_terminated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meja.envs.core.MOST_DEALS", 2)
    env = module("smear").env(episode="match")
    env.reset(seed=1)
    rng = Rng(1)
    while not any(env.truncations.values()):
        assert not any(env.terminations.values())
        env.step(choose(env, rng))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


def test_without_a_seed_the_next_episode_is_another_one() -> None:
    env = module("smear").env()
    env.reset(seed=5)
    first = env.session.seed
    env.reset()
    second = env.session.seed
    assert first == 5 != second
    env.reset(seed=5)
    env.reset()
    assert env.session.seed == second


@pytest.mark.parametrize("mask_in", ["obs", "info"])
def test_arrays_that_were_handed_out_are_not_used_again(mask_in: str) -> None:
    env = module("kaluki").env(mask_in=mask_in)
    env.reset(seed=1)
    kept: list[tuple[Any, Any]] = []
    rng = Rng(3)
    for agent in env.agent_iter(40):
        seen, *_, info = env.last()
        arrays = [seen, info["action_mask"]] if mask_in == "info" else list(seen.values())
        for array in arrays:
            assert not any(np.shares_memory(array, other) for other, _ in kept)
        kept += [(array, array.copy()) for array in arrays]
        env.step(choose(env, rng))
        assert agent in env.possible_agents
    assert all((array == copied).all() for array, copied in kept)


def test_an_environment_can_be_copied_and_pickled() -> None:
    env = module("kaluki").env()
    env.reset(seed=4)
    rng = Rng(1)
    for _ in range(15):
        env.step(choose(env, rng))
    ends = []
    for each in (env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        rng = Rng(2)
        while each.agents:
            each.step(choose(each, rng))
        ends.append((each.session.returns, each.session.deal.actions()))
    assert ends[0] == ends[1] == ends[2]


# -- words ------------------------------------------------------------------------


@pytest.mark.parametrize("name", games())
def test_what_is_shown_is_what_a_spectator_may_know(name: str) -> None:
    for seed in range(3):
        env = module(name).env(render_mode="ansi", episode="match" if seed else "deal")
        env.reset(seed=seed)
        rng = Rng(seed)
        for step in range(120):
            if env.session.to_act is None:
                break
            env.step(choose(env, rng))
            if step % 5 == 0 and env.session.to_act is not None:
                # The same deal with other hidden cards is told in the same words.
                told = env.render()
                world = copy.deepcopy(env)
                deal = world.session.match.deal
                world.session.match.deal = deal.determinize(None, rng)
                world.session._views = {}
                assert world.render() == told


def test_what_happened_is_told() -> None:
    env = module("smear").env(render_mode="ansi")
    env.reset(seed=3)
    assert env.render().endswith(f"{env.agent_selection} is to act.")
    first = env.agent_selection
    env.step(4)
    assert env.render().splitlines()[0] == f"{first} bids 4."
    rng = Rng(1)
    while env.session.to_act is not None:
        env.step(choose(env, rng))
    text = env.render()
    assert "Score of deal 1" in text
    assert "is to act" not in text


def test_human_mode_prints_every_whole_action(capsys: pytest.CaptureFixture[str]) -> None:
    env = module("bassadewitz").env(seats=3, render_mode="human")
    env.reset(seed=1)
    rng = Rng(1)
    while env.agents:
        env.step(choose(env, rng))
    out = capsys.readouterr().out
    assert out.count(" plays ") == 30
    assert out.count("Score of deal 1") == 1
    assert env.render() is None


# -- bad input --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mask_in": "both"}, 'mask_in cannot be "both"; expected one of: obs, info'),
        ({"illegal": "ignore"}, 'illegal cannot be "ignore"; expected one of: raise, end'),
        ({"illegal": "random"}, 'illegal cannot be "random"; expected one of: raise, end'),
        ({"render_mode": "rgb_array"}, 'render_mode cannot be "rgb_array"; expected one of: None, human, ansi'),
        ({"episode": "hand"}, 'episode cannot be "hand"; expected one of: deal, match'),
        ({"reward": "win"}, 'reward cannot be "win"; expected one of: score, points, rank'),
        ({"zero_sum": None}, 'zero_sum cannot be "None"; expected one of: False, True'),
        ({"seats": 9}, "smear is played by 2 or 3 players, not 9"),
        ({"target": 12}, "option target cannot be 12; expected one of: 11, 7, 15, 21"),
        ({"preset": "hard"}, 'smear has no preset "hard"; expected one of: standard'),
    ],
    ids=str,
)
def test_unknown_options_are_named(options: Any, words: str) -> None:
    with pytest.raises(MejaError) as raised:
        module("smear").env(**options)
    assert str(raised.value) == words
    with pytest.raises(RulesError, match='smear has no option "colour"; expected one of: high, low'):
        module("smear").env(colour="red")


def test_before_the_first_reset_there_is_nothing() -> None:
    env = module("smear").env()
    for name in ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents"):
        with pytest.raises(AttributeError, match="after the first reset"):
            getattr(env, name)
    with pytest.raises(AttributeError, match="no attribute 'anything'"):
        env.anything  # noqa: B018
    with pytest.raises(MejaError, match="no episode has begun"):
        env.observe("player_0")
    with pytest.raises(AttributeError, match="after the first reset"):
        env.step(0)


def test_agents_that_are_not_there_are_named() -> None:
    env = module("smear").env()
    env.reset(seed=1)
    for call in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(MejaError, match='no agent "player_3"; expected one of: player_0, player_1, player_2'):
            call("player_3")


@pytest.mark.parametrize("illegal", ["raise", "end"])
@pytest.mark.parametrize("action", [1.5, "pass", None, np.array([1]), np.array([0.5, 0.5]), True], ids=str)
def test_what_is_no_number_is_an_error_always(illegal: str, action: Any) -> None:
    env = module("smear").env(illegal=illegal)
    env.reset(seed=1)
    before = env.observe(env.agent_selection)["observation"].tobytes()
    with pytest.raises(MejaError, match=r"an action is (a|one) whole number"):
        env.step(action)
    assert not any(env.terminations.values())
    assert env.observe(env.agent_selection)["observation"].tobytes() == before


@pytest.mark.parametrize("action", [56, -1, 57, 10_000])
def test_illegal_actions_raise_and_change_nothing(action: int) -> None:
    env = module("smear").env()
    env.reset(seed=1)
    agent = env.agent_selection
    before = env.observe(agent)["action_mask"].tobytes()
    with pytest.raises(
        MejaError, match=f"action 56 .play Ac. is not allowed now|whole number from 0 to 56, not {action}"
    ):
        env.step(action)
    assert env.agent_selection == agent
    assert env.observe(agent)["action_mask"].tobytes() == before
    assert not any(env.rewards.values())


@pytest.mark.parametrize("action", [56, -1, 57, 10_000])
def test_illegal_actions_end_the_episode_to_the_cost_of_the_agent(action: int) -> None:
    env = module("smear").env(illegal="end", render_mode="ansi")
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(action)
    assert env.rewards == {other: -4.0 if other == agent else 0.0 for other in env.possible_agents}
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert env.render().endswith(f"{agent} did what is not allowed.")
    last = [env.last() for _ in env.agent_iter() if env.step(None) is None and env.agents]
    assert env.agents == []
    assert not any(seen["action_mask"].any() for seen, *_ in last)
    env.reset(seed=1)
    assert env.session.offender is None
    assert not any(env.terminations.values())


def test_the_dead_do_nothing_and_after_the_end_nobody_does() -> None:
    env = module("smear").env(seats=2)
    env.reset(seed=1)
    rng = Rng(1)
    while not all(env.terminations.values()):
        env.step(choose(env, rng))
    with pytest.raises(MejaError, match="player_0 is done, so its only action is None"):
        env.step(0)
    assert env.agents == ["player_0", "player_1"]
    env.step(None)
    assert env.agents == ["player_1"]
    assert set(env.rewards) == set(env.infos) == {"player_1"}
    env.step(None)
    assert env.agents == []
    for action in (0, None):
        with pytest.raises(GameOver, match="the episode is over"):
            env.step(action)


def test_rendering_needs_a_mode() -> None:
    env = module("smear").env()
    env.reset(seed=1)
    with pytest.raises(MejaError, match="render_mode ansi or human"):
        env.render()


def test_a_reset_looks_at_the_dealer_and_nothing_else_in_its_options() -> None:
    env = module("kaluki").env(seats=4)
    env.reset(seed=1, options={"dealer": 3, "anything": 1})
    assert env.session.deal.dealer == 3
    with pytest.raises(MejaError, match="dealer must be a seat from 0 to 3"):
        env.reset(seed=1, options={"dealer": 4})
    with pytest.raises(MejaError, match="a seed is a whole number"):
        env.reset(seed=-1)
