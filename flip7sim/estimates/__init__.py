"""From integer tallies to estimates, each with its error and how its interval was made.

`intervals` holds what an estimate is, `moments` reads histograms of scores, `paired` compares arms
that were played on the same rounds, `digits` writes numbers with the digits their error allows.
"""

from __future__ import annotations

from flip7sim.estimates.digits import (
    UNKNOWN,
    decimals_allowed,
    format_difference,
    format_estimate,
    format_proportion,
)
from flip7sim.estimates.intervals import (
    Estimate,
    Proportion,
    ProportionDifference,
    independent_difference,
    independent_ratio,
    normal_quantile,
    proportion,
    proportion_difference,
    t_quantile,
    wilson,
)
from flip7sim.estimates.moments import Moments, Quantile, Summary, moments, quantile, summarise
from flip7sim.estimates.paired import (
    BestSet,
    PairedDifferences,
    best_set,
    paired_difference,
    paired_differences,
)

__all__ = [
    "UNKNOWN",
    "BestSet",
    "Estimate",
    "Moments",
    "PairedDifferences",
    "Proportion",
    "ProportionDifference",
    "Quantile",
    "Summary",
    "best_set",
    "decimals_allowed",
    "format_difference",
    "format_estimate",
    "format_proportion",
    "independent_difference",
    "independent_ratio",
    "moments",
    "normal_quantile",
    "paired_difference",
    "paired_differences",
    "proportion",
    "proportion_difference",
    "quantile",
    "summarise",
    "t_quantile",
    "wilson",
]
