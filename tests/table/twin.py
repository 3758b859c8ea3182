"""A second truth: a table that differs in everything that one reader cannot know, and in nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import MutableSequence, Sequence
from typing import Any

import msgspec

from meja.cards import Rng
from meja.deal import Deal
from meja.errors import MejaError
from meja.table import log
from meja.table.state import Table
from meja.view import Event


class _Orders:
    """A shuffle that gives reshuffled piles in a fixed order."""

    def __init__(self, orders: Sequence[Sequence[int]], place: int = 0) -> None:
        self._orders = orders
        self._place = place

    def shuffle(self, items: MutableSequence[Any]) -> None:
        order = self._orders[self._place]
        assert sorted(order) == sorted(items)
        items[:] = order
        self._place += 1

    def clone(self) -> _Orders:
        return _Orders(self._orders, self._place)

    def fork(self) -> _Orders:
        return self


class Twin(Table):
    """A table whose deal number ``number`` is ``world``."""

    def __init__(self, table: str, number: int, world: Deal[Any]) -> None:
        super().__init__(table)
        self._number = number
        self._world = world

    def _deal(self, entry: log.Dealt) -> tuple[Event, ...]:
        if entry.deal != self._number:
            return super()._deal(entry)
        assert self.match is not None
        for seat in self.seats:
            seat.ready, seat.seed = False, ""
        self._layout = self._world.layout()
        self.match.next_deal(self._layout, rng=self._stream())
        return (Event("deal", self.match.dealer, {"deal": entry.deal}),)

    def _stream(self) -> Any:
        return _Orders(self._world.reshuffles()) if self.deal_number + 1 >= self._number else super()._stream()


def twin(table: Table, rows: Sequence[log.Row], seat: int | None, rng: Rng) -> Twin | None:
    """A table that ``seat`` (``None``: a spectator) cannot tell from ``table``, whose log is ``rows``.

    ``None`` where the cards that were drawn do not fit what the reader saw of decisions that were taken back.
    """
    deal = table.deal
    assert deal is not None
    world = deal.determinize(seat, rng)
    actions = [world.text(action) for _, action in world.actions()]
    number = table.deal_number
    made = Twin(table.id, number, world)
    kept: list[int] = []
    undone: set[int] = set()
    at = -1
    rewritten: list[log.Row] = []
    for row in rows:
        entry = _renamed(row.entry, None if seat is None else table.seats[seat].person)
        match entry:
            case log.Committed(of, commit, _) if of > number or (of == number and not deal.over):
                # The hash is public, what it hides is not.
                entry = log.Committed(of, commit, hashlib.sha256(f"other {rng.next32()}".encode()).hexdigest())
            case log.Dealt(of):
                at = of
                kept = []
            case log.Acted() if at == number:
                kept.append(len(rewritten))
            case log.Undone(_, keep) if at == number:
                undone |= {rows[place].seq for place in kept[keep:]}
                del kept[keep:]
            case log.Claimed(who, played) if at == number:
                last = actions[len(actions) - len(played) :]
                entry = log.Claimed(who, [(s, text) for (s, _), text in zip(played, last, strict=True)])
        rewritten.append(log.Row(row.seq, entry, f"other-{row.actor[::-1]}", row.key[::-1], row.at))
    for place, text in zip(kept, actions, strict=False):
        row = rewritten[place]
        acted = row.entry
        assert isinstance(acted, log.Acted)
        rewritten[place] = msgspec.structs.replace(row, entry=log.Acted(acted.seat, text, acted.by))
    try:
        for row in rewritten:
            made.apply(row)
    except (MejaError, AssertionError):
        if table.undos:
            return None
        raise
    seen = _seen(made, undone, seat)
    return made if seen == _seen(table, undone, seat) else None


def _seen(table: Table, seqs: set[int], seat: int | None) -> list[Any]:
    return [[event.seen_by(seat) for event in step.events] for step in table.steps if step.seq in seqs]


def _renamed(entry: log.AnyEntry, me: str | None) -> log.AnyEntry:
    """The entry with other ids for everybody but the reader: ids are secrets of their owners."""

    def other(who: str) -> str:
        return who if not who or who == me else f"{who[::-1]}-other"

    match entry:
        case log.Created():
            seats = [msgspec.structs.replace(seat, person=other(seat.person)) for seat in entry.seats]
            return msgspec.structs.replace(entry, seats=seats, host=other(entry.host))
        case log.Sat(seat, who, name):
            return log.Sat(seat, other(who), name)
    return entry
