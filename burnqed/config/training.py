"""Settings of what is trained: base model, adapter, joint training, encoder and energy head."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, field_validator, model_validator

from burnqed.config.base import MACHINE, PRESENTATION, Settings

FAILED_PART = 1 / 3  # theorems without a proof that the energy head learns from, for each one with


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
    texts: Literal["pairs", "corpus"] = Field(
        "pairs",
        description="what it reads: the tactic pairs, or states and tactics of the whole corpus (with scratch.noise: 1 "
        "never together, so that it knows the language and no proof)",
    )
    pair_share: float = Field(0.1, gt=0, le=1, description="share of the tactic pairs the base model sees")
    noise: float = Field(
        0.3, ge=0, le=1, description="share of those pairs whose tactic is replaced by that of another pair"
    )
    epochs: int = Field(4, ge=1, description="passes over the noisy pairs")
    learning_rate: float = Field(1e-3, gt=0, description="peak learning rate (cosine)")
    batch_tokens: int = Field(4096, ge=64, description="tokens per optimiser step")


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

    start: Literal["base", "previous"] = Field(
        "base", description="what iterations > 0 train on: the base model anew, or the adapter of the iteration before"
    )
    epochs: float = Field(1, gt=0, description="passes in iteration 0")
    later_epochs: float = Field(1, gt=0, description="passes in iterations > 0")
    learning_rate: float = Field(2e-4, gt=0, description="peak learning rate of iteration 0")
    later_rate: float = Field(
        1.0, gt=0, le=1, description="iteration i uses learning_rate * later_rate^i; the first plan said 0.5"
    )
    schedule: Literal["constant", "cosine"] = Field(
        "cosine", description="learning rate after the warm-up: as it is, or falling to zero within an iteration"
    )
    keep: Literal["best", "last"] = Field(
        "best",
        description="which checkpoint counts: lowest validation loss (pairs and found steps as trained), or last",
    )
    steps: int = Field(0, ge=0, description="optimiser steps of an iteration; 0 = as many as the epochs make")
    found_states: Literal["provable", "path"] = Field(
        "provable",
        description="iterations > 0 learn the best tactic of every provable state of solved trees, or the proofs' own steps",
    )
    proofs_per_theorem: int = Field(4, ge=0, description="shortest different proofs of a theorem that count; 0 = all")
    perplexity_quantiles: list[float] = Field(
        default_factory=lambda: [0.0, 1.0],
        min_length=2,
        max_length=2,
        description="found steps between these quantiles of the policy's surprise count; [0, 1] = all",
    )
    dpo_weight: float = Field(
        0.0,
        ge=0,
        description="weight of preferences beside the loss: tactics of proofs against those Lean refused at the same state",
    )
    dpo_beta: float = Field(0.1, gt=0, description="preferences: how far the policy may move from where it started")
    dpo_pairs: int = Field(16, ge=1, description="preferences: pairs per optimiser step")
    dpo_pairs_per_state: int = Field(2, ge=1, description="preferences: refused tactics of a state at most")
    control: Literal["none", "no_proofs", "shuffled"] = Field(
        "none",
        description="a control with the same number of steps: without found proofs, or with their tactics shuffled over states",
    )
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
        json_schema_extra=MACHINE,
    )
    layout: Literal["packed", "padded"] = Field(
        "packed", description="batches of one flattened row without padding, or of rows filled up"
    )
    warmup_ratio: float = Field(0.03, ge=0, lt=1, description="share of the steps with rising learning rate")
    warmup_steps: int = Field(0, ge=0, description="steps with rising learning rate; 0 = by warmup_ratio")
    weight_decay: float = Field(0.0, ge=0, description="AdamW weight decay")
    max_grad_norm: float = Field(1.0, gt=0, description="gradient clipping")
    gradient_checkpointing: bool = Field(True, description="recompute activations: less memory, about 30 % slower")
    checkpoint_every: int = Field(200, ge=1, description="optimiser steps between checkpoints")
    val_examples: int = Field(
        500, ge=1, description="validation examples scored at each checkpoint at most, of pairs and of trajectories"
    )
    trajectory_val_fraction: float = Field(
        0.05,
        ge=0,
        lt=1,
        description="share of the searched theorems unknown to the pairs whose proof steps are held out for validation",
    )
    base_pair_share: float = Field(
        0.4, ge=0, le=1, description="iterations > 0: share of the tactic pairs that is seen again"
    )
    continuation_share: float = Field(
        0.25, ge=0, lt=1, description="share of the examples that ask for the whole rest of a proof, not one tactic"
    )
    positive_upsample: int = Field(3, ge=1, description="iterations > 0: times each step that searches found is seen")
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
    steps: int = Field(1000, ge=1, description="optimiser steps")
    warmup_steps: int = Field(100, ge=1, description="steps with rising learning rates")
    groups: int = Field(16, ge=1, description="contrastive groups per optimiser step")
    negatives: int = Field(3, ge=1, description="negatives per group; the first one gets gradient")
    hard_share: float = Field(0.6, ge=0, le=1, description="share of negatives that are siblings of the positive")
    statistics_states: int = Field(
        8192, ge=2, description="states whose vectors set the head's mean and whitening before training"
    )
    log_every: int = Field(50, ge=1, description="steps between lines in the log", json_schema_extra=PRESENTATION)
    probe_every: int = Field(250, ge=1, description="steps between probes of the embeddings, and checkpoints")
    probe_states: int = Field(2000, ge=2, description="states of the probe, about")
    probe_groups: int = Field(256, ge=1, description="held-out groups of the probe")
    min_centroid_l2: float = Field(
        2.0,
        ge=0,
        description="stop when the probe's centroid_l2 falls below: the embeddings collapse",
        json_schema_extra=PRESENTATION,
    )
    max_sft_loss: float = Field(
        2.5,
        gt=0,
        description="stop when the loss of the tactics is above after grace_steps",
        json_schema_extra=PRESENTATION,
    )
    min_rank1: float = Field(
        0.25,
        ge=0,
        le=1,
        description="stop when held-out rank-1 is below after grace_steps",
        json_schema_extra=PRESENTATION,
    )
    grace_steps: int = Field(
        500, ge=0, description="steps before max_sft_loss and min_rank1 count", json_schema_extra=PRESENTATION
    )
    temperature_steps: int = Field(
        500,
        ge=1,
        description="stop when the head's temperature is at a bound for so many steps",
        json_schema_extra=PRESENTATION,
    )
    attribution_seeds: list[int] = Field(
        default_factory=lambda: [0, 1, 2],
        min_length=1,
        description="target joint_attribution: seeds of training and search of iteration 1, over one iteration 0",
    )


def joint_sft(sft: SFTSettings, joint: JointSettings) -> SFTSettings:
    """Return the settings of a fine-tuning with joint training's adapter and schedule."""
    return sft.model_copy(
        update={
            "lora_rank": joint.lora_rank,
            "lora_alpha": joint.lora_alpha,
            "start": "previous",
            "learning_rate": joint.learning_rate,
            "later_rate": 1.0,
            "schedule": "cosine",
            "steps": joint.steps,
            "warmup_steps": joint.warmup_steps,
            "checkpoint_every": joint.probe_every,
        }
    )


class EncoderSettings(Settings):
    """Mean-pooled hidden states of the policy model."""

    max_length: int = Field(
        1024, ge=16, description="tokens of a state; longer texts keep their last tokens (the goal)"
    )
    batch_tokens: int = Field(32768, ge=64, description="tokens per batch, padding included", json_schema_extra=MACHINE)
    dtype: Literal["float64", "float32", "bfloat16"] = Field("bfloat16", description="compute type")
    progress_every: int = Field(
        20000, ge=1, description="states between saves of the progress", json_schema_extra=MACHINE
    )


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
    positives: Literal["provable", "path"] = Field(
        "provable",
        description="provable: every state from which a recorded proof is known; path: those on found proofs, as the "
        "first plan had it",
    )
    unexpanded_negatives: bool = Field(
        False, description="also take states that were never expanded for negatives, as the first plan did"
    )
    failed_share: float = Field(
        0.25,
        ge=0,
        le=1,
        description="share of negatives from trees of theorems that were not proved, each under its own theorem; the "
        "first plan had none",
    )
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

    @property
    def states_needed(self) -> Literal["labelled", "all"]:
        """Which states of trajectories the head learns from, and so the only ones that have to be encoded."""
        return "all" if self.unexpanded_negatives else "labelled"


class ValueSettings(Settings):
    """A value trained on honest labels: what it reads, what it learns, and how its weight in the search is found."""

    reader: Literal["pooled", "prompt", "own", "free"] = Field(
        "own",
        description="pooled: the policy's mean hidden state; prompt: its hidden state at the end of the prompt; own: the "
        "same of a fine-tuned copy; free: its hidden state at the end of the tactic that led here, which sampling has anyway",
    )
    history: bool = Field(
        False, description="reader own: the tactics that led to a state stand above it in the value's prompt"
    )
    target: Literal["contrastive", "binary", "steps"] = Field(
        "steps",
        description="contrastive: the energy head of block ebm; binary: provable or not; steps: discount^(steps left - 1), "
        "0 when not proved",
    )
    discount: float = Field(0.8, gt=0, lt=1, description="target steps: value of one more step")
    negatives: Literal["expanded", "exhausted"] = Field(
        "expanded", description="states not proved that count: all where tactics were tried, or those with nothing left"
    )
    hidden_sizes: list[int] = Field(default_factory=lambda: [256, 128], description="hidden layers above the reading")
    dropout: float = Field(0.1, ge=0, lt=1, description="dropout between them")
    learning_rate: float = Field(1e-3, gt=0, description="peak learning rate of these layers")
    own_rate: float = Field(1e-4, gt=0, description="reader own: peak learning rate of the copy")
    lora_rank: int = Field(16, ge=0, description="reader own: LoRA rank of the copy; 0 = all its weights are trained")
    epochs: int = Field(30, ge=1, description="passes over the labelled states at most")
    own_epochs: int = Field(4, ge=1, description="the same for reader own")
    patience: int = Field(4, ge=1, description="passes without a better held-out loss before training stops")
    batch: int = Field(64, ge=1, description="states per optimiser step")
    val_fraction: float = Field(
        0.25, gt=0, lt=1, description="share of the theorems that choose the checkpoint and the weight in the search"
    )
    coefficients: list[float] = Field(
        default_factory=lambda: [0.25, 0.5, 1.0, 2.0, 4.0, 8.0],
        min_length=1,
        description="weights c that are tried for the priority `tuned`, on the trees of those theorems",
    )

    @model_validator(mode="after")
    def _check_history(self) -> Self:
        if self.history and self.reader != "own":
            raise ValueError(f"value.history: reader {self.reader} reads frozen states; set value.reader to own")
        return self
