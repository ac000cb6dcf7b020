"""Arms played on the same rounds: paired differences and the set that cannot be told from the best.

Everything comes from three integer tallies of n rounds: the sums ``S[a] = sum of x_a``, the
products ``P[a, b] = sum of x_a x_b`` and n itself. Differences are formed in exact integers before
any division, so that two arms that scored the same in every round differ by exactly zero.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from flip7sim.estimates.intervals import LEVEL, NAN, Estimate, check_level, t_quantile

DRAWS: Final = 20_000
"""Simulated draws behind a simultaneous critical value."""
SEED: Final = 71984
"""Seed of these draws. A constant: the same tallies always give the same tied set."""
PAIRED: Final = "paired difference on the same rounds, Student's t"
HSU: Final = (
    "multiple comparisons with the best (Hsu), paired rounds, simulated simultaneous critical value"
)


@dataclass(frozen=True, slots=True)
class PairedDifferences:
    """All differences between arms with their paired standard errors.

    Parameters
    ----------
    value : ndarray of float64, shape (n_arms, n_arms)
        ``value[a, b]`` is the mean of arm a less the mean of arm b, in points per round.
    se : ndarray of float64, shape (n_arms, n_arms)
        Paired standard errors; nan for a single round.
    n : int
        Rounds.
    """

    value: NDArray[np.float64]
    se: NDArray[np.float64]
    n: int


def paired_differences(sums: Any, products: Any, n: int) -> PairedDifferences:
    """Return every paired difference of means, with its standard error.

    With ``D = S[a] - S[b]`` and ``Q = P[a, a] + P[b, b] - 2 P[a, b]`` the squared error is
    ``(n Q - D**2) / (n**2 (n - 1))``, its numerator an exact integer.

    Parameters
    ----------
    sums : array of int64, shape (n_arms,)
        Sum of each arm's scores, in points.
    products : array of int64, shape (n_arms, n_arms)
        Sums of products of two arms' scores.
    n : int
        Rounds that every arm was played on.

    Raises
    ------
    ValueError
        If the shapes do not fit, there is no round, or no scores can have these sums.

    Examples
    --------
    >>> scores = np.array([[3, 5, 4], [2, 5, 0]])  # two arms, three rounds
    >>> found = paired_differences(scores.sum(axis=1), scores @ scores.T, 3)
    >>> found.value[0].round(4).tolist(), found.se[0].round(4).tolist()
    ([0.0, 1.6667], [0.0, 1.2019])
    """
    totals, squares = _checked(sums, products, n)
    gaps = totals[:, None] - totals[None, :]
    own = np.diagonal(squares)
    spread = n * (own[:, None] + own[None, :] - 2 * squares) - gaps * gaps
    if (spread < 0).any():
        raise ValueError("no scores have these sums and products: they are not of the same rounds")
    value = (gaps / n).astype(np.float64)
    if n == 1:
        return PairedDifferences(value, np.full(value.shape, NAN), n)
    se = np.sqrt((spread / (n * n * (n - 1))).astype(np.float64))
    return PairedDifferences(value, se, n)


def paired_difference(
    sums: Any, products: Any, n: int, first: int, second: int, level: float = LEVEL
) -> Estimate:
    """Return the paired difference of two arms as an estimate with Student's t interval.

    Parameters
    ----------
    sums, products, n
        As for `paired_differences`.
    first, second : int
        The arms; the estimate is first minus second, in points per round.
    level : float

    Examples
    --------
    >>> scores = np.array([[3, 5, 4], [2, 5, 0]])
    >>> gap = paired_difference(scores.sum(axis=1), scores @ scores.T, 3, 0, 1)
    >>> round(gap.value, 4), round(gap.se, 4), gap.degrees
    (1.6667, 1.2019, 2)
    """
    pair = [first, second]
    squares = np.asarray(products)[np.ix_(pair, pair)]
    found = paired_differences(np.asarray(sums)[pair], squares, n)
    degrees = n - 1 if n > 1 else None
    return Estimate(
        float(found.value[0, 1]), float(found.se[0, 1]), n, PAIRED, degrees, check_level(level)
    )


@dataclass(frozen=True, slots=True)
class BestSet:
    """The best arm of a sample and the arms that the data cannot tell from the best.

    Parameters
    ----------
    best : int
        The arm with the highest mean; the first of them where several share it.
    tied : ndarray of bool, shape (n_arms,)
        The arms that may be the best; `best` is always one of them. With the confidence `level`
        the truly best arm is among them.
    loss, loss_se : ndarray of float64, shape (n_arms,)
        What each arm scores less than `best`, in points per round, and its paired standard error;
        0 and 0 for `best` itself.
    loss_high : ndarray of float64, shape (n_arms,)
        With the confidence `level`, for all arms at once, no arm loses more than this against the
        truly best one; nan for a single round.
    critical : ndarray of float64, shape (n_arms,)
        The simultaneous critical value of each arm's comparisons; nan for a single round.
    n : int
        Rounds.
    level : float
    method : str
    """

    best: int
    tied: NDArray[np.bool_]
    loss: NDArray[np.float64]
    loss_se: NDArray[np.float64]
    loss_high: NDArray[np.float64]
    critical: NDArray[np.float64]
    n: int
    level: float = LEVEL
    method: str = HSU


def best_set(sums: Any, products: Any, n: int, *, level: float = LEVEL) -> BestSet:
    """Return the best arm, the arms tied with it, and every arm's loss.

    Hsu's multiple comparisons with the best: arm i is tied unless some arm j beats it by more than
    ``d_i`` paired standard errors. The critical value ``d_i`` is the `level` quantile of the
    greatest of arm i's studentised differences to all other arms when all means are equal, taken
    from the estimated covariances of the paired differences. Then, whatever the means, the truly
    best arm is tied with at least the confidence `level`, as it is dropped only if one of its own
    comparisons exceeds ``d_i``. The loss bounds are those of Hsu's constrained intervals.

    The quantile is simulated: 20,000 draws of a multivariate t with n - 1 degrees of freedom and a
    fixed seed, never above Bonferroni's value, which needs no correlation; both are rounded up to
    three decimals. (The Monte Carlo error of the confidence is 0.0015 at 0.95.) Arms that even
    Bonferroni's value drops keep that value. Scores are far from normal but rounds are many: the
    means are taken as normal, and with a few dozen rounds the confidence is approximate.

    Arms that scored the same as each other in every round are no evidence against one another: they
    are tied or dropped together. After a single round every arm is tied.

    Parameters
    ----------
    sums, products, n
        As for `paired_differences`; higher scores are better.
    level : float
        Simultaneous confidence.

    Raises
    ------
    ValueError
        As `paired_differences`.
    InputError
        If `level` is not between 0.5 and 1.

    References
    ----------
    J. C. Hsu, "Constrained simultaneous confidence intervals for multiple comparisons with the
    best", Annals of Statistics 12, 1984; J. C. Hsu, Multiple Comparisons: Theory and Methods,
    1996, chapter 4.

    Examples
    --------
    >>> scores = np.array([[9, 7, 8, 9, 6], [9, 7, 8, 8, 7], [1, 0, 2, 0, 1]])
    >>> found = best_set(scores.sum(axis=1), scores @ scores.T, 5)
    >>> found.best, found.tied.tolist(), found.loss.round(3).tolist()
    (0, [True, True, False], [0.0, 0.0, 7.0])
    """
    check_level(level)
    found = paired_differences(sums, products, n)
    totals, squares = _checked(sums, products, n)
    n_arms = len(totals)
    # Python's integers compare exactly; the first of equal sums is the best.
    best = max(range(n_arms), key=lambda arm: totals[arm])
    loss, loss_se = found.value[best].copy(), found.se[best].copy()
    if n == 1:
        unknown = np.full(n_arms, NAN)
        loss_se[best] = 0.0
        return BestSet(
            best, np.ones(n_arms, np.bool_), loss, loss_se, unknown, unknown.copy(), n, level
        )
    cap = _rounded_up(t_quantile(1.0 - (1.0 - level) / max(n_arms - 1, 1), n - 1))
    critical = np.full(n_arms, cap)
    candidates = [arm for arm in range(n_arms) if _may_be_best(found, arm, cap)]
    if n_arms > 2:
        draws = _draws(_covariance(totals, squares, n, best), n)
        for arm in candidates:
            critical[arm] = min(cap, _quantile_of_greatest(draws, found.se[arm], n, arm, level))
    tied = np.zeros(n_arms, np.bool_)
    tied[[arm for arm in candidates if _may_be_best(found, arm, critical[arm])]] = True

    # Arm i loses at most value[j] - value[i] + d_j se against j, whichever tied arm j is best.
    bounds = -found.value[:, tied] + critical[tied] * found.se[:, tied]
    bounds[np.flatnonzero(tied), np.arange(int(tied.sum()))] = 0.0
    return BestSet(
        best, tied, loss, loss_se, np.maximum(bounds.max(axis=1), 0.0), critical, n, level
    )


def _checked(sums: Any, products: Any, n: int) -> tuple[NDArray[np.object_], NDArray[np.object_]]:
    """Return sums and products as arrays of Python integers, which cannot overflow."""
    totals, squares = np.asarray(sums), np.asarray(products)
    if totals.ndim != 1 or len(totals) == 0 or squares.shape != (len(totals), len(totals)):
        raise ValueError(
            f"sums of shape {totals.shape} need products of shape (n_arms, n_arms), "
            f"not {squares.shape}"
        )
    if n < 1:
        raise ValueError(f"a comparison needs at least one round, not {n}")
    for array in (totals, squares):
        if array.dtype.kind not in "iuO":
            raise ValueError(f"tallies are whole numbers, not {array.dtype}")
    exact_totals, exact_squares = totals.astype(object), squares.astype(object)
    if not (exact_squares == exact_squares.T).all():
        raise ValueError("the matrix of products must be symmetric")
    return exact_totals, exact_squares


def _may_be_best(found: PairedDifferences, arm: int, critical: float) -> bool:
    """Tell whether no arm beats this one by more than `critical` standard errors."""
    behind = found.value[arm] + critical * found.se[arm]
    same = (found.se[arm] == 0.0) & (found.value[arm] == 0.0)
    return bool((same | (behind > 0.0)).all())


def _covariance(
    totals: NDArray[np.object_], squares: NDArray[np.object_], n: int, reference: int
) -> NDArray[np.float64]:
    """Return the covariances, up to one factor, of all arms' differences to a reference arm.

    Differences to a good arm are far smaller than scores; formed exactly, they lose no digits.
    """
    gaps = totals - totals[reference]
    row = squares[reference]
    crossed = squares - row[:, None] - row[None, :] + squares[reference, reference]
    exact = n * crossed - gaps[:, None] * gaps[None, :]
    covariance: NDArray[np.float64] = (exact / (n * n * (n - 1))).astype(np.float64)
    return covariance


def _draws(covariance: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """Return draws of a multivariate t with these covariances, shape (n_arms, DRAWS).

    `RandomState` is the one generator whose stream numpy promises never to change.
    """
    n_arms = len(covariance)
    random = np.random.RandomState(SEED)
    normal = random.standard_normal((n_arms, DRAWS))
    scale = np.sqrt((n - 1) / random.chisquare(n - 1, DRAWS))
    result: NDArray[np.float64] = (_root(covariance) @ normal) * scale
    return result


def _root(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the lower triangular root of a positive semidefinite matrix.

    A row that depends on those before it (equal arms, the reference itself) gets a zero column,
    where the ordinary Cholesky factorisation would fail.
    """
    n_arms = len(covariance)
    root = np.zeros_like(covariance)
    tiny = 1e-13 * np.diagonal(covariance)
    for k in range(n_arms):
        rest = covariance[k:, k] - root[k:, :k] @ root[k, :k]
        if rest[0] > tiny[k]:
            root[k:, k] = rest / math.sqrt(rest[0])
    return root


def _quantile_of_greatest(
    draws: NDArray[np.float64], errors: NDArray[np.float64], n: int, arm: int, level: float
) -> float:
    """Return the quantile of the greatest studentised difference of other arms to this one."""
    others = np.flatnonzero(errors > 0.0)
    if len(others) == 0:
        return _rounded_up(t_quantile(level, n - 1))
    greatest = np.full(draws.shape[1], -np.inf)
    for other in others:
        np.maximum(greatest, (draws[other] - draws[arm]) / errors[other], out=greatest)
    rank = math.ceil(level * len(greatest)) - 1
    return _rounded_up(float(np.partition(greatest, rank)[rank]))


def _rounded_up(critical: float) -> float:
    """Round up to three decimals: another machine's last bit must not show in a result."""
    return math.ceil(1000.0 * critical) / 1000.0
