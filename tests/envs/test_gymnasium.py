"""The Gymnasium environments: one seat among bots."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.utils.performance import benchmark_step
from tests.envs.walks import MIXES, PRESETS

from meja.bots import RULES_OF_THUMB, Bot, Budget, make_bot
from meja.cards import Rng, parse_card, parse_cards
from meja.deal import Layout
from meja.envs.core import Options, Session
from meja.envs.encoding import NotAllowed
from meja.envs.gymnasium import SeatEnv, environment_id, register
from meja.errors import GameOver, MejaError
from meja.games import game, games, make_rules
from meja.rules import Rules


def play(env: Any, seed: int | None, most: int = 5000) -> tuple[float, list[Any]]:
    """An episode by random allowed actions: what the seat was given, and its observations."""
    seen, info = env.reset(seed=seed)
    rng, total, kept = Rng(seed or 0, 1), 0.0, [seen]
    for _ in range(most):
        allowed = np.flatnonzero(info["action_mask"] if "action_mask" in info else seen["action_mask"])
        seen, reward, ended, cut, info = env.step(rng.choice(allowed))
        assert type(reward) is float
        kept.append(seen)
        total += reward
        if ended or cut:
            break
    return total, kept


# -- Gymnasium's own checks -------------------------------------------------------


@pytest.mark.parametrize("mask_in", ["obs", "info"])
@pytest.mark.parametrize("illegal", ["end", "random"])
@pytest.mark.parametrize("name", games())
def test_gymnasium_finds_nothing_to_warn_of(name: str, illegal: str, mask_in: str) -> None:
    made = gymnasium.make(environment_id(name), illegal=illegal, mask_in=mask_in)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made.unwrapped)


@pytest.mark.parametrize("rules", [*PRESETS, *MIXES[::6]], ids=str)
def test_every_preset_and_number_of_seats_passes(rules: Rules) -> None:
    made = gymnasium.make(environment_id(rules.game), rules=rules, illegal="random", seat="random", bots="random")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made.unwrapped, skip_render_check=True)


def test_the_ids_are_registered_by_the_import_alone() -> None:
    assert [environment_id(name) for name in games()] == [
        "Meja/Bassadewitz-v0",
        "Meja/Calabresella-v0",
        "Meja/Kaluki-v0",
        "Meja/Smear-v0",
    ]
    code = (
        "import gymnasium; print(gymnasium.make('meja.envs.gymnasium:Meja/Kaluki-v0', seats=3).unwrapped.session.seats)"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("3\n", "")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        register()


def test_the_benchmark_of_gymnasium_runs() -> None:
    assert benchmark_step(gymnasium.make("Meja/Smear-v0", illegal="random"), target_duration=1, seed=1) > 0


# -- an episode -------------------------------------------------------------------


@pytest.mark.parametrize("episode", ["deal", "match"])
@pytest.mark.parametrize("name", games())
def test_the_seat_is_given_its_return_and_sees_what_the_session_shows(name: str, episode: str) -> None:
    for seed in range(2):
        env = SeatEnv(name, seat=1, episode=episode, reward="score", zero_sum=True)
        seen, _ = env.reset(seed=seed)
        rng, total = Rng(seed), 0.0
        over = False
        while not over:
            assert env.session.to_act == 1
            assert seen.tobytes() == env.session.observe(1).tobytes()
            assert np.flatnonzero(env.action_masks()).tolist() == env.session.ids()
            seen, reward, ended, cut, info = env.step(rng.choice(env.session.ids()))
            total += reward
            over = ended or cut
        assert total == pytest.approx(env.session.returns[1])
        assert not env.action_masks().any()
        assert not info["action_mask"].any()
        assert ended


def test_the_cards_are_those_of_the_session_with_the_same_seed() -> None:
    env = SeatEnv("bassadewitz", seat=2)
    made = Session(Options(make_rules("bassadewitz")))
    for seed in (3, 4):
        env.reset(seed=seed)
        made.reset(seed)
        assert env.session.deal.layout() == made.deal.layout()
        assert env.session.deal.dealer == made.deal.dealer


def test_the_others_play_as_their_bots_do() -> None:
    env = SeatEnv("smear", 3, seat=1, bots=[RULES_OF_THUMB, "random"], reward="score")
    thumb = make_bot(RULES_OF_THUMB, "smear")
    for seed in range(12):
        play(env, seed)
        deal = env.session.deal
        again = type(deal).from_layout(deal.rules, deal.dealer, deal.layout())
        for seat, action in deal.actions():
            if seat == 2:
                # The first name is that of the left neighbour; rules of thumb need no chance.
                assert thumb.act(again.view(seat), Budget()) == action
            again.apply(action)


def test_a_bot_of_ones_own_may_sit_there() -> None:
    asked: list[int] = []

    class Lowest(Bot):
        name = "lowest"

        def act(self, view: Any, budget: Budget) -> Any:
            assert view.seat == view.to_act
            asked.append(view.seat)
            return view.legal[0]

    env = SeatEnv("bassadewitz", 4, seat=0, bots=Lowest())
    play(env, 5)
    assert set(asked) == {1, 2, 3}
    assert all(
        action == min(a for s, a in env.session.deal.actions()[:1]) for _, action in env.session.deal.actions()[:1]
    )


def test_one_seed_is_one_course() -> None:
    for bots in ("random", RULES_OF_THUMB):
        one, two = (SeatEnv("kaluki", 3, bots=bots, seat="random") for _ in range(2))
        for seed in (1, None, None, 2):
            first, second = play(one, seed, 60), play(two, seed, 60)
            assert first[0] == second[0]
            assert one.seat == two.seat
            assert all(a.tobytes() == b.tobytes() for a, b in zip(first[1], second[1], strict=True))


def test_a_random_seat_is_every_seat() -> None:
    env = SeatEnv("bassadewitz", 4, seat="random")
    seats = set()
    for seed in range(30):
        env.reset(seed=seed)
        seats.add(env.seat)
        assert env.session.to_act == env.seat
    assert seats == {0, 1, 2, 3}


def test_an_episode_without_a_decision_is_passed_over() -> None:
    # The dealer of four at Calabresella has nothing to do in the whole deal.
    env = SeatEnv("calabresella", 4, dealer_sits_out=True, seat=3)
    for seed in range(20):
        env.reset(seed=seed)
        assert env.session.deal.dealer != 3
        assert env.session.to_act == 3
    env = SeatEnv("calabresella", 4, dealer_sits_out=True, seat=3, episode="match")
    dealt = set()
    for seed in range(12):
        env.reset(seed=seed)
        dealt.add(len(env.session.match.deals))
    # In a match the deal is played by the others.
    assert dealt == {0, 1}


class Quick(Bot):
    """Lays the longest meld it can, and else does what comes first."""

    def act(self, view: Any, budget: Budget) -> Any:
        return max(view.legal, key=lambda move: sum(len(meld.cards) for meld in move.melds))


@pytest.fixture
def out_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the first deal of all seat 1 goes out in its first turn, before seat 0 has done anything."""
    pack = list(game("kaluki").deal.pack(make_rules("kaluki")))
    hand = parse_cards("2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As 2h 3h")
    for card in [*hand, (first := parse_card("4h"))]:
        pack.remove(card)
    layout = Layout((tuple(pack[:15]), tuple(hand)), (), pack[15], (first, *pack[16:]))
    given: list[Layout] = []
    start = Session.start_deal

    def start_deal(session: Session, begin: Any) -> None:
        start(session, begin if given else lambda match: match.next_deal(layout))
        given.append(layout)

    monkeypatch.setattr(Session, "start_deal", start_deal)


@pytest.mark.usefixtures("out_at_once")
def test_what_was_given_before_the_first_decision_comes_with_it() -> None:
    env = SeatEnv("kaluki", 2, episode="match", zero_sum=True, bots=Quick())
    env.reset(seed=1, options={"dealer": 0})
    (deal,) = env.session.match.deals
    assert {seat for seat, _ in deal.actions()} == {1}
    lost = -deal.score()[1] / 2
    assert lost < 0
    rewards = [env.step(env.session.ids()[0])[1] for _ in range(3)]
    assert rewards == [lost, 0, 0]
    assert env.session.returns[0] == lost


@pytest.mark.usefixtures("out_at_once")
def test_a_deal_that_ends_before_the_seat_has_acted_is_passed_over() -> None:
    env = SeatEnv("kaluki", 2, zero_sum=True, bots=Quick())
    env.reset(seed=1, options={"dealer": 0})
    assert env.session.match.deals == []
    assert env.session.to_act == 0
    assert env.session.seed != 1
    assert env.step(env.session.ids()[0])[1] == 0


@pytest.mark.parametrize("mask_in", ["obs", "info"])
def test_masks_are_where_they_are_asked_for(mask_in: str) -> None:
    env = SeatEnv("kaluki", mask_in=mask_in)
    seen, info = env.reset(seed=1)
    mask = seen["action_mask"] if mask_in == "obs" else info["action_mask"]
    assert mask.dtype == np.int8
    assert seen in env.observation_space
    assert env.action_masks().dtype == np.bool_
    assert (env.action_masks() == mask.astype(bool)).all()
    assert (info == {}) == (mask_in == "obs")


def test_what_happens_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    env = SeatEnv("bassadewitz", 3, render_mode="ansi")
    env.reset(seed=2)
    assert env.render().endswith("player_0 is to act.")
    before = len(env.session.deal.actions())
    env.step(env.session.ids()[0])
    assert env.render().count(" plays ") == len(env.session.deal.actions()) - before > 1
    human = SeatEnv("bassadewitz", 3, render_mode="human")
    play(human, 2)
    out = capsys.readouterr().out
    assert out.count(" plays ") == 30
    assert "Score of deal 1" in out
    env.close()


# -- bad input --------------------------------------------------------------------


def test_illegal_actions_raise_end_or_are_replaced() -> None:
    for illegal in ("raise", "end", "random"):
        env = SeatEnv("smear", 3, illegal=illegal, seat=1)
        env.reset(seed=3)
        wrong = next(number for number in range(57) if number not in env.session.ids())
        if illegal == "raise":
            for action in (wrong, 57, -1):
                with pytest.raises(NotAllowed):
                    env.step(action)
            assert env.session.to_act == 1
            continue
        before = len(env.session.deal.actions())
        _, reward, ended, cut, _ = env.step(wrong)
        assert not cut
        assert ended == (illegal == "end")
        assert reward == (-4 if illegal == "end" else 0)
        assert (len(env.session.deal.actions()) > before) == (illegal == "random")


def test_before_and_after_an_episode_nothing_is_expected() -> None:
    env = SeatEnv("smear", 3)
    with pytest.raises(MejaError, match="no episode has begun"):
        env.step(0)
    play(env, 1)
    with pytest.raises(GameOver, match="the episode is over"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(MejaError, match="an action is one whole number, not an array of shape"):
        env.step(np.zeros(3))
    with pytest.raises(MejaError, match="render_mode ansi or human"):
        env.render()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seat": 3}, 'seat cannot be "3"; expected one of: 0, 1, 2, random'),
        ({"seat": "any"}, 'seat cannot be "any"; expected one of: 0, 1, 2, random'),
        ({"seat": True}, 'seat cannot be "True"; expected one of: 0, 1, 2, random'),
        ({"bots": "genius"}, 'there is no bot "genius"; expected one of: random, rules-of-thumb'),
        ({"bots": ["random"]}, "expected the name of a bot, or 2 of them, one per other seat; found \"['random']\""),
        ({"bots": 7}, 'expected the name of a bot, or 2 of them, one per other seat; found "7"'),
        ({"bots": ["random", "genius"]}, 'there is no bot "genius"; expected one of: random, rules-of-thumb'),
        ({"mask_in": None}, 'mask_in cannot be "None"; expected one of: info, obs'),
        ({"illegal": "ignore"}, 'illegal cannot be "ignore"; expected one of: raise, end, random'),
        ({"render_mode": "rgb_array"}, 'render_mode cannot be "rgb_array"; expected one of: None, human, ansi'),
        ({"reward": "win"}, 'reward cannot be "win"; expected one of: score, points, rank'),
        ({"seats": 7}, "smear is played by 2 or 3 players, not 7"),
        ({"bid": 2}, 'smear has no option "bid"; expected one of: high, low'),
    ],
    ids=str,
)
def test_unknown_options_are_named(options: Any, words: str) -> None:
    with pytest.raises(MejaError) as raised:
        SeatEnv("smear", **options)
    assert str(raised.value).startswith(words)


def test_an_unknown_game_is_named() -> None:
    with pytest.raises(MejaError, match='there is no game "whist"'):
        SeatEnv("whist")
