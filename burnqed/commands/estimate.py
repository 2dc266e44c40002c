"""`burnqed estimate`: GPU hours and cost of a run before it is started.

A rule that has run in this results folder is taken to last as long as it did (Snakemake's benchmark
files). For the others the work follows from the configuration, and the speed from what was measured
with a 7B model on one H200 (docs/performance.md), scaled to the GPU by its published peak figures.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from burnqed.config import Config, load_config
from burnqed.experiments.runs import plan_of
from burnqed.files import UserError, read_json

# Measured on one H200, docs/performance.md.
TRAIN_TOKENS_PER_S = 19_248  # LoRA, bfloat16, nothing recomputed
QLORA_SMALL_TOKENS_PER_S = 5_118  # nf4, 2,048 tokens a pass, activations recomputed: the setting of a 24 GB card
ENCODED_STATES_PER_S = 253.6
HEAD_STEPS_PER_S = 1_168.7
TACTICS_PER_S = 494.5  # sampled, 32 tokens each
TOKENS_PER_EXAMPLE = 280
RECOMPUTING = 0.75  # gradient checkpointing: "about 30 % slower"
# Dense bfloat16 TFLOP/s and memory TB/s from NVIDIA's data sheets, as shares of the H200's 989 and 4.8.
SPEED = {"h200": (1.0, 1.0), "h100": (1.0, 0.70), "a100": (0.315, 0.425), "rtx4090": (0.167, 0.21)}


@dataclass(frozen=True)
class Assumptions:
    """What nobody has measured yet; each can be replaced by an option."""

    theorems: int = 57_000
    pairs: int = 250_000
    benchmark: int = 244
    solved: float = 0.25
    ok_share: float = 0.3
    lean_tactics_per_s: float = 10.0


HELP = {
    "theorems": "training theorems (Lean Workbook), unless R/data/theorems.json or search.max_theorems says",
    "pairs": "tactic pairs (LeanDojo Benchmark 4), unless R/data/report.json says",
    "benchmark": "theorems of the benchmark (miniF2F test)",
    "solved": "share of theorems solved; a solved search is taken to end after half of its budget",
    "ok_share": "share of tried tactics that give a new state to encode",
    "lean_tactics_per_s": "tactics one Lean worker executes per second",
}


@dataclass(frozen=True)
class Line:
    """One rule of the estimate; hours of all its jobs together, on ``gpus`` GPUs each."""

    rule: str
    jobs: int
    hours: float
    gpus: int
    source: str


def read_settings(files: Sequence[Path], hardware: str) -> Config:
    """Return the configuration of some files laid over one another; raise UserError when one is wrong."""
    values: dict[str, Any] = {}
    for path in files:
        try:
            given = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
        except (OSError, yaml.YAMLError) as error:
            raise UserError(f"{path}: not readable as YAML ({error})") from None
        for name, value in given.items():
            old = values.get(name)
            values[name] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
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


def estimate(cfg: Config, jobs: Mapping[str, int], results: Path, given: Assumptions) -> list[Line]:
    """Return one line per rule: measured rules first come from this run, then from the model of costs."""
    measured = _measured(results)
    modelled = _modelled(cfg, results, given)
    lines = []
    for rule, count in jobs.items():
        if rule in measured:
            seconds, done = measured[rule]
            source = f"{done} jobs of this run, {seconds / 60:.1f} min each"
            lines.append(Line(rule, count, count * seconds / 3600, int(rule in modelled), source))
        elif rule in modelled:
            seconds, source = modelled[rule]
            if rule == "train_sft" and count == cfg.iterations:
                seconds, source = _first_training(cfg, results, given, seconds, count)
            lines.append(Line(rule, count, count * seconds / 3600, 1, source))
    return sorted(lines, key=lambda line: -line.hours * max(line.gpus, 0.001))


def _measured(results: Path) -> dict[str, tuple[float, int]]:
    """Return seconds per job and number of finished jobs by rule, from Snakemake's benchmark files."""
    found: dict[str, list[float]] = {}
    for path in sorted((results / "benchmarks").rglob("*.tsv")):
        rule = path.relative_to(results / "benchmarks").parts[0].removesuffix(".tsv")
        with path.open(encoding="utf-8") as stream:
            for row in csv.DictReader(stream, delimiter="\t"):
                try:
                    found.setdefault(rule, []).append(float(row["s"]))
                except (KeyError, TypeError, ValueError):
                    continue  # a job too short to be measured
    return {rule: (sum(values) / len(values), len(values)) for rule, values in found.items()}


def _speed(cfg: Config) -> tuple[float, float]:
    name = cfg.hardware.split("_")[0]
    if name not in SPEED:
        raise UserError(f"hardware: no speeds are known for '{cfg.hardware}'; give --hardware {' | '.join(SPEED)}")
    return SPEED[name]


def _modelled(cfg: Config, results: Path, given: Assumptions) -> dict[str, tuple[float, str]]:
    """Return seconds per job, and how they come about, for the rules that need a GPU."""
    compute, memory = _speed(cfg)
    theorems, states = _theorems(cfg, results, given), _states(cfg, results, given)
    per_shard = theorems / cfg.search.shards
    search = _search_seconds(cfg, given, per_shard, cfg.search.expansions, memory)
    evaluation = _search_seconds(cfg, given, _benchmark(cfg, given), max(cfg.evaluation.budgets), memory)
    epochs = cfg.sft.later_epochs
    training = _training_seconds(cfg, _pairs(results, given) * cfg.sft.base_pair_share * epochs, compute)
    return {
        "train_sft": training,
        "search_shard": (search, f"{per_shard:,.0f} theorems, up to {cfg.search.expansions} expansions"),
        "evaluate": (
            evaluation * cfg.evaluation.attempts,
            f"{_benchmark(cfg, given)} theorems, up to {max(cfg.evaluation.budgets)} expansions",
        ),
        "encode_states": (states / (ENCODED_STATES_PER_S * compute), f"{states:,.0f} states"),
        "train_energy_head": (cfg.ebm.steps / (HEAD_STEPS_PER_S * memory), f"{cfg.ebm.steps:,} steps"),
    }


def _first_training(cfg: Config, results: Path, given: Assumptions, later: float, count: int) -> tuple[float, str]:
    """Return the mean over all iterations: the first sees all pairs, for more epochs."""
    first, text = _training_seconds(cfg, _pairs(results, given) * cfg.sft.epochs, _speed(cfg)[0])
    return (first + (count - 1) * later) / count, f"first: {text}; later ones {later / 3600:.1f} h each"


def _training_seconds(cfg: Config, examples: float, compute: float) -> tuple[float, str]:
    tokens = examples * TOKENS_PER_EXAMPLE
    if cfg.machine.quantization == "nf4":
        rate = QLORA_SMALL_TOKENS_PER_S * compute
    else:
        rate = TRAIN_TOKENS_PER_S * compute * (RECOMPUTING if cfg.sft.gradient_checkpointing else 1.0)
    return tokens / rate, f"{tokens / 1e6:,.0f} M tokens at {rate:,.0f}/s"


def _search_seconds(cfg: Config, given: Assumptions, theorems: float, budget: int, memory: float) -> float:
    """Return the seconds of one search: the slower of sampling and Lean, which work side by side."""
    tactics = theorems * budget * (1 - given.solved / 2) * cfg.search.candidates
    sampling = TACTICS_PER_S * memory * 32 / min(cfg.policy.max_new_tokens, 32)
    lean = given.lean_tactics_per_s * cfg.machine_settings()["prover"]["workers"]
    return tactics / min(sampling, lean)


def _theorems(cfg: Config, results: Path, given: Assumptions) -> int:
    path = results / "data" / "theorems.json"
    count = len(read_json(path)["theorems"]) if path.exists() else given.theorems
    return min(count, cfg.search.max_theorems or count)


def _pairs(results: Path, given: Assumptions) -> int:
    path = results / "data" / "tactic_pairs" / "train.jsonl"
    if not path.exists():
        return given.pairs
    with path.open("rb") as stream:
        return sum(1 for _ in stream)


def _benchmark(cfg: Config, given: Assumptions) -> int:
    return min(given.benchmark, cfg.evaluation.max_theorems or given.benchmark)


def _states(cfg: Config, results: Path, given: Assumptions) -> float:
    """Return the states of one iteration's search; later iterations encode those of all before: on average half of them."""
    tried = _theorems(cfg, results, given) * cfg.search.expansions * (1 - given.solved / 2) * cfg.search.candidates
    return tried * given.ok_share * max(cfg.iterations, 1) / 2


def render(lines: Sequence[Line], cfg: Config, given: Assumptions, parallel: int) -> str:
    """Return the estimate as text: a table, its total and what it rests on."""
    price = cfg.machine.price_per_hour
    rows = [f"{'rule':<20}{'jobs':>6}{'GPU hours':>12}{'US$':>10}  from"]
    hours = 0.0
    for line in lines:
        gpu_hours = line.hours * line.gpus
        hours += gpu_hours
        shown = f"{gpu_hours:>12,.1f}{gpu_hours * price:>10,.2f}" if line.gpus else f"{'-':>12}{'-':>10}"
        rows.append(f"{line.rule:<20}{line.jobs:>6}{shown}  {line.source}")
    rows.append(f"{'total':<20}{'':>6}{hours:>12,.1f}{hours * price:>10,.2f}")
    rows.append("")
    rows.append(
        f"{cfg.hardware} at {price:.2f} US$ per GPU hour (hardware_types in config.yaml); on {parallel} GPUs about "
        f"{hours / parallel:,.1f} h, CPU stages aside. A rented machine costs as much while its GPU is idle."
    )
    rows.append("Rests on (options of burnqed estimate):")
    for name, text in HELP.items():
        rows.append(f"  --{name.replace('_', '-')} {getattr(given, name):,g}: {text}")
    rows.append("Speeds: measured on one H200 with a 7B (docs/performance.md), scaled by the GPUs' peak figures.")
    return "\n".join(rows)


def run_estimate(
    files: Sequence[Path], hardware: str, jobs: str, results: Path | None, given: Assumptions, parallel: int
) -> int:
    """Print the estimate; ``jobs`` is the file of a dry run's output, ``-`` for standard input, or empty for all."""
    cfg = read_settings(files, hardware)
    folder = results or Path(cfg.results)
    if jobs:
        text = sys.stdin.read() if jobs == "-" else Path(jobs).read_text(encoding="utf-8")
        counts = planned_jobs(text)
    else:
        counts = plan_of(cfg).count()
    print(render(estimate(cfg, counts, folder, given), cfg, given, parallel))
    return 0
