cimport cython
from libc.stdint cimport uint64_t

cimport meja.search.bits as bits
from meja.search.calabresella_play cimport Play, narrow, strength
from meja.search.dice cimport Dice
from meja.search.worlds cimport Dealer, Worlds

cdef uint64_t _NOTHING, _SUIT
cdef int _PLACES, _CARDS, _BURIED, _TENS
cdef uint64_t[64] _BIT
cdef int[64] _RANK, _THIRDS
cdef int[10] _BURY
cdef double _ALIKE, _OTHER

@cython.final
cdef class Guess:
    cdef public Dealer dealer
    cdef public Play start, opening, past
    cdef public int tries, me, hidden, parts, plays, bids
    cdef public uint64_t rest, stays
    cdef public int[8] player_at
    cdef public uint64_t[3] taken, parted, played
    cdef public uint64_t[4] kept
    cdef public int[40] log
    cdef public double[100] odds

    @cython.locals(total=double, weight=double, _=int)
    cpdef void deal(self, Play game, Dice dice) noexcept nogil
    @cython.locals(held=uint64_t, place=int, cards=uint64_t, monte=uint64_t)
    cdef void draw(self, Play game, Dice dice) noexcept nogil
    @cython.locals(buried=uint64_t, pool=uint64_t, count=int, total=int, left=uint64_t, code=int)
    cdef uint64_t part(self, Play game, uint64_t monte, Dice dice) noexcept nogil
    @cython.locals(weight=double, player=int, hand=uint64_t, points=int, index=int, code=int, other=int)
    cdef double weigh(self, Play game) noexcept nogil
