"""The race alone: the fewest expected rounds to the target, a full deck each round.

Value iteration over the total, from the target down. With W(t) expected rounds still to play at a
total t, a round that ends with s points is worth -W(t + s), and

    W(t) = 1 + min over stay rules of E[W(t + s)],    W(t) = 0 for t of at least the target.

A round of 0 points leads back to t, so for each total W(t) is found by policy iteration: solve the
round for the current guess, then compute what its rule really takes, until nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from flip7sim.errors import InputError
from flip7sim.exact import packed, store
from flip7sim.exact.layout import Layout, build_layout
from flip7sim.exact.outcome import Outcome
from flip7sim.exact.round import rules_key, solve
from flip7sim.rules import Rules

MAX_RACE_VALUES: Final = 20_000_000
"""Most (cell, tail) pairs of a deck for which the race is solved; a sweep is needed some three
times for every total. 88 cards (no attacks) are within it, all 94 are not."""
_CURVES: Final = ("rounds", "round_optimal", "scores", "busts")
_PASSES: Final = 60
_CLOSE: Final = 1e-13


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
        Packed for `optimal:race`: see `pack_race`.
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


def _stay_bits(
    layout: Layout, reward: NDArray[np.float64], hit: NDArray[np.float64]
) -> NDArray[np.uint8]:
    stays = reward[layout.points][:, None] >= hit
    return np.packbits(stays.ravel(), bitorder="little")


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
        Of the base game, with a deck of at most `MAX_RACE_VALUES` values: `numbers`, `no-actions`,
        `no-attacks` and the like.
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
        If the deck has too many states for the race, or cannot be solved exactly at all.
    """
    layout = build_layout(rules)
    if layout.n_values > MAX_RACE_VALUES:
        raise InputError(
            f"the race is solved for decks of up to {MAX_RACE_VALUES} values; "
            f"{rules.deck_name!r} has {layout.n_values} (try numbers, no-actions or no-attacks)"
        )
    target = rules.target_score
    if target > 1000:
        raise InputError(f"the race is solved for targets up to 1000, not {target}")
    key = {"what": "race", "target_score": target, **rules_key(rules)}
    if cached and (found := store.load(key)) is not None:
        summary, words = found
        return _race(rules, summary, words, from_cache=True)
    from flip7sim.exact import sweep  # compiled code, which a cached solution does not need

    base = solve(rules, threads=threads, cached=cached)
    round_optimal = expected_rounds(base.outcome, target)
    rounds = np.zeros(target + layout.n_scores)
    scores, busts = np.zeros((2, target))
    bits: list[NDArray[np.uint8]] = []
    with sweep.workers(threads) as pool:
        start = layout.tails.decision[layout.tails.start]
        for total in reversed(range(target)):
            guess = float(rounds[total + 1]) if total + 1 < target else float(round_optimal[total])
            for _ in range(_PASSES):
                reward = -rounds[total : total + layout.n_scores]
                reward[0] = -guess
                hit = sweep.solve_backward(layout, reward, pool)
                if abs(1 - float(hit[0, start]) - guess) <= _CLOSE * guess:
                    break
                outcome = sweep.carry_forward(layout, pool, reward=reward, hit=hit)
                chances = outcome.histogram
                ahead = float(chances[1:] @ rounds[total + 1 : total + layout.n_scores])
                guess = (1 + ahead) / (1 - chances[0])
            rounds[total] = guess
            outcome = sweep.carry_forward(layout, pool, reward=reward, hit=hit)
            scores[total], busts[total] = outcome.mean, outcome.bust
            bits.append(_stay_bits(layout, reward, hit))
            if progress is not None:
                progress(1 - total / target)
    words = pack_race(layout, bits[::-1])
    curves = (rounds[:target], round_optimal, scores, busts)
    summary = {name: curve.tolist() for name, curve in zip(_CURVES, curves, strict=True)}
    if cached:
        store.save(key, summary, words)
    return _race(rules, summary, words, from_cache=False)


def _race(
    rules: Rules, summary: dict[str, Any], words: NDArray[np.int64], *, from_cache: bool
) -> Race:
    rounds, round_optimal, scores, busts = (np.array(summary[name]) for name in _CURVES)
    return Race(rules, rounds, round_optimal, scores, busts, words, from_cache)


def pack_race(layout: Layout, bits: list[NDArray[np.uint8]]) -> NDArray[np.int64]:
    """Return the index of a layout, then for each total one bit a state: 1 to stay.

    The words are read by `optimal.race_stays`.
    """
    width = -(-layout.n_states // 64)
    rows = np.zeros((len(bits), width * 8), np.uint8)
    for total, row in enumerate(bits):
        rows[total, : len(row)] = row
    return packed.pack_bits(layout, rows.view(np.int64))
