"""Cards, packs, the text of cards, and the generator that shuffles them.

A card is a small integer: ``suit * 13 + rank`` with suits ``s h d c`` = 0..3 and ranks
``2 3 4 5 6 7 8 9 T J Q K A`` = 0..12. The order of these numbers is never the strength of
a card: each game has its own table. :data:`JOKER` is every joker, :data:`UNKNOWN` a card
that a seat may not see. Texts (``"As"``, ``"Td"``, ``"Jk"``, ``"??"``) are the contract
outside the process.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from meja.errors import CardTextError
from meja.messages import CardWord, Message, msg

Card: TypeAlias = int

SUITS: Final = "shdc"
RANKS: Final = "23456789TJQKA"
SUIT_SIGNS: Final = "♠♥♦♣"

JOKER: Final[Card] = 52
UNKNOWN: Final[Card] = 63

CARD_TEXT: Final[tuple[str, ...]] = (
    *(rank + suit for suit in SUITS for rank in RANKS),
    "Jk",
    *("" for _ in range(UNKNOWN - JOKER - 1)),
    "??",
)
#: ``BIT[card]`` is the bit of a card in a mask; a table, so that compiled code never shifts a C int.
BIT: Final[tuple[int, ...]] = tuple(1 << card for card in range(64))
SUIT_MASK: Final[tuple[int, ...]] = tuple(0x1FFF << (13 * suit) for suit in range(4))

_BY_TEXT: Final[dict[str, Card]] = {text: card for card, text in enumerate(CARD_TEXT) if text}
_SIGN_SUIT: Final = str.maketrans("♠♥♦♣♤♡♢♧", "shdcshdc", "\ufe0e\ufe0f")


def suit_of(card: Card) -> int:
    """The suit of a natural card: 0..3 for ``s h d c``."""
    return card // 13


def rank_of(card: Card) -> int:
    """The rank of a natural card: 0..12 for ``2 3 ... K A``."""
    return card % 13


def suit_name(suit: int) -> Message:
    """The name of a suit (0..3) as a word of the catalogue."""
    return (msg("spades"), msg("hearts"), msg("diamonds"), msg("clubs"))[suit]


def rank_name(rank: int) -> Message:
    """The name of a rank (0..12) as a word of the catalogue, plural ("kings")."""
    names = (
        msg("twos"), msg("threes"), msg("fours"), msg("fives"), msg("sixes"), msg("sevens"), msg("eights"),
        msg("nines"), msg("tens"), msg("jacks"), msg("queens"), msg("kings"), msg("aces"),
    )  # fmt: skip
    return names[rank]


def card_text(card: Card) -> str:
    """The strict text of a card: ``"As"``, ``"Jk"``, ``"??"``."""
    return CARD_TEXT[card]


def card_word(*cards: Card) -> CardWord:
    """Cards as a word for a sentence."""
    return CardWord(" ".join(CARD_TEXT[card] for card in cards))


def cards_text(cards: Iterable[Card]) -> str:
    """A card list with single spaces: ``"As Td Jk"``."""
    return " ".join(CARD_TEXT[card] for card in cards)


def parse_card(text: str) -> Card:
    """Read a card tolerantly (``10d``, ``TD``, ``a♠``); raise :class:`CardTextError` otherwise."""
    strict = _BY_TEXT.get(text)
    if strict is not None and strict != UNKNOWN:
        return strict
    word = text.strip().translate(_SIGN_SUIT)
    if word[:2] == "10":
        word = "T" + word[2:]
    if len(word) == 2:
        candidate = word[0].upper() + word[1].lower()
        card = _BY_TEXT.get(candidate)
        if card is not None and card != UNKNOWN:
            return card
    raise CardTextError(
        msg(
            "{text} is not a card; expected a rank (A K Q J T 9 8 7 6 5 4 3 2) and a suit (s h d c), or Jk",
            text=quoted(text),
        )
    )


def parse_cards(text: str) -> list[Card]:
    """Read a card list tolerantly; several spaces are one. An empty text is no cards."""
    return [parse_card(word) for word in text.split()]


def quoted(text: Any, limit: int = 40) -> str:
    """A piece of somebody's input for an error message: quoted, escaped and cut at ``limit`` characters."""
    shown = str(text)
    if len(shown) > limit:
        shown = shown[: limit - 1] + "…"
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in shown) + '"'


def mask_of(cards: Iterable[Card]) -> int:
    """The bit mask of different natural cards."""
    mask = 0
    for card in cards:
        mask |= BIT[card]
    return mask


def cards_of(mask: int) -> list[Card]:
    """The cards of a bit mask, in ascending order of their numbers."""
    cards = []
    while mask:
        low = mask & -mask
        cards.append(low.bit_length() - 1)
        mask ^= low
    return cards


# A multiply-with-carry generator: with a < 2**31 the state stays below 2**63, so the same
# expression gives the same stream in unbounded Python ints and in 64-bit C integers.
# a * 2**32 - 1 and a * 2**31 - 1 are prime (Marsaglia's condition for the full period, about 2**62).
_MULTIPLIER: Final = 2130997539
_LOW: Final = 0xFFFFFFFF
_WORD: Final = 0xFFFFFFFFFFFFFFFF


def _splitmix(value: int) -> int:
    """Steele, Lea and Flood's splitmix64 finaliser: spreads seeds that are close to each other."""
    value = (value + 0x9E3779B97F4A7C15) & _WORD
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _WORD
    return value ^ (value >> 31)


class Rng:
    """The documented generator: 64-bit multiply-with-carry, seeded by splitmix64.

    The same seed gives the same stream on every Python and in compiled code. It is
    for play and research; the table service shuffles with its own keyed method.
    """

    __slots__ = ("state",)

    def __init__(self, *seed: int) -> None:
        """Start a stream of its own for each tuple of integers ``seed``."""
        value = 0
        for part in seed:
            value = _splitmix(value ^ (part & _WORD))
            part >>= 64
            while part not in (0, -1):
                # The further words of a large number must not look like further numbers.
                value = _splitmix(~value & _WORD ^ (part & _WORD))
                part >>= 64
        low = (value & _LOW) or 1
        self.state = ((value >> 33) % (_MULTIPLIER - 1)) * (_LOW + 1) + low

    def next32(self) -> int:
        """The next 32 random bits."""
        state = _MULTIPLIER * (self.state & _LOW) + (self.state >> 32)
        self.state = state
        return (state ^ (state >> 32)) & _LOW

    def below(self, bound: int) -> int:
        """A random integer from 0 to ``bound - 1``, for any positive ``bound``.

        Up to 2**16 by multiply-shift (bias below 2**-16); larger bounds exactly, by rejection.
        """
        if bound <= 0x10000:
            state = _MULTIPLIER * (self.state & _LOW) + (self.state >> 32)
            self.state = state
            return (((state ^ (state >> 32)) & _LOW) * bound) >> 32
        words = (bound.bit_length() + 31) // 32
        limit = (1 << (32 * words)) // bound * bound
        while True:
            value = 0
            for _ in range(words):
                value = (value << 32) | self.next32()
            if value < limit:
                return value % bound

    def random(self) -> float:
        """A random float in [0, 1) with 53 bits."""
        return ((self.next32() >> 5) * 67108864 + (self.next32() >> 6)) / 9007199254740992

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Shuffle in place (Fisher-Yates, from the end)."""
        low, multiplier, state = _LOW, _MULTIPLIER, self.state
        for last in range(len(items) - 1, 0, -1):
            state = multiplier * (state & low) + (state >> 32)
            other = (((state ^ (state >> 32)) & low) * (last + 1)) >> 32
            items[last], items[other] = items[other], items[last]
        self.state = state

    def choice(self, items: Any) -> Any:
        """A random item of a non-empty sequence."""
        return items[self.below(len(items))]

    def clone(self) -> Rng:
        """An independent generator that goes on from the same point."""
        twin = Rng.__new__(Rng)
        twin.state = self.state
        return twin

    def fork(self) -> Rng:
        """A new generator seeded from this one."""
        return Rng(self.next32(), self.next32())


S = TypeVar("S", bound="Shuffler")


class Shuffler(Protocol):
    """What deals its cards from: :class:`Rng`, or a shuffle that others can check."""

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Shuffle in place."""

    def clone(self: S) -> S:
        """An independent generator that goes on from the same point."""

    def fork(self: S) -> S:
        """The generator for what is shuffled later in a deal."""


def shuffled(cards: Iterable[Card], rng: Rng) -> list[Card]:
    """The cards in a random order, as a new list."""
    order = list(cards)
    rng.shuffle(order)
    return order
