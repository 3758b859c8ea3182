"""Rules: the frozen options of a game, their presets, their checks and their text form.

Each game has a frozen dataclass derived from :class:`Rules`, whose fields are the
number of seats and the options of the record format, by the same names and types.
An unknown option, a bad value or a contradiction raises; nothing is corrected.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Final, TypeAlias, TypeVar

from meja.cards import quoted
from meja.display import drawn
from meja.errors import RulesError
from meja.messages import Message, msg

Value: TypeAlias = bool | int | str | None
R = TypeVar("R", bound="Rules")

STANDARD: Final = "standard"
_META: Final = "meja.option"


@dataclass(frozen=True, slots=True)
class Option:
    """What a form, a help text and a check need to know of one option."""

    name: str
    default: Value
    choices: tuple[Value, ...]
    rule: str
    title: Message
    help: Message
    #: True where the choices depend on the number of seats (``Rules.choices`` knows them).
    by_seats: bool = False


def option(
    default: Value,
    *others: Value,
    rule: str,
    title: Message,
    help: Message,
    by_seats: bool = False,
) -> Any:
    """Declare an option of a rules dataclass: its default, the other values, and its words.

    ``rule`` is the number of the rule in the rule book that tells what the option does.
    A switch is declared with its default alone.
    """
    choices = (default, not default) if isinstance(default, bool) else (default, *others)
    made = Option("", default, choices, rule, title, help, by_seats)
    return field(default=default, metadata={_META: made})


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The options of one game for a number of seats. Immutable, hashable, comparable.

    Make one with :meth:`make`, which knows presets; ``Rules.make(4, deals=12)``.
    """

    game: ClassVar[str] = ""
    title: ClassVar[Message]
    #: Goes up when a change would alter the replay of an old record.
    version: ClassVar[int] = 1
    seat_numbers: ClassVar[tuple[int, ...]] = ()
    default_seats: ClassVar[int] = 0
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {STANDARD: {}}
    preset_titles: ClassVar[Mapping[str, Message]] = {}

    seats: int
    preset: str = field(default=STANDARD, compare=False)

    def __post_init__(self) -> None:
        if type(self.seats) is not int or self.seats not in self.seat_numbers:
            raise RulesError(
                msg(
                    "{game} is played by {expected} players, not {seats}",
                    game=self.game,
                    expected=_alternatives(self.seat_numbers),
                    seats=_named(self.seats),
                )
            )
        if self.preset not in self.presets:
            raise RulesError(
                msg(
                    "{game} has no preset {name}; expected one of: {known}",
                    game=self.game,
                    name=quoted(self.preset),
                    known=", ".join(self.presets),
                )
            )
        for name in self.options():
            self._check_value(name, getattr(self, name))
        self.check()

    # -- what a game adds ---------------------------------------------------------

    def check(self) -> None:
        """Raise :class:`RulesError` for options that contradict each other."""

    def warnings(self) -> list[Message]:
        """Combinations that are legal but do not play well, one sentence each."""
        return []

    @property
    def low_wins(self) -> bool:
        """Whether few points are good: they are penalties."""
        return False

    def choices(self, name: str) -> Sequence[Value]:
        """The values that the option may have with this number of seats."""
        return self.options()[name].choices

    @classmethod
    def seat_defaults(cls, seats: int) -> Mapping[str, Value]:
        """Defaults that depend on the number of seats."""
        return {}

    # -- making -------------------------------------------------------------------

    @classmethod
    def options(cls) -> Mapping[str, Option]:
        """All options of the game by name, in the order of the record format."""
        found = _OPTIONS.get(cls)
        if found is None:
            found = _OPTIONS[cls] = _collect(cls)
        return found

    @classmethod
    def make(cls: type[R], seats: int | None = None, preset: str = STANDARD, **options: Value) -> R:
        """The rules of ``preset`` for ``seats`` players with the given options changed.

        Raises :class:`RulesError` for an unknown preset or option, a bad value or a contradiction.
        """
        return cls.of_options(cls.default_seats if seats is None else seats, preset, options)

    @classmethod
    def of_options(cls: type[R], seats: int, preset: str, options: Mapping[str, Any]) -> R:
        """As :meth:`make`, with the options in a mapping whose keys may be anything."""
        for name in options:
            cls._known(name)
        base = cls._preset_values(seats, preset)
        return cls(seats=seats, preset=preset, **cls.settle({**base, **options}, options))

    @classmethod
    def _known(cls, name: str) -> Option:
        """The option of that name; raises for an unknown one."""
        found = cls.options().get(name)
        if found is None:
            raise RulesError(
                msg(
                    "{game} has no option {name}; expected one of: {known}",
                    game=cls.game,
                    name=quoted(name),
                    known=", ".join(cls.options()),
                )
            )
        return found

    @classmethod
    def settle(cls, values: dict[str, Value], given: Mapping[str, Value]) -> dict[str, Any]:
        """Adapt preset values to the options given (an option that replaces another one's default)."""
        return values

    @classmethod
    def _preset_values(cls, seats: int, preset: str) -> dict[str, Value]:
        if not isinstance(preset, str) or preset not in cls.presets:
            raise RulesError(
                msg(
                    "{game} has no preset {name}; expected one of: {known}",
                    game=cls.game,
                    name=quoted(preset),
                    known=", ".join(cls.presets),
                )
            )
        defaults = {name: known.default for name, known in cls.options().items()}
        return {**defaults, **cls.seat_defaults(seats), **cls.presets[preset]}

    @classmethod
    def from_dict(cls: type[R], seats: int, document: Mapping[str, Any]) -> R:
        """Read the ``rules`` object of a record: ``{"preset": NAME, OPTION: VALUE ...}``."""
        given = dict(document)
        preset = given.pop("preset", STANDARD)
        return cls.of_options(seats, preset, given)

    def to_dict(self) -> dict[str, Value]:
        """The ``rules`` object of a record: the preset and the options that differ from it."""
        base = self._preset_values(self.seats, self.preset)
        document: dict[str, Value] = {"preset": self.preset}
        for name in self.options():
            value = getattr(self, name)
            if value != base[name]:
                document[name] = value
        return document

    @classmethod
    def parse_value(cls, name: str, text: str) -> Value:
        """Read an option's value as typed on a command line (``true``, ``11``, ``none``, ``holder``)."""
        known = cls._known(name)
        word = text.strip()
        values: dict[str, Value] = {value_text(choice): choice for choice in known.choices}
        if word in values:
            return values[word]
        lowered = word.lower()
        if isinstance(known.default, bool) and lowered in _SWITCH:
            return _SWITCH[lowered]
        if known.by_seats and word.isascii() and word.isdigit() and len(word) < 10:
            return int(word)
        raise RulesError(
            msg(
                "option {name} cannot be {value}; expected one of: {known}",
                name=name,
                value=quoted(text),
                known=_shown(known.choices),
            )
        )

    # -- showing ------------------------------------------------------------------

    def __str__(self) -> str:
        changed = self.to_dict()
        changed.pop("preset")
        words = [str(self.seats)]
        if self.preset != STANDARD:
            words.append(f'preset="{self.preset}"')
        words += [f"{name}={value!r}" for name, value in changed.items()]
        return f"{self.game}({', '.join(words)})"

    def _repr_html_(self) -> str | None:
        """What notebooks show: the options as they stand."""
        return drawn(self)

    def _check_value(self, name: str, value: Any) -> None:
        choices = self.choices(name)
        if not any(type(value) is type(choice) and value == choice for choice in choices):
            raise RulesError(
                msg(
                    "option {name} cannot be {value}; expected one of: {known}",
                    name=name,
                    value=_named(value),
                    known=_shown(choices),
                )
            )


_SWITCH: Final = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


_OPTIONS: Final[dict[type[Rules], dict[str, Option]]] = {}


def _collect(cls: type[Rules]) -> dict[str, Option]:
    found = {}
    for item in fields(cls):
        made = item.metadata.get(_META)
        if made is not None:
            found[item.name] = Option(
                item.name, made.default, made.choices, made.rule, made.title, made.help, made.by_seats
            )
    return found


def value_text(value: Value) -> str:
    """A value as JSON and command lines write it: ``true``, ``null``, ``11``, ``holder``."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _named(value: Any) -> str:
    """A value that was given, in an error: text in quotes, everything else plain."""
    return value_text(value) if value is None or isinstance(value, bool | int) else quoted(value)


def _alternatives(values: Sequence[int]) -> str:
    """``2, 3 or 4``."""
    *some, last = map(str, values)
    return msg("{a} or {b}", a=", ".join(some), b=last) if some else last


def _shown(values: Iterable[Value]) -> str:
    return ", ".join(value_text(value) for value in values)
