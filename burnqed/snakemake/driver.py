"""One driver per results folder, that ends when it is told to."""

from __future__ import annotations

import signal
import threading
from functools import partial
from pathlib import Path

from burnqed.files import UserError
from burnqed.jobs.locks import Held, OwnerLock


class DriverLock:
    """Held by the Snakemake process that runs jobs on a results folder.

    Raises UserError when another live driver holds it.
    """

    def __init__(self, results: str | Path) -> None:
        self._lock = OwnerLock(Path(results) / ".driver.lock")
        try:
            self._lock.take()
        except Held as owner:
            raise UserError(
                f"{results}: another run works on this folder ({owner}). Wait for it, stop it with Ctrl-C, "
                "or give this run its own folder with --config results=FOLDER"
            ) from None

    def release(self) -> None:
        """Give the lock up before the process ends."""
        self._lock.release()


def end_on_sigterm() -> None:
    """Let this process's handler of SIGTERM run in a thread of its own; call once Snakemake has set it (`onstart`).

    Snakemake's takes a lock that the main thread holds while it waits for a job's files. A signal at that moment, such
    as a preemption sends when the job has just been stopped, would let the process hang for good.
    """
    handler = signal.getsignal(signal.SIGTERM)
    if callable(handler):
        later = partial(threading.Thread, target=handler, daemon=True)
        signal.signal(signal.SIGTERM, lambda number, frame: later(args=(number, frame)).start())
