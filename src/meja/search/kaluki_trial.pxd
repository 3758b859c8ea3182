cimport cython
from libc.stdint cimport uint64_t

from meja.search.dice cimport Dice
from meja.search.kaluki cimport KalukiTable
from meja.search.kaluki_worlds cimport KalukiWorlds

cdef int _KEEN, _LINES, _SCORES
cdef uint64_t _PLAY

@cython.final
cdef class KalukiTrial:
    cdef public KalukiWorlds worlds
    cdef public KalukiTable table
    cdef public int me
    cdef public uint64_t seed, number
    cdef public Dice dice
    cdef public double first, total, void
    cdef public double[32] sums, squares
    cdef double[8192] worth

    cpdef void draw(self, uint64_t number)
    cpdef void play(self, int line, KalukiTable base, int draws)
    cpdef void play_in(self, int line, KalukiTable base, int draws, uint64_t number, KalukiTable world)
    @cython.locals(table=KalukiTable, worth=double, score=int)
    cdef void play_out(self, int line, int draws) noexcept
