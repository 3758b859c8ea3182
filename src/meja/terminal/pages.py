"""Long texts: the rule book on a terminal."""

from __future__ import annotations

import io
import re
import shutil
import textwrap
from typing import Final

from meja.messages import Message, msg
from meja.terminal.console import Console

#: The question between two pages.
MORE: Final[Message] = msg("Enter for more (q to stop):")

_MARKS: Final = re.compile(r"\*\*([^*]+)\*\*|(?<![\w*])\*([^*\n]+)\*(?!\w)|`([^`\n]+)`")


def show(console: Console, text: str, more: str) -> None:
    """Show Markdown: page by page at a terminal (drawn, where there is colour), otherwise as plain lines.

    ``more`` is the question between two pages; ``q`` there leaves the rest out.
    """
    shown = _drawn(text, console.style.width) if console.style.colour else lines(text, console.style.width)
    page = max(5, shutil.get_terminal_size().lines - 1)
    if not console.interactive or len(shown) <= page:
        console.write(shown)
        return
    for start in range(0, len(shown), page):
        console.write(shown[start : start + page])
        if start + page < len(shown) and console.ask(more).strip().lower() == "q":
            return


def _drawn(text: str, width: int) -> list[str]:
    # Only here: it takes longer to load than the rest of the program.
    from rich.console import Console as Rich  # noqa: PLC0415
    from rich.markdown import Markdown  # noqa: PLC0415

    rich = Rich(width=width, force_terminal=True, color_system="standard", file=io.StringIO())
    with rich.capture() as capture:
        rich.print(Markdown(text))
    return capture.get().splitlines()


def lines(text: str, width: int) -> list[str]:
    """Markdown as plain lines, paragraphs broken at ``width`` (0: each one line)."""
    shown = []
    for line in plain(text).splitlines():
        if width and len(line) > width and not line.startswith("|"):
            indent = "  " if re.match(r"\s*[-*] ", line) else ""
            shown += textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False)
        else:
            shown.append(line)
    return shown


def section(text: str, number: str) -> str | None:
    """The section ``## <number>. ...`` of a rule book, or ``None`` where it has none of that number."""
    if not (number.isascii() and number.isdigit()):
        return None
    found = re.search(rf"^## {int(number[:6])}\. .*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found[0].rstrip() if found else None


def plain(text: str) -> str:
    """Markdown without the marks of bold, italic and code."""
    return _MARKS.sub(lambda found: next(filter(None, found.groups())), text)
