"""The schema of the store, for migrations and for those who want to read it: SQLAlchemy Core tables.

The service itself speaks plain SQL (:mod:`meja.table.store`); a test keeps both in step.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

#: One row per table: what lists show. ``summary`` is JSON.
tables: Final = Table(
    "tables",
    metadata,
    Column("id", String(32), nullable=False),
    Column("game", String(16), nullable=False),
    Column("status", String(16), nullable=False),
    Column("head", Integer, nullable=False),
    Column("listed", Integer, nullable=False),
    Column("summary", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    PrimaryKeyConstraint("id"),
    Index("ix_tables_listed_status", "listed", "status"),
    Index("ix_tables_changed", "changed"),
)

#: The log. A table's state is the fold of its rows.
events: Final = Table(
    "events",
    metadata,
    Column("table_id", String(32), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("actor", String(32), nullable=False),
    Column("key", String(80), nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("table_id", "seq"),
    UniqueConstraint("table_id", "actor", "key"),
    sqlite_with_rowid=False,
)

#: Who has or had a seat where.
members: Final = Table(
    "members",
    metadata,
    Column("person", String(32), nullable=False),
    Column("table_id", String(32), nullable=False),
    PrimaryKeyConstraint("person", "table_id"),
    ForeignKeyConstraint(["table_id"], ["tables.id"], ondelete="CASCADE"),
    sqlite_with_rowid=False,
)

#: ``recovery`` is the hash of the recovery code.
people: Final = Table(
    "people",
    metadata,
    Column("id", String(32), nullable=False),
    Column("name", String(64), nullable=False),
    Column("recovery", String(64)),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    PrimaryKeyConstraint("id"),
    UniqueConstraint("recovery"),
)

#: Browsers that are signed in. ``token`` is a hash of the cookie.
sessions: Final = Table(
    "sessions",
    metadata,
    Column("token", String(64), nullable=False),
    Column("person", String(32), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    PrimaryKeyConstraint("token"),
    ForeignKeyConstraint(["person"], ["people.id"], ondelete="CASCADE"),
    Index("ix_sessions_person", "person"),
    sqlite_with_rowid=False,
)

#: Finished matches as ``meja/1``, compressed.
records: Final = Table(
    "records",
    metadata,
    Column("table_id", String(32), nullable=False),
    Column("game", String(16), nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("table_id"),
)
