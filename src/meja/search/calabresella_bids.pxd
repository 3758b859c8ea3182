cimport cython
from libc.stdint cimport uint64_t

cimport meja.search.bits as bits
from meja.search.calabresella_play cimport Play, strength
from meja.search.dice cimport Dice

cdef uint64_t _NOTHING, _WORTHY, _TWOS, _TOPS
cdef int _NOBODY, _HAND, _SAFE, _TENS, _CHIAMO, _SOLO, _SOLISSIMO, _EVEN, _CHIPS, _UNSPOKEN
cdef int _ONE_CALL, _REENTRY, _MOST_CALLS
cdef uint64_t[64] _BIT, _SUIT_OF, _BETTER
cdef int[64] _RANK, _THIRDS
cdef double[400] _ODDS

@cython.final
cdef class Trial:
    cdef public int me, follow, slams, bidder_leads, solissimo, auction, edge, tries, bidder, contract, called
    cdef public int turn, calls, passed, giver, lies
    cdef public int[3] room, said, spoken
    cdef public uint64_t[3] fixed, hands
    cdef public uint64_t[4] kept
    cdef public uint64_t pool, monte, laid, left
    cdef public int[40] order
    cdef public Play game
    cdef public Dice dice
    cdef public double[1200] worth
    cdef public double total, square

    @cython.locals(total=double, weight=double, place=int, points=int, _=int)
    cdef void deal(self) noexcept nogil
    @cython.locals(pool=uint64_t, count=int, place=int, hand=uint64_t, other=int, index=int, _=int)
    cdef void spread(self) noexcept nogil
    @cython.locals(best=int, least=int, left=uint64_t, code=int, suit=uint64_t, number=int)
    cpdef int missed(self, uint64_t hand) noexcept nogil
    @cython.locals(sure=int, best=int, most=int, left=uint64_t, code=int)
    cpdef int fat(self, uint64_t hand) noexcept nogil
    @cython.locals(rank=int, best=int, most=int, suit=int, code=int, mine=uint64_t, gain=int)
    cpdef int call(self, uint64_t hand) noexcept nogil
    @cython.locals(points=int)
    cdef int bid(self, uint64_t hand) noexcept nogil
    @cython.locals(turn=int, bidder=int, contract=int, calls=int, passed=int, first=int, wish=int, following=int, steps=int, _=int)
    cpdef void speak(self, int action) noexcept nogil
    @cython.locals(hand=uint64_t, left=uint64_t, giver=int, place=int, code=int, shift=int, kind=int, factor=int, stake=int, value=double)
    cdef void outcome(self, int bidder, int contract, int called, int given, uint64_t buried, int raised) noexcept nogil
    @cython.locals(step=int, place=int, hand=uint64_t, taken=uint64_t, source=uint64_t, code=int)
    cpdef uint64_t exchange(self, int bidder, int raised, uint64_t left) noexcept nogil
    cpdef double run(self, int what, int card, uint64_t cards, int count, uint64_t seed, int start)
    @cython.locals(index=int)
    cdef void look(self, int what, int card, uint64_t cards, int count, uint64_t seed, int start) noexcept nogil
    cdef void give(self, int card) noexcept nogil
