"""The tutorials are run, block by block, and what they print is what they say."""

from __future__ import annotations

import doctest
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from sybil import Document, Example
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser

PAGES: Final = Path(__file__).parent.parent.parent / "docs" / "tutorials"
#: What training takes the fewest deals from that show whether anything was learned.
FEW: Final = 2560


def command(example: Example) -> None:
    """Run a block of the shell, one command per line; only ``meja`` is known."""
    for line in example.parsed.splitlines():
        words = shlex.split(line)
        assert words[0] == "meja", line
        subprocess.run([sys.executable, "-m", "meja.cli", *words[1:]], check=True, capture_output=True)


PARSERS: Final = (
    PythonCodeBlockParser(doctest_optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE),
    CodeBlockParser("sh", command),
)


@pytest.mark.parametrize("page", sorted(path.name for path in PAGES.glob("*.md") if path.name != "README.md"))
def test_a_tutorial_does_what_it_says(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, long: bool) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    document = Document.parse(str(PAGES / page), *PARSERS)
    document.namespace["shorter"] = lambda deals: deals if long else min(deals, FEW)
    blocks = 0
    for example in document.examples():
        example.evaluate()
        blocks += 1
    assert blocks > 1
    assert os.listdir(tmp_path) or page == "deal.md"


def test_all_tutorials_are_listed() -> None:
    listed = (PAGES / "README.md").read_text(encoding="utf-8")
    assert all(f"({path.name})" in listed for path in PAGES.glob("*.md") if path.name != "README.md")
