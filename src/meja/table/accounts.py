"""People and the browsers that are signed in as them.

A guest is a random id that never leaves the person's own browser and this store. Cookies and
recovery codes are kept as hashes only: who reads the store cannot sign in with it.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from meja.errors import MejaError
from meja.messages import msg
from meja.table.people import check_name
from meja.table.store import Store

#: Without I, L, O, 0, 1: nobody confuses what is left. 12 signs of 31 are 59 bits.
_CODE: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
_CACHED: Final = 20_000
#: How often the time of the last visit is written, in milliseconds.
_VISIT: Final = 86_400_000


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody: an id that is a secret of the own browser, and a name."""

    id: str
    name: str


class Accounts:
    """Who is who, over a store."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store = store
        self._now = clock
        self._known: OrderedDict[str, tuple[Person, int]] = OrderedDict()

    async def of_token(self, token: str) -> Person | None:
        """The person whose cookie this is, or ``None``."""
        if not 16 <= len(token) <= 128 or not token.isascii():
            return None
        digest = _hash(token)
        found = self._known.get(digest)
        if found is None:
            row = await self._store.read(
                lambda connection: connection.execute(
                    "SELECT p.id, p.name, s.seen FROM sessions s JOIN people p ON p.id = s.person WHERE s.token = ?",
                    (digest,),
                ).fetchone()
            )
            if row is None:
                return None
            found = (Person(row[0], row[1]), row[2])
        person, seen = found
        if self._now() - seen > _VISIT:
            seen = self._now()
            await self._store.write(lambda connection: _visit(connection, digest, person.id, seen))
        self._remember(digest, person, seen)
        return person

    def _remember(self, digest: str, person: Person, seen: int) -> None:
        self._known[digest] = (person, seen)
        self._known.move_to_end(digest)
        while len(self._known) > _CACHED:
            self._known.popitem(last=False)

    async def guest(self, name: str) -> tuple[Person, str]:
        """Make a person; returns them and the token for the browser."""
        person = Person(secrets.token_hex(16), check_name(name))
        token, now = secrets.token_urlsafe(32), self._now()

        def change(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO people (id, name, created, seen) VALUES (?, ?, ?, ?)", (person.id, person.name, now, now)
            )
            _sign_in(connection, _hash(token), person.id, now)

        await self._store.write(change)
        self._remember(_hash(token), person, now)
        return person, token

    async def rename(self, person: Person, name: str) -> Person:
        """Give a person another name."""
        renamed = Person(person.id, check_name(name))
        await self._store.write(
            lambda connection: (
                connection.execute("UPDATE people SET name = ? WHERE id = ?", (renamed.name, person.id)).rowcount
            )
        )
        self._forget_person(person.id)
        return renamed

    async def recovery_code(self, person: Person) -> str:
        """A new recovery code, shown once; the one before it ends."""
        signs = "".join(secrets.choice(_CODE) for _ in range(12))
        await self._store.write(
            lambda connection: (
                connection.execute(
                    "UPDATE people SET recovery = ? WHERE id = ?", (_hash(f"recovery|{signs}"), person.id)
                ).rowcount
            )
        )
        return f"{signs[:4]}-{signs[4:8]}-{signs[8:]}"

    async def recover(self, code: str) -> tuple[Person, str]:
        """Sign another browser in by a recovery code; raises :class:`~meja.errors.MejaError` for a wrong one."""
        signs = "".join(sign for sign in code.upper() if sign.isalnum())
        token, now = secrets.token_urlsafe(32), self._now()

        def change(connection: sqlite3.Connection) -> Person | None:
            row = connection.execute(
                "SELECT id, name FROM people WHERE recovery = ?", (_hash(f"recovery|{signs}"),)
            ).fetchone()
            if row is None:
                return None
            _sign_in(connection, _hash(token), row[0], now)
            return Person(row[0], row[1])

        person = await self._store.write(change) if len(signs) == 12 else None
        if person is None:
            raise MejaError(msg("This code is not known. A newer code may have replaced it."))
        self._remember(_hash(token), person, now)
        return person, token

    async def sign_out(self, token: str) -> None:
        """Make a browser forget the person; its cookie is worth nothing from now on."""
        digest = _hash(token)
        await self._store.write(
            lambda connection: connection.execute("DELETE FROM sessions WHERE token = ?", (digest,)).rowcount
        )
        self._known.pop(digest, None)

    def _forget_person(self, person: str) -> None:
        for digest in [digest for digest, (known, _) in self._known.items() if known.id == person]:
            del self._known[digest]


def _hash(text: str) -> str:
    # Tokens and codes are random and long enough: a plain hash cannot be turned back.
    return hashlib.sha256(text.encode()).hexdigest()


def _sign_in(connection: sqlite3.Connection, digest: str, person: str, now: int) -> None:
    connection.execute(
        "INSERT INTO sessions (token, person, created, seen) VALUES (?, ?, ?, ?)", (digest, person, now, now)
    )


def _visit(connection: sqlite3.Connection, digest: str, person: str, now: int) -> None:
    connection.execute("UPDATE sessions SET seen = ? WHERE token = ?", (now, digest))
    connection.execute("UPDATE people SET seen = ? WHERE id = ?", (now, person))
