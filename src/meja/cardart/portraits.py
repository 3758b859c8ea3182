"""Portraits of the bots: small busts put together from a few parts. CC0, as the cards.

Each fills a square of 96 units; a page shows the circle in it. The wall behind tells the level by its colour, and
pips at the lower edge tell it to those who do not see colours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: Names of bots by level, from the weakest level to the strongest: four each, so that a table of four finds enough.
NAMES: Final[dict[str, tuple[str, ...]]] = {
    "beginner": ("Ayu", "Bayu", "Citra", "Dodi"),
    "casual": ("Eka", "Gilang", "Intan", "Joko"),
    "strong": ("Kartika", "Lukman", "Melati", "Putra"),
    "master": ("Ratna", "Surya", "Tari", "Wayan"),
}
_BEHIND: Final = {"beginner": "#7fb069", "casual": "#3d9bb3", "strong": "#5a6fc0", "master": "#8d4a86"}
_INK: Final = "#2a1c16"
_SKINS: Final = ("#f0c9a4", "#dba77c", "#c68a5e", "#a06a44")
_HAIRS: Final = ("#1f1a1a", "#3a2620", "#5a3a28", "#8b8683")


@dataclass(frozen=True, slots=True)
class Face:
    """The parts of a portrait: numbers choose from the lists of the parts."""

    skin: int
    hair: int
    cut: str
    cloth: str
    second: str
    wear: str
    extra: str = ""
    smile: int = 0


_FACES: Final[dict[str, Face]] = {
    "Ayu": Face(0, 1, "bob", "#e8743b", "#fbe3c8", "round", "flower", 1),
    "Bayu": Face(1, 0, "short", "#2f7d6b", "#f4e6c1", "collar", "", 1),
    "Citra": Face(2, 0, "tails", "#c9485b", "#f7d6cf", "round", "", 1),
    "Dodi": Face(1, 2, "curls", "#46639e", "#e9edf7", "hood", "", 1),
    "Eka": Face(0, 0, "long", "#d9a441", "#7a4a1f", "batik", "", 0),
    "Gilang": Face(2, 0, "quiff", "#3b4a54", "#d7dde1", "collar", "stubble", 0),
    "Intan": Face(1, 0, "veil", "#2c8c8a", "#e8f3f2", "veil", "", 1),
    "Joko": Face(2, 1, "short", "#7a3e2b", "#e2b36f", "batik", "moustache", 1),
    "Kartika": Face(1, 1, "bun", "#7c2f56", "#f0c2d3", "kebaya", "earrings", 0),
    "Lukman": Face(2, 0, "peci", "#efe7d6", "#b9a67d", "collar", "glasses", 0),
    "Melati": Face(0, 0, "long", "#5c8a3a", "#f3f0d8", "kebaya", "flower", 1),
    "Putra": Face(3, 0, "quiff", "#26323f", "#b4472f", "jacket", "", 0),
    "Ratna": Face(1, 3, "bun", "#43305f", "#d9b24a", "kebaya", "glasses", 0),
    "Surya": Face(3, 3, "bald", "#7b1f2a", "#e5c36a", "batik", "beard", 0),
    "Tari": Face(2, 0, "veil", "#3a2b57", "#cdb9ea", "veil", "glasses", 0),
    "Wayan": Face(2, 3, "udeng", "#f2ead9", "#b8862f", "jacket", "moustache", 1),
}


def _path(d: str, fill: str, more: str = "") -> str:
    return f'<path d="{d}" fill="{fill}"{more}/>'


def _line(d: str, width: float = 2.2, stroke: str = _INK) -> str:
    return f'<path d="{d}" fill="none" stroke="{stroke}" stroke-width="{width}" stroke-linecap="round"/>'


def _dot(x: float, y: float, radius: float, fill: str) -> str:
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}"/>'


def _back_hair(face: Face, hair: str) -> str:
    match face.cut:
        case "bob":
            return _path("M25 44q-2-26 23-26t23 26v15q-4 6-9 5V44H34v20q-5 1-9-5z", hair)
        case "long":
            return _path("M24 45q-2-28 24-28t24 28l3 31q-13 5-27 5t-27-5z", hair)
        case "tails":
            tail = "M27 34q-14 3-13 19 1 10 7 12 1-12 9-16zM69 34q14 3 13 19-1 10-7 12-1-12-9-16z"
            return _path(tail, hair) + _path("M27 44q-1-26 21-26t21 26z", hair)
        case "bun":
            return _dot(48, 15, 9, hair) + _path("M26 46q-2-28 22-28t22 28z", hair)
        case "curls":
            spots = ((28, 33, 9), (33, 24, 9), (43, 19, 10), (54, 19, 10), (63, 24, 9), (68, 33, 9))
            return "".join(_dot(x, y, radius, hair) for x, y, radius in spots)
        case "veil":
            return _path("M21 50q-3-35 27-35t27 35l4 38H17z", face.cloth)
    return ""


def _front_hair(face: Face, hair: str) -> str:
    match face.cut:
        case "bob" | "tails":
            return _path("M29 42q1-19 19-19t19 19q-8-3-12-10-9 9-26 10z", hair)
        case "long":
            return _path("M29 44q0-21 19-21t19 21q-13-3-17-15-5 12-21 15z", hair)
        case "bun":
            return _path("M28 43q0-22 20-22t20 22q-5-13-20-13T28 43z", hair)
        case "short":
            return _path("M27 44q-3-25 21-25t21 25l-3 1q-1-10-6-13-12 3-24 0-5 3-6 13z", hair)
        case "quiff":
            return _path("M28 43q-5-19 9-24 3-4 13-4 19 1 18 28l-2 1q-2-9-6-12-13 4-21-3-6 4-8 14z", hair)
        case "curls":
            return "".join(_dot(x, 29, 6, hair) for x in (34, 43, 53, 62))
        case "bald":
            return _path("M27 46q-2-7 0-12 3 2 3 12zM69 46q2-7 0-12-3 2-3 12z", hair)
        case "peci":
            cap = _path("M29 34l2-16q17-6 34 0l2 16q-19-6-38 0z", "#1d2a35")
            return _path("M28 44q-1-6 1-11h38q2 5 1 11l-3-6q-17-5-34 0z", hair) + cap
        case "udeng":
            band = _path("M27 37q-2-19 21-20 23 1 21 20-21-10-42 0z", face.cloth)
            knot = _path("M44 24q4-12 10-12-4 5-2 12z", face.cloth)
            return band + knot + _line("M29 33q19-8 38 0", 1.6, face.second)
        case "veil":
            inner = "M30 50q-2-26 18-26t18 26q-1 14-10 20h-16q-9-6-10-20z"
            ring = f"{inner}M33 50q0 12 8 18h14q8-6 8-18-1-21-15-21t-15 21z"
            return _path(ring, face.second, ' fill-rule="evenodd"')
    return ""


def _clothes(face: Face) -> str:
    bust = _path("M10 100q1-24 24-28l14 6 14-6q23 4 24 28z", face.cloth)
    match face.wear:
        case "round":
            return bust + _line("M34 73q14 13 28 0", 4, face.second)
        case "collar":
            return bust + _path("M34 71l14 12-9 9-9-17zM62 71L48 83l9 9 9-17z", face.second)
        case "hood":
            return bust + _path("M27 74q21 20 42 0l3 6q-24 22-48 0z", face.second)
        case "batik":
            spots = ((22, 86), (34, 92), (62, 92), (74, 86), (29, 80), (67, 80))
            return (
                bust
                + _path("M36 72l12 14 12-14-4 24H40z", face.second)
                + "".join(f'<path d="M{x} {y - 4}l3 4-3 4-3-4z" fill="{face.second}"/>' for x, y in spots)
            )
        case "kebaya":
            return bust + _path("M35 72q6 20 13 26 7-6 13-26l5 2q-5 22-18 32-13-10-18-32z", face.second)
        case "jacket":
            return bust + _path("M37 72l11 24 11-24-11 5z", face.second) + _line("M48 84v14", 1.5)
        case "veil":
            return _path("M12 100q3-22 22-29 14 11 28 0 19 7 22 29z", face.cloth) + _line(
                "M31 76q17 15 34 0", 1.6, face.second
            )
    return bust


def _extra(face: Face, hair: str) -> str:
    match face.extra:
        case "glasses":
            frame = f'fill="none" stroke="{_INK}" stroke-width="2"'
            return f'<circle cx="39.5" cy="47" r="6.5" {frame}/><circle cx="56.5" cy="47" r="6.5" {frame}/>' + _line(
                "M46 46q2-1.5 4 0", 2
            )
        case "moustache":
            return _path("M38 58q5-4 10-1 5-3 10 1-5 3-10 1-5 2-10-1z", hair)
        case "beard":
            return _path("M29 50q1 22 19 22t19-22q-3 7-9 7-5-3-10-1-5-2-10 1-6 0-9-7z", hair)
        case "stubble":
            return _path("M30 53q3 17 18 17t18-17q-3 6-9 7-4-3-9-1-5-2-9 1-6-1-9-7z", hair, ' opacity=".28"')
        case "earrings":
            return _dot(27.5, 55, 2.4, "#f2c94c") + _dot(68.5, 55, 2.4, "#f2c94c")
        case "flower":
            petals = ((66, 24), (72, 26), (70, 32), (64, 31))
            return "".join(_dot(x, y, 3.6, "#fff6f2") for x, y in petals) + _dot(68, 28, 2.6, "#f2b134")
    return ""


def _mouth(face: Face) -> str:
    if face.extra == "beard":
        return _line("M43 61.5q5 3 10 0", 2.2, "#5b2018")
    return _line("M41 60.5q7 6.5 14 0" if face.smile else "M42 61.5q6 3 12 0", 2.2, "#8a3b2e")


def _bust(face: Face) -> str:
    skin, hair = _SKINS[face.skin], _HAIRS[face.hair]
    ears = "" if face.cut == "veil" else _dot(28, 48, 4.4, skin) + _dot(68, 48, 4.4, skin)
    brows = _line("M35 40.5q4-2.5 8-.5M53 40q4-2 8 .5", 2, hair)
    return "".join(
        (
            _back_hair(face, hair),
            _path("M40 60h16v14q-8 9-16 0z", skin) + _path("M40 66q8 6 16 0v4q-8 6-16 0z", _INK, ' opacity=".14"'),
            _clothes(face),
            ears,
            _path("M29 44q0-20 19-20t19 20q0 25-19 26-19-1-19-26z", skin),
            _dot(39.5, 47, 2.5, _INK) + _dot(56.5, 47, 2.5, _INK),
            brows,
            _line("M48 49q-2.5 5 .5 5.5", 1.6, "#00000055"),
            _extra(face, hair) if face.extra == "beard" else "",
            _mouth(face),
            _extra(face, hair) if face.extra in ("moustache", "stubble") else "",
            _front_hair(face, hair),
            _extra(face, hair) if face.extra in ("glasses", "earrings", "flower") else "",
        )
    )


def _pips(count: int) -> str:
    left = 48 - 4.5 * (count - 1)
    pill = (
        f'<rect x="{left - 6}" y="84" width="{9 * (count - 1) + 12}" height="10" rx="5" fill="#1b1420" opacity=".82"/>'
    )
    return pill + "".join(_dot(left + 9 * place, 89, 2.7, "#ffe9a8") for place in range(count))


def portraits() -> str:
    """The sprite of all portraits: a symbol per name, in lower case."""
    made = ['<svg xmlns="http://www.w3.org/2000/svg">']
    for count, (level, names) in enumerate(NAMES.items(), start=1):
        wall = f'<rect width="96" height="96" fill="{_BEHIND[level]}"/>'
        light = '<circle cx="48" cy="34" r="42" fill="#fff" opacity=".13"/>'
        for name in names:
            body = f"{wall}{light}{_bust(_FACES[name])}{_pips(count)}"
            made.append(f'<symbol id="{name.lower()}" viewBox="0 0 96 96">{body}</symbol>')
    return "\n".join([*made, "</svg>", ""])
