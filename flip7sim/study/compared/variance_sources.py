"""Where the variance comes from: from the base game to Vengeance, one thing at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from flip7sim.blocks import Progress
from flip7sim.estimates import Estimate, independent_difference
from flip7sim.runner import PlayerLike, checked_count, checked_seed
from flip7sim.study import defaults
from flip7sim.study.compared.compared_games import checked_tables, rules_compared
from flip7sim.study.compared.factorial import Contribution, Factorial
from flip7sim.study.compared.variance_cells import (
    FACTORS,
    Cell,
    CellResult,
    play_cell,
    play_cells,
)

if TYPE_CHECKING:
    import pandas as pd

OUT_OF_BASE: Final = "taken out of base"
BRIDGE: Final = "from one deck to the other"
INTO_VENGEANCE: Final = "put into Vengeance"
INTO_BRUTAL: Final = "on to Brutal"

FOUR_WAYS: Final = ("in_order", "first", "last", "average")
"""The ways in which a change is measured: see `factorial.Contribution`."""
WAY_TITLES: Final = ("stated order", "first of all", "last of all", "mean over all orders")


@dataclass(frozen=True, kw_only=True)
class Step:
    """One rung of the ladder from base to Vengeance.

    Attributes
    ----------
    part : str
        Which stretch of the ladder.
    title : str
        What is changed.
    cell : CellResult
        The game after the change.
    change : Estimate or None
        Change of the variance against the rung before; None on the first.
    """

    part: str
    title: str
    cell: CellResult
    change: Estimate | None


@dataclass(frozen=True, kw_only=True)
class Change:
    """What one change does to the variance, in points squared, by where in the order it stands.

    Attributes
    ----------
    part, title : str
    ways : dict of str to Estimate
        By `FOUR_WAYS`. What has no order, the bridge and Brutal, has only ``"average"``.
    """

    part: str
    title: str
    ways: dict[str, Estimate]


@dataclass(frozen=True, kw_only=True)
class VarianceSources:
    """The result of `variance_sources`.

    Attributes
    ----------
    players : tuple of str
        As stated.
    rounds : int
        Of every configuration.
    seed : int
    cells : dict of str to dict of frozenset to CellResult
        Every configuration of ``"base"`` and ``"vengeance"``.
    brutal : CellResult
    elapsed_s : float
    """

    players: tuple[str, ...]
    rounds: int
    seed: int
    cells: dict[str, dict[Cell, CellResult]]
    brutal: CellResult
    elapsed_s: float

    @property
    def rounds_played(self) -> int:
        """All rounds that were simulated."""
        return self.rounds * (1 + sum(len(cells) for cells in self.cells.values()))

    @cached_property
    def factorials(self) -> dict[str, Factorial]:
        """The variances of every configuration, by game."""
        return {
            game: Factorial(
                [factor.key for factor in FACTORS[game]],
                {on: cell.variance for on, cell in cells.items()},
            )
            for game, cells in self.cells.items()
        }

    @cached_property
    def ladder(self) -> tuple[Step, ...]:
        """The stated order: base is taken apart from the last factor on, Vengeance built up."""
        base, vengeance = self.cells["base"], self.cells["vengeance"]
        on = frozenset(base_keys := [factor.key for factor in FACTORS["base"]])
        rungs: list[tuple[str, str, CellResult]] = [(OUT_OF_BASE, "Base", base[on])]
        for factor in reversed(FACTORS["base"]):
            on = frozenset(base_keys[: base_keys.index(factor.key)])
            rungs.append((OUT_OF_BASE, f"without {factor.title}", base[on]))
        rungs.append((BRIDGE, "with 16 idle cards, not 15", vengeance[frozenset()]))
        on = frozenset()
        for factor in FACTORS["vengeance"]:
            on |= {factor.key}
            rungs.append((INTO_VENGEANCE, f"with {factor.title}", vengeance[on]))
        rungs.append((INTO_BRUTAL, "with Brutal mode", self.brutal))
        steps = []
        for place, (part, title, cell) in enumerate(rungs):
            before = rungs[place - 1][2] if place else None
            change = None
            if before is not None:
                change = independent_difference(cell.variance, before.variance)
            steps.append(Step(part=part, title=title, cell=cell, change=change))
        return tuple(steps)

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """Every change from base to Vengeance and on to Brutal, in the order of the ladder."""
        changes = [
            _taken_out(self.factorials["base"].contribution(factor.key), factor.title)
            for factor in reversed(FACTORS["base"])
        ]
        by_part = {step.part: step.change for step in self.ladder if step.change is not None}
        changes.append(
            Change(
                part=BRIDGE, title="16 idle cards, not 15",
                ways={"average": by_part[BRIDGE]},
            )
        )  # fmt: skip
        for factor in FACTORS["vengeance"]:
            found = self.factorials["vengeance"].contribution(factor.key)
            ways = {way: getattr(found, way) for way in FOUR_WAYS}
            changes.append(Change(part=INTO_VENGEANCE, title=factor.title, ways=ways))
        changes.append(
            Change(part=INTO_BRUTAL, title="Brutal mode", ways={"average": by_part[INTO_BRUTAL]})
        )
        return tuple(changes)

    def whole(self) -> Estimate:
        """Return Vengeance's variance less base's: all changes but the last added up."""
        full = {
            game: cells[frozenset(factor.key for factor in FACTORS[game])]
            for game, cells in self.cells.items()
        }
        return independent_difference(full["vengeance"].variance, full["base"].variance)

    @cached_property
    def cells_frame(self) -> pd.DataFrame:
        """One row a configuration: what is on, variance, mean, bust and Flip 7 with errors."""
        import pandas as pd

        rows = [cell.row() for cells in self.cells.values() for cell in cells.values()]
        return pd.DataFrame([*rows, self.brutal.row()])

    @cached_property
    def changes_frame(self) -> pd.DataFrame:
        """One row a change and way of measuring it: value, se, low, high."""
        import pandas as pd

        return pd.DataFrame(
            [
                {"part": change.part, "change": change.title, "way": way, **estimate.to_json()}
                for change in self.changes
                for way, estimate in change.ways.items()
            ]
        )

    @cached_property
    def interactions_frame(self) -> pd.DataFrame:
        """One row a pair of factors of a game: value, se, low, high."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "game": game,
                    "first": pair.factors[0],
                    "second": pair.factors[1],
                    **pair.effect.to_json(),
                }
                for game, factorial in self.factorials.items()
                for pair in factorial.interactions()
            ]
        )

    def answer(self) -> str:
        """Return where the variance comes from, in sentences made from the figures."""
        titles = {factor.key: factor.title for factor in FACTORS["vengeance"]}
        factorial = self.factorials["vengeance"]
        added, whole = factorial.whole(), self.whole()
        told = [c for c in factorial.contributions() if abs(c.average.value) > c.average.half_width]
        told.sort(key=lambda c: -abs(c.average.value))
        most = ", ".join(f"{titles[c.factor]} {c.average.value:+z.1f}" for c in told[:3])
        text = (
            f"From base to Vengeance the variance of a round changes by {_signed(whole)} points². "
            f"What base has and Vengeance lacks makes "
            f"{_signed(self.factorials['base'].whole(), -1.0)}, Vengeance's own {_signed(added)}"
        )
        text += f", most of it by {most} (means over all orders)." if told else "."
        turned = [
            c
            for c in factorial.contributions()
            if c.first.high < 0.0 < c.last.low or c.last.high < 0.0 < c.first.low
        ]
        for c in turned:
            text += (
                f" The order matters: {titles[c.factor]}, {c.first.value:+z.1f} alone but "
                f"{c.last.value:+z.1f} added last."
            )
        pair = max(factorial.interactions(), key=lambda pair: abs(pair.effect.value))
        if abs(pair.effect.value) > pair.effect.half_width:
            one, other = (titles[key] for key in pair.factors)
            text += f" The largest interaction is {one} with {other}, {_signed(pair.effect)}."
        return text

    def document(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {
            "players": list(self.players),
            "rounds": self.rounds,
            "rounds_played": self.rounds_played,
            "answer": self.answer(),
            "whole": self.whole().to_json(),
            "changes": self.changes_frame.to_dict("records"),
            "interactions": self.interactions_frame.to_dict("records"),
            "configurations": self.cells_frame.to_dict("records"),
        }


def _taken_out(found: Contribution, title: str) -> Change:
    """Return what taking a factor out does: the first taken out is the last put in."""
    opposite = {"in_order": "in_order", "first": "last", "last": "first", "average": "average"}
    ways = {way: _negative(getattr(found, opposite[way])) for way in FOUR_WAYS}
    return Change(part=OUT_OF_BASE, title=title, ways=ways)


def _negative(of: Estimate) -> Estimate:
    return Estimate(0.0 - of.value, of.se, of.n, of.method, of.degrees, of.level)


def _signed(of: Estimate, sign: float = 1.0) -> str:
    low, high = sorted((sign * of.low, sign * of.high))
    return f"{sign * of.value:+z.1f} ({low:+z.1f} to {high:+z.1f})"


def variance_sources(
    players: Sequence[PlayerLike] = (defaults.COMPARE_PLAYER,) * defaults.COMPARE_PLAYERS,
    *,
    options: Mapping[str, Any] | None = None,
    rounds: int = defaults.COMPARE_ROUNDS,
    seed: int = 1,
    threads: int | None = None,
    progress: Callable[[str], Progress | None] = lambda _: None,
) -> VarianceSources:
    """Play every configuration between base and Vengeance and tell what each part does.

    Parameters
    ----------
    players : sequence of Player, str or stay policy
        In seat order; where targeting is off, each keeps the stay policy alone.
    options : mapping of str to object, optional
        Rule options of all configurations (see `compared_games.rules_compared`).
    rounds : int
        Of each of the 8 configurations of base, the 64 of Vengeance, and Brutal.
    seed : int
    threads : int, optional
    progress : callable, optional
        Returns a progress callback for a step's name.

    Returns
    -------
    VarianceSources

    Raises
    ------
    InputError
        If a player cannot play both games, or an option or number is wrong.

    Examples
    --------
    >>> result = variance_sources(["score:25"] * 3, rounds=200)
    >>> len(result.ladder), len(result.changes), result.rounds_played
    (12, 11, 14600)
    """
    rules = rules_compared(options)
    seated = checked_tables(players, rules)
    rounds, seed = checked_count("rounds", rounds), checked_seed(seed)
    start = time.perf_counter()
    cells = {}
    for game in FACTORS:
        own = {k: v for k, v in rules[_NAMES[game]].options().items() if k != "brutal"}
        cells[game] = play_cells(
            game, seated, options=own, rounds=rounds, seed=seed, threads=threads, progress=progress
        )
    brutal = play_cell(
        "vengeance", frozenset(factor.key for factor in FACTORS["vengeance"]), seated,
        options=rules["Brutal"].options(), rounds=rounds, seed=seed, threads=threads,
        progress=progress("Brutal"),
    )  # fmt: skip
    return VarianceSources(
        players=tuple(player.label for player in seated),
        rounds=rounds,
        seed=seed,
        cells=cells,
        brutal=brutal,
        elapsed_s=time.perf_counter() - start,
    )


_NAMES: Final = {"base": "Base", "vengeance": "Vengeance"}
