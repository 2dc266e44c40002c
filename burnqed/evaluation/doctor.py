"""`burnqed doctor`: what this machine has, what a run needs, and what to mend."""

from __future__ import annotations

import asyncio
import contextlib
import os
import platform
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from burnqed.artifacts import UserError
from burnqed.config import ProverSettings
from burnqed.evaluation.stack import load_blocks, newest_iteration, recorded_blocks

NEEDED = (
    "torch",
    "transformers",
    "peft",
    "safetensors",
    "tokenizers",
    "pyarrow",
    "pydantic",
    "snakemake",
)
MIN_PYTHON = (3, 11)
MIN_MEMORY = 4e9
MIN_DISK = 2e9


@dataclass(frozen=True)
class Finding:
    """One check: `ok`, `note` (works, but worth knowing) or `fail`, and how to mend it."""

    name: str
    status: str
    text: str
    mend: str = ""


def check_python() -> Finding:
    """Check the interpreter's version."""
    text = f"{platform.python_version()} ({sys.executable})"
    if tuple(map(int, platform.python_version_tuple()[:2])) < MIN_PYTHON:
        return Finding("python", "fail", text, "burn-qed needs Python 3.11 or newer")
    return Finding("python", "ok", text)


def check_packages(names: Sequence[str] = NEEDED) -> Finding:
    """Check that the needed packages are installed."""
    found, missing = [], []
    for name in names:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            missing.append(name)
    if missing:
        return Finding("packages", "fail", "missing: " + ", ".join(missing), "make setup")
    return Finding("packages", "ok", ", ".join(found))


def check_gpu() -> Finding:
    """Say which GPUs torch sees; none is fine for the rehearsal."""
    try:
        import torch
    except ImportError as error:
        return Finding("gpu", "fail", f"torch cannot be imported ({error})", "make setup")
    if torch.cuda.is_available():
        shown = []
        for number in range(torch.cuda.device_count()):
            properties = torch.cuda.get_device_properties(number)
            shown.append(f"{properties.name}, {properties.total_memory / 1e9:.0f} GB")
        return Finding(
            "gpu",
            "ok",
            f"torch {torch.__version__}, CUDA {torch.version.cuda}: " + "; ".join(shown),
        )
    card = shutil.which("nvidia-smi")
    if card:
        return Finding(
            "gpu",
            "note",
            f"torch {torch.__version__} sees no GPU, although nvidia-smi is installed",
            "install a CUDA build of torch that suits the driver (`nvidia-smi` shows the driver's CUDA version)",
        )
    return Finding(
        "gpu",
        "note",
        f"torch {torch.__version__}: none; enough for the rehearsal, not for a 7B model",
    )


def check_memory() -> Finding:
    """Check physical memory, and the control group's limit where there is one."""
    total = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    limit = Path("/sys/fs/cgroup/memory.max")
    # No control group, or none with a limit ("max"), leaves the machine's own memory.
    with contextlib.suppress(OSError, ValueError):
        total = min(total, float(limit.read_text().strip()))
    text = f"{total / 1e9:.1f} GB, {len(os.sched_getaffinity(0))} cores"
    if total < MIN_MEMORY:
        return Finding(
            "memory",
            "fail",
            text,
            f"the rehearsal needs {MIN_MEMORY / 1e9:.0f} GB: close other programs or use another machine",
        )
    return Finding("memory", "ok", text)


def check_disk(results: Path) -> Finding:
    """Check that results can be written and fit."""
    folder = results.resolve()
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    text = f"{free / 1e9:.1f} GB free at {folder}"
    if not os.access(folder, os.W_OK):
        return Finding(
            "disk",
            "fail",
            f"{folder} is not writable",
            "give another folder: --config results=FOLDER",
        )
    if free < MIN_DISK:
        return Finding(
            "disk",
            "fail",
            text,
            f"free {MIN_DISK / 1e9:.0f} GB, or write elsewhere: --config results=FOLDER",
        )
    return Finding("disk", "ok", text)


def check_sandbox(settings: ProverSettings) -> Finding:
    """Check how prover processes are confined here."""
    from burnqed.lean.sandbox import choose_sandbox, probe

    try:
        chosen = choose_sandbox(settings)
    except UserError as error:
        return Finding("sandbox", "fail", str(error), "")
    if chosen.mode == "off":
        if settings.sandbox == "off":
            return Finding(
                "sandbox",
                "note",
                "off, as prover.sandbox says",
                "text written by a model runs unconfined; prefer prover.sandbox: auto",
            )
        return Finding(
            "sandbox",
            "note",
            f"none works here ({probe('bubblewrap')}; {probe('namespaces')})",
            "enough for minilean; real Lean needs bubblewrap: install it, or allow user namespaces",
        )
    return Finding("sandbox", "ok", chosen.mode)


async def _start(settings: ProverSettings) -> str:
    from burnqed.lean.client import ReplClient

    client = await ReplClient.start(settings)
    try:
        answer = await client.request("goal.start", {"expr": "∀ (p : Prop), p → p"}, settings.ready_timeout)
    finally:
        await client.close()
    if "stateId" not in answer:
        raise UserError(f"prover.command: it started, but refused a trivial goal: {answer}")
    return ".".join(str(part) for part in client.version)


def check_prover(settings: ProverSettings) -> Finding:
    """Start the prover once and open a trivial goal."""
    try:
        version = asyncio.run(_start(settings))
    except UserError as error:
        return Finding("prover", "fail", str(error), "")
    except Exception as error:  # any failure of a foreign program is a finding, not a crash
        return Finding("prover", "fail", f"{settings.kind}: {type(error).__name__}: {error}", "")
    what = "minilean (embedded)" if settings.kind == "minilean" else " ".join(settings.command)
    return Finding("prover", "ok", f"{what}, protocol version {version}")


def check_lean() -> Finding:
    """Say whether a Lean toolchain is on the path; the rehearsal needs none."""
    found = [name for name in ("lake", "lean", "repl") if shutil.which(name)]
    if found:
        return Finding("lean", "ok", ", ".join(f"{name}: {shutil.which(name)}" for name in found))
    return Finding(
        "lean",
        "note",
        "no Lean on PATH; the rehearsal needs none, real Lean needs elan and Pantograph's repl",
    )


def run_doctor(results: Path, file: Path | None, changes: Sequence[str]) -> int:
    """Print all findings; return 1 when one is a failure. Raises UserError for wrong settings."""
    iteration = newest_iteration(results) if results.is_dir() else None
    recorded = recorded_blocks(iteration) if iteration else {}
    if not recorded and file is None and not any(c.startswith("prover.kind=") for c in changes):
        changes = ["prover.kind=minilean", *changes]
    blocks, _ = load_blocks(recorded, file, changes)
    prover = blocks["prover"]
    assert isinstance(prover, ProverSettings)
    failed = False
    for check in (
        check_python,
        check_packages,
        check_gpu,
        check_memory,
        lambda: check_disk(results),
        check_lean,
        lambda: check_sandbox(prover),
        lambda: check_prover(prover),
    ):
        finding = check()
        failed = failed or finding.status == "fail"
        mark = {"ok": "ok  ", "note": "note", "fail": "FAIL"}[finding.status]
        print(f"{mark}  {finding.name:<9} {finding.text}")
        if finding.mend:
            print(f"      {'':<9} -> {finding.mend}")
    print("something has to be mended (see FAIL)" if failed else "ready")
    return 1 if failed else 0
