"""The energy head at work in the search: merged requests, one thread, cache by text."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from burnqed.config import EncoderSettings

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
        import torch

        from burnqed.value.head import load_head

        self.encoder = encoder
        self.head, _ = load_head(head_dir, encoder.spec)
        self._dtype = torch.float64 if encoder.settings.dtype == "float64" else torch.float32
        self.head.to(device=encoder.device, dtype=self._dtype).requires_grad_(False)
        self.busy_seconds = 0.0
        self._vectors: dict[str, NDArray[np.float16]] = {}
        self._capacity = max(CACHE_BYTES // (2 * encoder.hidden_size), 1)
        self._waiting: list[tuple[list[str], list[str], asyncio.Future[list[float]]]] = []
        self._worker: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="value")

    async def score(self, states: Sequence[str], goals: Sequence[str]) -> list[float]:
        """Return one energy per (state, goal) pair, rounded to 6 decimals."""
        if len(states) != len(goals):
            raise ValueError(f"{len(states)} states but {len(goals)} goals")
        if not states:
            return []
        future: asyncio.Future[list[float]] = asyncio.get_running_loop().create_future()
        self._waiting.append((list(states), list(goals), future))
        if self._worker is None or self._worker.done():
            self._worker = asyncio.ensure_future(self._serve())
        return await future

    async def _serve(self) -> None:
        """Answer waiting requests, all at once, until there is none."""
        await asyncio.sleep(0)  # let requests made in the same turn of the loop join
        loop = asyncio.get_running_loop()
        while self._waiting:
            requests, self._waiting = self._waiting, []
            states = [text for request in requests for text in request[0]]
            goals = [text for request in requests for text in request[1]]
            try:
                energies = await loop.run_in_executor(self._thread, self.score_now, states, goals)
            except Exception as error:
                for _, _, future in requests:
                    if not future.done():
                        future.set_exception(error)
                continue
            start = 0
            for request_states, _, future in requests:
                if not future.done():
                    future.set_result(energies[start : start + len(request_states)])
                start += len(request_states)

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
        if self._worker is not None:
            await self._worker
        self._thread.shutdown()


def load_scorer(
    head_dir: Path, model_dir: Path, encoder: EncoderSettings, device: str, quantization: str
) -> EnergyScorer:
    """Return the scorer of a head folder; raise UserError when head and encoder do not belong together."""
    from burnqed.value.encoder import Encoder

    return EnergyScorer(head_dir, Encoder(model_dir, encoder, device, quantization))
