"""Rules of thumb for Kaluki.

Before opening: keep jokers, go for the nearest melds that open, open as soon as it can be done.
Afterwards: lay down what leaves least in the hand, go out whenever possible, throw what is
highest and loose.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from meja.bots.bot import Bot, Budget, check_turn
from meja.bots.kaluki_plan import ACE, EMPTY, HIGH_ACE, SUIT_BITS, Hand, Plan, Run, Table, Tables, best_plan, fits
from meja.cards import JOKER, Card
from meja.games.kaluki import KalukiView
from meja.games.kaluki_turn import ADD, DISCARDS, DRAW_MOVE, MELD, OPEN, SWAP, TAKE, TAKE_MOVE, Move
from meja.games.melds import RUN_CARD, SET, Meld, MeldRules, additions, swaps, worth
from meja.view import View

#: An opponent with so few cards may be out soon.
_FEW_CARDS: Final = 3
#: With more cards than this nobody goes out in one turn, so the search for it is left out.
_MOST_TO_GO_OUT: Final = 11
#: How much a card that fits a meld of the table is kept from an opponent who may use it.
_FEEDS: Final = 40.0
#: How much a card is kept that can be swapped for a joker of the table.
_BUYS: Final = 15.0


class Sight:
    """What the rules of thumb look at, taken from a view."""

    __slots__ = ("_left", "_table", "hand", "melds", "opened", "rules", "seat", "size", "tables", "view", "words")

    def __init__(self, view: KalukiView) -> None:
        assert view.seat is not None
        self.view = view
        self.rules = view.rules
        self.tables = Tables.of(view.rules)
        self.words: MeldRules = self.tables.words
        self.seat = view.seat
        self.hand = Hand(view.hand)
        #: How many cards the seat holds.
        self.size = len(view.hand)
        self.melds = view.table
        self.opened = view.opened[view.seat]
        self._table: Table | None = None
        self._left: list[int] | None = None

    @property
    def table(self) -> Table:
        """What may be laid off now, one card after the other."""
        if self._table is None:
            self._table = laid_off(self.melds, self.hand, self.words) if self.opened else EMPTY
        return self._table

    @property
    def left(self) -> list[int]:
        """How many copies of each natural card are neither in the own hand nor on the table nor in the pile."""
        if self._left is None:
            left = [2] * JOKER + [4]
            for card in self.view.hand:
                left[card] -= 1
            for card in self.view.pile:
                left[card] -= 1
            for meld in self.melds:
                for card in meld.cards:
                    left[card] -= 1
            self._left = left
        return self._left

    def somebody_low(self) -> bool:
        """Whether an opponent is short of cards."""
        mine = self.seat
        return any(number <= _FEW_CARDS and seat != mine for seat, number in enumerate(self.view.hand_sizes))

    def late(self) -> bool:
        """Whether the deal has gone past half of the stock."""
        return 2 * self.view.stock < 107 - self.rules.seats * self.rules.cards or self.view.reshuffles > 0

    def leaves_enough(self, number: int) -> bool:
        """Whether so many cards may be laid: where the last card has to be discarded, one must stay."""
        return self.size - number >= (1 if self.rules.discard_to_go_out else 0)

    def unpaid(self) -> Card | None:
        """The card taken from the discard pile in this turn, as long as none like it was laid."""
        return None if self.view.taken_laid else self.view.taken

    def may_discard(self, card: Card) -> bool:
        """Whether a card of the hand may be discarded in this turn."""
        unpaid = self.unpaid()
        if self.view.owed:
            return False
        if unpaid is None:
            return True
        return self.rules.discard_use == "free" and (card != unpaid or self.view.hand.count(card) > 1)


# -- what can be laid off -------------------------------------------------------------


def laid_off(melds: Sequence[Meld], hand: Hand, words: MeldRules) -> Table:
    """The cards of the hand's suits that fit the melds, also after cards of the hand laid before them."""
    layable, twins = [0, 0, 0, 0], [0, 0, 0, 0]
    for meld in melds:
        suit, low, cards = meld
        if suit == SET:
            for card, _, _ in additions(meld, words):
                if card != JOKER:
                    layable[card // 13] |= SUIT_BITS[card][1]
                    if words.set_duplicates:
                        twins[card // 13] |= SUIT_BITS[card][1]
            continue
        held = hand.first[suit]
        room = words.run_max - len(cards)
        for step, place in ((1, low + len(cards)), (-1, low - 1)):
            left = room
            while left and 0 <= place <= HIGH_ACE and held >> place & 1:
                layable[suit] |= 1 << place
                place += step
                left -= 1
    a, b, c, d = layable
    e, f, g, h = twins
    return Table((a, b, c, d), (e, f, g, h))


def joker_places(melds: Sequence[Meld], words: MeldRules) -> list[tuple[int, int]]:
    """Where a joker may be laid off: (number of the meld, what it would stand for)."""
    return [
        (number, stands)
        for number, meld in enumerate(melds)
        for card, stands, _ in additions(meld, words)
        if card == JOKER
    ]


def safest_joker_place(sight: Sight) -> tuple[int, int] | None:
    """The place where fewest natural cards can come for the joker: runs before sets, seen cards first."""
    places = joker_places(sight.melds, sight.words)
    if not places:
        return None
    return min(places, key=lambda at: 9 if at[1] > JOKER else sight.left[at[1]])


# -- opening --------------------------------------------------------------------------


def opening_meld(tables: Tables, hand: Hand, must: Card | None = None) -> Meld | None:
    """The single meld to open with: few jokers, rather in a run, and the most points of natural cards.

    ``must`` is a card (already in the hand) that the meld has to hold.
    """
    best: Meld | None = None
    best_key = 1 << 30
    jokers = hand.jokers
    windows = tables.shortest if must is None else tables.openers
    for suit in range(4):
        held = hand.first[suit]
        if held.bit_count() + jokers < tables.fewest:
            continue
        bits = 0
        if must is not None and must != JOKER:
            if must // 13 != suit:
                continue
            bits = SUIT_BITS[must][1]
        for low, high, window in windows:
            missing = window & ~held
            used = missing.bit_count()
            if used > jokers or (bits and not bits & window) or (must == JOKER and not used):
                continue
            if (low == 0 and high >= HIGH_ACE - 1) or (used and not fits(tables, high - low + 1, missing)):
                continue
            key = 30 * used - sum(tables.place_value[low : high + 1])
            if key < best_key:
                best_key, best = key, Run(suit, low, high, missing).meld()
    counts = hand.counts(tables.rules.set_duplicates)
    for rank in range(13) if must is None or must == JOKER else (must % 13,):
        need = tables.set_needs[rank]
        if not need or need > (counts >> 4 * rank & 15) + jokers:
            continue
        cards = hand.cards_of_rank(rank, tables.rules.set_duplicates)
        used = max(need - len(cards), 1 if must == JOKER else 0)
        if used > jokers or (must not in (None, JOKER) and must not in cards):
            continue
        if not cards or (tables.rules.naturals_majority and len(cards) <= used):
            continue
        if not tables.rules.set_duplicates and len(cards) + used > 4:
            continue
        # A joker in a set falls to any card of the rank.
        key = 33 * used - len(cards) * tables.rank_value[rank]
        if key < best_key:
            best_key, best = key, Meld(SET, rank, (*cards, *[JOKER] * used))
    return best


def opening_melds(tables: Tables, hand: Hand, must: Card | None = None) -> tuple[Meld, ...]:
    """The melds to open with by the options, or none; ``must`` has to be in one of them."""
    if tables.rules.opening == "single":
        meld = opening_meld(tables, hand, must)
        return () if meld is None else (meld,)
    plan = None
    # With as few jokers as possible.
    for jokers in range(hand.jokers + 1):
        plan = best_plan(tables, hand, jokers=jokers, points=tables.rules.opening_points)
        if plan is not None:
            break
    if plan is not None and (must is None or any(must in meld.cards for meld in plan.melds)):
        return only_needed(tables, plan.melds, must)
    meld = opening_meld(tables, hand, must)
    return () if meld is None else (meld,)


# -- what the discard pile offers -----------------------------------------------------


def makes_meld(hand: Hand, card: Card, duplicates: bool) -> bool:
    """Whether a natural card makes a set or a run with two natural cards of the hand."""
    suit, rank = divmod(card, 13)
    bit = 1 << rank + 1
    same = sum(1 for other in range(4) if hand.first[other] & bit and (duplicates or other != suit))
    if duplicates:
        same += sum(1 for other in range(4) if hand.second[other] & bit)
    if same >= 2:
        return True
    held = hand.first[suit] << 2
    for place in (rank + 1, 0) if rank == ACE else (rank + 1,):
        around = held >> place & 0b11011
        if around & 0b00011 == 0b00011 or around & 0b01010 == 0b01010 or around & 0b11000 == 0b11000:
            return True
    return False


def can_use(sight: Sight, card: Card) -> bool:
    """Whether an opened seat can lay the top discard at once."""
    if card == JOKER:
        return bool(joker_places(sight.melds, sight.words))
    suit = card // 13
    for meld in sight.melds:
        if meld.suit in (SET, suit) and any(found == card for found, _, _ in additions(meld, sight.words)):
            return True
    if card in buying(sight) and (sight.rules.joker_swap_use == "free" or joker_places(sight.melds, sight.words)):
        return True
    return makes_meld(sight.hand, card, sight.words.set_duplicates)


# -- discarding -----------------------------------------------------------------------


#: The weight of a target by the number of cards that are missing after the jokers.
NEAR: Final = {**dict.fromkeys(range(-12, 1), 1.0), 1: 0.3, 2: 0.08, 3: 0.02, 4: 0.004}


def near_runs(sight: Sight, suit: int) -> list[tuple[int, float]]:
    """The runs of a suit that could open alone: the bits of their places, and how near they are."""
    held = sight.hand.first[suit]
    jokers = sight.hand.jokers
    left = sight.left
    row = RUN_CARD[suit]
    found = []
    for _, _, window in sight.tables.shortest:
        missing = window & ~held
        distance = missing.bit_count() - jokers
        if distance > 4 or missing == window:
            continue
        weight = NEAR[distance]
        spare = jokers
        while missing:
            place = missing.bit_length() - 1
            missing ^= 1 << place
            copies = left[row[place]]
            if copies == 1:
                weight *= 0.7
            elif not copies:
                # Only a joker can fill it.
                weight *= 0.25
                spare -= 1
        if spare >= 0:
            found.append((window, weight))
    return found


def near_sets(sight: Sight) -> list[float]:
    """How near a set of each rank is to opening alone."""
    hand, left = sight.hand, sight.left
    counts = hand.counts(sight.words.set_duplicates)
    found = [0.0] * 13
    for rank, need in enumerate(sight.tables.set_needs):
        copies = counts >> 4 * rank & 15
        distance = need - copies - hand.jokers
        if need and copies and distance <= 4:
            more = left[rank] + left[13 + rank] + left[26 + rank] + left[39 + rank]
            if more >= distance:
                found[rank] = NEAR[distance] * (0.3 + 0.15 * more)
    return found


def usefulness(sight: Sight) -> dict[Card, float]:
    """What each natural card of the hand is worth for the single meld that is to open."""
    runs = [near_runs(sight, suit) for suit in range(4)]
    sets = near_sets(sight)
    useful = {}
    for card in sight.view.hand:
        if card != JOKER:
            suit, bits = SUIT_BITS[card]
            worth = sets[card % 13]
            for window, weight in runs[suit]:
                if window & bits:
                    worth += weight
            useful[card] = worth
    return useful


def outs(sight: Sight, card: Card) -> int:
    """How many cards that may still come would make a meld of this card and another one of the hand."""
    suit, rank = divmod(card, 13)
    first, second = sight.hand.first, sight.hand.second
    left = sight.left
    doubles = sight.words.set_duplicates
    bit = 1 << rank + 1
    total = copies = more = 0
    for other in range(4):
        if first[other] & bit:
            copies += 2 if doubles and second[other] & bit else 1
            if doubles:
                more += left[13 * other + rank]
        else:
            more += left[13 * other + rank]
    if copies > 1:
        total += more
    # One place further on either side, so that the neighbours of an ace need no special care.
    held = first[suit] << 2
    row = RUN_CARD[suit]
    for place in (HIGH_ACE, 0) if rank == ACE else (rank + 1,):
        around = held >> place & 0b11011
        if around & 0b00010:
            total += left[row[place - 2]] if place > 1 else 0
            total += left[row[place + 1]] if place < HIGH_ACE else 0
        elif around & 0b00001:
            total += left[row[place - 1]]
        if around & 0b01000:
            total += left[row[place + 2]] if place < HIGH_ACE - 1 else 0
            total += left[row[place - 1]] if place > 0 else 0
        elif around & 0b10000:
            total += left[row[place + 1]]
    return total


def feeding(sight: Sight) -> set[Card]:
    """The cards that an opponent who has opened could lay off."""
    if not any(opened and seat != sight.seat for seat, opened in enumerate(sight.view.opened)):
        return set()
    return {card for meld in sight.melds for card, _, _ in additions(meld, sight.words)}


def buying(sight: Sight) -> set[Card]:
    """The cards that the seat, once it has opened, can swap for a joker of the table."""
    which = sight.rules.joker_swap
    return {
        card
        for owner, meld in zip(sight.view.owners, sight.melds, strict=True)
        if JOKER in meld.cards and which != "off" and (which == "any" or owner != sight.seat)
        for card, _ in swaps(meld, sight.words)
    }


def card_to_discard_before_single(sight: Sight) -> list[tuple[float, Card]]:
    """How much each natural card should be kept while a single meld has to open."""
    useful = usefulness(sight)
    value = sight.tables.in_hand
    best = max(useful.values(), default=0.0)
    if sight.somebody_low() and best < NEAR[1]:
        # Far from opening and about to pay: the dearest card first.
        return [(-value[card] + 9 * worth, card) for card, worth in useful.items()]
    return [(100 * worth + outs(sight, card) - 0.2 * value[card], card) for card, worth in useful.items()]


def card_to_discard_loose(sight: Sight, plan: Plan | None) -> list[tuple[float, Card]]:
    """How much each natural card should be kept when loose cards only cost points."""
    value = sight.tables.in_hand
    planned = [card for meld in plan.melds for card in meld.cards] if plan is not None else []
    dear = 1.5 if sight.somebody_low() else 0.4
    kept = []
    for card in dict.fromkeys(sight.view.hand):
        if card == JOKER:
            continue
        if card in planned and sight.view.hand.count(card) == planned.count(card):
            kept.append((200.0 - value[card], card))
            continue
        suit, bits = SUIT_BITS[card]
        loose = outs(sight, card) - dear * value[card]
        if sight.opened and sight.table.layable[suit] & bits:
            loose += 100.0
        kept.append((loose, card))
    return kept


def card_to_discard(sight: Sight, plan: Plan | None = None) -> Card:
    """The card to throw: the one that is least worth keeping and does not help an opponent."""
    if sight.opened or sight.rules.opening == "total":
        kept = card_to_discard_loose(sight, plan)
    else:
        kept = card_to_discard_before_single(sight)
    fed, bought = feeding(sight), buying(sight)
    best: Card | None = None
    best_key = 0.0
    for keep, card in kept:
        if not sight.may_discard(card):
            continue
        key = keep + (_FEEDS if card in fed else 0.0) + (_BUYS if card in bought else 0.0)
        if best is None or key < best_key:
            best, best_key = card, key
    return JOKER if best is None else best


# -- going out and laying -------------------------------------------------------------


def way_out(sight: Sight) -> tuple[Plan, Move | None] | None:
    """A plan that leaves one card at most to discard, and what has to be laid first for it."""
    if sight.size > _MOST_TO_GO_OUT:
        return None
    return _way_out(sight, sight.hand, sight.melds, sight.table)


def _way_out(sight: Sight, hand: Hand, melds: Sequence[Meld], table: Table) -> tuple[Plan, Move | None] | None:
    plan = best_plan(sight.tables, hand, table, fewest=True)
    if plan is None:
        return None
    loose = hand.jokers - plan.jokers
    if plan.number <= 1:
        places = len(joker_places(melds, sight.words)) + len(plan.melds) if loose else 0
        stay = plan.number + max(0, loose - (places if not sight.words.set_duplicates or not places else loose))
        return (plan, None) if stay <= 1 else None
    if plan.number > 1 + loose:
        return None
    # A joker can lead a run up to a loose card, or two of them can make a set with it.
    for number, stands in joker_places(melds, sight.words):
        grown = next(after for card, meant, after in additions(melds[number], sight.words) if meant == stands)
        rest = hand.less_a_joker()
        changed = [*melds[:number], grown, *melds[number + 1 :]]
        reach = laid_off(changed, rest, sight.words)
        if reach != table and _way_out(sight, rest, changed, reach) is not None:
            return plan, Move(ADD, (), JOKER, stands, number)
    if loose >= 2 and plan.number == 2 and not plan.melds and not sight.words.naturals_majority:
        for card in sight.view.hand:
            suit, bits = (0, 0) if card == JOKER else SUIT_BITS[card]
            if bits and not table.layable[suit] & bits:
                return plan, lay((Meld(SET, card % 13, (card, JOKER, JOKER)),))
    return None


def jokers_to_spend(sight: Sight) -> int:
    """How many jokers may go into melds before going out: none, as long as there is time to wait for natural cards."""
    return sight.hand.jokers if sight.view.owed or must_shed_jokers(sight) else 0


def must_shed_jokers(sight: Sight) -> bool:
    """Whether jokers are laid off at any price: an opponent is low, or the deal is old."""
    return sight.somebody_low() or sight.late()


def worthwhile_swap(sight: Sight, plan: Plan) -> Move | None:
    """The swap for a joker after which least stays in the hand, if that is less than ``plan`` leaves."""
    which = sight.rules.joker_swap
    if which == "off":
        return None
    best, least = None, _stays(plan)
    for number, meld in enumerate(sight.melds):
        if JOKER not in meld.cards or (which == "others" and sight.view.owners[number] == sight.seat):
            continue
        for card, changed in swaps(meld, sight.words):
            suit, bits = SUIT_BITS[card]
            move = Move(SWAP, (), card, -1, number)
            if not sight.hand.first[suit] & bits or sight.view.why_illegal(move) is not None:
                continue
            cards = list(sight.view.hand)
            cards[cards.index(card)] = JOKER
            hand = Hand(cards)
            table = laid_off([*sight.melds[:number], changed, *sight.melds[number + 1 :]], hand, sight.words)
            after = best_plan(sight.tables, hand, table, jokers=jokers_to_spend(sight) + 1)
            if after is not None and _stays(after) < least:
                best, least = move, _stays(after)
    return best


def _stays(plan: Plan) -> int:
    """How much of a hand a plan leaves, by value and number of its natural cards."""
    return plan.value + 4 * plan.number


def best_meld(sight: Sight, plan: Plan, holding: Card | None = None) -> Move | None:
    """The next meld of a plan; ``holding``: only one that holds this card."""
    for meld in plan.melds:
        if sight.leaves_enough(len(meld.cards)) and (holding is None or holding in meld.cards):
            return lay((meld,))
    return None


def natural_to_add(sight: Sight, only: Card | None = None) -> Move | None:
    """A natural card that fits a meld on the table, the dearest first."""
    if not sight.leaves_enough(1):
        return None
    best: Move | None = None
    dearest = 0
    for number, meld in enumerate(sight.melds):
        for card, _, _ in additions(meld, sight.words):
            if card == JOKER or (only is not None and card != only):
                continue
            suit, bits = SUIT_BITS[card]
            if sight.hand.first[suit] & bits and sight.tables.in_hand[card] > dearest:
                dearest = sight.tables.in_hand[card]
                best = Move(ADD, (), card, -1, number)
    return best


def joker_to_add(sight: Sight) -> Move | None:
    """A joker laid off where it is safest."""
    if not sight.hand.jokers or not sight.leaves_enough(1):
        return None
    place = safest_joker_place(sight)
    return None if place is None else Move(ADD, (), JOKER, place[1], place[0])


def what_is_owed(sight: Sight, plan: Plan) -> Move | None:
    """A swapped joker or the card taken from the pile is laid before anything else."""
    card = JOKER if sight.view.owed else sight.unpaid()
    if card is None:
        return None
    if card == JOKER:
        return best_meld(sight, plan, JOKER) or joker_to_add(sight)
    return best_meld(sight, plan, card) or natural_to_add(sight, card)


def lay(melds: tuple[Meld, ...]) -> Move:
    """Lay a meld, or several that open together."""
    return Move(MELD if len(melds) == 1 else OPEN, melds)


def only_needed(tables: Tables, melds: tuple[Meld, ...], must: Card | None = None) -> tuple[Meld, ...]:
    """The melds that an opening needs, in order: the others can be laid right afterwards."""
    kept = sorted(melds)
    for meld in sorted(melds, key=lambda meld: worth(meld, tables.words)):
        rest = [other for other in kept if other is not meld]
        if sum(worth(other, tables.words) for other in rest) >= tables.rules.opening_points and (
            must is None or any(must in other.cards for other in rest)
        ):
            kept = rest
    return tuple(kept)


# -- the bot --------------------------------------------------------------------------


class KalukiThumb(Bot):
    """Plays by rules of thumb."""

    name: ClassVar[str] = "rules-of-thumb"

    def act(self, view: View[Any], budget: Budget) -> Any:
        """Choose one of ``view.legal``, as a rule without listing them all."""
        assert isinstance(view, KalukiView)
        check_turn(view)
        sight = Sight(view)
        if view.phase == "draw":
            return self._draw(sight)
        return self._lay_or_discard(sight) if sight.opened else self._open_or_discard(sight)

    def _draw(self, sight: Sight) -> Move:
        """The top discard if it can be laid at once, else the stock."""
        card = sight.view.pile[-1]
        if sight.opened:
            if not can_use(sight, card):
                return DRAW_MOVE
            strict = sight.rules.discard_use == "must_use"
            return DRAW_MOVE if strict and sight.view.why_illegal(TAKE_MOVE) is not None else TAKE_MOVE
        melds = opening_melds(sight.tables, Hand((*sight.view.hand, card)), card)
        if not melds or not sight.leaves_enough(sum(len(meld.cards) for meld in melds) - 1):
            return DRAW_MOVE
        return Move(TAKE, melds)

    def _open_or_discard(self, sight: Sight) -> Move:
        melds = opening_melds(sight.tables, sight.hand)
        if melds and sight.leaves_enough(sum(len(meld.cards) for meld in melds)):
            return lay(melds)
        plan = best_plan(sight.tables, sight.hand) if sight.rules.opening == "total" else None
        return DISCARDS[card_to_discard(sight, plan)]

    def _lay_or_discard(self, sight: Sight) -> Move:
        out = way_out(sight)
        if out is None:
            plan = best_plan(sight.tables, sight.hand, sight.table, jokers=jokers_to_spend(sight))
            assert plan is not None
            first = None
        else:
            plan, first = out
        move = (
            what_is_owed(sight, plan)
            or first
            or (worthwhile_swap(sight, plan) if out is None else None)
            or best_meld(sight, plan)
            or natural_to_add(sight)
            or (joker_to_add(sight) if out is not None or must_shed_jokers(sight) else None)
            or DISCARDS[card_to_discard(sight, plan)]
        )
        if (sight.view.owed or sight.unpaid() is not None) and sight.view.why_illegal(move) is not None:
            # Something has to be laid that the plan did not see. Layings come before discards in the list.
            return sight.view.legal[0]
        return move
