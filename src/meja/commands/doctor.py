"""``meja doctor``: what is wrong with the table, or with the way to it."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from meja.language import Language
from meja.messages import Message, msg
from meja.server.assets import Assets
from meja.server.doctor import FAULT, OK, WARNING, Finding, examine_here
from meja.server.run import DATABASE, PORT, data_folder
from meja.server.way import examine_way

_WORDS: Final[Mapping[str, Message]] = {OK: msg("ok"), WARNING: msg("warning"), FAULT: msg("fault")}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("--data", metavar="DIR", help=msg("folder where matches are kept"))
    parser.add_argument(
        "--url", metavar="URL", help=msg("look at the way to the table, too: the address that people use")
    )
    parser.add_argument("--host", default="127.0.0.1", help=msg("address that the table is to listen on"))
    parser.add_argument("--port", type=int, default=PORT, help=msg("port that the table is to listen on"))


def run(args: argparse.Namespace, language: Language) -> int:
    """A line for everything that was looked at; exit code 1 if something is at fault."""
    counted: Counter[str] = Counter()
    width = max(len(language.say(word)) for word in _WORDS.values())

    def show(finding: Finding) -> None:
        counted[finding.level] += 1
        advice = "" if finding.advice is None else f" -> {language.say(finding.advice)}"
        print(f"{language.say(_WORDS[finding.level]):{width}}  {language.say(finding.text)}{advice}", flush=True)

    folder = Path(args.data) if args.data else data_folder()
    for finding in examine_here(folder, folder / DATABASE, args.host, args.port):
        show(finding)
    if args.url:
        print(language.say(msg("Looking at {url}; this takes about 20 seconds ...", url=args.url)), file=sys.stderr)
        for finding in examine_way(args.url, Assets().build):
            show(finding)
    faults, warnings = counted[FAULT], counted[WARNING]
    print(
        language.say(
            msg(
                "{faults}, {warnings}",
                faults=language.plural(faults, msg("{n} fault", n=faults), msg("{n} faults", n=faults)),
                warnings=language.plural(warnings, msg("{n} warning", n=warnings), msg("{n} warnings", n=warnings)),
            )
        ),
        file=sys.stderr,
    )
    return 1 if faults else 0
