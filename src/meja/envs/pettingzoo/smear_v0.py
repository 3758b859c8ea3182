"""Cutthroat Canadian Smear for PettingZoo."""

from __future__ import annotations

from typing import Any

from meja.envs.pettingzoo.aec import GameEnv


class raw_env(GameEnv):
    """Cutthroat Canadian Smear; the options are those of :class:`~meja.envs.pettingzoo.aec.GameEnv`."""

    game = "smear"


def env(**options: Any) -> raw_env:
    """Cutthroat Canadian Smear, ready for use; the options are those of :class:`~meja.envs.pettingzoo.aec.GameEnv`."""
    return raw_env(**options)
