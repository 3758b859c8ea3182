"""A whole deal of Kaluki, played by simple players: for rollouts and for counting on many deals.

A :class:`KalukiTable` holds a position in which everybody's cards are known. It starts from a shuffle of its own or
from any :class:`~meja.games.kaluki.Kaluki`. The rules it restates are tied to ``meja.games``: differential tests replay
every action on the game itself.

Two players are there. *Greedy* draws from the stock, opens with the dearest meld, lays the longest melds and every card
that fits, and throws the dearest loose card. *Keen* also takes the top discard where it can be laid at once, opens and
lays so that least stays in the hand, swaps jokers, and throws what is least use. Both look at nothing but what their
seat may know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import meja.search.bits as bits
from meja.cards import JOKER, Card
from meja.errors import MejaError
from meja.games.kaluki import Kaluki, KalukiRules
from meja.games.kaluki_turn import ADD, DISCARD, DISCARDS, DRAW, DRAW_MOVE, MELD, OPEN, SWAP, TAKE, Move
from meja.games.melds import RANK, RUN_CARD, SET, Meld
from meja.messages import msg
from meja.search.dice import Dice
from meja.search.melds import MeldFinder, zeros

try:
    import cython
except ImportError:
    from meja.search import uncompiled as cython

#: The players.
GREEDY: Final = 0
KEEN: Final = 1
_KEEN: Final = 1

_ONE: Final = 1
_COLUMN: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
_SUIT: Final = 0x1FFF
_JOKER: Final = 52
_SET: Final = -1
_PACK: Final = 108
_PLACES: Final = 14
_LOG: Final = 2048
_MOST_RESHUFFLES: Final = 3
_BONUS_EACH: Final = 25
_DEADWOOD: Final = 0
#: The options as numbers: whose jokers may be swapped, what happens when the stock is used up, the bonus.
_OFF: Final = 0
_OTHERS: Final = 1
_ANY: Final = 2
_SHUFFLE: Final = 0
_TURN_OVER: Final = 1
_END: Final = 2
_NO_BONUS: Final = 0
_EACH: Final = 1
_DOUBLE: Final = 2
#: Verbs as in meja.games.kaluki_turn.
_DRAW: Final = 0
_TAKE: Final = 1
_MELD: Final = 2
_OPEN: Final = 3
_ADD: Final = 4
_SWAP: Final = 5
_DISCARD: Final = 6

#: Farther than this from an opening no card is useful for it.
_TOO_FAR: Final = 4
#: How much a card is kept that a plan holds.
_KEPT: Final = 400

#: What a keen player goes by, a row for each seat (:meth:`KalukiTable.set_weights`). Numbers of hundredths are shares.
#: How useful a card is for a target that lacks so many cards (five numbers).
_NEARNESS: Final = 0
#: The share of it that is left where one copy of a missing card may still come, or none.
_LAST_COPY: Final = 5
_NO_COPY: Final = 6
#: For a set: the share without and for each card that may still come.
_SET_BASE: Final = 7
_SET_MORE: Final = 8
#: While a single meld has to open: outs, and the value of the card.
_OPENING_OUTS: Final = 9
_OPENING_VALUE: Final = 10
#: The same when the deal may end soon and no target is nearer than so.
_NEAR: Final = 11
_FAR_SHARE: Final = 12
_FAR_VALUE: Final = 13
#: Otherwise: outs, and the value, when the deal may end soon and when not.
_LOOSE_OUTS: Final = 14
_LOOSE_LOW: Final = 15
_LOOSE_VALUE: Final = 16
#: An opponent with so few cards may be out soon.
_FEW_CARDS: Final = 17
#: What a card that an opponent could lay off is kept for.
_FEEDS: Final = 18
#: Jokers are laid off with so few cards in the hand, or when the deal may end soon.
_LAY_JOKERS: Final = 19
#: The top discard is taken to be laid where so many points less stay in the hand.
_TAKE_GAIN: Final = 20
#: Whether outs are counted by the cards that were seen.
_COUNTS: Final = 21
_WEIGHTS: Final = 24
#: The weights of the keen player.
KEEN_WEIGHTS: Final = (
    *(1000, 300, 80, 20, 4), *(70, 25), *(30, 15), *(10, 2), *(300, 9, 10), *(10, 15, 4), *(3, 400, 99, 1, 0), *(0, 0),
)  # fmt: skip

_SWAPS: Final = {"off": _OFF, "others": _OTHERS, "any": _ANY}
_STOCKS: Final = {"shuffle": _SHUFFLE, "turn_over": _TURN_OVER, "end": _END}
_BONUSES: Final = {"none": _NO_BONUS, "25_each": _EACH, "double": _DOUBLE}


class KalukiTable:
    """A position of Kaluki with all cards known, and its playout. Not for several threads at once."""

    def __init__(self, rules: KalukiRules, finder: MeldFinder | None = None) -> None:
        """An empty table for the options of ``rules``; fill it by :meth:`deal`, :meth:`load` or :meth:`copy`.

        Tables of the same options may share a ``finder``, which is most of their size.
        """
        words = rules.turn.melds
        self.rules = rules
        self.finder = MeldFinder(rules) if finder is None else finder
        self.seats = rules.seats
        self.cards = rules.cards
        self.single = 1 if rules.opening == "single" else 0
        self.need = rules.opening_points
        self.distinct = 0 if words.set_duplicates else 1
        self.majority = 1 if words.naturals_majority else 0
        self.apart = 0 if words.adjacent_jokers else 1
        self.run_max = words.run_max
        self.last_discard = 1 if rules.discard_to_go_out else 0
        self.swaps = _SWAPS[rules.joker_swap]
        self.stock_out = _STOCKS[rules.stock_out]
        self.bonus = _BONUSES[rules.kaluki_bonus]
        self.values = list(rules.hand_values)
        #: The shortest runs that open alone, as masks of places, and the sizes of the smallest sets (0: none does).
        self.windows = zeros(_PLACES)
        self.window_count = 0
        self.set_need = zeros(13)
        sums = words.run_sums
        for high in range(2, _PLACES):
            for low in range(high - 2, -1, -1):
                size = high - low + 1
                if sums[high + 1] - sums[low] >= self.need and (low > 0 or size != 13) and size <= self.run_max:
                    window = sum(1 << place for place in range(low, high + 1))
                    if not any(self.windows[k] & window == self.windows[k] for k in range(self.window_count)):
                        self.windows[self.window_count] = window
                        self.window_count += 1
                    break
        for rank in range(13):
            size = max(3, -(-self.need // words.set_values[rank]))
            if size <= (4 if self.distinct else 12):
                self.set_need[rank] = size
        self.weights = [*KEEN_WEIGHTS] * 4
        # Where the cards are.
        self.one = zeros(4)
        self.two = zeros(4)
        self.jokers = zeros(4)
        self.sizes = zeros(4)
        self.stock = zeros(_PACK)
        self.stock_size = 0
        self.pile = zeros(_PACK)
        self.pile_size = 0
        self.order = zeros(_PACK)
        #: By card how many copies lie in the pile and on the table.
        self.shown = zeros(53)
        #: The melds on the table. ``wild``: in a run the places of jokers; in a set nothing.
        self.melds = 0
        self.suit = zeros(40)
        self.low = zeros(40)
        self.size = zeros(40)
        self.wild = zeros(40)
        self.suits = zeros(40)
        self.used = zeros(40)
        self.owner = zeros(40)
        # The turn.
        self.turn = -1
        self.playing = 0
        self.opened = 0
        self.fresh = 0
        self.turned = 0
        self.winner = -1
        self.turns = 0
        #: A card that must not be discarded in this turn, or -1.
        self.barred = -1
        #: The end: the points left in the hands, and the score.
        self.left = zeros(4)
        self.scores = zeros(4)
        # What was played, if that is asked for.
        self.logging = 0
        self.log_size = 0
        self.log_verb = zeros(_LOG)
        self.log_seat = zeros(_LOG)
        self.log_card = zeros(_LOG)
        self.log_stands = zeros(_LOG)
        self.log_index = zeros(_LOG)
        self.log_number = zeros(_LOG)
        self.laid = 0
        self.laid_suit = zeros(40)
        self.laid_low = zeros(40)
        self.laid_size = zeros(40)
        self.laid_wild = zeros(40)
        self.laid_mask = zeros(40)
        self.laid_twice = zeros(40)
        self.laid_used = zeros(40)
        self.orders = zeros(324)
        self.orders_size = zeros(3)
        self.orders_count = 0
        #: A card that :meth:`least_use` is asked about: how much it is kept, and how much the card to throw is.
        self.asked = -1
        self.asked_keep = 0
        self.least_keep = 0
        # Scratch.
        self.plan = zeros(40)
        self.useful = zeros(_PLACES)

    # -- starting -----------------------------------------------------------------

    def set_weights(self, seat: int, weights: Sequence[int]) -> None:
        """What the keen player of a seat goes by; at first that is :data:`KEEN_WEIGHTS`."""
        for number, weight in enumerate(weights):
            self.weights[_WEIGHTS * seat + number] = weight

    def clear(self) -> None:
        """Nothing on the table, nothing played."""
        seat = 0
        while seat < 4:
            self.one[seat] = 0
            self.two[seat] = 0
            self.jokers[seat] = 0
            self.sizes[seat] = 0
            self.left[seat] = 0
            self.scores[seat] = 0
            seat += 1
        card = 0
        while card < 53:
            self.shown[card] = 0
            card += 1
        self.stock_size = 0
        self.pile_size = 0
        self.melds = 0
        self.turn = -1
        self.playing = 0
        self.opened = 0
        self.fresh = 0
        self.turned = 0
        self.winner = -1
        self.turns = 0
        self.barred = -1
        self.log_size = 0
        self.laid = 0
        self.orders_count = 0

    def deal(self, dealer: int, dice: Dice) -> None:
        """Shuffle and deal, as :meth:`meja.deal.Deal.shuffle` does with a generator in the same state."""
        self.clear()
        card = 0
        while card < _PACK:
            self.order[card] = card >> 1 if card < 104 else _JOKER
            card += 1
        last = _PACK - 1
        while last > 0:
            other = dice.below(last + 1)
            card = self.order[last]
            self.order[last] = self.order[other]
            self.order[other] = card
            last -= 1
        seats = self.seats
        used = self.cards * seats
        place = 0
        while place < used:
            self.gain((dealer + 1 + place) % seats, self.order[place])
            place += 1
        self.pile[0] = self.order[used]
        self.pile_size = 1
        self.shown[self.order[used]] += 1
        # The next card lies last.
        self.stock_size = _PACK - 1 - used
        place = 0
        while place < self.stock_size:
            self.stock[place] = self.order[_PACK - 1 - place]
            place += 1
        self.turn = (dealer + 1) % seats

    def copy(self, other: KalukiTable) -> None:
        """Take over the position of another table with the same options, without what was played there."""
        self.clear()
        seat = 0
        while seat < 4:
            self.one[seat] = other.one[seat]
            self.two[seat] = other.two[seat]
            self.jokers[seat] = other.jokers[seat]
            self.sizes[seat] = other.sizes[seat]
            self.left[seat] = other.left[seat]
            self.scores[seat] = other.scores[seat]
            seat += 1
        card = 0
        while card < 53:
            self.shown[card] = other.shown[card]
            card += 1
        self.stock_size = other.stock_size
        place = 0
        while place < self.stock_size:
            self.stock[place] = other.stock[place]
            place += 1
        self.pile_size = other.pile_size
        place = 0
        while place < self.pile_size:
            self.pile[place] = other.pile[place]
            place += 1
        self.melds = other.melds
        index = 0
        while index < self.melds:
            self.suit[index] = other.suit[index]
            self.low[index] = other.low[index]
            self.size[index] = other.size[index]
            self.wild[index] = other.wild[index]
            self.suits[index] = other.suits[index]
            self.used[index] = other.used[index]
            self.owner[index] = other.owner[index]
            index += 1
        self.turn = other.turn
        self.playing = other.playing
        self.opened = other.opened
        self.fresh = other.fresh
        self.turned = other.turned
        self.winner = other.winner
        self.barred = other.barred

    def copy_hidden(self, other: KalukiTable, me: int) -> None:
        """Take over the hands of the other seats and the stock of another table."""
        seat = 0
        while seat < self.seats:
            if seat != me:
                self.one[seat] = other.one[seat]
                self.two[seat] = other.two[seat]
                self.jokers[seat] = other.jokers[seat]
            seat += 1
        place = 0
        while place < self.stock_size:
            self.stock[place] = other.stock[place]
            place += 1

    def gain(self, seat: int, card: int) -> None:
        """A card comes into a hand."""
        self.sizes[seat] += 1
        if card == _JOKER:
            self.jokers[seat] += 1
            return
        bit = _ONE << card
        if self.one[seat] & bit:
            self.two[seat] |= bit
        else:
            self.one[seat] |= bit

    def lose(self, seat: int, card: int) -> None:
        """A card leaves a hand, for the table or the pile."""
        if card == self.barred:
            self.barred = -1
        self.sizes[seat] -= 1
        self.shown[card] += 1
        if card == _JOKER:
            self.jokers[seat] -= 1
            return
        bit = _ONE << card
        if self.two[seat] & bit:
            self.two[seat] ^= bit
        else:
            self.one[seat] ^= bit

    # -- acting -------------------------------------------------------------------

    def note(self, verb: int, card: int, stands: int, index: int, number: int) -> None:
        """Write down an action, if that is asked for."""
        if self.logging and self.log_size < _LOG:
            at = self.log_size
            self.log_verb[at] = verb
            self.log_seat[at] = self.turn
            self.log_card[at] = card
            self.log_stands[at] = stands
            self.log_index[at] = index
            self.log_number[at] = number
            self.log_size = at + 1

    def draw(self, dice: Dice) -> int:
        """Draw from the stock; 0 if the deal ends, because it is used up."""
        self.note(_DRAW, -1, -1, -1, 0)
        if self.stock_size == 0 and self.refill(dice) == 0:
            self.turn = -1
            return 0
        self.stock_size -= 1
        self.gain(self.turn, self.stock[self.stock_size])
        self.playing = 1
        return 1

    def refill(self, dice: Dice) -> int:
        """Make the pile without its top card the stock; 0 where that ends the deal."""
        if self.stock_out == _END or self.turned >= _MOST_RESHUFFLES or self.pile_size <= 1:
            return 0
        number = self.pile_size - 1
        place = 0
        while place < number:
            self.order[place] = self.pile[place]
            self.shown[self.pile[place]] -= 1
            place += 1
        if self.stock_out == _SHUFFLE:
            last = number - 1
            while last > 0:
                other = dice.below(last + 1)
                card = self.order[last]
                self.order[last] = self.order[other]
                self.order[other] = card
                last -= 1
            place = 0
            while place < number:
                self.orders[_PACK * self.orders_count + place] = self.order[place]
                place += 1
            self.orders_size[self.orders_count] = number
            self.orders_count += 1
        place = 0
        while place < number:
            self.stock[place] = self.order[number - 1 - place]
            place += 1
        self.stock_size = number
        self.pile[0] = self.pile[number]
        self.pile_size = 1
        self.turned += 1
        return 1

    def take(self) -> None:
        """The top discard comes into the hand."""
        self.pile_size -= 1
        card = self.pile[self.pile_size]
        self.shown[card] -= 1
        self.gain(self.turn, card)
        self.playing = 1

    def lay(self, number: int) -> None:
        """Put down a meld that the finder has listed."""
        seat = self.turn
        mask = self.finder.mask[number]
        twice = self.finder.twice[number]
        at = self.melds
        self.suit[at] = self.finder.suit[number]
        self.low[at] = self.finder.low[number]
        self.size[at] = self.finder.size[number]
        self.used[at] = self.finder.used[number]
        self.owner[at] = seat
        self.wild[at] = 0
        self.suits[at] = 0
        if self.finder.suit[number] == _SET:
            suit = 0
            while suit < 4:
                if mask >> (13 * suit) & _SUIT:
                    self.suits[at] |= _ONE << suit
                suit += 1
        else:
            self.wild[at] = self.finder.wild[number]
        self.melds = at + 1
        if self.logging:
            self.laid_suit[self.laid] = self.finder.suit[number]
            self.laid_low[self.laid] = self.finder.low[number]
            self.laid_size[self.laid] = self.finder.size[number]
            self.laid_wild[self.laid] = self.finder.wild[number]
            self.laid_mask[self.laid] = mask
            self.laid_twice[self.laid] = twice
            self.laid_used[self.laid] = self.finder.used[number]
            self.laid += 1
        self.one[seat] &= ~(mask & ~self.two[seat] | twice)
        self.two[seat] &= ~mask
        self.jokers[seat] -= self.finder.used[number]
        self.sizes[seat] -= self.finder.size[number]
        self.shown[_JOKER] += self.finder.used[number]
        if self.barred == _JOKER and self.finder.used[number]:
            self.barred = -1
        while mask:
            card = bits.lowest(mask)
            mask &= mask - 1
            if card == self.barred:
                self.barred = -1
            self.shown[card] += 1 + (twice >> card & 1)
        if self.sizes[seat] == 0:
            self.go_out()

    def go_out(self) -> None:
        """The seat to act has no card left."""
        self.winner = self.turn
        self.turn = -1

    def discard(self, card: int) -> None:
        """Throw a card; the turn is over."""
        seat = self.turn
        self.note(_DISCARD, card, -1, -1, 0)
        self.lose(seat, card)
        self.pile[self.pile_size] = card
        self.pile_size += 1
        if self.sizes[seat] == 0:
            self.go_out()
            return
        self.pass_on()

    def pass_on(self) -> None:
        """It is the next seat's turn."""
        self.turn = self.turn + 1 if self.turn + 1 < self.seats else 0
        self.playing = 0
        self.fresh = 0
        self.barred = -1
        self.turns += 1

    def end_for(self, index: int, card: int) -> int:
        """At which end a card has its place in a meld: 1 high, 2 low, 3 in a set, 0 none."""
        size = self.size[index]
        if self.suit[index] == _SET:
            if card % 13 != self.low[index] or (self.distinct and (size > 3 or self.suits[index] >> (card // 13) & 1)):
                return 0
            return 3
        if card // 13 != self.suit[index] or size >= self.run_max:
            return 0
        low = self.low[index]
        rank = card % 13
        if low + size < _PLACES and (low + size + 12) % 13 == rank:
            return 1
        if low > 0 and (low + 11) % 13 == rank:
            return 2
        return 0

    def end_for_joker(self, index: int) -> int:
        """As :meth:`end_for`, for a joker: the high end before the low one."""
        size = self.size[index]
        if self.majority and 2 * (self.used[index] + 1) >= size + 1:
            return 0
        if self.suit[index] == _SET:
            return 0 if self.distinct and size > 3 else 3
        if size >= self.run_max:
            return 0
        low = self.low[index]
        if low + size < _PLACES and not (self.apart and self.wild[index] >> (low + size - 1) & 1):
            return 1
        if low > 0 and not (self.apart and self.wild[index] >> low & 1) and not (low == 1 and size == 12):
            return 2
        return 0

    def add(self, index: int, card: int, end: int) -> None:
        """Lay off a card (or a joker) at an end that :meth:`end_for` told."""
        place = 0
        stands = -1
        if end == 3:
            if card != _JOKER:
                self.suits[index] |= _ONE << (card // 13)
            else:
                stands = 64 + self.low[index]
        else:
            if end == 1:
                place = self.low[index] + self.size[index]
            else:
                place = self.low[index] - 1
                self.low[index] = place
            if card == _JOKER:
                self.wild[index] |= _ONE << place
                stands = 13 * self.suit[index] + (place + 12) % 13
        if card == _JOKER:
            self.used[index] += 1
        self.size[index] += 1
        self.note(_ADD, card, stands, index, 0)
        self.lose(self.turn, card)
        if self.sizes[self.turn] == 0:
            self.go_out()

    def joker_at(self, index: int, card: int) -> int:
        """The place of the joker of a meld that a card may be given for (0 in a set), or -1."""
        if self.used[index] == 0:
            return -1
        if self.suit[index] == _SET:
            if card % 13 != self.low[index] or (self.distinct and self.suits[index] >> (card // 13) & 1):
                return -1
            return 0
        if card // 13 != self.suit[index]:
            return -1
        place = card % 13 + 1
        if self.wild[index] >> place & 1:
            return place
        if place == 13 and self.wild[index] & 1:
            return 0
        return -1

    def swap(self, index: int, card: int, place: int) -> None:
        """Give a card for the joker at a place that :meth:`joker_at` told."""
        seat = self.turn
        self.note(_SWAP, card, -1, index, 0)
        if self.suit[index] == _SET:
            self.suits[index] |= _ONE << (card // 13)
        else:
            self.wild[index] &= ~(_ONE << place)
        self.used[index] -= 1
        self.shown[_JOKER] -= 1
        self.lose(seat, card)
        self.gain(seat, _JOKER)

    # -- playing ------------------------------------------------------------------

    def playout(self, dice: Dice, player: int) -> None:
        """Play to the end, everybody as ``player``; ``dice`` shuffle the pile when the stock is used up."""
        while self.turn >= 0:
            self.step(dice, player)
        self.score()

    def step(self, dice: Dice, player: int) -> None:
        """Play a turn, or what is left of it; nothing where the deal is over."""
        if self.turn < 0:
            return
        if not self.playing:
            took = 0
            if player == _KEEN:
                took = self.take_to_lay() if self.opened >> self.turn & 1 else self.take_to_open()
            if took == 0:
                self.draw(dice)
            if self.turn < 0:
                return
        if not self.opened >> self.turn & 1:
            if player == _KEEN:
                self.open_keenly()
            else:
                self.open_greedily()
            if self.turn < 0:
                return
        if self.opened >> self.turn & 1:
            if player == _KEEN:
                self.lay_keenly()
            else:
                self.lay_greedily()
            if self.turn < 0:
                return
        if player == _KEEN:
            card = self.least_use()
            if card == _JOKER and (self.jokers[self.turn] == 0 or self.barred == _JOKER):
                # Nothing is left but the card that was taken: such a turn is not played out.
                self.pass_on()
                return
            self.discard(card)
        else:
            self.discard(self.loose())

    def score(self) -> None:
        """Count the hands and the score of a deal that is over."""
        total = 0
        seat = 0
        while seat < self.seats:
            self.left[seat] = self.finder.hand_value(self.one[seat], self.two[seat], self.jokers[seat])
            self.scores[seat] = 0
            total += self.left[seat]
            seat += 1
        if self.winner >= 0:
            if self.fresh:
                if self.bonus == _EACH:
                    total += _BONUS_EACH * (self.seats - 1)
                elif self.bonus == _DOUBLE:
                    total += total
            self.scores[self.winner] = total

    def opens(self) -> None:
        """The seat to act has opened."""
        if self.turn >= 0:
            self.opened |= _ONE << self.turn
        else:
            self.opened |= _ONE << self.winner
        self.fresh = 1

    # -- the greedy player --------------------------------------------------------

    def open_greedily(self) -> None:
        """Open with the dearest single meld that does, if there is one."""
        seat = self.turn
        if not self.may_open(self.one[seat], self.two[seat], self.jokers[seat], -1):
            return
        self.finder.must = -1
        self.finder.list_melds(self.one[seat], self.two[seat], self.jokers[seat], 0, 1)
        best = -1
        number = 0
        while number < self.finder.count:
            if (
                self.finder.worth[number] >= self.need
                and self.sizes[seat] - self.finder.size[number] >= self.last_discard
                and (best < 0 or self.finder.worth[number] > self.finder.worth[best])
            ):
                best = number
            number += 1
        if best >= 0:
            self.note(_MELD, -1, -1, -1, 1)
            self.lay(best)
            self.opens()

    def lay_greedily(self) -> None:
        """Lay the longest melds, then every card that fits."""
        seat = self.turn
        self.finder.must = -1
        while True:
            self.finder.list_melds(self.one[seat], self.two[seat], self.jokers[seat], 0, 1)
            best = -1
            number = 0
            while number < self.finder.count:
                if self.sizes[seat] - self.finder.size[number] >= self.last_discard and (
                    best < 0 or self.finder.size[number] > self.finder.size[best]
                ):
                    best = number
                number += 1
            if best < 0:
                break
            self.note(_MELD, -1, -1, -1, 1)
            self.lay(best)
            if self.turn < 0:
                return
        self.lay_off(1)

    def lay_off(self, jokers: int) -> None:
        """Lay off every natural card that fits, and jokers if ``jokers``."""
        seat = self.turn
        index = 0
        while index < self.melds:
            if self.sizes[seat] <= self.last_discard:
                return
            card = self.fitting(index, seat)
            if card >= 0:
                self.add(index, card, self.end_for(index, card))
                if self.turn < 0:
                    return
                continue
            if jokers and self.jokers[seat]:
                end = self.end_for_joker(index)
                if end:
                    self.add(index, _JOKER, end)
                    if self.turn < 0:
                        return
                    continue
            index += 1

    def fitting(self, index: int, seat: int) -> int:
        """A natural card of a hand that fits a meld, or -1."""
        suit = self.suit[index]
        size = self.size[index]
        one = self.one[seat]
        if suit == _SET:
            column = one >> self.low[index] & _COLUMN
            while column:
                card = bits.lowest(column) + self.low[index]
                column &= column - 1
                if self.end_for(index, card):
                    return card
            return -1
        if size >= self.run_max:
            return -1
        low = self.low[index]
        if low + size < _PLACES:
            card = 13 * suit + (low + size + 12) % 13
            if one >> card & 1:
                return card
        if low > 0:
            card = 13 * suit + (low + 11) % 13
            if one >> card & 1:
                return card
        return -1

    def loose(self) -> int:
        """The dearest card (the cheapest before opening) with none near it, else the first in that order."""
        seat = self.turn
        one = self.one[seat]
        two = self.two[seat]
        first = -1
        step = -1 if self.opened >> seat & 1 else 1
        rank = 12 if step < 0 else 0
        while 0 <= rank < 13:
            column = one >> rank & _COLUMN
            if column:
                card = bits.highest(column) + rank
                if first < 0:
                    first = card
                if column & (column - 1) == 0 and not two >> card & 1:
                    held = (one >> (card - rank) & _SUIT) << 2
                    if held >> rank & 27 == 0:
                        return card
            rank += step
        return first if first >= 0 else _JOKER

    # -- the keen player ----------------------------------------------------------

    def may_open(self, one: int, two: int, jokers: int, must: int) -> int:
        """0 if no single meld opens, by a quick look that may say 1 without need."""
        suit = 0
        while suit < 4:
            if must < 0 or must == _JOKER or must // 13 == suit:
                held = one >> (13 * suit) & _SUIT
                places = held << 1 | held >> 12
                if bits.popcount(held) + jokers >= 4:
                    number = 0
                    while number < self.window_count:
                        if bits.popcount(self.windows[number] & ~places) <= jokers:
                            return 1
                        number += 1
            suit += 1
        rank = 0
        while rank < 13:
            if self.set_need[rank] and (must < 0 or must == _JOKER or must % 13 == rank):
                column = one >> rank & _COLUMN
                if column:
                    number = bits.popcount(column)
                    if not self.distinct:
                        number += bits.popcount(two >> rank & _COLUMN)
                    if number + jokers >= self.set_need[rank]:
                        return 1
            rank += 1
        return 0

    def open_with(self, verb: int, must: int) -> None:
        """Open with as few of the chosen melds as do it; ``must``: a card that one of them has to hold."""
        number = self.finder.number
        place = 0
        while place < number:
            self.plan[place] = self.finder.chosen[place]
            place += 1
        # The dearest first, before them one with the card that has to be there.
        start = 0
        if must >= 0:
            best = -1
            place = 0
            while place < number:
                if self.finder.has[self.plan[place]] and (
                    best < 0 or self.finder.worth[self.plan[place]] > self.finder.worth[self.plan[best]]
                ):
                    best = place
                place += 1
            other = self.plan[0]
            self.plan[0] = self.plan[best]
            self.plan[best] = other
            start = 1
        while start < number:
            best = start
            place = start + 1
            while place < number:
                if self.finder.worth[self.plan[place]] > self.finder.worth[self.plan[best]]:
                    best = place
                place += 1
            other = self.plan[start]
            self.plan[start] = self.plan[best]
            self.plan[best] = other
            start += 1
        points = 0
        used = 0
        while points < self.need:
            points += self.finder.worth[self.plan[used]]
            used += 1
        self.note(_OPEN if verb == _MELD and used > 1 else verb, -1, -1, -1, used)
        if verb == _TAKE:
            self.take()
        place = 0
        while place < used:
            self.lay(self.plan[place])
            place += 1
        self.opens()
        while place < number and self.turn >= 0:
            self.note(_MELD, -1, -1, -1, 1)
            self.lay(self.plan[place])
            place += 1

    def take_to_open(self) -> int:
        """Take the top discard and open with it; 0 if that cannot be done."""
        seat = self.turn
        if self.pile_size == 0:
            return 0
        card = self.pile[self.pile_size - 1]
        one = self.one[seat]
        two = self.two[seat]
        jokers = self.jokers[seat]
        if card == _JOKER:
            jokers += 1
        elif one >> card & 1:
            two |= _ONE << card
        else:
            one |= _ONE << card
        if self.single and not self.may_open(one, two, jokers, card):
            return 0
        if not self.finder.solve(one, two, jokers, _DEADWOOD, self.need, card, self.last_discard):
            return 0
        self.open_with(_TAKE, card)
        return 1

    def open_keenly(self) -> None:
        """Open so that least stays in the hand, if it can be done."""
        seat = self.turn
        one = self.one[seat]
        two = self.two[seat]
        jokers = self.jokers[seat]
        if self.single and not self.may_open(one, two, jokers, -1):
            return
        if self.finder.solve(one, two, jokers, _DEADWOOD, self.need, -1, self.last_discard):
            self.open_with(_MELD, -1)

    def take_to_lay(self) -> int:
        """Take the top discard where it can be laid at once; 0 otherwise."""
        seat = self.turn
        if self.pile_size == 0:
            return 0
        card = self.pile[self.pile_size - 1]
        # At least one card is in the hand, so that one stays where the last one has to be discarded.
        index = 0
        while index < self.melds:
            end = self.end_for_joker(index) if card == _JOKER else self.end_for(index, card)
            if end:
                self.note(_TAKE, -1, -1, -1, 0)
                self.take()
                self.add(index, card, end)
                return 1
            index += 1
        one = self.one[seat]
        two = self.two[seat]
        jokers = self.jokers[seat]
        before = self.finder.hand_value(one, two, jokers)
        if card == _JOKER:
            jokers += 1
        elif one >> card & 1:
            two |= _ONE << card
        else:
            one |= _ONE << card
        if (
            not self.finder.solve(one, two, jokers, _DEADWOOD, 0, card, self.last_discard)
            or before - self.finder.deadwood < self.weights[_WEIGHTS * seat + _TAKE_GAIN]
        ):
            return 0
        self.note(_TAKE, -1, -1, -1, 0)
        self.take()
        # The meld with the card comes first.
        place = 0
        while place < self.finder.number:
            if self.finder.has[self.finder.chosen[place]]:
                self.note(_MELD, -1, -1, -1, 1)
                self.lay(self.finder.chosen[place])
                break
            place += 1
        return 1

    def lay_keenly(self) -> None:
        """Lay the melds that leave least in the hand, then what fits, with swaps where they help."""
        seat = self.turn
        again = 1
        while again:
            again = 0
            self.lay_melds(seat)
            if self.turn < 0:
                return
            self.lay_off(0)
            if self.turn < 0:
                return
            if (self.swaps and self.swap_one(seat)) or (
                self.jokers[seat]
                and self.sizes[seat] > self.last_discard
                and (self.sizes[seat] <= self.weights[_WEIGHTS * seat + _LAY_JOKERS] or self.somebody_low(seat))
                and self.lay_joker(seat)
            ):
                again = 1
            if self.turn < 0:
                return

    def lay_melds(self, seat: int) -> None:
        """Lay the melds that leave least in the hand."""
        if self.sizes[seat] < 3 + self.last_discard:
            return
        self.finder.solve(self.one[seat], self.two[seat], self.jokers[seat], _DEADWOOD, 0, -1, self.last_discard)
        place = 0
        while place < self.finder.number:
            self.note(_MELD, -1, -1, -1, 1)
            self.lay(self.finder.chosen[place])
            place += 1

    def lay_joker(self, seat: int) -> int:
        """Lay off a joker, in a run rather than in a set; 0 if there is no place."""
        kind = 0
        while kind < 2:
            index = 0
            while index < self.melds:
                if (self.suit[index] == _SET) == (kind == 1):
                    end = self.end_for_joker(index)
                    if end:
                        self.add(index, _JOKER, end)
                        return 1
                index += 1
            kind += 1
        return 0

    def swap_one(self, seat: int) -> int:
        """Swap a card for a joker that can be laid at once; 0 if there is none."""
        if self.sizes[seat] <= self.last_discard:
            return 0
        index = 0
        while index < self.melds:
            if self.used[index] and (self.swaps == _ANY or self.owner[index] != seat):
                cards = self.one[seat]
                if self.suit[index] == _SET:
                    cards &= _COLUMN << self.low[index]
                else:
                    cards &= _SUIT << (13 * self.suit[index])
                while cards:
                    card = bits.lowest(cards)
                    cards &= cards - 1
                    place = self.joker_at(index, card)
                    if place >= 0 and self.joker_has_place(index):
                        self.swap(index, card, place)
                        self.lay_swapped(seat)
                        return 1
            index += 1
        return 0

    def joker_has_place(self, index: int) -> int:
        """Whether a joker taken from a meld can be laid off at another one."""
        other = 0
        while other < self.melds:
            if other != index and self.end_for_joker(other):
                return 1
            other += 1
        return 0

    def lay_swapped(self, seat: int) -> None:
        """Lay the joker that was swapped: in a meld with cards of the hand, else off."""
        if self.sizes[seat] >= 3 + self.last_discard and self.finder.solve(
            self.one[seat], self.two[seat], self.jokers[seat], _DEADWOOD, 0, _JOKER, self.last_discard
        ):
            place = 0
            while place < self.finder.number:
                if self.finder.has[self.finder.chosen[place]]:
                    self.note(_MELD, -1, -1, -1, 1)
                    self.lay(self.finder.chosen[place])
                    return
                place += 1
        self.lay_joker(seat)

    def somebody_low(self, seat: int) -> int:
        """Whether another seat is short of cards."""
        other = 0
        while other < self.seats:
            if other != seat and self.sizes[other] <= self.weights[_WEIGHTS * seat + _FEW_CARDS]:
                return 1
            other += 1
        return 0

    def least_use(self) -> int:
        """The card to throw: the one that is least worth keeping. A joker if there is nothing else."""
        seat = self.turn
        one = self.one[seat]
        if self.barred >= 0 and self.barred != _JOKER and not self.two[seat] >> self.barred & 1:
            one &= ~(_ONE << self.barred)
        if one == 0:
            return _JOKER
        row = _WEIGHTS * seat
        opened = self.opened >> seat & 1
        low = self.somebody_low(seat)
        fed = 1 if self.opened & ~(_ONE << seat) else 0
        if not opened and self.single:
            return self.least_use_for_single(seat, low, fed)
        two = self.two[seat]
        spare = one
        one = self.one[seat]
        if not opened:
            # What is planned together stays together.
            self.finder.solve(one, two, self.jokers[seat], _DEADWOOD, 0, -1, 0)
            if self.finder.rest_one:
                spare = self.finder.rest_one
        dear = self.weights[row + _LOOSE_LOW] if low else self.weights[row + _LOOSE_VALUE]
        best = -1
        least = 0
        while spare:
            card = bits.lowest(spare)
            spare &= spare - 1
            keep = self.weights[row + _LOOSE_OUTS] * self.outs(seat, card) - dear * self.values[card]
            if fed and not opened and self.fits_table(card):
                keep += self.weights[row + _FEEDS]
            if card == self.asked:
                self.asked_keep = keep
            if best < 0 or keep < least:
                best = card
                least = keep
        self.least_keep = least
        return best

    def least_use_for_single(self, seat: int, low: int, fed: int) -> int:
        """As :meth:`least_use`, while a single meld has to open."""
        row = _WEIGHTS * seat
        one = self.one[seat]
        jokers = self.jokers[seat]
        best = -1
        least = 0
        far_best = -1
        far_least = 0
        most_useful = 0
        asked = 0
        asked_far = 0
        suit = 0
        while suit < 4:
            held = one >> (13 * suit) & _SUIT
            if held:
                places = held << 1 | held >> 12
                self.find_useful(seat, suit, places, jokers)
                while held:
                    rank = bits.lowest(held)
                    held &= held - 1
                    card = 13 * suit + rank
                    useful = self.useful[rank + 1] + self.use_in_set(seat, rank)
                    if rank == 12:
                        useful += self.useful[0]
                    most_useful = max(most_useful, useful)
                    keep = (
                        useful
                        + self.weights[row + _OPENING_OUTS] * self.outs(seat, card)
                        - self.weights[row + _OPENING_VALUE] * self.values[card]
                    )
                    far = (
                        useful * self.weights[row + _FAR_SHARE] // 100
                        - self.weights[row + _FAR_VALUE] * self.values[card]
                    )
                    if fed and self.fits_table(card):
                        keep += self.weights[row + _FEEDS]
                        far += self.weights[row + _FEEDS]
                    if card == self.asked:
                        asked = keep
                        asked_far = far
                    if best < 0 or keep < least:
                        best = card
                        least = keep
                    if far_best < 0 or far < far_least:
                        far_best = card
                        far_least = far
            suit += 1
        # Far from opening and about to pay: the dearest card first.
        if low and most_useful < self.weights[row + _NEAR]:
            self.asked_keep = asked_far
            self.least_keep = far_least
            return far_best
        self.asked_keep = asked
        self.least_keep = least
        return best

    def find_useful(self, seat: int, suit: int, places: int, jokers: int) -> None:
        """How useful the cards of a suit are, by place, for the runs that open alone."""
        row = _WEIGHTS * seat
        place = 0
        while place < _PLACES:
            self.useful[place] = 0
            place += 1
        number = 0
        while number < self.window_count:
            window = self.windows[number]
            missing = window & ~places
            lacks = bits.popcount(missing) - jokers
            if lacks <= _TOO_FAR and missing != window:
                weight = self.weights[row + _NEARNESS + (lacks if lacks > 0 else 0)]
                spare = jokers
                while missing:
                    place = bits.lowest(missing)
                    missing &= missing - 1
                    copies = 2 - self.shown[13 * suit + (place + 12) % 13]
                    if copies == 1:
                        weight = weight * self.weights[row + _LAST_COPY] // 100
                    elif copies == 0:
                        # Only a joker can fill it.
                        weight = weight * self.weights[row + _NO_COPY] // 100
                        spare -= 1
                if spare >= 0:
                    window &= places
                    while window:
                        place = bits.lowest(window)
                        window &= window - 1
                        self.useful[place] += weight
            number += 1

    def use_in_set(self, seat: int, rank: int) -> int:
        """How useful a card of a rank is for a set that opens alone."""
        row = _WEIGHTS * seat
        one = self.one[seat]
        two = self.two[seat]
        jokers = self.jokers[seat]
        need = self.set_need[rank]
        if need == 0:
            return 0
        number = bits.popcount(one >> rank & _COLUMN)
        if not self.distinct:
            number += bits.popcount(two >> rank & _COLUMN)
        lacks = need - number - jokers
        if lacks > _TOO_FAR:
            return 0
        left = 8 - bits.popcount(one >> rank & _COLUMN) - bits.popcount(two >> rank & _COLUMN)
        left -= self.shown[rank] + self.shown[rank + 13] + self.shown[rank + 26] + self.shown[rank + 39]
        if left < lacks:
            return 0
        share = self.weights[row + _SET_BASE] + self.weights[row + _SET_MORE] * left
        return self.weights[row + _NEARNESS + (lacks if lacks > 0 else 0)] * share // 100

    def outs(self, seat: int, card: int) -> int:
        """How many cards would make a meld of this card and another one of the hand: about, or by the cards seen."""
        one = self.one[seat]
        two = self.two[seat]
        if self.weights[_WEIGHTS * seat + _COUNTS]:
            return self.outs_left(one, two, card)
        rank = card % 13
        suit = card // 13
        column = one >> rank & _COLUMN
        copies = bits.popcount(column)
        if not self.distinct:
            copies += bits.popcount(two >> rank & _COLUMN)
        total = 0
        if copies > 1:
            total = 5 if not self.distinct else 4
        held = one >> (13 * suit) & _SUIT
        # Two places further on at either side, so that the ends need no care.
        around = (held << 1 | held >> 12) << 2 >> (rank + 1)
        if around & 10:
            total += 4
        elif around & 17:
            total += 2
        if rank == 12 and held & 3:
            total += 3
        return total

    def outs_left(self, one: int, two: int, card: int) -> int:
        """As :meth:`outs`, by the cards that were not seen."""
        rank = card % 13
        first = card - rank
        column = one >> rank & _COLUMN
        copies = bits.popcount(column)
        if not self.distinct:
            copies += bits.popcount(two >> rank & _COLUMN)
        total = 0
        if copies > 1:
            other = rank
            while other < 52:
                if not self.distinct or not one >> other & 1:
                    total += self.unseen(one, two, other)
                other += 13
        # Two places further on at either side, so that the ends need no care. Place 0 is the low ace.
        held = one >> first & _SUIT
        places = (held << 1 | held >> 12) << 2
        place = rank + 1
        again = 1
        while again:
            around = places >> place & 27
            if around & 2:
                total += self.unseen_at(one, two, first, place - 2) + self.unseen_at(one, two, first, place + 1)
            elif around & 1:
                total += self.unseen_at(one, two, first, place - 1)
            if around & 8:
                total += self.unseen_at(one, two, first, place + 2) + self.unseen_at(one, two, first, place - 1)
            elif around & 16:
                total += self.unseen_at(one, two, first, place + 1)
            # An ace has two places.
            again = 1 if place == 13 else 0
            place = 0
        return total

    def unseen_at(self, one: int, two: int, first: int, place: int) -> int:
        """How many cards for a place of a run may still come."""
        if place < 0 or place > 13:
            return 0
        return self.unseen(one, two, first + (place + 12) % 13)

    def unseen(self, one: int, two: int, card: int) -> int:
        """How many copies of a card are neither in the hand nor seen."""
        number = 2 - self.shown[card] - (one >> card & 1) - (two >> card & 1)
        return number if number > 0 else 0

    def fits_table(self, card: int) -> int:
        """Whether a natural card could be laid off by somebody who has opened."""
        index = 0
        while index < self.melds:
            if self.end_for(index, card):
                return 1
            index += 1
        return 0

    # -- for people ---------------------------------------------------------------

    @classmethod
    def from_deal(cls, deal: Kaluki) -> KalukiTable:
        """A table with the position of a deal whose cards are all known (see :meth:`load`)."""
        table = cls(deal.rules)
        table.load(deal)
        return table

    def load(self, deal: Kaluki) -> list[Move]:
        """Take over the position of a deal with these options, whose cards are all known.

        Where the turn owes something (a swapped joker, or the card taken), it goes on with legal actions until
        nothing is owed; those are returned.
        """
        if deal.rules != self.rules:
            raise MejaError(msg("the deal has other options than the table"))
        settled: list[Move] = []
        while deal.to_act is not None and _owes(deal):
            if not settled:
                deal = deal.clone()
            move = deal.legal_actions()[0]
            settled.append(move)
            deal.advance(move)
        self.clear()
        for seat in range(self.seats):
            self.one[seat] = deal.one[seat]
            self.two[seat] = deal.two[seat]
            self.jokers[seat] = deal.jokers[seat]
            self.sizes[seat] = deal.sizes[seat]
        self.stock_size = len(deal.stock)
        for place, card in enumerate(deal.stock):
            self.stock[place] = card
        self.pile_size = len(deal.pile)
        for place, card in enumerate(deal.pile):
            self.pile[place] = card
            self.shown[card] += 1
        for owner, meld in zip(deal.owners, deal.table, strict=True):
            self._load_meld(owner, meld)
        self.turn = -1 if deal.to_act is None else deal.to_act
        self.playing = int(deal.playing)
        self.opened = deal.opened
        self.fresh = int(deal.fresh)
        self.turned = deal.turned
        self.winner = deal.winner
        return settled

    def _load_meld(self, owner: int, meld: Meld) -> None:
        at = self.melds
        self.suit[at] = meld.suit
        self.low[at] = meld.low
        self.size[at] = len(meld.cards)
        self.used[at] = meld.jokers
        self.owner[at] = owner
        wild = suits = 0
        for place, card in enumerate(meld.cards):
            self.shown[card] += 1
            if card == JOKER:
                wild |= 1 << (meld.low + place)
            else:
                suits |= 1 << card // 13
        self.wild[at] = wild if meld.suit != SET else 0
        self.suits[at] = suits if meld.suit == SET else 0
        self.melds = at + 1

    def advance(self, action: Move, dice: Dice) -> bool:
        """Do an action that is known to be legal; ``False``, and nothing done, where the turn would owe something then.

        That is a swap, and taking a card after the opening: load such a position from a deal instead.
        """
        verb, melds, card, stands, index = action
        if self.turn < 0 or verb == SWAP or (verb == TAKE and not melds):
            return False
        if verb == DRAW:
            self.draw(dice)
        elif verb == DISCARD:
            self.discard(card)
        elif verb == ADD:
            end = self.end_for(index, card) if card != JOKER else self._end_of(index, stands)
            self.add(index, card, end)
        else:
            self.note(verb, -1, -1, -1, len(melds))
            if verb == TAKE:
                self.take()
            opens = not self.opened >> self.turn & 1
            for meld in melds:
                self._lay_meld(meld)
            if opens:
                self.opens()
        return True

    def _end_of(self, index: int, stands: int) -> int:
        if stands >= RANK:
            return 3
        high = self.low[index] + self.size[index]
        return 1 if high < _PLACES and RUN_CARD[self.suit[index]][high] == stands else 2

    def _lay_meld(self, meld: Meld) -> None:
        finder = self.finder
        naturals = [card for card in meld.cards if card != JOKER]
        finder.suit[0] = meld.suit
        finder.low[0] = meld.low
        finder.size[0] = len(meld.cards)
        finder.used[0] = meld.jokers
        finder.wild[0] = sum(1 << (meld.low + place) for place, card in enumerate(meld.cards) if card == JOKER)
        finder.mask[0] = sum(1 << card for card in set(naturals))
        finder.twice[0] = sum(1 << card for card in set(naturals) if naturals.count(card) > 1)
        self.lay(0)

    def actions(self) -> list[tuple[int, Move]]:
        """(seat, action) for all that was played since ``logging`` was set and the position taken over."""
        found = []
        first = 0
        for at in range(self.log_size):
            verb, number = self.log_verb[at], self.log_number[at]
            melds = tuple([self._laid_meld(first + place) for place in range(number)])
            first += number
            card = self.log_card[at]
            if verb == DISCARD:
                move = DISCARDS[card]
            elif verb == DRAW:
                move = DRAW_MOVE
            elif verb in (TAKE, MELD, OPEN):
                move = Move(verb, melds)
            else:
                assert verb in (ADD, SWAP)
                move = Move(verb, (), card, self.log_stands[at], self.log_index[at])
            found.append((self.log_seat[at], move))
        return found

    def _laid_meld(self, at: int) -> Meld:
        suit, low, size, wild = self.laid_suit[at], self.laid_low[at], self.laid_size[at], self.laid_wild[at]
        if suit == SET:
            cards: list[Card] = []
            for card in range(low, 52, 13):
                if self.laid_mask[at] >> card & 1:
                    cards += [card] * (1 + (self.laid_twice[at] >> card & 1))
            return Meld(SET, low, (*cards, *[JOKER] * self.laid_used[at]))
        row = RUN_CARD[suit]
        run = tuple([JOKER if wild >> place & 1 else row[place] for place in range(low, low + size)])
        return Meld(suit, low, run)

    def reshuffles(self) -> list[tuple[Card, ...]]:
        """The shuffled piles since the position was taken over, the next card first."""
        return [
            tuple([self.orders[_PACK * number + place] for place in range(self.orders_size[number])])
            for number in range(self.orders_count)
        ]

    def result(self) -> tuple[int, ...]:
        """What is left in each hand at the end."""
        return tuple([self.left[seat] for seat in range(self.seats)])

    def points(self) -> tuple[int, ...]:
        """The score of each seat at the end, as :meth:`meja.deal.Deal.score`."""
        return tuple([self.scores[seat] for seat in range(self.seats)])


def _owes(deal: Kaluki) -> bool:
    """Whether the turn in progress cannot end by any discard."""
    return deal.playing and (deal.owed > 0 or (deal.taken >= 0 and not deal.laid))


def run_deals(table: KalukiTable, dice: Dice, count: int, player: int) -> int:
    """Deal and play so many deals; a number made of all their results."""
    with cython.nogil:
        return sum_of_deals(table, dice, count, player)


def sum_of_deals(table: KalukiTable, dice: Dice, count: int, player: int) -> int:
    """:func:`run_deals`, inside the kernel."""
    total = 0
    number = 0
    while number < count:
        table.deal(number % table.seats, dice)
        table.playout(dice, player)
        total = (total * 31 + table.winner + 1 + table.left[0] + 2 * table.left[1] + table.turns) & _CHECK
        number += 1
    return total


_CHECK: Final = 0xFFFFFFFF

assert RANK == 64
