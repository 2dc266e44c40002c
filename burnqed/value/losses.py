"""Contrastive losses over groups: one provable state against K others of its theorem.

Energies are (groups, 1 + K), the positive in column 0; ``valid`` is a mask of the same shape,
False where a group has fewer than K different negatives.
"""

from __future__ import annotations

import torch
from torch import Tensor


def infonce(energies: Tensor, valid: Tensor) -> Tensor:
    """Return the mean of -log softmax(-E)[0] over groups.

    van den Oord et al. 2018, "Representation Learning with Contrastive Predictive Coding", eq. 4,
    with -E as the score. No temperature here: the head divides its output by its own.
    """
    scores = (-energies).masked_fill(~valid, float("-inf"))
    return (torch.logsumexp(scores, dim=1) - scores[:, 0]).mean()


def margin_ranking(energies: Tensor, valid: Tensor, margin: float) -> Tensor:
    """Return the mean over valid negatives of max(0, margin + E_positive - E_negative)."""
    hinge = (margin + energies[:, :1] - energies[:, 1:]).clamp_min(0.0)
    inside = valid[:, 1:]
    return (hinge * inside).sum() / inside.sum().clamp_min(1)
