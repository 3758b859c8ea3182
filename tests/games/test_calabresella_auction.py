"""Calabresella: the auction in all its variants, example by example and over all ways it can go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from meja.cards import Rng
from meja.errors import IllegalAction
from meja.games.calabresella import Calabresella, CalabresellaRules

BIDS = ("chiamo", "solo", "solissimo")


def start(dealer: int = 0, seats: int = 3, **options: Any) -> Calabresella:
    return Calabresella.shuffle(CalabresellaRules.make(seats, **options), dealer, Rng(1))


def speak(deal: Calabresella, calls: str) -> Calabresella:
    """Calls with their seats, as ``"2 pass, 0 chiamo"``."""
    for call in calls.split(", "):
        seat, word = call.split()
        assert deal.phase == "auction"
        assert deal.to_act == int(seat), call
        deal.apply("pass" if word == "pass" else f"bid {word}")
    return deal


@pytest.mark.rule("C3.1", "C3.2", "C3.3", "C3.4")
@pytest.mark.parametrize(
    ("calls", "bidder", "contract"),
    [
        ("2 pass, 0 pass, 1 chiamo", 1, "chiamo"),
        ("2 chiamo, 0 pass, 1 solo, 2 pass", 1, "solo"),
        ("2 chiamo, 0 solo, 1 pass, 2 solissimo", 2, "solissimo"),
        ("2 solissimo", 2, "solissimo"),
        ("2 solo, 0 pass, 1 pass", 2, "solo"),
        ("2 chiamo, 0 solo, 1 solissimo", 1, "solissimo"),
        ("2 pass, 0 chiamo, 1 solo, 0 pass", 1, "solo"),
        ("2 chiamo, 0 pass, 1 solo, 2 solissimo", 2, "solissimo"),
    ],
)
def test_the_highest_bid_plays(calls: str, bidder: int, contract: str) -> None:
    deal = speak(start(), calls)
    assert deal.phase == {"chiamo": "call", "solo": "discard", "solissimo": "raise"}[contract]
    assert deal.to_act == bidder
    view = deal.view(None)
    assert (view.bidder, view.contract) == (bidder, contract)


@pytest.mark.rule("C3.3")
def test_after_solo_over_chiamo_a_player_who_passed_is_not_asked_again() -> None:
    deal = speak(start(), "2 chiamo, 0 pass, 1 solo")
    assert deal.to_act == 2


@pytest.mark.rule("C3.2")
def test_a_bid_must_be_higher_than_the_one_that_stands() -> None:
    deal = speak(start(), "2 chiamo")
    with pytest.raises(IllegalAction) as error:
        deal.apply("bid chiamo")
    assert (error.value.code, error.value.rule) == ("too-low", "C3.2")
    assert [deal.text(action) for action in deal.legal_actions()] == ["pass", "bid solo", "bid solissimo"]
    assert [deal.text(action) for action in start().legal_actions()] == [
        "pass",
        "bid chiamo",
        "bid solo",
        "bid solissimo",
    ]


@pytest.mark.rule("C3.5")
@pytest.mark.parametrize("auction", ["standard", "single_round", "reentry"])
def test_three_passes_make_the_deal_void(auction: str) -> None:
    deal = speak(start(auction=auction), "2 pass, 0 pass")
    events = deal.apply("pass")
    assert deal.over
    assert deal.void
    assert deal.score() == (0, 0, 0)
    assert deal.score_sheet() == []
    assert deal.phase == "over"
    assert [event.kind for event in events] == ["pass", "score"]
    assert events[-1].public == {"points": [0, 0, 0], "void": True}
    assert deal.view(0).monte == ()


@pytest.mark.rule("C9.5", "C3.3", "C3.4")
@pytest.mark.parametrize(
    ("auction", "calls", "bidder"),
    [
        ("single_round", "2 chiamo, 0 pass, 1 pass", 2),
        ("single_round", "2 pass, 0 pass, 1 solo", 1),
        ("single_round", "2 chiamo, 0 solo, 1 pass", 0),
        ("single_round", "2 chiamo, 0 solo, 1 solissimo", 1),
        ("reentry", "2 pass, 0 chiamo, 1 pass, 2 solo, 0 pass, 1 pass", 2),
        ("reentry", "2 pass, 0 pass, 1 chiamo, 2 pass, 0 pass", 1),
        ("reentry", "2 chiamo, 0 pass, 1 solo, 2 pass, 0 solissimo", 0),
    ],
)
def test_single_round_and_reentry(auction: str, calls: str, bidder: int) -> None:
    deal = speak(start(auction=auction), calls)
    assert deal.phase != "auction"
    assert deal.bidder == bidder


@pytest.mark.rule("C9.5")
def test_the_three_auctions_differ_after_the_same_calls() -> None:
    calls = "2 chiamo, 0 pass, 1 solo"
    assert speak(start(auction="standard"), calls).to_act == 2
    assert speak(start(auction="single_round"), calls).phase == "discard"
    passed = "2 pass, 0 pass, 1 chiamo"
    assert speak(start(auction="standard"), passed).phase == "call"
    assert speak(start(auction="reentry"), passed).phase == "auction"


# -- all ways an auction can go -----------------------------------------------------------

Ending = tuple[tuple[str, ...], int | None, str | None]


def by_the_engine(deal: Calabresella, said: tuple[str, ...] = ()) -> Iterator[Ending]:
    if deal.phase != "auction":
        view = deal.view(None)
        yield said, view.bidder, view.contract
        return
    for action in deal.legal_actions():
        twin = deal.clone()
        twin.advance(action)
        yield from by_the_engine(twin, (*said, f"{deal.to_act} {deal.text(action)}"))


def by_the_rules(order: tuple[int, ...], auction: str) -> Iterator[Ending]:
    """Turn by turn as the rules are told: a player who may not speak again passes without a word."""

    def turn(
        number: int, said: tuple[str, ...], best: str | None, who: int | None, row: int, out: frozenset[int]
    ) -> Iterator[Ending]:
        ended = number == 3 if auction == "single_round" else row == (3 if best is None else 2)
        if best == "solissimo" or ended:
            yield said, who, best
            return
        seat = order[number % 3]
        if auction == "standard" and seat in out:
            yield from turn(number + 1, said, best, who, row + 1, out)
            return
        yield from turn(number + 1, (*said, f"{seat} pass"), best, who, row + 1, out | {seat})
        for bid in BIDS:
            if best is None or BIDS.index(bid) > BIDS.index(best):
                yield from turn(number + 1, (*said, f"{seat} bid {bid}"), bid, seat, 0, out)

    yield from turn(0, (), None, None, 0, frozenset())


@pytest.mark.rule("C3.1", "C3.2", "C3.3", "C3.4", "C3.5", "C9.5")
@pytest.mark.parametrize("auction", ["standard", "single_round", "reentry"])
@pytest.mark.parametrize("direction", ["cw", "ccw"])
@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_every_way_an_auction_can_go_is_one_of_the_rules(auction: str, direction: str, dealer: int) -> None:
    deal = start(dealer, auction=auction, direction=direction)
    forehand = (dealer - 1) % 3
    step = 1 if direction == "cw" else -1
    order = (forehand, (forehand + step) % 3, (forehand + 2 * step) % 3)
    found = sorted(by_the_engine(deal), key=str)
    assert found == sorted(by_the_rules(order, auction), key=str)
    assert len(found) == {"standard": 23, "single_round": 20, "reentry": 40}[auction]


@pytest.mark.rule("C9.11")
@pytest.mark.parametrize("dealer", range(4))
def test_with_four_at_the_table_the_dealer_is_never_asked(dealer: int) -> None:
    deal = start(dealer, 4, dealer_sits_out=True)
    order = tuple(seat for seat in ((dealer - 1 + place) % 4 for place in range(4)) if seat != dealer)
    assert sorted(by_the_engine(deal), key=str) == sorted(by_the_rules(order, "standard"), key=str)
