"""Languages and their catalogue."""

from __future__ import annotations

import gettext
import os
import subprocess
import sys
from pathlib import Path

import pytest

from meja.cards import card_word, suit_name
from meja.errors import RulesError
from meja.language import LOCALES, Language, command_line_in, detect
from meja.messages import SeatWord, msg

_ROOT = Path(__file__).resolve().parent.parent


def test_every_sentence_is_translated_with_its_fields_and_the_files_are_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, str(_ROOT / "script" / "catalogue"), "--check"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_an_untranslated_template_is_said_in_english() -> None:
    assert Language("id").say(msg("no such sentence {n}", n=3)) == "no such sentence 3"


def test_cards_seats_and_messages_inside_a_sentence_are_said_the_interface_s_way() -> None:
    language = Language("id", card=str.lower, seat=lambda seat: ("Anda", "Budi")[seat])
    assert language.say(msg("{seat} plays {card}.", seat=SeatWord(1), card=card_word(12))) == "Budi memainkan as."
    assert language.say(msg("Trump: {suit}.", suit=suit_name(0))) == "Truf: sekop."
    assert Language("id").say(SeatWord(2)) == "kursi 2"
    assert Language("en").say(card_word(12, 8)) == "As Ts"


def test_a_sentence_begins_with_a_capital_letter() -> None:
    language = Language("en", seat=lambda seat: "you")
    assert language.sentence(SeatWord(0)) == "You"


def test_a_number_chooses_its_form_in_english_only() -> None:
    one, other = msg("one card"), msg("{n} cards", n=1)
    assert Language("en").plural(1, one, other) is one
    assert Language("en").plural(0, one, other) is other
    assert Language("id").plural(1, one, other) is other


@pytest.mark.parametrize(
    ("code", "value", "decimals", "sign", "text"),
    [
        ("en", 1234567, 0, False, "1,234,567"),
        ("id", 1234567, 0, False, "1.234.567"),
        ("en", 1234.54, 1, False, "1,234.5"),
        ("id", 1234.54, 1, False, "1.234,5"),
        ("id", 0.826, 2, True, "+0,83"),
        ("id", -3, 0, True, "-3"),
        ("id", 12, 0, False, "12"),
    ],
)
def test_numbers_are_written_as_the_language_writes_them(
    code: str, value: float, decimals: int, sign: bool, text: str
) -> None:
    assert Language(code).number(value, decimals, sign=sign) == text


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(RulesError, match='there is no language "de"'):
        Language("de")


@pytest.mark.parametrize(
    ("code", "environment", "expected"),
    [
        ("en", {"MEJA_LANG": "id"}, "en"),
        (None, {"MEJA_LANG": "id", "LANG": "en_US.UTF-8"}, "id"),
        (None, {"LANG": "id_ID.UTF-8"}, "id"),
        (None, {"LC_ALL": "en_GB.UTF-8", "LANG": "id_ID"}, "en"),
        (None, {"LC_MESSAGES": "id"}, "id"),
        (None, {"LANG": "de_DE.UTF-8"}, "en"),
        (None, {"LANG": "C.UTF-8"}, "en"),
        (None, {}, "en"),
    ],
)
def test_the_language_is_found(code: str | None, environment: dict[str, str], expected: str) -> None:
    assert detect(code, environment) == expected


def test_the_process_speaks_its_own_language_again_afterwards() -> None:
    before = gettext.textdomain(), os.environ.get("LANGUAGE")
    with command_line_in("id"):
        assert gettext.gettext("usage: ") == "cara pakai: "
    assert (gettext.textdomain(), os.environ.get("LANGUAGE")) == before


def test_the_catalogue_holds_no_dates() -> None:
    for path in LOCALES.rglob("meja.po*"):
        assert "Date" not in path.read_text(encoding="utf-8")
