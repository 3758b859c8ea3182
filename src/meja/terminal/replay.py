"""Going through a record step by step, forward and back, with all cards shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from meja.language import Language
from meja.match import Match
from meja.messages import msg
from meja.narration import house_rules, sheet
from meja.narration.screens import SCREENS
from meja.record import Record
from meja.terminal.console import Console, printable
from meja.terminal.table import NAMES
from meja.view import Event

#: No seat: the replay speaks of everybody by name.
NOBODY = -1
_BOT: Final = "bot:"


class Replay:
    """A record and the place in it: the deal, and how many of its actions are done."""

    def __init__(self, record: Record, console: Console, language: Language) -> None:
        """``record`` must be one that was read and checked."""
        self.record = record
        self.console = console
        names = dict(enumerate(_names(record.players)))
        self._titles = [_titled(name, player) for name, player in zip(names.values(), record.players, strict=True)]
        self.screen = SCREENS[record.game](language, console.style, NOBODY, names)
        self.match: Match = record.start()
        self.deal = -1
        self.done = 0

    # -- moving -------------------------------------------------------------------

    def forward(self) -> list[str]:
        """Do the next thing; returns what there is to say of it, nothing at the end of the record."""
        if self.deal >= 0 and self.done < len(self.record.deals[self.deal].actions):
            seat, text = self.record.deals[self.deal].actions[self.done]
            events = self.match.apply(text, seat)
            self.done += 1
            return self._told(events)
        if self.deal + 1 < len(self.record.deals):
            self.deal += 1
            self.done = 0
            self.record.start_deal(self.match, self.deal)
            return self._opening()
        return []

    def go(self, deal: int, done: int) -> list[str]:
        """Go to a place; returns what was said last there."""
        self.match = self.record.start()
        self.deal, self.done = -1, 0
        lines: list[str] = []
        while (self.deal, self.done) < (deal, done):
            lines = self.forward()
            if not lines and self.at_end():
                break
        return lines

    def back(self) -> list[str]:
        """One step back."""
        if self.done > 0:
            return self.go(self.deal, self.done - 1)
        if self.deal > 0:
            return self.go(self.deal - 1, len(self.record.deals[self.deal - 1].actions))
        return self.go(0, 0)

    def next_deal(self) -> list[str]:
        """On to the start of the next deal, or to the end of this one if it is the last."""
        if self.deal + 1 < len(self.record.deals):
            return self.go(self.deal + 1, 0)
        return self.go(self.deal, len(self.record.deals[self.deal].actions)) if self.record.deals else []

    def at_end(self) -> bool:
        """Whether nothing follows."""
        last = len(self.record.deals) - 1
        return self.deal == last and (last < 0 or self.done == len(self.record.deals[last].actions))

    # -- saying -------------------------------------------------------------------

    def title(self) -> list[str]:
        """What record this is."""
        screen = self.screen
        lines = [screen.style.title(f"{screen.say(self.record.rules.title)}: {', '.join(self._titles)}")]
        rules = self.record.rules
        changed = "; ".join(house_rules.changed(rules, screen.language))
        lines.append(
            screen.say(
                msg("{seats} players. House rules: {rules}.", seats=rules.seats, rules=changed)
                if changed
                else msg("{seats} players, no house rules.", seats=rules.seats)
            )
        )
        for key in ("comment", "ended"):
            text = (self.record.meta or {}).get(key)
            if isinstance(text, str):
                lines.append(printable(text))
        return lines

    def hands(self) -> list[str]:
        """Everybody's cards as they are now."""
        deal = self.match.deal or (self.match.deals[-1] if self.match.deals else None)
        if deal is None:
            return []
        lines = []
        for seat in range(self.record.rules.seats):
            cards = deal.view(seat).hand
            if cards:
                lines.append(f"  {self.screen.name(seat)}: {self.screen.cards(cards)}")
        return lines

    def scores(self) -> list[str]:
        """The scores up to here."""
        return sheet.score_lines(self.screen, self.match)

    def _opening(self) -> list[str]:
        assert self.match.deal is not None
        view = self.match.deal.view(None)
        return ["", self.screen.heading(view), *self.hands()]

    def _told(self, events: list[Event]) -> list[str]:
        deal = self.match.deal or self.match.deals[-1]
        view = deal.view(None)
        lines: list[str] = []
        for event in events:
            lines += self.screen.event(_everything(event), view)
        if deal.over:
            lines += sheet.deal_lines(self.screen, self.match)
            if self.match.over:
                lines += sheet.end_lines(self.screen, self.match)
        return lines


def run(record: Record, console: Console, language: Language) -> None:
    """Go through the record: step by step with a person, all at once for a pipe."""
    replay = Replay(record, console, language)
    console.write(replay.title())
    if not console.interactive:
        while not replay.at_end():
            console.write(replay.forward())
        return
    say = replay.screen.say
    console.write(say(msg("Enter: next. b: back. d: next deal. h: hands. s: scores. a: all the rest. q: quit.")))
    console.write(replay.forward())
    while True:
        if replay.at_end():
            console.write(say(msg("The end of the record.")))
        place = msg(
            "Deal {deal}, action {done} of {all}:",
            deal=replay.deal + 1,
            done=replay.done,
            all=len(record.deals[replay.deal].actions) if record.deals else 0,
        )
        try:
            word = console.ask(say(place)).strip().lower()
        except EOFError:
            return
        if word == "q":
            return
        if word == "a":
            while not replay.at_end():
                console.write(replay.forward())
        elif word in _KEYS:
            console.write(_KEYS[word](replay))
        else:
            console.write(say(msg("Press Enter, or type one of b, d, h, s, a, q.")))


_KEYS: Mapping[str, Any] = {
    "": Replay.forward,
    "n": Replay.forward,
    "b": Replay.back,
    "d": Replay.next_deal,
    "h": Replay.hands,
    "s": Replay.scores,
}


def _everything(event: Event) -> dict[str, Any]:
    """The event with all that any seat saw of it."""
    seen = event.seen_by(None)
    for private in event.private.values():
        seen.update(private)
    return seen


def _names(players: tuple[str, ...]) -> list[str]:
    """The players' names, bots' as at the table; equal ones are told apart by their seats, counted from 1."""
    people = {name for name in players if not name.startswith(_BOT)}
    free = [name for name in NAMES if name not in people]
    shown = []
    for seat, player in enumerate(players):
        if player.startswith(_BOT):
            # The seat's own name, where nobody else has it.
            usual = NAMES[seat]
            shown.append(free.pop(free.index(usual) if usual in free else 0))
        else:
            shown.append(printable(player) or str(seat + 1))
    return [f"{name} ({seat + 1})" if shown.count(name) > 1 else name for seat, name in enumerate(shown)]


def _titled(name: str, player: str) -> str:
    """A name, and which bot it is."""
    return f"{name} ({printable(player)})" if player.startswith(_BOT) else name
