"""Figure of the value ablation: what each order of expansion solves beyond the policy's own, seed by seed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from burnqed.config import EvaluationSettings
from burnqed.experiments.ablation import (
    REFERENCE,
    SHUFFLED,
    Row,
    ablation_rows,
    control_rows,
    csv_rows,
    head_rows,
    read_ways,
    render,
    way_name,
)
from burnqed.files import write_text
from burnqed.report.style import COLOURS, MARKERS, legend_below, new_figure, save_figure
from burnqed.report.tables import to_csv

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_ablation(rows: Sequence[Row]) -> Figure:
    """Return the paired differences to the reference at each budget: mean and interval over seeds, and each seed."""
    seeds = rows[0].seeds
    ways = [way for way in dict.fromkeys(row.way for row in rows) if way != REFERENCE]
    budgets = list(dict.fromkeys(row.budget for row in rows))
    figure, axes = new_figure(width=7.2, height=1.6 + 0.52 * len(ways))
    for number, budget in enumerate(budgets):
        offset = 0.24 * (number - (len(budgets) - 1) / 2)
        colour = COLOURS[number % len(COLOURS)]
        pooled = {row.way: row.difference for row in rows if row.seeds == seeds and row.budget == budget}
        places = [place + offset for place in range(len(ways))]
        means = [100 * pooled[way].value for way in ways]
        axes.errorbar(
            means,
            places,
            xerr=[
                [100 * (pooled[way].value - pooled[way].low) for way in ways],
                [100 * (pooled[way].high - pooled[way].value) for way in ways],
            ],
            fmt=MARKERS[number % len(MARKERS)],
            color=colour,
            capsize=3,
            label=f"{budget} expanded nodes, {len(seeds)} seeds",
        )
        if len(seeds) > 1:
            points = [
                (100 * row.difference.value, ways.index(row.way) + offset)
                for row in rows
                if len(row.seeds) == 1 and row.budget == budget and row.way != REFERENCE
            ]
            label = "one seed" if number == len(budgets) - 1 else None
            xs, ys = zip(*points, strict=True)
            axes.scatter(xs, ys, s=12, facecolors="none", edgecolors=colour, label=label)
    axes.axvline(0, color="black", linewidth=0.8)
    controls = [place for place, way in enumerate(ways) if way.startswith(SHUFFLED)]
    if controls and len(controls) < len(ways):
        axes.axhline(controls[0] - 0.5, color="black", linewidth=0.6, linestyle=":")
    axes.set_yticks(range(len(ways)), [way_name(way) for way in ways])
    axes.set_ylim(len(ways) - 0.5, -0.5)
    axes.set_xlabel(f"solved theorems, difference to {REFERENCE} without a head (points)")
    axes.set_title("What the energy head is worth in search\n(same theorems and seeds, 95 % bootstrap intervals)")
    legend_below(axes)
    return figure


def write_ablation(
    evals: Sequence[Path], heads: Sequence[Path], settings: EvaluationSettings, table: Path, figure: Path
) -> None:
    """Write the table (Markdown and CSV) and the figure (SVG, PNG and CSV)."""
    ways = read_ways(evals)
    rows = ablation_rows(ways, settings.confidence, settings.bootstrap_samples)
    controls = control_rows(ways, settings.confidence, settings.bootstrap_samples)
    save_figure(draw_ablation(rows), csv_rows(rows), figure)
    write_text(table.with_suffix(".csv"), to_csv(csv_rows([*rows, *controls])))
    text = render(rows, controls, head_rows(heads), settings.confidence)
    write_text(table, text)
    print(text)
