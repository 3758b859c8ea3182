"""Trick games side by side on the kernels give the bytes of plain sessions."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from meja.cards import Rng
from meja.envs.core import EPISODES, REWARDS, Options
from meja.envs.vector import Sessions, VectorDeals, fastest
from meja.envs.vector_tricks import TrickRows, plays
from meja.errors import MejaError
from meja.games import games, make_rules
from meja.rules import Rules
from meja.testing.mixes import all_presets, random_rules, single_options

TRICK_GAMES = ("bassadewitz", "calabresella", "smear")
#: Every way in which an environment can pay.
WAYS = list(product(EPISODES, REWARDS, (False, True)))


class Pair:
    """The same episodes on the kernel and in sessions, compared at every step."""

    def __init__(self, options: Options, rows: int, seed: int) -> None:
        self.fast = VectorDeals(options, rows, seed, TrickRows(options, rows))
        self.plain = VectorDeals(options, rows, seed, Sessions(options, rows))
        self.rng = Rng(seed, 9)
        self.phases: set[str] = set()
        self.ended = 0

    def compare(self) -> None:
        """What is seen, allowed, and who is to act."""
        assert self.fast.seats().tolist() == self.plain.seats().tolist()
        assert self.fast.masks().tobytes() == self.plain.masks().tobytes()
        fast, plain = self.fast.observe(), self.plain.observe()
        if fast.tobytes() != plain.tobytes():
            row, place = (int(found) for found in np.argwhere(fast != plain)[0])
            plane = next(plane for plane in self.plain.codes.planes if plane.start <= place < plane.end)
            raise AssertionError(f"row {row}: {plane.name} {place - plane.start}: {fast[row, place]}")

    def step(self, choose: Callable[[list[int]], int] | None = None) -> None:
        """One decision per row."""
        self.compare()
        masks = self.plain.masks()
        actions = [(choose or self.rng.choice)(np.flatnonzero(mask).tolist()) for mask in masks]
        fast, plain = self.fast.step(actions), self.plain.step(actions)
        for one, other in zip(fast, plain, strict=True):
            assert one.dtype == other.dtype
            assert one.tobytes() == other.tobytes()
        assert self.fast.truncated.tolist() == self.plain.truncated.tolist()
        self.ended += int(plain[1].sum())


def alone(name: str) -> list[Rules]:
    return list(dict.fromkeys([*all_presets(name), *single_options(name)]))


@pytest.mark.parametrize("name", TRICK_GAMES)
def test_every_option_and_number_of_seats(name: str, long: bool) -> None:
    """Every preset, every value of every option alone, and mixes; every way to pay in turn."""
    rng = Rng(TRICK_GAMES.index(name))
    sets = alone(name) + [random_rules(name, rng) for _ in range(400 if long else 20)]
    for number, rules in enumerate(sets):
        pair = Pair(Options(rules, *WAYS[number % len(WAYS)]), 2, number)
        for _ in range(400 if long else 60):
            pair.step()
        pair.compare()


@pytest.mark.parametrize("name", TRICK_GAMES)
def test_whole_matches(name: str, long: bool) -> None:
    """Totals and the number of deals grow, matches end, and the next ones begin."""
    short: dict[str, Any] = {"target": 7} if name == "smear" else {"deals": 3}
    rng = Rng(5)
    for seats in (3, 2) if name == "smear" else (3,):
        pair = Pair(Options(make_rules(name, seats, **short), "match", "rank"), 3, 1)
        for _ in range(1500 if long else 400):
            # High bids are mostly lost, and nobody would ever reach a target.
            pair.step(lambda ids: ids[0] if ids[0] == 0 and len(ids) < 6 and rng.below(4) else rng.choice(ids))
        assert pair.ended or name == "smear"


@pytest.mark.parametrize("name", TRICK_GAMES)
def test_episodes_that_are_cut_off(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meja.envs.core.MOST_DEALS", 2)
    pair, cut = Pair(Options(make_rules(name, 3), "match"), 2, 3), 0
    for _ in range(200):
        pair.step()
        cut += int(pair.fast.truncated.sum())
    assert cut


@pytest.mark.parametrize("name", TRICK_GAMES)
def test_a_copy_goes_on_like_its_model(name: str) -> None:
    """In the middle of deals, in every phase: copied and pickled backends are at the same place."""
    pair = Pair(Options(make_rules(name, 3), "match"), 4, 7)
    for number in range(60):
        pair.step()
        if number % 7 == 0:
            pair.compare()
            pair.fast = copy.deepcopy(pair.fast) if number % 2 else pickle.loads(pickle.dumps(pair.fast))
            pair.compare()


@pytest.mark.parametrize("name", TRICK_GAMES)
def test_sessions_are_told_of_what_was_played(name: str) -> None:
    options = Options(make_rules(name, 3))
    backend = TrickRows(options, 3)
    deals, rng = VectorDeals(options, 3, 2, backend), Rng(2)
    for number in range(90):
        if number % 4 == 0:
            seen, masks, seats = deals.observe(), deals.masks(), deals.seats()
            for row, session in enumerate(backend.sessions):
                seat = session.to_act
                assert seat is not None
                assert seat == seats[row]
                assert session.observe(seat).tobytes() == seen[row].tobytes()
                assert session.mask(seat).tobytes() == masks[row].tobytes()
        deals.step([rng.choice(np.flatnonzero(mask).tolist()) for mask in deals.masks()])


@pytest.mark.parametrize("name", TRICK_GAMES)
def test_beginning_anew_forgets_what_was_begun(name: str) -> None:
    pair = Pair(Options(make_rules(name, 3)), 3, 4)
    for steps in (1, 5, 17, 30):
        pair.fast.reset(steps)
        pair.plain.reset(steps)
        for _ in range(steps):
            pair.step()


def test_all_pass_and_every_contract_come_about() -> None:
    """By the words of the actions, so that what is compared above is the whole game."""
    options = Options(make_rules("calabresella", 3))
    deals, rng = VectorDeals(options, 40, 1, TrickRows(options, 40)), Rng(1)
    words = set()
    for _ in range(20):
        actions = [rng.choice(np.flatnonzero(mask).tolist()) for mask in deals.masks()]
        words |= {" ".join(deals.codes.names[number].split()[: 1 + (number < 7)]) for number in actions}
        deals.step(actions)
    assert words == {
        "pass", "bid chiamo", "bid solo", "bid solissimo", "raise plain", "raise dividete", "raise scegliete",
        "play", "call", "give", "discard",
    }  # fmt: skip


def test_the_kernel_is_taken_where_it_applies() -> None:
    for name in games():
        options = Options(make_rules(name))
        assert plays(options.rules) == (name != "kaluki")
        kind = TrickRows if plays(options.rules) else Sessions
        assert type(fastest(options, 2)) is kind
        assert type(VectorDeals(options, 2, 1).backend) is kind


def test_a_game_without_tricks_is_refused() -> None:
    with pytest.raises(MejaError, match="kaluki is not a trick game"):
        TrickRows(Options(make_rules("kaluki")), 2)
