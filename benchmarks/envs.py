#!/usr/bin/env python3
"""Speed of the environments, beside those of PettingZoo, RLCard and OpenSpiel that are nearest.

    .venv/bin/python benchmarks/envs.py [--seconds 0.25] [--rounds 21] [--no-peers] [--json FILE]

The peers are not dependencies: the benchmark installs them into ``build/peers`` on first use. Everybody is driven
from Python as its users drive it, one decision at a time, by a player that picks one of the allowed actions at
random: ours and PettingZoo's by ``agent_iter``, ``last`` (observation and mask) and ``step``, RLCard's by ``step``,
which hands out the next state with its legal actions, OpenSpiel's by tensor, mask and ``apply_action``. What is
counted are the player's decisions. In Kaluki they are the small ones that a meld is put together of; with this
player nine in ten draw, take or discard a card, as in gin rummy. Beginning an episode counts into the time.

All rates are steps per second of one core's CPU time. In every round all subjects play one after the other for a
short while, so whatever slows the machine down slows all of them; a ratio is the median of the rounds' ratios.
"""

from __future__ import annotations

import argparse
import importlib
import json
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import meja.envs.gymnasium
from meja.envs.core import Options
from meja.envs.vector import Backend, Sessions, VectorDeals, fastest
from meja.envs.vector_tricks import plays
from meja.games import games, make_rules

PEERS = Path(__file__).parent.parent / "build" / "peers"
#: The packages of the peers; what they need beside numpy stands here too, so that nothing else comes along.
PACKAGES = {"pyspiel": ["open_spiel"], "rlcard": ["rlcard", "termcolor"], "pygame": ["pygame-ce"]}
#: How many episodes the vectorised environment plays side by side.
ROWS = 64

#: How many items of play lie between two looks at the clock.
BETWEEN_LOOKS = 50

#: Endless play: every item is a number of steps that were taken.
Play = Iterator[int]


def pettingzoo_play(env: Any) -> Play:
    """An AEC environment with the mask in the observation, by its own loop."""
    choose = random.Random(1).random
    env.reset(seed=1)
    while True:
        for _ in env.agent_iter():
            seen, _, ended, cut, _ = env.last()
            if ended or cut:
                env.step(None)
                continue
            allowed = seen["action_mask"].nonzero()[0]
            env.step(int(allowed[int(choose() * len(allowed))]))
            yield 1
        env.reset()


def gymnasium_play(env: Any) -> Play:
    """A Gymnasium environment with the mask in the info; the other seats act at random too."""
    choose = random.Random(1).random
    _, info = env.reset(seed=1)
    while True:
        allowed = info["action_mask"].nonzero()[0]
        _, _, ended, cut, info = env.step(int(allowed[int(choose() * len(allowed))]))
        yield 1
        if ended or cut:
            _, info = env.reset()


def vector_play(name: str, backend: Callable[[Options, int], Backend]) -> Play:
    """Many deals side by side."""
    options = Options(make_rules(name))
    deals = VectorDeals(options, ROWS, 1, backend(options, ROWS))
    rng = np.random.default_rng(1)
    while True:
        deals.observe()
        masks = deals.masks()
        deals.step((rng.random(masks.shape) * masks).argmax(1))
        yield ROWS


def rlcard_play(env: Any) -> Play:
    """An RLCard environment by its ``reset`` and ``step``."""
    choose = random.Random(1).random
    while True:
        state, _ = env.reset()
        while not env.is_over():
            allowed = list(state["legal_actions"])
            state, _ = env.step(allowed[int(choose() * len(allowed))])
            yield 1
        env.get_payoffs()


def spiel_play(game: Any) -> Play:
    """An OpenSpiel game: tensor, mask and action of the player to act; chance is not counted as a step."""
    choose = random.Random(1).random
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(choose() * len(outcomes))][0])
                continue
            player = state.current_player()
            np.asarray(state.observation_tensor(player), dtype=np.float32)
            allowed = np.flatnonzero(state.legal_actions_mask(player))
            state.apply_action(int(allowed[int(choose() * len(allowed))]))
            yield 1
        state.returns()


def peer(module: str) -> Any:
    """A peer's module, installed into ``build/peers`` if need be; ``None`` where it cannot be had."""
    if str(PEERS) not in sys.path:
        sys.path.append(str(PEERS))
    try:
        return importlib.import_module(module)
    except ImportError:
        wanted = PACKAGES[module]
        print(f"installing {', '.join(wanted)} into build/peers ...", file=sys.stderr)
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(PEERS)]
        if module != "pyspiel":
            command.append("--no-deps")
        if subprocess.run([*command, *wanted], check=False).returncode:
            return None
        importlib.invalidate_caches()
        return importlib.import_module(module)


def peers() -> dict[str, Play]:
    """The environments of others."""
    found: dict[str, Play] = {}
    rlcard = peer("rlcard")
    if rlcard is not None and peer("pygame") is not None:
        for name in ("leduc_holdem_v4", "texas_holdem_v4"):
            module = importlib.import_module(f"pettingzoo.classic.{name}")
            found[f"PettingZoo {name}"] = pettingzoo_play(module.env())
    if rlcard is not None:
        found["RLCard gin-rummy"] = rlcard_play(rlcard.make("gin-rummy"))
    spiel = peer("pyspiel")
    if spiel is not None:
        found["OpenSpiel gin_rummy"] = spiel_play(spiel.load_game("gin_rummy"))
    return found


def ours() -> dict[str, Play]:
    """Our environments, with the standard rules."""
    found: dict[str, Play] = {}
    for name in games():
        module = importlib.import_module(f"meja.envs.pettingzoo.{name}_v0")
        found[f"{name}_v0 (PettingZoo)"] = pettingzoo_play(module.env())
    for name in games():
        made = gymnasium.make(meja.envs.gymnasium.environment_id(name), bots="random", disable_env_checker=True)
        found[f"{made.spec.id if made.spec else name} (Gymnasium)"] = gymnasium_play(made)
    for name in games():
        found[f"{name}, {ROWS} side by side"] = vector_play(name, fastest)
    for name in games():
        if plays(make_rules(name)):
            found[f"{name}, {ROWS} sessions"] = vector_play(name, Sessions)
    return found


def rate(play: Play, seconds: float) -> float:
    """Steps per second of CPU time."""
    count = 0
    began = time.process_time()
    while True:
        # To read the clock takes some microseconds: at every step it would count as a good part of the fast ones.
        for _ in range(BETWEEN_LOOKS):
            count += next(play)
        passed = time.process_time() - began
        if passed >= seconds:
            return count / passed


#: Ours, the peer, and how many times as fast ours is to be at least.
GOALS: list[tuple[str, str, float | None]] = [
    ("bassadewitz_v0 (PettingZoo)", "PettingZoo texas_holdem_v4", 1),
    ("calabresella_v0 (PettingZoo)", "PettingZoo texas_holdem_v4", 1),
    ("smear_v0 (PettingZoo)", "PettingZoo texas_holdem_v4", 1),
    ("kaluki_v0 (PettingZoo)", "RLCard gin-rummy", 3),
    ("kaluki_v0 (PettingZoo)", "PettingZoo texas_holdem_v4", None),
    ("kaluki_v0 (PettingZoo)", "OpenSpiel gin_rummy", None),
    ("bassadewitz_v0 (PettingZoo)", "PettingZoo leduc_holdem_v4", None),
    # The kernels against Python's own sessions; compiled (script/compile) these are to be met.
    *((f"{name}, {ROWS} side by side", f"{name}, {ROWS} sessions", 5) for name in games() if plays(make_rules(name))),
]


def main() -> int:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=0.25)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if args.rounds < 2:
        parser.error("at least two rounds are needed")

    subjects = {} if args.no_peers else peers()
    subjects.update(ours())
    rates: dict[str, list[float]] = {name: [] for name in subjects}
    for play in subjects.values():
        rate(play, max(1.0, args.seconds))  # to warm up
    for turn in range(args.rounds):
        for name, play in subjects.items():
            rates[name].append(rate(play, args.seconds))
        print(f"round {turn + 1} of {args.rounds}", file=sys.stderr)
    medians = {name: statistics.median(values) for name, values in rates.items()}

    print(f"Python {platform.python_version()}, {platform.machine()}, CPU time of one core, "
          f"median of {args.rounds} rounds of {args.seconds} s, interleaved; +- half of the middle half")  # fmt: skip
    for name, value in medians.items():
        low, _, high = statistics.quantiles(rates[name], n=4)
        spread = (high - low) / value / 2
        print(f"{name:40} {value:10,.0f} steps/s {1e6 / value:8,.1f} us   +-{spread:.0%}")
    print()
    for mine, theirs, least in GOALS:
        if theirs in medians:
            goal = "" if least is None else f"   (goal: at least {least:g})"
            ratios = [one / other for one, other in zip(rates[mine], rates[theirs], strict=True)]
            low, middle, high = statistics.quantiles(ratios, n=4)
            print(f"{mine} / {theirs}: {middle:.2f} ({low:.2f} to {high:.2f}){goal}")
    if args.json:
        args.json.write_text(json.dumps({"rates": rates, "medians": medians}, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
