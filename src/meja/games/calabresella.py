"""Calabresella: one player against two, for aces and the last trick. Rules in ``docs/rules/calabresella.md``.

Card points are counted in thirds, as integers. The four undealt cards are the monte; later
it is made of the cards that were laid away. Who knows which of them is the heart of
:meth:`Calabresella.blank` and :meth:`Calabresella.fill`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Final

from meja.cards import BIT, UNKNOWN, Card, Rng, card_text, card_word, cards_of, cards_text, mask_of, rank_name
from meja.deal import Chance, Context, Layout, ScoreLine, check_seat
from meja.errors import Reason, RulesError
from meja.games.tricks import (
    ARGUMENT,
    PLAY,
    SEAT,
    SEATS,
    VERB,
    Hidden,
    TrickDeal,
    TrickView,
    pack_of,
    strength_table,
    value_table,
)
from meja.match import Match
from meja.messages import Message, SeatWord, msg
from meja.rules import Rules, Value, option
from meja.view import Event, optional_card
from meja.worlds import deal_hidden

PASS: Final = 1
BID: Final = 2
CALL: Final = 3
GIVE: Final = 4
DISCARD: Final = 5
RAISE: Final = 6

CHIAMO: Final = 1
SOLO: Final = 2
SOLISSIMO: Final = 3
BIDS: Final = ("chiamo", "solo", "solissimo")

PLAIN: Final = 0
DIVIDETE: Final = 1
SCEGLIETE: Final = 2
RAISES: Final = ("plain", "dividete", "scegliete")

#: The value of a "nothing yet" field: no bidder, no called card, no declaration.
NONE: Final = -1

#: Thirds of a point for the last trick, and in all.
LAST_TRICK: Final = 3
ALL_THIRDS: Final = 35

_AUCTION: Final = 0
_CALL: Final = 1
_GIVE: Final = 2
_DISCARD: Final = 3
_RAISE: Final = 4
_PLAY: Final = 5
_OVER: Final = 6
_PHASES: Final = ("auction", "call", "give", "discard", "raise", "play", "over")
_VERB_OF_PHASE: Final = (BID, CALL, GIVE, DISCARD, RAISE, PLAY, NONE)

_ORDER: Final = "32AKQJ7654"
_POWER: Final = strength_table(_ORDER)
_THIRDS: Final = value_table({"A": 3, "3": 1, "2": 1, "K": 1, "Q": 1, "J": 1})
_PACK: Final = pack_of(_ORDER)
_PACK_MASK: Final = mask_of(_PACK)
_RANK_MASKS: Final = tuple(mask_of(pack_of(rank)) for rank in _ORDER)

_HAND: Final = 12
_MONTE: Final = 4
_PACKET: Final = 4
#: A log entry without its seat: a discard that the viewer may not see.
_HIDDEN_DISCARD: Final = (DISCARD << VERB | UNKNOWN) << SEAT


@dataclass(frozen=True, kw_only=True)
class CalabresellaRules(Rules):
    """The options of Calabresella."""

    game: ClassVar[str] = "calabresella"
    title: ClassVar[Message] = msg("Calabresella")
    seat_numbers: ClassVar[tuple[int, ...]] = (3, 4)
    default_seats: ClassVar[int] = 3
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "standard": {},
        "trad": {"direction": "ccw", "follow_suit": True, "auction": "single_round"},
    }
    preset_titles: ClassVar[Mapping[str, Message]] = {
        "standard": msg("Standard"),
        "trad": msg("Traditional"),
    }

    deals: int | None = option(
        12, *(length for length in range(3, 61) if length != 12), None, rule="C9.1", by_seats=True,
        title=msg("Deals in a match"),
        help=msg("How many deals that count make a match: a multiple of the number of players, up to 60."),
    )  # fmt: skip
    target: int | None = option(
        None, 21, 31, 51, rule="C9.2",
        title=msg("Target"),
        help=msg("The match ends when somebody has this many chips, instead of after a number of deals."),
    )  # fmt: skip
    follow_suit: bool = option(
        False, rule="C9.3",
        title=msg("Follow suit"),
        help=msg("Whoever can must play a card of the suit led."),
    )  # fmt: skip
    direction: str = option(
        "cw", "ccw", rule="C9.4",
        title=msg("Direction"),
        help=msg("Everything goes clockwise or counter-clockwise; forehand sits on the dealer's right in both."),
    )  # fmt: skip
    auction: str = option(
        "standard", "single_round", "reentry", rule="C9.5",
        title=msg("Auction"),
        help=msg("A pass is final; or everybody speaks just once; or a player who passed may bid later."),
    )  # fmt: skip
    call: str = option(
        "any", "threes_first", rule="C9.6",
        title=msg("Card to call"),
        help=msg("Any card may be called, or only one of the best rank of which the bidder lacks a card."),
    )  # fmt: skip
    monte_shown: str = option(
        "chiamo", "both", rule="C9.7",
        title=msg("Monte shown"),
        help=msg("The monte is turned up for all in Chiamo only, or in Solo too."),
    )  # fmt: skip
    solissimo_base: int = option(
        4, 3, rule="C9.8",
        title=msg("Stake of Solissimo"),
        help=msg("The stake of a plain Solissimo; dividete is twice that, scegliete four times."),
    )  # fmt: skip
    slams: str = option(
        "standard", "off", "tressette", rule="C9.9",
        title=msg("Cappotto and stramazzo"),
        help=msg("Times 2 and 3; or no extra at all; or times 4 and 3 as in Tressette."),
    )  # fmt: skip
    first_lead: str = option(
        "forehand", "bidder", rule="C9.10",
        title=msg("First lead"),
        help=msg("Forehand leads to the first trick, or always the bidder. In Solissimo the bidder leads anyway."),
    )  # fmt: skip
    dealer_sits_out: bool = option(
        False, rule="C9.11",
        title=msg("Four players, the dealer sits out"),
        help=msg("Four players; the dealer of each deal gets no cards and takes no part in it."),
    )  # fmt: skip

    def choices(self, name: str) -> Sequence[Value]:
        """A match has a multiple of the seats as its length, or none beside a target."""
        if name == "deals":
            return (*range(self.seats, 61, self.seats), None)
        return super().choices(name)

    def check(self) -> None:
        """One measure of length, and four seats exactly where the dealer sits out."""
        if self.deals is None and self.target is None:
            raise RulesError(msg("a match needs either deals or a target"))
        if self.deals is not None and self.target is not None:
            raise RulesError(msg("options deals and target exclude each other"))
        if self.seats == 4 and not self.dealer_sits_out:
            raise RulesError(msg("4 players need dealer_sits_out"))
        if self.seats == 3 and self.dealer_sits_out:
            raise RulesError(msg("option dealer_sits_out needs 4 players, not {seats}", seats=self.seats))

    @classmethod
    def settle(cls, values: dict[str, Value], given: Mapping[str, Value]) -> dict[str, Any]:
        """A target takes the place of the preset's number of deals; ``deals`` given is never ``None``."""
        if "deals" in given and given["deals"] is None:
            raise RulesError(msg("option deals cannot be null; leave it out to play to a target"))
        if values["target"] is not None and "deals" not in given:
            return {**values, "deals": None}
        return values

    def to_dict(self) -> dict[str, Value]:
        """The ``rules`` object of a record; beside a target there is no ``deals``."""
        document = super().to_dict()
        if self.deals is None:
            document.pop("deals", None)
        return document

    def warnings(self) -> list[Message]:
        """A target is far away where every chip won is a chip lost."""
        if self.target is not None:
            return [
                msg(
                    "The chips of a deal add up to nothing, so a target of {target} can take very many deals.",
                    target=self.target,
                )
            ]
        return []


@dataclass(frozen=True, kw_only=True)
class CalabresellaView(TrickView):
    """A deal of Calabresella as one seat sees it. ``taken`` counts thirds of a point.

    At the end ``taken`` holds the last trick's point and the monte too.
    """

    game: ClassVar[str] = "calabresella"

    #: The seat whose bid stands or has won the auction.
    bidder: int | None
    #: The bid that stands or is played: ``"chiamo"``, ``"solo"``, ``"solissimo"``.
    contract: str | None
    #: Solissimo's declaration: ``"plain"``, ``"dividete"``, ``"scegliete"``.
    raised: str | None
    called: Card | None
    #: The seat that surrendered the called card; ``None`` also where it lay in the monte.
    giver: int | None
    #: The card given back for the called one.
    given: Card | None
    #: The monte as it was turned up for everybody, in the order dealt; empty where it was not.
    shown: tuple[Card, ...]
    #: What this seat itself picked up from the monte.
    picked_up: tuple[Card, ...]
    #: What this seat itself laid away, in order.
    laid: tuple[Card, ...]
    #: The monte as revealed after the last trick, sorted; empty before.
    monte: tuple[Card, ...]

    def details(self) -> dict[str, Any]:
        """The fields of the game, as JSON values."""
        return {
            **super().details(),
            "bidder": self.bidder,
            "contract": self.contract,
            "raise": self.raised,
            "called": optional_card(self.called),
            "giver": self.giver,
            "given": optional_card(self.given),
            "shown": cards_text(self.shown),
            "picked_up": cards_text(self.picked_up),
            "laid": cards_text(self.laid),
            "monte": cards_text(self.monte),
        }


class Calabresella(TrickDeal):
    """One deal of Calabresella: auction, call and exchange, twelve tricks."""

    __slots__ = (
        "bidder",
        "called",
        "calls",
        "contract",
        "dealt_monte",
        "exchanges",
        "given",
        "giver",
        "monte",
        "need",
        "passed",
        "picked",
        "raised",
        "stage",
    )

    game: ClassVar[str] = "calabresella"
    verbs: ClassVar[Mapping[int, tuple[str, str | tuple[str, ...]]]] = {
        PLAY: ("play", "card"),
        PASS: ("pass", "none"),
        BID: ("bid", BIDS),
        CALL: ("call", "card"),
        GIVE: ("give", "card"),
        DISCARD: ("discard", "card"),
        RAISE: ("raise", RAISES),
    }
    view_class = CalabresellaView

    rules: CalabresellaRules
    stage: int
    #: How many calls the auction has had, and who has passed in it (a bit per seat).
    calls: int
    passed: int
    bidder: int
    #: The bid that stands: 0 none, then CHIAMO, SOLO, SOLISSIMO.
    contract: int
    raised: int
    called: int
    giver: int
    given: int
    #: The monte in the order dealt; in a blank deal ``UNKNOWN`` where the viewer may not know it.
    dealt_monte: tuple[Card, ...]
    #: The cards lying in the monte now.
    monte: int
    #: Scegliete: what the second opponent picked up, which the first had laid down.
    picked: int
    #: How many seats have picked up from the monte, and how many cards the last one must still lay away.
    exchanges: int
    need: int

    @classmethod
    def pack(cls, rules: CalabresellaRules) -> tuple[Card, ...]:
        """40 cards: no eights, nines and tens."""
        return _PACK

    @classmethod
    def strengths(cls, rules: CalabresellaRules) -> tuple[int, ...]:
        """3 2 A K Q J 7 6 5 4."""
        return _POWER

    @classmethod
    def values(cls, rules: CalabresellaRules) -> tuple[int, ...]:
        """In thirds: ace 3; three, two, king, queen, jack 1."""
        return _THIRDS

    @classmethod
    def hand_size(cls, rules: CalabresellaRules) -> int:
        """12 cards."""
        return _HAND

    @classmethod
    def lay_out(cls, rules: CalabresellaRules, dealer: int, cards: Sequence[Card]) -> Layout:
        """Three rounds of four cards each, forehand first; the last four cards are the monte."""
        players = _players(rules.seats, dealer, rules.direction)
        hands: list[tuple[Card, ...]] = [()] * rules.seats
        start = 0
        for _ in range(_HAND // _PACKET):
            for seat in players:
                hands[seat] += tuple(cards[start : start + _PACKET])
                start += _PACKET
        return Layout(tuple(hands), monte=tuple(cards[start:]))

    @classmethod
    def check_layout(cls, rules: CalabresellaRules, dealer: int, layout: Layout) -> None:
        """Twelve cards for every player, none for a dealer who sits out, four in the monte, no card twice."""
        cls._check_hands(rules, layout, _players(rules.seats, dealer, rules.direction), _MONTE)

    @classmethod
    def build(
        cls,
        rules: CalabresellaRules,
        dealer: int,
        layout: Layout,
        context: Context | None,
        chance: Chance | None,
    ) -> Calabresella:
        """A deal whose cards lie as in ``layout``."""
        deal = cls.__new__(cls)
        deal._seat_players(rules, dealer, _players(rules.seats, dealer, rules.direction), context)
        deal.hands = [mask_of(hand) for hand in layout.hands]
        deal.dealt_monte = tuple(layout.monte)
        deal.monte = mask_of(layout.monte)
        deal.stage = _AUCTION
        deal.calls = deal.passed = deal.contract = deal.picked = deal.exchanges = deal.need = 0
        deal.bidder = deal.raised = deal.called = deal.giver = deal.given = NONE
        return deal

    # -- acting -------------------------------------------------------------------

    @property
    def phase(self) -> str:
        """``auction``, ``call``, ``give``, ``discard``, ``raise``, ``play`` or ``over``."""
        return _PHASES[self.stage]

    def legal_actions(self) -> list[int]:
        """All legal actions, ascending."""
        seat = self.to_act
        if seat is None:
            return []
        stage = self.stage
        hand = self.hands[seat]
        if stage == _PLAY:
            if self.rules.follow_suit:
                hand = hand & self.led or hand
            return cards_of(hand)
        if stage == _AUCTION:
            return [PASS << VERB, *(BID << VERB | bid for bid in range(self.contract, SOLISSIMO))]
        if stage == _RAISE:
            return [RAISE << VERB | PLAIN, RAISE << VERB | DIVIDETE, RAISE << VERB | SCEGLIETE]
        verb = _VERB_OF_PHASE[stage] << VERB
        return [verb | card for card in cards_of(self._callable(hand) if stage == _CALL else hand)]

    def _callable(self, hand: int) -> int:
        """The cards that the holder of ``hand`` may call."""
        if self.rules.call == "any":
            return _PACK_MASK & ~hand
        return next(mask & ~hand for mask in _RANK_MASKS if mask & ~hand)

    def why_illegal(self, action: int) -> Reason | None:
        """One checker for all phases: the kind of action first, then what it says."""
        seat = self.to_act
        if seat is None:
            return Reason("over", msg("The deal is over."), "C6.5")
        stage = self.stage
        if type(action) is not int or action < 0 or action >> VERB > RAISE:
            return Reason("no-action", msg("That is not an action of this game."), self._phase_rule())
        verb = action >> VERB
        argument = action & ARGUMENT
        hand = self.hands[seat]
        if verb != _VERB_OF_PHASE[stage] and not (verb == PASS and stage == _AUCTION):
            return Reason("wrong-phase", _EXPECTED[stage], self._phase_rule())
        if verb == PASS:
            return Reason("no-action", msg("That is not an action of this game."), "C3.1") if argument else None
        if verb == BID:
            if argument >= SOLISSIMO:
                return Reason("no-action", msg("That is not a bid."), "C3.1")
            if argument < self.contract:
                return Reason(
                    "too-low", msg("Your bid must be higher than {bid}.", bid=_bid_name(self.contract)), "C3.2"
                )
            return None
        if verb == RAISE:
            return Reason("no-action", _EXPECTED[_RAISE], "C5.1") if argument > SCEGLIETE else None
        if argument >= 52 or not _PACK_MASK & BIT[argument]:
            return Reason("no-card", msg("There is no such card in this game."), "C1.3")
        if verb == CALL:
            if hand & BIT[argument]:
                return Reason(
                    "own-card",
                    msg("You hold {card} yourself; call a card that you do not hold.", card=card_word(argument)),
                    "C4.1",
                )
            allowed = self._callable(hand)
            if not allowed & BIT[argument]:
                best = cards_of(allowed)[0] % 13
                return Reason(
                    "threes-first", msg("You must call one of the {rank} that you lack.", rank=rank_name(best)), "C9.6"
                )
            return None
        reason = self._not_held(argument, seat, self._phase_rule())
        if reason is not None or verb != PLAY or not self.rules.follow_suit:
            return reason
        led = self.led
        if hand & led and not led & BIT[argument]:
            return self._must_follow(self.trick[0] // 13, "C6.2")
        return None

    def _phase_rule(self) -> str:
        if self.stage == _DISCARD and self.contract == SOLISSIMO:
            return "C5.3" if self.raised == DIVIDETE else "C5.4"
        return _PHASE_RULES[self.stage]

    def advance(self, action: int) -> None:
        """Do an action that is known to be legal."""
        if action <= ARGUMENT:
            if self._play(action):
                winner = self.leader
                if not self.hands[winner]:
                    self._take_last(winner)
            return
        seat: int = self.to_act  # type: ignore[assignment]
        self.log.append(action << SEAT | seat)
        verb = action >> VERB
        argument = action & ARGUMENT
        if verb == DISCARD:
            bit = BIT[argument]
            self.hands[seat] ^= bit
            self.monte |= bit
            self.need -= 1
            if self.need == 0:
                self._exchanged(seat)
        elif verb in (PASS, BID):
            self._speak(seat, verb, argument)
        elif verb == CALL:
            self._call(seat, argument)
        elif verb == GIVE:
            bit = BIT[argument]
            self.hands[seat] ^= bit
            self.hands[self.giver] |= bit
            self.given = argument
            self.stage = _DISCARD
        else:
            self.raised = argument
            if argument == PLAIN:
                self._start_play()
            else:
                self._pick_up(self.after[seat])

    def _speak(self, seat: int, verb: int, bid: int) -> None:
        """A call of the auction, and who speaks next or what follows (C3.2-C3.5, C9.5)."""
        self.calls += 1
        if verb == PASS:
            self.passed |= 1 << seat
        else:
            self.contract = bid + 1
            self.bidder = seat
        following = self.after[seat]
        kind = self.rules.auction
        if self.contract == SOLISSIMO:
            ended = True
        elif kind == "single_round":
            ended = self.calls == 3
        elif kind == "reentry":
            ended = following == self.bidder or (self.calls == 3 and self.contract == 0)
        else:
            while self.passed >> following & 1 and following != seat:
                following = self.after[following]
            ended = following == self.bidder or bool(self.passed >> following & 1)
        if not ended:
            self.to_act = following
        elif self.contract == 0:
            self.to_act = None
            self.stage = _OVER
        else:
            self.to_act = self.bidder
            if self.contract == CHIAMO:
                self.stage = _CALL
            elif self.contract == SOLO:
                self._pick_up(self.bidder)
            else:
                self.stage = _RAISE

    def _call(self, seat: int, card: Card) -> None:
        """The called card changes hands, and the bidder takes the monte (C4.2-C4.4)."""
        bit = BIT[card]
        self.called = card
        for other in self.players:
            if self.hands[other] & bit:
                self.hands[other] ^= bit
                self.hands[seat] |= bit
                self.giver = other
                break
        self._pick_up(seat)
        if self.giver != NONE:
            self.stage = _GIVE

    def _pick_up(self, seat: int) -> None:
        """``seat`` picks up its part of the monte and has to lay away as many cards."""
        if self.raised == DIVIDETE:
            half = self.dealt_monte[2:] if self.exchanges else self.dealt_monte[:2]
            taken = mask_of(half)
        else:
            taken = self.monte
            if self.exchanges:
                self.picked = taken
        self.hands[seat] |= taken
        self.monte &= ~taken
        self.exchanges += 1
        self.need = taken.bit_count()
        self.to_act = seat
        self.stage = _DISCARD

    def _exchanged(self, seat: int) -> None:
        """``seat`` has laid away its last card: the next one exchanges, or play starts."""
        if self.contract == SOLISSIMO and self.exchanges == 1:
            self._pick_up(self.after[seat])
        else:
            self._start_play()

    def _start_play(self) -> None:
        bidder_leads = self.contract == SOLISSIMO or self.rules.first_lead == "bidder"
        self.leader = self.winner = self.to_act = self.bidder if bidder_leads else self.players[0]
        self.stage = _PLAY

    def _take_last(self, winner: int) -> None:
        """The last trick is worth a point, and the monte goes with it (C6.4)."""
        points = LAST_TRICK
        for card in cards_of(self.monte):
            points += _THIRDS[card]
        self.taken[winner] += points
        self.to_act = None
        self.stage = _OVER

    def _apply(self, action: int) -> list[Event]:
        seat = self.to_act
        assert seat is not None
        exchanges = self.exchanges
        self.advance(action)
        verb, argument = action >> VERB, action & ARGUMENT
        if verb == PLAY:
            events = self._play_events(action, seat, not self.trick)
            if self.to_act is None:
                monte = cards_text(self.sorted_hand(self.monte))
                events.append(Event("monte", self.leader, {"cards": monte}))
        elif verb == PASS:
            events = [Event("pass", seat)]
        elif verb == BID:
            events = [Event("bid", seat, {"bid": BIDS[argument]})]
        elif verb == CALL:
            events = [Event("call", seat, {"card": card_text(argument)})]
            if self.giver != NONE:
                events.append(Event("hand-over", self.giver, {"card": card_text(argument), "to": seat}))
        elif verb == GIVE:
            events = [Event("give", seat, {"card": card_text(argument), "to": self.giver})]
        elif verb == DISCARD:
            events = [Event("discard", seat, {}, {seat: {"card": card_text(argument)}})]
        else:
            events = [Event("raise", seat, {"raise": RAISES[argument]})]
        if verb in (PASS, BID) and self.stage not in (_AUCTION, _OVER):
            events.append(Event("contract", self.bidder, {"contract": BIDS[self.contract - 1]}))
        if self.exchanges > exchanges:
            events.append(self._pick_up_event())
        if self.to_act is None:
            events.append(Event("score", None, {"points": list(self.score()), "void": self.void}))
        return events

    def _pick_up_event(self) -> Event:
        taker: int = self.to_act  # type: ignore[assignment]
        cards = cards_text(self.picked_up(taker))
        public: dict[str, Any] = {"count": self.need}
        if self.is_shown():
            return Event("pick-up", taker, {**public, "cards": cards})
        return Event("pick-up", taker, public, {taker: {"cards": cards}})

    def clone(self) -> Calabresella:
        """A copy that shares nothing that changes."""
        twin = self._copy_public()
        twin.hands = self.hands[:]
        twin.log = self.log[:]
        twin.dealt_monte = self.dealt_monte
        twin.monte = self.monte
        twin.picked = self.picked
        return twin

    def _copy_public(self) -> Calabresella:
        twin = super()._copy_public()
        twin.stage = self.stage
        twin.calls = self.calls
        twin.passed = self.passed
        twin.bidder = self.bidder
        twin.contract = self.contract
        twin.raised = self.raised
        twin.called = self.called
        twin.giver = self.giver
        twin.given = self.given
        twin.exchanges = self.exchanges
        twin.need = self.need
        return twin

    # -- knowing ------------------------------------------------------------------

    def shows_void(self, card: Card, led: int) -> int:
        """A card of another suit shows something only where suit must be followed."""
        return super().shows_void(card, led) if self.rules.follow_suit else 0

    def opponents(self) -> tuple[int, int]:
        """The two opponents of the bidder, in the direction of play."""
        first = self.after[self.bidder]
        return first, self.after[first]

    def is_shown(self) -> bool:
        """Whether the monte has been turned up for everybody (C4.4)."""
        if not self.exchanges:
            return False
        return self.contract == CHIAMO or (self.contract == SOLO and self.rules.monte_shown == "both")

    def _monte_known(self, seat: int | None) -> tuple[int, int]:
        """The stretch of the dealt monte, from and to, that ``seat`` has seen."""
        if self.is_shown():
            return 0, _MONTE
        if not self.exchanges or seat is None:
            return 0, 0
        if self.contract == SOLO:
            return (0, _MONTE) if seat == self.bidder else (0, 0)
        first, second = self.opponents()
        if seat == first:
            return 0, _MONTE if self.raised == SCEGLIETE else 2
        if seat == second and self.raised == DIVIDETE and self.exchanges == 2:
            return 2, _MONTE
        return 0, 0

    def picked_up(self, seat: int | None) -> list[Card]:
        """What ``seat`` has picked up from the monte: in the order dealt, or sorted if another seat laid it down."""
        if seat is None or not self.exchanges:
            return []
        if self.contract == SOLISSIMO:
            first, second = self.opponents()
            if seat == second and self.raised == SCEGLIETE:
                return self.sorted_hand(self.picked)
            if seat not in (first, second):
                return []
        elif seat != self.bidder:
            return []
        start, end = self._monte_known(seat)
        return list(self.dealt_monte[start:end])

    def _discards(self, seat: int) -> list[Card]:
        """What ``seat`` has laid away, in order (``UNKNOWN`` in a blank deal of another seat)."""
        return [
            entry >> SEAT & ARGUMENT for entry in self.log if entry >> SEAT + VERB == DISCARD and entry & SEATS == seat
        ]

    def _lying(self) -> list[int]:
        """The seats whose discards lie in the monte now."""
        if not self.exchanges:
            return []
        if self.contract != SOLISSIMO:
            return [self.bidder]
        first, second = self.opponents()
        if self.exchanges == 1:
            return [first]
        return [first, second] if self.raised == DIVIDETE else [second]

    def _revealed(self) -> bool:
        """Whether the last trick is over, with which the monte becomes public."""
        return self.stage == _OVER and self.contract != 0

    def blank(self, seat: int | None) -> Calabresella:
        """What ``seat`` knows: its hand, its discards, what it picked up, and what is public."""
        twin = self._copy_public()
        twin.hands = [0] * self.rules.seats
        if seat is not None:
            twin.hands[seat] = self.hands[seat]
        twin.log = [
            entry if entry >> SEAT + VERB != DISCARD or entry & SEATS == seat else _HIDDEN_DISCARD | entry & SEATS
            for entry in self.log
        ]
        start, end = self._monte_known(seat)
        twin.dealt_monte = tuple(
            [card if start <= place < end else UNKNOWN for place, card in enumerate(self.dealt_monte)]
        )
        twin.picked = self.picked if self.picked and seat in self.opponents() else 0
        if self._revealed():
            twin.monte = self.monte
        else:
            twin.monte = mask_of(self._discards(seat)) if seat is not None and seat in self._lying() else 0
        return twin

    def hidden(self, seat: int | None, sizes: Sequence[int]) -> Hidden:
        """The places are the hidden hands, then the hidden discards by seat, then the untouched rest of the monte."""
        hands, _, room, groups = self._hidden(seat, sizes)
        return Hidden(tuple(hands), tuple(room), tuple([(places, tuple(cards)) for places, cards in groups]))

    def _hidden(
        self, seat: int | None, sizes: Sequence[int]
    ) -> tuple[list[int], list[int], list[int], list[tuple[int, list[Card]]]]:
        """What a blank deal leaves open: (hidden hands, seats whose discards lie hidden, room by place, groups).

        The places are the hidden hands, then the hidden discards by seat, then the untouched rest of the monte.
        """
        hands = [other for other in self.players if other != seat]
        lying = self._lying()
        laid = [other for other in lying if other != seat]
        room = [sizes[other] for other in hands]
        for other in laid:
            room.append(len(self._discards(other)))
        room.append(self._untouched())
        known = mask_of([card for _, card in self.plays()])
        if seat is not None:
            known |= self.hands[seat]
            if seat in lying:
                known |= mask_of(self._discards(seat))
        hidden = _PACK_MASK & ~known
        everywhere = (1 << len(room)) - 1
        voids = self.voids() if self.rules.follow_suit else None
        marks: list[tuple[int, int]] = []
        if self.given != NONE and seat != self.giver:
            marks.append((BIT[self.given], 1 << hands.index(self.giver)))
        pool = self._bidder_pool() & ~(BIT[self.given] if self.given != NONE else 0)
        if pool and seat != self.bidder:
            marks.append((pool, 1 << hands.index(self.bidder) | 1 << len(hands) + laid.index(self.bidder)))
        if self.picked and seat == self.opponents()[0]:
            second = self.opponents()[1]
            marks.append((self.picked, 1 << hands.index(second) | 1 << len(hands) + laid.index(second)))
        groups: list[tuple[int, list[Card]]] = []
        for suit in range(4):
            cards = hidden & 0x1FFF << 13 * suit
            places = everywhere
            if voids is not None:
                for place, other in enumerate(hands):
                    if voids[other] >> suit & 1:
                        places &= ~(1 << place)
            for mask, allowed in marks:
                if cards & mask:
                    groups.append((places & allowed, cards_of(cards & mask)))
                    cards &= ~mask
            if cards:
                groups.append((places, cards_of(cards)))
        return hands, laid, room, groups

    def _untouched(self) -> int:
        """How many cards of the dealt monte nobody has picked up."""
        if not self.exchanges:
            return _MONTE
        return 2 if self.raised == DIVIDETE and self.exchanges == 1 else 0

    def _bidder_pool(self) -> int:
        """Cards that everybody knows the bidder to have taken or held: shown monte, called card, better ranks."""
        if not self.is_shown():
            return 0
        pool = mask_of(self.dealt_monte)
        if self.called != NONE:
            pool |= BIT[self.called]
            if self.rules.call == "threes_first":
                # He could only call this rank because he held all cards of the better ones.
                for mask in _RANK_MASKS:
                    if mask & BIT[self.called]:
                        break
                    pool |= mask
        return pool

    def fill(self, seat: int | None, sizes: Sequence[int], rng: Rng) -> Calabresella:
        """Draw where the hidden cards lie now, then a past that leads there.

        Each way the cards may lie now has equally many pasts (which of his cards a bidder found
        in an unseen monte, in which order cards were laid away), so both draws are uniform and so is the pair.
        """
        hands, laid, room, groups = self._hidden(seat, sizes)
        drawn = deal_hidden(groups, room, rng)
        for place, other in enumerate(hands):
            self.hands[other] = mask_of(drawn[place])
        for place, other in enumerate(laid):
            self._lay(other, drawn[len(hands) + place], rng)
        self.monte = mask_of(drawn[-1])
        for other in self._lying():
            self.monte |= mask_of(self._discards(other))
        rng.shuffle(drawn[-1])
        self._draw_past(drawn[-1], rng)
        return self

    def _lay(self, seat: int, cards: list[Card], rng: Rng) -> None:
        """Write ``cards`` in a random order into the hidden discards of ``seat``."""
        rng.shuffle(cards)
        following = iter(cards)
        hidden = _HIDDEN_DISCARD | seat
        self.log = [
            (DISCARD << VERB | next(following)) << SEAT | seat if entry == hidden else entry for entry in self.log
        ]

    def _draw_past(self, untouched: list[Card], rng: Rng) -> None:
        """Draw what was picked up from the monte where that is unknown."""
        if not self.exchanges:
            self.dealt_monte = tuple(untouched)
            return
        if self.raised == SCEGLIETE:
            first, second = self.opponents()
            if self.exchanges == 2:
                if not self.picked:
                    self.picked = mask_of(self._sample(second, _MONTE, rng))
                if UNKNOWN in self._discards(first):
                    self._lay(first, cards_of(self.picked), rng)
            if UNKNOWN in self.dealt_monte:
                self.dealt_monte = tuple(self._sample(first, _MONTE, rng))
        elif self.raised == DIVIDETE:
            first, second = self.opponents()
            ours, theirs = self.dealt_monte[:2], self.dealt_monte[2:]
            if UNKNOWN in ours:
                ours = tuple(self._sample(first, 2, rng))
            if UNKNOWN in theirs:
                theirs = tuple(untouched if self.exchanges == 1 else self._sample(second, 2, rng))
            self.dealt_monte = ours + theirs
        elif UNKNOWN in self.dealt_monte:
            self.dealt_monte = tuple(self._sample(self.bidder, _MONTE, rng))

    def _pool(self, seat: int) -> int:
        """All cards that ``seat`` held after picking up: in its hand, played or laid away since."""
        return self.hands[seat] | mask_of(
            [entry >> SEAT & ARGUMENT for entry in self.log if entry & SEATS == seat and _LEAVES[entry >> SEAT + VERB]]
        )

    def _sample(self, seat: int, count: int, rng: Rng) -> list[Card]:
        cards = cards_of(self._pool(seat))
        rng.shuffle(cards)
        return cards[:count]

    def unseen(self, seat: int | None) -> list[Card]:
        """The cards that may lie in more than one place as far as ``seat`` knows; the monte is one place."""
        check_seat(self.rules, seat)
        hands, _, room, groups = self.blank(seat)._hidden(seat, [hand.bit_count() for hand in self.hands])
        found: list[Card] = []
        for places, cards in groups:
            open_hands = [place for place in range(len(hands)) if places >> place & 1 and room[place]]
            open_monte = any(places >> place & 1 and room[place] for place in range(len(hands), len(room)))
            if len(open_hands) + open_monte > 1:
                found += cards
        return sorted(found)

    def view(self, seat: int | None) -> CalabresellaView:
        """What ``seat`` may know (``None``: a spectator)."""
        contract = self.contract
        view = self._view(
            seat,
            bidder=None if self.bidder == NONE else self.bidder,
            contract=BIDS[contract - 1] if contract else None,
            raised=None if self.raised == NONE else RAISES[self.raised],
            called=None if self.called == NONE else self.called,
            giver=None if self.giver == NONE else self.giver,
            given=None if self.given == NONE else self.given,
            shown=self.dealt_monte if self.is_shown() else (),
            picked_up=tuple(self.picked_up(seat)),
            laid=() if seat is None else tuple(self._discards(seat)),
            monte=tuple(self.sorted_hand(self.monte)) if self._revealed() else (),
        )
        assert isinstance(view, CalabresellaView)
        return view

    def zones(self) -> Mapping[str, Sequence[Card]]:
        """Hands, played cards, and the monte as it lies now."""
        return {
            **{f"hand {seat}": cards_of(hand) for seat, hand in enumerate(self.hands)},
            "played": [card for _, card in self.plays()],
            "monte": cards_of(self.monte),
        }

    def layout(self) -> Layout:
        """The hands and the monte as they were dealt."""
        hands = [self._pool(seat) for seat in range(self.rules.seats)]
        if self.giver != NONE:
            if self.given != NONE:
                hands[self.giver] &= ~BIT[self.given]
            hands[self.bidder] &= ~BIT[self.called]
            hands[self.giver] |= BIT[self.called]
        if self.exchanges:
            if self.contract != SOLISSIMO:
                hands[self.bidder] &= ~mask_of(self.dealt_monte)
            else:
                first, second = self.opponents()
                if self.raised == SCEGLIETE:
                    hands[first] &= ~mask_of(self.dealt_monte)
                    hands[second] &= ~self.picked
                else:
                    hands[first] &= ~mask_of(self.dealt_monte[:2])
                    if self.exchanges == 2:
                        hands[second] &= ~mask_of(self.dealt_monte[2:])
        return Layout(tuple(tuple(self.sorted_hand(hand)) for hand in hands), monte=self.dealt_monte)

    # -- the score ----------------------------------------------------------------

    @property
    def void(self) -> bool:
        """All players passed (C3.5)."""
        return self.stage == _OVER and self.contract == 0

    @classmethod
    def score_range(cls, rules: CalabresellaRules) -> tuple[int, int]:
        """A bidder's scegliete with the largest multiplier, won or lost."""
        most = {"standard": 3, "off": 1, "tressette": 4}[rules.slams]
        stake = (rules.solissimo_base << SCEGLIETE) * most
        return -2 * stake, 2 * stake

    def thirds(self) -> tuple[int, int]:
        """Thirds of a point so far: the bidder's and his opponents' (C7.1)."""
        if self.bidder == NONE:
            return 0, 0
        return self.taken[self.bidder], sum(self.taken) - self.taken[self.bidder]

    def points(self) -> tuple[int, int]:
        """Whole points: the bidder's and his opponents' (C7.2)."""
        ours, theirs = self.thirds()
        return ours // 3, theirs // 3

    def base(self) -> int:
        """The stake of the contract, before cappotto and stramazzo (C7.3)."""
        if self.contract == SOLISSIMO:
            return self.rules.solissimo_base << max(self.raised, PLAIN)
        return self.contract

    def slam(self) -> tuple[int, Message | None, str]:
        """The multiplier of a finished deal, its name, and the number of its rule (C7.5, C7.6, C9.9)."""
        kind = self.rules.slams
        if kind == "off":
            return 1, None, ""
        ours, theirs = self.points()
        tricks = self.tricks[self.bidder]
        tressette = kind == "tressette"
        if tricks in (0, _HAND):
            return (4, msg("cappotto"), "C9.9") if tressette else (2, msg("cappotto"), "C7.5")
        if ours == 0 or theirs == 0:
            return 3, msg("stramazzo"), "C7.6"
        if tressette:
            losers_tricks = _HAND - tricks if ours > theirs else tricks
            last_to_bidder = self.leader == self.bidder
            if losers_tricks == 1 and last_to_bidder == (theirs > ours):
                return 3, msg("stramazzo"), "C9.9"
        return 1, None, ""

    def score_sheet(self) -> list[ScoreLine]:
        """Per player, the bidder first, the stake and what cappotto or stramazzo adds to it."""
        if not self._revealed():
            return []
        ours, theirs = self.points()
        won = ours > theirs
        base = self.base()
        factor, slam, slam_rule = self.slam()
        contract = _contract_name(self.contract, self.raised)
        lines = []
        for seat in (self.bidder, *self.opponents()):
            if seat == self.bidder:
                share = 2 if won else -2
                counted = {"contract": contract, "ours": ours, "theirs": theirs, "last": self._last_words()}
                if won:
                    reason = msg("{contract} won; points {ours} : {theirs}; {last}", **counted)
                else:
                    reason = msg("{contract} lost; points {ours} : {theirs}; {last}", **counted)
            else:
                share = -1 if won else 1
                bidder = SeatWord(self.bidder)
                if won:
                    reason = msg(
                        "to {seat} for {contract}; points {ours} : {theirs}",
                        seat=bidder, contract=contract, ours=theirs, theirs=ours,
                    )  # fmt: skip
                else:
                    reason = msg(
                        "from {seat} for {contract}; points {ours} : {theirs}",
                        seat=bidder, contract=contract, ours=theirs, theirs=ours,
                    )  # fmt: skip
            lines.append(ScoreLine(seat, share * base, reason, "C7.4"))
            if slam is not None:
                why = msg("more for {slam}: the stake times {factor}", slam=slam, factor=factor)
                lines.append(ScoreLine(seat, share * base * (factor - 1), why, slam_rule))
        return lines

    def _last_words(self) -> Message:
        """Who got what is counted after the tricks' own cards: the last trick's point and the monte (C6.4)."""
        monte = thirds_text(sum(_THIRDS[card] for card in cards_of(self.monte)))
        if self.leader == self.bidder:
            bidder = SeatWord(self.bidder)
            return msg("the last trick (1) and the monte ({monte}) went to {seat}", monte=monte, seat=bidder)
        return msg("the last trick (1) and the monte ({monte}) went to the opponents", monte=monte)


class CalabresellaMatch(Match):
    """Deals in a row until their number is reached, or the target; the most chips win."""

    def next_dealer(self, deal: Any) -> int:
        """The next seat in the direction of play, also after a void deal (C8.1)."""
        step = 1 if self.rules.direction == "cw" else -1
        return (self.dealer + step) % int(self.rules.seats)

    def winners_after(self, deal: Any) -> tuple[int, ...] | None:
        """After the last deal, or once a seat has the target: the highest total (C8.2, C8.3)."""
        best = max(self.totals)
        if self.rules.target is None:
            if self.counted < self.rules.deals:
                return None
        elif best < self.rules.target:
            return None
        return tuple(seat for seat, total in enumerate(self.totals) if total == best)


def thirds_text(value: int) -> str:
    """Thirds of a point as a mixed number: ``2 1/3``."""
    whole, rest = divmod(value, 3)
    if not rest:
        return str(whole)
    return f"{whole} {rest}/3" if whole else f"{rest}/3"


@cache
def _players(seats: int, dealer: int, direction: str) -> tuple[int, ...]:
    """The seats that play, forehand first: always the dealer's right neighbour (C1.2)."""
    step = 1 if direction == "cw" else -1
    order = [(dealer - 1 + step * place) % seats for place in range(seats)]
    return tuple(seat for seat in order if seats == 3 or seat != dealer)


def _bid_name(contract: int) -> Message:
    return (msg("Chiamo"), msg("Solo"), msg("Solissimo"))[contract - 1]


def _contract_name(contract: int, raised: int) -> Message:
    if contract == SOLISSIMO and raised > PLAIN:
        return msg("Solissimo dividete") if raised == DIVIDETE else msg("Solissimo scegliete")
    return _bid_name(contract)


#: Whether an action of that verb takes a card out of the hand.
_LEAVES: Final = (True, False, False, False, True, True, False)

_EXPECTED: Final[tuple[Message, ...]] = (
    msg("The auction is going on: pass or bid."),
    msg("Call a card now."),
    msg("Give a card back now."),
    msg("Lay a card away now."),
    msg("Say now how Solissimo is played: plain, dividete or scegliete."),
    msg("Play a card now."),
    msg("The deal is over."),
)
_PHASE_RULES: Final = ("C3.2", "C4.1", "C4.5", "C4.6", "C5.1", "C6.1", "C6.5")
