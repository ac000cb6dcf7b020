"""The best parameter of a family of stay policies, by exact evaluation in the solitaire round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from flip7sim.errors import InputError
from flip7sim.exact.outcome import Outcome
from flip7sim.policies import as_player
from flip7sim.rules import Rules
from flip7sim.study.exactly.exact_answers import evaluate
from flip7sim.study.values import parameter_values


class Family(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """A policy in one varying number.

    Attributes
    ----------
    policy : str
        A player with ``{}`` in the number's place, such as ``"score:{}"``.
    start, to, step : float
        The numbers tried; `start` is called ``from`` in files.
    """

    policy: str
    start: float = msgspec.field(name="from")
    to: float
    step: float

    def spec(self, value: float) -> str:
        """Return the player at one value.

        Examples
        --------
        >>> Family(policy="score:{}", start=20, to=22, step=1).spec(21.0)
        'score:21'
        """
        return self.policy.replace("{}", f"{value:g}")

    def values(self) -> list[float]:
        """Return the numbers tried, ascending."""
        return list(parameter_values(self.start, self.to, self.step))

    def check(self, rules: Rules) -> None:
        """Refuse what is no family of players whom a deck's round can be evaluated for exactly.

        Parameters
        ----------
        rules : Rules
            Of a deck that can be solved exactly.

        Raises
        ------
        InputError
        """
        from flip7sim.study.exactly.player_terms import check_player

        if self.policy.count("{}") != 1:
            raise InputError(
                f"a family's policy has one {{}} in its number's place, unlike {self.policy!r}"
            )
        for value in self.values():
            check_player(as_player(self.spec(value)), rules)


@dataclass(frozen=True)
class Scanned:
    """A family on one deck.

    Attributes
    ----------
    family : Family
    outcomes : dict of float to Outcome
        By value, ascending: all values, or those that a search looked at.
    """

    family: Family
    outcomes: dict[float, Outcome]

    @property
    def best(self) -> float:
        """The first value with the highest mean."""
        return max(self.outcomes, key=lambda value: self.outcomes[value].mean)


def scan_family(
    rules: Rules,
    family: Family,
    *,
    near: float | None = None,
    every: int = 1,
    threads: int | None = None,
    told: Callable[[], None] = lambda: None,
) -> Scanned:
    """Evaluate a family at all its values, or search for its best one.

    Parameters
    ----------
    rules : Rules
    family : Family
    near : float, optional
        Search instead of trying all values: climb from here, value by value, until both neighbours
        are no better.
    every : int
        With `near`, look first at every so-manieth value; at none if 0.
    threads : int, optional
    told : callable, optional
        Called after each evaluation.

    Returns
    -------
    Scanned

    Examples
    --------
    >>> family = Family(policy="score:{}", start=15, to=30, step=1)
    >>> found = scan_family(Rules(deck="numbers"), family, near=20, every=0)
    >>> found.best, list(found.outcomes)
    (23, [19, 20, 21, 22, 23, 24])
    """
    values = family.values()
    outcomes: dict[int, Outcome] = {}

    def mean(at: int) -> float:
        if at not in outcomes:
            outcomes[at] = evaluate(family.spec(values[at]), rules=rules, threads=threads)
            told()
        return outcomes[at].mean

    for at in _first_looks(len(values), near, every):
        mean(at)
    if near is not None:
        start = min(range(len(values)), key=lambda at: abs(values[at] - near))
        mean(start)
        best = max(outcomes, key=mean)
        while True:
            around = [at for at in (best - 1, best, best + 1) if 0 <= at < len(values)]
            better = max(around, key=mean)
            if mean(better) <= mean(best):
                break
            best = better
    return Scanned(family, {values[at]: outcomes[at] for at in sorted(outcomes)})


def _first_looks(n_values: int, near: float | None, every: int) -> Sequence[int]:
    if near is None:
        return range(n_values)
    return range(0, n_values, every) if every else ()
