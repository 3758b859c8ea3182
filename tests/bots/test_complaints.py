"""What players complain of in bots, as positions: the right action is certain, and a good bot must find it.

The positions are in ``positions/``, the complaints in ``docs/complaints.md``. The bots come last: first the positions
themselves are tested, by the engine and by exhaustive search.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from statistics import mean
from typing import Any, Final

import pytest
from tests.bots.positions import GAMES, Position, positions
from tests.bots.proofs import better, bid_bound, tables, worlds

from meja.bots import RandomBot, make_bot
from meja.bots.bot import Bot
from meja.cards import Rng
from meja.search import pimc

POSITIONS: Final = positions()
COMPLAINTS: Final = Path(__file__).parents[2] / "docs" / "complaints.md"
COMPILED: Final = not pimc.__file__.endswith(".py")
#: Fewer than a level looks at in a game: what is certain must not need much.
ITERATIONS: Final = {
    "bassadewitz": 200 if COMPILED else 40,
    "calabresella": 500 if COMPILED else 400,
    "kaluki": 200 if COMPILED else 20,
    "smear": 200 if COMPILED else 40,
}
LAPSES: Final = range(5)

every = pytest.mark.parametrize("position", POSITIONS, ids=str)
proved = pytest.mark.parametrize("position", [p for p in POSITIONS if p.proof], ids=str)
silly = pytest.mark.parametrize("position", [p for p in POSITIONS if p.silly], ids=str)


# -- the positions ------------------------------------------------------------------


def test_there_are_at_least_eighteen_positions_of_every_game_and_eighty_in_all() -> None:
    numbers = Counter(position.game for position in POSITIONS)
    assert len(POSITIONS) >= 80
    assert all(numbers[game] >= 18 for game in GAMES)
    assert len({position.name for position in POSITIONS}) == len(POSITIONS)


@every
def test_a_position_is_a_real_one_and_leaves_a_choice(position: Position) -> None:
    view = position.view
    assert view.seat == view.to_act
    assert len(view.legal) > 1
    assert bool(position.right) + bool(position.wrong) + bool(position.turn) == 1
    assert position.because
    assert position.answers


@pytest.mark.parametrize("position", [p for p in POSITIONS if not p.turn], ids=str)
def test_some_legal_action_is_right_some_is_wrong_and_every_pattern_means_one(position: Position) -> None:
    texts = [position.view.text(action) for action in position.view.legal]
    right = [text for text in texts if position.is_right(text)]
    assert right
    assert len(right) < len(texts)
    for pattern in (*position.right, *position.wrong):
        assert any(_matches(pattern, text) for text in texts), pattern


def _matches(pattern: str, text: str) -> bool:
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), text) is not None


@pytest.mark.parametrize("position", [p for p in POSITIONS if p.turn], ids=str)
def test_a_turn_can_be_ended_rightly_and_wrongly(position: Position) -> None:
    seen = {position.passes(position.ask(RandomBot(), seed, None)) for seed in range(300)}
    assert False in seen
    assert (
        True in seen or position.passes(position.ask(make_bot("rules-of-thumb", "kaluki"), 0, None)) or _can(position)
    )


def _can(position: Position) -> bool:
    """Whether some way through the turn ends as wanted, found by depth-first search."""
    start = position.deal
    seat = start.to_act
    todo = [start]
    seen: set[Any] = set()
    while todo:
        deal = todo.pop()
        for action in deal.legal_actions():
            after = deal.clone()
            after.advance(action)
            if after.to_act != seat:
                if position.ended_well(after, seat):
                    return True
                continue
            key = (after.one[seat], after.two[seat], after.jokers[seat], tuple(after.table))
            if key not in seen:
                seen.add(key)
                todo.append(after)
    return False


@proved
def test_search_over_all_worlds_shows_the_right_action(position: Position) -> None:
    view = position.view
    right = [action for action in view.legal if position.is_right(view.text(action))]
    wrong = [action for action in view.legal if action not in right]
    if position.proof == "bid":
        assert all(bid_bound(view, int(view.text(action)[-1])) < 0 for action in wrong)
        return
    found = tables(view, position.goal)
    for bad in wrong:
        assert any(all(better(position.proof, table[good], table[bad]) for table in found) for good in right)


@pytest.mark.parametrize("position", [p for p in POSITIONS if p.silly and p.proof not in ("", "bid")], ids=str)
def test_what_even_a_beginner_must_see_is_worth_a_whole_point(position: Position) -> None:
    table = tables(position.view, position.goal)[0]
    means = {action: mean(outcome[3] for outcome in outcomes) for action, outcomes in table.items()}
    texts = {action: position.view.text(action) for action in means}
    right = max(value for action, value in means.items() if position.is_right(texts[action]))
    assert all(right - value >= 1 for action, value in means.items() if not position.is_right(texts[action]))


@pytest.mark.parametrize("game", ["bassadewitz", "calabresella", "smear"])
def test_the_worlds_of_a_proof_are_exactly_those_that_can_be_drawn(game: str) -> None:
    found = [p for p in POSITIONS if p.game == game and p.proof == "every"]
    by_number = sorted(found, key=lambda p: sum(1 for _ in worlds(p.view)))
    rng = Rng(4)
    for position in by_number[: len(by_number) // 3]:
        view = position.view
        hands = {tuple(deal.hands) for deal in worlds(view)}
        drawn = {tuple(view.determinize(rng).hands) for _ in range(50 * len(hands))}  # type: ignore[attr-defined]
        assert drawn == hands
        assert tuple(position.deal.hands) in hands


def test_every_complaint_is_told_and_answered() -> None:
    told = set(re.findall(r"^\| `([a-z-]+)`", COMPLAINTS.read_text(encoding="utf-8"), re.MULTILINE))
    answered = {word for position in POSITIONS for word in position.answers}
    assert told == answered


# -- the bots -----------------------------------------------------------------------


def fails(bot: Bot, position: Position, seed: int = 0) -> str:
    """What the bot did, where that is wrong; nothing where it is right."""
    answer = position.ask(bot, seed, ITERATIONS[position.game])
    return "" if position.passes(answer) else answer


@every
@pytest.mark.parametrize("level", ["strong", "master"])
def test_a_strong_bot_does_what_is_right(level: str, position: Position) -> None:
    assert not fails(make_bot(level, position.game), position)


@silly
@pytest.mark.parametrize("level", ["beginner", "casual"])
def test_even_a_weak_bot_does_nothing_silly(level: str, position: Position) -> None:
    bot = make_bot(level, position.game)
    for seed in LAPSES:
        assert not fails(bot, position, seed)
