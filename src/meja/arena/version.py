"""Which Meja this is: results of different versions are not to be mixed, since bots change."""

from __future__ import annotations

from importlib import import_module


def version() -> str:
    """The version of the package; asked when needed, since the package itself knows rooms above this one."""
    return str(import_module("meja").__version__)
