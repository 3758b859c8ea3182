cimport cython
cimport libc.math as math
from libc.stdint cimport uint64_t

cimport meja.search.bits as bits
from meja.search.calabresella_play cimport Play
from meja.search.calabresella_worlds cimport Guess
from meja.search.dice cimport Dice

cdef int _NODES, _DEPTH
cdef uint64_t _ONE

@cython.final
cdef class Tree:
    cdef public Guess guess
    cdef public double explore
    cdef public int limit, size
    cdef public uint64_t iterations
    cdef public Play game
    cdef public Dice dice
    cdef int[::1] card, player, child, sibling, visits, available, path
    cdef double[::1] reward

    cpdef run(self, int count, uint64_t seed)
    @cython.locals(depth=int, step=int, node=int, value=double, _=int)
    cdef void look(self, int count, uint64_t seed) noexcept nogil
    @cython.locals(node=int, depth=int, legal=uint64_t, untried=uint64_t, best=int, most=double, child=int, code=int, bound=double)
    cdef int descend(self) noexcept nogil
    @cython.locals(node=int)
    cdef int add(self, int parent, int code) noexcept nogil
