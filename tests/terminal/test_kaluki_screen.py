"""Kaluki in words: jokers, openings and the many ways to type a turn."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from meja.cards import JOKER, parse_cards
from meja.deal import Deal, Layout
from meja.games import game, make_rules
from meja.games.kaluki_turn import ADD, SWAP
from meja.language import Language
from meja.narration.kaluki import KalukiScreen
from meja.narration.screen import Question
from meja.narration.screens import SCREENS
from meja.narration.style import Style
from meja.narration.words import strict_text
from meja.terminal.console import Console
from meja.terminal.loop import Loop
from meja.terminal.table import Table

_NAMES: Mapping[int, str] = {1: "Budi"}


def _screen(code: str = "en") -> KalukiScreen:
    return KalukiScreen(Language(code), Style(), 0, _NAMES)


def _deal(hand: str, other: str = "", *, upcard: str = "2s", stock: str = "", **options: Any) -> Deal[Any]:
    """A deal of two in which seat 0 begins; what is not named comes from the rest of the pack."""
    rules = make_rules("kaluki", 2, **options)
    made = game("kaluki").deal
    left = Counter(made.pack(rules))
    named = [parse_cards(text) for text in (hand, other, upcard, stock)]
    for cards in named:
        left.subtract(cards)
    assert min(left.values()) >= 0
    # Low cards go into the hands, so that no meld comes about by chance; jokers go to the bottom.
    rest = sorted(left.elements(), key=lambda card: (card == JOKER, card % 13 % 5, card))
    hands = []
    for cards in named[:2]:
        more, rest = rest[: 15 - len(cards)], rest[15 - len(cards) :]
        hands.append(tuple(cards + more))
    layout = Layout(tuple(hands), upcard=named[2][0], stock=(*named[3], *rest))
    return made.from_layout(rules, 1, layout)


def _words(deal: Deal[Any], code: str = "en") -> str:
    screen = _screen(code)
    view = deal.view(0)
    return "\n".join([*screen.table(view), *screen.listing(view)])


def _typed(deal: Deal[Any], text: str) -> str:
    """The action a line stands for, as a record writes it."""
    return deal.text(_screen().parse(deal.view(0), text))


def test_the_best_opening_and_what_is_missing_are_told() -> None:
    deal = _deal("Jh Qh Kh Ah 3c 4d 6s 8c 9d 2h 7s 5c 4s 6d 8s", stock="3s")
    deal.apply("draw")
    assert "To open you need 51. Best in your hand: Jh Qh Kh Ah, 45; 6 missing." in _words(deal)
    deal = _deal("Jh Qh Kh Ah 3c 4d 6s 8c 9d 2h 7s 5c 4s 6d 8s", stock="Th")
    deal.apply("draw")
    words = _words(deal)
    assert "Your hand can do it: Th Jh Qh Kh Ah, 55." in words
    assert "\n1) meld Th Jh Qh Kh Ah (55)" in words


def test_a_hand_without_a_meld_says_so() -> None:
    deal = _deal("Ah Kc 2d 4s 6h 8c Td Qs 3h 5c 7d 9s Jh 2c 4h", stock="6d")
    deal.apply("draw")
    assert "There is no meld in your hand." in _words(deal)


def test_the_top_discard_is_offered_with_the_meld_that_opens() -> None:
    deal = _deal("Th Jh Qh Kh 3c 4d 6s 8c 9d 2h 7s 5c 4s 6d 8s", upcard="Ah")
    words = _words(deal)
    assert "Draw a card:\n1) draw\n2) take Th Jh Qh Kh Ah (55)" in words
    assert _typed(deal, "Th Jh Qh Kh Ah") == "take Th Jh Qh Kh Ah"


def _opened(**options: Any) -> Deal[Any]:
    """Seat 0 has opened with Th-Ah and seat 1 with four aces, one of them a joker; seat 0 has drawn."""
    deal = _deal(
        "Th Jh Qh Kh Ah 7s 7d 7c Qs Ks Jk 4d 4c 9h 2d",
        "As Ad Ac Jk 5s 6s 8s 3d 3c 9c 2c 5c 6c 8d 4s",
        stock="5d 6d Ah",
        **options,
    )
    for action in ["draw", "meld Th Jh Qh Kh Ah", "discard 5d", "draw", "meld As Ad Ac Jk=A", "discard 6d", "draw"]:
        deal.apply(action)
    return deal


def test_melds_cards_that_fit_and_swaps_are_offered_by_number() -> None:
    words = _words(_opened())
    assert "Meld 1, You: Th Jh Qh Kh Ah\nMeld 2, Budi: As Ad Ac Jk=A" in words
    assert "Cards in hand: You 11, Budi 11 (opened)" in words.replace("You 11 (opened)", "You 11")
    for expected in ["meld 7s 7d 7c Jk=7 (28)", "swap Ah in meld 2", "add Ah to meld 2", "add 9h to meld 1"]:
        assert expected in words


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("2d", "discard 2d"),
        ("discard 2d", "discard 2d"),
        ("7s 7d 7c", "meld 7s 7d 7c"),
        ("7c,7s,7d", "meld 7s 7d 7c"),
        ("meld 7♠ 7♦ 7♣", "meld 7s 7d 7c"),
        ("7s 7d 7c Jk", "meld 7s 7d 7c Jk=7"),
        ("9h 1", "add 9h m0"),
        ("9h meld 1", "add 9h m0"),
        ("add 9h to meld 1", "add 9h m0"),
        ("Add meld 1 9h", "add 9h m0"),
        ("add 9h to 1", "add 9h m0"),
        ("swap Ah in meld 2", "swap Ah m1"),
        ("swap ah 2", "swap Ah m1"),
        ("Jk 2", "add Jk=A m1"),
        ("add Jk to meld 1", "add Jk=9h m0"),
        # As records write it.
        ("9h m0", "add 9h m0"),
        ("add 9h to m0", "add 9h m0"),
        ("ADD m0 9h", "add 9h m0"),
        ("swap ah M1", "swap Ah m1"),
        ("swap Ah for m1", "swap Ah m1"),
        ("add Jk m1", "add Jk=A m1"),
        ("Jk m1", "add Jk=A m1"),
        ("add Jk m0", "add Jk=9h m0"),
        ("add jk=9h m0", "add Jk=9h m0"),
    ],
)
def test_a_turn_may_be_typed_in_many_ways(typed: str, action: str) -> None:
    deal = _opened()
    assert _typed(deal, typed) == action
    assert deal.is_legal(deal.parse(action))


@pytest.mark.parametrize("code", ["en", "id"])
def test_melds_are_called_alike_wherever_a_person_reads_of_them(code: str) -> None:
    deal = _opened()
    view = deal.view(0)
    screen = _screen(code)
    words = [*screen.table(view), *screen.listing(view), screen.say(screen.expected(view))]
    for action in ("add 9h m0", "swap Ah m1", "meld 7s 7d 7c"):
        for event in deal.apply(action):
            words += screen.event(event.seen_by(0), deal.view(0))
            words += KalukiScreen(Language(code), Style(), 1, {0: "Ana"}).event(event.seen_by(1), deal.view(1))
    text = "\n".join(words)
    assert re.search(r"\bm[0-9]", text) is None
    name = {"en": "meld", "id": "kombinasi"}[code]
    for number in (1, 2, 3):
        assert f"{name} {number}" in text.lower()


@pytest.mark.parametrize("code", ["en", "id"])
def test_every_offer_may_be_typed_as_it_is_written(code: str) -> None:
    view = _opened().view(0)
    screen = _screen(code)
    language = Language(code)
    offered = [choice for choice in screen.choices(view) if choice.action.verb in (ADD, SWAP)]
    assert {choice.action.verb for choice in offered} == {ADD, SWAP}
    for choice in offered:
        assert screen.parse(view, strict_text(language, choice.words)) == choice.action


def test_a_joker_with_a_choice_is_asked_about_by_numbers() -> None:
    deal = _opened()
    with pytest.raises(Question, match=r"^The joker can stand for more than one card\. Which one\?$") as caught:
        _typed(deal, "Qs Ks Jk")
    assert [choice.line for choice in caught.value.choices] == ["1) meld Qs Ks Jk=As (35)", "2) meld Jk=Js Qs Ks (30)"]
    assert [deal.text(choice.action) for choice in caught.value.choices] == ["meld Qs Ks Jk=As", "meld Jk=Js Qs Ks"]
    assert _typed(deal, "Qs Ks Jk=As") == "meld Qs Ks Jk=As"


def test_the_cards_a_joker_can_stand_for_are_drawn_as_all_others() -> None:
    deal = _deal("Jc Qc Jk 2d 4s 6h 8c Td Qs 3h 5c 7d 9s 2c 4h", opening="total", stock="6d")
    deal.apply("draw")
    screen = KalukiScreen(Language("en"), Style(signs=True), 0, _NAMES)
    with pytest.raises(Question) as caught:
        screen.parse(deal.view(0), "Jc Qc Jk")
    assert [choice.words for choice in caught.value.choices] == ["meld Jk=10♣ J♣ Q♣ (30)", "meld J♣ Q♣ Jk=K♣ (30)"]


def _played(folder: Path, deal: Deal[Any], lines: Sequence[str], *, signs: bool = False) -> str:
    """What is printed while seat 0 types ``lines`` in a deal that stands at its turn."""
    table = Table(deal.rules, ["random"], 1, "Ana")
    table.match.dealer = deal.dealer
    table.match.deal = deal
    target = io.StringIO()
    console = Console(io.StringIO("".join(line + "\n" for line in lines)), target)
    if signs:
        console.style = Style(signs=True)
    Loop(console, Language("en"), table, SCREENS, place=folder / "kept.meja").run()
    return target.getvalue()


def test_the_question_for_a_joker_is_answered_by_its_number(tmp_path: Path) -> None:
    deal = _opened()
    output = _played(tmp_path, deal, ["Qs Ks Jk", "2"])
    question = "The joker can stand for more than one card. Which one?\n"
    assert f"{question}1) meld Qs Ks Jk=As (35)\n2) meld Jk=Js Qs Ks (30)\n" in output
    assert "You lay meld 3: Jk=Js Qs Ks" in output


def test_a_number_that_was_not_asked_about_leaves_the_question_open(tmp_path: Path) -> None:
    output = _played(tmp_path, _opened(), ["Qs Ks Jk", "7", "1"])
    assert 'There is no number "7" here; expected: 1, 2.' in output
    assert "You lay meld 3: Qs Ks Jk=As" in output


def test_any_other_line_drops_the_question(tmp_path: Path) -> None:
    deal = _opened()
    output = _played(tmp_path, deal, ["Qs Ks Jk", "add 9h m0", "2"])
    assert "You add 9h to meld 1" in output
    # The second of the offers, not the second of what the joker can stand for.
    assert "You lay meld 3: 7s 7d 7c Jk=7" in output


def test_the_card_that_can_be_taken_is_named(tmp_path: Path) -> None:
    deal = _opened()
    for action in ["discard 9h", "draw", "discard 3d"]:
        deal.apply(action)
    assert "Draw a card:\n1) draw\n2) take 3d from the discard pile" in _words(deal)
    screen = KalukiScreen(Language("en"), Style(signs=True), 0, _NAMES)
    assert [choice.words for choice in screen.choices(deal.view(0))] == ["draw", "take 3♦ from the discard pile"]


@pytest.mark.parametrize("typed", ["take", "take 3d", "take 3♦", "TAKE 3D", "take 3d from the discard pile"])
def test_taking_may_be_typed_as_it_is_offered(typed: str) -> None:
    deal = _opened()
    for action in ["discard 9h", "draw", "discard 3d"]:
        deal.apply(action)
    assert _typed(deal, typed) == "take"
    assert deal.is_legal(deal.parse("take"))


def test_taking_another_card_than_the_top_one_is_not_taken_for_it() -> None:
    deal = _opened()
    for action in ["discard 9h", "draw", "discard 3d"]:
        deal.apply(action)
    move = _screen().parse(deal.view(0), "take 3c")
    assert deal.why_illegal(move) is not None


def test_the_card_that_was_drawn_is_told_once_and_not_again_after_each_meld(tmp_path: Path) -> None:
    deal = _opened()
    assert "You drew Ah." in _words(deal)
    deal.apply("add 9h m0")
    assert "You drew" not in _words(deal)
    output = _played(tmp_path, _opened(), ["add 9h m0", "7s 7d 7c"])
    assert output.count("You drew Ah.") == 1


@pytest.mark.parametrize("use", ["free", "must_use"])
def test_the_card_taken_is_told_once_or_until_it_is_laid_where_it_must_be(use: str) -> None:
    deal = _opened(discard_use=use)
    for action in ["discard 2d", "draw", "discard 4s", "take"]:
        deal.apply(action)
    assert "You took 4s." in _words(deal)
    deal.apply("add 9h m0")
    assert ("You took 4s." in _words(deal)) == (use == "must_use")
    deal.apply("meld 4s 4d 4c")
    assert "You took" not in _words(deal)


def test_a_joker_added_to_no_meld_is_refused_by_the_game() -> None:
    deal = _opened()
    reason = deal.why_illegal(_screen().parse(deal.view(0), "add Jk m7"))
    assert reason is not None
    assert reason.code == "no-such-meld"


@pytest.mark.parametrize(
    ("typed", "rule"),
    [
        ("open Qs Qs Qh Jk", "K5.8"),
        ("open 3c 4d 6s", "K5.8"),
        ("meld Ks Kd Kc + 8s 8d 8c", "K5.8"),
        ("open Ks Kd Kc + 8s 8d 8c", "K5.8"),
        ("Ks Kd Kc", "K5.1"),
        ("Ks 8s 5c", "K3.1"),
        ("meld Jk Jk Jk", "K3.8"),
        ("add 9h m0", "K5.5"),
        ("swap Jk m0", "K5.5"),
        ("swap Jk=9h m0", "K5.5"),
        ("discard As", "K4.1"),
        ("discard Jk=9h", "K4.1"),
        ("take", "K4.1"),
        ("draw", "K4.1"),
    ],
)
def test_what_can_be_understood_is_refused_with_its_rule(typed: str, rule: str) -> None:
    deal = _deal("Ks Kd Kc 8s 8d 8c Qs Qh 4s 6h 9d 2c 7s 5c Jd", stock="Qs")
    deal.apply("draw")
    reason = deal.why_illegal(_screen().parse(deal.view(0), typed))
    assert reason is not None
    assert reason.rule == rule or (rule == "K3.1" and reason.rule.startswith("K3."))


def test_one_meld_that_is_enough_may_be_opened_with_that_word() -> None:
    deal = _deal("Jh Qh Kh Ah 3c 4d 6s 8c 9d 2h 7s 5c 4s 6d 8s", stock="Th")
    deal.apply("draw")
    assert _typed(deal, "open Th Jh Qh Kh Ah") == "meld Th Jh Qh Kh Ah"


def test_before_the_draw_a_discard_is_refused_with_its_rule() -> None:
    deal = _deal("Jh Qh Kh Ah 3c 4d 6s 8c 9d 2h 7s 5c 4s 6d 8s")
    for typed in ("3c", "discard 3c", "3c m0"):
        reason = deal.why_illegal(_screen().parse(deal.view(0), typed))
        assert reason is not None
        assert reason.code == "draw-first"


def test_discards_have_no_numbers_of_their_own() -> None:
    deal = _deal("Ah Kc 2d 4s 6h 8c Td Qs 3h 5c 7d 9s Jh 2c 4h", stock="6d")
    deal.apply("draw")
    assert _screen().choices(deal.view(0)) == []
    assert _words(deal).endswith("\nType a card to discard it and end your turn.")


def test_a_swapped_joker_must_be_laid_and_the_table_says_so() -> None:
    deal = _opened()
    deal.apply("swap Ah m1")
    words = _words(deal)
    assert "The joker you swapped must be laid before you discard." in words
    assert "Type a card to discard it" not in words


def test_several_melds_that_open_together_are_suggested() -> None:
    deal = _deal("Ks Kd Kc 8s 8d 8c 3h 4s 6h 9d 2c 7s 5c Th Jd", stock="4h", opening="total")
    deal.apply("draw")
    words = _words(deal)
    assert "Your hand can do it: Ks Kd Kc + 8s 8d 8c, 54." in words
    assert "open Ks Kd Kc + 8s 8d 8c (54)" in words or "open 8s 8d 8c + Ks Kd Kc (54)" in words
    assert _typed(deal, "Ks Kd Kc + 8s 8d 8c") == "open Ks Kd Kc + 8s 8d 8c"


def test_only_what_is_public_is_told_of_a_draw() -> None:
    deal = _deal("Th Jh Qh Kh 3c 4d 6s 8c 9d 2h 7s 5c 4s 6d 8s", stock="5d")
    [event] = deal.apply("draw")
    # To the person the table says it, which follows at once.
    assert _screen().event(event.seen_by(0), deal.view(0)) == []
    assert "You drew 5d." in _words(deal)
    assert KalukiScreen(Language("en"), Style(), 1, {0: "Ayu"}).event(event.seen_by(1), deal.view(1)) == [
        "Ayu draws a card."
    ]


def test_a_long_legal_list_is_never_printed() -> None:
    deal = _deal("Jk Jk Jk Jk Ah Kh Qh Jh Th 9h 8h 7h 6h 5h 4h", stock="3h")
    deal.apply("draw")
    assert len(deal.legal_actions()) > 500
    assert len(_screen().choices(deal.view(0))) < 40
    assert "kombinasi" in _words(deal, "id")
