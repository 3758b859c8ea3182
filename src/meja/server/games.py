"""What the pages tell about games and rules: lists for the home page, forms, and rule books as HTML."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from markdown_it import MarkdownIt

from meja import rulebook
from meja.bots import LEVELS, USUAL_LEVEL
from meja.bots.levels import slowed
from meja.errors import RulesError
from meja.games import game, games
from meja.language import Language
from meja.messages import Message, msg
from meja.narration.house_rules import changed, choice_text
from meja.rules import Rules
from meja.server.messages import (
    BookAnswer,
    ChoiceOut,
    GameOut,
    GamesAnswer,
    NamedOut,
    OptionOut,
    PhraseOut,
    RulesAnswer,
    SectionOut,
)
from meja.table.people import CLOCKS, PHRASES, Named, levels

_BLURBS: Final[Mapping[str, Message]] = {
    "bassadewitz": msg("Take as few card points as you can: whoever takes most pays most."),
    "calabresella": msg("One against two, without trumps: bid, call a card, and take more points than both others."),
    "kaluki": msg("Rummy with jokers: open with 51 points, lay off everywhere, and go out first."),
    "smear": msg("Bid for High, Low, Jack and Game, make trump with your first card, and be the first to 11."),
}
#: How long a match usually takes, in minutes.
_MINUTES: Final[Mapping[str, tuple[int, int]]] = {
    "bassadewitz": (10, 15),
    "calabresella": (20, 30),
    "kaluki": (20, 40),
    "smear": (10, 20),
}


def all_games(language: Language) -> GamesAnswer:
    """The games, the levels of bots, the clocks and the phrases."""
    say = language.say
    return GamesAnswer(
        games=[_game(name, language) for name in games()],
        clocks=[NamedOut(clock.name, say(clock.title), say(clock.help)) for clock in CLOCKS],
        phrases=[PhraseOut(name, say(text)) for name, text in PHRASES.items()],
    )


def _game(name: str, language: Language) -> GameOut:
    rules, say = game(name).rules, language.say
    return GameOut(
        name=name,
        title=say(rules.title),
        blurb=say(_BLURBS[name]),
        seats=list(rules.seat_numbers),
        default_seats=rules.default_seats,
        minutes=list(_MINUTES[name]),
        presets=[NamedOut(preset, say(rules.preset_titles[preset])) for preset in rules.presets],
        levels=[NamedOut(level.name, say(level.title), _help(level, language)) for level in levels(name)],
        level=USUAL_LEVEL,
    )


def _help(level: Named, language: Language) -> str:
    """What to expect of a level here: without compiled kernels the one that thinks most thinks less."""
    words = language.say(level.help)
    less = slowed() if level.name == LEVELS[-1].name else None
    return words if less is None else f"{words} {language.say(less)}"


def rules_form(rules: Rules, language: Language) -> RulesAnswer:
    """Rules as a form shows them: every option with its words, value, default and choices."""
    base = type(rules).of_options(rules.seats, rules.preset, {}) if _has_base(rules) else rules
    options = []
    for name, option in rules.options().items():
        value = getattr(rules, name)
        # Some options can be without a value only beside another one: that is not for a person to choose.
        chosen = [choice for choice in rules.choices(name) if choice is not None or None in (value, option.default)]
        choices = [ChoiceOut(choice, choice_text(choice, language)) for choice in chosen]
        options.append(
            OptionOut(
                name,
                language.sentence(option.title),
                language.say(option.help),
                option.rule,
                value,
                getattr(base, name),
                choices,
            )
        )
    return RulesAnswer(
        game=rules.game,
        seats=rules.seats,
        preset=rules.preset,
        options=options,
        warnings=[language.sentence(text) for text in rules.warnings()],
        changed=changed(rules, language),
    )


def _has_base(rules: Rules) -> bool:
    """Whether the preset alone makes rules for this number of seats (four at Calabresella need an option)."""
    try:
        type(rules).of_options(rules.seats, rules.preset, {})
    except RulesError:
        return False
    return True


def make_rules(name: str, seats: int | None, preset: str, options: Mapping[str, Any]) -> Rules:
    """Rules as a request gives them; raises ``RulesError``."""
    made = game(name).rules
    return made.of_options(made.default_seats if seats is None else seats, preset, options)


def rules_of_query(name: str, seats: str | None, document: str | None) -> Rules:
    """Rules as an address gives them: the number of seats, and the object of the record format."""
    made = game(name).rules
    if seats is not None and not (seats.isascii() and seats.isdigit() and len(seats) == 1):
        raise RulesError(msg("seats must be a number"))
    try:
        given = json.loads(document) if document else {}
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise RulesError(msg("the rules must be a JSON object"))
    return made.from_dict(int(seats) if seats is not None else made.default_seats, given)


_RULE: Final = re.compile(r"<p><strong>([BCKS]\d+\.\d+)</strong>")
_HEADING: Final = re.compile(r"<h2>(.*?)</h2>")


def book(rules: Rules, language: Language) -> BookAnswer:
    """The rule book as it stands with ``rules``: every rule and section has an address of its own."""
    text = rulebook.render(rules, language.code, language.say, lambda value: choice_text(value, language))
    html = MarkdownIt("commonmark").enable("table").render(text)
    html = _RULE.sub(lambda found: f'<p id="{found[1]}"><b>{found[1]}</b>', html)
    sections: list[SectionOut] = []

    def heading(found: re.Match[str]) -> str:
        sections.append(SectionOut(f"section-{len(sections) + 1}", re.sub(r"<.*?>", "", found[1])))
        return f'<h2 id="{sections[-1].id}">{found[1]}</h2>'

    html = _HEADING.sub(heading, html)
    return BookAnswer(
        title=language.say(rules.title),
        html=re.sub(r"<h1>.*?</h1>\s*", "", html, count=1),
        sections=sections,
        numbers=[number for number in rulebook.numbers(rules.game) if f'id="{number}"' in html],
    )
