cimport cython
from libc.stdint cimport uint64_t

cimport meja.search.bits as bits
from meja.search.tricks cimport Tricks

cdef uint64_t _WORD, _GOLDEN, _FIRST, _SECOND, _NOTHING, _SUIT, _ABSOLUTE
cdef int _UNKNOWN, _KIND, _SEATS, _NO_CARD, _HUNDRED, _OFFSET, _MOST, _DEPTH, _PLACE, _ROOT
cdef uint64_t[64] _BIT
cdef uint64_t[4] _SUIT_MASK
cdef int[32] _SUIT_OF, _RANK

@cython.final
cdef class BassadewitzSolver:
    cdef uint64_t[::1] keys, data
    cdef uint64_t[1024] form
    cdef int[1152] moves
    cdef public uint64_t[5] hands
    cdef public int[5] taken, tricks, after, swept, hundred, place
    cdef public int[32] worth, card_of
    cdef public int[52] code_of
    cdef Tricks end
    cdef uint64_t slots, age
    cdef public uint64_t nodes, limit, pile
    cdef public int cut, stopped, seats, sign, each_trick, hero, turn, rest, depth, in_trick, suit, best, winner, pool
    cdef public int count, choice
    cdef int ceiling, gained
    cdef int[5] sorted, level

    @cython.locals(card=int, rank=int, code=int, seat=int, suit=int)
    cpdef void load(self, Tricks game, int hero) noexcept nogil
    @cython.locals(found=uint64_t)
    cdef uint64_t packed(self, uint64_t mask) noexcept nogil
    @cython.locals(points=int)
    cdef int count_points(self, uint64_t mask) noexcept nogil
    @cython.locals(shift=int, union='uint64_t', seat=int, full=uint64_t, base=int, form='uint64_t*', mask=uint64_t, card=int, code=uint64_t, number=uint64_t)
    cdef void number(self, int suit) noexcept nogil
    @cython.locals(hero=int, seat=int, other=int, place=int, lower=int)
    cdef void tabulate(self) noexcept nogil
    @cython.locals(seat=int)
    cdef void finish(self) noexcept nogil
    @cython.locals(found=uint64_t, seat=int)
    cdef uint64_t outcome(self) noexcept nogil
    @cython.locals(total=int, other=int, found=uint64_t)
    cdef uint64_t liking(self, uint64_t outcome, int seat) noexcept nogil
    @cython.locals(hero=int, mine=int, takers=int, first=int, last=int, most=int, fewest=int, seat=int, points=int, floor=int, ceiling=int)
    cdef int least(self, int rest) noexcept nogil
    @cython.locals(union='uint64_t', state=uint64_t, most=int, size=int, sorted_seats='int*', other=int, points=int, index=int, before=int, level=int, form='uint64_t*')
    cdef uint64_t key(self, int seat, int rest) noexcept nogil
    @cython.locals(card=int, suit=int, best=int, winner=int, pool=int, other=int)
    cdef int last(self, int seat) noexcept nogil
    @cython.locals(takers=int, seat=int, points=int, other=int, gap=int)
    cdef bint settled(self, int rest) noexcept nogil
    cdef bint tired(self) noexcept nogil
    @cython.locals(winner=int, gained=int, key=uint64_t, slot=uint64_t, base=int, end=int, found=uint64_t, liked=uint64_t, index=int, value=uint64_t, like=uint64_t)
    cdef uint64_t lead_all(self, int seat, int rest, int depth) noexcept nogil
    @cython.locals(bit=uint64_t, value=uint64_t)
    cdef uint64_t put_all(self, int seat, int card, int left, int suit, int best, int winner, uint64_t pile, int pool, int rest, int depth) noexcept nogil
    @cython.locals(base=int, end=int, found=uint64_t, liked=uint64_t, index=int, value=uint64_t, like=uint64_t)
    cdef uint64_t answer_all(self, int seat, int left, int suit, int best, int winner, uint64_t pile, int pool, int rest, int depth) noexcept nogil
    @cython.locals(lower=int, upper=int, winner=int, gained=int, key=uint64_t, slot=uint64_t, known=int, entry=uint64_t, base=int, end=int, mine=bint, found=int, choice=int, index=int, card=int, value=int)
    cdef int lead(self, int seat, int rest, int need, int depth) noexcept nogil
    @cython.locals(bit=uint64_t, worth=int, value=int)
    cdef int put(self, int seat, int card, int left, int suit, int best, int winner, uint64_t pile, int pool, int rest, int need, int depth) noexcept nogil
    @cython.locals(base=int, end=int, mine=bint, found=int, index=int, value=int)
    cdef int answer(self, int seat, int left, int suit, int best, int winner, uint64_t pile, int pool, int rest, int need, int depth) noexcept nogil
    @cython.locals(hand=uint64_t, union='uint64_t', other=int, mask=uint64_t, mine=bint, feeding=bint, count=int, card=int, bit=uint64_t, own=int, worth=int, above=uint64_t, twin=uint64_t, weight=int, entry=int, index=int)
    cdef int order(self, int seat, int base, int suit, int best, int winner, uint64_t pile, int known) noexcept nogil
    cdef int listed(self) noexcept nogil
    @cython.locals(left=int)
    cdef int try_card(self, int code, int need) noexcept nogil
    @cython.locals(value=int, mine=bint, found=int, index=int, entry=int)
    cpdef int ask(self, int code, int need) noexcept nogil
    @cython.locals(lower=int, upper=int, value=int)
    cpdef int find(self, int code, int guess) noexcept nogil
    @cython.locals(left=int, rest=int, found=uint64_t, liked=uint64_t, index=int, value=uint64_t, like=uint64_t)
    cpdef uint64_t find_all(self, int code) noexcept nogil
    @cython.locals(found=int)
    cdef int alone(self, int code, int need, bint close) noexcept
    @cython.locals(found=uint64_t)
    cdef uint64_t alone_all(self, int code) noexcept
