"""Typed settings of an experiment: one class per block of config.yaml.

The classes are the single source of key names, types, defaults (the published experiment) and
descriptions; the JSON schema and the command-line options of every workflow script are made from
them. Run as: ``python -m burnqed.config > config.schema.json``.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import shlex
import types
from collections.abc import Mapping
from typing import Any, Literal, Self, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from burnqed.artifacts import UserError


class Settings(BaseModel):
    """A block of settings: immutable, unknown keys refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ModelSettings(Settings):
    """The base model: a pinned snapshot, or a small Llama trained from scratch."""

    kind: Literal["pretrained", "scratch"] = Field(
        "pretrained", description="pretrained: a pinned snapshot; scratch: train a small Llama here"
    )
    repository: str = Field("deepseek-ai/DeepSeek-Prover-V2-7B", description="model repository, or a local folder")
    revision: str = Field("main", description="commit of the repository; pin it for a published run")
    prompt_format: Literal[
        "deepseek", "goedel_prover", "kimina_prover", "bfs_prover", "internlm_stepprover", "goal_proofstep"
    ] = Field("deepseek", description="text form of state and tactic, in training and in search")
    max_length: int = Field(
        1024, ge=32, description="tokens of prompt plus tactic; longer examples are dropped and counted"
    )


class ScratchSettings(Settings):
    """Training the small base model from scratch (rehearsal only)."""

    hidden_size: int = Field(128, ge=8, description="width of the Llama")
    layers: int = Field(4, ge=1, description="number of decoder layers")
    heads: int = Field(4, ge=1, description="attention heads")
    vocabulary: int = Field(1024, ge=300, description="size of the byte-level BPE trained on the tactic pairs")
    pair_share: float = Field(0.1, gt=0, le=1, description="share of the tactic pairs the base model sees")
    noise: float = Field(
        0.3, ge=0, le=1, description="share of those pairs whose tactic is replaced by that of another pair"
    )
    epochs: int = Field(4, ge=1, description="passes over the noisy pairs")
    learning_rate: float = Field(1e-3, gt=0, description="peak learning rate (cosine)")
    batch_tokens: int = Field(4096, ge=64, description="tokens per optimiser step")


class DataSettings(Settings):
    """Training theorems and tactic pairs."""

    source: Literal["minilean", "files"] = Field(
        "files", description="minilean: generate a corpus here; files: read published sets"
    )
    corpus_size: int = Field(2000, ge=50, description="minilean: theorems to generate")
    theorem_files: list[str] = Field(
        default_factory=lambda: ["lean_workbook"],
        description="theorem sets to search on: names of `sources`, paths, or hf://owner/name[@commit]/file",
    )
    pair_files: list[str] = Field(
        default_factory=lambda: ["leandojo_benchmark_4"],
        description="sets of tactic pairs: names of `sources`, paths, or hf://owner/name[@commit]/file",
    )
    val_fraction: float = Field(
        0.05, gt=0, lt=1, description="share of theorems whose pairs are held out for validation"
    )
    max_state_chars: int = Field(4096, ge=64, description="pairs with a longer state are dropped and counted")
    max_pairs: int = Field(0, ge=0, description="keep at most this many pairs, 0 = all")
    trivial_share: float = Field(
        0.1, ge=0, le=1, description="share of the pairs kept whose tactic is one of trivial_tactics; 1 = all"
    )
    trivial_tactics: list[str] = Field(
        default_factory=lambda: ["rfl", "simp", "trivial", "decide", "norm_num", "ring", "omega", "aesop"],
        description="tactics that close easy goals without an argument",
    )
    drop_syntax: list[str] = Field(
        default_factory=lambda: ["lean3", "suggestion", "renamed_tactic"],
        description="kinds of tactics that the present Lean does not read (docs/data.md names them)",
    )
    nested_tactics: Literal["auto", "keep", "drop"] = Field(
        "auto",
        description="extraction: tactics inside other tactics (blocks, `<;>`); auto: keep, with minilean drop",
    )
    extract_timeout: float = Field(300, gt=0, description="extraction: seconds for one proof or file")
    pool_depth: int = Field(
        3, ge=1, description="theorems with a proof at least this deep go to the pool for contrastive data"
    )
    replay_theorems: int = Field(200, ge=1, description="theorems per source that validate_tactics replays")
    on_damage: Literal["stop", "skip"] = Field(
        "stop", description="what to do with a damaged row of a source: stop, or skip and count it"
    )
    max_row_mb: float = Field(8, gt=0, description="a longer row of a source counts as damaged")
    contamination: Literal["fail", "warn"] = Field(
        "fail", description="what to do when a training theorem is also in a benchmark"
    )


class SourceSettings(Settings):
    """One published set, under the name that `data` and `benchmarks` use."""

    repository: str = Field("", description="dataset repository on the Hub (owner/name); empty: file is a local path")
    revision: str = Field("", description="commit of the repository")
    file: str = Field(description="file in the repository, or a local file or folder")
    licence: str = Field("", description="licence of the data, as its publisher states it")
    sha256: str = Field("", description="expected SHA-256 of the file; empty = record, do not check")
    kind: Literal["file", "proofs", "project", "traced"] = Field(
        "file",
        description="file: theorems or tactic pairs; proofs: whole proofs and project: a Lean project, which the "
        "prover turns into pairs; traced: a repository that LeanDojo traced",
    )
    header: str = Field("", description="proofs: opens and options to put before a proof that brings none")


class BenchmarkSettings(Settings):
    """One held-out theorem set."""

    source: str = Field(
        description="minilean:benchmark, minilean:classical, a name of `sources`, a path, or hf://owner/name/file"
    )
    split: str = Field("test", description="split to read when the file has several")
    sha256: str = Field("", description="expected SHA-256 of the source file; empty = record, do not check")


class TrainingSettings(Settings):
    """How each iteration trains."""

    mode: list[Literal["sft", "joint"]] = Field(
        ["sft"],
        min_length=1,
        description="per iteration: sft, then a head of its own; joint: both at once; the last one also for all later",
    )

    @field_validator("mode", mode="before")
    @classmethod
    def _one_for_all(cls, value: object) -> object:
        return [value] if isinstance(value, str) else value

    @field_validator("mode")
    @classmethod
    def _no_joint_start(cls, value: list[str]) -> list[str]:
        if value[0] == "joint":
            raise ValueError(
                "iteration 0 cannot be joint: there are no searches yet to take states off the proofs from; "
                "give [sft, joint]"
            )
        return value

    def mode_of(self, iteration: int) -> str:
        """Return how an iteration trains."""
        return self.mode[min(iteration, len(self.mode) - 1)]


class SFTSettings(Settings):
    """Supervised fine-tuning of the policy with (Q)LoRA."""

    epochs: float = Field(3, gt=0, description="passes in iteration 0")
    later_epochs: float = Field(1, gt=0, description="passes in iterations > 0")
    learning_rate: float = Field(
        2e-4, gt=0, description="peak learning rate of iteration 0; iteration i > 0 uses it / 2^i"
    )
    steps: int = Field(0, ge=0, description="optimiser steps of an iteration; 0 = as many as the epochs make")
    lora_rank: int = Field(16, ge=1, description="LoRA rank r")
    lora_alpha: int = Field(32, ge=1, description="LoRA scale alpha")
    lora_dropout: float = Field(0.05, ge=0, lt=1, description="LoRA dropout")
    target_modules: list[str] = Field(
        default_factory=lambda: ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"],
        description="projections that get an adapter",
    )
    batch_tokens: int = Field(16384, ge=64, description="tokens per optimiser step")
    micro_batch_tokens: int = Field(
        0,
        ge=0,
        description="tokens per forward pass (gradients are summed over the step); 0 = a whole step on a GPU, 1,024 on a CPU",
    )
    layout: Literal["auto", "padded", "packed"] = Field(
        "auto", description="batches of rows filled up, or of one flattened row; auto: packed on a GPU, padded on a CPU"
    )
    warmup_ratio: float = Field(0.03, ge=0, lt=1, description="share of the steps with rising learning rate")
    warmup_steps: int = Field(0, ge=0, description="steps with rising learning rate; 0 = by warmup_ratio")
    weight_decay: float = Field(0.0, ge=0, description="AdamW weight decay")
    max_grad_norm: float = Field(1.0, gt=0, description="gradient clipping")
    gradient_checkpointing: bool = Field(True, description="recompute activations: less memory, about 30 % slower")
    checkpoint_every: int = Field(200, ge=1, description="optimiser steps between checkpoints")
    val_examples: int = Field(
        2000, ge=1, description="validation examples scored at each checkpoint at most, of pairs and of trajectories"
    )
    trajectory_val_fraction: float = Field(
        0.05,
        ge=0,
        lt=1,
        description="share of the searched theorems unknown to the pairs whose proof steps are held out for validation",
    )
    base_pair_share: float = Field(
        0.3, ge=0, le=1, description="iterations > 0: share of the tactic pairs that is seen again"
    )
    continuation_share: float = Field(
        0.25, ge=0, lt=1, description="share of the examples that ask for the whole rest of a proof, not one tactic"
    )
    positive_upsample: int = Field(3, ge=1, description="iterations > 0: times each step on a proof path is seen")
    dtype: Literal["float32", "bfloat16"] = Field(
        "bfloat16", description="compute type; the adapter itself stays float32"
    )


class JointSettings(Settings):
    """Joint training of adapter and energy head (training.mode joint); the rest as in sft and ebm."""

    weight: float = Field(0.1, ge=0, description="weight of the contrastive loss beside that of the tactics")
    lora_rank: int = Field(64, ge=1, description="LoRA rank r; a narrower adapter of the iteration before grows to it")
    lora_alpha: int = Field(128, ge=1, description="LoRA scale alpha")
    learning_rate: float = Field(2e-5, gt=0, description="peak learning rate of the adapter, in every iteration")
    head_learning_rate: float = Field(3e-5, gt=0, description="peak learning rate of the head")
    steps: int = Field(6000, ge=1, description="optimiser steps")
    warmup_steps: int = Field(300, ge=1, description="steps with rising learning rates")
    groups: int = Field(16, ge=1, description="contrastive groups per optimiser step")
    negatives: int = Field(3, ge=1, description="negatives per group; the first one gets gradient")
    hard_share: float = Field(0.6, ge=0, le=1, description="share of negatives that are siblings of the positive")
    statistics_states: int = Field(
        8192, ge=2, description="states whose vectors set the head's mean and whitening before training"
    )
    log_every: int = Field(50, ge=1, description="steps between lines in the log")
    probe_every: int = Field(500, ge=1, description="steps between probes of the embeddings, and checkpoints")
    probe_states: int = Field(2000, ge=2, description="states of the probe, about")
    probe_groups: int = Field(256, ge=1, description="held-out groups of the probe")
    min_centroid_l2: float = Field(
        2.0, ge=0, description="stop when the probe's centroid_l2 falls below: the embeddings collapse"
    )
    max_sft_loss: float = Field(2.5, gt=0, description="stop when the loss of the tactics is above after grace_steps")
    min_rank1: float = Field(0.25, ge=0, le=1, description="stop when held-out rank-1 is below after grace_steps")
    grace_steps: int = Field(1000, ge=0, description="steps before max_sft_loss and min_rank1 count")
    temperature_steps: int = Field(
        500, ge=1, description="stop when the head's temperature is at a bound for so many steps"
    )
    attribution_seeds: list[int] = Field(
        default_factory=lambda: [0, 1, 2],
        min_length=1,
        description="target joint_attribution: seeds of training and search of iteration 1, over one iteration 0",
    )


def joint_sft(sft: SFTSettings, joint: JointSettings, iteration: int) -> SFTSettings:
    """Return the settings of a fine-tuning with joint training's adapter and schedule."""
    return sft.model_copy(
        update={
            "lora_rank": joint.lora_rank,
            "lora_alpha": joint.lora_alpha,
            "learning_rate": joint.learning_rate * 2**iteration,
            "steps": joint.steps,
            "warmup_steps": joint.warmup_steps,
            "checkpoint_every": joint.probe_every,
        }
    )


class PolicySettings(Settings):
    """How tactics are sampled."""

    backend: Literal["transformers", "server"] = Field(
        "server", description="transformers: in this process; server: an OpenAI-compatible completions server"
    )
    server_url: str = Field("", description="URL of a running server; empty = the job starts and owns a vLLM server")
    server_python: str = Field(
        "", description="python of vLLM's own environment, for a server the job starts; empty = `vllm` on PATH"
    )
    server_memory: float = Field(
        0.6, gt=0, lt=1, description="share of the GPU's memory for a server the job starts; the encoder needs the rest"
    )
    dtype: Literal["float64", "float32", "bfloat16"] = Field(
        "bfloat16", description="float64 makes results independent of batch composition (small models)"
    )
    max_new_tokens: int = Field(128, ge=1, description="tokens of one tactic at most")
    max_proof_tokens: int = Field(
        512, ge=1, description="tokens of one whole-proof continuation at most (search.mode continuation or mixed)"
    )
    top_p: float = Field(1.0, gt=0, le=1, description="nucleus sampling")
    max_batch: int = Field(256, ge=1, description="sequences generated at once")


class EncoderSettings(Settings):
    """Mean-pooled hidden states of the policy model."""

    max_length: int = Field(
        1024, ge=16, description="tokens of a state; longer texts keep their last tokens (the goal)"
    )
    batch_tokens: int = Field(32768, ge=64, description="tokens per batch, padding included")
    dtype: Literal["float64", "float32", "bfloat16"] = Field("bfloat16", description="compute type")
    progress_every: int = Field(20000, ge=1, description="states between saves of the progress")


class EBMSettings(Settings):
    """The energy head and its contrastive training."""

    head: Literal["goal_conditioned", "state_only"] = Field("goal_conditioned", description="input of the head")
    hidden_sizes: list[int] = Field(
        default_factory=lambda: [2048, 1024, 512], description="widths of the hidden layers"
    )
    dropout: float = Field(0.15, ge=0, lt=1, description="dropout between the layers")
    loss: Literal["infonce", "margin"] = Field("infonce", description="contrastive loss")
    margin: float = Field(1.0, gt=0, description="margin of the ranking loss")
    negatives: int = Field(7, ge=1, description="negatives per group")
    hard_share: float = Field(0.6, ge=0, le=1, description="share of negatives that are siblings of the positive")
    groups: int = Field(128, ge=1, description="groups per optimiser step")
    steps: int = Field(50000, ge=1, description="optimiser steps at most")
    learning_rate: float = Field(1e-4, gt=0, description="peak learning rate")
    weight_decay: float = Field(0.01, ge=0, description="AdamW weight decay")
    warmup_steps: int = Field(500, ge=0, description="steps with rising learning rate")
    evaluate_every: int = Field(500, ge=1, description="steps between validations and checkpoints")
    patience: int = Field(10, ge=1, description="validations without a better rank-1 before training stops")
    val_fraction: float = Field(0.1, gt=0, lt=1, description="share of theorems held out")
    resume: Literal["auto", "none"] = Field(
        "auto", description="auto: start from the previous head when its encoder is the same"
    )


class ProverSettings(Settings):
    """The proof assistant behind the Pantograph protocol, and its workers."""

    kind: Literal["pantograph", "minilean"] = Field(
        "pantograph", description="pantograph: real Lean; minilean: the embedded prover"
    )
    command: list[str] = Field(
        default_factory=lambda: ["repl", "Init", "Mathlib"], description="start of one worker (pantograph)"
    )
    project: str = Field("", description="Lean project folder the workers run in; LEAN_PATH comes from it")
    lean_path: str = Field("", description="LEAN_PATH; empty = `lake env printenv LEAN_PATH` in the project")
    workers: int = Field(16, ge=1, description="Lean processes per job")
    ready_timeout: float = Field(120, gt=0, description="seconds a worker may take to say ready")
    tactic_timeout: float = Field(10, gt=0, description="seconds one tactic may take")
    recycle_requests: int = Field(1000, ge=1, description="requests after which a worker is replaced")
    recycle_seconds: float = Field(1800, gt=0, description="age at which a worker is replaced")
    memory_limit_mb: int = Field(8192, ge=64, description="memory of one worker")
    sandbox: Literal["auto", "bubblewrap", "namespaces", "off"] = Field(
        "auto", description="auto: bubblewrap, else namespaces, else refuse; off: trust the model's text"
    )


class VerifySettings(Settings):
    """Independent re-check of whole proofs."""

    proofs_per_process: int = Field(50, ge=1, description="proofs checked by one fresh process")
    timeout: float = Field(300, gt=0, description="seconds for one proof")
    axioms: list[str] = Field(
        default_factory=lambda: ["propext", "Classical.choice", "Quot.sound"], description="axioms a proof may use"
    )
    track: bool = Field(True, description="also compare the statements with frontend.track (Pantograph >= 0.3.6)")
    leanchecker: Literal["auto", "required", "off"] = Field(
        "auto",
        description="replay accepted proofs through the kernel: where the toolchain can (Lean >= 4.28), always, off",
    )


class SearchSettings(Settings):
    """Best-first search and what it records."""

    shards: int = Field(16, ge=1, description="jobs per search; theorems are assigned by hash of their name")
    max_theorems: int = Field(
        0, ge=0, description="search at most this many training theorems (by hash order), 0 = all"
    )
    expansions: int = Field(300, ge=1, description="nodes expanded per theorem at most")
    max_depth: int = Field(50, ge=1, description="tactics on one path at most")
    max_tactics: int = Field(20000, ge=1, description="tactics tried per theorem at most")
    max_seconds: float = Field(1800, gt=0, description="seconds per theorem at most")
    batch_expansions: int = Field(4, ge=1, description="best nodes of one theorem expanded at once")
    concurrency: int = Field(64, ge=1, description="theorems in flight")
    candidates: int = Field(8, ge=1, description="tactics sampled per expansion, without a head")
    temperature: float = Field(0.8, ge=0, description="sampling temperature, without a head")
    candidates_with_head: int = Field(8, ge=1, description="tactics sampled per expansion, with a head")
    temperature_with_head: float = Field(1.0, ge=0, description="sampling temperature, with a head")
    noisy_temperature: float = Field(1.2, gt=0, description="sampling temperature of the noisy search")
    mode: Literal["tactic", "continuation", "mixed"] = Field("tactic", description="what one expansion samples")
    resample: int = Field(
        0, ge=0, description="times a state may be sampled again when no new state is left, until the budget is used"
    )
    negatives: bool = Field(
        True, description="also try tactics along the proofs found, for the head's contrast (kind negatives)"
    )
    negative_probes: list[str] = Field(
        default_factory=lambda: ["exfalso", "constructor", "left", "right", "symm", "push_neg", "norm_num", "omega"],
        description="kind negatives: tactics tried at each state besides probe_tactics and the policy's",
    )
    priority: Literal["logprob", "energy", "weighted", "hybrid"] = Field(
        "hybrid", description="order of expansion with a head (always logprob without one)"
    )
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
    budgets: list[int] = Field(
        default_factory=lambda: [100, 300, 600],
        description="expanded nodes; the largest is searched, the others are prefixes",
    )
    attempts: int = Field(1, ge=1, description="independent attempts per theorem (pass@k)")
    max_theorems: int = Field(0, ge=0, description="first theorems of the benchmark only, 0 = all")
    confidence: float = Field(0.95, gt=0, lt=1, description="level of the intervals")
    bootstrap_samples: int = Field(10000, ge=100, description="resamples of paired differences")


HeadKind = Literal["goal_conditioned", "state_only"]
EnergyPriority = Literal["energy", "weighted", "hybrid"]
ENERGY_PRIORITIES: tuple[EnergyPriority, ...] = get_args(EnergyPriority)


class AblationSettings(Settings):
    """Target ablation_value: what the head is worth in search, at equal expansions and seeds."""

    seeds: int = Field(3, ge=1, description="trainings of each head and searches of each way, from `seed` upwards")
    heads: list[HeadKind] = Field(
        default_factory=lambda: list[HeadKind](get_args(HeadKind)), min_length=1, description="kinds of head"
    )
    priorities: list[EnergyPriority] = Field(
        default_factory=lambda: list(ENERGY_PRIORITIES),
        min_length=1,
        description="orders of expansion with each head; the reference is logprob",
    )
    shuffled: list[EnergyPriority] = Field(
        default_factory=lambda: list(ENERGY_PRIORITIES),
        description="those of the priorities that are also run with the first head's energies permuted between states",
    )

    @model_validator(mode="after")
    def _check_shuffled(self) -> Self:
        if not set(self.shuffled) <= set(self.priorities):
            raise ValueError("ablation.shuffled: name only priorities that ablation.priorities has")
        return self


class GateSettings(Settings):
    """Lines that stop a run that is going wrong."""

    on_fail: Literal["stop", "warn"] = Field("stop", description="stop the workflow, or go on with a warning")
    min_baseline_rate: float = Field(
        0.05, ge=0, le=1, description="the base model must solve this share of the benchmark"
    )
    min_gain: float = Field(0.0, description="iteration 0 must beat the base model by this much")
    max_drop: float = Field(0.05, ge=0, description="the solve rate may fall by this much between iterations")
    min_rank1_margin: float = Field(0.0, description="the head's held-out rank-1 accuracy above chance")
    min_energy_gap: float = Field(
        0.0, description="the head's energy gap (negative minus positive states) must be more than this"
    )
    min_centroid_l2: float = Field(
        0.5, ge=0, description="embedding collapse: distance of positive and negative centroids"
    )
    min_linear_probe: float = Field(
        0.5, ge=0, le=1, description="embedding collapse: balanced accuracy of a linear probe (chance 0.5)"
    )
    lean_start_theorems: int = Field(
        50,
        ge=1,
        description="target lean_start: theorems searched for its head, and benchmark theorems it is judged on",
    )
    temperature_range: list[float] = Field(
        default_factory=lambda: [0.1, 10.0], min_length=2, max_length=2, description="bounds of the head's temperature"
    )


# Settings that say where and how fast a job runs, not what it finds: they change with the machine, and a result made on
# another machine stays good. They reach the scripts by the environment, in MACHINE_SETTINGS, and not by options.
MACHINE_KEYS: dict[str, frozenset[str]] = {
    "sft": frozenset({"micro_batch_tokens"}),
    "policy": frozenset({"server_url", "server_python", "server_memory", "max_batch"}),
    "encoder": frozenset({"batch_tokens", "progress_every"}),
    "prover": frozenset(
        {"project", "lean_path", "workers", "ready_timeout", "recycle_requests", "recycle_seconds", "sandbox"}
    ),
    "search": frozenset({"concurrency"}),
}
MACHINE_SETTINGS = "BURNQED_MACHINE_SETTINGS"


class HardwareSettings(Settings):
    """One type of machine: what it costs and what it forces."""

    price_per_hour: float = Field(0.0, ge=0, description="price of one GPU hour, US dollars")
    quantization: Literal["none", "nf4"] = Field("none", description="weights in training; nf4: QLoRA, for 24 GB cards")
    encoder_quantization: Literal["same", "none", "nf4"] = Field(
        "same", description="weights in encoding, search and evaluation; same: as in training"
    )
    device: Literal["auto", "cpu", "cuda"] = Field("auto", description="auto: the GPU when there is one")
    settings: dict[str, dict[str, Any]] = Field(
        default_factory=dict,
        description="other defaults for settings of the machine, by block (sft: {micro_batch_tokens: 2048})",
    )

    @field_validator("settings")
    @classmethod
    def _check_keys(cls, value: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        for block, keys in value.items():
            for key in keys:
                if key not in MACHINE_KEYS.get(block, ()):
                    known = ", ".join(f"{name}.{k}" for name, ks in MACHINE_KEYS.items() for k in sorted(ks))
                    raise ValueError(f"{block}.{key} belongs to the experiment; a machine may set {known}")
        return value


def published_sources() -> dict[str, SourceSettings]:
    """Return the published sets that the workflow knows by name."""
    workbook = {"repository": "internlm/Lean-Workbook", "licence": "apache-2.0"}
    at = "2e066e310b2c6d2c27616927ae131f82901c8f1c"
    return {
        "lean_workbook": SourceSettings(**workbook, revision=at, file="lean_workbook.json"),
        "lean_workbook_steps": SourceSettings(**workbook, revision=at, file="wkbk_1009.parquet"),
        "lean_workbook_proofs": SourceSettings(**workbook, revision=at, file="lean_workbook.json", kind="proofs"),
        "leandojo_benchmark_4": SourceSettings(
            repository="cat-searcher/leandojo-benchmark-4-random",
            revision="8a88a90126dd900e33039562766d6b9b60c66fbf",
            file="data/train-00000-of-00001.parquet",
        ),
        "lean_github": SourceSettings(
            repository="internlm/Lean-Github",
            revision="22220a1073f959ec6fe1cee596965a8275bcc550",
            file="lean-github.parquet",
            licence="apache-2.0",
            sha256="849076288d96d06f68deb5ebcbf65aefba8939fc31b6db897225ea8df26133cb",
        ),
        "goedel_workbook_proofs": SourceSettings(
            repository="Goedel-LM/Lean-workbook-proofs",
            revision="b731852af8d8ab11498fda27bce9020738c01c59",
            file="data/train-00000-of-00001.parquet",
            licence="mit",
            sha256="24fcb50eecc2ccbcc52a58c6412c6d10edbeaa9483a97d30e207fb20ef6e2677",
            kind="proofs",
        ),
        "numinamath_lean": SourceSettings(
            repository="AI-MO/NuminaMath-LEAN",
            revision="main",
            file="data/train-00000-of-00001.parquet",
            licence="apache-2.0",
            kind="proofs",
        ),
        "minif2f_lean4": SourceSettings(
            repository="cat-searcher/minif2f-lean4",
            revision="fcf8001781ea1fa4b391d64c8ddb5ec1a64bfe74",
            file="test.jsonl",
            licence="mit",
        ),
    }


class Config(Settings):
    """The whole experiment."""

    results: str = Field("results", min_length=1, description="folder of everything the run makes")
    seed: int = Field(0, ge=0, description="seed of everything random")
    iterations: int = Field(5, ge=1, description="iterations of the loop (iter_0 .. iter_{n-1})")
    hardware: str = Field(
        "auto", description="type of machine (a key of `hardware_types`); auto: what the profile says, else cpu"
    )
    model: ModelSettings = ModelSettings()
    scratch: ScratchSettings = ScratchSettings()
    data: DataSettings = DataSettings()
    sources: dict[str, SourceSettings] = Field(
        default_factory=published_sources, description="published sets by name; an overlay adds to them"
    )
    benchmarks: dict[str, BenchmarkSettings] = Field(
        default_factory=lambda: {"minif2f_test": BenchmarkSettings(source="minif2f_lean4")},
        description="held-out theorem sets by name; an overlay drops one by setting it to null",
    )
    training: TrainingSettings = TrainingSettings()
    sft: SFTSettings = SFTSettings()
    joint: JointSettings = JointSettings()
    policy: PolicySettings = PolicySettings()
    encoder: EncoderSettings = EncoderSettings()
    ebm: EBMSettings = EBMSettings()
    prover: ProverSettings = ProverSettings()
    verify: VerifySettings = VerifySettings()
    search: SearchSettings = SearchSettings()
    evaluation: EvaluationSettings = EvaluationSettings()
    ablation: AblationSettings = AblationSettings()
    gates: GateSettings = GateSettings()
    hardware_types: dict[str, HardwareSettings] = Field(
        default_factory=lambda: {"cpu": HardwareSettings()}, description="machine types by name"
    )

    @field_validator("benchmarks", mode="before")
    @classmethod
    def _drop_null_benchmarks(cls, value: object) -> object:
        return {k: v for k, v in value.items() if v is not None} if isinstance(value, dict) else value

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        if self.evaluation.benchmark not in self.benchmarks:
            raise ValueError(
                f"evaluation.benchmark: '{self.evaluation.benchmark}' is not a key of `benchmarks` "
                f"({', '.join(self.benchmarks) or 'which is empty'})"
            )
        if self.hardware != "auto" and self.hardware not in self.hardware_types:
            raise ValueError(
                f"hardware: '{self.hardware}' is not a key of `hardware_types` ({', '.join(self.hardware_types)})"
            )
        modes = [self.training.mode_of(i) for i in range(self.iterations)]
        back = "joint" in modes and "sft" in modes[modes.index("joint") :]
        shapes = [(block.lora_rank, block.lora_alpha) for block in (self.sft, self.joint)]
        if back and shapes[0] != shapes[1]:
            raise ValueError(
                "training.mode: an iteration with sft after a joint one goes on with its adapter: "
                "give sft.lora_rank and sft.lora_alpha the values of joint.lora_rank and joint.lora_alpha"
            )
        if sorted(set(self.evaluation.budgets)) != self.evaluation.budgets:
            raise ValueError("evaluation.budgets: give different budgets in rising order")
        return self

    @property
    def machine(self) -> HardwareSettings:
        """The settings of the machine type in use."""
        return self.hardware_types["cpu" if self.hardware == "auto" else self.hardware]

    def machine_settings(self) -> dict[str, dict[str, Any]]:
        """Return the settings of MACHINE_KEYS by block: the machine type's where the experiment has its default."""
        found: dict[str, dict[str, Any]] = {}
        for name, keys in MACHINE_KEYS.items():
            block: Settings = getattr(self, name)
            own = self.machine.settings.get(name, {})
            changed = {
                key: value
                for key, value in own.items()
                if getattr(block, key) == type(block).model_fields[key].get_default(call_default_factory=True)
            }
            found[name] = {key: changed.get(key, getattr(block, key)) for key in sorted(keys)}
        return found


def _valid_keys(path: tuple[int | str, ...]) -> list[str]:
    """Return the keys allowed in the block that holds the offending key."""
    block: Any = Config
    for part in path[:-1]:
        if isinstance(block, type) and issubclass(block, BaseModel) and part in block.model_fields:
            block = block.model_fields[str(part)].annotation
        elif get_origin(block) is dict:
            block = get_args(block)[1]
    return list(block.model_fields) if isinstance(block, type) and issubclass(block, BaseModel) else []


def load_config(values: Mapping[str, object]) -> Config:
    """Check a configuration and return it typed.

    Raises UserError with one line per wrong key: its path, what is wrong, and the mend.
    """
    try:
        return Config.model_validate(dict(values))
    except ValidationError as error:
        lines = []
        for item in error.errors():
            key = ".".join(str(part) for part in item["loc"])
            if item["type"] == "extra_forbidden":
                close = difflib.get_close_matches(str(item["loc"][-1]), _valid_keys(item["loc"]), 1)
                hint = f"did you mean '{close[0]}'?" if close else "remove it"
                lines.append(f"{key}: unknown key; {hint}")
            elif not key:
                lines.append(str(item["msg"]).removeprefix("Value error, "))
            else:
                lines.append(f"{key}: {item['msg']}; got {item['input']!r}")
        raise UserError(
            "wrong configuration (config.yaml, --configfile or --config):\n  " + "\n  ".join(lines)
        ) from None


S = TypeVar("S", bound=Settings)


def _plain_type(annotation: Any) -> tuple[Any, bool]:
    """Return the type of one value and whether the field is a list."""
    if get_origin(annotation) is list:
        return get_args(annotation)[0], True
    if get_origin(annotation) in (Union, types.UnionType):
        return next(a for a in get_args(annotation) if a is not type(None)), False
    return annotation, False


def _to_bool(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise argparse.ArgumentTypeError(f"true or false, not '{text}'")
    return text.lower() == "true"


def add_flags(parser: argparse.ArgumentParser, block: str, kind: type[Settings]) -> None:
    """Add ``--block.key`` options for every key of a settings class, with its default and help.

    A workflow gives the machine's settings by the environment (MACHINE_SETTINGS); they replace the defaults.
    """
    machine = json.loads(os.environ.get(MACHINE_SETTINGS, "{}")).get(block, {})
    group = parser.add_argument_group(f"{block} settings", kind.__doc__)
    for name, info in kind.model_fields.items():
        value_type, is_list = _plain_type(info.annotation)
        choices = None
        if get_origin(value_type) is Literal:
            choices, value_type = get_args(value_type), str
        default = machine.get(name, info.get_default(call_default_factory=True))
        group.add_argument(
            f"--{block}.{name}",
            type=_to_bool if value_type is bool else value_type,
            nargs="*" if is_list else None,
            choices=choices,
            default=default,
            metavar=None if choices else name.upper(),
            help=f"{info.description} (default: {default})".replace("%", "%%"),
        )


def settings_from(args: argparse.Namespace, block: str, kind: type[S]) -> S:
    """Return the settings given by the options of ``add_flags``; raise UserError when one is wrong."""
    given = vars(args)
    try:
        return kind.model_validate({name: given[f"{block}.{name}"] for name in kind.model_fields})
    except ValidationError as error:
        first = error.errors()[0]
        raise UserError(f"--{block}.{first['loc'][0]}: {first['msg']}; got {first['input']!r}") from None


def flags(block: str, settings: Settings) -> str:
    """Return the command-line options that give these settings, but those of the machine, quoted for a shell."""
    words: list[str] = []
    for name, value in settings.model_dump(exclude=set(MACHINE_KEYS.get(block, ()))).items():
        words.append(f"--{block}.{name}")
        if isinstance(value, list):
            words += [str(item) for item in value]
        else:
            words.append(str(value).lower() if isinstance(value, bool) else str(value))
    return shlex.join(words)


def main() -> None:
    """Print the JSON schema of config.yaml."""
    print(json.dumps(Config.model_json_schema(), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
