"""Numbers written with the digits that their error allows."""

from __future__ import annotations

import math
from typing import Final

from flip7sim.estimates.intervals import Proportion, ProportionDifference

UNKNOWN: Final = "unknown"
"""What is written for a number that is not known, such as the error of a single round."""
EXACT_DIGITS: Final = 10
"""Significant digits of a value that has no error."""


def decimals_allowed(error: float) -> int:
    """Return the number of decimals to show for a given error.

    The rule of the Particle Data Group (Review of Particle Physics, introduction): of the error's
    first three digits, 100 to 354 keep two, 355 to 949 keep one, and 950 to 999 are rounded up to
    1000 and keep two. Negative when the digits before the point are to be rounded.

    Examples
    --------
    >>> [decimals_allowed(error) for error in (0.0042, 0.0138, 0.0961, 123.0)]
    [3, 3, 2, -1]
    """
    if not (math.isfinite(error) and error > 0.0):
        raise ValueError(f"an error must be a positive number, not {error!r}")
    mantissa, exponent = f"{error:.2e}".split("e")
    leading, power = float(mantissa), int(exponent)
    if leading >= 9.5:
        return -power  # 0.95 to 0.999 read 1.0
    return 1 - power if leading < 3.55 else -power


def _rounded(value: float, decimals: int) -> str:
    """Write a value with so many decimals; a rounded zero carries no minus sign."""
    if decimals >= 0:
        return f"{value:z.{decimals}f}"
    scale = 10**-decimals
    return str(round(value / scale) * scale)


def format_estimate(value: float, se: float, *, decimals: int | None = None) -> str:
    """Write a value and its standard error with the same, meaningful decimals.

    Parameters
    ----------
    value, se : float
        An error of nan is written as unknown, a value of nan too.
    decimals : int, optional
        The decimals to show instead of those that the error allows, to keep a column even.

    Examples
    --------
    >>> format_estimate(19.33871, 0.00417)
    '19.339 ± 0.004'
    >>> format_estimate(-0.0312, 0.0138)
    '-0.031 ± 0.014'
    >>> format_estimate(31.0, float("nan"))
    '31 ± unknown'
    """
    value, se = float(value), float(se)
    if not math.isfinite(value):
        return UNKNOWN
    if not math.isfinite(se):
        return f"{_plain(value)} ± {UNKNOWN}"
    if decimals is None:
        if se <= 0.0:
            return f"{_plain(value)} ± 0"
        decimals = decimals_allowed(se)
    return f"{_rounded(value, decimals)} ± {_rounded(se, decimals)}"


def format_proportion(share: Proportion, *, decimals: int | None = None) -> str:
    """Write a share and its interval as percentages.

    The half width of the interval decides the decimals, unless they are given.

    Examples
    --------
    >>> from flip7sim.estimates import proportion
    >>> format_proportion(proportion(313_173, 1_000_000))
    '31.32 % (31.23 to 31.41)'
    >>> format_proportion(proportion(0, 0))
    'unknown'
    """
    return _percentages(share.value, share.low, share.high, decimals)


def format_difference(gap: ProportionDifference, *, decimals: int | None = None) -> str:
    """Write a difference of shares and its interval in percentage points (pp).

    Examples
    --------
    >>> from flip7sim.estimates import proportion, proportion_difference
    >>> format_difference(proportion_difference(proportion(56, 70), proportion(48, 80)))
    '20 pp (5 to 33)'
    """
    return _percentages(gap.value, gap.low, gap.high, decimals, unit="pp")


def _percentages(
    value: float, low: float, high: float, decimals: int | None, *, unit: str = "%"
) -> str:
    if not math.isfinite(value):
        return UNKNOWN
    if decimals is None:
        half = 50.0 * (high - low)
        decimals = max(0, decimals_allowed(half)) if half > 0.0 else 0
    shown, start, end = (_rounded(100.0 * number, decimals) for number in (value, low, high))
    return f"{shown} {unit} ({start} to {end})"


def _plain(value: float) -> str:
    """Write a value whose digits no error limits; a whole number without decimals."""
    return f"{value:z.{EXACT_DIGITS}g}" if abs(value) < 10**EXACT_DIGITS else f"{value:z.0f}"
