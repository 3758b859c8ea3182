"""Bassadewitz: four players (or three, or five) avoid card points. Rules in ``docs/rules/bassadewitz.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Final

from meja.cards import Card, Rng, cards_of, mask_of
from meja.deal import Chance, Context, Layout, ScoreLine
from meja.errors import Reason, RulesError
from meja.games.tricks import (
    SEAT,
    SEATS,
    TrickDeal,
    TrickView,
    pack_of,
    spread,
    strength_table,
    value_table,
)
from meja.match import Match
from meja.messages import Message, SeatWord, msg
from meja.rules import Rules, Value, option
from meja.view import Event

_PENALTIES: Final = {3: (0, 3, 5), 4: (0, 3, 4, 5), 5: (0, 3, 4, 5, 6)}
_CHIPS: Final = (5, 4, 3, 0)
_POOL: Final = 12
_EACH: Final = 4
_HUNDRED: Final = 100

_TEN_HIGH: Final = strength_table("ATKQJ987")
_NATURAL: Final = strength_table("AKQJT987")
_ELEVEN: Final = value_table({"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2})
_FIVE: Final = value_table({"A": 5, "T": 10, "K": 4, "Q": 3, "J": 2})
_PACK: Final = pack_of("AKQJT987")
_PACK_MASK: Final = mask_of(_PACK)


@dataclass(frozen=True, kw_only=True)
class BassadewitzRules(Rules):
    """The options of Bassadewitz."""

    game: ClassVar[str] = "bassadewitz"
    title: ClassVar[Message] = msg("Bassadewitz")
    seat_numbers: ClassVar[tuple[int, ...]] = (3, 4, 5)
    default_seats: ClassVar[int] = 4
    preset_titles: ClassVar[Mapping[str, Message]] = {"standard": msg("Standard")}

    deals: int = option(
        8, *(length for length in range(3, 41) if length != 8), rule="B7.1", by_seats=True,
        title=msg("Deals in a match"),
        help=msg("How many deals that count make a match: a multiple of the number of players, up to 40."),
    )  # fmt: skip
    ace5: bool = option(
        False, rule="B7.2",
        title=msg("Ace counts 5"),
        help=msg("An ace counts 5 card points instead of 11."),
    )  # fmt: skip
    trick_points: bool = option(
        False, rule="B7.3",
        title=msg("A point for each trick"),
        help=msg("Each trick adds 1 to the card points of its taker."),
    )  # fmt: skip
    natural_rank: bool = option(
        False, rule="B7.4",
        title=msg("Ten below the jack"),
        help=msg("The ten ranks between jack and nine; it still counts 10."),
    )  # fmt: skip
    classic_pool: bool = option(
        False, rule="B7.5",
        title=msg("Chips from a pool"),
        help=msg("The dealer puts 12 chips into a pool, which is shared out by places; the most chips win."),
    )  # fmt: skip
    sweep_takes_pool: bool = option(
        False, rule="B7.6",
        title=msg("A sweep takes the pool"),
        help=msg("With the pool: whoever takes all tricks gets the pool too, and the deal moves on."),
    )  # fmt: skip

    @classmethod
    def seat_defaults(cls, seats: int) -> Mapping[str, Value]:
        """A match is twice the number of seats long."""
        return {"deals": 2 * seats}

    def choices(self, name: str) -> Sequence[Value]:
        """The lengths of a match are multiples of the number of seats."""
        if name == "deals":
            return tuple(range(self.seats, 41, self.seats))
        return super().choices(name)

    def check(self) -> None:
        """The pool needs four seats, and a sweep can only take a pool that is there."""
        if self.classic_pool and self.seats != 4:
            raise RulesError(msg("option classic_pool needs 4 players, not {seats}", seats=self.seats))
        if self.sweep_takes_pool and not self.classic_pool:
            raise RulesError(msg("option sweep_takes_pool needs classic_pool"))

    @property
    def low_wins(self) -> bool:
        """Penalties are collected, but where a pool is played for (B7.5)."""
        return not self.classic_pool

    def warnings(self) -> list[Message]:
        """With cheap aces nobody can reach a hundred, or hardly anybody."""
        if self.ace5 and not self.trick_points:
            return [msg("With ace5 the pack holds 96 card points: nobody can reach 100, so that rule has no effect.")]
        if self.ace5:
            total = sum(_FIVE[card] for card in _PACK) + Bassadewitz.hand_size(self)
            return [
                msg(
                    "With ace5 and trick_points a hundred needs 100 of the {total} points: it hardly ever comes up.",
                    total=total,
                )
            ]
        return []


@dataclass(frozen=True, kw_only=True)
class BassadewitzView(TrickView):
    """A deal of Bassadewitz as one seat sees it. ``taken`` counts trick points with that option."""

    game: ClassVar[str] = "bassadewitz"


class Bassadewitz(TrickDeal):
    """One deal of Bassadewitz. An action is the card to play."""

    __slots__ = ("rest",)

    game: ClassVar[str] = "bassadewitz"
    view_class = BassadewitzView

    rules: BassadewitzRules
    #: The cards left over with 3 or 5 players: out of play, seen by nobody.
    rest: int

    @classmethod
    def pack(cls, rules: BassadewitzRules) -> tuple[Card, ...]:
        """32 cards: 7 to ace."""
        return _PACK

    @classmethod
    def strengths(cls, rules: BassadewitzRules) -> tuple[int, ...]:
        """A T K Q J 9 8 7, or with ``natural_rank`` A K Q J T 9 8 7."""
        return _NATURAL if rules.natural_rank else _TEN_HIGH

    @classmethod
    def values(cls, rules: BassadewitzRules) -> tuple[int, ...]:
        """Ace 11 (5 with ``ace5``), ten 10, king 4, queen 3, jack 2."""
        return _FIVE if rules.ace5 else _ELEVEN

    @classmethod
    def hand_size(cls, rules: BassadewitzRules) -> int:
        """10, 8 or 6 cards for 3, 4 or 5 players."""
        return 32 // rules.seats

    @classmethod
    def lay_out(cls, rules: BassadewitzRules, dealer: int, cards: Sequence[Card]) -> Layout:
        """One card at a time, forehand first; what is left over stays out of play."""
        seats = rules.seats
        used = cls.hand_size(rules) * seats
        hands: list[tuple[Card, ...]] = [()] * seats
        for place in range(seats):
            hands[(dealer + 1 + place) % seats] = tuple(cards[place:used:seats])
        return Layout(tuple(hands))

    @classmethod
    def check_layout(cls, rules: BassadewitzRules, dealer: int, layout: Layout) -> None:
        """A hand of the right size for every seat, and no card twice."""
        cls._check_hands(rules, layout, range(rules.seats))

    @classmethod
    def build(
        cls,
        rules: BassadewitzRules,
        dealer: int,
        layout: Layout,
        context: Context | None,
        chance: Chance | None,
    ) -> Bassadewitz:
        """A deal whose hands are those of ``layout``."""
        deal = cls.__new__(cls)
        deal._seat_players(rules, dealer, _players(rules.seats, dealer), context)
        deal.hands = [mask_of(hand) for hand in layout.hands]
        deal.rest = _PACK_MASK & ~sum(deal.hands)
        return deal

    @property
    def phase(self) -> str:
        """``play`` or ``over``."""
        return "over" if self.to_act is None else "play"

    def legal_actions(self) -> list[int]:
        """The cards that may be played, ascending."""
        seat = self.to_act
        if seat is None:
            return []
        hand = self.hands[seat]
        mask = hand & self.led or hand
        # Written out: this is the hottest loop of random play, and a call costs as much as a card.
        cards = []
        while mask:
            low = mask & -mask
            cards.append(low.bit_length() - 1)
            mask ^= low
        return cards

    def why_illegal(self, action: int) -> Reason | None:
        """A card must be held, and suit must be followed (B3.1, B3.2)."""
        if self.to_act is None:
            return Reason("over", msg("The deal is over."), "B2.4")
        reason = self._not_held(action, self.to_act, "B3.1")
        if reason is not None:
            return reason
        hand = self.hands[self.to_act]
        if self.led and hand & self.led and not self.led >> action & 1:
            return self._must_follow(self.trick[0] // 13, "B3.2")
        return None

    def advance(self, action: int) -> None:
        """Play a card that is known to be legal."""
        if self._play(action):
            winner = self.leader
            if self.rules.trick_points:
                self.taken[winner] += 1
            if not self.hands[winner]:
                self.to_act = None

    def _apply(self, action: int) -> list[Event]:
        seat = self.to_act
        assert seat is not None
        self.advance(action)
        events = self._play_events(action, seat, not self.trick)
        if self.to_act is None:
            events.append(Event("score", None, {"points": list(self.score()), "void": self.void}))
        return events

    def clone(self) -> Bassadewitz:
        """A copy that shares nothing that changes."""
        twin = self._copy_public()
        twin.hands = self.hands[:]
        twin.log = self.log[:]
        twin.rest = self.rest
        return twin

    # -- knowing ------------------------------------------------------------------

    def blank(self, seat: int | None) -> Bassadewitz:
        """Everything played is public; of the hands a seat knows its own."""
        twin = self._copy_public()
        twin.hands = [0] * self.rules.seats
        if seat is not None:
            twin.hands[seat] = self.hands[seat]
        twin.log = self.log[:]
        twin.rest = 0
        return twin

    def fill(self, seat: int | None, sizes: Sequence[int], rng: Rng) -> Bassadewitz:
        """Draw the other hands and the cards out of play."""
        hidden = self.hidden(seat, sizes)
        drawn = spread(hidden, rng)
        for place, other in enumerate(hidden.seats):
            self.hands[other] = drawn[place]
        self.rest = drawn[-1]
        return self

    def zones(self) -> Mapping[str, Sequence[Card]]:
        """Hands, played cards, and what is out of play."""
        return {
            **{f"hand {seat}": cards_of(hand) for seat, hand in enumerate(self.hands)},
            "played": [card for _, card in self.plays()],
            "out of play": cards_of(self.rest),
        }

    def layout(self) -> Layout:
        """The hands as they were dealt."""
        hands = self.hands[:]
        for entry in self.log:
            hands[entry & SEATS] |= 1 << (entry >> SEAT)
        return Layout(tuple(tuple(self.sorted_hand(hand)) for hand in hands))

    # -- the score ----------------------------------------------------------------

    @property
    def void(self) -> bool:
        """All players took the same number of card points (B5.4)."""
        return self.to_act is None and len(set(self.taken)) == 1

    @classmethod
    def score_range(cls, rules: BassadewitzRules) -> tuple[int, int]:
        """From a hundred or the largest penalty; with the pool from the dealer's stake or a sweep."""
        if rules.classic_pool:
            return -_POOL - _EACH, _EACH * 3 + (_POOL if rules.sweep_takes_pool else 0)
        return -_EACH, max(_PENALTIES[rules.seats])

    @classmethod
    def place_table(cls, rules: BassadewitzRules) -> tuple[int, ...]:
        """What each place scores, from the fewest card points to the most (B5.5, B7.5)."""
        return _CHIPS if rules.classic_pool else _PENALTIES[rules.seats]

    def sweeper(self) -> int | None:
        """The seat that took all tricks of a finished deal."""
        size = self.hand_size(self.rules)
        return next((seat for seat, tricks in enumerate(self.tricks) if tricks == size), None)

    def hundred(self) -> int | None:
        """The seat that took 100 card points or more, but not all tricks, in a finished deal."""
        if self.sweeper() is not None:
            return None
        return next((seat for seat, points in enumerate(self.taken) if points >= _HUNDRED), None)

    def places(self) -> list[int]:
        """The seats from the fewest card points to the most; ties by B5.6 and B5.7."""
        elder = {seat: place for place, seat in enumerate(self.players)}
        return sorted(range(self.rules.seats), key=lambda s: (self.taken[s], self.tricks[s] > 0, elder[s]))

    def _why_place(self, place: int, seat: int) -> tuple[Message, str]:
        """The words for a place in the table, and the rule that gave it: a tie is told as one."""
        points = self.taken[seat]
        tied = [s for s in range(self.rules.seats) if s != seat and self.taken[s] == points]
        if any((self.tricks[s] > 0) == (self.tricks[seat] > 0) for s in tied):
            return msg(
                "place {place} with {points} card points; a tie, the seat nearer to the dealer's left first",
                place=place,
                points=points,
            ), "B5.7"
        if tied:
            return msg(
                "place {place} with {points} card points; a tie, the seat without a trick first",
                place=place,
                points=points,
            ), "B5.6"
        return msg("place {place} with {points} card points", place=place, points=points), "B5.5"

    def score_sheet(self) -> list[ScoreLine]:
        """One line per seat and reason; sweep before hundred before places."""
        if self.to_act is not None or self.void:
            return []
        seats = range(self.rules.seats)
        pool = self.rules.classic_pool
        sweeper = self.sweeper()
        if sweeper is not None:
            why = msg("all tricks taken by {seat}", seat=SeatWord(sweeper))
            lines = [ScoreLine(s, -_EACH if pool else _EACH, why, "B5.2") for s in seats if s != sweeper]
            if pool:
                lines.append(ScoreLine(sweeper, _EACH * 3, msg("took all tricks"), "B7.5"))
            if self.rules.sweep_takes_pool:
                lines.append(ScoreLine(sweeper, _POOL, msg("takes the pool"), "B7.6"))
                lines.append(ScoreLine(self.dealer, -_POOL, msg("put 12 chips into the pool"), "B7.5"))
            return sorted(lines, key=lambda line: line.seat)
        hundred = self.hundred()
        if hundred is not None:
            why = msg("{points} card points taken by {seat}", points=self.taken[hundred], seat=SeatWord(hundred))
            lines = [ScoreLine(s, _EACH if pool else -_EACH, why, "B5.3") for s in seats if s != hundred]
            if pool:
                lines.append(
                    ScoreLine(
                        hundred,
                        -_EACH * 3,
                        msg("{points} card points taken", points=self.taken[hundred]),
                        "B7.5",
                    )
                )
            return sorted(lines, key=lambda line: line.seat)
        table = self.place_table(self.rules)
        lines = []
        for place, seat in enumerate(self.places()):
            reason, rule = self._why_place(place + 1, seat)
            lines.append(ScoreLine(seat, table[place], reason, "B7.5" if pool else rule))
        if pool:
            lines.append(ScoreLine(self.dealer, -_POOL, msg("put 12 chips into the pool"), "B7.5"))
        return sorted(lines, key=lambda line: line.seat)


class BassadewitzMatch(Match):
    """Deals in a row: the dealer moves left; after an agreed number of deals the lowest total wins."""

    def stays(self, deal: Any) -> bool:
        """The same dealer deals again after a void deal, and with the pool after a sweep or hundred."""
        if deal.void:
            return True
        if not self.rules.classic_pool:
            return False
        if deal.sweeper() is not None:
            return not self.rules.sweep_takes_pool
        return deal.hundred() is not None

    def counts(self, deal: Any) -> bool:
        """Whether the deal is one of the agreed number: not if the same dealer deals again."""
        return not self.stays(deal)

    def next_dealer(self, deal: Any) -> int:
        """The left neighbour, or the same dealer again (B6.1, B7.5)."""
        return self.dealer if self.stays(deal) else (self.dealer + 1) % self.rules.seats

    def winners_after(self, deal: Any) -> tuple[int, ...] | None:
        """After the last deal: the lowest total, or the most chips (B6.2, B6.3)."""
        if self.counted < self.rules.deals:
            return None
        best = max(self.totals) if self.rules.classic_pool else min(self.totals)
        return tuple(seat for seat, total in enumerate(self.totals) if total == best)


@cache
def _players(seats: int, dealer: int) -> tuple[int, ...]:
    return tuple((dealer + 1 + place) % seats for place in range(seats))
