"""Reading lines from a person or a script, and writing lines."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterable
from typing import TextIO

from meja.narration.style import Style


class Console:
    """The two ends of a terminal or of a pipe. ``pause``: seconds after each thing that others do."""

    def __init__(self, source: TextIO, target: TextIO, *, plain: bool = False, pause: float = 0.0) -> None:
        self.source = source
        self.target = target
        self.interactive = source.isatty() and target.isatty()
        self.style = Style.of(target, shutil.get_terminal_size().columns, plain, os.environ)
        self.pause = pause if self.interactive else 0.0

    @classmethod
    def of_process(cls, *, plain: bool = False, pause: float = 0.0) -> Console:
        """The console on the standard streams. Bytes that are no text neither stop reading nor writing."""
        for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "replace")):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                reconfigure(errors=errors)
        return cls(sys.stdin, sys.stdout, plain=plain, pause=pause)

    def write(self, lines: str | Iterable[str]) -> None:
        """Write one line or several; a terminal's are broken between words."""
        for line in [lines] if isinstance(lines, str) else lines:
            for part in self.style.folded(line):
                self.target.write(part + "\n")
        self.target.flush()

    def ask(self, prompt: str) -> str:
        """Ask for a line; raises ``EOFError`` at the end of the input."""
        if self.interactive and self.source is sys.stdin and self.target is sys.stdout:
            _line_editing()
            return input(f"{prompt} ")
        # Nobody echoes a script's line, so the prompt ends its own.
        self.target.write(f"{prompt} " if self.interactive else f"{prompt}\n")
        self.target.flush()
        line = self.source.readline()
        if not line:
            raise EOFError
        return line.rstrip("\r\n")

    def wait(self) -> None:
        """A moment to read what somebody else has done."""
        if self.pause:
            time.sleep(self.pause)


def printable(text: str) -> str:
    """Text from somebody's file, without control characters that would work on the terminal."""
    return "".join(character for character in text if character.isprintable())[:200]


def _line_editing() -> None:
    # Importing it is what gives input() its history and editing keys.
    try:
        import readline  # noqa: F401, PLC0415
    except ImportError:
        return
