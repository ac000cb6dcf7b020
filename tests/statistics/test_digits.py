"""Numbers are written with the digits that their error allows."""

from __future__ import annotations

import math
import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flip7sim.estimates import (
    decimals_allowed,
    format_difference,
    format_estimate,
    format_proportion,
    proportion,
    proportion_difference,
)


@pytest.mark.parametrize(
    ("value", "se", "shown"),
    [
        (19.33871, 0.00417, "19.339 ± 0.004"),
        (19.33871, 0.0138, "19.339 ± 0.014"),
        (19.33871, 0.0354, "19.339 ± 0.035"),
        (19.33871, 0.0356, "19.34 ± 0.04"),
        (19.33871, 0.0949, "19.34 ± 0.09"),
        (19.33871, 0.0951, "19.34 ± 0.10"),
        (19.33871, 0.0999999, "19.34 ± 0.10"),
        (19.33871, 1.2, "19.3 ± 1.2"),
        (19.33871, 4.2, "19 ± 4"),
        (4571.0, 123.0, "4570 ± 120"),
        (-0.0001, 0.0138, "0.000 ± 0.014"),
        (-4.0, 123.0, "0 ± 120"),
        (15.0, 0.0, "15 ± 0"),
        (0.1, 0.0, "0.1 ± 0"),
        (31.0, math.nan, "31 ± unknown"),
        (31.25, math.inf, "31.25 ± unknown"),
        (math.nan, math.nan, "unknown"),
        (math.nan, 0.1, "unknown"),
    ],
)
def test_value_and_error(value: float, se: float, shown: str) -> None:
    assert format_estimate(value, se) == shown


def test_a_column_can_be_kept_even() -> None:
    assert format_estimate(19.33871, 0.00417, decimals=2) == "19.34 ± 0.00"
    assert format_estimate(19.0, 0.0, decimals=2) == "19.00 ± 0.00"


@given(st.floats(-1e6, 1e6), st.floats(1e-9, 1e5))
def test_the_error_has_at_most_two_digits_and_both_the_same_decimals(
    value: float, se: float
) -> None:
    left, right = format_estimate(value, se).split(" ± ")
    assert len(left.partition(".")[2]) == len(right.partition(".")[2])
    digits = re.sub(r"^[0.]*", "", right).replace(".", "")
    assert 1 <= len(digits.rstrip("0") or digits) <= 2
    # Half a step is all that rounding moves, and a step is at most a third of the error.
    step = Decimal(10) ** -decimals_allowed(se)
    assert abs(Decimal(left) - Decimal(value)) <= step / 2
    assert abs(Decimal(right) - Decimal(se)) <= step / 2
    assert 3 * step < Decimal(se) < 40 * step


@pytest.mark.parametrize("error", [0.0, -1.0, math.nan, math.inf])
def test_no_digits_without_an_error(error: float) -> None:
    with pytest.raises(ValueError, match="positive"):
        decimals_allowed(error)


@pytest.mark.parametrize(
    ("count", "n", "shown"),
    [
        (313_173, 1_000_000, "31.32 % (31.23 to 31.41)"),
        (0, 100, "0.0 % (0.0 to 3.7)"),
        (100, 100, "100.0 % (96.3 to 100.0)"),
        (1, 1, "100 % (21 to 100)"),
        (0, 0, "unknown"),
    ],
)
def test_percentages(count: int, n: int, shown: str) -> None:
    assert format_proportion(proportion(count, n)) == shown


def test_percentage_points() -> None:
    gap = proportion_difference(proportion(480, 1000), proportion(560, 1000))
    assert format_difference(gap) == "-8 pp (-12 to -4)"
    nothing = proportion_difference(proportion(0, 0), proportion(1, 2))
    assert format_difference(nothing) == "unknown"
