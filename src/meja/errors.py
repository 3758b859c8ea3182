"""The error family. Every error names the thing, says what was expected and where."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from meja.messages import Message, msg


class MejaError(ValueError):
    """The parent of all errors of this library; ``text`` is the sentence for people."""

    def __init__(self, text: Message) -> None:
        super().__init__(str(text))
        self.text = text

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.text,))


class CardTextError(MejaError):
    """A text that is no card."""


class ActionTextError(MejaError):
    """A text that is no action of the game."""


class RulesError(MejaError):
    """An unknown game, preset or option, a bad value, or options that contradict each other."""


class RecordError(MejaError):
    """A record that is not `meja/1`, or whose actions or numbers do not fit the rules.

    ``place`` says where, for example ``deals[3].actions[17]``; it is empty for the
    document as a whole.
    """

    def __init__(self, text: Message, place: str = "") -> None:
        super().__init__(msg("{place}: {text}", place=place, text=text) if place else text)
        self.place = place
        self.problem = text

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.problem, self.place))


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an action is illegal: a stable code, a sentence, and the number of the rule."""

    code: str
    text: Message
    rule: str


class IllegalAction(MejaError):
    """An action that the rules do not allow now; the state is as it was before."""

    def __init__(self, reason: Reason, action: str) -> None:
        super().__init__(msg("{action}: {text} (rule {rule})", action=action, text=reason.text, rule=reason.rule))
        self.reason = reason
        self.code = reason.code
        self.rule = reason.rule
        self.action = action

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.reason, self.action))


class NotYourTurn(MejaError):
    """A seat acted while another one is to act."""


class GameOver(MejaError):
    """An action after the end of the deal or of the match."""


#: What the system says most often of a file, in its own words: these can be said in other languages too.
_OF_SYSTEM: Final[Mapping[int, Message]] = {
    errno.ENOENT: msg("No such file or directory"),
    errno.EACCES: msg("Permission denied"),
    errno.EPERM: msg("Operation not permitted"),
    errno.EISDIR: msg("Is a directory"),
    errno.ENOTDIR: msg("Not a directory"),
    errno.EEXIST: msg("File exists"),
    errno.ENOSPC: msg("No space left on device"),
    errno.EDQUOT: msg("Disk quota exceeded"),
    errno.EROFS: msg("Read-only file system"),
    errno.ENAMETOOLONG: msg("File name too long"),
    errno.EIO: msg("Input/output error"),
}


def system_words(error: OSError) -> str:
    """What the system says is wrong; of the usual things as a :class:`~meja.messages.Message`."""
    known = None if error.errno is None else _OF_SYSTEM.get(error.errno)
    return known or error.strerror or str(error)
