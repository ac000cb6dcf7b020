"""Compiled observers: called by the engine after every event, they note what a study asks for.

An observer stands in ``table.observer`` by address and writes to an array of int64 words whose
address is ``table.observer_data``; each module says how its array is laid out.

Examples
--------
>>> from flip7sim.observers import bust, log
>>> address_of(bust.observe) != address_of(log.observe)
True
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from flip7sim import _jit
from flip7sim.table import TABLE


@cache
def _code(function: Callable[[Any, int], int]) -> tuple[int, Any]:
    """Return the address of a function and what keeps it alive."""
    if _jit.DISABLED:
        _jit.PLAIN[id(function)] = function
        return id(function), function
    compiled = _jit.Entry(function, TABLE, cached=True)
    return int(compiled.address), compiled


def address_of(function: Callable[[Any, int], int]) -> int:
    """Return the address of an observer, compiled the first time; good in this process."""
    return _code(function)[0]


def attach(tables: Any, function: Callable[[Any, int], int], words: Any) -> None:
    """Let an observer watch a table.

    Parameters
    ----------
    tables : ndarray of TABLE, shape (1,)
    function : callable
    words : ndarray of int64
        What the observer writes to; it must live as long as the table is played.
    """
    tables["observer"][0] = address_of(function)
    tables["observer_data"][0] = words.__array_interface__["data"][0]
