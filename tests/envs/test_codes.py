"""Actions as ids: everything legal can be said, everything that can be said is legal, and nothing leads nowhere."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.walks import LONGEST, MIXES, PRESETS, SINGLES, decisions, paths, session, some_legal, whole_decisions

from meja.cards import JOKER, Rng, parse_card, parse_cards, shuffled
from meja.deal import Layout
from meja.envs.encoding import NotAllowed, encoding
from meja.envs.kaluki_ids import move_ids
from meja.errors import MejaError
from meja.games import games, make_rules, new_match
from meja.games.kaluki import Kaluki
from meja.games.melds import all_melds, hand_masks
from meja.rules import Rules
from meja.testing import random_rules

#: More ways than this are not walked one by one.
WAYS = 400


def check_ids(made: Any, seat: int, rng: Rng) -> None:
    """The ids of one decision against the legal list of the game."""
    codes, view = made.codes, made.view(seat)
    legal = some_legal(view, WAYS)
    for action in legal[:: max(1, len(legal) // 40)]:
        ids = codes.encode(view, action)
        assert codes.decode(view, ids) == action
    every = paths(codes, view, WAYS)
    if every is not None and len(legal) < WAYS:
        # One way to say each legal action, and no other one.
        assert sorted(every.values()) == sorted(legal)
        assert all(codes.encode(view, action) == ids for ids, action in every.items())
        return
    for _ in range(10):
        prefix: tuple[int, ...] = ()
        action = None
        while action is None:
            ids = codes.ids(view, prefix)
            assert ids, f"a dead end after {prefix} with {made.options.rules}"
            assert len(prefix) < LONGEST
            assert ids == sorted(set(ids))
            prefix, action = codes.step(view, prefix, rng.choice(ids))
        assert made.deal.why_illegal(action) is None
        assert action in view.legal


def check_masks(made: Any) -> None:
    """Masks of all seats at one decision."""
    codes = made.codes
    for seat in range(made.seats):
        mask = made.mask(seat)
        assert mask.dtype == np.int8
        assert mask.shape == (codes.actions,)
        assert np.flatnonzero(mask).tolist() == (made.ids() if seat == made.to_act else [])


def walk(rules: Rules, seed: int, every: int) -> int:
    """Check every so many decisions of a deal; returns how many were checked."""
    made, rng, checked = session(rules, seed), Rng(seed, 5), 0
    for place, seat in enumerate(whole_decisions(made, seed)):
        if place % every == 0:
            check_ids(made, seat, rng)
            checked += 1
        if place % (4 * every) == 0:
            check_masks(made)
    return checked


def often(rules: Rules) -> int:
    """A deal of Kaluki has very many decisions."""
    return 9 if rules.game == "kaluki" else 1


@pytest.mark.parametrize("rules", PRESETS, ids=str)
def test_ids_and_legal_actions_are_the_same_in_every_preset(rules: Rules, long: bool) -> None:
    for seed in range(20 if long else 2):
        assert walk(rules, seed, often(rules)) > 0


@pytest.mark.parametrize("rules", SINGLES, ids=str)
def test_ids_and_legal_actions_are_the_same_with_every_option_alone(rules: Rules, long: bool) -> None:
    for seed in range(10 if long else 1):
        walk(rules, seed, 2 * often(rules))


@pytest.mark.parametrize("rules", MIXES, ids=str)
def test_ids_and_legal_actions_are_the_same_in_random_mixes(rules: Rules, long: bool) -> None:
    for seed in range(10 if long else 1):
        walk(rules, seed, 2 * often(rules))


@settings(max_examples=12)
@given(
    name=st.sampled_from(games()), mix=st.integers(0, 1 << 20), choices=st.lists(st.integers(0, 1 << 16), max_size=80)
)
def test_any_allowed_ids_lead_through_a_deal(name: str, mix: int, choices: list[int]) -> None:
    made = session(random_rules(name, Rng(mix)), mix)
    for choice in choices:
        if made.to_act is None:
            break
        ids = made.ids()
        assert ids
        made.step(ids[choice % len(ids)])
        assert (made.to_act is None) == (made.ids() == [])


def test_a_half_finished_action_always_goes_on_to_the_points_of_the_opening() -> None:
    # Kalooki 51: several melds together must make 51 points; the way there is several melds long.
    rules = make_rules("kaluki", 2, preset="kalooki51")
    together = 0
    for seed in range(12):
        made = session(rules, seed)
        for seat in decisions(made, seed):
            closed = [number for number in made.prefix if made.codes.names[number] == "close"]
            view: Any = made.view(seat)
            if not closed or view.opened[seat]:
                continue
            together += 1
            rng = Rng(seed, together)
            prefix, action = made.prefix, None
            while action is None:
                assert len(prefix) < LONGEST
                prefix, action = made.codes.step(
                    made.view(seat), prefix, rng.choice(made.codes.ids(made.view(seat), prefix))
                )
            assert len(action.melds) > len(closed)
            assert made.deal.why_illegal(action) is None
    assert together > 20


def test_melds_that_open_together_have_one_order() -> None:
    rules = make_rules("kaluki", 2, preset="kalooki40")
    found = 0
    for seed in range(8):
        made = session(rules, seed)
        for seat in whole_decisions(made, seed):
            view = made.view(seat)
            for action in some_legal(view, 60):
                if len(action.melds) > 1:
                    turned = action._replace(melds=action.melds[::-1])
                    assert made.codes.encode(view, turned) == made.codes.encode(view, action)
                    found += 1
    assert found > 20


def test_equal_cards_of_the_two_packs_are_one_id() -> None:
    codes = encoding(make_rules("kaluki", 2))
    assert len(set(codes.names)) == len(codes.names) == codes.actions < 400
    made = session(make_rules("kaluki", 2), 3)
    twice = 0
    for seat in whole_decisions(made, 3):
        view = made.view(seat)
        pairs = {card for card in view.hand if view.hand.count(card) == 2 and card < 52}
        discards = [made.codes.names[number] for number in made.ids() if made.codes.names[number].startswith("discard")]
        assert len(set(discards)) == len(discards)
        twice += bool(pairs and discards)
    assert twice > 5


@pytest.mark.parametrize("name", games())
def test_the_names_of_ids_say_what_the_action_is(name: str) -> None:
    made = session(make_rules(name), 4)
    for seat in whole_decisions(made, 4):
        view = made.view(seat)
        for action in some_legal(view, 30):
            ids = made.codes.encode(view, action)
            words = [made.codes.names[number] for number in ids]
            text = view.text(action)
            if name != "kaluki" or len(ids) == 1:
                assert words == [text]
            elif text.startswith(("add", "swap")):
                verb, card, meld = text.split()
                assert words == [f"{verb} {meld}", f"lay {card}"]
            else:
                verb, *cards = text.replace("+ ", "").split()
                assert (words[0] == "take") == (verb == "take")
                assert [word.removeprefix("lay ") for word in words if word.startswith("lay ")] == cards


# -- against the lists of the game -------------------------------------------------


def small_hand(rules: Any, rng: Rng) -> Any:
    """A deal of Kaluki in the middle of which the seat to act holds few cards, many of them jokers."""
    deal: Any = new_match(rules, dealer=rules.seats - 1).next_deal(Rng(rng.next32()))
    seat = deal.to_act
    suits = rng.choice([(0,), (1, 3), (0, 1, 2, 3)])
    ranks = rng.choice([range(13), range(13), range(6, 13), range(8, 9), range(11, 13)])
    faces = [13 * suit + rank for suit in suits for rank in ranks] * 2
    rng.shuffle(faces)
    jokers = rng.below(4)
    cards = faces[: rng.choice([2, 3, 5, 6, 8, 11])]
    deal.one[seat], deal.two[seat], deal.jokers[seat] = (*hand_masks(cards)[:2], jokers)
    deal.sizes[seat] = len(cards) + jokers
    deal.pile[-1] = rng.choice([JOKER, *faces[-6:]])
    deal.opened = rng.below(2) << seat
    for _ in range(rng.below(4) if deal.opened else 0):
        rng.shuffle(faces)
        melds = all_melds(*hand_masks(faces[:8])[:2], 2, rules.turn.melds)
        if melds:
            deal.table.append(rng.choice(melds))
            deal.owners.append(rng.below(rules.seats))
    if rng.below(3):
        deal.advance(rng.choice(list(islice(iter(deal.legal_actions()), WAYS))))
    return deal


@pytest.mark.parametrize("part", range(8))
def test_masks_hold_just_the_beginnings_of_the_legal_actions(part: int, long: bool) -> None:
    # The masks are worked out without a list of the legal actions, so the list says whether they are right.
    together = hard = 0
    for seed in range(1500 if long else 120):
        rng = Rng(seed, part, 11)
        rules: Any = random_rules("kaluki", rng)
        if rng.below(2):
            rules = replace(rules, opening="total")
        deal = small_hand(rules, rng)
        if deal.to_act is None:
            continue
        codes, view = encoding(rules), deal.view(deal.to_act)
        legal = some_legal(view, 3000)
        if len(legal) == 3000:
            continue
        together += any(len(move.melds) > 1 for move in legal)
        hard += deal.playing and (deal.owed > 0 or (deal.taken >= 0 and not deal.laid))
        follow: dict[tuple[int, ...], set[int]] = {(): set()}
        for move in legal:
            ids = move_ids(move)
            for place, number in enumerate(ids):
                follow.setdefault(ids[:place], set()).add(number)
            *begun, last = ids
            assert codes.take(view, tuple(begun), last) == ((), move)
        for prefix, after in follow.items():
            assert codes.allowed(view, prefix) == sorted(after), (seed, rules, prefix)
            if prefix:
                assert codes.take(view, prefix[:-1], prefix[-1]) == (prefix, None)
    assert together
    assert hard


@pytest.mark.parametrize(
    ("hand", "top", "begun"),
    [
        ("As Ks Qs Js Ts 9s 7s 6s 5s 4s 3s Jk Jk Jk Jk", "9h", ("take", "set")),
        ("As Qs Js Ts Ts 9s 8s 7s 6s 5s 3s Jk Jk Jk Jk", "4s", ("take", "run")),
        ("Ks Js 9s 8s 7s 6s 5s 4s 3s 3s 2s Jk Jk Jk Jk", "2s", ("take", "run")),
    ],
)
def test_masks_of_hands_with_all_jokers_are_not_slow(hand: str, top: str, begun: tuple[str, ...]) -> None:
    # These took up to two seconds when all ways to open were looked through; now they take some milliseconds.
    rules: Any = make_rules("kaluki", 2, opening="total")
    cards = parse_cards(hand)
    rest = shuffled((Counter(Kaluki.pack(rules)) - Counter([*cards, parse_card(top)])).elements(), Rng(1))
    layout = Layout((tuple(cards), tuple(rest[:15])), (), parse_card(top), tuple(rest[15:]))
    view = new_match(rules, dealer=1).next_deal(layout).view(0)
    codes = encoding(rules)
    began = time.process_time()
    assert codes.allowed(view, tuple(codes.names.index(name) for name in begun))
    assert time.process_time() - began < 1.0


# -- bad input --------------------------------------------------------------------


@pytest.mark.parametrize("name", games())
@pytest.mark.parametrize(
    ("action", "words"),
    [
        (-1, "-1"),
        (10_000, "10000"),
        (True, "True"),
        (2.0, "2.0"),
        ("3", "3"),
        (None, "None"),
        (np.float32(1), "1.0"),
        (np.bool_(True), "True"),
        (np.array([1, 2]), "shape (2,) and type int"),
        (np.array(1.5), "shape () and type float64"),
    ],
    ids=str,
)
def test_what_is_no_action_id_is_refused_by_name(name: str, action: Any, words: str) -> None:
    made = session(make_rules(name), 1)
    before = made.observe(0).tobytes(), made.ids()
    with pytest.raises(MejaError, match="whole number") as raised:
        made.step(action)
    assert words in str(raised.value)
    assert (made.observe(0).tobytes(), made.ids()) == before


@pytest.mark.parametrize("name", games())
def test_an_id_that_is_not_allowed_now_is_named_and_changes_nothing(name: str) -> None:
    made = session(make_rules(name), 1)
    for _ in decisions(made, 1):
        before = made.prefix, made.ids()
        wrong = next(number for number in range(made.codes.actions) if number not in before[1])
        with pytest.raises(NotAllowed) as raised:
            made.step(wrong)
        assert str(raised.value) == f"action {wrong} ({made.codes.names[wrong]}) is not allowed now"
        assert (made.prefix, made.ids()) == before


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.int64])
def test_whole_numbers_of_numpy_are_taken(kind: Any) -> None:
    one, two = session(make_rules("smear", 3), 2), session(make_rules("smear", 3), 2)
    one.step(0)
    two.step(kind(0))
    assert one.view(0).log == two.view(0).log
    two.step(np.array(two.ids()[0], dtype=kind))
    assert len(two.view(0).log) == 2


def test_actions_that_are_not_legal_have_no_ids() -> None:
    for name in games():
        made = session(make_rules(name), 1)
        assert made.to_act is not None
        view = made.view(made.to_act)
        for wrong in (None, True, "draw", 9999, -1, made.deal.parse("discard 2s") if name == "kaluki" else 63):
            with pytest.raises(MejaError, match="not one of the legal actions"):
                made.codes.encode(view, wrong)
        with pytest.raises(MejaError, match="not one of the legal actions"):
            made.codes.encode(made.view((made.to_act + 1) % made.seats), some_legal(view, 1)[0])


def test_a_prefix_that_no_mask_allowed_is_refused() -> None:
    made = session(make_rules("smear", 3), 1)
    assert made.to_act is not None
    view = made.view(made.to_act)
    for call in (made.codes.ids, made.codes.mask, made.codes.observe):
        with pytest.raises(MejaError, match="no action begins with these ids"):
            call(view, (0,))
    made = session(make_rules("kaluki", 2), 1)
    assert made.to_act is not None
    for prefix in ((0,), (3,), (99999,), (-1,), (4, 5)):
        with pytest.raises(MejaError, match="no action begins with these ids"):
            made.codes.observe(made.view(made.to_act), prefix)
    with pytest.raises(MejaError, match="no action begins with these ids"):
        made.codes.mask(made.view(1 - made.to_act), (1,))


def test_ids_that_are_not_one_whole_action_are_refused() -> None:
    made = session(make_rules("kaluki", 2), 1)
    assert made.to_act is not None
    view = made.view(made.to_act)
    for ids in ((), (0, 0)):
        with pytest.raises(MejaError, match="not one whole action"):
            made.codes.decode(view, ids)


def test_views_of_other_games_and_rules_are_refused() -> None:
    smear = session(make_rules("smear", 3), 1)
    for rules in (make_rules("smear", 2), make_rules("smear", 3, target=21), make_rules("kaluki", 3)):
        with pytest.raises(MejaError, match=r"the view is one of smear\(3\)"):
            encoding(rules).observe(smear.view(0))
    no_views: list[Any] = [None, 7, smear.deal]
    for no_view in no_views:
        with pytest.raises(MejaError, match="expected a view of smear"):
            smear.codes.mask(no_view)
    for wrong in (None, "smear", 3):
        with pytest.raises(MejaError, match="expected the rules of a game"):
            encoding(wrong)  # type: ignore[arg-type]


def test_a_game_without_an_encoding_is_named() -> None:
    class Whist(Rules):
        game = "whist"
        seat_numbers = (4,)

    with pytest.raises(MejaError, match='no encoding of "whist"; known: bassadewitz, calabresella, kaluki, smear'):
        encoding(Whist(seats=4))


def test_equal_rules_of_another_object_are_the_same_rules() -> None:
    made = session(make_rules("smear", 3), 1)
    other = encoding(make_rules("smear", 3))
    assert other.rules is not made.options.rules or other is not made.codes
    assert other.observe(made.view(0)).tobytes() == made.codes.observe(made.view(0)).tobytes()
