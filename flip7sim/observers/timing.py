"""Asking a policy many times at one table, to measure how long an answer takes."""

from __future__ import annotations

from typing import Any

from flip7sim._jit import call_address, njit
from flip7sim.engine.choices import packed


@njit
def ask_often(tables: Any, address: Any, seat: int, times: int) -> int:
    """Ask the policy at `address` so many times; return how often it answered 0.

    Parameters
    ----------
    tables : ndarray of TABLE, shape (1,)
        At a decision of `seat`, `row` and the row's parameters set.
    address : uint64
    seat, times : int
    """
    table = tables[0]
    zeros = 0
    for _ in range(times):
        if call_address(table, address, packed(seat, table.row)) == 0:
            zeros += 1
    return zeros
