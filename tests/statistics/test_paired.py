"""Paired differences, and the set of arms that cannot be told from the best."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from flip7sim.errors import InputError
from flip7sim.estimates import BestSet, best_set, paired_difference, paired_differences


def tallies(scores: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
    return scores.sum(axis=1), scores @ scores.T, scores.shape[1]


def related(random: np.random.Generator, n_arms: int, n: int) -> NDArray[np.int64]:
    """Scores of arms with equal means on shared, lopsided rounds."""
    shared = random.integers(0, 20, n) * (random.random(n) < 0.7)
    return shared + random.integers(0, 6, (n_arms, n)) * (random.random((n_arms, n)) < 0.5)


def test_paired_differences_are_those_of_scipy() -> None:
    from scipy import stats

    scores = related(np.random.default_rng(2), 4, 50)
    found = paired_differences(*tallies(scores))
    for a, b in itertools.permutations(range(4), 2):
        theirs = stats.ttest_rel(scores[a], scores[b])
        interval = theirs.confidence_interval()
        assert found.value[a, b] / found.se[a, b] == pytest.approx(theirs.statistic)
        ours = paired_difference(*tallies(scores), a, b)
        assert (ours.low, ours.high) == pytest.approx((interval.low, interval.high))
    assert not found.value.diagonal().any() and not found.se.diagonal().any()


def test_errors_are_exact_beyond_64_bits() -> None:
    # Half of the rounds 20 against 19, half 20 against 21; n times the spread exceeds 2**63.
    n = 4 * 10**9
    sums = np.array([20 * n, 20 * n])
    products = np.array([[400 * n, 400 * n], [400 * n, (361 + 441) * n // 2]])
    found = paired_differences(sums, products, n)
    assert found.value[0, 1] == 0.0
    assert found.se[0, 1] == 1.0 / math.sqrt(n - 1)


def test_equal_arms_differ_by_exactly_nothing() -> None:
    random = np.random.default_rng(3)
    scores = related(random, 3, 1000)
    scores[2] = scores[0]
    found = paired_differences(*tallies(scores))
    assert found.value[0, 2] == 0.0 and found.se[0, 2] == 0.0


def test_sums_that_no_rounds_can_have_are_refused() -> None:
    with pytest.raises(ValueError, match="not of the same rounds"):
        paired_differences([10, 0], [[50, 40], [40, 10]], 2)
    with pytest.raises(ValueError, match="symmetric"):
        paired_differences([1, 1], [[1, 0], [1, 1]], 2)
    with pytest.raises(ValueError, match="shape"):
        paired_differences([1, 1], [[1]], 2)
    with pytest.raises(ValueError, match="at least one round"):
        paired_differences([1], [[1]], 0)
    with pytest.raises(ValueError, match="whole numbers"):
        paired_differences([1.0], [[1.0]], 2)
    with pytest.raises(InputError, match="level"):
        best_set([1], [[1]], 2, level=2.0)


def dunnett(n_others: int, level: float) -> float:
    """One-sided critical value for equal, independent arms, by numerical integration."""
    from scipy.optimize import brentq
    from scipy.stats import norm

    z = np.linspace(-9, 9, 20001)
    density = norm.pdf(z) * (z[1] - z[0])

    def excess(d: float) -> float:
        inside: float = (density * norm.cdf(z + d * math.sqrt(2)) ** n_others).sum()
        return inside - level

    return float(brentq(excess, 0, 6))


@pytest.mark.parametrize("n_arms", [3, 6, 9])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_critical_values_of_independent_arms_are_dunnetts(n_arms: int, level: float) -> None:
    # All patterns of zeros and ones, each as often: the arms' scores are exactly uncorrelated.
    scores = np.array(list(itertools.product((0, 1), repeat=n_arms))).T
    sums, products, n = tallies(np.tile(scores, 2**12 // scores.shape[1]))
    found = best_set(sums, products, n, level=level)
    assert found.tied.all()
    assert found.critical == pytest.approx(dunnett(n_arms - 1, level), abs=0.03)


def test_two_arms_are_a_one_sided_t_test() -> None:
    from scipy import stats

    scores = related(np.random.default_rng(4), 2, 40)
    scores[1] += np.random.default_rng(5).integers(0, 2, 40)
    for level in (0.6, 0.9, 0.99, 0.999999):
        found = best_set(*tallies(scores), level=level)
        test = stats.ttest_rel(scores[1], scores[0], alternative="greater")
        assert found.best == 1 and found.tied[1]
        assert found.tied[0] == (test.pvalue > 1.0 - level)


@pytest.fixture(scope="module")
def level_samples() -> list[BestSet]:
    random = np.random.default_rng(6)
    return [best_set(*tallies(related(random, 5, 250))) for _ in range(300)]


def test_the_truly_best_arm_is_tied_as_often_as_promised(level_samples: list[BestSet]) -> None:
    # All means equal is the hardest case, and there the confidence is met, not exceeded.
    tied = np.array([found.tied for found in level_samples])
    assert tied.mean() == pytest.approx(0.95, abs=0.015)


def test_bounds_of_the_loss_hold_for_all_arms_at_once(level_samples: list[BestSet]) -> None:
    assert all((found.loss_high >= 0.0).all() for found in level_samples)
    random, lead = np.random.default_rng(8), np.array([0, 0, 1, 1, 3])
    held, kept, dropped = [], [], []
    for _ in range(300):
        scores = related(random, 5, 250) + lead[:, None]
        found = best_set(*tallies(scores))
        held.append((found.loss_high >= 3 - lead).all())
        kept.append(found.tied[4])
        dropped.append(not found.tied[:4].any())
    assert np.mean(held) == pytest.approx(0.95, abs=0.03)  # 300 samples: error 0.013
    assert np.mean(kept) == 1.0
    assert np.mean(dropped) == 1.0  # two points are many errors here


def test_losses_are_paired_differences_to_the_best() -> None:
    scores = related(np.random.default_rng(9), 4, 100) + np.array([[0], [2], [0], [0]])
    found, pairs = best_set(*tallies(scores)), paired_differences(*tallies(scores))
    assert found.best == 1
    assert found.loss == pytest.approx(pairs.value[1])
    assert found.loss_se == pytest.approx(pairs.se[1])
    assert (found.loss[1], found.loss_se[1], found.loss_high[1]) == (0.0, 0.0, 0.0)


def test_arms_equal_to_the_best_are_tied_and_cost_nothing() -> None:
    scores = related(np.random.default_rng(10), 4, 400) + np.array([[0], [5], [5], [0]])
    scores[2] = scores[1]
    found = best_set(*tallies(scores))
    assert found.best == 1
    assert found.tied.tolist() == [False, True, True, False]
    assert found.loss[2] == 0.0 and found.loss_se[2] == 0.0
    assert found.loss_high[1] == 0.0


def test_duplicates_of_arms_change_no_verdict() -> None:
    scores = related(np.random.default_rng(11), 4, 400) + np.array([[0], [1], [1], [0]])
    doubled = np.repeat(scores, 2, axis=0)
    once, twice = best_set(*tallies(scores)), best_set(*tallies(doubled))
    assert twice.tied.tolist() == np.repeat(once.tied, 2).tolist()


def test_all_arms_the_same() -> None:
    found = best_set(*tallies(np.tile(np.array([3, 0, 7, 25]), (6, 1))))
    assert found.best == 0 and found.tied.all()
    assert not found.loss.any() and not found.loss_high.any()


def test_one_arm_is_the_best_of_one() -> None:
    found = best_set(*tallies(np.array([[3, 0, 7]])))
    assert found.best == 0 and found.tied.tolist() == [True]
    assert found.loss_high.tolist() == [0.0]


def test_after_one_round_every_arm_is_tied() -> None:
    found = best_set(*tallies(np.array([[3], [25], [0]])))
    assert found.best == 1 and found.tied.all()
    assert found.loss.tolist() == [22.0, 0.0, 25.0]
    assert np.isnan(found.loss_se).tolist() == [True, False, True]
    assert np.isnan(found.loss_high).all() and np.isnan(found.critical).all()


def test_the_same_tallies_give_the_same_set_and_bonferroni_is_never_exceeded() -> None:
    from scipy.stats import t

    scores = related(np.random.default_rng(12), 30, 300)
    first, second = best_set(*tallies(scores)), best_set(*tallies(scores))
    assert (first.critical == second.critical).all()
    assert (first.critical <= t.ppf(1 - 0.05 / 29, 299) + 1e-9).all()
    assert (first.critical >= t.ppf(0.95, 299)).all()


def test_the_order_of_the_arms_does_not_matter_but_for_simulation_error() -> None:
    scores = related(np.random.default_rng(13), 6, 500) + np.array([[0], [0], [3], [0], [0], [3]])
    order = np.array([5, 3, 0, 2, 1, 4])
    first, second = best_set(*tallies(scores)), best_set(*tallies(scores[order]))
    assert second.tied.tolist() == first.tied[order].tolist()
    assert second.loss_high == pytest.approx(first.loss_high[order], abs=0.02)
