"""What is read of a decoder's last hidden states: their mean over a text, or the one at its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from burnqed.policy.packed import packing


def state_tokens(tokenizer: Any, texts: Sequence[str], max_length: int) -> list[tuple[int, ...]]:
    """Return the token ids of states; a longer one keeps its last ``max_length`` tokens (the goal)."""
    tokenizer.truncation_side = "left"
    encoded = tokenizer(list(texts), truncation=True, max_length=max_length)
    tokens = [tuple(ids) for ids in encoded["input_ids"]]
    if not all(tokens):
        raise ValueError("a state without text has no vector; a proved state is never scored")
    return tokens


def pooled(decoder: Any, tokens: Sequence[Sequence[int]], device: Any, packed: bool) -> Tensor:
    """Return the mean of the last hidden states over each text's tokens, (texts, hidden), at least float32.

    One forward pass; gradients flow where the caller lets them. padded: one row per text, filled on
    the right, where a causal model cannot see it, so no attention mask is needed; the padded positions
    are left out of the mean. packed: the texts one after another in one row, for a model with packed
    attention (``burnqed.policy.packed``).
    """
    lengths = [len(ids) for ids in tokens]
    sizes = torch.tensor(lengths, device=device)
    if packed:
        hidden = _packed_hidden(decoder, tokens, device)
        return torch.segment_reduce(hidden.float(), "mean", lengths=sizes, axis=0)
    hidden = _padded_hidden(decoder, tokens, device)
    if hidden.dtype == torch.bfloat16:
        hidden = hidden.float()
    inside = torch.arange(hidden.shape[1], device=device)[None, :] < sizes[:, None]
    total: Tensor = (hidden * inside[:, :, None]).sum(dim=1)
    return total / sizes[:, None]


def last_hidden(decoder: Any, tokens: Sequence[Sequence[int]], device: Any, packed: bool) -> Tensor:
    """Return the last hidden state at each text's last token, (texts, hidden), in the decoder's type; see ``pooled``."""
    lengths = torch.tensor([len(ids) for ids in tokens], device=device)
    if packed:
        return _packed_hidden(decoder, tokens, device)[lengths.cumsum(0) - 1]
    hidden = _padded_hidden(decoder, tokens, device)
    return hidden[torch.arange(len(tokens), device=device), lengths - 1]


def _packed_hidden(decoder: Any, tokens: Sequence[Sequence[int]], device: Any) -> Tensor:
    """Return the hidden states of texts one after another, (tokens, hidden)."""
    lengths = [len(ids) for ids in tokens]
    flat = torch.from_numpy(np.concatenate([np.asarray(ids, np.int64) for ids in tokens]))
    positions = torch.from_numpy(np.concatenate([np.arange(length) for length in lengths]))
    hidden: Tensor = decoder(
        input_ids=flat[None].to(device),
        position_ids=positions[None].to(device),
        use_cache=False,
        **packing(lengths, device),
    ).last_hidden_state[0]
    return hidden


def _padded_hidden(decoder: Any, tokens: Sequence[Sequence[int]], device: Any) -> Tensor:
    """Return the hidden states of texts filled up on the right, (texts, longest, hidden)."""
    rows = np.zeros((len(tokens), max(map(len, tokens))), np.int64)
    for row, ids in enumerate(tokens):
        rows[row, : len(ids)] = ids
    hidden: Tensor = decoder(input_ids=torch.from_numpy(rows).to(device), use_cache=False).last_hidden_state
    return hidden
