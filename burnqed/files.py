"""Files that are finished or absent: errors a user can fix, digests, atomic writes and plain readers.

Every artefact appears under its final name in one rename, as the last act of the job that makes it.
"""

from __future__ import annotations

import errno
import hashlib
import json
import math
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

WHOLE_FILE_BYTES = 1 << 26  # files above are identified by samples
SAMPLE_BLOCKS, SAMPLE_BYTES = 64, 1 << 16


class UserError(Exception):
    """A failure the user can fix; its message names the key or file and the remedy."""


def disk_full(error: BaseException) -> bool:
    """Return whether an exception, of whatever library, says that no space is left."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return True
    return "No space left on device" in str(error)


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


def file_digest(path: Path) -> str:
    """Return the digest of a file; of a large one, of its size and 64 blocks spread over it.

    Merged models of two iterations differ in every projection but neither in names nor in sizes,
    so sizes alone cannot tell them apart.
    """
    size = path.stat().st_size
    if size <= WHOLE_FILE_BYTES:
        return sha256_file(path)
    hasher = hashlib.sha256(str(size).encode())
    with path.open("rb") as stream:
        for block in range(SAMPLE_BLOCKS):
            stream.seek(block * (size - SAMPLE_BYTES) // (SAMPLE_BLOCKS - 1))
            hasher.update(stream.read(SAMPLE_BYTES))
    return hasher.hexdigest()


def input_digest(path: Path) -> str:
    """Return a file's or folder's digest, "absent" without one; a folder's large files count by samples of them.

    Hashing 15 GB of weights for each job would cost minutes.
    """
    if not path.exists():
        return "absent"
    if path.is_file():
        return sha256_file(path)
    parts = [(str(p.relative_to(path)), file_digest(p)) for p in sorted(path.rglob("*")) if p.is_file()]
    return digest(parts)


def sidecar_path(artifact: Path) -> Path:
    """Return the path of the sidecar of an artefact (file or folder)."""
    return artifact.with_name(artifact.name + ".meta.json")


def remedy(path: Path) -> str:
    """Return what to do about a file that cannot be read as what it should be.

    To delete it is advised only when its digest is not the one that its sidecar recorded: an intact file may be the
    wrong file, and nobody else's file is ours to throw away.
    """
    try:
        recorded = json.loads(sidecar_path(path).read_text(encoding="utf-8"))["outputs"][path.name]
    except (OSError, ValueError, KeyError, TypeError):
        return f"is it the file you meant? A file of a run is made again by `snakemake -R {path}`"
    if input_digest(path) != recorded:
        return "it has changed since it was made: delete it and run again"
    return "it is as it was made, so leave it: another file is needed here"


def sweep_partials(folder: Path) -> list[Path]:
    """Remove what writers that were killed left half-written below a folder; return the paths.

    Partial files and folders carry the id of their writer's process; those of a living one stay.
    """
    left = []
    for place, folders, files in os.walk(folder):
        for name in [*folders, *files]:
            match = _PARTIAL.fullmatch(name)
            if match and not _lives(int(match.group(1))):
                left.append(Path(place, name))
        folders[:] = [name for name in folders if not _PARTIAL.fullmatch(name)]
    for path in left:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return left


_PARTIAL = re.compile(r"\..+\.(\d+)\.partial", re.DOTALL)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


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


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text[:20]} is not finite")
    return value


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_finite)
_PUBLISHED = json.JSONDecoder(parse_constant=lambda _: None)


def parse_json(text: str, published: bool = False) -> Any:
    """Return the value of a JSON text.

    Raises ValueError for all that is none, and for what some readers take and others do not: NaN and
    infinities (with ``published`` they are null, as data frames write them), numbers of thousands of
    digits, nesting without end, halves of characters.
    """
    try:
        value = (_PUBLISHED if published else _DECODER).decode(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if "\\ud" in text or "\\uD" in text:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise ValueError("half of a character (a lone surrogate)") from error
    return value


def json_problem(error: ValueError) -> str:
    """Return what is wrong with a JSON text, without the place."""
    return error.msg if isinstance(error, json.JSONDecodeError) else str(error)


def read_json(path: Path) -> Any:
    """Read a JSON file; raise UserError naming the file when it is missing or damaged."""
    try:
        return parse_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UserError(f"{path}: no such file; check the path, or make it (`snakemake {path}`)") from error
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}; give a file that can be read") from error
    except ValueError as error:
        raise UserError(f"{path}: not readable as JSON ({error}); {remedy(path)}") from error


def read_jsonl(path: Path) -> Iterator[Any]:
    """Yield the objects of a JSON-lines file; raise UserError naming file and line when damaged."""
    try:
        with path.open(encoding="utf-8") as stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    try:
                        yield parse_json(line)
                    except ValueError as error:
                        raise UserError(
                            f"{path}:{number}: not a JSON object ({json_problem(error)}); {remedy(path)}"
                        ) from error
    except FileNotFoundError as error:
        raise UserError(f"{path}: no such file; check the path, or make it (`snakemake {path}`)") from error
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}; give a file that can be read") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8 text ({error.reason} at byte {error.start}); {remedy(path)}") from error
