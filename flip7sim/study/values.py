"""The values that a parameter takes in turn, from a range as users give it."""

from __future__ import annotations

import math
from typing import Final

from flip7sim.errors import InputError

MAX_ARMS: Final = 1000
"""The most values of one sweep."""


def parameter_values(start: float, stop: float, step: float) -> tuple[float, ...]:
    """Return the values from `start` to `stop`, both included where the step meets them.

    Raises
    ------
    InputError
        If a number is not finite, the step is not positive, or there are too many values.

    Examples
    --------
    >>> parameter_values(0.1, 0.3, 0.1)
    (0.1, 0.2, 0.3)
    """
    for name, number in (("from", start), ("to", stop), ("step", step)):
        if not math.isfinite(number):
            raise InputError(f"{name} must be a number, not {number}")
    if step <= 0:
        raise InputError(f"step must be above 0, not {step:g}")
    if stop < start:
        raise InputError(
            f"the range goes from {start:g} down to {stop:g}: give the lower end first"
        )
    n = math.floor((stop - start) / step + 1e-9) + 1
    if n > MAX_ARMS:
        raise InputError(f"a sweep has at most {MAX_ARMS} values, not {n}: take a larger step")
    # Rounded, so that 0.1 + 2 * 0.1 is 0.3.
    return tuple(round(start + k * step, 10) for k in range(n))
