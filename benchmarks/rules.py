#!/usr/bin/env python3
"""Speed of the rules in plain Python, beside OpenSpiel's C++ games driven from Python.

    .venv/bin/python benchmarks/rules.py [--seconds 1.0] [--rounds 5] [--no-peers] [--json FILE]

OpenSpiel is not a dependency: the benchmark installs it into ``build/peers`` on first use.
All rates are of one core's CPU time; the rounds of all subjects are interleaved, and the
median of the rounds counts, so that ratios are of one and the same run.
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
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from greedy_kaluki import greedy

from meja.arena import play_match
from meja.bots import RULES_OF_THUMB, Budget, make_bot
from meja.cards import Rng
from meja.deal import Deal
from meja.games import game, make_rules
from meja.record import dumps, loads

PEERS = Path(__file__).parent.parent / "build" / "peers"
TRICK_GAMES = ("bassadewitz", "calabresella", "smear")


def random_deal(name: str, rng: Rng) -> Callable[[], object]:
    """One whole deal by random legal actions: shuffle, deal, legal list, choice, action."""
    rules = make_rules(name)
    made = game(name).deal
    # Both sides choose with Python's own generator, so that the games are compared and not the dice.
    choose = random.Random(1).random

    def play() -> None:
        deal = made.shuffle(rules, 0, rng)
        while deal.to_act is not None:
            legal = deal.legal_actions()
            deal.advance(legal[int(choose() * len(legal))])

    return play


def greedy_deal(rng: Rng) -> Callable[[], object]:
    """One whole deal of Kaluki for two by the greedy player, on the deal itself."""
    rules = make_rules("kaluki", 2)
    made = game("kaluki").deal

    def play() -> None:
        deal: Any = made.shuffle(rules, 0, rng)
        while deal.to_act is not None:
            deal.advance(greedy(deal))

    return play


def bot_deal(name: str, seats: int, rng: Rng) -> Callable[[], object]:
    """One whole deal by rules of thumb, each seat through its view, every action checked."""
    rules = make_rules(name, seats)
    made = game(name).deal
    bot = make_bot(RULES_OF_THUMB, name)
    budget = Budget()

    def play() -> None:
        deal = made.shuffle(rules, 0, rng)
        while deal.to_act is not None:
            deal.apply(bot.act(deal.view(deal.to_act), budget))

    return play


def midway(name: str, seed: int) -> Deal[Any]:
    """A deal about half played by rules of thumb."""
    bot = make_bot(RULES_OF_THUMB, name)
    rng = Rng(seed)
    while True:
        deal = game(name).deal.shuffle(make_rules(name), 0, rng)
        size = sum(map(len, deal.layout().hands))
        for _ in range(size // 2):
            if deal.to_act is not None:
                deal.advance(bot.act(deal.view(deal.to_act), Budget()))
        if deal.to_act is not None and len(deal.actions()) >= size // 3:
            return deal


def over_positions(name: str, act: Callable[[Deal[Any]], object]) -> Callable[[], object]:
    """Do something to one of 20 half-played deals in turn."""
    deals = [midway(name, seed) for seed in range(20)]
    place = iter(range(1 << 60))
    return lambda: act(deals[next(place) % 20])


def record_load(name: str) -> Callable[[], object]:
    """Read and check one whole match."""
    text = dumps(play_match(make_rules(name), [RULES_OF_THUMB] * make_rules(name).seats, 1))
    return lambda: loads(text)


def peer_deal(spiel: Any, name: str, rng: random.Random) -> Callable[[], object]:
    """One deal of an OpenSpiel game by random legal actions, driven from Python."""
    made = spiel.load_game(name)
    choose = rng.random

    def play() -> None:
        state = made.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(choose() * len(outcomes))][0])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(choose() * len(legal))])

    return play


def open_spiel() -> Any:
    """OpenSpiel, installed into ``build/peers`` if need be; ``None`` where it cannot be had."""
    sys.path.append(str(PEERS))
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        print("installing open_spiel into build/peers ...", file=sys.stderr)
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(PEERS), "open_spiel"]
        if subprocess.run(command, check=False).returncode:
            return None
        importlib.invalidate_caches()
        return importlib.import_module("pyspiel")


def rate(subject: Callable[[], object], seconds: float) -> float:
    """How often a second of CPU time the subject runs."""
    count = 0
    began = time.process_time()
    while True:
        subject()
        count += 1
        passed = time.process_time() - began
        if passed >= seconds:
            return count / passed


def main() -> int:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()

    subjects: dict[str, Callable[[], object]] = {}
    spiel = None if args.no_peers else open_spiel()
    if spiel is not None:
        for name in ("hearts", "euchre", "gin_rummy"):
            subjects[f"OpenSpiel {name}: random deals"] = peer_deal(spiel, name, random.Random(1))
    for name in TRICK_GAMES:
        subjects[f"{name}: random deals"] = random_deal(name, Rng(1))
    subjects["kaluki: greedy deals, 2 players"] = greedy_deal(Rng(1))
    for name, seats in (("bassadewitz", 4), ("calabresella", 3), ("smear", 3), ("kaluki", 2), ("kaluki", 4)):
        subjects[f"{name}: bot deals, {seats} players"] = bot_deal(name, seats, Rng(1))
    rng = Rng(5)
    for name in (*TRICK_GAMES, "kaluki"):
        subjects[f"{name}: clone"] = over_positions(name, lambda deal: deal.clone())
        subjects[f"{name}: view"] = over_positions(name, lambda deal: deal.view(deal.to_act))
        subjects[f"{name}: determinize"] = over_positions(name, lambda deal: deal.determinize(deal.to_act, rng))
        subjects[f"{name}: record load, a match"] = record_load(name)

    rates: dict[str, list[float]] = {name: [] for name in subjects}
    for turn in range(args.rounds):
        for name, subject in subjects.items():
            rates[name].append(rate(subject, args.seconds))
        print(f"round {turn + 1} of {args.rounds}", file=sys.stderr)
    medians = {name: statistics.median(values) for name, values in rates.items()}

    print(f"Python {platform.python_version()}, {platform.machine()}, CPU time of one core, "
          f"median of {args.rounds} rounds of {args.seconds} s, interleaved")  # fmt: skip
    for name, value in medians.items():
        spread = (max(rates[name]) - min(rates[name])) / value / 2
        print(f"{name:40} {value:12,.0f} /s {1e6 / value:12,.1f} us   +-{spread:.0%}")
    if spiel is not None:
        print()
        for ours, theirs, least in (
            ("bassadewitz: random deals", "OpenSpiel hearts: random deals", 3),
            ("smear: random deals", "OpenSpiel euchre: random deals", None),
            ("calabresella: random deals", "OpenSpiel hearts: random deals", None),
            ("kaluki: greedy deals, 2 players", "OpenSpiel gin_rummy: random deals", 3),
            ("kaluki: bot deals, 2 players", "OpenSpiel gin_rummy: random deals", None),
        ):
            goal = "" if least is None else f"   (goal: at least {least})"
            print(f"{ours} / {theirs}: {medians[ours] / medians[theirs]:.2f}{goal}")
    if args.json:
        args.json.write_text(json.dumps({"rates": rates, "medians": medians}, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
