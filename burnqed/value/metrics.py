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

RESAMPLES = 1000
FEWEST_THEOREMS = 5  # an interval over fewer would say nothing, or, over one, have no width
HISTOGRAM_BINS = 40
SCORED_AT_ONCE = 4096


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


def _interval(values: Floats, theorem: NDArray[np.int64]) -> list[float] | None:
    """Return the 95 % bootstrap interval of a mean; groups of one theorem are drawn together.

    None with fewer than ``FEWEST_THEOREMS``.
    """
    names, inverse = np.unique(theorem, return_inverse=True)
    if len(names) < FEWEST_THEOREMS:
        return None
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
                "theorems": len(np.unique(theorem[at])),
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


def label_metrics(
    score: Score, groups: Groups, positions: NDArray[np.int64], failed: NDArray[np.int64], device: str
) -> dict[str, Any]:
    """Return how well energies tell provable states from all others that have a label, over whole theorems.

    ``auc``: the chance that a provable state has less energy than another one (0.5 by chance; Hanley and McNeil 1982),
    with the states of ``failed`` (places in ``groups.failed``) among the others; None when one side is empty.
    """
    from sklearn.metrics import roc_auc_score

    off = sorted({(int(groups.off_start[p]), int(groups.off_count[p]), int(groups.goal[p])) for p in positions})
    states = [groups.off[start : start + count] for start, count, _ in off] + [groups.failed[failed]]
    goals = [np.full(count, goal) for _, count, goal in off] + [groups.failed_goal[failed]]
    good = _scores(score, groups.positive[positions], groups.goal[positions], device)
    bad = _scores(score, np.concatenate(states), np.concatenate(goals), device)
    truth = np.repeat([True, False], [len(good), len(bad)])
    return {
        "auc": _rounded(roc_auc_score(truth, -np.concatenate([good, bad]))) if len(bad) else None,
        "auc_states": {"provable": len(good), "not_proved": len(bad) - len(failed), "of_failed_trees": len(failed)},
    }


def state_metrics(score: Score, groups: Groups, positions: NDArray[np.int64], device: str) -> dict[str, Any]:
    """Return the energies of the positives and negatives themselves: histogram, and calibration.

    ``calibration``: mean energy of positives by the steps left to the end of their proof, with a 95 % interval
    (None over fewer than ``FEWEST_THEOREMS``);
    ``calibration_spearman``: rank correlation of energy and steps left, positive when far states look harder;
    ``negative_energy``: mean energy of the negatives.
    """
    energy = _scores(score, groups.positive[positions], groups.goal[positions], device)
    theorem, left = groups.theorem[positions], groups.remaining[positions]
    first = {(int(groups.off_start[p]), int(groups.off_count[p]), int(groups.goal[p])) for p in positions}
    off = np.concatenate([groups.off[start : start + count] for start, count, _ in sorted(first)])
    goals = np.concatenate([np.full(count, goal) for _, count, goal in sorted(first)])
    negative = _scores(score, off, goals, device)
    both = np.concatenate([energy, negative])
    edges = np.linspace(both.min(), max(both.max(), both.min() + 1e-6), HISTOGRAM_BINS + 1)
    return {
        "calibration": {
            str(steps): {
                "energy": _rounded(energy[at].mean()),
                "ci95": _interval(energy[at], theorem[at]),
                "states": int(at.sum()),
                "theorems": len(np.unique(theorem[at])),
            }
            for steps in np.unique(left)
            for at in [left == steps]
        },
        "calibration_spearman": _spearman(energy, left),
        "negative_energy": _rounded(negative.mean()),
        "energy_histogram": {
            "edges": [_rounded(edge) for edge in edges],
            "positive": np.histogram(energy, edges)[0].tolist(),
            "negative": np.histogram(negative, edges)[0].tolist(),
        },
    }


def _scores(score: Score, states: NDArray[np.int64], goals: NDArray[np.int64], device: str) -> Floats:
    parts = []
    for start in range(0, len(states), SCORED_AT_ONCE):
        at = slice(start, start + SCORED_AT_ONCE)
        rows, under = torch.from_numpy(states[at]).to(device), torch.from_numpy(goals[at]).to(device)
        parts.append(score(rows, under).double().cpu().numpy())
    found: Floats = np.concatenate(parts)
    return found


def _spearman(x: NDArray[Any], y: NDArray[Any]) -> float | None:
    """Return the rank correlation, None when one side is constant."""
    from scipy.stats import spearmanr

    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    return _rounded(spearmanr(x, y).statistic)


def _rounded(value: float | np.floating[Any]) -> float:
    return round(float(value), 6)
