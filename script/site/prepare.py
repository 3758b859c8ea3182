"""Lay the pages of the site out in a folder: docs/, and what stands beside it in the repository.

python script/site/prepare.py FOLDER
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent.parent
#: What a page is called on the site, and in the repository.
BESIDE: Final = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md"}
SIGN: Final = ROOT / "src" / "meja" / "web" / "icons" / "icon.svg"


_LINK: Final = re.compile(r"\[([^\]]+)\]\((\.\./[^)#\s]+)\)")


def _within(page: Path, text: str) -> str:
    """The text of a page of docs/ with links to files of the repository that are no pages told in words."""

    def told(found: re.Match[str]) -> str:
        target = (page.parent / found[2]).resolve()
        if target.is_relative_to(ROOT / "docs") or not target.exists():
            return found[0]
        path = f"`{target.relative_to(ROOT).as_posix()}`"
        return path if found[1].strip("`") in path else f"{found[1]} ({path})"

    return _LINK.sub(told, text)


def prepare(folder: Path) -> None:
    """Make the folder anew; links between docs/ and the pages beside it lead where these stand on the site."""
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(ROOT / "docs", folder)
    shutil.copyfile(SIGN, folder / "images" / "icon.svg")
    for page in folder.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        for name, source in BESIDE.items():
            text = text.replace(f"](../{source})", f"]({name})")
        page.write_text(_within(ROOT / "docs" / page.relative_to(folder), text), encoding="utf-8")
    for name, source in BESIDE.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        (folder / name).write_text(re.sub(r"\]\(docs/", "](", text), encoding="utf-8")


if __name__ == "__main__":
    prepare(Path(sys.argv[1]))
