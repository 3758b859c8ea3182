"""Walks through episodes by ids that masks allow, for the tests of the environments."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from meja.cards import Rng
from meja.envs.core import Options, Session
from meja.games import games
from meja.rules import Rules
from meja.testing import all_presets, random_rules, single_options

PRESETS = [rules for name in games() for rules in all_presets(name)]
SINGLES = [rules for name in games() for rules in single_options(name)]
MIXES = [random_rules(name, Rng(77, seed)) for name in games() for seed in range(12)]

#: No action has more ids: 16 cards, and the start and the close of five melds.
LONGEST = 27


def session(rules: Rules, seed: int, **options: Any) -> Session:
    """A session that has begun."""
    made = Session(Options(rules, **options))
    made.reset(seed)
    return made


def eager(made: Session, rng: Rng) -> int:
    """An allowed id by chance, but rather one that takes, lays or swaps than one that draws or discards."""
    ids = made.ids()
    busy = [number for number in ids if not made.codes.names[number].startswith(("draw", "discard"))]
    return int(rng.choice(busy if busy and made.options.rules.game == "kaluki" and rng.below(8) else ids))


def decisions(made: Session, seed: int) -> Iterator[int]:
    """Play an episode to its end; the seat to act at every decision, before it is taken."""
    rng = Rng(seed, 99)
    while made.to_act is not None:
        assert len(made.prefix) < LONGEST
        yield made.to_act
        made.step(eager(made, rng))


def whole_decisions(made: Session, seed: int) -> Iterator[int]:
    """As :func:`decisions`, but only where no action is half-finished."""
    return (seat for seat in decisions(made, seed) if not made.prefix)


def some_legal(view: Any, most: int) -> list[Any]:
    """The legal actions of a view; of very many the first ``most``."""
    return list(islice(iter(view.legal), most))


def paths(codes: Any, view: Any, most: int) -> dict[tuple[int, ...], Any] | None:
    """Every sequence of ids that masks allow, with the action it is; ``None`` where there are more than ``most``."""
    found: dict[tuple[int, ...], Any] = {}
    open_paths: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), ())]
    while open_paths:
        prefix, path = open_paths.pop()
        ids = codes.ids(view, prefix)
        assert ids, f"a dead end: {[codes.names[number] for number in path]}"
        assert len(path) < LONGEST
        for number in ids:
            after, action = codes.step(view, prefix, number)
            if action is None:
                open_paths.append((after, (*path, number)))
            else:
                assert after == ()
                found[(*path, number)] = action
        if len(found) + len(open_paths) > most:
            return None
    return found
