"""`compare`: base, Vengeance and Brutal side by side, under stated policies."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from flip7sim.blocks import Interrupted, Progress
from flip7sim.estimates import Estimate, independent_difference, independent_ratio
from flip7sim.runner import PlayerLike, checked_count, checked_seed
from flip7sim.study import defaults
from flip7sim.study.compared.compared_figures import (
    FIGURES,
    difference,
    figure_document,
    shown_difference,
    shown_figure,
)
from flip7sim.study.compared.compared_games import (
    PAIRS,
    ComparedGame,
    checked_tables,
    play_game_of,
    rules_compared,
)
from flip7sim.study.conditions import INDEPENDENT_ROUNDS, players_line
from flip7sim.study.result import Result

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure as Plot


METHODS: Final = (
    "± is one standard error; in brackets 95 % intervals, Wilson's of shares, order statistics' of "
    "quantiles. Games of one deck count as one observation. The samples are independent, each with "
    "a seed of its own, so the squares of the errors of differences add."
)


@dataclass(frozen=True, kw_only=True, repr=False)
class Comparison(Result):
    """The result of `compare`.

    Attributes
    ----------
    seed : int
        From which every sample's seed is derived.
    compared : tuple of ComparedGame
    elapsed_s : float
    interrupted : bool
        Whether Ctrl-C ended it before all games were played; those that are there are complete.
    """

    seed: int
    compared: tuple[ComparedGame, ...]
    elapsed_s: float
    interrupted: bool = False

    def stopped(self) -> Comparison:
        """Return the same, marked as interrupted: what was to follow it is missing."""
        return replace(self, interrupted=True)

    def __getitem__(self, name: str) -> ComparedGame:
        """Return one game's sample by its name."""
        for game in self.compared:
            if game.name == name:
                return game
        raise KeyError(name)

    @property
    def n_players(self) -> int:
        """Players at each table."""
        return len(self.compared[0].conditions.players)

    @property
    def who(self) -> str:
        """The players in words, game by game where they differ."""
        lines = {game.name: players_line(game.conditions.players) for game in self.compared}
        if len(set(lines.values())) == 1:
            return lines[self.compared[0].name]
        return "; ".join(f"{line} in {name}" for name, line in lines.items())

    @property
    def rounds(self) -> int:
        """Rounds of each game's sample."""
        return self.compared[0].rounds.rounds

    @property
    def n_games(self) -> int:
        """Games of each game's sample."""
        played = self.compared[0].games
        return 0 if played is None else played.games

    @property
    def pairs(self) -> list[tuple[ComparedGame, ComparedGame]]:
        """The pairs of which differences are shown."""
        names = {game.name for game in self.compared}
        return [
            (self[first], self[second])
            for first, second in PAIRS
            if first in names and second in names
        ]

    @property
    def keys(self) -> list[str]:
        """The figures that there are."""
        return list(self.compared[0].figures)

    def ratio(self, key: str, first: str, second: str) -> Estimate:
        """Return the ratio of two games' figures, with the interval of independent samples."""
        return independent_ratio(self[first].estimate(key), self[second].estimate(key))

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row a figure and game, or pair of games: value, se, low, high."""
        import pandas as pd

        rows = [
            {"figure": key, "game": game.name, **figure_document(game.figures[key])}
            for key in self.keys
            for game in self.compared
        ]
        rows += [
            {
                "figure": key,
                "game": f"{first.name} - {second.name}",
                **figure_document(difference(first.figures[key], second.figures[key])),
            }
            for key in self.keys
            for first, second in self.pairs
        ]
        columns = ["figure", "game", "value", "se", "low", "high"]
        return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[2:], float))

    @cached_property
    def shown(self) -> pd.DataFrame:
        """One row a figure, one column a game, for people."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "": FIGURES[key],
                    **{game.name: shown_figure(game.figures[key]) for game in self.compared},
                }
                for key in self.keys
            ]
        )

    @cached_property
    def differences_shown(self) -> pd.DataFrame:
        """One row a figure, one column a pair of games: the first's figure less the second's."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "": FIGURES[key],
                    **{
                        f"{first.name} − {second.name}": shown_difference(
                            first.figures[key], second.figures[key]
                        )
                        for first, second in self.pairs
                    },
                }
                for key in self.keys
            ]
        )

    def answer(self) -> str:
        """Return what is true about the variance, in sentences made from the figures."""
        n = self.n_players
        who = f"With {n} player{'s' if n > 1 else ''} ({self.who})"
        sentences = [
            self._sentence(first, second)
            for first, second in self.pairs
            if (first.name, second.name) != ("Brutal", "Base")
        ]
        return f"{who}: {' '.join(sentences)}"

    def _sentence(self, first: ComparedGame, second: ComparedGame) -> str:
        """Say how two games' variances and means compare."""
        ratio = self.ratio("variance", first.name, second.name)
        gap = independent_difference(first.estimate("mean"), second.estimate("mean"))
        values = (
            f"{first.estimate('variance').value:.1f} against "
            f"{second.estimate('variance').value:.1f} points²"
        )
        if ratio.low <= 1.0 <= ratio.high or not math.isfinite(ratio.se):
            spread = f"the variances of {first.name} and {second.name} cannot be told apart"
        else:
            more = "larger" if ratio.value > 1.0 else "smaller"
            spread = (
                f"{first.name} has a {more} variance of points per round than {second.name}, "
                f"{ratio.value:.3f} times ({ratio.low:.3f} to {ratio.high:.3f})"
            )
        low, high = sorted((abs(gap.low), abs(gap.high)))
        if abs(gap.value) > gap.half_width:
            more = "more" if gap.value > 0.0 else "fewer"
            points = f"{abs(gap.value):.2f} points {more} a round ({low:.2f} to {high:.2f})"
        else:
            points = f"as many points a round as can be told ({gap.low:+.2f} to {gap.high:+.2f})"
        return f"{spread[0].upper()}{spread[1:]}, {values}, with {points}."

    def notes(self) -> list[str]:
        """Return what was assumed, in sentences."""
        options = {
            name: value
            for game in self.compared
            for name, value in game.conditions.rules.options().items()
            if name != "brutal"
        }
        changed = "".join(f", {name} = {value}" for name, value in options.items())
        games = f", {self.n_games:,} games with the deck carried over" if self.n_games else ""
        return [
            f"Figures of seat 0; {self.who}{changed}. {self.rounds:,} rounds of "
            f"each game{games}; seeds derived from {self.seed}.",
            INDEPENDENT_ROUNDS,
            METHODS,
        ]

    def plot(self, title: str | None = None) -> Plot:
        """Draw the distribution of points per round, a panel a game."""
        import pandas as pd

        from flip7sim.plots import distribution

        rows = [
            {"score": score, "share": count / self.rounds, "group": game.name}
            for game in self.compared
            for score, count in game.rounds.seats[0].histogram.items()
        ]
        means = {game.name: game.estimate("mean").value for game in self.compared}
        return distribution(pd.DataFrame(rows), means=means, title=title, notes=self.notes()[:1])

    def document(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {
            "seed": self.seed,
            "players": self.n_players,
            "rounds": self.rounds,
            "games_played": self.n_games,
            "answer": self.answer(),
            "games": {
                game.name: {
                    **game.conditions.document(),
                    "players": list(game.conditions.players),
                    "figures": {k: figure_document(f) for k, f in game.figures.items()},
                    "histogram": {str(k): n for k, n in game.rounds.seats[0].histogram.items()},
                }
                for game in self.compared
            },
            "differences": {
                f"{first.name} - {second.name}": {
                    key: figure_document(difference(first.figures[key], second.figures[key]))
                    for key in self.keys
                }
                for first, second in self.pairs
            },
            "variance_ratios": {
                f"{first.name} / {second.name}": figure_document(
                    self.ratio("variance", first.name, second.name)
                )
                for first, second in self.pairs
            },
            "interrupted": self.interrupted,
        }


def compare(
    players: Sequence[PlayerLike] = (defaults.COMPARE_PLAYER,) * defaults.COMPARE_PLAYERS,
    *,
    options: Mapping[str, Any] | None = None,
    rounds: int = defaults.COMPARE_ROUNDS,
    games: int = defaults.COMPARE_GAMES,
    seed: int = 1,
    threads: int | None = None,
    progress: Callable[[str], Progress | None] = lambda _: None,
) -> Comparison:
    """Play base, Vengeance and Brutal with the same players and compare what seat 0 gets.

    Parameters
    ----------
    players : sequence of Player, str or stay policy
        In seat order, the same in every game.
    options : mapping of str to object, optional
        Rule options of all three games (see `rules_compared`).
    rounds, games : int
        Of each game; with 0 games nothing is said about games.
    seed : int
        Every game's own seed is derived from it, so that the samples are independent.
    threads : int, optional
    progress : callable, optional
        Returns a progress callback for a step's name.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        If a player cannot play all games, or an option or number is wrong.

    Examples
    --------
    >>> result = compare(rounds=2_000, games=40)
    >>> [game.name for game in result.compared], result.n_games
    (['Base', 'Vengeance', 'Brutal'], 40)
    """
    rules = rules_compared(options)
    seated = checked_tables(players, rules)
    rounds, seed = checked_count("rounds", rounds), checked_seed(seed)
    games = checked_count("games", games) if games else 0
    start, found, interrupted = time.perf_counter(), [], False
    for name, each in rules.items():
        try:
            found.append(
                play_game_of(
                    name, each, seated, rounds=rounds, games=games, seed=seed,
                    threads=threads, progress=progress,
                )
            )  # fmt: skip
        except Interrupted:
            if not found:
                raise Interrupted(None, 0) from None
            interrupted = True
            break
    return Comparison(
        seed=seed,
        compared=tuple(found),
        elapsed_s=time.perf_counter() - start,
        interrupted=interrupted,
    )
