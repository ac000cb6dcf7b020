"""Addresses of the cards of Vengeance, which are compiled apart and only when they are played."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from flip7sim import _jit
from flip7sim.engine.vengeance import brutal_bonus, settle
from flip7sim.table import TABLE, VENGEANCE


def _settle(table: Any, seat: int) -> int:
    return settle(table, seat)


def _bonus(table: Any, seat: int) -> int:
    return brutal_bonus(table, seat)


@cache
def _entry(function: Callable[[Any, int], int]) -> tuple[int, Any]:
    """Return the address of a function and what keeps it alive."""
    if _jit.DISABLED:
        _jit.PLAIN[id(function)] = function
        return id(function), function
    compiled = _jit.Entry(function, TABLE, cached=True)
    return compiled.address, compiled


def prepare(tables: Any) -> None:
    """Write the addresses of this process into a table of Vengeance.

    Parameters
    ----------
    tables : ndarray of TABLE, shape (1,)
    """
    if tables["game"][0] == VENGEANCE:
        tables["settle_address"][0] = _entry(_settle)[0]
        if tables["brutal"][0]:
            tables["bonus_address"][0] = _entry(_bonus)[0]
