"""Figures of what training and search did inside: losses, energies, diversity, time and cost."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from burnqed.artifacts import PROGRESS, read_json, read_jsonl
from burnqed.report.run import Run
from burnqed.report.style import COLOURS, VARIANT_NAMES, empty_note, new_figure
from burnqed.report.summary import model_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Rows = list[dict[str, Any]]
PARTS = ("policy", "lean", "value", "engine")
OUTCOMES = ("proved", "ok", "duplicate", "error", "timeout", "crash")


def time_split(run: Run) -> tuple[Figure, Rows]:
    """Where the wall time of each evaluation's theorems went: policy, Lean, value, engine."""
    figure, axes = new_figure()
    rows: Rows = []
    for model in run.models:
        split = run.sidecar(run.eval_path(model)).get("timing", {}).get("split", {})
        if split:
            rows.append({"model": model["label"], "variant": model["variant"], **{part: round(split.get(part, 0.0), 3) for part in PARTS}})
    if not rows:
        empty_note(axes, "No times were stored with the evaluations.")
        return figure, rows
    names = [f"{model_name(row['model'])}\n{VARIANT_NAMES[row['variant']]}" for row in rows]
    left = [0.0] * len(rows)
    totals = [sum(row[part] for part in PARTS) or 1.0 for row in rows]
    for number, part in enumerate(PARTS):
        shares = [100 * row[part] / total for row, total in zip(rows, totals, strict=True)]
        axes.barh(names, shares, left=left, color=COLOURS[number], label=part, edgecolor="white")
        left = [a + b for a, b in zip(left, shares, strict=True)]
    axes.invert_yaxis()
    axes.set_xlabel("share of the time theorems were in flight (%)")
    axes.set_title("Where search time goes")
    axes.legend(ncols=4, fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.15))
    return figure, rows


def candidate_diversity(run: Run) -> tuple[Figure, Rows]:
    """Different tactics per expansion, and what became of the tactics tried."""
    from burnqed.search.trajectories import read_steps

    figure, axes = new_figure()
    rows: Rows = []
    for model in run.models:
        path = run.eval_path(model).with_suffix(".parquet")
        steps = read_steps(path, columns=["theorem", "attempt", "expansion", "outcome"]).to_pydict()
        unique = Counter(zip(steps["theorem"], steps["attempt"], steps["expansion"], strict=True))
        outcomes = Counter(steps["outcome"])
        total = sum(outcomes.values()) or 1
        rows.append(
            {
                "model": model["label"],
                "variant": model["variant"],
                "unique_min": min(unique.values(), default=0),
                "unique_mean": round(sum(unique.values()) / max(1, len(unique)), 3),
                "unique_max": max(unique.values(), default=0),
                **{name: round(outcomes[name] / total, 6) for name in OUTCOMES},
            }
        )
    names = [f"{model_name(row['model'])}\n{VARIANT_NAMES[row['variant']]}\n{row['unique_mean']:.1f} per expansion" for row in rows]
    bottom = [0.0] * len(rows)
    for number, outcome in enumerate(OUTCOMES):
        shares = [100 * row[outcome] for row in rows]
        axes.bar(names, shares, bottom=bottom, color=COLOURS[number], edgecolor="white", label=outcome)
        bottom = [a + b for a, b in zip(bottom, shares, strict=True)]
    axes.set_ylabel("tactics tried (%)")
    axes.set_title("Outcome of the tactics tried, and different tactics per expansion")
    axes.legend(fontsize=8, ncols=1, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure, rows


def training_curves(run: Run) -> tuple[Figure, Rows]:
    """Training and validation loss of each adapter, and of the base model when it was trained here."""
    figure, axes = new_figure()
    rows: Rows = []
    sources = [("base", run.results / "base" / "model" / "history.jsonl")]
    sources += [(folder.name, folder / "adapter" / "history.jsonl") for folder in run.iterations()]
    for number, (label, path) in enumerate((label, path) for label, path in sources if path.exists()):
        history = list(read_jsonl(path))
        name = "base" if label == "base" else model_name(label)
        for key, style in (("loss", "-"), ("val_loss", "o--")):
            points = [(row["step"], row[key]) for row in history if row.get(key) is not None]
            rows += [{"model": name, "curve": key, "step": step, "value": value} for step, value in points]
            if points:
                axes.plot(*zip(*points, strict=True), style, color=COLOURS[number], linewidth=1, markersize=4, label=f"{name}, {key.replace('_', ' ')}")
    if not rows:
        empty_note(axes, "No training history in this run.")
        return figure, rows
    axes.set_xlabel("optimiser step")
    axes.set_ylabel("cross-entropy per tactic token (nats)")
    axes.set_yscale("log")
    axes.set_title("Training of the policy")
    axes.legend(fontsize=8)
    return figure, rows


def energy_histogram(run: Run) -> tuple[Figure, Rows]:
    """Energies of states reached in search, on and off the path of a re-checked proof."""
    from burnqed.search.trajectories import read_steps

    figure, axes = new_figure()
    energies: dict[bool, list[float]] = defaultdict(list)
    for folder in run.iterations():
        proved = {row["theorem"] for row in read_jsonl(folder / "proofs.jsonl")}
        steps = read_steps(folder / "trajectories.parquet", columns=["theorem", "energy", "on_proof_path", "outcome"]).to_pydict()
        for theorem, energy, on_path, outcome in zip(*(steps[c] for c in ("theorem", "energy", "on_proof_path", "outcome")), strict=True):
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
    for on_path, name, colour in ((True, "on the proof path", COLOURS[2]), (False, "off the path", COLOURS[4])):
        if energies[on_path]:
            counts, _, _ = axes.hist(energies[on_path], bins=edges, density=True, histtype="stepfilled", alpha=0.5, color=colour, label=f"{name} ({len(energies[on_path])})")
            rows += [{"states": name, "energy_from": round(edges[i], 6), "density": round(float(c), 6)} for i, c in enumerate(counts)]
    axes.set_xlabel("energy (low = more provable)")
    axes.set_ylabel("density")
    axes.set_title("Energies of reached states, theorems with a re-checked proof")
    axes.legend()
    return figure, rows


def _stage(results: Path, artifact: Path) -> str:
    """Return the stage an artefact belongs to, from its place in the results folder."""
    parts = artifact.relative_to(results).parts
    place = parts[0] if parts[0] in ("data", "base", "baseline") or parts[0].startswith("iter_") else "report"
    if len(parts) == 1 or place in ("data", "base", "report"):
        return place
    return f"{place} {parts[1].split('.')[0]}"


def cost(run: Run) -> tuple[Figure, Rows]:
    """Wall time and estimated cost per stage, from the sidecars."""
    figure, axes = new_figure(height=5.0)
    seen: set[tuple[object, ...]] = set()
    seconds: dict[str, float] = defaultdict(float)
    dollars: dict[str, float] = defaultdict(float)
    for path in sorted(run.results.rglob("*.meta.json")):
        if PROGRESS in path.parts or "figures" in path.parts or "tables" in path.parts:
            continue
        meta = read_json(path)
        stage = _stage(run.results, path.with_name(path.name.removesuffix(".meta.json")))
        job = (stage, meta["wall_seconds"], meta["cpu_seconds"])  # one job writes a sidecar per output
        if job in seen:
            continue
        seen.add(job)
        seconds[stage] += meta["wall_seconds"]
        dollars[stage] += meta["estimated_cost"]
    rows: Rows = [{"stage": stage, "wall_seconds": round(seconds[stage], 1), "estimated_cost": round(dollars[stage], 4)} for stage in seconds]
    if not rows:
        empty_note(axes, "No sidecars in this run.")
        return figure, rows
    axes.barh([row["stage"] for row in rows], [row["wall_seconds"] / 60 for row in rows], color=COLOURS[0])
    axes.invert_yaxis()
    axes.set_xlabel("wall time of the jobs (minutes)")
    total = sum(seconds.values())
    price = f", estimated {sum(dollars.values()):.2f} US dollars" if any(dollars.values()) else ""
    axes.set_title(f"Time by stage: {total / 60:.1f} job minutes{price}")
    return figure, rows
