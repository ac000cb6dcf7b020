"""What rules of thumb lose against optimal play, found from the optimal values by one tally.

With d(s) the chance that decision s comes up under a rule, the rule loses

    sum over s of d(s) * (value of the better choice - value of the rule's choice),

both with optimal play afterwards; that is exact. Rules that play much alike come to the same hands,
so with d of one rule the loss of a similar one is found nearly, without playing it, and the best
thresholds of every form can be read off one tally.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from flip7sim.cards import SEVEN
from flip7sim.exact.layout import Layout

NEVER: Final = 1_000_000
"""A threshold that no line reaches."""
COUNTINGS: Final[tuple[Fraction, ...]] = (
    Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1),
)  # fmt: skip
"""Parts of the plus points that a form may count beside the numbers."""
MOST_CONDITIONS: Final = SEVEN
"""One for each number of cards, and one for a Second Chance."""
_NEGLIGIBLE: Final = 1e-13


@dataclass(frozen=True)
class Form:
    """A stay rule in a few thresholds.

    Attributes
    ----------
    plus_part : Fraction
        Part of the plus points that counts, beside all of the numbers; an x2 changes nothing.
    groups : tuple of tuple of int
        Numbers of number cards that share a threshold, ascending; lines without a number belong to
        the first.
    thresholds : tuple of int
        Stay when the count is this or more, for each group; `NEVER` to hit.
    with_chance : int or None
        The threshold while holding a Second Chance; None if that makes no difference.
    """

    plus_part: Fraction
    groups: tuple[tuple[int, ...], ...]
    thresholds: tuple[int, ...]
    with_chance: int | None

    @property
    def n_conditions(self) -> int:
        """Number of thresholds."""
        return len(self.groups) + (self.with_chance is not None)

    def stays(self, layout: Layout) -> NDArray[np.bool_]:
        """Return where the form stays, shape (n_cells, n_decisions)."""
        by_number = {n: t for g, t in zip(self.groups, self.thresholds, strict=True) for n in g}
        counts, numbers = _counts(layout, self.plus_part), _numbers(layout)
        without = counts >= np.array([by_number[n] for n in range(1, SEVEN)])[numbers - 1]
        held = _held(layout)
        if self.with_chance is None:
            return np.repeat(without[:, None], len(held), axis=1)
        return np.where(held[None, :], (counts >= self.with_chance)[:, None], without[:, None])

    def neighbours(self) -> Iterator[Form]:
        """Yield the forms that differ by one in one threshold; `NEVER` stands alone."""
        for at, threshold in enumerate(self.thresholds):
            if threshold < NEVER:
                for step in (-1, 1):
                    thresholds = list(self.thresholds)
                    thresholds[at] += step
                    yield replace(self, thresholds=tuple(thresholds))
        if self.with_chance is not None and self.with_chance < NEVER:
            for step in (-1, 1):
                yield replace(self, with_chance=self.with_chance + step)

    def summary(self) -> dict[str, Any]:
        """Return everything, ready for JSON, for `from_summary`."""
        return {
            "plus_part": str(self.plus_part),
            "groups": self.groups,
            "thresholds": self.thresholds,
            "with_chance": self.with_chance,
        }

    @classmethod
    def from_summary(cls, summary: dict[str, Any]) -> Form:
        """Return the form that `summary` described."""
        return cls(
            plus_part=Fraction(summary["plus_part"]),
            groups=tuple(tuple(group) for group in summary["groups"]),
            thresholds=tuple(summary["thresholds"]),
            with_chance=summary["with_chance"],
        )


class Losses:
    """The tally of one rule's decisions, from which losses are read.

    Parameters
    ----------
    layout : Layout
        From an empty line.
    hit : ndarray of float64, shape (n_cells, n_decisions)
        Optimal values of hitting.
    visits : ndarray of float64, shape (n_cells, n_decisions)
        Chance that each decision comes up.
    """

    def __init__(
        self, layout: Layout, hit: NDArray[np.float64], visits: NDArray[np.float64]
    ) -> None:
        gained = layout.points[:, None] - hit
        gained *= visits
        held = _held(layout)
        gained[0, ~held] = 0.0  # an empty line must hit
        self._never_staying = float(gained[gained > 0].sum())
        self._layout = layout
        self._chances = bool(held.any())
        self._gained = gained[:, ~held].sum(axis=1), gained[:, held].sum(axis=1)

    def loss(self, form: Form) -> float:
        """Return what a form loses where these decisions come up."""
        stays, held = form.stays(self._layout), _held(self._layout)
        kept = 0.0
        for gained, which in zip(self._gained, (~held, held), strict=True):
            if which.any():
                kept += float(gained[stays[:, which][:, 0]].sum())
        return self._never_staying - kept

    def ranked(self, n_conditions: int) -> list[tuple[float, Form]]:
        """Return the forms with this number of conditions and their losses, the least loss first.

        Each has its best thresholds where these decisions come up, the lowest of equal ones.
        """
        found = []
        for plus_part in self._countings:
            for own in (False, True) if self._chances else (False,):
                for groups in _partitions(n_conditions - own):
                    found.append(self._fitted(plus_part, groups, own))
        return sorted(found, key=lambda item: item[0])

    def _fitted(
        self, plus_part: Fraction, groups: tuple[tuple[int, ...], ...], own: bool
    ) -> tuple[float, Form]:
        without, holding = self._by_threshold[plus_part]
        kept, with_chance = 0.0, None
        if own:
            kept, with_chance = _peak(holding.sum(axis=0))
        else:
            without = without + holding
        peaks = [_peak(without[group[0] - 1 : group[-1]].sum(axis=0)) for group in groups]
        kept += sum(peak for peak, _ in peaks)
        thresholds = tuple(threshold for _, threshold in peaks)
        return self._never_staying - kept, Form(plus_part, groups, thresholds, with_chance)

    @property
    def _countings(self) -> tuple[Fraction, ...]:
        return COUNTINGS if self._layout.plus.any() else COUNTINGS[:1]

    @cached_property
    def _by_threshold(self) -> dict[Fraction, tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """What staying from each count on keeps: arrays (number of cards, threshold), by held."""
        numbers = _numbers(self._layout)
        found = {}
        for plus_part in self._countings:
            counts = np.floor(_counts(self._layout, plus_part)).astype(np.int64)
            width = int(counts.max()) + 1
            place = (numbers - 1) * width + counts
            without, holding = (
                np.bincount(place, gained, (SEVEN - 1) * width)
                .reshape(SEVEN - 1, width)[:, ::-1]
                .cumsum(axis=1)[:, ::-1]
                for gained in self._gained
            )
            found[plus_part] = without, holding
        return found


def _peak(kept: NDArray[np.float64]) -> tuple[float, int]:
    """Return the most that a threshold keeps, and the threshold."""
    at = int(kept.argmax())
    return (float(kept[at]), at) if kept[at] > _NEGLIGIBLE else (0.0, NEVER)


def _partitions(n_groups: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield the ways to cut 1 to 6 number cards into so many groups."""
    if n_groups < 1:
        return
    for cuts in combinations(range(2, SEVEN), n_groups - 1):
        edges = (1, *cuts, SEVEN)
        yield tuple(tuple(range(edges[k], edges[k + 1])) for k in range(n_groups))


def _numbers(layout: Layout) -> NDArray[np.int64]:
    """Return by cell the number of number cards, 1 where there is none."""
    return np.repeat(np.maximum(layout.subset_size, 1), len(layout.plus))


def _counts(layout: Layout, plus_part: Fraction) -> NDArray[np.float64]:
    """Return by cell what a form counts, exact for the parts in `COUNTINGS` at whole numbers."""
    parts = plus_part.denominator * layout.subset_sum[:, None]
    parts = parts + plus_part.numerator * layout.plus[None, :]
    return (parts / plus_part.denominator).ravel()


def _held(layout: Layout) -> NDArray[np.bool_]:
    """Return by decision whether a Second Chance is held."""
    states = [layout.tails.states[index] for index in layout.tails.decisions]
    return np.array([tail is not None and tail.held == 1 for tail in states])
