"""Many episodes side by side, as numpy arrays: for self-play from one process."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from meja.cards import quoted
from meja.envs.core import Options, Session, whole_seed
from meja.envs.encoding import Encoding, NotAllowed, encoding
from meja.errors import MejaError
from meja.messages import msg


class Backend(Protocol):
    """What plays the episodes of a :class:`VectorDeals`: Python's own sessions, or the kernels.

    Rows are episodes. Arrays are handed in all zero and are filled in place. A backend need not check actions.
    """

    codes: Encoding

    def reset(self, row: int, seed: int | None) -> None:
        """Begin an episode, as :meth:`Session.reset <meja.envs.core.Session.reset>`."""

    def observe(self, out: NDArray[np.float32]) -> None:
        """Per row the observation of the seat to act: (rows, size)."""

    def masks(self, out: NDArray[np.int8]) -> None:
        """Per row the mask of the seat to act: (rows, actions)."""

    def seats(self, out: NDArray[np.int64]) -> None:
        """Per row the seat to act: (rows,)."""

    def step(
        self,
        actions: NDArray[np.int64],
        rewards: NDArray[np.float32],
        done: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
    ) -> None:
        """One decision per row: the rewards of all seats (rows, seats), and which episodes are over or cut off."""


class Sessions:
    """The backend in plain Python: one session per row."""

    def __init__(self, options: Options, rows: int) -> None:
        self.codes = encoding(options.rules)
        self.sessions = [Session(options, self.codes.fresh()) for _ in range(rows)]

    def reset(self, row: int, seed: int | None) -> None:
        """Begin an episode."""
        self.sessions[row].reset(seed)

    def observe(self, out: NDArray[np.float32]) -> None:
        """The observations of the seats to act."""
        for row, session in enumerate(self.sessions):
            session.write(out[row])

    def masks(self, out: NDArray[np.int8]) -> None:
        """The masks of the seats to act."""
        for row, session in enumerate(self.sessions):
            out[row] = np.frombuffer(session.cells(), np.int8)

    def seats(self, out: NDArray[np.int64]) -> None:
        """The seats to act."""
        out[:] = [-1 if session.to_act is None else session.to_act for session in self.sessions]

    def step(
        self,
        actions: NDArray[np.int64],
        rewards: NDArray[np.float32],
        done: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
    ) -> None:
        """One decision per row."""
        for row, (session, action) in enumerate(zip(self.sessions, actions.tolist(), strict=True)):
            paid = session.step(action)
            if paid is not session.nothing:
                rewards[row] = paid
                done[row] = session.over
                truncated[row] = session.truncated


def fastest(options: Options, rows: int) -> Backend:
    """The backend that is taken unless another one is given: the kernels for trick games, else sessions."""
    from meja.envs.vector_tricks import TrickRows, plays  # noqa: PLC0415 - the kernels are loaded only where needed

    return TrickRows(options, rows) if plays(options.rules) else Sessions(options, rows)


class VectorDeals:
    """``n`` episodes side by side, each with the seat that is to act in it.

    Row ``i`` begins with the seed ``seed + i`` and plays what a PettingZoo environment plays after
    ``reset(seed=seed + i)``. When an episode ends, :meth:`step` tells its last rewards, and the row goes on with
    the next episode at once, as after ``reset()`` without a seed. ``backend`` plays the episodes; without one it is
    what :func:`fastest` gives, with the same numbers whatever that is.
    """

    def __init__(self, options: Options, n: int, seed: int, backend: Backend | None = None) -> None:
        if not isinstance(options, Options):
            raise MejaError(msg("expected options of an environment, found {found}", found=quoted(options)))
        if type(n) is not int or n < 1:
            raise MejaError(
                msg("the number of episodes side by side is a whole number from 1 on, not {found}", found=quoted(n))
            )
        self.options = options
        self.n = n
        self.backend: Backend = fastest(options, n) if backend is None else backend
        #: The encoding: ``codes.size`` and ``codes.actions`` are the widths of observations and masks.
        self.codes = self.backend.codes
        #: Which episodes the last step cut off.
        self.truncated = np.zeros(n, dtype=np.bool_)
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Begin all episodes anew."""
        first = whole_seed(seed)
        for row in range(self.n):
            self.backend.reset(row, first + row)
        self._allowed: NDArray[np.int8] | None = None

    def observe(self) -> NDArray[np.float32]:
        """Per row the observation of the seat to act: (n, size)."""
        out = np.zeros((self.n, self.codes.size), dtype=np.float32)
        self.backend.observe(out)
        return out

    def masks(self) -> NDArray[np.int8]:
        """Per row the mask of the seat to act: (n, actions)."""
        return self._masks().copy()

    def _masks(self) -> NDArray[np.int8]:
        if self._allowed is None:
            self._allowed = np.zeros((self.n, self.codes.actions), dtype=np.int8)
            self.backend.masks(self._allowed)
        return self._allowed

    def seats(self) -> NDArray[np.int64]:
        """Per row the seat to act: (n,)."""
        out = np.zeros(self.n, dtype=np.int64)
        self.backend.seats(out)
        return out

    def step(self, actions: Any) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """One decision per row: the rewards of all seats (n, seats), and which episodes have ended (n,).

        Raises :class:`~meja.errors.MejaError` for anything but ``n`` allowed action ids; nothing has changed then.
        """
        chosen = self._check(actions)
        rewards = np.zeros((self.n, self.options.rules.seats), dtype=np.float32)
        done = np.zeros(self.n, dtype=np.bool_)
        self.truncated = np.zeros(self.n, dtype=np.bool_)
        self._allowed = None
        self.backend.step(chosen, rewards, done, self.truncated)
        for row in np.flatnonzero(done).tolist():
            self.backend.reset(row, None)
        return rewards, done

    def _check(self, actions: Any) -> NDArray[np.int64]:
        """The actions as an array; raises for a wrong type, shape or action, and names it."""
        found = np.asarray(actions)
        if found.shape != (self.n,) or found.dtype.kind not in "iu":
            raise MejaError(
                msg(
                    "expected {n} whole numbers, one per episode, not an array of shape {shape} and type {type}",
                    n=self.n,
                    shape=str(found.shape),
                    type=str(found.dtype),
                )
            )
        last = self.codes.actions - 1
        inside = (found >= 0) & (found <= last)
        chosen = np.where(inside, found, 0).astype(np.int64)
        allowed = inside & (self._masks()[np.arange(self.n), chosen] != 0)
        if not allowed.all():
            row = int(np.flatnonzero(~allowed)[0])
            number = int(found[row])
            if not inside[row]:
                raise NotAllowed(
                    msg(
                        "episode {row}: an action is a whole number from 0 to {last}, not {found}",
                        row=row,
                        last=last,
                        found=str(number),
                    )
                )
            raise NotAllowed(
                msg(
                    "episode {row}: action {id} ({name}) is not allowed now",
                    row=row,
                    id=number,
                    name=self.codes.names[number],
                )
            )
        return chosen
