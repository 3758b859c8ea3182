cimport cython
from libc.stdint cimport uint64_t

cimport meja.search.bits as bits
from meja.search.dice cimport Dice

cdef int _BASSADEWITZ, _CALABRESELLA, _SMEAR, _FREE, _FOLLOW, _FOLLOW_OR_TRUMP
cdef uint64_t _ONE, _SUIT
cdef int _TRUMPED, _JACK, _ACE, _HUNDRED, _EACH, _POOL
cdef int _SEATS

@cython.final
cdef class Tricks:
    cdef public int kind, duty, seats, players, turn, leader, winner, best, in_trick, trump
    cdef public int last, dealer, hand_size, bidder, bid, slams, ace_only, taker, each_trick, pool, sweep_pool, void
    cdef public uint64_t suit, led, pile, rest
    cdef public uint64_t[5] hands, played, won
    cdef public int[5] after, taken, tricks, points, table
    cdef public int[52] power, worth, order

    @cython.locals(hand=uint64_t)
    cpdef uint64_t legal(self) noexcept nogil
    @cython.locals(legal=uint64_t, found=list)
    cpdef list cards(self)
    @cython.locals(seat=int, bit=uint64_t)
    cpdef void play(self, int card) noexcept nogil
    @cython.locals(winner=int, pile=uint64_t, points=int)
    cdef void take(self) noexcept nogil
    @cython.locals(card=int)
    cpdef void call_trump(self, int suit) noexcept nogil
    @cython.locals(seat=int, card=int)
    cpdef void copy(self, Tricks other) noexcept nogil
    @cython.locals(seat=int, card=int)
    cpdef void rewind(self, Tricks other) noexcept nogil
    @cython.locals(pack=uint64_t, hand=uint64_t, seat=int, index=int, count=int, place=int, other=int, _=int)
    cpdef void shuffle(self, Dice dice) noexcept nogil
    @cython.locals(legal=uint64_t)
    cpdef void playout(self, Dice dice) noexcept nogil
    @cython.locals(seat=int)
    cpdef void score(self) noexcept nogil
    @cython.locals(most=int, same=int, special=int, seat=int, other=int, place=int)
    cdef void score_bassadewitz(self) noexcept nogil
    @cython.locals(seat=int)
    cdef int before(self, int one, int other) noexcept nogil
    @cython.locals(bidder=int, ours=int, theirs=int, tricks=int, factor=int, losers=int, stake=int, seat=int)
    cdef void score_calabresella(self) noexcept nogil
    @cython.locals(suit=uint64_t, trumps=uint64_t, seat=int, high=int, low=int, jack=int, most=int, shared=int)
    cdef void score_smear(self) noexcept nogil

@cython.locals(game=Tricks, dice=Dice, total=uint64_t)
cpdef uint64_t random_deals(Tricks start, int count, uint64_t seed)

@cython.locals(points=int, rest=uint64_t)
cdef int _last_points(Tricks game) noexcept nogil

@cython.locals(total=uint64_t, number=int, seat=int)
cdef uint64_t _run_deals(Tricks game, Tricks start, Dice dice, int count, uint64_t seed) noexcept nogil
