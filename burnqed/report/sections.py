"""The words and tables of a report: what was solved, gates, published results, time, cost and environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from burnqed.evaluation.statistics import mcnemar
from burnqed.files import read_json
from burnqed.jobs.progress import PROGRESS
from burnqed.records.summaries import Summary, on_benchmark
from burnqed.report.baselines import baselines_for
from burnqed.report.figures_training import ledger
from burnqed.report.summary import model_name, summary_rows, training_rows
from burnqed.report.tables import comparison_rows
from burnqed.words import counted

Rows = Sequence[Mapping[str, object]]
METHOD = (
    "A theorem counts as solved only when its whole proof passed a fresh process of the prover under the original "
    "statement. Budgets are expanded nodes; smaller ones are prefixes of one search. Intervals are 95 % Wilson "
    "intervals over theorems and say nothing of other training seeds; p is McNemar's exact two-sided test on the "
    "theorems that changed."
)


def model_sentences(summary: Summary) -> list[str]:
    """Return what was solved on one benchmark, one sentence per model."""
    benchmark = summary["benchmark"]
    split = benchmark.get("split")
    where = benchmark["name"] + (f", split {split}" if split and split != benchmark["name"] else "")
    out = []
    for model in summary["models"]:
        low, high = model["ci95"]
        name = model_name(model["label"])
        head = " with the energy head" if model["variant"] == "llm_ebm" else ""
        text = (
            f"{name[0].upper()}{name[1:]}{' model' if name == 'base' else ''}{head} solves {model['solved']} of "
            f"{model['total']} theorems of {where} ({100 * model['rate']:.1f} %, interval {100 * low:.1f} to "
            f"{100 * high:.1f} %) within {model['budget']} nodes"
        )
        if model["delta"] is not None:
            gained, lost = len(model["newly_solved"]), len(model["newly_lost"])
            text += (
                f": {100 * model['delta']:+.1f} points against the model before, {gained} newly solved and {lost} "
                f"newly lost (p = {mcnemar(gained, lost):.2g})"
            )
        out.append(text + ".")
    out.append(f"Solved by at least one of these models: {counted(summary['ever_solved'], 'theorem')}.")
    return out


def sentences(summary: Summary) -> list[str]:
    """Return what the run achieved, one sentence per model and one per gate that was crossed."""
    out = model_sentences(summary)
    for gate in summary["gates"]:
        for check in gate.get("checks", []):
            if not check["ok"]:
                out.append(
                    f"Gate of iteration {gate['iteration']}, {check['name']} = {check['measured']:g} "
                    f"(line: {check['line']}): {check['message']}."
                )
    if summary["gates"] and all(check["ok"] for gate in summary["gates"] for check in gate.get("checks", [])):
        out.append("No gate's line was crossed.")
    return out


def gate_rows(summary: Summary) -> list[dict[str, object]]:
    """Return one row per check of each gate."""
    return [
        {
            "iteration": gate["iteration"],
            "check": check["name"],
            "measured": f"{check['measured']:g}",
            "line": check["line"],
            "verdict": "ok" if check["ok"] else "crossed",
        }
        for gate in summary["gates"]
        for check in gate.get("checks", [])
    ]


def baseline_rows(summary: Summary) -> list[dict[str, object]]:
    """Return the published results on the run's benchmark, each with mode, budget and source."""
    return [
        {
            "system": item.name,
            "rate": f"{item.rate:g} %",
            "mode": "step-level search" if item.step_level else "whole proofs (not comparable with node budgets)",
            "budget": item.budget,
            "source": item.reference,
        }
        for item in baselines_for(summary["benchmark"])
    ]


def result_sections(summary: Summary) -> list[tuple[str, Rows]]:
    """Return title and rows of each table that follows from the summary, without empty ones."""
    sections: list[tuple[str, Rows]] = [
        ("Solve rate at the largest budget", summary_rows(summary)),
        ("Solve rate by budget", comparison_rows(summary)),
        ("Published results on this benchmark", baseline_rows(summary)),
        ("Training", training_rows(summary)),
        ("Gates", gate_rows(summary)),
    ]
    return [(title, rows) for title, rows in sections if rows]


def further_sections(summary: Summary) -> list[tuple[str, list[str], list[tuple[str, Rows]]]]:
    """Return name, sentences and tables of each further benchmark of the run."""
    found = []
    for name in summary.get("other_benchmarks", {}):
        own = on_benchmark(summary, name)
        tables: list[tuple[str, Rows]] = [
            (f"{name}: solve rate by budget", comparison_rows(own)),
            (f"{name}: published results", baseline_rows(own)),
        ]
        found.append((name, model_sentences(own), [(title, rows) for title, rows in tables if rows]))
    return found


def changes(summary: Summary) -> list[tuple[str, str, list[str]]]:
    """Return model, title and names of the theorems that changed, without empty ones."""
    found = []
    for model in summary["models"]:
        who = model_name(model["label"]) + (" with head" if model["variant"] == "llm_ebm" else "")
        found += [(who, "newly solved", model["newly_solved"]), (who, "newly lost", model["newly_lost"])]
    return [entry for entry in found if entry[2]]


def environment_rows(results: Path) -> list[dict[str, object]]:
    """Return code and package versions that made the run, from its sidecars, and how many jobs used each."""
    counts: dict[tuple[str, str], int] = {}
    for path in sorted(results.rglob("*.meta.json")):
        if PROGRESS not in path.parts:
            meta = read_json(path)
            dirty = " with changes" if meta.get("dirty") else ""
            known = {"commit": f"{meta['commit'][:12]}{dirty}"} if meta.get("commit") else {}
            known |= {"processor": meta["cpu_model"]} if meta.get("cpu_model") else {}
            known = {"burn-qed": meta["code_version"]} | known if meta.get("code_version") else known
            versions = {**known, **meta.get("packages", {})}
            for name, version in versions.items():
                counts[name, str(version)] = counts.get((name, str(version)), 0) + 1
    return [{"package": name, "version": version, "artefacts": count} for (name, version), count in counts.items()]


def ledger_rows(results: Path, price: float) -> list[dict[str, object]]:
    """Return the ledger with a total: jobs, hours, and cost as recorded at ``price`` per GPU hour."""
    rows = ledger(results)
    total = {key: sum(float(row[key]) for row in rows) for key in rows[0] if key != "stage"} if rows else {}
    if total:
        rows = [*rows, {"stage": "total", **total}]
    return [
        {
            "stage": row["stage"],
            "jobs": int(row["jobs"]),
            "wall (min)": f"{row['wall_seconds'] / 60:.1f}",
            "CPU (min)": f"{row['cpu_seconds'] / 60:.1f}",
            "GPU-hours": f"{row['gpu_seconds'] / 3600:.2f}",
            f"cost ({price:g} US$ per GPU-hour)": f"{row['estimated_cost']:.2f}",
        }
        for row in rows
    ]


def rule_rows(results: Path) -> list[dict[str, object]]:
    """Return jobs and wall time per rule from the workflow's benchmark files.

    Their processor times and memory are those of what started a job, not of the job; sidecars have these.
    """
    rules: dict[str, list[float]] = {}
    for path in sorted((results / "benchmarks").rglob("*.tsv")):
        lines = path.read_text(encoding="utf-8").splitlines()
        name = path.relative_to(results / "benchmarks").parts[0].removesuffix(".tsv")
        for line in lines[1:]:
            cells = dict(zip(lines[0].split("\t"), line.split("\t"), strict=False))
            rules.setdefault(name, []).append(_number(cells.get("s", "")))
    return [
        {"rule": name, "jobs": len(jobs), "wall (s)": f"{sum(jobs):.0f}", "longest (s)": f"{max(jobs):.0f}"}
        for name, jobs in rules.items()
    ]


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:  # Snakemake writes `-` or `NA` for a job too short to be measured
        return 0.0
