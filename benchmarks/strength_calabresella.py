#!/usr/bin/env python3
"""How strong the bots of Calabresella are: card points in the play alone, and chips with everything.

    .venv/bin/python benchmarks/strength_calabresella.py cards master rules-of-thumb --pairs 500 --log FILE
    .venv/bin/python benchmarks/strength_calabresella.py chips master rules-of-thumb --deals 1000 --log FILE

``cards``: the soloist is the seat with the strongest of the three hands after call and exchange (Chiamo, by
rules of thumb). The same cards are played twice, A alone against two of B, then B alone against two of A; what counts
is the soloist's card points of the first less those of the second. ``chips``: a deal with its auction is played three
times, A in every seat against two of B; what counts is A's mean of chips. The log holds a JSON line per deal: when it
is there already, what is missing is played, so that a run can be stopped and gone on with.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import meja
from meja.arena.statistics import estimate
from meja.bots import BOTS, Bot, Budget, make_bot
from meja.bots.calabresella import strength
from meja.bots.calabresella_levels import LEVELS
from meja.cards import mask_of

GAME = "calabresella"
CARDS = "cards"


def bot(name: str) -> Bot:
    """A level, or a bot that the commands know."""
    return LEVELS[name]() if name in LEVELS else make_bot(name, GAME)


def start(rules: Any, number: int, seed: int) -> Any:
    """The deal of a number, before its auction."""
    return meja.new_match(rules, dealer=number % rules.seats).next_deal(meja.Rng(seed, number))


def prepared(rules: Any, number: int, seed: int) -> Any:
    """The deal of a number at the first lead: the strongest hand is alone, everything before by rules of thumb."""
    deal = start(rules, number, seed)
    hands = {seat: strength(mask_of(deal.view(seat).hand)) for seat in deal.players}
    alone = max(deal.players, key=lambda seat: hands[seat])
    thumb = make_bot("rules-of-thumb", GAME)
    while deal.phase != "play":
        view = deal.view(deal.to_act)
        if deal.phase == "auction":
            deal.apply("bid chiamo" if deal.to_act == alone else "pass")
        else:
            deal.advance(thumb.act(view, Budget(seed=seed)))
    return deal


def finish(deal: Any, bots: dict[int, Bot], budget: Budget) -> Any:
    """Play a deal to its end; the deal."""
    while deal.to_act is not None:
        seat = deal.to_act
        deal.advance(bots[seat].act(deal.view(seat), budget))
    return deal


def pair(rules: Any, one: Bot, other: Bot, number: int, seed: int, iterations: int | None) -> dict[str, Any]:
    """The thirds of the soloist: first with ``one`` alone, then with ``other``."""
    deal = prepared(rules, number, seed)
    thirds = []
    budget = Budget(seed=seed, iterations=iterations)
    for alone, against in ((one, other), (other, one)):
        bots = {seat: alone if seat == deal.bidder else against for seat in deal.players}
        thirds.append(finish(deal.clone(), bots, budget).thirds()[0])
    return {"number": number, "thirds": thirds, "value": round((thirds[0] - thirds[1]) / 3, 4)}


def round_of_seats(rules: Any, one: Bot, other: Bot, number: int, seed: int, iterations: int | None) -> dict[str, Any]:
    """The chips of ``one`` in every seat against ``other`` in the rest."""
    chips, alone = [], []
    budget = Budget(seed=seed, iterations=iterations)
    deal = start(rules, number, seed)
    for place in deal.players:
        bots = {seat: one if seat == place else other for seat in deal.players}
        played = finish(deal.clone(), bots, budget)
        chips.append(played.score()[place])
        alone.append(played.bidder == place and not played.void)
    return {"number": number, "chips": chips, "alone": sum(alone), "value": round(sum(chips) / len(chips), 4)}


def known(path: Path, head: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """What a log holds already; a new log gets its first line."""
    if path.exists() and path.stat().st_size:
        lines = [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")]
        if lines[0] != head:
            raise SystemExit(f"{path} is of something else: {lines[0]}")
        return {line["number"]: line for line in lines[1:]}
    path.write_text(json.dumps(head) + "\n")
    return {}


def results(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """A line per deal: those of the log, then the new ones, written as they come."""
    options = {name: json.loads(value) for name, value in (given.split("=", 1) for given in args.option)}
    rules = meja.make_rules(GAME, preset=args.preset, **options)
    head = {
        "what": args.what,
        "bots": [args.one, args.other],
        "rules": rules.to_dict(),
        "seed": args.seed,
        "iterations": args.iterations,
    }
    done = known(args.log, head) if args.log else {}
    one, other = bot(args.one), bot(args.other)
    play = pair if args.what == CARDS else round_of_seats
    for number in range(args.count):
        line = done.get(number)
        if line is None:
            line = play(rules, one, other, number, args.seed, args.iterations)
            if args.log:
                with args.log.open("a") as log:
                    log.write(json.dumps(line) + "\n")
        yield line


def report(lines: Sequence[dict[str, Any]], args: argparse.Namespace, seconds: float) -> str:
    """One line that says what came out."""
    found = estimate([line["value"] for line in lines])
    unit = "card points per swap pair" if args.what == CARDS else "chips per deal"
    text = f"{args.one} against {args.other}, {args.preset}: {found.mean:+.3f} {unit}"
    text += f" ({found.low:+.3f} to {found.high:+.3f}, N {found.deals}, seed {args.seed}), {seconds:.0f} s"
    if args.what == CARDS:
        won = [sum(line["thirds"][place] >= 18 for line in lines) / len(lines) for place in (0, 1)]
        text += f"; alone it wins {won[0]:.0%}, the other {won[1]:.0%}"
    else:
        text += f"; alone in {sum(line['alone'] for line in lines) / len(lines) / 3:.0%}"
    return text


def main() -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(description="How strong the bots of Calabresella are.")
    names = [*LEVELS, *BOTS]
    parser.add_argument("what", choices=[CARDS, "chips"])
    parser.add_argument("one", choices=names)
    parser.add_argument("other", choices=names)
    parser.add_argument("--preset", default="standard")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--pairs", "--deals", dest="count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--iterations", type=int)
    parser.add_argument("--log", type=Path)
    args = parser.parse_args()
    began = time.monotonic()
    lines = list(results(args))
    print(report(lines, args, time.monotonic() - began))
    return 0


if __name__ == "__main__":
    sys.exit(main())
