"""``meja backup`` and ``meja restore``, and that one data folder is served once."""

from __future__ import annotations

import random
import secrets
import shutil
import sqlite3
import stat
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.serving import Server

from meja.cli import main
from meja.table import backup
from meja.table.hold import NAME, Hold, InUse, holder
from meja.table.store import REVISION, Store

FAST = ("--bot-pace", "0", "--bot-jobs", "1")
USAGE = 2


def rows(path: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def log_of(path: Path) -> list[tuple[Any, ...]]:
    return rows(path, "SELECT table_id, seq, actor, key, body FROM events ORDER BY table_id, seq")


def people_of(path: Path) -> list[str]:
    return [row[0] for row in rows(path, "SELECT name FROM people ORDER BY name")]


def make_store(path: Path, *people: str) -> Path:
    """A store with some people in it."""
    Store.open(path).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        for name in people:
            connection.execute("INSERT INTO people VALUES (?, ?, NULL, 1, 1)", (f"id-{name}", name))
    return path


class Player:
    """Somebody alone against bots, over HTTP."""

    def __init__(self, url: str, cookie: str = "", table: str = "") -> None:
        self.http = httpx.Client(base_url=url, timeout=30, trust_env=False)
        if cookie:
            self.http.cookies.set("meja", cookie)
        else:
            assert self.http.post("/api/me", json={"name": "Ana"}).status_code == 200
        self.table = table
        self.moves = 0
        self.chance = random.Random(1)

    def __enter__(self) -> Player:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    @property
    def cookie(self) -> str:
        return self.http.cookies["meja"]

    def sit(self) -> None:
        body = {
            "key": secrets.token_hex(8),
            "game": "bassadewitz",
            "seats": 3,
            "options": {"deals": 6},
            "others": [{"kind": "bot", "level": "rules-of-thumb"}] * 2,
            "start": True,
        }
        answer = self.http.post("/api/tables", json=body)
        assert answer.status_code == 201, answer.text
        self.table = answer.json()["table"]

    def see(self) -> Any:
        answer = self.http.get(f"/api/tables/{self.table}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def play(self, until: threading.Event | None = None, pause: float = 0.0) -> Any:
        """Play at random to the end of the match, or until told to stop; returns the last update."""
        update = self.see()
        while update["state"]["status"] != "finished" and not (until is not None and until.is_set()):
            what: dict[str, Any] | None = None
            if update["state"]["can"]["ready"]:
                what = {"do": "ready", "seed": secrets.token_hex(32)}
            elif update["view"] and update["view"]["legal"]:
                what = {"do": "act", "action": self.chance.choice(update["view"]["legal"])}
                self.moves += 1
            if what is not None:
                body = {"key": secrets.token_hex(8), "expect": update["head"], "command": what}
                answer = self.http.post(f"/api/tables/{self.table}/commands", json=body)
                assert answer.status_code in (200, 201), answer.text
                time.sleep(pause)
            update = self.http.get(
                f"/api/tables/{self.table}/events", params={"after": update["head"], "wait": 10}
            ).json()
        return update


@contextmanager
def served(data: Path) -> Iterator[Server]:
    server = Server(data, *FAST)
    try:
        yield server
    finally:
        server.stop()
    assert server.faults == [], server.said


def test_a_copy_made_while_a_match_is_played_goes_on_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, there, copies = tmp_path / "here", tmp_path / "there", tmp_path / "copies"
    copies.mkdir()
    with served(here) as server, Player(server.url) as ana:
        ana.sit()
        last: list[Any] = []
        playing = threading.Thread(target=lambda: last.append(ana.play(pause=0.01)))
        playing.start()
        made: list[Path] = []
        while playing.is_alive() and len(made) < 6:
            moves = ana.moves
            while playing.is_alive() and ana.moves < moves + 5:
                time.sleep(0.01)
            made.append(copies / f"{len(made)}.db")
            assert main(["backup", str(made[-1]), "--data", str(here), "--lang", "en"]) == 0
            assert f"Backup written to {made[-1]}: 1 table, " in capsys.readouterr().out
        playing.join(60)
        assert last[0]["state"]["status"] == "finished", "the copies did not disturb the match"
        whole = log_of(here / "meja.db")
        lengths = []
        for copy in made:
            log = log_of(copy)
            assert log == whole[: len(log)], "a copy holds the log up to one moment, without a gap"
            lengths.append(len(log))
        assert lengths == sorted(set(lengths))
        assert lengths[0] < len(whole)

    assert main(["restore", str(made[0]), "--data", str(there), "--lang", "en"]) == 0
    assert capsys.readouterr().out.startswith(f"Restored in {there}: 1 table, 0 records of finished matches, 1 person")
    with served(there) as server, Player(server.url, ana.cookie, ana.table) as again:
        before = again.see()
        assert before["state"]["me"]["seat"] == 0, "the browser is still known there"
        assert before["head"] == lengths[0]
        end = again.play()
        assert end["state"]["status"] == "finished"
        assert again.http.get(f"/api/tables/{ana.table}/record").status_code == 200


def test_a_copy_is_private_and_complete(tmp_path: Path) -> None:
    make_store(tmp_path / "data" / "meja.db", "Ana", "Budi")
    copy = tmp_path / "copy.db"
    assert main(["backup", str(copy), "--data", str(tmp_path / "data")]) == 0
    assert people_of(copy) == ["Ana", "Budi"]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "data"], "nothing else is left behind"


def test_a_file_that_is_there_is_overwritten_only_by_force(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_store(tmp_path / "data" / "meja.db", "Ana")
    copy = tmp_path / "copy.db"
    copy.write_text("precious")
    assert main(["backup", str(copy), "--data", str(tmp_path / "data"), "--lang", "en"]) == USAGE
    assert "--force" in capsys.readouterr().err
    assert copy.read_text() == "precious"
    assert main(["backup", str(copy), "--data", str(tmp_path / "data"), "--force"]) == 0
    assert people_of(copy) == ["Ana"]


def damage(path: Path) -> None:
    """Overwrite pages in the middle of a store."""
    data = bytearray(path.read_bytes())
    page = 4096
    for number in range(2, len(data) // page):
        data[number * page + 8 : number * page + 200] = b"\xff" * 192
    path.write_bytes(data)


def test_damaged_data_makes_no_copy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damage(make_store(tmp_path / "data" / "meja.db", "Ana"))
    copy = tmp_path / "copy.db"
    copy.write_text("the last good one")
    assert main(["backup", str(copy), "--data", str(tmp_path / "data"), "--force", "--lang", "en"]) == USAGE
    assert "meja.db" in capsys.readouterr().err
    assert copy.read_text() == "the last good one"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.db", "data"]


@pytest.mark.parametrize("where", ["nothing/here.db", "data"])
def test_a_copy_needs_a_place(tmp_path: Path, capsys: pytest.CaptureFixture[str], where: str) -> None:
    make_store(tmp_path / "data" / "meja.db")
    assert main(["backup", str(tmp_path / where), "--data", str(tmp_path / "data"), "--force", "--lang", "en"]) == USAGE
    assert str(tmp_path / where) in capsys.readouterr().err


def test_there_must_be_data_to_copy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["backup", str(tmp_path / "copy.db"), "--data", str(tmp_path / "none"), "--lang", "en"]) == USAGE
    assert "there is no data" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


# -- putting back -------------------------------------------------------------------


def test_old_data_is_replaced_only_by_force_and_kept_aside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    make_store(data / "meja.db", "Old")
    copy = make_store(tmp_path / "copy.db", "New")
    assert main(["restore", str(copy), "--data", str(data), "--lang", "en"]) == USAGE
    assert "--force" in capsys.readouterr().err
    assert people_of(data / "meja.db") == ["Old"]
    for count in (1, 2):
        # Twice in the same second must not lose the first.
        assert main(["restore", str(copy), "--data", str(data), "--force", "--lang", "en"]) == 0
        assert "The old data is kept in" in capsys.readouterr().out
        kept = sorted(data.glob("meja-2*.db"))
        assert len(kept) == count
    assert people_of(data / "meja.db") == ["New"]
    assert sorted(people_of(path) for path in kept) == [["New"], ["Old"]]
    assert people_of(copy) == ["New"]


def test_what_stood_in_the_log_of_the_old_data_is_kept_and_does_not_leak_into_the_new(tmp_path: Path) -> None:
    data = tmp_path / "data"
    store = make_store(tmp_path / "live.db", "Old")
    copy = make_store(tmp_path / "copy.db", "New")
    data.mkdir()
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("INSERT INTO people VALUES ('x', 'Late', NULL, 1, 1)")
        connection.commit()
        # As after a power cut: the last change is in the log beside the file alone.
        for ending in ("", "-wal"):
            shutil.copy(f"{store}{ending}", data / f"meja.db{ending}")
    assert (data / "meja.db-wal").stat().st_size > 0
    assert main(["restore", str(copy), "--data", str(data), "--force"]) == 0
    assert people_of(data / "meja.db") == ["New"]
    (kept,) = data.glob("meja-2*.db")
    assert people_of(kept) == ["Late", "Old"]


def set_revision(path: Path, revision: str) -> Path:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))
    return path


def no_store(path: Path) -> Path:
    path.write_bytes(b"PK\x03\x04 something else entirely")
    return path


def other_store(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE people (id)")
    return path


def damaged(path: Path) -> Path:
    damage(make_store(path, "Ana"))
    return path


def cut(path: Path) -> Path:
    make_store(path, "Ana")
    path.write_bytes(path.read_bytes()[: 4096 * 3])
    return path


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (no_store, "is not the data of a table"),
        (other_store, "is not the data of a table"),
        (damaged, "damaged"),
        (cut, "damaged"),
        (lambda path: set_revision(make_store(path), "9999"), "newer Meja (schema 9999"),
        (lambda path: set_revision(make_store(path), "beef"), "unknown schema (beef"),
        (lambda path: path, "there is no file"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], make: Any, word: str
) -> None:
    data = tmp_path / "data"
    make_store(data / "meja.db", "Old")
    before = (data / "meja.db").read_bytes()
    copy = tmp_path / "copy.db"
    make(copy)
    assert main(["restore", str(copy), "--data", str(data), "--force", "--lang", "en"]) == USAGE
    said = capsys.readouterr().err
    assert word in said
    assert str(copy) in said
    assert (data / "meja.db").read_bytes() == before
    assert {path.name for path in data.iterdir()} <= {"meja.db", NAME}


def test_this_version_knows_its_own_revision_and_all_before() -> None:
    known = backup.revisions()
    assert known[-1] == REVISION
    assert all(backup.revision_trouble(revision, "x") is None for revision in known)


# -- one at a time ------------------------------------------------------------------


def test_data_that_is_served_is_not_replaced_nor_served_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    copy = make_store(tmp_path / "copy.db", "New")
    with served(data) as server, Player(server.url):
        assert main(["restore", str(copy), "--data", str(data), "--force", "--lang", "en"]) == USAGE
        said = capsys.readouterr().err
        assert "in use" in said
        assert f":{server.port} " in said, "it says where the table is served"
        assert main(["serve", "--port", "0", "--data", str(data), "--lang", "en"]) == USAGE
        assert "in use" in capsys.readouterr().err
    assert people_of(data / "meja.db") == ["Ana"]
    assert main(["restore", str(copy), "--data", str(data), "--force"]) == 0
    assert people_of(data / "meja.db") == ["New"]


@pytest.mark.skipif(sys.platform == "win32", reason="kills as Unix does")
def test_a_killed_server_does_not_keep_the_data(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", *FAST)
    assert holder(tmp_path / "data") is not None
    server.kill()
    assert holder(tmp_path / "data") is None
    server.start()
    server.stop()
    assert server.faults == [], server.said


def test_a_hold_is_one_at_a_time_and_tells_who_has_it(tmp_path: Path) -> None:
    hold = Hold(tmp_path)
    hold.tell("http://localhost:1\x1b[2J")
    with pytest.raises(InUse) as fault:
        Hold(tmp_path)
    assert "http://localhost:1[2J" in str(fault.value)
    assert "\x1b" not in str(fault.value)
    hold.release()
    assert holder(tmp_path) is None
    Hold(tmp_path).release()
