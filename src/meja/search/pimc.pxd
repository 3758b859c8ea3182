cimport cython
from libc.stdint cimport uint64_t

cimport meja.search.bits as bits
from meja.search.dice cimport Dice
from meja.search.policies cimport Policy
from meja.search.tricks cimport Tricks
from meja.search.worlds cimport Dealer, Inference

cdef uint64_t _PLAY
cdef int _BATCH, _POINTS, _LAST

@cython.final
cdef class Utility:
    cdef public double own, others
    cdef public int seat, base
    cdef int[64] digits
    cdef double[16384] table

    @cython.locals(code=int, other=int, total=double)
    cpdef double value(self, Tricks game, int seat) noexcept nogil

@cython.final
cdef class Pimc:
    cdef public Dealer dealer
    cdef public Policy policy, plan
    cdef public Utility utility
    cdef public Inference inference
    cdef public int greedy, soft, planned
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
