"""`simulate`: independent rounds, what every seat scores."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from flip7sim.blocks import Interrupted, Progress
from flip7sim.errors import InputError
from flip7sim.estimates import (
    Proportion,
    Summary,
    format_estimate,
    format_proportion,
    proportion,
    summarise,
)
from flip7sim.runner import PlayerLike, checked_count, checked_players, checked_seed, play_rounds
from flip7sim.study import defaults
from flip7sim.study.conditions import INDEPENDENT_ROUNDS, Conditions, RulesLike, as_rules
from flip7sim.study.result import Result
from flip7sim.tallies import RoundTallies

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

FIRST_LOOK: Final = 10_000
"""Rounds after which `until_se` first looks at the error."""


@dataclass(frozen=True, kw_only=True)
class SeatResult:
    """What one seat did.

    Attributes
    ----------
    seat : int
    policy : str
    summary : Summary
        Mean, standard deviation and more of the points per round.
    bust, flip7 : Proportion
    histogram : dict of int to int
        Rounds by score.
    """

    seat: int
    policy: str
    summary: Summary
    bust: Proportion
    flip7: Proportion
    histogram: dict[int, int]

    def document(self) -> dict[str, Any]:
        """Return the seat for JSON (cli.md)."""
        return {
            "seat": self.seat,
            "policy": self.policy,
            "mean": self.summary.mean.to_json(),
            "sd": self.summary.sd.to_json()["value"],
            "bust": self.bust.to_json(),
            "flip7": self.flip7.to_json(),
            "histogram": {str(score): count for score, count in self.histogram.items()},
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class Simulation(Result):
    """The result of `simulate`.

    Attributes
    ----------
    conditions : Conditions
    tallies : RoundTallies
        The integers behind all estimates.
    elapsed_s : float
    interrupted : bool
        Whether Ctrl-C ended it early; what is there is complete for the rounds it names.
    written : tuple of str
        What was written to files, a sentence each.
    """

    conditions: Conditions
    tallies: RoundTallies
    elapsed_s: float
    interrupted: bool = False
    written: tuple[str, ...] = ()

    @property
    def rounds(self) -> int:
        """Rounds played."""
        return self.tallies.rounds

    @cached_property
    def seats(self) -> tuple[SeatResult, ...]:
        """The seats' results, in seat order."""
        return tuple(
            seat_result(self.tallies, 0, seat, policy)
            for seat, policy in enumerate(self.conditions.players)
        )

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row a seat: policy, mean, sd, bust and Flip 7 with their errors."""
        import pandas as pd

        return pd.DataFrame([seat_row(seat) for seat in self.seats])

    @cached_property
    def shown(self) -> pd.DataFrame:
        """The same for people: estimates as text with the digits their errors allow."""
        import pandas as pd

        return pd.DataFrame(
            [
                {"seat": seat.seat, "policy": seat.policy, **shown_figures(seat)}
                for seat in self.seats
            ]
        )

    def document(self) -> dict[str, Any]:
        """Return everything for JSON (cli.md)."""
        rate = self.rounds / self.elapsed_s if self.elapsed_s > 0 else None
        return {
            **self.conditions.document(),
            "rounds": self.rounds,
            "seats": [seat.document() for seat in self.seats],
            "flips_per_round": int(self.tallies.flips[0, 0]) / self.rounds,
            "interrupted": self.interrupted,
            "elapsed_s": self.elapsed_s,
            "rounds_per_s": rate,
        }

    def notes(self) -> list[str]:
        """Return what was assumed, in sentences."""
        return [
            f"{self.conditions.sentence()} {self.rounds:,} rounds.",
            INDEPENDENT_ROUNDS,
            "± is one standard error; in brackets Wilson's 95 % interval.",
        ]

    def plot(self) -> Figure:
        """Draw the distribution of points per round, a panel a seat."""
        import pandas as pd

        from flip7sim.plots import distribution

        rows = [
            {
                "score": score,
                "share": count / self.rounds,
                "group": f"seat {seat.seat}: {seat.policy}",
            }
            for seat in self.seats
            for score, count in seat.histogram.items()
        ]
        means = {f"seat {s.seat}: {s.policy}": s.summary.mean.value for s in self.seats}
        return distribution(pd.DataFrame(rows), means=means, notes=self.notes()[:1])


def seat_result(tallies: RoundTallies, arm: int, seat: int, policy: str) -> SeatResult:
    """Return the estimates of one seat under one arm."""
    counts = tallies.histogram[arm, seat]
    return SeatResult(
        seat=seat,
        policy=policy,
        summary=summarise(counts, tallies.low),
        bust=proportion(int(tallies.busts[arm, seat]), tallies.rounds),
        flip7=proportion(int(tallies.flip7s[arm, seat]), tallies.rounds),
        histogram={
            int(score): int(count)
            for score, count in zip(tallies.scores, counts, strict=True)
            if count
        },
    )


def shown_figures(result: SeatResult) -> dict[str, str]:
    """Return a seat's main figures as text for a table."""
    mean, sd = result.summary.mean, result.summary.sd
    return {
        "points per round": format_estimate(mean.value, mean.se),
        "standard deviation": format_estimate(sd.value, sd.se),
        "P(bust)": format_proportion(result.bust),
        "P(Flip 7)": format_proportion(result.flip7),
    }


def seat_row(result: SeatResult) -> dict[str, Any]:
    """Return a seat's figures as a flat row of a data frame."""
    summary = result.summary
    median = next(q for q in summary.quantiles if q.probability == 0.5)
    return {
        "seat": result.seat,
        "policy": result.policy,
        "mean": summary.mean.value,
        "mean_se": summary.mean.se,
        "sd": summary.sd.value,
        "sd_se": summary.sd.se,
        "median": median.value,
        "bust": result.bust.value,
        "bust_low": result.bust.low,
        "bust_high": result.bust.high,
        "flip7": result.flip7.value,
        "flip7_low": result.flip7.low,
        "flip7_high": result.flip7.high,
        "zero": summary.zero.value,
    }


def simulate(
    players: Sequence[PlayerLike],
    *,
    rules: RulesLike = None,
    rounds: int = defaults.ROUNDS,
    seed: int = 1,
    until_se: float | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    save_rounds: str | os.PathLike[str] | None = None,
    decision_log: str | os.PathLike[str] | None = None,
) -> Simulation:
    """Play independent rounds and estimate what every seat scores.

    Parameters
    ----------
    players : sequence of Player, str or stay policy
        In seat order; 1 to 18.
    rules : Rules, str or mapping, optional
        The base game by default; a game's name or a mapping of options will do.
    rounds : int
        With `until_se` the most rounds to play.
    seed : int
        The same seed gives the same result to the last bit.
    until_se : float, optional
        Play on until no seat's mean has a larger standard error, in points. The error is looked at
        after numbers of rounds that depend on the results alone.
    threads : int, optional
        All cores by default.
    executor : concurrent.futures.Executor, optional
    progress : callable, optional
        Called with rounds done and to do.
    save_rounds : path, optional
        A Parquet file to write, a row a round (`flip7sim.study.logs`); at most 20 million rounds.
    decision_log : path, optional
        A Parquet file to write, a row a decision; it ends after a million.

    Returns
    -------
    Simulation

    Raises
    ------
    InputError
        If a player, the rules or a number is wrong.
    PolicyError
        If a policy answers what is not legal.

    Examples
    --------
    >>> result = simulate(["score:25", "cards:3"], rounds=2_000, seed=7)
    >>> result.frame.shape[0], result.rounds
    (2, 2000)
    """
    table_rules = as_rules(rules)
    seated = checked_players(players, table_rules)
    rounds, seed = checked_count("rounds", rounds), checked_seed(seed)

    wanted = checked_error(until_se)
    start = time.perf_counter()
    written: tuple[str, ...] = ()
    if save_rounds is None and decision_log is None:

        def play(first: int, count: int) -> RoundTallies:
            return play_rounds(
                table_rules, seated, rounds=count, seed=seed, first=first,
                threads=threads, executor=executor, progress=progress,
            )  # fmt: skip

        tallies, interrupted = until(play, rounds, wanted, largest_error)
    else:
        from flip7sim.study.logs import SimulationLog

        with SimulationLog(
            table_rules, seated, seed, most=rounds, rounds=save_rounds, decisions=decision_log
        ) as log:
            tallies, interrupted = until(
                lambda first, count: log.play(
                    first, count, threads=threads, executor=executor, progress=progress
                ),
                rounds, wanted, largest_error,
            )  # fmt: skip
        written = log.written()
    return Simulation(
        conditions=Conditions(
            rules=table_rules, players=tuple(player.label for player in seated), seed=seed
        ),
        tallies=tallies,
        elapsed_s=time.perf_counter() - start,
        interrupted=interrupted,
        written=written,
    )


def checked_error(until_se: float | None) -> float | None:
    """Return a wanted standard error.

    Raises
    ------
    InputError
        If it is not a positive number.
    """
    if until_se is None:
        return None
    if isinstance(until_se, bool) or not isinstance(until_se, int | float):
        raise InputError(f"until_se must be a number, not {until_se!r}")
    if not (math.isfinite(until_se) and until_se > 0):
        raise InputError(f"until_se must be above 0, not {until_se}")
    return float(until_se)


def largest_error(tallies: RoundTallies) -> float:
    """Return the largest standard error of any mean, in points; infinite while unknown."""
    errors = [
        summarise(tallies.histogram[arm, seat], tallies.low).mean.se
        for arm in range(tallies.histogram.shape[0])
        for seat in range(tallies.histogram.shape[1])
    ]
    return max(math.inf if math.isnan(error) else error for error in errors)


def until(
    play: Callable[[int, int], Any],
    most: int,
    wanted: float | None,
    error: Callable[[Any], float],
    *,
    size: Callable[[Any], int] = lambda tallies: tallies.rounds,
    first_look: int = FIRST_LOOK,
) -> tuple[Any, bool]:
    """Play `most` rounds or games, or fewer once the error is as small as wanted.

    Parameters
    ----------
    play : callable
        ``play(first, count)`` returns tallies.
    most : int
    wanted : float or None
        None plays `most`.
    error : callable
        The error of tallies.
    size : callable
        The rounds or games of tallies.
    first_look : int
        Rounds or games before the error is first looked at.

    Returns
    -------
    tuple of tallies and bool
        Whether Ctrl-C ended it early; re-raised where nothing was finished.
    """
    tallies: Any = None
    done, goal = 0, most if wanted is None else min(most, first_look)
    while True:
        try:
            played = play(done, goal - done)
        except Interrupted as interrupt:
            if interrupt.done == 0 and tallies is None:
                raise
            if interrupt.done:
                part = interrupt.tallies
                tallies = part if tallies is None else tallies + part
            return tallies, True
        tallies = played if tallies is None else tallies + played
        done = goal
        now = error(tallies) if wanted is not None else 0.0
        if wanted is None or now <= wanted or done >= most:
            return tallies, False
        factor = (now / wanted) ** 2 if math.isfinite(now) else 2.0
        # A little more than the error asks for, in whole first looks, at most ten times as many.
        needed = done * min(max(1.02 * factor, 1.1), 10.0)
        goal = min(most, math.ceil(needed / first_look) * first_look)
