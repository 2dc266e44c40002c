"""Rows of published files: JSON lists, indexes, JSON lines and Parquet, read piece by piece."""

from __future__ import annotations

import codecs
import gzip
import json
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, cast

from burnqed.artifacts import UserError
from burnqed.data.damage import Damage

CHUNK = 1 << 20
BATCH = 512
SPACE = re.compile(r"[ \t\n\r]*")
NEXT_ENTRY = re.compile(r"[}\]]\s*,\s*(?=\{)")
Row = dict[str, Any]


def read_rows(path: Path, damage: Damage | None = None, columns: Sequence[str] = ()) -> Iterator[tuple[str, Row]]:
    """Yield (place, row) of JSON lines, a JSON list, an object with ``theorems``, or Parquet; .gz allowed.

    ``place`` is ``file:line`` (JSON lines) or ``file[entry]``. ``columns`` limits what is read of a
    Parquet file. Damaged rows go to ``damage``, which stops with UserError naming file and place
    (the default) or skips them; the rows around them are not lost.
    """
    damage = damage or Damage()
    try:
        if path.suffix == ".parquet":
            rows = _parquet_rows(path, damage, columns)
        else:
            with _open(path) as stream:
                first = stream.read(1 << 10).lstrip()[:1]
            if first == b"[":
                rows = _list_rows(path, damage)
            elif path.name.removesuffix(".gz").endswith(".json") and not _is_lines(path):
                rows = _index_rows(path)
            else:
                rows = _line_rows(path, damage)
        for place, row in rows:
            if isinstance(row, dict):
                yield place, row
            else:
                damage.report(f"{place}: not a JSON object")
    except (OSError, EOFError, zlib.error) as error:
        damage.report(f"{path}: cannot be read ({error}); the file is damaged or cut short", error)


def _open(path: Path) -> IO[bytes]:
    return cast(IO[bytes], gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb")


def _is_lines(path: Path) -> bool:
    """Return whether the first line is a whole JSON object that is no theorem index."""
    with _open(path) as stream:
        try:
            value = json.loads(stream.readline())
        except ValueError:
            return False
    return isinstance(value, dict) and "theorems" not in value


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


def _line_rows(path: Path, damage: Damage) -> Iterator[tuple[str, Any]]:
    for number, line in _lines(path, damage):
        if not line.strip():
            continue
        try:
            value = json.loads(line.decode("utf-8"))
        except UnicodeDecodeError as error:
            damage.report(f"{path}:{number}: not UTF-8 text ({error.reason})", error)
        except (json.JSONDecodeError, RecursionError) as error:
            reason = getattr(error, "msg", "nested too deeply")
            damage.report(f"{path}:{number}: not readable as JSON ({reason})", error)
        else:
            yield f"{path}:{number}", value


def _index_rows(path: Path) -> Iterator[tuple[str, Any]]:
    with _open(path) as stream:
        raw = stream.read()
    try:
        value = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        place = raw[: error.start].count(b"\n") + 1
        raise UserError(f"{path}:{place}: not UTF-8 text ({error.reason}); convert the file") from error
    except json.JSONDecodeError as error:
        raise UserError(
            f"{path}:{error.lineno}: not readable as JSON ({error.msg}); the file is damaged or cut short"
        ) from error
    rows = value.get("theorems") if isinstance(value, dict) else None
    if not isinstance(rows, list):
        raise UserError(f"{path}: expected a list of entries, or an object with 'theorems'")
    for number, row in enumerate(rows):
        yield f"{path}[{number}]", row


def _parquet_rows(path: Path, damage: Damage, columns: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """Yield the rows of a Parquet file, one record batch in memory, unused columns never decoded."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path, pre_buffer=False)  # else all of it stays in memory until the last batch
    except (pa.ArrowInvalid, OSError) as error:
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
    except (pa.ArrowException, OSError) as error:
        damage.report(f"{path}[{number}]: cannot be read ({error}); the file is damaged or cut short", error)


def _alike(value: object, known: set[str]) -> bool:
    """Return whether a value found after a broken entry is an entry again, not a part of the broken one."""
    return isinstance(value, dict) and (not known or 2 * len(known & set(value)) >= len(known))


class _List:
    """A growing window of text over a JSON list; ``line`` is the line at which the window begins."""

    def __init__(self, path: Path, stream: IO[bytes], damage: Damage) -> None:
        self.path, self.stream, self.damage = path, stream, damage
        self.decoder, self.utf8 = json.JSONDecoder(), codecs.getincrementaldecoder("utf-8")()
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
            except (json.JSONDecodeError, RecursionError):
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


def _list_rows(path: Path, damage: Damage) -> Iterator[tuple[str, Any]]:
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
                except RecursionError as error:
                    message, problem = f"{path}[{number}]: nested too deeply", error
                else:
                    if isinstance(value, dict) and not known:
                        known = set(value)
                    yield f"{path}[{number}]", value
                    number, window.size, expect_value = number + 1, CHUNK, False
                    continue
            elif window.ended:
                damage.report(f"{path}: the list does not end (after {number} entries); the file is cut short")
                return
            if message:
                damage.report(message, problem)
                if not window.resume(known):
                    return
                number, expect_value = number + 1, True
                continue
            window.more()
