"""The games, states and observers as OpenSpiel wants them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
import pyspiel

from meja.cards import Rng, cards_text, quoted
from meja.deal import check_seat
from meja.envs.encoding import encoding
from meja.envs.openspiel.bounds import is_zero_sum, most_chance, most_length, utility_range
from meja.envs.openspiel.course import CHANCE, TERMINAL, Course, Retold
from meja.envs.openspiel.parameters import Parameters, specification
from meja.errors import MejaError
from meja.games import game, games
from meja.messages import msg
from meja.rules import Rules


def game_type(name: str, short_name: str, zero_sum: bool) -> Any:
    """What OpenSpiel is told of a game."""
    rules: type[Rules] = game(name).rules
    kinds = pyspiel.GameType
    return kinds(
        short_name=short_name,
        long_name=f"Meja {name.capitalize()}",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(rules.seat_numbers),
        min_num_players=min(rules.seat_numbers),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=specification(name),
    )


class MejaGame(pyspiel.Game):  # type: ignore[misc]
    """One of the four games; ``params`` are OpenSpiel's (:func:`~meja.envs.openspiel.parameters.specification`)."""

    game: ClassVar[str]
    course_class: ClassVar[type[Course]] = Course

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        parameters = self.read(params or {})
        #: How it is played.
        self.options = parameters.options
        #: The course of an episode that has not begun.
        self.start = self.course_class(self.options, parameters.dealer)
        low, high = utility_range(self.options)
        zero_sum = is_zero_sum(self.options)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.start.codes.actions,
            max_chance_outcomes=1 + max(game(self.game).deal.pack(self.options.rules)),
            num_players=self.options.rules.seats,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=most_length(self.options),
        )
        super().__init__(game_type(self.game, self.short_name(), zero_sum), info, parameters.table)

    @classmethod
    def read(cls, params: Mapping[str, Any]) -> Parameters:
        """The parameters of OpenSpiel, checked."""
        return Parameters(cls.game, params)

    @classmethod
    def short_name(cls) -> str:
        """The name by which OpenSpiel loads the game."""
        return f"python_meja_{cls.game}"

    def new_initial_state(self) -> MejaState:
        """The beginning of an episode."""
        return MejaState(self, self.start)

    def max_chance_nodes_in_history(self) -> int:
        """The most chance nodes of an episode."""
        return most_chance(self.options)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> MejaObserver:
        """An observer of states."""
        return MejaObserver(self, iig_obs_type, params)


class MejaState(pyspiel.State):  # type: ignore[misc]
    """A state of one of the games."""

    def __init__(self, of: MejaGame, course: Course) -> None:
        super().__init__(of)
        # Shared with all states in which nothing has happened yet; the first move copies it.
        self._course: Any = course

    @property
    def course(self) -> Course:
        """The episode behind the state: it knows everything."""
        found: Course = self._course
        return found

    def current_player(self) -> int:
        """The seat to act, or OpenSpiel's number for chance or the end."""
        return int(self._course.player)

    def is_terminal(self) -> bool:
        """Whether the episode is over."""
        return bool(self._course.player == TERMINAL)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that may come next, or the seats that may deal first, with their probabilities."""
        urn = self.course.urn
        if urn is None:
            raise MejaError(msg("nothing is left to chance now"))
        return urn.outcomes()

    def returns(self) -> list[float]:
        """The return of each seat; all 0 before the end."""
        course = self.course
        return list(course.returns if course.over else course.nothing)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> MejaState:
        """A state by chance among all that ``player`` cannot tell from this one; its history leads to it."""
        check_seat(self.course.options.rules, player)
        rng = Rng(*[int(sampler() * 2**32) for _ in range(2)])
        twin = self.course.resampled(player, rng)
        state: MejaState = self.get_game().new_initial_state()
        state._course = Retold(twin.moves)
        for _, action in twin.moves:
            state.apply_action(action)
        state._course = twin
        return state

    def _legal_actions(self, player: int) -> list[int]:
        return self.course.ids()

    def _apply_action(self, action: int) -> None:
        course = self._course
        if not course.moves:
            course = self._course = course.clone()
        course.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        course = self.course
        return course.outcome_text(action) if player == CHANCE else course.codes.names[action]

    def __str__(self) -> str:
        return str(self._course)


class MejaObserver:
    """What a seat sees of a state, as numbers and as text.

    With perfect recall: all that it has seen, as text alone. Without: the observation of the encoding, by planes, as
    the seat itself or (no private information) a spectator gets it. Private information alone is the hand, and the
    seat's half-finished action.
    """

    def __init__(self, of: MejaGame, iig_obs_type: Any = None, params: Any = None) -> None:
        if params:
            raise MejaError(msg("an observer takes no parameters; found {found}", found=quoted(params)))
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise MejaError(msg("there is no observer that sees the cards of all players"))
        alone = kind.private_info == pyspiel.PrivateInfoType.NONE
        if kind.perfect_recall and (alone or not kind.public_info):
            raise MejaError(msg("an observer that forgets nothing sees what its player sees"))
        if alone and not kind.public_info:
            raise MejaError(msg("an observer that sees nothing is of no use"))
        self._kind = "recall" if kind.perfect_recall else "public" if alone else "seat" if kind.public_info else "own"
        #: The observation, and the same by planes.
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        self._codes = encoding(of.options.rules)
        if self._kind in ("seat", "public"):
            self.tensor = np.zeros(self._codes.size, np.float32)
            self.dict = {plane.name: self.tensor[plane.start : plane.end] for plane in self._codes.planes}

    def set_from(self, state: MejaState, player: int) -> None:
        """Write what a player sees into ``tensor``; all zero before the first cards lie there."""
        if self.tensor is not None:
            self.tensor[:] = self._observed(state.course, player)

    def string_from(self, state: MejaState, player: int) -> str:
        """What a player sees, as text."""
        course = state.course
        if self._kind == "recall":
            return course.knowledge(player)
        if self._kind == "own":
            return self._own(course, player)
        seen = self._observed(course, player)
        planes = iter(self._codes.planes)
        parts: list[str] = []
        start = end = 0
        places = np.flatnonzero(seen)
        for place, value in zip(places.tolist(), seen[places].tolist(), strict=True):
            if place >= end:
                plane = next(plane for plane in planes if place < plane.end)
                start, end = plane.start, plane.end
                parts.append(f"; {plane.name}" if parts else plane.name)
            parts.append(str(place - start) if value == 1 else f"{place - start}={value:g}")
        return " ".join(parts).replace(" ; ", "; ")

    def _observed(self, course: Course, player: int) -> Any:
        if not course.begun:
            return np.zeros(self._codes.size, np.float32)
        if self._kind == "public":
            return self._codes.observe(course.view(None))
        return course.observe(player)

    def _own(self, course: Course, player: int) -> str:
        if not course.begun:
            return ""
        hand = cards_text(course.view(player).hand)
        begun = [course.codes.names[number] for number in course.own_prefix(player)]
        return "; ".join([hand, *begun])


class BassadewitzGame(MejaGame):
    """``python_meja_bassadewitz``."""

    game = "bassadewitz"


class CalabresellaGame(MejaGame):
    """``python_meja_calabresella``."""

    game = "calabresella"


class KalukiGame(MejaGame):
    """``python_meja_kaluki``."""

    game = "kaluki"


class SmearGame(MejaGame):
    """``python_meja_smear``."""

    game = "smear"


def register(made: type[MejaGame]) -> None:
    """Let OpenSpiel load a game by its name."""
    zero_sum = is_zero_sum(made.read({}).options)
    pyspiel.register_game(game_type(made.game, made.short_name(), zero_sum), made)


_MADE = {made.game: made for made in (BassadewitzGame, CalabresellaGame, KalukiGame, SmearGame)}
for _name in games():
    register(_MADE[_name])
