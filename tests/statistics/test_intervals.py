"""Intervals against scipy, against exact coverage, and where nothing is known."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flip7sim.errors import InputError
from flip7sim.estimates import (
    Estimate,
    independent_difference,
    independent_ratio,
    moments,
    normal_quantile,
    proportion,
    proportion_difference,
    t_quantile,
    wilson,
)


@pytest.mark.parametrize(("count", "n"), [(0, 1), (1, 1), (0, 50), (7, 50), (50, 50), (313, 10**6)])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_wilson_is_the_interval_of_scipy(count: int, n: int, level: float) -> None:
    from scipy.stats import binomtest

    expected = binomtest(count, n).proportion_ci(confidence_level=level, method="wilson")
    assert wilson(count, n, level) == pytest.approx((expected.low, expected.high), abs=1e-12)


@given(st.integers(1, 10**12), st.floats(0, 1))
def test_wilson_surrounds_the_share_and_stays_inside_0_and_1(n: int, share: float) -> None:
    count = round(share * n)
    low, high = wilson(count, n)
    assert 0.0 <= low <= count / n <= high <= 1.0
    assert (low == 0.0) == (count == 0)
    assert (high == 1.0) == (count == n)


def test_wilson_covers_as_often_as_it_says_on_average() -> None:
    from scipy.stats import binom

    n = 100
    ends = np.array([wilson(count, n) for count in range(n + 1)])
    shares = np.linspace(0.02, 0.98, 193)
    covered = (ends[:, :1] <= shares) & (shares <= ends[:, 1:])
    coverage = (covered * binom.pmf(np.arange(n + 1)[:, None], n, shares)).sum(axis=0)
    assert coverage.mean() == pytest.approx(0.95, abs=0.005)
    assert coverage.min() > 0.90


def test_a_proportion_of_nothing_is_unknown() -> None:
    nothing = proportion(0, 0)
    assert math.isnan(nothing.value) and math.isnan(nothing.se)
    assert (nothing.low, nothing.high) == (0.0, 1.0)
    assert nothing.to_json() == {"value": None, "se": None, "low": 0.0, "high": 1.0}


def test_a_proportion_of_one_round_has_an_interval_but_no_error() -> None:
    one = proportion(1, 1)
    assert one.value == 1.0 and math.isnan(one.se)
    assert 0.2 < one.low < 0.21 and one.high == 1.0


@pytest.mark.parametrize(("count", "n"), [(-1, 5), (6, 5)])
def test_a_count_outside_its_rounds_is_refused(count: int, n: int) -> None:
    with pytest.raises(ValueError, match="a count must lie"):
        proportion(count, n)


@pytest.mark.parametrize("level", [0.0, 0.5, 1.0, 95.0, math.nan])
def test_a_level_that_is_none_is_refused(level: float) -> None:
    with pytest.raises(InputError, match="confidence level"):
        wilson(1, 2, level)


def test_newcombe_gives_his_published_example() -> None:
    # Newcombe 1998, table II, method 10: (a) 56/70 - 48/80 and (c) 9/10 - 3/10; (e) 5/56 - 0/29.
    for counts, expected in (
        ((56, 70, 48, 80), (0.0524, 0.3339)),
        ((9, 10, 3, 10), (0.1705, 0.8090)),
        ((5, 56, 0, 29), (-0.0381, 0.1926)),
    ):
        gap = proportion_difference(proportion(*counts[:2]), proportion(*counts[2:]))
        assert (gap.low, gap.high) == pytest.approx(expected, abs=5e-5)


def test_the_interval_of_a_mean_is_students() -> None:
    from scipy import stats

    scores = np.array([0, 0, 21, 25, 30, 31, 0, 44])
    mean = moments(np.bincount(scores)).mean(0.9)
    interval = stats.ttest_1samp(scores, 0).confidence_interval(0.9)
    assert mean.se == pytest.approx(stats.sem(scores))
    assert (mean.low, mean.high) == pytest.approx((interval.low, interval.high))
    assert mean.at_level(0.99).high > mean.high


@pytest.mark.parametrize("degrees", [1, 2.5, 30, 10**9])
def test_quantiles_are_those_of_scipy(degrees: float) -> None:
    from scipy import stats

    assert t_quantile(0.995, degrees) == pytest.approx(stats.t.ppf(0.995, degrees))
    assert normal_quantile(0.995) == pytest.approx(stats.norm.ppf(0.995), abs=1e-12)


def test_a_difference_of_independent_means_is_welchs() -> None:
    from scipy import stats

    first, second = np.array([3, 9, 4, 12, 7]), np.array([1, 2, 6, 2, 0, 3, 1])
    ours = independent_difference(
        moments(np.bincount(first)).mean(), moments(np.bincount(second)).mean()
    )
    theirs = stats.ttest_ind(first, second, equal_var=False)
    interval = theirs.confidence_interval()
    assert ours.value / ours.se == pytest.approx(theirs.statistic)
    assert (ours.low, ours.high) == pytest.approx((interval.low, interval.high))


@pytest.mark.parametrize("figure", ["sd", "variance"])
def test_differences_and_ratios_of_two_games_spread_have_the_right_errors(figure: str) -> None:
    random = np.random.default_rng(1)
    weights = np.array([0.3, 0, 0.05, 0.2, 0.25, 0.1, 0.1])
    gaps, ratios = [], []
    for _ in range(800):
        first, second = (random.multinomial(n, weights) for n in (400, 700))
        pair = [getattr(moments(counts), figure)() for counts in (first, second)]
        gaps.append(independent_difference(*pair))
        ratios.append(independent_ratio(*pair))
    for estimates, truth in ((gaps, 0.0), (ratios, 1.0)):
        values = np.array([estimate.value for estimate in estimates])
        errors = np.array([estimate.se for estimate in estimates])
        # 800 samples know their spread to 2.5 %.
        assert errors.mean() == pytest.approx(values.std(), rel=0.1)
        assert np.mean([one.low <= truth <= one.high for one in estimates]) > 0.92


def test_a_ratio_to_nothing_is_unknown() -> None:
    ratio = independent_ratio(Estimate(1.0, 0.1, 5, ""), Estimate(0.0, 0.1, 5, ""))
    assert math.isnan(ratio.value) and math.isnan(ratio.se)


def test_an_unknown_error_makes_unknown_ends_and_valid_json() -> None:
    one = Estimate(31.0, math.nan, 1, "mean of rounds, Student's t")
    assert math.isnan(one.low) and math.isnan(one.high)
    assert json.dumps(one.to_json(), allow_nan=False) == (
        '{"value": 31.0, "se": null, "low": null, "high": null}'
    )


def test_distance_from_an_exact_value() -> None:
    assert Estimate(19.0, 0.5, 9, "").errors_from(18.0) == 2.0
    assert Estimate(15.0, 0.0, 9, "").errors_from(15.0) == 0.0
    assert Estimate(15.0, 0.0, 9, "").errors_from(15.5) == -math.inf
    assert math.isnan(Estimate(15.0, math.nan, 1, "").errors_from(14.0))
    # A count of 0 is judged by the exact chance: 0 of 100 at one half is ten errors off.
    assert proportion(0, 100).errors_from(0.5) == -10.0
    assert proportion(0, 100).errors_from(0.0) == 0.0
    assert proportion(1, 100).errors_from(0.0) == math.inf
