# Inlined where it is cimported; transpositions.py itself stays plain Python.
from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #define meja_fetch(at) ((void)(at))
    #else
    #define meja_fetch(at) __builtin_prefetch(at)
    #endif
    """
    void meja_fetch(const uint64_t* at) noexcept nogil

cdef inline void fetch(uint64_t[::1] table, uint64_t slot) noexcept nogil:
    meja_fetch(&table[slot])
