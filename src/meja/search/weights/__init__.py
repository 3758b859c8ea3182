"""Weights of policies, as they were fitted; ``script/policies`` says how and makes them again."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

from meja.errors import MejaError
from meja.messages import msg
from meja.search.policies import NAMES, Policy

#: Goes up when the numbers that policies look at change; numbers added at the end are no change.
FORMAT: Final = 1

#: The two kinds of learned weights: one weight per number, and a net with a hidden layer.
LINEAR: Final = "linear"
NET: Final = "net"


def file_name(game: str, follow_suit: bool | None = None) -> str:
    """Where the rules of thumb of a game are kept; Calabresella with the duty to follow suit has its own."""
    return f"{game}-follow.json" if game == "calabresella" and follow_suit else f"{game}.json"


def learned_name(rules: Any, kind: str) -> str:
    """Where the learned weights for these rules of Bassadewitz or Smear are kept."""
    name = str(rules.game)
    if getattr(rules, "classic_pool", False):
        name += "-pool"
    if getattr(rules, "low", "holder") == "taker":
        name += "-taker"
    return f"{name}-{kind}.json"


def thumb_policy(rules: Any, temperature: float = 0.0) -> Policy:
    """Rules of thumb as a linear policy, for playouts; raises :class:`~meja.errors.MejaError` for other games."""
    return read_policy(file_name(rules.game, getattr(rules, "follow_suit", None)), temperature)


def learned_policy(rules: Any, kind: str = NET, temperature: float = 0.0) -> Policy:
    """What was learned for these rules of Bassadewitz or Smear; the scores are in points of the deal.

    Raises :class:`~meja.errors.MejaError` for other games.
    """
    return read_policy(learned_name(rules, kind), temperature)


def read_policy(name: str, temperature: float = 0.0) -> Policy:
    """The policy in a file of this folder; raises :class:`~meja.errors.MejaError` where there is none."""
    weights, hidden = _weights(name)
    return Policy(weights, temperature, hidden)


@cache
def _weights(name: str) -> tuple[tuple[float, ...], tuple[tuple[float, ...], ...]]:
    source = files(__name__).joinpath(name)
    if not source.is_file():
        raise MejaError(msg("there are no weights {name}", name=name))
    document = json.loads(source.read_text(encoding="utf-8"))
    if document["format"] != FORMAT or tuple(document["names"]) != NAMES[: len(document["names"])]:
        raise MejaError(msg("the weights {name} are of another version", name=name))
    return tuple(document["weights"]), tuple(tuple(row) for row in document.get("hidden", ()))


__all__ = ["FORMAT", "LINEAR", "NET", "file_name", "learned_name", "learned_policy", "read_policy", "thumb_policy"]
