"""Supervised fine-tuning of the policy with LoRA, or QLoRA (Dettmers et al., 2023) on nf4 weights."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from burnqed.config import ModelSettings, SFTSettings
from burnqed.files import UserError, atomic_dir, sha256_file, write_jsonl
from burnqed.jobs.progress import ProgressFolder
from burnqed.policy.continuation import CONTINUATIONS
from burnqed.policy.loading import load_model, load_tokenizer
from burnqed.policy.packed import compile_layers, trains_packed, use_packed_attention
from burnqed.policy.prompts import FORMATS
from burnqed.records.pairs import read_pairs
from burnqed.training.adapters import add_adapter, check_unquantised, model_identity, save_adapter
from burnqed.training.batches import (
    CPU_MICRO_TOKENS,
    Batcher,
    Example,
    loss_sum,
    make_examples,
    plan_steps,
)
from burnqed.training.checkpoints import TrainResult
from burnqed.training.engine import ALONE
from burnqed.training.loop import LoopSettings, SecondLoss, deterministic, train
from burnqed.training.mixture import Found, Mixture, held_out_theorems, mix, read_found
from burnqed.training.preferences import PreferenceLoss, PreferencePair
from burnqed.training.processes import Processes, join_processes, leave_processes
from burnqed.training.speed import adapter_flops_per_token

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class TrainingJob:
    """One iteration's training: what it reads, on which model, and how it runs.

    ``adapter`` is the iteration's before, to continue; ``trajectories`` and ``proofs`` are those of all
    iterations before. ``quantization`` is none or nf4, ``device`` cpu or cuda.
    """

    iteration: int
    base: Path
    adapter: Path | None
    pairs_file: Path
    val_file: Path
    trajectories: Sequence[Path]
    proofs: Sequence[Path]
    model_settings: ModelSettings
    quantization: str
    seed: int
    threads: int
    device: str


@dataclass(frozen=True)
class FineTuning:
    """A fine-tuning ready to run: the model with its adapter, what each step sees, and what it depends on.

    ``steps`` are the examples' indices of each optimiser step; ``held_out`` are validation pairs,
    ``held_out_steps`` proof steps that searches found, ``found_share`` their share of the training texts; ``record``
    goes into training.json, ``key`` into the key of the progress folder. With several ``processes`` each has its own.
    """

    model: Any
    tokenizer: Any
    examples: list[Example]
    steps: list[list[int]]
    held_out: list[Example]
    held_out_steps: list[Example]
    batcher: Batcher
    loop: LoopSettings
    key: dict[str, object]
    record: dict[str, object]
    processes: Processes = ALONE
    found_share: float = 0.0
    preferences: SecondLoss | None = None

    def batches(self, step: int) -> list[dict[str, Any]]:
        """Return the forward passes of a step (0-based), of this process's share."""
        return self.batcher(self.processes.share([self.examples[index] for index in self.steps[step]]))

    def validate(self) -> float:
        """Return the loss on what is held out: pairs, and steps that searches found in their share of the training."""
        loss = self._loss(self.held_out)
        if not self.held_out_steps or not self.found_share:
            return loss
        return (1 - self.found_share) * loss + self.found_share * self._loss(self.held_out_steps)

    def measure(self) -> dict[str, float]:
        """Return the loss on held-out proof steps, when there are any."""
        return {"trajectory_loss": self._loss(self.held_out_steps)} if self.held_out_steps else {}

    def _loss(self, examples: Sequence[Example]) -> float:
        return validation_loss(self.model, self.batcher(self.processes.share(examples)), self.processes)


def prepare(job: TrainingJob, settings: SFTSettings, processes: Processes = ALONE) -> FineTuning:
    """Read the data of an iteration's fine-tuning and load its model; raise UserError for unusable inputs."""
    previous = job.adapter if settings.start == "previous" else None
    if job.iteration > 0 and settings.start == "previous" and previous is None:
        raise UserError(
            f"sft.start: previous: iteration {job.iteration} starts from the adapter of iteration "
            f"{job.iteration - 1}: give --adapter"
        )
    check_unquantised(job.base)
    deterministic(job.seed + job.iteration, job.threads, strict=job.device == "cuda")
    form = FORMATS[job.model_settings.prompt_format]
    tokenizer = load_tokenizer(job.base)
    pairs, val_pairs = read_pairs(job.pairs_file), read_pairs(job.val_file)
    found = read_found(job.trajectories, job.proofs, settings)
    held = held_out_theorems(pairs, val_pairs, found.steps, settings.trajectory_val_fraction, job.seed)

    def build(wanted: SFTSettings) -> tuple[Mixture, list[Example], int]:
        mixture = mix(pairs, found, held, job.iteration, wanted, job.seed)
        return mixture, *_examples(tokenizer, job.model_settings, mixture)

    mixture, examples, too_long = build(settings)
    held_pairs = [(pair.state, pair.tactic) for pair in val_pairs]
    held_steps = list(dict.fromkeys((step.state, step.tactic) for step in found.steps if step.theorem in held))
    held_out, held_out_steps = (
        _choose(
            make_examples(tokenizer, form, texts, job.model_settings.max_length)[0], settings.val_examples, job.seed
        )
        for texts in (held_pairs, held_steps)
    )
    if not examples:
        raise UserError(
            f"{job.pairs_file}: nothing to train on (no pairs, or all longer than model.max_length = "
            f"{job.model_settings.max_length})"
        )
    epochs = settings.epochs if job.iteration == 0 else settings.later_epochs
    count = settings.steps
    if settings.control != "none" and not count:  # as many steps as the run that it is a control of
        treated = build(settings.model_copy(update={"control": "none"}))[1]
        count = len(plan_steps(treated, epochs, settings.batch_tokens, job.seed + job.iteration))
    steps = plan_steps(examples, epochs, settings.batch_tokens, job.seed + job.iteration, count)
    micro = settings.micro_batch_tokens or (settings.batch_tokens if job.device == "cuda" else CPU_MICRO_TOKENS)

    lm = load_model(job.base, settings.dtype, job.device, job.quantization)
    flops = adapter_flops_per_token(lm)
    model = trainable(lm, settings, previous, job.base, settings.layout, job.device)
    _own_dropout(job.seed + job.iteration, processes.rank)
    logger.info(
        "fine-tuning of iteration %d: %s, %d examples (%d too long), %d steps, %d trained parameters",
        job.iteration,
        mixture.counts,
        len(examples),
        too_long,
        len(steps),
        sum(p.numel() for p in model.parameters() if p.requires_grad),
    )
    loop = LoopSettings(
        learning_rate=settings.learning_rate * settings.later_rate**job.iteration,
        schedule=settings.schedule,
        keep=settings.keep,
        warmup_ratio=settings.warmup_ratio,
        warmup_steps=settings.warmup_steps,
        weight_decay=settings.weight_decay,
        max_grad_norm=settings.max_grad_norm,
        checkpoint_every=settings.checkpoint_every,
        autocast=settings.dtype == "bfloat16",
        flops_per_token=flops,
    )
    inputs = [job.pairs_file, job.val_file, *job.trajectories, *job.proofs]
    key = {
        "sft": settings.science(),
        "model": job.model_settings.science(),
        "quantization": job.quantization,
        "iteration": job.iteration,
        "seed": job.seed,
        "threads": job.threads,
        "device": job.device,
        "base": model_identity(job.base),
        "adapter": sha256_file(previous) if previous else "",
        "inputs": [sha256_file(path) for path in inputs],
    }
    held_counts = {"validation": len(held_out), "trajectory_validation": len(held_out_steps)}
    record: dict[str, object] = {
        "iteration": job.iteration,
        "prompt_format": form.name,
        "quantization": job.quantization,
        "examples": {**mixture.counts, "total": len(examples), "too_long": too_long, **held_counts},
        "steps": len(steps),
    }
    share = 1 - mixture.counts["pairs"] / max(1, len(mixture.texts))
    batcher = Batcher(settings.layout, micro, tokenizer.pad_token_id)
    second: SecondLoss | None = None
    if settings.dpo_weight and job.iteration > 0:
        preferences = _preference_pairs(tokenizer, job.model_settings, found, held)
        record["preference_pairs"] = len(preferences)
        second = PreferenceLoss(model, preferences, batcher.one, micro, settings, job.seed + job.iteration, processes)
    return FineTuning(
        model,
        tokenizer,
        examples,
        steps,
        held_out,
        held_out_steps,
        batcher,
        loop,
        key,
        record,
        processes,
        share,
        second,
    )


def _preference_pairs(tokenizer: Any, model: ModelSettings, found: Found, held: set[str]) -> list[PreferencePair]:
    """Return the preference pairs both of whose sides fit the model's length."""
    form = FORMATS[model.prompt_format]
    usable = [item for item in found.preferences if item.theorem not in held]
    texts = [(item.state, tactic) for item in usable for tactic in (item.chosen, item.rejected)]
    sides, _ = make_examples(tokenizer, form, texts, sys.maxsize)
    pairs = [PreferencePair(*pair) for pair in zip(sides[::2], sides[1::2], strict=True)]
    longest = model.max_length
    return [pair for pair in pairs if max(len(pair.chosen.tokens), len(pair.rejected.tokens)) <= longest]


def _examples(tokenizer: Any, model: ModelSettings, mixture: Mixture) -> tuple[list[Example], int]:
    """Return the examples of a mixture, and how many were too long."""
    form = FORMATS[model.prompt_format]
    examples, too_long = make_examples(tokenizer, form, mixture.texts, model.max_length)
    rests, dropped = make_examples(tokenizer, CONTINUATIONS[form.name], mixture.continuations, model.max_length)
    return examples + rests, too_long + dropped


def train_sft(job: TrainingJob, settings: SFTSettings, output: Path) -> TrainResult:
    """Train the adapter of an iteration and write its folder (adapter, training.json, history.jsonl).

    The adapter with the lowest validation loss is kept (``sft.keep``). Started in several processes (``burnqed.training.processes``), they
    train together and the main one writes. Raises UserError for unusable inputs.
    """
    processes = join_processes(job.device)
    tuning = prepare(job, settings, processes)
    progress = ProgressFolder(output, tuning.key) if processes.is_main else None
    try:
        result = run(tuning, output, progress)
        if progress is not None:
            write_adapter(tuning, result, job.base, output)
            progress.finish()
        leave_processes()
    finally:
        if progress is not None:
            progress.close()
    return result


def run(
    tuning: FineTuning, output: Path, progress: ProgressFolder | None, second: SecondLoss | None = None
) -> TrainResult:
    """Train the adapter of ``tuning``, from its last checkpoint if there is one."""
    return train(
        tuning.model,
        len(tuning.steps),
        tuning.batches,
        loss_sum,
        tuning.loop,
        output,
        progress,
        validate=tuning.validate if tuning.held_out else None,
        second=second or tuning.preferences,
        measure=tuning.measure,
        processes=tuning.processes,
    )


def write_adapter(tuning: FineTuning, result: TrainResult, base: Path, output: Path) -> None:
    """Write the adapter folder atomically."""
    best = {"best_step": result.best_step, "best_val_loss": result.best_val_loss}
    with atomic_dir(output) as folder:
        save_adapter(tuning.model, folder, base, output, {**tuning.record, **best})
        write_jsonl(folder / "history.jsonl", result.history)


def trainable(
    lm: Any, settings: SFTSettings, previous: Path | None, base: Path, layout: Literal["padded", "packed"], device: str
) -> Any:
    """Return a causal language model with a trainable adapter, made fast for a layout of batches."""
    import torch

    model = add_adapter(lm, settings, previous, base)
    if layout == "packed" and trains_packed(lm, device, getattr(torch, settings.dtype)):
        use_packed_attention(lm)
        if device == "cuda":
            compile_layers(lm)
    if settings.gradient_checkpointing:
        recompute_activations(lm)
    return model


def _own_dropout(seed: int, rank: int) -> None:
    """Give each process of a data-parallel training a dropout of its own; rank 0 keeps its stream."""
    if rank:
        import torch

        torch.manual_seed(seed + 1_000_003 * rank)


def _choose(examples: list[Example], count: int, seed: int) -> list[Example]:
    """Return at most ``count`` of some examples, at random, in their order."""
    if len(examples) <= count:
        return examples
    chosen = np.random.default_rng(seed).choice(len(examples), size=count, replace=False)
    return [examples[index] for index in sorted(chosen.tolist())]


def recompute_activations(lm: Any) -> None:
    """Make a model recompute its activations in the backward pass (less memory, slower)."""
    if hasattr(lm, "activation_checkpointing_enable"):  # the name since transformers 5.20 or so
        lm.activation_checkpointing_enable(activation_checkpointing_kwargs={"use_reentrant": False})
    else:
        lm.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})


def validation_loss(model: Any, batches: Sequence[dict[str, Any]], processes: Processes = ALONE) -> float:
    """Return the mean loss per counted token (nats) over some batches, of all processes together."""
    device = next(model.parameters()).device
    total, counted = 0.0, 0.0
    for batch in batches:
        total += float(loss_sum(model, {name: value.to(device) for name, value in batch.items()}))
        counted += int((batch["labels"] >= 0).sum())
    total, counted = processes.total(total, counted)
    return total / max(1, counted)
