"""Sampling on a GPU: prompts computed without padding, and each further token by one CUDA graph.

Same random numbers and probabilities as ``sampling.sample``. The samples of a prompt share its keys
and values, which are stored once, one prompt after another; what a sample has written itself lies in
a small store of its own. On a GPU one kernel reads both (``shared_kernel``); elsewhere the two attentions
are joined by the mass of their softmax, exactly as one softmax over both. A graph serves any prompts of
the same number (rounded up to a power of two), so it is captured once and replayed for each token.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from burnqed.jobs.device import capturing
from burnqed.policy.packed import COMPILED_VARIANTS, attend, attention, decoder_of, packing, pays_to_compile, register
from burnqed.policy.sampling import Sample, choose, collect_new, uniforms

IMPLEMENTATION = "burnqed_shared_prompt"
PROMPT_TOKENS = 32768  # prompts computed and stored at once; 16 GB of keys and values with a 7B
LOOK_EVERY = 8  # tokens between looks at which samples have ended
TRITON = importlib.util.find_spec("triton") is not None  # a CUDA build of torch brings it


def join(first: Tensor, first_mass: Tensor, second: Tensor, second_mass: Tensor) -> Tensor:
    """Return the attention over two sets of keys from the attention over each and their log masses.

    Shapes (..., width) and (...).
    """
    mass = torch.logaddexp(first_mass, second_mass)
    return first * (first_mass - mass).exp()[..., None] + second * (second_mass - mass).exp()[..., None]


def attend_own(query: Tensor, keys: Tensor, values: Tensor, last: Tensor, scale: float) -> tuple[Tensor, Tensor]:
    """Return the attention of one query per sample to its own tokens, and the log mass.

    Shapes: query (samples, heads, width), keys and values (samples, room, key heads, width); places
    up to ``last`` (1,) count. Results (samples, heads, width) and (samples, heads).
    """
    samples, room, key_heads, width = keys.shape
    wide = torch.float32 if query.dtype in (torch.bfloat16, torch.float16) else query.dtype
    grouped = query.view(samples, 1, key_heads, -1, width).to(wide)
    scores = (grouped * keys[:, :, :, None].to(wide)).sum(-1) * scale
    later = torch.arange(room, device=query.device) > last
    scores = scores.masked_fill(later[None, :, None, None], float("-inf"))
    mass = scores.logsumexp(1)
    shares = (scores - mass[:, None]).exp()
    found = (shares[..., None] * values[:, :, :, None].to(wide)).sum(1)
    return found.reshape(samples, -1, width), mass.reshape(samples, -1)


def _attention(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    *,
    prompt_keys: Tensor,
    prompt_values: Tensor,
    packed_ends: Tensor,
    packed_longest: int,
    own_keys: Tensor | None = None,
    own_values: Tensor | None = None,
    query_ends: Tensor | None = None,
    samples_each: int = 1,
    last: Tensor | None = None,
    **_: Any,
) -> tuple[Tensor, None]:
    """Attention of transformers' interface: over prompts, which it stores, or one token per sample."""
    q, k, v = (t[0].transpose(0, 1) for t in (query, key, value))
    scale = query.shape[-1] ** -0.5 if scaling is None else scaling
    if own_keys is None or own_values is None or query_ends is None or last is None:
        prompt_keys.copy_(k)
        prompt_values.copy_(v)
        found, _mass = attend(q, k, v, packed_ends, packed_ends, packed_longest, packed_longest, True, scale)
        return found[None], None
    if has_kernel(query):
        from burnqed.policy.shared_kernel import attend_shared

        read = (prompt_keys, prompt_values, packed_ends, own_keys, own_values, last)
        return attend_shared(q, k, v, *read, samples_each, scale)[None], None
    own_keys.index_copy_(1, last, k[:, None])
    own_values.index_copy_(1, last, v[:, None])
    shared, shared_mass = attend(
        q, prompt_keys, prompt_values, query_ends, packed_ends, samples_each, packed_longest, False, scale
    )
    own, own_mass = attend_own(q, own_keys, own_values, last, scale)
    return join(shared, shared_mass.transpose(0, 1), own, own_mass).to(query.dtype)[None], None


def has_kernel(query: Tensor) -> bool:
    """Return whether the GPU kernel computes this attention; query (.., width)."""
    width = query.shape[-1]
    return TRITON and query.is_cuda and query.dtype in (torch.bfloat16, torch.float16) and width & (width - 1) == 0


@dataclass
class _Run:
    """The fixed tensors of one shape of batch: ``rows`` prompts with ``n`` samples each."""

    rows: int
    n: int
    temperature: float
    top_p: float
    ends: Tensor  # (rows + 1,) of the prompts in the store
    query_ends: Tensor  # (rows + 1,) of the samples
    random: Tensor  # (steps, samples)
    last: Tensor  # (1,) number of the newest token
    position: Tensor  # (samples,) of the newest token
    tokens: Tensor  # (steps, samples)
    logprobs: Tensor  # (steps, samples)
    # (steps, samples, hidden): the last hidden states before each token, where they are asked for
    hidden: Tensor | None
    graph: Any = None


class GraphSampler:
    """Samples from one causal language model; ``sample`` is like ``sampling.sample``.

    Without ``graphs``, and on a CPU, it computes the same one operation at a time.
    """

    def __init__(self, model: Any, max_new_tokens: int, longest_prompt: int, graphs: bool = True) -> None:
        self.model, self.max_new_tokens, self.longest_prompt = model, max_new_tokens, longest_prompt
        self.decoder, self.head = decoder_of(model), model.get_output_embeddings()
        self.device = model.device
        self.on_gpu = graphs and self.device.type == "cuda"
        register(IMPLEMENTATION, _attention)
        layers = list(self.decoder.layers)
        self._prompt_layers = self._step_layers = layers
        if self.on_gpu and pays_to_compile(model):
            torch._dynamo.config.recompile_limit = max(torch._dynamo.config.recompile_limit, COMPILED_VARIANTS)
            self._prompt_layers = [torch.compile(layer, dynamic=True) for layer in layers]
            # The few rows of a step leave most of the GPU idle unless each product's tiling is tried out.
            self._step_layers = [torch.compile(layer, mode="max-autotune-no-cudagraphs") for layer in layers]
        self._runs: dict[tuple[int, int, float, float, bool], _Run] = {}
        self._prompts: list[tuple[Tensor, Tensor]] = []
        self._own: list[tuple[Tensor, Tensor]] = []
        self._pool: Any = None

    @torch.inference_mode()
    def sample(
        self,
        prompts: Sequence[Sequence[int]],
        n: int,
        temperature: float,
        seeds: Sequence[int],
        *,
        eos: int,
        max_new_tokens: int,
        top_p: float = 1.0,
        is_complete: Callable[[list[int]], bool] | None = None,
        place: Callable[[list[int]], int] | None = None,
    ) -> list[list[Sample]]:
        """Return ``n`` samples for each prompt (token ids), in order; see ``sampling.sample``."""
        found: list[list[Sample]] = []
        with attention(self.model, IMPLEMENTATION):
            for start, end in _parts([len(ids) for ids in prompts], PROMPT_TOKENS):
                run = self._run_for(end - start, n, temperature, top_p, place is not None)
                first = self._compute_prompts(run, prompts[start:end], seeds[start:end])
                part = self._continue(run, first, end - start, eos, max_new_tokens, is_complete)
                if place is not None:
                    _give_hidden(run, part, place)
                found += [part[at : at + n] for at in range(0, len(part), n)]
        return found

    def _run_for(self, prompts: int, n: int, temperature: float, top_p: float, reads: bool = False) -> _Run:
        """Return the fixed tensors and graphs for a number of prompts; make them when they are new."""
        rows = 1 << (prompts - 1).bit_length()
        key = (rows, n, temperature, top_p, reads)
        self._reserve(rows * n)
        if key not in self._runs:
            samples, steps = rows * n, self.max_new_tokens

            def zeros(*shape: int, dtype: torch.dtype = torch.int64) -> Tensor:
                return torch.zeros(*shape, dtype=dtype, device=self.device)

            ends = torch.arange(rows + 1, dtype=torch.int32, device=self.device)
            width = self.decoder.config.hidden_size
            wide = torch.float64 if self.model.dtype == torch.float64 else torch.float32
            self._runs[key] = _Run(
                *(rows, n, temperature, top_p),
                ends=ends.clone(),
                query_ends=ends * n,
                random=zeros(steps, samples, dtype=torch.float64),
                last=zeros(1),
                position=zeros(samples),
                tokens=zeros(steps, samples),
                logprobs=zeros(steps, samples, dtype=wide),
                hidden=zeros(steps, samples, width, dtype=self.model.dtype) if reads else None,
            )
            if self.on_gpu:
                self._capture(self._runs[key])
        return self._runs[key]

    def _reserve(self, samples: int) -> None:
        """Make the key-value stores large enough; graphs over smaller ones are forgotten."""
        if self._own and self._own[0][0].shape[0] >= samples:
            return
        config = self.decoder.config
        width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
        shape = (config.num_key_value_heads, width)

        def pairs(*size: int) -> list[tuple[Tensor, Tensor]]:
            one = {"dtype": self.model.dtype, "device": self.device}
            return [(torch.zeros(*size, *shape, **one), torch.zeros(*size, *shape, **one)) for _ in self.decoder.layers]

        self._runs.clear()
        self._own = []
        self._own = pairs(samples, self.max_new_tokens)
        if not self._prompts:
            self._prompts = pairs(max(PROMPT_TOKENS, self.longest_prompt) if self.on_gpu else self.longest_prompt * 64)

    def _capture(self, run: _Run) -> None:
        stream = torch.cuda.Stream()
        self._pool = self._pool or torch.cuda.graph_pool_handle()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(2):
                run.last.zero_()
                self._step(run)
        torch.cuda.current_stream().wait_stream(stream)
        run.last.zero_()
        run.graph = torch.cuda.CUDAGraph()
        with capturing, torch.cuda.graph(run.graph, pool=self._pool, stream=stream):
            self._step(run)

    def _compute_prompts(self, run: _Run, prompts: Sequence[Sequence[int]], seeds: Sequence[int]) -> Tensor:
        """Store the prompts' keys and values; return the last hidden state of each, (rows, hidden)."""
        drawn = np.concatenate([uniforms(seed, self.max_new_tokens, run.n) for seed in seeds], axis=1)
        run.random[:, : drawn.shape[1]] = torch.from_numpy(drawn).to(self.device)
        # Rows without a prompt get one of a single token; what is sampled for them is dropped.
        padded = [list(ids) for ids in prompts] + [[0]] * (run.rows - len(prompts))
        lengths = [len(ids) for ids in padded]
        flat = torch.tensor([token for ids in padded for token in ids], device=self.device)[None]
        positions = torch.cat([torch.arange(length) for length in lengths])[None].to(self.device)
        where = packing(lengths, self.device)
        hidden = self.decoder.embed_tokens(flat)
        rope = self.decoder.rotary_emb(hidden, position_ids=positions)
        total = flat.shape[1]
        for layer, (keys, values) in zip(self._prompt_layers, self._prompts, strict=True):
            hidden = layer(
                hidden,
                attention_mask=None,
                position_embeddings=rope,
                prompt_keys=keys[:total],
                prompt_values=values[:total],
                **where,
            )
        run.ends.copy_(where["packed_ends"])
        run.position.copy_(torch.tensor(lengths, device=self.device).repeat_interleave(run.n))
        ends: Tensor = self.decoder.norm(hidden[0, where["packed_ends"][1:].long() - 1])
        return ends

    def _continue(
        self,
        run: _Run,
        first: Tensor,
        prompts: int,
        eos: int,
        max_new_tokens: int,
        is_complete: Callable[[list[int]], bool] | None,
    ) -> list[Sample]:
        owner = [list(range(row * run.n, row * run.n + run.n)) for row in range(prompts)]
        found = [Sample() for _ in range(prompts * run.n)]
        run.last.zero_()
        logits = self.head(first)
        self._choose(run, first.repeat_interleave(run.n, dim=0), logits.repeat_interleave(run.n, dim=0), 0)
        looked = 0
        for step in range(max_new_tokens):
            if step + 1 == max_new_tokens or (step + 1) % LOOK_EVERY == 0:
                new = slice(looked, step + 1)
                shape = (-1, run.rows, run.n)
                collect_new(run.tokens[new].view(shape), run.logprobs[new].view(shape), owner, found, eos, is_complete)
                looked = step + 1
                if looked == max_new_tokens or all(item.finished for item in found):
                    break
            if run.graph is not None:
                run.graph.replay()
            else:
                self._step(run)
        return found

    def _step(self, run: _Run) -> None:
        """Feed every sample's newest token, and choose the next; all state is in the run's tensors."""
        samples = run.rows * run.n
        newest = run.tokens.index_select(0, run.last)
        hidden = self.decoder.embed_tokens(newest)
        rope = self.decoder.rotary_emb(hidden, position_ids=run.position[None])
        for number, layer in enumerate(self._step_layers):
            hidden = layer(
                hidden,
                attention_mask=None,
                position_embeddings=rope,
                prompt_keys=self._prompts[number][0],
                prompt_values=self._prompts[number][1],
                packed_ends=run.ends,
                packed_longest=self.longest_prompt,
                own_keys=self._own[number][0][:samples],
                own_values=self._own[number][1][:samples],
                query_ends=run.query_ends,
                samples_each=run.n,
                last=run.last,
            )
        run.position += 1
        hidden = self.decoder.norm(hidden[0])
        self._choose(run, hidden, self.head(hidden), 1)

    def _choose(self, run: _Run, hidden: Tensor, logits: Tensor, ahead: int) -> None:
        run.last += ahead
        if run.hidden is not None:
            run.hidden.index_copy_(0, run.last, hidden[None])
        random = run.random.index_select(0, run.last)[0]
        tokens, logprobs = choose(logits, random, run.temperature, run.top_p)
        run.tokens.index_copy_(0, run.last, tokens[None])
        run.logprobs.index_copy_(0, run.last, logprobs[None])


def _give_hidden(run: _Run, found: Sequence[Sample], place: Callable[[list[int]], int]) -> None:
    """Give finished samples their hidden states, copied out of the run's store."""
    assert run.hidden is not None
    ended = [number for number, item in enumerate(found) if item.finished]
    places = [place(found[number].tokens) for number in ended]
    at, samples = (torch.tensor(one, dtype=torch.int64, device=run.hidden.device) for one in (places, ended))
    for number, vector in zip(ended, run.hidden[at, samples], strict=True):
        found[number].hidden = vector


def _parts(lengths: Sequence[int], tokens: int) -> list[tuple[int, int]]:
    """Return consecutive ranges of at most ``tokens`` tokens each, a spare one per power of two counted."""
    parts: list[tuple[int, int]] = []
    room = 0
    for index, length in enumerate(lengths):
        if not parts or 2 * length > room:
            parts.append((index, index))
            room = tokens
        parts[-1] = (parts[-1][0], index + 1)
        room -= length + 1
    return parts
