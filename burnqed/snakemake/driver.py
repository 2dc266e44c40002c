"""One driver per results folder, that ends when it is told to."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType

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
        except OSError as error:
            raise UserError(
                f"{results}: cannot be written ({error.strerror or error}); give another folder: --config results=FOLDER"
            ) from None

    def release(self) -> None:
        """Give the lock up before the process ends."""
        self._lock.release()


def check_results(results: str | Path) -> None:
    """Raise UserError when a file stands where the results folder, or a folder above it, should be."""
    for place in (Path(results), *Path(results).parents):
        if place.exists() and not place.is_dir():
            raise UserError(f"results: {place} is a file, not a folder; give another folder: --config results=FOLDER")


def end_on_sigterm(also: Callable[[], None] = lambda: None) -> None:
    """Let this process's handler of SIGTERM run in a thread of its own; call once Snakemake has set it (`onstart`).

    Snakemake's takes a lock that the main thread holds while it waits for a job's files. A signal at that moment, such
    as a preemption sends when the job has just been stopped, would let the process hang for good. ``also`` runs after it:
    Snakemake itself waits until jobs in a cluster's queue have ended, which may take days.
    """
    handler = signal.getsignal(signal.SIGTERM)
    if not callable(handler):
        return

    def end(number: int, frame: FrameType | None) -> None:
        handler(number, frame)
        also()

    later = partial(threading.Thread, target=end, daemon=True)
    signal.signal(signal.SIGTERM, lambda number, frame: later(args=(number, frame)).start())
