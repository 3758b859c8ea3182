"""Calabresella solved: what the soloist gets when all cards are known and everybody plays his best.

Players are numbered from the soloist: 0, then the two partners in playing order. A hand is a mask of 40 bits, ten
a suit, from the four up to the three: within a suit the higher bit beats the lower. Values are thirds of a point that
the soloist takes from here on, the last trick's point and the monte among them.

The search asks "at least so many thirds?" and lets the answers meet at the value. A node is a lead. What it finds is
kept under a key that tells neither suits apart nor ranks between which nothing lies any more.
"""

from __future__ import annotations

from array import array
from typing import Any, Final

import meja.search.bits as bits
import meja.search.transpositions as transpositions
from meja.errors import MejaError
from meja.messages import msg
from meja.search.tricks import Tricks, position

try:
    import cython
except ImportError:
    from meja.search import uncompiled as cython

#: What the kernel says when it was cut short.
_UNKNOWN: Final = -99

_KIND: Final = 1
_FOLLOW: Final = 1
_SUIT: Final = 1023
_NOTHING: Final = 0
_NO_CARD: Final = 63
#: More thirds than there are, and what a bound says that tells nothing.
_MOST: Final = 60
_OPEN: Final = -1
#: Whole points by thirds: won from here on, all points of one side, some points.
_WON: Final = 18
_ALL: Final = 33
_SOME: Final = 3
#: Where the moves of a depth start in the list, and those of a place in the trick.
_DEPTH: Final = 48
_PLACE: Final = 16
_ROOT: Final = 13 * _DEPTH
#: A key has 52 bits, which are mixed so that nothing is lost. An entry holds them but for eleven that its place in the
#: table tells, and five bits of age, six each of the card, the upper and the lower bound.
_KEY: Final = (1 << 52) - 1
_FIRST: Final = 0x9E3779B97F4A7
_SECOND: Final = 0xBF58476D1CE4F
_TOLD: Final = 12
_AGES: Final = 31
#: From so many cards on it pays to look first whether what is known already answers the question.
_PROBE: Final = 8
#: What a lead weighs more that was good the last time with as many cards; one that is known to be good here; and
#: what stops weights from growing.
_RECENT: Final = 400
_KNOWN: Final = 1 << 22
_ENOUGH: Final = 1 << 24

#: What was taken so far, where that matters beside the thirds: by both sides, by neither, by one side only.
_BOTH: Final = 0
_NEITHER: Final = 1
_SOLO_ONLY: Final = 2
_PARTNERS_ONLY: Final = 3


def _worth(card: int) -> int:
    """The thirds of a card by its code."""
    rank = card % 10
    return 3 if rank == 7 else 1 if rank > 3 else 0


def _worths(mask: int) -> list[int]:
    return sorted(_worth(rank) for rank in range(10) if mask >> rank & 1)


#: By card: its bit, its suit, its thirds.
_BIT: Final = [1 << card for card in range(64)]
_SUIT_OF: Final = [card // 10 for card in range(40)]
_VALUE: Final = [_worth(card) for card in range(40)]
_SUIT_MASK: Final = [_SUIT << 10 * suit for suit in range(4)]
#: By the mask of a suit: how many cards, their thirds, the ranks above all of them and below all of them.
_COUNT: Final = [mask.bit_count() for mask in range(1024)]
_THIRDS: Final = [sum(_worths(mask)) for mask in range(1024)]
_ABOVE: Final = [1023 >> mask.bit_length() << mask.bit_length() for mask in range(1024)]
_BELOW: Final = [((mask & -mask) - 1) & 1023 for mask in range(1024)]
#: By mask and number (``mask << 4 | number``): the thirds of that many of its least, and of its most valuable cards.
_LEAST: Final = [sum(worths[:count]) for worths in map(_worths, range(1024)) for count in range(16)]
_GREATEST: Final = [sum(worths[::-1][:count]) for worths in map(_worths, range(1024)) for count in range(16)]
#: The ranks that are worth one third.
_ONES: Final = 0b1101110000


class CalabresellaSolver:
    """A position inside the play of Calabresella, and a table of what the search has found.

    One solver serves many positions, one after another, in one thread. ``nodes`` counts the leads searched since the
    position was loaded. With ``limit`` nodes (0: any number), or ``stopped`` set by another thread, a search ends
    without an answer.
    """

    def __init__(self, table_bits: int = 18) -> None:
        """A solver with ``2 ** table_bits`` places for leads, 8 bytes each."""
        if not _TOLD <= table_bits <= 26:
            raise MejaError(msg("table_bits must be from 12 to 26, not {found}", found=table_bits))
        self.slots = (1 << table_bits) - 1
        self.table = array("Q", bytes(8 << table_bits))
        self.form = [0] * 4096
        self.codes = [0] * 4096
        self.places = [0] * 8192
        self.forms = 0
        self.loads = 0
        self.age = 0
        self.moves = [0] * 672
        self.history = [0] * 192
        self.hand = [0, 0, 0]
        self.power = [0] * 52
        self.card_of = [0] * 40
        self.nodes = 0
        self.limit = 0
        self.cut = 0
        self.stopped = 0
        self.follow = 0
        self.slams = 0
        self.stake = 0
        self.turn = -1
        self.taken = 0
        self.tricks = 0
        self.lost = 0
        self.in_trick = 0
        self.first = self.second = 0
        self.x = self.y = self.z = 0
        self.solo = 0
        self.rest = 0
        self.depth = 0
        self.recent = [0] * 64
        self.good = [0] * 16
        self.probing = 0
        self.wanted = 0
        self.over = 0
        self.count = -1
        self.choice = _NO_CARD

    # -- a position ---------------------------------------------------------------

    def load(self, game: Tricks) -> None:
        """Take a position of Calabresella in play, with everybody's cards."""
        seat = game.bidder
        self.turn = -1
        self.in_trick = game.in_trick
        self.slams = game.slams
        self.stake = 2 * game.bid
        self.taken = game.taken[seat]
        self.tricks = game.tricks[seat]
        self.lost = -self.tricks
        for other in range(game.seats):
            self.lost += game.tricks[other]
        self.follow = 1 if game.duty == _FOLLOW else 0
        self.first = self.second = 0
        leader = 0
        for card in range(52):
            rank = game.power[card] - 1
            if 0 <= rank < 10:
                self.power[card] = card // 13 * 10 + rank
                self.card_of[card // 13 * 10 + rank] = card
        for player in range(3):
            self.hand[player] = self.packed(game.hands[seat])
            if seat == game.turn:
                self.turn = player
            if seat == game.leader:
                leader = player
                if game.in_trick > 0:
                    self.first = bits.lowest(self.packed(game.pile & game.played[seat]))
                if game.in_trick > 1:
                    self.second = bits.lowest(self.packed(game.pile & ~game.played[seat]))
            seat = game.after[seat]
        self.x = self.hand[leader]
        self.y = self.hand[(leader + 1) % 3]
        self.z = self.hand[(leader + 2) % 3]
        self.solo = (3 - leader) % 3
        self.rest = game.last if self.turn >= 0 else 0
        self.depth = bits.popcount(self.hand[self.turn]) if self.turn >= 0 else 0
        self.rest += self.lying()
        if self.turn < 0:
            last = self.lost == 1 if self.taken >= _WON else self.tricks == 1
            if (leader == 0) == (self.taken >= _WON):
                last = False
            self.over = self.paid(self.taken, self.kind(), last)
        self.clear()

    def lying(self) -> int:
        """The thirds of all cards in the hands and on the table."""
        thirds = 0
        for suit in range(4):
            thirds += _THIRDS[((self.x | self.y | self.z) >> (10 * suit)) & _SUIT]
        if self.in_trick > 0:
            thirds += _VALUE[self.first]
        if self.in_trick > 1:
            thirds += _VALUE[self.second]
        return thirds

    def clear(self) -> None:
        """Forget all about the position before."""
        self.nodes = 0
        self.cut = 0
        self.count = -1
        self.choice = _NO_CARD
        for index in range(192):
            self.history[index] = 0
        for index in range(64):
            self.recent[index] = _NO_CARD
        self.loads += 1
        self.forms = 0
        for suit in range(4):
            self.number(suit)
        self.renew()

    def packed(self, mask: int) -> int:
        """Cards of the pack as a mask of 40 bits."""
        found = _NOTHING
        while mask:
            found |= _BIT[self.power[bits.lowest(mask)]]
            mask &= mask - 1
        return found

    def renew(self) -> None:
        """Forget what the table holds."""
        self.age += 1
        if self.age > _AGES:
            self.age = 1
            for slot in range(self.slots + 1):
                self.table[slot] = _NOTHING

    def number(self, suit: int) -> None:
        """Number what may be left of a suit, alike where it is alike: ranks that nobody holds do not count."""
        shift = 10 * suit
        full = ((self.x | self.y | self.z) >> shift) & _SUIT
        base = suit << 10
        form = self.form
        mask = _NOTHING
        while True:
            code = _NOTHING
            if mask:
                card = shift + bits.lowest(mask)
                bit = _BIT[card]
                owner = 1 if self.hand[0] & bit else 2 if self.hand[1] & bit else 3
                code = (self.codes[form[base + (mask & (mask - 1))]] << 4) | (owner << 2) | _VALUE[card]
            place = ((code * _FIRST) >> 24) & 8191
            while self.places[place] >> 12 == self.loads and self.codes[self.places[place] & 4095] != code:
                place = (place + 1) & 8191
            if self.places[place] >> 12 != self.loads:
                self.places[place] = (self.loads << 12) | self.forms
                self.codes[self.forms] = code
                self.forms += 1
            form[base + mask] = self.places[place] & 4095
            mask = (mask - full) & full
            if not mask:
                break

    def key(self, union: int, kind: int) -> int:
        """The key of a lead: the forms of the suits in order, and who leads and what was taken (``kind``)."""
        form = self.form
        a = form[union & _SUIT]
        b = form[1024 + ((union >> 10) & _SUIT)]
        c = form[2048 + ((union >> 20) & _SUIT)]
        d = form[3072 + (union >> 30)]
        e = max(a, b)
        a = min(a, b)
        f = max(c, d)
        c = min(c, d)
        b = max(a, c)
        a = min(a, c)
        d = max(e, f)
        e = min(e, f)
        key = (a << 40) | (min(b, e) << 28) | (max(b, e) << 16) | (d << 4) | kind
        key = (key * _FIRST) & _KEY
        key ^= key >> 27
        key = (key * _SECOND) & _KEY
        return key ^ (key >> 25)

    # -- the search ---------------------------------------------------------------

    def lead(self, x: int, y: int, z: int, solo: int, rest: int, need: int, depth: int) -> int:
        """The soloist's thirds when x leads; right up to which side of ``need`` they are, and a bound beyond.

        ``solo`` is the soloist's place in playing order from the leader, ``rest`` what is still to be won.
        """
        if need <= 0:
            return 0
        if need > rest:
            return rest
        if not x & (x - 1):
            return self.last(x, y, z, solo, rest)
        if self.tired():
            return 0
        key = self.key(x | y | z, solo)
        slot = key & self.slots
        # The table is slow, and a bound may save looking.
        transpositions.fetch(self.table, slot)
        value = self.cashable(x, y, z, solo, rest, need, depth)
        if value != _OPEN:
            return value
        lower = 0
        upper = rest
        known = _NO_CARD
        tag = ((((key >> _TOLD) << 1) | (key & 1)) << 5) | self.age
        entry = self.table[slot]
        if entry >> 18 != tag:
            entry = self.table[slot ^ 1]
        if entry >> 18 == tag:
            lower = entry & 63
            upper = (entry >> 6) & 63
            known = (entry >> 12) & 63
            if lower >= need:
                return lower
            if upper < need:
                return upper
        value = self.kept(x, y, z, solo, rest, need, depth)
        if value != _OPEN:
            return value
        if self.probing:
            return 0 if self.probing == 1 else rest
        best = self.try_leads(x, y, z, solo, rest, need, depth, known)
        if self.cut:
            return 0
        if best >= need:
            lower = max(lower, best)
        else:
            upper = min(upper, best)
        entry = self.table[slot]
        if entry >> 18 != tag and (entry >> 18) & _AGES == self.age:
            self.table[slot ^ 1] = entry
        self.table[slot] = (tag << 18) | (self.good[depth] << 12) | (upper << 6) | lower
        return best

    def tired(self) -> bool:
        """Count a node; whether the search has to end without an answer."""
        self.nodes += 1
        if self.stopped or (self.limit and self.nodes > self.limit):
            self.cut = 1
        return self.cut != 0

    def cashable(self, x: int, y: int, z: int, solo: int, rest: int, need: int, depth: int) -> int:
        """The soloist's thirds where what can be cashed at once tells the side of ``need``; -1 where it does not."""
        if solo == 0:
            value = self.sure_solo(x, y, z, rest)
            if value >= need:
                return value
            if value == 0:
                value = self.beaten(x, y, z, rest, depth)
                if value < need:
                    return value
            return _OPEN
        other = y if solo == 2 else z
        mine = y if solo == 1 else z
        value = rest - self.sure_partners(x, other, mine, rest, depth)
        if value < need:
            return value
        if self.held(x, mine, x | other):
            value = self.sure_solo(mine, x, other, rest)
            if value >= need:
                return value
        return _OPEN

    def kept(self, x: int, y: int, z: int, solo: int, rest: int, need: int, depth: int) -> int:
        """The soloist's thirds where masters kept for later tell the side of ``need``; -1 where they do not."""
        if solo == 0:
            value = self.conceded(x, y, z, rest, depth)
            return value if value < need else _OPEN
        value = self.regained(x, y if solo == 2 else z, y if solo == 1 else z, depth)
        return value if value >= need else _OPEN

    def try_leads(self, x: int, y: int, z: int, solo: int, rest: int, need: int, depth: int, known: int) -> int:
        """The soloist's thirds with the best lead of x, which is put into ``good``."""
        base = depth * _DEPTH
        end = base + self.order_leads(x, y, z, solo, base, known)
        if depth >= _PROBE:
            value = self.probe_leads(x, y, z, solo, rest, need, depth, end)
            if self.cut or value != _OPEN:
                return value
        best = -1 if solo == 0 else _MOST
        for index in range(base, end):
            card = self.moves[index] & 63
            value = self.reply(x ^ _BIT[card], y, z, solo, rest, need, depth, card)
            if self.cut:
                return 0
            if value > best if solo == 0 else value < best:
                best = value
                self.good[depth] = card
                if (value >= need) == (solo == 0):
                    place = (solo << 6) + card
                    self.recent[(depth << 2) + solo] = card
                    self.history[place] = min(self.history[place] + depth * depth, _ENOUGH)
                    break
        return best

    def probe_leads(self, x: int, y: int, z: int, solo: int, rest: int, need: int, depth: int, end: int) -> int:
        """A lead that answers the question by what is known already, or -1: what is not known counts as the worst."""
        found = _OPEN
        self.probing = 1 if solo == 0 else 2
        for index in range(depth * _DEPTH, end):
            card = self.moves[index] & 63
            value = self.reply(x ^ _BIT[card], y, z, solo, rest, need, depth, card)
            if self.cut:
                break
            if (value >= need) == (solo == 0):
                found = value
                self.good[depth] = card
                self.recent[(depth << 2) + solo] = card
                break
        self.probing = 0
        return found

    def last(self, x: int, y: int, z: int, solo: int, rest: int) -> int:
        """The soloist's thirds in the last trick, where everybody has one card (or none: it has been played)."""
        winner = 0
        if x:
            within = _SUIT_MASK[_SUIT_OF[bits.lowest(x)]]
            top = x
            if y & within > top:
                top = y
                winner = 1
            if z & within > top:
                winner = 2
        return rest if winner == solo else 0

    def sure_solo(self, x: int, y: int, z: int, rest: int) -> int:
        """Thirds that the soloist, who leads, can cash at once."""
        gain = 0
        tricks = 0
        left = 0
        for _ in range(4):
            own = x & _SUIT
            if own:
                ys = y & _SUIT
                zs = z & _SUIT
                size = _COUNT[own]
                left += size
                tops = own & _ABOVE[ys | zs]
                if tops:
                    number = _COUNT[tops]
                    if self.follow:
                        if number >= _COUNT[ys] and number >= _COUNT[zs]:
                            # Nobody has a card of the suit any more.
                            tops = own
                            number = size
                        gain += _LEAST[(ys << 4) | number] + _LEAST[(zs << 4) | number]
                    tricks += number
                    gain += _THIRDS[tops]
            x >>= 10
            y >>= 10
            z >>= 10
        return rest if tricks == left else gain

    def cashed(self, own: int, partner: int, solo: int) -> int:
        """What a partner with the lead can cash in a suit without losing it: tricks, and thirds from bit 4 on."""
        tops = own & _ABOVE[solo]
        if not tops:
            return 0
        number = _COUNT[tops]
        low = partner & _BELOW[tops]
        if not self.follow:
            return (_THIRDS[tops] << 4) | number
        lows = _COUNT[low]
        gain = _THIRDS[tops]
        if low == partner:
            if number >= _COUNT[solo] and number >= lows:
                # Nobody else has a card of the suit any more.
                gain = _THIRDS[own]
                number = _COUNT[own]
        elif number > lows:
            # The other one would have to take over the next one.
            number = lows
            gain = _LEAST[(tops << 4) | number]
        gain += _LEAST[(solo << 4) | number] + _GREATEST[(low << 4) | number]
        return (gain << 4) | number

    def sure_partners(self, x: int, partner: int, solo: int, rest: int, left: int) -> int:
        """Thirds that the partners can cash when x leads: x in some suits, then the other one, let in, in the rest."""
        alone = 0
        alone_tricks = 0
        both = 0
        both_tricks = 0
        crossed = False
        entered = False
        # What it costs to leave a suit that lets the other one in to him, where none is left to him anyway.
        loss = _MOST
        loss_tricks = 0
        aces = 0
        ones = 0
        for _ in range(4):
            own = x & _SUIT
            theirs = partner & _SUIT
            mine = solo & _SUIT
            here = self.cashed(own, theirs, mine)
            there = self.cashed(theirs, own, mine)
            alone += here >> 4
            alone_tricks += here & 15
            entry = own != 0 and theirs > mine and own & (_NOTHING - own) < theirs
            if there > here:
                crossed = True
                both += there >> 4
                both_tricks += there & 15
                if entry:
                    entered = True
            else:
                both += here >> 4
                both_tricks += here & 15
                if entry and (here >> 4) - (there >> 4) < loss:
                    loss = (here >> 4) - (there >> 4)
                    loss_tricks = (here & 15) - (there & 15)
            if not self.follow:
                if here:
                    theirs &= _BELOW[own & _ABOVE[mine]]
                aces += (theirs >> 7) & 1
                ones += _COUNT[theirs & _ONES]
            x >>= 10
            partner >>= 10
            solo >>= 10
        if not self.follow:
            # Without a change of lead the other one gives his best cards to these tricks.
            if alone_tricks <= aces:
                alone += 3 * alone_tricks
            elif alone_tricks <= aces + ones:
                alone += 2 * aces + alone_tricks
            else:
                alone += 3 * aces + ones
        if alone_tricks >= left:
            return rest
        if crossed:
            if not entered:
                both -= loss
                both_tricks -= loss_tricks
            if loss < _MOST or entered:
                if both_tricks >= left:
                    return rest
                return max(alone, both)
        return alone

    def regained(self, x: int, partner: int, solo: int, left: int) -> int:
        """Thirds that the soloist keeps when the partners lead: of masters that they cannot make him throw off."""
        run = 0
        masters = 0
        aces = 0
        ones = 0
        for _ in range(4):
            own = solo & _SUIT
            xs = x & _SUIT
            ps = partner & _SUIT
            if own > xs | ps:
                own &= _ABOVE[xs | ps]
                masters += _COUNT[own]
                aces += (own >> 7) & 1
                ones += _COUNT[own & _ONES]
            elif self.follow:
                run += max(_COUNT[xs], _COUNT[ps])
            else:
                run += _COUNT[xs] + _COUNT[ps]
            x >>= 10
            partner >>= 10
            solo >>= 10
        return self.valued(min(masters, left - run), aces, ones)

    def conceded(self, x: int, y: int, z: int, rest: int, left: int) -> int:
        """The most thirds for a soloist who leads and has to let a partner in, who has kept his masters."""
        run = 0
        by_y = False
        by_z = False
        y_masters = 0
        z_masters = 0
        y_aces = 0
        z_aces = 0
        y_ones = 0
        z_ones = 0
        for _ in range(4):
            own = x & _SUIT
            ys = y & _SUIT
            zs = z & _SUIT
            if own > ys | zs:
                run += _COUNT[own]
            elif ys > zs:
                if own:
                    by_y = True
                ys &= _ABOVE[own | zs]
                y_masters += _COUNT[ys]
                y_aces += (ys >> 7) & 1
                y_ones += _COUNT[ys & _ONES]
            elif zs:
                if own:
                    by_z = True
                zs &= _ABOVE[own | ys]
                z_masters += _COUNT[zs]
                z_aces += (zs >> 7) & 1
                z_ones += _COUNT[zs & _ONES]
            x >>= 10
            y >>= 10
            z >>= 10
        gain = _MOST
        if by_y:
            gain = self.valued(min(y_masters, left - run), y_aces, y_ones)
        if by_z:
            gain = min(gain, self.valued(min(z_masters, left - run), z_aces, z_ones))
        return rest if gain == _MOST else rest - gain

    def valued(self, number: int, aces: int, ones: int) -> int:
        """The thirds of the best ``number`` of cards among which there are so many aces and cards of one third."""
        if number <= 0:
            return 0
        if number <= aces:
            return 3 * number
        return 3 * aces + min(ones, number - aces)

    def beaten(self, x: int, y: int, z: int, rest: int, left: int) -> int:
        """The most thirds for a soloist who leads without any master; ``rest`` where that says nothing."""
        by_y = 0
        by_z = 0
        for suit in range(4):
            within = _SUIT_MASK[suit]
            if x & within:
                if x & within > (y | z) & within:
                    return rest
                if y & within > z & within:
                    by_y = 1
                else:
                    by_z = 1
        most = 0
        if by_y:
            most = rest - self.sure_partners(y, z, x, rest, left)
        if by_z:
            most = max(most, rest - self.sure_partners(z, y, x, rest, left))
        return most

    def held(self, x: int, solo: int, others: int) -> bool:
        """Whether the soloist has the master of every suit that x, a partner who leads, holds."""
        for suit in range(4):
            within = _SUIT_MASK[suit]
            if x & within and others & within > solo & within:
                return False
        return True

    def same(self, hand: int, union: int, card: int) -> bool:
        """Whether the next higher card of the suit that is left does the same as ``card``."""
        above = union & _SUIT_MASK[_SUIT_OF[card]] & ~(_BIT[card] | (_BIT[card] - 1))
        above &= _NOTHING - above
        if not above & hand:
            return False
        return _VALUE[bits.lowest(above)] == _VALUE[card]

    def insert(self, base: int, count: int, weight: int, card: int) -> int:
        """Put a card into the list that starts at ``base``, by weight; returns how many it has then."""
        entry = ((weight + 2000) << 6) | card
        index = base + count
        while index > base and self.moves[index - 1] < entry:
            self.moves[index] = self.moves[index - 1]
            index -= 1
        self.moves[index] = entry
        return count + 1

    def order_leads(self, x: int, y: int, z: int, solo: int, base: int, known: int) -> int:
        """Write the different leads into the list from ``base`` on, the best first; returns how many."""
        union = x | y | z
        recent = self.recent[(base // _DEPTH << 2) + solo]
        count = 0
        mask = x
        while mask:
            card = bits.lowest(mask)
            mask &= mask - 1
            if not self.same(x, union, card):
                weight = _KNOWN
                if card != known:
                    weight = self.weigh_lead(x, y, z, solo, card) + (self.history[(solo << 6) + card] >> 8)
                    if card == recent:
                        weight += _RECENT
                count = self.insert(base, count, weight, card)
        return count

    def weigh_lead(self, x: int, y: int, z: int, solo: int, card: int) -> int:
        """How good a lead looks: masters that take thirds along first, and from the weak no thirds."""
        shift = 10 * _SUIT_OF[card]
        bit = _BIT[card - shift]
        ys = (y >> shift) & _SUIT
        zs = (z >> shift) & _SUIT
        worth = _VALUE[card]
        if solo == 0:
            if bit > ys | zs:
                return 400 + 40 * worth + 20 * (_LEAST[(ys << 4) | 1] + _LEAST[(zs << 4) | 1])
            return 200 - 40 * worth + 10 * _COUNT[(x >> shift) & _SUIT]
        mine = ys if solo == 1 else zs
        other = zs if solo == 1 else ys
        if bit > mine:
            weight = 400 + 40 * worth + 20 * (_LEAST[(mine << 4) | 1] + _GREATEST[(other << 4) | 1])
            return weight if mine else weight + 30
        if other > mine:
            return 350 + 40 * worth
        return 200 - 40 * worth

    def reply(self, x: int, y: int, z: int, solo: int, rest: int, need: int, depth: int, first: int) -> int:
        """The soloist's thirds when y plays the second card of a trick."""
        within = _SUIT_MASK[_SUIT_OF[first]]
        mask = y & within
        if not mask or not self.follow:
            mask = y
        if not mask & (mask - 1):
            return self.finish(x, y ^ mask, z, solo, rest, need, depth, first, bits.lowest(mask))
        union = x | y | z | _BIT[first]
        base = depth * _DEPTH + _PLACE
        count = 0
        while mask:
            card = bits.lowest(mask)
            mask &= mask - 1
            if not self.same(y, union, card):
                count = self.insert(base, count, self.weigh_reply(z & within, solo, card, within, first), card)
        mine = solo == 1
        best = -1 if mine else _MOST
        for index in range(base, base + count):
            card = self.moves[index] & 63
            value = self.finish(x, y ^ _BIT[card], z, solo, rest, need, depth, first, card)
            if self.cut:
                return 0
            if value > best if mine else value < best:
                best = value
                if (value >= need) == mine:
                    break
        return best

    def weigh_reply(self, behind: int, solo: int, card: int, within: int, first: int) -> int:
        """How good a second card looks; ``behind`` is what the third player has of the suit led."""
        worth = _VALUE[card]
        rank = card % 10
        beats = _BIT[card] & within and card > first
        top = _BIT[card] if beats else _BIT[first]
        if solo == 1:
            if not beats:
                return 200 - 60 * worth - rank
            return 300 - 60 * worth - rank if behind > top else 500 + 60 * worth - rank
        if solo == 0:
            if beats:
                return 450 + 40 * worth - rank
            return 400 + 40 * worth - rank if behind > top else 200 - 60 * worth - rank
        if behind > _BIT[first]:
            return 500 + 40 * worth - rank if beats and behind < top else 300 - 60 * worth - rank
        return 400 + 50 * worth - rank

    def finish(
        self, x: int, y: int, z: int, solo: int, rest: int, need: int, depth: int, first: int, second: int
    ) -> int:
        """The soloist's thirds when z plays the third card of a trick."""
        within = _SUIT_MASK[_SUIT_OF[first]]
        mask = z & within
        if not mask or not self.follow:
            mask = z
        if not mask & (mask - 1):
            return self.close(x, y, z, solo, rest, need, depth, first, second, bits.lowest(mask))
        top = first
        ahead = solo == 0
        if _BIT[second] & within and second > first:
            top = second
            ahead = solo == 1
        mine = solo == 2
        friend = not mine and not ahead
        pool = 20 * (_VALUE[first] + _VALUE[second])
        union = x | y | z | _BIT[first] | _BIT[second]
        base = depth * _DEPTH + 2 * _PLACE
        count = 0
        while mask:
            card = bits.lowest(mask)
            mask &= mask - 1
            if not self.same(z, union, card):
                worth = _VALUE[card]
                if _BIT[card] & within and card > top:
                    weight = (350 if friend else 500) + 60 * worth + pool
                elif friend:
                    weight = 450 + 60 * worth
                else:
                    weight = 300 - 60 * worth
                count = self.insert(base, count, weight - card % 10, card)
        best = -1 if mine else _MOST
        for index in range(base, base + count):
            value = self.close(x, y, z, solo, rest, need, depth, first, second, self.moves[index] & 63)
            if self.cut:
                return 0
            if value > best if mine else value < best:
                best = value
                if (value >= need) == mine:
                    break
        return best

    def close(
        self, x: int, y: int, z: int, solo: int, rest: int, need: int, depth: int, first: int, second: int, third: int
    ) -> int:
        """The soloist's thirds when the trick is complete: z has played ``third``."""
        within = _SUIT_MASK[_SUIT_OF[first]]
        points = _VALUE[first] + _VALUE[second] + _VALUE[third]
        z ^= _BIT[third]
        top = first
        winner = 0
        if _BIT[second] & within and second > first:
            top = second
            winner = 1
        if _BIT[third] & within and third > top:
            winner = 2
        rest -= points
        if winner != solo:
            points = 0
        need -= points
        depth -= 1
        if winner == 0:
            return points + self.lead(x, y, z, solo, rest, need, depth)
        if winner == 1:
            return points + self.lead(y, z, x, 2 if solo == 0 else solo - 1, rest, need, depth)
        return points + self.lead(z, x, y, 0 if solo == 2 else solo + 1, rest, need, depth)

    # -- cappotto and stramazzo ---------------------------------------------------

    def kind(self) -> int:
        """Which sides have tricks at the position."""
        if self.tricks:
            return _BOTH if self.lost else _SOLO_ONLY
        return _PARTNERS_ONLY if self.lost else _NEITHER

    def paid(self, thirds: int, kind: int, last: bool) -> int:
        """By what the stake is multiplied at the end, with its sign for the soloist.

        ``thirds`` are the soloist's of the whole deal; ``last`` says that the losing side took the last trick and no
        other.
        """
        won = thirds >= _WON
        factor = 1
        if self.slams > 0:
            if kind != _BOTH:
                factor = 4 if self.slams == 2 else 2
            elif thirds >= _ALL or thirds < _SOME or (self.slams == 2 and last):
                factor = 3
        return factor if won else -factor

    def slam(self, x: int, y: int, z: int, solo: int, rest: int, taken: int, depth: int, kind: int) -> bool:
        """Whether the stake can come to ``wanted`` times or more when x leads, and so far not both sides have tricks.

        ``taken`` are the soloist's thirds so far.
        """
        # What can still come out: all tricks for one side, or tricks for both and thirds from here to there.
        most = self.paid(taken + rest, _BOTH, taken + rest >= _WON)
        least = self.paid(taken, _BOTH, taken < _WON)
        if kind != _PARTNERS_ONLY:
            most = max(most, self.paid(35, _SOLO_ONLY, False))
        if kind != _SOLO_ONLY:
            least = min(least, self.paid(0, _PARTNERS_ONLY, False))
        if least >= self.wanted:
            return True
        if most < self.wanted:
            return False
        if self.tired():
            return False
        key = self.key(x | y | z, solo + 3 * kind)
        slot = key & self.slots
        tag = ((((key >> _TOLD) << 1) | (key & 1)) << 5) | self.age
        entry = self.table[slot]
        if entry >> 18 == tag:
            return entry & 1 != 0
        found = self.slam_card(x, y, z, solo, rest, taken, depth, kind, 0, 0, 0)
        if not self.cut:
            self.table[slot] = (tag << 18) | found
        return found

    def slam_card(
        self,
        x: int,
        y: int,
        z: int,
        solo: int,
        rest: int,
        taken: int,
        depth: int,
        kind: int,
        place: int,
        first: int,
        second: int,
    ) -> bool:
        """:meth:`slam` when the player at ``place`` (0: x, 1: y, 2: z) plays."""
        hand = x if place == 0 else y if place == 1 else z
        mask = hand
        union = x | y | z
        if place > 0:
            union |= _BIT[first]
            within = _SUIT_MASK[_SUIT_OF[first]]
            if self.follow and hand & within:
                mask = hand & within
        if place > 1:
            union |= _BIT[second]
        mine = place == solo
        while mask:
            card = bits.lowest(mask)
            mask &= mask - 1
            if not self.same(hand, union, card):
                found = self.slam_put(x, y, z, solo, rest, taken, depth, kind, place, first, second, card)
                if self.cut or found == mine:
                    return found
        return not mine

    def slam_put(
        self,
        x: int,
        y: int,
        z: int,
        solo: int,
        rest: int,
        taken: int,
        depth: int,
        kind: int,
        place: int,
        first: int,
        second: int,
        card: int,
    ) -> bool:
        """:meth:`slam` when the player at ``place`` plays ``card``."""
        bit = _BIT[card]
        if place == 0:
            return self.slam_card(x ^ bit, y, z, solo, rest, taken, depth, kind, 1, card, 0)
        if place == 1:
            return self.slam_card(x, y ^ bit, z, solo, rest, taken, depth, kind, 2, first, card)
        z ^= bit
        within = _SUIT_MASK[_SUIT_OF[first]]
        points = _VALUE[first] + _VALUE[second] + _VALUE[card]
        top = first
        winner = 0
        if _BIT[second] & within and second > first:
            top = second
            winner = 1
        if bit & within and card > top:
            winner = 2
        rest -= points
        side = _PARTNERS_ONLY
        if winner == solo:
            side = _SOLO_ONLY
            taken += points
        if depth == 1:
            if winner == solo:
                taken += rest
            last = kind != side and kind != _NEITHER
            if last:
                # The loser has this trick alone if it is the one who had none before.
                last = (taken >= _WON) == (kind == _SOLO_ONLY)
                side = _BOTH
            return self.paid(taken, side, last) >= self.wanted
        following = (solo + 3 - winner) % 3
        a = x if winner == 0 else y if winner == 1 else z
        b = y if winner == 0 else z if winner == 1 else x
        c = z if winner == 0 else x if winner == 1 else y
        if kind == _NEITHER or kind == side:
            return self.slam(a, b, c, following, rest, taken, depth - 1, side)
        need = self.needed() - taken
        return self.lead(a, b, c, following, rest, need, depth - 1) >= need

    def needed(self) -> int:
        """The soloist's thirds of the whole deal for ``wanted`` times the stake, when both sides have tricks."""
        if self.slams == 0:
            return _NOTHING if self.wanted <= -1 else _WON if self.wanted <= 1 else _MOST
        if self.wanted <= -3:
            return 0
        if self.wanted <= -1:
            return _SOME
        if self.wanted <= 1:
            return _WON
        return _ALL if self.wanted <= 3 else _MOST

    # -- questions ----------------------------------------------------------------

    def try_card(self, card: int, need: int) -> int:
        """The soloist's thirds with a card of the player to act, right up to which side of ``need`` they are."""
        x, y, z, bit = self.x, self.y, self.z, _BIT[card]
        if self.in_trick == 0:
            return self.reply(x ^ bit, y, z, self.solo, self.rest, need, self.depth, card)
        if self.in_trick == 1:
            return self.finish(x, y ^ bit, z, self.solo, self.rest, need, self.depth, self.first, card)
        return self.close(x, y, z, self.solo, self.rest, need, self.depth, self.first, self.second, card)

    def list_cards(self) -> None:
        """Write the different cards that the player to act may play into the list from ``_ROOT`` on."""
        hand = self.hand[self.turn]
        mask = hand
        union = self.x | self.y | self.z
        self.count = 0
        if self.in_trick > 0:
            union |= _BIT[self.first]
            within = _SUIT_MASK[_SUIT_OF[self.first]]
            if self.follow and hand & within:
                mask = hand & within
        if self.in_trick > 1:
            union |= _BIT[self.second]
        while mask:
            card = bits.lowest(mask)
            mask &= mask - 1
            if not self.same(hand, union, card):
                weight = 0
                if self.in_trick == 0:
                    weight = self.weigh_lead(self.x, self.y, self.z, self.solo, card)
                self.count = self.insert(_ROOT, self.count, weight, card)

    def ask(self, card: int, need: int) -> int:
        """The soloist's thirds from here on: at least ``need`` if that can be reached, else less; -99 when cut short.

        With ``card`` (-1: none) it is about that card of the player to act.
        """
        self.cut = 0
        if self.turn < 0:
            return 0
        if card >= 0:
            value = self.try_card(card, need)
            return _UNKNOWN if self.cut else value
        if self.count < 0:
            self.list_cards()
        mine = self.turn == 0
        best = -1 if mine else _MOST
        for index in range(_ROOT, _ROOT + self.count):
            entry = self.moves[index]
            value = self.try_card(entry & 63, need)
            if self.cut:
                return _UNKNOWN
            if value > best if mine else value < best:
                best = value
                self.choice = self.card_of[entry & 63]
                if (value >= need) == mine:
                    # What was good for this question is tried first for the next one.
                    while index > _ROOT:
                        self.moves[index] = self.moves[index - 1]
                        index -= 1
                    self.moves[_ROOT] = entry
                    break
        return best

    def find(self, card: int, guess: int) -> int:
        """The soloist's thirds from here on, or with a card of the player to act; -99 when cut short.

        A good ``guess`` (-1: none) saves time.
        """
        lower = 0
        upper = self.rest
        need = max(1, min(upper, guess if guess >= 0 else self.estimate()))
        step = 1
        while lower < upper:
            value = self.ask(card, need)
            if value == _UNKNOWN:
                return _UNKNOWN
            if value >= need:
                lower = value
                need = lower + step
            else:
                upper = value
                need = upper + 1 - step
            # Longer and longer steps one way; by halves where they would lead too far.
            step *= 2
            if not lower < need <= upper:
                need = (lower + upper + 1) // 2
        return lower

    def estimate(self) -> int:
        """About what the soloist can expect, by his share of the high cards."""
        mine = 0
        total = 0
        for player in range(3):
            for suit in range(4):
                held = (self.hand[player] >> (10 * suit)) & _SUIT
                high = (held >> 9) + (_COUNT[held >> 8] + _COUNT[held >> 7] + _COUNT[held >> 6])
                total += high
                if player == 0:
                    mine += high
        return self.rest * (93 * mine - 15 * total) // (100 * max(1, total))

    def ask_factor(self, card: int, factor: int) -> int:
        """Whether the stake can come to ``factor`` times or more for the soloist: 1 or 0; -99 when cut short."""
        self.wanted = factor
        self.cut = 0
        if self.turn < 0:
            return 1 if self.over >= factor else 0
        if self.slams == 0 or (self.tricks and self.lost) or factor == 1:
            need = self.needed() - self.taken
            value = self.ask(card, need)
            return _UNKNOWN if value == _UNKNOWN else value >= need
        self.renew()
        if self.count < 0:
            self.list_cards()
        kind = self.kind()
        mine = self.turn == 0
        found = not mine
        for index in range(_ROOT, _ROOT + self.count):
            code = card if card >= 0 else self.moves[index] & 63
            found = self.slam_put(
                self.x,
                self.y,
                self.z,
                self.solo,
                self.rest,
                self.taken,
                self.depth,
                kind,
                self.in_trick,
                self.first,
                self.second,
                code,
            )
            if self.cut:
                return _UNKNOWN
            if card >= 0 or found == mine:
                break
        return 1 if found else 0

    def find_factor(self, card: int) -> int:
        """The best multiple of the stake that the soloist can come to (lost: negative); -99 when cut short."""
        if self.turn < 0:
            return self.over
        answer = self.ask_factor(card, 1)
        if answer == _UNKNOWN:
            return _UNKNOWN
        factor = 1 if answer else -1
        step = 1 if answer else -1
        while True:
            # Up while the next higher one can be reached, down until one can.
            if factor == 4 or factor == -4:
                return factor
            answer = self.ask_factor(card, factor + 1 if step > 0 else factor)
            if answer == _UNKNOWN:
                return _UNKNOWN
            if answer != (1 if step > 0 else 0):
                return factor
            factor += step

    def alone(self, card: int, need: int, way: int) -> int:
        """:meth:`ask`, :meth:`find`, :meth:`ask_factor`, :meth:`find_factor` while other threads may run Python."""
        with cython.nogil:
            if way == 0:
                found = self.ask(card, need)
            elif way == 1:
                found = self.find(card, need)
            elif way == 2:
                found = self.ask_factor(card, need)
            else:
                found = self.find_factor(card)
        return found

    # -- from outside -------------------------------------------------------------

    @classmethod
    def from_deal(cls, deal: Any, table_bits: int = 18) -> CalabresellaSolver:
        """A solver for a deal in play of which all cards are known."""
        solver = cls(table_bits)
        solver.take(position(deal))
        return solver

    def take(self, game: Tricks) -> None:
        """:meth:`load`, with checks."""
        if game.kind != _KIND:
            raise MejaError(msg("this is not a position of {game}", game="calabresella"))
        if game.bidder < 0:
            raise MejaError(msg("nothing was played in this deal"))
        self.load(game)

    def value(self, card: int | None = None) -> int | None:
        """The bidder's thirds of the whole deal with best play; ``None`` when the search was cut short.

        With ``card`` it is asked about that card of the player to act.
        """
        return self._whole(self.alone(self._code(card), -1, 1))

    def values(self) -> dict[int, int] | None:
        """:meth:`value` of every card that the player to act may play; ``None`` when the search was cut short."""
        guess = self.alone(-1, -1, 1)
        found: dict[int, int] = {}
        for card in self.playable():
            value = self._whole(_UNKNOWN if guess == _UNKNOWN else self.alone(self.power[card], guess, 1))
            if value is None:
                return None
            found[card] = value
        return found

    def at_least(self, thirds: int, card: int | None = None) -> bool | None:
        """Whether the bidder can get ``thirds`` of the whole deal; ``None`` when the search was cut short.

        With ``card`` it is asked about that card of the player to act.
        """
        need = thirds - self.taken
        found = self.alone(self._code(card), need, 0)
        return None if found == _UNKNOWN else found >= need

    def wins(self, card: int | None = None) -> bool | None:
        """Whether the bidder can win the deal: :meth:`at_least` 18 thirds, half of the 35 there are."""
        return self.at_least(_WON, card)

    def chips(self, card: int | None = None) -> int | None:
        """The bidder's score of the deal with best play for it, cappotto and stramazzo counted.

        Each opponent has the other sign of half of it. ``None`` when the search was cut short. With ``card`` it is
        asked about that card of the player to act.
        """
        found = self.alone(self._code(card), 0, 3)
        return None if found == _UNKNOWN else self.stake * found

    def card_chips(self) -> dict[int, int] | None:
        """:meth:`chips` of every card that the player to act may play; ``None`` when the search was cut short."""
        found: dict[int, int] = {}
        for card in self.playable():
            value = self.chips(card)
            if value is None:
                return None
            found[card] = value
        return found

    def playable(self) -> list[int]:
        """The cards that the player to act may play, ascending."""
        if self.turn < 0:
            return []
        mask = self.hand[self.turn]
        if self.in_trick and self.follow and mask & _SUIT_MASK[_SUIT_OF[self.first]]:
            mask &= _SUIT_MASK[_SUIT_OF[self.first]]
        return sorted(self.card_of[code] for code in range(40) if mask & _BIT[code])

    def _whole(self, thirds: int) -> int | None:
        return None if thirds == _UNKNOWN else thirds + self.taken

    def _code(self, card: int | None) -> int:
        if card is None:
            return -1
        if card not in self.playable():
            raise MejaError(msg("that card cannot be played here"))
        return self.power[card]
