"""``meja simulate GAME``: whole matches between bots, as records."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from meja.arena import Summary, simulate
from meja.bots import BOTS, RULES_OF_THUMB, make_bot
from meja.cards import quoted
from meja.commands.rule_choice import add_rule_arguments, add_seed_argument, chosen_rules, chosen_seed
from meja.errors import MejaError
from meja.language import Language
from meja.messages import msg
from meja.record import Record, save_all


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_rule_arguments(parser)
    parser.add_argument("--matches", type=int, default=1, metavar="N", help=msg("how many matches (default 1)"))
    parser.add_argument(
        "--bots",
        default=RULES_OF_THUMB,
        metavar="NAME[,NAME...]",
        help=msg("one bot for all seats, or one per seat; known: {known}", known=", ".join(BOTS)),
    )
    add_seed_argument(parser, help=msg("the same seed gives the same matches"))
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help=msg("processes to use (default 1)"))
    parser.add_argument("--out", metavar="FILE.mejal", help=msg("write the records to this file, one per line"))


def run(args: argparse.Namespace, language: Language) -> int:
    """Play the matches, write the records, and print a summary."""
    seed = chosen_seed(args.seed) or 0
    rules = chosen_rules(args.game, args.seats, args.preset, args.option)
    bots = bot_names(args.bots, rules.seats)
    for name in bots:
        make_bot(name, rules.game)
    if args.matches < 1:
        raise MejaError(msg("--matches must be at least 1, not {found}", found=args.matches))
    if args.jobs < 1:
        raise MejaError(msg("--jobs must be at least 1, not {found}", found=args.jobs))
    if args.out is not None:
        _check_writable(args.out)
    for warning in rules.warnings():
        print(f"meja: {language.say(warning)}", file=sys.stderr)
    summary = Summary()
    began = time.perf_counter()
    with _progress(args.matches, language.say(msg("matches"))) as advance:

        def counted() -> Iterator[Record]:
            for record in simulate(rules, bots, args.matches, seed, args.jobs):
                summary.add(record)
                advance()
                yield record

        if args.out is not None:
            save_all(args.out, counted())
        else:
            for _ in counted():
                pass
    _print_summary(summary, bots, time.perf_counter() - began, language)
    return 0


def bot_names(text: str, seats: int) -> list[str]:
    """``NAME`` for every seat, or ``NAME,NAME...`` with one per seat."""
    names = [name.strip() for name in text.split(",")]
    if len(names) == 1:
        return names * seats
    if len(names) != seats:
        raise MejaError(
            msg(
                "--bots names {found} bots for {seats} seats; expected one name, or one per seat",
                found=len(names),
                seats=seats,
            )
        )
    return names


def _check_writable(name: str) -> None:
    """Refuse an impossible file before hours of play, not after."""
    path = Path(name)
    folder = path.parent
    if os.path.isdir(name):
        raise MejaError(msg("{name} is a folder; expected a file", name=quoted(name)))
    if not os.path.isdir(folder):
        raise MejaError(msg("{name} cannot be written: there is no folder {folder}", name=quoted(name), folder=folder))
    if not os.access(folder, os.W_OK):
        raise MejaError(msg("{name} cannot be written: no permission", name=quoted(name)))


@contextmanager
def _progress(total: int, unit: str) -> Iterator[Callable[[], None]]:
    """A progress bar on the error stream of a terminal; nothing elsewhere."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda: None
        return
    columns = (TextColumn(unit), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(unit, total=total)
        yield lambda: progress.advance(task)


def _print_summary(summary: Summary, bots: list[str], seconds: float, language: Language) -> None:
    print(
        language.say(
            msg(
                "{matches} matches, {deals} deals ({voids} void, {unfinished} matches broken off), {rate} deals/s",
                matches=language.number(summary.matches),
                deals=language.number(summary.deals),
                voids=language.number(summary.voids),
                unfinished=language.number(summary.unfinished),
                rate=language.number(summary.deals / seconds) if seconds > 0 else "-",
            )
        )
    )
    for seat, name in enumerate(bots):
        mean = summary.points[seat] / summary.deals if summary.deals else 0.0
        print(
            language.say(
                msg(
                    "seat {seat} {name}: {wins} matches won, {mean} points per deal",
                    seat=seat,
                    name=name,
                    wins=language.number(summary.wins[seat]),
                    mean=language.number(mean, 2, sign=True),
                )
            )
        )
