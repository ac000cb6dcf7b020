"""`games`: whole games, the deck carried over: who wins, how long it takes."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from flip7sim.blocks import Progress
from flip7sim.engine import decks
from flip7sim.estimates import Estimate, format_estimate, format_proportion
from flip7sim.runner import PlayerLike, checked_count, checked_players, checked_seed, play_games
from flip7sim.study import defaults
from flip7sim.study.clusters import ClusterSums, Share
from flip7sim.study.conditions import Conditions, RulesLike, as_rules
from flip7sim.study.game_length import Length, length_of
from flip7sim.study.result import Result
from flip7sim.study.rounds import checked_error, until
from flip7sim.study.wins import PlayerWins, SeatWins, columns, shown_share
from flip7sim.tallies import GameTallies

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

FIRST_LOOK: Final = 1_000
"""Decks after which `until_se` first looks at the errors."""

ROTATED = (
    "Every deck is played with every rotation of the seats; seat 0 is dealt to first in the first "
    "round, and the deal moves left after every round."
)
ERRORS = (
    "Games of one deck are not independent, decks are: ± is the standard error over decks; in "
    "brackets Wilson's 95 % interval at the effective number of games."
)


@dataclass(frozen=True, kw_only=True, repr=False)
class Games(Result):
    """The result of `games`.

    Attributes
    ----------
    conditions : Conditions
        With the players' labels.
    tallies : GameTallies
        The integers behind all estimates.
    elapsed_s : float
    interrupted : bool
    """

    conditions: Conditions
    tallies: GameTallies
    elapsed_s: float
    interrupted: bool = False

    @property
    def games(self) -> int:
        """Games played."""
        return self.tallies.games

    @cached_property
    def sums(self) -> ClusterSums:
        """Sums over decks and their products (`flip7sim.engine.decks`)."""
        return ClusterSums(self.tallies.deck_matrix())

    @cached_property
    def players(self) -> tuple[PlayerWins, ...]:
        """The players' wins."""
        n = len(self.conditions.players)
        counts = self.tallies.wins[0].sum(axis=1)
        return tuple(
            PlayerWins(
                player=player,
                policy=policy,
                wins=self.sums.share(
                    {decks.WINS + player: 1}, {decks.GAMES: 1}, scale=self.tallies.unit
                ),
                alone=int(counts[player, 1]),
                shared=int(counts[player, 2 : n + 1].sum()),
            )
            for player, policy in enumerate(self.conditions.players)
        )

    @cached_property
    def seats(self) -> tuple[SeatWins, ...]:
        """The seats' wins, whoever sits there."""
        n, unit = len(self.conditions.players), self.tallies.unit
        out = []
        for seat in range(n):
            place = decks.WINS + n + seat
            # n times the wins less all of them: the numerator of the effect in whole numbers.
            effect = self.sums.ratio(
                {place: n, decks.FINISHED: -unit}, {decks.GAMES: 1}, scale=unit * n
            )
            wins = self.sums.share({place: 1}, {decks.GAMES: 1}, scale=unit)
            out.append(SeatWins(seat=seat, wins=wins, effect=effect))
        return tuple(out)

    @cached_property
    def length(self) -> Length:
        """Rounds per finished game."""
        return length_of(self.tallies.rounds[0], self.sums)

    @cached_property
    def flips(self) -> Estimate:
        """Cards flipped per game."""
        return self.sums.ratio({decks.FLIPS: 1}, {decks.GAMES: 1})

    @cached_property
    def unfinished(self) -> Share:
        """Share of games without a winner after 1,000 rounds."""
        return self.sums.share({decks.GAMES: 1, decks.FINISHED: -1}, {decks.GAMES: 1})

    @cached_property
    def from_behind(self) -> Share:
        """Share of finished games whose winners all were behind before the last round."""
        return self.sums.share({decks.BEHIND: 1}, {decks.FINISHED: 1})

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row a player: share of wins with error and interval."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "player": row.player,
                    "policy": row.policy,
                    **columns("wins", row.wins),
                    "won_alone": row.alone,
                    "won_shared": row.shared,
                }
                for row in self.players
            ]
        )

    @cached_property
    def length_frame(self) -> pd.DataFrame:
        """One row a number of rounds: finished games that took as many."""
        import pandas as pd

        rows = [(k, int(n)) for k, n in enumerate(self.tallies.rounds[0]) if k and n]
        return pd.DataFrame(rows, columns=["rounds", "games"])

    @cached_property
    def shown(self) -> pd.DataFrame:
        """The players for people: estimates as text with the digits their errors allow."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "player": row.player,
                    "policy": row.policy,
                    "wins": shown_share(row.wins),
                    **({"shared": f"{row.shared:,}"} if self._may_share else {}),
                }
                for row in self.players
            ]
        )

    @cached_property
    def seats_shown(self) -> pd.DataFrame:
        """The seats for people."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "seat": row.seat,
                    "wins": shown_share(row.wins),
                    "effect in percentage points": format_estimate(
                        100.0 * row.effect.value, 100.0 * row.effect.se
                    ),
                }
                for row in self.seats
            ]
        )

    @cached_property
    def length_shown(self) -> pd.DataFrame:
        """Length and the rest for people."""
        import pandas as pd

        length = self.length
        rows = [
            ("rounds per game", format_estimate(length.mean.value, length.mean.se)),
            ("standard deviation of rounds", format_estimate(length.sd.value, length.sd.se)),
            *(
                (f"rounds, {100 * q.probability:g} % quantile", f"{q.value:g}")
                for q in length.quantiles
            ),
            ("cards flipped per game", format_estimate(self.flips.value, self.flips.se)),
            ("won from behind in the last round", format_proportion(self.from_behind)),
            ("unfinished after 1,000 rounds", format_proportion(self.unfinished)),
        ]
        return pd.DataFrame(rows, columns=["of a game", "value"])

    @property
    def _may_share(self) -> bool:
        return self.conditions.rules.tie == "share"

    def answer(self) -> str:
        """Return in a sentence who wins, how long it takes and whether the seat matters."""
        best = max(self.players, key=lambda row: row.wins.value)
        text = f"A game takes {format_estimate(self.length.mean.value, self.length.mean.se)} rounds"
        if len(self.players) > 1:
            if len(set(self.conditions.players)) > 1:
                text += (
                    f"; player {best.player} ({best.policy}) wins most, {shown_share(best.wins)}"
                )
            text += f"; {self._seat_sentence()}"
        return text + "."

    def _seat_sentence(self) -> str:
        # Bonferroni: all seats' effects together are looked at with 95 % confidence.
        level = 1.0 - 0.05 / len(self.seats)
        if math.isnan(self.seats[0].effect.se):
            return "too few decks to tell whether the seat matters"
        told = [
            row
            for row in self.seats
            if row.effect.at_level(level).low > 0.0 or row.effect.at_level(level).high < 0.0
        ]
        if not told:
            return "no seat can be told from an equal one"
        most = max(told, key=lambda row: abs(row.effect.value))
        more = "more" if most.effect.value > 0 else "less"
        points = format_estimate(100.0 * abs(most.effect.value), 100.0 * most.effect.se)
        return f"seat {most.seat} wins {points} percentage points {more} than an equal part"

    def document(self) -> dict[str, Any]:
        """Return everything for JSON."""
        counts = self.tallies.rounds[0]
        return {
            **self.conditions.document(),
            "games": self.games,
            "decks": self.sums.clusters,
            "players": [row.document() for row in self.players],
            "seats": [row.document() for row in self.seats],
            "rounds_per_game": {
                "mean": self.length.mean.to_json(),
                "sd": self.length.sd.to_json(),
                "quantiles": {f"{q.probability:g}": q.to_json() for q in self.length.quantiles},
                "histogram": {str(k): int(n) for k, n in enumerate(counts) if k and n},
            },
            "flips_per_game": self.flips.to_json(),
            "won_from_behind": self.from_behind.to_json(),
            "unfinished": {"games": int(counts[0]), **self.unfinished.to_json()},
            "interrupted": self.interrupted,
            "elapsed_s": self.elapsed_s,
            "games_per_s": self.games / self.elapsed_s if self.elapsed_s > 0 else None,
        }

    def notes(self) -> list[str]:
        """Return what was assumed, in sentences."""
        kept = (
            "Every round starts from a full shuffled deck."
            if self.conditions.rules.reshuffle_each_round
            else "The deck is carried over from round to round."
        )
        return [
            f"{self.conditions.sentence()} {self.games:,} games with {self.sums.clusters:,} decks.",
            f"{kept} {ROTATED}",
            ERRORS,
        ]

    def plot(self) -> Figure:
        """Draw the distribution of rounds per finished game."""
        from flip7sim.plots import distribution

        n = int(self.length_frame["games"].sum())
        frame = self.length_frame.rename(columns={"rounds": "score"}).assign(
            share=self.length_frame["games"] / max(n, 1)
        )
        return distribution(
            frame, x_label="Rounds in a game", y_label="Share of finished games in %",
            means={None: self.length.mean.value}, notes=self.notes()[:1],
        )  # fmt: skip


def largest_error(tallies: GameTallies) -> float:
    """Return the largest error of any share of wins, by player or by seat; infinite if unknown."""
    sums = ClusterSums(tallies.deck_matrix())
    errors = [
        sums.ratio({place: 1}, {decks.GAMES: 1}, scale=tallies.unit).se
        for place in range(decks.WINS, decks.n_sums(tallies.wins.shape[1]))
    ]
    return max(math.inf if math.isnan(error) else error for error in errors)


def games(
    players: Sequence[PlayerLike],
    *,
    rules: RulesLike = None,
    games: int = defaults.GAMES,
    seed: int = 1,
    until_se: float | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Games:
    """Play whole games and estimate who wins and how long it takes.

    In game g of n players, player p has seat (p + g) modulo n, and the deck is that of the stream
    g // n: every deck is played with every rotation, so a player's wins do not depend on the seat,
    and what a seat is worth is measured on the same decks.

    Parameters
    ----------
    players : sequence of Player, str or stay policy
        1 to 18.
    rules : Rules, str or mapping, optional
    games : int
        With `until_se` the most games to play. A number that is no multiple of the players leaves
        the last deck without some rotations.
    seed : int
    until_se : float, optional
        Play on until no share of wins, by player or by seat, has a larger standard error.
    threads, executor, progress
        See `simulate`.

    Returns
    -------
    Games

    Raises
    ------
    InputError, PolicyError

    Examples
    --------
    >>> result = games(["score:25", "score:15"], games=400, seed=3)
    >>> result.games, result.sums.clusters, len(result.frame)
    (400, 200, 2)
    """
    table_rules = as_rules(rules)
    seated = checked_players(players, table_rules)
    most, seed = checked_count("games", games), checked_seed(seed)
    start = time.perf_counter()
    tallies, interrupted = until(
        lambda first, count: play_games(
            table_rules, [seated], games=count, seed=seed, first=first,
            threads=threads, executor=executor, progress=progress,
        ),
        most, checked_error(until_se), largest_error,
        size=lambda tallies: tallies.games, first_look=FIRST_LOOK * len(seated),
    )  # fmt: skip
    return Games(
        conditions=Conditions(
            rules=table_rules, players=tuple(player.label for player in seated), seed=seed
        ),
        tallies=tallies,
        elapsed_s=time.perf_counter() - start,
        interrupted=interrupted,
    )
