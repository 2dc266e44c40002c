"""Confinement of prover processes: they run text that a language model wrote.

A confined worker has no network, sees no other process, reads a file system it cannot change
except for a ``/tmp`` in memory, gets an environment we write, and lives under limits of memory,
CPU time and file size. bubblewrap does it where installed, else ``jail.py`` with namespaces.
"""

from __future__ import annotations

import functools
import json
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from burnqed.artifacts import UserError
from burnqed.config import ProverSettings
from burnqed.lean import jail
from burnqed.lean.commands import needed_paths

logger = logging.getLogger(__name__)

TMP_MB = 256
FILE_MB = 256
# Lean maps its .olean files (several GiB for Mathlib) into the address space: shared, read-only
# memory that the limit of a worker's own memory must not count.
MAPPED_MB = {"pantograph": 24576, "minilean": 0}
_CREDENTIALS = (
    ".ssh",
    ".aws",
    ".azure",
    ".gnupg",
    ".kube",
    ".docker",
    ".netrc",
    ".git-credentials",
    ".config/gcloud",
    ".config/gh",
    ".cache/huggingface",
    ".huggingface",
)
_MEND = (
    "install bubblewrap, or allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1; on Ubuntu "
    "also kernel.apparmor_restrict_unprivileged_userns=0), or accept the risk with prover.sandbox: off"
)


@dataclass(frozen=True)
class Sandbox:
    """A chosen way of confinement; ``wrap`` turns a worker's command into a confined one."""

    mode: str  # bubblewrap | namespaces | off
    limits: Mapping[str, int]

    def wrap(self, argv: list[str], environment: Mapping[str, str], folder: Path | None) -> list[str]:
        """Return the command to execute, as a child of this process."""
        visible = needed_paths(argv, environment, folder)
        hidden = _hidden(visible)
        inner = argv
        if self.mode == "bubblewrap":
            inner = _bubblewrap(argv, visible, hidden, folder)
        spec = {
            "parent": os.getpid(),
            "limits": dict(self.limits),
            "namespaces": self.mode == "namespaces",
            "visible": visible,
            "hidden": hidden,
            "cwd": str(folder) if folder and self.mode != "bubblewrap" else "/tmp" if self.mode == "namespaces" else "",
            "tmp_mb": TMP_MB,
        }
        return [sys.executable, "-I", "-S", "-B", jail.__file__, json.dumps(spec), *inner]


def _hidden(visible: list[str]) -> list[str]:
    """Return the usual places of credentials, except where a needed path lies inside one."""
    places = [str(Path.home() / name) for name in _CREDENTIALS]
    return [p for p in places if Path(p).exists() and not any(v == p or v.startswith(p + "/") for v in visible)]


def _bubblewrap(argv: list[str], visible: list[str], hidden: list[str], folder: Path | None) -> list[str]:
    words = [
        shutil.which("bwrap") or "bwrap",
        "--unshare-all",
        "--die-with-parent",
        "--cap-drop",
        "ALL",
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
    ]
    for path in jail.MASKED:
        if Path(path).is_dir() and not Path(path).is_symlink():
            words += ["--size", str(TMP_MB << 20), "--tmpfs", path] if _bwrap_has_size() else ["--tmpfs", path]
    for path in hidden:
        words += ["--tmpfs", path] if Path(path).is_dir() else ["--ro-bind", "/dev/null", path]
    for path in visible:
        if any(path.startswith(masked + "/") for masked in jail.MASKED) and Path(path).exists():
            words += ["--ro-bind", path, path]
    for path in ("/dev", *jail.MASKED):
        if path != "/tmp" and path in words:
            words += ["--remount-ro", path]
    return [*words, "--chdir", str(folder or "/tmp"), "--", *argv]


@functools.lru_cache(maxsize=1)
def _bwrap_has_size() -> bool:
    done = subprocess.run(["bwrap", "--help"], capture_output=True, text=True, check=False)
    return "--size" in done.stdout


def limits_for(settings: ProverSettings) -> dict[str, int]:
    """Return the resource limits (RLIMIT name -> bytes, seconds or count) of one worker."""
    memory = (settings.memory_limit_mb + MAPPED_MB[settings.kind]) << 20
    return {
        "AS": memory,
        "CPU": int(4 * (settings.recycle_seconds + settings.ready_timeout)),
        "FSIZE": FILE_MB << 20,
        "CORE": 0,
        "NPROC": 4096,
    }


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
    command = Sandbox(mode, {"CORE": 0}).wrap([shell], {}, None)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return None if done.returncode == 0 else done.stderr.strip()[-300:] or f"exit status {done.returncode}"


def choose_sandbox(settings: ProverSettings) -> Sandbox:
    """Return the confinement that the settings ask for and this machine can give.

    ``auto`` takes bubblewrap, else namespaces. When neither works, real Lean is refused with
    UserError; the embedded prover, which only interprets a small language and runs no code of
    the text it reads, goes on with resource limits alone.
    """
    limits = limits_for(settings)
    if settings.sandbox == "off":
        return Sandbox("off", limits)
    wanted = ("bubblewrap", "namespaces") if settings.sandbox == "auto" else (settings.sandbox,)
    reasons = []
    for mode in wanted:
        reason = probe(mode)
        if reason is None:
            return Sandbox(mode, limits)
        reasons.append(f"{mode}: {reason}")
    if settings.sandbox == "auto" and settings.kind == "minilean":
        logger.info("no sandbox here (%s); minilean runs with resource limits alone", "; ".join(reasons))
        return Sandbox("off", limits)
    raise UserError(f"prover.sandbox: {settings.sandbox} does not work here ({'; '.join(reasons)}); {_MEND}")
