"""Bassadewitz: what a seat may know, and hidden hands drawn evenly from what agrees with it."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest

from meja.cards import Rng, card_text, cards_of, parse_cards
from meja.deal import Layout
from meja.games.bassadewitz import Bassadewitz, BassadewitzRules


def rules(seats: int = 4, **options: Any) -> BassadewitzRules:
    return BassadewitzRules.make(seats, **options)


def positions(seats: int, count: int, seed: int, **options: Any) -> Iterator[Bassadewitz]:
    """Positions from random deals, each at a random moment."""
    rng = Rng(seed, seats)
    for _ in range(count):
        deal = Bassadewitz.shuffle(rules(seats, **options), rng.below(seats), rng)
        for _ in range(rng.below(32 // seats * seats + 1)):
            deal.advance(rng.choice(deal.legal_actions()))
        yield deal


def spots(deal: Bassadewitz) -> list[int | None]:
    return [None, *range(deal.rules.seats)]


# -- views ------------------------------------------------------------------------------


@pytest.mark.rule("B2.3")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_view_shows_no_card_that_its_seat_has_not_seen(seats: int) -> None:
    for deal in positions(seats, 40, seed=1):
        played = {card for _, card in deal.plays()}
        for spot in spots(deal):
            own = set() if spot is None else set(cards_of(deal.hands[spot]))
            view = deal.view(spot)
            shown = json.dumps(view.to_dict()) + repr(view)
            hidden = [card for card in Bassadewitz.pack(deal.rules) if card not in played | own]
            assert not any(card_text(card) in shown for card in hidden)
            assert set(view.hand) == own
            inside: Any = view._blank
            known = played | own
            assert all(set(cards_of(hand)) <= known for hand in inside.hands)
            assert inside.rest == 0


@pytest.mark.rule("B2.3")
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_view_does_not_depend_on_how_the_hidden_cards_lie(seats: int) -> None:
    rng = Rng(2)
    for deal in positions(seats, 40, seed=2):
        for spot in spots(deal):
            other = deal.determinize(spot, rng)
            assert other.view(spot).to_json() == deal.view(spot).to_json()
            one, two = deal.view(spot), other.view(spot)
            assert one == two
            assert one.determinize(Rng(9)).hands == two.determinize(Rng(9)).hands
            assert one.determinize(Rng(9)).hands == deal.determinize(spot, Rng(9)).hands
            assert pickle.dumps(one._blank.hands) == pickle.dumps(two._blank.hands)


def test_only_the_seat_to_act_sees_legal_actions() -> None:
    for deal in positions(4, 20, seed=3):
        for spot in spots(deal):
            expected = tuple(deal.legal_actions()) if spot is not None and spot == deal.to_act else ()
            assert deal.view(spot).legal == expected


def test_a_view_tells_the_public_facts() -> None:
    hands = [
        "As Qs 9s 7s Kh Qd Jd 9c", "Ks 8h Td 9d 8d 7d Kc Qc",
        "Js 8s Th Qh Jh Kd Tc 8c", "Ts Ah 9h 7h Ad Ac Jc 7c",
    ]  # fmt: skip
    deal = Bassadewitz.from_layout(
        rules(trick_points=True), 3, Layout(tuple(tuple(parse_cards(hand)) for hand in hands))
    )
    for card in parse_cards("7s Ks Js Ts 7h Kh 8h Qh 9s Td 8s"):
        deal.apply(card)
    view = deal.view(3)
    told = view.to_dict()
    assert told["trick"] == ["0 9s", "1 Td", "2 8s"]
    assert told["tricks"][0] == {"cards": ["0 7s", "1 Ks", "2 Js", "3 Ts"], "winner": 3}
    assert told["tricks"][1]["winner"] == 0
    assert told["voids"] == ["", "s", "", ""]
    assert told["taken"] == [8, 0, 0, 17]
    assert told["hand"] == "Ah 9h Ad Ac Jc 7c"
    assert told["hand_sizes"] == [5, 5, 5, 6]
    assert (told["leader"], told["to_act"], told["trump"], told["phase"]) == (0, 3, None, "play")
    assert told["log"][-1] == "2 play 8s"
    assert len(told["legal"]) == 6
    spectator = deal.view(None).to_dict()
    assert (spectator["hand"], spectator["legal"], spectator["seat"]) == ("", [], None)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_events_tell_everybody_the_same_and_only_cards_that_were_played(seats: int) -> None:
    rng = Rng(4, seats)
    deal = Bassadewitz.shuffle(rules(seats), 0, rng)
    kinds: Counter[str] = Counter()
    while deal.to_act is not None:
        seat, action = deal.to_act, rng.choice(deal.legal_actions())
        events = deal.apply(action)
        played = {card_text(card) for _, card in deal.plays()}
        for event in events:
            kinds[event.kind] += 1
            assert not event.private
            assert all(event.seen_by(spot) == event.seen_by(None) for spot in range(seats))
        assert events[0].seen_by(None) == {"kind": "play", "seat": seat, "card": card_text(action)}
        for event in events[1:]:
            if event.kind == "trick":
                assert event.seat == deal.leader
                assert set(event.public["cards"].split()) <= played
    assert kinds == {"play": 32 // seats * seats, "trick": 32 // seats, "score": 1}
    assert events[-1].public == {"points": list(deal.score()), "void": deal.void}


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_unseen_are_all_cards_but_the_own_and_the_played_ones(seats: int) -> None:
    for deal in positions(seats, 20, seed=5):
        played = {card for _, card in deal.plays()}
        for spot in spots(deal):
            own = set() if spot is None else set(cards_of(deal.hands[spot]))
            assert deal.unseen(spot) == sorted(set(Bassadewitz.pack(deal.rules)) - played - own)


# -- drawn worlds -----------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_drawn_world_is_a_deal_that_could_have_led_here(seats: int) -> None:
    rng = Rng(6)
    for deal in positions(seats, 60, seed=6):
        for spot in spots(deal):
            world = deal.determinize(spot, rng)
            if spot is not None:
                assert world.hands[spot] == deal.hands[spot]
            again = Bassadewitz.from_layout(deal.rules, deal.dealer, world.layout(), deal.context)
            for seat, action in world.actions():
                assert again.to_act == seat
                again.apply(action)
            assert again.hands == world.hands
            assert again.rest == world.rest
            assert again.view(spot).to_json() == deal.view(spot).to_json()
            assert sorted(card for cards in world.zones().values() for card in cards) == sorted(
                Bassadewitz.pack(deal.rules)
            )


def worlds_that_agree(deal: Bassadewitz, spot: int | None) -> list[tuple[int, ...]]:
    """Every way the hidden cards can lie, found by trying all and replaying the play."""
    seats = deal.rules.seats
    hidden = [seat for seat in range(seats) if seat != spot]
    sizes = [deal.hands[seat].bit_count() for seat in hidden]
    unseen = deal.unseen(spot)
    plays = deal.plays()

    def splits(cards: Sequence[int], sizes: Sequence[int]) -> Iterator[list[int]]:
        if not sizes:
            yield [sum(1 << card for card in cards)]
            return
        for chosen in combinations(cards, sizes[0]):
            left = [card for card in cards if card not in chosen]
            for rest in splits(left, sizes[1:]):
                yield [sum(1 << card for card in chosen), *rest]

    found = []
    for masks in splits(unseen, sizes):
        hands = deal.hands[:]
        for seat, mask in zip(hidden, masks, strict=False):
            hands[seat] = mask
        at_start = hands[:]
        for seat, card in plays:
            at_start[seat] |= 1 << card
        if follows_suit(at_start, plays, seats):
            found.append((*hands, masks[-1]))
    return found


def follows_suit(hands: list[int], plays: Sequence[tuple[int, int]], seats: int) -> bool:
    hands = hands[:]
    for index, (seat, card) in enumerate(plays):
        led = plays[index - index % seats][1] // 13
        if card // 13 != led and any(other // 13 == led for other in cards_of(hands[seat])):
            return False
        hands[seat] &= ~(1 << card)
    return True


def late_position(seats: int, cards_left: int, seed: int) -> Bassadewitz:
    rng = Rng(seed, seats)
    deal = Bassadewitz.shuffle(rules(seats), 0, rng)
    while sum(hand.bit_count() for hand in deal.hands) > cards_left:
        deal.advance(rng.choice(deal.legal_actions()))
    return deal


@pytest.mark.parametrize(
    ("seats", "cards_left", "seed"),
    [(4, 11, 1), (4, 10, 2), (4, 9, 3), (4, 7, 4), (3, 6, 1), (3, 6, 2), (3, 5, 3), (5, 6, 1), (5, 8, 2), (5, 6, 3)],
)
def test_worlds_are_drawn_evenly_from_all_that_agree_with_the_view(seats: int, cards_left: int, seed: int) -> None:
    deal = late_position(seats, cards_left, seed)
    assert any(deal.voids())
    rng = Rng(7, seed)
    for spot in (deal.to_act, None) if cards_left < 8 else (deal.to_act,):
        worlds = worlds_that_agree(deal, spot)
        assert len(worlds) > 1
        assert len(set(worlds)) == len(worlds)
        each = max(10, 2000 // len(worlds))
        drawn: Counter[tuple[int, ...]] = Counter()
        for _ in range(each * len(worlds)):
            world = deal.determinize(spot, rng)
            drawn[(*world.hands, world.rest)] += 1
        assert set(drawn) <= set(worlds)
        freedom = len(worlds) - 1
        chi_square = sum((drawn[world] - each) ** 2 / each for world in worlds)
        assert abs(chi_square - freedom) < 5 * (2 * freedom) ** 0.5 + 5


def test_a_shown_void_is_respected() -> None:
    rng = Rng(8)
    seen = 0
    for deal in positions(4, 60, seed=9):
        voids = deal.voids()
        world = deal.determinize(deal.to_act, rng)
        for seat, suits in enumerate(voids):
            if seat == deal.to_act:
                continue
            for card in cards_of(world.hands[seat]):
                seen += 1
                assert not suits >> card // 13 & 1
    assert seen > 100
