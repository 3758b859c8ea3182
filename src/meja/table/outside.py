"""Bots outside at the tables: programs that the host of the server has named. Nobody else can name one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from meja.bots import Advice, Budget
from meja.bots.outside import BotCommand, OutsideBot
from meja.messages import Message
from meja.table.botpool import THINKING, BotPool
from meja.table.people import add_level
from meja.view import View

_LOG: Final = logging.getLogger("meja.table")


class OutsidePool(BotPool):
    """The pool of bots, with programs outside as further levels. Each is asked one question at a time."""

    def __init__(self, workers: int | None, commands: Mapping[str, BotCommand]) -> None:
        super().__init__(workers)
        self._bots = {name: OutsideBot(command, self._telling(name)) for name, command in commands.items()}
        self._threads = {name: ThreadPoolExecutor(1, f"bot {name}") for name in commands}

    def _telling(self, name: str) -> Any:
        def tell(text: Message) -> None:
            self.failures += 1
            _LOG.warning("the bot %s lost a turn: %s", name, text)

        return tell

    def check(self) -> None:
        """Start the programs and offer them at the tables; raises :class:`~meja.errors.MejaError` if one fails."""
        for name, bot in self._bots.items():
            bot.check()
            add_level(name, bot.games)

    async def act(self, level: str, view: View[Any], seed: int) -> Any:
        """As before; what a program outside does not decide, the rules of thumb decide."""
        bot = self._bots.get(level)
        if bot is None:
            return await super().act(level, view, seed)
        budget = Budget(seed=seed, seconds=THINKING)
        return await asyncio.get_running_loop().run_in_executor(self._threads[level], bot.act, view, budget)

    async def advise(self, level: str, view: View[Any], seed: int) -> Advice:
        """As before; of a program outside it is known what it would do, and not why."""
        if level in self._bots:
            return Advice(await self.act(level, view, seed))
        return await super().advise(level, view, seed)

    def close(self) -> None:
        """End the programs and the processes."""
        for name, bot in self._bots.items():
            self._threads[name].shutdown(wait=False, cancel_futures=True)
            bot.close()
        super().close()
