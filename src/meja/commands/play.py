"""``meja play [GAME]``: a match against bots at the terminal."""

from __future__ import annotations

import argparse
import getpass
from pathlib import Path
from typing import Final

from meja.bots import BOTS, RULES_OF_THUMB
from meja.cards import quoted
from meja.commands.rule_choice import add_rule_arguments, chosen_rules
from meja.errors import MejaError
from meja.games import game, games
from meja.language import Language
from meja.messages import Message, msg
from meja.record import Record, load
from meja.rules import STANDARD
from meja.terminal import saving
from meja.terminal.console import Console
from meja.terminal.loop import Loop
from meja.terminal.screens import SCREENS
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
    parser.add_argument("--seed", type=int, metavar="N", help=msg("the same seed gives the same cards"))
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
    try:
        chosen = _table(args, language, console)
    except EOFError:
        return 0
    if chosen is None:
        return 0
    table, place, again = chosen
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


def _table(args: argparse.Namespace, language: Language, console: Console) -> tuple[Table, Path, Path | None] | None:
    """The table to sit down at, where it is kept, and where its record was to go; ``None``: the person left."""
    if args.resume is not None:
        _refuse_with_resume(args)
        return _resumed(_saved_file(args.resume))
    name = args.game
    if name is None:
        answer = _choose(language, console)
        if not isinstance(answer, str):
            return None if answer is None else _resumed(answer)
        name = answer
    rules = chosen_rules(name, args.seats, args.preset, _completed(name, args.seats, args.option))
    seed = new_seed() if args.seed is None else args.seed
    bots = _bots(args.bots, rules.seats - 1)
    return Table(rules, bots, seed, args.name or _user()), saving.new_place(name), None


def _completed(name: str, seats: int | None, options: list[str]) -> list[str]:
    """The options, with the one that four players of Calabresella cannot do without."""
    option = "dealer_sits_out"
    if name != "calabresella" or seats != 4 or any(text.partition("=")[0].strip() == option for text in options):
        return options
    return [*options, f"{option}=true"]


def _bots(text: str | None, others: int) -> list[str]:
    names = [RULES_OF_THUMB] if text is None else [name.strip() for name in text.split(",")]
    if len(names) == 1:
        names *= others
    if len(names) != others:
        raise MejaError(
            msg(
                "{found} bots are named, but {expected} other seats are to be filled", found=len(names), expected=others
            )
        )
    return names


def _user() -> str:
    """A name for the record: that of the account."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "player"


# -- going on with a match --------------------------------------------------------


def _refuse_with_resume(args: argparse.Namespace) -> None:
    given = {
        "GAME": args.game,
        "--seats": args.seats,
        "--preset": args.preset != STANDARD,
        "--option": args.option,
        "--bots": args.bots,
        "--seed": args.seed,
        "--name": args.name,
    }
    for name, value in given.items():
        if value:
            raise MejaError(msg("{name} cannot be chosen with --resume: the match has it already", name=name))


def _saved_file(text: str) -> Path:
    if text != _LAST:
        return Path(text)
    found = saving.saved_games()
    if not found:
        raise MejaError(msg("no match is kept; start one with: {command}", command=saving.command()))
    return found[0]


def _resumed(path: Path) -> tuple[Table, Path, Path | None]:
    record = _load(path)
    table, meta = Table.resumed(record)
    wanted = meta["table"].get("record")
    again = Path(wanted) if isinstance(wanted, str) and Path(wanted).parent.is_dir() else None
    return table, path, again


def _load(path: Path) -> Record:
    try:
        return load(path)
    except OSError as error:
        raise saving.cannot_read(path, error) from None
    except MejaError as error:
        raise MejaError(msg("{path}: {text}", path=str(path), text=error.text)) from None


# -- choosing a game --------------------------------------------------------------


def _choose(language: Language, console: Console) -> str | Path | None:
    """Ask for a game: its name, a kept match to go on with, or ``None`` to leave."""
    names = games()
    kept = saving.saved_games()[:1]
    console.write(language.say(msg("Which game?")))
    for number, name in enumerate(names, 1):
        rules = game(name).rules
        console.write(f"{number}) {_described(language, rules.title, rules.seat_numbers)}")
    if kept:
        console.write(f"{len(names) + 1}) {language.say(msg('Go on with the match kept last'))}")
    while True:
        text = console.ask(language.say(msg("Number or name (q to leave):"))).strip().lower()
        if text in _QUIT:
            return None
        if kept and text == str(len(names) + 1):
            return kept[0]
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
