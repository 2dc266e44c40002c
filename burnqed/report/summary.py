"""``summary.json``: what a run achieved, cumulative over its iterations, and its table on the terminal."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from burnqed.artifacts import UserError, read_json, read_jsonl, sidecar_path

SCHEMA_VERSION = 1


def model_name(label: str) -> str:
    """Return the reader's name of a model: "base", or "iteration i"."""
    return "base" if label == "baseline" else f"iteration {label.removeprefix('iter_')}"


def solved_names(evaluation: dict[str, Any], budget: int | None = None) -> set[str]:
    """Return the names of theorems solved (proved and re-checked) within a budget of expanded nodes."""
    return {
        row["name"]
        for row in evaluation["per_theorem"]
        if row["proved"] and row["verified"] and (budget is None or row["nodes"] <= budget)
    }


def _training(folder: Path) -> dict[str, Any]:
    """Return the last losses of an adapter folder, empty for the base model."""
    path = folder / "adapter" / "history.jsonl"
    if not path.exists():
        return {}
    rows = list(read_jsonl(path))
    losses = [row["loss"] for row in rows if row.get("loss") is not None]
    validation = [row["val_loss"] for row in rows if row.get("val_loss") is not None]
    return {
        "steps": max((row["step"] for row in rows), default=0),
        "loss": losses[-1] if losses else None,
        "best_val_loss": min(validation, default=None),
    }


def summarize(evals: Sequence[Path], gates: Sequence[Path], proofs: Sequence[Path]) -> dict[str, Any]:
    """Build the summary from eval JSONs (baseline first), gates and re-checked proofs.

    Newly solved and newly lost are counted against the previous model at the largest budget, the
    best variant of each side by the run's own order: variants are compared with the same variant,
    or with the only one the previous model has.
    """
    if not evals:
        raise UserError("summary: no eval JSON given; run `snakemake iter_0_eval` first")
    loaded = [(path, read_json(path)) for path in evals]
    benchmarks = {(e["benchmark"]["name"], e["benchmark"]["sha256"]) for _, e in loaded}
    if len(benchmarks) > 1:
        raise UserError(f"summary: the eval files are of different benchmarks {sorted(benchmarks)}; they cannot be compared")
    models, previous, seen = [], {}, set()
    for path, evaluation in loaded:
        label, variant = evaluation["label"], evaluation["variant"]
        solved = solved_names(evaluation)
        if label not in previous:
            before = previous[list(previous)[-1]] if previous else {}
            previous[label] = {"before": before, "variants": {}}
        earlier = previous[label]["before"].get("variants", {})
        reference = earlier.get(variant, next(iter(earlier.values()), None))
        previous[label]["variants"][variant] = solved
        last = evaluation["results"][-1]
        models.append(
            {
                "label": label,
                "variant": variant,
                "results": evaluation["results"],
                "budget": last["budget"],
                "solved": last["solved"],
                "total": last["total"],
                "rate": last["rate"],
                "ci95": last["ci95"],
                "newly_solved": sorted(solved - reference) if reference is not None else [],
                "newly_lost": sorted(reference - solved) if reference is not None else [],
                "first_solved": sorted(solved - seen) if models else [],
                "delta": round((len(solved) - len(reference)) / last["total"], 6) if reference is not None else None,
                "training": _training(path.parent.parent),
            }
        )
        seen |= solved
    return {
        "schema_version": SCHEMA_VERSION,
        "benchmark": loaded[0][1]["benchmark"],
        "models": models,
        "ever_solved": len(seen),
        "search": [_search_row(path) for path in proofs],
        "gates": [read_json(path) for path in gates],
    }


def _search_row(path: Path) -> dict[str, Any]:
    """Count the re-checked proofs of one iteration's searches."""
    rows = list(read_jsonl(path))
    meta = json.loads(sidecar_path(path).read_text(encoding="utf-8")) if sidecar_path(path).exists() else {}
    return {
        "iteration": path.parent.name,
        "proofs": len(rows),
        "theorems": len({row["theorem"] for row in rows}),
        "by_kind": dict(sorted(Counter(row["kind"] for row in rows).items())),
        "refused": meta.get("refused", 0),
    }


def summary_rows(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the table of results: one row per model and variant."""
    rows = []
    for model in summary["models"]:
        low, high = model["ci95"]
        rows.append(
            {
                "model": model_name(model["label"]),
                "head": "yes" if model["variant"] == "llm_ebm" else "no",
                "budget": model["budget"],
                "solved": f"{model['solved']}/{model['total']}",
                "rate": f"{100 * model['rate']:.1f} %",
                "95 % interval": f"{100 * low:.1f} - {100 * high:.1f} %",
                "newly solved": len(model["newly_solved"]) if model["delta"] is not None else "",
                "newly lost": len(model["newly_lost"]) if model["delta"] is not None else "",
            }
        )
    return rows


def print_summary(path: Path) -> None:
    """Print the final table of a run: solve rates with intervals, new theorems, where the report is."""
    from rich.console import Console
    from rich.table import Table

    summary = read_json(path)
    rows = summary_rows(summary)
    benchmark = summary["benchmark"]
    table = Table(title=f"Solve rate on {benchmark['name']} ({rows[0]['solved'].split('/')[1]} theorems), re-checked proofs only")
    for name in rows[0]:
        table.add_column(name, justify="left" if name == "model" else "right")
    for row in rows:
        table.add_row(*(str(value) for value in row.values()))
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(table)
    last = summary["models"][-1]
    names = last["first_solved"]
    if names:
        shown = ", ".join(names[:8]) + (f", ... ({len(names)} in all)" if len(names) > 8 else "")
        console.print(f"Solved first by {model_name(last['label'])}: {shown}", highlight=False)
    for row in summary["search"]:
        console.print(f"{row['iteration']} search: {row['proofs']} proofs of {row['theorems']} training theorems passed the re-check, {row['refused']} refused", highlight=False)
    for name in ("report.html", "tables/results.md", "figures"):
        if (path.parent / name).exists():
            console.print(f"{name.split('/')[0].split('.')[0].capitalize()}: {path.parent / name}", highlight=False)
