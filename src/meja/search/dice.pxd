cimport cython
from libc.stdint cimport uint64_t

cdef uint64_t _MULTIPLIER, _LOW, _WORD, _GOLDEN, _FIRST, _SECOND
cdef double _UNIT

cpdef uint64_t splitmix(uint64_t value) noexcept nogil

@cython.final
cdef class Dice:
    cdef public uint64_t state

    @cython.locals(value=uint64_t, low=uint64_t)
    cpdef void seed(self, uint64_t first, uint64_t second) noexcept nogil
    @cython.locals(state=uint64_t)
    cpdef uint64_t next32(self) noexcept nogil
    @cython.locals(state=uint64_t)
    cpdef int below(self, uint64_t bound) noexcept nogil
    cpdef double unit(self) noexcept nogil
