"""The embeddings file: one float16 vector per distinct text, keyed by the text's SHA-256.

Written in row groups and read in row groups, so that neither side holds the whole file in host
memory: a million vectors of width 4,096 are 8 GB.
"""

from __future__ import annotations

import json
import logging
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from burnqed.config import EncoderSettings
from burnqed.config.training import FAILED_PART
from burnqed.files import UserError, atomic_path, parse_json, remedy
from burnqed.jobs.progress import ProgressFolder
from burnqed.jobs.status import StatusFile
from burnqed.value.encoder import text_sha

if TYPE_CHECKING:
    import torch

    from burnqed.value.encoder import Encoder

logger = logging.getLogger(__name__)
SPEC_KEY = b"burnqed.spec"
VECTORS_AT_ONCE = 1024  # read from the file
States = Literal["labelled", "all"]


@dataclass(frozen=True)
class Text:
    """A text to encode; ``kind`` is goal when it is the root state of some theorem, else state."""

    sha: str
    kind: str
    text: str


def _texts(goals: set[str], states: set[str]) -> list[Text]:
    texts = [Text(text_sha(t), "goal" if t in goals else "state", t) for t in goals | states if t]
    return sorted(texts, key=lambda item: item.sha)


def texts_of_trajectories(paths: Sequence[Path], states: States = "all") -> list[Text]:
    """Return the distinct states and goals of trajectory files, sorted by SHA-256.

    ``states: labelled`` keeps what has a label and is learnt from: goals and expanded states of theorems that some search
    proved, and of some others (``sort_theorems``).
    """
    wanted = set[str]().union(*sort_theorems(paths)) if states == "labelled" else None
    goals: set[str] = set()
    found: set[str] = set()
    for path in paths:
        if wanted is None:
            for batch in parquet_batches(path, ["state", "next_state", "goal"]):
                for column, texts in (("state", found), ("next_state", found), ("goal", goals)):
                    texts.update(t for t in batch.column(column).unique().to_pylist() if t)
        else:
            for batch in parquet_batches(path, ["theorem", "state", "goal"]):
                rows = zip(*(batch.column(name).to_pylist() for name in ("theorem", "state", "goal")), strict=True)
                for theorem, state, goal in rows:
                    if theorem in wanted:
                        found.add(state)
                        goals.add(goal)
    return _texts(goals, found)


def sort_theorems(paths: Sequence[Path]) -> tuple[set[str], set[str]]:
    """Return the theorems that a tactic in some trajectory file closed, re-checked or not, and some of the others.

    Of the others, whose trees are negatives, a third as many as of the first at most, by hash of their names: that is
    about their share of a group's negatives, and each of their states has to be encoded.
    """
    names: set[str] = set()
    proved: set[str] = set()
    for path in paths:
        for batch in parquet_batches(path, ["theorem", "outcome"]):
            closed = pc.equal(batch.column("outcome"), "proved")
            names.update(batch.column("theorem").unique().to_pylist())
            proved.update(batch.column("theorem").filter(closed).unique().to_pylist())
    return proved, set(sorted(names - proved, key=text_sha)[: math.ceil(len(proved) * FAILED_PART)])


def texts_of_pairs(path: Path) -> list[Text]:
    """Return the distinct states of a tactic pair file; those of depth 0 are goals."""
    from burnqed.records.pairs import read_pairs

    pairs = read_pairs(path)
    return _texts({p.state for p in pairs if p.depth == 0}, {p.state for p in pairs})


def parquet_batches(path: Path, columns: Sequence[str], rows: int = 16384) -> Iterator[pa.RecordBatch]:
    """Yield a Parquet file in batches; raise UserError when it is absent, damaged or lacks a column."""
    try:
        # Arrow's own default reads ahead to the end of the file and keeps all of it until the last batch.
        with pq.ParquetFile(path, pre_buffer=False) as file:
            absent = [name for name in columns if name not in file.schema_arrow.names]
            if absent:
                raise UserError(f"{path}: no column '{absent[0]}'; make it again with this version")
            yield from file.iter_batches(batch_size=rows, columns=list(columns))
    except FileNotFoundError as error:
        raise UserError(f"{path}: no such file; check the path, or make it (`snakemake {path}`)") from error
    except (pa.ArrowException, OSError, ValueError) as error:
        raise UserError(f"{path}: not a whole Parquet file ({error}); {remedy(path)}") from error


def write_embeddings(output: Path, texts: Sequence[Text], encoder: Encoder, key: Mapping[str, object]) -> None:
    """Encode texts and write the embeddings file, one row group per ``progress_every`` texts.

    Each finished row group is kept in a progress folder keyed by ``key``, the spec and the texts;
    an interrupted call with the same arguments resumes there. Memory stays at one row group.
    """
    every = encoder.settings.progress_every
    spec = encoder.spec
    progress = ProgressFolder(
        output, {**key, "spec": spec, "every": every, "texts": text_sha("".join(t.sha for t in texts))}
    )
    starts = range(0, len(texts), every)
    with StatusFile(output) as status:
        for start in starts:
            part = progress / f"part-{start:09d}.npy"
            chunk = texts[start : start + every]
            if not _part_is_whole(part, len(chunk), encoder.hidden_size):
                encoder.recheck()
                vectors = encoder.encode([t.text for t in chunk]).astype(np.float16)
                with atomic_path(part) as partial, partial.open("wb") as stream:
                    np.save(stream, vectors)
            status.update(done=min(start + every, len(texts)), total=len(texts))
        schema = pa.schema(
            [
                pa.field("state_sha", pa.string(), nullable=False),
                pa.field("text_kind", pa.string(), nullable=False),
                pa.field("vector", pa.list_(pa.float16(), encoder.hidden_size), nullable=False),
            ],
            metadata={SPEC_KEY: json.dumps(spec, sort_keys=True).encode()},
        )
        # Neither dictionaries nor byte statistics help 16-bit floats; zstd still takes some off.
        options: dict[str, Any] = {"compression": "zstd", "use_dictionary": ["text_kind"], "write_statistics": False}
        with atomic_path(output) as partial, pq.ParquetWriter(partial, schema, **options) as writer:
            for start in starts:
                chunk = texts[start : start + every]
                flat = pa.array(np.load(progress / f"part-{start:09d}.npy").reshape(-1))
                vectors = pa.FixedSizeListArray.from_arrays(flat, encoder.hidden_size)
                columns = [pa.array([t.sha for t in chunk]), pa.array([t.kind for t in chunk]), vectors]
                writer.write_table(pa.Table.from_arrays(columns, schema=schema), row_group_size=every)
    progress.finish()


def _part_is_whole(path: Path, rows: int, width: int) -> bool:
    try:
        found = np.load(path, mmap_mode="r")
    except (OSError, ValueError):
        return False
    return bool(found.shape == (rows, width) and found.dtype == np.float16)


def read_spec(path: Path) -> dict[str, Any]:
    """Return the encoder spec of an embeddings file; raise UserError when it is not one."""
    try:
        metadata = pq.read_schema(path).metadata or {}
    except FileNotFoundError as error:
        raise UserError(f"{path}: no such file; check the path, or make it (`snakemake {path}`)") from error
    except (pa.ArrowException, OSError, ValueError) as error:
        raise UserError(f"{path}: not a whole Parquet file ({error}); {remedy(path)}") from error
    try:
        spec = parse_json(metadata[SPEC_KEY].decode())
        if isinstance(spec, dict) and isinstance(spec["hidden_size"], int):
            return spec
    except (KeyError, ValueError):
        pass
    raise UserError(f"{path}: no encoder spec in its metadata; make it again (`snakemake {path}`)")


def read_shas(path: Path) -> list[str]:
    """Return the keys of an embeddings file in file order."""
    return [sha for batch in parquet_batches(path, ["state_sha"], 1 << 16) for sha in batch.column(0).to_pylist()]


def load_vectors(path: Path, rows: NDArray[np.int64], device: str) -> torch.Tensor:
    """Read the vectors of the given file rows onto a device, float16 (len(rows), hidden).

    ``rows`` is strictly rising. One batch at a time is in host memory.
    """
    import torch

    width = int(read_spec(path)["hidden_size"])
    result = torch.empty((len(rows), width), dtype=torch.float16, device=device)
    offset = 0
    for batch in parquet_batches(path, ["vector"], VECTORS_AT_ONCE):
        low, high = np.searchsorted(rows, [offset, offset + len(batch)])
        if high > low:
            flat = batch.column(0).flatten().to_numpy(zero_copy_only=False)
            if flat.size != len(batch) * width or flat.dtype != np.float16:
                raise UserError(f"{path}: its vectors are not {width} half-precision numbers each; make it again")
            values = flat.reshape(len(batch), width)
            result[low:high] = torch.from_numpy(values[rows[low:high] - offset])
        offset += len(batch)
    return result


def encode_texts(
    pairs: Path | None,
    trajectories: Sequence[Path],
    model_dir: Path,
    settings: EncoderSettings,
    device: str,
    quantization: str,
    output: Path,
    key: Mapping[str, object],
    states: States = "all",
) -> dict[str, float]:
    """Write the vectors of the texts of either tactic pairs or trajectories (of which ``states``).

    Returns how many texts there are, and the seconds that encoding them took, without loading the model. Raises UserError when neither or both are given, and for unusable files.
    """
    if (pairs is None) == (not trajectories):
        raise UserError("give either --pairs or --trajectories")
    texts = texts_of_pairs(pairs) if pairs else texts_of_trajectories(trajectories, states)
    logger.info("%d distinct texts of %d files", len(texts), 1 if pairs else len(trajectories))

    from burnqed.value.encoder import Encoder

    encoder = Encoder(model_dir, settings, device, quantization)
    begun = time.perf_counter()
    write_embeddings(output, texts, encoder, key=key)
    return {"texts": len(texts), "seconds": round(time.perf_counter() - begun, 3)}
