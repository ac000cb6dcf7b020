"""Figures of a histogram: against scipy, against their spread over samples, and at the edges."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flip7sim.estimates import Moments, moments, quantile, summarise

WEIGHTS = np.array([30, 0, 1, 2, 4, 8, 9, 12, 14, 9, 6, 3, 1, 1, 0, 0, 0, 0, 0, 1], float)
WEIGHTS /= WEIGHTS.sum()
"""A distribution as lopsided as that of round scores."""


@settings(max_examples=30)
@given(st.lists(st.integers(-40, 200), min_size=3, max_size=60).filter(lambda x: len(set(x)) > 1))
def test_figures_are_those_of_scipy(scores: list[int]) -> None:
    from scipy import stats

    low = min(scores)
    of = moments(np.bincount(np.array(scores) - low), low)
    assert (of.n, of.total) == (len(scores), sum(scores))
    assert of.mean().value == pytest.approx(np.mean(scores))
    assert of.mean().se == pytest.approx(stats.sem(scores))
    assert of.variance().value == pytest.approx(np.var(scores, ddof=1))
    assert of.sd().value == pytest.approx(np.std(scores, ddof=1))
    for order in range(5):
        assert of.central[order] == pytest.approx(stats.moment(scores, order), rel=1e-9, abs=1e-9)
    assert of.skewness().value == pytest.approx(stats.skew(scores), rel=1e-9, abs=1e-9)
    if sum(scores) > 0:
        assert of.variation().value == pytest.approx(stats.variation(scores, ddof=1))


def test_moments_are_correctly_rounded_however_many_rounds() -> None:
    # In floats the sum of fourth powers would have lost the score's digits long before.
    n = 3 * 10**15
    of = moments([n, 0, 1], low=10**6)
    mean = Fraction(10**6 * n + 10**6 + 2, n + 1)
    exact = [(n * (10**6 - mean) ** k + (10**6 + 2 - mean) ** k) / (n + 1) for k in range(5)]
    assert of.central == tuple(float(value) for value in exact)
    assert of.mean().value == float(mean)


@pytest.fixture(scope="module")
def samples() -> list[Moments]:
    random = np.random.default_rng(7)
    return [moments(counts) for counts in random.multinomial(3000, WEIGHTS, size=1500)]


@pytest.mark.parametrize("figure", ["mean", "variance", "sd", "skewness", "variation"])
def test_standard_errors_are_the_spread_over_samples(samples: list[Moments], figure: str) -> None:
    estimates = [getattr(sample, figure)() for sample in samples]
    values = np.array([estimate.value for estimate in estimates])
    errors = np.array([estimate.se for estimate in estimates])
    # 1,500 samples know their spread to 1.8 %.
    assert errors.mean() == pytest.approx(values.std(), rel=0.06)
    many = 10**13
    truth = getattr(moments(np.rint(WEIGHTS * many).astype(np.int64)), figure)().value
    covered = np.mean([estimate.low <= truth <= estimate.high for estimate in estimates])
    assert covered == pytest.approx(0.95, abs=0.02)


def test_the_variance_of_a_variance_is_exact_for_small_samples() -> None:
    # Every sample of 4 of a fair die: the mean squared error estimate against enumeration.
    faces = np.arange(1, 7)
    grid = np.stack(np.meshgrid(*[faces] * 4), axis=-1).reshape(-1, 4)
    spread = np.var(np.var(grid, axis=1, ddof=1))
    fourth, second = np.mean((faces - 3.5) ** 4), np.mean((faces - 3.5) ** 2)
    assert (fourth - second**2 * (4 - 3) / (4 - 1)) / 4 == pytest.approx(spread)
    # The same formula with the sample's own moments is what `variance` reports.
    of = moments([1, 1, 1, 1, 1, 1], low=1)
    s2 = of.variance().value
    assert of.variance().se == pytest.approx(math.sqrt((fourth - s2**2 * 3 / 5) / 6))


def test_no_rounds_at_all() -> None:
    summary = summarise([0, 0, 0])
    for estimate in (summary.mean, summary.sd, summary.variance, summary.skewness):
        assert math.isnan(estimate.value) and math.isnan(estimate.se)
    assert summary.zero.n == 0 and math.isnan(summary.zero.value)
    assert all(math.isnan(one.value) for one in summary.quantiles)


def test_one_round_has_a_mean_and_no_error() -> None:
    summary = summarise([0] * 31 + [1])
    assert summary.mean.value == 31.0
    assert math.isnan(summary.mean.se) and math.isnan(summary.mean.low)
    assert math.isnan(summary.sd.value) and math.isnan(summary.variance.value)
    assert math.isnan(summary.skewness.value) and math.isnan(summary.variation.value)
    assert {one.value for one in summary.quantiles} == {31}
    assert summary.quantiles[2].low == -math.inf and summary.quantiles[2].high == math.inf


def test_rounds_that_all_score_the_same() -> None:
    summary = summarise([0, 0, 500])
    assert (summary.mean.value, summary.mean.se) == (2.0, 0.0)
    assert (summary.sd.value, summary.sd.se) == (0.0, 0.0)
    assert (summary.variance.value, summary.variance.se) == (0.0, 0.0)
    assert (summary.variation.value, summary.variation.se) == (0.0, 0.0)
    assert math.isnan(summary.skewness.value)


def test_two_rounds_do_not_pretend_to_know_their_skewness() -> None:
    skewness = moments([1, 0, 1]).skewness()
    assert skewness.value == 0.0 and math.isnan(skewness.se)


def test_a_coefficient_of_variation_needs_a_positive_mean() -> None:
    assert math.isnan(moments([3, 2], low=-4).variation().value)
    assert math.isnan(moments([1, 0, 1], low=-1).variation().value)


@pytest.mark.parametrize(("low", "expected"), [(0, 4), (-2, 6), (3, 0), (-9, 0)])
def test_the_share_at_zero_finds_the_zero(low: int, expected: int) -> None:
    zero = summarise([4, 5, 6], low=low).zero
    assert (zero.count, zero.n) == (expected, 15)


@given(
    st.lists(st.integers(-5, 30), min_size=1, max_size=80), st.sampled_from([0.1, 0.3, 0.5, 0.9])
)
def test_quantiles_are_the_inverse_of_the_distribution(scores: list[int], chance: float) -> None:
    low = min(scores)
    found = quantile(moments(np.bincount(np.array(scores) - low), low), chance)
    rank = -(-Fraction(str(chance)) * len(scores) // 1)
    assert found.value == sorted(scores)[int(rank) - 1]
    assert found.low <= found.value <= found.high


@pytest.mark.parametrize("chance", [0.05, 0.25, 0.5, 0.9])
@pytest.mark.parametrize("n", [10, 60, 400])
def test_intervals_of_quantiles_cover_as_they_promise(chance: float, n: int) -> None:
    from scipy.stats import binom

    found = quantile(moments([1] * n, low=1), chance)  # the k-th smallest score is k
    lower = 0 if math.isinf(found.low) else int(found.low)
    upper = n + 1 if math.isinf(found.high) else int(found.high)
    count = binom(n, chance)
    # The true quantile lies below the k-th smallest where fewer than k scores are that low.
    assert count.cdf(lower - 1) <= 0.025 < count.cdf(lower)
    assert count.sf(upper - 1) <= 0.025 < count.sf(upper - 2)


def test_intervals_of_quantiles_are_quick_and_right_for_a_thousand_million_rounds() -> None:
    found = quantile(moments([250_000_000, 500_010_000, 249_990_000]), 0.25)
    assert (found.value, found.low, found.high) == (0, 0, 1)


@pytest.mark.parametrize("counts", [[1, -1], [0.5], [[1, 2], [3, 4]], [True]])
def test_a_histogram_that_is_none_is_refused(counts: list[object]) -> None:
    with pytest.raises(ValueError, match="histogram"):
        moments(counts)


def test_a_quantile_needs_a_probability() -> None:
    with pytest.raises(ValueError, match="probability"):
        quantile(moments([1]), 1.0)
