"""How cards and long lists look on a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TextIO

from meja.cards import RANKS, SUIT_SIGNS, SUITS

_CARD: Final = re.compile(rf"(?:(Jk)=)?([{RANKS}])([{SUITS}]?)|Jk|\?\?")
_ESCAPE: Final = re.compile(r"\x1b\[[0-9;]*m")
_RED: Final = "\x1b[31m"
_BOLD: Final = "\x1b[1m"
_OFF: Final = "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Style:
    """``signs``: cards as ``10♦``, else as records write them (``Td``). ``width``: where lists break, 0 never."""

    signs: bool = False
    colour: bool = False
    width: int = 0

    @classmethod
    def of(cls, stream: TextIO, columns: int, plain: bool, environment: Mapping[str, str]) -> Style:
        """What suits an output stream: signs and colour on a terminal only, and only if wanted."""
        if not stream.isatty():
            return cls()
        dumb = environment.get("TERM", "") == "dumb"
        signs = not plain and _can_write(SUIT_SIGNS, stream.encoding)
        colour = not plain and not dumb and not environment.get("NO_COLOR")
        return cls(signs, colour, max(40, min(columns, 100)) - 1)

    def card(self, text: str) -> str:
        """One card text (``As``, ``Td``, ``Jk=9h``); any other word stays as it is."""
        found = _CARD.fullmatch(text)
        if found is None or not self.signs or found[2] is None:
            return text
        rank = "10" if found[2] == "T" else found[2]
        sign = SUIT_SIGNS[SUITS.index(found[3])] if found[3] else ""
        shown = (f"{found[1]}=" if found[1] else "") + rank + sign
        return f"{_RED}{shown}{_OFF}" if self.colour and found[3] and found[3] in "hd" else shown

    def title(self, text: str) -> str:
        """A line that begins something new."""
        return f"{_BOLD}{text}{_OFF}" if self.colour else text

    def listed(self, head: str, items: Iterable[str], mark: str = ",", gap: str = " ") -> list[str]:
        """``head`` and the items after it, broken into lines between items; later lines are indented.

        ``mark`` ends every item but the last, ``gap`` stands before the next one.
        """
        lines, line = [], head
        words = list(items)
        for index, item in enumerate(words):
            piece = item + (mark if index < len(words) - 1 else "")
            space = gap if index else " "
            if self.width and visible(line) + len(space) + visible(piece) > self.width and line.strip():
                lines.append(line)
                line = "   " + piece
            else:
                line = f"{line}{space}{piece}" if line else piece
        return [*lines, line]

    def folded(self, line: str) -> list[str]:
        """The line, broken between words where it is too wide."""
        if not self.width or visible(line) <= self.width:
            return [line]
        first, *words = line.split(" ")
        lines = [first]
        for word in words:
            if visible(lines[-1]) + 1 + visible(word) > self.width:
                lines.append("   " + word)
            else:
                lines[-1] += " " + word
        return lines


def visible(text: str) -> int:
    """How many columns a text takes."""
    return len(_ESCAPE.sub("", text))


def _can_write(text: str, encoding: str | None) -> bool:
    try:
        text.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
