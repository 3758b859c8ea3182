"""What the PettingZoo environments share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from meja.cards import quoted
from meja.envs.core import Options, Session, one_of, rules_of
from meja.envs.encoding import NotAllowed
from meja.envs.rendering import RENDER_MODES, Narrator
from meja.errors import GameOver, MejaError
from meja.messages import msg
from meja.rules import STANDARD, Rules, Value

_BEFORE_RESET: Final = ("agents", "num_agents", "agent_selection", "rewards", "terminations", "truncations", "infos")


class GameEnv(AECEnv[str, Any, Any]):
    """An environment of one game, for agents ``player_0`` ... in the order of the seats.

    ``seats``, ``preset`` and further keywords are those of the game's rules, or ``rules`` is an object that
    holds them. ``episode``: ``deal`` or ``match``. ``reward``: ``score``, ``points`` or ``rank``, less the mean of
    all seats with ``zero_sum`` (:class:`~meja.envs.core.Options`). ``mask_in``: ``obs`` (an observation is a
    dictionary with ``observation`` and ``action_mask``) or ``info`` (it is the vector alone). ``illegal``:
    ``raise`` an error, or ``end`` the episode to the cost of the agent. ``render_mode``: ``ansi``, ``human`` or
    ``None``.

    The checks that PettingZoo's wrappers make are built in.
    """

    game: ClassVar[str]
    #: Goes up when spaces, masks, observations or rewards change their meaning.
    version: ClassVar[int] = 0
    _skip_agent_selection: Any

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.metadata = {
            "name": f"{cls.game}_v{cls.version}",
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
            "is_parallelizable": False,
        }

    def __init__(
        self,
        seats: int | None = None,
        *,
        preset: str = STANDARD,
        rules: Rules | None = None,
        episode: str = "deal",
        reward: str = "points",
        zero_sum: bool = False,
        mask_in: str = "obs",
        illegal: str = "raise",
        render_mode: str | None = None,
        **options: Value,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.options = Options(rules_of(self.game, seats, preset, rules, options), episode, reward, zero_sum)
        self.mask_in: str = one_of("mask_in", mask_in, ("obs", "info"))
        self.illegal: str = one_of("illegal", illegal, ("raise", "end"))
        self.render_mode: str | None = one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self.session = Session(self.options)
        self.possible_agents = [f"player_{seat}" for seat in range(self.session.seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._in_obs = mask_in == "obs"
        codes = self.session.codes
        self._observation_spaces: dict[str, spaces.Space[Any]] = {}
        self._action_spaces: dict[str, spaces.Space[Any]] = {}
        for agent in self.possible_agents:
            vector = spaces.Box(0.0, 1.0, (codes.size,), np.float32)
            self._observation_spaces[agent] = (
                spaces.Dict({"observation": vector, "action_mask": spaces.Box(0, 1, (codes.actions,), np.int8)})
                if self._in_obs
                else vector
            )
            self._action_spaces[agent] = spaces.Discrete(codes.actions)
        self._narrator = None if render_mode is None else Narrator(self.session, self.possible_agents)

    def __getattr__(self, name: str) -> Any:
        # Asked only for what is not there: what a reset makes.
        if name in _BEFORE_RESET:
            raise AttributeError(str(msg("{name} is there after the first reset()", name=name)))
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    # -- spaces -------------------------------------------------------------------

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The observations of an agent: a vector, or a dictionary of a vector and a mask."""
        self._seat(agent)
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The action ids of an agent."""
        self._seat(agent)
        return self._action_spaces[agent]

    def _seat(self, agent: str) -> int:
        seat = self._seats.get(agent)
        if seat is None:
            raise MejaError(
                msg(
                    "there is no agent {found}; expected one of: {known}",
                    found=quoted(agent),
                    known=", ".join(self.possible_agents),
                )
            )
        return seat

    # -- the course ---------------------------------------------------------------

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin an episode. Of ``options`` only ``dealer`` is looked at: the seat that deals first."""
        if self._narrator is not None:
            self._narrator.forget()
        self.session.reset(seed, None if options is None else options.get("dealer"))
        agents = self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self._skip_agent_selection = None
        #: The rewards of the last step.
        self._paid = self.session.nothing
        self._turn()
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Take one decision of the agent that is selected; a dead agent's only action is ``None``."""
        if not self.agents:
            raise GameOver(msg("the episode is over; no action is expected"))
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise MejaError(msg("{agent} is done, so its only action is None", agent=agent))
            self._was_dead_step(action)
            return
        session = self.session
        if self._narrator is not None:
            self._narrator.forget()
        try:
            paid = session.step(action)
        except NotAllowed:
            if self.illegal == "raise":
                raise
            paid = session.forfeit()
        self._cumulative_rewards[agent] = 0.0
        if paid is not session.nothing or self._paid is not session.nothing:
            for name, reward in zip(self.possible_agents, paid, strict=True):
                self.rewards[name] = reward
                self._cumulative_rewards[name] += reward
            self._paid = paid
        self._turn()
        if session.to_act is None:
            ended = self.truncations if session.truncated else self.terminations
            ended.update(dict.fromkeys(self.agents, True))
        if self.render_mode == "human" and not session.prefix:
            self.render()

    def _turn(self) -> None:
        """Select who is to act, and hand out masks where they are in the infos."""
        session = self.session
        seat = session.to_act
        self.agent_selection = self.possible_agents[0 if seat is None else seat]
        self.infos = (
            {agent: {} for agent in self.agents}
            if self._in_obs
            else {agent: {"action_mask": session.mask(self._seats[agent])} for agent in self.agents}
        )

    def observe(self, agent: str) -> Any:
        """What an agent sees; its mask is all zero unless it is to act."""
        seat = self._seat(agent)
        if not self._in_obs:
            return self.session.observe(seat)
        return {"observation": self.session.observe(seat), "action_mask": self.session.mask(seat)}

    # -- showing ------------------------------------------------------------------

    def render(self) -> Any:
        """The table in words, as a spectator sees it: returned (``ansi``) or printed (``human``)."""
        if self._narrator is None:
            raise MejaError(msg("to render, make the environment with render_mode ansi or human"))
        text = self._narrator.text()
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """There is nothing to release."""
