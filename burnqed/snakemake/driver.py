"""One driver per results folder, that ends when it is told to."""

from __future__ import annotations

import fcntl
import os
import socket
import threading
from pathlib import Path
from typing import Any

from burnqed.artifacts import UserError


class DriverLock:
    """Held by the Snakemake process that runs jobs on a results folder.

    An ``flock`` on ``RESULTS/.driver.lock``: the kernel drops it when the process ends, however it
    ends, so nothing has to be unlocked by hand after SIGKILL or a power cut.

    Raises UserError when another live driver holds it.
    """

    def __init__(self, results: str | Path) -> None:
        path = Path(results) / ".driver.lock"
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.seek(0)
            owner = self._file.read().strip() or "unknown process"
            self._file.close()
            raise UserError(
                f"{results}: another run works on this folder ({owner}). Wait for it, stop it with Ctrl-C, "
                "or give this run its own folder with --config results=FOLDER"
            ) from None
        self._file.seek(0)
        self._file.truncate()
        self._file.write(f"pid {os.getpid()} on {socket.gethostname()}")
        self._file.flush()

    def release(self) -> None:
        """Give the lock up before the process ends."""
        self._file.close()


def end_on_sigterm() -> None:
    """Let Snakemake's handler of SIGTERM run in a thread of its own; call before the scheduler is made.

    It takes a lock that the main thread holds while it waits for a job's files. A signal at that moment, such as a
    preemption sends when the job has just been stopped, would let the process hang for good.
    """
    from snakemake.scheduling.job_scheduler import JobScheduler

    handler = JobScheduler.exit_gracefully
    if hasattr(handler, "__wrapped__"):
        return

    def exit_gracefully(scheduler: Any, *_: object) -> None:
        threading.Thread(target=handler, args=(scheduler,), daemon=True).start()

    exit_gracefully.__wrapped__ = handler  # type: ignore[attr-defined]
    JobScheduler.exit_gracefully = exit_gracefully
