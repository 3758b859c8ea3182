"""Records: strict writing, tolerant reading, and every fault named with its place."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meja import MejaError, RecordError, Rng, make_rules, new_match
from meja.arena import play_match
from meja.games import games
from meja.record import (
    LARGEST,
    Record,
    atomic_file,
    dumps,
    examine,
    load,
    load_all,
    loads,
    read_documents,
    save,
    save_all,
)
from meja.testing import random_rules

RECORDS = sorted((Path(__file__).parent / "records").rglob("*.meja"))


@pytest.fixture(scope="module")
def match_text() -> str:
    return dumps(play_match(make_rules("bassadewitz", 4, deals=4), ["rules-of-thumb"] * 4, seed=1))


@pytest.fixture
def document(match_text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(match_text)
    return found


def faults_of(document: Any) -> list[str]:
    return [str(fault) for fault in examine(json.dumps(document))[1]]


# -- the golden records -----------------------------------------------------------


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_golden_record_is_right_and_written_strictly(path: Path) -> None:
    record = load(path)
    assert record.game == path.parent.name
    assert record.meta is not None
    assert record.meta.get("comment"), "say in meta.comment what the record shows"
    assert json.loads(path.read_text(encoding="utf-8")) == json.loads(dumps(record))


@pytest.mark.parametrize("name", games())
def test_there_are_at_least_ten_golden_records_of_each_game(name: str) -> None:
    assert sum(path.parent.name == name for path in RECORDS) >= 10


# -- writing and reading ----------------------------------------------------------


@pytest.mark.parametrize("name", games())
@given(seed=st.integers(0, 2**32))
def test_what_is_written_reads_back_the_same(name: str, seed: int) -> None:
    rules = random_rules(name, Rng(seed))
    record = play_match(rules, ["random"] * rules.seats, seed, most_deals=2)
    text = dumps(record)
    assert "\n" not in text
    again = loads(text)
    assert again == record
    assert dumps(again) == text
    assert dumps(loads(dumps(record, pretty=True))) == text


@pytest.mark.parametrize("name", games())
def test_a_match_can_be_cut_at_any_action_and_goes_on_from_there(name: str) -> None:
    rules = make_rules(name)
    whole = play_match(rules, ["rules-of-thumb"] * rules.seats, seed=5, most_deals=2)
    deal = whole.deals[0]
    for end in range(0, len(deal.actions), 7):
        cut = Record(
            rules,
            whole.players,
            (type(deal)(deal.dealer, deal.layout, deal.actions[:end], ()),),
        )
        if deal.reshuffles:
            continue
        match = loads(dumps(cut)).replay(Rng(1))
        assert match.deal is not None
        assert len(match.deal.actions()) == end
        while match.deal is not None:
            match.apply(match.deal.legal_actions()[0])
        assert len(match.deals) == 1


def test_a_match_before_its_first_deal_is_a_record_too() -> None:
    record = Record.of_match(new_match("smear", 2))
    assert json.loads(dumps(record))["deals"] == []
    assert loads(dumps(record)) == record


def test_steps_shows_the_match_at_every_action(match_text: str) -> None:
    record = loads(match_text)
    places = [(deal, done) for _, deal, done in record.steps()]
    assert places[0] == (0, 0)
    assert len(places) == sum(len(deal.actions) + 1 for deal in record.deals)


def test_words_of_cards_and_actions_are_read_tolerantly(document: dict[str, Any]) -> None:
    strict = dumps(loads(json.dumps(document)))
    deal = document["deals"][0]
    deal["hands"] = ["  ".join(reversed(hand.lower().replace("t", "10").split())) for hand in deal["hands"]]
    deal["actions"] = [
        f"00{text}".replace("play", " PLAY ").replace("s", "♠").replace("h", "♥") for text in deal["actions"]
    ]
    document["rules"] = {"deals": 4}
    assert dumps(loads(json.dumps(document))) == strict


def test_an_option_with_the_presets_value_is_read_and_not_written(document: dict[str, Any]) -> None:
    document["rules"]["ace5"] = False
    assert json.loads(dumps(loads(json.dumps(document))))["rules"] == {"preset": "standard", "deals": 4}


def test_meta_and_fairness_are_kept_as_they_are(document: dict[str, Any]) -> None:
    document["meta"] = {"site": "Café ☕", "nested": [{"a": [1, 2.5, None, True]}]}
    document["fairness"] = {"version": 1}
    again = json.loads(dumps(loads(json.dumps(document))))
    assert again["meta"] == document["meta"]
    assert again["fairness"] == document["fairness"]


# -- faults -----------------------------------------------------------------------

Change = Callable[[dict[str, Any]], object]

FORM: list[tuple[str, Change, str, str]] = [
    ("format missing", lambda d: d.pop("format"), "", '"format" is missing'),
    ("another format", lambda d: d.update(format="meja/2"), "format", '"meja/2"'),
    ("game missing", lambda d: d.pop("game"), "", '"game" is missing'),
    ("unknown game", lambda d: d.update(game="poker"), "game", "calabresella"),
    ("game no text", lambda d: d.update(game=[1]), "game", "[1]"),
    ("unknown key", lambda d: d.update(extra=1), "", 'unknown key "extra"'),
    ("key of another game", lambda d: d["deals"][0].update(monte=""), "deals[0]", 'unknown key "monte"'),
    ("reshuffles elsewhere", lambda d: d["deals"][0].update(reshuffles=[]), "deals[0]", "reshuffles"),
    ("later rules", lambda d: d.update(rules_version=2), "rules_version", "version 2 of the rules of bassadewitz"),
    ("rules version as text", lambda d: d.update(rules_version="1"), "rules_version", "integer"),
    ("rules version as switch", lambda d: d.update(rules_version=True), "rules_version", "integer"),
    ("rules missing", lambda d: d.pop("rules"), "", '"rules" is missing'),
    ("rules no object", lambda d: d.update(rules=[]), "rules", "expected an object"),
    ("unknown preset", lambda d: d.update(rules={"preset": "easy"}), "rules", '"easy"'),
    ("preset no text", lambda d: d.update(rules={"preset": 1}), "rules", "preset"),
    ("unknown option", lambda d: d.update(rules={"dice": True}), "rules", '"dice"'),
    ("option of the parser", lambda d: d.update(rules={"seats": 4}), "rules", '"seats"'),
    ("number for a switch", lambda d: d.update(rules={"ace5": 1}), "rules", "ace5"),
    ("text for a number", lambda d: d.update(rules={"deals": "8"}), "rules", "deals"),
    ("list for a number", lambda d: d.update(rules={"deals": [8]}), "rules", "deals"),
    ("wrong length of match", lambda d: d.update(rules={"deals": 6}), "rules", "deals cannot be 6"),
    ("contradiction", lambda d: d.update(rules={"sweep_takes_pool": True}), "rules", "needs classic_pool"),
    ("players no list", lambda d: d.update(players="Ana"), "players", "expected a list"),
    ("player no text", lambda d: d.update(players=[1, 2, 3, 4]), "players[0]", "expected a text"),
    ("too few players", lambda d: d.update(players=["a", "b"]), "players", "3, 4 or 5 players"),
    ("no players", lambda d: d.update(players=[]), "players", "found none"),
    ("deals no list", lambda d: d.update(deals={}), "deals", "expected a list"),
    ("deal no object", lambda d: d["deals"].insert(0, 7), "deals[0]", "expected an object"),
    ("dealer missing", lambda d: d["deals"][1].pop("dealer"), "deals[1]", '"dealer" is missing'),
    ("dealer too large", lambda d: d["deals"][1].update(dealer=4), "deals[1].dealer", "from 0 to 3"),
    ("dealer a switch", lambda d: d["deals"][1].update(dealer=True), "deals[1].dealer", "true"),
    ("dealer a fraction", lambda d: d["deals"][1].update(dealer=1.0), "deals[1].dealer", "1.0"),
    ("hands no list", lambda d: d["deals"][0].update(hands=""), "deals[0].hands", "expected a list"),
    ("hand missing", lambda d: d["deals"][0]["hands"].pop(), "deals[0].hands", "expected 4 hands"),
    ("no card", lambda d: d["deals"][0]["hands"].__setitem__(2, "As Xy"), "deals[0].hands[2]", '"Xy" is not a card'),
    ("unknown card", lambda d: d["deals"][0]["hands"].__setitem__(2, "??"), "deals[0].hands[2]", "not a card"),
    ("hand no text", lambda d: d["deals"][0]["hands"].__setitem__(1, 5), "deals[0].hands[1]", "text with cards"),
    ("actions no list", lambda d: d["deals"][0].update(actions="1 play As"), "deals[0].actions", "expected a list"),
    ("action no text", lambda d: d["deals"][0]["actions"].__setitem__(3, 3), "deals[0].actions[3]", "expected a text"),
    ("no verb", lambda d: d["deals"][0]["actions"].__setitem__(3, "1"), "deals[0].actions[3]", '"1" is not an action'),
    ("no seat", lambda d: d["deals"][0]["actions"].__setitem__(3, "play As"), "deals[0].actions[3]", "a seat from 0"),
    ("seat too large", lambda d: d["deals"][0]["actions"].__setitem__(3, "4 play As"), "deals[0].actions[3]", "to 3"),
    ("huge seat", lambda d: d["deals"][0]["actions"].__setitem__(3, "9" * 99 + " x"), "deals[0].actions[3]", "to 3"),
    ("other verb", lambda d: d["deals"][0]["actions"].__setitem__(3, "1 bid 2"), "deals[0].actions[3]", "play CARD"),
    ("score no list", lambda d: d["deals"][0].update(score=5), "deals[0].score", "list of integers"),
    ("score too short", lambda d: d["deals"][0].update(score=[1]), "deals[0].score", "expected 4 integers"),
    ("score a fraction", lambda d: d["deals"][0].update(score=[0, 3.0, 4, 5]), "deals[0].score[1]", "3.0"),
    ("score a switch", lambda d: d["deals"][0].update(score=[False, 3, 4, 5]), "deals[0].score[0]", "false"),
    ("void false", lambda d: d["deals"][0].update(void=False), "deals[0].void", "expected true"),
    ("void and score", lambda d: d["deals"][0].update(void=True), "deals[0]", "a void deal has no score"),
    ("totals a switch", lambda d: d["totals"].__setitem__(0, True), "totals[0]", "true"),
    ("winners no list", lambda d: d.update(winners=0), "winners", "list of integers"),
    ("meta no object", lambda d: d.update(meta="x"), "meta", "expected an object"),
    ("meta null", lambda d: d.update(meta=None), "meta", "null"),
    ("fairness no object", lambda d: d.update(fairness=[]), "fairness", "expected an object"),
]


@pytest.mark.parametrize(("change", "place", "words"), [row[1:] for row in FORM], ids=[row[0] for row in FORM])
def test_a_fault_of_form_is_named_with_its_place(
    document: dict[str, Any], change: Change, place: str, words: str
) -> None:
    change(document)
    faults = examine(json.dumps(document))[1]
    assert any(fault.place == place and words in str(fault) for fault in faults), [str(fault) for fault in faults]


PLAY: list[tuple[str, Change, str, str]] = [
    ("illegal card", lambda d: d["deals"][0]["actions"].__setitem__(0, d["deals"][0]["actions"][1][:2].replace(
        d["deals"][0]["actions"][1][0], d["deals"][0]["actions"][0][0]) + d["deals"][0]["actions"][1][2:]),
        "deals[0].actions[0]", "rule B3.1"),
    ("seat out of turn", lambda d: d["deals"][0]["actions"].__setitem__(
        0, f"{(int(d['deals'][0]['actions'][0][0]) + 1) % 4}{d['deals'][0]['actions'][0][1:]}"),
        "deals[0].actions[0]", "is to act"),
    ("rules null", lambda d: d.update(rules=None), "rules", "expected an object, found null"),
    ("action too many", lambda d: d["deals"][0]["actions"].append("0 play As"), "deals[0].actions[32]", "deal is over"),
    ("dealer does not move", lambda d: d["deals"][1].update(dealer=d["deals"][0]["dealer"]), "deals[1].dealer", "seat"),
    ("a card twice", lambda d: d["deals"][0]["hands"].__setitem__(0, d["deals"][0]["hands"][1]), "deals[0]", "twice"),
    ("a hand too short", lambda d: d["deals"][2]["hands"].__setitem__(1, ""), "deals[2]", "holds 0 cards, expected 8"),
    ("score missing", lambda d: d["deals"][1].pop("score"), "deals[1]", "missing score"),
    ("void instead of score", lambda d: (d["deals"][1].pop("score"), d["deals"][1].update(void=True)),
        "deals[1].void", "not void"),
    ("a deal after the end", lambda d: d["deals"].append(d["deals"][0]), "deals[4]", "the match was over"),
    ("totals missing", lambda d: d.pop("totals"), "totals", "missing"),
    ("winners missing", lambda d: d.pop("winners"), "winners", "missing"),
    ("other winners", lambda d: d.update(winners=[0, 1, 2, 3]), "winners", "[0, 1, 2, 3]"),
    ("totals too early", lambda d: d["deals"].pop(), "totals", "not over"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "place", "words"), [row[1:] for row in PLAY], ids=[row[0] for row in PLAY])
def test_a_fault_of_play_is_named_with_its_place(
    document: dict[str, Any], change: Change, place: str, words: str
) -> None:
    change(document)
    faults = examine(json.dumps(document))[1]
    assert any(fault.place == place and words in str(fault) for fault in faults), [str(fault) for fault in faults]


def test_a_wrong_score_names_deal_and_seat_and_both_numbers(document: dict[str, Any]) -> None:
    document["deals"][2]["score"][1] += 1
    right = document["deals"][2]["score"][1] - 1
    assert faults_of(document) == [
        f"deals[2].score[1]: deal 2: seat 1 gets {right} by the rules, recorded is {right + 1}"
    ]


def test_all_wrong_numbers_are_reported_at_once(document: dict[str, Any]) -> None:
    document["deals"][0]["score"][3] += 1
    document["deals"][2]["score"][0] -= 1
    document["totals"][2] += 5
    places = [fault.place for fault in examine(json.dumps(document))[1]]
    assert places == ["deals[0].score[3]", "deals[2].score[0]", "totals[2]"]


def test_an_unfinished_deal_has_no_score(document: dict[str, Any]) -> None:
    document["deals"] = document["deals"][:1]
    del document["totals"], document["winners"]
    document["deals"][0]["actions"].pop()
    assert faults_of(document) == ["deals[0]: the actions do not end the deal, so it has no score"]
    del document["deals"][0]["score"]
    assert faults_of(document) == []


def test_an_unfinished_deal_must_be_the_last(document: dict[str, Any]) -> None:
    document["deals"][1]["actions"].pop()
    del document["deals"][1]["score"]
    assert "another one follows" in faults_of(document)[0]


TEXTS = [
    (b"", "empty"),
    (b"  \n", "empty"),
    (b"\xef\xbb\xbf{}", "byte order mark"),
    (b'{"format": "meja/1", "game": "\xff"}', "byte 0xff at offset 30"),
    (b"[]", "expected a JSON object, found a list"),
    (b"null", "expected a JSON object, found null"),
    (b"{} {}", "something follows the end"),
    (b'{"format"', "cut off"),
    (b'{"format": "meja', "cut off"),
    (b"{'format': 1}", "not JSON"),
    (b'{"format": "meja/1", "format": "meja/1"}', '"format" is given twice'),
    (b'{"meta": {"a": 1, "a": 2}}', '"a" is given twice'),
    (b'{"totals": [NaN]}', "NaN is not a JSON number"),
    (b'{"totals": [-Infinity]}', "-Infinity is not a JSON number"),
    (b'{"meta": {"a": 1e999}}', "too large"),
    (b'{"totals": [' + b"9" * 5000 + b"]}", "too large"),
    (b'{"players": ["\\ud800"]}', "half of a character"),
    (b'{"meta": {"a": [["\\udfff"]]}}', "half of a character"),
    (b"[" * 200_000, "nested too deeply"),
]


@pytest.mark.parametrize(("data", "words"), TEXTS, ids=[str(row[0][:24]) for row in TEXTS])
def test_text_that_is_no_record_is_refused_with_a_clear_word(data: bytes, words: str) -> None:
    record, faults = examine(data)
    assert record is None
    assert words in str(faults[0])


def test_a_huge_text_is_refused_before_it_is_read() -> None:
    assert "too large" in str(examine(b" " * (LARGEST + 1))[1][0])


@given(st.binary(max_size=60))
def test_no_bytes_bring_a_traceback(data: bytes) -> None:
    assert examine(data)[1]


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@given(value=_VALUES, pick=st.integers(0, 10**6))
def test_any_value_in_any_place_is_either_right_or_a_fault(match_text: str, value: Any, pick: int) -> None:
    document = json.loads(match_text)
    places: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            places.append((node, key))
            if isinstance(node[key], dict | list) and key != "meta":
                walk(node[key])

    walk(document)
    node, key = places[pick % len(places)]
    before = node[key]
    node[key] = value
    try:
        text = json.dumps(document)
    except ValueError:
        return
    _, faults = examine(text)
    if key != "meta" and value != before and node is not document["players"]:
        assert faults or value == {}, (key, value)


def test_the_players_of_another_game_are_not_asked_for_their_rules() -> None:
    with pytest.raises(RecordError, match=r"players: smear is played by 2 or 3 players"):
        loads('{"format": "meja/1", "game": "smear", "rules": {}, "rules_version": 1, "players": ["a"], "deals": []}')


# -- files ------------------------------------------------------------------------


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, match_text: str) -> None:
    path = tmp_path / "match.meja"
    save(path, loads(match_text))
    before = path.read_bytes()

    def half() -> None:
        with atomic_file(path) as file:
            file.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half()
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["match.meja"]


def test_a_collection_that_breaks_off_leaves_the_old_one(tmp_path: Path, match_text: str) -> None:
    path = tmp_path / "all.mejal"
    record = loads(match_text)
    assert save_all(path, [record, record]) == 2

    def breaking() -> Any:
        yield record
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save_all(path, breaking())
    assert len(list(load_all(path))) == 2


def test_a_written_file_has_the_rights_of_any_new_file(tmp_path: Path, match_text: str) -> None:
    path = tmp_path / "match.meja"
    save(path, loads(match_text))
    plain = tmp_path / "plain"
    plain.write_text("x", encoding="utf-8")
    assert stat.S_IMODE(os.stat(path).st_mode) == stat.S_IMODE(os.stat(plain).st_mode)


def test_one_bad_line_does_not_spoil_the_others(tmp_path: Path, match_text: str) -> None:
    path = tmp_path / "some.mejal"
    path.write_text(f"{match_text}\n\nnonsense\n{match_text}", encoding="utf-8")
    found = list(read_documents(path))
    assert [line for line, _ in found] == [1, 3, 4]
    assert [bool(examine(data)[1]) for _, data in found] == [False, True, False]


def test_a_single_record_may_be_laid_out_over_lines(tmp_path: Path, match_text: str) -> None:
    path = tmp_path / "match.json"
    path.write_text(dumps(loads(match_text), pretty=True), encoding="utf-8")
    assert [line for line, _ in read_documents(path)] == [None]
    path.write_text(match_text + "\n" + match_text + "\n", encoding="utf-8")
    assert [line for line, _ in read_documents(path)] == [1, 2]


def test_a_doubled_single_record_is_a_fault(tmp_path: Path, match_text: str) -> None:
    path = tmp_path / "match.meja"
    path.write_text(match_text + "\n" + match_text + "\n", encoding="utf-8")
    with pytest.raises(RecordError, match="something follows"):
        load(path)


def test_replaying_a_record_with_an_illegal_action_says_where(match_text: str) -> None:
    record = loads(match_text)
    deal = record.deals[0]
    broken = Record(
        record.rules, record.players, (type(deal)(deal.dealer, deal.layout, (deal.actions[0], deal.actions[0])),)
    )
    with pytest.raises(MejaError, match=r"deals\[0\]\.actions\[1\]"):
        broken.replay()
