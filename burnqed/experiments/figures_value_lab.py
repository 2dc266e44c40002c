"""Figure and table of the value laboratory: solved by nodes for each order, the best of all orders on top."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from burnqed.config import EvaluationSettings, ValueLabSettings
from burnqed.experiments.value_lab import LOGPROB, ORACLE, PERMUTED, RANDOM, REFERENCE, read_replays
from burnqed.experiments.value_table import (
    ORDER_NAMES,
    TUNED,
    LabResult,
    compare_values,
    csv_rows,
    label_tests,
    render,
)
from burnqed.files import read_json, write_text
from burnqed.report.style import COLOURS, MARKERS, legend_below, new_panels, save_figure, whole_numbers
from burnqed.report.tables import to_csv

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_values(result: LabResult) -> Figure:
    """Return two panels: solved by nodes, and each arm's difference to the log-probability with its interval."""
    figure, (curves, arms) = new_panels(2, 9.6, 4.6, columns=2)
    arm = result.endpoint.arm
    shown = [
        (REFERENCE, ORACLE),
        (arm, TUNED),
        (arm, "energy"),
        (REFERENCE, LOGPROB),
        (arm, PERMUTED),
        (REFERENCE, RANDOM),
    ]
    for number, key in enumerate(key for key in shown if key in result.curves):
        values = [100 * share for share in result.curves[key]]
        curves.plot(
            range(1, len(values) + 1), values, marker=MARKERS[number % len(MARKERS)], markersize=4,
            color=COLOURS[number % len(COLOURS)], label=ORDER_NAMES[key[1]] + (f" ({key[0]})" if key[0] == arm else ""),
        )  # fmt: skip
    curves.axvline(result.nodes, color="0.6", linestyle=":")
    curves.set_xlabel("expanded nodes")
    curves.set_ylabel(f"solved of {result.theorems} theorems (%)")
    curves.set_ylim(bottom=0)
    whole_numbers(curves.xaxis)
    rows = [row for row in result.rows if row.order == TUNED]
    for place, row in enumerate(rows):
        d = row.to_logprob[result.nodes]
        arms.errorbar(
            [100 * d.value], [place], xerr=[[100 * (d.value - d.low)], [100 * (d.high - d.value)]], fmt="o", capsize=3,
            color=COLOURS[4] if row.arm == arm else COLOURS[0],
        )  # fmt: skip
    arms.axvline(0, color="black", linewidth=0.8)
    arms.set_yticks(range(len(rows)), [row.arm for row in rows])
    arms.invert_yaxis()
    arms.set_xlabel(f"points to log-probability at {result.nodes} nodes, 95 % interval")
    legend_below(curves, columns=3)
    return figure


def write_values(
    replays: Sequence[Path],
    refused: Path,
    trajectories: Sequence[Path],
    proofs: Sequence[Path],
    larger: Path,
    lab: ValueLabSettings,
    settings: EvaluationSettings,
    table: Path,
    figure: Path,
) -> None:
    """Write the laboratory's table (Markdown and CSV) and figure (SVG, PNG and CSV)."""
    dropped = {(str(name), tuple(proof)) for name, proof in read_json(refused)}
    tests = label_tests(trajectories, proofs, larger)
    result = compare_values([read_replays(path) for path in replays], dropped, lab, settings, tests)
    save_figure(draw_values(result), csv_rows(result), figure)
    write_text(table.with_suffix(".csv"), to_csv(csv_rows(result)))
    text = render(result, settings.confidence)
    write_text(table, text)
    print(text)
