"""The words of an output: the screen of the game, with names for all seats."""

from __future__ import annotations

from collections.abc import Sequence

from meja.language import Language, capital
from meja.messages import msg
from meja.narration.screen import Screen
from meja.narration.screens import SCREENS
from meja.narration.style import Style
from meja.rules import Rules

_NOBODY = -1


def screen_of(rules: Rules, language: Language, seat: int | None = None, players: Sequence[str] = ()) -> Screen:
    """The words of the game for the one who sits at ``seat`` (``None``: a spectator).

    Without ``players`` the others are called by the numbers of their seats.
    """
    names = dict(enumerate(players or (seat_name(number, language) for number in range(rules.seats))))
    person = _NOBODY if seat is None else seat
    names.pop(person, None)
    return SCREENS[rules.game](language, Style(signs=True), person, names)


def seat_name(seat: int, language: Language) -> str:
    """The name of a seat that has no other."""
    return capital(language.say(msg("seat {number}", number=seat)))
