"""Calabresella: how many ways a deal can go, counted by the engine and by a second, plain count."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from meja.cards import Rng, parse_cards
from meja.deal import Layout
from meja.games.calabresella import Calabresella, CalabresellaRules
from meja.testing import perft

DATA: list[dict[str, Any]] = json.loads(Path(__file__).with_name("perft_calabresella.json").read_text(encoding="utf-8"))


def start(entry: dict[str, Any]) -> Calabresella:
    made = CalabresellaRules.from_dict(len(entry["hands"]), entry["rules"])
    hands = tuple(tuple(parse_cards(hand)) for hand in entry["hands"])
    layout = Layout(hands, monte=tuple(parse_cards(entry["monte"])))
    deal = Calabresella.from_layout(made, entry["dealer"], layout)
    for action in entry["done"]:
        deal.apply(action)
    return deal


def endings(deal: Calabresella, found: Counter[str]) -> Counter[str]:
    """How often each score comes out over all ways to do the rest of the deal."""
    if deal.to_act is None:
        found["void" if deal.void else " ".join(map(str, deal.score()))] += 1
        return found
    for action in deal.legal_actions():
        twin = deal.clone()
        twin.advance(action)
        endings(twin, found)
    return found


BIDS = ["chiamo", "solo", "solissimo"]
ORDER = "32AKQJ7654"
THIRDS = {"A": 3, "3": 1, "2": 1, "K": 1, "Q": 1, "J": 1}


class Plain:
    """The same game on texts and lists, written from the rules alone: one list of what has been done, replayed."""

    def __init__(self, entry: dict[str, Any]) -> None:
        self.rules = entry["rules"]
        self.trad = self.rules["preset"] == "trad"
        self.step = -1 if self.rule("direction", "ccw" if self.trad else "cw") == "ccw" else 1
        dealer, seats = entry["dealer"], len(entry["hands"])
        around = [(dealer - 1 + self.step * place) % seats for place in range(seats)]
        self.players: list[int] = [seat for seat in around if entry["hands"][seat]]
        self.hands: list[list[str]] = [hand.split() for hand in entry["hands"]]
        self.monte: list[str] = entry["monte"].split()
        self.turn: int | None = self.players[0]
        self.now = "auction"
        self.passed: list[int] = []
        self.calls = self.row = 0
        self.bid: str | None = None
        self.bidder = self.giver = -1
        self.raised = ""
        self.to_lay = 0
        self.table: list[tuple[int, str]] = []
        self.piles: dict[int, list[str]] = {seat: [] for seat in self.players}
        self.count: Counter[int] = Counter()
        for action in entry["done"]:
            self.do(action)

    def rule(self, name: str, default: Any) -> Any:
        return self.rules.get(name, default)

    def copy(self) -> Plain:
        twin = Plain.__new__(Plain)
        twin.__dict__.update(self.__dict__)
        twin.hands = [list(hand) for hand in self.hands]
        twin.monte, twin.passed, twin.table = list(self.monte), list(self.passed), list(self.table)
        twin.piles = {seat: list(cards) for seat, cards in self.piles.items()}
        twin.count = Counter(self.count)
        return twin

    def next(self, seat: int) -> int:
        """The next player in the direction of play."""
        return self.players[(self.players.index(seat) + 1) % 3]

    def options(self) -> list[str]:
        if self.turn is None:
            return []
        hand = self.hands[self.turn]
        if self.now == "auction":
            higher = BIDS if self.bid is None else BIDS[BIDS.index(self.bid) + 1 :]
            return ["pass", *(f"bid {bid}" for bid in higher)]
        if self.now == "raise":
            return ["raise plain", "raise dividete", "raise scegliete"]
        if self.now == "call":
            lacking = [rank + suit for rank in ORDER for suit in "shdc" if rank + suit not in hand]
            if self.rule("call", "any") == "threes_first":
                lacking = [card for card in lacking if card[0] == lacking[0][0]]
            return [f"call {card}" for card in lacking]
        if self.now == "play" and self.table and self.rule("follow_suit", self.trad):
            following = [card for card in hand if card[1] == self.table[0][1][1]]
            hand = following or hand
        return [f"{self.now} {card}" for card in hand]

    def do(self, action: str) -> None:
        assert self.turn is not None
        seat, (verb, *rest) = self.turn, action.split()
        word = rest[0] if rest else ""
        if verb in ("pass", "bid"):
            self.speak(seat, word)
        elif verb == "call":
            for other in self.players:
                if word in self.hands[other]:
                    self.hands[other].remove(word)
                    self.hands[seat].append(word)
                    self.giver = other
                    break
            self.pick_up(seat, 4)
            self.now = "give" if self.giver >= 0 else "discard"
        elif verb == "give":
            self.hands[seat].remove(word)
            self.hands[self.giver].append(word)
            self.now = "discard"
        elif verb == "raise":
            self.raised = word
            if word == "plain":
                self.lead()
            else:
                self.pick_up(self.next(seat), 2 if word == "dividete" else 4)
        elif verb == "discard":
            self.hands[seat].remove(word)
            self.monte.append(word)
            self.to_lay -= 1
            if self.to_lay == 0:
                if self.bid == "solissimo" and seat == self.next(self.bidder):
                    self.pick_up(self.next(seat), 2 if self.raised == "dividete" else 4)
                else:
                    self.lead()
        else:
            self.play(seat, word)

    def speak(self, seat: int, bid: str) -> None:
        self.calls += 1
        kind = self.rule("auction", "single_round" if self.trad else "standard")
        if bid:
            self.bid, self.bidder, self.row = bid, seat, 0
        else:
            self.passed.append(seat)
            self.row += 1
        self.turn = self.next(seat)
        while kind == "standard" and self.turn in self.passed and self.row < (2 if self.bid else 3):
            self.row += 1
            self.turn = self.next(self.turn)
        over = self.calls == 3 if kind == "single_round" else self.row == (2 if self.bid else 3)
        if self.bid == "solissimo" or over:
            self.turn = self.bidder if self.bid else None
            if self.bid == "solo":
                self.pick_up(self.bidder, 4)
            else:
                self.now = "call" if self.bid == "chiamo" else "raise"

    def pick_up(self, seat: int, count: int) -> None:
        self.hands[seat] += self.monte[:count]
        self.monte = self.monte[count:]
        self.to_lay = count
        self.turn, self.now = seat, "discard"

    def lead(self) -> None:
        bidder = self.bid == "solissimo" or self.rule("first_lead", "forehand") == "bidder"
        self.turn, self.now = self.bidder if bidder else self.players[0], "play"

    def play(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.table.append((seat, card))
        self.turn = self.next(seat)
        if len(self.table) == 3:
            led = self.table[0][1][1]
            winner = min((ORDER.index(card[0]), seat) for seat, card in self.table if card[1] == led)[1]
            self.piles[winner] += [card for _, card in self.table]
            self.count[winner] += 1
            self.table = []
            self.turn = winner
            if not self.hands[winner]:
                self.piles[winner] += [*self.monte, "last"]
                self.turn = None

    def score(self) -> str:
        if self.bid is None:
            return "void"
        thirds = {
            seat: sum(3 if c == "last" else THIRDS.get(c[0], 0) for c in cards) for seat, cards in self.piles.items()
        }
        mine = thirds[self.bidder] // 3
        theirs = sum(points for seat, points in thirds.items() if seat != self.bidder) // 3
        assert mine + theirs == 11
        stake = {"chiamo": 1, "solo": 2, "solissimo": self.rule("solissimo_base", 4)}[self.bid]
        stake *= {"": 1, "plain": 1, "dividete": 2, "scegliete": 4}[self.raised]
        tricks = self.count[self.bidder]
        slams = self.rule("slams", "standard")
        if slams != "off":
            losers = tricks if theirs > mine else 12 - tricks
            last = next(seat for seat, cards in self.piles.items() if "last" in cards)
            if tricks in (0, 12):
                stake *= 2 if slams == "standard" else 4
            elif 0 in (mine, theirs) or (
                slams == "tressette" and losers == 1 and (last == self.bidder) == (theirs > mine)
            ):
                stake *= 3
        sign = 1 if mine > theirs else -1
        seats = range(len(self.hands))
        return " ".join(
            str(sign * stake * (2 if seat == self.bidder else -1 if seat in self.players else 0)) for seat in seats
        )

    def perft(self, depth: int) -> int:
        options = self.options()
        if depth == 0 or not options:
            return 1
        if depth == 1:
            return len(options)
        total = 0
        for action in options:
            twin = self.copy()
            twin.do(action)
            total += twin.perft(depth - 1)
        return total

    def endings(self, found: Counter[str]) -> Counter[str]:
        if self.turn is None:
            found[self.score()] += 1
            return found
        for action in self.options():
            twin = self.copy()
            twin.do(action)
            twin.endings(found)
        return found


RULES = ("C3.2", "C3.3", "C3.4", "C4.1", "C4.5", "C4.6", "C5.1", "C5.3", "C5.4", "C6.1", "C6.2", "C6.3")


@pytest.mark.rule(*RULES)
@pytest.mark.parametrize("entry", DATA, ids=lambda entry: entry["name"])
def test_the_number_of_ways_to_go_on_is_the_known_one(entry: dict[str, Any]) -> None:
    deal = start(entry)
    for depth, expected in enumerate(entry["leaves"], 1):
        assert perft(deal, depth) == expected, depth


@pytest.mark.rule(*RULES)
@pytest.mark.parametrize("entry", DATA, ids=lambda entry: entry["name"])
def test_a_plain_count_on_texts_agrees(entry: dict[str, Any]) -> None:
    position = Plain(entry)
    for depth, expected in enumerate(entry["leaves"], 1):
        if expected > 4000:
            break
        assert position.perft(depth) == expected, depth


@pytest.mark.rule("C6.4", "C7.1", "C7.2", "C7.3", "C7.4", "C7.5", "C7.6")
@pytest.mark.parametrize("entry", [entry for entry in DATA if "endings" in entry], ids=lambda entry: entry["name"])
def test_the_scores_of_all_ways_to_the_end_are_the_known_ones(entry: dict[str, Any]) -> None:
    assert endings(start(entry), Counter()) == entry["endings"]
    assert Plain(entry).endings(Counter()) == entry["endings"]


@pytest.mark.parametrize("entry", [entry for entry in DATA if not entry["done"]], ids=lambda entry: entry["name"])
def test_random_deals_go_and_score_as_the_plain_rules_say(entry: dict[str, Any], long: bool) -> None:
    rng = Rng(3)
    for _ in range(300 if long else 15):
        deal, plain = start(entry), Plain(entry)
        while deal.to_act is not None:
            texts = sorted(deal.text(action) for action in deal.legal_actions())
            assert texts == sorted(plain.options())
            assert deal.to_act == plain.turn
            # Fewer passes than chance would have, so that most deals are played.
            text = rng.choice([text for text in texts if text != "pass" or not rng.below(3)] or texts)
            deal.apply(text)
            plain.do(text)
        assert plain.turn is None
        assert ("void" if deal.void else " ".join(map(str, deal.score()))) == plain.score()


RECORDS = sorted((Path(__file__).parents[1] / "records" / "calabresella").glob("*.meja"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_plain_rules_give_every_recorded_deal_its_score(path: Path) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    for deal in document["deals"]:
        plain = Plain({**deal, "rules": document["rules"], "done": []})
        for action in deal["actions"]:
            seat, text = action.split(maxsplit=1)
            assert plain.turn == int(seat)
            assert text in plain.options()
            plain.do(text)
        if plain.turn is None:
            assert plain.score() == ("void" if deal.get("void") else " ".join(map(str, deal["score"])))
        else:
            assert "score" not in deal
