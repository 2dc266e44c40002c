"""How long `build_tactic_pairs` takes for a training set of published size, and how much memory.

Run as: python benchmarks/tactic_pairs.py [--pairs N] [--folder F] [--polars]

The sets are generated, with the shapes that published ones have (LeanDojo Benchmark 4, random split: 118,517 training
theorems with 250,814 tactics; states of 298 characters median, 1,025 at the 95th percentile; 53 % of them begin with
`case`; lists of tactics that are no chain of states). Three fifths are a LeanDojo file (JSON), two fifths a LEAN-GitHub
one (Parquet) that repeats some of them. Aim: 250,000 pairs in 60 s and 4 GB on 2 cores.

`--polars` also does the part a data frame can do (length filter, deduplication, thinning of trivial tactics, split by
theorem, writing) with polars' lazy engine on the same pairs, and shows both times; it needs the package polars.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TYPES = [
    "ℝ", "ℕ", "Type u_1", "Set α", "Finset ι", "α → β", "Filter α", "MeasureTheory.Measure Ω", "Submodule R M",
    "CategoryTheory.Functor C D", "Polynomial R", "ι → E", "LinearMap (RingHom.id R) M N",
]  # fmt: skip
TERMS = [
    "‖f x - g x‖", "∑ i ∈ s, f i", "(μ.restrict s) (f ⁻¹' t)", "p.natDegree", "a ^ n", "dist x y", "Finset.card (s ∪ t)",
    "(LinearMap.ker φ).comap ψ", "⨆ i, u i", "Real.sqrt (x ^ 2 + y ^ 2)", "(F.map f ≫ G.map g).app X", "∫ x in s, f x ∂μ",
]  # fmt: skip
TACTICS = [
    "rw [{0}, {1}]", "simp only [{0}, {1}, {2}]", "exact {0} h₁ ({1} h₂)", "refine ⟨?_, fun x hx => {0} hx⟩",
    "have h₃ : {0} = {1} := by simp [{2}]", "apply {0}", "simp", "rfl", "omega", "norm_num [{0}]", "obtain ⟨x, hx⟩ := {0} h",
    "calc {0} ≤ {1} := by gcongr\n  _ ≤ {2} := by linarith", "aesop", "ext x", "cases h with a b",
]  # fmt: skip
NAMES = [f"{a}.{b}_{c}" for a in ("Finset", "Real", "Set", "Nat") for b in ("sum", "map", "mem", "le") for c in ("add", "iff", "of_le")]  # fmt: skip


def make_state(rng: random.Random) -> str:
    """Return a printed state of one goal (seldom two), its length distributed as in published sets."""
    goals = []
    for _ in range(2 if rng.random() < 0.02 else 1):
        lines = [f"case {rng.choice(['h', 'inl', 'refine_1', 'mk.intro'])}"] if rng.random() < 0.53 else []
        length = rng.lognormvariate(5.45, 0.75)
        number = 0
        while sum(map(len, lines)) < length:
            number += 1
            if rng.random() < 0.5:
                lines.append(f"x{number} y{number} : {rng.choice(TYPES)}")
            else:
                lines.append(f"h{number} : {rng.choice(TERMS)} ≤ {rng.choice(TERMS)} + {rng.randrange(10000)}")
        lines.append(f"⊢ {rng.choice(TERMS)} = {rng.choice(TERMS)} * {rng.randrange(1000000)}")
        goals.append("\n".join(lines))
    return "\n\n".join(goals)


def theorems(pairs: int, seed: int, prefix: str) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Yield named proofs of 1 to 20 tactics, ``pairs`` in all; a third of the neighbours do not chain."""
    rng = random.Random(seed)
    made = number = 0
    while made < pairs:
        length = min(pairs - made, 1 + int(rng.expovariate(1 / 1.1)), 20)
        before, steps = make_state(rng), []
        for place in range(length):
            after = "no goals" if place == length - 1 else make_state(rng)
            tactic = rng.choice(TACTICS[:6] if rng.random() < 0.4 else TACTICS).format(
                *(rng.choice(NAMES) for _ in range(3))
            )
            tactic = "sorry" if rng.random() < 0.001 else tactic
            steps.append({"tactic": tactic, "state_before": before, "state_after": after})
            before = after if rng.random() < 0.68 else make_state(rng)
            if before == "no goals":
                break
        yield f"{prefix}.thm_{number}", steps
        made, number = made + len(steps), number + 1


def write_sets(folder: Path, pairs: int) -> tuple[Path, Path]:
    """Write the LeanDojo file and the LEAN-GitHub file, a twentieth of which repeats the other."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    place = {
        "url": "https://github.com/leanprover-community/mathlib4",
        "commit": "0" * 40,
        "file_path": "Mathlib/A.lean",
    }
    first, second = folder / "leandojo.json", folder / "lean_github.parquet"
    kept: list[tuple[str, list[dict[str, str]]]] = []
    with first.open("w", encoding="utf-8") as stream:
        for number, (name, steps) in enumerate(theorems(pairs * 3 // 5, 1, "Dojo")):
            kept += [(name, steps)] if number % 20 == 0 else []
            tactics = [{**step, "annotated_tactic": [step["tactic"], []]} for step in steps]
            row = {**place, "full_name": name, "start": [number, 1], "end": [number, 9], "traced_tactics": tactics}
            stream.write(("[" if number == 0 else ",\n") + json.dumps(row, ensure_ascii=False))
        stream.write("]\n")
    again = [(f"Again.{name}", steps) for name, steps in kept]
    rest = pairs - pairs * 3 // 5 - sum(len(steps) for _, steps in again)
    rows: list[dict[str, Any]] = []
    for number, (name, steps) in enumerate([*again, *theorems(rest, 2, "GitHub")]):
        rows += [{**place, "full_name": name, "start": f"({number}, 1)", "end": "", **step} for step in steps]
    pq.write_table(pa.Table.from_pylist(rows), second)
    return first, second


def with_python(pairs: list[Any], output: Path) -> float:
    """Return the CPU seconds that the project's own filters, split and writing take on canonical pairs."""
    from burnqed.config import DataSettings
    from burnqed.data.extraction import ProofTrace
    from burnqed.data.filters import PairFilter, filter_traces, split_pairs
    from burnqed.records.pairs import write_pairs

    settings = DataSettings()
    rules = PairFilter(settings.max_state_chars, frozenset(settings.trivial_tactics), settings.trivial_share)
    start = time.process_time()
    filtered = filter_traces((ProofTrace(pair.theorem, "", (pair,)) for pair in pairs), rules)
    train, val = split_pairs(filtered.pairs, settings.val_fraction, 0)
    write_pairs(output / "train.jsonl", train)
    write_pairs(output / "val.jsonl", val)
    return time.process_time() - start


def with_polars(pairs: list[Any], output: Path) -> float:
    """Return the CPU seconds (all threads) that polars' lazy engine takes for the same filters, split and files."""
    import polars as pl

    from burnqed.config import DataSettings

    settings = DataSettings()
    keys = ("state", "tactic", "theorem", "depth", "source", "num_goals")
    start = time.process_time()
    frame = pl.DataFrame({key: [getattr(pair, key) for pair in pairs] for key in keys}).lazy()
    tactic = pl.col("tactic").str.strip_chars()
    kept = (
        frame.filter(
            tactic.str.len_chars() > 0,
            pl.col("num_goals") > 0,
            pl.col("state").str.len_chars() <= settings.max_state_chars,
            ~tactic.str.contains(r"\b(?:sorry|admit|sorryAx|cheat)\b"),
        )
        .unique(subset=["state", "tactic"], keep="first", maintain_order=True)
        .filter(
            ~tactic.is_in(settings.trivial_tactics)
            | (pl.struct("theorem", "state").hash(0) % 1000 < settings.trivial_share * 1000)
        )
    )
    held_out = pl.col("theorem").hash(1) % 1000 < settings.val_fraction * 1000
    # One pass over the filters, two files.
    pl.collect_all(
        [
            kept.filter(~held_out).sink_ndjson(output / "train_polars.jsonl", lazy=True),
            kept.filter(held_out).sink_ndjson(output / "val_polars.jsonl", lazy=True),
        ]
    )
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description="Time of build_tactic_pairs on sets of published size.")
    parser.add_argument("--pairs", type=int, default=253_000, help="tactic pairs in the generated sets")
    parser.add_argument("--folder", type=Path, help="folder for the files (default: a temporary one)")
    parser.add_argument("--polars", action="store_true", help="also time polars on the part a data frame can do")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        files = write_sets(folder, args.pairs)
        print(
            f"{args.pairs} pairs: " + ", ".join(f"{f.name} {f.stat().st_size / 1e6:.0f} MB" for f in files), flush=True
        )
        (folder / "theorems.json").write_text('{"source": {}, "theorems": [{"name": "t", "statement": "1 = 1"}]}')
        heldout = [{"name": f"held_{i}", "statement": f"{i} + 0 = {i}"} for i in range(244)]
        (folder / "bench.json").write_text(json.dumps({"source": {}, "theorems": heldout}))
        command = [
            sys.executable, str(ROOT / "workflow_scripts/build_tactic_pairs.py"), "--threads", "2",
            "--data.pair_files", *map(str, files),
        ]  # fmt: skip
        for name in ("theorems", "train", "val", "report", "pool"):
            kind = "jsonl" if name in ("train", "val") else "json"
            command += [f"--{name}", str(folder / f"{name}.{kind}")]
        command += ["--benchmarks", str(folder / "bench.json")]
        start = time.perf_counter()
        subprocess.run(command, check=True)
        wall = time.perf_counter() - start
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        report = json.loads((folder / "report.json").read_text())
        print(f"seen {report['pairs_seen']}, kept {report['train']['pairs'] + report['val']['pairs']}")
        print(f"dropped {report['dropped_pairs']}, theorems {report['dropped_theorems']}")
        print(f"wall {wall:.1f} s, CPU {used.ru_utime + used.ru_stime:.1f} s, peak {used.ru_maxrss / 1024:.0f} MB")
        if args.polars:
            from burnqed.data.extraction import read_traces
            from burnqed.records.damage import Damage

            start = time.process_time()
            pairs = [p for f in files for trace in read_traces(f, f.stem, Damage()) for p in trace.pairs]
            print(f"reading and canonical states (no data frame work), CPU: {time.process_time() - start:.1f} s")
            print(f"filters, split, writing, CPU: this project {with_python(pairs, folder):.1f} s", flush=True)
            print(f"filters, split, writing, CPU: polars, lazy {with_polars(pairs, folder):.1f} s")


if __name__ == "__main__":
    main()
