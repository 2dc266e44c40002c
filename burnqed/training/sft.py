"""Supervised fine-tuning of the policy with LoRA, or QLoRA (Dettmers et al., 2023) on nf4 weights."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from burnqed.artifacts import ProgressFolder, UserError, atomic_dir, sha256_file, write_jsonl
from burnqed.config import ModelSettings, SFTSettings
from burnqed.data.pairs import read_pairs
from burnqed.policy.continuation import CONTINUATIONS
from burnqed.policy.loading import load_model, load_tokenizer
from burnqed.policy.packed import compile_layers, packable, use_packed_attention
from burnqed.policy.prompts import FORMATS
from burnqed.training.adapters import add_adapter, model_identity, save_adapter
from burnqed.training.batches import (
    CPU_MICRO_TOKENS,
    Example,
    collate,
    loss_sum,
    make_examples,
    plan_steps,
    split_packed,
    split_padded,
)
from burnqed.training.loop import LoopSettings, TrainResult, deterministic, train
from burnqed.training.mixture import mix, read_positives

logger = logging.getLogger(__name__)


def train_sft(
    base: Path,
    adapter: Path | None,
    pairs_file: Path,
    val_file: Path,
    trajectories: Sequence[Path],
    proofs: Sequence[Path],
    output: Path,
    iteration: int,
    settings: SFTSettings,
    model_settings: ModelSettings,
    quantization: str,
    seed: int,
    threads: int,
    device: str,
) -> TrainResult:
    """Train the adapter of an iteration and write its folder (adapter, training.json, history.jsonl).

    Iterations > 0 go on from the previous adapter, with learning rate / 2^i. The adapter with the
    lowest validation loss is kept. Raises UserError for unusable inputs.
    """
    if iteration > 0 and adapter is None:
        raise UserError(f"iteration {iteration} goes on from the adapter of iteration {iteration - 1}: give --adapter")
    deterministic(seed + iteration, threads)
    form = FORMATS[model_settings.prompt_format]
    tokenizer = load_tokenizer(base)
    pairs, val_pairs = read_pairs(pairs_file), read_pairs(val_file)
    positives = read_positives(trajectories, proofs)
    mixture = mix(pairs, positives, {pair.theorem for pair in val_pairs}, iteration, settings, seed)
    examples, too_long = make_examples(tokenizer, form, mixture.texts, model_settings.max_length)
    rests, dropped = make_examples(
        tokenizer, CONTINUATIONS[form.name], mixture.continuations, model_settings.max_length
    )
    examples, too_long = examples + rests, too_long + dropped
    held_out, _ = make_examples(tokenizer, form, [(p.state, p.tactic) for p in val_pairs], model_settings.max_length)
    if not examples:
        raise UserError(
            f"{pairs_file}: nothing to train on (no pairs, or all longer than model.max_length = "
            f"{model_settings.max_length})"
        )
    epochs = settings.epochs if iteration == 0 else settings.later_epochs
    steps = plan_steps(examples, epochs, settings.batch_tokens, seed + iteration)
    layout: Literal["padded", "packed"] = "packed" if device == "cuda" else "padded"
    if settings.layout != "auto":
        layout = settings.layout
    micro = settings.micro_batch_tokens or (settings.batch_tokens if device == "cuda" else CPU_MICRO_TOKENS)
    batcher = _Batcher(layout, micro, tokenizer.pad_token_id)

    lm = load_model(base, settings.dtype, device, quantization)
    model = trainable(lm, settings, adapter, base, layout, device)
    logger.info(
        "fine-tuning of iteration %d: %s, %d examples (%d too long), %d steps, %d trained parameters",
        iteration,
        mixture.counts,
        len(examples),
        too_long,
        len(steps),
        sum(p.numel() for p in model.parameters() if p.requires_grad),
    )
    loop = LoopSettings(
        learning_rate=settings.learning_rate / 2**iteration,
        warmup_ratio=settings.warmup_ratio,
        weight_decay=settings.weight_decay,
        max_grad_norm=settings.max_grad_norm,
        checkpoint_every=settings.checkpoint_every,
        autocast=settings.dtype == "bfloat16",
    )
    inputs = [pairs_file, val_file, *trajectories, *proofs]
    key = {
        "sft": settings.model_dump(),
        "model": model_settings.model_dump(),
        "quantization": quantization,
        "iteration": iteration,
        "seed": seed,
        "threads": threads,
        "device": device,
        "base": model_identity(base),
        "adapter": sha256_file(adapter) if adapter else "",
        "inputs": [sha256_file(path) for path in inputs],
    }
    progress = ProgressFolder(output, key)
    try:
        result = train(
            model,
            len(steps),
            lambda step: batcher([examples[index] for index in steps[step]]),
            loss_sum,
            loop,
            output,
            progress,
            validate=(lambda: validation_loss(model, batcher(held_out))) if held_out else None,
        )
        record: dict[str, object] = {
            "iteration": iteration,
            "prompt_format": form.name,
            "quantization": quantization,
            "examples": {**mixture.counts, "total": len(examples), "too_long": too_long, "validation": len(held_out)},
            "steps": len(steps),
            "best_step": result.best_step,
            "best_val_loss": result.best_val_loss,
        }
        with atomic_dir(output) as folder:
            save_adapter(model, folder, base, output, record)
            write_jsonl(folder / "history.jsonl", result.history)
        progress.finish()
    finally:
        progress.close()
    return result


def trainable(
    lm: Any, settings: SFTSettings, previous: Path | None, base: Path, layout: Literal["padded", "packed"], device: str
) -> Any:
    """Return a causal language model with a trainable adapter, made fast for a layout of batches."""
    import torch

    model = add_adapter(lm, settings, previous, base)
    if layout == "packed" and packable(lm, device, getattr(torch, settings.dtype)):
        use_packed_attention(lm)
        compile_layers(lm)
    if settings.gradient_checkpointing:
        recompute_activations(lm)
    return model


def recompute_activations(lm: Any) -> None:
    """Make a model recompute its activations in the backward pass (less memory, slower)."""
    if hasattr(lm, "activation_checkpointing_enable"):  # the name since transformers 5.20 or so
        lm.activation_checkpointing_enable(activation_checkpointing_kwargs={"use_reentrant": False})
    else:
        lm.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})


class _Batcher:
    """Turns examples into the tensors of forward passes."""

    def __init__(self, layout: Literal["padded", "packed"], tokens: int, pad: int) -> None:
        self.layout, self.tokens, self.pad = layout, tokens, pad

    def __call__(self, examples: Sequence[Example]) -> list[dict[str, Any]]:
        split = split_packed if self.layout == "packed" else split_padded
        return [collate(group, self.layout, self.pad) for group in split(examples, self.tokens)]


def validation_loss(model: Any, batches: Sequence[dict[str, Any]]) -> float:
    """Return the mean loss per counted token (nats) over some batches."""
    device = next(model.parameters()).device
    total, counted = 0.0, 0
    for batch in batches:
        total += float(loss_sum(model, {name: value.to(device) for name, value in batch.items()}))
        counted += int((batch["labels"] >= 0).sum())
    return total / max(1, counted)
