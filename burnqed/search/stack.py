"""What a search runs on: policy, value and prover, made of settings and files in one place."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from burnqed.config import EncoderSettings, ModelSettings, PolicySettings, ProverSettings, SearchSettings
from burnqed.files import UserError, input_digest
from burnqed.jobs.stop import stop_requested
from burnqed.records.theorems import Theorem
from burnqed.search.plan import NEGATIVES, Generator, Scorer, Searches, Session

if TYPE_CHECKING:
    from burnqed.search.reuse import Earlier

logger = logging.getLogger(__name__)
CLOSE_SECONDS = 2.0


class OpenSession(Session, Protocol):
    """A session that is closed at the end."""

    async def close(self) -> None: ...


class Pool(Protocol):
    """The prover, as a search uses it."""

    async def start(self) -> None: ...
    async def close(self) -> None: ...
    async def open(self, theorem: Theorem) -> OpenSession: ...


class SearchStack(Protocol):
    """What `run_search` needs of a stack; `Stack` is the one of real models and provers."""

    @property
    def search(self) -> SearchSettings: ...
    @property
    def prover(self) -> ProverSettings: ...
    @property
    def with_head(self) -> bool: ...
    def key(self) -> Mapping[str, object]: ...
    def open(self, searches: Searches) -> OpenStack: ...


@dataclass
class OpenStack:
    """Policy, value and prover pool, ready for use; a context manager that closes them in the order pool, policy, value.

    Whoever runs an event loop over them calls ``close`` in it; leaving the context closes what is still open.
    ``owned``: whether policy and value are closed too. ``earlier``: searches of the same model, seed and sampling by
    theorem and attempt, whose answers are taken over.
    """

    generator: Generator | None
    scorer: Scorer | None
    make_pool: Callable[[], Pool]
    owned: bool = True
    earlier: Mapping[tuple[str, int], Earlier] = field(default_factory=dict)
    reused: int = field(default=0, init=False)  # expansions whose candidates were taken over
    _closed: bool = field(default=False, init=False)

    @cached_property
    def pool(self) -> Pool:
        """The prover pool, not started; made when it is first asked for."""
        pool = self.make_pool()
        give_way, busy = getattr(self.generator, "give_way", None), getattr(pool, "busy", None)
        if give_way is not None and busy is not None:
            give_way(busy)
        return pool

    def busy(self) -> tuple[float, float]:
        """Return the seconds that policy and value have been at work so far."""
        return float(getattr(self.generator, "busy_seconds", 0.0)), float(getattr(self.scorer, "busy_seconds", 0.0))

    async def close(self) -> None:
        """Close pool, policy and value once, in this order; what fails is logged.

        After SIGTERM neither the pool nor the two others may take longer than ``CLOSE_SECONDS``.
        """
        if self._closed:
            return
        self._closed = True
        made = [self.pool] if "pool" in self.__dict__ else []
        backends = [self.generator, self.scorer] if self.owned else []
        limit = CLOSE_SECONDS if stop_requested() else None
        for parts in (made, backends):
            await asyncio.wait([asyncio.ensure_future(_close_all(parts))], timeout=limit)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._closed:
            asyncio.run(self.close())


async def _close_all(parts: Sequence[object]) -> None:
    for part in parts:
        close = getattr(part, "close", None)
        if close is not None:
            try:
                await close()
            except Exception as error:
                logger.warning("not closed cleanly: %r", error)


@dataclass(frozen=True, kw_only=True)
class Stack:
    """The settings of policy, value and prover, and the model's files: all that decides what a search finds in theorems.

    ``ebm``: folder of an energy head or value. ``device``: auto, cpu or cuda; ``threads``: torch's on a
    CPU. ``shuffled``: trajectories of a search
    with the head, whose energies are used permuted (a control). ``recorded``: trajectories of the same model, seed and
    sampling in another order, whose candidates and answers are taken over.
    """

    search: SearchSettings
    policy: PolicySettings
    encoder: EncoderSettings
    prover: ProverSettings
    model: ModelSettings
    quantization: str
    model_dir: Path
    ebm: Path | None
    device: str = "auto"
    threads: int = 1
    shuffled: Path | None = None
    recorded: Path | None = None

    @property
    def with_head(self) -> bool:
        """Whether a search samples as with a head, also where its order asks for no energy."""
        return self.ebm is not None

    def key(self) -> dict[str, object]:
        """Return what makes policy and value: digests of their files and settings."""
        return {
            "model": input_digest(self.model_dir),
            "ebm": input_digest(self.ebm) if self.ebm else "",
            "policy": self.policy.science(),
            "encoder": self.encoder.science() if self.ebm else {},
            "prompt": [self.model.prompt_format, self.model.max_length],
            "quantization": self.quantization,
            **({"shuffled": input_digest(self.shuffled)} if self.shuffled else {}),
            **({"recorded": input_digest(self.recorded)} if self.recorded else {}),
        }

    def open(self, searches: Searches) -> OpenStack:
        """Load policy and value for some searches; without theorems nothing is loaded.

        Raises UserError when the model folder is missing or unusable, the head belongs to another model, or a server
        cannot be reached.
        """
        from burnqed.policy.backends import load_generator
        from burnqed.search.reuse import read_earlier

        if not searches.theorems:
            return OpenStack(None, None, self.make_pool)
        if not self.model_dir.is_dir():
            raise UserError(f"{self.model_dir}: no such model folder; train it first (`snakemake {self.model_dir}`)")
        scorer = self.load_scorer(searches)
        # A policy on a server with no encoder beside it needs no torch here.
        device = self._torch_device() if self.policy.backend == "transformers" else "cpu"
        generator = load_generator(self.model_dir, self.policy, self.model, device, self.quantization)
        earlier = read_earlier(self.recorded) if self.recorded is not None else {}
        return OpenStack(generator, scorer, self.make_pool, earlier=earlier)

    def load_scorer(self, searches: Searches) -> Scorer | None:
        """Return the value; None for a walk along known proofs and a search by log-probability, which ask no value."""
        if self.ebm is None or searches.kind == NEGATIVES or self.search.priority == "logprob":
            return None
        if self.shuffled is not None:
            from burnqed.value.shuffled import ShuffledEnergies

            return ShuffledEnergies(self.shuffled, searches.seed)
        from burnqed.value.loading import load_scorer

        return load_scorer(self.ebm, self.model_dir, self.encoder, self._torch_device(), self.quantization)

    def _torch_device(self) -> str:
        import torch

        from burnqed.jobs.device import torch_device

        torch.set_num_threads(self.threads)
        return torch_device(self.device)

    def make_pool(self) -> Pool:
        """Return the prover pool of the settings, not started."""
        from burnqed.prover.pool import LeanPool

        return LeanPool(self.prover)
