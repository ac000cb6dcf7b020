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
from typing import Any

from flip7sim._jit import address_of

__all__ = ["address_of", "attach"]


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
