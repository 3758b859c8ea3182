"""No room on the disk, a store that cannot be written: a clear word, nothing doubled, nothing lost, and on it goes."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import FAST, Serve
from tests.server.people import BOT, OPEN, Follower, Person, after_deals, party
from tests.server.serving import COMMAND, Server
from tests.server.truth import check_fold, check_promises, dice, rows

from meja.language import Language
from meja.messages import msg

SORRY = msg("This could not be stored, so it did not happen. Try again in a moment.")


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def no_room(server: Server, none: bool = True) -> None:
    """Let the server write nothing more to any file, as on a full disk; or let it again."""
    _, most = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (0 if none else most, most))


async def refused(
    person: Person, table: str, key: str, languages: tuple[str, ...] = ("en", "id"), **command: Any
) -> None:
    """A command that cannot be stored now."""
    for language in languages:
        body = {"key": key, "expect": None, "command": command}
        answer = await person.request("POST", f"/api/tables/{table}/commands", body, lang=language)
        assert (answer.status, answer.code) == (503, "storage")
        assert answer.json["error"]["text"] == Language(language).sentence(SORRY)
        assert int(answer.headers["retry-after"]) >= 1


async def through_a_full_disk(server: Server, fill: Callable[[], object], free: Callable[[], None]) -> None:
    """People play; the disk is full; nothing is lost; there is room again; they play on to the end."""
    rng = dice(5)
    async with party(server.url, "smear", 2, rng, twice=0.2) as (table, players):
        ana, budi = players
        playing = asyncio.gather(*(player.play(after_deals(2)) for player in players))
        await ana.follower.until(lambda made: made["state"]["deal"] >= 1)
        fill()
        await asyncio.sleep(0.5)
        before = rows(server.database, table)
        person = ana.person
        await refused(person, table, "no-room-for-this", do="phrase", phrase="oops")
        answer = await person.request(
            "POST", "/api/tables", {"key": "no-room-for-this", "game": "smear", "seats": 3, "others": [BOT, BOT]}
        )
        assert (answer.status, answer.code) == (503, "storage")
        async with Person(server.url) as nobody:
            answer = await nobody.request("POST", "/api/me", {"name": "Nobody"})
            assert (answer.status, answer.code) == (503, "storage")
            assert "set-cookie" not in answer.headers
        # Looking on goes on as ever.
        for path in (
            f"/api/tables/{table}",
            f"/api/tables/{table}/events?after=3",
            "/api/me",
            "/api/games",
            "/healthz",
        ):
            assert (await person.request("GET", path)).status == 200
        # The players do not stop trying: something may have been stored while the disk filled up, but nothing twice.
        log = rows(server.database, table)
        assert log[: len(before)] == before
        assert [row.seq for row in log] == list(range(1, len(log) + 1))
        free()
        answer = await person.do(table, None, key="no-room-for-this", do="phrase", phrase="oops")
        assert answer.status == 201
        await playing
        await person.do(table, None, do="close")
        check_promises(server.database, [ana.person, budi.person])
        await check_fold(server.database, table, [(ana.person, 0), (budi.person, 1)])
        for player in players:
            head = len(rows(server.database, table))
            await player.follower.until(lambda made, head=head: made["head"] == head)  # type: ignore[misc]


def test_no_more_room_for_files(serve: Serve, tmp_path: Path) -> None:
    server = serve("--no-limits", data=tmp_path / "data")
    run(through_a_full_disk(server, lambda: no_room(server), lambda: no_room(server, False)))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with little room."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("a disk can be mounted by the administrator only")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill_up(folder: Path) -> Path:
    """Fill a disk to the last byte."""
    filler = folder / "filler"
    with open(filler, "ab", buffering=0) as file:
        for size in (65536, 512, 1):
            try:
                while file.write(b"x" * size) == size:
                    pass
            except OSError:
                continue
    return filler


def test_a_full_disk(small_disk: Path) -> None:
    server = Server(small_disk / "data", *FAST, "--no-limits")
    try:
        run(through_a_full_disk(server, lambda: fill_up(small_disk), (small_disk / "filler").unlink))
        # It also starts where there is no room at all, and shows what is there.
        server.kill()
        filler = fill_up(small_disk)
        server.start()

        async def look() -> None:
            async with Person(server.url) as nobody:
                assert (await nobody.request("GET", "/api/tables")).status == 200
                # What was in the log beside the file has made room in it for a little.
                assert (await nobody.request("POST", "/api/me", {"name": "Nobody"})).status in (200, 503)
                filler.unlink()
                assert (await nobody.request("POST", "/api/me", {"name": "Nobody"})).status == 200

        run(look())
        server.stop()
        assert server.faults == []
    finally:
        server.kill()


def test_a_match_that_ends_when_there_is_no_room_keeps_its_record(serve: Serve) -> None:
    server = serve("--no-limits")

    async def ends() -> None:
        async with party(server.url, "smear", 1, dice(6)) as (table, players):
            ana = players[0].person
            head = players[0].follower.last
            assert head is None or head["state"]["status"] != "finished"
            await ana.do(table, None, do="close")
            answer = await ana.sure("GET", f"/api/tables/{table}/record")
            assert answer.status == 200
            # Another one, where the end itself cannot be stored.
            second = await ana.make_table("smear", [BOT, BOT], start=True)
            no_room(server)
            await refused(ana, second, "the-end-of-it", do="close")
            assert (await ana.request("GET", f"/api/tables/{second}/record")).status == 409
            no_room(server, False)
            assert (await ana.do(second, None, key="the-end-of-it", do="close")).status == 201
            assert (await ana.sure("GET", f"/api/tables/{second}/record")).status == 200

            for _ in range(200):
                with closing(sqlite3.connect(server.database)) as connection:
                    kept = {row[0] for row in connection.execute("SELECT table_id FROM records")}
                    status = dict(connection.execute("SELECT id, status FROM tables"))
                if kept == {table, second}:
                    break
                await asyncio.sleep(0.05)
            assert kept == {table, second}
            assert status == {table: "closed", second: "closed"}

    run(ends())


#: Serves as usual; SIGUSR1 makes the store read-only, SIGUSR2 writable again.
READ_ONLY = """
import signal, sys
from meja.cli import run
from meja.table.store import Store
made = []
connect = Store._connect
def kept(self):
    made.append(connect(self))
    return made[-1]
Store._connect = kept
wanted = [0]
commit = Store._commit
def committed(self, connection, jobs):
    connection.execute(f"PRAGMA query_only={wanted[0]}")
    commit(self, connection, jobs)
Store._commit = committed
signal.signal(signal.SIGUSR1, lambda *_: wanted.__setitem__(0, 1))
signal.signal(signal.SIGUSR2, lambda *_: wanted.__setitem__(0, 0))
sys.argv.insert(1, "serve")
sys.exit(run())
"""


def test_a_store_that_turns_read_only(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", *FAST, "--no-limits", command=[sys.executable, "-c", READ_ONLY])
    try:
        run(through_a_full_disk(server, lambda: server.signal(signal.SIGUSR1), lambda: server.signal(signal.SIGUSR2)))
        server.stop()
        assert server.faults == []
    finally:
        server.kill()


#: Serves as usual, but without the administrator's power to write what is read-only.
WITHOUT_POWER = f"""
import ctypes, os, sys
for power in (1, 2):
    ctypes.CDLL(None).prctl(24, power, 0, 0, 0)
os.execv(sys.executable, [*{COMMAND!r}, *sys.argv[1:]])
"""


@pytest.fixture
def without_power() -> list[str]:
    """The command of a server that may not write what is read-only."""
    if not sys.platform.startswith("linux"):
        pytest.skip("how to give up power is known for Linux only")
    return [sys.executable, "-c", WITHOUT_POWER]


def test_a_file_that_is_read_only_from_the_start(tmp_path: Path, without_power: list[str]) -> None:
    data = tmp_path / "data"

    async def before() -> tuple[str, str]:
        async with Person(server.url, "Ana") as ana:
            table = await ana.make_table("smear", [BOT, OPEN])
            return table, ana.cookie

    async def after() -> None:
        async with Person(server.url) as ana:
            ana.http.cookies.set("meja", cookie)
            assert (await ana.update(table))["state"]["me"]["seat"] == 0
            await refused(ana, table, "read-only-now", do="phrase", phrase="oops")

    server = Server(data, *FAST)
    table, cookie = asyncio.run(before())
    server.stop()
    os.chmod(server.database, 0o444)
    server = Server(data, *FAST, command=without_power)
    try:
        run(after())
        server.stop()
        assert server.faults == []
    finally:
        server.kill()


def test_a_folder_that_is_read_only_is_explained(tmp_path: Path, without_power: list[str]) -> None:
    data = tmp_path / "data"
    data.mkdir()
    os.chmod(data, 0o555)
    try:
        done = subprocess.run(
            [*without_power, "--port", "0", "--data", str(data), "--lang", "en"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        os.chmod(data, 0o755)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("meja: ")
    assert str(data) in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_store_that_somebody_else_holds(serve: Serve) -> None:
    """A backup or another program has the file locked for longer than one waits."""
    server = serve("--no-limits")

    async def held() -> None:
        async with Person(server.url, "Ana") as ana:
            table = await ana.make_table("smear", [BOT, OPEN])
            with closing(sqlite3.connect(server.database, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                async with Follower(ana, table) as follower:
                    await follower.until(lambda made: True)
                    await refused(ana, table, "held-by-others", ("id",), do="phrase", phrase="oops")
                    other.execute("ROLLBACK")
                    assert (await ana.do(table, None, key="held-by-others", do="phrase", phrase="oops")).status == 201
                    await follower.until(lambda made: made["head"] == 2)

    run(held())
