"""The record of searches: one Parquet row per tactic tried, one result per theorem and attempt.

Results travel in the file's schema metadata; times stand beside it in ``X.times.jsonl``, so that the
same searches give the same bytes. Rows are ordered by theorem, kind, attempt and step.
"""

from __future__ import annotations

import hashlib
import heapq
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from burnqed.files import UserError, atomic_path, read_jsonl, remedy, write_jsonl

ROW_GROUP = 20_000
RESULTS = b"burnqed.results"
TIMES = b"burnqed.times"
DIGEST_BYTES = 32

SCHEMA = pa.schema(
    [
        pa.field("iteration", pa.int32(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field("theorem", pa.string(), nullable=False),
        pa.field("attempt", pa.int32(), nullable=False),
        pa.field("step", pa.int32(), nullable=False),
        pa.field("parent_step", pa.int32(), nullable=False),  # -1: the parent is the root
        pa.field("depth", pa.int32(), nullable=False),  # of `state`; the root has 0
        pa.field("state", pa.string(), nullable=False),
        pa.field("goal", pa.string(), nullable=False),
        pa.field("tactic", pa.string(), nullable=False),
        pa.field("outcome", pa.string(), nullable=False),  # ok proved error timeout duplicate crash
        pa.field("next_state", pa.string()),  # ok and duplicate only
        pa.field("message", pa.string(), nullable=False),
        pa.field("logprob", pa.float64()),  # null: a probe tactic
        pa.field("cumulative_logprob", pa.float64(), nullable=False),
        pa.field("energy", pa.float64()),  # of `next_state`
        pa.field("on_proof_path", pa.bool_(), nullable=False),
        pa.field("remaining_steps", pa.int32()),  # from `state` to the end of the proof found
        pa.field("expansion", pa.int32(), nullable=False),  # 1-based
        pa.field("seed", pa.int64(), nullable=False),
    ]
)


@dataclass(frozen=True)
class TheoremResult:
    """How one search of one theorem ended.

    ``proof``: the tactics from the root to the end; ``nodes``: the expansion (1-based) that found
    the proof, else all expansions; ``depth``: length of the proof, else the deepest state found;
    ``stop_reason``: proved, exhausted (every state found was expanded), depth (all but those at ``max_depth`` were),
    expansions, tactics, seconds, start_failed, or replay_failed (kind negatives).
    """

    theorem: str
    attempt: int
    proved: bool
    proof: list[str]
    expansions: int
    tactics: int
    nodes: int
    depth: int
    stop_reason: str
    message: str
    seed: int
    kind: str = "main"
    iteration: int = 0

    @property
    def key(self) -> tuple[str, str, int]:
        """What identifies the search, and orders the record: theorem, kind, attempt."""
        return self.theorem, self.kind, self.attempt


def times_path(path: Path) -> Path:
    """Return the path of the times sidecar of a trajectory file."""
    return path.with_name(path.name + ".times.jsonl")


def with_metadata(schema: pa.Schema, results: Sequence[TheoremResult]) -> pa.Schema:
    """Return the schema carrying the results."""
    text = json.dumps([asdict(result) for result in results], ensure_ascii=False)
    return schema.with_metadata({RESULTS: text.encode()})


def write_trajectories(path: Path, tables: Iterable[pa.Table], results: Sequence[TheoremResult]) -> None:
    """Write a trajectory file atomically.

    ``tables`` hold the rows search by search, ordered like ``results`` (by key). The bytes depend
    on the rows and results alone, not on how the rows were cut into tables of whole searches.
    """
    schema = with_metadata(SCHEMA, results)
    with (
        atomic_path(path) as partial,
        pq.ParquetWriter(partial, schema, compression="zstd", write_page_checksum=True) as writer,
    ):
        waiting: list[pa.Table] = []
        rows = 0
        for table in tables:
            waiting.append(table)
            rows += table.num_rows
            if rows >= ROW_GROUP:
                _write_group(writer, waiting)
                waiting, rows = [], 0
        if rows:
            _write_group(writer, waiting)


def _write_group(writer: pq.ParquetWriter, tables: Sequence[pa.Table]) -> None:
    merged = pa.concat_tables([t.replace_schema_metadata(None) for t in tables]).combine_chunks()
    writer.write_table(merged.cast(SCHEMA), row_group_size=max(merged.num_rows, 1))


def _open(path: Path) -> pq.ParquetFile:
    try:
        return pq.ParquetFile(path, page_checksum_verification=True)
    except FileNotFoundError as error:
        raise UserError(f"{path}: no such file; check the path, or make it (`snakemake {path}`)") from error
    except (pa.ArrowException, OSError, ValueError) as error:
        if path.is_dir() or path.stat().st_size and path.open("rb").read(4) != b"PAR1":
            raise UserError(f"{path}: not a trajectory file; give R/iter_i/trajectories.parquet") from error
        raise UserError(f"{path}: damaged or cut short, not readable as Parquet ({error}); {remedy(path)}") from error


def read_steps(path: Path, columns: Sequence[str] | None = None) -> pa.Table:
    """Read the rows of a trajectory file; raise UserError when it is missing or damaged."""
    file = _open(path)
    unknown = set(columns or ()) - set(file.schema_arrow.names)
    if unknown or "outcome" not in file.schema_arrow.names:
        missing = ", ".join(sorted(unknown)) or "outcome"
        raise UserError(
            f"{path}: not a trajectory file (R/iter_i/trajectories.parquet), or an old one (no column {missing}); {remedy(path)}"
        )
    try:
        return file.read(columns=list(columns) if columns is not None else None)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise UserError(f"{path}: damaged ({error}); {remedy(path)}") from error


def iter_rows(path: Path, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a trajectory file, some columns of them, a batch in memory; raise UserError when damaged."""
    file = _open(path)
    missing = sorted(set(columns) - set(file.schema_arrow.names))
    if missing:
        raise UserError(
            f"{path}: not a trajectory file (R/iter_i/trajectories.parquet), or an old one (no column {missing[0]}); {remedy(path)}"
        )
    try:
        for batch in file.iter_batches(columns=list(columns)):
            yield from batch.to_pylist()
    except (pa.ArrowException, OSError, ValueError) as error:
        raise UserError(f"{path}: damaged ({error}); {remedy(path)}") from error


def read_results(path: Path) -> list[TheoremResult]:
    """Read the results of a trajectory file; raise UserError when it is missing or damaged."""
    metadata = _open(path).schema_arrow.metadata or {}
    names = {field.name for field in fields(TheoremResult)}
    try:
        rows = json.loads(metadata[RESULTS])
        return [TheoremResult(**{k: v for k, v in row.items() if k in names}) for row in rows]
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(f"{path}: holds no search results ({error!r}); {remedy(path)}") from error


def read_times(path: Path) -> list[dict[str, Any]]:
    """Read the times beside a trajectory file: one object per theorem, kind and attempt."""
    return list(read_jsonl(times_path(path)))


def write_times(path: Path, times: Iterable[dict[str, Any]]) -> None:
    """Write the times beside a trajectory file."""
    write_jsonl(times_path(path), times)


def _searches(path: Path) -> Iterator[tuple[tuple[str, str, int], pa.Table]]:
    """Yield key and rows of each search of a file, in its order, one row group in memory."""
    file = _open(path)
    for number in range(file.num_row_groups):
        try:
            group = file.read_row_group(number)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise UserError(f"{path}: damaged ({error}); {remedy(path)}") from error
        keys = list(zip(*(group.column(name).to_pylist() for name in ("theorem", "kind", "attempt")), strict=True))
        start = 0
        for end in range(1, len(keys) + 1):
            if end == len(keys) or keys[end] != keys[start]:
                yield keys[start], group.slice(start, end - start)
                start = end


def merge_trajectories(shards: Sequence[Path], output: Path) -> list[TheoremResult]:
    """Merge shards into one file, ordered as if one search had made it.

    Raises UserError naming both files when two shards hold a result of the same theorem, kind and
    attempt, and naming the file when one is damaged.
    """
    owner: dict[tuple[str, str, int], Path] = {}
    results: list[TheoremResult] = []
    times: list[dict[str, Any]] = []
    for shard in shards:
        for result in read_results(shard):
            first = owner.get(result.key)
            owner[result.key] = shard
            if first is not None:
                raise UserError(
                    f"{first} and {shard} both hold a result of {result.theorem} (kind {result.kind}, "
                    f"attempt {result.attempt}); delete the one made with other settings and run again"
                )
            results.append(result)
        if times_path(shard).exists():  # where only declared files travel, as with results in S3, they are absent
            times += read_times(shard)
    results.sort(key=lambda result: result.key)
    merged = heapq.merge(*(_searches(shard) for shard in shards), key=lambda search: search[0])
    times.sort(key=lambda row: (row["theorem"], row["kind"], row["attempt"]))
    write_times(output, times)
    write_trajectories(output, (table for _, table in merged), results)
    return results


def write_piece(path: Path, columns: dict[str, list[Any]], result: TheoremResult, times: dict[str, Any]) -> None:
    """Write one finished search atomically: rows, result and times in one file, Parquet behind its SHA-256.

    Parquet's own checksums leave out the footer, where the result stands.
    """
    metadata = {
        RESULTS: json.dumps([asdict(result)], ensure_ascii=False).encode(),
        TIMES: json.dumps(times, ensure_ascii=False).encode(),
    }
    table = pa.table(columns, schema=SCHEMA.with_metadata(metadata))
    buffer = pa.BufferOutputStream()
    pq.write_table(table, buffer, compression="zstd")
    data = buffer.getvalue().to_pybytes()
    with atomic_path(path) as partial:
        partial.write_bytes(hashlib.sha256(data).digest() + data)


def read_piece(path: Path) -> tuple[pa.Table, TheoremResult, dict[str, Any]] | None:
    """Read one finished search; None when it is absent or damaged (then it is searched again)."""
    try:
        data = path.read_bytes()
        if hashlib.sha256(data[DIGEST_BYTES:]).digest() != data[:DIGEST_BYTES]:
            return None
        table = pq.read_table(pa.BufferReader(data[DIGEST_BYTES:]))
        metadata = table.schema.metadata
        return table, TheoremResult(**json.loads(metadata[RESULTS])[0]), json.loads(metadata[TIMES])
    except (pa.ArrowException, OSError, KeyError, TypeError, ValueError):
        return None
