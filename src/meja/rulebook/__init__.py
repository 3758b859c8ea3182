"""The rule book: numbered rules in English and Indonesian, as they stand with given options.

One template per game and language (``<game>.<language>.md``) is the source of the pages
in ``docs/rules`` and of ``meja rules``. Every rule is a paragraph that begins with its
number in bold: ``**B3.2** ...``. Score lines, refusals and tests cite these numbers.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any, Final

import jinja2

from meja.cards import quoted
from meja.errors import MejaError
from meja.games import game
from meja.messages import Message, msg
from meja.rulebook.words import glossary
from meja.rules import Rules, value_text

LANGUAGES: Final = ("en", "id")
_NUMBER: Final = re.compile(r"^\*\*([BCKS]\d+\.\d+)\*\*", re.MULTILINE)


def render(rules: Rules, language: str = "en", translate: Any = str, value: Any = None) -> str:
    """The rules of a game as Markdown, as they stand with the options of ``rules``.

    ``translate`` turns catalogue messages (titles and help of options) into ``language``; ``value`` turns an
    option's value into words, for readers who type no options.
    """
    template = _environment(language).get_template(f"{rules.game}.{language}.md")

    def option(name: str) -> str:
        """The line of an option: its title, its name and value now, its help, the other values."""
        known = rules.options()[name]
        if value is not None:
            head = f"*{translate(known.title)}*: **{value(getattr(rules, name))}**."
            return f"{head} {translate(known.help)}"
        now = value_text(getattr(rules, name))
        # Many lengths of a match are possible; the help tells them.
        others = "" if known.by_seats else ", ".join(f"`{value_text(value)}`" for value in rules.choices(name))
        values = translate(msg("values: {values}", values=others)) if others else ""
        head = (
            f"*{translate(known.title)}* (`{name}`, {translate(msg('now'))} `{now}`{'; ' + values if values else ''})."
        )
        return f"{head} {translate(known.help)}"

    text = template.render(r=rules, option=option)
    title = "Words" if language == "en" else "Kata-kata"
    text = f"{text.rstrip()}\n\n## {title}\n\n{glossary(rules.game, language)}\n"
    # A condition at the end of a rule swallows the line that parts it from the next one.
    text = re.sub(r"\n(?=\*\*[BCKS]\d|## )", "\n\n", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def numbers(name: str) -> list[str]:
    """All rule numbers of a game, in the order of the book (the English template, all branches)."""
    return list(dict.fromkeys(_NUMBER.findall(_source(name, "en"))))


def rule(rules: Rules, number: str, language: str = "en", translate: Any = str) -> str:
    """The text of one rule, without its number; raises for a number that is not in the book."""
    text = render(rules, language, translate)
    found = re.search(rf"^\*\*{re.escape(number)}\*\* ?(.*?)(?=\n\n|\n\*\*[BCKS]\d|\Z)", text, re.M | re.S)
    if found is None:
        raise MejaError(msg("{game} has no rule {number}", game=rules.game, number=quoted(number)))
    return " ".join(found.group(1).split())


def _source(name: str, language: str) -> str:
    return (files("meja.rulebook") / f"{game(name).name}.{language}.md").read_text(encoding="utf-8")


@cache
def _environment(language: str) -> jinja2.Environment:
    if language not in LANGUAGES:
        raise MejaError(
            msg("no rule book in {language}; expected one of: {known}", language=quoted(language), known="en, id")
        )
    return jinja2.Environment(
        loader=jinja2.PackageLoader("meja.rulebook", ""),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )


__all__ = ["LANGUAGES", "Message", "numbers", "render", "rule"]
