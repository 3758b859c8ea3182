"""The kernels do what the rules do: random deals of every option value, preset and number of seats, on both.

With ``--long`` 100,000 deals of every game. Half of them go evenly to every preset and to every value of every option
alone, with each number of seats that allows it; the others to random mixes of options.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from tests.search.test_kaluki_table import opened, position, replay

import meja.search.kaluki as table_module
import meja.search.tricks as tricks_module
from meja.cards import BIT, Rng
from meja.games import game, new_match
from meja.games.kaluki import Kaluki, KalukiRules
from meja.games.kaluki_turn import SWAP, TAKE, sample
from meja.rules import Rules
from meja.search.dice import Dice
from meja.search.kaluki import GREEDY, KEEN, KalukiTable
from meja.search.tricks import Tricks
from meja.testing.mixes import all_presets, random_rules, single_options

TRICK_GAMES = ("bassadewitz", "calabresella", "smear")
LONG = 100_000

#: (number of seats, option, value): how many deals were played with it.
Tally = Counter[tuple[int, str, Any]]


def alone(name: str) -> list[Rules]:
    """Every preset and every value of every option alone, with every number of seats; none twice."""
    return list(dict.fromkeys([*all_presets(name), *single_options(name)]))


def spread(name: str, count: int, rng: Rng) -> Iterator[Rules]:
    """Rules for ``count`` deals: every second time the next of those alone, else a random mix."""
    sets = alone(name)
    for number in range(count):
        yield random_rules(name, rng) if number % 2 else sets[number // 2 % len(sets)]


def tally(rules: Rules, into: Tally) -> None:
    """Count a deal."""
    for option in rules.options():
        into[rules.seats, option, getattr(rules, option)] += 1


def deals(name: str, module: Any, long: bool, most: int = LONG) -> int:
    """How many deals are played: each set of options alone at least twice, uncompiled once."""
    if long:
        return most
    return len(alone(name)) * (2 if module.__file__.endswith(".py") else 4)


def follow(deal: Any, kernel: Tricks, rng: Rng) -> None:
    """Play a deal to its end by random cards, on the rules and on the kernel, which takes over anywhere once more."""
    kernel.load(deal)
    again = rng.below(deal.hand_size(deal.rules) * len(deal.players))
    step = 0
    while deal.to_act is not None:
        if step == again:
            kernel.load(deal)
        legal = deal.legal_actions()
        assert kernel.turn == deal.to_act
        assert kernel.leader == deal.leader
        assert kernel.trump == deal.trump
        assert kernel.cards() == legal
        card = legal[rng.below(len(legal))]
        deal.advance(card)
        kernel.play(card)
        step += 1
    kernel.score()
    seats = range(deal.rules.seats)
    assert kernel.turn == -1
    assert kernel.void == deal.void
    assert [kernel.points[seat] for seat in seats] == list(deal.score())
    assert [kernel.taken[seat] for seat in seats] == list(deal.taken)
    assert [kernel.tricks[seat] for seat in seats] == list(deal.tricks)
    won = [0] * deal.rules.seats
    for cards, winner in deal.finished_tricks():
        won[winner] |= sum(BIT[card] for _, card in cards)
    assert [kernel.won[seat] for seat in seats] == won


def compare_tricks(name: str, count: int, seed: int) -> tuple[Tally, Counter[str]]:
    """``count`` deals that come to the play; what was dealt, and which contracts were played."""
    rng, kernel = Rng(seed, TRICK_GAMES.index(name)), Tricks()
    found: Tally = Counter()
    contracts: Counter[str] = Counter()
    for rules in spread(name, count, rng):
        while True:
            deal: Any = new_match(rules, dealer=rng.below(rules.seats)).next_deal(rng)
            while deal.to_act is not None and deal.phase != "play":
                legal = deal.legal_actions()
                deal.advance(legal[rng.below(len(legal))])
            if deal.to_act is not None:
                break
        follow(deal, kernel, rng)
        tally(rules, found)
        contracts[f"{getattr(deal, 'contract', '')} {getattr(deal, 'raised', '')} {getattr(deal, 'bid', '')}"] += 1
    return found, contracts


@pytest.mark.parametrize("name", TRICK_GAMES)
def test_trick_games_are_played_and_scored_as_by_the_rules(name: str, long: bool) -> None:
    count = deals(name, tricks_module, long)
    found, contracts = compare_tricks(name, count, 61)
    everything(name, found, count)
    # Chiamo, Solo, and the three ways of Solissimo; bids 1 to 4.
    assert len(contracts) >= {"bassadewitz": 1, "calabresella": 5, "smear": 4}[name]


def compare_kaluki(count: int, seed: int) -> tuple[Tally, Counter[str]]:
    """``count`` whole deals by the players of the kernel, replayed on the game; some also the other way round."""
    rng = Rng(seed)
    # A table costs more than a deal: every set of options alone keeps its own.
    tables: dict[Rules, KalukiTable] = {
        rules: KalukiTable(rules) for rules in alone("kaluki") if isinstance(rules, KalukiRules)
    }
    found: Tally = Counter()
    verbs: Counter[str] = Counter()
    for number, rules in enumerate(spread("kaluki", count, rng)):
        assert isinstance(rules, KalukiRules)
        table = tables.get(rules) or KalukiTable(rules)
        dealer, seed = rng.below(rules.seats), rng.next32()
        deal = Kaluki.shuffle(rules, dealer, Rng(seed))
        table.logging = 1
        table.deal(dealer, Dice(Rng(seed).state))
        start = position(table)
        assert table.load(deal) == []
        assert position(table) == start
        table.playout(Dice(seed), KEEN if rng.below(2) else GREEDY)
        for verb, times in replay(deal, table).items():
            verbs[f"verb {verb}"] += times
        verbs["void" if deal.void else "won"] += 1
        verbs["reshuffles"] += len(table.reshuffles())
        if number % 10 == 0:
            verbs["actions of the rules"] += walk(rules, table, rng)
        tally(rules, found)
    return found, verbs


def walk(rules: KalukiRules, table: KalukiTable, rng: Rng) -> int:
    """Random legal actions change the table as they change the game; how many were done."""
    deal = opened(rng, _Own(table), rules)  # type: ignore[arg-type]
    if deal.to_act is None or table.load(deal):
        return 0
    loaded = KalukiTable(rules)
    done = 0
    for _ in range(12):
        if deal.to_act is None or not deal.stock:
            break
        move = sample(deal.legal_actions(), rng)
        deal.advance(move)
        if not table.advance(move, Dice(1)):
            # What a turn owes something for is not on the table.
            assert move.verb in (SWAP, TAKE)
            break
        done += 1
        assert loaded.load(deal) == []
        assert position(table) == position(loaded)
    return done


class _Own:
    """The one table that there is."""

    def __init__(self, table: KalukiTable) -> None:
        self.table = table

    def of(self, rules: KalukiRules) -> KalukiTable:
        return self.table


def test_kaluki_is_played_and_scored_as_by_the_rules(long: bool) -> None:
    count = deals("kaluki", table_module, long)
    found, verbs = compare_kaluki(count, 67)
    everything("kaluki", found, count)
    assert {"won", "actions of the rules", "verb 0"} <= set(verbs)
    if long:
        assert {f"verb {verb}" for verb in range(7)} | {"void", "reshuffles"} <= set(verbs)


def everything(name: str, found: Tally, count: int) -> None:
    """Every value of every option was dealt, with every number of seats that allows it, as often as was promised."""
    least = count // 2 // len(alone(name))
    assert least >= 1
    for rules in alone(name):
        for option in rules.options():
            assert found[rules.seats, option, getattr(rules, option)] >= least
    assert sum(found.values()) == count * len(game(name).rules.options())
