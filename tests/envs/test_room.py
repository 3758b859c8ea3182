"""The room of the environments: who needs what, and what the pages say of the planes."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import metadata, requires
from pathlib import Path

import pytest

from meja.envs.encoding import encoding
from meja.games import game, games, make_rules

ROOT = Path(__file__).parent.parent.parent
GOLDEN = json.loads((Path(__file__).parent / "planes.json").read_text(encoding="utf-8"))

#: Here the dealer has to sit out.
FOUR = ("calabresella", 4)

#: What costs time or room to load, and is needed by extras only.
HEAVY = ("numpy", "gymnasium", "pettingzoo", "pyspiel", "matplotlib", "pandas")


def loaded(code: str) -> list[str]:
    """Which of the heavy packages are loaded after some code."""
    code += f"\nimport sys; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import meja, meja.testing, meja.arena, meja.bots, meja.record, meja.cli", []),
        ("import meja.envs", []),
        ("import meja.envs.core, meja.envs.encoding, meja.envs.vector", ["numpy"]),
        ("import meja.envs.gymnasium", ["numpy", "gymnasium"]),
        ("import meja.envs.pettingzoo.smear_v0", ["numpy", "gymnasium", "pettingzoo"]),
    ],
)
def test_nothing_is_loaded_that_is_not_asked_for(code: str, expected: list[str]) -> None:
    assert loaded(code) == expected


def test_extras_are_declared() -> None:
    assert {"pettingzoo", "gymnasium", "openspiel", "notebook"} <= set(metadata("meja").get_all("Provides-Extra") or [])
    plain = [line for line in requires("meja") or [] if "extra ==" not in line]
    assert not [line for line in plain if line.startswith(HEAVY)]


@pytest.mark.parametrize("name", games())
def test_planes_and_ids_keep_their_places_while_the_version_stays(name: str) -> None:
    # A change here is a change for everybody who has trained on it: it needs a new version, not a new file.
    made = game(name).rules
    for seats in made.seat_numbers:
        rules = make_rules(name, seats, dealer_sits_out=True) if (name, seats) == FOUR else make_rules(name, seats)
        codes = encoding(rules)
        known = GOLDEN[f"{name}, version {codes.version}"]
        assert known["ids"] == list(codes.names)
        assert known["planes"][str(seats)] == [[plane.name, plane.start, plane.length] for plane in codes.planes]


def test_the_page_of_the_planes_is_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "script/planes"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_page_that_is_out_of_date_is_told(tmp_path: Path) -> None:
    page = tmp_path / "planes.md"
    page.write_text("old\n", encoding="utf-8")
    command = [sys.executable, str(ROOT / "script/planes"), "--page", str(page)]
    done = subprocess.run([*command, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "is not up to date" in done.stderr
    assert page.read_text(encoding="utf-8") == "old\n"
    subprocess.run(command, check=True)
    assert page.read_text(encoding="utf-8") == (ROOT / "docs/envs/planes.md").read_text(encoding="utf-8")
