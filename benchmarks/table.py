#!/usr/bin/env python3
"""The table in the browser under load: server and generators on the same machine, one command.

    .venv/bin/python benchmarks/table.py [--only load,ready,memory,page] [--tables 1000] [--rate 300]
        [--seconds 40] [--generators 1] [--matches 300] [--long] [--json FILE] [--profile FILE]

ready   time from the start of the process to the first answer, with new data and with data that is there
load    1,000 tables of three people, everybody connected by a stream, 300 moves a second: the time from
        sending a move to its arrival at all three seats, memory per connection, and whether anything was
        lost, doubled or out of order
memory  matches made, played to the end and forgotten (--long: 10,000): memory must stay flat
page    the size of the first page as it is sent, and the time from a click on *Play bots* to a table that
        can be played at (with Playwright, where it is there)

Everything is bounded in time, and what is started is stopped.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import json
import math
import os
import platform
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parent))

from table_client import Faults, Http
from table_load import Load, Result, generate, play_matches

GAMES: Final = ("smear", "bassadewitz", "calabresella", "kaluki")
_SPAWN: Final = get_context("spawn")


@dataclass(frozen=True, slots=True)
class Line:
    """A number that was measured, in words, and whether it meets its goal (``None``: it has none)."""

    name: str
    value: str
    goal: str = ""
    met: bool | None = None


#: The command under the profiler, from one signal to the next, by the CPU time of its main thread: waiting must
#: not count.
_PROFILED: Final = """
import cProfile, signal, sys, time
from meja.cli import main
profile = cProfile.Profile(time.thread_time)
signal.signal(signal.SIGUSR1, lambda *_: profile.enable())
signal.signal(signal.SIGUSR2, lambda *_: profile.disable())
try:
    main(sys.argv[2:])
finally:
    profile.dump_stats(sys.argv[1])
"""


# -- the server --------------------------------------------------------------------------


class Server:
    """``meja serve`` in a process of its own."""

    def __init__(self, data: str, *options: str, profile: str = "") -> None:
        program = ["-c", _PROFILED, profile] if profile else ["-m", "meja.cli"]
        command = [sys.executable, *program, "serve", "--port", "0", "--data", data, "--lang", "en", "--no-limits"]
        self.began = time.perf_counter()
        self.process = subprocess.Popen([*command, "--bot-pace", "0", *options], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r":(\d+)\s*$", line)
        if found is None:
            self.stop()
            raise SystemExit(f"the server did not start: {line!r}")
        self.port = int(found[1])
        self.ready = time.perf_counter() - self.began
        # Nobody reads the rest, and a full pipe must not stop the server.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def rss(self) -> float:
        """Resident memory of the server's own process, in KiB."""
        out = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(self.process.pid)], capture_output=True, text=True, check=True
        )
        return float(out.stdout)

    def cpu(self) -> float:
        """CPU time it has used, in seconds; 0 where the system does not tell."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        """Ask it to end, then make it end."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


@contextmanager
def server(*options: str, profile: str = "", data: str | None = None) -> Iterator[Server]:
    """A server on data of its own, stopped at the end."""
    with tempfile.TemporaryDirectory(prefix="meja-benchmark-") as folder:
        made = Server(data or folder, *options, profile=profile)
        try:
            yield made
        finally:
            made.stop()


@contextmanager
def worker(target: Callable[..., None], *args: Any) -> Iterator[Any]:
    """A process with a pipe to it, ended at the end."""
    ours, theirs = _SPAWN.Pipe()
    process = _SPAWN.Process(target=target, args=(theirs, *args), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours
    finally:
        process.join(5)
        if process.is_alive():
            process.kill()


def said(pipe: Any, seconds: float) -> Any:
    """What a worker says next; ends the benchmark when it says nothing for too long."""
    if not pipe.poll(seconds):
        raise SystemExit(f"a generator said nothing for {seconds:.0f} s")
    try:
        return pipe.recv()
    except EOFError:
        raise SystemExit("a generator died") from None


# -- ready -------------------------------------------------------------------------------


def ready(args: argparse.Namespace) -> list[Line]:
    """From the start of the process to the first answer."""
    times: dict[str, list[float]] = {"first start, new data": [], "data is there": []}
    for _ in range(args.rounds):
        with tempfile.TemporaryDirectory(prefix="meja-benchmark-") as folder:
            for each in times.values():
                with server(data=folder) as made:
                    asyncio.run(_health(made.port))
                    each.append(time.perf_counter() - made.began)
    return [
        Line(f"server ready ({name})", f"{statistics.median(each):.2f} s (best {min(each):.2f})", "< 1 s",
             statistics.median(each) < 1)
        for name, each in times.items()
    ]  # fmt: skip


async def _health(port: int) -> None:
    http = Http(port, 1)
    answer = await http.ask("GET", "/healthz")
    http.close()
    if answer.status != 200:
        raise SystemExit(f"/healthz: {answer.status}")


# -- load --------------------------------------------------------------------------------


def load(args: argparse.Namespace) -> list[Line]:
    """Many tables at a steady pace."""
    rounds = [_load_once(args, turn) for turn in range(args.rounds if args.repeat_load else 1)]
    # The round with the median p99 is shown as a whole: its numbers belong together.
    rounds.sort(key=lambda measured: quantile(measured[0].latencies, 0.99))
    result, server_lines = rounds[len(rounds) // 2]
    worst = [found for found, _ in rounds]
    times = [f"{1000 * quantile(result.latencies, share):.1f}" for share in (0.5, 0.95, 0.99)]
    lost = sum(found.missing + found.faults.gaps for found in worst)
    doubled = sum(found.faults.doubled for found in worst)
    broken = sum(found.faults.broken for found in worst)
    refused = sum(sum(number for name, number in found.refused.items() if name.startswith("act")) for found in worst)
    for found in worst:
        for note in found.faults.notes:
            print(f"  {note}", file=sys.stderr)
    rate = result.sent / result.seconds
    return [
        Line("connections", f"{result.connections:,} at {args.tables:,} tables of {args.seats}"),
        Line("moves a second", f"{rate:.0f} over {result.seconds:.0f} s, {result.deals:,} deals ended",
             f"{args.rate:.0f}", rate >= args.rate * 0.98),
        Line("move to all seats, p50 / p95 / p99", " / ".join(times) + " ms", "p99 < 100 ms",
             quantile(result.latencies, 0.99) < 0.1),
        *([Line("  p99 of the rounds", ", ".join(f"{1000 * quantile(found.latencies, 0.99):.0f}" for found in worst)
                + " ms")] if len(rounds) > 1 else []),
        Line("move to its own answer, p50 / p99",
             f"{1000 * quantile(result.answers, 0.5):.1f} / {1000 * quantile(result.answers, 0.99):.1f} ms"),
        Line("the generator itself behind its pace, p99", f"{1000 * quantile(result.late, 0.99):.1f} ms"),
        Line("moves lost, doubled, refused; streams broken", f"{lost}, {doubled}, {refused}; {broken}",
             "none", lost + doubled + broken + refused == 0),
        Line("updates received", f"{result.updates:,}, {result.bytes / max(1, result.updates):,.0f} bytes each"),
        *server_lines,
    ]  # fmt: skip


def _load_once(args: argparse.Namespace, turn: int) -> tuple[Result, list[Line]]:
    share = args.tables // args.generators
    with server(profile=args.profile) as made:
        loads = [
            Load(made.port, share, args.seats, args.games, args.rate / args.generators, args.seconds, args.warm,
                 100 * turn + number)
            for number in range(args.generators)
        ]  # fmt: skip
        with workers(generate, loads) as pipes:
            marks: list[tuple[float, float]] = []
            for phase, limit in (("make", 300), ("connect", 120), ("deal", 120), ("play", 0), ("check", 120)):
                print(f"load: {phase} ...", file=sys.stderr)
                marks.append((settled(made), made.cpu()))
                if args.profile and phase in ("play", "check"):
                    made.process.send_signal(signal.SIGUSR1 if phase == "play" else signal.SIGUSR2)
                for pipe in pipes:
                    pipe.send(None)
                for pipe in pipes:
                    said(pipe, limit or args.warm + args.seconds + 60)
            marks.append((settled(made), made.cpu()))
            results = [said(pipe, 60) for pipe in pipes]
    whole = merged(results)
    (_, _), (before, _), (connected, _), (dealt, played_from), (after, played_to), *_ = marks
    busy = (played_to - played_from) / (args.warm + args.seconds)
    moves = max(1, whole.sent) / whole.seconds
    per = [(each - before) / whole.connections for each in (connected, dealt, after)]
    lines = [
        Line("memory of the server", f"{before / 1024:.0f} MiB with the tables, {connected / 1024:.0f} connected, "
             f"{after / 1024:.0f} after playing"),
        Line("memory per connection", f"{per[0]:.1f} KiB", "<= 40 KiB", per[0] <= 40),
        Line("  with the first deal / after playing", f"{per[1]:.1f} / {per[2]:.1f} KiB"),
        Line("CPU of the server while playing", f"{busy:.2f} of a core, {1000 * busy / moves:.2f} ms a move"),
    ]  # fmt: skip
    return whole, lines


@contextmanager
def workers(target: Callable[..., None], jobs: Sequence[Any]) -> Iterator[list[Any]]:
    """One process per job."""
    if not jobs:
        yield []
        return
    with worker(target, jobs[0]) as first, workers(target, jobs[1:]) as rest:
        yield [first, *rest]


def settled(made: Server) -> float:
    """The server's memory once it has come to rest."""
    time.sleep(1.0)
    return made.rss()


def merged(results: Sequence[Result]) -> Result:
    """The results of all generators together."""
    whole = Result(seconds=results[0].seconds)
    for result in results:
        for name in ("latencies", "answers", "late"):
            getattr(whole, name).extend(getattr(result, name))
        for name in ("connections", "sent", "done", "missing", "deals", "updates", "bytes"):
            setattr(whole, name, getattr(whole, name) + getattr(result, name))
        for name, number in result.refused.items():
            whole.refused[name] = whole.refused.get(name, 0) + number
        for name in ("gaps", "doubled", "broken"):
            setattr(whole.faults, name, getattr(whole.faults, name) + getattr(result.faults, name))
        whole.faults.notes.extend(result.faults.notes)
    return whole


def quantile(values: Sequence[float], share: float) -> float:
    """The value that ``share`` of all are not above; NaN of nothing."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else math.nan


# -- memory ------------------------------------------------------------------------------


def memory(args: argparse.Namespace) -> list[Line]:
    """Matches made, played, forgotten; the curve of memory."""
    count = 10_000 if args.long else args.matches
    width = 12
    samples: list[tuple[int, float, float, float]] = []
    began = time.perf_counter()
    with server("--forget-after", "5") as made, worker(play_matches, made.port, count, width, 1) as pipe:
        moves = 0
        for done in range(1, count + 1):
            told = said(pipe, 300)
            if isinstance(told, Faults):
                raise SystemExit("; ".join(told.notes))
            moves += told
            if done % max(1, count // 60) == 0:
                tables, blocks = asyncio.run(_inside(made.port))
                samples.append((done, made.rss() / 1024, blocks, tables))
                print(f"memory: {done:,} matches, {samples[-1][1]:.1f} MiB, {tables:.0f} tables", file=sys.stderr)
        faults = said(pipe, 60)
        took = time.perf_counter() - began
    warm = [sample for sample in samples if sample[0] > count / 3]
    middle = statistics.median(rss for _, rss, _, _ in warm)
    spread = max(abs(rss / middle - 1) for _, rss, _, _ in warm)
    tenth = max(1, len(warm) // 6)
    growth = statistics.median(s[1] for s in warm[-tenth:]) / statistics.median(s[1] for s in warm[:tenth]) - 1
    blocks = statistics.median(s[2] for s in warm[-tenth:]) / statistics.median(s[2] for s in warm[:tenth]) - 1
    curve = samples[:: max(1, len(samples) // 10)]
    return [
        Line("matches to the end", f"{count:,} in {took:.0f} s, {moves:,} moves of people, {faults.broken} faults",
             "no faults", faults.broken + faults.gaps + faults.doubled == 0),
        Line("memory after the first third", f"{middle:.1f} MiB, at most {spread:.1%} from its median, "
             f"end against begin {growth:+.1%}", "+-5%", spread <= 0.05),
        Line("  objects alive, end against begin", f"{blocks:+.1%}"),
        Line("  curve in MiB", " ".join(f"{rss:.0f}" for _, rss, _, _ in curve)),
        Line("  tables in memory", " ".join(f"{tables:.0f}" for *_, tables in curve)),
    ]  # fmt: skip


async def _inside(port: int) -> tuple[float, float]:
    """Tables in memory and memory blocks, as the server tells them."""
    http = Http(port, 1)
    answer = await http.ask("GET", "/metrics")
    http.close()
    values = dict(line.split() for line in answer.body.decode().splitlines() if not line.startswith("#"))
    return float(values["meja_tables"]), float(values["meja_python_blocks"])


# -- page --------------------------------------------------------------------------------


def page(args: argparse.Namespace) -> list[Line]:
    """The first page's size, and how soon one can play."""
    if importlib.util.find_spec("playwright") is None:
        return [Line("first page", "not measured: Playwright is not there", "< 120 kB", None)]
    with server() as made:
        script = Path(__file__).with_name("table_page.py")
        out = subprocess.run(
            [sys.executable, str(script), str(made.port), str(args.rounds)],
            stdout=subprocess.PIPE, text=True, check=False, timeout=300,
        )  # fmt: skip
    if out.returncode:
        return [Line("first page", "not measured: the browser did not start", "< 120 kB", None)]
    found = json.loads(out.stdout)
    kinds = ", ".join(f"{name} {size / 1000:.1f}" for name, size in sorted(found["kinds"].items()))
    clicks = found["clicks"]
    return [
        Line("first page, compressed", f"{found['bytes'] / 1000:.1f} kB in {found['files']} files ({kinds})",
             "< 120 kB", found["bytes"] < 120_000),
        Line("  fetched ahead for the table", f"{found['ahead'] / 1000:.1f} kB"),
        Line("first page usable", f"{statistics.median(found['home']):.2f} s"),
        *[Line(f"from Play bots to a table: {name}",
               f"{statistics.median(times):.2f} s (best {min(times):.2f}, worst {max(times):.2f})", "< 1 s",
               statistics.median(times) < 1) for name, times in clicks.items()],
    ]  # fmt: skip


# -- all ---------------------------------------------------------------------------------


PARTS: Final = {"ready": ready, "load": load, "memory": memory, "page": page}


def main() -> int:
    """Measure what was asked for and print the numbers beside their goals; 1 if one is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(PARTS), help="parts, with commas between them")
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--games", type=lambda text: tuple(text.split(",")), default=GAMES)
    parser.add_argument("--rate", type=float, default=300.0)
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--warm", type=float, default=8.0)
    parser.add_argument("--generators", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5, help="of starts and clicks")
    parser.add_argument("--repeat-load", action="store_true", help="repeat the load as often, too")
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--long", action="store_true", help="10,000 matches")
    parser.add_argument("--profile", default="", metavar="FILE", help="profile the server under load (slow)")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    parts = args.only.split(",")
    if unknown := set(parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(unknown)}")

    lines = [line for name in parts for line in PARTS[name](args)]
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores for server and generator")
    for line in lines:
        verdict = {None: "", True: "met", False: "MISSED"}[line.met]
        goal = f"goal: {line.goal}" if line.goal else ""
        print(f"{line.name:46} {line.value:60} {goal:18} {verdict}".rstrip())
    if args.json:
        shown = [{"name": line.name, "value": line.value, "goal": line.goal, "met": line.met} for line in lines]
        args.json.write_text(json.dumps(shown, indent=1) + "\n", encoding="utf-8")
    return int(any(line.met is False for line in lines))


if __name__ == "__main__":
    sys.exit(main())
