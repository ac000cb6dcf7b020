"""`sweep`: one parameter of seat 0's policy over a range, all values on the same rounds."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from flip7sim.blocks import Progress
from flip7sim.errors import InputError
from flip7sim.estimates import BestSet, Estimate, best_set, format_estimate, paired_difference
from flip7sim.estimates.intervals import json_number
from flip7sim.policies import Player, as_player, parse_player
from flip7sim.rules import Rules
from flip7sim.runner import PlayerLike, checked_count, checked_players, checked_seed, play_rounds
from flip7sim.study import defaults
from flip7sim.study.conditions import (
    INDEPENDENT_ROUNDS,
    Conditions,
    RulesLike,
    as_rules,
    players_line,
)
from flip7sim.study.result import Result
from flip7sim.study.rounds import (
    SeatResult,
    checked_error,
    seat_result,
    seat_row,
    shown_figures,
    until,
)
from flip7sim.tallies import RoundTallies

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


BEST_METHOD: Final = (
    "Tied: values that the data cannot tell from the best (Hsu's multiple comparisons with the "
    "best on paired rounds, 95 %)."
)


@dataclass(frozen=True, kw_only=True, repr=False)
class Sweep(Result):
    """The result of `sweep`.

    Attributes
    ----------
    conditions : Conditions
        With the swept player's label in seat 0.
    parameter : str
        Name of the parameter that varies.
    values : tuple of float
    labels : tuple of str
        The player of each value.
    tallies : RoundTallies
        An arm a value; `products` is the integer matrix from which paired errors come.
    fresh : RoundTallies or None
        The best value alone, on rounds that played no part in choosing it.
    elapsed_s : float
    interrupted : bool
    """

    conditions: Conditions
    parameter: str
    values: tuple[float, ...]
    labels: tuple[str, ...]
    tallies: RoundTallies
    fresh: RoundTallies | None
    elapsed_s: float
    interrupted: bool = False

    @property
    def rounds(self) -> int:
        """Rounds played with every value."""
        return self.tallies.rounds

    @cached_property
    def comparison(self) -> BestSet:
        """The best value's index, the tied set and every value's loss."""
        return best_set(self.tallies.sums[:, 0], self.tallies.products, self.rounds)

    @property
    def best(self) -> float:
        """The value with the most points per round."""
        return self.values[self.comparison.best]

    @property
    def tied(self) -> tuple[float, ...]:
        """The values that the data cannot tell from the best, the best among them."""
        return tuple(
            value for value, tied in zip(self.values, self.comparison.tied, strict=True) if tied
        )

    @cached_property
    def arms(self) -> tuple[SeatResult, ...]:
        """Seat 0's results, a value each."""
        return tuple(
            seat_result(self.tallies, arm, 0, label) for arm, label in enumerate(self.labels)
        )

    @cached_property
    def best_fresh(self) -> SeatResult | None:
        """The best value's results on fresh rounds; None where there are none."""
        if self.fresh is None:
            return None
        return seat_result(self.fresh, 0, 0, self.labels[self.comparison.best])

    def loss_at(self, value: float) -> Estimate:
        """Return what `value` scores less than the best, in points per round, by paired rounds.

        Raises
        ------
        InputError
            If the sweep has no such value.
        """
        if value not in self.values:
            raise InputError(f"{value:g} is not among the values of the sweep")
        return paired_difference(
            self.tallies.sums[:, 0], self.tallies.products, self.rounds,
            self.comparison.best, self.values.index(value),
        )  # fmt: skip

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row a value: points with error and interval, bust, Flip 7, loss, tied, best."""
        import pandas as pd

        found, rows = self.comparison, []
        for arm, (value, result) in enumerate(zip(self.values, self.arms, strict=True)):
            row = seat_row(result)
            row.pop("seat")
            mean = result.summary.mean
            rows.append(
                {
                    self.parameter: value,
                    **row,
                    "mean_low": mean.low,
                    "mean_high": mean.high,
                    "loss": float(found.loss[arm]),
                    "loss_se": float(found.loss_se[arm]),
                    "tied": bool(found.tied[arm]),
                    "best": arm == found.best,
                }
            )
        return pd.DataFrame(rows)

    @cached_property
    def shown(self) -> pd.DataFrame:
        """The same for people: estimates as text with the digits their errors allow."""
        import pandas as pd

        found, rows = self.comparison, []
        for arm, (value, result) in enumerate(zip(self.values, self.arms, strict=True)):
            mark = "best" if arm == found.best else "tied" if found.tied[arm] else ""
            loss = format_estimate(float(found.loss[arm]), float(found.loss_se[arm]))
            rows.append(
                {
                    self.parameter: f"{value:g}",
                    **shown_figures(result),
                    "loss": "" if arm == found.best else loss,
                    "mark": mark,
                }
            )
        return pd.DataFrame(rows)

    def answer(self) -> str:
        """Return the best value and its tied set in a sentence."""
        others = [value for value in self.tied if value != self.best]
        tied = f"; not told apart from it: {', '.join(f'{v:g}' for v in others)}" if others else ""
        text = f"Best: {self.parameter} {self.best:g}{tied}."
        if self.best_fresh is not None and self.fresh is not None:
            mean = self.best_fresh.summary.mean
            text += (
                f" On {self.fresh.rounds:,} fresh rounds it scores "
                f"{format_estimate(mean.value, mean.se)} points."
            )
        return text

    def curve_frame(self, group: str | None = None) -> pd.DataFrame:
        """Return the curve as `plots.curve` wants it."""
        frame = self.frame
        out = frame.assign(
            parameter=frame[self.parameter], value=frame["mean"],
            low=frame["mean_low"], high=frame["mean_high"],
        )[["parameter", "value", "low", "high", "tied", "best"]]  # fmt: skip
        return out if group is None else out.assign(group=group)

    def document(self) -> dict[str, Any]:
        """Return everything for JSON."""
        found = self.comparison
        return {
            **self.conditions.document(),
            "rounds": self.rounds,
            "players": list(self.conditions.players),
            "parameter": self.parameter,
            "best": self.best,
            "tied": list(self.tied),
            "tied_method": found.method,
            "fresh": None
            if self.best_fresh is None or self.fresh is None
            else {"rounds": self.fresh.rounds, **self.best_fresh.document()},
            "values": [
                {
                    "value": value,
                    **{key: v for key, v in arm.document().items() if key != "seat"},
                    "loss": {
                        "value": float(found.loss[k]),
                        "se": json_number(float(found.loss_se[k])),
                    },
                    "tied": bool(found.tied[k]),
                }
                for k, (value, arm) in enumerate(zip(self.values, self.arms, strict=True))
            ],
            "products": self.tallies.products.tolist(),
            "interrupted": self.interrupted,
            "elapsed_s": self.elapsed_s,
        }

    def notes(self) -> list[str]:
        """Return what was assumed, in sentences."""
        rivals = self.conditions.players[1:]
        against = f"against {players_line(rivals)}" if rivals else "solitaire"
        return [
            f"{self.conditions.sentence()} Seat 0, {against}. {self.rounds:,} rounds, the same "
            "for every value.",
            INDEPENDENT_ROUNDS,
            BEST_METHOD,
        ]

    def plot(self) -> Figure:
        """Draw points per round against the parameter, with a band for the interval."""
        from flip7sim.plots import curve

        name = self.labels[0].split(":")[0]
        return curve(
            self.curve_frame(), x_label=f"{self.parameter} of policy {name}", notes=self.notes()[:1]
        )


def sweep(
    policy: PlayerLike,
    values: Sequence[float],
    *,
    against: Sequence[PlayerLike] = (),
    parameter: int | str = 0,
    rules: RulesLike = None,
    rounds: int = defaults.SWEEP_ROUNDS,
    fresh_rounds: int | None = None,
    until_se: float | None = None,
    seed: int = 1,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Sweep:
    """Play every value of one parameter of seat 0's policy on the same rounds.

    Parameters
    ----------
    policy : Player, str or stay policy
        Whose parameter varies; a bare name such as ``"score"`` will do.
    values : sequence of float
    against : sequence of players
        The rivals, in seats 1 and on; none for solitaire.
    parameter : int or str
        Which parameter varies, by position from 0 or by name.
    rules : Rules, str or mapping, optional
    rounds : int
        With `until_se` the most rounds.
    fresh_rounds : int, optional
        Rounds for re-estimating the best value, none of which served to choose it; as many as were
        played by default, 0 for none.
    until_se : float, optional
        Play on until the standard error of every difference to the best is this small.
    seed, threads, executor, progress
        See `simulate`.

    Returns
    -------
    Sweep

    Raises
    ------
    InputError, PolicyError

    Examples
    --------
    >>> result = sweep("score", [15, 25, 40], rounds=5_000)
    >>> result.best, len(result.frame)
    (25.0, 3)
    >>> result.loss_at(40).value > result.loss_at(25).value == 0
    True
    """
    table_rules = as_rules(rules)
    rounds, seed = checked_count("rounds", rounds), checked_seed(seed)
    if len(values) == 0:
        raise InputError("a sweep needs at least one value")
    if len(set(values)) < len(values):
        raise InputError("a sweep's values must differ from each other")
    arms = _arms(policy, parameter, values, table_rules)
    rivals = checked_players(against, table_rules) if against else ()
    seated = checked_players((arms[0], *rivals), table_rules)

    def play(first: int, count: int, who: Sequence[Player]) -> RoundTallies:
        return play_rounds(
            table_rules, seated, rounds=count, seed=seed, arms=who, first=first,
            threads=threads, executor=executor, progress=progress,
        )  # fmt: skip

    start = time.perf_counter()
    tallies, interrupted = until(
        lambda first, count: play(first, count, arms),
        rounds, checked_error(until_se), _largest_loss_error,
    )  # fmt: skip
    found = best_set(tallies.sums[:, 0], tallies.products, tallies.rounds)
    n_fresh = tallies.rounds if fresh_rounds is None else fresh_rounds
    fresh = None
    if n_fresh and not interrupted:
        fresh, interrupted = until(
            lambda first, count: play(tallies.rounds + first, count, [arms[found.best]]),
            n_fresh, None, _largest_loss_error,
        )  # fmt: skip
    name = arms[0].parameter(parameter).name
    return Sweep(
        conditions=Conditions(
            rules=table_rules,
            players=(_swept_label(policy, arms[0]), *(p.label for p in rivals)),
            seed=seed,
        ),
        parameter=name,
        values=tuple(float(value) for value in values),
        labels=tuple(arm.label for arm in arms),
        tallies=tallies,
        fresh=fresh,
        elapsed_s=time.perf_counter() - start,
        interrupted=interrupted,
    )


def _arms(
    policy: PlayerLike, parameter: int | str, values: Sequence[float], rules: Rules
) -> list[Player]:
    whole = parse_player(policy, partial=True) if isinstance(policy, str) else as_player(policy)
    arms = [whole.with_parameter(parameter, value) for value in values]
    return list(checked_players(arms[:1], rules)) + arms[1:]


def _swept_label(policy: PlayerLike, first: Player) -> str:
    return policy if isinstance(policy, str) else first.label


def _largest_loss_error(tallies: RoundTallies) -> float:
    found = best_set(tallies.sums[:, 0], tallies.products, tallies.rounds)
    errors = np.delete(found.loss_se, found.best)
    if len(errors) == 0:
        return 0.0
    return math.inf if bool(np.isnan(errors).any()) else float(errors.max())
