"""A match of one person against bots: every seat sees its view, and the person may take moves back."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

from meja.bots import Bot, Budget, make_bot
from meja.cards import Rng
from meja.deal import Layout
from meja.errors import RecordError
from meja.games import new_match
from meja.match import Match
from meja.messages import msg
from meja.record import Record
from meja.rules import Rules
from meja.view import Event, View

#: Names of the bots, by seat.
NAMES: Final = ("Ayu", "Budi", "Sari", "Wayan", "Dewi")
#: Seconds that a bot may think.
_THINKING: Final = 1.0
_NONE: Final[Mapping[str, Bot]] = {}


class Table:
    """The match, the bots and the seed from which cards and bots' choices come.

    The same rules, bots and seed give the same cards and the same answers of the bots, so a
    position is rebuilt by playing the actions again.
    """

    def __init__(
        self,
        rules: Rules,
        bots: Sequence[str],
        seed: int,
        player: str,
        person: int = 0,
        outside: Mapping[str, Bot] = _NONE,
    ) -> None:
        """``bots``: a bot's name for every other seat, in seat order. ``player``: the person's name in records.

        ``outside``: bots that are not among ours, by name.
        """
        self.rules = rules
        self.seed = seed
        self.person = person
        self.bot_names = tuple(bots)
        self.bots: dict[int, Bot] = {
            seat: outside[name] if name in outside else make_bot(name, rules.game)
            for seat, name in zip((s for s in range(rules.seats) if s != person), bots, strict=True)
        }
        names = iter(bots)
        self.players = [player if seat == person else f"bot:{next(names)}" for seat in range(rules.seats)]
        self.match = self._new_match()

    @classmethod
    def resumed(cls, record: Record, outside: Mapping[str, Bot] = _NONE) -> tuple[Table, Mapping[str, Any]]:
        """The table of a saved match, and the ``meta`` of its record."""
        meta = record.meta or {}
        saved = meta.get("table")
        seed = saved.get("seed") if isinstance(saved, dict) else None
        person = saved.get("person") if isinstance(saved, dict) else None
        seats = record.rules.seats
        if type(seed) is not int or type(person) is not int or not 0 <= person < seats:
            raise RecordError(msg("not a match that was saved at this table"), "meta.table")
        if record.winners is not None:
            raise RecordError(msg("this match is over; it cannot be gone on with"), "winners")
        players = record.players
        bots = [players[seat].removeprefix("bot:") for seat in range(seats) if seat != person]
        table = cls(record.rules, bots, seed, players[person], person, outside)
        played = record.replay()
        table._replay(
            [[action for _, action in deal.actions()] for deal in _deals(played)],
            [deal.layout() for deal in _deals(played)],
        )
        return table, meta

    def record(self, **meta: Any) -> Record:
        """The record of the match as it stands."""
        return Record.of_match(self.match, meta={"table": {"seed": self.seed, "person": self.person, **meta}})

    @property
    def deal(self) -> Any:
        """The deal in progress."""
        return self.match.deal

    def view(self) -> View[Any]:
        """What the person may know of the deal in progress, or of the last one."""
        return self.match.view(self.person)

    def start_deal(self) -> None:
        """Shuffle and deal."""
        self.match.next_deal(Rng(self.seed, len(self.match.deals)))

    def bot_acts(self) -> list[Event]:
        """Let the bot that is to act choose by its view, and do it."""
        seat = self.match.to_act
        assert seat is not None
        action = self.bots[seat].act(self.match.view(seat), Budget(seed=self.seed, seconds=_THINKING))
        return self.match.apply(action, seat)

    def act(self, action: Any) -> list[Event]:
        """Do what the person has chosen; raises :class:`~meja.errors.IllegalAction`."""
        return self.match.apply(action, self.person)

    def forced(self) -> Any | None:
        """The only thing the person to act can do, where it is a card to play or to draw; else ``None``."""
        deal = self.match.deal
        assert deal is not None
        if deal.phase not in ("play", "draw"):
            return None
        if deal.game == "kaluki" and deal.phase != "draw":
            return None
        # The legal list of Kaluki can be very long, and is made as it is read.
        first = list(islice(self.match.view(self.person).legal, 2))
        return first[0] if len(first) == 1 else None

    def undo(self) -> bool:
        """Go back to before the person's last decision; ``False`` if there is none."""
        past = [list(deal.actions()) for deal in _deals(self.match)]
        before = self.match
        while past:
            actions = past[-1]
            while actions:
                seat, _ = actions.pop()
                if seat != self.person:
                    continue
                self._replay([[action for _, action in done] for done in past])
                if self.forced() is None:
                    return True
            past.pop()
        self.match = before
        return False

    def _new_match(self) -> Match:
        dealer = Rng(self.seed).below(self.rules.seats)
        return new_match(self.rules, dealer=dealer, players=self.players)

    def _replay(self, past: Sequence[Sequence[Any]], layouts: Sequence[Layout] | None = None) -> None:
        self.match = self._new_match()
        for number, actions in enumerate(past):
            self.start_deal()
            if layouts is not None and self.deal.layout() != layouts[number]:
                raise RecordError(
                    msg("these cards do not come from the seed of the match; it cannot be gone on with"),
                    f"deals[{number}]",
                )
            for action in actions:
                self.match.advance(action)


def _deals(match: Match) -> list[Any]:
    return [*match.deals, *([match.deal] if match.deal is not None else [])]


def new_seed() -> int:
    """A seed nobody can guess, short enough to type."""
    return secrets.randbits(40)


def names_for(seats: int, person: int) -> dict[int, str]:
    """The bots' names by seat."""
    return {seat: NAMES[seat] for seat in range(seats) if seat != person}
