"""Rules of thumb for Bassadewitz: duck, throw dear cards on other people's tricks, watch sweep and hundred."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from meja.bots.bot import Bot, Budget, check_turn
from meja.cards import SUIT_MASK, Card, cards_of, mask_of
from meja.games.bassadewitz import Bassadewitz
from meja.view import View

#: The ranks that hold most of the card points: ten and ace.
_DEAR: Final = (8, 12)
#: From so many card points on a player may run to the hundred.
_NEAR_HUNDRED: Final = 70
_HUNDRED: Final = 100
#: With so many tricks to go, a player who has taken all of them is on the way to a sweep.
_SWEEP_IN_SIGHT: Final = 3
#: What a player without the suit throws on a trick, and what one who follows adds, in card points.
_THROWN: Final = 9.0
_FOLLOWED: Final = 2.0
#: What a trick taken later holds beside the card that takes it, in card points.
_LATER_TRICK: Final = 5.0
#: How much of the danger is left with each smaller card of the suit beside it, and with no card of it elsewhere.
_WITH_GUARD: Final = 0.65
_ALONE: Final = 0.1
#: How much the danger of keeping a card counts against what it may catch now: later there may be a chance to throw it.
_DANGER: Final = 0.8
#: What it is worth to empty a suit, in card points, shared among its cards.
_EMPTY: Final = 3.0


class BassadewitzThumb(Bot):
    """Plays by rules of thumb: one look at the table, no search."""

    name: ClassVar[str] = "rules-of-thumb"

    def act(self, view: View[Any], budget: Budget) -> Card:
        """Choose a card."""
        check_turn(view)
        if len(view.legal) == 1:
            return int(view.legal[0])
        return choose(Table(view))


class Table:
    """What a player keeps in mind: own cards, cards still out, who has run out of what, who has how much."""

    __slots__ = (
        "best", "hand", "leader", "left", "legal", "me", "on_table", "out", "pool", "power", "seats",
        "taken", "to_come", "trick", "tricks", "voids", "winner", "worth",
    )  # fmt: skip

    def __init__(self, view: Any) -> None:
        """Read everything from the view of the seat to act."""
        rules = view.rules
        self.me: int = view.seat
        self.seats: int = rules.seats
        self.legal: tuple[Card, ...] = view.legal
        self.hand = mask_of(view.hand)
        self.power = Bassadewitz.strengths(rules)
        self.worth = Bassadewitz.values(rules)
        self.out = mask_of(Bassadewitz.pack(rules)) & ~self.hand & ~mask_of([card for _, card in view.log])
        self.voids: tuple[int, ...] = view.voids
        self.taken: tuple[int, ...] = view.taken
        self.tricks = [0] * self.seats
        for _, taker in view.tricks:
            self.tricks[taker] += 1
        self.left = len(view.hand)
        self.pool: bool = rules.classic_pool
        self.trick: tuple[tuple[int, Card], ...] = view.trick
        self.leader: int = view.leader
        self.to_come = [(self.me + step) % self.seats for step in range(1, self.seats - len(self.trick))]
        self.on_table = sum(self.worth[card] for _, card in self.trick) + (1 if rules.trick_points else 0)
        self.best: Card | None = None
        self.winner = self.me
        if self.trick:
            led = self.trick[0][1] // 13
            of_suit = [(self.power[card], seat, card) for seat, card in self.trick if card // 13 == led]
            _, self.winner, self.best = max(of_suit)

    def others_in(self, suit: int) -> list[int]:
        """The cards of a suit that are neither played nor in one's own hand, from low to high."""
        return sorted(cards_of(self.out & SUIT_MASK[suit]), key=self.power.__getitem__)

    def mine_in(self, suit: int) -> list[int]:
        """One's own cards of a suit, from low to high."""
        return sorted(cards_of(self.hand & SUIT_MASK[suit]), key=self.power.__getitem__)

    def beats(self, card: Card) -> bool:
        """Whether a card would lead the trick as it lies now."""
        return self.best is None or (card // 13 == self.best // 13 and self.power[card] > self.power[self.best])

    def lacks(self, seat: int, suit: int) -> bool:
        """Whether a seat is known to be out of a suit."""
        return bool(self.voids[seat] >> suit & 1) or not self.out & SUIT_MASK[suit]


# -- which rule comes first -----------------------------------------------------------------


def choose(table: Table) -> Card:
    """The first rule that has something to say chooses."""
    if can_run(table):
        return strongest(table, table.legal)
    runner = sweeper_in_sight(table)
    if runner is not None:
        return break_sweep(table, runner)
    if not table.trick:
        return lead(table)
    return follow(table) if follows(table) else throw_away(table)


def can_run(table: Table) -> bool:
    """Whether one has every trick so far and is sure of all the others too."""
    return (
        not table.trick
        and table.tricks[table.me] == sum(table.tricks)
        and all(sure_winners(table, suit) == len(table.mine_in(suit)) for suit in range(4))
    )


def sure_winners(table: Table, suit: int) -> int:
    """How many cards of a suit take a trick when led from the top, however the others' cards lie."""
    mine, others = table.mine_in(suit)[::-1], table.others_in(suit)
    sure = 0
    for led, card in enumerate(mine):
        # At worst one player holds all the others and gives up the lowest each time.
        if led < len(others) and table.power[card] < table.power[others[-1]]:
            break
        sure += 1
    return sure


def sweeper_in_sight(table: Table) -> int | None:
    """The other player who has taken every trick so far, when the end is near."""
    done = sum(table.tricks)
    if not done or table.left > _SWEEP_IN_SIGHT:
        return None
    taker = table.tricks.index(max(table.tricks))
    # The sweeper leads; so a trick is on the table.
    return taker if taker != table.me and table.tricks[taker] == done else None


def break_sweep(table: Table, runner: int) -> Card:
    """Take one trick from a player who has all of them, or keep the cards that may still do so."""
    if table.winner != runner and runner not in table.to_come:
        # Somebody else has just broken it.
        return follow(table) if follows(table) else throw_away(table)
    takers = [card for card in table.legal if table.beats(card)]
    if takers:
        return strongest(table, takers)
    return min(table.legal, key=lambda card: (guards(table, card), table.power[card]))


def follows(table: Table) -> bool:
    """Whether one holds the suit that was led."""
    return table.legal[0] // 13 == table.trick[0][1] // 13


def guards(table: Table, card: Card) -> bool:
    """Whether a card is the highest that is left of its suit."""
    others = table.others_in(card // 13)
    return not others or table.power[card] > table.power[others[-1]]


def strongest(table: Table, cards: Any) -> Card:
    """The card with the fewest cards out that beat it; the stronger of equals."""
    return int(min(cards, key=lambda card: (cards_above(table, card), -table.power[card])))


def cards_above(table: Table, card: Card) -> int:
    """How many cards still out beat a card."""
    power = table.power
    return sum(power[other] > power[card] for other in cards_of(table.out & SUIT_MASK[card // 13]))


# -- following and throwing away ------------------------------------------------------------


def follow(table: Table) -> Card:
    """Duck with the highest card that still loses; where every card would win, take the cheapest risk."""
    losing = [card for card in table.legal if not table.beats(card)]
    if not losing and not table.to_come:
        return take(table)
    if not losing:
        return min(table.legal, key=lambda card: (cost(table, card), -table.power[card]))
    if starve(table, table.winner):
        return min(losing, key=lambda card: (table.worth[card], -table.power[card]))
    return max(losing, key=table.power.__getitem__)


def take(table: Table) -> Card:
    """Last to play and bound to take the trick: the highest card, but an ace or ten may yet be thrown away."""
    dear = [card for card in table.legal if card % 13 in _DEAR]
    cheap = [card for card in table.legal if card % 13 not in _DEAR]
    return max(cheap or dear, key=table.power.__getitem__)


def throw_away(table: Table) -> Card:
    """Out of the suit led: throw the card that would cost most to keep, unless its taker must be starved."""
    if starve(table, table.winner):
        return min(table.legal, key=lambda card: (table.worth[card], -danger(table, card)))
    return max(table.legal, key=lambda card: (danger(table, card), table.worth[card]))


def starve(table: Table, seat: int) -> bool:
    """Whether to keep card points from a player close to a hundred: only if one is lowest oneself.

    Everybody else gains by his hundred: -4 instead of a penalty.
    """
    if table.pool or not _NEAR_HUNDRED <= table.taken[seat] < _HUNDRED:
        # With the pool a hundred pays the others more than the places do.
        return False
    mine = table.taken[table.me]
    return all(mine < points for other, points in enumerate(table.taken) if other != table.me)


def danger(table: Table, card: Card) -> float:
    """What a card will probably cost if it is kept: the chance to be caught with it, times the trick."""
    suit = card // 13
    above = cards_above(table, card)
    below = len(table.others_in(suit)) - above
    if above + below == 0:
        # Nobody else has the suit: harmless unless one must lead it.
        return (table.worth[card] + _LATER_TRICK) * _ALONE
    small = sum(table.power[other] < table.power[card] for other in table.mine_in(suit))
    caught = below / (above + below) * float(_WITH_GUARD**small)
    return caught * (table.worth[card] + _LATER_TRICK)


# -- leading --------------------------------------------------------------------------------


def lead(table: Table) -> Card:
    """Lead the card with the best balance of what it may catch now and what it would cost later."""
    return min(table.legal, key=lambda card: (cost(table, card) - emptying(table, card), -table.power[card]))


def emptying(table: Table, card: Card) -> float:
    """What it is worth to get nearer to the end of a suit: out of it, one may throw dear cards away."""
    return _EMPTY / len(table.mine_in(card // 13))


def cost(table: Table, card: Card) -> float:
    """What it costs to play a card now: the points it will probably catch, less the danger of keeping it."""
    take = chance_to_take(table, card)
    caught = table.on_table + table.worth[card] + sum(adds(table, seat, card // 13) for seat in table.to_come)
    return float(take * caught - _DANGER * danger(table, card))


def chance_to_take(table: Table, card: Card) -> float:
    """How probable it is that a card takes the trick: nobody still to come is forced to go over it."""
    if not table.beats(card):
        return 0.0
    suit = card // 13
    above = cards_above(table, card)
    if not above:
        return 1.0
    below = len(table.others_in(suit)) - above
    holders = max(1, sum(not table.lacks(seat, suit) for seat in range(table.seats) if seat != table.me))
    missing = 1 - 1 / holders
    forced = missing**below * (1 - missing**above)
    chance = 1.0
    for seat in table.to_come:
        if not table.lacks(seat, suit):
            chance *= 1 - forced
    return chance


def adds(table: Table, seat: int, suit: int) -> float:
    """The points that a player still to come will probably put on a trick that one takes."""
    return _THROWN if table.lacks(seat, suit) else _FOLLOWED
