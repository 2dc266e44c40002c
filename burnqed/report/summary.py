"""``summary.json``: what a run achieved, cumulative over its iterations, and its table on the terminal."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from burnqed.evaluation.evals import interval_of
from burnqed.files import UserError, read_json, read_jsonl, sidecar_path
from burnqed.records.evaluations import Evaluation, read_eval, solved_within
from burnqed.records.gates import read_gate
from burnqed.records.heads import read_head_metrics
from burnqed.records.summaries import SCHEMA_VERSION, Measured, ModelRow, Summary, read_summary
from burnqed.words import counted


def model_name(label: str) -> str:
    """Return the reader's name of a model: "base", or "iteration i"."""
    return "base" if label == "baseline" else f"iteration {label.removeprefix('iter_')}"


# What a head's metrics.json says of its worth and of the embeddings it works on.
HEAD_METRICS = (
    "rank1",
    "rank1_ci95",
    "chance",
    "groups",
    "sibling_rank1",
    "sibling_chance",
    "val_loss",
    "temperature",
    "energy_gap",
    "centroid_l2",
    "linear_probe",
    "effective_dimension",
    "held_out_theorems",
)


def _head(folder: Path) -> dict[str, Any]:
    """Return the metrics of an iteration's energy head, empty when it has none."""
    path = folder / "ebm" / "metrics.json"
    if not path.exists():
        return {}
    metrics = read_head_metrics(path.parent)
    return {name: metrics.get(name) for name in HEAD_METRICS}


def _training(folder: Path) -> dict[str, Any]:
    """Return the last losses of an adapter folder, empty for the base model."""
    path = folder / "adapter" / "history.jsonl"
    if not path.exists():
        return {}
    rows = list(read_jsonl(path))
    losses = [row["loss"] for row in rows if row.get("loss") is not None]
    validation = [row["val_loss"] for row in rows if row.get("val_loss") is not None]
    trained = folder / "adapter" / "training.json"
    return {
        "examples": read_json(trained).get("examples", {}).get("total") if trained.exists() else None,
        "steps": max((row["step"] for row in rows), default=0),
        "loss": losses[-1] if losses else None,
        "best_val_loss": min(validation, default=None),
    }


def summarize(evals: Sequence[Path], gates: Sequence[Path], proofs: Sequence[Path]) -> Summary:
    """Build the summary from eval JSONs (baseline first), gates and re-checked proofs.

    Models are judged on the benchmark of the first file; ``other_benchmarks`` holds by name the same
    of each further one.
    Newly solved and newly lost are counted against the previous model at the largest budget, the
    best variant of each side by the run's own order: variants are compared with the same variant,
    or with the only one the previous model has.
    """
    if not evals:
        raise UserError("summary: no eval JSON given; run `snakemake iter_0_eval` first")
    groups: dict[str, list[tuple[Path, Evaluation]]] = {}
    for path in evals:
        evaluation = read_eval(path)
        groups.setdefault(evaluation["benchmark"]["name"], []).append((path, evaluation))
    first, *others = (_on_one_benchmark(group) for group in groups.values())
    return {
        "schema_version": SCHEMA_VERSION,
        **first,
        "other_benchmarks": {part["benchmark"]["name"]: part for part in others},
        "search": [_search_row(path) for path in proofs],
        "gates": [read_gate(path) for path in gates],
    }


def _on_one_benchmark(loaded: Sequence[tuple[Path, Evaluation]]) -> Measured:
    """Return the models on one benchmark; raise UserError when the files are of several versions of it."""
    benchmarks = {(e["benchmark"]["name"], e["benchmark"]["sha256"]) for _, e in loaded}
    if len(benchmarks) > 1:
        raise UserError(
            f"summary: the eval files are of different benchmarks {sorted(benchmarks)}; they cannot be compared"
        )
    models: list[ModelRow] = []
    previous: dict[str, dict[str, Any]] = {}
    seen: set[str] = set()
    for path, evaluation in loaded:
        label, variant = evaluation["label"], evaluation["variant"]
        solved = solved_within(evaluation)
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
                "ci95": list(interval_of(last)),
                "newly_solved": sorted(solved - reference) if reference is not None else [],
                "newly_lost": sorted(reference - solved) if reference is not None else [],
                "first_solved": sorted(solved - seen) if models else [],
                "delta": round((len(solved) - len(reference)) / last["total"], 6) if reference is not None else None,
                "training": _training(_run_folder(path)),
                "head": _head(_run_folder(path)) if evaluation.get("ebm") else {},
            }
        )
        seen |= solved
        models[-1]["ever_solved"] = len(seen)
    return {"benchmark": loaded[0][1]["benchmark"], "models": models, "ever_solved": len(seen)}


def _run_folder(eval_path: Path) -> Path:
    """Return the folder of the run that an eval file belongs to: the parent of its `eval` folder."""
    return next((folder.parent for folder in eval_path.parents if folder.name == "eval"), eval_path.parent.parent)


def training_rows(summary: Summary) -> list[dict[str, Any]]:
    """Return one row per iteration: what its training saw and reached, and what its head is worth."""
    rows: dict[str, dict[str, Any]] = {}
    proofs = {row["iteration"]: row for row in summary["search"]}
    for model in summary["models"]:
        if model["label"] == "baseline":
            continue
        training, head, found = model["training"], model.get("head") or {}, proofs.get(model["label"], {})
        row = rows.setdefault(
            model["label"],
            {
                "iteration": model["label"].removeprefix("iter_"),
                "training examples": _shown(training.get("examples"), 0),
                "steps": _shown(training.get("steps"), 0),
                "loss": _shown(training.get("loss")),
                "validation loss": _shown(training.get("best_val_loss")),
                "head rank-1 (chance)": "",
                "head validation loss": "",
                "proofs found": _shown(found.get("proofs"), 0),
                "theorems proved": _shown(found.get("theorems"), 0),
                "refused by the re-check": refusals(found) if found else "",
            },
        )
        if head:
            row["head rank-1 (chance)"] = f"{_shown(head.get('rank1'))} ({_shown(head.get('chance'))})"
            row["head validation loss"] = _shown(head.get("val_loss"))
    return list(rows.values())


def _shown(value: float | None, digits: int = 3) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def refusals(row: dict[str, Any]) -> str:
    """Return how many proofs of an iteration the re-check refused, and why: `3 (error 2, sorry 1)`."""
    reasons = ", ".join(f"{kind} {count}" for kind, count in row["refused"].items())
    return str(sum(row["refused"].values())) + (f" ({reasons})" if reasons else "")


def _search_row(path: Path) -> dict[str, Any]:
    """Count the re-checked proofs of one iteration's searches, and the refused ones by reason."""
    rows = list(read_jsonl(path))
    meta = json.loads(sidecar_path(path).read_text(encoding="utf-8")) if sidecar_path(path).exists() else {}
    return {
        "iteration": path.parent.name,
        "proofs": len(rows),
        "theorems": len({row["theorem"] for row in rows}),
        "by_kind": dict(sorted(Counter(row["kind"] for row in rows).items())),
        "refused": meta.get("verification", {}).get("refused", {}),
    }


def summary_rows(summary: Summary) -> list[dict[str, Any]]:
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
                "change": f"{100 * model['delta']:+.1f}" if model["delta"] is not None else "",
                "newly solved": len(model["newly_solved"]) if model["delta"] is not None else "",
                "newly lost": len(model["newly_lost"]) if model["delta"] is not None else "",
            }
        )
    return rows


def print_summary(path: Path) -> None:
    """Print the final table of a run: solve rates with intervals, new theorems, where the report is."""
    from rich.console import Console
    from rich.table import Table

    summary = read_summary(path)
    rows = summary_rows(summary)
    benchmark = summary["benchmark"]
    table = Table(
        title=f"Solve rate on {benchmark['name']} ({rows[0]['solved'].split('/')[1]} theorems), re-checked proofs only"
    )
    for name in rows[0]:
        table.add_column(name, justify="left" if name == "model" else "right")
    for row in rows:
        table.add_row(*(str(value) for value in row.values()))
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(table)
    for name, part in summary.get("other_benchmarks", {}).items():
        best = max(part["models"], key=lambda model: model["rate"])
        console.print(
            f"{name}: {best['solved']}/{best['total']} by {model_name(best['label'])} at budget {best['budget']} "
            f"(base {part['models'][0]['solved']}); tables/comparison_{name}.md",
            highlight=False,
        )
    last = summary["models"][-1]
    names = last["first_solved"]
    if names:
        shown = ", ".join(names[:8]) + (f", ... ({len(names)} in all)" if len(names) > 8 else "")
        console.print(f"Solved first by {model_name(last['label'])}: {shown}", highlight=False)
    for row in summary["search"]:
        console.print(
            f"{row['iteration']} search: {counted(row['proofs'], 'proof')} of {counted(row['theorems'], 'training theorem')} passed the "
            f"re-check, {refusals(row)} refused",
            highlight=False,
        )
    for title, name in (("Report", "report.html"), ("As Markdown", "report.md"), ("Figures", "figures")):
        if (path.parent / name).exists():
            console.print(f"{title}: {path.parent / name}", highlight=False)
