"""Cutthroat Canadian Smear: what a seat may know, and drawing what it may not."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations
from math import sqrt
from typing import Any

import pytest

from meja.cards import Rng, card_text, cards_of, parse_cards
from meja.deal import Layout
from meja.errors import IllegalAction
from meja.games.smear import Smear, SmearRules, SmearView


def start(*hands: str, **options: Any) -> Smear:
    """A deal in which seat 0 speaks first."""
    layout = Layout(tuple(tuple(parse_cards(hand)) for hand in hands))
    return Smear.from_layout(SmearRules.make(len(hands), **options), len(hands) - 1, layout)


def do(deal: Smear, actions: str) -> Smear:
    """Calls and cards with single spaces: ``"bid2 pass As 5s"``."""
    for word in actions.split():
        if word[:3] == "bid":
            deal.apply(f"bid {word[3:]}")
        else:
            deal.apply(word if word == "pass" else f"play {word}")
    return deal


HANDS2 = ("As Ks Js 2s Th 3d", "Qs 5s Ah Kh Td 4c")
HANDS3 = ("Ks 7h 9d 6d Qc 6c", "Kh 2h Kd 3d Kc Tc", "Js 5s 3s 9h 8d 5c")


def voids(deal: Smear) -> list[str]:
    return ["".join("shdc"[suit] for suit in range(4) if shown >> suit & 1) for shown in deal.voids()]


# -- voids ------------------------------------------------------------------------


@pytest.mark.rule("S4.3")
def test_a_trump_on_a_plain_suit_shows_no_void() -> None:
    deal = do(start(*HANDS2), "bid2 pass As 5s Th Qs")
    assert voids(deal) == ["", ""]


@pytest.mark.rule("S4.3")
def test_a_plain_card_of_another_suit_shows_a_void() -> None:
    deal = do(start(*HANDS2), "bid2 pass As 5s Ks Qs 3d Td Kh 2s")
    assert voids(deal) == ["", ""], "seat 0 held the ten of hearts and trumped"
    deal = do(start("As Ks Js 2s 3h 3d", "Qs 5s Ac Kc Td 4c"), "bid2 pass As 5s 3h Td")
    assert voids(deal) == ["", "h"]


@pytest.mark.rule("S4.2")
def test_a_plain_card_on_a_trump_shows_that_there_is_no_trump() -> None:
    deal = do(start(*HANDS2), "bid2 pass As 5s Ks Qs Js 4c")
    assert voids(deal) == ["", "s"]


@pytest.mark.rule("S7.6")
def test_where_suit_must_be_followed_a_trump_shows_a_void_too() -> None:
    deal = do(start("As Ks Js 2s 3h 3d", "Qs 5s Ac Kc Td 4c", trump_anytime=False), "bid2 pass As 5s 3h Qs")
    assert voids(deal) == ["", "h"]


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("anytime", [True, False])
def test_a_shown_void_is_true_and_drawn_worlds_respect_it(seats: int, anytime: bool) -> None:
    for seed in range(25):
        rng = Rng(seed)
        deal = Smear.shuffle(SmearRules.make(seats, trump_anytime=anytime, all_pass="dealer_two"), 0, rng)
        while not deal.over:
            for seat in (*range(seats), None):
                world = deal.determinize(seat, rng)
                for hand, held, shown in zip(world.hands, deal.hands, deal.voids(), strict=True):
                    assert not any(shown >> card // 13 & 1 for card in cards_of(hand) + cards_of(held))
            deal.apply(rng.choice(deal.legal_actions()))


# -- views ------------------------------------------------------------------------


def words_of(value: Any) -> set[str]:
    """All words in a JSON value."""
    return set(json.dumps(value).replace('"', " ").replace(",", " ").replace("[", " ").replace("]", " ").split())


@pytest.mark.rule("S2.3")
@pytest.mark.parametrize("seats", [2, 3])
def test_a_view_and_the_events_hold_no_hidden_card(seats: int) -> None:
    for seed in range(15):
        rng = Rng(seed)
        deal = Smear.shuffle(SmearRules.make(seats), seed % seats, rng)
        while not deal.over:
            for seat in (*range(seats), None):
                hidden = {card_text(card) for card in deal.unseen(seat)}
                assert not hidden & words_of(deal.view(seat).to_dict())
                blank = deal.view(seat)._blank
                known = set(cards_of(sum(blank.hands))) | {card for _, card in blank.plays()}
                assert not hidden & {card_text(card) for card in known}
                assert blank.zones()["not dealt"] == []
            before = {seat: {card_text(card) for card in deal.unseen(seat)} for seat in range(seats)}
            action = rng.choice(deal.legal_actions())
            events = deal.apply(action)
            for seat in range(seats):
                shown = words_of([event.seen_by(seat) for event in events])
                assert before[seat] & shown <= ({card_text(action)} if action < 64 else set())


@pytest.mark.rule("S2.3")
def test_the_undealt_cards_stay_hidden_after_the_deal() -> None:
    rng = Rng(9)
    deal = Smear.shuffle(SmearRules.make(3, all_pass="dealer_two"), 0, rng)
    while not deal.over:
        deal.apply(rng.choice(deal.legal_actions()))
    rest = {card_text(card) for card in deal.zones()["not dealt"]}
    for seat in (0, 1, 2, None):
        assert {card_text(card) for card in deal.unseen(seat)} == rest
        assert not rest & words_of(deal.view(seat).to_dict())


def test_a_view_tells_the_auction_and_the_points() -> None:
    deal = do(start(*HANDS3), "bid2 pass")
    view = deal.view(2)
    assert isinstance(view, SmearView)
    assert (view.phase, view.bid, view.bidder, view.calls) == ("bid", 2, 0, ((0, 2), (1, 0)))
    assert [view.text(action) for action in view.legal] == ["pass", "bid 3", "bid 4"]
    assert deal.view(0).legal == ()
    assert deal.view(None).hand == ()
    done = do(start(*HANDS2), "bid3 pass As 5s Ks Qs Js 4c 2s Td Th Ah Kh 3d").view(1)
    assert isinstance(done, SmearView)
    assert done.phase == "over"
    assert done.to_dict()["awards"] == {"high": 0, "low": 0, "jack": 0, "game": 0}
    assert done.to_dict()["log"][:3] == ["0 bid 3", "1 pass", "0 play As"]
    assert do(start(*HANDS2), "pass pass").view(0).to_dict()["bidder"] is None


def test_events_tell_the_bidder_the_trump_the_trick_and_the_score() -> None:
    deal = do(start(*HANDS2), "bid3")
    told = [event.seen_by(None) for event in deal.apply("pass")]
    assert told == [{"kind": "pass", "seat": 1}, {"kind": "bidder", "seat": 0, "bid": 3}]
    assert [event.kind for event in deal.apply("play As")] == ["play", "trump"]
    assert [event.kind for event in deal.apply("play 5s")] == ["play", "trick"]
    do(deal, "Ks Qs Js 4c 2s Td Th Ah Kh")
    last = deal.apply("play 3d")
    assert [event.kind for event in last] == ["play", "trick", "score"]
    assert last[-1].seen_by(None) == {
        "kind": "score", "points": [4, 0], "void": False, "awards": {"high": 0, "low": 0, "jack": 0, "game": 0},
    }  # fmt: skip
    passed = do(start(*HANDS2), "pass").apply("pass")
    assert passed[-1].seen_by(0)["void"] is True


# -- drawing worlds ---------------------------------------------------------------


def possible(deal: Smear, seat: int) -> list[tuple[tuple[int, ...], ...]]:
    """All hands of the others (one card each) with which the record replays: the rules say what is possible."""
    others = [s for s in range(deal.rules.seats) if s != seat]
    found: list[tuple[tuple[int, ...], ...]] = []
    dealt = deal.layout().hands
    hidden = {s: cards_of(deal.hands[s]) for s in others}
    for drawn in permutations(deal.unseen(seat), len(others)):
        hands = list(dealt)
        for s, card in zip(others, drawn, strict=True):
            hands[s] = (*(c for c in dealt[s] if c not in hidden[s]), card)
        again = Smear.from_layout(deal.rules, deal.dealer, Layout(tuple(hands)), deal.context)
        try:
            for _, action in deal.actions():
                again.apply(action)
        except IllegalAction:
            continue
        found.append(tuple((card,) for card in drawn))
    return found


LATE = [
    (start("As Ks Js 2s 3h 3d", "Qs 5s Ac Kc Td 4c"), "bid2 pass As 5s 3h Td 3d Qs 4c Js Ks Kc", 1, 1),
    (start("As Ks Js 2s 3h 3d", "Qs 5s Ac Kc Td 4c"), "bid2 pass As 5s 3h Td 3d Qs 4c Js Ks Kc", 0, 1),
    (
        start("Js Ah Kh Qh 9d 8d", "Ac Kc Th Td 5h 4c", trump_anytime=False),
        "bid3 pass Js 4c Ah 5h Kh Th Qh Ac 9d Td",
        0,
        1,
    ),
    (start(*HANDS3), "bid2 pass pass Qc Tc 5c 7h Kh 9h Kc Js 6c Kd 8d 9d 3d 5s 6d", 0, 2),
]


@pytest.mark.parametrize(("deal", "actions", "seat", "left"), LATE)
def test_every_possible_world_is_drawn_equally_often(deal: Smear, actions: str, seat: int, left: int) -> None:
    deal = do(deal.clone(), actions)
    others = [s for s in range(deal.rules.seats) if s != seat]
    assert sum(deal.hands[s].bit_count() for s in others) == left
    worlds = possible(deal, seat)
    rng = Rng(2024, seat, left)
    draws = 30 * len(worlds)
    view = deal.view(seat)
    counts = Counter(
        tuple(tuple(cards_of(world.hands[s])) for s in others)
        for world in (view.determinize(rng) if turn % 2 else deal.determinize(seat, rng) for turn in range(draws))
    )
    assert set(counts) == set(worlds)
    chi_square = sum((count - 30) ** 2 / 30 for count in counts.values())
    freedom = len(worlds) - 1
    assert chi_square < freedom + 4 * sqrt(2 * freedom)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_drawn_world_replays_to_the_same_view(seats: int) -> None:
    for seed in range(10):
        rng = Rng(seed, 3)
        deal = Smear.shuffle(SmearRules.make(seats, all_pass="dealer_two"), seed % seats, rng)
        while not deal.over:
            for seat in (*range(seats), None):
                world = deal.determinize(seat, rng)
                again = Smear.from_layout(deal.rules, deal.dealer, world.layout(), deal.context)
                for actor, action in world.actions():
                    assert again.to_act == actor
                    again.apply(action)
                assert again.view(seat) == world.view(seat) == deal.view(seat)
                assert sum(len(cards) for cards in world.zones().values()) == 52
            deal.apply(rng.choice(deal.legal_actions()))


def test_the_undealt_cards_are_drawn_too() -> None:
    deal = start(*HANDS3)
    seen = Counter(card for seed in range(200) for card in deal.determinize(0, Rng(seed)).zones()["not dealt"])
    assert set(seen) == set(deal.unseen(0))
    expected = 200 * 34 / 46
    assert all(abs(count - expected) < 5 * sqrt(200 * 34 / 46 * 12 / 46) for count in seen.values())
