"""Figures of what training and search did inside: losses, diversity, time and cost."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from burnqed.files import UserError, read_json, read_jsonl
from burnqed.jobs.progress import PROGRESS
from burnqed.report.registry import Rows, figure
from burnqed.report.run import Run
from burnqed.report.style import (
    COLOURS,
    HATCHES,
    empty_note,
    legend_below,
    new_figure,
    new_panels,
    plain_numbers,
    tick_names,
)
from burnqed.report.summary import model_name
from burnqed.training.speed import steps_path

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEDGER = ("jobs", "wall_seconds", "cpu_seconds", "gpu_seconds", "estimated_cost")
PARTS = ("policy", "lean", "value", "engine")
PART_NAMES = {"policy": "policy", "lean": "prover", "value": "energy head", "engine": "search engine, waiting"}
SPEEDS = {
    "lr": "learning rate",
    "tokens_per_second": "tokens per second",
    "memory_gb": "peak memory (GiB)",
    "mfu": "model FLOPs utilisation (%)",
}
OUTCOMES = ("proved", "ok", "duplicate", "error", "timeout", "crash")


@figure(
    "Search",
    "Where the time of a search goes: policy, prover, energy head, the rest.",
)
def time_split(run: Run) -> tuple[Figure, Rows]:
    """Where the wall time of each evaluation's theorems went: policy, Lean, value, engine."""
    figure, axes = new_figure()
    rows: Rows = []
    for model in run.models:
        split = run.sidecar(run.eval_path(model)).get("timing", {}).get("split", {})
        if split:
            rows.append(
                {
                    "model": model["label"],
                    "variant": model["variant"],
                    **{part: round(split.get(part, 0.0), 3) for part in PARTS},
                }
            )
    if not rows:
        empty_note(axes, "No times were stored with the evaluations.")
        return figure, rows
    named = [{**row, "model": model_name(row["model"])} for row in rows]
    left = [0.0] * len(rows)
    totals = [sum(row[part] for part in PARTS) or 1.0 for row in rows]
    for number, part in enumerate(PARTS):
        shares = [100 * row[part] / total for row, total in zip(rows, totals, strict=True)]
        style: dict[str, Any] = {"color": COLOURS[number], "hatch": HATCHES[number], "edgecolor": "white"}
        axes.barh(range(len(rows)), shares, left=left, label=PART_NAMES[part], **style)
        left = [a + b for a, b in zip(left, shares, strict=True)]
    axes.set_yticks(
        range(len(rows)), [name.replace("\n", " ") if len(rows) > 4 else name for name in tick_names(named)]
    )
    axes.invert_yaxis()
    axes.set_xlabel("share of the time theorems were in flight (%)")
    axes.set_title("Where search time goes")
    legend_below(axes, columns=4)
    return figure, rows


@figure(
    "Search",
    "How many different tactics the policy proposes per state, and how the prover receives them.",
)
def candidate_diversity(run: Run) -> tuple[Figure, Rows]:
    """Different tactics per expansion, and what became of the tactics tried."""
    from burnqed.records.trajectories import read_steps

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
    named = [{**row, "model": model_name(row["model"])} for row in rows]
    bottom = [0.0] * len(rows)
    for number, outcome in enumerate(OUTCOMES):
        shares = [100 * row[outcome] for row in rows]
        style: dict[str, Any] = {
            "color": COLOURS[number],
            "hatch": HATCHES[number % len(HATCHES)],
            "edgecolor": "white",
        }
        axes.bar(range(len(rows)), shares, bottom=bottom, label=outcome, **style)
        bottom = [a + b for a, b in zip(bottom, shares, strict=True)]
    for number, row in enumerate(rows):
        axes.annotate(f"{row['unique_mean']:.1f}", (number, 101), ha="center", va="bottom", fontsize=9)
    axes.set_xticks(range(len(rows)), tick_names(named))
    axes.set_ylim(0, 110)
    axes.set_yticks(range(0, 101, 20))
    axes.set_ylabel("tactics tried (%)")
    axes.set_title("Outcome of the tactics tried\n(above each bar: different tactics per expansion, mean)")
    legend_below(axes, columns=6)
    return figure, rows


def _trained(run: Run) -> list[tuple[str, Path]]:
    """Return name and artefact of each training of a language model: the base model's, then the adapters'."""
    adapters = [(model_name(folder.name), folder / "adapter") for folder in run.iterations()]
    return [("base", run.results / "base" / "model"), *adapters]


@figure(
    "Training",
    "Training and validation loss of the base model (when it is trained here) and of each adapter, on one "
    "scale; from iteration 1 on also the loss on proof steps of held-out theorems.",
)
def training_curves(run: Run) -> tuple[Figure, Rows]:
    """Training and validation loss of each adapter, and of the base model when it was trained here."""
    sources = [(name, artifact / "history.jsonl") for name, artifact in _trained(run)]
    present = [(name, list(read_jsonl(path))) for name, path in sources if path.exists()]
    if not present:
        figure, axes = new_figure()
        empty_note(axes, "No training history in this run.")
        return figure, []
    figure, panels = new_panels(len(present), height=2.0 + 2.0 * -(-len(present) // 3), columns=min(3, len(present)))
    rows: Rows = []
    for axes, (name, history) in zip(panels, present, strict=True):
        for key, label, colour, style in (
            ("loss", "training", COLOURS[0], "-"),
            ("val_loss", "validation", COLOURS[4], "o--"),
            ("trajectory_loss", "held-out proof steps", COLOURS[2], "s:"),
        ):
            points = [(row["step"], row[key]) for row in history if row.get(key) is not None]
            rows += [{"model": name, "curve": key, "step": step, "value": value} for step, value in points]
            if points:
                axes.plot(*zip(*points, strict=True), style, color=colour, linewidth=1, markersize=4, label=label)
        axes.set_title(name)
        axes.set_yscale("log")
        plain_numbers(axes.yaxis)
        axes.set_xlabel("optimiser step")
    # One scale for all: the last panel's loss is read against the first one's.
    ends = [end for axes in panels for end in axes.get_ylim()]
    for axes in panels:
        axes.set_ylim(min(ends), max(ends))
    panels[0].set_ylabel("loss per tactic token (nats)")
    legend_below(max(panels, key=lambda axes: len(axes.lines)), columns=3)
    return figure, rows


@figure(
    "Training",
    "Learning rate, tokens per second, peak memory and share of the GPU's peak rate (4 operations per "
    "weight and token; where the peak is known) of each training, from its step log.",
)
def training_speed(run: Run) -> tuple[Figure, Rows]:
    """Learning rate, tokens per second, memory and share of the GPU's peak over the steps of each training."""
    sources = [(name, steps_path(artifact)) for name, artifact in _trained(run)]
    present = [(name, list(read_jsonl(path))) for name, path in sources if path.exists()]
    if not any(log for _, log in present):
        figure, axes = new_figure()
        empty_note(axes, "No step log in this run: it stands beside the adapter as adapter.steps.jsonl.")
        return figure, []
    figure, panels = new_panels(len(SPEEDS), width=7.2, height=5.4, columns=2)
    rows: Rows = []
    for axes, (key, label) in zip(panels, SPEEDS.items(), strict=True):
        for number, (name, log) in enumerate(present):
            points = [(row["step"], row[key]) for row in log if row.get(key) is not None]
            rows += [{"model": name, "curve": key, "step": step, "value": value} for step, value in points]
            if points:
                steps, values = zip(*points, strict=True)
                shown = [100 * value for value in values] if key == "mfu" else values
                axes.plot(steps, shown, color=COLOURS[number % len(COLOURS)], linewidth=1, label=name)
        axes.set_title(label)
        if axes.lines:
            axes.set_ylim(bottom=0)
            axes.set_xlabel("optimiser step")
        else:
            empty_note(axes, "not known: no GPU whose\npeak rate is known")
    legend_below(panels[0], columns=5)
    return figure, rows


def _stage(results: Path, artifact: Path) -> str:
    """Return the stage an artefact belongs to, from its place in the results folder."""
    parts = artifact.relative_to(results).parts
    place = parts[0] if parts[0] in ("data", "base", "baseline") or parts[0].startswith("iter_") else "report"
    if len(parts) == 1 or place in ("data", "base", "report"):
        return place
    return f"{place} {parts[1].split('.')[0]}"


def ledger(results: Path) -> Rows:
    """Return one row per stage from the sidecars: jobs, wall, CPU and GPU hours, and estimated cost.

    A job writes the same sidecar beside each of its outputs; it is counted once. Raises UserError
    naming a sidecar that is damaged.
    """
    seen: set[tuple[object, ...]] = set()
    stages: dict[str, dict[str, float]] = defaultdict(lambda: dict.fromkeys(LEDGER, 0.0))
    for path in sorted(results.rglob("*.meta.json")):
        if PROGRESS in path.parts or path.relative_to(results).parts[0] in ("figures", "tables"):
            continue
        meta = read_json(path)
        try:
            stage = _stage(results, path.with_name(path.name.removesuffix(".meta.json")))
            job = (stage, meta["wall_seconds"], meta["cpu_seconds"])
            amounts = {"jobs": 1.0, **{key: float(meta[key]) for key in LEDGER if key != "jobs"}}
        except (KeyError, TypeError, ValueError) as error:
            raise UserError(f"{path}: not a sidecar ({error!r}); delete it and its artefact, and run again") from error
        if job not in seen:
            seen.add(job)
            for key, amount in amounts.items():
                stages[stage][key] += amount
    return [{"stage": stage, **{key: round(value, 4) for key, value in row.items()}} for stage, row in stages.items()]


@figure(
    "Cost",
    "Time and estimated cost of each stage, at the price per GPU hour in the configuration.",
)
def cost(run: Run) -> tuple[Figure, Rows]:
    """Wall time and estimated cost per stage, from the sidecars."""
    rows = [row for row in ledger(run.results) if row["stage"] != "report"]
    figure, axes = new_figure(height=1.6 + 0.22 * max(4, len(rows)))
    if not rows:
        empty_note(axes, "No sidecars in this run.")
        return figure, rows
    minutes = [row["wall_seconds"] / 60 for row in rows]
    bars = axes.barh([row["stage"] for row in rows], minutes, color=COLOURS[0])
    priced = any(row["estimated_cost"] for row in rows)
    axes.bar_label(
        bars,
        [
            f"{m:.1f}" + (f" ({row['estimated_cost']:.2f} $)" if priced else "")
            for m, row in zip(minutes, rows, strict=True)
        ],
        padding=3,
        fontsize=8,
    )
    axes.margins(x=0.12)
    axes.invert_yaxis()
    axes.set_xlabel("wall time of the jobs (minutes)")
    price = f", about {sum(row['estimated_cost'] for row in rows):.2f} US dollars" if priced else ""
    axes.set_title(f"Time by stage: {sum(minutes):.1f} job minutes{price}")
    return figure, rows
