cimport cython
cimport libc.math as math
from libc.stdint cimport uint64_t

cimport meja.search.bits as bits
from meja.search.dice cimport Dice
from meja.search.pimc cimport Utility
from meja.search.policies cimport Policy
from meja.search.tricks cimport Tricks
from meja.search.worlds cimport Dealer, Inference

cdef int _NODES, _DEPTH, _BATCH
cdef uint64_t _ONE

@cython.final
cdef class Tree:
    cdef public Dealer dealer
    cdef public Policy policy
    cdef public Utility utility
    cdef public Inference inference
    cdef public int greedy, soft, size
    cdef public double explore, low, width
    cdef public uint64_t iterations
    cdef public Tricks game
    cdef public Dice dice
    cdef int[65536] card, seat, child, sibling, visits, available
    cdef double[65536] reward
    cdef int[64] path

    cpdef run(self, int count, uint64_t seed)
    @cython.locals(depth=int, step=int, node=int, worth=double, _=int)
    cdef void look(self, int count, uint64_t seed) noexcept nogil
    @cython.locals(node=int, depth=int, legal=uint64_t, untried=uint64_t, best=int, most=double, child=int, bit=int, bound=double)
    cdef int descend(self) noexcept nogil
    @cython.locals(node=int)
    cdef int add(self, int parent, int card) noexcept nogil
    cdef void finish(self) noexcept nogil
