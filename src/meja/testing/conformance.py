"""What every game must keep, checked over deals played at random.

The checks are those of ``docs/conformance.md``. They use nothing but the contract of
:class:`~meja.deal.Deal`, so they serve a game of your own just as well.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import islice, pairwise
from typing import Any

from meja.cards import Card, Rng, cards_text, parse_card
from meja.deal import Chance, Context, Deal, Layout
from meja.errors import IllegalAction, MejaError
from meja.games import game
from meja.record import DealRecord, Record, dumps, loads
from meja.rules import Rules
from meja.view import Event

#: Chooses one of the legal actions of a deal: (deal, generator) -> action.
Policy = Callable[[Deal[Any], Rng], Any]

#: A layout in which two cards are swapped, the actions as they would have been, and the two cards.
_Swapped = tuple[Layout, list[tuple[int, Any]], tuple[Card, Card]]

#: No deal of these games is longer; one that is has a rule that lets it go on for ever.
LONGEST = 6000
_LIST_LIMIT = 300
#: The legal list is checked so many times as often as what costs more.
_LISTS = 5
#: And the cards are counted so many times as often.
_COUNTS = 50
#: At least this share of deals is written as a record, read back, and played again one seat further.
_ENDS = 0.05
#: The legal list is checked so many times as often as what costs more.
_LISTS = 5
#: And the cards are counted so many times as often.
_COUNTS = 50
#: At least this share of deals is written as a record, read back, and played again one seat further.
_ENDS = 0.05
_MOVABLE = 4
#: Places whose cards everybody sees.
_OPEN_ZONES = ("played", "pile", "table")


class ConformanceError(AssertionError):
    """A game broke an invariant; the message holds the rules, the seed and the deal's record."""


@dataclass
class Report:
    """How much was checked."""

    deals: int = 0
    actions: int = 0
    illegal: int = 0
    clones: int = 0
    views: int = 0
    worlds: int = 0
    swaps: int = 0
    records: int = 0
    voids: int = 0

    def add(self, other: Report) -> None:
        """Add another report's counts."""
        for item in fields(self):
            setattr(self, item.name, getattr(self, item.name) + getattr(other, item.name))

    def __str__(self) -> str:
        return ", ".join(f"{getattr(self, item.name):,} {item.name}" for item in fields(self))


def random_policy(deal: Deal[Any], rng: Rng) -> Any:
    """Any legal action."""
    legal = deal.legal_actions()
    sample = getattr(legal, "sample", None)
    return sample(rng) if sample is not None else legal[rng.below(len(legal))]


def check_game(
    rules: Rules,
    *,
    deals: int = 20,
    seed: int = 0,
    policy: Policy = random_policy,
    thorough: float = 1.0,
) -> Report:
    """Play ``deals`` deals by ``rules`` and check every invariant; raise :class:`ConformanceError` if one fails.

    ``policy`` chooses the actions. ``thorough`` is the share of decisions at which the costly checks
    are made (views, worlds, clones, refusals); the legal list is checked 5 times as often, and the cards
    are counted 50 times as often. Every action goes through the game's own checker.
    """
    report = Report()
    for number in range(deals):
        _DealCheck(rules, seed, number, policy, thorough, report).run()
    return report


class _DealCheck:
    def __init__(self, rules: Rules, seed: int, number: int, policy: Policy, thorough: float, report: Report) -> None:
        self.rules = rules
        self.seed = seed
        self.number = number
        self.policy = policy
        self.thorough = thorough
        self.report = report
        self.rng = Rng(seed, number)
        self.deal_class = game(rules.game).deal
        self.dealer = self.rng.below(rules.seats)
        self.context = Context(tuple(self.rng.below(9) for _ in range(rules.seats)), self.rng.below(5), 0)
        self.deal: Deal[Any] = self.deal_class.shuffle(rules, self.dealer, self.rng.fork(), self.context)
        self.pack = self._cards(self.deal)
        self.watchers: list[int | None] = [*range(rules.seats), None]
        self.told: list[Event] = []
        self.pool: list[Any] = []
        self.kept: list[tuple[Deal[Any], Any]] = []

    def run(self) -> None:
        try:
            self._run()
        except ConformanceError:
            raise
        except Exception as error:
            raise ConformanceError(f"{type(error).__name__}: {error}\n{self._where()}") from error

    def _run(self) -> None:
        deal, rng = self.deal, self.rng
        allowed = Counter(self.deal_class.pack(self.rules))
        self.require(not Counter(self.pack) - allowed, "the deal holds cards that are not in the pack")
        while not deal.over:
            self.require(len(deal.actions()) < LONGEST, "the deal does not end")
            share = rng.random() if self.thorough < 1 else 0.0
            if share < self.thorough * _LISTS:
                legal = self._check_legal_list()
                if share < self.thorough:
                    self._check_refusals(legal)
                    self._check_clone()
                    self._check_views()
            action = self.policy(deal, rng)
            if len(self.pool) < 60 or rng.below(4) == 0:
                self.pool.append(action)
            self.told += deal.apply(action)
            self.report.actions += 1
            if share < self.thorough * _COUNTS:
                self.require(self._cards(deal) == self.pack, "cards were lost or doubled")
        self._check_end()
        self.report.deals += 1
        self.report.voids += deal.void

    # -- single checks ------------------------------------------------------------

    def _check_legal_list(self) -> list[Any]:
        deal = self.deal
        legal = deal.legal_actions()
        listed = list(islice(iter(legal), _LIST_LIMIT))
        self.require(bool(listed), "no legal action although a seat is to act")
        self.require(all(a < b for a, b in pairwise(listed)), "the legal list is not sorted and unique")
        probe = listed if len(listed) <= 12 else [listed[self.rng.below(len(listed))] for _ in range(12)]
        for action in probe:
            reason = deal.why_illegal(action)
            self.require(reason is None, f"a listed action is refused: {deal.describe(action)}: {reason}")
            text = deal.text(action)
            self.require(deal.parse(text) == action, f"the text of an action reads back as another one: {text}")
        return listed

    def _check_refusals(self, listed: list[Any]) -> None:
        deal = self.deal
        legal = deal.legal_actions()
        complete = len(listed) < _LIST_LIMIT
        known = set(listed)
        before = self._fingerprint(deal)
        candidates = [self.pool[self.rng.below(len(self.pool))] for _ in range(min(8, len(self.pool)))]
        for action in [*candidates, *_garbage(deal)]:
            reason = deal.why_illegal(action)
            if reason is None:
                # A lazy list may stand for several ways to write one action; it must say so itself.
                if complete and action not in known:
                    self.require(
                        not isinstance(legal, list | tuple) and action in legal,
                        f"an action is accepted but not listed: {deal.describe(action)}",
                    )
                continue
            self.require(action not in known, f"a listed action is refused: {deal.describe(action)}")
            self.require(bool(reason.code and reason.text and reason.rule), "a refusal lacks code, text or rule")
            try:
                deal.apply(action)
            except IllegalAction as error:
                self.require(error.code == reason.code, "apply and why_illegal give different reasons")
            else:
                self.require(False, f"an illegal action was done: {deal.describe(action)}")
            self.report.illegal += 1
        self.require(self._fingerprint(deal) == before, "a refused action changed the state")

    def _check_clone(self) -> None:
        deal = self.deal
        before = self._fingerprint(deal)
        twin = deal.clone()
        self.require(self._fingerprint(twin) == before, "a clone differs from its original")
        if len(self.kept) < 4:
            self.kept.append((twin.clone(), before))
        # Both ways of doing an action must lead to the same state.
        other = deal.clone()
        action = self.policy(deal, self.rng)
        twin.apply(action)
        other.advance(action)
        self.require(self._fingerprint(twin) == self._fingerprint(other), "apply and advance differ")
        for _ in range(3):
            if not twin.over:
                twin.apply(self.policy(twin, self.rng))
        self.require(self._fingerprint(deal) == before, "playing on in a clone changed the original")
        self.report.clones += 1

    def _check_views(self) -> None:
        for seat in self.watchers:
            self._check_world(seat)
        self._check_swap(self.watchers[self.rng.below(len(self.watchers))])

    def _check_world(self, seat: int | None) -> None:
        deal = self.deal
        view = deal.view(seat)
        text = view.to_json()
        hidden = deal.unseen(seat)
        for source, world in (
            ("Deal.determinize", deal.determinize(seat, self.rng.fork())),
            ("View.determinize", view.determinize(self.rng.fork())),
        ):
            self.require(world.view(seat).to_json() == text, f"{source} for {seat} gives another view")
            self.require(self._cards(world) == self.pack, f"{source} loses or doubles cards")
            self.require(world.unseen(seat) == hidden, f"{source} for {seat} changes what is hidden")
            if seat is not None and seat == deal.to_act:
                for action in self.pool[-5:]:
                    self.require(
                        world.why_illegal(action) == deal.why_illegal(action), "a refusal depends on hidden cards"
                    )
            self._check_history(world, seat, source)
            self.report.worlds += 1
        self.report.views += 1

    def _check_honesty(self, seat: int | None, other: Deal[Any]) -> None:
        """``other`` is a second world that ``seat`` cannot tell from the true one: it must be drawn too."""
        deal = self.deal
        truth = self._hidden_zones(deal)
        if deal.over or self._hidden_zones(other) == truth:
            return
        # Of two worlds or more the true one comes up 40 times running less than once in 10**12 times.
        self.require(
            any(self._hidden_zones(deal.determinize(seat, self.rng.fork())) != truth for _ in range(40)),
            f"determinize for {seat} gives the true cards",
        )

    def _check_history(self, world: Deal[Any], seat: int | None, source: str) -> None:
        """A drawn world is a whole deal: its own record replays and shows ``seat`` the same events."""
        again = self._replayed(world.layout(), world.actions(), world.reshuffles())
        self.require(again is not None, f"{source} for {seat}: the drawn deal does not replay")
        assert again is not None
        replayed, events = again
        self.require(
            [event.seen_by(seat) for event in events] == self._seen(seat),
            f"{source} for {seat}: other events were seen",
        )
        self.require(
            replayed.view(seat).to_json() == self.deal.view(seat).to_json(),
            f"{source} for {seat}: the replayed deal gives another view",
        )

    def _check_swap(self, seat: int | None) -> None:
        """Swap two cards that ``seat`` cannot see: where that is a possible deal, nothing changes for it."""
        deal = self.deal
        if deal.reshuffles():
            return
        swapped = self._swap_places(seat) if deal.layout().stock else self._swap_faces(seat)
        if swapped is None:
            return
        other, actions, shown = swapped
        again = self._replayed(other, actions, [])
        if again is None:
            return
        replayed, events = again
        self.require(
            replayed.view(seat).to_json() == deal.view(seat).to_json(),
            f"swapping {cards_text(shown)}, hidden from {seat}, changed its view",
        )
        self.require(
            [event.seen_by(seat) for event in events] == self._seen(seat),
            f"swapping {cards_text(shown)}, hidden from {seat}, changed the events it saw",
        )
        self._check_honesty(seat, replayed)
        self.report.swaps += 1

    def _swap_faces(self, seat: int | None) -> _Swapped | None:
        """Two cards of one pack, wherever they lie; hidden actions that name them are swapped too."""
        deal = self.deal
        layout = deal.layout()
        unseen = set(deal.unseen(seat))
        # A card that lay open to this seat once may be out of sight now, but not exchanged for another one.
        shown_once = json.dumps(self._seen(seat))
        hidden = [
            card
            for name, cards in deal.zones().items()
            if name != f"hand {seat}"
            for card in cards
            if card in unseen and cards_text([card]) not in shown_once
        ]
        if len(set(hidden)) < 2:
            return None
        one, two = self.rng.choice(hidden), self.rng.choice(hidden)
        exchange = {one: two, two: one}

        def swapped(cards: Iterable[Card]) -> tuple[Card, ...]:
            return tuple(exchange.get(card, card) for card in cards)

        other = replace(layout, hands=tuple(swapped(hand) for hand in layout.hands), monte=swapped(layout.monte))
        actions = []
        for (actor, action), (_, visible) in zip(deal.actions(), deal.view(seat).log, strict=True):
            if visible == action:
                actions.append((actor, action))
                continue
            word, _, card = deal.text(action).partition(" ")
            text = cards_text(swapped([parse_card(card)])) if card else ""
            actions.append((actor, deal.parse(f"{word} {text}".strip())))
        return other, actions, (one, two)

    def _swap_places(self, seat: int | None) -> _Swapped | None:
        """Two places of the deal: equal cards of two packs are told apart by where they were dealt."""
        deal = self.deal
        layout = deal.layout()
        stock = tuple(deal.zones()["stock"])
        drawn = len(layout.stock) - len(stock)
        if layout.stock[drawn:] != stock:
            # The pile has become the stock: what lies there now was seen before.
            return None
        # The stock's next cards nobody has seen, nor the other hands as they were dealt.
        places = [(-1, index) for index in range(drawn, len(layout.stock))]
        places += [(other, i) for other, hand in enumerate(layout.hands) if other != seat for i in range(len(hand))]
        if len(places) < 2:
            return None
        rows = [list(hand) for hand in layout.hands] + [list(layout.stock)]
        (row, i), (other_row, j) = self.rng.choice(places), self.rng.choice(places)
        one, two = rows[row][i], rows[other_row][j]
        rows[row][i], rows[other_row][j] = two, one
        other = replace(layout, hands=tuple(tuple(hand) for hand in rows[:-1]), stock=tuple(rows[-1]))
        return other, deal.actions(), (one, two)

    def _check_end(self) -> None:
        deal = self.deal
        self.require(self._cards(deal) == self.pack, "cards were lost or doubled")
        self.require(not deal.legal_actions(), "a deal that is over has legal actions")
        self.require(deal.to_act is None, "a deal that is over has a seat to act")
        score = deal.score()
        self.require(len(score) == self.rules.seats, "the score does not name every seat")
        low, high = self.deal_class.score_range(self.rules)
        self.require(all(low <= points <= high for points in score), f"the score {score} is not within {low}..{high}")
        for line in deal.score_sheet():
            self.require(bool(line.reason and line.rule), "a score line lacks reason or rule")
        if deal.void:
            self.require(not any(score), "a void deal has a score")
        for twin, before in self.kept:
            self.require(self._fingerprint(twin) == before, "playing on changed a clone made earlier")
        share = self.rng.random() if self.thorough < 1 else 0.0
        if share < max(_ENDS, self.thorough * _LISTS):
            for seat in self.watchers:
                deal.view(seat).to_json()
                if share < self.thorough:
                    self._check_world(seat)
            self._check_record()
            self._check_rotation()

    def _check_record(self) -> None:
        recorded = DealRecord.of_deal(self.deal)
        record = Record(self.rules, tuple(f"seat {seat}" for seat in range(self.rules.seats)), (recorded,))
        match = record.replay()
        if match.over:
            record = replace(record, totals=match.totals, winners=match.winners)
        # The deal was dealt in the middle of a match; by itself it is a first deal, whose score may differ only
        # where the totals count, which no game does.
        text = dumps(record)
        again = loads(text)
        self.require(dumps(again) == text and again == record, "the record does not read back as written")
        self.report.records += 1

    def _check_rotation(self) -> None:
        """Every seat one further: the same play must bring the same points, one seat further."""
        seats = self.rules.seats
        layout = self.deal.layout()
        turned = replace(layout, hands=(layout.hands[-1], *layout.hands[:-1]))
        actions = [((seat + 1) % seats, action) for seat, action in self.deal.actions()]
        again = self._replayed(turned, actions, self.deal.reshuffles(), (self.dealer + 1) % seats, turn=1)
        self.require(again is not None, "the deal does not replay with every seat one further")
        assert again is not None
        score = self.deal.score()
        self.require(again[0].score() == (score[-1], *score[:-1]), "the score depends on the number of a seat")

    # -- helpers ------------------------------------------------------------------

    def _replayed(
        self,
        layout: Layout,
        actions: Sequence[tuple[int, Any]],
        reshuffles: Sequence[Sequence[Card]],
        dealer: int | None = None,
        turn: int = 0,
    ) -> tuple[Deal[Any], list[Event]] | None:
        """The deal replayed with checks, and its events; ``None`` if an action is refused."""
        totals = self.context.totals
        context = replace(self.context, totals=(*totals[-turn:], *totals[:-turn])) if turn else self.context
        events: list[Event] = []
        try:
            deal = self.deal_class.from_layout(
                self.rules, self.dealer if dealer is None else dealer, layout, context, Chance(None, reshuffles)
            )
            for seat, action in actions:
                if deal.to_act != seat:
                    return None
                events += deal.apply(action)
        except MejaError:
            return None
        return deal, events

    def _seen(self, seat: int | None) -> list[dict[str, Any]]:
        return [event.seen_by(seat) for event in self.told]

    def _cards(self, deal: Deal[Any]) -> list[Card]:
        return sorted(card for cards in deal.zones().values() for card in cards)

    def _hidden_zones(self, deal: Deal[Any]) -> Any:
        return {
            name: list(cards) if name == "stock" else sorted(cards) for name, cards in deal.zones().items() if cards
        }

    def _fingerprint(self, deal: Deal[Any]) -> Any:
        return (
            deal.to_act,
            deal.phase,
            tuple(deal.actions()),
            tuple((name, tuple(cards)) for name, cards in deal.zones().items()),
            tuple(deal.reshuffles()),
            deal.context,
            deal.dealer,
        )

    def require(self, condition: bool, what: str) -> None:
        if not condition:
            raise ConformanceError(f"{what}\n{self._where()}")

    def _where(self) -> str:
        try:
            record = dumps(
                Record(
                    self.rules,
                    tuple(str(seat) for seat in range(self.rules.seats)),
                    (DealRecord.of_deal(self.deal),),
                )
            )
        except Exception as error:
            record = f"(no record: {error})"
        return f"{self.rules}, seed {self.seed}, deal {self.number}, dealer {self.dealer}\n{record}"


def _garbage(deal: Deal[Any]) -> list[Any]:
    """Actions that no rule allows now or ever, of the kind that the game uses."""
    sample = next(iter(deal.legal_actions()))
    if isinstance(sample, int):
        return [-1, 63, 62, 1 << 40, sample | 1 << 20]
    return []
