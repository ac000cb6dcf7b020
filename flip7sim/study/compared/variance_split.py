"""How much of the variance is all or nothing: rounds that score 0 against the others."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from flip7sim.estimates import Estimate

METHOD: Final = "share of the variance, delta method, normal"


def all_or_nothing(counts: Any, low: int = 0) -> Estimate:
    """Return the share of the variance that lies between rounds of 0 points and the others.

    By the law of total variance: with p the share of rounds that score 0 and m the mean score, the
    variance between the two kinds of round is ``p m**2 / (1 - p)``; the rest is the variance among
    the rounds that score. The error is the delta method's, from each round's influence.

    Parameters
    ----------
    counts : array of int64, shape (n_scores,)
        Rounds by score, from `low` on.
    low : int

    Returns
    -------
    Estimate
        From 0 to 1; nan without spread.

    Examples
    --------
    >>> all_or_nothing([2, 0, 2]).value  # 0 or 2 points, nothing else
    1.0
    >>> round(all_or_nothing([1, 0, 1, 0, 1, 0, 1]).value, 3)  # 0, 2, 4, 6: between 3, among 2
    0.6
    """
    rounds = np.asarray(counts, np.float64)
    n = int(rounds.sum())
    if n == 0:
        return Estimate(math.nan, math.nan, n, METHOD)
    scores = low + np.arange(len(rounds), dtype=np.float64)
    mean = _total(rounds * scores) / n
    variance = _total(rounds * (scores - mean) ** 2) / n
    nothing = float(rounds[scores == 0].sum()) / n
    if variance == 0.0 or nothing == 1.0:
        return Estimate(math.nan, math.nan, n, METHOD)
    between = nothing * mean**2 / (1.0 - nothing)
    by_nothing = mean**2 / (1.0 - nothing) ** 2 * ((scores == 0) - nothing)
    by_mean = 2.0 * nothing * mean / (1.0 - nothing) * (scores - mean)
    by_variance = between / variance * ((scores - mean) ** 2 - variance)
    influence = (by_nothing + by_mean - by_variance) / variance
    se = math.sqrt(_total(rounds * influence**2)) / n if n > 1 else math.nan
    return Estimate(between / variance, se, n, METHOD)


def _total(terms: Any) -> float:
    """Return a sum that is rounded once: numpy's depends on the machine in its last bits."""
    return math.fsum(terms.tolist())
