"""Taking tricks: what Bassadewitz, Calabresella and Smear share.

Hands are bit masks of cards. An action is an integer: ``verb << 6 | argument``, where the
argument of a card verb is the card; a play is verb 0, so that the play of a card is the
card itself. The log holds ``action << 3 | seat``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, TypeVar

from meja.cards import (
    BIT,
    CARD_TEXT,
    SUIT_MASK,
    UNKNOWN,
    Card,
    Rng,
    card_text,
    card_word,
    cards_of,
    cards_text,
    mask_of,
    parse_card,
    quoted,
    suit_name,
)
from meja.deal import Context, Deal, Layout, check_seat
from meja.errors import ActionTextError, CardTextError, MejaError, Reason
from meja.messages import Message, msg
from meja.view import Event, View
from meja.worlds import deal_hidden

T = TypeVar("T", bound="TrickDeal")

#: Actions are ``verb << VERB | argument``.
VERB: Final = 6
ARGUMENT: Final = 63
PLAY: Final = 0
#: Entries of the log are ``action << SEAT | seat``.
SEAT: Final = 3
SEATS: Final = 7

NO_TRUMP: Final = -1
#: By trump (-1: none, which is the last row) and card led: the cards that can win the trick.
_LEADS: Final = tuple(
    tuple(SUIT_MASK[card // 13] | (SUIT_MASK[trump] if trump >= 0 else 0) for card in range(52))
    for trump in (0, 1, 2, 3, NO_TRUMP)
)


def strength_table(order: str) -> tuple[int, ...]:
    """Strength by card, higher beats lower within a suit; ``order`` lists the ranks from high to low."""
    ranks = "23456789TJQKA"
    by_rank = [len(order) - order.index(rank) if rank in order else 0 for rank in ranks]
    return tuple(by_rank[card % 13] for card in range(52))


def value_table(values: Mapping[str, int]) -> tuple[int, ...]:
    """Points by card; ranks that are not named count nothing."""
    by_rank = [values.get(rank, 0) for rank in "23456789TJQKA"]
    return tuple(by_rank[card % 13] for card in range(52))


def pack_of(ranks: str) -> tuple[Card, ...]:
    """One card of each rank named, in each suit."""
    return tuple(card for card in range(52) if "23456789TJQKA"[card % 13] in ranks)


@dataclass(frozen=True)
class Hidden:
    """Where the cards may lie that a seat does not see: all it knows of them, and each way is as likely as any other.

    The first places are the hidden hands of ``seats``; further places are cards that nobody holds.
    """

    seats: tuple[int, ...]
    #: How many cards each place takes.
    room: tuple[int, ...]
    #: (bit mask of the places where its cards may lie, cards).
    groups: tuple[tuple[int, tuple[Card, ...]], ...]


@dataclass(frozen=True, kw_only=True)
class TrickView(View[int]):
    """A deal of a trick game as one seat sees it."""

    #: The seats that play, in playing order from forehand.
    players: tuple[int, ...]
    #: The seat that led (or leads) the trick on the table.
    leader: int
    #: The trick on the table: (seat, card) in order.
    trick: tuple[tuple[int, Card], ...]
    #: The finished tricks: ((seat, card) ... in order, winner).
    tricks: tuple[tuple[tuple[tuple[int, Card], ...], int], ...]
    #: The trump suit (0..3), or -1 while there is none.
    trump: int
    #: Per seat the suits it has shown to be without: a bit per suit.
    voids: tuple[int, ...]
    #: Per seat how much its tricks hold in the game's own card points.
    taken: tuple[int, ...]
    legal: tuple[int, ...] = field(default=())
    _blank: TrickDeal = field(repr=False, compare=False)

    def text(self, action: int) -> str:
        """The words of an action: ``"play As"``; a hidden card is ``??``."""
        return type(self._blank).text(action)

    def determinize(self, rng: Rng) -> TrickDeal:
        """A uniform draw from the deals that agree with this view."""
        return self._blank.clone().fill(self.seat, self.hand_sizes, rng)

    def hidden(self) -> Hidden:
        """What is not seen, and what is known of it; :meth:`determinize` draws from it."""
        return self._blank.hidden(self.seat, self.hand_sizes)

    def known(self) -> TrickDeal:
        """A deal with what this seat knows and no card in another hand."""
        return self._blank.clone()

    def details(self) -> dict[str, Any]:
        """The fields of a trick game, as JSON values."""
        return {
            "players": list(self.players),
            "leader": self.leader,
            "trick": [f"{seat} {card_text(card)}" for seat, card in self.trick],
            "tricks": [
                {"cards": [f"{seat} {card_text(card)}" for seat, card in cards], "winner": winner}
                for cards, winner in self.tricks
            ],
            "trump": None if self.trump == NO_TRUMP else "shdc"[self.trump],
            "voids": ["".join("shdc"[s] for s in range(4) if suits >> s & 1) for suits in self.voids],
            "taken": list(self.taken),
        }


class TrickDeal(Deal[int]):
    """A deal in which tricks are taken. Subclasses add what comes before and the score."""

    __slots__ = (
        "after",
        "best",
        "hands",
        "leader",
        "led",
        "log",
        "players",
        "power",
        "taken",
        "trick",
        "tricks",
        "trump",
        "winner",
        "worth",
    )

    #: verb number -> (word, kind of argument): "card", "none" or a tuple of words.
    verbs: ClassVar[Mapping[int, tuple[str, str | tuple[str, ...]]]] = {PLAY: ("play", "card")}
    view_class: ClassVar[type[TrickView]] = TrickView

    rules: Any
    hands: list[int]
    #: The seats that play, from forehand on, in playing order.
    players: tuple[int, ...]
    #: The next seat in playing order, by seat.
    after: tuple[int, ...]
    log: list[int]
    trick: list[Card]
    leader: int
    #: The cards that can win the trick on the table: the suit led, and trumps.
    led: int
    best: Card
    winner: int
    trump: int
    #: Strength by card, as it stands with the trump.
    power: Sequence[int]
    #: Card points that a trick counts, by card.
    worth: Sequence[int]
    taken: list[int]
    tricks: list[int]

    # -- what a game says ---------------------------------------------------------

    @classmethod
    @abstractmethod
    def strengths(cls, rules: Any) -> tuple[int, ...]:
        """Strength by card, without trump."""

    @classmethod
    @abstractmethod
    def values(cls, rules: Any) -> tuple[int, ...]:
        """The card points that a trick counts, by card."""

    @classmethod
    @abstractmethod
    def hand_size(cls, rules: Any) -> int:
        """How many cards each player is dealt, which is the number of tricks."""

    @abstractmethod
    def blank(self, seat: int | None) -> TrickDeal:
        """The deal with nothing in it but what ``seat`` may know (other hands empty)."""

    @abstractmethod
    def fill(self: T, seat: int | None, sizes: Sequence[int], rng: Rng) -> T:
        """Draw the hidden cards of a blank deal, in place; returns the deal itself."""

    # -- common start -------------------------------------------------------------

    def _seat_players(self, rules: Any, dealer: int, players: tuple[int, ...], context: Context | None) -> None:
        seats = rules.seats
        self.rules = rules
        self.dealer = dealer
        self.context = context or Context.first(seats)
        self.players = players
        after = [0] * seats
        for place, seat in enumerate(players):
            after[seat] = players[(place + 1) % len(players)]
        self.after = tuple(after)
        self.hands = [0] * seats
        self.log = []
        self.trick = []
        self.leader = players[0]
        self.led = 0
        self.best = UNKNOWN
        self.winner = players[0]
        self.trump = NO_TRUMP
        self.power = self.strengths(rules)
        self.worth = self.values(rules)
        self.taken = [0] * seats
        self.tricks = [0] * seats
        self.to_act = players[0]

    @classmethod
    def _check_hands(cls, rules: Any, layout: Layout, players: Sequence[int], others: int = 0) -> None:
        """Refuse hands of a wrong size and cards that are not of the pack or come twice."""
        if len(layout.hands) != rules.seats:
            raise MejaError(msg("expected {seats} hands, found {found}", seats=rules.seats, found=len(layout.hands)))
        pack = set(cls.pack(rules))
        seen: set[Card] = set()
        size = cls.hand_size(rules)
        for seat, hand in enumerate(layout.hands):
            expected = size if seat in players else 0
            if len(hand) != expected:
                raise MejaError(
                    msg(
                        "hands[{seat}] holds {found} cards, expected {expected}",
                        seat=seat,
                        found=len(hand),
                        expected=expected,
                    )
                )
        if len(layout.monte) != others:
            raise MejaError(
                msg(
                    "the monte holds {found} cards, expected {expected}",
                    found=len(layout.monte),
                    expected=others,
                )
            )
        if layout.upcard is not None or layout.stock:
            raise MejaError(msg("{game} has neither upcard nor stock", game=cls.game))
        for card in [card for hand in layout.hands for card in hand] + list(layout.monte):
            if card not in pack:
                shown = card_word(card) if card in range(64) and CARD_TEXT[card] else quoted(card)
                raise MejaError(msg("{card} is not in the pack of {game}", card=shown, game=cls.game))
            if card in seen:
                raise MejaError(msg("{card} was dealt twice", card=card_word(card)))
            seen.add(card)

    # -- playing ------------------------------------------------------------------

    def _follow(self, hand: int) -> int:
        """The cards of ``hand`` that may be played to the trick on the table (suit must be followed)."""
        return hand & self.led or hand

    def _play(self, card: Card) -> bool:
        """Play a card; returns whether it finished a trick (whose winner then leads)."""
        seat: int = self.to_act  # type: ignore[assignment]
        bit = BIT[card]
        self.hands[seat] ^= bit
        self.log.append(card << SEAT | seat)
        trick = self.trick
        if not trick:
            self.led = _LEADS[self.trump][card]
            self.best = card
            self.winner = seat
            trick.append(card)
            self.to_act = self.after[seat]
            return False
        if bit & self.led:
            power = self.power
            if power[card] > power[self.best]:
                self.best = card
                self.winner = seat
        trick.append(card)
        if len(trick) < len(self.players):
            self.to_act = self.after[seat]
            return False
        winner = self.winner
        worth = self.worth
        points = 0
        for played in trick:
            points += worth[played]
        self.taken[winner] += points
        self.tricks[winner] += 1
        self.trick = []
        self.led = 0
        self.leader = self.to_act = winner
        return True

    def _play_events(self, card: Card, seat: int, finished: bool) -> list[Event]:
        events = [Event("play", seat, {"card": card_text(card)})]
        if finished:
            cards = [entry >> SEAT for entry in self.log[-len(self.players) :]]
            events.append(Event("trick", self.leader, {"cards": cards_text(cards)}))
        return events

    def _not_held(self, card: Card, seat: int, rule: str) -> Reason | None:
        # Anything may be given as an action; True would pass as the card 1.
        if type(card) is not int or not 0 <= card < 52:
            return Reason("not-held", _NO_CARD, rule)
        if not self.hands[seat] & BIT[card]:
            return Reason("not-held", msg("You do not hold {card}.", card=card_word(card)), rule)
        return None

    def _must_follow(self, suit: int, rule: str) -> Reason:
        return Reason(
            "must-follow",
            msg("You hold {suit} and must follow suit.", suit=suit_name(suit)),
            rule,
        )

    # -- what everybody saw -------------------------------------------------------

    def plays(self) -> list[tuple[int, Card]]:
        """(seat, card) for every card played, in order."""
        return [(entry & SEATS, entry >> SEAT) for entry in self.log if entry < 64 << SEAT]

    def shows_void(self, card: Card, led: int) -> int:
        """The suits (a bit each) that a play of ``card`` to a lead of suit ``led`` shows to be missing."""
        return 1 << led if card // 13 != led else 0

    def voids(self) -> list[int]:
        """Per seat the suits it has shown to be without, a bit per suit."""
        voids = [0] * self.rules.seats
        size = len(self.players)
        led = 0
        for index, (seat, card) in enumerate(self.plays()):
            if index % size == 0:
                led = card // 13
            elif card // 13 != led:
                voids[seat] |= self.shows_void(card, led)
        return voids

    def finished_tricks(self) -> list[tuple[tuple[tuple[int, Card], ...], int]]:
        """The finished tricks: ((seat, card) ... in order, winner)."""
        plays = self.plays()
        size = len(self.players)
        found = []
        for start in range(0, len(plays) - size + 1, size):
            cards = tuple(plays[start : start + size])
            winner = plays[start + size][0] if start + size < len(plays) else self.leader
            found.append((cards, winner))
        return found

    def _view(self, seat: int | None, **extra: Any) -> TrickView:
        check_seat(self.rules, seat)
        plays = self.plays()
        blank = self.blank(seat)
        return self.view_class(
            rules=self.rules,
            seat=seat,
            dealer=self.dealer,
            context=self.context,
            phase=self.phase,
            to_act=self.to_act,
            hand=() if seat is None else tuple(self.sorted_hand(self.hands[seat])),
            hand_sizes=tuple([hand.bit_count() for hand in self.hands]),
            log=tuple([(entry & SEATS, entry >> SEAT) for entry in blank.log]),
            players=self.players,
            leader=self.leader,
            trick=tuple(plays[len(plays) - len(self.trick) :]),
            tricks=tuple(self.finished_tricks()),
            trump=self.trump,
            voids=tuple(self.voids()),
            taken=tuple(self.taken),
            legal=tuple(self.legal_actions()) if seat is not None and seat == self.to_act else (),
            _blank=blank,
            **extra,
        )

    def view(self, seat: int | None) -> TrickView:
        """What ``seat`` may know (``None``: a spectator)."""
        return self._view(seat)

    def determinize(self: T, seat: int | None, rng: Rng) -> T:
        """A uniform draw from the deals that agree with ``view(seat)``."""
        check_seat(self.rules, seat)
        sizes = [hand.bit_count() for hand in self.hands]
        return self.blank(seat).fill(seat, sizes, rng)  # type: ignore[return-value]

    def _copy_public(self: T) -> T:
        """A new deal with what everybody knows and no card in anybody's hand."""
        twin = type(self).__new__(type(self))
        twin.rules = self.rules
        twin.dealer = self.dealer
        twin.context = self.context
        twin.to_act = self.to_act
        twin.players = self.players
        twin.after = self.after
        twin.trick = self.trick[:]
        twin.leader = self.leader
        twin.led = self.led
        twin.best = self.best
        twin.winner = self.winner
        twin.trump = self.trump
        twin.power = self.power
        twin.worth = self.worth
        twin.taken = self.taken[:]
        twin.tricks = self.tricks[:]
        return twin

    def hidden(self, seat: int | None, sizes: Sequence[int]) -> Hidden:
        """Of a blank deal: the cards that ``seat`` does not see, and the places where they may lie."""
        known = mask_of([card for _, card in self.plays()])
        if seat is not None:
            known |= self.hands[seat]
        seats = tuple([s for s in range(self.rules.seats) if s != seat])
        unseen = mask_of(self.pack(self.rules)) & ~known
        room = [sizes[s] for s in seats]
        room.append(unseen.bit_count() - sum(room))
        return Hidden(seats, tuple(room), _suit_groups(unseen, seats, self.voids(), len(room)))

    # -- words --------------------------------------------------------------------

    def sorted_hand(self, mask: int) -> list[Card]:
        """The cards of a mask by suit s h d c, from high to low in the game's order."""
        power = self.strengths(self.rules)
        return sorted(cards_of(mask), key=lambda card: (card // 13, -power[card]))

    def actions(self) -> list[tuple[int, int]]:
        """(seat, action) for every action so far, in order."""
        return [(entry & SEATS, entry >> SEAT) for entry in self.log]

    @classmethod
    def text(cls, action: int) -> str:
        """The strict text of an action: ``"play As"``, ``"bid 3"``, ``"pass"``."""
        if type(action) is not int or action < 0:
            raise TypeError(action)
        word, kind = cls.verbs[action >> VERB]
        if kind == "none":
            return word
        argument = card_text(action & ARGUMENT) if kind == "card" else kind[action & ARGUMENT]
        if not argument:
            raise ValueError(action)
        return f"{word} {argument}"

    @classmethod
    def parse(cls, text: str) -> int:
        """Read an action tolerantly; raises :class:`~meja.errors.ActionTextError`."""
        if not isinstance(text, str):
            raise ActionTextError(msg("expected the text of an action, found {found}", found=quoted(text)))
        words = text.split()
        verb = words[0].lower() if words else ""
        for number, (word, kind) in cls.verbs.items():
            if word != verb:
                continue
            if kind == "none":
                if len(words) == 1:
                    return number << VERB
                break
            if len(words) != 2:
                break
            if kind == "card":
                try:
                    card = parse_card(words[1])
                except CardTextError as error:
                    raise ActionTextError(error.text) from None
                if card >= 52:
                    break
                return number << VERB | card
            argument = words[1].lower()
            if argument.isascii() and argument.isdigit():
                argument = argument.lstrip("0") or "0"
            if argument and argument in kind:
                return number << VERB | kind.index(argument)
            break
        raise ActionTextError(
            msg(
                "{text} is not an action of {game}; expected one of: {known}",
                text=quoted(text),
                game=cls.game,
                known=cls._known_actions(),
            )
        )

    @classmethod
    def _known_actions(cls) -> str:
        shown = []
        for word, kind in cls.verbs.values():
            if kind == "card":
                shown.append(f"{word} CARD")
            elif kind == "none":
                shown.append(word)
            else:
                shown.extend(f"{word} {argument}" for argument in kind if argument)
        return ", ".join(shown)

    def unseen(self, seat: int | None) -> list[Card]:
        """The cards whose place ``seat`` does not know for certain, sorted."""
        check_seat(self.rules, seat)
        known = mask_of(card for _, card in self.plays())
        if seat is not None:
            known |= self.hands[seat]
        return [card for card in sorted(self.pack(self.rules)) if not known & BIT[card]]


_NO_CARD: Final[Message] = msg("That is not a card.")


def _suit_groups(
    unseen: int, seats: Sequence[int], voids: Sequence[int], places: int
) -> tuple[tuple[int, tuple[Card, ...]], ...]:
    """The unseen cards by suit, with the places where cards of the suit may lie."""
    groups = []
    for suit in range(4):
        cards = cards_of(unseen & SUIT_MASK[suit])
        allowed = (1 << places) - 1
        for place, seat in enumerate(seats):
            if voids[seat] >> suit & 1:
                allowed &= ~(1 << place)
        if cards:
            groups.append((allowed, tuple(cards)))
    return tuple(groups)


def spread(hidden: Hidden, rng: Rng) -> list[int]:
    """Draw hidden cards into their places; returns a mask per place."""
    return [mask_of(cards) for cards in deal_hidden(hidden.groups, hidden.room, rng)]
