"""Intervals and tests for solve rates."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist


def wilson_interval(successes: int, total: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the Wilson score interval of a proportion (Wilson 1927, JASA 22:209, without continuity correction).

    Raises ValueError unless 0 <= successes <= total and total > 0.
    """
    if total <= 0 or not 0 <= successes <= total:
        raise ValueError(f"no proportion: {successes} of {total}")
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    p = successes / total
    scale = 1 + z * z / total
    centre = (p + z * z / (2 * total)) / scale
    half = z / scale * math.sqrt(p * (1 - p) / total + z * z / (4 * total * total))
    # The ends are exact at 0 and 1; rounding must not push them past.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == total else min(1.0, centre + half)
    return low, high


def pass_at_k(n: int, c: int, k: int) -> float:
    """Return the unbiased estimate of pass@k from c successes in n attempts.

    1 - C(n-c, k) / C(n, k), as in Chen et al. 2021 (arXiv:2107.03374, equation 1). Raises
    ValueError unless 0 <= c <= n and 1 <= k <= n.
    """
    if not (0 <= c <= n and 1 <= k <= n):
        raise ValueError(f"pass@{k} cannot be estimated from {c} successes in {n} attempts")
    return 1.0 - math.comb(n - c, k) / math.comb(n, k)


@dataclass(frozen=True)
class Difference:
    """A paired difference of rates, b minus a, with its interval."""

    value: float
    low: float
    high: float


def paired_bootstrap(
    a: Sequence[float],
    b: Sequence[float],
    samples: int = 10000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Difference:
    """Return the mean of b - a over the same theorems with its percentile bootstrap interval.

    Theorems are resampled with replacement (Efron and Tibshirani 1993, chapter 13), so the pairing
    of the two models is kept. Deterministic in ``seed``. Raises ValueError when the lengths differ
    or are zero.
    """
    if len(a) != len(b) or not a:
        raise ValueError(f"paired samples of equal, positive length are needed, not {len(a)} and {len(b)}")
    differences = [y - x for x, y in zip(a, b, strict=True)]
    size = len(differences)
    # Theorems with the same difference are exchangeable, so only the ones that differ are drawn.
    changed = [value for value in differences if value]
    stream = random.Random(seed)
    means = []
    for _ in range(samples):
        drawn = _binomial(stream, size, len(changed) / size)
        means.append(sum(stream.choices(changed, k=drawn)) / size if drawn else 0.0)
    means.sort()
    tail = (1 - confidence) / 2
    low = means[max(0, math.floor(tail * samples))]
    high = means[min(samples - 1, math.ceil((1 - tail) * samples) - 1)]
    return Difference(sum(differences) / size, low, high)


def _binomial(stream: random.Random, trials: int, probability: float) -> int:
    """Draw the number of successes by the gaps between them (quick when they are few)."""
    if probability <= 0:
        return 0
    if probability >= 1:
        return trials
    scale = math.log1p(-probability)
    count, place = 0, 0
    while True:
        place += int(math.log(1.0 - stream.random()) / scale) + 1
        if place > trials:
            return count
        count += 1


def mcnemar(gained: int, lost: int) -> float:
    """Return the two-sided p-value of McNemar's exact test on the discordant pairs.

    Binomial with probability 1/2 (McNemar 1947, Psychometrika 12:153; exact form). 1.0 when no
    pair differs. Raises ValueError on negative counts.
    """
    if gained < 0 or lost < 0:
        raise ValueError("counts of discordant pairs are not negative")
    n = gained + lost
    tail = sum(math.comb(n, i) for i in range(min(gained, lost) + 1))
    return min(1.0, tail / float(2**n) * 2)
