"""One GPU for each job on a machine with several: Snakemake counts GPUs but gives none out.

A job takes its devices by locks that end with its process, however it ends, and hides all others
through CUDA_VISIBLE_DEVICES. Clusters give devices out themselves; there nothing is taken.
"""

from __future__ import annotations

import fcntl
import logging
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from burnqed.artifacts import UserError

logger = logging.getLogger(__name__)
LOCKS = Path(tempfile.gettempdir()) / f"burnqed-gpus-{os.getuid()}"
VISIBLE = "CUDA_VISIBLE_DEVICES"
SHARE = "BURNQED_SHARE_GPUS"  # set for jobs that share one machine's devices

_held: list[IO[str]] = []


def visible_gpus() -> list[str]:
    """Return the devices this process may use, by CUDA's names: those of CUDA_VISIBLE_DEVICES, else all."""
    if VISIBLE in os.environ:
        named = [name.strip() for name in os.environ[VISIBLE].split(",")]
        return [name for name in named if name and name != "-1"]
    # Minor numbers in a container need not start at 0; CUDA's do.
    return [str(number) for number in range(len(list(Path("/dev").glob("nvidia[0-9]*"))))]


def take_gpus(count: int, devices: Sequence[str], *, folder: Path = LOCKS, wait: float = 600.0) -> list[str]:
    """Take ``count`` free devices for the life of this process and hide the others from CUDA.

    Call before CUDA starts. Raises UserError when the machine has fewer, or none becomes free within
    ``wait`` seconds.
    """
    if len(devices) < count:
        raise UserError(
            f"the job needs {count} GPUs and sees {len(devices)} ({', '.join(devices) or 'none'}): "
            f"check nvidia-smi and {VISIBLE}, or set `resources: {{gpu: {len(devices)}}}` in the profile"
        )
    folder.mkdir(parents=True, exist_ok=True)
    limit = time.monotonic() + wait
    taken: dict[str, IO[str]] = {}
    while True:
        for device in devices:
            if device not in taken and len(taken) < count:
                lock = _try_lock(folder / f"{device.replace('/', '_')}.lock")
                if lock is not None:
                    taken[device] = lock
        if len(taken) == count:
            break
        if time.monotonic() >= limit:
            for lock in taken.values():
                lock.close()
            raise UserError(
                f"no free GPU among {', '.join(devices)} for {wait:.0f} s ({_owners(folder, devices)}); "
                "end those processes, or set fewer `resources: {gpu: N}` in the profile"
            )
        time.sleep(0.2)
    _held.extend(taken.values())
    os.environ[VISIBLE] = ",".join(taken)
    logger.info("GPU %s of %s", ", ".join(taken), ", ".join(devices))
    return list(taken)


def lock_descriptors() -> tuple[int, ...]:
    """Return the descriptors of the locks; a child that inherits them keeps the devices while it lives."""
    return tuple(lock.fileno() for lock in _held)


def release_gpus() -> None:
    """Give the devices back before the process ends."""
    while _held:
        _held.pop().close()


def _try_lock(path: Path) -> IO[str] | None:
    lock = path.open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    lock.truncate(0)
    lock.write(f"pid {os.getpid()}")
    lock.flush()
    return lock


def _owners(folder: Path, devices: Sequence[str]) -> str:
    named = [(device, folder / f"{device.replace('/', '_')}.lock") for device in devices]
    return ", ".join(f"{device}: {path.read_text() or 'unknown'}" for device, path in named if path.exists())
