"""A soak: very many deals over random options, every invariant watched.

    python -m meja.testing.soak --deals 200000 --jobs 2

Half of the deals are played at random, half by rules of thumb; the costly checks are made at a
random share of the decisions. Prints the counts, or the first fault with the record that shows it.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from meja.bots import RULES_OF_THUMB, Budget, make_bot
from meja.bots.workers import WorkerPool
from meja.cards import Rng
from meja.deal import Deal
from meja.games import games
from meja.testing.conformance import Policy, Report, check_game, random_policy
from meja.testing.mixes import random_rules

_BATCH = 40


def thumb_policy(name: str, odd: int = 10) -> Policy:
    """Rules of thumb through the seat's view; one action in ``odd`` is random, so that odd positions come up."""
    bot = make_bot(RULES_OF_THUMB, name)

    def policy(deal: Deal[Any], rng: Rng) -> Any:
        if rng.below(odd) == 0:
            return random_policy(deal, rng)
        return bot.act(deal.view(deal.to_act), Budget(seed=rng.next32()))

    return policy


def soak_batch(name: str, seed: int, batch: int, thorough: float) -> Report:
    """Forty deals by one random mix of options."""
    rng = Rng(seed, batch, len(name))
    rules = random_rules(name, rng)
    policy = thumb_policy(name) if batch % 2 else random_policy
    return check_game(rules, deals=_BATCH, seed=rng.next32(), policy=policy, thorough=thorough)


def main(arguments: list[str] | None = None) -> int:
    """Run the soak; exit code 1 at the first fault."""
    parser = argparse.ArgumentParser(
        prog="python -m meja.testing.soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", action="append", choices=games(), help="only this game; may be given several times")
    parser.add_argument("--deals", type=int, default=200_000, help="deals of each game (default 200,000)")
    parser.add_argument("--thorough", type=float, default=0.02, help="share of decisions checked in full (0.02)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args(arguments)
    with WorkerPool(args.jobs) as pool:
        for name in args.game or games():
            began = time.monotonic()
            report = Report()
            batches = -(-args.deals // _BATCH)
            try:
                for start in range(0, batches, 64):
                    futures = [
                        pool.submit(soak_batch, name, args.seed, batch, args.thorough)
                        for batch in range(start, min(start + 64, batches))
                    ]
                    for future in futures:
                        report.add(future.result())
                    if sys.stderr.isatty():
                        print(f"\r{name}: {report.deals:,} deals", end="", file=sys.stderr)
            except AssertionError as fault:
                print(f"{name}: after {report.deals:,} deals: {fault}")
                return 1
            print(f"{name}: no fault in {report}; {time.monotonic() - began:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
