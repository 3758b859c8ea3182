"""What notebooks show: whole, escaped, alone, and never a card that the seat may not see."""

from __future__ import annotations

import base64
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Container
from html.parser import HTMLParser
from typing import Any, Final

import pytest

import meja
from meja.arena import play_match
from meja.bots import Budget, make_bot
from meja.cards import JOKER, UNKNOWN, card_text
from meja.errors import CardTextError
from meja.games import games
from meja.notebook import Cards, html
from meja.notebook.pictures import sign
from meja.record import DealRecord, Record

VOID: Final = {"img"}


class Page(HTMLParser):
    """The elements of an output, with what is not well nested as an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text: list[str] = []
        self.images: list[dict[str, str | None]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag == "img":
            self.images.append(dict(attrs))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.text.append(data)

    def svgs(self) -> list[ET.Element]:
        """The pictures, read as XML."""
        return [ET.fromstring(base64.b64decode(str(image["src"]).partition(",")[2])) for image in self.images]


def drawn(svg: ET.Element) -> list[str]:
    """What a picture draws, from left to right."""
    return [str(use.get("href"))[1:] for use in svg if use.tag.endswith("use")]


def played(name: str, actions: int, seed: int = 5, **options: Any) -> meja.Match:
    """A match some actions after its start."""
    match = meja.new_match(meja.make_rules(name, **options))
    deal = match.next_deal(meja.Rng(seed))
    bot = make_bot("rules-of-thumb", name)
    for _ in range(actions):
        if deal.to_act is None:
            break
        match.apply(bot.act(deal.view(deal.to_act), Budget(seed=seed)))
    return match


def at(name: str, actions: int, seed: int = 5, **options: Any) -> Any:
    match = played(name, actions, seed, **options)
    return match.deal if match.deal is not None else match.deals[-1]


def shown(thing: Any) -> str:
    text = thing._repr_html_()
    assert isinstance(text, str)
    return text


def everything() -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = [("cards", Cards("As Td Jk 2c")), ("no cards", Cards(""))]
    for name in games():
        for actions in (0, 9, 400):
            match = played(name, actions)
            deal = match.deal if match.deal is not None else match.deals[-1]
            found += [(f"{name} match {actions}", match), (f"{name} deal {actions}", deal)]
            found += [(f"{name} view {seat} {actions}", deal.view(seat)) for seat in (1, None)]
        found.append((f"{name} fresh match", meja.new_match(name)))
        found.append((f"{name} unfinished record", Record.of_match(played(name, 7))))
        found.append((f"{name} empty record", Record.of_match(meja.new_match(name))))
        for preset in meja.game(name).rules.presets:
            found.append((f"{name} rules {preset}", meja.make_rules(name, preset=preset)))
    found.append(("record", play_match(meja.make_rules("smear", 2), ["random", "rules-of-thumb"], seed=1)))
    return found


EVERYTHING: Final = everything()
ALL: Final = pytest.mark.parametrize("thing", [pytest.param(thing, id=name) for name, thing in EVERYTHING])


@ALL
def test_an_output_is_well_formed_and_needs_nothing_else(thing: Any) -> None:
    page = Page(shown(thing))
    assert not {"script", "link", "iframe", "object"} & set(page.tags)
    names = {name for name, _ in page.attributes}
    # No ids: nothing can clash with another output of the same page.
    assert "id" not in names
    assert not {name for name in names if name.startswith("on") or name == "href"}
    for image in page.images:
        assert str(image["src"]).startswith("data:image/svg+xml;base64,")
        assert image["alt"]
    assert "url(" not in shown(thing)
    assert "@import" not in shown(thing)


@ALL
def test_the_pictures_hold_all_that_they_draw(thing: Any) -> None:
    for svg in Page(shown(thing)).svgs():
        ids = [element.get("id") for element in svg.iter() if element.get("id")]
        assert len(ids) == len(set(ids))
        for element in svg.iter():
            href = element.get("href")
            assert href is None or (href[0] == "#" and href[1:] in ids)


@ALL
def test_outputs_are_the_same_every_time_and_not_large(thing: Any) -> None:
    assert shown(thing) == shown(thing)
    assert len(shown(thing)) < 250_000


def visible(page: Page) -> set[str]:
    """All cards that stand anywhere in an output, drawn or written."""
    found = {name for svg in page.svgs() for name in drawn(svg)}
    words = " ".join(page.text)
    found |= {card_text(card) for card in (*range(52), JOKER) if re.search(rf"(?<!\w){card_text(card)}(?!\w)", words)}
    found |= {card_text(card) for card in range(52) if re.search(rf"(?<![\w]){sign(card)}", words)}
    return found - {"back"}


@pytest.mark.parametrize("name", ["bassadewitz", "calabresella", "smear"])
@pytest.mark.parametrize("actions", [0, 3, 5, 11, 20])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_view_shows_no_card_that_the_seat_does_not_know(name: str, actions: int, seed: int) -> None:
    deal = at(name, actions, seed)
    for seat in (*range(deal.rules.seats), None):
        unseen = {card_text(card) for card in deal.unseen(seat)}
        page = Page(shown(deal.view(seat)))
        # A called card may be in any hand; everybody knows its name.
        called = {text.split()[-1] for text in page.text if re.match(r"\d call ", text)}
        said = {card_text(deal.called)} if getattr(deal, "called", 255) < 52 else set()
        assert not (visible(page) & unseen) - called - said


@pytest.mark.parametrize("name", games())
@pytest.mark.parametrize("actions", [1, 9, 27])
def test_a_view_looks_the_same_in_every_deal_that_agrees_with_it(name: str, actions: int) -> None:
    deal = at(name, actions, 4)
    for seat in (*range(deal.rules.seats), None):
        view = deal.view(seat)
        for number in range(2):
            world = view.determinize(meja.Rng(number))
            assert shown(world.view(seat)) == shown(view)


@pytest.mark.parametrize("name", games())
def test_a_view_shows_ones_own_hand_and_the_backs_of_the_others(name: str) -> None:
    deal = at(name, 6)
    for seat in range(deal.rules.seats):
        pictures = [drawn(svg) for svg in Page(shown(deal.view(seat))).svgs()]
        assert [card_text(card) for card in deal.view(seat).hand] in pictures
        for other in range(deal.rules.seats):
            if other != seat:
                assert ["back"] * deal.view(None).hand_sizes[other] in pictures


@pytest.mark.parametrize("name", games())
def test_a_deal_shows_every_hand(name: str) -> None:
    deal = at(name, 6)
    pictures = [drawn(svg) for svg in Page(shown(deal)).svgs()]
    for seat in range(deal.rules.seats):
        assert [card_text(card) for card in deal.view(seat).hand] in pictures


def test_a_deal_that_is_over_shows_the_hands_as_dealt_and_the_score_sheet() -> None:
    deal = at("bassadewitz", 100)
    page = Page(shown(deal))
    pictures = [drawn(svg) for svg in page.svgs()]
    assert all([card_text(card) for card in hand] in pictures for hand in deal.layout().hands)
    for line in deal.score_sheet():
        assert line.rule in page.text


def test_cards_that_may_be_played_are_raised() -> None:
    # Seat 3 must follow clubs: two of its six cards.
    view = at("bassadewitz", 9).view(3)
    assert len(view.legal) < len(view.hand)
    hand = next(svg for svg in Page(shown(view)).svgs() if drawn(svg) == [card_text(card) for card in view.hand])
    raised = [use.get("href") for use in hand if use.tag.endswith("use") and use.get("y") == "0"]
    assert sorted(str(href)[1:] for href in raised) == sorted(view.text(action).split()[1] for action in view.legal)


def test_names_are_escaped() -> None:
    evil = '<script>alert("x")</script>\'&'
    match = meja.new_match("smear", 2, players=[evil, "Ayu"])
    match.next_deal(meja.Rng(1))
    for thing in (match, Record.of_match(match)):
        text = shown(thing)
        assert "<script" not in text
        assert evil in " ".join(Page(text).text)


def test_the_language_is_that_of_the_player(monkeypatch: pytest.MonkeyPatch) -> None:
    view = at("smear", 7).view(0)
    assert "dealer" in shown(view)
    english = shown(meja.make_rules("smear"))
    monkeypatch.setenv("MEJA_LANG", "id")
    assert "kursi" in shown(view).lower()
    assert shown(meja.make_rules("smear")) != english


def test_what_is_not_ours_is_left_to_the_notebook() -> None:
    assert html(3) is None
    assert html("As") is None
    assert html([1, 2]) is None


@pytest.mark.parametrize("name", games())
def test_rules_show_what_differs_before_what_does_not(name: str) -> None:
    made = meja.game(name).rules
    for option in made.options().values():
        value = next((choice for choice in option.choices if choice != option.default), None)
        if value is None:
            continue
        try:
            rules = made.of_options(made.default_seats, "standard", {option.name: value})
        except meja.RulesError:
            continue
        head = shown(rules).split("<details>")[0]
        assert f">{option.name}</code>" in head
    assert all(f">{option}</code>" in shown(meja.make_rules(name)) for option in made.options())


# -- cards ------------------------------------------------------------------------


def test_cards_are_a_sequence() -> None:
    cards = Cards("As Td  10c Jk")
    assert len(cards) == 4
    assert list(cards) == [12, 34, 47, JOKER]
    anything: Container[object] = cards
    assert "as" in anything
    assert 12 in anything
    assert "2s" not in anything
    assert cards[1:] == Cards("Td Tc Jk")
    assert str(cards) == "As Td Tc Jk"
    assert eval(repr(cards), {"Cards": Cards}) == cards
    assert cards.texts == ("As", "Td", "Tc", "Jk")
    assert hash(cards) == hash(Cards([12, 34, 47, JOKER]))


@pytest.mark.parametrize("wrong", ["1s", "As,", [99], [-1], [True], ["As"], [53]])
def test_what_is_no_card_is_refused(wrong: Any) -> None:
    with pytest.raises(CardTextError):
        Cards(wrong)


def test_a_card_that_is_not_known_shows_its_back() -> None:
    (svg,) = Page(shown(Cards([UNKNOWN, 12]))).svgs()
    assert drawn(svg) == ["back", "As"]


def test_a_picture_stands_for_itself_and_its_ids_clash_with_no_other() -> None:
    one, other = Cards("As Ks"), Cards("As Qs")
    ids = [{element.get("id") for element in ET.fromstring(cards.svg()).iter()} - {None} for cards in (one, other)]
    assert ids[0]
    assert not ids[0] & ids[1]
    assert "A♠ K♠" in one.svg()
    assert one._repr_svg_() == one.svg() != one.svg(apart=True)


# -- len, iter, in ----------------------------------------------------------------


def test_a_record_is_a_sequence_of_deals_and_a_deal_one_of_actions() -> None:
    record = play_match(meja.make_rules("smear", 2), ["random", "random"], seed=1)
    assert len(record) == len(record.deals)
    assert list(record) == list(record.deals)
    assert record.deals[0] in record
    assert list(record.deals[0]) == list(record.deals[0].actions)
    assert len(record.deals[0]) == len(record.deals[0].actions)
    assert record.deals[0].actions[0] in record.deals[0]


def test_a_match_goes_through_its_deals_the_one_in_progress_too() -> None:
    match = meja.new_match("smear", 2)
    assert len(match) == 0
    assert list(match) == []
    deal = match.next_deal(meja.Rng(1))
    assert list(match) == [deal]
    assert len(match) == 1
    assert deal in match


def test_what_is_empty_is_there_all_the_same() -> None:
    match = meja.new_match("smear", 2)
    assert match
    assert Record.of_match(match)
    match.next_deal(meja.Rng(1))
    assert DealRecord.of_deal(next(iter(match)))


# -- rooms ------------------------------------------------------------------------


def test_drawing_is_loaded_when_something_is_shown_and_not_before() -> None:
    code = (
        "import sys, meja, meja.record; match = meja.new_match('smear'); assert 'meja.notebook' not in sys.modules; "
        "assert 'meja.cardart' not in sys.modules; match._repr_html_(); assert 'meja.notebook' in sys.modules; "
        "assert 'numpy' not in sys.modules and 'IPython' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_notebook_finds_the_pictures() -> None:
    formatters = pytest.importorskip("IPython.core.formatters")
    data, _ = formatters.DisplayFormatter().format(at("kaluki", 3).view(0))
    assert data["text/html"].startswith('<div class="meja')
    assert "kaluki" in data["text/plain"]
