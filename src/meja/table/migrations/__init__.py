"""Migrations of the store (Alembic)."""
