"""The service itself: tables made once, streams without gaps, other processes at the same store, storage that fails."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.table.hall import Hall, Stream, by_chance, by_thumb, person, short

from meja.cards import Rng
from meja.errors import MejaError
from meja.games import games
from meja.table import log, store
from meja.table.commands import Act, Chat, Close, Leave, Phrase, Refusal, Retake, Sit, Stand, Undo, undo_point
from meja.table.service import NotFound, Service
from meja.table.store import StorageFault

pytestmark = pytest.mark.anyio


# -- making tables ------------------------------------------------------------------


def _setup(seats: int = 2) -> log.Created:
    rules = short("smear", seats)
    others = [log.SeatSetup("bot", f"Bot {seat}", level="random") for seat in range(1, seats)]
    return log.Created(
        "smear",
        rules.to_dict(),
        rules.version,
        [log.SeatSetup("person", "Ana", person(0)), *others],
        person(0),
        "off",
        True,
        False,
        True,
    )


async def test_the_same_key_makes_the_same_table(hall: Hall) -> None:
    first = await hall.service.create(person(0), "key-table-1", _setup(), True)
    assert first[1]
    assert await hall.service.create(person(0), "key-table-1", _setup(), True) == (first[0], False)
    assert (await hall.service.create(person(1), "key-table-1", _setup(), True))[0] != first[0]
    assert hall.service.tables == 2


async def test_a_double_click_on_create_makes_one_table(hall: Hall) -> None:
    made = await asyncio.gather(*(hall.service.create(person(0), "key-table-2", _setup(), True) for _ in range(5)))
    assert len({table for table, _ in made}) == 1
    assert sorted(new for _, new in made) == [False] * 4 + [True]
    await hall.settle()
    assert hall.service.tables == 1
    rows = await hall.rows(made[0][0])
    assert [log.kind(row.entry) for row in rows] == ["created", "started", "commit"]


async def test_two_processes_make_one_table_of_one_key(hall: Hall) -> None:
    other = Hall(hall.path, clock=hall.clock)
    try:
        made = await asyncio.gather(
            *(one.service.create(person(0), "key-table-3", _setup(), True) for one in (hall, other))
        )
        assert made[0][0] == made[1][0]
        assert sorted(new for _, new in made) == [False, True]
        assert (await hall.at(made[0][0])).table.head >= 2
        assert (await other.at(made[0][0])).table.head >= 2
    finally:
        await other.close()


async def test_a_table_that_was_refused_can_be_made_with_the_same_key(hall: Hall) -> None:
    setup = _setup(3)
    setup.seats[2] = log.SeatSetup("open")
    with pytest.raises(Refusal):
        await hall.service.create(person(0), "key-table-4", setup, True)
    table, new = await hall.service.create(person(0), "key-table-4", setup, False)
    assert new
    assert (await hall.at(table)).table.status == "open"


async def test_there_is_no_table_of_a_name_that_was_not_given(hall: Hall) -> None:
    for name in ("", "x", "aaaaaaaaaaaa", "../../etc/passwd", "' OR 1=1 --", "\x00"):
        with pytest.raises(NotFound):
            await hall.at(name)
    assert hall.service.tables == 0


async def test_the_name_of_a_table_does_not_tell_who_made_it(hall: Hall) -> None:
    names = {(await hall.service.create(person(0), f"key-table-{number}", _setup(), False))[0] for number in range(20)}
    assert len(names) == 20
    assert all(name.isalnum() and len(name) >= 10 for name in names)
    assert len({name[:4] for name in names}) == 20


# -- following ----------------------------------------------------------------------


async def test_followers_get_every_step_once_however_slow_they_are(hall: Hall) -> None:
    """Readers who look now and then, in any rhythm, after any gap and in several deals: contiguous, each step once."""
    rng = Rng(12)
    at = await hall.table(short("bassadewitz", 3), "ppr")
    await at.follow(0, 1)
    followers: list[tuple[int | None, Stream, list[int]]] = []
    for reader in (0, 1, None, None):
        stream = Stream(hall, at.id, hall.ids[reader], "en", 0)
        hall._streams.append(stream)
        followers.append((reader, stream, []))
    polled: list[int] = []
    pick = by_thumb(rng)
    while not at.table.over:
        await at.step(pick)
        for _, stream, seen in followers:
            while rng.below(4) == 0 and (not seen or seen[-1] < at.table.head):
                seen += [step["seq"] for step in (await stream.next())["steps"]]
        if rng.below(9) == 0:
            raw = await hall.service.poll(at.id, None, "id", polled[-1] if polled else 0, 0.0)
            polled += [step["seq"] for step in json.loads(raw)["steps"]]
    everything = list(range(1, at.table.head + 1))
    for _, stream, seen in followers:
        while seen[-1] < at.table.head:
            seen += [step["seq"] for step in (await stream.next())["steps"]]
        assert seen == everything
    raw = await hall.service.poll(at.id, None, "id", polled[-1], 0.0)
    assert polled + [step["seq"] for step in json.loads(raw)["steps"]] == everything


@pytest.mark.parametrize("seats", ["prr", "ppr"])
@pytest.mark.parametrize("name", games())
async def test_steps_are_told_the_same_at_once_and_long_after(name: str, seats: str, hall: Hall) -> None:
    """Who follows live, comes a little late, or a deal too late, reads the same lines and events."""
    at = await hall.table(short(name, 3), seats)
    await at.follow(*at.table.people)
    rng = Rng(2, len(name))
    readers = (0, 1, None)
    live: dict[Any, Any] = {}
    pick = by_thumb(rng) if name == "kaluki" else by_chance(rng)
    for _ in range(90):
        if at.table.over or at.table.deal_number > 3:
            break
        head = at.table.head
        seat = rng.choice(at.table.people)
        if rng.below(5) == 0 and undo_point(at.table, seat) is not None:
            await at.do(seat, Undo())
        elif rng.below(8) == 0:
            await at.do(seat, Phrase("wow"))
        else:
            await at.step(pick)
        for reader in readers:
            for step in (await at.look(reader, after=head))["steps"]:
                live[reader, step["seq"]] = step
    first = at.table.steps[0].seq
    assert name == "kaluki" or first > 10
    for reader in readers:
        told = 0
        for after in (3, first - 8, first - 1, first, first + rng.below(20), at.table.head - 7, at.table.head - 1):
            for step in (await at.look(reader, after=max(after, 3)))["steps"]:
                assert step == live[reader, step["seq"]]
                told += 1
        assert told > 30


async def test_an_after_that_cannot_be_is_told_everything(hall: Hall) -> None:
    at = await hall.table(short("smear", 2), "pr")
    await at.follow(0)
    for after in (-1, at.table.head + 1, 10**9):
        told = await at.look(0, after=after)
        assert told["after"] is None
        assert told["story"] is not None
    told = await at.look(0, after=at.table.head)
    assert told["after"] == told["head"]
    assert told["steps"] == []


async def test_a_poll_waits_for_news_and_not_longer(hall: Hall) -> None:
    at = await hall.table(short("smear", 2), "pp")
    await at.follow(0, 1)
    waiting = asyncio.create_task(hall.service.poll(at.id, hall.ids[0], "en", at.table.head, 5.0))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    await at.do(1, Chat("hello"))
    told = json.loads(await asyncio.wait_for(waiting, 1))
    assert [step["kind"] for step in told["steps"]] == ["chat"]
    raw = await asyncio.wait_for(hall.service.poll(at.id, hall.ids[0], "en", at.table.head, 0.05), 1)
    assert json.loads(raw)["steps"] == []
    # Somebody behind does not wait.
    raw = await asyncio.wait_for(hall.service.poll(at.id, hall.ids[0], "en", 0, 5.0), 1)
    assert json.loads(raw)["steps"]
    assert at.live.followers == 2


async def test_a_stream_beats_while_nothing_happens_and_ends_with_the_service(hall: Hall) -> None:
    at = await hall.table(short("smear", 2), "pp")
    stream = hall.service.follow(at.id, hall.ids[0], "en", None, 0.02)
    assert await anext(stream) is not None
    assert [await asyncio.wait_for(anext(stream), 1) for _ in range(3)] == [None, None, None]
    ending = asyncio.create_task(_to_the_end(stream))
    await asyncio.sleep(0.03)
    await hall.service.stop()
    await asyncio.wait_for(ending, 1)
    assert at.live.followers == 0


async def _to_the_end(stream: Any) -> int:
    return len([update async for update in stream])


async def test_who_comes_and_goes_is_seen_by_the_others(hall: Hall) -> None:
    at = await hall.table(short("smear", 3), "ppr")
    (mine,) = await at.follow(0)
    assert [seat["here"] for seat in (await at.look(0))["state"]["seats"]] == [True, False, True]
    (theirs,) = await at.follow(1)
    told = await mine.next()
    assert told["state"]["seats"][1]["here"]
    await theirs.leave()
    await hall.passes(10)
    told = await mine.next()
    assert not told["state"]["seats"][1]["here"]
    # Two tabs of one person are one person, until both are closed.
    one, two = await at.follow(1, 1)
    await one.leave()
    await hall.passes(30)
    assert (await at.look(0))["state"]["seats"][1]["here"]
    await two.leave()
    await hall.passes(10)
    assert not (await at.look(0))["state"]["seats"][1]["here"]


async def test_the_same_update_is_told_to_all_who_may_see_the_same(hall: Hall) -> None:
    at = await hall.table(short("smear", 2), "pp")
    await at.follow(0, 1)
    await at.ready()
    assert await at.bytes(None) == await hall.service.update(at.live, "person-of-somebody-else", "en", None)
    texts = {await at.bytes(0), await at.bytes(1), await at.bytes(None), await at.bytes(0, language="id")}
    assert len(texts) == 4
    assert json.loads(await hall.service.update(at.live, None, "en", None))["state"]["me"]["known"] is False


async def test_a_name_taken_later_is_the_name_that_is_told(hall: Hall) -> None:
    at = await hall.table(short("smear", 3), "p-r", start=False)
    assert (await at.look(0))["state"]["seats"][1]["name"] == ""
    await at.do(1, Sit(1))
    told = await at.look(0, after=at.table.head - 1)
    assert told["steps"][0]["lines"] == ["Budi sits down."]
    await at.do(1, Stand())
    await at.do(2, Sit(1))
    told = await at.look(0, after=at.table.head - 1)
    assert told["steps"][0]["lines"] == ["Citra sits down."]
    await at.do(2, Phrase("hello"))
    assert (await at.look(0, after=at.table.head - 1))["steps"][0]["lines"] == ["Citra: Hello!"]


# -- another process at the same store ----------------------------------------------


async def test_a_table_that_was_changed_elsewhere_is_read_anew(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "ppp")
    (stream,) = await at.follow(1)
    other = Hall(hall.path, clock=hall.clock)
    try:
        there = await other.at(at.id)
        await there.do(0, Chat("from there"))
        head = there.table.head
        # Here nobody knows yet; a command is refused with a word, and nothing is stored twice or in a wrong place.
        with pytest.raises(StorageFault):
            await at.do(2, Chat("from here"), key="key-here-1")
        assert [row.seq for row in await hall.rows(at.id)] == list(range(1, head + 1))
        # The stream ends so that the browser comes again, and everything is there.
        with pytest.raises(StopAsyncIteration):
            await stream.next()
        await at.do(2, Chat("from here"), key="key-here-1")
        told = await at.look(1)
        assert [message["text"] for message in told["state"]["messages"]] == ["from there", "from here"]
        assert hall.service.tables == 1
    finally:
        await other.close()


async def test_many_who_send_while_the_table_is_read_anew_all_get_an_answer(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "ppp")
    await at.follow(0, 1, 2)
    other = Hall(hall.path, clock=hall.clock)
    try:
        await (await other.at(at.id)).do(0, Chat("from there"))
        found = await asyncio.gather(
            *(at.do(seat, Chat(f"word {number}"), settle=False) for seat in range(3) for number in range(4)),
            return_exceptions=True,
        )
        failed = [one for one in found if isinstance(one, BaseException)]
        assert len(failed) == 1
        assert isinstance(failed[0], StorageFault)
        rows = await hall.rows(at.id)
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        assert sum(isinstance(row.entry, log.Chatted) for row in rows) == 12
    finally:
        await other.close()


async def test_two_processes_with_one_table_make_one_deal_and_one_move(hall: Hall) -> None:
    """Both keep the time of the same table: what happens by itself happens once."""
    at = await hall.table(short("bassadewitz", 3), "pbb")
    other = Hall(hall.path, clock=hall.clock)
    try:
        there = await other.at(at.id)
        await at.follow(0)
        await there.follow(0)
        pick = by_thumb(Rng(3))
        for number in range(60):
            one = (at, there)[number % 2]
            one = await one.hall.at(at.id)
            if one.table.over:
                break
            try:
                await one.step(pick)
            except (MejaError, AssertionError):
                # Told to come again, as a browser is.
                continue
            for hall_of in (hall, other):
                hall_of.service.tick()
                await hall_of.settle()
        rows = await hall.rows(at.id)
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        assert len({(row.actor, row.key) for row in rows}) == len(rows)
        deals = [row.entry.deal for row in rows if isinstance(row.entry, log.Dealt)]
        assert deals == sorted(set(deals))
        assert len(rows) > 30
    finally:
        await other.close()


# -- storage that fails -------------------------------------------------------------


class Broken:
    """Makes the writing of a store fail for a while."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.write = service.store.write
        self.failed = 0

    def __enter__(self) -> Broken:
        async def fail(change: Any) -> Any:
            self.failed += 1
            raise StorageFault("no space left on device")  # type: ignore[arg-type]

        self.service.store.write = fail  # type: ignore[method-assign]
        return self

    def __exit__(self, *_: object) -> None:
        self.service.store.write = self.write  # type: ignore[method-assign]


async def test_what_cannot_be_stored_did_not_happen_and_can_be_sent_again(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "ppr")
    (stream,) = await at.follow(1)
    await at.ready()
    while at.table.to_act != 0:
        await at.play(by_chance(Rng(1)))
    before = [await at.bytes(reader) for reader in (0, 1, None)]
    action = Act(at.deal.text(next(iter(at.deal.legal_actions()))))
    head = at.table.head
    with Broken(hall.service):
        for command in (action, Chat("hm"), Leave()):
            with pytest.raises(StorageFault):
                await at.do(0, command, key="key-broken-1", expect=head)
        assert [await at.bytes(reader) for reader in (0, 1, None)] == before
    assert at.table.head == head == len(await hall.rows(at.id))
    assert (await at.do(0, action, key="key-broken-1", expect=head)) == (head + 1, True)
    while (told := await stream.next())["head"] <= head:
        pass
    assert told["steps"][-1]["seq"] == told["head"]


async def test_bots_and_deals_go_on_when_the_storage_is_back(hall: Hall, caplog: pytest.LogCaptureFixture) -> None:
    at = await hall.table(short("bassadewitz", 3), "prr")
    await at.follow(0)
    with Broken(hall.service) as broken:
        await hall.passes(8)
        assert broken.failed > 0
    assert at.table.status == "between"
    await hall.passes(8)
    assert at.table.status == "playing"
    while at.table.to_act == 0:
        await at.play(by_chance(Rng(1)))
    assert any("nothing was stored" in record.message for record in caplog.records)


async def test_a_table_cannot_be_made_without_storage_and_can_after(hall: Hall) -> None:
    with Broken(hall.service):
        with pytest.raises(StorageFault):
            await hall.service.create(person(0), "key-table-9", _setup(), True)
        assert hall.service.tables == 0
    assert (await hall.service.create(person(0), "key-table-9", _setup(), True))[1]


# -- lists --------------------------------------------------------------------------


async def test_lists_show_what_may_be_shown(hall: Hall) -> None:
    private = await hall.table(short("smear", 3), "p-r", start=False)
    listed = await hall.table(short("smear", 3), "p-r", start=False, listed=True)
    going = await hall.table(short("smear", 2), "pr", listed=True)
    await hall.settle()
    found = await hall.store.read(store.open_tables(60))
    assert [one.table for one in found] == [listed.id, going.id]
    assert [seat["kind"] for seat in found[0].summary.seats] == ["person", "open", "bot"]
    text = json.dumps([str(one) for one in found])
    assert person(0) not in text
    await going.do(0, Close())
    await hall.settle()
    assert [one.table for one in await hall.store.read(store.open_tables(60))] == [listed.id]
    mine = await hall.store.read(store.tables_of(person(0), 60))
    assert {one.table for one in mine} == {private.id, listed.id, going.id}
    assert await hall.store.read(store.tables_of(person(1), 60)) == []


async def test_what_ends_in_the_last_moment_is_listed_as_ended(hall: Hall) -> None:
    at = await hall.table(short("smear", 2), "pb", listed=True)
    await at.follow(0)
    await at.ready()
    await at.do(0, Close(), settle=False)
    again = await hall.again()
    try:
        assert await again.store.read(store.open_tables(60)) == []
        assert [one.status for one in await again.store.read(store.tables_of(person(0), 60))] == ["closed"]
        assert await again.store.read(store.read_record(at.id)) is not None
    finally:
        await again.close()


async def test_whoever_once_sat_finds_the_table_again(hall: Hall) -> None:
    at = await hall.table(short("smear", 3), "ppr")
    await at.follow(0, 1)
    await at.do(1, Leave())
    await hall.settle()
    assert [one.table for one in await hall.store.read(store.tables_of(person(1), 60))] == [at.id]
    await at.do(1, Retake())


async def test_a_finished_match_keeps_its_record_when_its_log_is_dropped(hall: Hall) -> None:
    at = await hall.table(short("smear", 2), "pb")
    await at.follow(0)
    await at.finish(by_thumb(Rng(4)))
    await hall.settle()
    record = hall.service.record(at.table)
    going = await hall.table(short("smear", 2), "pb")
    hall.clock.now += 1000
    assert await hall.service.expire(hall.clock.now, 0) == (1, 0)
    again = await hall.again()
    try:
        with pytest.raises(NotFound):
            await again.at(at.id)
        assert await again.store.read(store.read_record(at.id)) == record
        assert (await again.at(going.id)).table.head == going.table.head
        # What nobody touched for long goes as a whole, but for records.
        assert await again.service.expire(0, again.clock.now + 1) == (0, 1)
        assert [one.table for one in await again.store.read(store.tables_of(person(0), 60))] == [at.id]
        assert await again.store.read(store.read_record(at.id)) == record
    finally:
        await again.close()
