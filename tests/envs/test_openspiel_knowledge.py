"""What a seat of an OpenSpiel game sees, remembers and imagines."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pyspiel
import pytest
from tests.envs.reduced import SMALL
from tests.envs.spiel_walks import advance, busy, forced, load, play, walk

from meja.cards import Rng
from meja.envs.encoding import encoding
from meja.envs.openspiel.course import CHANCE
from meja.errors import MejaError
from meja.games import games

#: Games by their parameters: every phase of every game comes up.
TABLES: list[tuple[str, dict[str, Any]]] = [
    ("bassadewitz", {}),
    ("bassadewitz", {"players": 3}),
    ("smear", {}),
    ("smear", {"players": 2, "options": "trump_anytime=false dealer_steal=true"}),
    ("calabresella", {"options": "call=threes_first monte_shown=both"}),
    ("calabresella", {"players": 4, "options": "follow_suit=true auction=reentry"}),
    ("kaluki", {"options": "cards=13"}),
    ("kaluki", {"players": 3, "preset": "kalooki40", "options": "joker_swap=any joker_swap_use=free"}),
    ("kaluki", {"options": "discard_use=must_use stock_out=turn_over"}),
]


def sampler(seed: int) -> Any:
    return Rng(seed, 5).random


def replayed(made: Any, history: list[int]) -> Any:
    state = made.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


def planes(made: Any, state: Any, seat: int, **kind: Any) -> Any:
    observer = made.make_py_observer(pyspiel.IIGObservationType(**kind))
    observer.set_from(state, seat)
    return observer.tensor.copy()


# -- what is remembered ----------------------------------------------------------------


@pytest.mark.parametrize(("name", "parameters"), TABLES, ids=str)
def test_a_seat_cannot_tell_a_world_it_imagines_from_the_true_one(
    name: str, parameters: dict[str, Any], long: bool
) -> None:
    made = load(name, **parameters)
    rng = Rng(3)
    seats = range(made.num_players())
    for number in range(12 if long else 2):
        for place, state in enumerate(walk(made, Rng(7, number), busy)):
            if rng.below(4 if name != "kaluki" else 14) and not state.is_terminal():
                continue
            seat = rng.choice(seats)
            world = state.resample_from_infostate(seat, sampler(place))
            assert world.information_state_string(seat) == state.information_state_string(seat)
            assert world.observation_string(seat) == state.observation_string(seat)
            assert world.observation_tensor(seat) == state.observation_tensor(seat)
            assert world.current_player() == state.current_player()
            if not state.is_chance_node():
                assert world.legal_actions(seat) == state.legal_actions(seat)
            assert world.is_terminal() == state.is_terminal()
            # The moves are its own: they lead to it, and those of the players are what the seat saw of them.
            history = world.history()
            again = replayed(made, history)
            assert str(again) == str(world)
            assert again.information_state_string(seat) == state.information_state_string(seat)
            told = state.full_history()
            if state.course.prefix and seat != state.current_player():
                # What another seat has begun is not known, so it has not begun.
                del told[-len(state.course.prefix) :]
            for one, two in zip(world.full_history(), told, strict=True):
                assert one.player == two.player
                unseen = name == "calabresella" and one.player != seat
                if one.player != CHANCE and not (unseen and "discard" in made.start.codes.names[two.action]):
                    assert one.action == two.action
            assert [player for player, _ in world.course.moves] == [move.player for move in world.full_history()]
            assert [action for _, action in world.course.moves] == history
            # Both go on from there, and the true one is what it was.
            if not state.is_terminal():
                play(world, rng)
                assert world.is_terminal()


@pytest.mark.parametrize(("name", "parameters"), TABLES, ids=str)
def test_states_that_a_seat_can_tell_apart_have_different_texts(name: str, parameters: dict[str, Any]) -> None:
    """Every decision, every own card and every card seen makes a difference, and is never forgotten."""
    made = load(name, **parameters)
    for seed in range(2):
        for seat in range(made.num_players()):
            before, texts = "", []
            for state in walk(made, Rng(21, seed), busy):
                if not state.is_chance_node() and not state.is_terminal():
                    text = state.information_state_string(seat)
                    if state.current_player() == seat:
                        texts.append(text)
                    before = text
            assert before
            assert len(set(texts)) == len(texts)
    # Other cards in the own hand are another text; other cards elsewhere are not.
    one, two = forced(made, [], 1), forced(made, [], 2)
    assert one.information_state_string(0) != two.information_state_string(0)


@pytest.mark.parametrize("name", games())
def test_one_text_stands_for_one_set_of_choices_and_one_past(name: str) -> None:
    """Over many episodes of a reduced game: equal texts, equal ids; and equal texts before."""
    made = pyspiel.load_game(SMALL[name].short_name())
    ids: dict[tuple[int, str], list[int]] = {}
    seen: dict[tuple[int, str], Any] = {}
    hidden: defaultdict[tuple[int, str], set[str]] = defaultdict(set)
    rng = Rng(2)
    for _ in range(150):
        past: list[tuple[tuple[str, int], ...]] = [()] * made.num_players()
        state = made.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                advance(state, rng)
                continue
            seat = state.current_player()
            key = seat, state.information_state_string(seat)
            legal = state.legal_actions()
            assert ids.setdefault(key, legal) == legal
            assert seen.setdefault(key, past[seat]) == past[seat]
            hidden[key].add(str(state))
            action = rng.choice(legal)
            past[seat] = (*past[seat], (key[1], action))
            state.apply_action(action)
    # The texts do hide something.
    assert max(map(len, hidden.values())) > 1


def test_the_text_tells_the_own_cards_all_actions_and_what_came_to_light() -> None:
    made = load("smear", dealer=2)
    state = forced(made, ["bid 2", "pass", "pass"])
    hand = state.course.deal.layout().hands
    first = state.action_to_string(state.legal_actions()[0])
    state.apply_action(state.legal_actions()[0])
    texts = [state.information_state_string(seat) for seat in range(3)]
    for seat, text in enumerate(texts):
        cards = " ".join(encoding(made.options.rules).names[5 + card].split()[1] for card in hand[seat])
        assert text == f"seat {seat} | deal 1, dealer 2; hand {cards}; 0 bid 2; 1 pass; 2 pass; 0 {first}"
    assert made.new_initial_state().information_state_string(1) == "seat 1 | deal..."


def test_what_was_laid_away_is_known_to_its_seat_alone() -> None:
    made = load("calabresella", dealer=0)
    state = forced(made, ["pass", "pass", "bid solo"])
    bidder = state.current_player()
    laid = [state.action_to_string(number) for number in state.legal_actions()[:4]]
    for name in laid:
        state.apply_action(state.string_to_action(name))
    for seat in range(3):
        text = state.information_state_string(seat)
        assert ("picked up" in text) == (seat == bidder)
        assert all((f"{bidder} {name}" in text) == (seat == bidder) for name in laid)
        assert text.count(f"{bidder} discard ??") == (0 if seat == bidder else 4)


def test_a_drawn_card_and_a_half_finished_meld_are_known_to_their_seat_alone() -> None:
    made = load("kaluki", dealer=0)
    state = forced(made, ["draw"])
    seat = state.current_player()
    deal = state.course.deal
    other = 1 - seat
    mine, theirs = state.information_state_string(seat), state.information_state_string(other)
    assert "drew " in mine
    assert mine.split("drew ")[1]
    assert not theirs.split("drew ")[1]
    assert deal.drawn
    for seed in range(40):
        for state in walk(made, Rng(seed), busy):
            seat = state.current_player()
            if seat >= 0 and state.course.prefix:
                own, theirs = state.information_state_string(seat), state.information_state_string(1 - seat)
                assert own.endswith(", ".join(state.course.codes.names[n] for n in state.course.prefix))
                assert len(theirs.split(" | ")) == 2
                return
    pytest.fail("no meld was begun")


def test_in_a_match_the_deals_before_are_remembered(long: bool) -> None:
    for name in games() if long else ("smear", "calabresella"):
        made = load(name, episode="match", options="target=21" if name == "calabresella" else "")
        rng, earlier = Rng(8), ["", ""]
        for place, state in enumerate(walk(made, Rng(4))):
            course = state.course
            if len(course.match.deals) == 3:
                break
            if state.is_chance_node() or rng.below(10):
                continue
            for seat in range(2):
                text = state.information_state_string(seat)
                assert len(text.split(" | ")) - bool(course.own_prefix(seat)) == 2 + len(course.match.deals)
                # What was remembered of deals that are over does not change.
                assert text.startswith(earlier[seat])
                earlier[seat] = text.rsplit(" | deal ", 1)[0] if course.match.deals else ""
            world = state.resample_from_infostate(0, sampler(place))
            assert world.information_state_string(0) == state.information_state_string(0)
            assert str(replayed(made, world.history())) == str(world)
            assert world.course.match.totals == course.match.totals


# -- what is imagined -----------------------------------------------------------------------


@pytest.mark.parametrize("name", games())
def test_what_is_imagined_is_true_no_more_often_than_by_chance(name: str) -> None:
    made = load(name, dealer=0)
    state = forced(made, [])
    seat = state.current_player()
    truth = state.course.deal.layout()
    for seed in range(60):
        assert state.resample_from_infostate(seat, sampler(seed)).course.deal.layout() != truth
    # Near the end few worlds are left, and each comes as often as any other.
    state = forced(load("smear", players=2, dealer=0, options="min_bid=1"), ["bid 4"])
    rng = Rng(4)
    while sum(state.course.deal.view(0).hand_sizes) > 3:
        state.apply_action(rng.choice(state.legal_actions()))
    seat = state.current_player()
    other = 1 - seat
    worlds = Counter(
        state.resample_from_infostate(seat, sampler(seed)).course.deal.layout().hands[other] for seed in range(1500)
    )
    assert len(worlds) > 20
    expected = 1500 / len(worlds)
    assert sum((number - expected) ** 2 / expected for number in worlds.values()) < 2 * len(worlds)


def test_while_cards_are_dealt_or_reshuffled_nobody_knows_them() -> None:
    made = load("smear", dealer=0)
    state = made.new_initial_state()
    for card in (3, 9, 27, 31):
        state.apply_action(card)
    histories = {tuple(state.resample_from_infostate(1, sampler(seed)).history()) for seed in range(50)}
    assert len(histories) > 40
    assert all(len(set(history)) == 4 for history in histories)
    made = load("kaluki", dealer=0)
    rng = Rng(6)
    for state in walk(made, rng, lambda names: [n for n in names if n.startswith(("draw", "discard"))]):
        if state.course.urn is not None and state.course.urn.kind == "reshuffle" and len(state.course.urn.order) == 5:
            world = state.resample_from_infostate(0, sampler(1))
            assert world.history() != state.history()
            assert str(replayed(made, world.history())) == str(world)
            assert world.chance_outcomes() != state.chance_outcomes()
            assert world.information_state_string(0) == state.information_state_string(0)
            return
    pytest.fail("the pile was never reshuffled")


# -- observers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", games())
def test_observations_are_those_of_the_encoding(name: str) -> None:
    made = load(name)
    codes = encoding(made.options.rules)
    assert made.observation_tensor_shape() == [codes.size]
    observer = made.make_py_observer()
    assert list(observer.dict) == [plane.name for plane in codes.planes]
    for number, state in enumerate(walk(made, Rng(13), busy)):
        if state.is_chance_node():
            assert not state.course.begun or number > 60
            continue
        if number % 5:
            continue
        for seat in range(made.num_players()):
            deal, prefix = state.course.deal, state.course.own_prefix(seat)
            seen = codes.observe(deal.view(seat), prefix)
            observer.set_from(state, seat)
            assert np.array_equal(observer.tensor, seen)
            assert state.observation_tensor(seat) == seen.tolist()
            read = np.zeros(codes.size, np.float32)
            starts = {plane.name: plane.start for plane in codes.planes}
            for part in observer.string_from(state, seat).split("; "):
                plane, *words = part.split()
                for word in words:
                    place, _, value = word.partition("=")
                    read[starts[plane] + int(place)] = float(value or 1)
            assert read == pytest.approx(seen, abs=1e-5)
            public = planes(made, state, seat, perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
            assert np.array_equal(public, codes.observe(deal.view(None)))


def test_before_the_first_deal_there_is_nothing_to_see() -> None:
    state = load("kaluki").new_initial_state()
    assert not any(state.observation_tensor(0))
    assert state.observation_string(1) == ""


def test_private_information_alone_is_the_hand() -> None:
    made = load("smear", dealer=0)
    state = forced(made, [])
    alone = made.make_py_observer(
        pyspiel.IIGObservationType(
            public_info=False, perfect_recall=False, private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER
        )
    )
    assert alone.tensor is None
    texts = [alone.string_from(state, seat) for seat in range(3)]
    assert len({card for text in texts for card in text.split()}) == 18
    assert alone.string_from(made.new_initial_state(), 0) == ""


def test_observers_that_are_not_there_say_so() -> None:
    made = load("smear")
    everybody, nobody = pyspiel.PrivateInfoType.ALL_PLAYERS, pyspiel.PrivateInfoType.NONE
    for kind, words in (
        ({"private_info": everybody, "perfect_recall": False}, "the cards of all players"),
        ({"private_info": nobody, "perfect_recall": True}, "sees what its player sees"),
        ({"private_info": nobody, "public_info": False, "perfect_recall": False}, "sees nothing"),
    ):
        with pytest.raises(MejaError, match=words):
            made.make_py_observer(pyspiel.IIGObservationType(**kind))
    with pytest.raises(MejaError, match="an observer takes no parameters"):
        made.make_py_observer(None, {"size": 3})
