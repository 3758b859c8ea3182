"""Bad networks: slow, cut, reset, half-open, with answers that never come. Nobody loses anything by them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import httpx
import pytest
from tests.server.chaos import CLEAR, REPLY_LOST, Proxy, Weather
from tests.server.conftest import Serve
from tests.server.people import BOT, OPEN, Follower, Person, Player, after_deals, choice, party
from tests.server.raw import request
from tests.server.serving import Server
from tests.server.truth import check_fold, check_promises, dice, rows


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def changeable(rng: random.Random) -> Callable[[int], Weather]:
    """A forecast with everything in it."""

    def weather(number: int) -> Weather:
        match rng.randrange(8):
            case 0:
                return Weather(latency=0.02, answer=rng.randrange(6000), end="reset")
            case 1:
                return Weather(answer=rng.randrange(3000), end="hang")
            case 2:
                return Weather(answer=rng.randrange(3000), end="slow", slowness=0.3)
            case 3:
                return Weather(request=rng.randrange(700), end=rng.choice(["close", "reset"]))
            case 4:
                return REPLY_LOST
            case 5:
                return Weather(latency=0.05)
            case _:
                return CLEAR

    return weather


async def followers_of(url: str) -> int:
    """How many follow a table, as the server counts them."""
    async with Person(url) as nobody:
        found = re.search(r"^meja_followers (\d+)$", (await nobody.request("GET", "/metrics")).body.decode(), re.M)
        assert found is not None
        return int(found[1])


async def settles(check: Callable[[], Coroutine[Any, Any, bool]], seconds: float = 15) -> bool:
    """Whether it came to that."""
    for _ in range(int(seconds / 0.05)):
        if await check():
            return True
        await asyncio.sleep(0.05)
    return False


async def closed(writer: asyncio.StreamWriter, reset: bool) -> None:
    """Close a connection, with or without a word."""
    if reset:
        writer.transport.abort()
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()


async def behind(server: Server, proxy: Proxy, person: Person, table: str, seed: int) -> Player:
    """The same person behind a proxy: no connection is used twice, and silence is not borne for long."""
    far = Person(proxy.url, "", keep_alive=False)
    far.name, far.http.cookies = person.name, person.http.cookies
    far.http.timeout = httpx.Timeout(2.0)
    link = Follower(far, table, patience=3.0, poll=seed % 2 == 1)
    return Player(far, link, dice(seed))


def test_a_match_in_changeable_weather(server: Server, long: bool) -> None:
    async def match(seed: int) -> None:
        rng = dice(seed)
        async with party(server.url, "smear", 2, rng) as (table, near), Proxy(server.port, changeable(rng)) as proxy:
            players = [await behind(server, proxy, who.person, table, number) for number, who in enumerate(near)]
            async with players[0].follower, players[1].follower:
                await asyncio.gather(*(player.play(after_deals(1)) for player in players))
                people = [player.person for player in players]
                await near[0].person.do(table, None, do="close")
                assert check_promises(server.database, people) > 8
                assert proxy.connections > 20
                assert sum(person.doubted for person in people) > 1
                await check_fold(server.database, table, [(near[0].person, 0), (near[1].person, 1)])
                # Those with a good network were not held up, and saw the same.
                head = len(rows(server.database, table))
                for player in near:
                    await player.follower.until(lambda made: made["head"] == head)
                for one, other in zip(players, near, strict=True):
                    await one.follower.until(lambda made: made["head"] == head)
                    for seq, step in one.follower.steps.items():
                        assert other.follower.steps.get(seq, step) == step
            for player in players:
                await player.person.http.aclose()

    for seed in range(12 if long else 1):
        run(match(seed))


def test_an_answer_that_is_lost_is_given_again(server: Server) -> None:
    async def lost() -> None:
        async with Person(server.url, "Ana") as ana:
            # Every second connection loses its answer.
            async with Proxy(server.port, lambda number: CLEAR if number % 2 else REPLY_LOST) as proxy:
                far = Person(proxy.url, keep_alive=False)
                async with far:
                    far.http.cookies = ana.http.cookies
                    table = await far.make_table("smear", [BOT, OPEN])
                    for number in range(5):
                        answer = await far.do(table, None, do="chat", text=f"number {number}")
                        # It was done by the request whose answer was lost.
                        assert answer.status == 200
                    assert far.doubted == 6
                check_promises(server.database, [far])
            said = [message["text"] for message in (await ana.update(table))["state"]["messages"]]
            assert said == [f"number {number}" for number in range(5)]

    run(lost())


def test_half_a_request_does_nothing(server: Server) -> None:
    async def half() -> None:
        async with Person(server.url, "Ana") as ana:
            table = await ana.make_table("smear", [BOT, OPEN])
            body = json.dumps({"key": "half-a-request", "command": {"do": "phrase", "phrase": "hello"}})
            head = (
                f"POST /api/tables/{table}/commands HTTP/1.1\r\nhost: 127.0.0.1:{server.port}\r\n"
                f"content-type: application/json\r\ncookie: meja={ana.cookie}\r\ncontent-length: {len(body)}\r\n\r\n"
            )
            whole = (head + body).encode()
            for cut in (20, len(head) - 2, len(head), len(head) + 10, len(whole) - 1):
                for reset in (False, True):
                    _, writer = await asyncio.open_connection("127.0.0.1", server.port)
                    writer.write(whole[:cut])
                    await writer.drain()
                    await closed(writer, reset)
            await asyncio.sleep(0.3)
            assert len(rows(server.database, table)) == 1
            # The last byte makes it a command, also for somebody who does not wait for the answer.
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(whole)
            await writer.drain()
            await closed(writer, True)

            async def done() -> bool:
                return len(rows(server.database, table)) == 2

            assert await settles(done)
            answer = await ana.do(table, None, key="half-a-request", do="phrase", phrase="hello")
            assert (answer.status, answer.json["seq"]) == (200, 2)

    run(half())


def test_a_half_open_stream_is_replaced_and_holds_nobody_up(server: Server) -> None:
    async def hanging() -> None:
        async with party(server.url, "smear", 2, dice(2)) as (table, players), Proxy(server.port) as proxy:
            ana, budi = players
            before = await followers_of(server.url)
            far = await behind(server, proxy, budi.person, table, 2)
            async with far.follower:
                await far.follower.until(lambda made: True)
                assert await followers_of(server.url) == before + 1
                opened = proxy.connections
                proxy.hang()
                await asyncio.gather(ana.play(after_deals(1)), budi.play(after_deals(1)))
                await ana.person.do(table, None, do="close")
                head = len(rows(server.database, table))
                await far.follower.until(lambda made: made["head"] == head)
                assert proxy.connections > opened
                assert sorted(far.follower.steps) == list(range(min(far.follower.steps), head + 1))
            await far.person.http.aclose()
            proxy.cut()

            async def gone() -> bool:
                return await followers_of(server.url) == before

            assert await settles(gone), "a stream that was cut still counts"

    run(hanging())


@pytest.fixture
def far_network() -> Iterator[tuple[str, list[str], list[str]]]:
    """(own address, what runs a command at the other end, what cuts the cable)."""
    name = f"meja{os.getpid()}"
    own, other = f"{name[:12]}a", f"{name[:12]}b"
    there = ["ip", "netns", "exec", name]
    steps = [
        ["ip", "netns", "add", name],
        ["ip", "link", "add", own, "type", "veth", "peer", "name", other],
        ["ip", "link", "set", other, "netns", name],
        ["ip", "addr", "add", "10.213.77.1/30", "dev", own],
        ["ip", "link", "set", own, "up"],
        [*there, "ip", "addr", "add", "10.213.77.2/30", "dev", other],
        [*there, "ip", "link", "set", other, "up"],
    ]
    if shutil.which("ip") is None or not all(quiet_run(step) for step in steps):
        quiet_run(["ip", "netns", "del", name])
        pytest.skip("a network can be made by the administrator only")
    yield "10.213.77.1", there, [*there, "ip", "link", "set", other, "down"]
    quiet_run(["ip", "link", "del", own])
    quiet_run(["ip", "netns", "del", name])


def quiet_run(words: list[str]) -> bool:
    """Run a command; whether it went well."""
    return (
        shutil.which(words[0]) is not None and subprocess.run(words, capture_output=True, check=False).returncode == 0
    )


@pytest.mark.long
def test_somebody_who_vanished_without_a_word_is_noticed(
    serve: Serve, far_network: tuple[str, list[str], list[str]]
) -> None:
    """No packet comes any more, not even one that ends the connection: as when a telephone loses its network."""
    address, there, cut = far_network
    server = serve("--host", address)
    base = f"http://{address}:{server.port}"

    async def make() -> str:
        async with Person(base, "Ana") as ana:
            return await ana.make_table("smear", [OPEN, OPEN])

    table = asyncio.run(make())
    listen = "import socket, sys\ns = socket.create_connection((sys.argv[1], int(sys.argv[2])))\n"
    listen += "s.sendall(sys.argv[3].encode())\nwhile s.recv(65536): pass\n"
    asked = request("GET", f"/api/stream?table={table}").decode()
    with subprocess.Popen([*there, sys.executable, "-c", listen, address, str(server.port), asked]) as listener:

        async def count(wanted: int, seconds: float) -> bool:
            async def reached() -> bool:
                return await followers_of(base) == wanted

            return await settles(reached, seconds)

        try:
            assert asyncio.run(count(1, 10))
            assert quiet_run(cut)
            assert asyncio.run(count(0, 90)), "somebody who is gone counts as being there"
        finally:
            listener.kill()


def test_streams_that_are_cut_leave_nothing_behind(server: Server) -> None:
    async def cuts() -> None:
        async with Person(server.url, "Ana") as ana:
            table = await ana.make_table("smear", [BOT, OPEN])
            before = await followers_of(server.url)
            async with Proxy(server.port, lambda number: Weather(answer=1500 * number, end="reset")) as proxy:
                far = Person(proxy.url, keep_alive=False)
                async with far:
                    far.http.cookies = ana.http.cookies
                    async with Follower(far, table, after=1, patience=2) as follower:
                        for number in range(10):
                            await ana.do(table, None, do="chat", text=f"number {number} " + "x" * 150)
                            await asyncio.sleep(0.05)
                        await follower.until(lambda made: made["head"] == 11)
                        assert sorted(follower.steps) == list(range(2, 12))
                        assert proxy.connections > 3

            async def gone() -> bool:
                return await followers_of(server.url) == before

            assert await settles(gone)

    run(cuts())


def test_somebody_who_does_not_read_holds_nobody_up_and_gets_all_of_it_later(server: Server, long: bool) -> None:
    # The system itself holds some megabytes for somebody who does not read.
    count = 600 if long else 100

    async def stuck() -> None:
        async with Person(server.url, "Ana") as ana, Person(server.url, "Budi") as budi:
            table = await ana.make_table("smear", [OPEN, OPEN])
            await budi.do(table, None, do="sit", seat=1)
            lazy = socket.socket()
            lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            lazy.setblocking(False)
            loop = asyncio.get_running_loop()
            await loop.sock_connect(lazy, ("127.0.0.1", server.port))
            asked = request("GET", f"/api/stream?table={table}&after=2", None, (("cookie", f"meja={budi.cookie}"),))
            await loop.sock_sendall(lazy, asked)
            async with Follower(ana, table) as follower:
                await follower.until(lambda made: True)
                for number in range(count):
                    await ana.do(table, None, do="chat", text=f"{number} " + "y" * 190)
                await follower.until(lambda made: made["head"] == count + 2)
            data = b""
            while b"\nid: %d\n" % (count + 2) not in data:
                data += await asyncio.wait_for(loop.sock_recv(lazy, 65536), 10)
            lazy.close()
            events = re.findall(rb'"after":(\d+),"head":(\d+)', data)
            places = [2, *(int(head) for _, head in events)]
            assert [int(after) for after, _ in events] == places[:-1]
            assert not long or len(events) < count, "what nobody reads was queued piece by piece"

    run(stuck())


def test_requests_one_after_the_other_on_one_slow_connection(server: Server) -> None:
    async def slow() -> None:
        async with Person(server.url, "Ana") as ana, Proxy(server.port, lambda number: Weather(latency=0.1)) as proxy:
            far = Person(proxy.url)
            async with far:
                far.http.cookies = ana.http.cookies
                table = await far.make_table("smear", [BOT, BOT], start=True)
                async with Follower(far, table) as follower:
                    player = Player(far, follower, dice(5), twice=1.0)
                    for _ in range(4):
                        await player.turn(await follower.until(lambda made: choice(made, dice(0)) is not None))
                    assert player.answers == {201: 4, 200: 4}
            check_promises(server.database, [far])

    run(slow())
