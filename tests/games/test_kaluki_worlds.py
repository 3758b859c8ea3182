"""Kaluki: drawing hidden cards is uniform over the deals that agree with what a seat knows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import permutations
from math import comb, sqrt
from typing import Any

import pytest

from meja.cards import JOKER, Card, Rng, card_text, cards_text, parse_card, parse_cards
from meja.deal import Chance, Layout
from meja.games.kaluki import Kaluki, KalukiRules
from meja.games.kaluki_turn import sample

PACK = Counter({**dict.fromkeys(range(52), 2), JOKER: 4})


def dealt(hands: Sequence[str], upcard: str, stock: str, dealer: int = -1, **options: Any) -> Kaluki:
    """A deal with these cards; the rest of the pack fills up, low cards first."""
    rules = KalukiRules.make(len(hands), **options)
    named, first, top = [parse_cards(hand) for hand in hands], parse_cards(stock), parse_card(upcard)
    rest = PACK.copy()
    rest.subtract([top, *first, *[card for hand in named for card in hand]])
    assert min(rest.values()) >= 0
    filler = sorted(rest.elements(), key=lambda card: (card == JOKER, card % 13, card // 13))
    full = []
    for hand in named:
        missing = rules.cards - len(hand)
        full.append(tuple(hand + filler[:missing]))
        del filler[:missing]
    layout = Layout(tuple(full), (), top, (*first, *filler))
    return Kaluki.from_layout(rules, dealer % len(hands), layout, None, Chance(Rng(1)))


def play(deal: Kaluki, *actions: str) -> Kaluki:
    for action in actions:
        deal.apply(action)
    return deal


def agrees(
    deal: Kaluki,
    seat: int | None,
    what: Callable[[Kaluki], Hashable],
    weights: dict[Hashable, float],
    draws: int = 3000,
    seed: int = 1,
) -> None:
    """What is drawn has the frequencies of ``weights`` (chi-square, refused beyond five deviations)."""
    rng = Rng(seed)
    view = deal.view(seat)
    counts = Counter(what(view.determinize(rng)) for _ in range(draws))
    assert set(counts) <= set(weights), set(counts) - set(weights)
    total = sum(weights.values())
    square, freedom, rare_seen, rare_due = 0.0, -1, 0, 0.0
    for key, weight in weights.items():
        due = draws * weight / total
        if due < 8:
            rare_seen += counts[key]
            rare_due += due
            continue
        square += (counts[key] - due) ** 2 / due
        freedom += 1
    if rare_due:
        square += (rare_seen - rare_due) ** 2 / max(rare_due, 1)
        freedom += 1
    assert square < freedom + 5 * sqrt(2 * max(freedom, 1)) + 5, (square, freedom, counts, weights)


# -- before any reshuffle -----------------------------------------------------------


def test_nothing_seen_leaves_every_unseen_card_as_likely() -> None:
    deal = Kaluki.shuffle(KalukiRules.make(3), 0, Rng(4))
    hidden = Counter(deal.unseen(0))
    weights: dict[Hashable, float] = dict(hidden.items())
    agrees(deal, 0, lambda world: world.stock[-1], weights)
    agrees(deal, 0, lambda world: world.stock[0], weights)
    agrees(deal, 0, lambda world: world.hand(2)[0] == world.hand(2)[1], _first_two(hidden, 15), 1500)


def _first_two(hidden: Counter[Card], size: int) -> dict[Hashable, float]:
    """How likely the first two cards of a sorted random hand are alike, by drawing many."""
    rng, pack, alike = Rng(77), sorted(hidden.elements()), 0
    for _ in range(6000):
        rng.shuffle(pack)
        hand = sorted(pack[:size], key=lambda card: (card // 13, -card))
        alike += hand[0] == hand[1]
    return {True: alike / 6000, False: 1 - alike / 6000}


def test_the_twin_of_a_discard_is_less_likely_in_that_hand() -> None:
    """Seat 1 discarded 9d before drawing anything else of note: at least one 9d was in 16 of 92 places.

    The worlds that agree put both copies into those 16 places (120 ways), or one there and one elsewhere (16 x 76).
    """
    deal = dealt(["Ks", "9d"], "5c", "2h 3h", dealer=-1)
    play(deal, "draw", "discard Ks", "draw", "discard 9d")
    nine = parse_card("9d")
    both, one = comb(16, 2), 16 * 76
    agrees(deal, 0, lambda world: world.hand(1).count(nine), {1: float(both), 0: float(one)}, 6000)


def test_a_card_drawn_after_the_discard_may_be_the_twin_with_full_weight() -> None:
    """As before, and seat 1 drew one more card since: the first copy was in the 16 places of then."""
    deal = dealt(["Ks Qs", "9d 8d"], "5c", "2h 3h 4h 6h")
    play(deal, "draw", "discard Ks", "draw", "discard 9d", "draw", "discard Qs", "draw")
    nine = parse_card("9d")
    # 91 places: 16 of then, 1 drawn since, 74 in the stock (three other draws are known or placed).
    stock = len(deal.stock)
    both, later, away = comb(16, 2), 16, 16 * stock
    agrees(deal, 0, lambda world: world.hand(1).count(nine), {1: float(both + later), 0: float(away)}, 6000)
    agrees(deal, 0, lambda world: world.drawn[-1] == nine, {True: 16.0, False: float(both + away)}, 6000)


def test_a_card_known_to_be_in_a_hand_stays_there_and_goes_first() -> None:
    deal = dealt(["Ks 9d 2s", "Th Jh Qh Kh Ah 8c 7s"], "5c", "2h 3h 4h 6h 7h")
    play(deal, "draw", "discard Ks", "draw", "meld Th Jh Qh Kh Ah", "discard 7s", "draw", "discard 9d", "take")
    nine = parse_card("9d")
    view = deal.view(0)
    assert view.known == ((), (nine,))
    rng = Rng(3)
    for _ in range(100):
        assert nine in view.determinize(rng).hand(1)
    # Discarding a 9d in a later turn tells nothing: the known one may have gone.
    play(deal, "discard 8c", "draw", "discard 2s", "draw", "discard 9d")
    assert deal.view(0).known == ((), ())
    hidden = deal.unseen(0)
    assert hidden.count(nine) == 1
    share = deal.sizes[1] / len(hidden)
    agrees(deal, 0, lambda world: world.hand(1).count(nine), {1: share, 0: 1 - share}, 4000)


def test_who_discards_a_card_equal_to_the_one_just_taken_held_another_and_keeps_one() -> None:
    deal = dealt(["Ks 9d 2s", "Th Jh Qh Kh Ah 9d 7s"], "5c", "2h 3h 4h 6h 7h")
    play(deal, "draw", "discard Ks", "draw", "meld Th Jh Qh Kh Ah", "discard 7s", "draw", "discard 9d", "take")
    deal.apply("discard 9d")
    nine = parse_card("9d")
    assert deal.view(0).known == ((), (nine,))
    rng = Rng(3)
    for _ in range(60):
        assert deal.view(0).determinize(rng).hand(1).count(nine) == 1


def test_a_spectator_draws_all_hands() -> None:
    deal = Kaluki.shuffle(KalukiRules.make(2), 0, Rng(4))
    hidden = Counter(deal.unseen(None))
    assert sum(hidden.values()) == 107
    weights: dict[Hashable, float] = dict(hidden.items())
    agrees(deal, None, lambda world: world.drawn[-1] if world.drawn else world.stock[-1], weights)


# -- after a reshuffle --------------------------------------------------------------


def late(seats: int, seed: int, turns_after: int, **options: Any) -> Kaluki:
    """A deal in which everybody draws and discards, some turns after the first reshuffle."""
    rng = Rng(seed)
    deal = Kaluki.shuffle(KalukiRules.make(seats, **options), 0, rng)
    while deal.turned == 0 or turns_after:
        turns_after -= deal.turned > 0 and not deal.playing
        deal.advance(deal.parse("draw"))
        hand = deal.hand(deal.to_act or 0)
        deal.advance(deal.parse("discard " + card_text(rng.choice(hand))))
        if deal.turned and not turns_after:
            break
    return deal


@pytest.mark.parametrize("seed", [0, *[pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 6)]])
def test_after_a_reshuffle_the_draws_of_two_players_are_those_that_explain_the_discards(seed: int) -> None:
    """With two players the other hand is known at the reshuffle, so all later draws can be tried.

    A world is the order of the new stock; it agrees where the other player holds what it discards.
    """
    deal = late(2, seed, 5)
    (order,) = deal.reshuffles()
    then = deal.clone()
    moves = deal.actions()
    start = max(i for i, (_, move) in enumerate(moves) if move.verb == 0 and _draws(moves[: i + 1]) == 77)
    # The hand of seat 1 when the stock ran out, and what happened since.
    since = moves[start + 1 :]
    other = Counter(then.hand(1))
    drawn = list(order)
    mine: list[Card] = []
    for place, (seat, _) in enumerate((seat, move) for seat, move in since if move.verb == 0):
        if seat == 0:
            mine.append(drawn[place])
        else:
            other[drawn[place]] -= 1
    for seat, move in since:
        if seat == 1 and move.verb == 6:
            other[move.card] += 1
    assert min(other.values()) >= 0
    pool = Counter(order)
    pool.subtract(mine)
    draws = sum(1 for seat, move in since if seat == 1 and move.verb == 0)
    assert 2 <= draws <= 3
    weights: Counter[Hashable] = Counter()
    interesting = {move.card for seat, move in since if seat == 1 and move.verb == 6}
    # Faces that play no part are alike: one name for them keeps the list short.
    short: Counter[Card] = Counter()
    for card, number in pool.items():
        short[card if card in interesting else -1] += number
    for sequence in _sequences(short, draws):
        weight, left = 1, short.copy()
        for card in sequence:
            weight *= left[card]
            left[card] -= 1
        hand, coming, fair = other.copy(), iter(sequence), True
        for seat, move in since:
            if seat == 1 and move.verb == 0:
                hand[next(coming)] += 1
            elif seat == 1:
                hand[move.card] -= 1
                fair = fair and hand[move.card] >= 0
        if fair:
            weights[sequence] += weight

    def key(world: Kaluki) -> Hashable:
        (drawn_order,) = world.reshuffles()
        places = [place for place, seat in enumerate(s for s, move in since if move.verb == 0) if seat == 1]
        return tuple(drawn_order[p] if drawn_order[p] in interesting else -1 for p in places)

    agrees(deal, 0, key, dict(weights), 1200)


def _draws(moves: Sequence[tuple[int, Any]]) -> int:
    return sum(1 for _, move in moves if move.verb == 0)


def _sequences(pool: Counter[Card], length: int) -> list[tuple[Card, ...]]:
    bag = [card for card, number in pool.items() for _ in range(min(number, length))]
    return sorted(set(permutations(bag, length)))


def test_cards_that_were_in_hands_at_the_reshuffle_are_not_in_the_new_stock() -> None:
    deal = late(4, 3, 6)
    (order,) = deal.reshuffles()
    rng = Rng(2)
    for seat in (0, 2, None):
        view = deal.view(seat)
        for _ in range(30):
            world = view.determinize(rng)
            assert Counter(world.reshuffles()[0]) == Counter(order)
            assert not Counter(world.stock) - Counter(order)
            assert world.view(seat).to_json() == view.to_json()


def test_the_future_is_new_chance() -> None:
    deal = Kaluki.shuffle(KalukiRules.make(4), 0, Rng(8))
    rng = Rng(9)
    while not deal.turned:
        deal.advance(deal.parse("draw"))
        deal.advance(deal.parse("discard " + card_text(rng.choice(deal.hand(deal.to_act or 0)))))
        if not deal.stock:
            break
    orders = set()
    for seed in range(20):
        world = deal.view(deal.to_act).determinize(Rng(seed))
        world.apply("draw")
        orders.add(world.reshuffles()[-1][:5])
    true = deal.clone()
    true.apply("draw")
    assert len(orders) > 15
    assert true.reshuffles()[-1][:5] not in orders


def test_a_pile_turned_over_leaves_nothing_of_the_stock_hidden() -> None:
    deal = late(3, 5, 4, stock_out="turn_over")
    rng = Rng(1)
    known = deal.view(0).turned
    assert known == tuple(deal.stock[::-1])
    assert any(deal.view(0).known)
    for seat in (0, 1, None):
        view = deal.view(seat)
        for _ in range(40):
            world = view.determinize(rng)
            assert world.stock == deal.stock
            assert world.drawn[-2:] == deal.drawn[-2:]
            assert world.reshuffles() == []
            for other in range(3):
                assert not Counter(view.known[other]) - Counter(world.hand(other))


# -- everything that was seen is kept ------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("how", ["shuffle", "turn_over"])
def test_a_drawn_deal_replays_and_looks_the_same(seats: int, how: str) -> None:
    rng = Rng(40, seats)
    for preset in ("standard", "kalooki51"):
        deal = Kaluki.shuffle(KalukiRules.make(seats, preset, stock_out=how), 0, rng)
        while not deal.over:
            if rng.below(12) == 0:
                for seat in [*range(seats), None]:
                    _check_world(deal, seat, rng)
            deal.apply(sample(deal.legal_actions(), rng))
        for seat in [*range(seats), None]:
            _check_world(deal, seat, rng)


def _check_world(deal: Kaluki, seat: int | None, rng: Rng) -> None:
    view = deal.view(seat)
    world = view.determinize(rng)
    assert world.view(seat).to_json() == view.to_json()
    assert sorted(card for cards in world.zones().values() for card in cards) == sorted(Kaluki.pack(deal.rules))
    again = Kaluki.from_layout(world.rules, world.dealer, world.layout(), None, Chance(None, world.reshuffles()))
    for actor, action in world.actions():
        assert again.to_act == actor
        again.apply(action)
    assert again.zones() == world.zones()
    assert again.reshuffles() == world.reshuffles()
    assert again.view(seat).to_json() == view.to_json()
    if seat is not None:
        assert world.hand(seat) == deal.hand(seat)
    if not deal.over:
        assert not world.playing or world.taken < 0 or again.held == world.held
        assert list(again.legal_actions())[:50] == list(world.legal_actions())[:50]


def test_a_turn_in_progress_can_still_be_ended_in_every_world() -> None:
    """Seat 1 took a card that it must use and has not laid yet: its hand must have a place for it."""
    deal = dealt(["Ks 9d 2s 3s", "Th Jh Qh Kh Ah 9s 9h 7s"], "5c", "2h 3h 4h 6h 7h", discard_use="must_use")
    play(deal, "draw", "discard Ks", "draw", "meld Th Jh Qh Kh Ah", "discard 7s", "draw", "discard 9d", "take")
    assert deal.phase == "play"
    nine = parse_card("9d")
    view, rng = deal.view(0), Rng(6)
    for _ in range(40):
        world = view.determinize(rng)
        hand = world.hand(1)
        assert nine in hand
        assert any(nine in meld.cards for meld in _melds(world, 1)), cards_text(hand)


def _melds(deal: Kaluki, seat: int) -> list[Any]:
    return [meld for action in deal.legal_actions() for meld in action.melds if deal.to_act == seat]


def test_the_hands_shown_at_the_end_are_kept() -> None:
    rng = Rng(50)
    deal = Kaluki.shuffle(KalukiRules.make(3, "kalooki40"), 0, rng)
    while not deal.over:
        legal = deal.legal_actions()
        deal.apply(sample(legal, rng))
    assert deal.winner >= 0
    for seat in (0, 1, 2, None):
        world = deal.view(seat).determinize(rng)
        assert world.hands() == deal.hands()
        assert world.score_sheet() == deal.score_sheet()
        layout = world.layout()
        assert layout.hands != deal.layout().hands or seat is not None
        assert json.loads(world.view(seat).to_json()) == json.loads(deal.view(seat).to_json())


def test_a_world_is_another_deal_than_the_true_one() -> None:
    deal = Kaluki.shuffle(KalukiRules.make(2), 0, Rng(60))
    before = deal.zones()
    world = deal.determinize(0, Rng(1))
    assert world.hand(1) != deal.hand(1)
    world.apply("draw")
    assert deal.zones() == before


def test_a_joker_swapped_for_keeps_beside_a_taken_one_leaves_one_known_after_a_discard() -> None:
    deal = dealt(["Th Jh Qh Kh 7d", "9s Ts Js Qs Ks Jk 8c 4d 5d 6d Jk 2s 2h Jk"], "Ah", "8s 9h", joker_swap_use="free")
    play(deal, "take Th Jh Qh Kh Ah", "discard 2c", "draw", "meld 8s 9s Ts Js Qs Ks", "meld 4d 5d 6d Jk=7d")
    play(deal, "discard Jk", "take", "swap 7d m2")
    assert deal.view(1).known[0] == (JOKER, JOKER)
    rng = Rng(2)
    for _ in range(30):
        world = deal.view(1).determinize(rng)
        assert world.held
        assert world.is_legal(world.parse("discard Jk"))
    play(deal, "discard Jk")
    assert deal.view(1).known[0] == (JOKER,)
    # The fourth joker may be anywhere.
    assert {deal.view(1).determinize(rng).hand(0).count(JOKER) for _ in range(90)} == {1, 2}
