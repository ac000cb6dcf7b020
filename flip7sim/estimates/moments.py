"""Histograms of integer scores: mean, spread, shape and quantiles.

All sums are exact Python integers; floats come in only with the last division. So estimates do not
depend on the order in which blocks of rounds were merged.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any, Final

from flip7sim.estimates.intervals import (
    LEVEL,
    NAN,
    Estimate,
    Proportion,
    check_level,
    json_number,
    proportion,
)

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
"""The quantiles of a summary."""


@dataclass(frozen=True, slots=True)
class Moments:
    """The moments of a histogram, correctly rounded from exact sums.

    Parameters
    ----------
    n : int
        Rounds.
    total : int
        Sum of the scores.
    scores, counts : tuple of int
        The scores that occur, ascending, and how often each does.
    central : tuple of float
        ``central[k]`` is the k-th central moment, ``sum((x - mean)**k) / n``, k = 0 … 4, in
        points to the k-th power; all nan when there are no rounds.
    """

    n: int
    total: int
    scores: tuple[int, ...]
    counts: tuple[int, ...]
    central: tuple[float, ...]

    def mean(self, level: float = LEVEL) -> Estimate:
        """Return the mean score in points, with Student's t interval."""
        value = self.total / self.n if self.n else NAN
        se = math.sqrt(self.sample_variance / self.n) if self.n > 1 else NAN
        method, degrees = "mean of rounds, Student's t", self.n - 1 if self.n > 1 else None
        return Estimate(value, se, self.n, method, degrees, check_level(level))

    @property
    def sample_variance(self) -> float:
        """The unbiased variance (divisor n - 1), points squared; nan for fewer than two rounds."""
        return self.central[2] * (self.n / (self.n - 1)) if self.n > 1 else NAN

    def variance(self, level: float = LEVEL) -> Estimate:
        """Return the unbiased variance in points squared.

        Its own variance is ``(m4 - s**4 (n - 3) / (n - 1)) / n`` for any distribution; the fourth
        central moment m4 and s are those of the sample, the interval is normal.
        """
        n, variance = self.n, self.sample_variance
        method = "variance, error from the fourth central moment, normal"
        if n < 2:
            return Estimate(NAN, NAN, n, method, level=check_level(level))
        spread = (self.central[4] - variance * variance * (n - 3) / (n - 1)) / n
        return Estimate(variance, math.sqrt(max(spread, 0.0)), n, method, level=check_level(level))

    def sd(self, level: float = LEVEL) -> Estimate:
        """Return the standard deviation in points, error by the delta method from `variance`."""
        variance = self.variance(level)
        value = math.sqrt(variance.value) if self.n > 1 else NAN
        # A sample without spread has no error to propagate: 0 / 0 would be its formula.
        se = variance.se / (2.0 * value) if value > 0.0 else variance.se
        return Estimate(
            value, se, self.n, "standard deviation, delta method, normal", level=variance.level
        )

    def skewness(self, level: float = LEVEL) -> Estimate:
        """Return the skewness ``m3 / m2**1.5``, a pure number.

        The standard error is the delta method's, as the root mean square of the influence
        ``z**3 - 3 z - g - 1.5 g (z**2 - 1)`` of a round with standardised score z, g being the
        skewness, over the square root of n. Undefined (nan) without spread; the error is unknown
        below three rounds.
        """
        method = "skewness, delta method, normal"
        second = self.central[2]
        if not second > 0.0:
            return Estimate(NAN, NAN, self.n, method, level=check_level(level))
        g = self.central[3] / second**1.5
        influences = [z**3 - 3.0 * z - g - 1.5 * g * (z * z - 1.0) for z in self._standardised()]
        se = self._influence_error(influences) if self.n > 2 else NAN
        return Estimate(g, se, self.n, method, level=check_level(level))

    def variation(self, level: float = LEVEL) -> Estimate:
        """Return the coefficient of variation, standard deviation over mean, a pure number.

        The error is the delta method's, from the influence ``c ((z**2 - 1) / 2 - c z)`` of a round
        with standardised score z, c being the coefficient. Undefined (nan) unless the mean is
        positive, as a ratio to a mean around zero says nothing.
        """
        method = "coefficient of variation, delta method, normal"
        if self.n < 2 or self.total <= 0:
            return Estimate(NAN, NAN, self.n, method, level=check_level(level))
        value = math.sqrt(self.sample_variance) / (self.total / self.n)
        influences = [value * ((z * z - 1.0) / 2.0 - value * z) for z in self._standardised()]
        se = self._influence_error(influences) if value > 0.0 else 0.0
        return Estimate(value, se, self.n, method, level=check_level(level))

    def share_at(self, score: int, level: float = LEVEL) -> Proportion:
        """Return the share of rounds with this very score."""
        place = bisect_left(self.scores, score)
        found = place < len(self.scores) and self.scores[place] == score
        return proportion(self.counts[place] if found else 0, self.n, level)

    def _standardised(self) -> list[float]:
        """Return ``(x - mean) / sd`` for every score that occurs."""
        scale = self.n * math.sqrt(self.central[2])
        if scale == 0.0:
            return [0.0 for _ in self.scores]
        return [(self.n * score - self.total) / scale for score in self.scores]

    def _influence_error(self, influences: Sequence[float]) -> float:
        squares = (c * value * value for c, value in zip(self.counts, influences, strict=True))
        return math.sqrt(math.fsum(squares)) / self.n


def moments(counts: Any, low: int = 0) -> Moments:
    """Return the moments of a histogram.

    Parameters
    ----------
    counts : array of int64, shape (n_scores,)
        ``counts[i]`` rounds had the score ``low + i``.
    low : int
        Lowest score, in points.

    Returns
    -------
    Moments

    Raises
    ------
    ValueError
        If the counts are not a row of whole numbers of at least 0.

    Examples
    --------
    >>> four_rounds = moments([1, 0, 2, 1])
    >>> four_rounds.mean().value, four_rounds.variance().value
    (1.75, 1.5833333333333333)
    """
    shown = [(low + place, _whole(count)) for place, count in enumerate(_row(counts)) if count]
    scores = tuple(score for score, _ in shown)
    numbers = tuple(count for _, count in shown)
    n = sum(numbers)
    total = sum(score * count for score, count in shown)
    if n == 0:
        return Moments(0, 0, (), (), (NAN,) * 5)
    deviations = [n * score - total for score in scores]  # n times each, so that they are integers
    central = tuple(
        sum(count * gap**k for count, gap in zip(numbers, deviations, strict=True)) / n ** (k + 1)
        for k in range(5)
    )
    return Moments(n, total, scores, numbers, central)


@dataclass(frozen=True, slots=True)
class Quantile:
    """A quantile of the scores, with an interval of order statistics.

    Parameters
    ----------
    probability : float
    value : float
        The smallest score that at least this share of rounds does not exceed; nan without rounds.
    low, high : float
        Scores between which the true quantile lies with at least the confidence `level`, whatever
        the distribution; infinite where there are too few rounds to bound that side.
    n : int
    level : float
    """

    probability: float
    value: float
    low: float
    high: float
    n: int
    level: float = LEVEL
    method: str = "order statistics, binomial"

    def to_json(self) -> dict[str, float | None]:
        """Return value and interval for JSON; what is unknown or unbounded is None."""
        return {name: json_number(getattr(self, name)) for name in ("value", "low", "high")}


def quantile(of: Moments, probability: float, level: float = LEVEL) -> Quantile:
    """Return a quantile of the scores.

    The interval goes from the l-th to the u-th smallest score, with l and u such that a binomial
    count with chance `probability` falls below l, or reaches u, in at most ``(1 - level) / 2`` of
    all samples each. (H. A. David and H. N. Nagaraja, Order Statistics, 3rd edition, section 7.1.)

    Parameters
    ----------
    of : Moments
    probability : float
        Strictly between 0 and 1.
    level : float

    Raises
    ------
    ValueError
        If the probability is not strictly between 0 and 1.

    Examples
    --------
    >>> quantile(moments([10] * 10), 0.5)  # doctest: +ELLIPSIS
    Quantile(probability=0.5, value=4, low=3, high=6, n=100, ...)
    """
    if not 0.0 < probability < 1.0:
        raise ValueError(f"a quantile's probability must lie between 0 and 1, not {probability!r}")
    n = of.n
    if n == 0:
        return Quantile(probability, NAN, -math.inf, math.inf, 0, check_level(level))
    from scipy.special import betainc

    def not_above(k: int) -> float:
        """P(a binomial count is at most k)."""
        return 1.0 if k >= n else float(betainc(n - k, k + 1.0, 1.0 - probability))

    tail = 0.5 * (1.0 - check_level(level))
    lower = bisect_right(range(n + 1), tail, key=not_above)
    upper = bisect_left(range(n + 1), 1.0 - tail, key=not_above) + 1
    # The decimal that was written is meant, not its nearest binary fraction: 0.1 of 30 is 3.
    rank = max(1, math.ceil(Fraction(repr(float(probability))) * n))
    cumulative = list(accumulate(of.counts))

    def ranked(k: int) -> int:
        return of.scores[bisect_left(cumulative, k)]

    return Quantile(
        probability,
        ranked(rank),
        ranked(lower) if lower >= 1 else -math.inf,
        ranked(upper) if upper <= n else math.inf,
        n,
        level,
    )


@dataclass(frozen=True, slots=True)
class Summary:
    """Everything that a histogram of scores says, each figure with its error."""

    mean: Estimate
    sd: Estimate
    variance: Estimate
    skewness: Estimate
    variation: Estimate
    zero: Proportion
    quantiles: tuple[Quantile, ...]


def summarise(
    counts: Any, low: int = 0, *, quantiles: Sequence[float] = QUANTILES, level: float = LEVEL
) -> Summary:
    """Return mean, spread, shape, share at zero and quantiles of a histogram.

    Parameters
    ----------
    counts : array of int64, shape (n_scores,)
    low : int
        Score of ``counts[0]``, in points.
    quantiles : sequence of float
        Probabilities of the quantiles wanted.
    level : float
        Confidence level of every interval.

    Examples
    --------
    >>> summary = summarise([3, 0, 0, 1], low=0)
    >>> summary.mean.value, summary.zero.value, summary.quantiles[2].value
    (0.75, 0.75, 0)
    """
    of = moments(counts, low)
    return Summary(
        mean=of.mean(level),
        sd=of.sd(level),
        variance=of.variance(level),
        skewness=of.skewness(level),
        variation=of.variation(level),
        zero=of.share_at(0, level),
        quantiles=tuple(quantile(of, probability, level) for probability in quantiles),
    )


def _row(counts: Any) -> list[Any]:
    """Return the counts as a list; `tolist` turns numpy's integers into Python's at once."""
    row = counts.tolist() if hasattr(counts, "tolist") else list(counts)
    if not isinstance(row, list) or any(isinstance(item, list) for item in row):
        raise ValueError("a histogram is a single row of counts")
    return row


def _whole(count: Any) -> int:
    if isinstance(count, bool) or int(count) != count or count < 0:
        raise ValueError(f"a histogram holds whole numbers of at least 0, not {count!r}")
    return int(count)
