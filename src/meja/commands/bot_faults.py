"""The words for turns that a bot outside has lost."""

from __future__ import annotations

from collections.abc import Mapping

from meja.bots.outside import FAULTS
from meja.language import Language
from meja.messages import Message, msg


def lost_turns(bot: str, faults: Mapping[str, int], language: Language) -> Message:
    """Which turns the bot has lost, by kind."""
    number = language.number
    kinds = ", ".join(
        f"{number(count)} x {language.say(FAULTS[kind]) if kind in FAULTS else kind}" for kind, count in faults.items()
    )
    return msg(
        "The bot {bot} lost {n} turns to the rules of thumb: {kinds}",
        bot=bot,
        n=number(sum(faults.values())),
        kinds=kinds,
    )
