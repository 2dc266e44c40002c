"""The engine of every training: schedule, validation, the best weights, checkpoints that resume bitwise, stopping.

What is trained is a `Task`: fine-tuning and joint training (`loop.py`), the energy head (`head.py`), values
(`value_fit.py`). A task's data order is a function of the seed and the step, and a checkpoint holds all other state, so
a run killed at any moment and started again ends with the same bits (at an equal number of threads and processes) as an
undisturbed one.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from burnqed.jobs.progress import ProgressFolder
from burnqed.jobs.status import StatusFile
from burnqed.jobs.stop import Stopped, graceful_stop
from burnqed.training.checkpoints import Checkpoints, TrainResult
from burnqed.training.processes import Processes

logger = logging.getLogger(__name__)
ALONE = Processes()
Score = tuple[float, ...]


@dataclass(frozen=True)
class Course:
    """Schedule of a training, and when it validates and ends.

    The learning rate rises over a share or number of the steps, then is constant or falls to zero: ``cosine`` from the
    end of the rise, ``whole_cosine`` as if from step 0, whichever of the two is lower. ``keep``: the weights that are
    left in the model, those of the lowest score or the last. ``patience``: validations without a better score before
    training stops; None: never. ``validate_first``: also before the first step. ``checkpoint_every``: steps between
    validations, and checkpoints where the last one is ``checkpoint_seconds`` old.
    """

    learning_rate: float
    schedule: Literal["constant", "cosine", "whole_cosine"] = "cosine"
    keep: Literal["best", "last"] = "best"
    warmup_ratio: float = 0.03
    warmup_steps: int = 0  # overrides the ratio when it is not 0
    checkpoint_every: int = 200
    checkpoint_seconds: float = 0.0
    log_every: int = 1
    patience: int | None = None
    validate_first: bool = False


class Task(Protocol):
    """What is trained.

    ``parameters`` are learnt, ``buffers`` are other tensors that training changes; both are changed in place, and kept
    by checkpoints. Each group of the optimiser's has its ``peak`` learning rate.
    """

    parameters: dict[str, Any]
    buffers: dict[str, Any]
    optimizer: Any

    def begin(self, done: int) -> None:
        """Get ready; so many steps were taken by an earlier run."""

    def step(self, step: int) -> tuple[dict[str, Any], bool]:
        """Take a step (0-based), its learning rate being set; return what to record, and whether to stop (SIGTERM)."""

    def validate(self, done: int) -> tuple[Score | None, dict[str, Any]]:
        """Return a score after so many steps, and what to record.

        The lowest score is the best; its last number is the validation loss, and patience looks at its first alone.
        None: the last weights are kept.
        """

    def recorded(self, history: list[dict[str, Any]]) -> None:
        """Look at the history when its newest record was added; may complete that, or raise UserError to end."""


def learning_rate_at(step: int, total: int, course: Course, peak: float | None = None) -> float:
    """Return the learning rate of a step (0-based): linear warm-up to its peak, then constant, or cosine to zero.

    Loshchilov and Hutter, SGDR: Stochastic Gradient Descent with Warm Restarts (2017), eq. 5,
    without restarts.
    """
    peak = course.learning_rate if peak is None else peak
    warmup = course.warmup_steps or math.ceil(course.warmup_ratio * total)
    if course.schedule == "whole_cosine":
        return peak * min((step + 1) / max(1, warmup), 0.5 * (1 + math.cos(math.pi * step / total)))
    if step < warmup:
        return peak * (step + 1) / warmup
    if course.schedule == "constant":
        return peak
    done = (step - warmup) / max(1, total - warmup)
    return peak * 0.5 * (1 + math.cos(math.pi * done))


def set_rates(optimizer: Any, step: int, total: int, course: Course) -> None:
    """Set the learning rate of a step; a rate that is a tensor (of a CUDA graph) is changed in place."""
    for group in optimizer.param_groups:
        rate = learning_rate_at(step, total, course, group["peak"])
        if isinstance(group["lr"], float | int):
            group["lr"] = rate
        else:
            group["lr"].fill_(rate)


def run_task(
    task: Task,
    steps: int,
    course: Course,
    artifact: Path | None,
    progress: ProgressFolder | None,
    processes: Processes = ALONE,
) -> TrainResult:
    """Take the steps of a task, from its newest checkpoint that is whole; leave the best weights in it.

    ``artifact``: what the status file belongs to. With several ``processes`` each calls this function, the main one
    alone with a progress folder, and only the main one is left with the best weights. SIGTERM saves a checkpoint and
    raises Stopped.
    """
    result = TrainResult(best_step=steps)
    checkpoints = Checkpoints(progress, task.parameters, task.optimizer, task.buffers, processes)
    done, restored = checkpoints.restore(result)
    best: Mapping[str, Any] = restored
    first, started, saved = done, time.perf_counter(), time.monotonic()
    status = StatusFile(artifact) if artifact is not None and processes.is_main else None
    loss: float | None = None
    try:
        with graceful_stop():
            task.begin(done)
            if course.validate_first and not result.history:
                best = _validated(task, {"step": 0}, 0, course, result, best)
            while done < steps and not (course.patience and result.stale >= course.patience):
                set_rates(task.optimizer, done, steps, course)
                told, stops = task.step(done)
                done += 1
                record = {"step": done, **told}
                due = done % course.checkpoint_every == 0 or done == steps
                if due:
                    best = _validated(task, record, done, course, result, best)
                elif done % course.log_every == 0:
                    _add(task, record, result)
                if due:
                    logger.info("step %d/%d: %s", done, steps, record)
                loss = record.get("loss", loss)
                if status is not None:
                    status.update(done=done, total=steps, loss=None if loss is None else round(loss, 4))
                old = time.monotonic() - saved >= course.checkpoint_seconds
                if (due and done < steps and old) or stops:
                    checkpoints.save(done, result, best)
                    saved = time.monotonic()
                if stops:
                    raise Stopped
    finally:
        if status is not None:
            status.remove()
    _restore(task, best)
    result.steps = done
    result.times = {"train_seconds": round(time.perf_counter() - started, 3), "steps_this_run": done - first}
    return result


def _add(task: Task, record: dict[str, Any], result: TrainResult) -> None:
    result.history.append(record)
    task.recorded(result.history)


def _validated(
    task: Task, record: dict[str, Any], done: int, course: Course, result: TrainResult, best: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Validate, complete and add the record of a step; return the best weights so far."""
    score, measured = task.validate(done)
    record |= measured
    if score is not None:
        lowest = result.best is None or score < result.best
        improved = result.best is None or score[0] < result.best[0]
        result.stale = 0 if improved else result.stale + 1
        if lowest or course.keep == "last":
            result.best_step, result.best = done, score
            kept = {**task.parameters, **task.buffers}
            best = {name: tensor.detach().cpu().clone() for name, tensor in kept.items()}
    _add(task, record, result)
    return best


def _restore(task: Task, best: Mapping[str, Any]) -> None:
    import torch

    if best:
        with torch.no_grad():
            for name, tensor in {**task.parameters, **task.buffers}.items():
                tensor.copy_(best[name])
