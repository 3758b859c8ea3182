"""Check a site that was built: every link and picture leads somewhere, and nothing is asked of anybody else.

    python script/site/links.py SITE

Prints one line per fault and ends with 1 if there is any. Links to other sites are not followed.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Elements that load what they name, and the attribute that names it; a link of these kinds does too.
LOADS = {"img": "src", "script": "src", "iframe": "src", "source": "src", "use": "href", "object": "data"}
LOADED = {"stylesheet", "icon", "preload", "modulepreload", "preconnect", "dns-prefetch", "manifest"}


class Page(HTMLParser):
    """The ids of a page, where it links to, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element tells."""
        values = {name: value or "" for name, value in attrs}
        self.ids |= {values[name] for name in ("id", "name") if name in values}
        if tag in LOADS and LOADS[tag] in values:
            self.loads.append(values[LOADS[tag]])
        elif tag == "link" and LOADED & set(values.get("rel", "").split()):
            self.loads.append(values.get("href", ""))
        elif tag == "a" and "href" in values:
            self.links.append(values["href"])


def faults(site: Path) -> list[str]:
    """One line per fault of the site in that folder."""
    site = site.resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    found = [] if pages else [f"{site}: no pages"]
    for path, page in pages.items():
        name = path.relative_to(site)
        for link in dict.fromkeys([*page.links, *page.loads]):
            parts = urlsplit(link)
            if parts.scheme == "data":
                continue
            if parts.scheme or parts.netloc:
                if link in page.loads:
                    found.append(f"{name}: loads {link} from elsewhere")
                continue
            base = site if parts.path.startswith("/") else path.parent
            target = (base / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.is_relative_to(site) or not target.exists():
                found.append(f"{name}: {link} leads nowhere")
            elif parts.fragment and target in pages and not _has(pages[target], unquote(parts.fragment)):
                found.append(f"{name}: {link} has no such place")
    for path in sorted(site.rglob("*.css")):
        for address in re.findall(r"(?:url\(|@import\s)\s*[\"']?((?:https?:)?//[^\"')\s]+)", path.read_text("utf-8")):
            found.append(f"{path.relative_to(site)}: loads {address} from elsewhere")
    return found


def _has(page: Page, fragment: str) -> bool:
    # Names that begin with two underscores belong to the theme's own switches.
    return fragment in page.ids or fragment.startswith("__")


if __name__ == "__main__":
    lines = faults(Path(sys.argv[1]))
    print("\n".join(lines), end="\n" if lines else "")
    sys.exit(1 if lines else 0)
