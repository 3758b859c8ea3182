"""The deck files: complete, small, harmless to any page that uses them, and what the drawings make."""

from __future__ import annotations

import ast
import gzip
import re
import struct
import subprocess
import sys
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from itertools import combinations
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from meja.cardart import DECKS, Deck, sprite
from meja.cardart.palette import PAPER
from meja.cards import RANKS, SUITS

ROOT = Path(__file__).parent.parent.parent
WEB = ROOT / "src" / "meja" / "web"
NAMES = [deck.name for deck in DECKS]
CARDS = [rank + suit for suit in SUITS for rank in RANKS]
DRAWINGS = [
    *(WEB / "cards" / f"{name}.svg" for name in NAMES),
    WEB / "cards" / "portraits.svg",
    WEB / "icons" / "icon.svg",
    WEB / "icons" / "icon-turn.svg",
]
#: What may stand in a file: shapes, and attributes that only say how a shape looks or where it is.
ELEMENTS = {"svg", "defs", "symbol", "g", "path", "rect", "circle", "use"}
ATTRIBUTES = {
    *("id", "href", "viewBox", "transform", "d", "x", "y", "width", "height", "rx", "cx", "cy", "r"),
    *("fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit"),
    *("stroke-dasharray", "stroke-dashoffset", "stroke-opacity", "opacity", "fill-rule"),
}


def root(path: Path) -> ElementTree.Element:
    return ElementTree.fromstring(path.read_text(encoding="utf-8"))


def deck_root(name: str) -> ElementTree.Element:
    return root(WEB / "cards" / f"{name}.svg")


@pytest.fixture
def script() -> ModuleType:
    loader = SourceFileLoader("cards_script", str(ROOT / "script" / "cards"))
    spec = spec_from_loader("cards_script", loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_there_is_a_french_and_a_four_colour_deck() -> None:
    assert {"french", "four-colour"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_card_is_there_exactly_once(name: str) -> None:
    tree = deck_root(name)
    ids = [element.attrib["id"] for element in tree.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))
    assert sorted(id for id in ids if not id.startswith("_")) == sorted([*CARDS, "Jk", "back", "back-b", "empty"])
    for symbol in tree.findall("{http://www.w3.org/2000/svg}symbol"):
        assert symbol.attrib["viewBox"] == "0 0 200 280"
        assert len(symbol) > 0


@pytest.mark.parametrize("name", NAMES)
def test_a_deck_is_light(name: str) -> None:
    data = (WEB / "cards" / f"{name}.svg").read_bytes()
    assert len(data) < 90_000
    assert len(gzip.compress(data, 9)) < 20_000


@pytest.mark.parametrize("path", DRAWINGS, ids=lambda path: path.name)
def test_a_file_has_shapes_only(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("http") == 1, "nothing but the namespace"
    assert "url(" not in text
    tree = root(path)
    ids = {element.attrib["id"] for element in tree.iter() if "id" in element.attrib}
    for element in tree.iter():
        assert element.tag.removeprefix("{http://www.w3.org/2000/svg}") in ELEMENTS
        assert not set(element.attrib) - ATTRIBUTES
        assert not (element.text or "").strip()
        if "href" in element.attrib:
            assert element.attrib["href"][1:] in ids
            assert element.attrib["href"][0] == "#"


@pytest.mark.parametrize("path", DRAWINGS, ids=lambda path: path.name)
def test_numbers_have_at_most_two_decimals(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"#[0-9a-f]{6}", "", text)
    assert not re.findall(r"\.\d{3,}|\de[-+]?\d", text)


def used(tree: ElementTree.Element, name: str) -> Iterator[ElementTree.Element]:
    """All that is drawn for an id, through every use."""
    by_id = {element.attrib["id"]: element for element in tree.iter() if "id" in element.attrib}
    for element in by_id[name].iter():
        yield element
        if "href" in element.attrib:
            yield from used(tree, element.attrib["href"][1:])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rank", "KQJ")
def test_courts_of_one_rank_differ_by_more_than_colour(name: str, rank: str) -> None:
    tree = deck_root(name)
    shapes = {
        suit: {element.attrib["d"] for element in used(tree, f"_{rank}{suit}-half") if "d" in element.attrib}
        for suit in SUITS
    }
    for one, other in combinations(SUITS, 2):
        assert len(shapes[one] - shapes[other]) >= 8, (one, other)


@pytest.mark.parametrize("name", NAMES)
def test_the_jokers_corner_has_no_rank_no_suit_and_no_colour_of_a_suit(name: str) -> None:
    tree = deck_root(name)
    signs = {f"#_{suit}" for suit in SUITS} | {f"#_{rank}" for rank in RANKS}
    assert not signs & {element.attrib.get("href") for element in used(tree, "Jk")}
    corner = list(used(tree, "_Jk-index"))
    colours = {element.attrib[paint] for element in corner for paint in ("fill", "stroke") if paint in element.attrib}
    assert len(colours - {"none"}) == 1
    assert not colours & {colour for deck in DECKS for colour in deck.colour.values()}


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.name)
def test_suits_stand_out_from_the_paper(deck: Deck) -> None:
    for suit in SUITS:
        assert (luminance(PAPER) + 0.05) / (luminance(deck.colour[suit]) + 0.05) >= 4.5


def test_the_four_colour_deck_has_four_colours_and_the_french_deck_two() -> None:
    french, four = (next(deck for deck in DECKS if deck.name == name) for name in ("french", "four-colour"))
    assert french.colour["s"] == french.colour["c"] != french.colour["h"] == french.colour["d"]
    assert len(set(four.colour.values())) == 4


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.name)
def test_the_same_drawing_makes_the_same_bytes(deck: Deck) -> None:
    program = (
        "import sys; from meja.cardart import DECKS, sprite;"
        f"sys.stdout.write(next(sprite(deck) for deck in DECKS if deck.name == {deck.name!r}))"
    )
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, check=True, env={"PYTHONHASHSEED": seed}
        )
        assert run.stdout.decode() == sprite(deck)


def test_the_files_are_up_to_date() -> None:
    run = subprocess.run(
        [sys.executable, str(ROOT / "script" / "cards"), "--check"], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "the cards are up to date\n")


def test_the_check_finds_a_file_that_is_missing_or_changed(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(script, "ROOT", tmp_path)
    monkeypatch.setattr(script, "WEB", tmp_path / "web")
    monkeypatch.setattr(sys, "argv", ["cards", "--check"])
    assert script.main() == 1
    assert capsys.readouterr().err.count("is not up to date") == len(DRAWINGS)
    monkeypatch.setattr(sys, "argv", ["cards"])
    assert script.main() == 0
    monkeypatch.setattr(sys, "argv", ["cards", "--check"])
    assert script.main() == 0
    deck = tmp_path / "web" / "cards" / "french.svg"
    deck.write_text(deck.read_text(encoding="utf-8").replace("#c9142f", "#c9142e", 1), encoding="utf-8")
    capsys.readouterr()
    assert script.main() == 1
    assert capsys.readouterr().err == "web/cards/french.svg is not up to date: run script/cards\n"
    monkeypatch.setattr(sys, "argv", ["cards", "--help"])
    assert script.main() == 2


def test_the_icons_differ_by_the_dot() -> None:
    plain, turn = (root(WEB / "icons" / f"{name}.svg") for name in ("icon", "icon-turn"))
    extra = [element for element in list(turn) if ElementTree.tostring(element) not in map(ElementTree.tostring, plain)]
    assert len(extra) == len(list(turn)) - len(list(plain)) == 1
    assert extra[0].tag.endswith("circle")


@pytest.mark.parametrize("side", [192, 512])
def test_the_icons_of_pixels_have_their_size(side: int) -> None:
    data = (WEB / "icons" / f"icon-{side}.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (side, side)


def test_the_drawings_need_the_names_of_cards_and_the_standard_library_only() -> None:
    for path in (ROOT / "src/meja/cardart").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in names:
                assert (
                    name.split(".")[0] in sys.stdlib_module_names
                    or name == "meja.cards"
                    or f"{name}.".startswith("meja.cardart.")
                ), f"{path.name}: {name}"
