"""``meja rules GAME``: the rule book, as it stands with the options chosen."""

from __future__ import annotations

import argparse

from meja import rulebook
from meja.commands.rule_choice import add_rule_arguments, chosen_rules
from meja.language import Language
from meja.messages import msg
from meja.terminal import pages
from meja.terminal.console import Console


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_rule_arguments(parser)
    parser.add_argument("--plain", action="store_true", help=msg("no colour and no pages"))


def run(args: argparse.Namespace, language: Language) -> int:
    """Print the rules; warnings about the options come first."""
    console = Console.of_process(plain=args.plain)
    rules = chosen_rules(args.game, args.seats, args.preset, args.option)
    notes = [f"> {language.say(msg('Note: {warning}', warning=warning))}\n" for warning in rules.warnings()]
    text = "\n".join([*notes, rulebook.render(rules, language.code, language.say)])
    try:
        pages.show(console, text, language.say(pages.MORE))
    except EOFError:
        console.write("")
    return 0
