"""How cards and long lines look."""

from __future__ import annotations

import io

import pytest

from meja.narration.style import Style, visible
from meja.terminal.pages import lines, plain


class _Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("text", "shown"),
    [("As", "A♠"), ("Td", "10♦"), ("Jk", "Jk"), ("Jk=Th", "Jk=10♥"), ("Jk=9", "Jk=9"), ("??", "??"), ("m1", "m1")],
)
def test_cards_are_shown_with_signs_or_as_records_write_them(text: str, shown: str) -> None:
    assert Style(signs=True).card(text) == shown
    assert Style().card(text) == text


def test_red_suits_are_red_and_never_told_by_colour_alone() -> None:
    style = Style(signs=True, colour=True)
    assert style.card("9h") == "\x1b[31m9♥\x1b[0m"
    assert style.card("9s") == "9♠"
    assert visible(style.card("9h")) == 2


def test_a_pipe_gets_neither_signs_nor_colour_nor_broken_lines() -> None:
    assert Style.of(io.StringIO(), 80, False, {}) == Style()


@pytest.mark.parametrize(
    ("plain_wanted", "environment", "signs", "colour"),
    [
        (False, {}, True, True),
        (True, {}, False, False),
        (False, {"NO_COLOR": "1"}, True, False),
        (False, {"NO_COLOR": ""}, True, True),
        (False, {"TERM": "dumb"}, True, False),
    ],
)
def test_a_terminal_gets_what_it_can_and_may_show(
    plain_wanted: bool, environment: dict[str, str], signs: bool, colour: bool
) -> None:
    style = Style.of(_Terminal(), 80, plain_wanted, environment)
    assert (style.signs, style.colour, style.width) == (signs, colour, 79)


def test_a_terminal_that_cannot_write_signs_gets_letters() -> None:
    terminal = _Terminal()
    terminal.encoding = "ascii"
    assert not Style.of(terminal, 80, False, {}).signs


def test_lists_break_between_items() -> None:
    items = [f"{number} card" for number in range(1, 12)]
    shown = Style(width=40).listed("You can play:", items)
    assert max(map(len, shown)) <= 40
    assert " ".join(line.strip() for line in shown) == "You can play: " + ", ".join(items)
    assert Style().listed("Head:", items) == ["Head: " + ", ".join(items)]
    assert Style().listed("Head:", []) == ["Head:"]


def test_long_lines_break_between_words_and_colour_takes_no_room() -> None:
    style = Style(signs=True, colour=True, width=40)
    line = " ".join([style.card("9h")] * 30)
    shown = style.folded(line)
    assert len(shown) == 3
    assert max(map(visible, shown)) <= 40
    assert " ".join(part.strip() for part in shown) == line


def test_markdown_reads_as_plain_text() -> None:
    assert plain("**B3.2** Follow *suit* (`ace5`, now `false`); joker_swap_use stays") == (
        "B3.2 Follow suit (ace5, now false); joker_swap_use stays"
    )
    assert lines("- " + "word " * 20, 40)[1].startswith("  word")
