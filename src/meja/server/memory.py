"""When Python looks for unreachable cycles: at times of our own, so that it does not hold moves up.

Left to itself it goes through everything that lives again and again; with thousands of connections that takes
a tenth of a second and more, in the middle of a move.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from typing import Final

#: New objects before the young are looked through, and how often that before the older of them are.
_YOUNG: Final = (2_000, 10)
#: Looking through everything takes at most this share of the time, unless there is much more than after the last time.
_SHARE: Final = 1 / 2_000
_MUCH: Final = 1.5
_LEAST: Final = 5.0


async def collect_in_turn() -> None:
    """Take the collection of cycles over, until cancelled."""
    before = gc.get_threshold()
    gc.collect()
    # Modules and classes stay as long as the process.
    gc.freeze()
    gc.set_threshold(*_YOUNG, sys.maxsize >> 33)
    try:
        while True:
            began = time.perf_counter()
            gc.collect()
            took = time.perf_counter() - began
            blocks = sys.getallocatedblocks()
            due = began + max(_LEAST, took / _SHARE)
            while time.perf_counter() < due and sys.getallocatedblocks() < _MUCH * blocks:
                await asyncio.sleep(_LEAST)
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
