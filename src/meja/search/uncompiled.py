"""What ``with cython.nogil`` is where the kernels run uncompiled and Cython is not installed: nothing."""

from __future__ import annotations

from contextlib import nullcontext

nogil = nullcontext()
