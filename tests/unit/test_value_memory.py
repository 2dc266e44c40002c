"""What reading and training hold beside the table of vectors: allocations are counted, no clock, no size of a process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from value_toys import VectorEncoder, forest, write_run

from burnqed.config import EBMSettings
from burnqed.training import head as train
from burnqed.value import embeddings, health, metrics
from burnqed.value.embeddings import Text, load_vectors, texts_of_trajectories, write_embeddings
from burnqed.value.encoder import text_sha

SETTINGS = EBMSettings(hidden_sizes=[8], groups=4, negatives=3, steps=10, evaluate_every=5, warmup_steps=1)


class WideEncoder(VectorEncoder):
    """Returns random vectors of another width than the toys'."""

    def __init__(self, width: int) -> None:
        super().__init__(0.0)
        self.hidden_size = width
        self.spec |= {"hidden_size": width}

    def encode(self, texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Return one vector per text."""
        return np.random.default_rng(len(texts)).standard_normal((len(texts), self.hidden_size), dtype=np.float32)


def test_reading_holds_a_part_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = sorted((Text(text_sha(str(n)), "state", str(n)) for n in range(2000)), key=lambda text: text.sha)
    path, width = tmp_path / "embeddings.parquet", 512
    write_embeddings(path, texts, WideEncoder(width), {})  # type: ignore[arg-type]
    held: list[int] = []
    before = pa.total_allocated_bytes()
    plain = embeddings.parquet_batches

    def watched(*arguments: Any) -> Iterator[pa.RecordBatch]:
        for batch in plain(*arguments):
            held.append(pa.total_allocated_bytes() - before)
            yield batch

    monkeypatch.setattr(embeddings, "parquet_batches", watched)
    monkeypatch.setattr(embeddings, "VECTORS_AT_ONCE", 20)
    table = load_vectors(path, np.arange(len(texts)), "cpu")
    assert len(held) == 100
    assert max(held) < 0.3 * table.nbytes, f"{max(held)} bytes beside a table of {table.nbytes}"


class LargestAllocation(TorchDispatchMode):
    """Notes the largest tensor that an operation returned and that is no view of an argument."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes, self.operation = 0, ""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run an operation and look at its results."""
        given = {
            a.untyped_storage().data_ptr()
            for group in (args, (kwargs or {}).values())
            for a in group
            if isinstance(a, torch.Tensor)
        }
        result = func(*args, **(kwargs or {}))
        for found in result if isinstance(result, tuple | list) else [result]:
            if isinstance(found, torch.Tensor) and found.untyped_storage().data_ptr() not in given:
                size = found.untyped_storage().nbytes()
                if size > self.bytes:
                    self.bytes, self.operation = size, str(func)
        return result


@pytest.mark.parametrize("in_place", [True, False])
def test_training_makes_no_table_beside_the_vectors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_place: bool
) -> None:
    trajectories, proofs = write_run(tmp_path, *forest(150, depth=4, children=6))
    path = tmp_path / "embeddings.parquet"
    write_embeddings(path, texts_of_trajectories([trajectories]), WideEncoder(64), {})  # type: ignore[arg-type]
    data = train.load_training_data(path, [trajectories], [proofs], SETTINGS, 0, "cpu")
    for module, name in [(train, "CHUNK"), (health, "CHUNK"), (health, "MAX_VECTORS"), (metrics, "SCORED_AT_ONCE")]:
        monkeypatch.setattr(module, name, 100)
    monkeypatch.setattr(health, "MAPPED", 50)
    monkeypatch.setattr(train, "VALIDATION_GROUPS", 16)
    with LargestAllocation() as largest:
        train.train_head(data, SETTINGS, 0, "cpu", tmp_path / "ebm", {}, in_place=in_place)
    table = data.vectors.nbytes
    assert data.vectors.dtype == torch.float16
    if in_place:
        assert largest.bytes < 0.5 * table, f"{largest.operation}: {largest.bytes} bytes beside a table of {table}"
    else:
        assert largest.bytes == table, f"{largest.operation}: {largest.bytes} bytes beside a table of {table}"


RELEASE = """
from burnqed.jobs.memory import release_free_memory

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096

texts = [("%06d" % number) * 100 for number in range(200_000)]
kept = texts[::100]
del texts
before = resident()
release_free_memory()
print((before - resident()) // 2**20)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="asks Linux for the size of a process")
def test_freed_texts_go_back_to_the_system() -> None:
    found = subprocess.run([sys.executable, "-c", RELEASE], capture_output=True, text=True, check=True)
    assert int(found.stdout) > 60, "of 120 MB"
