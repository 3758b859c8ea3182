"""The words of the table: what a newcomer stumbled over."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from meja.arena import play_match
from meja.cards import parse_cards
from meja.deal import Layout
from meja.games import game, games, make_rules
from meja.language import Language
from meja.narration.calabresella import CalabresellaScreen
from meja.narration.house_rules import choice_text
from meja.narration.screens import SCREENS
from meja.narration.style import Style
from meja.record import Record
from meja.rules import Rules
from meja.terminal.console import Console
from meja.terminal.loop import Loop
from meja.terminal.replay import Replay
from meja.terminal.table import Table


class _Script(io.StringIO):
    """An input that is asked for its next line with what has been written so far."""

    def __init__(self, target: io.StringIO, answer: Callable[[str], str | None]) -> None:
        super().__init__()
        self._target = target
        self._answer = answer

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        line = self._answer(self._target.getvalue())
        return "" if line is None else line + "\n"


def _said(
    folder: Path,
    name: str,
    answer: Callable[[str], str | None] | Iterable[str] = (),
    *,
    code: str = "en",
    seed: int = 1,
    seats: int | None = None,
    preset: str = "standard",
    table: Table | None = None,
    signs: bool = False,
    **options: Any,
) -> str:
    """All that is printed while somebody types the lines of ``answer``."""
    rules = make_rules(name, seats, preset, **options)
    target = io.StringIO()
    if not callable(answer):
        lines: Iterator[str] = iter(answer)
        answer = lambda _: next(lines, None)  # noqa: E731
    console = Console(_Script(target, answer), target)
    if signs:
        console.style = Style(signs=True)
    seat = table or Table(rules, ["rules-of-thumb"] * (rules.seats - 1), seed, "Ana")
    Loop(console, Language(code), seat, SCREENS, place=folder / "saved.meja").run()
    return target.getvalue()


# -- help and rules ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options", "line"),
    [
        ("bassadewitz", {}, "Order in this game, from high to low: A 10 K Q J 9 8 7."),
        ("bassadewitz", {"natural_rank": True}, "Order in this game, from high to low: A K Q J 10 9 8 7."),
        ("calabresella", {}, "Order in this game, from high to low: 3 2 A K Q J 7 6 5 4."),
        ("smear", {}, "Order in this game, from high to low: A K Q J 10 9 8 7 6 5 4 3 2."),
        ("kaluki", {}, "Order in a run, from high to low: A K Q J 10 9 8 7 6 5 4 3 2. The ace may also be"),
    ],
)
def test_the_help_tells_the_order_of_the_cards_of_this_game(
    tmp_path: Path, name: str, options: dict[str, Any], line: str
) -> None:
    output = _said(tmp_path, name, ["?"], **options)
    assert line in output
    assert "To write a card: rank and suit, for example As, 10h (or Th), Qd." in output
    assert ("joker" in output) == (name == "kaluki")
    assert ("l  the discard pile" in output) == (name == "kaluki")


@pytest.mark.parametrize("text", ["r 6", "r S6", "r s6"])
def test_a_whole_section_of_the_rules_can_be_read(tmp_path: Path, text: str) -> None:
    output = _said(tmp_path, "smear", [text])
    assert "## 6. The match" in output
    assert "S6.1" in output
    assert "S6.2" in output
    assert "## 5." not in output
    assert "## 7." not in output


@pytest.mark.parametrize("text", ["r 3.2", "r s3.2", "r S3.2"])
def test_one_rule_can_be_read_with_or_without_its_letter(tmp_path: Path, text: str) -> None:
    assert "S3.2 You may pass, or you bid a number from 2 to 4" in _said(tmp_path, "smear", [text])


@pytest.mark.parametrize("text", ["r 99", "r B3.2", "r x", "r 3.99"])
def test_an_unknown_rule_is_told_what_there_is(tmp_path: Path, text: str) -> None:
    output = _said(tmp_path, "smear", [text])
    assert re.search(r'There is no rule ".*" here\. The rules go from S1\.1 to S\d+\.\d+; r alone shows all', output)


# -- the start, the heading and the totals ----------------------------------------


def test_house_rules_are_told_at_the_start_and_when_going_on(tmp_path: Path) -> None:
    table = Table(make_rules("smear", target=7, min_bid=1), ["random"] * 2, 1, "Ana")
    line = "House rules: min_bid=1, target=7 (r shows the rules)"
    assert line in _said(tmp_path, "smear", table=table)
    assert line in _said(tmp_path, "smear", table=table)
    assert "House rules" not in _said(tmp_path, "smear")
    assert "House rules: Traditional, deals=3 (r shows" in _said(tmp_path, "calabresella", preset="trad", deals=3)
    assert "Aturan rumah: target=7 (r menampilkan aturan)" in _said(tmp_path, "smear", code="id", target=7)


@pytest.mark.parametrize(("options", "words"), [({}, " (lowest wins)"), ({"classic_pool": True}, " (most chips win)")])
def test_totals_stand_under_the_heading_from_the_second_deal_on(
    tmp_path: Path, options: dict[str, Any], words: str
) -> None:
    def person(output: str) -> str | None:
        if "Deal 2 of" in output:
            return None
        return str(re.findall(r"(\d+)\) ", output[output.rindex("\n\n") :])[0])

    table = Table(make_rules("bassadewitz", **options), ["rules-of-thumb"] * 3, 3, "Ana")
    output = _said(tmp_path, "bassadewitz", person, table=table)
    assert re.search(r"^Deal 1 of 8\. Dealer: \w+\.\n(?!Totals)", output, re.M)
    assert re.search(rf"^Deal 2 of 8\. Dealer: \w+\.\nTotals: You .*\d{re.escape(words)}$", output, re.M)
    again = _said(tmp_path, "bassadewitz", table=table)
    assert re.search(r"^Deal 2 of 8\. Dealer: \w+\.\nTotals: You ", again, re.M)


def test_a_dealer_who_sits_out_is_told(tmp_path: Path) -> None:
    def person(output: str) -> str | None:
        if "You deal and sit out this deal." in output:
            return None
        return str(re.findall(r"(\d+)\) ", output[output.rindex("\n\n") :])[0])

    output = _said(tmp_path, "calabresella", person, seats=4, dealer_sits_out=True)
    assert re.search(r"Dealer: you\.\n(?:Totals: .*\n)?You deal and sit out this deal\.\n", output)


@pytest.mark.parametrize(("variable", "command"), [(None, "meja play"), ("script/play", "script/play")])
def test_the_way_back_is_the_way_one_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str | None, command: str
) -> None:
    monkeypatch.delenv("MEJA_COMMAND", raising=False)
    if variable is not None:
        monkeypatch.setenv("MEJA_COMMAND", variable)
    assert f"Go on with: {command} --resume" in _said(tmp_path, "smear")


# -- choices ----------------------------------------------------------------------


def test_numbers_cannot_be_read_as_ranks(tmp_path: Path) -> None:
    output = _said(tmp_path, "bassadewitz", seed=3, signs=True)
    assert re.search(r"1\) [\dAKQJ]+[♠♥♦♣]  2\) [\dAKQJ]+[♠♥♦♣]", output)


@pytest.mark.parametrize("name", games())
def test_examples_can_be_typed_on_any_keyboard(tmp_path: Path, name: str) -> None:
    output = _said(tmp_path, name, ["zz"], seed=3, signs=True)
    [line] = [line for line in output.splitlines() if line.startswith('"zz" is nothing to do here.')]
    assert not set(line) & set("♠♥♦♣")


def test_a_card_during_the_auction_is_refused_with_the_rule(tmp_path: Path) -> None:
    refusal = "Not allowed: No card may be played before the auction has ended. (rule S3.4)"
    assert _said(tmp_path, "smear", ["As", "5s"]).count(refusal) == 2
    assert "(rule C3.2)" in _said(tmp_path, "calabresella", ["As"])


def test_a_bid_that_is_too_low_is_refused_with_the_rule(tmp_path: Path) -> None:
    low = [_said(tmp_path, "smear", ["1"], seed=seed) for seed in range(1, 6)]
    assert all("Not allowed: A bid is a number from 2 to 4. (rule S3.2)" in output for output in low)


@pytest.mark.parametrize(
    "text", ["5", "17", "1", "bid 5", "bid 0", "bid 22", "-1", "bid -1", "9" * 30, "bid " + "9" * 30]
)
def test_every_bid_beyond_the_range_gets_one_and_the_same_answer(tmp_path: Path, text: str) -> None:
    # Seed 2: somebody passed, nobody bid. Seed 1: the bid is 3 already.
    for seed in (1, 2):
        output = _said(tmp_path, "smear", [text], seed=seed)
        assert output.count("Not allowed: A bid is a number from 2 to 4. (rule S3.2)") == 1
        assert "There is no number" not in output
        assert "nothing to do here" not in output


def test_a_bid_that_was_bid_already_is_refused_with_what_may_be_bid(tmp_path: Path) -> None:
    for text in ("2", "bid 3", "3"):
        output = _said(tmp_path, "smear", [text], seed=1)
        assert "Not allowed: The bid is 3 already: bid at least 4, or pass. (rule S3.3)" in output


def test_a_word_that_is_no_bid_is_still_nothing_to_do(tmp_path: Path) -> None:
    assert '"bid x" is nothing to do here. Type the number you bid, or 0 to pass.' in _said(
        tmp_path, "smear", ["bid x"]
    )


def test_bids_say_what_they_mean_and_cost(tmp_path: Path) -> None:
    output = _said(tmp_path, "calabresella", ["solissimo"], solissimo_base=3, seed=4)
    assert "1) chiamo (stake 1: call a card, take the monte)\n2) solo (stake 2: take the monte)\n" in output
    assert "3) solissimo (stake 3: your cards as dealt, no monte)\n" in output
    assert (
        "1) plain (stake 3)\n"
        "2) dividete (stake 6: each opponent exchanges two cards unseen)\n"
        "3) scegliete (stake 12: the opponents see the monte and exchange)\n"
    ) in output


@pytest.mark.parametrize(
    ("code", "text", "words"), [("en", "bid 3", "You bid solissimo."), ("id", "tawar 3", "Anda menawar solissimo.")]
)
def test_a_bid_may_be_typed_by_its_number(tmp_path: Path, code: str, text: str, words: str) -> None:
    assert words in _said(tmp_path, "calabresella", [text], code=code, seed=4)


def test_the_stake_stands_on_the_table(tmp_path: Path) -> None:
    assert "You play chiamo. Stake: 1." in _said(tmp_path, "calabresella", ["1"], seed=4)
    output = _said(tmp_path, "calabresella", ["3", "2"], seed=4)
    assert "You play solissimo. Stake: 8. Declared: dividete." in output


# -- cards that others lay and draw -----------------------------------------------

_HANDS = (
    "3s 2s As Ks 7s 6s 5s 4s 3h 2h 7h 6h",
    "Qs Js 5h 4h 3d 2d Ad Kd 7d 6d 5d 4d",
    "Ah Kh Qh Jh 3c 2c Ac Kc 7c 6c 5c 4c",
)


@pytest.mark.parametrize("code", ["en", "id"])
def test_what_another_lays_into_the_monte_is_one_line(code: str) -> None:
    rules = make_rules("calabresella")
    layout = Layout(tuple(tuple(parse_cards(hand)) for hand in _HANDS), monte=tuple(parse_cards("Qd Jd Qc Jc")))
    deal = game("calabresella").deal.from_layout(rules, 0, layout)
    screen = CalabresellaScreen(Language(code), Style(), 0, {1: "Budi", 2: "Sari"})
    everything = CalabresellaScreen(Language(code), Style(), -1, {0: "Ana", 1: "Budi", 2: "Sari"})
    said, shown = [], []
    for action in ["bid solo", "pass", "pass", "discard 4c", "discard 5c", "discard 6c", "discard 7c"]:
        for event in deal.apply(action):
            said += screen.event(event.seen_by(0), deal.view(0))
            seen = event.seen_by(2)
            shown += everything.event(seen, deal.view(None))
    if code == "en":
        assert "Sari takes four cards of the monte, which only Sari sees." in said
        assert [line for line in said if " lays " in line] == ["Sari lays four cards into the monte."]
        assert "Sari takes from the monte: Qd Jd Qc Jc" in shown
        assert "Sari lays 4c into the monte." in shown
        assert not any("You" in line for line in shown)
    else:
        assert "Sari mengambil empat kartu monte; hanya Sari yang melihatnya." in said
        assert [line for line in said if "letak" in line] == ["Sari meletakkan empat kartu ke monte."]


def test_a_draw_that_cannot_be_otherwise_is_explained_once(tmp_path: Path) -> None:
    def person(output: str) -> str | None:
        block = output[output.rindex("\n\n") :]
        if output.count("Your turn") > 6:
            return None
        if "Draw a card:" in block:
            return "draw"
        [hand] = re.findall("Your hand: (.*)", block)
        return str(hand.replace(",", "").split()[block.count("Your turn") - 1])

    output = _said(tmp_path, "kaluki", person, seed=4)
    assert output.count("The top card of the discard pile cannot be taken now, so you draw.") == 1
    assert output.count("You drew ") > 2
    assert "You draw " not in output


# -- replay -----------------------------------------------------------------------


def _replayed(record: Record) -> str:
    target = io.StringIO()
    replay = Replay(record, Console(io.StringIO(), target), Language("en"))
    lines = replay.title()
    while not replay.at_end():
        lines += replay.forward()
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        (make_rules("smear", 3), "3 players, no house rules."),
        (
            make_rules("smear", 2, target=7, low="taker", trump_anytime=False, dealer_steal=True),
            "2 players. House rules: Low: the one who takes it; The dealer may steal the bid; "
            "Trump at any time: no; Target: 7.",
        ),
        (make_rules("kaluki", 4, "kalooki51"), "4 players. House rules: Kalooki 51."),
        (make_rules("calabresella", 3, "trad", deals=3), "3 players. House rules: Traditional; Deals in a match: 3."),
    ],
)
def test_a_replay_tells_its_rules_in_words(rules: Rules, line: str) -> None:
    lines = _replayed(Record(rules, ("Ana",) * rules.seats)).splitlines()
    assert lines[0].startswith(f"{rules.title}: Ana (1), Ana (2)")
    assert lines[1] == line


@pytest.mark.parametrize("name", games())
def test_every_value_of_every_option_has_words(name: str) -> None:
    made = game(name).rules
    for option in made.options().values():
        for value in option.choices:
            words = choice_text(value, Language("en"))
            assert words
            assert "_" not in words


@pytest.mark.parametrize("name", games())
def test_a_replay_never_speaks_to_anybody(name: str) -> None:
    options: dict[str, Any] = {"target": 100} if name == "kaluki" else {}
    rules = make_rules(name, **options)
    record = play_match(rules, ["rules-of-thumb"] * (rules.seats - 1) + ["random"], seed=2)
    text = _replayed(record)
    assert not re.search(r"\b(?:You|you|your)\b", text)
    assert text.splitlines()[0].startswith(f"{rules.title}: Ayu (bot:rules-of-thumb), Budi (bot:")
    if name == "kaluki":
        assert re.search(r"^(?:Ayu|Budi) draws (?:\w\w|Jk)\.$", text, re.M)


def test_names_of_a_record_stay_as_they_are_written() -> None:
    rules = make_rules("smear", seats=3)
    made = play_match(rules, ["random"] * 3, seed=2)
    match = made.start()
    record = Record.of_match(_with_names(made, ("ana", "bot:random", "Budi")))
    assert match.players != record.players
    text = _replayed(record)
    assert text.startswith("Cutthroat Canadian Smear: ana, Ayu (bot:random), Budi\n")
    assert re.search(r"^ana (?:plays|bids|passes)", text, re.M)
    assert "Ana" not in text


def _with_names(record: Record, names: tuple[str, ...]) -> Any:
    match = record.replay()
    match.players = names
    return match
