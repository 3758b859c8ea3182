"""Starting and stopping: quick, with a word to everybody, and clear about what is wrong."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import time
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import FAST, Serve
from tests.server.people import BOT, Follower, Person
from tests.server.raw import request
from tests.server.serving import COMMAND, Server

from meja.cli import main


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def command(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *options], capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(("how", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)], ids=["SIGTERM", "Ctrl-C"])
def test_it_stops_soon_and_says_goodbye(serve: Serve, how: signal.Signals, code: int) -> None:
    server = serve()

    async def stop() -> None:
        async with Person(server.url, "Ana") as ana:
            table = await ana.make_table("smear", [BOT, BOT], start=True)
            async with (
                Follower(ana, table) as stream,
                Follower(ana, table, poll=True) as poll,
            ):
                await stream.until(lambda made: True)
                await poll.until(lambda made: True)
                # Somebody whose browser is asleep, and somebody in the middle of a word.
                with socket.create_connection(("127.0.0.1", server.port)) as asleep:
                    asleep.sendall(f"GET /api/stream?table={table} HTTP/1.1\r\nhost: meja\r\n\r\n".encode())
                    began = time.monotonic()
                    server.signal(how)
                    assert await asyncio.to_thread(server.wait, 10) == code
                    seconds = time.monotonic() - began
                    asleep.settimeout(5)
                    data = b""
                    while chunk := asleep.recv(65536):
                        data += chunk
                    assert b"event: bye\n" in data
                    assert data.endswith(b"0\r\n\r\n")
                # On a quiet machine it starts in less than a second; here other tests run beside it.
                assert seconds < 3 * max(1.0, server.seconds)
                # The word is there; on a busy machine it is read a little later.
                for _ in range(500):
                    if stream.byes:
                        break
                    await asyncio.sleep(0.01)
                assert stream.byes == 1
                # The streams come back by themselves.
                await asyncio.to_thread(server.start)
                byes = stream.byes
                head = stream.head
                await ana.do(table, None, do="phrase", phrase="hello")
                for follower in (stream, poll):
                    await follower.until(lambda made: made["head"] > (head or 0))
                assert byes == 1

    run(stop())
    assert server.process.poll() is None


def test_it_is_ready_soon(serve: Serve) -> None:
    server = serve()
    server.stop()
    server.start()
    # A second on a quiet machine; here other tests run beside it.
    print(f"ready after {server.seconds:.2f} s")
    assert server.seconds < 20


def test_an_answer_does_not_wait_for_the_network_to_be_full(server: Server) -> None:
    """Small packets go out at once: nobody waits 40 ms for each answer on a connection that stays open."""
    asked = request("GET", "/api/me")
    seconds = []
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        for _ in range(60):
            began = time.perf_counter()
            connection.sendall(asked)
            data = b""
            while not data.endswith(b"}"):
                data += connection.recv(65536)
            seconds.append(time.perf_counter() - began)
    # The best of many: other tests run beside this one.
    assert sorted(seconds[20:])[10] < 0.035


def test_a_second_server_on_the_same_port_says_so(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    second = command("--port", str(server.port), "--data", str(tmp_path / "other"), "--lang", "en")
    assert second.returncode == 2
    assert second.stdout == ""
    assert second.stderr == (
        f"meja: port {server.port} is in use; is a table being served already? Choose another: --port\n"
    )
    third = command("--port", str(server.port), "--data", str(tmp_path / "other"), "--lang", "id")
    assert third.returncode == 2
    assert str(server.port) in third.stderr
    assert third.stderr != second.stderr


@pytest.mark.parametrize(
    "options",
    [
        ["--port", "70000"],
        ["--port", "-1"],
        ["--port", "http"],
        ["--port"],
        ["--bot-pace", "-1"],
        ["--bot-pace", "nan"],
        ["--bot-pace", "quick"],
        ["--bot-jobs", "-1"],
        ["--bot-jobs", "1000"],
        ["--keep-days", "-1"],
        ["--public-url", "meja.example"],
        ["--lang", "xx"],
        ["--no-such-option"],
        ["something"],
    ],
    ids=" ".join,
)
def test_a_bad_option_is_explained(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("meja.commands.serve.serve", lambda *_: pytest.fail("it was served"))
    try:
        code: object = main(["serve", "--data", str(tmp_path / "data"), *options])
    except SystemExit as end:
        code = end.code
    said = capsys.readouterr()
    assert code == 2
    assert said.out == ""
    assert said.err.splitlines()[-1].startswith("meja")


def test_an_address_that_is_not_ours_is_explained(tmp_path: Path) -> None:
    for host in ("no.such.host.invalid", "203.0.113.9"):
        done = command("--host", host, "--port", "0", "--data", str(tmp_path / "data"), "--lang", "en")
        assert done.returncode == 2
        assert done.stderr.startswith(f"meja: cannot listen on {host}, port 0: ")
        assert len(done.stderr.splitlines()) == 1
        assert not (tmp_path / "data").exists()


def test_data_that_cannot_be_is_explained(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    rubbish = tmp_path / "rubbish"
    rubbish.mkdir()
    (rubbish / "meja.db").write_bytes(b"this is no database at all, but long enough to look like one" * 100)
    for data in (file, file / "below", rubbish):
        done = command("--port", "0", "--data", str(data), "--lang", "en")
        assert done.returncode == 2, done.stderr
        assert "Traceback" not in done.stderr
        assert done.stderr.startswith("meja: ")
        assert str(data) in done.stderr
    assert (rubbish / "meja.db").read_bytes().startswith(b"this is no database")


def test_a_second_server_on_the_same_data_says_so(serve: Serve) -> None:
    server = serve()
    second = command("--port", "0", "--data", str(server.data), "--lang", "en")
    assert second.returncode == 2
    assert second.stdout == ""
    assert second.stderr.startswith("meja: ")
    assert str(server.data) in second.stderr
    # What was killed holds nothing.
    server.kill()
    server.start()


def test_a_killed_server_leaves_no_process(serve: Serve) -> None:
    server = serve("--no-limits")

    async def play() -> None:
        async with Person(server.url, "Ana") as ana:
            table = await ana.make_table("smear", [BOT, BOT], start=True)
            async with Follower(ana, table) as follower:
                await follower.until(lambda made: made["head"] > 3)

    run(play())
    server.kill()
    assert "leaked: a process of the server is still there\n" not in server.err


def test_it_listens_where_it_was_told(quick_disk: Path) -> None:
    server = Server(quick_disk / "six", *FAST, "--host", "::1")
    try:
        with socket.create_connection(("::1", server.port)) as connection:
            connection.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
            assert connection.recv(100).startswith(b"HTTP/1.1 200")
        with pytest.raises(OSError), socket.create_connection(("127.0.0.1", server.port), timeout=5):
            pass
    finally:
        server.stop()
