"""``meja verify FILE...``: check that the cards of records follow from the seeds of the fair shuffle."""

from __future__ import annotations

import argparse
import sys
from typing import Final

from meja.commands.record_files import Count, examine_files
from meja.errors import RecordError
from meja.language import Language
from meja.messages import Message, msg
from meja.record import Record, examine
from meja.table.fair import check_record
from meja.terminal.console import printable

_PROVED: Final = (
    msg(
        "Proved: the cards of these deals follow from the seeds in the record, and the server's seed is the one "
        "that the commitment in the record was made from."
    ),
    msg(
        "Not proved: that this commitment is the one the table showed before the deal, and that your own seed is "
        "among those in the record. Compare both with what your browser kept (--show prints them)."
    ),
    msg("Not proved either: that nobody looked at the cards. Whoever keeps the server can."),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("files", nargs="+", metavar="FILE", help=msg("records (.meja) or collections (.mejal)"))
    parser.add_argument("--show", action="store_true", help=msg("print the commitment and the seeds of every deal"))


def run(args: argparse.Namespace, language: Language) -> int:
    """Check every file; one line per fault on standard output, exit code 1 if there is any."""
    deals = 0

    def faults_of(data: bytes) -> list[Message]:
        nonlocal deals
        record, faults = examine(data)
        if faults or record is None:
            return [fault.text for fault in faults]
        try:
            checks = check_record(record)
        except RecordError as fault:
            return [fault.text]
        if args.show:
            _show(record, language)
        deals += len(checks)
        return [
            msg("deal {deal}: {problem}", deal=check.deal, problem=check.problem)
            for check in checks
            if check.problem is not None
        ]

    count = examine_files(args.files, faults_of, language)
    print(language.say(_counted(count, deals, language)), file=sys.stderr)
    if count.faults:
        return 1
    if deals:
        for text in _PROVED:
            print(language.say(text), file=sys.stderr)
    return 0


def _counted(count: Count, deals: int, language: Language) -> Message:
    checked = language.plural(
        deals, msg("{deals} deal checked", deals=deals), msg("{deals} deals checked", deals=deals)
    )
    return msg("{checked}; {read}", checked=checked, read=count.words(language))


def _show(record: Record, language: Language) -> None:
    """What everybody can compare with what was on the table: every deal's commitment and seeds."""
    fairness = record.fairness or {}
    for entry in fairness["deals"]:
        print(
            language.say(
                msg(
                    "table {table}, deal {deal}: {commit}",
                    table=fairness["table"],
                    deal=entry["deal"],
                    commit=entry["commit"],
                )
            )
        )
        for seat, seed in sorted(entry["client_seeds"].items()):
            print(
                language.say(msg("  seed of {player}: {seed}", player=printable(record.players[int(seat)]), seed=seed))
            )
