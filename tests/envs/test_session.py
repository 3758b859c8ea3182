"""Episodes, rewards and seeds: what all environments share."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.walks import PRESETS, decisions, eager, session

import meja.envs.core
from meja.bots import RULES_OF_THUMB, Budget, make_bot
from meja.cards import Rng
from meja.envs.core import Options, Session, ranks, rules_of
from meja.errors import GameOver, MejaError, RulesError
from meja.games import game, games, make_rules
from meja.testing import random_rules


def finish(made: Session, seed: int) -> list[list[float]]:
    """Play to the end; the rewards of every decision."""
    rng, paid = Rng(seed, 99), []
    while made.to_act is not None:
        paid.append(list(made.step(eager(made, rng))))
    return paid


def column_sums(paid: list[list[float]]) -> list[float]:
    return [sum(column) for column in zip(*paid, strict=True)]


# -- rewards ----------------------------------------------------------------------


@pytest.mark.parametrize("rules", PRESETS, ids=str)
def test_scores_of_a_deal_are_those_of_its_score_sheet(rules: Any) -> None:
    for seed in range(3):
        made = session(rules, seed, reward="score")
        paid = finish(made, seed)
        deal = made.deal
        assert deal.over
        assert len(made.match.deals) == 1
        assert column_sums(paid) == list(made.returns) == ([0] * made.seats if deal.void else list(deal.score()))
        # Nothing is given before the end.
        assert all(not any(rewards) for rewards in paid[:-1])


@pytest.mark.parametrize("name", games())
def test_scores_of_a_match_come_deal_by_deal_and_add_up_to_the_totals(name: str) -> None:
    made = session(make_rules(name), 3, episode="match", reward="score")
    paid = finish(made, 3)
    assert made.match.winners is not None
    assert not made.truncated
    assert column_sums(paid) == list(made.returns) == list(made.match.totals)
    scored = [list(map(float, deal.score())) for deal in made.match.deals if not deal.void and any(deal.score())]
    assert [rewards for rewards in paid if any(rewards)] == scored


def test_more_points_are_better_in_every_game() -> None:
    # Who wins a match by the rules has the most points, but in Smear, where a made bid wins.
    for name in ("bassadewitz", "calabresella", "kaluki"):
        for rules in [make_rules(name), random_rules(name, Rng(8))]:
            made = session(rules, 1, episode="match", reward="points")
            finish(made, 1)
            if made.truncated:
                continue
            best = max(made.returns)
            assert tuple(seat for seat, value in enumerate(made.returns) if value == best) == made.match.winners


def test_only_the_penalties_of_bassadewitz_change_their_sign() -> None:
    for rules in PRESETS:
        low = rules.game == "bassadewitz"
        assert rules.low_wins == low
        score, points = session(rules, 2, reward="score"), session(rules, 2, reward="points")
        finish(score, 2)
        finish(points, 2)
        assert list(points.returns) == [-value if low else value for value in score.returns]
    assert not make_rules("bassadewitz", 4, classic_pool=True).low_wins


def test_ranks_go_evenly_from_one_to_minus_one_and_ties_share() -> None:
    assert ranks([5, 9, 1]) == [0, 1, -1]
    assert ranks([7, 7, 1]) == [0.5, 0.5, -1]
    assert ranks([4, 4]) == [0, 0]
    assert ranks([1, 2, 3, 4, 5]) == [-1, -0.5, 0, 0.5, 1]
    assert ranks([3, 3, 3, 3]) == [0, 0, 0, 0]
    # Who has won comes first, whatever the others have.
    assert ranks([11, 14, 2], winners=(0,)) == [1, 0, -1]
    assert ranks([3, 9, 5, 7], winners=(0, 2)) == pytest.approx([2 / 3, -1 / 3, 2 / 3, -1])


def test_the_winner_of_a_match_of_smear_is_first_though_another_has_more() -> None:
    other_has_more = 0
    bot = make_bot(RULES_OF_THUMB, "smear")
    for seed in range(58, 66):
        made = session(make_rules("smear", 2, smudge="win_game", target=21), seed, episode="match", reward="rank")
        while made.to_act is not None:
            made.act(bot.act(made.view(made.to_act), Budget(seed=seed)))
        assert made.match.winners is not None
        (winner,) = made.match.winners
        assert made.returns[winner] == 1
        assert made.returns[1 - winner] == -1
        other_has_more += made.match.totals[1 - winner] > made.match.totals[winner]
    assert other_has_more > 0


@pytest.mark.parametrize("reward", ["score", "points", "rank"])
@pytest.mark.parametrize("episode", ["deal", "match"])
@pytest.mark.parametrize("name", games())
def test_with_zero_sum_rewards_add_up_to_nothing_at_every_step(name: str, episode: str, reward: str) -> None:
    rules = make_rules(name)
    plain = session(rules, 5, episode=episode, reward=reward)
    even = session(rules, 5, episode=episode, reward=reward, zero_sum=True)
    for one, two in zip(finish(plain, 5), finish(even, 5), strict=True):
        assert sum(two) == pytest.approx(0, abs=1e-9)
        mean = sum(one) / len(one)
        assert two == pytest.approx([value - mean for value in one])


@settings(max_examples=20)
@given(
    name=st.sampled_from(games()),
    mix=st.integers(0, 1 << 30),
    episode=st.sampled_from(["deal", "match"]),
    reward=st.sampled_from(["score", "points", "rank"]),
    zero_sum=st.booleans(),
)
def test_rewards_of_the_steps_are_the_returns(name: str, mix: int, episode: str, reward: str, zero_sum: bool) -> None:
    rules = random_rules(name, Rng(mix))
    made = session(rules, mix, episode=episode, reward=reward, zero_sum=zero_sum)
    total, rng = [0.0] * made.seats, Rng(mix)
    for _ in range(1500):
        if made.to_act is None:
            break
        for seat, value in enumerate(made.step(eager(made, rng))):
            total[seat] += value
        assert total == pytest.approx(list(made.returns))
    low, high = game(name).deal.score_range(rules)
    if episode == "deal" and reward == "score" and not zero_sum:
        assert all(low <= value <= high for value in made.returns)


def test_a_match_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meja.envs.core, "MOST_DEALS", 3)
    made = session(make_rules("calabresella", 3, target=51), 1, episode="match", reward="rank")
    finish(made, 1)
    assert made.truncated
    assert made.over
    assert len(made.match.deals) == 3
    assert made.match.winners is None
    assert list(made.returns) == ranks(list(map(float, made.match.totals)))
    made.reset(2)
    assert not made.truncated
    assert made.returns == (0, 0, 0)


# -- what is not allowed ----------------------------------------------------------


@pytest.mark.parametrize("name", games())
@pytest.mark.parametrize("reward", ["points", "score", "rank"])
def test_a_forfeit_is_never_better_than_any_deal(name: str, reward: str) -> None:
    rules = make_rules(name)
    low, high = game(name).deal.score_range(rules)
    made = session(rules, 1, reward=reward)
    seat = made.to_act
    assert seat is not None
    paid = made.forfeit()
    assert made.over
    assert made.offender == seat
    assert paid == made.returns
    assert all(value == 0 for other, value in enumerate(paid) if other != seat)
    if reward == "rank":
        assert paid[seat] == -1
    elif reward == "score" and name == "bassadewitz":
        assert paid[seat] >= high
    else:
        assert paid[seat] <= min(low, -high)
    with pytest.raises(GameOver):
        made.step(0)
    with pytest.raises(GameOver):
        made.forfeit()


def test_a_forfeit_keeps_what_the_match_has_brought_so_far() -> None:
    made = session(make_rules("smear", 3), 4, episode="match", zero_sum=True)
    rng = Rng(1)
    while len(made.match.deals) < 4:
        made.step(eager(made, rng))
    before, seat = made.returns, made.to_act
    assert any(before)
    assert seat is not None
    paid = made.forfeit()
    assert sum(paid) == pytest.approx(0)
    assert paid == pytest.approx([-4 + 4 / 3 if other == seat else 4 / 3 for other in range(3)])
    assert made.returns == pytest.approx([then + now for then, now in zip(before, paid, strict=True)])


def test_before_and_after_an_episode_nobody_acts() -> None:
    made = Session(Options(make_rules("smear", 3)))
    assert made.to_act is None
    for call in (made.step, made.observe):
        with pytest.raises(MejaError, match="no episode has begun"):
            call(0)
    made.reset(1)
    finish(made, 1)
    assert made.ids() == []
    assert not made.mask(0).any()
    with pytest.raises(GameOver, match="the episode is over"):
        made.step(0)


# -- seeds ------------------------------------------------------------------------


def course(made: Session, seed: int) -> list[Any]:
    return [
        made.seed,
        made.deal.layout(),
        made.deal.dealer,
        [made.observe(seat).tobytes() for _ in [0] for seat in decisions(made, seed)],
    ]


@pytest.mark.parametrize("name", games())
def test_the_same_seed_plays_the_same_episode_and_the_same_ones_after_it(name: str) -> None:
    one, two = Session(Options(make_rules(name))), Session(Options(make_rules(name)))
    one.reset(7)
    finish(one, 1)
    one.reset(11)
    two.reset(11)
    first = [course(one, 1), course(two, 1)]
    assert first[0] == first[1]
    one.reset()
    two.reset()
    second = [course(one, 1), course(two, 1)]
    assert second[0] == second[1] != first[0]
    # An episode that was not asked for by its seed can be played again by it.
    three = Session(Options(make_rules(name)))
    three.reset(second[0][0])
    assert course(three, 1) == second[0]


def test_seeds_that_are_close_to_each_other_deal_different_cards() -> None:
    made = Session(Options(make_rules("bassadewitz", 4)))
    layouts, dealers = set(), set()
    for seed in range(40):
        made.reset(seed)
        layouts.add(made.deal.layout())
        dealers.add(made.deal.dealer)
    assert len(layouts) == 40
    assert dealers == {0, 1, 2, 3}


def test_without_any_seed_chance_deals() -> None:
    layouts = set()
    for _ in range(5):
        made = Session(Options(make_rules("smear", 3)))
        made.reset()
        layouts.add(made.deal.layout())
    assert len(layouts) == 5


def test_the_first_dealer_can_be_given() -> None:
    made = Session(Options(make_rules("kaluki", 4)))
    for dealer in range(4):
        made.reset(3, dealer)
        assert made.deal.dealer == dealer
    for wrong in (4, -1, True, "0"):
        with pytest.raises(MejaError, match="dealer must be a seat from 0 to 3"):
            made.reset(3, wrong)


@pytest.mark.parametrize("wrong", [-1, 1.5, "7", True, [1]], ids=str)
def test_what_is_no_seed_is_named(wrong: Any) -> None:
    with pytest.raises(MejaError, match="a seed is a whole number from 0 on, not"):
        Session(Options(make_rules("smear", 3))).reset(wrong)


@pytest.mark.parametrize("name", games())
def test_a_session_can_be_copied_and_pickled_in_the_middle(name: str) -> None:
    made = session(make_rules(name), 6)
    rng = Rng(2)
    for _ in range(9):
        made.step(eager(made, rng))
    twins = [copy.deepcopy(made), pickle.loads(pickle.dumps(made))]
    ends = []
    for each in [made, *twins]:
        finish(each, 5)
        ends.append((each.returns, each.deal.layout(), each.deal.actions()))
    assert ends[0] == ends[1] == ends[2]


# -- options ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"episode": "game"}, 'episode cannot be "game"; expected one of: deal, match'),
        ({"episode": None}, 'episode cannot be "None"; expected one of: deal, match'),
        ({"reward": "win"}, 'reward cannot be "win"; expected one of: score, points, rank'),
        ({"zero_sum": 1}, 'zero_sum cannot be "1"; expected one of: False, True'),
        ({"zero_sum": "yes"}, 'zero_sum cannot be "yes"; expected one of: False, True'),
    ],
    ids=str,
)
def test_unknown_options_are_named_with_what_is_known(options: Any, words: str) -> None:
    with pytest.raises(MejaError) as raised:
        Options(make_rules("smear", 3), **options)
    assert str(raised.value) == words


def test_rules_come_as_an_object_or_in_parts_but_not_both() -> None:
    rules = make_rules("smear", 2, target=21)
    assert rules_of("smear", rules=rules) is rules
    assert rules_of("smear", 2, options={"target": 21}) == rules
    assert rules_of("smear") == make_rules("smear")
    with pytest.raises(MejaError, match="the rules are given as an object"):
        rules_of("smear", 2, rules=rules)
    with pytest.raises(MejaError, match="the rules are given as an object"):
        rules_of("smear", rules=rules, options={"target": 11})
    with pytest.raises(MejaError, match="expected the rules of kaluki"):
        rules_of("kaluki", rules=rules)
    with pytest.raises(RulesError, match='smear has no option "ace"'):
        rules_of("smear", options={"ace": 11})
    with pytest.raises(RulesError, match="smear is played by 2 or 3 players, not 5"):
        rules_of("smear", 5)
    with pytest.raises(MejaError, match="expected the rules of a game"):
        Options("smear")  # type: ignore[arg-type]
