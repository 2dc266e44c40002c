"""Files that a worker left in its scratch ``/tmp``, which no other process sees."""

from __future__ import annotations

import os
import stat

from burnqed.prover.jail.processes import descendants


def read_scratch(pid: int, name: str, most: int) -> bytes:
    """Return a file from the ``/tmp`` of a worker, by its launcher's pid; at most ``most`` bytes.

    The worker chose what lies there. So a link, which would lead to files of ours, is not followed, and nothing
    but a plain file is read. Raises OSError when there is none, ValueError when it is longer.
    """
    for each in reversed([pid, *descendants(pid)]):
        try:
            folder = os.open(f"/proc/{each}/root/tmp", os.O_PATH | os.O_DIRECTORY)
        except OSError:  # it has just ended
            continue
        try:
            return _read(folder, name, most)
        except FileNotFoundError:
            continue
        finally:
            os.close(folder)
    raise FileNotFoundError(f"the worker wrote no {name}")


def _read(folder: int, name: str, most: int) -> bytes:
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(f"{name} is no plain file")
        data = stream.read(most + 1)
    if len(data) > most:
        raise ValueError(f"{name} has more than {most} bytes")
    return data
