"""The games compared at each one's own best threshold, for several numbers of players.

A threshold that suits one game need not suit another, so a comparison under the same threshold
also compares how well it suits. Here every seat plays the game's own best: a threshold against which
no other does better, up to the tied set, while all rivals play it too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from flip7sim.blocks import Interrupted, Progress
from flip7sim.errors import InputError
from flip7sim.estimates import Estimate, format_estimate
from flip7sim.policies import Player, as_player
from flip7sim.rules import MAX_SEATS, Rules
from flip7sim.runner import PlayerLike, checked_count, checked_seed
from flip7sim.study.compare import DEFAULT_PLAYER, Comparison
from flip7sim.study.compared_figures import figure_document, shown_figure
from flip7sim.study.compared_games import ComparedGame, play_game_of, rules_compared
from flip7sim.study.conditions import INDEPENDENT_ROUNDS
from flip7sim.study.seeds import derived_seed
from flip7sim.study.sweep import BEST_METHOD, Sweep, sweep

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

MAX_SWEEPS: Final = 8
"""Sweeps after which the search for a threshold that is best against itself ends."""
SHOWN: Final = {
    "mean": "points per round",
    "variance": "variance, points²",
    "variation": "coefficient of variation",
    "bust": "P(bust)",
    "flip7": "P(Flip 7)",
    "rounds_per_game": "rounds per game",
    "from_behind": "won from behind",
}
"""The figures in the table for people; the data file has all."""


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
    rounds_played : int
        Rounds of all sweeps, values counted one by one.
    """

    player: Player
    value: float
    tied: tuple[float, ...]
    settled: bool
    rounds_played: int


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
        """One row a number of players and game, for people."""
        import pandas as pd

        return pd.DataFrame(
            [
                self._shown_row(table, game)
                for table in self.tables
                for game in table.comparison.compared
            ]
        )

    def _shown_row(self, table: AtBest, game: ComparedGame) -> dict[str, str]:
        best, row = table.bests[game.name], {"players": str(table.n_players), "game": game.name}
        row["stay at"] = f"{best.value:g}" + ("" if best.settled else " (unsettled)")
        row["tied"] = ", ".join(f"{value:g}" for value in best.tied)
        for key, title in SHOWN.items():
            if key in game.figures:
                row[title] = shown_figure(game.figures[key])
        ratio = self.ratio(table, game.name)
        row["variance / base's"] = "" if ratio is None else format_estimate(ratio.value, ratio.se)
        return row

    def ratio(self, table: AtBest, name: str) -> Estimate | None:
        """Return a game's variance over base's; None of base itself."""
        return None if name == "Base" else table.comparison.ratio("variance", name, "Base")

    def answer(self) -> str:
        """Return what is true about the variances, in a sentence made from the figures."""
        counts = [table.n_players for table in self.tables]
        who = f"{counts[0]} players" if len(counts) == 1 else f"{counts[0]} to {counts[-1]} players"
        parts = []
        names = [game.name for game in self.tables[0].comparison.compared if game.name != "Base"]
        for name in names:
            ratios = [table.comparison.ratio("variance", name, "Base") for table in self.tables]
            low, high = (pick(ratio.value for ratio in ratios) for pick in (min, max))
            told = sum(not ratio.low <= 1.0 <= ratio.high for ratio in ratios)
            span = f"{low:.3f}" if len(ratios) == 1 else f"{low:.3f} to {high:.3f}"
            parts.append(
                f"{name}'s is {span} times base's (told apart from it at {told} of {len(ratios)} "
                "tables)"
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
            f"derived from {self.seed}. {INDEPENDENT_ROUNDS}",
        ]

    def plot(self, title: str | None = None) -> Figure:
        """Draw the variance against the number of players, one line a game."""
        import pandas as pd

        from flip7sim.plots import curve

        rows = []
        for table in self.tables:
            for game in table.comparison.compared:
                found = game.estimate("variance")
                rows.append(
                    {
                        "parameter": table.n_players,
                        "value": found.value,
                        "low": found.low,
                        "high": found.high,
                        "group": game.name,
                    }
                )
        return curve(
            pd.DataFrame(rows),
            x_label="Players, each at the game's own best threshold",
            y_label="Variance of points per round, points²",
            title=title,
            notes=self.notes()[1:],
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
                            "settled": best.settled,
                        }
                        for name, best in table.bests.items()
                    },
                    "comparison": table.comparison.document(),
                }
                for table in self.tables
            ],
        }


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
    tied: tuple[float, ...] = ()
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
        tied = found.tied
        if k and value in tied:
            break
        value = found.best
        rival = start.with_parameter(0, value)
        if n_players == 1:
            break
    return OwnBest(
        player=rival, value=value, tied=tied, settled=value in tied, rounds_played=played
    )


def compare_at_best(
    players: Sequence[int],
    values: Sequence[float],
    *,
    policy: PlayerLike = DEFAULT_PLAYER,
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
    if not players:
        raise InputError("players must name at least one number of players")
    for n_players in players:
        if not 1 <= n_players <= MAX_SEATS:
            raise InputError(f"a table has 1 to {MAX_SEATS} players, not {n_players}")
    rules, start, seed = rules_compared(options), as_player(policy), checked_seed(seed)
    rounds = checked_count("rounds", rounds)
    sweep_rounds = checked_count("sweep_rounds", sweep_rounds)
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
