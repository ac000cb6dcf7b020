"""The games compared at each one's own best threshold, for several numbers of players.

A threshold that suits one game need not suit another, so a comparison under the same threshold
also compares how well it suits. Here every seat plays the game's own best (`best_threshold`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from flip7sim.blocks import Progress
from flip7sim.estimates import Estimate, format_estimate
from flip7sim.policies import as_player
from flip7sim.rules import checked_player_counts
from flip7sim.runner import PlayerLike, checked_count, checked_seed
from flip7sim.study import defaults
from flip7sim.study.compared.best_threshold import OwnBest, own_best
from flip7sim.study.compared.compare import Comparison
from flip7sim.study.compared.compared_figures import figure_document, shown_figure
from flip7sim.study.compared.compared_games import ComparedGame, play_game_of, rules_compared
from flip7sim.study.conditions import spans
from flip7sim.study.sweep import BEST_METHOD

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

SPREAD_SHOWN: Final = {"mean": "points per round", "variance": "variance"}
MORE_SHOWN: Final = {
    "variation": "coefficient of variation",
    "skewness": "skewness",
    "bust": "P(bust)",
    "flip7": "P(Flip 7)",
    "rounds_per_game": "rounds per game",
    "from_behind": "won from behind",
}
"""The figures in the tables for people; the data file has all."""


@dataclass(frozen=True, kw_only=True)
class AtBest:
    """The games with one number of players, each at its own best threshold.

    Attributes
    ----------
    n_players : int
    bests : dict of str to OwnBest
        By game.
    comparison : Comparison
        On rounds that played no part in choosing.
    """

    n_players: int
    bests: dict[str, OwnBest]
    comparison: Comparison


@dataclass(frozen=True, kw_only=True)
class OwnBestComparison:
    """The result of `compare_at_best`.

    Attributes
    ----------
    tables : tuple of AtBest
        One a number of players.
    rounds, sweep_rounds, seed : int
    policy : str
        The player whose first parameter was swept.
    """

    tables: tuple[AtBest, ...]
    rounds: int
    sweep_rounds: int
    seed: int
    policy: str

    @property
    def rounds_played(self) -> int:
        """All rounds that were simulated, those of games apart."""
        return sum(
            best.rounds_played + self.rounds
            for table in self.tables
            for best in table.bests.values()
        )

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row a number of players, game and figure: value, se, low, high."""
        import pandas as pd

        rows = [
            {
                "players": table.n_players,
                "game": game.name,
                "threshold": table.bests[game.name].value,
                "tied": " ".join(f"{value:g}" for value in table.bests[game.name].tied),
                "figure": key,
                **figure_document(figure),
            }
            for table in self.tables
            for game in table.comparison.compared
            for key, figure in game.figures.items()
        ]
        numbers = dict.fromkeys(("value", "se", "low", "high"), float)
        return pd.DataFrame(rows).astype(numbers)

    @cached_property
    def shown(self) -> pd.DataFrame:
        """Thresholds, points and variance for people: one row a number of players and game."""
        import pandas as pd

        rows = []
        for table, game, row in self._rows():
            best, ratio = table.bests[game.name], self.ratio(table, game.name)
            row["stay at"] = f"{best.value:g}" + ("" if best.settled else " (unsettled)")
            row["tied"] = spans(best.tied)
            row |= {title: shown_figure(game.figures[key]) for key, title in SPREAD_SHOWN.items()}
            row["over the tied"] = f"{min(best.variances):.0f} to {max(best.variances):.0f}"
            row["over base's"] = "" if ratio is None else format_estimate(ratio.value, ratio.se)
            rows.append(row)
        return pd.DataFrame(rows)

    @cached_property
    def more_shown(self) -> pd.DataFrame:
        """The other figures for people: one row a number of players and game."""
        import pandas as pd

        return pd.DataFrame(
            [
                row
                | {
                    title: shown_figure(game.figures[key])
                    for key, title in MORE_SHOWN.items()
                    if key in game.figures
                }
                for _, game, row in self._rows()
            ]
        )

    def _rows(self) -> Iterator[tuple[AtBest, ComparedGame, dict[str, str]]]:
        for table in self.tables:
            for game in table.comparison.compared:
                yield table, game, {"players": str(table.n_players), "game": game.name}

    def ratio(self, table: AtBest, name: str) -> Estimate | None:
        """Return a game's variance over base's; None of base itself."""
        return None if name == "Base" else table.comparison.ratio("variance", name, "Base")

    def apart(self, table: AtBest, name: str) -> bool:
        """Tell whether two games' variances over their tied thresholds do not overlap."""
        mine, base = (table.bests[game].variances for game in (name, "Base"))
        return max(mine) < min(base) or max(base) < min(mine)

    def answer(self) -> str:
        """Return what is true about the variances, in a sentence made from the figures."""
        counts = [table.n_players for table in self.tables]
        who = f"{spans(sorted(counts))} player{'s' if counts != [1] else ''}"
        parts = []
        names = [game.name for game in self.tables[0].comparison.compared if game.name != "Base"]
        for name in names:
            ratios = [table.comparison.ratio("variance", name, "Base") for table in self.tables]
            low, high = (pick(ratio.value for ratio in ratios) for pick in (min, max))
            told = sum(not ratio.low <= 1.0 <= ratio.high for ratio in ratios)
            surely = sum(self.apart(table, name) for table in self.tables)
            span = f"{low:.2f}" if len(ratios) == 1 else f"{low:.2f} to {high:.2f}"
            parts.append(
                f"{name}'s is {span} times base's (told apart from it at {told} of {len(ratios)} "
                f"tables, at {surely} whichever of the tied thresholds is played)"
            )
        stay = "; ".join(f"{name} {self._span(name)}" for name in ["Base", *names])
        return (
            f"With {who}, every seat at the game's own best threshold ({stay}), the variance of a "
            f"round: {', '.join(parts)}."
        )

    def _span(self, name: str) -> str:
        values = [table.bests[name].value for table in self.tables]
        low, high = min(values), max(values)
        return f"{low:g}" if low == high else f"{low:g} to {high:g}"

    def notes(self) -> list[str]:
        """Return what was assumed, in sentences."""
        return [
            f"Every seat plays {self.policy} with the game's own best threshold: swept in seat 0 "
            f"with {self.sweep_rounds:,} rounds a value against rivals at the stated one, then "
            "against rivals at the best found, and so on, until that is in the tied set. "
            f"{BEST_METHOD}",
            f"Figures of seat 0 on {self.rounds:,} rounds that played no part in choosing; seeds "
            f"derived from {self.seed}.",
            "A higher threshold makes more variance, so the threshold's own uncertainty matters: "
            '"over the tied" is the least and greatest variance over all tied thresholds.',
        ]

    def plot(self, title: str | None = None) -> Figure:
        """Draw the variance against the number of players; the band spans the tied thresholds."""
        import pandas as pd

        from flip7sim.plots import curve

        rows = []
        for table in self.tables:
            for game in table.comparison.compared:
                found = game.estimate("variance")
                over = table.bests[game.name].variances
                rows.append(
                    {
                        "parameter": table.n_players,
                        "value": found.value,
                        "low": min(found.low, *over),
                        "high": max(found.high, *over),
                        "group": game.name,
                    }
                )
        return curve(
            pd.DataFrame(rows),
            x_label="Players, each at the game's own best threshold",
            y_label="Variance of points per round, points²",
            title=title,
            notes=[
                self.notes()[1],
                "A higher threshold makes more variance, so the band spans the variances of all "
                "thresholds that cannot be told from the best.",
            ],
            band="95 % interval, over all tied thresholds",
        )

    def document(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {
            "policy": self.policy,
            "rounds": self.rounds,
            "sweep_rounds": self.sweep_rounds,
            "rounds_played": self.rounds_played,
            "seed": self.seed,
            "answer": self.answer(),
            "tables": [
                {
                    "players": table.n_players,
                    "thresholds": {
                        name: {
                            "best": best.value,
                            "tied": list(best.tied),
                            "tied_variances": list(best.variances),
                            "settled": best.settled,
                        }
                        for name, best in table.bests.items()
                    },
                    "comparison": table.comparison.document(),
                }
                for table in self.tables
            ],
        }


def compare_at_best(
    players: Sequence[int],
    values: Sequence[float],
    *,
    policy: PlayerLike = defaults.COMPARE_PLAYER,
    options: Mapping[str, Any] | None = None,
    rounds: int,
    sweep_rounds: int,
    games: int = 0,
    seed: int = 1,
    threads: int | None = None,
    progress: Callable[[str], Progress | None] = lambda _: None,
) -> OwnBestComparison:
    """Compare the games with every seat at the game's own best threshold.

    Parameters
    ----------
    players : sequence of int
        Numbers of players.
    values : sequence of float
        Thresholds to try.
    policy : player
        Whose first parameter is the threshold; as it stands, the rival of the first sweep.
    options : mapping of str to object, optional
        See `compared_games.rules_compared`.
    rounds, games : int
        For each game and number of players, at the best threshold.
    sweep_rounds : int
        For each value.
    seed : int
    threads : int, optional
    progress : callable, optional

    Returns
    -------
    OwnBestComparison

    Raises
    ------
    InputError
        If a number of players, a policy or an option is wrong.

    Examples
    --------
    >>> result = compare_at_best([2], [20, 25, 30], rounds=500, sweep_rounds=500)
    >>> sorted(result.tables[0].bests)
    ['Base', 'Brutal', 'Vengeance']
    """
    players = checked_player_counts(players)
    rules, start, seed = rules_compared(options), as_player(policy), checked_seed(seed)
    rounds = checked_count("rounds", rounds)
    sweep_rounds = checked_count("sweep_rounds", sweep_rounds)
    games = checked_count("games", games) if games else 0
    tables = []
    for n_players in players:
        bests, compared = {}, []
        for name, each in rules.items():
            best = own_best(
                name, each, start, n_players, values, rounds=sweep_rounds, seed=seed,
                threads=threads, progress=progress,
            )  # fmt: skip
            bests[name] = best
            compared.append(
                play_game_of(
                    name, each, (best.player,) * n_players, rounds=rounds, games=games, seed=seed,
                    sample=f"{name}, {n_players} players", threads=threads, progress=progress,
                )
            )  # fmt: skip
        tables.append(
            AtBest(
                n_players=n_players,
                bests=bests,
                comparison=Comparison(seed=seed, compared=tuple(compared), elapsed_s=0.0),
            )
        )
    return OwnBestComparison(
        tables=tuple(tables),
        rounds=rounds,
        sweep_rounds=sweep_rounds,
        seed=seed,
        policy=start.label,
    )
