"""Memory of a process tree, from /proc."""

from __future__ import annotations

from pathlib import Path


def _children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (OSError, ValueError):
        return []


def private_bytes(pid: int) -> int:
    """Return the anonymous resident memory of a process and its descendants, 0 when it is gone.

    Pages of mapped files, such as Lean's .olean files, are shared and can be dropped at any time,
    so they do not count.
    """
    total, queue = 0, [pid]
    while queue:
        current = queue.pop()
        queue += _children(current)
        try:
            status = Path(f"/proc/{current}/status").read_text()
        except OSError:
            continue
        for line in status.splitlines():
            if line.startswith("RssAnon:"):
                total += int(line.split()[1]) << 10
    return total
