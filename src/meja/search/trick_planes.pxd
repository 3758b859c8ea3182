cimport cython
from libc.stdint cimport int64_t, uint64_t

cimport meja.search.bits as bits
from meja.search.tricks cimport Tricks

cdef int _SEATS, _SUITS, _FREE, _FOLLOW_OR_TRUMP, _NO_TRUMP, _MARKS, _IDS

@cython.final
cdef class Shape:
    cdef public int hand, trick, played, phase, to_act, leader, dealer, sizes, voids, taken, won, totals, deals, trump
    cdef public int play, cards
    cdef public double most, points, tricks
    cdef public int[52] place, card

@cython.final
cdef class TrickPlanes:
    cdef public Shape shape
    cdef public Tricks model, game
    cdef public int playing, left, dealer, phase, led, ids, marked, seated, owned, logged
    cdef public double ahead
    cdef public double[5] totals
    cdef public int[5] voids
    cdef public int[192] allowed
    cdef public int[64] marks, seat_mark, seat_step, seat_of, log
    cdef public uint64_t[10] own
    cdef public int[2] own_at

    @cython.locals(game=Tricks, hand=uint64_t, seat=int, cards=int)
    cpdef start(self, deal, list hands, int phase, list totals, double ahead)
    cpdef void begin_play(self, int leader) noexcept nogil
    cpdef void allow(self, int number) noexcept nogil
    cpdef void mark(self, int place) noexcept nogil
    cpdef void mark_card(self, int start, int card) noexcept nogil
    cpdef void mark_seat(self, int place, int step, int seat) noexcept nogil
    @cython.locals(seat=int)
    cpdef mark_own(self, int start, list masks)
    @cython.locals(number=int)
    cpdef list cards_played(self)
    @cython.locals(suit=int)
    cpdef void play(self, int card) noexcept nogil
    @cython.locals(seats=int, me=int, seat=int, other=int, suit=int, number=int, played=uint64_t)
    cdef void write(self, float[::1] out, Py_ssize_t base) noexcept nogil
    cdef void set_cards(self, float[::1] out, Py_ssize_t start, uint64_t cards) noexcept nogil
    @cython.locals(number=int, legal=uint64_t)
    cdef void allow_all(self, signed char[::1] out, Py_ssize_t base) noexcept nogil

@cython.locals(base=Py_ssize_t, row=TrickPlanes)
cpdef observe(list rows, float[::1] out, int width)
@cython.locals(base=Py_ssize_t, row=TrickPlanes)
cpdef masks(list rows, signed char[::1] out, int width)
@cython.locals(number=int, row=TrickPlanes)
cpdef seats(list rows, int64_t[::1] out)
@cython.locals(number=int, row=TrickPlanes, found=list)
cpdef list step(list rows, int64_t[::1] actions)
