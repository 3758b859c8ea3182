"""A view from its JSON form: for bots that are asked from outside the process.

The deal is played again with cards in the hidden places that fit what is known, by the rules themselves; what
it shows the seat is the view. Any fitting cards do: a view holds nothing of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from meja.cards import BIT, JOKER, Card, card_text, cards_text, parse_cards, quoted
from meja.deal import Chance, Context, Layout
from meja.errors import MejaError
from meja.games import Game
from meja.games import game as named
from meja.games.kaluki import Kaluki
from meja.games.kaluki_turn import ADD, DISCARD, DRAW, SWAP, TAKE
from meja.messages import msg
from meja.rules import Rules
from meja.view import View

_HIDDEN: Final = "??"
_EVERY_CARD: Final = sum(BIT[:52])
_MISSING: Final = object()
_SOLISSIMO: Final = "solissimo"

#: (seat, the words of its action) in order.
_Log = list[tuple[int, str]]


def read_view(document: Mapping[str, Any], counted: int = 0, draws: str = "") -> View[Any]:
    """The view that has this JSON form (:meth:`~meja.view.View.to_dict`), for a seat that is to act.

    ``counted``: how many deals before this one count. ``draws``: in Kaluki the cards that the seat itself has drawn
    from the stock. Raises :class:`~meja.errors.MejaError` for a document that is not a view of a seat to act.
    """
    try:
        made = named(document["game"])
        rules = made.rules.from_dict(document["seats"], document["rules"])
        context = Context(tuple(document["totals"]), document["deal"], counted)
        log = [(int(seat), words) for seat, _, words in (entry.partition(" ") for entry in document["log"])]
        if made.deal is Kaluki:
            view = _kaluki(document, rules, context, log, parse_cards(draws))
        else:
            view = _tricks(made, document, rules, context, log)
        shown = view.to_dict()
    except MejaError:
        raise
    except (TypeError, ValueError, LookupError, AttributeError, AssertionError) as error:
        raise MejaError(msg("this is not the view of a seat: {error}", error=quoted(str(error), 200))) from None
    for key, value in shown.items():
        if document.get(key, _MISSING) != value:
            raise MejaError(msg("the view does not hold together: {name} is not as the log says", name=quoted(key)))
    return view


# -- trick games ------------------------------------------------------------------


def _tricks(made: Game, document: Mapping[str, Any], rules: Rules, context: Context, log: _Log) -> View[Any]:
    me = document["seat"]
    dealer = document["dealer"]
    deal_class = made.deal
    actions: list[tuple[int, Any]] = [
        (seat, None if words.endswith(_HIDDEN) else deal_class.parse(words)) for seat, words in log
    ]
    size = deal_class.hand_size(rules)  # type: ignore[attr-defined]
    sizes = [size if seat in document["players"] else 0 for seat in range(rules.seats)]
    plays: list[list[Card]] = [[] for _ in sizes]
    for seat, words in log:
        if words.startswith("play "):
            plays[seat] += parse_cards(words[5:])
    story = _Story(document, plays)
    hands = [story.started_with(seat) for seat in range(rules.seats)]
    monte = story.monte()
    spare = [card for card in deal_class.pack(rules) if card not in story.placed]
    for seat, hand in enumerate(hands):
        if len(hand) > sizes[seat]:
            # More than a hand was seen: the rest came from cards that it took up.
            spare = hand[sizes[seat] :] + spare
            del hand[sizes[seat] :]
    lying = [spare.pop(0) if card is None else card for card in monte]
    for seat, hand in enumerate(hands):
        while len(hand) < sizes[seat]:
            hand.append(spare.pop())
    layout = Layout(tuple(map(tuple, hands)), monte=tuple(lying))
    deal: Any = deal_class.from_layout(rules, dealer, layout, context)
    for number, (seat, action) in enumerate(actions):
        if seat != deal.to_act:
            raise MejaError(msg("entry {number} of the log is not by the seat to act", number=number))
        deal.advance(deal.parse(f"discard {card_text(story.hidden(seat, deal))}") if action is None else action)
    view: View[Any] = deal.view(me)
    return view


class _Story:
    """What the seat knows of how cards moved before the first trick; only Calabresella has such a story."""

    def __init__(self, document: Mapping[str, Any], plays: Sequence[Sequence[Card]]) -> None:
        self.me: int = document["seat"]
        self.plays = plays
        self.has_monte = "monte" in document
        self.bidder: int | None = document.get("bidder") if self.has_monte else None
        self.contract: str | None = document.get("contract")
        self.raised: str | None = document.get("raise")
        self.giver: int | None = document.get("giver")
        self.called = parse_cards(document.get("called") or "")
        self.given = parse_cards(document.get("given") or "")
        if self.called == self.given:
            # It went there and back.
            self.called, self.given = [], []
        self.shown = parse_cards(document.get("shown") or "")
        self.picked_up = parse_cards(document.get("picked_up") or "")
        self.laid = parse_cards(document.get("laid") or "")
        self.hand = parse_cards(document["hand"])
        self.opponents: list[int] = []
        if self.contract == _SOLISSIMO and self.bidder is not None:
            players: list[int] = document["players"]
            place = players.index(self.bidder)
            self.opponents = [players[(place + step) % 3] for step in (1, 2)]
        self.placed: set[Card] = set()

    @property
    def _took_what_was_laid(self) -> bool:
        """Whether this seat is the second opponent and has taken up what the first one laid down."""
        return self.raised == "scegliete" and self.me == self.opponents[1] and bool(self.picked_up)

    def started_with(self, seat: int) -> list[Card]:
        """The cards that the seat is known to have been dealt; of another seat perhaps some that it took up."""
        held = list(self.plays[seat])
        received: list[Card] = []
        if seat == self.me:
            held += self.hand + self.laid
            received += self.picked_up
        elif seat == self.bidder:
            received += self.shown
        elif self.raised == "scegliete" and seat == self.opponents[1] and self.me == self.opponents[0]:
            received += self.laid
        elif self._took_what_was_laid and seat == self.opponents[0]:
            held += self.picked_up
        if seat == self.bidder:
            held += self.given
            received += self.called if self.giver is not None else []
        if seat == self.giver:
            held += self.called
            received += self.given
        cards = [card for card in dict.fromkeys(held) if card not in received]
        self.placed.update(cards, self.shown, self.picked_up)
        return cards

    def monte(self) -> list[Card | None]:
        """The cards of the monte in the order dealt, ``None`` where they are not known."""
        if not self.has_monte:
            return []
        if self.shown:
            return list(self.shown)
        if not self.picked_up or self._took_what_was_laid:
            return [None] * 4
        if self.raised == "dividete":
            half: list[Card | None] = list(self.picked_up)
            return [*half, None, None] if self.me == self.opponents[0] else [None, None, *half]
        return list(self.picked_up)

    def hidden(self, seat: int, deal: Any) -> Card:
        """A card that the seat may have laid down unseen: one it does not play later."""
        holds: Sequence[Card] = deal.zones()[f"hand {seat}"]
        if self._took_what_was_laid and seat == self.opponents[0]:
            return next(card for card in holds if card in self.picked_up)
        return next(card for card in holds if card not in self.plays[seat])


# -- Kaluki -----------------------------------------------------------------------


def _kaluki(
    document: Mapping[str, Any], rules: Rules, context: Context, words: _Log, draws: Sequence[Card]
) -> View[Any]:
    me: int = document["seat"]
    log = [(seat, Kaluki.recorded(text)) for seat, text in words]
    (upcard,) = parse_cards(document["upcard"])
    drawers = [seat for seat, move in log if move.verb == DRAW]
    own = [number for number, seat in enumerate(drawers) if seat == me]
    if len(own) != len(draws):
        raise MejaError(
            msg("the log has {expected} draws of this seat, {found} are told", expected=len(own), found=len(draws))
        )
    told = dict(zip(own, draws, strict=True))

    def replayed(hand: Sequence[Card] | None) -> tuple[Kaluki, Counter[Card]]:
        """The deal at the end of the log, and how many cards of each kind the seat used more than it got openly."""
        dealt = tuple(hand or ())
        first = 107 - rules.cards * rules.seats  # type: ignore[attr-defined]
        stock = tuple([told.get(number, _FILLER) for number in range(first)])
        layout = Layout(tuple([dealt if seat == me else () for seat in range(rules.seats)]), (), upcard, stock)
        deal = Kaluki.build(rules, document["dealer"], layout, context, _Told(told, first))  # type: ignore[arg-type]
        used: Counter[Card] = Counter()
        for number, (seat, move) in enumerate(log):
            if seat != deal.to_act:
                raise MejaError(msg("entry {number} of the log is not by the seat to act", number=number))
            if seat != me or hand is None:
                # Whatever this hand needs is in it.
                deal.one[seat] = deal.two[seat] = _EVERY_CARD
                deal.jokers[seat] = 4
            if seat == me:
                used.update(card for meld in move.melds for card in meld.cards)
                if move.verb in (ADD, SWAP, DISCARD):
                    used[move.card] += 1
                if move.verb == TAKE:
                    used[deal.pile[-1]] -= 1
                if move.verb == SWAP:
                    used[JOKER] -= 1
            deal.advance(move)
        return deal, used

    _, used = replayed(None)
    used.update(parse_cards(document["hand"]))
    used.subtract(draws)
    if any(number < 0 for number in used.values()) or used.total() != rules.cards:  # type: ignore[attr-defined]
        raise MejaError(msg("the view does not hold together: {name} is not as the log says", name=quoted("hand")))
    deal, _ = replayed(sorted(used.elements()))
    return deal.view(me)


#: Stands where a card lies that nobody sees.
_FILLER: Final[Card] = 0


class _Told(Chance):
    """Reshuffles that bring a seat the cards it has drawn."""

    __slots__ = ("draws", "start")

    def __init__(self, draws: Mapping[int, Card], start: int) -> None:
        """``draws``: the cards that are known, by the number of the draw. ``start``: the first draw to come."""
        super().__init__()
        self.draws = draws
        self.start = start

    def order(self, cards: Sequence[Card]) -> tuple[Card, ...]:
        """The cards with those that are known in their places."""
        places = range(self.start, self.start + len(cards))
        self.start += len(cards)
        rest = Counter(cards)
        rest.subtract(self.draws[place] for place in places if place in self.draws)
        if any(number < 0 for number in rest.values()):
            raise MejaError(msg("the view does not hold together: {name} is not as the log says", name=quoted("draws")))
        others = iter(sorted(rest.elements()))
        return tuple([self.draws[place] if place in self.draws else next(others) for place in places])

    def clone(self) -> _Told:
        """An independent source that goes on from the same point."""
        return _Told(self.draws, self.start)


def drawn_by(view: View[Any]) -> str:
    """The cards that the seat of a Kaluki view has drawn from the stock, in order; of other games nothing."""
    blank = getattr(view, "_blank", None)
    if not isinstance(blank, Kaluki):
        return ""
    return cards_text(card for card, seat in zip(blank.drawn, blank.drawers, strict=True) if seat == view.seat)
