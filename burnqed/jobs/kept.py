"""Servers kept between the jobs of one machine: one a GPU at most, recorded beside the GPU's lock.

A job that takes a GPU either uses the server that is kept there or ends it first, so that its memory is free; one of a
small model stays.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from burnqed.files import write_text
from burnqed.jobs.gpus import LOCKS

END_SECONDS = 60.0


@dataclass(frozen=True)
class Kept:
    """A server: the process that keeps it, the folder of its socket and log, and what tells it from another (``key``).

    Another one of the same ``kind`` can be made of it by giving it other weights. A ``small`` one leaves most of the GPU's
    memory to other jobs.
    """

    pid: int
    folder: str
    key: str
    kind: str
    small: bool = False

    @property
    def lives(self) -> bool:
        """Whether its keeper is there; another process of the same number is not it."""
        try:
            words = Path(f"/proc/{self.pid}/cmdline").read_bytes().split(b"\0")
        except OSError:
            return False
        return any(word.endswith(b"_keeper.py") for word in words)


def _record(device: str, folder: Path) -> Path:
    return folder / f"{device.replace('/', '_')}.server.json"


def kept_server(device: str, folder: Path = LOCKS) -> Kept | None:
    """Return the server that is kept on a device, None without one."""
    try:
        found = Kept(**json.loads(_record(device, folder).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return found if found.lives else None


def keep(server: Kept, device: str, folder: Path = LOCKS) -> None:
    """Record a server, for the jobs that take the device after this one."""
    write_text(_record(device, folder), json.dumps(asdict(server)))


def end_kept(devices: Sequence[str], folder: Path = LOCKS, small: bool = True) -> None:
    """End the servers that are kept on some devices, those of small models only if asked; wait until they are gone."""
    for device in devices:
        server = kept_server(device, folder)
        if server is not None:
            if server.small and not small:
                continue
            with contextlib.suppress(ProcessLookupError):
                os.kill(server.pid, signal.SIGTERM)
            limit = time.monotonic() + END_SECONDS
            while server.lives and time.monotonic() < limit:
                time.sleep(0.1)
            shutil.rmtree(server.folder, ignore_errors=True)
        _record(device, folder).unlink(missing_ok=True)
