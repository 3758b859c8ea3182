"""Claiming the rest: offered where nothing can prevent it, whatever the others hold and do, and only there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.table.hall import Hall, by_chance, kinds, short

from meja.bots import RULES_OF_THUMB
from meja.cards import Rng, parse_cards
from meja.deal import Deal, Layout
from meja.games import game, make_rules
from meja.rules import Rules
from meja.table.botpool import choose
from meja.table.claims import all_tricks, claimable
from meja.table.commands import Claim, Refusal
from meja.testing.mixes import random_rules

pytestmark = pytest.mark.anyio

TRICK_GAMES = ("bassadewitz", "calabresella", "smear")


# -- what the proof promises --------------------------------------------------------


def _positions(rules: Rules, rng: Rng, deals: int) -> Iterator[tuple[Deal[Any], int]]:
    """Positions in which the seat to act may claim."""
    for _ in range(deals):
        deal = game(rules.game).deal.shuffle(rules, rng.below(rules.seats), rng.fork())
        chance = by_chance(rng)
        while deal.to_act is not None:
            if claimable(deal, deal.to_act):
                yield deal, deal.to_act
            if rng.below(3):
                deal.apply(choose(RULES_OF_THUMB, deal.view(deal.to_act), rng.next32()))
            else:
                deal.apply(chance(deal))


def _ends(deal: Deal[Any], seat: int, most: int, rng: Rng) -> Iterator[tuple[Deal[Any], list[int]]]:
    """Ends of the deal, each with who took the remaining tricks: all of them if they are not too many, else drawn."""
    hand = len(deal.zones()[f"hand {seat}"])
    if hand > 3:
        for _ in range(most):
            yield _drawn(deal, rng)
        return
    stack: list[tuple[Deal[Any], list[int]]] = [(deal.clone(), [])]
    found = 0
    while stack and found < 40 * most:
        at, takers = stack.pop()
        if at.to_act is None:
            found += 1
            yield at, takers
            continue
        for action in at.legal_actions():
            twin = at.clone()
            taken = [event.seat for event in twin.apply(action) if event.kind == "trick"]
            stack.append((twin, [*takers, *(taker for taker in taken if taker is not None)]))


def _drawn(deal: Deal[Any], rng: Rng) -> tuple[Deal[Any], list[int]]:
    end, takers, chance = deal.clone(), [], by_chance(rng)
    # The others throw their best or anything; what the claimer leads is anything at all.
    best = rng.below(2)
    power = end.power  # type: ignore[attr-defined]
    claimer = deal.to_act
    while end.to_act is not None:
        action = chance(end)
        if best and end.to_act != claimer:
            action = max(end.legal_actions(), key=lambda card: power[card])
        takers += [event.seat for event in end.apply(action) if event.kind == "trick" and event.seat is not None]
    return end, takers


@pytest.mark.parametrize("name", TRICK_GAMES)
def test_whoever_may_claim_takes_every_trick_in_every_world_against_every_play(name: str, long: bool) -> None:
    rng = Rng(31, len(name))
    mixes = 60 if long else 6
    claims = ends = 0
    for number in range(mixes):
        rules = make_rules(name) if number == 0 else random_rules(name, Rng(31, number))
        # Most of Smear's pack lies aside, so little is certain there.
        for deal, seat in _positions(rules, rng, 250 if name == "smear" else 12):
            claims += 1
            for world in (deal, *(deal.determinize(seat, rng) for _ in range(3))):
                # The claim rests on what the seat knows: it is the same in every world.
                assert claimable(world, seat)
                hand = len(world.zones()[f"hand {seat}"])
                scores = set()
                for end, takers in _ends(world, seat, 8, rng):
                    ends += 1
                    assert takers == [seat] * hand, (rules, world)
                    scores.add((end.score(), end.void))
                assert len(scores) == 1, (rules, world)
                played = all_tricks(world, seat)
                assert played is not None
                done = world.clone()
                for who, text in played:
                    assert who == done.to_act
                    done.apply(text)
                assert {(done.score(), done.void)} == scores
            if claims >= (500 if long else 20) * (number + 1):
                break
    assert claims > 40
    assert ends > 10 * claims


@pytest.mark.parametrize("name", TRICK_GAMES)
def test_nobody_may_claim_where_one_play_could_prevent_it(name: str) -> None:
    """The other way round: wherever some world and some play take a trick away, nothing is offered."""
    rng = Rng(32, len(name))
    rules = make_rules(name)
    prevented = 0
    for _ in range(40):
        deal = game(name).deal.shuffle(rules, 0, rng.fork())
        chance = by_chance(rng)
        while deal.to_act is not None:
            seat = deal.to_act
            hand = deal.zones()[f"hand {seat}"]
            if deal.phase == "play" and 2 <= len(hand) <= 3:
                for _ in range(3):
                    world = deal.determinize(seat, rng)
                    if any(set(takers) != {seat} for _, takers in _ends(world, seat, 4, rng)):
                        prevented += 1
                        assert not claimable(deal, seat)
                        break
            deal.apply(chance(deal))
    assert prevented > 40


# -- plain cases --------------------------------------------------------------------


def _deal(rules: Rules, dealer: int, *hands: str, rest: str = "") -> Deal[Any]:
    layout = Layout(tuple(tuple(parse_cards(hand)) for hand in hands), monte=tuple(parse_cards(rest)))
    return game(rules.game).deal.from_layout(rules, dealer, layout)


def test_bassadewitz_a_whole_suit_from_the_start() -> None:
    deal = _deal(
        make_rules("bassadewitz", 4),
        3,
        "As Ts Ks Qs Js 9s 8s 7s",
        "Ah Th Kh Qh Jh 9h 8h 7h",
        "Ad Td Kd Qd Jd 9d 8d 7d",
        "Ac Tc Kc Qc Jc 9c 8c 7c",
    )
    assert deal.to_act == 0
    assert claimable(deal, 0)
    actions = all_tricks(deal, 0)
    assert actions is not None
    assert len(actions) == 32
    for _, text in actions:
        deal.apply(text)
    # All tricks: a sweep.
    assert deal.score() == (0, 4, 4, 4)


def test_bassadewitz_the_highest_of_every_suit() -> None:
    rules = make_rules("bassadewitz", 4)
    hands = (
        "As Ts Ah Th Ad Td Ac Tc",
        "Ks Qs Js 9s 8s 7s Kh Qh",
        "Jh 9h 8h 7h Kd Qd Jd 9d",
        "8d 7d Kc Qc Jc 9c 8c 7c",
    )
    assert claimable(_deal(rules, 3, *hands), 0)
    # With the ten below the jack somebody may hold a king.
    other = make_rules("bassadewitz", 4, natural_rank=True)
    assert not claimable(_deal(other, 3, *hands), 0)


def test_bassadewitz_one_low_card_is_enough_to_refuse() -> None:
    deal = _deal(
        make_rules("bassadewitz", 4),
        3,
        "As Ts Ks Qs Js 9s 8s 7h",
        "Ah Th Kh Qh Jh 9h 8h 7s",
        "Ad Td Kd Qd Jd 9d 8d 7d",
        "Ac Tc Kc Qc Jc 9c 8c 7c",
    )
    assert not claimable(deal, 0)
    for card in ("As", "7s", "7d", "7c", "Ts", "8h", "8d", "8c"):
        deal.apply(f"play {card}")
    assert not claimable(deal, 0)


def test_nobody_claims_out_of_turn_in_a_trick_or_with_one_card() -> None:
    deal = _deal(
        make_rules("bassadewitz", 4),
        3,
        "As Ts Ks Qs Js 9s 8s 7s",
        "Ah Th Kh Qh Jh 9h 8h 7h",
        "Ad Td Kd Qd Jd 9d 8d 7d",
        "Ac Tc Kc Qc Jc 9c 8c 7c",
    )
    assert not any(claimable(deal, seat) for seat in (1, 2, 3))
    deal.apply("play As")
    assert not any(claimable(deal, seat) for seat in range(4))
    while len(deal.zones()["hand 0"]) > 1:
        deal.apply(deal.legal_actions()[0])
    while deal.to_act != 0:
        deal.apply(deal.legal_actions()[0])
    # The last card is played as it is.
    assert not claimable(deal, 0)


def test_smear_trumps_from_the_top() -> None:
    deal = _deal(
        make_rules("smear", 2),
        1,
        "As Ks Qs Js Ts 9s",
        "8s 7h 6h 5h 4h 3h",
    )
    for action in ("bid 4",):
        deal.apply(action)
    # Before the first card there is no trump, so nothing is certain.
    assert not claimable(deal, 0)
    deal.apply("play As")
    deal.apply("play 8s")
    assert claimable(deal, 0)


def test_smear_a_side_ace_is_not_safe_while_a_trump_may_be_out() -> None:
    deal = _deal(make_rules("smear", 2), 1, "As Ks Qs Js Ts Ah", "8s 7h 6h 5h 4h 3h")
    for action in ("bid 4", "play As", "play 8s"):
        deal.apply(action)
    # Nobody knows what was put aside: 9s may lie there or with the other one.
    assert not claimable(deal, 0)


def test_smear_the_others_have_shown_to_be_without_trumps() -> None:
    deal = _deal(make_rules("smear", 3), 2, "As Ks 4s 3s 2s Ah", "Js 7h 6h 5h 4h 3h", "Qs 9s 7d 6d 5d 4d")
    for action in ("bid 4", "play As", "play Js", "play 9s"):
        deal.apply(action)
    assert not claimable(deal, 0)
    for action in ("play Ks", "play 3h", "play Qs"):
        deal.apply(action)
    # One of the two may still hold trumps above the three left.
    assert not claimable(deal, 0)
    for action in ("play 4s", "play 4h", "play 4d"):
        deal.apply(action)
    # Both have thrown other suits to a trump: the small trumps are the last ones, and the ace is the highest heart.
    assert claimable(deal, 0)


def test_calabresella_the_best_cards_of_every_suit() -> None:
    rules = make_rules("calabresella", 3)
    deal = _deal(
        rules,
        0,
        "4s 5s 6s 7s 4h 5h 6h 7h 4d 5d 6d 7d",
        "Qs Js Qh Jh Qd Jd Qc Jc Kh Kd Kc 7c",
        "3s 2s As Ks 3h 2h Ah 3d 2d Ad 3c 2c",
        rest="Ac 4c 5c 6c",
    )
    while deal.phase == "auction":
        deal.apply("bid solissimo" if deal.to_act == 2 else "pass")
    deal.apply("raise plain")
    assert deal.to_act == 2
    # Ac may be with somebody: the 2c is higher still.
    assert claimable(deal, 2)


def test_kaluki_has_no_tricks_to_claim() -> None:
    deal = game("kaluki").deal.shuffle(make_rules("kaluki", 2), 0, Rng(1))
    assert not any(claimable(deal, seat) for seat in (0, 1))


# -- at the table -------------------------------------------------------------------


async def test_a_claim_plays_the_deal_to_its_end_for_everybody(hall: Hall) -> None:
    rng = Rng(8)
    claimed = 0
    for _ in range(30):
        at = await hall.table(short("smear", 2), "pp")
        await at.follow(0, 1)
        for _ in range(60):
            if at.table.over or claimed == 3:
                break
            seat = at.table.to_act
            if seat is None or not claimable(at.deal, seat):
                await at.step(by_chance(rng))
                continue
            claimed += 1
            deal = at.table.deal_number
            with pytest.raises(Refusal):
                await at.do(1 - seat, Claim())
            assert (await at.look(seat))["state"]["can"]["claim"]
            assert not (await at.look(1 - seat))["state"]["can"]["claim"]
            assert not (await at.look(None))["state"]["can"]["claim"]
            head = at.table.head
            await at.do(seat, Claim())
            for reader in (0, 1, None):
                told = await at.look(reader, after=head)
                assert kinds(told["steps"])[0] == "claim"
                events = told["steps"][0]["events"]
                assert events[0] == {"kind": "claim", "seat": seat}
                assert {event["seat"] for event in events if event["kind"] == "trick"} == {seat}
                assert told["state"]["sheet"]["deal"] == deal
            assert at.table.match is not None
            assert at.table.match.deals[deal - 1].over
        if claimed == 3:
            return
    raise AssertionError("nobody could claim")
