"""Walks through the OpenSpiel games, for their tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyspiel

import meja.envs.openspiel  # noqa: F401 - the import registers the games
from meja.cards import Rng


def load(name: str, **parameters: Any) -> Any:
    """A game with parameters."""
    return pyspiel.load_game(f"python_meja_{name}", parameters)


def drawn(state: Any, rng: Rng) -> int:
    """An outcome of chance."""
    pick, found = rng.random(), 0
    for outcome, probability in state.chance_outcomes():
        found = int(outcome)
        pick -= probability
        if pick < 0:
            break
    return found


Choice = Callable[[list[str]], list[str]]


def busy(names: list[str]) -> list[str]:
    """Rather what takes, lays or swaps than what draws or discards."""
    found = [name for name in names if not name.startswith(("draw", "discard"))]
    return found or names


def play(state: Any, rng: Rng, choice: Choice | None = None) -> None:
    """Play to the end by chance, of the names that ``choice`` leaves."""
    while not state.is_terminal():
        advance(state, rng, choice)


def advance(state: Any, rng: Rng, choice: Choice | None = None) -> None:
    """One move."""
    if state.is_chance_node():
        state.apply_action(drawn(state, rng))
        return
    names = {state.action_to_string(number): number for number in state.legal_actions()}
    left = list(names) if choice is None else choice(list(names)) or list(names)
    state.apply_action(names[rng.choice(left)])


def walk(game: Any, rng: Rng, choice: Choice | None = None) -> Iterator[Any]:
    """The states of an episode: one object, as it goes on."""
    state = game.new_initial_state()
    while not state.is_terminal():
        yield state
        advance(state, rng, choice if choice is None or rng.below(8) else None)
    yield state


def forced(game: Any, names: Sequence[str], seed: int = 1) -> Any:
    """A state after the cards were dealt by chance and these actions were done."""
    state, rng = game.new_initial_state(), Rng(seed)
    for name in [*names, None]:
        while state.is_chance_node():
            state.apply_action(drawn(state, rng))
        if name is not None:
            state.apply_action(state.string_to_action(name))
    return state
