"""What each of several factors adds, when they can be added in any order: a two-level factorial.

Given an independent estimate for every combination of factors, every figure here is a weighted sum
of them, so its standard error is exact: the root of the sum of squared weights and errors.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from flip7sim.estimates import Estimate

WEIGHTED: Final = "weighted sum of independent samples, normal"

Cell = frozenset[str]
Weights = dict[Cell, float]


@dataclass(frozen=True, kw_only=True)
class Contribution:
    """What one factor adds.

    Attributes
    ----------
    factor : str
    in_order : Estimate
        When the factors are added in the stated order.
    first, last : Estimate
        When it is added to nothing, and when it is added to all the others.
    average : Estimate
        The mean over all orders (the Shapley value); over the factors these add up to the whole.
    main : Estimate
        The mean over all combinations of the others (the main effect of the factorial).
    """

    factor: str
    in_order: Estimate
    first: Estimate
    last: Estimate
    average: Estimate
    main: Estimate


@dataclass(frozen=True, kw_only=True)
class Interaction:
    """How much more one factor adds where another is on.

    Attributes
    ----------
    factors : tuple of str
    effect : Estimate
        The mean over all combinations of the other factors.
    """

    factors: tuple[str, str]
    effect: Estimate


class Factorial:
    """Estimates of all combinations of some factors.

    Parameters
    ----------
    keys : sequence of str
        The factors, in the stated order.
    cells : mapping of frozenset of str to Estimate
        From independent samples, one for each of the ``2**len(keys)`` sets of factors that are on.

    Raises
    ------
    ValueError
        If a combination is missing.

    Examples
    --------
    >>> at = {"": 10.0, "a": 13.0, "b": 12.0, "ab": 19.0}
    >>> cells = {frozenset(on): Estimate(value, 0.5, 100, "") for on, value in at.items()}
    >>> both = Factorial("ab", cells)
    >>> a = both.contribution("a")
    >>> a.first.value, a.last.value, a.average.value, a.average.se
    (3.0, 7.0, 5.0, 0.5)
    >>> both.interaction("a", "b").effect.value, both.whole().value
    (4.0, 9.0)
    """

    def __init__(self, keys: Sequence[str], cells: Mapping[Cell, Estimate]) -> None:
        self.keys = tuple(keys)
        self.cells = dict(cells)
        wanted = {frozenset(on) for n in range(len(keys) + 1) for on in combinations(keys, n)}
        if set(self.cells) != wanted:
            raise ValueError("a factorial needs every combination of its factors")

    def weighted(self, weights: Weights) -> Estimate:
        """Return a weighted sum of the combinations with its error."""
        value = math.fsum(weight * self.cells[on].value for on, weight in weights.items())
        se = math.hypot(*(weight * self.cells[on].se for on, weight in weights.items()))
        n = min(self.cells[on].n for on in weights)
        return Estimate(value, se, n, WEIGHTED)

    def whole(self) -> Estimate:
        """Return all factors on, less all off."""
        return self.weighted({frozenset(self.keys): 1.0, frozenset(): -1.0})

    def contribution(self, key: str) -> Contribution:
        """Return what a factor adds."""
        before = frozenset(self.keys[: self.keys.index(key)])
        others = frozenset(self.keys) - {key}
        n, half = len(self.keys), 0.5 ** len(others)
        average: Weights = {}
        main: Weights = {}
        for on in _subsets(others):
            # The share of orders in which exactly these stand before the factor.
            share = 1.0 / (n * math.comb(n - 1, len(on)))
            average |= {on | {key}: share, on: -share}
            main |= {on | {key}: half, on: -half}
        return Contribution(
            factor=key,
            in_order=self._added(key, before),
            first=self._added(key, frozenset()),
            last=self._added(key, others),
            average=self.weighted(average),
            main=self.weighted(main),
        )

    def contributions(self) -> tuple[Contribution, ...]:
        """Return what every factor adds, in the stated order."""
        return tuple(self.contribution(key) for key in self.keys)

    def interaction(self, first: str, second: str) -> Interaction:
        """Return how much more a factor adds where the other is on; the same either way round."""
        others = frozenset(self.keys) - {first, second}
        share = 0.5 ** len(others)
        weights: Weights = {}
        for on in _subsets(others):
            weights |= {
                on | {first, second}: share, on | {first}: -share,
                on | {second}: -share, on: share,
            }  # fmt: skip
        return Interaction(factors=(first, second), effect=self.weighted(weights))

    def interactions(self) -> tuple[Interaction, ...]:
        """Return the interactions of all pairs, in the stated order."""
        return tuple(self.interaction(a, b) for a, b in combinations(self.keys, 2))

    def _added(self, key: str, to: Cell) -> Estimate:
        return self.weighted({to | {key}: 1.0, to: -1.0})


def _subsets(keys: Cell) -> list[Cell]:
    names = sorted(keys)
    return [frozenset(on) for n in range(len(names) + 1) for on in combinations(names, n)]
