cimport cython
from libc.stdint cimport uint64_t

cimport meja.search.bits as bits
from meja.search.dice cimport Dice
from meja.search.policies cimport Policy
from meja.search.tricks cimport Tricks
from meja.search.worlds cimport Dealer

cdef uint64_t _PLAY
cdef int _BATCH

@cython.final
cdef class Pimc:
    cdef public Dealer dealer
    cdef public Policy policy
    cdef public int greedy, sign
    cdef public uint64_t legal, worlds
    cdef public Tricks world, game
    cdef public Dice dice
    cdef double[52] sums, squares
    cdef double[256] products
    cdef double[16] last

    cpdef run(self, int count, uint64_t seed)
    @cython.locals(me=int, left=uint64_t, place=int, card=int, value=double, _=int)
    cdef void look(self, int count, uint64_t seed) noexcept nogil
    cdef void finish(self) noexcept nogil
    @cython.locals(one=int, other=int)
    cdef void multiply(self, int count) noexcept nogil
