"""The seconds of each job of a plan: its work, by the configuration of its run, over the speeds of a machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from burnqed.commands.speeds import Speeds
from burnqed.config import Config
from burnqed.config.training import FAILED_PART
from burnqed.files import read_json
from burnqed.plan import RULES, Job, Plan

TOKENS_PER_EXAMPLE = 280  # mean of the tactic pairs, docs/performance.md
TOKENS_PER_STATE = 198
VALIDATION = 1 / 3  # of a training step's work for an example that is only scored
# Seconds before the work begins: what compiles on an H200 was measured (docs/performance.md), reading 14 GB of weights
# and importing Mathlib (60 - 90 s a worker, all workers at once) are experience.
LOAD_WEIGHTS, IMPORT_MATHLIB, IMPORT_CORE = 30.0, 75.0, 3.0
START_SERVER, COMPILE_SAMPLING, COMPILE_ENCODER, COMPILE_TRAINING, START_PYTHON = 62.0, 17.0, 11.5, 64.0, 15.0
COPY_ADAPTER = 3.0  # in place of merging, policy.adapter: serve; 0.3 GB and their digest
ADAPTED = 0.88  # of a server's speed with an adapter beside the base (benchmarks/server_models.py)
TRAINING = ("train_base_model", "train_sft", "train_joint", "train_energy_head", "measure_joint_head")
ON_GPU = frozenset([*TRAINING, "encode_states", "search_shard", "evaluate"])


@dataclass
class Amounts:
    """What all jobs of an estimate did together, for its reader."""

    tactics: float = 0.0
    encoded: float = 0.0
    tokens: float = 0.0


class Costs:
    """Seconds of jobs in one case."""

    def __init__(self, plan: Plan, results: Path, speeds: Speeds) -> None:
        self.plan, self.results, self.speeds, self.case = plan, results, speeds, speeds.case
        self.amounts = Amounts()
        # A model made on the spot is read at once and never compiled.
        small = plan.cfg.model.kind == "scratch"
        self._load, self._compiling = (0.0, 0.0) if small else (LOAD_WEIGHTS, 1.0)
        self._served: set[str] = set()  # models whose server was started
        self._rules: dict[str, Callable[[Job], float]] = {
            "train_sft": self._train_sft,
            "train_joint": self._train_joint,
            "encode_states": self._encode,
            "train_energy_head": self._head,
            "measure_joint_head": lambda job: self._start(self._load),
            "search_shard": self._search,
            "evaluate": self._evaluate,
            "verify_proofs": self._verify,
        }

    def seconds(self, job: Job) -> float | None:
        """Return the seconds of a job, None when nothing is known of its rule."""
        measured = self.speeds.seconds(f"job_{job.rule}")
        if measured is not None:
            return measured
        if job.rule == "merge_adapter" and self.plan.cfg.policy.adapter == "serve":
            return COPY_ADAPTER * self.case.starting
        known = RULES.get(job.rule)
        if known is not None and known.seconds is not None:  # a rented machine costs as much meanwhile
            return known.seconds * self.case.starting
        make = self._rules.get(job.rule)
        return None if make is None else make(job)

    def _cfg(self, job: Job) -> Config:
        return self.plan.runs[job.wildcards["run"]].cfg

    def _start(self, *parts: float) -> float:
        return (START_PYTHON + sum(parts)) * self.case.starting

    # Training

    def _train_sft(self, job: Job) -> float:
        cfg, sft = self._cfg(job), self._cfg(job).sft
        examples = self._examples(job, cfg)
        tokens = sft.steps * sft.batch_tokens if sft.steps else examples * TOKENS_PER_EXAMPLE
        steps = tokens / sft.batch_tokens
        scored = min(sft.val_examples, self._pairs(cfg) * cfg.data.val_fraction) * TOKENS_PER_EXAMPLE * VALIDATION
        tokens += (steps // sft.checkpoint_every + 1) * scored
        self.amounts.tokens += tokens
        return self._start(self._load, self._compiling * COMPILE_TRAINING) + tokens / self.speeds.rate("training")

    def _examples(self, job: Job, cfg: Config) -> float:
        """Return the examples that a fine-tuning sees: the pairs, and the steps found so far."""
        run, sft, pairs = self.plan.runs[job.wildcards["run"]], cfg.sft, self._pairs(cfg)
        if not run.learns_from:
            return pairs * sft.epochs
        proved = sum(self._theorems(self.plan.runs[name].cfg) * self.case.solved for name in run.learns_from)
        found = proved * self.case.proof_steps * sft.positive_upsample
        return (pairs * sft.base_pair_share + found) * sft.later_epochs

    def _train_joint(self, job: Job) -> float:
        cfg, joint = self._cfg(job), self._cfg(job).joint
        states = joint.groups * (joint.negatives + 2) * TOKENS_PER_STATE  # positive, negatives and goal of each group
        tokens = float(joint.steps * (cfg.sft.batch_tokens + states))
        self.amounts.tokens += tokens
        return self._start(self._load, self._compiling * COMPILE_TRAINING) + tokens / self.speeds.rate("joint")

    # Value

    def _encode(self, job: Job) -> float:
        cfg, run = self._cfg(job), self.plan.runs[job.wildcards["run"]]
        states = 0.0
        for name in run.learns_from:
            other = self.plan.runs[name]
            searches = sum(kind != "negatives" for kind in other.kinds)
            theorems = self._theorems(other.cfg)
            if cfg.ebm.states_needed == "all":
                sampled = theorems * self._nodes(other.cfg.search.expansions) * other.cfg.search.candidates
                states += searches * sampled * self.case.new_states
            else:  # the expanded states of proved theorems, and of a third as many others
                nodes = self.case.solved_uses * other.cfg.search.expansions + other.cfg.search.past_proof
                solved = theorems * self.case.solved
                failed = min(FAILED_PART * solved, theorems - solved) * self._nodes(other.cfg.search.expansions)
                states += searches * (solved * nodes + failed)
        if not run.learns_from:
            states = self._pairs(cfg)
        self.amounts.encoded += states
        start = self.speeds.seconds("start_encode_states")
        start = self._start(self._load, self._compiling * COMPILE_ENCODER) if start is None else start
        return start + states / self.speeds.rate("encoding")

    def _head(self, job: Job) -> float:
        return self._start() + self._cfg(job).ebm.steps / self.speeds.rate("head")

    # Search

    def _nodes(self, budget: int) -> float:
        """Return the mean of expansions of a search with a budget."""
        case = self.case
        return budget * (case.solved * case.solved_uses + (1 - case.solved) * case.open_uses)

    def _search(self, job: Job) -> float:
        cfg, with_head = self._cfg(job), "ebm" in job.inputs
        theorems = self._searched(job) / cfg.search.shards * cfg.search.attempts
        probes = len(cfg.search.probe_tactics)
        if job.wildcards["kind"] == "negatives":
            nodes = theorems * self.case.solved * self.case.proof_steps
            probes += len(cfg.search.negative_probes)
        else:
            nodes = theorems * self._nodes(cfg.search.expansions)
            nodes += theorems * self.case.solved * cfg.search.past_proof
        asks_value = with_head and job.wildcards["kind"] != "negatives"
        return self._start_search(job, asks_value) + self._explore(job, nodes, with_head, asks_value, probes)

    def _evaluate(self, job: Job) -> float:
        cfg = self._cfg(job)
        evaluation = cfg.evaluation
        theorems = min(self.case.benchmark, evaluation.max_theorems or self.case.benchmark)
        searches = theorems * evaluation.attempts
        with_head = "ebm" in job.inputs
        nodes = searches * self._nodes(max(evaluation.budgets))
        asks_value = with_head and "shuffled" not in job.inputs
        reused = self.case.reused if "recorded" in job.inputs else 0.0
        own = self._start_search(job, asks_value) + self._explore(
            job, nodes, with_head, asks_value, len(cfg.search.probe_tactics), reused
        )
        return own + self._check(cfg, searches * self.case.solved)

    def _explore(
        self, job: Job, nodes: float, with_head: bool, asks_value: bool, probes: int, reused: float = 0.0
    ) -> float:
        """Return the seconds of expanding some nodes: the slower of the GPU and Lean, which work side by side.

        A share ``reused`` of them was expanded by an earlier search; only the value is asked about what they gave.
        """
        cfg = self._cfg(job)
        search = cfg.search
        found = nodes * (search.candidates_with_head if with_head else search.candidates)
        nodes, sampled = nodes * (1 - reused), found * (1 - reused)
        adapted = cfg.policy.backend == "server" and "base" in job.inputs  # its adapter is served beside it
        gpu = sampled / (self.speeds.rate("sampling") * (ADAPTED if adapted else 1.0))
        self.amounts.tactics += sampled
        asks_value = asks_value and search.priority != "logprob"
        if asks_value:
            encoded = found * self.case.new_states
            gpu += encoded / self.speeds.rate("encoding")
            self.amounts.encoded += encoded
        workers = cfg.machine_settings()["prover"]["workers"]
        lean = (sampled * self.case.distinct + nodes * probes) / (self.speeds.rate("lean") * workers)
        return max(gpu, lean)

    def _start_search(self, job: Job, asks_value: bool) -> float:
        """Return the seconds before a search; of the jobs that use a model's server the first one starts it."""
        cfg, model = self._cfg(job), str(job.inputs["model"])
        asks_value = asks_value and cfg.search.priority != "logprob"
        pool = self.speeds.seconds("pool_start")
        pool = self._import(cfg) if pool is None else pool
        known = self.speeds.seconds("start_search_shard")
        if known is not None:
            return known + pool
        policy = self._load + (START_SERVER if cfg.policy.backend == "server" else self._compiling * COMPILE_SAMPLING)
        if cfg.policy.backend == "server" and cfg.policy.server_kept:
            policy = 0.0 if model in self._served else policy
            self._served.add(model)
        value = self._load + self._compiling * COMPILE_ENCODER if asks_value else 0.0
        return self._start(policy, value) + pool

    def _import(self, cfg: Config) -> float:
        return (IMPORT_MATHLIB if "Mathlib" in cfg.prover.imports else IMPORT_CORE) * self.case.starting

    def _verify(self, job: Job) -> float:
        cfg = self._cfg(job)
        return self._start() + self._check(cfg, self._theorems(cfg) * self.case.solved)

    def _check(self, cfg: Config, proofs: float) -> float:
        """Return the seconds of the re-check of some proofs, by as many processes at once as there are workers."""
        workers = cfg.machine_settings()["prover"]["workers"]
        return self._import(cfg) + proofs * self.case.check_seconds / workers

    # What is there

    def _searched(self, job: Job) -> float:
        """Return the theorems of a round; where all are searched, those solved before have left."""
        run = self.plan.runs[job.wildcards["run"]]
        count = float(self._theorems(run.cfg))
        return count if run.cfg.search.max_theorems or not run.searched_before else count * (1 - self.case.solved)

    def _theorems(self, cfg: Config) -> int:
        path = self.results / "data" / "theorems.json"
        count = len(read_json(path)["theorems"]) if path.exists() else self._generated(cfg) or self.case.theorems
        return min(count, cfg.search.max_theorems or count)

    def _pairs(self, cfg: Config) -> int:
        path = self.results / "data" / "tactic_pairs" / "train.jsonl"
        if path.exists():
            with path.open("rb") as stream:
                return sum(1 for _ in stream)
        count = self._generated(cfg) or self.case.pairs
        return min(count, cfg.data.max_pairs or count)

    def _generated(self, cfg: Config) -> int:
        """Return the theorems of a corpus that is made here, 0 without one; its pairs are about as many (437 of 495)."""
        return cfg.data.corpus_size if cfg.data.source == "corpus" else 0


def describe(amounts: Amounts) -> str:
    """Return the work behind an estimate in words."""
    return (
        f"{amounts.tactics:,.0f} tactics sampled, {amounts.encoded:,.0f} states encoded, "
        f"{amounts.tokens / 1e6:,.0f} M tokens trained on"
    )
