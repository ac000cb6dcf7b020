"""The Vengeance solitaire round solved, as far as the states go (rules.md section 5).

A lone player gives every modifier to the own line and must flip for every Just One More; Steal and
Swap find no legal choice and are discarded. What is left to decide is hit or stay.

Exact: decks of number cards, the three special ones included; with modifiers, at most one of a
kind; with Steal, Swap and Just One More; inert cards; all rule options. Left out are Flip Four and
Discard: cards that were set aside or taken out of the line would have to be remembered. A deck that
holds them is refused; name them inert, or leave them out of the deck.

``unlucky7`` discards a line, whose cards then lack in the deck. So the round after it is solved for
every line that it may have discarded, except for lines on which a player surely stays: those found
by first solving the round with an upper bound in the place of what follows.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flip7sim.exact import store
from flip7sim.exact.round import rules_key
from flip7sim.exact.vengeance_layout import build_lattices
from flip7sim.rules import RULES_VERSION, Rules


@dataclass(frozen=True, eq=False)
class VengeanceSolution:
    """A solved Vengeance round.

    Attributes
    ----------
    rules : Rules
    histogram : dict of int to float
        Chance of each score; busts are in the 0.
    bust, flip7 : float
    n_states : int
        States that were solved, those after `unlucky7` counted for each line that it may discard.
    elapsed_s : float
    from_cache : bool
    words : ndarray of int64
        The playable part (`vengeance_words`); empty for decks with modifiers or actions.
    """

    rules: Rules
    histogram: dict[int, float]
    bust: float
    flip7: float
    n_states: int
    elapsed_s: float
    from_cache: bool
    words: NDArray[np.int64]

    @property
    def value(self) -> float:
        """Expected score under optimal play."""
        return sum(score * chance for score, chance in self.histogram.items())

    @property
    def sd(self) -> float:
        """Standard deviation of the score."""
        mean = self.value
        return float(
            sum((score - mean) ** 2 * chance for score, chance in self.histogram.items()) ** 0.5
        )

    def report(self) -> dict[str, Any]:
        """Return the figures ready for JSON."""
        return {
            "game": self.rules.game,
            "deck": self.rules.deck_name,
            "options": self.rules.options(),
            "rules_version": RULES_VERSION,
            "solver_version": store.SOLVER_VERSION,
            "policy": "optimal:round",
            "mean": self.value,
            "sd": self.sd,
            "bust": self.bust,
            "flip7": self.flip7,
            "histogram": {str(score): chance for score, chance in self.histogram.items()},
            "n_states": self.n_states,
            "elapsed_s": self.elapsed_s,
            "from_cache": self.from_cache,
        }


def vengeance_key(rules: Rules) -> dict[str, Any]:
    """Return what a Vengeance solution depends on, ready for JSON."""
    return {"what": "vengeance", "brutal": rules.brutal, **rules_key(rules)}


def solve_vengeance(
    rules: Rules,
    *,
    threads: int | None = None,
    cached: bool = True,
    progress: Callable[[float], None] | None = None,
) -> VengeanceSolution:
    """Solve the Vengeance solitaire round.

    Parameters
    ----------
    rules : Rules
        With a deck that is solved exactly: see the module. Options that matter to a lone round are
        `deck`, `specials`, `lucky13_pair_counts`, `flip7_bonus`, `brutal` and `inert`.
    threads : int, optional
        All cores by default. The result does not depend on it.
    cached : bool
        Read the solution from the cache folder, and write it there.
    progress : callable, optional
        Told the finished share of the work.

    Returns
    -------
    VengeanceSolution

    Raises
    ------
    InputError
        If the deck cannot be solved exactly.
    """
    lattices = build_lattices(rules)
    key = vengeance_key(rules)
    if cached and (found := store.load(key)) is not None:
        summary, words = found
        return VengeanceSolution(
            rules=rules,
            histogram={int(score): chance for score, chance in summary["histogram"].items()},
            bust=summary["bust"],
            flip7=summary["flip7"],
            n_states=summary["n_states"],
            elapsed_s=summary["elapsed_s"],
            from_cache=True,
            words=words[: summary["n_words"]],
        )
    from flip7sim.exact.vengeance_sweep import sweep_round
    from flip7sim.exact.vengeance_words import pack

    start = time.perf_counter()
    found_round = sweep_round(lattices, threads, progress)
    words = np.zeros(0, np.int64)
    if found_round.stays is not None:
        words = pack(
            lattices, found_round.first_stays, found_round.stays, found_round.values,
            found_round.wiped,
        )  # fmt: skip
    chances = found_round.histogram
    chances[-lattices.low] += found_round.bust
    summary = {
        "histogram": {
            str(int(at) + lattices.low): float(chances[at]) for at in np.flatnonzero(chances)
        },
        "bust": found_round.bust,
        "flip7": found_round.flip7,
        "n_states": found_round.n_states,
        "elapsed_s": time.perf_counter() - start,
        "n_words": len(words),
    }
    if cached:
        store.save(key, summary, words if len(words) else np.zeros(1, np.int64))
    return VengeanceSolution(
        rules=rules,
        histogram={int(score): chance for score, chance in summary["histogram"].items()},
        bust=summary["bust"],
        flip7=summary["flip7"],
        n_states=summary["n_states"],
        elapsed_s=summary["elapsed_s"],
        from_cache=False,
        words=words,
    )
