"""The table of Kaluki plays by the rules of the game: every action is replayed on the game itself."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import meja.search.kaluki as table_module
from meja.cards import JOKER, Rng
from meja.deal import Chance
from meja.errors import MejaError
from meja.games.kaluki import Kaluki, KalukiRules
from meja.games.kaluki_turn import ADD, DISCARD, DRAW, MELD, SWAP, TAKE, Move, sample
from meja.games.melds import RUN_CARD, SET, Meld, additions, fault, swaps
from meja.search.dice import Dice
from meja.search.kaluki import GREEDY, KEEN, KalukiTable, run_deals

COMPILED = not table_module.__file__.endswith(".py")


def random_rules(rng: Rng) -> KalukiRules:
    options = KalukiRules.options()
    return KalukiRules.make(2 + rng.below(3), **{name: rng.choice(found.choices) for name, found in options.items()})


class Tables:
    """A table for each set of options, since a new one costs more than a deal."""

    def __init__(self) -> None:
        self.made: dict[KalukiRules, KalukiTable] = {}

    def of(self, rules: KalukiRules) -> KalukiTable:
        if rules not in self.made:
            if len(self.made) > 30:
                self.made.clear()
            self.made[rules] = KalukiTable(rules)
        return self.made[rules]


TABLES = Tables()


def position(table: KalukiTable) -> tuple[Any, ...]:
    """All that the table holds of a position, in the game's words."""
    melds = []
    for at in range(table.melds):
        suits = table.suits[at] if table.suit[at] == SET else 0
        melds.append(
            (table.suit[at], table.low[at], table.size[at], table.used[at], table.owner[at], table.wild[at], suits)
        )
    return (
        table.one[: table.seats],
        table.two[: table.seats],
        table.jokers[: table.seats],
        table.sizes[: table.seats],
        table.stock[: table.stock_size],
        table.pile[: table.pile_size],
        list(table.shown),
        melds,
        table.turn,
        bool(table.playing),
        table.opened,
        bool(table.fresh),
        table.turned,
        table.winner,
    )


def replay(deal: Kaluki, table: KalukiTable) -> Counter[int]:
    """Play on the game what was played on the table: all legal, with the same end."""
    deal.chance = Chance(None, table.reshuffles())
    verbs = Counter[int]()
    for seat, move in table.actions():
        assert deal.to_act == seat
        reason = deal.why_illegal(move)
        assert reason is None, (reason, deal.text(move), deal.rules, [deal.text(done) for _, done in deal.log])
        deal.advance(move)
        verbs[move.verb] += 1
    assert deal.to_act is None
    assert deal.chance.unused == 0
    assert deal.winner == table.winner
    assert tuple(deal.score()) == table.points()
    assert tuple(deal.hand_points(seat) for seat in range(deal.rules.seats)) == table.result()
    return verbs


def played(rng: Rng, rules: KalukiRules, most: int) -> Kaluki:
    """A deal after some actions by chance, which may be anywhere in a turn."""
    deal = Kaluki.shuffle(rules, rng.below(rules.seats), rng)
    for _ in range(rng.below(most)):
        legal = deal.legal_actions()
        move = sample(legal, rng)
        if move.verb == DISCARD and rng.below(2):
            # Deals by chance hardly come to melds otherwise.
            layings = [other for other in legal[:50] if other.verb != DISCARD]
            move = rng.choice(layings) if layings else move
        deal.advance(move)
        if deal.to_act is None:
            break
    return deal


def opened(rng: Rng, tables: Tables, rules: KalukiRules) -> Kaluki:
    """A deal in the middle, as the keen player comes there, and a few actions by chance after it."""
    table = tables.of(rules)
    dealer, seed = rng.below(rules.seats), rng.next32()
    table.logging = 1
    table.deal(dealer, Dice(Rng(seed).state))
    table.playout(Dice(seed + 1), KEEN)
    deal = Kaluki.shuffle(rules, dealer, Rng(seed))
    actions = table.actions()
    deal.chance = Chance(Rng(seed), table.reshuffles())
    for _, move in actions[: rng.below(len(actions))]:
        deal.advance(move)
    for _ in range(rng.below(4)):
        if deal.to_act is not None:
            legal = deal.legal_actions()
            # Swaps and cards taken are what a turn can owe something for.
            rare = [move for move in legal[:300] if move.verb in (SWAP, TAKE)]
            deal.advance(rng.choice(rare) if rare else sample(legal, rng))
    return deal


def random_meld(rng: Rng, rules: KalukiRules) -> Meld:
    """A meld as it may lie on a table: every second one a long run, many with jokers."""
    words = rules.turn.melds
    while True:
        if rng.below(3):
            low = rng.choice([0, 1, rng.below(12)])
            size = min(14 - low, rng.choice([3 + rng.below(11), 12, 13]))
            row, number = RUN_CARD[rng.below(4)], rng.below(5)
            cards = [row[low + place] for place in range(size)]
            for _ in range(number):
                cards[rng.choice([0, size - 1, rng.below(size)])] = JOKER
            meld = Meld(row[1] // 13, low, tuple(cards))
        else:
            rank, size = rng.below(13), 3 + rng.below(5)
            naturals = sorted([rank + 13 * rng.below(4) for _ in range(rng.below(size) + 1)])
            meld = Meld(SET, rank, (*naturals, *[JOKER] * (size - len(naturals))))
            if any(naturals.count(card) > 2 for card in naturals):
                continue
        if fault(meld, words) is None and meld.jokers <= 4:
            return meld


def test_melds_grow_as_those_of_the_game(long: bool) -> None:
    rng = Rng(53)
    for _ in range(30000 if long else 3000):
        rules = KalukiRules.make(
            2,
            set_duplicates=bool(rng.below(2)),
            naturals_majority=bool(rng.below(2)),
            adjacent_jokers=bool(rng.below(2)),
            run_max=rng.choice([14, 13]),
        )
        table = TABLES.of(rules)
        meld = random_meld(rng, rules)
        table.clear()
        table._load_meld(0, meld)
        words = rules.turn.melds
        grown = additions(meld, words)
        assert {card for card in range(52) if table.end_for(0, card)} == {card for card, _, _ in grown if card != JOKER}
        assert bool(table.end_for_joker(0)) == any(card == JOKER for card, _, _ in grown)
        changed = dict(swaps(meld, words))
        assert {card for card in range(52) if table.joker_at(0, card) >= 0} == set(changed)
        # What the meld is afterwards.
        for card, stands, result in grown:
            table.clear()
            table._load_meld(0, meld)
            table.turn = 0
            table.gain(0, card)
            table.gain(0, 3)
            assert table.advance(Move(ADD, (), card, stands, 0), Dice(1))
            laid = shape(table)
            table.clear()
            table._load_meld(0, result)
            assert laid == shape(table)


def shape(table: KalukiTable) -> tuple[int, ...]:
    return (table.suit[0], table.low[0], table.size[0], table.used[0], table.wild[0], table.suits[0])


@pytest.mark.parametrize("player", [GREEDY, KEEN])
def test_whole_deals_are_played_by_the_rules(player: int, long: bool) -> None:
    rng = Rng(3, player)
    tables = Tables()
    verbs = Counter[int]()
    ends = Counter[bool]()
    for _ in range((50000 if long else 250) if COMPILED else 40):
        rules = random_rules(rng)
        dealer, seed = rng.below(rules.seats), rng.next32()
        deal = Kaluki.shuffle(rules, dealer, Rng(seed))
        table = tables.of(rules)
        table.logging = 1
        table.deal(dealer, Dice(Rng(seed).state))
        start = position(table)
        assert table.load(deal) == []
        assert position(table) == start
        table.playout(Dice(seed), player)
        verbs += replay(deal, table)
        ends[deal.void] += 1
    plain, all_of_them = {DRAW, MELD, ADD, DISCARD}, set(range(7))
    assert plain <= set(verbs) <= (plain if player == GREEDY else all_of_them)
    # A swap is rare.
    assert not COMPILED or player == GREEDY or set(verbs) == all_of_them
    assert ends[False] > ends[True]


def test_any_position_is_played_on_by_the_rules(long: bool) -> None:
    rng = Rng(17)
    tables = Tables()
    settled = 0
    for number in range((20000 if long else 250) if COMPILED else 40):
        rules = random_rules(rng)
        deal = opened(rng, tables, rules) if number % 3 else played(rng, rules, 60)
        table = tables.of(rules)
        table.logging = 1
        before = len(deal.log)
        first = table.load(deal)
        settled += bool(first)
        assert len(deal.log) == before
        deal = deal.clone()
        for move in first:
            assert deal.why_illegal(move) is None
            deal.advance(move)
        table.playout(Dice(rng.next32() + 1), rng.below(2))
        replay(deal, table)
    assert settled or not COMPILED


def test_actions_change_the_table_as_they_change_the_game(long: bool) -> None:
    rng = Rng(23)
    tables = Tables()
    done = Counter[int]()
    for number in range((3000 if long else 60) if COMPILED else 12):
        rules = random_rules(rng)
        deal = opened(rng, tables, rules) if number % 2 else Kaluki.shuffle(rules, 0, rng)
        table, loaded = tables.of(rules), KalukiTable(rules)
        if deal.to_act is None or table.load(deal):
            continue
        for _ in range(30):
            if deal.to_act is None or not deal.stock:
                break
            move = sample(deal.legal_actions(), rng)
            deal.advance(move)
            if not table.advance(move, Dice(1)):
                assert move.verb in (SWAP, TAKE)
                break
            done[move.verb] += 1
            assert loaded.load(deal) == []
            assert position(table) == position(loaded)
    assert {DRAW, DISCARD} < set(done)


def test_a_copy_is_played_on_like_its_model() -> None:
    rng = Rng(31)
    tables = Tables()
    for _ in range(20):
        rules = random_rules(rng)
        model, table = KalukiTable(rules), KalukiTable(rules)
        model.load(opened(rng, tables, rules))
        before = position(model)
        ends = set()
        for _ in range(2):
            table.copy(model)
            assert position(table) == before
            table.playout(Dice(77), KEEN)
            ends.add((table.winner, table.result(), table.points()))
        assert position(model) == before
        model.playout(Dice(77), KEEN)
        assert ends == {(model.winner, model.result(), model.points())}


def test_deals_are_the_same_pure_and_compiled() -> None:
    sums = []
    hard = {"set_duplicates": False, "stock_out": "turn_over"}
    for seats, options in ((2, {}), (3, {"opening": "total"}), (4, hard)):
        table = KalukiTable(KalukiRules.make(seats, **options))
        dice = Dice(20)
        sums.append([run_deals(table, dice, 6, player) for player in (GREEDY, KEEN)])
    assert sums == SUMS


SUMS: list[list[int]] = [[2208903942, 1306975447], [705574389, 2159778731], [2491619572, 2228245841]]


def test_the_keen_player_beats_the_greedy_one() -> None:
    table = KalukiTable(KalukiRules.make(2))
    dice = Dice(5)
    points = [0, 0]
    for number in range(400 if COMPILED else 40):
        table.deal(number & 1, dice)
        while table.turn >= 0:
            table.step(dice, KEEN if table.turn == 0 else GREEDY)
        table.score()
        points[0] += table.points()[0]
        points[1] += table.points()[1]
    assert points[0] > points[1] * 3 // 2


def test_a_player_looks_at_nothing_hidden() -> None:
    """The first turn is the same whatever the others hold and however the stock lies below its first card."""
    rng = Rng(41)
    worlds = 0
    for _ in range(60 if COMPILED else 10):
        rules = random_rules(rng)
        deal = Kaluki.shuffle(rules, 0, rng)
        seat = deal.to_act
        assert seat is not None
        table = KalukiTable(rules)
        table.logging = 1
        player = rng.below(2)
        turns = set()
        for _ in range(3):
            hidden = deal.determinize(seat, rng)
            if deal.stock[-1] not in hidden.stock:
                continue
            # The next card is drawn, so it stays.
            place = hidden.stock.index(deal.stock[-1])
            hidden.stock[place], hidden.stock[-1] = hidden.stock[-1], hidden.stock[place]
            worlds += 1
            table.load(hidden)
            table.step(Dice(3), player)
            turns.add(tuple(table.actions()))
        table.load(deal)
        table.step(Dice(3), player)
        turns.add(tuple(table.actions()))
        assert len(turns) == 1
    assert worlds


def test_a_deal_with_other_options_is_refused() -> None:
    with pytest.raises(MejaError):
        KalukiTable(KalukiRules.make(2)).load(Kaluki.shuffle(KalukiRules.make(3), 0, Rng(1)))


def test_a_swapped_joker_is_laid_before_the_playout() -> None:
    rules = KalukiRules.make(2)
    deal = Kaluki.shuffle(rules, 1, Rng(2))
    # Seat 0 has opened and given the six for the joker of seat 1's run.
    deal.one, deal.two, deal.jokers, deal.sizes = [1 << 17 | 1 << 45, 1 << 8], [0, 0], [0, 0], [2, 1]
    deal.table = [Meld(1, 4, (16, JOKER, 18)), Meld(0, 5, (4, 5, 6))]
    deal.owners = [1, 0]
    deal.opened = 3
    deal.playing = True
    deal.apply("swap 6h m0")
    assert deal.owed == 1
    table = KalukiTable.from_deal(deal)
    assert table.jokers[0] == 0
    assert table.sizes[0] == 1
    assert deal.owed == 1


@pytest.mark.parametrize("player", [GREEDY, KEEN])
def test_a_turn_changes_nothing_where_the_deal_is_over(player: int) -> None:
    table = KalukiTable(KalukiRules.make(2))
    table.deal(0, Dice(3))
    table.playout(Dice(4), KEEN)
    assert table.turn < 0
    before, points = position(table), table.points()
    table.step(Dice(5), player)
    assert position(table) == before
    assert table.points() == points
