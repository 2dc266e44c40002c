"""Mean pooling of a decoder's last hidden states: what a state's vector is, in encoding and in joint training."""

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
        flat = torch.from_numpy(np.concatenate([np.asarray(ids, np.int64) for ids in tokens]))
        positions = torch.from_numpy(np.concatenate([np.arange(length) for length in lengths]))
        hidden = decoder(
            input_ids=flat[None].to(device),
            position_ids=positions[None].to(device),
            use_cache=False,
            **packing(lengths, device),
        ).last_hidden_state[0]
        return torch.segment_reduce(hidden.float(), "mean", lengths=sizes, axis=0)
    rows = np.zeros((len(tokens), max(lengths)), np.int64)
    for row, ids in enumerate(tokens):
        rows[row, : len(ids)] = ids
    hidden = decoder(input_ids=torch.from_numpy(rows).to(device), use_cache=False).last_hidden_state
    if hidden.dtype == torch.bfloat16:
        hidden = hidden.float()
    inside = torch.arange(rows.shape[1], device=device)[None, :] < sizes[:, None]
    total: Tensor = (hidden * inside[:, :, None]).sum(dim=1)
    return total / sizes[:, None]
