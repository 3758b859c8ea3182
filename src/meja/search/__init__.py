"""Fast kernels: playouts, exact solvers, the meld optimiser, drawing worlds.

Every module here is plain Python with a ``.pxd`` beside it: it runs as it is, and compiled (``script/compile``, wheels)
about a hundred times faster, with the same results. No module here decides a rule by itself: what restates one is tied
to ``meja.games`` by differential tests.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def kernels() -> dict[str, bool]:
    """The modules that can be compiled, by name, and whether Python would take a compiled one."""
    found = {}
    for declared in sorted(Path(__file__).parent.glob("*.pxd")):
        # A declaration of functions that are inlined has no module of its own.
        if declared.read_text(encoding="utf-8").startswith("# Inlined"):
            continue
        spec = find_spec(f"{__name__}.{declared.stem}")
        found[declared.stem] = bool(spec and spec.origin and not spec.origin.endswith(".py"))
    return found
