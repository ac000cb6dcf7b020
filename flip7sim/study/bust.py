"""`bust`: how likely the next card, and the round, ends in a bust, at simulated decisions."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from flip7sim.blocks import Interrupted, Progress, run_blocks
from flip7sim.errors import InputError
from flip7sim.estimates import Proportion, format_proportion, proportion
from flip7sim.observers import bust as noted
from flip7sim.policies import Player
from flip7sim.rules import Rules
from flip7sim.runner import (
    PlayerLike,
    checked_count,
    checked_players,
    checked_seed,
)
from flip7sim.study import defaults
from flip7sim.study.bust_tallies import BustTallies, BustTask, hand_name
from flip7sim.study.clusters import Share, as_share, ratio
from flip7sim.study.conditions import (
    INDEPENDENT_ROUNDS,
    Conditions,
    RulesLike,
    as_rules,
    players_line,
)
from flip7sim.study.result import Result
from flip7sim.tallies import whole_products

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

MAX_ROUNDS: Final = 10**9
"""The most rounds whose tallies fit their words."""
SHOWN_HANDS: Final = 20
TITLES: Final = {
    "cards": "By number of number cards",
    "score": "By what the line is worth",
    "hand": "By hand",
}


@dataclass(frozen=True, kw_only=True)
class Situation:
    """What was found in one situation.

    Attributes
    ----------
    by : {"cards", "score", "hand"}
    situation : int or str
        Number of number cards, points of the line, or the cards that matter for a bust.
    choices, hits : int
        Decisions to hit or stay, and how many were hits.
    occurs : Proportion
        Share of rounds in which it occurs.
    next_busts : Share
        Chance that the next card busts, by the cards left, on average over all decisions.
    hit_busts : Share
        Share of hits whose card did bust.
    round_busts : Share
        Share of decisions after which the round ended in a bust, the policy playing on.
    """

    by: str
    situation: int | str
    choices: int
    hits: int
    occurs: Proportion
    next_busts: Share
    hit_busts: Share
    round_busts: Share

    def document(self) -> dict[str, Any]:
        """Return the situation for JSON."""
        return {
            "situation": self.situation,
            "decisions": self.choices,
            "hits": self.hits,
            **{name: getattr(self, name).to_json() for name in _ESTIMATES},
        }


_ESTIMATES: Final = ("occurs", "next_busts", "hit_busts", "round_busts")


@dataclass(frozen=True, kw_only=True, repr=False)
class Busts(Result):
    """The result of `bust`.

    Attributes
    ----------
    conditions : Conditions
    tallies : BustTallies
    min_count : int
        Decisions below which a situation is left out.
    elapsed_s : float
    interrupted : bool
    """

    conditions: Conditions
    tallies: BustTallies
    min_count: int
    elapsed_s: float
    interrupted: bool = False

    @property
    def rounds(self) -> int:
        """Rounds played."""
        return self.tallies.rounds.rounds

    @cached_property
    def situations(self) -> tuple[Situation, ...]:
        """All situations with enough decisions: by cards and by score ascending, hands by count."""
        rows, low = self.tallies.rows, self.tallies.rounds.low
        n_scores = len(self.tallies.rounds.scores)
        hands = noted.CARD_ROWS + n_scores
        enough = np.flatnonzero(rows[:, noted.CHOICES] >= max(self.min_count, 1))
        out: list[Situation] = []
        for row in enough[enough < noted.CARD_ROWS].tolist():
            out.append(self._situation("cards", row, row))
        for row in enough[(enough >= noted.CARD_ROWS) & (enough < hands)].tolist():
            out.append(self._situation("score", row - noted.CARD_ROWS + low, row))
        found = enough[enough >= hands]
        # The most frequent first; of equally frequent ones the first by number.
        for row in found[np.argsort(-rows[found, noted.CHOICES], kind="stable")].tolist():
            name = hand_name(row - hands, self.conditions.rules.game)
            out.append(self._situation("hand", name, row))
        return tuple(out)

    @property
    def left_out(self) -> dict[str, int]:
        """How many situations occurred too rarely to be shown, by kind."""
        n_scores = len(self.tallies.rounds.scores)
        counts = self.tallies.rows[:, noted.CHOICES]
        ends = (noted.CARD_ROWS, noted.CARD_ROWS + n_scores)
        parts = np.split((counts > 0) & (counts < self.min_count), ends)
        return {by: int(part.sum()) for by, part in zip(noted.GROUPINGS, parts, strict=True)}

    def _situation(self, by: str, situation: int | str, row: int) -> Situation:
        counts = self.tallies.rows[row]
        n = [int(count) for count in counts]
        square = int(whole_products(counts[noted.CHANCE_SQUARED : noted.CHANCE_SQUARED + 2]))
        cross = int(whole_products(counts[noted.CHANCE_CHOICES : noted.CHANCE_CHOICES + 2]))
        choices, squares, clusters = n[noted.CHOICES], n[noted.CHOICES_SQUARED], n[noted.ROUNDS]
        chance = ratio(n[noted.CHANCE], choices, square, cross, squares, clusters, scale=noted.UNIT)
        happened = ratio(
            n[noted.BUSTED_NEXT], n[noted.HITS], n[noted.BUSTED_SQUARED], n[noted.BUSTED_HITS],
            n[noted.HITS_SQUARED], n[noted.HIT_ROUNDS],
        )  # fmt: skip
        # A round ends in a bust or not: the sum is all its decisions or none.
        ends = ratio(
            n[noted.ENDS], choices, n[noted.ENDS_CHOICES], n[noted.ENDS_CHOICES], squares, clusters
        )
        return Situation(
            by=by,
            situation=situation,
            choices=choices,
            hits=n[noted.HITS],
            occurs=proportion(clusters, self.rounds),
            next_busts=as_share(chance, choices, clusters),
            hit_busts=as_share(happened, n[noted.HITS], n[noted.HIT_ROUNDS]),
            round_busts=as_share(ends, choices, clusters),
        )

    def by(self, grouping: str) -> tuple[Situation, ...]:
        """Return the situations of one kind: ``"cards"``, ``"score"`` or ``"hand"``."""
        return tuple(row for row in self.situations if row.by == grouping)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row a situation, figures with their errors and intervals in columns of their own."""
        import pandas as pd

        rows = []
        for row in self.situations:
            entry: dict[str, Any] = {
                "by": row.by, "situation": str(row.situation),
                "decisions": row.choices, "hits": row.hits,
            }  # fmt: skip
            for name in _ESTIMATES:
                share = getattr(row, name)
                entry |= {
                    name: share.value, f"{name}_se": share.se,
                    f"{name}_low": share.low, f"{name}_high": share.high,
                }  # fmt: skip
            rows.append(entry)
        return pd.DataFrame(rows)

    def shown_by(self, grouping: str) -> pd.DataFrame:
        """Return one kind of situation for people; of hands the most frequent."""
        import pandas as pd

        names = {"cards": "number cards", "score": "line is worth", "hand": "hand"}
        rows = self.by(grouping)[: SHOWN_HANDS if grouping == "hand" else None]
        return pd.DataFrame(
            [
                {
                    names[grouping]: row.situation,
                    "in rounds": format_proportion(row.occurs),
                    "decisions": f"{row.choices:,}",
                    "next card busts": format_proportion(row.next_busts),
                    "hits": f"{row.hits:,}",
                    "of hits bust": format_proportion(row.hit_busts) if row.hits else "",
                    "round ends in bust": format_proportion(row.round_busts),
                }
                for row in rows
            ]
        )

    @cached_property
    def shown(self) -> pd.DataFrame:
        """The table by number of number cards."""
        return self.shown_by("cards")

    def document(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {
            **self.conditions.document(),
            "players": list(self.conditions.players),
            "rounds": self.rounds,
            "min_count": self.min_count,
            "left_out": self.left_out,
            **{by: [row.document() for row in self.by(by)] for by in noted.GROUPINGS},
            "interrupted": self.interrupted,
            "elapsed_s": self.elapsed_s,
        }

    def notes(self) -> list[str]:
        """Return what was assumed, in sentences."""
        who = self.conditions.players
        against = f"against {players_line(who[1:])}" if len(who) > 1 else "solitaire"
        left_out = self.left_out
        return [
            f"{self.conditions.sentence()} Seat 0's decisions to hit or stay: {who[0]}, {against}. "
            f"{self.rounds:,} rounds.",
            INDEPENDENT_ROUNDS,
            "Next card busts: by the cards left in the deck, on average over all decisions; of "
            "hits bust: what happened; round ends in bust: under this policy, whatever led to it.",
            f"Situations with fewer than {self.min_count} decisions are left out: "
            f"{left_out['cards']} by cards, {left_out['score']} by worth, {left_out['hand']} "
            "hands.",
            "In brackets Wilson's 95 % interval; decisions of one round are not independent, so "
            "the size it counts with comes from the errors over rounds.",
        ]

    def plot(self) -> Figure:
        """Draw both probabilities against what the line is worth."""
        import pandas as pd

        from flip7sim.plots import curve

        rows = [
            {"parameter": row.situation, "value": 100 * share.value, "low": 100 * share.low,
             "high": 100 * share.high, "group": group}
            for group, name in (
                ("next card busts", "next_busts"), ("round ends in bust", "round_busts"),
            )
            for row in self.by("score")
            for share in [getattr(row, name)]
        ]  # fmt: skip
        return curve(
            pd.DataFrame(rows), x_label="What the line is worth",
            y_label="Probability of a bust in %", notes=self.notes()[:1],
        )  # fmt: skip


def bust(
    players: Sequence[PlayerLike],
    *,
    rules: RulesLike = None,
    rounds: int = defaults.ROUNDS,
    min_count: int = defaults.MIN_COUNT,
    seed: int = 1,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Busts:
    """Play rounds and tabulate, at seat 0's decisions, how likely a bust is.

    Parameters
    ----------
    players : sequence of Player, str or stay policy
        The first plays in seat 0 and is looked at; the others are its rivals.
    rules : Rules, str or mapping, optional
    rounds : int
    min_count : int
        Situations with fewer decisions are left out.
    seed, threads, executor, progress
        See `simulate`.

    Returns
    -------
    Busts

    Raises
    ------
    InputError, PolicyError

    Examples
    --------
    >>> result = bust(["cards:3"], rounds=2_000)
    >>> [row.situation for row in result.by("cards")], result.by("cards")[-1].hits
    ([0, 1, 2, 3], 0)
    """
    table_rules = as_rules(rules)
    seated = checked_players(players, table_rules)
    rounds, seed = checked_count("rounds", rounds), checked_seed(seed)
    if rounds > MAX_ROUNDS:
        raise InputError(f"bust plays at most {MAX_ROUNDS} rounds, not {rounds}")
    min_count = checked_count("min_count", min_count)
    start = time.perf_counter()
    tallies, interrupted = _played(table_rules, seated, rounds, seed, threads, executor, progress)
    return Busts(
        conditions=Conditions(
            rules=table_rules, players=tuple(player.label for player in seated), seed=seed
        ),
        tallies=tallies,
        min_count=min_count,
        elapsed_s=time.perf_counter() - start,
        interrupted=interrupted,
    )


def _played(
    rules: Rules, players: Sequence[Player], rounds: int, seed: int, threads: int | None,
    executor: Executor | None, progress: Progress | None,
) -> tuple[BustTallies, bool]:  # fmt: skip
    task = BustTask(rules, players, players[:1], seed)
    try:
        tallies: BustTallies = run_blocks(
            task, task.empty(), 0, rounds, threads=threads, executor=executor, progress=progress
        )
    except Interrupted as interrupt:
        if interrupt.tallies is None:
            raise
        return interrupt.tallies, True
    return tallies, False
