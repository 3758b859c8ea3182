cimport cython
from libc.stdint cimport uint64_t

cimport meja.search.bits as bits
from meja.search.tricks cimport Tricks

cdef uint64_t _WORD, _GOLDEN, _FIRST, _SECOND, _NOTHING, _SUIT
cdef int _POINTS, _SCORE, _MARGIN, _UNKNOWN
cdef int _KIND, _SEATS, _FOLLOW_OR_TRUMP, _JACK, _ACE, _NOBODY, _OPEN, _TIE, _NO_CARD, _OFFSET, _MOST, _DEPTH, _PLACE, _ROOT
cdef uint64_t[64] _BIT
cdef uint64_t[4] _SUIT_MASK
cdef int[52] _SUIT_OF, _RANK, _VALUE

@cython.final
cdef class SmearSolver:
    cdef uint64_t[::1] keys, data
    cdef uint64_t[32768] form
    cdef int[1024] lower, upper
    cdef int[384] moves
    cdef public uint64_t[3] hands, dealt, won
    cdef public int[3] taken, after
    cdef uint64_t slots, age
    cdef public uint64_t nodes, limit, low_bit, jack_bit, pile
    cdef public int cut, stopped, seats, hero, goal, bidder, bid, ace_only, taker, anytime, trump, turn, called, high, low, jack
    cdef public int rest, depth, in_trick, first_suit, winner, best, pool, count, choice

    @cython.locals(seat=int)
    cpdef void load(self, Tricks game, int hero, int goal) noexcept nogil
    @cython.locals(points=int)
    cdef int worth(self, uint64_t mask) noexcept nogil
    @cython.locals(within=uint64_t, trumps=uint64_t, seat=int, top=int, other=int)
    cdef void call(self, int suit) noexcept nogil
    @cython.locals(size=int, low=int, jack=int, base=int, game=int, index=int, part=int, least=int, most=int, seat=int)
    cdef void tabulate(self) noexcept nogil
    @cython.locals(total=int, hero=int, seat=int, points=int)
    cdef int utility(self, int low, int jack, int game) noexcept nogil
    @cython.locals(shift=int, union='uint64_t', seat=int, full=uint64_t, base=int, form='uint64_t*', mask=uint64_t, card=int, bit=uint64_t, code=uint64_t)
    cdef void number(self, int suit) noexcept nogil
    @cython.locals(found=int, seat=int, mine=int, surely=int, maybe=int, other=int)
    cdef int open_game(self, int rest) noexcept nogil
    @cython.locals(union='uint64_t', state=uint64_t, least=int, other=int, form='uint64_t*')
    cdef uint64_t key(self, int seat, int game) noexcept nogil
    @cython.locals(game=int, index=int, lower=int, upper=int, key=uint64_t, slot=uint64_t, known=int, entry=uint64_t, base=int, end=int, mine=bint, best=int, choice=int, card=int, value=int)
    cdef int lead(self, int seat, int rest, int need, int depth) noexcept nogil
    @cython.locals(bit=uint64_t, worth=int, value=int, low=int, jack=int)
    cdef int put(self, int seat, int card, int left, int suit, int best, int winner, uint64_t pile, int pool, int rest, int need, int depth) noexcept nogil
    @cython.locals(base=int, end=int, mine=bint, found=int, index=int, card=int, value=int)
    cdef int answer(self, int seat, int left, int suit, int best, int winner, uint64_t pile, int pool, int rest, int need, int depth) noexcept nogil
    @cython.locals(hand=uint64_t, union='uint64_t', mask=uint64_t, trump=int, own=uint64_t, friend=bint, count=int, card=int, bit=uint64_t, mine=int, worth=int, above=uint64_t, twin=uint64_t, weight=int, entry=int, index=int)
    cdef int order(self, int seat, int base, int suit, int best, int winner, uint64_t pile, int known) noexcept nogil
    @cython.locals(left=int)
    cdef int try_card(self, int card, int need) noexcept nogil
    @cython.locals(mine=bint, found=int, index=int, entry=int, value=int)
    cpdef int ask(self, int card, int need) noexcept nogil
    @cython.locals(lower=int, upper=int, value=int)
    cpdef int find(self, int card, int guess) noexcept nogil
    @cython.locals(found=int)
    cdef int alone(self, int card, int need, bint close) noexcept
