"""One episode of a game in small decisions: what all environments stand on, so that their numbers agree."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from itertools import compress, count
from operator import index
from typing import Any, Final

import numpy as np

from meja.cards import Rng, quoted
from meja.deal import Deal
from meja.envs.encoding import Encoding, Mask, Prefix, Vector, Watcher, encoding
from meja.errors import GameOver, MejaError
from meja.games import game as named
from meja.games import make_rules, new_match
from meja.match import Match
from meja.messages import msg
from meja.rules import STANDARD, Rules, Value
from meja.view import Event, View

EPISODES: Final = ("deal", "match")
REWARDS: Final = ("score", "points", "rank")
#: A match that has not ended after so many deals is cut off, and says so.
MOST_DEALS: Final = 200


class Options:
    """How an environment plays: checked once, for all kinds of environments.

    ``episode``: ``deal`` or ``match``. ``reward``: ``score`` (what the deal or match adds to the seat's
    total), ``points`` (the same, with the sign that makes more better), ``rank`` (from 1 for the
    first to -1 for the last, ties share). ``zero_sum``: the mean of all seats is taken off.
    """

    def __init__(self, rules: Rules, episode: str = "deal", reward: str = "points", zero_sum: bool = False) -> None:
        if not isinstance(rules, Rules):
            raise MejaError(msg("expected the rules of a game, found {found}", found=quoted(rules)))
        self.rules = rules
        self.episode = one_of("episode", episode, EPISODES)
        self.reward = one_of("reward", reward, REWARDS)
        self.zero_sum = one_of("zero_sum", zero_sum, (False, True))


def one_of(name: str, value: Any, known: tuple[Any, ...]) -> Any:
    """``value``, where it is one of those known; else an error that tells the name of the option."""
    # True is 1 for Python, but not for a reader.
    if any(type(value) is type(choice) and value == choice for choice in known):
        return value
    raise MejaError(
        msg(
            "{name} cannot be {found}; expected one of: {known}",
            name=name,
            found=quoted(value),
            known=", ".join(map(str, known)),
        )
    )


def rules_of(
    game: str,
    seats: int | None = None,
    preset: str = STANDARD,
    rules: Rules | None = None,
    options: Mapping[str, Value] | None = None,
) -> Rules:
    """The rules that an environment of ``game`` was asked for: a :class:`~meja.rules.Rules` object, or its parts."""
    if rules is None:
        return make_rules(game, seats, preset, **options or {})
    if seats is not None or preset != STANDARD or options:
        raise MejaError(msg("the rules are given as an object; seats, preset and options belong into it"))
    if not isinstance(rules, named(game).rules):
        raise MejaError(msg("expected the rules of {game}, found {found}", game=game, found=quoted(rules)))
    return rules


class Session:
    """One episode after the other, decision by decision. ``codes`` is the encoding; ``to_act`` the seat to decide.

    ``returns`` are the rewards of all seats so far in this episode; they change only when a deal ends.
    """

    def __init__(self, options: Options, codes: Encoding | None = None) -> None:
        self.options = options
        self.codes = encoding(options.rules) if codes is None else codes
        self.match: Match
        self.prefix: Prefix = ()
        #: The seed of the episode: :meth:`reset` with it plays the same cards again.
        self.seed = 0
        #: Whether the episode was cut off.
        self.truncated = False
        #: The seat that ended the episode by an action that is not allowed.
        self.offender: int | None = None
        #: The seat that has to decide, or ``None`` when the episode is over.
        self.to_act: int | None = None
        self.nothing: tuple[float, ...] = (0.0,) * options.rules.seats
        self.returns = self.nothing
        #: Told what every whole action brought about, before the next deal begins.
        self.listener: Callable[[list[Event]], None] | None = None
        self._seeds = Rng(int.from_bytes(os.urandom(8), "big"))
        self._rng = Rng(0)
        self._begun = False
        self._views: dict[int | None, View[Any]] = {}
        self._watch: Watcher | None = None

    def __getstate__(self) -> dict[str, Any]:
        """What copies and pickles hold: what follows the deal is made anew where it is asked for."""
        return {**self.__dict__, "_watch": None}

    # -- the course ---------------------------------------------------------------

    def reset(self, seed: Any = None, dealer: Any = None) -> None:
        """Begin an episode; the same seed gives the same cards. The first dealer is drawn unless given.

        Without a seed the episode is the next one of those that began with the last seed given; before
        that, of those that chance gave.
        """
        if seed is not None:
            self.seed = whole_seed(seed)
            self._seeds = Rng(self.seed, 1)
        else:
            self.seed = self._seeds.next32() << 31 | self._seeds.next32() >> 1
        self._rng = Rng(self.seed)
        drawn = self._rng.below(self.seats)
        self.match = new_match(self.options.rules, dealer=drawn if dealer is None else dealer)
        self.truncated = False
        self.offender = None
        self.returns = self.nothing
        self.start_deal(lambda match: match.next_deal(self._rng.fork()))

    def start_deal(self, begin: Callable[[Match], Deal[Any]]) -> None:
        """Begin the next deal (or the first one of a match that was set from outside)."""
        begin(self.match)
        self._begun = True
        self.prefix = ()
        self._views = {}
        self.to_act = self.match.to_act

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return self.options.rules.seats

    @property
    def deal(self) -> Deal[Any]:
        """The deal in progress, or the last one."""
        if not self._begun:
            raise self._nobody()
        return self.match.deal or self.match.deals[-1]

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self.to_act is None

    # -- what a seat gets ---------------------------------------------------------

    def view(self, seat: int | None) -> View[Any]:
        """The view of a seat; the same object as long as nothing is done."""
        found = self._views.get(seat)
        if found is None:
            found = self._views[seat] = self.deal.view(seat)
        return found

    def _watching(self) -> Watcher:
        """What follows the deal in progress, or the last one."""
        watch, deal = self._watch, self.deal
        if watch is None or watch.deal is not deal:
            watch = self._watch = self.codes.watch(deal, self.view)
        return watch

    def own_prefix(self, seat: int) -> Prefix:
        """The half-finished action of a seat: nobody else sees it."""
        return self.prefix if seat == self.to_act else ()

    def observe(self, seat: int) -> Vector:
        """The observation of a seat."""
        watch = self._watch
        if watch is None or watch.deal is not self.match.deal:
            watch = self._watching()
        return watch.observe(seat, self.prefix if seat == self.to_act else ())

    def mask(self, seat: int) -> Mask:
        """The mask of a seat: all zero unless it is to act."""
        if seat != self.to_act:
            return np.zeros(self.codes.actions, dtype=np.int8)
        watch = self._watch
        if watch is None or watch.deal is not self.match.deal:
            watch = self._watching()
        return np.frombuffer(bytearray(watch.cells(self.prefix)), np.int8)

    def ids(self) -> list[int]:
        """The ids that the seat to act may choose, ascending."""
        return [] if self.to_act is None else list(compress(count(), self._watching().cells(self.prefix)))

    def write(self, observation: Vector) -> None:
        """Write the observation of the seat to act into a vector that is all zero."""
        seat = self.to_act
        if seat is None:
            raise self._nobody()
        self._watching().write(seat, self.prefix, observation)

    def cells(self) -> bytes | bytearray:
        """The mask of the seat to act, one byte per id; not to be changed."""
        if self.to_act is None:
            raise self._nobody()
        return self._watching().cells(self.prefix)

    # -- deciding -----------------------------------------------------------------

    def step(self, action: Any) -> tuple[float, ...]:
        """Take one decision of the seat to act; returns the rewards of all seats that followed.

        Raises :class:`~meja.errors.MejaError` for one that is not allowed; nothing has changed then.
        """
        seat = self.to_act
        if seat is None:
            raise self._nobody()
        codes = self.codes
        number = action if type(action) is int and 0 <= action < codes.actions else codes.number(action)
        watch = self._watch
        if watch is None or watch.deal is not self.match.deal:
            watch = self._watching()
        if not watch.cells(self.prefix)[number]:
            raise codes.refusal(number)
        self.prefix, done = watch.take(self.prefix, number)
        return self.nothing if done is None else self.act(done)

    def act(self, action: Any) -> tuple[float, ...]:
        """Do a whole action of the game that is known to be legal; returns the rewards that followed."""
        match, watch = self.match, self._watch
        deal = match.deal
        if self.listener is not None:
            self.listener(match.apply(action))
        elif deal is None or deal.to_act is None:
            match.advance(action)
        else:
            deal.advance(action)
        self.prefix = ()
        if self._views:
            self._views = {}
        if watch is not None:
            watch.moved()
        if deal is not None and deal.to_act is not None:
            self.to_act = deal.to_act
            return self.nothing
        self.to_act = None
        # To ask is to close the deal that has just ended.
        if not match.over and self.options.episode == "match":
            if len(match.deals) >= MOST_DEALS:
                self.truncated = True
            else:
                self.start_deal(lambda match: match.next_deal(self._rng.fork()))
        return self._pay(self._returns())

    def forfeit(self) -> tuple[float, ...]:
        """End the episode because the seat to act did what is not allowed; returns the rewards of all seats.

        What the episode has brought so far stays. The seat is given the worst that there is: minus the most that a
        deal can give or take, or -1 where rewards are ranks.
        """
        seat = self.to_act
        if seat is None:
            raise self._nobody()
        self.offender, self.to_act, self.prefix = seat, None, ()
        options = self.options
        loss = 1.0
        if options.reward != "rank":
            loss = float(max(map(abs, named(options.rules.game).deal.score_range(options.rules))))
            if options.reward == "score" and options.rules.low_wins:
                loss = -loss
        values = [-loss * (other == seat) + 0.0 for other in range(self.seats)]
        if options.zero_sum:
            values = centred(values)
        return self._pay(tuple([then + now for then, now in zip(self.returns, values, strict=True)]))

    def _nobody(self) -> MejaError:
        """The error for an action where nobody is to act."""
        if not self._begun:
            return MejaError(msg("no episode has begun: reset first"))
        return GameOver(msg("the episode is over; no action is expected"))

    def _pay(self, returns: tuple[float, ...]) -> tuple[float, ...]:
        """The rewards that lead to these returns."""
        before, self.returns = self.returns, returns
        return tuple([now - then for now, then in zip(returns, before, strict=True)])

    def _returns(self) -> tuple[float, ...]:
        """The returns of the deals played so far, as the options want them."""
        options = self.options
        if options.reward == "rank" and not self.over:
            return self.nothing
        totals = self.match.totals
        if options.episode == "deal":
            # What it has added: to count the score once more would take as long as some observations.
            before = self.match.deals[-1].context.totals
            totals = tuple([now - then for now, then in zip(totals, before, strict=True)])
        sign = -1 if options.rules.low_wins and options.reward != "score" else 1
        values = [sign * total + 0.0 for total in totals]
        if options.reward == "rank":
            winners = self.match.winners if options.episode == "match" else None
            values = ranks(values, winners or ())
        if options.zero_sum:
            values = centred(values)
        return tuple(values)


def ranks(values: list[float], winners: tuple[int, ...] = ()) -> list[float]:
    """1 for the first, -1 for the last, evenly between; those that are equal share their places.

    ``winners`` come before all others, whatever they have.
    """
    count = len(values)
    keys = [(seat in winners, value) for seat, value in enumerate(values)]
    if winners:
        # They have won together, so what they have makes no difference any more.
        keys = [(True, 0.0) if won else (won, value) for won, value in keys]
    places = [sum(other > key for other in keys) + (sum(other == key for other in keys) - 1) / 2 for key in keys]
    return [1 - 2 * place / (count - 1) for place in places]


def centred(values: list[float]) -> list[float]:
    """The values less their mean."""
    mean = sum(values) / len(values)
    return [value - mean for value in values]


def whole_seed(seed: Any) -> int:
    """A seed as a plain integer; anything but a whole number from 0 on is refused."""
    if not isinstance(seed, bool | np.bool_):
        try:
            number = index(seed)
        except TypeError:
            number = -1
        if number >= 0:
            return number
    raise MejaError(msg("a seed is a whole number from 0 on, not {found}", found=quoted(seed)))
