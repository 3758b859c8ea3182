"""OpenSpiel games: to import this registers ``python_meja_bassadewitz`` and the other three.

Chance is explicit, one card per chance node, so OpenSpiel's own search and learning run on them.
"""

from meja.envs.openspiel.game import (
    BassadewitzGame,
    CalabresellaGame,
    KalukiGame,
    MejaGame,
    MejaObserver,
    MejaState,
    SmearGame,
)

__all__ = [
    "BassadewitzGame",
    "CalabresellaGame",
    "KalukiGame",
    "MejaGame",
    "MejaObserver",
    "MejaState",
    "SmearGame",
]
