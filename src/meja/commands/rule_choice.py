"""The arguments with which a command chooses a game and its rules."""

from __future__ import annotations

import argparse
from typing import Final

from meja.cards import quoted
from meja.errors import MejaError, RulesError
from meja.games import game, games
from meja.messages import Message, msg
from meja.rules import STANDARD, Rules

#: The largest seed: every reader of JSON takes it as a whole number.
LARGEST_SEED: Final = 2**63 - 1


def add_rule_arguments(parser: argparse.ArgumentParser, *, game_optional: bool = False) -> None:
    """``GAME``, ``--seats``, ``--preset`` and ``--option`` (repeatable)."""
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="?" if game_optional else None,
        help=msg("one of: {known}", known=", ".join(games())),
    )
    parser.add_argument("--seats", type=int, metavar="N", help=msg("number of players"))
    parser.add_argument("--preset", default=STANDARD, metavar="NAME", help=msg("preset of house rules"))
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=msg("change one house rule; may be given several times"),
    )


def chosen_rules(name: str, seats: int | None, preset: str, options: list[str]) -> Rules:
    """The rules chosen; raises :class:`~meja.errors.RulesError` that names what is wrong."""
    made = game(name).rules
    values = {}
    for text in options:
        key, equals, value = text.partition("=")
        key = key.strip()
        if not equals:
            raise RulesError(msg("{text} is not an option; expected NAME=VALUE", text=quoted(text)))
        if key in values:
            raise RulesError(msg("option {name} is given twice", name=quoted(key)))
        values[key] = made.parse_value(key, value)
    return made.of_options(made.default_seats if seats is None else seats, preset, values)


def add_seed_argument(parser: argparse.ArgumentParser, *, help: Message) -> None:
    """``--seed``, to be read with :func:`chosen_seed`."""
    parser.add_argument("--seed", metavar="N", help=help)


def chosen_seed(text: str | None) -> int | None:
    """The seed chosen, ``None`` if there is none; raises :class:`~meja.errors.MejaError` for anything but a seed."""
    if text is None:
        return None
    if text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= LARGEST_SEED:
        return int(text)
    raise MejaError(
        msg("--seed must be a whole number from 0 to {last}, not {found}", last=LARGEST_SEED, found=quoted(text))
    )
