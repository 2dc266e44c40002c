"""How fast published sets are read: 250,000 theorems of published shape, from file to theorem index.

Run as: python benchmarks/published_sets.py [--theorems N] [--form jsonl|whole|lean|folder|parquet]
The statements are made from a few templates with numbers put in, 350 characters on average, under the header
that most sets carry. Times are CPU seconds of this process; memory is its peak.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import tempfile
import time
from pathlib import Path

from burnqed.data.published import read_published
from burnqed.records.theorems import write_theorem_index

HEADER = (
    "import Mathlib\nimport Aesop\n\nset_option maxHeartbeats 400000\n\nopen BigOperators Real Nat Topology Rat\n\n"
)
TEMPLATES = (
    "(x y z w : ℕ) (ht : {a} < x ∧ 1 < y ∧ 1 < z) (hw : 0 ≤ w)\n    (h₀ : Real.log w / Real.log x = {b}) (h₁ : Real.log w"
    " / Real.log y = {c})\n    (h₂ : Real.log w / Real.log (x * y * z) = {a}) : Real.log w / Real.log z = {b}",
    "(a b c : ℝ) (ha : 0 < a) (hb : 0 < b) (hc : {a} < c) (h : a * b * c = {b}) :\n  a / (b + {c}) + b / (c + {a}) + c / (a"
    " + {b}) ≥ {c} / 2 ∧ ∑ k in Finset.range {a}, (a + k) ^ 2 ≤ (∑ k in Finset.range {b}, (b + c * k)) ^ 2 / {c}",
    "{{f : ℕ → ℤ}} (hf : ∀ m n : ℕ, f (m + n) = f m + f n + {a} * m * n) (h0 : f 1 = {b}) (S : Finset ℕ)\n  (hS : S ="
    " Finset.filter (fun n => {c} ∣ f n ∧ n % {a} = 1) (Finset.Icc 1 {b})) : S.card = {c} ∧ ∃ n ∈ S, f n ≡ {a} [ZMOD {b}]",
    ": ∀ n : ℕ, {a} < n → (n ^ {b} - 1) % {c} = 0 → ∃ p q : ℕ, Nat.Prime p ∧ Nat.Prime q ∧ n = p * q + {a} ∧ (p : ℝ) / q"
    " ≤ Real.sqrt ({b} + Real.pi) ∧ ¬ (∃ k, k * k = n + {c})",
)


def statement(number: int, numbers: random.Random) -> str:
    values = {key: numbers.randint(2, 10**6) for key in "abc"}
    return f"theorem bench_{number} {TEMPLATES[number % len(TEMPLATES)].format(**values)} := by sorry"


def write(folder: Path, form: str, theorems: int) -> Path:
    """Write the set in one form; return what to read."""
    numbers = random.Random(0)
    texts = [statement(number, numbers) for number in range(theorems)]
    if form == "folder":
        for number, text in enumerate(texts):
            path = folder / "set" / str(number // 1000) / f"bench_{number}.lean"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{HEADER}/-- Problem {number}. -/\n{text}\n", encoding="utf-8")
        return folder / "set"
    if form == "lean":
        for part in range(0, theorems, 10_000):
            text = "\n\n".join(f"/-- An exercise. -/\n{text}" for text in texts[part : part + 10_000])
            (folder / f"part_{part}.lean").write_text(f"{HEADER}{text}\n", encoding="utf-8")
        return folder
    rows = [
        {"name": f"bench_{number}", "split": "test", "informal_prefix": "/-- Show it. -/", "header": HEADER}
        | {"formal_statement": f"{HEADER}/-- Show it. -/\n{text}" if form == "whole" else text}
        for number, text in enumerate(texts)
    ]
    if form == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist(rows), folder / "set.parquet")
        return folder / "set.parquet"
    path = folder / "set.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--theorems", type=int, default=250_000)
    parser.add_argument("--form", choices=["jsonl", "whole", "lean", "folder", "parquet"], default="jsonl")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="burnqed-published-") as folder:
        path = write(Path(folder), args.form, args.theorems)
        before, wall = time.process_time(), time.monotonic()
        index = read_published(path, "test")
        read = time.process_time() - before
        write_theorem_index(Path(folder) / "index.json", index)
        total = time.process_time() - before
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"{args.form}: {len(index)} theorems, read {read:.1f} s, with index {total:.1f} s of CPU "
            f"({time.monotonic() - wall:.1f} s of wall time), peak {peak:.2f} GB"
        )


if __name__ == "__main__":
    main()
