cimport cython
from libc.stdint cimport uint64_t

cimport meja.search.bits as bits
from meja.search.bassadewitz_solver cimport BassadewitzSolver
from meja.search.calabresella_solver cimport CalabresellaSolver
from meja.search.dice cimport Dice
from meja.search.smear_solver cimport SmearSolver
from meja.search.tricks cimport Tricks
from meja.search.worlds cimport Dealer

cdef int _BASSADEWITZ, _CALABRESELLA, _WIN, _THIRDS, _SELFISH, _UNKNOWN, _WON, _OFFSET, _CARDS, _BATCH
cdef uint64_t _WORTH

@cython.final
cdef class Solving:
    cdef public Dealer dealer
    cdef public Tricks world
    cdef public Dice dice
    cdef public BassadewitzSolver bassadewitz
    cdef public CalabresellaSolver calabresella
    cdef public SmearSolver smear
    cdef public object solver
    cdef public list cards, rows
    cdef public uint64_t legal, drawn
    cdef public int kind, goal, me, solved
    cdef int[::1] values

    @cython.locals(batch=int, size=int, row=int)
    cpdef run(self, int count, uint64_t seed)
    @cython.locals(_=int)
    cdef void look(self, int count, uint64_t seed) noexcept nogil
    @cython.locals(left=uint64_t, place=int, guess=int)
    cdef bint solve(self) noexcept nogil
    @cython.locals(found=int)
    cdef int value(self, int card, int guess) noexcept nogil
    @cython.locals(found=int)
    cdef int value_smear(self, int card, int guess) noexcept nogil
    @cython.locals(code=int, worth=int, outcome=uint64_t)
    cdef int value_bassadewitz(self, int card, int guess) noexcept nogil
    @cython.locals(code=int, taken=int, sign=int, found=int)
    cdef int value_calabresella(self, int card, int guess) noexcept nogil
