"""Training a value by cross-entropy to honest targets: a task of the engine."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from burnqed.config import ValueSettings
from burnqed.files import UserError
from burnqed.jobs.progress import ProgressFolder
from burnqed.jobs.stop import stop_requested
from burnqed.training.engine import Course, Score, run_task
from burnqed.value.readers import Frozen, Policy, Reading
from burnqed.value.values import OwnCopy, TrainedValue, card_of

WEIGHT_DECAY = 0.01
WARMUP_SHARE = 0.05
STATISTICS = 1024  # training states that give an own copy's head its mean and deviation


def train_value(
    readings: Sequence[Reading],
    targets: Sequence[float],
    held: Sequence[bool],
    settings: ValueSettings,
    policy: Policy,
    seed: int,
    reader: Frozen | None = None,
    artifact: Path | None = None,
    progress: ProgressFolder | None = None,
) -> TrainedValue:
    """Train a value on readings and their targets in [0, 1]; those ``held`` choose when to stop.

    ``reader``: that of the settings, where it is loaded already. Own copies train in float32 where the encoder computes
    in float64. ``progress`` of ``artifact`` keeps checkpoints. Raises Stopped after SIGTERM, UserError when the loss is
    not finite, and ValueError when one side of the split is empty.
    """
    train, val = ([i for i, out in enumerate(held) if out == side] for side in (False, True))
    if not train or not val:
        raise ValueError(f"{len(train)} states to train on and {len(val)} held out: both are needed")
    torch.manual_seed(seed)
    dtype = "float32" if policy.encoder.dtype == "float64" else policy.encoder.dtype
    value = TrainedValue(card_of(settings, policy, 0), settings, policy, dtype, reader)
    if value.own is not None:
        task, epochs = _own_task(value, value.own, readings, targets, train, val, seed), settings.own_epochs
    else:
        task, epochs = _head_task(value, readings, targets, train, val, seed), settings.epochs
    per_epoch = math.ceil(len(train) / settings.batch)
    steps = epochs * per_epoch
    course = Course(
        settings.learning_rate,
        schedule="whole_cosine",
        warmup_steps=max(1, round(WARMUP_SHARE * steps)),
        checkpoint_every=per_epoch,
        log_every=steps,
        patience=settings.patience,
    )
    found = run_task(task, steps, course, artifact, progress)
    task.module.eval()
    value.head.to(value.dtype)
    report = {
        "held_out_loss": round(found.best_val_loss or 0.0, 6),
        "prior_loss": task.prior_loss(),
        "epochs": found.steps // per_epoch,
        "best_epoch": found.best_step // per_epoch,
        "train_states": len(train),
        "held_out_states": len(val),
    }
    value.card = replace(value.card, report=report)
    return value


def _head_task(
    value: TrainedValue,
    readings: Sequence[Reading],
    targets: Sequence[float],
    train: list[int],
    val: list[int],
    seed: int,
) -> _CrossEntropy:
    """Return the training of layers above a frozen reader, in float32."""
    value.head.float()
    vectors = torch.from_numpy(value.reader.vectors(readings)).to(value.device)
    value.head.set_statistics(vectors[train])
    goal = torch.tensor(targets, device=value.device)
    rates = [(list(value.head.parameters()), value.settings.learning_rate)]
    return _CrossEntropy(
        value.head, lambda at: value.head(vectors[at]), goal, train, val, rates, value.settings.batch, seed
    )


def _own_task(
    value: TrainedValue,
    own: OwnCopy,
    readings: Sequence[Reading],
    targets: Sequence[float],
    train: list[int],
    val: list[int],
    seed: int,
) -> _CrossEntropy:
    """Return the training of an own copy of the policy, and of the layers above it."""
    settings, rows = value.settings, value.tokens_of(readings)
    with torch.no_grad():
        sample = np.random.default_rng(seed).permutation(train)[:STATISTICS]
        own.head.set_statistics(
            torch.cat([own.hidden([rows[i] for i in sample[at : at + 64]]) for at in range(0, len(sample), 64)])
        )
    goal = torch.tensor(targets, dtype=own.head.mean.dtype, device=own.device)
    copied = [weight for weight in own.decoder.parameters() if weight.requires_grad]
    rates = [(copied, settings.own_rate), (list(own.head.parameters()), settings.learning_rate)]
    return _CrossEntropy(own, lambda at: own([rows[i] for i in at]), goal, train, val, rates, settings.batch, seed)


class _CrossEntropy:
    """Cross-entropy of a module's ``logits`` of some rows to their soft ``targets``; ``rates`` are peaks."""

    def __init__(
        self,
        module: nn.Module,
        logits: Callable[[list[int]], Tensor],
        targets: Tensor,
        train: list[int],
        val: list[int],
        rates: Sequence[tuple[list[nn.Parameter], float]],
        batch: int,
        seed: int,
    ) -> None:
        self.module, self.logits, self.targets, self.train, self.val = module, logits, targets, train, val
        self.parameters: dict[str, Any] = {n: p for n, p in module.named_parameters() if p.requires_grad}
        self.buffers: dict[str, Any] = dict(module.named_buffers())
        groups = [{"params": parameters, "lr": rate, "peak": rate} for parameters, rate in rates if parameters]
        self.optimizer = torch.optim.AdamW(groups, weight_decay=WEIGHT_DECAY)
        self.batch, self.batches = batch, math.ceil(len(train) / batch)
        self._random, self._orders = np.random.default_rng(seed), list[Any]()

    def begin(self, done: int) -> None:
        """Nothing is to be done."""

    def step(self, step: int) -> tuple[dict[str, Any], bool]:
        """Take a step on a batch of the epoch's order."""
        epoch, place = divmod(step, self.batches)
        while len(self._orders) <= epoch:
            self._orders.append(self._random.permutation(len(self.train)))
        chosen = self._orders[epoch][place * self.batch : (place + 1) * self.batch]
        rows = [self.train[i] for i in chosen]
        self.module.train()
        loss = nn.functional.binary_cross_entropy_with_logits(self.logits(rows), self.targets[rows])
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.module.parameters(), 1.0)
        self.optimizer.step()
        return {}, stop_requested()

    @torch.inference_mode()
    def validate(self, done: int) -> tuple[Score, dict[str, Any]]:
        """Return the mean loss of the held-out rows."""
        self.module.eval()
        parts = [self.val[at : at + 256] for at in range(0, len(self.val), 256)]
        total = sum(
            float(
                nn.functional.binary_cross_entropy_with_logits(self.logits(part), self.targets[part], reduction="sum")
            )
            for part in parts
        )
        loss = total / len(self.val)
        if not math.isfinite(loss):
            raise UserError(
                f"the value's held-out loss is {loss} after {done} steps: lower value.learning_rate, and value.own_rate "
                "with reader own"
            )
        return (loss,), {"val_loss": round(loss, 6)}

    def recorded(self, history: list[dict[str, Any]]) -> None:
        """Nothing follows."""

    def prior_loss(self) -> float:
        """Return the held-out loss of the mean target of training."""
        share = float(self.targets[self.train].mean())
        logit = math.log(max(share, 1e-6) / max(1 - share, 1e-6))
        prior = torch.full((len(self.val),), logit, device=self.targets.device)
        goal = self.targets[self.val].float()
        return round(float(nn.functional.binary_cross_entropy_with_logits(prior, goal)), 6)
