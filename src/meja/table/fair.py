"""The fair shuffle ``meja-shuffle/1``: a deck fixed before the deal, which everybody can check after it.

The server binds itself to a secret seed by its hash, then every person adds a seed, then the
deck follows from all of them. See ``docs/fair-shuffle.md``.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Mapping, MutableSequence, Sequence
from dataclasses import dataclass
from typing import Any, Final

from meja.cards import Card, card_word, quoted
from meja.deal import Chance, Deal, Layout
from meja.errors import MejaError, RecordError
from meja.messages import Message, SeatWord, msg
from meja.record import DealRecord, Record

VERSION: Final = "meja-shuffle/1"
#: How many bytes a seed has, the server's and each person's.
SEED_BYTES: Final = 32

_WORDS: Final = 1 << 32
_HEX: Final = re.compile(rf"[0-9a-f]{{{2 * SEED_BYTES}}}")
#: A table's name is part of what is hashed: it must not hold the signs that stand between the parts.
_TABLE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


def commit(server_seed: bytes, table: str, deal: int) -> str:
    """What the server shows before deal number ``deal`` (from 1) of a table: it fixes the seed and hides it."""
    _check(server_seed, table, deal)
    return hashlib.sha256(server_seed + f"{table}/{deal}".encode()).hexdigest()


class FairRng:
    """The stream of random words of one deal: it shuffles the pack, and goes on for later reshuffles."""

    __slots__ = ("_block", "_key", "_message", "_words")

    def __init__(self, server_seed: bytes, client_seeds: Mapping[int, str], table: str, deal: int) -> None:
        """The stream of deal number ``deal`` (from 1); ``client_seeds`` are 64 hex digits by seat."""
        _check(server_seed, table, deal)
        given = []
        for seat, seed in sorted(client_seeds.items()):
            word = seed.lower()
            if not _HEX.fullmatch(word):
                raise MejaError(
                    msg("the seed of {seat} must be {digits} hex digits", seat=SeatWord(seat), digits=2 * SEED_BYTES)
                )
            given.append(f"{seat}:{word}")
        self._key = server_seed
        self._message = f"{','.join(given)}|{table}|{deal}|"
        self._block = 0
        #: The words of the last block that are still to come, the next one last.
        self._words: list[int] = []

    def next32(self) -> int:
        """The next 32 random bits."""
        if not self._words:
            block = hmac.digest(self._key, f"{self._message}{self._block}".encode(), "sha256")
            self._words = [int.from_bytes(block[place : place + 4], "big") for place in range(28, -1, -4)]
            self._block += 1
        return self._words.pop()

    def below(self, bound: int) -> int:
        """A random integer from 0 to ``bound - 1``, each exactly as likely; ``bound`` is 2**32 at most."""
        if not 1 <= bound <= _WORDS:
            raise ValueError(f"expected a bound from 1 to 2**32, not {bound}")
        limit = _WORDS - _WORDS % bound
        while True:
            word = self.next32()
            if word < limit:
                return word % bound

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Shuffle in place (Fisher-Yates, from the end)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def clone(self) -> FairRng:
        """An independent stream that goes on from the same point."""
        twin = FairRng.__new__(FairRng)
        twin._key = self._key
        twin._message = self._message
        twin._block = self._block
        twin._words = self._words[:]
        return twin

    def fork(self) -> FairRng:
        """The stream itself: a deal's reshuffles go on where its pack ended."""
        return self


def shuffled_pack(
    pack: Sequence[Card], server_seed: bytes, client_seeds: Mapping[int, str], table: str, deal: int
) -> tuple[list[Card], FairRng]:
    """The pack as it is dealt, and the stream that goes on for the deal's reshuffles."""
    stream = FairRng(server_seed, client_seeds, table, deal)
    cards = list(pack)
    stream.shuffle(cards)
    return cards, stream


def _check(server_seed: bytes, table: str, deal: int) -> None:
    if len(server_seed) != SEED_BYTES:
        raise MejaError(msg("a server's seed has {bytes} bytes, not {found}", bytes=SEED_BYTES, found=len(server_seed)))
    if not _TABLE.fullmatch(table):
        raise MejaError(msg("a table's name for a shuffle has letters, digits, - and _ only, 64 at most"))
    if deal < 1:
        raise MejaError(msg("the deals of a shuffle are counted from 1, not from {found}", found=deal))


# -- checking a record --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DealCheck:
    """What came of checking one deal (counted from 1): ``problem`` is ``None`` if its cards follow from its seeds."""

    deal: int
    problem: Message | None = None

    @property
    def ok(self) -> bool:
        """Whether the deal's cards follow from its seeds, and the seed from what was shown before."""
        return self.problem is None


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a record says of the shuffle of one deal; ``server_seed`` is ``None`` if it was never shown."""

    deal: int
    commit: str
    server_seed: bytes | None
    client_seeds: Mapping[int, str]


def check_record(record: Record) -> list[DealCheck]:
    """Check the ``fairness`` of a record against its deals, each by itself.

    Raises :class:`~meja.errors.RecordError` for a record without fairness or with one that is
    malformed, and for a record that does not follow the rules.
    """
    if record.fairness is None:
        raise RecordError(msg("the record says nothing of how its cards were shuffled"), "fairness")
    table, entries = _read(record.fairness, record)
    found: list[DealCheck] = []
    for match, number, done in record.steps():
        if done == 0:
            assert match.deal is not None
            entry = entries.get(number + 1)
            problem = (
                msg("nothing is recorded of its shuffle")
                if entry is None
                else _problem(match.deal, record.deals[number], entry, table)
            )
            found.append(DealCheck(number + 1, problem))
    found.extend(
        DealCheck(deal, msg("the record has a shuffle for it, but no such deal"))
        for deal in sorted(entries)
        if deal > len(record.deals)
    )
    return found


def _problem(start: Deal[Any], recorded: DealRecord, entry: _Entry, table: str) -> Message | None:
    """What is wrong with the shuffle of a deal that stands at its start."""
    if entry.server_seed is None:
        return msg("the server's seed was never shown")
    if commit(entry.server_seed, table, entry.deal) != entry.commit:
        return msg("the server's seed is not the one it was bound to before the deal")
    made, rules, dealer = type(start), start.rules, start.dealer
    cards, stream = shuffled_pack(made.pack(rules), entry.server_seed, entry.client_seeds, table, entry.deal)
    problem = _other_layout(recorded.layout, made.lay_out(rules, dealer, cards))
    if problem is not None:
        return problem
    return _other_reshuffle(start, recorded, Chance(stream)) if recorded.reshuffles else None


def _other_reshuffle(start: Deal[Any], recorded: DealRecord, chance: Chance) -> Message | None:
    """The first reshuffle that is another one than ``chance`` gives, up to which the deal is the recorded one."""
    deal = type(start).from_layout(start.rules, start.dealer, recorded.layout, start.context, chance)
    for _, text in recorded.actions:
        deal.advance(deal.parse(text))
        fallen = deal.reshuffles()
        if fallen and fallen[-1] != recorded.reshuffles[len(fallen) - 1]:
            return msg("reshuffle {number} does not follow from the seeds", number=len(fallen))
        if len(fallen) == len(recorded.reshuffles):
            break
    return None


def _other_layout(found: Layout, expected: Layout) -> Message | None:
    """Where the cards lie otherwise than the seeds say."""
    for seat, (hand, other) in enumerate(zip(found.hands, expected.hands, strict=True)):
        # A record sorts each hand, so the order within it says nothing.
        if sorted(hand) != sorted(other):
            return msg("the cards dealt to {seat} do not follow from the seeds", seat=SeatWord(seat))
    if found.monte != expected.monte:
        return msg("the monte does not follow from the seeds")
    if found.upcard != expected.upcard:
        assert found.upcard is not None
        return msg("the upcard {card} does not follow from the seeds", card=card_word(found.upcard))
    if found.stock != expected.stock:
        return msg("the stock does not follow from the seeds")
    return None


def _read(fairness: Mapping[str, Any], record: Record) -> tuple[str, dict[int, _Entry]]:
    """The table's name and what is recorded of each deal, by its number."""
    _keys(fairness, ("version", "table", "deals"), "fairness")
    version = fairness["version"]
    if version != VERSION:
        raise RecordError(
            msg(
                'this program knows the shuffle "{expected}" only, found {found}',
                expected=VERSION,
                found=quoted(version),
            ),
            "fairness.version",
        )
    table = fairness["table"]
    if not isinstance(table, str) or not _TABLE.fullmatch(table):
        raise RecordError(
            msg("a table's name for a shuffle has letters, digits, - and _ only, 64 at most"), "fairness.table"
        )
    deals = fairness["deals"]
    if not isinstance(deals, list):
        raise RecordError(msg("expected a list with one object per deal"), "fairness.deals")
    entries: dict[int, _Entry] = {}
    for index, value in enumerate(deals):
        place = f"fairness.deals[{index}]"
        entry = _read_entry(value, record.rules.seats, place)
        if entry.deal in entries:
            raise RecordError(msg("the shuffle of deal {deal} is given twice", deal=entry.deal), place)
        entries[entry.deal] = entry
    return table, entries


def _read_entry(value: Any, seats: int, place: str) -> _Entry:
    if not isinstance(value, Mapping):
        raise RecordError(msg("expected a list with one object per deal"), place)
    _keys(value, ("deal", "commit", "server_seed", "client_seeds"), place)
    deal = value["deal"]
    if type(deal) is not int or deal < 1:
        raise RecordError(
            msg("expected the number of a deal, from 1; found {found}", found=quoted(deal)), f"{place}.deal"
        )
    seeds = value["client_seeds"]
    if not isinstance(seeds, Mapping):
        raise RecordError(msg("expected an object with one seed per seat that gave one"), f"{place}.client_seeds")
    client_seeds: dict[int, str] = {}
    for name, seed in seeds.items():
        where = f"{place}.client_seeds.{name}"
        if name not in map(str, range(seats)):
            raise RecordError(
                msg("expected a seat from 0 to {last}, found {found}", last=seats - 1, found=quoted(name)), where
            )
        client_seeds[int(name)] = _hex(seed, where)
    shown = value["server_seed"]
    return _Entry(
        deal,
        _hex(value["commit"], f"{place}.commit"),
        None if shown is None else bytes.fromhex(_hex(shown, f"{place}.server_seed")),
        client_seeds,
    )


def _hex(value: Any, place: str) -> str:
    if not isinstance(value, str) or not _HEX.fullmatch(value):
        raise RecordError(
            msg(
                "expected {digits} hex digits in lower case, found {found}", digits=2 * SEED_BYTES, found=quoted(value)
            ),
            place,
        )
    return value


def _keys(found: Mapping[str, Any], known: Sequence[str], place: str) -> None:
    for key in known:
        if key not in found:
            raise RecordError(msg("the key {key} is missing", key=quoted(key)), place)
    for key in found:
        if key not in known:
            raise RecordError(
                msg("unknown key {key}; expected one of: {known}", key=quoted(key), known=", ".join(known)), place
            )
