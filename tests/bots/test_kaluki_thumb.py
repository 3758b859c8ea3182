"""The rules of thumb for Kaluki: a position, and what they do in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from meja.bots import RandomBot, make_bot
from meja.bots.bot import Bot, Budget
from meja.bots.kaluki import KalukiThumb
from meja.bots.kaluki_plan import Hand, Tables, best_plan
from meja.cards import Rng, parse_card, parse_cards
from meja.errors import RulesError
from meja.games.kaluki import Kaluki, KalukiRules
from meja.games.melds import hand_masks, meld_text, parse_meld

PRESETS = ("standard", "hard", "kalooki51", "kalooki40")
BOT = KalukiThumb()


def position(
    hand: str,
    *table: str,
    top: str = "2c",
    opened: bool | None = None,
    drawn: bool = True,
    taken: str = "",
    owed: int = 0,
    others: Sequence[int] = (9,),
    rules: KalukiRules | None = None,
    **options: Any,
) -> Kaluki:
    """Seat 0 to act with ``hand``; ``table``: melds with their owners, ``"1: 5d 6d Jk=7d 8d"``.

    Whoever owns a meld has opened. ``others``: how many cards the opponents hold. ``taken``: a card of
    the hand that was taken from the discard pile in this turn.
    """
    made = rules or KalukiRules.make(1 + len(others), **options)
    deal = Kaluki.shuffle(made, made.seats - 1, Rng(3))
    deal.one[0], deal.two[0], deal.jokers[0] = hand_masks(parse_cards(hand))
    deal.sizes[:] = [len(parse_cards(hand)), *others]
    deal.pile[:] = [parse_card(top)]
    for entry in table:
        owner, _, cards = entry.partition(": ")
        deal.table.append(parse_meld(cards.split()))
        deal.owners.append(int(owner))
        deal.opened |= 1 << int(owner)
    if opened is not None:
        deal.opened = deal.opened & ~1 | opened
    deal.playing = drawn
    if drawn:
        deal.drawn.append(parse_cards(hand)[-1])
    deal.owed = owed
    if taken:
        deal.taken = parse_card(taken)
        deal.held = hand.split().count(taken) > 1
    return deal


def does(deal: Kaluki) -> str:
    """The words of what the rules of thumb do; it must be legal."""
    assert deal.to_act == 0
    action = BOT.act(deal.view(0), Budget())
    assert deal.why_illegal(action) is None
    assert action in deal.legal_actions()
    return Kaluki.text(action)


RUN = "1: 5d 6d 7d"
SET = "1: Ks Kh Kc"


# -- opening --------------------------------------------------------------------------


def test_opens_as_soon_as_it_holds_a_run_that_is_worth_enough() -> None:
    assert does(position("Th Jh Qh Kh Ah 2c 3d 4s 9c 9d 5s")) == "meld Th Jh Qh Kh Ah"


def test_opens_with_four_aces() -> None:
    assert does(position("As Ad Ac Ah 2c 3d 4s 9c 9d 5s")) == "meld As Ah Ad Ac"


def test_opens_with_as_few_jokers_as_it_can() -> None:
    assert does(position("Th Jh Qh Kh As Ad Ac Jk Jk 2c")) == "meld Th Jh Qh Kh Jk=Ah"
    assert does(position("Th Jh Qh Kh As Ad Ac Ah Jk Jk 2c")) in ("meld Th Jh Qh Kh Ah", "meld As Ah Ad Ac")


def test_puts_the_joker_into_a_run_rather_than_into_a_set() -> None:
    assert does(position("8s 9s Js Qs Ks As Ad Ac Jk 2c")).startswith("meld 8s 9s Jk=Ts")


def test_keeps_its_cards_when_nothing_opens() -> None:
    assert does(position("Jh Qh Kh Ah 2c 3d 4s 9c 9d 5s")).startswith("discard")


def test_takes_the_discard_that_completes_the_opening() -> None:
    assert does(position("Th Jh Qh Kh 2c 3d 4s", top="Ah", drawn=False)) == "take Th Jh Qh Kh Ah"


def test_takes_the_discard_into_an_opening_it_holds_already() -> None:
    assert does(position("Th Jh Qh Kh Ah 2c 3d", top="9h", drawn=False)) == "take 9h Th Jh Qh Kh Ah"


def test_draws_when_the_discard_is_in_no_opening() -> None:
    assert does(position("Th Jh Qh Kh Ah 3d 4s", top="5c", drawn=False)) == "draw"


def test_takes_a_joker_from_the_pile_to_open_with_it() -> None:
    assert does(position("Th Jh Kh Ah 2c 3d", top="Jk", drawn=False)) == "take Th Jh Jk=Qh Kh Ah"


def test_opens_with_melds_that_add_up_where_that_is_allowed() -> None:
    assert does(position("Ks Kh Kd 8s 8h 8c 2c 3d 5s", opening="total")) == "open 8s 8h 8c + Ks Kh Kd"


def test_opens_only_with_the_melds_it_needs() -> None:
    assert does(position("Ks Kh Kd 8s 8h 8c 2c 2d 2s 4h", opening="total")) == "open 8s 8h 8c + Ks Kh Kd"


def test_opens_together_with_a_joker_where_it_must() -> None:
    assert "Jk=" in does(position("Ks Kh Kd 8s 8h Jk 2c 4d 5s", opening="total"))


def test_keeps_a_card_to_discard_where_the_last_card_must_be_discarded() -> None:
    assert does(position("Th Jh Qh Kh Ah", discard_to_go_out=True)).startswith("discard")


# -- discarding before opening --------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"naturals_majority": True}, {"opening": "total"}])
def test_never_discards_a_joker_before_it_opens(options: dict[str, Any]) -> None:
    assert does(position("Jk 2s 4h 6d 8c Ts Qh", **options)) != "discard Jk"


def test_discards_what_no_near_opening_needs() -> None:
    assert does(position("Th Jh Qh Kh 2s 3s 4c Kc")) in ("discard 2s", "discard 3s", "discard 4c")


def test_keeps_the_third_ace_for_the_fourth() -> None:
    assert does(position("As Ad Ac 2s 5h 7d 9c Js")) not in ("discard As", "discard Ad", "discard Ac")


def test_throws_dear_cards_when_an_opponent_is_low_and_the_opening_is_far() -> None:
    deal = position("Ah Kd Qs 2c 4d 6h 3s", SET.replace("K", "9"), opened=False, others=(2,))
    assert does(deal) == "discard Ah"


def test_does_not_feed_an_opponent_who_has_opened() -> None:
    assert does(position("Th Jh Qh Kh 8d 3c", RUN, opened=False)) == "discard 3c"


# -- after opening --------------------------------------------------------------------


def test_takes_the_discard_that_fits_a_meld_on_the_table() -> None:
    assert does(position("2s 9c Jh Qd", RUN, top="8d", opened=True, drawn=False)) == "take"


def test_takes_the_discard_that_makes_a_meld_with_its_hand() -> None:
    assert does(position("9s 9c Jh Qd", RUN, top="9h", opened=True, drawn=False)) == "take"
    assert does(position("9h Th 2c Qd", RUN, top="Jh", opened=True, drawn=False)) == "take"


def test_leaves_the_discard_it_cannot_lay() -> None:
    assert does(position("9s 9c Jh Qd", RUN, top="2h", opened=True, drawn=False)) == "draw"


def test_lays_a_natural_meld() -> None:
    assert does(position("9s 9c 9h 2d Qd Js 4c", SET, opened=True)) == "meld 9s 9h 9c"


def test_lays_off_what_fits() -> None:
    assert does(position("8d 2s 4c Jh", RUN, opened=True)) == "add 8d m0"


def test_lays_off_the_dearest_card_first() -> None:
    assert does(position("8d Kd 2s 4c Jh", RUN, SET, opened=True)) == "add Kd m1"


def test_goes_out_with_its_last_meld() -> None:
    assert does(position("7c 7d 7h", SET, opened=True)) == "meld 7h 7d 7c"


def test_goes_out_by_laying_off_and_discarding() -> None:
    assert does(position("Kd 4s", SET, opened=True)) == "add Kd m0"
    assert does(position("4s", SET, opened=True)) == "discard 4s"


def test_goes_out_with_a_joker_that_leads_a_run_up_to_a_loose_card() -> None:
    assert does(position("9d Jk 2s", RUN, opened=True)) == "add Jk=8d m0"


def test_goes_out_with_two_jokers_and_a_loose_card() -> None:
    assert does(position("2s Jk Jk 9h", RUN, opened=True)).count("Jk=") == 2


def test_spends_a_joker_on_a_pair_to_go_out() -> None:
    assert does(position("9s 9c Jk 2d", SET, opened=True)) == "meld 9s 9c Jk=9"


def test_splits_cards_between_melds_so_that_it_goes_out() -> None:
    assert does(position("7h 8h 9h 9s 9c Th 2c", SET, opened=True)) in (
        "meld 7h 8h 9h Th",
        "meld 7h 8h 9h",
        "meld 8h 9h Th",
    )
    assert does(position("7h 8h 9h 9s 9c 9d 2c", SET, opened=True)).startswith("meld")


def test_keeps_a_joker_while_nobody_is_low() -> None:
    assert does(position("Jk 2s 4h 7d 9c", SET, opened=True)).startswith("discard")


def test_lays_jokers_at_any_price_when_somebody_is_low() -> None:
    assert does(position("Jk 2s 4h 7d 9c", SET, opened=True, others=(2,))) == "add Jk=K m0"


def test_lays_a_joker_off_where_no_natural_card_can_come_for_it() -> None:
    deal = position("Jk 2s 9d 4c 7c", "1: 3h 4h 5h", "1: Qs Ks As", SET, opened=True, others=(1,))
    deal.pile[:0] = parse_cards("Js Js")
    assert does(deal) == "add Jk=Js m1"


def test_swaps_a_loose_card_for_a_joker() -> None:
    assert does(position("7d 2s Jh 3c Qs", "1: 5d 6d Jk=7d 8d", opened=True)) == "swap 7d m0"


def test_keeps_the_card_that_will_buy_a_joker_once_it_has_opened() -> None:
    assert does(position("Th Jh Qh Kh 6d 3c", "1: 5d Jk=6d 7d", opened=False)) == "discard 3c"
    assert does(position("Th Jh Qh Kh 6d 3c", "1: 5d Jk=6d 7d", opened=False, joker_swap="off")) == "discard 6d"


def test_keeps_no_card_for_a_joker_of_its_own_meld_that_it_may_not_swap() -> None:
    assert does(position("9s Ts 8d 2c", "0: 7d Jk=8d 9d", "1: Ks Kh Kc")) == "discard 8d"


def test_swaps_rather_than_adds_where_the_joker_makes_a_meld_of_a_pair() -> None:
    assert does(position("Kd 9s 9c 2h 4s 7c", "1: Ks Kh Jk=K", opened=True)) == "swap Kd m0"
    assert does(position("Kd 9s 6c 2h 4s Jc", "1: Ks Kh Jk=K", opened=True)) == "add Kd m0"


def test_swaps_the_card_after_which_least_stays() -> None:
    assert does(position("7d Ah 2s Jh 3c Qs", "1: 5d 6d Jk=7d 8d", "1: Qh Kh Jk=Ah", opened=True)) == "swap Ah m1"


def test_takes_the_discard_that_buys_a_joker() -> None:
    assert does(position("9s 9c Jh Qd", "1: 5d Jk=6d 7d", top="6d", opened=True, drawn=False)) == "take"
    assert does(position("9s 9c Jh Qd", "1: 5d Jk=6d 7d", top="6d", opened=False, drawn=False)) == "draw"
    assert does(position("9s 9c Jh Qd", "0: 5d Jk=6d 7d", top="6d", drawn=False)) == "draw"


def test_swaps_the_discard_it_took_for_the_joker() -> None:
    deal = position("6d 9s 9c Jh Qd", "1: 5d Jk=6d 7d", opened=True, taken="6d")
    assert does(deal) == "swap 6d m0"
    deal.apply("swap 6d m0")
    assert does(deal) == "meld 9s 9c Jk=9"


def test_does_not_swap_a_joker_of_its_own() -> None:
    assert does(position("7d 2s Jh 3c Qs", "0: 5d 6d Jk=7d 8d")).startswith("discard")
    assert does(position("7d 2s Jh 3c Qs", "0: 5d 6d Jk=7d 8d", joker_swap="any")) == "swap 7d m0"


def test_lays_a_swapped_joker_at_once() -> None:
    assert does(position("Jk 2s Jh 3c Qs", "1: 5d 6d 7d 8d", opened=True, owed=1)).startswith("add Jk=")


def test_lays_the_card_taken_first_where_it_must_be_used() -> None:
    deal = position("9s 9c 9h Kd 2c 4s", SET, opened=True, taken="Kd", discard_use="must_use")
    assert does(deal) == "add Kd m0"


def test_takes_nothing_it_could_not_use_where_it_must_be_used() -> None:
    deal = position("4s", SET, opened=True, top="2h", drawn=False, discard_use="must_use")
    assert does(deal) == "draw"


def test_does_not_discard_the_card_it_took() -> None:
    assert does(position("Kd 2s 4c", "1: 5h 6h 7h", opened=True, taken="Kd")) != "discard Kd"


def test_discards_the_dearest_loose_card() -> None:
    assert does(position("Qs 2h 5c 8s", "1: 5h 6h 7h", opened=True)) in ("discard Qs",)


def test_keeps_neighbours_rather_than_a_lone_card() -> None:
    assert does(position("9s Ts 8d", "1: 2h 3h 4h", opened=True)) == "discard 8d"


# -- the search for melds -------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "melds"),
    [
        ("7h 8h 9h 2c", {"7h 8h 9h"}),
        ("As 2s 3s Kd", {"As 2s 3s"}),
        ("Qs Ks As Kd", {"Qs Ks As"}),
        ("Qs Ks As 2s 3s", {"Qs Ks As"}),
        ("Qs Ks As As 2s 3s", {"Qs Ks As", "As 2s 3s"}),
        ("9s 9s 9h 2c", {"9s 9s 9h"}),
        ("7h 8h 9h 9s 9c 9d", {"7h 8h 9h", "9s 9d 9c"}),
        ("7h 8h 9h 7h 8h 9h", {"7h 8h 9h"}),
        ("9h Jh Jk 2c", {"9h Jk=Th Jh"}),
        ("Qs Ks Jk", {"Jk=Js Qs Ks", "Qs Ks Jk=As"}),
    ],
)
def test_finds_the_melds_of_a_hand(hand: str, melds: set[str]) -> None:
    plan = best_plan(Tables.of(KalukiRules.make()), Hand(parse_cards(hand)))
    assert plan is not None
    assert {meld_text(meld) for meld in plan.melds} <= melds
    assert plan.melds


def test_does_not_call_two_equal_cards_a_set_where_suits_may_come_once() -> None:
    tables = Tables.of(KalukiRules.make(set_duplicates=False))
    plan = best_plan(tables, Hand(parse_cards("9s 9s 9h 2c")))
    assert plan is not None
    assert not plan.melds


def test_knows_when_the_melds_are_not_worth_enough() -> None:
    tables = Tables.of(KalukiRules.make(opening="total"))
    assert best_plan(tables, Hand(parse_cards("Ks Kh Kd 2c 3s 4h")), points=51) is None


# -- whole deals ----------------------------------------------------------------------


def random_rules(rng: Rng) -> KalukiRules:
    while True:
        values = {name: rng.choice(known.choices) for name, known in KalukiRules.options().items()}
        try:
            return KalukiRules.make(2 + rng.below(3), **values)
        except RulesError:
            continue


def played(rules: KalukiRules, bots: Sequence[Bot], rng: Rng, most: int = 1500, check: bool = False) -> Kaluki:
    deal = Kaluki.shuffle(rules, rng.below(rules.seats), rng)
    for _ in range(most):
        if deal.to_act is None:
            return deal
        view = deal.view(deal.to_act)
        action = bots[deal.to_act].act(view, Budget())
        if check:
            assert action in view.legal
        deal.advance(action)
    raise AssertionError("the deal does not end")


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("preset", PRESETS)
def test_finishes_its_deals_with_legal_actions(preset: str, seats: int) -> None:
    rules = KalukiRules.make(seats, preset=preset)
    deals = [played(rules, [BOT] * seats, Rng(1, number), check=True) for number in range(3)]
    assert sum(deal.void for deal in deals) <= 1


@pytest.mark.parametrize("number", range(25))
def test_plays_legally_under_any_options(number: int) -> None:
    rng = Rng(2, number)
    rules = random_rules(rng)
    played(rules, [BOT] * rules.seats, rng, check=True)


@pytest.mark.parametrize("number", range(12))
def test_plays_legally_in_positions_that_others_made(number: int) -> None:
    rng = Rng(3, number)
    rules = random_rules(rng)
    deal = Kaluki.shuffle(rules, 0, rng)
    for turn in range(250):
        if deal.to_act is None:
            break
        view = deal.view(deal.to_act)
        action = BOT.act(view, Budget())
        assert deal.why_illegal(action) is None
        deal.advance(RandomBot().act(view, Budget(turn)) if turn % 3 == 0 and rules.opening == "single" else action)


@pytest.mark.parametrize(("preset", "seats"), [("standard", 2), ("hard", 3), ("kalooki51", 4)])
def test_beats_the_random_bot(preset: str, seats: int) -> None:
    rules = KalukiRules.make(seats, preset=preset)
    bots = [BOT, *[make_bot("random", "kaluki")] * (seats - 1)]
    scores = [played(rules, bots, Rng(4, number)).score() for number in range(5)]
    assert sum(score[0] for score in scores) > 5 * sum(sum(score[1:]) for score in scores)


def test_sees_nothing_but_its_view() -> None:
    for number in range(6):
        rng = Rng(5, number)
        rules = KalukiRules.make(2 + number % 3, preset=PRESETS[number % 4])
        deal = Kaluki.shuffle(rules, 0, rng)
        while deal.to_act is not None:
            action = BOT.act(deal.view(deal.to_act), Budget())
            other = deal.determinize(deal.to_act, rng)
            assert BOT.act(other.view(deal.to_act), Budget()) == action
            deal.advance(action)


def test_is_the_bot_of_kaluki_that_plays_by_rules_of_thumb() -> None:
    assert isinstance(make_bot("rules-of-thumb", "kaluki"), KalukiThumb)
