"""Observations hold what the view holds, in the planes that say so, and nothing else."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from tests.envs.reading import Reader, meld_facts
from tests.envs.walks import MIXES, PRESETS, SINGLES, decisions, session, whole_decisions

from meja.cards import CARD_TEXT, Rng, card_text
from meja.envs.encoding import encoding
from meja.games import games, make_rules
from meja.rules import Rules


def check_vector(codes: Any, seen: Any) -> None:
    """The form of every observation."""
    assert type(seen) is np.ndarray
    assert seen.dtype == np.float32
    assert seen.shape == (codes.size,)
    assert seen.flags.writeable
    worst = [plane.name for plane in codes.planes if not seen[plane.start : plane.end].min() >= 0]
    worst += [plane.name for plane in codes.planes if seen[plane.start : plane.end].max() > 1]
    assert not worst, (codes.rules, worst)


def check_reading(made: Any, seat: int) -> None:
    """What stands in an observation, read back by the words of its planes."""
    view = made.view(seat)
    seats: int = made.seats
    reader = Reader(made.codes, made.observe(seat))

    def other(who: int) -> int:
        return (who - seat) % seats

    def around(values: Any) -> list[Any]:
        """Values by seat, as the reader has them: the own first."""
        return [values[(seat + place) % seats] for place in range(seats)]

    assert reader.one("to_act") == (None if view.to_act is None else other(view.to_act))
    assert reader.one("dealer") == other(view.dealer)
    if view.game == "kaluki":
        check_kaluki(view, reader, other, around)
    else:
        check_tricks(view, reader, other, around)


def check_tricks(view: Any, reader: Reader, other: Any, around: Any) -> None:
    seats = view.rules.seats
    assert reader.cards("hand") == {card_text(card) for card in view.hand}
    trick: list[set[str]] = [set() for _ in range(seats)]
    for who, card in view.trick:
        trick[other(who)].add(card_text(card))
    assert reader.seat_cards("trick", seats) == trick
    played: list[set[str]] = [set() for _ in range(seats)]
    for cards, _ in view.tricks:
        for who, card in cards:
            played[other(who)].add(card_text(card))
    assert reader.seat_cards("played", seats) == played
    assert reader.one("leader") == other(view.leader)
    assert [[bool(cell) for cell in row] for row in reader.rows("voids", 4)] == [
        [bool(suits >> suit & 1) for suit in range(4)] for suits in around(view.voids)
    ]
    number = {"bassadewitz": 32 // seats, "calabresella": 12, "smear": 6}[view.game]
    won = Counter(winner for _, winner in view.tricks)
    assert [round(number * cell) for cell in reader.planes["tricks"]] == around([won[who] for who in range(seats)])
    most = number + 5 if view.game == "calabresella" else number
    assert [round(most * cell) for cell in reader.planes["hand_sizes"]] == around(view.hand_sizes)
    whole = {"calabresella": 35, "smear": 80}.get(view.game)
    if whole:
        assert [round(whole * cell) for cell in reader.planes["taken"]] == around(view.taken)
    if view.game == "smear":
        assert reader.one("phase") == ("bid", "play", "over").index(view.phase)
        assert reader.one("trump") == (4 if view.trump < 0 else view.trump)
        assert reader.one("bid") == view.bid
        assert reader.one("bidder") == (None if view.bidder is None else other(view.bidder))
        calls = dict(view.calls)
        rows = [row.index(1.0) for row in reader.rows("calls", 6)]
        assert rows == around([calls[who] + 1 if who in calls else 0 for who in range(seats)])
    if view.game == "calabresella":
        check_calabresella(view, reader, other, around)


def check_calabresella(view: Any, reader: Reader, other: Any, around: Any) -> None:
    bids = (None, "chiamo", "solo", "solissimo")
    assert reader.one("contract") == bids.index(view.contract)
    assert reader.one("raise") == (None, "plain", "dividete", "scegliete").index(view.raised)
    assert reader.one("bidder") == (None if view.bidder is None else other(view.bidder))
    assert reader.one("giver") == (None if view.giver is None else other(view.giver))
    calls: dict[int, int] = {}
    for who, action in view.log:
        word, _, bid = view.text(action).partition(" ")
        if word == "pass":
            calls[who] = 1
        elif word == "bid":
            calls[who] = 1 + bids.index(bid)
    assert [row.index(1.0) for row in reader.rows("calls", 5)] == around(
        [calls.get(who, 0) for who in range(view.rules.seats)]
    )
    for name in ("called", "given"):
        card = getattr(view, name)
        assert reader.cards(name) == (set() if card is None else {card_text(card)})
    for name in ("shown", "picked_up", "laid", "monte"):
        assert reader.cards(name) == {card_text(card) for card in getattr(view, name)}


def check_kaluki(view: Any, reader: Reader, other: Any, around: Any) -> None:
    seats, target = view.rules.seats, view.rules.target
    assert reader.one("phase") == ("draw", "play", "over").index(view.phase)
    assert reader.hand() == Counter(map(card_text, view.hand))
    most = view.rules.cards + 1
    assert [round(most * cell) for cell in reader.planes["hand_sizes"]] == around(view.hand_sizes)
    assert reader.all("opened") == [place for place, has in enumerate(around(view.opened)) if has]
    assert reader.planes["totals"] == pytest.approx([total / target for total in around(view.context.totals)])
    assert round(108 * reader.planes["stock"][0]) == view.stock
    assert round(3 * reader.planes["reshuffles"][0]) == view.reshuffles
    assert reader.one("top") == (view.pile[-1] if view.pile else None)
    assert reader.counted("pile") == Counter(map(card_text, view.pile))
    assert reader.one("next") == (view.turned[0] if view.turned else None)
    assert reader.counted("turned") == Counter(map(card_text, view.turned))
    for place, cards in enumerate(around(view.known)):
        assert reader.counted("known", place) == Counter(map(card_text, cards))
    assert reader.one("taken") == view.taken
    assert reader.planes["taken_laid"] == [view.taken_laid]
    assert reader.one("drew") == view.drew
    assert round(4 * reader.planes["owed"][0]) == view.owed
    assert reader.planes["fresh"] == [view.fresh]
    assert reader.melds(seats) == [
        meld_facts(other(owner), meld) for owner, meld in zip(view.owners, view.table, strict=True)
    ]
    assert not any(reader.planes["building"])
    assert not any(reader.planes["closed"])


def often(rules: Rules) -> int:
    return 11 if rules.game == "kaluki" else 1


@pytest.mark.parametrize("rules", [*PRESETS, *MIXES], ids=str)
def test_every_plane_says_what_the_view_says(rules: Rules, long: bool) -> None:
    for seed in range(20 if long else 2):
        made = session(rules, seed, episode="match" if seed % 2 else "deal")
        for place, _ in enumerate(whole_decisions(made, seed)):
            if place > (2000 if long else 250):
                break
            if place % often(rules) == 0:
                for seat in range(made.seats):
                    check_reading(made, seat)
                    check_vector(made.codes, made.observe(seat))
        for seat in range(made.seats):
            check_reading(made, seat)


@pytest.mark.parametrize("rules", SINGLES, ids=str)
def test_observations_keep_their_form_with_every_option_alone(rules: Rules) -> None:
    made = session(rules, 6)
    for place, seat in enumerate(decisions(made, 6)):
        if place % often(rules) == 0:
            check_vector(made.codes, made.observe(seat))
            check_vector(made.codes, made.observe((seat + 1) % made.seats))


@pytest.mark.parametrize("rules", [*PRESETS, *MIXES], ids=str)
def test_what_a_seat_cannot_know_is_not_in_what_it_gets(rules: Rules, long: bool) -> None:
    rng = Rng(3, rules.seats)
    compared = 0
    for seed in range(10 if long else 1):
        made = session(rules, seed)
        for place, _ in enumerate(whole_decisions(made, seed)):
            if place % (4 * often(rules)):
                continue
            for seat in range(made.seats):
                # Another deal that this seat cannot tell from the true one.
                world = made.deal.determinize(seat, rng)
                view = world.view(seat)
                assert made.codes.observe(view).tobytes() == made.observe(seat).tobytes()
                assert made.codes.mask(view).tobytes() == made.mask(seat).tobytes()
                compared += 1
    assert compared > 0


@pytest.mark.parametrize("rules", [rules for rules in [*PRESETS, *SINGLES, *MIXES] if rules.game == "kaluki"], ids=str)
def test_a_session_that_follows_a_deal_tells_what_the_views_tell(rules: Rules, long: bool) -> None:
    # A session writes only what has changed since a seat looked last; seats look at different times.
    for seed in range(6 if long else 1):
        made, rng = session(rules, seed), Rng(seed, 3)
        for _ in decisions(made, seed):
            for seat in range(made.seats):
                if seat == made.to_act or rng.below(4) == 0:
                    told = made.codes.observe(made.view(seat), made.own_prefix(seat))
                    assert made.observe(seat).tobytes() == told.tobytes()
        for seat in range(made.seats):
            assert made.observe(seat).tobytes() == made.codes.observe(made.view(seat)).tobytes()


def test_nobody_sees_a_half_finished_action_of_somebody_else() -> None:
    made = session(make_rules("kaluki", 3), 2)
    begun = 0
    for seat in decisions(made, 2):
        if made.prefix:
            begun += 1
            before = [made.codes.observe(made.view(other)).tobytes() for other in range(3)]
            for other in range(3):
                assert (made.observe(other).tobytes() == before[other]) == (other != seat)
                assert made.mask(other).any() == (other == seat)
    assert begun > 10


def test_a_half_finished_action_is_told_to_its_seat_in_full() -> None:
    rules = make_rules("kaluki", 2, preset="kalooki51")
    closed = 0
    for seed in range(8):
        made = session(rules, seed)
        seen: dict[tuple[bytes, bytes], tuple[int, ...]] = {}
        for seat in decisions(made, seed):
            if not made.prefix:
                seen = {}
                continue
            reader = Reader(made.codes, made.observe(seat))
            names = [made.codes.names[number] for number in made.prefix]
            tail = names[len(names) - names[::-1].index("close") :] if "close" in names else names
            tail = tail[tail[0] == "take" :] if tail else tail
            building = Counter({made.codes.names[n]: round(4 * v) for n, v in enumerate(reader.planes["building"])})
            assert +building == Counter(tail)
            assert reader.planes["taking"] == [names[0] == "take"]
            view: Any = made.view(seat)
            table = len(view.table)
            assert reader.all("closed") == list(range(table, table + names.count("close")))
            laid = sum((cards for _, _, cards in reader.melds(2)[table:]), Counter[str]())
            assert laid.total() == sum(name.startswith("lay") for name in names) - sum(
                name.startswith("lay") for name in tail
            )
            assert all(owner == 0 for owner, _, _ in reader.melds(2)[table:])
            closed += "close" in names
            # Two different prefixes at one decision are never told alike.
            key = made.observe(seat).tobytes(), made.mask(seat).tobytes()
            assert seen.setdefault(key, made.prefix) == made.prefix
    assert closed > 10


@pytest.mark.parametrize("name", games())
def test_every_array_is_a_fresh_one(name: str) -> None:
    made = session(make_rules(name), 1)
    assert made.to_act is not None
    for call in (made.observe, made.mask):
        one, two = call(made.to_act), call(made.to_act)
        assert not np.shares_memory(one, two)
        one[:] = 0
        assert two.any()
        assert call(made.to_act).tobytes() == two.tobytes()


@pytest.mark.parametrize("name", games())
def test_one_encoding_serves_many_views_in_any_order(name: str) -> None:
    codes = encoding(make_rules(name))
    made = session(make_rules(name), 3)
    kept = []
    for place, seat in enumerate(whole_decisions(made, 3)):
        if place % 5 == 0:
            kept.append((made.view(seat), made.observe(seat).tobytes(), made.mask(seat).tobytes()))
    for view, seen, mask in [*kept[::-1], *kept]:
        assert codes.observe(view).tobytes() == seen
        assert codes.mask(view).tobytes() == mask


@pytest.mark.parametrize("name", games())
def test_a_spectator_is_told_what_everybody_knows(name: str) -> None:
    made = session(make_rules(name), 2)
    for place, _ in enumerate(whole_decisions(made, 2)):
        if place % 7 == 0:
            seen = made.codes.observe(made.view(None))
            check_vector(made.codes, seen)
            assert not made.codes.mask(made.view(None)).any()
            assert not any(Reader(made.codes, seen).planes["hand"])


@pytest.mark.parametrize("name", games())
def test_the_length_of_a_match_and_the_totals_are_told(name: str) -> None:
    made = session(make_rules(name), 5, episode="match")
    length = getattr(made.options.rules, "deals", None)
    told = set()
    for seat in whole_decisions(made, 5):
        view, reader = made.view(seat), Reader(made.codes, made.observe(seat))
        if name == "kaluki":
            break
        done = view.context.counted / length if length else min(1, view.context.number / 200)
        assert reader.planes["deals"] == pytest.approx([done])
        span = {"bassadewitz": 128, "calabresella": 128, "smear": 44}[name]
        totals = [view.context.totals[(seat + place) % made.seats] for place in range(made.seats)]
        assert reader.planes["totals"] == pytest.approx([min(1, max(0, 0.5 + total / (2 * span))) for total in totals])
        told.add(tuple(totals))
    assert name == "kaluki" or len(told) > 3


def test_planes_lie_one_after_the_other_without_gaps() -> None:
    for rules in PRESETS:
        codes = encoding(rules)
        end = 0
        for plane in codes.planes:
            assert plane.start == end
            assert plane.length > 0
            assert plane.help
            end = plane.end
        assert end == codes.size
        assert len({plane.name for plane in codes.planes}) == len(codes.planes)


def test_faces_are_in_the_order_that_the_planes_tell() -> None:
    for rules in PRESETS:
        hand = next(plane for plane in encoding(rules).planes if plane.name == "hand")
        cards = [word for word in hand.help.replace(";", " ").replace(":", " ").split() if word in CARD_TEXT]
        assert len(cards) == hand.length
        assert cards == [text for text in CARD_TEXT if text in cards]
