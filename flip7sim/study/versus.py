"""`versus`: is policy A better than B in seat 0 of a table, in points and in wins."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from flip7sim.blocks import Progress
from flip7sim.engine import decks
from flip7sim.errors import InputError
from flip7sim.estimates import Estimate, format_estimate, paired_difference
from flip7sim.estimates.intervals import json_number
from flip7sim.policies import as_player
from flip7sim.runner import (
    PlayerLike,
    checked_count,
    checked_players,
    checked_seed,
    play_games,
    play_rounds,
)
from flip7sim.study import defaults
from flip7sim.study.clusters import ClusterSums, Share
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
from flip7sim.study.wins import columns, decided, shown_share, wins_difference
from flip7sim.tallies import GameTallies, RoundTallies

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

EQUAL: Final = "A and B cannot be told apart"


@dataclass(frozen=True, kw_only=True, repr=False)
class Versus(Result):
    """The result of `versus`.

    Attributes
    ----------
    conditions : Conditions
        With the rivals' labels.
    labels : tuple of (str, str)
        A and B.
    points : RoundTallies
        A in arm 0, B in arm 1, on the same rounds.
    wins : GameTallies or None
        The same for games; None in solitaire, where every game is won.
    elapsed_s : float
    interrupted : bool
    """

    conditions: Conditions
    labels: tuple[str, str]
    points: RoundTallies
    wins: GameTallies | None
    elapsed_s: float
    interrupted: bool = False

    @property
    def rounds(self) -> int:
        """Rounds played with either."""
        return self.points.rounds

    @property
    def games(self) -> int:
        """Games played with either."""
        return 0 if self.wins is None else self.wins.games

    @cached_property
    def difference(self) -> Estimate:
        """Points per round of A less those of B, by paired rounds."""
        return paired_difference(self.points.sums[:, 0], self.points.products, self.rounds, 0, 1)

    @cached_property
    def wins_difference(self) -> Estimate | None:
        """Share of games that A wins less B's, by paired games, with an error over decks."""
        return None if self.wins is None else wins_difference(self.wins)

    @cached_property
    def sides(self) -> tuple[SeatResult, SeatResult]:
        """What A and B score."""
        one, other = (seat_result(self.points, arm, 0, self.labels[arm]) for arm in (0, 1))
        return one, other

    @cached_property
    def shares(self) -> tuple[Share, Share] | None:
        """What A and B win."""
        if self.wins is None:
            return None
        one, other = (
            ClusterSums(self.wins.deck_matrix(arm)).share(
                {decks.WINS: 1}, {decks.GAMES: 1}, scale=self.wins.unit
            )
            for arm in (0, 1)
        )
        return one, other

    @property
    def told_apart(self) -> bool:
        """Whether the interval of the difference in points leaves out 0."""
        return decided(self.difference) != 0

    @property
    def wins_told_apart(self) -> bool | None:
        """The same for wins; None where no games were played."""
        return None if self.wins_difference is None else decided(self.wins_difference) != 0

    @property
    def independent_rounds(self) -> float:
        """How many rounds would give the same error if A and B were played on different ones."""
        spread = sum(side.summary.mean.se**2 for side in self.sides)
        se = self.difference.se
        return self.rounds * spread / (se * se) if se > 0.0 else math.nan

    @cached_property
    def frame(self) -> pd.DataFrame:
        """A row each for A, B and A - B, figures with their errors in columns of their own."""
        import pandas as pd

        rows: list[dict[str, Any]] = []
        for arm, name in enumerate("AB"):
            row = {"side": name, **seat_row(self.sides[arm])}
            row.pop("seat")
            row |= {"mean_low": self.sides[arm].summary.mean.low}
            row |= {"mean_high": self.sides[arm].summary.mean.high}
            if self.shares is not None:
                row |= columns("wins", self.shares[arm])
            rows.append(row)
        gap = self.difference
        row = {"side": "A - B", "policy": "", "mean": gap.value, "mean_se": gap.se}
        row |= {"mean_low": gap.low, "mean_high": gap.high}
        if self.wins_difference is not None:
            row |= columns("wins", self.wins_difference)
        return pd.DataFrame([*rows, row])

    @cached_property
    def shown(self) -> pd.DataFrame:
        """The same for people: estimates as text with the digits their errors allow."""
        import pandas as pd

        rows: list[dict[str, Any]] = []
        for arm, name in enumerate("AB"):
            row = {"": name, "policy": self.labels[arm], **shown_figures(self.sides[arm])}
            if self.shares is not None:
                row["games won"] = shown_share(self.shares[arm])
            rows.append(row)
        gap = self.difference
        row = {"": "A - B", "points per round": format_estimate(gap.value, gap.se)}
        if self.wins_difference is not None:
            row["games won"] = f"{_in_points(self.wins_difference)} pp"
        return pd.DataFrame([*rows, row]).fillna("")

    def answer(self) -> str:
        """Return the verdicts: in points, and in wins where games were played."""
        gap = self.difference
        text = (
            f"Points per round: {_verdict(gap)}: A - B = {format_estimate(gap.value, gap.se)} "
            f"({gap.low:.4f} to {gap.high:.4f}) after {self.rounds:,} rounds."
        )
        if gap.se == 0.0 and gap.value == 0.0:
            text = f"Points per round: {EQUAL}: the same in every one of {self.rounds:,} rounds."
        out = [text]
        wins = self.wins_difference
        if wins is not None:
            out.append(
                f"Games won: {_verdict(wins)}: A - B = {_in_points(wins)} pp "
                f"({100 * wins.low:.3f} to {100 * wins.high:.3f}) after {self.games:,} games."
            )
        return " ".join(out)

    def document(self) -> dict[str, Any]:
        """Return everything for JSON."""
        sides = []
        for arm, side in enumerate(self.sides):
            entry = {k: v for k, v in side.document().items() if k != "seat"}
            entry["wins"] = None if self.shares is None else self.shares[arm].to_json()
            sides.append(entry)
        wins = self.wins_difference
        return {
            **self.conditions.document(),
            "against": list(self.conditions.players),
            "rounds": self.rounds,
            "games": self.games,
            "a": sides[0],
            "b": sides[1],
            "points": {**self.difference.to_json(), "told_apart": self.told_apart},
            "wins": None
            if wins is None
            else {**wins.to_json(), "told_apart": self.wins_told_apart},
            "independent_rounds": json_number(self.independent_rounds),
            "answer": self.answer(),
            "interrupted": self.interrupted,
            "elapsed_s": self.elapsed_s,
        }

    def notes(self) -> list[str]:
        """Return what was assumed, in sentences."""
        rivals = self.conditions.players
        against = f"against {players_line(rivals)}" if rivals else "solitaire"
        out = [
            f"{self.conditions.sentence()} A and B take seat 0 in turn, {against}, both on the "
            f"same {self.rounds:,} rounds"
            + (f" and the same {self.games:,} games." if self.games else "."),
            f"Rounds: {INDEPENDENT_ROUNDS[0].lower()}{INDEPENDENT_ROUNDS[1:]}",
        ]
        if self.wins is not None:
            out.append("Games: A and B play every deck in every seat; their errors are over decks.")
        if not math.isnan(self.independent_rounds):
            out.append(
                f"On different rounds it would take {self.independent_rounds:,.0f} of them to know "
                "the difference as well."
            )
        return [*out, "± is one standard error; in brackets 95 % intervals."]

    def plot(self) -> Figure:
        """Draw the difference in points per round, and in wins, with their intervals."""
        import pandas as pd

        from flip7sim.plots import intervals

        gap = self.difference
        rows = [{"label": "points per round", "value": gap.value, "low": gap.low, "high": gap.high}]
        wins = self.wins_difference
        if wins is not None:
            rows.append(
                {
                    "label": "wins in 100 games",
                    "value": 100 * wins.value,
                    "low": 100 * wins.low,
                    "high": 100 * wins.high,
                }
            )
        return intervals(
            pd.DataFrame(rows), x_label=f"A - B; A: {self.labels[0]}, B: {self.labels[1]}",
            sides=("B is better", "A is better"), notes=self.notes()[:1],
        )  # fmt: skip


def _verdict(gap: Estimate) -> str:
    return {1: "A is better", -1: "B is better", 0: EQUAL}[decided(gap)]


def _in_points(gap: Estimate) -> str:
    return format_estimate(100.0 * gap.value, 100.0 * gap.se)


def _points_error(tallies: RoundTallies) -> float:
    se = paired_difference(tallies.sums[:, 0], tallies.products, tallies.rounds, 0, 1).se
    return math.inf if math.isnan(se) else se


def versus(
    a: PlayerLike,
    b: PlayerLike,
    *,
    against: Sequence[PlayerLike] = (),
    rules: RulesLike = None,
    rounds: int = defaults.ROUNDS,
    games: int | None = None,
    until_se: float | None = None,
    seed: int = 1,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[str], Progress | None] = lambda _: None,
) -> Versus:
    """Compare two players in seat 0 of a table, on the same rounds and the same games.

    Parameters
    ----------
    a, b : Player, str or stay policy
    against : sequence of players
        The rivals; none for solitaire, where only points are compared.
    rules : Rules, str or mapping, optional
    rounds : int
        With `until_se` the most rounds.
    games : int, optional
        100,000 by default; 0 for none.
    until_se : float, optional
        Play rounds until the difference in points per round has no larger standard error.
    seed, threads, executor
        See `simulate`.
    progress : callable, optional
        Returns a progress callback for a step's name.

    Returns
    -------
    Versus

    Raises
    ------
    InputError, PolicyError

    Examples
    --------
    >>> result = versus("score:25", "score:5", rounds=2_000)
    >>> result.told_apart, result.difference.value > 0, result.wins
    (True, True, None)
    """
    table_rules = as_rules(rules)
    rivals = checked_players(against, table_rules) if against else ()
    sides = checked_players((as_player(a), as_player(b)), table_rules)
    checked_players((sides[0], *rivals), table_rules)
    rounds, seed = checked_count("rounds", rounds), checked_seed(seed)
    n_games = _checked_games(games, bool(rivals))
    start = time.perf_counter()
    points, interrupted = until(
        lambda first, count: play_rounds(
            table_rules, (sides[0], *rivals), rounds=count, seed=seed, arms=sides, first=first,
            threads=threads, executor=executor, progress=progress("rounds"),
        ),
        rounds, checked_error(until_se), _points_error,
    )  # fmt: skip
    wins = None
    if n_games and not interrupted:
        wins, interrupted = until(
            lambda first, count: play_games(
                table_rules, [(side, *rivals) for side in sides], games=count, seed=seed,
                first=first, threads=threads, executor=executor, progress=progress("games"),
            ),
            n_games, None, lambda _: 0.0,
        )  # fmt: skip
    return Versus(
        conditions=Conditions(
            rules=table_rules, players=tuple(rival.label for rival in rivals), seed=seed
        ),
        labels=(sides[0].label, sides[1].label),
        points=points,
        wins=wins,
        elapsed_s=time.perf_counter() - start,
        interrupted=interrupted,
    )


def _checked_games(games: int | None, rivals: bool) -> int:
    if games is None:
        return defaults.GAMES if rivals else 0
    if games == 0 and not isinstance(games, bool):
        return 0
    number = checked_count("games", games)
    if not rivals:
        raise InputError("games have no effect without rivals: a lone player wins every game")
    return number
