"""Where published data comes from: local files, or files of a dataset repository on the Hub."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from burnqed.artifacts import UserError

PREFIX = "hf://"


def resolve_source(source: str) -> Path:
    """Return the local file of a source: a path, or ``hf://owner/repository[@revision]/file``.

    Files of the Hub are downloaded once into its cache. Raises UserError when the file does not
    exist, or cannot be downloaded (no network, wrong name, no access).
    """
    if not source.startswith(PREFIX):
        path = Path(source).expanduser()
        if not path.is_file():
            raise UserError(f"{path}: no such file; give an existing file or hf://owner/repository/file")
        return path
    parts = source.removeprefix(PREFIX).removeprefix("datasets/").split("/", 2)
    if len(parts) != 3 or not all(parts):
        raise UserError(f"{source}: write hf://owner/repository/file, or hf://owner/repository@revision/file")
    owner, repository, file = parts
    repository, _, revision = repository.partition("@")
    try:
        from huggingface_hub import hf_hub_download
    except ImportError as error:
        raise UserError(
            f"{source}: needs the package huggingface_hub; `pip install huggingface_hub`, or give a local file"
        ) from error
    try:
        return Path(hf_hub_download(f"{owner}/{repository}", file, repo_type="dataset", revision=revision or None))
    except Exception as error:  # the Hub client raises a dozen unrelated types for one cause
        reason = str(error).strip().splitlines()
        raise UserError(
            f"{source}: cannot be downloaded and is not in the cache ({type(error).__name__}: "
            f"{reason[0] if reason else 'no reason given'}); connect this machine to the network, fetch "
            "the file elsewhere and give its local path, or check the name"
        ) from error


def read_rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (place, row) of a JSON list, a JSON object with ``theorems``, or JSON lines; .gz allowed.

    ``place`` is ``file:line`` (JSON lines) or ``file[entry]``. Raises UserError naming the place
    when the file is damaged.
    """
    try:
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        text = raw.decode("utf-8")
    except (OSError, EOFError) as error:
        raise UserError(f"{path}: cannot be read ({error})") from error
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise UserError(f"{path}:{line}: not UTF-8 text (byte {error.start}); convert or fetch it again") from error
    if text.lstrip()[:1] == "[" or path.name.removesuffix(".gz").endswith(".json"):
        try:
            value = json.loads(text)
        except json.JSONDecodeError as error:
            # A .json file may still hold one object per line.
            if not text.lstrip().startswith("{") or "Extra data" not in error.msg:
                raise UserError(
                    f"{path}:{error.lineno}: not readable as JSON ({error.msg}); the file is damaged or cut short"
                ) from error
        else:
            rows = value.get("theorems") if isinstance(value, dict) else value
            if not isinstance(rows, list):
                raise UserError(f"{path}: expected a list of entries, or an object with 'theorems'")
            for number, row in enumerate(rows):
                yield f"{path}[{number}]", _object(row, f"{path}[{number}]")
            return
    for number, content in enumerate(text.split("\n"), 1):
        if not content.strip():
            continue
        try:
            row = json.loads(content)
        except json.JSONDecodeError as error:
            raise UserError(
                f"{path}:{number}: not a JSON object ({error.msg}); the file is damaged or cut short"
            ) from error
        yield f"{path}:{number}", _object(row, f"{path}:{number}")


def _object(row: Any, place: str) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise UserError(f"{place}: not a JSON object")
    return row
