"""Preferences from Lean's own answers: a tactic that leads to a proof against one that Lean refused, at the same state.

Direct preference optimisation (Rafailov et al. 2023, arXiv:2305.18290, equation 7), added to the loss of fine-tuning
as in Pang et al. 2024 (arXiv:2404.19733). BFS-Prover (Xin et al. 2025, arXiv:2502.03438) uses the same pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from burnqed.config import SFTSettings
from burnqed.training.batches import Example, completion_logprobs
from burnqed.training.processes import Processes


@dataclass(frozen=True)
class PreferencePair:
    """Two completions of one prompt: the better and the worse."""

    chosen: Example
    rejected: Example

    @property
    def tokens(self) -> int:
        """Tokens of both."""
        return len(self.chosen.tokens) + len(self.rejected.tokens)


class PreferenceLoss:
    """The preference loss beside that of fine-tuning (``SecondLoss``); it has no parameters of its own.

    The reference is the model as it is when this object is made, before any training step.
    """

    def __init__(
        self,
        model: Any,
        pairs: Sequence[PreferencePair],
        collate: Callable[[Sequence[Example]], dict[str, Any]],
        micro_tokens: int,
        settings: SFTSettings,
        seed: int,
        processes: Processes,
    ) -> None:
        self.module = nn.Module()
        self.learning_rate, self.weight_decay = settings.learning_rate, 0.0
        self._model, self._pairs, self._collate, self._micro = model, list(pairs), collate, micro_tokens
        self._settings, self._seed, self._processes = settings, seed, processes
        model.eval()
        with torch.no_grad():
            parts = [self._margins(group).cpu() for group in self._groups(range(len(self._pairs)))]
        self._reference = torch.cat(parts) if parts else torch.zeros(0)
        model.train()

    def _groups(self, indices: Sequence[int]) -> Iterator[list[int]]:
        """Yield the pairs in groups of at most the micro-batch's tokens (one pair may have more)."""
        group: list[int] = []
        room = self._micro
        for index in indices:
            if group and self._pairs[index].tokens > room:
                yield group
                group, room = [], self._micro
            group.append(index)
            room -= self._pairs[index].tokens
        if group:
            yield group

    def _margins(self, group: Sequence[int]) -> Tensor:
        """Return log-probability of chosen minus rejected of some pairs, shape (pairs,), nats."""
        device = next(self._model.parameters()).device
        examples = [e for index in group for e in (self._pairs[index].chosen, self._pairs[index].rejected)]
        batch = {name: value.to(device) for name, value in self._collate(examples).items()}
        with torch.autocast(device.type, torch.bfloat16, enabled=self._settings.dtype == "bfloat16"):
            both = completion_logprobs(self._model, batch, len(examples)).view(-1, 2)
        return both[:, 0] - both[:, 1]

    def backward(self, step: int) -> dict[str, float]:
        """Add the weighted gradients of a step's pairs; return their mean loss and how often the better one leads."""
        if not self._pairs:
            return {}
        rng = np.random.default_rng([self._seed, step])
        count = min(self._settings.dpo_pairs, len(self._pairs))
        drawn = rng.choice(len(self._pairs), size=count, replace=False).tolist()
        total = ahead = 0.0
        for group in self._groups(drawn[self._processes.rank :: self._processes.count]):
            margins = self._margins(group)
            gain = self._settings.dpo_beta * (margins - self._reference[group].to(margins.device))
            loss = -nn.functional.logsigmoid(gain).sum() / count
            (self._settings.dpo_weight * loss).backward()
            total += float(loss.detach())
            ahead += float((gain > 0).sum()) / count
        total, ahead = self._processes.total(total, ahead)
        return {"dpo_loss": round(total, 6), "dpo_ahead": round(ahead, 4)}

    def updated(self) -> None:
        """Nothing follows a step."""

    def watch(self, history: Sequence[dict[str, Any]]) -> None:
        """No line ends this training."""

    def validation(self) -> tuple[float, dict[str, Any]]:
        """The validation loss stays that of the tactics."""
        return 0.0, {}
