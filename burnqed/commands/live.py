"""What a run is doing now, read from its files alone: finished artefacts, status files, evaluations, sidecars.

Nothing here asks the run's processes for anything, so looking costs them nothing and works over any file system.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from burnqed.commands.estimate import estimate
from burnqed.config import Config, load_config
from burnqed.evaluation.evals import interval_of
from burnqed.evaluation.statistics import wilson_interval
from burnqed.experiments.runs import plan_of
from burnqed.files import UserError, read_json, read_jsonl, sidecar_path, write_json
from burnqed.jobs.progress import PROGRESS
from burnqed.plan import RULES, WHOLE_RUN, Job, Plan
from burnqed.records.evaluations import read_eval
from burnqed.report.figures_training import PART_NAMES, PARTS, ledger
from burnqed.report.summary import model_name
from burnqed.words import counted

RECORD = ".run.json"
NEWEST = 6


@dataclass(frozen=True)
class Stage:
    """How many jobs of a stage are done."""

    run: str
    stage: str
    done: int
    total: int
    is_running: bool


@dataclass(frozen=True)
class Running:
    """A job at work, as its status file says; ``proved`` is None where nothing is proved."""

    name: str
    done: int
    total: int
    proved: int | None
    facts: Mapping[str, object]

    @property
    def text(self) -> str:
        """Return what it has done, with the interval of its share of proofs."""
        if self.proved is None or not self.done:
            return f"{self.done} of {self.total}"
        low, high = wilson_interval(min(self.proved, self.done), self.done)
        share = 100 * self.proved / self.done
        return (
            f"{self.done} of {self.total}, {self.proved} proved "
            f"({share:.1f} %, interval {100 * low:.1f} - {100 * high:.1f})"
        )


@dataclass(frozen=True)
class Proof:
    """A proof found lately; ``trajectories`` is the file that holds its search, once it is complete."""

    theorem: str
    tactics: list[str]
    trajectories: Path | None = None


@dataclass
class Live:
    """One look at a run."""

    results: Path
    when: float
    stages: list[Stage] = field(default_factory=list)
    running: list[Running] = field(default_factory=list)
    solved: list[dict[str, object]] = field(default_factory=list)
    split: str = ""
    machine: list[str] = field(default_factory=list)
    money: str = ""
    proofs: list[Proof] = field(default_factory=list)
    is_over: bool = False

    @property
    def jobs(self) -> str:
        """Return how far the run is."""
        done, total = sum(stage.done for stage in self.stages), sum(stage.total for stage in self.stages)
        return f"{done} of {total} jobs done"


def record_run(cfg: Config, config: Mapping[str, object]) -> None:
    """Note the configuration of a run in its results folder, for those who look at it from elsewhere."""
    write_json(Path(cfg.results) / RECORD, {"config": dict(config), "started": round(time.time())})


def recorded_config(results: Path) -> Config:
    """Return the configuration that a run was started with; raise UserError when there is no record of it."""
    path = results / RECORD
    if not path.is_file():
        raise UserError(f"{path}: no record of a run; give its results folder, or its settings with --config FILE")
    cfg = load_config(read_json(path)["config"])
    return cfg.model_copy(update={"results": str(results)})  # it may have been moved since


def look(results: Path, cfg: Config, targets: tuple[str, ...] = ("all",)) -> Live:
    """Return what a run's files say now; raise UserError when an evaluation is damaged."""
    plan = plan_of(cfg)
    needed = plan.needed(targets)
    found = Live(results, time.time())
    left = [job for job in needed if not all(Path(path).exists() for path in job.outputs)]
    found.running = list(_running(results))
    found.stages = list(_stages(plan, needed, left, results))
    found.is_over = not left
    found.solved = list(_solved(needed, cfg.evaluation.benchmark))
    found.split = _split(needed)
    found.machine = _machine(found.running)
    found.money = _money(results, cfg, left)
    found.proofs = list(_proofs(results, cfg))[:NEWEST]
    return found


def _stages(plan: Plan, needed: list[Job], left: list[Job], results: Path) -> Iterator[Stage]:
    waiting = {id(job) for job in left}
    busy = {path.parent.parent for path in results.rglob(f"{PROGRESS}/status-*.json")}
    rows: dict[tuple[str, str], list[Job]] = {}
    for job in needed:
        run = job.wildcards.get("run", "")
        place = model_name(run) if run == "baseline" or run.startswith("iter_") and "/" not in run else run
        stage = RULES[job.rule].stage if job.rule in RULES else "report"
        key = ("", stage) if stage in WHOLE_RUN else (place, stage)
        rows.setdefault(key, []).append(job)
    for (place, stage), jobs in rows.items():
        done = sum(id(job) not in waiting for job in jobs)
        at_work = any(Path(path).parent in busy for job in jobs if id(job) in waiting for path in job.outputs)
        yield Stage(place, stage, done, len(jobs), at_work)


def _running(results: Path) -> Iterator[Running]:
    for path in sorted(results.rglob(f"{PROGRESS}/status-*.json")):
        try:
            status = json.loads(path.read_text(encoding="utf-8"))
            place = path.parent.parent.relative_to(results)
            name = f"{place}/{path.name.removeprefix('status-').removesuffix('.json')}"
            proved = status.get("proved")
            yield Running(name, int(status["done"]), int(status["total"]), proved, status)
        except (OSError, ValueError, KeyError, TypeError):
            continue  # the job has just ended, or writes it now


def _evaluations(needed: list[Job]) -> Iterator[Path]:
    for job in needed:
        path = Path(job.outputs[0])
        if job.rule == "evaluate" and path.exists():
            yield path


def _solved(needed: list[Job], benchmark: str) -> Iterator[dict[str, object]]:
    for path in _evaluations(needed):
        evaluation = read_eval(path)
        where = evaluation["benchmark"]["name"]
        last = evaluation["results"][-1]
        low, high = interval_of(last)
        yield {
            "model": ("" if where == benchmark else f"{where}: ")
            + model_name(evaluation["label"])
            + (" + head" if evaluation["variant"] == "llm_ebm" else ""),
            "solved": f"{last['solved']}/{last['total']}",
            "rate": f"{100 * last['rate']:.1f}\u00a0%",
            "95 % interval": f"{100 * low:.1f} - {100 * high:.1f}\u00a0%",
        }


def _split(needed: list[Job]) -> str:
    """Return where the time of the newest evaluation's searches went."""
    paths = [sidecar_path(path) for path in _evaluations(needed) if sidecar_path(path).exists()]
    if not paths:
        return ""
    split: dict[str, Any] = (
        read_json(max(paths, key=lambda path: path.stat().st_mtime)).get("timing", {}).get("split", {})
    )
    total = sum(split.get(part, 0.0) for part in PARTS)
    return (
        ", ".join(f"{PART_NAMES[part]} {100 * split.get(part, 0.0) / total:.0f} %" for part in PARTS) if total else ""
    )


def _machine(running: list[Running]) -> list[str]:
    """Return one line a GPU of this machine, and what running searches say of policy, value and Lean's workers."""
    lines = []
    if shutil.which("nvidia-smi"):
        asked = "--query-gpu=index,name,utilization.gpu,memory.used,memory.total"
        try:
            done = subprocess.run(
                ["nvidia-smi", asked, "--format=csv,noheader,nounits"], capture_output=True, text=True, timeout=10
            )
        except (OSError, subprocess.TimeoutExpired):
            done = None
        for line in done.stdout.splitlines() if done and done.returncode == 0 else []:
            number, name, load, used, total = (word.strip() for word in line.split(","))
            lines.append(f"GPU {number}, {name}: {load} % busy, {used} of {total} MiB")
    for job in running:
        if "workers" in job.facts:
            busy = [f"{part} {100 * float(str(job.facts[f'{part}_busy'])):.0f} %" for part in ("policy", "value")]
            lines.append(f"{job.name}: {job.facts['workers']} Lean workers; busy: {', '.join(busy)}")
    return lines


def _money(results: Path, cfg: Config, left: list[Job]) -> str:
    rows = ledger(results)
    spent, hours = sum(row["estimated_cost"] for row in rows), sum(row["wall_seconds"] for row in rows) / 3600
    text = f"So far {hours:.2f} job hours" + (f" and about {spent:.2f} US dollars" if spent else "")
    if not left:
        return text
    counts: dict[str, int] = {}
    for job in left:
        counts[job.rule] = counts.get(job.rule, 0) + 1
    try:
        found = estimate(cfg, results, jobs=counts)
    except UserError:  # no speed is known of this machine, and nothing has run on it yet
        return f"{text}; what is left cannot be estimated yet"
    price = cfg.machine.price_per_hour
    cheap, likely, dear = found.hours
    more = f", {likely * price:.2f} US dollars ({cheap * price:.2f} - {dear * price:.2f})" if price else ""
    unknown = f"; {counted(sum(found.unknown.values()), 'job')} of unknown length" if found.unknown else ""
    return f"{text}; to come about {likely:.2f} hours ({cheap:.2f} - {dear:.2f}){more}{unknown}"


def _proofs(results: Path, cfg: Config) -> Iterator[Proof]:
    """Yield the newest proofs: of running searches, then re-checked ones of the newest iteration."""
    for path in results.rglob(f"{PROGRESS}/status-*.json"):
        try:
            newest = json.loads(path.read_text(encoding="utf-8")).get("newest", [])
        except (OSError, ValueError):
            continue
        yield from (Proof(str(one["theorem"]), list(one["proof"])) for one in reversed(newest))
    for number in reversed(range(cfg.iterations)):
        path = results / f"iter_{number}" / "proofs.jsonl"
        if path.exists():
            rows = list(read_jsonl(path))[-NEWEST:]
            trajectories = path.with_name("trajectories.parquet")
            for row in reversed(rows):
                yield Proof(row["theorem"], list(row["proof"]), trajectories if trajectories.exists() else None)
            return
