"""Locks between processes: held by one owner, named in the lock's file, and gone with its process."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

from filelock import FileLock, Timeout


class Held(Exception):
    """Another live process holds the lock; the text says which."""


class OwnerLock:
    """A lock on a file that says who holds it: ``pid 123 on host``.

    The kernel drops it when the owner dies, however it dies, so nothing has to be unlocked by hand.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        # Each lock object stands for one owner, also two of them in one process or in one thread.
        self._lock = FileLock(path, thread_local=False, is_singleton=False)

    def take(self, wait: float = 0.0) -> None:
        """Take the lock; raise Held when another owner keeps it for longer than ``wait`` seconds."""
        limit = time.monotonic() + wait
        while not self._lock.is_locked:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._lock.acquire(timeout=max(0.0, limit - time.monotonic()), poll_interval=0.2)
            except FileNotFoundError:  # the owner before removes its folder just now
                continue
            except Timeout:
                raise Held(self._owner()) from None
        self.path.write_text(f"pid {os.getpid()} on {socket.gethostname()}", encoding="utf-8")

    def _owner(self) -> str:
        try:
            return self.path.read_text(encoding="utf-8").strip() or "unknown process"
        except OSError:
            return "unknown process"

    def release(self) -> None:
        """Give the lock up before the process ends."""
        self._lock.release()
