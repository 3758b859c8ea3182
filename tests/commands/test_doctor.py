"""``meja doctor`` finds the usual mistakes, each by its own line, and nothing where all is well."""

from __future__ import annotations

import gzip
import http.client
import os
import re
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from meja.cli import main
from meja.search import kernels
from meja.server.doctor import Finding, examine_here
from meja.server.selfcheck import KERNELS
from meja.server.way import examine_way
from meja.table.hold import Hold
from meja.table.store import Store

#: The server's heartbeat here, so that nobody waits long.
HEARTBEAT = 1.0


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    Store.open(folder / "meja.db").close()
    return folder


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def look(folder: Path, port: int | None = None) -> list[Finding]:
    return list(examine_here(folder, folder / "meja.db", "127.0.0.1", free_port() if port is None else port))


def troubles(findings: list[Finding]) -> list[tuple[str, str]]:
    return [(finding.level, str(finding.text)) for finding in findings if finding.level != "ok"]


# -- this computer ------------------------------------------------------------------


def test_where_all_is_well_nothing_is_at_fault(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--data", str(data), "--port", str(free_port()), "--lang", "en"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) >= 7
    assert all(re.match(r"(ok|warning|fault) +\S", line) for line in lines)
    assert not [line for line in lines if line.startswith("fault")]
    text = "\n".join(lines)
    for word in (sys.version.split()[0], sqlite3.sqlite_version, str(data), "GB", "ms", "schema 0001"):
        assert word in text


def test_a_fault_is_told_with_advice_and_by_the_exit_code(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["doctor", "--data", str(data), "--port", str(port), "--lang", "en"]) == 1
    out = capsys.readouterr()
    (line,) = [line for line in out.out.splitlines() if line.startswith("fault")]
    assert str(port) in line
    assert " -> " in line
    assert "1 fault, " in out.err


def test_the_words_are_indonesian_where_asked(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor", "--data", str(data), "--port", str(free_port()), "--lang", "en"])
    english = capsys.readouterr().out
    main(["doctor", "--data", str(data), "--port", str(free_port()), "--lang", "id"])
    assert capsys.readouterr().out != english


def test_a_folder_that_is_not_there_yet_is_no_fault(tmp_path: Path) -> None:
    assert troubles(look(tmp_path / "none")) == []
    assert not (tmp_path / "none").exists(), "looking makes nothing"


def test_a_file_in_place_of_the_folder_is_one(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("x")
    assert [level for level, text in troubles(look(tmp_path / "data")) if "not a folder" in text] == ["fault"]


def test_a_folder_that_cannot_be_written_is_one(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("meja.server.doctor.tempfile.NamedTemporaryFile", refuse)
    assert ("fault", f"nothing can be written to {data}: Permission denied") in troubles(look(data))


def test_a_table_that_is_served_holds_the_port_rightly(data: Path) -> None:
    hold = Hold(data)
    hold.tell("http://localhost:1234")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        findings = look(data, taken.getsockname()[1])
    hold.release()
    assert troubles(findings) == []
    assert any("http://localhost:1234" in finding.text for finding in findings)


def change(path: Path, query: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(query)


def test_a_newer_schema_is_a_fault(data: Path) -> None:
    change(data / "meja.db", "UPDATE alembic_version SET version_num = '9999'")
    ((level, text),) = troubles(look(data))
    assert level == "fault"
    assert "9999" in text


def test_damaged_data_is_a_fault(data: Path) -> None:
    store = data / "meja.db"
    content = bytearray(store.read_bytes())
    content[4096 * 3 + 8 : 4096 * 6] = b"\xff" * (4096 * 3 - 8)
    store.write_bytes(content)
    assert [level for level, text in troubles(look(data)) if "damaged" in text] == ["fault"]


def test_a_clock_behind_what_was_stored_is_a_fault(data: Path) -> None:
    later = int((time.time() + 3600) * 1000)
    change(data / "meja.db", f"INSERT INTO tables VALUES ('t', 'smear', 'open', 1, 0, '', {later}, {later})")
    ((level, text),) = troubles(look(data))
    assert level == "fault"
    assert re.search(r"3[56]\d\d s behind", text)


def test_a_long_log_beside_the_data_is_a_warning(data: Path) -> None:
    with open(data / "meja.db-wal", "wb") as log:
        log.truncate(65 * 1_000_000)
    ((level, text),) = troubles(look(data))
    assert (level, text) == ("warning", "log beside the data: 65.0 MB")


@pytest.mark.parametrize(("free", "level"), [(50e6, "fault"), (500e6, "warning"), (5e9, "ok")])
def test_a_full_disk_is_told(data: Path, monkeypatch: pytest.MonkeyPatch, free: float, level: str) -> None:
    monkeypatch.setattr("meja.server.doctor.shutil.disk_usage", lambda _: SimpleNamespace(free=free))
    assert [finding.level for finding in look(data) if "free on the disk" in finding.text] == [level]


def test_a_slow_disk_is_told(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def slow(file: int) -> None:
        time.sleep(0.05)
        real(file)

    monkeypatch.setattr("meja.server.doctor.os.fsync", slow)
    ((level, text),) = troubles(look(data))
    assert level == "warning"
    assert "the disk keeps a move within" in text


@pytest.mark.parametrize(
    ("kind", "level"), [("nfs4", "fault"), ("cifs", "fault"), ("tmpfs", "warning"), ("ext4", "ok")]
)
def test_the_kind_of_drive_counts(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, level: str
) -> None:
    mounts = f"none / ext4 rw 0 0\nserver:/x {tmp_path} {kind} rw 0 0\nnone {tmp_path}/da ext3 rw 0 0\n"
    real = Path.read_text
    monkeypatch.setattr(
        Path, "read_text", lambda self, *a, **k: mounts if str(self) == "/proc/self/mounts" else real(self, *a, **k)
    )
    found = [finding.level for finding in look(data) if f"({kind})" in finding.text or f"({kind};" in finding.text]
    assert found == ([] if level == "ok" else [level])


@pytest.mark.skipif(os.name != "posix", reason="rights as Unix has them")
def test_data_that_others_can_read_is_a_warning(data: Path) -> None:
    (data / "meja.db").chmod(0o644)
    data.chmod(0o755)
    ((level, text),) = troubles(look(data))
    assert level == "warning"
    assert "other users" in text


# -- the way ------------------------------------------------------------------------


SERVE = """
import signal, sys
from pathlib import Path
from meja.server.run import Settings, serve
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
serve(
    Settings(port=0, data=Path(sys.argv[1]), workers=1, heartbeat=float(sys.argv[2]), proxies=sys.argv[3]),
    lambda address: print(address, flush=True),
)
"""


@contextmanager
def served(folder: Path, proxies: str = "") -> Iterator[int]:
    """A server whose heart beats quickly; its port."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(folder), str(HEARTBEAT), proxies], stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline().rpartition(":")[2])
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with served(tmp_path_factory.mktemp("served")) as port:
        yield port


@pytest.fixture(scope="module")
def believing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A server that believes its proxy."""
    with served(tmp_path_factory.mktemp("believing"), "127.0.0.1") as port:
        yield port


@dataclass
class Manners:
    """How a proxy behaves. ``hold``: it passes nothing on before all is there; ``idle``: seconds of silence it bears.

    ``pack``: it compresses streams; ``longest``: bytes of a body that it takes.
    """

    hold: bool = False
    idle: float = 30.0
    keep_host: bool = True
    forwarded: bool = False
    address: str = "203.0.113.7"
    longest: int = 10**7
    drop: tuple[str, ...] = ()
    add: tuple[tuple[str, str], ...] = ()
    pack: bool = False
    status: int = 0
    cookie: str = ""
    seen: list[str] = field(default_factory=list)


@contextmanager
def proxied(port: int, manners: Manners) -> Iterator[str]:
    """A proxy before a table; its address."""

    class Proxy(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.pass_on(None)

        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            body = self.rfile.read(length)
            if length > manners.longest:
                self.send_response(413)
                self.send_header("content-length", "0")
                self.end_headers()
                return
            self.pass_on(body)

        def pass_on(self, body: bytes | None) -> None:
            manners.seen.append(self.path)
            if manners.status:
                self.send_response(manners.status)
                self.send_header("location", "https://elsewhere.example/")
                self.send_header("content-length", "0")
                self.end_headers()
                return
            headers = dict(self.headers.items())
            if not manners.keep_host:
                headers["Host"] = f"127.0.0.1:{port}"
            if manners.forwarded:
                headers |= {"X-Forwarded-For": manners.address, "X-Forwarded-Proto": "http"}
            upstream = http.client.HTTPConnection("127.0.0.1", port, timeout=manners.idle)
            try:
                upstream.request(self.command, self.path, body, headers)
                self.answer(upstream.getresponse())
            except OSError:
                self.close_connection = True
            finally:
                upstream.close()

        def answer(self, answer: http.client.HTTPResponse) -> None:
            stream = "event-stream" in (answer.getheader("content-type") or "")
            packed = manners.pack and stream
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("content-length", "transfer-encoding", "connection", *manners.drop):
                    self.send_header(name, manners.cookie if manners.cookie and name == "set-cookie" else value)
            for name, value in (*manners.add, *((("content-encoding", "gzip"),) if packed else ())):
                self.send_header(name, value)
            self.send_header("connection", "close")
            self.end_headers()
            self.close_connection = True
            if manners.hold or packed:
                body = answer.read()
                self.wfile.write(gzip.compress(body) if packed else body)
                return
            while chunk := answer.read1(65_536):
                self.wfile.write(chunk)
                self.wfile.flush()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def way_troubles(port: int, manners: Manners) -> list[tuple[str, str]]:
    with proxied(port, manners) as url:
        return troubles(list(examine_way(url)))


def test_a_table_without_a_proxy_is_well(table: int) -> None:
    findings = list(examine_way(f"http://127.0.0.1:{table}"))
    assert troubles(findings) == []
    text = "\n".join(finding.text for finding in findings)
    for word in (f"kernels: {KERNELS}", "without a proxy", "events come as they are sent", "2 s stays open", "1 MB"):
        assert word in text


def test_a_proxy_that_does_its_work_is_well(believing: int) -> None:
    with proxied(believing, Manners(forwarded=True)) as url:
        findings = list(examine_way(url))
    assert troubles(findings) == []
    assert any("behind a proxy that is believed" in finding.text for finding in findings)


def test_looking_leaves_nobody_behind(believing: int, tmp_path: Path) -> None:
    with served(tmp_path / "data") as port:
        list(examine_way(f"http://127.0.0.1:{port}"))
    with closing(sqlite3.connect(tmp_path / "data" / "meja.db")) as connection:
        assert connection.execute("SELECT count(*) FROM people").fetchone() == (0,)


@pytest.mark.parametrize(
    ("manners", "level", "word"),
    [
        (Manners(hold=True), "fault", "held back"),
        (Manners(pack=True), "fault", "compressed on the way (gzip)"),
        (Manners(idle=HEARTBEAT * 0.9), "fault", "silent for 2 s is cut"),
        (Manners(keep_host=False), "fault", "posts are refused"),
        (Manners(drop=("set-cookie",)), "fault", "posts do not get through"),
        (Manners(cookie="meja=x; Path=/app; HttpOnly; SameSite=lax"), "fault", "the cookie arrives changed"),
        (Manners(cookie="meja=x; Path=/; HttpOnly"), "fault", "the cookie arrives changed"),
        (Manners(drop=("content-security-policy",)), "fault", "Security-Policy header is lost"),
        (Manners(add=(("Content-Security-Policy", "default-src *"),)), "fault", "Security-Policy header is changed"),
        (Manners(drop=("x-content-type-options",)), "warning", "security headers are lost"),
        (Manners(longest=1024 * 1024 - 1), "warning", "records of 1 MB cannot be sent (413)"),
        (Manners(forwarded=True), "warning", "does not believe the proxy's headers"),
        (Manners(status=301), "fault", "sends on to https://elsewhere.example/"),
        (Manners(status=502), "fault", "no table of this version (502)"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_a_proxy_does_wrong_is_found(table: int, manners: Manners, level: str, word: str) -> None:
    found = way_troubles(table, manners)
    assert [trouble[0] for trouble in found if word in trouble[1]] == [level], found
    assert len(found) == 1, "and nothing is found that is well"


def test_where_nothing_listens_it_says_so() -> None:
    ((level, text),) = troubles(list(examine_way(f"http://127.0.0.1:{free_port()}")))
    assert level == "fault"
    assert "does not answer" in text


def test_what_is_no_table_is_told_from_one() -> None:
    class Other(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<h1>It works!</h1>")

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Other) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            ((level, text),) = troubles(list(examine_way(f"http://127.0.0.1:{server.server_address[1]}")))
        finally:
            server.shutdown()
            thread.join()
    assert level == "fault"
    assert "no table" in text


@pytest.mark.parametrize(
    "url", ["", "ftp://example.org", "https://", "http://example.org:port", "https://example.org/meja"]
)
def test_an_address_that_cannot_be_one_is_refused(url: str) -> None:
    ((level, _),) = troubles(list(examine_way(url)))
    assert level == "fault"


def test_the_kernels_are_told(tmp_path: Path) -> None:
    findings = examine_here(tmp_path, tmp_path / "meja.db", "127.0.0.1", 0)
    found = [finding for finding in findings if "kernels of the bots" in finding.text]
    assert len(found) == 1
    made = kernels()
    plain = [name for name, compiled in made.items() if not compiled]
    if plain:
        assert "not compiled" in found[0].text
        assert found[0].advice is not None
        assert "script/compile" in found[0].advice
    else:
        assert found[0].text == f"all {len(made)} kernels of the bots are compiled"
