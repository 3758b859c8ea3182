"""The bots' portraits: one for each name, told apart by more than colour, and light."""

from __future__ import annotations

import gzip
from itertools import combinations
from xml.etree import ElementTree

from meja.bots import LEVELS
from meja.cardart.portraits import NAMES, portraits

_SVG = "{http://www.w3.org/2000/svg}"


def symbols() -> dict[str, ElementTree.Element]:
    return {one.attrib["id"]: one for one in ElementTree.fromstring(portraits()).findall(f"{_SVG}symbol")}


def pips(symbol: ElementTree.Element) -> int:
    return sum(circle.attrib["fill"] == "#ffe9a8" for circle in symbol.iter(f"{_SVG}circle"))


def test_every_level_has_names_for_a_whole_table_and_no_name_is_there_twice() -> None:
    assert list(NAMES) == [level.name for level in LEVELS]
    every = [name for names in NAMES.values() for name in names]
    assert len(set(every)) == len(every)
    assert all(len(names) >= 4 for names in NAMES.values())


def test_every_name_has_a_portrait_whose_pips_tell_the_level() -> None:
    found = symbols()
    assert sorted(found) == sorted(name.lower() for names in NAMES.values() for name in names)
    for count, names in enumerate(NAMES.values(), start=1):
        for name in names:
            assert found[name.lower()].attrib["viewBox"] == "0 0 96 96"
            assert pips(found[name.lower()]) == count


def test_no_two_portraits_have_the_same_shapes() -> None:
    shapes = {
        name: tuple(
            (part.tag, part.attrib.get("d"), part.attrib.get("cx"), part.attrib.get("rx")) for part in symbol.iter()
        )
        for name, symbol in symbols().items()
    }
    for one, other in combinations(shapes, 2):
        assert shapes[one] != shapes[other], (one, other)


def test_the_portraits_are_light() -> None:
    assert len(gzip.compress(portraits().encode(), 9)) < 5_000
