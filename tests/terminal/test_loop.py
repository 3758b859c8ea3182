"""The table in words: whole matches, what may be typed, and what is refused."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from meja.errors import RecordError
from meja.games import games, make_rules
from meja.language import Language
from meja.narration.screens import SCREENS
from meja.record import load
from meja.terminal.console import Console
from meja.terminal.loop import Loop
from meja.terminal.table import Table

_NUMBERED = re.compile(r"(?<![\d(.])(\d+)\) (?=\S)")
_HANDS = ("Your hand: ", "Kartu Anda: ", "Жжжж жжжж: ")


class Typist(io.StringIO):
    """An input that answers when it is asked; ``answer`` gets everything written so far."""

    def __init__(self, output: io.StringIO, answer: Callable[[str], str | None]) -> None:
        super().__init__()
        self._output = output
        self._answer = answer
        self.asked = 0

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        self.asked += 1
        assert self.asked < 1500, self._output.getvalue()[-2000:]
        answer = self._answer(self._output.getvalue())
        return "" if answer is None else answer + "\n"


class Seat:
    """A loop with a scripted person; ``output`` is all that was printed."""

    def __init__(
        self,
        folder: Path,
        game: str,
        answer: Callable[[str], str | None] | Iterable[str],
        *,
        language: Language | None = None,
        seed: int = 1,
        bots: str = "rules-of-thumb",
        seats: int | None = None,
        preset: str = "standard",
        table: Table | None = None,
        name: str = "saved",
        **options: Any,
    ) -> None:
        rules = make_rules(game, seats, preset, **options)
        self.target = io.StringIO()
        if not callable(answer):
            lines: Iterator[str] = iter(answer)
            answer = lambda _: next(lines, None)  # noqa: E731
        console = Console(Typist(self.target, answer), self.target)
        self.table = table or Table(rules, [bots] * (rules.seats - 1), seed, "Ana")
        self.place = folder / "saved" / f"{name}.meja"
        self.loop = Loop(
            console, language or Language("en"), self.table, SCREENS, place=self.place, record=folder / "record.meja"
        )

    def run(self) -> str:
        self.loop.run()
        return self.output

    @property
    def output(self) -> str:
        return self.target.getvalue()


def numbers(output: str) -> list[int]:
    """The numbers offered by the last table printed."""
    block = output[output.rindex("\n\n") :] if "\n\n" in output else output
    return [int(number) for number in _NUMBERED.findall(block)]


def discards(output: str) -> list[str]:
    """The cards of the hand in the last table printed: what may be typed where nothing has a number."""
    block = output[output.rindex("\n\n") :]
    [hand] = [line for line in block.splitlines() if line.startswith(_HANDS)]
    cards = hand.partition(": ")[2].replace(",", "").split()
    # One that has been refused is not tried again.
    return cards[block.count("(? ") - 1 :]


def first_choice(output: str) -> str:
    """Somebody who always takes the first thing offered."""
    return str((numbers(output) or discards(output))[0])


def last_choice(output: str) -> str:
    """Somebody who always takes the last thing offered."""
    return str((numbers(output) or discards(output))[-1])


_SHORT: dict[str, dict[str, Any]] = {
    "bassadewitz": {"deals": 4},
    "calabresella": {"deals": 3},
    "kaluki": {"target": 100},
    "smear": {"target": 7, "win": "bidder_first"},
}


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("code", ["en", "id"])
def test_a_whole_match_is_played_from_the_printed_choices(tmp_path: Path, game: str, code: str) -> None:
    # Nobody would ever win at Kaluki by discarding the last card.
    person = first_choice if code == "en" or game == "kaluki" else last_choice
    seat = Seat(tmp_path, game, person, language=Language(code), **_SHORT[game])
    output = seat.run()
    match = seat.table.match
    assert match.over
    for number in range(len(match.deals)):
        assert ("Score of deal {}\n" if code == "en" else "Skor ronde {}\n").format(number + 1) in output
    record = load(tmp_path / "record.meja")
    assert record.totals == match.totals
    assert record.winners == match.winners
    assert record.players[0] == "Ana"
    assert not seat.place.exists()


@pytest.mark.parametrize("game", games())
def test_every_score_line_shows_its_rule_and_the_totals_follow(tmp_path: Path, game: str) -> None:
    seat = Seat(tmp_path, game, first_choice, **_SHORT[game])
    output = seat.run()
    lines = sum(len(deal.score_sheet()) for deal in seat.table.match.deals)
    assert len(re.findall(r"^(?:You|Budi|Sari|Wayan) [+-]\d+: .+ \(rule [BCKS]\d+\.\d+\)$", output, re.M)) == lines
    assert output.count("Totals: You ") >= len(seat.table.match.deals)


@pytest.mark.parametrize("game", games())
def test_every_word_comes_from_the_catalogue(tmp_path: Path, game: str) -> None:
    """Each template is turned into letters that are in no language; what is left is names, cards and numbers."""

    def foreign(template: str) -> str:
        parts = re.split(r"(\{[^}]*\})", template)
        return "".join(part if part.startswith("{") else re.sub(r"[A-Za-z]", "ж", part) for part in parts)

    language = Language("en", lookup=foreign)
    asked = iter(["?", "l", "s", "t", "h", "u", "zz", "99", "", "As", "r X9.9"])

    def person(output: str) -> str:
        return next(asked, None) or first_choice(output)

    seat = Seat(tmp_path, game, person, language=language, **_SHORT[game])
    output = seat.run()
    output = re.sub(r'"[^"]*"', "", output)  # what was typed, and file names
    names = "Budi|Sari|Wayan|Bassadewitz|Calabresella|Kaluki|Smear|High|Low|Jack|Game"
    cards = r"Jk(?:=[2-9TJQKA][shdc]?)?|(?:10|[2-9TJQKA])[shdc]|[AKQJ]"
    known = rf"{names}|{cards}|[BCKS]\d+(?:\.\d+)?|m\d+|\d+/\d+|[a-z_]+=\w+"
    rest = re.sub(rf"\b(?:{known})\b", "", output)
    assert set(re.findall(r"[A-Za-z]+", rest)) == set()


# -- what may be typed ------------------------------------------------------------


def _asked(folder: Path, *lines: str, game: str = "bassadewitz", seed: int = 3) -> str:
    return Seat(folder, game, lines, seed=seed).run()


@pytest.mark.parametrize("text", ["7h", "7H", "7♥", "play 7h", "PLAY  7h", " 7h "])
def test_a_card_may_be_typed_in_many_ways(tmp_path: Path, text: str) -> None:
    assert "You play 7h." in _asked(tmp_path, text)


@pytest.mark.parametrize("text", ["Tc", "10c", "tc", "5"])
def test_the_ten_may_be_typed_as_ten(tmp_path: Path, text: str) -> None:
    assert "You play Tc." in _asked(tmp_path, text)


def test_indonesian_verbs_are_understood(tmp_path: Path) -> None:
    seat = Seat(tmp_path, "bassadewitz", ["main 7h"], seed=3, language=Language("id"))
    assert "Anda memainkan 7h." in seat.run()
    seat = Seat(tmp_path, "smear", ["tawar 4"], seed=3, language=Language("id"))
    assert "Anda menawar 4." in seat.run()


def test_a_bid_is_typed_as_its_own_number(tmp_path: Path) -> None:
    seat = Seat(tmp_path, "smear", ["4"], seed=3)
    output = seat.run()
    assert "You bid 4." in output


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Xx", '"Xx" is nothing to do here. Type one of the numbers, or the card itself, for example'),
        ("42", 'There is no number "42" here; expected: 1-8.'),
        ("99999999999999999999999999", "There is no number"),
        ("-1", '"-1" is nothing to do here.'),
        ("As", "Not allowed: You do not hold As. (rule B3.1)"),
        ("bid 3", '"bid 3" is nothing to do here.'),
        ("\x00\x1b[2J\ufffd", r'"\u0000\u001b[2J'),
        ("", "Type one of the numbers"),
        ("r Z1", 'There is no rule "Z1" here. The rules go from B1.1 to B'),
        ("l", "No trick has been finished yet."),
        ("s", "No deal has been finished yet.\nTotals: You 0, Budi 0, Sari 0, Wayan 0"),
        ("u", "There is nothing to take back."),
    ],
)
def test_what_does_nothing_is_answered_and_the_position_stays(tmp_path: Path, text: str, answer: str) -> None:
    seat = Seat(tmp_path, "bassadewitz", [text], seed=3)
    output = seat.run()
    assert answer in output
    assert output.count("Your turn") == 2
    assert seat.table.view().log == ()


def test_a_refusal_names_the_rule_that_is_broken(tmp_path: Path) -> None:
    def person(output: str) -> str | None:
        found = re.search(r"You can play: (.*)\n.*\n$", output)
        if found is None:
            return None if "Not allowed" in output else first_choice(output)
        hand = re.findall(r"\b\w[shdc]\b", re.findall(r"Your hand: (.*)", output)[-1])
        return next(card for card in hand if card not in found[1]) if "Not allowed" not in output else None

    output = Seat(tmp_path, "bassadewitz", person, seed=3).run()
    assert re.search(r"Not allowed: You hold \w+ and must follow suit\. \(rule B3\.2\)", output)


def test_the_commands_show_hand_table_last_trick_scores_and_rules(tmp_path: Path) -> None:
    output = _asked(tmp_path, "1", "l", "h", "t", "r B3.2", "?", "r")
    assert "The last trick: You Qh, " in output
    assert output.count("Your hand") >= 3
    assert "Deal 1 of 8. Dealer: Wayan." in output
    assert "\nB3.2 " in output
    assert "u  take back your last decision" in output
    assert "# Bassadewitz" in output


def test_a_single_legal_card_plays_itself_and_is_told(tmp_path: Path) -> None:
    output = Seat(tmp_path, "bassadewitz", first_choice, **_SHORT["bassadewitz"]).run()
    assert re.search(r"^You play \w+, your only card that may be played\.$", output, re.M)
    assert re.search(r"^You play \w+, your last card\.$", output, re.M)
    assert not re.search(r"^(You play \w+)[,.].*\n\1", output, re.M)


# -- taking back, stopping, going on ----------------------------------------------


@pytest.mark.parametrize("game", games())
def test_undo_goes_back_to_the_same_position_and_the_bots_answer_alike(tmp_path: Path, game: str) -> None:
    before: list[str] = []
    script = iter(["play", "undo", "play", "end"])

    def person(output: str) -> str | None:
        before.append(output)
        step = next(script)
        return first_choice(output) if step == "play" else "u" if step == "undo" else None

    seat = Seat(tmp_path, game, person, seed=3)
    output = seat.run()
    assert "Back to before your last decision." in output
    start, after, undone, again = before
    table = start[start.rindex("\n\n") :]
    assert undone.endswith(table)
    assert after[len(start) :] == again[len(undone) :]


def test_undo_reaches_back_into_the_deal_before(tmp_path: Path) -> None:
    done = False

    def person(output: str) -> str | None:
        nonlocal done
        if "Score of deal 1" not in output:
            return first_choice(output)
        if done:
            return None
        done = True
        return "u"

    seat = Seat(tmp_path, "bassadewitz", person, seed=3)
    seat.run()
    # Nothing was decided in the second deal yet.
    assert len(seat.table.match.deals) == 0
    assert seat.table.match.totals == (0, 0, 0, 0)


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("turns", [0, 1, 5, 17])
def test_a_kept_match_goes_on_where_it_stopped(tmp_path: Path, game: str, turns: int) -> None:
    left = turns

    def person(output: str) -> str | None:
        nonlocal left
        left -= 1
        return None if left < 0 else first_choice(output)

    seat = Seat(tmp_path, game, person, seed=11, **_SHORT[game])
    output = seat.run()
    assert "The match is kept. Go on with: meja play --resume" in output
    record = load(seat.place)
    table, meta = Table.resumed(record)
    assert meta["table"]["lang"] == "en"
    assert table.view().to_json() == seat.table.view().to_json()
    assert table.match.totals == seat.table.match.totals
    # What comes is what would have come: the same cards and the same answers.
    one = Seat(tmp_path, game, first_choice, table=table)
    two = Seat(tmp_path, game, first_choice, table=seat.table, name="other")
    for one_more in (one, two):
        one_more.run()
    assert one.output == two.output


def test_a_record_that_was_not_made_here_cannot_be_gone_on_with(tmp_path: Path) -> None:
    seat = Seat(tmp_path, "bassadewitz", ["1"], seed=3)
    seat.run()
    text = seat.place.read_text()
    (tmp_path / "other.meja").write_text(text.replace('"seed": 3', '"seed": 4'))
    with pytest.raises(RecordError, match="do not come from the seed"):
        Table.resumed(load(tmp_path / "other.meja"))
    (tmp_path / "bare.meja").write_text(text.replace('"seed": 3', '"seed": "x"'))
    with pytest.raises(RecordError, match="not a match that was saved at this table"):
        Table.resumed(load(tmp_path / "bare.meja"))


def test_the_person_sees_no_card_of_the_others(tmp_path: Path) -> None:
    """Before anything is played, only the person's own cards are on the screen."""
    for game in games():
        seat = Seat(tmp_path, game, [], seed=5)
        output = seat.run()
        shown = set(re.findall(r"\b[2-9TJQKA][shdc]\b", output))
        view = seat.table.view().to_dict()
        known = set(re.findall(r"[2-9TJQKA][shdc]", repr([view["hand"], view["log"], view.get("trick"), view])))
        assert shown <= known


def test_dealers_seat_that_sits_out_is_told_what_happens(tmp_path: Path) -> None:
    seat = Seat(tmp_path, "calabresella", first_choice, seats=4, dealer_sits_out=True, deals=4)
    assert "has won the match" in seat.run() or "You have won" in seat.output or "shared" in seat.output


def test_numbers_are_read_from_what_is_printed() -> None:
    assert numbers("x\n\nYou can play: 1) As  2) Kd\n3) meld 7s 7d 7c (21)\nYour turn (? for help):\n") == [1, 2, 3]
    assert make_rules("bassadewitz").seats == 4
