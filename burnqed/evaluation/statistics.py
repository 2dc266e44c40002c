"""Intervals, tests and power for solve rates; scipy does the arithmetic."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

POWER = 0.8
BATCH = 1000  # resamples held in memory at once


def wilson_interval(successes: int, total: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the Wilson score interval of a proportion (Wilson 1927, JASA 22:209, without continuity correction).

    Raises ValueError unless 0 <= successes <= total and total > 0.
    """
    if total <= 0 or not 0 <= successes <= total:
        raise ValueError(f"no proportion: {successes} of {total}")
    from scipy.stats import binomtest  # its import takes most of a second

    found = binomtest(successes, total).proportion_ci(confidence, "wilson")
    # The ends are exact at 0 and 1; rounding must not push them past.
    low = 0.0 if successes == 0 else max(0.0, float(found.low))
    high = 1.0 if successes == total else min(1.0, float(found.high))
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
    """A paired difference of rates, b minus a: its interval, and the smallest one that could be seen.

    ``detectable`` is the minimum detectable effect: the true difference that a two-sided test at the interval's level
    finds with a probability of 80 %, given how much the pairs vary.
    """

    value: float
    low: float
    high: float
    detectable: float = 0.0


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
    import numpy as np

    differences = np.asarray(b, dtype=float) - np.asarray(a, dtype=float)
    value, detectable = float(differences.mean()), minimum_detectable_effect(differences.tolist(), confidence)
    if np.all(differences == differences[0]):  # no resample differs
        return Difference(value, value, value, detectable)
    from scipy.stats import bootstrap

    found = bootstrap(
        (differences,),
        np.mean,
        n_resamples=samples,
        batch=BATCH,
        confidence_level=confidence,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Difference(value, float(found.low), float(found.high), detectable)


def minimum_detectable_effect(differences: Sequence[float], confidence: float = 0.95, power: float = POWER) -> float:
    """Return the true mean difference that would be found with the given power, from the spread of the pairs.

    (z_confidence + z_power) times the standard error, as for a paired t-test of large samples (Cohen 1988, chapter 2).
    0.0 for fewer than two pairs.
    """
    if len(differences) < 2:
        return 0.0
    import numpy as np

    return _z_sum(confidence, power) * float(np.std(differences, ddof=1)) / math.sqrt(len(differences))


def planned_detectable_effect(
    theorems: int, discordant: float = 0.2, confidence: float = 0.95, power: float = POWER
) -> float:
    """Return the minimum detectable effect of a comparison that is still to be made.

    ``discordant`` is the share of theorems that only one of the two models solves; two sampling seeds of one model
    already disagree on about a fifth. Raises ValueError for no theorems.
    """
    if theorems <= 0:
        raise ValueError("no theorems")
    return _z_sum(confidence, power) * math.sqrt(discordant / theorems)


def _z_sum(confidence: float, power: float) -> float:
    normal = NormalDist()
    return normal.inv_cdf(0.5 + confidence / 2) + normal.inv_cdf(power)


def sampling_noise(outcomes: Sequence[Sequence[float]]) -> float:
    """Return the standard error of a mean solve rate that comes from sampling alone.

    ``outcomes`` holds for each theorem its results (0 or 1) under several sampling seeds; the theorems are taken as
    given. 0.0 when no theorem has two results.
    """
    import numpy as np  # commands that only print help must not wait for it

    variances = [float(np.var(own, ddof=1)) / len(own) for own in outcomes if len(own) > 1]
    return math.sqrt(sum(variances)) / len(outcomes) if variances else 0.0


def mcnemar(gained: int, lost: int) -> float:
    """Return the two-sided p-value of McNemar's exact test on the discordant pairs.

    Binomial with probability 1/2 (McNemar 1947, Psychometrika 12:153; exact form). 1.0 when no
    pair differs. Raises ValueError on negative counts.
    """
    if gained < 0 or lost < 0:
        raise ValueError("counts of discordant pairs are not negative")
    if not gained + lost:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(gained, gained + lost, 0.5).pvalue)
