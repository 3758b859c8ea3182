"""``meja play [GAME]``: a match against bots at the terminal."""

from __future__ import annotations

import argparse
import getpass
import os
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from meja.bots import BOTS, USUAL_LEVEL
from meja.bots.outside import OutsideBot, bot_commands
from meja.cards import quoted
from meja.commands.bot_faults import lost_turns
from meja.commands.rule_choice import add_rule_arguments, add_seed_argument, chosen_rules, chosen_seed
from meja.errors import MejaError
from meja.games import game, games
from meja.language import Language
from meja.messages import Message, msg
from meja.narration.screens import SCREENS
from meja.record import Record, load
from meja.rules import STANDARD
from meja.terminal import saving
from meja.terminal.console import Console
from meja.terminal.loop import Loop
from meja.terminal.table import Table, new_seed

_LAST: Final = "last"
_PAUSES: Final = {"slow": 1.0, "normal": 0.3, "fast": 0.0}
_QUIT: Final = ("q", "quit")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_rule_arguments(parser, game_optional=True)
    parser.add_argument(
        "--bots",
        metavar="NAME[,NAME...]",
        help=msg("one bot for all other seats, or one per seat; known: {known}", known=", ".join(BOTS)),
    )
    parser.add_argument(
        "--bot-command",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help=msg("a bot that is a program outside (see: meja bot-protocol); may be given several times"),
    )
    add_seed_argument(parser, help=msg("the same seed gives the same cards"))
    parser.add_argument("--record", metavar="FILE", help=msg("write the record of the match to this file"))
    parser.add_argument(
        "--resume",
        nargs="?",
        const=_LAST,
        metavar="FILE",
        help=msg("go on with the match kept last, or with the one in FILE"),
    )
    parser.add_argument("--name", metavar="NAME", help=msg("your name in the record"))
    parser.add_argument("--plain", action="store_true", help=msg("no colour and no suit signs"))
    parser.add_argument(
        "--speed",
        choices=tuple(_PAUSES),
        default="normal",
        help=msg("how long to wait after each move of a bot, at a terminal (default normal)"),
    )
    parser.add_argument("--no-pause", action="store_true", help=msg("never wait, not between two deals either"))


def run(args: argparse.Namespace, language: Language) -> int:
    """Play, from the choice of a game to the end of the match."""
    console = Console.of_process(plain=args.plain, pause=0.0 if args.no_pause else _PAUSES[args.speed])
    record = None if args.record is None else Path(args.record)
    if record is not None:
        saving.check_writable(record)
    outside = {name: OutsideBot(command) for name, command in bot_commands(args.bot_command).items()}
    try:
        for bot in outside.values():
            bot.check(args.game)
        return _play(args, language, console, record, outside)
    except EOFError:
        return 0
    finally:
        for name, bot in outside.items():
            bot.close()
            if bot.faults:
                print(f"meja: {language.say(lost_turns(name, bot.faults, language))}", file=sys.stderr)


def _play(
    args: argparse.Namespace,
    language: Language,
    console: Console,
    record: Path | None,
    outside: Mapping[str, OutsideBot],
) -> int:
    chosen = _table(args, language, console, outside)
    if chosen is None:
        return 0
    table, place, again = chosen
    if record is not None and os.path.realpath(record) == os.path.realpath(place):
        raise MejaError(msg("the match is kept in {path}; its record needs another file", path=quoted(record, 200)))
    loop = Loop(
        console,
        language,
        table,
        SCREENS,
        place=place,
        record=record or again,
        wait_between_deals=console.interactive and not args.no_pause,
    )
    return loop.run()


def _table(
    args: argparse.Namespace, language: Language, console: Console, outside: Mapping[str, OutsideBot]
) -> tuple[Table, Path, Path | None] | None:
    """The table to sit down at, where it is kept, and where its record was to go; ``None``: the person left."""

    def say(message: Message) -> None:
        console.write(language.say(message))

    if args.resume is not None:
        _refuse_with_resume(args)
        found = _Saved(Path(args.resume), outside) if args.resume != _LAST else _newest(say, outside)
        if found is None:
            raise MejaError(msg("no match is kept; start one with: {command}", command=saving.command()))
        return found.table, found.path, None if args.record is not None else found.record_path(say)
    seed = chosen_seed(args.seed)
    player = _player(args.name)
    name = args.game
    if name is None:
        answer = _choose(language, console, outside)
        if isinstance(answer, _Saved):
            return answer.table, answer.path, None if args.record is not None else answer.record_path(say)
        if answer is None:
            return None
        name = answer
    rules = chosen_rules(name, args.seats, args.preset, _completed(name, args.seats, args.option))
    bots = _bots(args.bots, rules.seats - 1, tuple(outside))
    table = Table(rules, bots, new_seed() if seed is None else seed, player, outside=outside)
    return table, saving.new_place(name), None


def _completed(name: str, seats: int | None, options: list[str]) -> list[str]:
    """The options, with the one that four players of Calabresella cannot do without."""
    option = "dealer_sits_out"
    if name != "calabresella" or seats != 4 or any(text.partition("=")[0].strip() == option for text in options):
        return options
    return [*options, f"{option}=true"]


def _bots(text: str | None, others: int, outside: Sequence[str] = ()) -> list[str]:
    """One name for every other seat; whoever brings a bot wants to play against it."""
    names = [*outside] or [USUAL_LEVEL] if text is None else [name.strip() for name in text.split(",")]
    if len(names) == 1:
        names *= others
    if len(names) != others:
        raise MejaError(
            msg(
                "{found} bots are named, but {expected} other seats are to be filled", found=len(names), expected=others
            )
        )
    return names


def _player(text: str | None) -> str:
    """The name for the record: the one that was given, else that of the account."""
    if not text:
        return _user()
    name = text
    if not text.isprintable():
        # The terminal says it writes another alphabet, but most write UTF-8.
        with suppress(UnicodeError):
            name = os.fsencode(text).decode()
    if not name.isprintable():
        raise MejaError(msg("--name must be a text that can be printed, not {found}", found=quoted(text)))
    return name


def _user() -> str:
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        name = ""
    return name if name and name.isprintable() else "player"


# -- going on with a match --------------------------------------------------------


def _refuse_with_resume(args: argparse.Namespace) -> None:
    given = {
        "GAME": args.game is not None,
        "--seats": args.seats is not None,
        "--preset": args.preset != STANDARD,
        "--option": bool(args.option),
        "--bots": args.bots is not None,
        "--seed": args.seed is not None,
        "--name": args.name is not None,
    }
    for name, is_given in given.items():
        if is_given:
            raise MejaError(msg("{name} cannot be chosen with --resume: the match has it already", name=name))


class _Saved:
    """A match that was left, as its file has it; raises :class:`~meja.errors.MejaError` for anything else."""

    def __init__(self, path: Path, outside: Mapping[str, OutsideBot]) -> None:
        self.path = path
        self._record = _load(path)
        try:
            self.table, self._meta = Table.resumed(self._record, outside)
        except MejaError as error:
            raise _of_file(path, error) from None

    def record_path(self, say: Callable[[Message], None]) -> Path | None:
        """Where the record was to go. If that must not be overwritten, it is said, and the answer is ``None``."""
        wanted = self._meta["table"].get("record")
        if not isinstance(wanted, str):
            return None
        path = Path(wanted)
        try:
            # Whoever wrote a file from elsewhere has no say in what is overwritten here.
            if not saving.is_kept(self.path):
                raise MejaError(msg("this match was not kept here"))
            saving.check_stays_this_match(path, self._record)
        except MejaError as error:
            say(
                msg(
                    "No record will be written to {path}: {why}. Name a file with --record.",
                    path=quoted(path, 200),
                    why=error.text,
                )
            )
            return None
        return path


def _newest(say: Callable[[Message], None], outside: Mapping[str, OutsideBot]) -> _Saved | None:
    """The match kept last, of those that can be gone on with; the others are told."""
    for path in saving.saved_games():
        try:
            return _Saved(path, outside)
        except MejaError as error:
            say(msg("Skipped: {text}", text=error.text))
    return None


def _load(path: Path) -> Record:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            # Reading a pipe might wait for ever.
            raise MejaError(msg("not an ordinary file"))
        return load(path)
    except OSError as error:
        raise saving.cannot_read(path, error) from None
    except MejaError as error:
        raise _of_file(path, error) from None


def _of_file(path: Path, error: MejaError) -> MejaError:
    return MejaError(msg("{path}: {text}", path=str(path), text=error.text))


# -- choosing a game --------------------------------------------------------------


def _choose(language: Language, console: Console, outside: Mapping[str, OutsideBot]) -> str | _Saved | None:
    """Ask for a game: its name, a kept match to go on with, or ``None`` to leave."""
    names = games()
    kept = _newest(lambda message: console.write(language.say(message)), outside)
    console.write(language.say(msg("Which game?")))
    for number, name in enumerate(names, 1):
        rules = game(name).rules
        console.write(f"{number}) {_described(language, rules.title, rules.seat_numbers)}")
    if kept is not None:
        console.write(f"{len(names) + 1}) {language.say(msg('Go on with the match kept last'))}")
    while True:
        text = console.ask(language.say(msg("Number or name (q to leave):"))).strip().lower()
        if text in _QUIT:
            return None
        if kept is not None and text == str(len(names) + 1):
            return kept
        if not text:
            # The question comes again; a bare Enter needs no scolding.
            continue
        found = _named(text, names, language)
        if found is not None:
            return found
        console.write(language.say(msg("{text} is none of these games.", text=quoted(text))))


def _described(language: Language, title: Message, seats: tuple[int, ...]) -> str:
    players = "-".join(map(str, (seats[0], seats[-1])))
    return language.say(msg("{game} ({players} players)", game=title, players=players))


def _named(text: str, names: tuple[str, ...], language: Language) -> str | None:
    if text.isascii() and text.isdigit() and len(text) < 3 and 1 <= int(text) <= len(names):
        return names[int(text) - 1]
    fitting = [
        name
        for name in names
        if text and (name.startswith(text) or language.say(game(name).rules.title).lower() == text)
    ]
    return fitting[0] if len(fitting) == 1 else None
