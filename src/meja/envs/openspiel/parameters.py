"""The parameters of a game in OpenSpiel: numbers, words and switches in a flat table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from meja.cards import quoted
from meja.deal import check_dealer
from meja.envs.core import Options
from meja.errors import MejaError, RulesError
from meja.games import game
from meja.messages import msg
from meja.rules import STANDARD, Rules, Value

#: The parameter ``dealer`` where chance draws who deals first.
DRAWN: Final = -1


def specification(name: str) -> dict[str, Any]:
    """The parameters of a game and their defaults."""
    return {
        "players": game(name).rules.default_seats,
        "preset": STANDARD,
        "options": "",
        "episode": "deal",
        "reward": "points",
        "zero_sum": False,
        "dealer": DRAWN,
    }


class Parameters:
    """The parameters of one game, read and checked.

    ``options``: how it is played. ``dealer``: the first dealer, or ``None`` where chance draws one. ``table``: the
    parameters again, the house rules written so that OpenSpiel can read them back from the text of a game.
    """

    def __init__(self, name: str, given: Mapping[str, Any]) -> None:
        known = specification(name)
        for parameter in given:
            if parameter not in known:
                raise MejaError(
                    msg(
                        "there is no parameter {found}; expected one of: {known}",
                        found=quoted(parameter),
                        known=", ".join(known),
                    )
                )
        self.table: dict[str, Any] = {**known, **given}
        made = game(name).rules
        words = house_rules(self.table["options"])
        values = {option: made.parse_value(option, word) for option, word in words.items()}
        rules = rules_of(made, self.table["players"], self.table["preset"], values)
        self.options = Options(rules, self.table["episode"], self.table["reward"], self.table["zero_sum"])
        first = self.table["dealer"]
        self.dealer: int | None = None
        if type(first) is not int or first != DRAWN:
            check_dealer(rules, first)
            self.dealer = first
        # A second "=" would end the value where OpenSpiel reads it.
        self.table["options"] = " ".join([f"{option}:{word}" for option, word in words.items()])


def rules_of(made: type[Rules], players: Any, preset: Any, values: Mapping[str, Value]) -> Rules:
    """The rules with these options; four at Calabresella means that the dealer sits out, as it must."""
    if made.game == "calabresella" and players == 4:
        values = {"dealer_sits_out": True, **values}
    return made.of_options(players, preset, values)


def house_rules(text: Any) -> dict[str, str]:
    """The words of ``"target=21 low=taker"`` by option; a colon does as well as an equals sign."""
    if not isinstance(text, str):
        raise RulesError(msg("the options of a game are one text, not {found}", found=quoted(text)))
    found: dict[str, str] = {}
    for word in text.split():
        name, sign, value = re.match(r"([^=:]*)([=:]?)(.*)", word, re.DOTALL).groups()  # type: ignore[union-attr]
        if not sign:
            raise RulesError(msg("{text} is not an option; expected NAME=VALUE", text=quoted(word)))
        if name in found:
            raise RulesError(msg("option {name} is given twice", name=quoted(name)))
        found[name] = value
    return found
