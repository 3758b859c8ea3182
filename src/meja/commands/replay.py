"""``meja replay FILE``: a record step by step."""

from __future__ import annotations

import argparse

from meja.commands.record_files import cannot_read
from meja.errors import MejaError, RecordError
from meja.language import Language
from meja.messages import msg
from meja.record import Record, examine, read_documents
from meja.terminal import replay
from meja.terminal.console import Console


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("file", metavar="FILE", help=msg("a record (.meja) or a collection (.mejal)"))
    parser.add_argument(
        "--match", type=int, default=1, metavar="N", help=msg("which match of a collection (default 1)")
    )
    parser.add_argument("--plain", action="store_true", help=msg("no colour"))


def run(args: argparse.Namespace, language: Language) -> int:
    """Read the record, check it, and go through it. Exit code 1 if it has a fault."""
    try:
        record = _pick(args.file, args.match)
    except OSError as error:
        raise MejaError(msg("{name}: {why}", name=args.file, why=cannot_read(error))) from None
    except RecordError as fault:
        console = Console.of_process(plain=args.plain)
        console.write(f"{args.file}: {language.say(fault.text)}")
        return 1
    replay.run(record, Console.of_process(plain=args.plain), language)
    return 0


def _pick(name: str, number: int) -> Record:
    count = 0
    for _, data in read_documents(name):
        count += 1
        if count == number:
            record, faults = examine(data)
            if faults or record is None:
                raise faults[0]
            return record
    if not count:
        raise RecordError(msg("empty; expected a JSON document"))
    raise MejaError(
        msg("{name} has {count} matches; there is no match {number}", name=name, count=count, number=number)
    )
