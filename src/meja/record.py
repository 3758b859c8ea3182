"""Game records, format ``meja/1``: a whole match in one JSON document.

The writer is strict, the reader tolerant in the words of cards and actions and strict in
everything else. What a record says of scores, totals and winners is recomputed when it is
read; a difference is a fault like any other. See ``docs/records.md``.
"""

from __future__ import annotations

import json
import os
import re
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NoReturn

from meja.cards import Card, Rng, card_text, cards_text, parse_cards, quoted
from meja.deal import Deal, Layout
from meja.display import drawn
from meja.errors import MejaError, RecordError
from meja.games import Game, game, games, new_match
from meja.match import Match
from meja.messages import Message, SeatWord, msg
from meja.rules import Rules

FORMAT: Final = "meja/1"
#: A record larger than this (in bytes) is refused: the longest matches need far less than a hundredth of it.
LARGEST: Final = 64 * 1024 * 1024

_REQUIRED: Final = ("format", "game", "rules", "rules_version", "players", "deals")
_OPTIONAL: Final = ("totals", "winners", "fairness", "meta")
_LAYOUT_KEYS: Final[Mapping[str, tuple[str, ...]]] = {"calabresella": ("monte",), "kaluki": ("upcard", "stock")}
_EXTRA_KEYS: Final[Mapping[str, tuple[str, ...]]] = {"kaluki": ("reshuffles",)}


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal of a record.

    ``actions``: (seat, action in the words of the record). ``score`` is ``None`` for a void deal
    and for one in progress.
    """

    dealer: int
    layout: Layout
    actions: tuple[tuple[int, str], ...]
    reshuffles: tuple[tuple[Card, ...], ...] = ()
    score: tuple[int, ...] | None = None
    void: bool = False

    @classmethod
    def of_deal(cls, deal: Deal[Any]) -> DealRecord:
        """What a record says of a deal, finished or in progress."""
        return cls(
            dealer=deal.dealer,
            layout=deal.layout(),
            actions=tuple((seat, deal.text(action)) for seat, action in deal.actions()),
            reshuffles=tuple(deal.reshuffles()),
            score=deal.score() if deal.over and not deal.void else None,
            void=deal.over and deal.void,
        )

    def to_dict(self, name: str) -> dict[str, Any]:
        """The deal as JSON values; ``name`` is the game."""
        document: dict[str, Any] = {
            "dealer": self.dealer,
            "hands": [cards_text(hand) for hand in self.layout.hands],
        }
        if name == "calabresella":
            document["monte"] = cards_text(self.layout.monte)
        if name == "kaluki":
            document["upcard"] = "" if self.layout.upcard is None else card_text(self.layout.upcard)
            document["stock"] = cards_text(self.layout.stock)
        if self.reshuffles:
            document["reshuffles"] = [cards_text(order) for order in self.reshuffles]
        document["actions"] = [f"{seat} {text}" for seat, text in self.actions]
        if self.void:
            document["void"] = True
        elif self.score is not None:
            document["score"] = list(self.score)
        return document

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """The actions in order: (seat, words)."""
        return iter(self.actions)

    def __len__(self) -> int:
        """How many actions there are."""
        return len(self.actions)

    def __bool__(self) -> bool:
        # A deal before its first action is a deal.
        return True


@dataclass(frozen=True, slots=True)
class Record:
    """A match, finished or not, as it is kept, shared and checked."""

    rules: Rules
    players: tuple[str, ...]
    deals: tuple[DealRecord, ...] = ()
    totals: tuple[int, ...] | None = None
    winners: tuple[int, ...] | None = None
    fairness: Mapping[str, Any] | None = None
    meta: Mapping[str, Any] | None = field(default=None)

    @classmethod
    def of_match(
        cls, match: Match, *, meta: Mapping[str, Any] | None = None, fairness: Mapping[str, Any] | None = None
    ) -> Record:
        """The record of a match as it stands."""
        deals = [*match.deals, *([match.deal] if match.deal is not None else [])]
        return cls(
            rules=match.rules,
            players=match.players,
            deals=tuple(DealRecord.of_deal(deal) for deal in deals),
            totals=match.totals if match.over else None,
            winners=match.winners,
            fairness=fairness,
            meta=meta,
        )

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.rules.game

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON values, keys in the order of the format."""
        document: dict[str, Any] = {
            "format": FORMAT,
            "game": self.rules.game,
            "rules": self.rules.to_dict(),
            "rules_version": self.rules.version,
            "players": list(self.players),
            "deals": [deal.to_dict(self.rules.game) for deal in self.deals],
        }
        if self.totals is not None and self.winners is not None:
            document["totals"] = list(self.totals)
            document["winners"] = list(self.winners)
        if self.fairness is not None:
            document["fairness"] = dict(self.fairness)
        if self.meta is not None:
            document["meta"] = dict(self.meta)
        return document

    def __iter__(self) -> Iterator[DealRecord]:
        """The deals in order."""
        return iter(self.deals)

    def __len__(self) -> int:
        """How many deals there are."""
        return len(self.deals)

    def __bool__(self) -> bool:
        # A record before its first deal is a record.
        return True

    def _repr_html_(self) -> str | None:
        """What notebooks show: the scores, and each deal in words."""
        return drawn(self)

    def start(self) -> Match:
        """The match before its first deal."""
        dealer = self.deals[0].dealer if self.deals else 0
        return new_match(self.rules, dealer=dealer, players=list(self.players))

    def start_deal(self, match: Match, number: int, rng: Rng | None = None) -> Deal[Any]:
        """Start deal ``number`` of the record in ``match``, which stands right before it.

        Raises :class:`~meja.errors.RecordError` if it cannot follow there.
        """
        return _start_deal(match, self.deals[number], number, rng)

    def steps(self, rng: Rng | None = None) -> Iterator[tuple[Match, int, int]]:
        """Replay: yields (match, deal, actions done) at the start of each deal and after each action.

        The match is one and the same object, which goes on; it is checked at every action.
        Raises :class:`~meja.errors.RecordError` at the first action that the rules do not allow.
        ``rng`` shuffles what comes after the record's end, where play goes on.
        """
        match = self.start()
        for number, recorded in enumerate(self.deals):
            deal = _start_deal(match, recorded, number, rng)
            yield match, number, 0
            for index, (seat, text) in enumerate(recorded.actions):
                _do(match, deal, seat, text, f"deals[{number}].actions[{index}]")
                yield match, number, index + 1
            _check_reshuffles(deal, recorded, number)

    def replay(self, rng: Rng | None = None) -> Match:
        """The match as it stands at the end of the record, ready to go on."""
        match = self.start()
        for match, _, _ in self.steps(rng):  # noqa: B007 - the last one is the answer
            pass
        return match


def _start_deal(match: Match, recorded: DealRecord, number: int, rng: Rng | None) -> Deal[Any]:
    place = f"deals[{number}]"
    if match.over:
        raise RecordError(msg("the match was over before this deal; nothing may follow"), place)
    if match.deal is not None:
        raise RecordError(msg("the deal before this one has not ended"), place)
    if recorded.dealer != match.dealer:
        raise RecordError(
            msg(
                "the dealer is recorded as seat {found}, by the rules it is seat {expected}",
                found=recorded.dealer,
                expected=match.dealer,
            ),
            f"{place}.dealer",
        )
    try:
        return match.next_deal(recorded.layout, recorded.reshuffles, rng)
    except MejaError as error:
        raise RecordError(error.text, place) from None


def _do(match: Match, deal: Deal[Any], seat: int, text: str, place: str) -> None:
    if deal.to_act is None:
        raise RecordError(msg("the deal is over before this action"), place)
    if seat != deal.to_act:
        raise RecordError(
            msg("{found} is recorded, but {expected} is to act", found=SeatWord(seat), expected=SeatWord(deal.to_act)),
            place,
        )
    try:
        action = deal.parse(text)
        reason = deal.why_illegal(action)
        if reason is None:
            match.advance(action)
            return
    except MejaError as error:
        raise RecordError(error.text, place) from None
    raise RecordError(
        msg("{action}: {text} (rule {rule})", action=quoted(text, 200), text=reason.text, rule=reason.rule), place
    )


def _check_reshuffles(deal: Deal[Any], recorded: DealRecord, number: int) -> None:
    took_place = len(deal.reshuffles())
    if took_place != len(recorded.reshuffles):
        raise RecordError(
            msg(
                "{found} reshuffles are recorded, {expected} took place",
                found=len(recorded.reshuffles),
                expected=took_place,
            ),
            f"deals[{number}].reshuffles",
        )


# -- writing ----------------------------------------------------------------------


def dumps(record: Record, *, pretty: bool = False) -> str:
    """The record as JSON text: one line, or laid out for reading."""
    document = record.to_dict()
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2 if pretty else None)
    return text + "\n" if pretty else text


def save(path: str | os.PathLike[str], record: Record) -> None:
    """Write one record to a file, whole or not at all."""
    with atomic_file(path) as file:
        file.write(dumps(record, pretty=True).encode())


def save_all(path: str | os.PathLike[str], records: Iterable[Record]) -> int:
    """Write a collection (``.mejal``: one record per line), whole or not at all; returns how many."""
    count = 0
    with atomic_file(path) as file:
        for record in records:
            file.write(dumps(record).encode() + b"\n")
            count += 1
    return count


class atomic_file:
    """A binary file that appears under its name only when everything in it is on the disk.

    It is written beside its target and renamed over it at the end of the ``with`` block; if
    the block fails, the target stays as it was and nothing is left behind.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        # A link stays a link: what it points to is replaced.
        self._path = Path(os.path.realpath(path))

    def __enter__(self) -> Any:
        try:
            mode = os.stat(self._path).st_mode
        except FileNotFoundError:
            mode = None
        if mode is not None and not stat.S_ISREG(mode):
            # A pipe or a device cannot be renamed over; it is written to as it is (a folder raises here).
            self._name = None
            self._file: Any = open(self._path, "wb")
            return self._file
        handle, self._name = tempfile.mkstemp(prefix=f".{self._path.name[:200]}.", dir=self._path.parent)
        if mode is None:
            # mkstemp makes the file private; a record gets the rights any new file would get.
            mask = os.umask(0)
            os.umask(mask)
            mode = 0o666 & ~mask
        if hasattr(os, "fchmod"):
            os.fchmod(handle, stat.S_IMODE(mode))
        self._file = os.fdopen(handle, "wb")
        return self._file

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if self._name is None:
            self._file.close()
            return
        try:
            with self._file:
                if kind is None:
                    self._file.flush()
                    os.fsync(self._file.fileno())
            if kind is None:
                os.replace(self._name, self._path)
        finally:
            # After the renaming there is nothing left under this name.
            Path(self._name).unlink(missing_ok=True)


# -- reading ----------------------------------------------------------------------


def loads(text: str | bytes) -> Record:
    """Read one record and check it by replay; raises the first fault as a :class:`RecordError`."""
    record, faults = examine(text)
    if faults:
        raise faults[0]
    assert record is not None
    return record


def load(path: str | os.PathLike[str]) -> Record:
    """Read one record from a file and check it by replay."""
    with open(path, "rb") as file:
        data = file.read(LARGEST + 1)
    return loads(data)


def load_all(path: str | os.PathLike[str]) -> Iterator[Record]:
    """Read the records of a collection one by one (or a file with a single record)."""
    for _, data in read_documents(path):
        yield loads(data)


def read_documents(path: str | os.PathLike[str]) -> Iterator[tuple[int | None, bytes]]:
    """The documents of a file: (line number from 1, or ``None`` for a single record, its bytes).

    A file named ``.mejal`` is a collection, one named ``.meja`` a single record; of any other
    name the first line decides: a collection if it is a complete document by itself. Empty
    lines are skipped.
    """
    name = os.fspath(path)
    with open(path, "rb") as file:
        first = file.readline(LARGEST + 1)
        lines = name.endswith(".mejal") or (not name.endswith(".meja") and _complete(first))
        if not lines:
            yield None, first + file.read(LARGEST + 1 - len(first))
            return
        line, number = first, 1
        while line:
            if line.strip():
                yield number, line.rstrip(b"\r\n")
            while line and not line.endswith(b"\n"):
                # The rest of a line that is too long is passed over; its beginning is refused as too large.
                line = file.readline(LARGEST + 1)
            line, number = file.readline(LARGEST + 1), number + 1


def _complete(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def examine(text: str | bytes) -> tuple[Record | None, list[RecordError]]:
    """Read one record and collect its faults; the record is ``None`` if its form cannot be read."""
    faults: list[RecordError] = []
    try:
        document = _parse_json(text)
    except RecordError as fault:
        return None, [fault]
    record = _Reader(faults).record(document)
    if record is None or faults:
        return None, faults
    match = _compare(record, document, faults)
    if not faults:
        # The words as the writer writes them: hands sorted, melds in order.
        deals = [*match.deals, *([match.deal] if match.deal is not None else [])]
        record = replace(record, deals=tuple(DealRecord.of_deal(deal) for deal in deals))
    return record, faults


def _compare(record: Record, document: Mapping[str, Any], faults: list[RecordError]) -> Match:
    """Replay the record and compare every number that it states."""
    match = record.start()
    try:
        for number, recorded in enumerate(record.deals):
            deal = _start_deal(match, recorded, number, None)
            for index, (seat, text) in enumerate(recorded.actions):
                _do(match, deal, seat, text, f"deals[{number}].actions[{index}]")
            _check_reshuffles(deal, recorded, number)
            _compare_score(deal, recorded, number, number == len(record.deals) - 1, faults)
    except RecordError as fault:
        faults.append(fault)
        return match
    for key, expected in (("totals", match.totals), ("winners", match.winners)):
        found = document.get(key)
        if not match.over:
            if key in document:
                faults.append(RecordError(msg("the match is not over, so there are no {key}", key=key), key))
        elif found is None:
            faults.append(
                RecordError(
                    msg("missing; the match is over, by the rules they are {expected}", expected=_list(expected)), key
                )
            )
        elif tuple(found) != expected:
            if key == "totals" and len(found) == len(match.totals):
                faults.extend(
                    RecordError(
                        msg("{seat} has {expected} by the rules, recorded is {found}",
                            seat=SeatWord(seat), expected=right, found=wrong),
                        f"totals[{seat}]",
                    )
                    for seat, (wrong, right) in enumerate(zip(found, match.totals, strict=True))
                    if wrong != right
                )  # fmt: skip
            else:
                faults.append(
                    RecordError(
                        msg(
                            "recorded as {found}, by the rules {expected}", found=_list(found), expected=_list(expected)
                        ),
                        key,
                    )
                )
    return match


def _list(values: Any) -> str:
    return "[" + ", ".join(map(str, values or ())) + "]"


def _compare_score(deal: Deal[Any], recorded: DealRecord, number: int, last: bool, faults: list[RecordError]) -> None:
    place = f"deals[{number}]"
    if not deal.over:
        if recorded.score is not None or recorded.void:
            key = "score" if recorded.score is not None else "void"
            faults.append(RecordError(msg("the actions do not end the deal, so it has no {key}", key=key), place))
        if not last:
            raise RecordError(msg("the deal has not ended, but another one follows"), place)
        return
    if deal.void:
        if recorded.score is not None:
            faults.append(RecordError(msg("the deal is void by the rules, so it has no score"), f"{place}.score"))
        elif not recorded.void:
            faults.append(RecordError(msg('missing "void": true; the deal is void by the rules'), place))
        return
    score = deal.score()
    if recorded.void:
        faults.append(
            RecordError(
                msg("the deal is not void; by the rules its score is {score}", score=_list(score)), f"{place}.void"
            )
        )
    elif recorded.score is None:
        faults.append(RecordError(msg("missing score; by the rules it is {score}", score=_list(score)), place))
    else:
        faults.extend(
            RecordError(
                msg(
                    "deal {deal}: {seat} gets {expected} by the rules, recorded is {found}",
                    deal=number,
                    seat=SeatWord(seat),
                    expected=right,
                    found=wrong,
                ),
                f"{place}.score[{seat}]",
            )
            for seat, (wrong, right) in enumerate(zip(recorded.score, score, strict=True))
            if wrong != right
        )


def _parse_json(text: str | bytes) -> Any:
    if len(text) > LARGEST:
        raise RecordError(msg("larger than {limit} MiB: too large for a record", limit=LARGEST // 1024 // 1024))
    if isinstance(text, bytes):
        if text.startswith(b"\xef\xbb\xbf"):
            raise RecordError(msg("begins with a byte order mark; expected UTF-8 without one"))
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise RecordError(
                msg(
                    "not UTF-8: byte {value} at offset {offset}", value=f"0x{text[error.start]:02x}", offset=error.start
                )
            ) from None
    if not text.strip():
        raise RecordError(msg("empty; expected a JSON document"))
    try:
        return json.loads(
            text,
            object_pairs_hook=_no_doubles,
            parse_constant=_no_constant,
            parse_float=_finite,
            parse_int=_small_int,
        )
    except json.JSONDecodeError as error:
        line, column = error.lineno, error.colno
        if error.msg == "Extra data":
            raise RecordError(
                msg("line {line}, column {column}: something follows the end of the record", line=line, column=column)
            ) from None
        if not text[error.pos :].strip() or error.msg.startswith("Unterminated string"):
            raise RecordError(
                msg("line {line}, column {column}: the record is cut off here", line=line, column=column)
            ) from None
        raise RecordError(
            msg("line {line}, column {column}: not JSON ({why})", line=line, column=column, why=error.msg)
        ) from None
    except RecursionError:
        raise RecordError(msg("nested too deeply to be a record")) from None


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise RecordError(msg("the key {key} is given twice", key=quoted(key)))
            seen.add(key)
    for key, value in pairs:
        _check_unicode(key)
        _check_unicode(value)
    return found


_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def _check_unicode(value: Any) -> None:
    if isinstance(value, str):
        if _SURROGATE.search(value):
            raise RecordError(msg("{text} holds half of a character (a lone surrogate)", text=quoted(value)))
    elif isinstance(value, list):
        # Objects inside a list were checked when they were read.
        for item in value:
            _check_unicode(item)


def _no_constant(name: str) -> NoReturn:
    raise RecordError(msg("{name} is not a JSON number", name=name))


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise RecordError(msg("the number {text} is too large", text=quoted(text)))
    return value


def _small_int(text: str) -> int:
    if len(text) > 20:
        raise RecordError(msg("the number {text} is too large", text=quoted(text)))
    return int(text)


_ACTION: Final = re.compile(r"\s*([0-9]+)\s+(\S.*?)\s*", re.DOTALL)


class _Reader:
    """Turns a JSON document into a record and collects what is wrong with its form."""

    def __init__(self, faults: list[RecordError]) -> None:
        self.faults = faults

    def fault(self, text: Message, place: str = "") -> None:
        self.faults.append(RecordError(text, place))

    def record(self, document: Any) -> Record | None:
        if not isinstance(document, dict):
            self.fault(msg("expected a JSON object, found {found}", found=_kind(document)))
            return None
        self._keys(document, _REQUIRED, _OPTIONAL, "")
        if document.get("format") != FORMAT:
            if "format" in document:
                self.fault(
                    msg('expected "{expected}", found {found}', expected=FORMAT, found=_shown(document["format"])),
                    "format",
                )
            return None
        name = document.get("game")
        if not isinstance(name, str) or name not in games():
            if "game" in document:
                self.fault(
                    msg("expected one of: {known}; found {found}", known=", ".join(games()), found=_shown(name)), "game"
                )
            return None
        self._version(document.get("rules_version", 1), game(name))
        players = self._players(document.get("players", []))
        known = players and "rules" in document
        rules = self._rules(document["rules"], game(name), len(players)) if known else None
        for key in ("fairness", "meta"):
            if key in document and not isinstance(document[key], dict):
                self.fault(msg("expected an object, found {found}", found=_kind(document[key])), key)
        if rules is None:
            return None
        totals = self._integers(document, "totals", rules.seats)
        winners = self._integers(document, "winners", None)
        deals = document.get("deals")
        if not isinstance(deals, list):
            if "deals" in document:
                self.fault(msg("expected a list, found {found}", found=_kind(deals)), "deals")
            return None
        made = [self._deal(deal, rules, f"deals[{number}]") for number, deal in enumerate(deals)]
        if self.faults:
            return None
        return Record(
            rules=rules,
            players=tuple(players),
            deals=tuple(deal for deal in made if deal is not None),
            totals=totals,
            winners=winners,
            fairness=document.get("fairness"),
            meta=document.get("meta"),
        )

    def _keys(self, found: Mapping[str, Any], required: Iterable[str], optional: Iterable[str], place: str) -> None:
        required, optional = tuple(required), tuple(optional)
        for key in required:
            if key not in found:
                self.fault(msg("the key {key} is missing", key=quoted(key)), place)
        for key in found:
            if key not in required and key not in optional:
                self.fault(
                    msg(
                        "unknown key {key}; expected one of: {known}",
                        key=quoted(key),
                        known=", ".join(required + optional),
                    ),
                    place,
                )

    def _version(self, version: Any, made: Game) -> None:
        known = made.rules.version
        if type(version) is not int:
            self.fault(msg("expected an integer, found {found}", found=_shown(version)), "rules_version")
        elif version != known:
            self.fault(
                msg(
                    "this record is by version {found} of the rules of {game}; this program knows version {known}",
                    found=version,
                    game=made.name,
                    known=known,
                ),
                "rules_version",
            )

    def _players(self, players: Any) -> list[str]:
        if not isinstance(players, list):
            self.fault(msg("expected a list, found {found}", found=_kind(players)), "players")
            return []
        for seat, player in enumerate(players):
            if not isinstance(player, str):
                self.fault(msg("expected a text, found {found}", found=_kind(player)), f"players[{seat}]")
                return []
        if not players:
            self.fault(msg("expected one name per seat, found none"), "players")
        return players

    def _rules(self, rules: Any, made: Game, seats: int) -> Rules | None:
        if not isinstance(rules, dict):
            self.fault(msg("expected an object, found {found}", found=_kind(rules)), "rules")
            return None
        try:
            return made.rules.from_dict(seats, rules)
        except MejaError as error:
            place = "players" if seats not in made.rules.seat_numbers else "rules"
            self.fault(error.text, place)
            return None

    def _integers(
        self, found: Mapping[str, Any], key: str, length: int | None, place: str = ""
    ) -> tuple[int, ...] | None:
        if key not in found:
            return None
        place = f"{place}.{key}" if place else key
        values = found[key]
        if not isinstance(values, list):
            self.fault(msg("expected a list of integers, found {found}", found=_kind(values)), place)
            return None
        if length is not None and len(values) != length:
            self.fault(msg("expected {expected} integers, found {found}", expected=length, found=len(values)), place)
            return None
        for index, value in enumerate(values):
            if type(value) is not int:
                self.fault(msg("expected an integer, found {found}", found=_shown(value)), f"{place}[{index}]")
                return None
        return tuple(values)

    def _deal(self, deal: Any, rules: Rules, place: str) -> DealRecord | None:
        if not isinstance(deal, dict):
            self.fault(msg("expected an object, found {found}", found=_kind(deal)), place)
            return None
        name = rules.game
        layout_keys = _LAYOUT_KEYS.get(name, ())
        self._keys(
            deal,
            ("dealer", "hands", *layout_keys, "actions"),
            (*_EXTRA_KEYS.get(name, ()), "score", "void"),
            place,
        )
        dealer = deal.get("dealer")
        if "dealer" in deal and (type(dealer) is not int or not 0 <= dealer < rules.seats):
            self.fault(
                msg("expected a seat from 0 to {last}, found {found}", last=rules.seats - 1, found=_shown(dealer)),
                f"{place}.dealer",
            )
        hands = self._hands(deal, rules, place)
        monte = self._cards(deal, "monte", place)
        stock = self._cards(deal, "stock", place)
        upcard = self._cards(deal, "upcard", place)
        if "upcard" in layout_keys and upcard is not None and len(upcard) != 1:
            self.fault(msg("expected one card, found {found}", found=len(upcard)), f"{place}.upcard")
        reshuffles = self._reshuffles(deal, place)
        actions = self._actions(deal, rules, place)
        score = self._integers(deal, "score", rules.seats, place)
        if "void" in deal:
            if deal["void"] is not True:
                self.fault(msg("expected true, found {found}", found=_shown(deal["void"])), f"{place}.void")
            if "score" in deal:
                self.fault(msg("a void deal has no score"), place)
        if self.faults:
            return None
        return DealRecord(
            dealer=deal["dealer"],
            layout=Layout(
                hands=tuple(hands),
                monte=monte or (),
                upcard=upcard[0] if upcard else None,
                stock=stock or (),
            ),
            actions=tuple(actions),
            reshuffles=tuple(reshuffles),
            score=score,
            void="void" in deal,
        )

    def _hands(self, deal: Mapping[str, Any], rules: Rules, place: str) -> list[tuple[Card, ...]]:
        hands = deal.get("hands")
        if not isinstance(hands, list):
            if "hands" in deal:
                self.fault(msg("expected a list, found {found}", found=_kind(hands)), f"{place}.hands")
            return []
        if len(hands) != rules.seats:
            self.fault(
                msg("expected {expected} hands, found {found}", expected=rules.seats, found=len(hands)),
                f"{place}.hands",
            )
        return [self._card_list(hand, f"{place}.hands[{seat}]") or () for seat, hand in enumerate(hands)]

    def _cards(self, deal: Mapping[str, Any], key: str, place: str) -> tuple[Card, ...] | None:
        return self._card_list(deal[key], f"{place}.{key}") if key in deal else None

    def _card_list(self, text: Any, place: str) -> tuple[Card, ...] | None:
        if not isinstance(text, str):
            self.fault(msg("expected a text with cards, found {found}", found=_kind(text)), place)
            return None
        if len(text) > 4000:
            self.fault(msg("too long for a list of cards"), place)
            return None
        try:
            return tuple(parse_cards(text))
        except MejaError as error:
            self.fault(error.text, place)
            return None

    def _reshuffles(self, deal: Mapping[str, Any], place: str) -> list[tuple[Card, ...]]:
        if "reshuffles" not in deal:
            return []
        orders = deal["reshuffles"]
        if not isinstance(orders, list) or not orders:
            self.fault(
                msg("expected a list with one text per reshuffle, or no such key where none took place"),
                f"{place}.reshuffles",
            )
            return []
        return [self._card_list(order, f"{place}.reshuffles[{number}]") or () for number, order in enumerate(orders)]

    def _actions(self, deal: Mapping[str, Any], rules: Rules, place: str) -> list[tuple[int, str]]:
        actions = deal.get("actions")
        if not isinstance(actions, list):
            if "actions" in deal:
                self.fault(msg("expected a list, found {found}", found=_kind(actions)), f"{place}.actions")
            return []
        made = game(rules.game).deal
        found = []
        for index, text in enumerate(actions):
            where = f"{place}.actions[{index}]"
            if not isinstance(text, str):
                self.fault(msg("expected a text, found {found}", found=_kind(text)), where)
                continue
            parts = _ACTION.fullmatch(text) if len(text) <= 4000 else None
            seat = int(parts[1][-9:]) if parts else -1
            if parts is None or parts[1].strip("0")[:-9] or not 0 <= seat < rules.seats:
                self.fault(
                    msg(
                        "{text} is not an action; expected a seat from 0 to {last}, a space and a verb",
                        text=quoted(text),
                        last=rules.seats - 1,
                    ),
                    where,
                )
                continue
            try:
                found.append((seat, made.text(made.recorded(parts[2]))))
            except MejaError as error:
                self.fault(error.text, where)
        return found


def _kind(value: Any) -> Message:
    """What kind of JSON value was found, as a word."""
    if isinstance(value, bool):
        return msg("true or false")
    if isinstance(value, int | float):
        return msg("a number")
    if isinstance(value, str):
        return msg("a text")
    if isinstance(value, list):
        return msg("a list")
    return msg("an object") if isinstance(value, dict) else msg("null")


def _shown(value: Any) -> str:
    """A value as it stands in the document, cut short."""
    if isinstance(value, str):
        return quoted(value)
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 40 else text[:39] + "…"
