"""Peak host memory of writing a million embeddings and of training a head on them.

Made-up trajectories (100 states a theorem) go through the real readers, the writer of embeddings and the training
with an encoder that returns random vectors, each step in a process of its own whose peak is measured. Whitening is left
out without --whole (the vectors are only centred): for a million vectors it is 7e13 operations, long on a CPU, and it
holds chunks and square matrices whatever the number of vectors. On a GPU the table of vectors is in the GPU's memory;
here it is in the host's, so this is the larger figure.

Run as: python -m benchmarks.value_memory
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from burnqed.files import write_json, write_jsonl

STATES, PATH = 100, 4  # of a theorem: all, and on its proof path besides the root
STEPS = ("trajectories", "embeddings", "groups", "training")


def state(theorem: int, number: int) -> str:
    """Return a made-up state of about 500 characters that occurs once."""
    lines = [f"x{theorem} y{number} : ℕ", f"h : x{theorem} ≤ y{number} + {number}"]
    lines += [
        f"h{i} : x{theorem} ^ {i + 2} + y{number} * {i} ≤ {theorem} + {i * number} ∨ y{number} ∣ {i}" for i in range(9)
    ]
    return "\n".join([*lines, f"⊢ x{theorem} * y{number} + {number} = {theorem} + y{number}"])


def tables(theorems: int) -> Iterator[pa.Table]:
    """Yield the searches of the theorems: a path of states, and siblings beside each."""
    from burnqed.records.trajectories import SCHEMA

    fill: dict[str, Any] = {"string": "", "int32": 0, "int64": 0, "double": 0.0, "bool": False}
    for theorem in range(theorems):
        texts = [state(theorem, number) for number in range(STATES)]
        edges = [(min((child - 1) // (STATES // (PATH + 1)), PATH), child) for child in range(PATH + 1, STATES)]
        edges = sorted([(at, at + 1) for at in range(PATH)] + edges)
        rows = [(parent, texts[parent], texts[child], "ok", child <= PATH) for parent, child in edges]
        rows.append((PATH, texts[PATH], None, "proved", True))
        columns: dict[str, list[Any]] = {
            field.name: [fill[str(field.type)]] * len(rows) for field in SCHEMA
        }  # fmt: skip
        columns["theorem"] = [f"t{theorem:06d}"] * len(rows)
        columns["goal"] = [texts[0]] * len(rows)
        columns["step"] = list(range(len(rows)))
        columns["tactic"] = [f"tactic {at}" for at in range(len(rows))]
        for name, values in zip(
            ("depth", "state", "next_state", "outcome", "on_proof_path"), zip(*rows, strict=True), strict=True
        ):
            columns[name] = list(values)
        yield pa.table(columns, schema=SCHEMA)


def write_searches(folder: Path, theorems: int) -> None:
    """Write trajectories and proofs."""
    from burnqed.records.trajectories import write_trajectories

    write_trajectories(folder / "trajectories.parquet", tables(theorems), [])
    first = next(tables(1)).to_pylist()
    proof = [row["tactic"] for row in first if row["on_proof_path"]]
    write_jsonl(folder / "proofs.jsonl", ({"theorem": f"t{i:06d}", "proof": proof} for i in range(theorems)))


class RandomEncoder:
    """Returns a random vector per text, as wide as a 7B model's."""

    def __init__(self, width: int) -> None:
        from burnqed.config import EncoderSettings

        self.settings, self.hidden_size = EncoderSettings(), width
        self.spec: dict[str, Any] = {"model": "random", "hidden_size": width}
        self.block = np.random.default_rng(0).standard_normal((4096, width), dtype=np.float32)
        self.calls = 0

    def recheck(self) -> None:
        """Do nothing: there is no batch here."""

    def encode(self, texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Return one vector per text."""
        self.calls += 1
        parts = [
            np.roll(self.block, self.calls * 8 + part, axis=1) for part in range(-(-len(texts) // len(self.block)))
        ]
        return np.concatenate(parts)[: len(texts)]


def embeddings(options: argparse.Namespace) -> None:
    """Write the embeddings file."""
    from burnqed.value.embeddings import texts_of_trajectories, write_embeddings

    texts = texts_of_trajectories([options.folder / "trajectories.parquet"])
    print(f"{len(texts)} texts", flush=True)
    write_embeddings(options.folder / "embeddings.parquet", texts, RandomEncoder(options.width), {})  # type: ignore[arg-type]


def training(options: argparse.Namespace) -> None:
    """Train a small head for a few steps."""
    import torch

    from burnqed.config import EBMSettings
    from burnqed.training import head as train
    from burnqed.value.head import HEADS, EnergyHead

    def new_head(trainer: train.HeadTrainer) -> EnergyHead:
        return HEADS["goal_conditioned"](options.width, trainer.settings.hidden_sizes, 0.1)

    torch.set_num_threads(1)
    if not options.whole:
        train.HeadTrainer._new_head = new_head  # type: ignore[method-assign]
        EnergyHead.prepare = lambda self, vectors: vectors - self.mean  # type: ignore[method-assign]
    settings = EBMSettings(hidden_sizes=[64, 32], steps=20, evaluate_every=10, warmup_steps=2)
    paths = [options.folder / name for name in ("embeddings.parquet", "trajectories.parquet", "proofs.jsonl")]
    data = train.load_training_data(paths[0], [paths[1]], [paths[2]], settings, 0, "cpu")
    print(f"vectors {tuple(data.vectors.shape)}", flush=True)
    train.train_head(data, settings, 0, "cpu", options.folder / "ebm", {}, in_place=True)


def groups(options: argparse.Namespace) -> None:
    """Index the groups alone."""
    from burnqed.value.contrastive import build_groups

    found = build_groups([options.folder / "trajectories.parquet"], [options.folder / "proofs.jsonl"])
    print(json.dumps(found.counts), flush=True)


def measured(options: argparse.Namespace, step: str) -> dict[str, Any]:
    """Run one step in a process of its own; return its peak memory and times."""
    import os

    own = ["--folder", options.folder, "--theorems", options.theorems, "--width", options.width]
    own += ["--whole"] * options.whole
    start = time.monotonic()
    child = subprocess.Popen([sys.executable, "-m", "benchmarks.value_memory", "--step", step, *map(str, own)])
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{step} failed")
    return {
        "step": step,
        "peak_gigabytes": round(usage.ru_maxrss * 1024 / 1e9, 2),
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 1),
        "wall_seconds": round(time.monotonic() - start, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("/tmp/value-memory"), help="needs 20 GB of disk")
    parser.add_argument("--theorems", type=int, default=10_000, help="of 100 states each (default: 10000)")
    parser.add_argument("--width", type=int, default=4096)
    parser.add_argument("--whole", action="store_true", help="leave nothing out")
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    if options.step:
        work = {"embeddings": embeddings, "groups": groups, "training": training}
        if options.step == "trajectories":
            write_searches(options.folder, options.theorems)
        else:
            work[options.step](options)
        return
    rows = []
    for step in STEPS:
        rows.append(measured(options, step))
        print(rows[-1], flush=True)
    made = {"states": options.theorems * STATES, "width": options.width, "whole": options.whole}
    result = {"benchmark": "value_memory", **made, "steps": rows}
    write_json(options.folder / "result.json", result)
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
