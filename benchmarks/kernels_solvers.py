#!/usr/bin/env python3
"""Times of the exact solvers; Calabresella beside the double-dummy solver of bridge (DDS, through endplay).

    .venv/bin/python benchmarks/kernels_solvers.py [--deals 1.0] [--only WORD] [--json FILE]

Times are milliseconds of CPU a position, each solved once, by one solver that is used for all. Positions of
Calabresella are random cards, a random leader and a random soloist; those of Smear and Bassadewitz come from random
play. Peer and kernel take turns, so that their ratio is of one and the same run. Needs the kernels compiled; without
endplay the comparison is left out, and it says so.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from meja.cards import Rng, shuffled
from meja.games.bassadewitz import Bassadewitz, BassadewitzRules
from meja.games.calabresella import BID, BIDS, Calabresella, CalabresellaRules
from meja.games.smear import Smear, SmearRules
from meja.games.tricks import VERB
from meja.search import kernels
from meja.search.bassadewitz_solver import BassadewitzSolver
from meja.search.calabresella_solver import CalabresellaSolver
from meja.search.smear_solver import POINTS, SmearSolver
from meja.search.solving import Solving
from meja.search.tricks import Tricks, position
from meja.search.worlds import Dealer

#: The kernels that are measured.
SOLVERS = ("bassadewitz_solver", "calabresella_solver", "smear_solver", "solving", "tricks", "worlds")
#: Solves position number so and so.
Call = Callable[[int], object]
#: Thirds of a point for the last trick with an average monte.
LAST = 4


@dataclass(frozen=True)
class Goal:
    """What is promised: a mean or a median of at most so many milliseconds."""

    measure: str
    limit: float


@dataclass(frozen=True)
class Subject:
    """What is measured: how many positions, how to solve one, and what is promised."""

    name: str
    count: int
    call: Call
    goals: tuple[Goal, ...] = ()


@dataclass(frozen=True)
class Result:
    """Milliseconds."""

    count: int
    mean: float
    error: float
    median: float
    p95: float
    most: float


def calabresella(follow: bool, left: int, seed: int) -> Tricks:
    """Random cards in a plain Solissimo; with fewer than twelve everybody has taken a trick before."""
    rng = Rng(seed, left)
    deal = Calabresella.shuffle(CalabresellaRules.make(3, follow_suit=follow), 0, Rng(1))
    deal.advance(BID << VERB | BIDS.index("solissimo"))
    deal.advance(deal.legal_actions()[0])
    game = position(deal)
    cards = shuffled(deal.pack(deal.rules), rng)
    game.hands = [*(sum(1 << card for card in cards[left * seat : left * seat + left]) for seat in range(3)), 0, 0]
    game.bidder, game.turn = rng.below(3), rng.below(3)
    game.leader = game.turn
    if left < 12:
        game.last = LAST
        game.tricks = [1, 1, 1, 0, 0]
    else:
        game.last = 3 + sum(game.worth[card] for card in cards[36:])
    return game


def smear(seats: int, seed: int) -> Tricks:
    """A whole deal after random calls."""
    rng = Rng(seed)
    while True:
        deal = Smear.shuffle(SmearRules.make(seats), rng.below(seats), rng)
        while deal.to_act is not None and deal.phase != "play":
            legal = deal.legal_actions()
            deal.advance(legal[rng.below(len(legal))])
        if deal.to_act is not None:
            return position(deal)


def bassadewitz(left: int, seed: int) -> Tricks:
    """The last tricks after random play."""
    rng = Rng(seed)
    deal = Bassadewitz.shuffle(BassadewitzRules.make(4), rng.below(4), rng)
    for _ in range(4 * (8 - left)):
        legal = deal.legal_actions()
        deal.advance(legal[rng.below(len(legal))])
    return position(deal)


def solve_calabresella(solver: CalabresellaSolver, games: list[Tricks], exact: bool, number: int) -> object:
    """All thirds, or whether the soloist gets more than half of what is left."""
    game = games[number]
    solver.take(game)
    if exact:
        return solver.value()
    held = sum(game.worth[card] for hand in game.hands for card in range(52) if hand >> card & 1)
    return solver.at_least((held + game.last) // 2 + 1)


def solve_smear(solver: SmearSolver, games: list[Tricks], number: int) -> object:
    """The points of a seat that changes from deal to deal."""
    game = games[number]
    solver.take(game, number % game.seats, POINTS)
    return solver.value()


def solve_bassadewitz(solver: BassadewitzSolver, games: list[Tricks], hero: bool, number: int) -> object:
    """What a seat can be sure of, or everybody for himself."""
    solver.take(games[number], number % 4 if hero else None)
    return solver.value() if hero else solver.scores()


def solve_worlds(searches: list[Solving], number: int) -> object:
    """One more world of a search, every legal card solved in it."""
    search = searches[number % len(searches)]
    search.run(1, 7)
    return search.drawn


def searches(follow: bool, count: int) -> list[Solving]:
    """Searches before the first lead of Calabresella by the player to lead."""
    found = []
    for seed in range(count):
        rng = Rng(seed, 99)
        deal = Calabresella.shuffle(CalabresellaRules.make(3, follow_suit=follow), 0, rng)
        deal.advance(BID << VERB | BIDS.index("solissimo"))
        deal.advance(deal.legal_actions()[0])
        found.append(Solving(Dealer(deal.view(deal.to_act)), "win", table_bits=18))
    return found


def subjects(scale: float) -> list[Subject]:
    """All that is measured of ours."""

    def many(count: int) -> int:
        return max(3, int(count * scale))

    found = []
    rows: tuple[tuple[bool, int, bool, int, tuple[Goal, ...]], ...] = (
        (True, 12, True, 200, (Goal("median", 40), Goal("mean", 150))),
        (True, 12, False, 600, (Goal("median", 0.5),)),
        (False, 8, True, 200, (Goal("mean", 15),)),
        (False, 10, False, 200, (Goal("mean", 150),)),
    )
    for follow, left, exact, count, goals in rows:
        games = [calabresella(follow, left, seed) for seed in range(many(count))]
        name = f"calabresella {'follow' if follow else 'free'}, {left} tricks, {'exact' if exact else 'win or lose'}"
        found.append(
            Subject(name, len(games), partial(solve_calabresella, CalabresellaSolver(20), games, exact), goals)
        )
    for seats, limit in ((2, 0.1), (3, 1.0)):
        games = [smear(seats, seed) for seed in range(many(1000))]
        call = partial(solve_smear, SmearSolver(), games)
        found.append(Subject(f"smear, whole deal, {seats} players", len(games), call, (Goal("mean", limit),)))
    for left, hero, count in ((4, True, 300), (6, True, 60), (4, False, 200), (5, False, 40)):
        games = [bassadewitz(left, seed) for seed in range(many(count))]
        name = f"bassadewitz, {left} tricks, {'against the hero' if hero else 'everybody for himself'}"
        found.append(Subject(name, len(games), partial(solve_bassadewitz, BassadewitzSolver(18), games, hero)))
    found.append(
        Subject(
            "worlds: calabresella follow, 12 tricks, every lead, win or lose",
            many(120),
            partial(solve_worlds, searches(True, 20)),
        )
    )
    return found


def bridge(count: int) -> Subject | None:
    """DDS: random deals of 13 tricks in no trump, every lead scored; ``None`` without endplay."""
    try:
        types, dds = importlib.import_module("endplay.types"), importlib.import_module("endplay.dds")
    except ImportError:
        return None
    rng = Rng(9)

    def deal() -> Any:
        cards = shuffled(range(52), rng)
        hands = []
        for start in range(0, 52, 13):
            hand = cards[start : start + 13]
            suits = [[card % 13 for card in hand if card // 13 == suit] for suit in range(4)]
            hands.append(".".join("".join("23456789TJQKA"[rank] for rank in ranks) for ranks in suits))
        made = types.Deal("N:" + " ".join(hands))
        made.trump, made.first = types.Denom.nt, types.Player.north
        return made

    deals = [deal() for _ in range(count)]
    # The first call sets the library up.
    list(dds.solve_board(deal()))
    return Subject(
        "bridge, DDS, 13 tricks, no trump, all leads", count, lambda number: list(dds.solve_board(deals[number]))
    )


def measure(found: list[Subject]) -> dict[str, Result]:
    """Milliseconds by subject; subjects of the list take turns."""
    times: dict[str, list[float]] = {subject.name: [] for subject in found}
    for number in range(max(subject.count for subject in found)):
        for subject in found:
            if number < subject.count:
                began = time.process_time_ns()
                subject.call(number)
                times[subject.name].append((time.process_time_ns() - began) / 1e6)
    return {name: summed(values) for name, values in times.items()}


def summed(values: list[float]) -> Result:
    """Mean with its standard error, median and tail."""
    ordered = sorted(values)
    return Result(
        len(values),
        statistics.fmean(values),
        statistics.stdev(values) / math.sqrt(len(values)),
        statistics.median(values),
        ordered[int(0.95 * len(values))],
        ordered[-1],
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Times of the exact solvers.")
    parser.add_argument(
        "--deals", type=float, default=1.0, help="how many positions, as a multiple of the usual number"
    )
    parser.add_argument("--only", metavar="WORD", default="", help="only subjects whose name contains this")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    state = kernels()
    plain = [name for name in SOLVERS if not state[name]]
    if plain:
        print(f"not compiled: {', '.join(plain)}; run script/compile first", file=sys.stderr)
        return 1
    found = [subject for subject in subjects(args.deals) if args.only in subject.name]
    if not found:
        print(f"nothing is called {args.only}", file=sys.stderr)
        return 1
    goals = {subject.name: subject.goals for subject in found}
    peer = bridge(found[0].count) if "12 tricks, exact" in found[0].name else None
    groups = [[found[0], *([peer] if peer else [])], *([subject] for subject in found[1:])]
    results: dict[str, Result] = {}
    print(f"{'milliseconds of CPU':64} {'n':>5} {'mean':>9} {'+-':>7} {'median':>9} {'p95':>9} {'most':>9}")
    for group in groups:
        for name, result in measure(group).items():
            results[name] = result
            print(
                f"{name:64} {result.count:5} {result.mean:9.4f} {1.96 * result.error:7.4f}"
                f" {result.median:9.4f} {result.p95:9.3f} {result.most:9.2f}",
                flush=True,
            )
            for goal in goals.get(name, ()):
                verdict(f"  {goal.measure} against its goal, ms", getattr(result, goal.measure), goal.limit)
    if peer:
        verdict("  mean against that of DDS in this run, ms", results[found[0].name].mean, results[peer.name].mean)
    elif "12 tricks, exact" in found[0].name:
        print("NOT COMPARED with DDS: endplay is not installed (pip install endplay)", file=sys.stderr)
    if args.json:
        args.json.write_text(json.dumps({name: asdict(result) for name, result in results.items()}, indent=1) + "\n")
    return 0


def verdict(name: str, value: float, limit: float) -> None:
    """A line that says whether a promise is kept."""
    print(f"{name:64} {value:9.4f} of {limit:9.4f}  {value / limit:6.2f} x  {'met' if value < limit else 'MISSED'}")


if __name__ == "__main__":
    sys.exit(main())
