"""Melds: what a set or a run is, what it counts, how it grows, and finding all of them in a hand."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest

from meja.cards import JOKER, Rng, parse_card, parse_cards
from meja.errors import CardTextError
from meja.games.melds import (
    NO_MELD,
    RANK,
    SET,
    UNSAID,
    Meld,
    MeldRules,
    added,
    additions,
    all_melds,
    fault,
    hand_masks,
    is_canonical,
    is_well_formed,
    make_meld,
    meld_rules,
    meld_text,
    melds_with,
    parse_meld,
    parse_word,
    swapped,
    swaps,
    take_out,
    worth,
)

STANDARD = meld_rules()
OPTIONS: list[dict[str, Any]] = [
    {},
    {"set_duplicates": False},
    {"naturals_majority": True},
    {"adjacent_jokers": False},
    {"run_max": 13},
    {"ace": "11_high_1_low"},
    {"ace": 11, "set_duplicates": False, "naturals_majority": True, "adjacent_jokers": False, "run_max": 13},
]


def meld(text: str) -> Meld:
    return parse_meld(text.split())


def verdict(text: str, **options: Any) -> str | None:
    made = meld(text)
    if made.suit == NO_MELD:
        return "no-meld"
    return fault(made, meld_rules(**options))


# -- valid or not -------------------------------------------------------------------


@pytest.mark.rule("K3.1", "K3.2", "K3.3", "K3.4", "K3.5", "K3.6", "K3.7", "K3.8", "K3.9")
@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("3s 3s 3h", {}, None),
        ("3s 3s 3h", {"set_duplicates": False}, "twins"),
        ("3s 3h 3d", {"set_duplicates": False}, None),
        ("3s 3h", {}, "short"),
        ("3s 3h 3d 3c", {"set_duplicates": False}, None),
        ("3s 3h 3d 3c Jk=3", {"set_duplicates": False}, "full"),
        ("3s 3h Jk=3 Jk=3", {"set_duplicates": False}, None),
        ("3s 3h Jk=3 Jk=3 Jk=3", {"set_duplicates": False}, "full"),
        ("3s Jk=3 Jk=3 Jk=3", {"set_duplicates": False}, None),
        ("3s 3s Jk=3", {"set_duplicates": False}, "twins"),
        ("Ks Ks Kh Kh Kd Kd Kc Kc Jk=K Jk=K Jk=K Jk=K", {}, None),
        ("Jk=9 Jk=9 Jk=9", {}, "no-natural"),
        ("Jk=9h Jk=Th Jk=Jh", {}, "no-natural"),
        ("As 2s 3s", {}, None),
        ("Qs Ks As", {}, None),
        ("Ks As 2s", {}, "no-meld"),
        ("Qc Kc Ac 2c", {}, "no-meld"),
        ("4h 5h 7h", {}, "no-meld"),
        ("4h 5h 6d", {}, "no-meld"),
        ("4h 4h 5h 6h", {}, "no-meld"),
        ("4h Jk=5h Jk=6h", {}, None),
        ("4h Jk=5h Jk=6h", {"adjacent_jokers": False}, "adjacent"),
        ("4h Jk=5h 6h Jk=7h", {"adjacent_jokers": False}, None),
        ("9s 9h Jk=9 Jk=9", {"adjacent_jokers": False}, None),
        ("4h Jk=5h Jk=6h", {"naturals_majority": True}, "majority"),
        ("4h 5h Jk=6h Jk=7h", {"naturals_majority": True}, "majority"),
        ("4h 5h Jk=6h", {"naturals_majority": True}, None),
        ("Ac Jk=A Jk=A Jk=A", {"naturals_majority": True}, "majority"),
        ("Ac Jk=A Jk=A Jk=A", {}, None),
        ("Ad 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad", {}, None),
        ("Ad 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad", {"run_max": 13}, "long"),
        ("2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad", {"run_max": 13}, None),
        ("Jk=Ad 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad", {}, None),
    ],
)
def test_a_meld_is_valid_or_has_its_fault(text: str, options: dict[str, Any], expected: str | None) -> None:
    assert verdict(text, **options) == expected


@pytest.mark.rule("K1.3", "K1.4", "K1.5", "K5.4")
@pytest.mark.parametrize(
    ("text", "fifteen", "eleven", "high_low"),
    [
        ("Th Jh Qh Kh Ah", 55, 51, 51),
        ("Jh Qh Kh Ah", 45, 41, 41),
        ("9s Ts Js Qs Ks", 49, 49, 49),
        ("8s 9s Ts Js Qs Ks", 57, 57, 57),
        ("As As Ah Ad", 60, 44, 44),
        ("As Ah Ad", 45, 33, 33),
        ("Jk=Td Jk=Jd Qd Kd Ad", 55, 51, 51),
        ("Ac Jk=A Jk=A Jk=A", 60, 44, 44),
        ("3d 4d 5d 6d 7d 8d 9d Td", 52, 52, 52),
        ("Ac 2c 3c 4c 5c 6c 7c 8c 9c", 59, 55, 45),
        ("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc", 69, 65, 55),
        ("Jk=Ac 2c 3c", 20, 16, 6),
        ("Ad 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad", 114, 106, 96),
        ("3s 3s 3h", 9, 9, 9),
        ("Qs Ks Jk=As", 35, 31, 31),
        ("Jk=Js Qs Ks", 30, 30, 30),
    ],
)
def test_a_meld_counts_its_cards_and_jokers_what_they_stand_for(
    text: str, fifteen: int, eleven: int, high_low: int
) -> None:
    assert worth(meld(text), STANDARD) == fifteen
    assert worth(meld(text), meld_rules(11)) == eleven
    assert worth(meld(text), meld_rules("11_high_1_low")) == high_low


# -- reading and writing ------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "strict"),
    [
        ("9d 9c 9s", "9s 9d 9c"),
        ("Jk=9 9s 9s", "9s 9s Jk=9"),
        ("jk=10 10s 10H", "Ts Th Jk=T"),
        ("JK=t 10♠ T♥", "Ts Th Jk=T"),
        ("Ah Kh Qh", "Qh Kh Ah"),
        ("3h Ah 2h", "Ah 2h 3h"),
        ("jk=10h JH 9h", "9h Jk=Th Jh"),
        ("Jk=9♥ 7h 8H", "7h 8h Jk=9h"),
        ("Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh", "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah"),
        ("Ah Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh", "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah"),
        ("Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh", "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh"),
    ],
)
def test_the_cards_of_a_meld_are_read_in_any_order_and_written_in_one(text: str, strict: str) -> None:
    made = meld(text)
    assert meld_text(made) == strict
    assert is_well_formed(made)
    assert is_canonical(made)
    assert meld(strict) == made


@pytest.mark.rule("K3.10")
@pytest.mark.parametrize(
    ("text", "strict"),
    [
        ("Qs Ks Jk", "Qs Ks Jk=As"),
        ("7h 9h Jk", "7h Jk=8h 9h"),
        ("7h 9h Jk Jk", "7h Jk=8h 9h Jk=Th"),
        ("Ks As Jk", "Jk=Qs Ks As"),
        ("As 3s Jk", "As Jk=2s 3s"),
        ("As Qs Jk", "Qs Jk=Ks As"),
        ("9s 9h Jk", "9s 9h Jk=9"),
        ("9s Jk Jk", "9s Jk=9 Jk=9"),
        ("Jk=As Qs Jk", "Qs Jk=Ks Jk=As"),
    ],
)
def test_jokers_without_a_meaning_fill_gaps_then_go_up_then_down(text: str, strict: str) -> None:
    assert meld_text(meld(text)) == strict


@pytest.mark.parametrize("text", ["9s 9h Jk=9d", "9s 9h Jk=T", "Qs Ks Jk=A", "9s Th Jk=Jh", "Jk Jk Jk", "As Kd 3c"])
def test_cards_that_make_no_meld_are_a_heap(text: str) -> None:
    made = meld(text)
    assert made.suit == NO_MELD
    assert not is_well_formed(made)
    assert meld(meld_text(made)) == made


@pytest.mark.parametrize("word", ["", "9x", "Jk=", "Jk=Jk", "9h=9", "Jk=11", "Jk=??", "??", "Jk=9h=9"])
def test_words_that_are_no_card_are_refused(word: str) -> None:
    with pytest.raises(CardTextError):
        parse_word(word)


def test_a_joker_tells_what_it_stands_for() -> None:
    run, group = meld("9h Jk=Th Jh"), meld("9s 9h Jk=9")
    assert [run.stands_for(i) for i in range(3)] == parse_cards("9h Th Jh")
    assert group.stands_for(2) == RANK + 7
    assert (run.is_set, group.is_set) == (False, True)
    assert (run.jokers, group.jokers) == (1, 1)


SHAPES: list[Any] = [[0, 1, 2], (0, 1, "2s")]
NOT_CARDS: list[Any] = [Meld(0, 1, cards) for cards in SHAPES]


@pytest.mark.parametrize(
    "thing",
    [
        None, 7, "9s", (), (0, 0, (0,)), Meld(SET, 0, ()), Meld(SET, 13, (0,)), Meld(SET, 0, (1,)),
        Meld(SET, 0, (13, 0, 26)), Meld(SET, 0, (JOKER, 0, 13)), Meld(4, 0, (0, 1, 2)), Meld(0, 12, (11, 12, 0)),
        Meld(0, -1, (11, 12, 0)), Meld(0, 1, (1, 0, 2)), NOT_CARDS[0], NOT_CARDS[1],
        Meld(0, True, (0, 1, 2)), Meld(0, 1, (0, 1, 999)), Meld(SET, 0, (-13, 0, 13)),
    ],
)  # fmt: skip
def test_anything_else_is_not_well_formed(thing: Any) -> None:
    assert not is_well_formed(thing)


# -- growing ------------------------------------------------------------------------


def grown_text(text: str, word: str, **options: Any) -> str | None:
    card, stands = parse_word(word)
    result = added(meld(text), card, stands, meld_rules(**options))
    return None if result is None else meld_text(result)


@pytest.mark.rule("K6.2", "K6.3", "K6.4", "K3.13", "K3.6")
@pytest.mark.parametrize(
    ("text", "word", "options", "expected"),
    [
        ("4c 5c 6c", "7c", {}, "4c 5c 6c 7c"),
        ("4c 5c 6c", "3c", {}, "3c 4c 5c 6c"),
        ("4c 5c 6c", "8c", {}, None),
        ("4c 5c 6c", "7h", {}, None),
        ("4c 5c 6c", "5c", {}, None),
        ("Qc Kc Ac", "2c", {}, None),
        ("2c 3c 4c", "Ac", {}, "Ac 2c 3c 4c"),
        ("Jc Qc Kc", "Ac", {}, "Jc Qc Kc Ac"),
        ("2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc", "Ac", {}, "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac"),
        ("2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac", "Ac", {}, "Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac"),
        ("2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac", "Ac", {"run_max": 13}, None),
        ("2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc", "Jk=Ac", {}, "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Jk=Ac"),
        ("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc", "Kc", {}, "Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc"),
        ("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac", "Jk=Ac", {}, None),
        ("4c 5c 6c", "Jk=7c", {}, "4c 5c 6c Jk=7c"),
        ("4c 5c 6c", "Jk=3c", {}, "Jk=3c 4c 5c 6c"),
        ("4c 5c 6c", "Jk=8c", {}, None),
        ("4c 5c 6c", "Jk=7", {}, None),
        ("4c 5c 6c", "Jk", {}, None),
        ("4c 5c Jk=6c", "Jk=7c", {"adjacent_jokers": False}, None),
        ("4c 5c Jk=6c", "Jk=3c", {"adjacent_jokers": False}, "Jk=3c 4c 5c Jk=6c"),
        ("4c 5c Jk=6c", "Jk=3c", {"naturals_majority": True}, None),
        ("9s 9h 9d", "9h", {}, "9s 9h 9h 9d"),
        ("9s 9h 9d", "9h", {"set_duplicates": False}, None),
        ("9s 9h 9d", "9c", {"set_duplicates": False}, "9s 9h 9d 9c"),
        ("9s 9h Jk=9 Jk=9", "9c", {"set_duplicates": False}, None),
        ("9s 9h 9d", "Jk=9", {}, "9s 9h 9d Jk=9"),
        ("9s 9h 9d", "Jk=9c", {}, None),
        ("9s 9h 9d", "Jk=T", {}, None),
        ("9s 9h 9d", "Ts", {}, None),
        ("9s 9h Jk=9", "Jk=9", {"naturals_majority": True}, None),
    ],
)
def test_a_card_joins_a_meld_where_it_fits(text: str, word: str, options: dict[str, Any], expected: str | None) -> None:
    assert grown_text(text, word, **options) == expected


def test_an_ace_to_king_run_arises_only_by_adding_the_king() -> None:
    run = added(meld("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc"), parse_card("Kc"), UNSAID, STANDARD)
    assert run is not None
    assert is_well_formed(run)
    assert not is_canonical(run)


@pytest.mark.rule("K6.7", "K6.8")
@pytest.mark.parametrize(
    ("text", "card", "options", "expected"),
    [
        ("5d 6d Jk=7d 8d", "7d", {}, "5d 6d 7d 8d"),
        ("5d 6d Jk=7d 8d", "7h", {}, None),
        ("5d 6d Jk=7d 8d", "6d", {}, None),
        ("Jk=5d 6d Jk=7d 8d", "7d", {}, "Jk=5d 6d 7d 8d"),
        ("9s 9h Jk=9", "9s", {}, "9s 9s 9h"),
        ("9s 9h Jk=9", "9s", {"set_duplicates": False}, None),
        ("9s 9h Jk=9", "9d", {"set_duplicates": False}, "9s 9h 9d"),
        ("9s 9h Jk=9 Jk=9", "9d", {}, "9s 9h 9d Jk=9"),
        ("9s 9h Jk=9", "8s", {}, None),
        ("9s 9h 9d", "9c", {}, None),
        ("9s 9h Jk=9", "Jk", {}, None),
        (
            "Jk=Ad 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Jk=Ad", "Ad", {},
            "Jk=Ad 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad",
        ),
    ],
)  # fmt: skip
def test_a_natural_card_takes_the_place_of_the_joker_that_stands_for_it(
    text: str, card: str, options: dict[str, Any], expected: str | None
) -> None:
    result = swapped(meld(text), parse_card(card), meld_rules(**options))
    assert (None if result is None else meld_text(result)) == expected


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_lists_of_additions_and_swaps_are_what_every_card_tried_alone_gives(options: dict[str, Any]) -> None:
    rules = meld_rules(**options)
    rng = Rng(4)
    for _ in range(60):
        made = random_meld(rng, rules)
        tries = [(card, UNSAID) for card in range(52)]
        tries += [(JOKER, stands) for stands in [*range(52), *range(RANK, RANK + 13)]]
        results = [(card, stands, added(made, card, stands, rules)) for card, stands in tries]
        assert [entry for entry in results if entry[2] is not None] == list(additions(made, rules))
        changed = [(card, swapped(made, card, rules)) for card in range(JOKER + 1)]
        assert [entry for entry in changed if entry[1] is not None] == list(swaps(made, rules))
        for _, _, result in additions(made, rules):
            assert is_well_formed(result)
            assert fault(result, rules) is None


def random_meld(rng: Rng, rules: MeldRules) -> Meld:
    while True:
        hand = [rng.below(13) + 13 * rng.below(4) for _ in range(20)]
        hand = [card for card in set(hand) for _ in range(min(2, hand.count(card)))]
        found = all_melds(*hand_masks([*hand, JOKER, JOKER]), rules)
        if found:
            return found[rng.below(len(found))]


# -- finding ------------------------------------------------------------------------


def by_trying(hand: list[int], rules: MeldRules) -> list[Meld]:
    """All melds of a small hand, by trying every group of its cards and every meaning of its jokers."""
    naturals = [card for card in hand if card != JOKER]
    jokers = len(hand) - len(naturals)
    found = set()
    for size in range(1, len(naturals) + 1):
        for chosen in set(combinations(sorted(naturals), size)):
            for wild in range(jokers + 1):
                if size + wild < 3:
                    continue
                meanings = [stands for stands in range(52) if stands // 13 == chosen[0] // 13]
                for meant in [*product(meanings, repeat=wild), (RANK + chosen[0] % 13,) * wild]:
                    made = make_meld(chosen, meant)
                    if made.suit != NO_MELD and fault(made, rules) is None:
                        found.add(made)
    return sorted(found)


@pytest.mark.rule("K3.10")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_all_melds_of_a_hand_are_those_that_trying_everything_finds(options: dict[str, Any]) -> None:
    rules = meld_rules(**options)
    rng = Rng(8)
    for number in range(12):
        suits = 1 + rng.below(2)
        low = rng.below(8)
        pack = [card for card in range(52) if card // 13 < suits and card % 13 >= low for _ in range(2)]
        rng.shuffle(pack)
        hand = [*pack[: 6 if number % 2 else 8], *[JOKER] * (number % 3 if number % 2 else number % 2)]
        masks = hand_masks(hand)
        expected = by_trying(hand, rules)
        assert all_melds(*masks, rules) == expected
        assert all_melds(*masks, rules, 30) == [made for made in expected if worth(made, rules) >= 30]
        for card in {*hand, JOKER}:
            assert melds_with(card, *masks, rules) == [made for made in expected if card in made.cards]
        for made in expected:
            assert meld(meld_text(made)) == made


def test_two_aces_make_the_run_of_fourteen_and_one_ace_with_a_joker_too() -> None:
    whole = parse_cards("Ad 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd")
    assert not any(len(made.cards) == 14 for made in all_melds(*hand_masks(whole), STANDARD))
    longest = [meld_text(made) for made in all_melds(*hand_masks([*whole, JOKER]), STANDARD) if len(made.cards) == 14]
    assert [text.split()[0] + text.split()[-1] for text in longest] == ["AdJk=Ad", "Jk=AdAd"]
    both = [made for made in all_melds(*hand_masks([*whole, whole[0]]), STANDARD) if len(made.cards) == 14]
    assert len(both) == 1


def test_cards_are_taken_out_of_a_hand_only_if_it_holds_them() -> None:
    hand = hand_masks(parse_cards("9s 9s 8s Jk"))
    assert take_out(*hand, parse_cards("9s 9s")) == hand_masks(parse_cards("8s Jk"))
    assert take_out(*hand, parse_cards("9s 9s 9s")) is None
    assert take_out(*hand, parse_cards("Jk Jk")) is None
    assert take_out(*hand, parse_cards("7s")) is None
    assert take_out(*hand, ()) == hand


def test_the_same_options_give_the_same_rules_of_melds() -> None:
    assert meld_rules(11, run_max=13) is meld_rules(11, run_max=13)
    assert meld_rules(11) is not meld_rules()
