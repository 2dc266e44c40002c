"""`burnqed doctor`: what this machine has, what a run needs, and what to fix."""

from __future__ import annotations

import asyncio
import contextlib
import difflib
import os
import platform
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from burnqed.config import Config, ModelSettings, PolicySettings, ProverSettings, VerifySettings
from burnqed.evaluation.stack import load_blocks, newest_iteration, read_config_file, recorded_blocks
from burnqed.files import UserError
from burnqed.policy.vllm_process import server_program

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
    """One check: `ok`, `note` (works, but worth knowing) or `fail`, and how to fix it."""

    name: str
    status: str
    text: str
    remedy: str = ""


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
    if most > total:
        remedy = f"together they may use {most / 1e9:.0f} GB: lower prover.workers or prover.memory_limit_mb"
        return Finding("workers", "note", text, remedy)
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


def check_server(policy: PolicySettings) -> Finding:
    """Check that the completions server of the policy answers, or can be started here."""
    if policy.server_url:
        import httpx2

        for url in policy.server_url:
            try:
                httpx2.get(url, timeout=10, trust_env=False)
            except httpx2.HTTPError as error:
                remedy = "start it, or leave policy.server_url empty: then each job starts its own"
                return Finding("server", "fail", f"{url} does not answer ({error})", remedy)
        return Finding("server", "ok", ", ".join(policy.server_url))
    try:
        program = server_program(policy)
    except UserError as error:
        remedy = "install vLLM in an environment of its own (docs/cloud.md) and give its python as policy.server_python"
        return Finding("server", "fail", f"jobs cannot start a completions server: {error}", remedy)
    return Finding("server", "ok", f"jobs start their own with `{' '.join(program)}`")


def check_sandbox(settings: ProverSettings) -> Finding:
    """Check how prover processes are confined here."""
    from burnqed.prover.sandbox import choose_sandbox

    try:
        chosen = choose_sandbox(settings)
    except UserError as error:
        return Finding("sandbox", "fail", str(error), "")
    if chosen.mode == "off":
        return Finding(
            "sandbox",
            "note",
            "off, as prover.sandbox says",
            "text written by a model runs unconfined; prefer prover.sandbox: auto",
        )
    return Finding("sandbox", "ok", chosen.mode)


async def _start(settings: ProverSettings) -> str:
    """Prove a theorem with the prover; return the kind's own description of itself. Raises UserError."""
    from burnqed.prover.kinds import KINDS
    from burnqed.prover.pool import LeanPool, Outcome, StatementError
    from burnqed.records.theorems import Theorem

    async with LeanPool(settings.model_copy(update={"workers": 1})) as pool:
        try:
            session = await pool.open(Theorem("doctor", "∀ (p : Prop), p → p"))
            results = [await session.apply(0, "intro p h")]
            if results[0].state is not None:
                results.append(await session.apply(results[0].state, "exact h"))
        except StatementError as error:
            raise UserError(f"prover.command: it started, but refused a trivial goal: {error}") from error
        if results[-1].outcome is not Outcome.PROVED:
            raise UserError(f"prover.command: it started, but did not prove a trivial goal: {results[-1].message}")
    return await KINDS[settings.kind].describe(settings)


def check_prover(settings: ProverSettings) -> Finding:
    """Start the prover once and prove a trivial goal."""
    try:
        return Finding("prover", "ok", asyncio.run(_start(settings)))
    except UserError as error:
        return Finding("prover", "fail", str(error), "")
    except Exception as error:  # any failure of a foreign program is a finding, not a crash
        return Finding("prover", "fail", f"{settings.kind}: {type(error).__name__}: {error}", "")


def check_recheck(prover: ProverSettings, verify: VerifySettings) -> Finding:
    """Say whether finished proofs can be checked again by Lean's kernel, and by which Lean."""
    from burnqed.prover.kernelprocess import KernelMissing, KernelProcess
    from burnqed.prover.sandbox import choose_sandbox
    from burnqed.prover.toolchain import find_toolchain

    async def try_it() -> str:
        toolchain = find_toolchain(prover, verify.toolchain)
        kernel = await KernelProcess.start(toolchain, choose_sandbox(prover), ["Init"], [], prover.ready_timeout)
        await kernel.close()
        return f"kernel of Lean {toolchain.version} ({toolchain.library})"

    try:
        return Finding("re-check", "ok", asyncio.run(try_it()))
    except UserError as error:
        return Finding("re-check", "fail", str(error))
    except KernelMissing as error:
        return Finding("re-check", "fail", str(error), "give verify.toolchain: a Lean whose kernel can be called")


def check_lean(prover: ProverSettings) -> Finding:
    """Say which Lean the prover kind finds here, and which kind fits when it finds none."""
    from burnqed.prover.kinds import KINDS
    from burnqed.prover.toolchain import find_lean

    try:
        KINDS[prover.kind].command(prover)
        lean = find_lean(prover)
        return Finding("lean", "ok", f"{lean.version}: {' '.join(lean.lean)}")
    except UserError as error:
        return Finding("lean", "fail", str(error), _advice(prover))


def _advice(prover: ProverSettings) -> str:
    """Return which kind to take instead, if another one finds what it needs."""
    from burnqed.prover.kinds import KINDS

    own = KINDS[prover.kind]
    stock = [kind for kind in KINDS.values() if kind.stock and kind is not own]
    for kind in stock:
        with contextlib.suppress(UserError):
            kind.command(prover.model_copy(update={"kind": kind.name, "command": []}))
            return f"set prover.kind: {kind.name}, which works here as it is; {own.fits}"
    return "; ".join(kind.fits for kind in (own, *stock))


def read_profile(name: str) -> tuple[Path, str]:
    """Return the configuration file and the executor of a Snakemake profile, by name or folder.

    Raises UserError when there is no such profile.
    """
    import yaml

    folder = next((f for f in (Path(name), Path("profiles") / name) if (f / "profile.yaml").is_file()), None)
    if folder is None:
        known = sorted(path.parent.name for path in Path("profiles").glob("*/profile.yaml"))
        close = difflib.get_close_matches(name, known, 1)
        hint = (
            f"did you mean {close[0]}?" if close else f"known: {', '.join(known) or 'none; run this in the repository'}"
        )
        raise UserError(f"--profile: no profile {name!r} here; {hint}")
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
        changes = ["prover.kind=lean", "prover.imports=[]", *changes]
    blocks, _ = load_blocks(recorded, file, changes)
    prover, model, verify, policy = (blocks[name] for name in ("prover", "model", "verify", "policy"))
    assert isinstance(prover, ProverSettings)
    assert isinstance(model, ModelSettings)
    assert isinstance(verify, VerifySettings)
    assert isinstance(policy, PolicySettings)
    # The default of model.kind counts only where a configuration was given: a bare doctor asks for the rehearsal.
    configured = file is not None or "model" in recorded or any(c.startswith("model.") for c in changes)
    needs = Needs(
        pretrained=configured and model.kind == "pretrained",
        gpu=_names_gpu(file),
        server=configured and policy.backend == "server",
    )
    checks = _checks(prover, verify, policy, results, executor, needs)
    failed = False
    for check in checks:
        finding = check()
        failed = failed or finding.status == "fail"
        mark = {"ok": "ok  ", "note": "note", "fail": "FAIL"}[finding.status]
        print(f"{mark}  {finding.name:<9} {finding.text}")
        if finding.remedy:
            print(f"      {'':<9} -> {finding.remedy}")
    print("something has to be fixed (see FAIL)" if failed else "ready")
    return 1 if failed else 0


@dataclass(frozen=True)
class Needs:
    """What a configuration asks of a machine: memory and disk of a pretrained model, a GPU, a completions server."""

    pretrained: bool
    gpu: bool
    server: bool


def _names_gpu(file: Path | None) -> bool:
    """Return whether a configuration file names a type of machine that has a GPU."""
    given = read_config_file(file) if file is not None else {}
    kind = (given.get("hardware_types") or {}).get(given.get("hardware"), {})
    return isinstance(kind, dict) and kind.get("device") == "cuda"


def failures(cfg: Config) -> list[str]:
    """Return what would stop a run of a configuration on this machine, one line each: asked before a GPU is used."""
    needs = Needs(cfg.model.kind == "pretrained", cfg.machine.device == "cuda", cfg.policy.backend == "server")
    checks = _checks(cfg.prover, cfg.verify, cfg.policy, Path(cfg.results), "local", needs)
    found = [finding for finding in (check() for check in checks) if finding.status == "fail"]
    return [f"{one.name}: {one.text}" + (f" -> {one.remedy}" if one.remedy else "") for one in found]


def _checks(
    prover: ProverSettings,
    verify: VerifySettings,
    policy: PolicySettings,
    results: Path,
    executor: str,
    needs: Needs,
) -> list[Callable[[], Finding]]:
    """Return the checks of a machine; with an executor of a cluster those of where jobs are submitted."""
    local = executor not in EXECUTORS  # whether the heavy jobs run on this machine
    heavy = needs.pretrained and local
    checks: list[Callable[[], Finding]] = [
        check_python,
        check_packages,
        lambda: check_gpu(heavy or (needs.gpu and local)),
        lambda: check_memory(MIN_MEMORY_PRETRAINED if heavy else MIN_MEMORY),
        lambda: check_disk(results, MIN_DISK_PRETRAINED if needs.pretrained else MIN_DISK),
        lambda: check_lean(prover),
        lambda: check_sandbox(prover),
        lambda: check_prover(prover),
        lambda: check_recheck(prover, verify),
    ]
    if not local:
        checks.insert(2, lambda: check_executor(executor))
    else:
        checks.insert(4, lambda: check_workers(prover, memory_bytes()))
    if needs.server and local:
        checks.append(lambda: check_server(policy))
    return checks
