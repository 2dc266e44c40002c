"""A small Llama trained from scratch on a noisy share of the pairs: the rehearsal's base model."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from burnqed.config import ModelSettings, ScratchSettings
from burnqed.files import UserError, atomic_dir, sha256_file, write_jsonl
from burnqed.jobs.progress import ProgressFolder
from burnqed.policy.loading import quiet_libraries
from burnqed.policy.packed import trains_packed, use_packed_attention
from burnqed.policy.prompts import FORMATS
from burnqed.records.pairs import TacticPair
from burnqed.training.batches import CPU_MICRO_TOKENS, Batcher, loss_sum, make_examples, plan_steps
from burnqed.training.checkpoints import TrainResult
from burnqed.training.loop import LoopSettings, deterministic, train
from burnqed.training.tokenizer import train_tokenizer

logger = logging.getLogger(__name__)


def noisy_share(pairs: Sequence[TacticPair], share: float, noise: float, seed: int) -> list[tuple[str, str]]:
    """Return a random share of the pairs, some of them with the tactic of another pair."""
    rng = np.random.default_rng(seed)
    count = max(1, round(share * len(pairs)))
    chosen = sorted(rng.choice(len(pairs), size=count, replace=False).tolist())
    wrong = rng.random(count) < noise
    others = rng.integers(0, len(pairs), size=count)
    return [
        (pairs[index].state, pairs[int(others[at])].tactic if wrong[at] else pairs[index].tactic)
        for at, index in enumerate(chosen)
    ]


def new_llama(settings: ScratchSettings, tokenizer: Any, max_length: int) -> Any:
    """Return a Llama with random weights from torch's global random state (float32, tied embeddings)."""
    from transformers import LlamaConfig, LlamaForCausalLM

    if settings.hidden_size % (2 * settings.heads):
        raise UserError(
            f"scratch.hidden_size: {settings.hidden_size} is not a multiple of twice scratch.heads ({settings.heads})"
        )
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=settings.hidden_size,
        intermediate_size=max(32, round(settings.hidden_size * 8 / 3 / 32) * 32),
        num_hidden_layers=settings.layers,
        num_attention_heads=settings.heads,
        num_key_value_heads=settings.heads,
        max_position_embeddings=max_length,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    return LlamaForCausalLM(config)


def train_base_model(
    pairs: Sequence[TacticPair],
    source: Path,
    output: Path,
    scratch: ScratchSettings,
    model: ModelSettings,
    seed: int,
    threads: int,
    device: str,
) -> TrainResult:
    """Train tokenizer and model and write the model folder (weights, tokenizer, history.jsonl).

    The tokenizer sees all pairs; the model sees a noisy share and learns whole texts (states too),
    as a pretrained model would. ``source`` is the file the pairs are of. Raises UserError when there are none.
    """
    deterministic(seed, threads)
    quiet_libraries()
    if not pairs:
        raise UserError(f"{source}: no tactic pairs; check the data report and data.* settings")
    form = FORMATS[model.prompt_format]
    tokenizer = train_tokenizer((form.prompt(p.state) + form.completion(p.tactic) for p in pairs), scratch.vocabulary)
    chosen = noisy_share(pairs, scratch.pair_share, scratch.noise, seed)
    examples, dropped = make_examples(tokenizer, form, chosen, model.max_length, whole_text=True)
    if not examples:
        raise UserError(f"{source}: every pair is longer than model.max_length ({model.max_length} tokens)")
    steps = plan_steps(examples, scratch.epochs, scratch.batch_tokens, seed)
    lm = new_llama(scratch, tokenizer, model.max_length).to(device)
    if trains_packed(lm, device, lm.dtype):
        use_packed_attention(lm)
    logger.info(
        "base model: %d parameters, %d tokens of vocabulary, %d pairs (%d too long), %d steps",
        sum(p.numel() for p in lm.parameters()),
        len(tokenizer),
        len(examples),
        dropped,
        len(steps),
    )
    settings = LoopSettings(
        learning_rate=scratch.learning_rate, warmup_ratio=0.05, weight_decay=0.01, checkpoint_every=100
    )
    key = {
        "scratch": scratch.science(),
        "model": model.science(),
        "seed": seed,
        "threads": threads,
        "device": device,
        "pairs": sha256_file(source),
    }

    batcher = Batcher("packed", CPU_MICRO_TOKENS, tokenizer.pad_token_id)

    def micro_batches(step: int) -> list[dict[str, Any]]:
        return batcher([examples[index] for index in steps[step]])

    with ProgressFolder(output, key) as progress:
        result = train(lm, len(steps), micro_batches, loss_sum, settings, output, progress)
        with atomic_dir(output) as folder:
            lm.save_pretrained(str(folder))
            tokenizer.save_pretrained(str(folder))
            write_jsonl(folder / "history.jsonl", result.history)
        progress.finish()
    return result
