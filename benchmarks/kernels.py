#!/usr/bin/env python3
"""All benchmarks of the kernels in one table, with what they are to reach: met or MISSED.

    .venv/bin/python benchmarks/kernels.py [--only tricks,kaluki,solvers] [--seconds 1.0] [--rounds 5] [--json FILE]

Runs ``kernels_tricks.py``, ``kernels_kaluki.py`` and ``kernels_solvers.py`` one after the other, each in a process of
its own, and reads the numbers that they write with ``--json``. Rates are of one core's CPU time, medians of rounds;
a ratio is of one and the same run. A number is found by the words of its name, and the worst one counts; the times of
the solvers are milliseconds. The exit code is 1 where something is MISSED, 2 where a benchmark fails; what was not
measured is told.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from meja.search import kernels

HERE = Path(__file__).parent
PARTS = ("tricks", "kaluki", "solvers")
#: Numbers by the path of their names.
Numbers = Mapping[str, float]


@dataclass(frozen=True)
class Goal:
    """Something that a benchmark is to show: at least or at most so much."""

    part: str
    what: str
    limit: float
    unit: str
    #: The number, or ``None`` where it was not measured.
    value: Callable[[Numbers], float | None]
    least: bool = False

    def met(self, value: float) -> bool:
        """Whether a number is good enough."""
        return value >= self.limit if self.least else value < self.limit


def named(numbers: Numbers, *words: str) -> list[float]:
    """The numbers whose names hold all these words."""
    return [value for name, value in numbers.items() if all(word in name.lower() for word in words)]


def least(*words: str) -> Callable[[Numbers], float | None]:
    """The smallest of the numbers with these words: of rates the worst."""
    return lambda numbers: min(named(numbers, *words), default=None)


def most(*words: str) -> Callable[[Numbers], float | None]:
    """The largest of the numbers with these words: of times the worst."""
    return lambda numbers: max(named(numbers, *words), default=None)


def microseconds(*words: str) -> Callable[[Numbers], float | None]:
    """The time of one, from the worst of the rates with these words."""
    return lambda numbers: max((1e6 / value for value in named(numbers, *words)), default=None)


def ratio(ours: tuple[str, ...], theirs: tuple[str, ...]) -> Callable[[Numbers], float | None]:
    """Our worst number by the largest of theirs."""

    def value(numbers: Numbers) -> float | None:
        one, other = named(numbers, *ours), named(numbers, *theirs)
        return min(one) / max(other) if one and other else None

    return value


GREEDY = ("greedy deals", "2 players")
FOLLOW = "calabresella follow, 12 tricks"
FREE = "calabresella free"
GOALS = (
    Goal("tricks", "Bassadewitz, random deals in the kernel", 1e6, "/s", least("random deals in the kernel"), True),
    Goal(
        "tricks", "the same by OpenSpiel hearts, its C++ bots", 10, "x",
        ratio(("random deals in the kernel",), ("openspiel hearts",)), True,
    ),
    Goal("tricks", "Bassadewitz, card by card from Python", 1e5, "/s", least("card by card"), True),
    Goal("tricks", "world samples handed to Python, worst game", 2e5, "/s", least("worlds to python"), True),
    Goal("kaluki", "meld finder, 15 cards, mean", 6, "us", microseconds("finder 15 cards")),
    Goal("kaluki", "meld finder, 15 cards, 99th percentile", 30, "us", most("single hands", "/15/", "p99")),
    Goal("kaluki", "greedy deals, worst number of players", 5e3, "/s", least("greedy deals"), True),
    Goal("kaluki", "the same by OpenSpiel gin_rummy, its C++ bots", 15, "x", ratio(GREEDY, ("openspiel gin",)), True),
    Goal("solvers", "Calabresella follow, 12 tricks, exact, median", 40, "ms", most(f"{FOLLOW}, exact", "/median")),
    Goal("solvers", "Calabresella follow, 12 tricks, exact, mean", 150, "ms", most(f"{FOLLOW}, exact", "/mean")),
    Goal("solvers", "Calabresella follow, win or lose, median", 0.5, "ms", most(f"{FOLLOW}, win", "/median")),
    Goal("solvers", "its exact mean by that of DDS", 1, "x", ratio((f"{FOLLOW}, exact", "/mean"), ("dds", "/mean"))),
    Goal("solvers", "Calabresella free, 8 left, exact, mean", 15, "ms", most(f"{FREE}, 8 tricks, exact", "/mean")),
    Goal("solvers", "Calabresella free, 10 left, win or lose, mean", 150, "ms", most(f"{FREE}, 10", "win", "/mean")),
    Goal("solvers", "Smear, 2 players, whole deal, mean", 0.1, "ms", most("smear", "2 players", "/mean")),
    Goal("solvers", "Smear, 3 players, whole deal, mean", 1, "ms", most("smear", "3 players", "/mean")),
)  # fmt: skip


def flat(document: Any, path: str = "") -> dict[str, float]:
    """The numbers of a JSON document by the path of their names."""
    found: dict[str, float] = {}
    if isinstance(document, dict):
        for name, value in document.items():
            found |= flat(value, f"{path}/{name}")
    elif isinstance(document, int | float) and not isinstance(document, bool):
        found[path] = float(document)
    return found


def run(part: str, options: list[str]) -> Any:
    """Run one benchmark; its JSON document, or ``None`` where there is no such file or it fails."""
    script = HERE / f"kernels_{part}.py"
    if not script.exists():
        print(f"SKIPPED: there is no {script.name}; its numbers are not measured", file=sys.stderr)
        return None
    with tempfile.TemporaryDirectory(prefix="meja-") as folder:
        into = Path(folder) / "numbers.json"
        print(f"{script.name} ...", file=sys.stderr)
        done = subprocess.run([sys.executable, str(script), *options, "--json", str(into)], check=False)
        if done.returncode or not into.exists():
            print(f"FAILED: {script.name} with code {done.returncode}; its numbers are not measured", file=sys.stderr)
            return None
        return json.loads(into.read_text(encoding="utf-8"))


def shown(value: float, unit: str) -> str:
    """A number with its unit, three digits at least."""
    text = f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
    return f"{text}{unit}" if unit == "/s" else f"{text} {unit}"


def parts_of(text: str) -> list[str]:
    """The parts named in an option."""
    found = [word.strip() for word in text.split(",") if word.strip()]
    unknown = [word for word in found if word not in PARTS]
    if unknown or not found:
        raise argparse.ArgumentTypeError(f"expected some of {', '.join(PARTS)}, found {text!r}")
    return found


def main() -> int:
    """Measure, print the table; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=parts_of, default=list(PARTS), help="parts, with commas between them")
    parser.add_argument("--seconds", type=float, help="handed on to the benchmarks of rates")
    parser.add_argument("--rounds", type=int, help="handed on to the benchmarks of rates")
    parser.add_argument("--json", type=Path, help="write all numbers and the table to this file too")
    args = parser.parse_args()
    compiled = all(kernels().values())
    options = []
    for name in ("seconds", "rounds"):
        if getattr(args, name) is not None:
            options += [f"--{name}", str(getattr(args, name))]
    # The solvers are measured position by position, without rounds.
    documents = {part: run(part, [] if part == "solvers" else options) for part in args.only}

    print()
    print("kernels compiled" if compiled else "kernels NOT compiled (script/compile): the goals are for compiled ones")
    table = []
    missed = 0
    for goal in GOALS:
        if goal.part not in args.only:
            continue
        value = goal.value(flat(documents[goal.part]))
        verdict = "not measured" if value is None else "met" if goal.met(value) else "MISSED"
        missed += verdict == "MISSED"
        aim = f"{'>=' if goal.least else '<'} {shown(goal.limit, goal.unit)}"
        print(
            f"{goal.part:8} {goal.what:50} {'-' if value is None else shown(value, goal.unit):>14}  {aim:14} {verdict}"
        )
        table.append({"part": goal.part, "what": goal.what, "value": value, "goal": aim, "verdict": verdict})
    if args.json:
        document = {"compiled": compiled, "goals": table, "numbers": documents}
        args.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    failed = [part for part in args.only if documents[part] is None and (HERE / f"kernels_{part}.py").exists()]
    return 2 if failed else 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
