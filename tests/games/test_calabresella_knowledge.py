"""Calabresella: what a seat may know, and hidden cards drawn evenly from all that agrees with it."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

import pytest

from meja.cards import Rng, card_text, cards_of, cards_text, mask_of, parse_cards
from meja.deal import Layout
from meja.games.calabresella import DISCARD, Calabresella, CalabresellaRules
from meja.games.tricks import VERB

CONTRACTS = ("void", "chiamo", "solo", "plain", "dividete", "scegliete")
MIXES: tuple[dict[str, Any], ...] = (
    {},
    {"follow_suit": True, "direction": "ccw"},
    {"call": "threes_first", "monte_shown": "both"},
    {"seats": 4, "dealer_sits_out": True, "follow_suit": True},
)


def rules(**options: Any) -> CalabresellaRules:
    return CalabresellaRules.make(options.pop("seats", None), **options)


def bid(deal: Calabresella, contract: str, rng: Rng) -> Calabresella:
    """An auction that ends in ``contract``, with a bidder drawn by lot."""
    bidder = -1 if contract == "void" else rng.choice(deal.players)
    word = contract if contract in ("chiamo", "solo") else "solissimo"
    while deal.phase == "auction" and deal.to_act is not None:
        deal.apply(f"bid {word}" if deal.to_act == bidder else "pass")
    if deal.phase == "raise":
        deal.apply(f"raise {contract}")
    return deal


def random_move(deal: Calabresella, rng: Rng) -> None:
    deal.apply(rng.choice(deal.legal_actions()))


def moments(contract: str, seed: int, count: int, **options: Any) -> Iterator[Calabresella]:
    """Positions of a contract, each at a random moment after the auction; every tenth one at the end."""
    rng = Rng(seed)
    made = rules(**options)
    for number in range(count):
        deal = bid(Calabresella.shuffle(made, rng.below(made.seats), rng), contract, rng)
        for _ in range(99 if number % 10 == 9 else rng.below(46)):
            if not deal.over:
                random_move(deal, rng)
        yield deal


def spots(deal: Calabresella) -> list[int | None]:
    return [None, *range(deal.rules.seats)]


def discards(deal: Calabresella, seat: int) -> list[int]:
    """What a seat has laid away, from the true record."""
    return [action & 63 for actor, action in deal.actions() if actor == seat and action >> VERB == DISCARD]


def may_know(deal: Calabresella, spot: int | None) -> set[int]:
    """The cards whose name a seat may have seen by now, told from the rules over the true deal."""
    layout = deal.layout()
    known = {card for _, card in deal.plays()}
    texts = [(seat, deal.text(action)) for seat, action in deal.actions()]
    named = [text for _, text in texts if text.split()[0] in ("call", "give")]
    known |= set(parse_cards(" ".join(text.split()[1] for text in named)))
    contract = next((text.split()[1] for _, text in reversed(texts) if text.startswith("bid")), None)
    raised = next((text.split()[1] for _, text in texts if text.startswith("raise")), None)
    if named or (contract == "solo" and deal.rules.monte_shown == "both" and deal.phase != "auction"):
        known |= set(layout.monte)
    if deal.over and contract is not None:
        known |= set(deal.zones()["monte"])
    if spot is None:
        return known
    known |= set(layout.hands[spot]) | set(cards_of(deal.hands[spot])) | set(discards(deal, spot))
    if raised in ("dividete", "scegliete"):
        first = deal.after[deal.bidder]
        if raised == "scegliete" and spot == first:
            known |= set(layout.monte)
    return known


# -- views --------------------------------------------------------------------------------


@pytest.mark.rule("C4.4", "C4.6", "C5.2", "C5.3", "C5.4", "C3.5")
@pytest.mark.parametrize("options", MIXES, ids=str)
@pytest.mark.parametrize("contract", CONTRACTS)
def test_no_view_and_no_event_names_a_card_that_its_seat_has_not_seen(contract: str, options: dict[str, Any]) -> None:
    rng = Rng(7)
    made = rules(**options)
    for number in range(4):
        deal = Calabresella.shuffle(made, number % made.seats, rng)
        bidder = -1 if contract == "void" else deal.players[number % 3]
        word = contract if contract in ("chiamo", "solo") else "solissimo"
        while deal.to_act is not None:
            action: str | int = rng.choice(deal.legal_actions())
            if deal.phase == "auction":
                action = f"bid {word}" if deal.to_act == bidder else "pass"
            elif deal.phase == "raise":
                action = f"raise {contract}"
            events = deal.apply(action)
            for spot in spots(deal):
                view = deal.view(spot)
                told = view.to_dict()
                told.pop("legal")
                shown = json.dumps([told, [event.seen_by(spot) for event in events]])
                secret = set(Calabresella.pack(made)) - may_know(deal, spot)
                assert not [card_text(card) for card in secret if card_text(card) in shown], (spot, deal)
                inside: Any = view._blank
                held = {card for mask in (*inside.hands, inside.monte, inside.picked) for card in cards_of(mask)}
                assert not held & secret
                assert not secret & set(inside.dealt_monte)
                assert not secret & {entry >> 3 & 63 for entry in inside.log if entry >> 9 == DISCARD}


@pytest.mark.parametrize("options", MIXES, ids=str)
@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_view_does_not_depend_on_how_the_hidden_cards_lie(contract: str, options: dict[str, Any]) -> None:
    rng = Rng(8)
    for deal in moments(contract, 8, 10, **options):
        for spot in spots(deal):
            other = deal.determinize(spot, rng)
            one, two = deal.view(spot), other.view(spot)
            assert one == two
            assert one.to_json() == two.to_json()
            assert pickle.dumps(one._blank) == pickle.dumps(two._blank)
            assert other.unseen(spot) == deal.unseen(spot)
            drawn = [world.determinize(Rng(5)).actions() for world in (one, two)]
            assert drawn[0] == drawn[1] == deal.determinize(spot, Rng(5)).actions()


@pytest.mark.rule("C4.6")
def test_discards_are_question_marks_to_everybody_else() -> None:
    deal = next(moments("chiamo", 1, 1))
    while deal.phase != "play":
        deal.apply(deal.legal_actions()[0])
    for spot in spots(deal):
        log = [deal.text(action) for _, action in deal.view(spot).log if action >> VERB == DISCARD]
        assert len(log) == 4
        assert log.count("discard ??") == (0 if spot == deal.bidder else 4)
        assert deal.view(spot).laid == (tuple(discards(deal, deal.bidder)) if spot == deal.bidder else ())


def after(*actions: str, monte: str = "7h Ad Kc 4c", **options: Any) -> Calabresella:
    hands = (
        "Js 7s 5s 3h 2h Kh 3d 2c Ac Qc 7c 5c",
        "3s 2s Ks 4s Qh Jh 5h 2d 7d 4d 3c Jc",
        "As Qs 6s Ah 6h 4h Kd Qd Jd 6d 5d 6c",
    )
    layout = Layout(tuple(tuple(parse_cards(hand)) for hand in hands), monte=tuple(parse_cards(monte)))
    deal = Calabresella.from_layout(rules(**options), 0, layout)
    for action in actions:
        deal.apply(action)
    return deal


@pytest.mark.rule("C4.2", "C4.3", "C4.4", "C4.5")
def test_call_hand_over_monte_and_the_card_given_back_are_public() -> None:
    deal = after("pass", "pass", "bid chiamo", "call 3h", "give 4s")
    for spot in spots(deal):
        view = deal.view(spot)
        assert view.called is not None
        assert view.given is not None
        assert (card_text(view.called), view.giver, card_text(view.given)) == ("3h", 0, "4s")
        assert cards_text(view.shown) == "7h Ad Kc 4c"
    deal = after("pass", "pass", "bid chiamo", "call Ad")
    assert (deal.view(2).giver, deal.view(2).given) == (None, None)


@pytest.mark.rule("C5.3")
def test_in_dividete_each_opponent_knows_his_own_two_cards() -> None:
    deal = after("pass", "pass", "bid solissimo", "raise dividete", "discard 7h", "discard 6c")
    assert [cards_text(deal.view(spot).picked_up) for spot in (0, 1, 2, None)] == ["Kc 4c", "", "7h Ad", ""]
    assert [cards_text(deal.view(spot).laid) for spot in (0, 1, 2)] == ["", "", "7h 6c"]


@pytest.mark.rule("C5.4")
def test_in_scegliete_the_second_opponent_sees_the_four_that_lie_there() -> None:
    deal = after(
        "pass", "pass", "bid solissimo", "raise scegliete", *(f"discard {card}" for card in ("7h", "6c", "4h", "Ad"))
    )
    assert [set(cards_text(deal.view(spot).picked_up).split()) for spot in (0, 1, 2)] == [
        {"7h", "6c", "4h", "Ad"}, set(), {"7h", "Ad", "Kc", "4c"},
    ]  # fmt: skip


@pytest.mark.rule("C6.4")
def test_the_monte_is_turned_up_after_the_last_trick() -> None:
    for contract in ("chiamo", "solo", "plain", "dividete", "scegliete"):
        deal = next(moments(contract, 3, 1))
        rng = Rng(1)
        events = []
        while not deal.over:
            assert deal.view(None).monte == ()
            events = deal.apply(rng.choice(deal.legal_actions()))
        assert mask_of(deal.view(None).monte) == deal.monte
        assert [event.kind for event in events] == ["play", "trick", "monte", "score"]
        assert events[2].public == {"cards": cards_text(deal.view(None).monte)}


# -- the certain facts --------------------------------------------------------------------


@pytest.mark.rule("C4.2", "C4.4", "C4.5", "C9.6", "C6.2")
@pytest.mark.parametrize("options", MIXES, ids=str)
@pytest.mark.parametrize("contract", CONTRACTS[1:])
def test_every_drawn_world_respects_what_the_seat_knows(contract: str, options: dict[str, Any]) -> None:
    rng = Rng(9)
    for deal in moments(contract, 9, 12, **options):
        for spot in spots(deal):
            for _ in range(3):
                world = deal.determinize(spot, rng)
                check_facts(deal, world, spot)


def check_facts(deal: Calabresella, world: Calabresella, spot: int | None) -> None:
    view = deal.view(spot)
    hands = [set(cards_of(mask)) for mask in world.hands]
    layout = world.layout()
    played = [{card for actor, card in deal.plays() if actor == seat} for seat in range(deal.rules.seats)]
    assert [len(cards) for cards in hands] == list(view.hand_sizes)
    assert sorted(card for cards in world.zones().values() for card in cards) == sorted(Calabresella.pack(deal.rules))
    for seat, suits in enumerate(view.voids):
        assert not any(suits >> card // 13 & 1 for card in hands[seat])
    if view.given is not None:
        assert view.given in hands[view.giver] | played[view.giver]  # type: ignore[index]
    if view.bidder is not None and deal.phase != "over":
        pool = set(view.shown) | ({view.called} if view.called is not None else set())
        pool.discard(view.given)
        if view.shown:
            assert pool <= hands[view.bidder] | played[view.bidder] | set(discards(world, view.bidder))
            assert layout.monte == view.shown
    if view.called is not None and deal.rules.call == "threes_first":
        order = "32AKQJ7654"
        better = order[: order.index(card_text(view.called)[0])]
        assert {card for card in Calabresella.pack(deal.rules) if card_text(card)[0] in better} <= set(
            layout.hands[view.bidder or 0]
        )
    if spot is not None:
        assert hands[spot] == set(view.hand)
        assert layout.hands[spot] == deal.layout().hands[spot]
        assert discards(world, spot) == list(view.laid)
    if view.raised == "scegliete" and world.exchanges == 2:
        first, second = deal.opponents()
        lying = set(discards(deal, first))
        if spot in (first, second):
            assert set(discards(world, first)) == lying
            assert lying <= hands[second] | played[second] | set(discards(world, second))
    if view.raised == "dividete" and spot in deal.opponents():
        assert set(view.picked_up) <= set(layout.monte)
    if deal.over:
        assert world.monte == mask_of(view.monte)


@pytest.mark.rule("C6.2")
def test_a_card_buried_before_is_not_bound_by_what_the_bidder_lacks_later() -> None:
    """The bidder shows to have no spade; a spade he was seen to take must then lie in the monte."""
    buried = [f"discard {card}" for card in ("3s", "2s", "4s", "As")]
    deal = after("pass", "pass", "bid chiamo", "call As", "give Ks", *buried, follow_suit=True)
    for card in ("Qs", "Js", "4d"):
        deal.apply(f"play {card}")
    assert deal.view(0).voids[1] == 1
    rng = Rng(3)
    for spot in (0, 2, None):
        for _ in range(20):
            world = deal.determinize(spot, rng)
            assert mask_of(parse_cards("As")) & world.monte
            assert not any(card // 13 == 0 for card in cards_of(world.hands[1]))
    assert parse_cards("As")[0] not in deal.unseen(2)


def test_unseen_holds_every_card_whose_place_can_differ() -> None:
    rng = Rng(10)
    for contract in CONTRACTS:
        for deal in moments(contract, 11, 6):
            for spot in spots(deal):
                hidden = set(deal.unseen(spot))
                for _ in range(4):
                    world = deal.determinize(spot, rng)
                    here, there = deal.zones(), world.zones()
                    moved = {card for name, cards in here.items() for card in cards if card not in there[name]}
                    assert moved <= hidden


# -- evenness: small positions against a count of all worlds --------------------------------

Places = tuple[frozenset[int], ...]
MOST = 300


def draw(view: Any, rng: Rng) -> Calabresella:
    world = view.determinize(rng)
    assert isinstance(world, Calabresella)
    return world


def now(world: Calabresella) -> Places:
    """Where the cards lie: the hands, then the discards of each seat that still lie in the monte, then the rest."""
    lying = [set(discards(world, seat)) & set(cards_of(world.monte)) for seat in range(3)]
    if world.raised == 2 and world.exchanges == 2:
        lying[world.opponents()[0]] = set()
    rest = set(cards_of(world.monte)) - set().union(*lying)
    return tuple(frozenset(cards_of(mask)) for mask in world.hands) + tuple(map(frozenset, (*lying, rest)))


def every_way(deal: Calabresella, spot: int | None) -> list[Places]:
    """All ways the cards can lie that agree with what ``spot`` has seen, by plain trial."""
    true = now(deal)
    view = deal.view(spot)
    known: set[int] = {card for _, card in deal.plays()}
    fixed: dict[int, frozenset[int]] = {}
    if spot is not None:
        fixed[spot] = true[spot]
        fixed[3 + spot] = true[3 + spot]
        known |= true[spot] | true[3 + spot]
    hidden = [card for card in Calabresella.pack(deal.rules) if card not in known]
    sizes = [len(cards) for cards in true]
    allowed: dict[int, set[int]] = {card: set(range(7)) for card in hidden}
    for card in hidden:
        for seat in range(3):
            if view.voids[seat] >> card // 13 & 1:
                allowed[card] -= {seat}
        taken = set(view.shown) | ({view.called} if view.called is not None else set())
        if card == view.given:
            allowed[card] &= {view.giver or 0}
        elif card in taken:
            allowed[card] &= {deal.bidder, 3 + deal.bidder}
    if view.raised == "scegliete" and spot == deal.opponents()[0]:
        second = deal.opponents()[1]
        for card in set(view.laid) & set(hidden):
            allowed[card] &= {second, 3 + second}
    found: list[Places] = []

    def place(index: int, left: list[int], so_far: list[frozenset[int]]) -> None:
        if index == 7:
            if not left:
                found.append(tuple(so_far))
            return
        if len(found) > MOST:
            return
        if index in fixed:
            place(index + 1, left, [*so_far, fixed[index]])
            return
        options = [card for card in left if index in allowed[card]]
        for chosen in combinations(options, sizes[index]):
            place(index + 1, [card for card in left if card not in chosen], [*so_far, frozenset(chosen)])

    place(0, hidden, [])
    return found


def played_down(contract: str, bidder: int, left: int, seed: int, **options: Any) -> Calabresella:
    """A deal of that contract, played at random until each seat has about ``left`` cards."""
    rng = Rng(seed)
    deal = Calabresella.shuffle(rules(**options), 0, rng)
    word = contract if contract in ("chiamo", "solo") else "solissimo"
    while deal.phase == "auction":
        deal.apply(f"bid {word}" if deal.to_act == bidder else "pass")
    if deal.phase == "raise":
        deal.apply(f"raise {contract}")
    while deal.phase != "play" or min(mask.bit_count() for mask in deal.hands) > left:
        random_move(deal, rng)
    return deal


def chi_square(found: Counter[Any], ways: Sequence[Any], count: int) -> float:
    expected = count / len(ways)
    return sum((found[way] - expected) ** 2 / expected for way in ways)


SMALL: list[tuple[str, int | None, int, dict[str, Any]]] = [
    ("chiamo", 1, 2, {}),
    ("chiamo", 2, 2, {}),
    ("chiamo", 0, 3, {"follow_suit": True}),
    ("chiamo", None, 1, {}),
    ("solo", 1, 3, {}),
    ("solo", 2, 1, {}),
    ("solo", 0, 2, {"follow_suit": True}),
    ("solo", 0, 2, {"monte_shown": "both"}),
    ("solo", None, 1, {}),
    ("plain", 1, 1, {}),
    ("plain", 2, 1, {}),
    ("plain", None, 1, {"follow_suit": True}),
    ("dividete", 1, 1, {}),
    ("dividete", 2, 1, {}),
    ("dividete", 0, 2, {"follow_suit": True}),
    ("dividete", None, 1, {"follow_suit": True}),
    ("scegliete", 1, 1, {}),
    ("scegliete", 2, 2, {}),
    ("scegliete", 0, 2, {}),
    ("scegliete", None, 1, {"follow_suit": True}),
]


@pytest.mark.parametrize(("contract", "spot", "left", "options"), SMALL, ids=str)
def test_hidden_cards_are_drawn_evenly_from_all_ways_that_agree(
    contract: str, spot: int | None, left: int, options: dict[str, Any], long: bool
) -> None:
    for seed in range(99):
        deal = played_down(contract, 1, left, seed, **options)
        ways = every_way(deal, spot)
        while len(ways) > MOST and not deal.over:
            deal.apply(deal.legal_actions()[0])
            ways = every_way(deal, spot)
        if 2 <= len(ways) <= MOST and not deal.over:
            break
    assert 2 <= len(ways) <= MOST
    assert not deal.over
    assert now(deal) in ways
    count = max(400, (100 if long else 10) * len(ways))
    rng = Rng(12)
    view = deal.view(spot)
    found = Counter(now(draw(view, rng)) for _ in range(count))
    assert set(found) <= set(ways)
    freedom = len(ways) - 1
    assert chi_square(found, ways, count) < freedom + 4.5 * (2 * freedom) ** 0.5 + 6


# -- evenness: fresh deals against the way they come about -----------------------------------

# In these exchanges every world has equally many choices at each step, so dealing the unseen cards at random and
# laying away at random makes every world equally likely: just what a drawn world must be.


def features(world: Calabresella) -> tuple[int, ...]:
    """Where threes and aces went, now and as dealt: enough to notice a wrong weight."""
    top = mask_of([card for card in Calabresella.pack(world.rules) if card_text(card)[0] in "3A"])
    layout = world.layout()
    bidder = world.bidder
    first = world.opponents()[0]
    return (
        (world.hands[bidder] & top).bit_count(),
        (world.hands[first] & top).bit_count(),
        (mask_of(layout.hands[bidder]) & top).bit_count(),
        (mask_of(layout.monte) & top).bit_count(),
    )


def prior(deal: Calabresella, spot: int | None, rng: Rng) -> Calabresella | None:
    """Deal what ``spot`` did not see when dealt, exchange at random; ``None`` where it comes to see something else."""
    layout = deal.layout()
    own = () if spot is None else layout.hands[spot]
    # In dividete the two cards that an opponent picked up lay in known places of the monte, in Chiamo all four do.
    view = deal.view(spot)
    seen = list(view.picked_up) if view.raised == "dividete" else list(view.shown)
    surrendered = [view.called] if view.giver is not None and view.giver != spot else []
    rest = [card for card in Calabresella.pack(deal.rules) if card not in (*own, *seen, *surrendered)]
    rng.shuffle(rest)
    hands = []
    for seat in range(3):
        known = list(own) if seat == spot else surrendered if seat == view.giver else []
        missing = 12 - len(known)
        hands.append((*known, *rest[:missing]))
        rest = rest[missing:]
    monte = [*seen, *rest] if spot == deal.opponents()[0] else [*rest, *seen]
    world = Calabresella.from_layout(deal.rules, deal.dealer, Layout(tuple(hands), monte=tuple(monte)))
    for seat, action in deal.actions():
        if action >> VERB == DISCARD and seat != spot:
            action = rng.choice(world.legal_actions())
        if world.why_illegal(action) is not None:
            return None
        world.advance(action)
    return world if world.view(spot) == deal.view(spot) else None


def two_samples(one: Counter[Any], two: Counter[Any]) -> tuple[float, int]:
    """Chi-square for two samples of equal size, rare values put together, and its degrees of freedom."""
    total = one + two
    common = [value for value in total if total[value] >= 24]
    cells = [(one[value], two[value]) for value in common]
    cells.append((sum(one.values()) - sum(a for a, _ in cells), sum(two.values()) - sum(b for _, b in cells)))
    return sum((a - b) ** 2 / (a + b) for a, b in cells if a + b), len(cells) - 1


FRESH: list[tuple[str, int | None]] = [
    ("solo", 2), ("solo", None), ("dividete", 1), ("dividete", 2), ("dividete", 0), ("dividete", None),
    ("scegliete", 1), ("scegliete", None), ("plain", 1), ("chiamo", 0), ("chiamo", 2), ("chiamo", None),
]  # fmt: skip


@pytest.mark.parametrize(("contract", "spot"), FRESH, ids=str)
def test_drawn_worlds_look_like_worlds_that_came_about(contract: str, spot: int | None, long: bool) -> None:
    compare(lambda rng: exchanged(contract, 1, rng), spot, 4000 if long else 400)


@pytest.mark.parametrize("done", range(5))
@pytest.mark.parametrize("contract", ["solo", "dividete", "scegliete"])
def test_drawn_worlds_look_right_in_the_middle_of_the_exchange_too(contract: str, done: int, long: bool) -> None:
    spot = 0 if contract == "solo" else 1
    compare(lambda rng: exchanged(contract, 1, rng, done), spot, 4000 if long else 200)


def exchanged(contract: str, bidder: int, rng: Rng, done: int = 99) -> Calabresella:
    deal = Calabresella.shuffle(rules(), 0, rng)
    word = contract if contract in ("chiamo", "solo") else "solissimo"
    while deal.phase == "auction":
        deal.apply(f"bid {word}" if deal.to_act == bidder else "pass")
    if deal.phase == "raise":
        deal.apply(f"raise {contract}")
    while deal.phase != "play" and done > 0:
        random_move(deal, rng)
        done -= 1
    return deal


def compare(make: Callable[[Rng], Calabresella], spot: int | None, count: int) -> None:
    rng = Rng(13)
    deal = make(rng)
    came: Counter[Any] = Counter()
    tries = 0
    while came.total() < count:
        tries += 1
        assert tries < 40 * count
        world = prior(deal, spot, rng)
        if world is not None:
            came[features(world)] += 1
    view = deal.view(spot)
    drawn = Counter(features(draw(view, rng)) for _ in range(count))
    value, freedom = two_samples(came, drawn)
    assert value < freedom + 4.5 * (2 * max(freedom, 1)) ** 0.5 + 6


def test_the_past_is_drawn_evenly_too() -> None:
    """Each of the sixteen cards of a Solo may have come from the monte, in each of its four places."""
    deal = played_down("solo", 1, 1, 5)
    rng = Rng(14)
    view = deal.view(1)
    assert all(draw(view, rng).dealt_monte == deal.dealt_monte for _ in range(5))
    places: list[Counter[int]] = [Counter() for _ in range(4)]
    count = 3200
    pool = set(deal.layout().hands[1]) | set(deal.dealt_monte)
    world_pools = []
    view = deal.view(2)
    for _ in range(count):
        world = draw(view, rng)
        for place, card in enumerate(world.dealt_monte):
            places[place][card] += 1
        world_pools.append(set(world.layout().hands[1]) | set(world.dealt_monte))
    certain = pool.intersection(*world_pools)
    assert certain == {card for seat, card in deal.plays() if seat == 1}
    for counter in places:
        for card in certain:
            assert abs(counter[card] - count / 16) < 5 * (count / 16) ** 0.5
