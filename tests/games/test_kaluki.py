"""Kaluki: the rules, by their numbers, with the worked examples K01 to K35."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from meja.bots.bot import Budget, RandomBot
from meja.cards import JOKER, Card, Rng, cards_text, parse_card, parse_cards
from meja.deal import Chance, ChanceError, Layout
from meja.errors import ActionTextError, GameOver, IllegalAction, MejaError, RulesError
from meja.games import make_rules, new_match
from meja.games.kaluki import Kaluki, KalukiRules
from meja.games.kaluki_turn import ADD, DISCARD, DRAW, MELD, OPEN, SWAP, TAKE, LegalActions, Move, sample
from meja.games.melds import RANK, Meld, all_melds, fault, hand_masks, meld_rules, parse_meld
from meja.record import Record, dumps, loads

RECORDS = sorted((Path(__file__).parents[1] / "records" / "kaluki").glob("*.meja"))

PACK = Counter({**dict.fromkeys(range(52), 2), JOKER: 4})


def layout_of(rules: KalukiRules, hands: Sequence[str], upcard: str, stock: str = "", last: str = "") -> Layout:
    """A layout with these cards; what is not said is filled with the rest of the pack, low cards first.

    ``stock``: the cards to be drawn first. ``last``: cards that are to lie at the end of the stock.
    """
    named = [parse_cards(hand) for hand in hands]
    first, final = parse_cards(stock), parse_cards(last)
    top = parse_card(upcard)
    rest = PACK.copy()
    rest.subtract([top, *first, *final])
    for hand in named:
        rest.subtract(hand)
    assert min(rest.values()) >= 0, "a card is named too often"
    filler = sorted(rest.elements(), key=lambda card: (card == JOKER, card % 13, card // 13))
    full = []
    for hand in named:
        missing = rules.cards - len(hand)
        full.append(tuple(hand + filler[:missing]))
        del filler[:missing]
    return Layout(tuple(full), (), top, (*first, *filler, *final))


def dealt(
    *hands: str,
    upcard: str = "5c",
    stock: str = "",
    last: str = "",
    dealer: int = -1,
    reshuffles: Sequence[str] = (),
    **options: Any,
) -> Kaluki:
    """A deal with these cards (see :func:`layout_of`); seat 0 begins unless another dealer is named."""
    rules = KalukiRules.make(len(hands), **options)
    layout = layout_of(rules, hands, upcard, stock, last)
    orders = [tuple(parse_cards(order)) for order in reshuffles]
    return Kaluki.from_layout(rules, dealer % len(hands), layout, None, Chance(None, orders))


def turn(
    hand: str,
    *table: str,
    others: Sequence[str] = ("2c 3d 9h",),
    opened: bool = True,
    drawn: bool = True,
    taken: str = "",
    held: bool = False,
    pile: str = "5c",
    fresh: bool = False,
    owed: int = 0,
    **options: Any,
) -> Kaluki:
    """Seat 0 in the middle of its turn, with these cards; melds are written ``OWNER CARDS``.

    The other cards of the pack are left out, so this is for questions of one turn only.
    """
    rules = KalukiRules.make(1 + len(others), **options)
    deal = Kaluki.build(rules, rules.seats - 1, layout_of(rules, ["", *others], "5c"), None, Chance())
    for seat, text in enumerate([hand, *others]):
        cards = parse_cards(text)
        deal.one[seat], deal.two[seat], deal.jokers[seat] = hand_masks(cards)
        deal.sizes[seat] = len(cards)
    for text in table:
        owner, *words = text.split()
        deal.owners.append(int(owner))
        deal.table.append(parse_meld(words))
    deal.opened = (1 << rules.seats) - 1 if opened else (1 << rules.seats) - 2
    deal.playing = drawn
    deal.drawn = parse_cards(hand)[-1:] if drawn and not taken else []
    deal.pile = parse_cards(pile)
    deal.fresh = fresh
    deal.owed = owed
    if taken:
        deal.taken, deal.held = parse_card(taken), held
    return deal


def code(deal: Kaluki, action: str) -> str | None:
    """Why an action is illegal, in one word; ``None`` if it is legal."""
    reason = deal.why_illegal(deal.parse(action))
    return None if reason is None else reason.code


def held(deal: Kaluki, seat: int) -> str:
    """The cards of a seat."""
    return cards_text(deal.hand(seat))


def melds(deal: Kaluki) -> list[str]:
    """The melds on the table."""
    return [str(item["cards"]) for item in deal.view(None).details()["table"]]


def legal(deal: Kaluki, verb: str = "") -> list[str]:
    """The legal actions, or those of one verb, in words."""
    return [text for text in map(deal.text, deal.legal_actions()) if text.split()[0].startswith(verb)]


def everywhere(deal: Kaluki) -> list[Card]:
    """All cards of a deal."""
    return sorted(card for cards in deal.zones().values() for card in cards)


# -- opening: K01 to K10, K33, K34 --------------------------------------------------

AFTER = " 2d 4h 6c 8d"


@pytest.mark.rule("K5.1", "K5.2", "K5.3", "K5.4", "K3.5", "K3.8", "K10.1", "K10.2", "K10.3", "K10.5", "K10.6")
@pytest.mark.parametrize(
    ("name", "cards", "options", "expected"),
    [
        ("K01", "Th Jh Qh Kh Ah", {}, None),
        ("K02", "Jh Qh Kh Ah", {}, "too-little"),
        ("K03", "9s Ts Js Qs Ks", {}, "too-little"),
        ("K03", "8s 9s Ts Js Qs Ks", {}, None),
        ("K04", "As As Ah Ad", {}, None),
        ("K04", "As Ah Ad", {}, "too-little"),
        ("K05", "Ks Ks Kh Kh Kd", {}, "too-little"),
        ("K05", "Ks Ks Kh Kh Kd Kc", {}, None),
        ("K06", "Jk=Td Jk=Jd Qd Kd Ad", {}, None),
        ("K07", "Ac Jk=A Jk=A Jk=A", {}, None),
        ("K07", "Ac Jk=A Jk=A Jk=A", {"naturals_majority": True}, "majority"),
        ("K09", "3d 4d 5d 6d 7d 8d 9d Td", {}, None),
        ("K09", "4d 5d 6d 7d 8d 9d Td", {}, "too-little"),
        ("K10", "Ac 2c 3c 4c 5c 6c 7c 8c 9c", {}, None),
        ("K10", "Ac 2c 3c 4c 5c 6c 7c 8c", {}, "too-little"),
        ("K10", "Ac 2c 3c 4c 5c 6c 7c 8c 9c", {"ace": "11_high_1_low"}, "too-little"),
        ("K10", "Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc", {"ace": "11_high_1_low"}, None),
        ("K10, joker as the low ace", "Jk=Ac 2c 3c 4c 5c 6c 7c 8c 9c", {"ace": "11_high_1_low"}, "too-little"),
        ("K10, high ace", "Th Jh Qh Kh Ah", {"ace": "11_high_1_low"}, None),
        ("K11", "Qc Kc Ac 2c", {}, "around"),
        ("K11", "Kc Ac 2c", {}, "around"),
        ("K33", "9s 9s 9h 9h 9d 9c", {"set_duplicates": False}, "twins"),
        ("K33", "As Ah Ad Ac", {"set_duplicates": False}, None),
        ("K33", "9s 9h 9d 9c Jk=9 Jk=9", {"set_duplicates": False}, "full"),
        ("K34", "As As Ah Ad", {"ace": 11}, "too-little"),
        ("K34", "Th Jh Qh Kh Ah", {"ace": 11}, None),
        ("opening with 40", "Jh Qh Kh Ah", {"opening_points": 40}, None),
        ("opening with 40", "Qh Kh Ah", {"opening_points": 40}, "too-little"),
    ],
)
def test_a_meld_opens_if_it_is_worth_enough(
    name: str, cards: str, options: dict[str, Any], expected: str | None
) -> None:
    hand = " ".join("Jk" if word.startswith("Jk") else word for word in cards.split())
    deal = turn(hand + AFTER, opened=False, **options)
    assert code(deal, f"meld {cards}") == expected
    assert (f"meld {cards}" in legal(deal)) == (expected is None)


@pytest.mark.rule("K5.1", "K5.8", "K10.1")
def test_k08_two_melds_open_together_only_with_a_total_opening() -> None:
    hand = "Ks Kh Kd 8s 8h 8d 2c"
    single = turn(hand, opened=False)
    assert code(single, "meld Ks Kh Kd") == "too-little"
    assert code(single, "open Ks Kh Kd + 8s 8h 8d") == "one-meld"
    total = turn(hand, opened=False, opening="total")
    assert code(total, "meld Ks Kh Kd") == "too-little"
    assert code(total, "open Ks Kh Kd + 8s 8h 8d") is None
    assert legal(total, "open") == ["open 8s 8h 8d + Ks Kh Kd"]
    total.apply("open Ks Kh Kd + 8s 8h 8d")
    assert melds(total) == ["Ks Kh Kd", "8s 8h 8d"]
    assert total.opened & 1


@pytest.mark.rule("K5.8")
def test_melds_that_open_together_may_come_in_any_order_and_number_and_are_numbered_as_written() -> None:
    hand = "Ks Kh Kd 8s 8h 8d 3s 3h 3d 2c"
    for order in ("3s 3h 3d + 8s 8h 8d + Ks Kh Kd", "Ks Kh Kd + 3s 3h 3d + 8s 8h 8d"):
        deal = turn(hand, opened=False, opening="total")
        assert deal.parse(f"open {order}") not in deal.legal_actions()
        events = deal.apply(f"open {order}")
        assert melds(deal) == order.split(" + ")
        assert [event.public["meld"] for event in events] == [0, 1, 2]
        assert all(event.public["opens"] for event in events)


@pytest.mark.rule("K5.8")
def test_one_meld_that_is_enough_alone_is_laid_by_meld_with_a_total_opening_too() -> None:
    deal = turn("Th Jh Qh Kh Ah 8s 8h 8d 2c", opened=False, opening="total")
    assert code(deal, "meld Th Jh Qh Kh Ah") is None
    assert code(deal, "open Th Jh Qh Kh Ah + 8s 8h 8d") is None
    with pytest.raises(ActionTextError):
        deal.parse("open Th Jh Qh Kh Ah")
    assert code_of(deal, Move(OPEN, (meld("Th Jh Qh Kh Ah"),))) == "one-meld"


@pytest.mark.rule("K5.1")
def test_the_same_card_cannot_be_in_two_melds_that_open_together() -> None:
    deal = turn("Ks Kh Kd Kc 8s 8h 8d 2c", opened=False, opening="total")
    assert code(deal, "open Ks Kh Kd + Ks Kh Kc") == "too-few"
    deal = turn("Ks Ks Kh Kh Kd Kd 2c", opened=False, opening="total")
    assert code(deal, "open Ks Kh Kd + Ks Kh Kd") is None
    assert "open Ks Kh Kd + Ks Kh Kd" in legal(deal)


@pytest.mark.rule("K3.6", "K10.8")
def test_k12_the_run_of_fourteen_counts_114_and_is_full() -> None:
    run = "Ad 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad"
    deal = turn(run + " Jk 9c", opened=False)
    assert code(deal, f"meld {run}") is None
    assert code(turn(run + " Jk 9c", opened=False, run_max=13), f"meld {run}") == "long"
    deal.apply(f"meld {run}")
    assert legal(deal, "add") == []
    assert code(deal, "add Jk=Ad m0") == "no-fit"


@pytest.mark.rule("K3.2", "K10.5")
def test_k13_the_same_suit_twice_in_a_set() -> None:
    assert code(turn("3s 3s 3h 9c"), "meld 3s 3s 3h") is None
    assert code(turn("3s 3s 3h 9c", set_duplicates=False), "meld 3s 3s 3h") == "twins"


@pytest.mark.rule("K3.8")
def test_k14_jokers_alone_are_no_meld() -> None:
    deal = turn("Jk Jk Jk 9c")
    assert code(deal, "meld Jk Jk Jk") == "no-natural"
    assert code(deal, "meld Jk=9 Jk=9 Jk=9") == "no-natural"
    assert code(deal, "meld Jk=9h Jk=Th Jk=Jh") == "no-natural"


@pytest.mark.rule("K5.7", "K4.1")
def test_nobody_has_to_open_or_lay_anything() -> None:
    assert code(turn("Th Jh Qh Kh Ah 2c", opened=False), "discard 2c") is None
    assert code(turn("3s 3h 3d 2c"), "discard 3s") is None


# -- drawing: K15, K16, K19 ---------------------------------------------------------


@pytest.mark.rule("K4.3")
def test_k15_the_top_discard_opens_at_once() -> None:
    deal = dealt("Th Jh Qh Kh", "", upcard="Ah")
    assert legal(deal, "take") == ["take Th Jh Qh Kh Ah"]
    assert code(deal, "take") == "take-to-open"
    events = deal.apply("take Th Jh Qh Kh Ah")
    assert [event.kind for event in events] == ["take", "meld"]
    assert events[0].seen_by(1) == {"kind": "take", "seat": 0, "card": "Ah"}
    assert deal.phase == "play"
    assert deal.pile == []
    assert deal.sizes[0] == 11


@pytest.mark.rule("K4.3", "K4.2")
def test_k16_a_top_discard_that_is_in_no_opening_meld_stays() -> None:
    deal = dealt("Th Jh Qh Kh Ah", "", upcard="5c", stock="9d")
    assert legal(deal) == ["draw"]
    assert code(deal, "take Th Jh Qh Kh Ah") == "not-with-it"
    assert code(deal, "take") == "take-to-open"
    deal.apply("draw")
    assert code(deal, "meld Th Jh Qh Kh Ah") is None


@pytest.mark.rule("K4.3")
def test_a_player_who_could_open_without_the_discard_may_still_open_with_it() -> None:
    deal = dealt("Th Jh Qh Kh Ah", "", upcard="9h")
    assert legal(deal, "take") == ["take 9h Th Jh Qh Kh Ah"]
    assert code(deal, "take 9h Th Jh Qh") == "too-little"


@pytest.mark.rule("K4.3")
def test_a_joker_on_the_pile_may_open_too() -> None:
    deal = dealt("Th Jh Qh Kh", "", upcard="Jk")
    assert "take Th Jh Qh Kh Jk=Ah" in legal(deal, "take")
    assert code(deal, "take Jk=9h Th Jh Qh Kh") == "too-little"
    deal.apply("take Th Jh Qh Kh Jk=Ah")
    assert held(deal, 0).count("Jk") == 0


@pytest.mark.rule("K4.3", "K5.8", "K10.1")
def test_with_a_total_opening_the_discard_may_be_in_any_of_the_melds() -> None:
    deal = dealt("Ks Kh Kd 8s 8h", "", upcard="8d", opening="total")
    assert "take 8s 8h 8d + Ks Kh Kd" in legal(deal)
    assert code(deal, "take Ks Kh Kd + 8s 8h 8d") is None
    assert code(deal, "take 8s 8h 8d") == "too-little"
    deal.apply("take Ks Kh Kd + 8s 8h 8d")
    assert melds(deal) == ["Ks Kh Kd", "8s 8h 8d"]
    assert code(dealt("Ks Kh Kd 8s 8h", "", upcard="8d"), "take Ks Kh Kd + 8s 8h 8d") == "one-meld"


@pytest.mark.rule("K4.4", "K4.5", "K10.12")
def test_after_opening_the_top_discard_is_free_to_take() -> None:
    deal = turn("4s 6d", "1 9s 9h 9d", drawn=False, pile="Qc 5c")
    assert legal(deal) == ["draw", "take"]
    assert code(deal, "take 4s 5c 6d") == "take-plain"
    deal.apply("take")
    assert held(deal, 0) == "4s 6d 5c"
    assert cards_text(deal.pile) == "Qc"
    assert code(deal, "take") == "drawn-already"


@pytest.mark.rule("K4.4")
def test_free_taking_begins_in_the_turn_after_the_opening() -> None:
    deal = dealt("Th Jh Qh Kh Ah", "", upcard="5c", stock="9d 8c")
    for action in ("draw", "meld Th Jh Qh Kh Ah"):
        deal.apply(action)
    assert code(deal, "take") == "drawn-already"
    deal.apply("discard 9d")
    assert legal(deal) == ["draw"]
    deal.apply("draw")
    deal.apply("discard 8c")
    assert legal(deal) == ["draw", "take"]


@pytest.mark.rule("K4.7", "K4.8")
def test_k19_the_card_taken_may_not_be_discarded_but_its_twin_may() -> None:
    deal = turn("Kc 2s", "1 4s 4h 4d", drawn=False, pile="9d")
    deal.apply("take")
    assert code(deal, "discard 9d") == "just-taken"
    assert code(deal, "discard Kc") is None
    twin = turn("9d Kc 2s", "1 4s 4h 4d", drawn=False, pile="9d")
    twin.apply("take")
    assert code(twin, "discard 9d") is None


@pytest.mark.rule("K4.8")
def test_the_twin_of_the_card_taken_may_be_discarded_after_one_was_laid() -> None:
    deal = turn("9d 9s 9h Kc", "1 4s 4h 4d", drawn=False, pile="9d")
    deal.apply("take")
    deal.apply("meld 9s 9h 9d")
    assert code(deal, "discard 9d") is None
    added = turn("9d Kc", "1 9s 9h 9c", drawn=False, pile="9d")
    added.apply("take")
    added.apply("add 9d m0")
    assert code(added, "discard 9d") is None


@pytest.mark.rule("K4.7")
def test_the_ban_ends_with_the_turn() -> None:
    deal = turn("Kc 2s", "1 4s 4h 4d", drawn=False, pile="9d", others=("Kd Qd",))
    for action in ("take", "discard Kc", "take", "discard Qd", "take"):
        deal.apply(action)
    assert code(deal, "discard 9d") is None


@pytest.mark.rule("K4.1", "K4.2")
def test_a_turn_is_draw_then_lay_then_discard() -> None:
    deal = dealt("", "", stock="9d")
    assert code(deal, "discard 2s") == "draw-first"
    assert code(deal, "meld 2s 2h 2d") == "draw-first"
    events = deal.apply("draw")
    assert events[0].seen_by(0) == {"kind": "draw", "seat": 0, "stock": 76, "card": "9d"}
    assert events[0].seen_by(1) == events[0].seen_by(None) == {"kind": "draw", "seat": 0, "stock": 76}
    assert code(deal, "draw") == "drawn-already"
    assert deal.to_act == 0
    deal.apply("discard 9d")
    assert deal.to_act == 1
    assert deal.phase == "draw"


@pytest.mark.rule("K4.6")
def test_a_joker_may_be_discarded() -> None:
    assert code(turn("Jk 9c"), "discard Jk") is None


# -- laying off and swapping: K17, K18, K20 to K25 ----------------------------------


@pytest.mark.rule("K5.5")
def test_k17_before_opening_nothing_is_laid_off_or_swapped() -> None:
    deal = turn("7c 9d 8d", "1 4c 5c 6c", "1 9s 9h Jk=9", opened=False)
    assert code(deal, "add 7c m0") == "not-opened"
    assert code(deal, "swap 9d m1") == "not-opened"
    assert legal(deal) == ["discard 8d", "discard 9d", "discard 7c"]


@pytest.mark.rule("K5.6", "K6.1")
def test_k18_after_opening_everything_is_allowed_in_the_same_turn() -> None:
    deal = turn("8s 9s Ts Js Qs Ks 2h 2d 2c 7c 9d Jk 4h", "1 4c 5c 6c", "1 9s 9h Jk=9", opened=False)
    deal.opened = 2
    for action in ("meld 8s 9s Ts Js Qs Ks", "meld 2h 2d 2c", "add 7c m0", "swap 9d m1", "add Jk=As m2"):
        assert code(deal, action) is None, action
        deal.apply(action)
    assert melds(deal) == ["4c 5c 6c 7c", "9s 9h 9d", "8s 9s Ts Js Qs Ks Jk=As", "2h 2d 2c"]
    assert held(deal, 0) == "4h Jk"


@pytest.mark.rule("K6.1", "K6.5")
def test_a_card_may_join_anybodys_meld_and_scores_for_nobody() -> None:
    deal = turn("7c 9d 4s", "1 4c 5c 6c", "0 9s 9h 9c")
    assert code(deal, "add 7c m0") is None
    assert code(deal, "add 9d m1") is None
    events = deal.apply("add 7c m0")
    assert events[0].public == {"card": "7c", "meld": 0, "owner": 1, "cards": "4c 5c 6c 7c"}
    assert deal.owners == [1, 0]
    assert deal.score() == (0, 0)


@pytest.mark.rule("K6.2", "K6.4", "K6.1")
def test_what_cannot_be_added_is_told_why() -> None:
    deal = turn("8c 7h Jk 4c", "1 4c 5c 6c", "1 9s 9h 9d")
    assert code(deal, "add 8c m0") == "no-fit"
    assert code(deal, "add 7h m0") == "no-fit"
    assert code(deal, "add 7c m0") == "not-held"
    assert code(deal, "add 7h m2") == "no-such-meld"
    assert code(deal, "add Jk=9h m1") == "no-fit"
    assert code(deal, "add Jk=7 m0") == "no-fit"
    assert code(deal, "add Jk=9 m1") is None
    assert code(deal, "add Jk=7c m0") is None
    assert code_of(deal, Move(ADD, (), JOKER, -1, 0)) == "unsaid"


@pytest.mark.rule("K6.6", "K6.7", "K6.9", "K10.9", "K3.11")
def test_k20_the_card_a_joker_stands_for_takes_its_place() -> None:
    deal = turn("7d 7h Kc", "1 5d 6d Jk=7d 8d")
    assert code(deal, "swap 7h m0") == "not-for-it"
    assert code(deal, "swap 7d m0") is None
    deal.apply("swap 7d m0")
    assert melds(deal) == ["5d 6d 7d 8d"]
    assert held(deal, 0) == "7h Kc Jk"
    own = turn("7d 7h Kc", "0 5d 6d Jk=7d 8d")
    assert code(own, "swap 7d m0") == "own-meld"
    assert code(turn("7d 7h Kc", "0 5d 6d Jk=7d 8d", joker_swap="any"), "swap 7d m0") is None
    assert code(turn("7d 7h Kc", "1 5d 6d Jk=7d 8d", joker_swap="off"), "swap 7d m0") == "no-swaps"
    assert code(turn("7d 7h Kc", "1 5d 6d 7d 8d"), "swap 7d m0") == "no-joker"


@pytest.mark.rule("K6.7", "K10.5")
def test_k21_a_joker_of_a_set_goes_for_any_natural_card_of_the_rank() -> None:
    assert code(turn("9s Kc", "1 9s 9h Jk=9"), "swap 9s m0") is None
    strict = turn("9s 9d Kc", "1 9s 9h Jk=9", set_duplicates=False)
    assert code(strict, "swap 9s m0") == "twins"
    assert code(strict, "swap 9d m0") is None


@pytest.mark.rule("K6.9", "K10.10")
def test_k22_a_swapped_joker_must_be_laid_before_the_discard() -> None:
    deal = turn("7d Kc 2c", "1 5d 6d Jk=7d 8d")
    deal.apply("swap 7d m0")
    assert code(deal, "discard Kc") == "joker-owed"
    assert code(deal, "discard Jk") == "joker-owed"
    assert legal(deal, "discard") == []
    deal.apply("add Jk=9d m0")
    assert code(deal, "discard Kc") is None


@pytest.mark.rule("K6.9", "K10.10")
def test_a_swapped_joker_may_be_kept_or_discarded_with_free_use() -> None:
    deal = turn("7d Kc 2c", "1 5d 6d Jk=7d 8d", joker_swap_use="free")
    deal.apply("swap 7d m0")
    assert legal(deal, "discard") == ["discard 2c", "discard Kc", "discard Jk"]


@pytest.mark.rule("K6.8")
def test_a_swap_takes_one_joker_and_may_be_done_again() -> None:
    deal = turn("9d 9c Kc 2c", "1 9s 9h Jk=9 Jk=9", "1 4c 5c 6c")
    deal.apply("swap 9d m0")
    assert melds(deal)[0] == "9s 9h 9d Jk=9"
    deal.apply("swap 9c m0")
    assert melds(deal)[0] == "9s 9h 9d 9c"
    assert deal.owed == 2
    deal.apply("add Jk=7c m1")
    assert code(deal, "discard Kc") == "joker-owed"
    deal.apply("add Jk=9 m0")
    assert code(deal, "discard Kc") is None


@pytest.mark.rule("K3.10", "K6.7")
def test_k23_a_joker_at_the_end_stands_for_the_card_that_was_declared() -> None:
    high = turn("Qs Ks Jk 4c 7d", "1 4s 4h 4d")
    low = high.clone()
    assert high.text(high.parse("meld Qs Ks Jk")) == "meld Qs Ks Jk=As"
    high.apply("meld Qs Ks Jk")
    low.apply("meld Jk=Js Qs Ks")
    assert melds(high)[1] == "Qs Ks Jk=As"
    assert melds(low)[1] == "Jk=Js Qs Ks"
    for deal, right, wrong in ((high, "As", "Js"), (low, "Js", "As")):
        deal.apply("discard 4c")
        deal.playing = True
        deal.one[1], deal.sizes[1] = hand_masks(parse_cards("As Js 3d"))[0], 3
        assert code(deal, f"swap {right} m1") is None
        assert code(deal, f"swap {wrong} m1") == "not-for-it"


@pytest.mark.rule("K7.1", "K10.11")
def test_k24_out_by_a_meld_without_a_discard() -> None:
    deal = turn("7c 7d 7h", "1 9s 9h 9d")
    events = deal.apply("meld 7c 7d 7h")
    assert deal.over
    assert deal.winner == 0
    assert [event.kind for event in events] == ["meld", "out", "score"]
    assert code(turn("7c 7d 7h", "1 9s 9h 9d", discard_to_go_out=True), "meld 7c 7d 7h") == "last-discard"


@pytest.mark.rule("K7.1", "K10.11")
@pytest.mark.parametrize("must_discard", [False, True])
def test_k25_out_by_laying_off_and_discarding_the_last_card(must_discard: bool) -> None:
    deal = turn("Kd 4s", "1 Ks Kh Kc", discard_to_go_out=must_discard)
    deal.apply("add Kd m0")
    deal.apply("discard 4s")
    assert deal.winner == 0
    with pytest.raises(GameOver):
        deal.apply("draw")
    last = turn("Kd", "1 Ks Kh Kc", discard_to_go_out=must_discard)
    assert code(last, "add Kd m0") == ("last-discard" if must_discard else None)


@pytest.mark.rule("K6.3")
def test_an_ace_that_fits_at_both_ends_goes_to_the_high_end() -> None:
    long = "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc"
    deal = turn("Ac Jk 5h", f"1 {long}")
    deal.apply("add Ac m0")
    assert melds(deal) == [long + " Ac"]
    deal.apply("add Jk=Ac m0")
    assert melds(deal) == ["Jk=Ac " + long + " Ac"]
    laid = turn(f"Ac {long} 5h")
    laid.apply("meld Ac " + long)
    assert melds(laid) == [long + " Ac"]
    low = Meld(3, 0, tuple(parse_cards("Ac " + long)))
    assert code_of(turn(f"Ac {long} 5h"), Move(MELD, (low,))) == "high-end"


@pytest.mark.rule("K6.3", "K3.6")
def test_a_run_from_ace_to_king_arises_by_adding_the_king() -> None:
    deal = turn("Kc Ac 5h", "1 Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc")
    deal.apply("add Kc m0")
    assert melds(deal) == ["Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc"]
    assert code(deal, "add Ac m0") is None
    full = turn("Kc Ac 5h", "1 Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc", run_max=13)
    full.apply("add Kc m0")
    assert code(full, "add Ac m0") == "long"


@pytest.mark.rule("K3.13", "K3.7", "K3.9", "K3.3", "K10.6", "K10.7")
def test_options_hold_for_melds_as_they_lie_after_adding() -> None:
    assert code(turn("Jk 4s", "1 4c 5c Jk=6c", naturals_majority=True), "add Jk=7c m0") == "majority"
    assert code(turn("Jk 4s", "1 4c 5c 6c", naturals_majority=True), "add Jk=7c m0") is None
    assert code(turn("Jk 4s", "1 4c 5c Jk=6c", adjacent_jokers=False), "add Jk=7c m0") == "adjacent"
    assert code(turn("Jk 4s", "1 4c 5c Jk=6c", adjacent_jokers=False), "add Jk=3c m0") is None
    assert code(turn("9c Jk 4s", "1 9s 9h Jk=9 Jk=9", set_duplicates=False), "add 9c m0") == "full"
    assert code(turn("9h Jk 4s", "1 9s 9h 9d", set_duplicates=False), "add 9h m0") == "twins"
    assert code(turn("9c Jk 4s", "1 9s 9h 9d", set_duplicates=False), "add 9c m0") is None


# -- the score: K26 to K30, K35 -----------------------------------------------------


@pytest.mark.rule("K7.2", "K7.3", "K1.6", "K1.3", "K1.4", "K10.4", "K10.3")
@pytest.mark.parametrize(
    ("name", "others", "options", "expected"),
    [
        ("K26", ["Jk As Kd 7c 2h"], {}, 59),
        ("K27", ["Jk As Kd 7c 2h", "Qs Ts 9s"], {}, 88),
        ("K28", ["Jk Jk As Ah Kd Kc Qs Qh Jd Tc 9h 8h 7h 6h 5h"], {}, 175),
        ("joker 15", ["Jk As Kd 7c 2h"], {"joker_in_hand": 15}, 49),
        ("joker 50", ["Jk As Kd 7c 2h"], {"joker_in_hand": 50}, 84),
        ("ace 11", ["Jk As Kd 7c 2h"], {"ace": 11}, 55),
        ("ace 11 in the hand", ["Jk As Kd 7c 2h"], {"ace": "11_high_1_low"}, 55),
        ("four", ["2s", "Ts", "As"], {}, 27),
    ],
)
def test_the_winner_scores_what_the_others_hold(
    name: str, others: list[str], options: dict[str, Any], expected: int
) -> None:
    deal = turn("4s", "1 9s 9h 9d", others=others, **options)
    deal.apply("discard 4s")
    assert deal.score() == (expected, *[0] * len(others))
    lines = deal.score_sheet()
    assert [line.rule for line in lines] == ["K7.2"] * len(others)
    assert [line.seat for line in lines] == [0] * len(others)
    for line, hand in zip(lines, others, strict=True):
        assert all(card in line.reason for card in hand.split())


@pytest.mark.rule("K7.4", "K7.5", "K10.14")
@pytest.mark.parametrize(
    ("bonus", "expected"), [("none", 59 + 29), ("25_each", 59 + 29 + 50), ("double", 2 * (59 + 29))]
)
def test_going_out_in_the_turn_of_the_opening_brings_the_bonus_of_the_option(bonus: str, expected: int) -> None:
    others = ["Jk As Kd 7c 2h", "Qs Ts 9s"]
    deal = turn("Th Jh Qh Kh Ah 4s", opened=False, others=others, kaluki_bonus=bonus)
    for action in ("meld Th Jh Qh Kh Ah", "discard 4s"):
        deal.apply(action)
    assert deal.score() == (expected, 0, 0)
    later = turn("4s", "0 Th Jh Qh Kh Ah", others=others, kaluki_bonus=bonus)
    later.apply("discard 4s")
    assert later.score() == (88, 0, 0)
    if bonus != "none":
        assert deal.score_sheet()[-1].rule == "K7.5"


@pytest.mark.rule("K7.4", "K7.2")
def test_k35_out_in_the_very_first_turn_scores_full_hands() -> None:
    hand = "2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As As Ad"
    other = "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah Jk Jk"
    out = dealt(hand, other, upcard="4c", stock="Ac")
    for action in ("draw", "meld 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As", "meld As Ad Ac"):
        out.apply(action)
    assert out.winner == 0
    assert out.score() == (2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 40 + 15 + 50, 0)


@pytest.mark.rule("K9.1", "K9.2", "K2.1", "K1.1")
@pytest.mark.parametrize(
    ("before", "points", "after", "winners"),
    [
        ((198, 240), 59, (257, 240), (0,)),
        ((191, 240), 59, (250, 240), (0,)),
        ((190, 240), 59, (249, 240), None),
    ],
)
def test_k29_k30_the_first_at_the_target_wins(
    before: tuple[int, int], points: int, after: tuple[int, int], winners: tuple[int, ...] | None
) -> None:
    match = new_match("kaluki", 2, dealer=1)
    match.totals = before
    match.deal = turn("4s", "1 9s 9h 9d", others=["Jk As Kd 7c 2h"])
    assert match.deal.score_sheet() == []
    match.apply("discard 4s")
    assert match.totals == after
    assert match.winners == winners
    assert match.over == (winners is not None)


@pytest.mark.rule("K10.16", "K9.1")
@pytest.mark.parametrize("target", [250, 500, 150, 100])
def test_the_target_is_an_option(target: int) -> None:
    match = new_match("kaluki", 2, target=target)
    for total, expected in ((target - 1, None), (target, (1,))):
        match.totals = (0, total)
        assert match.winners_after(None) == expected


# -- the deal: K31 ------------------------------------------------------------------


@pytest.mark.rule("K1.2", "K2.2", "K2.3", "K2.5", "K10.15")
@pytest.mark.parametrize(("seats", "cards", "stock"), [(2, 15, 77), (3, 15, 62), (4, 15, 47), (4, 13, 55), (2, 13, 81)])
def test_k31_the_stock_after_the_deal(seats: int, cards: int, stock: int) -> None:
    for dealer in range(seats):
        deal = Kaluki.shuffle(KalukiRules.make(seats, cards=cards), dealer, Rng(dealer))
        assert len(deal.stock) == stock
        assert deal.sizes == [cards] * seats
        assert len(deal.pile) == 1
        assert deal.to_act == (dealer + 1) % seats
        assert everywhere(deal) == sorted(Kaluki.pack(deal.rules))
    assert len(everywhere(deal)) == 108


@pytest.mark.rule("K2.2", "K2.3")
def test_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    rules = KalukiRules.make(3)
    order = list(Kaluki.pack(rules))
    layout = Kaluki.lay_out(rules, 1, order)
    assert layout.hands[2] == tuple(order[0:45:3])
    assert layout.hands[0] == tuple(order[1:45:3])
    assert layout.hands[1] == tuple(order[2:45:3])
    assert layout.upcard == order[45]
    assert layout.stock == tuple(order[46:])


@pytest.mark.rule("K2.4")
def test_a_joker_turned_up_stays_on_the_pile() -> None:
    deal = dealt("", "", upcard="Jk")
    assert cards_text(deal.pile) == "Jk"
    assert deal.to_act == 0


@pytest.mark.rule("K2.5")
def test_turns_go_round_to_the_left() -> None:
    deal = dealt("", "", "", "", dealer=1)
    seen = []
    for _ in range(5):
        seen.append(deal.to_act)
        deal.apply("draw")
        deal.apply(legal(deal, "discard")[0])
    assert seen == [2, 3, 0, 1, 2]


@pytest.mark.rule("K2.1", "K8.5")
def test_the_dealer_moves_left_after_every_deal_void_ones_too() -> None:
    match = new_match("kaluki", 3, dealer=2, stock_out="end", target=500)
    dealers, voids = [], 0
    rng = Rng(3)
    while len(match.deals) < 5:
        dealers.append(match.dealer)
        deal = match.next_deal(rng)
        assert isinstance(deal, Kaluki)
        while not deal.over:
            match.apply(legal(deal)[0] if deal.phase == "draw" else legal(deal, "discard")[0])
        voids += deal.void
        assert deal.score() == (0, 0, 0)
    assert dealers == [2, 0, 1, 2, 0]
    assert voids == 5
    assert match.totals == (0, 0, 0)


# -- the stock used up: K32 ---------------------------------------------------------


def run_down(deal: Kaluki, cards: int = 0) -> None:
    """Draw and discard until the stock holds only so many cards and somebody is to draw."""
    while len(deal.stock) > cards or deal.playing:
        deal.apply("draw" if not deal.playing else "discard " + held(deal, deal.to_act or 0).split()[0])


@pytest.mark.rule("K8.1", "K10.13")
def test_k32_the_pile_without_its_top_card_is_shuffled_to_be_the_stock() -> None:
    deal = Kaluki.shuffle(KalukiRules.make(4), 3, Rng(1))
    run_down(deal)
    pile = deal.pile[:]
    assert len(pile) == 48
    events = deal.apply("draw")
    assert [event.kind for event in events] == ["reshuffle", "draw"]
    assert events[0].seen_by(0) == {"kind": "reshuffle", "stock": 47}
    assert deal.pile == pile[-1:]
    assert len(deal.stock) == 46
    (order,) = deal.reshuffles()
    assert sorted(order) == sorted(pile[:-1])
    assert list(order) != pile[:-1]
    assert deal.drawn[-1] == order[0]
    assert deal.stock == list(order[:0:-1])


@pytest.mark.rule("K8.1")
def test_a_recorded_reshuffle_falls_as_it_was_recorded_or_is_refused() -> None:
    deal = Kaluki.shuffle(KalukiRules.make(4), 3, Rng(1))
    run_down(deal)
    order = sorted(deal.pile[:-1])
    again = Kaluki.from_layout(deal.rules, 3, deal.layout(), None, Chance(None, [order]))
    for _, action in deal.actions():
        again.apply(action)
    again.apply("draw")
    assert again.reshuffles() == [tuple(order)]
    assert again.drawn[-1] == order[0]
    for script in ([], [order[1:]]):
        wrong = Kaluki.from_layout(deal.rules, 3, deal.layout(), None, Chance(None, script))
        for _, action in deal.actions():
            wrong.apply(action)
        before = (wrong.zones(), wrong.actions(), wrong.to_act, wrong.turned)
        with pytest.raises(ChanceError):
            wrong.apply("draw")
        assert (wrong.zones(), wrong.actions(), wrong.to_act, wrong.turned) == before


@pytest.mark.rule("K8.1", "K10.13")
def test_turned_over_the_pile_is_drawn_in_the_order_of_its_discards() -> None:
    deal = Kaluki.shuffle(KalukiRules.make(4, stock_out="turn_over"), 3, Rng(1))
    run_down(deal)
    pile = deal.pile[:]
    deal.apply("draw")
    assert deal.drawn[-1] == pile[0]
    assert deal.stock[::-1] == pile[1:-1]
    assert deal.pile == pile[-1:]
    assert deal.reshuffles() == []
    assert deal.view(2).turned == tuple(pile[1:-1])
    assert deal.to_act is not None
    assert deal.view(None).known[deal.to_act] == (pile[0],)


@pytest.mark.rule("K8.1", "K8.3", "K8.5", "K10.13")
def test_with_stock_out_end_the_first_draw_without_a_stock_ends_the_deal_void() -> None:
    deal = Kaluki.shuffle(KalukiRules.make(4, stock_out="end"), 3, Rng(1))
    run_down(deal)
    count = len(deal.actions())
    assert "draw" in legal(deal)
    events = deal.apply("draw")
    assert deal.over
    assert deal.void
    assert [event.kind for event in events] == ["score"]
    assert events[0].public == {"points": [0, 0, 0, 0], "void": True}
    assert deal.text(deal.actions()[count][1]) == "draw"
    assert deal.score_sheet() == []


@pytest.mark.rule("K8.3", "K8.5")
@pytest.mark.parametrize("how", ["shuffle", "turn_over"])
def test_the_draw_that_would_need_a_fourth_time_ends_the_deal_void(how: str) -> None:
    deal = Kaluki.shuffle(KalukiRules.make(4, stock_out=how), 3, Rng(1))
    for time in range(3):
        run_down(deal)
        assert deal.turned == time
        deal.apply("draw")
        assert not deal.over
    run_down(deal)
    assert len(deal.pile) > 1
    deal.apply("draw")
    assert deal.void
    assert len(deal.reshuffles()) == (3 if how == "shuffle" else 0)
    assert deal.text(deal.actions()[-1][1]) == "draw"


@pytest.mark.rule("K8.4")
@pytest.mark.parametrize("how", ["shuffle", "turn_over", "end"])
def test_a_draw_with_no_card_below_the_top_of_the_pile_ends_the_deal_void(how: str) -> None:
    deal = turn("Kd 4s", "1 9s 9h 9d", drawn=False, pile="5c", stock_out=how)
    deal.stock.clear()
    deal.apply("draw")
    assert deal.void


@pytest.mark.rule("K8.2")
@pytest.mark.parametrize("how", ["shuffle", "turn_over", "end"])
def test_who_may_take_the_discard_need_not_draw_from_an_empty_stock(how: str) -> None:
    deal = turn("Kd 4s", "1 9s 9h 9d", drawn=False, pile="5c 7h", stock_out=how)
    deal.stock.clear()
    assert legal(deal) == ["draw", "take"]
    deal.apply("take")
    assert deal.turned == 0
    assert not deal.over


# -- the card taken must be used ----------------------------------------------------


@pytest.mark.rule("K4.4", "K10.12")
def test_a_card_that_must_be_used_is_laid_before_the_discard() -> None:
    deal = turn("9s 9h 4c Kd", "1 2s 2h 2d", drawn=False, pile="9d", discard_use="must_use")
    deal.apply("take")
    assert legal(deal, "discard") == []
    assert code(deal, "discard 4c") == "must-use"
    deal.apply("meld 9s 9h 9d")
    assert code(deal, "discard 4c") is None


@pytest.mark.rule("K4.4", "K10.12")
@pytest.mark.parametrize(
    ("hand", "table", "pile", "expected"),
    [
        ("4c Kd", "1 2s 2h 2d", "9d", "cannot-use"),
        ("4c Kd", "1 9s 9h 9c", "9d", None),
        ("4c Kd", "1 9s 9h Jk=9", "9d", None),
        ("4c 7c Kd", "1 4c 5c 6c", "8c", None),
        ("4c Kd", "1 4c 5c 6c", "8c", "cannot-use"),
        ("4c Jk Kd", "1 4c 5c 6c", "8c", None),
        ("9s Jk Kd", "1 2s 2h 2d", "9d", None),
        ("5d Kd 9s", "1 4d Jk=5d 6d", "9d", None),
        ("Kd 9s", "1 4d Jk=5d 6d", "9d", "cannot-use"),
    ],
)
def test_a_card_that_must_be_used_is_taken_only_if_the_turn_can_then_end(
    hand: str, table: str, pile: str, expected: str | None
) -> None:
    deal = turn(hand, table, drawn=False, pile=pile, discard_use="must_use")
    assert code(deal, "take") == expected
    assert ("take" in legal(deal)) == (expected is None)
    assert code(turn(hand, table, drawn=False, pile=pile), "take") is None


@pytest.mark.rule("K4.4")
@pytest.mark.parametrize("laying", ["meld 9s 9h 9d", "add 9d m0", "swap 9d m1"])
def test_any_card_equal_to_the_one_taken_will_do(laying: str) -> None:
    table = ["1 9s 9h 9c", "1 8d Jk=9d Td"]
    deal = turn("9d 9s 9h 4c Kd", *table, drawn=False, pile="9d", discard_use="must_use")
    deal.apply("take")
    deal.apply(laying)
    if laying.startswith("swap"):
        deal.apply("add Jk=7d m1")
    assert code(deal, "discard 9d") is None


@pytest.mark.rule("K4.4")
def test_opening_with_the_card_taken_is_using_it() -> None:
    deal = dealt("Th Jh Qh Kh", "", upcard="Ah", discard_use="must_use")
    deal.apply("take Th Jh Qh Kh Ah")
    assert len(legal(deal, "discard")) > 5


# -- jokers taken and jokers swapped ------------------------------------------------


@pytest.mark.rule("K6.10", "K4.7", "K6.9")
def test_a_joker_laid_pays_first_for_the_swapped_one_then_for_the_taken_one() -> None:
    deal = turn("7d Kc 2c", "1 5d 6d Jk=7d 8d", "1 9s 9h 9c", drawn=False, pile="Jk", discard_use="must_use")
    deal.apply("take")
    deal.apply("swap 7d m0")
    deal.apply("add Jk=9 m1")
    assert deal.owed == 0
    assert code(deal, "discard Kc") == "must-use"
    deal.apply("add Jk=9d m0")
    assert code(deal, "discard Kc") is None


@pytest.mark.rule("K6.10", "K4.7")
def test_a_joker_taken_and_not_laid_stays_banned_after_a_swapped_one_was_laid() -> None:
    deal = turn("7d Kc 2c", "1 5d 6d Jk=7d 8d", "1 9s 9h 9c", drawn=False, pile="Jk")
    deal.apply("take")
    deal.apply("swap 7d m0")
    deal.apply("add Jk=9 m1")
    assert code(deal, "discard Jk") == "just-taken"
    assert code(deal, "discard Kc") is None
    before = turn("7d Jk Kc 2c", "1 5d 6d Jk=7d 8d", "1 9s 9h 9c", drawn=False, pile="Jk")
    for action in ("take", "swap 7d m0", "add Jk=9 m1"):
        before.apply(action)
    assert code(before, "discard Jk") is None


@pytest.mark.rule("K6.10")
def test_a_meld_with_two_jokers_pays_for_both() -> None:
    deal = turn("7d Kc 4c 2h", "1 5d 6d Jk=7d 8d", drawn=False, pile="Jk", discard_use="must_use")
    for action in ("take", "swap 7d m0", "meld 4c Jk=5c Jk=6c"):
        deal.apply(action)
    assert legal(deal, "discard") == ["discard 2h", "discard Kc"]


# -- a turn must be able to end -----------------------------------------------------


@pytest.mark.rule("K4.9", "K6.9")
@pytest.mark.parametrize(
    ("name", "hand", "table", "options", "action", "expected"),
    [
        ("the joker fits the same run", "7d Kc", ["1 5d 6d Jk=7d 8d"], {}, "swap 7d m0", None),
        ("the joker fits another set", "7d Kc", ["1 5d 6d Jk=7d", "1 9s 9h 9d"], {"run_max": 13}, "swap 7d m0", None),
        (
            "a full set takes no joker, but another meld does", "9d Kc",
            ["1 9s 9h Jk=9 Jk=9", "1 4c 5c 6c"], {"set_duplicates": False}, "swap 9d m0", None,
        ),
        (
            "the only set is full", "9d Kc", ["1 9s 9h 9c Jk=9"], {"set_duplicates": False}, "swap 9d m0", "stuck",
        ),
        (
            "a pair in the hand makes room for the joker", "9d Kc Kd 2h", ["1 9s 9h 9c Jk=9"],
            {"set_duplicates": False}, "swap 9d m0", None,
        ),
        (
            "a pair and nothing else: out without a discard", "9d Kc Kd", ["1 9s 9h 9c Jk=9"],
            {"set_duplicates": False}, "swap 9d m0", None,
        ),
        (
            "a pair and nothing else, and the last card must be discarded", "9d Kc Kd", ["1 9s 9h 9c Jk=9"],
            {"set_duplicates": False, "discard_to_go_out": True}, "swap 9d m0", "stuck",
        ),
        (
            "a natural card first makes room under the majority", "5c 7c Kc", ["1 4c Jk=5c 6c", "1 9s 9h Jk=9"],
            {"naturals_majority": True}, "swap 5c m0", None,
        ),
        (
            "under the majority the swapped meld has room itself", "6c Kc", ["1 4c 5c Jk=6c"],
            {"naturals_majority": True}, "swap 6c m0", None,
        ),
        (
            "jokers may not be neighbours, but the other end is free", "6c Kc", ["1 Jk=4c 5c Jk=6c"],
            {"adjacent_jokers": False}, "swap 6c m0", None,
        ),
        (
            "no end without a joker beside it", "9s Kc", ["1 9h 9d 9c Jk=9", "1 Jk=4c 5c Jk=6c"],
            {"adjacent_jokers": False, "set_duplicates": False}, "swap 9s m0", "stuck",
        ),
        (
            "a natural card at the end separates the jokers", "9s 7c Kc", ["1 9h 9d 9c Jk=9", "1 Jk=4c 5c Jk=6c"],
            {"adjacent_jokers": False, "set_duplicates": False}, "swap 9s m0", None,
        ),
        (
            "a natural card makes the majority", "9s 7c Kc", ["1 9h 9d 9c Jk=9", "1 4c 5c Jk=6c"],
            {"naturals_majority": True, "set_duplicates": False}, "swap 9s m0", None,
        ),
        (
            "no majority without it", "9s Kc", ["1 9h 9d 9c Jk=9", "1 4c 5c Jk=6c"],
            {"naturals_majority": True, "set_duplicates": False}, "swap 9s m0", "stuck",
        ),
        (
            "a second swap makes room for both jokers", "9s 6c Kc", ["1 9h 9d 9c Jk=9", "1 4c 5c Jk=6c"],
            {"naturals_majority": True, "set_duplicates": False}, "swap 9s m0", None,
        ),
        (
            "one joker placed, but the last card must be discarded", "7d", ["1 5d 6d Jk=7d 8d"],
            {"discard_to_go_out": True}, "swap 7d m0", "stuck",
        ),
        ("the swapped joker is the last card and is laid", "7d", ["1 5d 6d Jk=7d 8d"], {}, "swap 7d m0", None),
        ("with free use the joker may be the discard", "9d Kc", ["1 9s 9h 9c Jk=9"],
         {"set_duplicates": False, "joker_swap_use": "free"}, "swap 9d m0", None),
        ("a full run of fourteen", "7d Kc",
         ["1 Ad 2d 3d 4d 5d 6d Jk=7d 8d 9d Td Jd Qd Kd Ad"], {}, "swap 7d m0", "stuck"),
    ],
)  # fmt: skip
def test_a_swap_is_legal_exactly_if_the_turn_can_still_end(
    name: str, hand: str, table: list[str], options: dict[str, Any], action: str, expected: str | None
) -> None:
    deal = turn(hand, *table, **options)
    assert code(deal, action) == expected
    assert (action in legal(deal)) == (expected is None)


@pytest.mark.rule("K4.9", "K4.7")
def test_nobody_may_lay_everything_but_the_card_that_may_not_be_discarded() -> None:
    deal = turn("9s 9h 9d", "1 2s 2h 2d", taken="5c")
    deal.one[0] |= hand_masks(parse_cards("5c"))[0]
    deal.sizes[0] = 4
    assert code(deal, "meld 9s 9h 9d") == "stuck"
    room = turn("9s 9h 9d 5c", "1 2s 2h 2d", "1 6c 7c 8c", taken="5c")
    assert code(room, "meld 9s 9h 9d") is None
    room.apply("meld 9s 9h 9d")
    assert legal(room) == ["add 5c m1"]
    more = turn("9s 9h 9d 5c Kh", "1 2s 2h 2d", taken="5c")
    assert code(more, "meld 9s 9h 9d") is None


@pytest.mark.rule("K4.9")
def test_a_last_taken_card_that_only_a_chain_can_reach() -> None:
    deal = turn("9s 9h 9d 6c 8c", "1 3c 4c 5c", taken="8c")
    # 6c reaches the run, 7c is missing: 8c could never be laid.
    assert code(deal, "meld 9s 9h 9d") is None
    deal.apply("meld 9s 9h 9d")
    assert code(deal, "add 6c m0") == "stuck"
    assert legal(deal) == ["discard 6c"]
    chain = turn("9s 9h 9d 6c 7c 8c", "1 3c 4c 5c", taken="8c")
    for action in ("meld 9s 9h 9d", "add 6c m0", "add 7c m0", "add 8c m0"):
        chain.apply(action)
    assert chain.over


@pytest.mark.rule("K4.9")
def test_a_joker_that_the_last_card_needs_may_not_go_elsewhere() -> None:
    deal = turn("Jk 8c", "1 4c 5c 6c", "1 2s 2h 2d", taken="8c")
    assert code(deal, "add Jk=2 m1") == "stuck"
    assert code(deal, "add Jk=3c m0") == "stuck"
    assert code(deal, "add Jk=7c m0") is None
    assert code(deal, "discard Jk") is None
    assert legal(deal) == ["add Jk=7c m0", "discard Jk"]


@pytest.mark.rule("K4.9", "K6.9")
def test_a_swap_needs_no_place_for_a_taken_card_that_may_stay_in_the_hand() -> None:
    deal = turn("8h Ts Qh 8d", "0 8s 9s Ts Jk=Js", "1 7h Jk=8h 9h Th Jh", taken="8d", naturals_majority=True)
    assert code(deal, "swap 8h m1") is None
    for action in ("swap 8h m1", "add Jk=6h m1", "discard Ts"):
        deal.apply(action)
    must = turn("8h Ts Qh 8d", "1 7h Jk=8h 9h Th Jh", taken="8d", discard_use="must_use")
    assert code(must, "swap 8h m0") == "stuck"


@pytest.mark.rule("K7.1", "K4.9", "K10.11")
def test_with_a_last_discard_one_card_must_stay_that_may_be_discarded() -> None:
    deal = turn("9s 9h 9d 5c", "1 2s 2h 2d", "1 6c 7c 8c", taken="5c", discard_to_go_out=True)
    assert code(deal, "meld 9s 9h 9d") == "stuck"
    assert code(deal, "add 5c m1") is None
    deal.apply("add 5c m1")
    assert code(deal, "meld 9s 9h 9d") == "last-discard"
    opening = turn("Th Jh Qh Kh Ah", opened=False, discard_to_go_out=True)
    assert code(opening, "meld Th Jh Qh Kh Ah") == "last-discard"
    assert legal(opening, "meld") == []
    total = turn("Ks Kh Kd 8s 8h 8d", opened=False, opening="total", discard_to_go_out=True)
    assert code(total, "open Ks Kh Kd + 8s 8h 8d") == "last-discard"
    assert legal(total, "open") == []


# -- options and rules --------------------------------------------------------------


@pytest.mark.rule("K10.17")
def test_presets_are_defined_for_ever() -> None:
    assert KalukiRules.presets == {
        "standard": {},
        "hard": {"naturals_majority": True, "set_duplicates": False},
        "kalooki51": {"opening": "total", "ace": 11, "cards": 13, "set_duplicates": False, "target": 150},
        "kalooki40": {
            "opening": "total", "opening_points": 40, "ace": 11, "cards": 13, "set_duplicates": False, "target": 150,
        },
    }  # fmt: skip


@pytest.mark.rule("K1.1")
def test_options_names_values_and_order_are_those_of_the_record_format() -> None:
    assert {name: list(known.choices) for name, known in KalukiRules.options().items()} == {
        "opening": ["single", "total"],
        "opening_points": [51, 40],
        "ace": [15, 11, "11_high_1_low"],
        "joker_in_hand": [25, 15, 50],
        "set_duplicates": [True, False],
        "naturals_majority": [False, True],
        "adjacent_jokers": [True, False],
        "run_max": [14, 13],
        "joker_swap": ["others", "any", "off"],
        "joker_swap_use": ["immediate", "free"],
        "discard_to_go_out": [False, True],
        "discard_use": ["free", "must_use"],
        "stock_out": ["shuffle", "turn_over", "end"],
        "kaluki_bonus": ["none", "25_each", "double"],
        "cards": [15, 13],
        "target": [250, 500, 150, 100],
    }
    assert [known.rule for known in KalukiRules.options().values()] == [f"K10.{number}" for number in range(1, 17)]
    assert KalukiRules.seat_numbers == (2, 3, 4)


@pytest.mark.parametrize(
    ("seats", "options"),
    [(1, {}), (5, {}), (2, {"ace": 1}), (2, {"ace": "15"}), (2, {"set_duplicates": 1}), (2, {"target": 251}),
     (2, {"cards": 14}), (2, {"jokers": 4}), (2, {"opening": "both"}), (2, {"kaluki_bonus": None})],
)  # fmt: skip
def test_a_bad_option_is_refused(seats: int, options: dict[str, Any]) -> None:
    with pytest.raises(RulesError):
        KalukiRules.make(seats, **options)


@pytest.mark.parametrize(
    ("seats", "options", "number"),
    [
        (2, {}, 0),
        (2, {"set_duplicates": False}, 1),
        (2, {"set_duplicates": False, "ace": 11}, 1),
        (2, {"set_duplicates": False, "ace": 11, "opening": "total"}, 0),
        (2, {"joker_swap": "off", "joker_swap_use": "free"}, 1),
        (4, {}, 1),
        (4, {"target": 500}, 0),
        (4, {"opening": "total"}, 0),
    ],
)
def test_options_that_do_not_play_well_give_a_warning(seats: int, options: dict[str, Any], number: int) -> None:
    assert len(KalukiRules.make(seats, **options).warnings()) == number


@pytest.mark.parametrize(
    "change",
    [
        {"hands": ((), ())},
        {"hands": ((0,) * 15,)},
        {"upcard": None},
        {"stock": ()},
        {"monte": (3,)},
        {"upcard": 63},
        {"upcard": "x"},
        {"upcard": 0},
    ],
    ids=str,
)
def test_a_layout_that_is_not_a_deal_of_kaluki_is_refused(change: dict[str, Any]) -> None:
    rules = KalukiRules.make(2)
    good = layout_of(rules, ["2s", "3s"], "5c")
    Kaluki.from_layout(rules, 0, good)
    fields = {"hands": good.hands, "monte": (), "upcard": good.upcard, "stock": good.stock, **change}
    with pytest.raises(MejaError):
        Kaluki.from_layout(rules, 0, Layout(**fields))


# -- words --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "strict"),
    [
        ("DRAW", "draw"),
        ("  draw ", "draw"),
        ("Take", "take"),
        ("take a♥ 10h jh qh kh", "take Th Jh Qh Kh Ah"),
        ("take Ks Kh Kd+8s 8h 8d", "take Ks Kh Kd + 8s 8h 8d"),
        ("meld 9d 9S jk=9", "meld 9s 9d Jk=9"),
        ("meld Jh Jk=10h 9h", "meld 9h Jk=Th Jh"),
        ("open Ks Kh Kd  +  8d 8h 8s", "open Ks Kh Kd + 8s 8h 8d"),
        ("add 10c M00", "add Tc m0"),
        ("add jk=10♣ m07", "add Jk=Tc m7"),
        ("add JK=9 m2", "add Jk=9 m2"),
        ("SWAP 7D m1", "swap 7d m1"),
        ("discard jk", "discard Jk"),
        ("discard 10♠", "discard Ts"),
    ],
)
def test_actions_are_read_tolerantly_and_written_strictly(text: str, strict: str) -> None:
    action = Kaluki.parse(text)
    assert Kaluki.text(action) == strict
    assert Kaluki.parse(strict) == action
    assert hash(action) == hash(Kaluki.parse(strict))


@pytest.mark.parametrize(
    "text",
    [
        "", "play 9s", "draw 9s", "meld", "meld 9s 9h 9d + 8s 8h 8d", "open 9s 9h 9d", "open 9s 9h 9d +", "take + 9s",
        "meld 9x 9h 9d", "add 9s", "add 9s 0", "add 9s m", "add 9s m-1", "add 9s m٣", "add 9s mx", "add Jk m0",
        "add 9s m0 m1", "swap Jk m0", "swap Jk=9s m0", "discard", "discard 9s 9h", "discard Jk=9s", "discard ??",
        "add 9s m" + "9" * 5000,
    ],
)  # fmt: skip
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(ActionTextError):
        Kaluki.parse(text)


MELD_9 = Meld(-1, 7, (7, 20, 33))


@pytest.mark.parametrize(
    "thing",
    [
        None, 7, -1, "draw", (), (6, (), 5), Move(-1), Move(7), Move(99), Move(True), Move(DRAW, (MELD_9,)),
        Move(DRAW, (), 5), Move(DISCARD), Move(DISCARD, (), 99), Move(DISCARD, (), -5), Move(DISCARD, (), 10**30),
        Move(DISCARD, (), 5, 3), Move(DISCARD, (), 5, -1, 0), Move(DISCARD, (MELD_9,), 5), Move(MELD), Move(OPEN),
        Move(MELD, (MELD_9, MELD_9)), Move(MELD, (None,)), Move(MELD, (Meld(9, 9, (9,)),)),  # type: ignore[arg-type]
        Move(MELD, [MELD_9]), Move(ADD, (), 5), Move(ADD, (), 5, -1, -7), Move(ADD, (), 5, 9, 0),  # type: ignore[arg-type]
        Move(ADD, (), JOKER, 63, 0), Move(ADD, (), JOKER, RANK + 13, 0), Move(SWAP, (), JOKER, 5, 0),
        Move(SWAP, (), 5, -1, 10**20), Move(ADD, (), 5, -1, 10**20), Move(TAKE, (Meld(-2, 0, ()),)),
        Move(DISCARD, (), "9s"), Move(DISCARD, (), 5.0),  # type: ignore[arg-type]
        Move(MELD, (Meld(-1, 7, (20, 7, 33)),)), Move(MELD, (Meld(-2, 0, (7, 999)),)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("drawn", [False, True])
def test_anything_given_as_an_action_is_refused_with_a_reason(thing: Any, drawn: bool) -> None:
    deal = turn("9s 9h 9d Jk 5c", "1 4s 4h Jk=4", drawn=drawn)
    reason = deal.why_illegal(thing)
    assert reason is not None
    assert reason.code
    assert reason.rule
    assert str(reason.text)
    if not isinstance(thing, str):
        with pytest.raises(IllegalAction):
            deal.apply(thing)
    assert thing == Move(True) or thing not in deal.legal_actions()


@pytest.mark.rule("K7.1")
def test_after_the_end_nothing_is_legal() -> None:
    deal = turn("4s", "1 9s 9h 9d")
    deal.apply("discard 4s")
    assert deal.legal_actions() == ()
    assert code(deal, "draw") == "over"
    assert deal.to_act is None
    assert deal.phase == "over"


@pytest.mark.rule("K5.6", "K4.1")
def test_further_refusals_have_their_own_words() -> None:
    deal = turn("9s 9h 9d Jk 5c", "0 4s 4h 4d", opening="total")
    assert code(deal, "open 9s 9h 9d + 5c Jk=5 Jk=5") == "opened-already"
    assert code(deal, "meld 9s 9h 9c") == "not-held"
    assert code(deal, "meld 9s 9s 9h") == "too-few"
    assert code(deal, "meld 9s 9h 5c") == "no-meld"
    assert code(deal, "meld 9s Js Ks") == "no-run"
    assert code(deal, "meld 9s 9h") == "short"
    assert code(deal, "discard 6c") == "not-held"


# -- a list of openings that is drawn as it is asked for ----------------------------


def openings(hand: str, **options: Any) -> LegalActions:
    deal = turn(hand, opened=False, opening="total", **options)
    found = deal.legal_actions()
    assert isinstance(found, LegalActions)
    return found


@pytest.mark.rule("K5.8")
def test_only_openings_that_need_every_meld_are_listed() -> None:
    found = openings("Ks Kh Kd 8s 8h 8d 3s 3h 3d 2c")
    texts = [Kaluki.text(action) for action in found if action.verb == OPEN]
    assert texts == ["open 8s 8h 8d + Ks Kh Kd"]
    assert len(found) == len(list(found)) == 1 + 10
    assert found[0] == next(iter(found))
    assert found[-1] == list(found)[-1]
    assert found[1:3] == tuple(found)[1:3]
    assert list(found) == sorted(set(found))


def test_the_list_knows_what_is_in_it() -> None:
    found = openings("Ks Kh Kd Kc 8s 8h 8d Jk 2c 3c 4c")
    listed = list(found)
    assert all(action in found for action in listed)
    for other in (
        Kaluki.parse("open Ks Kh Kd + 8s 8h 8d"),
        Kaluki.parse("open 2c 3c 4c + 8s 8h 8d + Ks Kh Kd"),
        Kaluki.parse("open 8s 8h 8d + Ks Kh Kd + 2c 3c 4c"),
        Kaluki.parse("draw"),
        Kaluki.parse("meld 2c 3c 4c"),
        Kaluki.parse("open 8s 8h 8d + As Ah Ad"),
        None,
        7,
    ):
        assert other not in found
    assert Move(OPEN, (None, 3)) not in found  # type: ignore[arg-type]
    assert bool(found)
    assert found == listed
    assert found != 7
    assert hash(found) == hash(openings("Ks Kh Kd Kc 8s 8h 8d Jk 2c 3c 4c"))
    assert repr(found).startswith("<legal actions")


def test_the_first_openings_of_a_hand_with_four_jokers_come_at_once() -> None:
    found = openings("Jk Jk Jk Jk As Kh Qd 9c 8s 8h 7d 6c 5s 4h 3d 2c")
    iterator = iter(found)
    first = [next(iterator) for _ in range(300)]
    assert first == sorted(set(first))
    rng = Rng(5)
    deal = turn("Jk Jk Jk Jk As Kh Qd 9c 8s 8h 7d 6c 5s 4h 3d 2c", opened=False, opening="total")
    for _ in range(50):
        assert deal.is_legal(found.sample(rng))


def test_a_sample_reaches_every_listed_action() -> None:
    found = openings("Ks Kh Kd Kc 8s 8h 8d 2c")
    rng = Rng(1)
    assert {found.sample(rng) for _ in range(2000)} == set(found)
    none = openings("Ks 8s 2c")
    assert {sample(none, rng) for _ in range(200)} == set(none)
    assert {sample((1, 2, 3), rng) for _ in range(100)} == {1, 2, 3}


def test_the_random_bot_needs_no_whole_list() -> None:
    deal = turn("Jk Jk Jk Jk As Kh Qd 9c 8s 8h 7d 6c 5s 4h 3d 2c", opened=False, opening="total")
    for seed in range(20):
        assert deal.is_legal(RandomBot().act(deal.view(0), Budget(seed=seed)))


def test_the_json_view_lists_melds_to_open_with_instead_of_all_openings() -> None:
    deal = turn("Ks Kh Kd 8s 8h 8d 2c", opened=False, opening="total")
    shown = deal.view(0).to_dict()
    assert shown["legal"] == legal(deal, "discard")
    assert shown["openings"] == ["8s 8h 8d", "Ks Kh Kd"]
    assert deal.view(1).to_dict()["openings"] == []
    single = turn("Ks Kh Kd 8s 8h 8d 2c", opened=False)
    assert single.view(0).to_dict()["legal"] == legal(single)


# -- the legal list against trying everything ---------------------------------------


def everything(deal: Kaluki) -> list[Move]:
    """Far more actions than can be legal: of every kind, with every card and meld."""
    seat = deal.to_act
    assert seat is not None
    hand = deal.hand(seat) + deal.pile[-1:]
    masks = hand_masks([card for card in set(hand) for _ in range(min(hand.count(card), 2 if card < JOKER else 4))])
    melds_there = all_melds(*masks, meld_rules())
    found = [Move(DRAW), Move(TAKE)]
    found += [Move(TAKE, (made,)) for made in melds_there]
    found += [Move(MELD, (made,)) for made in melds_there]
    for index in range(len(deal.table) + 1):
        found += [Move(verb, (), card, -1, index) for verb in (ADD, SWAP) for card in range(JOKER + 1)]
        found += [Move(ADD, (), JOKER, stands, index) for stands in [*range(52), *range(RANK, RANK + 13)]]
    found += [Move(DISCARD, (), card) for card in range(JOKER + 1)]
    return found


def random_turn(rng: Rng, **fixed: Any) -> Kaluki:
    """A turn with a small hand and table, under a mix of options."""
    options = {
        name: rng.choice(known.choices)
        for name, known in KalukiRules.options().items()
        if name not in ("opening", "cards")
    }
    options.update(fixed)
    pack = list(PACK.elements())
    rng.shuffle(pack)
    jokers = rng.below(3)
    narrow = [card for card in pack if card != JOKER and 5 <= card % 13 <= 10 and card // 13 < 3]
    hand = narrow[: 1 + rng.below(6)] + [JOKER] * jokers
    rules = KalukiRules.make(2, **options)
    left = Counter(narrow)
    left.subtract(card for card in hand if card != JOKER)
    masks = hand_masks(sorted((+left).elements()))
    found = all_melds(masks[0], masks[1], 4 - jokers, rules.turn.melds)
    rng.shuffle(found)
    table: list[str] = []
    room, wild = left, 4 - jokers
    for made in found:
        naturals = Counter(card for card in made.cards if card != JOKER)
        if len(table) < 3 and made.jokers <= wild and not naturals - room:
            room = room - naturals
            wild -= made.jokers
            table.append(f"{rng.below(2)} {' '.join(Kaluki.text(Move(MELD, (made,))).split()[1:])}")
    pile = sorted((+room).elements()) or parse_cards("2d")
    deal = turn(
        cards_text(hand),
        *table,
        opened=bool(rng.below(5)),
        drawn=bool(rng.below(3)),
        pile=cards_text([rng.choice(pile)]),
        **options,
    )
    for _ in range(rng.below(3)):
        if deal.to_act == 0:
            deal.advance(sample(deal.legal_actions(), rng))
    return deal if deal.to_act == 0 else random_turn(rng, **fixed)


@pytest.mark.rule("K4.9")
@pytest.mark.parametrize("seed", range(8))
def test_the_legal_list_is_all_of_everything_that_the_checker_lets_pass(seed: int) -> None:
    rng = Rng(30, seed)
    for _ in range(25):
        deal = random_turn(rng)
        expected = sorted(move for move in set(everything(deal)) if deal.why_illegal(move) is None)
        assert list(deal.legal_actions()) == expected
        assert expected


def can_end_by_trying(deal: Kaluki) -> bool:
    """Whether the turn can be ended, by playing every legal continuation, whatever it is."""
    if deal.to_act != 0 or not deal.playing:
        return True
    return Trying(deal).search()


class Trying:
    """Plays all continuations of a turn with the plainest possible check of each action."""

    def __init__(self, deal: Kaluki) -> None:
        self.deal = deal
        self.seen: set[Any] = set()

    def search(self) -> bool:
        return self._search(self.deal)

    def _search(self, deal: Kaluki) -> bool:
        key = (deal.one[0], deal.two[0], deal.jokers[0], deal.owed, deal.laid, tuple(deal.table))
        if key in self.seen:
            return False
        self.seen.add(key)
        for move in everything(deal):
            if not self._plainly_legal(deal, move):
                continue
            after = deal.clone()
            after.advance(move)
            if after.to_act != 0:
                if move.verb == DISCARD or not deal.rules.discard_to_go_out:
                    return True
            elif self._search(after):
                return True
        return False

    def _plainly_legal(self, deal: Kaluki, move: Move) -> bool:
        """Legal but for the question whether the turn can end afterwards."""
        reason = deal.why_illegal(move)
        return reason is None or reason.code in ("stuck", "last-discard")


@pytest.mark.rule("K4.9")
def test_whether_a_turn_can_end_is_what_playing_all_continuations_says() -> None:
    rng = Rng(31)
    stuck = 0
    for number in range(70):
        deal = random_turn(rng, set_duplicates=False, naturals_majority=number % 3 == 0)
        if not deal.playing or not deal.opened & 1:
            continue
        for move in everything(deal):
            reason = deal.why_illegal(move)
            if reason is not None and reason.code not in ("stuck", "last-discard"):
                continue
            after = deal.clone()
            after.advance(move)
            if after.to_act != 0 and move.verb != DISCARD:
                ends = not deal.rules.discard_to_go_out
            else:
                ends = can_end_by_trying(after)
            assert ends == (reason is None), (deal.text(move), deal.view(0).to_json())
            stuck += not ends
    assert stuck


# -- views and events ---------------------------------------------------------------


def test_a_view_shows_the_fields_of_the_game_and_nothing_hidden() -> None:
    deal = dealt("Th Jh Qh Kh", "Ks Kh", upcard="Ah", stock="9d 7c")
    deal.apply("take Th Jh Qh Kh Ah")
    view = deal.view(0)
    assert view.taken == parse_card("Ah")
    assert view.taken_laid
    assert view.fresh
    assert view.opened == (True, False)
    assert view.pile == ()
    deal.apply("discard 2s")
    deal.apply("draw")
    mine, theirs = deal.view(1), deal.view(0)
    assert mine.drew == parse_card("9d")
    assert theirs.drew is None
    assert theirs.legal == ()
    assert parse_card("9d") in mine.hand
    assert "9d" not in json.dumps(theirs.to_dict())
    assert theirs.hand_sizes == (10, 16)
    assert theirs.stock == mine.stock == 76
    assert deal.view(None).hand == ()
    assert mine.why_illegal(Kaluki.parse("draw")) == deal.why_illegal(Kaluki.parse("draw"))
    assert json.loads(mine.to_json())["pile"] == "2s"
    assert [text.split()[1] for text in json.loads(theirs.to_json())["log"]] == ["take", "discard", "draw"]


@pytest.mark.rule("K4.4", "K6.6")
def test_cards_taken_and_jokers_swapped_are_known_until_they_are_used() -> None:
    deal = turn("7d Kc 2c 9d", "1 5d 6d Jk=7d 8d", drawn=False, pile="9d", joker_swap_use="free")
    deal.apply("take")
    deal.apply("swap 7d m0")
    assert deal.view(1).known[0] == (parse_card("9d"), JOKER)
    assert parse_card("9d") not in deal.unseen(1) or deal.unseen(1).count(parse_card("9d")) == 1
    twin = deal.clone()
    twin.apply("discard 9d")
    # The seat discarded another copy than the one it took: the one taken is still there.
    assert twin.view(1).known[0] == (parse_card("9d"), JOKER)
    deal.apply("discard Jk")
    assert deal.view(1).known[0] == (parse_card("9d"),)


def test_at_the_end_the_hands_are_shown() -> None:
    deal = turn("4s", "1 9s 9h 9d", others=["Jk As Kd"])
    events = deal.apply("discard 4s")
    assert events[-1].public == {"points": [50, 0], "void": False, "left": ["", "As Kd Jk"]}
    assert deal.view(None).left == ((), tuple(parse_cards("As Kd Jk")))
    assert deal.view(0).left == deal.view(None).left


def test_what_a_seat_sees_does_not_depend_on_what_it_cannot_see() -> None:
    rng = Rng(12)
    for seats in (2, 3, 4):
        deal = Kaluki.shuffle(KalukiRules.make(seats), 0, rng)
        twin = deal.clone()
        # Exchange the stock cards nobody has seen.
        rng.shuffle(twin.stock)
        twin.chance = Chance(Rng(999))
        for seat in [*range(seats), None]:
            assert twin.view(seat).to_json() == deal.view(seat).to_json()
        swapped = deal.clone()
        swapped.one[1], swapped.one[0] = swapped.one[0], swapped.one[1]
        swapped.two[1], swapped.two[0] = swapped.two[0], swapped.two[1]
        swapped.jokers[1], swapped.jokers[0] = swapped.jokers[0], swapped.jokers[1]
        assert swapped.view(None).to_json() == deal.view(None).to_json()
        if seats > 2:
            assert swapped.view(2).to_json() == deal.view(2).to_json()


def test_a_clone_shares_nothing() -> None:
    rng = Rng(13)
    deal = Kaluki.shuffle(KalukiRules.make(3), 0, rng)
    for _ in range(40):
        twin = deal.clone()
        parts = (deal.zones(), deal.actions(), deal.view(0).to_json(), deal.known, deal.reshuffles())
        before = json.dumps([str(part) for part in parts])
        for _ in range(6):
            if not twin.over:
                twin.apply(sample(twin.legal_actions(), rng))
        after = (deal.zones(), deal.actions(), deal.view(0).to_json(), deal.known, deal.reshuffles())
        assert json.dumps([str(part) for part in after]) == before
        if deal.over:
            break
        deal.advance(sample(deal.legal_actions(), rng))


@pytest.mark.rule("K3.12", "K3.13", "K7.2")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_cards_are_kept_melds_stay_valid_and_the_score_is_the_hands(seats: int) -> None:
    rng = Rng(14, seats)
    for preset in KalukiRules.presets:
        deal = Kaluki.shuffle(KalukiRules.make(seats, preset), 0, rng)
        while not deal.over:
            legal_now = deal.legal_actions()
            laying = (
                [a for a in legal_now if a.verb not in (DRAW, TAKE, DISCARD)] if deal.rules.opening == "single" else []
            )
            deal.apply(rng.choice(laying) if laying else sample(legal_now, rng))
            assert everywhere(deal) == sorted(Kaluki.pack(deal.rules))
            assert all(fault(made, deal.rules.turn.melds) is None for made in deal.table)
            assert all(deal.opened >> owner & 1 for owner in deal.owners)
        if not deal.void:
            low, high = Kaluki.score_range(deal.rules)
            assert low < deal.score()[deal.winner] <= high
            assert sum(deal.score()) == sum(map(deal.hand_points, range(seats)))


@pytest.mark.rule("K7.2", "K10.14")
@pytest.mark.parametrize(
    ("options", "most"),
    [({}, 4 * 25 + 8 * 15 + 4 * 10), ({"kaluki_bonus": "25_each"}, 285), ({"kaluki_bonus": "double"}, 520)],
)
def test_the_most_that_a_deal_can_bring(options: dict[str, Any], most: int) -> None:
    assert Kaluki.score_range(KalukiRules.make(2, **options)) == (0, most)


# -- records ------------------------------------------------------------------------


def test_what_one_seat_knows_cannot_be_recorded() -> None:
    deal = Kaluki.shuffle(KalukiRules.make(2), 0, Rng(1))
    with pytest.raises(MejaError):
        deal.blank(0).layout()


@pytest.mark.parametrize("seed", range(3))
def test_a_match_is_recorded_and_replayed(seed: int) -> None:
    rng = Rng(15, seed)
    match = new_match(make_rules("kaluki", 2 + seed, "kalooki51", target=100))
    while not match.over and len(match.deals) < 4:
        deal = match.next_deal(rng)
        while not deal.over:
            match.apply(sample(deal.legal_actions(), rng))
    text = dumps(Record.of_match(match))
    again = loads(text)
    assert dumps(again) == text
    replayed = again.replay()
    assert replayed.totals == match.totals
    for one, two in zip(match.deals, replayed.deals, strict=True):
        assert one.layout() == two.layout()
        assert one.actions() == two.actions()
        assert one.reshuffles() == two.reshuffles()


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_recorded_deal_replays_to_the_score_counted_by_hand(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = loads(text)
    assert dumps(record, pretty=True) == text
    document = json.loads(text)
    match = record.replay()
    assert document["meta"]["comment"]
    deals = [*match.deals, *([match.deal] if match.deal is not None else [])]
    for recorded, deal in zip(document["deals"], deals, strict=True):
        if not deal.over:
            assert "score" not in recorded
        elif recorded.get("void"):
            assert deal.void
        else:
            assert list(deal.score()) == recorded["score"]


def test_there_are_enough_golden_deals() -> None:
    assert len(RECORDS) >= 10


def meld(text: str) -> Meld:
    return parse_meld(text.split())


def code_of(deal: Kaluki, action: Any) -> str | None:
    reason = deal.why_illegal(action)
    return None if reason is None else reason.code
