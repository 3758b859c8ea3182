"""The four games and their registry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from meja.cards import quoted
from meja.deal import Deal
from meja.errors import RulesError
from meja.games.bassadewitz import Bassadewitz, BassadewitzMatch, BassadewitzRules
from meja.games.calabresella import Calabresella, CalabresellaMatch, CalabresellaRules
from meja.games.kaluki import Kaluki, KalukiMatch, KalukiRules
from meja.games.smear import Smear, SmearMatch, SmearRules
from meja.match import Match
from meja.messages import msg
from meja.rules import STANDARD, Rules, Value


@dataclass(frozen=True, slots=True)
class Game:
    """One game: its name in records and commands, and its classes."""

    name: str
    rules: type[Rules]
    deal: type[Deal[Any]]
    match: type[Match]


def _game(rules: type[Rules], deal: type[Deal[Any]], match: type[Match]) -> Game:
    match.deal_class = deal
    return Game(rules.game, rules, deal, match)


_GAMES = {
    game.name: game
    for game in (
        _game(BassadewitzRules, Bassadewitz, BassadewitzMatch),
        _game(CalabresellaRules, Calabresella, CalabresellaMatch),
        _game(KalukiRules, Kaluki, KalukiMatch),
        _game(SmearRules, Smear, SmearMatch),
    )
}


def games() -> tuple[str, ...]:
    """The names of the games, as records and commands write them."""
    return tuple(_GAMES)


def game(name: str) -> Game:
    """The game of that name; raises :class:`~meja.errors.RulesError` for an unknown one."""
    found = _GAMES.get(name) if isinstance(name, str) else None
    if found is None:
        raise RulesError(
            msg(
                "there is no game {name}; expected one of: {known}",
                name=quoted(name),
                known=", ".join(_GAMES),
            )
        )
    return found


def make_rules(name: str, seats: int | None = None, preset: str = STANDARD, **options: Value) -> Rules:
    """The rules of a game: ``make_rules("smear", 3, target=21)``."""
    return game(name).rules.make(seats, preset, **options)


def new_match(
    rules: Rules | str,
    seats: int | None = None,
    *,
    dealer: int = 0,
    players: list[str] | None = None,
    preset: str = STANDARD,
    **options: Value,
) -> Match:
    """A new match by a game's name and options, or by a :class:`~meja.rules.Rules` object."""
    if isinstance(rules, str):
        made = make_rules(rules, seats, preset, **options)
    elif not isinstance(rules, Rules):
        raise RulesError(msg("expected the name of a game or its rules, found {found}", found=quoted(rules)))
    elif seats is not None or preset != STANDARD or options:
        raise RulesError(msg("the rules are given as an object; seats, preset and options belong into it"))
    else:
        made = rules
    return game(made.game).match(made, dealer, players)
