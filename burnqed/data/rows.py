"""Rows of published files: JSON in its shapes, JSON lines, Parquet and CSV, recognised by content."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, cast

from burnqed.data.shapes import rows_of_object
from burnqed.files import UserError, json_problem, parse_json
from burnqed.records.damage import Damage
from burnqed.words import counted

CHUNK = 1 << 20
MOST_TEXT = 64 << 20
BATCH = 512
SPACE = re.compile(r"[ \t\n\r]*")
NEXT_ENTRY = re.compile(r"[}\]]\s*,\s*(?=\{)")
Row = dict[str, Any]


def read_rows(path: Path, damage: Damage | None = None, columns: Sequence[str] = ()) -> Iterator[tuple[str, Row]]:
    """Yield (place, row) of JSON lines, a JSON list or object, Parquet, CSV or TSV; gzip allowed.

    ``place`` is ``file:line`` (JSON lines) or ``file[entry]``. ``columns`` limits what is read of a
    Parquet file. Damaged rows go to ``damage``, which stops with UserError naming file and place
    (the default) or skips them; the rows around them are not lost.
    """
    damage = damage or Damage()
    try:
        for place, row in READERS[kind_of(path)](path, damage, columns):
            if isinstance(row, dict):
                yield place, row
            else:
                damage.report(f"{place}: not a JSON object")
    except (OSError, EOFError, zlib.error) as error:
        damage.report(f"{path}: cannot be read ({error}); the file is damaged or cut short", error, True)


def kind_of(path: Path) -> str:
    """Return what a file holds by its first bytes: parquet, list, object, lines, table, or lean (any other text).

    Raises UserError with the remedy for archives and other binary files.
    """
    with path.open("rb") as raw:
        magic = raw.read(8)
    if magic.startswith(b"PAR1"):
        return "parquet"
    what = next((what for start, what in ARCHIVES.items() if magic.startswith(start)), "")
    if what:
        raise UserError(f"{path}: {what}; unpack it and give what is in it")
    head = _head(path)
    if b"\0" in head:
        raise UserError(f"{path}: no text and no Parquet; give Lean files, JSON, JSON lines, CSV or Parquet")
    start = head.removeprefix(codecs.BOM_UTF8).lstrip()
    name = path.name.removesuffix(".gz").lower()
    if name.endswith((".csv", ".tsv")):
        return "table"
    if name.endswith(".lean"):
        return "lean"
    if start[:1] == b"[":
        return "list"
    if start[:1] == b"{":
        return "lines" if not name.endswith(".json") or _is_lines(path) else "object"
    return "lines" if not start or name.endswith((".jsonl", ".ndjson", ".json")) else "lean"


ARCHIVES = {
    b"PK\x03\x04": "a zip archive",
    b"\xfd7zXZ": "an xz archive",
    b"\x28\xb5\x2f\xfd": "a zstd archive",
    b"BZh": "a bzip2 archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"ARROW1": "an Arrow file",
    b"version ": "a Git LFS pointer, not the file itself (`git lfs pull` fetches it)",
}


def _head(path: Path) -> bytes:
    """Return the first bytes of a file, unpacked as far as a damaged gzip file goes."""
    with path.open("rb") as raw:
        head = raw.read(1 << 16)
    if not head.startswith(b"\x1f\x8b"):
        return head
    try:
        return zlib.decompressobj(31).decompress(head, 1 << 16)
    except zlib.error as error:
        raise UserError(f"{path}: not readable as gzip ({error}); fetch it again") from error


def _open(path: Path) -> IO[bytes]:
    with path.open("rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
    return cast(IO[bytes], gzip.open(path, "rb")) if packed else path.open("rb")


def read_text(path: Path, damage: Damage) -> str:
    """Return the text of a file; wrong bytes become U+FFFD and are reported. Raises UserError when it is too long."""
    try:
        with _open(path) as stream:
            raw = stream.read(MOST_TEXT + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise UserError(f"{path}: cannot be read ({error}); the file is damaged or cut short") from error
    if len(raw) > MOST_TEXT:
        raise UserError(f"{path}: more than {MOST_TEXT >> 20} MB of Lean text; split it")
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        damage.report(f"{path}:{raw[: error.start].count(10) + 1}: not UTF-8 text ({error.reason})", error)
        return raw.decode("utf-8", errors="replace").replace("\r\n", "\n")


def _is_lines(path: Path) -> bool:
    """Return whether the first two lines are whole JSON objects."""
    try:
        with _open(path) as stream:
            first, second = stream.readline(), stream.readline()
        values = [parse_json(line.decode("utf-8-sig"), published=True) for line in (first, second)]
    except (ValueError, OSError, EOFError, zlib.error):
        return False
    return all(isinstance(value, dict) for value in values)


def _lines(path: Path, damage: Damage) -> Iterator[tuple[int, bytes]]:
    """Yield numbered lines; of a line beyond the limit no more than the limit is ever held."""
    with _open(path) as stream:
        number = 0
        while line := stream.readline(damage.max_bytes + 1):
            number += 1
            if len(line) <= damage.max_bytes:
                yield number, line
                continue
            length = len(line)
            while line and not line.endswith(b"\n"):
                line = stream.readline(CHUNK)
                length += len(line)
            damage.report(
                f"{path}:{number}: a line of {length / (1 << 20):.1f} MB, more than data.max_row_mb "
                f"({damage.max_bytes / (1 << 20):g})"
            )


def _line_rows(path: Path, damage: Damage, columns: Sequence[str] = ()) -> Iterator[tuple[str, Any]]:
    for number, line in _lines(path, damage):
        if number == 1:
            line = line.removeprefix(codecs.BOM_UTF8)
        if not line.strip():
            continue
        try:
            value = parse_json(line.decode("utf-8"), published=True)
        except UnicodeDecodeError as error:
            damage.report(f"{path}:{number}: not UTF-8 text ({error.reason})", error)
        except ValueError as error:
            damage.report(f"{path}:{number}: not readable as JSON ({json_problem(error)})", error)
        else:
            yield f"{path}:{number}", value


def _object_rows(path: Path, damage: Damage, columns: Sequence[str] = ()) -> Iterator[tuple[str, Any]]:
    with _open(path) as stream:
        raw = stream.read()
    try:
        value = parse_json(raw.decode("utf-8-sig"), published=True)
    except UnicodeDecodeError as error:
        place = raw[: error.start].count(b"\n") + 1
        raise UserError(f"{path}:{place}: not UTF-8 text ({error.reason}); convert the file") from error
    except ValueError as error:
        at = f":{error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise UserError(
            f"{path}{at}: not readable as JSON ({json_problem(error)}); the file is damaged or cut short"
        ) from error
    for where, row in rows_of_object(value):
        yield (f"{path}{where}" if where.startswith("[") else f"{path}: {where}" if where else str(path)), row


def _table_rows(path: Path, damage: Damage, columns: Sequence[str] = ()) -> Iterator[tuple[str, Any]]:
    """Yield the rows of a CSV or TSV file; a row longer or shorter than the header is damaged."""
    text = read_text(path, damage)
    comma = "\t" if ".tsv" in path.name.lower() else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=comma)
    try:
        header = next(reader, [])
        for row in reader:
            if len(row) == len(header):
                yield f"{path}:{reader.line_num}", dict(zip(header, row, strict=True))
            elif row:
                damage.report(f"{path}:{reader.line_num}: {len(row)} cells, not the {len(header)} of the first line")
    except csv.Error as error:
        damage.report(f"{path}:{reader.line_num}: not readable as CSV ({error})", error)


def _parquet_rows(path: Path, damage: Damage, columns: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """Yield the rows of a Parquet file, one record batch in memory, unused columns never decoded."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path, pre_buffer=False)  # else all of it stays in memory until the last batch
    except (pa.ArrowException, OSError, ValueError) as error:
        raise UserError(f"{path}: not a readable Parquet file ({error}); fetch it again") from error
    wanted = [name for name in file.schema_arrow.names if not columns or name in columns]
    if not wanted:
        raise UserError(
            f"{path}: has none of the columns {', '.join(columns)}; it has {', '.join(file.schema_arrow.names)}"
        )
    number = 0
    try:
        for batch in file.iter_batches(batch_size=BATCH, columns=wanted):
            for row in batch.to_pylist():
                yield f"{path}[{number}]", row
                number += 1
    except (pa.ArrowException, OSError, ValueError) as error:
        damage.report(f"{path}[{number}]: cannot be read ({error}); the file is damaged or cut short", error, True)


def _alike(value: object, known: set[str]) -> bool:
    """Return whether a value found after a broken entry is an entry again, not a part of the broken one."""
    return isinstance(value, dict) and (not known or 2 * len(known & set(value)) >= len(known))


class _List:
    """A growing window of text over a JSON list; ``line`` is the line at which the window begins."""

    def __init__(self, path: Path, stream: IO[bytes], damage: Damage) -> None:
        self.path, self.stream, self.damage = path, stream, damage
        self.decoder, self.utf8 = json.JSONDecoder(), codecs.getincrementaldecoder("utf-8-sig")()
        self.text, self.at, self.line, self.size, self.ended = "", 0, 1, CHUNK, False

    def place(self, at: int) -> int:
        return self.line + self.text.count("\n", 0, at)

    def more(self) -> None:
        """Read on. Doubling keeps a long entry cheap; wrong bytes become U+FFFD and are reported."""
        self.line += self.text.count("\n", 0, self.at)
        raw = self.stream.read(self.size)
        self.size, self.ended = self.size * 2, not raw
        rest = self.text[self.at :]
        try:
            new = self.utf8.decode(raw, final=self.ended)
        except UnicodeDecodeError as error:
            line = self.line + rest.count("\n") + raw[: error.start].count(b"\n")
            self.damage.report(f"{self.path}:{line}: not UTF-8 text ({error.reason})", error)
            self.utf8 = codecs.getincrementaldecoder("utf-8")(errors="replace")
            new = self.utf8.decode(raw, final=self.ended)
        self.text, self.at = rest + new, 0

    def resume(self, known: set[str]) -> bool:
        """Move to the next entry after a broken one; return whether there is one."""
        found = self.at
        while True:
            mark = NEXT_ENTRY.search(self.text, found)
            if mark is None:
                if self.ended:
                    return False
                self.more()
                found = 0
                continue
            try:
                value, _ = self.decoder.raw_decode(self.text, mark.end())
            except (ValueError, RecursionError):
                if not self.ended and len(self.text) - mark.end() < self.damage.max_bytes:
                    self.at = mark.start()
                    self.more()
                    found = 0
                    continue
                found = mark.end()
                continue
            if _alike(value, known):
                self.at, self.size = mark.end(), CHUNK
                return True
            found = mark.end()


def _list_rows(path: Path, damage: Damage, columns: Sequence[str] = ()) -> Iterator[tuple[str, Any]]:
    """Yield the entries of a JSON list, holding little more than one of them in memory."""
    number, expect_value, opened = 0, True, False
    known: set[str] = set()
    with _open(path) as stream:
        window = _List(path, stream, damage)
        while True:
            window.at = SPACE.match(window.text, window.at).end()  # type: ignore[union-attr]
            char = window.text[window.at : window.at + 1]
            if char and not opened:
                opened, window.at = True, window.at + 1  # the caller has seen the bracket
                continue
            if char == "]" and not (expect_value and number):
                if SPACE.sub("", window.text[window.at + 1 :]) or stream.read(1).strip():
                    damage.report(f"{path}:{window.place(window.at)}: text after the list")
                return
            if char == "," and not expect_value:
                expect_value, window.at = True, window.at + 1
                continue
            problem: BaseException | None = None
            message = ""
            if char and not expect_value:
                message = f"{path}:{window.place(window.at)}: not readable as JSON (expected ',' or ']')"
            elif char:
                try:
                    value, window.at = window.decoder.raw_decode(window.text, window.at)
                except json.JSONDecodeError as error:
                    if window.ended or len(window.text) - window.at > damage.max_bytes:
                        line = window.line + error.lineno - 1
                        message, problem = f"{path}:{line}: not readable as JSON ({error.msg})", error
                except (RecursionError, ValueError) as error:
                    message, problem = f"{path}[{number}]: nested too deeply, or a number too long", error
                else:
                    if isinstance(value, dict) and not known:
                        known = set(value)
                    yield f"{path}[{number}]", value
                    number, window.size, expect_value = number + 1, CHUNK, False
                    continue
            elif window.ended:
                damage.report(
                    f"{path}: the list does not end (after {counted(number, 'entry', 'entries')}); the file is cut short",
                    cut_short=True,
                )
                return
            if message:
                damage.report(message, problem)
                if not window.resume(known):
                    return
                number, expect_value = number + 1, True
                continue
            window.more()


READERS: dict[str, Callable[[Path, Damage, Sequence[str]], Iterator[tuple[str, Any]]]] = {
    "parquet": _parquet_rows,
    "list": _list_rows,
    "object": _object_rows,
    "lines": _line_rows,
    "table": _table_rows,
    "lean": _line_rows,
}
