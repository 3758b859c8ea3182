"""The file of an arena: a first line that tells what is played, then one line for each deal (or match).

A line is written as soon as its deal is finished and flushed at once, so that whatever ends the process, what was
played is kept; at most the last line is torn, and it is dropped when the file is gone on with.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final

from meja.arena.duplicate import Plan, Result, settings
from meja.arena.version import version
from meja.cards import quoted
from meja.errors import MejaError
from meja.messages import Message, msg
from meja.record import Record, atomic_file, dumps, read_documents

FORMAT: Final = "meja-arena/1"
#: No score or count is larger.
_MOST: Final = 10**9


class Journal:
    """The results of a plan in a file, open for writing. Use it as a context manager.

    ``results``: what was in it before, by number. ``notes``: what was mended when it was opened, for people.
    """

    def __init__(self, path: str | os.PathLike[str], plan: Plan, *, resume: bool = False) -> None:
        """Start the file, or with ``resume`` go on with it.

        Raises :class:`~meja.errors.MejaError` for a file that does not fit the plan.
        """
        self.path = Path(path)
        self.results: dict[int, Result] = {}
        self.notes: list[Message] = []
        exists = self.path.exists()
        if exists and not self.path.is_file():
            raise MejaError(msg("{path} is not a file", path=quoted(path, 200)))
        if exists and not resume:
            raise MejaError(
                msg("{path} exists already; go on with it by --resume, or name another file", path=quoted(path, 200))
            )
        self._file: IO[bytes] = open(self.path, "r+b" if exists else "xb")  # noqa: SIM115 - closed by close()
        try:
            _hold(self._file, self.path)
            good = self._read(plan) if exists else 0
        except BaseException:
            self._file.close()
            raise
        self._file.seek(good)
        self._file.truncate()
        if not good:
            self._write(_header(plan))

    def add(self, result: Result) -> None:
        """Write a result; one that is there already is left out."""
        if result.number in self.results:
            return
        self._write(result.to_dict())
        self.results[result.number] = result

    def _write(self, document: Mapping[str, Any]) -> None:
        self._file.write(_line(document))
        self._file.flush()

    def _read(self, plan: Plan) -> int:
        """Read what there is; returns how many bytes of it are good."""
        good = 0
        with open(self.path, "rb") as file:
            for number, line in enumerate(file, 1):
                document = _document(line) if line.endswith(b"\n") else None
                torn = number > 1 or _line(_header(plan)).startswith(line)
                if document is None and torn and not file.peek(1):
                    self.notes.append(
                        msg("the last line of {path} was torn and is dropped", path=quoted(self.path, 200))
                    )
                    break
                try:
                    if document is None:
                        raise ValueError
                    if number == 1:
                        self._check(document, plan)
                    else:
                        self._take(Result.from_dict(document), plan, number)
                except (ValueError, TypeError, LookupError, AttributeError) as error:
                    if isinstance(error, MejaError):
                        raise
                    raise MejaError(
                        msg("{path}, line {number}: not a line of an arena", path=quoted(self.path, 200), number=number)
                    ) from None
                good += len(line)
        return good

    def _take(self, result: Result, plan: Plan, number: int) -> None:
        if tuple(game.seating for game in result.games) != plan.seatings or result.number < 0:
            raise ValueError
        if any(len(game.scores) != plan.rules.seats for game in result.games):
            raise ValueError
        counts = [kind for kinds in result.faults.values() for kind in kinds.values()]
        scores = [score for game in result.games for score in game.scores]
        if any(type(value) is not int or abs(value) > _MOST for value in (*scores, *counts)):
            raise ValueError
        if result.number in self.results:
            self.notes.append(
                msg(
                    "{path}, line {number}: number {played} is there twice; it counts once",
                    path=quoted(self.path, 200),
                    number=number,
                    played=result.number,
                )
            )
            return
        self.results[result.number] = result

    def _check(self, document: Mapping[str, Any], plan: Plan) -> None:
        path = quoted(self.path, 200)
        found = document.get("format")
        if found != FORMAT:
            raise MejaError(
                msg(
                    "{path} is no file of an arena: {found}, expected {expected}",
                    path=path,
                    found=quoted(found),
                    expected=quoted(FORMAT),
                )
            )
        expected: dict[str, Any] = json.loads(_line(_header(plan)))
        for key in {**expected, **document}:
            if document.get(key) != expected.get(key):
                raise MejaError(
                    msg(
                        "{path} cannot be gone on with: its {name} is {found}, not {expected}",
                        path=path,
                        name=key,
                        found=json.dumps(document.get(key)),
                        expected=json.dumps(expected.get(key)),
                    )
                )

    def close(self) -> None:
        """Flush to the disk and close."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _header(plan: Plan) -> dict[str, Any]:
    return {"format": FORMAT, "meja": version(), **settings(plan)}


def _line(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode() + b"\n"


def _document(line: bytes) -> dict[str, Any] | None:
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _hold(file: IO[bytes], path: Path) -> None:
    """Refuse a file that another process is writing."""
    try:
        import fcntl  # noqa: PLC0415 - not on Windows
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise MejaError(msg("{path} is being written by another arena", path=quoted(path, 200))) from None


class Records:
    """The records of the games of an arena, a ``.mejal`` file that grows with it. Use it as a context manager.

    ``missing``: of how many numbers that were played before there is no record.
    """

    def __init__(
        self, path: str | os.PathLike[str], plan: Plan, played: Iterable[int], *, resume: bool = False
    ) -> None:
        """Start the file, or go on with it: the records of the numbers ``played`` stay, others are played again.

        Raises :class:`~meja.errors.MejaError` for a file that holds anything but records of this plan; it stays.
        """
        self.path = Path(path)
        self._plan = plan
        before = set(played)
        if self.path.exists():
            if not self.path.is_file():
                raise MejaError(msg("{path} is not a file", path=quoted(path, 200)))
            if not resume:
                raise MejaError(
                    msg(
                        "{path} exists already; go on with it by --resume, or name another file", path=quoted(path, 200)
                    )
                )
            before -= self._keep(before)
        self.missing = len(before)
        self._file: IO[bytes] = open(self.path, "ab")  # noqa: SIM115 - closed by close()

    def _keep(self, played: set[int]) -> set[int]:
        found = set()
        with atomic_file(self.path) as kept:
            whole = _whole(self.path)
            for at, line in read_documents(self.path):
                number = _number(line, self._plan)
                if number is None and (whole or at != _lines(self.path)):
                    raise MejaError(
                        msg(
                            "{path}, line {number}: not a record of this arena; nothing was changed",
                            path=quoted(self.path, 200),
                            number=at or 1,
                        )
                    )
                if number in played:
                    found.add(number)
                    kept.write(line + b"\n")
        return found

    def add(self, records: Iterable[Record]) -> None:
        """Write the records of one result."""
        for record in records:
            self._file.write(dumps(record).encode() + b"\n")
        self._file.flush()

    def close(self) -> None:
        """Flush to the disk and close."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def __enter__(self) -> Records:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _number(line: bytes, plan: Plan) -> int | None:
    """The number of the deal that a record of a plan belongs to; ``None`` for anything else."""
    try:
        document = json.loads(line)
        arena = document["meta"]["arena"]
        seating = plan.seatings[arena["seating"]]
        names = [f"bot:{plan.bots[bot]}" for bot in seating]
        ours = (
            arena["seed"] == plan.seed
            and document["game"] == plan.rules.game
            and document["rules"] == json.loads(json.dumps(plan.rules.to_dict()))
            and document["players"] == names
        )
        number = arena["number"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return number if ours and type(number) is int else None


def _whole(path: Path) -> bool:
    """Whether the last line of a file is finished."""
    with open(path, "rb") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return True
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def _lines(path: Path) -> int:
    """How many lines a file has, an unfinished one too."""
    with open(path, "rb") as file:
        return sum(1 for _ in file)
