"""Jobs of a driver that was killed: they live on in the cluster's queue, and nobody waits for them any more."""

from __future__ import annotations

import logging
import shutil
import subprocess
import time
from pathlib import Path

from burnqed.files import UserError, write_text

logger = logging.getLogger(__name__)
NOTE = ".driver.jobs"


def take_over_jobs(results: str | Path, executor: object, wait: float = 180.0) -> None:
    """Cancel what an earlier driver of this results folder left in Slurm's queue, and note this driver's jobs.

    Call with the driver's lock held, before the first job is submitted. Cancelled jobs save their progress
    and are submitted again by this driver, so that no job runs twice at once. With other executors there is
    nothing to note. Raises UserError when the jobs do not end within ``wait`` seconds.
    """
    note = Path(results) / NOTE
    earlier = note.read_text(encoding="utf-8").strip() if note.exists() else ""
    if earlier:
        _cancel(earlier, wait)
    name = getattr(executor, "run_uuid", "")  # Snakemake's Slurm executor gives all jobs of a run this name
    if name:
        write_text(note, f"{name}\n")
    else:
        note.unlink(missing_ok=True)


def _cancel(name: str, wait: float) -> None:
    if shutil.which("scancel") is None:
        logger.warning("jobs of an earlier run (%s) may still be in Slurm's queue; there is no scancel here", name)
        return
    left = _queued(name)
    if not left:
        return
    print(f"cancelling {len(left)} jobs that an earlier, killed run left in Slurm's queue", flush=True)
    subprocess.run(["scancel", "--name", name], check=False, capture_output=True)
    limit = time.monotonic() + wait
    while left:
        if time.monotonic() >= limit:
            raise UserError(
                f"Slurm jobs {', '.join(left)} of an earlier run do not end: `scancel --signal=KILL --name {name}`, "
                "then run again"
            )
        time.sleep(1.0)
        left = _queued(name)


def _queued(name: str) -> list[str]:
    """Return the ids of the jobs of that name that are not over yet."""
    asked = subprocess.run(["squeue", "--noheader", "--name", name, "--format", "%i"], capture_output=True, text=True)
    return asked.stdout.split() if asked.returncode == 0 else []
