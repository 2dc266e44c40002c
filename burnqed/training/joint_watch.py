"""Watching joint training: a line in the log now and then, and lines that end a training gone wrong."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from typing import Any

from burnqed.config import JointSettings
from burnqed.files import UserError

logger = logging.getLogger(__name__)
LOGGED = ("loss", "contrastive_loss", "contrastive_share", "grad_norm", "second_grad_norm", "temperature")
FINITE = ("loss", "contrastive_loss", "grad_norm", "second_grad_norm", "temperature")


def _mean(history: Sequence[dict[str, Any]], key: str) -> float:
    values = [float(record[key]) for record in history if key in record]
    return sum(values) / max(1, len(values))


def report(history: Sequence[dict[str, Any]], settings: JointSettings) -> None:
    """Log the means of the last ``log_every`` records when so many steps have gone by."""
    step = int(history[-1]["step"])
    if step % settings.log_every == 0:
        last = history[-settings.log_every :]
        logger.info("step %d: %s", step, ", ".join(f"{key} {_mean(last, key):.4g}" for key in LOGGED))


def reason_to_stop(
    history: Sequence[dict[str, Any]], settings: JointSettings, bounds: tuple[float, float]
) -> str | None:
    """Return which line the newest record crosses, with the remedy; None when it crosses none.

    ``history`` has one record per step; ``bounds`` are those of the head's temperature. The SFT loss
    is the mean of the last ``log_every`` steps, as single ones are noisy.
    """
    record = history[-1]
    step = int(record["step"])
    for key in FINITE:
        if not math.isfinite(float(record.get(key, 0.0))):
            return f"{key} is {record[key]}: lower joint.learning_rate and joint.head_learning_rate"
    loss = _mean(history[-settings.log_every :], "loss")
    if step > settings.grace_steps and loss > settings.max_sft_loss:
        return (
            f"the loss of the tactics is {loss:.3g}, above joint.max_sft_loss = {settings.max_sft_loss:g} after "
            f"{settings.grace_steps} steps: the contrast crowds it out, lower joint.weight ({settings.weight:g})"
        )
    low, high = bounds
    last = history[-settings.temperature_steps :]
    for bound, told in ((low, "lower"), (high, "upper")):
        at = sum(abs(float(r.get("temperature", 1.0)) / bound - 1) < 1e-3 for r in last)
        if at >= settings.temperature_steps:
            return (
                f"the head's temperature has been at its {told} bound ({bound:g}) for {settings.temperature_steps} "
                "steps: its energies are saturated or flat, lower joint.head_learning_rate or raise ebm.weight_decay"
            )
    probe = record.get("probe")
    if probe is None:
        return None
    if probe["centroid_l2"] < settings.min_centroid_l2:
        return (
            f"centroid_l2 is {probe['centroid_l2']:.3g}, below joint.min_centroid_l2 = {settings.min_centroid_l2:g}: "
            f"the embeddings collapse, raise joint.weight ({settings.weight:g}) or lower joint.learning_rate"
        )
    if step > settings.grace_steps and probe["rank1"] < settings.min_rank1:
        return (
            f"rank-1 on held-out theorems is {probe['rank1']:.3g} (chance {probe['chance']:.3g}), below "
            f"joint.min_rank1 = {settings.min_rank1:g} after {settings.grace_steps} steps: the head does not learn, "
            f"raise joint.head_learning_rate or joint.weight ({settings.weight:g})"
        )
    return None


def watch(
    history: Sequence[dict[str, Any]], settings: JointSettings, bounds: tuple[float, float], kept_in: str
) -> None:
    """Raise UserError when the newest record crosses a line; ``kept_in`` is where checkpoints are."""
    reason = reason_to_stop(history, settings, bounds)
    if reason is not None:
        raise UserError(
            f"joint training stopped at step {history[-1]['step']}: {reason}. The last good checkpoint is kept in "
            f"{kept_in}: with another line (joint.min_..., joint.max_...) the same training resumes from it, with any "
            "other change it starts again"
        )
