"""What an estimate is: a value, its standard error and an interval made in a stated way."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import Final

from flip7sim.errors import InputError

LEVEL: Final = 0.95
"""The confidence level of intervals where none is given."""
NAN: Final = math.nan


def check_level(level: float) -> float:
    """Return the confidence level, or raise `InputError` unless it lies between 0.5 and 1.

    Examples
    --------
    >>> check_level(0.95)
    0.95
    """
    if not 0.5 < level < 1.0:
        raise InputError(f"a confidence level must lie between 0.5 and 1, not {level!r}")
    return float(level)


def normal_quantile(probability: float) -> float:
    """Return the quantile of the standard normal distribution.

    Examples
    --------
    >>> round(normal_quantile(0.975), 6)
    1.959964
    """
    return NormalDist().inv_cdf(probability)


def t_quantile(probability: float, degrees: float) -> float:
    """Return the quantile of Student's t distribution with `degrees` of freedom.

    Examples
    --------
    >>> round(t_quantile(0.975, 9), 4)
    2.2622
    """
    from scipy.special import stdtrit  # late: not every command needs it

    return float(stdtrit(degrees, probability))


def json_number(number: float) -> float | None:
    """Return the number, or None where it is unknown or unbounded, which JSON cannot say.

    Examples
    --------
    >>> json_number(1.5), json_number(float("nan"))
    (1.5, None)
    """
    return number if math.isfinite(number) else None


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, or a figure computed from moments, with its standard error.

    Parameters
    ----------
    value : float
        In the unit of what was measured; nan where it is undefined (no rounds, say).
    se : float
        Standard error, same unit; nan where it is unknown (one round, say).
    n : int
        Rounds, or games, behind it.
    method : str
        How the standard error and the interval were made.
    degrees : float, optional
        Degrees of freedom of Student's t; None for the normal distribution.
    level : float
        Confidence level of `low` and `high`.

    Examples
    --------
    >>> mean = Estimate(19.0, 0.5, 100, "mean of rounds, Student's t", degrees=99)
    >>> round(mean.low, 3), round(mean.high, 3)
    (18.008, 19.992)
    """

    value: float
    se: float
    n: int
    method: str
    degrees: float | None = None
    level: float = LEVEL

    @property
    def half_width(self) -> float:
        """Half the length of the interval; nan where the standard error is."""
        if not math.isfinite(self.se):
            return NAN
        upper = 0.5 + 0.5 * check_level(self.level)
        if self.degrees is None:
            return normal_quantile(upper) * self.se
        return t_quantile(upper, self.degrees) * self.se

    @property
    def low(self) -> float:
        """Lower end of the interval at `level`."""
        return self.value - self.half_width

    @property
    def high(self) -> float:
        """Upper end of the interval at `level`."""
        return self.value + self.half_width

    def at_level(self, level: float) -> Estimate:
        """Return the same estimate with its interval at another confidence level."""
        return replace(self, level=check_level(level))

    def errors_from(self, exact: float) -> float:
        """Return the distance from an exact value in standard errors.

        Zero when both agree to the last bit; nan where the error is unknown; infinite where an
        error of zero contradicts the exact value.

        Examples
        --------
        >>> Estimate(18.75, 0.125, 10**4, "mean").errors_from(18.5)
        2.0
        """
        gap = self.value - exact
        if self.se == 0.0:
            return 0.0 if gap == 0.0 else math.copysign(math.inf, gap)
        return gap / self.se

    def to_json(self) -> dict[str, float | None]:
        """Return value, standard error and interval for JSON; what is unknown is None."""
        return {name: json_number(getattr(self, name)) for name in ("value", "se", "low", "high")}


@dataclass(frozen=True, slots=True)
class Proportion:
    """A share of rounds or games, with Wilson's interval.

    Parameters
    ----------
    value : float
        ``count / n``; nan when `n` is 0.
    se : float
        ``sqrt(value (1 - value) / n)``; nan when `n` is below 2. It is zero when `count` is 0 or
        `n`, where only the interval tells how much is known.
    low, high : float
        Wilson's score interval, never outside 0 and 1.
    n, count : int
    level : float

    Examples
    --------
    >>> proportion(0, 100).low, round(proportion(0, 100).high, 4)
    (0.0, 0.037)
    """

    value: float
    se: float
    low: float
    high: float
    n: int
    count: int
    level: float = LEVEL
    method: str = "Wilson's score interval"

    def errors_from(self, exact: float) -> float:
        """Return the distance from an exact probability in that probability's standard errors.

        The error is ``sqrt(exact (1 - exact) / n)``, as in a score test, so that a count of 0 or
        `n` is judged rightly.

        Examples
        --------
        >>> proportion(75, 100).errors_from(0.5)
        5.0
        """
        if self.n == 0:
            return NAN
        gap, error = self.value - exact, math.sqrt(exact * (1.0 - exact) / self.n)
        if error == 0.0:
            return 0.0 if gap == 0.0 else math.copysign(math.inf, gap)
        return gap / error

    def to_json(self) -> dict[str, float | None]:
        """Return value, standard error and interval for JSON; what is unknown is None."""
        return {name: json_number(getattr(self, name)) for name in ("value", "se", "low", "high")}


@dataclass(frozen=True, slots=True)
class ProportionDifference:
    """The difference of two independent shares, with Newcombe's interval.

    Parameters
    ----------
    value, se : float
    low, high : float
        Newcombe's interval at `level`, never outside -1 and 1.
    n : int
        The smaller of the two samples.
    level : float
    """

    value: float
    se: float
    low: float
    high: float
    n: int
    level: float = LEVEL
    method: str = "Newcombe's interval from two Wilson intervals"

    def to_json(self) -> dict[str, float | None]:
        """Return value, standard error and interval for JSON; what is unknown is None."""
        return {name: json_number(getattr(self, name)) for name in ("value", "se", "low", "high")}


def wilson(count: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """Return Wilson's score interval of a proportion.

    The interval of all shares that a score test at `level` does not reject (E. B. Wilson,
    "Probable inference, the law of succession, and statistical inference", JASA 22, 1927).
    It is (0, 1) when nothing was observed.

    Examples
    --------
    >>> [round(end, 4) for end in wilson(29, 100)]
    [0.2101, 0.3854]
    """
    if not 0 <= count <= n:
        raise ValueError(f"a count must lie from 0 to {n}, not {count}")
    if n == 0:
        return 0.0, 1.0
    return wilson_at(count / n, n, normal_quantile(0.5 + 0.5 * check_level(level)))


def wilson_at(share: float, size: float, z: float) -> tuple[float, float]:
    """Return Wilson's score interval of a share of `size` observations.

    Parameters
    ----------
    share : float
        0 to 1.
    size : float
        The sample's size, or its effective one: above 0.
    z : float
        The quantile, of the normal distribution or of Student's t.

    Examples
    --------
    >>> [round(end, 4) for end in wilson_at(0.29, 100, 1.96)]
    [0.2101, 0.3854]
    """
    weight = z * z / size
    centre = (share + weight / 2.0) / (1.0 + weight)
    half = math.sqrt(weight * (share * (1.0 - share) + weight / 4.0)) / (1.0 + weight)
    # The ends of shares of 0 and 1 are exact; rounding must not move them.
    low = 0.0 if share == 0.0 else max(0.0, centre - half)
    high = 1.0 if share == 1.0 else min(1.0, centre + half)
    return low, high


def proportion(count: int, n: int, level: float = LEVEL) -> Proportion:
    """Return the estimate of a share from a count of `n` rounds or games.

    Examples
    --------
    >>> estimate = proportion(313, 1000)
    >>> estimate.value, round(estimate.low, 4), round(estimate.high, 4)
    (0.313, 0.285, 0.3424)
    """
    count, n = int(count), int(n)
    low, high = wilson(count, n, level)
    value = count / n if n else NAN
    se = math.sqrt(value * (1.0 - value) / n) if n > 1 else NAN
    return Proportion(value, se, low, high, n, count, level)


def proportion_difference(first: Proportion, second: Proportion) -> ProportionDifference:
    """Return ``first - second`` of two independent samples.

    The interval joins the two Wilson intervals (R. G. Newcombe, "Interval estimation for the
    difference between independent proportions", Statistics in Medicine 17, 1998, method 10).
    Two arms played on the same rounds are not independent: see `flip7sim.estimates.paired`.

    Examples
    --------
    >>> gap = proportion_difference(proportion(56, 70), proportion(48, 80))
    >>> round(gap.value, 4), round(gap.low, 4), round(gap.high, 4)
    (0.2, 0.0524, 0.3339)
    """
    if first.level != second.level:
        raise ValueError("the two proportions have intervals at different levels")
    gap = first.value - second.value
    below = math.hypot(first.value - first.low, second.high - second.value)
    above = math.hypot(first.high - first.value, second.value - second.low)
    return ProportionDifference(
        value=gap,
        se=math.hypot(first.se, second.se),
        low=gap - below,
        high=gap + above,
        n=min(first.n, second.n),
        level=first.level,
    )


def independent_difference(first: Estimate, second: Estimate) -> Estimate:
    """Return ``first - second`` of estimates from independent samples.

    Means, variances, standard deviations, skewnesses, coefficients of variation alike: the
    variances of the two errors add. Where both are means, Welch's degrees of freedom are used
    (B. L. Welch, Biometrika 34, 1947). The samples must be independent, that is played with
    different seeds; the same rounds are compared by `flip7sim.estimates.paired`.

    Examples
    --------
    >>> base = Estimate(14.1, 0.03, 10**6, "delta method, normal")
    >>> vengeance = Estimate(11.0, 0.04, 10**6, "delta method, normal")
    >>> gap = independent_difference(base, vengeance)
    >>> round(gap.value, 3), round(gap.se, 3)
    (3.1, 0.05)
    """
    degrees: float | None = None
    if first.degrees is not None and second.degrees is not None:
        parts = (first.se**2, second.se**2)
        below = parts[0] ** 2 / max(first.degrees, 1) + parts[1] ** 2 / max(second.degrees, 1)
        degrees = sum(parts) ** 2 / below if below > 0.0 else None
    return Estimate(
        value=first.value - second.value,
        se=math.hypot(first.se, second.se),
        n=min(first.n, second.n),
        method="difference of independent samples, "
        + ("normal" if degrees is None else "Welch's t"),
        degrees=degrees,
        level=first.level,
    )


def independent_ratio(first: Estimate, second: Estimate) -> Estimate:
    """Return ``first / second`` of estimates from independent samples, by the delta method.

    Nan where the second is zero.

    Examples
    --------
    >>> ratio = independent_ratio(Estimate(12.0, 0.3, 100, ""), Estimate(10.0, 0.4, 100, ""))
    >>> ratio.value, round(ratio.se, 4)
    (1.2, 0.0566)
    """
    n, method = min(first.n, second.n), "ratio of independent samples, delta method, normal"
    if second.value == 0.0 or math.isnan(second.value):
        return Estimate(NAN, NAN, n, method, level=first.level)
    ratio = first.value / second.value
    se = math.hypot(first.se, ratio * second.se) / abs(second.value)
    return Estimate(ratio, se, n, method, level=first.level)
