"""Single words of the record format that Kaluki's records turn on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from meja.cards import parse_cards
from meja.games.kaluki import Kaluki, KalukiRules
from meja.games.kaluki_turn import Turn, can_end
from meja.games.melds import hand_masks, parse_meld
from meja.record import examine

RECORDS = Path(__file__).parent.parent / "records" / "kaluki"
HIGH = "run_of_fourteen_with_the_joker_as_high_ace.meja"
FREE = "swapped_joker_discarded_where_it_may_be_kept.meja"


def record(name: str, *actions: str, **rules: Any) -> list[str]:
    """The faults of a golden record with its last action replaced and its options changed."""
    document = json.loads((RECORDS / name).read_text(encoding="utf-8"))
    document["deals"][0]["actions"][-1:] = actions
    document["rules"].update(rules)
    return [str(fault) for fault in examine(json.dumps(document))[1]]


@pytest.mark.rule("K3.9", "K6.3")
def test_in_a_run_of_fourteen_the_joker_lies_where_it_is_written() -> None:
    low = "meld Jk=As Jk=2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As"
    high = "meld As Jk=2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks Jk=As"
    assert Kaluki.text(Kaluki.parse(low)) == low
    assert Kaluki.text(Kaluki.parse(high)) == high
    assert record(HIGH, f"0 {high}") == []
    assert "side by side" in record(HIGH, f"0 {low}")[0]
    assert record(HIGH, f"0 {low}", adjacent_jokers=True) == []


@pytest.mark.rule("K3.10")
@pytest.mark.parametrize(
    "action", ["meld 3s 4s 5s Jk", "meld 3s 4s Jk 6s", "take 3s 4s Jk", "open 3s 4s Jk + 6s 7s 8s"]
)
def test_a_record_says_what_every_joker_of_a_meld_stands_for(action: str) -> None:
    assert "written with what it stands for" in record(HIGH, f"0 {action}")[0]
    # A person at the table may leave it unsaid; the gaps are filled first, then the run goes up.
    assert "Jk=" in Kaluki.text(Kaluki.parse(action))


@pytest.mark.rule("K4.7", "K6.9")
def test_a_swapped_joker_that_may_be_kept_may_go_beside_one_that_was_taken() -> None:
    assert record(FREE, "1 discard Jk") == []
    assert "must be laid first" in record(FREE, "1 discard Jk", joker_swap_use="immediate")[0]


@pytest.mark.rule("K4.9", "K6.9")
@pytest.mark.parametrize("must_use", [False, True])
def test_an_owed_joker_may_be_laid_while_the_card_taken_is_kept(must_use: bool) -> None:
    rules = KalukiRules.make(2, discard_use="must_use" if must_use else "free").turn
    # The seat took the nine, which fits nowhere, and swapped for a joker, which fits the kings.
    one, two, jokers = hand_masks(parse_cards("9h 4s 2c Jk"))
    kings = parse_meld(["Ks", "Kh", "Kd"])
    turn = Turn(one, two, jokers, 4, parse_cards("9h")[0], False, False, 1, (kings,))
    assert can_end(turn, rules, 0) is not must_use
