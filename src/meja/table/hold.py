"""Who uses a data folder: one server at a time holds it, and what replaces its data holds it, too.

The hold is a lock of the system on a file in the folder: it ends with its process, however that ends.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Final

from meja.errors import MejaError
from meja.messages import msg

NAME: Final = "meja.lock"
#: Far behind what is written into the file, since Windows lets nobody read what is locked.
_PLACE: Final = 1 << 20
_LONGEST: Final = 400


class InUse(MejaError):
    """Somebody else holds the data folder."""


class Hold:
    """The hold on a data folder; :meth:`release` ends it, and so does the end of the process."""

    def __init__(self, folder: Path) -> None:
        """Take hold; raises :class:`InUse` where somebody else has it."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path = folder / NAME
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        if not _lock(self._file):
            os.close(self._file)
            who = _written(self.path)
            raise InUse(
                msg("the data in {path} is in use by a table that is being served ({who})", path=str(folder), who=who)
                if who
                else msg("the data in {path} is in use by a table that is being served", path=str(folder))
            )
        self.tell("")

    def tell(self, address: str) -> None:
        """Write down who holds it, for people and for ``meja doctor``."""
        os.lseek(self._file, 0, os.SEEK_SET)
        os.ftruncate(self._file, 0)
        os.write(self._file, f"{address} pid {os.getpid()}".strip().encode()[:_LONGEST])

    def release(self) -> None:
        """End the hold. The file stays: removing it would let two others hold two files of one name."""
        with contextlib.suppress(OSError):
            os.ftruncate(self._file, 0)
        os.close(self._file)


def holder(folder: Path) -> str | None:
    """What the one who holds a data folder wrote down; ``None`` where nobody does."""
    path = folder / NAME
    try:
        file = os.open(path, os.O_RDWR)
    except OSError:
        return None
    try:
        return None if _lock(file) else _written(path)
    finally:
        os.close(file)


def _written(path: Path) -> str:
    try:
        text = path.read_bytes()[:_LONGEST].decode("utf-8", "replace").strip()
    except OSError:
        return ""
    return "".join(sign for sign in text if sign.isprintable())


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> bool:
        os.lseek(file, _PLACE, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
