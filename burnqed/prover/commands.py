"""How a prover process is started: argument vector, environment, working folder."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from pathlib import Path

from burnqed.config import ProverSettings
from burnqed.files import UserError

Command = tuple[list[str], dict[str, str], Path | None]  # argument vector, whole environment, working folder

_KEPT = ("LEAN_SYSROOT", "LD_LIBRARY_PATH")  # nothing else of our environment reaches a worker


def _base_environment() -> dict[str, str]:
    """Return the environment every worker gets: no secret of ours, and the same on each machine."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {"PATH": os.environ.get("PATH", os.defpath), "HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8", **kept}


def _program(path: str) -> str:
    """Return a program's path with its folder resolved: a sandbox covers folders that links on the way lie in."""
    absolute = Path(path).absolute()
    return str(absolute.parent.resolve() / absolute.name)


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


def prover_environment(settings: ProverSettings) -> dict[str, str]:
    """Return the whole environment of a worker of real Lean. Raises UserError as ``lake_variable`` does."""
    environment = _base_environment()
    project = str(Path(settings.project).resolve()) if settings.project else ""
    lean_path = settings.lean_path or (lake_lean_path(project) if project else "")
    if lean_path:
        environment["LEAN_PATH"] = lean_path
    return environment


def prover_command(settings: ProverSettings) -> Command:
    """Return (argv, environment, working folder) of one worker.

    The environment is complete: nothing is inherited. Raises UserError when the command or the
    project is not there.
    """
    argv = settings.command or ["repl", "Init", *settings.imports]
    program = shutil.which(argv[0])
    if program is None:
        raise UserError(
            f"prover.command: '{argv[0]}' is not an executable file on PATH; build Pantograph's `repl` "
            "(with the project's Lean version) and give its path, or set prover.kind: lean, which needs none"
        )
    project = Path(settings.project).resolve() if settings.project else None
    if project is not None and not project.is_dir():
        raise UserError(f"prover.project: {project}: no such folder")
    return [_program(program), *argv[1:]], prover_environment(settings), project


def version_command(argv: list[str]) -> list[str]:
    """Return the command that prints the version: the repl wants ``--version`` as only argument."""
    name = Path(argv[0]).name
    prefix = 3 if name == "lake" and argv[1:2] in (["exe"], ["env"]) else 2 if name.startswith("python") else 1
    return [*argv[:prefix], "--version"]
