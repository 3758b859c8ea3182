"""The files of the browser app: read once, named by one hash of all of them, sent compressed."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import mimetypes
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from meja.language import LANGUAGES

WEB: Final = Path(__file__).resolve().parent.parent / "web"
_TYPES: Final = {
    ".mjs": "text/javascript; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".webmanifest": "application/manifest+json; charset=utf-8",
    ".png": "image/png",
    ".html": "text/html; charset=utf-8",
}
#: What the browser does not need: types for the checks, and what tools keep beside the files.
_LEFT_OUT: Final = (".d.ts", "jsconfig.json", "LICENSE", ".md")
_SMALL: Final = 400


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent."""

    type: str
    body: bytes
    packed: bytes | None

    @classmethod
    def of(cls, type: str, body: bytes) -> File:
        """A file with its compressed form where that is smaller."""
        packed = gzip.compress(body, 9, mtime=0) if len(body) > _SMALL and not type.startswith("image/png") else None
        return cls(type, body, packed if packed is not None and len(packed) < len(body) else None)


class Assets:
    """The app's files under ``/a/<build>/`` and its page per language."""

    def __init__(self, folder: Path = WEB) -> None:
        self.files: dict[str, File] = {}
        digest = hashlib.sha256()
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if not path.is_file() or name.endswith(_LEFT_OUT) or "/." in f"/{name}":
                continue
            body = path.read_bytes()
            digest.update(f"{name}\0{len(body)}\0".encode() + body)
            type = _TYPES.get(path.suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
            self.files[name] = File.of(type, body)
        self.build = digest.hexdigest()[:10]
        self.base = f"/a/{self.build}"
        self.importmap = self._importmap()
        self.pages = {code: File.of(_TYPES[".html"], self._page(code)) for code in LANGUAGES}
        self.csp = self._csp()

    def _importmap(self) -> str:
        found = self.files.get("importmap.json")
        if found is None:
            return '{"imports":{}}'
        document = json.loads(found.body)
        imports = {
            name: f"{self.base}/{target.removeprefix('./')}" if target.startswith("./") else target
            for name, target in document["imports"].items()
        }
        return json.dumps({"imports": imports}, separators=(",", ":"))

    def _page(self, code: str) -> bytes:
        found = self.files.get("index.html")
        text = "" if found is None else found.body.decode()
        for name, value in {
            "base": self.base,
            "build": self.build,
            "lang": code,
            "importmap": self.importmap,
        }.items():
            text = text.replace("{{" + name + "}}", value)
        return text.encode()

    def _csp(self) -> str:
        digest = base64.b64encode(hashlib.sha256(self.importmap.encode()).digest()).decode()
        return (
            f"default-src 'self'; script-src 'self' 'sha256-{digest}'; style-src 'self'; img-src 'self' data:; "
            "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        )
