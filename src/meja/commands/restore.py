"""``meja restore FILE``: put a copy of the table's data back."""

from __future__ import annotations

import argparse
from pathlib import Path

from meja.commands.backup import words
from meja.language import Language
from meja.messages import msg
from meja.server.run import DATABASE, data_folder
from meja.table.backup import restore


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("file", metavar="FILE", help=msg("a file that meja backup wrote"))
    parser.add_argument("--data", metavar="DIR", help=msg("folder where matches are kept"))
    parser.add_argument(
        "--force", action="store_true", help=msg("replace the data that is there (it is kept under another name)")
    )


def run(args: argparse.Namespace, language: Language) -> int:
    """Check the copy, keep the old data aside, put the copy in its place."""
    folder = Path(args.data) if args.data else data_folder()
    contents, aside = restore(Path(args.file), folder / DATABASE, replace=args.force)
    print(language.say(msg("Restored in {path}: {contents}.", path=str(folder), contents=words(contents, language))))
    if aside is not None:
        print(language.say(msg("The old data is kept in {path}.", path=str(aside))))
    return 0
