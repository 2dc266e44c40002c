"""Jobs in a cluster's queue: how their ends are seen, and those that live on when their driver was killed."""

from __future__ import annotations

import asyncio
import logging
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burnqed.files import UserError, write_text
from burnqed.words import counted

logger = logging.getLogger(__name__)
NOTE = ".driver.jobs"
FIRST_CHECK = 15  # seconds after which Slurm is asked about a job; each further wait is longer
LONGEST_CHECK = 60  # seconds; the executor's own waits grow to 180
ENDING_CHECK = 5  # seconds, when the driver has cancelled its jobs

_cancelled = threading.Event()


@dataclass(frozen=True)
class StatusChecks:
    """How Snakemake's Slurm executor asks about jobs: the program, and the seconds before it asks first."""

    command: str
    seconds: int


def status_checks() -> StatusChecks:
    """Return how to ask this site's Slurm about jobs: its accounting where there is one, else the queue itself.

    Where accounting is off or its database away, `sacct` fails, and a driver that asks it never sees a job end. The queue
    forgets a finished job after MinJobAge; the executor wants that to be three times its own interval and silently asks
    `sacct` otherwise, so the interval follows it. Raises UserError where neither can work.
    """
    if shutil.which("sacct") is not None and _says(["sacct", "-X", "--noheader", "--starttime", "now"]) is not None:
        return StatusChecks("sacct", FIRST_CHECK)
    shown = _says(["scontrol", "show", "config"]) if shutil.which("scontrol") is not None else None
    age = re.search(r"^MinJobAge\s*=\s*(\d+)", shown or "", re.MULTILINE)
    if age is None:
        return StatusChecks("squeue", FIRST_CHECK)  # no Slurm here, as in a dry run, or one that does not answer now
    seconds = min(FIRST_CHECK, int(age[1]) // 3)
    if seconds < 1:
        raise UserError(
            f"Slurm here has no accounting (`sacct` fails) and forgets finished jobs after {age[1]} s: ask its "
            "administrators for accounting or for a MinJobAge of 60 s and more; until then run Snakemake inside one "
            "job, with `--workflow-profile workstation`"
        )
    return StatusChecks("squeue", seconds)


def _says(command: list[str], timeout: float = 20.0) -> str | None:
    """Return what a program prints, None when it fails or does not answer."""
    try:
        asked = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return asked.stdout if asked.returncode == 0 else None


def see_every_end(executor: Any) -> None:
    """Let Snakemake's Slurm executor see every end of its jobs; call before it first asks. Others stay as they are.

    Version 2.8 waits for ever for a job that somebody cancelled (`sacct` says "CANCELLED by 1000", and it knows the word
    alone), for all of them when the accounting database fails to answer once, and for those that the queue has forgotten
    before it asks. The last count as ended in an unknown way: then Snakemake looks for their files, and a file of a run is
    there only when its job has finished. Nor does a driver that has nothing to wait for sit out the time to its next look.
    """
    module = sys.modules.get(type(executor).__module__)
    query, check = getattr(module, "query_job_status", None), getattr(executor, "check_active_jobs", None)
    if query is None or check is None:
        return
    active: set[str] = set()

    async def query_states(command: str, log: Any) -> tuple[dict[str, str], float]:
        program = command.split()[0]
        states, seconds = await query(command, log)
        if states is None:
            logger.warning("%s does not answer about jobs; it is asked again", program)
            return {}, 0.0
        words = {job: state.split()[0] for job, state in states.items() if state}
        if program == "squeue":  # it lists a job from its submission on; tasks of an array have other names there
            words |= dict.fromkeys((job for job in active - set(words) if job.isdecimal()), "UNKNOWN")
        return words, seconds

    async def check_jobs(jobs: list[Any]) -> AsyncIterator[Any]:
        active.clear()
        active.update(str(job.external_jobid) for job in jobs)
        async for job in check(jobs):
            yield job
        executor.next_seconds_between_status_checks = min(executor.next_seconds_between_status_checks, LONGEST_CHECK)

    async def sleep() -> None:
        slept = 0
        while executor.wait and slept < executor.next_seconds_between_status_checks:
            if _cancelled.is_set() and slept >= ENDING_CHECK:
                break
            await asyncio.sleep(1)
            slept += 1

    module.__dict__["query_job_status"] = query_states
    executor.check_active_jobs, executor.sleep = check_jobs, sleep


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


def cancel_own_jobs(results: str | Path) -> None:
    """Cancel this driver's jobs in Slurm's queue, if it has any: they save their progress, and the driver sees them end."""
    _cancelled.set()
    note = Path(results) / NOTE
    name = note.read_text(encoding="utf-8").strip() if note.exists() else ""
    if name and shutil.which("scancel") is not None:
        subprocess.run(["scancel", "--name", name], check=False, capture_output=True)


def _cancel(name: str, wait: float) -> None:
    if shutil.which("scancel") is None:
        logger.warning("jobs of an earlier run (%s) may still be in Slurm's queue; there is no scancel here", name)
        return
    left = _queued(name)
    if not left:
        return
    print(f"cancelling {counted(len(left), 'job')} that an earlier, killed run left in Slurm's queue", flush=True)
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
