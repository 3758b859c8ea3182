#!/usr/bin/env python3
"""How strong the bots are: the whole goal table in one command, every row resumable, printed as docs/bots.md has it.

    .venv/bin/python benchmarks/strength.py [--only B1,S1] [--quick] [--share 0.25] [--jobs 2] [--seed 1]
        [--deals B2=300,L=500] [--logs DIR] [--write] [--gate]

Every row plays duplicate deals: the same cards with the bots on every seat. Intervals are 95 %, clustered by deal. The
number of deals is fixed before: ``--share`` scales it for all rows alike, ``--deals`` names it for some (the longest
beginning of a row's id counts), and the table says how many there were.
``--logs`` keeps a line per deal, and a run that was broken off goes on from there. ``--quick`` is the gate: B1, C1 and
S1 with a quarter of the deals; ``--gate`` exits with 1 where a required row is surely missed (the whole interval is
below the goal). ``--write`` puts the table into docs/bots.md.

The reference pool: R0 ``random``; R1 ``rules-of-thumb`` (frozen); R2 ``ismcts`` (10,000 iterations, random cards to the
end); R3 OpenSpiel's own ISMCTS in Python (where it is installed); RC a bot that sees all hands, which lives in
``strength_lab.py`` and nowhere else.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from meja.arena import Estimate, Journal, Plan, Result, clustered, estimate, play
from meja.arena.report import ahead_of_the_table, value_of
from meja.games import make_rules
from meja.search import kernels

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(Path(__file__).parent))

import strength_calabresella as calabresella  # noqa: E402
import strength_lab as lab  # noqa: E402

LEVELS: Final = ("beginner", "casual", "strong", "master")
MASTER: Final = "master"
THUMB: Final = "rules-of-thumb"
TREE: Final = "ismcts"


@dataclass(frozen=True)
class Run:
    """How rows are run."""

    jobs: int
    seed: int
    share: float
    logs: Path | None
    named: Mapping[str, int] = field(default_factory=dict)

    def deals(self, row: Row) -> int:
        """How many deals a row plays here."""
        names = sorted((name for name in self.named if row.id.startswith(name)), key=len)
        return self.named[names[-1]] if names else max(8, round(row.deals * self.share))


@dataclass(frozen=True)
class Measured:
    """What a row brought."""

    value: Estimate
    seconds: float
    note: str = ""


@dataclass(frozen=True)
class Row:
    """A claim: ``goal`` is for the mean, ``low`` for the lower end of the interval."""

    id: str
    claim: str
    unit: str
    deals: int
    goal: float | None
    low: float
    run: Callable[[Run, int], Measured]
    required: bool = True

    def verdict(self, found: Measured) -> str:
        """Whether it is reached."""
        if found.value.low >= self.low and (self.goal is None or found.value.mean >= self.goal):
            return "reached"
        return "missed" if found.value.high < (self.low if self.goal is None else self.goal) else "open"


def results(run: Run, name: str, plan: Plan, deals: int) -> list[Result]:
    """The results of a plan: those that are in the log, and the rest played now."""
    if run.logs is None:
        return [*shown(name, deals, play(plan, range(deals), jobs=run.jobs))]
    run.logs.mkdir(parents=True, exist_ok=True)
    with Journal(run.logs / f"{name}.jsonl", plan, resume=True) as journal:
        left = [number for number in range(deals) if number not in journal.results]
        for result in shown(name, deals, play(plan, left, jobs=run.jobs), deals - len(left)):
            journal.add(result)
        return [journal.results[number] for number in range(deals)]


def shown(name: str, deals: int, coming: Iterable[Result], done: int = 0) -> Iterable[Result]:
    """Pass results on, and say how far it is."""
    told = time.monotonic()
    for result in coming:
        done += 1
        if time.monotonic() - told > 20:
            told = time.monotonic()
            print(f"{name}: {done} of {deals}", file=sys.stderr, flush=True)
        yield result


def own_means(plan: Plan, found: Sequence[Result], bot: int, value: Callable[[list[float], int], float]) -> Estimate:
    """The mean of ``value(values by seat, seat)`` over the seats of a bot, clustered by deal."""
    sums, counts = [], []
    for result in found:
        worth = [
            value(value_of(plan, game), seat)
            for game in result.games
            for seat, who in enumerate(game.seating)
            if who == bot
        ]
        sums.append(sum(worth))
        counts.append(len(worth))
    return clustered(sums, counts)


def to_the_mean(values: list[float], seat: int) -> float:
    """How much better a seat did than the mean of all seats, its own too."""
    return values[seat] - sum(values) / len(values)


def ahead(values: list[float], seat: int) -> float:
    """How much better a seat did than the mean of the others."""
    return ahead_of_the_table(values)[seat]


@dataclass(frozen=True)
class Against:
    """One bot on a seat, another on all others."""

    name: str
    game: str
    bots: tuple[str, ...]
    seats: int | None = None
    preset: str = "standard"
    value: Callable[[list[float], int], float] = ahead
    unit: str = "deal"
    seating: str = "all"
    options: dict[str, Any] = field(default_factory=dict)

    def __call__(self, run: Run, deals: int) -> Measured:
        """Play it."""
        rules = make_rules(self.game, self.seats, self.preset, **self.options)
        makers = {name: lab.MAKERS[name] for name in self.bots if name in lab.MAKERS}
        plan = Plan(rules, self.bots, seed=run.seed, unit=self.unit, seating=self.seating, makers=makers)
        began = time.monotonic()
        found = results(run, self.name, plan, deals)
        return Measured(own_means(plan, found, 0, self.value), time.monotonic() - began)


@dataclass(frozen=True)
class Pool:
    """Two bots in a pool with others: how much better the first did than the second, each against the table."""

    name: str
    game: str
    bots: tuple[str, ...]

    def __call__(self, run: Run, deals: int) -> Measured:
        """Play it."""
        plan = Plan(make_rules(self.game), self.bots, seed=run.seed, seating="rotations")
        began = time.monotonic()
        found = results(run, self.name, plan, deals)
        sums, counts = [], []
        for result in found:
            means = []
            for bot in (0, 1):
                worth = [
                    to_the_mean(value_of(plan, game), seat)
                    for game in result.games
                    for seat, who in enumerate(game.seating)
                    if who == bot
                ]
                means.append(sum(worth) / len(worth))
            sums.append(means[0] - means[1])
            counts.append(1)
        return Measured(clustered(sums, counts), time.monotonic() - began, "pool: " + ", ".join(self.bots))


def steps() -> list[Row]:
    """Every level against the one below, in every game."""
    rows = []
    for game, step, unit, seats in (
        ("bassadewitz", 0.15, "penalty", None),
        ("calabresella", 0.0, "points", None),
        ("smear", 0.12, "points", 3),
        ("kaluki", 3.0, "points", 2),
    ):
        for below, above in pairwise(LEVELS):
            name = f"L-{game}-{above}"
            rows.append(
                Row(
                    name,
                    f"{game}: {above} against {below}",
                    f"{unit} a deal, against the mean of the others",
                    1000,
                    step or None,
                    0.0,
                    Against(name, game, (above, below), seats),
                )
            )
    return rows


ROWS: Final = [
    Row("B1", "Bassadewitz: master against 3 x R1", "penalty a deal, against the mean of the table", 1000, 0.30, 0.25,
        Against("B1", "bassadewitz", (MASTER, THUMB), value=to_the_mean)),
    Row("B2", "Bassadewitz: master less R2 in a pool", "penalty a deal", 2000, 0.20, 0.10,
        Pool("B2", "bassadewitz", (MASTER, TREE, THUMB, "strong", "casual"))),
    Row("B3", "Bassadewitz: master against 3 x R3", "penalty a deal, against the mean of the table", 200, 0.15, 0.0,
        Against("B3", "bassadewitz", (MASTER, lab.OPEN_SPIEL), value=to_the_mean), required=False),
    Row("B4", "Bassadewitz: share of the gap from R1 to RC", "share", 500, 0.80, 0.70,
        lambda run, deals: share_of_the_gap(run, deals)),  # noqa: PLW0108 - defined below
    Row("C1a", "Calabresella, free: master against R1", "card points a swap pair", 500, 3.3, 3.0,
        lambda run, deals: pairs(run, deals, "C1a", "standard", THUMB)),
    Row("C1b", "Calabresella, free: master against R2", "card points a swap pair", 500, 1.5, 1.0,
        lambda run, deals: pairs(run, deals, "C1b", "standard", TREE)),
    Row("C2a", "Calabresella, follow: master against R1", "card points a swap pair", 500, 2.4, 2.1,
        lambda run, deals: pairs(run, deals, "C2a", "trad", THUMB)),
    Row("C2b", "Calabresella, follow: master against R2", "card points a swap pair", 1000, 0.5, 0.2,
        lambda run, deals: pairs(run, deals, "C2b", "trad", TREE)),
    Row("C3a", "Calabresella, standard, with bidding: master against 2 x R1", "points a deal", 1000, None, 0.0,
        Against("C3a", "calabresella", (MASTER, THUMB)), required=False),
    Row("C3b", "Calabresella, trad, with bidding: master against 2 x R1", "points a deal", 1000, None, 0.0,
        Against("C3b", "calabresella", (MASTER, THUMB), preset="trad"), required=False),
    Row("S1", "Smear: master against 2 x R1", "points a deal, against the mean of the others", 2000, 0.35, 0.28,
        Against("S1", "smear", (MASTER, THUMB), 3)),
    Row("S2", "Smear: matches won against 2 x R1", "share of the matches", 1000, 0.45, 0.42,
        Against("S2", "smear", (MASTER, THUMB), 3, unit="match", value=lambda values, seat: values[seat]),
        required=False),
    Row("K1", "Kaluki, 2 players: master against R1", "points a deal, against the other", 3000, 2.5, 0.0,
        Against("K1", "kaluki", (MASTER, THUMB), 2)),
    Row("K2-3", "Kaluki, 3 players: master against R1", "points a deal, against the mean of the others", 3000, 2.0, 0.0,
        Against("K2-3", "kaluki", (MASTER, THUMB), 3), required=False),
    Row("K2-4", "Kaluki, 4 players: master against R1", "points a deal, against the mean of the others", 3000, 2.0, 0.0,
        Against("K2-4", "kaluki", (MASTER, THUMB), 4), required=False),
    *steps(),
]  # fmt: skip
QUICK: Final = ("B1", "C1a", "S1")


def share_of_the_gap(run: Run, deals: int) -> Measured:
    """What master gains over R1 in a field of R1, as a share of what seeing all hands gains (by the delta method)."""
    began = time.monotonic()
    rules = make_rules("bassadewitz")
    gains = []
    for name, bot in (("B4-master", MASTER), ("B4-RC", lab.ALL_HANDS)):
        sees = bot == lab.ALL_HANDS
        plan = Plan(rules, (bot, THUMB), seed=run.seed, makers={bot: lab.no_bot} if sees else {})
        found = lab.open_results(run, name, plan, deals) if sees else results(run, name, plan, deals)
        gains.append([own_means(plan, [result], 0, to_the_mean).mean for result in found])
    return Measured(lab.ratio(gains[0], gains[1]), time.monotonic() - began, "in a field of three R1")


def pairs(run: Run, deals: int, name: str, preset: str, other: str) -> Measured:
    """Calabresella's play alone: the same deal with the sides swapped."""
    began = time.monotonic()
    log = None if run.logs is None else run.logs / f"{name}.jsonl"
    if log is not None:
        log.parent.mkdir(parents=True, exist_ok=True)
    asked = argparse.Namespace(
        what=calabresella.CARDS,
        one=MASTER,
        other=other,
        preset=preset,
        option=[],
        count=deals,
        seed=run.seed,
        iterations=None,
        log=log,
    )
    lines = list(calabresella.results(asked))
    return Measured(estimate([line["value"] for line in lines]), time.monotonic() - began)


def machine() -> str:
    """What it was measured on."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return (
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, "
        f"{'compiled' if all(kernels().values()) else 'NOT compiled'}, commit {commit.stdout.strip() or '?'}"
    )


def table(found: dict[str, Measured], run: Run) -> str:
    """The rows that were measured, as Markdown."""
    lines = [
        f"Measured on {time.strftime('%Y-%m-%d')}: {machine()}; seed {run.seed}.",
        "",
        "| | claim | goal (lower end) | measured | interval | N | |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in ROWS:
        made = found.get(row.id)
        if made is None:
            continue
        value = made.value
        goal = f"{row.goal:+.2f} ({row.low:+.2f})" if row.goal is not None else f"> {row.low:g}"
        claim = f"{row.claim}, {row.unit}" + (f" ({made.note})" if made.note else "")
        lines.append(
            f"| {row.id} | {claim} | {goal} | {value.mean:+.3f} | {value.low:+.3f} to {value.high:+.3f} | "
            f"{value.deals} | {row.verdict(made)}{'' if row.required else ' (reported)'} |"
        )
    return "\n".join(lines)


def write(text: str) -> None:
    """Put the table between its marks in docs/bots.md."""
    path = ROOT / "docs" / "bots.md"
    document = path.read_text(encoding="utf-8")
    begin, end = "<!-- strength: begin -->\n", "<!-- strength: end -->"
    head, _, rest = document.partition(begin)
    _, _, tail = rest.partition(end)
    path.write_text(f"{head}{begin}{text}\n{end}{tail}", encoding="utf-8")


def sizes(text: str) -> dict[str, int]:
    """Deals by row."""
    found = {}
    for part in text.split(","):
        name, _, count = part.partition("=")
        if not any(row.id.startswith(name) for row in ROWS) or not count.isdecimal() or int(count) < 2:
            raise argparse.ArgumentTypeError(f"expected ROW=DEALS with at least 2 deals, found {part!r}")
        found[name] = int(count)
    return found


def main() -> int:
    """Run the rows that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="rows by their ids, with commas; L for all steps")
    parser.add_argument("--quick", action="store_true", help="B1, C1a and S1 with a quarter of the deals")
    parser.add_argument("--share", type=float, default=1.0, help="of the deals of each row")
    parser.add_argument("--deals", type=sizes, default={}, help="deals of single rows, as B2=300,L=500")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--logs", type=Path, help="folder for a line per deal; a run that was broken off goes on")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--write", action="store_true", help="put the table into docs/bots.md")
    parser.add_argument("--gate", action="store_true", help="exit with 1 where a required row is missed")
    asked = parser.parse_args()
    names = [name for name in asked.only.split(",") if name] or (list(QUICK) if asked.quick else [])
    known = {row.id for row in ROWS}
    unknown = [name for name in names if name not in known and not any(one.startswith(name) for one in known)]
    if unknown:
        parser.error(f"no row {', '.join(unknown)}; there are: {', '.join(row.id for row in ROWS)}")
    run = Run(asked.jobs, asked.seed, asked.share * (0.25 if asked.quick else 1.0), asked.logs, asked.deals)
    found: dict[str, Measured] = {}
    for row in ROWS:
        if names and not any(row.id == name or row.id.startswith(name) for name in names):
            continue
        if row.id == "B3" and not lab.open_spiel_is_here():
            print("B3 is LEFT OUT: OpenSpiel is not installed", file=sys.stderr)
            continue
        found[row.id] = made = row.run(run, run.deals(row))
        value = made.value
        print(
            f"{row.id}: {value.mean:+.3f} ({value.low:+.3f} to {value.high:+.3f}), N {value.deals}, "
            f"{row.verdict(made)}, {made.seconds:.0f} s",
            flush=True,
        )
    text = table(found, run)
    print("\n" + text)
    if asked.json:
        document = {
            name: {"mean": made.value.mean, "low": made.value.low, "high": made.value.high, "n": made.value.deals}
            for name, made in found.items()
        }
        asked.json.write_text(json.dumps(document, indent=1))
    if asked.write:
        write(text)
    missed = [row.id for row in ROWS if row.required and row.id in found and row.verdict(found[row.id]) == "missed"]
    if missed:
        print(f"missed: {', '.join(missed)}", file=sys.stderr)
    return 1 if asked.gate and missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
