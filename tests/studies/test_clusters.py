"""Errors over clusters, against the textbook formula in floats and against many samples."""

from __future__ import annotations

import math

import numpy as np
import pytest

from flip7sim.estimates import Estimate
from flip7sim.study.clusters import ClusterSums, Share, as_share


def sums_of(clusters: np.ndarray) -> ClusterSums:
    whole = np.column_stack([np.ones(len(clusters), np.int64), clusters]).astype(object)
    return ClusterSums(whole.T @ whole)


def test_ratio_is_cochran_s() -> None:
    random = np.random.default_rng(5)
    sizes = random.integers(1, 6, 40)
    wins = random.binomial(sizes, 0.3)
    found = sums_of(np.column_stack([sizes, wins])).ratio({2: 1}, {1: 1})
    p = wins.sum() / sizes.sum()
    gaps = wins - p * sizes
    variance = 40 / 39 * (gaps**2).sum() / sizes.sum() ** 2
    assert found.value == p
    assert found.se == pytest.approx(math.sqrt(variance), rel=1e-12)
    assert found.degrees == 39


def test_weights_make_a_contrast() -> None:
    table = np.array([[4, 3, 1], [4, 1, 2], [4, 0, 4], [4, 2, 2]])
    found = sums_of(table).ratio({2: 1, 3: -1}, {1: 1})
    gaps = (table[:, 1] - table[:, 2]) / 4
    assert found.value == gaps.mean()
    assert found.se == pytest.approx(gaps.std(ddof=1) / 2, rel=1e-12)


def test_sums_too_large_for_floats_and_int64_stay_exact() -> None:
    big = 2**40
    table = np.array([[big, big // 2 + k] for k in range(3)], object)
    found = sums_of(table).ratio({2: 1}, {1: 1})
    assert found.se == pytest.approx(1 / big / math.sqrt(3), rel=1e-9)


def test_equal_clusters_have_no_error_and_a_point_for_an_interval() -> None:
    share = sums_of(np.array([[3, 1]] * 50)).share({2: 1}, {1: 1})
    assert (share.value, share.se, share.low, share.high) == (1 / 3, 0.0, 1 / 3, 1 / 3)


@pytest.mark.parametrize("count", [0, 3], ids=["never", "always"])
def test_shares_of_none_and_all_keep_an_interval(count: int) -> None:
    share = sums_of(np.array([[3, count]] * 50)).share({2: 1}, {1: 1})
    width = share.high - share.low
    # Each cluster counts as one observation: z**2 / (50 + z**2) with t for z.
    assert share.value in (0.0, 1.0)
    assert width == pytest.approx(2.009575**2 / (50 + 2.009575**2), rel=1e-5)
    assert min(share.low, 1 - share.high) == 0.0


def test_nothing_known() -> None:
    share = sums_of(np.array([[0, 0]])).share({2: 1}, {1: 1})
    assert math.isnan(share.value)
    assert (share.low, share.high) == (0.0, 1.0)
    one = sums_of(np.array([[4, 1]])).share({2: 1}, {1: 1})
    assert math.isnan(one.se)
    assert one.low < 0.25 < one.high


def test_interval_is_wilson_s_where_every_cluster_is_one_game() -> None:
    from flip7sim.estimates import wilson

    wins = np.array([1] * 300 + [0] * 700)
    share = sums_of(np.column_stack([np.ones(1000, np.int64), wins])).share({2: 1}, {1: 1})
    low, high = wilson(300, 1000)
    # K - 1 for K, and t for the normal: both matter by a thousandth of the width.
    assert share.low == pytest.approx(low, abs=1e-4)
    assert share.high == pytest.approx(high, abs=1e-4)


def test_distance_from_an_exact_value_is_in_errors_over_clusters() -> None:
    share: Share = as_share(Estimate(0.3, 0.02, 100, ""), 400, 100)
    assert share.errors_from(0.26) == pytest.approx(2.0)


def test_impossible_sums_are_refused() -> None:
    with pytest.raises(ValueError, match="no clusters have these sums"):
        ClusterSums(np.array([[2, 4, 4], [4, 8, 8], [4, 8, 1]], object)).ratio({2: 1}, {1: 1})
