"""Processes below a process: which there are, the memory they hold, and their end."""

from __future__ import annotations

import contextlib
import os
import signal

INODE_BYTES = 1024  # what the kernel holds for an empty file in memory, about


def _read(path: str) -> str:
    try:
        with open(path, encoding="ascii", errors="replace") as stream:
            return stream.read()
    except OSError:
        return ""


def _threads(pid: int) -> list[int]:
    try:
        return [int(name) for name in os.listdir(f"/proc/{pid}/task")]
    except OSError:
        return []


def _children(pid: int) -> list[int]:
    return [int(word) for thread in _threads(pid) for word in _read(f"/proc/{pid}/task/{thread}/children").split()]


def descendants(pid: int) -> list[int]:
    """Return the processes below one, parents before children."""
    found = _children(pid)
    for child in found:  # grows meanwhile
        found += _children(child)
    return found


def run_in_long_turns(pid: int, cores: set[int] | None) -> None:
    """Have no thread of a process and those below it interrupt another that runs; keep them to ``cores`` if given.

    Threads and processes that they start later inherit both. What the system refuses is left as it is.
    """
    for each in (pid, *descendants(pid)):
        for thread in _threads(each):
            with contextlib.suppress(OSError):
                if cores is not None:
                    os.sched_setaffinity(thread, cores)
                os.sched_setscheduler(thread, os.SCHED_BATCH, os.sched_param(0))


def _sum_fields(text: str, names: tuple[str, ...]) -> int:
    return sum(int(line.split()[1]) << 10 for line in text.splitlines() if line.startswith(names))


def held_bytes(pid: int, enough: float = 0) -> int:
    """Return the memory of a process and all below it: anonymous, shared and swapped pages, 0 when it is gone.

    Pages of mapped files, such as Lean's .olean files, do not count: they can be dropped at any time. A page that
    several processes share counts once where that matters: when the sum exceeds ``enough`` bytes.
    """
    pids = [pid, *descendants(pid)]
    status = ("RssAnon:", "RssShmem:", "VmSwap:")
    most = {each: _sum_fields(_read(f"/proc/{each}/status"), status) for each in pids}
    if sum(most.values()) <= enough or len(pids) == 1:
        return sum(most.values())
    shares = ("Pss_Anon:", "Pss_Shmem:", "SwapPss:")
    return sum(_sum_fields(_read(f"/proc/{each}/smaps_rollup"), shares) or most[each] for each in pids)


def scratch_bytes(pid: int) -> int:
    """Return the memory that the files in a confined process's own ``/tmp`` hold, 0 while it has none."""
    try:
        place = f"/proc/{pid}/root/tmp"
        if os.stat(place).st_dev == os.stat("/tmp").st_dev:
            return 0
        use = os.statvfs(place)
    except OSError:
        return 0
    return (use.f_blocks - use.f_bfree) * use.f_frsize + (use.f_files - use.f_ffree) * INODE_BYTES


def kill_below() -> None:
    """End every process below this one, which must be their subreaper, and reap them."""
    stopped: set[int] = set()
    while True:
        below = descendants(os.getpid())
        if not set(below) <= stopped:
            for pid in below:  # a stopped process cannot fork while the others are looked for
                _send(pid, signal.SIGSTOP)
            stopped |= set(below)
            continue
        for pid in below:
            _send(pid, signal.SIGKILL)
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def _send(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        return
