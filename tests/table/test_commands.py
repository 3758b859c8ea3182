"""Each command is allowed exactly when it should be, is done once, and changes nothing where it is refused."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from tests.table.hall import NAMES, At, Hall, by_chance, by_thumb, kinds, seed_of, short

from meja.cards import Rng, card_text
from meja.errors import MejaError
from meja.games import games
from meja.language import LANGUAGES, Language
from meja.table.botpool import BotPool
from meja.table.commands import (
    Act,
    AnyCommand,
    Chat,
    Claim,
    Close,
    Cover,
    Host,
    Leave,
    NotYours,
    Open,
    Phrase,
    PlaceBot,
    Ready,
    Refusal,
    Rematch,
    Retake,
    Settings,
    Sit,
    Stand,
    Start,
    Undo,
    decide,
)
from meja.table.people import PHRASES
from meja.table.service import NotFound, Stale
from meja.view import View

pytestmark = pytest.mark.anyio

SEED = "ab" * 32
#: The seats of the tables below: the host, another person, a bot.
HOST, OTHER, BOT = 0, 1, 2
OK = "ok"


# -- a table at each stage ----------------------------------------------------------


async def _open(hall: Hall) -> At:
    return await hall.table(short("bassadewitz", 4), "ppb-", start=False)


async def _between(hall: Hall) -> At:
    at = await hall.table(short("bassadewitz", 3), "ppb")
    await at.follow(HOST, OTHER)
    return at


async def _playing(hall: Hall) -> At:
    at = await _between(hall)
    await at.ready()
    while at.table.to_act != HOST:
        await at.play(by_chance(Rng(1)))
    return at


async def _finished(hall: Hall) -> At:
    at = await _between(hall)
    await at.finish(by_chance(Rng(2)))
    return at


async def _closed(hall: Hall) -> At:
    at = await _playing(hall)
    await at.do(HOST, Close())
    return at


_STAGES: dict[str, Callable[[Hall], Awaitable[At]]] = {
    "open": _open,
    "between": _between,
    "playing": _playing,
    "finished": _finished,
    "closed": _closed,
}


def _by_stage(**codes: str) -> dict[str, str]:
    """The code at each stage; ``rest`` stands for those that are not named."""
    rest = codes.pop("rest", OK)
    return {stage: codes.get(stage, rest) for stage in _STAGES}


_STARTED = _by_stage(open=OK, rest="started")
_NOT_SEATED = _by_stage(rest="not-seated")
_NOT_HOST = _by_stage(rest="not-host")

#: Command -> what comes of it at each stage, for the host, for another person, and for somebody without a seat.
_ALLOWED: dict[str, tuple[AnyCommand, dict[str, str], dict[str, str], dict[str, str]]] = {
    "sit on a free seat": (
        Sit(3),
        _by_stage(open="seated", rest="started"),
        _by_stage(open="seated", rest="started"),
        _STARTED,
    ),
    "sit where somebody sits": (
        Sit(OTHER),
        _by_stage(open="seated", rest="started"),
        _by_stage(open="seated", rest="started"),
        _by_stage(open="taken", rest="started"),
    ),
    "sit where no seat is": (
        Sit(4),
        _by_stage(open="no-seat", rest="started"),
        _by_stage(open="no-seat", rest="started"),
        _by_stage(open="no-seat", rest="started"),
    ),
    "stand up": (Stand(), _STARTED, _STARTED, _NOT_SEATED),
    "a bot on a free seat": (PlaceBot(3, "random"), _STARTED, _NOT_HOST, _NOT_SEATED),
    "another bot": (PlaceBot(BOT, "random"), _STARTED, _NOT_HOST, _NOT_SEATED),
    "a bot on a person's seat": (
        PlaceBot(OTHER, "random"),
        _by_stage(open="taken", rest="started"),
        _NOT_HOST,
        _NOT_SEATED,
    ),
    "a bot that does not exist": (
        PlaceBot(3, "genius"),
        _by_stage(open="no-level", rest="started"),
        _NOT_HOST,
        _NOT_SEATED,
    ),
    "free a bot's seat": (Open(BOT), _STARTED, _NOT_HOST, _NOT_SEATED),
    "free a person's seat": (Open(OTHER), _STARTED, _NOT_HOST, _NOT_SEATED),
    "free the own seat": (Open(HOST), _by_stage(open="own-seat", rest="started"), _NOT_HOST, _NOT_SEATED),
    "free a free seat": (Open(3), _by_stage(open="open", rest="started"), _NOT_HOST, _NOT_SEATED),
    "start": (Start(), _by_stage(open="open-seats", rest="started"), _NOT_HOST, _NOT_SEATED),
    "ready": (
        Ready(SEED),
        _by_stage(between=OK, rest="not-between"),
        _by_stage(between=OK, rest="not-between"),
        _NOT_SEATED,
    ),
    "act": (
        Act("play ?"),
        _by_stage(playing=OK, rest="not-playing"),
        _by_stage(playing="not-your-turn", rest="not-playing"),
        _NOT_SEATED,
    ),
    "undo": (Undo(), _by_stage(rest="no-undo"), _by_stage(rest="no-undo"), _NOT_SEATED),
    "claim": (
        Claim(),
        _by_stage(playing="no-claim", rest="not-playing"),
        _by_stage(playing="not-your-turn", rest="not-playing"),
        _NOT_SEATED,
    ),
    "leave": (
        Leave(),
        _by_stage(finished="over", closed="over"),
        _by_stage(finished="over", closed="over"),
        _NOT_SEATED,
    ),
    "retake": (Retake(), _by_stage(rest="not-covered"), _by_stage(rest="not-covered"), _NOT_SEATED),
    "cover somebody who is here": (Cover(OTHER), _by_stage(rest="here"), _by_stage(rest="here"), _NOT_SEATED),
    "cover a bot": (Cover(BOT), _by_stage(rest="here"), _by_stage(rest="here"), _NOT_SEATED),
    "a phrase": (Phrase("nice"), _by_stage(), _by_stage(), _NOT_SEATED),
    "a phrase that is none": (Phrase("boo"), _by_stage(rest="no-phrase"), _by_stage(rest="no-phrase"), _NOT_SEATED),
    "chat": (Chat("hi"), _by_stage(), _by_stage(), _NOT_SEATED),
    "empty chat": (Chat(" \n\u202e "), _by_stage(rest="empty"), _by_stage(rest="empty"), _NOT_SEATED),
    "pass the role of host": (Host(OTHER), _by_stage(), _NOT_HOST, _NOT_SEATED),
    "make a bot host": (Host(BOT), _by_stage(rest="no-person"), _NOT_HOST, _NOT_SEATED),
    "make oneself host": (Host(HOST), _by_stage(rest="no-person"), _NOT_HOST, _NOT_SEATED),
    "make nobody host": (Host(4), _by_stage(rest="no-seat"), _NOT_HOST, _NOT_SEATED),
    "settings": (Settings(watch=True, listed=True), _by_stage(), _NOT_HOST, _NOT_SEATED),
    "rematch": (
        Rematch(),
        _by_stage(finished=OK, closed=OK, rest="not-over"),
        _by_stage(finished=OK, closed=OK, rest="not-over"),
        _NOT_SEATED,
    ),
    "close": (Close(), _by_stage(finished="over", closed="over"), _NOT_HOST, _NOT_SEATED),
}


async def _code(at: At, seat: int | None, command: AnyCommand) -> str:
    """What comes of a command: ``ok``, or the code of the refusal, which must be clear and change nothing."""
    rows = await at.hall.rows(at.id)
    (found,) = await asyncio.gather(at.do(seat, command), return_exceptions=True)
    if not isinstance(found, BaseException):
        return OK
    assert isinstance(found, Refusal)
    assert await at.hall.rows(at.id) == rows
    assert isinstance(found, NotYours) == (found.code in ("not-host", "not-seated"))
    words = [Language(code).sentence(found.text) for code in LANGUAGES]
    assert all(text.endswith(".") for text in words)
    assert words[0] != words[1]
    return found.code


@pytest.mark.parametrize("stage", _STAGES)
async def test_a_command_is_allowed_exactly_when_it_should_be(stage: str, hall: Hall) -> None:
    for what, (command, *expected) in _ALLOWED.items():
        for seat, by_stage in zip((HOST, OTHER, None), expected, strict=True):
            refused = by_stage[stage] != OK
            # Where it is done, the table is another one afterwards.
            if not refused or what == next(iter(_ALLOWED)):
                at = await _STAGES[stage](hall)
                assert at.table.status == stage
            if isinstance(command, Act) and stage == "playing":
                command = Act(at.deal.text(next(iter(at.deal.legal_actions()))))
            assert await _code(at, seat, command) == by_stage[stage], (what, seat)
            if not refused:
                at = await _STAGES[stage](hall)


@pytest.mark.parametrize("stage", ["between", "playing"])
async def test_a_person_for_whom_a_bot_plays_takes_the_seat_back_first(stage: str, hall: Hall) -> None:
    hall.service.bots = Waiting()
    at = await _STAGES[stage](hall)
    await at.do(HOST, Leave(), settle=False)
    codes = {}
    for command in (Leave(), Ready(SEED), Act("play As"), Undo(), Claim()):
        with pytest.raises(Refusal) as caught:
            await at.do(HOST, command, settle=False)
        codes[type(command).__name__] = caught.value.code
    playing = "covered" if stage == "playing" else "not-playing"
    between = "covered" if stage == "between" else "not-between"
    assert codes == {"Leave": "covered", "Ready": between, "Act": playing, "Undo": "no-undo", "Claim": playing}
    told = await at.look(HOST)
    assert told["state"]["can"]["retake"]
    assert not told["state"]["can"]["leave"]
    assert not told["state"]["can"]["ready"]
    assert told["view"] is None or told["view"]["legal"] == []
    await at.do(HOST, Retake(), settle=False)
    told = await at.look(HOST)
    assert told["state"]["can"]["leave"]
    assert told["state"]["seats"][HOST]["covered"] is False
    assert told["view"] is None or told["view"]["legal"]
    with pytest.raises(Refusal) as caught:
        await at.do(HOST, Retake(), settle=False)
    assert caught.value.code == "not-covered"


class Waiting(BotPool):
    """A bot that thinks for ever about what it does for a person."""

    def __init__(self) -> None:
        super().__init__(0)

    async def act(self, level: str, view: View[Any], seed: int) -> Any:
        if view.seat == HOST:
            await asyncio.Event().wait()
        return await super().act(level, view, seed)


async def test_everybody_can_be_ready_once(hall: Hall) -> None:
    at = await _between(hall)
    await at.do(HOST, Ready(SEED))
    assert await _code(at, HOST, Ready(SEED)) == "ready"
    assert (await at.look(OTHER))["state"]["seats"][HOST]["ready"]
    await at.do(OTHER, Ready(SEED))
    assert at.table.status == "playing"


async def test_the_host_fills_the_table_and_starts(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 4), "p---", start=False)
    await at.do(HOST, PlaceBot(3, "random"))
    await at.do(1, Sit(1))
    assert await _code(at, HOST, Start()) == "open-seats"
    assert not (await at.look(HOST))["state"]["can"]["start"]
    await at.do(HOST, PlaceBot(2, "rules-of-thumb"))
    seats = (await at.look(1))["state"]["seats"]
    assert [seat["kind"] for seat in seats] == ["person", "person", "bot", "bot"]
    assert len({seat["name"] for seat in seats}) == 4
    assert (await at.look(HOST))["state"]["can"]["start"]
    await at.do(HOST, Start())
    assert at.table.status == "between"


async def test_a_table_is_not_started_while_seats_are_free(hall: Hall) -> None:
    with pytest.raises(Refusal) as caught:
        await hall.table(short("smear", 3), "pb-", start=True, key="key-free-seat")
    assert caught.value.code == "open-seats"
    with pytest.raises(NotFound):
        await hall.at("aaaaaaaaaaaa")
    assert hall.service.tables == 0


async def test_there_is_no_way_to_a_table_of_bots_alone(hall: Hall) -> None:
    """The last person who stands up ends the table; the host cannot free the own seat or give the role to a bot."""
    at = await hall.table(short("smear", 3), "pbb", start=False)
    assert await _code(at, 0, Open(0)) == "own-seat"
    assert await _code(at, 0, PlaceBot(0, "random")) == "taken"
    assert await _code(at, 0, Host(1)) == "no-person"
    await at.do(0, Stand())
    assert at.table.status == "closed"
    assert await _code(at, 0, Start()) == "started"
    with pytest.raises(Refusal):
        await at.do(None, Sit(0))


async def test_a_host_who_stands_up_hands_the_role_on(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 4), "ppb-", start=False)
    await at.do(0, Stand())
    assert at.table.host == hall.ids[1]
    assert at.table.seats[0].kind == "open"
    seats = (await at.look(1))["state"]["seats"]
    assert [seat["host"] for seat in seats] == [False, True, False, False]
    # Who stood up is somebody without a seat from now on, and may sit down again.
    assert (await at.look(0))["state"]["can"]["sit"] == [0, 3]
    await at.do(0, Sit(3))
    assert (await at.look(0))["state"]["me"] == {"seat": 3, "host": False, "known": True}


async def test_a_host_who_leaves_the_match_hands_the_role_on(hall: Hall) -> None:
    at = await _playing(hall)
    await at.do(HOST, Leave())
    assert at.table.host == hall.ids[OTHER]
    assert await _code(at, OTHER, Host(HOST)) == OK
    assert at.table.host == hall.ids[HOST]


async def test_nobody_sits_on_two_seats_or_two_on_one(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 4), "p---", start=False)
    found = await asyncio.gather(
        *(at.do(seat, Sit(1), expect=None, settle=False) for seat in (1, 2, 3)), return_exceptions=True
    )
    assert sum(isinstance(one, tuple) for one in found) == 1
    assert all(isinstance(one, tuple) or getattr(one, "code", "") == "taken" for one in found)
    found = await asyncio.gather(
        *(at.do(4, Sit(seat), expect=None, settle=False) for seat in (2, 3)), return_exceptions=True
    )
    assert sum(isinstance(one, tuple) for one in found) == 1
    assert [seat.person for seat in at.table.seats].count(hall.ids[4]) == 1


async def test_spectators_come_only_where_they_may(hall: Hall) -> None:
    at = await _playing(hall)
    (stream,) = await at.follow(None)
    assert (await at.look(None))["view"]["hand"] == []
    await at.do(HOST, Settings(watch=False))
    with pytest.raises(NotFound):
        await at.look(None)
    with pytest.raises(NotFound):
        await stream.next()
    assert (await at.look(OTHER))["state"]["settings"]["watch"] is False
    await at.do(HOST, Settings(watch=True))
    assert (await at.look(None))["state"]["me"] == {"seat": None, "host": False, "known": True}


async def test_settings_change_one_thing_and_leave_the_others(hall: Hall) -> None:
    at = await _between(hall)
    before = (await at.look(OTHER))["state"]["settings"]
    for name in before:
        await at.do(HOST, Settings(**{name: not before[name]}))
        before[name] = not before[name]
        assert (await at.look(OTHER))["state"]["settings"] == before
    assert await _code(at, OTHER, Chat("hello?")) == "no-chat"
    assert await _code(at, OTHER, Phrase("hello")) == OK


async def test_what_people_say_cannot_break_a_line_and_is_kept_for_latecomers(hall: Hall) -> None:
    at = await _between(hall)
    await at.do(OTHER, Chat("  look\n\u202eherе\u0000 <b>&amp;</b>  "))
    told = await at.look(HOST, language="id")
    assert told["state"]["messages"][-1]["text"] == "look herе <b>&amp;</b>"
    await at.do(HOST, Phrase("nice"))
    said = (await at.look(OTHER, language="id"))["state"]["messages"][-1]
    assert said["phrase"] == "nice"
    assert said["text"] == Language("id").say(PHRASES["nice"])
    for number in range(60):
        await at.do(OTHER, Chat(f"word {number}"))
    messages = (await at.look(HOST))["state"]["messages"]
    assert [message["text"] for message in messages] == [f"word {number}" for number in range(10, 60)]


@pytest.mark.parametrize("name", games())
async def test_an_illegal_action_is_refused_with_its_rule(name: str, hall: Hall) -> None:
    at = await hall.table(short(name, 3), "ppp")
    await at.follow(0, 1, 2)
    await at.ready()
    seat = at.table.to_act
    rows = await hall.rows(at.id)
    seen = await at.bytes(seat)
    held = set(at.deal.zones()[f"hand {seat}"])
    strange = next(card for card in range(52) if card not in held and card in type(at.deal).pack(at.table.rules))
    verb = "discard" if name == "kaluki" else "play"
    with pytest.raises(Refusal) as caught:
        await at.do(seat, Act(f"{verb} {card_text(strange)}"))
    assert caught.value.rule
    assert caught.value.code
    for nonsense in ("hello", "play", "play Zz", "fold", "play As As", "x" * 400):
        with pytest.raises(MejaError):
            await at.do(seat, Act(nonsense))
    assert await hall.rows(at.id) == rows
    assert await at.bytes(seat) == seen


@pytest.mark.parametrize("name", games())
async def test_what_is_offered_is_what_is_done(name: str, hall: Hall) -> None:
    """``can`` and ``legal`` of everybody's update against the commands themselves, over a match."""
    rng = Rng(17, len(name))
    for seats in ("prr", "ppr"):
        at = await hall.table(short(name, 3), seats)
        await at.follow(*at.table.people)
        pick = by_chance(rng)
        for _ in range(30):
            if at.table.over:
                break
            for seat in at.table.people:
                _check_offers(at, seat, await at.look(seat, after=at.table.head))
            match rng.below(9):
                case 0 if not at.table.seats[at.table.people[-1]].covered:
                    await at.do(at.table.people[-1], Leave())
                case 1 | 2 if at.table.seats[at.table.people[-1]].covered:
                    await at.do(at.table.people[-1], Retake())
            if at.table.over:
                break
            if not any(at.table.seats[seat].plays for seat in at.table.people):
                await at.do(at.table.people[-1], Retake())
            await at.step(pick)


def _check_offers(at: At, seat: int, told: Any) -> None:
    table, can = at.table, told["state"]["can"]

    def works(command: AnyCommand) -> bool:
        try:
            return bool(decide(table, table.seats[seat].person, NAMES[seat], command))
        except MejaError:
            return False

    assert can["sit"] == [number for number in range(len(table.seats)) if works(Sit(number))]
    offered: dict[str, AnyCommand] = {
        "start": Start(),
        "undo": Undo(),
        "claim": Claim(),
        "retake": Retake(),
        "leave": Leave(),
    }
    for name, command in {**offered, "ready": Ready(SEED)}.items():
        assert can[name] == works(command), (name, table.rules, table.status)
    assert can["host"] == works(Settings(chat=table.chat))
    if told["view"] is not None:
        legal = told["view"]["legal"]
        assert all(works(Act(action)) for action in legal[:40])
        assert bool(legal) == (table.to_act == seat and table.seats[seat].plays)


# -- done once ----------------------------------------------------------------------


async def test_the_same_key_is_done_once(hall: Hall) -> None:
    at = await _playing(hall)
    head = at.table.head
    action = Act(at.deal.text(next(iter(at.deal.legal_actions()))))
    done = await at.do(HOST, action, key="key-once-1", expect=head)
    assert done == (head + 1, True)
    rows = await hall.rows(at.id)
    for expect in (head, None, 0, at.table.head, 10_000):
        assert await at.do(HOST, action, key="key-once-1", expect=expect) == (head + 1, False)
    # Also where it is asked for with something else in the body, and after a restart.
    assert await at.do(HOST, Chat("hm"), key="key-once-1") == (head + 1, False)
    assert await hall.rows(at.id) == rows
    again = await hall.again()
    try:
        after = await again.at(at.id)
        assert await after.do(HOST, action, key="key-once-1", expect=head) == (head + 1, False)
        assert await again.rows(at.id) == rows
    finally:
        await again.close()


async def test_a_double_click_is_done_once(hall: Hall) -> None:
    at = await _playing(hall)
    head = at.table.head
    action = Act(at.deal.text(next(iter(at.deal.legal_actions()))))
    found = await asyncio.gather(*(at.do(HOST, action, key="key-once-2", expect=head, settle=False) for _ in range(6)))
    assert sorted(found) == [(head + 1, False)] * 5 + [(head + 1, True)]
    await hall.settle()
    acts = [row for row in await hall.rows(at.id, head) if row.actor == hall.ids[HOST]]
    assert len(acts) == 1


async def test_two_clicks_with_keys_of_their_own_are_one_move(hall: Hall) -> None:
    """Two tabs on one seat: the second one is stale, and is not played into the next trick."""
    at = await _playing(hall)
    head = at.table.head
    action = Act(at.deal.text(next(iter(at.deal.legal_actions()))))
    found = await asyncio.gather(
        *(at.do(HOST, action, expect=head, settle=False) for _ in range(3)), return_exceptions=True
    )
    assert sum(isinstance(one, tuple) for one in found) == 1
    assert sum(isinstance(one, Stale) for one in found) == 2


async def test_a_key_is_known_for_ever(hall: Hall) -> None:
    at = await _playing(hall)
    head = at.table.head
    action = Act(at.deal.text(next(iter(at.deal.legal_actions()))))
    moved, _ = await at.do(HOST, action, key="key-old-0")
    seq, new = await at.do(HOST, Chat("first"), key="key-old-1")
    assert new
    for number in range(150):
        await at.do(OTHER, Chat(f"word {number}"))
    assert await at.do(HOST, Chat("first"), key="key-old-1", expect=None) == (seq, False)
    assert await at.do(HOST, Chat("first"), key="key-old-1", expect=at.table.head) == (seq, False)
    # A move whose answer was lost is not called stale, however late it is asked for again.
    for expect in (head, None):
        assert await at.do(HOST, action, key="key-old-0", expect=expect) == (moved, False)
    # Another person's key of the same name is another one.
    assert (await at.do(OTHER, Chat("second"), key="key-old-1"))[1]


async def test_a_key_of_a_command_of_several_entries_is_done_once(hall: Hall) -> None:
    at = await _between(hall)
    head = at.table.head
    assert await at.do(HOST, Leave(), key="key-leave-1") == (head + 1, True)
    assert kinds((await at.look(OTHER, after=head))["steps"])[:2] == ["cover", "host"]
    assert await at.do(HOST, Leave(), key="key-leave-1") == (head + 1, False)


async def test_asking_for_cover_twice_is_one_countdown(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "ppp")
    streams = await at.follow(0, 1, 2)
    await streams[2].leave()
    await hall.passes(20)
    await at.do(0, Cover(2), key="key-cover-1")
    until = (await at.look(1))["state"]["seats"][2]["cover_at"]
    await hall.passes(5)
    assert not (await at.do(0, Cover(2), key="key-cover-1"))[1]
    assert not (await at.do(1, Cover(2)))[1]
    assert (await at.look(1))["state"]["seats"][2]["cover_at"] == until


async def test_a_command_goes_through_when_its_sender_goes_away(hall: Hall) -> None:
    at = await _between(hall)
    (stream,) = await at.follow(OTHER)
    sending = asyncio.create_task(at.do(HOST, Chat("still here"), key="key-gone-1", settle=False))
    for _ in range(3):
        await asyncio.sleep(0)
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    await hall.settle()
    assert (await stream.next())["state"]["messages"][-1]["text"] == "still here"
    assert not (await at.do(HOST, Chat("still here"), key="key-gone-1"))[1]
    assert len(await hall.rows(at.id)) == at.table.head


# -- stale --------------------------------------------------------------------------


async def test_a_move_for_an_older_position_is_stale(hall: Hall) -> None:
    at = await _playing(hall)
    head = at.table.head
    action = Act(at.deal.text(next(iter(at.deal.legal_actions()))))
    for expect in (None, 0, head - 1, head + 1, 99_999):
        for command in (action, Undo(), Claim()):
            with pytest.raises(Stale) as caught:
                await at.do(HOST, command, expect=expect)
            assert caught.value.head == head
    assert at.table.head == head
    # Everything else does not depend on the position.
    for expect in (None, 0, 99_999):
        await at.do(HOST, Chat("hi"), expect=expect)
        await at.do(HOST, Settings(listed=False), expect=expect)


async def test_talk_does_not_make_a_move_stale(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 4), "pppr")
    await at.follow(0, 1, 2)
    await at.ready()
    while at.table.to_act != 0:
        await at.play(by_chance(Rng(5)))
    head = at.table.head
    await at.do(1, Phrase("moment"))
    await at.do(2, Chat("take your time"))
    await at.do(0, Host(1))
    await at.do(1, Settings(listed=True))
    await at.do(2, Leave())
    await at.do(2, Retake())
    assert at.table.head == head + 6
    await at.do(0, Act(at.deal.text(next(iter(at.deal.legal_actions())))), expect=head)
    assert at.table.head > head + 6


async def test_a_move_between_makes_a_move_stale(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "ppp")
    await at.follow(0, 1, 2)
    await at.ready()
    seat = at.table.to_act
    assert seat is not None
    head = at.table.head
    pick = by_chance(Rng(5))
    for _ in range(3):
        await at.play(pick)
    while at.table.to_act != seat and at.table.status == "playing":
        await at.play(pick)
    with pytest.raises(Stale):
        await at.do(seat, Act(at.deal.text(next(iter(at.deal.legal_actions())))), expect=head)


# -- the end of a match, and the next one -------------------------------------------


async def test_a_closed_table_tells_why_and_keeps_its_record(hall: Hall) -> None:
    at = await _playing(hall)
    await at.do(HOST, Close())
    told = await at.look(OTHER)
    assert told["state"]["status"] == "closed"
    assert told["state"]["can"]["record"]
    assert told["state"]["can"]["rematch"]
    assert told["view"]["legal"] == []
    assert told["view"]["to_act"] is None
    assert "Ana ended the match." in told["story"]
    record = json.loads(hall.service.record(at.table))
    assert record["meta"]["ended"] == "closed"
    head = at.table.head
    await hall.passes(300, 5)
    assert at.table.head == head


async def test_one_rematch_for_all(hall: Hall) -> None:
    at = await _finished(hall)
    found = await asyncio.gather(*(at.do(seat, Rematch(), expect=None, settle=False) for seat in (HOST, OTHER)))
    await hall.settle()
    assert sorted(new for _, new in found) == [False, True]
    told = [(await at.look(seat))["state"]["rematch"] for seat in (HOST, OTHER, None)]
    assert len(set(told)) == 1
    assert told[0] != at.id
    following = await hall.at(told[0])
    assert [seat.person for seat in following.table.seats] == [seat.person for seat in at.table.seats]
    assert following.table.rules == at.table.rules
    assert following.table.status == "open"
    # Whoever asks later is shown the same table.
    assert not (await at.do(OTHER, Rematch()))[1]
    assert (await at.look(OTHER))["state"]["rematch"] == told[0]
    assert hall.service.tables == 2


async def test_a_rematch_alone_begins_at_once(hall: Hall) -> None:
    at = await hall.table(short("smear", 2), "pb")
    await at.follow(0)
    await at.finish(by_thumb(Rng(1)))
    await at.do(0, Rematch())
    assert at.table.rematch is not None
    following = await hall.at(at.table.rematch)
    assert following.table.status == "between"
    await following.follow(0)
    await following.ready()
    assert following.table.status == "playing"


async def test_the_next_deal_takes_the_seeds_of_those_who_gave_one(hall: Hall) -> None:
    at = await hall.table(short("bassadewitz", 3), "ppr")
    await at.follow(0, 1)
    await at.ready(0, 1)
    record = json.loads(hall.service.record(at.table))
    assert record["fairness"]["deals"][0]["client_seeds"] == {"0": seed_of(0, 1), "1": seed_of(1, 1)}
