"""The eval JSON: solve rates of one model variant on one benchmark, at several budgets from one search."""

from __future__ import annotations

import logging
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from burnqed.evaluation.statistics import pass_at_k, wilson_interval
from burnqed.files import UserError
from burnqed.records.evaluations import SCHEMA_VERSION, Benchmark, BudgetResult, Evaluation, TheoremRow, read_eval
from burnqed.records.theorems import TheoremIndex
from burnqed.words import counted

if TYPE_CHECKING:
    from burnqed.records.trajectories import TheoremResult

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Checked:
    """One attempt at a theorem, with the verdict on its proof (False without a proof)."""

    result: TheoremResult
    verified: bool
    reason: str = ""


@dataclass
class EvalParts:
    """What identifies an evaluation besides its results."""

    label: str
    variant: str
    model: Mapping[str, Any]
    ebm: Mapping[str, Any] | None
    benchmark: Benchmark
    settings: Mapping[str, Any]
    seeds: Sequence[int]
    budgets: Sequence[int]
    confidence: float = 0.95


def _nodes_within(result: TheoremResult, budget: int) -> int:
    """Return the nodes an attempt expands under a smaller budget: a prefix of the same search."""
    return min(result.nodes, budget)


def _ks(attempts: int) -> list[int]:
    """Return 1, 2, 4, ... and the number of attempts itself."""
    ks = [1 << i for i in range(attempts.bit_length()) if 1 << i <= attempts]
    return ks if ks[-1] == attempts else [*ks, attempts]


def wilson_row(
    budget: int, solved: int, total: int, confidence: float = 0.95, mean_nodes: float | None = None
) -> BudgetResult:
    """Return the result of one budget with its Wilson interval, and with one of another level when asked for."""
    row: BudgetResult = {
        "budget": budget,
        "solved": solved,
        "total": total,
        "rate": round(solved / total, 6),
        "ci95": [round(end, 6) for end in wilson_interval(solved, total)],
    }
    if mean_nodes is not None:
        row["mean_nodes"] = mean_nodes
    if confidence != 0.95:
        row["interval"] = [round(end, 6) for end in wilson_interval(solved, total, confidence)]
    return row


def build_eval(parts: EvalParts, theorems: TheoremIndex, checked: Sequence[Checked]) -> Evaluation:
    """Build the eval JSON; no time enters it.

    A theorem counts as solved within a budget when one of its attempts found, by expanding at most
    that many nodes, a proof that was re-checked. `mean_nodes` is over theorems and attempts, a
    failed attempt counting what it expanded, at most the budget. Raises ValueError when a theorem
    has no attempt.
    """
    attempts: dict[str, list[Checked]] = {theorem.name: [] for theorem in theorems.theorems}
    for item in checked:
        attempts[item.result.theorem].append(item)
    missing = [name for name, items in attempts.items() if not items]
    if missing:
        raise ValueError(f"no search result for {counted(len(missing), 'theorem')}, first {missing[0]}")
    budgets = sorted(parts.budgets)
    total = len(attempts)
    results: list[BudgetResult] = []
    cumulative: list[dict[str, Any]] = []
    estimates: list[dict[str, Any]] = []
    before = 0
    count = min(len(items) for items in attempts.values())
    for budget in budgets:
        successes = [sum(i.verified and i.result.nodes <= budget for i in items) for items in attempts.values()]
        solved = sum(c > 0 for c in successes)
        nodes = [_nodes_within(i.result, budget) for items in attempts.values() for i in items]
        mean = round(statistics.fmean(nodes), 4)
        results.append(wilson_row(budget, solved, total, parts.confidence, mean))
        cumulative.append({"budget": budget, "solved": solved, "new": solved - before})
        before = solved
        for k in _ks(count):
            rates = [pass_at_k(len(items), c, k) for items, c in zip(attempts.values(), successes, strict=True)]
            estimates.append(
                {
                    "budget": budget,
                    "k": k,
                    "attempts": count,
                    "rate": round(statistics.fmean(rates), 6),
                }
            )
    return {
        "schema_version": SCHEMA_VERSION,
        "label": parts.label,
        "variant": parts.variant,
        "model": dict(parts.model),
        "ebm": dict(parts.ebm) if parts.ebm is not None else None,
        "benchmark": parts.benchmark,
        "settings": dict(parts.settings),
        "seeds": list(parts.seeds),
        "confidence": parts.confidence,
        "results": results,
        "cumulative": cumulative,
        "pass_at_k": estimates,
        "unverified": sum(i.result.proved and not i.verified for items in attempts.values() for i in items),
        "per_theorem": [_theorem_row(t.name, t.family, t.level, attempts[t.name], budgets) for t in theorems.theorems],
    }


def _theorem_row(name: str, family: str, level: int, items: Sequence[Checked], budgets: Sequence[int]) -> TheoremRow:
    """Return the row of a theorem; `nodes` are those of its cheapest checked proof, else the most expanded."""
    good = [item for item in items if item.verified]
    best = (
        min(good, key=lambda i: (i.result.nodes, i.result.attempt))
        if good
        else max(items, key=lambda i: i.result.nodes)
    )
    nodes = best.result.nodes
    row: TheoremRow = {
        "name": name,
        "proved": any(item.result.proved for item in items),
        "verified": bool(good),
        "budget_at_proof": next((b for b in budgets if nodes <= b), None) if good else None,
        "nodes": nodes,
        "depth": best.result.depth if good else None,
        "attempts": [
            {
                "attempt": item.result.attempt,
                "verified": item.verified,
                "nodes": item.result.nodes,
                "tactics": item.result.tactics,
                "stop_reason": item.result.stop_reason,
                **({"message": item.reason or item.result.message} if item.reason or item.result.message else {}),
            }
            for item in sorted(items, key=lambda i: i.result.attempt)
        ],
        "proof": list(best.result.proof) if good else [],
    }
    if family:
        row["family"] = family
    if level:
        row["level"] = level
    return row


def build_timing(
    parts_budgets: Sequence[int], checked: Sequence[Checked], times: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Build the sidecar's timing: seconds by budget and theorem, and the split over components.

    Under a smaller budget an attempt is charged its share of nodes; only the largest is measured.
    """
    seconds = {(t["theorem"], t["attempt"]): float(t["seconds"]) for t in times}
    largest = max(parts_budgets)
    results = []
    for budget in sorted(parts_budgets):
        spent = []
        for item in checked:
            whole = seconds.get((item.result.theorem, item.result.attempt), 0.0)
            nodes = max(item.result.expansions, item.result.nodes, 1)
            spent.append(whole * min(1.0, _nodes_within(item.result, budget) / nodes) if budget < largest else whole)
        results.append(
            {
                "budget": budget,
                "mean_seconds": round(statistics.fmean(spent), 4) if spent else 0.0,
                "median_seconds": round(statistics.median(spent), 4) if spent else 0.0,
                "measured": budget == largest,
            }
        )
    per_theorem: dict[str, float] = {}
    for (name, _), value in seconds.items():
        per_theorem[name] = round(per_theorem.get(name, 0.0) + value, 4)
    split = {
        key: round(sum(float(t.get(f"{key}_seconds", 0.0)) for t in times), 3) for key in ("policy", "lean", "value")
    }
    split["engine"] = round(max(0.0, sum(seconds.values()) - sum(split.values())), 3)
    return {"results": results, "per_theorem": per_theorem, "split": split}


def eval_before(output: Path, label: str, variant: str, benchmark: Mapping[str, Any]) -> Evaluation | None:
    """Return the finished eval of the model before: the same variant one iteration earlier, else without the head.

    It stands beside ``output`` in the results folder (R/iter_i/eval/VARIANT.json; before iter_0 stands R/baseline).
    None when there is none, it cannot be read, or it is of another benchmark.
    """
    number = label.removeprefix("iter_")
    if not number.isdecimal():
        return None
    folder = output.parent.parent.parent / (f"iter_{int(number) - 1}" if int(number) else "baseline") / "eval"
    for name in dict.fromkeys((variant, "llm")):
        if (folder / f"{name}.json").is_file():
            try:
                found = read_eval(folder / f"{name}.json")
            except UserError as error:
                logger.warning("no difference to the model before: %s", error)
                return None
            same = all(
                found["benchmark"].get(key) == benchmark.get(key) for key in ("name", "split", "sha256", "theorems")
            )
            return found if same else None
    return None


def eval_table(
    evaluation: Mapping[str, Any], timing: Mapping[str, Any], previous: Mapping[str, Any] | None = None
) -> str:
    """Return the evaluation as a text table, one line per budget, each including the smaller ones.

    `new` counts what the larger budget added; with ``previous``, the model before, the last column is the
    difference to it in percentage points at the same budget.
    """
    times = {row["budget"]: row for row in timing.get("results", [])}
    before = {row["budget"]: row for row in previous["results"]} if previous is not None else {}
    level = round(100 * evaluation.get("confidence", 0.95))
    lines = [
        f"{'budget':>7} {'solved':>9} {'new':>5} {'rate':>7}  {f'{level} % interval':<16} {'mean nodes':>10} "
        f"{'mean s':>8} {'median s':>8}" + (f"  vs {previous['label']}" if previous is not None else "")
    ]
    reached = 0
    for row in evaluation["results"]:
        low, high = interval_of(row)
        seconds = times.get(row["budget"], {})
        earlier = before.get(row["budget"])
        change = f"  {100 * (row['rate'] - earlier['rate']):+.1f}" if earlier else ""
        lines.append(
            f"{row['budget']:>7} {row['solved']:>4}/{row['total']:<4} {row['solved'] - reached:>+5} "
            f"{100 * row['rate']:>6.1f}%  "
            f"{f'{100 * low:.1f}-{100 * high:.1f} %':<16} {_nodes(row.get('mean_nodes')):>10} "
            f"{_seconds(seconds.get('mean_seconds'), seconds):>8} {_seconds(seconds.get('median_seconds'), seconds):>8}"
            + change
        )
        reached = row["solved"]
    if any(not row.get("measured", True) for row in times.values()):
        lines.append("seconds marked ~ are the largest budget's, shared by nodes")
    return "\n".join(lines)


def _nodes(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _seconds(value: float | None, row: Mapping[str, Any]) -> str:
    if value is None:
        return "-"
    return f"{'' if row.get('measured', True) else '~'}{value:.2f}"


def interval_of(row: Mapping[str, Any]) -> tuple[float, float]:
    """Return the interval of a result row, computed when an earlier version did not record it."""
    given = row.get("interval") or row.get("ci95")
    if given:
        return float(given[0]), float(given[1])
    return wilson_interval(row["solved"], row["total"])
