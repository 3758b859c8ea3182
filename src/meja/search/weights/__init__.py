"""Weights of policies, as they were fitted; ``script/policies`` says how and makes them again."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

from meja.errors import MejaError
from meja.messages import msg
from meja.search.policies import NAMES, Policy

#: Goes up when the numbers that policies look at change.
FORMAT: Final = 1


def file_name(game: str, follow_suit: bool | None = None) -> str:
    """Where the weights of a game are kept; Calabresella with the duty to follow suit has its own."""
    return f"{game}-follow.json" if game == "calabresella" and follow_suit else f"{game}.json"


def thumb_policy(rules: Any, temperature: float = 0.0) -> Policy:
    """Rules of thumb as a linear policy, for playouts; raises :class:`~meja.errors.MejaError` for other games."""
    return Policy(_weights(file_name(rules.game, getattr(rules, "follow_suit", None))), temperature)


@cache
def _weights(name: str) -> tuple[float, ...]:
    source = files(__name__).joinpath(name)
    if not source.is_file():
        raise MejaError(msg("there are no weights {name}", name=name))
    document = json.loads(source.read_text(encoding="utf-8"))
    if document["format"] != FORMAT or tuple(document["names"]) != NAMES:
        raise MejaError(msg("the weights {name} are of another version", name=name))
    return tuple(document["weights"])


__all__ = ["FORMAT", "file_name", "thumb_policy"]
