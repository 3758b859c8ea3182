"""Worlds drawn into a table: they agree with the view, and are those that the game draws, as often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from math import comb, sqrt

import pytest

import meja.search.kaluki_worlds as draws_module
from meja.cards import JOKER, Card, Rng, parse_card, parse_cards
from meja.deal import Chance, Layout
from meja.games.kaluki import Kaluki, KalukiRules
from meja.games.kaluki_turn import DISCARD
from meja.search.dice import Dice
from meja.search.kaluki import KEEN, KalukiTable
from meja.search.kaluki_worlds import KalukiWorlds, draw_worlds, rollouts

COMPILED = not draws_module.__file__.endswith(".py")
PACK = Counter({**dict.fromkeys(range(52), 2), JOKER: 4})


def counts(table: KalukiTable, seat: int) -> Counter[Card]:
    held = Counter[Card]()
    for card in range(52):
        held[card] = (table.one[seat] >> card & 1) + (table.two[seat] >> card & 1)
    held[JOKER] = table.jokers[seat]
    return +held


def midway(rules: KalukiRules, seed: int, share: float) -> Kaluki:
    """A deal that keen players have played for a share of its actions."""
    table = KalukiTable(rules)
    table.logging = 1
    table.deal(0, Dice(Rng(seed).state))
    table.playout(Dice(seed), KEEN)
    deal = Kaluki.shuffle(rules, 0, Rng(seed))
    actions = table.actions()
    deal.chance = Chance(Rng(seed), table.reshuffles())
    for _, move in actions[: int(len(actions) * share)]:
        deal.advance(move)
    return deal


def worlds_of(deal: Kaluki, seat: int | None) -> KalukiWorlds:
    return KalukiWorlds(deal.view(seat), KalukiTable(deal.rules))


def apart(first: Counter[Hashable], second: Counter[Hashable]) -> float:
    """By how many deviations two samples of the same size differ, by chi-square; rare outcomes together."""
    square, freedom = 0.0, -1
    rare = [0, 0]
    for key in first | second:
        one, two = first[key], second[key]
        if one + two < 20:
            rare[0] += one
            rare[1] += two
            continue
        square += (one - two) ** 2 / (one + two)
        freedom += 1
    if sum(rare) >= 20:
        square += (rare[0] - rare[1]) ** 2 / sum(rare)
        freedom += 1
    return 0.0 if freedom < 1 else (square - freedom) / sqrt(2 * freedom)


def test_every_world_agrees_with_the_view(long: bool) -> None:
    rng = Rng(2)
    fast = 0
    for number in range((3000 if long else 150) if COMPILED else 12):
        options = KalukiRules.options()
        rules = KalukiRules.make(
            2 + rng.below(3), **{name: rng.choice(found.choices) for name, found in options.items()}
        )  # fmt: skip
        deal = midway(rules, number + 1, rng.random())
        seat = rng.choice([None, *range(rules.seats)])
        worlds = worlds_of(deal, seat)
        if not worlds.fast:
            continue
        fast += 1
        table = KalukiTable(rules)
        view = deal.view(seat)
        for _ in range(3):
            worlds.draw(Dice(rng.next32() + 1), table)
            everything = Counter[Card](deal.pile)
            for meld in deal.table:
                everything.update(meld.cards)
            for other in range(rules.seats):
                hand = counts(table, other)
                everything.update(hand)
                assert hand.total() == view.hand_sizes[other] == table.sizes[other]
                assert not Counter(view.known[other]) - hand
                if other == seat:
                    assert hand == Counter(view.hand)
            everything.update(table.stock[: table.stock_size])
            assert everything == PACK
            assert table.stock_size == view.stock
            assert list(table.pile[: table.pile_size]) == deal.pile
            table.playout(Dice(5), KEEN)
    assert fast


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("seats", [2, 4])
def test_worlds_are_as_frequent_as_those_of_the_game(seats: int, share: float, long: bool) -> None:
    draws = 8000 if long else 600 if COMPILED else 200
    deal = midway(KalukiRules.make(seats), seats + 7, share)
    seat, other = 0, seats - 1
    view, worlds, table = deal.view(seat), worlds_of(deal, seat), KalukiTable(deal.rules)
    assert worlds.fast
    discarded = [move.card for actor, move in deal.log if actor == other and move.verb == DISCARD]
    dice, rng = Dice(99), Rng(98)
    ours: list[Counter[Card]] = []
    tops: list[Card] = []
    for _ in range(draws):
        worlds.draw(dice, table)
        ours.append(counts(table, other))
        tops.append(table.stock[table.stock_size - 1])
    theirs, their_tops = [], []
    for _ in range(draws):
        world = view.determinize(rng)
        theirs.append(Counter(world.hand(other)))
        their_tops.append(world.stock[-1])
    features: list[Callable[[Counter[Card]], Hashable]] = [
        lambda hand: hand[JOKER],
        lambda hand: sum(hand[card] for card in discarded),
        lambda hand: tuple(hand[card] for card in discarded[:3]),
        lambda hand: sum(1 for number in hand.values() if number == 2),
        lambda hand: sum(number for card, number in hand.items() if card < 13),
        min,
    ]
    for feature in features:
        assert apart(Counter(map(feature, ours)), Counter(map(feature, theirs))) < 5
    assert apart(Counter[Hashable](tops), Counter[Hashable](their_tops)) < 5


def test_a_twin_of_a_card_thrown_is_held_as_often_as_counting_says() -> None:
    """Seat 1 threw a card of which the twin is hidden; its early places are the 15 dealt and one drawn."""
    rules = KalukiRules.make(2)
    hands = [parse_cards("2s 3s 4h 5h 6d 7d 8c 9c Ts Js Qh Kh Ad 2c 4s"), parse_cards("9h")]
    rest = PACK.copy()
    rest.subtract([*hands[0], *hands[1], parse_card("3d")])
    filler = list(rest.elements())
    hands[1] += filler[:14]
    deal = Kaluki.from_layout(
        rules, 0, Layout(tuple(map(tuple, hands)), (), parse_card("3d"), tuple(filler[14:])), None, Chance(Rng(1))
    )
    deal.apply("draw")
    deal.apply("discard 9h")
    deal.apply("draw")
    worlds, table = worlds_of(deal, 0), KalukiTable(rules)
    early, places = 16, 108 - 15 - 1 - 1
    both, one = comb(early, 2), early * (places - early)
    share = both / (both + one)
    draws = 20000 if COMPILED else 1500
    dice = Dice(4)
    held = 0
    card = parse_card("9h")
    for _ in range(draws):
        worlds.draw(dice, table)
        held += table.one[1] >> card & 1
    assert abs(held - share * draws) < 4.5 * sqrt(draws * share * (1 - share))


def test_a_card_that_everybody_knows_stays_where_it_is() -> None:
    deal = midway(KalukiRules.make(3, opening="total"), 12, 0.7)
    worlds, table = worlds_of(deal, None), KalukiTable(deal.rules)
    assert worlds.fast
    for number in range(50):
        worlds.draw(Dice(number + 1), table)
        for seat in range(3):
            assert not Counter(deal.known[seat]) - counts(table, seat)


def test_after_a_shuffled_pile_the_game_has_to_draw() -> None:
    found = Counter[int]()
    for seed in range(60 if COMPILED else 25):
        deal = midway(KalukiRules.make(4), seed, 0.97)
        worlds = worlds_of(deal, 0)
        if deal.to_act is not None and deal.turned:
            assert not worlds.fast
            found[deal.turned] += 1
    assert found or not COMPILED


def test_rollouts_are_draws_and_playouts() -> None:
    for seats in (2, 3):
        deal = midway(KalukiRules.make(seats, kaluki_bonus="25_each"), 5, 0.5)
        worlds, table = worlds_of(deal, 0), KalukiTable(deal.rules)
        assert worlds.fast
        dice = Dice(50)
        sums = [0] * seats
        for _ in range(30):
            worlds.draw(dice, table)
            table.playout(dice, KEEN)
            sums = [total + points for total, points in zip(sums, table.points(), strict=True)]
        assert rollouts(worlds, table, Dice(50), 30, KEEN) == tuple(sums)
        assert sum(sums) > 0


def test_draws_are_the_same_pure_and_compiled() -> None:
    sums = []
    for seats, share in ((2, 0.6), (3, 0.5), (4, 0.8)):
        deal = midway(KalukiRules.make(seats), 3 * seats, share)
        worlds = worlds_of(deal, 1)
        assert worlds.fast
        sums.append(draw_worlds(worlds, KalukiTable(deal.rules), Dice(7), 40))
    assert sums == SUMS


SUMS: list[int] = [258947317, 2507170111, 1213409630]
