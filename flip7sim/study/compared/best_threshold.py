"""A game's own best threshold: one against which no other does better while all rivals play it.

It is found by sweeps, so only up to the thresholds that the last sweep cannot tell apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from flip7sim.blocks import Interrupted, Progress
from flip7sim.policies import Player
from flip7sim.rules import Rules
from flip7sim.study.compared.seeds import derived_seed
from flip7sim.study.sweep import Sweep, sweep

MAX_SWEEPS: Final = 8
"""Sweeps after which the search for a threshold that is best against itself ends."""


@dataclass(frozen=True, kw_only=True)
class OwnBest:
    """A game's own best threshold for a number of players.

    Attributes
    ----------
    player : Player
        Who sits in every seat.
    value : float
        The threshold.
    tied : tuple of float
        Thresholds that the last sweep cannot tell from the best, all rivals playing `value`.
    settled : bool
        Whether `value` is among them; False where the search was ended.
    variances : tuple of float
        Seat 0's variance at each of these, in points squared, from that sweep.
    rounds_played : int
        Rounds of all sweeps, values counted one by one.
    """

    player: Player
    value: float
    tied: tuple[float, ...]
    settled: bool
    variances: tuple[float, ...]
    rounds_played: int


def own_best(
    name: str,
    rules: Rules,
    start: Player,
    n_players: int,
    values: Sequence[float],
    *,
    rounds: int,
    seed: int,
    threads: int | None = None,
    progress: Callable[[str], Progress | None] = lambda _: None,
) -> OwnBest:
    """Find a threshold that is best against itself, up to the tied set.

    The first sweep is against rivals who play `start`, each later one against the best before it.

    Parameters
    ----------
    name : str
        The game's, from which the sweeps' seeds are derived.
    rules : Rules
    start : Player
        The first parameter of its first stay policy is the threshold.
    n_players : int
    values : sequence of float
    rounds, seed : int
        Rounds of each value in each sweep.
    threads : int, optional
    progress : callable, optional

    Raises
    ------
    blocks.Interrupted
        On Ctrl-C.
    """
    rival, played = start, 0
    value = float(values[0])
    for k in range(MAX_SWEEPS):
        step = f"{name}, {n_players} players, sweep {k + 1}"
        found: Sweep = sweep(
            start, values, against=[rival] * (n_players - 1), rules=rules, rounds=rounds,
            fresh_rounds=0, seed=derived_seed(seed, step), threads=threads,
            progress=progress(step),
        )  # fmt: skip
        if found.interrupted:
            raise Interrupted(None, 0)
        played += rounds * len(values)
        if k and value in found.tied:
            break
        value = found.best
        rival = start.with_parameter(0, value)
        if n_players == 1:
            break
    chosen = [arm.summary.variance.value for arm in found.arms]
    return OwnBest(
        player=rival,
        value=value,
        tied=found.tied,
        settled=value in found.tied,
        variances=tuple(
            variance for variance, tied in zip(chosen, found.comparison.tied, strict=True) if tied
        ),
        rounds_played=played,
    )
