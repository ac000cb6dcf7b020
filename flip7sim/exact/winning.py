"""Chances to win a game from totals, in a stated model of the rounds to come.

The model: everybody plays every round alone, from a full deck, to the same distribution of scores.
The game ends after the first round in which somebody has the target; the highest total wins, and a
tie counts as an equal share of the win. Players do not meet at the table: no attacks, no Flip 7
that ends the round for others, no deck carried over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from flip7sim.errors import InputError

MODEL: Final = (
    "every player plays each round alone from a full deck, for points; first to the target, "
    "highest total wins, ties share"
)
MODEL_VENGEANCE: Final = (
    "every player plays each round alone from a full deck of number cards, for points; first to "
    "the target, highest total wins, ties share; a hit is one card, actions count as no change, "
    "then a stay"
)
_NEGLIGIBLE: Final = 1e-12
_MAX_ROUNDS: Final = 2000


def win_chances(
    histogram: NDArray[np.float64], rivals: Sequence[int], target: int
) -> NDArray[np.float64]:
    """Return the chance to win by the total that one has after the current round.

    Parameters
    ----------
    histogram : ndarray of float64, shape (n_scores,)
        Chances of each score of a round, of the rivals in this round and of all afterwards.
    rivals : sequence of int
        The rivals' totals before the current round.
    target : int
        Total that ends the game.

    Returns
    -------
    ndarray of float64, shape (target + 2 * n_scores,)
        Index: the own total after the current round.

    Raises
    ------
    InputError
        If nobody ever scores, or there is no rival.

    Examples
    --------
    A rival at 8 who scores 1 in every round has 10, the target, after the second.

    >>> win_chances(np.array([0.0, 1.0]), [8], 10)[[8, 9, 10]].tolist()
    [0.0, 0.5, 1.0]
    """
    if not rivals:
        raise InputError("chances to win need at least one rival")
    if histogram[0] > 1 - 1e-9:
        raise InputError("players who never score do not end a game")
    if any(not 0 <= total < target for total in rivals):
        raise InputError(f"totals of rivals must be from 0 to {target - 1} in a game that goes on")
    size = target + 2 * len(histogram)
    # Per rival and round: the chance of each total, with no total of the target before.
    paths: list[NDArray[np.float64]] = []
    states = np.zeros((len(rivals), size))
    for at, total in enumerate(rivals):
        states[at, total] = 1.0
    while len(paths) < _MAX_ROUNDS and float(states[:, :target].sum(axis=1).prod()) > _NEGLIGIBLE:
        states = np.array([_one_more(row, histogram, target) for row in states])
        paths.append(states)
    value = np.zeros(size)
    for states in reversed(paths):
        here = np.zeros(size)
        here[target:] = _beats(states)[target:]
        for total in range(target):
            ahead = value[total : total + len(histogram)]
            here[total] = histogram @ ahead
        value = here
    return value


def _one_more(
    state: NDArray[np.float64], histogram: NDArray[np.float64], target: int
) -> NDArray[np.float64]:
    out = np.zeros_like(state)
    spread = np.convolve(state[:target], histogram)
    out[: len(spread)] = spread
    return out


def _beats(states: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by own total the expected share of the win: all below 1, ties share equally."""
    below = np.cumsum(states, axis=1) - states
    # ways[m]: chance that m rivals tie and the rest are below.
    ways = [np.ones(states.shape[1])]
    for less, equal in zip(below, states, strict=True):
        longer = [np.zeros(states.shape[1]) for _ in range(len(ways) + 1)]
        for ties, chance in enumerate(ways):
            longer[ties] += chance * less
            longer[ties + 1] += chance * equal
        ways = longer
    return sum((chance / (ties + 1) for ties, chance in enumerate(ways)), np.zeros(len(ways[0])))
