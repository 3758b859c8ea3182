# Inlined where it is cimported; bits.py itself stays plain Python.
from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __inline int meja_popcount(unsigned __int64 mask) { return (int)__popcnt64(mask); }
    static __inline int meja_lowest(unsigned __int64 mask) {
        unsigned long at; _BitScanForward64(&at, mask); return (int)at;
    }
    static __inline int meja_highest(unsigned __int64 mask) {
        unsigned long at; _BitScanReverse64(&at, mask); return (int)at;
    }
    #else
    static inline int meja_popcount(unsigned long long mask) { return __builtin_popcountll(mask); }
    static inline int meja_lowest(unsigned long long mask) { return __builtin_ctzll(mask); }
    static inline int meja_highest(unsigned long long mask) { return 63 - __builtin_clzll(mask); }
    #endif
    """
    int meja_popcount(uint64_t mask) noexcept nogil
    int meja_lowest(uint64_t mask) noexcept nogil
    int meja_highest(uint64_t mask) noexcept nogil

cdef inline int popcount(uint64_t mask) noexcept nogil:
    return meja_popcount(mask)

cdef inline int lowest(uint64_t mask) noexcept nogil:
    return meja_lowest(mask)

cdef inline int highest(uint64_t mask) noexcept nogil:
    return meja_highest(mask)

cdef inline int pick(uint64_t mask, int index) noexcept nogil:
    while index > 0:
        mask &= mask - 1
        index -= 1
    return meja_lowest(mask)
