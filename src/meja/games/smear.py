"""Cutthroat Canadian Smear: two or three players bid for the points of a deal. Rules in ``docs/rules/smear.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Final, NamedTuple

from meja.cards import BIT, SUIT_MASK, Card, Rng, card_word, cards_of, mask_of, suit_name
from meja.deal import Chance, Context, Layout, ScoreLine
from meja.errors import Reason
from meja.games.tricks import (
    ARGUMENT,
    PLAY,
    SEAT,
    SEATS,
    VERB,
    TrickDeal,
    TrickView,
    pack_of,
    spread,
    strength_table,
    value_table,
)
from meja.match import Match
from meja.messages import Message, msg
from meja.rules import Rules, option
from meja.view import Event

#: The action "pass", and the action "bid n" less its number.
PASS: Final = 1 << VERB
BID: Final = 2 << VERB

HAND: Final = 6
HIGHEST_BID: Final = 4
_ALL_PASSED: Final = 2
_ALL_POINTS: Final = 4
_NOBODY: Final = -1

_ORDER: Final = "AKQJT98765432"
_STRENGTH: Final = strength_table(_ORDER)
#: Strength by card for each trump suit: every trump is above every plain card.
_TRUMPED: Final = tuple(
    tuple(power + len(_ORDER) * (card // 13 == trump) for card, power in enumerate(_STRENGTH)) for trump in range(4)
)
_VALUE: Final = value_table({"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1})
_PACK: Final = pack_of(_ORDER)
_PACK_MASK: Final = mask_of(_PACK)
_ACE: Final = 12
_JACK: Final = 9


@dataclass(frozen=True, kw_only=True)
class SmearRules(Rules):
    """The options of Cutthroat Canadian Smear."""

    game: ClassVar[str] = "smear"
    title: ClassVar[Message] = msg("Cutthroat Canadian Smear")
    seat_numbers: ClassVar[tuple[int, ...]] = (2, 3)
    default_seats: ClassVar[int] = 3
    preset_titles: ClassVar[Mapping[str, Message]] = {"standard": msg("Standard")}

    high: str = option(
        "highest_in_play", "ace_only", rule="S7.1",
        title=msg("High"),
        help=msg("The point High goes to the highest trump that was dealt, or only to the ace of trumps."),
    )  # fmt: skip
    low: str = option(
        "holder", "taker", rule="S7.2",
        title=msg("Low"),
        help=msg("The point Low goes to the player who was dealt the lowest trump, or to the winner of its trick."),
    )  # fmt: skip
    dealer_steal: bool = option(
        False, rule="S7.3",
        title=msg("The dealer may steal the bid"),
        help=msg("The dealer may take over the highest bid with the same number."),
    )  # fmt: skip
    all_pass: str = option(
        "redeal_same", "redeal_next", "dealer_two", "dealer_minus_two", rule="S7.4",
        title=msg("When everybody passes"),
        help=msg(
            "The same dealer or the next one deals again, or the dealer has to bid, or the dealer loses 2 points."
        ),
    )  # fmt: skip
    min_bid: int = option(
        2, 1, rule="S7.5",
        title=msg("Lowest bid"),
        help=msg("The smallest number that may be bid."),
    )  # fmt: skip
    trump_anytime: bool = option(
        True, rule="S7.6",
        title=msg("Trump at any time"),
        help=msg("A trump may be played to a plain suit even by a player who could follow suit."),
    )  # fmt: skip
    win: str = option(
        "bid_out", "strict_next_deal", "bidder_first", "count_order", rule="S7.7",
        title=msg("How the match is won"),
        help=msg(
            "By a bid that was made and brings the bidder to the target; by a made bid of a player who was at the "
            "target before; by being at the target, the bidder first; or by reaching it first as the points are "
            "counted."
        ),
    )  # fmt: skip
    smudge: str = option(
        "off", "win_game", rule="S7.8",
        title=msg("Smudge"),
        help=msg("Whether a player who scores all four points of a deal wins the match at once."),
    )  # fmt: skip
    target: int = option(
        11, 7, 15, 21, rule="S7.9",
        title=msg("Target"),
        help=msg("The total that is played for."),
    )  # fmt: skip

    def warnings(self) -> list[Message]:
        """Options that make bids rare, matches very short or long, or another option's name untrue."""
        found = []
        if self.high == "ace_only":
            found.append(
                msg("With high = ace_only a hand without an ace is seldom worth a bid, so far more hands are passed.")
            )
        if self.smudge == "win_game" and self.seats == 2:
            found.append(
                msg("With two players about one deal in seven brings all four points: many matches end by a smudge.")
            )
        if self.win == "strict_next_deal" and self.target == 21:
            found.append(msg("With win = strict_next_deal and target 21 a match is long: often more than 20 deals."))
        if self.all_pass == "dealer_two" and self.min_bid == 1:
            found.append(msg("With min_bid 1 a dealer who has to bid may bid 1 instead of 2."))
        return found


class Awards(NamedTuple):
    """Who got each point of a deal (a seat), or ``None`` where nobody did; in the order of counting."""

    high: int | None
    low: int | None
    jack: int | None
    game: int | None


_NONE: Final = Awards(None, None, None, None)


@dataclass(frozen=True, kw_only=True)
class SmearView(TrickView):
    """A deal of Smear as one seat sees it. ``taken`` counts card points for Game."""

    game: ClassVar[str] = "smear"

    rules: SmearRules
    #: The highest bid so far, 0 while there is none.
    bid: int
    #: The seat that made it.
    bidder: int | None
    #: (seat, number) for every call so far, in order; 0 is a pass.
    calls: tuple[tuple[int, int], ...]
    #: Who got the points of the deal; all ``None`` before its end.
    awards: Awards

    def details(self) -> dict[str, Any]:
        """The auction and the points beside the fields of a trick game."""
        return {
            **super().details(),
            "bid": self.bid,
            "bidder": self.bidder,
            "calls": [list(call) for call in self.calls],
            "awards": self.awards._asdict(),
        }


class Smear(TrickDeal):
    """One deal of Smear. An action is ``PASS``, ``BID | number`` or the card to play."""

    __slots__ = ("bid", "bidder", "rest")

    game: ClassVar[str] = "smear"
    view_class = SmearView
    verbs: ClassVar[Mapping[int, tuple[str, str | tuple[str, ...]]]] = {
        PLAY: ("play", "card"),
        PASS >> VERB: ("pass", "none"),
        BID >> VERB: ("bid", ("", "1", "2", "3", "4")),
    }

    rules: SmearRules
    #: The highest bid so far (0: none) and its seat (-1: nobody).
    bid: int
    bidder: int
    #: The cards that were not dealt: seen by nobody, also after the deal.
    rest: int

    @classmethod
    def pack(cls, rules: SmearRules) -> tuple[Card, ...]:
        """52 cards."""
        return _PACK

    @classmethod
    def strengths(cls, rules: SmearRules) -> tuple[int, ...]:
        """A K Q J T 9 8 7 6 5 4 3 2."""
        return _STRENGTH

    @classmethod
    def values(cls, rules: SmearRules) -> tuple[int, ...]:
        """Ten 10, ace 4, king 3, queen 2, jack 1."""
        return _VALUE

    @classmethod
    def hand_size(cls, rules: SmearRules) -> int:
        """6 cards each."""
        return HAND

    @classmethod
    def lay_out(cls, rules: SmearRules, dealer: int, cards: Sequence[Card]) -> Layout:
        """Two packets of three, the dealer's left neighbour first; the rest stays aside."""
        seats = rules.seats
        hands: list[tuple[Card, ...]] = [()] * seats
        for place in range(seats):
            first, second = 3 * place, 3 * (seats + place)
            hands[(dealer + 1 + place) % seats] = (*cards[first : first + 3], *cards[second : second + 3])
        return Layout(tuple(hands))

    @classmethod
    def check_layout(cls, rules: SmearRules, dealer: int, layout: Layout) -> None:
        """Six cards for every seat, and no card twice."""
        cls._check_hands(rules, layout, range(rules.seats))

    @classmethod
    def build(
        cls,
        rules: SmearRules,
        dealer: int,
        layout: Layout,
        context: Context | None,
        chance: Chance | None,
    ) -> Smear:
        """A deal whose hands are those of ``layout``."""
        deal = cls.__new__(cls)
        deal._seat_players(rules, dealer, _players(rules.seats, dealer), context)
        deal.hands = [mask_of(hand) for hand in layout.hands]
        deal.rest = _PACK_MASK & ~sum(deal.hands)
        deal.bid = 0
        deal.bidder = _NOBODY
        return deal

    @property
    def phase(self) -> str:
        """``bid``, ``play`` or ``over``."""
        return "over" if self.to_act is None else "bid" if self._in_auction() else "play"

    def _in_auction(self) -> bool:
        return len(self.log) < len(self.players) and self.bid < HIGHEST_BID

    def _lowest_bid(self) -> int:
        """The smallest number that the seat to act may bid (S3.2, S3.3)."""
        if self.rules.dealer_steal and self.to_act == self.dealer:
            return max(self.rules.min_bid, self.bid)
        return max(self.rules.min_bid, self.bid + 1)

    def _may_pass(self) -> bool:
        return self.bid > 0 or self.to_act != self.dealer or self.rules.all_pass != "dealer_two"

    def _playable(self, hand: int) -> int:
        """The cards of ``hand`` that may be played to the trick on the table (S4.2 to S4.4)."""
        if not self.trick:
            return hand
        suit = hand & SUIT_MASK[self.trick[0] // 13]
        if not suit:
            return hand
        return hand & self.led if self.rules.trump_anytime else suit

    def legal_actions(self) -> list[int]:
        """The calls or the cards that are allowed, ascending."""
        if self.to_act is None:
            return []
        if self._in_auction():
            calls = [PASS] if self._may_pass() else []
            return calls + [BID | number for number in range(self._lowest_bid(), HIGHEST_BID + 1)]
        return cards_of(self._playable(self.hands[self.to_act]))

    def why_illegal(self, action: int) -> Reason | None:
        """Calls by section 3 of the rule book, cards by section 4."""
        if self.to_act is None:
            return Reason("over", msg("The deal is over."), "S3.5" if self.bidder < 0 else "S4.6")
        # A bool is an int for Python, but no action.
        if type(action) is not int or action < 0 or action >> VERB not in self.verbs:
            return _no_action()
        if self._in_auction():
            return self._why_no_call(action)
        return self._why_no_card(action)

    def _why_no_call(self, action: int) -> Reason | None:
        if action >> VERB == PLAY:
            return Reason("auction", msg("No card may be played before the auction has ended."), "S3.4")
        if action == PASS:
            if self._may_pass():
                return None
            return Reason("must-bid", msg("Nobody has bid, so the dealer has to."), "S3.5")
        number = action & ARGUMENT
        if action >> VERB != BID >> VERB:
            return _no_action()
        least = self.rules.min_bid
        if not least <= number <= HIGHEST_BID:
            return Reason("no-bid", msg("A bid is a number from {least} to {most}.", least=least, most=4), "S3.2")
        if number < self._lowest_bid():
            return Reason(
                "too-low",
                msg(
                    "The bid is {bid} already: bid at least {lowest}, or pass.",
                    bid=self.bid,
                    lowest=self._lowest_bid(),
                ),
                "S3.3",
            )
        return None

    def _why_no_card(self, action: int) -> Reason | None:
        seat: int = self.to_act  # type: ignore[assignment]
        if action >> VERB != PLAY:
            return Reason("auction-over", msg("The auction is over; play a card."), "S3.4")
        reason = self._not_held(action, seat, "S4.1" if not self.trick else "S4.4")
        if reason is not None:
            return reason
        if self._playable(self.hands[seat]) & BIT[action]:
            return None
        suit = self.trick[0] // 13
        if suit == self.trump:
            return Reason("must-follow", msg("Trumps were led and you hold a trump: play one."), "S4.2")
        if self.rules.trump_anytime:
            return Reason(
                "must-follow", msg("You hold {suit}: follow suit or play a trump.", suit=suit_name(suit)), "S4.3"
            )
        return self._must_follow(suit, "S4.3")

    def advance(self, action: int) -> None:
        """Do an action that is known to be legal."""
        if action >= PASS:
            self._call(action)
            return
        if self.trump < 0:
            self.trump = action // 13
            self.power = _TRUMPED[self.trump]
        if self._play(action) and not self.hands[self.leader]:
            self.to_act = None

    def _call(self, action: int) -> None:
        seat: int = self.to_act  # type: ignore[assignment]
        self.log.append(action << SEAT | seat)
        if action != PASS:
            self.bid = action & ARGUMENT
            self.bidder = seat
        if self._in_auction():
            self.to_act = self.after[seat]
        elif self.bidder < 0:
            self.to_act = None
        else:
            self.to_act = self.leader = self.bidder

    def _apply(self, action: int) -> list[Event]:
        seat: int = self.to_act  # type: ignore[assignment]
        opens = self.trump < 0
        self.advance(action)
        if action >= PASS:
            events = [Event("pass", seat) if action == PASS else Event("bid", seat, {"bid": action & ARGUMENT})]
            if self.to_act is not None and not self._in_auction():
                events.append(Event("bidder", self.bidder, {"bid": self.bid}))
        else:
            events = self._play_events(action, seat, not self.trick)
            if opens:
                events.insert(1, Event("trump", seat, {"suit": "shdc"[self.trump]}))
        if self.to_act is None:
            awards = self.awards()._asdict()
            events.append(Event("score", None, {"points": list(self.score()), "void": self.void, "awards": awards}))
        return events

    def clone(self) -> Smear:
        """A copy that shares nothing that changes."""
        twin = self._copy_smear()
        twin.hands = self.hands[:]
        twin.log = self.log[:]
        twin.rest = self.rest
        return twin

    def _copy_smear(self) -> Smear:
        twin = self._copy_public()
        twin.bid = self.bid
        twin.bidder = self.bidder
        return twin

    # -- knowing ------------------------------------------------------------------

    def calls(self) -> list[tuple[int, int]]:
        """(seat, number) for every call so far, in order; 0 is a pass."""
        return [(entry & SEATS, entry >> SEAT & ARGUMENT) for entry in self.log if entry >= PASS << SEAT]

    def shows_void(self, card: Card, led: int) -> int:
        """A trump on a plain suit shows nothing where trumps may be played at any time (S4.3)."""
        suit = card // 13
        if suit == led or (suit == self.trump and self.rules.trump_anytime):
            return 0
        return 1 << led

    def view(self, seat: int | None) -> SmearView:
        """What ``seat`` may know (``None``: a spectator)."""
        made: SmearView = self._view(
            seat,
            bid=self.bid,
            bidder=None if self.bidder < 0 else self.bidder,
            calls=tuple(self.calls()),
            awards=self.awards(),
        )  # type: ignore[assignment]
        return made

    def blank(self, seat: int | None) -> Smear:
        """Calls and cards played are public; of the hands a seat knows its own."""
        twin = self._copy_smear()
        twin.hands = [0] * self.rules.seats
        if seat is not None:
            twin.hands[seat] = self.hands[seat]
        twin.log = self.log[:]
        twin.rest = 0
        return twin

    def fill(self, seat: int | None, sizes: Sequence[int], rng: Rng) -> Smear:
        """Draw the other hands and the cards that were not dealt."""
        hidden = self.hidden(seat, sizes)
        drawn = spread(hidden, rng)
        for place, other in enumerate(hidden.seats):
            self.hands[other] = drawn[place]
        self.rest = drawn[-1]
        return self

    def zones(self) -> Mapping[str, Sequence[Card]]:
        """Hands, played cards, and the cards that were not dealt."""
        return {
            **{f"hand {seat}": cards_of(hand) for seat, hand in enumerate(self.hands)},
            "played": [card for _, card in self.plays()],
            "not dealt": cards_of(self.rest),
        }

    def layout(self) -> Layout:
        """The hands as they were dealt."""
        hands = self.hands[:]
        for seat, card in self.plays():
            hands[seat] |= BIT[card]
        return Layout(tuple(tuple(self.sorted_hand(hand)) for hand in hands))

    # -- the score ----------------------------------------------------------------

    @property
    def void(self) -> bool:
        """Everybody passed and the cards are dealt again (S3.5)."""
        return self.to_act is None and self.bidder < 0 and self.rules.all_pass != "dealer_minus_two"

    @classmethod
    def score_range(cls, rules: SmearRules) -> tuple[int, int]:
        """From a bid of four that was set back to all four points."""
        return -HIGHEST_BID, _ALL_POINTS

    def trumps_in_play(self) -> list[tuple[Card, int, int]]:
        """(trump, its holder, the winner of its trick) for every trump of the finished tricks, from high to low."""
        found = [
            (card, seat, winner)
            for cards, winner in self.finished_tricks()
            for seat, card in cards
            if card // 13 == self.trump
        ]
        return sorted(found, key=lambda item: -self.power[item[0]])

    def awards(self) -> Awards:
        """Who got High, Low, Jack and Game (S5.2 to S5.6); nobody before the end and when nothing was played."""
        if self.to_act is not None or self.bidder < 0:
            return _NONE
        trumps = self.trumps_in_play()
        top, holder, _ = trumps[0]
        high = holder if self.rules.high == "highest_in_play" or top % 13 == _ACE else None
        _, keeper, taker = trumps[-1]
        low = keeper if self.rules.low == "holder" else taker
        jack = next((winner for card, _, winner in trumps if card % 13 == _JACK), None)
        most = max(self.taken)
        game = self.taken.index(most) if self.taken.count(most) == 1 else None
        return Awards(high, low, jack, game)

    def won(self, seat: int) -> int:
        """How many points of the finished deal ``seat`` got in play, whether they count for it or not."""
        return self.awards().count(seat)

    @property
    def made(self) -> bool:
        """Whether the deal has ended and the bidder got at least as many points as were bid (S5.8)."""
        return self.to_act is None and self.bidder >= 0 and self.won(self.bidder) >= self.bid

    def score_sheet(self) -> list[ScoreLine]:
        """First whether the bid was made, then one line per point in the order High, Low, Jack, Game."""
        if self.to_act is not None or self.void:
            return []
        if self.bidder < 0:
            return [ScoreLine(self.dealer, -_ALL_PASSED, msg("everybody passed, the dealer pays"), "S3.5")]
        awards = self.awards()
        made = awards.count(self.bidder)
        is_set = made < self.bid
        if is_set:
            reason = msg(
                "bid {bid} but got {made}{points}: set back", bid=self.bid, made=made, points=self._got(awards)
            )
            lines = [ScoreLine(self.bidder, -self.bid, reason, "S5.9")]
        else:
            lines = [ScoreLine(self.bidder, 0, msg("bid {bid} and got {made}", bid=self.bid, made=made), "S5.8")]
        for seat, (reason, rule) in zip(awards, self._reasons(), strict=True):
            if seat is not None and not (is_set and seat == self.bidder):
                lines.append(ScoreLine(seat, 1, reason, rule))
        return lines

    def _got(self, awards: Awards) -> str:
        """The names of the points that a set bidder got: `` (High, Jack)``, or nothing."""
        names = [name.capitalize() for name, seat in awards._asdict().items() if seat == self.bidder]
        return f" ({', '.join(names)})" if names else ""

    def _reasons(self) -> tuple[tuple[Message, str], ...]:
        trumps = self.trumps_in_play()
        high, low = card_word(trumps[0][0]), card_word(trumps[-1][0])
        jack = card_word(self.trump * 13 + _JACK)
        return (
            (msg("High: held {card}, the highest trump in play", card=high), "S5.2"),
            (
                msg("Low: held {card}, the lowest trump in play", card=low)
                if self.rules.low == "holder"
                else msg("Low: took the trick with {card}, the lowest trump in play", card=low),
                "S5.3",
            ),
            (msg("Jack: took the trick with {card}", card=jack), "S5.4"),
            (msg("Game: most card points, {points}", points=max(self.taken)), "S5.5"),
        )


class SmearMatch(Match):
    """Deals in a row until somebody wins by the agreed rule; the dealer moves left after every scored deal."""

    def next_dealer(self, deal: Any) -> int:
        """The left neighbour; after a void deal the same dealer, unless the option says otherwise (S3.5, S6.1)."""
        stays = deal.void and self.rules.all_pass == "redeal_same"
        return self.dealer if stays else (self.dealer + 1) % self.rules.seats

    def winners_after(self, deal: Any) -> tuple[int, ...] | None:
        """Who has won by section 6 of the rule book: at most one seat, but for equal totals in ``bidder_first``."""
        if deal.bidder < 0:
            return None
        if self.rules.smudge == "win_game":
            awards = deal.awards()
            if awards.high is not None and awards.count(awards.high) == _ALL_POINTS:
                return (awards.high,)
        match self.rules.win:
            case "bid_out":
                return self._bidder_wins(deal, self.totals)
            case "strict_next_deal":
                return self._bidder_wins(deal, deal.context.totals)
            case "bidder_first":
                return self._bidder_first(deal)
            case _:
                return self._first_counted(deal)

    def _bidder_wins(self, deal: Smear, totals: Sequence[int]) -> tuple[int, ...] | None:
        """The bidder, if the bid was made and ``totals`` have the bidder at the target."""
        return (deal.bidder,) if deal.made and totals[deal.bidder] >= self.rules.target else None

    def _bidder_first(self, deal: Smear) -> tuple[int, ...] | None:
        """The bidder at the target, else the highest there; equal totals share."""
        if self.totals[deal.bidder] >= self.rules.target:
            return (deal.bidder,)
        best = max(self.totals)
        if best < self.rules.target:
            return None
        return tuple(seat for seat, total in enumerate(self.totals) if total == best)

    def _first_counted(self, deal: Smear) -> tuple[int, ...] | None:
        """Whoever reaches the target first when the lines of the score sheet are added in their order."""
        totals = list(deal.context.totals)
        for line in deal.score_sheet():
            totals[line.seat] += line.points
            if line.points > 0 and totals[line.seat] >= self.rules.target:
                return (line.seat,)
        return None


@cache
def _players(seats: int, dealer: int) -> tuple[int, ...]:
    return tuple((dealer + 1 + place) % seats for place in range(seats))


def _no_action() -> Reason:
    return Reason("no-action", msg("That is neither a card nor a call."), "S3.2")


__all__ = ["BID", "PASS", "Awards", "Smear", "SmearMatch", "SmearRules", "SmearView"]
