"""Training a language model, alone or with a second loss beside its own: a task of the engine."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from burnqed.files import UserError
from burnqed.jobs.progress import ProgressFolder
from burnqed.jobs.stop import stop_requested
from burnqed.policy.loading import memory_named
from burnqed.training.checkpoints import TrainResult
from burnqed.training.engine import ALONE, Course, Score, run_task
from burnqed.training.processes import Processes
from burnqed.training.speed import StepLog

OUT_OF_MEMORY = (
    "training: lower sft.micro_batch_tokens (0 = a whole step) or model.max_length, set "
    "sft.gradient_checkpointing: true, or quantization: nf4 for this machine in hardware_types"
)


@dataclass(frozen=True)
class LoopSettings(Course):
    """The course of a language model's training, and its steps.

    ``flops_per_token`` are the operations of a training token, for the share of the GPU's peak in the
    step log; 0 = not known.
    """

    weight_decay: float = 0.0
    max_grad_norm: float = 1.0
    autocast: bool = False
    flops_per_token: float = 0.0


class SecondLoss(Protocol):
    """A loss beside the model's own, with parameters of its own (joint training).

    ``module`` holds those parameters and the buffers that training changes; checkpoints keep both.
    """

    module: Any
    learning_rate: float
    weight_decay: float

    def backward(self, step: int) -> dict[str, float]:
        """Add the gradients of a step (0-based) to model and module; return what to record."""

    def updated(self) -> None:
        """Do what follows an optimiser step."""

    def watch(self, history: Sequence[dict[str, Any]]) -> None:
        """Look at the records so far, after each step; raise UserError to end a training that goes wrong."""

    def validation(self) -> tuple[float, dict[str, Any]]:
        """Return what to add to the validation loss, and what to record; runs without gradients."""


def deterministic(seed: int, threads: int, strict: bool = False) -> None:
    """Make torch deterministic in seed and thread count.

    ``strict`` (for GPUs) refuses operations that cannot be, with torch's own error; without it they run
    with a warning, and FlashAttention's backward pass is among them.
    """
    import torch

    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(True, warn_only=not strict)
    # Filling new memory guards against reading it unwritten; it would cost a pass over every activation.
    torch.utils.deterministic.fill_uninitialized_memory = False
    torch.manual_seed(seed)


def train(
    model: Any,
    steps: int,
    micro_batches: Callable[[int], Sequence[dict[str, Any]]],
    loss_sum: Callable[[Any, dict[str, Any]], Any],
    settings: LoopSettings,
    artifact: Path,
    progress: ProgressFolder | None,
    validate: Callable[[], float] | None = None,
    second: SecondLoss | None = None,
    measure: Callable[[], dict[str, float]] | None = None,
    processes: Processes = ALONE,
) -> TrainResult:
    """Train the parameters of ``model`` that require gradients; leave the best ones in the model.

    ``micro_batches(step)`` gives the forward passes of a step, of this process's share of it;
    ``loss_sum`` their summed loss, which is divided by the step's number of counted labels.
    ``validate`` returns the validation loss; it runs at each checkpoint and at the end, and the weights
    with the lowest one are kept. ``measure`` returns further losses, which are recorded with it.
    ``second`` is a loss with parameters of its own: its gradients join the model's in each step, its
    share joins the validation loss, and its parameters are clipped apart and kept with the model's.
    With several ``processes`` each calls this function, the main one alone with
    a progress folder, and only the main one is left with the best weights.

    SIGTERM saves a checkpoint and raises Stopped. Raises UserError when the loss is not finite or
    memory runs out.
    """
    task = _LanguageModel(model, micro_batches, loss_sum, settings, validate, second, measure, processes, artifact)
    try:
        with memory_named(OUT_OF_MEMORY):
            result = run_task(task, steps, settings, artifact, progress, processes)
    finally:
        task.close()
    seconds = result.times["train_seconds"]
    result.times["tokens_per_second"] = round(task.tokens / seconds, 1) if seconds else 0.0
    result.times["processes"] = processes.count
    model.eval()
    return result


class _LanguageModel:
    """A language model, and a second loss where there is one, as the engine trains them."""

    def __init__(
        self,
        model: Any,
        micro_batches: Callable[[int], Sequence[dict[str, Any]]],
        loss_sum: Callable[[Any, dict[str, Any]], Any],
        settings: LoopSettings,
        validate: Callable[[], float] | None,
        second: SecondLoss | None,
        measure: Callable[[], dict[str, float]] | None,
        processes: Processes,
        artifact: Path,
    ) -> None:
        import torch

        self.model, self.micro_batches, self.loss_sum, self.settings = model, micro_batches, loss_sum, settings
        self.validation, self.second, self.measure = validate, second, measure
        self.processes, self.artifact = processes, artifact if processes.is_main else None
        self.parameters = {name: p for name, p in model.named_parameters() if p.requires_grad}
        self.buffers: dict[str, Any] = {}
        self.device = next(iter(self.parameters.values())).device
        groups = [_group(list(self.parameters.values()), settings.learning_rate, settings.weight_decay)]
        if second is not None:
            own = {f"second.{name}": p for name, p in second.module.named_parameters()}
            groups.append(_group(list(own.values()), second.learning_rate, second.weight_decay))
            self.buffers = {f"second.{name}": b for name, b in second.module.named_buffers()}
            self.parameters |= own
        self.optimizer = torch.optim.AdamW(groups, lr=settings.learning_rate, fused=True)
        self.tokens = 0.0
        self.log: StepLog | None = None

    def begin(self, done: int) -> None:
        """Open the step log."""
        self.log = StepLog(self.artifact, done, self.device, self.settings.flops_per_token, self.processes.count)
        self.model.train()

    def close(self) -> None:
        """Close the step log."""
        if self.log is not None:
            self.log.close()

    def step(self, step: int) -> tuple[dict[str, Any], bool]:
        """Take a step on this process's share of its texts."""
        batches = [{k: v.to(self.device) for k, v in batch.items()} for batch in self.micro_batches(step)]
        loss, told = self._update(batches, step)
        tokens = float(sum(batch["input_ids"].numel() for batch in batches))
        # All processes must agree on the loss and on whether to stop.
        loss, tokens, stops = self.processes.total(loss, tokens, float(stop_requested()))
        self.tokens += tokens
        assert self.log is not None
        self.log.count(tokens)
        if not math.isfinite(loss):
            raise UserError(
                f"training loss is {loss} at step {step + 1}: lower the learning rate ({self.settings.learning_rate})"
            )
        rate = self.optimizer.param_groups[0]["lr"]
        return {"loss": round(loss, 6), "lr": round(rate, 10), **told}, bool(stops)

    def _update(self, batches: Sequence[dict[str, Any]], step: int) -> tuple[float, dict[str, float]]:
        """Do one optimiser step; return this process's part of its mean loss, and what the second loss records.

        The gradients of the second loss are added after the model's own, and its parameters are clipped
        by themselves, so that with weight 0 the model's step is the same as without it.
        """
        import torch

        parameters = [parameter for group in self.optimizer.param_groups for parameter in group["params"]]
        (counted,) = self.processes.total(sum(int((batch["labels"] >= 0).sum()) for batch in batches))
        total = 0.0
        for batch in batches:
            with torch.autocast(self.device.type, torch.bfloat16, enabled=self.settings.autocast):
                loss = self.loss_sum(self.model, batch) / max(1, round(counted))
            loss.backward()
            total += float(loss.detach())
        told = self.second.backward(step) if self.second is not None else {}
        self.processes.sum_gradients(parameters)
        limit = self.settings.max_grad_norm
        norms = [torch.nn.utils.clip_grad_norm_(group["params"], limit) for group in self.optimizer.param_groups]
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        if self.second is not None:
            self.second.updated()
            told |= {"grad_norm": round(float(norms[0]), 6), "second_grad_norm": round(float(norms[1]), 6)}
        return total, told

    def validate(self, done: int) -> tuple[Score | None, dict[str, Any]]:
        """Return the validation loss, with the second loss's share, and all that is measured beside it."""
        if self.validation is None:
            return None, {}
        value = self._evaluate(self.validation)
        record: dict[str, Any] = {"val_loss": round(value, 6)}
        if self.measure is not None:
            record |= {name: round(loss, 6) for name, loss in self._evaluate(self.measure).items()}
        if self.second is not None:
            added, told = self._evaluate(self.second.validation)
            value += added
            record |= told
        return (value,), record

    def _evaluate(self, measure: Callable[[], Any]) -> Any:
        import torch

        self.model.eval()
        with torch.no_grad():
            value = measure()
        self.model.train()
        return value

    def recorded(self, history: list[dict[str, Any]]) -> None:
        """Write the newest record to the step log, and let the second loss look at all."""
        if self.log is not None:
            self.log.write(history[-1])
        if self.second is not None:
            self.second.watch(history)


def _group(parameters: list[Any], learning_rate: float, weight_decay: float) -> dict[str, Any]:
    """Return a parameter group that keeps its peak learning rate apart."""
    return {"params": parameters, "lr": learning_rate, "peak": learning_rate, "weight_decay": weight_decay}
