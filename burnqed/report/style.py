"""How every figure looks, and how it is written: SVG, PNG and the data beside it as CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from burnqed.artifacts import atomic_path, write_text
from burnqed.report.tables import to_csv

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's palette: distinguishable in print and with every common colour blindness.
COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#F0E442", "#000000"]
MARKERS = ["o", "s", "^", "D", "v", "P"]
VARIANT_NAMES = {"llm": "policy only", "llm_ebm": "policy and head"}
VARIANT_COLOURS = {"llm": COLOURS[0], "llm_ebm": COLOURS[4]}


def new_figure(width: float = 6.4, height: float = 4.0) -> tuple[Figure, Axes]:
    """Return an empty figure with one axis in the house style; sizes in inches."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.rcParams.update(
        {
            "font.size": 10,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "grid.alpha": 0.3,
            "svg.hashsalt": "burn-qed",
            "svg.fonttype": "none",
            "legend.frameon": False,
        }
    )
    figure, axes = pyplot.subplots(figsize=(width, height), layout="constrained")
    return figure, axes


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
