"""What the trick games share: tables, packs, voids, the history of tricks, and the words of actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import pytest

from meja.cards import Rng, cards_of, cards_text, parse_card, parse_cards
from meja.deal import Layout
from meja.errors import ActionTextError
from meja.games.bassadewitz import Bassadewitz, BassadewitzRules
from meja.games.tricks import Hidden, TrickDeal, pack_of, spread, strength_table, value_table


class Auction(Bassadewitz):
    """Bassadewitz with the verbs of an auction, to try the words of actions."""

    __slots__ = ()

    verbs: ClassVar[Mapping[int, tuple[str, str | tuple[str, ...]]]] = {
        0: ("play", "card"),
        1: ("pass", "none"),
        2: ("bid", ("", "", "2", "3", "solo")),
    }


def test_strength_falls_along_the_order_given_and_ranks_outside_have_none() -> None:
    power = strength_table("ATK")
    assert [power[parse_card(text)] for text in ("As", "Ts", "Ks", "Qs", "2s")] == [3, 2, 1, 0, 0]
    assert power[parse_card("Td")] == power[parse_card("Ts")]


def test_values_are_by_rank_and_zero_where_not_named() -> None:
    values = value_table({"A": 11, "J": 2})
    assert [values[parse_card(text)] for text in ("Ah", "Jc", "9c")] == [11, 2, 0]


def test_a_pack_has_each_named_rank_once_in_each_suit() -> None:
    assert cards_text(pack_of("A7")) == "7s As 7h Ah 7d Ad 7c Ac"


def dealt(*hands: str) -> Bassadewitz:
    layout = Layout(tuple(tuple(parse_cards(hand)) for hand in hands))
    return Bassadewitz.from_layout(BassadewitzRules.make(len(hands)), len(hands) - 1, layout)


def golden() -> Bassadewitz:
    return dealt(
        "As Qs 9s 7s Kh Qd Jd 9c",
        "Ks 8h Td 9d 8d 7d Kc Qc",
        "Js 8s Th Qh Jh Kd Tc 8c",
        "Ts Ah 9h 7h Ad Ac Jc 7c",
    )


def test_finished_tricks_tell_cards_in_order_and_the_taker_also_of_the_last_one() -> None:
    deal = golden()
    for card in parse_cards("7s Ks Js Ts 7h"):
        deal.apply(card)
    ((cards, taker),) = deal.finished_tricks()
    assert cards == ((0, parse_card("7s")), (1, parse_card("Ks")), (2, parse_card("Js")), (3, parse_card("Ts")))
    assert taker == 3
    for card in parse_cards("Kh 8h Qh"):
        deal.apply(card)
    assert [taker for _, taker in deal.finished_tricks()] == [3, 0]


def test_playing_off_suit_shows_a_void_and_following_shows_none() -> None:
    deal = golden()
    for card in parse_cards("7s Ks Js Ts 7h Kh 8h Qh"):
        deal.apply(card)
    assert deal.voids() == [0, 0, 0, 0]
    for card in parse_cards("9s Td 8s Ah"):
        deal.apply(card)
    assert deal.voids() == [0, 1, 0, 1]


def test_a_lead_shows_no_void() -> None:
    deal = golden()
    for card in parse_cards("7s Ks Js Ts Ad"):
        deal.apply(card)
    assert deal.voids() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("text", "strict"),
    [
        ("play As", "play As"), ("  PLAY   a♠ ", "play As"), ("play 10c", "play Tc"), ("Pass", "pass"),
        ("bid 2", "bid 2"), ("BID 03", "bid 3"), ("bid SOLO", "bid solo"),
    ],
)  # fmt: skip
def test_words_are_read_tolerantly_and_written_strictly(text: str, strict: str) -> None:
    action = Auction.parse(text)
    assert Auction.text(action) == strict
    assert Auction.parse(strict) == action


@pytest.mark.parametrize(
    "text",
    ["", " ", "play", "play As Ks", "play Jk", "play ??", "pass now", "bid", "bid 4", "bid 0", "bid ²", "bid -2",
     "bid 2 2", "call As", "playAs", "bid \u0662"],
)  # fmt: skip
def test_what_is_no_action_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(ActionTextError):
        Auction.parse(text)


def test_the_refusal_lists_the_known_actions() -> None:
    with pytest.raises(ActionTextError, match="play CARD, pass, bid 2, bid 3, bid solo"):
        Auction.parse("fold")


@pytest.mark.parametrize("action", [2 << 6, 2 << 6 | 5, 3 << 6, 53, -1, True, None, "bid 2"])
def test_a_number_that_is_no_action_has_no_words_but_is_described(action: Any) -> None:
    with pytest.raises((TypeError, ValueError, KeyError, IndexError)):
        Auction.text(action)
    assert Auction.describe(action) == repr(action)


def cards_as(text: str) -> tuple[int, ...]:
    return tuple(parse_cards(text))


def test_spread_keeps_sizes_voids_and_known_places() -> None:
    # Seat 1 has no hearts, seat 3 no diamonds; the ace of spades lies beside, the ace of hearts in a hand.
    hidden = Hidden(
        seats=(1, 3),
        room=(3, 4, 2),
        groups=(
            (0b100, cards_as("As")),
            (0b111, cards_as("Ks Qs")),
            (0b010, cards_as("Ah")),
            (0b110, cards_as("Kh Qh")),
            (0b101, cards_as("Ad Kd Qd")),
        ),
    )
    cards = [card for _, group in hidden.groups for card in group]
    rng = Rng(1)
    seen = set()
    for _ in range(200):
        drawn = spread(hidden, rng)
        assert [mask.bit_count() for mask in drawn] == [3, 4, 2]
        assert sorted(card for mask in drawn for card in cards_of(mask)) == sorted(cards)
        assert all(card // 13 != 1 for card in cards_of(drawn[0]))
        assert all(card // 13 != 2 for card in cards_of(drawn[1]))
        assert drawn[2] >> parse_card("As") & 1
        assert drawn[1] >> parse_card("Ah") & 1
        seen.add(tuple(drawn))
    assert len(seen) > 5


def test_spread_raises_where_nothing_agrees() -> None:
    with pytest.raises(ValueError, match="no way"):
        spread(Hidden((0, 1), (1, 1), ((0, cards_as("As Ks")),)), Rng(1))


def test_what_is_hidden_leaves_out_what_a_seat_has_shown_not_to_have() -> None:
    deal = Bassadewitz.start(BassadewitzRules(seats=4), 3, [card for card in range(52) if card % 13 >= 5])
    while not deal.finished_tricks():
        deal.apply(deal.legal_actions()[-1])
    view = deal.view(0)
    hidden = view.hidden()
    assert hidden.seats == (1, 2, 3)
    assert hidden.room == (7, 7, 7, 0)
    known = set(view.hand) | {card for _, card in view.log}
    assert sorted(card for _, cards in hidden.groups for card in cards) == sorted(
        set(Bassadewitz.pack(deal.rules)) - known
    )
    for places, cards in hidden.groups:
        for place, seat in enumerate(hidden.seats):
            if view.voids[seat] >> cards[0] // 13 & 1:
                assert not places >> place & 1


def test_the_shared_class_is_abstract() -> None:
    with pytest.raises(TypeError):
        TrickDeal()  # type: ignore[abstract]
