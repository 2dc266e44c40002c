"""Which Lean is used: where its program, its library and the compiled modules are."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from burnqed.config import ProverSettings
from burnqed.files import UserError
from burnqed.prover.commands import find_lake, lake_lean_path, lake_variable, prover_environment
from burnqed.prover.embedded import embedded_lean


@dataclass(frozen=True)
class Toolchain:
    """A Lean: the command of its compiler, its library, folders with compiled modules, whole environment."""

    lean: tuple[str, ...]
    library: str  # libleanshared.so; empty when there is none
    search: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]
    version: str = ""

    @property
    def checker(self) -> str:
        """The toolchain's `leanchecker`, empty when it has none (before Lean 4.28)."""
        path = Path(self.lean[0]).parent / "leanchecker"
        return str(path) if path.is_file() else ""


def find_toolchain(prover: ProverSettings, other: str) -> Toolchain:
    """Return the toolchain of the re-check: ``other`` (``verify.toolchain``), else that of the search.

    ``other`` is the folder of a toolchain (``bin/lean``) or of a Lean project. Raises UserError when
    there is none.
    """
    if not other:
        return find_lean(prover)
    place = Path(other).resolve()
    if (place / "bin" / "lean").is_file():
        return _described(place, prover_environment(ProverSettings()))
    if find_lake() is None or not place.is_dir():
        raise UserError(f"verify.toolchain: {other} is neither a toolchain (bin/lean) nor a project that `lake` knows")
    prefix = Path(lake_variable(str(place), "LEAN_SYSROOT"))
    environment = prover_environment(ProverSettings())
    return _described(prefix, {**environment, "LEAN_PATH": lake_lean_path(str(place))})


def find_lean(prover: ProverSettings) -> Toolchain:
    """Return the Lean of the search.

    It is that of `prover.command` (kind lean), else the project's, else the `lean` on PATH, else (kind lean,
    without a project) the embedded one. elan's proxy is replaced by the toolchain's own program: a worker
    sees neither elan's settings nor the network. Raises UserError with the remedy when there is none.
    """
    environment = prover_environment(prover)
    if prover.kind == "lean" and prover.command:
        return _described(_prefix(prover.command[0], "prover.command"), environment)
    if prover.project:
        return _described(_project_prefix(str(Path(prover.project).resolve())), environment)
    if shutil.which("lean"):
        return _described(_prefix("lean", "PATH"), environment)
    if prover.kind == "lean":
        return _embedded(environment)
    raise UserError("no Lean found: install it with elan (https://lean-lang.org/install), or give prover.project")


def _project_prefix(project: str) -> Path:
    prefix = Path(lake_variable(project, "LEAN_SYSROOT"))
    if not (prefix / "bin" / "lean").is_file():
        raise UserError(f"prover.project: {project}: no {prefix}/bin/lean; run `lake build` there first")
    return prefix


@functools.lru_cache(maxsize=8)
def _prefix(program: str, place: str) -> Path:
    found = shutil.which(program)
    if found is None:
        raise UserError(f"{place}: '{program}' is not an executable file; give the path of a toolchain's `lean`")
    try:
        done = subprocess.run([found, "--print-prefix"], capture_output=True, text=True, timeout=300)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError(f"{place}: `{found} --print-prefix`: {error}; is this a `lean` for this machine?") from error
    prefix = Path(done.stdout.strip())
    if done.returncode != 0 or not prefix.is_absolute() or not (prefix / "bin" / "lean").is_file():
        said = done.stderr.strip()[-300:] or done.stdout.strip()[-300:]
        raise UserError(f"{place}: `{found} --print-prefix` names no toolchain ({said}); is this a `lean`?")
    return prefix


def _embedded(environment: dict[str, str]) -> Toolchain:
    lean = embedded_lean()
    search = [*environment.get("LEAN_PATH", "").split(os.pathsep), *map(str, lean.search)]
    search = [part for part in search if part]
    environment = {**environment, "LEAN_PATH": os.pathsep.join(search)}
    return Toolchain(lean.argv, str(lean.library), tuple(search), tuple(sorted(environment.items())), lean.version)


def _described(prefix: Path, environment: dict[str, str]) -> Toolchain:
    lean, library = prefix / "bin" / "lean", prefix / "lib" / "lean" / "libleanshared.so"
    environment = {**environment, "LEAN_SYSROOT": str(prefix)}
    search = [part for part in environment.get("LEAN_PATH", "").split(os.pathsep) if part]
    return Toolchain(
        (str(lean),), str(library) if library.is_file() else "", (*search, str(prefix / "lib" / "lean")),
        tuple(sorted(environment.items())), lean_version(str(lean)),
    )  # fmt: skip


@functools.lru_cache(maxsize=8)
def lean_version(lean: str) -> str:
    """Return the version of a `lean`, such as 4.35.0. Raises UserError when it does not start."""
    try:
        done = subprocess.run([lean, "--short-version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UserError(f"{lean}: does not start: {error}") from error
    if done.returncode != 0:
        raise UserError(f"{lean}: does not start: {done.stderr.strip()[-300:]}")
    return done.stdout.strip()
