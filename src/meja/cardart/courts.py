"""The twelve courts: who they are, and what each of them wears and holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from meja.cardart import emblems, headwear, robes
from meja.cardart.heads import beard, face, hair, head_parts, moustache, parting
from meja.cardart.ink import figure
from meja.cardart.palette import Cloth, Deck
from meja.cardart.svg import at, both_ways, group, path, use
from meja.cards import SUITS

_Drawing: TypeAlias = Callable[[Cloth], str]

#: Where the middle of the face is.
HEAD: Final = at(112, 70)
#: The frame: open at the corners that belong to rank and suit, and where the sash ends.
_FRAME: Final = "M58 13H179Q187 13 187 21V158M142 267H21Q13 267 13 259V122"


@dataclass(frozen=True)
class _King:
    hair: str
    beard: str
    crown: _Drawing
    collar: _Drawing
    looks: str
    holds: _Drawing
    #: Held behind the head instead of before the robe.
    behind: bool = False

    def draw(self, c: Cloth, suit: str) -> str:
        held = self.holds(c)
        return (
            (held if self.behind else "")
            + group(hair(self.hair, c.beard), transform=HEAD)
            + robes.king(c, suit)
            + self.collar(c)
            + group(face(self.looks, "stern"), beard(self.beard, c.beard), self.crown(c), transform=HEAD)
            + ("" if self.behind else held)
            + robes.holding(c)
        )


@dataclass(frozen=True)
class _Queen:
    hair: str
    crown: _Drawing
    looks: str
    holds: _Drawing
    #: What stands or falls behind the head.
    backdrop: _Drawing | None = None

    def draw(self, c: Cloth, suit: str) -> str:
        return (
            (self.backdrop(c) if self.backdrop else "")
            + robes.queen(c, suit)
            + group(hair(self.hair, c.hair), transform=HEAD)
            + robes.neckline(c)
            + group(face(self.looks, "mild", "full"), parting(c.hair), self.crown(c), transform=HEAD)
            + self.holds(c)
            + robes.holding(c)
        )


@dataclass(frozen=True)
class _Jack:
    hair: str
    cap: _Drawing
    collar: _Drawing
    looks: str
    holds: _Drawing
    moustache: bool = False

    def draw(self, c: Cloth, suit: str) -> str:
        lip = moustache(c.hair) if self.moustache else ""
        return (
            robes.jack(c, suit)
            + group(hair(self.hair, c.hair), transform=HEAD)
            + self.collar(c)
            + group(face(self.looks, "mild", "thin"), lip, self.cap(c), transform=HEAD)
            + self.holds(c)
            + robes.holding(c)
        )


_COURTS: Final[dict[str, _King | _Queen | _Jack]] = {
    "Ks": _King("locks", "pointed", headwear.arches, robes.ermine, "r", emblems.sword),
    "Kh": _King("curls", "forked", headwear.lilies, robes.chain, "l", emblems.sword_behind, behind=True),
    "Kd": _King("locks", "square", headwear.spikes, robes.ermine, "r", emblems.axe),
    "Kc": _King("bob", "round", headwear.trefoils, robes.chain, "l", emblems.orb),
    "Qs": _Queen("long", headwear.tiara, "r", emblems.sceptre, robes.veil),
    "Qh": _Queen("waves", headwear.coronet, "l", emblems.rose),
    "Qd": _Queen("braids", headwear.rays, "l", emblems.fan),
    "Qc": _Queen("bun", headwear.blossoms, "r", emblems.lily, robes.ruff),
    "Js": _Jack("bob", headwear.beret, robes.points, "l", emblems.halberd, moustache=True),
    "Jh": _Jack("curls", headwear.brim, robes.folded, "r", emblems.trumpet),
    "Jd": _Jack("page", headwear.hunter, robes.points, "r", emblems.spear),
    "Jc": _Jack("bob", headwear.turban, robes.folded, "l", emblems.kris),
}


def court_parts(deck: Deck) -> str:
    """What the courts of a deck share: the frame, heads, robes, a sash for each suit."""
    sashes = "".join(group(robes.sash(deck.cloth[suit], f"_{suit}"), id=f"_{suit}-sash") for suit in SUITS)
    return path(_FRAME, "none", width=2, id="_frame") + head_parts() + robes.robe_parts() + sashes


def court(deck: Deck, rank: str, suit: str) -> str:
    """The picture of a court: frame, the figure both ways and the sash."""
    half = figure(_COURTS[rank + suit].draw(deck.cloth[suit], suit))
    return use("_frame", stroke=deck.colour[suit]) + both_ways(f"_{rank}{suit}-half", half) + use(f"_{suit}-sash")
