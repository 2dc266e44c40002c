"""What this process has open, so that a test can tell what its body left open."""

from __future__ import annotations

import contextlib
from collections import Counter
from pathlib import Path


def open_files() -> Counter[str]:
    """Return what this process's descriptors stand for, each with its number of descriptors.

    Tests compare these and not a number alone: garbage of an earlier test may be collected meanwhile.
    """
    found: Counter[str] = Counter()
    for descriptor in list(Path("/proc/self/fd").iterdir()):
        with contextlib.suppress(OSError):  # the listing's own is gone by now
            found[str(descriptor.readlink())] += 1
    return found
