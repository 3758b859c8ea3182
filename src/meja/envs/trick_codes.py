"""The encodings of the trick games: every action is one id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

from meja.cards import CARD_TEXT, quoted
from meja.deal import Context
from meja.envs.encoding import Encoding, Prefix, Vector, card_names
from meja.envs.planes import Layout
from meja.errors import MejaError
from meja.games import game
from meja.games.calabresella import ALL_THIRDS, BID, BIDS, PASS, RAISES
from meja.games.tricks import VERB
from meja.messages import msg

#: What a total at the edge of the scale is where no target says it.
_FAR: Final = 128
#: The number of deals at the edge of the scale where a match is played to a target.
_LONG: Final = 200


class TrickEncoding(Encoding):
    """What the trick games share."""

    phases: ClassVar[tuple[str, ...]]
    #: The verbs that take a card, in the order of their ids.
    card_verbs: ClassVar[tuple[str, ...]] = ("play",)
    #: The other actions, in the words of the record; their ids come first.
    words: ClassVar[tuple[str, ...]] = ()
    #: How many cards a hand can hold beyond those dealt.
    spare: ClassVar[int] = 0

    def __init__(self, rules: Any) -> None:
        made: Any = game(self.game).deal
        self._deal = made
        self.cards: tuple[int, ...] = tuple(sorted(made.pack(rules)))
        self._place = {card: place for place, card in enumerate(self.cards)}
        #: What numbers are divided by: tricks of a deal, card points, totals, deals of the match (``None``: no number).
        self.tricks: int = made.hand_size(rules)
        self.points = self._all_points(rules)
        self.far = 4 * rules.target if getattr(rules, "target", None) else _FAR
        self.length = getattr(rules, "deals", None)
        super().__init__(rules)
        self._actions: tuple[Any, ...] = tuple(made.parse(name) for name in self.names)
        #: The ids of the game's actions.
        self.number_of = {action: number for number, action in enumerate(self._actions)}

    def _all_points(self, rules: Any) -> int:
        """The most that one seat's ``taken`` can be."""
        return int(sum(self._deal.values(rules)[card] for card in self.cards))

    def _names(self) -> list[str]:
        return [*self.words, *(name for verb in self.card_verbs for name in card_names(verb, self.cards))]

    # -- actions ------------------------------------------------------------------

    def allowed(self, view: Any, prefix: Prefix) -> list[int]:
        """The ids that may follow a prefix, ascending."""
        # In any one phase ids ascend as actions do.
        ids = self.number_of
        return [ids[action] for action in view.legal]

    def take(self, view: Any, prefix: Prefix, number: int) -> tuple[Prefix, Any | None]:
        """Take one id that is allowed."""
        return (), self._actions[number]

    def encode(self, view: Any, action: Any) -> Prefix:
        """The id of an action."""
        self._check(view, ())
        if type(action) is not int or action not in view.legal:
            raise MejaError(msg("{action} is not one of the legal actions", action=quoted(self._deal.describe(action))))
        return (self.number_of[action],)

    # -- observations -------------------------------------------------------------

    def _lay_out(self, layout: Layout) -> None:
        seats, cards = self.rules.seats, len(self.cards)
        pack = " ".join(CARD_TEXT[card] for card in self.cards)
        self._hand = layout.add("hand", cards, f"the own hand, one number per card: {pack}")
        self._trick = layout.add("trick", seats * cards, "the trick on the table: per seat the card it has played")
        self._played = layout.add("played", seats * cards, "finished tricks: per seat the cards it has played")
        self._phase = layout.add("phase", len(self.phases), f"the phase: {', '.join(self.phases)}")
        self._to_act = layout.add("to_act", seats, "the seat to act")
        self._leader = layout.add("leader", seats, "the seat that leads or led the trick on the table")
        self._dealer = layout.add("dealer", seats, "the dealer")
        most = self.tricks + self.spare
        self._sizes = layout.add("hand_sizes", seats, f"per seat the cards in hand, divided by {most}")
        self._voids = layout.add("voids", seats * 4, "per seat the suits s h d c it has shown to be without")
        self._taken = layout.add("taken", seats, f"per seat what its tricks hold, divided by {self.points}")
        self._won = layout.add("tricks", seats, f"per seat the tricks won, divided by {self.tricks}")
        self._totals = layout.add(
            "totals", seats, f"per seat the total before this deal: 0.5 is 0, 0 and 1 are {-self.far} and {self.far}"
        )
        self._deals = layout.add(
            "deals",
            1,
            f"how many deals came before, divided by {_LONG}"
            if self.length is None
            else "how many deals that count came before, divided by the length of the match",
        )

    def write(self, view: Any, prefix: Prefix, out: Vector) -> None:
        """Write the observation of a view into a vector that is all zero."""
        cells: Any = out.data
        seats, cards, place = self.rules.seats, len(self.cards), self._place
        me = view.seat or 0
        others = [(seat - me) % seats for seat in range(seats)]
        start = self._hand
        for card in view.hand:
            cells[start + place[card]] = 1
        start = self._trick
        for seat, card in view.trick:
            cells[start + others[seat] * cards + place[card]] = 1
        starts = [self._played + other * cards for other in others]
        won = [0] * seats
        for trick, winner in view.tricks:
            won[winner] += 1
            for seat, card in trick:
                cells[starts[seat] + place[card]] = 1
        cells[self._phase + self.phases.index(view.phase)] = 1
        if view.to_act is not None:
            cells[self._to_act + others[view.to_act]] = 1
        cells[self._leader + others[view.leader]] = 1
        cells[self._dealer + others[view.dealer]] = 1
        most, tricks, points = self.tricks + self.spare, self.tricks, self.points
        sizes, taken, voids = view.hand_sizes, view.taken, view.voids
        totals, before = self.course(view.context)
        for seat, other in enumerate(others):
            cells[self._sizes + other] = sizes[seat] / most
            cells[self._taken + other] = taken[seat] / points
            cells[self._won + other] = won[seat] / tricks
            cells[self._totals + other] = totals[seat]
            suits = voids[seat]
            if suits:
                for suit in range(4):
                    if suits >> suit & 1:
                        cells[self._voids + other * 4 + suit] = 1
        cells[self._deals] = before
        self._fill_more(view, others, cells)

    def course(self, context: Context) -> tuple[list[float], float]:
        """The numbers of the match so far: per seat its total, and how many deals came before."""
        far, length = 2 * self.far, self.length
        return (
            [min(1.0, max(0.0, 0.5 + total / far)) for total in context.totals],
            min(1.0, context.number / _LONG if length is None else context.counted / length),
        )

    def _fill_more(self, view: Any, others: list[int], cells: Any) -> None:
        """Write what the game adds; ``others`` tells every seat's number from the reader's place."""

    def _set_cards(self, cells: Any, start: int, cards: Iterable[int]) -> None:
        for card in cards:
            cells[start + self._place[card]] = 1


class BassadewitzEncoding(TrickEncoding):
    """Bassadewitz: 32 ids, one per card."""

    game = "bassadewitz"
    phases = ("play", "over")

    def _all_points(self, rules: Any) -> int:
        return super()._all_points(rules) + (self.tricks if rules.trick_points else 0)


class SmearEncoding(TrickEncoding):
    """Smear: 57 ids: pass, the bids, and a card."""

    game = "smear"
    phases = ("bid", "play", "over")
    words = ("pass", "bid 1", "bid 2", "bid 3", "bid 4")

    def _lay_out(self, layout: Layout) -> None:
        super()._lay_out(layout)
        seats = self.rules.seats
        self._trump = layout.add("trump", 5, "the trump suit: s h d c, none yet")
        self._bid = layout.add("bid", 5, "the highest bid: none, 1 to 4")
        self._bidder = layout.add("bidder", seats, "the seat that made it")
        self._calls = layout.add("calls", seats * 6, "per seat its call: none yet, pass, 1 to 4")

    def _fill_more(self, view: Any, others: list[int], cells: Any) -> None:
        cells[self._trump + (view.trump if view.trump >= 0 else 4)] = 1
        cells[self._bid + view.bid] = 1
        if view.bidder is not None:
            cells[self._bidder + others[view.bidder]] = 1
        calls = [0] * len(others)
        for seat, number in view.calls:
            calls[seat] = number + 1
        for seat, call in enumerate(calls):
            cells[self._calls + others[seat] * 6 + call] = 1


#: The columns of the plane of calls, by action.
CALLS: Final[Mapping[int, int]] = {
    PASS << VERB: 1,
    **{BID << VERB | number: number + 2 for number in range(len(BIDS))},
}


class CalabresellaEncoding(TrickEncoding):
    """Calabresella: 167 ids: pass, bids, declarations, and a card to play, call, give back or lay away."""

    game = "calabresella"
    phases = ("auction", "call", "give", "discard", "raise", "play", "over")
    words = ("pass", *(f"bid {bid}" for bid in BIDS), *(f"raise {word}" for word in RAISES))
    card_verbs = ("play", "call", "give", "discard")
    #: The monte, and the called card before one is given back.
    spare = 5

    def _all_points(self, rules: Any) -> int:
        # The last trick's point and the monte are counted with the tricks at the end.
        return ALL_THIRDS

    def _lay_out(self, layout: Layout) -> None:
        super()._lay_out(layout)
        seats, cards = self.rules.seats, len(self.cards)
        bids = ", ".join(BIDS)
        self._contract = layout.add("contract", len(BIDS) + 1, f"the bid that stands: none yet, {bids}")
        self._bidder = layout.add("bidder", seats, "the seat that made it")
        self._raise = layout.add("raise", len(RAISES) + 1, f"the declaration: none, {', '.join(RAISES)}")
        self._calls = layout.add(
            "calls", seats * (len(BIDS) + 2), f"per seat its last call in the auction: none yet, pass, {bids}"
        )
        self._called = layout.add("called", cards, "the called card")
        self._giver = layout.add("giver", seats, "the seat that handed it over")
        self._given = layout.add("given", cards, "the card given back for it")
        self._shown = layout.add("shown", cards, "the cards of the monte that everybody saw")
        self._picked = layout.add("picked_up", cards, "the cards that the own seat picked up from the monte")
        self._laid = layout.add("laid", cards, "the cards that the own seat laid away")
        self._monte = layout.add("monte", cards, "the monte as it lies open at the end")

    def _fill_more(self, view: Any, others: list[int], cells: Any) -> None:
        cells[self._contract + (0 if view.contract is None else BIDS.index(view.contract) + 1)] = 1
        if view.bidder is not None:
            cells[self._bidder + others[view.bidder]] = 1
        cells[self._raise + (0 if view.raised is None else RAISES.index(view.raised) + 1)] = 1
        calls = [0] * len(others)
        for seat, action in view.log:
            call = CALLS.get(action)
            if call is None:
                break
            calls[seat] = call
        for seat, call in enumerate(calls):
            cells[self._calls + others[seat] * (len(BIDS) + 2) + call] = 1
        if view.called is not None:
            self._set_cards(cells, self._called, (view.called,))
        if view.giver is not None:
            cells[self._giver + others[view.giver]] = 1
        if view.given is not None:
            self._set_cards(cells, self._given, (view.given,))
        self._set_cards(cells, self._shown, view.shown)
        self._set_cards(cells, self._picked, view.picked_up)
        self._set_cards(cells, self._laid, view.laid)
        self._set_cards(cells, self._monte, view.monte)
