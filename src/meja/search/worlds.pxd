cimport cython
cimport libc.math as math
from libc.stdint cimport uint64_t

cimport meja.search.bits as bits
from meja.search.dice cimport Dice
from meja.search.policies cimport Policy, exponential
from meja.search.tricks cimport Tricks

cdef int _PLACES, _NODES, _WAYS, _CARDS, _SEAT, _SEATS
cdef uint64_t _ONE, _BYTE
cdef double _UNIT, _ANYTHING
cdef int _KEPT, _TIMES, _DRAWS
cdef uint64_t _SOFT

@cython.final
cdef class Ways:
    cdef int[4097] first
    cdef double[32768] upto
    cdef int[32768] following
    cdef uint64_t[32768] takes

@cython.final
cdef class Worlds:
    cdef public int places, groups, size, nested
    cdef int[8] room, left
    cdef uint64_t[8] drawn
    cdef int[64] allowed, start, cards, slots
    cdef Ways ways

    @cython.locals(place=int, group=int)
    cpdef void draw(self, Dice dice) noexcept nogil
    @cython.locals(count=int, place=int, index=int, pick=int, _=int)
    cdef void fill_slots(self, int group, Dice dice) noexcept nogil
    @cython.locals(node=int, group=int, share=double, low=int, high=int, middle=int, index=int, place=int, count=int, _=int)
    cdef void fill_ways(self, Dice dice) noexcept nogil
    @cython.locals(index=int, last=int, place=int, pick=int, card=int, _=int)
    cdef void fill_rest(self, Dice dice) noexcept nogil
    @cython.locals(last=int, other=int, card=int)
    cdef void shuffle(self, int start, int end, Dice dice) noexcept nogil
    @cython.locals(place=int)
    cpdef list masks(self)

@cython.final
cdef class Dealer:
    cdef public Tricks seen, opening, past
    cdef public Worlds worlds
    cdef public int me, hidden, plays
    cdef int[8] seat_at
    cdef int[64] log

    cpdef void deal(self, Tricks game, Dice dice) noexcept nogil
    @cython.locals(held=uint64_t, place=int, rest=uint64_t)
    cpdef void put(self, Tricks game, Tricks start) noexcept nogil
    @cython.locals(total=double, index=int, seat=int, card=int, legal=uint64_t)
    cpdef double likelihood(self, Policy policy, double temperature) noexcept nogil
    @cython.locals(count=int, mine=double, top=double, left=uint64_t, index=int, other=int, total=double, place=int)
    cdef double chance(self, Policy policy, double temperature, int card, uint64_t legal) noexcept nogil

@cython.final
cdef class Inference:
    cdef public Dealer dealer
    cdef public Policy policy
    cdef public double temperature
    cdef uint64_t[1280] drawn
    cdef double[160] weights
    cdef int[32] kept
    cdef public long filled

    @cython.locals(batch=long, world=int, place=int)
    cpdef void deal(self, Tricks game, Dice dice, uint64_t seed, uint64_t number) noexcept nogil
    @cython.locals(world=int, place=int, total=double, step=double, at=double, reached=double, count=int, _=int)
    cdef void fill(self, Dice dice) noexcept nogil
    @cython.locals(total=double, squares=double, world=int)
    cdef double effective(self) noexcept nogil

@cython.locals(total=uint64_t)
cpdef uint64_t spin(Worlds worlds, Dice dice, int count)

@cython.locals(total=uint64_t, place=int, _=int)
cdef uint64_t _spin(Worlds worlds, Dice dice, int count) noexcept nogil
