"""The data report: sizes, drops per filter, depths, lengths, tactic heads, contamination."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from burnqed.data.contamination import Contamination
from burnqed.data.filters import Filtered
from burnqed.records.damage import Damage
from burnqed.records.pairs import TacticPair
from burnqed.records.theorems import TheoremIndex

QUANTILES = (0.0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0)
HEADS = 30


def quantiles(values: Sequence[int]) -> dict[str, int]:
    """Return the nearest-rank quantiles of integers, empty for none."""
    ordered = sorted(values)
    if not ordered:
        return {}
    last = len(ordered) - 1
    return {f"p{round(q * 100)}": ordered[round(q * last)] for q in QUANTILES}


def tactic_head(tactic: str) -> str:
    """Return the first word of a tactic (`simp_all` of `simp_all [h]`, `·` of a focused block)."""
    match = re.match(r"\s*([\w!?']+|\S)", tactic)
    return match.group(1) if match else ""


def _part(pairs: Sequence[TacticPair]) -> dict[str, object]:
    longest: dict[str, int] = {}
    for pair in pairs:
        longest[pair.theorem] = max(longest.get(pair.theorem, 0), pair.depth + 1)
    return {
        "pairs": len(pairs),
        "theorems": len(longest),
        "depth": quantiles([pair.depth for pair in pairs]),
        "proof_length": quantiles(list(longest.values())),
        "goals": quantiles([pair.num_goals for pair in pairs]),
        "state_chars": quantiles([len(pair.state) for pair in pairs]),
        "tactic_chars": quantiles([len(pair.tactic) for pair in pairs]),
    }


def _counts(values: Sequence[int]) -> dict[str, int]:
    """Return how often each of 1, 2, 4, .. is the largest power of two not above a value (0 for 0)."""
    bins = Counter((1 << (value.bit_length() - 1)) if value > 0 else 0 for value in values)
    return {str(start): bins[start] for start in sorted(bins)}


def benchmark_row(index: TheoremIndex) -> dict[str, object]:
    """Return what the report says of a held-out set: where it is from, its size, and what was left out."""
    keys = ("file", "repository", "revision", "path", "commit", "remote", "licence", "lean", "sha256", "split", "rows",
            "dropped", "answers_given", "renamed", "damage")  # fmt: skip
    return {"theorems": len(index), **{key: index.source[key] for key in keys if index.source.get(key)}}


def data_report(
    filtered: Filtered,
    train: Sequence[TacticPair],
    val: Sequence[TacticPair],
    contamination: Contamination,
    sources: Sequence[dict[str, object]],
    search_theorems: int,
    damage: Damage | None = None,
    pool: Mapping[str, object] | None = None,
    benchmarks: Mapping[str, TheoremIndex] | None = None,
) -> dict[str, object]:
    """Build ``report.json``: what went in, what each filter dropped, and what came out.

    ``histograms`` count by exact value (depth) or by powers of two (characters).
    """
    both = [*train, *val]
    heads = Counter(tactic_head(pair.tactic) for pair in both)
    depths = Counter(pair.depth for pair in both)
    return {
        "schema_version": 1,
        "sources": list(sources),
        "theorems_seen": filtered.theorems_seen,
        "pairs_seen": filtered.pairs_seen,
        "dropped_theorems": dict(sorted(filtered.dropped_theorems.items())),
        "dropped_pairs": dict(sorted(filtered.dropped_pairs.items())),
        "pairs_by_source": dict(sorted(filtered.by_source.items())),
        "renamed_theorems": {"count": len(filtered.renamed), "examples": filtered.renamed[:20]},
        "damage": (damage or Damage()).row(),
        "search_theorems": search_theorems,
        "pool": dict(pool or {}),
        "benchmarks": {name: benchmark_row(index) for name, index in (benchmarks or {}).items()},
        "train": _part(train),
        "val": _part(val),
        "tactic_heads": dict(sorted(heads.items(), key=lambda item: (-item[1], item[0]))[:HEADS]),
        "histograms": {
            "depth": {str(depth): depths[depth] for depth in sorted(depths)},
            "state_chars": _counts([len(pair.state) for pair in both]),
            "tactic_chars": _counts([len(pair.tactic) for pair in both]),
        },
        "contamination": contamination.row(),
    }
