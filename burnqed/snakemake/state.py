"""What a run is doing, kept from the events of Snakemake and from the progress files of its jobs."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from burnqed.jobs.progress import PROGRESS


@dataclass
class Job:
    """One running job: what it makes and how far its own progress file says it is."""

    rule: str
    wildcards: Mapping[str, str]
    outputs: list[str]
    started: float
    done: int = 0
    total: int = 0
    proved: int = 0

    @property
    def name(self) -> str:
        """Short name: rule and wildcards, as in ``search_shard iter_0 main 003``."""
        values = [str(value) for value in self.wildcards.values()]
        return " ".join([self.rule, *values])

    def read_progress(self) -> None:
        """Read ``.progress/status-NAME.json`` beside the outputs; keep the old values when there is none."""
        for output in map(Path, self.outputs):
            for name in {output.name, output.stem}:
                try:
                    status = json.loads((output.parent / PROGRESS / f"status-{name}.json").read_text(encoding="utf-8"))
                    self.done = int(status["done"])
                    self.total = int(status["total"])
                    self.proved = int(status.get("proved", 0))
                except (OSError, ValueError, KeyError, TypeError):
                    continue


@dataclass
class RunState:
    """Counts, durations and running jobs of one Snakemake run; ``clock`` returns seconds."""

    clock: Callable[[], float] = time.monotonic
    total: int = 0
    done: int = 0
    proved: int = 0
    running: dict[int, Job] = field(default_factory=dict)
    waiting: Counter[str] = field(default_factory=Counter)
    durations: dict[str, list[float]] = field(default_factory=dict)
    started: float = field(init=False)

    def __post_init__(self) -> None:
        self.started = self.clock()

    def plan(self, stats: Mapping[str, int]) -> None:
        """Take the job counts per rule, as Snakemake announces them."""
        self.total = stats.get("total", 0)
        self.waiting = Counter({rule: count for rule, count in stats.items() if rule != "total"})

    def start(self, jobid: int, rule: str, wildcards: Mapping[str, str], outputs: Iterable[str]) -> None:
        """A job starts (or starts again after a failure)."""
        if jobid not in self.running:
            self.waiting[rule] -= 1
        self.running[jobid] = Job(rule, wildcards, list(outputs), self.clock())

    def finish(self, jobid: int) -> tuple[Job, float] | None:
        """A job ended well; return it with its seconds, or None for one that never announced itself."""
        self.done += 1
        job = self.running.pop(jobid, None)
        if job is None:
            return None
        seconds = self.clock() - job.started
        self.durations.setdefault(job.rule, []).append(seconds)
        self.proved += job.proved
        return job, seconds

    def refresh(self) -> None:
        """Read the progress files of the running jobs."""
        for job in list(self.running.values()):
            job.read_progress()

    @property
    def proofs(self) -> int:
        """Proofs found in this run so far, by finished and running jobs."""
        return self.proved + sum(job.proved for job in self.running.values())

    def elapsed(self) -> float:
        """Seconds since the run started."""
        return self.clock() - self.started

    def remaining(self) -> float | None:
        """Return the estimated seconds left, or None before anything is known.

        Every job that is left is taken to last as long as the finished ones of its rule did (of
        all rules, when its own has none); a running job that reports its progress is
        extrapolated. The sum is divided by the parallelism seen so far.
        """
        known = [seconds for durations in self.durations.values() for seconds in durations]
        if not known:
            return None
        overall = sum(known) / len(known)
        now = self.clock()
        running_for = [now - job.started for job in self.running.values()]
        work = 0.0
        for job, seconds in zip(self.running.values(), running_for, strict=True):
            if 0 < job.done <= job.total:
                work += seconds * (job.total - job.done) / job.done
            else:
                work += max(self._typical(job.rule, overall) - seconds, 0.0)
        work += sum(self._typical(rule, overall) * count for rule, count in self.waiting.items() if count > 0)
        parallel = max((sum(known) + sum(running_for)) / max(self.elapsed(), 1e-9), 1.0)
        return work / parallel

    def _typical(self, rule: str, otherwise: float) -> float:
        durations = self.durations.get(rule)
        return sum(durations) / len(durations) if durations else otherwise


def clock_text(seconds: float) -> str:
    """Return seconds as ``42 s``, ``3:05`` (minutes) or ``2:03:04`` (hours)."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
