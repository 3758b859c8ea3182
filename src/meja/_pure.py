"""``MEJA_PURE=1``: Python's own files of this package, and no compiled module; for tests and debugging."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType


class _Sources:
    """Finds the modules of ``meja`` among the ``.py`` files alone."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None, _target: ModuleType | None = None) -> ModuleSpec | None:
        """The source file of a module of ours."""
        if not name.startswith("meja.") or path is None:
            return None
        for folder in path:
            spec = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name)
            if spec is not None:
                return spec
        return None


def prefer_sources() -> None:
    """From now on modules of ``meja`` are imported from their sources."""
    if _Sources not in sys.meta_path:
        sys.meta_path.insert(0, _Sources)
