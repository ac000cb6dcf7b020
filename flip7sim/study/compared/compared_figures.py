"""The figures of which games are compared: what each is, and how two are subtracted and shown."""

from __future__ import annotations

import math
from typing import Any, Final

from flip7sim.estimates import (
    Estimate,
    Proportion,
    ProportionDifference,
    Quantile,
    format_difference,
    format_estimate,
    format_proportion,
    independent_difference,
    proportion,
    proportion_difference,
    summarise,
)
from flip7sim.study.compared.variance_split import all_or_nothing
from flip7sim.study.games import Games
from flip7sim.tallies import RoundTallies

Figure = Estimate | Proportion | Quantile
Difference = Estimate | ProportionDifference | Quantile

FIGURES: Final[dict[str, str]] = {
    "mean": "points per round",
    "variance": "variance, points²",
    "sd": "standard deviation, points",
    "variation": "coefficient of variation",
    "skewness": "skewness",
    "all_or_nothing": "variance from 0 or not, share",
    "bust": "P(bust)",
    "flip7": "P(Flip 7)",
    "zero": "P(0 points)",
    "ended_by_flip7": "rounds ended by a Flip 7",
    "quantile_5": "5 % quantile",
    "quantile_25": "25 % quantile",
    "quantile_50": "median",
    "quantile_75": "75 % quantile",
    "quantile_95": "95 % quantile",
    "rounds_per_game": "rounds per game",
    "flips_per_game": "flips per game",
    "from_behind": "games won from behind, share",
}
"""Key → name for people. Points are those of seat 0."""


def figures_of(tallies: RoundTallies, games: Games | None) -> dict[str, Figure]:
    """Return every figure of seat 0 and, where games were played, of the games.

    Parameters
    ----------
    tallies : RoundTallies
        Of one arm.
    games : Games or None
    """
    counts = tallies.histogram[0, 0]
    summary = summarise(counts, tallies.low)
    found: dict[str, Figure] = {
        "mean": summary.mean,
        "variance": summary.variance,
        "sd": summary.sd,
        "variation": summary.variation,
        "skewness": summary.skewness,
        "all_or_nothing": all_or_nothing(counts, tallies.low),
        "bust": proportion(int(tallies.busts[0, 0]), tallies.rounds),
        "flip7": proportion(int(tallies.flip7s[0, 0]), tallies.rounds),
        "zero": summary.zero,
        # At most one player reaches Flip 7 in a round, so the seats' counts add.
        "ended_by_flip7": proportion(int(tallies.flip7s[0].sum()), tallies.rounds),
    }
    for each in summary.quantiles:
        found[f"quantile_{round(100 * each.probability)}"] = each
    if games is not None:
        found["rounds_per_game"] = games.length.mean
        found["flips_per_game"] = games.flips
        found["from_behind"] = games.from_behind
    return {key: found[key] for key in FIGURES if key in found}


def difference(first: Figure, second: Figure) -> Difference:
    """Return the first less the second, of independent samples.

    Of quantiles the ends of the interval are those of both intervals taken together: at least as
    sure as their product, and wider than need be.
    """
    if isinstance(first, Estimate) and isinstance(second, Estimate):
        return independent_difference(first, second)
    if isinstance(first, Proportion) and isinstance(second, Proportion):
        return proportion_difference(first, second)
    if isinstance(first, Quantile) and isinstance(second, Quantile):
        return Quantile(
            probability=first.probability,
            value=first.value - second.value,
            low=first.low - second.high,
            high=first.high - second.low,
            n=min(first.n, second.n),
            level=first.level,
            method="both intervals together",
        )
    raise TypeError("figures of different kinds have no difference")


def shown_figure(figure: Figure) -> str:
    """Write a figure with its error or interval."""
    if isinstance(figure, Proportion):
        return format_proportion(figure)
    if isinstance(figure, Quantile):
        return _shown_quantile(figure)
    return format_estimate(figure.value, figure.se)


def shown_difference(first: Figure, second: Figure) -> str:
    """Write a difference with its error or interval."""
    gap = difference(first, second)
    if isinstance(gap, ProportionDifference):
        return format_difference(gap)
    if isinstance(gap, Quantile):
        return _shown_quantile(gap)
    return format_estimate(gap.value, gap.se)


def _shown_quantile(figure: Quantile) -> str:
    ends = (figure.low, figure.high)
    low, high = (f"{end:g}" if math.isfinite(end) else "?" for end in ends)
    return f"{figure.value:g} ({low} to {high})"


def figure_document(figure: Figure | Difference) -> dict[str, Any]:
    """Return a figure for JSON and data frames: value, se (None for quantiles), low, high."""
    found = figure.to_json()
    return {name: found.get(name) for name in ("value", "se", "low", "high")}
