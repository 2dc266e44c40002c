"""A byte-level BPE tokenizer trained on the tactic pairs, for models trained from scratch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

END = "<|end|>"
PAD = "<|pad|>"


def train_tokenizer(texts: Iterable[str], vocabulary: int) -> Any:
    """Return a fast tokenizer of at most ``vocabulary`` tokens, deterministic in the texts.

    Byte-level, so any text can be written and read back; digits stand alone; no token is added to
    a text by itself. ``<|end|>`` ends a sequence and ``<|pad|>`` fills.
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    core.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[PAD, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    core.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=core, eos_token=END, pad_token=PAD, clean_up_tokenization_spaces=False
    )
