"""The race alone: the fewest expected rounds to the target, a full deck each round.

Value iteration over the total, from the target down. With W(t) expected rounds still to play at a
total t, a round that ends with s points is worth -W(t + s), and

    W(t) = 1 + min over stay rules of E[W(t + s)],    W(t) = 0 for t of at least the target.

A round of 0 points leads back to t, so W(t) is found by Newton's method: solve the round for a
guess, and take the step that the chance of 0 points says. The best rule hardly changes with a guess
that is hardly wrong: what the rule found really takes is off by less than the square of the guess's
error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from flip7sim.errors import InputError
from flip7sim.exact import packed, store
from flip7sim.exact.decisions import Decisions
from flip7sim.exact.layout import Layout, build_layout
from flip7sim.exact.outcome import Outcome
from flip7sim.exact.round import rules_key, solve
from flip7sim.rules import Rules

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from flip7sim.exact.sweep import Room

MAX_TARGET: Final = 1000
MAX_WORK: Final = 100_000_000_000
"""Most (cell, tail) pairs times totals for which the race is solved; all 94 cards to 200 are
32 billion, some eight minutes of two cores."""
WORK_A_MINUTE: Final = 4_000_000_000
"""Only for what a refusal says."""
_CURVES: Final = ("rounds", "round_optimal", "scores", "busts")
_PASSES: Final = 60
_CLOSE: Final = 2.5e-6
"""Rounds. Solved with a guess so close, a rule is the best but for about 10^-11 rounds."""


@dataclass(frozen=True, eq=False)
class Race:
    """The race solved.

    Attributes
    ----------
    rules : Rules
    rounds : ndarray of float64, shape (target_score,)
        Fewest expected rounds still to play at each total.
    round_optimal : ndarray of float64, shape (target_score,)
        The same when every round is played for points alone.
    scores, busts : ndarray of float64, shape (target_score,)
        Expected score and chance of a bust of the next round at each total: how the rule bends. Far
        from the target it plays nearly for points; close to it, it takes what is missing.
    words : ndarray of int64
        Packed for `optimal:race`: see `packed.pack_race`.
    from_cache : bool
    """

    rules: Rules
    rounds: NDArray[np.float64]
    round_optimal: NDArray[np.float64]
    scores: NDArray[np.float64]
    busts: NDArray[np.float64]
    words: NDArray[np.int64]
    from_cache: bool

    @property
    def value(self) -> float:
        """Fewest expected rounds from a total of 0."""
        return float(self.rounds[0])

    def report(self) -> dict[str, Any]:
        """Return the figures ready for JSON."""
        return {
            "game": self.rules.game,
            "deck": self.rules.deck_name,
            "options": self.rules.options(),
            "target_score": self.rules.target_score,
            "rounds": self.value,
            "rounds_round_optimal": float(self.round_optimal[0]),
            "rounds_by_total": self.rounds.tolist(),
            "score_by_total": self.scores.tolist(),
            "bust_by_total": self.busts.tolist(),
            "from_cache": self.from_cache,
        }


def expected_rounds(outcome: Outcome, target: int) -> NDArray[np.float64]:
    """Return the expected rounds to a target at each total when every round ends like `outcome`.

    Parameters
    ----------
    outcome : Outcome
        Must score at all.
    target : int

    Returns
    -------
    ndarray of float64, shape (target,)

    Raises
    ------
    InputError
        If the score is always 0.

    Examples
    --------
    >>> always_seven = Outcome(np.eye(8)[7], 0.0, 0.0, 0.0, 1)
    >>> expected_rounds(always_seven, 15)[[0, 1, 14]].tolist()
    [3.0, 2.0, 1.0]
    """
    chances = outcome.histogram
    if chances[0] > 1 - 1e-12:
        raise InputError("a player who never scores does not reach the target")
    rounds = np.zeros(target + len(chances))
    for total in reversed(range(target)):
        ahead = chances[1:] @ rounds[total + 1 : total + len(chances)]
        rounds[total] = (1 + ahead) / (1 - chances[0])
    return rounds[:target]


def solve_race(
    rules: Rules,
    *,
    threads: int | None = None,
    cached: bool = True,
    progress: Callable[[float], None] | None = None,
) -> Race:
    """Find the fewest expected rounds to ``rules.target_score``, alone, a full deck each round.

    Parameters
    ----------
    rules : Rules
        Of the base game; decks as for `round.solve`. All 94 cards take some minutes.
    threads : int, optional
    cached : bool
    progress : callable, optional
        Told the finished share.

    Returns
    -------
    Race

    Raises
    ------
    InputError
        If that would take too long, or the deck cannot be solved exactly at all.
    """
    layout, target = check_race(rules), rules.target_score
    key = {"what": "race", "target_score": target, **rules_key(rules)}
    if cached and (found := store.load(key)) is not None:
        summary, words = found
        return _race(rules, summary, words, from_cache=True)
    from flip7sim.exact import sweep  # compiled code, which a cached solution does not need

    base = solve(rules, threads=threads, cached=cached)
    round_optimal = expected_rounds(base.outcome, target)
    rounds = np.zeros(target + layout.n_scores)
    scores, busts = np.zeros((2, target))
    decisions = Decisions(layout.n_states)
    chances = base.outcome.histogram
    room = sweep.new_room(layout)
    with sweep.workers(threads) as pool:
        for total in reversed(range(target)):
            ahead = rounds[total : total + layout.n_scores]
            stays, outcome = _solve_total(layout, pool, room, ahead, chances)
            chances = outcome.histogram
            scores[total], busts[total] = outcome.mean, outcome.bust
            decisions.add(stays)
            if progress is not None:
                progress(1 - total / target)
    words = packed.pack_race(layout, decisions)
    curves = (rounds[:target], round_optimal, scores, busts)
    summary = {name: curve.tolist() for name, curve in zip(_CURVES, curves, strict=True)}
    if cached:
        store.save(key, summary, words)
    return _race(rules, summary, words, from_cache=False)


def check_race(rules: Rules) -> Layout:
    """Return the deck's layout, refusing a race that `solve_race` does not solve.

    Raises
    ------
    InputError
        If that would take too long, or the deck cannot be solved exactly at all.
    """
    if rules.game != "base":
        raise InputError("the race is solved for the base game, not for vengeance")
    layout, target = build_layout(rules), rules.target_score
    if target > MAX_TARGET:
        raise InputError(f"the race is solved for targets up to {MAX_TARGET}, not {target}")
    work = layout.n_values * target
    if work > MAX_WORK:
        raise InputError(
            f"the race to {target} with the deck {rules.deck_name!r} would take some "
            f"{work / WORK_A_MINUTE:.0f} minutes of two cores; the most is "
            f"{MAX_WORK / WORK_A_MINUTE:.0f}: take a lower target_score or fewer cards"
        )
    return layout


def _solve_total(
    layout: Layout,
    pool: ThreadPoolExecutor,
    room: Room,
    ahead: NDArray[np.float64],
    chances: NDArray[np.float64],
) -> tuple[NDArray[np.uint8], Outcome]:
    """Find W of one total and write it into ``ahead[0]``; return where to stay, and what comes out.

    Parameters
    ----------
    ahead : ndarray of float64, shape (n_scores,)
        W by score of the next round, known but for the first.
    chances : ndarray of float64, shape (n_scores,)
        Of the scores at the total above: the first guess is what its rule takes here.
    """
    from flip7sim.exact import sweep

    ahead[0] = (1 + chances[1:] @ ahead[1:]) / (1 - chances[0])
    slope = 1 - chances[0]
    before: tuple[float, float] | None = None
    for _ in range(_PASSES):
        values = sweep.solve_backward(layout, -ahead, pool, keep=False, room=room)
        guess = float(ahead[0])
        short = 1 - values.start - guess  # what the guess lacks, this round looked at
        if abs(short) > _CLOSE * slope:
            if before is not None and before[0] != guess:
                slope = (before[1] - short) / (guess - before[0])
            before = guess, short
            ahead[0] += short / slope
            continue
        outcome = sweep.carry_forward(layout, pool, values.stays, room=room)
        chances = outcome.histogram
        ahead[0] = (1 + chances[1:] @ ahead[1:]) / (1 - chances[0])
        if abs(ahead[0] - guess) <= 2 * _CLOSE:
            break
        slope, before = 1 - chances[0], None
    return values.stays, outcome


def _race(
    rules: Rules, summary: dict[str, Any], words: NDArray[np.int64], *, from_cache: bool
) -> Race:
    rounds, round_optimal, scores, busts = (np.array(summary[name]) for name in _CURVES)
    return Race(rules, rounds, round_optimal, scores, busts, words, from_cache)
