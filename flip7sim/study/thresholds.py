"""The study `stay_thresholds`: the best stay threshold for several numbers of players."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flip7sim.blocks import Progress
from flip7sim.estimates import Estimate, format_estimate, format_proportion, paired_difference
from flip7sim.policies import as_player, parse_player
from flip7sim.rules import Rules, checked_player_counts
from flip7sim.runner import PlayerLike, checked_players, play_rounds
from flip7sim.study.conditions import (
    INDEPENDENT_ROUNDS,
    Conditions,
    spans,
)
from flip7sim.study.result import Result
from flip7sim.study.rounds import SeatResult, seat_result
from flip7sim.study.sweep import BEST_METHOD, Sweep, sweep
from flip7sim.tallies import RoundTallies

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


@dataclass(frozen=True, kw_only=True)
class ThresholdTable:
    """One number of players: the sweep, and the best value and others on fresh rounds.

    Attributes
    ----------
    n_players : int
    sweep : Sweep
    instead : tuple of float
        Values whose loss is measured.
    fresh : RoundTallies
        The best value in arm 0, then `instead`, on rounds that played no part in choosing.
    """

    n_players: int
    sweep: Sweep
    instead: tuple[float, ...]
    fresh: RoundTallies

    @cached_property
    def best(self) -> SeatResult:
        """The best value's results on the fresh rounds."""
        return seat_result(self.fresh, 0, 0, self.sweep.labels[self.sweep.comparison.best])

    def loss(self, value: float) -> Estimate:
        """Return what staying at `value` costs, in points per round, on the fresh rounds."""
        arm = 1 + self.instead.index(value)
        return paired_difference(
            self.fresh.sums[:, 0], self.fresh.products, self.fresh.rounds, 0, arm
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class Thresholds(Result):
    """The result of `stay_thresholds`."""

    conditions: Conditions
    rival: str
    tables: tuple[ThresholdTable, ...]
    interrupted: bool = False

    @property
    def rounds(self) -> int:
        """Rounds per value and number of players."""
        return self.tables[0].sweep.rounds

    @property
    def rounds_played(self) -> int:
        """All rounds that were simulated."""
        return sum(
            table.sweep.rounds * len(table.sweep.values)
            + table.fresh.rounds * (1 + len(table.instead))
            for table in self.tables
        )

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row a number of players, figures with their errors in columns of their own."""
        import pandas as pd

        rows: list[dict[str, Any]] = []
        for table in self.tables:
            best = table.best
            row: dict[str, Any] = {
                "players": table.n_players,
                "best": table.sweep.best,
                "tied": " ".join(f"{value:g}" for value in table.sweep.tied),
                "points": best.summary.mean.value,
                "points_se": best.summary.mean.se,
                "sd": best.summary.sd.value,
                "bust": best.bust.value,
                "bust_low": best.bust.low,
                "bust_high": best.bust.high,
                "flip7": best.flip7.value,
                "flip7_low": best.flip7.low,
                "flip7_high": best.flip7.high,
            }
            for value in table.instead:
                loss = table.loss(value)
                row |= {f"loss_at_{value:g}": loss.value, f"loss_at_{value:g}_se": loss.se}
            rows.append(row)
        return pd.DataFrame(rows)

    @cached_property
    def shown(self) -> pd.DataFrame:
        """The same for people: estimates as text with the digits their errors allow."""
        import pandas as pd

        rows: list[dict[str, Any]] = []
        for table in self.tables:
            best = table.best
            mean = best.summary.mean
            row: dict[str, Any] = {
                "players": str(table.n_players),
                "stay at": f"{table.sweep.best:g}",
                "tied": ", ".join(f"{value:g}" for value in table.sweep.tied),
                "points per round": format_estimate(mean.value, mean.se),
                "P(bust)": format_proportion(best.bust),
                "P(Flip 7)": format_proportion(best.flip7),
            }
            for value in table.instead:
                loss = table.loss(value)
                row[f"loss at {value:g}"] = format_estimate(loss.value, loss.se)
            rows.append(row)
        return pd.DataFrame(rows)

    @cached_property
    def curve_frame(self) -> pd.DataFrame:
        """All curves, a row a value and number of players, for the figure and as data."""
        import pandas as pd

        return pd.concat(
            [table.sweep.frame.assign(players=table.n_players) for table in self.tables],
            ignore_index=True,
        )

    def answer(self) -> str:
        """Return the answer in one sentence."""
        bests = [table.sweep.best for table in self.tables]
        counts = [table.n_players for table in self.tables]
        low, high = min(bests), max(bests)
        at = f"{low:g}" if low == high else f"{low:g} to {high:g}"
        who = f"{spans(sorted(counts))} player{'s' if max(counts) > 1 else ''}"
        cheap = [
            value
            for value in self.tables[0].instead
            if all(abs(value - best) <= 5 for best in bests)
        ]
        # What a loss is less than is its interval's upper end, rounded up.
        losses = [table.loss(value).high for table in self.tables for value in cheap]
        tail = ""
        if losses and all(map(math.isfinite, losses)):
            shown = " or ".join(f"{value:g}" for value in cheap)
            most = math.ceil(100 * max(losses)) / 100
            tail = f"; staying at {shown} instead costs less than {most:.2f} points a round"
        rival = self.rival
        against = f" against rivals who play {rival}" if max(counts) > 1 else ""
        ties = self._ties()
        return f"With {who}{against}, stay as soon as your line is worth {at} points{ties}{tail}."

    def _ties(self) -> str:
        """Return which other thresholds may be as good, at which tables."""
        others = [
            (table.n_players, spans([v for v in table.sweep.tied if v != table.sweep.best]))
            for table in self.tables
        ]
        tied = [f"with {n} player{'s' if n > 1 else ''} {values}" for n, values in others if values]
        return f" ({', '.join(tied)} cannot be told from it)" if tied else ""

    def notes(self) -> list[str]:
        """Return what was assumed, in sentences."""
        return [
            f"{self.conditions.sentence()} Seat 0 varies, every rival plays {self.rival}. "
            f"Each curve: {self.rounds:,} rounds, the same for every value; each row of the table: "
            f"the best value and its losses on {self.tables[0].fresh.rounds:,} fresh ones; "
            f"{self.rounds_played:,} rounds in all.",
            f"{INDEPENDENT_ROUNDS} In a game the deck is carried over, which is not modelled here.",
            f"± is one standard error, of losses by paired rounds; in brackets Wilson's 95 % "
            f"interval; a loss is said to be less than the upper end of its 95 % interval. "
            f"{BEST_METHOD}",
        ]

    def plot(self, title: str | None = None) -> Figure:
        """Draw points per round against the threshold, one line a number of players."""
        import pandas as pd

        from flip7sim.plots import curve

        frame = pd.concat(
            [
                table.sweep.curve_frame(
                    f"{table.n_players} player{'s' if table.n_players > 1 else ''}"
                )
                for table in self.tables
            ],
            ignore_index=True,
        )
        return curve(frame, title=title, notes=self.notes()[:1])

    def document(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {
            **self.conditions.document(),
            "rival": self.rival,
            "rounds": self.rounds,
            "rounds_played": self.rounds_played,
            "answer": self.answer(),
            "tables": self.frame.to_dict("records"),
        }


def stay_thresholds(
    *,
    rules: Rules,
    players: Sequence[int],
    rival: PlayerLike,
    policy: str,
    values: Sequence[float],
    instead: Sequence[float] = (),
    rounds: int,
    seed: int,
    threads: int | None = None,
    progress: Callable[[str], Progress | None] = lambda _: None,
) -> Thresholds:
    """Find the best threshold of seat 0 for every number of players.

    Parameters
    ----------
    rules : Rules
    players : sequence of int
        Numbers of players; 1 is solitaire.
    rival : player
        Who sits in every other seat.
    policy : str
        Seat 0's policy, whose first parameter varies.
    values, instead : sequence of float
        The values swept; those whose loss against the best is measured.
    rounds : int
        Per value, and as many fresh ones.
    seed : int
    threads : int, optional
    progress : callable, optional
        Returns a progress callback for a step's name.

    Returns
    -------
    Thresholds

    Raises
    ------
    InputError
        If a number of players or a policy is wrong.

    Examples
    --------
    >>> found = stay_thresholds(
    ...     rules=Rules(), players=[1], rival="score:25", policy="score", values=[10, 25, 40],
    ...     instead=[10], rounds=2_000, seed=1,
    ... )
    >>> found.tables[0].sweep.best, found.tables[0].loss(10).value > 0
    (25.0, True)
    """
    check_tables(rules, players, rival, policy, [*values, *instead])
    other = as_player(rival)
    tables: list[ThresholdTable] = []
    interrupted = False

    def play(n_players: int) -> ThresholdTable:
        rivals = [other] * (n_players - 1)
        name = f"{n_players} player{'s' if n_players > 1 else ''}"
        found = sweep(
            policy, values, against=rivals, rules=rules, rounds=rounds, fresh_rounds=0, seed=seed,
            threads=threads, progress=progress(name),
        )  # fmt: skip
        if found.interrupted:
            raise KeyboardInterrupt
        best = as_player(found.labels[found.comparison.best])
        arms = [best, *(best.with_parameter(0, value) for value in instead)]
        fresh = play_rounds(
            rules, [best, *rivals], rounds=rounds, seed=seed, arms=arms, first=rounds,
            threads=threads, progress=progress(f"{name}, fresh"),
        )  # fmt: skip
        return ThresholdTable(n_players=n_players, sweep=found, instead=tuple(instead), fresh=fresh)

    try:
        for n_players in players:
            tables.append(play(n_players))
    except KeyboardInterrupt:
        if not tables:
            raise
        interrupted = True
    return Thresholds(
        conditions=Conditions(rules=rules, players=(policy,), seed=seed),
        rival=other.label,
        tables=tuple(tables),
        interrupted=interrupted,
    )


def check_tables(
    rules: Rules, players: Sequence[int], rival: PlayerLike, policy: str, values: Sequence[float]
) -> None:
    """Refuse what cannot be played: numbers of players, policies, values.

    Raises
    ------
    InputError
    """
    checked_player_counts(players)
    swept = parse_player(policy, partial=True)
    arms = [swept.with_parameter(0, value) for value in values]
    checked_players([arms[0], rival], rules)
