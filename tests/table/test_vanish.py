"""No table is stuck: whoever vanishes, the others go on; without people a table stands still and is kept."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.table.hall import At, Hall, by_chance, by_thumb, kinds, opened, short

from meja.cards import Rng
from meja.games import games
from meja.table import log
from meja.table.commands import Act, Chat, Cover, Host, Leave, PlaceBot, Refusal, Retake, Sit, Start
from meja.table.live import COUNTDOWN, FIRST_WAIT, GRACE, HOST_AWAY, IDLE, LATE, LATENCY, MAY_COVER, NOTICE, WILL_COVER
from meja.table.people import DECISION, PAUSE
from meja.table.service import UNUSED

pytestmark = pytest.mark.anyio


async def go_on(at: At, seats: set[int], pick: Any) -> None:
    """Those who are still here do what they are asked to."""
    table = at.table
    for seat in seats:
        told = await at.look(seat, after=table.head)
        if told["state"]["can"]["ready"]:
            await at.ready(seat)
        if table.to_act == seat and table.seats[seat].plays:
            await at.play(pick)


async def finish(at: At, seats: set[int], pick: Any, minutes: int) -> None:
    """The match comes to its end by those who are here, in so much time at the most."""
    for _ in range(60 * minutes):
        if at.table.over:
            return
        await go_on(at, seats, pick)
        await at.hall.passes(1)
    raise AssertionError(f"stuck: {at.table.status}, {at.table.to_act} to act, head {at.table.head}")


# -- somebody vanishes --------------------------------------------------------------


@settings(max_examples=6)
@given(st.data())
async def test_whoever_vanishes_the_others_finish_the_match(data: st.DataObject) -> None:
    await _vanish(data)


@pytest.mark.long
@settings(max_examples=120)
@given(st.data())
async def test_whoever_vanishes_the_others_finish_the_match_in_very_many_ways(data: st.DataObject) -> None:
    await _vanish(data)


async def _vanish(data: st.DataObject) -> None:
    """Some people close their browsers at some moments; the others play on."""
    name = data.draw(st.sampled_from(games()))
    pattern = data.draw(st.sampled_from(["ppp", "ppr", "prp"]))
    clock = data.draw(st.sampled_from(["off", "off", "relaxed", "quick"]))
    people = [seat for seat, sign in enumerate(pattern) if sign == "p"]
    gone = data.draw(st.sets(st.sampled_from(people), min_size=1, max_size=len(people) - 1))
    # At which action of the match each of them closes the browser.
    moments = {seat: data.draw(st.integers(0, 60)) for seat in sorted(gone)}
    goodbye = {seat: data.draw(st.booleans()) for seat in sorted(gone)}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(shutil.copy(_BLANK[0], folder))
        async with opened(path) as hall:
            at = await hall.table(short(name, 3), pattern, clock=clock)
            streams = dict(zip(people, await at.follow(*people), strict=True))
            pick = by_thumb(Rng(data.draw(st.integers(0, 999))))
            here = set(people)
            for moment in range(61):
                for seat, when in moments.items():
                    if when == moment:
                        if goodbye[seat] and not at.table.over and not at.table.seats[seat].covered:
                            await at.do(seat, Leave())
                        await streams[seat].leave()
                        here.discard(seat)
                if at.table.over:
                    break
                await go_on(at, here, pick)
                await hall.passes(0.5, 0.5)
            await finish(at, here, pick, 60)
            assert at.table.match is not None
            assert at.table.match.winners is not None
            assert at.table.host in {hall.ids[seat] for seat in here}
            # What the bots did for those who vanished obeys the rules.
            at.table.record().replay()


_BLANK: list[Path] = []


@pytest.fixture(autouse=True)
def _blank(blank: Path) -> None:
    _BLANK[:] = [blank]


async def test_a_bot_comes_after_a_countdown_that_everybody_sees(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "ppr")
    streams = await at.follow(0, 1)
    await at.ready()
    while at.table.to_act != 1:
        await at.play(by_chance(Rng(1)))
    await streams[1].leave()
    gone = hall.clock.now
    seen: list[tuple[int, bool, int | None]] = []
    while not at.table.seats[1].covered:
        await hall.passes(1)
        seat = (await at.look(0, after=at.table.head))["state"]["seats"][1]
        seen.append((hall.clock.now - gone, seat["here"], seat["cover_at"]))
        assert hall.clock.now - gone <= WILL_COVER + COUNTDOWN + 6000
    # First the others see that the person is away, then the countdown, then the bot plays.
    assert all(here == (after < GRACE) for after, here, _ in seen)
    counting = [after for after, _, until in seen if until is not None]
    assert abs(counting[0] - WILL_COVER) <= 6000
    assert counting[-1] - counting[0] >= COUNTDOWN - 2000
    assert await _acted(at, 1)
    assert "Budi is away; a bot plays on." in (await at.look(0))["story"]


async def _acted(at: At, seat: int) -> bool:
    """Whether a bot has acted for a seat."""
    rows = await at.hall.rows(at.id)
    return any(isinstance(row.entry, log.Acted) and row.entry.seat == seat and row.entry.by == "bot" for row in rows)


async def test_anybody_at_the_table_may_ask_for_a_bot_sooner(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "ppp")
    streams = await at.follow(0, 1, 2)
    await at.ready()
    await streams[1].leave()
    await hall.passes(2)
    with pytest.raises(Refusal) as caught:
        await at.do(2, Cover(1))
    assert caught.value.code == "here"
    await hall.passes(GRACE / 1000 + 1)
    assert (await at.look(2))["state"]["can"]["cover"] == [1]
    assert GRACE >= MAY_COVER
    await at.do(2, Cover(1))
    until = (await at.look(0))["state"]["seats"][1]["cover_at"]
    assert until == hall.clock.now + COUNTDOWN
    await hall.passes(COUNTDOWN / 1000 - 1)
    assert not at.table.seats[1].covered
    await hall.passes(2)
    assert at.table.seats[1].covered


@pytest.mark.parametrize("way", ["stream", "poll", "command"])
async def test_whoever_comes_back_in_time_keeps_the_seat(way: str, hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "ppp")
    streams = await at.follow(0, 1, 2)
    await at.ready()
    await streams[1].leave()
    await hall.passes(20)
    await at.do(0, Cover(1))
    await hall.passes(10)
    match way:
        case "stream":
            await at.follow(1)
        case "poll":
            await hall.service.poll(at.id, hall.ids[1], "en", None, 0.0)
        case _:
            await at.do(1, Chat("back!"))
    seat = (await at.look(0))["state"]["seats"][1]
    assert seat["here"]
    assert seat["cover_at"] is None
    await hall.passes(7)
    assert not at.table.seats[1].covered


async def test_somebody_who_is_here_but_does_nothing_can_be_covered_and_acting_ends_it(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "ppp")
    await at.follow(0, 1, 2)
    await at.ready()
    seat = at.table.to_act
    assert seat is not None
    other = (seat + 1) % 3
    await hall.passes(IDLE / 1000 - 5)
    assert (await at.look(other))["state"]["can"]["cover"] == []
    await hall.passes(12)
    assert (await at.look(other))["state"]["can"]["cover"] == [seat]
    await at.do(other, Cover(seat))
    await hall.passes(10)
    await at.play(by_chance(Rng(1)))
    assert (await at.look(other))["state"]["seats"][seat]["cover_at"] is None
    await hall.passes(30)
    assert not at.table.seats[seat].covered
    # The next one is as idle, and this time the countdown runs out.
    seat = at.table.to_act
    assert seat is not None
    await hall.passes(IDLE / 1000)
    await at.do((seat + 1) % 3, Cover(seat))
    # Talking is not playing.
    await at.do(seat, Chat("wait"))
    await hall.passes(COUNTDOWN / 1000 + 6)
    assert at.table.seats[seat].covered


async def test_the_seat_can_be_taken_back_at_any_time(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "ppr")
    streams = await at.follow(0, 1)
    await at.ready()
    pick = by_thumb(Rng(2))
    await streams[1].leave()
    for _ in range(200):
        await go_on(at, {0}, pick)
        await hall.passes(1)
        if at.table.seats[1].covered and at.table.to_act == 0:
            break
    await at.follow(1)
    told = await at.look(1)
    assert told["state"]["can"]["retake"]
    assert len(told["view"]["hand"]) == len(at.deal.zones()["hand 1"])
    await at.do(1, Retake())
    assert kinds((await at.look(0, after=at.table.head - 1))["steps"]) == ["retake"]
    await go_on(at, {0}, pick)
    while at.table.to_act != 1:
        await go_on(at, {0}, pick)
    assert (await at.look(1))["view"]["legal"]
    head = at.table.head
    await hall.passes(30)
    assert at.table.head == head
    await at.play(pick)


async def test_two_who_left_and_watch_do_not_hand_the_role_of_host_to_and_fro(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "ppr")
    await at.follow(0, 1)
    await at.ready()
    await at.do(0, Leave())
    await at.do(1, Leave())
    await hall.passes(30)
    head = at.table.head
    await hall.passes(120)
    assert at.table.head == head
    # Nobody plays, so no further deal is dealt; but each may come back.
    assert at.table.status == "between"
    await at.do(1, Retake())
    await at.ready()
    assert at.table.status == "playing"


# -- nobody is there ----------------------------------------------------------------


@pytest.mark.parametrize("clock", DECISION)
@pytest.mark.parametrize("moment", ["before the first deal", "at a person's turn", "at a bot's turn", "between deals"])
async def test_without_people_a_table_stands_still_and_goes_on_when_somebody_returns(
    clock: str, moment: str, hall: Hall
) -> None:
    at = await hall.table(short("bassadewitz", 3), "prr" if moment == "at a bot's turn" else "ppr", clock=clock)
    people = at.table.people
    streams = await at.follow(*people, None)
    pick = by_chance(Rng(3))
    if moment != "before the first deal":
        await at.ready()
        for _ in range(4):
            await at.step(pick)
    if moment == "between deals":
        while at.table.status == "playing":
            await at.step(pick)
    if moment == "at a bot's turn":
        # The person plays and is gone in the same moment: the bot's turn comes when nobody is there.
        hall.service._kick = lambda live: None  # type: ignore[method-assign]
        while at.table.status == "playing" and at.table.seats[at.table.to_act or 0].kind == "person":
            await at.play(pick)
    for stream in streams[: len(people)]:
        await stream.leave()
    # A moment of grace: somebody who reloads the page is not missed.
    await hall.passes(0.5)
    if moment == "at a bot's turn":
        del hall.service._kick
        hall.clock.now += GRACE
        assert at.table.seats[at.table.to_act or 0].kind == "bot"
    else:
        await hall.passes(GRACE / 1000 + 1)
    head = at.table.head
    assert at.live.followers == 1
    await hall.passes(1800, 10)
    # The spectator saw nothing happen: no bot played, no clock ran out, nobody was covered.
    assert at.table.head == head
    assert not any(seat.covered for seat in at.table.seats)
    await at.follow(*people)
    for _ in range(200):
        if at.table.deal_number > 1 or at.table.over:
            break
        await go_on(at, set(people), pick)
        await hall.passes(1)
    assert at.table.deal_number > 1
    assert not any(seat.covered for seat in at.table.seats)


async def test_the_clock_starts_anew_when_somebody_returns(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "ppr", clock="quick")
    streams = await at.follow(0, 1)
    await at.ready()
    while at.table.to_act != 0:
        await at.play(by_chance(Rng(1)))
    await hall.passes(3)
    for stream in streams:
        await stream.leave()
    await hall.passes(3600, 30)
    head = at.table.head
    await at.follow(0, 1)
    limit = DECISION["quick"]
    assert limit is not None
    assert (await at.look(0))["state"]["clock"] == {
        "mode": "quick",
        "seat": 0,
        "deadline": hall.clock.now + limit * 1000,
    }
    await hall.passes(limit - 2)
    assert at.table.head == head


@pytest.mark.parametrize("name", games())
async def test_a_restart_loses_nothing_and_the_match_goes_on(name: str, hall: Hall) -> None:
    at = await hall.table(short(name, 3), "ppr")
    streams = await at.follow(0, 1)
    pick = by_thumb(Rng(5, len(name)))
    current = hall
    try:
        for number in range(5):
            for _ in range(7):
                if not at.table.over:
                    await at.step(pick)
            await current.settle()
            before = [await at.bytes(reader) for reader in (0, 1, None)]
            head = at.table.head
            for stream in streams:
                await stream.leave()
            current = await current.again()
            at = await current.at(at.id)
            assert at.table.head == head
            # Those who come again are told the very same, but for who is here.
            after = [await at.bytes(reader) for reader in (0, 1, None)]
            assert [_cards(one) for one in after] == [_cards(one) for one in before]
            await current.passes(20)
            assert at.table.head == head, "a bot moved before anybody had come back"
            streams = await at.follow(0, 1)
            if number == 0:
                told = await at.look(0, after=2)
                assert [step["seq"] for step in told["steps"]] == list(range(3, at.table.head + 1))
    finally:
        await current.close()


def _cards(raw: bytes) -> Any:
    told = json.loads(raw)
    return [told["view"], told["story"], told["head"], told["state"]["scores"], told["state"]["messages"]]


async def test_a_table_that_nobody_uses_leaves_memory_and_comes_back_as_it_was(hall: Hall) -> None:
    at = await hall.table(short("kaluki", 2), "pp")
    streams = await at.follow(0, 1, None)
    await at.ready()
    for _ in range(9):
        await at.step(by_thumb(Rng(1)))
    before, live = await at.bytes(0), at.live
    for stream in streams:
        await stream.leave()
    assert hall.service.tables == 1
    await hall.passes(UNUSED + 20, 10)
    assert hall.service.tables == 0
    again = await hall.at(at.id)
    assert again.live is not live
    assert _cards(await again.bytes(0)) == _cards(before)


async def test_whoever_only_watches_keeps_the_table_at_hand_but_not_going(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "prr")
    await at.follow(None)
    await hall.passes(UNUSED + 60, 10)
    assert hall.service.tables == 1
    assert at.table.deal_number == 0


# -- the host -----------------------------------------------------------------------


@pytest.mark.parametrize("stage", ["open", "between", "playing"])
async def test_the_role_of_the_host_passes_on_to_somebody_who_is_here(stage: str, hall: Hall) -> None:
    pattern = "pp-p" if stage == "open" else "pprp"
    at = await hall.table(short("bassadewitz", 4), pattern, start=stage != "open")
    streams = await at.follow(0, 1, 3)
    if stage == "playing":
        await at.ready()
    assert at.table.status == stage
    await streams[0].leave()
    await streams[1].leave()
    await hall.passes(HOST_AWAY / 1000 - 6)
    assert at.table.host == hall.ids[0]
    await hall.passes(14)
    assert at.table.host == hall.ids[3]
    assert (await at.look(3))["state"]["can"]["host"]
    if stage == "open":
        await at.do(3, PlaceBot(2, "random"))
        await at.do(3, Start())
    assert at.table.status != "open"
    # The old host who comes back is a person like the others.
    await at.follow(0)
    await hall.passes(5)
    assert at.table.host == hall.ids[3]
    await at.do(3, Host(0))
    assert (await at.look(0))["state"]["me"]["host"]


async def test_alone_the_host_keeps_the_role(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 4), "p--r", start=False)
    streams = await at.follow(0, None)
    await streams[0].leave()
    await hall.passes(300, 5)
    assert at.table.host == hall.ids[0]
    # But somebody who sits down where nobody else is takes care of the table.
    await at.do(1, Sit(1))
    await at.follow(1)
    await hall.passes(HOST_AWAY / 1000 + 6)
    assert at.table.host == hall.ids[1]


# -- clocks -------------------------------------------------------------------------


@pytest.mark.parametrize("clock", [clock for clock, limit in DECISION.items() if limit is not None])
async def test_a_timeout_acts_and_the_third_in_a_row_brings_a_bot(clock: str, hall: Hall) -> None:
    limit = DECISION[clock]
    assert limit is not None
    at = await hall.table(short("bassadewitz", 3), "ppr", clock=clock)
    await at.follow(0, 1)
    await at.ready()
    pick = by_chance(Rng(1))
    late = 0
    while at.table.status == "playing" and not at.table.seats[1].covered:
        if at.table.to_act == 0:
            await at.play(pick)
            continue
        told = (await at.look(0, after=at.table.head))["state"]["clock"]
        assert told == {"mode": clock, "seat": 1, "deadline": at.table.turn_at + limit * 1000}
        head = at.table.head
        await hall.passes((told["deadline"] - hall.clock.now) / 1000)
        assert at.table.head == head
        await hall.passes(LATENCY / 1000 + 6)
        assert at.table.head > head
        step = (await at.look(0, after=head))["steps"][0]
        if step["kind"] == "act":
            late += 1
            assert step["lines"][0] == "The time of Budi is up; a bot decides."
        else:
            assert step["kind"] == "cover"
    assert late == LATE
    assert at.table.seats[1].covered
    # For a bot no clock runs, and the person may come back.
    assert (await at.look(0))["state"]["clock"]["seat"] in (0, None)
    await at.do(1, Retake())
    assert not at.table.seats[1].covered


async def test_a_move_in_time_starts_the_count_anew(hall: Hall) -> None:
    limit = DECISION["quick"]
    assert limit is not None
    at = await hall.table(short("bassadewitz", 3), "ppr", clock="quick")
    await at.follow(0, 1)
    await at.ready()
    pick = by_chance(Rng(1))
    for number in range(6):
        while at.table.to_act != 1 or at.table.status != "playing":
            await at.step(pick)
        if number % 2:
            await at.play(pick)
        else:
            await hall.passes(limit + 6)
    assert not at.table.seats[1].covered


async def test_leaving_and_coming_back_wins_no_time(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "ppp", clock="quick")
    await at.follow(0, 1, 2)
    await at.ready()
    seat = at.table.to_act
    assert seat is not None
    deadline = (await at.look(seat))["state"]["clock"]["deadline"]
    await hall.passes(10)
    for other in [(seat + 1) % 3, seat]:
        await at.do(other, Leave(), settle=False)
        await at.do(other, Retake(), settle=False)
        clock = (await at.look(seat))["state"]["clock"]
        if at.table.to_act == seat:
            assert clock["deadline"] == deadline


async def test_with_the_clock_off_everybody_may_think(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "ppr")
    await at.follow(0, 1)
    await at.ready()
    head = at.table.head
    assert (await at.look(0))["state"]["clock"] == {"mode": "off", "seat": None, "deadline": None}
    await hall.passes(7200, 10)
    assert at.table.head == head


# -- between deals ------------------------------------------------------------------


async def test_the_first_deal_does_not_wait_long_for_a_slow_browser(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "ppr")
    await at.follow(0, 1)
    assert (await at.look(0))["state"]["next_at"] == hall.clock.now + FIRST_WAIT
    await at.ready(0)
    assert at.table.status == "between"
    await hall.passes(FIRST_WAIT / 1000 + 1)
    assert at.table.status == "playing"


@pytest.mark.parametrize("clock", PAUSE)
async def test_the_next_deal_waits_for_everybody_but_not_for_ever(clock: str, hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "ppr", clock=clock)
    await at.follow(0, 1)
    await at.ready()
    pick = by_chance(Rng(1))
    while at.table.status == "playing":
        await at.play(pick)
    await hall.passes(300, 5)
    # Nobody is ready yet: nobody is hurried while looking at the sheet.
    assert at.table.status == "between"
    assert (await at.look(0))["state"]["next_at"] is None
    await at.ready(1)
    # Even so it does not begin out of nothing.
    assert (await at.look(0))["state"]["next_at"] == hall.clock.now + NOTICE
    await hall.passes(NOTICE / 1000 - 1)
    assert at.table.status == "between"
    await hall.passes(7)
    assert at.table.status == "playing"
    while at.table.status == "playing":
        await at.play(pick)
    ended = hall.clock.now
    await at.ready(0)
    assert (await at.look(0))["state"]["next_at"] == ended + PAUSE[clock] * 1000
    await hall.passes(PAUSE[clock] + 6)
    assert at.table.status == "playing"


async def test_alone_the_next_deal_waits_for_ever(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "prr")
    await at.follow(0)
    await at.ready()
    while at.table.status == "playing":
        await at.play(by_chance(Rng(1)))
    head = at.table.head
    await hall.passes(3600, 10)
    assert at.table.head == head
    await at.ready()
    assert at.table.status == "playing"


async def test_a_person_covered_between_deals_is_not_waited_for(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "ppr")
    streams = await at.follow(0, 1)
    await at.ready()
    while at.table.status == "playing":
        await at.play(by_chance(Rng(1)))
    await streams[1].leave()
    await hall.passes((WILL_COVER + COUNTDOWN) / 1000 + 10)
    assert at.table.seats[1].covered
    await at.ready(0)
    assert at.table.status == "playing"


async def test_a_move_while_a_bot_thinks_for_somebody_is_not_lost(hall: Hall) -> None:
    """Retaking in the moment in which the bot would act: one of them acts, and once."""
    at = await hall.table(short("bassadewitz", 3), "ppp")
    await at.follow(0, 1, 2)
    await at.ready()
    seat = at.table.to_act
    assert seat is not None
    hand = len(at.deal.zones()[f"hand {seat}"])
    await at.do(seat, Leave(), settle=False)
    await at.do(seat, Retake(), settle=False)
    await hall.settle()
    if at.table.to_act == seat:
        await at.do(seat, Act(at.deal.text(next(iter(at.deal.legal_actions())))))
    assert len(at.deal.zones()[f"hand {seat}"]) == hand - 1
