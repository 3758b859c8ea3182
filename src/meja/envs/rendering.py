"""An episode in words: what a spectator sees, and never a hidden card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from meja.envs.core import Session
from meja.language import Language
from meja.messages import SeatWord, msg
from meja.narration import sheet
from meja.narration.screens import SCREENS
from meja.narration.style import Style
from meja.view import Event

RENDER_MODES: Final = ("human", "ansi")
_NOBODY: Final = -1


class Narrator:
    """Listens to a session and tells it to somebody who has no seat; ``names`` are those of the seats."""

    def __init__(self, session: Session, names: Sequence[str]) -> None:
        self.session = session
        self.screen = SCREENS[session.options.rules.game](Language(), Style(), _NOBODY, dict(enumerate(names)))
        #: What was told since :meth:`forget`.
        self.told: list[str] = []
        session.listener = self.hear

    def forget(self) -> None:
        """Begin anew: what was told is old."""
        self.told = []

    def hear(self, events: list[Event]) -> None:
        """Tell what an action brought about; a score sheet at the end of a deal."""
        match, screen = self.session.match, self.screen
        view = match.view(None)
        for event in events:
            self.told += screen.event(event.seen_by(None), view)
        if match.deal is None:
            self.told += sheet.deal_lines(screen, match)
            if match.winners is not None:
                self.told += sheet.end_lines(screen, match)

    def text(self) -> str:
        """What was told, how the table looks now, and who is to act."""
        session, screen = self.session, self.screen
        lines = list(self.told)
        if session.offender is not None:
            lines.append(screen.say(msg("{seat} did what is not allowed.", seat=SeatWord(session.offender))))
        if session.to_act is not None:
            view = session.view(None)
            lines += [screen.heading(view), *screen.table(view)]
            lines.append(screen.say(msg("{seat} is to act.", seat=SeatWord(session.to_act))))
        return "\n".join(lines)
