"""Shares and means of what comes in clusters: the games of a deck, the choices of a round.

A cluster gives a sum x (wins, say) and a size y (games). The ratio of all x to all y has the error
of a ratio estimate: with K clusters and the ratio p its variance is
``K / (K - 1) * sum((x - p y)**2) / sum(y)**2`` (W. G. Cochran, Sampling Techniques, 3rd edition,
section 6.4). Everything comes from integer sums of products over the clusters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from flip7sim.estimates import Estimate, Proportion, normal_quantile, t_quantile
from flip7sim.estimates.intervals import LEVEL, NAN, wilson_at

CLUSTERED: Final = "ratio over clusters, Student's t"
WILSON: Final = "Wilson's score interval at the sample's effective size, from errors over clusters"

Weights = Mapping[int, int]
"""A sum of a cluster's sums: weight by index."""


@dataclass(frozen=True, slots=True)
class Share(Proportion):
    """A share with an error over clusters, and Wilson's interval at the effective size.

    The effective size is the number of independent observations that would have the same error
    (E. L. Korn and B. I. Graubard, Survey Methodology 24, 1998). Where all clusters agree, the
    interval is the point, but for shares of 0 and 1, where each cluster counts as one observation.

    Parameters
    ----------
    clusters : int
    """

    clusters: int = 0

    def errors_from(self, exact: float) -> float:
        """Return the distance from an exact probability in standard errors."""
        gap = self.value - exact
        if self.se == 0.0:
            return 0.0 if gap == 0.0 else math.copysign(math.inf, gap)
        return gap / self.se


@dataclass(frozen=True)
class ClusterSums:
    """Products of the clusters' sums, added up over the clusters.

    Parameters
    ----------
    matrix : array of Python integers, shape (n_sums, n_sums)
        Symmetric; sum 0 is 1 in every cluster, so that row 0 holds the sums themselves.
    """

    matrix: Any

    @property
    def clusters(self) -> int:
        """How many there are."""
        return int(self.matrix[0, 0])

    def total(self, weights: Weights) -> int:
        """Return the sum over all clusters."""
        return sum(weight * int(self.matrix[0, i]) for i, weight in weights.items())

    def product(self, first: Weights, second: Weights) -> int:
        """Return the sum over the clusters of the product of two sums."""
        return sum(
            a * b * int(self.matrix[i, j]) for i, a in first.items() for j, b in second.items()
        )

    def ratio(self, x: Weights, y: Weights, *, scale: int = 1, level: float = LEVEL) -> Estimate:
        """Return the ratio of two sums, ``x / (scale * y)``, with its error over clusters.

        Examples
        --------
        >>> import numpy as np
        >>> decks = np.array([[1, 4, 2], [1, 4, 1], [1, 4, 0]], object)  # deck, games, wins
        >>> share = ClusterSums(decks.T @ decks).ratio({2: 1}, {1: 1})
        >>> share.value, round(share.se, 4), share.degrees
        (0.25, 0.1443, 2)
        """
        return ratio(
            self.total(x), self.total(y), self.product(x, x), self.product(x, y),
            self.product(y, y), self.clusters, scale=scale, level=level,
        )  # fmt: skip

    def share(self, x: Weights, y: Weights, *, scale: int = 1, level: float = LEVEL) -> Share:
        """Return the same ratio as a share between 0 and 1, with Wilson's interval."""
        return as_share(self.ratio(x, y, scale=scale, level=level), self.total(y), self.clusters)


def ratio(
    x: int, y: int, xx: int, xy: int, yy: int, clusters: int, *, scale: int = 1,
    level: float = LEVEL,
) -> Estimate:  # fmt: skip
    """Return ``x / (scale * y)`` from sums over clusters of x, y and their products.

    Examples
    --------
    >>> ratio(3, 12, 5, 12, 48, 3).value
    0.25
    """
    degrees = clusters - 1 if clusters > 1 else None
    if y == 0:
        return Estimate(NAN, NAN, clusters, CLUSTERED, level=level)
    value, se = x / (y * scale), NAN
    if clusters > 1:
        spread = y * y * xx - 2 * x * y * xy + x * x * yy
        if spread < 0:
            raise ValueError("no clusters have these sums and products")
        # The quotient of exact integers comes first: neither need fit a float.
        se = math.sqrt(clusters * spread / ((clusters - 1) * y**4 * scale**2))
    return Estimate(value, se, clusters, CLUSTERED, degrees, level)


def as_share(estimate: Estimate, n: int, clusters: int) -> Share:
    """Return a ratio that is a share, with Wilson's interval at its effective size.

    Parameters
    ----------
    estimate : Estimate
    n : int
        Games, or choices, behind it.
    clusters : int
    """
    value, se, level = estimate.value, estimate.se, estimate.level
    low, high = 0.0, 1.0
    if not math.isnan(value):
        spread = value * (1.0 - value)
        if se > 0.0:
            low, high = _wilson(value, spread / (se * se), clusters, level)
        elif spread > 0.0 and se == 0.0:
            low = high = value
        else:
            low, high = _wilson(value, clusters, clusters, level)
    return Share(
        value=value, se=se, low=low, high=high, n=n, count=round(value * n) if n else 0,
        level=level, method=WILSON, clusters=clusters,
    )  # fmt: skip


def _wilson(share: float, size: float, clusters: int, level: float) -> tuple[float, float]:
    """Return Wilson's interval with Student's t in place of the normal: errors are estimated."""
    upper = 0.5 + 0.5 * level
    z = t_quantile(upper, clusters - 1) if clusters > 1 else normal_quantile(upper)
    return wilson_at(share, size, z)
