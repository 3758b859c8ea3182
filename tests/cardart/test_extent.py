"""Where things are on the cards, measured from the bytes of the files alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from math import atan2, cos, hypot, pi, radians, sin, sqrt
from pathlib import Path
from xml.etree import ElementTree

import pytest

from meja import cardart
from meja.cards import RANKS, SUITS

ROOT = Path(__file__).parent.parent.parent
DECKS = tuple(deck.name for deck in cardart.DECKS)
WIDTH, HEIGHT = 200, 280
CARDS = [rank + suit for suit in SUITS for rank in RANKS]

Point = tuple[float, float]
#: a c e / b d f of an SVG transform.
Matrix = tuple[float, float, float, float, float, float]
#: Left, top, right, bottom.
Box = tuple[float, float, float, float]

NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
NEEDS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "A": 7, "Z": 0}


@cache
def parts(deck: str) -> dict[str, ElementTree.Element]:
    """Everything in a deck's file that has an id, by the id."""
    root = ElementTree.parse(ROOT / "src/meja/web/cards" / f"{deck}.svg").getroot()
    return {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}


def times(m: Matrix, n: Matrix) -> Matrix:
    return (
        m[0] * n[0] + m[2] * n[1],
        m[1] * n[0] + m[3] * n[1],
        m[0] * n[2] + m[2] * n[3],
        m[1] * n[2] + m[3] * n[3],
        m[0] * n[4] + m[2] * n[5] + m[4],
        m[1] * n[4] + m[3] * n[5] + m[5],
    )


def numbers(text: str) -> list[float]:
    return [float(value) for value in NUMBER.findall(text)]


def transform(text: str) -> Matrix:
    m: Matrix = (1, 0, 0, 1, 0, 0)
    for name, values in re.findall(r"(\w+)\(([^)]*)\)", text):
        v = numbers(values)
        if name == "translate":
            m = times(m, (1, 0, 0, 1, v[0], v[1] if v[1:] else 0))
        elif name == "scale":
            m = times(m, (v[0], 0, 0, v[-1], 0, 0))
        else:
            assert name == "rotate"
            c, s = cos(radians(v[0])), sin(radians(v[0]))
            x, y = v[1:] or (0, 0)
            m = times(m, (c, s, -s, c, x - c * x + s * y, y - s * x - c * y))
    return m


def arc(p: Point, q: Point, r: float, large: bool, sweep: bool) -> Iterator[Point]:
    """Points on a circular arc from p to q."""
    dx, dy = (q[0] - p[0]) / 2, (q[1] - p[1]) / 2
    half = hypot(dx, dy)
    away = sqrt(max(0.0, r * r - half * half)) / half * (-1 if large == sweep else 1)
    x, y = p[0] + dx - dy * away, p[1] + dy + dx * away
    start, end = atan2(p[1] - y, p[0] - x), atan2(q[1] - y, q[0] - x)
    if sweep and end < start:
        end += 2 * pi
    if not sweep and end > start:
        end -= 2 * pi
    radius = hypot(p[0] - x, p[1] - y)
    for i in range(25):
        angle = start + (end - start) * i / 24
        yield x + radius * cos(angle), y + radius * sin(angle)


def curve(ends: list[Point]) -> Iterator[Point]:
    """Points on a Bézier curve, by de Casteljau."""
    for i in range(13):
        t = i / 12
        row = ends
        while len(row) > 1:
            row = [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for a, b in pairwise(row)]
        yield row[0]


def along(d: str) -> list[Point]:
    """Points that path data goes through."""
    points: list[Point] = []
    x = y = 0.0
    start = (0.0, 0.0)
    for letter, text in re.findall(r"([A-Za-z])([^A-Za-z]*)", d):
        values, kind = numbers(text), letter.upper()
        need = NEEDS[kind]
        if need == 0:
            x, y = start
            continue
        assert len(values) % need == 0, d
        for i in range(0, len(values), need):
            v = values[i : i + need]
            ox, oy = (x, y) if letter.islower() else (0.0, 0.0)
            if kind == "H":
                goal = (ox + v[0], y)
            elif kind == "V":
                goal = (x, oy + v[0])
            else:
                goal = (ox + v[-2], oy + v[-1])
            if kind == "A":
                points += arc((x, y), goal, v[0], bool(v[3]), bool(v[4]))
            elif kind in "CQ":
                handles = [(ox + v[k], oy + v[k + 1]) for k in range(0, need - 2, 2)]
                points += curve([(x, y), *handles, goal])
            x, y = goal
            points.append(goal)
            if kind == "M" and i == 0:
                start = goal
    return points


def drawn(deck: str, element: ElementTree.Element, m: Matrix, stroke: float, line: str) -> Iterator[Box]:
    """The boxes of all that is drawn in an element; a stroke reaches half its width beyond its line."""
    a = element.attrib
    if "transform" in a:
        m = times(m, transform(a["transform"]))
    stroke, line = float(a.get("stroke-width", stroke)), a.get("stroke", line)
    tag = element.tag.split("}")[1]
    points: list[Point] = []
    if tag == "use":
        shift = times(m, (1, 0, 0, 1, float(a.get("x", 0)), float(a.get("y", 0))))
        yield from drawn(deck, parts(deck)[a["href"][1:]], shift, stroke, line)
    elif tag == "path":
        points = along(a["d"])
    elif tag == "circle":
        x, y, r = float(a.get("cx", 0)), float(a.get("cy", 0)), float(a["r"])
        points = [(x - r, y - r), (x + r, y - r), (x - r, y + r), (x + r, y + r)]
    elif tag == "rect":
        x, y, w, h = (float(a[name]) for name in ("x", "y", "width", "height"))
        points = [(x, y), (x + w, y), (x, y + h), (x + w, y + h)]
    else:
        for child in element:
            yield from drawn(deck, child, m, stroke, line)
    if points:
        more = 0 if line == "none" else stroke / 2
        around = [(x + i * more, y + j * more) for x, y in points for i in (-1, 1) for j in (-1, 1)]
        placed = [(m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]) for x, y in around]
        xs, ys = [x for x, _ in placed], [y for _, y in placed]
        yield min(xs), min(ys), max(xs), max(ys)


def boxes(deck: str, element: ElementTree.Element) -> list[Box]:
    return list(drawn(deck, element, (1, 0, 0, 1, 0, 0), 1, "none"))


def half(deck: str, card: str) -> ElementTree.Element:
    """What a card has in its upper half: its first two parts are rank and suit of the corner."""
    element = parts(deck)[f"_{card}"]
    assert element in list(parts(deck)[card].iter())
    return element


def corner(deck: str, card: str) -> list[Box]:
    """The boxes of the rank (drawn with a stroke) and, last, of the suit."""
    rank, suit = list(half(deck, card))[:2]
    return [*drawn(deck, rank, (1, 0, 0, 1, 0, 0), 1, "the suit's colour"), *boxes(deck, suit)]


def test_the_ruler_measures_a_ring_a_curve_and_a_turned_arc() -> None:
    ring = along("M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z")
    assert min(y for _, y in ring) == pytest.approx(-5)
    assert max(y for _, y in ring) == pytest.approx(5)
    over, under = along("M-5 0A5 5 0 0 1 5 0"), along("M-5 0A5 5 0 0 0 5 0")
    assert min(y for _, y in over) == pytest.approx(-5)
    assert max(y for _, y in under) == pytest.approx(5)
    assert max(y for _, y in along("M0 0C0 4 4 4 4 0")) == pytest.approx(3)
    three_quarters = along("M0-5A5 5 0 1 1-5 0")
    assert max(x for x, _ in three_quarters) == pytest.approx(5)
    assert max(y for _, y in three_quarters) == pytest.approx(5)


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("card", CARDS)
def test_rank_and_suit_can_be_read_in_the_left_28_hundredths_of_a_fanned_card(deck: str, card: str) -> None:
    left, top, right, bottom = zip(*corner(deck, card), strict=True)
    assert min(left) > 2
    assert min(top) > 4
    assert max(right) <= 0.28 * WIDTH
    assert max(bottom) < HEIGHT / 2


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("rank", RANKS)
def test_rank_and_suit_are_large(deck: str, rank: str) -> None:
    """At 40 pixels of width a rank is at least 10 pixels high, and a suit sign 7."""
    for suit in SUITS:
        boxes_of_corner = corner(deck, rank + suit)
        ranks, signs = boxes_of_corner[:-1], boxes_of_corner[-1]
        assert max(box[3] for box in ranks) - min(box[1] for box in ranks) >= 50
        assert signs[3] - signs[1] >= 35


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("card", [card for card in CARDS if card[0] not in "AKQJ"])
def test_pips_stay_clear_of_the_corners_and_of_each_other(deck: str, card: str) -> None:
    edge = max(box[2] for box in corner(deck, card))
    pips = pips_of(deck, card)
    assert min(x for x, _ in pips) - 37 * 0.47 > edge + 4
    assert max(x for x, _ in pips) + 37 * 0.47 < WIDTH - edge - 4
    for i, (x, y) in enumerate(pips):
        for u, v in pips[:i]:
            assert hypot(x - u, y - v) > 37


def pips_of(deck: str, card: str) -> list[Point]:
    """The middles of the signs on a pip card, upright and turned."""
    suit = card[1]
    upper = [(float(u.attrib["x"]), float(u.attrib["y"])) for u in list(half(deck, card))[2:]]
    turned = [(WIDTH - x, HEIGHT - y) for x, y in upper]
    face = parts(deck)[card]
    inside = set(half(deck, card).iter())
    once = [
        (float(u.attrib["x"]), float(u.attrib["y"]))
        for u in face.iter()
        if u.attrib.get("href") == f"#_{suit}-pip" and u not in inside
    ]
    assert all(y < HEIGHT / 2 for _, y in upper)
    return upper + once + turned


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("card", [card for card in CARDS if card[0] not in "AKQJ"])
def test_a_pip_card_has_as_many_signs_as_its_rank_says(deck: str, card: str) -> None:
    pips = pips_of(deck, card)
    assert len(set(pips)) == len(pips) == RANKS.index(card[0]) + 2
    assert {(WIDTH - x, y) for x, y in pips} == set(pips), "left and right are alike"
    if card[0] != "7":
        assert {(WIDTH - x, HEIGHT - y) for x, y in pips} == set(pips), "both ways up are alike"


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("card", [*CARDS, "Jk", "back", "back-b", "empty"])
def test_nothing_is_drawn_beyond_the_card(deck: str, card: str) -> None:
    for left, top, right, bottom in boxes(deck, parts(deck)[card]):
        assert left >= 0
        assert top >= 0
        assert right <= WIDTH
        assert bottom <= HEIGHT
