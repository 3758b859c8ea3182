"""Taking back: alone any own decision of the deal, among people what showed no hidden card in an own turn of Kaluki."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from tests.table.hall import At, Hall, by_chance, by_thumb, kinds, short

from meja.cards import Rng
from meja.games import games
from meja.table import log
from meja.table.commands import Act, Leave, Refusal, Retake, Undo, undo_point

pytestmark = pytest.mark.anyio


def cards(told: Any) -> Any:
    """What an update tells of the cards."""
    return {name: value for name, value in told["view"].items() if name != "last_trick"}


async def _deal(at: At) -> None:
    """Play until a deal is on and it is the turn of a person."""
    while at.table.status != "playing":
        await at.step(by_chance(Rng(1)))


@pytest.mark.parametrize("name", games())
async def test_alone_every_own_decision_of_the_deal_can_be_taken_back(name: str, hall: Hall) -> None:
    for seed in range(4):
        at = await hall.table(short(name, 3), "prr")
        await at.follow(0)
        await _deal(at)
        pick = by_chance(Rng(seed, len(name)))
        seen = []
        number = at.table.deal_number
        for _ in range(12):
            if at.table.status != "playing" or at.table.deal_number != number:
                break
            if len(list(islice(at.deal.legal_actions(), 2))) > 1:
                seen.append((await at.look(0), len(at.deal.actions())))
            await at.play(pick)
        if at.table.deal_number != number or at.table.status != "playing":
            continue
        assert seen
        while seen:
            before, actions = seen.pop()
            assert undo_point(at.table, 0) == actions
            head = at.table.head
            await at.do(0, Undo())
            told = await at.look(0)
            assert cards(told) == cards(before)
            assert told["state"]["scores"] == before["state"]["scores"]
            assert kinds((await at.look(0, after=head))["steps"]) == ["undo"]
        # Nothing is left to take back; it is the first decision again.
        assert undo_point(at.table, 0) is None
        with pytest.raises(Refusal) as caught:
            await at.do(0, Undo())
        assert caught.value.code == "no-undo"
        meta = at.table.record().meta
        assert meta is not None
        assert meta["undos"] == at.table.undos > 0


@pytest.mark.parametrize("name", games())
async def test_after_taking_back_the_match_goes_on_to_its_end(name: str, hall: Hall) -> None:
    at = await hall.table(short(name, 3), "prb")
    await at.follow(0)
    rng = Rng(3, len(name))
    pick = by_thumb(rng)
    undone = 0
    for _ in range(600):
        if at.table.over:
            break
        if undone < 8 and rng.below(4) == 0 and undo_point(at.table, 0) is not None:
            await at.do(0, Undo())
            undone += 1
        await at.step(pick)
    assert undone > 5
    record = at.table.record()
    # What was taken back is in no record; what was played instead obeys the rules.
    assert record.replay().totals == at.table.match.totals  # type: ignore[union-attr]


async def test_what_bots_did_since_is_taken_back_too(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 4), "prrr")
    await at.follow(0)
    await _deal(at)
    before = at.deal.actions()
    while len(at.deal.legal_actions()) < 2:
        await at.play(by_chance(Rng(2)))
        before = at.deal.actions()
    await at.play(by_chance(Rng(2)))
    assert len(at.deal.actions()) > len(before) + 1
    await at.do(0, Undo())
    assert at.deal.actions() == before
    assert at.table.to_act == 0


async def test_nothing_is_taken_back_between_deals_or_while_a_bot_plays(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "prr")
    await at.follow(0)
    pick = by_chance(Rng(2))
    await _deal(at)
    while at.table.status == "playing":
        await at.play(pick)
    assert undo_point(at.table, 0) is None
    await at.ready()
    while undo_point(at.table, 0) is None:
        await at.play(pick)
    await at.do(0, Leave(), settle=False)
    assert undo_point(at.table, 0) is None
    await at.do(0, Retake(), settle=False)


@pytest.mark.parametrize("name", [name for name in games() if name != "kaluki"])
async def test_among_people_a_card_once_played_lies(name: str, hall: Hall) -> None:
    at = await hall.table(short(name, 3), "ppr")
    await at.follow(0, 1)
    pick = by_chance(Rng(2))
    for _ in range(25):
        assert undo_point(at.table, 0) is None
        assert undo_point(at.table, 1) is None
        await at.step(pick)
    # Also when the other one has left: what was seen was seen.
    await at.do(1, Leave())
    if at.table.status == "playing":
        assert undo_point(at.table, 0) is None


async def test_among_people_kaluki_takes_back_melds_and_nothing_that_showed_a_card(hall: Hall) -> None:
    """In the own turn only, and only what was done since the last hidden card was seen."""
    rng = Rng(9)
    undone: dict[str, int] = {}
    for options in ({}, {"opening": "total"}):
        at = await hall.table(short("kaluki", 2, **options), "pp")
        await at.follow(0, 1)
        thumb = by_thumb(rng)
        views: list[Any] = []
        for _ in range(240):
            if at.table.status != "playing":
                views.clear()
                if at.table.over:
                    break
                await at.ready()
                continue
            seat = at.table.to_act
            assert seat is not None
            action = thumb(at.deal)
            verb = at.deal.text(action).split()[0]
            before = [cards(await at.look(reader, after=at.table.head)) for reader in (0, 1, None)]
            deal = at.table.deal_number
            await at.do(seat, Act(at.deal.text(action)))
            if at.table.status != "playing" or at.table.deal_number != deal:
                continue
            assert undo_point(at.table, 1 - seat) is None
            allowed = undo_point(at.table, seat) is not None
            assert allowed == (verb not in ("draw", "discard"))
            if allowed and undone.get(verb, 0) < 5:
                await at.do(seat, Undo())
                # For everybody it is as if it had not been done.
                assert [cards(await at.look(reader, after=at.table.head)) for reader in (0, 1, None)] == before
                undone[verb] = undone.get(verb, 0) + 1
                await at.do(seat, Act(at.deal.text(action)))
    assert undone.get("meld", 0) + undone.get("open", 0) > 2
    assert undone.get("add", 0) > 0
    # Everybody saw the card that was taken, and those below it.
    assert undone.get("take", 0) > 0


async def test_a_turn_is_taken_back_meld_by_meld_to_the_card_that_was_drawn(hall: Hall) -> None:
    rng = Rng(4)
    at = await hall.table(short("kaluki", 2), "pp")
    await at.follow(0, 1)
    thumb = by_thumb(rng)
    longest = 0
    for _ in range(400):
        if at.table.over or longest > 1:
            break
        if at.table.status == "between":
            await at.ready()
            continue
        seat, turn = at.table.to_act, 0
        assert seat is not None
        deal = at.table.deal_number
        await at.play(thumb)
        while at.table.status == "playing" and at.table.deal_number == deal and at.table.to_act == seat:
            action = thumb(at.deal)
            if at.deal.text(action).startswith("discard"):
                break
            await at.do(seat, Act(at.deal.text(action)))
            turn += 1
        if at.table.status != "playing" or at.table.to_act != seat:
            continue
        longest = max(longest, turn)
        for _ in range(turn):
            await at.do(seat, Undo())
        done = [at.deal.text(action) for who, action in at.deal.actions()[-1:]]
        assert turn == 0 or done[0].split()[0] in ("draw", "take")
        if done[0] == "draw":
            with pytest.raises(Refusal):
                await at.do(seat, Undo())
        await at.play(thumb)
    assert longest > 1


async def test_the_log_keeps_what_was_taken_back(hall: Hall) -> None:
    at = await hall.table(short("smear", 2), "pr")
    await at.follow(0)
    await _deal(at)
    while undo_point(at.table, 0) is None:
        await at.play(by_chance(Rng(2)))
    rows = await hall.rows(at.id)
    await at.do(0, Undo())
    after = await hall.rows(at.id)
    assert after[: len(rows)] == rows
    assert isinstance(after[len(rows)].entry, log.Undone)
    told = await at.look(0)
    assert "You take back a decision." in told["story"]
