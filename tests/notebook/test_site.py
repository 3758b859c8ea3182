"""What is checked of the documentation as a site."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

LINKS = Path(__file__).parent.parent.parent / "script" / "site" / "links.py"


def check(site: Path, **pages: str) -> tuple[int, list[str]]:
    for name, text in pages.items():
        (site / name.replace("_", ".")).write_text(text)
    run = subprocess.run([sys.executable, str(LINKS), str(site)], capture_output=True, text=True, check=False)
    return run.returncode, run.stdout.splitlines()


def test_a_site_whose_links_lead_somewhere_passes(tmp_path: Path) -> None:
    one = '<h1 id="top"><a href="b.html#place">b</a><a href="#top">t</a><a href="https://else.example/x">x</a>'
    assert check(tmp_path, a_html=one, b_html='<img src="data:,"><p id="place"><a href="/a.html">a</a>') == (0, [])


def test_what_leads_nowhere_is_named(tmp_path: Path) -> None:
    code, lines = check(tmp_path, a_html='<a href="c.html"></a><a href="#no"></a><img src="no.png"><a href="../x"></a>')
    assert code == 1
    assert lines == [
        "a.html: c.html leads nowhere",
        "a.html: #no has no such place",
        "a.html: ../x leads nowhere",
        "a.html: no.png leads nowhere",
    ]


def test_what_is_loaded_from_elsewhere_is_named(tmp_path: Path) -> None:
    page = (
        '<link rel="stylesheet" href="https://a.example/x.css"><script src="//b.example/x.js"></script>'
        '<link rel="preconnect" href="https://c.example">'
    )
    code, lines = check(tmp_path, a_html=page, x_css="@import url(https://d.example/y); p{src:url('//e.example/f')}")
    assert code == 1
    assert len(lines) == 5
    assert all("from elsewhere" in line for line in lines)


def test_no_site_is_a_fault(tmp_path: Path) -> None:
    assert check(tmp_path)[0] == 1


def test_every_page_stands_in_the_navigation() -> None:
    root = LINKS.parent.parent.parent
    navigation = (root / "mkdocs.yml").read_text(encoding="utf-8").split("\nnav:\n")[1]
    pages = {path.relative_to(root / "docs").as_posix() for path in (root / "docs").rglob("*.md")}
    assert {page for page in pages if f" {page}\n" not in navigation} == set()
