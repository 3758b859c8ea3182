"""Rules of thumb for Calabresella: for the bidder, for the two partners, with and without the duty to follow suit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Final

from meja.bots.bot import Bot, Budget, check_turn
from meja.cards import BIT, SUIT_MASK, Card, cards_of, mask_of
from meja.games.calabresella import CalabresellaRules, CalabresellaView
from meja.games.tricks import ARGUMENT, VERB
from meja.view import View

_ORDER: Final = "32AKQJ7654"
_RANKS: Final = "23456789TJQKA"
#: 0 for a three, 9 for a four, by card.
_PLACE: Final = tuple(_ORDER.find(_RANKS[card % 13]) for card in range(52))
_TWO: Final = 1
_ACE: Final = 2
_THIRDS: Final = tuple({"A": 3, "3": 1, "2": 1, "K": 1, "Q": 1, "J": 1}.get(_RANKS[card % 13], 0) for card in range(52))
_PACK: Final = mask_of([card for card in range(52) if _PLACE[card] >= 0])
#: The cards of the same suit that beat a card.
_ABOVE: Final = tuple(
    mask_of([other for other in cards_of(_PACK & SUIT_MASK[card // 13]) if _PLACE[other] < _PLACE[card]])
    for card in range(52)
)

#: What a card is worth, in tenths of a trick, by place: with better cards missing, and with all of them in the hand.
_ALONE: Final = (10, 6, 5, 2, 1, 0, 0, 0, 0, 0)
_BACKED: Final = (10, 10, 13, 8, 6, 4, 1, 0, 0, 0)
#: The estimates from which a bid or a declaration wins often enough for its stake (measured in self-play).
_BID_FROM: Final = (18, 36, 54)
_RAISE_FROM: Final = (72, 86)
#: So many certain tricks make the last one as good as safe.
_SAFE_TRICKS: Final = 3
#: A trick that is at least this likely to stay with the partner gets fed.
_TRUST: Final = 0.5
_ONE_POINT: Final = 3
#: In so many last tricks certain winners are led: by then waiting wins nothing more (measured in self-play).
_CASHED: Final = 3


class CalabresellaThumb(Bot):
    """Bids by certain tricks and aces, and plays for the aces and the last trick."""

    name: ClassVar[str] = "rules-of-thumb"

    def act(self, view: View[Any], budget: Budget) -> Any:
        """Choose a legal action by the rules of thumb of its phase."""
        assert isinstance(view, CalabresellaView)
        check_turn(view)
        legal = view.legal
        if len(legal) == 1:
            return legal[0]
        match view.phase:
            case "auction":
                return choose_bid(view)
            case "raise":
                return choose_raise(view)
            case "call":
                return _with_card(legal, choose_call(view))
            case "give":
                return _with_card(legal, choose_card_back(view))
            case "discard":
                return _with_card(legal, choose_discard(view))
            case _:
                return choose_play(view)


def _with_card(legal: tuple[int, ...], card: Card) -> int:
    """The action of this phase that names ``card``."""
    return legal[0] >> VERB << VERB | card


def _rules(view: CalabresellaView) -> CalabresellaRules:
    rules = view.rules
    assert isinstance(rules, CalabresellaRules)
    return rules


# -- before the play ------------------------------------------------------------------


def strength(hand: int) -> int:
    """An estimate of a hand (a mask) in tenths of a trick: threes, backed twos and aces count most."""
    return sum((_ALONE if _ABOVE[card] & ~hand else _BACKED)[_PLACE[card]] for card in cards_of(hand))


def choose_bid(view: CalabresellaView) -> int:
    """The bid that the hand is good for, if it is still to be had; else pass."""
    estimate = strength(mask_of(view.hand))
    good_for = sum(estimate >= need for need in _BID_FROM) - 1
    no_bid, *bids = view.legal
    return next((bid for bid in bids if bid & ARGUMENT == good_for), no_bid)


def choose_raise(view: CalabresellaView) -> int:
    """Raise Solissimo only with a hand that wins against better hands too."""
    estimate = strength(mask_of(view.hand))
    return view.legal[sum(estimate >= need for need in _RAISE_FROM)]


def choose_call(view: CalabresellaView) -> Card:
    """A three before a two before an ace, of the suit in which the hand gains most."""
    hand = mask_of(view.hand)
    cards = [action & ARGUMENT for action in view.legal]
    return min(cards, key=lambda card: (_PLACE[card], strength(hand) - strength(hand | BIT[card]), card))


def choose_card_back(view: CalabresellaView) -> Card:
    """Give back what is least missed: a blank, as long as there is one."""
    return least_missed(view)


def choose_discard(view: CalabresellaView) -> Card:
    """Bury the dearest losers if the last trick is safe, since the monte goes with it; else blanks."""
    fat = loser_to_bury(view)
    return least_missed(view) if fat is None else fat


def loser_to_bury(view: CalabresellaView) -> Card | None:
    """The ace or figure that cannot win by itself, for a bidder with so many certain tricks that the last is safe."""
    hand = mask_of(view.hand)
    if view.seat != view.bidder or len(sure_cards(hand)) < _SAFE_TRICKS:
        return None
    losers = [card for card in view.hand if _ABOVE[card] & ~hand and _THIRDS[card] and _PLACE[card] != _TWO]
    return max(losers, key=lambda card: (_THIRDS[card], _PLACE[card]), default=None)


def sure_cards(hand: int) -> list[Card]:
    """The cards that nobody can beat, since all better ones of the suit are in the same hand."""
    return [card for card in cards_of(hand) if not _ABOVE[card] & ~hand]


def least_missed(view: CalabresellaView) -> Card:
    """The card that costs least: the lowest blank; where suit must be followed, from the shortest suit."""
    hand = mask_of(view.hand)
    whole = strength(hand)
    follow = _rules(view).follow_suit

    def missed(card: Card) -> tuple[int, int, int, int]:
        length = (hand & SUIT_MASK[card // 13]).bit_count() if follow else 0
        return whole - strength(hand & ~BIT[card]) + _THIRDS[card], length, -_PLACE[card], card

    return min(view.hand, key=missed)


# -- what a seat can tell during the play -----------------------------------------------


class Table:
    """The trick on the table and the cards that are out, as one seat can tell them."""

    def __init__(self, view: CalabresellaView) -> None:
        """Read the view of a seat that has to play a card."""
        assert view.seat is not None
        assert view.bidder is not None
        self.view = view
        self.legal = view.legal
        self.bidder = view.bidder
        self.alone = view.seat == view.bidder
        self.left = len(view.hand)
        self.hand = mask_of(view.hand)
        self.enemies = [seat for seat in view.players if (seat == view.bidder) != self.alone]
        self.partner = next((seat for seat in view.players if seat not in (view.seat, view.bidder)), view.seat)
        gone = mask_of([card for cards, _ in view.tricks for _, card in cards] + [card for _, card in view.trick])
        self.out = _PACK & ~(self.hand | gone | self._buried())
        self.threats = 0
        for seat in self.enemies:
            self.threats |= self.may_hold(seat)

    def _buried(self) -> int:
        """What this seat laid away itself, unless its partner picked it up again."""
        view = self.view
        order = view.players
        first = order[(order.index(self.bidder) + 1) % len(order)]
        return 0 if view.raised == "scegliete" and view.seat == first else mask_of(view.laid)

    def may_hold(self, seat: int) -> int:
        """The cards out that ``seat`` may hold, as far as the exchange and the play have shown."""
        view = self.view
        cards = self.out
        for suit in range(4):
            if view.voids[seat] >> suit & 1:
                cards &= ~SUIT_MASK[suit]
        given = 0 if view.given is None else BIT[view.given]
        if seat != view.giver:
            cards &= ~given
        if seat != view.bidder:
            taken = mask_of(view.shown) | (0 if view.called is None else BIT[view.called])
            cards &= ~(taken & ~given)
        return cards

    def certainly_holds(self, seat: int) -> int:
        """The cards out that ``seat`` holds as good as for certain.

        The one given back; and of the bidder the called one and the threes and twos of a monte that was shown.
        """
        view = self.view
        given = 0 if view.given is None else BIT[view.given]
        if seat == view.giver:
            return self.out & given
        if seat == view.bidder:
            called = 0 if view.called is None else BIT[view.called]
            strong = mask_of([card for card in view.shown if _PLACE[card] < _ACE])
            return self.out & (called | strong) & ~given
        return 0

    def is_sure(self, card: Card) -> bool:
        """Whether ``card``, led, cannot be beaten by an enemy."""
        return not _ABOVE[card] & self.threats

    def sure(self) -> list[Card]:
        """The cards of the hand that win a trick when led."""
        return [card for card in self.legal if self.is_sure(card)]

    @property
    def worth(self) -> int:
        """Thirds of a point in the trick on the table."""
        return sum(_THIRDS[card] for _, card in self.view.trick)

    def winning(self) -> tuple[int, Card]:
        """The seat and card that hold the trick on the table."""
        trick = self.view.trick
        led = trick[0][1] // 13
        return min((entry for entry in trick if entry[1] // 13 == led), key=lambda entry: _PLACE[entry[1]])

    def waiting_enemies(self) -> list[int]:
        """The enemies who have still to play to this trick."""
        played = [seat for seat, _ in self.view.trick]
        return [seat for seat in self.enemies if seat not in played]

    def can_be_beaten(self, card: Card) -> bool:
        """Whether an enemy who has still to play may beat ``card``."""
        return any(_ABOVE[card] & self.may_hold(seat) for seat in self.waiting_enemies())

    def risk(self, card: Card) -> float:
        """How likely it is, roughly, that an enemy who has still to play can beat ``card``."""
        safe = 1.0
        for seat in self.waiting_enemies():
            held = self.may_hold(seat)
            above = _ABOVE[card] & held
            known = self.certainly_holds(seat)
            if above & known:
                return 1.0
            if above:
                room = self.view.hand_sizes[seat] - known.bit_count()
                share = min(1.0, room / (held & ~known).bit_count())
                safe *= (1.0 - share) ** above.bit_count()
        return 1.0 - safe

    def side(self) -> int:
        """Thirds of a point that this seat's side has taken so far."""
        taken = self.view.taken
        return taken[self.bidder] if self.alone else sum(taken) - taken[self.bidder]


# -- the play -------------------------------------------------------------------------


def choose_play(view: CalabresellaView) -> Card:
    """Lead or follow by the first rule of thumb that has something to say."""
    table = Table(view)
    for rule in _FOLLOWING if view.trick else _LEADING:
        card = rule(table)
        if card is not None:
            return card
    return throw_away(table)


def lead_a_sure_ace(table: Table) -> Card | None:
    """An ace that cannot be beaten is a whole point: lead it, unless it is the last certain trick."""
    sure = table.sure()
    aces = [card for card in sure if _PLACE[card] == _ACE]
    return aces[0] if aces and table.alone and len(sure) > 1 else None


def run_the_last_tricks(table: Table) -> Card | None:
    """Certain tricks are kept for the end: cash them when all that is left is certain, or from the third last on."""
    sure = table.sure()
    if sure and (len(sure) == table.left or table.left <= _CASHED):
        return min(sure, key=lambda card: (_PLACE[card], card))
    return None


def lead_to_the_partner(table: Table) -> Card | None:
    """Lead a blank where only the partner can hold the better cards."""
    if table.alone:
        return None
    held = table.may_hold(table.partner) & ~table.threats
    blanks = [card for card in table.legal if not _THIRDS[card] and not table.is_sure(card)]
    good = [card for card in blanks if _first(_above_out(table, card)) & held]
    return good[0] if good else None


def lead_past_the_bidder(table: Table) -> Card | None:
    """A partner leads the card that the bidder is least likely to beat, but keeps certain winners."""
    if table.alone:
        return None
    cards = [card for card in table.legal if not table.is_sure(card)]
    return min(cards, key=lambda card: (round(table.risk(card), 3), _THIRDS[card], -_PLACE[card]), default=None)


def lead_a_blank(table: Table) -> Card | None:
    """With nothing better to do lead the lowest blank: it costs nothing, and a new lead may come into a strong suit."""
    blanks = [card for card in table.legal if not _THIRDS[card]]
    return max(blanks, key=lambda card: (_PLACE[card], card), default=None)


def feed_the_partner(table: Table) -> Card | None:
    """A trick that most likely stays with the partner gets an ace, or else a figure that is no certain winner."""
    if table.alone:
        return None
    seat, card = table.winning()
    if seat == table.bidder or table.risk(card) > _TRUST:
        return None
    fat = [card for card in table.legal if _PLACE[card] == _ACE or (_THIRDS[card] and not table.is_sure(card))]
    return max(fat, key=lambda card: (_THIRDS[card], _PLACE[card]), default=None)


def take_what_counts(table: Table) -> Card | None:
    """Win the trick for good if it holds enough, with the card that brings most points home at least cost."""
    seat, best = table.winning()
    if not table.alone and seat != table.bidder and not table.can_be_beaten(best):
        return None
    winners = [
        card
        for card in table.legal
        if card // 13 == best // 13 and _PLACE[card] < _PLACE[best] and not table.can_be_beaten(card)
    ]
    if not winners:
        return None
    card = max(winners, key=lambda card: (_THIRDS[card], _PLACE[card]))
    if table.left == 1 or table.worth + _THIRDS[card] >= _price(table, card):
        return card
    return None


def _price(table: Table, card: Card) -> int:
    """How many thirds a trick must bring to be worth ``card``: a certain winner is dear, others are cheap."""
    bring = table.worth + _THIRDS[card]
    if _slam_threatens(table) and table.side() < _ONE_POINT <= table.side() + bring:
        return 0
    if not table.is_sure(card):
        return 1
    sure = len(table.sure())
    if sure >= table.left:
        return 0
    if sure == 1:
        return 4
    return 3 if table.alone and not _rules(table.view).follow_suit else 2


def _slam_threatens(table: Table) -> bool:
    """Whether the own side may end without a point, which multiplies the stake."""
    return _rules(table.view).slams != "off" and table.left <= 6


def throw_away(table: Table) -> Card:
    """The card that costs least: a blank before a figure, a figure before an ace, certain winners last."""
    return min(table.legal, key=lambda card: (_THIRDS[card] + (2 if table.is_sure(card) else 0), -_PLACE[card], card))


def _above_out(table: Table, card: Card) -> list[Card]:
    """The better cards of the suit that are out, best first."""
    return sorted(cards_of(_ABOVE[card] & table.out), key=lambda other: _PLACE[other])


def _first(cards: Iterable[Card]) -> int:
    return next((BIT[card] for card in cards), 0)


_LEADING: Final = (run_the_last_tricks, lead_a_sure_ace, lead_to_the_partner, lead_past_the_bidder, lead_a_blank)
_FOLLOWING: Final = (feed_the_partner, take_what_counts)
