"""New data gets the schema that the migrations make, without the time that loading them takes."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from meja.table import store
from meja.table.store import REVISION, Store


def schema(path: Path) -> list[tuple[str, str, str]]:
    """Every table and index with the words it was made by; line ends and spaces do not count."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY rowid").fetchall()
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(REVISION,)]
    return [(kind, name, re.sub(r"\s+", " ", sql or "").strip()) for kind, name, sql in rows]


def test_new_data_begins_as_the_migrations_would_leave_it(tmp_path: Path) -> None:
    Store.open(tmp_path / "new.db").close()
    store._migrate(tmp_path / "migrated.db")
    assert schema(tmp_path / "new.db") == schema(tmp_path / "migrated.db")


def test_a_first_start_does_not_load_alembic(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from meja.table.store import Store\n"
        "Store.open(Path(sys.argv[1])).close()\n"
        "print([name for name in ('alembic', 'sqlalchemy') if name in sys.modules])"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "new" / "meja.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_empty_file_is_new_data(tmp_path: Path) -> None:
    (tmp_path / "meja.db").touch()
    Store.open(tmp_path / "meja.db").close()
    assert len(schema(tmp_path / "meja.db")) > 6


def test_what_fails_while_beginning_leaves_data_that_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.read_text
    broken = "CREATE TABLE tables (id TEXT); CREATE TABLE tables (id TEXT);"
    with monkeypatch.context() as patch:
        patch.setattr(
            Path, "read_text", lambda self, *a, **k: broken if self.name == "head.sql" else real(self, *a, **k)
        )
        with pytest.raises(store.StorageFault):
            Store.open(tmp_path / "meja.db")
    Store.open(tmp_path / "meja.db").close()
    assert len(schema(tmp_path / "meja.db")) > 6
