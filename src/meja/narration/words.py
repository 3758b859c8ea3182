"""The words of actions, for people: shown in their language, read in theirs and in the records'."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from meja.language import Language
from meja.messages import CardWord, Message, msg

#: verb of the records -> its words with the cards or the number; what stands before the field is the verb typed.
_VERBS: Final[Mapping[str, Message]] = {
    "play": msg("play {what}"),
    "pass": msg("pass"),
    "bid": msg("bid {what}"),
    "call": msg("call {what}"),
    "give": msg("give {what}"),
    "discard": msg("discard {what}"),
    "raise": msg("raise {what}"),
    "draw": msg("draw"),
    "take": msg("take {what}"),
    "meld": msg("meld {what}"),
    "open": msg("open {what}"),
    "add": msg("add {what}"),
    "swap": msg("swap {what}"),
}
#: What the screen calls a verb elsewhere, and people type.
_ALSO: Final[Mapping[str, str]] = {"raise": "declare"}
_ARGUMENTS: Final[Mapping[str, Message]] = {
    "chiamo": msg("chiamo"),
    "solo": msg("solo"),
    "solissimo": msg("solissimo"),
    "plain": msg("plain"),
    "dividete": msg("dividete"),
    "scegliete": msg("scegliete"),
}


#: The same with a card and a meld.
_AT_A_MELD: Final[Mapping[str, Message]] = {
    "add": msg("add {card} to meld {number}"),
    "swap": msg("swap {card} in meld {number}"),
}
_WITH_A_MELD: Final = re.compile(r"(\S+) m([0-9]+)")


def action_words(text: str) -> Message:
    """The words of an action given as a record writes it: ``"play As"``; melds are counted from 1, as people do."""
    verb, _, rest = text.partition(" ")
    found = _WITH_A_MELD.fullmatch(rest)
    if verb in _AT_A_MELD and found is not None:
        return Message(_AT_A_MELD[verb].template, card=CardWord(found[1]), number=int(found[2]) + 1)
    known = _VERBS.get(verb)
    if known is None:
        return msg("{action}", action=text)
    what = argument_word(rest) if rest in _ARGUMENTS else CardWord(rest)
    return Message(known.template, what=what) if "{" in known.template else known


def typed_words(text: str) -> Message:
    """As :func:`action_words`, with cards as a keyboard writes them: an example for somebody to type."""
    words = action_words(text)
    return Message(words.template, **{name: str(value) for name, value in words.values.items()})


def argument_word(word: str) -> Message:
    """The word of a bid or a raise."""
    return _ARGUMENTS[word]


def strict_text(language: Language, text: str) -> str:
    """What somebody typed, with the verb and the bids of ``language`` replaced by those of the records."""
    words = text.split()
    if not words:
        return ""
    first = words[0].lower()
    for verb, message in _VERBS.items():
        if first in (language.say(message).split("{")[0].strip().lower(), _ALSO.get(verb)):
            words[0] = verb
            break
    return " ".join(_strict_argument(language, word) for word in words)


def _strict_argument(language: Language, word: str) -> str:
    lowered = word.lower()
    for argument, message in _ARGUMENTS.items():
        if lowered == language.say(message).lower():
            return argument
    return word


def verbs() -> tuple[str, ...]:
    """All verbs of the records."""
    return tuple(_VERBS)
