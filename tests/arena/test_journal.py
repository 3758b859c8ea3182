"""The file of an arena: kept, gone on with, refused."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from meja.arena import Journal, Plan, Records, play, play_number
from meja.bots import RULES_OF_THUMB
from meja.errors import MejaError
from meja.games import make_rules
from meja.record import load_all


def _plan(**changes: Any) -> Plan:
    return Plan(**{"rules": make_rules("smear", 2), "named": (RULES_OF_THUMB, "random"), "seed": 7, **changes})


def _written(path: Path, numbers: int = 5) -> bytes:
    with Journal(path, _plan()) as journal:
        for result in play(_plan(), range(numbers)):
            journal.add(result)
    return path.read_bytes()


def test_the_first_line_tells_what_was_played_and_the_others_what_it_brought(tmp_path: Path) -> None:
    header, *lines = [json.loads(line) for line in _written(tmp_path / "a").splitlines()]
    assert header["format"] == "meja-arena/1"
    assert (header["game"], header["seats"], header["bots"], header["seed"]) == (
        "smear", 2, [RULES_OF_THUMB, "random"], 7,
    )  # fmt: skip
    assert [line["number"] for line in lines] == [0, 1, 2, 3, 4]
    assert [game["bots"] for game in lines[0]["games"]] == [[0, 1], [1, 0]]


def test_it_is_read_again_as_it_was_written(tmp_path: Path) -> None:
    before = _written(tmp_path / "a")
    with Journal(tmp_path / "a", _plan(), resume=True) as journal:
        assert journal.notes == []
        assert journal.results == {number: play_number(_plan(), number) for number in range(5)}
    assert (tmp_path / "a").read_bytes() == before


@pytest.mark.parametrize("cut", [1, 2, 30])
def test_a_torn_last_line_is_dropped_aloud_and_played_again(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "a"
    whole = _written(path)
    path.write_bytes(whole[:-cut])
    with Journal(path, _plan(), resume=True) as journal:
        assert sorted(journal.results) == [0, 1, 2, 3]
        assert "torn" in journal.notes[0]
        journal.add(play_number(_plan(), 4))
    assert path.read_bytes() == whole


def test_every_cut_leaves_a_file_that_can_be_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "a"
    whole = _written(path, 2)
    for length in range(0, len(whole), 3):
        path.write_bytes(whole[:length])
        with Journal(path, _plan(), resume=True) as journal:
            for number in range(2):
                if number not in journal.results:
                    journal.add(play_number(_plan(), number))
        assert path.read_bytes() == whole


def test_a_torn_line_in_the_middle_is_refused_and_nothing_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "a"
    lines = _written(path).splitlines(keepends=True)
    lines[2] = lines[2][:20] + b"\n"
    path.write_bytes(b"".join(lines))
    with pytest.raises(MejaError, match="line 3: not a line of an arena"):
        Journal(path, _plan(), resume=True)
    assert path.read_bytes() == b"".join(lines)


def test_a_number_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "a"
    lines = _written(path).splitlines(keepends=True)
    path.write_bytes(b"".join([*lines, lines[3]]))
    with Journal(path, _plan(), resume=True) as journal:
        assert len(journal.results) == 5
        assert "twice" in journal.notes[0]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": 8}, "its seed is 7, not 8"),
        ({"named": ("random", RULES_OF_THUMB)}, "its bots is"),
        ({"rules": make_rules("smear", 2, target=7)}, "its rules is"),
        ({"rules": make_rules("smear", 3)}, "its seats is 2, not 3"),
        ({"unit": "match"}, 'its unit is "deal", not "match"'),
        ({"iterations": 5}, "its iterations is null, not 5"),
    ],
)
def test_other_settings_are_refused(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    before = _written(tmp_path / "a", 1)
    with pytest.raises(MejaError) as raised:
        Journal(tmp_path / "a", _plan(**changes), resume=True)
    assert words in str(raised.value)
    assert (tmp_path / "a").read_bytes() == before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"format":"meja-arena/9"}\n', '"meja-arena/9", expected "meja-arena/1"'),
        ('{"format":"meja/1"}\n', "is no file of an arena"),
        ("something else\n", "not a line of an arena"),
        ("something else without an end", "not a line of an arena"),
        ("\x00\x01", "not a line of an arena"),
    ],
)
def test_another_file_is_refused_and_stays(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "a"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(MejaError) as raised:
        Journal(path, _plan(), resume=True)
    assert words in str(raised.value)
    assert path.read_text(encoding="utf-8") == text


def test_another_version_of_meja_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a"
    header, *lines = _written(path).splitlines(keepends=True)
    document = json.loads(header)
    path.write_bytes(json.dumps({**document, "meja": "0.0.1"}).encode() + b"\n" + b"".join(lines))
    with pytest.raises(MejaError, match=r'its meja is "0\.0\.1", not'):
        Journal(path, _plan(), resume=True)


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    before = _written(tmp_path / "a")
    with pytest.raises(MejaError, match="--resume"):
        Journal(tmp_path / "a", _plan())
    assert (tmp_path / "a").read_bytes() == before


def test_two_arenas_do_not_write_one_file(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    with Journal(tmp_path / "a", _plan()), pytest.raises(MejaError, match="being written"):
        Journal(tmp_path / "a", _plan(), resume=True)


def test_records_of_what_is_not_in_the_file_are_dropped_and_written_again(tmp_path: Path) -> None:
    path = tmp_path / "games.mejal"
    results = [play_number(_plan(), number, records=True) for number in range(3)]
    with Records(path, _plan(), []) as records:
        for result in results:
            records.add(result.records)
    whole = path.read_bytes()
    # The last deal is not in the file of results, and its last record is torn.
    path.write_bytes(whole[:-10])
    with Records(path, _plan(), [0, 1, 5], resume=True) as records:
        assert records.missing == 1
        records.add(results[2].records)
    assert path.read_bytes() == whole
    assert len(list(load_all(path))) == 6
    with pytest.raises(MejaError, match="--resume"):
        Records(path, _plan(), [])


@pytest.mark.parametrize("line", ["precious", '{"format":"meja/1"}', "{}", ""])
def test_a_file_of_something_else_is_not_taken_for_records(tmp_path: Path, line: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(f"{line}\nmore\n")
    with pytest.raises(MejaError, match="not a record of this arena"):
        Records(path, _plan(), [0, 1], resume=True)
    assert path.read_text() == f"{line}\nmore\n"


def test_records_of_another_arena_are_refused_and_stay(tmp_path: Path) -> None:
    path = tmp_path / "games.mejal"
    with Records(path, _plan(), []) as records:
        records.add(play_number(_plan(), 0, records=True).records)
    before = path.read_bytes()
    for plan in (_plan(seed=99), _plan(named=("random", RULES_OF_THUMB))):
        with pytest.raises(MejaError, match="line 1: not a record of this arena"):
            Records(path, plan, [0], resume=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new"),
    [('"scores":[', '"scores":[null,'), ('"number":2', '"number":2.5'), ('"number":2', '"number":true')],
)
def test_values_that_no_arena_writes_are_refused(tmp_path: Path, old: str, new: str) -> None:
    _written(tmp_path / "a")
    lines = (tmp_path / "a").read_text().splitlines(keepends=True)
    changed = lines[3].replace(old, new, 1)
    if "null" in new:
        changed = re.sub(r"null,-?[0-9]+", "null", changed, count=1)
    assert changed != lines[3]
    (tmp_path / "a").write_text("".join([*lines[:3], changed, *lines[4:]]))
    with pytest.raises(MejaError, match="line 4: not a line of an arena"):
        Journal(tmp_path / "a", _plan(), resume=True)


def test_huge_scores_are_refused(tmp_path: Path) -> None:
    _written(tmp_path / "a")
    text = (tmp_path / "a").read_text()
    (tmp_path / "a").write_text(re.sub(r'"scores":\[-?[0-9]+', '"scores":[' + "9" * 30, text, count=1))
    with pytest.raises(MejaError, match="not a line of an arena"):
        Journal(tmp_path / "a", _plan(), resume=True)
