"""What is compiled, and how: used by ``script/compile`` and by the build of wheels.

A kernel is a plain Python module with a ``.pxd`` beside it. Nothing else has to be listed anywhere.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: Where the state of the compiled modules is kept: what they were made from.
STAMP = "kernels.stamp"

#: How a .pxd begins whose functions are only inlined elsewhere.
INLINED = "# Inlined"

DIRECTIVES: dict[str, Any] = {
    "language_level": 3,
    # Type hints are for people and mypy; the C types stand in the .pxd.
    "annotation_typing": False,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
}
CHECKED: dict[str, Any] = {"boundscheck": True, "initializedcheck": True}


class CannotCompile(Exception):
    """Cython, setuptools or a C compiler is missing, or a module does not compile."""


def sources(root: Path) -> list[Path]:
    """The modules to compile, sorted."""
    found = (root / "src" / "meja").rglob("*.pxd")
    return sorted(pxd.with_suffix(".py") for pxd in found if not pxd.read_text().startswith(INLINED))


def compiled(root: Path) -> Iterator[Path]:
    """The compiled modules that lie beside their sources, of any Python, and the C files they came from."""
    for source in sources(root):
        yield from source.parent.glob(f"{source.stem}.*.so")
        yield from source.parent.glob(f"{source.stem}.*.pyd")
        yield from source.parent.glob(f"{source.stem}.c")


def clean(root: Path) -> list[Path]:
    """Remove the compiled modules; returns what was removed."""
    found = [*compiled(root), *(path for path in [root / "build" / STAMP] if path.exists())]
    for path in found:
        path.unlink()
    return found


def extension(source: Path) -> Path:
    """Where the compiled form of a module lies."""
    return source.with_name(source.stem + str(sysconfig.get_config_var("EXT_SUFFIX")))


def fingerprint(root: Path, checked: bool) -> str:
    """What the compiled modules are made from: every source, the Python and the way."""
    digest = hashlib.sha256(f"{sys.version} {checked}".encode())
    for source in sources(root):
        for path in (source, source.with_suffix(".pxd"), Path(__file__)):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def up_to_date(root: Path, checked: bool = False) -> bool:
    """Whether every module is compiled from its source as it is now."""
    stamp = root / "build" / STAMP
    made = stamp.read_text().strip() if stamp.exists() else ""
    return made == fingerprint(root, checked) and all(extension(source).exists() for source in sources(root))


def compile_in_place(root: Path, *, checked: bool = False, only: str = "") -> int:
    """Compile what is not up to date; returns how many modules. Raises :class:`CannotCompile`."""
    if not only and up_to_date(root, checked):
        return 0
    found = [source for source in sources(root) if only in source.stem]
    stamp = root / "build" / STAMP
    stamp.unlink(missing_ok=True)
    before = Path.cwd()
    os.chdir(root / "src")
    try:
        build(found, checked=checked)
    finally:
        os.chdir(before)
    if not only:
        stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(fingerprint(root, checked) + "\n")
    return len(found)


def build(found: list[Path], *, checked: bool = False, into: Path | None = None) -> None:
    """Compile modules (the working directory holds the package), beside themselves or ``into`` a folder."""
    try:
        tools: Any = importlib.import_module("setuptools")
        cythonize: Any = importlib.import_module("Cython.Build").cythonize
    except ImportError as error:
        raise CannotCompile(f"{error}; install Cython (3.3 or later) and setuptools") from None
    here = Path.cwd()
    flags = [] if sys.platform == "win32" else ["-O3", "-fno-strict-aliasing", "-ffp-contract=off", "-g0"]
    extensions = [
        tools.Extension(
            ".".join(source.resolve().relative_to(here).with_suffix("").parts),
            [str(source.resolve().relative_to(here))],
            extra_compile_args=flags,
        )
        for source in found
    ]
    with tempfile.TemporaryDirectory(prefix="meja-") as scratch:
        try:
            made = cythonize(
                extensions,
                build_dir=scratch,
                compiler_directives=DIRECTIVES | (CHECKED if checked else {}),
                quiet=True,
                force=True,
                show_all_warnings=False,
            )
        except Exception as error:
            raise CannotCompile(str(error)) from None
        distribution = tools.Distribution({"name": "meja", "ext_modules": made})
        command: Any = distribution.get_command_obj("build_ext")
        command.build_temp = scratch
        command.parallel = os.cpu_count() or 1
        command.force = True
        command.inplace = into is None
        command.build_lib = scratch if into is None else str(into)
        # The compiler's own lines are no news unless it fails.
        distribution.verbose = False
        command.ensure_finalized()
        try:
            command.run()
        except Exception as error:
            raise CannotCompile(f"the C compiler failed or is missing: {error}") from None
