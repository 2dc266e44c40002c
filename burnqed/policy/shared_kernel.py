"""A Triton kernel for one token per sample: attention to the shared prompt and to the sample's own tokens.

Imported on a GPU alone, where Triton is part of torch. One program serves the samples of a prompt at one
key head: it reads the prompt's keys and values once for all of them (as products of small matrices), then
each sample's own, of which it reads no more than are there; one running softmax goes over both (as in Dao
et al., 2022, "FlashAttention"). The newest token's key and value are written to the store on the way.
"""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor, library

PROMPT_BLOCK = 64  # prompt tokens at once
OWN_BLOCK = 4  # own tokens at once
WARPS = 4


@triton.jit
def _attend(  # type: ignore[no-untyped-def]
    query, key, value, prompt_keys, prompt_values, ends, own_keys, own_values, last, out, scale,
    own_stride, room_stride,
    EACH: tl.constexpr, SHARE: tl.constexpr, KEY_HEADS: tl.constexpr, WIDTH: tl.constexpr, ROWS: tl.constexpr,
    PROMPT_BLOCK: tl.constexpr, OWN_BLOCK: tl.constexpr,
):  # fmt: skip
    """Program (prompt, key head). Row m of its matrices is head m % SHARE of the group, of sample m // SHARE."""
    prompt, key_head = tl.program_id(0), tl.program_id(1)
    m = tl.arange(0, ROWS)
    d = tl.arange(0, WIDTH)
    real = (m < EACH * SHARE)[:, None]
    sample = prompt * EACH + m // SHARE
    place = (sample * KEY_HEADS * SHARE + key_head * SHARE + m % SHARE)[:, None] * WIDTH + d[None, :]
    q = tl.load(query + place, mask=real, other=0.0)

    # The newest token comes first: it is there for every sample, so no softmax is ever empty.
    new = (sample * KEY_HEADS + key_head)[:, None] * WIDTH + d[None, :]
    k_new = tl.load(key + new, mask=real, other=0.0)
    v_new = tl.load(value + new, mask=real, other=0.0)
    at = tl.load(last)
    own = (sample.to(tl.int64) * own_stride)[:, None] + key_head * WIDTH + d[None, :]
    first_of_group = real & (m % SHARE == 0)[:, None]
    tl.store(own_keys + own + at * room_stride, k_new, mask=first_of_group)
    tl.store(own_values + own + at * room_stride, v_new, mask=first_of_group)
    wide = q.to(tl.float32)
    top = tl.sum(wide * k_new.to(tl.float32), 1) * scale
    mass = tl.full((ROWS,), 1.0, tl.float32)
    found = v_new.to(tl.float32)

    start, end = tl.load(ends + prompt), tl.load(ends + prompt + 1)
    for block in range(start, end, PROMPT_BLOCK):
        t = block + tl.arange(0, PROMPT_BLOCK)
        there = (t < end)[:, None]
        where = (t.to(tl.int64) * KEY_HEADS + key_head)[:, None] * WIDTH + d[None, :]
        k = tl.load(prompt_keys + where, mask=there, other=0.0)
        v = tl.load(prompt_values + where, mask=there, other=0.0)
        scores = tl.dot(q, tl.trans(k), input_precision="ieee") * scale
        scores = tl.where((t < end)[None, :], scores, float("-inf"))
        higher = tl.maximum(top, tl.max(scores, 1))
        shares = tl.exp(scores - higher[:, None])
        old = tl.exp(top - higher)
        mass = mass * old + tl.sum(shares, 1)
        found = found * old[:, None] + tl.dot(shares.to(v.dtype), v, input_precision="ieee")
        top = higher

    for block in range(0, at, OWN_BLOCK):
        t = block + tl.arange(0, OWN_BLOCK)
        where = own[:, None, :] + (t * room_stride)[None, :, None]
        there = (t < at)[None, :, None] & real[:, None, :]
        k = tl.load(own_keys + where, mask=there, other=0.0).to(tl.float32)
        v = tl.load(own_values + where, mask=there, other=0.0).to(tl.float32)
        scores = tl.sum(wide[:, None, :] * k, 2) * scale
        scores = tl.where((t < at)[None, :], scores, float("-inf"))
        higher = tl.maximum(top, tl.max(scores, 1))
        shares = tl.exp(scores - higher[:, None])
        old = tl.exp(top - higher)
        mass = mass * old + tl.sum(shares, 1)
        found = found * old[:, None] + tl.sum(shares[:, :, None] * v, 1)
        top = higher

    tl.store(out + place, (found / mass[:, None]).to(out.dtype.element_ty), mask=real)


@library.custom_op("burnqed::attend_shared", mutates_args=("own_keys", "own_values"))
def attend_shared(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    prompt_keys: Tensor,
    prompt_values: Tensor,
    ends: Tensor,
    own_keys: Tensor,
    own_values: Tensor,
    last: Tensor,
    samples_each: int,
    scale: float,
) -> Tensor:
    """Return the attention of one new token per sample, and store its key and value at place ``last``.

    Shapes: query (samples, heads, width); key and value (samples, key heads, width); prompt_keys and
    prompt_values (tokens, key heads, width), prompt p between ``ends[p]`` and ``ends[p + 1]``; own_keys
    and own_values (samples, room, key heads, width), of which the places up to ``last`` (1,) count. The
    result is like the query. Sample s belongs to prompt s // samples_each; width is a power of two.
    """
    samples, heads, width = query.shape
    key_heads = key.shape[1]
    share = heads // key_heads
    query, key, value = query.contiguous(), key.contiguous(), value.contiguous()
    out = torch.empty_like(query)
    launch: dict[str, Any] = {"num_warps": WARPS} if query.is_cuda else {}
    _attend[(samples // samples_each, key_heads)](
        query, key, value, prompt_keys, prompt_values, ends, own_keys, own_values, last, out, scale,
        own_keys.stride(0), own_keys.stride(1),
        EACH=samples_each, SHARE=share, KEY_HEADS=key_heads, WIDTH=width,
        ROWS=max(16, triton.next_power_of_2(samples_each * share)),
        PROMPT_BLOCK=PROMPT_BLOCK, OWN_BLOCK=OWN_BLOCK, **launch,
    )  # fmt: skip
    return out


@attend_shared.register_fake
def _(query: Tensor, *_: Any) -> Tensor:
    return query.new_empty(query.shape)
