"""The meld finder: its melds are the game's, its best ways to lay a hand are those of an integer program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

import meja.search.melds as finder_module
from meja.cards import JOKER, Card, Rng, parse_cards
from meja.games.kaluki import Kaluki, KalukiRules
from meja.games.melds import Meld, all_melds, fault, hand_masks, is_canonical, is_well_formed, worth
from meja.search.dice import Dice
from meja.search.melds import CARDS, DEADWOOD, FAR, POINTS, MeldFinder, Partition, solve_hands

PACK = Kaluki.pack(KalukiRules.make(2))
COMPILED = not finder_module.__file__.endswith(".py")
GOALS = (DEADWOOD, CARDS, POINTS)


def random_rules(rng: Rng) -> KalukiRules:
    options = KalukiRules.options()
    return KalukiRules.make(2 + rng.below(3), **{name: rng.choice(found.choices) for name, found in options.items()})


def random_hand(rng: Rng, size: int) -> list[Card]:
    """Cards of the pack; every second hand is crowded: few ranks or suits, many jokers."""
    pack = list(PACK)
    kind = rng.below(4)
    if kind == 1:
        suits = {rng.below(4), rng.below(4)}
        pack = [card for card in pack if card == JOKER or card // 13 in suits]
    elif kind == 2:
        low = rng.below(9)
        pack = [card for card in pack if card == JOKER or low <= card % 13 < low + 5]
    rng.shuffle(pack)
    hand = pack[:size]
    for _ in range(rng.below(4) if rng.below(2) else 0):
        if hand.count(JOKER) < min(4, size):
            hand[next(place for place, card in enumerate(hand) if card != JOKER)] = JOKER
    return hand


def solver() -> Any:
    return pytest.importorskip("scipy.optimize")


def oracle(
    hand: Sequence[Card], rules: KalukiRules, goal: int, need: int = 0, must: Card = -1, keep: int = 0
) -> int | None:
    """The best value by an integer program over the melds of the game; ``None`` where nothing does."""
    optimize = solver()
    words = rules.turn.melds
    dearest: dict[tuple[Card, ...], int] = {}
    for meld in all_melds(*hand_masks(hand), words):
        key = tuple(sorted(meld.cards))
        dearest[key] = max(dearest.get(key, 0), worth(meld, words))
    melds = list(dearest)
    worths = list(dearest.values())
    held = Counter(hand)
    faces = list(held)
    values = [rules.hand_values[card] for card in range(53)]
    if not melds:
        impossible = need > 0 or must >= 0 or (keep > 0 and not hand)
        return None if impossible else sum(values[card] for card in hand) if goal == DEADWOOD else 0
    if goal == DEADWOOD:
        gains = [sum(values[card] for card in meld) for meld in melds]
    elif goal == CARDS:
        gains = [len(meld) for meld in melds]
    else:
        gains = worths
    counts = [Counter(meld) for meld in melds]
    rows: list[list[int]] = [[count[face] for count in counts] for face in faces]
    least: list[float] = [0.0] * len(faces)
    most: list[float] = [float(held[face]) for face in faces]

    def ask(row: list[int], low: float, high: float) -> None:
        rows.append(row)
        least.append(low)
        most.append(high)

    many = float(1 << 20)
    if need and rules.opening == "single":
        opens = [int(points >= need and (must < 0 or must in meld)) for meld, points in dearest.items()]
        ask(opens, 1.0, many)
    else:
        if need:
            ask(worths, float(need), many)
        if must >= 0:
            ask([int(must in meld) for meld in melds], 1.0, many)
    if keep:
        ask([len(meld) for meld in melds], 0.0, float(len(hand) - 1))
    found = optimize.milp(
        [-gain for gain in gains],
        constraints=optimize.LinearConstraint(rows, least, most),
        integrality=[1] * len(melds),
        options={"mip_rel_gap": 0.0},
    )
    if found.status == 2:
        return None
    assert found.status == 0, found.message
    value: int = round(-found.fun)
    return sum(values[card] for card in hand) - value if goal == DEADWOOD else value


def value_of(found: Partition | None, goal: int) -> int | None:
    return None if found is None else (found.deadwood, found.cards, found.points)[goal]


def check(
    found: Partition | None, hand: Sequence[Card], rules: KalukiRules, need: int, must: Card, keep: int
) -> None:  # fmt: skip
    """A way to lay a hand keeps the rules and tells the truth about itself."""
    if found is None:
        return
    words = rules.turn.melds
    for meld in found.melds:
        assert is_well_formed(meld)
        assert fault(meld, words) is None
        assert is_canonical(meld)
    laid = Counter(card for meld in found.melds for card in meld.cards)
    left = Counter(hand)
    left.subtract(laid)
    assert min(left.values(), default=0) >= 0
    assert found.cards == sum(laid.values()) <= len(hand) - keep
    assert found.points == sum(worth(meld, words) for meld in found.melds)
    assert found.deadwood == sum(rules.hand_values[card] for card in left.elements())
    if need and rules.opening == "single":
        assert any(worth(meld, words) >= need and (must < 0 or must in meld.cards) for meld in found.melds)
    else:
        assert found.points >= need
        assert must < 0 or must in laid


def test_the_melds_of_a_hand_are_those_of_the_game(long: bool) -> None:
    rng = Rng(11)
    rounds = (20000 if long else 600) if COMPILED else (1000 if long else 150)
    for _ in range(rounds):
        rules = random_rules(rng)
        hand = hand_masks(random_hand(rng, 3 + rng.below(15)))
        assert MeldFinder(rules).options(*hand) == all_melds(*hand, rules.turn.melds)


def test_the_best_way_to_lay_a_hand_is_that_of_an_integer_program(long: bool) -> None:
    rng = Rng(5)
    for _ in range(10000 if long else 250):
        rules = random_rules(rng)
        hand = random_hand(rng, 3 + rng.below(15))
        goal = rng.below(3)
        need = rng.choice([0, 0, rules.opening_points])
        must = rng.choice(hand) if rng.below(3) == 0 else -1
        keep = rng.below(2)
        found = MeldFinder(rules).partition(*hand_masks(hand), goal, need, must, keep)
        check(found, hand, rules, need, must, keep)
        assert value_of(found, goal) == oracle(hand, rules, goal, need, must, keep), (hand, rules, goal, need, must)


@pytest.mark.parametrize("goal", GOALS)
def test_both_copies_of_a_card_are_tried(goal: int) -> None:
    # Each five goes into one of the runs, whichever is looked at first.
    hand = parse_cards("3s 4s 5s 5s 6s 7s")
    found = MeldFinder(KalukiRules.make(2)).partition(*hand_masks(hand), goal)
    assert found is not None
    assert (found.deadwood, found.cards, found.points) == (0, 6, 30)
    # One five in the set, the other one in the run, and the joker where the third five would be.
    hand = parse_cards("4s 5s 5s 6s 5h Jk")
    found = MeldFinder(KalukiRules.make(2, set_duplicates=False)).partition(*hand_masks(hand), goal)
    assert found is not None
    assert (found.deadwood, found.cards) == (0, 6)


def test_a_joker_may_lie_where_a_natural_card_is_held() -> None:
    # The five of spades is needed in the set, where a second joker would be one too many.
    rules = KalukiRules.make(2, naturals_majority=True)
    hand = parse_cards("4s 5s 6s 5h Jk Jk")
    found = MeldFinder(rules).partition(*hand_masks(hand))
    assert found is not None
    assert found.deadwood == 0
    assert sorted(len(meld.cards) for meld in found.melds) == [3, 3]


def test_the_opening_is_one_meld_or_all_together() -> None:
    hand = hand_masks(parse_cards("Ks Kh Kd 8s 8h 8d 2c"))
    assert MeldFinder(KalukiRules.make(2)).opening(*hand) is None
    found = MeldFinder(KalukiRules.make(2, opening="total")).opening(*hand)
    assert found is not None
    assert (found.points, found.cards, found.deadwood) == (54, 6, 2)
    hand = hand_masks(parse_cards("Td Jd Qd Kd Ad 3s 3h 3d"))
    found = MeldFinder(KalukiRules.make(2)).opening(*hand)
    assert found is not None
    assert (found.deadwood, found.points) == (0, 64)
    assert MeldFinder(KalukiRules.make(2)).opening(*hand, must=parse_cards("3s")[0]) is None
    kept = MeldFinder(KalukiRules.make(2)).opening(*hand, keep=1)
    assert kept is not None
    assert (kept.cards, kept.deadwood) == (5, 9)


def test_the_most_crowded_hands_fit_the_list() -> None:
    rng = Rng(3)
    for _ in range(60 if COMPILED else 2):
        rules = random_rules(rng)
        finder = MeldFinder(rules)
        suit = rng.below(4)
        hand = [13 * suit + rank for rank in range(13)] + [JOKER] * 4
        if rng.below(2):
            hand[rng.below(13)] = 13 * suit + 12
        finder.solve(*hand_masks(hand), POINTS, rules.opening_points, -1, 0)
        assert not finder.overflow


def opens(finder: MeldFinder, hand: Sequence[Card]) -> bool:
    return finder.opening(*hand_masks(hand)) is not None


def some_cards_open(finder: MeldFinder, hand: list[Card], number: int, start: int = 0) -> bool:
    """Whether so many natural cards can come that the hand opens: all are tried."""
    if not number:
        return opens(finder, hand)
    return any(
        some_cards_open(finder, [*hand, card], number - 1, card)
        for card in range(start, JOKER)
        if hand.count(card) < 2
    )  # fmt: skip


def test_the_distance_is_the_number_of_cards_that_have_to_come(long: bool) -> None:
    rng = Rng(8)
    seen = Counter[int]()
    for _ in range((2000 if long else 120) if COMPILED else 6):
        rules = random_rules(rng)
        finder = MeldFinder(rules)
        hand = random_hand(rng, 3 + rng.below(10))
        cards, points = finder.distance(*hand_masks(hand))
        seen[cards] += 1
        for fewer in range(min(cards, 3 if COMPILED and rng.below(20) == 0 else 2)):
            assert not some_cards_open(finder, hand, fewer)
        assert cards > 2 or some_cards_open(finder, hand, cards)
        assert (cards == 0) == (points == 0) == opens(finder, hand)
    assert not COMPILED or set(seen) == set(range(FAR + 1))


def test_the_points_missing_are_those_of_the_dearest_meld() -> None:
    hand = hand_masks(parse_cards("Ks Kh Kd 8s 8h 8d 2c"))
    assert MeldFinder(KalukiRules.make(2)).distance(*hand) == (3, 21)
    assert MeldFinder(KalukiRules.make(2, opening="total")).distance(*hand) == (0, 0)
    assert MeldFinder(KalukiRules.make(2)).distance(*hand_masks(parse_cards("Th Jh Kh Ah 2c"))) == (1, 51)


def test_a_finder_can_be_asked_again() -> None:
    rng = Rng(21)
    finders = {rules: MeldFinder(rules) for rules in (random_rules(rng) for _ in range(4))}
    for _ in range(60):
        rules = rng.choice(list(finders))
        hand = hand_masks(random_hand(rng, 13))
        for goal in GOALS:
            assert finders[rules].partition(*hand, goal) == MeldFinder(rules).partition(*hand, goal)


def test_results_and_nodes_are_the_same_pure_and_compiled() -> None:
    sums = []
    for options in ({}, {"opening": "total", "set_duplicates": False}, {"naturals_majority": True, "ace": 11}):
        finder = MeldFinder(KalukiRules.make(2, **options))
        dice = Dice(987654321)
        sums.append((solve_hands(finder, dice, 100, 15, DEADWOOD), finder.nodes))
    assert sums == SUMS


SUMS: list[tuple[int, int]] = [(11383, 2104), (11364, 1768), (10902, 1640)]


def test_a_meld_that_was_listed_is_a_meld() -> None:
    finder = MeldFinder(KalukiRules.make(2))
    assert finder.options(*hand_masks(parse_cards("9s 9h Jk 2d"))) == [Meld(-1, 7, (*parse_cards("9s 9h"), JOKER))]
