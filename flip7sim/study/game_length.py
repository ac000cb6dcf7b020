"""How many rounds a game takes: mean, spread and quantiles, with errors over decks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from flip7sim.engine import decks
from flip7sim.estimates import Estimate, Quantile, moments, t_quantile
from flip7sim.estimates.intervals import LEVEL, NAN
from flip7sim.study.clusters import ClusterSums

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
WOODRUFF: Final = "Woodruff's interval, each deck counting as one game"
SPREAD: Final = "standard deviation, delta method over decks, Student's t"


@dataclass(frozen=True, kw_only=True)
class Length:
    """Rounds per finished game.

    Attributes
    ----------
    mean, sd : Estimate
        In rounds.
    quantiles : tuple of Quantile
    """

    mean: Estimate
    sd: Estimate
    quantiles: tuple[Quantile, ...]


def length_of(counts: Any, sums: ClusterSums) -> Length:
    """Return the length of games.

    Parameters
    ----------
    counts : array of int64, shape (n_rounds + 1,)
        Finished games by number of rounds; bin 0 is ignored.
    sums : ClusterSums
        Over decks (`engine.decks`).
    """
    finished = [0, *(int(count) for count in counts[1:])]
    return Length(
        mean=sums.ratio({decks.ROUNDS: 1}, {decks.FINISHED: 1}),
        sd=spread_of(finished, sums),
        quantiles=tuple(quantile_of(finished, p, sums.clusters) for p in QUANTILES),
    )


def spread_of(finished: Sequence[int], sums: ClusterSums) -> Estimate:
    """Return the standard deviation of rounds; its error from the decks' influences on it.

    A deck with n games, r rounds and q squared rounds moves the variance by
    ``(q - 2 m r - (v - m**2) n) / N`` for mean m and variance v, and the deviation by half of that
    over the deviation.
    """
    of = moments(finished)
    clusters = sums.clusters
    if of.n < 2:
        return Estimate(NAN, NAN, clusters, SPREAD)
    variance = of.central[2]
    value = math.sqrt(of.sample_variance)
    if variance == 0.0 or clusters < 2:
        return Estimate(value, 0.0 if clusters > 1 else NAN, clusters, SPREAD)
    # In whole numbers, scaled by N**2: v - m**2 and 2 m are quotients of integers.
    n, total = of.n, of.total
    squares = sum(k * k * count for k, count in enumerate(finished))
    weights = {
        decks.ROUNDS_SQUARED: n * n,
        decks.ROUNDS: -2 * n * total,
        decks.FINISHED: 2 * total * total - n * squares,
    }
    spread = sums.product(weights, weights) / n**4
    se = math.sqrt(clusters / (clusters - 1) * spread) / (2.0 * math.sqrt(variance) * n)
    return Estimate(value, se, clusters, SPREAD, clusters - 1)


def quantile_of(finished: Sequence[int], probability: float, clusters: int) -> Quantile:
    """Return a quantile of rounds with Woodruff's interval.

    The quantiles at both ends of the interval of `probability` itself (R. S. Woodruff, Journal of
    the American Statistical Association 47, 1952), with the error that it would have if each deck
    were a single game: however alike a deck's games are, that is not too small.

    Examples
    --------
    >>> found = quantile_of([0, 10, 20, 10], 0.5, 40)
    >>> found.value, found.low, found.high
    (2, 2, 2)
    """
    n = sum(finished)
    if n == 0:
        return Quantile(probability, NAN, -math.inf, math.inf, 0, LEVEL, WOODRUFF)
    low, high = -math.inf, math.inf
    if clusters > 1:
        half = t_quantile(0.5 + 0.5 * LEVEL, clusters - 1) * math.sqrt(
            probability * (1.0 - probability) / clusters
        )
        if probability - half > 0.0:
            low = _at(finished, math.floor((probability - half) * n))
        if probability + half < 1.0:
            high = _at(finished, math.ceil((probability + half) * n))
    value = _at(finished, math.ceil(round(probability * n, 6)))
    return Quantile(probability, value, low, high, n, LEVEL, WOODRUFF)


def _at(finished: Sequence[int], rank: int) -> int:
    """Return the rounds of the game of this rank, from 1, by length."""
    below = 0
    for k, count in enumerate(finished):
        below += count
        if count and below >= max(rank, 1):
            return k
    return len(finished) - 1
