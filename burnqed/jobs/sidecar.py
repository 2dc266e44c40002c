"""Sidecars: provenance and cost of a job, beside each artefact that it made.

Times and costs never enter an artefact, so that the same inputs and seed give the same bytes.
"""

from __future__ import annotations

import json
import platform
import resource
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from pathlib import Path
from types import TracebackType

from burnqed.files import input_digest, sidecar_path, write_text
from burnqed.jobs.secrets import hide_secrets

PACKAGES = ("torch", "transformers", "peft", "accelerate", "numpy", "pyarrow", "vllm", "bitsandbytes")


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


@cache
def code_state() -> dict[str, object]:
    """Return the commit of the code and whether files were changed since; nulls where it is no checkout of git."""
    root = Path(__file__).resolve().parents[2]
    found: list[str | None] = []
    for words in (["rev-parse", "HEAD"], ["status", "--porcelain", "--untracked-files=no"]):
        try:
            done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, timeout=10)
        except (OSError, subprocess.TimeoutExpired):
            return {"commit": None, "dirty": None}
        found.append(done.stdout.strip() if done.returncode == 0 else None)
    # An installed package may lie inside someone else's checkout.
    commit, changes = found if (root / ".git").exists() else (None, None)
    return {"commit": commit, "dirty": None if changes is None else bool(changes)}


@cache
def cpu_model() -> str:
    """Return the processor's name: the same seed gives other figures on another one."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.lower().startswith("model name"))
    return next(names, platform.machine())


def _cpu_seconds() -> float:
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def _gpu_peak_bytes() -> int:
    import sys

    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_initialized():
        return 0
    return int(torch.cuda.max_memory_allocated())


_job_gpus = 0.0


def set_job_gpus(count: float) -> None:
    """Say how many GPUs this job occupies, or which share; also where another process (a server it starts) uses them."""
    global _job_gpus
    _job_gpus = count


@dataclass
class Sidecar:
    """Provenance and cost of one job, written beside each of its artefacts by ``with``.

    Use as a context manager around the whole job; nothing is written when the job fails. Put
    anything time-like into ``extra`` (for example seconds of policy, Lean and value).
    GPU seconds are wall seconds times the GPUs that the job was said to occupy.
    """

    outputs: Sequence[Path]
    inputs: Sequence[Path] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    seed: int | None = None
    price_per_gpu_hour: float = 0.0
    extra: dict[str, object] = field(default_factory=dict)
    _wall: float = 0.0
    _cpu: float = 0.0

    def __enter__(self) -> Sidecar:
        self._wall, self._cpu = time.monotonic(), _cpu_seconds()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            return
        wall = time.monotonic() - self._wall
        peak_kib = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        from burnqed import __version__

        record = {
            "inputs": {str(path): input_digest(path) for path in self.inputs},
            "settings": dict(self.settings),
            "seed": self.seed,
            "outputs": {path.name: input_digest(path) for path in self.outputs},
            "code_version": __version__,
            **code_state(),
            "packages": _versions(),
            "host": socket.gethostname(),
            "cpu_model": cpu_model(),
            "wall_seconds": round(wall, 3),
            "cpu_seconds": round(_cpu_seconds() - self._cpu, 3),
            "gpu_seconds": round(wall * _job_gpus, 3),
            "peak_memory_bytes": peak_kib * 1024,
            "peak_gpu_bytes": _gpu_peak_bytes(),
            "estimated_cost": round(wall * _job_gpus / 3600 * self.price_per_gpu_hour, 4),
            **self.extra,
        }
        text = hide_secrets(json.dumps(record, ensure_ascii=False, indent=2) + "\n")
        for output in self.outputs:
            write_text(sidecar_path(output), text)
