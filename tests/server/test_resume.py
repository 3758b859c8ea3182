"""Going on after a gap: wherever a browser stood, it gets every step after that, once and in order."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest
from tests.server.people import Follower, Person, after_deals, party
from tests.server.serving import Server
from tests.server.truth import dice, rows

from meja.games import games


async def one_event(person: Person, table: str, *, after: str | None = None, header: str | None = None) -> Any:
    """The first update of a stream."""
    params = {"table": table} | ({} if after is None else {"after": after})
    headers = {} if header is None else {"last-event-id": header}
    async with person.http.stream("GET", "/api/stream", params=params, headers=headers) as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        assert response.headers["x-accel-buffering"] == "no"
        assert "no-store" in response.headers["cache-control"]
        text = ""
        async for chunk in response.aiter_text():
            text += chunk
            for block in text.split("\n\n")[:-1]:
                if "event: update" in block:
                    return json.loads(block.partition("data: ")[2])
    raise AssertionError("the stream ended")


def seqs(update: Any) -> list[int]:
    return [step["seq"] for step in update["steps"]]


@pytest.mark.parametrize("game", games())
def test_random_resumes_tell_what_was_told_live(server: Server, game: str, long: bool) -> None:
    """By stream and by long-poll, in both languages, as a player and as a spectator; also deals ago."""
    rng = dice(11)

    async def resumes() -> None:
        several: dict[str, Any] = {"options": {"target": 250}} if game == "kaluki" else {}
        async with party(server.url, game, 2, rng, **several) as (table, players):
            ana, budi = players
            async with (
                Person(server.url, "", "id") as stranger,
                Follower(stranger, table, after=1) as watching,
                Follower(budi.person, table, after=1, poll=True) as polling,
            ):
                enough = after_deals(1 if game == "kaluki" else 2)
                await asyncio.gather(ana.play(enough), budi.play(enough))
                await ana.person.do(table, None, do="close")
                log = rows(server.database, table)
                head = len(log)
                for follower in (ana.follower, budi.follower, watching, polling):
                    await follower.until(lambda made: made["head"] == head)
                # One generator behind stream and long-poll.
                assert sorted(polling.steps) == list(range(2, head + 1))
                for seq, step in budi.follower.steps.items():
                    assert polling.steps[seq] == step
                kinds = [step["kind"] for step in watching.steps.values()]
                assert kinds.count("deal") > 1
                for _ in range(60 if long else 12):
                    after = rng.randrange(head)
                    for person, live in (
                        (ana.person, ana.follower),
                        (budi.person, polling),
                        (stranger, watching),
                    ):
                        if rng.random() < 0.5:
                            update = await one_event(person, table, after="0", header=str(after))
                        else:
                            update = await person.update(f"{table}/events", after=after, wait=20)
                        assert (update["after"], update["head"]) == (after, head)
                        assert seqs(update) == list(range(after + 1, head + 1))
                        for step in update["steps"]:
                            if step["seq"] in live.steps:
                                assert step == live.steps[step["seq"]]
                        assert update["view"] == live.last["view"]

    asyncio.run(resumes())


@pytest.mark.parametrize("after", ["", "x", "-1", "1.5", "99999", "9" * 30, "١", "null", "1 "])
def test_a_place_that_is_none_means_everything(server: Server, after: str) -> None:
    async def ask() -> None:
        async with Person(server.url, "Ana") as ana:
            table = await ana.make_table("smear", [{"kind": "open"}] * 2)
            for update in (
                await ana.update(f"{table}/events", after=after, wait=20),
                await one_event(ana, table, after=after),
            ):
                assert update["after"] is None
                assert update["steps"] == []
                assert update["story"] is not None

    asyncio.run(ask())


def test_the_header_counts_before_the_address(server: Server) -> None:
    # A browser repeats the address of its first request and adds where it stands.
    async def ask() -> None:
        async with Person(server.url, "Ana") as ana:
            table = await ana.make_table("smear", [{"kind": "open"}] * 2)
            for _ in range(4):
                await ana.do(table, None, do="phrase", phrase="hello")
            update = await one_event(ana, table, after="1", header="3")
            assert (update["after"], seqs(update)) == (3, [4, 5])

    asyncio.run(ask())


def test_a_long_poll_waits_and_hears_at_once(server: Server) -> None:
    async def next_step(person: Person, table: str, head: int) -> Any:
        # Who is here may change without a step: that is told at once, too.
        while True:
            update = await person.update(f"{table}/events", after=head, wait=20)
            assert update["after"] == head
            if update["steps"]:
                return update

    async def ask() -> None:
        async with Person(server.url, "Ana") as ana, Person(server.url, "Budi") as budi:
            table = await ana.make_table("smear", [{"kind": "open"}] * 2)
            waiting = asyncio.create_task(next_step(ana, table, 1))
            await asyncio.sleep(1)
            assert not waiting.done()
            before = time.monotonic()
            await budi.do(table, None, do="sit", seat=1)
            async with asyncio.timeout(15):
                update = await waiting
            assert seqs(update) == [2]
            assert time.monotonic() - before < 10
            # Nothing new: after the time asked for, an answer without steps.
            before = time.monotonic()
            update = await ana.update(f"{table}/events", after=2, wait=0.3)
            assert (update["head"], update["steps"]) == (2, [])
            assert time.monotonic() - before < 10

    asyncio.run(ask())


def test_a_table_that_is_none_is_gone(server: Server) -> None:
    async def ask() -> None:
        async with Person(server.url, "Ana") as ana:
            async with Follower(ana, "nosuchtable1") as follower:
                while follower.gone is None:
                    await asyncio.sleep(0.01)
                assert follower.gone["code"] == "not-found"
            for path in ("", "/events", "/book", "/qr.svg", "/record"):
                answer = await ana.request("GET", f"/api/tables/nosuchtable1{path}")
                assert (answer.status, answer.code) == (404, "not-found")

    asyncio.run(ask())


def test_a_spectator_is_sent_away_when_nobody_may_watch_any_more(server: Server) -> None:
    async def away() -> None:
        async with (
            party(server.url, "smear", 2, dice(4)) as (table, players),
            Person(server.url, "Citra") as citra,
            Follower(citra, table) as watching,
            Follower(citra, table, poll=True) as polling,
        ):
            await watching.until(lambda made: True)
            await polling.until(lambda made: True)
            host = players[0].person
            assert (await host.do(table, None, do="settings", watch=False)).status == 201
            for follower in (watching, polling):
                for _ in range(1000):
                    if follower.gone is not None:
                        break
                    await asyncio.sleep(0.01)
                assert follower.gone["code"] == "not-found"
            heads = [update["head"] for update in (watching.last, polling.last)]
            await asyncio.gather(*(player.play(after_deals(1)) for player in players))
            assert [update["head"] for update in (watching.last, polling.last)] == heads

    asyncio.run(away())
