"""The OpenSpiel games by OpenSpiel's own test, their parameters, chance, bounds and copies."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from itertools import product
from typing import Any

import pyspiel
import pytest
from tests.envs.reduced import SMALL
from tests.envs.spiel_walks import forced, load, play, walk

import meja.envs.openspiel as adapter
from meja.cards import Rng
from meja.deal import Chance
from meja.envs.core import MOST_DEALS, Options, Session
from meja.envs.encoding import NotAllowed, encoding
from meja.envs.openspiel import bounds
from meja.envs.openspiel.course import CHANCE, Course, Urn
from meja.envs.openspiel.parameters import specification
from meja.errors import MejaError, RulesError
from meja.games import game, games, make_rules
from meja.games.kaluki_turn import DRAW
from meja.testing import all_presets, single_options

PRESETS = [(name, rules) for name in games() for rules in all_presets(name)]


def options_text(rules: Any) -> str:
    values = rules.to_dict()
    values.pop("preset")
    return " ".join(f"{name}={'null' if value is None else str(value).lower()}" for name, value in values.items())


def of_rules(rules: Any, **more: Any) -> Any:
    return load(rules.game, players=rules.seats, preset=rules.preset, options=options_text(rules), **more)


# -- OpenSpiel's own test -----------------------------------------------------------


def referee(made: Any, sims: int) -> None:
    pyspiel.random_sim_test(made, sims, serialize=True, verbose=False)


@pytest.mark.parametrize("name", ["bassadewitz", "calabresella", "smear"])
def test_every_preset_and_number_of_seats_stands_openspiels_test(name: str, long: bool) -> None:
    for rules in all_presets(name):
        made = of_rules(rules)
        assert made.options.rules == rules
        referee(made, 20 if long else 1)


@pytest.mark.parametrize("preset", ["standard", "hard", "kalooki51", "kalooki40"])
def test_every_preset_of_kaluki_stands_openspiels_test(preset: str, long: bool) -> None:
    few = {"standard": 2, "hard": 3, "kalooki51": 4, "kalooki40": 2}[preset]
    for seats in (2, 3, 4) if long else (few,):
        referee(load("kaluki", players=seats, preset=preset), 20 if long else 1)


@pytest.mark.long
@pytest.mark.parametrize("name", games())
def test_every_option_stands_openspiels_test(name: str) -> None:
    for rules in single_options(name):
        referee(of_rules(rules), 1)


@pytest.mark.parametrize("reward", ["points", "score", "rank"])
@pytest.mark.parametrize("zero_sum", [False, True])
def test_every_reward_stands_openspiels_test(reward: str, zero_sum: bool) -> None:
    for name in ("bassadewitz", "smear"):
        referee(load(name, reward=reward, zero_sum=zero_sum, dealer=1), 1)


def test_whole_matches_stand_openspiels_test(long: bool) -> None:
    shortest = {"bassadewitz": "deals=4", "calabresella": "deals=3", "smear": "target=7", "kaluki": "target=100"}
    for name in games() if long else ("smear", "calabresella"):
        referee(load(name, episode="match", options=shortest[name]), 1)


@pytest.mark.parametrize("name", games())
def test_reduced_games_stand_openspiels_test(name: str) -> None:
    referee(pyspiel.load_game(f"python_meja_small_{name}"), 10)


# -- parameters -----------------------------------------------------------------------


def test_the_import_registers_one_game_for_each() -> None:
    registered = pyspiel.registered_names()
    for name in games():
        assert f"python_meja_{name}" in registered
        made = load(name)
        assert made.options.rules == make_rules(name)
        kind = made.get_type()
        numbers = game(name).rules.seat_numbers
        assert (kind.min_num_players, kind.max_num_players) == (min(numbers), max(numbers))
        assert made.num_distinct_actions() == encoding(make_rules(name)).actions


def test_parameters_choose_the_rules_and_come_back_from_the_text_of_the_game() -> None:
    made = load(
        "smear", players=2, options="target=21  low=taker trump_anytime=false", episode="match", reward="rank", dealer=1
    )
    assert made.options.rules == make_rules("smear", 2, target=21, low="taker", trump_anytime=False)
    assert (made.options.episode, made.options.reward, made.start.dealer) == ("match", "rank", 1)
    again = pyspiel.load_game(str(made))
    assert str(again) == str(made)
    assert again.options.rules == made.options.rules
    assert "options=target:21 low:taker trump_anytime:false" in str(made)
    typed = pyspiel.load_game("python_meja_kaluki(players=3,preset=kalooki40,options=joker_swap:any target:500)")
    assert typed.options.rules == make_rules("kaluki", 3, "kalooki40", joker_swap="any", target=500)
    assert load("calabresella", players=4).options.rules == make_rules("calabresella", 4, dealer_sits_out=True)
    assert load("calabresella", options="target=21").options.rules == make_rules("calabresella", target=21)


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("smear", {"players": 5}, "smear is played by 2 or 3 players, not 5"),
        ("smear", {"options": "ace=11"}, 'smear has no option "ace"; expected one of: high, '),
        ("smear", {"options": "target"}, '"target" is not an option; expected NAME=VALUE'),
        ("smear", {"options": "target=21 target=7"}, 'option "target" is given twice'),
        ("smear", {"options": "target=12"}, 'option target cannot be "12"; expected one of: 11, 7, 15, 21'),
        ("smear", {"options": "target=7=9"}, 'option target cannot be "7=9"'),
        ("smear", {"options": "="}, 'smear has no option ""'),
        ("kaluki", {"preset": "gin"}, 'kaluki has no preset "gin"'),
        ("bassadewitz", {"players": 3, "options": "classic_pool=true"}, "option classic_pool needs 4 players, not 3"),
        ("smear", {"episode": "game"}, 'episode cannot be "game"; expected one of: deal, match'),
        ("smear", {"reward": "win"}, 'reward cannot be "win"; expected one of: score, points, rank'),
        ("smear", {"dealer": 3}, "the dealer must be a seat from 0 to 2, not 3"),
        ("smear", {"dealer": -2}, "the dealer must be a seat from 0 to 2, not -2"),
        ("calabresella", {"players": 4, "options": "dealer_sits_out=no"}, "4 players need dealer_sits_out"),
    ],
    ids=str,
)
def test_what_is_no_parameter_is_named(name: str, given: dict[str, Any], words: str) -> None:
    with pytest.raises(MejaError) as raised:
        load(name, **given)
    assert words in str(raised.value)


def test_openspiel_refuses_unknown_parameters_and_types_and_so_does_the_class() -> None:
    for given in ({"seats": 3}, {"players": "3"}, {"zero_sum": 1}):
        with pytest.raises(pyspiel.SpielError):
            load("smear", **given)
    with pytest.raises(MejaError, match='there is no parameter "seats"; expected one of: players, preset'):
        adapter.SmearGame({"seats": 3})
    with pytest.raises(RulesError, match="the options of a game are one text"):
        adapter.SmearGame({"options": 7})
    with pytest.raises(MejaError, match="the dealer must be a seat"):
        adapter.SmearGame({"dealer": True})
    assert set(specification("smear")) == set(load("smear").get_parameters())


# -- chance -----------------------------------------------------------------------------


def test_chance_draws_the_dealer_and_then_one_card_at_a_time() -> None:
    state = load("smear").new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(seat, pytest.approx(1 / 3)) for seat in range(3)]
    assert state.action_to_string(2) == "dealer 2"
    state.apply_action(2)
    cards = list(range(51, 33, -1))
    for number, card in enumerate(cards):
        assert state.is_chance_node()
        outcomes = state.chance_outcomes()
        assert [outcome for outcome, _ in outcomes] == [other for other in range(52) if other not in cards[:number]]
        assert [chance for _, chance in outcomes] == pytest.approx([1 / (52 - number)] * (52 - number))
        state.apply_action(card)
    assert state.current_player() == 0
    # Three and three from the dealer's left, as the core deals.
    dealt = game("smear").deal.lay_out(make_rules("smear"), 2, [*cards, *range(34)])
    assert [set(hand) for hand in state.course.deal.layout().hands] == [set(hand) for hand in dealt.hands]


def test_equal_cards_are_one_outcome_with_the_probability_of_both() -> None:
    state = load("kaluki", dealer=0).new_initial_state()
    assert len(state.chance_outcomes()) == 53
    assert dict(state.chance_outcomes())[3] == pytest.approx(2 / 108)
    assert dict(state.chance_outcomes())[52] == pytest.approx(4 / 108)
    for card in (3, 52, 3, 52, 52):
        state.apply_action(card)
    left = dict(state.chance_outcomes())
    assert 3 not in left
    assert left[52] == pytest.approx(1 / 103)
    assert left[4] == pytest.approx(2 / 103)
    assert sum(left.values()) == pytest.approx(1)
    with pytest.raises(NotAllowed, match='"deal 5s" cannot be drawn now'):
        state.apply_action(3)
    with pytest.raises(NotAllowed):
        state.apply_action(60)


def test_a_pack_in_the_order_of_chance_is_dealt_as_the_core_deals_it() -> None:
    rng = Rng(4)
    for name, rules in PRESETS:
        made = game(name).deal
        cards = list(made.pack(rules))
        rng.shuffle(cards)
        dealer = rng.below(rules.seats)
        course = Course(Options(rules), dealer)
        drawn = 0
        while course.player == CHANCE:
            course.apply(cards[drawn])
            drawn += 1
        assert course.deal.layout() == made.start(rules, dealer, cards).layout()
        # What is not dealt is not asked for.
        assert drawn == {"smear": 6 * rules.seats, "bassadewitz": 32 // rules.seats * rules.seats}.get(name, len(cards))


def test_a_reshuffle_is_chance_and_goes_on_as_recorded() -> None:
    state = load("kaluki", players=2, dealer=1).new_initial_state()
    # Nobody ever opens or takes, so the stock runs out again and again.
    play(state, Rng(31), lambda names: [n for n in names if n.startswith(("draw", "discard"))])
    deal = state.course.match.deals[0]
    assert deal.void
    assert len(deal.reshuffles()) == 3
    outcomes = [action for player, action in state.course.moves if player == CHANCE]
    assert outcomes[108:] == [card for order in deal.reshuffles() for card in order]
    again = type(deal).start(deal.rules, 1, outcomes[:108], chance=Chance(None, deal.reshuffles()))
    for _, action in deal.actions():
        again.apply(action)
    assert again.zones() == deal.zones()
    assert again.void


def test_at_a_reshuffle_nobody_acts_and_the_draw_waits() -> None:
    made = load("kaluki", players=2, dealer=0)
    state = made.new_initial_state()
    rng = Rng(3)
    while not (state.is_chance_node() and state.course.urn.kind == "reshuffle"):
        if state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        else:
            names = {state.action_to_string(number): number for number in state.legal_actions()}
            state.apply_action(rng.choice([names[n] for n in names if n.startswith(("draw", "discard"))]))
    course = state.course
    deal = course.match.deal
    pile = Counter(deal.pile[:-1])
    drawer = deal.to_act
    assert dict(state.chance_outcomes()) == pytest.approx({c: n / pile.total() for c, n in sorted(pile.items())})
    assert state.action_to_string(state.legal_actions()[0]).startswith("reshuffle ")
    assert [state.legal_actions(seat) for seat in range(2)] == [state.legal_actions()] * 2
    before = len(deal.log)
    order = []
    while state.is_chance_node():
        assert len(course.match.deal.log) == before
        order.append(state.legal_actions()[-1])
        state.apply_action(order[-1])
    deal = state.course.match.deal
    assert deal.log[before] == (drawer, deal.log[before][1])
    assert deal.log[before][1].verb == DRAW
    assert deal.reshuffles() == [tuple(order)]
    assert deal.drawn[-1] == order[0]
    assert state.current_player() == drawer


# -- bounds --------------------------------------------------------------------------------


def longest_auction(deal: Any) -> int:
    """The most calls, by trying all."""
    if deal.phase != "auction":
        return 0
    found = 0
    for action in deal.legal_actions():
        twin = deal.clone()
        twin.advance(action)
        found = max(found, 1 + longest_auction(twin))
    return found


@pytest.mark.parametrize("auction", ["standard", "single_round", "reentry"])
def test_the_longest_auction_of_calabresella_is_counted(auction: str) -> None:
    rules = make_rules("calabresella", auction=auction)
    made = game("calabresella").deal
    calls = longest_auction(made.start(rules, 0, made.pack(rules)))
    assert bounds.most_decisions(rules) == calls + 9 + 36


def test_an_episode_can_be_as_long_as_said() -> None:
    made = load("calabresella", options="auction=reentry", dealer=0)
    state = forced(made, ["pass", "pass", "bid chiamo", "pass", "bid solo", "pass", "bid solissimo", "raise scegliete"])
    play(state, Rng(1))
    assert len([player for player, _ in state.course.moves if player != CHANCE]) == made.max_game_length() == 52
    for name, calls, length in (("smear", ["bid 2", "pass", "pass"], 21), ("bassadewitz", [], 32)):
        made = load(name, dealer=0)
        state = forced(made, calls)
        play(state, Rng(2))
        assert len([player for player, _ in state.course.moves if player != CHANCE]) == made.max_game_length() == length


def test_a_deal_of_kaluki_without_an_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "LONGEST_DEAL", 40)
    for episode, reward in product(("deal", "match"), ("points", "rank")):
        made = adapter.KalukiGame({"episode": episode, "reward": reward})
        assert made.max_game_length() == 40 * (MOST_DEALS if episode == "match" else 1)
        state = made.new_initial_state()
        play(state, Rng(5))
        assert state.course.truncated
        assert state.returns() == [0, 0]
        assert len([player for player, _ in state.course.moves if player != CHANCE]) == 40
        assert state.legal_actions() == []


@pytest.mark.parametrize("name", games())
@pytest.mark.parametrize("episode", ["deal", "match"])
def test_utilities_keep_to_what_a_deal_or_a_match_can_bring(name: str, episode: str) -> None:
    low, high = game(name).deal.score_range(make_rules(name))
    for reward, zero_sum in product(("points", "score", "rank"), (False, True)):
        made = load(name, episode=episode, reward=reward, zero_sum=zero_sum)
        least, most = made.min_utility(), made.max_utility()
        assert least < most
        if reward == "rank":
            assert (least, most) == (-1, 1)
        elif zero_sum:
            assert least == -most
        elif episode == "deal":
            turned = name == "bassadewitz" and reward == "points"
            assert (least, most) == ((-high, -low) if turned else (low, high))
        utility = made.get_type().utility
        even = zero_sum or reward == "rank" or name == "calabresella"
        assert utility == (pyspiel.GameType.Utility.ZERO_SUM if even else pyspiel.GameType.Utility.GENERAL_SUM)
        assert made.utility_sum() == (0 if even else None)
    most = {"bassadewitz": 8 * 4, "calabresella": 12 * high, "kaluki": 249 + high, "smear": MOST_DEALS * 4}
    assert load(name, episode="match").max_utility() == most[name]


def test_chance_nodes_are_as_many_as_said_at_most() -> None:
    for name, number in (("smear", 53), ("bassadewitz", 33), ("calabresella", 41), ("kaluki", 433)):
        assert load(name).max_chance_nodes_in_history() == number
    for state in walk(load("smear"), Rng(1)):
        assert len([player for player, _ in state.course.moves if player == CHANCE]) <= 53


# -- copies ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", games())
def test_a_copy_goes_its_own_way_and_leaves_the_other_alone(name: str) -> None:
    rng = Rng(12)
    for number, state in enumerate(walk(load(name), rng)):
        if number % 23 and not state.is_terminal():
            continue
        before = str(state), state.history()
        for twin in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            assert (str(twin), twin.history()) == before
            assert twin.course is not state.course or not state.history()
            play(twin, rng)
            assert (str(state), state.history()) == before
            assert twin.is_terminal()


def test_states_with_nothing_done_share_their_course_without_harm() -> None:
    made = load("smear")
    one, two = made.new_initial_state(), made.new_initial_state()
    three = one.clone()
    one.apply_action(1)
    assert str(two) == str(three) == str(made.new_initial_state()) != str(one)
    two.apply_action(1)
    assert str(two) == str(one)


def test_serialized_states_come_back() -> None:
    for name in games():
        made = load(name)
        for number, state in enumerate(walk(made, Rng(5))):
            if number % 40 == 0 or state.is_terminal():
                again = made.deserialize_state(state.serialize())
                assert str(again) == str(state)
                assert again.history() == state.history()
                assert again.legal_actions() == state.legal_actions()
                assert again.returns() == state.returns()


def test_the_text_of_a_state_tells_states_apart() -> None:
    for name in games():
        texts = [str(state) for state in walk(load(name), Rng(9))]
        assert len(set(texts)) == len(texts)


# -- what is not allowed -----------------------------------------------------------------------


def test_what_is_not_allowed_is_an_error_and_changes_nothing() -> None:
    state = forced(load("smear", dealer=0), [])
    # No card is played before the auction has ended.
    before, history = str(state), state.history()
    for wrong in (5 + 40, 57, 4000):
        with pytest.raises(MejaError):
            state.apply_action(wrong)
    with pytest.raises(MejaError, match="nothing is left to chance now"):
        state.chance_outcomes()
    with pytest.raises(MejaError, match="there is no seat"):
        state.resample_from_infostate(3, lambda: 0.5)
    assert (str(state), state.history()) == (before, history)
    play(state, Rng(1))
    with pytest.raises(MejaError, match="the episode is over"):
        state.apply_action(0)


def test_an_urn_counts_what_is_left() -> None:
    urn = Urn("deal", [7, 7, 9], 2)
    assert dict(urn.outcomes()) == pytest.approx({7: 2 / 3, 9: 1 / 3})
    assert not urn.draw(7)
    twin = urn.clone()
    assert urn.draw(7)
    assert twin.outcomes() == [(7, 0.5), (9, 0.5)]


def test_the_session_of_the_other_environments_is_what_a_course_is() -> None:
    assert issubclass(Course, Session)
    assert set(SMALL) == set(games())
