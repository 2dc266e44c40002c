"""The training loop: AdamW, cosine learning rate, checkpoints that resume bitwise, one or several processes.

The data order is a function of the seed, and a checkpoint holds all other state, so a run killed at any
moment and started again ends with the same bits (at an equal number of threads and processes) as an
undisturbed one.
"""

from __future__ import annotations

import logging
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from burnqed.files import UserError
from burnqed.jobs.progress import ProgressFolder
from burnqed.jobs.status import StatusFile
from burnqed.jobs.stop import Stopped, graceful_stop, stop_requested
from burnqed.policy.loading import memory_named
from burnqed.training.checkpoints import Checkpoints, TrainResult
from burnqed.training.processes import Processes
from burnqed.training.speed import StepLog

logger = logging.getLogger(__name__)
ALONE = Processes()
OUT_OF_MEMORY = (
    "training: lower sft.micro_batch_tokens (0 = a whole step) or model.max_length, set "
    "sft.gradient_checkpointing: true, or quantization: nf4 for this machine in hardware_types"
)


@dataclass(frozen=True)
class LoopSettings:
    """Optimiser and schedule: a linear warm-up over a share of the steps, then constant or cosine to zero.

    ``keep``: the weights that are left in the model, those of the lowest validation loss or the last.
    ``flops_per_token`` are the operations of a training token, for the share of the GPU's peak in the
    step log; 0 = not known.
    """

    learning_rate: float
    schedule: Literal["constant", "cosine"] = "cosine"
    keep: Literal["best", "last"] = "best"
    warmup_ratio: float = 0.03
    warmup_steps: int = 0  # overrides the ratio when it is not 0
    weight_decay: float = 0.0
    max_grad_norm: float = 1.0
    checkpoint_every: int = 200
    log_every: int = 1
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


def learning_rate_at(step: int, total: int, settings: LoopSettings, peak: float | None = None) -> float:
    """Return the learning rate of a step (0-based): linear warm-up to its peak, then constant, or cosine to zero.

    Loshchilov and Hutter, SGDR: Stochastic Gradient Descent with Warm Restarts (2017), eq. 5,
    without restarts.
    """
    peak = settings.learning_rate if peak is None else peak
    warmup = settings.warmup_steps or math.ceil(settings.warmup_ratio * total)
    if step < warmup:
        return peak * (step + 1) / warmup
    if settings.schedule == "constant":
        return peak
    done = (step - warmup) / max(1, total - warmup)
    return peak * 0.5 * (1 + math.cos(math.pi * done))


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
    import torch

    parameters = {name: p for name, p in model.named_parameters() if p.requires_grad}
    device = next(iter(parameters.values())).device
    groups = [_group(list(parameters.values()), settings.learning_rate, settings.weight_decay)]
    buffers: dict[str, Any] = {}
    if second is not None:
        own = {f"second.{name}": p for name, p in second.module.named_parameters()}
        groups.append(_group(list(own.values()), second.learning_rate, second.weight_decay))
        buffers = {f"second.{name}": b for name, b in second.module.named_buffers()}
        parameters |= own
    optimizer = torch.optim.AdamW(groups, lr=settings.learning_rate, fused=True)
    result = TrainResult(best_step=steps)
    checkpoints = Checkpoints(progress, parameters, optimizer, buffers, processes)
    done, best = checkpoints.restore(result)
    first, tokens_seen, started = done, 0.0, time.perf_counter()
    main = artifact if processes.is_main else None
    log = StepLog(main, done, device, settings.flops_per_token, processes.count)
    status = StatusFile(artifact) if processes.is_main else None
    model.train()
    try:
        with graceful_stop(), memory_named(OUT_OF_MEMORY):
            for step in range(done, steps):
                batches = [{k: v.to(device) for k, v in batch.items()} for batch in micro_batches(step)]
                lr = learning_rate_at(step, steps, settings)
                for group in optimizer.param_groups:
                    group["lr"] = learning_rate_at(step, steps, settings, group["peak"])
                loss, told = _step(model, batches, loss_sum, settings, optimizer, processes, step, second)
                tokens = float(sum(batch["input_ids"].numel() for batch in batches))
                # All processes must agree on the loss and on whether to stop.
                loss, tokens, stops = processes.total(loss, tokens, float(stop_requested()))
                tokens_seen += tokens
                log.count(tokens)
                if not math.isfinite(loss):
                    raise UserError(
                        f"training loss is {loss} at step {step + 1}: lower the learning rate "
                        f"({settings.learning_rate})"
                    )
                done = step + 1
                record: dict[str, Any] = {"step": done, "loss": round(loss, 6), "lr": round(lr, 10), **told}
                due = done % settings.checkpoint_every == 0 or done == steps
                if due and validate is not None:
                    value = _evaluate(model, validate)
                    record["val_loss"] = round(value, 6)
                    if measure is not None:
                        record |= {name: round(loss, 6) for name, loss in _evaluate(model, measure).items()}
                    if second is not None:
                        added, told = _evaluate(model, second.validation)
                        value += added
                        record |= told
                    lowest = result.best_val_loss is None or value < result.best_val_loss
                    if lowest or settings.keep == "last":
                        result.best_step, result.best_val_loss = done, value
                        kept = {**parameters, **buffers}
                        best = {name: tensor.detach().cpu().clone() for name, tensor in kept.items()}
                if due or done % settings.log_every == 0:
                    result.history.append(record)
                    log.write(record)
                if second is not None:
                    second.watch(result.history)
                if due:
                    logger.info("step %d/%d: %s", done, steps, record)
                if status is not None:
                    status.update(done=done, total=steps, loss=round(loss, 4))
                if (due and done < steps) or stops:
                    checkpoints.save(done, result, best)
                if stops:
                    raise Stopped
    finally:
        log.close()
        if status is not None:
            status.remove()
    if best:
        with torch.no_grad():
            for name, tensor in {**parameters, **buffers}.items():
                tensor.copy_(best[name])
    seconds = time.perf_counter() - started
    result.times = {
        "train_seconds": round(seconds, 3),
        "steps_this_run": done - first,
        "tokens_per_second": round(tokens_seen / seconds, 1) if seconds else 0.0,
        "processes": processes.count,
    }
    model.eval()
    return result


def _group(parameters: list[Any], learning_rate: float, weight_decay: float) -> dict[str, Any]:
    """Return a parameter group that keeps its peak learning rate apart."""
    return {"params": parameters, "lr": learning_rate, "peak": learning_rate, "weight_decay": weight_decay}


def _step(
    model: Any,
    batches: Sequence[dict[str, Any]],
    loss_sum: Callable[[Any, dict[str, Any]], Any],
    settings: LoopSettings,
    optimizer: Any,
    processes: Processes,
    step: int,
    second: SecondLoss | None,
) -> tuple[float, dict[str, float]]:
    """Do one optimiser step; return this process's part of its mean loss, and what the second loss records.

    The gradients of the second loss are added after the model's own, and its parameters are clipped
    by themselves, so that with weight 0 the model's step is the same as without it.
    """
    import torch

    parameters = [parameter for group in optimizer.param_groups for parameter in group["params"]]
    (counted,) = processes.total(sum(int((batch["labels"] >= 0).sum()) for batch in batches))
    total = 0.0
    for batch in batches:
        with torch.autocast(parameters[0].device.type, torch.bfloat16, enabled=settings.autocast):
            loss = loss_sum(model, batch) / max(1, round(counted))
        loss.backward()
        total += float(loss.detach())
    told = second.backward(step) if second is not None else {}
    processes.sum_gradients(parameters)
    norms = [torch.nn.utils.clip_grad_norm_(g["params"], settings.max_grad_norm) for g in optimizer.param_groups]
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    if second is not None:
        second.updated()
        told |= {"grad_norm": round(float(norms[0]), 6), "second_grad_norm": round(float(norms[1]), 6)}
    return total, told


def _evaluate(model: Any, validate: Callable[[], Any]) -> Any:
    import torch

    model.eval()
    with torch.no_grad():
        value = validate()
    model.train()
    return value
