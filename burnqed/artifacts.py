"""Files that are finished or absent: atomic writes, sidecars, and progress folders.

Every artefact appears under its final name in one rename, as the last act of the job that makes it.
Times and costs never enter an artefact; they go to ``X.meta.json`` beside it, so that the same
inputs and seed give the same bytes. Work in progress lives in a progress folder outside the
declared outputs, keyed by a digest of inputs and settings, and is locked by its owner.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import logging
import os
import platform
import resource
import shutil
import socket
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from types import TracebackType
from typing import Any

logger = logging.getLogger(__name__)
PROGRESS = ".progress"
KEEP_PROGRESS = "BURNQED_KEEP_PROGRESS"
PACKAGES = ("torch", "transformers", "peft", "accelerate", "numpy", "pyarrow", "vllm", "bitsandbytes")


class UserError(Exception):
    """A failure the user can mend; its message names the key or file and the mend."""


def digest(value: object) -> str:
    """Return the SHA-256 (hex) of a JSON-serialisable value, independent of key order."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def sha256_file(path: Path) -> str:
    """Return the SHA-256 (hex) of a file, or of a folder's file names and contents."""
    if path.is_dir():
        files = sorted(p for p in path.rglob("*") if p.is_file() and not p.name.endswith(".meta.json"))
        return digest([(str(p.relative_to(path)), sha256_file(p)) for p in files])
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _fsync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside ``path``; on success it replaces ``path`` in one rename."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        yield partial
        _fsync(partial)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def atomic_dir(path: Path) -> Iterator[Path]:
    """Yield a temporary folder beside ``path``; on success it takes the place of ``path``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    try:
        yield partial
        for item in partial.rglob("*"):
            if item.is_file():
                _fsync(item)
        if path.exists():
            shutil.rmtree(path)
        partial.replace(path)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically."""
    with atomic_path(path) as partial:
        partial.write_text(text, encoding="utf-8")


def write_json(path: Path, value: object) -> None:
    """Write a JSON file atomically, indented, keys in the order given."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def write_jsonl(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    """Write one JSON object per line, atomically."""
    with atomic_path(path) as partial, partial.open("w", encoding="utf-8") as stream:
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def read_json(path: Path) -> Any:
    """Read a JSON file; raise UserError naming the file when it is missing or damaged."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UserError(f"{path}: no such file; make it first (`snakemake {path}`)") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not readable as JSON ({error}); delete it and run again") from error


def read_jsonl(path: Path) -> Iterator[Any]:
    """Yield the objects of a JSON-lines file; raise UserError naming file and line when damaged."""
    try:
        with path.open(encoding="utf-8") as stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    try:
                        yield json.loads(line)
                    except json.JSONDecodeError as error:
                        raise UserError(f"{path}:{number}: not a JSON object ({error.msg})") from error
    except FileNotFoundError as error:
        raise UserError(f"{path}: no such file; make it first (`snakemake {path}`)") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8 text ({error.reason} at byte {error.start})") from error


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _cpu_seconds() -> float:
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def _gpu_peak_bytes() -> int:
    import sys

    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available():
        return 0
    return int(torch.cuda.max_memory_allocated())


def sidecar_path(artifact: Path) -> Path:
    """Return the path of the sidecar of an artefact (file or folder)."""
    return artifact.with_name(artifact.name + ".meta.json")


_job_gpus = 0


def set_job_gpus(count: int) -> None:
    """Say how many GPUs this job occupies, also where another process (a server it starts) uses them."""
    global _job_gpus
    _job_gpus = count


@dataclass
class Sidecar:
    """Provenance and cost of one job, written beside each of its artefacts by ``with``.

    Use as a context manager around the whole job; nothing is written when the job fails. Put
    anything time-like into ``extra`` (for example seconds of policy, Lean and value).
    GPU seconds are wall seconds times the job's GPUs (those visible to torch when nobody said how many).
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
        import sys

        wall = time.monotonic() - self._wall
        torch = sys.modules.get("torch")
        seen = torch.cuda.device_count() if torch is not None and torch.cuda.is_available() else 0
        gpus = _job_gpus or seen
        peak_kib = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        from burnqed import __version__

        record = {
            "inputs": {str(path): input_digest(path) for path in self.inputs},
            "settings": dict(self.settings),
            "seed": self.seed,
            "code_version": __version__,
            "packages": _versions(),
            "host": socket.gethostname(),
            "wall_seconds": round(wall, 3),
            "cpu_seconds": round(_cpu_seconds() - self._cpu, 3),
            "gpu_seconds": round(wall * gpus, 3),
            "peak_memory_bytes": peak_kib * 1024,
            "peak_gpu_bytes": _gpu_peak_bytes(),
            "estimated_cost": round(wall * gpus / 3600 * self.price_per_gpu_hour, 4),
            **self.extra,
        }
        for output in self.outputs:
            write_json(sidecar_path(output), record)


def input_digest(path: Path) -> str:
    """Return an input's digest; for a model folder, the digest of names, sizes and its index.

    Hashing 15 GB of weights for each job costs minutes, so large folders are identified by the
    SHA-256 of their small files plus name and size of their large ones.
    """
    if not path.exists():
        return "absent"
    if path.is_file():
        return sha256_file(path)
    parts: list[tuple[str, str]] = []
    for item in sorted(p for p in path.rglob("*") if p.is_file()):
        size = item.stat().st_size
        parts.append((str(item.relative_to(path)), str(size) if size > 1 << 26 else sha256_file(item)))
    return digest(parts)


class ProgressFolder:
    """Finished pieces of an unfinished job: atomic files under a key, with an owner lock.

    The folder is ``<parent of artefact>/.progress/<artefact name>/<key>``. Pieces saved under
    another key (other inputs or settings) are never read, and are removed when this job finishes.
    The lock is an ``flock``: the kernel drops it when the owner dies, however it dies.

    Raises UserError when another live process holds the lock for longer than ``wait`` seconds.
    """

    def __init__(self, artifact: Path, key: Mapping[str, object], wait: float = 60.0) -> None:
        self.base = artifact.parent / PROGRESS / artifact.name
        self.path = self.base / digest(key)[:16]
        self._acquire(wait)
        write_json(self.path / "key.json", dict(key))

    def _acquire(self, wait: float) -> None:
        limit, waited = time.monotonic() + wait, False
        while True:
            self.base.mkdir(parents=True, exist_ok=True)
            try:
                self._lock = (self.base / "owner.lock").open("a+")
            except FileNotFoundError:  # the owner before removes its folder just now
                continue
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if self._is_in_place():
                    break
                self._lock.close()  # the owner before finished meanwhile, and removed the file that was locked here
                continue
            except BlockingIOError:
                self._lock.seek(0)
                owner = self._lock.read().strip() or "unknown"
                self._lock.close()
            if time.monotonic() >= limit:
                raise UserError(
                    f"{self.base}: another process works on this artefact ({owner}); wait for it or end it, then run again"
                )
            if not waited:
                logger.info("another process works on this artefact (%s); waiting up to %.0f s", owner, wait)
            waited = True
            time.sleep(0.2)
        self._lock.truncate(0)
        self._lock.write(f"pid {os.getpid()} on {socket.gethostname()}")
        self._lock.flush()

    def _is_in_place(self) -> bool:
        """Return whether the locked file is the one that others would open."""
        try:
            return os.path.samestat(os.fstat(self._lock.fileno()), (self.base / "owner.lock").stat())
        except FileNotFoundError:
            return False

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    def save(self, name: str, value: object) -> None:
        """Save one finished piece as JSON, atomically."""
        write_json(self.path / name, value)

    def load(self, name: str) -> Any | None:
        """Return a saved piece, or None when it is absent or damaged (then it is made again)."""
        try:
            return json.loads((self.path / name).read_text(encoding="utf-8"))
        except (FileNotFoundError, json.JSONDecodeError, UnicodeDecodeError):
            return None

    def names(self, pattern: str = "*") -> list[str]:
        """Return the names of the saved pieces, sorted."""
        return sorted(p.name for p in self.path.glob(pattern) if p.name != "key.json" and p.name[0] != ".")

    def close(self) -> None:
        """Give the lock up, keeping the pieces."""
        self._lock.close()

    def finish(self) -> None:
        """Remove all pieces; call after the artefact has its final name.

        With BURNQED_KEEP_PROGRESS set they stay: the artefact is only safe when it is stored elsewhere.
        """
        if os.environ.get(KEEP_PROGRESS):
            self.close()
            return
        shutil.rmtree(self.base, ignore_errors=True)
        self.close()
        for parent in (self.base.parent,):
            if parent.exists() and not any(parent.iterdir()):
                parent.rmdir()
