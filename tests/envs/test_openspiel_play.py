"""OpenSpiel's algorithms and Shimmy's wrapper on the OpenSpiel games."""

from __future__ import annotations

import warnings
from math import sqrt
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import (
    exploitability,
    external_sampling_mccfr,
    ismcts,
    mcts,
    outcome_sampling_mccfr,
)
from pettingzoo.test.api_test import api_test
from shimmy import OpenSpielCompatibilityV0
from tests.envs.reduced import SMALL
from tests.envs.spiel_walks import advance, busy, drawn, forced, load
from tests.envs.walks import eager

import meja.envs.pettingzoo.bassadewitz_v0
import meja.envs.pettingzoo.calabresella_v0
import meja.envs.pettingzoo.kaluki_v0
import meja.envs.pettingzoo.smear_v0
from meja.cards import Rng
from meja.games import games

# -- search ------------------------------------------------------------------------------


def searcher(game: Any, seed: int, simulations: int, worlds: int = -1) -> Any:
    chance = np.random.RandomState(seed)
    return ismcts.ISMCTSBot(
        game,
        mcts.RandomRolloutEvaluator(n_rollouts=1, random_state=chance),
        uct_c=2.0,
        max_simulations=simulations,
        max_world_samples=worlds,
        random_state=chance,
    )


def resampling(seed: int) -> Any:
    """Left to itself the bot draws its worlds without a seed, and no run is like the last."""
    sampler = pyspiel.UniformProbabilitySampler(seed, 0.0, 1.0)
    return lambda of, seat: of.resample_from_infostate(seat, sampler)


@pytest.mark.parametrize("name", games())
def test_ismcts_runs_by_the_state_itself_and_by_a_resampler(name: str) -> None:
    """It stops with an error where a text of one seat's knowledge stands for several sets of choices."""
    game = load(name, zero_sum=True)
    rng = Rng(5)
    state = forced(game, [], 4)
    for _ in range(12 if name == "kaluki" else 6):
        advance(state, rng, busy)
    while state.is_chance_node() or len(state.legal_actions()) < 2:
        advance(state, rng, busy)
    simulations = 12 if name == "kaluki" else 60
    before = str(state), state.history()
    bot = searcher(game, 1, simulations)
    probabilities, action = bot.step_with_policy(state)
    assert action in state.legal_actions()
    assert {number for number, _ in probabilities} == set(state.legal_actions())
    assert sum(number for _, number in probabilities) == pytest.approx(1)
    asked = []

    def resampler(of: Any, seat: int) -> Any:
        asked.append(seat)
        return of.resample_from_infostate(seat, pyspiel.UniformProbabilitySampler(0.0, 1.0))

    bot = searcher(game, 2, simulations, worlds=5)
    bot.set_resampler(resampler)
    assert bot.step(state) in state.legal_actions()
    assert asked == [state.current_player()] * 5
    assert (str(state), state.history()) == before


def test_ismcts_beats_random_play(long: bool) -> None:
    """Every deal twice, with the seats changed, so that the cards make no difference."""
    game = load("smear", players=2, zero_sum=True)
    deals, simulations = (150, 80) if long else (60, 24)
    rng, scores = Rng(9), []
    for number in range(deals):
        dealt_state = game.new_initial_state()
        while dealt_state.is_chance_node():
            dealt_state.apply_action(drawn(dealt_state, rng))
        score = 0.0
        for seat in range(2):
            bot, state = searcher(game, number, simulations), dealt_state.clone()
            bot.set_resampler(resampling(number))
            while not state.is_terminal():
                mine = state.current_player() == seat
                state.apply_action(int(bot.step(state)) if mine else rng.choice(state.legal_actions()))
            score += state.returns()[seat]
        scores.append(score / 2)
    mean, spread = float(np.mean(scores)), float(np.std(scores, ddof=1))
    print(f"ISMCTS against random play: {mean:.3f} a deal, {mean / (spread / sqrt(deals)):.1f} sigma")
    assert mean > 3 * spread / sqrt(deals)


# -- learning ------------------------------------------------------------------------------

#: How many iterations of external sampling bring NashConv down for certain.
ITERATIONS = {"bassadewitz": 200, "calabresella": 40, "kaluki": 40, "smear": 60}


def falls(game: Any, solver: Any, iterations: int, share: float) -> None:
    start = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    for _ in range(iterations):
        solver.iteration()
    end = exploitability.nash_conv(game, solver.average_policy())
    print(f"NashConv of {game}: {start:.3f}, after {iterations} iterations {end:.3f}")
    assert -1e-9 < end < share * start, (start, end)


@pytest.mark.parametrize("name", games())
def test_external_sampling_lowers_nashconv(name: str, long: bool) -> None:
    game = pyspiel.load_game(SMALL[name].short_name())
    np.random.seed(1)
    solver = external_sampling_mccfr.ExternalSamplingSolver(game, external_sampling_mccfr.AverageType.SIMPLE)
    falls(game, solver, ITERATIONS[name] * (20 if long else 1), 0.2 if long else 0.8)


@pytest.mark.parametrize(
    "name",
    ["bassadewitz", *(pytest.param(name, marks=pytest.mark.long) for name in ("calabresella", "kaluki", "smear"))],
)
def test_outcome_sampling_lowers_nashconv(name: str, long: bool) -> None:
    game = pyspiel.load_game(SMALL[name].short_name())
    np.random.seed(1)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    falls(game, solver, 10000 if long else 600, 0.3 if long else 0.9)


def test_the_solver_of_openspiels_core_runs_too() -> None:
    game = pyspiel.load_game(SMALL["smear"].short_name())
    solver = pyspiel.ExternalSamplingMCCFRSolver(game, 3, pyspiel.MCCFRAverageType.SIMPLE)
    for _ in range(30):
        solver.run_iteration()
    state = game.new_initial_state()
    rng = Rng(1)
    while state.is_chance_node():
        state.apply_action(drawn(state, rng))
    probabilities = solver.average_policy().action_probabilities(state)
    assert set(probabilities) == set(state.legal_actions())


# -- Shimmy ------------------------------------------------------------------------------------


class Patient(OpenSpielCompatibilityV0):  # type: ignore[misc]
    """The wrapper without its fault of counting chance as moves, which cuts short what deals many cards."""

    game_length: int

    def _execute_chance_node(self) -> None:
        length = self.game_length
        super()._execute_chance_node()
        self.game_length = length


@pytest.mark.parametrize("made", [OpenSpielCompatibilityV0, Patient])
@pytest.mark.parametrize("name", games())
def test_shimmys_wrapper_stands_pettingzoos_test(name: str, made: Any, long: bool) -> None:
    env = made(env=load(name))
    with warnings.catch_warnings():
        # Of the wrapper's own: its boxes have no bounds.
        warnings.simplefilter("ignore")
        api_test(env, num_cycles=1000 if long else 60)  # type: ignore[no-untyped-call]


class Fed(OpenSpielCompatibilityV0):  # type: ignore[misc]
    """The wrapper with chance as it is told."""

    outcomes: list[int]

    def _execute_chance_node(self) -> None:
        while self.game_state.is_chance_node():
            self.game_state.apply_action(self.outcomes.pop(0))


def dealt(deal: Any) -> list[int]:
    """The order of the pack in which a deal was dealt (of many: cards of a hand may change places)."""
    made = type(deal)
    size = len(made.pack(deal.rules))
    places, cards = made.lay_out(deal.rules, deal.dealer, tuple(range(size))), deal.layout()
    found: dict[int, int] = {}
    for where, what in [
        *zip(places.hands, cards.hands, strict=True),
        (places.monte, cards.monte),
        (places.stock, cards.stock),
        ((), ()) if cards.upcard is None else ((places.upcard,), (cards.upcard,)),
    ]:
        found.update(zip(where, what, strict=True))
    return [found[place] for place in sorted(found)]


@pytest.mark.parametrize(
    ("name", "rules", "more"),
    [
        ("bassadewitz", {"players": 5}, {}),
        ("bassadewitz", {"options": "deals=4"}, {"episode": "match", "reward": "score"}),
        ("smear", {}, {"zero_sum": True}),
        ("smear", {"players": 2, "options": "target=7"}, {"episode": "match", "reward": "rank"}),
        ("smear", {"options": "target=7 win=bidder_first"}, {"episode": "match"}),
        ("calabresella", {"preset": "trad"}, {"reward": "rank"}),
        ("calabresella", {"players": 4, "options": "deals=4"}, {"episode": "match"}),
        ("kaluki", {}, {}),
        ("kaluki", {"players": 3, "preset": "kalooki40"}, {"zero_sum": True}),
        ("kaluki", {"options": "opening=total ace=11"}, {"reward": "rank"}),
        # With four and a hundred points to open from a single meld the stock is used up.
        ("kaluki", {"players": 4, "preset": "hard"}, {}),
    ],
    ids=str,
)
def test_our_environment_and_shimmys_give_the_same_numbers(
    name: str, rules: dict[str, Any], more: dict[str, Any], long: bool
) -> None:
    reshuffles = [same_numbers(name, rules, more, seed) for seed in range(10 if long else 1)]
    assert any(reshuffles) or rules.get("players") != 4 or name != "kaluki"


def same_numbers(name: str, rules: dict[str, Any], more: dict[str, Any], seed: int) -> int:
    """Play an episode in both; returns how often the pile was reshuffled in the last deal."""
    config = {**rules, **more}
    made = load(name, **config)
    module = getattr(meja.envs.pettingzoo, f"{name}_v0")
    ours = module.env(rules=made.options.rules, mask_in="info", **more)
    ours.reset(seed=seed)
    session = ours.session
    theirs = Fed(game_name=f"python_meja_{name}", config=config)
    theirs.outcomes = [session.match.dealer, *dealt(session.deal)]
    theirs.reset(seed=0)
    rng, paid, steps = Rng(seed), dict.fromkeys(ours.possible_agents, 0.0), 0
    while session.to_act is not None:
        steps += 1
        agent = ours.agent_selection
        assert theirs.agent_selection == agent
        for other in ours.possible_agents:
            assert np.array_equal(ours.infos[other]["action_mask"], theirs.infos[other]["action_mask"])
        if steps % 7 == 0:
            for other in ours.possible_agents:
                assert np.array_equal(ours.observe(other), theirs.observe(other).astype(np.float32))
        number = eager(session, rng)
        deal, number_of_deals = session.deal, len(session.match.deals)
        before = len(deal.reshuffles())
        ours.step(number)
        for order in deal.reshuffles()[before:]:
            theirs.outcomes += order
        if len(session.match.deals) > number_of_deals and session.to_act is not None:
            theirs.outcomes += dealt(session.deal)
        theirs.step(number)
        assert not theirs.outcomes
        for other in ours.possible_agents:
            paid[other] += ours.rewards[other]
    # OpenSpiel knows no truncation: to be cut off is an end like any other.
    assert all(ours.terminations.values()) or session.truncated
    assert all(theirs.terminations.values())
    assert theirs.rewards == pytest.approx(paid)
    assert any(paid.values()) or session.match.deals[-1].void
    return len(session.match.deals[-1].reshuffles())
