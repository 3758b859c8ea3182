"""Drawing the hidden cards of Kaluki: uniform over the deals that agree with what a seat knows.

A world is the chance as it fell: the order of the pack that was dealt and of every reshuffled pile,
by faces, since equal cards are alike. A world agrees with a view if all that happened could have
happened in it, and each such world is as likely as any other. (Each order of faces stands for the
same number of orders of the physical cards, so this is uniform over those too.)

What was seen of another hand comes down to "at least" conditions. Each card that a seat laid or
discarded was held; of its hidden cards, counted up to that moment, at least so many had that face as
it used more than it had openly received. So of equal cards the ones that everybody knew of count as
gone first; that is no assumption but the weakest condition, and the only one that can be drawn. The
card taken from the pile that is discarded again in the same turn asks for one more: the seat held
another one before.

Hidden cards lie in pools: one for the cards as they were dealt, one for each reshuffle, whose cards
everybody knows. The places of a pool are the cards another seat was dealt or drew from it, in order,
and what is left of the stock. A draw starts by putting one card for every condition into a place that
came early enough, each such way being as likely as any other, and shuffling the rest over the rest.
With one pool that is already uniform, except that a hand with both copies of a face is met in two
ways where one copy was used. A Markov chain of exchanges, each accepted exactly when all conditions
still hold, makes it uniform: exchanging two cards of one pool, and after a reshuffle also exchanging
the roles of two equal cards of different pools. It runs for a number of steps that grows with
the number of cards whose origin is open, and not at all where there are none.

A turn in progress in another hand adds that it can still be ended; worlds where it cannot are drawn again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from typing import TYPE_CHECKING, Final

from meja.cards import JOKER, UNKNOWN, Card, Rng
from meja.deal import Chance, Layout
from meja.games.kaluki_turn import ADD, DISCARD, DRAW, SWAP, TAKE

if TYPE_CHECKING:
    from meja.games.kaluki import Kaluki

_STOCK: Final = -1
_DEALT: Final = -1
_LATE: Final = 1 << 30
#: Steps of the chain for each card whose origin is open: with one pool, and with several.
_STEPS: Final = 8
_STEPS_POOLS: Final = 40
_PACK: Final = Counter({**dict.fromkeys(range(52), 2), JOKER: 4})


class _Pool:
    """Cards that became hidden together, and the places they went to."""

    def __init__(self, cards: Counter[Card]) -> None:
        self.cards = cards
        #: Numbers of the places, and by seat those of one seat in the order of their times.
        self.places: list[int] = []
        self.by_seat: dict[int, list[int]] = {}
        self.times: dict[int, list[int]] = {}

    def add(self, place: int, seat: int, time: int) -> None:
        self.places.append(place)
        self.by_seat.setdefault(seat, []).append(place)
        self.times.setdefault(seat, []).append(time)


class Worlds:
    """What a seat knows of a deal, read once, and worlds drawn from it."""

    def __init__(self, blank: Kaluki, seat: int | None) -> None:
        """``blank``: a deal with nothing in it but what ``seat`` may know; it is not changed."""
        self.blank = blank
        self.seat = seat
        self.seats: list[int] = []
        self.times: list[int] = []
        #: By seat and face the moments by which a first, second ... hidden copy had to be there.
        self.needs: dict[tuple[int, Card], list[int]] = {}
        #: By draw the card, or ``~place`` where it is hidden.
        self.draws: list[int] = []
        #: Where each pool's draws begin.
        self.starts = [0]
        #: Copies of the card taken that came into the hand and left it since, in the turn in progress.
        self._since_taken = 0
        self._read()
        self._prepare()

    # -- reading the public history -----------------------------------------------

    def _read(self) -> None:
        blank, me = self.blank, self.seat
        rules, seats = blank.rules, blank.rules.seats
        shuffles = rules.stock_out != "turn_over"
        received = [Counter[Card]() for _ in range(seats)]
        used = [Counter[Card]() for _ in range(seats)]
        dealt = _Pool(_PACK.copy())
        dealt.cards[blank.upcard] -= 1
        self.pools = [dealt]
        pool: _Pool | None = dealt
        for seat in range(seats):
            if seat != me:
                for _ in range(rules.cards):
                    self._place(dealt, seat, _DEALT)
        pile = [blank.upcard]
        left = 107 - rules.cards * seats
        taken, laid, owed, took, short = -1, False, 0, 0, 0

        def need(seat: int, card: Card, number: int, time: int) -> None:
            moments = self.needs.setdefault((seat, card), [])
            while len(moments) < number:
                moments.append(time)

        def use(seat: int, card: Card, time: int) -> None:
            used[seat][card] += 1
            if seat != me:
                need(seat, card, used[seat][card] - received[seat][card], time)

        for time, (seat, move) in enumerate(blank.log):
            verb = move.verb
            if verb == DRAW:
                if len(self.draws) == len(blank.drawn):
                    break
                if not left:
                    under = pile[:-1]
                    del pile[:-1]
                    left = len(under)
                    self.starts.append(len(self.draws))
                    pool = _Pool(Counter(under)) if shuffles else None
                    if pool is not None:
                        self.pools.append(pool)
                left -= 1
                taken = -1
                card = blank.drawn[len(self.draws)]
                if card == UNKNOWN:
                    assert pool is not None
                    self.draws.append(~self._place(pool, seat, time))
                    continue
                self.draws.append(card)
                received[seat][card] += 1
                if pool is not None:
                    pool.cards[card] -= 1
                continue
            if verb == TAKE:
                taken, laid, owed, took = pile.pop(), False, 0, time
                short = used[seat][taken] - received[seat][taken]
                received[seat][taken] += 1
                self._since_taken = 0
            if verb == DISCARD:
                card = move.card
                if card == taken and not laid and seat != me:
                    need(seat, card, short + 1, took)
                use(seat, card, time)
                pile.append(card)
                taken, owed = -1, 0
                continue
            cards = (move.card,) if verb in (ADD, SWAP) else tuple(card for meld in move.melds for card in meld.cards)
            for card in cards:
                use(seat, card, time)
                if card == taken:
                    self._since_taken -= 1
                if card == JOKER and owed:
                    owed -= 1
                elif card == taken:
                    laid = True
            if verb == SWAP:
                received[seat][JOKER] += 1
                if rules.joker_swap_use == "immediate":
                    owed += 1
                if taken == JOKER:
                    self._since_taken += 1
        if blank.winner >= 0:
            # The hands were shown at the end.
            for seat in range(seats):
                if seat != me:
                    for card in blank.hand(seat):
                        use(seat, card, _LATE)
        #: By seat the cards that came and went openly: a number for each face.
        self.open = [
            [got[card] - gone[card] for card in range(JOKER + 1)] for got, gone in zip(received, used, strict=True)
        ]
        self.mine: tuple[Card, ...] = ()
        if me is not None:
            mine = Counter(blank.hand(me))
            mine.update(used[me])
            mine.subtract(received[me])
            self.mine = tuple(mine.elements())
            dealt.cards.subtract(self.mine)
        self.rest: list[int] = []
        if pool is not None:
            self.rest = [self._place(pool, _STOCK, _LATE) for _ in blank.stock]

    def _place(self, pool: _Pool, seat: int, time: int) -> int:
        place = len(self.seats)
        self.seats.append(seat)
        self.times.append(time)
        pool.add(place, seat, time)
        return place

    def _prepare(self) -> None:
        """What all worlds share: the conditions as tokens, and the cards that the chain must move."""
        self.tokens = [(seat, card, moment) for (seat, card), moments in self.needs.items() for moment in moments]
        total = Counter[Card]()
        for pool in self.pools:
            total.update(pool.cards)
        if len(self.pools) == 1:
            # One hidden copy leaves nothing open.
            self.moved = {card for _, card, _ in self.tokens if total[card] > 1}
        else:
            self.moved = {card for _, card, _ in self.tokens}
        self.doubled = [
            card for card in sorted(self.moved) if sum(pool.cards[card] > 0 for pool in self.pools) > 1
        ]  # fmt: skip
        turn = self.blank
        self.watched = turn.to_act is not None and turn.to_act != self.seat and turn.playing and (
            turn.owed > 0 or (turn.taken >= 0 and not turn.laid)
        )  # fmt: skip

    # -- drawing ------------------------------------------------------------------

    def draw(self, rng: Rng) -> Kaluki:
        """A world by chance; what happens after the present is new chance from ``rng``."""
        while True:
            deal = self._build(self._faces(rng), rng)
            if not self.watched or deal.to_act is None or deal._can_end(deal.to_act):
                return deal

    def _faces(self, rng: Rng) -> list[Card]:
        """The card of every place."""
        faces: list[Card] = [UNKNOWN] * len(self.seats)
        chosen = [0] * len(self.tokens) if len(self.pools) == 1 else self._choose_pools(rng)
        for number, pool in enumerate(self.pools):
            cards = pool.cards.copy()
            by_seat: dict[int, list[tuple[int, Card]]] = {}
            for token, which in zip(self.tokens, chosen, strict=True):
                if which == number:
                    seat, card, moment = token
                    by_seat.setdefault(seat, []).append((moment, card))
                    cards[card] -= 1
            for seat, wanted in by_seat.items():
                wanted.sort()
                free: list[int] = []
                seen = 0
                places, times = pool.by_seat[seat], pool.times[seat]
                for moment, card in wanted:
                    while seen < len(places) and times[seen] <= moment:
                        free.append(places[seen])
                        seen += 1
                    pick = rng.below(len(free))
                    free[pick], free[-1] = free[-1], free[pick]
                    faces[free.pop()] = card
            others = list(cards.elements())
            rng.shuffle(others)
            others_next = iter(others)
            for place in pool.places:
                if faces[place] == UNKNOWN:
                    faces[place] = next(others_next)
        if self.moved:
            _Chain(self, faces, rng).run()
        return faces

    def _choose_pools(self, rng: Rng) -> list[int]:
        """For every condition a pool that its card may have come from, so that all can be met together.

        A search by least conflicts; the chain forgets where it started.
        """
        options = []
        for seat, card, moment in self.tokens:
            options.append(
                [
                    number
                    for number, pool in enumerate(self.pools)
                    if pool.cards[card] > 0 and pool.times.get(seat) and pool.times[seat][0] <= moment
                ]
            )
        chosen = [rng.choice(option) for option in options]
        while True:
            bad = self._conflicts(chosen)
            if not bad:
                return chosen
            token = rng.choice(bad)
            if rng.below(8) == 0:
                chosen[token] = rng.choice(options[token])
                continue
            best: list[int] = []
            least = _LATE
            for option in options[token]:
                chosen[token] = option
                cost = len(self._conflicts(chosen))
                if cost < least:
                    best, least = [option], cost
                elif cost == least:
                    best.append(option)
            chosen[token] = rng.choice(best)

    def _conflicts(self, chosen: list[int]) -> list[int]:
        """The conditions that share a pool with more than it can serve."""
        by_face: dict[tuple[int, Card], list[int]] = {}
        by_seat: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for token, pool in enumerate(chosen):
            seat, card, moment = self.tokens[token]
            by_face.setdefault((pool, card), []).append(token)
            by_seat.setdefault((pool, seat), []).append((moment, token))
        bad = []
        for (number, card), tokens in by_face.items():
            if len(tokens) > self.pools[number].cards[card]:
                bad += tokens
        for (number, seat), wanted in by_seat.items():
            wanted.sort()
            times = self.pools[number].times[seat]
            for count, (moment, _) in enumerate(wanted, 1):
                if bisect_right(times, moment) < count:
                    bad += [token for _, token in wanted[:count]]
                    break
        return bad

    def _build(self, faces: list[Card], rng: Rng) -> Kaluki:
        blank, me = self.blank, self.seat
        rules, seats = blank.rules, blank.rules.seats
        deal = blank.clone()
        hands: list[list[Card]] = [[] for _ in range(seats)]
        counts = [line[:] for line in self.open]
        for place, seat in enumerate(self.seats):
            if seat >= 0:
                counts[seat][faces[place]] += 1
                if self.times[place] == _DEALT:
                    hands[seat].append(faces[place])
        for seat in range(seats):
            if seat == me:
                continue
            one = two = 0
            bit = 1
            for number in counts[seat][:JOKER]:
                if number:
                    one |= bit
                    if number > 1:
                        two |= bit
                bit <<= 1
            deal.one[seat], deal.two[seat], deal.jokers[seat] = one, two, counts[seat][JOKER]
        if me is not None:
            hands[me] = list(self.mine)
        deal.drawn = [card if card >= 0 else faces[~card] for card in self.draws]
        rest = [faces[place] for place in self.rest]
        if self.rest:
            deal.stock = rest[::-1]
        ends = [*self.starts[1:], len(deal.drawn)]
        orders = [tuple(deal.drawn[start:end]) for start, end in zip(self.starts, ends, strict=True)]
        orders[-1] += tuple(deal.stock[::-1])
        deal.first = Layout(tuple(tuple(hand) for hand in hands), (), blank.upcard, orders[0])
        deal.shuffles = orders[1:] if rules.stock_out == "shuffle" else []
        deal.chance = Chance(rng.fork())
        actor = deal.to_act
        if actor is not None and actor != me and deal.playing and deal.taken >= 0:
            deal.held = counts[actor][deal.taken] - 1 - self._since_taken > 0
        return deal


class _Chain:
    """Exchanges of cards that keep all conditions, with the uniform distribution as their own."""

    def __init__(self, worlds: Worlds, faces: list[Card], rng: Rng) -> None:
        self.worlds = worlds
        self.faces = faces
        self.rng = rng
        self.seats = worlds.seats
        self.times = worlds.times
        #: The moments at which copies came, for every seat and face with a condition.
        self.came: dict[tuple[int, Card], list[int]] = {key: [] for key in worlds.needs}
        #: The cards that are moved, by number: where each lies, and which number lies at a place.
        self.at: list[int] = []
        self.number: dict[int, int] = {}
        self.pool_of: list[_Pool] = []
        for pool in worlds.pools:
            for place in pool.places:
                face = faces[place]
                moments = self.came.get((self.seats[place], face))
                if moments is not None:
                    moments.append(self.times[place])
                if face in worlds.moved:
                    self.number[place] = len(self.at)
                    self.at.append(place)
                    self.pool_of.append(pool)
        for moments in self.came.values():
            moments.sort()

    def run(self) -> None:
        rng, at = self.rng, self.at
        several = len(self.worlds.pools) > 1
        crossing = several and bool(self.worlds.doubled)
        for _ in range(len(at) * (_STEPS_POOLS if several else _STEPS)):
            if crossing and rng.below(3) == 0:
                self._cross()
                continue
            number = rng.below(len(at))
            places = self.pool_of[number].places
            one, two = at[number], places[rng.below(len(places))]
            if self.faces[one] != self.faces[two]:
                self._exchange(one, two)
                if not (self._holds(one, two)):
                    self._exchange(one, two)

    def _exchange(self, one: int, two: int) -> None:
        """Exchange the cards of two places of a pool."""
        faces, came = self.faces, self.came
        first, second = faces[one], faces[two]
        seat_one, seat_two = self.seats[one], self.seats[two]
        time_one, time_two = self.times[one], self.times[two]
        for key, gone, new in (
            ((seat_one, first), time_one, None),
            ((seat_one, second), None, time_one),
            ((seat_two, second), time_two, None),
            ((seat_two, first), None, time_two),
        ):
            moments = came.get(key)
            if moments is not None:
                if gone is not None:
                    moments.remove(gone)
                elif new is not None:
                    moments.append(new)
                    moments.sort()
        faces[one], faces[two] = second, first
        numbers = self.number
        number_one, number_two = numbers.pop(one, None), numbers.pop(two, None)
        if number_one is not None:
            numbers[two] = number_one
            self.at[number_one] = two
        if number_two is not None:
            numbers[one] = number_two
            self.at[number_two] = one

    def _holds(self, *places: int) -> bool:
        """Whether the conditions of the cards that lie at or have left these places hold."""
        needs, came = self.worlds.needs, self.came
        seats = {self.seats[place] for place in places}
        cards = {self.faces[place] for place in places}
        for seat in seats:
            for card in cards:
                wanted = needs.get((seat, card))
                if wanted is not None:
                    moments = came[seat, card]
                    if len(moments) < len(wanted):
                        return False
                    for moment, deadline in zip(moments, wanted, strict=False):
                        if moment > deadline:
                            return False
        return True

    def _cross(self) -> None:
        """Try to let two equal cards of different pools change their roles: each goes to the other one's seat."""
        rng = self.rng
        card = rng.choice(self.worlds.doubled)
        copies = [number for number, place in enumerate(self.at) if self.faces[place] == card]
        one, two = rng.choice(copies), rng.choice(copies)
        pool_one, pool_two = self.pool_of[one], self.pool_of[two]
        here, there = self.at[one], self.at[two]
        seat_one, seat_two = self.seats[here], self.seats[there]
        if pool_one is pool_two or seat_one == seat_two:
            return
        to_one, to_two = pool_one.by_seat.get(seat_two), pool_two.by_seat.get(seat_one)
        if not to_one or not to_two:
            return
        new_here, new_there = rng.choice(to_one), rng.choice(to_two)
        if self.faces[new_here] == card or self.faces[new_there] == card:
            return
        # Hastings: the way back picks among the places of the seats the cards came from.
        forth = len(to_one) * len(to_two)
        back = len(pool_one.by_seat[seat_one]) * len(pool_two.by_seat[seat_two])
        if forth < back and rng.below(back) >= forth:
            return
        self._exchange(here, new_here)
        self._exchange(there, new_there)
        if not self._holds(here, new_here, there, new_there):
            self._exchange(there, new_there)
            self._exchange(here, new_here)
