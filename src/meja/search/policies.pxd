cimport cython
from libc.stdint cimport uint64_t

cimport meja.search.bits as bits
from meja.search.dice cimport Dice
from meja.search.tricks cimport Tricks

cdef int _COUNT, _FIRST, _HIDDEN, _CALABRESELLA, _SMEAR, _JACK
cdef uint64_t _SUIT, _ONE

@cython.final
cdef class Policy:
    cdef public int units
    cdef public double temperature
    cdef public double[64] weights, values
    cdef double[64] inside
    cdef public double[3328] rows
    cdef public double[52] scores
    cdef public int[52] cards

    @cython.locals(
        seat=int, hand=uint64_t, suit=uint64_t, power=int, strength=double, worth=double, size=int, length=int,
        seen=uint64_t, other=int, stronger=int, weaker=int, out=uint64_t, unseen=int, higher=double, lower=double,
        table=int, pile=uint64_t, on_table=double, leads=double, after=int, last=double, takes=double,
        follows=double, thrown=double, trump=double, partner=double, enemy=double, alone=double, gain=double,
        best=double, later=double, own_weaker=int, own_stronger=int, held=uint64_t, done=int, least=int, most=int,
        runner=int, swept=double, caught=double, waits=double, has_it=double, jack=double, jack_on_table=double,
        own_trumps=int, trumps_out=int, trumps=uint64_t, _=int,
    )
    cpdef void look(self, Tricks game, int card) noexcept nogil
    @cython.locals(total=double, number=double, index=int, unit=int, start=int)
    cpdef double value(self, Tricks game, int card) noexcept nogil
    @cython.locals(legal=uint64_t, count=int, best=int, card=int)
    cpdef int choose(self, Tricks game, Dice dice) noexcept nogil
    @cython.locals(top=double, total=double, index=int, pick=double)
    cdef int draw(self, int count, int best, Dice dice) noexcept nogil
    cpdef void playout(self, Tricks game, Dice dice) noexcept nogil
    cpdef void playout_beside(self, Tricks game, Dice dice, int seat, Policy plan) noexcept nogil

@cython.locals(part=double, result=double, _=int)
cpdef double exponential(double power) noexcept nogil
