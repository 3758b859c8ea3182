"""Melds: what a set or a run is, what it counts, and how it grows. Pure functions on cards.

A hand is three numbers: ``one``, the bit mask of the natural cards held at least once,
``two``, the mask of those held twice (two packs), and how many jokers there are. Two
equal cards are alike, so nothing here tells them apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, combinations, product
from typing import Final, NamedTuple

from meja.cards import BIT, JOKER, RANKS, Card, card_text, parse_card, quoted
from meja.errors import CardTextError
from meja.messages import msg

#: The ``suit`` of a set, and of cards that are no meld at all.
SET: Final = -1
NO_MELD: Final = -2
#: What a joker of a set stands for: ``RANK + rank``; a joker of a run stands for a card.
RANK: Final = 64
#: A joker whose place was not said.
UNSAID: Final = -1
#: In cards that are no meld, ``MEANT + stands`` is a joker that was said to stand for something.
MEANT: Final = 128
_PLACES: Final = 14

#: ``RUN_CARD[suit][place]``: the card at a place of a run; place 0 is the low ace, 1 the two, 13 the high ace.
RUN_CARD: Final[tuple[tuple[Card, ...], ...]] = tuple(
    tuple(suit * 13 + (place - 1) % 13 for place in range(_PLACES)) for suit in range(4)
)
_ACE: Final = 12


class Meld(NamedTuple):
    """A meld as it lies: ``cards`` in order, with :data:`~meja.cards.JOKER` where a joker lies.

    A run: ``suit`` 0..3, ``low`` the place of its lowest card (0 = ace low, 1 = two ... 13 = ace
    high), cards from low to high. A set: ``suit`` -1, ``low`` its rank (0..12), naturals in the
    order s h d c, then jokers. ``suit`` -2 is any other heap of cards, which is no meld.
    """

    suit: int
    low: int
    cards: tuple[Card, ...]

    @property
    def is_set(self) -> bool:
        """Whether it is a set."""
        return self.suit == SET

    @property
    def jokers(self) -> int:
        """How many jokers lie in it."""
        return self.cards.count(JOKER)

    def stands_for(self, index: int) -> int:
        """What the card at ``index`` is or stands for: a card, or ``RANK + rank`` for a joker of a set."""
        card = self.cards[index]
        if card != JOKER:
            return card
        return RANK + self.low if self.suit == SET else RUN_CARD[self.suit][self.low + index]


@dataclass(frozen=True, eq=False, slots=True)
class MeldRules:
    """What melds may be and what they count; :func:`meld_rules` makes one object for the same options."""

    set_duplicates: bool
    naturals_majority: bool
    adjacent_jokers: bool
    run_max: int
    #: Points by rank in a set, and by place in a run.
    set_values: tuple[int, ...]
    run_values: tuple[int, ...]
    #: What the places below a place count together.
    run_sums: tuple[int, ...]


@lru_cache(maxsize=256)
def meld_rules(
    ace: int | str = 15,
    *,
    set_duplicates: bool = True,
    naturals_majority: bool = False,
    adjacent_jokers: bool = True,
    run_max: int = 14,
) -> MeldRules:
    """The rules of melds for the options of Kaluki; ``ace`` is 15, 11 or ``"11_high_1_low"``."""
    high = 11 if ace == "11_high_1_low" else int(ace)
    low = 1 if ace == "11_high_1_low" else high
    pips = (*range(2, 11), 10, 10, 10)
    sets, runs = (*pips, high), (low, *pips, high)
    sums = tuple(accumulate(runs, initial=0))
    return MeldRules(set_duplicates, naturals_majority, adjacent_jokers, run_max, sets, runs, sums)


# -- validity and value -------------------------------------------------------------


def is_well_formed(meld: object) -> bool:
    """Whether ``meld`` is a :class:`Meld` whose cards fit its kind and lie in order (any object may be asked)."""
    if type(meld) is not Meld or type(meld.cards) is not tuple or not meld.cards:
        return False
    suit, low, cards = meld
    if type(suit) is not int or type(low) is not int or any(type(card) is not int for card in cards):
        return False
    if suit == SET:
        naturals = [card for card in cards if card != JOKER]
        return (
            0 <= low <= _ACE
            and all(0 <= card < JOKER and card % 13 == low for card in naturals)
            and cards == (*sorted(naturals), *[JOKER] * (len(cards) - len(naturals)))
        )
    if not 0 <= suit <= 3 or low < 0 or low + len(cards) > _PLACES:
        return False
    row = RUN_CARD[suit]
    return all(card in (JOKER, row[low + place]) for place, card in enumerate(cards))


def fault(meld: Meld, rules: MeldRules) -> str | None:
    """What keeps a well-formed meld from being valid by ``rules``, as a code; ``None`` if nothing does.

    ``short``, ``no-natural``, ``majority``, ``twins`` (a suit twice in a set), ``full`` (a set of more
    than four), ``adjacent`` (jokers side by side in a run) or ``long``.
    """
    cards = meld.cards
    size = len(cards)
    if size < 3:
        return "short"
    jokers = cards.count(JOKER)
    if jokers == size:
        return "no-natural"
    if rules.naturals_majority and jokers * 2 >= size:
        return "majority"
    if meld.suit == SET:
        if not rules.set_duplicates:
            if len(set(cards)) < size - max(jokers - 1, 0):
                return "twins"
            if size > 4:
                return "full"
        return None
    if size > rules.run_max:
        return "long"
    if jokers > 1 and not rules.adjacent_jokers:
        last = UNSAID
        for card in cards:
            if card == JOKER == last:
                return "adjacent"
            last = card
    return None


def is_canonical(meld: Meld) -> bool:
    """Whether the cards, laid down at once, would lie so: an ace that fits at both ends goes to the high end."""
    return meld.suit == SET or meld.low > 0 or len(meld.cards) != 13


def worth(meld: Meld, rules: MeldRules) -> int:
    """The points of a meld; a joker counts what it stands for."""
    suit, low, cards = meld
    if suit == SET:
        return len(cards) * rules.set_values[low]
    return rules.run_sums[low + len(cards)] - rules.run_sums[low]


# -- growing ------------------------------------------------------------------------


def grown(meld: Meld, card: Card, stands: int) -> Meld | None:
    """The meld with one card more, or ``None`` if the card has no place there; options are not looked at.

    A joker needs what it shall stand for (``stands``: a card for a run, ``RANK + rank`` for a set).
    A card that fits at both ends of a run (an ace) goes to the high end.
    """
    suit, low, cards = meld
    if suit == SET:
        if card == JOKER:
            return Meld(SET, low, (*cards, JOKER)) if stands == RANK + low else None
        return Meld(SET, low, tuple(sorted((*cards, card)))) if card % 13 == low else None
    target = stands if card == JOKER else card
    high = low + len(cards)
    row = RUN_CARD[suit]
    if high < _PLACES and row[high] == target:
        return Meld(suit, low, (*cards, card))
    if low > 0 and row[low - 1] == target:
        return Meld(suit, low - 1, (card, *cards))
    return None


def added(meld: Meld, card: Card, stands: int, rules: MeldRules) -> Meld | None:
    """As :func:`grown`, but ``None`` also where the meld would not be valid."""
    result = grown(meld, card, stands)
    return result if result is not None and fault(result, rules) is None else None


def exchanged(meld: Meld, card: Card) -> Meld | None:
    """The meld with the natural ``card`` in the place of a joker that stands for it, or ``None``.

    In a set any natural card of the rank may come. Where both aces of a run are jokers, the high one
    is taken. Options are not looked at.
    """
    suit, low, cards = meld
    if JOKER not in cards or card == JOKER:
        return None
    if suit == SET:
        return Meld(SET, low, tuple(sorted((*cards[:-1], card)))) if card % 13 == low else None
    row = RUN_CARD[suit]
    for place in range(len(cards) - 1, -1, -1):
        if cards[place] == JOKER and row[low + place] == card:
            return Meld(suit, low, (*cards[:place], card, *cards[place + 1 :]))
    return None


def swapped(meld: Meld, card: Card, rules: MeldRules) -> Meld | None:
    """As :func:`exchanged`, but ``None`` also where the meld would not be valid."""
    result = exchanged(meld, card)
    return result if result is not None and fault(result, rules) is None else None


@lru_cache(maxsize=1 << 11)
def additions(meld: Meld, rules: MeldRules) -> tuple[tuple[Card, int, Meld], ...]:
    """Every card that may be added: (card, what a joker stands for or -1, the meld after it), ascending."""
    found = []
    suit, low, cards = meld
    if suit == SET:
        faces = [low + 13 * s for s in range(4)]
        ends = [RANK + low]
    else:
        high = low + len(cards)
        row = RUN_CARD[suit]
        faces = []
        if high < _PLACES:
            faces.append(row[high])
        if low > 0 and row[low - 1] not in faces:
            faces.append(row[low - 1])
        faces.sort()
        ends = faces
    for card in faces:
        result = added(meld, card, UNSAID, rules)
        if result is not None:
            found.append((card, UNSAID, result))
    for end in ends:
        result = added(meld, JOKER, end, rules)
        if result is not None:
            found.append((JOKER, end, result))
    return tuple(found)


@lru_cache(maxsize=1 << 10)
def swaps(meld: Meld, rules: MeldRules) -> tuple[tuple[Card, Meld], ...]:
    """Every natural card that may be given for a joker of the meld: (card, the meld after it), ascending."""
    if JOKER not in meld.cards:
        return ()
    if meld.suit == SET:
        faces = [meld.low + 13 * s for s in range(4)]
    else:
        faces = sorted({meld.stands_for(i) for i, card in enumerate(meld.cards) if card == JOKER})
    found = []
    for card in faces:
        changed = swapped(meld, card, rules)
        if changed is not None:
            found.append((card, changed))
    return tuple(found)


# -- finding ------------------------------------------------------------------------


def all_melds(one: int, two: int, jokers: int, rules: MeldRules, least: int = 0) -> list[Meld]:
    """Every valid meld worth at least ``least`` that a hand can lay, ascending.

    Jokers may also stand for cards that are held.
    """
    found: list[Meld] = []
    ranks = one | one >> 13 | one >> 26 | one >> 39
    for rank in range(13):
        if ranks >> rank & 1:
            suits, twice = one >> rank & _RANK_COLUMN, two >> rank & _RANK_COLUMN
            number = suits.bit_count() + twice.bit_count() + jokers
            if number >= 3 and number * rules.set_values[rank] >= least:
                found += sets_of(rank, suits, twice, jokers, rules, least)
    for suit in range(4):
        held = one >> 13 * suit & _SUIT
        if held:
            if not jokers:
                places = held << 1 | held >> _ACE
                if not places & places >> 1 & places >> 2:
                    continue
            found += _runs(suit, held, two >> 13 * suit + _ACE & 1, jokers, rules, least)
    return found


def melds_with(card: Card, one: int, two: int, jokers: int, rules: MeldRules, least: int = 0) -> list[Meld]:
    """Every valid meld worth at least ``least`` that holds a given card (or a joker), ascending."""
    if card == JOKER:
        return [meld for meld in all_melds(one, two, jokers, rules, least) if JOKER in meld.cards] if jokers else []
    rank, suit = card % 13, card // 13
    found = [*sets_of(rank, one >> rank & _RANK_COLUMN, two >> rank & _RANK_COLUMN, jokers, rules, least)]
    found += _runs(suit, one >> 13 * suit & _SUIT, two >> 13 * suit + _ACE & 1, jokers, rules, least)
    return [meld for meld in found if card in meld.cards]


_SUIT: Final = 0x1FFF
_RANK_COLUMN: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39


@lru_cache(maxsize=1 << 11)
def sets_of(rank: int, suits: int, twice: int, jokers: int, rules: MeldRules, least: int) -> tuple[Meld, ...]:
    """The sets of one rank; ``suits`` and ``twice`` are columns of the masks of a hand, shifted down."""
    most = [(suits >> 13 * s & 1) + (twice >> 13 * s & 1) for s in range(4)]
    size = max(3, -(-least // rules.set_values[rank]))
    if sum(most) + jokers < size:
        return ()
    found = []
    for numbers in product(*[range(number + 1) for number in most]):
        naturals = tuple([rank + 13 * s for s, number in enumerate(numbers) for _ in range(number)])
        if not naturals:
            continue
        for wild in range(max(0, size - len(naturals)), jokers + 1):
            meld = Meld(SET, rank, naturals + (JOKER,) * wild)
            if fault(meld, rules) is None:
                found.append(meld)
    return tuple(sorted(found))


@lru_cache(maxsize=1 << 11)
def _runs(suit: int, held: int, two_aces: int, jokers: int, rules: MeldRules, least: int) -> tuple[Meld, ...]:
    """The runs of one suit; ``held`` is the mask of its ranks."""
    row = RUN_CARD[suit]
    return tuple(
        [
            Meld(suit, low, tuple([JOKER if wild >> place & 1 else row[place] for place in range(low, low + size)]))
            for low, size, wild in _run_shapes(held, two_aces, jokers, rules, least)
        ]
    )


@lru_cache(maxsize=1 << 12)
def _run_shapes(
    held: int, two_aces: int, jokers: int, rules: MeldRules, least: int
) -> tuple[tuple[int, int, int], ...]:
    """The runs of any suit in the order of their melds: (lowest place, size, mask of the places of jokers)."""
    if held.bit_count() + two_aces + jokers < 3:
        return ()
    return tuple(
        [
            (low, size, wild)
            for low in range(_PLACES - 2)
            for size, wild in run_shapes_from(low, held, two_aces, jokers, rules, least)
        ]
    )


def run_shapes_from(
    low: int, held: int, two_aces: int, jokers: int, rules: MeldRules, least: int
) -> list[tuple[int, int]]:
    """The runs with a lowest place in the order of their melds: (size, mask of the places of jokers)."""
    places = held << 1 | held >> _ACE
    lone_ace = held >> _ACE and not two_aces
    sums = rules.run_sums
    found = []
    for size in range(3, min(_PLACES - low, rules.run_max) + 1):
        have = places & ((1 << size) - 1) << low
        gaps = size - have.bit_count()
        if gaps > jokers:
            break
        if not have or (low == 0 and size == 13) or sums[low + size] - sums[low] < least:
            continue
        # A lone ace can lie at one end only.
        both = size == _PLACES and lone_ace
        for wild in _wild_places(low, size, have, gaps, jokers):
            if both and not wild & (1 | 1 << 13):
                continue
            number = wild.bit_count()
            if number == size or (rules.naturals_majority and number * 2 >= size):
                continue
            if not rules.adjacent_jokers and wild & wild >> 1:
                continue
            order = tuple([wild >> place & 1 for place in range(low, low + size)])
            found.append((order, size, wild))
    # A joker sorts after every card, and a run after the shorter one that it begins with.
    found.sort()
    return [(size, wild) for _, size, wild in found]


def _wild_places(low: int, size: int, have: int, gaps: int, jokers: int) -> Iterator[int]:
    """The masks of places where jokers may lie: all gaps, and any others up to the number of jokers."""
    forced = ((1 << size) - 1) << low & ~have
    if gaps == jokers:
        yield forced
        return
    others = [1 << place for place in range(low, low + size) if have >> place & 1]
    for extra in range(min(jokers - gaps, len(others) - 1) + 1):
        for chosen in combinations(others, extra):
            yield forced | sum(chosen)


# -- hands as masks -----------------------------------------------------------------


def take_out(one: int, two: int, jokers: int, cards: Sequence[Card]) -> tuple[int, int, int] | None:
    """The hand without ``cards``, or ``None`` if it does not hold them all."""
    for card in cards:
        if card == JOKER:
            jokers -= 1
            continue
        bit = BIT[card]
        if two & bit:
            two ^= bit
        elif one & bit:
            one ^= bit
        else:
            return None
    return None if jokers < 0 else (one, two, jokers)


def hand_masks(cards: Sequence[Card]) -> tuple[int, int, int]:
    """``(one, two, jokers)`` of cards that hold no card more than twice."""
    one = two = jokers = 0
    for card in cards:
        if card == JOKER:
            jokers += 1
            continue
        bit = BIT[card]
        if one & bit:
            two |= bit
        else:
            one |= bit
    return one, two, jokers


# -- words --------------------------------------------------------------------------


def stands_text(stands: int) -> str:
    """What a joker stands for: ``"9"`` in a set, ``"9h"`` in a run."""
    return RANKS[stands - RANK] if stands >= RANK else card_text(stands)


def meld_text(meld: Meld) -> str:
    """The strict text of a meld: ``"9h Th Jk=Jh"``, ``"9s 9h Jk=9"``."""
    if meld.suit == NO_MELD:
        return " ".join(
            [f"Jk={stands_text(card - MEANT)}" if card >= MEANT else card_text(card) for card in meld.cards]
        )
    return " ".join(
        [
            f"Jk={stands_text(meld.stands_for(i))}" if card == JOKER else card_text(card)
            for i, card in enumerate(meld.cards)
        ]
    )


def parse_word(word: str) -> tuple[Card, int]:
    """Read a card or ``Jk=9h`` or ``Jk=9``, tolerantly: (card, what a joker stands for or -1)."""
    head, equals, tail = word.partition("=")
    card = parse_card(head)
    if not equals:
        return card, UNSAID
    if card == JOKER:
        rank = "T" if tail == "10" else tail.upper()
        if len(rank) == 1 and rank in RANKS:
            return JOKER, RANK + RANKS.index(rank)
        stands = parse_card(tail)
        if stands < JOKER:
            return JOKER, stands
    raise CardTextError(
        msg("{text} is not a joker with its meaning; expected Jk=9h in a run or Jk=9 in a set", text=quoted(word))
    )


def parse_meld(words: Sequence[str]) -> Meld:
    """Read the cards of a meld in any order; raises :class:`~meja.errors.CardTextError` for what is no card.

    A joker with a rank makes a set, with a card a run. Jokers without a meaning fill the gaps of a
    run, then extend it upwards to the ace, then downwards. Cards that are no meld at all give a
    meld whose ``suit`` is :data:`NO_MELD`, so that a checker can say why.
    """
    naturals: list[Card] = []
    meanings: list[int] = []
    aces: list[bool] = []
    for word in words:
        card, stands = parse_word(word)
        if card == JOKER:
            meanings.append(stands)
        else:
            naturals.append(card)
        if (stands if card == JOKER else card) % 13 == _ACE and stands < RANK:
            aces.append(card == JOKER)
    # Of a natural ace and a joker for the other one, the one written first lies at the low end.
    return make_meld(naturals, meanings, joker_high=aces == [False, True])


def make_meld(naturals: Sequence[Card], meanings: Sequence[int] = (), *, joker_high: bool = False) -> Meld:
    """A meld of natural cards and jokers, whose ``meanings`` are cards, ``RANK + rank``, or -1 for unsaid.

    In a run with both aces, one of them natural, ``joker_high`` puts the joker to the high end.
    """
    jokers = [JOKER if stands == UNSAID else MEANT + stands for stands in sorted(meanings)]
    heap = Meld(NO_MELD, 0, (*sorted(naturals), *jokers))
    ranks = {stands - RANK for stands in meanings if stands >= RANK}
    cards = [stands for stands in meanings if 0 <= stands < JOKER]
    if not ranks and not cards and len({card % 13 for card in naturals}) == 1:
        ranks = {naturals[0] % 13}
    if ranks:
        rank = min(ranks)
        if cards or len(ranks) > 1 or any(card % 13 != rank for card in naturals):
            return heap
        return Meld(SET, rank, (*sorted(naturals), *[JOKER] * len(meanings)))
    suits = {card // 13 for card in [*naturals, *cards]}
    if len(suits) != 1:
        return heap
    suit = min(suits)
    unsaid = len(meanings) - len(cards)
    for ace_places in ((13,), (0,), (0, 13)):
        run = _lay_run(suit, naturals, cards, unsaid, ace_places, joker_high)
        if run is not None:
            return run
    return heap


def _lay_run(
    suit: int,
    naturals: Sequence[Card],
    meant: Sequence[Card],
    unsaid: int,
    ace_places: tuple[int, ...],
    joker_high: bool,
) -> Meld | None:
    """The run of these cards with its aces at the given places, if there is one."""
    at: dict[int, Card] = {}
    free = list(ace_places)
    laid = [*((card, card) for card in naturals), *((card, JOKER) for card in meant)]
    # The high end is given first.
    for card, lies in reversed(laid) if joker_high else laid:
        if card % 13 == _ACE:
            if not free:
                return None
            place = free.pop()
        else:
            place = card % 13 + 1
        if place in at:
            return None
        at[place] = lies
    if free and len(ace_places) > 1:
        return None
    low, high = min(at), max(at)
    for place in range(low, high + 1):
        if place not in at:
            if not unsaid:
                return None
            at[place] = JOKER
            unsaid -= 1
    while unsaid:
        if high < _PLACES - 1:
            high += 1
            at[high] = JOKER
        elif low > 0:
            low -= 1
            at[low] = JOKER
        else:
            return None
        unsaid -= 1
    return Meld(suit, low, tuple(at[place] for place in range(low, high + 1)))
