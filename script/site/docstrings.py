"""Docstrings as the reference shows them.

Roles become links, examples become code, and comments that begin with ``#:`` tell of attributes.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from griffe import Attribute, Docstring, Extension, Object

_EXAMPLE: Final = re.compile(r"^( *)>>> .*(?:\n.*\S.*)*", re.MULTILINE)
_ROLE: Final = re.compile(r":[a-z]+:`(?:([^`<]+) <([^`>]+)>|(~?)([^`]+))`")


class Docstrings(Extension):
    """Turns the words of the source into those of the site."""

    def on_object(self, *, obj: Object, **kwargs: Any) -> None:
        """Rewrite the docstring of anything that was found."""
        if obj.docstring is not None:
            obj.docstring.value = _linked(obj, obj.docstring.value)

    def on_attribute_instance(self, *, attr: Attribute, **kwargs: Any) -> None:
        """Take the comment above an attribute for its docstring."""
        if attr.docstring is None and attr.lineno and isinstance(attr.filepath, Path):
            found = []
            lines = attr.filepath.read_text(encoding="utf-8").splitlines()
            for line in reversed(lines[: attr.lineno - 1]):
                comment = line.strip()
                if not comment.startswith("#:"):
                    break
                found.append(comment[2:].strip())
            if found:
                attr.docstring = Docstring(_linked(attr, " ".join(reversed(found))), parent=attr)


def _linked(obj: Object, text: str) -> str:
    """The text with links for roles; what is on no page stays plain code."""

    def link(found: re.Match[str]) -> str:
        target = found[2] or found[4]
        shown = found[1] or (target.rpartition(".")[2] if found[3] else target)
        if not target.startswith("meja."):
            try:
                target = obj.resolve(target)
            except Exception:  # griffe has several errors for a name that is not known
                return f"`{shown}`"
        return f'<autoref identifier="{target}" optional>`{shown}`</autoref>'

    return _EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", _ROLE.sub(link, text))
