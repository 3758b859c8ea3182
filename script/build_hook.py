"""Wheels: the kernels are compiled into them where that can be done, and are plain Python files otherwise.

An installation never fails for want of a compiler. ``MEJA_PURE=1`` in the environment leaves the compiling out; with
``MEJA_COMPILE=1`` a wheel that cannot be compiled is a fault, as it should be where wheels are made for others.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))

import compiled  # found by the path that was just added


class KernelHook(BuildHookInterface[Any]):
    """Adds the compiled kernels to a wheel and names the platform it is for."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What compiling needs besides a C compiler."""
        return [] if _pure() else ["Cython>=3.3", "setuptools>=77"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile for a wheel that is to be handed out; in an editable installation ``script/compile`` does it."""
        if version != "standard" or _pure():
            return
        root = Path(self.root)
        into = Path(tempfile.mkdtemp(prefix="meja-wheel-"))
        before = Path.cwd()
        os.chdir(root / "src")
        try:
            compiled.build(compiled.sources(root), into=into)
        except compiled.CannotCompile as error:
            shutil.rmtree(into, ignore_errors=True)
            if os.environ.get("MEJA_COMPILE"):
                raise
            self.app.display_warning(f"the kernels stay plain Python and are slower: {error}")
            return
        finally:
            os.chdir(before)
        for path in into.rglob("*"):
            if path.is_file():
                build_data["force_include"][str(path)] = str(path.relative_to(into))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def _pure() -> bool:
    return bool(os.environ.get("MEJA_PURE"))
