"""Figures of the energy head: its training, its energies, and the embeddings it works on."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from burnqed.files import read_jsonl
from burnqed.report.registry import Rows, figure
from burnqed.report.run import Run
from burnqed.report.style import (
    COLOURS,
    MARKERS,
    empty_note,
    legend_below,
    new_figure,
    new_panels,
    plain_numbers,
    whole_numbers,
)
from burnqed.report.summary import model_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SMALLEST_MAP = 10  # states
INTERVALS = "95 % intervals over theorems; no bar: too few theorems"
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


@figure(
    "Training",
    "Contrastive loss of each energy head and its rank-1 accuracy on held-out theorems; dotted: chance.",
)
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


@figure(
    "Energy head",
    "Energies of states on proof paths and off them; low energy means more provable.",
)
def energy_histogram(run: Run) -> tuple[Figure, Rows]:
    """Energies of states reached in search, on and off the path of a re-checked proof."""
    from burnqed.records.trajectories import read_steps

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


@figure(
    "Energy head",
    "Whether the embeddings tell states apart, by iteration: distance of the means of states on and off "
    "proof paths, a linear probe, effective dimension, norm. A collapse shows as a fall to 0.",
)
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


def _error_bars(values: Sequence[float], intervals: Sequence[Sequence[float] | None]) -> list[list[float]]:
    """Return the lengths of error bars down and up, nan (not drawn) where there is no interval."""
    ends = [interval or (math.nan, math.nan) for interval in intervals]
    down = [
        math.nan if math.isnan(low) else max(0.0, value - low) for value, (low, _) in zip(values, ends, strict=True)
    ]
    up = [
        math.nan if math.isnan(high) else max(0.0, high - value) for value, (_, high) in zip(values, ends, strict=True)
    ]
    return [down, up]


def _ends(interval: Sequence[float] | None) -> dict[str, Any]:
    """Return the columns of an interval, empty when there is none."""
    low, high = interval or ("", "")
    return {"low": low, "high": high}


@figure(
    "Energy head",
    "How often the head puts a provable state first, on held-out theorems: by depth, over all negatives "
    "of a group, and among siblings only, which is what a search has to choose between. Bars: 95 % "
    "intervals over theorems; black: chance.",
)
def head_rank1(run: Run) -> tuple[Figure, Rows]:
    """Held-out rank-1 accuracy of each head by depth, over all negatives, and among siblings only, beside chance."""
    heads = list(run.heads())
    if not heads:
        return _without_head()
    figure, (by_depth, overall) = new_panels(2, width=7.2, height=4.2, columns=2)
    rows: Rows = []
    for number, (label, _, metrics) in enumerate(heads):
        name, colour, marker = model_name(label), COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
        offset = 0.12 * (number - (len(heads) - 1) / 2)
        depths = sorted((int(depth), row) for depth, row in metrics.get("rank1_by_depth", {}).items())
        groups = [(f"depth {depth}", row["rank1"], row["ci95"], row["chance"], row["groups"]) for depth, row in depths]
        both = [
            ("all negatives", "rank1", "groups", "chance"),
            ("siblings", "sibling_rank1", "sibling_groups", "sibling_chance"),
        ]
        found: Mapping[str, Any] = metrics
        for title, key, count, chance in both:
            if found.get(key) is not None:
                groups.append((title, found[key], found.get(f"{key}_ci95"), found[chance], found[count]))
        rows += [
            {"model": name, "group": g, "rank1": v, **_ends(interval), "chance": c, "groups": n}
            for g, v, interval, c, n in groups
        ]
        for axes, shown in ((by_depth, groups[: len(depths)]), (overall, groups[len(depths) :])):
            xs = [depth for depth, _ in depths] if axes is by_depth else range(len(shown))
            places = [x + offset for x in xs]
            values = [group[1] for group in shown]
            bars = _error_bars(values, [group[2] for group in shown])
            axes.errorbar(places, values, yerr=bars, fmt=marker, color=colour, capsize=3, label=name)
            chances = [group[3] for group in shown]
            axes.scatter(places, chances, marker="_", s=120, color="black", label="chance" if number == 0 else None)
    by_depth.set_xlabel("depth of the state")
    by_depth.set_title("by depth\n(no bar: too few theorems)")
    by_depth.set_ylabel("rank-1 accuracy, held out")
    overall.set_title("all negatives,\nand siblings only")
    overall.set_xticks(range(2), ["all negatives", "siblings"])
    overall.set_xlim(-0.5, 1.5)
    for axes in (by_depth, overall):
        axes.set_ylim(0, 1.05)
    whole_numbers(by_depth.xaxis)
    legend_below(by_depth, columns=4)
    return figure, rows


@figure(
    "Energy head",
    "Mean energy of held-out states on proof paths by the steps left in the proof; dotted: states off the path.",
)
def energy_calibration(run: Run) -> tuple[Figure, Rows]:
    """Mean energy of held-out states by the steps left in their proof; a useful energy rises with them."""
    heads = [(label, metrics) for label, _, metrics in run.heads() if metrics.get("calibration")]
    if not heads:
        return _without_head()
    figure, axes = new_figure()
    rows: Rows = []
    for number, (label, metrics) in enumerate(heads):
        name, colour = model_name(label), COLOURS[number % len(COLOURS)]
        points = sorted((int(steps), row) for steps, row in metrics["calibration"].items())
        values = [row["energy"] for _, row in points]
        correlation = metrics.get("calibration_spearman")
        text = name if correlation is None else f"{name} (rank correlation {correlation:+.2f})"
        axes.errorbar(
            [steps for steps, _ in points],
            values,
            yerr=_error_bars(values, [row["ci95"] for _, row in points]),
            marker=MARKERS[number % len(MARKERS)],
            color=colour,
            capsize=3,
            label=text,
        )
        rows += [
            {
                "model": name,
                "remaining_steps": steps,
                "energy": row["energy"],
                **_ends(row["ci95"]),
                "states": row["states"],
                "theorems": row.get("theorems", ""),
            }
            for steps, row in points
        ]
        negative = metrics.get("negative_energy")
        if negative is not None:
            axes.axhline(negative, color=colour, linestyle=":", label=f"{name}, states off the path")
            rows.append(
                {
                    "model": name,
                    "remaining_steps": "off the path",
                    "energy": negative,
                    "low": "",
                    "high": "",
                    "states": "",
                    "theorems": "",
                }
            )
    whole_numbers(axes.xaxis)
    axes.set_xlabel("steps left to the end of the proof")
    axes.set_ylabel("mean energy (low = more provable)")
    axes.set_title(f"Energy of held-out states by remaining steps\n({INTERVALS})")
    legend_below(axes)
    return figure, rows


@figure(
    "Energy head",
    "Share of the embeddings' variance along each principal component.",
)
def variance_spectrum(run: Run) -> tuple[Figure, Rows]:
    """Share of the embeddings' variance along each principal component; a collapse is a steep fall."""
    heads = [(label, metrics) for label, _, metrics in run.heads() if metrics.get("variance_spectrum")]
    if not heads:
        return _without_head()
    figure, axes = new_figure()
    rows: Rows = []
    for number, (label, metrics) in enumerate(heads):
        shares = [share for share in metrics["variance_spectrum"] if share > 0]
        name = model_name(label)
        text = f"{name} (effective dimension {metrics['effective_dimension']:.1f})"
        components = range(1, len(shares) + 1)
        axes.plot(
            components, shares, marker=MARKERS[number % len(MARKERS)], ms=3, color=COLOURS[number % 8], label=text
        )
        rows += [{"model": name, "component": at, "share": share} for at, share in zip(components, shares, strict=True)]
    axes.set_xscale("log")
    axes.set_yscale("log")
    plain_numbers(axes.xaxis)
    plain_numbers(axes.yaxis)
    axes.set_xlabel("principal component")
    axes.set_ylabel("share of the variance")
    axes.set_title("Variance spectrum of the embeddings")
    legend_below(axes)
    return figure, rows


@figure(
    "Energy head",
    "States of the newest head's training by principal components and by t-SNE of their embeddings, "
    "coloured by label and by depth.",
)
def embedding_map(run: Run) -> tuple[Figure, Rows]:
    """States of the newest head's training by PCA and t-SNE of their embeddings, coloured by label and depth."""
    import numpy as np

    from burnqed.value.state_map import read_map

    folders = [(label, folder) for label, folder, _ in run.heads() if (folder / "map.parquet").exists()]
    if not folders:
        return _without_head()
    label, folder = folders[-1]
    found = read_map(folder / "map.parquet")
    if len(found.components) < SMALLEST_MAP:
        figure, axes = new_figure()
        empty_note(axes, f"Too few states for a map: {len(found.components)}.")
        return figure, []
    from sklearn.manifold import TSNE

    # Van der Maaten and Hinton 2008, "Visualizing Data using t-SNE"; perplexity below a third of the states.
    perplexity = min(30.0, (len(found.components) - 1) / 3)
    tsne = TSNE(perplexity=perplexity, init="pca", random_state=0, n_jobs=1).fit_transform(found.components)
    figure, panels = new_panels(4, width=7.6, height=7.2, columns=2)
    for axes, points, title in zip(
        panels, (found.components, found.components, tsne, tsne), ("PCA", "PCA", "t-SNE", "t-SNE"), strict=True
    ):
        axes.set_title(title)
        axes.set_xticks([])
        axes.set_yticks([])
        axes.grid(False)
        if axes in panels[::2]:
            for provable, text, colour, marker in (
                (False, "off the path", COLOURS[4], "x"),
                (True, "provable", COLOURS[0], "o"),
            ):
                at = found.provable == provable
                axes.scatter(points[at, 0], points[at, 1], s=9, linewidths=0.6, color=colour, marker=marker, label=text)
        else:
            drawn = axes.scatter(points[:, 0], points[:, 1], s=9, c=found.depth, cmap="viridis")
            bar = figure.colorbar(drawn, ax=axes, label="depth")
            whole_numbers(bar.ax.yaxis)
    legend_below(panels[0])
    count = f"{int(found.provable.sum())} provable states and {int((~found.provable).sum())} off the path"
    figure.suptitle(f"Embeddings of {model_name(label)}: {count}", fontsize=11)
    both = np.round(np.column_stack([found.components[:, :2], tsne]), 4)
    rows: Rows = [
        {"provable": bool(p), "depth": int(d), "pca_1": a, "pca_2": b, "tsne_1": c, "tsne_2": e}
        for p, d, (a, b, c, e) in zip(found.provable, found.depth, both.tolist(), strict=True)
    ]
    return figure, rows
