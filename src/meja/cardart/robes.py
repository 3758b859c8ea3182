"""What courts wear below the head, in the card's own measure: robes, collars, ornaments, the sash."""

from __future__ import annotations

from typing import Final

from meja.cardart.ink import balls, dotted, fine, flat, line, shape, sown
from meja.cardart.palette import BRONZE, CREAM, GOLD, INK, PAPER, SKIN, TAN, Cloth
from meja.cardart.svg import HEIGHT, WIDTH, around, at, disc, group, num, path, petal, polygon, star, use

#: Left and right edge of the picture.
LEFT, RIGHT = 13, 187
#: How steep the line is on which the two halves meet, and half the breadth of the sash over it.
_SLOPE: Final = 0.2
_SASH: Final = 9.5


def meeting(x: float) -> float:
    """Where the halves meet at ``x``: through the card's middle, down to the right."""
    return HEIGHT / 2 + _SLOPE * (x - WIDTH / 2)


_HEM: Final = f"L{LEFT} {num(meeting(LEFT))}L{RIGHT} {num(meeting(RIGHT))}"

#: Outlines from shoulder to shoulder.
BODY: Final[dict[str, str]] = {
    "K": f"M97 94C93 105 66 102 48 117{_HEM}V126C178 111 150 108 127 94Z",
    "Q": f"M92 102C76 98 52 102 44 118{_HEM}V128C178 110 156 98 132 102Z",
    "J": f"M97 98C84 96 62 100 52 118{_HEM}V132C180 112 152 98 127 98Z",
}

#: Ornaments after batik cloths, one for each suit: parang, kawung, ceplok, truntum.
_PARANG: Final = "M-8 4C-8-6 3-7 2 0C1 4 6 3 8-4C8 6-3 7-2 0C-1-4-6-3-8 4Z"
_CEPLOK: Final = "M0-8L6 0L0 8L-6 0ZM0-3.5L-2.6 0L0 3.5L2.6 0Z"


def robe_parts() -> str:
    """What several courts use: bodies, ornaments, the hand."""
    kawung = path(petal(8.5, 3.6, 1))
    return "".join(
        (
            *(path(d, id=f"_b{rank}") for rank, d in BODY.items()),
            path(_PARANG, id="_os"),
            group(*(group(kawung, transform=f"rotate({turn})") for turn in (45, 135, 225, 315)), id="_oh"),
            path(_CEPLOK, id="_od"),
            path(star(8, 7, 2.6), id="_oc"),
            group(
                fine("M153 120C153 114 170 113 173 118C175 123 174 130 170 132C163 134 154 132 153 120Z", SKIN),
                line("M161 121H173M161 126H173", 1.3),
                id="_hand",
            ),
        )
    )


def _dressed(rank: str, c: Cloth, *over: str) -> str:
    """A body with what is on it, and its outline over all."""
    return use(f"_b{rank}", fill=c.robe, stroke="none") + "".join(over) + use(f"_b{rank}", fill="none", stroke_width=2)


def king(c: Cloth, suit: str) -> str:
    """A wide robe with a front of the second stuff."""
    return _dressed(
        "K",
        c,
        flat("M126 96C150 109 177 112 186 127V157L130 145Z", c.robe_shade),
        flat("M96 96H128L133 147L90 138Z", c.second),
        flat("M112 96H128L133 147L112 142Z", c.second_shade),
        line("M96 97L89 139M128 97L134 148", 3, c.trim),
        dotted("M112 120V142", 5, 9, c.mark),
        sown(f"_o{suit}", c.trim, (78, 111), (64, 122), (82, 127), (142, 112), (141, 129), (154, 120), (147, 143)),
    )


def queen(c: Cloth, suit: str) -> str:
    """A gown with wide sleeves and an open neck."""
    return _dressed(
        "Q",
        c,
        flat("M132 103C154 100 177 112 186 128V157L134 146Z", c.robe_shade),
        flat("M88 106C86 118 84 128 86 137L138 148C142 134 140 118 136 106Z", c.second),
        flat("M112 106H136C140 118 142 134 138 148L112 143Z", c.second_shade),
        line("M89 104C86 116 84 126 86 137M135 104C140 118 142 132 139 148", 3, c.trim),
        sown(f"_o{suit}", c.trim, (72, 112), (58, 121), (74, 128), (150, 112), (152, 130), (164, 122)),
    )


def jack(c: Cloth, suit: str) -> str:
    """A striped doublet with puffed shoulders."""
    return _dressed(
        "J",
        c,
        flat("M126 99C150 100 178 113 186 132V157L132 146Z", c.robe_shade),
        flat("M98 98L92 138L103 140L105 98ZM119 98L121 144L132 146L126 98Z", c.second),
        line("M98 100L92 138M105 100L103 140M119 100L121 144M126 100L132 147", 1.5, c.trim),
        dotted("M112 112V142", 4.4, 8, c.trim),
        line("M94 102C80 108 76 120 78 134M130 102C144 110 150 124 148 148", 3, c.trim),
        sown(f"_o{suit}", c.trim, (66, 116), (86, 114), (139, 118), (158, 116), (140, 138)),
    )


def motley(c: Cloth) -> str:
    """A coat of lozenges, each half in the other's colour."""
    left = ((60, 119), (78, 112), (78, 130), (96, 104), (96, 122), (96, 137))
    right = ((128, 116), (128, 134), (146, 112), (146, 130), (146, 145), (164, 120))
    return _dressed(
        "K",
        c,
        flat("M112 94H127C150 108 178 111 186 126V156.5L112 142Z", c.second),
        flat("".join(_lozenge(x, y) for x, y in left), c.second),
        flat("".join(_lozenge(x, y) for x, y in right), c.robe),
    )


def _lozenge(x: float, y: float) -> str:
    return polygon((x, y - 8), (x + 6, y), (x, y + 8), (x - 6, y))


def neckline(c: Cloth) -> str:
    """The open neck of a gown, with a necklace."""
    edge = "M90 106C94 122 104 130 112 132C120 130 130 122 134 106"
    return (
        shape(
            "M103 100C98 106 92 106 90 106C94 122 104 130 112 132C120 130 130 122 134 106C132 106 126 106 121 100Z",
            SKIN,
        )
        + flat("M114 104H121C126 106 131 107 133 107C129 121 120 129 114 131Z", TAN)
        + line(edge, 4.5)
        + line(edge, 2.2, c.trim)
        + dotted("M99 105C102 114 107 117 112 118C117 117 122 114 125 105", 3.6, 4.6, GOLD)
        + fine("M112 117L116 123L112 129L108 123Z", c.second if c.second != GOLD else c.robe)
    )


def ermine(_: Cloth) -> str:
    """A round collar of ermine."""
    return shape(
        "M82 104C92 92 132 92 142 104C147 114 137 121 128 117C120 113 104 113 96 117C87 121 77 114 82 104Z", CREAM
    ) + line("M88 108V111M97 105V108M127 105V108M136 108V111M91 114V115M133 114V115", 2.6)


def chain(c: Cloth) -> str:
    """A broad collar of gold with stones."""
    return (
        shape("M84 101C94 96 130 96 140 101C146 112 132 124 112 127C92 124 78 112 84 101Z", GOLD)
        + flat("M113 98C124 98 134 99 139 102C144 112 131 123 113 126Z", BRONZE)
        + line("M90 105C92 113 102 118 112 119C122 118 132 113 134 105", 1.3)
        + dotted(
            "M87 106C88 116 102 122.5 112 123C122 122.5 136 116 137 106",
            4,
            8.5,
            c.second if c.second != GOLD else c.robe,
        )
    )


def ruff(_: Cloth) -> str:
    """A fan of lace standing behind the head."""
    count, first, step, radius = 11, -121, 22, 37
    edge = [around(radius, first + step * i) for i in range(count + 1)]
    bows = "".join(f"A11 11 0 0 1 {num(x)} {num(y)}" for x, y in edge[1:])
    ribs = "".join(f"M0 0L{num(x)} {num(y)}" for x, y in edge[1:-1])
    eyelets = "".join(disc(*around(radius, first + step * (i + 0.5)), 2.2) for i in range(count))
    return group(
        shape(f"M0 0L{num(edge[0][0])} {num(edge[0][1])}{bows}Z", PAPER),
        line(ribs + eyelets, 1.2),
        transform=at(112, 90),
    )


def veil(c: Cloth) -> str:
    """A veil that falls behind the head to the shoulders."""
    return shape(
        "M94 44C68 46 71 78 68 94C66 108 58 110 54 118C74 124 90 116 94 104H130C134 116 150 124 170 118C166 110 158 108"
        " 156 94C153 78 156 46 130 44Z",
        c.second,
    ) + line("M76 66C74 84 76 100 65 115M148 66C150 84 148 100 159 115", 1.3)


def points(c: Cloth) -> str:
    """A boy's collar with two points."""
    return (
        shape("M97 97L84 104L94 122L112 110L130 122L140 104L127 97L112 108Z", PAPER)
        + line("M90 106L96 116M134 106L128 116", 1.3)
        + balls(c.trim, (112, 110, 3))
    )


def folded(c: Cloth) -> str:
    """A plain folded collar."""
    return shape("M96 96L88 106L112 124L136 106L128 96L112 110Z", c.trim) + line("M95 104L112 116L129 104", 1.4)


def fools_collar(c: Cloth) -> str:
    """Points round the neck, each with a bell."""
    tops = ((78, 104), (90, 101), (101, 105), (112, 108), (123, 105), (134, 101), (146, 104))
    tips = ((80, 123), (95, 127), (107, 129), (117, 129), (129, 127), (144, 123))
    flaps = [polygon((112, 88), tops[i], tip, tops[i + 1]) for i, tip in enumerate(tips)]
    return (
        fine("".join(flaps[::2]), c.second)
        + fine("".join(flaps[1::2]), c.robe)
        + balls(CREAM, *((x, y + 1, 2.6) for x, y in tips))
    )


def holding(c: Cloth) -> str:
    """The arm that comes from the right, and the hand round what it holds."""
    return (
        shape("M153 128L187 137V157L150 150Z", c.robe)
        + fine("M149 126L160 129L157 152L146 148Z", c.trim)
        + use("_hand")
    )


def _band(half: float) -> str:
    return polygon(
        (LEFT, meeting(LEFT) - half),
        (RIGHT, meeting(RIGHT) - half),
        (RIGHT, meeting(RIGHT) + half),
        (LEFT, meeting(LEFT) + half),
    )


def sash(c: Cloth, sign: str) -> str:
    """The band over the place where the halves meet, with a small sign (an id) three times on each half."""
    edges = "".join(f"M{LEFT} {num(meeting(LEFT) + side)}L{RIGHT} {num(meeting(RIGHT) + side)}" for side in (-6.6, 6.6))
    signs = "".join(use(sign, transform=at(x, meeting(x), 0.09)) for x in (113, 139, 165))
    turned = "".join(use(sign, transform=at(WIDTH - x, HEIGHT - meeting(x), -0.09)) for x in (113, 139, 165))
    return (
        path(_band(_SASH), c.second, INK, 2, stroke_linejoin="round")
        + path(edges, None, c.mark, 1.8)
        + group(signs, turned, fill=c.mark)
    )
