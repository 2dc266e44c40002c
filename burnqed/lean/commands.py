"""How a prover process is started: argument vector, environment, working folder."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from burnqed.artifacts import UserError
from burnqed.config import ProverSettings

_KEPT = ("LEAN_SYSROOT", "LD_LIBRARY_PATH")  # nothing else of our environment reaches a worker


def _base_environment() -> dict[str, str]:
    """Return the environment every worker gets: no secret of ours, and the same on each machine."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8", **kept}


def _program(path: str) -> str:
    """Return a program's path with its folder resolved: a sandbox covers folders that links on the way lie in."""
    absolute = Path(path).absolute()
    return str(absolute.parent.resolve() / absolute.name)


def minilean_command() -> tuple[list[str], dict[str, str], Path | None]:
    """Return the command of the embedded prover, run by this Python without site-packages."""
    import burnqed

    root = Path(burnqed.__file__).resolve().parent.parent
    environment = {**_base_environment(), "PYTHONPATH": str(root), "PYTHONHASHSEED": "0"}
    return [_program(sys.executable), "-S", "-s", "-P", "-B", "-m", "burnqed.minilean"], environment, None


def find_lake() -> str | None:
    """Return the path of `lake`, also where elan has put it without changing PATH."""
    return shutil.which("lake") or shutil.which("lake", path=str(Path.home() / ".elan" / "bin"))


@functools.lru_cache(maxsize=8)
def lake_variable(project: str, name: str) -> str:
    """Return an environment variable (LEAN_PATH, LEAN_SYSROOT) of a Lean project as lake knows it.

    Raises UserError when lake is absent, or refuses the project.
    """
    lake = find_lake()
    if lake is None:
        raise UserError("prover.project: `lake` is not on PATH; install Lean (elan), or give prover.lean_path yourself")
    asked = f"`lake env printenv {name}` in {project}"
    try:
        done = subprocess.run([lake, "env", "printenv", name], cwd=project, capture_output=True, text=True, timeout=300)
    except FileNotFoundError as error:
        raise UserError(f"prover.project: {project}: no such folder") from error
    except subprocess.TimeoutExpired as error:
        raise UserError(f"prover.project: {asked} took over 300 s; run it once by hand") from error
    value = done.stdout.strip()
    if done.returncode != 0 or not value:
        raise UserError(
            f"prover.project: {asked} failed: {done.stderr.strip()[-500:] or 'no output'}; run `lake build` there first"
        )
    return value


def lake_lean_path(project: str) -> str:
    """Return LEAN_PATH of a Lean project as lake knows it, with absolute paths."""
    path = lake_variable(project, "LEAN_PATH")
    # lake prints paths relative to the project when its build folder is relative
    return os.pathsep.join(str((Path(project) / part).resolve()) for part in path.split(os.pathsep) if part)


def toolchain(settings: ProverSettings) -> Path | None:
    """Return the folder of the programs of the project's Lean toolchain, None when none is found."""
    prefix = ""
    if settings.project and find_lake() is not None:
        with contextlib.suppress(UserError):
            prefix = lake_variable(str(Path(settings.project).resolve()), "LEAN_SYSROOT")
    lean = shutil.which("lean")
    if not prefix and lean is not None:
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            command = [lean, "--print-prefix"]
            prefix = subprocess.run(command, capture_output=True, text=True, timeout=60).stdout.strip()
    tools = Path(prefix) / "bin"
    return tools if prefix and (tools / "lean").is_file() else None


def prover_environment(settings: ProverSettings) -> dict[str, str]:
    """Return the whole environment of a worker of real Lean. Raises UserError as ``lake_variable`` does."""
    environment = _base_environment()
    project = str(Path(settings.project).resolve()) if settings.project else ""
    lean_path = settings.lean_path or (lake_lean_path(project) if project else "")
    if lean_path:
        environment["LEAN_PATH"] = lean_path
    return environment


def prover_command(settings: ProverSettings) -> tuple[list[str], dict[str, str], Path | None]:
    """Return (argv, environment, working folder) of one worker.

    The environment is complete: nothing is inherited. Raises UserError when the command or the
    project is not there.
    """
    if settings.kind == "minilean":
        return minilean_command()
    if not settings.command:
        raise UserError(
            "prover.command: empty; give the Pantograph repl and the modules it imports, e.g. [repl, Init, Mathlib]"
        )
    program = shutil.which(settings.command[0])
    if program is None:
        raise UserError(
            f"prover.command: '{settings.command[0]}' is not an executable file on PATH; build Pantograph's `repl` "
            "(with the project's Lean version) and give its path"
        )
    project = Path(settings.project).resolve() if settings.project else None
    if project is not None and not project.is_dir():
        raise UserError(f"prover.project: {project}: no such folder")
    return [_program(program), *settings.command[1:]], prover_environment(settings), project


def version_command(argv: list[str], kind: str) -> list[str]:
    """Return the command that prints the version: the repl wants ``--version`` as only argument."""
    if kind == "minilean":
        return [*argv, "--version"]
    name = Path(argv[0]).name
    prefix = 3 if name == "lake" and argv[1:2] in (["exe"], ["env"]) else 2 if name.startswith("python") else 1
    return [*argv[:prefix], "--version"]


def needed_paths(argv: list[str], environment: Mapping[str, str], folder: Path | None) -> list[str]:
    """Return the existing paths a worker reads, for a sandbox that covers what lies around them."""
    paths = [argument for argument in argv if Path(argument).is_absolute()]
    paths += [os.path.realpath(path) for path in paths]
    for name in ("PYTHONPATH", "LEAN_PATH", "LEAN_SYSROOT", "LD_LIBRARY_PATH"):
        paths += [part for part in environment.get(name, "").split(os.pathsep) if Path(part).is_absolute()]
    if folder is not None:
        paths.append(str(folder))
    paths += [sys.prefix, sys.base_prefix]
    found = sorted({os.path.normpath(path) for path in paths if Path(path).exists()})
    folders = [path for path in found if Path(path).is_dir()]
    return [path for path in found if not any(path.startswith(folder.rstrip("/") + "/") for folder in folders)]
