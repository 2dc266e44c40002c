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
from burnqed.config import ModelSettings, ProverSettings, VerifySettings
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
# The rehearsal; and a pretrained model of 7B: 28 GB of weights while an adapter is merged in fp32, 14 GB on
# disk for the base and for each iteration's merged model.
MIN_MEMORY, MIN_MEMORY_PRETRAINED = 4e9, 32e9
MIN_DISK, MIN_DISK_PRETRAINED = 2e9, 60e9
# Where jobs are submitted to: the program and the package that Snakemake needs for it.
EXECUTORS = {
    "slurm": ("sbatch", "snakemake-executor-plugin-slurm"),
    "kubernetes": ("kubectl", "snakemake-executor-plugin-kubernetes"),
}


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


def check_gpu(needed: bool = False) -> Finding:
    """Say which GPUs torch sees; none is fine for the rehearsal, not for a pretrained model."""
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
    status = "fail" if needed else "note"
    card = shutil.which("nvidia-smi")
    if card:
        return Finding(
            "gpu",
            status,
            f"torch {torch.__version__} sees no GPU, although nvidia-smi is installed",
            "install a CUDA build of torch that suits the driver (`nvidia-smi` shows the driver's CUDA version)",
        )
    return Finding(
        "gpu",
        status,
        f"torch {torch.__version__}: none; enough for the rehearsal, not for a 7B model",
        "use a machine with a GPU, or model.kind: scratch" if needed else "",
    )


def memory_bytes() -> float:
    """Return the physical memory, or the control group's limit where that is less."""
    total = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    limit = Path("/sys/fs/cgroup/memory.max")
    # No control group, or none with a limit ("max"), leaves the machine's own memory.
    with contextlib.suppress(OSError, ValueError):
        total = min(total, float(limit.read_text().strip()))
    return total


def check_memory(least: float = MIN_MEMORY) -> Finding:
    """Check the memory."""
    total = memory_bytes()
    text = f"{total / 1e9:.1f} GB, {len(os.sched_getaffinity(0))} cores"
    if total < least:
        return Finding(
            "memory",
            "fail",
            text,
            f"this configuration needs {least / 1e9:.0f} GB: close other programs or use another machine",
        )
    return Finding("memory", "ok", text)


def check_workers(settings: ProverSettings, total: float) -> Finding:
    """Compare what the prover's workers may use together with the machine's memory in bytes."""
    most = settings.workers * settings.memory_limit_mb * 2**20
    text = f"{settings.workers} of at most {settings.memory_limit_mb / 1024:g} GB each"
    if settings.kind != "minilean" and most > total:
        mend = f"together they may use {most / 1e9:.0f} GB: lower prover.workers or prover.memory_limit_mb"
        return Finding("workers", "note", text, mend)
    return Finding("workers", "ok", text)


def check_executor(name: str) -> Finding:
    """Check that jobs can be submitted to the cluster that a profile names."""
    program, package = EXECUTORS[name]
    missing = []
    if shutil.which(program) is None:
        missing.append(f"no {program} on PATH: run Snakemake where jobs can be submitted")
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        missing.append(f"pip install {package}")
    text = f"{name}: jobs run elsewhere; GPU and memory of this machine do not count"
    return Finding("cluster", "fail" if missing else "ok", text, "; ".join(missing))


def check_disk(results: Path, least: float = MIN_DISK) -> Finding:
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
    if free < least:
        return Finding(
            "disk",
            "fail",
            text,
            f"free {least / 1e9:.0f} GB, or write elsewhere: --config results=FOLDER",
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


def check_replay(prover: ProverSettings, verify: VerifySettings) -> Finding:
    """Say whether accepted proofs can be replayed through the kernel (`verify.leanchecker`)."""
    from burnqed.lean.replay import Replayer, locate

    if prover.kind == "minilean":
        return Finding("replay", "ok", "not needed: minilean's kernel checks every proof as a whole")
    if verify.leanchecker == "off":
        return Finding("replay", "note", "off, as verify.leanchecker says", "prefer verify.leanchecker: auto")
    try:
        found = asyncio.run(locate(prover))
    except UserError as error:
        return Finding("replay", "fail" if verify.leanchecker == "required" else "note", str(error))
    if isinstance(found, Replayer):
        return Finding("replay", "ok", found.checker)
    status = "fail" if verify.leanchecker == "required" else "note"
    return Finding("replay", status, found, "a toolchain with leanchecker finds proofs that went past the kernel")


def check_lean(prover: ProverSettings | None = None) -> Finding:
    """Say whether a Lean toolchain is there; with minilean none is needed.

    Real Lean is found through `prover.command`, and through `lake` where `prover.lean_path` is empty.
    """
    found = [name for name in ("lake", "lean", "repl") if shutil.which(name)]
    if prover is not None and prover.kind != "minilean":
        missing = []
        if not prover.command:
            missing.append("prover.command is empty: give the path of Pantograph's repl")
        elif shutil.which(prover.command[0]) is None and not (Path(prover.project) / prover.command[0]).is_file():
            missing.append(f"prover.command: {prover.command[0]} is not an executable: build Pantograph's repl")
        if not prover.lean_path and shutil.which("lake") is None:
            missing.append("no lake on PATH: install Lean (elan), or give prover.lean_path")
        if missing:
            return Finding("lean", "fail", f"prover.kind is {prover.kind}", "; ".join(missing))
    if found:
        return Finding("lean", "ok", ", ".join(f"{name}: {shutil.which(name)}" for name in found))
    return Finding(
        "lean",
        "note",
        "no Lean on PATH; the rehearsal needs none, real Lean needs elan and Pantograph's repl",
    )


def read_profile(name: str) -> tuple[Path, str]:
    """Return the configuration file and the executor of a Snakemake profile, by name or folder.

    Raises UserError when there is no such profile.
    """
    import yaml

    folder = next((f for f in (Path(name), Path("profiles") / name) if (f / "profile.yaml").is_file()), None)
    if folder is None:
        known = ", ".join(sorted(path.parent.name for path in Path("profiles").glob("*/profile.yaml")))
        raise UserError(f"--profile: no profile {name!r} here; known: {known or 'none in ./profiles'}")
    values = yaml.safe_load((folder / "profile.yaml").read_text(encoding="utf-8"))
    files = values.get("configfile", [])
    files = [files] if isinstance(files, str) else files
    return (folder / files[-1] if files else Path("config.yaml")), str(values.get("executor", "local"))


def run_doctor(results: Path, file: Path | None, changes: Sequence[str], profile: str | None = None) -> int:
    """Print all findings; return 1 when one is a failure. Raises UserError for wrong settings."""
    executor = "local"
    if profile is not None:
        profile_file, executor = read_profile(profile)
        file = file or profile_file
    iteration = newest_iteration(results) if results.is_dir() else None
    recorded = recorded_blocks(iteration) if iteration else {}
    if not recorded and file is None and not any(c.startswith("prover.kind=") for c in changes):
        changes = ["prover.kind=minilean", *changes]
    blocks, _ = load_blocks(recorded, file, changes)
    prover, model, verify = blocks["prover"], blocks["model"], blocks["verify"]
    assert isinstance(prover, ProverSettings)
    assert isinstance(model, ModelSettings)
    assert isinstance(verify, VerifySettings)
    # The default of model.kind counts only where a configuration was given: a bare doctor asks for the rehearsal.
    configured = file is not None or "model" in recorded or any(c.startswith("model.") for c in changes)
    pretrained = configured and model.kind == "pretrained"
    here = pretrained and executor not in EXECUTORS  # whether the heavy jobs run on this machine
    checks = [
        check_python,
        check_packages,
        lambda: check_gpu(here),
        lambda: check_memory(MIN_MEMORY_PRETRAINED if here else MIN_MEMORY),
        lambda: check_disk(results, MIN_DISK_PRETRAINED if pretrained else MIN_DISK),
        lambda: check_lean(prover),
        lambda: check_sandbox(prover),
        lambda: check_prover(prover),
        lambda: check_replay(prover, verify),
    ]
    if executor in EXECUTORS:
        checks.insert(2, lambda: check_executor(executor))
    else:
        checks.insert(4, lambda: check_workers(prover, memory_bytes()))
    failed = False
    for check in checks:
        finding = check()
        failed = failed or finding.status == "fail"
        mark = {"ok": "ok  ", "note": "note", "fail": "FAIL"}[finding.status]
        print(f"{mark}  {finding.name:<9} {finding.text}")
        if finding.mend:
            print(f"      {'':<9} -> {finding.mend}")
    print("something has to be mended (see FAIL)" if failed else "ready")
    return 1 if failed else 0
