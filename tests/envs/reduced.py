"""The games with a handful of cards, for algorithms that walk through the whole tree.

The rules are those of the game, with other packs and hands. Chance deals one of some packs, each as likely as any
other; within a hand the cards lie in one order, since no other one makes a difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from meja.cards import Rng, parse_cards
from meja.deal import Layout
from meja.envs.core import Options
from meja.envs.openspiel.course import PACK, Course, Urn
from meja.envs.openspiel.game import MejaGame, register
from meja.envs.openspiel.parameters import Parameters
from meja.games import make_rules
from meja.games.bassadewitz import Bassadewitz, BassadewitzMatch
from meja.games.calabresella import Calabresella, CalabresellaMatch
from meja.games.kaluki import Kaluki, KalukiMatch, KalukiRules
from meja.games.smear import Smear, SmearMatch
from meja.match import Match
from meja.rules import option


def distributions(cards: Sequence[int], hands: int, size: int) -> list[tuple[tuple[int, ...], ...]]:
    """All ways to deal hands of a size; the rest comes last."""
    if not hands:
        return [(tuple(cards),)]
    found = []
    for hand in combinations(cards, size):
        rest = [card for card in cards if card not in hand]
        found += [(hand, *others) for others in distributions(rest, hands - 1, size)]
    return found


class PackUrn(Urn):
    """Chance that deals one of some packs."""

    __slots__ = ("packs",)

    def __init__(self, packs: Sequence[tuple[int, ...]], size: int) -> None:
        super().__init__(PACK, packs[0], size)
        self.packs = packs

    def outcomes(self) -> list[tuple[int, float]]:
        left = Counter(pack[len(self.order)] for pack in self.packs)
        return [(card, number / len(self.packs)) for card, number in sorted(left.items())]

    def draw(self, item: int) -> bool:
        self.packs = [pack for pack in self.packs if pack[len(self.order)] == item]
        return super().draw(item)


class SmallSmear(Smear):
    """Two cards each, of five."""

    cards: ClassVar[tuple[int, ...]] = tuple(sorted(parse_cards("As Js 2s Ah Th")))

    @classmethod
    def pack(cls, rules: Any) -> tuple[int, ...]:
        return cls.cards

    @classmethod
    def hand_size(cls, rules: Any) -> int:
        return 2

    @classmethod
    def lay_out(cls, rules: Any, dealer: int, cards: Sequence[int]) -> Layout:
        return Layout((tuple(cards[:2]), tuple(cards[2:4])))


class SmallBassadewitz(Bassadewitz):
    """Two cards each, of six."""

    cards: ClassVar[tuple[int, ...]] = tuple(sorted(parse_cards("As Ts 9s Ah Qh 8h")))

    @classmethod
    def pack(cls, rules: Any) -> tuple[int, ...]:
        return cls.cards

    @classmethod
    def hand_size(cls, rules: Any) -> int:
        return 2

    @classmethod
    def lay_out(cls, rules: Any, dealer: int, cards: Sequence[int]) -> Layout:
        return Layout((tuple(cards[:2]), tuple(cards[2:4]), tuple(cards[4:])))


class SmallCalabresella(Calabresella):
    """Two cards each and the monte, of ten; of what could be said or laid away only the first is allowed, or two."""

    cards: ClassVar[tuple[int, ...]] = tuple(sorted(parse_cards("3s 2s As 4s 3h Ah Kh 7h 2d Ad")))

    @classmethod
    def pack(cls, rules: Any) -> tuple[int, ...]:
        return cls.cards

    @classmethod
    def hand_size(cls, rules: Any) -> int:
        return 2

    @classmethod
    def lay_out(cls, rules: Any, dealer: int, cards: Sequence[int]) -> Layout:
        return Layout((tuple(cards[:2]), tuple(cards[2:4]), tuple(cards[4:6])), monte=tuple(cards[6:]))

    def legal_actions(self) -> list[int]:
        return super().legal_actions()[: 1 if self.phase == "discard" else 2]


@dataclass(frozen=True, kw_only=True)
class SmallKalukiRules(KalukiRules):
    """Three cards each."""

    cards: int = option(3, rule="K10.15", title=KalukiRules.title, help=KalukiRules.title)


class SmallKaluki(Kaluki):
    """Three cards each, of ten: two of some faces, and two jokers."""

    cards: ClassVar[tuple[int, ...]] = tuple(sorted(parse_cards("As As Ah Ah Ad Ad Kc Kc Jk Jk")))

    @classmethod
    def pack(cls, rules: Any) -> tuple[int, ...]:
        return cls.cards

    @classmethod
    def check_layout(cls, rules: Any, dealer: int, layout: Layout) -> None:
        assert sorted([*sum(layout.hands, ()), layout.upcard or 0, *layout.stock]) == sorted(cls.cards)

    @classmethod
    def lay_out(cls, rules: Any, dealer: int, cards: Sequence[int]) -> Layout:
        return Layout((tuple(cards[:3]), tuple(cards[3:6])), (), cards[6], tuple(cards[7:]))


class SmallSmearMatch(SmearMatch):
    deal_class = SmallSmear


class SmallBassadewitzMatch(BassadewitzMatch):
    deal_class = SmallBassadewitz


class SmallCalabresellaMatch(CalabresellaMatch):
    deal_class = SmallCalabresella


class SmallKalukiMatch(KalukiMatch):
    deal_class = SmallKaluki


class SmallCourse(Course):
    """An episode of a reduced game."""

    match_class: ClassVar[type[Match]]
    packs: ClassVar[list[tuple[int, ...]]]

    def deal_class(self) -> Any:
        return self.match_class.deal_class

    def new_match(self, dealer: int) -> Match:
        return self.match_class(self.options.rules, dealer)

    def _ask_pack(self) -> None:
        self.urn = PackUrn(self.packs, self._dealt)


class SmearCourse(SmallCourse):
    match_class = SmallSmearMatch
    packs: ClassVar = [sum(heaps, ()) for heaps in distributions(SmallSmear.cards, 2, 2)]


class BassadewitzCourse(SmallCourse):
    match_class = SmallBassadewitzMatch
    packs: ClassVar = [sum(heaps, ()) for heaps in distributions(SmallBassadewitz.cards, 2, 2)]


def grid(made: Any, firsts: Sequence[str], seconds: Sequence[str], rests: int) -> list[tuple[int, ...]]:
    """Packs with each of some hands of seat 0 beside each of some of seat 1, and the rest by chance.

    So no seat can tell from its own hand what the other one holds.
    """
    rng, found = Rng(5), []
    for first in firsts:
        for second in seconds:
            left = Counter(made.cards)
            hands = (*sorted(parse_cards(first)), *sorted(parse_cards(second)))
            left.subtract(hands)
            rest = list(left.elements())
            assert len(rest) + len(hands) == len(made.cards)
            for _ in range(rests):
                rng.shuffle(rest)
                found.append((*hands, *rest))
    return found


class CalabresellaCourse(SmallCourse):
    match_class = SmallCalabresellaMatch
    packs: ClassVar = grid(SmallCalabresella, ["3s 4s", "As Kh"], ["2s Ah", "7h 2d"], 1)


class KalukiCourse(SmallCourse):
    match_class = SmallKalukiMatch
    packs: ClassVar = grid(SmallKaluki, ["As Ah Kc", "As Ad Jk"], ["Ah Ad Kc", "As Ad Jk"], 1)


class SmallGame(MejaGame):
    """A reduced game: no parameters, seat 0 deals."""

    options_class: ClassVar[Any]

    @classmethod
    def short_name(cls) -> str:
        return f"python_meja_small_{cls.game}"

    @classmethod
    def read(cls, params: Mapping[str, Any]) -> Parameters:
        made = Parameters(cls.game, {"dealer": 0})
        made.options = cls.options_class
        return made


class SmallSmearGame(SmallGame):
    game = "smear"
    course_class = SmearCourse
    options_class = Options(make_rules("smear", 2), zero_sum=True)


class SmallBassadewitzGame(SmallGame):
    game = "bassadewitz"
    course_class = BassadewitzCourse
    options_class = Options(make_rules("bassadewitz", 3), zero_sum=True)


class SmallCalabresellaGame(SmallGame):
    game = "calabresella"
    course_class = CalabresellaCourse
    options_class = Options(make_rules("calabresella", 3, auction="single_round", slams="off"))


class SmallKalukiGame(SmallGame):
    game = "kaluki"
    course_class = KalukiCourse
    options_class = Options(SmallKalukiRules.make(2, opening_points=40, stock_out="end"), zero_sum=True)


SMALL = {
    made.game: made
    for made in (SmallBassadewitzGame, SmallCalabresellaGame, SmallKalukiGame, SmallSmearGame)
}  # fmt: skip
for _made in SMALL.values():
    register(_made)
