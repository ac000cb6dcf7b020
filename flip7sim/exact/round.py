"""The base-game solitaire round solved: the stay rule with the highest expected score.

One round from a full deck, drawn without replacement, by rules.md to the letter: every Freeze and
Flip Three falls on the player. The solution is exact up to rounding (about 1e-12) and kept on disk.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from flip7sim.cards import CARD_NAMES
from flip7sim.exact import packed, store
from flip7sim.exact.layout import Layout, build_layout
from flip7sim.exact.outcome import Outcome
from flip7sim.rules import RULES_VERSION, Rules


@dataclass(frozen=True, eq=False)
class SolvedRound:
    """A solved round of either game.

    Attributes
    ----------
    rules : Rules
    outcome : Outcome
        How the round ends under the optimal policy.
    n_states : int
        Decision states for which there is a value.
    elapsed_s : float
        Seconds that the solution took when it was computed.
    from_cache : bool
    words : ndarray of int64
        The packed solution; memory-mapped if it came from the cache.
    """

    rules: Rules
    outcome: Outcome
    n_states: int
    elapsed_s: float
    from_cache: bool
    words: NDArray[np.int64]

    @property
    def value(self) -> float:
        """Expected score of the round under optimal play."""
        return self.outcome.mean

    def report(self) -> dict[str, Any]:
        """Return the figures ready for JSON."""
        return {
            "game": self.rules.game,
            "deck": self.rules.deck_name,
            "options": self.rules.options(),
            "rules_version": RULES_VERSION,
            "solver_version": store.SOLVER_VERSION,
            "policy": "optimal:round",
            **self.outcome.report(),
            "n_states": self.n_states,
            "elapsed_s": self.elapsed_s,
            "from_cache": self.from_cache,
        }

    def save(self, key: dict[str, Any]) -> None:
        """Write the solution to the cache folder under this key."""
        summary = {
            "outcome": self.outcome.summary(),
            "n_states": self.n_states,
            "elapsed_s": self.elapsed_s,
        }
        store.save(key, summary, self.words)

    @classmethod
    def load(cls, rules: Rules, key: dict[str, Any]) -> Self | None:
        """Return the solution that `save` wrote under this key, None if there is none."""
        found = store.load(key)
        if found is None:
            return None
        summary, words = found
        return cls(
            rules=rules,
            outcome=Outcome.from_summary(summary["outcome"]),
            n_states=int(summary["n_states"]),
            elapsed_s=float(summary["elapsed_s"]),
            from_cache=True,
            words=words,
        )


@dataclass(frozen=True, eq=False)
class Solution(SolvedRound):
    """A solved base-game round; `words` are those of `packed`."""

    @property
    def hit(self) -> NDArray[np.float64]:
        """Value of hitting, shape (n_cells, n_decisions); optimal play afterwards."""
        return packed.values(self.words)

    def report(self) -> dict[str, Any]:
        """Return the figures ready for JSON."""
        return {**super().report(), "n_reached": self.outcome.n_reached}


def rules_key(rules: Rules) -> dict[str, Any]:
    """Return what of the rules a lone player's round depends on, ready for JSON."""
    key: dict[str, Any] = {
        "game": rules.game,
        "rules_version": RULES_VERSION,
        "counts": {
            CARD_NAMES[kind]: int(count) for kind, count in enumerate(rules.counts) if count
        },
        "flip7_bonus": rules.flip7_bonus,
        "inert": list(rules.inert),
    }
    if rules.game == "vengeance":
        key |= {
            "specials": rules.specials,
            "lucky13_pair_counts": rules.lucky13_pair_counts if rules.specials else 2,
        }
    return key


def points(layout: Layout) -> NDArray[np.float64]:
    """Return the reward of a player who wants points: each score is worth itself."""
    return np.arange(layout.n_scores, dtype=np.float64)


def solve(
    rules: Rules,
    *,
    threads: int | None = None,
    cached: bool = True,
    progress: Callable[[float], None] | None = None,
) -> Solution:
    """Solve the base-game solitaire round.

    Parameters
    ----------
    rules : Rules
        Of the base game. Any deck whose cards cannot run out within the round; options that matter
        to a lone round are `deck`, `flip7_bonus` and `inert`.
    threads : int, optional
        All cores by default. The result does not depend on it.
    cached : bool
        Read the solution from the cache folder, and write it there (`store.cache_folder`).
    progress : callable, optional
        Told the finished share of the backward sweep, which is about half of the work.

    Returns
    -------
    Solution

    Raises
    ------
    InputError
        If the game is not base, the deck could run out, or there are too many states.

    Examples
    --------
    >>> solution = solve(Rules(deck="numbers"), cached=False)
    >>> f"{solution.value:.10f}", solution.n_states
    ('18.5652176141', 4096)
    """
    layout = build_layout(rules)
    key = {"what": "round", **rules_key(rules)}
    if cached and (found := Solution.load(rules, key)) is not None:
        return found
    from flip7sim.exact import sweep  # compiled code, which a cached solution does not need

    start = time.perf_counter()
    with sweep.workers(threads) as pool:
        found_values = sweep.solve_backward(layout, points(layout), pool, progress=progress)
        outcome = sweep.carry_forward(layout, pool, found_values.stays)
    words = packed.pack(layout, found_values.hit)
    solution = Solution(
        rules=rules,
        outcome=outcome,
        n_states=layout.n_states,
        elapsed_s=time.perf_counter() - start,
        from_cache=False,
        words=words,
    )
    if cached:
        solution.save(key)
    return solution
