cimport cython
from libc.stdint cimport uint64_t

cimport meja.search.bits as bits
from meja.search.dice cimport Dice
from meja.search.kaluki cimport KalukiTable

cdef int _JOKER, _FACES, _PLACES, _COPIES, _NOT_YET, _STEPS, _FAR
cdef uint64_t _ONE, _NOTHING, _CHECK

@cython.final
cdef class KalukiWorlds:
    cdef public KalukiTable base
    cdef public int fast, seats, me, count, tokens, rest, stock_known, moved
    cdef public int[108] seat_at, time_at, face, cards, pool, token_seat, token_card, token_time, moved_at, number_at, free
    cdef public int[5] seat_count
    cdef public int[540] seat_places
    cdef public int[265] needs
    cdef public int[1060] need_time
    cdef public int[212] open, held, copy_at
    cdef public int[53] moves, copies
    cdef public int[4] scores

    cpdef void draw(self, Dice dice, KalukiTable table) noexcept nogil
    @cython.locals(place=int, number=int, seat=int, free=int, seen=int, pick=int, last=int, card=int)
    cpdef void place_cards(self, Dice dice) noexcept nogil
    @cython.locals(card=int, place=int, steps=int, one=int, two=int, here=int, there=int, first=int, second=int)
    cpdef void exchange_cards(self, Dice dice) noexcept nogil
    @cython.locals(first=int, second=int, at=int, number=int, other=int)
    cdef void exchange(self, int one, int two) noexcept nogil
    @cython.locals(key=int, number=int, moment=int, came=int, copy=int, place=int)
    cdef int holds(self, int seat, int card) noexcept nogil
    @cython.locals(key=int, place=int, seat=int, one=uint64_t, two=uint64_t, card=int, number=int)
    cpdef void fill(self, KalukiTable table) noexcept nogil

cpdef tuple rollouts(KalukiWorlds worlds, KalukiTable table, Dice dice, int count, int player)
@cython.locals(seat=int)
cdef void add_scores(KalukiWorlds worlds, KalukiTable table, Dice dice, int count, int player) noexcept nogil
cpdef uint64_t draw_worlds(KalukiWorlds worlds, KalukiTable table, Dice dice, int count)
@cython.locals(total=uint64_t)
cdef uint64_t sum_of_worlds(KalukiWorlds worlds, KalukiTable table, Dice dice, int count) noexcept nogil
