cimport cython
from libc.stdint cimport uint64_t

cimport meja.search.bits as bits
from meja.search.dice cimport Dice

cdef int _DEADWOOD, _CARDS, _POINTS, _FAR, _COMING, _MELDS, _SLOTS, _SHIFT_FEW, _SHIFT_SOME, _SHIFT_MANY, _FEW, _SOME, _NEVER, _NEED, _MUST, _KEEP, _NONE, _PLACES
cdef int SET
cdef uint64_t _ONE, _SUIT, _COLUMN, _WORD, _SPREAD_ONE, _SPREAD_TWO, _JOKER_KEY, _FLAG_KEY, _COMING_KEY

@cython.final
cdef class MeldFinder:
    cdef public int distinct, majority, apart, run_max, single, points_to_open, joker_value
    cdef public int[13] rank_value
    cdef public int[15] place_sum
    cdef public uint64_t one, two
    cdef public int jokers, coming, goal, need, shift, must, every, count, overflow
    cdef public int[8192] suit, low, size, used, asked, worth, gain, has, next
    cdef public uint64_t[8192] wild, mask, twice
    cdef public int[53] head, opener
    cdef public uint64_t mark, nodes
    cdef public uint64_t[16384] slot_mark, slot_one, slot_two
    cdef public int[16384] slot_value, slot_choice
    cdef public int number, laid_cards, laid_points, deadwood, rest_jokers
    cdef public int[40] chosen
    cdef public uint64_t rest_one, rest_two

    @cython.locals(card=int, free=int, rank=int, column=uint64_t, total=int, suit=int, held=uint64_t, places=uint64_t, starts=uint64_t, low=int)
    cpdef void list_melds(self, uint64_t one, uint64_t two, int jokers, int coming, int every) noexcept nogil
    @cython.locals(one=uint64_t, two=uint64_t, most_a=int, most_b=int, most_c=int, most_d=int, most=int, free=int, value=int, a=int, b=int, c=int, d=int, number=int, mask=uint64_t, twice=uint64_t)
    cdef void list_sets(self, int rank, int total) noexcept nogil
    @cython.locals(asked=int, naturals=int, used=int, size=int, points=int, only_opens=int, wanted=int, shortest=int)
    cdef void list_set(self, int rank, int number, uint64_t mask, uint64_t twice, int total, int value) noexcept nogil
    @cython.locals(card=int, bit=uint64_t)
    cdef void extend(self, int suit, int low, int place, uint64_t wild, uint64_t mask, uint64_t twice, int used, int asked) noexcept nogil
    @cython.locals(size=int, only_opens=int, points=int, wanted=int, opens=int, split=int, value=int, at=int)
    cdef void reached(self, int suit, int low, int place, uint64_t wild, uint64_t mask, uint64_t twice, int used, int asked) noexcept nogil
    @cython.locals(naturals=uint64_t, at=int, first=uint64_t, second=uint64_t)
    cdef int splits(self, int low, int place, uint64_t wild, int points) noexcept nogil
    @cython.locals(card=int, number=int)
    cdef void add(self, int suit, int low, int size, uint64_t wild, uint64_t mask, uint64_t twice, int used, int asked, int points, int value, int only_opens) noexcept nogil
    @cython.locals(card=int, bit=uint64_t, key_one=uint64_t, key_two=uint64_t, slot=int, choice=int, value=int, need=int, only=int, number=int, mask=uint64_t, twice=uint64_t, after=int, found=int)
    cdef int best(self, uint64_t one, uint64_t two, int jokers, int coming, int flags) noexcept nogil
    cdef int end(self, int jokers, int flags) noexcept nogil
    @cython.locals(one=uint64_t, two=uint64_t, jokers=int, left_one=uint64_t, left_two=uint64_t, card=int, choice=int, key_one=uint64_t, key_two=uint64_t, slot=int, bit=uint64_t, mask=uint64_t, twice=uint64_t, need=int)
    cdef void walk(self, int coming, int flags) noexcept nogil
    @cython.locals(total=int, rank=int)
    cpdef int hand_value(self, uint64_t one, uint64_t two, int jokers) noexcept nogil
    @cython.locals(flags=int)
    cpdef int solve(self, uint64_t one, uint64_t two, int jokers, int goal, int need, int must, int keep) noexcept nogil
    @cython.locals(coming=int)
    cpdef int missing_cards(self, uint64_t one, uint64_t two, int jokers) noexcept nogil
    @cython.locals(fewest=int, suit=int, held=uint64_t, low=int, gaps=int, used=int, last=int, place=int, rank=int, filled=int, size=int, most=int, limit=int, column=uint64_t, naturals=int, value=int, wanted=int)
    cdef int missing_for_single(self, uint64_t one, int jokers, uint64_t two) noexcept nogil

@cython.locals(one=uint64_t, two=uint64_t, jokers=int, number=int, card=int, bit=uint64_t)
cdef void random_hand(MeldFinder finder, Dice dice, int cards) noexcept nogil
cpdef uint64_t solve_hands(MeldFinder finder, Dice dice, int count, int cards, int goal)
@cython.locals(total=uint64_t)
cdef uint64_t sum_of_hands(MeldFinder finder, Dice dice, int count, int cards, int goal) noexcept nogil
cpdef int solve_again(MeldFinder finder, uint64_t one, uint64_t two, int jokers, int goal, int times) noexcept nogil
