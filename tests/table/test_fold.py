"""The state of a table is the fold of its log: rebuilt, it is the same at every point; what is no log is refused."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.table.hall import START, At, Hall, by_chance, encoded, opened, short

from meja.cards import Rng
from meja.errors import RecordError
from meja.games import games
from meja.language import LANGUAGES, Language
from meja.record import dumps, loads
from meja.table import log
from meja.table.claims import claimable
from meja.table.commands import Chat, Claim, Close, Leave, Retake, Settings, Undo, undo_point
from meja.table.live import Live
from meja.table.service import fold
from meja.table.state import Table
from meja.table.store import StorageFault
from meja.table.update import Teller

pytestmark = pytest.mark.anyio


def everything(table: Table, language: str) -> list[bytes]:
    """All that anybody can be told of a table, the record that nobody may see yet, and what only the service needs."""
    readers: list[int | None] = [*range(len(table.seats)), None]
    live = Live(table, START)
    found = [
        encoded(
            Teller(table, seat, language).update(live.presence(START), after=after, now=START, build="", known=True)
        )
        for seat in readers
        for after in (None, table.steps[0].seq - 1)
    ]
    if table.match is not None:
        found.append(dumps(table.record()).encode())
        found.append(encoded(table.fairness()))
    inner = [table.id, table.turn_at, table.wait_at, table.undos, table.mark, table.created, table.changed, table.host]
    seats = [[seat.person, seat.late, seat.seed, seat.left, seat.level] for seat in table.seats]
    pending = None if table.pending is None else [table.pending.deal, table.pending.server_seed]
    return [*found, encoded([inner, seats, pending, table.alone])]


async def beside(at: At, rng: Rng) -> None:
    """What people do beside playing."""
    table, seat = at.table, rng.choice(at.table.people)
    match rng.below(14):
        case 0:
            await at.do(seat, Chat("so"))
        case 1 if not table.seats[seat].covered:
            await at.do(seat, Leave())
        case 2 | 3 if table.seats[seat].covered:
            await at.do(seat, Retake())
        case 4 | 5 | 6 if undo_point(table, seat) is not None:
            await at.do(seat, Undo())
        case 7 if table.to_act == seat and table.seats[seat].plays and claimable(at.deal, seat):
            await at.do(seat, Claim())
        case 8:
            await at.do(table.seat_of(table.host), Settings(listed=bool(rng.below(2))))
    if not table.over and not any(table.seats[seat].plays for seat in table.people):
        await at.do(table.people[0], Retake())


@pytest.mark.parametrize("seats", ["prr", "ppr", "ppp"])
@pytest.mark.parametrize("name", games())
async def test_rebuilt_from_its_log_a_table_is_the_same_at_every_point(name: str, seats: str, hall: Hall) -> None:
    rng = Rng(21, len(name), len(seats))
    at = await hall.table(short(name, 3), seats)
    await at.follow(*at.table.people)
    pick = by_chance(rng)
    compared = 0
    for _ in range(40):
        if at.table.over:
            break
        hall.clock.now += 700 + rng.below(900)
        await beside(at, rng)
        if not at.table.over:
            await at.step(pick)
        if rng.below(4) == 0:
            language = rng.choice(LANGUAGES)
            rebuilt = fold(at.id, await hall.rows(at.id))
            assert everything(rebuilt, language) == everything(at.table, language)
            compared += 1
    if not at.table.over:
        await at.do(at.table.seat_of(at.table.host), Close())
    rows = await hall.rows(at.id)
    rebuilt = fold(at.id, rows)
    assert everything(rebuilt, "en") == everything(at.table, "en")
    assert compared > 4
    # The last commands are known again, so that none is done twice after a restart.
    for row in rows[-100:]:
        assert rebuilt.done(row.actor, row.key) == at.table.done(row.actor, row.key) == row.seq
    assert [row.seq for row in rows] == list(range(1, at.table.head + 1))


@pytest.mark.parametrize("name", games())
async def test_a_match_broken_off_anywhere_leaves_a_record_that_is_one(name: str, hall: Hall) -> None:
    rng = Rng(22, len(name))
    for moves in (0, 1, 5, 17, 30):
        at = await hall.table(short(name), start=True)
        await at.follow(*at.table.people)
        for _ in range(moves):
            await at.step(by_chance(rng))
        await at.do(0, Close())
        record = loads(hall.service.record(at.table).decode())
        assert record.fairness is not None
        assert len(record.deals) == at.table.deal_number
        assert (await at.look(1))["state"]["status"] == "closed"
        assert (await at.look(1))["view"] is None or (await at.look(1))["view"]["legal"] == []


# -- entries ------------------------------------------------------------------------


def _values(kind: Any) -> st.SearchStrategy[Any]:
    """Values of the type of a field."""
    if kind is Any:
        return st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text()
    if kind == log.SeatSetup:
        return st.builds(log.SeatSetup, kind=st.text(), name=st.text(), person=st.text(), level=st.text())
    arguments = get_args(kind)
    if getattr(kind, "__origin__", None) is list:
        return st.lists(_values(arguments[0]), max_size=5)
    if getattr(kind, "__origin__", None) is dict:
        return st.dictionaries(st.text(), _values(arguments[1]), max_size=5)
    if getattr(kind, "__origin__", None) is tuple:
        return st.tuples(*map(_values, arguments))
    return {int: st.integers(-(2**63), 2**63 - 1), str: st.text(), bool: st.booleans()}[kind]


_KINDS: tuple[Any, ...] = get_args(log.AnyEntry)


@st.composite
def _entries(draw: st.DrawFn) -> log.AnyEntry:
    made = draw(st.sampled_from(_KINDS))
    hints = get_type_hints(made, include_extras=False)
    entry: log.AnyEntry = made(
        **{field.name: draw(_values(hints[field.name])) for field in msgspec.structs.fields(made)}
    )
    return entry


@given(_entries())
def test_every_entry_reads_back_as_it_was_written(entry: log.AnyEntry) -> None:
    body = log.encode(entry)
    assert log.decode(body) == entry
    assert type(log.decode(body)) is type(entry)
    assert log.encode(log.decode(body)) == body
    assert msgspec.json.decode(body)["kind"] == log.kind(entry)


def test_no_two_kinds_share_a_tag() -> None:
    tags = [made.__struct_config__.tag for made in _KINDS]
    assert len(set(tags)) == len(tags) == len(log.Entry.__subclasses__())


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'{"kind":"teleport","seat":0}',
        b'{"seat":0}',
        b'{"kind":"undo","seat":0}',
        b'{"kind":"undo","seat":"0","keep":1}',
        b'{"kind":"undo","seat":0,"keep":1,"more":2}',
        b'{"kind":"sit","seat":0,"person":"\xff","name":"x"}',
    ],
)
def test_anything_else_is_no_entry(body: bytes) -> None:
    with pytest.raises((msgspec.DecodeError, UnicodeDecodeError)):
        log.decode(body)


# -- logs that are damaged or old ---------------------------------------------------


async def _some_log(hall: Hall) -> str:
    """A table in the middle of its second deal."""
    at = await hall.table(short("bassadewitz", 3))
    await at.follow(*at.table.people)
    pick = by_chance(Rng(4))
    while at.table.deal_number < 2 or at.table.status == "between":
        await at.step(pick)
    for _ in range(5):
        await at.step(pick)
    return at.id


def _edit(path: Path, table: str, seq: int, body: Any) -> None:
    """Write another body into a log, or take the entry out."""
    with sqlite3.connect(path) as connection:
        if body is None:
            connection.execute("DELETE FROM events WHERE table_id = ? AND seq = ?", (table, seq))
        else:
            connection.execute("UPDATE events SET body = ? WHERE table_id = ? AND seq = ?", (body, table, seq))
    connection.close()


#: What is wrong -> at which entry, and what stands there instead of its body.
_DAMAGE: dict[str, tuple[int, Callable[[bytes], Any]]] = {
    "an entry of an unknown kind": (20, lambda _: b'{"kind":"teleport","seat":1}'),
    "half an entry": (20, lambda body: body[:20]),
    "no JSON": (20, lambda _: b"\x00\xff\xfe"),
    "a number for an object": (20, lambda _: 17),
    "a gap": (20, lambda _: None),
    "no beginning": (1, lambda _: None),
    "a seat that is not there": (20, lambda _: b'{"kind":"ready","seat":9,"seed":""}'),
    "an action that is not legal": (20, lambda _: b'{"kind":"act","seat":0,"action":"bid 3"}'),
    "an action of nobody": (20, lambda _: b'{"kind":"act","seat":-1,"action":"play As"}'),
    "a deal within a deal": (
        20,
        lambda _: b'{"kind":"deal","deal":1,"version":"meja-shuffle/1","cards":"As","client_seeds":{}}',
    ),
    "a start before the beginning": (1, lambda _: b'{"kind":"started","dealer":0}'),
    "an undo of nothing": (2, lambda _: b'{"kind":"undo","seat":0,"keep":3}'),
    "rules that are none": (1, lambda body: body.replace(b'"deals"', b'"meals"')),
    "a game that is none": (1, lambda body: body.replace(b"bassadewitz", b"poker")),
}


@pytest.mark.parametrize("what", _DAMAGE)
async def test_a_damaged_log_is_told_in_clear_words_and_hurts_no_other_table(what: str, hall: Hall) -> None:
    damaged = await _some_log(hall)
    sound = await hall.table(short("smear", 2))
    again = await hall.again()
    try:
        seq, damage = _DAMAGE[what]
        body = log.encode((await again.rows(damaged))[seq - 1].entry)
        assert damage(body) != body
        _edit(hall.path, damaged, seq, damage(body))
        with pytest.raises((StorageFault, RecordError)) as caught:
            await again.at(damaged)
        for code in LANGUAGES:
            words = Language(code).sentence(caught.value.text)
            assert damaged in words or "poker" in words or "meals" in words
        # It stays so, and the next table is not touched by it.
        with pytest.raises((StorageFault, RecordError)):
            await again.at(damaged)
        assert (await again.at(sound.id)).table.head == sound.table.head
        assert again.service.tables == 1
    finally:
        await again.close()


@given(st.data())
async def test_no_change_of_a_log_brings_the_service_down(data: st.DataObject) -> None:
    """Whatever stands in one row: the table is read, or refused with a word."""
    bodies = [log.encode(row.entry) for row in _ROWS]
    place = data.draw(st.integers(0, len(bodies) - 1))
    body = bytearray(bodies[place])
    match data.draw(st.sampled_from(["byte", "cut", "other", "drop"])):
        case "byte":
            body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
        case "cut":
            del body[data.draw(st.integers(0, len(body) - 1)) :]
        case "other":
            body = bytearray(bodies[data.draw(st.integers(0, len(bodies) - 1))])
        case "drop":
            body = bytearray()
    try:
        rows = [
            log.Row(row.seq, log.decode(bytes(body)) if number == place else row.entry, row.actor, row.key, row.at)
            for number, row in enumerate(_ROWS)
        ]
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return
    try:
        table = fold("k3jx", rows)
    except (StorageFault, RecordError):
        return
    assert table.head == len(rows)


_ROWS: list[log.Row] = []


@pytest.fixture(autouse=True, scope="module")
def _rows(blank: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The log of some deals of Kaluki and what people do beside them."""

    async def make() -> None:
        path = Path(shutil.copy(blank, tmp_path_factory.mktemp("rows") / "meja.db"))
        async with opened(path) as hall:
            rng = Rng(8)
            at = await hall.table(short("kaluki", 2), "pp")
            await at.follow(0, 1)
            for _ in range(60):
                await beside(at, rng)
                if not at.table.over:
                    await at.step(by_chance(rng))
            _ROWS.extend(await hall.rows(at.id))

    asyncio.run(make())


async def test_a_table_of_other_rules_is_refused_with_both_versions(hall: Hall) -> None:
    table = await _some_log(hall)
    again = await hall.again()
    try:
        found = (await again.rows(table))[0].entry
        assert isinstance(found, log.Created)
        old = msgspec.structs.replace(found, rules_version=found.rules_version + 7)
        _edit(hall.path, table, 1, log.encode(old))
        with pytest.raises(RecordError) as caught:
            await again.at(table)
        for code in LANGUAGES:
            words = Language(code).sentence(caught.value.text)
            assert "bassadewitz" in words
            assert str(found.rules_version) in words
            assert str(found.rules_version + 7) in words
    finally:
        await again.close()
