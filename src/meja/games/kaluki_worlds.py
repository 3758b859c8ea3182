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

from bisect import bisect_right, insort
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
_STEPS_POOLS: Final = 24
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
        #: By place the seat it belongs to (-1: the stock), when the card came, and its pool.
        self.seats: list[int] = []
        self.times: list[int] = []
        self.pool_at: list[int] = []
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
        taken, laid, freed, owed, took, short = -1, False, False, 0, 0, 0

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
                taken, laid, freed, owed, took = pile.pop(), False, False, 0, time
                short = used[seat][taken] - received[seat][taken]
                received[seat][taken] += 1
                self._since_taken = 0
            if verb == DISCARD:
                card = move.card
                if card == taken and not laid and not freed and seat != me:
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
                elif taken == JOKER:
                    freed = True
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
        self.pool_at.append(len(self.pools) - 1)
        pool.add(place, seat, time)
        return place

    def _prepare(self) -> None:
        """What all worlds share: the conditions as tokens, and the cards that the chain must move."""
        self.base = [seat + 1 << 6 for seat in self.seats]
        #: By place all places of its seat and pool.
        self.seat_places = [self.pools[self.pool_at[place]].by_seat[seat] for place, seat in enumerate(self.seats)]
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
        return _PoolChoice(self, rng).run()

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
        # At the end the hands lie open.
        for seat in range(seats) if blank.winner < 0 else ():
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
            deal.held = deal.freed or counts[actor][deal.taken] - 1 - self._since_taken > 0
        return deal


class _PoolChoice:
    """A search for pools that the cards of all conditions may have come from together.

    Each face's copies are always given out rightly; what is searched is that no seat needs more
    cards of a pool than it had places for, at any time.
    """

    def __init__(self, worlds: Worlds, rng: Rng) -> None:
        self.rng = rng
        self.pools = worlds.pools
        self.tokens = worlds.tokens
        self.chosen = [0] * len(self.tokens)
        self.options = [self._options(*token) for token in self.tokens]
        self.by_face: dict[Card, list[int]] = {}
        for token, (_, card, _) in enumerate(self.tokens):
            self.by_face.setdefault(card, []).append(token)
        #: By pool and seat the moments of the conditions that are to be met there, ascending.
        self.wanted: dict[tuple[int, int], list[int]] = {}
        self.spare: dict[tuple[int, Card], int] = {}

    def _options(self, seat: int, card: Card, moment: int) -> list[int]:
        return [
            number
            for number, pool in enumerate(self.pools)
            if pool.cards[card] > 0 and pool.times.get(seat) and pool.times[seat][0] <= moment
        ]

    def run(self) -> list[int]:
        for card, tokens in self.by_face.items():
            for number, pool in enumerate(self.pools):
                self.spare[number, card] = pool.cards[card]
            self.rng.shuffle(tokens)
            tokens.sort(key=lambda token: len(self.options[token]))
            self._give_out(card, tokens, 0)
        for token, (seat, _, moment) in enumerate(self.tokens):
            self.wanted.setdefault((self.chosen[token], seat), []).append(moment)
        for moments in self.wanted.values():
            moments.sort()
        open_tokens = [token for token, options in enumerate(self.options) if len(options) > 1]
        crowded = {key for key in self.wanted if self._excess(key)}
        while crowded:
            token = self.rng.choice(open_tokens)
            if (self.chosen[token], self.tokens[token][0]) in crowded or self.rng.below(16) == 0:
                self._try(token, crowded)
        return self.chosen

    def _give_out(self, card: Card, tokens: list[int], index: int) -> bool:
        """Give every condition of a face a copy of its own, whatever the places."""
        if index == len(tokens):
            return True
        token = tokens[index]
        options = self.options[token][:]
        self.rng.shuffle(options)
        for number in options:
            if self.spare[number, card]:
                self.spare[number, card] -= 1
                self.chosen[token] = number
                if self._give_out(card, tokens, index + 1):
                    return True
                self.spare[number, card] += 1
        return False

    def _excess(self, key: tuple[int, int]) -> int:
        """By how many cards a seat's conditions are more than its places of a pool."""
        moments = self.wanted.get(key)
        if not moments:
            return 0
        times = self.pools[key[0]].times.get(key[1], [])
        return max(0, *(count - bisect_right(times, moment) for count, moment in enumerate(moments, 1)))

    def _move(self, token: int, number: int) -> None:
        seat, _, moment = self.tokens[token]
        self.wanted[self.chosen[token], seat].remove(moment)
        insort(self.wanted.setdefault((number, seat), []), moment)
        self.chosen[token] = number

    def _try(self, token: int, crowded: set[tuple[int, int]]) -> None:
        """Let a condition look to another pool, in exchange with one of the same face where no copy is free."""
        rng = self.rng
        seat, card, _ = self.tokens[token]
        old, new = self.chosen[token], rng.choice(self.options[token])
        if new == old:
            return
        other = token
        touched = [(old, seat), (new, seat)]
        if not self.spare[new, card]:
            others = [t for t in self.by_face[card] if self.chosen[t] == new and old in self.options[t]]
            if not others:
                return
            other = rng.choice(others)
            touched += [(old, self.tokens[other][0]), (new, self.tokens[other][0])]
        keys = set(touched)
        before = sum(map(self._excess, keys))
        self._move(token, new)
        if other != token:
            self._move(other, old)
        if sum(map(self._excess, keys)) > before and rng.below(10):
            self._move(token, old)
            if other != token:
                self._move(other, new)
            return
        if other == token:
            self.spare[new, card] -= 1
            self.spare[old, card] += 1
        for key in keys:
            if self._excess(key):
                crowded.add(key)
            else:
                crowded.discard(key)


class _Chain:
    """Exchanges of cards that keep all conditions, with the uniform distribution as their own."""

    def __init__(self, worlds: Worlds, faces: list[Card], rng: Rng) -> None:
        self.worlds = worlds
        self.faces = faces
        self.rng = rng
        size = len(worlds.blank.sizes) + 1 << 6
        #: By ``base[place] | face``: the moments by which copies had to be there, and at which they came.
        self.base = worlds.base
        self.times = worlds.times
        self.needs: list[list[int] | None] = [None] * size
        self.came: list[list[int]] = [[] for _ in range(size)]
        for (seat, card), moments in worlds.needs.items():
            self.needs[seat + 1 << 6 | card] = moments
        #: The cards that are moved, by number: where each lies, and which number lies at a place or -1.
        self.at: list[int] = []
        self.number = [-1] * len(faces)
        self.places_of: list[list[int]] = []
        #: The numbers of the cards that lie in several pools, and those of each such face.
        self.doubled: list[int] = []
        self.alike: dict[Card, list[int]] = {card: [] for card in worlds.doubled}
        for pool in worlds.pools:
            for place in pool.places:
                face = faces[place]
                if self.needs[self.base[place] | face] is not None:
                    self.came[self.base[place] | face].append(self.times[place])
                if face in worlds.moved:
                    if face in self.alike:
                        self.doubled.append(len(self.at))
                        self.alike[face].append(len(self.at))
                    self.number[place] = len(self.at)
                    self.at.append(place)
                    self.places_of.append(pool.places)
        for came in self.came:
            came.sort()

    def run(self) -> None:
        below, at, faces, number_at = self.rng.below, self.at, self.faces, self.number
        base, needs, came, places_of = self.base, self.needs, self.came, self.places_of
        seat_places_of = self.worlds.seat_places
        several = len(self.worlds.pools) > 1
        crossing = bool(self.doubled)
        far = 2 if several else 4
        count = len(at)
        for _ in range(count * (_STEPS_POOLS if several else _STEPS)):
            if crossing and below(4) == 0:
                self._cross()
                continue
            number = below(count)
            one = at[number]
            # Places of the same seat are few and nearly always possible, so they get a share of the tries.
            places = places_of[number] if below(far) else seat_places_of[one]
            two = places[below(len(places))]
            first, second = faces[one], faces[two]
            if first == second:
                continue
            here, there = base[one], base[two]
            if here != there:
                # Most exchanges fail here: the last copy that is needed would leave its seat.
                wanted = needs[here | first]
                if wanted is not None and len(came[here | first]) <= len(wanted):
                    continue
                wanted = needs[there | second]
                if wanted is not None and len(came[there | second]) <= len(wanted):
                    continue
            elif needs[here | first] is None and needs[here | second] is None:
                faces[one], faces[two] = second, first
                other = number_at[two]
                at[number] = two
                number_at[two] = number
                number_at[one] = other
                if other >= 0:
                    at[other] = one
                continue
            self._exchange(one, two)
            if (
                not self._holds(here | first)
                or not self._holds(there | second)
                or (here == there and not (self._holds(here | second)))
            ):
                self._exchange(one, two)

    def _exchange(self, one: int, two: int) -> None:
        """Exchange the cards of two places of a pool."""
        faces, came, needs = self.faces, self.came, self.needs
        first, second = faces[one], faces[two]
        here, there = self.base[one], self.base[two]
        if needs[here | first] is not None:
            came[here | first].remove(self.times[one])
        if needs[there | second] is not None:
            came[there | second].remove(self.times[two])
        if needs[here | second] is not None:
            insort(came[here | second], self.times[one])
        if needs[there | first] is not None:
            insort(came[there | first], self.times[two])
        faces[one], faces[two] = second, first
        number_one, number_two = self.number[one], self.number[two]
        self.number[one], self.number[two] = number_two, number_one
        if number_one >= 0:
            self.at[number_one] = two
        if number_two >= 0:
            self.at[number_two] = one

    def _holds(self, key: int) -> bool:
        """Whether the conditions of a seat and face hold."""
        wanted = self.needs[key]
        if wanted is None:
            return True
        came = self.came[key]
        if len(came) < len(wanted):
            return False
        return all(moment <= deadline for moment, deadline in zip(came, wanted, strict=False))

    def _cross(self) -> None:
        """Try to let two equal cards of different pools change their roles: each goes to the other one's seat."""
        rng, faces, base = self.rng, self.faces, self.base
        pools = self.worlds.pools
        here = self.at[rng.choice(self.doubled)]
        card = faces[here]
        there = self.at[rng.choice(self.alike[card])]
        pool_one, pool_two = pools[self.worlds.pool_at[here]], pools[self.worlds.pool_at[there]]
        if pool_one is pool_two or base[here] == base[there]:
            return
        seat_one, seat_two = (base[here] >> 6) - 1, (base[there] >> 6) - 1
        to_one, to_two = pool_one.by_seat.get(seat_two), pool_two.by_seat.get(seat_one)
        if not to_one or not to_two:
            return
        new_here, new_there = rng.choice(to_one), rng.choice(to_two)
        second, third = faces[new_here], faces[new_there]
        if card in (second, third):
            return
        # Hastings: the way back picks among the places of the seats the cards came from.
        forth = len(to_one) * len(to_two)
        back = len(pool_one.by_seat[seat_one]) * len(pool_two.by_seat[seat_two])
        if forth < back and rng.below(back) >= forth:
            return
        self._exchange(here, new_here)
        self._exchange(there, new_there)
        if not all(self._holds(seat | face) for seat in (base[here], base[there]) for face in (card, second, third)):
            self._exchange(there, new_there)
            self._exchange(here, new_here)
