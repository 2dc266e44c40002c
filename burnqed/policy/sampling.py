"""Sampling of many continuations of many prompts from a causal language model.

The samples of one prompt share one row of the batch: each prompt is computed and stored once, its n
samples are n query positions behind it, and a mask lets a sample see the prompt and its own tokens
alone. Attention then reads a prompt's keys once per step instead of n times.

Random numbers are drawn per prompt, all at once, from the prompt's own seed, so a prompt's samples
do not depend on the batch they are drawn in (up to rounding of the logits, which float64 makes
negligible).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from transformers.cache_utils import Cache, DynamicLayer

GROWTH = 64  # positions by which the key-value store grows when it is full
CHECK_EVERY = 4  # tokens between looks at which sequences have finished
STOP_CHECK_EVERY = 16  # tokens between looks for the end of a tactic in the text, which cost decoding
KEEP_SHARE = 0.8  # the batch shrinks when at most this share of its places would be left


@dataclass
class Sample:
    """One continuation: its tokens (stop token included) and their log-probabilities at temperature 1.

    ``finished`` is False when the token limit came before the end of the text. ``hidden``, where it was asked for, is the
    last hidden state (hidden,) after some of the tokens, ``energy`` what a value makes of it.
    """

    tokens: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    finished: bool = False
    hidden: torch.Tensor | None = None
    energy: float | None = None


class _GrowingLayer(DynamicLayer):
    """Key-value store of one layer with spare room, so that a step copies only its own tokens."""

    length = 0
    room = 0
    store: tuple[torch.Tensor, torch.Tensor]

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *_: Any, **__: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        start, end = self.length, self.length + key_states.shape[-2]
        if end > self.room:
            self._move(key_states, end + GROWTH, start)
        self.store[0][:, :, start:end] = key_states
        self.store[1][:, :, start:end] = value_states
        self.length = end
        self.keys, self.values = self.store[0][:, :, :end], self.store[1][:, :, :end]
        return self.keys, self.values

    def _move(self, like: torch.Tensor, room: int, length: int) -> None:
        shape = (like.shape[0], like.shape[1], room, like.shape[3])
        store = (like.new_empty(shape), like.new_empty(shape))
        if length:
            store[0][:, :, :length] = self.keys
            store[1][:, :, :length] = self.values
        self.store, self.room = store, room

    def get_seq_length(self) -> int:
        return self.length

    def select(self, rows: torch.Tensor, places: torch.Tensor) -> None:
        """Keep some rows, and of each row the given positions (rows x kept)."""
        index = places[:, None, :, None].expand(-1, self.keys.shape[1], -1, self.keys.shape[3])
        self.keys = self.keys[rows].gather(2, index)
        self.values = self.values[rows].gather(2, index)
        self.length = places.shape[1]
        self._move(self.keys, self.length + GROWTH, self.length)


def uniforms(seed: int, steps: int, n: int) -> np.ndarray:
    """Return the random numbers of one prompt: ``steps`` x ``n`` uniforms from its seed."""
    return np.random.default_rng(seed).random((steps, n))


def choose(
    logits: torch.Tensor, random: torch.Tensor, temperature: float, top_p: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the token sampled from each row of logits and its log-probability at temperature 1.

    Sampling inverts the cumulative distribution at the given uniforms (``random``, one per row);
    ``top_p`` keeps the smallest set of most probable tokens whose mass reaches it (Holtzman et al.,
    The Curious Case of Neural Text Degeneration, 2020). Temperature 0 takes the most probable token.
    """
    logits = logits if logits.dtype == torch.float64 else logits.float()
    log_probs = torch.log_softmax(logits, -1)
    if temperature == 0:
        tokens = log_probs.argmax(-1, keepdim=True)
    else:
        probs = log_probs.exp() if temperature == 1 else torch.softmax(logits / temperature, -1)
        order = None
        if top_p < 1:
            probs, order = torch.sort(probs, dim=-1, descending=True, stable=True)
            probs = torch.where(probs.cumsum(-1) - probs < top_p, probs, 0)
        mass = probs.cumsum(-1)
        target = random.unsqueeze(-1).to(mass.dtype) * mass[..., -1:]
        tokens = torch.searchsorted(mass, target, right=True).clamp_(max=mass.shape[-1] - 1)
        if order is not None:
            tokens = order.gather(-1, tokens)
    return tokens.squeeze(-1), log_probs.gather(-1, tokens).squeeze(-1)


class _Batch:
    """The running sequences: row b, slot j holds sample ``owner[b][j]`` (-1: nothing any more)."""

    def __init__(self, model: Any, prompts: Sequence[Sequence[int]], n: int, pad: int) -> None:
        self.device = model.device
        self.decoder = getattr(model, model.base_model_prefix)
        self.head = model.get_output_embeddings()
        self.cache = Cache(layer_class_to_replicate=_GrowingLayer)
        self.owner = [list(range(row * n, row * n + n)) for row in range(len(prompts))]
        self.samples = self._indices(self.owner)
        lengths = torch.tensor([len(ids) for ids in prompts])
        longest = int(lengths.max())
        ids = torch.full((len(prompts), longest), pad, dtype=torch.long)
        for row, prompt in enumerate(prompts):
            ids[row, : len(prompt)] = torch.tensor(list(prompt), dtype=torch.long)
        # Padded on the right under a causal mask: no real token sees padding, so no mask is needed.
        hidden = self._decode(ids.to(self.device), torch.arange(longest, device=self.device)[None], None)
        lengths = lengths.to(self.device)
        rows = torch.arange(len(prompts), device=self.device)
        ends = hidden[rows, lengths - 1]
        self.hidden = ends[:, None].expand(-1, n, -1)
        self.logits = self.head(ends)[:, None].expand(-1, n, -1)
        real = torch.arange(longest, device=self.device)[None] < lengths[:, None]
        self.visible = real[:, None].expand(-1, n, -1)
        self.position = lengths

    def _indices(self, owner: list[list[int]]) -> torch.Tensor:
        return torch.tensor(owner, device=self.device).clamp_(min=0)

    def _decode(self, ids: torch.Tensor, positions: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        output = self.decoder(
            input_ids=ids, attention_mask=mask, position_ids=positions, past_key_values=self.cache, use_cache=True
        )
        hidden: torch.Tensor = output.last_hidden_state
        return hidden

    def step(self, tokens: torch.Tensor) -> None:
        """Append one token to every slot and compute the logits after it."""
        rows, slots = tokens.shape
        own = torch.eye(slots, dtype=torch.bool, device=self.device).expand(rows, -1, -1)
        self.visible = torch.cat([self.visible, own], dim=2)
        positions = self.position[:, None].expand(-1, slots)
        self.hidden = self._decode(tokens, positions, self.visible[:, None])
        self.logits = self.head(self.hidden)
        self.position = self.position + 1

    def shrink(self, finished: Sequence[bool], tokens: torch.Tensor) -> torch.Tensor:
        """Forget finished samples when that makes the batch enough smaller; return the tokens kept."""
        self.owner = [[-1 if item < 0 or finished[item] else item for item in row] for row in self.owner]
        running = [[slot for slot, item in enumerate(row) if item >= 0] for row in self.owner]
        kept = [row for row, slots in enumerate(running) if slots]
        width = max(len(running[row]) for row in kept)
        if len(kept) * width > KEEP_SHARE * tokens.numel():
            return tokens
        # A row with fewer running samples than the width repeats one of them, owned by nobody.
        places = [running[row] + running[row][:1] * (width - len(running[row])) for row in kept]
        self.owner = [
            [self.owner[row][slot] if at < len(running[row]) else -1 for at, slot in enumerate(slots)]
            for row, slots in zip(kept, places, strict=True)
        ]
        self.samples = self._indices(self.owner)
        rows = torch.tensor(kept, device=self.device)
        slots = torch.tensor(places, device=self.device)
        visible = self.visible[rows].gather(1, slots[:, :, None].expand(-1, -1, self.visible.shape[2]))
        needed = visible.any(1)
        columns = needed.int().argsort(dim=1, descending=True, stable=True)[:, : int(needed.sum(1).max())]
        self.visible = visible.gather(2, columns[:, None].expand(-1, width, -1))
        for layer in self.cache.layers:
            layer.select(rows, columns)
        self.position = self.position[rows]
        return tokens[rows].gather(1, slots)


@torch.inference_mode()
def sample(
    model: Any,
    prompts: Sequence[Sequence[int]],
    n: int,
    temperature: float,
    seeds: Sequence[int],
    *,
    eos: int,
    pad: int,
    max_new_tokens: int,
    top_p: float = 1.0,
    is_complete: Callable[[list[int]], bool] | None = None,
    place: Callable[[list[int]], int] | None = None,
) -> list[list[Sample]]:
    """Return ``n`` samples for each prompt (token ids), in order.

    A sample ends at the ``eos`` token, or where ``is_complete`` (given the new tokens) first holds,
    or after ``max_new_tokens``. All prompts run as one batch of ``len(prompts) * n`` sequences.
    ``place`` asks for hidden states: it says after how many of its tokens a finished sample is read, fewer than it has.
    """
    found = [Sample() for _ in range(len(prompts) * n)]
    random = torch.from_numpy(np.concatenate([uniforms(seed, max_new_tokens, n) for seed in seeds], axis=1)).to(
        model.device
    )
    batch = _Batch(model, prompts, n, pad)
    pending: list[tuple[torch.Tensor, torch.Tensor]] = []
    read: list[tuple[torch.Tensor, list[list[int]]]] = []  # hidden states before each token, and their owners
    for step in range(max_new_tokens):
        tokens, logprobs = choose(batch.logits, random[step][batch.samples], temperature, top_p)
        pending.append((tokens, logprobs))
        if place is not None:
            read.append((batch.hidden, batch.owner))
        last = step == max_new_tokens - 1
        if last or (step + 1) % CHECK_EVERY == 0:
            new_tokens, new_logprobs = (torch.stack(kind) for kind in zip(*pending, strict=True))
            collect_new(new_tokens, new_logprobs, batch.owner, found, eos, is_complete)
            pending = []
            if last or all(item.finished for item in found):
                break
            tokens = batch.shrink([item.finished for item in found], tokens)
        batch.step(tokens)
    if place is not None:
        _give_hidden(found, read, place)
    return [found[start : start + n] for start in range(0, len(found), n)]


def _give_hidden(
    found: Sequence[Sample],
    read: Sequence[tuple[torch.Tensor, list[list[int]]]],
    place: Callable[[list[int]], int],
) -> None:
    """Give finished samples their hidden states, of those (rows, slots, hidden) that were there before each token."""
    wanted: dict[int, list[int]] = {}
    for index, item in enumerate(found):
        if item.finished:
            wanted.setdefault(place(item.tokens), []).append(index)
    for step, indices in wanted.items():
        hidden, owner = read[step]
        where = {index: (row, slot) for row, items in enumerate(owner) for slot, index in enumerate(items)}
        rows, slots = zip(*(where[index] for index in indices), strict=True)
        for index, vector in zip(indices, hidden[list(rows), list(slots)], strict=True):
            found[index].hidden = vector


def collect_new(
    new_tokens: torch.Tensor,
    new_logprobs: torch.Tensor,
    owner: list[list[int]],
    found: list[Sample],
    eos: int,
    is_complete: Callable[[list[int]], bool] | None,
) -> None:
    """Append new tokens (steps, rows, slots) to their samples, and mark those that have ended.

    ``owner`` says which sample a row's slot holds, -1 for none; it may list fewer rows.
    """
    tokens, logprobs = new_tokens.movedim(0, -1).tolist(), new_logprobs.movedim(0, -1).tolist()
    for row, items in enumerate(owner):
        for slot, index in enumerate(items):
            if index < 0 or found[index].finished:
                continue
            item, new = found[index], tokens[row][slot]
            end = new.index(eos) + 1 if eos in new else len(new)
            item.tokens += new[:end]
            item.logprobs += logprobs[row][slot][:end]
            item.finished = eos in new
            if is_complete is not None and (item.finished or len(item.tokens) % STOP_CHECK_EVERY == 0):
                item.finished |= _cut_at_stop(item, eos, is_complete)


def _cut_at_stop(item: Sample, eos: int, is_complete: Callable[[list[int]], bool]) -> bool:
    """Cut a sample after the first token that completes its text; return whether there is one."""
    plain = item.tokens[:-1] if item.tokens[-1] == eos else item.tokens
    if not is_complete(plain):
        return False
    for end in range(1, len(plain) + 1):
        if is_complete(plain[:end]):
            del item.tokens[end:], item.logprobs[end:]
            return True
    return False
