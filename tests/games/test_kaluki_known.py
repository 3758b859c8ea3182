"""What everybody knows to be in a hand is in it."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from meja.cards import Rng, cards_text, parse_card, parse_cards
from meja.deal import Deal, Layout
from meja.games import game
from meja.games.kaluki import KalukiRules
from meja.games.kaluki_turn import DISCARD, DRAW
from meja.rules import Rules
from meja.testing import all_presets, random_rules

PRESETS = list(all_presets("kaluki"))
MIXES = [random_rules("kaluki", Rng(31, seed)) for seed in range(12)]


def taking(deal: Deal[Any], rng: Rng) -> Any:
    """A legal action by chance, but rather one that takes a card from the pile or lays something."""
    legal: Any = deal.legal_actions()
    busy = [move for move in getattr(legal, "plain", legal) if move.verb not in (DRAW, DISCARD)]
    if busy and rng.below(8):
        return rng.choice(busy)
    sample = getattr(legal, "sample", None)
    return rng.choice(legal) if sample is None else sample(rng)


@pytest.mark.rule("K4.7")
def test_of_two_equal_cards_that_everybody_knows_one_stays_known_after_the_other_is_discarded() -> None:
    rules = KalukiRules.make(2)
    run = "6s 7s 8s 9s Ts Js Qs Ks As"
    hands = [parse_cards(f"{run} 2d 3d 5d 7h 9h Jh"), parse_cards("4c 4c 2h 3h 5h 8d Td Qd Kd 2c 3c 5c 7c 8c Jc")]
    pack = list(game("kaluki").deal.pack(rules))
    for card in [*hands[0], *hands[1], parse_card("Jd")]:
        pack.remove(card)
    layout = Layout((tuple(hands[0]), tuple(hands[1])), (), parse_card("Jd"), tuple(pack))
    deal: Any = game("kaluki").deal.from_layout(rules, 1, layout)
    for action in (
        "draw",
        f"meld {run}",
        "discard 2d",
        "draw",
        "discard 4c",
        "take",
        "discard 3d",
        "draw",
        "discard 4c",
    ):
        deal.apply(action)
    assert cards_text(deal.view(1).known[0]) == "4c"
    deal.apply("take")
    assert cards_text(deal.view(1).known[0]) == "4c 4c"
    # The one just taken may not go, so it is the one that was taken before.
    deal.apply("discard 4c")
    assert cards_text(deal.view(1).known[0]) == "4c"
    assert deal.view(0).hand.count(parse_card("4c")) == 1


@pytest.mark.parametrize("rules", [*PRESETS, *MIXES], ids=str)
def test_known_cards_are_in_the_hand_and_in_every_hand_that_could_be(rules: Rules, long: bool) -> None:
    known = 0
    for seed in range(40 if long else 3):
        rng = Rng(seed, rules.seats)
        deal: Any = game("kaluki").deal.shuffle(rules, 0, rng.fork())
        while deal.to_act is not None:
            deal.advance(taking(deal, rng))
            for seat in range(rules.seats):
                said = Counter(deal.known[seat])
                assert said <= Counter(deal.hand(seat)), (rules, seed, len(deal.log))
                known += said.total()
            if rng.below(60) == 0:
                world = deal.determinize((deal.to_act or 0), rng)
                for seat in range(rules.seats):
                    assert Counter(deal.known[seat]) <= Counter(world.hand(seat))
    assert known > 0
