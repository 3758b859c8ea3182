"""Kaluki: two to four players lay melds from two packs and four jokers. Rules in ``docs/rules/kaluki.md``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Final

from meja.cards import (
    BIT,
    CARD_TEXT,
    JOKER,
    UNKNOWN,
    Card,
    Rng,
    card_text,
    card_word,
    cards_of,
    cards_text,
    quoted,
)
from meja.deal import Chance, Context, Deal, Layout, ScoreLine, check_seat
from meja.errors import ActionTextError, CardTextError, MejaError, Reason
from meja.games.kaluki_turn import (
    ADD,
    DISCARD,
    DISCARDS,
    DRAW,
    DRAW_MOVE,
    MELD,
    NO_CARD,
    OPEN,
    SWAP,
    TAKE,
    TAKE_MOVE,
    VERBS,
    LegalActions,
    Move,
    Openings,
    Turn,
    TurnRules,
    can_end,
    swap_turn,
)
from meja.games.kaluki_worlds import Worlds
from meja.games.melds import (
    MEANT,
    NO_MELD,
    RANK,
    UNSAID,
    Meld,
    MeldRules,
    additions,
    all_melds,
    exchanged,
    fault,
    grown,
    hand_masks,
    is_canonical,
    is_well_formed,
    meld_rules,
    meld_text,
    melds_with,
    parse_meld,
    parse_word,
    stands_text,
    swaps,
    take_out,
    worth,
)
from meja.match import Match
from meja.messages import CardWord, Message, SeatWord, msg
from meja.rules import Rules, Value, option
from meja.view import Event, View, optional_card

__all__ = ["Kaluki", "KalukiMatch", "KalukiRules", "KalukiView", "Meld", "Move"]

_PACK: Final[tuple[Card, ...]] = (*(card for card in range(52) for _ in range(2)), *[JOKER] * 4)
_MOST_RESHUFFLES: Final = 3
_BONUS: Final = 25
_NOBODY: Final = -1


@dataclass(frozen=True, kw_only=True)
class KalukiRules(Rules):
    """The options of Kaluki."""

    game: ClassVar[str] = "kaluki"
    title: ClassVar[Message] = msg("Kaluki")
    seat_numbers: ClassVar[tuple[int, ...]] = (2, 3, 4)
    default_seats: ClassVar[int] = 2
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "standard": {},
        "hard": {"naturals_majority": True, "set_duplicates": False},
        "kalooki51": {"opening": "total", "ace": 11, "cards": 13, "set_duplicates": False, "target": 150},
        "kalooki40": {
            "opening": "total", "opening_points": 40, "ace": 11, "cards": 13, "set_duplicates": False, "target": 150,
        },
    }  # fmt: skip
    preset_titles: ClassVar[Mapping[str, Message]] = {
        "standard": msg("Standard"),
        "hard": msg("Hard melds"),
        "kalooki51": msg("Kalooki 51"),
        "kalooki40": msg("Kalooki 40"),
    }

    opening: str = option(
        "single", "total", rule="K10.1",
        title=msg("Opening"),
        help=msg("The opening points must come from a single meld, or may come from several melds laid together."),
    )  # fmt: skip
    opening_points: int = option(
        51, 40, rule="K10.2",
        title=msg("Points to open"),
        help=msg("How much the opening must be worth."),
    )  # fmt: skip
    ace: int | str = option(
        15, 11, "11_high_1_low", rule="K10.3",
        title=msg("Value of the ace"),
        help=msg("What an ace counts: the same everywhere, or 1 as the lowest card of a run and 11 elsewhere."),
    )  # fmt: skip
    joker_in_hand: int = option(
        25, 15, 50, rule="K10.4",
        title=msg("Joker left in the hand"),
        help=msg("What a joker counts that is left in a hand at the end."),
    )  # fmt: skip
    set_duplicates: bool = option(
        True, rule="K10.5",
        title=msg("Same suit twice in a set"),
        help=msg("A set may hold a suit more than once; without this a set has at most four cards, each suit once."),
    )  # fmt: skip
    naturals_majority: bool = option(
        False, rule="K10.6",
        title=msg("More natural cards than jokers"),
        help=msg("Every meld must hold more natural cards than jokers."),
    )  # fmt: skip
    adjacent_jokers: bool = option(
        True, rule="K10.7",
        title=msg("Jokers side by side"),
        help=msg("Two jokers may lie side by side in a run."),
    )  # fmt: skip
    run_max: int = option(
        14, 13, rule="K10.8",
        title=msg("Longest run"),
        help=msg("How many cards a run may have; with 14 it may hold an ace at both ends."),
    )  # fmt: skip
    joker_swap: str = option(
        "others", "any", "off", rule="K10.9",
        title=msg("Swapping jokers"),
        help=msg("From whose melds a joker may be swapped: the other players', anybody's, or nobody's."),
    )  # fmt: skip
    joker_swap_use: str = option(
        "immediate", "free", rule="K10.10",
        title=msg("Use of a swapped joker"),
        help=msg("A swapped joker must be laid in the same turn, or may be kept or discarded."),
    )  # fmt: skip
    discard_to_go_out: bool = option(
        False, rule="K10.11",
        title=msg("Discard to go out"),
        help=msg("The last card must be discarded; nobody may go out by laying all cards."),
    )  # fmt: skip
    discard_use: str = option(
        "free", "must_use", rule="K10.12",
        title=msg("Use of the card taken"),
        help=msg("A card taken from the discard pile may be kept, or must be laid in the same turn."),
    )  # fmt: skip
    stock_out: str = option(
        "shuffle", "turn_over", "end", rule="K10.13",
        title=msg("Stock used up"),
        help=msg("The discard pile is shuffled, or turned over as it lies, to be the new stock; or the deal ends."),
    )  # fmt: skip
    kaluki_bonus: str = option(
        "none", "25_each", "double", rule="K10.14",
        title=msg("Bonus for going out at once"),
        help=msg("For going out in the turn of one's opening: 25 per opponent more, or the sum twice."),
    )  # fmt: skip
    cards: int = option(
        15, 13, rule="K10.15",
        title=msg("Cards dealt"),
        help=msg("How many cards each player is dealt."),
    )  # fmt: skip
    target: int = option(
        250, 500, 150, 100, rule="K10.16",
        title=msg("Points to win"),
        help=msg("The first player with that many points wins the match."),
    )  # fmt: skip

    def warnings(self) -> list[Message]:
        """Options that leave hardly anything to open with, have no effect, or make a match very short."""
        found = []
        if self.opening == "single" and not self.set_duplicates:
            if self.opening_points == 51 and self.ace != 15:
                found.append(msg("With these options no set can open, only long runs."))
            else:
                found.append(msg("With opening single and no set_duplicates hardly any set can open."))
        if self.joker_swap == "off" and self.joker_swap_use == "free":
            found.append(msg("With joker_swap off the option joker_swap_use has no effect."))
        if self.seats == 4 and self.opening == "single" and self.target < 500:
            found.append(
                msg("With 4 players and opening single a deal brings about 225 points: 500 is a better target.")
            )
        return found

    @property
    def turn(self) -> TurnRules:
        """What melds and turns need of the options."""
        return _turn_rules(self)

    @property
    def hand_values(self) -> tuple[int, ...]:
        """What each card counts that is left in a hand, by card; the joker last."""
        return _hand_values(self)


@lru_cache(maxsize=256)
def _turn_rules(rules: KalukiRules) -> TurnRules:
    melds = meld_rules(
        rules.ace,
        set_duplicates=rules.set_duplicates,
        naturals_majority=rules.naturals_majority,
        adjacent_jokers=rules.adjacent_jokers,
        run_max=rules.run_max,
    )
    return TurnRules(
        melds, rules.discard_to_go_out, rules.discard_use == "must_use", rules.joker_swap_use == "immediate"
    )  # fmt: skip


@lru_cache(maxsize=256)
def _hand_values(rules: KalukiRules) -> tuple[int, ...]:
    values = rules.turn.melds.set_values
    return (*(values[card % 13] for card in range(52)), rules.joker_in_hand)


@lru_cache(maxsize=1 << 12)
def _suit_cards(suit: int, ranks: int, twice: int) -> tuple[Card, ...]:
    """The cards of one suit from ace to two; ``ranks`` and ``twice`` are masks of its 13 ranks."""
    return tuple(
        [13 * suit + rank for rank in range(12, -1, -1) if ranks >> rank & 1 for _ in range(1 + (twice >> rank & 1))]
    )


def sorted_cards(cards: Sequence[Card]) -> list[Card]:
    """Cards as a record writes a hand: by suit s h d c, from ace to two, jokers last."""
    return sorted(cards, key=lambda card: (card // 13, -card))


@dataclass(frozen=True, kw_only=True)
class KalukiView(View[Move]):
    """A deal of Kaluki as one seat sees it."""

    game: ClassVar[str] = "kaluki"

    rules: KalukiRules
    #: The melds on the table as they lie now, in the order they were laid, and the seats that laid them.
    table: tuple[Meld, ...]
    owners: tuple[int, ...]
    #: The discard pile since the last reshuffle, the top card last. Everybody saw every card of it.
    pile: tuple[Card, ...]
    #: The first card of the discard pile, as it was turned up.
    upcard: Card
    #: How many cards the stock holds.
    stock: int
    #: The cards of the stock, the next one first, where everybody knows them (option ``turn_over``).
    turned: tuple[Card, ...]
    #: How often the pile has become the stock.
    reshuffles: int
    #: Per seat whether it has opened.
    opened: tuple[bool, ...]
    #: Per seat the cards that everybody knows to be in its hand, sorted as a hand.
    known: tuple[tuple[Card, ...], ...]
    #: The card that the seat to act took from the discard pile in this turn.
    taken: Card | None
    #: Whether a card equal to it was laid since.
    taken_laid: bool
    #: Swapped jokers that must be laid before the turn can end.
    owed: int
    #: Whether the seat to act opened in this turn.
    fresh: bool
    #: The card that this seat, in its own turn, has drawn from the stock.
    drew: Card | None
    #: The cards left in each hand, shown at the end of a deal that somebody won.
    left: tuple[tuple[Card, ...], ...]
    _blank: Kaluki = field(repr=False, compare=False)

    @cached_property
    def legal(self) -> Sequence[Move]:
        """The legal actions, where it is this seat's turn; empty otherwise."""
        return self._blank.legal_actions() if self.seat is not None and self.seat == self.to_act else ()

    @property
    def listed(self) -> Sequence[Move]:
        """The legal actions without the openings with several melds, which can be very many."""
        legal = self.legal
        return legal.plain if isinstance(legal, LegalActions) else legal

    def why_illegal(self, action: Any) -> Reason | None:
        """As :meth:`Kaluki.why_illegal`, for the seat to act in its own view."""
        return self._blank.why_illegal(action)

    @cached_property
    def _worlds(self) -> Worlds:
        return Worlds(self._blank, self.seat)

    def determinize(self, rng: Rng) -> Kaluki:
        """A uniform draw from the deals that agree with this view."""
        return self._worlds.draw(rng)

    def text(self, action: Move) -> str:
        """The words of an action: ``"draw"``, ``"add 7c m2"``."""
        return Kaluki.text(action)

    def details(self) -> dict[str, Any]:
        """The fields of Kaluki, as JSON values; ``openings`` are the melds that several may be put together from."""
        legal = self.legal
        return {
            "openings": [meld_text(meld) for meld in legal.openings.melds] if isinstance(legal, LegalActions) else [],
            "table": [
                {"meld": index, "owner": owner, "cards": meld_text(meld)}
                for index, (owner, meld) in enumerate(zip(self.owners, self.table, strict=True))
            ],
            "pile": cards_text(self.pile),
            "upcard": card_text(self.upcard),
            "stock": self.stock,
            "turned": cards_text(self.turned),
            "reshuffles": self.reshuffles,
            "opened": list(self.opened),
            "known": [cards_text(cards) for cards in self.known],
            "taken": optional_card(self.taken),
            "taken_laid": self.taken_laid,
            "owed": self.owed,
            "fresh": self.fresh,
            "drew": optional_card(self.drew),
            "left": [cards_text(cards) for cards in self.left],
        }


class Kaluki(Deal[Move]):
    """One deal of Kaluki."""

    reshuffles_piles: ClassVar[bool] = True

    __slots__ = (
        "chance",
        "drawers",
        "drawn",
        "first",
        "freed",
        "fresh",
        "held",
        "jokers",
        "known",
        "laid",
        "log",
        "one",
        "opened",
        "owed",
        "owners",
        "pile",
        "playing",
        "seats",
        "shuffles",
        "sizes",
        "stock",
        "table",
        "taken",
        "turned",
        "two",
        "upcard",
        "winner",
    )

    game: ClassVar[str] = "kaluki"

    rules: KalukiRules
    seats: int
    #: The hands: masks of the natural cards held once at least, of those held twice; jokers; how many cards.
    one: list[int]
    two: list[int]
    jokers: list[int]
    sizes: list[int]
    #: The stock, the next card to be drawn last.
    stock: list[Card]
    #: The discard pile since the last reshuffle, the top card last.
    pile: list[Card]
    table: list[Meld]
    owners: list[int]
    #: A bit for every seat that has opened.
    opened: int
    #: Whether the seat to act has drawn.
    playing: bool
    #: This turn: the card taken from the pile or -1, whether the hand held one like it, whether one was laid since.
    taken: Card
    held: bool
    laid: bool
    #: This turn: whether a joker was swapped for keeps beside one taken from the pile.
    freed: bool
    #: This turn: swapped jokers not yet laid again; whether the seat opened.
    owed: int
    fresh: bool
    #: Per seat cards that everybody knows to be in its hand.
    known: list[list[Card]]
    log: list[tuple[int, Move]]
    #: The cards drawn from the stock, in order, and who drew them.
    drawn: list[Card]
    drawers: list[int]
    #: How the cards were dealt; ``None`` where only one seat's knowledge is held.
    first: Layout | None
    upcard: Card
    #: The reshuffles as they fell, and how often the pile has become the stock.
    shuffles: list[tuple[Card, ...]]
    turned: int
    chance: Chance | None
    winner: int

    # -- starting -----------------------------------------------------------------

    @classmethod
    def pack(cls, rules: KalukiRules) -> tuple[Card, ...]:
        """108 cards: two packs and four jokers."""
        return _PACK

    @classmethod
    def lay_out(cls, rules: KalukiRules, dealer: int, cards: Sequence[Card]) -> Layout:
        """One card at a time from the dealer's left, then the upcard; the rest is the stock."""
        seats = rules.seats
        used = rules.cards * seats
        hands: list[tuple[Card, ...]] = [()] * seats
        for place in range(seats):
            hands[(dealer + 1 + place) % seats] = tuple(cards[place:used:seats])
        return Layout(tuple(hands), (), cards[used], tuple(cards[used + 1 :]))

    @classmethod
    def check_layout(cls, rules: KalukiRules, dealer: int, layout: Layout) -> None:
        """Hands of the right size, an upcard, and all the rest of the pack in the stock."""
        if len(layout.hands) != rules.seats:
            raise MejaError(msg("expected {seats} hands, found {found}", seats=rules.seats, found=len(layout.hands)))
        for seat, hand in enumerate(layout.hands):
            if len(hand) != rules.cards:
                raise MejaError(
                    msg(
                        "hands[{seat}] holds {found} cards, expected {expected}",
                        seat=seat,
                        found=len(hand),
                        expected=rules.cards,
                    )
                )
        if layout.monte:
            raise MejaError(msg("{game} has no monte", game=cls.game))
        if layout.upcard is None:
            raise MejaError(msg("the first card of the discard pile is missing"))
        expected = len(_PACK) - 1 - rules.cards * rules.seats
        if len(layout.stock) != expected:
            raise MejaError(
                msg("the stock holds {found} cards, expected {expected}", found=len(layout.stock), expected=expected)
            )
        seen = Counter([card for hand in layout.hands for card in hand])
        seen.update([layout.upcard, *layout.stock])
        pack = Counter(_PACK)
        for card, number in seen.items():
            if card not in pack:
                shown = card_word(card) if card in range(64) and CARD_TEXT[card] else quoted(card)
                raise MejaError(msg("{card} is not in the pack of {game}", card=shown, game=cls.game))
            if number > pack[card]:
                raise MejaError(msg("{card} was dealt too often", card=card_word(card)))

    @classmethod
    def build(
        cls,
        rules: KalukiRules,
        dealer: int,
        layout: Layout,
        context: Context | None,
        chance: Chance | None,
    ) -> Kaluki:
        """A deal whose cards lie as in ``layout``."""
        deal = cls.__new__(cls)
        seats = rules.seats
        deal.rules = rules
        deal.dealer = dealer
        deal.context = context or Context.first(seats)
        deal.seats = seats
        masks = [hand_masks(hand) for hand in layout.hands]
        deal.one = [mask[0] for mask in masks]
        deal.two = [mask[1] for mask in masks]
        deal.jokers = [mask[2] for mask in masks]
        deal.sizes = [rules.cards] * seats
        deal.stock = list(layout.stock[::-1])
        assert layout.upcard is not None
        deal.upcard = layout.upcard
        deal.pile = [layout.upcard]
        deal.table = []
        deal.owners = []
        deal.opened = 0
        deal.playing = False
        deal.taken = NO_CARD
        deal.held = deal.laid = deal.freed = deal.fresh = False
        deal.owed = 0
        deal.known = [[] for _ in range(seats)]
        deal.log = []
        deal.drawn = []
        deal.drawers = []
        deal.first = layout
        deal.shuffles = []
        deal.turned = 0
        deal.chance = chance
        deal.winner = _NOBODY
        deal.to_act = (dealer + 1) % seats
        return deal

    @property
    def phase(self) -> str:
        """``draw``, ``play`` (after drawing) or ``over``."""
        return "over" if self.to_act is None else "play" if self.playing else "draw"

    # -- what is legal ------------------------------------------------------------

    def legal_actions(self) -> Sequence[Move]:
        """The legal actions, sorted: a tuple, or :class:`LegalActions` where several melds may open together."""
        seat = self.to_act
        if seat is None:
            return ()
        if self.playing:
            return self._legal_plays(seat)
        terms = self.rules.turn
        if self.opened >> seat & 1:
            if not terms.must_use or self._can_use(seat):
                return (DRAW_MOVE, TAKE_MOVE)
            return (DRAW_MOVE,)
        top = self.pile[-1]
        hand = self._with_card(seat, top)
        size = self.sizes[seat] + 1
        points = self.rules.opening_points
        if self.rules.opening == "total":
            melds = all_melds(*hand, terms.melds)
            openings = Openings.of(melds, hand, size, points, terms, taken=top)
            return LegalActions((DRAW_MOVE,), TAKE, openings, ())
        keep = size - terms.last_discard
        return (
            DRAW_MOVE,
            *[Move(TAKE, (meld,)) for meld in melds_with(top, *hand, terms.melds, points) if len(meld.cards) <= keep],
        )

    def _legal_plays(self, seat: int) -> Sequence[Move]:
        terms = self.rules.turn
        one, two, jokers, size = self.one[seat], self.two[seat], self.jokers[seat], self.sizes[seat]
        discards = [DISCARDS[card] for card in cards_of(one)]
        if jokers:
            discards.append(DISCARDS[JOKER])
        if not self.opened >> seat & 1:
            # Nothing was taken and no joker swapped: any card may be discarded.
            points = self.rules.opening_points
            found = [
                Move(MELD, (meld,))
                for meld in all_melds(one, two, jokers, terms.melds, points)
                if size - len(meld.cards) >= terms.last_discard
            ]
            if self.rules.opening == "total":
                melds = all_melds(one, two, jokers, terms.melds)
                openings = Openings.of(melds, (one, two, jokers), size, points, terms, least=2)
                return LegalActions(found, OPEN, openings, discards)
            return (*found, *discards)
        turn = self.turn_of(seat)
        bound = terms.last_discard
        # Where nothing is owed and any card may go, only the number of cards left matters.
        easy = not self.owed and (self.taken < 0 or self.laid)
        memo: dict[Turn, bool] = {}
        swappable = self.swappable(seat)
        table = turn.table
        found = []
        for meld in all_melds(one, two, jokers, terms.melds):
            if easy:
                if size - len(meld.cards) >= bound:
                    found.append(Move(MELD, (meld,)))
                continue
            after = turn.after(meld.cards, (*table, meld))
            if after is not None and can_end(after, terms, swappable, memo):
                found.append(Move(MELD, (meld,)))
        if size > bound or not easy:
            adds = []
            for index, meld in enumerate(table):
                for card, stands, result in additions(meld, terms.melds):
                    if not (jokers if card == JOKER else one & BIT[card]):
                        continue
                    if not easy:
                        after = turn.after((card,), (*table[:index], result, *table[index + 1 :]))
                        if after is None or not can_end(after, terms, swappable, memo):
                            continue
                    adds.append(Move(ADD, (), card, stands, index))
            adds.sort()
            found += adds
        if swappable:
            exchanges = []
            for index, meld in enumerate(table):
                if swappable >> index & 1:
                    for card, result in swaps(meld, terms.melds):
                        if one & BIT[card] and self.swap_ends(turn, card, index, result, swappable, memo):
                            exchanges.append(Move(SWAP, (), card, -1, index))
            exchanges.sort()
            found += exchanges
        if easy:
            found += discards
        elif not self.owed and not terms.must_use:
            found += [move for move in discards if move.card != self.taken or self.held]
        return tuple(found)

    def swap_ends(
        self, turn: Turn, card: Card, index: int, result: Meld, swappable: int, memo: dict[Turn, bool] | None = None
    ) -> bool:
        """Whether the turn could still end after a swap whose card is held."""
        terms = self.rules.turn
        laid = turn.after((card,), (*turn.table[:index], result, *turn.table[index + 1 :]))
        return laid is not None and can_end(swap_turn(laid, terms), terms, swappable, memo)

    def turn_of(self, seat: int) -> Turn:
        """What decides how the turn of a seat may go on."""
        return Turn(
            self.one[seat],
            self.two[seat],
            self.jokers[seat],
            self.sizes[seat],
            self.taken,
            self.held,
            self.laid,
            self.owed,
            tuple(self.table),
        )

    def swappable(self, seat: int) -> int:
        """A bit for every meld whose jokers the seat may swap, whether it holds one yet or not."""
        which = self.rules.joker_swap
        if which == "off":
            return 0
        if which == "any":
            # Melds that the seat is still to lay are meant too.
            return -1
        mask = 0
        for index, owner in enumerate(self.owners):
            if owner != seat:
                mask |= 1 << index
        return mask

    def _with_card(self, seat: int, card: Card) -> tuple[int, int, int]:
        """The hand of a seat with one card more."""
        one, two, jokers = self.one[seat], self.two[seat], self.jokers[seat]
        if card == JOKER:
            return one, two, jokers + 1
        bit = BIT[card]
        return (one, two | bit, jokers) if one & bit else (one | bit, two, jokers)

    def _holds(self, seat: int, card: Card) -> bool:
        return bool(self.jokers[seat] if card == JOKER else self.one[seat] & BIT[card])

    def _can_use(self, seat: int) -> bool:
        """Whether an opened seat that takes the top discard could end its turn."""
        top = self.pile[-1]
        hand = self._with_card(seat, top)
        turn = Turn(*hand, self.sizes[seat] + 1, top, self._holds(seat, top), False, 0, tuple(self.table))
        return can_end(turn, self.rules.turn, self.swappable(seat))

    def _can_end(self, seat: int) -> bool:
        """Whether the turn in progress can still be ended."""
        if not (self.playing and self.opened >> seat & 1):
            return True
        return can_end(self.turn_of(seat), self.rules.turn, self.swappable(seat))

    def why_illegal(self, action: Move) -> Reason | None:
        """The first rule that an action breaks; the sections K3 to K7 of the rule book."""
        seat = self.to_act
        if seat is None:
            return Reason("over", msg("The deal is over."), "K7.1")
        if not _is_move(action):
            return Reason("no-action", msg("That is not an action of Kaluki."), "K4.1")
        verb = action.verb
        if (verb in (DRAW, TAKE)) == self.playing:
            if self.playing:
                return Reason("drawn-already", msg("You have drawn a card in this turn already."), "K4.1")
            return Reason("draw-first", msg("Draw a card first."), "K4.1")
        if verb == DRAW:
            return None
        if verb == TAKE:
            return self._why_not_take(seat, action.melds)
        if verb in (MELD, OPEN):
            return self._why_not_meld(seat, verb, action.melds)
        if verb == DISCARD:
            return self._why_not_held(seat, action.card) or self._why_keep(seat, action.card)
        return self._why_not_table(seat, action)

    def _why_not_take(self, seat: int, melds: tuple[Meld, ...]) -> Reason | None:
        top = self.pile[-1]
        if self.opened >> seat & 1:
            if melds:
                return Reason(
                    "take-plain", msg("You have opened: take the card, then lay melds one by one."), "K4.4"
                )  # fmt: skip
            if self.rules.turn.must_use and not self._can_use(seat):
                return Reason(
                    "cannot-use", msg("You could not lay {card} in this turn.", card=card_word(top)), "K4.4"
                )  # fmt: skip
            return None
        if not melds:
            return Reason(
                "take-to-open",
                msg("Before you have opened you may take {card} only to open with it at once.", card=card_word(top)),
                "K4.3",
            )
        if not any(top in meld.cards for meld in melds):
            return Reason(
                "not-with-it", msg("{card} must be in a meld you open with.", card=card_word(top)), "K4.3"
            )  # fmt: skip
        return self._why_not_open(melds, self._with_card(seat, top), self.sizes[seat] + 1)

    def _why_not_meld(self, seat: int, verb: int, melds: tuple[Meld, ...]) -> Reason | None:
        hand = self.one[seat], self.two[seat], self.jokers[seat]
        if not self.opened >> seat & 1:
            if verb == OPEN and (self.rules.opening == "single" or len(melds) < 2):
                return Reason("one-meld", msg("One meld opens by itself."), "K5.8")
            return self._why_not_open(melds, hand, self.sizes[seat])
        if verb == OPEN:
            return Reason("opened-already", msg("You have opened already: lay melds one by one."), "K5.6")
        reason = self._why_no_melds(melds, hand)
        if reason is not None:
            return reason
        after = self.turn_of(seat).after(melds[0].cards, (*self.table, melds[0]))
        return self._why_stuck(seat, after)

    def _why_not_open(self, melds: tuple[Meld, ...], hand: tuple[int, int, int], size: int) -> Reason | None:
        if len(melds) > 1 and self.rules.opening == "single":
            return Reason("one-meld", msg("One meld opens by itself."), "K5.8")
        reason = self._why_no_melds(melds, hand)
        if reason is not None:
            return reason
        points = sum(worth(meld, self.rules.turn.melds) for meld in melds)
        if points < self.rules.opening_points:
            return Reason(
                "too-little",
                msg(
                    "That is worth {points}; {needed} are needed to open.",
                    points=points,
                    needed=self.rules.opening_points,
                ),
                "K5.1",
            )
        if self.rules.discard_to_go_out and sum(len(meld.cards) for meld in melds) == size:
            return _LAST_DISCARD
        return None

    def _why_no_melds(self, melds: tuple[Meld, ...], hand: tuple[int, int, int]) -> Reason | None:
        for meld in melds:
            reason = _why_no_meld(meld, self.rules.turn.melds)
            if reason is not None:
                return reason
        left: tuple[int, int, int] | None = hand
        for meld in melds:
            for card in meld.cards:
                left = take_out(*left, (card,)) if left is not None else None
                if left is None:
                    return _not_held(card, hand)
        return None

    def _why_not_table(self, seat: int, move: Move) -> Reason | None:
        """Why a card cannot be added or swapped."""
        verb, _, card, stands, index = move
        rules = self.rules
        if verb == SWAP and rules.joker_swap == "off":
            return Reason("no-swaps", msg("Jokers on the table are not swapped."), "K6.6")
        if not self.opened >> seat & 1:
            return Reason("not-opened", msg("You have not opened yet."), "K5.5")
        if not 0 <= index < len(self.table):
            return Reason("no-such-meld", msg("There is no meld with that number."), "K6.1")
        reason = self._why_not_held(seat, card)
        if reason is not None:
            return reason
        meld = self.table[index]
        result = grown(meld, card, stands) if verb == ADD else exchanged(meld, card)
        if verb == ADD:
            if card == JOKER and stands == UNSAID:
                return Reason("unsaid", msg("Say what the joker stands for."), "K6.4")
            if result is None:
                shown = card_word(card) if card != JOKER else _joker_word(stands)
                return Reason("no-fit", msg("{card} does not fit this meld.", card=shown), "K6.2")
        else:
            if JOKER not in meld.cards:
                return Reason("no-joker", msg("There is no joker in this meld."), "K6.6")
            if rules.joker_swap == "others" and self.owners[index] == seat:
                return Reason("own-meld", msg("You may not swap a joker of your own meld."), "K6.6")
            if result is None:
                return Reason(
                    "not-for-it", msg("No joker of this meld stands for {card}.", card=card_word(card)), "K6.7"
                )
        assert result is not None
        wrong = fault(result, rules.turn.melds)
        if wrong is not None:
            # A joker may change its place for a natural card that the set already holds.
            return Reason(wrong, _FAULTS[wrong][0], "K6.7" if verb == SWAP else _FAULTS[wrong][1])
        table = (*self.table[:index], result, *self.table[index + 1 :])
        after = self.turn_of(seat).after((card,), table)
        if after is not None and verb == SWAP:
            after = swap_turn(after, rules.turn)
        return self._why_stuck(seat, after)

    def _why_not_held(self, seat: int, card: Card) -> Reason | None:
        if not 0 <= card <= JOKER:
            return Reason("no-card", _NO_CARD, "K4.6")
        return None if self._holds(seat, card) else _not_held(card, (self.one[seat], self.two[seat], self.jokers[seat]))

    def _why_keep(self, seat: int, card: Card) -> Reason | None:
        """Why a card that is held may not be discarded."""
        if self.owed:
            return Reason("joker-owed", msg("The joker you swapped must be laid first."), "K6.9")
        if self.taken >= 0 and not self.laid:
            word = card_word(self.taken)
            if self.rules.turn.must_use and self.opened >> seat & 1:
                return Reason("must-use", msg("You took {card}, so you must lay it first.", card=word), "K4.4")
            if card == self.taken and not self.held:
                return Reason(
                    "just-taken", msg("You took {card} in this turn; it may not be discarded.", card=word), "K4.7"
                )
        return None

    def _why_stuck(self, seat: int, after: Turn | None) -> Reason | None:
        """Why a turn that stands at ``after`` could no longer be ended."""
        terms = self.rules.turn
        if after is None or can_end(after, terms, self.swappable(seat)):
            return None
        if not after.size:
            return _LAST_DISCARD
        return Reason("stuck", msg("After that you could no longer end your turn."), "K4.9")

    # -- acting -------------------------------------------------------------------

    def advance(self, action: Move) -> None:
        """Do an action that is known to be legal, without check and events."""
        verb = action[0]
        seat: int = self.to_act  # type: ignore[assignment]
        if verb == DISCARD:
            card = action[2]
            self.log.append((seat, action))
            known = self.known[seat]
            if known and card in known and (card != self.taken or self.laid or self.freed or known.count(card) > 1):
                # Of equal cards the one that everybody knows of goes first, but for the one taken in this turn.
                known.remove(card)
            if card == JOKER:
                self.jokers[seat] -= 1
            else:
                bit = BIT[card]
                if self.two[seat] & bit:
                    self.two[seat] ^= bit
                else:
                    self.one[seat] ^= bit
            self.pile.append(card)
            left = self.sizes[seat] - 1
            self.sizes[seat] = left
            if not left:
                self._go_out(seat)
                return
            seat += 1
            self.to_act = seat if seat < self.seats else 0
            self.playing = False
            self.fresh = False
            self.taken = NO_CARD
        elif verb == DRAW:
            if not self.stock and not self._refill():
                self.log.append((seat, action))
                self.to_act = None
                return
            self.log.append((seat, action))
            card = self.stock.pop()
            self.drawn.append(card)
            self.drawers.append(seat)
            if self.turned and self.rules.stock_out == "turn_over":
                self.known[seat].append(card)
            self._gain(seat, card)
            self.playing = True
        elif verb == TAKE:
            self.log.append((seat, action))
            card = self.pile.pop()
            self.taken = card
            self.held = bool(self.jokers[seat] if card == JOKER else self.one[seat] & BIT[card])
            self.laid = self.freed = False
            self.known[seat].append(card)
            self._gain(seat, card)
            self.playing = True
            if action[1]:
                self._open(seat, action[1])
        elif verb in (MELD, OPEN):
            self.log.append((seat, action))
            if self.opened >> seat & 1:
                self._put_down(seat, action[1][0])
                if not self.sizes[seat]:
                    self._go_out(seat)
            else:
                self._open(seat, action[1])
        else:
            self.log.append((seat, action))
            _, _, card, stands, index = action
            meld = self.table[index]
            result = grown(meld, card, stands) if verb == ADD else exchanged(meld, card)
            assert result is not None
            self.table[index] = result
            self._spend(seat, (card,))
            if verb == SWAP:
                self.known[seat].append(JOKER)
                self._gain(seat, JOKER)
                if self.rules.joker_swap_use == "immediate":
                    self.owed += 1
                elif self.taken == JOKER:
                    # The joker that was taken stays locked; the one that came now may go instead.
                    self.held = self.freed = True
            elif not self.sizes[seat]:
                self._go_out(seat)

    def _gain(self, seat: int, card: Card) -> None:
        self.sizes[seat] += 1
        if card == JOKER:
            self.jokers[seat] += 1
            return
        bit = BIT[card]
        if self.one[seat] & bit:
            self.two[seat] |= bit
        else:
            self.one[seat] |= bit

    def _spend(self, seat: int, cards: Sequence[Card]) -> None:
        """Cards leave a hand for the table."""
        known = self.known[seat]
        for card in cards:
            if known and card in known:
                known.remove(card)
            if card == JOKER:
                self.jokers[seat] -= 1
                if self.owed:
                    self.owed -= 1
                    continue
            else:
                bit = BIT[card]
                if self.two[seat] & bit:
                    self.two[seat] ^= bit
                else:
                    self.one[seat] ^= bit
            if card == self.taken:
                self.laid = True
        self.sizes[seat] -= len(cards)

    def _put_down(self, seat: int, meld: Meld) -> None:
        self._spend(seat, meld.cards)
        self.table.append(meld)
        self.owners.append(seat)

    def _open(self, seat: int, melds: Sequence[Meld]) -> None:
        for meld in melds:
            self._put_down(seat, meld)
        self.opened |= 1 << seat
        self.fresh = True
        if not self.sizes[seat]:
            self._go_out(seat)

    def _go_out(self, seat: int) -> None:
        self.to_act = None
        self.winner = seat

    def _refill(self) -> bool:
        """Make the pile without its top card the new stock; ``False`` where that ends the deal (K8.1 to K8.4)."""
        how = self.rules.stock_out
        if how == "end" or self.turned >= _MOST_RESHUFFLES or len(self.pile) <= 1:
            return False
        order = tuple(self.pile[:-1])
        if how == "shuffle":
            if self.chance is None:
                self.chance = Chance()
            order = self.chance.order(order)
            self.shuffles.append(order)
        self.stock = list(order[::-1])
        del self.pile[:-1]
        self.turned += 1
        return True

    def _apply(self, action: Move) -> list[Event]:
        seat = self.to_act
        assert seat is not None
        was_opened = bool(self.opened >> seat & 1)
        turned, first = self.turned, len(self.table)
        self.advance(action)
        verb = action.verb
        events: list[Event] = []
        if verb == DRAW:
            if self.turned > turned:
                events.append(Event("reshuffle", None, {"stock": len(self.stock) + 1}))
            if self.to_act is not None:
                card = self.drawn[-1]
                events.append(Event("draw", seat, {"stock": len(self.stock)}, {seat: {"card": card_text(card)}}))
        elif verb == DISCARD:
            events.append(Event("discard", seat, {"card": card_text(action.card)}))
        elif verb in (ADD, SWAP):
            word = card_text(action.card) if action.stands < 0 else f"Jk={stands_text(action.stands)}"
            shown = {"card": word, "meld": action.meld, "owner": self.owners[action.meld]}
            events.append(Event(VERBS[verb], seat, {**shown, "cards": meld_text(self.table[action.meld])}))
        else:
            if verb == TAKE:
                events.append(Event("take", seat, {"card": card_text(self.taken)}))
            for index in range(first, len(self.table)):
                shown = {"meld": index, "cards": meld_text(self.table[index]), "opens": not was_opened}
                events.append(Event("meld", seat, shown))
        if self.to_act is None:
            points: dict[str, Any] = {"points": list(self.score()), "void": self.void}
            if self.winner >= 0:
                events.append(Event("out", seat))
                points["left"] = [cards_text(cards) for cards in self.hands()]
            events.append(Event("score", None, points))
        return events

    def clone(self) -> Kaluki:
        """A copy that shares nothing that changes."""
        twin = Kaluki.__new__(Kaluki)
        twin.rules = self.rules
        twin.dealer = self.dealer
        twin.context = self.context
        twin.to_act = self.to_act
        twin.seats = self.seats
        twin.one = self.one[:]
        twin.two = self.two[:]
        twin.jokers = self.jokers[:]
        twin.sizes = self.sizes[:]
        twin.stock = self.stock[:]
        twin.pile = self.pile[:]
        twin.table = self.table[:]
        twin.owners = self.owners[:]
        twin.opened = self.opened
        twin.playing = self.playing
        twin.taken = self.taken
        twin.held = self.held
        twin.laid = self.laid
        twin.freed = self.freed
        twin.owed = self.owed
        twin.fresh = self.fresh
        twin.known = [cards[:] for cards in self.known]
        twin.log = self.log[:]
        twin.drawn = self.drawn[:]
        twin.drawers = self.drawers[:]
        twin.first = self.first
        twin.upcard = self.upcard
        twin.shuffles = self.shuffles[:]
        twin.turned = self.turned
        twin.chance = None if self.chance is None else self.chance.clone()
        twin.winner = self.winner
        return twin

    # -- knowing ------------------------------------------------------------------

    def hand(self, seat: int) -> list[Card]:
        """The cards of a seat, sorted as a hand."""
        one, two = self.one[seat], self.two[seat]
        cards: list[Card] = []
        for suit in range(4):
            ranks = one >> 13 * suit & 0x1FFF
            if ranks:
                cards += _suit_cards(suit, ranks, two >> 13 * suit & ranks)
        return cards + [JOKER] * self.jokers[seat]

    def hands(self) -> list[list[Card]]:
        """The cards of every seat."""
        return [self.hand(seat) for seat in range(self.seats)]

    @property
    def stock_is_known(self) -> bool:
        """Whether everybody knows the cards of the stock."""
        return self.turned > 0 and self.rules.stock_out == "turn_over"

    def blank(self, seat: int | None) -> Kaluki:
        """The deal with nothing in it but what ``seat`` may know: other hands empty, unknown cards unknown."""
        twin = self.clone()
        if self.winner < 0:
            for other in range(self.seats):
                if other != seat:
                    twin.one[other] = twin.two[other] = twin.jokers[other] = 0
        if not self.stock_is_known:
            twin.stock = [UNKNOWN] * len(self.stock)
        if seat is None or seat != self.to_act:
            twin.held = False
        unknown = len(self.drawn) - self._known_draws()
        twin.drawn = [
            card if actor == seat else UNKNOWN for actor, card in zip(self.drawers[:unknown], self.drawn, strict=False)
        ]
        twin.drawn += self.drawn[unknown:]
        twin.first = None
        twin.shuffles = []
        twin.chance = None
        return twin

    def _known_draws(self) -> int:
        """How many of the last draws came from a stock whose order everybody knew."""
        if not self.stock_is_known:
            return 0
        return len(self.drawn) - (len(_PACK) - 1 - self.rules.cards * self.seats)

    def view(self, seat: int | None) -> KalukiView:
        """What ``seat`` may know (``None``: a spectator)."""
        check_seat(self.rules, seat)
        blank = self.blank(seat)
        mine = seat is not None and seat == self.to_act and self.playing
        return KalukiView(
            rules=self.rules,
            seat=seat,
            dealer=self.dealer,
            context=self.context,
            phase=self.phase,
            to_act=self.to_act,
            hand=() if seat is None else tuple(blank.hand(seat)),
            hand_sizes=tuple(self.sizes),
            log=tuple(self.log),
            table=tuple(self.table),
            owners=tuple(self.owners),
            pile=tuple(self.pile),
            upcard=self.upcard,
            stock=len(self.stock),
            turned=tuple(self.stock[::-1]) if self.stock_is_known else (),
            reshuffles=self.turned,
            opened=tuple([bool(self.opened >> s & 1) for s in range(self.seats)]),
            known=tuple([tuple(sorted_cards(cards)) if cards else () for cards in self.known]),
            taken=self.taken if self.playing and self.taken >= 0 else None,
            taken_laid=self.playing and self.taken >= 0 and self.laid,
            owed=self.owed,
            fresh=self.fresh,
            drew=self.drawn[-1] if mine and self.taken < 0 else None,
            left=tuple([tuple(cards) for cards in self.hands()]) if self.winner >= 0 else (),
            _blank=blank,
        )

    def determinize(self, seat: int | None, rng: Rng) -> Kaluki:
        """A uniform draw from the deals that agree with ``view(seat)`` (see :mod:`meja.games.kaluki_worlds`)."""
        check_seat(self.rules, seat)
        return Worlds(self.blank(seat), seat).draw(rng)

    def unseen(self, seat: int | None) -> list[Card]:
        """The cards whose place ``seat`` does not know for certain, sorted."""
        check_seat(self.rules, seat)
        hidden = Counter(_PACK)
        hidden.subtract(self.pile)
        for meld in self.table:
            hidden.subtract(meld.cards)
        for other in range(self.seats):
            hidden.subtract(self.hand(other) if other == seat or self.winner >= 0 else self.known[other])
        if self.stock_is_known:
            hidden.subtract(self.stock)
        return sorted(hidden.elements())

    def zones(self) -> Mapping[str, Sequence[Card]]:
        """Hands, stock (the next card first), discard pile and table."""
        return {
            **{f"hand {seat}": self.hand(seat) for seat in range(self.seats)},
            "stock": self.stock[::-1],
            "pile": self.pile[:],
            "table": [card for meld in self.table for card in meld.cards],
        }

    # -- the score ----------------------------------------------------------------

    @property
    def void(self) -> bool:
        """The stock was used up (K8.5)."""
        return self.to_act is None and self.winner < 0

    def hand_points(self, seat: int) -> int:
        """What the cards in a hand count (K1.6)."""
        values = self.rules.hand_values
        return sum([values[card] for card in self.hand(seat)])

    def score_sheet(self) -> list[ScoreLine]:
        """For the winner one line per opponent's hand, and the bonus."""
        winner = self.winner
        if winner < 0:
            return []
        lines = []
        for place in range(1, self.seats):
            seat = (winner + place) % self.seats
            reason = msg("left with {seat}: {cards}", seat=SeatWord(seat), cards=card_word(*self.hand(seat)))
            lines.append(ScoreLine(winner, self.hand_points(seat), reason, "K7.2"))
        if self.fresh and self.rules.kaluki_bonus != "none":
            bonus = self._bonus(sum(line.points for line in lines))
            lines.append(ScoreLine(winner, bonus, msg("went out in the turn of the opening"), "K7.5"))
        return lines

    def score(self) -> tuple[int, ...]:
        """As the sum of the score sheet, without its words."""
        points = [0] * self.seats
        winner = self.winner
        if winner >= 0:
            total = sum([self.hand_points(seat) for seat in range(self.seats) if seat != winner])
            points[winner] = total + self._bonus(total)
        return tuple(points)

    def _bonus(self, total: int) -> int:
        """What going out in the turn of the opening brings besides the opponents' hands (K7.5)."""
        if not self.fresh or self.rules.kaluki_bonus == "none":
            return 0
        return _BONUS * (self.seats - 1) if self.rules.kaluki_bonus == "25_each" else total

    @classmethod
    def score_range(cls, rules: KalukiRules) -> tuple[int, int]:
        """Up to what the dearest cards of the pack count in the opponents' hands, with the bonus."""
        opponents = rules.seats - 1
        dearest = sorted((rules.hand_values[card] for card in _PACK), reverse=True)
        most = sum(dearest[: opponents * (rules.cards + 1)])
        if rules.kaluki_bonus == "double":
            return 0, most * 2
        return 0, most + (_BONUS * opponents if rules.kaluki_bonus == "25_each" else 0)

    # -- words --------------------------------------------------------------------

    def layout(self) -> Layout:
        """The cards as they were dealt."""
        first = self.first
        if first is None:
            raise MejaError(msg("what one seat knows of a deal is not enough to tell how it was dealt"))
        return Layout(tuple(tuple(sorted_cards(hand)) for hand in first.hands), (), first.upcard, first.stock)

    def actions(self) -> list[tuple[int, Move]]:
        """(seat, action) for every action so far, in order."""
        return self.log[:]

    def reshuffles(self) -> list[tuple[Card, ...]]:
        """The reshuffles that took place, as they fell."""
        return self.shuffles[:]

    @classmethod
    def text(cls, action: Move) -> str:
        """The strict text of an action: ``"draw"``, ``"open 9s 9h 9d + Ts Js Qs"``, ``"add Jk=9h m0"``."""
        if not _is_move(action):
            raise TypeError(action)
        verb, melds, card, stands, index = action
        if melds:
            return f"{VERBS[verb]} {' + '.join([meld_text(meld) for meld in melds])}"
        if verb in (DRAW, TAKE):
            return VERBS[verb]
        word = f"Jk={stands_text(stands)}" if stands >= 0 else CARD_TEXT[card]
        if not word:
            raise ValueError(action)
        return f"{VERBS[verb]} {word}" if verb == DISCARD else f"{VERBS[verb]} {word} m{index}"

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read an action tolerantly; raises :class:`~meja.errors.ActionTextError`."""
        if not isinstance(text, str):
            raise ActionTextError(msg("expected the text of an action, found {found}", found=quoted(text)))
        words = text.replace("+", " + ").split()
        verb = VERBS.index(words[0].lower()) if words and words[0].lower() in VERBS else -1
        rest = words[1:]
        try:
            if verb in (DRAW, TAKE) and not rest:
                return (DRAW_MOVE, TAKE_MOVE)[verb]
            if verb in (TAKE, MELD, OPEN) and rest:
                groups = _split(rest)
                if all(groups) and (len(groups) == 1) <= (verb != OPEN) and (len(groups) > 1) <= (verb != MELD):
                    return Move(verb, tuple([parse_meld(group) for group in groups]))
            if verb == DISCARD and len(rest) == 1:
                card, stands = parse_word(rest[0])
                if stands == UNSAID:
                    return DISCARDS[card]
            if verb in (ADD, SWAP) and len(rest) == 2:
                card, stands = parse_word(rest[0])
                index = _parse_index(rest[1])
                if index is not None and (card == JOKER) == (stands != UNSAID) == (verb == ADD and card == JOKER):
                    return Move(verb, (), card, stands, index)
        except CardTextError as error:
            raise ActionTextError(error.text) from None
        raise ActionTextError(
            msg(
                "{text} is not an action of {game}; expected one of: {known}",
                text=quoted(text),
                game=cls.game,
                known="draw, take, take CARDS, meld CARDS, open CARDS + CARDS, add CARD mI, swap CARD mI, discard CARD",
            )
        )

    @classmethod
    def recorded(cls, text: str) -> Move:
        """As :meth:`parse`, but in a record every joker of a meld says what it stands for."""
        verb, *words = text.replace("+", " + ").split() or [""]
        if verb.lower() in ("take", "meld", "open") and any(word.lower() == "jk" for word in words):
            raise ActionTextError(
                msg("a joker in a meld is written with what it stands for: Jk=9h in a run, Jk=9 in a set")
            )
        return cls.parse(text)


class KalukiMatch(Match):
    """Deals in a row: the dealer moves left every time; the first seat at the target wins."""

    def next_dealer(self, deal: Any) -> int:
        """The left neighbour, after a void deal too (K2.1, K8.5)."""
        return (self.dealer + 1) % int(self.rules.seats)

    def winners_after(self, deal: Any) -> tuple[int, ...] | None:
        """The seat that has reached the target; one at most can have (K9.1, K9.2)."""
        return tuple(seat for seat, total in enumerate(self.totals) if total >= self.rules.target) or None


# -- helpers ----------------------------------------------------------------------

_NO_CARD: Final = msg("That is not a card.")
_LAST_DISCARD: Final = Reason("last-discard", msg("The last card must be discarded."), "K7.1")
_FAULTS: Final[Mapping[str, tuple[Message, str]]] = {
    "short": (msg("A meld has at least three cards."), "K3.1"),
    "no-natural": (msg("A meld needs at least one natural card."), "K3.8"),
    "majority": (msg("A meld needs more natural cards than jokers."), "K3.7"),
    "twins": (msg("A suit may come only once in a set."), "K3.2"),
    "full": (msg("A set has at most four cards."), "K3.3"),
    "adjacent": (msg("Two jokers may not lie side by side in a run."), "K3.9"),
    "long": (msg("The run would be too long."), "K3.6"),
}


def _is_move(action: object) -> bool:
    """Whether anything that was given as an action is one, and only has what its verb needs."""
    if type(action) is not Move:
        return False
    verb, melds, card, stands, index = action
    if any(type(number) is not int for number in (verb, card, stands, index)) or type(melds) is not tuple:
        return False
    if verb in (DRAW, TAKE, MELD, OPEN):
        if (card, stands, index) != (NO_CARD, -1, -1) or (verb == DRAW and melds):
            return False
        if (verb == MELD and len(melds) != 1) or (verb == OPEN and not melds):
            return False
        return all(type(meld) is Meld and (is_well_formed(meld) or _is_heap(meld)) for meld in melds)
    if melds or verb not in (ADD, SWAP, DISCARD) or not 0 <= card <= JOKER:
        return False
    if verb == DISCARD:
        return stands == index == -1
    meant = -1 <= stands < JOKER or RANK <= stands < RANK + 13
    return meant and index >= 0 and (stands == -1 or (verb == ADD and card == JOKER))


def _is_heap(meld: Meld) -> bool:
    return (
        meld.suit == NO_MELD
        and type(meld.cards) is tuple
        and bool(meld.cards)
        and all(type(card) is int and (0 <= card <= JOKER or MEANT <= card < MEANT + RANK + 13) for card in meld.cards)
    )


def _why_no_meld(meld: Meld, rules: MeldRules) -> Reason | None:
    """Why cards are no meld by the rules of melds."""
    if meld.suit == NO_MELD:
        naturals = [card for card in meld.cards if card < JOKER]
        if not naturals:
            return Reason("no-natural", *_FAULTS["no-natural"])
        ranks = [card % 13 for card in naturals]
        if len({card // 13 for card in naturals}) == 1:
            if {12, 0, 11} <= set(ranks):
                return Reason("around", msg("A run does not go on beyond the ace."), "K3.5")
            return Reason("no-run", msg("These cards do not follow each other."), "K3.4")
        return Reason("no-meld", msg("These cards are neither a set nor a run."), "K3.1")
    wrong = fault(meld, rules)
    if wrong is not None:
        return Reason(wrong, *_FAULTS[wrong])
    if not is_canonical(meld):
        return Reason("high-end", msg("An ace that fits at both ends goes to the high end."), "K6.3")
    return None


def _not_held(card: Card, hand: tuple[int, int, int]) -> Reason:
    one, _, jokers = hand
    if jokers if card == JOKER else one & BIT[card]:
        return Reason("too-few", msg("You do not hold that many of {card}.", card=card_word(card)), "K4.1")
    return Reason("not-held", msg("You do not hold {card}.", card=card_word(card)), "K4.1")


def _joker_word(stands: int) -> CardWord:
    return CardWord(f"Jk={stands_text(stands)}")


def _split(words: Sequence[str]) -> list[list[str]]:
    groups: list[list[str]] = [[]]
    for word in words:
        if word == "+":
            groups.append([])
        else:
            groups[-1].append(word)
    return groups


def _parse_index(word: str) -> int | None:
    digits = word[1:]
    if word[:1] not in ("m", "M") or not (digits.isascii() and digits.isdigit()):
        return None
    digits = digits.lstrip("0") or "0"
    return int(digits) if len(digits) <= 3 else None
