"""What a trained head and its embeddings are worth, on held-out theorems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from burnqed.value.contrastive import Groups
from burnqed.value.sampler import Batch

Floats = NDArray[np.float64]
Score = Callable[[Tensor, Tensor], Tensor]  # rows of states, rows of goals -> energies

MAX_VECTORS = 20_000  # embedding health is measured on at most this many states per label
RESAMPLES = 1000
RIDGE = 1.0


def rank1(energies: Floats, valid: NDArray[np.bool_]) -> Floats:
    """Return per group 1 when the positive (column 0) has the lowest energy, 1/m in an m-fold tie.

    Counting ties as shares makes a constant head score exactly chance.
    """
    others = np.where(valid[:, 1:], energies[:, 1:], np.inf)
    lowest = others.min(axis=1)
    ties = (others == energies[:, :1]).sum(axis=1)
    return np.where(energies[:, 0] < lowest, 1.0, np.where(energies[:, 0] == lowest, 1.0 / (1.0 + ties), 0.0))


def chance(valid: NDArray[np.bool_]) -> Floats:
    """Return per group the probability that a random order puts the positive first."""
    return 1.0 / valid.sum(axis=1)


def _interval(values: Floats, theorem: NDArray[np.int64]) -> list[float]:
    """Return the 95 % bootstrap interval of a mean; groups of one theorem are drawn together."""
    names, inverse = np.unique(theorem, return_inverse=True)
    totals = np.bincount(inverse, weights=values)
    counts = np.bincount(inverse)
    drawn = np.random.default_rng(0).integers(len(names), size=(RESAMPLES, len(names)))
    means = totals[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    return [round(float(q), 6) for q in np.quantile(means, [0.025, 0.975])]


def group_metrics(energies: Floats, batch: Batch, groups: Groups, margin: float) -> dict[str, Any]:
    """Return the metrics of sampled groups.

    ``energy_gap``: mean over groups of mean negative minus positive energy; ``active_ratio``: share
    of negatives less than ``margin`` above their positive (those the margin loss still moves).
    """
    valid, positions = batch.valid.cpu().numpy(), batch.positions.cpu().numpy()
    first, expected = rank1(energies, valid), chance(valid)
    depths, theorem = groups.depth[positions], groups.theorem[positions]
    difference = np.where(valid[:, 1:], energies[:, 1:] - energies[:, :1], 0.0)
    number = valid[:, 1:].sum(axis=1)
    active = (difference < margin) & valid[:, 1:]
    return {
        "rank1": _rounded(first.mean()),
        "rank1_ci95": _interval(first, theorem),
        "chance": _rounded(expected.mean()),
        "groups": len(first),
        "rank1_by_depth": {
            str(depth): {
                "rank1": _rounded(first[at].mean()),
                "ci95": _interval(first[at], theorem[at]),
                "chance": _rounded(expected[at].mean()),
                "groups": int(at.sum()),
            }
            for depth in np.unique(depths)
            for at in [depths == depth]
        },
        "energy_gap": _rounded((difference.sum(axis=1) / number).mean()),
        "active_ratio": _rounded(active.sum() / number.sum()),
        "hard_negative_share": _rounded(float((batch.hard & batch.valid[:, 1:]).sum()) / number.sum()),
    }


def sibling_metrics(score: Score, groups: Groups, positions: NDArray[np.int64], device: str) -> dict[str, Any]:
    """Return rank-1 of each positive among all of its siblings, next to its chance level.

    This is the choice that the search makes at an expanded state.
    """
    positions = positions[groups.sibling_count[positions] > 0]
    if not len(positions):
        return {"sibling_rank1": None, "sibling_rank1_ci95": None, "sibling_chance": None, "sibling_groups": 0}
    first, expected = np.empty(len(positions)), np.empty(len(positions))
    for number, at in enumerate(positions):
        start, count = groups.sibling_start[at], groups.sibling_count[at]
        states = np.concatenate([groups.positive[at : at + 1], groups.sibling[start : start + count]])
        rows = torch.from_numpy(states).to(device)
        goals = torch.full_like(rows, int(groups.goal[at]))
        energies = score(rows, goals).double().cpu().numpy()[None, :]
        first[number] = rank1(energies, np.ones_like(energies, dtype=bool))[0]
        expected[number] = 1.0 / len(states)
    return {
        "sibling_rank1": _rounded(first.mean()),
        "sibling_rank1_ci95": _interval(first, groups.theorem[positions]),
        "sibling_chance": _rounded(expected.mean()),
        "sibling_groups": len(positions),
    }


def embedding_health(vectors: Tensor, groups: Groups, out: NDArray[np.bool_]) -> dict[str, Any]:
    """Return whether the embeddings tell states apart; ``out`` marks held-out theorems.

    ``centroid_l2``: distance of the mean positive and mean negative; ``norm_gap``: difference of
    their mean norms; ``linear_probe``: balanced accuracy on held-out theorems of a ridge classifier
    of positive against negative; ``sibling_l2``: mean distance of a positive to its siblings;
    ``effective_dimension``: participation ratio (sum of eigenvalues)^2 / sum of squares of the
    covariance; ``variance_top1``, ``variance_top10``: share of its largest eigenvalues.
    """
    owner = np.zeros(len(groups.off), np.int64)
    for start, count, theorem in zip(groups.off_start, groups.off_count, groups.theorem, strict=True):
        owner[start : start + count] = theorem
    positive, p_at = _some(groups.positive)
    negative, n_at = _some(groups.off)
    x, y = _take(vectors, positive), _take(vectors, negative)
    both = np.concatenate([x, y])
    values = np.linalg.eigvalsh(np.cov(both, rowvar=False).reshape(both.shape[1], -1))[::-1].clip(min=0)
    total = max(float(values.sum()), 1e-30)
    held = np.concatenate([out[groups.theorem[p_at]], out[owner[n_at]]])
    return {
        "centroid_l2": _rounded(np.linalg.norm(x.mean(axis=0) - y.mean(axis=0))),
        "norm_gap": _rounded(abs(np.linalg.norm(x, axis=1).mean() - np.linalg.norm(y, axis=1).mean())),
        "norm_mean": _rounded(np.linalg.norm(both, axis=1).mean()),
        "linear_probe": _linear_probe(both, np.arange(len(both)) < len(x), held),
        "sibling_l2": _sibling_l2(vectors, groups),
        "effective_dimension": _rounded(total**2 / max(float((values**2).sum()), 1e-30)),
        "variance_top1": _rounded(values[:1].sum() / total),
        "variance_top10": _rounded(values[:10].sum() / total),
        "variance_spectrum": [_rounded(v / total) for v in values[:50]],
    }


def _some(rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return rows without repetition, evenly thinned to ``MAX_VECTORS``, and their places."""
    unique, places = np.unique(rows, return_index=True)
    keep = np.linspace(0, len(unique) - 1, min(len(unique), MAX_VECTORS)).astype(np.int64)
    return unique[keep], places[keep]


def _take(vectors: Tensor, rows: NDArray[np.int64]) -> Floats:
    taken: Floats = vectors[torch.from_numpy(rows).to(vectors.device)].double().cpu().numpy()
    return taken


def _sibling_l2(vectors: Tensor, groups: Groups) -> float | None:
    counts = groups.sibling_count
    if not counts.sum():
        return None
    first = np.repeat(groups.positive, counts)
    second = np.concatenate([groups.sibling[s : s + c] for s, c in zip(groups.sibling_start, counts, strict=True)])
    keep = np.linspace(0, len(first) - 1, min(len(first), MAX_VECTORS)).astype(np.int64)
    return _rounded(np.linalg.norm(_take(vectors, first[keep]) - _take(vectors, second[keep]), axis=1).mean())


def _linear_probe(x: Floats, label: NDArray[np.bool_], held: NDArray[np.bool_]) -> float | None:
    """Return the balanced accuracy on held rows of a ridge classifier fitted to the other rows."""
    fit = ~held
    parts = [label & fit, ~label & fit, label & held, ~label & held]
    if not all(part.any() for part in parts):
        return None
    mean, deviation = x[fit].mean(axis=0), x[fit].std(axis=0)
    z = (x - mean) / np.maximum(deviation, 1e-6)
    weight = np.where(label[fit], 0.5 / label[fit].sum(), 0.5 / (~label[fit]).sum()) * fit.sum()
    a = np.column_stack([z[fit], np.ones(fit.sum())])
    gram = (a * weight[:, None]).T @ a + RIDGE * np.eye(a.shape[1])
    solution = np.linalg.solve(gram, (a * weight[:, None]).T @ np.where(label[fit], 1.0, -1.0))
    guess = np.column_stack([z[held], np.ones(held.sum())]) @ solution > 0
    right = label[held]
    return _rounded(0.5 * (guess[right].mean() + (~guess[~right]).mean()))


def _rounded(value: float | np.floating[Any]) -> float:
    return round(float(value), 6)
