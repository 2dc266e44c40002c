"""Figure of the value ablation: what each order of expansion solves beyond the policy's own, seed by seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from burnqed.evaluation.ablation import REFERENCE, SHUFFLED, Row, way_name
from burnqed.report.style import COLOURS, MARKERS, legend_below, new_figure

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
