"""A fixed sample of contrastive groups on which training measures again and again what embeddings are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from burnqed.value.contrastive import Groups
from burnqed.value.health import embedding_health
from burnqed.value.metrics import group_metrics
from burnqed.value.sampler import Batch, GroupSampler

SILHOUETTE_STATES = 400  # per cluster and depth
MARGIN = 1.0  # of the active ratio, which the probe does not report


def subset(groups: Groups, keep: NDArray[np.bool_]) -> tuple[Groups, NDArray[np.int64]]:
    """Return the groups of the theorems marked in ``keep``, and the rows of the vector table they use."""
    at = np.flatnonzero(keep[groups.theorem])
    number = np.cumsum(keep) - 1
    off: list[NDArray[np.int64]] = []
    off_depth: list[NDArray[np.int64]] = []
    sibling: list[NDArray[np.int64]] = []
    places: dict[int, int] = {}
    starts: list[tuple[int, int]] = []
    lengths = [0, 0]
    for p in at:
        begin, count = int(groups.off_start[p]), int(groups.off_count[p])
        if begin not in places:
            places[begin] = lengths[0]
            off.append(groups.off[begin : begin + count])
            off_depth.append(groups.off_depth[begin : begin + count])
            lengths[0] += count
        starts.append((places[begin], lengths[1]))
        sibling.append(groups.sibling[groups.sibling_start[p] :][: groups.sibling_count[p]])
        lengths[1] += len(sibling[-1])
    off_start = np.array([start for start, _ in starts], np.int64)
    old = [groups.positive[at], groups.goal[at], np.concatenate(off), np.concatenate(sibling)]
    rows = np.unique(np.concatenate(old))
    positive, goal, others, siblings = (np.searchsorted(rows, part) for part in old)
    chosen = Groups(
        shas=[groups.shas[row] for row in rows],
        theorems=[name for name, kept in zip(groups.theorems, keep, strict=True) if kept],
        positive=positive,
        goal=goal,
        theorem=number[groups.theorem[at]],
        depth=groups.depth[at],
        remaining=groups.remaining[at],
        sibling=siblings,
        sibling_start=np.array([start for _, start in starts], np.int64),
        sibling_count=groups.sibling_count[at],
        off=others,
        off_depth=np.concatenate(off_depth),
        off_start=off_start,
        off_count=groups.off_count[at],
        near_start=off_start + groups.near_start[at] - groups.off_start[at],
        near_count=groups.near_count[at],
        counts=groups.counts,
    )
    return chosen, rows


def choose_theorems(groups: Groups, out: NDArray[np.bool_], states: int, seed: int) -> NDArray[np.bool_]:
    """Mark theorems at random, held-out and other ones in turn, until they have about ``states`` states.

    At least one of each is taken where there is one.
    """
    sizes = np.zeros(len(groups.theorems), np.int64)
    sizes[groups.theorem] = groups.off_count
    sizes += np.bincount(groups.theorem, minlength=len(sizes)) + 1
    order = np.random.default_rng([seed, 7]).permutation(len(sizes))
    queues = [[t for t in order if out[t]], [t for t in order if not out[t]]]
    keep = np.zeros(len(sizes), dtype=bool)
    total, turn = 0, 0
    while any(queues):
        queue = queues[turn % 2] or queues[(turn + 1) % 2]
        theorem = queue.pop(0)
        if turn >= 2 and total + sizes[theorem] > states:
            break
        keep[theorem] = True
        total += int(sizes[theorem])
        turn += 1
    return keep


def silhouette(x: Tensor, y: Tensor) -> float | None:
    """Return the mean silhouette coefficient of two clusters of vectors (n, hidden), None when one has no two.

    Rousseeuw 1987, "Silhouettes: a graphical aid to the interpretation and validation of cluster
    analysis", section 2: (b - a) / max(a, b) with a the mean distance to the own cluster's others, b
    to the other cluster.
    """
    if len(x) < 2 or len(y) < 2:
        return None
    x, y = x.double(), y.double()
    across = torch.cdist(x, y)
    found = []
    for own, other in ((torch.cdist(x, x), across), (torch.cdist(y, y), across.T)):
        a, b = own.sum(dim=1) / (len(own) - 1), other.mean(dim=1)
        found.append((b - a) / torch.maximum(a, b).clamp_min(1e-30))
    return round(float(torch.cat(found).mean()), 6)


def silhouette_by_depth(vectors: Tensor, groups: Groups) -> dict[str, float | None]:
    """Return, by depth of the provable states, how well they stand apart from others at most a step away."""
    result = {}
    for depth in np.unique(groups.depth):
        at = np.flatnonzero(groups.depth == depth)
        near = [groups.off[groups.near_start[p] :][: groups.near_count[p]] for p in at]
        clusters = [np.unique(groups.positive[at]), np.unique(np.concatenate(near))]
        x, y = (vectors[torch.from_numpy(_thinned(rows)).to(vectors.device)] for rows in clusters)
        result[str(depth)] = silhouette(x, y)
    return result


def _thinned(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    if len(rows) <= SILHOUETTE_STATES:
        return rows
    return rows[np.linspace(0, len(rows) - 1, SILHOUETTE_STATES).astype(np.int64)]


@dataclass(frozen=True)
class Probe:
    """Groups of some theorems, which of them are held out, and held-out groups drawn once.

    ``rows`` are the places of the probe's states in the table of all states; tensors given to its
    methods have one row for each.
    """

    groups: Groups
    rows: NDArray[np.int64]
    out: NDArray[np.bool_]
    batch: Batch

    def health(self, vectors: Tensor) -> dict[str, Any]:
        """Return the health of the embeddings (``embedding_health``), silhouettes and dual-label rate."""
        counts = self.groups.counts
        measured = embedding_health(vectors, self.groups, self.out)
        del measured["variance_spectrum"]
        return {
            **measured,
            "silhouette_by_depth": silhouette_by_depth(vectors, self.groups),
            "dual_label_rate": round(counts["dual_labelled"] / max(counts["states"], 1), 6),
        }

    def ranking(self, energies: Tensor) -> dict[str, Any]:
        """Return rank-1 and energy gap of the energies (groups, 1 + K) of ``batch``."""
        measured = group_metrics(energies.double().cpu().numpy(), self.batch, self.groups, MARGIN)
        by_depth = {depth: values["rank1"] for depth, values in measured["rank1_by_depth"].items()}
        return {name: measured[name] for name in ("rank1", "chance", "energy_gap")} | {"rank1_by_depth": by_depth}


def make_probe(
    groups: Groups,
    out: NDArray[np.bool_],
    states: int,
    count: int,
    negatives: int,
    hard_share: float,
    seed: int,
    device: str,
) -> Probe:
    """Return a probe of about ``states`` states and ``count`` groups of its held-out theorems."""
    keep = choose_theorems(groups, out, states, seed)
    chosen, rows = subset(groups, keep)
    held = out[keep]
    positions = np.flatnonzero(held[chosen.theorem]) if held.any() else np.arange(len(chosen.positive))
    batch = GroupSampler(chosen, positions, negatives, hard_share, device).draw(count, seed + 1)
    return Probe(chosen, rows, held, batch)
