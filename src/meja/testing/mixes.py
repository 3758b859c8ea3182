"""Option mixes to test with: presets, every option value alone, and random mixes."""

from __future__ import annotations

from collections.abc import Iterator

from meja.cards import Rng
from meja.errors import RulesError
from meja.games import game
from meja.rules import STANDARD, Rules, Value


def all_presets(name: str) -> Iterator[Rules]:
    """Every preset of a game with every number of seats that it can be played with."""
    made = game(name).rules
    for seats in made.seat_numbers:
        for preset in made.presets:
            found = _possible(made, seats, preset, {})
            if found is not None:
                yield found


def single_options(name: str) -> Iterator[Rules]:
    """Every value of every option alone, with every number of seats that allows it.

    An option that needs another one (as its error says) is tried with that one switched on.
    """
    made = game(name).rules
    for option in made.options().values():
        for seats in made.seat_numbers:
            for value in option.choices:
                if option.by_seats and isinstance(value, int) and value > 2 * seats + 2:
                    continue
                found = _possible(made, seats, STANDARD, {option.name: value})
                if found is not None:
                    yield found
                    continue
                for helper in made.options().values():
                    if helper.default is False and helper.name != option.name:
                        found = _possible(made, seats, STANDARD, {option.name: value, helper.name: True})
                        if found is not None:
                            yield found


def random_rules(name: str, rng: Rng, seats: int | None = None) -> Rules:
    """A random valid mix of options: about half of them changed."""
    made = game(name).rules
    while True:
        players = seats if seats is not None else rng.choice(made.seat_numbers)
        options: dict[str, Value] = {}
        for option in made.options().values():
            if rng.below(2):
                options[option.name] = rng.choice(option.choices)
        found = _possible(made, players, rng.choice(tuple(made.presets)), options)
        if found is not None:
            return found


def _possible(made: type[Rules], seats: int, preset: str, options: dict[str, Value]) -> Rules | None:
    try:
        return made.of_options(seats, preset, options)
    except RulesError:
        return None
