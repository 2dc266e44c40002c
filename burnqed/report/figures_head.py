"""Figures of the energy head: its training, its energies, and the embeddings it works on."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from burnqed.artifacts import read_jsonl
from burnqed.report.run import Run
from burnqed.report.style import COLOURS, MARKERS, empty_note, legend_below, new_figure, new_panels
from burnqed.report.summary import model_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Rows = list[dict[str, Any]]
NO_HEAD = "This run has no energy head yet: heads are trained from iteration 1 on."
HEALTH = {
    "centroid_l2": "distance of the means of\nstates on and off proof paths",
    "linear_probe": "linear probe on held-out theorems\n(balanced accuracy; chance 0.5)",
    "effective_dimension": "effective dimension\n(participation ratio)",
    "norm_mean": "mean norm",
}


def _without_head() -> tuple[Figure, Rows]:
    figure, axes = new_figure()
    empty_note(axes, NO_HEAD)
    return figure, []


def head_curves(run: Run) -> tuple[Figure, Rows]:
    """Loss and held-out rank-1 accuracy of each head over its training."""
    heads = list(run.heads())
    if not heads:
        return _without_head()
    figure, (losses, ranks) = new_panels(2, height=4.2, columns=2)
    rows: Rows = []
    for number, (label, folder, metrics) in enumerate(heads):
        history = list(read_jsonl(folder / "history.jsonl"))
        name, colour = model_name(label), COLOURS[number % len(COLOURS)]
        for axes, key, style in (
            (losses, "loss", "-"),
            (losses, "val_loss", "--"),
            (ranks, "val_rank1", "-"),
        ):
            points = [(row["step"], row[key]) for row in history if row.get(key) is not None]
            rows += [{"model": name, "curve": key, "step": step, "value": value} for step, value in points]
            if points:
                text = name + {"loss": ", training", "val_loss": ", held out", "val_rank1": ""}[key]
                axes.plot(*zip(*points, strict=True), style, color=colour, label=text, marker=MARKERS[number % 6], ms=3)
        if metrics.get("chance") is not None:
            ranks.axhline(metrics["chance"], color=colour, linewidth=0.8, linestyle=":")
    losses.set_title("contrastive loss")
    ranks.set_title("rank-1, held out (dotted: chance)")
    ranks.set_ylim(0, 1)
    for axes in (losses, ranks):
        axes.set_xlabel("optimiser step")
    legend_below(losses)
    return figure, rows


def energy_histogram(run: Run) -> tuple[Figure, Rows]:
    """Energies of states reached in search, on and off the path of a re-checked proof."""
    from burnqed.search.trajectories import read_steps

    figure, axes = new_figure()
    energies: dict[bool, list[float]] = defaultdict(list)
    columns = ["theorem", "energy", "on_proof_path", "outcome"]
    for folder in run.iterations():
        proved = {row["theorem"] for row in read_jsonl(folder / "proofs.jsonl")}
        steps = read_steps(folder / "trajectories.parquet", columns=columns).to_pydict()
        for theorem, energy, on_path, outcome in zip(*(steps[c] for c in columns), strict=True):
            if energy is not None and energy == energy and outcome == "ok" and theorem in proved:
                energies[bool(on_path)].append(energy)
    if not energies:
        empty_note(axes, "No state was scored: heads are used in search from iteration 1 on.")
        return figure, []
    values = [value for group in energies.values() for value in group]
    low, high = min(values), max(values)
    width = (high - low) / 40 or 1.0
    edges = [low + width * i for i in range(41)]
    rows: Rows = []
    for on_path, name, colour, hatch in (
        (True, "on the proof path", COLOURS[0], ""),
        (False, "off the path", COLOURS[4], "//"),
    ):
        if energies[on_path]:
            label = f"{name} ({len(energies[on_path])} states)"
            style: dict[str, Any] = {"alpha": 0.5, "color": colour, "hatch": hatch, "edgecolor": colour}
            counts, _, _ = axes.hist(
                energies[on_path], bins=edges, density=True, histtype="stepfilled", label=label, **style
            )
            rows += [
                {"states": name, "energy_from": round(edges[i], 6), "density": round(float(count), 6)}
                for i, count in enumerate(counts)
            ]
    axes.set_xlabel("energy (low = more provable)")
    axes.set_ylabel("density")
    axes.set_title("Energies of reached states, theorems with a re-checked proof")
    legend_below(axes)
    return figure, rows


def embedding_health(run: Run) -> tuple[Figure, Rows]:
    """Whether the embeddings tell states apart, iteration by iteration; a collapse shows as a fall to 0."""
    heads = list(run.heads())
    if not heads:
        return _without_head()
    figure, panels = new_panels(len(HEALTH), height=5.0, columns=2)
    rows: Rows = [
        {"model": model_name(label), **{key: metrics.get(key) for key in HEALTH}} for label, _, metrics in heads
    ]
    names = [row["model"].replace("iteration", "it." if len(rows) > 3 else "iteration") for row in rows]
    for number, (axes, (key, title)) in enumerate(zip(panels, HEALTH.items(), strict=True)):
        points = [(place, row[key]) for place, row in enumerate(rows) if row[key] is not None]
        if points:
            axes.plot(*zip(*points, strict=True), marker=MARKERS[number], color=COLOURS[0])
        axes.set_title(title, fontsize=9)
        axes.set_xticks(range(len(names)), names)
        axes.set_xlim(-0.5, len(names) - 0.5)
        axes.set_ylim(bottom=0)
    panels[1].set_ylim(0, 1)
    panels[1].axhline(0.5, color="black", linewidth=0.8, linestyle=":")
    return figure, rows
