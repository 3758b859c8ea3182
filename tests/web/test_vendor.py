"""What is vendored is exactly what the manifests pin, and nothing of it needs the network."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "src" / "meja" / "web"
MANIFESTS = [WEB / "vendor" / "vendor.json", Path(__file__).parent / "vendor" / "vendor.json"]


def packages(manifest: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(manifest.read_text(encoding="utf-8"))["packages"]
    return found


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of what the script looks at, which a test may spoil."""
    for folder in ("src/meja/web/vendor", "tests/web/vendor"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    (tmp_path / "script").mkdir()
    shutil.copy(ROOT / "script" / "vendor", tmp_path / "script" / "vendor")
    return tmp_path


def check(root: Path) -> subprocess.CompletedProcess[str]:
    # Without PATH there is no npm: the check must not need it.
    return subprocess.run(
        [sys.executable, str(root / "script" / "vendor"), "--check"],
        capture_output=True,
        text=True,
        env={"PATH": ""},
        check=False,
    )


@pytest.mark.parametrize("manifest", MANIFESTS, ids=["app", "tests"])
def test_every_file_is_the_pinned_one_and_every_package_brings_its_licence(manifest: Path) -> None:
    for package in packages(manifest):
        assert package["integrity"].startswith("sha512-")
        assert re.fullmatch(r"\d+\.\d+\.\d+", package["version"]), "a version is pinned exactly"
        assert any("LICENSE" in name for name in package["files"]), package["name"]
        for name, file in package["files"].items():
            content = (manifest.parent / name).read_bytes()
            assert hashlib.sha256(content).hexdigest() == file["sha256"], name


def test_the_app_takes_only_free_licences() -> None:
    assert {package["licence"] for package in packages(MANIFESTS[0])} <= {"MIT", "Apache-2.0"}


def test_the_check_passes_as_it_stands(copy: Path) -> None:
    done = check(copy)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_check_names_a_file_that_was_changed(copy: Path) -> None:
    changed = copy / "src/meja/web/vendor/preact.mjs"
    changed.write_text(changed.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    done = check(copy)
    assert done.returncode == 1
    assert "preact.mjs" in done.stdout


def test_the_check_names_a_file_that_is_missing_and_one_that_nobody_pinned(copy: Path) -> None:
    (copy / "src/meja/web/vendor/htm.mjs").unlink()
    (copy / "src/meja/web/vendor/other.mjs").write_text("", encoding="utf-8")
    done = check(copy)
    assert done.returncode == 1
    assert {line.split(" ")[0].rpartition("/")[2] for line in done.stdout.splitlines()} == {"htm.mjs", "other.mjs"}


def test_every_name_the_app_imports_stands_in_the_import_map() -> None:
    imports = json.loads((WEB / "importmap.json").read_text(encoding="utf-8"))["imports"]
    named: set[str] = set()
    for module in [*(WEB / "app").rglob("*.mjs"), *(WEB / "vendor").glob("*.mjs")]:
        text = module.read_text(encoding="utf-8")
        named |= set(re.findall(r"""(?:\bfrom|\bimport)\s*\(?\s*["']([^"'./][^"']*)["']""", text))
    assert named == set(imports)
    for target in imports.values():
        assert target.startswith("./")
        assert (WEB / target).is_file()


def test_no_module_names_a_host() -> None:
    for module in [*(WEB / "app").rglob("*.mjs"), *(WEB / "app").rglob("*.js"), WEB / "index.html"]:
        hosts = set(re.findall(r"https?://[\w.-]+", module.read_text(encoding="utf-8")))
        assert hosts <= {"http://www.w3.org"}, module
