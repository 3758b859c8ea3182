"""``meja check FILE...``: check records against the format and the rules."""

from __future__ import annotations

import argparse
import json
import sys

from meja.commands.record_files import examine_files
from meja.errors import RecordError
from meja.language import Language
from meja.messages import Message, msg
from meja.record import dumps, examine


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("files", nargs="+", metavar="FILE", help=msg("records (.meja) or collections (.mejal)"))
    parser.add_argument(
        "--strict",
        action="store_true",
        help=msg("also report what only a tolerant reader takes: every word must be written as the format writes it"),
    )


def run(args: argparse.Namespace, language: Language) -> int:
    """Check every file; one line per fault on standard output, exit code 1 if there is any."""
    count = examine_files(args.files, lambda data: _faults(data, args.strict), language)
    print(language.say(count.words(language)), file=sys.stderr)
    return 1 if count.faults else 0


def _faults(data: bytes, strict: bool) -> list[Message]:
    record, faults = examine(data)
    if not faults and record is not None and strict:
        faults = _differences(data, dumps(record))
    return [fault.text for fault in faults]


def _differences(data: bytes, canonical: str) -> list[RecordError]:
    found: list[RecordError] = []
    _compare(json.loads(data), json.loads(canonical), "", found)
    return found


def _compare(given: object, written: object, place: str, found: list[RecordError]) -> None:
    """Collect where a document differs from what the writer would write."""
    if isinstance(given, dict) and isinstance(written, dict):
        for key, value in given.items():
            where = f"{place}.{key}" if place else key
            if key in written:
                _compare(value, written[key], where, found)
            else:
                found.append(RecordError(msg("is the preset's value and need not be written"), where))
        for key in written:
            # The standard preset may be left unsaid.
            if key not in given and (place, key) != ("rules", "preset"):
                found.append(RecordError(msg("the strict form writes the key {key}", key=f'"{key}"'), place))
    elif isinstance(given, list) and isinstance(written, list) and len(given) == len(written):
        for index, (value, other) in enumerate(zip(given, written, strict=True)):
            _compare(value, other, f"{place}[{index}]", found)
    elif given != written:
        found.append(RecordError(msg("the strict form is {text}", text=f'"{written}"'), place))
