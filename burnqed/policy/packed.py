"""Attention over sequences laid one after another in a single row, without padding.

Models of transformers call it under the name ``IMPLEMENTATION``; where each sequence ends travels to it
with the model's keyword arguments (``packing``). On a GPU in half precision it is PyTorch's
FlashAttention (Dao, 2023, "FlashAttention-2"), elsewhere one sequence is computed after the other.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

IMPLEMENTATION = "burnqed_packed"
COMPILED_VARIANTS = 64  # of one function, for its different shapes
COMPILED_WEIGHTS = 500_000_000  # of models whose layers are compiled


def packing(lengths: Sequence[int], device: Any) -> dict[str, Any]:
    """Return the keyword arguments for a model that reads sequences of these lengths in one row."""
    ends = torch.tensor([0, *lengths], dtype=torch.int32).cumsum(0, dtype=torch.int32)
    return {"packed_ends": ends.to(device, non_blocking=True), "packed_longest": max(lengths)}


def attend(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    query_ends: Tensor,
    key_ends: Tensor,
    longest_query: int,
    longest_key: int,
    causal: bool,
    scale: float,
) -> tuple[Tensor, Tensor]:
    """Return attention of each sequence's queries to its keys, and the logarithm of their mass.

    Shapes: query (tokens, heads, width), key and value (tokens, key heads, width); the ends are
    int32 (sequences + 1,), starting with 0; the results are (tokens, heads, width) and float
    (heads, tokens). With ``causal`` a sequence has as many queries as keys.
    """
    if query.is_cuda and query.dtype in (torch.bfloat16, torch.float16):
        found = torch.ops.aten._flash_attention_forward(
            query, key, value, query_ends, key_ends, longest_query, longest_key, 0.0, causal, False, scale=scale
        )
        return found[0], found[1]
    share = query.shape[1] // key.shape[1]
    outputs, masses = [], []
    bounds = zip(query_ends.tolist(), query_ends[1:].tolist(), key_ends.tolist(), key_ends[1:].tolist(), strict=False)
    for start, end, key_start, key_end in bounds:
        k, v = (t[key_start:key_end].repeat_interleave(share, dim=1).transpose(0, 1) for t in (key, value))
        scores = query[start:end].transpose(0, 1) @ k.transpose(1, 2) * scale
        if causal:
            later = torch.ones_like(scores[0], dtype=torch.bool).triu(1)
            scores = scores.masked_fill(later, float("-inf"))
        outputs.append((scores.softmax(-1) @ v).transpose(0, 1))
        masses.append(scores.logsumexp(-1))
    return torch.cat(outputs), torch.cat(masses, dim=1)


def _packed_attention(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    *,
    packed_ends: Tensor,
    packed_longest: int,
    **_: Any,
) -> tuple[Tensor, None]:
    """Attention of transformers' interface; tensors (1, heads, tokens, width)."""
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    if not query.is_cuda:
        cuts = [end - start for start, end in itertools.pairwise(packed_ends.tolist())]
        parts = zip(*(t.split(cuts, dim=2) for t in (query, key, value)), strict=True)
        grouped = key.shape[1] != query.shape[1]
        alone = [
            scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale, enable_gqa=grouped) for q, k, v in parts
        ]
        return torch.cat(alone, dim=2).transpose(1, 2), None
    q, k, v = (t[0].transpose(0, 1) for t in (query, key, value))
    found, _mass = attend(q, k, v, packed_ends, packed_ends, packed_longest, packed_longest, True, scale)
    return found[None], None


def _no_mask(*_: Any, **__: Any) -> None:
    return None


def register(name: str, attention: Any) -> None:
    """Make an attention that needs no mask known to transformers."""
    from transformers import AttentionInterface
    from transformers.masking_utils import AttentionMaskInterface

    AttentionInterface.register(name, attention)
    AttentionMaskInterface.register(name, _no_mask)


def decoder_of(model: Any) -> Any:
    """Return the decoder (embedding, layers, norm) of a model with or without an output layer."""
    return getattr(model, model.base_model_prefix, model)


def packable(model: Any, device: Any, dtype: torch.dtype) -> bool:
    """Return whether packed attention computes this model on a GPU, faster than padding does."""
    half = dtype in (torch.bfloat16, torch.float16)
    return torch.device(device).type == "cuda" and half and _supported(model)


def read_packed(model: Any, device: Any, dtype: torch.dtype, quantization: str) -> bool:
    """Make a frozen model read texts without padding where that is faster; return whether it does."""
    packs = packable(model, device, dtype)
    if packs:
        use_packed_attention(model)
        if quantization != "nf4":
            compile_layers(model)
    return packs


def trains_packed(model: Any, device: Any, dtype: torch.dtype) -> bool:
    """Return whether this model trains with packed attention: where it is ``packable``, and on a CPU."""
    return packable(model, device, dtype) or (torch.device(device).type == "cpu" and _supported(model))


def _supported(model: Any) -> bool:
    decoder = decoder_of(model)
    full = all(kind == "full_attention" for kind in getattr(decoder.config, "layer_types", None) or [])
    return full and bool(getattr(decoder, "_supports_attention_backend", False))


@contextmanager
def attention(model: Any, name: str) -> Iterator[None]:
    """Compute a model with an attention of this name, and with its own again afterwards."""
    configs = list({id(c): c for c in (model.config, decoder_of(model).config)}.values())
    before = [config._attn_implementation for config in configs]
    for config in configs:
        config._attn_implementation = name
    try:
        yield
    finally:
        for config, old in zip(configs, before, strict=True):
            config._attn_implementation = old


def use_packed_attention(model: Any) -> None:
    """Switch a model to packed attention: from now on it needs the arguments of ``packing``."""
    register(IMPLEMENTATION, _packed_attention)
    for part in {id(m): m for m in (model, decoder_of(model))}.values():
        part.config._attn_implementation = IMPLEMENTATION


def is_packed(model: Any) -> bool:
    """Return whether a model uses packed attention."""
    return bool(decoder_of(model).config._attn_implementation == IMPLEMENTATION)


def pays_to_compile(model: Any) -> bool:
    """Return whether a model is large enough to be compiled.

    Compiling takes 10 to 70 s, about as much for few and for many weights, and all the work that a small model is given
    takes less.
    """
    return sum(weight.numel() for weight in model.parameters()) >= COMPILED_WEIGHTS


def compile_layers(model: Any) -> None:
    """Compile a model's layers for any number of tokens, where that pays; they share what is compiled."""
    if not pays_to_compile(model):
        return
    torch._dynamo.config.recompile_limit = max(torch._dynamo.config.recompile_limit, COMPILED_VARIANTS)
    for layer in decoder_of(model).layers:
        layer.compile(dynamic=True)
