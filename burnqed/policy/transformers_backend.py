"""Tactic generation in this process, with transformers: on a CPU for small models, or on a GPU."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from burnqed.config import PolicySettings
from burnqed.policy.generator import Candidate, collect
from burnqed.policy.loading import load_model, load_tokenizer
from burnqed.policy.prompts import PromptFormat, prompt_tokens


@dataclass
class _Request:
    states: Sequence[str]
    n: int
    temperature: float
    seeds: Sequence[int]
    answer: asyncio.Future[list[list[Candidate]]]


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
        self.prompt_limit = max(16, max_length - settings.max_new_tokens)
        self.tokenizer = load_tokenizer(model_dir)
        self.model = load_model(model_dir, settings.dtype, device, quantization)
        self.busy_seconds = 0.0
        self.tokens = 0
        self.unfinished = 0
        self._waiting: deque[_Request] = deque()
        self._worker: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="policy")

    async def generate(
        self, states: Sequence[str], n: int, temperature: float, seeds: Sequence[int]
    ) -> list[list[Candidate]]:
        """Return for each state up to ``n`` different tactics, most probable first."""
        if len(states) != len(seeds):
            raise ValueError(f"{len(states)} states but {len(seeds)} seeds")
        if not states or n < 1:
            return [[] for _ in states]
        answer: asyncio.Future[list[list[Candidate]]] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Request(states, n, temperature, seeds, answer))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work())
        return await answer

    async def close(self) -> None:
        """End the worker; requests still waiting are cancelled."""
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)
        for request in self._waiting:
            request.answer.cancel()
        self._waiting.clear()
        self._thread.shutdown()

    async def _work(self) -> None:
        await asyncio.sleep(0)  # let callers that are ready now join the first batch
        while self._waiting:
            batch = self._take()
            first = batch[0]
            states = [state for request in batch for state in request.states]
            seeds = [seed for request in batch for seed in request.seeds]
            loop = asyncio.get_running_loop()
            try:
                found = await loop.run_in_executor(self._thread, self.run, states, first.n, first.temperature, seeds)
            except Exception as error:
                for request in batch:
                    if not request.answer.done():
                        request.answer.set_exception(error)
                continue
            for request in batch:
                part, found = found[: len(request.states)], found[len(request.states) :]
                if not request.answer.done():
                    request.answer.set_result(part)

    def _take(self) -> list[_Request]:
        """Take the oldest request and those behind it that can run with it, up to the batch size."""
        batch = [self._waiting.popleft()]
        kind = (batch[0].n, batch[0].temperature)
        room = self.settings.max_batch // batch[0].n - len(batch[0].states)
        later: list[_Request] = []
        while self._waiting:
            request = self._waiting.popleft()
            if (request.n, request.temperature) == kind and len(request.states) <= room:
                batch.append(request)
                room -= len(request.states)
            else:
                later.append(request)
        self._waiting.extend(later)
        return batch

    def run(self, states: Sequence[str], n: int, temperature: float, seeds: Sequence[int]) -> list[list[Candidate]]:
        """Return the candidates of some states; blocks. Long lists run in parts sorted by length."""
        from burnqed.policy.sampling import sample

        start = time.perf_counter()
        samples_each = 1 if temperature == 0 else n
        prompts = prompt_tokens(self.tokenizer, self.form, states, self.prompt_limit)
        order = sorted(range(len(states)), key=lambda index: len(prompts[index]))
        size = max(1, self.settings.max_batch // samples_each)
        found: list[list[Candidate]] = [[] for _ in states]
        for at in range(0, len(order), size):
            part = order[at : at + size]
            results = sample(
                self.model,
                [prompts[index] for index in part],
                samples_each,
                temperature,
                [seeds[index] for index in part],
                eos=self.tokenizer.eos_token_id,
                pad=self.tokenizer.pad_token_id,
                max_new_tokens=self.settings.max_new_tokens,
                top_p=self.settings.top_p,
                is_complete=self._is_complete,
            )
            for index, samples in zip(part, results, strict=True):
                self.tokens += sum(len(item.tokens) for item in samples)
                self.unfinished += sum(not item.finished for item in samples)
                found[index] = collect(
                    self.form,
                    [
                        (self._text(item.tokens), sum(item.logprobs), len(item.tokens))
                        for item in samples
                        if item.finished
                    ],
                )
        self.busy_seconds += time.perf_counter() - start
        return found

    def _text(self, tokens: list[int]) -> str:
        if tokens and tokens[-1] == self.tokenizer.eos_token_id:
            tokens = tokens[:-1]
        text: str = self.tokenizer.decode(tokens, clean_up_tokenization_spaces=False)
        return text

    def _is_complete(self, tokens: list[int]) -> bool:
        return self.form.is_complete(self._text(tokens))
