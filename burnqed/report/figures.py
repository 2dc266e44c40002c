"""The figures of a run, each one its own target: what was solved, and what it took."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from burnqed.evaluation.evals import interval_of
from burnqed.records.evaluations import BudgetResult, solved_within
from burnqed.report.baselines import baselines_for
from burnqed.report.registry import Rows, figure
from burnqed.report.run import Run
from burnqed.report.style import (
    COLOURS,
    MARKERS,
    NOTE,
    VARIANT_COLOURS,
    VARIANT_NAMES,
    empty_note,
    legend_below,
    new_figure,
    plain_numbers,
    tick_names,
)
from burnqed.report.summary import model_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@figure(
    "Solve rate",
    "Share of the benchmark solved by each model at each budget, with and without the energy head. Bars: "
    "95 % Wilson intervals at the largest budget. On miniF2F, lettered lines are published results, each "
    "with its mode and budget; sources are in the CSV file. Lines of whole-proof sampling are another "
    "mode than step-level search.",
)
def solve_rate(run: Run) -> tuple[Figure, Rows]:
    """Solve rate of each model, one line per variant and budget, with intervals at the largest."""
    baselines = baselines_for(run.benchmark)
    figure, axes = new_figure(height=6.2 if baselines else 4.6)
    labels = run.labels()
    rows: Rows = []
    budgets = [result["budget"] for result in run.models[0]["results"]]
    for variant, name in VARIANT_NAMES.items():
        models = [model for model in run.models if model["variant"] == variant]
        for number, budget in enumerate(budgets):
            points = [(labels.index(m["label"]), r) for m in models for r in m["results"] if r["budget"] == budget]
            if not points:
                continue
            rows += [_rate_row(model_name(labels[x]), variant, result) for x, result in points]
            largest = budget == budgets[-1]
            # Side by side: no marker covers the cap of another one's interval.
            offset = (0.05 if variant == "llm_ebm" else 0.0) - 0.04 * (len(budgets) - 1 - number)
            ends = [interval_of(r) for _, r in points]
            rates = [100 * r["rate"] for _, r in points]
            low = [max(0.0, rate - 100 * end[0]) for rate, end in zip(rates, ends, strict=True)]
            high = [max(0.0, 100 * end[1] - rate) for rate, end in zip(rates, ends, strict=True)]
            axes.errorbar(
                [x + offset for x, _ in points],
                rates,
                yerr=[low, high] if largest else None,
                color=VARIANT_COLOURS[variant],
                marker=MARKERS[number % len(MARKERS)],
                markerfacecolor="white" if variant == "llm_ebm" else None,
                linestyle="-" if largest else ":",
                capsize=3,
                label=f"{name}, {budget} nodes",
            )
    for number, baseline in enumerate(baselines):
        axes.axhline(
            baseline.rate,
            color="#555555",
            linewidth=1,
            linestyle=(0, (6, 2)) if baseline.step_level else (0, (1, 2)),
        )
        axes.annotate(
            chr(ord("A") + number),
            (0.01 + 0.03 * number, baseline.rate),
            xycoords=("axes fraction", "data"),
            fontsize=8,
            va="bottom",
        )
        axes.plot([], [], " ", label=f"{NOTE}{chr(ord('A') + number)}  {baseline.text}, {baseline.rate:g} %")
        rows.append(
            {
                "model": baseline.name,
                "variant": "published, step-level" if baseline.step_level else "published, whole-proof",
                "budget": baseline.budget,
                "rate": round(baseline.rate / 100, 4),
                "source": baseline.reference,
            }
        )
    axes.set_xticks(range(len(labels)), [model_name(label) for label in labels])
    axes.set_xlim(-0.3, len(labels) - 0.7)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("theorems solved and re-checked (%)")
    total = run.models[0]["total"]
    axes.set_title(f"Solve rate on {run.benchmark['name']} ({total} theorems, 95 % intervals)")
    legend_below(axes, columns=1 if baselines else 2)
    return figure, rows


def _rate_row(name: str, variant: str, result: BudgetResult) -> dict[str, Any]:
    low, high = interval_of(result)
    return {
        "model": name,
        "variant": variant,
        "budget": result["budget"],
        "solved": result["solved"],
        "total": result["total"],
        "rate": result["rate"],
        "ci95_low": low,
        "ci95_high": high,
        "source": "",
    }


@figure(
    "Solve rate",
    "Share of the benchmark solved within a given number of expanded nodes.",
)
def solve_rate_by_nodes(run: Run) -> tuple[Figure, Rows]:
    """Share of theorems solved within a number of expanded nodes, one curve per model and variant."""
    figure, axes = new_figure(height=4.6)
    rows: Rows = []
    labels = run.labels()
    for model, evaluation in run.evaluations():
        total = len(evaluation["per_theorem"])
        solved = solved_within(evaluation)
        nodes = sorted(row["nodes"] for row in evaluation["per_theorem"] if row["name"] in solved)
        last = evaluation["results"][-1]["budget"]
        # The curve starts at the first node: a search that expands none solves none.
        xs = [1, *nodes, last]
        ys = [100 * count / total for count in range(len(nodes) + 1)]
        ys.append(ys[-1])
        name = f"{model_name(model['label'])}, {VARIANT_NAMES[model['variant']]}"
        colour = COLOURS[labels.index(model["label"]) % len(COLOURS)]
        style = "--" if model["variant"] == "llm_ebm" else "-"
        axes.step(xs, ys, where="post", color=colour, linestyle=style, label=name)
        rows += [
            {
                "model": model_name(model["label"]),
                "variant": model["variant"],
                "nodes": x,
                "solved_share": round(y / 100, 6),
            }
            for x, y in zip(xs, ys, strict=True)
        ]
    axes.set_xscale("log")
    plain_numbers(axes.xaxis)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("expanded nodes")
    axes.set_ylabel("theorems solved and re-checked (%)")
    axes.set_title(f"Solve rate by search budget on {run.benchmark['name']}")
    legend_below(axes)
    return figure, rows


@figure(
    "Solve rate",
    "Effect of the energy head: the same model searched with and without it, paired over theorems.",
)
def head_ablation(run: Run) -> tuple[Figure, Rows]:
    """Paired difference of the solve rate with and without the head, by budget."""
    from burnqed.evaluation.statistics import paired_bootstrap

    figure, axes = new_figure()
    rows: Rows = []
    evaluations = {(m["label"], m["variant"]): e for m, e in run.evaluations()}
    paired = [label for label in run.labels() if {(label, "llm"), (label, "llm_ebm")} <= evaluations.keys()]
    for number, label in enumerate(paired):
        without, with_head = evaluations[label, "llm"], evaluations[label, "llm_ebm"]
        names = [row["name"] for row in without["per_theorem"]]
        points = []
        for result in without["results"]:
            budget = result["budget"]
            a, b = solved_within(without, budget), solved_within(with_head, budget)
            effect = paired_bootstrap([float(n in a) for n in names], [float(n in b) for n in names])
            points.append((budget, effect.value, effect.low, effect.high))
            rows.append(
                {
                    "model": model_name(label),
                    "budget": budget,
                    "without_head": len(a),
                    "with_head": len(b),
                    "only_without": len(a - b),
                    "only_with": len(b - a),
                    "difference": round(effect.value, 6),
                    "ci95_low": round(effect.low, 6),
                    "ci95_high": round(effect.high, 6),
                }
            )
        axes.errorbar(
            [x + 0.1 * (number - (len(paired) - 1) / 2) for x in range(len(points))],
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
    axes.margins(x=0.15)
    axes.set_xlabel("budget (expanded nodes)")
    axes.set_ylabel("with head minus without (points)")
    axes.set_title("Effect of the energy head on the solve rate\n(same theorems, 95 % paired bootstrap intervals)")
    legend_below(axes, columns=5)
    return figure, rows


@figure(
    "Solve rate",
    "Theorems that each model solves and the model before did not, and those it lost, at the largest budget.",
)
def newly_solved(run: Run) -> tuple[Figure, Rows]:
    """Theorems newly solved and newly lost by each model against the one before."""
    figure, axes = new_figure()
    models = [model for model in run.models if model["delta"] is not None]
    rows: Rows = [
        {
            "model": model_name(m["label"]),
            "variant": m["variant"],
            "newly_solved": len(m["newly_solved"]),
            "newly_lost": len(m["newly_lost"]),
        }
        for m in models
    ]
    if not rows:
        empty_note(axes, "Only the base model was evaluated: nothing to compare with yet.")
        return figure, rows
    xs = range(len(rows))
    gained = axes.bar(xs, [row["newly_solved"] for row in rows], color=COLOURS[2], label="newly solved")
    lost = axes.bar(xs, [-row["newly_lost"] for row in rows], color=COLOURS[4], hatch="//", label="newly lost")
    axes.bar_label(gained, [str(row["newly_solved"]) for row in rows], padding=2)
    axes.bar_label(lost, [str(row["newly_lost"]) for row in rows], padding=2)
    axes.margins(y=0.12)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xticks(xs, tick_names(rows))
    axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    axes.set_ylabel("theorems lost (below 0) and gained")
    axes.set_title(f"Change against the model before, at {run.models[0]['budget']} nodes")
    legend_below(axes)
    return figure, rows


@figure(
    "Search",
    "Expanded nodes until a proof was found, over the solved theorems.",
)
def nodes_to_proof(run: Run) -> tuple[Figure, Rows]:
    """Distribution of expanded nodes until the proof, over solved theorems."""
    figure, axes = new_figure()
    rows: Rows = []
    shown: Rows = []
    values = []
    for model, evaluation in run.evaluations():
        solved = solved_within(evaluation)
        nodes = [row["nodes"] for row in evaluation["per_theorem"] if row["name"] in solved]
        rows += [{"model": model["label"], "variant": model["variant"], "nodes": n} for n in sorted(nodes)]
        if nodes:
            shown.append({"model": model_name(model["label"]), "variant": model["variant"]})
            values.append(nodes)
    if not values:
        empty_note(axes, "No theorem was solved.")
        return figure, rows
    axes.boxplot(
        values, tick_labels=tick_names(shown), whis=(5, 95), showfliers=True, medianprops={"color": COLOURS[4]}
    )
    axes.set_yscale("log")
    plain_numbers(axes.yaxis)
    axes.set_ylabel("expanded nodes to the proof")
    axes.set_title("Search effort of solved theorems\n(box: quartiles and median; whiskers: 5 - 95 %)")
    return figure, rows
