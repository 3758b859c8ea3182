"""Playthroughs as OpenSpiel writes them, compared with those that were read and approved.

``python -m tests.envs.test_openspiel_playthroughs`` writes them anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import tests.envs.reduced  # noqa: F401 - and so does this one
from open_spiel.python.algorithms import generate_playthrough

import meja.envs.openspiel  # noqa: F401 - the import registers the games

ROOM = Path(__file__).parent / "playthroughs"
GAMES = {
    "smear": "python_meja_smear(players=2,dealer=0)",
    "small_bassadewitz": "python_meja_small_bassadewitz()",
    "small_calabresella": "python_meja_small_calabresella()",
    "small_kaluki": "python_meja_small_kaluki()",
}
SEEDS = {"smear": 3, "small_bassadewitz": 1, "small_calabresella": 2, "small_kaluki": 17}


def playthrough(name: str) -> str:
    text: str = generate_playthrough.playthrough(GAMES[name], None, seed=SEEDS[name])
    return text


@pytest.mark.parametrize("name", GAMES)
def test_a_playthrough_is_what_it_was(name: str) -> None:
    expected = (ROOM / f"{name}.txt").read_text("utf-8")
    found = playthrough(name)
    assert found.splitlines() == expected.splitlines()
    # Each comes to its end, and something was decided on the way.
    assert "IsTerminal() = True" in expected
    assert "StringLegalActions()" in expected


if __name__ == "__main__":
    ROOM.mkdir(exist_ok=True)
    for made in GAMES:
        (ROOM / f"{made}.txt").write_text(playthrough(made), "utf-8")
