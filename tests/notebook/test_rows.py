"""Records as rows."""

from __future__ import annotations

import doctest
from collections.abc import Iterable
from typing import Any

import meja
from meja import rows
from meja.arena import simulate
from meja.bots import Bot, RandomBot
from meja.record import Record


def records(name: str = "smear", seats: int = 2, count: int = 3) -> list[Record]:
    bots: list[str | Bot] = ["rules-of-thumb", *["random"] * (seats - 1)]
    return list(simulate(meja.make_rules(name, seats), bots, count, seed=4))


def same_keys(made: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    found = list(made)
    assert len({tuple(row) for row in found}) == 1
    return found


def test_examples_do_what_they_say() -> None:
    result = doctest.testmod(rows)
    assert result.attempted > 0
    assert result.failed == 0


def test_matches_tell_the_totals_of_the_record() -> None:
    made = records()
    found = same_keys(rows.matches(made))
    assert len(found) == 6
    for row in found:
        record = made[row["match"]]
        assert record.totals is not None
        assert record.winners is not None
        assert row["total"] == record.totals[row["seat"]]
        assert row["won"] == (row["seat"] in record.winners)
        assert row["deals"] == len(record.deals)


def test_deals_add_up_to_the_totals() -> None:
    for name, seats in (("smear", 3), ("calabresella", 3), ("kaluki", 2), ("bassadewitz", 4)):
        made = records(name, seats, 2)
        found = same_keys(rows.deals(made))
        for number, record in enumerate(made):
            assert record.totals is not None
            for seat in range(seats):
                mine = [row for row in found if row["match"] == number and row["seat"] == seat]
                assert len(mine) == len(record.deals)
                assert sum(row["points"] or 0 for row in mine) == mine[-1]["total"] == record.totals[seat]
                assert sum(row["dealer"] for row in mine) == sum(deal.dealer == seat for deal in record.deals)
        assert sum(row["actions"] for row in found) == sum(len(deal) for record in made for deal in record)


def test_void_deals_and_deals_in_progress_have_no_points() -> None:
    match = meja.new_match("smear", 2)
    match.next_deal(meja.Rng(1))
    match.apply("pass")
    (first, _) = rows.deals([Record.of_match(match)])
    assert first["points"] is None
    assert first["void"] is False
    assert [row["won"] for row in rows.matches([Record.of_match(match)])] == [None, None]


def test_actions_part_the_verb_from_the_rest() -> None:
    made = records("kaluki", 2, 1)
    found = same_keys(rows.actions(made))
    assert len(found) == sum(len(deal) for deal in made[0])
    for row in found:
        assert row["action"] == f"{row['verb']} {row['what']}".strip()
        assert made[0].deals[row["deal"]].actions[row["turn"]] == (row["seat"], row["action"])
    assert {"draw", "discard"} <= {row["verb"] for row in found}


def test_nothing_gives_no_rows() -> None:
    assert list(rows.matches([])) == list(rows.deals([])) == list(rows.actions([])) == []


def test_a_bot_of_ones_own_plays_beside_named_ones() -> None:
    class Mine(RandomBot):
        name = "mine"

    class Nameless(RandomBot):
        name = ""

    rules = meja.make_rules("smear", 3)
    (record,) = simulate(rules, [Mine(), "random", Nameless()], 1, seed=2)
    assert record.players == ("bot:mine", "bot:random", "bot:Nameless")
    (again,) = simulate(rules, ["random"] * 3, 1, seed=2)
    assert again.deals == record.deals
