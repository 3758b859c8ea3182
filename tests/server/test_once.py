"""Each command once: double clicks, repeated requests, stale tabs, two tabs on one seat, keys of others."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Coroutine
from contextlib import AsyncExitStack
from typing import Any

from tests.server.conftest import Serve
from tests.server.people import BOT, OPEN, SHORT, Follower, Person, choice, party
from tests.server.serving import Server
from tests.server.truth import check_promises, dice, rows


def statuses(answers: list[Any]) -> Counter[int]:
    return Counter(answer.status for answer in answers)


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


async def at_once(*work: Awaitable[Any]) -> list[Any]:
    return list(await asyncio.gather(*work))


async def my_turn(person: Person, table: str) -> Any:
    """The table when it is this person's turn."""
    async with Follower(person, table) as follower:
        while True:
            update = await follower.until(lambda made: choice(made, dice(0)) is not None)
            if update["state"]["status"] == "playing":
                return update
            await person.do(table, None, do="ready", seed="0f" * 32)
            head = update["head"]
            await follower.until(lambda made, head=head: made["head"] > head)  # type: ignore[misc]


def test_a_double_click_makes_one_table(server: Server) -> None:
    async def clicks() -> None:
        async with Person(server.url, "Ana") as ana:
            seats, options = SHORT["smear"]
            for start in (True, False):
                body = {
                    "key": ana.key(),
                    "game": "smear",
                    "seats": seats,
                    "options": options,
                    "others": [BOT] * (seats - 1),
                    "start": start,
                }
                answers = await at_once(*(ana.request("POST", "/api/tables", body) for _ in range(4)))
                assert statuses(answers) == {201: 1, 200: 3}
                assert len({answer.json["table"] for answer in answers}) == 1
                later = await ana.request("POST", "/api/tables", body)
                assert (later.status, later.json) == (200, answers[0].json)
                kinds = [log.entry.__class__.__name__ for log in rows(server.database, later.json["table"])]
                assert kinds.count("Created") == 1
                assert kinds.count("Started") == start

    run(clicks())


def test_a_double_click_plays_one_card(server: Server) -> None:
    async def clicks() -> None:
        async with Person(server.url, "Ana") as ana:
            for game in SHORT:
                table = await ana.make_table(game, [BOT] * (SHORT[game][0] - 1), start=True)
                update = await my_turn(ana, table)
                command = choice(update, dice(1))
                assert command is not None
                body = {"key": ana.key(), "expect": update["head"], "command": command}
                path = f"/api/tables/{table}/commands"
                answers = await at_once(*(ana.request("POST", path, body) for _ in range(5)))
                assert statuses(answers) == {201: 1, 200: 4}
                assert {answer.json["seq"] for answer in answers} == {update["head"] + 1}
                found = [row for row in rows(server.database, table) if row.key == body["key"]]
                assert [row.seq for row in found] == [update["head"] + 1]

    run(clicks())


def test_a_double_undo_takes_one_decision_back(server: Server) -> None:
    async def clicks() -> None:
        async with Person(server.url, "Ana") as ana:
            table = await ana.make_table("smear", [BOT, BOT], start=True)
            update = await my_turn(ana, table)
            await ana.do(table, update["head"], **(choice(update, dice(1)) or {}))
            update = await my_turn(ana, table)
            assert update["state"]["can"]["undo"]
            answers = await at_once(*(ana.do(table, update["head"], key="undo-once", do="undo") for _ in range(2)))
            assert statuses(answers) == {201: 1, 200: 1}
            # The same click from another tab has another key: it comes too late.
            assert (await ana.do(table, update["head"], do="undo")).status == 409
            log = [row.entry.__class__.__name__ for row in rows(server.database, table)]
            assert log.count("Undone") == 1

    run(clicks())


def test_a_key_is_remembered_over_many_commands_and_a_restart(serve: Serve) -> None:
    server = serve("--no-limits")

    async def before() -> tuple[Person, str, str, int]:
        ana = await Person(server.url, "Ana").__aenter__()
        table = await ana.make_table("smear", [BOT, OPEN])
        first = ana.key()
        seq = (await ana.do(table, None, key=first, do="phrase", phrase="hello")).json["seq"]
        for _ in range(130):
            await ana.do(table, None, do="phrase", phrase="nice")
        answer = await ana.do(table, None, key=first, do="phrase", phrase="hello")
        assert (answer.status, answer.json["seq"]) == (200, seq)
        server.kill()
        await asyncio.to_thread(server.start)
        answer = await ana.do(table, None, key=first, do="phrase", phrase="hello")
        assert (answer.status, answer.json["seq"]) == (200, seq)
        check_promises(server.database, [ana])
        await ana.__aexit__(None, None, None)
        return ana, table, first, seq

    asyncio.run(before())


def test_a_key_used_again_for_something_else_does_nothing(server: Server) -> None:
    async def again() -> None:
        async with Person(server.url, "Ana") as ana:
            table = await ana.make_table("smear", [BOT, OPEN])
            done = await ana.do(table, None, key="the-same-key", do="phrase", phrase="hello")
            answer = await ana.do(table, None, key="the-same-key", do="close")
            assert (answer.status, answer.json) == (200, done.json)
            assert (await ana.update(table))["state"]["status"] == "open"

    run(again())


def test_the_key_of_another_person_is_another_key(server: Server) -> None:
    async def both() -> None:
        async with Person(server.url, "Ana") as ana, Person(server.url, "Budi") as budi:
            table = await ana.make_table("smear", [OPEN, OPEN])
            first = await ana.do(table, None, key="everybodys-key", do="phrase", phrase="hello")
            second = await budi.do(table, None, key="everybodys-key", do="sit", seat=1)
            assert (first.status, second.status) == (201, 201)
            assert second.json["seq"] == first.json["seq"] + 1
            # The same with the key of a table.
            body = {"key": "everybodys-key", "game": "smear", "others": [OPEN, OPEN], "seats": 3}
            made = [await who.request("POST", "/api/tables", body) for who in (ana, budi)]
            assert statuses(made) == {201: 2}
            assert made[0].json != made[1].json

    run(both())


def test_a_stale_tab_is_told_so_and_changes_nothing(server: Server) -> None:
    async def tabs() -> None:
        async with Person(server.url, "Ana") as ana:
            table = await ana.make_table("smear", [BOT, BOT], start=True)
            old = await my_turn(ana, table)
            await ana.do(table, old["head"], **(choice(old, dice(1)) or {}))
            now = await my_turn(ana, table)
            action = now["view"]["legal"][0]
            for command in ({"do": "act", "action": action}, {"do": "undo"}, {"do": "claim"}):
                for expect in (old["head"], 0, None, now["head"] + 1, 10**9):
                    answer = await ana.do(table, expect, **command)
                    assert (answer.status, answer.code) == (409, "stale")
                    assert answer.json["error"]["head"] == now["head"]
            assert len(rows(server.database, table)) == now["head"]

    run(tabs())


def test_talk_does_not_make_a_move_stale(server: Server) -> None:
    async def talk() -> None:
        async with Person(server.url, "Ana") as ana:
            table = await ana.make_table("smear", [BOT, BOT], start=True)
            update = await my_turn(ana, table)
            await ana.do(table, None, do="chat", text="Hmm ...")
            await ana.do(table, None, do="phrase", phrase="moment")
            answer = await ana.do(table, update["head"], **(choice(update, dice(1)) or {}))
            assert (answer.status, answer.json["seq"]) == (201, update["head"] + 3)

    run(talk())


def test_two_tabs_on_one_seat_do_one_thing(server: Server) -> None:
    async def tabs() -> None:
        async with Person(server.url, "Ana") as ana, Person(server.url) as other:
            other.http.cookies = ana.http.cookies
            table = await ana.make_table("smear", [BOT, BOT], start=True)
            for _ in range(6):
                update = await my_turn(ana, table)
                if update["view"]["phase"] == "play" and len(update["view"]["legal"]) > 1:
                    break
                await ana.do(table, update["head"], do="act", action=update["view"]["legal"][0])
            head, legal = update["head"], update["view"]["legal"]
            answers = await at_once(
                ana.do(table, head, do="act", action=legal[0]), other.do(table, head, do="act", action=legal[-1])
            )
            assert statuses(answers) == {201: 1, 409: 1}
            async with Follower(ana, table, after=head) as one, Follower(other, table, after=head, poll=True) as two:
                for tab in (one, two):
                    await tab.until(lambda made: made["head"] > head)
                both = one.steps.keys() & two.steps.keys()
                assert both
                assert all(one.steps[seq] == two.steps[seq] for seq in both)
                assert one.steps[head + 1]["seat"] == 0
                assert one.last["state"]["me"]["seat"] == two.last["state"]["me"]["seat"] == 0

    run(tabs())


def test_a_seat_is_taken_once(server: Server) -> None:
    async def race() -> None:
        async with AsyncExitStack() as stack:
            people = [await stack.enter_async_context(Person(server.url, f"P{number}")) for number in range(6)]
            table = await people[0].make_table("smear", [OPEN, OPEN])
            answers = await at_once(*(person.do(table, None, do="sit", seat=1) for person in people[1:]))
            assert statuses(answers) == {201: 1, 422: 4}
            assert {answer.code for answer in answers if answer.status == 422} == {"taken"}
            # Whoever clicks on two seats at once gets one.
            loser = people[1:][[answer.status for answer in answers].index(422)]
            second = await people[0].make_table("smear", [OPEN, OPEN])
            answers = await at_once(*(loser.do(second, None, do="sit", seat=seat) for seat in (1, 2)))
            assert statuses(answers) == {201: 1, 422: 1}
            # Up and down again in a moment: still one.
            for _ in range(3):
                assert (await loser.do(second, None, do="stand")).status == 201
                assert (await loser.do(second, None, do="sit", seat=2)).status == 201
            seats = (await loser.update(second))["state"]["seats"]
            assert [seat["name"] for seat in seats].count(loser.name) == 1
            check_promises(server.database, people)

    run(race())


def test_a_match_starts_once_and_goes_on_at_one_table(server: Server) -> None:
    async def clicks() -> None:
        async with party(server.url, "smear", 2, dice(3)) as (table, players):
            ana, budi = (player.person for player in players)
            answers = await at_once(*(ana.do(table, None, do="start") for _ in range(3)))
            assert statuses(answers) == {422: 3}
            await ana.do(table, None, do="close")
            answers = await at_once(*(who.do(table, None, do="rematch") for who in (ana, budi, ana, budi)))
            assert all(answer.status in (200, 201) for answer in answers)
            kinds = [row.entry.__class__.__name__ for row in rows(server.database, table)]
            assert kinds.count("Rematched") == 1
            heads = [(await who.update(table))["state"]["rematch"] for who in (ana, budi)]
            assert heads[0] == heads[1] is not None
            assert [seat["kind"] for seat in (await budi.update(heads[0]))["state"]["seats"]] == [
                "person",
                "person",
                "bot",
            ]

    run(clicks())
