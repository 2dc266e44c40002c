"""How fast a machine works: measured on one H200, scaled to other GPUs, or read from the sidecars of a finished run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import sqrt
from pathlib import Path
from statistics import median
from typing import Any

from burnqed.config import Config
from burnqed.files import UserError, read_json

# Measured with a 7B on one H200, docs/performance.md.
TRAIN_TOKENS_PER_S = 19_248  # LoRA, bfloat16, nothing recomputed
QLORA_SMALL_TOKENS_PER_S = 5_118  # nf4, 2,048 tokens a pass, activations recomputed: the setting of a 24 GB card
JOINT_TO_TRAIN = 20_891 / 19_248  # tokens of tactics and states together
RECOMPUTING = 0.75  # gradient checkpointing: "about 30 % slower"
ENCODED_STATES_PER_S = {"none": 253.6, "nf4": 194.5}
HEAD_STEPS_PER_S = 1_168.7
TACTICS_PER_S = {"server": 401.2, "transformers": 605.8}  # sampled, MEASURED_TACTIC tokens each
MEASURED_TACTIC = 32
# Dense bfloat16 TFLOP/s and memory TB/s from NVIDIA's data sheets, as shares of the H200's 989 and 4.8.
SHARES = {"h200": (1.0, 1.0), "h100": (1.0, 0.70), "a100": (0.315, 0.425), "rtx4090": (0.167, 0.21)}


@dataclass(frozen=True)
class Assumptions:
    """What a run meets that nobody has measured yet; ``HELP`` says what each is, an option of the command replaces it."""

    theorems: int = 57_000
    pairs: int = 250_000
    benchmark: int = 244
    solved: float = 0.15
    solved_uses: float = 0.3
    open_uses: float = 1.0
    new_states: float = 0.2
    distinct: float = 0.6
    reused: float = 0.4
    tactic_tokens: float = 32.0
    proof_steps: float = 4.0
    lean_tactics_per_s: float = 10.0
    check_seconds: float = 2.0
    scaling: float = 1.0
    starting: float = 1.0


HELP = {
    "theorems": "training theorems (Lean Workbook), unless R/data/theorems.json or search.max_theorems says",
    "pairs": "tactic pairs (LeanDojo Benchmark 4), unless R/data/tactic_pairs or data.max_pairs says",
    "benchmark": "theorems of the benchmark (miniF2F test)",
    "solved": "share of theorems solved",
    "solved_uses": "share of its budget that a search uses which finds a proof",
    "open_uses": "share of its budget that a search uses which finds none (the others run out of states)",
    "new_states": "share of the sampled tactics that give a new state, to encode where a head orders the search",
    "distinct": "share of the sampled tactics that are not repeated, and so go to Lean",
    "reused": "share of an evaluation's expansions that a second order takes over from the first",
    "tactic_tokens": "tokens of a sampled tactic",
    "proof_steps": "tactics of a proof",
    "lean_tactics_per_s": "tactics one Lean worker executes per second",
    "check_seconds": "seconds of one process for the re-check of one proof",
    "scaling": "speed of another GPU than the H200 against what its peak figures promise",
    "starting": "times that a job's start takes against what was measured",
}
# The same with everything in favour of the purse, and against it.
CHEAP = Assumptions(
    solved=0.3,
    solved_uses=0.15,
    open_uses=0.7,
    new_states=0.12,
    distinct=0.45,
    reused=0.7,
    tactic_tokens=24.0,
    proof_steps=3.0,
    lean_tactics_per_s=20.0,
    check_seconds=1.0,
    scaling=1.1,
    starting=0.5,
)
DEAR = Assumptions(
    solved=0.08,
    solved_uses=0.5,
    new_states=0.3,
    distinct=0.8,
    reused=0.2,
    tactic_tokens=40.0,
    proof_steps=5.0,
    lean_tactics_per_s=5.0,
    check_seconds=5.0,
    scaling=0.8,
    starting=2.0,
)


def scenarios(given: Mapping[str, float]) -> tuple[Assumptions, Assumptions, Assumptions]:
    """Return the cheap, the likely and the dear case; what is given holds in all of them."""
    usual = Assumptions()
    values: dict[str, Any] = {name: type(getattr(usual, name))(value) for name, value in given.items()}
    return replace(CHEAP, **values), replace(usual, **values), replace(DEAR, **values)


@dataclass
class Measured:
    """What the jobs of a finished run say: per unit the values of its jobs, and what was not taken and why.

    Units: ``sampling`` (tactics/s), ``encoding`` (states/s), ``training`` and ``joint`` (tokens/s), ``head`` (steps/s),
    ``lean`` (tactics/s of a worker), ``pool_start`` (s), ``start_RULE`` (s of a job beside its work), ``job_RULE`` (s).
    """

    folder: str = ""
    values: dict[str, list[float]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, unit: str, value: float) -> None:
        """Note a value; none that is not positive."""
        if value > 0:
            self.values.setdefault(unit, []).append(value)

    def range(self, unit: str) -> tuple[float, float, float] | None:
        """Return the smallest, the median and the largest value of a unit, None without any."""
        found = self.values.get(unit)
        return (min(found), median(found), max(found)) if found else None


class Speeds:
    """The speeds of one case on the machine of a configuration.

    ``place`` is that of the case among cheap, likely and dear (0 to 2). Measured values win over scaled ones; for a
    machine of which nothing is known they are all there is, and ``rate`` raises UserError where there is none.
    """

    def __init__(self, cfg: Config, case: Assumptions, place: int, measured: Measured) -> None:
        self.cfg, self.case, self.place, self.measured = cfg, case, place, measured
        self.used: set[str] = set()
        # a100_rtx4090: trained on the first, searched on the second.
        self._training, self._searching = cfg.hardware.split("_")[0], cfg.hardware.split("_")[-1]

    def seconds(self, unit: str) -> float | None:
        """Return measured seconds of a unit (``pool_start``, ``start_RULE``, ``job_RULE``), None without any."""
        found = self.measured.range(unit)
        if found is None:
            return None
        self.used.add(unit)
        return found[self.place]

    def rate(self, unit: str) -> float:
        """Return the units of work a second; raises UserError when nothing is known of this machine."""
        found = self.measured.range(unit)
        if found is not None:
            self.used.add(unit)
            return found[2 - self.place]  # a fast machine is the cheap case
        if unit == "lean":
            return self.case.lean_tactics_per_s
        return self._scaled(unit)

    def _scaled(self, unit: str) -> float:
        cfg = self.cfg
        if cfg.model.kind == "scratch" and unit != "head":  # a 7B's speeds would be wrong by orders of magnitude
            raise UserError(
                f"model.kind: scratch: no speed of {unit} is known for a small model made on the spot, as those known are a "
                "7B's; give --measured with the results of a trial with this model"
            )
        name = self._training if unit in ("training", "joint") else self._searching
        if name not in SHARES:
            raise UserError(
                f"hardware: no speeds are known for '{cfg.hardware}'; give --hardware {' | '.join(SHARES)}, "
                "or --measured with the results of a trial on this machine"
            )
        compute, memory = SHARES[name]
        scaling = self.case.scaling if name != "h200" else 1.0
        if unit == "sampling":
            # Reading the prompts is bound by computing, sampling after them by memory.
            measured = TACTICS_PER_S[cfg.policy.backend] * MEASURED_TACTIC
            tokens = min(self.case.tactic_tokens, cfg.policy.max_new_tokens)
            return measured / tokens * sqrt(compute * memory) * scaling
        if unit == "encoding":
            chosen = cfg.machine.encoder_quantization
            weights = cfg.machine.quantization if chosen == "same" else chosen
            return ENCODED_STATES_PER_S[weights] * compute * scaling
        if unit == "head":
            return HEAD_STEPS_PER_S * memory * scaling
        if cfg.machine.quantization == "nf4":
            rate: float = QLORA_SMALL_TOKENS_PER_S
        else:
            rate = TRAIN_TOKENS_PER_S * (RECOMPUTING if cfg.sft.gradient_checkpointing else 1.0)
        return rate * (JOINT_TO_TRAIN if unit == "joint" else 1.0) * compute * scaling


def read_measured(folder: Path, cfg: Config) -> Measured:
    """Read the speeds of a finished run or trial from its sidecars and step logs.

    What depends on the model counts only when the run's model is that of the configuration, and what depends on the GPU
    only when the run's is the same; ``notes`` says what was left out. Raises UserError without any sidecar.
    """
    found = Measured(str(folder))
    sidecars = sorted(folder.rglob("*.meta.json"))
    if not sidecars:
        raise UserError(f"{folder}: no sidecars (*.meta.json) of finished jobs; run a trial first (`burnqed trial`)")
    records = [(path.with_name(path.name.removesuffix(".meta.json")), read_json(path)) for path in sidecars]
    same_machine = _same_machine(records, cfg, found)
    same_model = _same_model(records, cfg, found) and _same_shape(folder, cfg, found)
    for artifact, record in records:
        if isinstance(record.get("search"), dict):
            _of_search(record, cfg, same_machine and same_model, found)
        elif not (same_machine and same_model):
            continue
        elif isinstance(record.get("encoding"), dict):
            encoding = record["encoding"]
            found.add("encoding", _ratio(encoding.get("texts"), encoding.get("seconds")))
            found.add("start_encode_states", record["wall_seconds"] - float(encoding.get("seconds", 0.0)))
        elif artifact.name == "adapter":
            rule = "joint" if "joint" in record.get("settings", {}) else "training"
            rates = list(_step_rates(artifact))
            # Compiling falls into the first line of the log.
            for rate in rates[1:] or rates:
                found.add(rule, rate)
    return found


def _same_machine(records: list[tuple[Path, dict[str, Any]]], cfg: Config, found: Measured) -> bool:
    wanted = cfg.hardware if cfg.machine.device != "cpu" else ""
    models = {str(record.get("gpu_model", "")) for _, record in records if record.get("gpu_seconds")}
    same = models <= set(wanted.split("_")) | {wanted} if models else not wanted
    if not same:
        shown = ", ".join(sorted(models)) or "no GPU"
        found.notes.append(
            f"ran on {shown}, not on {wanted or 'a CPU'}: its speeds of policy, value and training do not count"
        )
    return same


def _same_model(records: list[tuple[Path, dict[str, Any]]], cfg: Config, found: Measured) -> bool:
    for _, record in records:
        model = record.get("settings", {}).get("model")
        if isinstance(model, dict):
            names = ("kind", "repository") if cfg.model.kind == "pretrained" else ("kind",)
            if all(model.get(name) == getattr(cfg.model, name) for name in names):
                return True
            shown = model.get("repository") or "a small one made on the spot"
            found.notes.append(f"its model was {shown}: its speeds of policy, value and training do not count")
            return False
    found.notes.append("no job of it names a model: its speeds of policy, value and training do not count")
    return False


def _same_shape(folder: Path, cfg: Config, found: Measured) -> bool:
    """Return whether a model made on the spot is as large as that of the configuration; others say it by their name."""
    path = folder / "base" / "model" / "config.json"
    if cfg.model.kind != "scratch" or not path.exists():
        return True
    made = read_json(path)
    theirs, own = (
        (made.get("hidden_size"), made.get("num_hidden_layers")),
        (cfg.scratch.hidden_size, cfg.scratch.layers),
    )
    if theirs != own:
        found.notes.append(
            f"its model had {theirs[1]} layers of width {theirs[0]}, not {own[1]} of {own[0]}: "
            "its speeds of policy, value and training do not count"
        )
    return theirs == own


def _of_search(record: Mapping[str, Any], cfg: Config, comparable: bool, found: Measured) -> None:
    """Take the speeds of a search or an evaluation: Lean's where it has the same modules, else only those comparable."""
    search, settings = record["search"], record.get("settings", {})
    prover = settings.get("prover", {})
    if all(prover.get(name) == getattr(cfg.prover, name) for name in ("kind", "imports")):
        if not search.get("reused_expansions"):  # tactics taken over took no time
            found.add("lean", _ratio(search.get("tactics"), search.get("tactic_seconds")))
        found.add("pool_start", float(search.get("pool_start_seconds", 0.0)))
    else:
        note = f"its Lean was kind {prover.get('kind')} with {prover.get('imports') or 'no imports'}: its speed does not count"
        found.notes += [note] if note not in found.notes else []
    if not comparable or not search.get("expansions") or search.get("taken_over"):
        return  # of a resumed search, the time covers only what was left
    own, wall = settings["search"], float(search["wall_seconds"])
    with_head = bool(search.get("value_busy_share"))
    sampled = (search["expansions"] - search.get("reused_expansions", 0)) * own[
        "candidates_with_head" if with_head else "candidates"
    ]
    found.add("sampling", _ratio(sampled, wall * search.get("policy_busy_share", 0.0)))
    if with_head:
        states = search.get("outcomes", {}).get("ok", 0)
        found.add("encoding", _ratio(states, wall * search["value_busy_share"]))
    rule = "evaluate" if "evaluation" in settings else "search_shard"
    if rule == "search_shard":  # an evaluation also re-checks
        found.add("start_search_shard", record["wall_seconds"] - wall - float(search.get("pool_start_seconds", 0.0)))


def _ratio(work: object, seconds: object) -> float:
    return (
        float(work) / float(seconds)
        if isinstance(work, int | float) and isinstance(seconds, int | float) and seconds
        else 0.0
    )


def _step_rates(adapter: Path) -> Iterator[float]:
    """Yield the tokens per second of each line of a training's step log."""
    path = adapter.with_name(adapter.name + ".steps.jsonl")
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            yield float(json.loads(line)["tokens_per_second"])
        except (ValueError, KeyError, TypeError):
            continue  # a line cut off by a kill
