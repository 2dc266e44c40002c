"""One GPU for each job on a machine with several: Snakemake counts GPUs but gives none out.

A job takes its devices by locks that end with its process, however it ends, and hides all others
through CUDA_VISIBLE_DEVICES. Clusters give devices out themselves; there nothing is taken.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import itertools
import logging
import os
import stat
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from burnqed.files import UserError
from burnqed.words import counted

logger = logging.getLogger(__name__)
LOCKS = Path(tempfile.gettempdir()) / f"burnqed-gpus-{os.getuid()}"
VISIBLE = "CUDA_VISIBLE_DEVICES"
SHARE = "BURNQED_SHARE_GPUS"  # set for jobs that share one machine's devices: how many may have a device at once

_held: list[IO[str]] = []


def visible_gpus() -> list[str]:
    """Return the devices this process may use, by CUDA's names: those of CUDA_VISIBLE_DEVICES, else all."""
    if VISIBLE in os.environ:
        named = [name.strip() for name in os.environ[VISIBLE].split(",")]
        return [name for name in named if name and name != "-1"]
    # Minor numbers in a container need not start at 0; CUDA's do.
    return [str(number) for number in range(len(list(Path("/dev").glob("nvidia[0-9]*"))))]


def jobs_per_gpu() -> int:
    """Return how many jobs may have one device at once; 0 where nothing is taken."""
    each = os.environ.get(SHARE, "")
    return int(each) if each.isdigit() else 0


def take_gpus(
    count: int, devices: Sequence[str], *, each: int = 1, folder: Path = LOCKS, wait: float = 600.0
) -> list[str]:
    """Take ``count`` free devices for the life of this process and hide the others from CUDA.

    ``each``: jobs that may have a device at once. Call before CUDA starts. Raises UserError when the machine has fewer,
    or none becomes free within ``wait`` seconds.
    """
    if len(devices) < count:
        raise UserError(
            f"the job needs {counted(count, 'GPU')} and sees {len(devices)} ({', '.join(devices) or 'none'}): "
            f"check nvidia-smi and {VISIBLE}, or set `resources: {{gpu: {len(devices)}}}` in the profile"
        )
    place = _open_folder(folder)
    try:
        taken = _take(count, devices, each, place, wait)
    finally:
        os.close(place)
    _held.extend(taken.values())
    os.environ[VISIBLE] = ",".join(taken)
    logger.info("GPU %s of %s", ", ".join(taken), ", ".join(devices))
    return list(taken)


def _take(count: int, devices: Sequence[str], each: int, folder: int, wait: float) -> dict[str, IO[str]]:
    limit = time.monotonic() + wait
    taken: dict[str, IO[str]] = {}
    while True:
        for number, device in itertools.product(range(each), devices):  # an idle device first
            if device not in taken and len(taken) < count:
                lock = _try_lock(folder, f"{device}+{number}" if number else device)
                if lock is not None:
                    taken[device] = lock
        if len(taken) == count:
            return taken
        if time.monotonic() >= limit:
            for lock in taken.values():
                lock.close()
            raise UserError(
                f"no free GPU among {', '.join(devices)} for {wait:.0f} s ({_owners(folder, devices)}); "
                "end those processes, or set fewer `resources: {gpu: N}` in the profile"
            )
        time.sleep(0.2)


def lock_descriptors() -> tuple[int, ...]:
    """Return the descriptors of the locks; a child that inherits them keeps the devices while it lives."""
    return tuple(lock.fileno() for lock in _held)


def kept_device() -> str:
    """Return the device on which this job may leave a server for the next; "" when it shares it, has several or took none."""
    return os.environ[VISIBLE] if jobs_per_gpu() == 1 and len(_held) == 1 else ""


def release_gpus() -> None:
    """Give the devices back before the process ends."""
    while _held:
        _held.pop().close()


def _open_folder(path: Path) -> int:
    """Return a descriptor of the folder of locks, made if need be, that no other user can write to.

    Its name in a shared /tmp can be guessed. Raises UserError when another user was there first.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        path.mkdir(mode=0o700)
    try:
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        if os.fstat(folder).st_uid == os.geteuid():
            os.fchmod(folder, 0o700)
            return folder
        os.close(folder)
    except OSError as error:
        raise UserError(f"{path}: no folder to lock GPUs in ({error.strerror}); remove it, or set TMPDIR") from error
    raise UserError(f"{path}: belongs to another user; remove it, or set TMPDIR to a folder of your own")


def _open_lock(folder: int, device: str, flags: int) -> IO[str]:
    """Open a device's lock file, never one that a link leads to; raise OSError."""
    flags |= os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(f"{device.replace('/', '_')}.lock", flags, 0o600, dir_fd=folder)
    status = os.fstat(descriptor)
    if stat.S_ISREG(status.st_mode) and status.st_nlink == 1:
        return open(descriptor, "r+", encoding="utf-8")  # noqa: PTH123
    os.close(descriptor)
    raise OSError(errno.EPERM, "not a file of its own")


def _try_lock(folder: int, device: str) -> IO[str] | None:
    try:
        lock = _open_lock(folder, device, os.O_RDWR | os.O_CREAT)
    except OSError as error:
        raise UserError(f"{LOCKS}: the lock of GPU {device} cannot be used ({error.strerror}); remove it") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        return None
    lock.truncate(0)
    lock.write(f"pid {os.getpid()}")
    lock.flush()
    return lock


def _owners(folder: int, devices: Sequence[str]) -> str:
    return ", ".join(f"{device}: {_owner(folder, device)}" for device in devices)


def _owner(folder: int, device: str) -> str:
    with contextlib.suppress(OSError, ValueError), _open_lock(folder, device, os.O_RDWR) as lock:
        return lock.read(100) or "unknown"
    return "unknown"
