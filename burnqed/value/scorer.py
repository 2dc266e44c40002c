"""The energy head at work in the search: merged requests, one thread, cache by text."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from burnqed.config import EncoderSettings
from burnqed.jobs.device import capturing
from burnqed.jobs.merging import Merger

if TYPE_CHECKING:
    from burnqed.value.encoder import Encoder

CACHE_BYTES = 1 << 30


class EnergyScorer:
    """Scores states under their theorems' goals; low energy means provable.

    Requests that arrive while a batch is computed are answered together by the next one. Vectors
    are rounded to float16, as those the head was trained on are stored. With a float64 encoder the
    head runs in float64 too, so that energies (rounded to 6 decimals) do not depend on the batch.
    ``busy_seconds`` is the time spent computing. Raises UserError when the head was trained on
    another encoder.
    """

    def __init__(self, head_dir: Path, encoder: Encoder) -> None:
        from burnqed.value.head import head_dtype, load_head

        self.encoder = encoder
        self.head, _ = load_head(head_dir, encoder.spec)
        self._dtype = head_dtype(encoder.settings.dtype)
        self.head.to(device=encoder.device, dtype=self._dtype).requires_grad_(False)
        self.busy_seconds = 0.0
        self._vectors: dict[str, NDArray[np.float16]] = {}
        self._capacity = max(CACHE_BYTES // (2 * encoder.hidden_size), 1)
        self._merger: Merger[tuple[list[str], list[str]], list[float]] = Merger("value", self._score_together)

    async def score(self, states: Sequence[str], goals: Sequence[str]) -> list[float]:
        """Return one energy per (state, goal) pair, rounded to 6 decimals."""
        if len(states) != len(goals):
            raise ValueError(f"{len(states)} states but {len(goals)} goals")
        if not states:
            return []
        return await self._merger.ask((list(states), list(goals)))

    def _score_together(self, batch: list[tuple[list[str], list[str]]]) -> list[list[float]]:
        """Return the energies of several requests, each those of its pairs."""
        states = [state for request, _ in batch for state in request]
        goals = [goal for _, request in batch for goal in request]
        with capturing:
            energies = iter(self.score_now(states, goals))
        return [[next(energies) for _ in request] for request, _ in batch]

    def score_now(self, states: Sequence[str], goals: Sequence[str]) -> list[float]:
        """Return the energies of (state, goal) pairs, computed in the calling thread."""
        import torch

        begun = time.perf_counter()
        vectors = self._encode({*states, *goals})
        with torch.inference_mode():
            z_state, z_goal = (
                torch.from_numpy(np.stack([vectors[text] for text in texts])).to(self.encoder.device, self._dtype)
                for texts in (states, goals)
            )
            energies = self.head(self.head.prepare(z_state), self.head.prepare(z_goal)).double().cpu().numpy()
        self.busy_seconds += time.perf_counter() - begun
        if not np.isfinite(energies).all():
            raise RuntimeError("the energy head returned an energy that is not finite")
        return [round(float(energy), 6) + 0.0 for energy in energies]

    def _encode(self, texts: set[str]) -> dict[str, NDArray[np.float16]]:
        """Return the vectors of texts; new ones are kept, the oldest go when the cache is full."""
        unknown = sorted(texts - self._vectors.keys())
        found = {text: self._vectors[text] for text in texts if text in self._vectors}
        if unknown:
            found.update(zip(unknown, self.encoder.encode(unknown).astype(np.float16), strict=True))
        for text in unknown:
            self._vectors[text] = found[text]
        while len(self._vectors) > self._capacity:
            del self._vectors[next(iter(self._vectors))]
        return found

    async def close(self) -> None:
        """End the thread; waiting requests are answered first."""
        await self._merger.finish()


def load_scorer(
    head_dir: Path, model_dir: Path, encoder: EncoderSettings, device: str, quantization: str
) -> EnergyScorer:
    """Return the scorer of a head's folder; raise UserError when head and encoder do not belong together."""
    from burnqed.value.encoder import Encoder

    return EnergyScorer(head_dir, Encoder(model_dir, encoder, device, quantization))
