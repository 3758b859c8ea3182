"""Long texts: the rule book on a terminal."""

from __future__ import annotations

import re
import sys
import textwrap
from typing import Final

from meja.terminal.console import Console

_MARKS: Final = re.compile(r"\*\*([^*]+)\*\*|(?<![\w*])\*([^*\n]+)\*(?!\w)|`([^`\n]+)`")


def show(console: Console, text: str) -> None:
    """Show Markdown: drawn and page by page on a terminal with colour, otherwise as plain lines."""
    if console.interactive and console.style.colour and console.target is sys.stdout:
        # Only here: it takes longer to load than the rest of the program.
        from rich.console import Console as Rich  # noqa: PLC0415
        from rich.markdown import Markdown  # noqa: PLC0415

        rich = Rich(width=console.style.width)
        drawn = Markdown(text)
        if sys.stdin.isatty():
            with rich.pager(styles=True):
                rich.print(drawn)
        else:
            rich.print(drawn)
        return
    console.write(lines(text, console.style.width))


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


def plain(text: str) -> str:
    """Markdown without the marks of bold, italic and code."""
    return _MARKS.sub(lambda found: next(filter(None, found.groups())), text)
