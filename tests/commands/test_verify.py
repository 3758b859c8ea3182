"""``meja verify`` as a person or a script uses it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from meja import make_rules, new_match
from meja.bots import Budget, make_bot
from meja.cli import main
from meja.record import Record, dumps
from meja.table.fair import VERSION, commit, shuffled_pack

TABLE = "green-7"


def server_seed(deal: int) -> bytes:
    return bytes([deal]) * 32


def fair_match(deals: int) -> Record:
    """A match of Smear at a table with a fair shuffle, broken off after some deals."""
    match = new_match(make_rules("smear", 2, target=21), players=["Ana", "Bo\x1b[2J"])
    bot = make_bot("rules-of-thumb", "smear")
    entries = []
    for number in range(1, deals + 1):
        seeds = {0: f"{number:02x}" * 32}
        cards, stream = shuffled_pack(match.deal_class.pack(match.rules), server_seed(number), seeds, TABLE, number)
        deal = match.next_deal(match.deal_class.lay_out(match.rules, match.dealer, cards), rng=stream)
        while deal.to_act is not None:
            match.apply(bot.act(deal.view(deal.to_act), Budget()))
        entries.append(
            {
                "deal": number,
                "commit": commit(server_seed(number), TABLE, number),
                "server_seed": server_seed(number).hex(),
                "client_seeds": {"0": seeds[0]},
            }
        )
    return Record.of_match(match, fairness={"version": VERSION, "table": TABLE, "deals": entries})


def _bad_commit(document: dict[str, Any]) -> None:
    document["fairness"]["deals"][1]["commit"] = "0" * 64


def _bad_cards(document: dict[str, Any]) -> None:
    document["fairness"]["deals"][2]["client_seeds"] = {}


def _two_faults(document: dict[str, Any]) -> None:
    _bad_commit(document)
    _bad_cards(document)


def _hidden(document: dict[str, Any]) -> None:
    document["fairness"]["deals"][2]["server_seed"] = None


def _no_fairness(document: dict[str, Any]) -> None:
    del document["fairness"]


def _malformed(document: dict[str, Any]) -> None:
    document["fairness"]["deals"][0]["server_seed"] = "short"


def _bad_score(document: dict[str, Any]) -> None:
    document["deals"][0]["score"][0] += 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fair")
    good = dumps(fair_match(3))
    (path / "good.meja").write_text(good, encoding="utf-8")
    changes: dict[str, Callable[[dict[str, Any]], None]] = {
        "commit": _bad_commit,
        "cards": _bad_cards,
        "two": _two_faults,
        "hidden": _hidden,
        "none": _no_fairness,
        "malformed": _malformed,
        "score": _bad_score,
    }
    for name, change in changes.items():
        document = json.loads(good)
        change(document)
        (path / f"{name}.meja").write_text(json.dumps(document), encoding="utf-8")
    bad = (path / "commit.meja").read_text(encoding="utf-8")
    (path / "mixed.mejal").write_text(f"{good}\n{bad}\n\n{good}\n", encoding="utf-8")
    (path / "empty.mejal").write_text("", encoding="utf-8")
    return path


def test_a_fair_record_passes_and_what_that_proves_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(folder / "good.meja")]) == 0
    shown = capsys.readouterr()
    assert shown.out == ""
    lines = shown.err.splitlines()
    assert lines[0] == "3 deals checked; 1 record read, no faults"
    assert lines[1].startswith("Proved: the cards of these deals follow from the seeds in the record")
    assert lines[2].startswith("Not proved: that this commitment is the one the table showed before the deal")
    assert lines[3] == "Not proved either: that nobody looked at the cards. Whoever keeps the server can."


@pytest.mark.parametrize(
    ("name", "faults"),
    [
        ("commit.meja", ["deal 2: the server's seed is not the one it was bound to before the deal"]),
        ("cards.meja", ["deal 3: the cards dealt to seat 0 do not follow from the seeds"]),
        (
            "two.meja",
            [
                "deal 2: the server's seed is not the one it was bound to before the deal",
                "deal 3: the cards dealt to seat 0 do not follow from the seeds",
            ],
        ),
        ("hidden.meja", ["deal 3: the server's seed was never shown"]),
        ("none.meja", ["fairness: the record says nothing of how its cards were shuffled"]),
        (
            "malformed.meja",
            ['fairness.deals[0].server_seed: expected 64 hex digits in lower case, found "short"'],
        ),
        ("missing.meja", ["cannot be read: No such file or directory"]),
        (".", ["cannot be read: Is a directory"]),
    ],
)
def test_each_fault_is_one_line_with_the_file_and_code_1(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str, faults: list[str]
) -> None:
    assert main(["verify", str(folder / name)]) == 1
    shown = capsys.readouterr()
    assert shown.out.splitlines() == [f"{folder / name}: {fault}" for fault in faults]
    assert "Proved" not in shown.err


def test_a_record_that_breaks_the_rules_has_the_faults_that_check_finds(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(folder / "score.meja")]) == 1
    expected = capsys.readouterr().out
    assert main(["verify", str(folder / "score.meja")]) == 1
    assert capsys.readouterr().out == expected


def test_in_a_collection_the_line_of_a_fault_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(folder / "mixed.mejal"), str(folder / "good.meja")]) == 1
    shown = capsys.readouterr()
    assert [line.partition(": ")[0] for line in shown.out.splitlines()] == [f"{folder / 'mixed.mejal'}:2"]
    assert shown.err == "12 deals checked; 4 records read, 1 fault\n"


def test_where_no_deal_was_checked_nothing_is_called_proved(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(folder / "empty.mejal")]) == 0
    assert capsys.readouterr().err == "0 deals checked; 0 records read, no faults\n"


def test_show_prints_what_can_be_compared_with_the_browser(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--show", str(folder / "good.meja")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 6
    assert lines[2] == f"table {TABLE}, deal 2: {commit(server_seed(2), TABLE, 2)}"
    assert lines[3] == f"  seed of Ana: {'02' * 32}"


def test_a_name_from_a_file_cannot_work_on_the_terminal(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads((folder / "good.meja").read_text(encoding="utf-8"))
    for entry in document["fairness"]["deals"]:
        entry["client_seeds"] = {"1": "ab" * 32}
    (tmp_path / "x.meja").write_text(json.dumps(document), encoding="utf-8")
    main(["verify", "--show", str(tmp_path / "x.meja")])
    shown = capsys.readouterr().out
    assert "seed of Bo[2J: " in shown
    assert "\x1b" not in shown


def test_verify_without_a_file_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["verify"])
    assert caught.value.code == 2


def test_verify_speaks_indonesian(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "id", "verify", str(folder / "good.meja"), str(folder / "commit.meja")]) == 1
    first = capsys.readouterr()
    assert "is not the one" not in first.out
    assert main(["--lang", "id", "verify", str(folder / "good.meja")]) == 0
    second = capsys.readouterr().err
    assert len(second.splitlines()) == 4
    assert "prove" not in second.lower()
    assert "deals checked" not in second
