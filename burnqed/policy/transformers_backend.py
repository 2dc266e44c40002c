"""Tactic generation in this process, with transformers: on a CPU for small models, or on a GPU."""

from __future__ import annotations

import functools
import time
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from burnqed.config import PolicySettings
from burnqed.files import UserError
from burnqed.jobs.merging import Merger
from burnqed.policy.continuation import CONTINUATIONS, Continuation, collect_continuations, continuation_of
from burnqed.policy.generator import Candidate, collect
from burnqed.policy.loading import load_model, load_tokenizer, memory_named
from burnqed.policy.packed import packable
from burnqed.policy.prompts import PromptFormat, prompt_tokens

if TYPE_CHECKING:
    from torch import Tensor

    from burnqed.policy.graph_sampling import GraphSampler
    from burnqed.policy.sampling import Sample

Run = Callable[[Sequence[str], int, float, Sequence[int]], list[Any]]


class SampleValue(Protocol):
    """A value that reads what is sampled; ``prompt_format`` is the one it was trained with."""

    prompt_format: str

    def energies(self, hidden: Tensor) -> list[float]:
        """Return one energy for each hidden state, (n, hidden)."""
        ...


@dataclass
class _Request:
    run: Run
    states: Sequence[str]
    n: int
    temperature: float
    seeds: Sequence[int]


class Closed(Exception):
    """The generator was closed while it sampled."""


class TransformersGenerator:
    """Samples tactics from a model in this process; requests that wait together run together.

    The model runs in one thread of its own, so the event loop goes on meanwhile.
    """

    def __init__(
        self,
        model_dir: Path,
        settings: PolicySettings,
        form: PromptFormat,
        max_length: int,
        device: str,
        quantization: str = "none",
    ) -> None:
        self.settings, self.form = settings, form
        self.max_length = max_length
        self.tokens_by_seed: dict[int, int] | None = None  # a dictionary to fill, where the tokens are compared
        self.tokenizer = load_tokenizer(model_dir)
        self.model = load_model(model_dir, settings.dtype, device, quantization)
        self.busy_seconds = 0.0
        self.tokens = 0
        self.unfinished = 0
        self._merger: Merger[_Request, list[Any]] = Merger("policy", self._run_together, self._take)
        self._graphs = self._graph_sampler(device, quantization)
        self._valued_by: SampleValue | None = None
        self._closed = False

    def _graph_sampler(self, device: str, quantization: str) -> GraphSampler | None:
        """Return the sampler of short texts on a GPU, None where it cannot serve the model."""
        from burnqed.policy.graph_sampling import GraphSampler

        if not packable(self.model, device, self.model.dtype) or quantization != "none":
            return None
        steps = self.settings.max_new_tokens
        return GraphSampler(self.model, steps, max(16, self.max_length - steps))

    def value_samples(self, value: SampleValue) -> None:
        """Give each candidate from now on an energy: of the last hidden state at its tactic's last token.

        Sampling computes that state anyway: it is what the token after the tactic is chosen from. Raises UserError when
        the value was trained with another prompt.
        """
        if value.prompt_format != self.form.name:
            raise UserError(
                f"model.prompt_format: the value was trained with {value.prompt_format}, the policy is asked with "
                f"{self.form.name}; use the same, or train the value again"
            )
        self._valued_by = value

    def give_way(self, busy: Callable[[], bool]) -> None:
        """On a CPU, let requests wait for others while the prover has work: a larger batch costs its cores less."""
        if self.model.device.type == "cpu":
            self._merger.hold = busy

    async def generate(
        self, states: Sequence[str], n: int, temperature: float, seeds: Sequence[int]
    ) -> list[list[Candidate]]:
        """Return for each state up to ``n`` different tactics, most probable first."""
        return await self._ask(self.run, states, n, temperature, seeds)

    async def continue_proofs(
        self, states: Sequence[str], n: int, temperature: float, seeds: Sequence[int]
    ) -> list[list[Continuation]]:
        """Return for each state up to ``n`` different continuations of its proof, most probable first."""
        return await self._ask(self.run_proofs, states, n, temperature, seeds)

    async def _ask(
        self, run: Run, states: Sequence[str], n: int, temperature: float, seeds: Sequence[int]
    ) -> list[list[Any]]:
        if len(states) != len(seeds):
            raise ValueError(f"{len(states)} states but {len(seeds)} seeds")
        if not states or n < 1:
            return [[] for _ in states]
        return await self._merger.ask(_Request(run, states, n, temperature, seeds))

    async def close(self) -> None:
        """End the worker; requests still waiting are cancelled, and a batch in work is given up."""
        self._closed = True
        await self._merger.cancel()

    def _run_together(self, batch: list[_Request]) -> list[list[Any]]:
        """Return the answers to requests of one kind, each that of its states."""
        first = batch[0]
        states = [state for request in batch for state in request.states]
        seeds = [seed for request in batch for seed in request.seeds]
        found = iter(first.run(states, first.n, first.temperature, seeds))
        return [[next(found) for _ in request.states] for request in batch]

    def _take(self, waiting: deque[_Request]) -> list[_Request]:
        """Take the oldest request and those behind it that can run with it, up to the batch size."""
        batch = [waiting.popleft()]
        kind = (batch[0].run, batch[0].n, batch[0].temperature)
        room = self.settings.max_batch // batch[0].n - len(batch[0].states)
        later: list[_Request] = []
        while waiting:
            request = waiting.popleft()
            if (request.run, request.n, request.temperature) == kind and len(request.states) <= room:
                batch.append(request)
                room -= len(request.states)
            else:
                later.append(request)
        waiting.extend(later)
        return batch

    def run(self, states: Sequence[str], n: int, temperature: float, seeds: Sequence[int]) -> list[list[Candidate]]:
        """Return the candidates of some states; blocks. Long lists run in parts sorted by length."""
        limit, place = self.settings.max_new_tokens, None if self._valued_by is None else self._tactic_end
        found = self._samples(self.form, states, n, temperature, seeds, limit, place)
        self._value([item for samples in found for item in samples])

        def answer(item: Sample) -> tuple[str, float, int, float | None]:
            return self._text(item.tokens), sum(item.logprobs), len(item.tokens), item.energy

        return [collect(self.form, map(answer, (item for item in samples if item.finished))) for samples in found]

    def _tactic_end(self, tokens: list[int]) -> int:
        """Return how many of a finished sample's tokens its tactic takes."""
        if tokens[-1] == self.tokenizer.eos_token_id:
            return len(tokens) - 1
        tactic = self.form.extract(self._text(tokens))
        return bisect_left(
            range(len(tokens) - 1), True, key=lambda count: self.form.extract(self._text(tokens[:count])) == tactic
        )

    def _value(self, samples: Sequence[Sample]) -> None:
        """Give the samples that have a hidden state their energies."""
        import torch

        read = [(item, item.hidden) for item in samples if item.hidden is not None]
        if self._valued_by is not None and read:
            begun = time.perf_counter()
            found = self._valued_by.energies(torch.stack([hidden for _, hidden in read]))
            for (item, _), energy in zip(read, found, strict=True):
                item.energy = energy
            self.busy_seconds += time.perf_counter() - begun

    def run_proofs(
        self, states: Sequence[str], n: int, temperature: float, seeds: Sequence[int]
    ) -> list[list[Continuation]]:
        """Return the continuations of some states; blocks. What an unfinished one holds counts too."""
        form = CONTINUATIONS[self.form.name]

        def read(item: Sample) -> Continuation | None:
            def place(count: int) -> int:
                return len(self._text(item.tokens[:count]))

            return continuation_of(form, self._text(item.tokens), item.logprobs, place, item.finished)

        found = self._samples(form, states, n, temperature, seeds, self.settings.max_proof_tokens)
        return [collect_continuations(read(item) for item in samples) for samples in found]

    def _samples(
        self,
        form: PromptFormat,
        states: Sequence[str],
        n: int,
        temperature: float,
        seeds: Sequence[int],
        max_new_tokens: int,
        place: Callable[[list[int]], int] | None = None,
    ) -> list[list[Sample]]:
        """Return each state's samples; ``place`` as in ``sampling.sample``."""
        from burnqed.policy.sampling import sample

        start = time.perf_counter()
        samples_each = 1 if temperature == 0 else n
        prompts = prompt_tokens(self.tokenizer, form, states, max(16, self.max_length - max_new_tokens))
        order = sorted(range(len(states)), key=lambda index: len(prompts[index]))
        size = max(1, self.settings.max_batch // samples_each)
        found: list[list[Sample]] = [[] for _ in states]

        def is_complete(tokens: list[int]) -> bool:
            if self._closed:
                raise Closed
            return form.is_complete(self._text(tokens))

        draw: Callable[..., list[list[Sample]]] = functools.partial(sample, self.model, pad=self.tokenizer.pad_token_id)
        if self._graphs is not None and max_new_tokens <= self.settings.max_new_tokens:
            draw = self._graphs.sample
        for at in range(0, len(order), size):
            part = order[at : at + size]
            with memory_named(f"sampling: lower policy.max_batch (now {self.settings.max_batch}) or model.max_length"):
                results = draw(
                    [prompts[index] for index in part],
                    samples_each,
                    temperature,
                    [seeds[index] for index in part],
                    eos=self.tokenizer.eos_token_id,
                    max_new_tokens=max_new_tokens,
                    top_p=self.settings.top_p,
                    is_complete=is_complete,
                    place=place,
                )
            for index, samples in zip(part, results, strict=True):
                found[index] = samples
                self._count(seeds[index], samples)
        self.busy_seconds += time.perf_counter() - start
        return found

    def _count(self, seed: int, samples: Sequence[Sample]) -> None:
        tokens = sum(len(item.tokens) for item in samples)
        self.tokens += tokens
        self.unfinished += sum(not item.finished for item in samples)
        if self.tokens_by_seed is not None:
            self.tokens_by_seed[seed] = tokens

    def _text(self, tokens: list[int]) -> str:
        if tokens and tokens[-1] == self.tokenizer.eos_token_id:
            tokens = tokens[:-1]
        text: str = self.tokenizer.decode(tokens, clean_up_tokenization_spaces=False)
        return text
