"""Duplicate play: each deal is played with every seating of the bots, with the same cards and the same chance.

What a deal brings depends on nothing but the plan and its number: not on the process, the machine, or what
was played before.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from meja.arena.matches import MOST_DEALS
from meja.arena.seatings import ALL, KINDS, Seating, seatings
from meja.bots import Bot, Budget, make_bot
from meja.bots.outside import BotCommand, OutsideBot
from meja.cards import Rng, quoted
from meja.errors import MejaError
from meja.games import new_match
from meja.match import Match
from meja.messages import msg
from meja.record import Record
from meja.rules import Rules

#: A deal that goes on for so many actions is broken off and counts for nothing.
MOST_ACTIONS: Final = 20_000

DEAL: Final = "deal"
MATCH: Final = "match"


@dataclass(frozen=True)
class Plan:
    """What is played: everything that a result depends on, besides its number.

    ``named``: the bots as they were named. With as many as seats, or fewer (the last one then sits on all seats
    that are left), they meet each other; with more they are a pool. ``unit``: what a number stands for, a
    ``deal`` by itself or a whole ``match``. ``commands``: the bots that are programs outside, by name. ``makers``:
    bots of your own by name; a class will do, or a function that can be pickled. ``seconds`` and ``iterations``: the
    budget for each decision.
    """

    rules: Rules
    named: tuple[str, ...]
    seed: int = 0
    unit: str = DEAL
    seating: str = ALL
    seconds: float | None = None
    iterations: int | None = None
    commands: Mapping[str, BotCommand] = field(default_factory=dict)
    makers: Mapping[str, Callable[[], Bot]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.bots) < 2:
            raise MejaError(msg("name at least two different bots"))
        if self.unit not in (DEAL, MATCH) or self.seating not in KINDS:
            raise MejaError(msg("there is no such way to play"))
        for name in self.bots:
            if name not in self.commands and name not in self.makers:
                make_bot(name, self.rules.game)
        # A plan with too many games should be refused here, not later.
        _ = self.seatings

    @cached_property
    def bots(self) -> tuple[str, ...]:
        """The different bots, in the order in which they were named."""
        return tuple(dict.fromkeys(self.named))

    @cached_property
    def seatings(self) -> tuple[Seating, ...]:
        """The seatings with which each deal is played: by seat the number of a bot."""
        numbers = [self.bots.index(name) for name in self.named]
        return tuple(seatings(len(self.bots), numbers, self.rules.seats, self.seating))


@dataclass(frozen=True, slots=True)
class Game:
    """One deal (or match) with one seating.

    ``scores``: what it brought each seat, all 0 for a void deal. ``winners`` and ``deals``: of a match.
    ``broken``: it did not end, and was broken off.
    """

    seating: Seating
    scores: tuple[int, ...]
    void: bool = False
    broken: bool = False
    winners: tuple[int, ...] | None = None
    deals: int = 1

    def to_dict(self) -> dict[str, Any]:
        """As JSON values; what is usual is left out."""
        document: dict[str, Any] = {"bots": list(self.seating), "scores": list(self.scores)}
        if self.void:
            document["void"] = True
        if self.broken:
            document["broken"] = True
        if self.winners is not None:
            document["winners"] = list(self.winners)
        if self.deals != 1:
            document["deals"] = self.deals
        return document

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Game:
        """Read :meth:`to_dict`."""
        winners = document.get("winners")
        return cls(
            tuple(document["bots"]),
            tuple(document["scores"]),
            bool(document.get("void")),
            bool(document.get("broken")),
            None if winners is None else tuple(winners),
            int(document.get("deals", 1)),
        )


@dataclass(frozen=True, slots=True)
class Result:
    """A deal (or match) with all its seatings.

    ``faults``: by bot the turns that it lost, by kind. ``records``: one line of ``meja/1`` per game, on request.
    """

    number: int
    games: tuple[Game, ...]
    faults: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    records: tuple[Record, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As JSON values, without the records."""
        document: dict[str, Any] = {"number": self.number, "games": [game.to_dict() for game in self.games]}
        if self.faults:
            document["faults"] = {name: dict(kinds) for name, kinds in self.faults.items()}
        return document

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Result:
        """Read :meth:`to_dict`."""
        if type(document["number"]) is not int:
            raise ValueError(document["number"])
        return cls(
            document["number"],
            tuple(Game.from_dict(item) for item in document["games"]),
            {str(name): dict(kinds) for name, kinds in document.get("faults", {}).items()},
        )


def play_number(plan: Plan, number: int, *, records: bool = False, players: Players | None = None) -> Result:
    """Play deal (or match) ``number`` of a plan with all its seatings.

    ``players`` are kept for further deals where they are given; else they are made and closed here.
    """
    if players is None:
        with Players(plan) as made:
            return play_number(plan, number, records=records, players=made)
    played = [_play(plan, number, seating, players) for seating in plan.seatings]
    return Result(
        number,
        tuple(game for game, _ in played),
        players.take_faults(),
        tuple(
            Record.of_match(match, meta={"arena": {"seed": plan.seed, "number": number, "seating": place}})
            for place, (_, match) in enumerate(played)
        )
        if records
        else (),
    )


def play_numbers(plan: Plan, numbers: Sequence[int], records: bool = False) -> list[Result]:
    """Play several: the work of a process elsewhere, which keeps its players for the next time."""
    return [play_number(plan, number, records=records, players=_kept_players(plan)) for number in numbers]


def _play(plan: Plan, number: int, seating: Seating, players: Players) -> tuple[Game, Match]:
    """One game: its cards come from the seed and the number alone."""
    rng = Rng(plan.seed, number)
    names = [f"bot:{plan.bots[bot]}" for bot in seating]
    match = new_match(plan.rules, dealer=rng.below(plan.rules.seats), players=names)
    # The same for all bots and seatings, so that their chance differs as little as their cards.
    budget = Budget(rng.next32(), plan.seconds, plan.iterations)
    most = 1 if plan.unit == DEAL else MOST_DEALS
    broken = False
    while not match.over and len(match.deals) < most and not broken:
        deal = match.next_deal(rng.fork())
        actions = 0
        while deal.to_act is not None:
            if actions == MOST_ACTIONS:
                broken = True
                break
            seat = deal.to_act
            try:
                match.apply(players.act(seating[seat], deal.view(seat), budget))
            except Exception as error:
                raise MejaError(
                    msg(
                        "the bot {name} failed in number {number}: {error}",
                        name=quoted(plan.bots[seating[seat]]),
                        number=number,
                        error=getattr(error, "text", None) or f"{type(error).__name__}: {error}",
                    )
                ) from error
            actions += 1
    if plan.unit == MATCH:
        return Game(
            seating,
            match.totals,
            broken=broken or not match.over,
            winners=match.winners,
            deals=len(match.deals),
        ), match
    void = broken or match.deals[0].void
    scores = (0,) * plan.rules.seats if void else match.deals[0].score()
    return Game(seating, scores, void=void and not broken, broken=broken), match


class Players:
    """The bots of a plan, and the faults of those that are outside. Close it, or use it as a context manager."""

    def __init__(self, plan: Plan) -> None:
        self._bots = [_made(plan, name) for name in plan.bots]
        self._names = plan.bots
        self._game = plan.rules.game
        for bot in self._bots:
            if isinstance(bot, OutsideBot):
                bot.check(self._game)

    def act(self, bot: int, view: Any, budget: Budget) -> Any:
        """What the bot does with its view."""
        return self._bots[bot].act(view, budget)

    def take_faults(self) -> dict[str, dict[str, int]]:
        """By bot the turns that it has lost since this was last asked."""
        found = {}
        for name, bot in zip(self._names, self._bots, strict=True):
            if isinstance(bot, OutsideBot) and bot.faults:
                found[name] = dict(sorted(bot.faults.items()))
                bot.faults = Counter()
        return found

    def close(self) -> None:
        """End the programs outside."""
        for bot in self._bots:
            if isinstance(bot, OutsideBot):
                bot.close()

    def __enter__(self) -> Players:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _made(plan: Plan, name: str) -> Bot:
    if name in plan.makers:
        return plan.makers[name]()
    return OutsideBot(plan.commands[name]) if name in plan.commands else make_bot(name, plan.rules.game)


class _Kept(threading.local):
    """The players that a thread of a worker process keeps, and the plan they are for."""

    plan: Plan | None = None
    players: Players | None = None


_KEPT: Final = _Kept()


def _kept_players(plan: Plan) -> Players:
    if _KEPT.players is None or plan != _KEPT.plan:
        if _KEPT.players is not None:
            _KEPT.players.close()
        _KEPT.players, _KEPT.plan = None, None
        _KEPT.players, _KEPT.plan = Players(plan), plan
    return _KEPT.players


def check_outside(plan: Plan) -> None:
    """Start the programs outside once and end them; raises :class:`~meja.errors.MejaError` if one does not start."""
    for name in plan.bots:
        if name in plan.commands:
            bot = OutsideBot(plan.commands[name])
            try:
                bot.check(plan.rules.game)
            finally:
                bot.close()


def settings(plan: Plan) -> dict[str, Any]:
    """The plan as JSON values: what a file of results tells of what was played."""
    document: dict[str, Any] = {
        "game": plan.rules.game,
        "rules": plan.rules.to_dict(),
        "rules_version": plan.rules.version,
        "seats": plan.rules.seats,
        "bots": list(plan.named),
        "unit": plan.unit,
        "seating": plan.seating,
        "seed": plan.seed,
    }
    for key, value in (("seconds", plan.seconds), ("iterations", plan.iterations)):
        if value is not None:
            document[key] = value
    if plan.commands:
        document["commands"] = {name: str(plan.commands[name]) for name in plan.bots if name in plan.commands}
    return document
