"""What the energy head is worth in search: the same model, expansions and seeds, several orders of expansion.

Each way of ordering is compared with ``logprob``, which uses no head, theorem by theorem and seed by seed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from burnqed.evaluation.statistics import Difference, mcnemar, paired_bootstrap
from burnqed.files import UserError
from burnqed.records.evaluations import Evaluation, read_eval, solved_within
from burnqed.records.heads import read_head_metrics
from burnqed.report.tables import to_markdown
from burnqed.words import counted

REFERENCE = "logprob"
SHUFFLED = "shuffled"
HEAD_COLUMNS = ("rank1", "chance", "sibling_rank1", "sibling_chance", "energy_gap", "temperature")

Evals = dict[str, dict[int, Evaluation]]  # way -> seed -> eval file


@dataclass(frozen=True)
class Row:
    """One way within one budget, over some seeds: solved theorems, and the paired difference to another way.

    ``solved`` and ``total`` count pairs of theorem and seed. ``rate`` and ``difference`` are resampled over
    theorems, all seeds of one together: its searches are no independent trials. McNemar's ``p`` takes the pairs as
    independent, so over several seeds it is the less cautious of the two.
    """

    way: str
    seeds: tuple[int, ...]
    budget: int
    solved: int
    total: int
    rate: Difference
    gained: int
    lost: int
    difference: Difference
    p: float
    reference: str = ""


def read_ways(paths: Sequence[Path]) -> Evals:
    """Read the eval files of an ablation; the name of a file's run says its way, its contents the seed.

    Raises UserError when a way lacks a seed or a theorem that another has, or there is no reference.
    """
    ways: Evals = {}
    for path in paths:
        evaluation = read_eval(path)
        ways.setdefault(path.parent.parent.name, {})[int(evaluation["seeds"][0])] = evaluation
    if REFERENCE not in ways or len(ways) < 2:
        raise UserError(f"ablation: needs the run {REFERENCE} and at least one other way of each seed")
    first = ways[REFERENCE]
    expected = [_compared(evaluation) for evaluation in first.values()]
    for way, by_seed in ways.items():
        if by_seed.keys() != first.keys() or [_compared(by_seed[seed]) for seed in first] != expected:
            raise UserError(
                f"ablation: {way} and {REFERENCE} were not run on the same theorems, budgets and seeds; delete the "
                "older files and run `snakemake ablation_value` again"
            )
    return dict(sorted(ways.items(), key=lambda item: _place(item[0])))


def _compared(evaluation: Mapping[str, Any]) -> tuple[list[str], list[int]]:
    names = [row["name"] for row in evaluation["per_theorem"]]
    return names, [row["budget"] for row in evaluation["results"]]


def _place(way: str) -> tuple[int, str]:
    """Order the ways: the reference, the heads, the controls."""
    return (0 if way == REFERENCE else 2 if way.startswith(SHUFFLED) else 1), way


def way_name(way: str) -> str:
    """Return a way's name for readers: ``hybrid, goal-conditioned``."""
    head, _, priority = way.rpartition("_")
    return f"{priority}, {head.replace('_', '-')}" if head else way


def ablation_row(
    ways: Evals,
    way: str,
    seeds: Sequence[int],
    budget: int,
    confidence: float,
    samples: int,
    reference: str = REFERENCE,
) -> Row:
    """Compare a way with another over some seeds at one budget."""
    names = [row["name"] for row in ways[reference][seeds[0]]["per_theorem"]]
    before, after = ([solved_within(ways[name][seed], budget) for seed in seeds] for name in (reference, way))
    row = paired_row(way, names, before, after, seeds, budget, confidence, samples)
    return replace(row, reference=reference)


def paired_row(
    way: str,
    names: Sequence[str],
    before: Sequence[Collection[str]],
    after: Sequence[Collection[str]],
    seeds: Sequence[int],
    budget: int,
    confidence: float,
    samples: int,
) -> Row:
    """Compare two ways of searching the same theorems, given those that each has solved with each seed."""
    pairs = [[(name in a, name in b) for name in names] for a, b in zip(before, after, strict=True)]
    flat = [pair for by_theorem in pairs for pair in by_theorem]
    one, other = ([fmean(float(p[at][side]) for p in pairs) for at in range(len(names))] for side in (0, 1))
    gained, lost = sum(b > a for a, b in flat), sum(a > b for a, b in flat)
    return Row(
        way=way,
        seeds=tuple(seeds),
        budget=budget,
        solved=sum(b for _, b in flat),
        total=len(flat),
        rate=paired_bootstrap([0.0] * len(names), other, samples, confidence),
        gained=gained,
        lost=lost,
        difference=paired_bootstrap(one, other, samples, confidence),
        p=mcnemar(gained, lost),
    )


def ablation_rows(ways: Evals, confidence: float, samples: int) -> list[Row]:
    """Return the rows over all seeds, then those of each seed, every way at every budget."""
    seeds = sorted(ways[REFERENCE])
    budgets = [row["budget"] for row in ways[REFERENCE][seeds[0]]["results"]]
    scopes = [seeds, *([seed] for seed in seeds if len(seeds) > 1)]
    return [
        ablation_row(ways, way, scope, budget, confidence, samples)
        for scope in scopes
        for budget in budgets
        for way in ways
    ]


def control_rows(ways: Evals, confidence: float, samples: int) -> list[Row]:
    """Return the rows of each way with a control against that control, over all seeds at every budget."""
    seeds = sorted(ways[REFERENCE])
    budgets = [row["budget"] for row in ways[REFERENCE][seeds[0]]["results"]]
    pairs = [
        (way, control)
        for way, by_seed in ways.items()
        for control in [f"{SHUFFLED}_{way.rpartition('_')[2]}"]
        if way != control and control in ways and _digest(by_seed[seeds[0]]) == _digest(ways[control][seeds[0]])
    ]
    return [
        ablation_row(ways, way, seeds, budget, confidence, samples, control)
        for budget in budgets
        for way, control in pairs
    ]


def _digest(evaluation: Mapping[str, Any]) -> str | None:
    """Return the digest of the head that an evaluation used, if any."""
    return (evaluation.get("ebm") or {}).get("digest")


def head_rows(folders: Sequence[Path]) -> list[dict[str, Any]]:
    """Return kind, seed and held-out metrics of each head; ``seed_S/KIND/ebm`` are their folders."""
    rows = []
    for folder in folders:
        metrics = read_head_metrics(folder)
        seed = folder.parent.parent.name.removeprefix("seed_")
        rows.append(
            {"head": folder.parent.name, "seed": int(seed), **{name: metrics.get(name) for name in HEAD_COLUMNS}}
        )
    return sorted(rows, key=lambda row: (row["head"], row["seed"]))


def csv_rows(rows: Sequence[Row]) -> list[dict[str, object]]:
    """Return the rows of the CSV table."""
    return [
        {
            "way": row.way,
            "reference": row.reference,
            "seeds": " ".join(map(str, row.seeds)),
            "budget": row.budget,
            "solved": row.solved,
            "total": row.total,
            "rate": round(row.rate.value, 6),
            "rate_low": round(row.rate.low, 6),
            "rate_high": round(row.rate.high, 6),
            "gained": row.gained,
            "lost": row.lost,
            "difference": round(row.difference.value, 6),
            "difference_low": round(row.difference.low, 6),
            "difference_high": round(row.difference.high, 6),
            "mcnemar_p": round(row.p, 6),
        }
        for row in rows
    ]


def _shown(row: Row) -> dict[str, object]:
    own = {
        "order": way_name(row.way),
        "solved": f"{row.solved}/{row.total}",
        "rate": f"{100 * row.rate.value:.1f} % ({100 * row.rate.low:.1f} - {100 * row.rate.high:.1f})",
    }
    if row.way == row.reference:
        return {**own, "gained": "", "lost": "", "difference (points)": "", "p": ""}
    d = row.difference
    value, low, high = (round(100 * x, 1) + 0.0 for x in (d.value, d.low, d.high))
    return {
        **own,
        "gained": row.gained,
        "lost": row.lost,
        "difference (points)": f"{value:+.1f} ({low:+.1f} to {high:+.1f})",
        "p": f"{row.p:.2g}",
    }


def render(rows: Sequence[Row], controls: Sequence[Row], heads: Sequence[Mapping[str, Any]], confidence: float) -> str:
    """Return the tables as Markdown: all seeds, against the controls, each seed at the largest budget, the heads."""
    level = f"{100 * confidence:g} %"
    pooled = [row for row in rows if row.seeds == rows[0].seeds]
    budgets = list(dict.fromkeys(row.budget for row in pooled))
    seeds = rows[0].seeds
    theorems = pooled[0].total // len(seeds)
    parts = [
        "# What the energy head is worth in search\n",
        f"One model, {counted(theorems, 'theorem')}, {counted(len(seeds), 'seed')} ({', '.join(map(str, seeds))}) of head training and search. "
        f"Differences are to `{REFERENCE}` (no head) on the same theorems and seeds. Intervals: {level}, bootstrap over "
        "theorems, the seeds of a theorem together. p: McNemar's exact test on pairs of theorem and seed. "
        f"`{SHUFFLED}`: the energies of the first head permuted between the states of each theorem.\n",
    ]
    for budget in reversed(budgets):
        shown = [_shown(row) for row in pooled if row.budget == budget]
        parts += [f"## All seeds, {budget} expanded nodes\n", to_markdown(shown)]
    if controls:
        shown = [
            {"budget": row.budget, **_shown(row), "against": way_name(row.reference)} for row in reversed(controls)
        ]
        parts += ["## All seeds, a head against its own energies permuted\n", to_markdown(shown)]
    for seed in seeds if len(seeds) > 1 else ():
        shown = [_shown(row) for row in rows if row.seeds == (seed,) and row.budget == budgets[-1]]
        parts += [f"## Seed {seed}, {budgets[-1]} expanded nodes\n", to_markdown(shown)]
    table = [{k: f"{v:.3f}" if isinstance(v, float) else v for k, v in row.items()} for row in heads]
    parts += ["## The heads, on held-out training theorems\n", to_markdown(table)]
    return "\n".join(parts)
