"""Playing whole matches between bots, one process or several, always the same for the same seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from meja.bots import Bot, Budget, make_bot
from meja.bots.workers import WorkerPool
from meja.cards import Rng
from meja.errors import MejaError
from meja.games import new_match
from meja.messages import msg
from meja.record import Record
from meja.rules import Rules

#: A match that is still undecided after so many deals is broken off and says so in ``meta.ended``.
MOST_DEALS: Final = 2000
_CHUNK: Final = 8
_MOST_WORKERS: Final = 256


def play_match(
    rules: Rules, bots: Sequence[str | Bot], seed: int, number: int = 0, most_deals: int = MOST_DEALS
) -> Record:
    """Play match ``number`` of the series ``seed``; ``bots`` are names or bots of your own, one per seat.

    The first dealer is drawn. Each bot sees the view of its seat and nothing else.
    """
    if len(bots) != rules.seats:
        raise MejaError(msg("expected {seats} bots, found {found}", seats=rules.seats, found=len(bots)))
    players = [make_bot(bot, rules.game) if isinstance(bot, str) else bot for bot in bots]
    names = [bot if isinstance(bot, str) else bot.name or type(bot).__name__ for bot in bots]
    rng = Rng(seed, number)
    match = new_match(rules, dealer=rng.below(rules.seats), players=[f"bot:{name}" for name in names])
    budget = Budget(seed=rng.next32())
    while not match.over and len(match.deals) < most_deals:
        deal = match.next_deal(rng.fork())
        while deal.to_act is not None:
            match.apply(players[deal.to_act].act(deal.view(deal.to_act), budget))
    meta: dict[str, object] = {"seed": seed, "match": number}
    if not match.over:
        meta["ended"] = f"broken off after {most_deals} deals"
    return Record.of_match(match, meta=meta)


def _play_some(rules: Rules, bots: Sequence[str | Bot], seed: int, numbers: Sequence[int]) -> list[Record]:
    return [play_match(rules, bots, seed, number) for number in numbers]


def simulate(rules: Rules, bots: Sequence[str | Bot], matches: int, seed: int = 0, jobs: int = 1) -> Iterator[Record]:
    """Play ``matches`` matches in order of their numbers, in ``jobs`` processes.

    What comes out does not depend on ``jobs``, if it does not depend on what a bot of your own remembers from one match
    to the next. With several processes such a bot must be of a class that they can import.
    """
    if jobs <= 1:
        for number in range(matches):
            yield play_match(rules, bots, seed, number)
        return
    chunks = (range(start, min(start + _CHUNK, matches)) for start in range(0, matches, _CHUNK))
    workers = min(jobs, -(-matches // _CHUNK), _MOST_WORKERS)
    pool = WorkerPool(workers)
    waiting: list[Future[list[Record]]] = []
    try:
        # No more work is handed out than keeps the processes busy: results are held in order.
        waiting += [pool.submit(_play_some, rules, bots, seed, chunk) for chunk in islice(chunks, workers * 4)]
        while waiting:
            yield from waiting.pop(0).result()
            waiting += [pool.submit(_play_some, rules, bots, seed, chunk) for chunk in islice(chunks, 1)]
    except BrokenProcessPool:
        raise MejaError(msg("a process that played matches was ended from outside; nothing was written")) from None
    finally:
        pool.end()


@dataclass
class Summary:
    """Counts over simulated matches: what a command prints at the end."""

    matches: int = 0
    unfinished: int = 0
    deals: int = 0
    voids: int = 0
    #: By seat: matches won (shared wins count for each), and points over all deals.
    wins: Counter[int] = field(default_factory=Counter)
    points: Counter[int] = field(default_factory=Counter)

    def add(self, record: Record) -> None:
        """Count one record."""
        self.matches += 1
        self.unfinished += record.winners is None
        self.wins.update(record.winners or ())
        for deal in record.deals:
            self.deals += 1
            self.voids += deal.void
            for seat, points in enumerate(deal.score or ()):
                self.points[seat] += points
