#!/usr/bin/env python3
"""Speed of the trick games' kernels: deals, playouts, worlds, searches; beside OpenSpiel's hearts with its C++ bots.

    .venv/bin/python benchmarks/kernels_tricks.py [--seconds 1.0] [--rounds 5] [--json FILE]

Rates are of one core's CPU time. The rounds of all subjects are interleaved and the median of the rounds counts, so
that ratios are of one and the same run. OpenSpiel's part is left out where it is not installed.
"""

from __future__ import annotations

import argparse
import importlib
import json
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import meja
from meja.cards import Rng
from meja.search import ismcts, kernels, pimc
from meja.search.dice import Dice
from meja.search.policies import Policy
from meja.search.tricks import Tricks, position, random_deals
from meja.search.weights import thumb_policy
from meja.search.worlds import Dealer, Worlds, draw_worlds, spin

#: How many of it a call does, and the call.
Subject = tuple[int, Callable[[], object]]

GAMES: dict[str, tuple[str, dict[str, Any]]] = {
    "bassadewitz": ("bassadewitz", {}),
    "calabresella, free": ("calabresella", {}),
    "calabresella, follow": ("calabresella", {"follow_suit": True}),
    "smear": ("smear", {}),
}


def in_play(name: str, options: dict[str, Any], seed: int, plays: int = 0) -> Any:
    """A deal inside its play, by random actions."""
    rng = Rng(seed)
    while True:
        deal: Any = meja.new_match(name, **options).next_deal(rng)
        while deal.to_act is not None and deal.phase != "play":
            legal = deal.legal_actions()
            deal.advance(legal[rng.below(len(legal))])
        for _ in range(plays):
            if deal.to_act is not None:
                legal = deal.legal_actions()
                deal.advance(legal[rng.below(len(legal))])
        if deal.to_act is not None:
            return deal


def card_by_card(start: Tricks, count: int) -> None:
    """Whole deals, each card asked for and played from Python."""
    game, dice = Tricks(), Dice(5)
    game.copy(start)
    for _ in range(count):
        game.rewind(start)
        game.shuffle(dice)
        while game.turn >= 0:
            cards = game.cards()
            game.play(cards[dice.below(len(cards))])
        game.score()


def playouts(start: Tricks, policy: Policy, count: int) -> None:
    """Deals played to the end by a policy."""
    game, dice = Tricks(), Dice(5)
    game.copy(start)
    for _ in range(count):
        game.rewind(start)
        policy.playout(game, dice)


def subjects(scale: int) -> dict[str, Subject]:
    """All that is measured here."""
    found: dict[str, Subject] = {}
    start = position(in_play("bassadewitz", {}, 1))
    found["bassadewitz, random deals in the kernel"] = (50 * scale, partial(random_deals, start, 50 * scale, 7))
    found["bassadewitz, card by card from Python"] = (5 * scale, partial(card_by_card, start, 5 * scale))
    for title, (name, options) in GAMES.items():
        deal = in_play(name, options, 3)
        here = position(deal)
        found[f"{title}: playouts by rules of thumb"] = (
            5 * scale,
            partial(playouts, here, thumb_policy(deal.rules), 5 * scale),
        )
        view = (later := in_play(name, options, 3, 6)).view(later.to_act)
        hidden = view.hidden()
        found[f"{title}: worlds in the kernel"] = (
            100 * scale,
            partial(spin, Worlds(hidden.groups, hidden.room), Dice(3), 100 * scale),
        )
        found[f"{title}: worlds to Python"] = (20 * scale, partial(draw_worlds, view, 20 * scale, Dice(3)))
        found[f"{title}: worlds with likelihood"] = (
            5 * scale,
            partial(weighed, view, thumb_policy(deal.rules), 5 * scale),
        )
        found[f"{title}: PIMC worlds, all cards, random"] = (scale, partial(pimc.think, view, worlds=scale))
        found[f"{title}: PIMC worlds, all cards, rules of thumb"] = (
            scale,
            partial(pimc.think, view, worlds=scale, policy=thumb_policy(deal.rules)),
        )
        found[f"{title}: tree iterations"] = (10 * scale, partial(ismcts.think, view, iterations=10 * scale))
    return found


def weighed(view: Any, policy: Policy, count: int) -> None:
    """Worlds drawn and weighed by how well they explain the play so far."""
    dealer, dice = Dealer(view), Dice(3)
    for _ in range(count):
        dealer.worlds.draw(dice)
        dealer.likelihood(policy, 0.3)


def hearts(scale: int) -> dict[str, Subject]:
    """OpenSpiel's hearts, deal and play by its C++ random bots."""
    try:
        pyspiel = importlib.import_module("pyspiel")
    except ImportError:
        return {}
    game = pyspiel.load_game("hearts")
    bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in range(4)]

    def play() -> None:
        for number in range(scale):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, number)

    return {"OpenSpiel hearts, C++ bots": (scale, play)}


def measure(found: dict[str, Subject], rounds: int, seconds: float) -> dict[str, float]:
    """Median rates by subject, per second of CPU."""
    rates: dict[str, list[float]] = {name: [] for name in found}
    for _ in range(rounds):
        for name, (count, call) in found.items():
            done, began = 0, time.process_time()
            while (spent := time.process_time() - began) < seconds or not done:
                call()
                done += count
            rates[name].append(done / spent)
    return {name: statistics.median(values) for name, values in rates.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of the trick games' kernels.")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds per subject and round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    compiled = all(kernels().values())
    scale = 200 if compiled else 2
    found = subjects(scale) | hearts(10 * scale if compiled else 20)
    rates = measure(found, args.rounds, args.seconds)
    print(f"kernels {'compiled' if compiled else 'NOT compiled'}; medians of {args.rounds} rounds")
    for name, rate in rates.items():
        print(f"{name:58} {rate:14,.0f} /s")
    peer = rates.get("OpenSpiel hearts, C++ bots")
    if peer:
        ratio = rates["bassadewitz, random deals in the kernel"] / peer
        print(f"{'random deals in the kernel against OpenSpiel hearts':58} {ratio:14.1f} x")
    if args.json:
        args.json.write_text(json.dumps(rates, indent=1) + "\n")


if __name__ == "__main__":
    main()
