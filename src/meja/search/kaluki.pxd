cimport cython
from libc.stdint cimport uint64_t

cimport meja.search.bits as bits
from meja.search.dice cimport Dice
from meja.search.melds cimport MeldFinder

cdef int _KEEN, _JOKER, _SET, _PACK, _PLACES, _LOG, _MOST_RESHUFFLES, _BONUS_EACH, _DEADWOOD
cdef int _OFF, _OTHERS, _ANY, _SHUFFLE, _TURN_OVER, _END, _NO_BONUS, _EACH, _DOUBLE
cdef int _DRAW, _TAKE, _MELD, _OPEN, _ADD, _SWAP, _DISCARD, _TOO_FAR, _KEPT
cdef int _NEARNESS, _LAST_COPY, _NO_COPY, _SET_BASE, _SET_MORE, _OPENING_OUTS, _OPENING_VALUE, _NEAR, _FAR_SHARE, _FAR_VALUE
cdef int _LOOSE_OUTS, _LOOSE_LOW, _LOOSE_VALUE, _FEW_CARDS, _FEEDS, _LAY_JOKERS, _TAKE_GAIN, _COUNTS, _WEIGHTS
cdef uint64_t _ONE, _COLUMN, _SUIT, _CHECK

@cython.final
cdef class KalukiTable:
    cdef public object rules
    cdef public MeldFinder finder
    cdef public int seats, cards, single, need, distinct, majority, apart, run_max, last_discard, swaps, stock_out, bonus
    cdef public int[53] values, shown
    cdef public uint64_t[14] windows
    cdef public int window_count
    cdef public int[13] set_need
    cdef public int[96] weights
    cdef public uint64_t[4] one, two
    cdef public int[4] jokers, sizes, left, scores
    cdef public int[108] stock, pile, order
    cdef public int stock_size, pile_size, melds
    cdef public int[40] suit, low, size, used, owner
    cdef public uint64_t[40] wild, suits
    cdef public int turn, playing, fresh, turned, winner, turns, barred, asked, asked_keep, least_keep, logging, log_size, laid, orders_count
    cdef public uint64_t opened
    cdef public int[2048] log_verb, log_seat, log_card, log_stands, log_index, log_number
    cdef public int[40] laid_suit, laid_low, laid_size, laid_used
    cdef public uint64_t[40] laid_wild, laid_mask, laid_twice
    cdef public int[324] orders
    cdef public int[3] orders_size
    cdef public int[40] plan
    cdef public int[14] useful

    @cython.locals(seat=int, card=int)
    cpdef void clear(self) noexcept nogil
    @cython.locals(card=int, last=int, other=int, seats=int, used=int, place=int)
    cpdef void deal(self, int dealer, Dice dice) noexcept nogil
    @cython.locals(seat=int, card=int, place=int, index=int)
    cpdef void copy(self, KalukiTable other) noexcept nogil
    @cython.locals(seat=int, place=int)
    cpdef void copy_hidden(self, KalukiTable other, int me) noexcept nogil
    @cython.locals(bit=uint64_t)
    cpdef void gain(self, int seat, int card) noexcept nogil
    @cython.locals(bit=uint64_t)
    cdef void lose(self, int seat, int card) noexcept nogil
    @cython.locals(at=int)
    cdef void note(self, int verb, int card, int stands, int index, int number) noexcept nogil
    cpdef int draw(self, Dice dice) noexcept nogil
    @cython.locals(number=int, place=int, last=int, other=int, card=int)
    cdef int refill(self, Dice dice) noexcept nogil
    @cython.locals(card=int)
    cdef void take(self) noexcept nogil
    @cython.locals(seat=int, mask=uint64_t, twice=uint64_t, at=int, suit=int, card=int)
    cdef void lay(self, int number) noexcept nogil
    cdef void go_out(self) noexcept nogil
    @cython.locals(seat=int)
    cdef void discard(self, int card) noexcept nogil
    cdef void pass_on(self) noexcept nogil
    @cython.locals(size=int, low=int, rank=int)
    cpdef int end_for(self, int index, int card) noexcept nogil
    @cython.locals(size=int, low=int)
    cpdef int end_for_joker(self, int index) noexcept nogil
    @cython.locals(place=int, stands=int)
    cdef void add(self, int index, int card, int end) noexcept nogil
    @cython.locals(place=int)
    cpdef int joker_at(self, int index, int card) noexcept nogil
    @cython.locals(seat=int)
    cdef void swap(self, int index, int card, int place) noexcept nogil
    cpdef void playout(self, Dice dice, int player) noexcept nogil
    @cython.locals(took=int, card=int)
    cpdef void step(self, Dice dice, int player) noexcept nogil
    @cython.locals(total=int, seat=int)
    cpdef void score(self) noexcept nogil
    cdef void opens(self) noexcept nogil
    @cython.locals(seat=int, best=int, number=int)
    cdef void open_greedily(self) noexcept nogil
    @cython.locals(seat=int, best=int, number=int)
    cdef void lay_greedily(self) noexcept nogil
    @cython.locals(seat=int, index=int, card=int, end=int)
    cdef void lay_off(self, int jokers) noexcept nogil
    @cython.locals(suit=int, size=int, one=uint64_t, column=uint64_t, card=int, low=int)
    cdef int fitting(self, int index, int seat) noexcept nogil
    @cython.locals(seat=int, one=uint64_t, two=uint64_t, first=int, step=int, rank=int, column=uint64_t, card=int, held=uint64_t)
    cdef int loose(self) noexcept nogil
    @cython.locals(suit=int, held=uint64_t, places=uint64_t, number=int, rank=int, column=uint64_t)
    cdef int may_open(self, uint64_t one, uint64_t two, int jokers, int must) noexcept nogil
    @cython.locals(number=int, place=int, start=int, best=int, other=int, points=int, used=int)
    cdef void open_with(self, int verb, int must) noexcept nogil
    @cython.locals(seat=int, card=int, one=uint64_t, two=uint64_t, jokers=int)
    cpdef int take_to_open(self) noexcept nogil
    @cython.locals(seat=int, one=uint64_t, two=uint64_t, jokers=int)
    cdef void open_keenly(self) noexcept nogil
    @cython.locals(seat=int, card=int, index=int, end=int, one=uint64_t, two=uint64_t, jokers=int, before=int, place=int)
    cdef int take_to_lay(self) noexcept nogil
    @cython.locals(seat=int, again=int)
    cdef void lay_keenly(self) noexcept nogil
    @cython.locals(place=int)
    cdef void lay_melds(self, int seat) noexcept nogil
    @cython.locals(kind=int, index=int, end=int)
    cdef int lay_joker(self, int seat) noexcept nogil
    @cython.locals(index=int, cards=uint64_t, card=int, place=int)
    cdef int swap_one(self, int seat) noexcept nogil
    @cython.locals(other=int)
    cdef int joker_has_place(self, int index) noexcept nogil
    @cython.locals(place=int)
    cdef void lay_swapped(self, int seat) noexcept nogil
    @cython.locals(other=int)
    cdef int somebody_low(self, int seat) noexcept nogil
    @cython.locals(seat=int, row=int, one=uint64_t, opened=int, low=int, fed=int, two=uint64_t, spare=uint64_t, dear=int, best=int, least=int, card=int, keep=int)
    cpdef int least_use(self) noexcept nogil
    @cython.locals(row=int, one=uint64_t, jokers=int, best=int, least=int, far_best=int, far_least=int, most_useful=int, asked=int, asked_far=int, suit=int, held=uint64_t, places=uint64_t, rank=int, card=int, useful=int, keep=int, far=int)
    cdef int least_use_for_single(self, int seat, int low, int fed) noexcept nogil
    @cython.locals(row=int, place=int, number=int, window=uint64_t, missing=uint64_t, lacks=int, weight=int, spare=int, copies=int)
    cdef void find_useful(self, int seat, int suit, uint64_t places, int jokers) noexcept nogil
    @cython.locals(row=int, one=uint64_t, two=uint64_t, jokers=int, need=int, number=int, lacks=int, left=int, share=int)
    cdef int use_in_set(self, int seat, int rank) noexcept nogil
    @cython.locals(one=uint64_t, two=uint64_t, rank=int, suit=int, column=uint64_t, copies=int, total=int, held=uint64_t, around=uint64_t)
    cdef int outs(self, int seat, int card) noexcept nogil
    @cython.locals(rank=int, first=int, column=uint64_t, copies=int, total=int, other=int, held=uint64_t, places=uint64_t, place=int, again=int, around=uint64_t)
    cdef int outs_left(self, uint64_t one, uint64_t two, int card) noexcept nogil
    cdef int unseen_at(self, uint64_t one, uint64_t two, int first, int place) noexcept nogil
    @cython.locals(number=int)
    cdef int unseen(self, uint64_t one, uint64_t two, int card) noexcept nogil
    @cython.locals(index=int)
    cdef int fits_table(self, int card) noexcept nogil

cpdef uint64_t run_deals(KalukiTable table, Dice dice, int count, int player)
@cython.locals(total=uint64_t, number=int)
cdef uint64_t sum_of_deals(KalukiTable table, Dice dice, int count, int player) noexcept nogil
