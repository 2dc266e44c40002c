"""Figure of the rounds: solve rate of each round, with the controls beside the last."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from burnqed.config import EvaluationSettings
from burnqed.experiments.rounds import ArmRow, RoundsResult, arm_name, compare_rounds, csv_rows, read_arms, render
from burnqed.files import write_text
from burnqed.report.style import COLOURS, MARKERS, legend_below, new_figure, save_figure
from burnqed.report.tables import to_csv

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_rounds(result: RoundsResult) -> Figure:
    """Return the solve rate by round at the largest budget, with intervals; other arms stand at the last round."""
    rows = [row for row in result.rows if row.budget == result.budget]
    rounds = [row for row in rows if row.arm.startswith("round_")]
    others = [row for row in rows if row not in rounds]
    figure, axes = new_figure(width=6.4, height=4.2)
    places = list(range(len(rounds)))
    _points(rounds, places, axes, 0, "expert iteration", "-")
    for number, row in enumerate(others, 1):
        place = -0.35 if row.arm == "base" else places[-1] + 0.12 * number
        _points([row], [place], axes, number, arm_name(row.arm), "")
    axes.set_xticks(places, [row.arm.removeprefix("round_") for row in rounds])
    axes.set_xlabel("round")
    axes.set_ylabel(f"solved within {result.budget} nodes (%)")
    axes.set_ylim(bottom=0)
    axes.set_title(f"{result.theorems} held-out theorems, {len(result.training_seeds)} training seeds, 95 % intervals")
    legend_below(axes, columns=1)
    return figure


def _points(
    rows: list[ArmRow], places: list[float] | list[int], axes: object, number: int, label: str, line: str
) -> None:
    from matplotlib.axes import Axes

    assert isinstance(axes, Axes)
    values = [100 * row.rate.value for row in rows]
    below = [100 * (row.rate.value - row.rate.low) for row in rows]
    above = [100 * (row.rate.high - row.rate.value) for row in rows]
    axes.errorbar(
        places,
        values,
        yerr=[below, above],
        fmt=MARKERS[number % len(MARKERS)] + line,
        color=COLOURS[number % len(COLOURS)],
        capsize=3,
        label=label,
    )


def write_rounds(
    folder: Path,
    evals: Sequence[Path],
    proof_files: Sequence[Path],
    settings: EvaluationSettings,
    table: Path,
    figure: Path,
) -> None:
    """Write the table (Markdown and CSV) and the figure (SVG, PNG and CSV) of a study in ``folder``."""
    proofs: dict[str, dict[int, Path]] = {}
    for path in proof_files:
        seed, name = path.relative_to(folder).parts[:2]
        proofs.setdefault(name, {})[int(seed.removeprefix("seed_"))] = path
    arms = read_arms(folder, evals)
    result = compare_rounds(arms, proofs, settings.benchmark, settings.confidence, settings.bootstrap_samples)
    save_figure(draw_rounds(result), csv_rows(result), figure)
    write_text(table.with_suffix(".csv"), to_csv(csv_rows(result)))
    text = render(result, settings.confidence)
    write_text(table, text)
    print(text)
