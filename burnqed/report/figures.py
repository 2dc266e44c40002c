"""The figures of a run, each one its own target: what was solved, and what it took.

A figure function takes the run (``Run``) and returns the drawing and the rows of its CSV.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from burnqed.artifacts import UserError
from burnqed.report import figures_training as training
from burnqed.report.run import Run
from burnqed.report.style import COLOURS, MARKERS, VARIANT_COLOURS, VARIANT_NAMES, empty_note, new_figure, save_figure
from burnqed.report.summary import model_name, solved_names

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Rows = list[dict[str, Any]]


def solve_rate(run: Run) -> tuple[Figure, Rows]:
    """Solve rate of each model, one line per variant and budget, with intervals at the largest."""
    figure, axes = new_figure()
    labels = run.labels()
    rows: Rows = []
    budgets = [result["budget"] for result in run.models[0]["results"]]
    for variant, name in VARIANT_NAMES.items():
        models = [model for model in run.models if model["variant"] == variant]
        for number, budget in enumerate(budgets):
            points = [(labels.index(m["label"]), m["results"][number]) for m in models]
            if not points:
                continue
            rows += [
                {
                    "model": model_name(labels[x]),
                    "variant": variant,
                    "budget": budget,
                    "solved": r["solved"],
                    "total": r["total"],
                    "rate": r["rate"],
                    "ci95_low": r["ci95"][0],
                    "ci95_high": r["ci95"][1],
                }
                for x, r in points
            ]
            largest = budget == budgets[-1]
            offset = 0.04 if variant == "llm_ebm" else 0.0
            xs = [x + offset for x, _ in points]
            rates = [100 * r["rate"] for _, r in points]
            errors = [[100 * (r["rate"] - r["ci95"][0]) for _, r in points], [100 * (r["ci95"][1] - r["rate"]) for _, r in points]]
            axes.errorbar(
                xs,
                rates,
                yerr=errors if largest else None,
                color=VARIANT_COLOURS[variant],
                marker=MARKERS[number % len(MARKERS)],
                linestyle="-" if largest else ":",
                alpha=1.0 if largest else 0.6,
                capsize=3,
                label=f"{name}, {budget} nodes",
            )
    axes.set_xticks(range(len(labels)), [model_name(label) for label in labels])
    axes.set_ylim(bottom=0)
    axes.set_ylabel("theorems solved and re-checked (%)")
    axes.set_title(f"Solve rate on {run.benchmark['name']} ({rows[0]['total']} theorems, 95 % intervals)")
    axes.legend(fontsize=8)
    return figure, rows


def solve_rate_by_nodes(run: Run) -> tuple[Figure, Rows]:
    """Share of theorems solved within a number of expanded nodes, one curve per model and variant."""
    figure, axes = new_figure()
    rows: Rows = []
    for number, (model, evaluation) in enumerate(run.evaluations()):
        total = len(evaluation["per_theorem"])
        solved = solved_names(evaluation)
        nodes = sorted(row["nodes"] for row in evaluation["per_theorem"] if row["name"] in solved)
        last = evaluation["results"][-1]["budget"]
        xs = [0, *nodes, last]
        ys = [100 * count / total for count in range(len(nodes) + 1)]
        ys.append(ys[-1])
        name = f"{model_name(model['label'])}, {VARIANT_NAMES[model['variant']]}"
        axes.step(xs, ys, where="post", color=COLOURS[number % len(COLOURS)], linestyle="--" if model["variant"] == "llm_ebm" else "-", label=name)
        rows += [{"model": model["label"], "variant": model["variant"], "nodes": x, "solved_share": round(y / 100, 6)} for x, y in zip(xs, ys, strict=True)]
    axes.set_xscale("symlog", linthresh=1)
    axes.set_xlim(left=0)
    axes.set_xlabel("expanded nodes")
    axes.set_ylabel("theorems solved (%)")
    axes.set_title("Solve rate by search budget")
    axes.legend(fontsize=8)
    return figure, rows


def head_ablation(run: Run) -> tuple[Figure, Rows]:
    """Paired difference of the solve rate with and without the head, by budget."""
    from burnqed.evaluation.statistics import paired_bootstrap

    figure, axes = new_figure()
    rows: Rows = []
    evaluations = {(m["label"], m["variant"]): e for m, e in run.evaluations()}
    for number, label in enumerate(run.labels()):
        without, with_head = evaluations.get((label, "llm")), evaluations.get((label, "llm_ebm"))
        if without is None or with_head is None:
            continue
        names = [row["name"] for row in without["per_theorem"]]
        points = []
        for result in without["results"]:
            budget = result["budget"]
            a, b = solved_names(without, budget), solved_names(with_head, budget)
            effect = paired_bootstrap([name in a for name in names], [name in b for name in names])
            difference, low, high = effect.value, effect.low, effect.high
            points.append((budget, difference, low, high))
            rows.append(
                {
                    "model": model_name(label),
                    "budget": budget,
                    "without_head": len(a),
                    "with_head": len(b),
                    "only_without": len(a - b),
                    "only_with": len(b - a),
                    "difference": round(difference, 6),
                    "ci95_low": round(low, 6),
                    "ci95_high": round(high, 6),
                }
            )
        axes.errorbar(
            [x + 0.06 * number for x in range(len(points))],
            [100 * p[1] for p in points],
            yerr=[[100 * (p[1] - p[2]) for p in points], [100 * (p[3] - p[1]) for p in points]],
            fmt=MARKERS[number % len(MARKERS)],
            color=COLOURS[number % len(COLOURS)],
            capsize=4,
            label=model_name(label),
        )
        axes.set_xticks(range(len(points)), [str(p[0]) for p in points])
    if not rows:
        empty_note(axes, "This run has no energy head yet: heads are trained from iteration 1 on.")
        return figure, rows
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xlabel("budget (expanded nodes)")
    axes.set_ylabel("difference in solve rate (percentage points)")
    axes.set_title("Effect of the energy head, paired, 95 % bootstrap interval")
    axes.legend()
    return figure, rows


def newly_solved(run: Run) -> tuple[Figure, Rows]:
    """Theorems newly solved and newly lost by each model against the one before."""
    figure, axes = new_figure()
    models = [model for model in run.models if model["delta"] is not None]
    rows: Rows = [
        {"model": model_name(m["label"]), "variant": m["variant"], "newly_solved": len(m["newly_solved"]), "newly_lost": len(m["newly_lost"])}
        for m in models
    ]
    if not rows:
        empty_note(axes, "Only the base model was evaluated: nothing to compare with yet.")
        return figure, rows
    xs = range(len(rows))
    axes.bar(xs, [row["newly_solved"] for row in rows], color=COLOURS[2], label="newly solved")
    axes.bar(xs, [-row["newly_lost"] for row in rows], color=COLOURS[4], hatch="//", label="newly lost")
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xticks(xs, [f"{row['model']}\n{VARIANT_NAMES[row['variant']]}" for row in rows])
    axes.set_ylabel("theorems")
    axes.set_title("Change against the model before")
    axes.legend()
    return figure, rows


def nodes_to_proof(run: Run) -> tuple[Figure, Rows]:
    """Distribution of expanded nodes until the proof, over solved theorems."""
    figure, axes = new_figure()
    rows: Rows = []
    names, values = [], []
    for model, evaluation in run.evaluations():
        solved = solved_names(evaluation)
        nodes = [row["nodes"] for row in evaluation["per_theorem"] if row["name"] in solved]
        rows += [{"model": model["label"], "variant": model["variant"], "nodes": n} for n in sorted(nodes)]
        if nodes:
            names.append(f"{model_name(model['label'])}\n{VARIANT_NAMES[model['variant']]}")
            values.append(nodes)
    if not values:
        empty_note(axes, "No theorem was solved.")
        return figure, rows
    axes.boxplot(values, tick_labels=names, whis=(5, 95), showfliers=True, medianprops={"color": COLOURS[4]})
    axes.set_yscale("log")
    axes.set_ylabel("expanded nodes to the proof")
    axes.set_title("Search effort of solved theorems (box: quartiles, whiskers: 5 - 95 %)")
    return figure, rows


FIGURES: dict[str, Callable[[Run], tuple[Figure, Rows]]] = {
    "solve_rate": solve_rate,
    "solve_rate_by_nodes": solve_rate_by_nodes,
    "head_ablation": head_ablation,
    "newly_solved": newly_solved,
    "nodes_to_proof": nodes_to_proof,
    "time_split": training.time_split,
    "candidate_diversity": training.candidate_diversity,
    "training_curves": training.training_curves,
    "energy_histogram": training.energy_histogram,
    "cost": training.cost,
}


def plot_figure(name: str, results: Path, summary: Path, svg: Path) -> None:
    """Draw one figure of the run and write SVG, PNG and CSV; raise UserError for an unknown name."""
    if name not in FIGURES:
        raise UserError(f"figure '{name}' is not known; choose one of {', '.join(FIGURES)}")
    figure, rows = FIGURES[name](Run(results, summary))
    save_figure(figure, rows, svg)
