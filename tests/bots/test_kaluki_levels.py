"""The levels of Kaluki: legal, quick enough, alike for alike, blind to what is hidden, and never silly."""

from __future__ import annotations

import time
from typing import Any

import pytest

from meja.bots.bot import Bot, Budget, RandomBot
from meja.bots.kaluki import KalukiThumb
from meja.bots.kaluki_levels import LEVELS
from meja.bots.kaluki_master import COMPILED, KalukiSearcher
from meja.cards import JOKER, Rng, parse_card, parse_cards
from meja.deal import Layout
from meja.errors import RulesError
from meja.games.kaluki import Kaluki, KalukiRules
from meja.games.kaluki_turn import DISCARDS, MELD, SWAP, TAKE, Move
from meja.games.melds import parse_meld

NAMES = ("beginner", "casual", "strong", "master")
GOOD = ("strong", "master")
BOTS: dict[str, Bot] = {name: LEVELS[name]() for name in NAMES}
#: Enough for the searching levels to choose another line than the rules of thumb do, and still quick.
FEW = 1200 if COMPILED else 240
MANY = 6000 if COMPILED else 600


def high_run(suit: str, size: int) -> str:
    """A run of so many cards up to the ace."""
    return " ".join([f"{rank}{suit}" for rank in "A23456789TJQKA"[14 - size :]])


def position(
    hand: str,
    *table: str,
    top: str = "2c",
    opened: bool = False,
    drawn: bool = True,
    take: bool = False,
    other: int = 7,
    seed: int = 3,
    **options: Any,
) -> Kaluki:
    """Seat 0 to act with ``hand``, after a deal that was played so.

    ``opened``: it has opened, with a run of spades up to the ace, and then laid nothing more; that is meld 0. Seat 1
    has opened if ``table`` names melds or it holds fewer than 15 cards (``other``): with a run of clubs up to the ace,
    then the melds of ``table``. ``top``: the top discard; ``take``: the last card of ``hand`` was taken from the pile.
    """
    mine = parse_cards(hand)
    drawing = 1 if drawn or take else 0
    melds = [parse_meld(entry.split()) for entry in table]
    if not table and not opened:
        other = 15
    run = 15 - other - sum(len(meld.cards) for meld in melds)
    opponents = [parse_meld(high_run("c", run).split()), *melds] if other < 15 else []
    own = [parse_meld(high_run("s", 15 - len(mine) + drawing).split())] if opened else []
    junk = parse_cards("2h 2d") if top != "2d" else parse_cards("2h 3d")
    last = mine[-1] if drawn or take else None
    first = [*mine[: len(mine) - drawing], *[card for meld in own for card in meld.cards]]
    assert len(first) == 15
    shown = parse_card(top if not take else hand.rsplit(maxsplit=1)[-1])
    pack = list(Kaluki.pack(KalukiRules.make()))
    laid = [card for meld in opponents for card in meld.cards]
    stock = [junk[0], junk[1], shown, *([last] if last is not None and not take else [])]
    for card in (*first, *laid, *stock):
        pack.remove(card)
    Rng(seed).shuffle(pack)
    rest = [pack.pop() for _ in range(other)]
    upcard = next(card for card in pack if card not in (JOKER, *mine))
    pack.remove(upcard)
    layout = Layout((tuple(first), (*laid, *rest)), (), upcard, (*stock, *pack))
    deal = Kaluki.from_layout(KalukiRules.make(2, **options), 0, layout)
    for seat, melded, card in ((1, [], junk[0]), (0, own, junk[1]), (1, opponents, shown)):
        assert deal.to_act == seat
        deal.apply("draw")
        for meld in melded:
            deal.apply(Move(MELD, (meld,)))
        deal.apply(DISCARDS[card])
    if drawing:
        deal.apply("take" if take else "draw")
    return deal


def does(deal: Kaluki, name: str, seed: int = 0, iterations: int = MANY) -> str:
    """The words of what a level does; it must be legal."""
    assert deal.to_act == 0
    action = BOTS[name].act(deal.view(0), Budget(seed, iterations=iterations))
    assert deal.why_illegal(action) is None
    return Kaluki.text(action)


def always(deal: Kaluki, name: str) -> set[str]:
    """What a level does with several seeds."""
    if name in GOOD:
        return {does(deal, name, seed) for seed in range(3 if COMPILED else 1)}
    return {does(deal, name, seed) for seed in range(40)}


RUN = "5d 6d 7d"
KINGS = "Ks Kh Kc"


# -- never silly: positions from the rules and the strategy section -------------------


@pytest.mark.parametrize("name", NAMES)
def test_goes_out_when_its_last_cards_are_a_meld(name: str) -> None:
    assert always(position("7c 7d 7h", KINGS, opened=True), name) == {"meld 7h 7d 7c"}


@pytest.mark.parametrize("name", NAMES)
def test_goes_out_by_laying_off_and_discarding(name: str) -> None:
    deal = position("Kd 4s", KINGS, opened=True)
    assert always(deal, name) == {"add Kd m2"}
    deal.apply("add Kd m2")
    assert always(deal, name) == {"discard 4s"}


@pytest.mark.parametrize("name", NAMES)
def test_opens_when_the_whole_hand_goes_down(name: str) -> None:
    done = always(position("Th Jh Qh Kh Ah 2c 2d 2s 5c 5d 5s 8c 8d 8s 8h 4s"), name)
    assert all(words.startswith("meld") for words in done)


@pytest.mark.parametrize("name", NAMES)
def test_takes_the_discard_with_which_the_whole_hand_goes_down(name: str) -> None:
    deal = position("Th Jh Qh Kh 2c 2d 2s 5c 5d 5s 8c 8d 8s 8h 4s", top="Ah", drawn=False)
    assert all(words.startswith("take") for words in always(deal, name))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("options", [{}, {"naturals_majority": True, "set_duplicates": False}, {"opening": "total"}])
def test_throws_no_joker_before_it_opens(name: str, options: dict[str, Any]) -> None:
    deal = position("Jk 2s 4h 6d 8c Ts Qh 3c 5s 7h 9d Jc Kd 2h 6s 4c", **options)
    assert "discard Jk" not in always(deal, name)


@pytest.mark.parametrize("name", NAMES)
def test_throws_no_joker_after_it_has_opened(name: str) -> None:
    assert "discard Jk" not in always(position("Jk 2s 4h 7d 9h", KINGS, opened=True), name)


@pytest.mark.parametrize("name", NAMES)
def test_breaks_no_run_that_lacks_one_card(name: str) -> None:
    kept = {f"discard {card}" for card in ("Th", "Jh", "Qh", "Kh")}
    assert not kept & always(position("Th Jh Qh Kh 2s 5s 4c 8d 9c 3d 2d 6c 4s 7d 9s 5h"), name)


@pytest.mark.parametrize("name", NAMES)
def test_breaks_no_three_aces_that_wait_for_the_fourth(name: str) -> None:
    kept = {"discard As", "discard Ad", "discard Ac"}
    assert not kept & always(position("As Ad Ac 2s 5h 7d 9c Js 3c 2d 4h 6s 8h Tc 5s 8c"), name)


@pytest.mark.parametrize("name", NAMES)
def test_breaks_no_meld_that_lies_ready(name: str) -> None:
    kept = {"discard 6d", "discard 6h", "discard 6c"}
    assert not kept & always(position("6d 6h 6c 2d Jd 3h", opened=True, other=9), name)


@pytest.mark.parametrize("name", NAMES)
def test_lays_a_swapped_joker(name: str) -> None:
    deal = position("7d 2h Jh 3h Qs", "5d 6d Jk=7d 8d", opened=True, other=6)
    deal.apply("swap 7d m2")
    assert all("Jk=" in words for words in always(deal, name))


@pytest.mark.parametrize("name", NAMES)
def test_does_not_try_to_throw_the_card_it_took(name: str) -> None:
    assert "discard Kd" not in always(position("2h 4c 9h Kd", "5h 6h 7h", opened=True, take=True), name)


@pytest.mark.parametrize("name", GOOD)
def test_gives_an_opponent_who_is_nearly_out_nothing_to_lay_off(name: str) -> None:
    """The opponent holds one card: with the Eight of diamonds from the pile he would be out; a low card is safe."""
    deal = position("8d 2s 3h Jc 5c 2h 4h 6h 9h Tc 7s 9s Qs Kd 3s 5s", RUN, other=1)
    assert "discard 8d" not in always(deal, name)


@pytest.mark.parametrize("name", GOOD)
def test_gets_rid_of_a_joker_before_an_opponent_is_out(name: str) -> None:
    """Strategy: late, jokers are melded at any price, since each costs 25."""
    done = always(position("Jk 2s 4h 7s 9h", KINGS, opened=True, other=1), name)
    assert all("Jk" in words and not words.startswith("discard") for words in done)


@pytest.mark.parametrize("name", GOOD)
def test_sheds_dear_cards_when_an_opponent_is_low_and_the_opening_is_far(name: str) -> None:
    deal = position("Ah Kd Qs 2c 4d 6h 3s 2d 4h 5s 7s 8h 9d 2h 6d 7h", "9s 9h 9c", other=1)
    assert always(deal, name) <= {"discard Ah", "discard Kd", "discard Qs"}


@pytest.mark.parametrize("name", NAMES)
def test_swaps_for_the_joker_that_makes_a_meld_of_its_pair_and_goes_out(name: str) -> None:
    deal = position("Kd 9s 9h 2h", "Ks Kh Jk=K", opened=True)
    bot = BOTS[name]
    for _ in range(3):
        deal.apply(bot.act(deal.view(0), Budget(iterations=MANY)))
        if deal.over:
            break
    assert deal.winner == 0


def goes_out(deal: Kaluki, name: str) -> bool:
    """Whether a level wins the deal in the turn at hand."""
    for _ in range(8):
        if deal.to_act != 0:
            break
        deal.apply(BOTS[name].act(deal.view(0), Budget(iterations=FEW // 20)))
    return deal.winner == 0


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize(
    "hand",
    [
        "8s 8h 8d 8c",
        "8d 9d Td Jd",
        "7h 8h 9h Th 3c 3d 3h",
        "Kd 8h 9h Th",
        "Jk 9h 9d 9c",
    ],
)
def test_parts_a_meld_where_the_last_card_must_be_discarded(name: str, hand: str) -> None:
    assert goes_out(position(hand, KINGS, opened=True, discard_to_go_out=True), name)


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("last", ["", " 2h"])
def test_swaps_a_joker_to_go_out_where_the_last_card_must_be_discarded(name: str, last: str) -> None:
    deal = position(f"Kd 9s 9h{last or ' 9d'}", "Ks Kh Jk=K", opened=True, discard_to_go_out=True)
    assert goes_out(deal, name)


# -- legal under any options, by any hand before it -----------------------------------


def random_rules(rng: Rng) -> KalukiRules:
    while True:
        values = {name: rng.choice(known.choices) for name, known in KalukiRules.options().items()}
        try:
            return KalukiRules.make(2 + rng.below(3), **values)
        except RulesError:
            continue


@pytest.mark.parametrize("number", range(24))
def test_plays_legally_under_any_options(number: int) -> None:
    rng = Rng(12, number)
    rules = random_rules(rng)
    deal = Kaluki.shuffle(rules, rng.below(rules.seats), rng)
    bots = [BOTS[rng.choice(NAMES)] for _ in range(rules.seats)]
    bots[0] = BOTS[NAMES[number % 4]]
    for _ in range(900 if COMPILED else 60):
        if deal.to_act is None:
            break
        action = bots[deal.to_act].act(deal.view(deal.to_act), Budget(number, iterations=200 if COMPILED else 12))
        assert deal.why_illegal(action) is None
        deal.advance(action)
    else:
        assert not COMPILED


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", range(6))
def test_plays_legally_in_positions_that_others_made(name: str, number: int) -> None:
    rng = Rng(13, number)
    rules = random_rules(rng)
    deal = Kaluki.shuffle(rules, 0, rng)
    for turn in range(250 if COMPILED else 80):
        if deal.to_act is None:
            break
        view = deal.view(deal.to_act)
        action = BOTS[name].act(view, Budget(turn, iterations=100 if COMPILED else 12))
        assert deal.why_illegal(action) is None
        deal.advance(RandomBot().act(view, Budget(turn)) if turn % 3 == 0 and rules.opening == "single" else action)


def test_plays_on_when_the_pile_was_shuffled() -> None:
    """Such worlds are drawn by another way."""
    rules = KalukiRules.make(4)
    found = 0
    for number in range(30):
        deal = Kaluki.shuffle(rules, 0, Rng(14, number))
        while deal.to_act is not None and deal.turned == 0:
            deal.advance(KalukiThumb().act(deal.view(deal.to_act), Budget()))
        for _ in range(6):
            if deal.to_act is None:
                break
            action = BOTS["master"].act(deal.view(deal.to_act), Budget(iterations=FEW // 8))
            assert deal.why_illegal(action) is None
            deal.advance(action)
            found += 1
        if found >= 6:
            return
    raise AssertionError("no pile was shuffled")


# -- the same for the same, whatever is hidden ----------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_and_iterations_give_the_same_move_whatever_cards_are_hidden(name: str, long: bool) -> None:
    bot, twin = LEVELS[name](), LEVELS[name]()
    wanted = (2000 if long else 240) if COMPILED or name not in GOOD else 16
    states = 0
    others = 0
    for number in range(10_000):
        rng = Rng(15, number)
        rules = random_rules(rng) if number % 2 else KalukiRules.make(2 + number % 3)
        deal = Kaluki.shuffle(rules, 0, rng)
        while deal.to_act is not None:
            seat = deal.to_act
            if rng.below(4) == 0:
                budget = Budget(number, iterations=300 if COMPILED else 60)
                other = deal.determinize(seat, rng)
                action = bot.act(deal.view(seat), budget)
                others += other.hands() != deal.hands()
                assert twin.act(other.view(seat), budget) == action
                states += 1
                if states == wanted:
                    assert others > wanted // 2
                    return
            else:
                action = KalukiThumb().act(deal.view(seat), Budget())
            deal.advance(action)


@pytest.mark.parametrize("name", ["beginner", "casual"])
def test_other_seeds_make_other_moves_now_and_then(name: str) -> None:
    assert len(always(position("Jh Qh Kd Ac 2c 3d 4s 9c 9d 5s 8h Tc 3h 6s 7c 2s"), name)) > 1


# -- time -----------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "seconds"), [("strong", 0.2), ("master", 1.0)])
@pytest.mark.parametrize("seats", [2, 4])
def test_thinks_no_longer_than_it_may(name: str, seconds: float, seats: int) -> None:
    rules = KalukiRules.make(seats)
    bot = LEVELS[name]()
    deal = Kaluki.shuffle(rules, 0, Rng(16, seats))
    bot.act(deal.view(deal.to_act), Budget(iterations=1))
    for turn in range(24 if COMPILED else 6):
        if deal.to_act is None:
            break
        view = deal.view(deal.to_act)
        begin = time.process_time()
        action = bot.act(view, Budget(turn, seconds=seconds, iterations=1_000_000))
        assert time.process_time() - begin < seconds
        deal.advance(action)


def reshuffled(seats: int, number: int) -> Kaluki:
    """A deal in which nobody has opened and the pile was shuffled, at the beginning of a turn."""
    rng = Rng(17, seats, number)
    deal = Kaluki.shuffle(KalukiRules.make(seats), 0, rng)
    while deal.turned == 0:
        deal.advance(Kaluki.parse("draw"))
        seat = deal.to_act
        assert seat is not None
        deal.advance(DISCARDS[rng.choice([card for card in deal.hand(seat) if card != JOKER])])
    return deal


@pytest.mark.parametrize(("name", "ceiling"), [("strong", 0.2), ("master", 1.0)])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_keeps_to_its_ceiling_where_the_pile_was_shuffled(name: str, ceiling: float, seats: int) -> None:
    """Though the budget has far more time."""
    deal = reshuffled(seats, 0)
    bot = LEVELS[name]()
    bot.act(deal.view(deal.to_act), Budget(iterations=1))
    for turn in range(3):
        if deal.to_act is None:
            break
        view = deal.view(deal.to_act)
        begin = time.process_time()
        action = bot.act(view, Budget(turn, seconds=60.0, iterations=1_000_000))
        assert time.process_time() - begin < ceiling
        deal.advance(action)


def test_tries_fewer_worlds_where_they_take_longer_to_draw() -> None:
    deal = reshuffled(3, 1)
    deal.advance(Kaluki.parse("draw"))
    assert deal.to_act is not None
    bot = LEVELS["master"]()
    assert isinstance(bot, KalukiSearcher)
    view = deal.view(deal.to_act)
    rollouts = bot.number(Budget()) if COMPILED else 200
    found = bot.search(view, KalukiThumb().act(view, Budget()), 1, rollouts, float("inf"))
    most = max(line.worlds for line in found)
    assert 0 < most <= (200 if COMPILED else 100)


@pytest.mark.parametrize("name", GOOD)
def test_without_time_it_plays_by_rules_of_thumb(name: str) -> None:
    deal = position("Jh Qh Kd Ac 2c 3d 4s 9c 9d 5s 8h Tc 3h 6s 7c 2s")
    view = deal.view(0)
    assert BOTS[name].act(view, Budget(seconds=0.0)) == KalukiThumb().act(view, Budget())


# -- what a search says ---------------------------------------------------------------


def test_a_line_stands_for_each_way_to_lay_what_a_swap_brings() -> None:
    deal = position("Kd 9s 9h 2h 4s 7h", "Ks Kh Jk=K", "4d 5d 6d", opened=True, other=4)
    bot = LEVELS["master"]()
    assert isinstance(bot, KalukiSearcher)
    view = deal.view(0)
    found = bot.search(view, KalukiThumb().act(view, Budget()), 1, 200, float("inf"))
    swaps = [line.line for line in found if line.line.moves[0].verb == SWAP]
    assert len(swaps) > 1
    assert all(len(line.moves) == 2 for line in swaps)


def test_looks_at_taking_the_discard_though_it_cannot_be_laid() -> None:
    deal = position("9s Td Jh Qd", RUN, top="2c", opened=True, drawn=False)
    bot = LEVELS["master"]()
    assert isinstance(bot, KalukiSearcher)
    view = deal.view(0)
    found = bot.search(view, KalukiThumb().act(view, Budget()), 1, 200, float("inf"))
    assert {line.line.moves[0].verb for line in found} >= {TAKE}
    assert found[0].ahead == 0.0


@pytest.mark.parametrize("name", GOOD)
def test_lays_its_last_card_where_that_is_a_swapped_joker(name: str) -> None:
    """What a table settles by itself may end the deal; nobody plays on from there."""
    deal = position("Kd 9c", "Ks Kh Jk=K", opened=True)
    deal.apply("add 9c m1")
    deal.apply("swap Kd m2")
    deal.apply(BOTS[name].act(deal.view(0), Budget(iterations=MANY)))
    assert deal.winner == 0
