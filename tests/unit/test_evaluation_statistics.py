"""Known answers of intervals and tests."""

from __future__ import annotations

import itertools
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnqed.evaluation.statistics import (
    mcnemar,
    minimum_detectable_effect,
    paired_bootstrap,
    pass_at_k,
    planned_detectable_effect,
    sampling_noise,
    wilson_interval,
)


# Newcombe 1998, Statistics in Medicine 17:857, table I, method 3.
@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_matches_published_values(k: int, n: int, low: float, high: float) -> None:
    assert wilson_interval(k, n) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_rate_and_is_symmetric(counts: tuple[int, int]) -> None:
    k, n = counts
    low, high = wilson_interval(k, n)
    assert 0 <= low <= k / n <= high <= 1
    mirrored = wilson_interval(n - k, n)
    assert (low, high) == pytest.approx((1 - mirrored[1], 1 - mirrored[0]))
    assert wilson_interval(k, n, 0.99)[0] <= low


@pytest.mark.parametrize(("k", "n"), [(1, 0), (-1, 3), (4, 3)])
def test_impossible_counts_are_refused(k: int, n: int) -> None:
    with pytest.raises(ValueError, match="no proportion"):
        wilson_interval(k, n)


def test_pass_at_k_is_the_mean_over_all_choices() -> None:
    for n, c in [(5, 2), (6, 0), (6, 6), (7, 3)]:
        outcomes = [True] * c + [False] * (n - c)
        for k in range(1, n + 1):
            exact = statistics.fmean(any(choice) for choice in itertools.combinations(outcomes, k))
            assert pass_at_k(n, c, k) == pytest.approx(exact)
    assert pass_at_k(200, 3, 1) == pytest.approx(3 / 200)
    with pytest.raises(ValueError, match="pass@4"):
        pass_at_k(3, 1, 4)


def test_mcnemar_known_values() -> None:
    assert mcnemar(10, 2) == pytest.approx(2 * (1 + 12 + 66) / 4096)
    assert mcnemar(2, 10) == mcnemar(10, 2)
    assert mcnemar(0, 0) == mcnemar(3, 3) == 1.0
    assert mcnemar(5, 0) == pytest.approx(0.0625)


def test_bootstrap_agrees_with_the_normal_interval_on_large_samples() -> None:
    a = [0.0] * 1000
    b = [1.0] * 200 + [-1.0] * 100 + [0.0] * 700
    result = paired_bootstrap(a, b, samples=4000)
    half = 1.96 * (statistics.pvariance(b) / 1000) ** 0.5
    assert result.value == pytest.approx(0.1)
    assert (result.low, result.high) == pytest.approx((0.1 - half, 0.1 + half), abs=0.004)


def test_bootstrap_keeps_the_pairing_and_is_deterministic() -> None:
    a = [1.0, 0.0] * 50
    assert paired_bootstrap(a, a, samples=200).high == 0.0
    b = [0.0, 1.0] * 50
    assert paired_bootstrap(a, b, samples=200, seed=1) == paired_bootstrap(a, b, samples=200, seed=1)
    assert paired_bootstrap([0.0] * 10, [1.0] * 10, samples=200).low == 1.0
    with pytest.raises(ValueError, match="equal, positive length"):
        paired_bootstrap([1.0], [], samples=100)


def test_the_detectable_effect_is_found_in_four_of_five_repetitions() -> None:
    """Simulated pairs whose true mean difference is the planned one: a two-sided test at 5 % finds it at 80 %."""
    chance = np.random.default_rng(0)
    theorems, discordant = 400, 0.2
    effect = planned_detectable_effect(theorems, discordant)
    gained = (discordant + effect) / 2
    draws = chance.choice([1.0, -1.0, 0.0], p=[gained, discordant - gained, 1 - discordant], size=(4000, theorems))
    found = draws.mean(axis=1) / (draws.std(axis=1, ddof=1) / theorems**0.5)
    assert np.mean(found > 1.96) == pytest.approx(0.8, abs=0.03)
    assert minimum_detectable_effect(draws[0].tolist()) == pytest.approx(effect, rel=0.15)
    assert minimum_detectable_effect([1.0]) == 0.0
    with pytest.raises(ValueError, match="no theorems"):
        planned_detectable_effect(0)


def test_sampling_noise_is_the_spread_of_repeated_evaluations() -> None:
    chance = np.random.default_rng(1)
    rates = chance.random(200)
    repeated = (chance.random((3000, 200, 2)) < rates[:, None]).astype(float)
    spread = repeated.mean(axis=(1, 2)).std()
    assert np.mean([sampling_noise(one.tolist()) for one in repeated[:200]]) == pytest.approx(spread, rel=0.05)
    assert sampling_noise([[1.0], [0.0]]) == 0.0
