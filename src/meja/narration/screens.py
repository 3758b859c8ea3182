"""Which screen shows which game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from meja.narration.calabresella import CalabresellaScreen
from meja.narration.kaluki import KalukiScreen
from meja.narration.screen import BassadewitzScreen, Screen, SmearScreen

SCREENS: Final[Mapping[str, type[Screen]]] = {
    "bassadewitz": BassadewitzScreen,
    "calabresella": CalabresellaScreen,
    "kaluki": KalukiScreen,
    "smear": SmearScreen,
}
