"""How every figure looks, and how it is written: SVG, PNG and the data beside it as CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from burnqed.files import atomic_path, write_text
from burnqed.report.tables import to_csv

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

# Okabe and Ito's palette: distinguishable in print and with every common colour blindness.
COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#F0E442", "#000000"]
MARKERS = ["o", "s", "^", "D", "v", "P"]
VARIANT_NAMES = {"llm": "policy only", "llm_ebm": "policy and head"}
VARIANT_COLOURS = {"llm": COLOURS[0], "llm_ebm": COLOURS[4]}


NOTE = "\u2060"  # invisible: marks an entry that goes after the data's own in a legend
HATCHES = ["", "//", "..", "\\\\", "xx", "--"]


def new_figure(width: float = 6.4, height: float = 4.0) -> tuple[Figure, Axes]:
    """Return an empty figure with one axis in the house style; sizes in inches."""
    figure, axes = new_panels(1, width, height)
    return figure, axes[0]


def new_panels(count: int, width: float = 6.4, height: float = 4.0, columns: int = 1) -> tuple[Figure, list[Axes]]:
    """Return an empty figure with ``count`` axes in rows of ``columns``; sizes of the whole in inches."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.rcParams.update(
        {
            "font.size": 10,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "axes.axisbelow": True,
            "axes.titlesize": 11,
            "hatch.linewidth": 0.6,
            "grid.alpha": 0.3,
            "svg.hashsalt": "burn-qed",
            "svg.fonttype": "none",
            "legend.frameon": False,
        }
    )
    rows = -(-count // columns)
    figure, grid = pyplot.subplots(rows, columns, figsize=(width, height), layout="constrained", squeeze=False)
    for spare in grid.flat[count:]:
        spare.set_axis_off()
    return figure, list(grid.flat[:count])


def plain_numbers(axis: Axis) -> None:
    """Label a logarithmic axis with plain numbers (1, 2, 5, 10, 20, ...) in place of powers."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def whole_numbers(axis: Axis) -> None:
    """Label a linear axis with whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))


def legend_below(axes: Axes, columns: int = 2) -> None:
    """Put the legend under the axis, where it can hide no data."""
    handles, labels = axes.get_legend_handles_labels()
    own = sorted(range(len(labels)), key=lambda number: labels[number].startswith(NOTE))
    texts = [labels[number].removeprefix(NOTE) for number in own]
    axes.figure.legend(
        [handles[number] for number in own], texts, loc="outside lower center", ncols=columns, fontsize=8
    )


def tick_names(rows: Sequence[Mapping[str, object]]) -> list[str]:
    """Return an axis label of each row's model and variant; short ones when there are many."""
    if len(rows) <= 4:
        return [f"{row['model']}\n{VARIANT_NAMES[str(row['variant'])]}" for row in rows]
    return [
        str(row["model"]).replace("iteration ", "it. ") + ("\n+ head" if row["variant"] == "llm_ebm" else "\n ")
        for row in rows
    ]


def empty_note(axes: Axes, text: str) -> None:
    """Say on an axis why there is nothing to draw."""
    axes.axis("off")
    axes.text(0.5, 0.5, text, ha="center", va="center", wrap=True)


def save_figure(figure: Figure, rows: Sequence[Mapping[str, object]], svg: Path) -> None:
    """Write the figure as SVG and PNG and its data as CSV, each atomically, the SVG last."""
    from matplotlib import pyplot

    write_text(svg.with_suffix(".csv"), to_csv(rows))
    for path in (svg.with_suffix(".png"), svg):
        kind = path.suffix[1:]
        metadata = {"Date": None} if kind == "svg" else {"Software": None}
        with atomic_path(path) as partial:
            figure.savefig(partial, format=kind, dpi=150, metadata=metadata)
    pyplot.close(figure)
