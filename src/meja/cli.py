"""The command ``meja``: its frame. Each sub-command is a module of ``meja.commands``."""

from __future__ import annotations

import argparse
import functools
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

from meja import __version__
from meja.errors import MejaError, system_words
from meja.language import LANGUAGES, Language, command_line_in, detect
from meja.messages import Message, msg

#: Exit codes: a fault was found; the command was used wrongly; the person pressed Ctrl-C.
FAULT: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130

_COMMANDS: Final = {
    "serve": msg("open the table in the browser, for yourself and for friends"),
    "play": msg("play a match against bots at the terminal"),
    "rules": msg("print the rules of a game as they stand with your options"),
    "check": msg("check records of matches"),
    "verify": msg("check that the cards of records were shuffled fairly"),
    "replay": msg("go through a record step by step"),
    "simulate": msg("let bots play matches and write the records"),
    "arena": msg("measure how strong bots are, with duplicate deals"),
    "bot-protocol": msg("be a bot that is asked line by line, for programs outside"),
    "backup": msg("copy the data of the table, also while it is being served"),
    "restore": msg("put a copy of the table's data back"),
    "doctor": msg("find out what is wrong with the table, or with the way to it"),
}


class Parser(argparse.ArgumentParser):
    """An argument parser whose help is in the person's language."""

    def __init__(self, *, language: Language, **kwargs: Any) -> None:
        self.language = language
        # A changed abbreviation would break scripts, so there are none.
        super().__init__(allow_abbrev=False, **kwargs)

    def add_argument(self, *args: Any, **kwargs: Any) -> argparse.Action:
        """As usual; ``help`` may be a message of the catalogue."""
        if isinstance(kwargs.get("help"), Message):
            kwargs["help"] = self.language.say(kwargs["help"])
        return super().add_argument(*args, **kwargs)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code. Never a traceback for what a person typed."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    language = Language("en")
    _mend_streams()
    try:
        language = Language(detect(_language_word(words)))
        if _only_language(words):
            words = ["serve", "--open", *words]
        with command_line_in(language.code):
            args = _parser(language, words).parse_args(words)
        run = _module(args.command).run
        code: int = run(args, language)
        sys.stdout.flush()
    except MejaError as error:
        print(f"meja: {language.say(error.text)}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _stop_writing()
        return 0
    except OSError as error:
        _stop_writing()
        where = "" if error.filename is None else f" ({os.fsdecode(error.filename)})"
        print(f"meja: {language.say(system_words(error))}{where}", file=sys.stderr)
        return USAGE
    return code


def _only_language(words: Sequence[str]) -> bool:
    """Whether nothing was typed but ``meja``, perhaps with a language: then the table opens."""
    return (
        not words or (words[0] == "--lang" and len(words) == 2) or (len(words) == 1 and words[0].startswith("--lang="))
    )


def _mend_streams() -> None:
    """Streams that were closed become empty ones; text that a stream cannot write is written escaped."""
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115
        elif name != "stdin" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _stop_writing() -> None:
    """Whoever read has read enough, or nothing can be written: Python must not try again at its end."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return


def _terminate(*_: object) -> None:
    raise KeyboardInterrupt


def _parser(language: Language, words: Sequence[str]) -> Parser:
    parser = Parser(prog="meja", language=language, description=language.say(msg("Four card games at one table.")))
    parser.add_argument("--version", action="version", version=f"meja {__version__}", help=msg("show the version"))
    _add_language(parser)
    # Any callable that makes a parser will do, though the type says a class.
    maker: Any = functools.partial(Parser, language=language)
    commands = parser.add_subparsers(
        dest="command", required=True, metavar=language.say(msg("COMMAND")), parser_class=maker
    )
    for name, summary in _COMMANDS.items():
        text = language.say(summary)
        command = commands.add_parser(name, help=text, description=text)
        _add_language(command)
        # Only the command in use is loaded: the others would slow down every start.
        if name in words:
            _module(name).add_arguments(command)
    return parser


def _module(command: str) -> Any:
    return import_module(f"meja.commands.{command.replace('-', '_')}")


def _add_language(parser: Parser) -> None:
    parser.add_argument(
        "--lang",
        choices=LANGUAGES,
        default=argparse.SUPPRESS,
        help=msg("language: en or id (default: that of your system, or MEJA_LANG)"),
    )


def _language_word(words: Sequence[str]) -> str | None:
    """The language asked for on the command line; it is needed before the line is read."""
    found = None
    for index, word in enumerate(words):
        if word == "--lang" and index + 1 < len(words):
            found = words[index + 1]
        elif word.startswith("--lang="):
            found = word.removeprefix("--lang=")
    return found


# What argparse itself says; it looks these up in the same catalogue.
_OF_ARGPARSE: Final = (
    msg("usage: "),
    msg("options"),
    msg("positional arguments"),
    msg("show this help message and exit"),
    msg("%(prog)s: error: %(message)s\n"),
    msg("argument %(argument_name)s: %(message)s"),
    msg("the following arguments are required: %s"),
    msg("unrecognized arguments: %s"),
    msg("expected one argument"),
    msg("expected at most one argument"),
    msg("expected at least one argument"),
    msg("ignored explicit argument %r"),
    msg("invalid %(type)s value: %(value)r"),
    msg("invalid choice: %(value)r (choose from %(choices)s)"),
    msg("unknown parser %(parser_name)r (choices: %(choices)s)"),
    msg("not allowed with argument %s"),
)


def run() -> int:
    """The command as a process: an order to end (SIGTERM) ends it as tidily as Ctrl-C does."""
    signal.signal(signal.SIGTERM, _terminate)
    return main()


if __name__ == "__main__":
    sys.exit(run())
