"""Which screen shows which game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from meja.terminal.calabresella import CalabresellaScreen
from meja.terminal.kaluki import KalukiScreen
from meja.terminal.screen import BassadewitzScreen, Screen, SmearScreen

SCREENS: Final[Mapping[str, type[Screen]]] = {
    "bassadewitz": BassadewitzScreen,
    "calabresella": CalabresellaScreen,
    "kaluki": KalukiScreen,
    "smear": SmearScreen,
}
