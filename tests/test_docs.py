"""The documentation is run, and says what is true."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import meja
import meja.testing
from meja.games import game, games
from meja.rules import value_text

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_on_the_page_do_what_they_say(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS)
    assert result.failed == 0
    assert ">>>" not in text or result.attempted > 0


def test_examples_in_the_docstrings_do_what_they_say() -> None:

    for module in (meja, meja.testing):
        assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("name", games())
def test_the_records_page_lists_every_option_with_its_values(name: str) -> None:
    table = (ROOT / "docs/records.md").read_text(encoding="utf-8").split("## Options")[1]
    for option in game(name).rules.options().values():
        row = re.search(rf"^\| {name} \| `{option.name}` \| (.*) \|$", table, re.MULTILINE)
        assert row is not None, option.name
        if not option.by_seats:
            assert row[1] == " ".join(f"`{value_text(value)}`" for value in option.choices)


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.id.md", ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_two_commands_stand_in_the_first_lines_of_both_readmes() -> None:
    for name in ("README.md", "README.id.md"):
        head = (ROOT / name).read_text(encoding="utf-8").splitlines()[:5]
        assert any("script/play" in line for line in head)
        assert any("script/test" in line for line in head)
