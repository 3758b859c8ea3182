"""The usual mistakes of the computer that serves, and of its data."""

from __future__ import annotations

import os
import re
import shutil
import socket
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Final

from meja import __version__
from meja.errors import system_words
from meja.messages import Message, msg
from meja.search import kernels
from meja.table.backup import BackupFault, examine
from meja.table.hold import holder
from meja.table.store import REVISION

OK: Final = "ok"
WARNING: Final = "warning"
FAULT: Final = "fault"

_MB: Final = 1_000_000
#: Bytes left on the disk; milliseconds to put a few bytes on it; bytes of the log beside the store.
_LOW, _EMPTY = 1000 * _MB, 100 * _MB
_SLOW, _VERY_SLOW = 30.0, 200.0
_LONG_LOG: Final = 64 * _MB
_FEW_FILES: Final = 4096
_OLDEST_SQLITE: Final = (3, 35, 0)
#: No clock that is right shows an earlier time.
_EARLIEST: Final = 1_790_000_000
_NETWORK: Final = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "fuse.rclone", "glusterfs", "ceph")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: how it is, and what to do where it should be otherwise."""

    level: str
    text: Message
    advice: Message | None = None


# -- this computer and its data -----------------------------------------------------


def examine_here(folder: Path, store: Path, host: str, port: int) -> Iterator[Finding]:
    """Look at the programs, the data folder and the port."""
    yield _versions()
    yield _kernels()
    yield from _packages()
    yield from _files()
    yield _clock(store)
    who = holder(folder)
    yield _port(host, port, who)
    yield from _folder(folder)
    if folder.is_dir():
        yield _disk(folder)
        yield _speed(folder)
    if store.exists():
        # The log first: looking at the store tidies it up.
        yield _log(store)
        yield _store(store)


def _versions() -> Finding:
    text = msg(
        "Meja {meja}, Python {python}, SQLite {sqlite}",
        meja=__version__,
        python=".".join(map(str, sys.version_info[:3])),
        sqlite=sqlite3.sqlite_version,
    )
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        return Finding(FAULT, text, msg("This SQLite is too old: use a newer Python."))
    return Finding(OK, text)


def _kernels() -> Finding:
    """Whether bots that search run compiled."""
    made = kernels()
    plain = [name for name, compiled in made.items() if not compiled]
    if not plain:
        return Finding(OK, msg("all {count} kernels of the bots are compiled", count=len(made)))
    advice = msg("Bots that search look at fewer worlds. With a C compiler: script/compile")
    if len(plain) == len(made):
        return Finding(OK, msg("the kernels of the bots are not compiled"), advice)
    return Finding(WARNING, msg("kernels of the bots that are not compiled: {names}", names=", ".join(plain)), advice)


def _packages() -> Iterator[Finding]:
    """The packages that Meja says it needs, against those that are there."""
    try:
        needed = requires("meja") or []
    except PackageNotFoundError:
        yield Finding(WARNING, msg("Meja is not installed as a package"), msg("Install it: pip install ."))
        return
    faults, found = 0, []
    for line in needed:
        match = re.match(r"([A-Za-z0-9_.-]+)\s*(?:\[.*?\])?\s*>=\s*([0-9.]+)[^;]*(;.*)?$", line)
        if match is None or match[3]:
            continue
        name, least = match[1], match[2]
        try:
            there = version(name)
        except PackageNotFoundError:
            faults += 1
            yield Finding(
                FAULT, msg("the package {name} is missing", name=name), msg("Install Meja again: pip install .")
            )
            continue
        found.append(f"{name} {there}")
        if _numbers(there) < _numbers(least):
            faults += 1
            yield Finding(
                FAULT,
                msg("{name} is {found}; {least} or later is needed", name=name, found=there, least=least),
                msg("Install Meja again: pip install ."),
            )
    if not faults:
        yield Finding(OK, msg("packages: {packages}", packages=", ".join(found)))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", text.partition("+")[0])[:3])


def _files() -> Iterator[Finding]:
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - not on Windows

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < _FEW_FILES:
        yield Finding(
            WARNING,
            msg(
                "a process may have {files} files open, so about {people} people can play", files=hard, people=hard // 3
            ),
            msg("Raise the limit (systemd: LimitNOFILE=65536)."),
        )


def _clock(store: Path) -> Finding:
    """The clock must be right roughly, and never behind what was stored."""
    now = time.time()
    text = msg("clock: {time} UTC", time=time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(now)))
    advice = msg("Set the clock, and let it be kept right (timedatectl set-ntp true).")
    if now < _EARLIEST:
        return Finding(FAULT, text, advice)
    newest = _newest(store)
    if newest is not None and newest / 1000 > now + 5:
        return Finding(
            FAULT,
            msg("{clock}: {seconds} s behind the newest entry", clock=text, seconds=round(newest / 1000 - now)),
            advice,
        )
    return Finding(OK, text)


def _newest(store: Path) -> int | None:
    try:
        with closing(sqlite3.connect(f"{store.absolute().as_uri()}?mode=ro", uri=True, timeout=5)) as connection:
            row = connection.execute("SELECT max(changed) FROM tables").fetchone()
    except (sqlite3.Error, ValueError):
        return None
    return None if row is None or row[0] is None else int(row[0])


def _port(host: str, port: int, who: str | None) -> Finding:
    if who is not None:
        return Finding(OK, msg("a table is being served: {who}", who=who or "?"))
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            if os.name == "posix":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        return Finding(
            FAULT,
            msg("port {port} cannot be had: {why}", port=port, why=system_words(error)),
            msg("Choose another (--port), or stop what listens there."),
        )
    return Finding(OK, msg("no table is being served; port {port} is free", port=port))


def _folder(folder: Path) -> Iterator[Finding]:
    if not folder.is_dir():
        if folder.exists():
            yield Finding(FAULT, msg("{path} is not a folder", path=str(folder)), msg("Choose another folder: --data."))
        else:
            yield Finding(OK, msg("there is no data yet; {path} will be made", path=str(folder)))
        return
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".meja-"):
            pass
    except OSError as error:
        yield Finding(
            FAULT,
            msg("nothing can be written to {path}: {why}", path=str(folder), why=system_words(error)),
            msg("Give the folder to the user who serves the table (chown), or choose another: --data."),
        )
        return
    yield Finding(OK, msg("data folder: {path}", path=str(folder)))
    kind = _file_system(folder)
    if kind in _NETWORK:
        yield Finding(
            FAULT,
            msg("{path} lies on a network drive ({kind}); SQLite can lose data there", path=str(folder), kind=kind),
            msg("Keep the data on a disk of this computer: --data."),
        )
    elif kind in ("tmpfs", "ramfs"):
        yield Finding(
            WARNING,
            msg("{path} lies in memory ({kind}); all is lost when the computer stops", path=str(folder), kind=kind),
            msg("Keep the data on a disk of this computer: --data."),
        )
    if os.name == "posix" and folder.stat().st_mode & 0o077:
        open_to_all = [path for path in (folder / "meja.db",) if path.exists() and path.stat().st_mode & 0o044]
        if open_to_all and folder.stat().st_mode & 0o011:
            yield Finding(
                WARNING,
                msg("other users of this computer can read the cards in {path}", path=str(folder)),
                msg("Close the folder: chmod 700 {path}", path=str(folder)),
            )


def _file_system(folder: Path) -> str:
    """The kind of the file system, where the system tells."""
    try:
        lines = Path("/proc/self/mounts").read_text(errors="replace").splitlines()
    except OSError:
        return ""
    best, kind = "", ""
    place = os.path.realpath(folder) + "/"
    for line in lines:
        words = line.split()
        if len(words) < 3:
            continue
        point = words[1].replace("\\040", " ").rstrip("/") + "/"
        if place.startswith(point) and len(point) >= len(best):
            best, kind = point, words[2]
    return kind


def _disk(folder: Path) -> Finding:
    free = shutil.disk_usage(folder).free
    text = msg("free on the disk: {size} GB", size=f"{free / 1e9:.1f}")
    advice = msg("Make room: when the disk is full, no move can be stored.")
    return Finding(FAULT if free < _EMPTY else WARNING if free < _LOW else OK, text, advice if free < _LOW else None)


def _speed(folder: Path) -> Finding:
    """How long it takes until something is on the disk: every move waits for it."""
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".meja-") as file:
            times = []
            for _ in range(15):
                began = time.perf_counter()
                file.write(b"x" * 4096)
                file.flush()
                os.fsync(file.fileno())
                times.append(1000 * (time.perf_counter() - began))
    except OSError as error:
        return Finding(FAULT, msg("nothing can be written to {path}: {why}", path=str(folder), why=system_words(error)))
    middle = statistics.median(times)
    text = msg("the disk keeps a move within {time} ms", time=f"{middle:.1f}")
    if middle > _VERY_SLOW:
        return Finding(FAULT, text, msg("Every move waits so long: use another disk."))
    return Finding(WARNING, text, msg("That is slow; an SSD takes 1 to 10.")) if middle > _SLOW else Finding(OK, text)


def _store(store: Path) -> Finding:
    """Every page of the store, its revision, and what it holds."""
    try:
        contents = examine(store, store)
    except BackupFault as fault:
        return Finding(FAULT, fault.text, msg("Stop the table and put a backup back: meja restore FILE."))
    except OSError as error:
        return Finding(FAULT, msg("{path}: {why}", path=str(store), why=system_words(error)))
    text = msg(
        "data: {size} MB, {tables} tables, {records} finished matches, {people} people, whole; schema {revision}",
        size=f"{contents.size / 1e6:.1f}",
        tables=contents.tables,
        records=contents.records,
        people=contents.people,
        revision=contents.revision,
    )
    if contents.revision != REVISION:
        return Finding(WARNING, text, msg("The next start brings it up to date; make a backup before."))
    return Finding(OK, text)


def _log(store: Path) -> Finding:
    try:
        size = Path(f"{store}-wal").stat().st_size
    except OSError:
        size = 0
    text = msg("log beside the data: {size} MB", size=f"{size / 1e6:.1f}")
    if size > _LONG_LOG:
        return Finding(
            WARNING, text, msg("Something reads the data and does not stop (another program?): end it, or start anew.")
        )
    return Finding(OK, text)
