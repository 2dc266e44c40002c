"""Confinement of prover processes: they run text that a language model wrote.

A confined worker sees an empty root with what it needs mounted read-only, a small ``/tmp`` in memory and no other
process, can open no socket, gets an environment we write, and lives under limits of memory, processes, CPU time,
open files and file size. bubblewrap sets that up where installed, else ``jail`` does by namespaces alone.
"""

from __future__ import annotations

import functools
import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import burnqed
from burnqed.config import ProverSettings
from burnqed.files import UserError
from burnqed.prover.jail import launch
from burnqed.prover.jail.spec import Spec
from burnqed.prover.visible import system_paths, visible_paths

logger = logging.getLogger(__name__)

TMP_MB = 256
FILE_MB = 256
# Lean maps its .olean files (several GiB for Mathlib) into the address space: shared, read-only
# memory that the limit of a worker's own memory must not count.
MAPPED_MB = 24576
_ROOT = str(Path(burnqed.__file__).resolve().parent.parent)
_REMEDY = (
    "install bubblewrap, or allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1; on Ubuntu "
    "also kernel.apparmor_restrict_unprivileged_userns=0), or accept the risk with prover.sandbox: off"
)


@dataclass(frozen=True)
class Sandbox:
    """A chosen way of confinement; ``wrap`` turns a worker's command into a confined one.

    ``limits`` are those of each process (RLIMIT name to bytes, seconds or count), ``memory`` (bytes, 0: none) is
    that of all of a worker's processes and of the files in its scratch folder together.
    """

    mode: str  # bubblewrap | namespaces | off
    limits: Mapping[str, int]
    memory: int = 0

    def wrap(
        self,
        argv: list[str],
        environment: Mapping[str, str],
        folder: Path | None,
        read_only: Sequence[Path] = (),
    ) -> list[str]:
        """Return the command to execute, as a child of this process.

        ``folder`` is the working folder. The worker sees it, absolute paths among ``argv`` and in the
        environment's search paths, and what ``read_only`` names besides, such as a library loaded later.
        Raises UserError when one of these is as broad as a home folder.
        """
        confined = self.mode != "off"
        system, links = system_paths()
        spec: Spec = {
            "mode": self.mode,
            "parent": os.getpid(),
            "limits": dict(self.limits),
            "memory": self.memory,
            "paths": [*system, *visible_paths(argv, environment, folder, read_only)] if confined else [],
            "links": links,
            "cwd": str(folder) if folder else "/tmp" if confined else "",
            "bwrap": shutil.which("bwrap") or "",
            "scratch_mb": TMP_MB,
        }
        # The specification is Python text: that takes no parser to be imported at each start.
        start = (
            f"import sys; sys.path.append({_ROOT!r}); from {launch.__name__} import main; main({spec!r}, sys.argv[1:])"
        )
        return [sys.executable, "-I", "-S", "-B", "-c", start, *argv]


def limits_for(settings: ProverSettings) -> dict[str, int]:
    """Return the resource limits (RLIMIT name -> bytes, seconds or count) of each process of a worker."""
    memory = (settings.memory_limit_mb + MAPPED_MB) << 20
    return {
        "AS": memory,
        "CPU": int(4 * (settings.recycle_seconds + settings.ready_timeout)),
        "FSIZE": FILE_MB << 20,
        "CORE": 1,  # byte: 0 would still start a program that the host's core_pattern names
        "NOFILE": 1024,
        "NPROC": _tasks(),
    }


def _tasks() -> int:
    """Return how many processes and threads a worker may have."""
    version = tuple(int(word) for word in re.findall(r"\d+", os.uname().release)[:2])
    if version < (5, 14):
        return 4096  # counts all that the user runs anywhere; newer kernels count each worker for itself
    return 128 + 4 * (os.cpu_count() or 1)  # Lean starts a thread for each core, and some more


@functools.lru_cache(maxsize=4)
def probe(mode: str) -> str | None:
    """Try a way of confinement once; return None when it works here, else the reason."""
    if mode == "off":
        return None
    if mode == "bubblewrap" and shutil.which("bwrap") is None:
        return "bubblewrap (`bwrap`) is not installed"
    if not sys.platform.startswith("linux"):
        return "needs Linux"
    shell = shutil.which("true") or "/bin/true"
    command = Sandbox(mode, {"NPROC": _tasks()}).wrap([shell], {}, None)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return None if done.returncode == 0 else done.stderr.strip()[-300:] or f"exit status {done.returncode}"


def choose_sandbox(settings: ProverSettings) -> Sandbox:
    """Return the confinement that the settings ask for and this machine can give.

    ``auto`` takes bubblewrap, else namespaces. Raises UserError when neither works.
    """
    limits, memory = limits_for(settings), settings.memory_limit_mb << 20
    if settings.sandbox == "off":
        return Sandbox("off", limits, memory)
    wanted = ("bubblewrap", "namespaces") if settings.sandbox == "auto" else (settings.sandbox,)
    reasons = []
    for mode in wanted:
        reason = probe(mode)
        if reason is None:
            return Sandbox(mode, limits, memory)
        reasons.append(f"{mode}: {reason}")
    raise UserError(f"prover.sandbox: {settings.sandbox} does not work here ({'; '.join(reasons)}); {_REMEDY}")
