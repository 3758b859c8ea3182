cimport cython
from libc.stdint cimport uint64_t

cimport meja.search.bits as bits
from meja.search.dice cimport Dice

cdef uint64_t _SUIT, _NOTHING, _ALL, _BLANKS, _ACES, _WORTHY
cdef uint64_t[64] _BIT, _SUIT_OF, _BETTER
cdef int[64] _THIRDS, _RANK
cdef uint64_t[8192] _NARROW
cdef uint64_t[1024] _ABOVE
cdef int _WON, _SOMETHING, _HAND, _FOLLOW, _CASHED, _KNOWN
cdef double _MOST
cdef int[10] _ALONE, _BACKED

cpdef uint64_t narrow(uint64_t mask) noexcept nogil

@cython.final
cdef class Play:
    cdef public int follow, tressette, slams, turn, leader, winner, best, in_trick, pile, left, ours, theirs, tricks
    cdef public int last, loose
    cdef public uint64_t suit, gone, monte, shown, sure
    cdef public uint64_t[3] hands
    cdef public double[6] pay
    cdef public double slope

    @cython.locals(index=int)
    cpdef void copy(self, Play other) noexcept nogil
    cpdef void rewind(self, Play other) noexcept nogil
    cpdef void bury(self, uint64_t monte) noexcept nogil
    @cython.locals(hand=uint64_t)
    cpdef uint64_t legal(self) noexcept nogil
    @cython.locals(hand=uint64_t, gap=uint64_t, kept=uint64_t, left=uint64_t, code=int, rank=int, below=int)
    cpdef uint64_t fewer(self, uint64_t legal) noexcept nogil
    cdef uint64_t on_table(self) noexcept nogil
    @cython.locals(player=int, bit=uint64_t, winner=int)
    cpdef void play(self, int code) noexcept nogil
    @cython.locals(won=int, losers=int)
    cpdef int outcome(self) noexcept nogil
    cpdef double value(self) noexcept nogil
    cdef uint64_t unbeaten(self, uint64_t own, uint64_t threat) noexcept nogil
    @cython.locals(player=int, own=uint64_t, legal=uint64_t, out=uint64_t)
    cpdef int thumb(self) noexcept nogil
    @cython.locals(sure=uint64_t, count=int, known=uint64_t, best=int, least=int, cards=uint64_t, code=int, above=uint64_t, number=int)
    cdef int thumb_lead(self, uint64_t own, uint64_t out) noexcept nogil
    @cython.locals(player=int, sure=uint64_t, waiting=int, above=uint64_t, fat=uint64_t, winners=uint64_t, code=int)
    cdef int thumb_reply(self, uint64_t own, uint64_t legal, uint64_t out) noexcept nogil
    @cython.locals(known=uint64_t, held=int, room=int, safe=double, _=int)
    cdef int trusted(self, uint64_t above, uint64_t out) noexcept nogil
    @cython.locals(side=int, count=int)
    cdef int price(self, int code, uint64_t sure) noexcept nogil
    @cython.locals(best=int, least=int, code=int, number=int)
    cdef int least(self, uint64_t cards, uint64_t sure) noexcept nogil
    @cython.locals(legal=uint64_t)
    cpdef int choose(self, Dice dice) noexcept nogil
    cpdef void playout(self, Dice dice) noexcept nogil

cpdef int thirds_in(uint64_t cards) noexcept nogil
@cython.locals(best=int, most=int, code=int)
cdef int highest_rank(uint64_t cards) noexcept nogil
@cython.locals(best=int, least=int, code=int)
cdef int lowest_rank(uint64_t cards) noexcept nogil
@cython.locals(total=int, left=uint64_t, code=int)
cpdef int strength(uint64_t hand) noexcept nogil
