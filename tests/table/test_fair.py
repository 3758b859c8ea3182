"""The fair shuffle ``meja-shuffle/1``: its stream, its deck, and what checking a record finds."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from meja import make_rules, new_match
from meja.bots import Budget, make_bot
from meja.cards import Rng
from meja.deal import Deal, Layout
from meja.errors import MejaError, RecordError
from meja.games import game, games
from meja.match import Match
from meja.messages import Message
from meja.record import Record, dumps, loads
from meja.rules import Rules
from meja.table.fair import VERSION, DealCheck, FairRng, check_record, commit, shuffled_pack

SEED = bytes(range(32))
ANA, CITRA = "a0" * 32, "0f" * 32
TABLE = "k3jx"


def plain_words(seed: bytes, clients: str, table: str, deal: int, blocks: int = 40) -> list[int]:
    """The stream as its description says it, written once more."""
    words = []
    for number in range(blocks):
        text = clients + "|" + table + "|" + str(deal) + "|" + str(number)
        block = hmac.new(seed, text.encode("utf-8"), hashlib.sha256).digest()
        for place in range(8):
            a, b, c, d = block[4 * place : 4 * place + 4]
            words.append(((a * 256 + b) * 256 + c) * 256 + d)
    return words


def plain_shuffle(pack: list[Any], words: list[int]) -> list[Any]:
    """Fisher-Yates from the end; uses up ``words``."""
    deck = list(pack)
    i = len(deck) - 1
    while i >= 1:
        word = words.pop(0)
        n = i + 1
        if word < 2**32 - (2**32 % n):
            j = word % n
            deck[i], deck[j] = deck[j], deck[i]
            i -= 1
    return deck


# -- the stream and the deck ------------------------------------------------------


def test_known_commitments() -> None:
    # These and the known values below were computed by a program in another language.
    assert commit(SEED, TABLE, 1) == "90cc4b8d9d3fa14f9b696d51d56797bf1ee1a31a95f3a710ad951c6ae38e71a1"
    assert commit(SEED, TABLE, 12) == "c10beb0d028873a86948620c4e4266f0384f5d5dce32c3fad98fb7c2c8d3bb87"


@pytest.mark.parametrize(
    ("clients", "deal", "words"),
    [
        ({0: ANA, 2: CITRA}, 1, (0x2EC9711E, 0x8B2A653D, 0x7144C352, 0x63D0B9BD, 0x4DF0BA75, 0x3C8AB0DC, 0x2AC1DE1F,
                                 0xB687AF50, 0xC265F9B3, 0xC47D1588)),
        ({}, 1, (0x91C3055E, 0xA05FEC5D, 0x167761C4, 0xE00DB5CD, 0x43023CA1, 0xFA4D647D, 0x7550C5A2, 0xBF783F05,
                 0x38104A4B, 0x72500DAE)),
        ({0: ANA}, 12, (0x005FF166, 0x6B7FD656, 0x63A74C81, 0x7B17D8C8, 0xB6CBAC8C, 0xA761BE07, 0xEFF8570A,
                        0xC1563DCF, 0xCEC6D45F, 0x8CEDC36E)),
    ],
)  # fmt: skip
def test_known_words_of_the_stream(clients: dict[int, str], deal: int, words: tuple[int, ...]) -> None:
    stream = FairRng(SEED, clients, TABLE, deal)
    assert tuple(stream.next32() for _ in words) == words


@pytest.mark.parametrize(
    ("clients", "deal", "order"),
    [
        ({2: CITRA, 0: ANA}, 1, "35 7 27 0 33 40 45 22 18 16 19 10 26 49 38 46 14 13 25 36 2 23 1 20 24 28 50 30 32 39 "
                                "12 29 51 43 21 42 47 41 44 31 4 48 15 11 17 3 34 5 9 8 37 6"),
        ({}, 1, "15 13 43 34 42 27 35 49 28 2 37 36 6 31 11 7 3 25 21 41 51 44 20 47 16 5 38 26 4 9 40 12 33 46 18 0 "
                "30 10 45 48 1 8 29 39 19 32 22 17 24 14 23 50"),
        ({0: ANA.upper()}, 12, "1 49 30 42 46 39 47 7 12 43 36 4 27 9 35 15 20 41 40 8 6 45 18 33 11 26 50 3 19 25 10 "
                               "16 0 38 13 2 17 5 37 44 29 51 21 23 48 32 14 28 22 31 24 34"),
    ],
)  # fmt: skip
def test_known_decks_whatever_the_order_and_case_of_the_seeds(clients: dict[int, str], deal: int, order: str) -> None:
    deck, _ = shuffled_pack(range(52), SEED, clients, TABLE, deal)
    assert deck == [int(card) for card in order.split()]


@pytest.mark.parametrize("name", games())
def test_the_deck_of_each_game_is_the_one_of_a_plain_second_program(name: str) -> None:
    pack = game(name).deal.pack(make_rules(name))
    for deal in range(1, 30):
        words = plain_words(SEED, f"1:{ANA},3:{CITRA}", TABLE, deal)
        deck, stream = shuffled_pack(pack, SEED, {3: CITRA, 1: ANA}, TABLE, deal)
        assert deck == plain_shuffle(list(pack), words)
        assert [stream.next32() for _ in range(20)] == words[:20]


def test_a_word_beyond_the_last_whole_multiple_is_passed_over() -> None:
    # Of the words that begin with 91, a0, 16, e0, 43, fa, 75, bf, 38 those from 3 * 10**9 on are passed over.
    stream = FairRng(SEED, {}, TABLE, 1)
    assert [stream.below(3_000_000_000) for _ in range(6)] == [
        0x91C3055E, 0xA05FEC5D, 0x167761C4, 0x43023CA1, 0x7550C5A2, 0x38104A4B,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("word", "bound", "taken"),
    [
        (2**32 - 1, 3, False),
        (2**32 - 2, 3, True),
        (2**32 - 1, 52, False),
        (2**32 - 48, 52, False),
        (2**32 - 49, 52, True),
        (2**32 - 1, 2, True),
        (2**32 - 1, 2**32, True),
        (2**32 - 1, 1, True),
        (2**31, 2**31 + 1, True),
        (2**31 + 1, 2**31 + 1, False),
    ],
)
def test_the_edge_of_what_is_passed_over(monkeypatch: pytest.MonkeyPatch, word: int, bound: int, taken: bool) -> None:
    words = [word, 0]
    monkeypatch.setattr(FairRng, "next32", lambda self: words.pop(0))
    assert FairRng(SEED, {}, TABLE, 1).below(bound) == (word % bound if taken else 0)
    assert len(words) == (1 if taken else 0)


@pytest.mark.parametrize("bound", [0, -1, 2**32 + 1])
def test_a_bound_that_a_word_cannot_serve_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="bound"):
        FairRng(SEED, {}, TABLE, 1).below(bound)


@pytest.mark.parametrize("bound", [2, 3, 7, 52])
def test_every_number_below_the_bound_comes_about_as_often(bound: int) -> None:
    stream = FairRng(SEED, {0: ANA}, TABLE, 5)
    draws = 400 * bound
    seen = Counter(stream.below(bound) for _ in range(draws))
    assert set(seen) == set(range(bound))
    chi_square = sum((count - 400) ** 2 / 400 for count in seen.values())
    # The mean is bound - 1; five standard deviations beyond it a fair stream hardly ever comes.
    assert chi_square < bound - 1 + 5 * (2 * (bound - 1)) ** 0.5


def test_every_card_comes_to_every_place_about_as_often() -> None:
    seen = Counter(shuffled_pack(range(6), SEED, {}, TABLE, deal)[0].index(0) for deal in range(1, 3001))
    assert sum((seen[place] - 500) ** 2 / 500 for place in range(6)) < 5 + 5 * 10**0.5


@pytest.mark.parametrize(
    "change",
    [
        {"server_seed": bytes(31) + b"\1"},
        {"client_seeds": {}},
        {"client_seeds": {1: ANA}},
        {"client_seeds": {0: CITRA}},
        {"client_seeds": {0: ANA, 1: CITRA}},
        {"table": "k3jy"},
        {"deal": 11},
    ],
)
def test_each_thing_that_goes_in_changes_the_deck(change: dict[str, Any]) -> None:
    given: dict[str, Any] = {"server_seed": SEED, "client_seeds": {0: ANA}, "table": TABLE, "deal": 1}
    assert shuffled_pack(range(52), **given)[0] != shuffled_pack(range(52), **{**given, **change})[0]


def test_the_deck_of_one_deal_is_not_that_of_another_whose_parts_look_alike_when_joined() -> None:
    assert shuffled_pack(range(52), SEED, {}, "a1", 1)[0] != shuffled_pack(range(52), SEED, {}, "a", 11)[0]
    assert commit(SEED, "a1", 1) != commit(SEED, "a", 11)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"server_seed": bytes(31)}, "a server's seed has 32 bytes, not 31"),
        ({"table": "a|1"}, "letters, digits"),
        ({"table": ""}, "letters, digits"),
        ({"deal": 0}, "counted from 1"),
        ({"client_seeds": {2: "0" * 63}}, "the seed of seat 2 must be 64 hex digits"),
        ({"client_seeds": {2: "g" * 64}}, "the seed of seat 2 must be 64 hex digits"),
        ({"client_seeds": {2: "0" * 64 + "\n"}}, "the seed of seat 2 must be 64 hex digits"),
    ],
)
def test_what_cannot_be_a_shuffle_is_refused(change: dict[str, Any], words: str) -> None:
    given: dict[str, Any] = {"server_seed": SEED, "client_seeds": {0: ANA}, "table": TABLE, "deal": 1}
    with pytest.raises(MejaError, match=words):
        FairRng(**{**given, **change})


def test_a_clone_goes_on_by_itself_and_a_fork_is_the_stream_itself() -> None:
    stream = FairRng(SEED, {}, TABLE, 1)
    for _ in range(3):
        stream.next32()
    twin = stream.clone()
    ahead = [twin.next32() for _ in range(20)]
    assert [stream.next32() for _ in range(20)] == ahead
    assert stream.fork() is stream


# -- playing with it --------------------------------------------------------------


def server_seed(deal: int) -> bytes:
    return hashlib.sha256(f"server {deal}".encode()).digest()


def client_seed(seat: int, deal: int) -> str:
    return hashlib.sha256(f"client {seat} {deal}".encode()).hexdigest()


def play(rules: Rules, deals: int, table: str = TABLE) -> Record:
    """A match whose cards come from the fair shuffle, between bots; seats 0 and 1 give seeds."""
    match: Match = new_match(rules, dealer=1)
    bot = make_bot("rules-of-thumb", rules.game)
    made: type[Deal[Any]] = match.deal_class
    entries = []
    for number in range(1, deals + 1):
        if match.over:
            break
        seeds = {seat: client_seed(seat, number) for seat in (0, 1)}
        cards, stream = shuffled_pack(made.pack(rules), server_seed(number), seeds, table, number)
        deal = match.next_deal(made.lay_out(rules, match.dealer, cards), rng=stream)
        while deal.to_act is not None:
            match.apply(bot.act(deal.view(deal.to_act), Budget()))
        entries.append(
            {
                "deal": number,
                "commit": commit(server_seed(number), table, number),
                "server_seed": server_seed(number).hex(),
                "client_seeds": {str(seat): seed for seat, seed in seeds.items()},
            }
        )
    return Record.of_match(match, fairness={"version": VERSION, "table": table, "deals": entries})


@cache
def kaluki() -> Record:
    """A match in whose first deal the pile is shuffled again: about one of fifteen is such."""
    records = (play(make_rules("kaluki", 4, target=500), 1, f"table-{number}") for number in range(200))
    return next(record for record in records if record.deals[0].reshuffles)


def table_of(record: Record) -> str:
    assert record.fairness is not None
    return str(record.fairness["table"])


@cache
def smear() -> Record:
    return play(make_rules("smear", 3), 4)


@pytest.mark.parametrize("name", games())
def test_a_fair_match_passes_in_every_game_with_every_number_of_seats(name: str) -> None:
    for seats in game(name).rules.seat_numbers:
        options: dict[str, Any] = {"dealer_sits_out": True} if (name, seats) == ("calabresella", 4) else {}
        record = loads(dumps(play(make_rules(name, seats, **options), 3)))
        assert check_record(record) == [DealCheck(number + 1) for number in range(len(record.deals))]


def test_a_match_shuffled_by_the_stream_alone_is_dealt_the_same_cards_and_reshuffles() -> None:
    rules = make_rules("kaluki", 4, target=500)
    bot = make_bot("rules-of-thumb", "kaluki")
    match = new_match(rules, dealer=1)
    seeds = {seat: client_seed(seat, 1) for seat in (0, 1)}
    deal = match.next_deal(FairRng(server_seed(1), seeds, table_of(kaluki()), 1))
    while deal.to_act is not None:
        match.apply(bot.act(deal.view(deal.to_act), Budget()))
    assert Record.of_match(match).deals[0] == kaluki().deals[0]


def test_a_kaluki_reshuffle_goes_on_with_the_words_after_the_pack() -> None:
    record = kaluki()
    recorded = record.deals[0]
    pack = game("kaluki").deal.pack(record.rules)
    clients = f"0:{client_seed(0, 1)},1:{client_seed(1, 1)}"
    words = plain_words(server_seed(1), clients, table_of(record), 1, blocks=100)
    plain_shuffle(list(pack), words)
    # The pile before each reshuffle, as everybody at the table could see it.
    expected: list[list[Any]] = []
    for match, number, done in record.steps():
        deal = match.deal
        if deal is None or number > 0 or done == len(recorded.actions):
            break
        zones = deal.zones()
        if recorded.actions[done][1] == "draw" and not zones["stock"] and len(expected) < 3 and len(zones["pile"]) > 1:
            expected.append(plain_shuffle(list(zones["pile"][:-1]), words))
    assert [list(order) for order in recorded.reshuffles] == expected


def test_a_second_reshuffle_goes_on_where_the_first_one_ended() -> None:
    # Nobody ever opens: every player draws and throws the card away again.
    rules = make_rules("kaluki", 2)
    made = game("kaluki").deal
    cards, stream = shuffled_pack(made.pack(rules), SEED, {}, TABLE, 1)
    match = new_match(rules)
    deal = match.next_deal(made.lay_out(rules, 0, cards), rng=stream)
    words = plain_words(SEED, "", TABLE, 1, blocks=200)
    plain_shuffle(list(made.pack(rules)), words)
    expected: list[tuple[Any, ...]] = []
    while deal.to_act is not None:
        zones = deal.zones()
        if deal.phase == "draw" and not zones["stock"] and len(expected) < 3:
            expected.append(tuple(plain_shuffle(list(zones["pile"][:-1]), words)))
        drew = deal.view(deal.to_act).details()["drew"]
        deal.apply("draw" if drew is None else f"discard {drew}")
    assert deal.reshuffles() == expected
    assert len(expected) == 3
    entry = {"deal": 1, "commit": commit(SEED, TABLE, 1), "server_seed": SEED.hex(), "client_seeds": {}}
    record = loads(dumps(Record.of_match(match, fairness={"version": VERSION, "table": TABLE, "deals": [entry]})))
    assert check_record(record) == [DealCheck(1)]
    third = record.deals[0].reshuffles[2]
    turned = replace(record.deals[0], reshuffles=(*record.deals[0].reshuffles[:2], third[1:] + third[:1]))
    # Only what is drawn after the third reshuffle is another card now: nothing of it may be discarded yet.
    shortened = turned.actions[: _actions_until_reshuffle(record, 3)]
    other = replace(record, deals=(replace(turned, actions=shortened, void=False),))
    assert [check.problem for check in check_record(other)] == ["reshuffle 3 does not follow from the seeds"]


def _actions_until_reshuffle(record: Record, number: int) -> int:
    for match, _, done in record.steps():
        if match.deal is not None and len(match.deal.reshuffles()) == number:
            return done
    raise AssertionError


# -- what checking finds ----------------------------------------------------------


def changed(record: Record, change: Callable[[dict[str, Any]], Any]) -> Record:
    """The record with its fairness changed in place by ``change``."""
    fairness = json.loads(json.dumps(record.fairness))
    change(fairness)
    return replace(record, fairness=fairness)


def problems(record: Record) -> dict[int, Message]:
    return {check.deal: check.problem for check in check_record(record) if check.problem is not None}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda f: f["deals"][1].update(commit="0" * 64), "the server's seed is not the one it was bound to"),
        (lambda f: f["deals"][1].update(server_seed=server_seed(9).hex()), "the server's seed is not the one"),
        (lambda f: f["deals"][1].update(server_seed=None), "the server's seed was never shown"),
        (
            lambda f: f["deals"][1].update(server_seed="ab" * 32, commit=commit(b"\xab" * 32, TABLE, 2)),
            "the cards dealt to seat",
        ),
        (lambda f: f["deals"][1]["client_seeds"].update({"1": "ab" * 32}), "the cards dealt to seat"),
        (lambda f: f["deals"][1]["client_seeds"].pop("1"), "the cards dealt to seat"),
        (lambda f: f["deals"].pop(1), "nothing is recorded of its shuffle"),
    ],
)
def test_a_deal_whose_shuffle_was_changed_is_found_and_no_other(
    change: Callable[[dict[str, Any]], Any], problem: str
) -> None:
    found = problems(changed(smear(), change))
    assert list(found) == [2]
    assert found[2].startswith(problem)


def test_another_table_has_other_commitments() -> None:
    assert set(problems(changed(smear(), lambda f: f.update(table="other")))) == {1, 2, 3, 4}


def test_a_shuffle_without_a_deal_is_a_problem() -> None:
    def add(fairness: dict[str, Any]) -> None:
        fairness["deals"].append({**fairness["deals"][0], "deal": 5})

    assert problems(changed(smear(), add)) == {5: "the record has a shuffle for it, but no such deal"}


def relaid(record: Record, change: Callable[[Layout], Layout]) -> Record:
    """The record up to the first deal, whose cards lie otherwise and were not played yet."""
    first = record.deals[0]
    bare = replace(first, layout=change(first.layout), actions=(), reshuffles=(), score=None, void=False)
    return changed(
        replace(record, deals=(bare,), totals=None, winners=None),
        lambda fairness: fairness.update(deals=fairness["deals"][:1]),
    )


@pytest.mark.parametrize(
    ("name", "change", "problem"),
    [
        (
            "kaluki",
            lambda lay: replace(lay, stock=(lay.stock[1], lay.stock[0], *lay.stock[2:])),
            "the stock does not follow from the seeds",
        ),
        (
            "kaluki",
            lambda lay: replace(lay, upcard=lay.stock[-1], stock=(*lay.stock[:-1], lay.upcard)),
            "the upcard",
        ),
        (
            "kaluki",
            lambda lay: replace(lay, hands=(*lay.hands[1:], lay.hands[0])),
            "the cards dealt to seat 0 do not follow from the seeds",
        ),
        (
            "calabresella",
            lambda lay: replace(lay, monte=(lay.monte[1], lay.monte[0], *lay.monte[2:])),
            "the monte does not follow from the seeds",
        ),
    ],
)
def test_cards_that_lie_otherwise_than_the_seeds_say_are_named(
    name: str, change: Callable[[Layout], Layout], problem: str
) -> None:
    record = kaluki() if name == "kaluki" else play(make_rules(name), 1)
    assert problems(relaid(record, lambda layout: layout)) == {}
    assert problems(relaid(record, change))[1].startswith(problem)


def test_a_reshuffle_that_does_not_follow_from_the_seeds_is_found() -> None:
    record = kaluki()
    first = record.deals[0]
    order = first.reshuffles[0]
    cut = _actions_until_reshuffle(record, 1)
    deal = replace(first, reshuffles=(order[1:] + order[:1],), actions=first.actions[:cut], score=None, void=False)
    other = changed(
        replace(record, deals=(deal,), totals=None, winners=None),
        lambda fairness: fairness.update(deals=fairness["deals"][:1]),
    )
    assert problems(other) == {1: "reshuffle 1 does not follow from the seeds"}


def test_a_deal_in_progress_is_checked_as_far_as_it_goes() -> None:
    record = smear()
    last = replace(record.deals[-1], actions=record.deals[-1].actions[:3], score=None, void=False)
    begun = replace(record, deals=(*record.deals[:-1], last))
    assert check_record(begun) == [DealCheck(number) for number in (1, 2, 3, 4)]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda f: f.pop("version"), "fairness"),
        (lambda f: f.update(extra=1), "fairness"),
        (lambda f: f.update(version="meja-shuffle/2"), "fairness.version"),
        (lambda f: f.update(version=1), "fairness.version"),
        (lambda f: f.update(table=7), "fairness.table"),
        (lambda f: f.update(table="a b"), "fairness.table"),
        (lambda f: f.update(deals={}), "fairness.deals"),
        (lambda f: f["deals"].append(f["deals"][0]), "fairness.deals[4]"),
        (lambda f: f["deals"].insert(0, "x"), "fairness.deals[0]"),
        (lambda f: f["deals"][1].pop("client_seeds"), "fairness.deals[1]"),
        (lambda f: f["deals"][1].update(more=1), "fairness.deals[1]"),
        (lambda f: f["deals"][1].update(deal="2"), "fairness.deals[1].deal"),
        (lambda f: f["deals"][1].update(deal=True), "fairness.deals[1].deal"),
        (lambda f: f["deals"][1].update(deal=0), "fairness.deals[1].deal"),
        (lambda f: f["deals"][1].update(commit="00"), "fairness.deals[1].commit"),
        (lambda f: f["deals"][1].update(commit=None), "fairness.deals[1].commit"),
        (lambda f: f["deals"][1].update(server_seed="A" * 64), "fairness.deals[1].server_seed"),
        (lambda f: f["deals"][1].update(server_seed=5), "fairness.deals[1].server_seed"),
        (lambda f: f["deals"][1].update(client_seeds=[]), "fairness.deals[1].client_seeds"),
        (lambda f: f["deals"][1].update(client_seeds={"3": ANA}), "fairness.deals[1].client_seeds.3"),
        (lambda f: f["deals"][1].update(client_seeds={"00": ANA}), "fairness.deals[1].client_seeds.00"),
        (lambda f: f["deals"][1].update(client_seeds={"0": ANA[:-1]}), "fairness.deals[1].client_seeds.0"),
    ],
)
def test_malformed_fairness_is_refused_with_its_place(change: Callable[[dict[str, Any]], Any], place: str) -> None:
    with pytest.raises(RecordError) as caught:
        check_record(changed(smear(), change))
    assert caught.value.place == place


def test_a_record_without_fairness_has_nothing_to_check() -> None:
    with pytest.raises(RecordError, match="says nothing of how its cards were shuffled"):
        check_record(replace(smear(), fairness=None))


def test_a_record_that_breaks_the_rules_is_refused_as_such() -> None:
    first = smear().deals[0]
    with pytest.raises(RecordError, match=r"deals\[0\].actions\[0\]"):
        check_record(replace(smear(), deals=(replace(first, actions=((first.dealer, "pass"),)),)))


def test_the_generator_of_play_at_the_terminal_can_still_start_a_deal() -> None:
    # The two kinds of generator serve the same purpose in a match.
    assert new_match(make_rules("smear", 2)).next_deal(Rng(1)).to_act is not None
