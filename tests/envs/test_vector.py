"""Many episodes side by side give the numbers of single ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from meja.cards import Rng
from meja.envs.core import Options, Session
from meja.envs.encoding import Encoding, NotAllowed, encoding
from meja.envs.vector import Backend, Sessions, VectorDeals
from meja.errors import MejaError
from meja.games import games, make_rules
from meja.testing import random_rules


def some(masks: NDArray[np.int8], rng: Rng) -> NDArray[np.int64]:
    return np.array([rng.choice(np.flatnonzero(mask).tolist()) for mask in masks])


@pytest.mark.parametrize("episode", ["deal", "match"])
@pytest.mark.parametrize("name", games())
def test_every_row_is_a_single_environment_with_its_own_seed(name: str, episode: str) -> None:
    options = Options(make_rules(name), episode, "score", True)
    deals = VectorDeals(options, 3, 20)
    singles = [Session(options) for _ in range(3)]
    for row, single in enumerate(singles):
        single.reset(20 + row)
    rng, ended = Rng(1), 0
    for _ in range(700 if name == "kaluki" else 160):
        seen, masks, seats = deals.observe(), deals.masks(), deals.seats()
        for row, single in enumerate(singles):
            seat = single.to_act
            assert seat is not None
            assert seats[row] == seat
            assert seen[row].tobytes() == single.observe(seat).tobytes()
            assert masks[row].tobytes() == single.mask(seat).tobytes()
        actions = some(masks, rng)
        rewards, done = deals.step(actions)
        for row, single in enumerate(singles):
            paid = single.step(int(actions[row]))
            assert rewards[row].tolist() == np.array(paid, dtype=np.float32).tolist()
            assert done[row] == single.over
            if single.over:
                ended += 1
                single.reset()
    assert ended > 2 or episode == "match"


def test_the_form_of_the_arrays() -> None:
    rules = make_rules("kaluki", 3)
    deals = VectorDeals(Options(rules), 5, 1)
    codes = encoding(rules)
    assert deals.observe().shape == (5, codes.size)
    assert deals.observe().dtype == np.float32
    assert deals.masks().shape == (5, codes.actions)
    assert deals.masks().dtype == np.int8
    assert deals.seats().shape == (5,)
    assert deals.seats().dtype == np.int64
    rewards, done = deals.step(deals.masks().argmax(1))
    assert rewards.shape == (5, 3)
    assert rewards.dtype == np.float32
    assert done.shape == (5,)
    assert done.dtype == np.bool_
    for call in (deals.observe, deals.masks, deals.seats):
        one = call()
        one[:] = 1
        assert not np.shares_memory(one, call())
        assert (call() != 1).any()


def test_a_row_goes_on_with_the_next_episode_by_itself() -> None:
    options = Options(make_rules("smear", 3))
    backend = Sessions(options, 2)
    deals = VectorDeals(options, 2, 4, backend)
    rng, seeds = Rng(3), [[session.seed] for session in backend.sessions]
    assert seeds == [[4], [5]]
    total = np.zeros((2, 3))
    for _ in range(300):
        rewards, done = deals.step(some(deals.masks(), rng))
        total += rewards
        assert deals.masks().any(axis=1).all()
        for row in np.flatnonzero(done):
            seeds[row].append(backend.sessions[row].seed)
    assert total.any(axis=1).all()
    assert min(map(len, seeds)) > 10
    assert len({seed for row in seeds for seed in row}) == sum(map(len, seeds))
    deals.reset(4)
    assert [session.seed for session in backend.sessions] == [4, 5]


def test_episodes_that_are_cut_off_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meja.envs.core.MOST_DEALS", 2)
    deals = VectorDeals(Options(make_rules("smear", 3), "match"), 3, 1)
    rng, cut = Rng(3), 0
    for _ in range(200):
        _, done = deals.step(some(deals.masks(), rng))
        assert (deals.truncated <= done).all()
        cut += deals.truncated.sum()
    assert cut > 6


def test_any_rules_may_be_played_side_by_side() -> None:
    for name in games():
        for mix in range(3):
            deals = VectorDeals(Options(random_rules(name, Rng(mix))), 2, mix)
            rng = Rng(mix)
            for _ in range(60):
                deals.observe()
                deals.step(some(deals.masks(), rng))


# -- bad input --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "found"),
    [
        (np.zeros(3), "shape (3,) and type float64"),
        (np.zeros(3, dtype=np.bool_), "shape (3,) and type bool"),
        (np.zeros(2, dtype=np.int64), "shape (2,) and type int64"),
        (np.zeros((3, 1), dtype=np.int64), "shape (3, 1) and type int64"),
        ([0, 0], "shape (2,) and type int64"),
        ([0, 0, "x"], "shape (3,) and type <U"),
        (None, "shape () and type object"),
        (0, "shape () and type int64"),
    ],
    ids=str,
)
def test_a_wrong_type_or_shape_is_named(actions: Any, found: str) -> None:
    deals = VectorDeals(Options(make_rules("smear", 3)), 3, 1)
    with pytest.raises(MejaError) as raised:
        deals.step(actions)
    assert str(raised.value).startswith(f"expected 3 whole numbers, one per episode, not an array of {found}")


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.int64, np.uint64, list])
def test_whole_numbers_of_any_width_are_taken(kind: Any) -> None:
    deals = VectorDeals(Options(make_rules("smear", 3)), 4, 1)
    actions = deals.masks().argmax(1)
    deals.step(list(actions) if kind is list else actions.astype(kind))
    assert len(set(deals.seats())) > 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (56, "episode 2: action 56 (play Ac) is not allowed now"),
        (-1, "episode 2: an action is a whole number from 0 to 56, not -1"),
        (57, "episode 2: an action is a whole number from 0 to 56, not 57"),
    ],
)
def test_an_action_that_is_not_allowed_is_named_before_anything_changes(wrong: int, words: str) -> None:
    deals = VectorDeals(Options(make_rules("smear", 3)), 4, 1)
    before = deals.observe().tobytes(), deals.seats().tobytes()
    actions = deals.masks().argmax(1)
    actions[2:] = wrong
    with pytest.raises(NotAllowed) as raised:
        deals.step(actions)
    assert str(raised.value) == words
    assert (deals.observe().tobytes(), deals.seats().tobytes()) == before


@pytest.mark.parametrize("n", [0, -1, 2.0, "4", True, None], ids=str)
def test_the_number_of_episodes_is_checked(n: Any) -> None:
    with pytest.raises(MejaError, match="the number of episodes side by side is a whole number from 1 on"):
        VectorDeals(Options(make_rules("smear", 3)), n, 1)


def test_options_and_seeds_are_checked() -> None:
    with pytest.raises(MejaError, match="expected options of an environment"):
        VectorDeals(make_rules("smear", 3), 2, 1)  # type: ignore[arg-type]
    for seed in (-1, "1", None, 1.0):
        with pytest.raises(MejaError, match="a seed is a whole number from 0 on"):
            VectorDeals(Options(make_rules("smear", 3)), 2, seed)  # type: ignore[arg-type]


# -- the seam ---------------------------------------------------------------------


class Counting:
    """A backend of one's own: a game in which everybody may do everything, and every third step ends an episode."""

    def __init__(self, codes: Encoding) -> None:
        self.codes = codes
        self.began: list[tuple[int, int | None]] = []
        self.steps = 0

    def reset(self, row: int, seed: int | None) -> None:
        self.began.append((row, seed))

    def observe(self, out: NDArray[np.float32]) -> None:
        out[:, 0] = self.steps

    def masks(self, out: NDArray[np.int8]) -> None:
        out[:] = 1

    def seats(self, out: NDArray[np.int64]) -> None:
        out[:] = 1

    def step(
        self,
        actions: NDArray[np.int64],
        rewards: NDArray[np.float32],
        done: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
    ) -> None:
        self.steps += 1
        rewards[:, 0] = actions
        done[:] = self.steps % 3 == 0
        truncated[:1] = done[:1]


def test_another_backend_needs_no_more_than_the_protocol() -> None:
    rules = make_rules("smear", 3)
    backend = Counting(encoding(rules))
    typed: Backend = backend
    deals = VectorDeals(Options(rules), 2, 9, typed)
    assert backend.began == [(0, 9), (1, 10)]
    for step in range(1, 4):
        rewards, done = deals.step(np.array([5, 6]))
        assert rewards.tolist() == [[5, 0, 0], [6, 0, 0]]
        assert deals.observe()[:, 0].tolist() == [step, step]
        assert done.tolist() == [step == 3] * 2
        assert deals.truncated.tolist() == [step == 3, False]
    assert backend.began[2:] == [(0, None), (1, None)]
    assert deals.seats().tolist() == [1, 1]
