"""Memory that is free but still held."""

from __future__ import annotations

import ctypes
import sys


def release_free_memory() -> None:
    """Give memory that is freed, but kept by the allocators of C and Arrow, back to the operating system.

    Texts by the million leave gigabytes of such memory behind, which large tables cannot use.
    """
    if pyarrow := sys.modules.get("pyarrow"):
        pyarrow.default_memory_pool().release_unused()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc alone has it
    if trim is not None:
        trim(0)
