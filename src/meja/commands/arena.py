"""``meja arena GAME BOT BOT ...``: how strong bots are, measured with duplicate deals."""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from meja.arena import Bounds, Estimate, Journal, Plan, Records, Report, Result, Sequential, Workers, play, report
from meja.arena.cluster import connected
from meja.arena.duplicate import DEAL, MATCH
from meja.arena.report import ahead_of
from meja.arena.seatings import ALL, KINDS
from meja.arena.sequential import LOWER, UPPER
from meja.arena.spread import MOST_JOBS
from meja.bots import BOTS
from meja.bots.outside import bot_commands
from meja.cards import quoted
from meja.commands.bot_faults import lost_turns
from meja.commands.rule_choice import add_rule_arguments, add_seed_argument, chosen_rules, chosen_seed
from meja.errors import MejaError
from meja.language import Language
from meja.messages import Message, msg

#: Exit codes: the sequential test decided for the lower bound; it did not decide; Ctrl-C; something failed.
DECIDED_LOWER: Final = 1
FAILED: Final = 2
UNDECIDED: Final = 3
INTERRUPTED: Final = 130

_MOST_DEALS: Final = 10_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_rule_arguments(parser)
    parser.add_argument(
        "bots",
        nargs="+",
        metavar="BOT",
        help=msg(
            "the bots; the last one named sits on all seats that are left; more bots than seats are a pool; known: "
            "{known}, and those of --bot-command",
            known=", ".join(BOTS),
        ),
    )
    parser.add_argument(
        "--bot-command",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help=msg("a bot that is a program outside (see: meja bot-protocol); may be given several times"),
    )
    parser.add_argument("--deals", type=int, default=200, metavar="N", help=msg("how many deals (default 200)"))
    parser.add_argument(
        "--match", action="store_true", help=msg("play whole matches instead of single deals; --deals counts them")
    )
    add_seed_argument(parser, help=msg("the same seed gives the same deals"))
    parser.add_argument(
        "--seatings",
        choices=KINDS,
        default=ALL,
        help=msg("play each deal with every different seating, or only with each bot once on every seat"),
    )
    parser.add_argument("--seconds", type=float, metavar="X", help=msg("how long a bot may think about a decision"))
    parser.add_argument(
        "--iterations", type=int, metavar="N", help=msg("how many iterations a bot may search for a decision")
    )
    parser.add_argument(
        "--sprt",
        metavar="LOWER,UPPER",
        help=msg(
            "stop when it is clear whether the first bot is ahead of the others by the lower or by the upper bound "
            "(in points, or with sd at the end in standard deviations of a deal: 0,0.1sd)"
        ),
    )
    parser.add_argument("--jobs", type=int, metavar="N", help=msg("processes to use (default: all processors)"))
    parser.add_argument("--executor", metavar="dask://HOST:PORT", help=msg("play on a Dask cluster instead"))
    parser.add_argument("--out", metavar="FILE", help=msg("write a line for each deal to this file as it is played"))
    parser.add_argument("--resume", action="store_true", help=msg("go on with the file of --out"))
    parser.add_argument("--records", metavar="FILE.mejal", help=msg("write the records of all games to this file"))
    parser.add_argument("--json", action="store_true", help=msg("print the result as JSON"))


def run(args: argparse.Namespace, language: Language) -> int:
    """Play, keep what is played, and print what it shows."""
    plan, bounds = _plan(args), None if args.sprt is None else Bounds.parse(args.sprt)
    jobs = _checked(args)
    _warn(language, plan.rules.warnings())
    with ExitStack() as stack:
        workers = None if args.executor is None else stack.enter_context(connected(args.executor))
        journal = None if args.out is None else stack.enter_context(Journal(args.out, plan, resume=args.resume))
        before = {} if journal is None else {n: r for n, r in journal.results.items() if n < args.deals}
        _warn(language, [] if journal is None else journal.notes)
        records = None
        if args.records is not None:
            records = stack.enter_context(
                Records(args.records, plan, journal.results if journal else (), resume=args.resume)
            )
            if records.missing:
                _warn(language, [msg("of {n} deals played before there are no records", n=records.missing)])
        run = _Run(plan, args.deals, bounds, before, journal, records)
        ended = run.play(jobs, workers, language)
    shown = report(plan, run.results.values(), bounds)
    if args.json:
        print(json.dumps(shown.to_dict(), indent=2))
    else:
        for line in _lines(shown, language):
            print(line)
    if ended is not None:
        _warn(language, ended.words(len(run.results), args.out))
        return ended.code
    if shown.test is None or shown.test.verdict == UPPER:
        return 0
    return DECIDED_LOWER if shown.test.verdict == LOWER else UNDECIDED


def _plan(args: argparse.Namespace) -> Plan:
    commands = bot_commands(args.bot_command)
    for name in commands:
        if name not in args.bots:
            raise MejaError(msg("the bot {name} has a command, but is not named to play", name=quoted(name)))
    if args.seconds is not None and not 0 < args.seconds <= 3600:
        raise MejaError(msg("--seconds is a number above 0 and up to 3600"))
    if args.iterations is not None and args.iterations < 1:
        raise MejaError(msg("--iterations must be at least 1, not {found}", found=args.iterations))
    return Plan(
        chosen_rules(args.game, args.seats, args.preset, args.option),
        tuple(args.bots),
        chosen_seed(args.seed) or 0,
        MATCH if args.match else DEAL,
        args.seatings,
        args.seconds,
        args.iterations,
        commands,
    )


def _checked(args: argparse.Namespace) -> int:
    """The number of processes; raises for numbers and combinations that cannot be."""
    if not 1 <= args.deals <= _MOST_DEALS:
        raise MejaError(msg("--deals is a number from 1 to {most}, not {found}", most=_MOST_DEALS, found=args.deals))
    if args.resume and args.out is None:
        raise MejaError(msg("--resume needs --out: the file to go on with"))
    if args.jobs is not None and args.executor is not None:
        raise MejaError(msg("--jobs counts the processes of this machine; with --executor there are none"))
    jobs: int = args.jobs if args.jobs is not None else os.cpu_count() or 1
    if not 1 <= jobs <= MOST_JOBS:
        raise MejaError(msg("--jobs is a number from 1 to {most}, not {found}", most=MOST_JOBS, found=jobs))
    if (
        args.out is not None
        and args.records is not None
        and os.path.realpath(args.out) == os.path.realpath(args.records)
    ):
        raise MejaError(msg("--out and --records need two files"))
    return jobs


def _warn(language: Language, texts: Iterable[Message]) -> None:
    for text in texts:
        print(f"meja: {language.say(text)}", file=sys.stderr)


class _Ended:
    """Why it ended before it was done, and with which exit code."""

    def __init__(self, code: int, why: Message) -> None:
        self.code = code
        self.why = why

    def words(self, played: int, out: str | None) -> list[Message]:
        if out is None:
            return [self.why, msg("{n} deals were played; without --out they are not kept", n=played)]
        return [self.why, msg("{n} deals are kept in {path}; go on with --resume", n=played, path=quoted(out, 200))]


class _Run:
    """Playing what is missing, until all is played or the test has decided."""

    def __init__(
        self,
        plan: Plan,
        deals: int,
        bounds: Bounds | None,
        before: dict[int, Result],
        journal: Journal | None,
        records: Records | None,
    ) -> None:
        self.results = before
        self._plan = plan
        self._deals = deals
        self._test = None if bounds is None else Sequential(bounds)
        self._journal = journal
        self._records = records

    def play(self, jobs: int, workers: Workers | None, language: Language) -> _Ended | None:
        """Play; ``None`` where nothing came between."""
        missing = (number for number in range(self._deals) if number not in self.results)
        unit = msg("matches") if self._plan.unit == MATCH else msg("deals")
        try:
            if self._decided():
                return None
            playing = play(self._plan, missing, jobs=jobs, executor=workers, records=self._records is not None)
            with contextlib.closing(playing), _progress(len(self.results), self._deals, language.say(unit)) as advance:
                for result in playing:
                    self._keep(result)
                    advance()
                    if self._decided():
                        break
        except KeyboardInterrupt:
            return _Ended(INTERRUPTED, msg("stopped"))
        except MejaError as error:
            if not self.results:
                raise
            return _Ended(FAILED, error.text)
        return None

    def _keep(self, result: Result) -> None:
        if self._records is not None:
            self._records.add(result.records)
        if self._journal is not None:
            self._journal.add(result)
        # The records are on the disk; a long arena need not hold them.
        self.results[result.number] = Result(result.number, result.games, result.faults)

    def _decided(self) -> bool:
        """Whether the test has decided; it takes the deals in the order of their numbers, whoever was quicker."""
        if self._test is None:
            return False
        while self._test.verdict is None and self._test.deals in self.results:
            self._test.add(ahead_of(self._plan, self.results[self._test.deals]))
        return self._test.verdict is not None


@contextmanager
def _progress(done: int, total: int, unit: str) -> Iterator[Callable[[], None]]:
    """A progress bar on the error stream of a terminal; nothing elsewhere. It shows no result: see ``sequential``."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda: None
        return
    columns = (TextColumn(unit), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(unit, total=total, completed=done)
        yield lambda: progress.advance(task)


# -- the result in words ----------------------------------------------------------


def _lines(shown: Report, language: Language) -> Iterator[str]:
    """The result, line by line."""
    plan, say, number = shown.plan, language.say, language.number
    counts = {
        "game": plan.rules.title,
        "n": number(shown.numbers),
        "seatings": number(len(plan.seatings)),
        "seed": plan.seed,
    }
    if plan.unit == MATCH:
        yield say(msg("{game}: {n} matches, each with {seatings} seatings, seed {seed}", **counts))
    else:
        yield say(msg("{game}: {n} deals, each with {seatings} seatings, seed {seed}", **counts))
    if not shown.numbers:
        return
    yield ""
    yield from _table(_standings(shown, language))
    yield ""
    if len(plan.bots) > 2:
        yield say(msg("How far the bot of a row is ahead of the bot of a column in the same games:"))
        yield from _table(_against(shown, language))
        yield ""
    if plan.rules.low_wins:
        yield say(msg("Few points are good here; who is ahead has fewer."))
    yield say(msg("± is half of a 95 % interval, clustered by deal."))
    if any(one.rating is not None for one in shown.standings):
        yield say(msg("Ratings depend on the order of the games; conclude nothing from them."))
    if shown.voids:
        yield say(msg("{n} games were void and count as 0.", n=number(shown.voids)))
    if shown.broken:
        yield say(msg("{n} games did not end and were broken off.", n=number(shown.broken)))
    for one in shown.standings:
        if one.faults:
            yield say(lost_turns(one.bot, one.faults, language))
    if shown.test is not None:
        yield _verdict(shown.test, plan.bots[0], language)


def _standings(shown: Report, language: Language) -> list[list[str]]:
    say = language.say
    matches = shown.plan.unit == MATCH
    rated = any(one.rating is not None for one in shown.standings)
    head = [say(msg("bot")), say(msg("games"))]
    head += [say(msg("matches won")), say(msg("ahead of the others"))] if matches else []
    head += (
        [say(msg("points per match"))] if matches else [say(msg("points per deal")), say(msg("ahead of the others"))]
    )
    head += [say(msg("rating"))] if rated else []
    rows = [head]
    for one in shown.standings:
        row = [one.bot, language.number(one.games)]
        score = _interval(one.score, language)
        if one.wins is not None:
            row += [_percent(one.wins, language), _percent(one.ahead, language, sign=True), score]
        else:
            row += [score, _interval(one.ahead, language, sign=True)]
        if one.rating is not None:
            row.append(f"{language.number(one.rating.skill, 1)} ± {language.number(one.rating.doubt, 1)}")
        rows.append(row)
    return rows


def _against(shown: Report, language: Language) -> list[list[str]]:
    bots = shown.plan.bots
    rows = [["", *bots]]
    for name, cells in zip(bots, shown.against, strict=True):
        write = _percent if shown.plan.unit == MATCH else _interval
        rows.append([name, *("-" if cell is None else write(cell, language, sign=True) for cell in cells)])
    return rows


def _interval(value: Estimate, language: Language, *, sign: bool = False) -> str:
    half = language.number(value.half, 3) if math.isfinite(value.half) else "?"
    return f"{language.number(value.mean, 3, sign=sign)} ± {half}"


def _percent(value: Estimate, language: Language, *, sign: bool = False) -> str:
    half = language.number(100 * value.half, 1) if math.isfinite(value.half) else "?"
    return f"{language.number(100 * value.mean, 1, sign=sign)} ± {half} %"


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns side by side: the first to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for first, *others in rows:
        cells = [f"{first:<{widths[0]}}", *(f"{cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True))]
        yield "  ".join(cells).rstrip()


def _verdict(test: Sequential, bot: str, language: Language) -> str:
    values = {"bot": bot, "n": language.number(test.deals), "bounds": str(test.bounds)}
    if test.verdict == UPPER:
        return language.say(
            msg("Sequential test {bounds}: after {n} deals the upper bound is accepted for {bot}.", **values)
        )
    if test.verdict == LOWER:
        return language.say(
            msg("Sequential test {bounds}: after {n} deals the lower bound is accepted for {bot}.", **values)
        )
    return language.say(msg("Sequential test {bounds}: after {n} deals it is still open for {bot}.", **values))
