"""The study `deck_carried_over`: what it matters that a game's deck is not shuffled every round."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flip7sim.blocks import Progress
from flip7sim.errors import InputError
from flip7sim.estimates import Estimate, format_estimate, independent_difference
from flip7sim.rules import Rules
from flip7sim.runner import PlayerLike, checked_players
from flip7sim.study.clusters import CLUSTERED, Share
from flip7sim.study.conditions import Conditions, players_line
from flip7sim.study.games import ERRORS, ROTATED, Games, games
from flip7sim.study.result import Result
from flip7sim.study.wins import columns, decided

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

PAIRED = (
    "Differences are carried over minus shuffled every round, with the same seed. First rounds are "
    "the same in both, later ones are not; errors are made as for different games, so they are, if "
    "anything, too large."
)


def share_difference(carried: Share, shuffled: Share) -> Estimate:
    """Return the difference of two shares with errors over decks, as of independent samples."""
    one, other = (
        Estimate(share.value, share.se, share.clusters, CLUSTERED, max(share.clusters - 1, 1))
        for share in (carried, shuffled)
    )
    return independent_difference(one, other)


@dataclass(frozen=True, kw_only=True)
class DeckTable:
    """One table of players, played both ways.

    Attributes
    ----------
    name : str
    carried, shuffled : Games
        The deck carried over, and shuffled anew every round.
    """

    name: str
    carried: Games
    shuffled: Games

    @cached_property
    def rounds(self) -> Estimate:
        """Difference in rounds per game."""
        return independent_difference(self.carried.length.mean, self.shuffled.length.mean)

    @cached_property
    def players(self) -> tuple[Estimate, ...]:
        """Difference in each player's share of wins."""
        pairs = zip(self.carried.players, self.shuffled.players, strict=True)
        return tuple(share_difference(one.wins, other.wins) for one, other in pairs)

    @cached_property
    def seats(self) -> tuple[Estimate, ...]:
        """Difference in each seat's effect."""
        pairs = zip(self.carried.seats, self.shuffled.seats, strict=True)
        return tuple(independent_difference(one.effect, other.effect) for one, other in pairs)

    @property
    def rotations_alike(self) -> bool:
        """Whether all players are the same, so that only seats can differ."""
        return len(set(self.carried.conditions.players)) == 1


@dataclass(frozen=True, kw_only=True, repr=False)
class DeckStudy(Result):
    """The result of `deck_carried_over`."""

    conditions: Conditions
    tables: tuple[DeckTable, ...]

    @property
    def games_played(self) -> int:
        """All games that were simulated."""
        return sum(table.carried.games + table.shuffled.games for table in self.tables)

    @property
    def rounds_played(self) -> int:
        """All rounds of finished games."""
        ways = [way for table in self.tables for way in (table.carried, table.shuffled)]
        return sum(k * int(n) for way in ways for k, n in enumerate(way.tallies.rounds[0]))

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row a table: rounds per game both ways and their difference."""
        import pandas as pd

        rows = []
        for table in self.tables:
            row: dict[str, Any] = {
                "table": table.name,
                "players": len(table.carried.players),
                "games": table.carried.games,
            }
            for name, way in (("carried", table.carried), ("shuffled", table.shuffled)):
                row |= columns(f"rounds_{name}", way.length.mean)
                row |= {f"rounds_sd_{name}": way.length.sd.value}
                row |= {f"unfinished_{name}": int(way.tallies.rounds[0, 0])}
            rows.append(row | columns("rounds_difference", table.rounds))
        return pd.DataFrame(rows)

    @cached_property
    def wins_frame(self) -> pd.DataFrame:
        """One row a player and a row a seat of every table: wins both ways and the difference."""
        import pandas as pd

        rows: list[dict[str, Any]] = []
        for table in self.tables:
            for one, other, gap in zip(
                table.carried.players, table.shuffled.players, table.players, strict=True
            ):
                row = {"table": table.name, "of": "player", "number": one.player}
                row |= {"policy": one.policy} | columns("wins_carried", one.wins)
                rows.append(row | columns("wins_shuffled", other.wins) | columns("difference", gap))
            for seat, before, gap in zip(
                table.carried.seats, table.shuffled.seats, table.seats, strict=True
            ):
                row = {"table": table.name, "of": "seat", "number": seat.seat, "policy": ""}
                row |= columns("wins_carried", seat.wins)
                rows.append(
                    row | columns("wins_shuffled", before.wins) | columns("difference", gap)
                )
        return pd.DataFrame(rows)

    @cached_property
    def shown(self) -> pd.DataFrame:
        """One row a table for people."""
        import pandas as pd

        rows = []
        for table in self.tables:
            seat, effect = _largest([row.effect for row in table.carried.seats])
            player, change = _largest(table.players)
            alike = table.rotations_alike
            rows.append(
                {
                    "players": table.name,
                    "rounds per game": _text(table.carried.length.mean),
                    "shuffled every round": _text(table.shuffled.length.mean),
                    "difference": _text(table.rounds),
                    "largest seat effect, pp": f"seat {seat}: {_text(effect, 100)}",
                    "shuffled, pp": _text(table.shuffled.seats[seat].effect, 100),
                    "largest change of a player's wins, pp": ""
                    if alike
                    else f"player {player}: {_text(change, 100)}",
                }
            )
        return pd.DataFrame(rows)

    def answer(self) -> str:
        """Return the answer in plain words."""
        told = [table for table in self.tables if decided(table.rounds)]
        if told:
            most = max(told, key=lambda table: abs(table.rounds.value))
            way = "longer" if most.rounds.value > 0 else "shorter"
            text = (
                f"Carrying the deck over makes games {way} by at most "
                f"{_text(replace(most.rounds, value=abs(most.rounds.value)))} rounds ({most.name})"
            )
            if len({decided(table.rounds) for table in told}) > 1:
                text = (
                    f"Carrying the deck over changes the length of games by at most "
                    f"{_text(most.rounds)} rounds ({most.name})"
                )
            text += f"; it is told apart from no change at {len(told)} of {len(self.tables)} tables"
        else:
            text = "Carrying the deck over changes the length of games by nothing that was measured"
        changes = [
            (abs(gap.value), gap, table.carried.players[k].policy, table.name)
            for table in self.tables
            if not table.rotations_alike
            for k, gap in enumerate(table.players)
            if decided(gap)
        ]
        if changes:
            _, gap, policy, name = max(changes, key=lambda change: change[0])
            text += f"; it changes the wins of {policy} by {_text(gap, 100)} points in 100 ({name})"
        return text + "."

    def notes(self) -> list[str]:
        """Return what was assumed, in sentences."""
        return [
            f"{self.conditions.sentence()} {self.tables[0].carried.games:,} games a table and way; "
            f"{self.games_played:,} games in all.",
            ROTATED,
            PAIRED,
            ERRORS.split(";")[0] + ".",
        ]

    def plot(self, title: str | None = None) -> Figure:
        """Draw the change in rounds per game, a row a table."""
        import pandas as pd

        from flip7sim.plots import intervals

        rows = [
            {"label": table.name, "value": table.rounds.value, "low": table.rounds.low,
             "high": table.rounds.high, "text": _text(table.rounds)}
            for table in self.tables
        ]  # fmt: skip
        return intervals(
            pd.DataFrame(rows), title=title, notes=self.notes()[:1],
            x_label="Rounds per game, deck carried over less shuffled every round",
            sides=("carried over is shorter", "carried over is longer"),
        )  # fmt: skip

    def document(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {
            **self.conditions.document(),
            "answer": self.answer(),
            "games": self.tables[0].carried.games,
            "games_played": self.games_played,
            "rounds_played": self.rounds_played,
            "tables": [
                {
                    "name": table.name,
                    "players": list(table.carried.conditions.players),
                    "rounds_carried": table.carried.length.mean.to_json(),
                    "rounds_shuffled": table.shuffled.length.mean.to_json(),
                    "rounds_difference": table.rounds.to_json(),
                    "player_differences": [gap.to_json() for gap in table.players],
                    "seat_effects_carried": [row.effect.to_json() for row in table.carried.seats],
                    "seat_effects_shuffled": [row.effect.to_json() for row in table.shuffled.seats],
                }
                for table in self.tables
            ],
        }


def _text(of: Estimate, scale: float = 1.0) -> str:
    return format_estimate(scale * of.value, scale * of.se)


def _largest(gaps: Sequence[Estimate]) -> tuple[int, Estimate]:
    k = max(range(len(gaps)), key=lambda k: abs(gaps[k].value))
    return k, gaps[k]


def deck_carried_over(
    tables: Sequence[Sequence[PlayerLike]],
    *,
    rules: Rules,
    games_each: int,
    seed: int = 1,
    threads: int | None = None,
    progress: Callable[[str], Progress | None] = lambda _: None,
) -> DeckStudy:
    """Play tables of players with the deck carried over, and with a fresh one every round.

    Parameters
    ----------
    tables : sequence of sequences of players
    rules : Rules
        Without `reshuffle_each_round`, which is what varies.
    games_each : int
        Games of each table and way.
    seed : int
    threads : int, optional
    progress : callable, optional
        Returns a progress callback for a step's name.

    Returns
    -------
    DeckStudy

    Raises
    ------
    InputError, PolicyError

    Examples
    --------
    >>> study = deck_carried_over([["score:25", "score:25"]], rules=Rules(), games_each=500)
    >>> len(study.tables), study.tables[0].name
    (1, '2 × score:25/leader')
    """
    if rules.reshuffle_each_round:
        raise InputError("option reshuffle_each_round is what this study varies: leave it out")
    if not tables:
        raise InputError("tables must name at least one table of players")
    found = []
    for players in tables:
        name = players_line([who.label for who in checked_players(players, rules)])
        ways = []
        for shuffled, words in ((False, "carried over"), (True, "shuffled every round")):
            result = games(
                players, rules=replace(rules, reshuffle_each_round=shuffled), games=games_each,
                seed=seed, threads=threads, progress=progress(f"{name}, {words}"),
            )  # fmt: skip
            if result.interrupted:
                raise KeyboardInterrupt
            ways.append(result)
        found.append(DeckTable(name=name, carried=ways[0], shuffled=ways[1]))
    return DeckStudy(conditions=Conditions(rules=rules, players=(), seed=seed), tables=tuple(found))
