cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint64_t

cimport meja.search.bits as bits
cimport meja.search.transpositions as transpositions
from meja.search.tricks cimport Tricks

cdef uint64_t _SUIT, _NOTHING, _KEY, _FIRST, _SECOND
cdef int _UNKNOWN, _KIND, _FOLLOW, _NO_CARD, _MOST, _OPEN, _WON, _ALL, _SOME, _DEPTH, _PLACE, _ROOT
cdef int _PROBE, _RECENT, _TOLD, _KNOWN, _ENOUGH, _BOTH, _NEITHER, _SOLO_ONLY, _PARTNERS_ONLY, _ONES
cdef uint64_t _AGES
cdef uint64_t[64] _BIT
cdef uint64_t[4] _SUIT_MASK
cdef int[40] _SUIT_OF, _VALUE
cdef uint8_t[1024] _COUNT, _THIRDS
cdef uint16_t[1024] _ABOVE, _BELOW
cdef uint8_t[16384] _LEAST, _GREATEST

@cython.final
cdef class CalabresellaSolver:
    cdef uint64_t[::1] table
    cdef int[4096] form
    cdef uint64_t[4096] codes
    cdef uint64_t[8192] places
    cdef uint64_t slots, forms, loads, age
    cdef int[64] recent
    cdef int[16] good
    cdef int[672] moves
    cdef int[192] history
    cdef uint64_t[3] hand
    cdef int[52] power
    cdef int[40] card_of
    cdef public uint64_t nodes, limit
    cdef public int cut, stopped, follow, slams, stake, turn, taken, tricks, lost, in_trick, choice
    cdef int first, second, solo, rest, depth, wanted, over, probing, count
    cdef uint64_t x, y, z

    @cython.locals(seat=int, other=int, leader=int, card=int, rank=int, player=int, last=bint)
    cpdef void load(self, Tricks game) noexcept nogil
    @cython.locals(thirds=int, suit=int)
    cdef int lying(self) noexcept nogil
    @cython.locals(index=int, suit=int)
    cdef void clear(self) noexcept nogil
    @cython.locals(found=uint64_t)
    cdef uint64_t packed(self, uint64_t mask) noexcept nogil
    @cython.locals(slot=uint64_t)
    cdef void renew(self) noexcept nogil
    @cython.locals(shift=int, full=uint64_t, base=int, form='int*', mask=uint64_t, code=uint64_t, card=int, bit=uint64_t, owner=uint64_t, place=uint64_t)
    cdef void number(self, int suit) noexcept nogil
    @cython.locals(form='int*', a=uint64_t, b=uint64_t, c=uint64_t, d=uint64_t, e=uint64_t, f=uint64_t, key=uint64_t)
    cdef uint64_t key(self, uint64_t union, uint64_t kind) noexcept nogil
    @cython.locals(key=uint64_t, slot=uint64_t, value=int, lower=int, upper=int, known=int, tag=uint64_t, entry=uint64_t, best=int)
    cdef int lead(self, uint64_t x, uint64_t y, uint64_t z, int solo, int rest, int need, int depth) noexcept nogil
    cdef bint tired(self) noexcept nogil
    @cython.locals(value=int, other=uint64_t, mine=uint64_t)
    cdef int cashable(self, uint64_t x, uint64_t y, uint64_t z, int solo, int rest, int need, int depth) noexcept nogil
    @cython.locals(value=int)
    cdef int kept(self, uint64_t x, uint64_t y, uint64_t z, int solo, int rest, int need, int depth) noexcept nogil
    @cython.locals(base=int, end=int, value=int, best=int, index=int, card=int, place=int)
    cdef int try_leads(self, uint64_t x, uint64_t y, uint64_t z, int solo, int rest, int need, int depth, int known) noexcept nogil
    @cython.locals(found=int, index=int, card=int, value=int)
    cdef int probe_leads(self, uint64_t x, uint64_t y, uint64_t z, int solo, int rest, int need, int depth, int end) noexcept nogil
    @cython.locals(winner=int, within=uint64_t, top=uint64_t)
    cdef int last(self, uint64_t x, uint64_t y, uint64_t z, int solo, int rest) noexcept nogil
    @cython.locals(gain=int, tricks=int, left=int, _=int, own=int, ys=int, zs=int, size=int, tops=int, number=int)
    cdef int sure_solo(self, uint64_t x, uint64_t y, uint64_t z, int rest) noexcept nogil
    @cython.locals(tops=int, number=int, low=int, lows=int, gain=int)
    cdef int cashed(self, int own, int partner, int solo) noexcept nogil
    @cython.locals(alone=int, alone_tricks=int, both=int, both_tricks=int, crossed=bint, entered=bint, loss=int, loss_tricks=int, aces=int, ones=int, _=int, own=int, theirs=int, mine=int, here=int, there=int, entry=bint)
    cdef int sure_partners(self, uint64_t x, uint64_t partner, uint64_t solo, int rest, int left) noexcept nogil
    @cython.locals(run=int, masters=int, aces=int, ones=int, _=int, own=int, xs=int, ps=int)
    cdef int regained(self, uint64_t x, uint64_t partner, uint64_t solo, int left) noexcept nogil
    @cython.locals(run=int, by_y=bint, by_z=bint, y_masters=int, z_masters=int, y_aces=int, z_aces=int, y_ones=int, z_ones=int, _=int, own=int, ys=int, zs=int, gain=int)
    cdef int conceded(self, uint64_t x, uint64_t y, uint64_t z, int rest, int left) noexcept nogil
    cdef int valued(self, int number, int aces, int ones) noexcept nogil
    @cython.locals(by_y=bint, by_z=bint, suit=int, within=uint64_t, most=int)
    cdef int beaten(self, uint64_t x, uint64_t y, uint64_t z, int rest, int left) noexcept nogil
    @cython.locals(suit=int, within=uint64_t)
    cdef bint held(self, uint64_t x, uint64_t solo, uint64_t others) noexcept nogil
    @cython.locals(above=uint64_t)
    cdef bint same(self, uint64_t hand, uint64_t union, int card) noexcept nogil
    @cython.locals(entry=int, index=int)
    cdef int insert(self, int base, int count, int weight, int card) noexcept nogil
    @cython.locals(union=uint64_t, recent=int, count=int, mask=uint64_t, card=int, weight=int)
    cdef int order_leads(self, uint64_t x, uint64_t y, uint64_t z, int solo, int base, int known) noexcept nogil
    @cython.locals(shift=int, bit=uint64_t, ys=uint64_t, zs=uint64_t, worth=int, mine=uint64_t, other=uint64_t, weight=int)
    cdef int weigh_lead(self, uint64_t x, uint64_t y, uint64_t z, int solo, int card) noexcept nogil
    @cython.locals(within=uint64_t, mask=uint64_t, union=uint64_t, base=int, count=int, card=int, mine=bint, best=int, index=int, value=int)
    cdef int reply(self, uint64_t x, uint64_t y, uint64_t z, int solo, int rest, int need, int depth, int first) noexcept nogil
    @cython.locals(worth=int, rank=int, beats=bint, top=uint64_t)
    cdef int weigh_reply(self, uint64_t behind, int solo, int card, uint64_t within, int first) noexcept nogil
    @cython.locals(within=uint64_t, mask=uint64_t, top=int, ahead=bint, mine=bint, friend=bint, pool=int, union=uint64_t, base=int, count=int, card=int, worth=int, weight=int, best=int, index=int, value=int)
    cdef int finish(self, uint64_t x, uint64_t y, uint64_t z, int solo, int rest, int need, int depth, int first, int second) noexcept nogil
    @cython.locals(within=uint64_t, points=int, top=int, winner=int)
    cdef int close(self, uint64_t x, uint64_t y, uint64_t z, int solo, int rest, int need, int depth, int first, int second, int third) noexcept nogil
    cdef int kind(self) noexcept nogil
    @cython.locals(won=bint, factor=int)
    cdef int paid(self, int thirds, int kind, bint last) noexcept nogil
    @cython.locals(most=int, least=int, key=uint64_t, slot=uint64_t, tag=uint64_t, entry=uint64_t, found=bint)
    cdef bint slam(self, uint64_t x, uint64_t y, uint64_t z, int solo, int rest, int taken, int depth, int kind) noexcept nogil
    @cython.locals(hand=uint64_t, mask=uint64_t, union=uint64_t, within=uint64_t, mine=bint, card=int, found=bint)
    cdef bint slam_card(self, uint64_t x, uint64_t y, uint64_t z, int solo, int rest, int taken, int depth, int kind, int place, int first, int second) noexcept nogil
    @cython.locals(bit=uint64_t, within=uint64_t, points=int, top=int, winner=int, side=int, last=bint, following=int, a=uint64_t, b=uint64_t, c=uint64_t, need=int)
    cdef bint slam_put(self, uint64_t x, uint64_t y, uint64_t z, int solo, int rest, int taken, int depth, int kind, int place, int first, int second, int card) noexcept nogil
    cdef int needed(self) noexcept nogil
    @cython.locals(x=uint64_t, y=uint64_t, z=uint64_t, bit=uint64_t)
    cdef int try_card(self, int card, int need) noexcept nogil
    @cython.locals(hand=uint64_t, mask=uint64_t, union=uint64_t, within=uint64_t, card=int, weight=int)
    cdef void list_cards(self) noexcept nogil
    @cython.locals(value=int, mine=bint, best=int, index=int, entry=int)
    cpdef int ask(self, int card, int need) noexcept nogil
    @cython.locals(lower=int, upper=int, need=int, step=int, value=int)
    cpdef int find(self, int card, int guess) noexcept nogil
    @cython.locals(mine=int, total=int, player=int, suit=int, held=uint64_t, high=int)
    cdef int estimate(self) noexcept nogil
    @cython.locals(need=int, value=int, kind=int, mine=bint, found=bint, index=int, code=int)
    cpdef int ask_factor(self, int card, int factor) noexcept nogil
    @cython.locals(answer=int, factor=int, step=int)
    cpdef int find_factor(self, int card) noexcept nogil
    @cython.locals(found=int)
    cdef int alone(self, int card, int need, int way) noexcept
