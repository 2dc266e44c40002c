"""Where published data comes from: local files, or files of a dataset repository on the Hub."""

from __future__ import annotations

import codecs
import gzip
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from burnqed.artifacts import UserError

PREFIX = "hf://"
CHUNK = 1 << 20
SPACE = re.compile(r"[ \t\n\r]*")


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
    """Yield (place, row) of a JSON list, an object with ``theorems``, or JSON lines; .gz allowed.

    ``place`` is ``file:line`` (JSON lines) or ``file[entry]``. Lists and lines are read piece by
    piece: published files reach gigabytes. Raises UserError naming the place when the file is
    damaged.
    """
    try:
        with _open(path) as stream:
            first = stream.read(1 << 10).lstrip()[:1]
        if first == b"[":
            rows = _list_rows(path)
        elif path.name.removesuffix(".gz").endswith(".json") and not _is_lines(path):
            rows = _index_rows(path)
        else:
            rows = _line_rows(path)
        for place, row in rows:
            if not isinstance(row, dict):
                raise UserError(f"{place}: not a JSON object")
            yield place, row
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(f"{path}: cannot be read ({error}); the file is damaged or cut short") from error


def _open(path: Path) -> IO[bytes]:
    return cast(IO[bytes], gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb")


def _not_utf8(path: Path, line: int, error: UnicodeDecodeError) -> UserError:
    return UserError(f"{path}:{line}: not UTF-8 text ({error.reason}); convert the file or fetch it again")


def _not_json(path: Path, line: int, error: json.JSONDecodeError) -> UserError:
    return UserError(f"{path}:{line}: not readable as JSON ({error.msg}); the file is damaged or cut short")


def _is_lines(path: Path) -> bool:
    """Return whether the first line is a whole JSON object that is no theorem index."""
    with _open(path) as stream:
        try:
            value = json.loads(stream.readline())
        except ValueError:
            return False
    return isinstance(value, dict) and "theorems" not in value


def _line_rows(path: Path) -> Iterator[tuple[str, Any]]:
    with _open(path) as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                yield f"{path}:{number}", json.loads(line.decode("utf-8"))
            except UnicodeDecodeError as error:
                raise _not_utf8(path, number, error) from error
            except json.JSONDecodeError as error:
                raise _not_json(path, number, error) from error


def _index_rows(path: Path) -> Iterator[tuple[str, Any]]:
    with _open(path) as stream:
        raw = stream.read()
    try:
        value = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _not_utf8(path, raw[: error.start].count(b"\n") + 1, error) from error
    except json.JSONDecodeError as error:
        raise _not_json(path, error.lineno, error) from error
    rows = value.get("theorems") if isinstance(value, dict) else None
    if not isinstance(rows, list):
        raise UserError(f"{path}: expected a list of entries, or an object with 'theorems'")
    for number, row in enumerate(rows):
        yield f"{path}[{number}]", row


def _list_rows(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the entries of a JSON list, holding little more than one of them in memory."""
    decoder, utf8 = json.JSONDecoder(), codecs.getincrementaldecoder("utf-8")()
    buffer, position, line, number, size, ended = "", 0, 1, 0, CHUNK, False
    expect_value, opened = True, False
    with _open(path) as stream:
        while True:
            position = SPACE.match(buffer, position).end()  # type: ignore[union-attr]
            char = buffer[position : position + 1]
            if char and not opened:
                opened, position = True, position + 1  # the caller has seen the bracket
                continue
            if char == "]" and not (expect_value and number):
                if SPACE.sub("", buffer[position + 1 :]) or stream.read(1).strip():
                    raise UserError(f"{path}: text after the list; the file is damaged")
                return
            if char == "," and not expect_value:
                expect_value, position = True, position + 1
                continue
            if char:
                if not expect_value:
                    place = line + buffer.count("\n", 0, position)
                    raise UserError(f"{path}:{place}: not readable as JSON (expected ',' or ']'); the file is damaged")
                try:
                    value, position = decoder.raw_decode(buffer, position)
                except json.JSONDecodeError as error:
                    if ended:
                        raise _not_json(path, line + error.lineno - 1, error) from error
                else:
                    yield f"{path}[{number}]", value
                    number, size, expect_value = number + 1, CHUNK, False
                    continue
            elif ended:
                raise UserError(f"{path}: the list does not end (after {number} entries); the file is cut short")
            # Read on: what is left is the beginning of an entry. Doubling keeps a long one cheap.
            line += buffer.count("\n", 0, position)
            raw = stream.read(size)
            size, ended = size * 2, not raw
            try:
                buffer, position = buffer[position:] + utf8.decode(raw, final=ended), 0
            except UnicodeDecodeError as error:
                place = line + buffer[position:].count("\n") + raw[: error.start].count(b"\n")
                raise _not_utf8(path, place, error) from error
