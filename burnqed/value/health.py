"""Whether embeddings tell provable states from others: figures of collapse, and a map of some states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from burnqed.value.contrastive import Groups
from burnqed.value.state_map import COMPONENTS, StateMap

MAX_VECTORS = 20_000  # measured on at most this many states per label
MAPPED = 500  # states per label on the map
CHUNK = 1 << 12  # vectors handled in double precision at once
RIDGE = 1.0


def embedding_health(vectors: Tensor, groups: Groups, out: NDArray[np.bool_]) -> dict[str, Any]:
    """Return whether the embeddings tell states apart; ``out`` marks held-out theorems.

    ``centroid_l2``: distance of the mean positive and mean negative; ``norm_gap``: difference of
    their mean norms; ``linear_probe``: balanced accuracy on held-out theorems of a ridge classifier
    of positive against negative; ``sibling_l2``: mean distance of a positive to its siblings;
    ``effective_dimension``: participation ratio (sum of eigenvalues)^2 / sum of squares of the
    covariance; ``variance_top1``, ``variance_top10``: share of its largest eigenvalues.
    """
    positive, p_at = _some(groups.positive, MAX_VECTORS)
    negative, n_at = _some(groups.off, MAX_VECTORS)
    x = _take(vectors, np.concatenate([positive, negative]))
    label = np.arange(len(x)) < len(positive)
    held = np.concatenate([out[groups.theorem[p_at]], out[_owner(groups)[n_at]]])
    norms = x.norm(dim=1).double().cpu().numpy()
    centre = x.mean(dim=0, dtype=torch.float64)
    apart = x[: len(positive)].mean(dim=0, dtype=torch.float64) - x[len(positive) :].mean(dim=0, dtype=torch.float64)
    covariance = torch.zeros(x.shape[1], x.shape[1], dtype=torch.float64, device=x.device)
    for part in _chunks(x):
        covariance += (part - centre).T @ (part - centre)
    values = torch.linalg.eigvalsh(covariance / max(len(x) - 1, 1)).flip(0).clamp_min(0).cpu().numpy()
    total = max(float(values.sum()), 1e-30)
    return {
        "centroid_l2": _rounded(apart.norm()),
        "norm_gap": _rounded(abs(norms[label].mean() - norms[~label].mean())),
        "norm_mean": _rounded(norms.mean()),
        "linear_probe": _linear_probe(x, label, held),
        "sibling_l2": _sibling_l2(vectors, groups),
        "effective_dimension": _rounded(total**2 / max(float((values**2).sum()), 1e-30)),
        "variance_top1": _rounded(values[:1].sum() / total),
        "variance_top10": _rounded(values[:10].sum() / total),
        "variance_spectrum": [_rounded(v / total) for v in values[:COMPONENTS]],
    }


def state_map(vectors: Tensor, groups: Groups) -> StateMap:
    """Return some positives and negatives by their principal components among themselves."""
    positive, p_at = _some(groups.positive, MAPPED)
    negative, n_at = _some(groups.off, MAPPED)
    x = _take(vectors, np.concatenate([positive, negative])).double()
    left, values, _ = torch.linalg.svd(x - x.mean(dim=0), full_matrices=False)
    components = (left * values)[:, :COMPONENTS]
    # The sign of an axis is arbitrary: the largest coordinate shall be positive, for the same map everywhere.
    largest = components.abs().argmax(dim=0, keepdim=True)
    components = components * components.gather(0, largest).sign()
    return StateMap(
        components.float().cpu().numpy(),
        np.arange(len(x)) < len(positive),
        np.concatenate([groups.depth[p_at], groups.off_depth[n_at]]),
    )


def _owner(groups: Groups) -> NDArray[np.int64]:
    """Return the theorem of each negative."""
    owner = np.zeros(len(groups.off), np.int64)
    for start, count, theorem in zip(groups.off_start, groups.off_count, groups.theorem, strict=True):
        owner[start : start + count] = theorem
    return owner


def _thinned(count: int, most: int) -> NDArray[np.int64]:
    """Return at most ``most`` places out of ``count``, evenly spread."""
    return np.linspace(0, count - 1, min(count, most)).astype(np.int64)


def _some(rows: NDArray[np.int64], most: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return rows without repetition, evenly thinned to ``most``, and their places."""
    unique, places = np.unique(rows, return_index=True)
    keep = _thinned(len(unique), most)
    return unique[keep], places[keep]


def _take(vectors: Tensor, rows: NDArray[np.int64]) -> Tensor:
    """Return some vectors in single precision, on the device they are on."""
    return vectors[torch.from_numpy(rows).to(vectors.device)].float()


def _chunks(x: Tensor) -> Iterator[Tensor]:
    """Yield the rows in double precision, some at a time."""
    for part in x.split(CHUNK):
        yield part.double()


def _sibling_l2(vectors: Tensor, groups: Groups) -> float | None:
    counts = groups.sibling_count
    if not counts.sum():
        return None
    first = np.repeat(groups.positive, counts)
    second = np.concatenate([groups.sibling[s : s + c] for s, c in zip(groups.sibling_start, counts, strict=True)])
    keep = _thinned(len(first), MAX_VECTORS)
    return _rounded((_take(vectors, first[keep]) - _take(vectors, second[keep])).norm(dim=1).mean(dtype=torch.float64))


def _linear_probe(x: Tensor, label: NDArray[np.bool_], held: NDArray[np.bool_]) -> float | None:
    """Return the balanced accuracy on held rows of a ridge classifier fitted to the other rows."""
    fit = ~held
    parts = [label & fit, ~label & fit, label & held, ~label & held]
    if not all(part.any() for part in parts):
        return None
    used = torch.from_numpy(fit).to(x.device)
    deviation, mean = torch.std_mean(x[used], dim=0, correction=0)
    share = np.where(label, 0.5 / parts[0].sum(), 0.5 / parts[1].sum()) * fit.sum()
    weight = torch.from_numpy(share * fit).to(x.device)
    sign = torch.from_numpy(np.where(label, 1.0, -1.0)).to(x.device)

    def prepared(part: Tensor) -> Tensor:
        z = (part - mean) / deviation.clamp_min(1e-6)
        return torch.cat([z, torch.ones_like(z[:, :1])], dim=1)

    width = x.shape[1] + 1
    gram = RIDGE * torch.eye(width, dtype=torch.float64, device=x.device)
    right = torch.zeros(width, dtype=torch.float64, device=x.device)
    for part, w, s in zip(_chunks(x), weight.split(CHUNK), sign.split(CHUNK), strict=True):
        a = prepared(part)
        gram += (a * w[:, None]).T @ a
        right += (a * w[:, None]).T @ s
    solution = torch.linalg.solve(gram, right)
    guess = torch.cat([prepared(part) @ solution > 0 for part in _chunks(x)]).cpu().numpy()
    return _rounded(0.5 * (guess[parts[2]].mean() + (~guess[parts[3]]).mean()))


def _rounded(value: float | np.floating[Any] | Tensor) -> float:
    return round(float(value), 6)
