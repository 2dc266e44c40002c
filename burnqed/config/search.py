"""Settings of proving: policy, prover, re-check, search, evaluation, ablation and gates."""

from __future__ import annotations

from typing import Any, Literal, Self, get_args

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from burnqed.config.base import MACHINE, PLAN, PRESENTATION, SECRET, Settings


class PolicySettings(Settings):
    """How tactics are sampled."""

    backend: Literal["transformers", "server"] = Field(
        "server", description="transformers: in this process; server: an OpenAI-compatible completions server"
    )
    adapter: Literal["merge", "serve"] = Field(
        "merge",
        description="merge: each iteration writes a whole model; serve: its adapter stays beside the base model, and a server "
        "takes both (its rounding differs a little; in this process the bits are the same). 4-bit encoding needs merge",
        json_schema_extra=PLAN,
    )
    server_url: list[str] = Field(
        default_factory=list,
        description="URLs of running servers of one model, shared by all searches; empty = jobs start a vLLM server",
        json_schema_extra=MACHINE,
    )  # its key, if it wants one, comes from the environment: BURNQED_SERVER_KEY
    server_python: str = Field(
        "",
        description="python of vLLM's own environment, for a server the job starts; empty = `vllm` on PATH",
        json_schema_extra=MACHINE,
    )
    server_kept: bool = Field(
        True,
        description="a server that a job started goes on for the next search on its GPU, also of another model; any other job "
        "there ends it first (on the driver's own machine)",
        json_schema_extra=MACHINE,
    )
    server_memory: float = Field(
        0.6,
        gt=0,
        lt=1,
        description="share of the GPU's memory for a server the job starts; the encoder needs the rest",
        json_schema_extra=MACHINE,
    )
    dtype: Literal["float64", "float32", "bfloat16"] = Field(
        "bfloat16", description="float64 makes results independent of batch composition (small models)"
    )
    max_new_tokens: int = Field(128, ge=1, description="tokens of one tactic at most")
    max_proof_tokens: int = Field(
        512, ge=1, description="tokens of one whole-proof continuation at most (search.mode continuation or mixed)"
    )
    top_p: float = Field(1.0, gt=0, le=1, description="nucleus sampling")
    max_batch: int = Field(
        256, ge=1, description="sequences generated at once in the search's own process", json_schema_extra=MACHINE
    )
    server_sequences: int = Field(
        1024,
        ge=1,
        description="sequences that a server works on at once, as its memory allows",
        json_schema_extra=MACHINE,
    )

    @field_validator("server_url", mode="before")
    @classmethod
    def _no_key_in_url(cls, value: object) -> object:
        urls = [value] if isinstance(value, str) and value else value or []
        if isinstance(urls, list) and any("@" in str(url) or "?" in str(url) for url in urls):
            raise PydanticCustomError(SECRET, "a URL with a user, a password or a key; give it in BURNQED_SERVER_KEY")
        return urls


class ProverSettings(Settings):
    """The proof assistant and its workers."""

    kind: Literal["lean", "pantograph"] = Field(
        "lean",
        description="lean: any toolchain's own language server; pantograph: its repl, built with the project's Lean",
    )
    command: list[str] = Field(
        default_factory=list,
        description="start of one worker; empty = lean: the project's lean, else the one on PATH, else the embedded "
        "one; pantograph: repl Init and the imports",
        json_schema_extra=MACHINE,
    )
    imports: list[str] = Field(
        default_factory=lambda: ["Mathlib"],
        description="modules every theorem sees besides Init and those its header imports",
    )
    project: str = Field(
        "", description="Lean project folder the workers run in; LEAN_PATH comes from it", json_schema_extra=MACHINE
    )
    lean_path: str = Field(
        "", description="LEAN_PATH; empty = `lake env printenv LEAN_PATH` in the project", json_schema_extra=MACHINE
    )
    workers: int = Field(16, ge=1, description="Lean processes per job", json_schema_extra=MACHINE)
    ready_timeout: float = Field(
        120, gt=0, description="seconds a worker may take to say ready", json_schema_extra=MACHINE
    )
    tactic_timeout: float = Field(10, gt=0, description="seconds one tactic may take")
    max_heartbeats: int = Field(
        200000, ge=0, description="Lean's own limit of a theorem's work, the same on each machine (lean); 0 = none"
    )
    recycle_requests: int = Field(
        1000, ge=1, description="requests after which a worker is replaced", json_schema_extra=MACHINE
    )
    recycle_seconds: float = Field(
        1800, gt=0, description="age at which a worker is replaced", json_schema_extra=MACHINE
    )
    memory_limit_mb: int = Field(8192, ge=64, description="memory of one worker")
    sandbox: Literal["auto", "bubblewrap", "namespaces", "off"] = Field(
        "auto",
        description="auto: bubblewrap, else namespaces, else refuse; off: trust the model's text",
        json_schema_extra=MACHINE,
    )

    def which_lean(self) -> dict[str, Any]:
        """Return what decides which Lean answers: a verdict of another one is another verdict."""
        return self.model_dump(include={"kind", "command", "imports", "project", "lean_path"})


class VerifySettings(Settings):
    """Independent re-check of whole proofs."""

    proofs_per_process: int = Field(
        50,
        ge=1,
        description="proofs compiled by one fresh process, when they share a header",
        json_schema_extra=MACHINE,
    )
    timeout: float = Field(300, gt=0, description="seconds for one proof")
    axioms: list[str] = Field(
        default_factory=lambda: ["propext", "Classical.choice", "Quot.sound"], description="axioms a proof may use"
    )
    toolchain: str = Field(
        "",
        description="Lean of the re-check: folder of a toolchain (bin/lean) or of a Lean project; empty = the search's",
    )
    options: list[str] = Field(
        default_factory=list,
        description="further arguments of the compiler in the re-check, such as -DElab.async=false",
    )
    max_chars: int = Field(200_000, ge=1, description="longest proof that is read, in characters")


# The orders of expansion; burnqed/search/frontier.py says how each is computed. All but the first need a head.
EnergyPriority = Literal["energy", "weighted", "hybrid", "tuned"]
Priority = Literal["logprob", EnergyPriority]


class SearchSettings(Settings):
    """Best-first search and what it records."""

    shards: int = Field(1, ge=1, description="jobs per search; theorems are assigned by hash of their name")
    max_theorems: int = Field(2000, ge=0, description="theorems of a round at most, 0 = all that are not solved yet")
    fresh_share: float = Field(
        0.5,
        ge=0,
        le=1,
        description="share of a round for theorems never searched; the rest for unsolved ones, nearest first",
    )
    paired_theorems: bool = Field(
        False, description="also search theorems whose proof is among the tactic pairs (their proofs are not new)"
    )
    expansions: int = Field(32, ge=1, description="nodes expanded per theorem at most")
    max_depth: int = Field(50, ge=1, description="tactics on one path at most")
    max_tactics: int = Field(20000, ge=1, description="tactics tried per theorem at most")
    max_seconds: float = Field(1800, gt=0, description="seconds per theorem at most")
    batch_expansions: int = Field(1, ge=1, description="best nodes of one theorem expanded at once")
    concurrency: int = Field(128, ge=1, description="theorems in flight", json_schema_extra=MACHINE)
    candidates: int = Field(8, ge=1, description="tactics sampled per expansion, without a head")
    temperature: float = Field(1.0, ge=0, description="sampling temperature, without a head")
    candidates_with_head: int = Field(8, ge=1, description="tactics sampled per expansion, with a head")
    temperature_with_head: float = Field(1.0, ge=0, description="sampling temperature, with a head")
    noisy_temperature: float = Field(1.2, gt=0, description="sampling temperature of the noisy search")
    mode: Literal["tactic", "continuation", "mixed"] = Field("tactic", description="what one expansion samples")
    resample: int = Field(
        0, ge=0, description="times a state may be sampled again when no new state is left, until the budget is used"
    )
    past_proof: int = Field(
        0,
        ge=0,
        description="searches for training data go on for so many expansions after the first proof: more labels for the value",
    )
    negatives: bool = Field(
        True, description="also try tactics along the proofs found, for the head's contrast (kind negatives)"
    )
    negative_probes: list[str] = Field(
        default_factory=lambda: ["exfalso", "constructor", "left", "right", "symm", "push_neg", "norm_num", "omega"],
        description="kind negatives: tactics tried at each state besides probe_tactics and the policy's",
    )
    priority: Priority = Field("hybrid", description="order of expansion with a head (always logprob without one)")
    length_alpha: float = Field(
        0.5, ge=0, le=1, description="logprob priority: cumulative log-probability / depth^alpha"
    )
    logprob_weight: float = Field(0.5, ge=0, description="weight of the log-probability in `weighted`")
    energy_weight: float = Field(1.0, ge=0, description="weight of the energy in `weighted`")
    probe_tactics: list[str] = Field(
        default_factory=list, description="tactics tried at each expansion besides the policy's"
    )
    attempts: int = Field(1, ge=1, description="independent searches per theorem, with different seeds")


class EvaluationSettings(Settings):
    """Evaluation on held-out benchmarks."""

    benchmark: str = Field("minif2f_test", description="name of the benchmark (a key of `benchmarks`)")
    benchmarks: list[str] = Field(
        default_factory=list,
        description="further benchmarks (keys of `benchmarks`) that the base model and every iteration are measured on, "
        "each with a table and figure of its own; gates and training look at `benchmark` alone",
        json_schema_extra=PLAN,
    )
    budgets: list[int] = Field(
        default_factory=lambda: [8, 32, 64],
        description="expanded nodes; the largest is searched, the others are prefixes",
    )
    attempts: int = Field(1, ge=1, description="independent attempts per theorem (pass@k)")
    reuse: bool = Field(
        True,
        description="a search with a head takes over what the one without tried at the same states, where both sample alike",
        json_schema_extra=PLAN,
    )
    max_theorems: int = Field(0, ge=0, description="first theorems of the benchmark only, 0 = all")
    confidence: float = Field(0.95, gt=0, lt=1, description="level of the intervals", json_schema_extra=PRESENTATION)
    bootstrap_samples: int = Field(
        10000, ge=100, description="resamples of paired differences", json_schema_extra=PRESENTATION
    )

    @property
    def further(self) -> tuple[str, ...]:
        """The benchmarks beside the experiment's own."""
        return tuple(name for name in dict.fromkeys(self.benchmarks) if name != self.benchmark)


HeadKind = Literal["goal_conditioned", "state_only"]


StudyArm = Literal["no_proofs", "shuffled", "dpo"]


class StudySettings(Settings):
    """Target expert_iteration: rounds of several seeds against their controls."""

    seeds: list[int] = Field(default_factory=lambda: [0, 1, 2], min_length=1, description="training seeds")
    sampling_seeds: list[int] = Field(
        default_factory=lambda: [0, 1], min_length=1, description="seeds of sampling in each evaluation"
    )
    rounds: int = Field(4, ge=1, description="rounds after round 0")
    arms: list[StudyArm] = Field(
        default_factory=lambda: list[StudyArm](get_args(StudyArm)),
        description="beside the last round: controls of equal steps, and the last round with preferences",
    )
    dpo_weight: float = Field(0.3, gt=0, description="weight of the preferences in the arm dpo")


ValueArm = Literal[
    "pooled-contrastive",
    "pooled-binary",
    "pooled-steps",
    "prompt-binary",
    "prompt-steps",
    "own-binary",
    "own-steps",
    "own-steps-history",
    "free-binary",
    "free-steps",
]


def arm_parts(arm: str) -> tuple[str, str, bool]:
    """Return an arm's reader and target, and whether it reads the proof's history."""
    reader, target, *history = arm.split("-")
    return reader, target, bool(history)


class ValueLabSettings(Settings):
    """Target value_lab: values of several readers and targets, in all orders over the same recorded trees."""

    arms: list[ValueArm] = Field(
        default_factory=lambda: list[ValueArm](
            (
                "pooled-contrastive",
                "pooled-binary",
                "pooled-steps",
                "prompt-steps",
                "own-binary",
                "own-steps",
                "free-steps",
            )
        ),
        min_length=1,
        description="values to compare, reader-target, with the proof's history or without",
    )
    endpoint: ValueArm = Field("own-steps", description="the arm of the endpoint, named before the run")
    seeds: list[int] = Field(default_factory=lambda: [0, 1, 2], min_length=1, description="training seeds of each")
    sampling_seeds: list[int] = Field(
        default_factory=lambda: [0, 1], min_length=1, description="seeds of the candidates in the benchmark's trees"
    )
    nodes: int = Field(8, ge=1, description="expanded nodes of the endpoint; one of evaluation.budgets")
    relabel_theorems: int = Field(
        60, ge=1, description="training theorems that are searched again, four times as much, to test the labels"
    )

    @model_validator(mode="after")
    def _check_endpoint(self) -> Self:
        if self.endpoint not in self.arms:
            raise ValueError(f"value_lab.endpoint: {self.endpoint} is not among value_lab.arms")
        return self


class AblationSettings(Settings):
    """Target ablation_value: what the head is worth in search, at equal expansions and seeds."""

    seeds: int = Field(3, ge=1, description="trainings of each head and searches of each way, from `seed` upwards")
    heads: list[HeadKind] = Field(
        default_factory=lambda: list[HeadKind](get_args(HeadKind)), min_length=1, description="kinds of head"
    )
    priorities: list[EnergyPriority] = Field(
        default_factory=lambda: list[EnergyPriority](("energy", "weighted", "hybrid")),
        min_length=1,
        description="orders of expansion with each head; the reference is logprob",
    )
    shuffled: list[EnergyPriority] = Field(
        default_factory=lambda: list[EnergyPriority](("energy", "weighted", "hybrid")),
        description="those of the priorities that are also run with the first head's energies permuted between states",
    )

    @model_validator(mode="after")
    def _check_shuffled(self) -> Self:
        if not set(self.shuffled) <= set(self.priorities):
            raise ValueError("ablation.shuffled: name only priorities that ablation.priorities has")
        return self


class GateSettings(Settings):
    """Lines that stop a run that is going wrong."""

    on_fail: Literal["stop", "warn"] = Field(
        "stop", description="stop the workflow, or continue with a warning", json_schema_extra=PRESENTATION
    )
    min_baseline_rate: float = Field(
        0.02,
        ge=0,
        le=1,
        description="the base model must solve this share of the benchmark",
        json_schema_extra=PRESENTATION,
    )
    min_gain: float = Field(
        0.0, description="iteration 0 must beat the base model by this much", json_schema_extra=PRESENTATION
    )
    max_drop: float = Field(
        0.05,
        ge=0,
        description="the solve rate may fall by this much between iterations",
        json_schema_extra=PRESENTATION,
    )
    min_rank1_margin: float = Field(
        0.0, description="the head's held-out rank-1 accuracy above chance", json_schema_extra=PRESENTATION
    )
    min_auc: float = Field(
        0.5,
        ge=0,
        le=1,
        description="the head's AUC over all labelled states of held-out theorems, failed trees too, must be more than this",
        json_schema_extra=PRESENTATION,
    )
    min_energy_gap: float = Field(
        0.0,
        description="the head's energy gap (negative minus positive states) must be more than this",
        json_schema_extra=PRESENTATION,
    )
    min_centroid_l2: float = Field(
        0.5,
        ge=0,
        description="embedding collapse: distance of positive and negative centroids",
        json_schema_extra=PRESENTATION,
    )
    min_linear_probe: float = Field(
        0.5,
        ge=0,
        le=1,
        description="embedding collapse: balanced accuracy of a linear probe (chance 0.5)",
        json_schema_extra=PRESENTATION,
    )
    lean_start_theorems: int = Field(
        50,
        ge=1,
        description="target lean_start: theorems searched for its head, and benchmark theorems it is judged on",
    )
    temperature_range: list[float] = Field(
        default_factory=lambda: [0.1, 10.0],
        min_length=2,
        max_length=2,
        description="bounds of the head's temperature",
        json_schema_extra=PRESENTATION,
    )
