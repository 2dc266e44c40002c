"""Tactic generation through an OpenAI-compatible completions server (vLLM, SGLang, ...).

Prompts are sent as token ids, so the server sees the tokens that training saw. One request per
state, because a request has one seed; the server batches them. The log-probabilities must be those
of the model at temperature 1, which is vLLM's default (``--logprobs-mode raw_logprobs``).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burnqed.config import PolicySettings
from burnqed.files import UserError, json_problem, parse_json
from burnqed.policy.connection import connect, connect_many, without_version
from burnqed.policy.continuation import CONTINUATIONS, Continuation, collect_continuations, continuation_of
from burnqed.policy.generator import Candidate, collect
from burnqed.policy.loading import load_tokenizer
from burnqed.policy.prompts import FENCE, PromptFormat, prompt_tokens
from burnqed.policy.servers import Servers, Unreachable
from burnqed.policy.vllm_process import VLLMProcess

RETRIES = 5
FIRST_WAIT = 0.5  # seconds before the first retry; doubled for each further one
REQUEST_SECONDS = 600.0
ASK_SECONDS = 10.0
MAX_SEED = 2**63


@dataclass(frozen=True)
class Answer:
    """One choice of a completion: its text, its tokens' log-probabilities, and whether it ended.

    ``offsets[i]`` is the place in the text where token i begins; empty when the server does not say.
    """

    text: str
    logprobs: tuple[float, ...]
    finished: bool
    offsets: tuple[int, ...] = ()

    @property
    def logprob(self) -> float:
        return sum(self.logprobs)

    @property
    def num_tokens(self) -> int:
        return len(self.logprobs)

    def place(self, count: int) -> int:
        """Return the number of characters of the first tokens; proportional where that is unknown."""
        if count >= len(self.logprobs):
            return len(self.text)
        if len(self.offsets) == len(self.logprobs):
            return self.offsets[count]
        return len(self.text) * count // len(self.logprobs)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    return float(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


class CompletionsClient:
    """A client of ``POST /v1/completions`` with retries.

    Retried: connections refused or broken, time-outs, status 429 and 5xx. Raises UserError naming
    the URL when the server stays unreachable, refuses a request, or answers in another shape.
    """

    def __init__(self, url: str, model: str, connections: int, first_wait: float = FIRST_WAIT) -> None:
        self.url, self.model, self.first_wait = without_version(url), model, first_wait
        self._http = connect_many(url, REQUEST_SECONDS, connections)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def complete(
        self,
        prompts: Sequence[Sequence[int]],
        n: int,
        *,
        temperature: float,
        top_p: float,
        max_tokens: int,
        seed: int,
        stop: Sequence[str],
    ) -> list[list[Answer]]:
        """Return ``n`` answers for each prompt (token ids)."""
        body: dict[str, Any] = {
            "model": self.model,
            "prompt": [list(ids) for ids in prompts],
            "n": n,
            "temperature": temperature,
            "top_p": top_p,
            "max_tokens": max_tokens,
            "seed": seed % MAX_SEED,
            "logprobs": 0,  # of the sampled tokens alone: more of them cost a vLLM server a tenth of its speed
        }
        if stop:
            body["stop"] = list(stop)
        return self._parse(await self._post(body), len(prompts), n)

    async def _post(self, body: dict[str, Any]) -> Any:
        import httpx2

        problem = ""
        for attempt in range(RETRIES + 1):
            if attempt:
                await asyncio.sleep(self.first_wait * 2 ** (attempt - 1))
            try:
                response = await self._http.post("/v1/completions", json=body)
            except httpx2.TransportError as error:
                problem = f"{type(error).__name__}: {error}"
                continue
            if response.status_code == 200:
                try:
                    return parse_json(response.text)
                except ValueError as error:
                    problem = json_problem(error)
                    raise UserError(
                        f"{self.url}: not a completions server (its answer is no JSON: {problem})"
                    ) from error
            problem = f"HTTP {response.status_code}: {response.text[:300]}"
            if response.status_code != 429 and response.status_code < 500:
                raise UserError(
                    f"{self.url}: the server refused a request ({problem}); "
                    "check policy.server_url, its model and its maximum length"
                )
        raise Unreachable(
            f"{self.url}: no answer after {RETRIES + 1} tries ({problem}); "
            f"check that the server runs (GET {self.url}/health)"
        )

    def _parse(self, answer: Any, prompts: int, n: int) -> list[list[Answer]]:
        """Return the choices of an answer, in order of prompts; choice index i belongs to prompt i // n."""
        try:
            choices = sorted(answer["choices"], key=lambda choice: choice["index"])
            if [choice["index"] for choice in choices] != list(range(prompts * n)):
                raise UserError(
                    f"{self.url}: {len(choices)} choices for {prompts} prompts with n={n}; "
                    "the server must support n and lists of prompts"
                )
            found = []
            for choice in choices:
                logprobs = tuple(_number(value) for value in choice["logprobs"]["token_logprobs"])
                offsets = [int(value) for value in choice["logprobs"].get("text_offset") or ()]
                first = offsets[0] if offsets else 0  # some servers count from the start of the prompt
                places = tuple(max(0, value - first) for value in offsets)
                found.append(Answer(_text(choice["text"]), logprobs, choice["finish_reason"] == "stop", places))
        except (KeyError, IndexError, AttributeError, TypeError, ValueError, OverflowError) as error:
            raise UserError(
                f"{self.url}: the answer has no log-probabilities in the completions form ({error!r}); "
                "use vLLM, SGLang or another server that returns them"
            ) from error
        return [found[start : start + n] for start in range(0, len(found), n)]


class ServerGenerator:
    """Samples tactics from servers: those of given URLs, or a vLLM server that this job starts and owns."""

    def __init__(self, model_dir: Path, settings: PolicySettings, form: PromptFormat, max_length: int) -> None:
        self.settings, self.form = settings, form
        self.max_length = max_length
        self.tokenizer = load_tokenizer(model_dir)
        self.busy_seconds = 0.0
        self.tokens = 0
        self.unfinished = 0
        self._running, self._since = 0, 0.0
        self._process = None if settings.server_url else VLLMProcess(model_dir, settings, max_length)
        urls = [self._process.url] if self._process else settings.server_url
        name = self._process.name if self._process else common_model(urls)
        self._servers = Servers([CompletionsClient(url, name, connections=settings.server_sequences) for url in urls])
        self._slots = asyncio.Semaphore(settings.server_sequences * len(urls))

    async def generate(
        self, states: Sequence[str], n: int, temperature: float, seeds: Sequence[int]
    ) -> list[list[Candidate]]:
        """Return for each state up to ``n`` different tactics, most probable first."""
        found = await self._ask(self.form, states, n, temperature, seeds, self.settings.max_new_tokens)
        return [
            collect(self.form, [(a.text, a.logprob, a.num_tokens, None) for a in answers if self._ended(self.form, a)])
            for answers in found
        ]

    async def continue_proofs(
        self, states: Sequence[str], n: int, temperature: float, seeds: Sequence[int]
    ) -> list[list[Continuation]]:
        """Return for each state up to ``n`` different continuations of its proof, most probable first."""
        form = CONTINUATIONS[self.form.name]
        found = await self._ask(form, states, n, temperature, seeds, self.settings.max_proof_tokens)
        return [
            collect_continuations(
                continuation_of(form, a.text, a.logprobs, a.place, self._ended(form, a)) for a in answers
            )
            for answers in found
        ]

    def _ended(self, form: PromptFormat, answer: Answer) -> bool:
        ended = answer.finished or form.is_complete(answer.text)
        self.unfinished += not ended
        return ended

    async def _ask(
        self,
        form: PromptFormat,
        states: Sequence[str],
        n: int,
        temperature: float,
        seeds: Sequence[int],
        max_tokens: int,
    ) -> list[list[Answer]]:
        if len(states) != len(seeds):
            raise ValueError(f"{len(states)} states but {len(seeds)} seeds")
        if not states or n < 1:
            return [[] for _ in states]
        prompts = prompt_tokens(self.tokenizer, form, states, max(16, self.max_length - max_tokens))
        each = 1 if temperature == 0 else n
        self._enter()
        try:
            return list(
                await asyncio.gather(
                    *(
                        self._one(form, ids, each, temperature, seed, max_tokens)
                        for ids, seed in zip(prompts, seeds, strict=True)
                    )
                )
            )
        finally:
            self._leave()

    async def _one(
        self, form: PromptFormat, ids: Sequence[int], n: int, temperature: float, seed: int, max_tokens: int
    ) -> list[Answer]:
        # A fence may open an answer, so the fence is no stop for the server; the format's extractor cuts at it.
        stop = [mark for mark in (*form.stops, form.end) if mark and FENCE not in mark]
        async with self._slots:
            if self._process is not None:
                self._process.check()
            (answers,) = await self._servers.ask(
                lambda client: client.complete(
                    [ids],
                    n,
                    temperature=temperature,
                    top_p=self.settings.top_p,
                    max_tokens=max_tokens,
                    seed=seed,
                    stop=stop,
                )
            )
        self.tokens += sum(answer.num_tokens for answer in answers)
        return answers

    def _enter(self) -> None:
        self._running += 1
        if self._running == 1:
            self._since = time.perf_counter()

    def _leave(self) -> None:
        self._running -= 1
        if self._running == 0:
            self.busy_seconds += time.perf_counter() - self._since

    async def close(self) -> None:
        """Close the connections and end the server if it is ours."""
        await self._servers.close()
        if self._process is not None:
            self._process.stop()


def common_model(urls: Sequence[str]) -> str:
    """Return the name of the model that all servers offer; raise UserError when they differ or one does not answer."""
    names = {url: served_model(url) for url in urls}
    if len(set(names.values())) > 1:
        shown = ", ".join(f"{url}: {name}" for url, name in names.items())
        raise UserError(f"policy.server_url: the servers offer different models ({shown}); give those of one model")
    return names[urls[0]]


def served_model(url: str) -> str:
    """Return the name of the model a server offers first; raise UserError when it cannot be asked."""
    import httpx2

    base = without_version(url)
    try:
        with connect(url, ASK_SECONDS) as client:
            response = client.get("/v1/models")
        response.raise_for_status()
        return _text(parse_json(response.text)["data"][0]["id"])
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, KeyError, IndexError, TypeError) as error:
        raise UserError(
            f"policy.server_url: {base} does not answer GET /v1/models as an OpenAI-compatible server "
            f"({error!r}); start it, or correct the URL"
        ) from error
