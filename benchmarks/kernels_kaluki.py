#!/usr/bin/env python3
"""Speed of Kaluki's kernels: the meld finder, whole deals, worlds; beside OpenSpiel's gin rummy with its C++ bots.

    .venv/bin/python benchmarks/kernels_kaluki.py [--seconds 1.0] [--rounds 5] [--json FILE]

Rates are of one core's CPU time. The rounds of all subjects are interleaved and the median of the rounds counts, so
that ratios are of one and the same run. Means of the meld finder are of random hands, each looked at once, in the
kernel with the drawing of the hand; the 99th percentile is of single hands, each solved 20 times through one call.
OpenSpiel's part is left out where it is not installed.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from meja.cards import Rng
from meja.deal import Chance
from meja.games.kaluki import Kaluki, KalukiRules
from meja.games.melds import hand_masks
from meja.search import kaluki as kaluki_kernel
from meja.search.dice import Dice
from meja.search.kaluki import GREEDY, KEEN, KalukiTable, run_deals
from meja.search.kaluki_worlds import KalukiWorlds, draw_worlds, rollouts
from meja.search.melds import CARDS, DEADWOOD, POINTS, MeldFinder, solve_again, solve_hands

#: What is counted in one round: how many of it a call does, and the call.
Subject = tuple[int, Callable[[], object]]


def finder_subjects(scale: int) -> dict[str, Subject]:
    subjects: dict[str, Subject] = {}
    finder = MeldFinder(KalukiRules.make(2))
    for cards in (11, 13, 15, 17):
        dice = Dice(7)
        subjects[f"finder {cards} cards, least deadwood"] = (
            scale,
            partial(solve_hands, finder, dice, scale, cards, DEADWOOD),
        )
    for name, goal in (("most cards", CARDS), ("most points", POINTS)):
        dice = Dice(7)
        subjects[f"finder 15 cards, {name}"] = (
            scale,
            partial(solve_hands, finder, dice, scale, 15, goal),
        )
    return subjects


def deal_subjects(scale: int) -> dict[str, Subject]:
    subjects: dict[str, Subject] = {}
    for opening in ("single", "total"):
        for seats in (2, 3, 4):
            table = KalukiTable(KalukiRules.make(seats, opening=opening))
            for name, player in (("greedy", GREEDY), ("keen", KEEN)):
                dice = Dice(7)
                subjects[f"{name} deals, opening {opening}, {seats} players"] = (
                    scale,
                    partial(run_deals, table, dice, scale, player),
                )
    return subjects


def midway(seats: int) -> Kaluki:
    """A deal in the middle, played by keen players."""
    rules = KalukiRules.make(seats)
    table = KalukiTable(rules)
    table.logging = 1
    table.deal(0, Dice(Rng(5).state))
    table.playout(Dice(5), KEEN)
    deal = Kaluki.shuffle(rules, 0, Rng(5))
    deal.chance = Chance(Rng(5), table.reshuffles())
    actions = table.actions()
    for _, move in actions[: len(actions) // 2]:
        deal.advance(move)
    return deal


def world_subjects(scale: int) -> dict[str, Subject]:
    subjects: dict[str, Subject] = {}
    for seats in (2, 4):
        deal = midway(seats)
        seat = deal.to_act
        assert seat is not None
        worlds, table = KalukiWorlds(deal.view(seat), KalukiTable(deal.rules)), KalukiTable(deal.rules)
        dice = Dice(7)
        subjects[f"worlds midway, {seats} players"] = (
            scale,
            partial(draw_worlds, worlds, table, dice, scale),
        )
        subjects[f"worlds midway, each played out by keen players, {seats} players"] = (
            scale,
            partial(rollouts, worlds, table, dice, scale, KEEN),
        )
    return subjects


def open_spiel() -> dict[str, Subject]:
    try:
        pyspiel: Any = importlib.import_module("pyspiel")
    except ImportError:
        return {}
    game = pyspiel.load_game("gin_rummy")
    numbers = random.Random(1)
    subjects: dict[str, Subject] = {}
    makers: dict[str, Callable[[int], object]] = {
        "uniform": lambda seat: pyspiel.make_uniform_random_bot(seat, numbers.randrange(1 << 30)),
        "simple": lambda seat: pyspiel.make_simple_gin_rummy_bot(game.get_parameters(), seat),
    }
    for name, make in makers.items():

        def play(make: Callable[[int], object] = make) -> None:
            bots = [make(seat) for seat in range(2)]
            for _ in range(20):
                pyspiel.evaluate_bots(game.new_initial_state(), bots, numbers.randrange(1 << 30))

        subjects[f"OpenSpiel gin rummy, C++ {name} bots"] = (20, play)
    return subjects


def single_hands(cards: int, number: int) -> dict[str, float]:
    """Microseconds for single hands."""
    finder = MeldFinder(KalukiRules.make(2))
    rng = Rng(3)
    pack = list(Kaluki.pack(KalukiRules.make(2)))
    times = []
    for _ in range(number):
        rng.shuffle(pack)
        hand = hand_masks(pack[:cards])
        began = time.thread_time_ns()
        solve_again(finder, *hand, DEADWOOD, 20)
        times.append((time.thread_time_ns() - began) / 20000)
    times.sort()
    return {
        "mean": statistics.fmean(times), "median": times[number // 2], "p99": times[number * 99 // 100],
        "most": times[-1],
    }  # fmt: skip


def rates(subjects: dict[str, Subject], seconds: float, rounds: int) -> dict[str, float]:
    """How many a second, the median of interleaved rounds."""
    found: dict[str, list[float]] = {name: [] for name in subjects}
    for _ in range(rounds):
        for name, (number, call) in subjects.items():
            began = time.process_time()
            calls = 0
            while (passed := time.process_time() - began) < seconds / rounds or not calls:
                call()
                calls += 1
            found[name].append(calls * number / passed)
    return {name: statistics.median(values) for name, values in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of Kaluki's kernels.")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds for each subject")
    parser.add_argument("--rounds", type=int, default=5, help="rounds that the seconds are spread over")
    parser.add_argument("--json", type=Path, help="write the numbers to this file too")
    args = parser.parse_args()
    compiled = not kaluki_kernel.__file__.endswith(".py")
    scale = 200 if compiled else 2
    subjects = {**finder_subjects(scale), **deal_subjects(scale // 2), **world_subjects(scale // 2), **open_spiel()}
    found = rates(subjects, args.seconds, args.rounds)
    print("compiled" if compiled else "plain Python")
    for name, rate in found.items():
        print(f"{name:64} {rate:12,.0f}/s  {1e6 / rate:10.2f} us")
    peers = {name: rate for name, rate in found.items() if name.startswith("OpenSpiel")}
    for peer, rate in peers.items():
        for name in ("greedy deals, opening single, 2 players", "keen deals, opening single, 2 players"):
            print(f"{name}: {found[name] / rate:,.0f} x {peer}")
    hands = {cards: single_hands(cards, 20000 if compiled else 100) for cards in (13, 15, 17)}
    for cards, spread in hands.items():
        print(
            f"finder, single hands of {cards}: " + ", ".join(f"{key} {value:.2f} us" for key, value in spread.items())
        )
    if args.json:
        args.json.write_text(json.dumps({"compiled": compiled, "rates": found, "single hands, us": hands}, indent=2))


if __name__ == "__main__":
    main()
