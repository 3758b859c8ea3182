"""Gymnasium environments: one seat of a game, the others played by bots.

``import meja.envs.gymnasium`` registers ``Meja/Bassadewitz-v0``, ``Meja/Calabresella-v0``, ``Meja/Kaluki-v0`` and
``Meja/Smear-v0``. Needs the extra ``meja[gymnasium]``. See ``docs/envs.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from meja.bots import RULES_OF_THUMB, Bot, Budget, make_bot
from meja.cards import Rng, quoted
from meja.envs.core import Options, Session, one_of, rules_of
from meja.envs.encoding import NotAllowed
from meja.envs.rendering import RENDER_MODES, Narrator
from meja.errors import MejaError
from meja.games import games
from meja.messages import msg
from meja.rules import STANDARD, Rules, Value

#: The seat is drawn anew for every episode.
RANDOM = "random"


class SeatEnv(gymnasium.Env[Any, Any]):
    """One seat of a game, the others played by bots.

    ``seat``: its number, or ``random``. ``bots``: the name of the bots on all other seats, or one name (or
    :class:`~meja.bots.Bot`) per other seat, from the own left on. ``mask_in``: ``info`` (an observation is the
    vector alone) or ``obs`` (a dictionary with ``observation`` and ``action_mask``). ``illegal``: ``raise`` an error,
    ``end`` the episode to the cost of the seat, or do something allowed at ``random`` instead. All else is as for
    PettingZoo (:class:`~meja.envs.pettingzoo.aec.GameEnv`).

    An episode in which the seat has nothing to decide is passed over: the next one is dealt.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # type: ignore[misc]

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        *,
        preset: str = STANDARD,
        rules: Rules | None = None,
        seat: int | str = 0,
        bots: str | Bot | Sequence[str | Bot] = RULES_OF_THUMB,
        episode: str = "deal",
        reward: str = "points",
        zero_sum: bool = False,
        mask_in: str = "info",
        illegal: str = "raise",
        render_mode: str | None = None,
        **options: Value,
    ) -> None:
        made = rules_of(game, seats, preset, rules, options)
        self.options = Options(made, episode, reward, zero_sum)
        self.session = Session(self.options)
        self.mask_in: str = one_of("mask_in", mask_in, ("info", "obs"))
        self.illegal: str = one_of("illegal", illegal, ("raise", "end", "random"))
        self.render_mode = one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self._draws_seat = one_of("seat", seat, (*range(made.seats), RANDOM)) == RANDOM
        #: The own seat.
        self.seat: int = 0 if self._draws_seat else int(seat)
        self._bots = _bots(bots, game, made.seats - 1)
        self._budget = Budget()
        codes = self.session.codes
        vector = spaces.Box(0.0, 1.0, (codes.size,), np.float32)
        self.observation_space = (
            spaces.Dict({"observation": vector, "action_mask": spaces.Box(0, 1, (codes.actions,), np.int8)})
            if mask_in == "obs"
            else vector
        )
        self.action_space = spaces.Discrete(codes.actions)
        names = [f"player_{number}" for number in range(made.seats)]
        self._narrator = None if render_mode is None else Narrator(self.session, names)

    # -- the course ---------------------------------------------------------------

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode. Of ``options`` only ``dealer`` is looked at: the seat that deals first."""
        super().reset(seed=seed)
        if self._draws_seat:
            self.seat = int(self.np_random.integers(self.session.seats))
        dealer = None if options is None else options.get("dealer")
        while True:
            if self._narrator is not None:
                self._narrator.forget()
            self.session.reset(int(self.np_random.integers(1 << 63)) if seed is None else seed, dealer)
            self._budget = Budget(seed=Rng(self.session.seed, 2).next32())
            #: What the seat was given before it had anything to decide.
            self._early = self._others()
            if self.session.to_act is not None:
                break
            seed = None
        self._show()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take one decision of the seat, then let the bots act until it is to decide again."""
        session = self.session
        if self._narrator is not None:
            self._narrator.forget()
        try:
            paid = session.step(action)
        except NotAllowed:
            if self.illegal == "raise":
                raise
            if self.illegal == "random":
                allowed = session.ids()
                paid = session.step(allowed[int(self.np_random.integers(len(allowed)))])
            else:
                paid = session.forfeit()
        reward = self._early + paid[self.seat] + self._others()
        self._early = 0.0
        over = session.to_act is None
        if not session.prefix:
            self._show()
        return self._observation(), reward, over and not session.truncated, session.truncated, self._info()

    def _others(self) -> float:
        """Let the bots act until the seat is to decide or the episode is over; returns the seat's rewards."""
        session, budget, count = self.session, self._budget, self.session.seats
        reward = 0.0
        while (actor := session.to_act) is not None and actor != self.seat:
            bot = self._bots[(actor - self.seat) % count - 1]
            reward += session.act(bot.act(session.view(actor), budget))[self.seat]
        return reward

    # -- what the seat gets -------------------------------------------------------

    def action_masks(self) -> NDArray[np.bool_]:
        """Which action ids are allowed now (the name is the one that sb3-contrib asks for)."""
        return self.session.mask(self.seat).astype(np.bool_)

    def _observation(self) -> Any:
        seen = self.session.observe(self.seat)
        return seen if self.mask_in == "info" else {"observation": seen, "action_mask": self.session.mask(self.seat)}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.session.mask(self.seat)} if self.mask_in == "info" else {}

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

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


def _bots(bots: Any, game: str, count: int) -> list[Bot]:
    """One bot per other seat."""
    if isinstance(bots, str | Bot):
        bots = [bots] * count
    if not isinstance(bots, Sequence) or len(bots) != count:
        raise MejaError(
            msg("expected the name of a bot, or {count} of them, one per other seat; found {found}",
                count=count, found=quoted(bots))
        )  # fmt: skip
    return [bot if isinstance(bot, Bot) else make_bot(bot, game) for bot in bots]


def register() -> None:
    """Register the environments with Gymnasium, as ``Meja/Kaluki-v0`` and so on."""
    for name in games():
        if environment_id(name) not in gymnasium.registry:
            gymnasium.register(
                id=environment_id(name), entry_point=f"{__name__}:{SeatEnv.__name__}", kwargs={"game": name}
            )


def environment_id(game: str) -> str:
    """The id of a game's environment."""
    return f"Meja/{game.capitalize()}-v0"


register()
