"""Observations read back, plane by plane, as the documentation says: independent of how they are written."""

from __future__ import annotations

from collections import Counter
from typing import Any

from meja.cards import CARD_TEXT, JOKER
from meja.envs.encoding import Encoding

PACKS = {"bassadewitz": "789TJQKA", "calabresella": "234567JQKA", "smear": "23456789TJQKA"}


class Reader:
    """The planes of one observation by name."""

    def __init__(self, codes: Encoding, seen: Any) -> None:
        self.planes = {plane.name: seen[plane.start : plane.end].tolist() for plane in codes.planes}
        self.game = codes.game

    def one(self, name: str) -> int | None:
        """The place of the single 1 of a plane, or ``None``."""
        places = self.all(name)
        assert len(places) <= 1, name
        return places[0] if places else None

    def all(self, name: str) -> list[int]:
        """The places of the 1s of a plane that holds nothing else but 0s."""
        assert set(self.planes[name]) <= {0.0, 1.0}, name
        return [place for place, value in enumerate(self.planes[name]) if value]

    def rows(self, name: str, width: int) -> list[list[float]]:
        """A plane in rows of a width."""
        plane = self.planes[name]
        return [plane[start : start + width] for start in range(0, len(plane), width)]

    # -- trick games --------------------------------------------------------------

    def pack(self) -> list[str]:
        """The cards of the planes of cards, in their order: suits s h d c, ranks from low to high."""
        return [rank + suit for suit in "shdc" for rank in "23456789TJQKA" if rank in PACKS[self.game]]

    def cards(self, name: str) -> set[str]:
        """The cards of a plane of cards."""
        return {self.pack()[place] for place in self.all(name)}

    def seat_cards(self, name: str, seats: int) -> list[set[str]]:
        """Per seat the cards of a plane of cards."""
        pack = self.pack()
        places = self.all(name)
        return [{pack[p % len(pack)] for p in places if p // len(pack) == seat} for seat in range(seats)]

    # -- Kaluki -------------------------------------------------------------------

    def hand(self) -> Counter[str]:
        """The own hand of Kaluki."""
        found = Counter(CARD_TEXT[place] for name in ("hand", "hand_twice") for place in self.all(name))
        found["Jk"] = sum(map(int, self.planes["hand_jokers"]))
        return +found

    def counted(self, name: str, row: int = 0) -> Counter[str]:
        """Cards by how many there are of each."""
        values = self.rows(name, 53)[row]
        return +Counter({CARD_TEXT[card]: round(4 * value) for card, value in enumerate(values)})

    def melds(self, seats: int) -> list[tuple[int, str, Counter[str]]]:
        """The melds: the owner, ``set`` or ``run``, and what lies there (jokers of a run as ``Jk=9h``)."""
        found = []
        for row in self.rows("melds", seats + 110):
            if not any(row):
                continue
            owner = row[:seats].index(1.0)
            kind = "set" if row[seats] else "run"
            assert row[seats] + row[seats + 1] == 1
            cards = Counter({CARD_TEXT[card]: round(2 * row[seats + 2 + card]) for card in range(52)})
            cards.update({f"Jk={CARD_TEXT[card]}": round(row[seats + 54 + card]) for card in range(52)})
            cards["Jk"] = round(sum(row[seats + 106 :]))
            found.append((owner, kind, +cards))
        return found


def meld_facts(owner: int, meld: Any) -> tuple[int, str, Counter[str]]:
    """A meld of a view as :meth:`Reader.melds` tells it."""
    words = []
    for place, card in enumerate(meld.cards):
        if card != JOKER:
            words.append(CARD_TEXT[card])
        else:
            words.append("Jk" if meld.is_set else f"Jk={CARD_TEXT[meld.stands_for(place)]}")
    return owner, "set" if meld.is_set else "run", Counter(words)
