"""The training loop: AdamW, cosine learning rate, checkpoints that resume bitwise.

A checkpoint holds the trained parameters, the optimiser's moments and the random state, in one
safetensors file beside a record of its SHA-256; it lives in the artefact's progress folder. The
data order is a function of the seed, so a run killed at any moment and started again ends with the
same bits (at an equal number of threads) as an undisturbed one.
"""

from __future__ import annotations

import json
import logging
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from burnqed.artifacts import ProgressFolder, UserError, atomic_dir, sha256_file, write_json
from burnqed.scripting import Stopped, graceful_stop, stop_requested
from burnqed.status import StatusFile

logger = logging.getLogger(__name__)
KEEP = 2  # checkpoints kept: the newest, and one to fall back to
WEIGHTS = "checkpoint.safetensors"


@dataclass(frozen=True)
class LoopSettings:
    """Optimiser and schedule: cosine to zero after a linear warm-up over a share of the steps."""

    learning_rate: float
    warmup_ratio: float = 0.03
    weight_decay: float = 0.0
    max_grad_norm: float = 1.0
    checkpoint_every: int = 200
    log_every: int = 1
    autocast: bool = False


@dataclass
class TrainResult:
    """What a training did.

    ``history``: one record per logged step (step, loss, lr, val_loss where measured), no times;
    ``times``: tokens per second and seconds of this process's share. ``best_step`` is the step
    with the lowest validation loss (the last step without validation).
    """

    history: list[dict[str, float | int]] = field(default_factory=list)
    times: dict[str, float] = field(default_factory=dict)
    best_step: int = 0
    best_val_loss: float | None = None


def learning_rate_at(step: int, total: int, settings: LoopSettings) -> float:
    """Return the learning rate of a step (0-based): linear warm-up, then cosine to zero.

    Loshchilov and Hutter, SGDR: Stochastic Gradient Descent with Warm Restarts (2017), eq. 5,
    without restarts.
    """
    warmup = math.ceil(settings.warmup_ratio * total)
    if step < warmup:
        return settings.learning_rate * (step + 1) / warmup
    done = (step - warmup) / max(1, total - warmup)
    return settings.learning_rate * 0.5 * (1 + math.cos(math.pi * done))


def deterministic(seed: int, threads: int) -> None:
    """Make torch deterministic in seed and thread count."""
    import torch

    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(True, warn_only=True)
    # Filling new memory guards against reading it unwritten; it would cost a pass over every activation.
    torch.utils.deterministic.fill_uninitialized_memory = False
    torch.manual_seed(seed)


class _Checkpoints:
    """Checkpoints of one training, newest last: ``step-00000120/`` in the progress folder."""

    def __init__(self, progress: ProgressFolder, parameters: dict[str, Any], optimizer: Any) -> None:
        self.progress, self.parameters, self.optimizer = progress, parameters, optimizer

    def save(self, step: int, result: TrainResult, best: dict[str, Any]) -> None:
        import torch
        from safetensors.torch import save_file

        tensors = {f"parameter.{name}": value.detach() for name, value in self.parameters.items()}
        tensors |= {f"best.{name}": value for name, value in best.items()}
        for name, parameter in self.parameters.items():
            for key, value in self.optimizer.state.get(parameter, {}).items():
                tensors[f"optimizer.{key}.{name}"] = torch.as_tensor(value)
        tensors["rng.cpu"] = torch.get_rng_state()
        if torch.cuda.is_available():
            tensors["rng.cuda"] = torch.cuda.get_rng_state()
        with atomic_dir(self.progress / f"step-{step:08d}") as folder:
            save_file({name: value.contiguous().clone() for name, value in tensors.items()}, folder / WEIGHTS)
            record = {
                "step": step,
                "sha256": sha256_file(folder / WEIGHTS),
                "history": result.history,
                "best_step": result.best_step,
                "best_val_loss": result.best_val_loss,
            }
            write_json(folder / "state.json", record)
        self._prune()

    def _folders(self) -> list[Path]:
        return sorted(p for p in self.progress.path.glob("step-*") if p.is_dir())

    def _prune(self) -> None:
        import shutil

        for old in self._folders()[:-KEEP]:
            shutil.rmtree(old)

    def restore(self, result: TrainResult) -> tuple[int, dict[str, Any]]:
        """Load the newest checkpoint that validates; return its step (0: none) and best weights."""
        import torch
        from safetensors.torch import load_file

        for folder in reversed(self._folders()):
            try:
                record = json.loads((folder / "state.json").read_text(encoding="utf-8"))
                if sha256_file(folder / WEIGHTS) != record["sha256"]:
                    raise ValueError("its SHA-256 differs from the recorded one")
                tensors = load_file(folder / WEIGHTS)
            except Exception as error:
                logger.warning("checkpoint %s is damaged (%s); falling back to an older one", folder, error)
                continue
            with torch.no_grad():
                for name, parameter in self.parameters.items():
                    parameter.copy_(tensors[f"parameter.{name}"])
            self._restore_optimizer(tensors)
            torch.set_rng_state(tensors["rng.cpu"])
            if "rng.cuda" in tensors and torch.cuda.is_available():
                torch.cuda.set_rng_state(tensors["rng.cuda"])
            result.history = record["history"]
            result.best_step, result.best_val_loss = record["best_step"], record["best_val_loss"]
            logger.info("going on from step %d", record["step"])
            return int(record["step"]), {
                name.removeprefix("best."): value for name, value in tensors.items() if name.startswith("best.")
            }
        return 0, {}

    def _restore_optimizer(self, tensors: dict[str, Any]) -> None:
        prefix = "optimizer."
        for name, parameter in self.parameters.items():
            state = {}
            for full, value in tensors.items():
                if full.startswith(prefix) and full.endswith("." + name):
                    key = full[len(prefix) : -len(name) - 1]
                    if "." not in key:
                        state[key] = value.to(parameter.device)
            if state:
                self.optimizer.state[parameter] = state


def train(
    model: Any,
    steps: int,
    micro_batches: Callable[[int], Sequence[dict[str, Any]]],
    loss_sum: Callable[[Any, dict[str, Any]], Any],
    settings: LoopSettings,
    artifact: Path,
    progress: ProgressFolder,
    validate: Callable[[], float] | None = None,
) -> TrainResult:
    """Train the parameters of ``model`` that require gradients; leave the best ones in the model.

    ``micro_batches(step)`` gives the forward passes of a step; ``loss_sum`` their summed loss, which
    is divided by the step's number of counted labels. ``validate`` returns the validation loss; it
    runs at each checkpoint and at the end, and the weights with the lowest one are kept.

    SIGTERM saves a checkpoint and raises Stopped. Raises UserError when the loss is not finite or
    memory runs out.
    """
    import torch

    parameters = {name: p for name, p in model.named_parameters() if p.requires_grad}
    device = next(iter(parameters.values())).device
    optimizer = torch.optim.AdamW(
        list(parameters.values()), lr=settings.learning_rate, weight_decay=settings.weight_decay, fused=True
    )
    result = TrainResult(best_step=steps)
    checkpoints = _Checkpoints(progress, parameters, optimizer)
    done, best = checkpoints.restore(result)
    first, tokens_seen, started = done, 0, time.perf_counter()
    status = StatusFile(artifact)
    model.train()
    try:
        with graceful_stop():
            for step in range(done, steps):
                batches = [{k: v.to(device) for k, v in batch.items()} for batch in micro_batches(step)]
                lr = learning_rate_at(step, steps, settings)
                for group in optimizer.param_groups:
                    group["lr"] = lr
                loss = _step(model, batches, loss_sum, settings, list(parameters.values()), optimizer, device)
                tokens_seen += sum(batch["input_ids"].numel() for batch in batches)
                if not math.isfinite(loss):
                    raise UserError(
                        f"training loss is {loss} at step {step + 1}: lower the learning rate "
                        f"({settings.learning_rate})"
                    )
                done = step + 1
                record: dict[str, float | int] = {"step": done, "loss": round(loss, 6), "lr": round(lr, 10)}
                due = done % settings.checkpoint_every == 0 or done == steps
                if due and validate is not None:
                    value = _evaluate(model, validate)
                    record["val_loss"] = round(value, 6)
                    if result.best_val_loss is None or value < result.best_val_loss:
                        result.best_step, result.best_val_loss = done, value
                        best = {name: p.detach().cpu().clone() for name, p in parameters.items()}
                if due or done % settings.log_every == 0:
                    result.history.append(record)
                if due:
                    logger.info("step %d/%d: %s", done, steps, record)
                status.update(done=done, total=steps, loss=round(loss, 4))
                if (due and done < steps) or stop_requested():
                    checkpoints.save(done, result, best)
                if stop_requested():
                    raise Stopped
    finally:
        status.remove()
    if best:
        with torch.no_grad():
            for name, parameter in parameters.items():
                parameter.copy_(best[name])
    seconds = time.perf_counter() - started
    result.times = {
        "train_seconds": round(seconds, 3),
        "steps_this_run": done - first,
        "tokens_per_second": round(tokens_seen / seconds, 1) if seconds else 0.0,
    }
    model.eval()
    return result


def _step(
    model: Any,
    batches: Sequence[dict[str, Any]],
    loss_sum: Callable[[Any, dict[str, Any]], Any],
    settings: LoopSettings,
    parameters: list[Any],
    optimizer: Any,
    device: Any,
) -> float:
    """Do one optimiser step and return its mean loss per counted label."""
    import torch

    counted = sum(int((batch["labels"] >= 0).sum()) for batch in batches)
    total = 0.0
    try:
        for batch in batches:
            with torch.autocast(device.type, torch.bfloat16, enabled=settings.autocast):
                loss = loss_sum(model, batch) / max(1, counted)
            loss.backward()
            total += float(loss.detach())
    except torch.cuda.OutOfMemoryError as error:
        raise UserError(
            "out of GPU memory in training: lower sft.micro_batch_tokens or model.max_length, set "
            "sft.gradient_checkpointing: true, or quantization: nf4 for this hardware type"
        ) from error
    torch.nn.utils.clip_grad_norm_(parameters, settings.max_grad_norm)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return total


def _evaluate(model: Any, validate: Callable[[], float]) -> float:
    import torch

    model.eval()
    with torch.no_grad():
        value = validate()
    model.train()
    return value
