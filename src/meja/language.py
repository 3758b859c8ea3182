"""Languages: the catalogue that turns a :class:`~meja.messages.Message` into words people read.

One gettext catalogue per language lies in ``locale/<code>/LC_MESSAGES/meja.mo``, made by
``script/catalogue`` from the templates in the source. English is the source itself.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

from meja.cards import quoted
from meja.errors import RulesError
from meja.messages import CardWord, Message, SeatWord, msg

LANGUAGES: Final = ("en", "id")
DOMAIN: Final = "meja"
LOCALES: Final = Path(__file__).parent / "locale"

_COMMA_AND_POINT: Final = str.maketrans(",.", ".,")
_VARIABLES: Final = ("MEJA_LANG", "LC_ALL", "LC_MESSAGES", "LANG")


class Language:
    """One language, and how cards and seats are written in its sentences.

    ``card`` writes one card text (``"As"``), ``seat`` names a seat; without them cards are
    written as records write them, and a seat is "seat 2". ``lookup`` replaces the catalogue.
    """

    def __init__(
        self,
        code: str = "en",
        *,
        card: Callable[[str], str] = str,
        seat: Callable[[int], str] | None = None,
        lookup: Callable[[str], str] | None = None,
    ) -> None:
        """The language ``code``; raises :class:`~meja.errors.RulesError` for an unknown one."""
        if code not in LANGUAGES:
            raise RulesError(
                msg("there is no language {code}; expected one of: {known}", code=quoted(code), known="en, id")
            )
        self.code = code
        self.card = card
        self.seat = seat
        self._lookup = lookup or _catalogue(code)

    def using(self, *, card: Callable[[str], str], seat: Callable[[int], str]) -> Language:
        """The same language with other writers of cards and seats."""
        return Language(self.code, card=card, seat=seat, lookup=self._lookup)

    def say(self, message: str) -> str:
        """The words of a message in this language; other text stays as it is."""
        if isinstance(message, Message):
            template = self._lookup(message.template) if message.template else ""
            if not message.values:
                return template
            return template.format(**{name: self._value(value) for name, value in message.values.items()})
        if isinstance(message, CardWord):
            return " ".join(self.card(card) for card in message.split())
        if isinstance(message, SeatWord):
            return self.say(msg("seat {number}", number=message.seat)) if self.seat is None else self.seat(message.seat)
        return str(message)

    def sentence(self, message: str) -> str:
        """As :meth:`say`, with a capital letter at the start (a name or "you" may stand there)."""
        return capital(self.say(message))

    def plural(self, number: int, one: Message, other: Message) -> Message:
        """The form that goes with ``number``: English has two, Indonesian one."""
        return one if number == 1 and self.code == "en" else other

    def number(self, value: float, decimals: int = 0, *, sign: bool = False) -> str:
        """A number as it is written: 1,234.5 in English, 1.234,5 in Indonesian; with ``sign`` +3 for 3."""
        text = f"{value:{'+' if sign else ''},.{decimals}f}"
        return text if self.code == "en" else text.translate(_COMMA_AND_POINT)

    def _value(self, value: Any) -> Any:
        return self.say(value) if isinstance(value, Message | CardWord | SeatWord) else value


def capital(text: str) -> str:
    """The text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def detect(code: str | None = None, environment: Mapping[str, str] | None = None) -> str:
    """The language to use: ``code`` if given, else ``MEJA_LANG``, else the locale's, else English."""
    if code is not None:
        return code
    values = os.environ if environment is None else environment
    for name in _VARIABLES:
        value = values.get(name, "")
        if value:
            return "id" if value.lower().replace("-", "_").split("_")[0].split(".")[0] in ("id", "in") else "en"
    return "en"


@contextmanager
def command_line_in(code: str) -> Iterator[None]:
    """While this lasts, ``argparse`` speaks the language: it asks the gettext domain of the process."""
    before = gettext.textdomain(), os.environ.get("LANGUAGE")
    gettext.bindtextdomain(DOMAIN, str(LOCALES))
    gettext.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = code
    try:
        yield
    finally:
        gettext.textdomain(before[0])
        if before[1] is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = before[1]


@cache
def _catalogue(code: str) -> Callable[[str], str]:
    # English has no catalogue, and a missing template falls back to its own text.
    return gettext.translation(DOMAIN, LOCALES, [code], fallback=True).gettext
