"""`burnqed estimate`: hours and cost of a run before it is started, with ranges.

The jobs are those of the plan, each with its own amount of work (commands/costs.py). Speeds are those of a finished run or
trial where one is given, else those measured with a 7B model on one H200, scaled to the GPU (commands/speeds.py). A rule
that has run in this results folder is taken to last as long as it did (Snakemake's benchmark files).
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from burnqed.commands.costs import ON_GPU, Costs, describe
from burnqed.commands.speeds import HELP, Measured, Speeds, read_measured, scenarios
from burnqed.config import Config, load_config
from burnqed.experiments.runs import plan_of
from burnqed.files import UserError
from burnqed.plan import Job, Plan
from burnqed.words import counted

# Jobs that last as long in a trial as in a large run.
SAME_EVERYWHERE = frozenset(["plot_figure", "plot_data", "write_table", "render_report", "check_gate", "summarize"])
Case = tuple[float, float, float]  # cheap, likely, dear


@dataclass(frozen=True)
class Line:
    """One rule of the estimate: hours of all its jobs together in the three cases, on ``gpus`` GPUs each."""

    rule: str
    jobs: int
    hours: Case
    gpus: int
    source: str = ""


@dataclass(frozen=True)
class Estimate:
    """What a run will take on machines of one GPU; ``work`` is the likely case in words."""

    lines: list[Line]
    unknown: dict[str, int]  # rules that nothing is known of, with their jobs
    work: str
    measured: list[str]  # units of speed that were measured
    notes: list[str]

    @property
    def hours(self) -> Case:
        """Hours of one machine with one GPU, one job after another."""
        return _sum(line.hours for line in self.lines)

    @property
    def gpu_hours(self) -> Case:
        """Those of the jobs that use the GPU."""
        return _sum(line.hours for line in self.lines if line.gpus)


def _sum(cases: Iterable[Case]) -> Case:
    rows = list(cases)
    return sum(r[0] for r in rows), sum(r[1] for r in rows), sum(r[2] for r in rows)


def merged(files: Sequence[Path]) -> dict[str, Any]:
    """Return some configuration files laid over one another, block by block; raise UserError when one is no YAML."""
    values: dict[str, Any] = {}
    for path in files:
        try:
            given = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        except (OSError, yaml.YAMLError) as error:
            raise UserError(f"{path}: not readable as YAML ({error})") from None
        values = lay(values, given)
    return values


def lay(values: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """Return a configuration with another one over it, block by block."""
    found = dict(values)
    for name, value in over.items():
        old = found.get(name)
        found[name] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
    return found


def read_settings(files: Sequence[Path], hardware: str) -> Config:
    """Return the configuration of some files laid over one another; raise UserError when one is wrong."""
    values = merged(files)
    if hardware:
        values["hardware"] = hardware
    return load_config(values)


def planned_jobs(text: str) -> dict[str, int]:
    """Return the jobs per rule of a dry run's table; raise UserError when there is none."""
    counts: dict[str, int] = {}
    inside = False
    for line in text.splitlines():
        words = line.split()
        if words == ["job", "count"]:
            inside, counts = True, {}
        elif inside and len(words) == 2 and words[1].isdecimal():
            counts[words[0]] = int(words[1])
        elif inside and not line.startswith("-"):
            inside = False
    if not counts and "Nothing to be done" not in text:
        raise UserError("no table of jobs found: give the output of `snakemake TARGET -n --quiet rules`")
    counts.pop("total", None)
    return counts


def estimate(
    cfg: Config,
    results: Path,
    *,
    jobs: Mapping[str, int] | None = None,
    targets: Sequence[str] = ("all",),
    files: Collection[str] = (),
    measured: Measured | None = None,
    given: Mapping[str, float] | None = None,
) -> Estimate:
    """Return what some targets will take, or so many ``jobs`` of each rule: those that make ``files``, where given.

    ``results`` is the run's folder: what is there counts. Raises UserError for a target that the configuration does not
    have, and for a machine of which no speed is known.
    """
    plan = plan_of(cfg)
    whole = [job for job in plan.jobs if any(path in files for path in job.outputs)] if files else plan.needed(targets)
    counts = Counter(job.rule for job in whole) if jobs is None else jobs
    known = _own_times(results, measured)
    cases = [Costs(plan, results, Speeds(cfg, case, i, known)) for i, case in enumerate(scenarios(given or {}))]
    lines, unknown = [], {}
    for rule, count in counts.items():
        own = [job for job in whole if job.rule == rule] or [job for job in plan.jobs if job.rule == rule]
        hours = [_hours(costs, own, count) for costs in cases]
        if not own or None in hours:
            unknown[rule] = count
            continue
        cheap, likely, dear = sorted(hour for hour in hours if hour is not None)
        lines.append(Line(rule, count, (cheap, likely, dear), int(rule in ON_GPU), _source(rule, plan, known)))
    used = sorted({unit for costs in cases for unit in costs.speeds.used})
    ordered = sorted(lines, key=lambda line: (-line.gpus, -line.hours[1]))
    work = describe(cases[1].amounts) if jobs is None else ""
    return Estimate(ordered, unknown, work, used, known.notes)


def _hours(costs: Costs, own: Sequence[Job], count: int) -> float | None:
    """Return the hours of ``count`` jobs like some of the plan's: each of them, or their mean so many times."""
    seconds = [costs.seconds(job) for job in own]
    found = [value for value in seconds if value is not None]
    return sum(found) / len(found) * count / 3600 if found and len(found) == len(own) else None


def _own_times(results: Path, measured: Measured | None) -> Measured:
    """Return what was measured, with the times of the jobs that have run in this folder, and of small ones in a trial."""
    found = Measured() if measured is None else measured
    if measured is not None:
        for rule, values in benchmarks(Path(measured.folder)).items():
            if rule in SAME_EVERYWHERE:
                found.values[f"job_{rule}"] = values
    for rule, values in benchmarks(results).items():
        found.values[f"job_{rule}"] = values
    return found


def benchmarks(results: Path) -> dict[str, list[float]]:
    """Return the seconds of each finished job by rule, from Snakemake's benchmark files."""
    found: dict[str, list[float]] = {}
    for path in sorted((results / "benchmarks").rglob("*.tsv")):
        rule = path.relative_to(results / "benchmarks").parts[0].removesuffix(".tsv")
        with path.open(encoding="utf-8") as stream:
            for row in csv.DictReader(stream, delimiter="\t"):
                try:
                    found.setdefault(rule, []).append(float(row["s"]))
                except (KeyError, TypeError, ValueError):
                    continue  # a job too short to be measured
    return {rule: values for rule, values in found.items() if values}


def _source(rule: str, plan: Plan, known: Measured) -> str:
    """Return what a line rests on, in a few words."""
    done, cfg = known.values.get(f"job_{rule}"), plan.cfg
    if done:
        return f"{counted(len(done), 'job')} measured"
    if rule == "search_shard":
        theorems = f"{cfg.search.max_theorems:,}" if cfg.search.max_theorems else "all"
        return f"{theorems} theorems a round, up to {cfg.search.expansions} expansions"
    if rule == "evaluate":
        return f"up to {max(cfg.evaluation.budgets)} expansions"
    if rule == "encode_states":
        return "states with a label" if cfg.ebm.states_needed == "labelled" else "all states"
    return ""


def render(found: Estimate, cfg: Config, given: Mapping[str, float], parallel: int, measured: str = "") -> str:
    """Return the estimate as text: a table, its total and what it rests on."""
    price = cfg.machine.price_per_hour
    rows = [f"{'rule':<20}{'jobs':>6}{'hours':>9}{'range':>19}{'US$':>9}  "]
    for line in found.lines:
        if line.gpus:
            rows.append(_row(line.rule, line.jobs, line.hours, price) + line.source)
    without = [line for line in found.lines if not line.gpus]
    if without:
        count, hours = sum(line.jobs for line in without), _sum(line.hours for line in without)
        rows.append(_row("without the GPU", count, hours, price) + "the rented machine costs as much meanwhile")
    rows.append(_row("total", sum(line.jobs for line in found.lines), found.hours, price))
    rows.append("")
    low, likely, high = (hours * price for hours in found.hours)
    rows.append(
        f"{cfg.hardware}: {likely:,.2f} US$ ({low:,.2f} - {high:,.2f}) at {price:.2f} US$ an hour (hardware_types in "
        f"config.yaml); {_wall(found, parallel)}."
    )
    if found.work:
        rows.append(f"The likely case: {found.work}.")
    if found.unknown:
        shown = ", ".join(f"{rule} ({count})" for rule, count in found.unknown.items())
        rows.append(f"Not counted, as nothing is known of their speed: {shown}.")
    if measured:
        units = ", ".join(unit.replace("_", " ") for unit in found.measured) or "none"
        rows.append(f"Measured in {measured}: {units}.")
    rows += [f"Not taken from {measured}: {note}." for note in found.notes]
    rows.append("Rests on (likely, cheap - dear; options of burnqed estimate):")
    cheap, usual, dear = scenarios(given)
    for name, text in HELP.items():
        values = [getattr(case, name) for case in (usual, cheap, dear)]
        shown = f"{values[0]:,g}" + (f" ({values[1]:,g} - {values[2]:,g})" if values[1] != values[2] else "")
        rows.append(f"  --{name.replace('_', '-')} {shown}: {text}")
    rows.append("Speeds not measured here: one H200 with a 7B (docs/performance.md), scaled by the GPUs' peak figures.")
    return "\n".join(rows)


def _row(rule: str, jobs: int, hours: Case, price: float) -> str:
    span = f"{hours[0]:,.1f} - {hours[2]:,.1f}"
    return f"{rule:<20}{jobs:>6}{hours[1]:>9,.1f}{span:>19}{hours[1] * price:>9,.2f}  "


def _wall(found: Estimate, parallel: int) -> str:
    low, likely, high = found.hours
    if parallel == 1:
        return f"{likely:,.1f} h on one GPU ({low:,.1f} - {high:,.1f})"
    wall = [total + (gpu / parallel - gpu) for total, gpu in zip(found.hours, found.gpu_hours, strict=True)]
    return f"about {wall[1]:,.1f} h on {parallel} GPUs ({wall[0]:,.1f} - {wall[2]:,.1f}), if their work can be shared"


def price_line(cfg: Config, jobs: Mapping[str, int], files: Collection[str] = ()) -> str:
    """Return in a line what so many jobs of each rule, those that make ``files``, take and cost, or why nobody knows.

    "" without a GPU, on the machine or in the jobs.
    """
    if cfg.hardware == "auto" or cfg.machine.device == "cpu" or not ON_GPU & set(jobs):
        return ""
    try:
        found = estimate(cfg, Path(cfg.results), jobs=jobs, files=files)
    except UserError as error:
        return f"No estimate: {error}."
    if not found.gpu_hours[1]:
        return ""
    price = cfg.machine.price_per_hour
    low, likely, high = found.hours
    return (
        f"Estimate: {likely:,.1f} h ({low:,.1f} - {high:,.1f}) on one {cfg.hardware}, {likely * price:,.2f} US$ "
        f"({low * price:,.2f} - {high * price:,.2f}); `burnqed estimate --hardware {cfg.hardware}` shows what that rests on."
    )


def run_estimate(
    files: Sequence[Path],
    hardware: str,
    jobs: str,
    results: Path | None,
    given: Mapping[str, float],
    parallel: int,
    *,
    targets: Sequence[str] = ("all",),
    measured: Path | None = None,
) -> int:
    """Print the estimate; ``jobs`` is the file of a dry run's output, ``-`` for standard input, or empty for targets."""
    cfg = read_settings(files, hardware)
    counts = None
    if jobs:
        counts = planned_jobs(sys.stdin.read() if jobs == "-" else Path(jobs).read_text(encoding="utf-8"))
    speeds = read_measured(measured, cfg) if measured is not None else None
    folder = results or Path(cfg.results)
    found = estimate(cfg, folder, jobs=counts, targets=targets, measured=speeds, given=given)
    print(render(found, cfg, given, parallel, str(measured or "")))
    return 0
