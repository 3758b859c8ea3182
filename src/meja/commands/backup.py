"""``meja backup FILE``: a copy of the table's data, made while it is being served."""

from __future__ import annotations

import argparse
from pathlib import Path

from meja.language import Language
from meja.messages import Message, msg
from meja.server.run import DATABASE, data_folder
from meja.table.backup import Contents, back_up


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("file", metavar="FILE", help=msg("the file to write"))
    parser.add_argument("--data", metavar="DIR", help=msg("folder where matches are kept"))
    parser.add_argument("--force", action="store_true", help=msg("overwrite the file if it is there"))


def run(args: argparse.Namespace, language: Language) -> int:
    """Copy, check, say what is in the copy."""
    folder = Path(args.data) if args.data else data_folder()
    contents = back_up(folder / DATABASE, Path(args.file), replace=args.force)
    print(
        language.say(msg("Backup written to {path}: {contents}.", path=args.file, contents=words(contents, language)))
    )
    return 0


def words(contents: Contents, language: Language) -> Message:
    """``3 tables, 1 finished match, 4 people (0.2 MB)``."""
    many = language.plural
    return msg(
        "{tables}, {records}, {people} ({size} MB)",
        tables=many(contents.tables, msg("{n} table", n=contents.tables), msg("{n} tables", n=contents.tables)),
        records=many(
            contents.records,
            msg("{n} record of a finished match", n=contents.records),
            msg("{n} records of finished matches", n=contents.records),
        ),
        people=many(contents.people, msg("{n} person", n=contents.people), msg("{n} people", n=contents.people)),
        size=language.number(contents.size / 1e6, 1),
    )
