"""What courts hold: upright on the right, where the hand is at (163, 124)."""

from __future__ import annotations

from meja.cardart.ink import balls, dotted, fine, flat, line, shape
from meja.cardart.palette import BRONZE, CREAM, GOLD, IRON, LEAF, PAPER, RED, STEEL, Cloth
from meja.cardart.svg import around, at, disc, group, num, path, star, use


def sword(c: Cloth) -> str:
    """A straight sword."""
    return (
        fine("M157.5 106V30L163 18L168.5 30V106Z", STEEL)
        + flat("M163 20L167.7 30.5V105.5H163Z", IRON)
        + fine("M148 104C152 107 174 107 178 104V110C174 112 152 112 148 110Z", GOLD)
        + fine("M160 110H166V136H160Z", c.second)
        + balls(GOLD, (163, 138, 4.5))
    )


def sword_behind(c: Cloth) -> str:
    """A sword whose blade goes behind the head and comes out on the other side."""
    return group(
        fine("M-5.5-18V-132L0-144L5.5-132V-18Z", STEEL),
        flat("M0-142L4.7-131.5V-18H0Z", IRON),
        fine("M-15-20C-11-17 11-17 15-20V-14C11-12-11-12-15-14Z", GOLD),
        fine("M-3-14H3V12H-3Z", c.second),
        balls(GOLD, (0, 14, 4.5)),
        transform=at(163, 124, turn=-46),
    )


def axe(_: Cloth) -> str:
    """A battle axe on a long staff."""
    return (
        fine("M160.5 24H165.5V150H160.5Z", BRONZE)
        + fine("M160 40C154 40 148 32 144 24C140 40 140 62 146 76C150 66 155 62 160 62Z", STEEL)
        + flat("M146 30C143 42 143 60 147 71C149 66 152 63 156 61C149 55 148 40 146 30Z", IRON)
        + fine("M166 42L178 36V60L166 58Z", STEEL)
        + fine("M157 36H169V66H157Z", GOLD)
        + fine("M163 16L168 30H158Z", GOLD)
    )


def orb(c: Cloth) -> str:
    """An orb with a cross."""
    hoops = "M147 97C152 101 174 101 179 97M163 83V98"
    return (
        fine("M160.5 62V68H154V73H160.5V82H165.5V73H172V68H165.5V62Z", GOLD)
        + shape(disc(163, 98, 16), c.second)
        + flat("M164 84C182 84 182 112 164 112Z", c.second_shade)
        + line(hoops, 6)
        + line(hoops, 3, CREAM)
        + balls(RED, (163, 99, 3.4))
    )


def sceptre(c: Cloth) -> str:
    """A long sceptre with a stone."""
    return (
        fine("M161 52H165V152H161Z", GOLD)
        + fine("M163 22C172 30 174 40 169 50H157C152 40 154 30 163 22Z", GOLD)
        + fine("M163 30L168 40L163 49L158 40Z", c.second if c.second != GOLD else c.robe)
        + balls(CREAM, (163, 20, 3.6))
        + fine("M155 50H171V56H155ZM157 74H169V79H157Z", GOLD)
    )


def _stem(leaves: str) -> str:
    """The stalk of a flower with its leaves."""
    stalk = "M163 68C161 92 165 104 162 134"
    return line(stalk, 5) + line(stalk, 2.4, LEAF) + fine(leaves, LEAF)


def rose(_: Cloth) -> str:
    """A rose with two leaves."""
    return (
        _stem("M164 100C168 88 178 86 184 88C182 98 174 104 164 100ZM162 92C156 80 150 80 145 83C147 91 154 97 162 92Z")
        + shape(
            "M163 40C170 34 178 40 176 46C184 48 184 60 177 62C178 70 168 76 163 70C158 76 148 70 149 62C142 60 142 48"
            " 150 46C148 40 156 34 163 40Z",
            RED,
        )
        + line(
            "M163 47C171 46 173 58 163 59C155 59 154 50 160 49M150 46C150 54 153 64 163 67C173 66 177 54 176 46", 1.4
        )
    )


def lily(_: Cloth) -> str:
    """A white lily."""
    return (
        _stem(
            "M163 104C160 90 150 88 144 90C147 100 154 108 163 104ZM164 98C166 84 176 80 184 82C182 92 174 100 164 98Z"
        )
        + fine(
            "M163 72C152 66 150 50 143 46C152 42 158 48 160 54C158 44 158 34 163 26C168 34 168 44 166 54C168 48 174 42"
            " 183 46C176 50 174 66 163 72Z",
            PAPER,
        )
        + line("M163 66V42M158 62C156 56 154 52 150 48M168 62C170 56 172 52 176 48", 1.2)
        + balls(GOLD, (163, 40, 2.2), (155, 50, 1.8), (171, 50, 1.8))
    )


def fan(c: Cloth) -> str:
    """An open fan."""
    outer, inner, half = 47, 36, 33
    ribs = "".join(f"M0 0L{_point(inner, turn)}" for turn in (-22, -11, 0, 11, 22))
    return group(
        shape(f"M0 0L{_point(outer, -half)}A{outer} {outer} 0 0 1 {_point(outer, half)}Z", CREAM),
        line(ribs, 1.3),
        fine(
            f"M{_point(outer, -half)}A{outer} {outer} 0 0 1 {_point(outer, half)}"
            f"L{_point(inner, half)}A{inner} {inner} 0 0 0 {_point(inner, -half)}Z",
            c.second,
        ),
        dotted(f"M{_point(41.5, -29)}A41.5 41.5 0 0 1 {_point(41.5, 29)}", 3.6, 7, c.mark),
        fine("M-3-10H3V14H-3Z", GOLD),
        transform=at(163, 126),
    )


def _point(radius: float, degrees: float) -> str:
    x, y = around(radius, degrees)
    return f"{num(x)} {num(y)}"


def halberd(c: Cloth) -> str:
    """A halberd: axe, hook and spike."""
    return (
        fine("M160.5 58H165.5V152H160.5Z", BRONZE)
        + fine("M158 60V36L163 14L168 36V60Z", STEEL)
        + flat("M163 18L167 36V59H163Z", IRON)
        + fine("M158 40C152 40 146 36 142 32C139 44 142 58 148 66C150 60 154 57 158 57Z", STEEL)
        + fine("M168 44C174 44 180 48 183 56C178 54 172 54 168 56Z", STEEL)
        + fine("M157 60H169V70H157Z", GOLD)
        + fine("M159 70H167L171 86L163 81L155 86Z", c.second)
    )


def trumpet(c: Cloth) -> str:
    """A herald's trumpet with its banner."""
    return (
        shape("M165 52H186V92L175.5 84L165 92Z", c.second)
        + flat("M169 56H182V84L175.5 79L169 84Z", c.mark)
        + use("_h", transform=at(175.5, 68, 0.11), fill=RED)
        + fine("M160.5 110V46C160 36 157 28 150 18H176C169 28 166 36 165.5 46V110Z", GOLD)
        + flat("M163.5 109V40C164 34 167 27 172 20H175C168 28 165 36 164.7 46V109Z", BRONZE)
        + fine("M149 14H177V19.5H149ZM158 47H168V52H158ZM158 94H168V99H158Z", GOLD)
        + fine("M160.5 132H165.5V144H168V148H158V144H160.5Z", GOLD)
    )


def spear(_: Cloth) -> str:
    """A long spear."""
    return (
        fine("M161 34H165V150H161Z", BRONZE)
        + fine("M163 14L172 38L163 33L154 38Z", STEEL)
        + flat("M163 17L170.5 36.5L163 32Z", IRON)
    )


def kris(c: Cloth) -> str:
    """A dagger with a wavy blade."""
    return (
        fine(
            "M163 14C169 24 158 32 160 41C163 50 154 56 157 65C160 73 151 79 155 88C156 95 151 100 147 105L177 107"
            "C172 100 174 94 172 86C169 77 176 71 172 62C168 53 174 48 169 39C166 31 170 23 163 14Z",
            STEEL,
        )
        + flat(
            "M163.5 17C169 25 163 32 165 40C167 49 162 55 165 63C168 72 161 79 164 87C165 95 164 100 164 105L175 106"
            "C171 99 173 94 171 86C168 77 175 71 171 62C167 53 173 48 168 39C165.5 32 169 25 163.5 17Z",
            IRON,
        )
        + fine("M145 102C154 106 172 108 181 104V111C172 114 154 113 145 108Z", GOLD)
        + fine("M160 110H166V132C170 136 168 142 162 142C158 142 157 138 160 134Z", c.second)
    )


def cards(c: Cloth) -> str:
    """A small hand of cards."""
    card = fine("M-10-46H8Q10-46 10-44V-6H-12V-44Q-12-46-10-46Z", PAPER)
    sign = path(star(5, 5, 2.2), c.robe, "none", transform="translate(-1 -35)")
    return group(
        *(group(card, sign, transform=f"rotate({turn})") for turn in (-34, -11, 12)),
        transform=at(163, 126),
    )
