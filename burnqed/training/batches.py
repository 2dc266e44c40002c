"""Training examples, their order, and batches cut by a token budget.

The order is a function of the seed alone, so a resumed run sees what an undisturbed one sees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from burnqed.policy.packed import is_packed, packing
from burnqed.policy.prompts import PromptFormat, completion_tokens, prompt_tokens

IGNORED = -100
CPU_MICRO_TOKENS = 1024  # tokens per forward pass on a CPU: what stays in its cache


@dataclass(frozen=True)
class Example:
    """Token ids of prompt and completion; the loss counts the tokens from ``start`` on."""

    tokens: tuple[int, ...]
    start: int

    @property
    def targets(self) -> int:
        """The number of tokens the loss counts."""
        return len(self.tokens) - max(self.start, 1)


def make_examples(
    tokenizer: Any, form: PromptFormat, pairs: Sequence[tuple[str, str]], max_length: int, whole_text: bool = False
) -> tuple[list[Example], int]:
    """Return the examples of (state, tactic) pairs, and how many were too long and left out.

    The loss counts the completion with its end-of-sequence token; with ``whole_text`` the prompt too.
    """
    prompts = prompt_tokens(tokenizer, form, [state for state, _ in pairs])
    completions = completion_tokens(tokenizer, form, [tactic for _, tactic in pairs])
    examples = [
        Example((*prompt, *completion), 0 if whole_text else len(prompt))
        for prompt, completion in zip(prompts, completions, strict=True)
        if len(prompt) + len(completion) <= max_length
    ]
    return examples, len(pairs) - len(examples)


def plan_steps(
    examples: Sequence[Example], epochs: float, batch_tokens: int, seed: int, count: int = 0
) -> list[list[int]]:
    """Return, for each optimiser step, the indices of its examples.

    Each epoch is a new random order of all examples (a fractional epoch takes the first part of
    one); a step takes examples in that order until their tokens would exceed ``batch_tokens``. With
    a ``count`` there are that many steps instead, over as many epochs as they take.
    """
    steps: list[list[int]] = []
    room = 0
    for index in _order(len(examples), None if count else round(epochs * len(examples)), seed):
        length = len(examples[index].tokens)
        if not steps or length > room:
            if count and len(steps) == count:
                break
            steps.append([])
            room = batch_tokens
        steps[-1].append(index)
        room -= length
    return steps


def _order(size: int, wanted: int | None, seed: int) -> Iterator[int]:
    """Yield indices below ``size``, one random order after another: ``wanted`` of them, or without end."""
    epoch = 0
    while wanted is None or wanted > 0:
        shuffled = np.random.default_rng([seed, epoch]).permutation(size).tolist()[:wanted]
        yield from shuffled
        epoch += 1
        wanted = None if wanted is None else wanted - len(shuffled)


def split_padded(examples: Sequence[Example], tokens: int) -> list[list[Example]]:
    """Split examples into length-sorted groups of at most ``tokens`` tokens each, padding counted."""
    groups: list[list[Example]] = []
    for example in sorted(examples, key=lambda item: -len(item.tokens)):
        if not groups or (len(groups[-1]) + 1) * len(groups[-1][0].tokens) > tokens:
            groups.append([])
        groups[-1].append(example)
    return groups


def split_packed(examples: Sequence[Example], tokens: int) -> list[list[Example]]:
    """Split examples, in order, into groups of at most ``tokens`` tokens each."""
    groups: list[list[Example]] = []
    room = 0
    for example in examples:
        if not groups or len(example.tokens) > room:
            groups.append([])
            room = tokens
        groups[-1].append(example)
        room -= len(example.tokens)
    return groups


def collate(group: Sequence[Example], layout: Literal["padded", "packed"], pad: int) -> dict[str, Any]:
    """Return the tensors of one forward pass: ``input_ids``, ``position_ids``, ``labels``.

    padded: one row per example, filled on the right; no attention mask is needed, as under a causal
    mask no real token sees what is to its right. packed: one row for all, where restarting
    positions keep the examples apart (transformers honours this only without a mask and without a
    cache). ``labels[i, t]`` is the token to predict at position t, -100 where nothing counts.
    """
    import torch

    width = max(len(item.tokens) for item in group)
    if layout == "padded":
        ids = torch.full((len(group), width), pad)
        labels = torch.full((len(group), width), IGNORED)
        for row, item in enumerate(group):
            tokens = torch.tensor(item.tokens)
            first = max(item.start, 1)
            ids[row, : len(tokens)] = tokens
            labels[row, first - 1 : len(tokens) - 1] = tokens[first:]
        return {"input_ids": ids, "position_ids": torch.arange(width)[None], "labels": labels}
    flat = torch.tensor([token for item in group for token in item.tokens])[None]
    labels = torch.full_like(flat, IGNORED)
    offset = 0
    for item in group:
        first, end = offset + max(item.start, 1), offset + len(item.tokens)
        labels[0, first - 1 : end - 1] = flat[0, first:end]
        offset = end
    positions = torch.cat([torch.arange(len(item.tokens)) for item in group])[None]
    return {"input_ids": flat, "position_ids": positions, "labels": labels}


class Batcher:
    """Turns examples into the tensors of forward passes."""

    def __init__(self, layout: Literal["padded", "packed"], tokens: int, pad: int) -> None:
        self.layout, self.tokens, self.pad = layout, tokens, pad

    def one(self, examples: Sequence[Example]) -> dict[str, Any]:
        """Return one forward pass of all examples, in their order."""
        return collate(examples, self.layout, self.pad)

    def __call__(self, examples: Sequence[Example]) -> list[dict[str, Any]]:
        split = split_packed if self.layout == "packed" else split_padded
        return [collate(group, self.layout, self.pad) for group in split(examples, self.tokens)]


def _counted_logits(model: Any, batch: dict[str, Any]) -> tuple[Any, Any]:
    """Return the logits (float32) at the counted positions of a batch, and the tokens to predict there.

    The vocabulary is applied at the counted positions alone: on long prompts with short tactics
    that saves most of the logits' memory and time.
    """
    lm = model.get_base_model() if hasattr(model, "get_base_model") else model
    decoder = getattr(lm, lm.base_model_prefix)
    positions = batch["position_ids"]
    where: dict[str, Any] = {}
    if is_packed(lm):
        starts = (positions[0] == 0).nonzero().flatten().tolist()
        ends = [*starts[1:], positions.shape[1]]
        where = packing([end - start for start, end in zip(starts, ends, strict=True)], positions.device)
    hidden = decoder(input_ids=batch["input_ids"], position_ids=positions, use_cache=False, **where).last_hidden_state
    counted = batch["labels"] != IGNORED
    return lm.get_output_embeddings()(hidden[counted]).float(), batch["labels"][counted]


def loss_sum(model: Any, batch: dict[str, Any]) -> Any:
    """Return the summed cross-entropy (nats) of a batch's labels."""
    import torch

    logits, labels = _counted_logits(model, batch)
    return torch.nn.functional.cross_entropy(logits, labels, reduction="sum")


def completion_logprobs(model: Any, batch: dict[str, Any], count: int) -> Any:
    """Return the log-probability (nats) of each of a batch's ``count`` completions, shape (count,)."""
    import torch

    logits, labels = _counted_logits(model, batch)
    losses = torch.nn.functional.cross_entropy(logits, labels, reduction="none")
    counted = batch["labels"] != IGNORED
    if batch["labels"].shape[0] == 1 and count > 1:  # packed: a new example begins where positions restart
        owner = (batch["position_ids"] == 0).cumsum(1) - 1
    else:
        owner = torch.arange(count, device=counted.device)[:, None].expand_as(counted)
    return torch.zeros(count, device=losses.device).index_add(0, owner[counted], -losses)
